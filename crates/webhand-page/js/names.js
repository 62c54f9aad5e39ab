// @ts-check
// Names, by the steps of accname-1.2 (the letters in the comments are its steps) and html-aam.
//
// `accessibleName` is what they say, to the letter. `nameOf` is what a walk prints: white space of all kinds folded, and
// where they give no name, what else there is that an author wrote for it. Step 2A is asked only of what is inside: a walk
// names what it has seen, or what a label that is seen drives.

/** What a computation knows on its way. `ids`: in what aria-labelledby refers to. `used`: what references before it used up. @typedef {{seen: Set<Node>, hidden: boolean, depth: number, ids?: boolean, used?: Set<Node>}} NameWalk */

/** No name goes deeper. */
const NAME_DEPTH_MAX = 60;
/** What is referred to goes on for no more characters and elements: it is printed where it stands. */
const REFERRED_LENGTH_MAX = 1000;
const REFERRED_ELEMENTS_MAX = 500;

/** @param {Element} el @param {string} ids @returns {Element[]} */
const byIds = (el, ids) => {
  // references that a script set are no ids (ARIA reflection), and may lead out of a shadow tree
  if (ids === '') return /** @type {any} */ (el).ariaLabelledByElements || [];
  const root = /** @type {Document | ShadowRoot} */ (rootNodeOf.call(el));
  const found = [];
  for (const id of ids.split(/\s+/)) {
    const target = id && root.getElementById ? root.getElementById(id) : null;
    if (target) found.push(target);
  }
  return found;
};

/** An element is shown, hides all it holds, or hides but what says otherwise for itself (visibility). */
const SHOWN = 0;
const UNSHOWN = 1;
const MAYBE_SHOWN = 2;

/** @param {Element} el */
const shownOf = (el) => {
  if (checkVisibilityOf.call(el, { visibilityProperty: true })) return SHOWN;
  const style = getComputedStyle(el);
  if (style.display === 'none') return UNSHOWN;
  if (style.visibility !== 'visible') return MAYBE_SHOWN;
  return style.display === 'contents' ? SHOWN : UNSHOWN;
};

/** @param {Element} el */
const hiddenInName = (el) => shownOf(el) !== SHOWN;

/** @param {Element} el */
const isAriaHidden = (el) => attr(el, 'aria-hidden') === 'true';

/** Whether a reference leads to what is hidden, so that all of it counts (2A). @param {Element} el */
const isHiddenTarget = (el) => {
  if (hiddenInName(el)) return true;
  for (let node = el; ;) {
    if (closestOf.call(node, '[aria-hidden=true]')) return true;
    const root = rootNodeOf.call(node);
    if (!isShadowRoot(root)) return false;
    node = root.host;
  }
};
const closestOf = Element.prototype.closest;

/**
 * The text that a node gives to the name of another.
 * @param {Node} node
 * @param {NameWalk} walk
 * @returns {string}
 */
const textFor = (node, walk) => {
  const type = getNodeType.call(node);
  if (type === 3) return walk.seen.has(node) ? '' : /** @type {Text} */ (node).data;
  if (walk.depth > NAME_DEPTH_MAX || type !== 1 || (walk.ids && walk.seen.size > REFERRED_ELEMENTS_MAX)) return '';
  const el = /** @type {Element} */ (node);
  // what was used once is not used again; what it refers to may not have been
  if (walk.seen.has(node)) return walk.depth > 0 && !walk.ids && has(el, 'aria-labelledby') ? ` ${referredText(el, walk, walk.seen)} ` : '';
  const tag = tagOf(el);
  const kind = kindOf(tag);
  if (kind & NEVER && !(tag === 'option' || tag === 'optgroup' || (tag === 'title' && walk.depth === 0))) return '';
  const bare = !hasAttributesOf.call(el);
  let shown = SHOWN;
  if (!walk.hidden) { // 2A
    if (!bare && isAriaHidden(el)) return '';
    shown = shownOf(el);
    if (shown === UNSHOWN || (walk.depth > 0 && isFaintInName(el))) return '';
  }
  walk.seen.add(node);
  if (tag === 'br') return ' ';
  if (shown === SHOWN) {
    const own = ownText(el, tag, walk, bare);
    if (own !== null) return own;
  }
  if (kind & (LEAF | FRAMING)) return bare ? '' : titleText(el);
  const text = heldText(el, tag, walk, shown);
  return !bare && shown === SHOWN && isBlank(text) ? titleText(el) : text;
};

/** 2I. @param {Element} el */
const titleText = (el) => {
  const title = attr(el, 'title');
  return isBlank(title) ? '' : ` ${title} `;
};

/**
 * The text that an element inside a name has without what it holds, or null where that is asked (2B to 2E).
 * @param {Element} el @param {string} tag @param {NameWalk} walk @param {boolean} bare it has no attributes
 * @returns {string | null}
 */
const ownText = (el, tag, walk, bare) => {
  const inner = { ...walk, depth: walk.depth + 1 };
  /** @type {string | null} */
  let value = null;
  if (!bare) {
    if (!walk.ids && has(el, 'aria-labelledby')) { // 2B
      const before = new Set(walk.seen);
      before.delete(el); // it may refer to itself
      const text = referredText(el, walk, before);
      if (!isBlank(text)) return ` ${text} `;
    }
    value = embeddedValue(el, tag, inner); // 2C
    if (value !== null && !isBlank(value)) return ` ${value} `;
    const label = tag === 'slot' ? null : attr(el, 'aria-label'); // 2D
    if (label !== null && !isBlank(label)) return ` ${label} `;
    const role = has(el, 'role') ? explicitRole(el) : '';
    if ((role === 'none' || role === 'presentation') && !isMore(el, tag)) return tag === 'img' || tag === 'area' ? '' : null;
    if (isPart(el, role, walk)) return '';
  } else if (tag === 'input' || tag === 'textarea' || tag === 'select') {
    return ` ${embeddedValue(el, tag, inner) || ''} `;
  }
  const native = nativeName(el, tag, inner);
  if (!isBlank(native)) return ` ${native} `;
  // a control that is set to nothing is not told by what may be set
  return value === null ? null : titleText(el);
};

/** Whether it is the inner level of a tree or menu: the items in it are no words of the item that opens it. @param {Element} el @param {string} role @param {NameWalk} walk */
const isPart = (el, role, walk) => {
  if (walk.depth === 0 || !(role === 'group' || role === 'menu' || role === 'tree')) return false;
  let around = composedParent(el);
  for (let left = 8; around && left > 0 && !has(around, 'role'); left--) around = composedParent(around);
  return around !== null && /^(treeitem|menuitem|menuitemcheckbox|menuitemradio)$/.test(explicitRole(around));
};

/**
 * What an element holds (2F to 2H): words of style sheets, and what its children give, apart where they stand apart.
 * @param {Element} el @param {string} tag @param {NameWalk} walk @param {number} shown
 * @returns {string}
 */
const heldText = (el, tag, walk, shown) => {
  const inner = { ...walk, depth: walk.depth + 1 };
  const written = shown === SHOWN ? writtenInto(el) : 0;
  if ((written & WITHHELD || withholds(el)) && !walk.hidden && getComputedStyle(el).contentVisibility === 'hidden') return '';
  let text = written & BEFORE ? generatedText(el, '::before') : '';
  /** Elements since the last words. @type {Element[]} */
  let edges = [];
  for (const child of heldNodes(el, tag)) {
    const isText = getNodeType.call(child) === 3;
    if (isText && shown === MAYBE_SHOWN) continue;
    const more = textFor(child, inner);
    if (!isText && edges.length < 8) edges.push(/** @type {Element} */ (child));
    if (more === '') continue;
    text += isApart(text, more, edges) ? ` ${more}` : more;
    edges = isText ? [] : [/** @type {Element} */ (child)];
    if (walk.ids && text.length > REFERRED_LENGTH_MAX) break;
  }
  for (const owned of ownedBy(el)) text += ` ${textFor(owned, inner)}`;
  return written & AFTER ? text + generatedText(el, '::after') : text;
};

/** Whether its own style may withhold what it holds. @param {Element} el */
const withholds = (el) => has(el, 'style') && /content-visibility/i.test(attr(el, 'style') || '');

/** Whether two texts stand apart on the page though nothing parts them as they are written: at the edge of a block. @param {string} text @param {string} more @param {Element[]} edges what stands between */
const isApart = (text, more, edges) => {
  if (edges.length === 0 || text === '' || SPACE_LAST.test(text) || SPACE_FIRST.test(more)) return false;
  return edges.some((edge) => getNodeType.call(edge) === 1 && standsApart(edge, 0));
};

/** Whether it begins or ends a line of its own, or what it holds does. @param {Element} el @param {number} depth @returns {boolean} */
const standsApart = (el, depth) => {
  const display = getComputedStyle(el).display;
  if (display === 'none') return false;
  if ((layoutOf(display) & RUNS) === 0) return true;
  if (depth > 3) return false;
  for (const child of heldNodes(el, tagOf(el))) if (getNodeType.call(child) === 1 && standsApart(/** @type {Element} */ (child), depth + 1)) return true;
  return false;
};
const SPACE_LAST = /[ \t\n\f\r]$/;
const SPACE_FIRST = /^[ \t\n\f\r]/;

/** @param {Element} el @param {string} tag @returns {Iterable<Node>} what it holds as it is seen */
const heldNodes = (el, tag) => {
  const shadow = shadowOf(el);
  if (shadow) return shadow.childNodes;
  if (tag === 'slot') {
    const assigned = /** @type {HTMLSlotElement} */ (el).assignedNodes();
    if (assigned.length) return assigned;
  }
  const folded = tag === 'details' && !(/** @type {HTMLDetailsElement} */ (el).open);
  const list = [];
  for (let child = getFirstChild.call(el); child; child = getNextSibling.call(child)) {
    if (folded ? getNodeType.call(child) === 1 && isSummary(/** @type {Element} */ (child)) : !isOwnedElsewhere(child, el)) list.push(child);
  }
  return list;
};

/** What it owns without holding it, whoever holds it. @param {Element} el @returns {Element[]} */
const ownedBy = (el) => {
  const ids = attr(el, 'aria-owns');
  return ids ? byIds(el, ids).filter((owned) => !containsOf.call(owned, el)) : [];
};

/** Elements that others own, and who does. Asked for where something that has an id is part of a name. */
const owners = untilChanged(() => {
  /** @type {Map<Element, Element>} */
  const owned = new Map();
  for (const owner of document.querySelectorAll('[aria-owns]')) for (const el of byIds(owner, attr(owner, 'aria-owns') || ' ')) owned.set(el, owner);
  return owned;
});

/** @param {Node} node @param {Element} parent */
const isOwnedElsewhere = (node, parent) => {
  if (getNodeType.call(node) !== 1 || !has(/** @type {Element} */ (node), 'id')) return false;
  const owner = owners().get(/** @type {Element} */ (node));
  return owner !== undefined && owner !== parent;
};

/**
 * The texts of what aria-labelledby refers to (2B). Each may use what another has used; what holds them may not use it again.
 * @param {Element} el @param {NameWalk} walk @param {Set<Node>} before what was used before
 */
const referredText = (el, walk, before) => {
  const texts = [];
  for (const target of byIds(el, attr(el, 'aria-labelledby') || '')) {
    const seen = new Set(before);
    texts.push(textFor(target, { seen, hidden: isHiddenTarget(target), depth: walk.depth, ids: true, used: walk.seen }));
    for (const node of seen) walk.seen.add(node);
  }
  return texts.join(' ');
};

/**
 * The value of a control inside a name that a person can set (2C), or null where it is none or says nothing.
 * @param {Element} el @param {string} tag @param {NameWalk} walk @returns {string | null}
 */
const embeddedValue = (el, tag, walk) => {
  switch (has(el, 'role') ? explicitRole(el) || nativeRole(el, tag) : /^(input|textarea|select)$/.test(tag) ? nativeRole(el, tag) : '') {
    case 'textbox':
    case 'searchbox':
    case 'date':
      return fieldValue(el, tag) ?? heldText(el, tag, walk, SHOWN);
    case 'combobox':
    case 'listbox':
      return chosenText(el, tag, walk);
    case 'slider':
    case 'spinbutton':
    case 'scrollbar':
      return attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow') || fieldValue(el, tag);
    default:
      return null;
  }
};

/** The value of a field; a secret has none. @param {Element} el @param {string} tag @returns {string | null} */
const fieldValue = (el, tag) => {
  if (tag !== 'input' && tag !== 'textarea') return null;
  return isSecret(el) ? '' : /** @type {HTMLInputElement} */ (el).value;
};

/** @param {Element} el @param {string} tag @param {NameWalk} walk @returns {string} what is chosen in a list */
const chosenText = (el, tag, walk) => {
  if (tag === 'select') return [.../** @type {HTMLSelectElement} */ (el).selectedOptions].map((option) => option.label).join(' ');
  const value = fieldValue(el, tag);
  if (value !== null) return value;
  const within = [el, ...byIds(el, attr(el, 'aria-controls') || attr(el, 'aria-owns') || ' ')];
  const chosen = within.flatMap((list) => [...queryAll.call(list, '[role=option][aria-selected=true]')]);
  if (chosen.length) return chosen.map((option) => textFor(option, { ...walk, seen: new Set() })).join(' ');
  if (attr(el, 'role') !== 'combobox') return '';
  const field = [...queryAll.call(el, 'input,textarea')][0];
  return (field && fieldValue(field, tagOf(field))) ?? heldText(el, tag, walk, SHOWN);
};

/** @param {Element} el */
const svgTitle = (el) => {
  for (let child = getFirstElement.call(el); child; child = getNextElement.call(child)) {
    if (tagOf(child) === 'title') return tidy(getTextContent.call(child));
  }
  return '';
};

/**
 * @param {Element} el @param {NameWalk | null} walk the computation that this is part of
 * @param {boolean} hidden whether labels that are hidden name it, too
 * @returns {string} text of the labels of a form control, or ''
 */
const labelText = (el, walk, hidden) => {
  const parts = [];
  for (const label of labelsOf(el)) {
    const unseen = isHiddenTarget(label);
    // html-aam: a label that is hidden names nothing
    if (unseen !== hidden || walk?.used?.has(label)) continue;
    // the control's own value is no part of its name
    const seen = walk ? walk.seen : new Set([/** @type {Node} */ (el)]);
    parts.push(textFor(label, { seen, hidden, depth: walk ? walk.depth : 0 }));
  }
  return parts.join(' ');
};

/**
 * What its language says that names an element, other than its content (2E).
 * @param {Element} el @param {string} tag @param {NameWalk | null} [walk] where it is part of another name
 * @returns {string}
 */
const nativeName = (el, tag, walk = null) => {
  switch (tag) {
    case 'input':
      return inputName(/** @type {HTMLInputElement} */ (el), walk);
    case 'select':
    case 'textarea':
    case 'button':
    case 'meter':
    case 'progress':
    case 'output':
      return labelText(el, walk, false);
    case 'img':
    case 'area':
      return has(el, 'alt') ? attr(el, 'alt') || '' : tag === 'img' ? imageName(el) : '';
    case 'option':
      return /** @type {HTMLOptionElement} */ (el).label;
    case 'optgroup':
      return attr(el, 'label') || '';
    case 'fieldset':
      return firstText(el, 'legend', walk);
    case 'table':
      return firstText(el, 'caption', walk);
    case 'math':
      return attr(el, 'alttext') || '';
    case 'svg':
      return svgTitle(el);
    default:
      if (!isHtml(el)) return svgTitle(el) || attr(el, 'xlink:title') || '';
      // form-associated custom elements have labels, too
      return tag.includes('-') && !walk ? customLabelText(el) : '';
  }
};

/** Tags that their language names otherwise than by content. */
const NAMED_NATIVELY = setOf('input select textarea button meter progress output img area svg fieldset table optgroup math');

/** @param {HTMLInputElement} input @param {NameWalk | null} walk */
const inputName = (input, walk) => {
  if (input.type === 'hidden') return '';
  const label = labelText(input, walk, false);
  if (!isBlank(label)) return label;
  switch (input.type) {
    case 'submit':
      return has(input, 'value') ? input.value : 'Submit';
    case 'reset':
      return has(input, 'value') ? input.value : 'Reset';
    case 'button':
      return input.value;
    case 'image':
      // html-aam: the word for it comes last
      return [attr(input, 'alt'), attr(input, 'title'), 'Submit'].find((text) => !isBlank(text)) || '';
    default:
      return '';
  }
};

/** The text of the first child of that tag. @param {Element} el @param {string} tag @param {NameWalk | null} walk */
const firstText = (el, tag, walk) => {
  for (let child = getFirstElement.call(el); child; child = getNextElement.call(child)) {
    if (tagOf(child) === tag) return textFor(child, walk || { seen: new Set(), hidden: false, depth: 0 });
  }
  return '';
};

/** A picture without alt, alone in a figure, is named by the caption. @param {Element} el */
const imageName = (el) => {
  if (!isBlank(attr(el, 'title'))) return attr(el, 'title') || '';
  const figure = closestOf.call(el, 'figure');
  const caption = figure && [...queryAll.call(figure, ':scope > figcaption')][0];
  if (!caption) return '';
  const rest = tidy(getTextContent.call(figure)).length - tidy(getTextContent.call(caption)).length;
  const alone = rest <= 0 && queryAll.call(figure, 'img,svg,video,audio,iframe,object,embed,canvas,input,select,textarea,button').length === 1;
  return alone ? textFor(caption, { seen: new Set(), hidden: false, depth: 0 }) : '';
};

/** Labels by what they are for, by root. Good for one turn. */
const labelsById = forThisTurn(() => new Map());

/** @param {Document | ShadowRoot} root @returns {Map<string, HTMLLabelElement[]>} */
const labelsIn = (root) => {
  let labels = labelsById().get(root);
  if (labels === undefined) {
    labels = Map.groupBy(root.querySelectorAll ? root.querySelectorAll('label[for]') : [], (label) => attr(label, 'for') || '');
    labelsById().set(root, labels);
  }
  return labels;
};

/** @param {Element} el a custom element, whose class alone knows its labels */
const customLabelText = (el) => {
  const labels = [.../** @type {HTMLLabelElement[]} */ (labelsIn(/** @type {Document | ShadowRoot} */ (rootNodeOf.call(el))).get(attr(el, 'id') || '') || [])];
  const around = /** @type {HTMLLabelElement | null} */ (closestOf.call(el, 'label'));
  if (around && !has(around, 'for')) labels.unshift(around);
  const driving = labels.filter((label) => label.control === el && !isHiddenTarget(label));
  return driving.map((label) => textFor(label, { seen: new Set([/** @type {Node} */ (el)]), hidden: false, depth: 0 })).join(' ');
};

/** Whether it shows a placeholder where it is empty. @param {Element} el @param {string} tag */
const placeholderOf = (el, tag) => (tag === 'input' || tag === 'textarea' ? attr(el, 'placeholder') : null) || attr(el, 'aria-placeholder') || '';

/**
 * The steps for the element that is to be named.
 * @param {Element} el @param {string} tag @param {boolean} byContent whether what it holds may name it
 * @param {boolean} labelled whether its attributes may name it
 * @returns {string} with its white space as it is
 */
const computedName = (el, tag, byContent, labelled) => {
  const walk = { seen: new Set([/** @type {Node} */ (el)]), hidden: false, depth: 0 };
  if (labelled) {
    const text = has(el, 'aria-labelledby') ? referredText(el, { ...walk, seen: new Set() }, new Set()) : ''; // 2B
    if (!isBlank(text)) return text;
    const label = attr(el, 'aria-label'); // 2D
    if (label !== null && !isBlank(label)) return label;
  }
  const native = nativeName(el, tag); // 2E
  if (!isBlank(native)) return native;
  if (byContent) {
    const text = heldText(el, tag, walk, SHOWN).trim(); // 2F
    if (text !== '') return text;
  }
  if (!labelled) return '';
  const title = attr(el, 'title'); // 2I
  return title === null || isBlank(title) ? placeholderOf(el, tag) : title;
};

/**
 * What the specifications say, to the letter: nothing where it is hidden (2A), no-break spaces kept.
 * @param {Element} el @param {string} tag @param {string} role see ariaRole
 */
const accessibleName = (el, tag, role) => {
  // these have no box of their own where they are seen
  if (tag !== 'option' && tag !== 'optgroup' && tag !== 'area' && isHiddenTarget(el)) return '';
  const name = computedName(el, tag, role !== 'generic' && NAMED_BY_CONTENT.has(role), true);
  return name.replace(/[ \t\n\f\r]+/g, ' ').replace(/^ | $/g, '');
};

/**
 * What a walk calls an element.
 * @param {Element} el
 * @param {string} tag
 * @param {string} role
 * @param {boolean} byContent whether what it holds may name it
 * @param {number} facts what its attributes say
 * @returns {string}
 */
const nameOf = (el, tag, role, byContent, facts) => {
  const labelled = (facts & LABELLED) !== 0;
  if (labelled && byContent && role === 'generic') {
    // what it holds names it only where nothing else does
    const name = tidy(computedName(el, tag, false, true));
    if (name) return name;
  }
  if (byContent && tag !== 'input' && !(facts & OWN_STYLE && withholds(el)) && (!labelled || (!has(el, 'aria-label') && !has(el, 'aria-labelledby')))) {
    const only = getFirstChild.call(el); // by far the most common: a lone text
    if (only && getNodeType.call(only) === 3 && !getNextSibling.call(only) && writtenInto(el) === 0) {
      const text = tidy(only.data);
      if (text) return text;
    }
  }
  // accname would have a label name it that is hidden, html-aam would not: it serves where nothing else does
  return tidy(computedName(el, tag, byContent, labelled)) || (kindOf(tag) & NATIVE ? tidy(labelText(el, null, true)) : '');
};
