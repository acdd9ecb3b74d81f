"""The sentences of Casino: prompts, moves in words, and why a move is not allowed."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from games.core.cards import Card, by_display
from games.core.contract import Event, HandResult, Phrase
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


def end_event(result: HandResult) -> Event:
    """The end of a hand as the log has it."""
    return Event(None, Phrase("", f"Hand {result.number} is over. {result.summary}"))


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
    return "The game is over." if is_over else "It's another player's turn."


def not_in_hand(card: Card, hand: Iterable[Card]) -> str:
    return f"{card} isn't in your hand. Play one of {' '.join(by_display(hand))}."


def may_not_trail(controlled: Sequence[int]) -> str:
    return (
        f"You control {builds_in_words(controlled)}, so you may not trail. "
        "Capture something, make a build or add to one."
    )


def must_keep(value: int) -> str:
    return (
        f"You control the build of {value} and must keep a card worth {value} for it. "
        "Play another card, or take the build now."
    )


def inside_build(card: Card, value: int) -> str:
    return f"{card} is part of the build of {value}, which can only be taken or added to as a whole."


def not_loose(card: Card, loose: Sequence[Card]) -> str:
    choice = f"Choose from {' '.join(by_display(loose))}" if loose else "There is none now"
    return f"{card} isn't a loose card on the table. {choice}."


def no_such_build(value: int, builds: Collection[int]) -> str:
    there = f"The table has only {builds_in_words(sorted(builds))}" if builds else "The table has no builds"
    return f"There is no build of {value}. {there}."


def face_takes_face(card: Card) -> str:
    return f"{card} only takes another {FACES[card[0]]}."


def face_takes_one(card: Card) -> str:
    return f"A face card takes exactly one card. Choose one {FACES[card[0]]}."


def number_takes_no_face(card: Card, face: Card, value: int) -> str:
    return (
        f"{face} has no number value, so only another {FACES[face[0]]} takes it. "
        f"{card} takes number cards that add up to {value}."
    )


def takes_other_builds(card: Card, build: int, value: int) -> str:
    return f"Only a card worth {build} takes the build of {build}. {card} takes cards, sets and a build worth {value}."


def capture_does_not_add_up(card: Card, loose: Sequence[Card], value: int, total: int) -> str:
    """total: what the loose cards add up to if they can only be meant as one set, else 0."""
    cards = " ".join(loose)
    if total:
        adds = "add up to" if len(loose) > 1 else "counts"
        return f"{cards} {adds} {total}, and {card} takes what adds up to {value}."
    return f"{card} takes cards worth {value} and sums of {value}, each card once. It can't take all of {cards}."


def no_number_card(card: Card, *, is_played: bool) -> str:
    advice = "Capture with it or trail it" if is_played else "Leave it out"
    return f"Builds are made of number cards, and {card} isn't one. {advice}."


def build_needs_its_card(value: int, card: Card) -> str:
    return (
        f"To build {value} you must keep a card worth {value} in your hand. "
        f"Build a value that you hold, or use {card} in another way."
    )


def value_is_fixed(value: int) -> str:
    return f"The build of {value} has several sets, so its value is fixed. Take it, or add sets of {value}."


def only_a_card_raises(card: Card, value: int, risen: int, highest: int) -> str:
    only = "Only the card from your hand raises a build"
    if risen > highest:
        return f"{only}, and {card} would raise the build of {value} to {risen}. No card takes {risen}."
    return f"{only}: {card} raises the build of {value} to {risen}."


def build_does_not_add_up(cards: Iterable[Card], value: int) -> str:
    return (
        f"All cards of this build must divide into sets worth {value}, each card once. "
        f"{' '.join(cards)} can't be divided that way."
    )
