"""Carousel, 2 to 5 seats: rummy with common melds and stealing, ended by a knock.

Source: "The Penguin Book of Card Games", "Carousel" (pack, stealing, knock, scoring). What it leaves open follows
pagat.com (four and five players, the third draw, adding to melds, exchange of a joker) and rummyrulebook.com.
Rulings, where these are silent or unclear:
- melds are laid in steps, and after each step the table is legal; a run may be robbed in its middle if whole runs
  are left on both sides;
- what is in the hand at a showdown is deadwood, also what would be a meld;
- laying the last card ends nothing: with deadwood 0 the player may knock in the next turn;
- a run's joker stands for its place, a set's joker for any missing suit; a stolen joker is free again, and the
  jokers of a meld that is enlarged may take other places;
- upper parts of runs that were split get the lowest free numbers first, then the new meld;
- without stock a turn begins with a knock, a meld or a pass; when all pass there is a showdown without a knocker;
- the settlement is the final score: each loser is as many points below zero as the winner, bonus included, is
  ahead; a loser without points pays twice as many; the winner gets the sum;
- after 40 hands the highest total wins, so that every game ends.
A hand ends: each turn takes a card from the stock, later lays a card for good, or is one of few passes in a row.
"""
