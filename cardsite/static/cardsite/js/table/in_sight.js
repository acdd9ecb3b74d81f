// What gets the focus by key is brought out from below the foot, which lies over a high table: a browser scrolls only to what
// is outside the window.
function showFocused({ target }) {
  const foot = target.closest?.("#board")?.querySelector(".foot");
  if (!foot || foot.contains(target) || !target.matches(":focus-visible")) return;
  const { top: edge, height } = foot.getBoundingClientRect();
  const { top, bottom } = target.getBoundingClientRect();
  if (height && bottom > edge) scrollBy(0, (top + bottom - edge) / 2);
}

export function start() {
  document.addEventListener("focusin", showFocused);
}
