// Drag and drop. A drag is a selection made by hand: it chooses the card that is held and the place under it, and the
// same functions as for taps and keys say which moves fit (places.js). Nothing moves on the page itself; the next board, or
// the workbench, does that.
import { glideBack, startFrom } from "./flip.js";
import { CHANGED, dim, light, rules } from "./places.js";
import * as selection from "./selection.js";
import { layBefore } from "./sort.js";

const START_PX = { mouse: 6, pen: 6, touch: 10 }; // less is a tap
const NEAR_PX = 24; // from a target that the cards do not touch
const EDGE_PX = 48; // of the window, where it scrolls
const SCROLL_PX = 12; // a frame
const LONGEST_MS = 8_000; // for which a new board waits
const NOT_NOW = "It's not your turn.";
// Cards that can be chosen; while others move, also those of the player's own hand, to lay them in another order.
const HOLDS = '.pick[data-pick], [data-turn="other"] .hand .spot[data-card]';
const ownHand = () => board.querySelector(".hand");
const idOf = ({ dataset }) => dataset.pick ?? dataset.card;
const cardOf = (id) => selection.pickOf(id) ?? ownHand()?.querySelector(`[data-card="${CSS.escape(id)}"]`);
const canHold = (card) => card.matches(".spot") || rules().canHold(card.dataset.pick);
let table = null;
let board = null;
let drag = null;
let landed = null; // the image of cards that were dropped, until the next board shows them
let isClickOfDrag = false;

function press(event) {
  const pick = event.target.closest?.(HOLDS);
  if (!pick?.closest("#board") || drag || !event.isPrimary || event.button !== 0 || !canHold(pick)) return;
  drag = { pointer: event.pointerId, kind: event.pointerType, id: idOf(pick), from: [event.clientX, event.clientY] };
}

function follow(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (!event.buttons) return cancel(); // a menu that opened on the press took the release to itself
  drag.at = [event.clientX, event.clientY];
  const [x, y] = [drag.at[0] - drag.from[0], drag.at[1] - drag.from[1]];
  if (!drag.ghost && Math.hypot(x, y) < (START_PX[drag.kind] ?? START_PX.touch)) return;
  if (!drag.ghost) lift();
  event.preventDefault();
  if (!drag.frame) drag.frame = requestAnimationFrame(draw);
}

// The cards leave the hand: what was selected comes along.
function lift() {
  const { id } = drag;
  const pick = cardOf(id);
  pick.setPointerCapture(drag.pointer);
  const chosen = rules().chosen();
  drag.held = chosen.includes(id) ? chosen : [id];
  drag.rect = pick.getBoundingClientRect();
  drag.ghost = ghostOf(drag.held);
  table.hold("drag", LONGEST_MS);
  aim();
}

function ghostOf(held) {
  const ghost = document.createElement("div");
  ghost.className = "drag-ghost";
  ghost.popover = "manual";
  ghost.setAttribute("aria-hidden", "true");
  for (const id of held) {
    const pick = cardOf(id);
    const face = (pick.querySelector(".card") ?? pick).cloneNode(true);
    face.removeAttribute("role");
    face.style.width = `${pick.querySelector(".card")?.getBoundingClientRect().width ?? drag.rect.width}px`;
    ghost.append(face);
    pick.classList.add("is-lifted");
  }
  document.body.append(ghost);
  ghost.showPopover();
  return ghost;
}

// What may be dropped on, with its place on the screen.
function aim() {
  drag.targets = rules().places(drag.held);
  light(drag.targets);
  measure();
}

function measure() {
  drag.picks = [...board.querySelectorAll(".pick[data-pick]")]
    .filter((pick) => !pick.closest(".hand") && !drag.held.includes(pick.dataset.pick))
    .map((element) => ({ element }));
  for (const place of [...drag.targets, ...drag.picks]) place.rect = place.element.getBoundingClientRect();
}

// Where the cards are held now.
function heldRect() {
  const { rect, at: [x, y], from } = drag;
  const [left, top] = [rect.left + x - from[0], rect.top + y - from[1]];
  return { left, top, right: left + rect.width, bottom: top + rect.height };
}

function draw() {
  drag.frame = 0;
  const [x, y] = drag.at;
  const held = heldRect();
  drag.ghost.style.translate = `${held.left}px ${held.top}px`;
  const over = targetAt(x, y, held);
  if (!over && !drag.isOver && !isOverHand(x, y) && scrollAtEdge(y)) {
    measure();
    drag.frame = requestAnimationFrame(draw);
  }
  if (over?.element === drag.over?.element) return;
  drag.over?.element.classList.remove("is-over");
  over?.element.classList.add("is-over");
  drag.over = over;
}

const isOverHand = (x, y) => underneath(x, y, "#board .hand") !== null;

// A held card at the edge of the window scrolls the page, unless it is where it may be dropped.
function scrollAtEdge(y) {
  const before = scrollY;
  if (y < EDGE_PX) scrollBy(0, -SCROLL_PX);
  else if (y > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
  return scrollY !== before;
}

const middleOf = ({ left, top, right, bottom }) => [(left + right) / 2, (top + bottom) / 2];
const area = ({ left, top, right, bottom }) => Math.max(0, right - left) * Math.max(0, bottom - top);

function overlap(one, other) {
  return area({
    left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom),
  });
}

// The card or pile of the table that the held cards cover most, if it is more than half of it.
function coveredBy(held) {
  const covers = ({ rect }) => overlap(held, rect) > Math.min(area(held), area(rect)) / 2;
  return drag.picks.filter(covers).sort((one, other) => overlap(held, other.rect) - overlap(held, one.rect))[0]?.element ?? null;
}

// The target that is covered, else the one that the cards overlap most, else the nearest one to the pointer. A card counts
// before the place in which it lies: a drop on one that does not fit means that card; on a workbench it means the place.
function targetAt(x, y, held) {
  const covered = coveredBy(held);
  const exact = drag.targets.find(({ element }) => element === covered);
  if (exact) return exact;
  let best = null;
  let most = 0;
  for (const target of drag.targets) {
    const { rect } = target;
    const away = Math.hypot(Math.max(rect.left - x, 0, x - rect.right), Math.max(rect.top - y, 0, y - rect.bottom));
    const weight = overlap(held, rect) || (away <= NEAR_PX ? 1 - away / NEAR_PX : 0);
    if (weight > most) [best, most] = [target, weight];
  }
  return best && (!best.element.contains(covered) || "put" in best.element.dataset) ? best : null;
}

const underneath = (x, y, selector) => document.elementsFromPoint(x, y).map((element) => element.closest(selector)).find(Boolean) ?? null;

function drop(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (!drag.ghost) return (drag = null);
  cancelAnimationFrame(drag.frame);
  drag.at = [event.clientX, event.clientY];
  drag.isOver = true;
  draw();
  isClickOfDrag = true;
  setTimeout(() => (isClickOfDrag = false));
  const { held } = drag;
  const target = drag.over?.id;
  table.release("drag"); // a board that has waited comes first, and the drop is judged by what lies there then
  const isThere = held.every(cardOf) && (!target || rules().places(held).some(({ id }) => id === target));
  if (!isThere) return giveBack(CHANGED);
  const below = underneath(...drag.at, "#board [data-zone]");
  if (target) return leave(target);
  if (below && below === ownHand() && held.length === 1 && below.contains(cardOf(held[0]))) return lay(held[0]);
  const place = below ?? underneath(...middleOf(heldRect()), "#board [data-zone]");
  const on = coveredBy(heldRect())?.dataset.pick ?? (place === ownHand() ? null : place?.dataset.zone);
  giveBack();
  if (on && !held.includes(on)) refuse([...held, on]);
}

// Says why a drop is no move.
function refuse(ids) {
  if (selection.why()) selection.askWhy(ids);
  else if (board.dataset.turn === "other") selection.explain(NOT_NOW);
}

// What does not stay there glides back.
function leave(target) {
  rules().drop(drag.held, target, land);
  if (drag) giveBack();
}

// The player's own order: the card goes where it was let go.
function lay(id) {
  const [x, y] = drag.at;
  const others = [...ownHand().querySelectorAll("[data-card]")].filter((card) => card.dataset.card !== id);
  let nearest = null;
  let least = Infinity;
  for (const pick of others) {
    const rect = pick.getBoundingClientRect();
    const [dx, dy] = [x - rect.left - rect.width / 2, y - rect.top - rect.height / 2];
    const distance = Math.abs(dx) + 2 * Math.abs(dy);
    if (distance < least) [nearest, least] = [{ pick, isAfter: dx > 0 }, distance];
  }
  end();
  if (!nearest) return;
  const next = nearest.isAfter ? nearest.pick.nextElementSibling : nearest.pick;
  layBefore(id, next?.dataset.card ?? null);
}

// The cards stay where they were dropped until the next board shows them there.
function land() {
  for (const id of drag.held) startFrom(id, drag.ghost.getBoundingClientRect());
  const { ghost, held } = drag;
  drag.ghost = null;
  end();
  for (const id of held) selection.pickOf(id)?.classList.add("is-lifted");
  landed = ghost;
}

function takeLanded() {
  if (!landed) return;
  landed.remove();
  landed = null;
  for (const pick of board.querySelectorAll(".is-lifted")) pick.classList.remove("is-lifted");
}

function giveBack(why = "") {
  const { ghost, rect } = drag;
  const to = cardOf(drag.id)?.getBoundingClientRect() ?? rect;
  drag.ghost = null;
  end();
  if (why) selection.explain(why);
  glideBack(ghost, to);
}

function end() {
  cancelAnimationFrame(drag.frame);
  drag.ghost?.remove();
  for (const element of board.querySelectorAll(".is-lifted")) element.classList.remove("is-lifted");
  dim();
  drag = null;
  table.release("drag");
}

function cancel() {
  if (drag?.ghost) giveBack();
  drag = null;
}

function after(now) {
  board = now;
  takeLanded();
  markSources();
  if (!drag || drag.isOver) return;
  const card = cardOf(drag.id);
  // A board that came although cards are held: the targets are those of the new one.
  if (drag.ghost && card) aim();
  else if (!card?.matches("[data-drag]")) cancel();
}

// Cards that can be picked up do not scroll the page under the finger.
function markSources() {
  for (const card of board.querySelectorAll(HOLDS)) card.toggleAttribute("data-drag", canHold(card));
}

function escape(event) {
  if (event.key !== "Escape" || !drag) return;
  event.stopImmediatePropagation();
  cancel();
}

function dropClick(event) {
  if (!isClickOfDrag) return;
  event.stopPropagation();
  event.preventDefault();
}

export function start(given) {
  table = given;
  document.addEventListener("pointerdown", (event) => (drag && event.pointerId !== drag.pointer ? cancel() : press(event)));
  document.addEventListener("pointermove", follow);
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", (event) => event.pointerId === drag?.pointer && cancel());
  addEventListener("blur", cancel);
  addEventListener("scroll", () => drag?.ghost && measure(), { passive: true });
  document.addEventListener("keydown", escape, true);
  document.addEventListener("click", dropClick, true);
  document.addEventListener("workbench:drawn", takeLanded);
  return { after, unanswered: takeLanded };
}
