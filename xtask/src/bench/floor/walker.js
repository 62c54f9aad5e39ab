// The floor's in-page walk: the least that gives a model numbered lines of what can be used, and finds them again.
// It runs in the page's own world, which is the fastest place and which an engine must not use.
(() => {
  "use strict";
  if ("floor" in window) return;
  const ROLES = new Set([
    "button", "link", "textbox", "checkbox", "radio", "combobox", "tab", "menuitem", "switch", "option", "slider",
    "spinbutton", "searchbox", "menuitemcheckbox", "menuitemradio", "treeitem",
  ]);
  /** Closed roots that the driver handed over, by host. @type {WeakMap<Element, ShadowRoot>} */
  const closed = new WeakMap();
  /** @type {WeakSet<Element>} */
  const asked = new WeakSet();
  /** @type {Element[]} */
  let elements = [];
  /** @type {string[]} */
  let keys = [];
  /** Possible hosts of closed roots that nobody looked into yet. @type {Element[]} */
  let hosts = [];
  /** @type {string[]} */
  let lines = [];

  const roleOf = (e, tag) => e.getAttribute("role") || (tag === "INPUT" ? `input:${e.type}` : tag.toLowerCase());
  const nameOf = (e, tag) => {
    const label = e.getAttribute("aria-label");
    if (label) return label;
    if (e.labels?.length) return e.labels[0].textContent.trim();
    const field = tag === "INPUT" || tag === "SELECT" || tag === "TEXTAREA";
    return (field ? e.placeholder || e.title || e.name || "" : e.textContent || "").trim().slice(0, 80);
  };
  const reacts = (e, tag) => {
    switch (tag) {
      case "BUTTON": case "SELECT": case "TEXTAREA": case "SUMMARY": return true;
      case "INPUT": return e.type !== "hidden";
      case "A": return e.hasAttribute("href");
    }
    const role = e.getAttribute("role");
    if (role && ROLES.has(role)) return true;
    return e.isContentEditable && !e.parentElement?.isContentEditable;
  };
  /** What lies over the element at that point, or null. */
  const coverAt = (e, x, y) => {
    const root = e.getRootNode();
    const top = (root.elementFromPoint ? root : document).elementFromPoint(x, y);
    for (let t = top; t && t !== e && !e.contains(t); ) return t.contains(e) ? null : t;
    return null;
  };
  const stateOf = (e, tag) => {
    if (e.type === "checkbox" || e.type === "radio") return e.checked ? " *" : "";
    return tag !== "BUTTON" && typeof e.value === "string" && e.value ? ` =${e.value}` : "";
  };
  const take = (e, tag, width, height) => {
    const box = e.getBoundingClientRect();
    const role = roleOf(e, tag);
    const name = nameOf(e, tag);
    let marks = e.disabled ? " disabled" : "";
    if (box.bottom > 0 && box.top < height && box.right > 0 && box.left < width) {
      const first = e.getClientRects()[0] ?? box;
      if (coverAt(e, first.left + first.width / 2, first.top + first.height / 2)) marks += " covered";
    } else marks += " off";
    lines.push(`[${elements.length}] ${role} ${name}${stateOf(e, tag)}${marks}`);
    elements.push(e);
    keys.push(`${role}|${name}`);
  };
  const walk = (root, width, height) => {
    for (let e = root.firstElementChild; e; e = e.nextElementSibling) {
      const tag = e.tagName;
      if (tag === "SCRIPT" || tag === "STYLE" || tag === "HEAD") continue;
      let use = reacts(e, tag);
      const custom = tag.includes("-");
      if (!use && !custom && !e.firstElementChild && e.className === "" && tag !== "IFRAME" && !e.shadowRoot) continue;
      if (!use && e.className && e.childElementCount < 2 && e.textContent) use = getComputedStyle(e).cursor === "pointer";
      if (use && e.checkVisibility({ visibilityProperty: true })) take(e, tag, width, height);
      const shadow = e.shadowRoot ?? closed.get(e);
      if (shadow) walk(shadow, width, height);
      else if (custom && !asked.has(e)) hosts.push(e);
      if (tag === "IFRAME") walkFrame(e);
      if (e.firstElementChild) walk(e, width, height);
    }
  };
  const walkFrame = (frame) => {
    let inner = null;
    try { inner = frame.contentDocument; } catch { /* another origin: its own session walks it */ }
    if (inner) walk(inner, inner.defaultView.innerWidth, inner.defaultView.innerHeight);
  };
  const read = () => {
    elements = []; keys = []; hosts = []; lines = [];
    walk(document, innerWidth, innerHeight);
    return hosts.length ? `${hosts.length}\n${lines.join("\n")}` : `0\n${lines.join("\n")}`;
  };
  /** The element of that number; if it went, the one that now has its role and name, under the old number. */
  const find = (number) => {
    let e = elements[number];
    if (!e || e.isConnected) return e;
    const key = keys[number];
    read();
    e = elements[keys.indexOf(key)];
    if (e) { elements[number] = e; keys[number] = key; }
    return e;
  };
  /** Where to press it, in the coordinates of this session's page. */
  const place = (number) => {
    const e = find(number);
    if (!e) return { error: "gone" };
    let box = e.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth) {
      e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    }
    box = e.getClientRects()[0] ?? e.getBoundingClientRect();
    let x = box.left + box.width / 2;
    let y = box.top + box.height / 2;
    const cover = coverAt(e, x, y);
    if (cover) return { error: `covered by ${cover.tagName}` };
    for (let view = e.ownerDocument.defaultView; view !== window; view = view.parent) {
      const frame = view.frameElement;
      const outer = frame.getBoundingClientRect();
      x += outer.left + frame.clientLeft;
      y += outer.top + frame.clientTop;
    }
    return { x, y };
  };
  const focus = (number) => {
    const e = find(number);
    if (!e) return { error: "gone" };
    e.focus();
    e.select?.();
    return {};
  };
  const host = (index) => { asked.add(hosts[index]); return hosts[index]; };
  const adopt = (root) => { closed.set(root.host, root); };
  Object.assign(window, { floor: { read, place, focus, host, adopt } });
})();
