// @ts-check
// What the attributes of an element may mean for it, told by their names alone. Asking each element for its attributes is
// ten times cheaper than matching the whole document against a list of selectors.

const ROLE = 1;
const HIDDEN = 2;
const OWN_STYLE = 4;
const INERT = 8;
const ARIA_DISABLED = 16;
const ARIA_LIVE = 32;
const TABINDEX = 64;
const EDITABLE = 128;
const DRAGGABLE = 256;
const HANDLER = 512;
/** Could make a control of an element of a plain tag, or hide it. */
const SPEAKING = 1024;
/** Tends to stay when the page is drawn anew. */
const STABLE = 2048;
/** May say something of a control's state. */
const STATEFUL = 4096;
/** May name it, whatever it holds. */
const LABELLED = 8192;
/** It has attributes, whatever they are. */
const ATTRIBUTED = 16384;

/** @type {Map<string, number>} */
const ATTRIBUTES = new Map([['class', 0], ['lang', 0], ['dir', 0], ['id', STABLE], ['name', SPEAKING | STABLE], ['href', SPEAKING | STABLE],
  ['placeholder', SPEAKING | STATEFUL | LABELLED], ['aria-placeholder', SPEAKING | STATEFUL | LABELLED],
  ['type', SPEAKING], ['target', SPEAKING], ['rel', SPEAKING], ['value', SPEAKING], ['title', LABELLED], ['aria-label', SPEAKING | LABELLED],
  ['aria-labelledby', SPEAKING | LABELLED], ['style', SPEAKING | OWN_STYLE]]);
for (const key of ['data-testid', 'data-test-id', 'data-test', 'data-qa', 'data-cy']) ATTRIBUTES.set(key, STABLE);
/** @type {[string, number][]} */
const EACH = [['role', ROLE], ['hidden', HIDDEN], ['popover', HIDDEN], ['inert', INERT], ['aria-disabled', ARIA_DISABLED], ['aria-live', ARIA_LIVE],
  ['tabindex', TABINDEX], ['contenteditable', EDITABLE], ['draggable', DRAGGABLE]];
for (const [key, fact] of EACH) ATTRIBUTES.set(key, SPEAKING | STATEFUL | fact);
for (const key of ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend', 'dblclick', 'contextmenu', 'keydown', 'dragstart', 'drop']) {
  ATTRIBUTES.set(`on${key}`, SPEAKING | STATEFUL | HANDLER);
}
/** Names of other attributes that are remembered; a page makes up as many as it likes. */
const ATTRIBUTES_MAX = 1000;

/** @param {string} name an attribute that is not in the table */
const learnAttribute = (name) => {
  const facts = name.startsWith('data-') ? 0 : SPEAKING | STATEFUL;
  if (ATTRIBUTES.size < ATTRIBUTES_MAX) ATTRIBUTES.set(name, facts);
  return facts;
};

/** @param {Element} el @returns {number} 0 where it has no attributes */
const factsOf = (el) => {
  if (!hasAttributesOf.call(el)) return 0;
  let facts = ATTRIBUTED;
  const names = attributeNamesOf.call(el);
  for (let i = 0; i < names.length; i++) {
    const known = ATTRIBUTES.get(names[i]);
    facts |= known === undefined ? learnAttribute(names[i]) : known;
  }
  return facts;
};
