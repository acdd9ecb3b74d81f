// What waits for the reader shows in the title of the tab and in its icon: notices, the own turn, a game that has begun in
// a tab that nobody looks at. The page says so as well, so nothing of it is read out.
const TURN = "Your turn · ";
const BEGUN = "Your game has started · ";
const title = document.title.replace(TURN, "");
const icon = document.querySelector('link[rel="icon"]');
const plain = icon.getAttribute("href");

function happening() {
  const { turn, moves } = document.querySelector("[data-turn]")?.dataset ?? {};
  if (turn === "own") return TURN;
  return turn && moves === "0" && document.hidden ? BEGUN : "";
}

function show() {
  const { count, shown } = document.querySelector(".news-list").dataset;
  const now = happening();
  document.title = `${count === "0" ? "" : `(${shown}) `}${now}${title}`;
  const waits = count !== "0" || (now && document.hidden);
  icon.setAttribute("href", waits ? icon.dataset.waiting : plain);
}

document.addEventListener("htmx:afterSwap", show);
document.addEventListener("visibilitychange", show);
show();
