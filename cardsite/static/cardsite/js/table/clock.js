// Counts clocks down to the second: <time class="clock" data-deadline="ISO" data-now="ISO" data-since="ISO">1:30</time>.
// `data-now` is the server's time when it drew the clock, so a wrong clock on this machine does not matter; `data-since` is
// on the reader's own clock, which is said to be short, and whose moves tell how long the board has been in sight.
import { say } from "../say.js";
import { play } from "../sound.js";
import { clockWords } from "./clock_words.js";

const SHORT_SECONDS = 10;
const SET_MS = 1_000; // by which a clock has been set, and does not just drift
const SAID_SECONDS = [30, 10];
const read = new WeakSet();
let ahead = null; // milliseconds by which the server's clock is ahead, from the page that came with the least delay
let offset = null; // of this machine's clock when that was read: another one once it has been set, or has slept
let turn = { since: null };
let own; // the reader's own clock while it runs; undefined until there is a board
const now = () => Date.now() + (ahead ?? 0);
const offsetNow = () => Date.now() - performance.now();

function compareClocks() {
  for (const clock of document.querySelectorAll("[data-now]")) {
    if (read.has(clock)) continue;
    read.add(clock);
    const isComparable = offset !== null && Math.abs(offsetNow() - offset) < SET_MS;
    ahead = Math.max(isComparable ? ahead : -Infinity, Date.parse(clock.dataset.now) - Date.now());
    offset = offsetNow();
  }
}

const secondsLeft = (clock) => Math.max(0, Math.ceil((Date.parse(clock.dataset.deadline) - now()) / 1000));

// The turn has been in sight since this page has shown it; one that was on before the page came, since it began.
function noteTurn(isNewPage) {
  const since = own?.dataset.since ?? null;
  if (since === turn.since) return;
  const before = own && isNewPage ? Math.max(0, Date.parse(own.dataset.now) - Date.parse(since)) : 0;
  turn = { since, seenAt: performance.now() - before, unsaid: own ? SAID_SECONDS.filter((mark) => secondsLeft(own) > 1.5 * mark) : [] };
}

function warn(left) {
  const due = turn.unsaid.filter((mark) => left <= mark);
  if (!due.length) return;
  turn.unsaid = turn.unsaid.filter((mark) => left > mark);
  say(`${left} seconds left.`);
  play("short");
}

function tick() {
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const left = secondsLeft(clock);
    if (clock.textContent !== clockWords(left)) clock.textContent = clockWords(left);
    clock.classList.toggle("is-short", left <= SHORT_SECONDS);
    if (clock === own && turn.since) warn(left);
  }
}

function after(board) {
  const isNewPage = own === undefined;
  own = board.querySelector("[data-since]");
  compareClocks();
  noteTurn(isNewPage);
  tick();
}

function sending({ verb, path, parameters }) {
  if (turn.since && verb === "post" && path.endsWith("/moves/")) parameters.held = Math.round(performance.now() - turn.seenAt);
}

export function start() {
  setInterval(tick, 250);
  return { after, sending };
}
