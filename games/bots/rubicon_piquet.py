"""House bots of Rubicon Piquet: a deal is a deal of Piquet."""

from games.bots.piquet import LEVELS

__all__ = ["LEVELS"]
