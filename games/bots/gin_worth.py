"""Worth of a hand of Gin Rummy after a discard: weights of its features, by the stage of the hand.

Made by `manage.py gin_table`: least squares over the results of hands between two quick players with some discards at
random. The features, in their order, and the stages are those of `games.bots.gin_rummy`.

Signs of the cards that the other holds, from a logistic regression over hands between two club bots. Rows: they
discarded, left or took a card. Columns: what that adds to the logarithm of the odds that they hold another card of its
rank, one next to it in its suit, and one next but one. The last figure is added for each turn and point of a card.
"""

WEIGHTS = (
    (68.35, -0.09, -11.57, 0.17, 3.35, 91.77, -14.67),
    (49.21, -0.06, -12.74, 0.73, 3.71, 85.64, -11.50),
    (35.29, -0.07, -11.80, 0.93, 3.53, 81.44, -18.54),
    (24.63, -0.13, -10.03, 1.00, 3.08, 66.68, -21.78),
)

SIGNS = (
    (-1.30, -0.88, -0.54),
    (-0.98, -0.58, -0.30),
    (0.70, 0.67, 0.46),
)

HELD_BACK = 0.014
