// A form that takes a seat says whether this browser can add a number to the shuffle (shuffle.js does it at the table).
document.addEventListener("submit", (event) => {
  const field = event.target.querySelector?.("input[name=shuffles]");
  if (field) field.value = globalThis.crypto?.subtle ? "1" : "";
}, true);
