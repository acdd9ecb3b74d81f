// Keys of the table, while the focus is on it: some go to a part of it, some read it out, "?" opens the list of all keys.
// Whatever is read out is on the page, where a screen reader finds it, too.
import { say } from "../say.js";
import { withoutTold } from "./board_news.js";
import { choices, pickOf, selectedIds, touches, wordsOf } from "./selection.js";

const OFFERED = ".is-offered button, .bench-bar button:not(:disabled), .asked-do button, .ended-do :is(a, button)";
const ENTER = ".is-enter.is-offered button"; // the move that Enter plays
const PLAIN = ".choices > form button"; // moves without cards, such as declarations
let board = null;
const all = (selector) => [...board.querySelectorAll(selector)];
const label = (element) => element.getAttribute("aria-label");

const READ = {
  h: () => `Your hand: ${all(".hand [data-card] [role=img]").map(label).join(", ") || "no cards"}.`,
  t: () => all(".felt [role=group][data-zone]:not(.hand), .felt [data-meld]").map((place) => `${label(place)}.`).join(" "),
  p: () => all(".plate").map((plate) => `${plate.textContent.replace(/\s+/g, " ").trim()}.`).join(" "),
  w: lastMove,
};
const GO = {
  c: () => board.querySelector('.hand .pick[tabindex="0"]') ?? board.querySelector('.pick[tabindex="0"]'),
  m: () => {
    const place = placeThatMoves();
    return firstInSight(ENTER) ?? firstInSight(OFFERED) ?? firstInSight(PLAIN) ?? place ?? GO.c(); // a card has to be chosen first
  },
};
const firstInSight = (selector) => all(selector).find((button) => button.checkVisibility({ visibilityProperty: true }));

// Some moves need no card of the hand and have no button, such as a draw: they are named, and the first one's place is found.
function placeThatMoves() {
  const isOutside = ([id, ...others]) => !others.length && pickOf(id)?.closest(".hand") === null;
  const isMeant = (choice) => !choice.matches(".is-offered") && isOutside(touches(choice));
  const moves = selectedIds().length ? [] : choices().filter(isMeant);
  if (!moves.length) return null;
  say(`On the table: ${moves.map((choice) => wordsOf(choice.querySelector("button"))).join("; ")}.`);
  return pickOf(touches(moves[0])[0]);
}

function lastMove() {
  const last = board.dataset.told?.split("\n").at(-1) ?? "";
  return [last, withoutTold(board.dataset.call, [last])].filter(Boolean).join(" ");
}

function press(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || !event.target.closest?.("#board")) return;
  if (event.target.closest("input, select, textarea")) return;
  const key = event.key.toLowerCase();
  if (key === "?") document.getElementById("keys").togglePopover();
  else if (READ[key]) say(READ[key]());
  else if (GO[key]) GO[key]()?.focus();
  else return;
  event.preventDefault();
}

// The way past the head of the page leads to a card, so that the arrows work at once.
function skipToCards(event) {
  const card = event.target.closest?.('[href="#board"]') && GO.c();
  if (!card) return;
  event.preventDefault();
  card.focus();
}

// The list has the focus while it is open, so that it is read out; when it closes, the card has it again.
function enterList({ target, newState }) {
  if (target.id === "keys" && newState === "open") target.focus();
}

// Only on pages that list the keys.
export function start() {
  if (!document.getElementById("keys")) return {};
  document.addEventListener("toggle", enterList, true);
  document.addEventListener("keydown", press);
  document.addEventListener("click", skipToCards);
  return { after: (now) => (board = now) };
}
