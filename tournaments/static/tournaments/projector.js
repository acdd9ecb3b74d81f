// Scrolls the lists of a projector up and down by themselves, so that all tables are seen without a hand; with less
// motion they change page by page. A list that is longer than its place stays a moment at each end.
const REST = 6_000;
const PIXELS_A_SECOND = 40;
const LONGEST_FRAME_MS = 100; // a page that was in the background goes on where it was
const still = matchMedia("(prefers-reduced-motion: reduce)");
const offsets = new Map();

const lists = () => [...document.querySelectorAll(".projector-list")];

function keep() {
  for (const list of lists()) offsets.set(list.getAttribute("aria-labelledby"), list.scrollTop);
}

function putBack() {
  for (const list of lists()) list.scrollTop = offsets.get(list.getAttribute("aria-labelledby")) ?? 0;
}

function turnPages() {
  for (const list of lists()) {
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 2;
    list.scrollTop = isAtEnd ? 0 : list.scrollTop + list.clientHeight;
  }
}

let last = 0;
let owed = 0; // pixels that are due; lists are scrolled by whole ones
let restsUntil = REST;

function glide(now) {
  owed += (Math.min(now - last, LONGEST_FRAME_MS) / 1000) * PIXELS_A_SECOND;
  const step = Math.floor(owed);
  owed -= step;
  last = now;
  if (!still.matches && now > restsUntil) {
    let isAnyMoving = false;
    for (const list of lists()) {
      const most = list.scrollHeight - list.clientHeight;
      if (list.scrollTop < most - 1) {
        list.scrollTop += step;
        isAnyMoving = true;
      }
    }
    if (!isAnyMoving) {
      restsUntil = now + REST;
      setTimeout(() => lists().forEach((list) => (list.scrollTop = 0)), REST / 2);
    }
  }
  requestAnimationFrame(glide);
}

document.addEventListener("htmx:beforeSwap", keep);
document.addEventListener("htmx:afterSwap", putBack);
setInterval(() => still.matches && turnPages(), REST);
requestAnimationFrame(glide);
