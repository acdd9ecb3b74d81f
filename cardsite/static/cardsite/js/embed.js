// A page in a frame of another site. Its own links renew it in place, so that Back leaves the page around it, and the
// arrow keys follow those of a replay. A running event is renewed every minute.
import { say } from "./say.js";

const LINKS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
const RENEWED_EVERY_MS = 60_000;
let latest = 0;

async function show(address) {
  const request = ++latest;
  const answer = await fetch(address, { credentials: "omit" }).catch(() => null);
  const text = answer?.ok ? await answer.text() : "";
  if (!text || request !== latest) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  const focused = document.activeElement?.id;
  for (const part of ["main", "footer"]) document.querySelector(part).replaceWith(page.querySelector(part));
  history.replaceState(null, "", address);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  document.dispatchEvent(new Event("htmx:afterSwap")); // the scripts of the page look at what is new
}

async function follow(link) {
  await show(link.href);
  const words = document.querySelector("[data-say]")?.textContent;
  if (words) say(words);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="?"]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  follow(link);
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const link = document.querySelector(`[data-go="${LINKS[event.key]}"]`);
  if (!link) return;
  event.preventDefault();
  follow(link);
});

setInterval(() => {
  if (!document.hidden && document.querySelector("[data-renewed]")) show(location.href);
}, RENEWED_EVERY_MS);
