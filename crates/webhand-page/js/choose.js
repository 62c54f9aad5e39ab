// @ts-check
// Options of a native select: which are meant, choosing them, and whether they are still the chosen ones.

/**
 * What was chosen last, by its options: labels may stand twice, and a page may move options about or draw them anew.
 * @type {{mode: string, picks: {option: HTMLOptionElement, value: string, label: string}[]}}
 */
let choosing = { mode: 'set', picks: [] };

/** @param {number} id @returns {HTMLSelectElement | {miss: string}} */
const selectOf = (id) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return { miss: 'gone' };
  const el = targetOf(found);
  return tagOf(el) === 'select' ? /** @type {HTMLSelectElement} */ (el) : { miss: 'not_select' };
};

/** @param {HTMLOptionElement} option */
const isOptionDisabled = (option) => {
  const group = /** @type {HTMLOptGroupElement | null} */ (option.parentElement);
  return option.disabled || (!!group && tagOf(group) === 'optgroup' && group.disabled);
};

/**
 * Chooses options of a native select by label, value or place.
 * @param {number} id
 * @param {string[]} wanted
 * @param {string} mode `set`, `add` or `remove`
 * @returns {any} `{wanted, holds, …}` or `{miss, options}`
 */
const chooseOptions = (id, wanted, mode) => {
  const select = selectOf(id);
  if ('miss' in select) return select;
  const options = [...select.options];
  const hits = [];
  for (const want of wanted) {
    const hit = optionFor(options, want);
    if (typeof hit === 'string') return { miss: hit, want, options: optionList(select) };
    if (isOptionDisabled(hit)) return { miss: 'option_disabled', want, options: optionList(select) };
    hits.push(hit);
  }
  if (!select.multiple && (new Set(hits).size !== 1 || mode === 'remove')) return { miss: 'single', options: optionList(select) };
  choosing = { mode, picks: [...new Set(hits)].map((option) => ({ option, value: option.value, label: tidy(option.label) })) };
  const scheduled = scheduleSince();
  select.focus();
  const before = options.map((option) => option.selected).join();
  if (select.multiple) {
    for (const option of options) {
      const hit = hits.includes(option);
      if (mode === 'set') option.selected = hit;
      else if (hit) option.selected = mode === 'add';
    }
  } else hits[0].selected = true;
  const already = before === options.map((option) => option.selected).join();
  if (!already) announce(select);
  return { already, wanted: hits.map((option) => tidy(option.label)), scheduled: scheduled(), ...standingChoice(select) };
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
    // some fill a list once somebody comes to it
    const select = selectOf(id);
    if (!('miss' in select) && deepActive() !== select) select.focus();
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
  // a bare number is a label or a value: "2" is no third option
  const place = /^#(\d+)$/.exec(words);
  return (place && options[Number(place[1]) - 1]) || 'option_missing';
};

/** Whether what was picked is chosen. @param {HTMLSelectElement} select @param {{option: HTMLOptionElement, value: string, label: string}} pick */
const isChosen = (select, { option, value, label }) => {
  const equal = (/** @type {HTMLOptionElement} */ other) => other.value === value && tidy(other.label) === label;
  if ([...select.options].includes(option) && equal(option)) return option.selected;
  return [...select.selectedOptions].some(equal);
};

/** What is chosen, and whether that is what was asked last. @param {HTMLSelectElement} select */
const standingChoice = (select) => {
  const { mode, picks } = choosing;
  const chosen = [...select.selectedOptions];
  const holds = mode === 'remove'
    ? !picks.some((pick) => isChosen(select, pick))
    : picks.every((pick) => isChosen(select, pick)) && (mode === 'add' || chosen.length === picks.length);
  return { holds, chosen: chosen.slice(0, 50).map((option) => tidy(option.label)) };
};

/** The same after that time, in which the page may have chosen otherwise. @param {number} id @param {number} ms @returns {Promise<any>} */
const readChoice = async (id, ms) => {
  if (ms > 0) await after(ms);
  const select = selectOf(id);
  return 'miss' in select ? select : standingChoice(select);
};

/** @param {HTMLSelectElement} select */
const optionList = (select) => [...select.options].slice(0, 60).map((option) => ({ label: tidy(option.label), value: option.value, chosen: option.selected, disabled: isOptionDisabled(option) }));

/** Whether the browser shows its own list for a select. @param {number} id */
const isPickerOpen = (id) => {
  const select = selectOf(id);
  return !('miss' in select) && CSS.supports('selector(:open)') && matchesOf.call(select, ':open');
};

/** @param {number} id @returns {any} the options of a native select */
const listOptions = (id) => {
  const select = selectOf(id);
  return 'miss' in select ? select : { options: optionList(select) };
};

/** @param {number} id @returns {HTMLInputElement | null} a field with a datalist */
const suggestingField = (id) => {
  const el = elementOf(id);
  return el && getIsConnected.call(el) && tagOf(el) === 'input' && /** @type {HTMLInputElement} */ (el).list ? /** @type {HTMLInputElement} */ (el) : null;
};

/** @param {HTMLInputElement} field @returns {HTMLOptionElement[]} */
const suggestionsOf = (field) => [.../** @type {HTMLDataListElement} */ (field.list).options].filter((option) => !option.disabled);

/** @param {HTMLInputElement} field */
const suggestionList = (field) => suggestionsOf(field).slice(0, 60).map((option) => ({ label: tidy(option.label), value: option.value, chosen: field.value === option.value, disabled: false }));

/** The suggestions of a field. @param {number} id */
const listSuggestions = (id) => {
  const field = suggestingField(id);
  return field ? { options: suggestionList(field) } : { miss: 'gone' };
};

/** Puts the value of a suggestion into its field, as the browser does. @param {number} id @param {string} want */
const takeSuggestion = (id, want) => {
  const field = suggestingField(id);
  if (!field) return { miss: 'gone' };
  const hit = optionFor(suggestionsOf(field), want);
  if (typeof hit === 'string') return { miss: hit, options: suggestionList(field) };
  const label = tidy(hit.label);
  if (field.value === hit.value) return { already: true, label };
  field.focus();
  setInputValue.call(field, hit.value);
  announce(field);
  return { label, value: hit.value };
};

/** Whether a field holds that value. @param {number} id @param {string} value */
const readSuggestion = (id, value) => {
  const field = suggestingField(id);
  return field ? { value: field.value, holds: field.value === value } : { miss: 'gone' };
};
