"""Sixty-Six for two: tricks with a stock, marriages, and points that nobody writes down.

Source: "Ultimate Book of Card Games", "Sixty-Six" (pack, deal, points, scoring); it breaks off before the play.
Leading, drawing, the nine, closing and claims follow the next page of the same book, Hoyle and pagat.com.
Rulings, where they are silent or disagree:
- the points of a running hand and the tricks of it are shown to nobody; the last trick lies open until the next
  lead, and everything is laid open when the hand ends. Asking for them is a move that is always refused;
- closing is possible on lead and, before the draw, after a trick; never between lead and answer;
- a claim needs the claimant's turn; a card that lies on the table then counts for nobody;
- the winner of the twelfth trick may still claim. In a closed hand nothing is left to claim: the closer is paid
  for 66 points, and the opponent for 66 that the last trick brings;
- a tie makes the next hand worth one more, and ties add up; after thirty hands the higher score wins;
- a position may leave out the cards of won tricks; its points and numbers of tricks then stand by themselves.
"""
