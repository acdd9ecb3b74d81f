// The sounds of what a board brings, and the notice that offers them once.
import { play } from "../sound.js";
import { boardSound } from "./board_sound.js";

let before = null;

function summary(board) {
  const ids = (selector) => new Set([...board.querySelectorAll(`${selector} [data-card]`)].map((card) => card.dataset.card));
  return {
    moves: board.dataset.moves ?? board.dataset.seq,
    isNewTurn: "newTurn" in board.dataset,
    isOver: board.querySelector(".ended") !== null,
    hand: ids(".hand"),
    shared: ids(".middle"),
  };
}

function after(board) {
  const now = summary(board);
  const name = before ? boardSound(now, before) : "";
  if (name) play(name);
  const notice = offerNotice();
  const hasBegun = before && Number(board.dataset.moves) > 0; // with a move: it outlasts the shuffle and the deal
  if (hasBegun && notice && !notice.contains(document.activeElement)) notice.remove();
  if (before && now.isNewTurn && !before.isNewTurn) play("turn");
  before = now;
}

const offerNotice = () => document.querySelector("[data-sound-offer]");

// A choice is a change of the preference (preferences.js). Who does not answer has been asked all the same.
function choose(button) {
  button.dispatchEvent(new Event("change", { bubbles: true }));
  const menu = document.querySelector(`[data-preferences] input[name="sound"][value="${button.value}"]`);
  if (menu) menu.checked = true;
}

function offer() {
  const notice = offerNotice();
  if (!notice) return;
  choose(notice.querySelector("[value=off]"));
  notice.addEventListener("submit", (event) => {
    event.preventDefault();
    choose(event.submitter);
    notice.remove();
    document.getElementById("board").focus({ preventScroll: true });
  });
}

export function start() {
  offer();
  return { after };
}
