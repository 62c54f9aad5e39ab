// A controlled field, as the well-known frameworks make it: the field shows what the state says, the state changes only
// by an `input` event whose value differs from the one last known, and the value that scripts set is tracked.
function controlled(field, change = text => text) {
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
  let tracked = own.get.call(field);
  const state = { text: tracked, inputs: 0, trusted: true };
  Object.defineProperty(field, "value", {
    configurable: true,
    get() { return own.get.call(this); },
    set(text) { tracked = String(text); own.set.call(this, text); },
  });
  field.addEventListener("input", event => {
    const now = own.get.call(field);
    if (now === tracked) return;
    tracked = now;
    state.inputs++;
    state.trusted &&= event.isTrusted;
    state.text = change(now, state.text);
    if (state.text !== now) { tracked = state.text; own.set.call(field, state.text); }
  });
  return state;
}
