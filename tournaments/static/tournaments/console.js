// Where a pressed button is gone afterwards, the keyboard goes on from the part of the console that it stood in.
const PARTS = "#console-calls, #console-state, #console-live, #console-log";
let part = null;

document.addEventListener("htmx:beforeSwap", () => {
  part = document.activeElement.closest(PARTS)?.id ?? null;
});

document.addEventListener("htmx:afterSettle", () => {
  if (part && document.activeElement === document.body) document.getElementById(part)?.focus({ preventScroll: true });
});
