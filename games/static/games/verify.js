// Checks the deals of a finished table on its page, as verify_deal.py does: the secret against its seal, each player's
// number against its commitment, each deck by the same shuffle, and what this browser has kept (shuffle.js) against both.
import { lasting } from "../cardsite/js/storage.js";

const WORD = 2 ** 32;
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

// 32-bit numbers that belong to deal `number`.
async function* draws(key, entropy, number) {
  for (let counter = 0; ; counter += 1) {
    const text = new TextEncoder().encode(`${entropy}|${number}|${counter}`);
    const block = new DataView(await crypto.subtle.sign("HMAC", key, text));
    for (let start = 0; start < block.byteLength; start += 4) yield block.getUint32(start);
  }
}

// One of 0 ... bound - 1, each equally likely.
async function below(bound, numbers) {
  const limit = WORD - (WORD % bound);
  for (;;) {
    const { value } = await numbers.next();
    if (value < limit) return value % bound;
  }
}

async function shuffled(pack, key, entropy, number) {
  const deck = [...pack];
  const numbers = draws(key, entropy, number);
  for (let last = deck.length - 1; last > 0; last -= 1) {
    const other = await below(last + 1, numbers);
    [deck[last], deck[other]] = [deck[other], deck[last]];
  }
  return deck;
}

const sha256 = async (bytes) => hexOf(await crypto.subtle.digest("SHA-256", bytes));

async function isCommitted(seal, { commitment, value }) {
  return !commitment || !value || (await sha256(new TextEncoder().encode(`${seal}:${value}`))) === commitment;
}

async function check(record, tell) {
  const secret = bytesOf(record.secret);
  const entropy = record.contributions.map(({ value }) => value).join();
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const isKept = (await sha256(secret)) === record.seal;
  const fits = await Promise.all(record.contributions.map((seat) => isCommitted(record.seal, seat)));
  let wrong = 0;
  for (const [index, deck] of record.decks.entries()) {
    const isRight = (await shuffled(record.pack, key, entropy, index + 1)).join() === deck.join();
    wrong += !isRight;
    tell(index + 1, isRight);
  }
  const drawn = await below(record.contributions.length, draws(key, entropy, 0));
  return { isKept, areCommitted: fits.every(Boolean), wrong, drawn };
}

function dealerSentence({ first_dealer: dealer, first_dealer_by: by }, drawn) {
  if (by !== "draw") return `Seat ${dealer + 1} dealt first. It was not drawn.`;
  if (dealer === drawn) return `Seat ${dealer + 1} dealt first, as drawn.`;
  return `Seat ${dealer + 1} dealt first, but seat ${drawn + 1} was DRAWN.`;
}

function sentence(record, { isKept, areCommitted, wrong, drawn }) {
  const secret = isKept ? "The secret fits its seal." : "The secret does NOT fit its seal.";
  const numbers = areCommitted ? "Each number fits its commitment." : "A number does NOT fit its commitment.";
  const count = record.decks.length;
  const right = count === 1 ? "The deal is as computed." : `All ${count} deals are as computed.`;
  const decks = wrong ? `${wrong} of ${count} deals DIFFER.` : right;
  return `${secret} ${numbers} ${decks} ${dealerSentence(record, drawn)}`;
}

// What this browser added to the shuffle of this seal (shuffle.js keeps it), null if it added nothing.
function ownNumber(seal) {
  return JSON.parse(lasting.get("shuffles") ?? "{}")[seal] ?? null;
}

// What the site has published, compared with what this browser kept: the sentence, and whether it is an alarm.
async function compare({ value, saw, sent }, seal, contributions) {
  const commitment = await sha256(new TextEncoder().encode(`${seal}:${value}`));
  const own = contributions.find((seat) => seat.commitment === commitment);
  if (saw && own?.value && saw !== contributions.map((seat) => seat.commitment).join())
    return [`This browser added ${value}, but the commitments are NOT the ones it saw before it revealed its number.`, true];
  if (own?.value === value) return [`This browser added ${value}, and it is in the shuffle.`, false];
  if (sent === "reveal" || (sent && !own))
    return [`This browser added ${value} and the site took it, but it is NOT in the shuffle.`, true];
  return [`This browser made ${value}, but it didn't reach the site in time. It is not in the shuffle.`, false];
}

async function showOwn() {
  const said = document.getElementById("own-number");
  const own = ownNumber(said.dataset.seal);
  if (!own || !globalThis.crypto?.subtle) return;
  if (!said.dataset.record) {
    said.textContent = `This browser made ${own.value} for this table. When the game is over, this page compares it with the shuffle.`;
    return;
  }
  document.getElementById("own-options").textContent = ` --mine ${own.value}${own.saw ? ` --saw ${own.saw}` : ""}`;
  const { seal, contributions } = await (await fetch(said.dataset.record)).json();
  const [words, isAlarm] = await compare(own, seal, contributions);
  said.textContent = words;
  said.classList.add("notice");
  said.classList.toggle("error", isAlarm);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-verify]");
  if (!button) return;
  const said = document.getElementById("verified");
  if (!globalThis.crypto?.subtle) {
    said.textContent = "This browser can only check the deals on an HTTPS page. Use the script instead.";
    return;
  }
  button.disabled = true;
  said.textContent = "Calculating.";
  try {
    const record = await (await fetch(button.dataset.verify)).json();
    const tell = (number, isRight) => {
      document.querySelector(`[data-deck="${number}"]`).textContent = isRight ? "as computed" : "DIFFERS";
    };
    said.textContent = sentence(record, await check(record, tell));
  } catch {
    said.textContent = "The deals could not be loaded, so nothing was checked. Please try again.";
  }
  button.disabled = false;
});

showOwn().catch(() => {
  document.getElementById("own-number").textContent =
    "What this browser added could not be compared with the shuffle. Please load this page again.";
});
