// @ts-check
// Waiting for the state of an element that may be drawn anew meanwhile.

/** A search of the page may take this part of its time. */
const SEARCH_SHARE = 0.2;

/**
 * Waits for a state of the element that was seen: visible, hidden, enabled, disabled, checked, unchecked. One that became
 * another thing has none of them.
 * @param {number} id @param {Seen} seen @param {string} state @param {number} ms
 * @returns {Promise<{held: boolean, miss?: string, now?: any}>}
 */
const awaitSeen = async (id, seen, state, ms) => {
  const until = performance.now() + ms;
  for (;;) {
    const began = performance.now();
    const found = findSeen(id, seen, false);
    const held = 'miss' in found ? state === 'hidden' && /^(gone|hidden)$/.test(found.miss) : isInState(found.listed.s, state);
    const now = performance.now();
    if (held || now >= until) return 'miss' in found ? { held, miss: found.miss, now: found.now } : { held };
    // styles and timers change what is shown without a mutation: look again now and then
    await nextChange(Math.min(until - now, 250));
    await after(Math.min((now - began) / SEARCH_SHARE, Math.max(0, until - performance.now())));
  }
};

/** @param {any} state of an element that is shown @param {string} wanted */
const isInState = (state, wanted) => {
  const checked = state.checked === 'true' || state.pressed === 'true';
  switch (wanted) {
    case 'visible': return true;
    case 'enabled': return !state.disabled;
    case 'disabled': return !!state.disabled;
    case 'checked': return checked;
    case 'unchecked': return !checked;
    default: return false;
  }
};

/** Waits until nothing fades or slides any more that comes to an end by itself. @param {number} ms @returns {Promise<boolean>} */
const awaitRest = async (ms) => {
  const until = performance.now() + ms;
  for (;;) {
    const running = document.getAnimations().filter((one) => one.playState === 'running' && one.effect && Number.isFinite(one.effect.getComputedTiming().endTime));
    const left = until - performance.now();
    if (running.length === 0 || left <= 0) return running.length === 0;
    await Promise.race([Promise.allSettled(running.map((one) => one.finished)), after(left)]);
  }
};

/** Waits for a change of the document. @param {number} ms @returns {Promise<boolean>} whether one came */
const awaitChange = async (ms) => {
  const began = performance.now();
  await nextChange(ms);
  return performance.now() - began < ms;
};
