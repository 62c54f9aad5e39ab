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

/** A rule that writes words: whom for, and in what media. @typedef {{selector: string, media: string[]}} Writer */
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
    let scope = outer;
    if (rule.selectorText !== undefined) {
      scope = outer ? nestedIn(outer, rule.selectorText) : rule.selectorText;
      if (rule.style && minds(rule.style, scope)) {
        if (/:host|::slotted|::part/.test(scope) || found.length >= WRITERS_MAX) return false;
        for (const selector of partsOf(scope)) found.push({ selector: hostsOf(selector), media });
      }
    } else if (rule.styleSheet) {
      const inner = writersOf(rule.styleSheet);
      if (!inner) return false;
      for (const writer of inner) found.push({ selector: writer.selector, media: media.concat(writer.media, rule.media.mediaText || []) });
    } else if (rule.cssRules && /^@scope/i.test(rule.cssText)) return false;
    if (rule.cssRules && rule.cssRules.length && !collectWriters(rule.cssRules, scope, rule.media ? media.concat(rule.media.mediaText) : media, found)) return false;
  }
  return true;
};

/** @param {string} outer @param {string} selector */
const nestedIn = (outer, selector) => (selector.includes('&') ? selector.replaceAll('&', `:is(${outer})`) : `:is(${outer}) ${selector}`);

/** Whether a rule may write words, or withhold them. @param {CSSStyleDeclaration} style @param {string} selector */
const minds = (style, selector) =>
  (/:(before|after)/i.test(selector) && writes(style.getPropertyValue('content'))) || style.getPropertyValue('content-visibility') === 'hidden';

/** Whether a value of `content` may give words. @param {string} value */
const writes = (value) => value !== '' && (writtenWords(value).trim() !== '' || /attr\(|var\(/.test(value));

/** Whom the pseudo-elements of a selector stand in. @param {string} selector */
const hostsOf = (selector) => {
  const bare = selector.replace(/::?(before|after)\b/gi, '').trim();
  return bare === '' || /[\s>+~]$/.test(bare) ? `${bare} *` : bare;
};

/** Whom words are written for, by root: those elements, or null for anybody. Good for one turn. */
const writtenFor = forThisTurn(() => new Map());

/** @param {Document | ShadowRoot} root @returns {Set<Element> | null} */
const writtenIn = (root) => {
  const known = writtenFor().get(root);
  if (known !== undefined) return known;
  /** @type {Set<Element> | null} */
  let elements = new Set();
  for (const sheet of [...(root.styleSheets || []), ...(root.adoptedStyleSheets || [])]) {
    if (sheet.disabled || !elements) continue;
    const writers = applies(sheet.media.mediaText) ? writersOf(sheet) : [];
    if (writers) elements = addWritten(root, writers, elements);
    else elements = null;
  }
  writtenFor().set(root, elements);
  return elements;
};

/** @param {Document | ShadowRoot} root @param {Writer[]} writers @param {Set<Element>} elements @returns {Set<Element> | null} */
const addWritten = (root, writers, elements) => {
  try {
    for (const { selector, media } of writers) {
      if (media.every(applies)) for (const el of root.querySelectorAll(selector)) elements.add(el);
    }
    return elements;
  } catch {
    return null;
  }
};

/** @param {string} media */
const applies = (media) => media === '' || matchMedia(media).matches;

/** Whether style sheets may write words into an element, or withhold what it holds. @param {Element} el */
const mayBeWritten = (el) => {
  const root = rootNodeOf.call(el);
  if (getNodeType.call(root) !== 9 && !(root instanceof ShadowRoot)) return false;
  const elements = writtenIn(/** @type {Document | ShadowRoot} */ (root));
  // where it cannot be known, those are asked that a rule can name by more than their tag
  return elements ? elements.size > 0 && elements.has(el) : hasAttributesOf.call(el);
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
