// Everything on the shop's own pages that moves: the cookie wall, the picker, the checkout.

import "/assets/picker.js";
import { contact } from "/assets/contact.js";

/** Answers the cookie wall and takes it away once the shop has noted the answer. */
for (const button of document.querySelectorAll("[data-consent]")) {
  button.addEventListener("click", async () => {
    const response = await fetch("/consent", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ choice: button.dataset.consent }),
    });
    if (response.ok) document.querySelector(".wall")?.remove();
  });
}

/** The basket's button wakes up when every picker holds a choice. */
const basket = document.querySelector("[data-basket]");
if (basket) {
  const button = basket.querySelector("button");
  const hint = basket.querySelector(".hint");
  basket.addEventListener("change", () => {
    const open = [...basket.querySelectorAll("option-picker")].filter((picker) => !picker.value);
    button.disabled = open.length > 0;
    hint.textContent = open.length ? `Still to choose: ${open.map((p) => p.getAttribute("label").toLowerCase()).join(", ")}.` : "Good choice.";
  });
}

const checkout = document.querySelector("[data-checkout]");
if (checkout) {
  const details = contact(checkout.querySelector("[data-contact]"));
  const address = checkout.querySelector("[data-address]");
  const problems = checkout.querySelector(".problems");

  addEventListener("message", (event) => {
    if (event.origin === location.origin && event.data?.address) {
      address.textContent = `We deliver to ${event.data.address}.`;
    }
  });

  checkout.querySelector("[data-place]").addEventListener("click", async () => {
    problems.hidden = true;
    if (!confirm(`Place this order for ${checkout.dataset.total}?`)) return;
    const response = await fetch("/orders", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        ...details(),
        shipping: checkout.querySelector("[name=shipping]").value,
        terms: checkout.querySelector("[name=terms]").checked,
      }),
    });
    const answer = await response.json();
    if (response.ok) {
      location.assign(answer.page);
    } else {
      problems.textContent = `Not yet: ${answer.missing.join(", ")}.`;
      problems.hidden = false;
    }
  });
}
