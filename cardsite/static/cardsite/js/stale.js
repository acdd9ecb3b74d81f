// An answer with an older board than the page has is dropped: a slow reply must not put the table back. What was fetched
// because of a notice is also dropped if it shows nothing newer, so that a refusal stays and no card is drawn twice.
// Only for what replaces the board itself: a replay and a lesson may well go back.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, serverResponse, requestConfig, xhr } = event.detail;
  const present = document.getElementById("board");
  if (target.id === "board" && !target.isConnected) {
    event.detail.shouldSwap = false; // a newer board has come while this answer was on its way
    return;
  }
  if (!present || target !== present || !serverResponse) return;
  const answer = document.createElement("template");
  answer.innerHTML = serverResponse;
  const incoming = answer.content.querySelector("#board");
  if (!incoming) return;
  const newer = Number(incoming.dataset.seq) - Number(present.dataset.seq);
  // The same board may have come by a notice before the answer to the move that made it.
  const isShown = requestConfig.verb === "get" || (xhr.status === 200 && !requestConfig.elt.isConnected);
  if (newer < 0 || (newer === 0 && isShown)) event.detail.shouldSwap = false;
});
