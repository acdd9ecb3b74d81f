// Says, while the game lasts, that the page is open; shows when the connection is lost and when it is back, which other scripts
// hear by the event "connected" of the document.
import { say } from "../say.js";

const SIGN_MS = 10_000;
const LEAST_MS = 8_000; // between two signs
const AGAIN_MS = 2_000;
const ANSWER_MS = 5_000;
const BACK_MS = 3_000;
const SILENT_MS = 25_000; // a stream that has said nothing for so long is dead, whatever the browser believes

const bar = document.getElementById("connection"); // null on other pages with a board
const failing = new Set();
let signedAt = 0;
let stream = null;
let heardAt = Date.now();
let retry = 0;
let broken = 0;
let place; // the seat of the reader, from the first board
let told; // who is not connected, as the board says it

function mark(what, fails) {
  const wasLost = failing.size > 0;
  if (fails) failing.add(what);
  else failing.delete(what);
  if (!wasLost && failing.size) bar.textContent = bar.dataset.lost;
  if (!wasLost || failing.size) return;
  bar.textContent = bar.dataset.back;
  document.dispatchEvent(new Event("connected"));
  setTimeout(() => failing.size || (bar.textContent = ""), BACK_MS);
}

async function sign() {
  const address = bar.dataset.here; // "" where nobody wants to know
  const isCalm = "calm" in bar.dataset; // a page of a game over days may lie open, forgotten
  if (!address || (isCalm && document.hidden) || document.querySelector("#board .ended")) return mark("sign", false);
  signedAt = Date.now();
  try {
    const answer = await fetch(address, { method: "POST", keepalive: true, signal: AbortSignal.timeout(ANSWER_MS) });
    if (answer.status >= 500) throw new Error("what stands before the site answers, not the site");
  } catch {
    mark("sign", true);
    clearTimeout(retry);
    retry = setTimeout(sign, AGAIN_MS);
    return;
  }
  mark("sign", false);
  if (stream && Date.now() - heardAt > SILENT_MS) reopen();
}

function reopen() {
  heardAt = Date.now();
  stream.close();
  stream.dispatchEvent(new Event("error")); // htmx opens another one
}

// A browser slows the timers of a page in the background down, but lets it hear its stream.
function hear() {
  heardAt = Date.now();
  if (heardAt - signedAt > LEAST_MS) sign();
}

function opened(source) {
  stream = source;
  for (const name of ["still", "moved", "board"]) stream.addEventListener(name, hear);
  clearTimeout(broken);
  mark("stream", false);
  heardAt = Date.now();
}

function lost() {
  clearTimeout(broken);
  broken = setTimeout(() => mark("stream", true), AGAIN_MS); // most are back sooner
}

const absentOn = (board) => new Map([...board.querySelectorAll("[data-absent]")].map(({ dataset }) => [dataset.absent, dataset.says]));

function after(board) {
  place ??= board.dataset.place ?? "";
  // A player who sits down on another device, or whose seat is given away, needs the page that goes with it: chat, heartbeats.
  if (place !== (board.dataset.place ?? "")) location.reload();
  const now = absentOn(board);
  if (told) sayChanges(now);
  told = now;
}

// What is new of those who are not connected, or no longer so, is read out.
function sayChanges(now) {
  const news = [...now].filter(([name, says]) => told.get(name) !== says).map(([, says]) => says);
  const back = [...told.keys()].filter((name) => !now.has(name)).map((name) => `${name} is back.`);
  for (const sentence of [...news, ...back]) say(sentence);
}

export function start() {
  if (!bar) return {};
  for (const change of ["online", "offline"]) addEventListener(change, sign);
  document.addEventListener("visibilitychange", () => document.hidden || sign());
  setInterval(sign, SIGN_MS);
  sign();
  return { after, opened, broken: lost };
}
