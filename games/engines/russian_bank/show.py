"""Show at the end of a game of Russian Bank: the cards left in stock, reserve and waste, and what they score."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.cards import Card
from games.core.contract import HandEnd, Phrase, Show, Stage, Zone
from games.core.shows import line_points, scores_before, with_cards
from games.core.words import counted
from games.engines.russian_bank.moves import GO, SEATS, STOP, Deed, Play, RussianBankMove
from games.engines.russian_bank.scoring import STOCK_POINTS
from games.engines.russian_bank.state import RussianBankState
from games.engines.russian_bank.words import events_of


def show_game(end: HandEnd[RussianBankState, RussianBankMove]) -> Show:
    final = end.before.copy()
    last = _last_deed(final, end.seat, end.move)
    count = _out(end, final) if final.is_out(final.turn) else _blocked(end, final)
    return Show(scores_before(end), _zones(final), (*_stage_of(last), *count))


def _last_deed(state: RussianBankState, seat: int, move: RussianBankMove) -> Deed | None:
    """Makes the last move of a game and no more, and says what the log makes of it.

    A player who says GO ends the game with the last deed of the other; a position may be without it.
    """
    if isinstance(move, Play):
        card = state.take(seat, move.source)
        state.put(seat, move.target, card)
        return Deed(seat, f"{move.source}>{move.target}", card)
    if move == STOP:
        assert state.mark is not None, "without an error a call ends nothing"
        state.take_back(state.mark)
        return Deed(seat, "STOP!")
    if move == GO:
        return next((deed for deed in reversed(state.log) if deed.seat == state.turn), None)
    return Deed(seat, "P")


def _stage_of(deed: Deed | None) -> Iterator[Stage]:
    for event in events_of([deed] if deed else []):
        yield Stage(event.phrase, event.seat, event.touches)


def _zones(final: RussianBankState) -> tuple[Zone, ...]:
    """The table with stock, reserve and waste turned up."""
    packets = {"stock": final.stock, "reserve": final.reserve, "waste": final.waste}
    opened = {f"{name}:{seat}": piles[seat] for name, piles in packets.items() for seat in range(SEATS)}
    zones = final.view(None).zones
    return tuple(with_cards(zone, opened[zone.id]) if zone.id in opened else zone for zone in zones)


def _others_left(final: RussianBankState, seat: int) -> tuple[Card, ...]:
    return (*final.reserve[seat], *final.waste[seat])


def _out(end: HandEnd[RussianBankState, RussianBankMove], final: RussianBankState) -> Iterator[Stage]:
    winner = final.turn
    stock, others = tuple(final.stock[1 - winner]), _others_left(final, 1 - winner)
    parts: list[tuple[str, tuple[Card, ...]]] = [
        ("going out", ()),
        (f"{counted(len(stock), 'card')} in @{1 - winner}'s stock, at {STOCK_POINTS} each", stock),
        (f"{counted(len(others), 'card')} in @{1 - winner}'s reserve and waste", others),
    ]
    for line, (text, cards) in zip(end.result.lines, parts, strict=True):
        if line.points:
            phrase = Phrase("score", f"{line.points} for {text}")
            yield Stage(phrase, winner, cards, points=line_points(line, SEATS), rule=line.rule)


def _blocked(end: HandEnd[RussianBankState, RussianBankMove], final: RussianBankState) -> Iterator[Stage]:
    reason = "The game is blocked: both have gone round twice without a foundation card"
    yield Stage(Phrase("", reason), rule="russian-bank:blocked")
    for seat in range(SEATS):
        stock, others = tuple(final.stock[seat]), _others_left(final, seat)
        parts = f"{STOCK_POINTS * len(stock)} for the stock and {len(others)} for reserve and waste"
        phrase = Phrase("count", f"{final.value_left(seat)}, {parts}")
        yield Stage(phrase, seat, (*stock, *others), rule="russian-bank:score-blocked")
    if not end.result.lines:
        yield Stage(Phrase("", "Both count the same, so no one scores"), rule="russian-bank:score-blocked")
    for line in end.result.lines:
        (winner,) = line.seats
        phrase = Phrase("score", f"{line.points}, the difference")
        yield Stage(phrase, winner, points=line_points(line, SEATS), rule=line.rule)
