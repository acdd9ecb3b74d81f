// Left and right step through a replay, Home and End go to its ends, by the links that are on the page anyway.
const LINKS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const name = LINKS[event.key];
  if (!name || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const link = document.querySelector(`.replay [data-go="${name}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
