// @ts-check
// Widgets that offer a choice and are no native select: which list belongs to a control, what it offers, and what is chosen
// there. Told by roles, by what refers to what, and by what came up; never by what a page calls its classes.

/** Roles of what is chosen from a list. */
const CHOICES = setOf('option menuitem menuitemcheckbox menuitemradio treeitem radio');
/** Roles of what such things stand in. */
const CHOICE_LISTS = setOf('listbox menu menubar tree grid treegrid radiogroup');
/** What else a list may be made of, where nothing in it has such a role. */
const PLAIN_CHOICES = setOf('generic button link row gridcell tab listitem checkbox switch');

/**
 * One thing that can be chosen. `chosen` is null where nothing says whether it is; `place` is its number in the whole list.
 * @typedef {{id: number, role: string, label: string, text: string, value: string, chosen: boolean | null, disabled: boolean, expanded: boolean | null,
 *   opens: boolean, level: number, place: number, words: string, box: number}} Choice
 */

/**
 * The widget that a choice is made in: its control, whether its list stands there by itself, what was listed before it was
 * opened, and what it showed then.
 * @typedef {{el: Element, control: Element, inline: boolean, before: Set<Element>, shown: Set<string>, names: Set<Element>, area: Element, holder: Element | null,
 *   branch: {owner: Element, before: Set<Element>} | null}} Widget
 */
/** @type {Widget | null} */
let widget = null;

/** Elements that an attribute of references leads to, or a script set in its place. @param {Element} el @param {string} key @param {string} property @returns {Element[]} */
const referred = (el, key, property) => {
  const ids = attr(el, key);
  if (ids) return byIds(el, ids);
  const set = /** @type {any} */ (el)[property];
  return set ? [set].flat() : [];
};

/** Everything in an element, its open and closed shadow trees included. @param {Element | ShadowRoot} root @param {string} selector @returns {Element[]} */
const queryDeep = (root, selector) => {
  const found = [];
  /** @type {(Element | ShadowRoot)[]} */
  const roots = [root];
  for (let i = 0; i < roots.length && i < 500; i++) {
    const own = isShadowRoot(roots[i]) ? null : shadowOf(/** @type {Element} */ (roots[i]));
    if (own) roots.push(own);
    for (const el of roots[i].querySelectorAll('*')) {
      if (matchesOf.call(el, selector)) found.push(el);
      const shadow = shadowOf(el);
      if (shadow) roots.push(shadow);
    }
  }
  return found;
};

/** @param {Element} el */
const isShown = (el) => checkVisibilityOf.call(el, { visibilityProperty: true }) && solidBox(el) !== null;

/** The only choice widget in what was named, else that itself. @param {Element} el @returns {Element} */
const controlIn = (el) => {
  if (/^(select|input|textarea)$/.test(tagOf(el)) || explicitRole(el)) return el;
  const inner = queryDeep(el, 'select,[role=combobox],[role=listbox],[role=tree],[role=menu]').filter(isShown);
  return inner.length === 1 ? inner[0] : el;
};

/** One thing of a list means the list, unless it opens more itself. @param {Element} el @returns {Element} */
const listAround = (el) => {
  const role = explicitRole(el);
  if (!CHOICES.has(role) || (role.startsWith('menuitem') && opensSomething(el))) return el;
  return pathOf(el).find((around) => /^(listbox|tree|menu|menubar|radiogroup)$/.test(explicitRole(around))) || el;
};

/** Whether an element says that it opens something. @param {Element} el */
const opensSomething = (el) => {
  const popup = attr(el, 'aria-haspopup');
  return (!!popup && popup !== 'false') || has(el, 'aria-expanded') || has(el, 'aria-controls') || has(el, 'aria-owns');
};

/**
 * Begins a choice: what the widget is, and what is there before it is touched.
 * @param {number} id
 * @returns {any} `way`: native, suggested (a field with a datalist), list (its choices stand there), opener, or none
 */
const beginWidget = (id) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return { miss: 'gone' };
  const el = targetOf(found);
  const control = listAround(controlIn(el));
  const tag = tagOf(control);
  if (tag === 'select') return { way: 'native', id: idOf(control) };
  if (tag === 'input' && /** @type {HTMLInputElement} */ (control).list) return { way: 'suggested', id: idOf(control) };
  const role = ariaRole(control, tag) || 'generic';
  const area = areaOf(control);
  widget = { el, control, inline: CHOICE_LISTS.has(role), before: new Set(), shown: new Set(), names: namesOf(control), area, holder: null, branch: null };
  widget.before = new Set(listAll().map((listed) => elementOf(listed.i) || control));
  widget.shown = shownIn(widget);
  const way = widget.inline && choicesNow().length > 0 ? 'list' : 'opener';
  const sure = opensSomething(control) || opensSomething(el) || CHOICE_LISTS.has(role) || role === 'combobox' || takesText(control) || (role === 'button' && (ownsMenu(control) || isCalledMenu(control)));
  if (CHOICES.has(role) && !opensSomething(control)) return { way: 'none', role };
  if (!sure && role !== 'generic') return { way: 'none', role };
  return { way, role, sure, id: idOf(control) };
};

/** What refers to the button that opens it, beside the attributes of ARIA. */
const OPENER_KEYS = ['anchor', 'for', 'trigger', 'opener', 'target', 'aria-labelledby'];

/**
 * Whether a list that is closed belongs to a button that does not say so: it refers to the button, or stands with it, and no
 * other button, in something of their own.
 * @param {Element} control
 */
const ownsMenu = (control) => {
  const hosts = pathOf(control).slice(0, 4);
  for (const host of hosts) {
    if (!host.id || /^(body|main|form|section)$/.test(tagOf(host))) continue;
    const root = /** @type {Document | ShadowRoot} */ (rootNodeOf.call(host));
    const about = OPENER_KEYS.map((key) => `[${key}="${CSS.escape(host.id)}"]`).join();
    for (const el of root.querySelectorAll(about)) {
      if (/^(menu|listbox)$/.test(explicitRole(el)) || queryDeep(el, '[role=menu],[role=listbox],[role=menuitem],[role=option]').length > 0) return true;
    }
  }
  for (const around of pathOf(control).slice(1, 6)) {
    if (/^(body|main|form|section|nav|header|table|tr|ul|ol)$/.test(tagOf(around))) return false;
    const lists = queryDeep(around, '[role=menu],[role=listbox]').filter((list) => !composedContains(list, control));
    if (lists.length === 0) continue;
    const others = queryDeep(around, 'button,a[href],[role=button],input,select').filter((el) => el !== control && !composedContains(control, el) && !composedContains(el, control) && !lists.some((list) => composedContains(list, el)));
    return lists.length === 1 && !isShown(lists[0]) && others.length === 0;
  }
  return false;
};

/** What buttons are called that open a menu, and do nothing else. */
const MENU_WORDS = /^(menu|more|more (actions|options)|actions?|options|kebab menu|menü|mehr|aktionen|optionen|plus|acciones|más|menú|更多|操作|菜单|[⋮⋯…☰]|\.\.\.)$/i;

/** Whether a button's name says that it opens a menu. @param {Element} control */
const isCalledMenu = (control) => MENU_WORDS.test(tidy(accessibleName(control, tagOf(control), 'button')).replace(/\s*[▾▼⌄˅]$/, ''));

/** What names the control is no choice that it shows. @param {Element} control @returns {Set<Element>} */
const namesOf = (control) => new Set([...labelsOf(control), ...referred(control, 'aria-labelledby', 'ariaLabelledByElements')].filter((el) => !composedContains(control, el)));

/** All that is listed now; kept for a moment, unless something changes. @returns {Listed[]} */
const listAll = () => {
  if (watcher) onMutations(watcher.takeRecords());
  const now = performance.now();
  if (watcher && listedLast.at === changeCount && now - listedLast.when < LISTED_FOR) return listedLast.found;
  listedLast = { at: changeCount, when: now, found: wholeWalk().found };
  return listedLast.found;
};
/** So long it is kept, ms: what moves or fades changes without a word. */
const LISTED_FOR = 120;
/** @type {{at: number, when: number, found: Listed[]}} */
let listedLast = { at: -1, when: 0, found: [] };

/** What is listed in one part of the page. @param {Element} root @returns {Listed[]} */
const listIn = (root) => {
  const { walk, hidden } = walkAt(root, false);
  if (hidden) return [];
  walk.run(root, true);
  walk.flush();
  return walk.found;
};

/** The lists that belong to the widget: what it refers to, what it names, and where the focus went. @param {Widget} mine @returns {Element[]} */
const listsOf = (mine) => {
  /** @type {Set<Element>} */
  const lists = new Set();
  const add = (/** @type {Element | null} */ el) => {
    if (el && getIsConnected.call(el) && !composedContains(el, mine.control)) lists.add(el);
  };
  const listOver = (/** @type {Element} */ el) => pathOf(el).find((around) => CHOICE_LISTS.has(explicitRole(around))) || null;
  const active = deepActive();
  const from = [mine.control, mine.el, ...pathOf(mine.control).slice(1, 4).filter((el) => explicitRole(el) === 'combobox')];
  if (active && active !== mine.control && !mine.before.has(active) && active !== document.body) from.push(active);
  for (const el of from) {
    for (const list of referred(el, 'aria-controls', 'ariaControlsElements')) add(list);
    for (const list of referred(el, 'aria-owns', 'ariaOwnsElements')) add(list);
    for (const choice of referred(el, 'aria-activedescendant', 'ariaActiveDescendantElement')) add(listOver(choice));
  }
  if (active && !mine.before.has(active)) add(listOver(active));
  if (mine.control.id) {
    const root = /** @type {Document | ShadowRoot} */ (rootNodeOf.call(mine.control));
    for (const el of root.querySelectorAll(`[aria-labelledby~="${CSS.escape(mine.control.id)}"]`)) if (CHOICE_LISTS.has(explicitRole(el))) add(el);
  }
  return [...lists].filter((list) => isShown(list) || list.getElementsByTagName('*').length > 0);
};

/** What can be chosen in it now. @returns {Choice[]} */
const choicesNow = () => {
  const mine = widget;
  if (!mine) return [];
  if (mine.branch) return getIsConnected.call(mine.branch.owner) ? branchChoices(mine, mine.branch) : [];
  if (mine.inline) return choicesOf(listIn(mine.control), (el) => el !== mine.control);
  for (const lists of [listsOf(mine), mine.holder && getIsConnected.call(mine.holder) ? [mine.holder] : []]) {
    const listed = lists.filter((list) => !lists.some((other) => other !== list && composedContains(other, list))).flatMap(listIn);
    const choices = choicesOf(listed, () => true);
    if (choices.length > 0) return choices;
  }
  const came = choicesOf(listAll(), (el) => !mine.before.has(el) && !composedContains(el, mine.control) && !composedContains(mine.control, el) && isOpened(mine, el));
  if (came.length > 0) mine.holder = holderOfAll(came.map((choice) => /** @type {Element} */ (elementOf(choice.id))), mine);
  return came;
};

/**
 * Whether what came up is something that was opened: what came in the widget beside its control shows what is chosen, but
 * what hangs below it or lies over it is a list.
 * @param {Widget} mine @param {Element} el
 */
const isOpened = (mine, el) => {
  if (!composedContains(mine.area, el)) return true;
  if (boxOf(el).top >= boxOf(mine.control).bottom - 4) return true;
  return pathOf(el).some((around) => around !== mine.area && composedContains(mine.area, around) && !composedContains(around, mine.control) && /absolute|fixed/.test(getComputedStyle(around).position));
};

/** What holds all that came up, unless that holds more than it. @param {Element[]} els @param {Widget} mine @returns {Element | null} */
const holderOfAll = (els, mine) => {
  let holder = composedParent(els[0]);
  while (holder && !els.every((el) => composedContains(holder, el))) holder = composedParent(holder);
  for (const el of mine.before) if (holder && composedContains(holder, el) && getIsConnected.call(el)) return null;
  return holder === document.body ? null : holder;
};

/** @param {Listed[]} listed @param {(el: Element) => boolean} counts @returns {Choice[]} */
const choicesOf = (listed, counts) => {
  const own = listed.filter((one) => {
    const el = elementOf(one.i);
    return !!el && counts(el);
  });
  const byRole = own.filter((one) => CHOICES.has(one.r));
  // a radio button in an option is a part of it
  const outer = byRole.filter((one) => one.r !== 'radio' || !byRole.some((other) => other !== one && other.r !== 'radio'));
  if (outer.length > 0) return outer.map(choiceOf);
  const plain = own.filter((one) => PLAIN_CHOICES.has(one.r) && one.n !== '');
  return plain.filter((one) => !plain.some((other) => other !== one && composedContains(elementOf(other.i), elementOf(one.i)))).map(choiceOf);
};

/** @param {Listed} listed @returns {Choice} */
const choiceOf = (listed) => {
  const el = /** @type {HTMLElement} */ (elementOf(listed.i));
  const state = listed.s;
  const value = attr(el, 'data-value') ?? attr(el, 'value') ?? (tagOf(el).includes('-') && typeof (/** @type {any} */ (el).value) === 'string' ? /** @type {any} */ (el).value : '');
  const box = boxIn(el);
  const popup = attr(el, 'aria-haspopup');
  const expanded = state.expanded ?? null;
  return {
    id: listed.i, role: listed.r, label: tidy(listed.n), text: short(wordPartsOf(el).join(' '), 300), value, chosen: saysChosen(el), disabled: !!state.disabled,
    expanded, opens: (!!popup && popup !== 'false') || expanded !== null, level: Number(attr(el, 'aria-level')) || 0, place: Number(attr(el, 'aria-posinset')) || 0, words: choiceWords(el), box: box ? idOf(box) : 0,
  };
};

/** The box in a thing of a tree by which it is chosen. @param {Element} el @returns {Element | null} */
const boxIn = (el) => {
  if (explicitRole(el) !== 'treeitem') return null;
  const boxes = queryDeep(el, 'input[type=checkbox],[role=checkbox]').filter((box) => pathOf(box).find((around) => explicitRole(around) === 'treeitem') === el && isShown(box));
  return boxes.length === 1 ? boxes[0] : null;
};

/** What a choice says of itself, though its list may be closed; null where it says nothing. @param {Element} el @returns {boolean | null} */
const saysChosen = (el) => {
  if (tagOf(el) === 'input') return /** @type {HTMLInputElement} */ (el).checked;
  const box = has(el, 'aria-checked') ? null : boxIn(el);
  if (box) return tagOf(box) === 'input' ? /** @type {HTMLInputElement} */ (box).checked : attr(box, 'aria-checked') === 'true';
  const current = attr(el, 'aria-current');
  return ariaBool(el, 'aria-checked') ?? (attr(el, 'aria-checked') === 'mixed' ? false : null) ?? ariaBool(el, 'aria-selected') ?? (current ? current !== 'false' : null);
};

/** What a choice is by its own words: a list that scrolls may give them to another element. @param {Element} el */
const choiceWords = (el) => short(`${tidy(getTextContent.call(el))}|${attr(el, 'aria-label') || ''}|${attr(el, 'text') || ''}|${attr(el, 'value') || ''}|${attr(el, 'data-value') || ''}`, 300);

/** The texts that are seen in a choice, each by itself; what is chosen below it is not of it. @param {Element} el @returns {string[]} */
const wordPartsOf = (el) => {
  /** @type {string[]} */
  const parts = [];
  const visit = (/** @type {Node} */ node, /** @type {number} */ depth) => {
    const type = getNodeType.call(node);
    if (type === 3) parts.push(tidy(/** @type {Text} */ (node).data));
    if (type !== 1 || depth > 12 || kindOf(tagOf(node)) & NEVER) return;
    const inner = /** @type {Element} */ (node);
    if (inner !== el && (CHOICES.has(explicitRole(inner)) || /^(group|menu|tree)$/.test(explicitRole(inner)) || shownOf(inner) === UNSHOWN)) return;
    for (const child of heldNodes(inner, tagOf(inner))) visit(child, depth + 1);
  };
  visit(el, 0);
  return parts.filter((part) => part !== '');
};

/**
 * The choice that is meant: by its label or text, its value, its label in any case, a text of its own in it, its place.
 * @param {Choice[]} choices @param {string} want @returns {Choice | string}
 */
const choiceFor = (choices, want) => {
  const words = tidy(want);
  const lower = words.toLowerCase();
  const ways = [
    (/** @type {Choice} */ choice) => choice.label === words || choice.text === words,
    (/** @type {Choice} */ choice) => choice.value !== '' && choice.value === want,
    (/** @type {Choice} */ choice) => choice.label.toLowerCase() === lower || choice.text.toLowerCase() === lower,
    (/** @type {Choice} */ choice) => wordPartsOf(/** @type {Element} */ (elementOf(choice.id))).includes(words),
  ];
  if (words !== '') {
    for (const way of ways) {
      const hits = choices.filter(way);
      if (hits.length === 1) return hits[0];
      if (hits.length > 1) return 'option_ambiguous';
    }
  }
  const place = /^#(\d+)$/.exec(words);
  if (!place) return 'option_missing';
  const at = Number(place[1]);
  return choices.find((choice) => choice.place === at) || (choices.every((choice) => choice.place === 0) && choices[at - 1]) || 'option_missing';
};

/** Looks from now on at what opens below a choice: the inner level of a tree or menu, the next column. @param {number} id @returns {any} where the pointer does best on it */
const enterBranch = (id) => {
  const mine = widget;
  const owner = elementOf(id);
  if (!mine || !owner) return { miss: 'gone' };
  mine.branch = { owner, before: new Set([...listAll(), ...mine.branch ? branchChoices(mine, mine.branch) : []].map((one) => elementOf('i' in one ? one.i : one.id) || owner)) };
  const toggler = togglerOf(owner);
  return { toggler: toggler ? idOf(toggler) : 0, togglerWords: toggler ? choiceWords(toggler) : '', role: explicitRole(owner), chooses: saysChosen(owner) !== null, known: branchChoices(mine, mine.branch).length };
};

/** Looks at the whole list again. */
const leaveBranch = () => {
  if (widget) widget.branch = null;
};

/** What stands below the choice that is looked into. @param {Widget} mine @param {{owner: Element, before: Set<Element>}} branch @returns {Choice[]} */
const branchChoices = (mine, { owner, before }) => {
  const lists = new Set([...referred(owner, 'aria-controls', 'ariaControlsElements'), ...referred(owner, 'aria-owns', 'ariaOwnsElements')]);
  if (owner.id) for (const el of document.querySelectorAll(`[aria-labelledby~="${CSS.escape(owner.id)}"]`)) if (CHOICE_LISTS.has(explicitRole(el)) || explicitRole(el) === 'group') lists.add(el);
  const related = choicesOf([...lists].filter((list) => !composedContains(list, owner)).flatMap(listIn), (el) => el !== owner);
  if (related.length > 0) return related;
  const all = listAll();
  const inner = choicesOf(all, (el) => el !== owner && CHOICES.has(explicitRole(el)) && composedContains(owner, el));
  if (inner.length > 0) return inner;
  const level = Number(attr(owner, 'aria-level')) || 0;
  if (level > 0) {
    const flat = choicesOf(all, (el) => explicitRole(el) === 'treeitem');
    const at = flat.findIndex((choice) => elementOf(choice.id) === owner);
    const end = flat.findIndex((choice, i) => i > at && choice.level <= level);
    const below = at < 0 ? [] : flat.slice(at + 1, end < 0 ? undefined : end);
    if (below.length > 0) return below;
  }
  return choicesOf(all, (el) => !before.has(el) && !composedContains(mine.control, el));
};

/** What in a choice opens what is below it, and does nothing else: small, nameless, beside its words. @param {Element} owner @returns {Element | null} */
const togglerOf = (owner) => {
  if (explicitRole(owner) !== 'treeitem') return null;
  const inner = [...queryDeep(owner, '*')].filter((el) => !pathOf(el).some((around) => around !== owner && composedContains(owner, around) && /^(group|treeitem)$/.test(explicitRole(around))));
  const small = inner.filter((el) => {
    const box = boxOf(el);
    if (box.width < 4 || box.height < 4 || box.width > 48 || box.height > 48 || !isShown(el)) return false;
    if (/^(checkbox|radio|img)$/.test(roleOf(el, tagOf(el))) || tagOf(el) === 'input' || /[\p{L}\p{N}]/u.test(seenText(el))) return false;
    // a sign is drawn to be pressed, whoever listens for it
    return tidy(seenText(el)) !== '' || listening.has(el) || tagOf(el) === 'button' || explicitRole(el) === 'button' || getComputedStyle(el).cursor === 'pointer';
  });
  return small.filter((el) => !small.some((other) => other !== el && composedContains(other, el)))[0] || null;
};

/** What opens more choices that cannot be seen yet. @returns {Choice[]} */
const closedChoices = () => choicesNow().filter((choice) => choice.opens && choice.expanded !== true && !choice.disabled);

/** Gives the widget the focus, unless that is in it or its list. @returns {boolean} whether it is there */
const focusWidget = () => {
  const mine = widget;
  if (!mine) return false;
  const active = deepActive();
  const isIn = (/** @type {Element | null} */ el) => !!el && el !== document.body && (composedContains(mine.area, el) || composedContains(mine.control, el)
    || [...listsOf(mine), ...(mine.holder ? [mine.holder] : [])].some((list) => composedContains(list, el) || composedContains(el, list)) || (takesText(el) && !mine.before.has(el)));
  if (active && isIn(active) && active !== document.documentElement) return true;
  /** @type {HTMLElement} */ (mine.control).focus();
  return isIn(deepActive());
};

/** The choice that keys are on. @returns {number} 0 where none is known */
const activeChoice = () => {
  const active = deepActive();
  if (!active) return 0;
  const on = referred(active, 'aria-activedescendant', 'ariaActiveDescendantElement')[0] || active;
  const choice = choicesNow().find((one) => elementOf(one.id) === on);
  return choice ? choice.id : 0;
};
