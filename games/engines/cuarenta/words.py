"""The sentences of Cuarenta: prompts, calls, moves in words, and why a move is not allowed."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from games.core.cards import Card, by_display
from games.core.contract import Event, Phrase
from games.core.words import capitalized
from games.engines.cuarenta.moves import CARD_PATTERN, VALUES, Capture, Claim, CuarentaMove, Declare, Lay, Phase, Turn
from games.engines.cuarenta.scoring import POINTS

SPOKEN = {"ronda": "Ronda", "caida": "Caída", "limpia": "Limpia", "ronda-caida": "Ronda caught"}


LOG_NOTE = (
    "Earlier moves of this hand aren't listed: captured cards are covered, and remembering them is part of the game."
)


def scored(times: Sequence[int]) -> str:
    """Points by rule, "caída 4, limpia 2". times: how often, in the order of POINTS."""
    found = zip(POINTS.items(), times, strict=True)
    return ", ".join(f"{SPOKEN[rule].lower()} {points * count}" for (rule, points), count in found if count)


def prompt(phase: Phase, *, may_claim: bool) -> str:
    """What to do now."""
    if phase is Phase.DECLARE:
        return "The deal is over. Which card you caught was part of the ronda? Name one, or decline."
    if phase is Phase.CLAIM:
        return "The hand is over. Claim the cards that the last play could have taken, or decline."
    claim = (
        " If the last play left cards that it could have taken, choose them first to claim them." if may_claim else ""
    )
    return f"Play one card: match, add, or lay it in the pot.{claim}"


def announcement(turn: Turn) -> str:
    """What a turn was worth, as it is called at the table; "" for nothing.

    A ronda is announced even where 38 points bar its four.
    """
    rules = turn.gains or (("ronda",) if turn.move is None else ())
    return capitalized(" and ".join(SPOKEN[rule].lower() for rule in rules if rule in SPOKEN))


@lru_cache(maxsize=4096)
def turn_event(turn: Turn) -> Event:
    """A turn as the log has it."""
    points = sum(POINTS.get(rule, 0) for rule in turn.gains)
    gains = " and ".join(SPOKEN[rule].lower() for rule in turn.gains if rule in SPOKEN)
    match turn.move:
        case None if "four-wins" in turn.gains:
            return Event(turn.seat, Phrase("hold", "four of a kind and [win]"))
        case None:
            return Event(turn.seat, Phrase("announce", f"a ronda: {points or 'no'} points"))
        case Declare(card) if card:
            result = f"{points} points" if points else "no points"
            return Event(turn.seat, Phrase("declare", f"{card} a ronda card: {result}"))
    words = phrase(turn.move)
    touches = tuple(re.findall(CARD_PATTERN, str(turn.move)))
    if gains:
        words = Phrase(words.verb, f"{words.rest}: {gains}, {points} points")
    return Event(turn.seat, words, touches)


def phrase(move: CuarentaMove) -> Phrase:
    """A legal move in words."""
    match move:
        case Lay(card):
            return Phrase("lay", card)
        case Capture(card, taken, run):
            return Phrase("take", f"{' '.join([*taken, *run])} with {card}")
        case Claim(cards):
            return Phrase("claim", " ".join(cards) or "nothing")
        case Declare(None):
            return Phrase("declare", "nothing")
        case Declare(card):
            return Phrase("declare", f"{card} a ronda card")


# Why a move is not allowed

GAME_OVER = "The game is over."
NOT_YOUR_TURN = "It's another player's turn."
CLAIM_WAITS = "You claim overlooked cards at the start of your turn, before you play a card."
CLAIM_EXPIRED = "These cards can no longer be claimed: the right to them ended when a card was played. Play a card."
CLAIM_FIRST = "The hand is over. First claim the overlooked cards, or decline."
DECLARE_FIRST = "First say which card you caught was part of the ronda, or decline."


def not_in_hand(card: Card, hand: Iterable[Card]) -> str:
    return f"{card} isn't in your hand. Play one of {' '.join(by_display(hand))}."


def not_caught(card: Card, declarable: Sequence[Card]) -> str:
    choice = f"You may name {' '.join(declarable)}" if declarable else "You have none to declare, so play on"
    return f"You didn't catch {card} from a player with a ronda in this deal. {choice}."


def must_capture(card: Card) -> str:
    return f"{card} can take something, so you may not just lay it. Take with it, or play another card."


def not_in_pot(card: Card, pot: Sequence[Card]) -> str:
    choice = f"Choose from {' '.join(by_display(pot))}" if pot else "The pot is empty"
    return f"{card} isn't in the pot. {choice}."


def not_equal(card: Card, other: Card) -> str:
    if card not in VALUES:
        return f"{card} only takes a card of its own rank, and {other} isn't one."
    return f"{card} takes a card of its own rank, or cards that add up to {VALUES[card]}. {other} alone is neither."


def has_no_value(face: Card) -> str:
    return f"{face} has no number, so it can't be part of a sum. An equal card or a sequence takes it."


def wrong_total(cards: Sequence[Card], total: int, value: int) -> str:
    return f"{' '.join(cards)} add up to {total}, not {value}."


def one_capture(card: Card, value: int) -> str:
    return f"You have one capture a turn: {card} takes one equal card, or one set that adds up to {value}."


def only_upward(card: Card, run: Sequence[Card]) -> str:
    return f"A sequence only goes up from {card}. {_may_come(run)}."


def has_gap(card: Card, run: Sequence[Card]) -> str:
    return f"A sequence goes up from {card} without a gap. {_may_come(run)}."


def _may_come(run: Sequence[Card]) -> str:
    return f"{run_in_words(run)} may come along, lowest first" if run else "Nothing follows it here"


def run_in_words(run: Sequence[Card]) -> str:
    return " ".join(run) if run else "nothing"
