// Says what a board that has just arrived brings: the lines of the log that are new, the end of a hand, cards that came into
// the player's own hand, whose turn it is. What was said before is not said again.
import { say } from "../say.js";
import { boardNews } from "./board_news.js";

const nameOf = (card) => card.querySelector("[role=img]").getAttribute("aria-label");
const named = (cards) => new Map([...cards].map((card) => [card.dataset.card, nameOf(card)]));
let before = null;

function summary(board) {
  const { asked = "", told = "", toldEnds = "", ended = "", call = "", moves, viewer } = board.dataset;
  const ends = new Set(toldEnds.split(" "));
  const cards = viewer === undefined ? [] : board.querySelectorAll(".hand [data-card]");
  return {
    asked, ended, call,
    told: told.split("\n").map((text, index) => ({ text, isHandEnd: ends.has(String(index)) })).filter(({ text }) => text),
    moves: Number(moves ?? 0),
    isUndone: "undone" in board.dataset,
    isShow: board.querySelector("[data-show]") !== null,
    isOver: board.querySelector(".has-result") !== null,
    cards: named(cards),
    open: named(board.querySelectorAll(".middle .zone-row [data-card]")),
    seen: new Set([...board.querySelectorAll(".felt :not(.hand) > .cards [data-card]")].map((card) => card.dataset.card)),
  };
}

// What the page starts with is read where it stands.
function after(board) {
  const now = summary(board);
  const news = before ? boardNews(now, before) : [];
  before = now;
  if (news.length) say(news.join(" "));
}

export const start = () => ({ after });
