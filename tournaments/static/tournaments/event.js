// Marks the visitor's own entry, and keeps what he has scrolled or opened while the page renews itself.
const marked = () => document.getElementById("event");
let kept = [];

function markOwn() {
  const own = marked()?.dataset.me;
  if (!own) return;
  for (const element of marked().querySelectorAll(`[data-entry="${own}"]`)) {
    (element.closest(".match") ?? element).classList.add("is-me");
  }
}

document.addEventListener("htmx:beforeSwap", () => {
  kept = [...(marked()?.querySelectorAll("details[id], [id^=draw-]") ?? [])].map(
    ({ id, open, scrollLeft }) => ({ id, open, scrollLeft }),
  );
});

document.addEventListener("htmx:afterSwap", () => {
  for (const { id, open, scrollLeft } of kept) {
    const element = document.getElementById(id);
    if (!element) continue;
    if (open !== undefined) element.open = open;
    element.scrollLeft = scrollLeft;
  }
  markOwn();
});

markOwn();
