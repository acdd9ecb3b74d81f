"""Why a move of Russian Bank is refused: the first rule that it breaks, and a sentence about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from games.core.cards import Card
from games.core.contract import Move
from games.engines.russian_bank.layout import RussianBankLayout
from games.engines.russian_bank.moves import (
    BUILDS_ON,
    FOUNDATION,
    GO,
    LOADS,
    OPENING,
    PASS,
    SHIFT,
    STOCK,
    STOP,
    THEIR_STOCK,
    TURNED,
    WASTE,
    Play,
)
from games.engines.russian_bank.words import either_of

Refusal: TypeAlias = tuple[str, str]  # short id of a rule, and a sentence


def why_not_now(layout: RussianBankLayout, seat: int, move: Move) -> Refusal:
    """Why a seat that is not on turn, or not to act, cannot make a move."""
    if not layout.to_act:
        rule = "out-win" if layout.is_out(0) or layout.is_out(1) else "blocked"
        return rule, "The game is over."
    if move == STOP and seat != layout.turn:
        casual = layout.options["mode"] == "casual"
        rule = "casual-wrong-call" if casual else "strict-mode"
        why = "You have called three times without an error" if casual else "No one can make an error at this table"
        return rule, f"{why}, so you can't call stop; wait for your turn."
    if layout.phase is SHIFT and seat == layout.turn:
        return "turn-end", "Your turn is over; the other player takes theirs, or calls stop."
    if layout.phase is SHIFT:
        return "casual-shift", "The other player has finished: take your turn first, then play."
    return "turn-end", "It's the other player's turn until they put a card on the waste; yours comes next."


def why_not(layout: RussianBankLayout, seat: int, move: Move) -> Refusal:
    """Why the seat on turn cannot make a move that is not legal."""
    if move in (STOP, GO):
        return _why_no_answer(layout, move)
    if isinstance(move, Play):
        closed = _why_not_these_places(layout, move)
        if closed is not None:
            return closed
    due = layout.due_of(layout.free_cards(seat))
    if layout.phase is OPENING:
        return "start-aces", f"The game opens with your piles: play {either_of(due)} to a foundation first."
    if due and not layout.may_err():
        return _why_first(layout, seat, move, due)
    if isinstance(move, Play):
        return _why_no_play(layout, seat, move)
    if move == PASS:
        return "pass-no-reserve", "You can only pass when your reserve and waste are empty; turn up or place a card."
    if layout.turned is not None:
        return "reserve-one-at-a-time", f"{layout.turned} is already turned up; find a place for it first."
    if not layout.reserve[seat] and not layout.waste[seat]:
        return (
            "pass-no-reserve",
            "Your reserve and waste are empty, so there is no card to turn up; play a card or pass.",
        )
    return "vacancy-fill", "Fill the empty pile before you turn up a reserve card; your stock card can go there."


def _why_no_answer(layout: RussianBankLayout, move: Move) -> Refusal:
    if layout.options["mode"] != "casual":
        return "strict-mode", "You can only call stop in casual games; play a card or turn one up."
    rule = "casual-stop" if move == STOP else "casual-shift"
    return rule, "It's your turn; play a card or turn one up."


def _why_not_these_places(layout: RussianBankLayout, move: Play) -> Refusal | None:
    """Why no card may ever go from or to a place, None where it may."""
    if move.source == WASTE:
        return "waste-closed", "You can't use your waste until it is turned over; use your stock, reserve or piles."
    if move.source in LOADS:
        return "tableau-own", "You can't move the other player's cards; use your own."
    if not {move.source, move.target}.isdisjoint("5678") and not layout.options["shared_tableau"]:
        return "tableau-own", "Those piles belong to the other player; use your own four."
    return None


def _why_first(layout: RussianBankLayout, seat: int, move: Move, due: Sequence[Play]) -> Refusal:
    if due[0].source == STOCK and move in due and not layout.is_misnamed(seat, move):
        return "stock-first", f"The stock card goes first: play {due[0].card} to its foundation."
    return "foundation-forced", f"{either_of(due)} fits a foundation: play it there before anything else."


def _why_no_play(layout: RussianBankLayout, seat: int, move: Play) -> Refusal:
    card = layout.top(seat, move.source)
    if card is None or layout.is_misnamed(seat, move):
        return _why_not_from(move, card)
    if move.target == FOUNDATION:
        if not any(pile and pile[0][1] == card[1] for pile in layout.foundations):
            return "foundation-ace", f"There is no ace of that suit on the foundations yet; {card} has to wait for it."
        return "foundation-build", f"{card} doesn't fit a foundation now; they go up in suit, one card at a time."
    if move.target == WASTE:
        if move.source != TURNED:
            return "waste-reserve-only", "Only a turned reserve card can go on your waste; turn one up first."
        return "reserve-play", f"{card} fits one of your piles, so it can't go on the waste."
    if move.target in LOADS:
        return _why_no_load(layout, seat, move.target, card)
    below = layout.top(seat, move.target)
    if move.source != move.target and (below is None or below in BUILDS_ON[card]):
        return "no-repeat-arrangement", "Your piles have already been like that this turn; make another move."
    rule = "it needs a card one rank higher and of the other colour, or an empty pile"
    return "tableau-build", f"{card} doesn't go on {below}: {rule}."


def _why_not_from(move: Play, card: Card | None) -> Refusal:
    """Why a card cannot leave a place where `card` is on top, or none."""
    if move.source == STOCK:
        return "stock-turn-up", f"Your stock card is {card}." if card else "Your stock is empty; use another card."
    if move.source == TURNED:
        why_none = "No reserve card is turned up; turn one up first."
        return "reserve-turn", f"Your turned card is {card}." if card else why_none
    if card is None:
        return "tableau-single", f"Pile {move.source} is empty; choose a pile with a card."
    why = f"only {card} can move, one card at a time"
    return "tableau-single", f"{move.card} is not on top of pile {move.source}: {why}."


def _why_no_load(layout: RussianBankLayout, seat: int, target: str, card: Card) -> Refusal:
    below = layout.top(seat, target)
    if below is None:
        pile = "stock" if target == THEIR_STOCK else "waste"
        return "load-face-up-only", f"The other player's {pile} shows no card to load on; play {card} somewhere else."
    if card[1] == below[1] and {card[0], below[0]} == {"A", "K"}:
        return "load-no-wrap", f"King and ace aren't neighbours, so {card} doesn't go on {below}."
    return "load-neighbour", f"{card} doesn't go on {below}: it must be the same suit, one rank higher or lower."
