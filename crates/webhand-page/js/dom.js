// @ts-check
// The ways into the DOM that a page cannot bend. A form with a field named "firstChild" shadows that name on the form,
// in every world; prototype getters are not shadowed. Everything that may meet a form goes through these.

/**
 * @param {object} proto
 * @param {string} key
 * @returns {Function}
 */
const getterOf = (proto, key) => {
  const found = Object.getOwnPropertyDescriptor(proto, key);
  return /** @type {Function} */ (found && found.get);
};

const getNodeType = getterOf(Node.prototype, 'nodeType');
const getNamespace = getterOf(Element.prototype, 'namespaceURI');
const getFirstChild = getterOf(Node.prototype, 'firstChild');
const getNextSibling = getterOf(Node.prototype, 'nextSibling');
const getParentNode = getterOf(Node.prototype, 'parentNode');
const getTextContent = getterOf(Node.prototype, 'textContent');
const getIsConnected = getterOf(Node.prototype, 'isConnected');
const getLocalName = getterOf(Element.prototype, 'localName');
const getShadowRoot = getterOf(Element.prototype, 'shadowRoot');
const getFirstElement = getterOf(Element.prototype, 'firstElementChild');
const getElementCount = getterOf(Element.prototype, 'childElementCount');
const getPreviousElement = getterOf(Element.prototype, 'previousElementSibling');
const getNextElement = getterOf(Element.prototype, 'nextElementSibling');
const getAssignedSlot = getterOf(Element.prototype, 'assignedSlot');
const getEditable = getterOf(HTMLElement.prototype, 'isContentEditable');
const getInnerText = getterOf(HTMLElement.prototype, 'innerText');
const getTabIndex = getterOf(HTMLElement.prototype, 'tabIndex');
const getAttributeOf = Element.prototype.getAttribute;
const attributeNamesOf = Element.prototype.getAttributeNames;
const hasChildrenOf = Node.prototype.hasChildNodes;
const hasAttributesOf = Element.prototype.hasAttributes;
const hasAttributeOf = Element.prototype.hasAttribute;
const rectOf = Element.prototype.getBoundingClientRect;
const clientRectsOf = Element.prototype.getClientRects;
const queryAll = Element.prototype.querySelectorAll;
const matchesOf = Element.prototype.matches;
const containsOf = Node.prototype.contains;
const rootNodeOf = Node.prototype.getRootNode;
const animationsOf = Element.prototype.getAnimations;
const checkVisibilityOf = Element.prototype.checkVisibility;

// A node of another document of this origin may have been met there first, and has its prototypes: `instanceof` says nothing.
/** @param {any} node of a tree, or of the path of an event @returns {node is Element} */
const isElement = (node) => !!node && node !== window && getNodeType.call(node) === 1;
/** @param {any} node @returns {node is ShadowRoot} */
const isShadowRoot = (node) => !!node && getNodeType.call(node) === 11 && 'host' in node;
/** @param {Element} el @returns {el is HTMLElement} */
const isHtml = (el) => getNamespace.call(el) === 'http://www.w3.org/1999/xhtml';

/** @param {Element} el @param {string} key @returns {string | null} */
const attr = (el, key) => getAttributeOf.call(el, key);
/** @param {Element} el @param {string} key @returns {boolean} */
const has = (el, key) => hasAttributeOf.call(el, key);
/** @param {Node} el @returns {string} */
const tagOf = (el) => getLocalName.call(el);
/** @param {Element} el @returns {boolean} */
const isEditable = (el) => isHtml(el) && getEditable.call(el);
/** The text as it is seen. @param {Element} el @returns {string} */
const seenText = (el) => (isHtml(el) ? getInnerText.call(el) : getTextContent.call(el)) || '';
/** The labels of a form control; a form has none, whatever its fields are called. @param {Element} el @returns {ArrayLike<HTMLLabelElement> & Iterable<HTMLLabelElement>} */
const labelsOf = (el) => (tagOf(el) !== 'form' && /** @type {HTMLInputElement} */ (el).labels) || [];
/** @param {Element} el @returns {DOMRect} */
const boxOf = (el) => rectOf.call(el);

/** Shadow roots that the page closed, handed to us by the browser: host → root. @type {WeakMap<Element, ShadowRoot>} */
const closedRoots = new WeakMap();

/** @param {ShadowRoot} root a root that the browser, or an element in it, led us to */
const adoptRoot = (root) => {
  if (root.mode !== 'closed' || closedRoots.has(root.host)) return;
  closedRoots.set(root.host, root);
  note(root.host);
};

/** @param {Element} el @returns {ShadowRoot | null} */
const shadowOf = (el) => getShadowRoot.call(el) || closedRoots.get(el) || null;

/**
 * The parent in the composed tree: a slotted node's is its slot, a shadow root's its host.
 * @param {Node} node
 * @returns {Element | null}
 */
const composedParent = (node) => {
  const type = getNodeType.call(node);
  const slot = type === 1 ? getAssignedSlot.call(node) : type === 3 ? /** @type {Text} */ (node).assignedSlot : null;
  if (slot) return slot;
  const parent = getParentNode.call(node);
  if (!parent) return null;
  if (isShadowRoot(parent)) return parent.host;
  return getNodeType.call(parent) === 1 ? parent : null;
};

/**
 * Whether `inner` is `outer` or stands inside it in the composed tree.
 * @param {Node | null} outer
 * @param {Node | null} inner
 */
const composedContains = (outer, inner) => {
  for (let node = inner; node; node = composedParent(node)) if (node === outer) return true;
  return false;
};

/** White space folded and trimmed. @param {string} text */
const tidy = (text) => text.replace(/\s+/g, ' ').trim();

/**
 * At most so many characters of a text; none is cut in two, and half ones that a page holds are made whole ones, since no
 * answer could carry them.
 * @param {string} text @param {number} most
 */
const short = (text, most) => (text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, '') : text).toWellFormed();

/** A set from a space-separated list. @param {string} words */
const setOf = (words) => new Set(words.split(' '));

/** How many batches of changes there were. */
let changeCount = 0;

/**
 * What a search of the whole document finds, kept until something in it changes.
 * @template T @param {() => T} search @returns {() => T}
 */
const untilChanged = (search) => {
  let at = -1;
  /** @type {T} */
  let found;
  return () => {
    if (watcher) onMutations(watcher.takeRecords());
    if (!watcher || at !== changeCount) {
      found = search();
      at = changeCount;
    }
    return found;
  };
};
