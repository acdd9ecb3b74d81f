"""Story of a finished game in two figures: by how much it was won, and the hand that won most of it."""

from collections.abc import Sequence
from typing import NamedTuple

from games.core.words import counted, players_in_words, render_text
from games.models import Table
from games.presentation.score_sheets import HandSheet


class BiggestSwing(NamedTuple):
    """The hand, counted from 1, that brought the winners most. text: "in hand 2 Ben gains 30 points on Ada"."""

    hand: int
    text: str


def margin(table: Table) -> int:
    """Points between the winners and the next side, 0 without winners or where points do not decide."""
    is_counted = table.ended_by == Table.EndedBy.RULES and table.rules.counts_points(table.options)
    if not table.winners or not is_counted:
        return 0
    winner, others = _winner(table), _other_sides(table)
    scores = table.result["scores"]
    return min((abs(scores[winner] - scores[side[0]]) for side in others), default=0)


def biggest_swing(table: Table, hands: Sequence[HandSheet], reader: int | None = None) -> BiggestSwing | None:
    """The hand in which the winners gained most on the side that did best against them.

    reader: the seat of the player who is called "you".
    None with fewer than two hands, without winners or other sides, or where no hand made a difference.
    """
    others = _other_sides(table)
    if len(hands) < 2 or not table.winners or not others:
        return None
    winner, best = _winner(table), -1 if table.rules.fewer_is_better(table.options) else 1

    def swing(hand: HandSheet) -> tuple[int, tuple[int, ...]]:
        rival = max(others, key=lambda side: best * hand.points[side[0]])
        return best * (hand.points[winner] - hand.points[rival[0]]), rival

    hand = max(hands, key=lambda hand: swing(hand)[0])
    points, rival = swing(hand)
    if points <= 0:
        return None
    winners = next(side for side in table.sides if winner in side)
    gain = f"[gain] {counted(points, 'point')} on" if best > 0 else f"[take] {counted(points, 'point')} fewer than"
    text = f"in {table.rules.deal_word} {hand.number} {players_in_words(winners)} {gain} {players_in_words(rival)}"
    return BiggestSwing(hand.number, render_text(text, table.names, reader))


def _winner(table: Table) -> int:
    return table.winners[0].number


def _other_sides(table: Table) -> list[tuple[int, ...]]:
    won = {seat.number for seat in table.winners}
    return [side for side in table.sides if not won & set(side)]
