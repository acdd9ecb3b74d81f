// A page that was asleep or cut off asks for the newest state when it is back, whatever became of its stream.
function catchUp() {
  if (document.hidden) return;
  for (const part of document.querySelectorAll("[hx-trigger='sse:moved']")) htmx.trigger(part, "sse:moved");
}

window.addEventListener("online", catchUp);
window.addEventListener("pageshow", (event) => event.persisted && catchUp());
document.addEventListener("visibilitychange", catchUp);
