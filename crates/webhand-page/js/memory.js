// @ts-check
// What the reader remembers of its document: each element it numbered, held weakly, and what it was when it was read.

/** @type {WeakMap<Element, number>} */
const idByElement = new WeakMap();
/** @type {Map<number, WeakRef<Element>>} */
const elementById = new Map();
let lastId = 0;

/** @param {Element} el @returns {number} the element's number in this document, given at first sight */
const idOf = (el) => {
  let id = idByElement.get(el);
  if (id === undefined) {
    id = ++lastId;
    idByElement.set(el, id);
    elementById.set(id, new WeakRef(el));
  }
  return id;
};

/** @param {number} id @returns {Element | null} the element, if it still exists (it may be detached) */
const elementOf = (id) => {
  const ref = elementById.get(id);
  return (ref && ref.deref()) || null;
};

/** Elements with a listener that reacts to a person, as the browser told. @type {WeakSet<Element>} */
const listening = new WeakSet();

/** Those whose listeners are for keys. @type {WeakSet<Element>} */
const listeningToKeys = new WeakSet();

/** Elements that listen, and hosts of closed roots, to be gone through. @type {WeakRef<Element>[]} */
let notedRefs = [];

/** @param {Element} el */
const note = (el) => notedRefs.push(new WeakRef(el));

/** What is noted and still there. @returns {Element[]} */
const noted = () => {
  /** @type {Element[]} */
  const there = [];
  const refs = notedRefs.filter((ref) => {
    const el = ref.deref();
    if (el) there.push(el);
    return !!el;
  });
  if (refs.length < notedRefs.length) notedRefs = refs;
  return there;
};

/**
 * A running hash of text, 53 bits (two 32-bit multiply-xor lanes, after the public-domain cyrb53).
 */
class Digest {
  constructor() {
    this.a = 0xdeadbeef | 0;
    this.b = 0x41c6ce57 | 0;
    this.used = false;
    /** Names of buttons: they tell a row from another only where it has no other words. @type {Digest | null} */
    this.names = null;
    this.named = 0;
  }
  /** @param {string} text */
  name(text) {
    this.names = this.names || new Digest();
    this.names.add(text);
    this.named++;
  }
  /** What it tells by, if it tells anything: one lone button is no more than itself. @returns {Digest | null} */
  telling() {
    return this.used ? this : this.named > 1 ? this.names : null;
  }
  /** @param {string} text */
  add(text) {
    let a = this.a;
    let b = this.b;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code <= 32) continue; // where a line ends is no part of what is said
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
    this.a = a;
    this.b = b;
    this.used = true;
  }
  /** Adds what another says. @param {Digest} other */
  take(other) {
    if (other.names) {
      this.names = this.names || new Digest();
      this.names.take(other.names);
      this.named += other.named;
    }
    if (!other.used) return;
    this.a = Math.imul(this.a ^ other.high(), 2654435761);
    this.b = Math.imul(this.b ^ other.low(), 1597334677);
    this.used = true;
  }
  /** 26 bits: numbers this small are printed fastest. */
  high() {
    return (Math.imul(this.b ^ (this.b >>> 16), 2246822507) ^ Math.imul(this.a ^ (this.a >>> 13), 3266489909)) >>> 6;
  }
  /** 27 bits. */
  low() {
    return (Math.imul(this.a ^ (this.a >>> 16), 2246822507) ^ Math.imul(this.b ^ (this.b >>> 13), 3266489909)) >>> 5;
  }
  /** @returns {number} 0 where it tells nothing */
  value() {
    const telling = this.telling();
    return telling ? telling.high() * 134217728 + telling.low() : 0;
  }
}
