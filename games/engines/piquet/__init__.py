"""Piquet for two: exchange, declare point, sequences and sets, then play twelve tricks without trumps.

Source: "Ultimate Book of Card Games", "Piquet"; only the manners of declaring are left of that chapter, the rest
follows the laws of the Portland and Turf Clubs. Rubicon Piquet is a match of its own, `games.engines.rubicon_piquet`.
Rulings, where they are silent or disagree:
- the game goes to 100 and a deal is always finished; the winner of the game is looked up after a deal only;
- every deal begins with a word of the dealer, carte blanche or nothing, whatever the hand is; elder declares it
  together with a number of cards to exchange, in place of exchanging at once. So nobody can tell from the turn,
  the log or the number of moves who was dealt one and kept silent. Once shown it lies open to everybody;
- a deck is dealt as elder's twelve cards, the dealer's twelve, then the talon with its top card first;
- elder declares point, sequence, set in this order; younger's best holding is what contests a claim;
- a winning answer names what wins: the size if that is greater, else the value or the top card;
- extras count by themselves; players do not claim what they do not want to show;
- a repique is announced as soon as nothing can prevent it, younger's after elder's first lead;
- after four further deals that leave the totals equal the game is drawn, so that every game ends.
"""
