// Checks the deals of a finished table on its page, as verify_deal.py does: the secret against its seal, then each deck
// by the same shuffle.
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

async function check(record, tell) {
  const secret = bytesOf(record.secret);
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const isKept = hexOf(await crypto.subtle.digest("SHA-256", secret)) === record.commitment;
  let wrong = 0;
  for (const [index, deck] of record.decks.entries()) {
    const isRight = (await shuffled(record.pack, key, record.entropy, index + 1)).join() === deck.join();
    wrong += !isRight;
    tell(index + 1, isRight);
  }
  const drawn = await below(record.seats, draws(key, record.entropy, 0));
  return { isKept, wrong, drawn };
}

function sentence(record, { isKept, wrong, drawn }) {
  const secret = isKept ? "The secret is the one that was promised." : "The secret is NOT the one that was promised.";
  const count = record.decks.length;
  const right = count === 1 ? "The deal is as computed." : `All ${count} deals are as computed.`;
  const decks = wrong ? `${wrong} of ${count} deals DIFFER.` : right;
  return `${secret} ${decks} The draw for the first deal names seat ${drawn + 1}; seat ${record.first_dealer + 1} dealt first.`;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-verify]");
  if (!button) return;
  const said = document.getElementById("verified");
  if (!globalThis.crypto?.subtle) {
    said.textContent = "This browser calculates only on pages that come by https. Use the script instead.";
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
    said.textContent = "The record of the deals could not be fetched. Nothing was checked; try again.";
  }
  button.disabled = false;
});
