// Says that a request got no answer: the network lost it, it took too long, or the site failed or refused it. What the
// player asked for can be asked for again; what takes a while is said, too. A board that was fetched because of a notice is
// fetched again by table/table.js.
// Other scripts hear of the player's own by an event: document "unanswered", its detail htmx's of the request.
const bar = document.getElementById("unanswered");
const OWN = ["click", "submit", "change"];
const SLOW_MS = 1_000;
const REASONS = { 0: "lost", 403: "forbidden", 404: "gone", 410: "gone", 429: "busy" };
const position = () => document.querySelector("[data-position]")?.dataset.position;
let saidAt; // the position of the table at which it was said
let slow = 0; // the timer of the player's request that is under way

const isOwn = ({ verb, triggeringEvent }) => verb !== "get" || OWN.includes(triggeringEvent?.type);

function say(request) {
  const { requestConfig, xhr } = request;
  const reason = REASONS[xhr.status] ?? "failed";
  saidAt = position();
  if (!isOwn(requestConfig)) return (bar.textContent = bar.dataset[reason === "gone" ? "gone" : "stale"]);
  bar.textContent = bar.dataset[reason];
  document.dispatchEvent(new CustomEvent("unanswered", { detail: request }));
}

// The site has answered with a whole page that is not put in here (cardsite.web.htmx_pages).
const isKeptOut = ({ xhr }) => xhr.getResponseHeader("HX-Reswap") === "none";

function heard(request) {
  if (request.failed || isKeptOut(request)) return say(request);
  if (bar.textContent === bar.dataset.stale) bar.textContent = "";
}

// Also what is pressed meanwhile, and dropped, is answered by it.
function watch({ requestConfig, elt, xhr }) {
  if (!OWN.includes(requestConfig.triggeringEvent?.type)) return;
  clearTimeout(slow);
  const text = elt.closest(".lesson") ? bar.dataset.checking : bar.dataset.sending;
  slow = setTimeout(() => (bar.textContent = text), SLOW_MS);
  xhr.addEventListener("loadend", endWatch);
}

function endWatch() {
  clearTimeout(slow);
  if ([bar.dataset.checking, bar.dataset.sending].includes(bar.textContent)) bar.textContent = "";
}

// htmx tells only the element that sent a request, which may be out of the page by then.
document.addEventListener("htmx:beforeSend", ({ detail: request }) => {
  const { xhr, requestConfig, target } = request;
  watch(request);
  if (isOwn(requestConfig)) bar.textContent = "";
  else if (target?.id !== "board") return;
  for (const end of ["error", "timeout"]) xhr.addEventListener(end, () => say(request));
  xhr.addEventListener("load", () => heard(request));
});

// Once the page says that the connection is back, it no longer says that the site did not answer.
document.addEventListener("connected", () => bar.textContent === bar.dataset.lost && (bar.textContent = ""));

// The table has moved on: either the move did arrive, or it is too late for it.
document.addEventListener("htmx:afterSwap", () => position() !== saidAt && (bar.textContent = ""));
