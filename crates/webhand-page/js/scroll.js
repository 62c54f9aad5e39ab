// @ts-check
// Scrolling, with how far it really went and how much is left.

/**
 * @typedef {{to: string, amount: number, unit: string, text?: string, id?: number, container?: number}} ScrollOrder
 * @param {ScrollOrder} order
 * @returns {Promise<any>}
 */
const scrollPage = async (order) => {
  const container = order.container ? elementOf(order.container) : null;
  if (order.container && !container) return { miss: 'gone' };
  if (order.to === 'ref' || order.to === 'text') return scrollToTarget(order);
  const area = /** @type {HTMLElement} */ (container || mainScroller());
  const whole = area === document.scrollingElement || area === document.documentElement || area === document.body;
  const width = whole ? innerWidth : area.clientWidth;
  const height = whole ? innerHeight : area.clientHeight;
  const maxX = Math.max(0, area.scrollWidth - width);
  const maxY = Math.max(0, area.scrollHeight - height);
  const from = [area.scrollLeft, area.scrollTop];
  const step = (/** @type {number} */ view, /** @type {number} */ max) => order.amount * (order.unit === 'pixels' ? 1 : order.unit === 'percent' ? max / 100 : view);
  let [x, y] = from;
  switch (order.to) {
    case 'up': y -= step(height, maxY); break;
    case 'down': y += step(height, maxY); break;
    case 'left': x -= step(width, maxX); break;
    case 'right': x += step(width, maxX); break;
    case 'top': y = 0; break;
    case 'bottom': y = maxY; break;
    case 'percent': y = (maxY * order.amount) / 100; break;
  }
  area.scrollTo({ left: x, top: y, behavior: 'instant' });
  await oneFrame();
  const moved = [Math.round(area.scrollLeft - from[0]), Math.round(area.scrollTop - from[1])];
  const left = { above: Math.round(area.scrollTop), below: Math.max(0, Math.round(area.scrollHeight - height - area.scrollTop)), left: Math.round(area.scrollLeft),
    right: Math.max(0, Math.round(area.scrollWidth - width - area.scrollLeft)) };
  const scrollable = maxX > 0 || maxY > 0;
  return { moved, left, scrollable, view: height };
};

/** The document's scroller, or, where that cannot scroll, the largest area in view that can. */
const mainScroller = () => {
  const root = /** @type {HTMLElement} */ (document.scrollingElement || document.documentElement);
  if (root.scrollHeight > innerHeight + 1 || root.scrollWidth > innerWidth + 1) return root;
  let best = root;
  let size = 0;
  for (const el of document.querySelectorAll('*')) {
    const inner = /** @type {HTMLElement} */ (el);
    if (inner.scrollHeight <= inner.clientHeight + 1 || inner.clientHeight < 60) continue;
    if (!/auto|scroll/.test(getComputedStyle(inner).overflowY)) continue;
    const area = inner.clientWidth * inner.clientHeight;
    if (area > size) {
      size = area;
      best = inner;
    }
  }
  return best;
};

/** @param {ScrollOrder} order */
const scrollToTarget = async (order) => {
  const el = order.to === 'ref' ? elementOf(order.id || 0) : findText(order.text || '');
  if (!el || !getIsConnected.call(el)) return { miss: order.to === 'ref' ? 'gone' : 'no_text' };
  const before = boxOf(el);
  el.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  await oneFrame();
  const after = boxOf(el);
  const seen = after.bottom > 0 && after.top < innerHeight;
  return { moved: [Math.round(before.left - after.left), Math.round(before.top - after.top)], reached: seen, scrollable: true };
};

/** The innermost visible element that holds a text, also where it runs across inline elements. @param {string} text @returns {Element | null} */
const findText = (text) => {
  const wanted = tidy(text).toLowerCase();
  if (!wanted) return null;
  for (const root of searchRoots()) {
    const body = getNodeType.call(root) === 9 ? /** @type {Document} */ (root).body : root;
    if (!body) continue;
    let best = null;
    for (const el of body.querySelectorAll('*')) {
      if (kindOf(tagOf(el)) & NEVER) continue;
      if (!tidy(getTextContent.call(el)).toLowerCase().includes(wanted)) continue;
      if (!checkVisibilityOf.call(el, { visibilityProperty: true, opacityProperty: true }) || !solidBox(el)) continue;
      if (!best || composedContains(best, el)) best = el;
      else break;
    }
    if (best) return best;
  }
  return null;
};
