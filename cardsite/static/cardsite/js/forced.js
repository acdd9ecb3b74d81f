// Plays the only move by itself, for those who want that: after a pause in which one sees what happens.
const PAUSE_MS = 900;
let pending = 0;

function consider() {
  clearTimeout(pending);
  const only = document.querySelector("#board form[data-forced]");
  if (!only || document.documentElement.dataset.forced !== "self") return;
  pending = setTimeout(() => only.isConnected && only.requestSubmit(), PAUSE_MS);
}

document.addEventListener("htmx:afterSettle", consider);
consider();
