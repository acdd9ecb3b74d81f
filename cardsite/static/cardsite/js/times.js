// Times in the reader's own zone. <time datetime="…Z" data-time="clock | day | long | full | relative | ago | weekday | date | month">text without script</time>
const SHAPES = {
  weekday: { weekday: "short" },
  date: { day: "numeric" },
  month: { month: "short" },
  clock: { timeStyle: "short" },
  day: { weekday: "short", day: "numeric", month: "short" },
  long: { weekday: "long", day: "numeric", month: "long" },
  full: { weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" },
};
const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const WITH_YEAR = ["day", "long", "full"]; // of another year
const MOVING = ["relative", "ago"]; // how long until what is to come, and then "now"; how long since something began
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

function inWords(moment, shape) {
  const until = Math.round((moment - Date.now()) / 1000);
  const seconds = shape === "relative" ? Math.max(0, until) : until;
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? STEPS.at(-1);
  return relative.format(Math.trunc(seconds / size), unit);
}

function options(moment, shape) {
  const isNear = moment.getFullYear() === new Date().getFullYear();
  return WITH_YEAR.includes(shape) && !isNear ? { ...SHAPES[shape], year: "numeric" } : SHAPES[shape];
}

function show(element) {
  const moment = new Date(element.dateTime);
  const shape = element.dataset.time;
  const full = new Intl.DateTimeFormat(undefined, { ...options(moment, "full"), timeZoneName: "short" }).format(moment);
  const text = MOVING.includes(shape) ? inWords(moment, shape) : new Intl.DateTimeFormat(undefined, options(moment, shape)).format(moment);
  if (element.textContent !== text) element.textContent = text;
  element.title = full;
}

function showAll(root = document) {
  root.querySelectorAll("time[data-time]").forEach(show);
}

showAll();
setInterval(() => document.querySelectorAll(MOVING.map((shape) => `time[data-time="${shape}"]`)).forEach(show), 1000);
document.addEventListener("htmx:afterSwap", () => showAll());

// Tells the server the zone, for what counts days (infra/time_zones.py).
const secure = location.protocol === "https:" ? "; secure" : "";
const zone = `zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
const knowsZone = () => document.cookie.split("; ").includes(zone);
const wasKnown = knowsZone();
document.cookie = `${zone}; path=/; max-age=31536000; samesite=lax${secure}`;

// What belongs to a day, data-day="2026-03-01", was chosen without the zone, and comes again if it is another day here.
const made = document.querySelector("[data-day]")?.dataset.day;
const today = new Intl.DateTimeFormat("sv").format(Date.now());
if (made && made !== today && !wasKnown && knowsZone()) location.reload();
