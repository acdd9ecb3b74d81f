// The end of a hand, step by step: the cards of a step are lifted, or glide to where they go, the scores and the pegs move
// on, and its sentence is read out. Space or a tap tells the next step, Left goes back, Escape tells the rest at once.
// With less motion, or where a player wants it all at once, the whole list is there; a line that has the focus lifts its cards.
import { say } from "../say.js";
import { passing } from "../storage.js";
import { glideFrom, rectsOf } from "./flip.js";
import { zonesAfter } from "./hand_show_steps.js";

const STEP_MS = { relaxed: 2200, normal: 1400, quick: 800 };
const LONGEST_MS = 14_000; // of a whole count for which other people wait
const PLAYS = "a, button, summary"; // has a use of its own for Space and taps
const TYPES = "input, textarea, select";
const still = matchMedia("(prefers-reduced-motion: reduce)");
let show = null; // the element, null while no hand is shown
let stages = [];
let places = new Map(); // each card with the zone in which it lay first, in order
let step = 0; // how many have been told
let timer = 0;

const preference = (name) => document.documentElement.dataset[name];
const key = () => `show:${location.pathname}`;
const board = () => show.closest("#board");
const isStepwise = () => preference("count") !== "all" && !still.matches;

function after(now) {
  clearTimeout(timer);
  show = now.querySelector("[data-show]");
  if (!show) return;
  stages = [...show.querySelectorAll(".show-stage")];
  places = new Map([...now.querySelectorAll("[data-zone] > .cards > [data-card]")].map((card) => [card, card.parentElement]));
  const known = JSON.parse(passing.get(key()) ?? "{}");
  const isKnown = known.hand === show.dataset.show;
  step = isStepwise() ? (isKnown ? known.step : 0) : stages.length;
  show.classList.toggle("is-stepwise", isStepwise());
  for (const stage of stages) stage.tabIndex = isStepwise() ? -1 : 0;
  lay();
  if (!isKnown && !isStepwise()) say(stages.map((stage) => stage.dataset.say).join(" "));
  goOn();
}

// Brings the table to the step that was told last.
function lay() {
  const current = stages[step - 1];
  stages.forEach((stage, number) => stage.classList.toggle("is-told", number < step));
  stages.forEach((stage) => stage.classList.toggle("is-current", stage === current && isStepwise()));
  endAt(step >= stages.length);
  lift(isStepwise() ? current : null);
  const glide = move();
  count(current ?? show);
  if (isStepwise()) bringIntoSight(counted(current));
  current?.scrollIntoView({ block: "nearest" });
  glide();
  passing.set(key(), JSON.stringify({ hand: show.dataset.show, step }));
}

// The whole count takes more room than a step: what was in sight above it stays there.
function endAt(isOver) {
  const height = show.offsetHeight;
  show.classList.toggle("is-over", isOver);
  if (isStepwise()) scrollBy(0, show.offsetHeight - height);
}

function lift(stage) {
  const cards = new Set(stage?.dataset.cards?.split(" ") ?? []);
  for (const card of places.keys()) card.classList.toggle("is-in-count", cards.has(card.dataset.card));
  board().classList.toggle("counts-cards", cards.size > 0);
}

// What a step speaks of: its cards, or else the points of the first player who scores.
function counted(stage) {
  const before = (stages[stages.indexOf(stage) - 1] ?? show).dataset.totals.split(" ");
  const seat = stage?.dataset.totals.split(" ").findIndex((total, number) => total !== before[number]) ?? -1;
  return board().querySelector(".is-in-count") ?? board().querySelector(`[data-score="${seat}"]`)?.closest(".plate");
}

// A high table is scrolled, and the count, or the whole foot, may lie over what is below the middle.
function bringIntoSight(part) {
  const foot = show.closest(".foot");
  const cover = foot.checkVisibility() && foot.getBoundingClientRect().height ? foot : show.closest(".turn");
  if (!part || cover.contains(part)) return;
  const { top, bottom } = part.getBoundingClientRect();
  if (top < 0 || bottom > cover.getBoundingClientRect().top) part.scrollIntoView({ block: "center" });
}

// Every card goes to where the steps told so far have brought it. The answer lets them glide there, once all is scrolled:
// a card on its way is not yet where it is to be seen.
function move() {
  const zones = zonesAfter(stages.slice(0, step).map(({ dataset }) => dataset));
  const moving = [...places].filter(([card, home]) => card.parentElement !== (zoneOf(zones.get(card.dataset.card)) ?? home));
  const elements = new Map(moving.map(([card]) => [card.dataset.card, card]));
  const rects = rectsOf(elements);
  for (const [card, home] of moving) {
    const to = zoneOf(zones.get(card.dataset.card)) ?? home;
    to.append(card);
    card.classList.toggle("is-arrived", to !== home);
    to.closest(".zone").classList.remove("is-empty", "is-bare");
  }
  return () => glideFrom(rects, elements);
}

const zoneOf = (id) => id && board().querySelector(`[data-zone="${CSS.escape(id)}"] > .cards`);

function count({ dataset }) {
  dataset.totals.split(" ").forEach((total, seat) => {
    const scores = board().querySelectorAll(`[data-score="${seat}"], [data-lane-score="${seat}"]`);
    for (const score of scores) score.textContent = total;
  });
  dataset.pegs?.split(" ").forEach((points, lane) => {
    const [x, y, rearX, rearY] = points.split(",");
    place(board().querySelector(`.lane-${lane} .peg:not(.peg-rear)`), x, y);
    place(board().querySelector(`.lane-${lane} .peg-rear`), rearX, rearY);
  });
}

function place(peg, x, y) {
  peg.setAttribute("cx", x);
  peg.setAttribute("cy", y);
}

// What comes next: another step, or, where other people wait, the next hand.
function goOn() {
  clearTimeout(timer);
  if (step < stages.length) {
    timer = setTimeout(() => tellTo(step + 1), pace());
  } else if ("hasCompany" in show.dataset) {
    timer = setTimeout(() => show?.querySelector("form")?.requestSubmit(), Number(preference("wait")) * 1000);
  }
}

function pace() {
  const usual = STEP_MS[preference("pace")];
  return "hasCompany" in show.dataset ? Math.min(usual, LONGEST_MS / stages.length) : usual;
}

function tellTo(target) {
  const from = step;
  step = Math.max(0, Math.min(target, stages.length));
  lay();
  if (step > from) say(stages.slice(from, step).map((stage) => stage.dataset.say).join(" "));
  if (step === stages.length && step > from) offerNext();
  goOn();
}

// Enter then goes on, unless the player is busy elsewhere on the page.
function offerNext() {
  const focus = document.activeElement;
  if (focus === document.body || board().contains(focus)) show.querySelector("[data-next]")?.focus({ preventScroll: true });
}

function press(event) {
  if (!show?.isConnected || !isStepwise() || event.target.closest(TYPES) || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === " " && !event.target.closest(PLAYS)) tellTo(step + 1);
  else if (event.key === "ArrowLeft") tellTo(step - 1);
  else if (event.key === "Escape" && step < stages.length) tellTo(stages.length);
  else return;
  event.preventDefault();
}

function tap(event) {
  if (!show?.isConnected) return;
  if (event.target.closest("[data-all]")) tellTo(stages.length);
  else if (isStepwise() && event.target.closest(".show") && !event.target.closest(`${PLAYS}, ${TYPES}`)) tellTo(step + 1);
}

export function start() {
  document.addEventListener("keydown", press);
  document.addEventListener("click", tap);
  document.addEventListener("focusin", ({ target }) => {
    if (!show?.isConnected || isStepwise()) return;
    const stage = target.closest?.(".show-stage");
    lift(stage);
    if (stage) bringIntoSight(counted(stage));
  });
  return { after };
}
