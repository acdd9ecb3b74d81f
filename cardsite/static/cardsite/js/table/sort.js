// One's own hand by rank, by suit, with its melds first, or as one lays it: Alt with an arrow moves the card that has the
// focus. How a hand is sorted is kept for its game, the player's own order for this deal; a card that is new comes last. It
// begins as the preference says, which is all there is without script, or as the game suggests: with the melds first where
// it has some. What melds there are the server says.
import { say } from "../say.js";
import { lasting, passing } from "../storage.js";
import { handOrder, isNewHand } from "./hand_order.js";

const ANSWER_MS = 15_000;
const NAMES = { rank: "by rank", suit: "by suit", own: "my order", melds: "with its melds first" };
const key = `hand:${location.pathname}`;
const modeKey = () => `hand-order:${board.dataset.game}`;
const cardsOf = (hand) => [...hand.querySelectorAll(":scope > [data-card]")];
const hand = () => board?.querySelector(".hand .cards");
const idOf = (card) => card.dataset.card;
let board = null;
let dealt = []; // as the server lays them, by rank
let melded = []; // the cards of the melds, as far as they are known
let asked = null; // the hand whose melds have been asked for
let { own, isOwn } = { isOwn: false, ...JSON.parse(passing.get(key) ?? '{"own": []}') };
let preferred = document.documentElement.dataset.order;
let mode = null; // null: as the preference says

const button = () => board?.querySelector("[data-sort]");
const meldsUrl = () => button()?.dataset.meldsUrl;

function chosen() {
  const order = mode ?? preferred;
  if (order === "game") return meldsUrl() ? "melds" : "rank";
  return order === "melds" && !meldsUrl() ? "rank" : order;
}

function arrange() {
  if (!hand()) return;
  askForMelds();
  const compare = handOrder(chosen(), { dealt, melded, own });
  const cards = cardsOf(hand());
  const sorted = cards.toSorted((a, b) => compare(idOf(a), idOf(b)));
  document.documentElement.dataset.order = mode ?? preferred;
  const focus = document.activeElement;
  if (sorted.some((card, place) => card !== cards[place])) hand().append(...sorted);
  if (focus !== document.activeElement) focus.focus({ preventScroll: true });
  letFocus();
  button()?.setAttribute("aria-label", `Sort the hand: now ${NAMES[chosen()]}`);
}

// While the player waits, no card can be chosen, but each can be moved: Tab leads to the hand, arrows from card to card.
function letFocus(current = document.activeElement) {
  const cards = cardsOf(hand());
  if (cards.some((card) => card.matches(".pick"))) return;
  const first = cards.includes(current) ? current : cards[0];
  for (const card of cards) card.tabIndex = card === first ? 0 : -1;
}

function goTo(card) {
  letFocus(card);
  card.focus();
}

async function askForMelds() {
  const now = dealt.join();
  if (chosen() !== "melds" || asked === now) return;
  asked = now;
  const melds = await fetch(meldsUrl(), { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(ANSWER_MS) })
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);
  if (!melds && asked === now) asked = null; // the next board, or press of the button, asks again
  if (!melds || dealt.join() !== now) return;
  melded = melds.melds.flat();
  if (!board.classList.contains("has-selection")) arrange(); // the hand stays while its player chooses
}

const keepOwn = () => passing.set(key, JSON.stringify({ own, isOwn }));

// The player's own order of the cards that are there now; of another deal there is none yet.
function followOwn() {
  const isNew = isNewHand(dealt, own);
  own = isNew ? [] : [...own.filter((id) => dealt.includes(id)), ...dealt.filter((id) => !own.includes(id))];
  isOwn &&= !isNew;
  keepOwn();
}

function keep() {
  isOwn = mode === "own";
  keepOwn();
  if (mode === null) lasting.remove(modeKey());
  else if (!isOwn) lasting.set(modeKey(), mode);
  arrange();
}

function sortNext() {
  const modes = ["rank", "suit", ...(meldsUrl() ? ["melds"] : []), ...(own.length ? ["own"] : [])];
  mode = modes[(modes.indexOf(chosen()) + 1) % modes.length];
  keep();
  say(`Your hand ${NAMES[mode]}.`);
}

function move(card, step) {
  const ids = cardsOf(hand()).map(idOf);
  const from = ids.indexOf(idOf(card));
  const to = from + step;
  if (to < 0 || to >= ids.length) return;
  ids.splice(to, 0, ...ids.splice(from, 1));
  [mode, own] = ["own", ids];
  keep();
  say(`Place ${to + 1} of ${ids.length}.`);
}

// By a drag: the card comes before another one, or last.
export function layBefore(id, next) {
  const ids = cardsOf(hand()).map(idOf).filter((other) => other !== id);
  ids.splice(next === null ? ids.length : ids.indexOf(next), 0, id);
  [mode, own] = ["own", ids];
  keep();
}

function after(now) {
  board = now;
  dealt = hand() ? cardsOf(hand()).map(idOf) : [];
  if (isOwn || own.length) followOwn();
  mode = isOwn ? "own" : lasting.get(modeKey());
  arrange();
}

export function start() {
  document.addEventListener("click", (event) => event.target.closest?.("[data-sort]") && sortNext());
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const card = event.target.closest?.("#board .hand [data-card]");
    if (!step || !card || event.ctrlKey || event.metaKey) return;
    const next = step < 0 ? card.previousElementSibling : card.nextElementSibling;
    if (event.altKey) move(card, step);
    else if (next && !card.matches(".pick")) goTo(next);
    else return;
    event.preventDefault();
  });
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("[data-preferences] [name=order]")) return;
    preferred = target.value;
    mode = null;
    keep();
  });
  document.addEventListener("workbench:drawn", arrange);
  return { after };
}
