// The sounds of what a board brings.
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
  if (before && now.isNewTurn && !before.isNewTurn) play("turn");
  before = now;
}

export const start = () => ({ after });
