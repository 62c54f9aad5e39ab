// @ts-check
// Text that nobody can read: of the colour of its opaque background, transparent, or smaller than 3 pixels. It is the usual
// way to put words before a machine that a person does not see.
//
// To look at the colours of every element would cost more than the walk. Looked at are those for which a rule declares an ink
// that some rule also declares as a ground (or the other way round), or tiny letters; and attributes of their own. The
// verdicts are made anew with each read of the document and hold until the next: what an element is called must not depend on
// where it is asked from.

/** Elements of which the last read said that their own text cannot be read, or that it can though that around it cannot. @type {Map<Element, boolean>} */
let faintness = new Map();

/** Least size of letters, CSS pixels. */
const LEAST_LETTERS = 3;
/** More selectors than this are looked up with the first read of a document only. */
const TINTS_MAX = 80;
/** So many elements are looked at in one read. */
const TINTED_MAX = 3000;

/** Whether the last read said that the text of an element cannot be read. @param {Element} el */
const isFaint = (el) => faintness.size > 0 && faintness.get(el) === true;

/** The same for an element in the middle of a name: its own style is looked at, too. @param {Element} el */
const isFaintInName = (el) => isFaint(el) || (has(el, 'style') && TINT_TEXT.test(attr(el, 'style') || '') && looksFaint(el));

/** What the nearest element with a verdict says. @param {Element | null} el */
const faintAround = (el) => {
  if (faintness.size === 0) return false;
  for (let node = el; node; node = composedParent(node)) {
    const verdict = faintness.get(node);
    if (verdict !== undefined) return verdict;
  }
  return false;
};

/** Declarations of its own that may hide an element's text. */
const TINT_TEXT = /color|background|font/i;

/** @typedef {{selector: string, ink: string, ground: string, tiny: boolean}} Tint */

/** What a sheet says of colours and letters, by the number of its rules. @type {WeakMap<CSSStyleSheet, {count: number, tints: Tint[]}>} */
const tintsBySheet = new WeakMap();

/** @param {CSSStyleSheet} sheet @returns {Tint[]} */
const tintsOf = (sheet) => {
  try {
    const known = tintsBySheet.get(sheet);
    if (known && known.count === sheet.cssRules.length) return known.tints;
    /** @type {Tint[]} */
    const tints = [];
    collectTints(sheet.cssRules, tints, 0);
    tintsBySheet.set(sheet, { count: sheet.cssRules.length, tints });
    return tints;
  } catch {
    return []; // of another origin
  }
};

/** @param {CSSRuleList} rules @param {Tint[]} tints @param {number} depth */
const collectTints = (rules, tints, depth) => {
  for (let i = 0; i < rules.length; i++) {
    const rule = /** @type {any} */ (rules[i]);
    if (rule.selectorText !== undefined && rule.style) addTint(rule.selectorText, rule.style, tints);
    else if (rule.styleSheet) tints.push(...tintsOf(rule.styleSheet));
    if (rule.cssRules && depth < 20 && rule.selectorText === undefined) collectTints(rule.cssRules, tints, depth + 1);
  }
};

/** @param {string} selector @param {CSSStyleDeclaration} style @param {Tint[]} tints */
const addTint = (selector, style, tints) => {
  const ink = style.getPropertyValue('color');
  const ground = style.getPropertyValue('background-color');
  const size = style.getPropertyValue('font-size');
  const tiny = /^[\d.]+(px|pt|em|%)?$/.test(size) && parseFloat(size) < (/em$/.test(size) ? 0.25 : size.endsWith('%') ? 25 : LEAST_LETTERS);
  if (ink !== '' || ground !== '' || tiny) tints.push({ selector, ink: plainColour(ink), ground: plainColour(ground), tiny });
};

/** Colours in one spelling, looked up once each. @type {Map<string, string>} */
const colours = new Map([['', '']]);
const palette = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(1, 1).getContext('2d'));

/** A colour in one spelling; '' where it cannot be told from the rule alone. @param {string} text */
const plainColour = (text) => {
  let colour = colours.get(text);
  if (colour === undefined) {
    const root = getComputedStyle(document.documentElement);
    const resolved = text.replace(/var\((--[\w-]+)[^)]*\)/, (_, name) => root.getPropertyValue(name).trim());
    palette.fillStyle = '#010203';
    palette.fillStyle = resolved;
    colour = palette.fillStyle === '#010203' ? '' : String(palette.fillStyle);
    if (colours.size < 2000) colours.set(text, colour);
  }
  return colour;
};

/** The selectors of rules that may hide a text. @param {Tint[]} tints @returns {string[]} */
const hidingSelectors = (tints) => {
  const inks = new Set(['#000000']);
  const grounds = new Set(['#ffffff']);
  for (const tint of tints) {
    if (tint.ink) inks.add(tint.ink);
    if (tint.ground) grounds.add(tint.ground);
  }
  const hides = (/** @type {Tint} */ { ink, ground, tiny }) => tiny || (ink !== '' && (grounds.has(ink) || /^rgba\(.*, 0\)$/.test(ink))) || (ground !== '' && inks.has(ground));
  return [...new Set(tints.filter(hides).map((tint) => tint.selector))];
};

/** What was worked out for a root, by its sheets. @type {WeakMap<Node, {sheets: string, selectors: string[], tinted: Element[]}>} */
const tintedRoots = new WeakMap();

/**
 * Says which texts of a document or root cannot be read, and marks their elements.
 * @param {Document | ShadowRoot} root @param {Walk} walk
 */
const findFaint = (root, walk) => {
  const sheets = [...root.styleSheets, ...(root.adoptedStyleSheets || [])].filter((sheet) => !sheet.disabled);
  const tints = sheets.map(tintsOf);
  const stamp = tints.map((list) => list.length).join();
  let known = tintedRoots.get(root);
  if (!known || known.sheets !== stamp) {
    known = { sheets: stamp, selectors: hidingSelectors(tints.flat()), tinted: [] };
    if (known.selectors.length > TINTS_MAX) known.tinted = matchesIn(root, known.selectors);
    tintedRoots.set(root, known);
  }
  const tinted = known.selectors.length > TINTS_MAX ? known.tinted : matchesIn(root, known.selectors);
  for (const el of tinted) settleFaint(el, walk);
};

/** @param {Document | ShadowRoot} root @param {string[]} selectors @returns {Element[]} */
const matchesIn = (root, selectors) => {
  /** @type {Set<Element>} */
  const found = new Set();
  for (const selector of selectors) {
    try {
      for (const el of root.querySelectorAll(selector)) if (found.size < TINTED_MAX) found.add(el);
    } catch {
      // of a kind that only rules know
    }
  }
  return [...found];
};

/** How many elements in one that cannot be read are looked at one by one. */
const FAINT_BELOW = 500;

/** @param {Element} el @param {Walk} walk */
const settleFaint = (el, walk) => {
  if (faintness.has(el)) return;
  const faint = looksFaint(el);
  if (!faint && faintness.size === 0) return;
  faintness.set(el, faint);
  walk.mark(el, NOTED_FAINT);
  if (!faint) return;
  let left = FAINT_BELOW;
  for (const inner of queryAll.call(el, '*')) {
    if (--left === 0) break;
    faintness.set(inner, looksFaint(inner));
    walk.mark(inner, NOTED_FAINT);
  }
};

/** Whether the letters of an element cannot be told from what they stand on. @param {Element} el */
const looksFaint = (el) => {
  if (/^(html|body|img|svg|canvas|video|iframe|input|textarea|select)$/.test(tagOf(el))) return false;
  const style = getComputedStyle(el);
  if (parseFloat(style.fontSize) < LEAST_LETTERS) return true;
  const ink = style.webkitTextFillColor;
  const own = style.backgroundColor;
  const clear = isClear(ink);
  // by far the most common: it brings a ground of its own
  if (!clear && own !== ink && own.startsWith('rgb(')) return false;
  if (!clear && groundAround(el) !== ink) return false;
  // letters that are cut out of a background, or drawn by their shadow or outline, can be read
  if (style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0) return false;
  if (pathOf(el).slice(0, 4).some((around) => getComputedStyle(around).backgroundClip.includes('text'))) return false;
  return clear || groundUnder(el, ink) === ink;
};

/** @param {string} colour */
const isClear = (colour) => colour.startsWith('rgba(') && /, 0\)$/.test(colour);

/** The colour that an element stands on, by what it stands in; '' where that is a picture, or half transparent. @param {Element} el */
const groundAround = (el) => {
  for (let node = /** @type {Element | null} */ (el); node; node = composedParent(node)) {
    const style = getComputedStyle(node);
    if (style.backgroundImage !== 'none') return '';
    if (!isClear(style.backgroundColor)) return style.backgroundColor.startsWith('rgb(') ? style.backgroundColor : '';
  }
  return 'rgb(255, 255, 255)';
};

/** The same by what lies under it, where it is in view; elsewhere no picture may lie between. @param {Element} el @param {string} ink */
const groundUnder = (el, ink) => {
  const box = /** @type {DOMRect | undefined} */ (clientRectsOf.call(el)[0]);
  const [x, y] = box ? [box.left + box.width / 2, box.top + box.height / 2] : [-1, -1];
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) {
    const around = /** @type {Element} */ (el.closest('section,article,header,main,li,td') || document.body || el);
    return queryAll.call(around, 'img,video,canvas,picture').length > 0 ? '' : ink;
  }
  for (const one of document.elementsFromPoint(x, y)) {
    if (one !== el && composedContains(el, one)) continue;
    if (/^(img|video|canvas|picture|iframe|svg|object|embed)$/.test(tagOf(one))) return '';
    const style = getComputedStyle(one);
    if (style.backgroundImage !== 'none') return '';
    if (!isClear(style.backgroundColor)) return style.backgroundColor;
  }
  return 'rgb(255, 255, 255)';
};
