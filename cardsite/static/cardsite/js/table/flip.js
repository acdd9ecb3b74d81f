// FLIP: cards glide from where they were to where they are. Places are noted before a swap and compared after it, by
// `data-card`. All motion of cards is made here; other modules glide cards by `rectsOf` and `glideFrom`, or `glideBack`.
// A card that was not in sight comes from the zone named by `data-from`, or fades in; one that left fades out on its way to
// the zone named by the board's `data-swept-to`.
const GLIDE = { duration: 200, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)", fill: "backwards" };
const STAGGER_MS = 35;
const CASCADE_MS = 200; // from the first card of a deal to the last, so that also a whole pack is soon there
const SWEEP_MS = 320;
const BACK = { duration: 180, easing: "ease-out" };
const still = matchMedia("(prefers-reduced-motion: reduce)");
let table = null;
let before = null;
const dropped = new Map(); // cards that a drag has left elsewhere: where they are seen until the next board

// In the next board this card comes from there.
export function startFrom(card, rect) {
  dropped.set(card, rect);
}

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
    { ...GLIDE, delay },
  );
}

function hasMoved(from, to) {
  return from.width > 0 && Math.hypot(from.left - to.left, from.top - to.top) > 1;
}

// Where cards are: elements by card.
export function rectsOf(elements) {
  return new Map([...elements].map(([card, element]) => [card, faceOf(element).getBoundingClientRect()]));
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
    const shown = element.checkVisibility() ? element : (element.closest(".seat") ?? element);
    zones.set(element.dataset.zone, shown.getBoundingClientRect());
  }
  return { cards, zones };
}

function sweep(gone, target) {
  for (const { rect, face } of gone) {
    const ghost = face.cloneNode(true);
    ghost.removeAttribute("role");
    ghost.setAttribute("aria-hidden", "true");
    Object.assign(ghost.style, {
      position: "fixed", left: `${rect.left}px`, top: `${rect.top}px`, width: `${rect.width}px`, zIndex: 6, pointerEvents: "none",
    });
    document.body.append(ghost);
    const [x0, y0] = middle(rect);
    const [x1, y1] = middle(target);
    ghost
      .animate([{ opacity: 1 }, { transform: `translate(${x1 - x0}px, ${y1 - y0}px) scale(0.5)`, opacity: 0 }], { ...GLIDE, duration: SWEEP_MS })
      .finished.finally(() => ghost.remove());
  }
}

function noteBefore(board) {
  before = still.matches ? null : note(board);
  dropped.clear();
}

function after(board) {
  if (!before) return;
  const { cards, zones } = before;
  before = null;
  const arrived = new Set();
  const fresh = [];
  const moved = [];
  for (const element of board.querySelectorAll("[data-card]")) {
    const card = element.dataset.card;
    arrived.add(card);
    const to = faceOf(element).getBoundingClientRect();
    const from = cards.get(card)?.rect;
    if (!from) fresh.push([element, to]);
    else if (hasMoved(from, to)) moved.push([element, from, to]);
  }
  const target = board.querySelector(`[data-zone="${CSS.escape(board.dataset.sweptTo ?? "")}"]`)?.getBoundingClientRect();

  // All places are known by now: one that was asked for after an animation began would have all of the page laid out again.
  for (const [element, from, to] of moved) glide(element, from, to);
  const stagger = Math.min(STAGGER_MS, CASCADE_MS / fresh.length);
  fresh.forEach(([element, to], number) => {
    const from = zones.get(element.dataset.from);
    const delay = stagger * number;
    if (from) glide(element, from, to, delay);
    else element.animate([{ opacity: 0, transform: "translateY(-10px)" }, { opacity: 1, transform: "none" }], { ...GLIDE, delay });
  });
  const gone = target ? [...cards].filter(([card]) => !arrived.has(card)).map(([, place]) => place) : [];
  sweep(gone, target);

  // The next board waits until the cards are where they belong.
  const lasts = Math.max(moved.length && GLIDE.duration, fresh.length && GLIDE.duration + stagger * (fresh.length - 1), gone.length && SWEEP_MS);
  if (lasts && !document.hidden) table.hold("motion", lasts);
}

export function start(given) {
  table = given;
  return { before: noteBefore, after };
}
