// @ts-check
// Reading one frame's document into text.

/**
 * Reads this document. The text begins with one line of JSON about the page; then come the walk's lines (see walk.js), or
 * where the last answer is known, how they differ from those (see changesOf).
 * @param {number} known number of the answer that the caller has at hand; 0 for none
 * @returns {string}
 */
const readDocument = (known) => {
  const walk = new Walk(false);
  walk.place.all = walk.prepare(document);
  const body = document.body || document.documentElement;
  if (body) walk.run(body, true);
  walk.flush();
  for (const layer of walk.layers.keys()) walk.emitLayer(layer);
  const lines = walk.finish();
  const told = known === answers && known > 0 ? changesOf(answered, lines) : lines;
  answered = lines;
  answers++;
  const root = document.scrollingElement || document.documentElement;
  readHosts = walk.hosts;
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
    answer: answers,
  };
  changedSinceRead();
  changedNodes = new Set();
  lastRead = { walk: walk.release(), byId: null };
  return `${toJson(meta)}\n${told.join('\n')}`.toWellFormed();
};

/** The last walk. @type {{walk: Walk, byId: Map<number, Listed> | null} | null} */
let lastRead = null;
/** The lines of the last answer, and how many there were. @type {string[]} */
let answered = [];
let answers = 0;

/** How far ahead the two are compared where they part, and how many comparisons that may take in all. */
const AHEAD = 40;
const COMPARISONS_MAX = 60000;

/**
 * How `now` differs from `before`: `=n` for n lines as they were, `-n` for n that went, and each line that came. Not the
 * least there is, but found in one pass: where the two part, the nearest place is looked for where they meet again.
 * @param {string[]} before @param {string[]} now @returns {string[]}
 */
const changesOf = (before, now) => {
  /** @type {string[]} */
  const changes = [];
  let left = COMPARISONS_MAX;
  let at = 0;
  let was = 0;
  while (at < now.length) {
    const start = at;
    while (at < now.length && was < before.length && now[at] === before[was]) {
      at++;
      was++;
    }
    if (at > start) changes.push(`=${at - start}`);
    if (at === now.length) break;
    let came = 1;
    let went = 1;
    search: for (let far = 1; far <= AHEAD && left > 0; far++) {
      for (let more = 0; more <= far; more++, left--) {
        if (at + more < now.length && was + far - more < before.length && now[at + more] === before[was + far - more]) {
          came = more;
          went = far - more;
          break search;
        }
      }
    }
    went = Math.min(went, before.length - was);
    if (went > 0) changes.push(`-${went}`);
    for (const end = at + came; at < end; at++) changes.push(now[at]);
    was += went;
  }
  return changes;
};

/** Elements of the last read that may host a closed shadow root and were not asked for it yet. @type {Element[]} */
let readHosts = [];
/** What a host was when it was asked: one that was defined or grew since is asked again. @type {WeakMap<Element, string>} */
const askedHosts = new WeakMap();
/** @param {Element} host */
const hostKey = (host) => {
  const box = boxOf(host);
  return `${matchesOf.call(host, ':defined')} ${box.width} ${box.height}`;
};
/** How many hosts are asked for after one read; the others after the next. */
const HOSTS_MAX = 500;

/** The elements to ask. @returns {Element[]} */
const takeHosts = () => {
  for (const host of readHosts) askedHosts.set(host, hostKey(host));
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
    if (kindOf(tag) & NEVER) continue;
    // tags that are items by themselves are known as such: a role is asked for where it is written
    if (isItem(node, tag, has(node, 'role') ? roleOf(node, tag) : '')) return node;
  }
  return null;
};

/**
 * A walk that stands where `el` stands: what the elements above it say of clips, visibility and the pointer is known.
 * @param {Element} el
 * @param {boolean} hit a pointer is known to reach it: what clips and hides need not be looked for
 * @returns {{walk: Walk, hidden: string}} `hidden` says why nothing here can be seen, '' where it can
 */
const walkAt = (el, hit) => {
  const walk = new Walk(true);
  walk.narrow = true;
  walk.place.all = STYLED | ALL_GROUPS;
  walk.roots.set(rootNodeOf.call(el), STYLED | ALL_GROUPS);
  const above = pathOf(el).slice(1);
  walk.place.faint = faintAround(above[0] || null);
  if (hit) {
    standIn(walk.place, above);
    return { walk, hidden: '' };
  }
  for (const node of above.reverse()) {
    const style = getComputedStyle(node);
    if (style.display === 'none') return { walk, hidden: 'an element around it is not displayed' };
    if (Number(style.opacity) < 0.02 && !isFadingIn(node) && !holdsGhostField(node)) return { walk, hidden: 'an element around it is transparent' };
    const place = new Place(walk.place);
    if (!walk.settle(node, tagOf(node), style, place, ALL_GROUPS, style.display)) return { walk, hidden: 'an element around it hides it' };
    place.hand = style.cursor === 'pointer';
    place.off = offBy(node, place.off);
    walk.place = place;
    const shadow = shadowOf(node);
    if (shadow) walk.roots.set(shadow, STYLED | ALL_GROUPS);
  }
  return { walk, hidden: '' };
};

/** Why nothing in an element can be used, if there is a reason. @param {Element} node @param {string} off what is known of those above it */
const offBy = (node, off) => {
  if (has(node, 'inert')) return 'inert';
  return attr(node, 'aria-disabled') === 'true' ? off || 'aria-disabled by ancestor' : off;
};

/** What is inherited, where the elements above need not be looked at one by one. @param {Place} place @param {Element[]} above innermost first */
const standIn = (place, above) => {
  if (above.length === 0) return;
  const style = getComputedStyle(above[0]);
  place.visible = style.visibility === 'visible';
  place.pointer = style.pointerEvents !== 'none';
  place.hand = style.cursor === 'pointer';
  for (let i = above.length - 1; i >= 0; i--) place.off = offBy(above[i], place.off);
};

/**
 * The digest of an item as a read would give it now, and what that would print of an element in it.
 * @param {Element} item @param {Element} el @param {boolean} hit see walkAt
 * @returns {{digest: number, listed: any}} `listed` is null where the element is not listed
 */
const describeIn = (item, el, hit) => {
  const { walk, hidden } = walkAt(item, hit);
  if (hidden) return { digest: 0, listed: null };
  walk.run(item, true);
  walk.flush();
  const id = idByElement.get(el);
  return { digest: walk.items.length ? walk.items[0].value() : 0, listed: walk.found.find((found) => found.i === id) || null };
};

/**
 * The same for the nearest item around an element that says anything.
 * @param {Element} el @param {boolean} hit see walkAt
 */
const describeInItem = (el, hit) => {
  let item = itemOf(el);
  let found = { digest: 0, listed: /** @type {any} */ (null) };
  for (let left = TELLING_LEVELS; item && left > 0; left--) {
    found = describeIn(item, el, hit);
    if (found.digest !== 0) break;
    const around = composedParent(item);
    item = around && itemOf(around);
  }
  return found;
};

/**
 * What a read would print of one element now.
 * @param {Element} el @param {boolean} hit see walkAt
 * @returns {{listed: any, hidden: string}} its control line as an object, or why it is not listed
 */
const describe = (el, hit) => {
  const { walk, hidden } = walkAt(el, hit);
  if (hidden) return { listed: null, hidden };
  walk.run(el, true);
  const listed = walk.found.find((found) => found.i === idByElement.get(el));
  return listed ? { listed, hidden: '' } : { listed: null, hidden: whyUnseen(el) || 'it is clipped away or is no control any more' };
};

/** Why an element in a part that can be seen cannot be seen itself; '' where it can. @param {Element} el */
const whyUnseen = (el) => {
  const style = getComputedStyle(el);
  if (style.display === 'none') return 'it is not displayed';
  if (style.visibility !== 'visible') return 'it is invisible';
  if (Number(style.opacity) < 0.02) return 'it is transparent';
  return solidBox(el) ? '' : 'it has no size';
};

/**
 * Any element that can be seen, described as if it were a control: for a script that names it by a selector.
 * @param {Element} el @returns {{listed: any, hidden: string}}
 */
const describePlain = (el) => {
  const { walk, hidden } = walkAt(el, false);
  const unseen = hidden || whyUnseen(el);
  if (unseen) return { listed: null, hidden: unseen };
  const box = solidBox(el);
  if (!box || walk.beyond(box) || !walk.shows(box, walk.place.clips)) return { listed: null, hidden: 'it is clipped away' };
  const tag = tagOf(el);
  const disabled = disabledCause(el, tag);
  const listed = { i: idOf(el), r: roleOf(el, tag) || 'generic', g: tag, k: '', n: short(tidy(seenText(el)), 80), m: -1, s: disabled ? { disabled } : NO_STATE };
  return { listed, hidden: '' };
};
