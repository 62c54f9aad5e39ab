// @ts-check
// Who gets a click at a point, and what covers a control.

/** @param {Node} root @param {number} x @param {number} y @returns {Element | null} the innermost element there, through shadow roots */
const deepHit = (root, x, y) => {
  let hit = /** @type {Document | ShadowRoot} */ (root).elementFromPoint(x, y);
  for (let i = 0; hit && i < 100; i++) {
    const shadow = shadowOf(hit);
    const inner = shadow && shadow.elementFromPoint(x, y);
    if (!inner || inner === hit || rootNodeOf.call(inner) !== shadow) return (shadow && slotAt(hit, x, y)) || hit;
    hit = inner;
  }
  return hit;
};

/** The slot that shows the text of a host at a point: text is no element, and so a hit on it is told as one on the host. @param {Element} host @param {number} x @param {number} y */
const slotAt = (host, x, y) => {
  let left = 20;
  for (let node = getFirstChild.call(host); node && left > 0; node = getNextSibling.call(node), left--) {
    if (getNodeType.call(node) !== 3 || !node.assignedSlot) continue;
    textRange.selectNodeContents(node);
    for (const box of textRange.getClientRects()) if (x >= box.left && x < box.right && y >= box.top && y < box.bottom) return /** @type {Element} */ (node.assignedSlot);
  }
  return null;
};
const textRange = document.createRange();

/** What is drawn for a field that cannot be seen itself, and takes the clicks for it. @type {WeakMap<Element, Element>} */
const standIns = new WeakMap();

/** Whether a click that lands on `hit` is a click on `el`. @param {Element} el @param {Element} hit */
const reaches = (el, hit) => {
  if (composedContains(el, hit)) return true;
  for (const label of labelsOf(el)) if (composedContains(label, hit)) return true;
  const stand = standIns.get(el);
  if (stand && composedContains(stand, hit)) return true;
  return false;
};

/** The picture that an area of a map lies on. @param {Element} area @returns {Element | null} */
const pictureOf = (area) => {
  const map = area.closest('map');
  const name = map && (attr(map, 'name') || attr(map, 'id'));
  const root = /** @type {Document | ShadowRoot} */ (rootNodeOf.call(area));
  return name ? root.querySelector(`img[usemap="#${CSS.escape(name)}" i]`) : null;
};

/** The box of an area, by its shape and where its picture stands; null where it has none. @param {Element} area @returns {DOMRect | null} */
const areaBox = (area) => {
  const picture = pictureOf(area);
  if (!picture) return null;
  const frame = boxOf(picture);
  const shape = (attr(area, 'shape') || 'rect').toLowerCase();
  if (shape === 'default') return frame;
  const at = (attr(area, 'coords') || '').split(',').map(parseFloat).filter((one) => !Number.isNaN(one));
  if (/^circ/.test(shape)) return at.length < 3 ? null : new DOMRect(frame.left + at[0] - at[2], frame.top + at[1] - at[2], 2 * at[2], 2 * at[2]);
  const across = at.filter((_, i) => i % 2 === 0);
  const down = at.filter((_, i) => i % 2 === 1);
  if (down.length < 2) return null;
  const [left, top] = [Math.min(...across), Math.min(...down)];
  return new DOMRect(frame.left + left, frame.top + top, Math.max(...across) - left, Math.max(...down) - top);
};

/**
 * The points of an element worth trying: the middle of its first box within the view, then points nearer its edges.
 * @param {Element} el
 * @returns {[number, number][]}
 */
const pointsOf = (el) => {
  const area = tagOf(el) === 'area' ? areaBox(el) : null;
  const boxes = /** @type {ArrayLike<DOMRect>} */ (area ? [area] : clientRectsOf.call(standIns.get(el) || el));
  /** @type {[number, number][]} */
  const points = [];
  const width = innerWidth;
  const height = innerHeight;
  for (let i = 0; i < boxes.length && i < 3; i++) {
    const box = boxes[i];
    const left = Math.max(box.left, 0);
    const top = Math.max(box.top, 0);
    const right = Math.min(box.right, width);
    const bottom = Math.min(box.bottom, height);
    if (right - left < 1 || bottom - top < 1) continue;
    const at = (/** @type {number} */ fx, /** @type {number} */ fy) => points.push([left + (right - left) * fx, top + (bottom - top) * fy]);
    at(0.5, 0.5);
    at(0.25, 0.25);
    at(0.75, 0.75);
    at(0.25, 0.75);
    at(0.75, 0.25);
    at(0.1, 0.5);
    at(0.9, 0.5);
    // what holds others of its kind has its own words above them
    const row = Math.min(0.5, 12 / (bottom - top));
    if (row < 0.25) for (const across of [0.5, 0.25, 0.1, 0.9]) at(across, row);
  }
  return points;
};

/**
 * Where a click would reach the element, or what is in the way.
 * @param {Element} el
 * @param {boolean} alone whether another control in it is in the way, too: that would get the click
 * @returns {{point: [number, number] | null, cover: Element | null}}
 */
const reachOf = (el, alone) => {
  let cover = null;
  for (const [x, y] of pointsOf(el)) {
    const hit = deepHit(document, x, y);
    if (!hit) continue;
    const inner = alone && hit !== el ? controlBefore(pathOf(hit), el) : null;
    if (inner === null && reaches(el, hit)) return { point: [x, y], cover: null };
    cover = cover || inner || hit;
  }
  return { point: null, cover };
};

/** An element and all around it, innermost first. @param {Element} el */
const pathOf = (el) => {
  /** @type {Element[]} */
  const path = [];
  for (let node = /** @type {Element | null} */ (el); node; node = composedParent(node)) path.push(node);
  return path;
};

/** The whole layer that `hit` belongs to: its outermost ancestor that does not hold `el`. @param {Element} hit @param {Element} el */
const layerOf = (hit, el) => {
  if (composedContains(el, hit)) return hit; // a control in it
  let layer = hit;
  for (let parent = composedParent(layer); parent && !composedContains(parent, el); parent = composedParent(layer)) layer = parent;
  // a wrapper or backdrop with the dialog in it: the dialog is what a person would name
  const dialogs = [...queryAll.call(layer, 'dialog[open],[role=dialog],[role=alertdialog]')].filter((inner) => checkVisibilityOf.call(inner, { visibilityProperty: true }));
  return dialogs.length === 1 ? dialogs[0] : layer;
};

/** @param {Element} layer @returns {string} what a person would call it */
const layerName = (layer) => {
  const tag = tagOf(layer);
  const named = nameOf(layer, tag, roleOf(layer, tag), false, factsOf(layer));
  if (named) return short(named, 80);
  const heading = [...queryAll.call(layer, 'h1,h2,h3,h4,[role=heading]')][0];
  // as it is seen: what stands in parts of its own is no one word
  const text = short(tidy(seenText(heading || layer)), 60);
  return text || attr(layer, 'id') || tag;
};
