"""Every game that can be played, by its slug."""

from typing import Any

from games.core.contract import Game
from games.engines.advantage import ADVANTAGE
from games.engines.carousel import CAROUSEL
from games.engines.casino import CASINO
from games.engines.cuarenta import CUARENTA
from games.engines.four_hand_cuarenta import FOUR_HAND_CUARENTA
from games.engines.gin_rummy import GIN_RUMMY
from games.engines.krambambuli import KRAMBAMBULI
from games.engines.partnership_cribbage import PARTNERSHIP_CRIBBAGE
from games.engines.piquet import PIQUET
from games.engines.push import PUSH_GAME
from games.engines.royal_casino import ROYAL_CASINO
from games.engines.rubicon_piquet import RUBICON_PIQUET
from games.engines.russian_bank import RUSSIAN_BANK
from games.engines.shanghai import SHANGHAI
from games.engines.sixty_six import SIXTY_SIX
from games.engines.tabletop_cribbage import TABLETOP_CRIBBAGE
from games.engines.vatican import VATICAN

GAMES: tuple[Game[Any, Any, Any], ...] = (
    CASINO,
    ROYAL_CASINO,
    CUARENTA,
    FOUR_HAND_CUARENTA,
    GIN_RUMMY,
    CAROUSEL,
    KRAMBAMBULI,
    SHANGHAI,
    VATICAN,
    PUSH_GAME,
    PARTNERSHIP_CRIBBAGE,
    TABLETOP_CRIBBAGE,
    PIQUET,
    RUBICON_PIQUET,
    SIXTY_SIX,
    ADVANTAGE,
    RUSSIAN_BANK,
)

_BY_SLUG = {game.slug: game for game in GAMES}


def get(slug: str) -> Game[Any, Any, Any]:
    """:raises KeyError: there is no such game."""
    return _BY_SLUG[slug]
