// @ts-check
// Finding a text as a person reads it: across inline elements, slots and shadow roots, whatever its quotes and spaces; only
// where it can be seen.

/** What stands for what: typographic signs for those of a keyboard. */
const SIGNS = new Map(Object.entries({ '\u2018': "'", '\u2019': "'", '\u201a': "'", '\u201b': "'", '\u02bc': "'", '\u2032': "'", '\u00b4': "'", '`': "'", '\u201c': '"', '\u201d': '"', '\u201e': '"', '\u201f': '"', '\u2033': '"',
  '\u00ab': '"', '\u00bb': '"', '\u2010': '-', '\u2011': '-', '\u2012': '-', '\u2013': '-', '\u2014': '-', '\u2212': '-', '\u2026': '...' }));
/** Signs that nobody sees. */
const UNSEEN = /[\u00ad\u200b-\u200f\u2060\ufeff]/;

/**
 * One sign of a text as it is compared: lower case, plain quotes, nothing for what is not seen; a space for white space.
 * @param {string} sign
 */
const plainSign = (sign) => {
  if (sign >= 'a' && sign <= 'z') return sign;
  if (/\s/.test(sign)) return ' ';
  if (UNSEEN.test(sign)) return '';
  return SIGNS.get(sign) || sign.toLowerCase();
};

/** @param {string} text @returns {string} the same, as it is compared */
const comparedText = (text) => {
  let plain = '';
  for (const sign of text) {
    const next = plainSign(sign);
    if (next !== ' ' || (plain !== '' && !plain.endsWith(' '))) plain += next;
  }
  return plain.trimEnd();
};

/**
 * The text of what is drawn, piece by piece, as it is compared.
 * @typedef {{at: number, node: Text | Element}} Piece where it begins, and whose text it is
 */
class Reading {
  constructor() {
    this.text = '';
    /** @type {Piece[]} */
    this.pieces = [];
    this.left = 2_000_000;
  }

  /** A gap between blocks. */
  gap() {
    if (this.text !== '' && !this.text.endsWith(' ')) this.text += ' ';
  }

  /** @param {Text | Element} node @param {string} text */
  add(node, text) {
    if (text === '') return;
    this.pieces.push({ at: this.text.length, node });
    for (const sign of text) {
      const next = plainSign(sign);
      if (next !== ' ') this.text += next;
      else this.gap();
    }
  }

  /** @param {Node} root whose drawn text is read @param {boolean} shown whether what is around it is visible */
  read(root, shown) {
    /** @type {{next: Node | null, shown: boolean, block: boolean, rest: Node[]}[]} */
    const stack = [{ next: getFirstChild.call(root), shown, block: true, rest: [] }];
    while (stack.length > 0 && this.left-- > 0) {
      const level = stack[stack.length - 1];
      const node = level.next || level.rest.shift() || null;
      if (!node) {
        stack.pop();
        if (level.block) this.gap();
        continue;
      }
      level.next = level.next ? getNextSibling.call(node) : null;
      const type = getNodeType.call(node);
      if (type === 3) {
        if (level.shown) this.add(/** @type {Text} */ (node), /** @type {Text} */ (node).data);
      } else if (type === 1) {
        const inner = this.enter(/** @type {Element} */ (node));
        if (inner) stack.push(inner);
      }
    }
  }

  /** @param {Element} el */
  enter(el) {
    const tag = tagOf(el);
    if (tag === 'br' || tag === 'wbr') {
      if (tag === 'br') this.gap();
      return null;
    }
    const kind = kindOf(tag);
    if (kind & NEVER || kind & FRAMING) return null;
    const style = getComputedStyle(el);
    const display = style.display;
    if (display === 'none' || style.contentVisibility === 'hidden' || Number(style.opacity) < 0.02) return null;
    const shown = style.visibility === 'visible' && !isTiny(el, style, display);
    const block = display !== 'contents' && !/^(inline|ruby)/.test(display) || /^inline-/.test(display);
    if (block) this.gap();
    if (kind & LEAF || tag === 'input' || tag === 'textarea' || tag === 'select') {
      if (shown) this.add(el, shownValue(el, tag));
      if (block) this.gap();
      return null;
    }
    const shadow = shadowOf(el);
    if (shadow) return { next: getFirstChild.call(shadow), shown, block, rest: [] };
    if (tag === 'slot') {
      const assigned = /** @type {HTMLSlotElement} */ (el).assignedNodes();
      if (assigned.length > 0) return { next: null, shown, block, rest: assigned };
    }
    if (tag === 'details' && !/** @type {HTMLDetailsElement} */ (el).open) {
      const summary = [...el.children].find((child) => tagOf(child) === 'summary');
      return { next: null, shown, block, rest: summary ? [summary] : [] };
    }
    return { next: getFirstChild.call(el), shown, block, rest: [] };
  }
}

/** Whether a box shows nothing of what is in it: hidden for all but a reader's voice. @param {Element} el @param {CSSStyleDeclaration} style @param {string} display */
const isTiny = (el, style, display) => {
  if (display === 'contents' || display === 'inline') return false;
  const cut = style.overflowX !== 'visible' || style.overflowY !== 'visible' || style.clipPath !== 'none' || style.clip !== 'auto';
  if (!cut) return false;
  const box = boxOf(el);
  return box.width <= 1 || box.height <= 1 || cutAway(style, box);
};

/** What a field shows. @param {Element} el @param {string} tag @returns {string} */
const shownValue = (el, tag) => {
  if (tag === 'textarea') return /** @type {HTMLTextAreaElement} */ (el).value || attr(el, 'placeholder') || '';
  if (tag === 'select') return [.../** @type {HTMLSelectElement} */ (el).selectedOptions].map((option) => option.label).join(' ');
  if (tag !== 'input') return '';
  const field = /** @type {HTMLInputElement} */ (el);
  if (/^(password|hidden|checkbox|radio|file|image|range|color)$/.test(field.type)) return '';
  return field.value || attr(el, 'placeholder') || (/^(submit|reset)$/.test(field.type) && field.type) || '';
};

/** Whether a box lies where somebody could see it: not left of or above where the page begins. @param {DOMRect} box */
const isSomewhere = (box) => box.width > 0 && box.height > 0 && box.right + scrollX > 0 && box.bottom + scrollY > 0;

/** Where in a text, as many of its signs make so much of it as it is compared. @param {string} text @param {number} plain */
const signAt = (text, plain) => {
  let at = 0;
  let made = 0;
  let spaced = false;
  for (const sign of text) {
    const next = plainSign(sign);
    const adds = next === ' ' ? (spaced ? 0 : 1) : next.length;
    if (made + adds > plain) return at;
    made += adds;
    spaced = next === ' ' || (next === '' && spaced);
    at += sign.length;
  }
  return at;
};

/**
 * Where a text is shown in this document.
 * @typedef {{el: Element, boxes: () => DOMRect[]}} TextPlace the innermost element around its beginning, and where it is drawn
 * @param {string} text
 * @param {number} most
 * @returns {TextPlace[]} in the order of the document
 */
const placesOfText = (text, most) => {
  const wanted = comparedText(text);
  if (!wanted || !document.body || !isFrameShown()) return [];
  const reading = new Reading();
  reading.read(document.body, getComputedStyle(document.body).visibility === 'visible');
  const places = [];
  for (let at = reading.text.indexOf(wanted); at >= 0 && places.length < most; at = reading.text.indexOf(wanted, at + wanted.length)) {
    const place = placeAt(reading, at, at + wanted.length);
    if (place) places.push(place);
  }
  return places;
};

/** @param {Reading} reading @param {number} from @param {number} to @returns {TextPlace | null} where it is drawn, if it is */
const placeAt = (reading, from, to) => {
  let first = 0;
  for (let low = 0, high = reading.pieces.length; low < high;) {
    const middle = (low + high) >> 1;
    if (reading.pieces[middle].at <= from) {
      first = middle;
      low = middle + 1;
    } else high = middle;
  }
  /** @type {(() => DOMRect[])[]} */
  const parts = [];
  for (let i = first; i < reading.pieces.length && reading.pieces[i].at < to; i++) {
    const { at, node } = reading.pieces[i];
    if (getNodeType.call(node) === 1) {
      parts.push(() => [boxOf(/** @type {Element} */ (node))]);
      continue;
    }
    const data = /** @type {Text} */ (node).data;
    const start = signAt(data, Math.max(0, from - at));
    const end = Math.max(start, signAt(data, to - at));
    parts.push(() => {
      const range = document.createRange();
      range.setStart(node, Math.min(start, /** @type {Text} */ (node).length));
      range.setEnd(node, Math.min(end, /** @type {Text} */ (node).length));
      return [...range.getClientRects()];
    });
  }
  const boxes = () => parts.flatMap((part) => part()).filter((box) => box.width > 0 && box.height > 0);
  const node = reading.pieces[first].node;
  const el = getNodeType.call(node) === 1 ? /** @type {Element} */ (node) : composedParent(node);
  return el && boxes().some((box) => isSomewhere(box) && !isCutFrom(el, box)) ? { el, boxes } : null;
};

/** Whether something around an element hides a box of it that no scrolling of a person brings forth. @param {Element} el @param {DOMRect} box */
const isCutFrom = (el, box) => {
  let { left, right, top, bottom } = box;
  for (let node = /** @type {Element | null} */ (el); node && node !== document.body; node = composedParent(node)) {
    const style = getComputedStyle(node);
    if (style.display === 'inline' || style.display === 'contents' || (style.overflowX === 'visible' && style.overflowY === 'visible')) continue;
    const port = boxOf(node);
    // what can be scrolled to shows where the scroller stands
    if (/auto|scroll/.test(style.overflowX)) ({ left, right } = port);
    else if (style.overflowX !== 'visible' && (right <= port.left || left >= port.right)) return true;
    if (/auto|scroll/.test(style.overflowY)) ({ top, bottom } = port);
    else if (style.overflowY !== 'visible' && (bottom <= port.top || top >= port.bottom)) return true;
  }
  return false;
};

/** Whether the frames around this document show it, as far as they can be asked. */
const isFrameShown = () => {
  if (innerWidth === 0 || innerHeight === 0) return window === window.top;
  for (let view = /** @type {any} */ (window); view !== view.parent; view = view.parent) {
    const frame = view.frameElement; // null where the parent is of another origin
    if (!frame) return true;
    if (!frame.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  }
  return true;
};
