"""Words of Gin Rummy: prompts, moves and the log in sentences, and why a move is refused."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.card_bits import CARD
from games.core.cards import RANK_INDEX, Card
from games.core.contract import Event, HandResult, Phrase
from games.engines.gin_rummy.moves import (
    DISCARD,
    DRAW,
    FIRST_UPCARD,
    OVER,
    SHOWDOWN,
    UPCARD_TURNS_IN_A_ROW,
    BigGin,
    Deed,
    Knock,
    Meld,
    Phase,
    Showdown,
    all_cards,
)


def melds_in_words(melds: Iterable[Meld]) -> str:
    """Melds to read: the cards of each, with commas between the melds."""
    return ", ".join(map(" ".join, melds))


# Prompts


def upcard_prompt(upcard: Card | None) -> str:
    return f"Take the upcard {upcard} or pass."


def discard_prompt(*, can_knock: bool) -> str:
    return "Discard a card, or knock." if can_knock else "Discard a card."


def showdown_prompt(knocker: int, *, is_gin: bool) -> str:
    if is_gin:
        return f"@{knocker} went gin. Choose your melds; there are no lay-offs."
    return f"@{knocker} knocked. Choose your melds and lay-offs."


def draw_prompt(upcard: Card | None, *, may_take: bool, is_capped: bool) -> str:
    if may_take:
        return f"Draw from the stock or take the upcard {upcard}."
    if upcard is None:
        return "Draw from the stock."
    if is_capped:
        return "Draw from the stock: twelve turns in a row have started with the upcard."
    return "Draw from the stock: both players passed the upcard."


# The log


_LETTER_PHRASES = {
    "P": ("pass", ""),
    "D": ("draw", "from the stock"),
    "U": ("take", "the upcard {}"),
    "X": ("discard", "{}"),
}
_LETTER_TOUCHES = {"P": (), "D": ("stock",), "U": ("discards",), "X": ("discards",)}


def event_of(deed: Deed) -> Event:
    seat, letter, bit = deed
    verb, rest = _LETTER_PHRASES[letter]
    card = CARD[bit] if bit else ("a card" if letter == "X" else "")
    touched = (CARD[bit],) if letter == "X" and bit else ()
    return Event(seat, Phrase(verb, rest.format(card).strip()), (*touched, *_LETTER_TOUCHES[letter]))


def knock_event(knocker: int, knock: Knock | BigGin, left: int) -> Event:
    melds = melds_in_words(knock.melds)
    gin = "big gin" if isinstance(knock, BigGin) else "gin"
    phrase = Phrase("knock", f"with {left}: {melds}") if left else Phrase("go", f"{gin}: {melds}")
    return Event(knocker, phrase, all_cards(knock.melds))


def result_events(results: tuple[HandResult, ...]) -> list[Event]:
    return [Event(None, Phrase("", f"Hand {result.number}: {result.summary}")) for result in results[-1:]]


# Moves on their buttons


def knock_phrase(move: Knock, left: int, best: int) -> Phrase:
    """A knock that leaves so much, with what a better one would leave: a poorer grouping should be no accident."""
    what = f"{melds_in_words(move.melds) or 'no melds'}; {move.card} face down"
    if left == 0:
        return Phrase("go", f"gin: {what}")
    warning = " (you could go gin)" if best == 0 else f" (you could leave {best})" if best < left else ""
    return Phrase("knock", f"with {left}: {what}{warning}")


def showdown_phrase(move: Showdown, left: int) -> Phrase:
    parts = [melds_in_words(move.melds) or "no melds"]
    if move.layoffs:
        onto: dict[int, list[Card]] = {}
        for card, meld in move.layoffs:
            onto.setdefault(meld, []).append(card)
        parts.append("lay off " + ", ".join(f"{' '.join(cards)} on meld {meld}" for meld, cards in onto.items()))
    return Phrase("show", f"{'; '.join(parts)}; {left} left")


# Why not

WHAT_NOW = {
    FIRST_UPCARD: "take the upcard or pass.",
    DRAW: "take one card first: the stock or the upcard.",
    DISCARD: "discard a card.",
    SHOWDOWN: "choose your melds and lay-offs.",
    OVER: "start another game.",
}

WHY_NO_UPCARD = {
    "first-upcard": "Both players passed, so this first turn starts from the stock.",
    "draw-cap": f"The upcard was taken {UPCARD_TURNS_IN_A_ROW} times in a row; this turn you draw from the stock.",
    "turn-draw": "The discard pile is empty; draw from the stock.",
}


def why_no_second_card(phase: Phase) -> str:
    why = "The hand has ended with a knock" if phase is SHOWDOWN else "You already have your card for this turn"
    return f"{why}; {WHAT_NOW[phase]}"


def why_no_meld(meld: Meld) -> tuple[str, str]:
    """The rule that cards miss which are neither set nor run, and a sentence about it."""
    text = " ".join(meld)
    ranks = {RANK_INDEX[card[0]] for card in meld}
    if len(ranks) < len(meld) or len(meld) == 1:
        return "meld-set", f"{text} isn't a set; a set is three or four cards of one rank."
    if len({card[1] for card in meld}) == 1 and _wraps(ranks):
        why = "the ace is low, so a run ends with the king or starts with the ace"
        return "card-order", f"{text} isn't a run; {why}."
    return "meld-run", f"{text} isn't a run; a run is three or more cards of one suit in a row."


def _wraps(ranks: set[int]) -> bool:
    """Whether ranks follow one another only if the ace comes after the king."""
    return {0, 12} <= ranks and len(ranks) > 2 and sum((rank + 1) % 13 not in ranks for rank in ranks) == 1
