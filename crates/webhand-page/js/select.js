// @ts-check
// Selectors of scripts: CSS in every root, XPath in the document, or role and name as a snapshot has them.

/** `role=button[name="Save"]`: the role, and the name if one is asked for. */
const BY_ROLE = /^role=([\w-]+)(?:\[name=(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\])?$/;
/** How an XPath begins. */
const BY_PATH = /^(?:xpath=|\(*\.?\/)/;

/** @param {string} selector @returns {Element[]} what it finds @throws where it is no selector */
const selected = (selector) => {
  const role = BY_ROLE.exec(selector);
  if (role) return withRole(role[1], role[2] ?? role[3]);
  if (selector.startsWith('role=')) throw new SyntaxError(selector);
  if (BY_PATH.test(selector)) return byPath(selector.replace(/^xpath=/, ''));
  const css = selector.replace(/^css=/, '');
  return searchRoots().flatMap((root) => [...root.querySelectorAll(css)]);
};

/** @param {string} path */
const byPath = (path) => {
  const found = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  const hits = [];
  for (let i = 0; i < found.snapshotLength; i++) {
    const node = found.snapshotItem(i);
    if (node && getNodeType.call(node) === 1) hits.push(/** @type {Element} */ (node));
  }
  return hits;
};

/** The controls of that role and name. @param {string} role @param {string | undefined} name with `\\` before quotes in it */
const withRole = (role, name) => {
  const wanted = name === undefined ? undefined : name.replace(/\\(.)/g, '$1');
  const found = wholeWalk().found.filter((listed) => listed.r === role && (wanted === undefined || listed.n === wanted));
  return found.map((listed) => elementOf(listed.i)).filter((el) => el !== null);
};

/** Finds what a selector names; the only one is made known. @param {string} selector */
const selectOnly = (selector) => {
  try {
    const hits = selected(selector);
    if (hits.length !== 1) return { miss: hits.length ? 'ambiguous' : 'gone', count: hits.length };
    const id = idOf(hits[0]);
    const { listed, hidden } = describe(hits[0], false);
    if (listed) return { id, listed, item: describeInItem(hits[0], false).digest };
    const plain = describePlain(hits[0]);
    return plain.listed ? { id, listed: plain.listed, item: 0, plain: true } : { miss: 'hidden', hidden: plain.hidden || hidden };
  } catch {
    return { miss: 'bad_selector' };
  }
};
