"""Words of Casino: moves and builds in sentences."""

from collections.abc import Sequence
from functools import lru_cache

from games.core.cards import Card
from games.core.contract import Event, Phrase
from games.engines.casino.moves import Capture, CasinoMove, MakeBuild, NotOneCard, Sweep, Trail, Turn


def builds_in_words(values: Sequence[int]) -> str:
    """Builds in words: the build of 8, the builds of 2, 5 and 8."""
    *others, last = map(str, values)
    return f"the builds of {', '.join(others)} and {last}" if others else f"the build of {last}"


@lru_cache(maxsize=4096)
def told(turn: Turn) -> Event:
    """A turn as the log has it."""
    seat, move = turn
    assert not isinstance(move, NotOneCard)
    touches: tuple[str, ...] = (move.card,)
    if isinstance(move, MakeBuild):
        touches = (move.card, *move.loose, f"build:{move.value}")
    elif isinstance(move, Capture):
        touches = (move.card, *move.loose)
    return Event(seat, phrase(move), touches)


def phrase(move: CasinoMove) -> Phrase:
    """A legal move in words."""
    match move:
        case Trail():
            return Phrase("trail", move.card)
        case Sweep():
            return Phrase("sweep", f"{_in_words(move.loose, move.builds)} off the table with {move.card}")
        case Capture():
            return Phrase("take", f"{_in_words(move.loose, move.builds)} with {move.card}")
        case MakeBuild():
            return _build_phrase(move)
    raise TypeError(f"not a legal move of Casino: {move!r}")


def _build_phrase(move: MakeBuild) -> Phrase:
    joined = [value for value in move.builds if value == move.value]
    if move.raised:
        more = f", joining {_in_words(move.loose, joined)}" if move.loose or joined else ""
        return Phrase("raise", f"{_in_words((), move.raised)} to {move.value} with {move.card}{more}")
    cards = _in_words((move.card, *move.loose), ())
    if joined:
        return Phrase("add", f"{cards} to {_in_words((), joined)}")
    return Phrase("build", f"{move.value} from {cards}")


def _in_words(loose: Sequence[Card], builds: Sequence[int]) -> str:
    parts = [" ".join(loose)] if loose else []
    return " and ".join([*parts, *(f"the build of {value}" for value in builds)])
