// Says that a request of the player's own got no answer: the network lost it, it took too long, or the site failed.
// Other scripts hear of it by an event: document "unanswered", its detail htmx's of the request.
const bar = document.getElementById("unanswered");
const OWN = ["click", "submit", "change"];
const position = () => document.getElementById("board")?.dataset.position;
let saidAt; // the position of the table at which it was said

function say(request, text) {
  saidAt = position();
  bar.textContent = text;
  document.dispatchEvent(new CustomEvent("unanswered", { detail: request }));
}

// htmx tells only the element that sent a request, which may be out of the page by then.
document.addEventListener("htmx:beforeSend", ({ detail: request }) => {
  const { xhr, requestConfig } = request;
  if (requestConfig.verb === "get" && !OWN.includes(requestConfig.triggeringEvent?.type)) return;
  bar.textContent = "";
  for (const end of ["error", "timeout"]) xhr.addEventListener(end, () => say(request, bar.dataset.lost));
  xhr.addEventListener("load", () => request.failed && say(request, bar.dataset.failed));
});

// The table has moved on: either the move did arrive, or it is too late for it.
document.addEventListener("htmx:afterSwap", () => position() !== saidAt && (bar.textContent = ""));
