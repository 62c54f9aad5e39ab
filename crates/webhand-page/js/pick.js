// @ts-check
// Takes data out of the page by a JSON Schema whose parts name their elements: `x-selector` an element (of an array: its rows),
// `x-attribute` an attribute instead of the words. Only what can be seen is taken, and no secret.

/** The most values that are taken. */
const VALUES_MAX = 20_000;
/** Deeper schemas are not followed. */
const SCHEMA_DEPTH_MAX = 30;

/**
 * @typedef {{left: number, sources: [string, number][], several: string[], bad: string}} Picking
 * `sources`: for each value its place and the number of its control; `several`: where one was asked for and more were found
 */

/** All elements that a selector finds in a part of the page, in shadow trees too. @param {Element | Document} scope @param {string} selector @returns {Element[]} */
const allWithin = (scope, selector) => {
  if (scope === document) return searchRoots().flatMap((root) => [...root.querySelectorAll(selector)]);
  const found = [...queryAll.call(/** @type {Element} */ (scope), selector)];
  const hosts = [/** @type {Element} */ (scope), ...queryAll.call(/** @type {Element} */ (scope), '*')];
  for (const host of hosts) {
    const shadow = shadowOf(host);
    // what is in there may have roots of its own
    if (shadow) for (const top of [...shadow.children]) found.push(...(matchesOf.call(top, selector) ? [top] : []), ...allWithin(top, selector));
  }
  return found;
};

/** @param {Element | Document} scope @param {string} selector @param {boolean} seen whether it must be seen @param {Picking} picking */
const picked = (scope, selector, seen, picking) => {
  try {
    const found = allWithin(scope, selector);
    return seen ? found.filter((el) => isTold(el, tagOf(el))) : found;
  } catch {
    picking.bad = picking.bad || selector;
    return [];
  }
};

/** Whether a schema takes anything from the page. @param {any} schema @param {number} depth @returns {boolean} */
const picks = (schema, depth) => !!schema && typeof schema === 'object' && depth < SCHEMA_DEPTH_MAX
  && (typeof schema['x-selector'] === 'string' || typeof schema['x-attribute'] === 'string' || picks(schema.items, depth + 1)
    || Object.values(schema.properties || {}).some((inner) => picks(inner, depth + 1)));

/** The control that an element is, is in or holds. @param {Element} el */
const controlAt = (el) => {
  for (let node = /** @type {Element | null} */ (el); node; node = composedParent(node)) if (isOwnControl(node)) return node;
  return [...queryAll.call(el, 'a[href],button,input,select,textarea')][0] || null;
};

/** What an element says. @param {Element} el @param {any} schema @returns {string | boolean | null} */
const saidBy = (el, schema) => {
  const key = schema['x-attribute'];
  const field = /** @type {HTMLInputElement} */ (el);
  if (key === undefined) {
    if (!/^(input|textarea|select)$/.test(tagOf(el))) return tidy(seenText(el)).toWellFormed();
    if (isSecret(field)) return null;
    return (tagOf(el) === 'select' ? [.../** @type {any} */ (el).selectedOptions].map((option) => option.label).join(', ') : field.value).toWellFormed();
  }
  if (key === 'value' && 'value' in field) return isSecret(field) ? null : String(field.value).toWellFormed();
  if (/^(checked|selected|disabled)$/.test(key) && key in field) return !!(/** @type {any} */ (field)[key]);
  if (isSecret(field) || !has(el, key)) return null;
  if (/^(href|src|action)$/.test(key) && typeof (/** @type {any} */ (el)[key]) === 'string') return /** @type {any} */ (el)[key].toWellFormed();
  return (attr(el, key) || '').toWellFormed();
};

/** @param {any} schema @param {Element | Document} scope @param {string} at @param {Picking} picking @param {number} depth @returns {any} undefined where there is none */
const pickInto = (schema, scope, at, picking, depth) => {
  if (picking.left-- <= 0 || !picks(schema, depth)) return undefined;
  const isArray = schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array')) || !!schema.items;
  if (isArray) {
    const items = schema.items || {};
    const own = typeof schema['x-selector'] === 'string';
    const selector = own ? schema['x-selector'] : items['x-selector'];
    if (typeof selector !== 'string') return undefined;
    const attribute = own ? schema['x-attribute'] : undefined;
    const inner = own ? { ...items, ...(attribute && !items['x-attribute'] ? { 'x-attribute': attribute } : {}) } : { ...items, 'x-selector': undefined };
    const rows = [];
    for (const row of picked(scope, selector, true, picking)) {
      const value = pickFrom(inner, row, `${at}/${rows.length}`, picking, depth + 1);
      if (value !== undefined && value !== null) rows.push(value);
    }
    return rows;
  }
  if (typeof schema['x-selector'] !== 'string') return pickFrom(schema, scope, at, picking, depth);
  const found = picked(scope, schema['x-selector'], schema['x-attribute'] === undefined, picking);
  if (found.length > 1 && !schema.properties) picking.several.push(at);
  return found.length > 0 ? pickFrom({ ...schema, 'x-selector': undefined }, found[0], at, picking, depth) : undefined;
};

/** The same of an element that was found. @param {any} schema @param {Element | Document} el @param {string} at @param {Picking} picking @param {number} depth @returns {any} */
const pickFrom = (schema, el, at, picking, depth) => {
  if (picking.left-- <= 0 || depth > SCHEMA_DEPTH_MAX) return undefined;
  if (schema.items || schema['x-selector']) return pickInto(schema, el, at, picking, depth);
  if (schema.properties) {
    /** @type {Record<string, any>} */
    const data = {};
    for (const [key, inner] of Object.entries(schema.properties)) {
      const value = pickInto(inner, el, `${at}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`, picking, depth + 1);
      if (value !== undefined && value !== null) Object.defineProperty(data, key, { value, enumerable: true, writable: true, configurable: true });
    }
    return Object.keys(data).length > 0 ? data : undefined;
  }
  if (el === document) return undefined;
  const value = saidBy(/** @type {Element} */ (el), schema);
  const control = value === null ? null : controlAt(/** @type {Element} */ (el));
  if (control) picking.sources.push([at, idOf(control)]);
  return value;
};

/**
 * @param {number} id the part of the page; 0 for all of it @param {any} schema
 * @returns {{data: any, sources: [string, number][], several: string[], bad: string, cut: boolean} | null} null where the part is gone
 */
const pick = (id, schema) => {
  const scope = id ? elementOf(id) : document;
  if (!scope || !getIsConnected.call(scope)) return null;
  const picking = { left: VALUES_MAX, sources: /** @type {[string, number][]} */ ([]), several: /** @type {string[]} */ ([]), bad: '' };
  const data = pickInto(schema, scope, '', picking, 0);
  const { sources, several, bad } = picking;
  return { data: data === undefined ? null : data, sources: sources.slice(0, 2000), several: several.slice(0, 20), bad, cut: picking.left <= 0 };
};
