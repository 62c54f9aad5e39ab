// @ts-check
// The boxes of one code: several short fields beside each other that take a character each.

/** @param {HTMLInputElement} input */
const takesOne = (input) => /^(text|tel|number|password|search)$/.test(input.type) && !input.disabled && !input.readOnly;

/** Fewer or more than this are no boxes of a code. */
const BOXES_MIN = 3;
const BOXES_MAX = 12;

/**
 * The boxes that a field is one of, from it on, in order; none where it stands for itself.
 * @param {Element} el @returns {HTMLInputElement[]}
 */
const boxesFrom = (el) => {
  const first = /** @type {HTMLInputElement} */ (el);
  if (tagOf(el) !== 'input' || !takesOne(first)) return [];
  const box = boxOf(el);
  const alike = (/** @type {HTMLInputElement} */ other) => {
    const theirs = boxOf(other);
    const level = Math.abs(theirs.top - box.top) < box.height / 2;
    return other.type === first.type && level && Math.abs(theirs.width - box.width) <= 3 && (other.maxLength === 1) === (first.maxLength === 1);
  };
  // one character wide, or told so
  if (first.maxLength !== 1 && (first.maxLength >= 0 || box.width > 1.8 * box.height + 16)) return [];
  for (let around = composedParent(el), level = 0; around && level < 6; around = composedParent(around), level++) {
    const all = /** @type {HTMLInputElement[]} */ ([...queryAll.call(around, 'input:not([type=hidden])')]);
    if (all.length < BOXES_MIN) continue;
    const boxes = all.filter((other) => takesOne(other) && alike(other));
    if (boxes.length < BOXES_MIN || boxes.length > BOXES_MAX) return [];
    return boxes.slice(boxes.indexOf(first));
  }
  return [];
};

/**
 * The boxes that a text goes into, a character each.
 * @param {Element} el @param {string} text @returns {number[]} their numbers; none where it goes into the field itself
 */
const boxesFor = (el, text) => {
  const { length } = codeOf(text);
  if (length < 2) return [];
  const boxes = boxesFrom(el);
  const told = boxes.length > 0 && boxes[0].maxLength === 1;
  if (boxes.length < 2 || length > boxes.length || (!told && length !== boxes.length)) return [];
  if (isSecret(el)) for (const box of boxes) secretOnce.add(box);
  return boxes.slice(0, length).map(idOf);
};

/** The characters of a code, without what people part its groups by. @param {string} text */
const codeOf = (text) => [...text.replace(/[\s-]/g, '')];

/** A character is to come into that box: it has the focus, and what stands there is selected. @param {number} id */
const armBox = (id) => {
  const el = /** @type {HTMLInputElement | null} */ (elementOf(id));
  if (!el || !getIsConnected.call(el)) return { miss: 'gone' };
  if (deepActive() !== el) el.focus();
  el.select();
  armKeys(id, true, KEYS_WITHIN);
  return { focused: deepActive() === el };
};

/**
 * What stands in the boxes, once the page had a turn.
 * @param {number[]} ids @param {string} text @returns {Promise<any>}
 */
const readBoxes = async (ids, text) => {
  await nextTurn();
  const { verdict, on } = disarmKeys();
  const boxes = ids.map((id) => /** @type {HTMLInputElement | null} */ (elementOf(id)));
  if (boxes.some((box) => !box || !getIsConnected.call(box))) return { miss: 'gone' };
  const now = boxes.map((box) => /** @type {HTMLInputElement} */ (box).value);
  const secret = boxes.some((box) => isSecret(/** @type {Element} */ (box)));
  return {
    equal: now.join('') === codeOf(text).join('') && now.every((value) => value.length === 1), empty: now.every((value) => value === ''),
    astray: verdict === 'miss' ? on : null, secret, value: secret ? '' : now.map((value) => value || '_').join(''),
    scheduled: !!filling && filling.scheduled(), input: !!filling && filling.input, effects: observing ? effectsOf(observing) : null,
  };
};
