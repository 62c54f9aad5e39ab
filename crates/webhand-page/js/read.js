// @ts-check
// Reading one frame's document into text.

/**
 * Reads this document. The text begins with one line of JSON about the page and ends with one line of the digests of
 * its items; see walk.js for the lines between.
 * @returns {string}
 */
const readDocument = () => {
  const walk = new Walk(false);
  walk.place.all = walk.prepare(document);
  const body = document.body || document.documentElement;
  if (body) walk.run(body, true);
  walk.flush();
  for (const layer of walk.layers.keys()) walk.emitLayer(layer);
  const root = document.scrollingElement || document.documentElement;
  readHosts = walk.hosts.filter((host) => !askedHosts.has(host)).slice(0, HOSTS_MAX);
  const meta = {
    title: tidy(document.title),
    url: document.URL,
    language: (document.documentElement && attr(document.documentElement, 'lang')) || null,
    width: innerWidth,
    height: innerHeight,
    above: root ? root.scrollTop : 0,
    below: root ? Math.max(0, root.scrollHeight - innerHeight - root.scrollTop) : 0,
    focus: walk.active && idByElement.get(walk.active) ? idByElement.get(walk.active) : 0,
    hosts: readHosts.length,
  };
  const items = walk.items.map((item) => item.value().toString(36)).join(' ');
  return `${JSON.stringify(meta)}\n${walk.lines.join('\n')}\ni\t${items}`.toWellFormed();
};

/** Elements of the last read that may host a closed shadow root and were not asked for it yet. @type {Element[]} */
let readHosts = [];
/** @type {WeakSet<Element>} */
const askedHosts = new WeakSet();
/** How many hosts are asked for after one read; the others after the next. */
const HOSTS_MAX = 500;

/** The elements to ask, once in their life. @returns {Element[]} */
const takeHosts = () => {
  for (const host of readHosts) askedHosts.add(host);
  return readHosts;
};

/**
 * The row, card or item that an element stands in, by the same rule as the walk's.
 * @param {Element} el
 * @returns {Element | null}
 */
const itemOf = (el) => {
  for (let node = /** @type {Element | null} */ (el); node; node = composedParent(node)) {
    const tag = tagOf(node);
    if (tag === 'body' || tag === 'html') return null;
    if (NEVER.has(tag)) continue;
    if (isItem(node, tag, roleOf(node, tag))) return node;
  }
  return null;
};

/**
 * A walk that stands where `el` stands: what the elements above it say of clips, visibility and the pointer is known.
 * @param {Element} el
 * @returns {{walk: Walk, hidden: string}} `hidden` says why nothing here can be seen, '' where it can
 */
const walkAt = (el) => {
  const walk = new Walk(true);
  walk.place.all = STYLED | ALL_GROUPS;
  /** @type {Element[]} */
  const above = [];
  for (let node = composedParent(el); node; node = composedParent(node)) above.push(node);
  for (const node of above.reverse()) {
    const style = getComputedStyle(node);
    if (style.display === 'none') return { walk, hidden: 'an element around it is not displayed' };
    if (Number(style.opacity) < 0.02) return { walk, hidden: 'an element around it is transparent' };
    const place = new Place(walk.place);
    if (!walk.settle(node, tagOf(node), style, place, ALL_GROUPS, style.display)) return { walk, hidden: 'an element around it hides it' };
    place.hand = style.cursor === 'pointer';
    if (has(node, 'inert')) place.off = 'inert';
    else if (attr(node, 'aria-disabled') === 'true') place.off = place.off || 'aria-disabled by ancestor';
    walk.place = place;
    const shadow = shadowOf(node);
    if (shadow) walk.roots.set(shadow, STYLED | ALL_GROUPS);
  }
  walk.roots.set(rootNodeOf.call(el), STYLED | ALL_GROUPS);
  return { walk, hidden: '' };
};

/** The digest of an item as a read would give it now. @param {Element} item */
const digestOf = (item) => {
  const { walk, hidden } = walkAt(item);
  if (hidden) return 0;
  walk.run(item, true);
  walk.flush();
  return walk.items.length ? walk.items[0].value() : 0;
};

/**
 * What a read would print of one element now.
 * @param {Element} el
 * @returns {{listed: any, hidden: string}} its control line as an object, or why it is not listed
 */
const describe = (el) => {
  const { walk, hidden } = walkAt(el);
  if (hidden) return { listed: null, hidden };
  walk.run(el, true);
  const listed = walk.found.find((found) => found.i === idByElement.get(el));
  if (listed) return { listed, hidden: '' };
  const style = getComputedStyle(el);
  if (style.display === 'none') return { listed: null, hidden: 'it is not displayed' };
  if (style.visibility !== 'visible') return { listed: null, hidden: 'it is invisible' };
  if (Number(style.opacity) < 0.02) return { listed: null, hidden: 'it is transparent' };
  if (!solidBox(el)) return { listed: null, hidden: 'it has no size' };
  return { listed: null, hidden: 'it is clipped away or is no control any more' };
};
