"""House bots of Rubicon Piquet: a deal is a deal of Piquet."""

from functools import partial

from games.bots.piquet import LEVELS, compared, explained
from games.engines.rubicon_piquet import RUBICON_PIQUET

reason = partial(explained, RUBICON_PIQUET)
comparison = partial(compared, RUBICON_PIQUET)

__all__ = ["LEVELS", "comparison", "reason"]
