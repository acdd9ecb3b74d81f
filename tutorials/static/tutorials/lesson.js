// What a lesson adds to its board: what came of an answer is brought into sight and read out, and "Next" leads to the title.
import { say } from "../cardsite/js/say.js";

let shown = document.getElementById("lesson");

// A text as it is heard: pictures and suit signs by their names.
function spoken(element) {
  const copy = element.cloneNode(true);
  for (const sign of copy.querySelectorAll("[role=img]")) sign.replaceWith(sign.getAttribute("aria-label"));
  return copy.textContent.replace(/\s+/g, " ").trim();
}

// A right answer moves the focus to "Next", past its reason. What is wrong is an alert, which is read out as it is.
document.addEventListener("htmx:afterSwap", () => {
  const lesson = document.getElementById("lesson");
  if (lesson === shown) return;
  shown = lesson;
  for (const verdict of lesson.querySelectorAll(".because[role=status], .notice.success")) say(spoken(verdict));
});

// A small window shows the task or what came of a move, whichever is news; nothing scrolls that is in view already.
document.addEventListener("htmx:afterSettle", ({ target }) => {
  const lesson = document.getElementById("lesson");
  if (!lesson.contains(target)) return; // a notice of the site
  for (const part of lesson.querySelectorAll(".lesson-say, .notice, .lesson-do")) part.scrollIntoView({ block: "nearest" });
});

// "Next" leads past the list of steps to the title of this one, once the browser has gone to the address's #lesson.
addEventListener("load", () => {
  if (location.hash !== "#lesson") return;
  const title = document.querySelector("#lesson .lesson-title");
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
});
