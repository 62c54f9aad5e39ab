// @ts-check
// What the engine calls, in the isolated world. The page's own world sees none of it.

armListeners();
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', watchChanges, { once: true });
else watchChanges();

/** What can be called; each answers with plain values. @type {Record<string, Function>} */
const ANSWERS = {
  locate,
  /** For a point instead of a ref. @param {number} x @param {number} y */
  locatePoint: (x, y) => {
    const hit = deepHit(document, x, y);
    if (!hit) return { miss: 'out_of_view' };
    armGuard(hit, 0, false);
    startObserving(hit);
    return { ok: true, x, y, id: idOf(hit), on: labelOf(hit), tag: tagOf(hit), sending: pressSends(hit) };
  },
  select: selectOnly,
  keepSecret,
  placesOf,
  /**
   * What elements are called, in every root: for those who compare names and roles with what they must be.
   * @param {string} selector @param {string} mark the attribute whose value is told with each
   * @returns {[string, string, string][]} mark, name, role
   */
  nameAndRole: (selector, mark) => searchRoots().flatMap((root) => [...root.querySelectorAll(selector)].map((el) => {
    const tag = tagOf(el);
    const role = ariaRole(el, tag);
    return /** @type {[string, string, string]} */ ([attr(el, mark) || '', accessibleName(el, tag, role), role]);
  })),
  disarm: disarmGuard,
  armKeys,
  armTyping,
  disarmKeys,
  forbid,
  allow,
  standDown,
  keySends,
  shareGesture,
  effects: awaitEffects,
  stopObserving,
  /** Watches what has the focus. Where that is a frame, its number: what has the focus is in there. */
  observeActive: () => {
    const active = deepActive() || document.documentElement;
    startObserving(active);
    return kindOf(tagOf(active)) & FRAMING ? idOf(active) : 0;
  },
  /** Whether the point that an element was located at is still on it. @param {number} id */
  isHovered: (id) => {
    const el = elementOf(id);
    const hit = deepHit(document, located[0], located[1]);
    return !!el && !!hit && reaches(el, hit);
  },
  awaitText,
  awaitSeen,
  awaitRest,
  awaitChange,
  readBackSoon,
  readBackLater,
  prepareFill,
  putHead,
  pasteInto,
  armField,
  noteCopy,
  readCopy,
  commitFill,
  awaitAnswer,
  mayOffer,
  areOffered,
  armBox,
  readBoxes,
  turn: nextTurn,
  setField,
  beginCalendar,
  readCalendar,
  dayPart,
  calendarPagers,
  calendarConfirm,
  calendarOpener,
  noteConfirms,
  confirmCame,
  clockParts,
  datesStand,
  prepareScale,
  readScale,
  awaitScale,
  noteClick,
  waitOnClick,
  noteCheck,
  checkedNow,
  chooseOptionsSoon,
  readChoice,
  isPickerOpen,
  listOptions,
  listSuggestions,
  takeSuggestion,
  readSuggestion,
  beginWidget,
  lookForChoice,
  seekChoice,
  prepareFilter,
  awaitClosed,
  choiceStands,
  enterBranch,
  leaveBranch,
  closedChoices,
  focusWidget,
  activeChoice,
  /** Another choice beside one, for the pointer to rest on. @param {number} id */
  otherChoice: (id) => choicesNow().find((choice) => choice.id !== id && !choice.disabled) || null,
  tokensNow,
  chosenNow,
  focusOn,
  submitterOf,
  pressed,
  beginDrag,
  middleOf: elementMiddle,
  isDataDrag,
  aimDrag,
  dragOffer,
  endDrag,
  fileField,
  armFileField,
  armDrop,
  dropOffer,
  arrivedFiles,
  endGiving,
  shownAddress,
  openBlob,
  readBlob,
  htmlOf,
  pick,
  /**
   * Waits until the view has that size. @param {number} width @param {number} height @param {number} ms
   * @returns {Promise<[number, number, number]>} its size, and how many pixels of the screen one of its own takes
   */
  viewIs: (width, height, ms) => new Promise((resolve) => {
    const is = () => innerWidth === width && innerHeight === height;
    const end = () => {
      clearTimeout(timer);
      removeEventListener('resize', look);
      resolve([innerWidth, innerHeight, devicePixelRatio]);
    };
    const look = () => is() && end();
    const timer = setTimeout(end, is() ? 0 : ms);
    addEventListener('resize', look);
    look();
  }),
  scroll: scrollPage,
  scrollLeft,
  scrollRoom,
  countText,
  /** How far the document is scrolled, which part of the view is shown (less than all where it is zoomed by touch), and how large the document is. */
  extents: () => {
    const seen = window.visualViewport;
    const root = document.scrollingElement || document.documentElement;
    const view = seen && seen.scale !== 1 ? [seen.offsetLeft, seen.offsetTop, seen.width, seen.height] : [0, 0, innerWidth, innerHeight];
    return { scrolled: [scrollX, scrollY], view, size: [root.scrollWidth, root.scrollHeight] };
  },
  throughFrame,
};

/**
 * The same value with half characters made whole: an answer with one of them could not be read.
 * @param {any} value @returns {any}
 */
const wellFormed = (value) => {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (value === null || typeof value !== 'object') return value;
  for (const key of Object.keys(value)) if (typeof value[key] === 'string' || typeof value[key] === 'object') value[key] = wellFormed(value[key]);
  return value;
};

/** @param {Function} answer */
const answering = (answer) => (/** @type {any[]} */ ...args) => {
  endGesture();
  const value = answer(...args);
  return value instanceof Promise ? value.then(wellFormed) : wellFormed(value);
};

/** @type {any} */ (globalThis).webhand = Object.freeze({
  ...Object.fromEntries(Object.entries(ANSWERS).map(([name, answer]) => [name, answering(answer)])),
  read: readDocument,
  /** The number of an element handed in by the browser. @this {Element} */
  idOf: function idOfThis() {
    return idOf(this);
  },
  /** An element by its number, to be handed to the browser. */
  elementOf,
  /**
   * Notes elements that have listeners. @param {string} keys for each whether some are for keys, `1` or `0` @param {...Element} els
   * @returns {boolean[]} which of them belong to this document: one of a frame of the same origin can be handed in, too
   */
  listen: (keys, ...els) => els.map((el, at) => {
    if (!el || el.ownerDocument !== document) return /** @type {any} */ (el) === document;
    if (keys[at] === '1' && getNodeType.call(el) === 1) listeningToKeys.add(el);
    if (getNodeType.call(el) !== 1 || listening.has(el)) return true;
    listening.add(el);
    note(el);
    // an element in a closed root knows its root
    for (let root = rootNodeOf.call(el); isShadowRoot(root); root = rootNodeOf.call(root.host)) adoptRoot(root);
    return true;
  }),
  /** Notes elements that listen no more. @param {string} _keys @param {...Element} els */
  unlisten: (_keys, ...els) => els.map((el) => listening.delete(el)),
  keepsake,
  standAt,
  takeHosts,
  viewsInRoots,
  /** A closed shadow root, handed in by the browser. */
  adoptRoot,
});
