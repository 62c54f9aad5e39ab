// @ts-check
// Roles: the first valid token of `role`, else what html-aam maps the element to.

const ROLES = setOf('alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox '
  + 'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group '
  + 'heading img image insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox '
  + 'menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup '
  + 'rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table tablist '
  + 'tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem');

/** Roles that a person uses. */
const WIDGETS = setOf('button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem slider spinbutton '
  + 'scrollbar textbox searchbox combobox');
/** Roles that are used only where they can take the focus or listen. */
const MAYBE_WIDGETS = setOf('gridcell row listbox grid tree separator columnheader rowheader');
/** Roles whose name may come from what they hold. */
const NAMED_BY_CONTENT = setOf('button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row '
  + 'rowheader switch tab tooltip treeitem generic');

/** Roles printed as structure. */
const STRUCTURE = setOf('heading list listitem table grid treegrid row cell gridcell columnheader rowheader navigation main banner contentinfo '
  + 'complementary region form search article dialog alertdialog alert status log figure radiogroup group tablist tabpanel menu menubar '
  + 'toolbar tree listbox feed img progressbar meter separator blockquote term definition');

/** @type {Record<string, string>} */
const INPUT_ROLES = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton',
  search: 'searchbox', email: 'textbox', tel: 'textbox', text: 'textbox', url: 'textbox', password: 'textbox', date: 'date', month: 'date',
  week: 'date', time: 'date', 'datetime-local': 'date', color: 'color', file: 'file',
};

/** @type {Record<string, string>} */
const TAG_ROLES = {
  button: 'button', textarea: 'textbox', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', ul: 'list',
  ol: 'list', menu: 'list', li: 'listitem', table: 'table', tr: 'row', td: 'cell', th: 'columnheader', nav: 'navigation', main: 'main',
  aside: 'complementary', article: 'article', dialog: 'dialog', fieldset: 'group', optgroup: 'group', figure: 'figure', hr: 'separator',
  progress: 'progressbar', meter: 'meter', output: 'status', dt: 'term', dd: 'definition', blockquote: 'blockquote', search: 'search',
  iframe: 'iframe', frame: 'iframe', details: 'group', summary: 'button',
};

/** @param {Element} el @returns {string} the explicit role, or '' */
const explicitRole = (el) => {
  const text = attr(el, 'role');
  if (!text) return '';
  for (const word of text.toLowerCase().split(/\s+/)) if (ROLES.has(word)) return word;
  return '';
};

/** @param {Element} el @param {string} tag @returns {string} */
const nativeRole = (el, tag) => {
  switch (tag) {
    case 'a':
    case 'area':
      return has(el, 'href') ? 'link' : '';
    case 'input': {
      const input = /** @type {HTMLInputElement} */ (el);
      if (input.type === 'hidden') return '';
      if (input.list && /^(text|search|email|tel|url)$/.test(input.type)) return 'combobox';
      return INPUT_ROLES[input.type] || 'textbox';
    }
    case 'select': {
      const select = /** @type {HTMLSelectElement} */ (el);
      return select.multiple || select.size > 1 ? 'listbox' : 'combobox';
    }
    case 'img':
      return attr(el, 'alt') === '' && !has(el, 'aria-label') ? '' : 'img';
    case 'svg':
      return '';
    case 'summary': {
      const parent = /** @type {Element | null} */ (getParentNode.call(el));
      return parent && getNodeType.call(parent) === 1 && tagOf(parent) === 'details' ? 'button' : '';
    }
    case 'header':
    case 'footer':
      return matchesOf.call(el, ':is(article,aside,main,nav,section) *') ? '' : tag === 'header' ? 'banner' : 'contentinfo';
    case 'section':
    case 'form':
      return has(el, 'aria-label') || has(el, 'aria-labelledby') || has(el, 'title') ? (tag === 'form' ? 'form' : 'region') : '';
    case 'th':
      return attr(el, 'scope') === 'row' || attr(el, 'scope') === 'rowgroup' ? 'rowheader' : 'columnheader';
    default:
      return TAG_ROLES[tag] || '';
  }
};

/** @param {Element} el @param {string} tag @returns {string} the role that holds; '' for none, `presentation` and `none` */
const roleOf = (el, tag) => {
  const explicit = explicitRole(el);
  if (explicit === 'presentation' || explicit === 'none') {
    // a focusable element keeps its own role (presentational roles conflict resolution)
    return isFocusable(el, tag) ? nativeRole(el, tag) : '';
  }
  return explicit || nativeRole(el, tag);
};

/** @param {Element} el @param {string} tag */
const isFocusable = (el, tag) =>
  has(el, 'tabindex') || has(el, 'contenteditable')
  || (/^(a|area)$/.test(tag) ? has(el, 'href') : /^(button|input|select|textarea|summary|iframe)$/.test(tag) && !(/** @type {any} */ (el).disabled));

/** Whether this is the outermost editable element here. @param {Element} el */
const isEditableRoot = (el) => {
  if (!has(el, 'contenteditable') || !isEditable(el)) return false;
  const parent = composedParent(el);
  return !(parent && isEditable(parent));
};
