// A list that is put in order: a handle in each row is dragged with any pointer, or moved with the arrow keys while it has
// the focus. `changed` is called after each move.
import { say } from "../cardsite/js/say.js";

const nameOf = (row) => row.dataset.name ?? row.querySelector("b")?.textContent.trim() ?? "";
const placeOf = (row) => [...row.parentElement.children].indexOf(row) + 1;

export function move(row, by) {
  const other = by < 0 ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return false;
  if (by < 0) other.before(row);
  else other.after(row);
  say(`${nameOf(row)}: place ${placeOf(row)}.`);
  return true;
}

export function makeOrderable(list, changed) {
  for (const row of list.children) {
    if (!row.querySelector(".order-handle")) row.prepend(handle(row, changed));
  }
}

function handle(row, changed) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "order-handle";
  button.setAttribute("aria-label", `Move ${nameOf(row)} with the arrow keys`);
  button.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    if (move(row, by)) {
      button.focus();
      changed();
    }
  });
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return; // a menu takes the release to itself
    event.preventDefault();
    button.focus();
    drag(row, changed);
  });
  return button;
}

// The document listens, because a row that is moved loses the pointer that it had captured.
function drag(row, changed) {
  const drop = new AbortController();
  const options = { signal: drop.signal };
  row.classList.add("is-dragged");
  document.addEventListener("pointermove", (event) => follow(row, event.clientY), options);
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(
      end,
      () => {
        drop.abort();
        row.classList.remove("is-dragged");
        changed();
      },
      options,
    );
  }
}

function follow(row, y) {
  for (const other of row.parentElement.children) {
    if (other === row) continue;
    const { top, height } = other.getBoundingClientRect();
    const isBefore = Boolean(other.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (isBefore && y < top + height / 2) return other.before(row);
    if (!isBefore && y > top + height / 2 && y < top + height) return other.after(row);
  }
}
