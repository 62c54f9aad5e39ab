// @ts-check
// The event-time check. Capture listeners on the window of our world look at where the real event arrives; if that is not
// the target or inside it, the whole press is swallowed before any handler or default action of the page. While a gesture
// is meant for one frame, the others swallow all of it that strays to them.

const GESTURE = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
const KEYS = ['keydown', 'keypress', 'keyup', 'beforeinput'];

/**
 * @typedef {'' | 'hit' | 'miss' | 'lost'} Verdict `lost`: pressed on the target, and released elsewhere
 * @typedef {{el: Element, words: string, verdict: Verdict, press: Verdict, presses: number, on: string, clicks: number, own: number, menu: boolean, within: boolean, held: boolean}} Guarded
 */
/** `verdict` is that of the first press, `press` of the present one; `clicks` counts those that arrived. @type {Guarded | null} */
let guarded = null;
/**
 * Keys that are meant for one element: every one, or the first; or, without one, for whatever takes text.
 * @type {{el: Element | null, every: boolean, verdict: Verdict, on: string} | null}
 */
let keysGuarded = null;
/** Until when nothing of a gesture may arrive in this frame, and where it did. */
let forbiddenUntil = 0;
let strayedOn = '';

/**
 * Another control between the place where an event arrives and the element that it is for: it would get the event first.
 * @param {Node[]} path from the innermost node outwards @param {Node} el
 * @returns {Element | null}
 */
const controlBefore = (path, el) => {
  const driven = isElement(el) ? targetOf(el) : null;
  for (const node of path) {
    if (node === el || node === driven) return null;
    if (isElement(node) && isOwnControl(node) && targetOf(node) !== el) return node;
  }
  return null;
};

/** Whether a click on an element is for it alone: a native control, or a widget by its role. @param {Element} el */
const isOwnControl = (el) => {
  switch (tagOf(el)) {
    case 'a': case 'area': return has(el, 'href') && !isDeclaredPart(el);
    case 'button': case 'select': case 'textarea': case 'summary': case 'iframe': return true;
    case 'input': return /** @type {HTMLInputElement} */ (el).type !== 'hidden';
    case 'label': return /** @type {HTMLLabelElement} */ (el).control !== null;
    default: return WIDGETS.has(explicitRole(el)) || isEditableRoot(el);
  }
};

/** Whether an event on this path is one on the guarded element. @param {{el: Element, within: boolean}} mine @param {Event} event */
const onTarget = ({ el, within }, event) => {
  const path = /** @type {Node[]} */ (event.composedPath());
  if (within && path.includes(el)) return true;
  const stand = standIns.get(el);
  for (const own of [el, ...(stand ? [stand] : []), ...labelsOf(el)]) if (path.includes(own)) return controlBefore(path, own) === null || controlBefore(path, el) === null;
  if (tagOf(el) === 'area') return path.some((node) => isElement(node) && reaches(el, node));
  // a closed root ends the path at its host: ask the outermost one itself
  for (let root = rootNodeOf.call(el); isShadowRoot(root); root = rootNodeOf.call(root.host)) {
    if (root.mode !== 'closed' || !path.includes(root.host)) continue;
    const mouse = /** @type {MouseEvent} */ (event);
    const inner = deepHit(root, mouse.clientX, mouse.clientY);
    return !!inner && composedContains(el, inner) && controlBefore(pathOf(inner), el) === null;
  }
  return false;
};

/** @param {Event} event */
const swallow = (event) => {
  event.stopImmediatePropagation();
  event.preventDefault();
};

/** Whether this frame must not get the event. @param {Event} event */
const isForbidden = (event) => {
  if (performance.now() > forbiddenUntil) return false;
  strayedOn = strayedOn || labelOf(event.composedPath()[0]);
  swallow(event);
  return true;
};

/** @param {Event} event */
const watchGesture = (event) => {
  if (!event.isTrusted || isForbidden(event)) return;
  noteGesture();
  const mine = guarded;
  if (!mine) return;
  if (event.type === 'pointerdown' || mine.press === '') {
    mine.presses++;
    mine.own = 0;
    judge(mine, event, onTarget(mine, event) && (mine.presses > 1 || wordsOf(mine.el) === mine.words) ? 'hit' : 'miss');
  }
  if (mine.press === 'hit' && (mine.menu || mine.held) && !onTarget(mine, event)) {
    // the menu that was asked for, or what a long press brings up, comes under the pointer: the gesture was done before
    if (isOnOther(mine.el, event)) swallow(event);
    return;
  }
  // a release over what came under the pointer meanwhile would be one on that
  if (mine.press === 'hit' && (event.type === 'pointerup' || event.type === 'mouseup') && getIsConnected.call(mine.el) && !onTarget(mine, event)) judge(mine, event, 'lost');
  if (mine.press === 'hit' && (event.type === 'click' || event.type === 'auxclick')) {
    // what the click itself sets off (a label's control) comes as further clicks
    if (++mine.own > 1) return;
    // the press landed and moved it away: the click would go to whatever holds both places
    if (onTarget(mine, event)) mine.clicks++;
    else judge(mine, event, 'lost');
  }
  if (mine.press !== 'hit') swallow(event);
  else if (event.type === 'contextmenu') mine.menu = true;
};

/** Whether an event is on another control, which would take it for a press of its own. @param {Element} el @param {Event} event */
const isOnOther = (el, event) => event.composedPath().some((node) => isElement(node) && node !== el && isOwnControl(node) && !composedContains(node, el));

/** What a control is by its own words: a pointer that comes near may change them. @param {Element} el */
const wordsOf = (el) => `${short(getTextContent.call(el), 200)}|${attr(el, 'aria-label')}|${attr(el, 'href')}|${attr(el, 'type')}`;

/** @param {Guarded} mine @param {Event} event @param {Verdict} press */
const judge = (mine, event, press) => {
  mine.press = press;
  if (mine.presses === 1) mine.verdict = press;
  if (press !== 'hit') mine.on = labelOf(event.composedPath()[0]);
};

/** @param {Event} event */
const watchKeys = (event) => {
  if (!event.isTrusted || isForbidden(event)) return;
  noteGesture();
  const mine = keysGuarded;
  if (!mine || (mine.verdict === 'hit' && !mine.every)) return;
  const path = /** @type {Node[]} */ (event.composedPath());
  const active = deepActive();
  // keys go to what has the focus: to the element, something in it, or the field that it is around
  const right = mine.el ? path.includes(mine.el) || path.includes(targetOf(mine.el)) || composedContains(mine.el, active) : !!active && takesText(active);
  if (mine.verdict !== 'miss') mine.verdict = right ? 'hit' : 'miss';
  if (mine.verdict === 'hit') return;
  mine.on = mine.on || labelOf(path[0]);
  swallow(event);
};

/** @param {EventTarget | undefined} node @returns {string} a short description */
const labelOf = (node) => {
  if (!isElement(node)) return 'the page';
  const tag = tagOf(node);
  if (tag === 'html' || tag === 'body') return 'the page';
  const text = short(tidy(seenText(node)), 40);
  return text ? `${tag} "${text}"` : tag + (attr(node, 'id') ? `#${attr(node, 'id')}` : '');
};

/**
 * Makes sure of the listeners: document.open() takes them away. One that is there is not added again; but in a window that
 * a page opened, those of its first, empty document stay and are not called, until one is added anew (Chromium 156).
 */
const armListeners = () => {
  heard = false;
  document.dispatchEvent(new Event(PING));
  if (heard) return;
  removeEventListener('keyup', watchKeys, true);
  for (const type of GESTURE) addEventListener(type, watchGesture, true);
  for (const type of KEYS) addEventListener(type, watchKeys, true);
  addEventListener(PING, onPing, true);
};

/** Asks whether listeners are called at all, by an event of no known name: to add them all again costs many times as much. */
const PING = `ping-${Math.random()}`;
let heard = false;
const onPing = () => {
  heard = true;
};

/** An order to keep out is forgotten after this long, ms: a person may be at the page, too. */
const FORBIDDEN_FOR = 3000;

/** Frames in shadow trees, which no window counts among its own. @type {WeakRef<Element>[]} */
let framesInRoots = [];
/** @returns {any[]} their windows */
const viewsInRoots = () => {
  const there = framesInRoots.map((ref) => ref.deref()).filter((el) => !!el && getIsConnected.call(el));
  return there.map((el) => /** @type {HTMLIFrameElement} */ (el).contentWindow).filter((view) => !!view);
};

/** The libraries of the other documents that can be reached from here; those of other origins are asked from outside. */
const neighbours = () => {
  const views = [/** @type {any} */ (window.top)];
  const found = [];
  for (let i = 0; i < views.length && i < 500; i++) {
    for (let inner = 0; inner < views[i].length; inner++) views.push(views[i][inner]);
    try {
      if (!views[i].webhand) continue;
      views.push(...views[i].webhand.viewsInRoots());
      if (views[i] !== window) found.push(views[i].webhand);
    } catch {
      // of another origin
    }
  }
  return found;
};

/** Whether there is no other document on the page. */
const isAlone = () => window.top === window && window.length === 0 && framesInRoots.length === 0;

/** The libraries of the other documents that the handlers of the coming gesture reach. @type {any[]} */
let around = [];

/** Keeps the gesture that begins out of the other documents; what happens in a frame that is the target is its own. @param {Element} el @param {number} ms */
const forbidElsewhere = (el, ms) => {
  forbiddenUntil = 0;
  around = isAlone() ? [] : neighbours();
  if (!(kindOf(tagOf(el)) & FRAMING)) for (const other of around) other.forbid(ms);
};

/** Ends that. @returns {string} what it would have met there */
const allowElsewhere = () => {
  if (isAlone()) return '';
  return neighbours().map((other) => other.allow()).find((met) => met !== '') || '';
};

/** @param {Element} el @param {number} hold ms for which the press is held @param {boolean} within another control in it will do */
const armGuard = (el, hold, within) => {
  armListeners();
  forbidElsewhere(el, FORBIDDEN_FOR + hold);
  guarded = { el, words: wordsOf(el), verdict: '', press: '', presses: 0, on: '', clicks: 0, own: 0, menu: false, within, held: hold > 0 };
};

/** Whether one like a target that went stands where it was pressed. @param {Guarded} mine */
const standsAgain = (mine) => {
  for (let node = deepHit(document, located[0], located[1]); node; node = composedParent(node)) {
    if (tagOf(node) === tagOf(mine.el) && wordsOf(node) === mine.words) return true;
  }
  return false;
};

/** Whether the press arrived on its target; the guard stays. */
const pressed = () => (guarded ? { verdict: guarded.verdict || 'none', on: guarded.on } : { verdict: 'gone' });

/** Ends the gesture. @returns {any} what arrived, and whether it was on the target; `gone` where another document stands here */
const disarmGuard = () => {
  const strayed = allowElsewhere();
  const mine = guarded;
  guarded = null;
  if (!mine) return { verdict: 'gone' };
  const there = getIsConnected.call(mine.el) && checkVisibilityOf.call(mine.el);
  const report = { verdict: mine.verdict || 'none', clicks: mine.clicks, menu: mine.menu, on: mine.on, there, again: !there && standsAgain(mine), sync: observing ? observing.sync : 0 };
  return strayed ? { ...report, verdict: 'miss', on: strayed } : report;
};

/** Keys to come are meant for that element. @param {number} id @param {boolean} every or else only the first @param {number} ms for how long at most */
const armKeys = (id, every, ms) => {
  const el = elementOf(id);
  armListeners();
  if (el) forbidElsewhere(el, ms);
  keysGuarded = el ? { el, every, verdict: '', on: '' } : null;
};

/** Whether keys put text into it. @param {Element} el */
const takesText = (el) => isEditor(el) || tagOf(el) === 'textarea'
  || (tagOf(el) === 'input' && !/^(button|submit|reset|image|checkbox|radio|file|range|color)$/.test(/** @type {HTMLInputElement} */ (el).type));

/** Text is to be typed: where it begins in a field, none of it may go to what takes no text. */
const armTyping = () => {
  const active = deepActive();
  armListeners();
  keysGuarded = active && takesText(active) ? { el: null, every: true, verdict: '', on: '' } : null;
};

/** @returns {{verdict: string, on: string}} whether they arrived there */
const disarmKeys = () => {
  const strayed = allowElsewhere();
  const { verdict, on } = keysGuarded || { verdict: '', on: '' };
  keysGuarded = null;
  return strayed && verdict !== 'miss' ? { verdict: 'miss', on: strayed } : { verdict: verdict || 'none', on };
};

/** A gesture begins that is meant for another frame. @param {number} ms until when it is over at the latest */
const forbid = (ms) => {
  armListeners();
  guarded = null;
  keysGuarded = null;
  strayedOn = '';
  forbiddenUntil = performance.now() + ms;
  // what the gesture does may show here
  startObserving(null);
};

/** That gesture ended. @returns {string} what it would have met here; '' where nothing came */
const allow = () => {
  forbiddenUntil = 0;
  return strayedOn;
};

/** The action that armed this is over before its end: what comes now is somebody else's. */
const standDown = () => {
  guarded = null;
  keysGuarded = null;
  forbiddenUntil = 0;
  if (dragging) dragging.forget();
  if (giving) giving.forget();
  dragging = giving = null;
  stopObserving();
};
