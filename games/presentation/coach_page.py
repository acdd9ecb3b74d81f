"""Coach page: a finished review in words and figures, from the rows that are stored."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

from games import bots
from games.bots import LEVELS
from games.bots.coach import LEVELS_ASKED, evaluator_of
from games.bots.matches import score_share
from games.bots.rollouts import PERCENT, chance_of
from games.core.cards import CARD_IN_TEXT
from games.core.contract import Event, Move, Outcome, View
from games.core.words import render_text
from games.models import CoachReview, Table
from games.presentation.board import Board, Refusal, build_board
from games.presentation.coach_tallies import Tally, kinds_of, parts_of, whole_percent
from games.presentation.percent_graph import PercentGraph, percent_graph
from games.presentation.score_words import made_of
from games.presentation.table_wording import result_reason
from games.record.coach_rows import DecisionRow, costliest_first, rows_of
from games.record.playback import Playback, playback_of

MOVES_SHOWN = 8
SAME = 0.05  # below it, a difference rounds to nothing
WHOLE = 2.5  # from here on, a rounded cost has no halves
SENTENCE_END = re.compile(r"(?<=\.) ")
NOTHING_APART = "As much can be said for your move, but this one came out ahead in the deals that the coach tried."
MOST_HAND_LINES = 12  # on the graph; more would be a grid


@dataclass(frozen=True, slots=True)
class HandLuck:
    """What brought the result of a hand, in points of lead.

    dealt: by the cards, as the best play was worth at the first decision. play: by the player's mistakes, never above
    0. rest: by all that came later. is_finished: the game was not ended during it.
    """

    number: int
    start: int
    is_finished: bool
    dealt: float
    play: float
    rest: float
    result: float

    @property
    def signed(self) -> list[str]:
        return [signed(value) for value in (self.dealt, self.play, self.rest, self.result)]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake in the list. number: 1 is the costliest. was_asked: the player had asked the coach at the table.

    chance: see `worth`.
    """

    number: int
    row: DecisionRow
    played: str
    best: str
    was_asked: bool
    chance: str

    @property
    def worth(self) -> str:
        return worth(self.row.loss, self.chance)

    @property
    def about(self) -> str:
        return about(self.row.loss, self.chance)


@dataclass(frozen=True, slots=True)
class TriedMove:
    """A move in notation and in words. behind: what it brings less than the best one, give or take the error.

    who: chose it: "you, Club bot", "" for no one.
    """

    move: str
    text: str
    behind: float
    error: float
    is_best: bool
    who: str

    @property
    def gap(self) -> str:
        """What is no worse than the best move counts as much."""
        return "as good" if self.behind < SAME else signed(-self.behind)

    @property
    def range_text(self) -> str:
        """Between which two numbers the cost lies, with 95 % certainty: "0 to 5.6"."""
        low, high = (round(max(self.behind + error, 0.0), 1) for error in (-self.error, self.error))
        return f"{low:g} to {high:g}"


@dataclass(frozen=True, slots=True)
class Summary:
    """The review in figures. lead: at the end of the game, in points. luck: what of it was not the player's mistakes.

    cut_short: why the game ended before its rules said so, in a sentence; "" if it did not.
    bonus: what of the lead was counted at the end of the game, and in no hand. prize: what winning or losing the game
    counted as, on top of the lead; 0 where the coach counts points alone.
    cost: of all mistakes that are measured in points. has_points: some are, as the game has points.
    asked: number of decisions before which the player asked the coach. unjudged: that may hide a mistake.
    """

    sides: int
    decisions: int
    unjudged: int
    asked: int
    cut_short: str
    mistakes: tuple[Mistake, ...]
    cost: float
    has_points: bool
    lead: float
    bonus: float
    prize: float
    hands: tuple[HandLuck, ...]
    kinds: tuple[Tally, ...]
    parts: tuple[Tally, ...]
    agreed: tuple[tuple[str, int], ...]
    graph: PercentGraph

    @property
    def judged(self) -> int:
        return self.decisions - self.unjudged

    @property
    def accuracy(self) -> int:
        """Of the decisions that were judged, if any were."""
        return whole_percent(self.judged - len(self.mistakes), self.judged)

    @property
    def chance(self) -> str:
        return chance_name(self.sides)

    @property
    def late_cost(self) -> str:
        """The costliest mistake that is measured in chances of winning, "" for none."""
        losses = [mistake.row.loss for mistake in self.mistakes if mistake.row.in_percent]
        return worth(max(losses), self.chance) if losses else ""

    @property
    def cost_text(self) -> str:
        return worth(self.cost)

    @property
    def standing(self) -> str:
        """How the score was at the end: "14 points ahead", "level", "3 points behind the others' average"."""
        points = worth(abs(self.lead))
        if self.sides == 2:
            return f"{points} {'ahead' if self.lead > 0 else 'behind'}" if self.lead else "level"
        how = f"{points} {'ahead of' if self.lead > 0 else 'behind'}" if self.lead else "level with"
        return f"{how} the others' average"

    @property
    def prize_text(self) -> str:
        """What the coach counted besides points: "losing the game counts as 40 points more", "" for nothing."""
        counted = worth(abs(self.prize))
        return f"{'winning' if self.prize > 0 else 'losing'} the game counts as {counted} more" if self.prize else ""

    @property
    def lead_parts(self) -> tuple[str, str] | None:
        """The lead in the hands, and by the count at the end of the game; None if there was no such count."""
        return (signed(self.lead - self.bonus), signed(self.bonus)) if self.bonus else None

    @property
    def result(self) -> float:
        """What hands and game brought, as the coach counts mistakes."""
        return self.lead - self.bonus + self.prize

    @property
    def result_text(self) -> str:
        return signed(self.result)

    @property
    def luck(self) -> float:
        """What was not the player's mistakes: the cards, and how the others played."""
        return self.result + self.cost

    @property
    def luck_text(self) -> str:
        return signed(self.luck)

    @property
    def luck_worth(self) -> str:
        return worth(abs(self.luck))

    @property
    def about_cost(self) -> str:
        """What all mistakes cost, "" where one is not measured in points."""
        return "" if self.late_cost else about(self.cost)


def chance_name(sides: int) -> str:
    """What chances are measured of: with more than two sides the share of the others that are left behind."""
    return "winning" if sides == 2 else "beating an opponent"


def measured_chance(row: DecisionRow, table: Table) -> str:
    return chance_name(len(table.sides)) if row.in_percent else ""


def worth(value: float, chance: str = "") -> str:
    """A loss with its unit: "3.5 points", "1 point", "12 % of winning". chance: that it is percent of, if any."""
    if chance:
        return f"{value:.0f} % of {chance}"
    text = f"{round(value, 1):g}"
    return f"{text} {'point' if text == '1' else 'points'}"


def about(value: float, chance: str = "") -> str:
    """The same without decimals that no estimate is good for: "about 14 points", "about 0.5 points"."""
    return f"about {worth(round(value) if value >= WHOLE else round(2 * value) / 2, chance)}"


def signed(points: float) -> str:
    """Points with their sign: "+3.5", "−14", "0"."""
    rounded = round(points, 1)
    return f"{'+' if rounded > 0 else '−' if rounded < 0 else ''}{abs(rounded):g}"


def costs_of(table: Table, reviews: Iterable[CoachReview]) -> dict[int, str]:
    """By number of the move, what a mistake has cost; for the list of moves of a replay."""
    rows = (row for review in reviews for row in rows_of(review))
    return {row.at + 1: worth(row.loss, measured_chance(row, table)) for row in rows if row.is_mistake}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the coach says of the next move of a replay. touches: the cards and zones of the best move."""

    player: str
    played: str
    best: str
    text: str
    touches: tuple[str, ...]


def verdict_at(table: Table, reviews: Iterable[CoachReview], at: int) -> Verdict | None:
    """The verdict on the move after `at` rows of the record; None where the best move was played or none was judged."""
    found = ((review.seat, row) for review in reviews for row in rows_of(review) if row.at == at)
    seat, row = next(found, (0, None))
    if row is None or row.played == row.best:
        return None
    view, rules = view_of(table, row, seat), table.rules
    gap = about(row.loss, measured_chance(row, table))
    text = f"costs {gap} on average" if row.is_mistake else "is about as good"
    played, best = _words(table, view, row.played), _words(table, view, row.best)
    return Verdict(table.names[seat], played, best, text, view.choice(rules.parse(row.best)).touches)


def asked_moves(table: Table, game: Playback) -> set[int]:
    """Numbers of the moves before which the player asked the coach, and of those made in their place after an undo."""

    def next_move(seat: int, number: int) -> set[int]:
        row = next((row for row in game.rows[number:] if row.seat == seat), None)
        return {row.number} if row and row.takes_back_to is None else set()

    asked: set[int] = set()
    for seat, number in table.coach_questions.values_list("seat", "number").distinct():
        asked |= next_move(seat, number)
    for row in game.rows:
        if row.takes_back_to is not None and row.takes_back_to + 1 in asked:
            asked |= next_move(row.seat, row.number)
    return asked


def costliest(rows: Iterable[DecisionRow]) -> list[DecisionRow]:
    """The mistakes, costliest first."""
    return costliest_first(row for row in rows if row.is_mistake)


def summary_of(review: CoachReview, table: Table) -> Summary | None:
    """None if there was no decision to judge."""
    rows = rows_of(review)
    if not rows:
        return None
    game = playback_of(table)
    worst, asked = costliest(rows), asked_moves(table, game)
    return Summary(
        sides=len(table.sides),
        decisions=len(rows),
        unjudged=sum(row.is_unjudged for row in rows),
        asked=sum(row.at + 1 in asked for row in rows),
        cut_short="" if table.ended_by == Table.EndedBy.RULES else result_reason(table, review.seat),
        mistakes=tuple(
            _mistake(number, row, table, review.seat, game, was_asked=row.at + 1 in asked)
            for number, row in enumerate(worst, 1)
        ),
        cost=sum(row.cost for row in rows if not row.in_percent),
        has_points=any(not row.in_percent for row in rows),
        lead=_lead(table, review.seat, table.result["scores"]),
        bonus=_bonus(table, review.seat, game),
        prize=_prize(table, review.seat, game),
        hands=tuple(_hands(rows, table, review.seat, game)),
        kinds=kinds_of(rows),
        parts=parts_of([rows], table.rules.deal_word),
        agreed=_agreed(rows),
        graph=_graph(rows, worst, table, review.seat, game),
    )


def _mistake(number: int, row: DecisionRow, table: Table, seat: int, game: Playback, *, was_asked: bool) -> Mistake:
    view = game.state_at(row.at).view(seat)
    played, best = _words(table, view, row.played), _words(table, view, row.best)
    return Mistake(number, row, played, best, was_asked, measured_chance(row, table))


def _words(table: Table, view: View, text: str) -> str:
    return render_text(view.choice(table.rules.parse(text)).phrase.text, table.names, view.seat)


def _lead(table: Table, seat: int, scores: Sequence[int]) -> float:
    """Lead over the average of the other sides, as `games.bots.rollouts` counts it."""
    merits = table.rules.merits(table.options, scores)
    others = [merits[side[0]] for side in table.sides if seat not in side]
    return merits[seat] - sum(others) / len(others)


def _bonus(table: Table, seat: int, game: Playback) -> float:
    """What the score of the game has more than those of its hands, in points of lead. It was played to its end."""
    if table.ended_by != Table.EndedBy.RULES:
        return 0.0
    in_hands = sum(_lead(table, seat, deal.result.points) for deal in game.deals if deal.result)
    return _lead(table, seat, table.result["scores"]) - in_hands


def _prize(table: Table, seat: int, game: Playback) -> float:
    """What the coach counts for the game that was won, or against it if it was lost.

    Nothing where the rules have not ended it: it was given up, or had a fixed number of deals.
    """
    is_won = game.state_at(table.move_count).outcome() is not None
    prize = evaluator_of(table.game).prize if is_won else 0.0
    return prize if table.result["places"][seat] == 1 else -prize


def _hands(rows: Sequence[DecisionRow], table: Table, seat: int, game: Playback) -> Iterable[HandLuck]:
    """The hands, with what an unfinished one had brought so far.

    All of a hand in which the player had nothing to decide is what followed.
    """
    before = 0.0
    for deal in game.deals:
        own = [row for row in rows if row.hand == deal.number]
        if deal.result is None:
            gained = _lead(table, seat, table.result["scores"]) - before
        else:
            gained = _lead(table, seat, deal.result.points)
        if deal is game.deals[-1]:
            gained += _prize(table, seat, game)
        dealt = own[0].best_lead - before if own else 0.0
        cost = sum(row.cost for row in own if not row.in_percent)
        yield HandLuck(deal.number, deal.start, deal.result is not None, dealt, -cost, gained - dealt + cost, gained)
        before += gained


def _agreed(rows: Sequence[DecisionRow]) -> tuple[tuple[str, int], ...]:
    """By level, in how many percent of the decisions a bot made the same move."""
    return tuple(
        (LEVELS[level], whole_percent(sum(row.chosen.get(level) == row.played for row in rows), len(rows)))
        for level in LEVELS_ASKED
    )


def _graph(rows: Sequence[DecisionRow], worst: Sequence[DecisionRow], table: Table, seat: int, game: Playback) -> Any:
    first = {row.hand: row for row in reversed(rows)}
    swing = sum(row.spread for row in first.values()) / len(first)
    last_hand = len(game.deals)
    has_points = any(not row.in_percent for row in rows)

    def chance(row: DecisionRow) -> float:
        if not has_points:
            return row.lead
        return PERCENT * chance_of(row.lead, sqrt(row.spread**2 + (last_hand - row.hand) * swing**2))

    side = next(side for side in table.sides if seat in side)
    result = table.result
    end = Outcome(tuple(result["scores"]), tuple(result["places"]), result["reason"])
    chances = [(row.at + 1, min(max(chance(row), 0.0), PERCENT)) for row in rows]
    hands = [(deal.start, deal.number) for deal in game.deals] if last_hand <= MOST_HAND_LINES else []
    return percent_graph(
        [(0, PERCENT / 2), *chances, (table.move_count, PERCENT * score_share(end, side))],
        last=table.move_count,
        marks=hands,
        spots=[row.at + 1 for row in worst],
    )


# One mistake


@dataclass(frozen=True, slots=True)
class PractiseAnswer:
    """What another try at a mistake came to. worth: what the move costs, "" where that was not measured."""

    text: str
    is_right: bool
    worth: str


def view_of(table: Table, row: DecisionRow, seat: int) -> View:
    """What the player saw before the decision."""
    view: View = playback_of(table).state_at(row.at).view(seat)
    return view


def practise_answer(table: Table, row: DecisionRow, view: View, move: Move) -> PractiseAnswer:
    """A move is right if it is the best one, or if no difference to it could be measured."""
    text = str(move)
    gaps = {value["move"]: (value["behind"], value["error"]) for value in row.values} | {row.best: (0.0, 0.0)}
    gaps[row.played] = (row.loss, row.error)
    behind, error = gaps.get(text, (0.0, -1.0))
    is_right = behind <= error
    cost = worth(behind, measured_chance(row, table)) if text in gaps and not is_right else ""
    return PractiseAnswer(_words(table, view, text), is_right, cost)


def mistake_context(table: Table, row: DecisionRow, seat: int) -> dict[str, Any]:
    """The board as the player saw it, with the move played, and what was better and why."""
    view, rules = view_of(table, row, seat), table.rules
    played, best = rules.parse(row.played), rules.parse(row.best)
    compared = bots.comparison(rules.slug, view, best, played)
    reason = compared or bots.reason(rules.slug, view, best)
    of_played = bots.reason(rules.slug, view, played)
    against = of_played.risk or ("" if compared else _what_differs(of_played.text, reason.text))
    because = reason.text if compared or against else f"{reason.text} {NOTHING_APART}"
    return {
        "board": board_with_move(
            view, played, table.names, seq=row.at, best=view.choice(best).touches, sides=table.sides
        ),
        "row": row,
        "reason": Refusal(render_text(because, table.names, seat), reason.rule),
        "against": render_text(against, table.names, seat),
        "parts": []
        if row.in_percent
        else [(words, signed(gained)) for words, gained in made_of(row.made_of, row.loss)],
        "moves": tried_moves(table, row, view),
    }


def _what_differs(text: str, other: str) -> str:
    """The sentences of a reason that another reason has not, not even of other cards."""
    said = {CARD_IN_TEXT.sub("", sentence) for sentence in SENTENCE_END.split(other)}
    return " ".join(sentence for sentence in SENTENCE_END.split(text) if CARD_IN_TEXT.sub("", sentence) not in said)


def board_with_move(
    view: View,
    move: Move,
    names: Sequence[str],
    *,
    seq: int,
    best: Sequence[str] = (),
    sides: Sequence[Sequence[int]] = (),
) -> Board:
    """The board as the player saw it, without moves; what the move played and the best one touch is marked."""
    choice = view.choice(move)
    log = (*view.log, Event(view.seat, choice.phrase, choice.touches))
    shown = replace(view, moves=(), to_act=(), log=log)
    return build_board(shown, names=names, seq=seq, best=best, sides=sides)


def tried_moves(table: Table, row: DecisionRow, view: View) -> list[TriedMove]:
    """The best move, the one played, those that bots choose and the next best ones, best first."""
    measured = {row.best: (0.0, 0.0)}
    measured |= {value["move"]: (value["behind"], value["error"]) for value in row.values}
    if row.worlds:
        measured[row.played] = (row.loss, row.error)
    wanted = {row.played, *row.chosen.values(), *list(measured)[:MOVES_SHOWN]}

    def tried(text: str) -> TriedMove:
        behind, error = measured[text]
        bots_choosing = [f"{LEVELS[level]} bot" for level in LEVELS_ASKED if row.chosen.get(level) == text]
        who = ", ".join(["you"] * (text == row.played) + bots_choosing)
        return TriedMove(text, _words(table, view, text), behind, error, text == row.best, who)

    shown = [text for text in measured if text in wanted]
    return [tried(text) for text in sorted(shown, key=lambda text: (text != row.best, measured[text][0]))]
