// @ts-check
// Boxes, switches and the like: how one stands that was just pressed, though what stands around it changed, or its menu closed.

/** The one that is to be pressed: by its own words. @type {{words: string, before: string | null}} */
let checking = { words: '', before: null };

/** `true`, `false`, `mixed`, or null where it says nothing. @param {Element} el @returns {string | null} */
const checkedState = (el) => {
  const own = targetOf(el);
  const state = stateOf(own, tagOf(own), roleOf(own, tagOf(own)), factsOf(own));
  return state.checked ?? state.pressed ?? null;
};

/** What a box is by its own words. @param {Element} el */
const boxWords = (el) => [el, ...labelsOf(targetOf(el))].map(choiceWords).join('|');

/**
 * Notes what is to be pressed, and what the press sets off.
 * @param {number} id
 * @returns {{opener: number, name: string, role: string}} what opened the menu that it stands in; no number where there is none
 */
const noteCheck = (id) => {
  noteClick();
  const el = elementOf(id);
  if (!el) return { opener: 0, name: '', role: '' };
  checking = { words: boxWords(el), before: checkedState(el) };
  const opener = openerOf(el);
  if (!opener) return { opener: 0, name: '', role: '' };
  const { listed } = describe(opener, false);
  return { opener: idOf(opener), name: listed ? listed.n : '', role: listed ? listed.r : '' };
};

/** What opened the menu or list that something stands in: what names it, or says that it controls it. @param {Element} el @returns {Element | null} */
const openerOf = (el) => {
  const list = pathOf(el).find((around) => /^(menu|listbox)$/.test(explicitRole(around)));
  if (!list) return null;
  const named = referred(list, 'aria-labelledby', 'ariaLabelledByElements').filter(opensSomething);
  const root = /** @type {Document | ShadowRoot} */ (rootNodeOf.call(list));
  const controlling = list.id ? [...root.querySelectorAll(`[aria-controls~="${CSS.escape(list.id)}"],[aria-owns~="${CSS.escape(list.id)}"]`)] : [];
  const open = [...root.querySelectorAll('[aria-expanded=true][aria-haspopup]')].filter((other) => !composedContains(list, other));
  return [...named, ...controlling, ...(open.length === 1 ? open : [])].find((other) => !composedContains(other, el)) || null;
};

/**
 * How the element stands that was pressed: `same` where its own words are what they were and no other has its name, so that
 * it is still what it was, whatever changed around it.
 * @param {number} id @param {Seen} seen
 */
const checkedNow = (id, seen) => {
  const el = elementOf(id);
  if (!el || !getIsConnected.call(el)) return { here: false };
  const alike = listAll().filter((listed) => listed.r === seen.role && listed.n === seen.name && listed.i !== id);
  return { here: true, same: boxWords(el) === checking.words && alike.length === 0, checked: checkedState(el), changed: checkedState(el) !== checking.before };
};
