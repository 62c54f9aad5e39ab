// The contact fields, drawn anew from their state with every keystroke, as view libraries without keys do: each letter
// replaces the very field it was typed into.

const fields = [
  { name: "name", label: "Your name", type: "text" },
  { name: "email", label: "Email", type: "email" },
];

/**
 * Draws the fields into a place and keeps them up to date.
 * @param {HTMLElement} place
 * @returns {() => Record<string, string>} what stands in them
 */
export function contact(place) {
  const state = { name: "", email: "" };

  function draw() {
    const active = place.contains(document.activeElement) ? document.activeElement : null;
    const focus = active && { name: active.name, caret: active.type === "text" ? active.selectionStart : null };
    place.replaceChildren(...fields.map(field), preview());
    if (!focus) return;
    const again = place.querySelector(`[name=${focus.name}]`);
    again.focus();
    if (focus.caret !== null) again.setSelectionRange(focus.caret, focus.caret);
  }

  function field({ name, label, type }) {
    const wrap = document.createElement("label");
    wrap.className = "field";
    const input = Object.assign(document.createElement("input"), { name, type, value: state[name], autocomplete: "off" });
    input.addEventListener("input", () => {
      state[name] = input.value;
      draw();
    });
    wrap.append(label, " ", input);
    return wrap;
  }

  function preview() {
    const line = document.createElement("p");
    line.className = "hint";
    line.textContent = state.name ? `The parcel will say: ${state.name}` : "The parcel will carry your name.";
    return line;
  }

  draw();
  return () => ({ ...state });
}
