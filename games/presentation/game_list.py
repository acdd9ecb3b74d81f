"""Game list: every game once, best known first, each variant after its parent; what a tile says about a game."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.domain.clocks import MINUTE, duration
from games.engines import GAMES, AnyGame
from games.engines.piquet.scoring import HALF

EASY, MEDIUM, HARD = "Easy", "Medium", "Hard"
SHORT = "short"  # a length of games; the usual one is ""
LONG_MINUTES = 60  # from here on a usual game is long


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game on the list.

    minutes: of a usual game. difficulty: to learn. parent: the game that it is a variant of. short: the options of a
    short game, the one that makes it short first; {} where the rules have none.
    """

    game: AnyGame
    minutes: int
    difficulty: str
    parent: AnyGame | None = None
    short: Mapping[str, Any] = field(default_factory=dict)

    @property
    def usual_time(self) -> str:
        """How long a usual game takes: "20 minutes", "3 hours"."""
        return duration(self.minutes * MINUTE)

    @property
    def lengths(self) -> list[tuple[str, str]]:
        """The lengths to choose from, with their labels: "Short: 50 points", "Usual: 100 points"."""
        name = next(iter(self.short), None)
        if name is None:
            return []
        usual = next(option.default for option in self.game.open_options if option.name == name)
        unit = "deals" if name == "deals" else "points"
        return [(SHORT, f"Short: {self.short[name]} {unit}"), ("", f"Usual: {usual} {unit}")]

    @property
    def proposed_length(self) -> str:
        """The length against bots until another is chosen: short where a usual game is long."""
        return SHORT if self.short and self.minutes >= LONG_MINUTES else ""


# slug: (minutes, difficulty, parent). A variant stands below its parent.
FACTS = {
    "gin-rummy": (30, EASY, ""),
    "partnership-cribbage": (20, MEDIUM, ""),
    "tabletop-cribbage": (15, EASY, "partnership-cribbage"),
    "casino": (15, EASY, ""),
    "royal-casino": (15, MEDIUM, "casino"),
    "piquet": (25, HARD, ""),
    "rubicon-piquet": (35, HARD, "piquet"),
    "sixty-six": (20, MEDIUM, ""),
    "russian-bank": (30, MEDIUM, ""),
    "cuarenta": (15, EASY, ""),
    "four-hand-cuarenta": (15, EASY, "cuarenta"),
    "vatican": (20, HARD, ""),
    "shanghai": (60, HARD, "vatican"),
    "carousel": (45, MEDIUM, ""),
    "krambambuli": (180, MEDIUM, ""),
    "push": (45, HARD, ""),
    "advantage": (15, EASY, ""),
}
SHORT_GAMES: dict[str, dict[str, Any]] = {
    "gin-rummy": {"target": 50},
    "partnership-cribbage": {"target": 61},
    "tabletop-cribbage": {"target": 61},
    "casino": {"target": 11},
    "royal-casino": {"target": 11},
    "piquet": {"target": 50, "double_under": HALF},
    "rubicon-piquet": {"deals": 4},
    "sixty-six": {"target": 5},
    "shanghai": {"target": 100},
    "carousel": {"target": 100},
    "krambambuli": {"target": 100},
    "push": {"deals": 3},
}
WELL_KNOWN = ("gin-rummy", "partnership-cribbage", "casino", "piquet", "sixty-six", "russian-bank")


def _listed() -> Iterator[ListedGame]:
    by_slug = {game.slug: game for game in GAMES}
    for slug, (minutes, difficulty, parent) in FACTS.items():
        yield ListedGame(by_slug[slug], minutes, difficulty, by_slug.get(parent), SHORT_GAMES.get(slug, {}))


LISTED_GAMES = tuple(_listed())
WELL_KNOWN_GAMES = tuple(entry for slug in WELL_KNOWN for entry in LISTED_GAMES if entry.game.slug == slug)

_BY_SLUG = {entry.game.slug: entry for entry in LISTED_GAMES}


def listed_game(slug: str) -> ListedGame:
    """:raises KeyError: there is no such game."""
    return _BY_SLUG[slug]
