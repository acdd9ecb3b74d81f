"""Gin Rummy for two: meld in the hand, knock when little is left over, or wait for gin.

Source: "Ultimate Book of Card Games", "Gin Rummy" (deal, card values, target); it breaks off there. Turn,
knock, showdown and bonuses follow the traditional rules (pagat.com), the preset `modern` the bonuses of most
apps.
Rulings, where they are silent or disagree:
- equal deadwood is an undercut, unless the option says that nobody scores;
- the grouping is part of the knock, because groupings of equal deadwood may take different lay-offs; any
  grouping within the limit is legal, and `legal_moves` lists them all, the least deadwood first;
- the defender's grouping and lay-offs are computed unless `defence` is manual: less deadwood is never worse;
- after 12 turns in a row that began with the upcard the next one begins with the stock, and after five dead
  hands in a row the game is settled as it stands, so that every game ends;
- a tie with `undercut_on_tie` off counts as a dead hand, and a dead hand is dealt again by the same dealer
  even with `next_dealer` alternate;
- a shutout under `bonus-200` is worth 200 even where the game bonus is off;
- without an upcard on the pile, which happens in positions made by hand only, a turn begins with the stock;
- only the top discard can be looked at, in the log too, unless `review_discards` is on. Cards taken from the
  pile stay known until they are discarded again.
"""
