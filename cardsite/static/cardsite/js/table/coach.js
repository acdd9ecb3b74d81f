// The advice beside each decision of a practice game: once the player has closed it, it comes closed until they open it.
let isClosed = false;

const advice = () => document.querySelector("#advice [data-coach]");

function part() {
  if (advice()) advice().open = !isClosed;
}

export function start() {
  document.addEventListener("click", ({ target }) => {
    const summary = target.closest?.("[data-coach] > summary");
    if (summary) isClosed = summary.parentElement.open; // it closes after the click
  });
  return { part, after: part };
}
