// @ts-check
// Names, by the steps of accname-1.2 (the letters in the comments are its steps).

/** Text longer than this is cut where a name is only a handle for content that is printed anyway. */
const NAME_MAX = 300;

/** @param {Element} el @param {string} ids */
const byIds = (el, ids) => {
  const root = /** @type {Document | ShadowRoot} */ (rootNodeOf.call(el));
  const found = [];
  for (const id of ids.split(/\s+/)) {
    const target = id && root.getElementById ? root.getElementById(id) : null;
    if (target) found.push(target);
  }
  return found;
};

/** @param {Element} el */
const hiddenInName = (el) => !checkVisibilityOf.call(el, { visibilityProperty: true }) && getComputedStyle(el).display !== 'contents';

/**
 * The text that an element gives to a name: its own label, or what it holds (2F), hidden parts left out unless the
 * reference itself is hidden (2A).
 * @param {Node} node
 * @param {{seen: Set<Node>, hidden: boolean, depth: number}} walk
 * @returns {string}
 */
const textFor = (node, walk) => {
  if (walk.seen.has(node) || walk.depth > 60) return '';
  const type = getNodeType.call(node);
  if (type === 3) return /** @type {Text} */ (node).data;
  if (type !== 1 && type !== 11) return '';
  walk.seen.add(node);
  const el = /** @type {Element} */ (node);
  if (type === 1) {
    const tag = tagOf(el);
    if (kindOf(tag) & NEVER && tag !== 'option') return '';
    if (!walk.hidden && hiddenInName(el)) return '';
    const label = tidy(attr(el, 'aria-label') || ''); // 2D
    if (label) return ` ${label} `;
    const embedded = embeddedValue(el, tag); // 2E
    if (embedded !== null) return ` ${embedded} `;
    if (tag === 'img' || tag === 'area') return ` ${attr(el, 'alt') || attr(el, 'title') || ''} `;
    if (tag === 'svg') return ` ${svgTitle(el)} `;
    if (tag === 'br') return ' ';
  }
  const inner = { seen: walk.seen, hidden: walk.hidden, depth: walk.depth + 1 };
  let text = '';
  for (const child of composedChildren(el)) text += textFor(child, inner);
  const inline = type === 1 && (kindOf(tagOf(el)) & INLINE) !== 0;
  if (!tidy(text) && type === 1 && has(el, 'title')) text = attr(el, 'title') || ''; // 2I
  return inline ? text : ` ${text} `;
};

/** @param {Element} el @returns {Iterable<Node>} children in the composed tree */
const composedChildren = (el) => {
  const shadow = getNodeType.call(el) === 1 ? shadowOf(el) : null;
  if (shadow) return shadow.childNodes;
  if (getNodeType.call(el) === 1 && tagOf(el) === 'slot') {
    const assigned = /** @type {HTMLSlotElement} */ (el).assignedNodes();
    if (assigned.length) return assigned;
  }
  const list = [];
  for (let child = getFirstChild.call(el); child; child = getNextSibling.call(child)) list.push(child);
  return list;
};

/** @param {Element} el @param {string} tag @returns {string | null} the value of a control inside a name */
const embeddedValue = (el, tag) => {
  if (tag === 'input') {
    const input = /** @type {HTMLInputElement} */ (el);
    if (/^(button|submit|reset|image|checkbox|radio|hidden|password|file)$/.test(input.type)) return null;
    return input.value;
  }
  if (tag === 'textarea') return /** @type {HTMLTextAreaElement} */ (el).value;
  if (tag === 'select') return [.../** @type {HTMLSelectElement} */ (el).selectedOptions].map((option) => option.label).join(' ');
  return null;
};

/** @param {Element} el */
const svgTitle = (el) => {
  for (let child = getFirstElement.call(el); child; child = getNextElement.call(child)) {
    if (tagOf(child) === 'title') return tidy(getTextContent.call(child));
  }
  return '';
};

/** @param {Element} el @returns {string} text of the labels of a form control, or '' */
const labelText = (el) => {
  const labels = labelsOf(el);
  if (!labels.length) return '';
  const parts = [];
  for (const label of labels) {
    // the control's own value is no part of its name
    parts.push(tidy(textFor(label, { seen: new Set([el]), hidden: hiddenInName(label), depth: 0 })));
  }
  return tidy(parts.join(' '));
};

/**
 * @param {Element} el
 * @param {string} tag
 * @param {string} role
 * @param {boolean} byContent whether what it holds may name it
 * @param {number} facts what its attributes say
 * @returns {string}
 */
const nameOf = (el, tag, role, byContent, facts) => {
  const labelled = (facts & LABELLED) !== 0;
  if (byContent && tag !== 'input' && (!labelled || (!has(el, 'aria-label') && !has(el, 'aria-labelledby')))) {
    const only = getFirstChild.call(el); // by far the most common: a lone text
    if (only && getNodeType.call(only) === 3 && !getNextSibling.call(only)) {
      const text = tidy(only.data);
      if (text) return text;
    }
  }
  const ids = labelled ? attr(el, 'aria-labelledby') : ''; // 2B
  if (ids) {
    const text = tidy(byIds(el, ids).map((target) => textFor(target, { seen: new Set(), hidden: hiddenInName(target), depth: 0 })).join(' '));
    if (text) return text;
  }
  const label = labelled ? tidy(attr(el, 'aria-label') || '') : ''; // 2D
  if (label) return label;
  const native = nativeName(el, tag); // 2E of 1.1, host language label
  if (native) return native;
  if (byContent) {
    const text = tidy(textFor(el, { seen: new Set(), hidden: false, depth: 0 })); // 2F
    if (text) return text;
  }
  if (!labelled) return '';
  const title = tidy(attr(el, 'title') || ''); // 2I
  if (title) return title;
  return tidy(attr(el, 'placeholder') || attr(el, 'aria-placeholder') || '');
};

/** Tags that their language names otherwise than by content. */
const NAMED_NATIVELY = setOf('input select textarea button meter progress output img area svg fieldset table figure');

/** @param {Element} el @param {string} tag */
const nativeName = (el, tag) => {
  switch (tag) {
    case 'input': {
      const input = /** @type {HTMLInputElement} */ (el);
      if (input.type === 'submit') return labelText(el) || input.value || 'Submit';
      if (input.type === 'reset') return labelText(el) || input.value || 'Reset';
      if (input.type === 'button') return labelText(el) || input.value;
      if (input.type === 'image') return labelText(el) || input.alt || input.value || 'Submit';
      return labelText(el);
    }
    case 'select':
    case 'textarea':
    case 'button':
    case 'meter':
    case 'progress':
    case 'output':
      return labelText(el);
    case 'img':
    case 'area':
      return tidy(attr(el, 'alt') || '');
    case 'svg':
      return svgTitle(el);
    case 'fieldset':
    case 'table':
    case 'figure': {
      const inner = { fieldset: 'legend', table: 'caption', figure: 'figcaption' }[tag];
      const found = [...queryAll.call(el, `:scope > ${inner}`)][0];
      return found ? tidy(textFor(found, { seen: new Set(), hidden: false, depth: 0 })) : '';
    }
    default:
      return '';
  }
};

/** The nearest hint for a control that has no name: an image's file, a `use` target, an id. @param {Element} el */
const guessName = (el) => {
  const image = [...queryAll.call(el, 'img[src],use,svg')][0];
  const from = image && (attr(image, 'src') || attr(image, 'href') || attr(image, 'xlink:href') || attr(image, 'data-icon') || '');
  const stem = from ? (/([^/#?.]+)(?:\.\w+)?(?:[?#].*)?$/.exec(from) || [])[1] : '';
  return short(tidy((stem || attr(el, 'data-icon') || attr(el, 'name') || attr(el, 'id') || '').replace(/[-_]+/g, ' ')), 60);
};
