// The address form lives in a frame of its own; it tells the shop, and then the page around it.

const form = document.querySelector("[data-address-form]");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { street, city } = Object.fromEntries(new FormData(form));
  const response = await fetch("/address", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ street, city }),
  });
  if (response.ok) parent.postMessage({ address: `${street}, ${city}` }, location.origin);
});
