// Plays the only move by itself, for those who want that or where the table does it for everyone: after a pause in which
// the player sees what happens. A key or a touch of the table stops it; then the player makes the move.
import { say } from "../say.js";

const PAUSE_MS = 1200;
let pending = 0;
let considered = null; // the position whose only move was begun, so that it neither begins twice nor comes again

function after(board) {
  const only = board.querySelector("form[data-forced]");
  if (!only || (isPreferred(only) && document.documentElement.dataset.forced !== "self")) return;
  const { position, seq } = board.dataset;
  const again = considered === (position ?? seq);
  if (again && !pending) return;
  clearTimeout(pending);
  considered = position ?? seq;
  only.classList.add("plays-itself");
  if (isPreferred(only)) showNote(board);
  if (!again) say(`${only.textContent.trim()}: your only move, it plays itself. Escape stops it.`);
  pending = setTimeout(() => play(only), PAUSE_MS);
}

function isPreferred(only) {
  return only.dataset.forced === "player";
}

// The same for the eye, with where it is set.
function showNote(board) {
  const note = document.createElement("span");
  note.className = "plays-note";
  note.textContent = " Your only move plays itself. Touch the table to stop it. You can change this under Display.";
  board.querySelector(".prompt")?.append(note);
}

function play(only) {
  pending = 0;
  if (only.isConnected) only.requestSubmit();
}

function stop() {
  if (!pending) return;
  clearTimeout(pending);
  pending = 0;
  document.querySelector(".plays-itself")?.classList.remove("plays-itself");
  document.querySelector(".plays-note")?.remove();
  say("Stopped. Play it when you're ready.");
}

// One that got lost plays itself again once there is a board again.
function unanswered({ elt }) {
  if (elt.matches("[data-forced]")) considered = null;
}

export function start() {
  document.addEventListener("keydown", (event) => event.key === "Escape" && stop());
  document.addEventListener("pointerdown", (event) => event.target.closest?.("#board") && !event.target.closest(".plays-itself") && stop());
  return { after, unanswered };
}
