// @ts-check
// What editing needs inside the page: focus and selection before real typing, native setters for fields that take no
// keys, choices of a select, and reading back what stands in a field.

const valueSetter = (/** @type {object} */ proto) => /** @type {Function} */ (/** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(proto, 'value')).set);
const setInputValue = valueSetter(HTMLInputElement.prototype);
const setAreaValue = valueSetter(HTMLTextAreaElement.prototype);

/** @param {Element} el */
const announce = (el) => {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
};

/** Fields whose value is set, not typed. */
const SET_TYPES = setOf('date time datetime-local month week color range');
/** Inputs that text cannot be filled into, with the action that serves. @type {Record<string, string>} */
const WRONG_FILL = { checkbox: 'check', radio: 'check', file: 'upload', button: 'click', submit: 'click', reset: 'click', image: 'click' };

/**
 * Focuses a field and selects what is in it, so that typing replaces it.
 * @param {number} id
 * @param {boolean} clear whether to select what is there; else the caret goes to the end
 * @returns {any} `{way: 'type' | 'set', …}` or `{miss}`
 */
const prepareFill = (id, clear) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return { miss: 'gone' };
  const el = targetOf(found);
  const tag = tagOf(el);
  if (tag === 'select') return { miss: 'wrong_action', use: 'select' };
  if (tag === 'input') {
    const input = /** @type {HTMLInputElement} */ (el);
    if (WRONG_FILL[input.type]) return { miss: 'wrong_action', use: WRONG_FILL[input.type] };
    if (SET_TYPES.has(input.type)) return { way: 'set', kind: input.type, language: document.documentElement.lang || '' };
    input.focus({ preventScroll: false });
    if (clear) input.select();
    else caretToEnd(input);
    return { way: 'type', kind: input.type, empty: input.value === '', focused: deepActive() === el, single: true };
  }
  if (tag === 'textarea') {
    const area = /** @type {HTMLTextAreaElement} */ (el);
    area.focus();
    if (clear) area.select();
    else area.setSelectionRange(area.value.length, area.value.length);
    return { way: 'type', kind: 'textarea', empty: area.value === '', focused: deepActive() === el, single: false };
  }
  if (/** @type {HTMLElement} */ (el).isContentEditable) {
    const editable = /** @type {HTMLElement} */ (el);
    editable.focus();
    const selection = getSelection();
    if (selection) {
      selection.selectAllChildren(editable);
      if (!clear) selection.collapseToEnd();
    }
    return { way: 'type', kind: 'editable', empty: tidy(editable.innerText) === '', focused: composedContains(editable, deepActive()), single: false };
  }
  const inner = [...queryAll.call(el, 'input:not([type=hidden]),textarea,[contenteditable=true]')];
  if (inner.length === 1) return prepareFill(idOf(inner[0]), clear);
  return { miss: 'wrong_action', use: 'click' };
};

/** Puts the caret at the end of a field; some types have no selection. @param {HTMLInputElement} input */
const caretToEnd = (input) => {
  try {
    input.setSelectionRange(input.value.length, input.value.length);
  } catch {
    // email and number fields refuse: typing goes on where the caret is, which is the end after focus()
  }
};

/** Sets a field that takes no keys. @param {number} id @param {string} value @returns {any} what stands there then */
const setField = (id, value) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return { miss: 'gone' };
  const el = /** @type {HTMLInputElement} */ (targetOf(found));
  el.focus();
  (tagOf(el) === 'textarea' ? setAreaValue : setInputValue).call(el, value);
  announce(el);
  return { value: el.value, min: el.min, max: el.max, step: el.step };
};

/** @param {number} id @param {string} wanted @returns {any} what stands in a field, and whether it is what was asked */
const readBack = (id, wanted) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return { miss: 'gone' };
  const el = targetOf(found);
  const tag = tagOf(el);
  const input = /** @type {HTMLInputElement} */ (el);
  if (tag === 'input' || tag === 'textarea') {
    const value = input.value;
    const equal = value === wanted || value.replace(/\r\n?/g, '\n') === wanted.replace(/\r\n?/g, '\n') || (input.type === 'number' && value !== '' && Number(value) === Number(wanted));
    if (isSecret(el)) return { equal, secret: true };
    return { equal, value: value.slice(0, 2000), bad: input.validity ? input.validity.badInput : false };
  }
  const text = /** @type {HTMLElement} */ (el).isContentEditable ? /** @type {HTMLElement} */ (el).innerText : getTextContent.call(el);
  return { equal: tidy(text) === tidy(wanted), value: tidy(text).slice(0, 2000) };
};

/** The next turn of the page's loop: what an event's handlers and their microtasks did is done by then. */
const nextTurn = () => new Promise((resolve) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => resolve(undefined);
  channel.port2.postMessage(0);
});

/**
 * The same, after the page had a turn to answer; with the effects seen so far.
 * @param {number} id @param {string} wanted @param {boolean} atEnd whether the text was added to what stood there
 */
const readBackSoon = async (id, wanted, atEnd) => {
  await nextTurn();
  const standing = readBack(id, wanted);
  if (atEnd && standing.value !== undefined && !standing.equal) standing.equal = standing.value.endsWith(tidy(wanted)) || standing.value.endsWith(wanted);
  if (observing) standing.effects = effectsOf(observing);
  return standing;
};

/**
 * Chooses options of a native select by label, value or index.
 * @param {number} id
 * @param {string[]} wanted
 * @param {string} mode `set`, `add` or `remove`
 * @returns {any} `{chosen}` or `{miss, options}`
 */
const chooseOptions = (id, wanted, mode) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return { miss: 'gone' };
  const el = targetOf(found);
  if (tagOf(el) !== 'select') return { miss: 'not_select' };
  const select = /** @type {HTMLSelectElement} */ (el);
  const options = [...select.options];
  const hits = [];
  for (const want of wanted) {
    const hit = optionFor(options, want);
    if (typeof hit === 'string') return { miss: hit, want, options: optionList(select) };
    if (hit.disabled || (hit.parentElement && tagOf(hit.parentElement) === 'optgroup' && /** @type {any} */ (hit.parentElement).disabled)) return { miss: 'option_disabled', want, options: optionList(select) };
    hits.push(hit);
  }
  if (!select.multiple && (hits.length > 1 || mode === 'remove')) return { miss: 'single', options: optionList(select) };
  select.focus();
  const before = options.map((option) => option.selected).join();
  if (select.multiple) {
    for (const option of options) {
      const hit = hits.includes(option);
      if (mode === 'set') option.selected = hit;
      else if (hit) option.selected = mode === 'add';
    }
  } else if (hits.length) hits[0].selected = true;
  const same = before === options.map((option) => option.selected).join();
  if (!same) announce(select);
  return { already: same, chosen: [...select.selectedOptions].map((option) => tidy(option.label)), wanted: hits.map((option) => tidy(option.label)) };
};

/**
 * The same, waiting for a list that is filled late.
 * @param {number} id @param {string[]} wanted @param {string} mode @param {number} ms
 */
const chooseOptionsSoon = async (id, wanted, mode, ms) => {
  const until = performance.now() + ms;
  for (;;) {
    const chosen = chooseOptions(id, wanted, mode);
    const left = until - performance.now();
    if (chosen.miss !== 'option_missing' || left <= 0) return chosen;
    await nextChange(left);
  }
};

/** @param {HTMLOptionElement[]} options @param {string} want @returns {HTMLOptionElement | string} */
const optionFor = (options, want) => {
  const words = tidy(want);
  const ways = [
    (/** @type {HTMLOptionElement} */ option) => tidy(option.label) === words || tidy(option.text) === words,
    (/** @type {HTMLOptionElement} */ option) => option.value === want,
    (/** @type {HTMLOptionElement} */ option) => tidy(option.label).toLowerCase() === words.toLowerCase(),
  ];
  for (const way of ways) {
    const hits = options.filter(way);
    if (hits.length === 1) return hits[0];
    if (hits.length > 1) return 'option_ambiguous';
  }
  const index = /^#?(\d+)$/.exec(words);
  if (index && Number(index[1]) < options.length) return options[Number(index[1])];
  return 'option_missing';
};

/** @param {HTMLSelectElement} select */
const optionList = (select) => [...select.options].slice(0, 60).map((option) => ({ label: tidy(option.label), value: option.value, chosen: option.selected, disabled: option.disabled }));

/** @param {number} id @returns {any} the options of a native select */
const listOptions = (id) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return { miss: 'gone' };
  const el = targetOf(found);
  if (tagOf(el) !== 'select') return { miss: 'not_select' };
  return { options: optionList(/** @type {HTMLSelectElement} */ (el)) };
};

/** Gives an element the focus. @param {number} id */
const focusOn = (id) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return { miss: 'gone' };
  const el = /** @type {HTMLElement} */ (targetOf(found));
  el.focus();
  return { focused: composedContains(el, deepActive()) };
};
