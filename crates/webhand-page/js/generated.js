// @ts-check
// Words that style sheets write, the content of ::before and ::after, or withhold (content-visibility). To compute the style
// of a pseudo-element costs as much as a walk over many elements, so that the sheets are asked first whom they mean.

/** The words, and their alternative, of a value of `content`. @param {string} value @returns {string} */
const writtenWords = (value) => {
  const known = CONTENT_WORDS.get(value);
  if (known !== undefined) return known;
  let text = '';
  // what stands behind the slash is said in place of what stands before it (css-content, alt)
  const at = alternativeAt(value);
  for (const part of value.slice(at).matchAll(CONTENT_PARTS)) {
    if (part[0] === 'open-quote') text += '“';
    else if (part[0] === 'close-quote') text += '”';
    else if (/^["']/.test(part[0])) text += unescaped(part[0].slice(1, -1));
  }
  // the glyphs of icon fonts are no words
  text = text.replace(/[\ue000-\uf8ff]|[\u{f0000}-\u{10fffd}]/gu, '');
  if (CONTENT_WORDS.size < CONTENT_WORDS_MAX) CONTENT_WORDS.set(value, text);
  return text;
};

/** @type {Map<string, string>} */
const CONTENT_WORDS = new Map();
const CONTENT_WORDS_MAX = 1000;

/** Texts, quotes, the slash before the alternative; and functions, whose texts are none of the words. */
const CONTENT_PARTS = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|open-quote|close-quote|[\w-]+\((?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\([^()]*\)|[^()"'])*\)|\//g;

/** Where the alternative text begins, else 0. @param {string} value */
const alternativeAt = (value) => {
  for (const part of value.matchAll(CONTENT_PARTS)) if (part[0] === '/') return part.index + 1;
  return 0;
};

/** A string of CSS, with its escapes read. @param {string} text */
const unescaped = (text) =>
  text.includes('\\') ? text.replace(/\\(?:([0-9a-f]{1,6})[ \t\n\f\r]?|(\n)|([\s\S]))/gi, (_whole, hex, line, other) =>
    hex ? String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)) : line ? '' : other) : text;

/** What a rule may do to the words of an element. */
const BEFORE = 1;
const AFTER = 2;
const WITHHELD = 4;

/** A rule that writes words or withholds them: which, whom for, and in what media. @typedef {{which: number, selector: string, media: string[]}} Writer */
/** What a sheet told, and what it held then: it is asked anew where it holds other rules. @type {WeakMap<CSSStyleSheet, {count: number, last: CSSRule | undefined, writers: Writer[] | null}>} */
const writersBySheet = new WeakMap();
/** More writers than this, and every element is asked. */
const WRITERS_MAX = 60;

/**
 * @param {CSSStyleSheet} sheet
 * @returns {Writer[] | null} null where it cannot be known
 */
const writersOf = (sheet) => {
  try {
    const rules = sheet.cssRules;
    const known = writersBySheet.get(sheet);
    const last = rules[rules.length - 1];
    if (known && known.count === rules.length && known.last === last) return known.writers;
    /** @type {Writer[]} */
    const found = [];
    const writers = collectWriters(rules, '', [], found) ? found : null;
    writersBySheet.set(sheet, { count: rules.length, last, writers });
    return writers;
  } catch {
    return null; // of another origin
  }
};

/**
 * @param {CSSRuleList} rules @param {string} outer selector that nested rules stand in @param {string[]} media @param {Writer[]} found
 * @returns {boolean} false where it cannot be told whom they write for
 */
const collectWriters = (rules, outer, media, found) => {
  for (let i = 0; i < rules.length; i++) {
    const rule = /** @type {any} */ (rules[i]);
    const scope = rule.selectorText === undefined ? outer : outer ? nestedIn(outer, rule.selectorText) : rule.selectorText;
    const which = rule.style && scope ? doneBy(rule.style, scope) : 0;
    if (which) {
      if (/:host|::slotted|::part/.test(scope) || found.length >= WRITERS_MAX) return false;
      for (const selector of partsOf(scope)) found.push({ which, selector: hostsOf(selector), media });
    } else if (rule.styleSheet) {
      const inner = writersOf(rule.styleSheet);
      if (!inner) return false;
      for (const writer of inner) found.push({ ...writer, media: media.concat(writer.media, rule.media.mediaText || []) });
    } else if (rule.cssRules && /^@scope/i.test(rule.cssText)) return false;
    if (rule.cssRules && rule.cssRules.length && !collectWriters(rule.cssRules, scope, rule.media ? media.concat(rule.media.mediaText) : media, found)) return false;
  }
  return true;
};

/** @param {string} outer @param {string} selector */
const nestedIn = (outer, selector) => (selector.includes('&') ? selector.replaceAll('&', `:is(${outer})`) : `:is(${outer}) ${selector}`);

/** @param {CSSStyleDeclaration} style @param {string} selector */
const doneBy = (style, selector) => {
  const pseudo = (/:before/i.test(selector) ? BEFORE : 0) | (/:after/i.test(selector) ? AFTER : 0);
  return (pseudo && writes(style.getPropertyValue('content')) ? pseudo : 0) | (style.getPropertyValue('content-visibility') === 'hidden' ? WITHHELD : 0);
};

/** Whether a value of `content` may give words. @param {string} value */
const writes = (value) => value !== '' && (writtenWords(value).trim() !== '' || /attr\(|var\(/.test(value));

/** Whom the pseudo-elements of a selector stand in. @param {string} selector */
const hostsOf = (selector) => {
  const bare = selector.replace(/::?(before|after)\b/gi, '').trim();
  return bare === '' || /[\s>+~]$/.test(bare) ? `${bare} *` : bare;
};

/** What may be done to the words of whom, by root; null where anything may be done to anybody. Good for one turn. */
const writtenFor = forThisTurn(() => new Map());

/** @param {Document | ShadowRoot} root @returns {Map<Element, number> | null} */
const writtenIn = (root) => {
  const known = writtenFor().get(root);
  if (known !== undefined) return known;
  /** @type {Map<Element, number> | null} */
  let elements = new Map();
  for (const sheet of [...(root.styleSheets || []), ...(root.adoptedStyleSheets || [])]) {
    if (sheet.disabled || !elements) continue;
    const writers = applies(sheet.media.mediaText) ? writersOf(sheet) : [];
    if (!writers || !addWritten(root, writers, elements)) elements = null;
  }
  writtenFor().set(root, elements);
  return elements;
};

/** @param {Document | ShadowRoot} root @param {Writer[]} writers @param {Map<Element, number>} elements @returns {boolean} false where a selector cannot be looked up */
const addWritten = (root, writers, elements) => {
  try {
    for (const { which, selector, media } of writers) {
      if (media.every(applies)) for (const el of root.querySelectorAll(selector)) elements.set(el, (elements.get(el) || 0) | which);
    }
    return true;
  } catch {
    return false;
  }
};

/** @param {string} media */
const applies = (media) => media === '' || matchMedia(media).matches;

/** What style sheets may do to the words of an element: BEFORE, AFTER, WITHHELD. @param {Element} el @returns {number} */
const writtenInto = (el) => {
  const root = rootNodeOf.call(el);
  if (getNodeType.call(root) !== 9 && !isShadowRoot(root)) return 0;
  const elements = writtenIn(/** @type {Document | ShadowRoot} */ (root));
  if (!elements) return hasAttributesOf.call(el) ? probed(el) : 0;
  return elements.size === 0 ? 0 : elements.get(el) || 0;
};

/** What was found in elements of one make where the rules cannot be known. Good for one turn. */
const probes = forThisTurn(() => new Map());
/** So many of a make are asked; where none has words, none of it has. */
const PROBES_MAX = 4;

/** What the style of an element, or of others of its tag and classes, says. @param {Element} el @returns {number} */
const probed = (el) => {
  const make = `${tagOf(el)} ${attr(el, 'class') || ''}`;
  let probe = probes().get(make);
  if (probe === undefined) probes().set(make, (probe = { left: PROBES_MAX, which: 0 }));
  if (probe.left > 0) {
    probe.left--;
    probe.which |= (generatedText(el, '::before') ? BEFORE : 0) | (generatedText(el, '::after') ? AFTER : 0)
      | (getComputedStyle(el).contentVisibility === 'hidden' ? WITHHELD : 0);
  }
  return probe.which;
};

/**
 * The words that style sheets write before or after what an element holds, parted from it where they stand apart.
 * @param {Element} el @param {'::before' | '::after'} which @returns {string}
 */
const generatedText = (el, which) => {
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (content === '' || content === 'none' || content === 'normal' || style.display === 'none' || style.visibility !== 'visible') return '';
  const text = writtenWords(content.includes('attr(') ? withAttributes(el, content) : content);
  return text === '' || (layoutOf(style.display) & RUNS) !== 0 ? text : ` ${text} `;
};

/** A value with the attributes that it names put in. @param {Element} el @param {string} content */
const withAttributes = (el, content) =>
  content.replace(/attr\(\s*([\w-]+)\s*(?:,[^)]*)?\)/g, (_whole, key) => JSON.stringify(attr(el, key) || ''));
