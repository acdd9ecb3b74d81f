// FLIP: cards glide from where they were to where they are. Places are noted before a swap and compared after it, by
// `data-card`. All motion of cards is made here; other modules glide cards by `rectsOf` and `glideFrom`, or `glideBack`.
// A card that was not in sight comes from the zone named by `data-from`, or fades in; one that left fades out on its way to
// the zone named by the board's `data-swept-to`; the card of another hand that takes it, `data-taken-with`, goes there with it.
// What another hand has drawn goes there as a back, from the stock, or as the card that was taken. The preference of pace makes all of it slower or quicker.
const SPEED = { relaxed: 1.6, normal: 1, quick: 0.55 };
const GLIDE_MS = 200;
const GLIDE = { easing: "cubic-bezier(0.2, 0.7, 0.3, 1)", fill: "backwards" };
const STAGGER_MS = 35;
const CASCADE_MS = 200; // from the first card of a deal to the last, so that also a whole pack is soon there
const SWEEP_MS = 320;
const TAKE_MS = 800; // with the card of another hand, which is seen to come
const MOST_DRAWN = 4; // by another hand with one move; more is a deal
const BACK = { duration: 180, easing: "ease-out" };
const still = matchMedia("(prefers-reduced-motion: reduce)");
let table = null;
let before = null;
const dropped = new Map(); // cards that a drag has left elsewhere: where they are seen until the next board

// In the next board this card comes from there.
export function startFrom(card, rect) {
  dropped.set(card, rect);
}

const paced = (milliseconds) => milliseconds * (SPEED[document.documentElement.dataset.pace] ?? 1);

function middle(rect) {
  return [rect.left + rect.width / 2, rect.top + rect.height / 2];
}

function faceOf(element) {
  return element.querySelector(".card") ?? element;
}

function glide(element, from, to, delay = 0) {
  const [x0, y0] = middle(from);
  const [x1, y1] = middle(to);
  const scale = from.width / to.width;
  element.animate(
    [{ transform: `translate(${x0 - x1}px, ${y0 - y1}px) scale(${scale})`, zIndex: 5 }, { transform: "none", zIndex: 5 }],
    { ...GLIDE, duration: paced(GLIDE_MS), delay },
  );
}

function hasMoved(from, to) {
  return from.width > 0 && to.width > 0 && Math.hypot(from.left - to.left, from.top - to.top) > 1;
}

// Where cards are seen: elements by card. What a drag has left elsewhere is there once.
export function rectsOf(elements) {
  return new Map([...elements].map(([card, element]) => {
    const rect = dropped.get(card) ?? faceOf(element).getBoundingClientRect();
    dropped.delete(card);
    return [card, rect];
  }));
}

// Cards that have been moved about the page glide from where they were.
export function glideFrom(rects, elements) {
  if (still.matches) return;
  const now = rectsOf(elements);
  for (const [card, to] of now) if (hasMoved(rects.get(card), to)) glide(elements.get(card), rects.get(card), to);
}

// A card that was held and let go returns to its place, then its image is removed.
export function glideBack(ghost, to) {
  if (still.matches) return ghost.remove();
  const keyframes = [{ translate: ghost.style.translate }, { translate: `${to.left}px ${to.top}px` }];
  ghost.animate(keyframes, BACK).finished.finally(() => ghost.remove());
}

function note(board) {
  const cards = new Map();
  for (const element of board.querySelectorAll("[data-card]")) {
    const rect = dropped.get(element.dataset.pick) ?? faceOf(element).getBoundingClientRect();
    cards.set(element.dataset.card, { rect, face: faceOf(element) });
  }
  const zones = new Map();
  for (const element of board.querySelectorAll("[data-zone]")) {
    const face = element.querySelector(".card");
    const top = face && { face, rect: face.getBoundingClientRect() };
    zones.set(element.dataset.zone, { rect: shownRect(element), count: Number(element.dataset.count), top });
  }
  return { cards, zones };
}

const shownRect = (zone) => (zone.checkVisibility() ? zone : (zone.closest(".seat") ?? zone)).getBoundingClientRect();

// By how many cards a zone has grown since the last board; NaN if it was not there.
const growth = (zone, zones) => Number(zone?.dataset.count) - zones.get(zone?.dataset.zone)?.count;

// A card that lies open because those on it were taken did not come from anywhere.
const isUncovered = (element, zones) => growth(element.closest(".zone-pile, .zone-column"), zones) < 0;

// Where a card comes from that was not in sight: the card there that is, else the middle of the place, as large as it becomes.
function startAt({ rect, top }, { width, height }) {
  if (top?.rect.width) return top.rect;
  const [x, y] = middle(rect);
  return DOMRect.fromRect({ x: x - width / 2, y: y - height / 2, width, height });
}

// What came into other hands, with the place of the hand: the cards that were taken in sight, else backs from the stock.
function draws(board, zones, gone) {
  const isFromStock = growth(board.querySelector('[data-zone="stock"]'), zones) < 0;
  const found = [];
  for (const hand of board.querySelectorAll(".seat .zone-hand")) {
    const more = growth(hand, zones);
    if (!(more > 0 && more <= MOST_DRAWN)) continue;
    if (gone.length && gone.length <= more) found.push([gone, shownRect(hand)]);
    else if (isFromStock) found.push([Array(more).fill(zones.get("stock").top), shownRect(hand)]);
  }
  return found;
}

// The image of a card that lies there no longer.
function ghostOf({ rect, face }) {
  const ghost = face.cloneNode(true);
  ghost.removeAttribute("role");
  ghost.setAttribute("aria-hidden", "true");
  Object.assign(ghost.style, {
    position: "fixed", left: `${rect.left}px`, top: `${rect.top}px`, width: `${rect.width}px`, zIndex: 6, pointerEvents: "none",
  });
  document.body.append(ghost);
  return ghost;
}

const away = (rect, to) => `translate(${middle(to)[0] - middle(rect)[0]}px, ${middle(to)[1] - middle(rect)[1]}px) scale(0.5)`;

function sweep(gone, target, delay = 0) {
  for (const place of gone) {
    const ghost = ghostOf(place);
    const keyframes = [{ opacity: 1 }, { transform: away(place.rect, target), opacity: 0 }];
    ghost.animate(keyframes, { ...GLIDE, duration: paced(SWEEP_MS), delay }).finished.finally(() => ghost.remove());
  }
}

// The card with which another hand takes some, which has not been in sight: its face, the place of the hand, these cards and
// where the first of them lay.
function takenWith(board, { cards, zones }) {
  const card = board.querySelector("[data-taken-with]");
  const taken = card?.dataset.taken.split(" ") ?? [];
  const first = taken.find((id) => cards.has(id));
  const from = zones.get(card?.dataset.from);
  return first && from && !cards.has(card.dataset.takenWith)
    ? { face: card.content.firstElementChild, from: from.rect, taken, rect: cards.get(first).rect }
    : null;
}

// It comes to the first of these, beside it, and goes away with them.
function takeWith({ face, from, rect }, target) {
  const beside = DOMRect.fromRect({ x: rect.left + rect.width / 4, y: rect.top + rect.height / 4, width: rect.width, height: rect.height });
  const ghost = ghostOf({ rect: beside, face });
  const keyframes = [
    { transform: away(beside, from) },
    { transform: "none", offset: 0.4 },
    { transform: "none", opacity: 1, offset: 0.6 },
    { transform: away(beside, target), opacity: 0 },
  ];
  ghost.animate(keyframes, { duration: paced(TAKE_MS) }).finished.finally(() => ghost.remove());
}

function noteBefore(board) {
  before = still.matches ? null : note(board);
  dropped.clear();
}

function after(board) {
  if (!before) return;
  const places = before;
  const { cards, zones } = places;
  before = null;
  const arrived = new Set();
  const fresh = [];
  const moved = [];
  for (const element of board.querySelectorAll("[data-card]")) {
    const card = element.dataset.card;
    arrived.add(card);
    const to = faceOf(element).getBoundingClientRect();
    const from = cards.get(card)?.rect;
    if (!from) isUncovered(element, zones) || fresh.push([element, to]);
    else if (hasMoved(from, to)) moved.push([element, from, to]);
  }
  const target = board.querySelector(`[data-zone="${CSS.escape(board.dataset.sweptTo ?? "")}"]`)?.getBoundingClientRect();

  const gone = [...cards].filter(([card]) => !arrived.has(card)).map(([, place]) => place);
  const drawn = draws(board, zones, gone);
  const swept = target && !drawn.some(([taken]) => taken === gone) ? gone : [];
  const taking = target ? takenWith(board, places) : null;

  // All places are known by now: one that was asked for after an animation began would have all of the page laid out again.
  const wait = taking ? paced(TAKE_MS - SWEEP_MS) : 0;
  for (const [element, from, to] of moved) glide(element, from, to, taking?.taken.includes(element.dataset.card) ? wait : 0);
  const stagger = paced(Math.min(STAGGER_MS, CASCADE_MS / fresh.length));
  fresh.forEach(([element, to], number) => {
    const from = zones.get(element.dataset.from);
    const delay = stagger * number;
    if (from) glide(element, startAt(from, to), to, delay);
    else element.animate([{ opacity: 0, transform: "translateY(-10px)" }, { opacity: 1, transform: "none" }], { ...GLIDE, duration: paced(GLIDE_MS), delay });
  });
  if (taking) takeWith(taking, target);
  sweep(swept, target, wait);
  for (const [taken, hand] of drawn) sweep(taken, hand);

  // The next board waits until the cards are where they belong.
  const glides = moved.length || fresh.length ? paced(GLIDE_MS) + stagger * Math.max(fresh.length - 1, 0) : 0;
  const lasts = Math.max(glides, taking ? paced(TAKE_MS) : swept.length || drawn.length ? paced(SWEEP_MS) : 0);
  if (lasts && !document.hidden) table.hold("motion", lasts);
}

export function start(given) {
  table = given;
  return { before: noteBefore, after };
}
