// @ts-check
// What a walk prints: controls with their state, structure, scroll areas, frames and covering layers.

const FIELDS = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex]:not([tabindex="-1"]),[contenteditable],'
  + '[role=button],[role=link],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=tab],[role=option],[role=treeitem],[role=checkbox],[role=radio],[role=switch]';
/** A generic control that holds more than this prints what it holds as lines, not as its name. */
const GENERIC_NAME_MAX = 160;

/**
 * The role of the control that this element is, or '' where it is none.
 * @this {Walk} @param {Element} el @param {string} tag @param {string} role @param {number} bits
 * @param {CSSStyleDeclaration | null} style @param {Place} place
 * @returns {string}
 */
Walk.prototype.controlRole = function controlRole(el, tag, role, bits, style, place) {
  const hand = style !== null && (bits & INVITES) !== 0 ? style.cursor === 'pointer' : place.hand;
  const handBegins = hand && !place.hand;
  if (style !== null) place.hand = hand;
  if ((bits & LISTENING) === 0 && this.facts === 0 && !(kindOf(tag) & NATIVE)) {
    return handBegins && !place.muted && !INLINE_WRAPPERS.has(tag) && !this.holdsFields(el) && tidy(getTextContent.call(el)) !== '' ? genericOf(role) : '';
  }
  if (tag === 'label') return this.labelRole(/** @type {HTMLLabelElement} */ (el), place);
  if (tag === 'audio' || tag === 'video') return has(el, 'controls') ? 'generic' : '';
  if (tag === 'canvas') return 'canvas';
  if (place.muted && this.facts & ROLE && isDeclaredPart(el)) return '';
  if (WIDGETS.has(role) || /^(date|color|file)$/.test(role)) return role;
  if (this.facts & EDITABLE && isEditableRoot(el)) return role && role !== 'generic' && !STRUCTURE.has(role) ? role : 'textbox';
  if (tag === 'select' || tag === 'input' || tag === 'textarea' || tag === 'button') return role || 'generic';
  const focusable = (this.facts & TABINDEX) !== 0 && isHtml(el) && getTabIndex.call(el) >= 0;
  const listens = (bits & LISTENING) !== 0 || (this.facts & HANDLER) !== 0;
  if (MAYBE_WIDGETS.has(role) && (focusable || listens)) return role;
  if (role === 'dialog' || role === 'alertdialog') return role;
  if (tag === 'body' || tag === 'html') return '';
  if (listens) return this.reacts(el, hand) ? (STRUCTURE.has(role) ? genericOf(role) : role || 'generic') : '';
  if (focusable && !STRUCTURE.has(role) && tag !== 'details') return this.holdsFields(el) ? '' : role || 'generic';
  if (this.facts & DRAGGABLE && attr(el, 'draggable') === 'true') return role && !STRUCTURE.has(role) ? role : 'generic';
  return handBegins && !place.muted && !this.holdsFields(el) && tidy(getTextContent.call(el)) !== '' ? genericOf(role) : '';
};

/** What an element of that role is called that reacts: a row stays one, so that its cells stand in it. @param {string} role */
const genericOf = (role) => (role === 'row' ? 'row' : 'generic');

/** Wrappers for which a pointer means nothing by itself. */
const INLINE_WRAPPERS = setOf('body html main form table tbody ul ol');

/** @this {Walk} @param {Element} el */
Walk.prototype.holdsFields = function holdsFields(el) {
  if (tagOf(el) === 'slot') return /** @type {HTMLSlotElement} */ (el).assignedElements({ flatten: true }).some((inner) => matchesOf.call(inner, FIELDS) || this.holdsFields(inner));
  return (getFirstElement.call(el) !== null && queryAll.call(el, FIELDS).length > 0) || wrapsFields(el, 3);
};

/** Whether an element is the host of a component that is made around a control. @param {Element} el @param {number} levels how many hosts are looked into @returns {boolean} */
const wrapsFields = (el, levels) => {
  const root = shadowOf(el);
  if (!root || levels === 0) return false;
  if (root.querySelector(FIELDS)) return true;
  for (const inner of root.querySelectorAll('*')) if (tagOf(inner).includes('-') && wrapsFields(inner, levels - 1)) return true;
  return false;
};

/**
 * Whether a listening element is a control itself, or only listens for what it holds (delegation).
 * @this {Walk} @param {Element} el @param {boolean} hand
 */
Walk.prototype.reacts = function reacts(el, hand) {
  if (this.isFilled(el)) return false;
  const items = itemsServed(el);
  if (items.length > 0) {
    for (const item of items) this.mark(item, LISTENING);
    return false;
  }
  if (wrapsFields(el, 3) || (tagOf(el) === 'slot' && this.holdsFields(el))) return false;
  if (hand) return true;
  if (getFirstElement.call(el) === null) return true;
  if (getComputedStyle(el).cursor === 'pointer') return true;
  if (this.holdsFields(el)) return false;
  let left = 400;
  for (const inner of queryAll.call(el, '*')) {
    if (listening.has(inner)) return false;
    // a pointer that begins further in says what can be clicked
    if (left-- > 0 && ((this.marks.get(inner) || 0) | this.place.all) & INVITES && getComputedStyle(inner).cursor === 'pointer') return false;
  }
  const box = boxOf(el);
  return box.width * box.height < this.width * this.height * 0.6;
};

/** A list with more items than this is not gone through. */
const ITEMS_MAX = 500;

/**
 * The items of a list that listens for them all, as what can be put in order by hand does: which one is pressed says what is
 * meant. None where they hold controls of their own.
 * @param {Element} list that listens @returns {Element[]}
 */
const itemsServed = (list) => {
  if (!/^(ul|ol|menu)$/.test(tagOf(list)) || has(list, 'role')) return [];
  const items = [];
  for (let item = getFirstElement.call(list); item; item = getNextElement.call(item)) {
    if (tagOf(item) !== 'li' || listening.has(item) || matchesOf.call(item, FIELDS)) return [];
    if (items.push(item) > ITEMS_MAX || tidy(getTextContent.call(item)) === '' || queryAll.call(item, FIELDS).length > 0) return [];
  }
  return items;
};

/** Whether the list around an element listens for it. @param {Element} el */
const isServed = (el) => {
  const list = tagOf(el) === 'li' ? getParentNode.call(el) : null;
  return isElement(list) && (listening.has(list) || (factsOf(list) & HANDLER) !== 0) && itemsServed(list).length > 0;
};

/**
 * Whether one control fills an element, so that a click on it is one on that: both say the same.
 * @this {Walk} @param {Element} el
 */
Walk.prototype.isFilled = function isFilled(el) {
  if (getFirstElement.call(el) === null) return false;
  const inner = queryAll.call(el, FIELDS);
  if (inner.length !== 1 || labelsOf(inner[0]).length > 0) return false;
  const text = tidy(getTextContent.call(el));
  return text !== '' && text === tidy(getTextContent.call(inner[0])) && fills(boxOf(inner[0]), boxOf(el));
};

/** Whether the middle of a box lies in another. @param {DOMRect} inner @param {DOMRect} outer */
const fills = (inner, outer) => {
  const [x, y] = [outer.left + outer.width / 2, outer.top + outer.height / 2];
  return x >= inner.left && x < inner.right && y >= inner.top && y < inner.bottom;
};

/**
 * A label that drives a control which cannot be seen is that control; the text of any other is its control's name.
 * @this {Walk} @param {HTMLLabelElement} label @param {Place} place
 */
Walk.prototype.labelRole = function labelRole(label, place) {
  const target = label.control;
  if (!target) return '';
  if (standsItself(target) || !isPressed(target)) {
    if (!has(target, 'aria-label') && !has(target, 'aria-labelledby')) place.muted = true;
    return '';
  }
  this.proxy = target;
  return roleOf(target, tagOf(target));
};

/** Whether a control can be seen, so that its label is no more than its name. @param {Element} el */
const standsItself = (el) =>
  checkVisibilityOf.call(el, { visibilityProperty: true, opacityProperty: true }) && !tiny(boxOf(el)) && getComputedStyle(el).clipPath === 'none';

/** Whether a click on its label does what one on it does: text has to be typed into the field itself. @param {Element} el */
const isPressed = (el) => {
  const tag = tagOf(el);
  return tag === 'button' || tag.includes('-') || (tag === 'input' && /^(checkbox|radio|file|button|submit|reset|image)$/.test(/** @type {HTMLInputElement} */ (el).type));
};

/** Whether a label that can be seen stands for a control that cannot. @param {Element} el @param {DOMRect} box */
const isStoodFor = (el, box) => tiny(box) && isPressed(el) && hasShownLabel(el);

/** @param {Element} el */
const hasShownLabel = (el) => [...labelsOf(el)].some((label) => checkVisibilityOf.call(label, { visibilityProperty: true, opacityProperty: true }) && !tiny(boxOf(label)));

/** @param {DOMRect} box */
const tiny = (box) => box.width < 2 || box.height < 2;

/** The part of a box that its clips and the view leave: whether it is in view. @this {Walk} @param {DOMRect} box */
Walk.prototype.inView = function inView(box) {
  let { left, top, right, bottom } = box;
  left = Math.max(left, 0);
  top = Math.max(top, 0);
  right = Math.min(right, this.width);
  bottom = Math.min(bottom, this.height);
  for (const clip of this.place.clips) {
    const view = boxOf(clip.el);
    left = Math.max(left, view.left);
    top = Math.max(top, view.top);
    right = Math.min(right, view.right);
    bottom = Math.min(bottom, view.bottom);
  }
  return right - left >= LEAST && bottom - top >= LEAST;
};

/**
 * @param {Element} el @param {DOMRect} [box] its box, where it is known
 * @returns {DOMRect | null} its box, or that of the first thing in it that has one
 */
const solidBox = (el, box = boxOf(el)) => {
  if (box.width >= LEAST && box.height >= LEAST) return box;
  let left = 40;
  for (const inner of queryAll.call(el, '*')) {
    const part = boxOf(inner);
    if (part.width >= LEAST && part.height >= LEAST) return part;
    if (--left === 0) break;
  }
  return null;
};

/**
 * @this {Walk} @param {Element} el @param {string} tag @param {string} role @param {number} bits @param {CSSStyleDeclaration | null} style
 * @returns {boolean} whether it was printed
 */
Walk.prototype.emitControl = function emitControl(el, tag, role, bits, style) {
  const place = this.place;
  const target = this.proxy || el;
  this.proxy = null;
  if (!place.visible) return false;
  const looked = place.near || place.exact || style !== null || place.clips.length > 0 || (bits & LISTENING) !== 0;
  let box = null;
  if (looked) {
    const stand = standIns.get(el);
    box = tag === 'area' ? areaBox(el) : stand ? boxOf(stand) : solidBox(el, this.boxed === el && this.box ? this.box : undefined);
    if (!box || (box.width < 2 && tag === 'input' && isStoodFor(el, box)) || this.beyond(box) || (place.clips.length > 0 && !this.shows(box, place.clips))) return false;
  }
  const targetTag = target === el ? tag : tagOf(target);
  const facts = target === el ? this.facts : factsOf(target);
  const named = this.nameControl(el, tag, target, targetTag, role);
  // a nameless part of something that is listed and named does what that does
  // and so does a nameless box around a control
  if (role === 'generic' && named.text === '' && target === el && (place.muted || this.holdsFields(el))) return false;
  let state = stateOf(target, targetTag, role, facts, place.off);
  if (target === this.active) state = { ...state, focused: true };
  if (!place.pointer && !state.disabled) state = { ...state, disabled: 'pointer-events: none' };
  // a text area scrolls without a rule that says so
  const scroller = style && bits & CLIPS ? style : tag === 'textarea' ? getComputedStyle(el) : null;
  if (scroller && this.scrolls(el, scroller)) state = { ...state, scroll: extentsOf(el) };
  const inView = box !== null && this.inView(box);
  const cover = state.disabled || this.quick ? null : this.coverOf(el, inView);
  const kind = targetTag === 'input' || targetTag === 'button' ? /** @type {HTMLInputElement} */ (target).type : '';
  this.printControl({ i: this.list(el), r: role, g: targetTag, k: kind, n: named.text.toWellFormed(), m: place.item, s: state }, box, inView, {
    a: facts & STABLE ? stableOf(target, targetTag) : undefined, c: cover || undefined, q: named.guessed ? 1 : undefined });
  if (named.text && role === 'button') this.learnName(named.text);
  else if (named.text) this.learn(named.text);
  if (role === 'link' && place.item >= 0) this.learn(attr(target, 'href') || '');
  this.controls++;
  place.line = this.lines.length - 1;
  place.depth++;
  place.merge = false;
  if (named.mutes) place.muted = true;
  return true;
};

/**
 * A field that cannot be seen, in something drawn for it that takes the clicks: listed as if it were that.
 * @this {Walk} @param {Element} el @param {string} tag @param {number} facts
 */
Walk.prototype.emitStoodFor = function emitStoodFor(el, tag, facts) {
  const saved = this.place;
  if (!saved.visible || saved.off || !standFor(el, tag)) return;
  this.facts = facts;
  this.place = new Place(saved);
  this.emitControl(el, tag, roleOf(el, tag), 0, null);
  this.place = saved;
};

const TABBED_FIELD = 'input:not([type=hidden],[tabindex="-1"]),textarea:not([tabindex="-1"]),select:not([tabindex="-1"])';

/** Finds what is drawn for a field. @param {Element} el @param {string} tag @returns {boolean} whether there is such a thing */
const standFor = (el, tag) => {
  const input = /** @type {HTMLInputElement} */ (el);
  if (tag === 'input' && /^(hidden|submit|button|reset|image)$/.test(input.type)) return false;
  const file = tag === 'input' && input.type === 'file';
  if ((getTabIndex.call(el) < 0 && !file) || input.disabled || isAriaHidden(el) || !checkVisibilityOf.call(el, { visibilityProperty: true }) || (isPressed(el) && hasShownLabel(el))) return false;
  const own = boxOf(el);
  const [x, y] = [own.left + own.width / 2, own.top + own.height / 2];
  let around = composedParent(el);
  for (let left = 5; around && left > 0; around = composedParent(around), left--) {
    if (isAriaHidden(around) || queryAll.call(around, TABBED_FIELD).length > 1) return false;
    const box = boxOf(around);
    if (box.width < 8 || box.height < 8) continue;
    // some are put a little to the side of it
    if (x < box.left - 128 || x > box.right + 128 || y < box.top - 1 || y > box.bottom + 1 || box.width * box.height > innerWidth * innerHeight * 0.5) return false;
    if (!checkVisibilityOf.call(around, { visibilityProperty: true, opacityProperty: true })) continue;
    if (getComputedStyle(around).cursor !== 'pointer' && !listening.has(around) && attr(el, 'role') !== 'combobox') continue;
    standIns.set(el, around);
    return true;
  }
  return false;
};

/** @this {Walk} @param {number} kind @param {boolean} inView @param {string} rest */
Walk.prototype.print = function print(kind, inView, rest) {
  this.lines.push(lineHead(kind, this.place.depth, inView) + rest);
};

/**
 * Prints a control: number, role, tag, type, box, what is not at its default, name; and, once the walk is at its end, the
 * digest of its item.
 * @this {Walk} @param {Listed} listed @param {DOMRect | null} box @param {boolean} inView @param {any} more
 */
Walk.prototype.printControl = function printControl(listed, box, inView, more) {
  this.found.push(listed);
  if (this.quick) {
    this.print(CONTROL, inView, '');
    return;
  }
  let extra = '';
  const state = listed.s;
  if (state !== NO_STATE && hasKeys(state)) more.s = state;
  if (more.a || more.c || more.q || more.s || more.f) extra = toJson(more);
  const place = box ? `${Math.round(box.left)},${Math.round(box.top)},${Math.round(box.width)},${Math.round(box.height)}` : '';
  if (listed.m >= 0) this.itemLines.push(this.lines.length, listed.m);
  if (!inView && listed.r !== 'scroll') this.unseen.push({ id: listed.i, at: this.lines.length, clips: this.place.clips });
  this.print(CONTROL, inView, `${listed.i}\t${listed.r}\t${listed.g}\t${listed.k}\t${place}\t${extra}\t${oneLine(listed.n)}`);
};

/** JSON that the other side can read: a half character of the page would make it none. @param {any} value */
const toJson = (value) => {
  const text = JSON.stringify(value);
  return /\\ud[89a-f]/i.test(text) ? JSON.stringify(wellFormed(value)) : text;
};

/** Names are folded already but for values that became names. @param {string} text */
const oneLine = (text) => (/[\t\n\r]/.test(text) ? tidy(text) : text);

/** @param {object} object */
const hasKeys = (object) => {
  for (const _key in object) return true;
  return false;
};

/** @this {Walk} @param {Element} el @returns {number} */
Walk.prototype.list = function list(el) {
  const id = idOf(el);
  this.listed.add(id);
  return id;
};

/**
 * @this {Walk} @param {Element} el @param {string} tag @param {Element} target @param {string} targetTag @param {string} role
 * @returns {{text: string, guessed: boolean, mutes: boolean}}
 */
Walk.prototype.nameControl = function nameControl(el, tag, target, targetTag, role) {
  if (target !== el) {
    const text = nameOf(target, targetTag, role, false, factsOf(target)) || tidy(textFor(el, { seen: new Set(), hidden: false, depth: 0 }));
    return { text, guessed: false, mutes: true };
  }
  let byContent = NAMED_BY_CONTENT.has(role) && !this.place.faint;
  let long = this.place.faint;
  if (byContent && (role === 'generic' || role === 'row' || role === 'link') && getFirstElement.call(el) !== null) {
    long = getTextContent.call(el).length > GENERIC_NAME_MAX || (role !== 'link' && queryAll.call(el, 'h1,h2,h3,h4,p,li,td,input,select,textarea').length > 0);
    if (long) byContent = false;
  }
  const text = nameOf(el, tag, role, byContent, this.facts);
  if (text === '' && !long && role !== 'textbox') {
    // what a container holds is not its name
    const whole = NAMED_BY_CONTENT.has(role) || getFirstElement.call(el) === null;
    const part = role === 'generic' && (this.place.muted || this.holdsFields(el));
    const guess = whole ? guessName(el, part) : '';
    return { text: guess, guessed: guess !== '', mutes: whole };
  }
  if (!NAMED_BY_CONTENT.has(role)) return { text, guessed: false, mutes: role === 'textbox' || role === 'combobox' };
  // a label that is not what stands there must not hide what stands there
  const own = (this.facts & LABELLED) !== 0;
  const mutes = !long && (!own || text.includes(tidy(getTextContent.call(el))));
  return { text, guessed: false, mutes };
};

/** @param {Element} el @param {string} tag @returns {any} the attributes that tend to stay, or undefined */
const stableOf = (el, tag) => {
  /** @type {any} */
  let out;
  for (const name of attributeNamesOf.call(el)) {
    const key = STABLE_KEYS[name];
    const value = key === undefined ? '' : attr(el, name);
    if (!value) continue;
    out = out || {};
    if (key !== 'href') out[key] = out[key] || value;
    else if (tag === 'a' || tag === 'area') out.href = addressOf(/** @type {HTMLAnchorElement | SVGAElement} */ (el), value);
  }
  return out;
};

/** What links lead to, by their attribute: to resolve an address costs more than all else of a link. @type {Map<string, string>} */
const addresses = new Map();
let addressBase = '';
const ADDRESSES_MAX = 5000;

/** @param {HTMLAnchorElement | SVGAElement} link @param {string} text its attribute @returns {string} the whole address */
const addressOf = (link, text) => {
  const known = addresses.get(text);
  if (known !== undefined) return known;
  // the property of a link in SVG is no text
  const address = isHtml(link) ? link.href : URL.parse(text, addressBase)?.href || text;
  if (addresses.size < ADDRESSES_MAX) addresses.set(text, address);
  return address;
};

/** Forgets addresses that were resolved against another base. */
const rebase = () => {
  if (addressBase === document.baseURI) return;
  addressBase = document.baseURI;
  addresses.clear();
};

/** Attribute names that tend to stay, and what they are called here. @type {Record<string, string>} */
const STABLE_KEYS = Object.assign(Object.create(null), { id: 'id', name: 'name', href: 'href', 'data-testid': 'test_id', 'data-test-id': 'test_id', 'data-test': 'test_id', 'data-qa': 'test_id', 'data-cy': 'test_id' });

/** @this {Walk} @param {Element} el @param {boolean} inView @returns {{i: number, n: string} | null} what covers it */
Walk.prototype.coverOf = function coverOf(el, inView) {
  if (this.modal && !composedContains(this.modal, el)) return this.asLayer(this.modal);
  if (!inView) return this.curtain && !composedContains(this.curtain, el) ? this.asLayer(this.curtain) : null;
  const reach = reachOf(el, false);
  if (reach.point || !reach.cover) return null;
  return this.asLayer(layerOf(reach.cover, el));
};

/** @this {Walk} @param {Element} layer */
Walk.prototype.asLayer = function asLayer(layer) {
  let known = this.layers.get(layer);
  if (!known) {
    known = { id: idOf(layer), name: layerName(layer) };
    this.layers.set(layer, known);
    this.mark(layer, NOTED);
  }
  return { i: known.id, n: known.name };
};

/** @this {Walk} @param {Element} el @param {string} tag @param {string} role */
Walk.prototype.emitStructure = function emitStructure(el, tag, role) {
  const place = this.place;
  const gauge = role === 'progressbar' || role === 'meter';
  if (!place.visible || (place.muted && !gauge)) return;
  const level = role === 'heading' ? Number(attr(el, 'aria-level')) || Number(tag[1]) || 2 : 0;
  const named = !UNNAMED.has(role) && ((this.facts & LABELLED) !== 0 || NAMED_NATIVELY.has(tag));
  const name = named ? nameOf(el, tag, role, false, this.facts) : '';
  if (name === '' && (role === 'img' || role === 'group')) return;
  this.print(PART, place.near, `${role}\t${level}\t${name}`);
  if (role === 'img') this.learn(name);
  if (gauge) this.emitGauge(el, tag);
  place.line = this.lines.length - 1;
  place.depth++;
  place.echo = name;
  place.needs = !STANDS_EMPTY.has(role);
  place.merge = name === '' && MERGES.has(role);
};

/** How far a gauge stands, as a text in it: it changes by itself, and tells nothing of its row. @this {Walk} @param {Element} el @param {string} tag */
Walk.prototype.emitGauge = function emitGauge(el, tag) {
  const gauge = /** @type {HTMLProgressElement} */ (el);
  const native = tag === 'meter' || (tag === 'progress' && gauge.position >= 0);
  const most = attr(el, 'aria-valuemax');
  const now = attr(el, 'aria-valuenow');
  const text = attr(el, 'aria-valuetext') || (native ? `${gauge.value} of ${gauge.max}` : now && most ? `${now} of ${most}` : now);
  if (text) this.lines.push(lineHead(TEXT, this.place.depth + 1, this.place.near) + oneLine(tidy(text)));
};

/** Parts whose words are what they hold. */
const UNNAMED = setOf('heading cell row');
/** Parts that say something though they hold nothing: the place of a cell in its row, a picture. */
const STANDS_EMPTY = setOf('img progressbar meter cell columnheader gridcell');
/** Parts that share their line with the only text in them. */
const MERGES = setOf('heading listitem cell gridcell columnheader rowheader term definition status alert blockquote');

/** How far an area can be scrolled up, down, left and right, CSS pixels. @param {Element} el */
const extentsOf = (el) =>
  [el.scrollTop, el.scrollHeight - el.clientHeight - el.scrollTop, el.scrollLeft, el.scrollWidth - el.clientWidth - el.scrollLeft].map(Math.round);

/** @this {Walk} @param {Element} el */
Walk.prototype.emitScroll = function emitScroll(el) {
  const place = this.place;
  if (!place.visible || place.muted) return;
  const box = boxOf(el);
  const tag = tagOf(el);
  this.printControl({ i: this.list(el), r: 'scroll', g: tag, k: '', n: nameOf(el, tag, '', false, this.facts), m: -1, s: { scroll: extentsOf(el) } }, box, place.near, {});
  place.line = this.lines.length - 1;
  place.depth++;
  place.needs = true;
};

/** @this {Walk} @param {Element} el @param {string} tag */
Walk.prototype.emitFrame = function emitFrame(el, tag) {
  const place = this.place;
  const box = boxOf(el);
  if (!place.visible || tiny(box) || this.beyond(box) || (place.clips.length > 0 && !this.shows(box, place.clips))) return;
  const inView = this.inView(box);
  const cover = this.quick ? null : this.coverOf(el, inView);
  const name = nameOf(el, tag, 'iframe', false, this.facts) || tidy(attr(el, 'name') || '');
  const pending = pendingIn(el);
  if (!this.quick && rootNodeOf.call(el) !== document) framesInRoots.push(new WeakRef(el));
  this.printControl({ i: this.list(el), r: 'iframe', g: tag, k: '', n: name, m: -1, s: NO_STATE }, box, inView, { f: 1, u: pending || undefined, c: cover || undefined });
};

/** The address of a frame that still has its first, empty document though another was asked for; '' for any other. @param {Element} el */
const pendingIn = (el) => {
  const frame = /** @type {HTMLIFrameElement} */ (el);
  if (has(el, 'srcdoc') || !attr(el, 'src')) return '';
  try {
    const inner = frame.contentDocument;
    if (!inner || inner.URL !== 'about:blank' || inner.body === null || hasChildrenOf.call(inner.body)) return '';
    const address = new URL(frame.src, document.baseURI);
    return /^https?:$/.test(address.protocol) ? address.href : '';
  } catch {
    return '';
  }
};

/** A layer that covers something and is nothing else that is listed. @this {Walk} @param {Element} el */
Walk.prototype.emitLayer = function emitLayer(el) {
  const known = this.layers.get(el);
  if (!known || this.listed.has(known.id)) return;
  const box = boxOf(el);
  const role = roleOf(el, tagOf(el));
  const shown = /dialog/.test(role) ? role : 'layer';
  this.printControl({ i: this.list(el), r: shown, g: tagOf(el), k: '', n: known.name, m: -1, s: NO_STATE }, box, true, {});
  this.place.line = this.lines.length - 1;
  this.place.depth++;
};
