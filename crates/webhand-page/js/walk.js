// @ts-check
// The walk: one pass over the composed tree, depth first with a stack of its own, giving one line a thing seen.
//
// Lines (fields parted by tabs, text has none):
//   t depth view text                      a run of text
//   s depth view role level name           a structural part
//   c depth view …                         a control, a frame, a scroll area or a covering layer: see printControl
//
// An element that no rule could have made special (see style.js) and that is no control by tag or attribute costs a few
// look-ups here.

const DOWN = 0; // nothing to do when it closes
const FLUSH = 1; // a plain block: its text ends a line

/** A walk's way down to the element it is in. */
class Place {
  /** @param {Place | null} from */
  constructor(from) {
    /** @type {number} */
    this.depth = from ? from.depth : 0;
    /** @type {boolean} */
    this.visible = from ? from.visible : true;
    /** @type {boolean} */
    this.pointer = from ? from.pointer : true; // pointer-events reach it
    /** @type {boolean} */
    this.hand = from ? from.hand : false; // cursor: pointer began above
    /** Why nothing in it can be used. @type {string} */
    this.off = from ? from.off : '';
    /** @type {boolean} */
    this.exact = from ? from.exact : false; // boxes must be looked at: moved or clipped
    /** @type {Clip[]} */
    this.clips = from ? from.clips : [];
    this.flex = false;
    /** @type {boolean} */
    this.near = from ? from.near : true; // may be in view
    /** @type {boolean} */
    this.muted = from ? from.muted : false; // its text is the name of something listed
    /** @type {number} */
    this.item = from ? from.item : -1;
    /** The item around the live region that this stands in: what changes by itself says nothing of it. @type {number} */
    this.around = from ? from.around : -1;
    /** @type {number} */
    this.all = from ? from.all : 0; // STYLED where every element of this root must be styled
    /** The name of the part around it: a text that only repeats it is not printed. @type {string} */
    this.echo = from ? from.echo : '';
    /** @type {boolean} */
    this.faint = from ? from.faint : false; // nobody can read its text
    /** @type {boolean} */
    this.indented = from ? from.indented : false; // its text was moved out of sight
    this.inline = false; // its text runs on
    this.line = -1;
    this.merge = false;
    this.needs = false; // drop the line when nothing came of it
    this.lost = 0; // siblings in a row that stood outside the view
  }
}

/** @typedef {{i: number, r: string, g: string, k: string, n: string, m: number, s: any}} Listed */
/**
 * What a clipping element leaves: how far content may reach, where the element itself stands, and along which axes it can
 * be scrolled.
 * @typedef {{left: number, top: number, right: number, bottom: number}} Sides
 * @typedef {Sides & {el: Element, port: Sides, openX: boolean, openY: boolean}} Clip
 */

class Walk {
  /** @param {boolean} quick leave hit tests out */
  constructor(quick) {
    /** @type {string[]} */
    this.lines = [];
    this.buffer = '';
    this.place = new Place(null);
    /** @type {Map<Element, number>} */
    this.marks = new Map();
    /** @type {Map<Node, number>} */
    this.roots = new Map(); // what every element of a root is marked with
    /** @type {ShadowRoot | null} */
    this.shadow = null; // the shadow root to go down into next
    /** @type {Digest[]} */
    this.items = [];
    /** @type {number[]} */
    this.itemParents = [];
    /** Controls that stand in an item: the control's line, the item. @type {number[]} */
    this.itemLines = [];
    /** @type {Map<Element, {id: number, name: string}>} */
    this.layers = new Map();
    this.quick = quick;
    /** Whether nothing of this document was read before: hosts of closed roots are looked for then. */
    this.fresh = !quick && answers === 0;
    this.narrow = false; // of one element only: nothing is marked beforehand
    /** @type {Set<number>} */
    this.listed = new Set();
    this.facts = 0; // what the attributes of the element at hand may mean
    /** The element that was measured last, and its box. @type {Element | null} */
    this.boxed = null;
    /** @type {DOMRect | null} */
    this.box = null;
    /** @type {Element | null} */
    this.proxy = null; // the hidden control that a label drives
    this.controls = 0;
    this.nested = 0;
    /** @type {Element[]} */
    this.hosts = [];
    this.width = innerWidth;
    this.height = innerHeight;
    this.left = scrollX;
    this.top = scrollY;
    this.active = deepActive();
    this.modal = quick ? null : topModal();
    /** A layer drawn by the page itself that keeps a person from all that is behind it. @type {Element | null} */
    this.curtain = quick || this.modal ? null : curtained();
    /** What was listed. @type {Listed[]} */
    this.found = [];
    /** Layers lifted out of the flow. @type {Raised[]} */
    this.raised = [];
    /** Controls out of view. @type {Unseen[]} */
    this.unseen = [];
  }

  /** @param {Element} el @param {number} bits */
  mark(el, bits) {
    this.marks.set(el, (this.marks.get(el) || 0) | bits);
  }

  /** Marks the elements of a document or shadow root that need a closer look. @param {Document | ShadowRoot} root */
  prepare(root) {
    const known = this.roots.get(root);
    if (known !== undefined) return known;
    if (root === document) {
      rebase();
      if (!this.quick) {
        faintness = new Map();
        framesInRoots = [];
      }
      for (const el of noted()) this.mark(el, listening.has(el) ? LISTENING : NOTED);
    }
    else if (!this.quick) watchRoot(/** @type {ShadowRoot} */ (root));
    if (this.quick) for (const el of faintness.keys()) this.mark(el, NOTED_FAINT);
    else findFaint(root, this);
    const all = markStyled(root, this) ? 0 : STYLED | ALL_GROUPS;
    this.roots.set(root, all);
    return all;
  }

  flush() {
    if (this.buffer === '') return;
    let text = this.buffer.trim();
    this.buffer = '';
    if (UNTIDY.test(text)) text = text.replace(/\s+/g, ' ');
    if (text === '') return;
    const place = this.place;
    this.learn(text);
    if (text === place.echo) {
      place.echo = '';
      return;
    }
    this.lines.push(lineHead(TEXT, place.depth, place.near) + text);
  }

  /** Takes text that stands here. @param {string} text */
  take(text) {
    const place = this.place;
    if (place.visible && !place.muted && !place.faint && !place.indented) this.buffer += text;
  }

  /** A long text: what of it is in view stands by itself, in pieces that no limit on a text cuts. @param {Text} node */
  takeLong(node) {
    if (!this.place.visible || this.place.muted || this.place.faint) return;
    const { from, to } = shownPart(node, this.height);
    const text = node.data;
    this.take(text.slice(0, from));
    const near = this.place.near;
    this.flushAs(false);
    for (let at = from; at < to;) {
      let end = Math.min(to, at + LONG - 100);
      if (end < to) end = Math.max(text.lastIndexOf(' ', end), at + 1);
      this.take(text.slice(at, end));
      this.flushAs(near);
      at = end;
    }
    this.take(text.slice(to));
    this.flushAs(false);
  }

  /** @param {boolean} near whether what is flushed is in view */
  flushAs(near) {
    const saved = this.place.near;
    this.place.near = near;
    this.flush();
    this.place.near = saved;
  }

  /** Adds to the digest of the item that this stands in. @param {string} text */
  learn(text) {
    const place = this.place;
    if (place.item > place.around) this.items[place.item].add(text);
  }

  /** @param {Node | null} start @param {boolean} single only this node, not its siblings */
  run(start, single) {
    /** @type {(Node | null)[]} */
    const nexts = [];
    /** @type {(number | Place)[]} */
    const closers = [];
    let node = start;
    for (;;) {
      while (node) {
        const type = getNodeType.call(node);
        const next = single && nexts.length === 0 ? null : getNextSibling.call(node);
        if (type === 3) {
          const text = /** @type {Text} */ (node);
          if (text.length > LONG && text.length < LONGEST && this.place.near) this.takeLong(text);
          else this.take(text.data);
        } else if (type === 1) {
          const closer = this.enter(/** @type {Element} */ (node));
          if (closer !== null) {
            nexts.push(next);
            closers.push(closer);
            const shadow = this.shadow;
            node = shadow ? getFirstChild.call(shadow) : getFirstChild.call(node);
            this.shadow = null;
            continue;
          }
        }
        node = next;
      }
      if (nexts.length === 0) return;
      node = /** @type {Node | null} */ (nexts.pop() || null);
      const closer = /** @type {number | Place} */ (closers.pop());
      if (closer !== DOWN) this.leave(closer);
    }
  }

  /**
   * @param {Element} el
   * @returns {number | Place | null} how to leave it, or null where there is no way down
   */
  enter(el) {
    const tag = getLocalName.call(el);
    const kind = TAGS.get(tag) || 0;
    if (kind & NEVER) return null;
    let bits = (this.marks.get(el) || 0) | this.place.all;
    if (this.narrow && (listening.has(el) || isServed(el))) bits |= LISTENING;
    const facts = factsOf(el);
    if (bits !== 0 || !(kind & PLAIN) || kind & STRUCTURAL || facts & SPEAKING || (kind & HOST && getShadowRoot.call(el) !== null)) {
      const takesValue = (kind & FIELDLIKE) !== 0 || ((facts & ROLE) !== 0 && /^(textbox|combobox|searchbox)$/.test(explicitRole(el)));
      const listed = this.controls;
      if (takesValue) standIns.delete(el);
      const way = this.enterMarked(el, tag, kind, facts, bits);
      if (takesValue && way === null && this.controls === listed) this.emitStoodFor(el, tag, facts);
      return way;
    }
    if (kind & INLINE && !this.place.flex) {
      if (getFirstElement.call(el) !== null) return DOWN;
      const text = getTextContent.call(el);
      if (text !== '') this.take(text);
      else if (kind & HOST) this.suspect(el);
      return null;
    }
    this.flush();
    if (tag === 'br') return null;
    if (this.fresh && kind & HOST && getFirstElement.call(el) !== null && isUnslotted(el)) {
      this.suspect(el);
      return null;
    }
    if (getFirstElement.call(el) !== null && !this.runsOn(el)) return this.place.near || kind & GENERIC_ITEM ? this.enterPlain(el, tag, kind) : FLUSH;
    // text alone, or with inline parts that nothing makes special: its nodes need no handles of their own
    if (this.place.clips.length > 0 && this.isCutOff(el)) return null;
    if (this.fresh && kind & HOST && isUnslotted(el)) {
      this.suspect(el);
      return null;
    }
    const text = getTextContent.call(el);
    if (text === '') {
      if (kind & HOST) this.suspect(el);
      return null;
    }
    if (text.length > LONG && this.place.near) return FLUSH;
    const near = this.place.near;
    this.place.near = near && this.isNear(el);
    this.take(text);
    this.flush();
    this.place.near = near;
    return null;
  }

  /** Whether clips leave nothing of a plain block: it was moved out of a box that hides what is outside. @param {Element} el */
  isCutOff(el) {
    const clips = this.place.clips;
    const inner = clips[clips.length - 1];
    // what can be scrolled to is not cut off
    if (inner.openX && inner.openY) return false;
    const box = boxOf(el);
    return box.width >= LEAST && box.height >= LEAST && !this.shows(box, clips);
  }

  /** Whether an element holds nothing but text and plain inline leaves. @param {Element} el */
  runsOn(el) {
    for (let inner = getFirstElement.call(el), left = 30; inner; inner = getNextElement.call(inner)) {
      const kind = kindOf(getLocalName.call(inner));
      if (--left === 0 || (kind & RUNS_ON) !== RUNS_ON || getFirstElement.call(inner) !== null) return false;
      if (this.marks.has(inner) || factsOf(inner) & SPEAKING || (kind & HOST && (!hasChildrenOf.call(inner) || getShadowRoot.call(inner) !== null))) return false;
    }
    return true;
  }

  /** A block that nothing makes special. @param {Element} el @param {string} tag @param {number} kind @returns {number | Place} */
  enterPlain(el, tag, kind) {
    const item = (kind & GENERIC_ITEM) !== 0 && isRepeated(el, tag);
    let near = this.place.near;
    if (near && hasChildrenOf.call(el)) near = this.isNear(el);
    if (!item && near === this.place.near) return FLUSH;
    const saved = this.place;
    const place = new Place(saved);
    place.near = near;
    if (item) place.item = this.openItem();
    this.place = place;
    return saved;
  }

  /** Whether its box meets the view; guessed where the siblings before it have long been outside. @param {Element} el */
  isNear(el) {
    const place = this.place;
    if (place.lost > 12) return false;
    const box = boxOf(el);
    this.boxed = el;
    this.box = box;
    if (box.width === 0 && box.height === 0) return true; // contents, or floats only
    const near = box.bottom > 0 && box.top < this.height && box.right > 0 && box.left < this.width;
    if (near || box.top < this.height) place.lost = 0;
    else place.lost++;
    return near;
  }

  /** Ends the walk: each control in an item gets the item's digest. @returns {string[]} the lines */
  finish() {
    const { lines, items, itemLines } = this;
    this.coverUnseen();
    for (let i = 0; i < itemLines.length; i += 2) {
      const item = this.tellingItem(itemLines[i + 1]);
      const telling = item < 0 ? null : items[item].telling();
      if (telling) lines[itemLines[i]] += `\t${telling.high()}.${telling.low()}`;
    }
    return lines;
  }

  /** Lets go of the elements: what was listed is kept by numbers. */
  release() {
    this.marks = new Map();
    this.roots = new Map();
    this.layers = new Map();
    this.hosts = [];
    this.lines = [];
    this.raised = [];
    this.unseen = [];
    this.boxed = this.active = this.modal = this.proxy = null;
    return this;
  }

  /** The digest that tells of where a listed control stands; 0 for none. @param {Listed} listed */
  digestOf(listed) {
    const telling = this.tellingItem(listed.m);
    return telling < 0 ? 0 : this.items[telling].value();
  }

  /** The item itself, or the nearest around it that says anything: a wrapper of a lone button tells nothing of its row. @param {number} item */
  tellingItem(item) {
    for (let left = TELLING_LEVELS; item >= 0 && !this.items[item].telling(); item = this.itemParents[item]) if (--left === 0) return -1;
    return item;
  }

  /** The same for the name of a button. @param {string} name */
  learnName(name) {
    const place = this.place;
    if (place.item > place.around) this.items[place.item].name(name);
  }

  openItem() {
    this.items.push(new Digest());
    this.itemParents.push(this.place.item);
    return this.items.length - 1;
  }

  /** @param {number | Place} closer */
  leave(closer) {
    const place = this.place;
    if (closer === FLUSH || !place.inline) this.flush();
    if (closer === FLUSH) return;
    const outer = /** @type {Place} */ (closer);
    this.place = outer;
    // an item that holds another says what that one says, but for what changes by itself
    if (place.item !== outer.item && outer.item > place.around) this.items[outer.item].take(this.items[place.item]);
    if (place.line < 0) return;
    const count = this.lines.length - place.line - 1;
    if (count === 0 && place.needs) {
      this.lines.pop();
    } else if (count === 1 && place.merge && this.lines[place.line + 1][0] === 't') {
      const text = /** @type {string} */ (this.lines.pop());
      this.lines[place.line] += text.slice(text.indexOf('\t', text.indexOf('\t') + 1) + 1);
    }
  }
}

/** The topmost modal dialog. The collection is kept by the browser, so that asking costs nothing where there is none. @returns {Element | null} */
const topModal = () => {
  const dialogs = document.getElementsByTagName('dialog');
  for (let i = dialogs.length - 1; i >= 0; i--) if (matchesOf.call(dialogs[i], ':modal')) return dialogs[i];
  return null;
};

const modalDialog = untilChanged(() => document.querySelector('[aria-modal=true]'));

/**
 * A dialog that says it is modal and lets no click through to the page: what covers the corners of the view is as large as it,
 * and no part of the page's flow. @returns {Element | null}
 */
const curtained = () => {
  const dialog = modalDialog();
  if (!dialog || !checkVisibilityOf.call(dialog, { visibilityProperty: true, opacityProperty: true })) return null;
  const covers = (/** @type {Element} */ el) => {
    const box = boxOf(el);
    return box.left <= 1 && box.top <= 1 && box.right >= innerWidth - 1 && box.bottom >= innerHeight - 1 && /fixed|absolute/.test(getComputedStyle(el).position);
  };
  const corners = [[4, 4], [innerWidth - 5, 4], [4, innerHeight - 5], [innerWidth - 5, innerHeight - 5]];
  const shut = corners.filter(([x, y]) => {
    const hit = deepHit(document, x, y);
    return !!hit && (composedContains(dialog, hit) || pathOf(hit).some(covers));
  });
  return shut.length >= 3 ? dialog : null;
};

/** @returns {Element | null} */
const deepActive = () => {
  let el = document.activeElement;
  for (let i = 0; el && i < 100; i++) {
    const shadow = shadowOf(el);
    if (!shadow || !shadow.activeElement) break;
    el = shadow.activeElement;
  }
  return el;
};

/** A text longer than this is looked at by its lines. */
const LONG = 1000;
/** To measure one that is longer than this takes seconds. */
const LONGEST = 100000;

/** Which part of a text is in view: the lines of it stand below each other. @param {Text} node @param {number} height of the view */
const shownPart = (node, height) => {
  const range = document.createRange();
  const bottomOf = (/** @type {number} */ at) => {
    range.setStart(node, at);
    range.setEnd(node, Math.min(at + 1, node.length));
    return range.getBoundingClientRect().bottom;
  };
  const first = (/** @type {(at: number) => boolean} */ holds) => {
    let [low, high] = [0, node.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const spaceBefore = (/** @type {number} */ at) => (at <= 0 ? 0 : Math.max(0, node.data.lastIndexOf(' ', at)));
  const from = spaceBefore(first((at) => bottomOf(at) > 0));
  const space = node.data.indexOf(' ', first((at) => bottomOf(at) > height + 40));
  return { from, to: space < 0 ? node.length : Math.max(space, from) };
};

/** So many items outwards are asked for words. */
const TELLING_LEVELS = 4;

/** An inline element that nothing makes special by its tag. */
const RUNS_ON = INLINE | PLAIN;

/** Kinds of lines: indexes of their letters. */
const TEXT = 0;
const PART = 1;
const CONTROL = 2;
/** How a line begins, by kind and view and depth; made once. @type {string[][]} */
const heads = [[], [], [], [], [], []];
/** @param {number} kind @param {number} depth @param {boolean} near */
const lineHead = (kind, depth, near) => {
  const known = heads[near ? kind : kind + 3];
  while (known.length <= depth) known.push(`${'tsc'[kind]}${known.length}\t${near ? 1 : 0}\t`);
  return known[depth];
};

/** White space that is not single spaces. */
const UNTIDY = /[^\S ]|\s\s/;

/** Whether a sibling of the same make stands beside it, so that it is one of several. @param {Element} el @param {string} tag */
const isRepeated = (el, tag) => {
  const count = getElementCount.call(el);
  if (count === 0) return false;
  const alike = (/** @type {Element | null} */ other) =>
    !!other && tagOf(other) === tag && getElementCount.call(other) === count && attr(other, 'class') === attr(el, 'class');
  return alike(getNextElement.call(el)) || alike(getPreviousElement.call(el));
};
