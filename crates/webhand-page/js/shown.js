// @ts-check
// What a choice widget shows to be chosen: the words in and right around its control, its list left out.

/** Fields that a person fills, other than the one at hand. */
const OTHER_FIELDS = 'input:not([type=hidden]),select,textarea,[role=combobox],[role=listbox],[role=textbox],[role=searchbox],[role=spinbutton],[role=slider],[role=radiogroup],'
  + 'button[aria-haspopup],[role=button][aria-haspopup]';
/** Parts of a page that are more than one field. */
const MORE_THAN_FIELD = setOf('row listitem form dialog alertdialog main region navigation banner contentinfo article table toolbar menubar tablist');
/** So many levels around a control may belong to it. */
const AREA_LEVELS = 7;

/** Whether an element holds a field beside the control. @param {Element} around @param {Element} control */
const holdsOther = (around, control) => queryDeep(around, OTHER_FIELDS).some((el) => !composedContains(control, el) && !composedContains(el, control) && isShown(el)
  && !isAriaHidden(el) && !(getTabIndex.call(el) < 0 && tiny(boxOf(el))));

/** What is drawn for a control and nothing else: what it shows stands in there. @param {Element} control @returns {Element} */
const areaOf = (control) => {
  let area = control;
  // a button shows in itself what it stands for
  if (roleOf(control, tagOf(control)) === 'button') return area;
  const own = boxOf(control);
  for (let around = composedParent(control), left = AREA_LEVELS; around && left > 0; around = composedParent(around), left--) {
    const tag = tagOf(around);
    if (/^(body|html|form|fieldset|tr|li|td|main|dialog)$/.test(tag) || MORE_THAN_FIELD.has(explicitRole(around)) || CHOICE_LISTS.has(explicitRole(around))) break;
    if (boxOf(around).height > own.height + 240 || holdsOther(around, control)) break;
    area = around;
  }
  return area;
};

/**
 * The texts that can be seen in an element: of each part of it, as a whole. Values of fields are texts, too.
 * @param {Element} root @param {(el: Element) => boolean} skips @returns {Set<string>}
 */
const textsIn = (root, skips) => {
  /** @type {Set<string>} */
  const texts = new Set();
  const visit = (/** @type {Node} */ node, /** @type {number} */ depth) => {
    const type = getNodeType.call(node);
    if (type === 3) return tidy(/** @type {Text} */ (node).data);
    if (type !== 1 || depth > 40) return '';
    const el = /** @type {Element} */ (node);
    const tag = tagOf(el);
    if (kindOf(tag) & NEVER || skips(el)) return '';
    if (tag === 'input' || tag === 'textarea') return isSecret(el) || /^(checkbox|radio|hidden)$/.test(/** @type {HTMLInputElement} */ (el).type) ? '' : add(tidy(/** @type {HTMLInputElement} */ (el).value));
    const shown = shownOf(el);
    if (shown === UNSHOWN || (tag !== 'slot' && getComputedStyle(el).display !== 'contents' && isSliver(el))) return '';
    let whole = '';
    for (const child of heldNodes(el, tag)) {
      const text = visit(child, depth + 1);
      if (text === '' || (getNodeType.call(child) === 3 && shown !== SHOWN)) continue;
      if (getNodeType.call(child) === 3) add(text);
      whole = whole === '' ? text : `${whole} ${text}`;
    }
    return add(whole);
  };
  const add = (/** @type {string} */ text) => {
    if (text !== '' && text.length < 500) texts.add(text);
    return text;
  };
  visit(root, 0);
  return texts;
};

/** Whether nothing of an element can be seen though it has a place: said to screen readers only. @param {Element} el */
const isSliver = (el) => {
  const box = boxOf(el);
  if (box.width > 1 && box.height > 1) return false;
  if (getTextContent.call(el) === '' && !shadowOf(el)) return false;
  const style = getComputedStyle(el);
  return style.overflow !== 'visible' || style.clip !== 'auto' || style.clipPath !== 'none';
};

/** What the widget shows now: the words in its area but for its name and its list. @param {Widget} mine @returns {Set<string>} */
const shownIn = (mine) => {
  if (!getIsConnected.call(mine.area)) {
    if (!getIsConnected.call(mine.control)) return new Set();
    mine.area = areaOf(mine.control);
  }
  const lists = mine.inline ? [] : listsOf(mine);
  const skips = (/** @type {Element} */ el) => {
    if (mine.names.has(el) || el === mine.holder || lists.includes(el) || (has(el, 'aria-live') && isSliver(el))) return true;
    return CHOICES.has(explicitRole(el)) && !mine.before.has(el) && isOpened(mine, el);
  };
  return textsIn(mine.area, skips);
};

/** Whether a text shows the way to one of some things, level by level: `France / Lyon`. @param {string} text @param {string[]} wanted lower case */
const isPathOf = (text, wanted) => {
  const steps = (/** @type {string} */ path) => path.split(/[>›»→/]/).map(tidy).filter((step) => step !== '');
  const shown = steps(text);
  return shown.length > 1 && wanted.some((word) => {
    const own = steps(word);
    return own.length > 0 && own.every((step, i) => step === shown[shown.length - own.length + i]);
  });
};

/** Whether a choice shows: as a text of its own, or as one of several that stand in a row. @param {Set<string>} shown @param {string[]} words what it may be called */
const isAmong = (shown, words) => {
  const wanted = words.filter((word) => word !== '').map((word) => word.toLowerCase());
  for (const text of shown) {
    const lower = text.toLowerCase();
    if (wanted.includes(lower)) return true;
    if (/[>›»→/]/.test(lower) && isPathOf(lower, wanted)) return true;
    if (/[,;·•|]/.test(lower) && lower.split(/[,;·•|]/).some((part) => wanted.includes(part.trim()))) return true;
  }
  return false;
};

/**
 * How the widget stands: whether its list is open, whether text can be typed into it, whether it takes several, what it shows.
 * @param {Choice[]} choices what can be chosen now @returns {any}
 */
const standing = (choices) => {
  const mine = widget;
  if (!mine) return {};
  const several = isMultiple(mine, choices);
  const shown = [...shownIn(mine)].sort((a, b) => a.length - b.length);
  return { open: !mine.inline && choices.length > 0, expanded: ariaBool(mine.control, 'aria-expanded') ?? null, editable: takesText(mine.control) && !isReadonly(mine.control, tagOf(mine.control)), several, shows: shown.slice(0, 12) };
};

/** Whether more than one may be chosen. @param {Widget} mine @param {Choice[]} choices */
const isMultiple = (mine, choices) => {
  if (attr(mine.control, 'aria-multiselectable') === 'true') return true;
  const first = choices[0] && elementOf(choices[0].id);
  const list = first && pathOf(first).find((around) => CHOICE_LISTS.has(explicitRole(around)));
  if (list && attr(list, 'aria-multiselectable') === 'true') return true;
  return choices.some((choice) => choice.role === 'menuitemcheckbox' || choice.box > 0) || (choices.filter((choice) => choice.chosen === true).length > 1);
};

/** What is drawn to take something away. */
const CROSS = /^[×✕✖⨯xX]$/;

/**
 * The chosen things that stand in the widget each with something to take it away: a clickable part without words, or a cross.
 * @returns {{text: string, id: number, words: string}[]} `id` is that of the part to click
 */
const tokensNow = () => {
  const mine = widget;
  if (!mine || mine.inline) return [];
  const lists = [...listsOf(mine), ...(mine.holder ? [mine.holder] : [])];
  const isOwn = (/** @type {Element} */ el) => !composedContains(el, mine.control) && !lists.some((list) => composedContains(list, el));
  const removers = queryDeep(mine.area, '*').filter((el) => {
    if (kindOf(tagOf(el)) & NEVER || !isOwn(el) || !isShown(el) || [...textsIn(el, () => false)].some((text) => !CROSS.test(text))) return false;
    const parent = composedParent(el);
    const invites = (/** @type {Element | null} */ one) => one !== null && getComputedStyle(one).cursor === 'pointer';
    return tagOf(el) === 'button' || explicitRole(el) === 'button' || listening.has(el) || (invites(el) && (!invites(parent) || (parent !== null && tidy(seenText(parent)) !== '')));
  });
  const outer = removers.filter((el) => !removers.some((other) => other !== el && composedContains(other, el)));
  return outer.flatMap((el) => {
    let token = el;
    for (let around = composedParent(el); around && around !== mine.area && isOwn(around); around = composedParent(around)) {
      if (outer.some((other) => other !== el && composedContains(around, other))) break;
      token = around;
    }
    const texts = [...textsIn(token, () => false)].filter((text) => !CROSS.test(text)).sort((a, b) => a.length - b.length);
    return token === el || texts.length === 0 ? [] : [{ text: texts[0], id: idOf(el), words: choiceWords(el) }];
  });
};

/**
 * Choices that say that they are chosen.
 * @param {number[]} but of these, and of what stands above or below them in a tree, nothing is told
 */
const chosenNow = (but = []) => {
  const choices = choicesNow();
  const isOver = (/** @type {Choice} */ upper, /** @type {Choice} */ lower) => {
    if (composedContains(elementOf(upper.id), elementOf(lower.id))) return true;
    const [from, to] = [choices.indexOf(upper), choices.indexOf(lower)];
    return upper.level > 0 && from < to && choices.slice(from + 1, to + 1).every((between) => between.level > upper.level);
  };
  const apart = choices.filter((choice) => but.includes(choice.id));
  return choices.filter((choice) => choice.chosen === true && !apart.some((one) => isOver(one, choice) || isOver(choice, one)));
};
