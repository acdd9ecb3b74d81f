"""Words of Cribbage: prompts, moves and points in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.cards import Card
from games.core.contract import Event, HandResult, OptionValue, Phrase
from games.core.cribbage import MOST, OF_A_RANK
from games.core.words import counted
from games.engines.partnership_cribbage.moves import DISCARD, OVER, PLAY, SHOW, Claim, Muggins, Pegging, Phase

_WORDS = {
    "peg-fifteen": "fifteen",
    "thirty-one": "thirty-one",
    "go-point": "the go",
    "last-card": "the last card",
    "his-heels": "his heels",
    "show-fifteen": "fifteens",
    "show-run": "runs",
    "show-flush": "a flush",
    "crib-flush": "a flush",
    "his-nobs": "his nobs",
}


# The points that a card pegs, not a go, the last card or the starter.
BY_CARD = ("peg-fifteen", "peg-pair", "peg-run", "thirty-one")


def scored_words(rule: str, points: int) -> str:
    """What scored, in words."""
    if rule == "peg-pair":
        return OF_A_RANK.get(points, "a pair")
    if rule == "show-pair":
        return "a pair" if points == 2 else "pairs"
    return f"a run of {points}" if rule == "peg-run" else _WORDS[rule]


def for_points(count: int, points: int) -> str:
    return f"{count} for {points}" if points else str(count)


# Prompts


def discard_prompt(number: int, *, dealer: int, seat: int, has_partners: bool) -> str:
    relation = ""
    if has_partners and dealer != seat:
        relation = f" (your {'partner' if dealer % 2 == seat % 2 else 'opponent'})"
    return f"Discard {counted(number, 'card')} to @{dealer}'s crib{relation}."


def play_prompt(count: int, *, is_stuck: bool) -> str:
    if is_stuck:
        return f"The count is {count} and none of your cards fits: say go."
    return f"Play a card; the count is {count}." if count else "Lead a card to start a new count."


def claim_prompt(*, is_crib: bool, starter: Card | None) -> str:
    return f"Count your {'crib' if is_crib else 'hand'} with the starter {starter}: how many points?"


def muggins_prompt(owner: int, named: int, *, is_crib: bool) -> str:
    what = "crib" if is_crib else "hand"
    return f"@{owner} counted {named} in the {what}. How many points were missed? Claim them, or 0."


# The log


def laid_event(seat: int, number: int, dealer: int) -> Event:
    whose = "the crib" if seat == dealer else f"@{dealer}'s crib"
    return Event(seat, Phrase("discard", f"{counted(number, 'card')} to {whose}"), ("crib",))


def starter_event(starter: Card) -> Event:
    return Event(None, Phrase("", f"{starter} is turned up"), (starter,))


def pegged_event(peg: Pegging) -> Event:
    """What the table pegs for a seat without a card: his heels, a go, the last card."""
    return Event(None, Phrase("", f"@{peg.seat} [peg] {peg.points} for {scored_words(peg.rule, peg.points)}"))


def deed_event(seat: int, card: Card | None, count: int, gained: Sequence[Pegging]) -> Event:
    if card is None:
        return Event(seat, Phrase("say", "go"))
    said = for_points(count, sum(peg.points for peg in gained))
    what = f" ({', '.join(scored_words(peg.rule, peg.points) for peg in gained)})" if gained else ""
    return Event(seat, Phrase("play", f"{card}: {said}{what}"), (card,))


def claim_phrase(move: Claim | Muggins) -> Phrase:
    if isinstance(move, Claim):
        return Phrase("count", counted(move.points, "point"))
    return Phrase("claim", counted(move.points, "missed point") if move.points else "nothing")


def result_event(result: HandResult) -> Event:
    return Event(None, Phrase("", f"Deal {result.number}: {result.summary}"))


# Why not


def why_not_now(phase: Phase, ended_at: int | None, after_go: str, *, is_discard: bool) -> tuple[str, str]:
    """The rule by which another seat is to act, and a sentence about it.

    ended_at: the count that the last card reached, if a new count begins. after_go: who leads after a go, in words.
    """
    if phase is OVER:
        return "game-121", "The game is over; start another one."
    if phase is DISCARD:
        return "discard-final", "You've already discarded; the play starts when everyone has."
    if is_discard:
        return "discard-final", "The discards are final; wait for your turn."
    if phase is SHOW:
        return "show-order", "Another player is counting now; yours comes in its turn."
    if ended_at is None:
        return "turn-order", "It's another player's turn; turns go clockwise."
    if ended_at == MOST:
        return "lead-after-31", "After 31, the next player with cards leads; wait for their card."
    return "lead-after-go", f"{after_go}; wait for their card."


def who_leads_after_go(option: OptionValue, *, is_last: bool) -> str:
    """The player who leads after a go. is_last: it is the one who played the last card."""
    if is_last:
        return "The player of the last card leads again"
    if option == "left-of-last":
        return "The next player with cards to the left of the last card leads now"
    return "Another player was the first to say go, and leads now"


def what_now(phase: Phase, number: int, *, is_overlooked_asked: bool) -> str:
    """The end of a refusal: what is due instead. number: of cards to discard."""
    if phase is DISCARD:
        return f"discard {counted(number, 'card')} first."
    if phase is PLAY:
        return "play a card that fits, or say go if none does."
    return "claim the points that were missed." if is_overlooked_asked else "say how many points the cards are worth."
