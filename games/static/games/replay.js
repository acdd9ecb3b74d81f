// A replay by keys, and by itself: left and right step, Home and End go to its ends, Space plays and stops. All of it
// follows the links that are on the page anyway.
import { table } from "../cardsite/js/table/table.js";

const LINKS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
const link = (name) => document.querySelector(`.replay [data-go="${name}"]`);
const at = () => Number(board.dataset.seq);
const slider = () => document.getElementById("replay-slider");
let board = null;
let playing = false;
let timer = null;

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
  const name = LINKS[event.key];
  if (name) {
    event.preventDefault();
    stop();
    link(name).click();
  } else if (event.key === " " && !event.target.closest("button, summary, [tabindex='0']")) {
    event.preventDefault();
    playOrStop();
  }
});

function stop() {
  playing = false;
  goOn();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-play]")) playOrStop();
  else if (event.isTrusted && event.target.closest(".replay [data-go], #replay-moves a")) stop();
});

// The number follows the slider while it is dragged; the board follows when it is let go.
document.addEventListener("input", (event) => {
  if (event.target === slider()) document.getElementById("replay-number").textContent = slider().value;
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
  goOn();
}

table.join({ after, unanswered: stop });
