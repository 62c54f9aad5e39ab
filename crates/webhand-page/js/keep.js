// @ts-check
// What would be lost with the browser: how far the page is scrolled, and what its origin stored.

/** More than so many characters of one store are not kept. */
const KEPT_AT_MOST = 1 << 18;

/** @param {() => Storage} storage that may be forbidden here @returns {[string, string][]} */
const entriesOf = (storage) => {
  try {
    const store = storage();
    /** @type {[string, string][]} */
    const entries = [];
    let length = 0;
    for (let at = 0; at < store.length; at++) {
      const key = store.key(at) ?? '';
      const value = store.getItem(key) ?? '';
      length += key.length + value.length;
      if (length > KEPT_AT_MOST) return [];
      entries.push([key, value]);
    }
    return entries;
  } catch {
    return [];
  }
};

/** A number that is hardly ever the same for two texts. @param {string} text */
const digestOf = (text) => {
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  return digest >>> 0;
};

/**
 * What would be lost; the stores only where they are not those of that digest.
 * @param {number} known
 */
const keepsake = (known) => {
  const local = entriesOf(() => localStorage);
  const session = entriesOf(() => sessionStorage);
  const digest = digestOf(JSON.stringify([location.origin, local, session]));
  const stores = digest === known ? null : { local, session };
  return { url: location.href, origin: location.origin, scroll: [scrollX, scrollY], digest, stores };
};

/** Scrolls the page to where it was. @param {number} x @param {number} y */
const standAt = (x, y) => scrollTo({ left: x, top: y, behavior: 'instant' });
