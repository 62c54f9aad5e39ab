// @ts-check
// What a drag came to. While something is dragged a page changes all the time, and may put everything back at the end: what
// counts is what differs then from what stood there before.

/**
 * @typedef {{source: Element, keep: (more: MutationRecord[]) => void, watcher: MutationObserver, records: MutationRecord[], box: DOMRect, offset: number[], values: Map<Element, string>,
 *   scrolled: [Element, number, number][], picture: string, start: DragEvent | null, over: DragEvent | null, hits: number, target: Element | null, on: string, forget: () => void}} Drag
 */
/** @type {Drag | null} */
let dragging = null;

/** So many changes are kept; a page that makes more is not put back. */
const RECORDS_MAX = 20000;
/** So many fields are compared. */
const FIELDS_MAX = 2000;
/** A larger canvas is not compared, pixels. */
const PICTURE_MAX = 4e6;

/** What stands in every field. @returns {Map<Element, string>} */
const fieldValues = () => {
  /** @type {Map<Element, string>} */
  const values = new Map();
  for (const root of searchRoots()) {
    for (const el of root.querySelectorAll('input,textarea,select')) {
      if (values.size >= FIELDS_MAX) return values;
      const field = /** @type {HTMLInputElement} */ (el);
      values.set(el, `${field.value}|${field.checked}`);
    }
  }
  return values;
};

/** What is drawn on a canvas, where that can be told; '' elsewhere. @param {Element} el */
const pictureOn = (el) => {
  const canvas = /** @type {HTMLCanvasElement} */ (el);
  if (tagOf(el) !== 'canvas' || canvas.width * canvas.height > PICTURE_MAX) return '';
  try {
    return canvas.toDataURL();
  } catch {
    return ''; // drawn from another origin
  }
};

/** A drag of that element begins. @param {number} id @returns {any} */
const beginDrag = (id) => {
  const source = elementOf(id);
  if (!source || !getIsConnected.call(source)) return { miss: 'gone' };
  if (dragging) dragging.forget();
  /** @type {[Element, number, number][]} */
  const scrolled = pathOf(source).map((el) => [el, el.scrollLeft, el.scrollTop]);
  /** @type {MutationRecord[]} */
  const records = [];
  const started = performance.now();
  /** @type {Set<Node>} */
  const restless = new Set();
  // what changes by itself is known for that only now: later its last change is one of these
  const keep = (/** @type {MutationRecord[]} */ more) => {
    for (const record of more) {
      const known = changeHistory.get(record.target);
      if (known && isHabit(known, started)) restless.add(record.target);
      if (!restless.has(record.target) && records.length < RECORDS_MAX) records.push(record);
    }
  };
  const watcher = new MutationObserver(keep);
  for (const root of searchRoots()) watcher.observe(root, { childList: true, characterData: true, characterDataOldValue: true, attributes: true, attributeOldValue: true, subtree: true });
  const mine = /** @type {Drag} */ ({ source, keep, watcher, records, box: boxOf(source), offset: [scrollX, scrollY], values: fieldValues(), scrolled, picture: pictureOn(source),
    start: null, over: null, hits: 0, target: null, on: '', forget: () => {} });
  dragging = mine;
  const hear = (/** @type {Event} */ event) => {
    if (event.isTrusted) noteDrag(mine, /** @type {DragEvent} */ (event));
  };
  const types = ['dragstart', 'dragenter', 'dragover', 'drop'];
  for (const type of types) addEventListener(type, hear, true);
  mine.forget = () => {
    watcher.disconnect();
    for (const type of types) removeEventListener(type, hear, true);
  };
  return {};
};

/** @param {Drag} mine @param {DragEvent} event */
const noteDrag = (mine, event) => {
  if (event.type === 'dragstart') mine.start = event;
  if (event.type === 'dragover') mine.over = event;
  const { target } = mine;
  if (!target || event.type === 'dragstart') return;
  if (onTarget({ el: target, within: true }, event)) mine.hits++;
  else mine.on = labelOf(event.composedPath()[0]);
};

/** The middle of an element, in view or not. @param {number} id @returns {[number, number] | null} */
const elementMiddle = (id) => {
  const el = elementOf(id);
  if (!el || !getIsConnected.call(el)) return null;
  const box = boxOf(el);
  return [box.left + box.width / 2, box.top + box.height / 2];
};

/** Whether the browser took the drag up, as one of data; else it is the page's own. */
const isDataDrag = () => !!dragging && !!dragging.start && !dragging.start.defaultPrevented;

/** What is dragged comes to that element: from now on it is noted whether it gets there. @param {number} id */
const aimDrag = (id) => {
  if (!dragging) dragging = /** @type {any} */ ({ hits: 0, on: '', over: null, forget: () => {} });
  const mine = /** @type {Drag} */ (dragging);
  mine.target = elementOf(id);
  if (!mine.watcher) {
    // another frame than the one that it began in
    const hear = (/** @type {Event} */ event) => {
      if (event.isTrusted) noteDrag(mine, /** @type {DragEvent} */ (event));
    };
    for (const type of ['dragenter', 'dragover', 'drop']) addEventListener(type, hear, true);
    mine.forget = () => {
      for (const type of ['dragenter', 'dragover', 'drop']) removeEventListener(type, hear, true);
    };
  }
  return { there: !!mine.target && getIsConnected.call(mine.target) };
};

/** Whether what is held would be taken where it is, and whether it got to its target. */
const dragOffer = () => {
  const over = dragging && dragging.over;
  const effect = over && over.dataTransfer ? over.dataTransfer.dropEffect : 'none';
  return { taken: !!over && over.defaultPrevented && effect !== 'none', hits: dragging ? dragging.hits : 0, on: dragging ? dragging.on : '' };
};

/** What a style says for good: what only helps a drag along is left out. @param {string} text */
const lastingStyle = (text) => {
  const style = document.createElement('i').style;
  style.cssText = text;
  /** @type {string[]} */
  const lasting = [];
  for (let i = 0; i < style.length; i++) {
    const key = style[i];
    const value = style.getPropertyValue(key).trim();
    if (/^(transition|animation|cursor|user-select|-webkit-user|touch-action|z-index|pointer-events|will-change|box-shadow|outline|filter)/.test(key)) continue;
    if (/^(transform|translate)$/.test(key) && /^(none|translate(3d|X|Y)?\((0(px|%)?[,\s]*)+\)|(0(px|%)?\s*)+)$/.test(value)) continue;
    if (/^(left|top|right|bottom|margin.*)$/.test(key) && /^(0(px|%)?|auto)$/.test(value)) continue;
    if (key === 'position' && /^(relative|static)$/.test(value)) continue;
    if (key === 'opacity' && value === '1') continue;
    lasting.push(`${key}:${value}`);
  }
  return lasting.sort().join(';');
};

/** The children that a node had before these changes of its list. @param {Node} parent @param {MutationRecord[]} records in their order */
const childrenBefore = (parent, records) => {
  /** @type {Node[]} */
  const list = [];
  for (let child = getFirstChild.call(parent); child; child = getNextSibling.call(child)) list.push(child);
  for (const record of records.slice().reverse()) {
    for (const added of record.addedNodes) {
      const at = list.indexOf(added);
      if (at >= 0) list.splice(at, 1);
    }
    const next = record.nextSibling ? list.indexOf(record.nextSibling) : list.length;
    list.splice(next < 0 ? list.length : next, 0, ...record.removedNodes);
  }
  return list;
};

/** Whether two lists of nodes show the same. @param {Node[]} before @param {Node[]} after */
const sameNodes = (before, after) => before.length === after.length && before.every((node, i) => node === after[i] || node.isEqualNode(after[i]));

/** Nodes that differ from what they were. @param {Drag} mine @returns {Set<Node>} */
const changedBy = (mine) => {
  /** @type {Map<Node, MutationRecord[]>} */
  const lists = new Map();
  /** @type {Map<Element, Map<string, string | null>>} */
  const attributes = new Map();
  /** @type {Map<Node, string | null>} */
  const texts = new Map();
  for (const record of mine.records) {
    const node = record.target;
    if (record.type === 'childList') lists.set(node, [...(lists.get(node) || []), record]);
    else if (record.type === 'characterData') {
      if (!texts.has(node)) texts.set(node, record.oldValue);
    } else {
      const own = attributes.get(/** @type {Element} */ (node)) || new Map();
      attributes.set(/** @type {Element} */ (node), own);
      if (!own.has(record.attributeName)) own.set(record.attributeName, record.oldValue);
    }
  }
  /** @type {Set<Node>} */
  const changed = new Set();
  for (const [node, records] of lists) {
    if (!getIsConnected.call(node)) continue;
    const after = [];
    for (let child = getFirstChild.call(node); child; child = getNextSibling.call(child)) after.push(child);
    if (!sameNodes(childrenBefore(node, records), after)) changed.add(node);
  }
  for (const [node, before] of texts) if (getIsConnected.call(node) && getTextContent.call(node) !== before) changed.add(node);
  for (const [el, own] of attributes) if (getIsConnected.call(el) && [...own].some(([key, before]) => lasts(mine, el, key, before))) changed.add(el);
  return changed;
};

/** Whether an attribute differs from before in a way that says something. @param {Drag} mine @param {Element} el @param {string} key @param {string | null} before */
const lasts = (mine, el, key, before) => {
  const now = attr(el, key);
  if (now === before || (now || '') === (before || '')) return false;
  if (/^(data-(focus|hover|active|drag)|aria-(grabbed|dropeffect|describedby|roledescription)$|draggable$|tabindex$)/.test(key)) return false;
  if (key !== 'class' && key !== 'style') return true;
  if (el === document.documentElement || el === document.body || el === mine.source) return false; // the source is known by where it is
  return key === 'class' || lastingStyle(now || '') !== lastingStyle(before || '');
};

/** How far the source is from where it was, in the document. @param {Drag} mine @returns {[number, number]} */
const travelled = (mine) => {
  if (!getIsConnected.call(mine.source)) return [0, 0];
  const now = boxOf(mine.source);
  return [Math.round(now.left + scrollX - mine.box.left - mine.offset[0]), Math.round(now.top + scrollY - mine.box.top - mine.offset[1])];
};

/** Whether nothing but text stands in it. @param {Node} node */
const isText = (node) => getNodeType.call(node) === 3 || getFirstElement.call(node) === null;

/** Only small things elsewhere differ: those that go on changing, though nothing is dragged any more, are clocks. @param {Set<Node>} changed */
const leaveOutClocks = async (changed) => {
  const watcher = new MutationObserver((records) => {
    for (const record of records) changed.delete(record.target);
  });
  for (const root of searchRoots()) watcher.observe(root, { childList: true, characterData: true, attributes: true, subtree: true });
  for (const until = performance.now() + CLOCK_MAX; changed.size > 0 && performance.now() < until;) await nextChange(until - performance.now());
  watcher.disconnect();
};

/**
 * Ends it. What differs from before, once the page has come to rest.
 * @returns {Promise<any>}
 */
const endDrag = async () => {
  const mine = dragging;
  dragging = null;
  if (!mine || !mine.watcher) {
    if (mine) mine.forget();
    return { miss: 'gone' };
  }
  // what slides back to its place is there only at the end of that
  for (let left = 40; left > 0 && getIsConnected.call(mine.source) && isMoving(mine.source); left--) await oneFrame();
  mine.keep(mine.watcher.takeRecords());
  mine.forget();
  const connected = getIsConnected.call(mine.source);
  const moved = travelled(mine);
  const changed = changedBy(mine);
  for (const [el, value] of fieldValues()) if (mine.values.has(el) && mine.values.get(el) !== value) changed.add(el);
  for (const [el, left, top] of mine.scrolled) if (getIsConnected.call(el) && (el.scrollLeft !== left || el.scrollTop !== top)) changed.add(el);
  if (mine.picture && connected && pictureOn(mine.source) !== mine.picture) changed.add(mine.source);
  if (Math.abs(moved[0]) > 1 || Math.abs(moved[1]) > 1) changed.add(mine.source);
  const isNear = (/** @type {Node} */ node) => composedContains(mine.source, node) || composedContains(node, mine.source);
  const near = [...changed].filter(isNear).length;
  if (near === 0 && changed.size > 0 && [...changed].every((node) => isText(node))) await leaveOutClocks(changed);
  return { near, far: changed.size - near, moved, gone: !connected, restless: mine.records.length > 0 };
};
