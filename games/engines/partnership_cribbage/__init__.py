"""Partnership Cribbage, four in two partnerships, and its two-seat form, ordinary six-card Cribbage.

Source: "Ultimate Book of Card Games", the end of the four-hand variation of Cribbage (who cuts and leads, who leads
after a go, one score a team, the order of the show). The rest is common Cribbage.
Rulings, where the source is silent:
- discards are made in any order and stay; the starter is the card of the deck that follows the cards dealt;
- a count ends with 31, or when the turn comes back to the player of the last card, who cannot play;
- after a go the first who was unable to play leads, as the source says; it speaks of go points only, so after
  31 the next holder of cards to the left of its player leads;
- within a team the hand nearer to the dealer's left is counted first;
- the table counts; where players count themselves, a number that is too high is put right, and with muggins the
  opponent to the left of the hand may name what was overlooked, whether or not anything was;
- the last card of a deal always pegs, so a game to 121 has at most 241 deals.

Sides are numbered like their first seats: the side of a seat is `seat % 2`.
"""
