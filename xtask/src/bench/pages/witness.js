// The page's own witness: what the page's handlers saw, when, and on which token.
// Frames report to the top page; `at` is milliseconds since the epoch, on the page's clock. Every click is answered by a
// line of text, as a page does whose button does something.
(() => {
  "use strict";
  const TOKEN = /[TD]\d{5}/;
  const isTop = window === window.top;
  /** @type {Array<object>} */
  const events = [];

  /** @param {Element} element */
  const tokenOf = (element) => {
    if (element.nodeType !== 1) return null;
    const labelled = TOKEN.exec(`${element.id} ${element.getAttribute("aria-label") ?? ""}`);
    if (labelled) return labelled[0];
    if (element.childElementCount > 5) return null;
    const text = element.textContent ?? "";
    const named = text.length < 200 ? TOKEN.exec(text) : null;
    return named ? named[0] : null;
  };

  let clicks = 0;

  /** @param {Event} event */
  const note = (event) => {
    const at = performance.timeOrigin + performance.now();
    const path = event.composedPath();
    let token = null;
    for (const node of path.slice(0, 4)) {
      token = tokenOf(/** @type {Element} */ (node));
      if (token) break;
    }
    const origin = path[0];
    if (event.type === "click" && origin instanceof Element && origin.closest("a[href]")) event.preventDefault();
    const said = event.type === "click" ? document.getElementById("said") : null;
    if (said) said.textContent = `click ${++clicks}`;
    const record = { type: event.type, token, at, trusted: event.isTrusted };
    if (isTop) events.push(record);
    else window.top?.postMessage({ witness: record }, "*");
  };

  /** @param {Node} root */
  const watch = (root) => {
    for (const type of ["click", "input", "keydown"]) root.addEventListener(type, note, true);
  };

  watch(document);
  Object.assign(window, { witness: events, watch });
  if (isTop) {
    window.addEventListener("message", (event) => {
      if (event.data?.witness) events.push(event.data.witness);
    });
  }
})();
