// What every page shares: a record of the values that its controls have told, and when it stands.

/** The last value of each control by a short name, as the library's own events told it. */
window.__record = {};

/** @param {string} key @param {unknown} value */
export const record = (key, value) => {
  window.__record[key] = value;
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

/** Fulfilled once all that was drawn stands: definitions and updates of custom elements, then a few frames. */
window.__settled = (async () => {
  await loaded;
  await Promise.all(pending);
  for (let round = 0; round < 6; round++) {
    await Promise.all(everyElement(document).map((el) => /** @type {any} */ (el).updateComplete));
    await frame();
  }
  return document.title;
})();
