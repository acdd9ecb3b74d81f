// An answer with an older board than the page has is dropped: a slow reply must not put the table back. What was fetched
// because of a notice is also dropped if it shows nothing newer, so that a refusal stays and no card is drawn twice.
// Only for what replaces the board itself: a replay and a lesson may well go back.
const seq = (board) => Number(board?.dataset.seq);
const present = () => document.getElementById("board");

const boardIn = (html) => Object.assign(document.createElement("template"), { innerHTML: html }).content.querySelector("#board");

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, serverResponse, requestConfig, xhr } = event.detail;
  if (!present() || target !== present() || !serverResponse) return;
  const incoming = boardIn(serverResponse);
  if (!incoming) return;
  const newer = seq(incoming) - seq(present());
  // The same board may have come by a notice before the answer to the move that made it.
  const isShown = requestConfig.verb === "get" || (xhr.status === 200 && !requestConfig.elt.isConnected);
  if (newer < 0 || (newer === 0 && isShown)) event.detail.shouldSwap = false;
});

// A board that comes without htmx, or has lost its place, is put in as an answer would be.
function putIn(html, requestConfig, xhr) {
  const target = present();
  const detail = { target, serverResponse: html, shouldSwap: true, requestConfig, xhr };
  htmx.trigger(target, "htmx:beforeSwap", detail);
  if (detail.shouldSwap) htmx.swap(target, html, { swapStyle: "outerHTML" }, { eventInfo: detail });
}

// A board of the live stream waits while your own move is under way, or cards are being dragged.
function bring({ data }) {
  if (isHeld()) heldBoard = data;
  else putIn(data, { verb: "get", elt: present() }, { status: 200 });
}

document.addEventListener("htmx:sseOpen", ({ detail }) => detail.source.addEventListener("board", bring));

// Most notices that one hears while a move of one's own is under way tell of that move, whose answer is the board. So
// such a notice waits for the answer, and nothing is fetched for a version that the page has already.
const moves = new Set();
const reasons = new Set(); // others for which a board waits
const isHeld = () => moves.size > 0 || reasons.size > 0;
let held = null; // the newest notice that waits: {elt, version}
let heldBoard = null; // the newest board that waits

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, target, requestConfig } = event.detail;
  const notice = requestConfig.triggeringEvent;
  if (target?.id !== "board" || notice?.type !== "sse:moved") return;
  const version = Number(notice.detail.data);
  if (isHeld()) held = { elt, version };
  if (isHeld() || version <= seq(present())) event.preventDefault();
});

// The request itself says when it has ended: htmx tells the form that sent it, which may be out of the page by then.
document.addEventListener("htmx:beforeSend", ({ detail: { target, xhr, requestConfig } }) => {
  if (target?.id !== "board") return;
  let isHomeless = false; // another board has come while the answer was on its way
  if (requestConfig.verb === "post") moves.add(xhr);
  xhr.addEventListener("readystatechange", () => {
    if (xhr.readyState === XMLHttpRequest.DONE) isHomeless = !target.isConnected;
  });
  xhr.addEventListener("loadend", () => {
    if (isHomeless && boardIn(xhr.response)) putIn(xhr.response, requestConfig, xhr);
    if (moves.delete(xhr)) release();
  });
});

// htmx would put the log and the rest of such an answer in, and only leave its board out.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { target, xhr } = event.detail;
  if (target.id === "board" && !target.isConnected && boardIn(xhr.response)) event.preventDefault();
});

export function holdBoards(reason) {
  reasons.add(reason);
}

export function releaseBoards(reason) {
  if (reasons.delete(reason)) release();
}

function release() {
  if (isHeld()) return;
  const [notice, board] = [held, heldBoard];
  held = heldBoard = null;
  if (board) bring({ data: board });
  if (notice) htmx.trigger(notice.elt, "sse:moved", { data: notice.version });
}
