// Adds this browser's number to the shuffle of the table: first its commitment, then, once the page lists the commitments
// of all players, the number itself. It is kept by the seal of the table, for the page on which the deals are checked.
import { lasting } from "../storage.js";

const KEY = "shuffles";
const KEPT = 200;
const ANSWER_MS = 5_000;
const AGAIN_MS = [300, 1_000, 2_000];
const REFUSALS = [404, 409, 422];

const keptNumbers = () => JSON.parse(lasting.get(KEY) ?? "{}");

function keep(seal, number) {
  const { [seal]: _, ...others } = keptNumbers();
  const newest = [...Object.entries(others), [seal, number]].slice(-KEPT);
  lasting.set(KEY, JSON.stringify(Object.fromEntries(newest)));
}

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

// The cookie's present token: sitting down as a guest logs you in with a new one while the earlier page is still open.
const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";

// Whether the site has taken it. A lost request is sent again, one that the table refuses is not.
async function post(address, body) {
  for (const wait of [0, ...AGAIN_MS]) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    try {
      const headers = { "X-CSRFToken": token() };
      const answer = await fetch(address, { method: "POST", headers, body, signal: AbortSignal.timeout(ANSWER_MS) });
      if (answer.ok || REFUSALS.includes(answer.status)) return answer.ok;
    } catch {
      // no answer
    }
  }
  return false;
}

async function contribute() {
  const form = document.getElementById("shuffle");
  if (!form) return;
  const { step, seat, commitments } = form.dataset;
  const sent = new FormData(form);
  const seal = sent.get("seal");
  const number = keptNumbers()[seal] ?? { value: hex(crypto.getRandomValues(new Uint8Array(16))) };
  if (number.sent === "reveal" || number.sent === step) return;
  const commitment = await sha256(`${seal}:${number.value}`);
  const all = commitments.split(",");
  if (all[seat] && all[seat] !== commitment) return; // another browser of this player was first
  all[seat] = commitment;
  sent.set("commitment", commitment);
  if (step === "reveal") {
    if (number.saw && number.saw !== all.join()) return; // shown once, it is not shown for other commitments
    number.saw = all.join();
    sent.set("value", number.value);
  }
  keep(seal, number);
  if (await post(form.action, sent)) keep(seal, { ...number, sent: step });
}

// One step after the other, also if the table is open in two tabs. A browser that stores nothing refuses locks, too: then
// those of this page come one after the other.
let last = Promise.resolve();
const inTurn = () => (last = last.then(contribute));
const next = () =>
  document.getElementById("shuffle") && globalThis.crypto?.subtle && navigator.locks.request(KEY, contribute).catch(inTurn);

export function start() {
  document.addEventListener("visibilitychange", next);
  addEventListener("online", next);
  return { after: next };
}
