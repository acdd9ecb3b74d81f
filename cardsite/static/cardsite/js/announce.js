// Says in the live region what has happened: the `data-announce` of a board that has just arrived.
let spoken = document.getElementById("board")?.dataset.announce;

document.addEventListener("htmx:afterSwap", () => {
  const text = document.getElementById("board")?.dataset.announce;
  if (!text || text === spoken) return;
  spoken = text;
  document.getElementById("announce").textContent = text;
});
