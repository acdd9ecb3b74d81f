"""Tabletop Cribbage, for two or for four in partnerships: cards are placed on a square of five by five, then counted.

Source: "Ultimate Book of Card Games", "Tabletop Cribbage" (the whole play and what counts). Length of a game, the fixed
centre and four players are completed from pagat.com.
Rulings, where it is silent or unclear:
- the first card is the middle of the square, c3, and "touching" is by a side or a corner;
- piles are turned over in the order in which they were dealt, and the card of the player to move lies open;
- a game is to 121; the non-dealer counts first, so that side wins if both would reach it; after twenty deals the
  higher score wins;
- with jacks on (an option), the centre card itself is no nobs, and heels count with the dealer's columns.

Sides are numbered like their first seats: the side of a seat is `seat % 2`. The dealer's side counts the columns.
"""
