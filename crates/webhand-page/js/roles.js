// @ts-check
// Roles: the first valid token of `role`, else what html-aam maps the element to.
//
// A walk is told only of roles that say something beside text: what html-aam calls a paragraph, emphasis or the like has
// none there. `ariaRole` tells the whole mapping.

const ROLES = setOf('alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox '
  + 'comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic graphics-document '
  + 'graphics-object graphics-symbol grid gridcell group heading img image insertion link list listbox listitem log main mark marquee math '
  + 'menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio '
  + 'radiogroup region row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status '
  + 'strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem');

/** Roles that a person uses. */
const WIDGETS = setOf('button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem slider spinbutton '
  + 'scrollbar textbox searchbox combobox');
/** Roles that are used only where they can take the focus or listen. */
const MAYBE_WIDGETS = setOf('gridcell row listbox grid tree separator columnheader rowheader');
/** Roles whose name may come from what they hold; a walk names what reacts without a role so, too. */
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
  ol: 'list', menu: 'list', table: 'table', nav: 'navigation', main: 'main', article: 'article', dialog: 'dialog', fieldset: 'group',
  optgroup: 'group', figure: 'figure', hr: 'separator', progress: 'progressbar', meter: 'meter', output: 'status', dt: 'term',
  dd: 'definition', blockquote: 'blockquote', search: 'search', iframe: 'iframe', frame: 'iframe', details: 'group',
};

/** What html-aam says of tags that a walk has no role for. @type {Record<string, string>} */
const TEXT_ROLES = Object.assign(Object.create(null), {
  p: 'paragraph', em: 'emphasis', strong: 'strong', code: 'code', del: 'deletion', s: 'deletion', ins: 'insertion', sub: 'subscript', sup: 'superscript',
  time: 'time', mark: 'mark', dfn: 'term', dl: 'list', dir: 'list', address: 'group', hgroup: 'group', caption: 'caption', figcaption: 'caption',
  thead: 'rowgroup', tbody: 'rowgroup', tfoot: 'rowgroup', option: 'option', datalist: 'listbox', math: 'math', svg: 'img', form: 'form',
  header: 'sectionheader', footer: 'sectionfooter',
});
for (const tag of 'a area aside b bdi bdo body data div html i li pre q samp section small span summary td th tr u'.split(' ')) TEXT_ROLES[tag] = 'generic';

/** Elements that a landmark stands in and is none of the page. */
const SECTIONED = ':is(article,aside,main,nav,section,[role=article],[role=complementary],[role=main],[role=navigation],[role=region]) *';
/** The same for an aside: it is one of the page in main, too. */
const ASIDE_SECTIONED = ':is(article,aside,nav,section) *';

/** Properties that every role may have (WAI-ARIA, global states and properties): what has one is no mere presentation. */
const GLOBAL_ARIA = ['aria-atomic', 'aria-braillelabel', 'aria-brailleroledescription', 'aria-busy', 'aria-controls', 'aria-current', 'aria-describedby',
  'aria-description', 'aria-details', 'aria-flowto', 'aria-keyshortcuts', 'aria-label', 'aria-labelledby', 'aria-live', 'aria-owns', 'aria-relevant',
  'aria-roledescription'];

/** White space as HTML knows it: a no-break space is none. @param {string | null} text */
const isBlank = (text) => text === null || !/[^ \t\n\f\r]/.test(text);

/**
 * A value that is good until the page can run again: what is the same for all elements of a read is looked up once for it.
 * @template T @param {() => T} make @returns {() => T}
 */
const forThisTurn = (make) => {
  /** @type {{value: T} | null} */
  let known = null;
  return () => {
    if (known === null) {
      known = { value: make() };
      queueMicrotask(() => {
        known = null;
      });
    }
    return known.value;
  };
};

/** Whether an author named it: what makes a landmark of a section. @param {Element} el */
const isNamedByAuthor = (el) => !isBlank(attr(el, 'aria-label')) || has(el, 'aria-labelledby') || !isBlank(attr(el, 'title'));

/** @param {Element} el @returns {string} the explicit role, or '' */
const explicitRole = (el) => {
  const text = attr(el, 'role');
  if (!text) return '';
  for (const word of text.toLowerCase().split(/\s+/)) {
    // a nameless one is no landmark, and holds no role by that word (WAI-ARIA, region and form)
    if (ROLES.has(word) && ((word !== 'region' && word !== 'form') || isNamedByAuthor(el))) return word === 'directory' ? 'list' : word;
  }
  return '';
};

/** @param {Element} el @param {string} tag @returns {string} */
const nativeRole = (el, tag) => {
  switch (tag) {
    case 'a':
    case 'area':
      return has(el, 'href') || (tag === 'a' && has(el, 'xlink:href')) ? 'link' : '';
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
      return has(el, 'alt') && isBlank(attr(el, 'alt')) && !isNamedByAuthor(el) && !has(el, 'tabindex') ? '' : 'img';
    case 'summary':
      return isSummary(el) ? 'button' : '';
    case 'header':
    case 'footer':
      return matchesOf.call(el, SECTIONED) ? '' : tag === 'header' ? 'banner' : 'contentinfo';
    case 'aside':
      return matchesOf.call(el, ASIDE_SECTIONED) && !isNamedByAuthor(el) ? '' : 'complementary';
    case 'section':
    case 'form':
      return isNamedByAuthor(el) ? (tag === 'form' ? 'form' : 'region') : '';
    case 'li':
      return isListed(el) ? 'listitem' : '';
    case 'tr':
      return tableOf(el).kind === '' ? '' : 'row';
    case 'td':
      return roledInShadow || tablesHaveRoles() ? cellRole(el, tag) : 'cell';
    case 'th':
      return cellRole(el, tag);
    default:
      return TAG_ROLES[tag] || '';
  }
};

/** Whether it opens the details it stands in. @param {Element} el */
const isSummary = (el) => {
  const parent = /** @type {Element | null} */ (getParentNode.call(el));
  if (!parent || getNodeType.call(parent) !== 1 || tagOf(parent) !== 'details') return false;
  for (let before = getPreviousElement.call(el); before; before = getPreviousElement.call(before)) if (tagOf(before) === 'summary') return false;
  return true;
};

/** The list that was asked for last, and whether it is one: items come in a row. */
const lastList = forThisTurn(() => ({ list: /** @type {Node | null} */ (null), holds: false }));

/** Whether an item stands in a list that is exposed as one. @param {Element} el */
const isListed = (el) => {
  const parent = getParentNode.call(el);
  const last = lastList();
  if (parent !== last.list) {
    last.list = parent;
    last.holds = isList(parent) || isList(holderOf(el));
  }
  return last.holds;
};

/** What holds it where it is seen: slots are passed through. @param {Element} el */
const holderOf = (el) => {
  let holder = composedParent(el);
  while (holder && tagOf(holder) === 'slot') holder = composedParent(holder);
  return holder;
};

/** @param {Element | null} node */
const isList = (node) => {
  if (!node || getNodeType.call(node) !== 1) return false;
  const tag = tagOf(node);
  return has(node, 'role') ? roleOf(node, tag) === 'list' : tag === 'ul' || tag === 'ol' || tag === 'menu';
};

/**
 * The row that was asked for last: what table it stands in ('' for none that is exposed as one), and whether it holds data.
 * @typedef {{row: Node | null, kind: '' | 'table' | 'grid', data: boolean | null}} Row
 */
const lastRow = forThisTurn(() => /** @type {Row} */ ({ row: null, kind: '', data: null }));

/** @param {Node} row @returns {Row} */
const tableOf = (row) => {
  const last = lastRow();
  if (row === last.row) return last;
  last.row = row;
  last.data = null;
  let node = /** @type {Element | null} */ (row);
  let tag = '';
  while (node && getNodeType.call(node) === 1) {
    tag = tagOf(node);
    if (tag !== 'tr' && tag !== 'tbody' && tag !== 'thead' && tag !== 'tfoot') break;
    node = getParentNode.call(node);
  }
  last.kind = '';
  if (node && getNodeType.call(node) === 1) {
    const role = has(node, 'role') ? roleOf(node, tag) : tag === 'table' ? 'table' : '';
    if (role === 'table') last.kind = 'table';
    else if (role === 'grid' || role === 'treegrid') last.kind = 'grid';
  }
  return last;
};

/** Whether any table is something else than a table: mostly there is none, and no cell need be asked for its own. Good for one turn. */
const tablesHaveRoles = forThisTurn(() => {
  const tables = document.getElementsByTagName('table');
  for (let i = 0; i < tables.length; i++) if (has(tables[i], 'role')) return true;
  return false;
});
/** A table in a shadow root was met that has a role: it is met before its cells. */
let roledInShadow = false;

/** @param {Element} el @param {string} tag @returns {string} */
const cellRole = (el, tag) => {
  const row = tableOf(getParentNode.call(el) || el);
  if (row.kind === '') return '';
  const plain = row.kind === 'grid' ? 'gridcell' : 'cell';
  if (tag === 'td') return plain;
  const scope = (attr(el, 'scope') || '').toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  if (row.data === null) {
    row.data = false;
    for (let cell = row.row && getFirstElement.call(row.row); cell && !row.data; cell = getNextElement.call(cell)) row.data = tagOf(cell) === 'td';
  }
  if (!row.data) return 'columnheader';
  return getPreviousElement.call(el) === null || headsColumn(/** @type {HTMLTableCellElement} */ (el)) ? 'rowheader' : plain;
};

/** So many rows are looked at for whether a cell that is not the first of its row heads rows. */
const ROWS_MAX = 20;

/** Whether those that stand in its column are headers like it. @param {HTMLTableCellElement} cell */
const headsColumn = (cell) => {
  const table = cell.closest('table');
  const at = cell.cellIndex;
  if (!table) return false;
  for (let i = 0; i < table.rows.length && i < ROWS_MAX; i++) {
    const other = table.rows[i].cells[at];
    if (other && tagOf(other) === 'td') return false;
  }
  return true;
};

/** @param {Element} el @param {string} tag @returns {string} the role that holds; '' for none, `presentation` and `none` */
const roleOf = (el, tag) => {
  const explicit = explicitRole(el);
  if (tag === 'table' && !roledInShadow && rootNodeOf.call(el) !== document) roledInShadow = true;
  if (explicit === 'presentation' || explicit === 'none') return isMore(el, tag) ? nativeRole(el, tag) : '';
  return explicit || nativeRole(el, tag);
};

/** What can be focused, or says something of itself, is no mere presentation (presentational roles conflict resolution). @param {Element} el @param {string} tag */
const isMore = (el, tag) => isFocusable(el, tag) || GLOBAL_ARIA.some((key) => !isBlank(attr(el, key)));

/**
 * Whether its author says that it is no thing of its own but a part of what it stands in, and keeps it from the keyboard: the
 * link that fills a tab, as component libraries write it.
 * @param {Element} el
 */
const isDeclaredPart = (el) => isPresentational(el) && has(el, 'tabindex') && Number(attr(el, 'tabindex')) < 0;

/** The whole mapping: what is plain text to a walk has its role here. @param {Element} el @param {string} tag @returns {string} '' for none */
const ariaRole = (el, tag) => {
  const explicit = explicitRole(el);
  // a walk has met the table
  const known = tag === 'td' && !explicit ? cellRole(el, tag) : roleOf(el, tag);
  if (known) return known;
  if ((explicit === 'presentation' || explicit === 'none') && !isMore(el, tag)) return '';
  if (tag === 'img' || (tag === 'li' && isPresentational(getParentNode.call(el)))) return '';
  if (/^(thead|tbody|tfoot)$/.test(tag) && tableOf(el).kind === '') return '';
  return TEXT_ROLES[tag] || (tag.includes('-') ? 'generic' : '');
};

/** @param {Node | null} node */
const isPresentational = (node) => isElement(node) && /^(none|presentation)$/.test(explicitRole(node));

/** @param {Element} el @param {string} tag */
const isFocusable = (el, tag) =>
  has(el, 'tabindex') || (has(el, 'contenteditable') && attr(el, 'contenteditable') !== 'false')
  || (/^(a|area)$/.test(tag) ? has(el, 'href') : /^(button|input|select|textarea|iframe)$/.test(tag) ? !(/** @type {any} */ (el).disabled) : tag === 'summary' && isSummary(el));

/** Whether this is the outermost editable element here. @param {Element} el */
const isEditableRoot = (el) => {
  if (!has(el, 'contenteditable') || !isEditable(el)) return false;
  const parent = composedParent(el);
  return !(parent && isEditable(parent));
};
