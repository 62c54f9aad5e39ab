// <option-picker label="Colour" options="Sage,Sand">: a radio group in an open shadow root.

const style = `
  fieldset { border: 0; margin: 0 0 1rem; padding: 0; }
  legend { font-weight: 600; margin-bottom: .4rem; padding: 0; }
  div { display: flex; flex-wrap: wrap; gap: .5rem; }
  button { font: inherit; color: inherit; background: #fff; border: 1px solid #d8d2c6; border-radius: 2rem; cursor: pointer;
    padding: .45rem 1rem; display: inline-flex; gap: .5rem; align-items: center; }
  button:hover { border-color: #8a7f6c; }
  button[aria-checked=true] { border-color: #2f5d50; box-shadow: inset 0 0 0 1px #2f5d50; background: #eef4f1; }
  button:focus-visible { outline: 2px solid #2f5d50; outline-offset: 2px; }
  i { width: .9rem; height: .9rem; border-radius: 50%; border: 1px solid #0002; }
`;

const swatches = { Sage: "#9caf88", Sand: "#d9c7a0", Ink: "#2d3142", Clay: "#b5654a", Snow: "#f5f5f2", Moss: "#5f6f52" };

class OptionPicker extends HTMLElement {
  static formAssociated = true;

  #internals = this.attachInternals();
  #value = "";

  get value() {
    return this.#value;
  }

  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    const sheet = document.createElement("style");
    sheet.textContent = style;
    const group = document.createElement("fieldset");
    group.setAttribute("role", "radiogroup");
    const legend = document.createElement("legend");
    legend.id = "label";
    legend.textContent = this.getAttribute("label");
    group.setAttribute("aria-labelledby", "label");
    const row = document.createElement("div");
    for (const option of this.getAttribute("options").split(",")) {
      row.append(this.#choice(option));
    }
    group.append(legend, row);
    root.append(sheet, group);
    root.addEventListener("keydown", (event) => this.#move(event));
  }

  #choice(option) {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("role", "radio");
    button.setAttribute("aria-checked", "false");
    button.dataset.option = option;
    if (this.hasAttribute("swatches")) {
      const dot = document.createElement("i");
      dot.style.background = swatches[option] ?? "#ccc";
      button.append(dot);
    }
    button.append(option);
    button.addEventListener("click", () => this.#choose(button));
    return button;
  }

  #choose(chosen) {
    this.#value = chosen.dataset.option;
    this.#internals.setFormValue(this.#value);
    for (const button of this.shadowRoot.querySelectorAll("button")) {
      button.setAttribute("aria-checked", String(button === chosen));
    }
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }

  #move(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...this.shadowRoot.querySelectorAll("button")];
    const next = all[(all.indexOf(this.shadowRoot.activeElement) + step + all.length) % all.length];
    next.focus();
    this.#choose(next);
  }
}

customElements.define("option-picker", OptionPicker);
