// @ts-check
// What edits need inside the page beside text: native setters for fields that take no keys, what a click set off, the focus.

/** @param {Element} el */
const announce = (el) => {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
};

/** A colour as a style sheet may write it, in the form that a field of colours takes; '' for what is none. @param {string} text */
const cssColor = (text) => {
  if (typeof OffscreenCanvas === 'undefined' || !CSS.supports('color', text)) return '';
  const brush = new OffscreenCanvas(1, 1).getContext('2d');
  if (!brush) return '';
  brush.fillStyle = text;
  return /^#[0-9a-f]{6}$/.test(String(brush.fillStyle)) ? String(brush.fillStyle) : '';
};

/**
 * What a field would make of a value: tried on a copy of it, so that what stands there stays.
 * @param {HTMLInputElement} el @param {string} value @returns {{fits: boolean, holds: string, why: string}}
 */
const tryValue = (el, value) => {
  const copy = /** @type {HTMLInputElement} */ (document.createElement('input'));
  for (const name of ['type', 'min', 'max', 'step', 'value']) if (has(el, name)) copy.setAttribute(name, attr(el, name) || '');
  setInputValue.call(copy, value);
  const { rangeOverflow, rangeUnderflow, stepMismatch } = copy.validity;
  const same = copy.value === value || (el.type === 'range' && Number(copy.value) === Number(value)) || (/^(time|datetime-local)$/.test(el.type) && copy.value !== '');
  return { fits: value === '' || (same && !rangeOverflow && !rangeUnderflow && !stepMismatch), holds: copy.value, why: short(copy.validationMessage, 200) };
};

/** Sets a field that takes no keys, unless the value is none for it. @param {number} id @param {string} value @returns {any} what stands there then */
const setField = (id, value) => {
  const el = /** @type {HTMLInputElement | null} */ (fieldOf(id));
  if (!el) return { miss: 'gone' };
  const bounds = { min: el.min, max: el.max, step: el.step };
  const tried = tryValue(el, value);
  if (!tried.fits) return { miss: 'unfit', value: el.value, why: tried.why, ...bounds };
  const scheduled = scheduleSince();
  el.focus();
  setInputValue.call(el, value);
  announce(el);
  return { value: el.value, scheduled: scheduled(), ...bounds };
};

/** The click to come: whether it set something off that has still to come. It is taken for granted until it is known. */
let clickToCome = { scheduled: true, forget: () => {} };

/** Notes of the next click, and of the change that it makes, what they set off. */
const noteClick = () => {
  clickToCome.forget();
  const scheduled = scheduleSince();
  const begin = () => {
    mine.scheduled = true;
  };
  // once all handlers ran; where one keeps the event to itself, it stays unknown
  const end = () => {
    mine.scheduled = scheduled();
  };
  const forget = () => {
    for (const type of ['click', 'change']) {
      removeEventListener(type, begin, true);
      removeEventListener(type, end);
    }
  };
  const mine = { scheduled: true, forget };
  clickToCome = mine;
  for (const type of ['click', 'change']) {
    addEventListener(type, begin, true);
    addEventListener(type, end);
  }
};

/**
 * Gives what that click set off some time, where there is any.
 * @param {number} ms @param {boolean} [anyway] it is known to have set something off
 * @returns {Promise<boolean>} whether it was given
 */
const waitOnClick = async (ms, anyway) => {
  clickToCome.forget();
  const given = clickToCome.scheduled || !!anyway;
  if (given) await after(ms);
  return given;
};

/** The number of the button that a field's form is sent with, as Enter would; 0 for none that can be used. @param {number} id */
const submitterOf = (id) => {
  const el = /** @type {HTMLInputElement | null} */ (fieldOf(id));
  const form = /** @type {HTMLFormElement | null} */ (el && (el.form || el.closest('form')));
  if (!form) return 0;
  const buttons = /** @type {HTMLButtonElement[]} */ ([.../** @type {Document} */ (rootNodeOf.call(form)).querySelectorAll('button,input[type=submit],input[type=image]')]);
  const first = buttons.find((button) => button.form === form && /^(submit|image)$/.test(button.type));
  return first && !first.disabled && checkVisibilityOf.call(first) ? idOf(first) : 0;
};

/** Gives an element the focus. @param {number} id */
const focusOn = (id) => {
  const found = elementOf(id);
  if (!found || !getIsConnected.call(found)) return { miss: 'gone' };
  const el = /** @type {HTMLElement} */ (targetOf(found));
  el.focus();
  return { focused: composedContains(el, deepActive()) };
};
