// The form of an event: tie-breaks as a list to tick and to put in order, in place of the field with their codes.
import { makeOrderable, move } from "./order.js";

function start() {
  for (const list of document.querySelectorAll(".tie-break-list[hidden]")) show(list);
}

function show(list) {
  const field = document.getElementById(list.dataset.codesFor);
  const write = () => {
    const chosen = [...list.children].filter((row) => row.querySelector("input").checked);
    field.value = chosen.map((row) => row.dataset.code).join(", ");
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };
  field.type = "hidden";
  document.getElementById(`${field.id}_helptext`)?.setAttribute("hidden", "");
  list.hidden = false;
  makeOrderable(list, write);
  list.addEventListener("change", write);
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-move]");
    if (button && move(button.closest("li"), Number(button.dataset.move))) {
      button.focus();
      write();
    }
  });
}

document.addEventListener("htmx:afterSettle", start);
start();
