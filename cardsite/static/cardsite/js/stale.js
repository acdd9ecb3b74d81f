// An answer with an older board than the page has is dropped: a slow reply must not put the table back. What was fetched
// because of a notice is also dropped if it shows nothing newer, so that a refusal stays and no card is drawn twice.
// Only for what replaces the board itself: a replay and a lesson may well go back.
const seq = (board) => Number(board?.dataset.seq);
const present = () => document.getElementById("board");

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, serverResponse, requestConfig, xhr } = event.detail;
  if (target.id === "board" && !target.isConnected) {
    event.detail.shouldSwap = false; // a newer board has come while this answer was on its way
    return;
  }
  if (!present() || target !== present() || !serverResponse) return;
  const answer = document.createElement("template");
  answer.innerHTML = serverResponse;
  const incoming = answer.content.querySelector("#board");
  if (!incoming) return;
  const newer = seq(incoming) - seq(present());
  // The same board may have come by a notice before the answer to the move that made it.
  const isShown = requestConfig.verb === "get" || (xhr.status === 200 && !requestConfig.elt.isConnected);
  if (newer < 0 || (newer === 0 && isShown)) event.detail.shouldSwap = false;
});

// A board that comes over the live stream is put in as an answer would be. While a move of one's own is under way it waits.
function bring({ data }) {
  if (moves.size) {
    heldBoard = data;
    return;
  }
  const target = present();
  const detail = { target, serverResponse: data, shouldSwap: true, requestConfig: { verb: "get", elt: target }, xhr: { status: 200 } };
  htmx.trigger(target, "htmx:beforeSwap", detail);
  if (detail.shouldSwap) htmx.swap(target, data, { swapStyle: "outerHTML" }, { eventInfo: detail });
}

document.addEventListener("htmx:sseOpen", ({ detail }) => detail.source.addEventListener("board", bring));

// Most notices that one hears while a move of one's own is under way tell of that move, whose answer is the board. So
// such a notice waits for the answer, and nothing is fetched for a version that the page has already.
const moves = new Set();
let held = null; // the newest notice that waits: {elt, version}
let heldBoard = null; // the newest board that waits

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, target, xhr, requestConfig } = event.detail;
  if (target?.id !== "board") return;
  if (requestConfig.verb === "post") moves.add(xhr);
  const notice = requestConfig.triggeringEvent;
  if (notice?.type !== "sse:moved") return;
  const version = Number(notice.detail.data);
  if (moves.size) held = { elt, version };
  if (moves.size || version <= seq(present())) event.preventDefault();
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!moves.delete(event.detail.xhr) || moves.size) return;
  const [notice, board] = [held, heldBoard];
  held = heldBoard = null;
  if (board) bring({ data: board });
  if (notice) htmx.trigger(notice.elt, "sse:moved", { data: notice.version });
});
