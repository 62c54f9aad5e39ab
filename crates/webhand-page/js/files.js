// @ts-check
// Files that a page holds itself, without a server: what an address of its own shows.

/**
 * The address that a link shows instead of saving, where no server is asked for it: then nothing but the page can give it.
 * @param {number} id @returns {string | null}
 */
const shownAddress = (id) => {
  const el = /** @type {HTMLAnchorElement | null} */ (elementOf(id));
  if (!el || tagOf(el) !== 'a' || has(el, 'download')) return null;
  return /^(blob|data):/i.test(el.href) ? el.href : null;
};

/** What is read piece by piece. @type {Blob | null} */
let openedBlob = null;

/** @param {string} url @param {number} most bytes @returns {Promise<{size?: number, kind?: string, miss?: string}>} */
const openBlob = async (url, most) => {
  try {
    openedBlob = await (await fetch(url)).blob();
  } catch (error) {
    return { miss: String(error) };
  }
  const { size, type } = openedBlob;
  return size > most ? { miss: `it has ${size} bytes` } : { size, kind: type.split(';')[0].trim() };
};

/** @param {number} from @param {number} length @returns {Promise<string>} in base64; '' at the end */
const readBlob = async (from, length) => {
  if (!openedBlob) return '';
  const bytes = new Uint8Array(await openedBlob.slice(from, from + length).arrayBuffer());
  if (from + length >= openedBlob.size) openedBlob = null;
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
};

/** @param {Element | null} el @returns {el is HTMLInputElement} */
const isFileInput = (el) => !!el && tagOf(el) === 'input' && /** @type {HTMLInputElement} */ (el).type === 'file';

/** The file fields in an element, those in its shadow trees too. @param {Element | ShadowRoot} root @param {HTMLInputElement[]} found */
const fileInputsIn = (root, found = []) => {
  for (const el of root.querySelectorAll('*')) {
    if (isFileInput(el)) found.push(el);
    const shadow = shadowOf(el);
    if (shadow) fileInputsIn(shadow, found);
  }
  return found;
};

/**
 * The file field that an element stands for: itself, that of its label or of the label that it is in, or the only one in it.
 * @param {Element} el @returns {HTMLInputElement | null}
 */
const fileInputOf = (el) => {
  const target = targetOf(el);
  if (isFileInput(target)) return target;
  const label = /** @type {HTMLLabelElement | null} */ (el.closest('label'));
  if (label && isFileInput(label.control)) return label.control;
  const shadow = shadowOf(el);
  const inner = [...fileInputsIn(el), ...(shadow ? fileInputsIn(shadow) : [])];
  return inner.length === 1 ? inner[0] : null;
};

/** Whether an element is there to be pressed, rather than to have something put on it. @param {Element} el */
const isPressable = (el) => /^(button|link|menuitem)$/.test(roleOf(el, tagOf(el)));

/** What an element takes of files. @param {number} id */
const fileField = (id) => {
  const el = elementOf(id);
  if (!el) return { miss: 'gone' };
  const input = fileInputOf(el);
  if (!input) return { field: 0, press: isPressable(el) };
  return { field: idOf(input), accept: input.accept, multiple: input.multiple, folder: input.webkitdirectory, disabled: matchesOf.call(input, ':disabled') };
};

/** @param {FileList | null} files */
const fileList = (files) => [...(files || [])].slice(0, 200).map((file) => ({ name: file.name, size: file.size }));

/** Parts in which a page tells of a fault. */
const COMPLAINTS = '[role=alert],[role=alertdialog],[aria-live=assertive],[aria-invalid=true],[class*=error i],[class*=invalid i],[class*=reject i],[class*=danger i]';

/** What the page says of faults, by element. @returns {Map<Element, string>} */
const complaints = () => {
  /** @type {Map<Element, string>} */
  const told = new Map();
  for (const root of searchRoots()) {
    for (const el of root.querySelectorAll(COMPLAINTS)) {
      if (checkVisibilityOf.call(el, { visibilityProperty: true, opacityProperty: true })) told.set(el, short(tidy(seenText(el)), 200));
    }
  }
  return told;
};

/**
 * Files that are on their way to a field or a drop zone.
 * @type {{el: Element, names: string[], shown: boolean[], told: Map<Element, string>, arrived: {name: string, size: number}[] | null, over: DragEvent | null, on: string, forget: () => void} | null}
 */
let giving = null;

/** @param {Element} el @param {string[]} names */
const beginGiving = (el, names) => {
  if (giving) giving.forget();
  const mine = { el, names, shown: names.map((name) => countText(name) > 0), told: complaints(), arrived: /** @type {{name: string, size: number}[] | null} */ (null), over: /** @type {DragEvent | null} */ (null), on: '', forget: () => {} };
  giving = mine;
  return mine;
};

/** Files are to come into a field; what the page does is watched from an element that is on it. @param {number} id @param {number} around @param {string[]} names */
const armFileField = (id, around, names) => {
  const input = elementOf(id);
  if (!isFileInput(input)) return { miss: 'gone' };
  const mine = beginGiving(input, names);
  startObserving(elementOf(around) || input);
  // heard before the page's own handlers, which may empty the field; the event does not leave a shadow tree
  const onChange = () => {
    mine.arrived = fileList(input.files);
  };
  input.addEventListener('change', onChange, true);
  mine.forget = () => input.removeEventListener('change', onChange, true);
  return { files: fileList(input.files) };
};

const DRAGS = ['dragenter', 'dragover', 'drop'];

/** @param {Event} event */
const onDrag = (event) => {
  const mine = giving;
  const drag = /** @type {DragEvent} */ (event);
  if (!mine || !event.isTrusted) return;
  if (!onTarget({ el: mine.el, within: true }, event)) {
    mine.on = labelOf(event.composedPath()[0]);
    event.stopImmediatePropagation();
    if (event.type === 'drop') event.preventDefault();
    return;
  }
  mine.on = '';
  if (event.type === 'dragover') mine.over = drag;
  if (event.type === 'drop') {
    noteGesture();
    mine.arrived = fileList(drag.dataTransfer && drag.dataTransfer.files);
  }
};

/** Files are to be dropped on an element, and on nothing else. @param {number} id @param {string[]} names */
const armDrop = (id, names) => {
  const el = elementOf(id);
  if (!el || !getIsConnected.call(el)) return { miss: 'gone' };
  const mine = beginGiving(el, names);
  for (const type of DRAGS) addEventListener(type, onDrag, true);
  mine.forget = () => {
    for (const type of DRAGS) removeEventListener(type, onDrag, true);
  };
  return {};
};

/** Whether the files that are held over an element would be taken there, and what stands in the way. */
const dropOffer = () => {
  const over = giving && giving.over;
  if (!giving || !over) return { taken: false, on: giving ? giving.on : '' };
  const effect = over.dataTransfer ? over.dataTransfer.dropEffect : 'none';
  return { taken: over.defaultPrevented && effect !== 'none', on: giving.on };
};

/** What came so far. */
const arrivedFiles = () => giving && giving.arrived;

/** Ends the giving. What arrived, what a field holds now, and what the page says of it. */
const endGiving = () => {
  const mine = giving;
  giving = null;
  if (!mine) return { miss: 'gone' };
  mine.forget();
  const complaint = [...complaints()].find(([el, text]) => mine.told.get(el) !== text);
  return {
    arrived: mine.arrived,
    on: mine.on,
    holds: isFileInput(mine.el) ? fileList(mine.el.files) : null,
    there: getIsConnected.call(mine.el),
    shown: mine.names.every((name, i) => !mine.shown[i] && countText(name) > 0),
    complaint: complaint ? complaint[1] || 'the field is marked as not valid' : '',
  };
};
