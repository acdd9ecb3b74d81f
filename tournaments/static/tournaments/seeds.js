// Seeds by drag, or with the arrow keys: the numbers follow, and "Save order" stores them.
import { makeOrderable } from "./order.js";

const list = document.getElementById("seed-order");

if (list) {
  makeOrderable(list, () => {
    [...list.children].forEach((row, index) => (row.querySelector(".seed-number").value = index + 1));
  });
}
