"""The sentences of Sixty-Six: prompts, what players say, moves in words, and why a move is not allowed."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.cards import Card
from games.core.contract import Move, Phrase
from games.core.tricks import SUIT_NAMES, beats
from games.engines.sixty_six.moves import (
    AFTER,
    ASK_POINTS,
    CLAIM,
    CLOSE,
    DRAW,
    END,
    EXCHANGE,
    FINAL,
    FOLLOW,
    LEAD,
    LOOK_BACK,
    RANKS,
    Call,
    Marry,
    Phase,
    pair_of,
)


def either(cards: Sequence[Card]) -> str:
    """Cards as alternatives: "AS, TS or KS"."""
    *others, last = cards
    return f"{', '.join(others)} or {last}" if others else last


# Prompts


def follow_prompt(led: Card | None, cards: Sequence[Card], hand: Sequence[Card]) -> str:
    """cards: those of the hand that may be played."""
    if len(hand) == 1:
        return f"{led} was led. Play your last card."
    return f"{led} was led. Play {'any card' if len(cards) == len(hand) else either(cards)}."


def lead_prompt(declared: str | None, *, can_marry: bool) -> str:
    if declared is not None:
        return f"Lead {either(pair_of(declared))}, or claim 66 if you have it."
    return "Lead a card, or declare a marriage first." if can_marry else "Lead a card."


AFTER_PROMPT = "Your trick. Draw, or close the stock before the draw."
FINAL_PROMPT = "You won the last trick. Claim 66 if you have it, or end the hand."

# What players say, by the verb of the log.
SPOKEN = {"declare": "Marriage", "close": "I close", "exchange": "The nine"}


# Moves in words, for buttons and the log


def marriage_phrase(suit: str, worth: int) -> Phrase:
    return Phrase("declare", f"the marriage {' '.join(pair_of(suit))} for {worth}")


def exchange_phrase(nine: Card, upcard: Card | None) -> Phrase:
    return Phrase("exchange", f"{nine} for {upcard}")


CALL_PHRASES = {
    CLOSE: Phrase("close", "the stock"),
    DRAW: Phrase("draw"),
    END: Phrase("end", "the hand"),
    CLAIM: Phrase("claim", "66"),
    ASK_POINTS: Phrase("ask", "for the points"),
    LOOK_BACK: Phrase("look", "at the tricks won"),
}


# Why a move is not allowed

# The rules that say when these are done.
TURN_RULES: dict[Call, str] = {
    EXCHANGE: "nine-window",
    CLOSE: "close-window",
    DRAW: "draw-order",
    CLAIM: "claim-when",
    ASK_POINTS: "no-scorekeeping",
    LOOK_BACK: "no-looking-back",
}


def turn_rule(move: Move) -> str:
    if isinstance(move, Call):
        return TURN_RULES.get(move, "nondealer-leads")
    return "marriage" if isinstance(move, Marry) else "nondealer-leads"


def not_your_turn(move: Move, *, is_over: bool) -> str:
    if is_over:
        return "The game is over. Start a new one to play on."
    return f"It's the other player's turn. {'Claim' if move == CLAIM else 'Play'} when it's yours."


def what_now(phase: Phase, cards: Sequence[Card]) -> str:
    """What to do instead. cards: the answers to the card led, or the pair of a marriage that was declared."""
    if phase is FOLLOW:
        return f"Play {either(cards)}."
    if cards:
        return f"Lead {either(cards)}."
    return {LEAD: "Lead a card.", AFTER: "Draw first.", FINAL: "End the hand, or claim 66."}[phase]


def must_answer(led: Card, card: Card, allowed: Sequence[Card]) -> str:
    """Why the answers to the card led are `allowed` and this card is none of them."""
    if allowed[0][1] != led[1]:
        why = f"You have no {SUIT_NAMES[led[1]]}, so you must trump"
    elif beats(allowed[0], led, RANKS) and card[1] == led[1]:
        why = f"You can beat {led}, so you must"
    else:
        why = f"{SUIT_NAMES[led[1]].capitalize()} were led, so you must follow suit"
    return f"{why}. Play {either(allowed)}."
