"""House bots of Four-hand Cuarenta: those of Cuarenta, which look at the next player in turn."""

from functools import partial

from games.bots.cuarenta import Club, FirstSteps, Strong, explained
from games.engines.four_hand_cuarenta import FOUR_HAND_CUARENTA

LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong(FOUR_HAND_CUARENTA)}
reason = partial(explained, FOUR_HAND_CUARENTA)
