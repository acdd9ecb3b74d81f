// A replay by keys, and by itself: left and right step, Home and End go to its ends, Space plays and stops. Keys move the
// slider, so that quick presses are counted while the answer to the first is on its way.
import { table } from "../cardsite/js/table/table.js";

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }; // how far each goes
const link = (name) => document.querySelector(`.replay [data-go="${name}"]`);
const at = () => Number(board.dataset.seq);
const slider = () => document.getElementById("replay-slider");
let board = null;
let playing = false;
let timer = null;
let wanted = null; // the move that keys have led to, while its board is not here
let isBusy = false; // until the page has answered and its new slider can ask

function showPlaying() {
  const button = document.querySelector(".replay [data-play]");
  button.textContent = playing ? "❚❚" : "▶";
  button.setAttribute("aria-label", playing ? "Stop" : "Play the moves");
}

function goOn() {
  clearTimeout(timer);
  if (playing && at() >= Number(slider().max)) playing = false;
  if (playing) timer = setTimeout(() => link("next").click(), Number(document.getElementById("replay-speed").value));
  showPlaying();
}

function playOrStop() {
  playing = !playing;
  if (playing && at() >= Number(slider().max)) link("first").click();
  else if (playing) link("next").click();
  else goOn();
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  if (event.key in KEYS) {
    event.preventDefault();
    stop();
    goTo((wanted ?? at()) + KEYS[event.key]);
  } else if (event.key === " " && !event.target.closest("button, summary, [tabindex='0']")) {
    event.preventDefault();
    playOrStop();
  }
});

function goTo(move) {
  wanted = Math.min(Math.max(move, 0), Number(slider().max));
  showNumber(wanted);
  askForWanted();
}

function askForWanted() {
  if (wanted === null || isBusy) return;
  isBusy = true;
  slider().value = wanted;
  slider().dispatchEvent(new Event("change", { bubbles: true }));
}

function stop() {
  playing = false;
  goOn();
}

function unanswered() {
  [wanted, isBusy] = [null, false];
  showNumber(at());
  stop();
}

function showNumber(move) {
  document.getElementById("replay-number").textContent = move;
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-play]")) playOrStop();
  else if (event.isTrusted && event.target.closest(".replay [data-go], #replay-moves a")) stop();
});

// The number follows the slider while it is dragged; the board follows when it is let go.
document.addEventListener("input", (event) => {
  if (event.target === slider()) showNumber(slider().value);
});

function after(now) {
  const isStep = board !== null;
  board = now;
  if (!isStep) return; // the page has marked its move
  for (const line of document.querySelectorAll("#replay-moves .is-last")) {
    line.classList.remove("is-last");
    line.removeAttribute("aria-current");
  }
  const line = document.querySelector(`#replay-moves li[value="${at()}"]`);
  line?.classList.add("is-last");
  line?.setAttribute("aria-current", "step");
  line?.scrollIntoView({ block: "nearest" });
  isBusy = true;
  if (wanted === at()) wanted = null;
  else if (wanted !== null) showNumber(wanted);
  goOn();
}

document.addEventListener("htmx:afterSettle", () => {
  isBusy = false;
  askForWanted();
});
table.join({ after, unanswered });
