// Counts clocks down to the second: <time class="clock" data-deadline="ISO" data-now="ISO" data-since="ISO">1:30</time>.
// `data-now` is the server's time when it drew the clock, so a wrong clock on this machine does not matter; `data-since` is
// on the reader's own clock, which is said to be short, and whose moves tell how long the board has been before him.
const [MINUTE, HOUR, DAY] = [60, 3600, 86400];
const SHORT_SECONDS = 10;
const SAID_SECONDS = [30, 10];
const read = new WeakSet();
let ahead = null; // milliseconds by which the server's clock is ahead, from the page that came with the least delay
let turn = { since: null };

const own = () => document.querySelector("#board [data-since]");
const now = () => Date.now() + (ahead ?? 0);

function compareClocks() {
  for (const clock of document.querySelectorAll("[data-now]")) {
    if (read.has(clock)) continue;
    read.add(clock);
    ahead = Math.max(ahead ?? -Infinity, Date.parse(clock.dataset.now) - Date.now());
  }
}

// The same as `games.clocks.countdown`.
function words(left) {
  const of = (unit, within = Infinity) => Math.floor((left % within) / unit);
  if (left >= DAY) return `${of(DAY)} d ${of(HOUR, DAY)} h`;
  if (left >= 2 * HOUR) return `${of(HOUR)} h ${of(MINUTE, HOUR)} min`;
  return `${of(MINUTE)}:${String(left % MINUTE).padStart(2, "0")}`;
}

const secondsLeft = (clock) => Math.max(0, Math.ceil((Date.parse(clock.dataset.deadline) - now()) / 1000));

// The turn has been in sight since this page has shown it; one that was on before the page came, since it began.
function noteTurn(isNewPage = false) {
  const clock = own();
  const since = clock?.dataset.since ?? null;
  if (since === turn.since) return;
  const before = clock && isNewPage ? Math.max(0, Date.parse(clock.dataset.now) - Date.parse(since)) : 0;
  turn = { since, seenAt: Date.now() - before, unsaid: clock ? SAID_SECONDS.filter((mark) => secondsLeft(clock) > 1.5 * mark) : [] };
}

function warn(left) {
  const due = turn.unsaid.filter((mark) => left <= mark);
  if (!due.length) return;
  turn.unsaid = turn.unsaid.filter((mark) => left > mark);
  document.dispatchEvent(new CustomEvent("say", { detail: `${left} seconds left.` }));
  document.dispatchEvent(new CustomEvent("clock:short"));
}

function tick() {
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const left = secondsLeft(clock);
    if (clock.textContent !== words(left)) clock.textContent = words(left);
    clock.classList.toggle("is-short", left <= SHORT_SECONDS);
    if (clock === own() && turn.since) warn(left);
  }
}

compareClocks();
noteTurn(true);
tick();
setInterval(tick, 250);

document.addEventListener("htmx:afterSwap", () => {
  compareClocks();
  noteTurn();
  tick();
});

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (turn.since && detail.verb === "post" && detail.path.endsWith("/moves/")) detail.parameters.held = Date.now() - turn.seenAt;
});
