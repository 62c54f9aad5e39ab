// @ts-check
// What an action did, seen in the page: nodes that came, went and changed, values, focus, address, scrolling.
//
// A change that was already coming again and again before the action is none of its doing (habits.js). One that came in the
// very moment of the press surely is; of one that came later, it is told that it did.

/** @type {MutationObserver | null} */
let watcher = null;
/** @type {WeakSet<Node>} */
const watchedRoots = new WeakSet();

/**
 * @typedef {{target: Element | null, started: number, near: number, far: number, added: number, removed: number, sync: number, follow: number, late: number, lateSince: number, timers: number,
 *   doubtful: Map<Node, number[]>, last: number, before: any, scrolled: boolean, scroll: [number, number], active: Element | null, focus: string,
 *   focused: Element | null, href: string, moved: string, movedTo: string, gesture: boolean, begun: boolean, firstReal: number, refused: HTMLInputElement[], submitted: boolean, changed: Set<Node>, moves: Map<Node, {count: number, first: number, last: number}>, moving: boolean}} Observation
 * `target` is null in a document that the action is not for. `sync`: changes in the moment of the gesture; `late`: later ones; `follow`: those of them
 * that go on with what an earlier gesture began; `timers`: how many timers and frames the page asked for in its moment; `focus` and `moved`: how focus and address changed last: `sync`, `late`, or by `habit`; `focused`
 * and `movedTo`: where to, in the moment of the gesture; `moving`: something is moved step by step
 */
/** @type {Observation | null} */
let observing = null;

/** Where something changed since the last read; one more than the most where it was in more places. @type {Set<Node>} */
let changedNodes = new Set();
const CHANGED_MAX = 30;
/** The same with those that were not told yet; `null` where they are too many to be looked at. @returns {Set<Node> | null} */
const changedSinceRead = () => {
  if (!watcher) return null;
  onMutations(watcher.takeRecords());
  return changedNodes.size > CHANGED_MAX ? null : changedNodes;
};

/** @param {MutationRecord[]} records */
const onMutations = (records) => {
  if (records.length > 0) changeCount++;
  const now = performance.now();
  for (let i = 0; i < records.length && changedNodes.size <= CHANGED_MAX; i++) changedNodes.add(records[i].target);
  for (const record of records) {
    const node = record.target;
    const known = changeHistory.get(node);
    if (observing === null || now > observing.started + FORGOTTEN_AFTER) {
      if (!known) changeHistory.set(node, { count: 1, last: now, gap: 0 });
      else remember(known, now);
      continue;
    }
    // a fast ticker changes in the very moment of a press, too
    if (known && isHabit(known, observing.started) && (!observing.gesture || known.count > 5)) {
      keepHabit(known, now);
      continue;
    }
    countChange(observing, record, node, now);
  }
};

/** An observation that nobody ended is over after this long, ms. */
const FORGOTTEN_AFTER = 30000;
/** So far apart are two changes, not one made in two steps, ms. */
const APART = 30;

/** What a gesture changed in its very moment, and when: what comes there later may go on with that. @type {WeakMap<Node, number>} */
const touched = new WeakMap();
/** So long may what a gesture began go on, ms. */
const GOES_ON_FOR = 5000;

/** Whether a change goes on with what the gesture of an earlier action began. @param {Node} node @param {Observation} seen */
const goesOn = (node, seen) => {
  const parent = getParentNode.call(node);
  const at = touched.get(node) || (parent && touched.get(parent));
  return !!at && at < seen.started && seen.started - at < GOES_ON_FOR;
};

/** @param {Observation} seen @param {MutationRecord} record @param {Node} node @param {number} now */
const countChange = (seen, record, node, now) => {
  // where keys go to no element in particular, what changes anywhere is not near it
  const whole = seen.target === document.body || seen.target === document.documentElement;
  const own = seen.target !== null && !whole && (node === seen.target || composedContains(seen.target, node) || composedContains(node, seen.target));
  if (record.type === 'attributes' && own && node === seen.target && /^(class|style|data-focus|data-active|data-hover)/.test(record.attributeName || '')) {
    // hover, focus and active styling is no effect by itself
    if (!seen.gesture) return;
  }
  noteChanged(seen, record);
  seen.added += record.addedNodes.length;
  seen.removed += record.removedNodes.length;
  if (own) seen.near++;
  else seen.far++;
  if (seen.gesture) {
    seen.sync++;
    touched.set(node, now);
  } else {
    if (seen.late++ === 0) seen.lateSince = now;
    if (goesOn(node, seen)) seen.follow++;
  }
  if (record.type === 'attributes' && record.attributeName === 'style') noteMove(seen, node, now);
  const move = seen.moves.get(node);
  if (!move || now - move.first < MOVES_FOR) seen.last = now;
  const small = record.type === 'characterData' || (record.type === 'childList' && onlyText(record)) || record.type === 'attributes';
  // whoever has not been watched for long may be changing all the time
  if ((small || now - watchedSince < CLOCK_MAX) && !own && !seen.gesture) doubt(seen, node, now);
  else seen.firstReal = seen.firstReal || now;
};

/** So many places of change are kept. */
const NOTED_MAX = 300;

/** Notes what came or may be shown now. @param {Observation} seen @param {MutationRecord} record */
const noteChanged = (seen, record) => {
  if (record.type === 'attributes') seen.changed.add(record.target);
  for (const node of record.addedNodes) if (seen.changed.size < NOTED_MAX && isElement(node)) seen.changed.add(node);
};

/** What the last observation saw change. @type {Set<Node>} */
let lastChanged = new Set();

/** @param {Element} el */
const mayBeOffer = (el) => /^(option|menuitem|menuitemcheckbox|menuitemradio|treeitem|link|button|gridcell|checkbox|radio|tab)$/.test(explicitRole(el))
  || /^(a|button|option|input|select|textarea|li)$/.test(tagOf(el)) || listening.has(el) || has(el, 'onclick') || has(el, 'tabindex');

/** Whether controls may be among what changed: whether it pays to look. @returns {boolean} */
const mayOffer = () => {
  const changed = observing ? observing.changed : lastChanged;
  let left = 400;
  for (const node of changed) {
    const el = /** @type {Element} */ (node);
    if (!getIsConnected.call(el) || (observing && observing.target && composedContains(el, observing.target))) continue;
    if (mayBeOffer(el)) return true;
    for (const inner of queryAll.call(el, '*')) {
      if (--left < 0 || mayBeOffer(inner)) return true;
    }
    // the hand tells of what has no other mark
    const styled = /** @type {Element[]} */ ([el, ...queryAll.call(el, '*')]).slice(0, 30);
    if (styled.some((one) => getComputedStyle(one).cursor === 'pointer')) return true;
  }
  return false;
};

/** Which of these elements came up, by what changed. @param {number[]} ids @returns {boolean[]} */
const areOffered = (ids) => {
  const changed = observing ? observing.changed : lastChanged;
  const target = observing && observing.target;
  return ids.map((id) => {
    const el = elementOf(id);
    if (!el || (target && composedContains(el, target))) return false;
    for (let node = /** @type {Element | null} */ (el); node; node = composedParent(node)) if (changed.has(node)) return true;
    return false;
  });
};

/** So many changes of its style, one after another, and a script is moving it. */
const MOVES_MIN = 3;
/** How far apart the steps of such a move come, and how far at most on a busy page, ms. */
const STEP = 40;
const STEP_MAX = 100;

/** What is moved for so long goes to no place: a ticker, or a sign that something is under way, ms. */
const MOVES_FOR = 1000;

/** @param {Observation} seen @param {Node} node @param {number} now */
const noteMove = (seen, node, now) => {
  const known = seen.moves.get(node);
  if (!known) seen.moves.set(node, { count: 1, first: now, last: now });
  else if (now - known.last >= 4) {
    known.count++;
    known.last = now;
    if (known.count >= MOVES_MIN) seen.moving = true;
  }
};

/**
 * A small change elsewhere, after the press: its late answer, or a clock. Two of them tell how far apart they come; if the
 * one before did not come though somebody watched, it began with the press.
 * @param {Observation} seen @param {Node} node @param {number} now
 */
const doubt = (seen, node, now) => {
  const times = seen.doubtful.get(node);
  const known = changeHistory.get(node);
  /** Whether somebody watched since then and saw nothing of it. */
  const still = (/** @type {number} */ since) => watchedSince < since && !(known && Math.max(known.last, known.after || 0) >= since);
  if (!times) seen.doubtful.set(node, [now]);
  else if (times.length > 1) times[2] = now;
  else if (now - times[0] >= APART) times.push(now);
  const [first, second] = times || [now];
  if (still(second ? first - 1.5 * (second - first) - LATE : first - CLOCK_MAX)) seen.firstReal = seen.firstReal || now;
};

/** How late a tick may come on a busy page, ms. */
const LATE = 100;
/** A clock ticks at least this often, ms: so long is watched for one, before a change or after it. */
const CLOCK_MAX = 1300;
let watchedSince = Infinity;

/** @param {MutationRecord} record */
const onlyText = (record) => {
  for (const list of [record.addedNodes, record.removedNodes]) for (const node of list) if (getNodeType.call(node) !== 3) return false;
  return true;
};

/** An area that scrolls by itself, again and again, is like a clock. @param {Event} event */
const onScroll = (event) => {
  const area = /** @type {Node} */ (event.target);
  const now = performance.now();
  if (!hasScrolled(area)) return;
  const known = changeHistory.get(area);
  if (!observing) {
    if (known) remember(known, now);
    else changeHistory.set(area, { count: 1, last: now, gap: 0 });
  } else if (known && isHabit(known, observing.started)) keepHabit(known, now);
  else observing.scrolled = true;
};

/** Whether the address is where the link leads that is or holds the element. @param {Element | null} el */
const leadsHere = (el) => {
  for (let node = el; node; node = composedParent(node)) if (/^(a|area)$/.test(tagOf(node)) && /** @type {HTMLAnchorElement} */ (node).href === location.href) return true;
  return false;
};

/** The address or the focus changed. @param {'address' | 'focus'} what */
const onTurnOf = (what) => {
  const now = performance.now();
  const key = what === 'address' ? 'moved' : 'focus';
  if (!observing) return remember(turns[what], now);
  if (observing.gesture || (what === 'address' && leadsHere(observing.target))) {
    observing[key] = 'sync';
    if (what === 'address') observing.movedTo = location.href;
    else observing.focused = deepActive();
  }
  else if (isHabit(turns[what], observing.started)) {
    keepHabit(turns[what], now);
    observing[key] = 'habit';
  } else observing[key] = 'late';
};

/** What changes without a mutation: a popover that opens, a form that is set back. */
const onTurn = () => {
  if (!observing) return;
  observing.far++;
  observing.last = performance.now();
  observing.firstReal = observing.firstReal || observing.last;
};

/** A field that the browser found not valid: while a press is carried out, it refuses to send the form. @param {Event} event */
const onInvalid = (event) => {
  if (observing && observing.gesture && event.isTrusted && isElement(event.target)) observing.refused.push(/** @type {HTMLInputElement} */ (event.target));
};

const onSubmit = () => {
  if (observing) observing.submitted = true;
};

/** The fields for which a form was not sent that this press was to send. @param {Observation} seen */
const refusalsOf = (seen) => {
  const form = seen.target && 'form' in seen.target && tagOf(seen.target) !== 'form' ? /** @type {HTMLInputElement} */ (seen.target).form : null;
  if (seen.submitted || !form) return [];
  return seen.refused.filter((el) => el.form === form && getIsConnected.call(el)).slice(0, 3).map((el) => {
    const tag = tagOf(el);
    return { id: idByElement.get(el) || 0, name: short(nameOf(el, tag, roleOf(el, tag), false, factsOf(el)), 80), message: short(el.validationMessage, 200) };
  });
};

/** Watches this document and its shadow roots from now on. */
const watchChanges = () => {
  if (!watcher) {
    watcher = new MutationObserver(onMutations);
    watchedSince = performance.now();
    addEventListener('scroll', onScroll, { capture: true, passive: true });
    addEventListener('invalid', onInvalid, true);
    addEventListener('submit', onSubmit, true);
    addEventListener('focusin', () => onTurnOf('focus'), true);
    const history = /** @type {EventTarget | undefined} */ (/** @type {any} */ (window).navigation);
    if (history) history.addEventListener('currententrychange', () => onTurnOf('address'));
    for (const type of ['toggle', 'reset', 'fullscreenchange']) addEventListener(type, onTurn, true);
  }
  const options = { childList: true, characterData: true, attributes: true, subtree: true };
  if (!watchedRoots.has(document)) {
    watchedRoots.add(document);
    watcher.observe(document, options);
  }
};

/** @param {ShadowRoot} root */
const watchRoot = (root) => {
  if (!watcher || watchedRoots.has(root)) return;
  watchedRoots.add(root);
  watcher.observe(root, { childList: true, characterData: true, attributes: true, subtree: true });
};

/**
 * Called when a real event of a gesture arrives: changes until its task ends are its doing. What came before its first one,
 * by the pointer that moved there or while the browser was busy, is not.
 */
const noteGesture = () => {
  if (!observing || observing.gesture) return;
  const mine = observing;
  if (!mine.begun) {
    if (watcher) onMutations(watcher.takeRecords());
    Object.assign(mine, { begun: true, started: performance.now(), near: 0, far: 0, added: 0, removed: 0, sync: 0, late: 0, lateSince: 0, follow: 0, timers: 0, doubtful: new Map(), last: 0, firstReal: 0,
      scrolled: false, active: deepActive(), focus: '', focused: null, href: location.href, moved: '', movedTo: '', changed: new Set(), moves: new Map(), moving: false });
  }
  mine.gesture = true;
  // what its handlers do in the other documents that they reach is its doing, too
  for (const other of around) other.shareGesture(true);
  const asked = scheduledSoFar();
  endGesture = () => {
    endGesture = nothing;
    mine.gesture = false;
    mine.timers += scheduledSoFar() - asked;
    for (const other of around) other.shareGesture(false);
  };
  afterThisTask(() => endGesture());
};
/** Calls back in a task that comes before those of timers, where the browser has such. @type {(then: () => void) => void} */
const afterThisTask = (() => {
  const scheduler = /** @type {any} */ (window).scheduler;
  if (scheduler) return (/** @type {() => void} */ then) => scheduler.postTask(then, { priority: 'user-blocking' });
  const channel = new MessageChannel();
  return (/** @type {() => void} */ then) => {
    channel.port1.onmessage = then;
    channel.port2.postMessage(0);
  };
})();
const nothing = () => {};
/** The moment of the gesture is over: its task ended, or we are called, in another one. */
let endGesture = nothing;

/** A gesture is being carried out in another document. @param {boolean} is */
const shareGesture = (is) => {
  if (watcher) onMutations(watcher.takeRecords());
  if (observing) observing.gesture = is;
};

/** Until when the timers of an earlier action may still have their effect. */
let earlierUntil = 0;

/** What is observed is over, or gives way to what comes. */
const endObserving = () => {
  // what changed again and again meanwhile may go on: the next action is to know of it
  if (observing) {
    for (const [node, times] of observing.doubtful) {
      if (times.length > 1) changeHistory.set(node, { count: times.length, last: times[times.length - 1], gap: times[1] - times[0] });
    }
  }
  if (observing && observing.timers > 0) earlierUntil = Math.max(earlierUntil, observing.started + GOES_ON_FOR);
  if (observing) lastChanged = observing.changed;
  observing = null;
};

/** Whether all that came late may be the doing of an earlier action: this one asked for no time, and an earlier one did, or changed the same before. @param {Observation} seen */
const isEarlier = (seen) => seen.late > 0 && seen.timers === 0 && (seen.lateSince < earlierUntil || seen.follow === seen.late);

/** What of a control can change by itself. @param {Element} el */
const liveOf = (el) => {
  const connected = getIsConnected.call(el);
  if (!connected) return { connected };
  const state = stateOf(el, tagOf(el), roleOf(el, tagOf(el)), factsOf(el));
  return { connected, value: state.value, secret: state.secret, checked: state.checked, selected: state.selected, expanded: state.expanded, pressed: state.pressed, chosen: state.chosen,
    current: state.current, invalid: state.invalid, disabled: state.disabled };
};

/** @param {Element | null} target none for a document that the action is not for */
const startObserving = (target) => {
  watchChanges();
  for (let node = /** @type {Node | null} */ (target); node; node = composedParent(node)) {
    const root = rootNodeOf.call(node);
    if (isShadowRoot(root)) {
      watchRoot(root);
      node = root.host;
    } else break;
  }
  if (watcher) onMutations(watcher.takeRecords());
  endObserving();
  const root = document.scrollingElement;
  observing = { target, started: performance.now(), near: 0, far: 0, added: 0, removed: 0, sync: 0, late: 0, lateSince: 0, follow: 0, timers: 0, doubtful: new Map(), last: 0,
    before: target && liveOf(target), scrolled: false, scroll: [scrollX, root ? root.scrollTop : 0], active: deepActive(), focus: '', focused: null, href: location.href, moved: '', movedTo: '',
    gesture: false, begun: false, firstReal: 0, refused: [], submitted: false, changed: new Set(), moves: new Map(), moving: false };
};

/** @param {Observation} seen @returns {Record<string, any>} what of the target itself is otherwise than before */
const targetChanges = (seen) => {
  /** @type {Record<string, any>} */
  const changed = {};
  if (!seen.target) return changed;
  const after = /** @type {Record<string, any>} */ (liveOf(seen.target));
  // a target that went is told by that alone
  for (const key of after.connected ? Object.keys({ ...seen.before, ...after }) : ['connected']) {
    if (JSON.stringify(seen.before[key]) !== JSON.stringify(after[key])) changed[key] = after[key] === undefined ? null : after[key];
  }
  return changed;
};

/** Whether text can be put into what has the focus. @param {Element} active */
const isTextField = (active) => /^(textarea|select)$/.test(tagOf(active)) || isEditor(active)
  || (tagOf(active) === 'input' && !/^(button|submit|reset|image|checkbox|radio|file)$/.test(/** @type {HTMLInputElement} */ (active).type));

/** @param {Observation} seen */
const effectsOf = (seen) => {
  if (watcher) onMutations(watcher.takeRecords());
  const changed = targetChanges(seen);
  const active = seen.focus === 'habit' ? seen.focused || seen.active : deepActive();
  const focusMoved = active !== seen.active;
  // focus that lands on the target or around it is what any click does
  const ownFocus = !active || active === document.body || (seen.target !== null && (composedContains(active, seen.target) || composedContains(seen.target, active)));
  // nor one that goes to the frame in which the action is
  const elsewhere = seen.target === null && (!active || (kindOf(tagOf(active)) & FRAMING) !== 0);
  const focusCounts = focusMoved && !elsewhere && (!ownFocus || (!!active && isTextField(active)));
  const address = seen.movedTo || (seen.moved === 'habit' ? seen.href : location.href);
  const moved = address !== seen.href;
  const refused = refusalsOf(seen);
  const onlyDoubtful = seen.near === 0 && seen.firstReal === 0 && seen.far > 0;
  const root = document.scrollingElement;
  return {
    near: seen.near, far: seen.far, added: seen.added, removed: seen.removed, changed,
    focus: focusMoved && active ? (idByElement.get(active) || 0) : null,
    focusCounts,
    moved: moved ? address : null,
    scrolled: seen.scrolled ? [Math.round(scrollX - seen.scroll[0]), Math.round((root ? root.scrollTop : 0) - seen.scroll[1])] : null,
    doubtful: onlyDoubtful,
    refused,
    // of what is surely the action's own doing, something
    prompt: seen.sync > 0 || seen.near > 0 || refused.length > 0 || Object.keys(changed).length > 0 || (focusCounts && seen.focused !== null) || (moved && seen.movedTo !== ''),
    ago: seen.late > 0 ? performance.now() - seen.lateSince : 0,
    earlier: isEarlier(seen),
    any: refused.length > 0 || (seen.near + seen.far > 0 && !onlyDoubtful) || Object.keys(changed).length > 0 || focusCounts || moved || seen.scrolled,
  };
};

/** One frame, or 60 ms where none is drawn. */
const oneFrame = () => new Promise((resolve) => {
  const timer = setTimeout(() => resolve(undefined), 60);
  requestAnimationFrame(() => {
    clearTimeout(timer);
    resolve(undefined);
  });
});

/**
 * The next step of what may be moved by a script, or as long as one takes: in time, and in frames, which a busy page draws late.
 * @param {Observation} seen @param {number} mark when the last change was seen
 */
const nextStep = async (seen, mark) => {
  const frames = oneFrame().then(oneFrame);
  await nextChange(seen.moving ? STEP_MAX : STEP);
  if (watcher) onMutations(watcher.takeRecords());
  if (seen.last === mark) await frames;
};

/**
 * Waits until something was seen and a frame (where a script moves things, a step) went by without more, or `patience` ms with nothing.
 * @param {number} patience ms to wait for a first effect
 * @param {number} cap ms altogether
 * @param {boolean} sure something else is known to have followed: a small change needs no proof
 * @param {number} quiet for so many ms from now on nothing must change any more, one frame at least
 * @returns {Promise<any>} the effects
 */
const awaitEffects = async (patience, cap, sure, quiet) => {
  const seen = observing;
  if (!seen) return null;
  const begun = performance.now();
  for (;;) {
    const effects = effectsOf(seen);
    const now = performance.now();
    if (now - begun > cap) return effects;
    if (effects.any) {
      const mark = seen.last;
      // what a script moves is where it should be once the steps end, and not after a frame without one
      await (seen.moving || seen.moves.size > 0 ? nextStep(seen, mark) : oneFrame());
      if (watcher) onMutations(watcher.takeRecords());
      if (seen.last === mark && performance.now() - Math.max(begun, mark) >= quiet) return effectsOf(seen);
      continue;
    }
    if (now - begun >= patience) {
      if (!effects.doubtful) return effects;
      return sure ? { ...effects, any: true } : settleDoubt(seen);
    }
    await nextChange(Math.max(1, patience - (now - begun)));
  }
};

/** A clock is known by that it goes on for so long, ms: what a press sets moving comes to rest before. */
const CLOCK_MIN = 700;
/** So often is looked whether a change is over, ms: that nothing comes any more, nothing tells. */
const CHECKED_EACH = 100;

/** What a place of small changes turned out to be, if it is known already. @param {number[]} times the first, the second and the last @returns {'clock' | 'over' | null} */
const turnedOut = (times) => {
  if (times.length === 1) return null;
  const [first, second, last = second] = times;
  const gap = second - first;
  if (performance.now() - last > Math.max(200, 3 * gap)) return 'over';
  return last - first >= CLOCK_MIN ? 'clock' : null;
};

/**
 * Only small changes far from the target were seen, some time after the press: its late answer, or a clock. A clock
 * ticks again and goes on, and did before.
 * @param {Observation} seen
 */
const settleDoubt = async (seen) => {
  const until = performance.now() + CLOCK_MAX;
  for (;;) {
    const effects = effectsOf(seen);
    if (effects.any) return effects;
    const verdicts = [...seen.doubtful.values()].map(turnedOut);
    if (verdicts.includes('over')) return { ...effects, any: true };
    if (verdicts.every((verdict) => verdict === 'clock')) return { ...effects, recurring: true };
    const left = until - performance.now();
    if (left <= 0) return { ...effects, any: true };
    await nextChange(Math.min(left, CHECKED_EACH));
  }
};

/** The next change, or `ms`. @param {number} ms */
const nextChange = (ms) => new Promise((resolve) => {
  const waker = new MutationObserver(() => finish());
  const onInput = () => finish();
  const timer = setTimeout(() => finish(), ms);
  const finish = () => {
    clearTimeout(timer);
    waker.disconnect();
    removeEventListener('input', onInput, true);
    removeEventListener('change', onInput, true);
    removeEventListener('focusin', onInput, true);
    removeEventListener('scroll', onInput, true);
    resolve(undefined);
  };
  waker.observe(document, { childList: true, characterData: true, attributes: true, subtree: true });
  for (const type of ['input', 'change', 'focusin', 'scroll']) addEventListener(type, onInput, { capture: true, passive: true });
});

const stopObserving = () => endObserving();

/**
 * Waits until a text is shown, or gone.
 * @param {string} text @param {boolean} shown @param {number} ms
 * @returns {Promise<boolean>} whether it is so
 */
const awaitText = async (text, shown, ms) => awaitTrue(() => (placesOfText(text, 1).length > 0) === shown, ms);

/** @param {() => boolean} holds @param {number} ms @returns {Promise<boolean>} */
const awaitTrue = async (holds, ms) => {
  const until = performance.now() + ms;
  for (;;) {
    const began = performance.now();
    if (holds()) return true;
    const took = performance.now() - began;
    const left = until - performance.now();
    if (left <= 0) return false;
    // styles and timers change what is shown without a mutation: look again now and then
    await nextChange(Math.min(left, 250));
    await after(Math.min(took / SEARCH_SHARE - took, Math.max(0, until - performance.now())));
  }
};
