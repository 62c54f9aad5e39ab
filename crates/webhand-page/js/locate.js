// @ts-check
// From a ref to its element, surely, and to a point where a real click reaches it.
//
// What must be equal for an element to be the one that was seen: document, role, name, and the text of the row, card or
// item it stands in. Whatever else a page changes, it is then still that thing; if one of them differs it is another.

/**
 * @typedef {{role: string, name: string, item: number, tag: string, plain?: boolean, twins?: boolean, words?: string, kind?: string, id?: string, attrName?: string, testId?: string, href?: string}} Seen
 * @typedef {{el: Element, listed: any, by: string, reach?: ReturnType<typeof reachOf>}} Found `reach` where it was looked for already
 */

/**
 * What a read would print of an element now, and whether that is what was seen. One walk tells both the element and the
 * item it stands in.
 * @param {Element} el @param {Seen} seen @param {boolean} hit a pointer is known to reach it
 * @returns {{listed: any, hidden: string, same: boolean}}
 */
const compare = (el, seen, hit) => {
  if (seen.plain) {
    // named by a selector just now: the element itself is all that is asked for
    let { listed, hidden } = describePlain(el);
    // a field that cannot be seen itself may stand in what is drawn for it
    if (!listed) ({ listed, hidden } = describe(el, false));
    return { listed, hidden, same: !!listed && (seen.words === undefined || seen.words === null || choiceWords(el) === seen.words) };
  }
  idOf(el);
  const { listed, digest } = seen.role === 'layer' || seen.role === 'scroll' ? { listed: null, digest: 0 } : describeInItem(el, hit);
  const { listed: own, hidden } = listed ? { listed, hidden: '' } : describe(el, hit);
  return { listed: own, hidden, same: !!own && own.r === seen.role && own.n === seen.name && digest === seen.item };
};

/**
 * The same from the last read, where nothing changed since in the element or its item, nor in what may name it: its words,
 * and those around it, are what they were. What a control is set to may have changed without a word.
 * @param {Element} el @param {number} id @param {Seen} seen
 */
const compareRead = (el, id, seen) => {
  const read = lastRead;
  const changed = changedSinceRead();
  if (!read || !changed) return null;
  read.byId = read.byId || new Map(read.walk.found.map((listed) => [listed.i, listed]));
  const known = read.byId.get(id);
  if (!known || known.r !== seen.role || known.n !== seen.name || read.walk.digestOf(known) !== seen.item) return null;
  const target = targetOf(el);
  if (changed.size > 0) {
    // labels and other elements may name it: then only a page at rest will do
    if (target !== el || labelsOf(el).length > 0 || has(el, 'aria-labelledby')) return null;
    let from = /** @type {Element | null} */ (el);
    let around = from;
    const telling = read.walk.tellingItem(known.m);
    for (let item = known.m, left = TELLING_LEVELS; telling >= 0 && from && left > 0; item = read.walk.itemParents[item], left--) {
      around = itemOf(from);
      from = around && composedParent(around);
      if (item === telling) break;
    }
    const within = around || el;
    for (const node of changed) if (composedContains(within, node)) return null;
  }
  return { listed: { ...known, s: stateOf(target, tagOf(target), known.r, factsOf(target)) }, same: true };
};

/** Every root of this document that can be searched. @returns {(Document | ShadowRoot)[]} */
const searchRoots = () => {
  /** @type {(Document | ShadowRoot)[]} */
  const roots = [document];
  for (let i = 0; i < roots.length && i < 2000; i++) {
    for (const el of roots[i].querySelectorAll('*')) {
      const shadow = shadowOf(el);
      if (shadow) roots.push(shadow);
    }
  }
  return roots;
};

/** @param {string} selector @returns {Element | null} the only element that it matches in any root */
const onlyOne = (selector) => {
  let only = null;
  for (const root of searchRoots()) {
    const hits = root.querySelectorAll(selector);
    if (hits.length > 1 || (hits.length === 1 && only)) return null;
    if (hits.length === 1) only = hits[0];
  }
  return only;
};

/** Selectors from stable attributes, strongest first. @param {Seen} seen */
const selectorsOf = (seen) => {
  const quote = (/** @type {string} */ text) => `"${CSS.escape(text)}"`;
  const tag = /^[a-z][a-z0-9-]*$/.test(seen.tag) ? seen.tag : '*';
  const selectors = [];
  if (seen.testId) for (const key of ['data-testid', 'data-test-id', 'data-test', 'data-qa', 'data-cy']) selectors.push(`${tag}[${key}=${quote(seen.testId)}]`);
  if (seen.id) selectors.push(`${tag}[id=${quote(seen.id)}]`);
  if (seen.attrName) selectors.push(`${tag}[name=${quote(seen.attrName)}]`);
  if (seen.name) selectors.push(`${tag}[aria-label=${quote(seen.name)}]`);
  return selectors;
};

/**
 * Finds the element that was seen: itself, else the only one that its attributes name, else the only one that is equal.
 * @param {number} id
 * @param {Seen} seen
 * @param {boolean} point whether a pointer is to reach it
 * @param {number} levels how many of the three are tried
 * @returns {Found | {miss: string, now?: any, hidden?: string}}
 */
const findSeen = (id, seen, point, levels = 3) => {
  const el = elementOf(id);
  let changed = null;
  if (el && getIsConnected.call(el) && el.ownerDocument === document) {
    // by far the most common: it is where a pointer reaches it, and what it was
    if (point && !seen.plain && checkVisibilityOf.call(el, { opacityProperty: true, visibilityProperty: true })) {
      const reach = reachOf(el, true);
      if (reach.point) {
        const { listed, same } = compareRead(el, id, seen) || compare(el, seen, true);
        if (same) return { el, listed, by: 'live', reach };
      }
    }
    const { listed, hidden, same } = compare(el, seen, false);
    if (same) return { el, listed, by: 'live' };
    if (!listed) changed = { miss: 'hidden', hidden };
    else changed = { miss: 'changed', now: nowOf(listed, el, seen) };
  }
  // it was found a moment ago: what it was found by is asked again, by whoever did
  if (seen.plain || levels < 2) return changed || { miss: 'gone' };
  for (const selector of selectorsOf(seen)) {
    const hit = onlyOne(selector);
    if (!hit || hit === el) continue;
    const { listed, same } = compare(hit, seen, false);
    if (same) return { el: hit, listed, by: 'selector' };
    if (listed && !changed && listed.r === seen.role) changed = { miss: 'changed', now: nowOf(listed, hit, seen) };
  }
  if (levels < 3) return changed || { miss: 'gone' };
  const equal = allEqual(seen);
  // where several were alike, the one that is left may be any of them
  if (equal.length === 1 && !seen.twins) return { ...equal[0], by: 'identity' };
  if (equal.length > 0) return { miss: 'ambiguous', now: { count: equal.length } };
  return changed || { miss: 'gone' };
};

/** @param {any} listed @param {Element} el @param {Seen} seen */
const nowOf = (listed, el, seen) => {
  const sameWords = listed.r === seen.role && listed.n === seen.name;
  const item = sameWords ? itemOf(el) : null;
  return { role: listed.r, name: listed.n, around: item ? short(tidy(getTextContent.call(item)), 120) : '' };
};

/** A quick walk of the whole document. */
const wholeWalk = () => {
  const walk = new Walk(true);
  walk.place.all = walk.prepare(document);
  if (document.body) walk.run(document.body, true);
  walk.flush();
  return walk;
};

/** All controls of this document that are equal to what was seen. @param {Seen} seen @returns {{el: Element, listed: any}[]} */
const allEqual = (seen) => {
  const walk = wholeWalk();
  const equal = [];
  for (const listed of walk.found) {
    if (listed.r !== seen.role || listed.n !== seen.name) continue;
    const item = walk.digestOf(listed);
    const el = elementOf(listed.i);
    if (item === seen.item && el) equal.push({ el, listed });
  }
  return equal;
};

/** Scroll alignments, tried in turn so that bars that stick to an edge are escaped. @type {ScrollLogicalPosition[]} */
const ALIGNMENTS = ['nearest', 'end', 'center', 'start'];

/** @param {Element} el */
const isMoving = (el) => {
  if (rootNodeOf.call(el) === document && document.getAnimations().length === 0) return false;
  for (let node = /** @type {Element | null} */ (el); node; node = composedParent(node)) {
    for (const animation of animationsOf.call(node)) if (animation.playState === 'running' && movesBox(animation)) return true;
  }
  return false;
};

/** @param {Animation} animation */
const movesBox = (animation) => {
  const effect = /** @type {KeyframeEffect | null} */ (animation.effect);
  if (!effect || !effect.getKeyframes) return true;
  return effect.getKeyframes().some((frame) => Object.keys(frame).some((key) => /transform|translate|scale|rotate|left|top|right|bottom|margin|padding|width|height|inset|offset|flex|font|gap/i.test(key)));
};

/** Two frames, or 120 ms where the page draws none. */
const twoFrames = () => new Promise((resolve) => {
  const done = () => resolve(undefined);
  setTimeout(done, 120);
  requestAnimationFrame(() => requestAnimationFrame(done));
});

/** @param {Element} el */
const boxKey = (el) => {
  const box = boxOf(el);
  return `${box.left},${box.top},${box.width},${box.height}`;
};

/** The point that was found last. @type {[number, number]} */
let located = [0, 0];

/**
 * @typedef {{enabled?: boolean, editable?: boolean, stable?: boolean, point?: boolean, thumb?: boolean, blind?: boolean, round: number, levels?: number, arm?: boolean, within?: boolean, hold?: number, observe?: boolean}} Wants
 * `thumb`: the point is that of what is dragged, where the control has such a part; `blind`: whatever is drawn over the point
 */

/**
 * Finds the element behind a ref, checks that it is ready for what is wanted, and arms the guard for a gesture on it.
 * @param {number} id
 * @param {Seen} seen
 * @param {Wants} wants
 * @returns {any} `{ok: true, …}`, or `{miss}` (what stands in the way for good or for now); a promise only where it has to wait
 */
const locate = (id, seen, wants) => {
  const found = findSeen(id, seen, !!wants.point, wants.levels);
  if ('miss' in found) return found;
  return ready(found, wants);
};

/** @param {Found} found @param {Wants} wants @returns {any} */
const ready = (found, wants) => {
  const { el, listed } = found;
  const state = listed.s;
  const about = { id: idOf(el), by: found.by, role: listed.r, name: listed.n, tag: listed.g, kind: listed.k || '', state };
  if (wants.enabled && state.disabled) return { ...about, miss: 'disabled', cause: state.disabled };
  if (wants.editable && state.readonly) return { ...about, miss: 'readonly' };
  if (!wants.point) {
    const modal = wants.enabled ? modalOver(el) : null;
    return modal ? { ...about, miss: 'covered', cover: { id: idOf(modal), name: layerName(modal), passing: false } } : armed(el, about, wants);
  }
  const reach = (wants.blind && blindReach(el)) || pulled(el, wants, (!wants.within && found.reach) || bringIntoView(el, wants.round, !wants.within));
  return wants.stable && isMoving(el) ? atRest(el, about, wants) : aimed(el, about, wants, reach);
};

/** A point of an element in view, whatever is drawn over it: what is dragged is. @param {Element} el @returns {ReturnType<typeof reachOf> | null} */
const blindReach = (el) => {
  const [point] = pointsOf(el);
  return point ? { point, cover: null } : null;
};

/**
 * The point at which a slider is taken: its thumb, where that is to be dragged.
 * @param {Element} el @param {Wants} wants @param {ReturnType<typeof reachOf>} reach
 */
const pulled = (el, wants, reach) => {
  const target = /** @type {HTMLInputElement} */ (targetOf(el));
  if (!wants.thumb || !reach.point) return reach;
  const native = tagOf(target) === 'input' && target.type === 'range';
  const point = native ? thumbOf(target) : thumbOn(target);
  if (!point) return reach;
  const hit = deepHit(document, point[0], point[1]);
  return hit && reaches(el, hit) ? { point, cover: null } : reach;
};

/** Half of the side of a native slider's thumb, CSS pixels. */
const THUMB = 8;

/** The middle of a native slider's thumb. @param {HTMLInputElement} range @returns {[number, number]} */
const thumbOf = (range) => {
  const box = boxOf(range);
  const low = range.min === '' ? 0 : Number(range.min);
  const high = range.max === '' ? 100 : Number(range.max);
  const share = high > low ? (Number(range.value) - low) / (high - low) : 0;
  const style = getComputedStyle(range);
  const along = (/** @type {number} */ from, /** @type {number} */ length, /** @type {boolean} */ back) => from + THUMB + (length - 2 * THUMB) * (back ? 1 - share : share);
  if (style.writingMode.startsWith('vertical')) return [box.left + box.width / 2, along(box.top, box.height, style.direction === 'rtl')];
  return [along(box.left, box.width, style.direction === 'rtl'), box.top + box.height / 2];
};

/**
 * Where the thumb of a slider is that is said to be one as a whole: as far along it as its value; null for what is none.
 * @param {Element} el @returns {[number, number] | null}
 */
const thumbOn = (el) => {
  if (explicitRole(el) !== 'slider') return null;
  const box = boxOf(el);
  const upright = attr(el, 'aria-orientation') === 'vertical';
  const { now, min, max } = scaleSays(el);
  if (now === null || !isTrack(box, upright)) return null;
  const low = min ?? 0;
  const high = max ?? 100;
  const share = high > low ? Math.min(1, Math.max(0, (now - low) / (high - low))) : 0;
  if (upright) return [box.left + box.width / 2, box.bottom - 1 - share * (box.height - 2)];
  const back = getComputedStyle(el).direction === 'rtl';
  return [box.left + 1 + (back ? 1 - share : share) * (box.width - 2), box.top + box.height / 2];
};

/** @param {Element} el @param {any} about @param {Wants} wants */
const atRest = async (el, about, wants) => {
  const was = boxKey(el);
  await twoFrames();
  return boxKey(el) === was ? aimed(el, about, wants, pulled(el, wants, reachOf(el, !wants.within))) : { ...about, miss: 'moving' };
};

/** @param {Element} el @param {any} about @param {Wants} wants @param {ReturnType<typeof reachOf>} reach */
const aimed = (el, about, wants, reach) => {
  if (!reach.point) {
    if (!reach.cover) return { ...about, miss: 'out_of_view' };
    const layer = layerOf(reach.cover, el);
    return { ...about, miss: 'covered', cover: { id: idOf(layer), name: layerName(layer), passing: looksPassing(layer) } };
  }
  const [x, y] = located = reach.point;
  const out = outwards(x, y);
  if (out.again) return { ...about, again: true };
  if (out.miss) return { ...about, miss: out.miss, cover: out.cover && { ...out.cover, level: out.levels + 1 } };
  const box = (tagOf(el) === 'area' && areaBox(el)) || boxOf(el);
  return armed(el, { ...about, x, y, rect: [box.left, box.top, box.width, box.height], out }, wants);
};

/** @param {Element} el @param {any} about @param {Wants} wants */
const armed = (el, about, wants) => {
  if (wants.arm) armGuard(el, wants.hold || 0, !!wants.within);
  if (wants.observe) startObserving(targetOf(el));
  return { ...about, sending: wants.arm ? pressSends(el) : null, ok: true };
};

/** A modal layer that keeps a person from this element, though keys and scripts would reach it. @param {Element} el */
const modalOver = (el) => {
  const modal = topModal();
  if (modal) return composedContains(modal, el) ? null : modal;
  const reach = reachOf(el, false);
  if (reach.point || !reach.cover) return null;
  const layer = layerOf(reach.cover, el);
  return /^(dialog|alertdialog)$/.test(roleOf(layer, tagOf(layer))) ? layer : null;
};

/** The control that a proxy label drives, else the element itself. @param {Element} el */
const targetOf = (el) => (tagOf(el) === 'label' && /** @type {HTMLLabelElement} */ (el).control) || el;

/** @param {Element} el @param {number} round which try this is @param {boolean} alone whether another control in it is in the way @returns {ReturnType<typeof reachOf>} where a click reaches it now */
const bringIntoView = (el, round, alone) => {
  const reach = reachOf(el, alone);
  if (reach.point) return reach;
  const shown = (tagOf(el) === 'area' && pictureOf(el)) || el;
  const block = round === 0 ? (boxOf(shown).height > innerHeight ? 'start' : 'center') : ALIGNMENTS[round % ALIGNMENTS.length];
  shown.scrollIntoView({ block, inline: round === 0 ? 'nearest' : block, behavior: 'instant' });
  noteScrolls(shown);
  return reachOf(el, alone);
};

/**
 * Carries a point out through the frames around this one, as far as their documents can be reached from here; the others
 * are asked one by one.
 * @param {number} x @param {number} y
 * @returns {{levels: number, x: number, y: number, miss?: string, cover?: any, again?: boolean}} how many frames were crossed
 */
const outwards = (x, y) => {
  let out = { levels: 0, x, y };
  for (let view = /** @type {any} */ (window); view !== view.parent; view = view.parent) {
    const frame = view.frameElement; // null where the parent is of another origin
    const outer = frame && view.parent.webhand;
    if (!outer) break;
    const crossed = outer.throughFrame(frame, out.x, out.y);
    if (crossed.again) return { ...out, again: true };
    if (!crossed.ok) return { ...out, ...crossed };
    out = { levels: out.levels + 1, x: crossed.x, y: crossed.y };
  }
  return out;
};

/** Whether a cover looks as if it would go by itself: it says that it is busy, turns, fades or floats. @param {Element} layer */
const looksPassing = (layer) => {
  if (attr(layer, 'aria-busy') === 'true' || [...queryAll.call(layer, '[aria-busy=true],[role=progressbar],progress,[role=status]')].length > 0) return true;
  if (/^(status|progressbar|alert)$/.test(explicitRole(layer))) return true;
  return animationsOf.call(layer, { subtree: true }).some((animation) => animation.playState === 'running');
};
