// Marks the visitor's own entry, keeps what is open, scrolled and focused while the page renews itself, opens what an
// address points at, and says in the live region how far the event has come.
import { say } from "../cardsite/js/say.js";

const STOPS = "a[href], button, summary, input, select, [tabindex]";
const marked = () => document.getElementById("event");
const state = () => document.getElementById("event-state")?.querySelector("b")?.textContent ?? "";
let kept = [];
let focused = null;
let said = state();

function markOwn() {
  const own = marked()?.dataset.me;
  if (!own) return;
  for (const element of marked().querySelectorAll(`[data-entry="${own}"]`)) {
    (element.closest(".match") ?? element).classList.add("is-me");
  }
}

// An element without an id is found again as the n-th stop within the nearest one that has an id.
function whereIs(element) {
  const home = element?.closest("#event [id]");
  return home ? { id: home.id, index: [...home.querySelectorAll(STOPS)].indexOf(element) } : null;
}

function focusAgain({ id, index }) {
  const home = document.getElementById(id);
  const stop = index < 0 ? home : home?.querySelectorAll(STOPS)[index];
  if (stop && document.activeElement !== stop) stop.focus({ preventScroll: true });
}

function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.matches("#event details")) target.open = true;
}

document.addEventListener("htmx:beforeSwap", () => {
  kept = [...(marked()?.querySelectorAll("details[id], [id^=draw-]") ?? [])].map(
    ({ id, open, scrollLeft }) => ({ id, open, scrollLeft }),
  );
  focused = whereIs(document.activeElement);
});

document.addEventListener("htmx:afterSwap", () => {
  for (const { id, open, scrollLeft } of kept) {
    const element = document.getElementById(id);
    if (!element) continue;
    if (open !== undefined) element.open = open;
    element.scrollLeft = scrollLeft;
  }
  markOwn();
  showTabs();
  if (focused) focusAgain(focused);
  if (state() !== said) say((said = state()));
});

// The round that is shown may stand beyond the edge of a phone.
function showTabs() {
  for (const tab of document.querySelectorAll("#event .tabs [aria-current]")) {
    const tabs = tab.closest(".tabs");
    tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
  }
}

window.addEventListener("hashchange", openTarget);
markOwn();
showTabs();
openTarget();
