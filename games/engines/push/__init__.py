"""Push for four in two partnerships: contract rummy in which an unwanted card is pushed on to the next player.

Source: "The Penguin Book of Card Games", the pages from "Play" on. Pack, hand sizes, the table of initial melds and
the number of deals, which it lacks there, follow pagat.com.
Rulings, where they are silent or unclear:
- the pile never holds more than one card, so a stock that has run out ends the deal: below two cards nobody can push,
  and a player who does not want the upcard ends the deal instead; then both sides are charged;
- after eight turns in a row that took the upcard and laid nothing the next player has to push;
- the upcard just taken may be discarded only as the last card of a hand;
- a wild upcard goes back into the stock before the first turn, at a place computed from the order of the deck;
- only jokers are exchanged, never deuces, never for a two, and only by players who have made their initial meld;
- deuces never count as natural, so a set of twos cannot exist;
- `deals` 1 plays one contract for practice, chosen by `contract`; an extra deal repeats the last contract;
- the lower total wins; if equal, the side that went out more often, or as `tiebreak` says.
It ends: a push takes two cards from the stock, a play lays one for good, and between them lie at most eight turns.
"""
