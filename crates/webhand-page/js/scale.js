// @ts-check
// Values on a scale that stand in no field: sliders and spin buttons by role. What one says of itself, whether it takes keys,
// and the buttons beside it. Nothing of its value is set here: keys, presses and drags come from outside.

/** Whether it is one. @param {Element} el */
const isScale = (el) => /^(slider|spinbutton)$/.test(explicitRole(el)) && !isTextControl(el) && tagOf(el) !== 'select';

/** The scale that a number means: itself, or the only one in what was named. @param {Element} el @returns {Element | null} */
const scaleIn = (el) => {
  if (isScale(el)) return el;
  if (isTextControl(el) || isEditor(el) || tagOf(el) === 'select') return null;
  const inner = queryDeep(el, '[role=slider],[role=spinbutton],input:not([type=hidden]),textarea,select').filter(isShown);
  return inner.length === 1 && isScale(inner[0]) ? inner[0] : null;
};

/** @param {Element} el @param {string} key @returns {number | null} */
const numberAt = (el, key) => {
  const text = (attr(el, key) || '').trim();
  return text === '' || Number.isNaN(Number(text)) ? null : Number(text);
};

/** What a scale says of itself. @param {Element} el */
const scaleSays = (el) => {
  const spin = explicitRole(el) === 'spinbutton';
  const seen = spin ? tidy(seenText(el)) : '';
  const own = numberAt(el, 'aria-valuenow');
  const now = own === null && spin && /^-?[\d.]+$/.test(seen) ? Number(seen) : own;
  return { now, min: numberAt(el, 'aria-valuemin'), max: numberAt(el, 'aria-valuemax'), text: tidy(attr(el, 'aria-valuetext') || seen) };
};

/** All that is said at once, to see it change. @param {Element} el */
const scaleKey = (el) => {
  const { now, text } = scaleSays(el);
  return `${now}|${text}`;
};

/** What buttons are called that make a number one step more, and one step less. */
const MORE_WORDS = /^[+＋▲▴△∧⌃↑⯅^]$|\b(increase|increment|plus|one more|step up|spin up|up)\b|erhöhen|augmenter|aumentar|aumenta|增加|増やす|증가/i;
const LESS_WORDS = /^[-−–—－▼▾▽∨⌄↓⯆]$|\b(decrease|decrement|minus|one less|step down|spin down|down)\b|verringern|diminuer|disminuir|diminuisci|减少|減らす|감소/i;

/**
 * The two buttons of a spin button: right around it, or said to control it, and called so. Others there may do anything.
 * @param {Element} el @returns {{more: Element, less: Element} | null}
 */
const stepButtons = (el) => {
  if (explicitRole(el) !== 'spinbutton') return null;
  for (let around = composedParent(el), left = 5; around && left > 0; around = composedParent(around), left--) {
    if (queryDeep(around, '[role=spinbutton],[role=slider],input:not([type=hidden]),textarea,select').some((other) => other !== el && isShown(other))) return null;
    const buttons = queryDeep(around, 'button,[role=button]').filter((button) => isShown(button) && !composedContains(el, button));
    const called = (/** @type {RegExp} */ words) => buttons.filter((button) => words.test(buttonWords(button)));
    const [more, less] = [called(MORE_WORDS), called(LESS_WORDS)];
    if (more.length === 1 && less.length === 1 && more[0] !== less[0]) return { more: more[0], less: less[0] };
  }
  return null;
};

/** @param {Element} button */
const buttonWords = (button) => tidy(accessibleName(button, tagOf(button), 'button'));

/** @param {Element} button */
const partOf = (button) => ({ id: idOf(button), role: 'button', name: buttonWords(button), words: choiceWords(button) });

/**
 * Gives a scale the focus; keys to come are for it alone.
 * @param {number} id @param {boolean} focus whether it is given the focus at all @returns {any} what it says, and by what it may be moved
 */
const prepareScale = (id, focus) => {
  const found = elementOf(id);
  const el = found && getIsConnected.call(found) ? scaleIn(targetOf(found)) : null;
  if (!el) return { miss: 'gone' };
  if (focus && !composedContains(el, deepActive())) /** @type {HTMLElement} */ (el).focus();
  const focused = composedContains(el, deepActive());
  if (focus && focused) {
    armKeys(idOf(el), true, KEYS_WITHIN);
    // not by keys: those select the whole field that it is a part of
    if (isEditor(el)) placeCaret(/** @type {HTMLInputElement} */ (el), true);
  }
  const upright = attr(el, 'aria-orientation') === 'vertical';
  const buttons = stepButtons(el);
  return {
    ...scaleSays(el), key: scaleKey(el), id: idOf(el), role: explicitRole(el), focused, editor: isEditor(el), upright, length: trackOf(el, upright),
    parts: datePartsAround(el), more: buttons && partOf(buttons.more), less: buttons && partOf(buttons.less),
  };
};

/** Whether a box is that of the whole scale rather than of its thumb. @param {DOMRect} box @param {boolean} upright */
const isTrack = (box, upright) => (upright ? box.height > 3 * box.width : box.width > 3 * box.height);

/** How long the way of a thumb is, in pixels: that of the first thing around it that is a track. @param {Element} el @param {boolean} upright */
const trackOf = (el, upright) => {
  for (let around = /** @type {Element | null} */ (el), left = 5; around && left > 0; around = composedParent(around), left--) {
    const box = boxOf(around);
    if (isTrack(box, upright)) return upright ? box.height : box.width;
  }
  return 0;
};

/** What a scale says once that differs, or after that time; keys to come are for it again. @param {number} id @param {string} was @param {number} ms */
const awaitScale = async (id, was, ms) => {
  const until = performance.now() + ms;
  for (;;) {
    const el = elementOf(id);
    if (!el || !getIsConnected.call(el)) return was;
    const left = until - performance.now();
    if (scaleKey(el) !== was || left <= 0) return scaleKey(el);
    await nextChange(left);
  }
};

/** What a part of a date or time is, by its name, else by its bounds. @param {Element} el */
const datePartOf = (el) => {
  const name = accessibleName(el, tagOf(el), 'spinbutton').toLowerCase();
  const { min, max } = scaleSays(el);
  const words = /** @type {[string, RegExp][]} */ ([['year', /year|jahr|année|año|anno|年/], ['month', /month|monat|mois|mes\b|mese|月/], ['minute', /minute|minuto|分/], ['second', /second|sekunde|segundo|秒/],
    ['hour', /hour|stunde|heure|hora|ora\b|時|时/], ['half', /meridiem|am\/?pm|day ?period/], ['day', /day|tag\b|jour|día|giorno|日/]]);
  const known = words.find(([, pattern]) => pattern.test(name));
  const kind = known ? known[0] : max === 31 ? 'day' : max === 12 && min === 1 ? 'month' : (max || 0) >= 1000 ? 'year' : '';
  return kind === 'hour' && max === 12 ? 'hour12' : kind;
};

/** The parts of the date or time that a spin button is one of: those of its group. @param {Element} el */
const datePartsAround = (el) => {
  if (explicitRole(el) !== 'spinbutton') return [];
  for (let around = composedParent(el), left = 5; around && left > 0; around = composedParent(around), left--) {
    const parts = queryDeep(around, '[role=spinbutton]').filter((part) => isScale(part) && isShown(part));
    if (parts.length < 2) continue;
    const told = parts.map((part) => ({ id: idOf(part), kind: datePartOf(part), name: accessibleName(part, tagOf(part), 'spinbutton') }));
    const kinds = told.map(({ kind }) => kind);
    return kinds.every((kind, i) => kind !== '' && kinds.indexOf(kind) === i) ? told : [];
  }
  return [];
};

/**
 * What a scale says once that differs from before and stands, or after that time.
 * @param {number} id @param {string | null} was @param {number} ms
 */
const readScale = async (id, was, ms) => {
  await nextTurn();
  const { verdict, on } = disarmKeys();
  const until = performance.now() + ms;
  for (;;) {
    const el = elementOf(id);
    if (!el || !getIsConnected.call(el)) return { miss: 'gone' };
    const key = scaleKey(el);
    const left = until - performance.now();
    if ((was !== null && key !== was) || left <= 0) {
      // it may be told in more than one step
      await twoFrames();
      const here = getIsConnected.call(el);
      if (here && (scaleKey(el) === key || until - performance.now() <= -500)) return { ...scaleSays(el), key, astray: verdict === 'miss' ? on : null };
      if (!here) return { miss: 'gone' };
      continue;
    }
    await nextChange(Math.min(left, 50));
  }
};
