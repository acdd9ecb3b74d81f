// An answer that is older than the board on the page is dropped: a slow reply must not put the table back.
document.addEventListener("htmx:beforeSwap", (event) => {
  const present = document.getElementById("board");
  if (!present || !event.detail.serverResponse) return;
  const answer = document.createElement("template");
  answer.innerHTML = event.detail.serverResponse;
  const incoming = answer.content.querySelector("#board");
  if (incoming && Number(incoming.dataset.seq) < Number(present.dataset.seq)) event.detail.shouldSwap = false;
});
