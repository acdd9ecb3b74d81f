// Which sound tells of a board, the pure part of sounds.js: a name of sound.js, or "". A board is summed up as
//   {moves, isOver, hand: Set of cards, shared: Set of cards}
const count = (cards, others) => [...cards].filter((card) => others.has(card)).length;

export function boardSound(now, before) {
  if (now.isOver) return before.isOver ? "" : "over";
  if (now.hand.size > 2 && now.hand.size >= before.hand.size + 2 && count(now.hand, before.hand) * 2 < now.hand.size) return "deal";
  if (now.moves === before.moves) return "";
  return before.shared.size - count(before.shared, now.shared) > 1 ? "take" : "lay";
}
