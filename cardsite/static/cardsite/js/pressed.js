// What is pressed stays: a list that refreshes itself waits until the click on it is over, or that click would be lost.
// A board does not wait: it may come without a request, and table/table.js says which one is shown.

const OWN = ["click", "submit", "change"]; // what a player asks for is shown at once
const MENU = 2; // the button of the mouse that opens a menu
const CLICK_MS = 100; // within which a click follows the finger, or there is none

let pressed = null;
let end = null; // the timer of it
const late = new Map(); // what asked for a refresh that had to wait: its address

function press({ target, button }) {
  if (button === MENU) return; // its menu takes the release to itself
  clearTimeout(end);
  pressed = target;
}

const endIn = (ms) => () => {
  clearTimeout(end);
  end = setTimeout(release, ms);
};

addEventListener("pointerdown", press, true);
addEventListener("pointerup", endIn(CLICK_MS), true);
addEventListener("pointercancel", endIn(0), true);
addEventListener("click", endIn(0), true);

document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, target } = event.detail;
  if (requestConfig.verb !== "get" || target.id === "board" || !target.contains(pressed)) return;
  if (OWN.includes(requestConfig.triggeringEvent?.type)) return;
  event.detail.shouldSwap = false;
  late.set(requestConfig.elt, { path: requestConfig.path, target });
});

function release() {
  pressed = null;
  const getLost = () => {}; // the next refresh shows it
  for (const [source, { path, target }] of late) htmx.ajax("GET", path, { source, target }).catch(getLost);
  late.clear();
}
