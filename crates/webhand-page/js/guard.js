// @ts-check
// The event-time check. Capture listeners on the window of our world look at where the real event arrives; if that is not
// the target or inside it, the whole gesture is swallowed before any handler or default action of the page.

const GESTURE = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];

/** @type {{el: Element, verdict: '' | 'hit' | 'miss' | 'lost', on: string, seen: string[], clicks: number} | null} */
let guarded = null;

/** Whether an event on this path is one on the guarded element. @param {Element} el @param {Event} event */
const onTarget = (el, event) => {
  const path = event.composedPath();
  if (path.includes(el)) return true;
  const labels = /** @type {HTMLInputElement} */ (el).labels;
  if (labels) for (const label of labels) if (path.includes(label)) return true;
  if (tagOf(el) === 'area') return path.some((node) => node instanceof Element && reaches(el, node));
  // a closed root ends the path at its host: ask the root itself
  const root = rootNodeOf.call(el);
  if (root instanceof ShadowRoot && root.mode === 'closed' && path.includes(root.host)) {
    const mouse = /** @type {MouseEvent} */ (event);
    const inner = root.elementFromPoint(mouse.clientX, mouse.clientY);
    return !!inner && composedContains(el, inner);
  }
  return false;
};

/** @param {Event} event */
const watchGesture = (event) => {
  if (!guarded || !event.isTrusted) return;
  noteGesture();
  if (guarded.verdict === 'hit' && (event.type === 'click' || event.type === 'auxclick')) {
    guarded.clicks++;
    // what the click itself sets off (a label's control) comes as further clicks
    if (guarded.clicks > 1) return;
    if (!onTarget(guarded.el, event)) {
      // the press landed and moved it away: the click would go to whatever holds both places
      guarded.verdict = 'lost';
      guarded.on = labelOf(event.composedPath()[0]);
    }
  }
  if (guarded.verdict === '') {
    guarded.verdict = onTarget(guarded.el, event) ? 'hit' : 'miss';
    if (guarded.verdict === 'miss') guarded.on = labelOf(event.composedPath()[0]);
  }
  guarded.seen.push(event.type);
  if (guarded.verdict === 'miss' || guarded.verdict === 'lost') {
    event.stopImmediatePropagation();
    event.preventDefault();
  }
};

/** @param {EventTarget | undefined} node @returns {string} a short description */
const labelOf = (node) => {
  if (!(node instanceof Element)) return 'the page';
  const tag = tagOf(node);
  const text = tidy(getTextContent.call(node)).slice(0, 40);
  return text ? `${tag} "${text}"` : tag + (attr(node, 'id') ? `#${attr(node, 'id')}` : '');
};

/** Makes sure of the listeners: document.open() takes them away. One that is there is not added again. */
const armListeners = () => {
  for (const type of GESTURE) addEventListener(type, watchGesture, true);
};

/** @param {Element} el */
const armGuard = (el) => {
  armListeners();
  guarded = { el, verdict: '', on: '', seen: [], clicks: 0 };
};

/** Ends the gesture. @returns {{verdict: string, on: string, seen: string[], there: boolean}} what arrived, and whether it was on the target */
const disarmGuard = () => {
  const report = guarded ? { verdict: guarded.verdict || 'none', on: guarded.on, seen: guarded.seen, there: getIsConnected.call(guarded.el) } : { verdict: 'none', on: '', seen: [], there: true };
  guarded = null;
  return report;
};
