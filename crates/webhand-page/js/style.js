// @ts-check
// Which elements a style rule could have made special. On a page with few rules it is far cheaper to ask "whom do the
// rules with these properties match" than to compute the style of every element; on a page with many rules it is the
// other way round, and every element is styled. Either way the answer is a superset: who is in it is looked at closely.

/** Marks of an element. */
const NOTED = 1; // it has a closed shadow root, or covers something
const STYLED = 2; // its computed style must be looked at: with the groups of properties below
const LISTENING = 4; // a listener that reacts to a person is on it

/** Groups of properties that can hide, move, clip, cut out or invite; what no rule declares need not be asked for. */
const MOVES = 8;
const CLIPS = 16;
const CUTS = 32;
const FADES = 64;
const INVITES = 128;
const LAYS = 256; // how it is laid out: display, float
const TURNS = 512;
const NOTED_FAINT = 1024; // whether its text can be read was looked at
const ALL_GROUPS = MOVES | CLIPS | CUTS | FADES | INVITES | LAYS | TURNS;
/** @type {[string, number][]} */
const TELLING = [['display', LAYS], ['float', LAYS], ['visibility', FADES], ['opacity', FADES], ['content-visibility', FADES], ['overflow-x', CLIPS], ['overflow-y', CLIPS],
  ['clip-path', CUTS], ['clip', CUTS], ['text-indent', CUTS], ['transform', TURNS], ['scale', TURNS], ['translate', TURNS], ['rotate', TURNS], ['position', MOVES],
  ['cursor', INVITES], ['pointer-events', INVITES], ['all', ALL_GROUPS]];
const TELLING_TEXT = /display|visib|opacity|overflow|clip|transform|scale|translate|rotate|cursor|pointer|position|float|text-indent|all\s*:/i;

/** The groups that a block of declarations touches. @param {CSSStyleDeclaration} style */
const groupsOf = (style) => {
  let groups = 0;
  for (const [key, group] of TELLING) if ((groups & group) !== group && style.getPropertyValue(key) !== '') groups |= group;
  return groups;
};

/** More selectors than this and styling every element is the cheaper way. */
const SELECTORS_MAX = 48;

/**
 * Collects the selectors of the rules that declare a telling property.
 * @param {CSSRuleList} rules
 * @param {string} outer selector that a nested rule stands in
 * @param {[string, number][]} found selectors and the groups of properties that they declare
 * @returns {boolean} false where they cannot all be known
 */
const collectSelectors = (rules, outer, found) => {
  for (let i = 0; i < rules.length; i++) {
    const rule = /** @type {any} */ (rules[i]);
    let scope = outer;
    if (rule.selectorText !== undefined && rule.style) {
      scope = outer ? rule.selectorText.replaceAll('&', `:is(${outer})`) : rule.selectorText;
      const groups = groupsOf(rule.style);
      if (groups) found.push([scope, groups]);
    } else if (rule.style && outer && TELLING_TEXT.test(rule.cssText)) {
      found.push([outer, ALL_GROUPS]); // declarations nested behind other rules
    } else if (rule.styleSheet) {
      try {
        if (!collectSelectors(rule.styleSheet.cssRules, '', found)) return false;
      } catch {
        return false;
      }
    } else if (rule.cssRules && /^@scope/i.test(rule.cssText)) {
      return false;
    }
    if (rule.cssRules && !collectSelectors(rule.cssRules, scope, found)) return false;
    if (found.length > SELECTORS_MAX) return false;
  }
  return true;
};

/**
 * Marks the elements of a root that a rule, an attribute or an animation could have made special.
 * @param {Document | ShadowRoot} root
 * @param {Walk} walk
 * @returns {boolean} whether the rules could be told apart; if not, every element of this root must be styled
 */
const markStyled = (root, walk) => {
  /** @type {[string, number][]} */
  const selectors = [];
  let known = true;
  for (const sheet of [...root.styleSheets, ...(root.adoptedStyleSheets || [])]) {
    if (sheet.disabled) continue;
    try {
      known = known && collectSelectors(sheet.cssRules, '', selectors);
    } catch {
      known = false; // a sheet of another origin cannot be read
    }
  }
  const host = isShadowRoot(root) ? root.host : null;
  if (host && root.querySelectorAll('[part]').length) known = false;
  for (const [selector, groups] of known ? selectors : []) known = known && markMatches(root, host, selector, groups, walk);
  for (const animation of root.getAnimations ? root.getAnimations() : []) {
    const target = animation.effect && /** @type {KeyframeEffect} */ (animation.effect).target;
    if (target) walk.mark(target, STYLED | ALL_GROUPS);
  }
  return known;
};

/** The selectors of a list, where they are simple enough to be parted by their commas. @param {string} selector */
const partsOf = (selector) => (/[("'\\]/.test(selector) ? [selector] : selector.split(','));

/**
 * @param {Document | ShadowRoot} root @param {Element | null} host @param {string} selector @param {number} groups @param {Walk} walk
 * @returns {boolean} false where the selector reaches what cannot be looked up from here
 */
const markMatches = (root, host, selector, groups, walk) => {
  if (/:host|::slotted|::part/.test(selector)) {
    if (!host || /:host[^,]*[\s>+~]/.test(selector)) return false;
    walk.mark(host, STYLED | ALL_GROUPS);
    for (const child of host.children) walk.mark(child, STYLED | ALL_GROUPS);
    return true;
  }
  try {
    // one by one: a list of selectors keeps the browser from its quick ways
    for (const part of partsOf(selector)) for (const el of root.querySelectorAll(part)) walk.mark(el, STYLED | groups);
    return true;
  } catch {
    return false;
  }
};
