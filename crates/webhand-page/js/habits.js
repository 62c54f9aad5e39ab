// @ts-check
// What a page does by itself, again and again: a clock, a ticker, an area that scrolls, an address or a focus that moves on.
// To know that, changes are noted from early on: how often, when last and how far apart.

/** @typedef {{count: number, last: number, gap: number, after?: number}} Habit `after`: when it was last seen while something was observed */
/** @type {WeakMap<Node, Habit>} */
const changeHistory = new WeakMap();
/** Of the address and of the focus. @type {{address: Habit, focus: Habit}} */
const turns = { address: { count: 0, last: 0, gap: 0 }, focus: { count: 0, last: 0, gap: 0 } };

/** @param {Habit} known @param {number} now */
const remember = (known, now) => {
  const gap = now - known.last;
  if (known.count > 0 && gap < 5) return; // the same change
  if (known.count > 0) known.gap = known.count === 1 ? gap : (known.gap + gap) / 2;
  known.count++;
  known.last = now;
};

/** A habit goes on while something is observed, though the count of it stands. @param {Habit} known @param {number} now */
const keepHabit = (known, now) => {
  known.after = now;
};

/** Whether it was so again and again until that time: what stopped long before began anew. @param {Habit} known @param {number} at */
const isHabit = (known, at) => known.count > 1 && known.last <= at && at - Math.min(at, Math.max(known.last, known.after || 0)) < Math.max(200, 3 * known.gap);

/** Where areas stood when they were last heard of, or moved by us: a scroll event that finds them there tells nothing. @type {WeakMap<Node, [number, number]>} */
const scrollsKnown = new WeakMap();

/** @param {Node} area @returns {[number, number]} */
const scrollOf = (area) => {
  const el = getNodeType.call(area) === 9 ? document.scrollingElement : /** @type {Element} */ (area);
  return el ? [el.scrollLeft, el.scrollTop] : [0, 0];
};

/** Notes where the areas around an element stand: it was scrolled into view. @param {Element} el */
const noteScrolls = (el) => {
  for (let node = /** @type {Element | null} */ (el); node; node = composedParent(node)) {
    if (node.scrollTop !== 0 || node.scrollLeft !== 0 || scrollsKnown.has(node)) scrollsKnown.set(node, scrollOf(node));
  }
  scrollsKnown.set(document, scrollOf(document));
};

/** Whether an area stands elsewhere than it was last known to. @param {Node} area */
const hasScrolled = (area) => {
  const known = scrollsKnown.get(area);
  const now = scrollOf(area);
  scrollsKnown.set(area, now);
  return !known || known[0] !== now[0] || known[1] !== now[1];
};

/** How often `scheduledSoFar` was asked. */
let timesAsked = 0;
/**
 * How many timers and frames this document was asked for, by a page's scripts or by ours, since some moment in the past.
 * Their numbers are given in turn, to all worlds.
 */
const scheduledSoFar = () => {
  const timer = setTimeout(() => 0);
  clearTimeout(timer);
  const frame = requestAnimationFrame(() => 0);
  cancelAnimationFrame(frame);
  timesAsked++;
  return Number(timer) + frame - 2 * timesAsked;
};
