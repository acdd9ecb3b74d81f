// Which cards can be held, where they may go and what it means to leave them there: the same for a drag (drag.js) and for keys
// (lift.js). For moves on offer the selection knows it; a workbench says it itself, with the same functions.
//   canHold(id)             the card or place can be picked up
//   chosen(), choose(id)    the ids that are selected; selects or deselects one
//   places(held)            where they may go: [{ id, element }]
//   joins(held)             cards that may be held together with them
//   drop(held, id, land)    leaves them there; calls `land` first if they stay there
import { means, resolve, sources, targets } from "./drag_targets.js";
import * as selection from "./selection.js";

export const CHANGED = "The table has changed. Your card is back in your hand.";
let board = null;
let bench = null;

export const useBench = (given) => (bench = given);
export const rules = () => bench ?? offers;

// The moves as the pure part knows them, each with its form.
function moves() {
  return selection.choices().map((form) => ({
    form,
    touches: selection.touches(form),
    to: form.dataset.to ?? "",
    needs: selection.needs(form),
    anyOf: selection.anyOf(form),
  }));
}

// A move of marked cards ends where its form says; any of its cards may be picked up.
function markedTo(held) {
  const form = selection.selection();
  return form?.dataset.to && selection.canMark(new Set(held)) ? form.dataset.to : "";
}

const elementOf = (id) => selection.pickOf(id) ?? board.querySelector(`[data-zone="${CSS.escape(id)}"]`);

// A lesson does not show which cards and places go together: its cards may go to any empty place, and on any card, where
// a drop selects both (drag.js).
function emptyPlaces() {
  const empty = [...board.querySelectorAll(".pick[data-pick]")].filter(selection.isPlace);
  return empty.map((element) => ({ id: element.dataset.pick, element }));
}

const offers = {
  canHold: (id) => sources(moves()).has(id) || markedTo([id]) !== "" || Boolean(selection.pickOf(id)?.closest(".hand")),
  chosen: selection.selectedIds,
  choose: selection.toggle,

  places(held) {
    const to = markedTo(held);
    const ids = new Set([...targets(moves(), held), ...(to ? [to] : [])]);
    const found = [...ids].map((id) => ({ id, element: elementOf(id) })).filter(({ element }) => element);
    return selection.isLesson() ? [...found.filter(({ element }) => !element.matches(".pick")), ...emptyPlaces()] : found;
  },

  joins: (held) => (markedTo(held) ? selection.markable().filter((id) => !held.includes(id) && markedTo([...held, id])) : []),

  drop(held, id, land) {
    if (markedTo(held) === id) {
      selection.select(held);
      if (!selection.isMarked()) return;
      land();
      return selection.play(selection.selection());
    }
    const meant = resolve(moves(), held, id);
    // In a lesson a drop completes no move: what is missing is for the learner to add.
    const isWhole = ({ needs, anyOf, to }) => means([...held, id], needs, to === id ? [] : anyOf);
    if (meant.length === 1 && (!selection.isLesson() || isWhole(meant[0]))) {
      land();
      selection.select([]);
      return selection.play(meant[0].form);
    }
    selection.select([...held, ...(selection.pickOf(id) ? [id] : [])]);
    if (selection.isLesson()) return selection.askWhy(selection.selectedIds());
    meant[0]?.form.querySelector("button").focus({ preventScroll: true });
  },
};

// The places glow while cards are held; empty ones that are left out show then.
export function light(places) {
  dim();
  board.classList.add("has-drag");
  for (const { element } of places) element.classList.add("is-drop");
}

export function dim() {
  for (const element of board.querySelectorAll(".is-drop")) element.classList.remove("is-drop", "is-over");
  board.classList.remove("has-drag");
}

export const start = () => ({ after: (now) => (board = now) });
