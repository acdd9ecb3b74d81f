"""Scoring of Gin Rummy: what a hand gives, the bonuses at the end, and why a game is won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from games.core.contract import HandResult, Options, Outcome, ScoreLine, Zone
from games.core.words import counted
from games.engines.gin_rummy.moves import SEATS

DEAD_HANDS_IN_A_ROW = 5
SHUTOUT_BONUS = 200

Line: TypeAlias = tuple[str, str, int]  # short id of a rule, what it counts, points


class HandScore(NamedTuple):
    """A hand that has ended. winner: None if nobody scores. lines: what the winner gets."""

    winner: int | None
    summary: str
    lines: Sequence[Line] = ()


DEAD_HAND = HandScore(None, "Only two cards are left in the stock")


def showdown_score(knocker: int, mine: int, theirs: int, *, is_big_gin: bool, options: Options) -> HandScore:
    """The score of a knock. mine, theirs: the deadwood of the knocker and of the defender."""
    defender = 1 - knocker
    if mine == 0:
        summary = f"@{knocker} [go] {'big gin' if is_big_gin else 'gin'}, @{defender} [have] {theirs} left"
        return HandScore(knocker, summary, _gin_lines(theirs, is_big_gin, options))
    if mine < theirs:
        summary = f"@{knocker} [knock] with {mine} against {theirs}"
        return HandScore(knocker, summary, [("score-knock", f"{theirs} less {mine}", theirs - mine)])
    if mine == theirs and not options["undercut_on_tie"]:
        return HandScore(None, f"@{knocker} [knock] with {mine}, and @{defender} [have] the same")
    summary = f"@{knocker} [knock] with {mine}, @{defender} [undercut] with {theirs}"
    lines = [
        ("score-undercut", f"{mine} less {theirs}", mine - theirs),
        ("score-undercut", "Undercut bonus", int(options["undercut_bonus"])),
    ]
    return HandScore(defender, summary, lines)


def _gin_lines(theirs: int, is_big_gin: bool, options: Options) -> list[Line]:
    rule, name = ("big-gin", "Big gin bonus") if is_big_gin else ("score-gin", "Gin bonus")
    bonus = int(options["big_gin" if is_big_gin else "gin_bonus"])
    return [(rule, "Deadwood of the other hand", theirs), (rule, name, bonus)]


def hand_result(number: int, score: HandScore, zones: tuple[Zone, ...], *, is_doubled: bool) -> HandResult:
    winner, summary, lines = score
    if winner is None:
        return HandResult(number, f"{summary}; no one scores.", (0,) * SEATS, zones=zones)
    total = sum(points for _rule, _text, points in lines)
    if is_doubled:
        lines = [*lines, (lines[0][0], "Doubled, because the first upcard was a spade", total)]
        total *= 2
    return HandResult(
        number,
        f"{summary}; {counted(total, 'point')} for @{winner}.",
        tuple(total if seat == winner else 0 for seat in range(SEATS)),
        tuple(ScoreLine((winner,), f"gin-rummy:{rule}", text, points) for rule, text, points in lines),
        zones,
    )


# The end of the game


def game_outcome(scores: Sequence[int], hands_won: Sequence[int], options: Options) -> Outcome:
    """The result of a game at its target, or after too many dead hands."""
    if scores[0] == scores[1]:
        return _drawn(scores, hands_won)
    winner = 0 if scores[0] > scores[1] else 1
    lines = _bonuses(winner, scores, hands_won, options)
    totals = [scores[seat] + sum(line.points for line in lines if seat in line.seats) for seat in range(SEATS)]
    if scores[winner] >= int(options["target"]):
        reason = f"@{winner} [win] with {scores[winner]} points against {scores[1 - winner]}"
    else:
        reason = f"Five hands in a row were dead, so @{winner} [win] as the leader"
    ours, theirs = totals[winner], totals[1 - winner]
    reason += f"; with the bonuses {ours} to {theirs}, a margin of {ours - theirs}."
    return Outcome(tuple(totals), (1, 2) if winner == 0 else (2, 1), reason, tuple(lines))


def _drawn(scores: Sequence[int], hands_won: Sequence[int]) -> Outcome:
    boxes = tuple(
        ScoreLine((seat,), "gin-rummy:dead-cap", f"{counted(won, 'hand')} won, shown only", 0)
        for seat, won in enumerate(hands_won)
    )
    reason = "Five hands in a row were dead and the scores are equal, so the game is drawn."
    return Outcome(tuple(scores), (1, 1), reason, boxes)


def _bonuses(winner: int, scores: Sequence[int], hands_won: Sequence[int], options: Options) -> list[ScoreLine]:
    is_shutout = scores[1 - winner] == 0
    lines = []
    if is_shutout and options["shutout"] == "bonus-200":
        lines.append(ScoreLine((winner,), "gin-rummy:shutout", "Game bonus after a shutout", SHUTOUT_BONUS))
    elif options["game_bonus"]:
        lines.append(ScoreLine((winner,), "gin-rummy:game-bonus", "Game bonus", int(options["game_bonus"])))
    box = int(options["box_bonus"])
    for seat, won in enumerate(hands_won):
        if won and box:
            lines.append(
                ScoreLine((seat,), "gin-rummy:box-bonus", f"{counted(won, 'hand')} won, {box} each", won * box)
            )
    if is_shutout and options["shutout"] == "double-total":
        total = scores[winner] + sum(line.points for line in lines if winner in line.seats)
        lines.append(ScoreLine((winner,), "gin-rummy:shutout", "Everything counts double after a shutout", total))
    return lines
