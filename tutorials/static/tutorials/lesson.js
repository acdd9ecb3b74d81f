// A small window shows the task or what came of a move, whichever is news; nothing scrolls that is in view already.
document.addEventListener("htmx:afterSettle", () => {
  const lesson = document.getElementById("lesson");
  for (const part of lesson.querySelectorAll(".lesson-say, .notice, .lesson-do")) part.scrollIntoView({ block: "nearest" });
});
