// The orders of a hand, the pure part of sort.js: how two cards compare by rank, by suit, with the melds first, or as the
// player lays them. A card that is not known yet comes last.
const SUITS = "CDHSX";
const suitOf = (id) => SUITS.indexOf(id[0] === "X" ? "X" : id[1]);
const at = (ids, id) => (ids.includes(id) ? ids.indexOf(id) : ids.length);

// dealt: the ids of the cards as the server lays them, by rank. melded: those of the melds. own: the player's own order.
export function handOrder(mode, { dealt, melded, own }) {
  const rank = (a, b) => at(dealt, a) - at(dealt, b);
  const orders = {
    rank,
    suit: (a, b) => suitOf(a) - suitOf(b) || rank(a, b),
    melds: (a, b) => at(melded, a) - at(melded, b) || rank(a, b),
    own: (a, b) => at(own, a) - at(own, b) || rank(a, b),
  };
  return orders[mode];
}

// Whether these are the cards of another deal: few of those that the player has laid, and little else. Cards that are drawn, or
// a pile that is taken, come to a hand that is still there; of one that is melded the rest is.
export function isNewHand(dealt, own) {
  const known = dealt.filter((id) => own.includes(id)).length;
  return dealt.length > 0 && 2 * known < dealt.length && 2 * known <= own.length;
}
