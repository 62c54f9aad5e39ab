// @ts-check
// Scrolling, with how far it really went and how much is left.

/**
 * @typedef {{to: string, amount: number, unit: string, text?: string, id?: number, container?: number}} ScrollOrder
 * @typedef {{x: [number, number], y: [number, number]}} Extent from where to where an area can be scrolled by a person, along each axis
 */

/** How much of the view an inner area must take to be scrolled in place of the page. */
const LARGE = 0.3;
/** So little further is no scrolling, CSS pixels. */
const STILL = 1;
/** Until an area is at rest, it is waited so long, ms. */
const RESTS_WITHIN = 1000;

/** @param {Element} area */
const isPage = (area) => area === (document.scrollingElement || document.documentElement);

/** How large the part of an area is that is seen at once. @param {Element} area @returns {[number, number]} */
const portOf = (area) => (isPage(area) ? [innerWidth, innerHeight] : [area.clientWidth, area.clientHeight]);

/** @param {Element} area @returns {Extent} */
const extentsFor = (area) => {
  // whether a page scrolls is told on its root or, where that says nothing, on its body
  const own = getComputedStyle(area);
  const said = isPage(area) && own.overflowX === 'visible' && own.overflowY === 'visible' && document.body ? getComputedStyle(document.body) : own;
  const [width, height] = portOf(area);
  const back = runsBack(own);
  const along = (/** @type {string} */ overflow, /** @type {number} */ most, /** @type {boolean} */ reversed) => {
    const may = isPage(area) ? !/hidden|clip/.test(overflow) : /auto|scroll/.test(overflow);
    const range = may ? Math.max(0, most) : 0;
    return /** @type {[number, number]} */ (reversed ? [-range, 0] : [0, range]);
  };
  return { x: along(said.overflowX, area.scrollWidth - width, back.x), y: along(said.overflowY, area.scrollHeight - height, back.y) };
};

/** Along which axis an order goes. @param {string} to @param {Extent} extent @returns {'x' | 'y'} */
const axisOf = (to, extent) => {
  if (to === 'left' || to === 'right') return 'x';
  return to === 'percent' && extent.y[1] - extent.y[0] <= STILL && extent.x[1] - extent.x[0] > STILL ? 'x' : 'y';
};

/** How far an area can still go the way of an order. @param {Element} area @param {string} to */
const roomFor = (area, to) => {
  const extent = extentsFor(area);
  const axis = axisOf(to, extent);
  const [from, until] = extent[axis];
  const at = axis === 'x' ? area.scrollLeft : area.scrollTop;
  if (/^(up|left|top)$/.test(to)) return at - from;
  return to === 'percent' ? until - from : until - at;
};

/** All areas in or around this element that could be scrolled along an axis. @param {ParentNode} root @param {'x' | 'y'} axis @returns {Element[]} */
const areasIn = (root, axis) => {
  const found = [];
  const roots = [root];
  for (let i = 0; i < roots.length && i < 2000; i++) {
    for (const el of roots[i].querySelectorAll('*')) {
      const shadow = shadowOf(el);
      if (shadow) roots.push(shadow);
      if (axis === 'y' ? el.scrollHeight <= el.clientHeight + STILL : el.scrollWidth <= el.clientWidth + STILL) continue;
      if (isPage(el) || el === document.body || el.clientHeight < 20 || el.clientWidth < 20) continue;
      if (!/auto|scroll/.test(getComputedStyle(el)[axis === 'y' ? 'overflowY' : 'overflowX']) || !checkVisibilityOf.call(el, { visibilityProperty: true, opacityProperty: true })) continue;
      found.push(el);
    }
  }
  return found;
};

/** How much of the view a box takes, CSS pixels. @param {DOMRect} box */
const seenOf = (box) => Math.max(0, Math.min(box.right, innerWidth) - Math.max(box.left, 0)) * Math.max(0, Math.min(box.bottom, innerHeight) - Math.max(box.top, 0));

/**
 * The area that a person would scroll: in a modal layer that of the layer; else the page, or, where that cannot go further
 * that way, a large area in it.
 * @param {string} to @returns {Element}
 */
const areaFor = (to) => {
  const page = document.scrollingElement || document.documentElement;
  const axis = to === 'left' || to === 'right' ? 'x' : 'y';
  const largest = (/** @type {Element[]} */ areas) => areas.sort((one, other) => seenOf(boxOf(other)) - seenOf(boxOf(one)));
  const modal = topModal();
  if (modal) {
    const inside = largest([...areasIn(modal, axis), ...(roomFor(modal, 'percent') > STILL ? [modal] : [])]);
    if (inside.length > 0) return inside[0];
  }
  const extent = extentsFor(page);
  const range = extent[axis][1] - extent[axis][0];
  if (roomFor(page, to) > STILL && range > 40) return page;
  const areas = largest(areasIn(document, axis));
  // the page is over its end only where nothing large in it goes on
  const large = areas.filter((area, at) => (range <= 40 && at === 0) || seenOf(boxOf(area)) > LARGE * innerWidth * innerHeight);
  return large.find((area) => roomFor(area, to) > STILL) || (range <= 40 && large[0]) || page;
};

/** The area that is meant by an element: itself, else the largest in it, else the one around it. @param {Element} el @param {string} to @returns {Element} */
const areaMeant = (el, to) => {
  const axis = to === 'left' || to === 'right' ? 'x' : 'y';
  const scrolls = (/** @type {Element} */ area) => {
    const extent = extentsFor(area);
    return extent[axis][1] - extent[axis][0] > STILL || (to === 'percent' && extent.x[1] - extent.x[0] > STILL);
  };
  if (scrolls(el)) return el;
  const inner = areasIn(/** @type {ParentNode} */ (shadowOf(el) || el), axis).sort((one, other) => seenOf(boxOf(other)) - seenOf(boxOf(one)));
  if (inner.length > 0) return inner[0];
  for (let node = composedParent(el); node; node = composedParent(node)) if (scrolls(node)) return node;
  return el;
};

/** Waits until an area stands still. @param {Element} area */
const atStandstill = async (area) => {
  const until = performance.now() + RESTS_WITHIN;
  let was = '';
  for (;;) {
    await oneFrame();
    const now = `${area.scrollLeft} ${area.scrollTop}`;
    if (now === was || performance.now() > until) return;
    was = now;
  }
};

/** @param {Element} area */
const leftOf = (area) => {
  const { x, y } = extentsFor(area);
  const rounded = (/** @type {number} */ pixels) => Math.max(0, Math.round(pixels));
  return { above: rounded(area.scrollTop - y[0]), below: rounded(y[1] - area.scrollTop), left: rounded(area.scrollLeft - x[0]), right: rounded(x[1] - area.scrollLeft) };
};

/** Where an order leads. @param {ScrollOrder} order @param {Element} area @param {'x' | 'y'} axis */
const goalOf = (order, area, axis) => {
  const [from, until] = extentsFor(area)[axis];
  const at = axis === 'x' ? area.scrollLeft : area.scrollTop;
  const view = portOf(area)[axis === 'x' ? 0 : 1];
  const step = order.amount * (order.unit === 'pixels' ? 1 : order.unit === 'percent' ? (until - from) / 100 : view);
  switch (order.to) {
    case 'up': case 'left': return at - step;
    case 'down': case 'right': return at + step;
    case 'top': return from;
    case 'percent': return from + ((until - from) * order.amount) / 100;
    default: return until;
  }
};

/**
 * @param {ScrollOrder} order
 * @returns {Promise<any>}
 */
const scrollPage = async (order) => {
  const container = order.container ? elementOf(order.container) : null;
  if (order.container && !container) return { miss: 'gone' };
  if (container && kindOf(tagOf(container)) & FRAMING) return { inside: order.container };
  if (order.to === 'ref' || order.to === 'text') return scrollToTarget(order);
  const area = container ? areaMeant(container, order.to) : areaFor(order.to);
  const extent = extentsFor(area);
  const axis = axisOf(order.to, extent);
  const [from, until] = extent[axis];
  startObserving(null);
  const before = [area.scrollLeft, area.scrollTop];
  const at = before[axis === 'x' ? 0 : 1];
  const view = portOf(area)[axis === 'x' ? 0 : 1];
  const held = (/** @type {number} */ goal) => Math.min(until, Math.max(from, goal));
  const go = async (/** @type {number} */ goal) => {
    area.scrollTo({ [axis === 'x' ? 'left' : 'top']: goal, behavior: 'instant' });
    await atStandstill(area);
    return Math.abs((axis === 'x' ? area.scrollLeft : area.scrollTop) - at) > STILL;
  };
  let goal = held(goalOf(order, area, axis));
  let moved = await go(goal);
  // where it snaps back, it goes as far as to the next place where it stays
  const way = Math.sign(goal - at);
  for (let part = 0.25; !moved && way !== 0 && part <= 1.25; part += 0.25) {
    const further = held(at + way * view * part);
    if (Math.abs(further - at) <= Math.abs(goal - at)) continue;
    goal = further;
    moved = await go(goal);
  }
  return {
    moved: [Math.round(area.scrollLeft - before[0]), Math.round(area.scrollTop - before[1])],
    left: leftOf(area), scrollable: until - from > STILL, wanted: Math.abs(goal - at) > STILL, view, axis,
    area: isPage(area) ? 0 : idOf(area), size: Math.round(seenOf(isPage(area) ? new DOMRect(0, 0, innerWidth, innerHeight) : boxOf(area))),
  };
};

/** How much is left of an area, after it may have grown. @param {number} id 0 for the page */
const scrollLeft = (id) => {
  const area = id ? elementOf(id) : document.scrollingElement || document.documentElement;
  return area ? leftOf(area) : null;
};

/** How large the view of this document is, if it can be scrolled that way. @param {string} to */
const scrollRoom = (to) => {
  const area = areaFor(to);
  const extent = extentsFor(area);
  const axis = axisOf(to, extent);
  return extent[axis][1] - extent[axis][0] > STILL && isFrameShown() ? innerWidth * innerHeight : 0;
};

/** In how many places a text is shown here. @param {string} text */
const countText = (text) => placesOfText(text, 100).length;

/** @param {ScrollOrder} order */
const scrollToTarget = async (order) => {
  const el = order.to === 'ref' ? elementOf(order.id || 0) : null;
  const place = order.to === 'ref' ? el && { el, boxes: () => [boxOf(el)] } : placesOfText(order.text || '', 1)[0];
  if (!place || !getIsConnected.call(place.el)) return { miss: order.to === 'ref' ? 'gone' : 'no_text' };
  const from = middleOf(place);
  let stands = standingOf(place);
  // a frame may be out of view itself: then the documents around it scroll, too
  const inFrame = window !== window.top;
  for (const block of /** @type {ScrollLogicalPosition[]} */ (['center', 'end', 'start', 'nearest'])) {
    if (stands === 'seen' && !(inFrame && block === 'center')) break;
    place.el.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
    centreBoxes(place);
    await oneFrame();
    stands = standingOf(place);
  }
  const to = middleOf(place);
  return { moved: [Math.round(from[0] - to[0]), Math.round(from[1] - to[1])], reached: stands !== 'out', covered: stands === 'covered', scrollable: true };
};

/** @param {TextPlace} place @returns {[number, number]} */
const middleOf = (place) => {
  const box = place.boxes()[0] || boxOf(place.el);
  return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
};

/** Whether the beginning of a place is in the view, and something lies over it. @param {TextPlace} place @returns {'seen' | 'covered' | 'out'} */
const standingOf = (place) => {
  const box = place.boxes()[0];
  if (!box || box.right <= 0 || box.bottom <= 0 || box.left >= innerWidth || box.top >= innerHeight) return 'out';
  const whole = box.height <= innerHeight && box.width <= innerWidth;
  if (whole && (box.top < -1 || box.bottom > innerHeight + 1 || box.left < -1 || box.right > innerWidth + 1)) return 'out';
  const x = Math.min(Math.max((box.left + box.right) / 2, 1), innerWidth - 1);
  const y = Math.min(Math.max((box.top + box.bottom) / 2, 1), innerHeight - 1);
  const hit = deepHit(document, x, y);
  // what lets the pointer through is not hit itself
  const own = !hit || composedContains(place.el, hit) || composedContains(hit, place.el) || getComputedStyle(place.el).pointerEvents === 'none';
  return own && !isCutFrom(place.el, box) ? 'seen' : own ? 'out' : 'covered';
};

/** Scrolls the areas around a place so far that its beginning, not only its element, is in all of them. @param {TextPlace} place */
const centreBoxes = (place) => {
  for (let node = /** @type {Element | null} */ (place.el); node; node = composedParent(node)) {
    const page = isPage(node);
    if (!page && !/auto|scroll|hidden/.test(getComputedStyle(node).overflowX + getComputedStyle(node).overflowY)) continue;
    if (node === document.body) continue;
    const box = place.boxes()[0];
    if (!box) return;
    const port = page ? new DOMRect(0, 0, innerWidth, innerHeight) : boxOf(node);
    const off = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ low, /** @type {number} */ high) =>
      (from >= low && to <= high ? 0 : (from + to) / 2 - (low + high) / 2);
    const left = off(box.left, box.right, port.left, port.right);
    const top = off(box.top, box.bottom, port.top, port.bottom);
    if (left !== 0 || top !== 0) node.scrollBy({ left, top, behavior: 'instant' });
  }
};
