// @ts-check
// The markup of what can be seen, without what serves only the browser: scripts, styles, comments, handlers, pictures drawn in
// place. Shadow trees stand where they are seen. What a field holds is told, but never a secret.

const LEFT_OUT = setOf('script style noscript template link meta base head title object embed param source track');
const IN_LINE = setOf('a abbr b bdi bdo br button cite code data del dfn em i img input ins kbd label mark meter output progress q s samp select slot small span strong sub sup '
  + 'svg time u var wbr');
const EMPTY_TAGS = setOf('area br col hr img input wbr');
/** Attributes that say what an element is; beside them, aria-* and data-*. */
const TOLD_ATTRIBUTES = setOf('id class name type href src alt title for placeholder role action method colspan rowspan scope headers lang dir start datetime '
  + 'min max step maxlength pattern required readonly disabled multiple open tabindex contenteditable autocomplete srcdoc label');
/** The longest value of an attribute. */
const LONGEST_ATTRIBUTE = 300;
/** Deeper markup is left out. */
const DEEPEST_MARKUP = 400;

/** @param {string} text */
const escapeText = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** @param {string} value */
const attributeValue = (value) => {
  const plain = /^data:/i.test(value) && value.length > 60 ? `${value.slice(0, 24)}…` : short(value, LONGEST_ATTRIBUTE) + (value.length > LONGEST_ATTRIBUTE ? '…' : '');
  return plain.replace(/&/g, '&amp;').replace(/"/g, '&quot;').toWellFormed();
};

/** @param {Element} el @param {string} tag @returns {string} its attributes, as they are worth telling, with live values */
const attributesText = (el, tag) => {
  let text = '';
  const field = /** @type {HTMLInputElement} */ (el);
  for (const key of attributeNamesOf.call(el)) {
    if (!(TOLD_ATTRIBUTES.has(key) || /^(aria|data)-[\w-]+$/.test(key)) || key === 'srcdoc') continue;
    const value = attr(el, key) || '';
    text += value === '' ? ` ${key}` : ` ${key}="${attributeValue(value)}"`;
  }
  if (tag === 'input') {
    if (/^(checkbox|radio)$/.test(field.type)) text += (has(el, 'value') ? ` value="${attributeValue(field.value)}"` : '') + (field.checked ? ' checked' : '');
    else if (!isSecret(field) && field.value) text += ` value="${attributeValue(field.value)}"`;
  } else if (tag === 'option') {
    const option = /** @type {HTMLOptionElement} */ (el);
    text += (has(el, 'value') ? ` value="${attributeValue(option.value)}"` : '') + (option.selected ? ' selected' : '');
  }
  return text;
};

/** Whether a person can see it or something in it. @param {Element} el @param {string} tag */
const isTold = (el, tag) => tag === 'option' || tag === 'optgroup' || tag === 'area' || checkVisibilityOf.call(el, { opacityProperty: true })
  || getComputedStyle(el).display === 'contents';

/** Whether the text right in an element can be read. @param {Element} el */
const isReadable = (el) => getComputedStyle(el).visibility === 'visible' && !faintAround(el);

/**
 * @param {number} id of an element; 0 for the whole document @param {number} most characters
 * @returns {{html: string, cut: boolean} | null} null where the element is gone
 */
const htmlOf = (id, most) => {
  const root = id ? elementOf(id) : document.body || document.documentElement;
  if (!root || !getIsConnected.call(root)) return null;
  /** @type {string[]} */
  const parts = [];
  let length = 0;
  let cut = false;
  let fresh = true; // whether a line begins here
  const put = (/** @type {string} */ text) => {
    if (length + text.length > most) cut = true;
    else {
      parts.push(text);
      length += text.length;
      fresh = text.endsWith('\n');
    }
  };
  const line = () => {
    if (!fresh) put('\n');
  };
  const write = (/** @type {Node} */ node, /** @type {number} */ depth, /** @type {boolean} */ readable) => {
    if (cut) return;
    const type = getNodeType.call(node);
    if (type === 3) {
      const text = /** @type {Text} */ (node).data.replace(/\s+/g, ' ');
      if (readable && (text !== ' ' || !fresh)) put(escapeText(fresh ? text.trimStart() : text).toWellFormed());
      return;
    }
    if (type !== 1) return;
    const el = /** @type {Element} */ (node);
    const tag = tagOf(el);
    if (LEFT_OUT.has(tag) || !isTold(el, tag)) return;
    if (depth > DEEPEST_MARKUP) {
      cut = true;
      return;
    }
    const block = !IN_LINE.has(tag);
    if (block) line();
    put(`<${tag}${attributesText(el, tag)}>`);
    if (!EMPTY_TAGS.has(tag)) {
      if (tag === 'textarea') put(isSecret(/** @type {any} */ (el)) ? '' : escapeText(/** @type {HTMLTextAreaElement} */ (el).value).toWellFormed());
      else if (!/^(svg|canvas|iframe|frame|video|audio)$/.test(tag)) inside(el, depth + 1);
      put(`</${tag}>`);
    }
    if (block) line();
  };
  const inside = (/** @type {Element} */ el, /** @type {number} */ depth) => {
    const shadow = shadowOf(el);
    const slotted = tagOf(el) === 'slot' ? /** @type {HTMLSlotElement} */ (el).assignedNodes() : [];
    const readable = isReadable(el);
    if (slotted.length > 0) for (const node of slotted) write(node, depth, readable);
    else for (let node = getFirstChild.call(shadow || el); node; node = getNextSibling.call(node)) write(node, depth, readable);
  };
  write(root, 0, true);
  return { html: parts.join(''), cut };
};
