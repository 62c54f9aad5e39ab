// @ts-check
// What covers controls that are out of view. Nothing can be hit-tested there; but a layer that is lifted out of the page's
// flow covers what its box holds and what is drawn below it (CSS 2.2, appendix E).

/** More lifted layers than this are not looked at. */
const RAISED_MAX = 200;
/** A layer with a shorter side is an ornament. */
const RAISED_LEAST = 8;
/** How high what is in flow stands among layers: above those with a negative z-index, below all others. */
const IN_FLOW = -0.5;

/**
 * A layer, or a control that it may cover: when the walk came to it, and what clips it.
 * @typedef {{el: Element, at: number, clips: Clip[], whole: boolean}} Raised
 * @typedef {{id: number, at: number, clips: Clip[]}} Unseen
 */

/** Notes an element that is lifted out of the flow and takes clicks. @this {Walk} @param {Element} el @param {string} position @param {Clip[]} clips */
Walk.prototype.raise = function raise(el, position, clips) {
  if (this.raised.length >= RAISED_MAX) return;
  const whole = position === 'fixed';
  if (whole) {
    // one that stays in the view covers what comes into view only where it fills it
    const box = boxOf(el);
    if (box.left > 1 || box.top > 1 || box.right < this.width - 1 || box.bottom < this.height - 1) return;
  }
  this.raised.push({ el, at: this.lines.length, clips, whole });
};

/** Marks the controls out of view that a layer covers. @this {Walk} */
Walk.prototype.coverUnseen = function coverUnseen() {
  if (this.raised.length === 0 || this.unseen.length === 0) return;
  const layers = this.raised.map((raised) => ({ raised, box: boxOf(raised.el), ports: portsOf(raised.clips) }))
    .filter(({ box }) => box.width >= RAISED_LEAST && box.height >= RAISED_LEAST);
  for (const unseen of layers.length ? this.unseen : []) {
    const el = elementOf(unseen.id);
    const own = el && solidBox(standIns.get(el) || el);
    if (!el || !own) continue;
    const ports = portsOf(unseen.clips);
    const over = layers.find(({ raised, box, ports: outer }) => {
      if (!raised.whole && !outer.every((port, i) => port === ports[i])) return false;
      // in a scroller of its own it is covered wherever it is scrolled to, or nobody knows
      const region = ports.length > outer.length ? boxOf(ports[outer.length]) : own;
      return (raised.whole || holdsMost(box, region)) && !composedContains(raised.el, el) && !reaches(el, raised.el) && isAbove(raised, el, unseen.at);
    });
    if (over) this.markCovered(unseen.at, this.asLayer(layerOf(over.raised.el, el)));
  }
};

/** @this {Walk} @param {number} at its line: see printControl @param {{i: number, n: string}} cover */
Walk.prototype.markCovered = function markCovered(at, cover) {
  const fields = this.lines[at].split('\t');
  const more = fields[EXTRA] ? JSON.parse(fields[EXTRA]) : {};
  if (more.c || more.s?.disabled) return;
  fields[EXTRA] = toJson({ ...more, c: cover });
  this.lines[at] = fields.join('\t');
};
/** Which field of a control's line says what is not at its default. */
const EXTRA = 7;

/** The scrollers that clips are of, outermost first. @param {Clip[]} clips */
const portsOf = (clips) => clips.filter((clip) => clip.openX || clip.openY).map((clip) => clip.el);

/** Whether a box holds all the points of another that a click would be tried at. @param {DOMRect} box @param {DOMRect} inner */
const holdsMost = (box, inner) =>
  box.left <= inner.left + inner.width * 0.1 && box.right >= inner.right - inner.width * 0.1 && box.top <= inner.top + inner.height * 0.25 && box.bottom >= inner.bottom - inner.height * 0.25;

/** Whether a layer is drawn above an element that does not stand in it. @param {Raised} raised @param {Element} el @param {number} at when the walk came to the element */
const isAbove = (raised, el, at) => {
  const below = (/** @type {Element} */ from, /** @type {Element | undefined} */ common) => {
    const path = pathOf(from);
    return path.slice(0, common ? path.indexOf(common) : path.length).reverse();
  };
  const around = new Set(pathOf(raised.el));
  const common = pathOf(el).find((one) => around.has(one));
  const upper = heightOf(below(raised.el, common));
  const lower = heightOf(below(el, common));
  return upper === lower ? raised.at > at : upper > lower;
};

/** How high a branch of the tree is drawn, by the outermost element on it that has a say. @param {Element[]} branch outermost first */
const heightOf = (branch) => {
  let height = IN_FLOW;
  for (const el of branch) {
    const style = getComputedStyle(el);
    const lifted = style.position !== 'static';
    const parent = composedParent(el);
    const orders = lifted || (parent !== null && (layoutOf(getComputedStyle(parent).display) & LINES_UP) !== 0);
    if (orders && style.zIndex !== 'auto') return Number(style.zIndex);
    if (/fixed|sticky/.test(style.position) || stacks(style)) return 0;
    if (lifted) height = 0;
  }
  return height;
};

/** Whether a style makes a stacking context by itself, without an order. @param {CSSStyleDeclaration} style */
const stacks = (style) =>
  Number(style.opacity) < 1 || style.transform !== 'none' || style.filter !== 'none' || style.isolation === 'isolate' || style.mixBlendMode !== 'normal' ||
  style.clipPath !== 'none' || style.perspective !== 'none' || /paint|layout|strict|content/.test(style.contain) || /transform|opacity|filter/.test(style.willChange);
