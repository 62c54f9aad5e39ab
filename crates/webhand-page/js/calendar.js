// @ts-check
// Calendars: which days one shows, by the numbers in it; which month that is, by what its days and its head say; what leads to
// other months; and what is chosen. Told by what can be read, never by what a page calls its classes.

/** From so many days in a row on it is a month. */
const DAYS_MIN = 28;
/** So many levels around the days may belong to their calendar. */
const HEAD_LEVELS = 6;

/**
 * A day: what is pressed for it, and what is drawn for it as a whole.
 * @typedef {{day: number, el: Element, cell: Element}} Day
 * A month that is shown: its days in order, and what holds them all. `month` is 1 to 12, 0 where it is not known.
 * @typedef {{days: Day[], holder: Element, year: number, month: number}} Month
 */

/**
 * The calendar that a date is chosen in: the control it belongs to, what was shown before, and where its months stand.
 * @type {{el: Element, control: Element, before: Set<Element>, scope: Element | null} | null}
 */
let calendar = null;

/** @param {Element} root @param {Element} el */
const climb = (root, el) => {
  const text = tidy(getTextContent.call(el));
  let cell = el;
  for (let around = composedParent(el); around && around !== root && tidy(getTextContent.call(around)) === text && !shadowOf(around); around = composedParent(around)) cell = around;
  return cell;
};

/** Every number of one or two digits that stands by itself and can be seen, in order. @param {Document | ShadowRoot} root @returns {Day[]} */
const numbersIn = (root) => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  /** @type {Day[]} */
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = /** @type {Text} */ (node).data.trim();
    if (!/^\d{1,2}$/.test(text) || Number(text) < 1 || Number(text) > 31) continue;
    const el = node.parentElement;
    if (!el || /^(option|script|style|th)$/.test(tagOf(el)) || !isShown(el)) continue;
    const cell = climb(document.body, el);
    if (/^(rowheader|columnheader)$/.test(explicitRole(cell)) || tagOf(cell) === 'th') continue;
    const inner = pathOf(el).find((around) => composedContains(cell, around) && /^(button|a)$/.test(tagOf(around))) || el;
    found.push({ day: Number(text), el: inner, cell });
  }
  return found;
};

/** What holds all of some elements. @param {Element[]} els @returns {Element} */
const holderOfThese = (els) => {
  let holder = composedParent(els[0]) || document.body;
  while (holder !== document.body && !els.every((el) => composedContains(holder, el))) holder = composedParent(holder) || document.body;
  return holder;
};

/** The months that are shown, anywhere or in one part. @param {Element | null} [scope] @returns {Month[]} */
const monthsShown = (scope) => searchRoots().flatMap((root) => {
  const numbers = numbersIn(root);
  /** @type {Month[]} */
  const months = [];
  for (let at = 0; at < numbers.length; at++) {
    if (numbers[at].day !== 1) continue;
    const days = [numbers[at]];
    let last = at;
    // the number of a week may stand between two days
    for (let i = at + 1; i < numbers.length && i - last < 3; i++) {
      if (numbers[i].day !== days.length + 1) continue;
      days.push(numbers[i]);
      last = i;
    }
    if (days.length < DAYS_MIN) continue;
    const holder = holderOfThese(days.map(({ cell }) => cell));
    if (scope && !composedContains(scope, holder)) continue;
    months.push({ days, holder, ...monthOf(days, holder) });
    at = last;
  }
  return months;
});

/** Names of months in the languages that a page may write: lower case, to their numbers. @type {Map<string, number> | null} */
let monthNames = null;
const namesOfMonths = () => {
  if (monthNames) return monthNames;
  const names = new Map();
  const languages = ['en', document.documentElement.lang, navigator.language].filter((tag) => /^[a-z]{2,3}(-|$)/i.test(tag || ''));
  for (const language of languages) {
    for (const form of /** @type {('long' | 'short')[]} */ (['long', 'short'])) {
      for (let month = 0; month < 12; month++) {
        for (const options of [{ month: form }, { month: form, day: /** @type {'numeric'} */ ('numeric') }]) {
          const parts = new Intl.DateTimeFormat(language, options).formatToParts(new Date(2024, month, 1));
          const name = (parts.find(({ type }) => type === 'month') || { value: '' }).value.toLowerCase().replace(/\.$/, '');
          if (/\p{L}{3}/u.test(name) && !names.has(name)) names.set(name, month + 1);
        }
      }
    }
  }
  monthNames = names;
  return names;
};

/** The month that a text names; 0 for none. @param {string} text */
const monthIn = (text) => {
  for (const word of text.toLowerCase().match(/\p{L}{3,}/gu) || []) {
    const month = namesOfMonths().get(word);
    if (month) return month;
  }
  const east = /(\d{1,2})\s*[月월]/.exec(text);
  return east ? Number(east[1]) : 0;
};

/** @param {string} text */
const yearIn = (text) => {
  const year = /(?:^|\D)(\d{4})(?!\d)/.exec(text);
  return year && Number(year[1]) >= 1000 ? Number(year[1]) : 0;
};

/**
 * The dates that a text may mean, as ISO dates: two where day and month could be either.
 * @param {string} text @returns {string[]}
 */
const datesIn = (text) => {
  const iso = (/** @type {number} */ year, /** @type {number} */ month, /** @type {number} */ day) => (month >= 1 && month <= 12 && day >= 1 && day <= new Date(year, month, 0).getDate()
    ? [`${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`] : []);
  const clean = text.replace(/\d{1,2}:\d{2}(:\d{2})?(\.\d+)?/g, ' ').replace(/(\d)(st|nd|rd|th)\b/g, '$1');
  const found = [];
  for (const [, y, m, d] of clean.matchAll(/(\d{4})[-/.年년]\s?(\d{1,2})[-/.月월]\s?(\d{1,2})/g)) found.push(...iso(Number(y), Number(m), Number(d)));
  if (found.length === 0) for (const [, a, b, y] of clean.matchAll(/(\d{1,2})[-/.]\s?(\d{1,2})[-/.]\s?(\d{4})/g)) found.push(...iso(Number(y), Number(a), Number(b)), ...iso(Number(y), Number(b), Number(a)));
  if (found.length === 0 && monthIn(clean)) {
    const year = yearIn(clean);
    const day = /(?:^|\D)(\d{1,2})(?!\d)/.exec(clean);
    if (year && day) found.push(...iso(year, monthIn(clean), Number(day[1])));
  }
  return [...new Set(found)];
};

/** What a day says of its date. @param {Day} day @returns {string[]} */
const labelsOfDay = ({ el, cell }) => {
  const around = [el, cell, ...queryAll.call(cell, '*'), composedParent(cell)].filter((one) => one !== null);
  return [...new Set(around)].flatMap((one) => attributeNamesOf.call(one).filter((/** @type {string} */ key) => /^(aria-label|title|datetime|data-.*|value|abbr)$/.test(key)).map((/** @type {string} */ key) => attr(one, key) || ''));
};

/** Which month some days are of. @param {Day[]} days @param {Element} holder @returns {{year: number, month: number}} */
const monthOf = (days, holder) => {
  for (const day of [days[9], days[19], days[25]]) {
    const dates = labelsOfDay(day).flatMap(datesIn).filter((date) => Number(date.slice(8)) === day.day);
    if (dates.length > 0) return { year: Number(dates[0].slice(0, 4)), month: Number(dates[0].slice(5, 7)) };
  }
  const own = new Set(days.map(({ cell }) => cell));
  let [year, month] = [0, 0];
  for (let around = /** @type {Element | null} */ (holder), left = HEAD_LEVELS; around && around !== document.body && left > 0; around = composedParent(around), left--) {
    const texts = [accessibleName(around, tagOf(around), explicitRole(around)), ...headTexts(around, own)];
    for (const text of texts) {
      month = month || monthIn(text);
      year = year || yearIn(text);
    }
    if (year && month) break;
  }
  return year && month ? { year, month } : { year: 0, month: 0 };
};

/** The texts around days: words, what is chosen in lists, what stands in fields. @param {Element} root @param {Set<Element>} own @returns {string[]} */
const headTexts = (root, own) => {
  const chosen = /** @type {HTMLSelectElement[]} */ (queryDeep(root, 'select')).filter(isShown).map((select) => (select.selectedOptions[0] ? select.selectedOptions[0].label : ''));
  const written = /** @type {HTMLInputElement[]} */ (queryDeep(root, 'input')).filter(isShown).map((input) => input.value);
  return [...chosen, ...textsIn(root, (el) => own.has(el) || tagOf(el) === 'select'), ...written];
};

/** Whether text may be a date there, and no other kind of field has its own way. @param {Element} el */
const mayHoldDate = (el) => {
  const tag = tagOf(el);
  if (tag === 'input') return /^(text|tel|search|)$/.test(/** @type {HTMLInputElement} */ (el).type);
  if (tag === 'textarea' || tag === 'select' || isEditor(el) || isScale(el)) return false;
  const name = accessibleName(el, tag, roleOf(el, tag));
  return (opensSomething(el) && !/^(true|menu|listbox|tree)$/.test(attr(el, 'aria-haspopup') || '')) || /\b(date|day|calendar|datum|kalender|fecha|calendrier|data)\b|日期|日历|日付|날짜/i.test(name);
};

/**
 * Begins the choice of a date: whether a calendar stands there, or has to be opened.
 * @param {number} id @returns {any} `way`: here, press (a field or button that may open one), or none
 */
const beginCalendar = (id) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return { way: 'none' };
  const el = fieldOf(id) || found;
  const months = monthsShown();
  const around = months.find(({ days, holder }) => composedContains(holder, found) || days.some(({ cell }) => composedContains(found, cell)));
  calendar = { el: found, control: el, before: new Set(months.map(({ holder }) => holder)), scope: null };
  if (around) {
    calendar.scope = headOf(around, months);
    return { way: 'here', language: document.documentElement.lang || '' };
  }
  if (!mayHoldDate(el)) return { way: 'none' };
  const inline = ownMonth(el, months);
  if (inline) {
    calendar.scope = headOf(inline, months);
    return { way: 'here', language: document.documentElement.lang || '' };
  }
  return { way: 'press', language: document.documentElement.lang || '' };
};

/** What opens the calendar of a field, where that does not itself: a part beside it that is called so, or the only one that can be clicked. */
const calendarOpener = () => {
  const mine = calendar;
  if (!mine || !isTextControl(mine.control)) return null;
  const area = areaOf(mine.control);
  const points = (/** @type {Element | null} */ el) => el !== null && getComputedStyle(el).cursor === 'pointer';
  const isButton = (/** @type {Element} */ el) => tagOf(el) === 'button' || explicitRole(el) === 'button';
  const parts = queryDeep(area, '*').filter((el) => el !== mine.control && isShown(el) && !composedContains(el, mine.control) && (isButton(el) || (points(el) && !points(composedParent(el)))));
  const outer = parts.filter((el) => !parts.some((other) => other !== el && composedContains(other, el)));
  const called = outer.filter((el) => /calend|date|day|pick|kalender|datum|fecha|日期|日历/i.test(buttonWords(el)) && !/clear|reset|remove/i.test(buttonWords(el)));
  const one = called.length === 1 ? called[0] : opensSomething(mine.control) && outer.length === 1 && !/clear|reset|remove|[×✕]/i.test(buttonWords(outer[0])) ? outer[0] : null;
  return one ? { ...partOf(one), role: roleOf(one, tagOf(one)) || 'generic' } : null;
};

/** Buttons that take what was written or chosen, and can be used. @returns {Element[]} */
const confirmsShown = () => searchRoots().flatMap((root) => [...root.querySelectorAll('button,[role=button]')]).filter((el) => isShown(el) && CONFIRM.test(buttonWords(el)) && disabledCause(el, tagOf(el)) === undefined);

/** Those that were there before. @type {Set<Element>} */
let confirmsBefore = new Set();
const noteConfirms = () => {
  confirmsBefore = new Set(confirmsShown());
};

/** The one that came up since. @returns {any} */
const confirmCame = () => {
  const came = confirmsShown().filter((el) => !confirmsBefore.has(el));
  return came.length === 1 ? partOf(came[0]) : null;
};

/** The fields of a calendar's clock, and what tells and turns its half of the day. */
const clockParts = () => {
  const mine = calendar;
  if (!mine || !mine.scope) return [];
  for (let around = /** @type {Element | null} */ (mine.scope), left = 4; around && around !== document.body && !composedContains(around, mine.control) && left > 0; around = composedParent(around), left--) {
    const fields = queryDeep(around, 'input').filter((el) => isShown(el) && isTextControl(el)).map((el) => {
      const name = accessibleName(el, 'input', roleOf(el, 'input')).toLowerCase();
      const kind = /hour|stunde|heure|hora|ora\b|時|时/.test(name) ? 'hour' : /minute|minuto|分/.test(name) ? 'minute' : /second|sekunde|segundo|秒/.test(name) ? 'second' : '';
      return { id: idOf(el), kind, role: roleOf(el, 'input'), name: accessibleName(el, 'input', roleOf(el, 'input')), words: choiceWords(el) };
    }).filter(({ kind }) => kind !== '');
    if (fields.length === 0) continue;
    const half = queryDeep(around, '*').filter((el) => isShown(el) && /^(AM|PM)$/i.test(tidy(getTextContent.call(el))) && tagOf(el) !== 'option');
    const inner = half.filter((el) => !half.some((other) => other !== el && composedContains(el, other)));
    return [...fields, ...(inner.length === 1 ? [{ id: idOf(inner[0]), kind: 'half', role: roleOf(inner[0], tagOf(inner[0])) || 'generic', name: tidy(getTextContent.call(inner[0])), words: choiceWords(inner[0]) }] : [])];
  }
  return [];
};

/** A month that stands there for a field: in the first thing around that holds one, and no field beside. @param {Element} el @param {Month[]} months */
const ownMonth = (el, months) => {
  for (let around = composedParent(el), left = 4; around && left > 0; around = composedParent(around), left--) {
    const inner = months.filter(({ holder }) => composedContains(around, holder));
    if (inner.length > 0) {
      const head = headOf(inner[0], months);
      const fields = queryDeep(around, 'input:not([type=hidden]),textarea').filter((other) => other !== el && isShown(other) && !composedContains(head, other));
      return fields.length === 0 ? inner[0] : null;
    }
  }
  return null;
};

/** All that belongs to a month's calendar: its days with what leads to others. @param {Month} month @param {Month[]} months */
const headOf = (month, months) => {
  let head = month.holder;
  const others = months.filter((other) => other !== month);
  for (let around = composedParent(head), left = HEAD_LEVELS; around && around !== document.body && left > 0; around = composedParent(around), left--) {
    if (calendar && !composedContains(month.holder, calendar.control) && composedContains(around, calendar.control)) break;
    // months beside each other are of one calendar
    if (others.some(({ holder }) => composedContains(around, holder) && Math.abs(boxOf(holder).top - boxOf(month.holder).top) > 40)) break;
    if (boxOf(around).height > boxOf(month.holder).height + 260 || boxOf(around).width > 2.4 * boxOf(month.holder).width + 240) break;
    head = around;
  }
  return head;
};

/** The months of the calendar at hand. @returns {Month[]} */
const ownMonths = () => {
  const mine = calendar;
  if (!mine) return [];
  if (mine.scope && getIsConnected.call(mine.scope)) {
    const inner = monthsShown(mine.scope);
    if (inner.length > 0) return inner;
  }
  const came = monthsShown().filter(({ holder }) => !mine.before.has(holder));
  if (came.length > 0) mine.scope = headOf(came[0], came);
  return came;
};

/** The months that are shown, once there are any or some time has gone by. @param {number} ms @param {string} was those that were shown before */
const readCalendar = async (ms, was) => {
  const until = performance.now() + ms;
  for (;;) {
    const months = ownMonths().map(({ year, month }) => ({ year, month }));
    const left = until - performance.now();
    const key = months.map(({ year, month }) => `${year}-${month}`).join();
    if ((months.length > 0 && key !== was) || left <= 0) return { months, key };
    await nextChange(Math.min(left, 60));
  }
};

/** @param {number} year @param {number} month @param {number} day @returns {Day | null} */
const dayAt = (year, month, day) => {
  const shown = ownMonths().find((one) => one.year === year && one.month === month);
  return (shown && shown.days[day - 1]) || null;
};

/** What is said of a day to be chosen; null where nothing says so. @param {Day} day @returns {boolean | null} */
const dayChosen = ({ el, cell }) => {
  const said = [el, cell, composedParent(cell)].flatMap((one) => (one ? [ariaBool(one, 'aria-selected'), ariaBool(one, 'aria-pressed'), ariaBool(one, 'aria-checked'), attr(one, 'aria-current') === 'true' || undefined] : [])).filter((one) => one !== undefined);
  return said.length > 0 ? said.some((one) => one) : null;
};

/** The part that stands for a day. @param {number} year @param {number} month @param {number} day @returns {any} */
const dayPart = (year, month, day) => {
  const found = dayAt(year, month, day);
  if (!found) return null;
  const off = [found.el, found.cell].some((one) => disabledCause(one, tagOf(one)) !== undefined) || getComputedStyle(found.el).pointerEvents === 'none';
  return { ...partOf(found.el), role: roleOf(found.el, tagOf(found.el)) || 'generic', name: String(day), disabled: off, chosen: dayChosen(found) };
};

const FORWARD = /next|forward|nächst|weiter|suivant|siguiente|próxim|successiv|下|次|다음|[›»→▶▸]|^>+$/i;
const BACKWARD = /prev|back|vorig|zurück|vorherig|précédent|anterior|precedent|上|前|이전|[‹«←◀◂]|^<+$/i;

/**
 * What may lead to other months: parts that can be clicked in the head of a calendar, each with the way that it seems to lead;
 * and native lists of months and years.
 */
const calendarPagers = () => {
  const mine = calendar;
  const months = ownMonths();
  if (!mine || !mine.scope || months.length === 0) return { pagers: [], lists: [] };
  const days = months.flatMap(({ days }) => days.map(({ cell }) => cell));
  const holders = months.map(({ holder }) => holder);
  const top = Math.min(...days.map((cell) => boxOf(cell).top));
  const all = boxOf(mine.scope);
  const points = (/** @type {Element | null} */ el) => el !== null && getComputedStyle(el).cursor === 'pointer';
  const invites = (/** @type {Element} */ el) => isButton(el) || listening.has(el) || (points(el) && !points(composedParent(el)));
  const isButton = (/** @type {Element} */ el) => /^(button|a)$/.test(tagOf(el)) || /^(button|link)$/.test(explicitRole(el));
  const clickable = queryDeep(mine.scope, '*').filter((el) => !kindOfNever(el) && isShown(el) && invites(el) && !days.some((cell) => composedContains(cell, el) || composedContains(el, cell)) && !/^(select|input|option|svg|path)$/.test(tagOf(el)));
  // a button is one thing with all that is in it; what else listens may be around several
  const outer = clickable.filter((el) => !clickable.some((other) => other !== el && (composedContains(other, el) ? isButton(other) : composedContains(el, other) && !isButton(el))));
  const pagers = outer.flatMap((el) => {
    const box = boxOf(el);
    const words = buttonWords(el);
    const seen = tidy(seenText(el));
    if (monthIn(seen) || yearIn(seen) || box.width > 0.5 * all.width || !checkVisibilityOf.call(el, { opacityProperty: true })) return [];
    const forward = FORWARD.test(words);
    const backward = BACKWARD.test(words);
    const arrow = !/[\p{L}\p{N}]/u.test(seen);
    if (forward === backward && !(arrow && box.top < top + 4)) return [];
    const side = forward !== backward ? (forward ? 1 : -1) : box.left + box.width / 2 > all.left + all.width / 2 ? 1 : -1;
    // months first: what leads further stands further out, or says so
    const far = /year|jahr|année|año|年|decade/i.test(words) ? 10000 : 0;
    const out = Math.abs(box.left + box.width / 2 - (all.left + all.width / 2));
    return [{ ...partOf(el), role: roleOf(el, tagOf(el)) || 'generic', side, rank: far + out, off: disabledCause(el, tagOf(el)) !== undefined }];
  });
  const lists = /** @type {HTMLSelectElement[]} */ (queryDeep(mine.scope, 'select')).filter((el) => isShown(el) && !el.disabled).flatMap((el) => {
    const labels = [...el.options].map((option) => option.label);
    const kind = labels.filter((label) => monthIn(label)).length >= Math.max(1, labels.length - 1) ? 'month' : labels.every((label) => /^\d{4}$/.test(label.trim())) ? 'year' : '';
    return kind ? [{ id: idOf(el), kind, labels, months: labels.map(monthIn) }] : [];
  });
  return { pagers: pagers.filter(({ off }) => !off).sort((a, b) => a.rank - b.rank), lists, holders: holders.length };
};

/** @param {Element} el */
const kindOfNever = (el) => (kindOf(tagOf(el)) & NEVER) !== 0;

const CONFIRM = /^(ok|okay|apply|done|set|confirm|select|save|accept|übernehmen|fertig|bestätigen|valider|appliquer|aceptar|aplicar|確定|决定|确定|确认|完成|확인)$/i;
/** A button of the calendar that takes what was chosen in it. @returns {any} */
const calendarConfirm = () => {
  const mine = calendar;
  if (!mine || ownMonths().length === 0 || !mine.scope) return null;
  for (let around = /** @type {Element | null} */ (mine.scope), left = 5; around && around !== document.body && !composedContains(around, mine.control) && left > 0; around = composedParent(around), left--) {
    const hits = queryDeep(around, 'button,[role=button]').filter((el) => isShown(el) && CONFIRM.test(buttonWords(el)) && disabledCause(el, tagOf(el)) === undefined);
    if (hits.length > 0) return hits.length === 1 ? partOf(hits[0]) : null;
  }
  return null;
};

/** The field of the other end of a range: the only one beside a field, in something small around both. @param {Element} field @returns {Element[]} */
const otherEnd = (field) => {
  for (let around = composedParent(field), left = 3; around && left > 0; around = composedParent(around), left--) {
    const fields = queryDeep(around, 'input:not([type=hidden])').filter((other) => other !== field && isShown(other));
    if (fields.length > 0) return fields.length === 1 && isTextControl(fields[0]) && Math.abs(boxOf(fields[0]).top - boxOf(field).top) < 8 ? fields : [];
  }
  return [];
};

/** What the control shows of dates: its value, or its words. @returns {string} */
const dateShown = () => {
  const mine = calendar;
  if (!mine || !getIsConnected.call(mine.control) || (mine.scope && composedContains(mine.scope, mine.control))) return '';
  if (isTextControl(mine.control)) return [mine.control, ...otherEnd(mine.control)].map((field) => /** @type {HTMLInputElement} */ (field).value).join(' to ');
  return tidy(`${accessibleName(mine.control, tagOf(mine.control), roleOf(mine.control, tagOf(mine.control)))} ${seenText(mine.control)}`);
};

/**
 * Whether dates stand as they were chosen: what the control shows means them, or where it shows none, their days say so.
 * @param {string[]} dates @param {number} ms
 */
const datesStand = async (dates, ms) => {
  const until = performance.now() + ms;
  for (;;) {
    const text = dateShown();
    const field = !!calendar && isTextControl(calendar.control);
    const meant = datesIn(text);
    const shown = dates.every((date) => meant.includes(date)) && (dates.length > 1 || new Set(meant.map((date) => date.slice(0, 4))).size === 1);
    const days = dates.map((date) => dayAt(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))));
    const chosen = days.every((day) => day !== null && dayChosen(day) === true);
    const left = until - performance.now();
    if (shown || (!field && meant.length === 0 && chosen) || left <= 0) return { shown, chosen, text: short(text, 200), field, dated: meant.length > 0, open: ownMonths().length > 0 };
    await nextChange(Math.min(left, 60));
  }
};
