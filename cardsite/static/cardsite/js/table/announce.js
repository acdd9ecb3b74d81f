// Says in the live region what a board that has just arrived brings: the lines of the log that are new, the end of a hand,
// cards that came into one's own hand, whose turn it is. What was said before is not said again.
// Other scripts speak by an event: new CustomEvent("say", { detail: "10 seconds left." }).
const TOGETHER_MS = 50; // what is said within it is one text, or the later would drown the earlier
const HAND_END = /^Hand \d+: /;
const NO_BOARD = { told: [], moves: 0, cards: new Map() };
const board = () => document.getElementById("board");
const nameOf = (card) => card.querySelector("[role=img]").getAttribute("aria-label");
let before = heard();
let waiting = [];

// What a board has to say.
function heard() {
  if (!board()) return NO_BOARD;
  const { asked = "", told = "", ended = "", call = "", moves, viewer } = board().dataset;
  const cards = viewer === undefined ? [] : board().querySelectorAll(".hand [data-card]");
  return {
    asked, ended, call,
    told: told.split("\n").filter(Boolean),
    moves: Number(moves ?? 0),
    cards: new Map([...cards].map((card) => [card.dataset.card, nameOf(card)])),
  };
}

// The lines that have come to the log, which now and then begins anew.
function newLines({ told, moves, ended }) {
  const played = moves - before.moves;
  if (played < 0) return []; // a move was taken back
  if (!played) return told.at(-1) === before.told.at(-1) ? [] : told.slice(-1);
  const isNew = (count, alike) => alike(told.slice(0, told.length - count), before.told);
  for (let count = played > 1 ? played : 0; count < told.length; count++) if (isNew(count, endAlike)) return told.slice(-count || told.length);
  const isEnd = ended && ended !== before.ended; // its move may have no line of its own
  for (let count = isEnd ? 0 : played; count < told.length; count++) if (isNew(count, lastAlike)) return told.slice(-count || told.length);
  return told;
}

// Who did what is compared, not the cards: a log may forget those that one may no longer look up.
const deed = (line) => line.split(" ", 2).join(" ");

// The end of a hand comes to the log only when it is no news any more.
function endAlike(lines, others) {
  const [one, other] = [lines, others].map((all) => all.filter((line) => !HAND_END.test(line)).map(deed));
  const length = Math.min(one.length, other.length);
  return length >= Math.min(2, other.length) && length > 0 && one.slice(-length).join() === other.slice(-length).join();
}

// A log may also forget whole tricks; then the last line has to do.
function lastAlike(lines, others) {
  return others.length > 0 && deed(lines.at(-1)) === deed(others.at(-1));
}

function newCards(now, lines, isDealt) {
  const fresh = [...now.cards].filter(([id, name]) => !before.cards.has(id) && !lines.some((line) => line.includes(name)));
  const names = (cards) => [...cards].map(([, name]) => name).join(", ");
  if (isDealt || (fresh.length && fresh.length === now.cards.size)) return now.cards.size ? [`Your hand: ${names(now.cards)}.`] : [];
  return fresh.length ? [`New in your hand: ${names(fresh)}.`] : [];
}

function say(text) {
  if (!waiting.length) setTimeout(speak, TOGETHER_MS);
  waiting.push(text);
}

function speak() {
  document.getElementById("announce").replaceChildren(waiting.join(" ").replace(/(^|[.?] )[a-z]/g, (start) => start.toUpperCase()));
  waiting = [];
}

document.addEventListener("say", ({ detail }) => say(detail));

document.addEventListener("htmx:afterSwap", () => {
  const now = heard();
  const lines = newLines(now);
  const changed = (part) => (now[part] && now[part] !== before[part] ? [now[part]] : []);
  const ended = changed("ended");
  const isEnd = ended.length > 0;
  const played = isEnd && lines.length === now.told.length ? [...ended, ...lines] : [...lines, ...ended]; // a new log is of the next hand
  const news = [...changed("asked"), ...played, ...newCards(now, lines, isEnd), ...(isEnd ? [now.call] : changed("call"))];
  before = now;
  if (news.some(Boolean)) say(news.join(" "));
});
