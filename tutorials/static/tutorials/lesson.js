// A small window shows the task or what came of a move, whichever is news; nothing scrolls that is in view already.
document.addEventListener("htmx:afterSettle", () => {
  const lesson = document.getElementById("lesson");
  for (const part of lesson.querySelectorAll(".lesson-say, .notice, .lesson-do")) part.scrollIntoView({ block: "nearest" });
});

// "Next" leads past the list of steps to the title of this one, once the browser has gone to the address's #lesson.
addEventListener("load", () => {
  if (location.hash !== "#lesson") return;
  const title = document.querySelector("#lesson .lesson-title");
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
});
