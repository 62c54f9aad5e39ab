// What every page shares: a record of the values that its controls have told, and when it stands.

/** The last value of each control by a short name, as the library's own events told it. */
window.__record = {};

/** @param {string} key @param {unknown} value */
export const record = (key, value) => {
  window.__record[key] = value;
};

/** What the library itself says that a control holds, by the same names. @type {Record<string, () => unknown>} */
const held = {};
window.__now = (/** @type {string} */ key) => held[key]();

/** Names a control's value: how to ask the library for it. @param {string} key @param {() => unknown} read */
export const holds = (key, read) => {
  held[key] = read;
};

/** Counts what has no value, such as presses of a button. @param {string} key */
export const count = (key) => record(key, (window.__record[key] || 0) + 1);

/** @type {Promise<unknown>[]} */
const pending = [];
/** The page does not stand before this. @param {Promise<unknown>} promise */
export const awaits = (promise) => pending.push(promise);

/** Every element, those in open shadow trees included. @param {ParentNode} root @returns {Element[]} */
const everyElement = (root) => [...root.querySelectorAll('*')].flatMap((el) => (el.shadowRoot ? [el, ...everyElement(el.shadowRoot)] : [el]));

const loaded = new Promise((done) => addEventListener('load', done, { once: true }));
const frame = () => new Promise((done) => requestAnimationFrame(() => done(0)));
const roots = () => [document, ...everyElement(document).flatMap((el) => el.shadowRoot || [])];

/** Animations that come to an end, wherever they run. */
const moving = () => roots().flatMap((root) => root.getAnimations()).filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);

/** Waits until all that was drawn stands: definitions and updates of custom elements, some frames, what moves to an end. */
const stands = async () => {
  for (let round = 0; round < 6; round++) {
    await Promise.all(everyElement(document).map((el) => /** @type {any} */ (el).updateComplete));
    await frame();
  }
  await Promise.allSettled(moving().map(({ finished }) => finished));
  await frame();
};

/** Fulfilled once the page stands. */
window.__settled = (async () => {
  await loaded;
  await Promise.all(pending);
  await stands();
  return document.title;
})();

/** What the page's parts can be opened to, by name. */
window.__states = {};

/** Opens one of them. @param {string} name */
window.__open = async (name) => {
  await window.__states[name]();
  await stands();
};

/** @param {string} path selectors from shadow root to shadow root, parted by `>>>` */
export const find = (path) => path.split('>>>').reduce((root, part) => (root.shadowRoot || root).querySelector(part.trim()), document);

/** Presses an element as a mouse does. @param {string} path */
export const press = (path) => {
  const el = find(path);
  const told = { bubbles: true, cancelable: true, composed: true, button: 0, pointerType: 'mouse', view: window };
  el.dispatchEvent(new PointerEvent('pointerdown', { ...told, buttons: 1 }));
  el.dispatchEvent(new MouseEvent('mousedown', { ...told, buttons: 1 }));
  el.focus?.();
  el.dispatchEvent(new PointerEvent('pointerup', told));
  el.dispatchEvent(new MouseEvent('mouseup', told));
  el.click ? el.click() : el.dispatchEvent(new MouseEvent('click', told));
};

/** Names a state: how to come to it, or what to press. @param {string} name @param {string | (() => unknown)} way */
export const state = (name, way) => {
  window.__states[name] = typeof way === 'string' ? () => press(way) : way;
};
