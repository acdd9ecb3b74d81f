// Where the steps of a count have brought the cards: a map from card to zone id. steps: {cards: "5D 6D", to: "meld:1"}.
export function zonesAfter(steps) {
  const zones = new Map();
  for (const { cards, to } of steps) if (to) for (const card of cards.split(" ")) zones.set(card, to);
  return zones;
}
