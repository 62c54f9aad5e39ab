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

/** @param {Element} el @param {string} key @returns {string | null} */
const attr = (el, key) => getAttributeOf.call(el, key);
/** @param {Element} el @param {string} key @returns {boolean} */
const has = (el, key) => hasAttributeOf.call(el, key);
/** @param {Node} el @returns {string} */
const tagOf = (el) => getLocalName.call(el);
/** @param {Element} el @returns {boolean} */
const isEditable = (el) => el instanceof HTMLElement && getEditable.call(el);
/** The text as it is seen. @param {Element} el @returns {string} */
const seenText = (el) => (el instanceof HTMLElement ? getInnerText.call(el) : getTextContent.call(el)) || '';
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
  const slot = node instanceof Element || node instanceof Text ? (node instanceof Element ? getAssignedSlot.call(node) : node.assignedSlot) : null;
  if (slot) return slot;
  const parent = getParentNode.call(node);
  if (!parent) return null;
  if (parent instanceof ShadowRoot) return parent.host;
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
