// @ts-check
// From a point inside a frame to the same point of the document around it, and whether a pointer gets through there.

/**
 * What transforms and zoom make of directions, from inside an element to the view: columns of a 2×2 matrix. Depth is left
 * out: what is seen in perspective is only near to where this says.
 * @param {Element} el @returns {{a: number, b: number, c: number, d: number}}
 */
const directionsOf = (el) => {
  let all = new DOMMatrix();
  for (let node = /** @type {Element | null} */ (el); node; node = composedParent(node)) {
    const style = getComputedStyle(node);
    if (style.transform === 'none' && style.rotate === 'none' && style.scale === 'none') continue;
    const own = new DOMMatrix(`${turnOf(style.rotate)} ${sizeOf(style.scale)}`.trim() || 'none').multiply(new DOMMatrix(style.transform));
    all = own.multiply(all);
  }
  const zoom = /** @type {any} */ (el).currentCSSZoom || 1;
  return { a: all.a * zoom, b: all.b * zoom, c: all.c * zoom, d: all.d * zoom };
};

/** The property `rotate` as a transform: `30deg`, `x 30deg`, `0 1 0 30deg`. @param {string} rotate */
const turnOf = (rotate) => {
  if (rotate === 'none') return '';
  const parts = rotate.split(' ');
  const angle = parts.pop();
  const axis = { x: '1,0,0', y: '0,1,0', z: '0,0,1' }[parts[0] || 'z'] || parts.join(',');
  return `rotate3d(${axis},${angle})`;
};

/** The property `scale` as a transform. @param {string} scale */
const sizeOf = (scale) => (scale === 'none' ? '' : `scale3d(${[...scale.split(' '), ...scale.split(' ').length === 1 ? [scale] : [], '1', '1'].slice(0, 3).join(',')})`);

/**
 * Where a point of a frame's document lies in the view around it. The middle of a turned box is the middle of the box
 * around it; from there on, directions are turned.
 * @param {HTMLElement} el @param {number} x @param {number} y @returns {[number, number]}
 */
const outOfFrame = (el, x, y) => {
  const style = getComputedStyle(el);
  const box = boxOf(el);
  const { a, b, c, d } = directionsOf(el);
  const fromMiddle = [el.clientLeft + parseFloat(style.paddingLeft) + x - el.offsetWidth / 2, el.clientTop + parseFloat(style.paddingTop) + y - el.offsetHeight / 2];
  return [(box.left + box.right) / 2 + a * fromMiddle[0] + c * fromMiddle[1], (box.top + box.bottom) / 2 + b * fromMiddle[0] + d * fromMiddle[1]];
};

/**
 * Scrolls the areas around an element so far that a point of it is in all of them.
 * @param {Element} el @param {[number, number]} at @returns {boolean} whether anything scrolled
 */
const revealPoint = (el, at) => {
  let moved = false;
  for (let node = composedParent(el); node; node = composedParent(node)) {
    const style = getComputedStyle(node);
    if (node === document.documentElement || node === document.body || !/auto|scroll|hidden/.test(style.overflowX + style.overflowY)) continue;
    const box = boxOf(node);
    const [was, wasUp] = [node.scrollLeft, node.scrollTop];
    if (at[0] < box.left || at[0] >= box.right || at[1] < box.top || at[1] >= box.bottom) {
      node.scrollBy({ left: at[0] - (box.left + box.right) / 2, top: at[1] - (box.top + box.bottom) / 2, behavior: 'instant' });
      moved = moved || node.scrollLeft !== was || node.scrollTop !== wasUp;
    }
  }
  return moved;
};

/** Scrolls the document so that a point is in the middle of the view. @param {[number, number]} at @returns {boolean} whether that could be done, more or less */
const centrePoint = (at) => {
  const [left, top] = [scrollX, scrollY];
  scrollBy({ left: at[0] >= 0 && at[0] < innerWidth ? 0 : at[0] - innerWidth / 2, top: at[1] - innerHeight / 2, behavior: 'instant' });
  return Math.abs(scrollX - left) + Math.abs(scrollY - top) > 8;
};

/**
 * Where a point inside a frame lies out here, and whether a pointer gets to the frame there.
 * @param {number | HTMLElement} which @param {number} x @param {number} y
 */
const throughFrame = (which, x, y) => {
  const el = /** @type {HTMLElement | null} */ (typeof which === 'number' ? elementOf(which) : which);
  if (!el || !getIsConnected.call(el)) return { miss: 'gone' };
  let box = boxOf(el);
  if (box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth) {
    el.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    noteScrolls(el);
  }
  const at = outOfFrame(el, x, y);
  const inside = at[0] >= 0 && at[1] >= 0 && at[0] < innerWidth && at[1] < innerHeight;
  if (inside) {
    const hit = deepHit(document, at[0], at[1]);
    if (hit === el) {
      // what happens inside may show out here
      startObserving(el);
      return { ok: true, x: at[0], y: at[1] };
    }
  }
  if (revealPoint(el, at) || centrePoint(at)) {
    noteScrolls(el);
    return { again: true };
  }
  if (!inside) return { miss: 'out_of_view' };
  const hit = deepHit(document, at[0], at[1]);
  const layer = hit ? layerOf(hit, el) : null;
  return { miss: 'covered', cover: layer ? { id: idOf(layer), name: layerName(layer), passing: looksPassing(layer) } : null };
};
