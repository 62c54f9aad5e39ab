// @ts-check
// What editing needs inside the page: focus and selection before real typing, native setters for fields that take no
// keys, and reading back what stands in a field. What stood there before stays in here.

const valueSetter = (/** @type {object} */ proto) => /** @type {Function} */ (/** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(proto, 'value')).set);
const setInputValue = valueSetter(HTMLInputElement.prototype);

/** @param {Element} el */
const announce = (el) => {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
};

/** Fields whose value is set, not typed. */
const SET_TYPES = setOf('date time datetime-local month week color range');
/** Inputs that text cannot be filled into, with the action that serves. @type {Record<string, string>} */
const WRONG_FILL = { checkbox: 'check', radio: 'check', file: 'upload', button: 'click', submit: 'click', reset: 'click', image: 'click' };
/** So much of a value is told. */
const TOLD_MAX = 2000;
/** So long keys are meant for a field at most, ms: a dialog may keep the page from saying that they arrived. */
const KEYS_WITHIN = 5000;

/** The field that a number means: a label's control, or the only field in what was named. @param {number} id @returns {Element | null} */
const fieldOf = (id) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return null;
  const el = targetOf(found);
  if (/^(input|textarea|select)$/.test(tagOf(el)) || isEditable(el)) return el;
  const inner = [...queryAll.call(el, 'input:not([type=hidden]),textarea,[contenteditable=true]')];
  return inner.length === 1 ? inner[0] : el;
};

/** What stands in a field, all of it. @param {Element} el @returns {string} */
const contentOf = (el) => {
  const tag = tagOf(el);
  if (tag === 'input' || tag === 'textarea') return /** @type {HTMLInputElement} */ (el).value;
  return isEditable(el) ? /** @type {HTMLElement} */ (el).innerText : getTextContent.call(el);
};

/** Whether a field shows what it cannot take as a value: its value is empty then. @param {Element} el */
const isBad = (el) => tagOf(el) === 'input' && /** @type {HTMLInputElement} */ (el).validity.badInput;

/**
 * Tells, each time it is asked, whether timers or frames were asked for in this document since it was made: whether what an
 * event set off has still to come.
 * @returns {() => boolean}
 */
const scheduleSince = () => {
  const before = scheduledSoFar();
  return () => scheduledSoFar() > before;
};

/** Changes of the page that were seen since the element was located. */
const countChanges = () => {
  if (watcher) onMutations(watcher.takeRecords());
  return observing ? observing.near + observing.far : 0;
};

/**
 * The fill under way: what stood there before, and what the page had done by then.
 * @type {{before: string, bad: boolean, changes: number, scheduled: () => boolean, input: boolean} | null}
 */
let filling = null;

const onFillInput = () => {
  if (filling) filling.input = true;
};

/** Heard last: the page's own handlers may have moved the focus, and the text would go there. @param {Event} event */
const onFillComing = (event) => {
  const mine = keysGuarded;
  if (!filling || !mine || !event.isTrusted || composedContains(mine.el, deepActive())) return;
  mine.verdict = 'miss';
  mine.on = mine.on || labelOf(deepActive() || undefined);
  event.preventDefault();
};

/**
 * Focuses a field and selects what is in it, so that typing replaces it. Keys are meant for it from now on.
 * @param {number} id
 * @param {string} text what is to come
 * @param {boolean} clear whether to select what is there; else the caret goes to the end
 * @returns {any} `{way: 'type' | 'set', …}` or `{miss}`
 */
const prepareFill = (id, text, clear) => {
  const el = fieldOf(id);
  if (!el) return { miss: 'gone' };
  const tag = tagOf(el);
  if (tag === 'input') {
    const { type } = /** @type {HTMLInputElement} */ (el);
    if (WRONG_FILL[type]) return { miss: 'wrong_action', use: WRONG_FILL[type] };
    if (SET_TYPES.has(type)) return { way: 'set', kind: type, language: document.documentElement.lang || '' };
    if (/[\r\n]/.test(text)) return { miss: 'one_line' };
  } else if (tag !== 'textarea' && !isEditable(el)) return { miss: 'wrong_action', use: tag === 'select' ? 'select' : 'click' };
  const before = contentOf(el);
  /** @type {typeof keysGuarded} */
  let guard = null;
  setTimeout(() => {
    if (keysGuarded === guard) keysGuarded = null;
  }, KEYS_WITHIN);
  filling = { before, bad: isBad(el), changes: 0, scheduled: scheduleSince(), input: false };
  addEventListener('input', onFillInput, true);
  addEventListener('beforeinput', onFillComing);
  const field = /** @type {HTMLInputElement} */ (el);
  field.focus();
  // a page may draw a field anew when it gets the focus
  if (!getIsConnected.call(el)) return { miss: 'gone' };
  placeCaret(field, clear);
  armKeys(idOf(el), true, KEYS_WITHIN);
  guard = keysGuarded;
  filling.changes = countChanges();
  return { way: 'type', kind: tag === 'input' ? field.type : tag, empty: before === '' && !filling.bad, focused: composedContains(el, deepActive()) };
};

/** Selects all, or puts the caret at the end. @param {HTMLInputElement} field a field that has the focus @param {boolean} all */
const placeCaret = (field, all) => {
  const selection = getSelection();
  if (/^(input|textarea)$/.test(tagOf(field))) {
    field.select();
    // fields of numbers and addresses have no other way to move a caret
    if (!all && selection) selection.modify('move', 'forward', 'documentboundary');
  } else if (selection) {
    selection.selectAllChildren(field);
    if (!all) selection.collapseToEnd();
  }
};

/** Sets a field that takes no keys. @param {number} id @param {string} value @returns {any} what stands there then */
const setField = (id, value) => {
  const el = /** @type {HTMLInputElement | null} */ (fieldOf(id));
  if (!el) return { miss: 'gone' };
  const scheduled = scheduleSince();
  el.focus();
  setInputValue.call(el, value);
  announce(el);
  return { value: el.value, min: el.min, max: el.max, step: el.step, scheduled: scheduled() };
};

/** The lines that are not empty, white space folded: how a rich editor breaks lines is its own affair. @param {string} text */
const linesOf = (text) => text.split(/[\r\n]+/).map(tidy).filter((line) => line !== '').join('\n');

/** Whether a field holds what was wanted. @param {Element} el @param {string} now @param {string} wanted */
const holds = (el, now, wanted) => {
  if (isBad(el)) return false;
  const tag = tagOf(el);
  if (tag !== 'input' && tag !== 'textarea') return linesOf(now) === linesOf(wanted);
  if (now.replace(/\r\n?/g, '\n') === wanted.replace(/\r\n?/g, '\n')) return true;
  return /** @type {HTMLInputElement} */ (el).type === 'number' && now !== '' && tidy(wanted) !== '' && Number(now) === Number(wanted);
};

/**
 * What stands in a field, and whether it is what was asked.
 * @param {number} id @param {string} text @param {boolean} added whether the text was to come after what stood there
 * @returns {any}
 */
const readBack = (id, text, added) => {
  const el = fieldOf(id);
  if (!el) return { miss: 'gone' };
  const now = contentOf(el);
  const before = filling && added ? filling.before : '';
  // an editor's last line may end in a break that the caret stands before
  const equal = holds(el, now, before + text) || (isEditable(el) && holds(el, now, before.trimEnd() + text));
  const standing = { equal, bad: isBad(el), empty: now === '' && !isBad(el), same: !!filling && now === filling.before && isBad(el) === filling.bad };
  if (/^(input|textarea)$/.test(tagOf(el)) && isSecret(el)) return { ...standing, secret: true };
  return { ...standing, value: short(/^(input|textarea)$/.test(tagOf(el)) ? now : linesOf(now), TOLD_MAX) };
};

/** The next turn of the page's loop: what an event's handlers and their microtasks did is done by then. */
const nextTurn = () => new Promise((resolve) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => resolve(undefined);
  channel.port2.postMessage(0);
});

/**
 * The same once the keys are through and the page had a turn to answer; with the effects seen so far, where keys went
 * astray, whether none arrived anywhere, and whether nothing of the text was taken: no event, no change, and none to come.
 * @param {number} id @param {string} text @param {boolean} added
 */
const readBackSoon = async (id, text, added) => {
  await nextTurn();
  const { verdict, on } = disarmKeys();
  const standing = readBack(id, text, added);
  if (verdict === 'miss') standing.astray = on;
  standing.lost = verdict === 'none' && standing.same;
  if (filling) {
    standing.scheduled = filling.scheduled();
    standing.changed = countChanges() !== filling.changes;
    standing.input = filling.input;
    standing.untouched = standing.same && !filling.input && !standing.changed && !standing.scheduled;
  }
  removeEventListener('input', onFillInput, true);
  removeEventListener('beforeinput', onFillComing);
  if (observing) standing.effects = effectsOf(observing);
  return standing;
};

/** The same after that time, in which the page may have taken it back. @param {number} id @param {string} text @param {boolean} added @param {number} ms */
const readBackLater = async (id, text, added, ms) => {
  await after(ms);
  return readBack(id, text, added);
};

/** @param {number} ms */
const after = (ms) => new Promise((resolve) => {
  setTimeout(() => resolve(undefined), ms);
});

/** The click to come: whether it set something off that has still to come. It is taken for granted until it is known. */
let clickToCome = { scheduled: true, forget: () => {} };

/** Notes of the next click, and of the change that it makes, what they set off. */
const noteClick = () => {
  clickToCome.forget();
  const scheduled = scheduleSince();
  const begin = () => {
    mine.scheduled = true;
  };
  // once all handlers ran; where one keeps the event to itself, it stays unknown
  const end = () => {
    mine.scheduled = scheduled();
  };
  const forget = () => {
    for (const type of ['click', 'change']) {
      removeEventListener(type, begin, true);
      removeEventListener(type, end);
    }
  };
  const mine = { scheduled: true, forget };
  clickToCome = mine;
  for (const type of ['click', 'change']) {
    addEventListener(type, begin, true);
    addEventListener(type, end);
  }
};

/** Gives what that click set off some time, where there is any. @param {number} ms @returns {Promise<boolean>} whether it was given */
const waitOnClick = async (ms) => {
  clickToCome.forget();
  if (clickToCome.scheduled) await after(ms);
  return clickToCome.scheduled;
};

/** Gives an element the focus. @param {number} id */
const focusOn = (id) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return { miss: 'gone' };
  const el = /** @type {HTMLElement} */ (targetOf(found));
  el.focus();
  return { focused: composedContains(el, deepActive()) };
};
