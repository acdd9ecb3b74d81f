// Whoever closes the waiting page is not called to a table. The page says so by itself when it comes back.
const form = document.querySelector("[data-away]");
window.addEventListener("pagehide", () => navigator.sendBeacon(form.dataset.away, new FormData(form)));
