"""The sentences of Casino: prompts, moves in words, and why a move is not allowed."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from games.core.cards import Card, by_display
from games.core.contract import Event, Phrase
from games.engines.casino.moves import FACES, Capture, CasinoMove, MakeBuild, NotOneCard, Sweep, Trail, Turn


def prompt(controlled: Sequence[int], *, may_trail: bool) -> str:
    """What to do now. controlled: the values of the player's own builds."""
    if not controlled:
        return "Play one card: capture, build or trail."
    if may_trail:
        return f"Play one card: capture, build or trail. Keep a card for {builds_in_words(controlled)}."
    return f"Play one card: capture or build. You control {builds_in_words(controlled)}, so you may not trail."


def builds_in_words(values: Sequence[int]) -> str:
    """Builds in words: the build of 8, the builds of 2, 5 and 8."""
    *others, last = map(str, values)
    return f"the builds of {', '.join(others)} and {last}" if others else f"the build of {last}"


@lru_cache(maxsize=4096)
def turn_event(turn: Turn) -> Event:
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


# Why a move is not allowed


def not_your_turn(*, is_over: bool) -> str:
    return "The game is over." if is_over else "It is another player's turn; yours will come."


def not_in_hand(card: Card, hand: Iterable[Card]) -> str:
    return f"{card} is not in your hand; play one of {' '.join(by_display(hand))}."


def may_not_trail(controlled: Sequence[int]) -> str:
    return (
        f"You control {builds_in_words(controlled)}, so you may not trail: "
        "capture something, make a build or add to one."
    )


def must_keep(value: int) -> str:
    return (
        f"You control the build of {value} and need a card worth {value} to take it: "
        "play another card, or take the build now."
    )


def inside_build(card: Card, value: int) -> str:
    return f"{card} is inside the build of {value}, which is only taken or added to as a whole: choose [{value}]."


def not_loose(card: Card, loose: Sequence[Card]) -> str:
    lying = f"choose from {' '.join(by_display(loose))}" if loose else "there is none now"
    return f"{card} is not a loose card on the table; {lying}."


def no_such_build(value: int, builds: Collection[int]) -> str:
    lying = f"only {builds_in_words(sorted(builds))}" if builds else "no build at all"
    return f"There is no build of {value}; the table has {lying}."


def face_takes_face(card: Card) -> str:
    return f"{card} only takes another {FACES[card[0]]} that is loose on the table."


def face_takes_one(card: Card) -> str:
    return f"A face card takes exactly one card: choose one {FACES[card[0]]}."


def number_takes_no_face(card: Card, face: Card, value: int) -> str:
    return (
        f"{face} has no number value and is only taken by another {FACES[face[0]]}; "
        f"{card} takes number cards that add up to {value}."
    )


def takes_other_builds(card: Card, build: int, value: int) -> str:
    return (
        f"The build of {build} is only taken by a card worth {build}; "
        f"{card} takes cards, sets and a build worth {value}."
    )


def capture_does_not_add_up(card: Card, loose: Iterable[Card], value: int) -> str:
    return (
        f"{card} takes cards worth {value} and sets that add up to {value}, each card once; "
        f"{' '.join(loose)} cannot be divided like that."
    )


def no_number_card(card: Card, *, is_played: bool) -> str:
    advice = "capture with it or trail it" if is_played else "leave it out"
    return f"Builds are made of number cards and {card} is none: {advice}."


def build_needs_its_card(value: int, card: Card) -> str:
    return (
        f"To build {value} you must keep a card worth {value} in your hand; "
        f"build a value that you keep, or use {card} in another way."
    )


def value_is_fixed(value: int) -> str:
    return f"The build of {value} has several sets, so its value is fixed: take it or add sets of {value}."


def only_a_card_raises(card: Card, value: int, risen: int, highest: int) -> str:
    becomes = f"a build of {risen}" if risen <= highest else "too high a build; leave it as it is"
    return f"Only the card from your hand raises a build: {card} would make the build of {value} {becomes}."


def build_does_not_add_up(cards: Iterable[Card], value: int) -> str:
    return (
        f"All cards of this build must be worth {value} or add up to it in sets, each card once; "
        f"{' '.join(cards)} cannot be divided like that."
    )
