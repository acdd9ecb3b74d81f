// Drag and drop, the pure part: where cards that are held may be dropped, and which moves a drop means.
// A move is {touches: [id], to: id or ""}: the cards and zones that it uses, and the zone in which its cards end.

const holds = (touches, held) => held.every((id) => touches.includes(id));

// The cards and zones on which the held ones may be dropped.
export function targets(moves, held) {
  const found = new Set();
  for (const { touches, to } of moves) {
    if (!holds(touches, held)) continue;
    for (const id of touches) found.add(id);
    if (to) found.add(to);
  }
  for (const id of held) found.delete(id);
  return found;
}

// The moves that a drop may mean. Where there are several the player chooses: a discard may be a knock.
export function resolve(moves, held, target) {
  return moves.filter(({ touches, to }) => holds(touches, held) && (touches.includes(target) || to === target));
}

// Whether a selection, of cards and places that a move uses, is enough to mean it: all that it needs, and one of any.
export function means(chosen, needs, anyOf) {
  return needs.every((id) => chosen.includes(id)) && (!anyOf.length || anyOf.some((id) => chosen.includes(id)));
}

// Cards that begin a move when they are picked up: the first that it touches, which is the player's own.
export function sources(moves) {
  return new Set(moves.map(({ touches }) => touches[0]).filter(Boolean));
}
