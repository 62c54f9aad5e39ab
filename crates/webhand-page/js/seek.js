// @ts-check
// Looking for a choice in a widget's list: waiting for it, scrolling to what is not drawn, typing what narrows the list; and
// whether it is chosen in the end.

/** So many choices are told. */
const CHOICES_TOLD = 60;
/** How much of what a list shows is gone past at a time. */
const SCROLL_SHARE = 0.8;

/** @param {Choice[]} choices @param {string | null} want @returns {Choice | string | null} */
const hitIn = (choices, want) => {
  const hit = want === null ? null : choiceFor(choices, want);
  // one of the texts in it was named: it is called that
  return hit && typeof hit === 'object' && want !== null && wordPartsOf(/** @type {Element} */ (elementOf(hit.id))).includes(tidy(want)) ? { ...hit, label: tidy(want) } : hit;
};

/** @param {Choice[]} choices @param {Choice | string | null} hit the one that was looked for, or why there is none */
const told = (choices, hit) => {
  const brief = choices.slice(0, CHOICES_TOLD).map(({ label, text, value, chosen, disabled }) => ({ label: label || text, value, chosen: chosen === true, disabled }));
  return { hit: typeof hit === 'object' ? hit : null, miss: typeof hit === 'string' ? hit : null, options: brief, total: choices.length, ...standing(choices) };
};

/**
 * What can be chosen, once there is anything, and once what is wanted is there.
 * @param {string | null} want @param {number} ms to wait for a first choice @param {number} more ms to wait for the wanted one among others
 */
const lookForChoice = async (want, ms, more) => {
  const begun = performance.now();
  for (;;) {
    const choices = choicesNow();
    const now = performance.now() - begun;
    const hit = want === null || choiceFor(choices, want) !== 'option_missing';
    if ((choices.length > 0 && hit) || now >= (choices.length > 0 ? more : ms)) return told(choices, hitIn(choices, want));
    await nextChange(Math.min(100, Math.max(1, ms - now)));
  }
};

/** What scrolls the choices: in the list, or right around it. @param {Choice[]} choices @returns {Element | null} */
const scrollerOf = (choices) => {
  const mine = widget;
  const first = choices[0] && elementOf(choices[0].id);
  if (!mine || !first) return null;
  let clipped = null;
  for (let node = composedParent(first); node && node !== document.body; node = composedParent(node)) {
    if (!mine.inline && composedContains(node, mine.control)) break;
    if (node.scrollHeight > node.clientHeight + 1 && node.clientHeight > 20) {
      const flow = getComputedStyle(node).overflowY;
      if (/auto|scroll/.test(flow)) return node;
      // some draw a bar of their own
      if (flow === 'hidden') clipped = clipped || node;
    }
    if (mine.inline && node === mine.control) break;
  }
  return clipped;
};

/** Scrolls, and gives the list the time to draw what comes into view. @param {Element} scroller @param {number} top @returns {Promise<Choice[]>} */
const scrolledTo = async (scroller, top) => {
  const before = choicesNow().map((choice) => choice.words).join('\n');
  const from = scroller.scrollTop;
  scroller.scrollTop = top;
  if (scroller.scrollTop === from) return choicesNow();
  await oneFrame();
  await nextTurn();
  let choices = choicesNow();
  for (let left = 5; left > 0 && (choices.length === 0 || choices.map((choice) => choice.words).join('\n') === before); left--) {
    await nextChange(25);
    choices = choicesNow();
  }
  return choices;
};

const inOrder = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
/** @param {Choice[]} choices */
const areSorted = (choices) => choices.length > 2 && choices.every((choice, i) => i === 0 || inOrder.compare(choices[i - 1].label, choice.label) <= 0);

/**
 * Looks for a choice in a list that draws only what is in view: by halves where it is sorted, else from end to end.
 * @param {string | null} want `null` to go through all of it @param {number} ms
 */
const seekChoice = async (want, ms) => {
  const until = performance.now() + ms;
  let choices = choicesNow();
  const scroller = scrollerOf(choices);
  /** @type {Map<string, Choice>} */
  const met = new Map();
  const found = () => {
    for (const choice of choices) if (!met.has(choice.words)) met.set(choice.words, choice);
    return want !== null && choiceFor(choices, want) !== 'option_missing';
  };
  if (found() || !scroller) return { ...told(choices, hitIn(choices, want)), whole: true };
  const home = scroller.scrollTop;
  let low = 0;
  let high = scroller.scrollHeight;
  for (let left = 30; want !== null && left > 0 && areSorted(choices) && high - low > scroller.clientHeight / 4; left--) {
    if (inOrder.compare(tidy(want), choices[0].label) < 0) high = scroller.scrollTop;
    else if (inOrder.compare(tidy(want), choices[choices.length - 1].label) > 0) low = scroller.scrollTop;
    else break;
    choices = await scrolledTo(scroller, (low + high) / 2);
    if (found()) return told(choices, hitIn(choices, want));
  }
  choices = await scrolledTo(scroller, 0);
  let whole = false;
  while (!found() && performance.now() < until && !(want === null && met.size >= 4 * CHOICES_TOLD)) {
    const top = scroller.scrollTop;
    choices = await scrolledTo(scroller, top + Math.max(20, scroller.clientHeight * SCROLL_SHARE));
    if (scroller.scrollTop > top) continue;
    // some lists grow once their end is seen
    const height = scroller.scrollHeight;
    await nextChange(Math.min(400, Math.max(1, until - performance.now())));
    choices = choicesNow();
    whole = scroller.scrollHeight <= height && !found();
    if (whole) break;
  }
  if (want !== null && found()) return told(choices, hitIn(choices, want));
  scroller.scrollTop = home;
  return { ...told([...met.values()], want === null ? null : 'option_missing'), whole };
};

/** Waits for the list to go: longer where it says that it is closed, or moves. @param {number} ms */
const awaitClosed = async (ms) => {
  const begun = performance.now();
  for (;;) {
    const choices = choicesNow();
    const stands = standing(choices);
    const going = stands.expanded === false || (choices.length > 0 && isGoing(/** @type {Element} */ (elementOf(choices[0].id))));
    const left = (going ? 5 * ms : ms) - (performance.now() - begun);
    if (!stands.open || left <= 0) return stands;
    await nextChange(Math.min(left, 40));
  }
};

/** Whether something it stands in moves or fades. @param {Element} el */
const isGoing = (el) => pathOf(el).some((around) => animationsOf.call(around).some((animation) => animation.playState === 'running'));

/** The field that narrows the list: what has the focus, if that is the widget's, or its control. @returns {HTMLInputElement | null} */
const filterField = () => {
  const mine = widget;
  if (!mine) return null;
  const takes = (/** @type {Element | null} */ el) => el !== null && takesText(el) && !isReadonly(el, tagOf(el)) && isShown(el);
  const active = deepActive();
  if (active && takes(active) && (composedContains(mine.area, active) || !mine.before.has(active))) return /** @type {HTMLInputElement} */ (active);
  if (takes(mine.control)) return /** @type {HTMLInputElement} */ (mine.control);
  const inner = mine.holder || listsOf(mine)[0];
  const around = inner && pathOf(inner).find((el) => queryDeep(el, 'input').some((field) => takes(field) && !mine.before.has(field)));
  const fields = around && !composedContains(around, mine.control) ? queryDeep(around, 'input').filter(takes) : [];
  return fields.length === 1 ? /** @type {HTMLInputElement} */ (fields[0]) : null;
};

/** Gives that field the focus, with what stands there selected. @returns {any} `before`: what stands there; `miss` where there is none */
const prepareFilter = () => {
  const field = filterField();
  if (!field) return { miss: 'no_field' };
  if (!composedContains(field, deepActive())) field.focus();
  if (!composedContains(field, deepActive())) return { miss: 'no_field' };
  placeCaret(field, true);
  armTyping();
  return { before: contentOf(field) };
};

/**
 * Whether a choice is chosen: what it says of itself, and whether the widget shows it; waits until either changed.
 * @param {number} id @param {string[]} words what it is called @param {boolean} wanted @param {number} ms
 */
const choiceStands = async (id, words, wanted, ms) => {
  const until = performance.now() + ms;
  for (;;) {
    const el = elementOf(id);
    const here = !!el && getIsConnected.call(el);
    const shown = widget !== null && isAmong(shownIn(widget), words);
    const chosen = here ? saysChosen(el) : null;
    const left = until - performance.now();
    if (shown === wanted || (widget?.inline && chosen === wanted) || left <= 0) {
      const now = widget ? [...shownIn(widget)].sort().join('\n') : '';
      const before = widget ? [...widget.shown].sort().join('\n') : '';
      return { here, chosen, shown, was: widget !== null && isAmong(widget.shown, words), changed: now !== before, ...standing(choicesNow()) };
    }
    await nextChange(Math.min(left, 50));
  }
};
