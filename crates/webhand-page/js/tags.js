// @ts-check
// What a tag alone says of an element. One look-up tells it all, since a walk asks for every element there is.

/** Never part of what is seen. */
const NEVER = 1;
/** Its text runs on with what stands beside it. */
const INLINE = 2;
/** Unmarked, nothing but text or a block of it. Custom elements are looked at: they may host a shadow root. */
const PLAIN = 4;
/** Prints a line of its own. */
const STRUCTURAL = 8;
/** Its repetition makes a row or card of it. */
const GENERIC_ITEM = 16;
/** Holds nothing to be seen apart. */
const LEAF = 32;
/** Is a control, or may be, without an attribute. */
const NATIVE = 64;
/** Shows another document. */
const FRAMING = 128;
/** A page may give it a shadow root (DOM, attachShadow); custom elements aside. */
const HOST = 256;

/** @type {Map<string, number>} */
const TAGS = new Map();
/** @param {number} fact @param {string} words */
const tagged = (fact, words) => {
  for (const word of words.split(' ')) TAGS.set(word, (TAGS.get(word) || 0) | fact);
};
tagged(NEVER, 'script style head meta link template noscript noframes noembed title base param source track datalist rp option optgroup colgroup col');
tagged(INLINE, 'span b i em strong small sub sup mark u s code abbr cite q var kbd time font bdi bdo ins del dfn data samp tt big wbr nobr acronym ruby rt slot label');
tagged(PLAIN, 'div p section span b i em strong small sub sup mark u s code abbr cite q var kbd time font bdi bdo ins del dfn data samp tt big wbr br '
  + 'pre address center hgroup figcaption caption legend tbody thead tfoot dl nobr acronym ruby rt body html form header footer '
  + 'h1 h2 h3 h4 h5 h6 ul ol li table tr td th article main nav aside blockquote dt dd');
tagged(STRUCTURAL, 'h1 h2 h3 h4 h5 h6 ul ol li table tr td th article main nav aside blockquote dt dd form header footer');
tagged(GENERIC_ITEM, 'div section p');
tagged(LEAF, 'input textarea select canvas audio video img area progress meter hr');
tagged(NATIVE, 'button input select textarea summary label canvas audio video area');
tagged(FRAMING, 'iframe frame embed object');
tagged(HOST, 'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');

/** Takes a value from a person. */
const FIELDLIKE = 512;
tagged(FIELDLIKE, 'input select textarea');

/** What a tag says; 0 where it says nothing. @param {string} tag */
const kindOf = (tag) => TAGS.get(tag) || 0;
