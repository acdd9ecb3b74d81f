// The scripts of a table, and the only listener to htmx and to the live stream for its board. The modules below hear of a
// board from here, each exactly once; docs/architecture.md says how one is added. A module has a function
// `start(table)`, which returns the hooks that it wants:
//   before(board, { isPlayed })  another board is about to replace this one; isPlayed: it answers a move that was played
//   after(board)                 this board is on the page now, the first time when the page starts
//   part(board)                  a part of this board was replaced: an explanation, a hint
//   sending(request)             htmx sends a request; its `parameters` may be added to
//   unanswered(request)          a request of the player's own got no answer (unanswered.js)
//   opened(stream), broken()     the live stream is open, or lost
import * as announce from "./announce.js";
import { replaces } from "./board_version.js";
import * as clock from "./clock.js";
import * as coach from "./coach.js";
import * as drag from "./drag.js";
import * as flip from "./flip.js";
import * as forced from "./forced.js";
import * as here from "./here.js";
import * as inSight from "./in_sight.js";
import * as keys from "./keys.js";
import * as lift from "./lift.js";
import * as places from "./places.js";
import * as selection from "./selection.js";
import * as handShow from "./hand_show.js";
import * as shuffle from "./shuffle.js";
import * as sort from "./sort.js";
import * as sounds from "./sounds.js";
import * as workbench from "./workbench.js";

// In this order they hear of a board: the hand is sorted before places are measured, and what can be chosen is known
// before what can be dragged.
const MODULES = [sort, flip, selection, places, workbench, announce, forced, clock, drag, lift, sounds, keys, inSight, here, shuffle, handShow, coach];
const MARGIN_MS = 1_000;
const RETRY_MS = [2_000, 5_000, 10_000, 30_000];
const BUSY = 429;

const hooks = [];
const holds = new Map(); // what a board waits for: the timer of its limit
const waiting = { board: null, notice: null }; // the newest of each: {html, version}, {elt, version}
const board = () => document.getElementById("board");
const versionOf = (element) => Number(element?.dataset.seq);
const isHeld = () => holds.size > 0;
let shown = null; // the board that the modules know
let isPartComing = false;
let fetching = null; // the request for a board that is under way
let failures = 0; // in a row, of such requests

// What a module is given.
export const table = {
  // Boards of the live stream wait for this reason, any value, until it is released, at the longest for `atMost` ms.
  hold(reason, atMost) {
    clearTimeout(holds.get(reason));
    holds.set(reason, setTimeout(() => table.release(reason), atMost));
  },

  // What has waited comes now, unless another reason holds it back.
  release(reason) {
    clearTimeout(holds.get(reason));
    if (holds.delete(reason)) catchUp();
  },

  // Takes hooks in. A script that only some pages with a board have, such as the replay's, calls it by itself.
  join(hook) {
    hooks.push(hook);
    if (shown) hook.after?.(shown);
  },
};

// One that fails must not silence the others.
function tell(name, ...what) {
  for (const hook of hooks) {
    try {
      hook[name]?.(...what);
    } catch (error) {
      reportError(error);
    }
  }
}

// Boards that arrive

const boardIn = (html) => Object.assign(document.createElement("template"), { innerHTML: html }).content.querySelector("#board");

const isNews = (incoming, isOwn) => replaces(versionOf(incoming), versionOf(board()), isOwn);

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { target, serverResponse, requestConfig, xhr } = detail;
  const now = board();
  if (!now) return;
  const isOwn = requestConfig.verb === "post";
  if (target === now && detail.shouldSwap) {
    // Only for what replaces the board itself: a replay and a lesson may well go back.
    const incoming = boardIn(serverResponse);
    detail.isError = !incoming;
    detail.shouldSwap = incoming !== null && isNews(incoming, isOwn);
  }
  if (!detail.shouldSwap) return;
  if (target.contains(now)) tell("before", now, { isPlayed: isOwn && xhr.status === 200 });
  else isPartComing = now.contains(target);
});

// htmx says it of each element that was put in.
document.addEventListener("htmx:afterSwap", () => {
  if (isPartComing) tell("part", board());
  isPartComing = false;
  show();
});

function show() {
  if (!board() || board() === shown) return;
  shown = board();
  tell("after", shown);
}

// A board that htmx has not fetched, or whose place is gone, is put in as an answer would be.
function putIn(html) {
  const target = board();
  if (!isNews(boardIn(html), false)) return;
  tell("before", target, { isPlayed: false });
  htmx.swap(target, html, { swapStyle: "outerHTML" }, { eventInfo: { target } });
}

function bring(html) {
  if (!isHeld()) return putIn(html);
  const version = versionOf(boardIn(html));
  if (!(waiting.board?.version > version)) waiting.board = { html, version };
}

function catchUp() {
  if (isHeld()) return;
  const { board: late, notice } = waiting;
  waiting.board = waiting.notice = null;
  if (late) putIn(late.html);
  if (notice) htmx.trigger(notice.elt, "sse:moved", { data: notice.version });
}

// The live stream

const hearBoard = ({ data }) => bring(data);

document.addEventListener("htmx:sseOpen", ({ detail: { source } }) => {
  source.addEventListener("board", hearBoard);
  tell("opened", source);
});
document.addEventListener("htmx:sseError", () => tell("broken"));

// Requests

const isNotice = (target, trigger) => target?.id === "board" && trigger?.type === "sse:moved";
const isFailed = ({ status }) => status === 0 || status === BUSY || status >= 500;

// A notice that there is a newer version fetches it, unless the page has it already. Most notices that come while the
// player's own move is under way tell of that move, whose answer is the board. So such a notice waits for the answer.
document.addEventListener("htmx:confirm", (event) => {
  const { elt, target, triggeringEvent } = event.detail;
  if (!isNotice(target, triggeringEvent)) return;
  const version = Number(triggeringEvent.detail.data);
  if (isHeld() || fetching) waiting.notice = { elt, version };
  if (isHeld() || fetching || version <= versionOf(board())) event.preventDefault();
});

document.addEventListener("htmx:configRequest", ({ detail }) => tell("sending", detail));

// The request itself says when it has ended: htmx tells the element that sent it, which may be out of the page by then.
document.addEventListener("htmx:beforeSend", ({ detail: { elt, target, xhr, requestConfig } }) => {
  if (target?.id !== "board") return;
  if (requestConfig.verb === "post") {
    table.hold(xhr, htmx.config.timeout + MARGIN_MS);
    xhr.addEventListener("loadend", () => table.release(xhr));
  } else if (isNotice(target, requestConfig.triggeringEvent)) {
    follow(xhr, { elt, version: Number(requestConfig.triggeringEvent.detail.data) });
  }
});

// A move that is sent aborts it (hx-sync); then the notice waits for the move. Where the site fails it is fetched again.
function follow(xhr, notice) {
  fetching = xhr;
  let isAborted = false;
  xhr.addEventListener("abort", () => (isAborted = true));
  xhr.addEventListener("loadend", () => {
    fetching = null;
    const isLost = !isAborted && isFailed(xhr);
    failures = isLost ? failures + 1 : 0;
    if (isAborted || isLost) waiting.notice ??= notice;
    setTimeout(catchUp, isLost ? RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] : 0);
  });
}

// Another board has come while the answer was on its way. htmx would put in the log and the rest, but not the board.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { target, xhr } = event.detail;
  if (target.id !== "board" || target.isConnected || !boardIn(xhr.response)) return;
  event.preventDefault();
  bring(xhr.response);
});

document.addEventListener("unanswered", ({ detail }) => tell("unanswered", detail));

for (const module of MODULES) table.join(module.start(table) ?? {});
show();
