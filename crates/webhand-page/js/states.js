// @ts-check
// Live state of a control, from properties. Passwords and card numbers are told apart here and their values never leave.

/** Fields that were secret once: a "show password" button changes the type, not what it is. @type {WeakSet<Element>} */
const secretOnce = new WeakSet();

/** @param {Element} el */
const isSecret = (el) => {
  if (secretOnce.has(el)) return true;
  const secret = looksSecret(/** @type {HTMLInputElement} */ (el));
  if (secret) secretOnce.add(el);
  return secret;
};

/** Holds what was typed into a field back from now on. @param {number} id @returns {boolean} whether the field is there */
const keepSecret = (id) => {
  const el = elementOf(id);
  if (el) secretOnce.add(targetOf(el));
  return el !== null;
};

/**
 * Where a text stands, in boxes of the view.
 * @param {string} wanted @returns {[number, number, number, number][]}
 */
const placesOf = (wanted) => {
  const range = document.createRange();
  return searchRoots().flatMap((root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    /** @type {[number, number, number, number][]} */
    const places = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = /** @type {Text} */ (node).data;
      for (let at = text.indexOf(wanted); at >= 0 && places.length < 200; at = text.indexOf(wanted, at + wanted.length)) {
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        for (const box of range.getClientRects()) places.push([box.left, box.top, box.width, box.height]);
      }
    }
    return places;
  });
};

/** @param {HTMLInputElement} input */
const looksSecret = (input) => {
  const el = input;
  return input.type === 'password' || /\b(cc-(number|csc|exp)|current-password|new-password|one-time-code)/.test(attr(el, 'autocomplete') || '')
    || (tagOf(el) === 'input' && /card.?(number|no\b)|cc.?num|\bcvv2?\b|\bcvc2?\b|security.?code/i.test(
      `${attr(el, 'name') || ''} ${attr(el, 'id') || ''} ${attr(el, 'aria-label') || ''} ${attr(el, 'placeholder') || ''}`));
};

/** @param {Element} el @param {string} key */
const ariaBool = (el, key) => {
  const text = attr(el, key);
  return text === 'true' ? true : text === 'false' ? false : undefined;
};

/**
 * @param {Element} el @param {string} tag @param {string} [above] what is known of the elements above it: '' or a cause; looked up where absent
 * @returns {string | undefined} why it cannot be used
 */
const disabledCause = (el, tag, above) => {
  if (/^(button|input|select|textarea|option|optgroup|fieldset)$/.test(tag) && matchesOf.call(el, ':disabled')) {
    return /** @type {HTMLInputElement} */ (el).disabled ? 'disabled' : 'disabled by fieldset';
  }
  if (has(el, 'aria-disabled') && attr(el, 'aria-disabled') === 'true') return 'aria-disabled';
  if (above !== undefined) return above || undefined;
  for (let node = /** @type {Element | null} */ (el); node; node = composedParent(node)) {
    if (has(node, 'aria-disabled') && attr(node, 'aria-disabled') === 'true') return node === el ? 'aria-disabled' : 'aria-disabled by ancestor';
    if (has(node, 'inert')) return 'inert';
  }
  return undefined;
};

/** @param {Element} el @param {string} tag */
const isReadonly = (el, tag) =>
  (/^(input|textarea)$/.test(tag) && /** @type {HTMLInputElement} */ (el).readOnly && !/^(checkbox|radio|range|color|file|button|submit|reset|image)$/.test(/** @type {HTMLInputElement} */ (el).type))
  || attr(el, 'aria-readonly') === 'true';

/** @param {Element} el @param {string} tag @returns {string | undefined} message of an invalid control, shown or marked */
const invalidMessage = (el, tag) => {
  const marked = attr(el, 'aria-invalid');
  const message = () => {
    const ids = attr(el, 'aria-errormessage') || (marked && marked !== 'false' ? attr(el, 'aria-describedby') : '');
    return ids ? tidy(byIds(el, ids).filter((target) => !hiddenInName(target)).map((target) => getTextContent.call(target)).join(' ')) : '';
  };
  if (marked && marked !== 'false') return message();
  if (/^(input|select|textarea)$/.test(tag) && matchesOf.call(el, ':user-invalid')) return message() || /** @type {HTMLInputElement} */ (el).validationMessage;
  if (/^(input|select|textarea)$/.test(tag)) {
    const input = /** @type {HTMLInputElement} */ (el);
    // a value that is there and wrong is worth saying before anybody submits
    if (input.value && input.willValidate && !input.validity.valid) return message() || input.validationMessage;
  }
  return undefined;
};

/** @param {any} out @param {Element} el @param {string} tag @param {string} role */
const addValue = (out, el, tag, role) => {
  if (tag === 'input' || tag === 'textarea') {
    const input = /** @type {HTMLInputElement} */ (el);
    if (/^(button|submit|reset|image)$/.test(input.type)) return;
    if (input.type === 'checkbox' || input.type === 'radio') {
      out.checked = input.indeterminate ? 'mixed' : input.checked ? 'true' : 'false';
      return;
    }
    if (isSecret(el)) out.secret = input.value !== '';
    else if (input.type === 'file') out.value = [...(input.files || [])].map((file) => file.name).join(', ');
    else out.value = input.value;
    return;
  }
  if (tag === 'select') {
    const select = /** @type {HTMLSelectElement} */ (el);
    out.selected = [...select.selectedOptions].slice(0, 50).map((option) => tidy(option.label));
    out.options = select.options.length;
    return;
  }
  if (tag === 'audio' || tag === 'video') {
    const media = /** @type {HTMLMediaElement} */ (el);
    out.value = (media.ended ? 'ended' : media.paused ? 'paused' : 'playing') + (media.muted ? ', muted' : '');
    return;
  }
  const checked = attr(el, 'aria-checked');
  if (checked) out.checked = /^(true|false|mixed)$/.test(checked) ? checked : 'false';
  else if (/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role)) out.checked = 'false';
  if (isEditable(el)) out.value = short(tidy(seenText(el)), 2000);
  else if (role === 'textbox' || role === 'searchbox') out.value = short(tidy(getTextContent.call(el)), 2000);
  else if (has(el, 'aria-valuetext') || has(el, 'aria-valuenow')) out.value = attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow');
  else if (tag === 'progress' || tag === 'meter') out.value = String(/** @type {HTMLMeterElement} */ (el).value);
};

/** The state of what has none: shared, never written to. */
const NO_STATE = Object.freeze({});

/**
 * @param {Element} el @param {string} tag @param {string} role @param {number} facts what its attributes say @param {string} [above] see disabledCause
 * @returns {any} only what is not at its default
 */
const stateOf = (el, tag, role, facts, above) => {
  // by far the most common: a button or link that says nothing of itself
  if (above === '' && !(facts & STATEFUL) && (tag === 'a' || (tag === 'button' && !matchesOf.call(el, ':disabled')))) return NO_STATE;
  /** @type {any} */
  const out = {};
  addValue(out, el, tag, role);
  const placeholder = attr(el, 'placeholder') || attr(el, 'aria-placeholder');
  if (placeholder) out.placeholder = tidy(placeholder);
  const expanded = tag === 'summary' ? /** @type {HTMLDetailsElement} */ (getParentNode.call(el)).open : ariaBool(el, 'aria-expanded');
  if (expanded !== undefined) out.expanded = expanded;
  const pressed = attr(el, 'aria-pressed');
  if (pressed && /^(true|false|mixed)$/.test(pressed)) out.pressed = pressed;
  const chosen = ariaBool(el, 'aria-selected');
  if (chosen !== undefined) out.chosen = chosen;
  const current = attr(el, 'aria-current');
  if (current && current !== 'false') out.current = current;
  const disabled = disabledCause(el, tag, above);
  if (disabled) out.disabled = disabled;
  if (isReadonly(el, tag)) out.readonly = true;
  if (attr(el, 'aria-required') === 'true' || (/^(input|select|textarea)$/.test(tag) && /** @type {HTMLInputElement} */ (el).required)) out.required = true;
  const invalid = disabled ? undefined : invalidMessage(el, tag);
  if (invalid !== undefined) out.invalid = invalid;
  const popup = attr(el, 'aria-haspopup');
  if (popup && popup !== 'false') out.popup = popup === 'true' ? 'menu' : popup;
  const sort = attr(el, 'aria-sort');
  if (sort && sort !== 'none') out.sort = sort;
  const limits = limitsOf(el, tag);
  if (limits.length) out.limits = limits;
  return out;
};

/** @param {Element} el @param {string} tag @returns {[string, string][]} */
const limitsOf = (el, tag) => {
  /** @type {[string, string][]} */
  const limits = [];
  if (tag !== 'input' && tag !== 'textarea' && tag !== 'select' && !has(el, 'aria-valuemin')) return limits;
  for (const key of ['min', 'max', 'step', 'maxlength', 'pattern', 'accept']) {
    const text = attr(el, key);
    if (text) limits.push([key, short(text, 120)]);
  }
  for (const key of ['aria-valuemin', 'aria-valuemax']) {
    const text = attr(el, key);
    if (text) limits.push([key.slice(10), text]);
  }
  if (tag !== 'select' && has(el, 'multiple')) limits.push(['multiple', '']);
  return limits;
};
