// Drag and drop by keys. Space lifts the card that has the focus, with all that are selected; then Up and Down lead through the
// places where they may go, Left and Right also through cards that can come along. Space or Enter drops, Escape puts back.
// A lifted card is a selected one, so that buttons and Enter do what they always do.
import { say } from "../say.js";
import { CHANGED, dim, light, rules } from "./places.js";
import { explain, pickOf, rove, sayOffered } from "./selection.js";

const LONGEST_MS = 8_000; // for which a new board waits
const NAMED_PLACES = 8; // more would take too long to hear
const PILES = ".zone-pile, .zone-column";
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
let table = null;
let board = null;
let lifted = null; // {id, held, places, joins}; `id`: of the card that was lifted first

const pickAt = (target) => target.closest?.("#board .pick[data-pick]");
const nameOf = (element) => (element.getAttribute("aria-label") ? element : element.querySelector("[role=img]")).getAttribute("aria-label");
const byPosition = (one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);
const placeAt = (element) => lifted.places.find((place) => place.element === element);

// What is selected by now is held, if there is a place for it.
function lift(id) {
  const held = rules().chosen();
  const places = held.includes(id) && rules().canHold(id) ? rules().places(held) : [];
  if (!places.length) return end();
  lifted = { id: held.includes(lifted?.id) ? lifted.id : id, held, places, joins: rules().joins(held).map(pickOf) };
  table.hold("lift", LONGEST_MS);
  light(places);
  for (const { element } of places) if (!element.matches(".pick")) element.tabIndex = -1;
  return lifted;
}

function sayLifted() {
  const cards = lifted.held.map((id) => nameOf(pickOf(id))).join(", ");
  const names = placeNames();
  const count = `${names.length} ${names.length === 1 ? "place" : "places"}`;
  say(`${cards} lifted, ${count}${names.length > NAMED_PLACES ? ". The arrow keys lead through them." : `: ${names.join("; ")}.`}`);
}

// A place stands for the cards in it, a pile for the one on top. Which cards the player holds is known.
function placeNames() {
  const elements = lifted.places.map(({ element }) => element.closest(PILES) ?? element);
  const outer = elements.filter((element) => !elements.some((other) => other !== element && other.contains(element)));
  return [...new Set(outer)].map((element) => (element.matches(".hand") ? "your hand" : nameOf(element)));
}

function end() {
  lifted = null;
  dim();
  table.release("lift");
}

function lead(key) {
  const places = lifted.places.map(({ element }) => element);
  const isAcross = key === "ArrowLeft" || key === "ArrowRight";
  const all = [...new Set([...places, ...(isAcross ? lifted.joins : [])])].toSorted(byPosition);
  const step = STEPS[key];
  const at = all.findIndex((element) => element === document.activeElement || byPosition(document.activeElement, element) < 0);
  const isOn = all[at] === document.activeElement;
  const from = at < 0 ? all.length : at;
  const next = all.at((from + (step < 0 || isOn ? step : 0)) % all.length);
  if (next.matches(".pick")) rove(next);
  next.focus();
}

// A board that has waited comes first, and the drop is judged by what is there then.
function drop(id) {
  const { held, id: home } = lifted;
  end();
  if (!held.every(pickOf) || !rules().places(held).some((place) => place.id === id)) return explain(CHANGED);
  pickOf(home).focus({ preventScroll: true }); // the place may be gone afterwards
  rules().drop(held, id, () => {});
}

function putBack() {
  const { id } = lifted;
  end();
  pickOf(id)?.focus();
  say("Put back.");
}

const isPlain = (event) => !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);

function press(event) {
  if (!board || !isPlain(event)) return;
  const place = lifted && placeAt(event.target);
  if (event.key === " " && (place || pickAt(event.target))) event.preventDefault(); // it acts when it is let go: `letGo`
  else if (!lifted) return;
  else if (event.key === "Escape") return putBack(); // others deselect
  else if (event.key === "Enter" && place) drop(place.id);
  else if (STEPS[event.key] && (place || pickAt(event.target))) lead(event.key);
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function letGo(event) {
  if (event.key !== " " || !board || !isPlain(event)) return;
  const place = lifted && placeAt(event.target);
  const pick = pickAt(event.target);
  if (!place && !pick) return;
  event.preventDefault();
  if (place) return drop(place.id);
  const { pick: id } = pick.dataset;
  rove(pick);
  rules().choose(id);
  if (lift(rules().chosen().includes(id) ? id : lifted?.id)) sayLifted();
  else sayOffered();
}

// Who goes elsewhere, to a button of a move, has the cards selected and no longer lifted.
function leave({ target }) {
  if (lifted && !placeAt(target) && !pickAt(target)) end();
}

function after(now) {
  board = now;
  if (!lifted) return;
  const { id, held } = lifted;
  if (held.every((card) => rules().chosen().includes(card)) && lift(id)) return;
  end();
  explain(CHANGED);
}

export function start(given) {
  table = given;
  document.addEventListener("keydown", press, true);
  document.addEventListener("keyup", letGo);
  document.addEventListener("focusin", leave);
  document.addEventListener("pointerdown", () => lifted && end(), true);
  document.addEventListener("submit", () => lifted && end()); // a move was made with what is selected: nothing goes back
  return { after };
}
