// @ts-check
// What a text field is, what stands in it, and whether that is what was asked. Nothing is changed here.

const valueSetter = (/** @type {object} */ proto) => /** @type {Function} */ (/** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(proto, 'value')).set);
const setInputValue = valueSetter(HTMLInputElement.prototype);
const setAreaValue = valueSetter(HTMLTextAreaElement.prototype);

/** Fields whose value is set, not typed. */
const SET_TYPES = setOf('date time datetime-local month week color range');
/** Inputs that text cannot be filled into, with the action that serves. @type {Record<string, string>} */
const WRONG_FILL = { checkbox: 'check', radio: 'check', file: 'upload', button: 'click', submit: 'click', reset: 'click', image: 'click' };
/** So much of a value is told. */
const TOLD_MAX = 2000;

/** @param {Element} el */
const isTextControl = (el) => /^(input|textarea)$/.test(tagOf(el));

/**
 * Whether it draws its text itself and only takes it here: it has an edit context, or is a text area that cannot be seen (the
 * editors of code that are drawn line by line).
 * @param {Element} el
 */
const drawsElsewhere = (el) => {
  if (isHtml(el) && !isEditable(el) && !isTextControl(el)) return !!(/** @type {any} */ (el).editContext);
  if (tagOf(el) !== 'textarea') return false;
  const { width, height } = boxOf(el);
  return width <= 4 || height <= 4 || !checkVisibilityOf.call(el, { opacityProperty: true, visibilityProperty: true });
};

/** Whether text can be put into it, other than by its value. @param {Element} el */
const isEditor = (el) => isEditable(el) || drawsElsewhere(el);

/** The field that a number means: a label's control, or the only field in what was named. @param {number} id @returns {Element | null} */
const fieldOf = (id) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return null;
  const el = targetOf(found);
  if (/^(input|textarea|select)$/.test(tagOf(el)) || isEditor(el)) return el;
  const inner = [...queryAll.call(el, 'input:not([type=hidden]),textarea,[contenteditable=true],[contenteditable=plaintext-only]')];
  return inner.length === 1 ? inner[0] : el;
};

/** Words that stand in an empty editor and are none of its text. @param {Element} el */
const placeholderIn = (el) => {
  const marks = (/** @type {Element} */ part) => attributeNamesOf.call(part).some((/** @type {string} */ name) => /placeholder/i.test(name === 'class' ? attr(part, 'class') || '' : name));
  const parts = [...queryAll.call(el, '[contenteditable=false]')].filter(marks);
  return parts.map((part) => seenText(part)).join('');
};

/** What stands in a field, all of it that can be seen from here. @param {Element} el @returns {string} */
const contentOf = (el) => {
  if (isTextControl(el)) return /** @type {HTMLInputElement} */ (el).value;
  if (!isEditable(el)) return drawsElsewhere(el) ? '' : getTextContent.call(el);
  const seen = seenText(el);
  const empty = placeholderIn(el);
  return empty && tidy(seen) === tidy(empty) ? '' : seen;
};

/** Whether a field shows what it cannot take as a value: its value is empty then. @param {Element} el */
const isBad = (el) => tagOf(el) === 'input' && /** @type {HTMLInputElement} */ (el).validity.badInput;

/** The lines that are not empty, white space folded: how a rich editor breaks lines is its own affair. @param {string} text */
const linesOf = (text) => text.split(/[\r\n]+/).map(tidy).filter((line) => line !== '').join('\n');

/** With line breaks and spaces of one kind each. @param {string} text */
const plainText = (text) => text.replace(/\r\n?/g, '\n').replace(/\u00a0/g, ' ').replace(/[\u200b\ufeff]/g, '');

/** Whether white space says something in a text: tabs, lines that are set in or empty, spaces in a row. @param {string} text */
const isSpaced = (text) => /\t| {2}|^ +\S|\n[ \n]/m.test(text);

/** Whether an element draws white space as it is: where it does not, none of it says anything. @param {Element} el */
const keepsSpaces = (el) => /pre|break-spaces/.test(getComputedStyle(el).whiteSpace);

/**
 * Whether an editor's text is the one that was wanted, to the last space; a break at its end and a break more between
 * paragraphs, which some tell, are not looked at.
 * @param {string} now @param {string} wanted
 */
const sameText = (now, wanted) => {
  const ends = (/** @type {string} */ text) => plainText(text).replace(/\n+$/, '');
  const one = ends(wanted);
  return ends(now) === one || ends(now).replace(/\n\n/g, '\n') === one;
};

/** What can be said of a field by what is seen of it: that it holds the text, that it does not, or that the editor must be asked. */
/** @typedef {'yes' | 'no' | 'ask'} Holds */

/** Whether a field holds what was wanted. @param {Element} el @param {string} now @param {string} wanted @returns {Holds} */
const holds = (el, now, wanted) => {
  if (isBad(el)) return 'no';
  if (isEditable(el) && !isTextControl(el)) {
    if (sameText(now, wanted)) return 'yes';
    return linesOf(now) === linesOf(wanted) && (!isSpaced(wanted) || !keepsSpaces(el)) ? 'yes' : 'ask';
  }
  if (drawsElsewhere(el)) return 'ask';
  // clocks are written with a narrow space
  const even = (/** @type {string} */ text) => text.replace(/\r\n?/g, '\n').replace(/\u202f/g, ' ');
  if (even(plainText(now)) === even(plainText(wanted)) && even(now) === even(wanted)) return 'yes';
  const number = tagOf(el) === 'input' && /** @type {HTMLInputElement} */ (el).type === 'number' && now !== '' && tidy(wanted) !== '';
  return number && Number(now) === Number(wanted) ? 'yes' : 'no';
};

/**
 * Whether a text differs from the one that was wanted only by marks that the page set between its characters, as masks of
 * phone, card and account numbers and dates do: `(555) 123-4567` for 5551234567. Marks that may change what a number says
 * (a sign, a decimal point) are none.
 * @param {string} now @param {string} wanted
 */
const isFormatted = (now, wanted) => {
  const marks = /[\s()/:.,+-]/g;
  const bare = (/** @type {string} */ text) => text.replace(marks, '');
  if (now === wanted || bare(now) !== bare(wanted) || !/[0-9a-z]/i.test(bare(now))) return false;
  // a date without its marks is none
  if (/^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/.test(wanted) && /^\d+$/.test(now)) return false;
  // what was wanted says nothing by its marks, or has them in the same places
  if (/[.,:/+-]/.test(wanted) && !/^[\d\s()+-]{7,}$/.test(wanted)) return false;
  if (/^[\s-]|[^0-9a-z]$/i.test(now)) return false;
  const parted = /[.,]/.exec(now);
  if (!parted) return true;
  // one point or comma is a decimal one; thousands and dates are in groups
  return /^\d{1,3}([.,])\d{3}(\1\d{3})*$/.test(now) || /^\d+([.])\d+\1\d+$/.test(now);
};
