"""Every game that can be played, by its family and by its slug."""

from typing import Any, TypeAlias

from games.core.contract import Game
from games.engines.advantage.game import ADVANTAGE
from games.engines.carousel.game import CAROUSEL
from games.engines.casino.game import CASINO
from games.engines.cuarenta.game import CUARENTA
from games.engines.four_hand_cuarenta import FOUR_HAND_CUARENTA
from games.engines.gin_rummy.game import GIN_RUMMY
from games.engines.krambambuli.game import KRAMBAMBULI
from games.engines.partnership_cribbage.game import PARTNERSHIP_CRIBBAGE
from games.engines.piquet.game import PIQUET
from games.engines.push.game import PUSH_GAME
from games.engines.royal_casino import ROYAL_CASINO
from games.engines.rubicon_piquet import RUBICON_PIQUET
from games.engines.russian_bank.game import RUSSIAN_BANK
from games.engines.shanghai import SHANGHAI
from games.engines.sixty_six.game import SIXTY_SIX
from games.engines.tabletop_cribbage.game import TABLETOP_CRIBBAGE
from games.engines.vatican import VATICAN

AnyGame: TypeAlias = Game[Any, Any, Any]

# As they are shown: what the games of a family have in common, and its games.
FAMILIES: tuple[tuple[str, tuple[AnyGame, ...]], ...] = (
    ("Fishing: take cards from the table", (CASINO, ROYAL_CASINO, CUARENTA, FOUR_HAND_CUARENTA)),
    ("Rummy: make sets and runs", (GIN_RUMMY, CAROUSEL, KRAMBAMBULI, SHANGHAI, VATICAN, PUSH_GAME)),
    ("Cribbage: count to fifteen and thirty-one", (PARTNERSHIP_CRIBBAGE, TABLETOP_CRIBBAGE)),
    ("Tricks: declare, lead and follow", (PIQUET, RUBICON_PIQUET, SIXTY_SIX)),
    ("Other games", (ADVANTAGE, RUSSIAN_BANK)),
)

GAMES: tuple[AnyGame, ...] = tuple(game for _, games in FAMILIES for game in games)

_BY_SLUG = {game.slug: game for game in GAMES}


def get(slug: str) -> AnyGame:
    """:raises KeyError: there is no such game."""
    return _BY_SLUG[slug]
