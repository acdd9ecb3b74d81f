"""Tie-breaks, and the standings of every format that counts points.

Source: FIDE Handbook C.07, Tie-Break Regulations (since 1 March 2026), in our own words: direct encounter (6), games
won (7.2), progressive scores (7.5), Buchholz (8.1), Sonneborn-Berger (9.1), cuts and medians (14.1 to 14.3), fixed
pairings (15), unplayed rounds (16). The text of 2024 has no limit for unplayed rounds (16.4). What differs, because
cards are not chess:
- A table of more than two counts as one round, like a game between two: its opponents count with their mean, so that
  a large table, a small one and a bye weigh the same. A win is to be alone in first place.
- Against each opponent one has 1 for the better place, one half for the same one, else 0, whatever the format pays.
- Head to head takes the mean of all meetings of a pair, so that it does not matter how often they met.
- An annulled match has never been: it is neither a match nor a missed round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, groupby, permutations
from typing import TypeAlias

from tournaments.formats import lots
from tournaments.formats.contract import (
    HALF,
    NOTHING,
    WIN,
    Figure,
    MatchRecord,
    Records,
    Spot,
    Standing,
    match_points,
    result_points,
)
from tournaments.formats.numbers import written

PointsOf: TypeAlias = Callable[[MatchRecord, int], Fraction]
Measured: TypeAlias = Mapping[int, tuple[Fraction, str]]
"""By entrant: the value, more is better, and how it comes about (see `figure_in_table`)."""
Measure: TypeAlias = "Callable[[TieBreakTable, Sequence[int]], Measured]"
NOT_USED = "–"
BOARD_POINTS, MATCH_POINTS = "BP", "MP"
"""Of events for teams, which choose one of them by themselves."""
UNPLAYED_FIELD = {
    "label": "Unplayed rounds in tie-breaks",
    "choices": {"2026": "count with a limit (FIDE, 2026)", "2024": "count with your own points (FIDE, 2024)"},
}
"""For the field `unplayed` of a format; `CAPPED` is its value for the limit."""
CAPPED = "2026"


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break.

    name: as used in a sentence. explanation: for the page, whole sentences.
    measure: of those who are level; some tie-breaks depend on who else that is.
    """

    code: str
    name: str
    explanation: str
    measure: Measure


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What a round was for one entrant.

    match: None where there was none. points: what it gave. opponents: those who were met, () in a round that counts as
    unplayed. scheduled: those who should have been met in a round that a forfeit left unplayed. shares: what one has
    against each of the opponents, or against nobody where there is none; () until it is decided.
    """

    round: int
    match: MatchRecord | None = None
    side: int = 0
    points: Fraction = NOTHING
    opponents: tuple[int, ...] = ()
    scheduled: tuple[int, ...] = ()
    shares: tuple[Fraction, ...] = ()

    @property
    def is_open(self) -> bool:
        return self.match is not None and self.match.places is None

    @property
    def is_forfeit(self) -> bool:
        return self.match is not None and self.match.how == "forfeit"

    @property
    def is_voluntary(self) -> bool:
        """Unplayed, and not because of others: a requested bye, absence, a match that one forfeited (Art. 16.2)."""
        if self.match is None:
            return True
        if self.match.how == "forfeit" and self.match.places:
            return self.match.places[self.side] != 1
        return self.match.how in ("half-bye", "zero-bye")

    @property
    def label(self) -> str:
        """Who was met: "@3", or "round 2 (@3, @5)" for a larger table."""
        if not self.opponents:
            return f"round {self.round} unplayed"
        names = ", ".join(f"@{opponent}" for opponent in self.opponents)
        return names if len(self.opponents) == 1 else f"round {self.round} ({names})"


class TieBreakTable:
    """What every tie-break is computed from, made once.

    results: by entrant, in the order of the rounds. points: by entrant. adjusted: what an entrant counts for
    opponents. rounds: the last one with a result.
    """

    def __init__(self, records: Records, points_of: PointsOf, *, dummies: bool, capped: bool) -> None:
        self.records, self.points_of, self.dummies, self.capped = records, points_of, dummies, capped
        self.results: dict[int, list[RoundResult]] = {entrant.id: [] for entrant in records.entrants}
        counted = [match for match in records.matches if match.how != "annulled"]
        self.rounds = max((match.spot.round for match in counted if match.places is not None), default=0)
        for match in sorted(counted, key=lambda match: match.spot.round):
            for side, entrant in enumerate(match.entrants):
                self.results[entrant].append(self._result(match, side))
        if dummies:
            self._add_missed_rounds()
        self.points = {
            entrant: sum((result.points for result in results), NOTHING) for entrant, results in self.results.items()
        }
        self.adjusted = {entrant: self._adjusted(entrant) for entrant in self.results}

    def _result(self, match: MatchRecord, side: int) -> RoundResult:
        if match.places is None:
            return RoundResult(match.spot.round, match, side)
        points = self.points_of(match, side)
        others = match.entrants[:side] + match.entrants[side + 1 :]
        if match.is_bye or (match.how == "forfeit" and self.dummies):
            shares = (result_points(match, side),)
            return RoundResult(match.spot.round, match, side, points, scheduled=others, shares=shares)
        return RoundResult(match.spot.round, match, side, points, others, shares=shares_against(match.places, side))

    def _add_missed_rounds(self) -> None:
        seen: dict[int, set[int]] = {entrant: set() for entrant in self.results}
        for match in self.records.matches:
            for entrant in match.entrants:
                seen[entrant].add(match.spot.round)
        for entrant, results in self.results.items():
            missed = [number for number in range(1, self.rounds + 1) if number not in seen[entrant]]
            results += [RoundResult(number, shares=(NOTHING,)) for number in missed]
            results.sort(key=lambda result: result.round)

    def _adjusted(self, entrant: int) -> Fraction:
        """The points of an entrant, where byes on request and absence to the end count as draws (Art. 16.3)."""
        total = self.points[entrant]
        if not self.dummies:
            return total
        for result in reversed(self.results[entrant]):
            if not result.is_voluntary:
                break
            if not result.is_forfeit:
                total += self._draw - result.points
        return total

    def dummy_points(self, entrant: int, result: RoundResult) -> Fraction:
        """The points of the opponent that an unplayed round counts as one against (Art. 16.4).

        They are the entrant's own, but capped: by the points of the scheduled opponents (16.4.1), or where there are
        none by a draw in every round (16.4.2).
        """
        own = self.points[entrant]
        if not self.capped:
            return own
        if result.scheduled:
            return min(own, _mean([self.adjusted[opponent] for opponent in result.scheduled]))
        return min(own, self._draw * self.rounds)

    @cached_property
    def _draw(self) -> Fraction:
        """What the format pays for half a win."""
        bye = MatchRecord(Spot("", 1, 0), (0,), (1,), "half-bye", worth=self.records.draw_worth)
        return self.points_of(bye, 0)

    @cached_property
    def encounters(self) -> dict[tuple[int, int], list[Fraction]]:
        """What the first one of a pair had against the second one, each time they met."""
        found: dict[tuple[int, int], list[Fraction]] = {}
        for entrant, results in self.results.items():
            for result in results:
                for opponent, share in zip(result.opponents, result.shares, strict=False):
                    found.setdefault((entrant, opponent), []).append(share)
        return found

    @cached_property
    def lots(self) -> dict[int, int]:
        """The place of each entrant in the order of the lots, from 1."""
        return {
            entrant: place for place, entrant in enumerate(lots.order_by_lot(self.records.lots, self.results), start=1)
        }


def shares_against(places: Sequence[int], side: int) -> tuple[Fraction, ...]:
    """A side's share against each of the others, in their order. 0 for all where nobody came first."""
    own, anybody = places[side], 1 in places
    others = [*places[:side], *places[side + 1 :]]
    return tuple(WIN if own < other else HALF if own == other and anybody else NOTHING for other in others)


# Sums over opponents


@dataclass(frozen=True, slots=True)
class _Term:
    """What a round adds to a sum. text: the words for it."""

    value: Fraction
    text: str
    is_voluntary: bool = False


WeightedTerms: TypeAlias = Callable[[TieBreakTable, int], list[_Term]]


def _opposition(table: TieBreakTable, entrant: int) -> list[tuple[RoundResult, list[Fraction]]]:
    """The rounds that count for a sum over opponents, with what each opponent counts."""
    return [
        (
            result,
            [table.adjusted[opponent] for opponent in result.opponents] or [table.dummy_points(entrant, result)],
        )
        for result in table.results[entrant]
        if not result.is_open and (result.opponents or table.dummies)
    ]


def _buchholz(table: TieBreakTable, entrant: int) -> list[_Term]:
    terms = []
    for result, counts in _opposition(table, entrant):
        value = _mean(counts)
        terms.append(_Term(value, f"{result.label} {written(value)}", result.is_voluntary and not result.opponents))
    return terms


def _sonneborn_berger(table: TieBreakTable, entrant: int) -> list[_Term]:
    terms = []
    for result, counts in _opposition(table, entrant):
        value = _mean([count * share for count, share in zip(counts, result.shares, strict=True)])
        if value:
            terms.append(_Term(value, f"{result.label} {written(value)}"))
    return terms


def _wins(table: TieBreakTable, entrant: int) -> list[_Term]:
    return [
        _Term(WIN, result.label)
        for result in table.results[entrant]
        if result.match and result.match.how == "played" and result.match.winner == entrant
    ]


def _points_made(table: TieBreakTable, entrant: int) -> list[_Term]:
    return [_Term(made, f"{result.label} {written(made)}") for result, made, _ in _games(table, entrant)]


def _point_difference(table: TieBreakTable, entrant: int) -> list[_Term]:
    return [_Term(more, f"{result.label} {written(more)}") for result, _, more in _games(table, entrant)]


def _games(table: TieBreakTable, entrant: int) -> list[tuple[RoundResult, Fraction, Fraction]]:
    """Played rounds, the points made in the games, and by how much these exceed the mean of the others."""
    found = []
    for result in table.results[entrant]:
        if result.match and result.match.how == "played" and result.match.places and result.match.points:
            points = result.match.points
            own = points[result.side]
            found.append((result, own, own - _mean([*points[: result.side], *points[result.side + 1 :]])))
    return found


def _board_points(table: TieBreakTable, entrant: int) -> list[_Term]:
    """With byes and forfeits, as they count for teams."""
    return [
        _Term(match.points[result.side], f"{_opponent(result)} {written(match.points[result.side])}")
        for result in table.results[entrant]
        if (match := result.match) and match.places is not None and match.points
    ]


def _match_points(table: TieBreakTable, entrant: int) -> list[_Term]:
    """Two for a match won, one for a drawn one."""
    return [
        _Term(points, f"{_opponent(result)} {written(points)}")
        for result in table.results[entrant]
        if result.match and (points := 2 * result_points(result.match, result.side))
    ]


def _opponent(result: RoundResult) -> str:
    """Who was met or should have been: "@3"; "bye"."""
    return ", ".join(f"@{opponent}" for opponent in (*result.opponents, *result.scheduled)) or "bye"


def _progressive(table: TieBreakTable, entrant: int) -> list[_Term]:
    by_round = [NOTHING] * (table.rounds + 1)
    for result in table.results[entrant]:
        if not result.is_open:
            by_round[result.round] += result.points
    return [_Term(total, written(total)) for total in accumulate(by_round[1:])]


def _sum(terms: WeightedTerms, *, cut_low: int = 0, cut_high: int = 0) -> Measure:
    """Of the lowest terms, voluntarily missed rounds are cut first (Art. 16.5)."""

    def measured(table: TieBreakTable, entrant: int) -> tuple[Fraction, str]:
        kept = terms(table, entrant)
        by_value = sorted(kept, key=lambda term: (not term.is_voluntary, term.value))
        cut = by_value[:cut_low]
        by_value = sorted(by_value[cut_low:], key=lambda term: term.value)
        cut += by_value[max(len(by_value) - cut_high, 0) :]
        for term in cut:
            kept.remove(term)
        value = sum((term.value for term in kept), NOTHING)
        without = f"; without {_listed(cut)}" if cut else ""
        return value, f"{written(value)}: {_listed(kept) or 'nothing'}{without}"

    return _for_each_entrant(measured)


def _listed(terms: Sequence[_Term]) -> str:
    return ", ".join(term.text for term in terms)


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values[1:], values[0]) / len(values) if len(values) > 1 else values[0]


def _for_each_entrant(measured: Callable[[TieBreakTable, int], tuple[Fraction, str]]) -> Measure:
    """For a tie-break that does not depend on who else is level."""
    return lambda table, tied: {entrant: measured(table, entrant) for entrant in tied}


# Other tie-breaks


def _average_place(table: TieBreakTable, entrant: int) -> tuple[Fraction, str]:
    """Shared places count with their middle. Entrants who have played nothing are behind all others."""
    places = [
        result.match.places[result.side] + Fraction(result.match.places.count(result.match.places[result.side]) - 1, 2)
        for result in table.results[entrant]
        if result.match and result.match.places and result.match.how == "played"
    ]
    if not places:
        return Fraction(-len(table.results) - 1), f"{NOT_USED}: nothing played"
    average = _mean(places)
    return -average, f"{written(average)}: {', '.join(map(written, places))}"


def _lots(table: TieBreakTable, entrant: int) -> tuple[Fraction, str]:
    place, digits = table.lots[entrant], lots.lot(table.records.lots, entrant)[:8]
    return Fraction(-place), f"{place} of {len(table.results)}: lot {digits}…"


def _head_to_head(table: TieBreakTable, tied: Sequence[int]) -> Measured:
    """value: how many of the others one is ahead of."""
    if len(tied) == 1:
        return {tied[0]: (NOTHING, f"{NOT_USED}: no one is tied")}
    if not _have_all_met(table, tied):
        return _ahead_whatever_is_missing(table, tied)
    merits = _encounters(table, tied)
    return {
        entrant: (
            Fraction(sum(other < merit for other in merits.values())),
            f"{', then '.join(map(written, merit))}: against {', '.join(f'@{e}' for e in tied if e != entrant)}",
        )
        for entrant, merit in merits.items()
    }


def _ahead_whatever_is_missing(table: TieBreakTable, tied: Sequence[int]) -> Measured:
    """Where not all have met: who is alone on top whatever the missing results, then who is second, and so on (6.2).

    Those who are left are compared among themselves.
    """
    met = {own: [_mean(table.encounters[own, e]) for e in tied if (own, e) in table.encounters] for own in tied}
    sums = {own: sum(shares, NOTHING) for own, shares in met.items()}
    most = {own: sums[own] + WIN * (len(tied) - 1 - len(met[own])) for own in tied}
    rest, found = sorted(tied, key=lambda entrant: -sums[entrant]), {}
    while len(rest) > 1 and sums[rest[0]] > max(most[other] for other in rest[1:]):
        found[rest[0]] = (Fraction(len(rest) - 1), f"{written(sums[rest[0]])}: ahead whatever the missing results")
        rest = rest[1:]
    if not found:
        return dict.fromkeys(tied, (NOTHING, f"{NOT_USED}: not all tied players have met"))
    if len(rest) == 1:
        return {**found, rest[0]: (NOTHING, f"{written(sums[rest[0]])}: behind whatever the missing results")}
    return {**found, **_head_to_head(table, rest)}


def _have_all_met(table: TieBreakTable, tied: Sequence[int]) -> bool:
    return all(pair in table.encounters for pair in permutations(tied, 2))


def _encounters(table: TieBreakTable, tied: Sequence[int]) -> dict[int, tuple[Fraction, ...]]:
    """What each has against all the others; then, of those who are still level, against each other, and so on."""
    if len(tied) == 1:
        return {tied[0]: ()}
    sums = {own: sum((_mean(table.encounters[own, e]) for e in tied if e != own), NOTHING) for own in tied}
    parts = _parted(tied, sums)
    deeper = [_encounters(table, part) for part in parts] if len(parts) > 1 else [dict.fromkeys(tied, ())]
    return {entrant: (sums[entrant], *rest) for part in deeper for entrant, rest in part.items()}


# The list of them, and standings


_ALL = (
    TieBreak(
        "BH",
        "Buchholz",
        "The total points of all your opponents. Stronger opponents put you ahead. A larger table counts with its "
        "average. A round without a match counts with your own points, but at most as half a win in every round.",
        _sum(_buchholz),
    ),
    TieBreak(
        "BH-C1",
        "Buchholz cut 1",
        "Buchholz without the weakest opponent, so one unlucky pairing does no harm.",
        _sum(_buchholz, cut_low=1),
    ),
    TieBreak("BH-C2", "Buchholz cut 2", "Buchholz without the two weakest opponents.", _sum(_buchholz, cut_low=2)),
    TieBreak(
        "BH-M1",
        "median Buchholz",
        "Buchholz without the weakest and without the strongest opponent.",
        _sum(_buchholz, cut_low=1, cut_high=1),
    ),
    TieBreak(
        "SB",
        "Sonneborn-Berger",
        "The points of all opponents you have beaten, and half the points of those you have drawn with. Beating "
        "strong players counts more.",
        _sum(_sonneborn_berger),
    ),
    TieBreak(
        "DE",
        "head to head",
        "The matches between the tied players. If not all of them have met, it only puts a player ahead who would be "
        "ahead whatever the missing results.",
        _head_to_head,
    ),
    TieBreak("WON", "wins played", "Matches won at the table, without byes and forfeits.", _sum(_wins)),
    TieBreak(
        "DIFF",
        "point difference",
        "Your points in the games minus your opponent's, or minus the average of the others at a larger table.",
        _sum(_point_difference),
    ),
    TieBreak(
        BOARD_POINTS,
        "board points",
        "The boards your team has won, a drawn board counting half. A bye counts half of the boards.",
        _sum(_board_points),
    ),
    TieBreak(
        MATCH_POINTS,
        "match points",
        "Two points for each match that your team has won, one for each drawn match.",
        _sum(_match_points),
    ),
    TieBreak("MADE", "points made", "Your points in all games.", _sum(_points_made)),
    TieBreak(
        "PS",
        "progressive score",
        "The sum of your points after each round. Early wins count more, because they lead to stronger opponents.",
        _sum(_progressive),
    ),
    TieBreak(
        "AVG",
        "average place",
        "Your average place at the tables; lower is better. A shared place counts as its middle.",
        _for_each_entrant(_average_place),
    ),
    TieBreak(
        "LOTS",
        "random draw",
        "A random order computed from a text published before the start, so everyone can check it.",
        _for_each_entrant(_lots),
    ),
)
TIE_BREAKS: Mapping[str, TieBreak] = {tie_break.code: tie_break for tie_break in _ALL}
TIE_BREAKS_TO_CHOOSE: Mapping[str, TieBreak] = {
    code: tie_break for code, tie_break in TIE_BREAKS.items() if code not in (BOARD_POINTS, MATCH_POINTS)
}


def figure_in_table(figure: Figure) -> str:
    """A tie-break as a table shows it: its text before the colon. "–" where it does not apply."""
    return figure.text.partition(":")[0]


def rank_by_tie_breaks(
    records: Records,
    *,
    codes: Sequence[str],
    points_of: PointsOf = match_points,
    dummies: bool = True,
    capped: bool = True,
) -> list[Standing]:
    """Everyone by points, then by the tie-breaks in their order; entrants level in all of them share a place.

    Entrants who have left stand behind all others with as many points.
    points_of: what a decided match gives a side; a bye is a match with one side.
    dummies: a round without a match, or with a forfeit, counts as one against an opponent with the same points
    (Art. 16). False where pairings do not depend on results or where there are no rounds, as in a round robin or an
    arena: there a forfeit counts as a match (Art. 15), and a round without one for nothing.
    capped: that opponent has no more points than the regulations of 2026 allow; False for those of 2024.
    :raises LookupError: there is no such code.
    """
    tie_breaks = [_by_code(code) for code in codes]
    table = TieBreakTable(records, points_of, dummies=dummies, capped=capped)
    figures: dict[int, list[Figure]] = {entrant: [] for entrant in table.points}
    by_seed = [entrant.id for entrant in sorted(records.entrants, key=lambda entrant: entrant.seed)]
    staying = {entrant.id: Fraction(entrant.is_active) for entrant in records.entrants}
    groups = [part for tied in _parted(by_seed, table.points) for part in _parted(tied, staying)]
    for tie_break in tie_breaks:
        measured = {entrant: figure for tied in groups for entrant, figure in tie_break.measure(table, tied).items()}
        for entrant, (value, text) in measured.items():
            figures[entrant].append(Figure(tie_break.code, value, text))
        values = {entrant: value for entrant, (value, _) in measured.items()}
        groups = [part for tied in groups for part in _parted(tied, values)]
    return _listing(table, groups, figures)


def _by_code(code: str) -> TieBreak:
    if code not in TIE_BREAKS:
        raise LookupError(f"There is no tie-break {code!r}, only {', '.join(TIE_BREAKS)}.")
    return TIE_BREAKS[code]


def _parted(tied: Sequence[int], values: Mapping[int, Fraction]) -> list[list[int]]:
    """Groups of equals, the best first; each in the order given."""
    ordered = sorted(tied, key=lambda entrant: -values[entrant])
    return [list(equals) for _, equals in groupby(ordered, key=lambda entrant: values[entrant])]


def _listing(
    table: TieBreakTable, groups: Sequence[Sequence[int]], figures: Mapping[int, Sequence[Figure]]
) -> list[Standing]:
    order = [entrant for tied in groups for entrant in tied]
    rows: list[Standing] = []
    for tied in groups:
        place = len(rows) + 1
        for entrant in tied:
            wins, draws, losses = _record(table.results[entrant], entrant)
            rows.append(
                Standing(
                    entrant,
                    place,
                    place + len(tied) - 1,
                    wins,
                    losses,
                    _reason(table, order, len(rows), figures),
                    draws,
                    table.points[entrant],
                    tuple(figures[entrant]),
                )
            )
    return rows


def _record(results: Sequence[RoundResult], entrant: int) -> tuple[int, int, int]:
    """Matches won, drawn and lost, forfeits among them and byes not."""
    matches = [(result.match, result.side) for result in results if result.match and not result.match.is_bye]
    decided = [(match, match.places[side]) for match, side in matches if match.places]
    wins = sum(match.winner == entrant for match, _ in decided)
    firsts = sum(place == 1 for _, place in decided)
    return wins, firsts - wins, len(decided) - firsts


def _reason(table: TieBreakTable, order: Sequence[int], index: int, figures: Mapping[int, Sequence[Figure]]) -> str:
    """Why an entrant has this place and not a higher one; of the first, why not a lower one."""
    own = order[index]
    if index:
        above = order[index - 1]
        by = _separation(table, own, above, figures)
        return f"behind @{above} {by}" if by else f"tied with @{above} in everything"
    if len(order) == 1 or table.points[own] != table.points[order[1]]:
        return "most points"
    by = _separation(table, own, order[1], figures)
    return f"most points, ahead of @{order[1]} {by}" if by else f"most points, tied with @{order[1]} in everything"


def _separation(table: TieBreakTable, own: int, other: int, figures: Mapping[int, Sequence[Figure]]) -> str:
    """By which criterion, the first that differs: "by Buchholz: 7 to 7½"; "" if none does."""
    if table.points[own] != table.points[other]:
        return f"by points: {written(table.points[own])} to {written(table.points[other])}"
    if table.records.by_id[own].is_active != table.records.by_id[other].is_active:
        return "with equal points, because one of them has left"
    for mine, theirs in zip(figures[own], figures[other], strict=True):
        if mine.value != theirs.value:
            return f"by {TIE_BREAKS[mine.code].name}: {figure_in_table(mine)} to {figure_in_table(theirs)}"
    return ""
