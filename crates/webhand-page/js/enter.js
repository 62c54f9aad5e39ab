// @ts-check
// The closer look at one element of a walk: hidden or not, where its box is, structure, control, frame, shadow, slot.

/** Least visible side of a box, CSS pixels. */
const LEAST = 1;

/** Roles of parts whose text changes by itself (WAI-ARIA 1.2, live region roles). */
const LIVE = setOf('alert log marquee status timer');

/**
 * @this {Walk}
 * @param {Element} el
 * @param {string} tag
 * @param {number} kind what its tag says
 * @param {number} facts what its attributes say
 * @param {number} bits what it is marked with
 * @returns {number | Place | null}
 */
Walk.prototype.enterMarked = function enterMarked(el, tag, kind, facts, bits) {
  const saved = this.place;
  const place = new Place(saved);
  let block = (kind & INLINE) === 0 || saved.flex;
  let style = null;
  this.facts = facts;
  if (hidesItself(el, tag, facts)) bits |= STYLED | ALL_GROUPS;
  if (bits & STYLED) {
    style = getComputedStyle(el);
    const display = style.display;
    if (display === 'none' && tag !== 'area') return null; // an area has no box of its own
    const groups = bits & ALL_GROUPS;
    if (groups & FADES && style.contentVisibility === 'hidden') return null;
    if (groups & FADES && Number(style.opacity) < 0.02 && !isFadingIn(el) && !isGhostField(el, tag)) {
      if (!holdsGhostField(el)) return null;
      place.faint = true;
    }
    block = saved.flex || (layoutOf(display) & RUNS) === 0 || ((groups & LAYS) !== 0 && style.float !== 'none');
    if (!this.settle(el, tag, style, place, groups, display)) return null;
  }
  if (facts & OWN_STYLE && !this.quick && TINT_TEXT.test(attr(el, 'style') || '')) settleFaint(el, this);
  if (faintness.size > 0) {
    const verdict = faintness.get(el);
    if (verdict !== undefined) place.faint = verdict;
  }
  if (facts & INERT) place.off = 'inert';
  else if (facts & ARIA_DISABLED && attr(el, 'aria-disabled') === 'true') place.off = place.off || 'aria-disabled by ancestor';
  if (kind & FRAMING) {
    this.flush();
    this.place = place;
    this.emitFrame(el, tag);
    this.place = saved;
    return null;
  }
  const role = facts & ROLE ? roleOf(el, tag) : nativeRole(el, tag);
  const control = this.controlRole(el, tag, role, bits, style, place);
  const part = STRUCTURE.has(role);
  if (block || control || part) this.flush();
  if (tag === 'br') return null;
  if (place.near && block && hasChildrenOf.call(el)) place.near = this.isNear(el);
  if (LIVE.has(role) || ((facts & ARIA_LIVE) !== 0 && attr(el, 'aria-live') !== 'off')) place.around = place.item;
  if (isItem(el, tag, role)) place.item = this.openItem();
  // what is written into an editor is its value, and tells no more of where it stands than a field's does
  if (facts & EDITABLE && isEditableRoot(el)) place.around = place.item;
  this.place = place;
  if (control) {
    if (!this.emitControl(el, tag, control, bits, style)) {
      // it cannot be seen or reached itself; what it holds may be
      if (place.exact && this.beyond(boxOf(el))) {
        this.place = saved;
        return null;
      }
    }
  } else if (bits & NOTED && this.layers.has(el)) this.emitLayer(el);
  else {
    if (part) this.emitStructure(el, tag, role);
    if (style && bits & CLIPS && this.scrolls(el, style)) this.emitScroll(el);
  }
  return this.descend(el, tag, saved, block, control);
};

/** Leaves an element without going down. @this {Walk} @param {Place} saved @returns {null} */
Walk.prototype.stop = function stop(saved) {
  this.leave(saved);
  return null;
};

/**
 * Decides how to go down: into the shadow root, a slot's nodes, a closed details' summary, or the children.
 * @this {Walk} @param {Element} el @param {string} tag @param {Place} saved @param {boolean} block @param {string} control
 * @returns {number | Place | null}
 */
Walk.prototype.descend = function descend(el, tag, saved, block, control) {
  if (kindOf(tag) & LEAF) return this.stop(saved);
  if (tag === 'svg' && getComputedStyle(el).overflow !== 'visible' && tinyBox(boxOf(el))) return this.stop(saved);
  if (tag === 'svg' || (control && tag === 'math')) {
    if (control || this.place.muted) this.place.muted = true;
    return saved;
  }
  const shadow = shadowOf(el);
  if (shadow) {
    this.place.all = this.prepare(shadow);
    this.place.flex = false;
    this.shadow = shadow;
    return saved;
  }
  if (tag.includes('-') || (kindOf(tag) & HOST && !hasChildrenOf.call(el))) this.suspect(el);
  else if (this.fresh && kindOf(tag) & HOST && isUnslotted(el)) {
    this.suspect(el);
    return this.stop(saved);
  }
  if (tag === 'slot') {
    const assigned = /** @type {HTMLSlotElement} */ (el).assignedNodes();
    if (assigned.length && this.nested < 200) {
      this.nested++;
      for (const node of assigned) {
        this.place.all = this.roots.get(rootNodeOf.call(node)) || 0;
        this.run(node, true);
      }
      this.nested--;
      if (!block && this.place.line < 0) this.place.inline = true;
      return this.stop(saved);
    }
  }
  if (tag === 'details' && !(/** @type {HTMLDetailsElement} */ (el).open)) {
    const summary = [...queryAll.call(el, ':scope > summary')][0];
    if (summary) this.run(summary, true);
    return this.stop(saved);
  }
  if (!block && this.place.line < 0) this.place.inline = true;
  return saved;
};

/**
 * What may host a closed root is asked for it, again when it grew: custom elements, and what holds nothing but has a place on the page.
 * @this {Walk} @param {Element} el
 */
Walk.prototype.suspect = function suspect(el) {
  if (this.quick || this.hosts.length >= HOSTS_MAX) return;
  const asked = askedHosts.get(el);
  if (asked === undefined ? tagOf(el).includes('-') || !tiny(boxOf(el)) || this.fresh : asked !== hostKey(el)) this.hosts.push(el);
};

/**
 * Whether what an element holds is no part of what is rendered, as below the host of a shadow root that does not slot it: then it
 * has no style at all, or, where it is text, no place. @param {Element} el
 */
const isUnslotted = (el) => {
  const inner = getFirstElement.call(el);
  if (inner) return getComputedStyle(inner).display === '';
  if (!hasChildrenOf.call(el) || tiny(boxOf(el)) || getTextContent.call(el).trim() === '') return false;
  textRange.selectNodeContents(el);
  return textRange.getClientRects().length === 0;
};
/** @param {DOMRect} box */
const tinyBox = (box) => box.width < LEAST && box.height < LEAST;

/** Whether a transparent element is just about to be seen. @param {Element} el */
const isFadingIn = (el) => animationsOf.call(el).some((animation) => {
  const effect = /** @type {KeyframeEffect | null} */ (animation.effect);
  const frames = animation.playState === 'running' && effect && effect.getKeyframes ? effect.getKeyframes() : [];
  const last = frames[frames.length - 1];
  return !!last && last.opacity !== undefined && Number(last.opacity) >= 0.5;
});

/**
 * Whether a transparent field is one that a person uses: it lies over what is drawn for it, and takes the clicks. Where a label
 * can be seen that presses it, that is the control.
 * @param {Element} el @param {string} tag
 */
const isGhostField = (el, tag) => {
  if (tag !== 'select' && tag !== 'textarea' && (tag !== 'input' || /^(hidden|submit|button|reset|image)$/.test(/** @type {HTMLInputElement} */ (el).type))) return false;
  const box = boxOf(el);
  if (tiny(box) || (isPressed(el) && hasShownLabel(el))) return false;
  if (box.right <= 0 || box.bottom <= 0 || box.left >= innerWidth || box.top >= innerHeight) return true;
  return reachOf(el, false).point !== null;
};

/** A native field that holds a value. */
const FIELD = 'input:not([type=hidden]),textarea,select';

/** Whether a transparent part of a component holds such a field, as where its label is drawn over the empty field. @param {Element} el */
const holdsGhostField = (el) => {
  if (!isShadowRoot(rootNodeOf.call(el))) return false;
  const slotted = [...queryAll.call(el, 'slot')].flatMap((slot) => /** @type {HTMLSlotElement} */ (slot).assignedElements({ flatten: true }));
  const field = [el, ...slotted].map((one) => (matchesOf.call(one, FIELD) ? one : one.querySelector(FIELD))).find((one) => !!one);
  return !!field && isGhostField(field, tagOf(field));
};

/** Whether attributes of its own may hide or move it. @param {Element} el @param {string} tag @param {number} facts */
const hidesItself = (el, tag, facts) => {
  if (tag === 'dialog' || facts & HIDDEN) return true;
  return (facts & OWN_STYLE) !== 0 && TELLING_TEXT.test(attr(el, 'style') || '');
};

/** What a value of display says: its content runs on with what is beside it, or it lines its children up as blocks. */
const RUNS = 1;
const LINES_UP = 2;
/** @type {Map<string, number>} */
const LAYOUTS = new Map();
/** @param {string} display */
const layoutOf = (display) => {
  let layout = LAYOUTS.get(display);
  if (layout === undefined) {
    layout = (/^(inline|contents|ruby)/.test(display) && !display.startsWith('inline-') ? RUNS : 0) | (/flex|grid/.test(display) ? LINES_UP : 0);
    LAYOUTS.set(display, layout);
  }
  return layout;
};

/**
 * Takes over what the style of an element says for all below it.
 * @this {Walk} @param {Element} el @param {string} tag @param {CSSStyleDeclaration} style @param {Place} place
 * @param {number} groups the properties that may be declared @param {string} display
 * @returns {boolean} false where nothing in it can be seen
 */
Walk.prototype.settle = function settle(el, tag, style, place, groups, display) {
  if (groups & FADES) place.visible = style.visibility === 'visible';
  if (groups & INVITES) place.pointer = style.pointerEvents !== 'none';
  place.flex = (layoutOf(display) & LINES_UP) !== 0;
  const root = tag === 'body' || tag === 'html';
  let lifted = false;
  if (groups & MOVES) {
    const position = style.position;
    lifted = position === 'fixed' || position === 'absolute';
    if (lifted && place.clips.length) {
      const holder = position === 'fixed' ? null : /** @type {HTMLElement} */ (el).offsetParent;
      place.clips = place.clips.filter((clip) => !!holder && composedContains(clip.el, holder));
    }
    if (lifted) place.exact = true;
    if (lifted && place.visible && place.pointer && !this.quick) this.raise(el, position, place.clips);
  }
  if (groups & TURNS && (style.transform !== 'none' || style.scale !== 'none' || style.translate !== 'none')) place.exact = true;
  const indent = groups & CUTS ? parseFloat(style.textIndent) : 0;
  if (groups & CUTS && (indent < -99 || style.clipPath !== 'none' || style.clip !== 'auto')) place.exact = true;
  if (display === 'contents' || root) return true;
  const clipsX = (groups & CLIPS) !== 0 && style.overflowX !== 'visible';
  const clipsY = (groups & CLIPS) !== 0 && style.overflowY !== 'visible';
  if (!place.exact && !clipsX && !clipsY) return true;
  const box = boxOf(el);
  if (groups & TURNS && (box.width === 0 || box.height === 0) && /** @type {HTMLElement} */ (el).offsetWidth > 0 && /** @type {HTMLElement} */ (el).offsetHeight > 0) return false;
  if (groups & CUTS && cutAway(style, box)) return false;
  if (groups & CUTS) place.indented = indent < -99 && (clipsX || indent <= -999);
  return this.clip(el, style, place, box, clipsX, clipsY, lifted);
};

/**
 * @this {Walk} @param {Element} el @param {CSSStyleDeclaration} style @param {Place} place @param {DOMRect} box
 * @param {boolean} clipsX @param {boolean} clipsY @param {boolean} lifted
 * @returns {boolean} false where clips leave nothing of it
 */
Walk.prototype.clip = function clip(el, style, place, box, clipsX, clipsY, lifted) {
  const solid = box.width > 0 && box.height > 0;
  if (place.clips.length && solid && (clipsX || clipsY || lifted) && !this.shows(box, place.clips)) return false;
  if (clipsX || clipsY) {
    if (box.width < LEAST || box.height < LEAST || (box.width <= 1 && box.height <= 1)) return false;
    place.clips = place.clips.concat(clipOf(el, box, style));
    const inner = /** @type {HTMLElement} */ (el);
    if (inner.scrollWidth > inner.clientWidth || inner.scrollHeight > inner.clientHeight) place.exact = true;
  }
  return !(this.beyond(box, place.clips) && (clipsX || clipsY || (solid && lifted)));
};

/**
 * The area that a clipping element leaves: its box, open at the sides to which a person can scroll.
 * @param {Element} el @param {DOMRect} box @param {CSSStyleDeclaration} style @returns {Clip}
 */
const clipOf = (el, box, style) => {
  const inner = /** @type {HTMLElement} */ (el);
  // boxes are in pixels of the view, extents in the element's own: zoom and transforms lie between them
  const wide = inner.offsetWidth ? box.width / inner.offsetWidth : 1;
  const high = inner.offsetHeight ? box.height / inner.offsetHeight : 1;
  const back = /auto|scroll/.test(style.overflowX + style.overflowY) ? runsBack(style) : { x: false, y: false };
  const x = extentOf(style.overflowX, box.left, box.right, inner.scrollLeft * wide, inner.scrollWidth * wide, back.x);
  const y = extentOf(style.overflowY, box.top, box.bottom, inner.scrollTop * high, inner.scrollHeight * high, back.y);
  return { el, left: x.from, right: x.to, top: y.from, bottom: y.to, port: { left: box.left, right: box.right, top: box.top, bottom: box.bottom }, openX: x.open, openY: y.open };
};

/**
 * How far content may reach along one axis and still be seen, by scrolling or as it is.
 * @param {string} overflow @param {number} from @param {number} to of the box @param {number} scrolled @param {number} size of the content
 * @param {boolean} back the content begins at the far end, and scrolls to less than nothing
 */
const extentOf = (overflow, from, to, scrolled, size, back) => {
  if (overflow === 'visible') return { from: -Infinity, to: Infinity, open: false };
  if (!/auto|scroll/.test(overflow)) return { from, to, open: false };
  if (back) return { from: to - scrolled - Math.max(size, to - from), to: to - scrolled, open: true };
  return { from: from - scrolled, to: from - scrolled + Math.max(size, to - from), open: true };
};

/** In which directions the content of a scroller begins at the far end. @param {CSSStyleDeclaration} style @returns {{x: boolean, y: boolean}} */
const runsBack = (style) => {
  const flex = style.display.includes('flex') ? style.flexDirection : '';
  const upright = style.writingMode === 'horizontal-tb';
  const rtl = style.direction === 'rtl';
  if (!upright) return { x: style.writingMode.endsWith('-rl'), y: rtl };
  return { x: flex.startsWith('row') ? rtl !== (flex === 'row-reverse') : rtl, y: flex === 'column-reverse' };
};

/** Whether clip-path or clip leave nothing of a box. @param {CSSStyleDeclaration} style @param {DOMRect} box */
const cutAway = (style, box) => {
  if (style.clip !== 'auto' && style.position !== 'static' && style.position !== 'relative') {
    const sides = style.clip.match(/-?[\d.]+/g);
    if (sides && sides.length === 4 && (Number(sides[2]) - Number(sides[0]) <= 1 || Number(sides[1]) - Number(sides[3]) <= 1)) return true;
  }
  const path = style.clipPath;
  if (path === 'none') return false;
  const inset = /^inset\(([^)]*?)(?:\s+round.*)?\)/.exec(path);
  if (inset) {
    const part = inset[1].trim().split(/\s+/);
    const [top, right, bottom, left] = [part[0], part[1] || part[0], part[2] || part[0], part[3] || part[1] || part[0]];
    const px = (/** @type {string} */ text, /** @type {number} */ whole) => (text.endsWith('%') ? (parseFloat(text) / 100) * whole : parseFloat(text) || 0);
    return px(top, box.height) + px(bottom, box.height) > box.height - LEAST || px(left, box.width) + px(right, box.width) > box.width - LEAST;
  }
  if (/^(circle|ellipse)\(0(px|%)?(\s|\))/.test(path)) return true;
  const polygon = /^polygon\((?:\w+\s*,)?(.*)\)$/.exec(path);
  if (polygon) {
    const points = polygon[1].split(',').map((pair) => pair.trim().split(/\s+/).map(parseFloat));
    let area = 0;
    points.forEach(([x, y], i) => {
      const [nx, ny] = points[(i + 1) % points.length];
      area += x * ny - nx * y;
    });
    return Math.abs(area) < 0.5;
  }
  return false;
};

/**
 * Whether a box lies where no scrolling leads: left of or above the origin of the page, and in no area that scrolls that way.
 * @this {Walk} @param {DOMRect} box @param {Clip[]} [clips] those that it stands in
 */
Walk.prototype.beyond = function beyond(box, clips) {
  const around = clips || this.place.clips;
  return (box.right + this.left <= 0 && !around.some((clip) => clip.openX)) || (box.bottom + this.top <= 0 && !around.some((clip) => clip.openY));
};

/** Whether something of a box is left by every clip. @this {Walk} @param {DOMRect} box @param {Clip[]} clips */
Walk.prototype.shows = function shows(box, clips) {
  let { left, top, right, bottom } = box;
  for (let i = clips.length - 1; i >= 0; i--) {
    const clip = clips[i];
    left = Math.max(left, clip.left);
    top = Math.max(top, clip.top);
    right = Math.min(right, clip.right);
    bottom = Math.min(bottom, clip.bottom);
    if (right - left < LEAST || bottom - top < LEAST) return false;
    // what can be scrolled to shows where the scroller stands: that is what the clips around it see
    if (clip.openX) ({ left, right } = clip.port);
    if (clip.openY) ({ top, bottom } = clip.port);
  }
  return true;
};

/** @param {Element} el @param {string} tag @param {string} role */
const isItem = (el, tag, role) =>
  tag === 'li' || tag === 'tr' || tag === 'article' || role === 'row' || role === 'listitem' || role === 'article' || role === 'treeitem'
  || ((tag === 'dd' || tag === 'div' || tag === 'p' || tag === 'section' || tag === 'form' || tag.includes('-')) && isRepeated(el, tag))
  || ((tag === 'dialog' || role === 'dialog' || role === 'alertdialog') && asks(el));

/** Whether a dialog only asks: its words say what its buttons do. What stands in one with fields changes as they are filled. @param {Element} el */
const asks = (el) => queryAll.call(el, FIELD).length === 0 && !wrapsFields(el, 1);

/** Whether a person can scroll it and there is somewhere to go. @this {Walk} @param {Element} el @param {CSSStyleDeclaration} style */
Walk.prototype.scrolls = function scrolls(el, style) {
  const inner = /** @type {HTMLElement} */ (el);
  const y = /auto|scroll/.test(style.overflowY) && inner.scrollHeight > inner.clientHeight + 1;
  const x = /auto|scroll/.test(style.overflowX) && inner.scrollWidth > inner.clientWidth + 1;
  return (x || y) && inner !== document.body && inner !== document.documentElement && inner.clientHeight > 20;
};
