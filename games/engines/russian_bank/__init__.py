"""Russian Bank for two: a race of two patiences, each with a pack of its own, on common foundations.

Source: "Ultimate Book of Card Games", "Russian Bank"; what it leaves open is completed from common play (pagat.com).
Rulings, where it is silent or unclear:
- each player builds on the own four piles only, unless the tableau is shared;
- only a card put on the waste ends a turn, or a pass when reserve and waste are empty; a turned card that fits the
  own tableau may not be wasted, unless the options say so;
- moves from pile to pile may not repeat an arrangement, so every turn ends; a game is blocked when both players have
  gone twice through their cards without a foundation card, so every game ends;
- three drawn games in a row end a match, so every match ends;
- in casual mode a turn lost by STOP counts like a pass for `blocked`, and a turned card then goes back face down on
  its reserve;
- of a shuffled deck of both packs each player takes the own cards in their order: the first twelve are the stock,
  the first of them turned up first, the next four the piles, the rest the reserve;
- the log keeps the current and the previous turn. Of a waste only the top card may be looked at.
"""
