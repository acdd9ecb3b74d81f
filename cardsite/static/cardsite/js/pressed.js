// What is pressed stays: a list that refreshes itself waits until the finger is up, or the click on it would be lost.

const OWN = ["click", "submit", "change"]; // what a player asks for is shown at once
const CLICK_MS = 100; // within which a click follows the finger

let pressed = null;
const late = new Map(); // what asked for a refresh that had to wait: its address

addEventListener("pointerdown", (event) => { pressed = event.target; }, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(release, CLICK_MS), true);

document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, target } = event.detail;
  if (requestConfig.verb !== "get" || OWN.includes(requestConfig.triggeringEvent?.type) || !target.contains(pressed)) return;
  event.detail.shouldSwap = false;
  late.set(requestConfig.elt, { path: requestConfig.path, target });
});

function release() {
  pressed = null;
  for (const [source, { path, target }] of late) htmx.ajax("GET", path, { source, target });
  late.clear();
}
