"""House bots of Royal Casino: those of Casino, which count its courts, aces and sweeps."""

from functools import partial

from games.bots.casino import Club, FirstSteps, Strong, compared, explained
from games.engines.royal_casino import ROYAL_CASINO

LEVELS = {"first-steps": FirstSteps(), "club": Club(ROYAL_CASINO), "strong": Strong(ROYAL_CASINO)}
reason = partial(explained, ROYAL_CASINO)
comparison = partial(compared, ROYAL_CASINO)
