"""Krambambuli, 2 to 6 seats: rummy with melds on the table and one theft a turn.

Source: "The Penguin Book of Card Games", "Krambambuli", after Pennycook. What it leaves open follows common practice
of Rummy (pagat.com: the discard pile is turned over without shuffling, the upcard just taken is not returned).
Rulings, where these are silent or unclear:
- the first upcard is the top card of the stock, and the player to the dealer's left begins;
- sets ask for equal ranks only, so two copies of a card may lie in one; in a run each rank comes once;
- own melds may be enlarged from the moment of the first one; stealing begins with the next turn;
- a robbed meld must still be one meld, so even a long run gives its end cards only;
- a player without cards is out, with a last discard or without;
- the upcard just taken may be discarded only as the last card;
- the stock is renewed once, the oldest discard first; when it is used up again, everybody counts;
- after 12 turns in a row that began with the upcard the next one begins with the stock;
- only the top discard can be looked at, in the log too, unless `review_discards` is on. Cards taken from the pile
  stay known until they are laid or discarded.
It ends: a turn takes a card from the stock, or is one of twelve with the upcard, and each hand costs at least one
player points.
"""
