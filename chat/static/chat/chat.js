// The chat: the newest line stays in sight, and lines that came while the side column was closed leave a mark on the
// button that opens it. A screen reader hears them all the same.
import { say } from "../cardsite/js/say.js";
import { play } from "../cardsite/js/sound.js";
import { passing } from "../cardsite/js/storage.js";

const side = document.getElementById("side");
const chat = () => document.getElementById("chat");
const key = `chat:${location.pathname}`;
const newest = () => Number(document.getElementById("chat-newest")?.value ?? 0);
const isShown = () => Boolean(chat()?.checkVisibility());

function read() {
  const list = document.getElementById("chat-lines");
  if (!list || !isShown()) return mark();
  list.scrollTop = list.scrollHeight;
  passing.set(key, newest());
  mark();
}

function mark() {
  const seen = Number(passing.get(key) ?? 0);
  const isNews = [...document.querySelectorAll("#chat-lines > :not([data-own])")].some((line) => Number(line.dataset.line) > seen);
  document.body.classList.toggle("has-chat-news", isNews);
}

function tell(line) {
  play("chat");
  if (!isShown()) say(`Chat: ${line.querySelector("b").textContent}: ${line.querySelector("span").textContent}`);
}

document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id !== "chat-lines" && target.id !== "chat") return;
  const last = target.querySelector("[data-line]:last-of-type:not([data-own])");
  if (last && Number(last.dataset.line) === newest()) tell(last);
  read();
});
side?.addEventListener("toggle", read);
read();
