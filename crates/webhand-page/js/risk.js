// @ts-check
// What a press on a control, or a key in it, would set off: read off the page just before it is done. What that means is
// judged outside.

/** Roles that hold a state or a text: what they are called is no order. */
const SAYS_STATE = setOf('checkbox radio switch menuitemcheckbox menuitemradio option tab slider spinbutton scrollbar textbox searchbox combobox '
  + 'treeitem gridcell row listbox');

/**
 * @typedef {{sends: '' | 'get' | 'post' | 'search' | 'sign_in', name: string, role: string}} Sending
 * `sends`: the form that would be sent, `name`: what the control is called that does it, `role`: its own
 */

/** The control that a press on an element uses. @param {Element} el */
const usedBy = (el) => {
  for (let node = /** @type {Element | null} */ (el); node; node = composedParent(node)) if (isOwnControl(node)) return targetOf(node);
  return targetOf(el);
};

/** What a press on an element would set off. @param {Element} el @returns {Sending | null} */
const pressSends = (el) => {
  const control = usedBy(el);
  const tag = tagOf(control);
  const form = sentBy(control);
  const sends = form ? kindOfForm(form, control) : '';
  const role = ariaRole(control, tag);
  if (!form && (/^(html|body)$/.test(tag) || SAYS_STATE.has(role) || tag === 'summary' || isReset(control))) return null;
  return { sends, name: calledBy(control, tag, role), role };
};

/** @param {Element} control @param {string} tag @param {string} role */
const calledBy = (control, tag, role) => short(tidy(accessibleName(control, tag, role) || seenText(control)), 200);

/** @param {Element} el */
const isReset = (el) => /^(button|input)$/.test(tagOf(el)) && /** @type {HTMLInputElement} */ (el).type === 'reset';

/** Whether it is a button that sends its form. @param {Element} el @returns {el is HTMLButtonElement} */
const isSubmitter = (el) => /^(button|input)$/.test(tagOf(el)) && /^(submit|image)$/.test(/** @type {HTMLInputElement} */ (el).type);

/** The form that a press on a control sends. @param {Element} el @returns {HTMLFormElement | null} */
const sentBy = (el) => (isSubmitter(el) ? el.form : null);

/** What can be sent with a form, and be seen. @param {HTMLFormElement} form @returns {HTMLInputElement[]} */
const fieldsOfForm = (form) => [.../** @type {Document} */ (rootNodeOf.call(form)).querySelectorAll('input,select,textarea')].filter((el) => {
  const field = /** @type {HTMLInputElement} */ (el);
  return field.form === form && !/^(hidden|submit|image|button|reset)$/.test(field.type) && checkVisibilityOf.call(field);
}).map((el) => /** @type {HTMLInputElement} */ (el));

/** @param {HTMLFormElement} form @param {Element | null} submitter @returns {Sending['sends']} */
const kindOfForm = (form, submitter) => {
  const method = ((submitter && attr(submitter, 'formmethod')) || attr(form, 'method') || 'get').trim().toLowerCase();
  if (method === 'dialog') return '';
  const fields = fieldsOfForm(form);
  if (isSignIn(form, submitter, fields)) return 'sign_in';
  if (isSearch(form, fields)) return 'search';
  return method === 'post' ? 'post' : 'get';
};

/** A form with one password at most, which is none that is chosen anew, and little else. @param {HTMLFormElement} form @param {Element | null} submitter @param {HTMLInputElement[]} fields */
const isSignIn = (form, submitter, fields) => {
  const means = fields.map((field) => attr(field, 'autocomplete') || '');
  const passwords = fields.filter((field) => field.type === 'password').length;
  const texts = fields.filter((field) => !/^(password|checkbox|radio|select-one)$/.test(field.type));
  if (passwords > 1 || texts.length > 2 || means.some((text) => /\b(new-password|cc-)/.test(text))) return false;
  if (fields.some((field) => /^(textarea|file|number|date|range|color)$/.test(field.type))) return false;
  if (passwords === 1) return true;
  const action = (submitter && attr(submitter, 'formaction')) || attr(form, 'action') || '';
  const known = /\b(username|one-time-code|webauthn)\b/;
  return texts.length > 0 && (means.some((text) => known.test(text)) || /(^|[^a-z])(log-?in|sign-?in|log-?on|sign-?on|sessions?|auth)([^a-z]|$)/i.test(action));
};

/** @param {HTMLFormElement} form @param {HTMLInputElement[]} fields */
const isSearch = (form, fields) => {
  if (fields.some((field) => /^(password|textarea|file)$/.test(field.type))) return false;
  for (let node = /** @type {Element | null} */ (form); node; node = composedParent(node)) if (tagOf(node) === 'search' || explicitRole(node) === 'search') return true;
  const texts = fields.filter((field) => /^(text|search|email|tel|url|number)$/.test(field.type));
  return texts.some((field) => field.type === 'search')
    || (texts.length === 1 && /^(q|query|search|s|kw|wd|term|keywords?)$/i.test(attr(texts[0], 'name') || ''));
};

/** The button that a form is sent with where Enter is pressed in a field. @param {HTMLFormElement} form @returns {HTMLButtonElement | null} */
const defaultButton = (form) => {
  const buttons = /** @type {HTMLButtonElement[]} */ ([.../** @type {Document} */ (rootNodeOf.call(form)).querySelectorAll('button,input')]);
  return buttons.find((button) => button.form === form && isSubmitter(button)) || null;
};

/**
 * What Enter or Space would set off where the focus is.
 * @param {'Enter' | ' '} key @param {boolean} held whether Control or Meta is held, as where lines are sent so
 * @returns {Sending | null}
 */
const keySends = (key, held) => {
  const active = deepActive();
  if (!active) return null;
  const tag = tagOf(active);
  const field = /** @type {HTMLInputElement} */ (active);
  const button = tag === 'input' && /^(submit|image|button|reset)$/.test(field.type);
  const text = tag === 'textarea' || isEditable(active);
  if (button || (tag !== 'input' && tag !== 'select' && !text)) return key === 'Enter' || ariaRole(active, tag) !== 'link' ? pressSends(active) : null;
  // one that is being chosen in a list is taken by Enter, and the form stays
  if (key !== 'Enter' || tag === 'select' || (attr(active, 'aria-activedescendant') && attr(active, 'aria-expanded') === 'true')) return null;
  if (text && !held) return null;
  return fieldSends(field);
};

/** What Enter in a field sends. @param {HTMLInputElement} field @returns {Sending | null} */
const fieldSends = (field) => {
  const form = /** @type {HTMLFormElement | null} */ (field.form || field.closest('form'));
  if (!form) return null;
  const submitter = defaultButton(form);
  if (!submitter) {
    const lines = fieldsOfForm(form).filter((one) => !/^(checkbox|radio|range|color|file|select-one|select-multiple|textarea)$/.test(one.type));
    return lines.length > 1 ? null : { sends: kindOfForm(form, null), name: '', role: '' };
  }
  if (submitter.disabled) return null;
  const tag = tagOf(submitter);
  return { sends: kindOfForm(form, submitter), name: calledBy(submitter, tag, 'button'), role: 'button' };
};
