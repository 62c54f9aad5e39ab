// @ts-check
// Filling a text field from inside: focus and selection before real input, what the page did about it, and reading back. What
// stood there before stays in here. Text comes by real input from outside; what cannot come so is told by its caller.

/** So long keys are meant for a field at most, ms: a dialog may keep the page from saying that they arrived. */
const KEYS_WITHIN = 5000;

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
 * @type {{before: string, bad: boolean, changes: number, scheduled: () => boolean, input: boolean, told: string | null} | null}
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

/** @param {Element} el @returns {{miss: string, use?: string} | null} why no text can be written into it */
const unfitFor = (el) => {
  const tag = tagOf(el);
  if (tag === 'input') {
    const use = WRONG_FILL[/** @type {HTMLInputElement} */ (el).type];
    return use ? { miss: 'wrong_action', use } : null;
  }
  return tag === 'textarea' || isEditor(el) ? null : { miss: 'wrong_action', use: tag === 'select' ? 'select' : 'click' };
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
  const scale = scaleIn(el);
  if (scale) return { way: 'scale' };
  const unfit = unfitFor(el);
  if (unfit) return unfit;
  const tag = tagOf(el);
  const field = /** @type {HTMLInputElement} */ (el);
  if (tag === 'input') {
    if (SET_TYPES.has(field.type)) return { way: 'set', kind: field.type, language: document.documentElement.lang || '', css: field.type === 'color' ? cssColor(text) : '' };
    if (/[\r\n]/.test(text)) return { miss: 'one_line' };
  }
  const before = contentOf(el);
  /** @type {typeof keysGuarded} */
  let guard = null;
  setTimeout(() => {
    if (keysGuarded === guard) keysGuarded = null;
  }, KEYS_WITHIN);
  filling = { before, bad: isBad(el), changes: 0, scheduled: scheduleSince(), input: false, told: null };
  addEventListener('input', onFillInput, true);
  addEventListener('beforeinput', onFillComing);
  field.focus();
  // a page may draw a field anew when it gets the focus
  if (!getIsConnected.call(el)) return { miss: 'gone' };
  placeCaret(field, clear);
  armKeys(idOf(el), true, KEYS_WITHIN);
  guard = keysGuarded;
  filling.changes = countChanges();
  const focused = composedContains(el, deepActive());
  return {
    way: 'type', kind: tag === 'input' ? field.type : tag, empty: before === '' && !filling.bad, focused, editor: isEditor(el),
    keys: tag === 'input' && hearsKeys(el), boxes: clear ? boxesFor(el, text) : [],
  };
};

/** Whether an element itself listens for keys: then they are what it wants. @param {Element} el */
const hearsKeys = (el) => listeningToKeys.has(el) || has(el, 'onkeydown') || has(el, 'onkeyup') || has(el, 'onkeypress');

/** Selects all, or puts the caret at the end. @param {HTMLInputElement} field a field that has the focus @param {boolean} all */
const placeCaret = (field, all) => {
  const selection = getSelection();
  if (isTextControl(field)) {
    field.select();
    // fields of numbers and addresses have no other way to move a caret
    if (!all && selection) selection.modify('move', 'forward', 'documentboundary');
  } else if (selection) {
    selection.selectAllChildren(field);
    if (!all) selection.collapseToEnd();
  }
};

/**
 * Where many lines are to come, all of them but for the last character is put there at once: line by line a browser takes seconds
 * for a long text. That character comes by real input then, and tells the page of all.
 * @param {number} id @param {string} head @param {boolean} clear @returns {boolean} whether it was done
 */
const putHead = (id, head, clear) => {
  const el = fieldOf(id);
  if (!el) return false;
  if (tagOf(el) === 'textarea' && !drawsElsewhere(el)) {
    const area = /** @type {HTMLTextAreaElement} */ (el);
    setAreaValue.call(area, clear ? head : area.value + head);
    area.setSelectionRange(area.value.length, area.value.length);
    return true;
  }
  if (!isEditable(el)) return false;
  const escaped = head.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  const spaced = keepsSpaces(el) ? escaped : escaped.replace(/\t/g, ' ').replace(/^ | (?= )| $/gm, '&nbsp;');
  return document.execCommand('insertHTML', false, spaced.replace(/\n/g, '<br>'));
};

/**
 * Tells what has the focus of a paste, as an event that brings the text. What takes it prevents the default; one of a script has none.
 * @param {number} id @param {string} text @returns {boolean} whether it was taken
 */
const pasteInto = (id, text) => {
  const el = fieldOf(id);
  if (!el) return false;
  const active = deepActive();
  const at = active && composedContains(el, active) ? active : el;
  return tellClipboard(at, 'paste', text).taken;
};

/** @param {Element} at @param {'copy' | 'paste'} type @param {string} text what is on the clipboard @returns {{taken: boolean, text: string}} */
const tellClipboard = (at, type, text) => {
  const clipboardData = new DataTransfer();
  if (type === 'paste') clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true, composed: true });
  at.dispatchEvent(event);
  return { taken: event.defaultPrevented, text: clipboardData.getData('text/plain') };
};

/** Keys to come are for a field that still has the focus. @param {number} id @returns {boolean} whether it does */
const armField = (id) => {
  const el = fieldOf(id);
  const active = deepActive();
  if (!el || !active || !composedContains(el, active)) return false;
  armKeys(idOf(el), true, KEYS_WITHIN);
  return true;
};

/**
 * Asks an editor for what is selected in it, as if that were copied: its own text, drawn or not.
 * @param {number} id @param {string} text what was wanted @param {boolean} added
 * @returns {any} `{heard, equal, value}`; unheard where it answers nothing
 */
const readCopy = (id, text, added) => {
  const { verdict } = disarmKeys();
  const el = fieldOf(id);
  const active = deepActive();
  if (!el || verdict === 'miss' || !active || !composedContains(el, active)) return { heard: false };
  const { taken, text: told } = tellClipboard(active, 'copy', '');
  if (!filling) return { heard: false };
  const wanted = added && filling.told !== null ? filling.told.replace(/\n$/, '') + text : text;
  const now = taken ? told : drawnText(el, wanted);
  if (now === null) return { heard: false };
  return { heard: true, equal: sameText(now, wanted), value: isSecret(el) ? '' : short(plainText(now), TOLD_MAX), empty: now === '' };
};

/**
 * What an editor that takes its text in a hidden field draws around that, if it is the text that was wanted; `null` where it
 * cannot be told. @param {Element} el @param {string} wanted
 */
const drawnText = (el, wanted) => {
  if (!drawsElsewhere(el)) return null;
  let around = composedParent(el);
  for (let level = 0; around && level < 4; around = composedParent(around), level++) {
    const seen = seenText(around);
    if (wanted !== '' && sameText(seen, wanted)) return seen;
  }
  return null;
};

/** Notes what an editor told of itself before text is added to it. @param {number} id */
const noteCopy = (id) => {
  const el = fieldOf(id);
  const active = deepActive();
  if (!filling || !el || !active || !composedContains(el, active)) return;
  const { taken, text } = tellClipboard(active, 'copy', '');
  filling.told = taken ? text : null;
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
  const all = [holds(el, now, before + text), isEditable(el) ? holds(el, now, before.trimEnd() + text) : 'no'];
  const equal = all.includes('yes');
  const standing = {
    equal, ask: !equal && all.includes('ask'), bad: isBad(el), empty: now === '' && !isBad(el),
    same: !!filling && now === filling.before && isBad(el) === filling.bad,
    formatted: !equal && isTextControl(el) && !added && isFormatted(now, text), cut: cutOf(el, now, before + text), why: equal ? complaintOf(el) : '',
  };
  if (isTextControl(el) && isSecret(el)) return { ...standing, secret: true };
  return { ...standing, value: short(isTextControl(el) ? now : linesOf(now), TOLD_MAX) };
};

/** How many characters a field takes, where the text was cut off there; else 0. @param {Element} el @param {string} now @param {string} wanted */
const cutOf = (el, now, wanted) => {
  const most = isTextControl(el) ? /** @type {HTMLInputElement} */ (el).maxLength : -1;
  return most >= 0 && wanted.length > most && now === wanted.slice(0, most) ? most : 0;
};

/** What the browser has to say against a value that stands there. @param {Element} el */
const complaintOf = (el) => {
  const input = /** @type {HTMLInputElement} */ (el);
  return isTextControl(el) && input.value !== '' && input.willValidate && !input.validity.valid ? short(input.validationMessage, 200) : '';
};

/** The next turn of the page's loop: what an event's handlers and their microtasks did is done by then. */
const nextTurn = () => new Promise((resolve) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => resolve(undefined);
  channel.port2.postMessage(0);
});

/** Ends the hearing of a fill's events. */
const endHearing = () => {
  removeEventListener('input', onFillInput, true);
  removeEventListener('beforeinput', onFillComing);
};

/**
 * The same once the keys are through and the page had a turn to answer; with the effects seen so far, where keys went
 * astray, whether none arrived anywhere, and whether nothing of the text was taken: no event, no change, and none to come.
 * Where the page answers nothing at all, what waits for the end of an entry is told of it at once.
 * @param {number} id @param {string} text @param {boolean} added
 */
const readBackSoon = async (id, text, added) => {
  await nextTurn();
  const { verdict, on } = disarmKeys();
  const noted = () => (filling ? { scheduled: filling.scheduled(), changed: countChanges() !== filling.changes, input: filling.input } : {});
  let answer = noted();
  let standing = readBack(id, text, added);
  if (standing.equal && verdict !== 'miss' && !answer.scheduled && !answer.changed && commit(id)) {
    await nextTurn();
    answer = noted();
    standing = { ...readBack(id, text, added), committed: true };
  }
  if (verdict === 'miss') standing.astray = on;
  standing.lost = verdict === 'none' && standing.same;
  Object.assign(standing, answer);
  standing.untouched = standing.same && !answer.input && !answer.changed && !answer.scheduled;
  endHearing();
  if (observing) standing.effects = effectsOf(observing);
  return standing;
};

/** The same after that time, in which the page may have taken it back. @param {number} id @param {string} text @param {boolean} added @param {number} ms */
const readBackLater = async (id, text, added, ms) => {
  await after(ms);
  return readBack(id, text, added);
};

/** Tells what waits for the end of an entry of it, and what stands there then. @param {number} id @param {string} text @param {boolean} added */
const commitFill = async (id, text, added) => {
  const committed = commit(id);
  if (committed) await nextTurn();
  return { ...readBack(id, text, added), committed, scheduled: !!filling && filling.scheduled(), changed: !!filling && countChanges() !== filling.changes };
};

/** Waits until the page answers what was written, by a change of any kind. @param {number} ms @returns {Promise<boolean>} whether it did */
const awaitAnswer = async (ms) => {
  const until = performance.now() + ms;
  for (;;) {
    if (!filling || countChanges() !== filling.changes) break;
    const left = until - performance.now();
    if (left <= 0) return false;
    await nextChange(left);
  }
  await oneFrame();
  return true;
};

/** @param {number} ms */
const after = (ms) => new Promise((resolve) => {
  setTimeout(() => resolve(undefined), ms);
});

/** Fields that were told of the end of their entry, until more is written: the browser would tell them again. @type {WeakSet<EventTarget>} */
const committed = new WeakSet();

/** @param {Event} event */
const onOwnEvent = (event) => {
  const [target] = event.composedPath();
  if (event.isTrusted && committed.delete(target) && event.type === 'change') event.stopImmediatePropagation();
};

/**
 * An entry ends: what a page does then (lazy models do) it is told by a change event, and not by taking the focus away, which would
 * close what it opened. Not where a choice is expected: that is not the end. The browser's own event, when the focus goes, would
 * come a second time.
 * @param {number} id @returns {boolean} whether it was told
 */
const commit = (id) => {
  const el = fieldOf(id);
  if (!el || !isTextControl(el) || drawsElsewhere(el) || expectsChoice(el)) return false;
  const { value } = /** @type {HTMLInputElement} */ (el);
  if (!filling || value === filling.before) return false;
  // a change is not heard outside its tree
  const root = rootNodeOf.call(el);
  for (const type of ['change', 'input']) root.addEventListener(type, onOwnEvent, true);
  committed.add(el);
  el.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
};

/** Whether what is written into a field is there to be chosen by. @param {Element} el */
const expectsChoice = (el) => !opensApart(el) && (/^(combobox)$/.test(explicitRole(el)) || /^(list|both)$/.test(attr(el, 'aria-autocomplete') || '') || has(el, 'list')
  || has(el, 'aria-expanded') || /^(listbox|menu|tree|grid|dialog)$/.test(attr(el, 'aria-haspopup') || '') || has(el, 'aria-activedescendant'));

/** Whether a field has something to choose from that is closed, and what is written into it stands for itself: dates and times. @param {Element} el */
const opensApart = (el) => /^(grid|dialog)$/.test(attr(el, 'aria-haspopup') || '') && attr(el, 'aria-expanded') !== 'true' && !/^(list|both)$/.test(attr(el, 'aria-autocomplete') || '');
