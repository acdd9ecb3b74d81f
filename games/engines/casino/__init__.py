"""Casino, 2 to 4 seats: take table cards by rank or by sum, or build them into parcels to be taken later.

Source: document "casino" (the game without its variation).
Rulings, where it is silent or unclear:
- cards left on the table at the end go to the side that captured last, to nobody if no side captured;
- partners (0 and 2 against 1 and 3) keep one pile and one score, but each answers for their own builds;
- a build belongs to the last seat that made, joined or raised it; builds of one value are united at once;
- several sides past the target: the highest total wins, a tie for it means another hand, up to a last hand;
- counting out, sweeps come last and count at once: of sides that only they bring to the target the highest total wins;
- it ends: a hand with a capture gives at least 7 points, and `hand_cap` stops endless ties and refusals to
  capture.
"""
