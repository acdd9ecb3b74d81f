// Choosing a move with the cards themselves. The board lists every move as a form, `.choice[data-touches]`, that works
// without script; here a selection of cards and places narrows the list to the moves that touch all of them.
// A lesson shows no list: any selection can be tried, and only one that means several moves shows these.
import { say } from "../say.js";
import { means } from "./drag_targets.js";

const DOUBLE_TAP_MS = 350;
const SAYS = ".prompt, .show-title, .show-stages"; // what happens now
const ASK_MS = 150;
const ANSWER_MS = 15_000;
const MANY_MOVES = 4; // buttons for more would hide the table
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const selected = new Set();
let lastTap = { pick: null, at: 0 };
let playedAt = -DOUBLE_TAP_MS; // by one tap, which may be the first of two
let focused = null; // what had the focus when the last board came
let known = { marked: "", words: "" }; // what the server says of marked cards
let advice = null;
let tried = null; // in a lesson: what was tried, and at which board
let board = null;

const picks = () => [...board.querySelectorAll(".pick[data-pick]")];
export const choices = () => [...board.querySelectorAll(".choice[data-touches]")];
export const touches = (choice) => choice.dataset.touches.split(" ").filter(Boolean);
export const pickOf = (id) => board.querySelector(`.pick[data-pick="${CSS.escape(id)}"]`);

// A move of marked cards has one form; its boxes follow the selection.
export const selection = () => board.querySelector(".selection");
const boxes = () => [...(selection()?.querySelectorAll("[type=checkbox]") ?? [])];

// Where it is said why something was not played, or could not be, and what a hint is.
const answer = () => document.getElementById("advice");

// Where one may ask why a selection is no move, cards without a move can be chosen too.
export const why = () => board.querySelector("[data-why]");
export const isLesson = () => Boolean(why()?.matches("[data-try]"));
const isQuestion = () => why() && selected.size > 0 && !fitting().length && !canMark(selected);

export const markable = () => boxes().map((box) => box.value);

export function canMark(ids) {
  const allowed = markable();
  return allowed.length > 0 && ids.size <= Number(selection().dataset.high) && [...ids].every((id) => allowed.includes(id));
}

// Where only some cards make a move, those glow that are known to.
const isLikely = (id) => words(selection().dataset.likely ?? id).includes(id);

export const isMarked = () => canMark(selected) && selected.size >= Number(selection().dataset.low);

function fitting(ids = selected) {
  return choices().filter((choice) => {
    const touched = touches(choice);
    return [...ids].every((id) => touched.includes(id));
  });
}

const words = (text) => (text ?? "").split(" ").filter(Boolean);
export const needs = (choice) => (isLesson() ? words(choice.dataset.needs) : touches(choice));
export const anyOf = (choice) => words(choice.dataset.any);

// The moves that touch just what is selected; in a lesson, those that it means.
const exact = () => fitting().filter((choice) => means([...selected], needs(choice), anyOf(choice)));

// An empty place, where cards may be laid.
export const isPlace = (pick) => !pick.querySelector(".card");

// What a lesson shows as buttons: the moves that a selection may mean if they are several, or what a tapped place does.
// The words of a single move would tell a legal selection from others before it is tried.
function readings() {
  const found = exact();
  const areOpen = [...selected].every((id) => pickOf(id)?.matches(".is-open, :not([data-card])"));
  return found.length > 1 || isMarked() || areOpen ? found : [];
}

// A hint names its move, which other moves may share their cards with.
const hint = () => board.querySelector("[data-hint]");
const hinted = () => hint().dataset.hint.split(" ").filter((id) => pickOf(id));
const isHinted = () => hint() && hinted().length === selected.size && hinted().every((id) => selected.has(id));
const isMoveOfHint = (choice) => choice.querySelector('[name="text"]')?.value === hint().dataset.move;

// The one move that Enter plays: the only one that fits, or, of several cards, the only one that touches just these.
// Where none fits, Enter asks why.
function obvious() {
  if (!selected.size) return null;
  if (isLesson()) return obviousInLesson();
  if (isQuestion()) return why();
  const fit = fitting();
  if (!fit.length && isMarked()) return selection();
  if (isHinted()) return fit.find(isMoveOfHint) ?? (isMarked() ? selection() : null);
  if (fit.length === 1) return fit[0];
  if (selected.size === 1) return null; // laying a card is seldom what one means when it could also take something
  return exact().length === 1 ? exact()[0] : null;
}

// Marked cards that the readings spell out have no second button that means the same.
const isMarkedOnly = (said) => isMarked() && !(said?.length && selected.size > 1);

function obviousInLesson() {
  const said = readings();
  const [first, ...others] = [...said, ...(isMarkedOnly(said) ? [selection()] : [])];
  return first ? (others.length ? null : first) : why();
}

// Of many moves those are shown as buttons that need no other card; the melds and cards of the rest glow, to be chosen.
function shown(fit) {
  if (fit.length <= MANY_MOVES) return fit;
  const needsMore = (id) => !selected.has(id) && pickOf(id)?.closest(".zone-meld, .hand");
  return fit.filter((choice) => !touches(choice).some(needsMore));
}

function show() {
  if (board.querySelector("[data-workbench]")) return;
  const fit = fitting();
  const buttons = shown(fit);
  const enter = obvious();
  const said = isLesson() ? readings() : null;
  const legal = new Set(fit.flatMap(touches));
  if (selection()) {
    const canMarkMore = canMark(selected) && selected.size < Number(selection().dataset.high);
    for (const box of boxes()) box.checked = selected.has(box.value);
    if (canMarkMore && [...selected].every(isLikely)) for (const id of markable().filter(isLikely)) legal.add(id);
    selection().classList.toggle("is-offered", isMarkedOnly(said ?? exact()));
    selection().classList.toggle("is-enter", enter === selection());
    const mayFail = isLesson() && "mayFail" in selection().dataset;
    const button = markedButton();
    button.textContent = `${mayFail ? "Try" : button.dataset.verb} ${triedWords()}`;
    sayMarked();
  }
  for (const sent of board.querySelectorAll("[data-picks]")) sent.replaceChildren(...[...selected].map(pickInput));
  if (why()) {
    why().classList.toggle("is-offered", said ? selected.size > 0 && !said.length && !isMarked() : isQuestion());
    why().classList.toggle("is-enter", enter === why());
    if (said) why().querySelector("[data-tried]").textContent = triedWords();
  }
  for (const choice of choices()) {
    const isPlain = touches(choice).every((id) => !pickOf(id));
    const offered = said ? said.includes(choice) : selected.size ? buttons.includes(choice) || (isPlain && isQuestion()) : isPlain || choices().length <= 3;
    choice.classList.toggle("is-offered", offered);
    choice.classList.toggle("is-enter", choice === enter);
  }
  const more = board.querySelector("[data-more]");
  if (more) more.hidden = !selected.size || buttons.length === fit.length;
  for (const pick of picks()) {
    const id = pick.dataset.pick;
    pick.setAttribute("aria-pressed", String(selected.has(id)));
    // In a lesson all places for so many cards show, but not which cards and places they go with.
    const fits = said ? selected.size > 0 && isPlace(pick) && takes(id) : legal.has(id);
    pick.classList.toggle("is-legal", !selected.has(id) && fits);
  }
  board.classList.toggle("has-selection", selected.size > 0);
}

// Whether some move takes as many cards as are selected to this place.
function takes(id) {
  const cards = [...selected].filter((other) => pickOf(other).dataset.card);
  const goesThere = (choice) => choice.dataset.to === id || touches(choice).includes(id);
  return choices().some((choice) => goesThere(choice) && touches(choice).filter((other) => other !== id).length >= cards.length);
}

const markedButton = () => selection().querySelector("[data-marked]");

// What the marked cards make is said by their button as soon as it is known, if it is one move.
async function sayMarked() {
  const url = board.querySelector("[data-selection-url]")?.dataset.selectionUrl;
  const marked = url && "mayFail" in selection().dataset && isMarked() ? `${board.dataset.position} ${[...selected]}` : "";
  if (known.marked !== marked) {
    known = { marked, words: "" };
    await new Promise((resolve) => setTimeout(resolve, marked ? ASK_MS : 0)); // more cards may follow at once
    if (!marked || known.marked !== marked) return;
    const query = new URLSearchParams([...selected].map((id) => ["text", id]));
    const words = await fetch(`${url}?${query}`, { signal: AbortSignal.timeout(ANSWER_MS) })
      .then((answer) => (answer.status === 200 ? answer.text() : ""))
      .catch(() => "");
    if (known.marked === marked) known.words = words;
  }
  const button = selection() && markedButton(); // not on a board that came meanwhile
  if (button && known.marked === marked && known.words) button.innerHTML = known.words;
}

function triedWords() {
  const areCards = [...selected].every((id) => pickOf(id)?.dataset.card);
  return !areCards ? "this" : selected.size === 1 ? "this card" : `these ${selected.size} cards`;
}

function pickInput(id) {
  return Object.assign(document.createElement("input"), { type: "hidden", name: "pick", value: id });
}

export const selectedIds = () => [...selected];

// Just these are chosen from now on.
export function select(ids) {
  selected.clear();
  for (const id of ids) selected.add(id);
  dropAnswer();
  show();
}

// Asks why these make no move; what makes one is left chosen. A place that cannot be chosen is only asked about.
export function askWhy(ids) {
  select(ids);
  if (isQuestion()) play(why());
  else if (isLesson()) tryDropped();
  for (const id of isLesson() ? [] : ids) if (!pickOf(id)) selected.delete(id);
}

// Says in the place of such an answer what the page knows by itself.
export function explain(text) {
  const notice = Object.assign(document.createElement("p"), { className: "notice refusal", textContent: text });
  notice.setAttribute("role", "alert");
  answer()?.replaceChildren(notice);
}

// Cards that were dropped on others are a move if that is all they can be; else more may belong to it.
function tryDropped() {
  if (fitting().length === 1 && exact().length === 1) play(obviousInLesson());
  else why().querySelector("button").focus({ preventScroll: true });
}

export function play(choice) {
  choice.requestSubmit();
}

const isSome = (ids) => fitting(ids).length > 0 || canMark(new Set(ids));

// isMore: Shift or Control says that it joins the others, whatever moves there are.
export function toggle(id, isMore = false) {
  if (selected.has(id)) {
    selected.delete(id);
  } else if (isLesson()) {
    const replaced = isMore || !takesOne(id) ? [] : [...selected].filter((other) => sameZone(pickOf(other), pickOf(id)));
    for (const other of replaced) selected.delete(other);
    selected.add(id);
  } else if (isSome([...selected, id]) || isMeantWith(id) || (isMore && why())) {
    selected.add(id);
  } else if (!selected.size || !isPlace(pickOf(id))) {
    // Nothing joins this card to the others, so it starts a selection of its own.
    selected.clear();
    if (isSome([id]) || why()) selected.add(id);
  }
  dropAnswer();
  show();
}

// No move joins this card to the others, and one wants to know why: unless moves take one card of its place at a time;
// then it stands for the one that was chosen before.
function isMeantWith(id) {
  if (!why() || !selected.size) return false;
  const near = [id, ...selected].filter((other) => sameZone(pickOf(other), pickOf(id)));
  const isOf = (choice) => touches(choice).filter((other) => pickOf(other) && sameZone(pickOf(other), pickOf(id)));
  const joins = (choice) => isOf(choice).length > 1 && isOf(choice).some((other) => near.includes(other));
  const isIdle = (other) => !choices().some((choice) => touches(choice).includes(other));
  return near.length === 1 || (near.every(isIdle) && !takesOne(id)) || choices().some(joins);
}

// Each move with cards of this place takes just one of them.
function takesOne(id) {
  const isHere = (other) => pickOf(other) && sameZone(pickOf(other), pickOf(id));
  const counts = choices().map((choice) => touches(choice).filter(isHere).length);
  const isMarkedHere = boxes().length > 1 && Number(selection().dataset.high) > 1 && boxes().some((box) => isHere(box.value));
  return Math.max(0, ...counts) === 1 && !isMarkedHere;
}

// By key: what the moves are now called, and how they are reached. The card itself says that it is pressed.
export function sayOffered() {
  const [first, ...others] = board.querySelectorAll(".is-offered button");
  if (!selected.size || !document.getElementById("keys")) return;
  const more = board.querySelector("[data-more]:not([hidden])")?.textContent ?? missing();
  if (!first) return more && say(more);
  if (board.querySelector(".is-enter")) say(`${wordsOf(board.querySelector(".is-enter button"))}: press Enter again, or M.`);
  else say(`${others.length ? `${others.length + 1} moves` : wordsOf(first)}: press M. ${more}`);
}

// How many cards still have to be marked for a move.
function missing() {
  const count = canMark(selected) ? Number(selection().dataset.low) - selected.size : 0;
  return count > 0 ? `Select ${count} more ${count === 1 ? "card" : "cards"}.` : "";
}

// The text of a button, with its cards in words.
export function wordsOf(button) {
  const copy = button.cloneNode(true);
  for (const card of copy.querySelectorAll("[role=img]")) card.replaceWith(card.getAttribute("aria-label"));
  return copy.textContent.trim();
}

function dropAnswer() {
  answer()?.replaceChildren();
}

function clear() {
  selected.clear();
  dropAnswer();
  show();
}

// The button of a move goes with the selection, so the focus returns from it to the card.
function letGo() {
  const [first] = selected;
  const isAtMoves = document.activeElement?.closest?.("#board .choices");
  clear();
  if (isAtMoves) pickOf(first)?.focus();
  say("Nothing is selected.");
}

function tap(event) {
  const pick = event.target.closest?.("#board .pick[data-pick]");
  if (!pick || pick.closest("[data-workbench]")) return;
  if (event.timeStamp - playedAt < DOUBLE_TAP_MS) return;
  rove(pick);
  const { pick: id } = pick.dataset;
  const again = lastTap.pick === pick && event.timeStamp - lastTap.at < DOUBLE_TAP_MS;
  const isByKey = event.detail === 0;
  lastTap = { pick: again ? null : pick, at: event.timeStamp };
  if (again && !isByKey && !(isLesson() && selected.size > 1)) return playOnly(id);
  const isFirst = selected.size === 0;
  toggle(id, event.shiftKey || event.ctrlKey || event.metaKey);
  const plays = isFirst && selected.has(id) && !isByKey && document.documentElement.dataset.tap === "play";
  if (plays && playOnly(id, true)) playedAt = event.timeStamp;
  else if (isByKey) sayOffered();
}

// Plays the only move with this card, if there is just one. In a lesson two taps try the card, whatever it is.
function playOnly(id, isByOneTap = false) {
  selected.clear();
  selected.add(id);
  show();
  const fit = fitting();
  const only = fit.length === 1 ? fit[0] : null;
  const played = !isLesson() ? only : isByOneTap ? exact().find((choice) => choice === only) : obviousInLesson();
  if (played) play(played);
  return Boolean(played);
}

// Keys: arrows move among the cards, Space selects, Enter selects and then plays, Escape lets go.

export function rove(pick) {
  for (const other of picks()) other.tabIndex = sameZone(other, pick) ? -1 : other.tabIndex;
  pick.tabIndex = 0;
}

const zoneOf = (pick) => pick.closest("[data-zone], [data-put]");

function sameZone(a, b) {
  return zoneOf(a) === zoneOf(b);
}

function startRoving() {
  const zones = new Set();
  for (const pick of picks()) {
    const zone = zoneOf(pick);
    pick.tabIndex = zones.has(zone) ? -1 : 0;
    zones.add(zone);
  }
}

function neighbour(pick, [dx, dy]) {
  const place = (element) => {
    const rect = element.getBoundingClientRect();
    return [rect.left, rect.top + rect.height / 2];
  };
  const [x, y] = place(pick);
  let best = null;
  let least = Infinity;
  for (const other of picks()) {
    if (other === pick) continue;
    const [ox, oy] = place(other);
    const along = dx * (ox - x) + dy * (oy - y);
    const across = Math.abs(dx ? oy - y : ox - x);
    if (along < 4) continue;
    const distance = along + 3 * across;
    if (distance < least) [best, least] = [other, distance];
  }
  return best;
}

function press(event) {
  if (!board || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape" && selected.size) return letGo();
  const pick = event.target.closest?.("#board .pick[data-pick]");
  if (!pick) return;
  if (ARROWS[event.key]) {
    const next = neighbour(pick, ARROWS[event.key]);
    if (next) {
      rove(next);
      next.focus();
    }
    event.preventDefault();
  } else if (event.key === "Enter" && event.repeat) {
    event.preventDefault(); // held down it is one press: it would play what it has just selected, and then the next card
  } else if (event.key === "Enter" && selected.has(pick.dataset.pick) && !pick.closest("[data-workbench]")) {
    event.preventDefault();
    const enter = obvious();
    if (enter) play(enter);
    else sayOffered();
  }
}

// A new board: what was selected stays if it is still there and still moves; the focus returns to the same card or its
// zone; where nothing can be chosen there, or a button was pressed that is gone, to what says what happens now.

function before(old, { isPlayed }) {
  tried = isPlayed && isLesson() ? { seq: old.dataset.seq, ids: [...selected] } : null;
  if (isPlayed) selected.clear(); // a card that lies on a pile now is no longer what the player had chosen
  const spot = document.activeElement?.closest?.("#board :is(.pick[data-pick], .hand [data-card])");
  const zone = spot ? spot.closest("[data-zone]")?.dataset.zone : focused?.zone;
  focused = document.activeElement?.closest?.("#board") && { id: spot?.dataset.pick ?? spot?.dataset.card, zone };
  advice = { position: old.dataset.position, said: [...(answer()?.children ?? [])] };
}

// What was answered stays as long as the cards lie as they did: a new board may tell of somebody who came or went.
function keepAnswer() {
  const { position, said } = advice ?? {};
  advice = null;
  if (position && position === board.dataset.position && answer()?.children.length === 0) answer().append(...said);
}

function refocus({ id, zone }) {
  const pick = pickOf(id ?? "") ?? board.querySelector(`[data-zone="${CSS.escape(zone ?? "")}"] .pick`);
  const waiting = board.querySelector(`.hand [data-card="${CSS.escape(id ?? "")}"][tabindex]`); // a card that sort.js lets move
  const target = pick ?? waiting ?? [...board.querySelectorAll(SAYS)].find((element) => element.checkVisibility());
  if (pick) rove(pick);
  else target?.setAttribute("tabindex", "-1");
  target?.focus({ preventScroll: true });
}

function after(now) {
  board = now;
  keepAnswer();
  if (tried?.seq === now.dataset.seq && isLesson()) for (const id of tried.ids) selected.add(id); // it was no move
  for (const id of [...selected]) if (!pickOf(id)) selected.delete(id);
  if (hint()) selectHint();
  else if (selected.size && !isSome([...selected]) && !answer()?.children.length) selected.clear();
  startRoving();
  show();
  if (focused && !document.activeElement?.closest?.("#board")) refocus(focused);
}

function selectHint() {
  selected.clear();
  for (const id of hinted()) selected.add(id);
}

// An explanation or a hint has come.
function part() {
  if (hint()) selectHint();
  show();
}

export function start() {
  document.addEventListener("click", tap);
  document.addEventListener("keydown", press);
  document.addEventListener("workbench:drawn", startRoving);
  return { before, after, part };
}
