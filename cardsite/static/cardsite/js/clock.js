// Counts clocks down to the second: <time class="clock" data-deadline="ISO" data-now="ISO">1:30</time>.
// `data-now` is the server's time when it drew the clock, so a wrong clock on this machine does not matter.
const SHORT_SECONDS = 10;
const offsets = new WeakMap();

function offset(clock) {
  if (!offsets.has(clock)) {
    offsets.set(clock, clock.dataset.now ? Date.parse(clock.dataset.now) - Date.now() : 0);
  }
  return offsets.get(clock);
}

function tick() {
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const now = Date.now() + offset(clock);
    const left = Math.max(0, Math.ceil((Date.parse(clock.dataset.deadline) - now) / 1000));
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    const tail = String(seconds).padStart(2, "0");
    const text = hours ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("is-short", left <= SHORT_SECONDS);
  }
}

tick();
setInterval(tick, 250);
document.addEventListener("htmx:afterSwap", tick);
