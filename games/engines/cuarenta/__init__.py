"""Cuarenta, 2 seats: fish by rank, by sum and in sequences; the race to 40 points.

Source: document "cuarenta" (the game without its variation for four, which is a subclass of its own).
Rulings, where it is silent or unclear:
- the counts and the change of deal "after the game" belong to a run through the 40 cards, here called a hand;
- a card that can capture may not just be laid (option `capture`), so that the pot never holds two of a rank;
- a ronda is three or more cards of one suit at the first deal of a hand (options `ronda`, `announce`);
- the ten points for a caught ronda come on top of the two of the caída and ask for a declaration that names the card;
- what a short sequence left out may be claimed by the next player before they play, without any score;
- points are booked one play at a time, so two sides never reach 40 together;
- cards left in the pot belong to nobody (option `residue`);
- it ends: every count gives at least 2 points; where only caídas score from 38 on, hand 60 is the last one.
"""
