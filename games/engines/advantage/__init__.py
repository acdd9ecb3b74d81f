"""Advantage (Vigoda) for two: fit cards on three open piles, swap hands every round, pick up piles for pairs.

Source: document "Advantage (or Vigoda)", the complete rules of its inventor.
Rulings, where it is silent or unclear:
- a card drawn from the stock is seen by its drawer alone until it is dropped, traded, laid aside, or the hands change
  owners (option `draws`);
- a blocked player must draw before a drop and may draw before a pick; passing a pick by choice never ends the game;
- only a player who traded in this round lays pairs aside; N, the first of the round, pairs and refills before D;
- "runs out of cards" is tested when a drop turn ends and after both pairing turns (option `out_by_pairing`);
- an engine has no clock, so the date that settles a dead tie is part of the options: `day` says whether the game was
  started on an odd or an even day of the month (in UTC), before the first card, and it never changes afterwards.
  A position may give the whole date as `started_on` instead;
- it ends: there are at most 43 draws and 26 pairs, and eight rounds in a row without either end the game;
- the log does not tell who stopped by choice from who had to stop: it would give away hidden cards.
"""
