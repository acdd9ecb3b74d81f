// Registers the service worker, which shows a page of ours when there is no connection. Browsers have it with HTTPS only,
// and one that refuses it does without.
const script = document.querySelector("script[data-worker]");
addEventListener("load", () => navigator.serviceWorker?.register(script.dataset.worker).catch(() => {}));
