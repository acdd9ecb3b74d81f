"""Contract of every tournament format: records in, records out.

A format is given the entrants and the matches there are, and returns the matches that can be paired now, the draw and
the standings. It knows no database, no clock and no chance: seeds and the text for lots are given. Since an answer
depends only on the records, asking twice, or after a crash, gives the same answer, and matches that exist are never
paired again.

One `next_matches` serves all formats, because the format decides what "now" means: a knock-out pairs a match as soon as
its entrants are known, a Swiss or a round of pods pairs a whole round once the last one is complete, an arena pairs
free players. What a director has put into a round stays; the rest of the round is paired around it. A match has as many
sides as the format's tables have seats.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias

from tournaments.formats.pots import DrawStep


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player, or two partners.

    id: any number that is theirs alone. seed: 1 is the strongest; seeds are 1 ... n.
    first_round: the first round they can play in; later than 1 for a late entry.
    is_active: False after leaving, until they return.
    sits_out: has missed matches and has not returned yet; not paired where rounds are paired anew.
    has_come: has checked in or been at a table; a bye goes to those who have, as long as there are any.
    """

    id: int
    seed: int
    first_round: int = 1
    is_active: bool = True
    sits_out: bool = False
    has_come: bool = True

    @property
    def can_play(self) -> bool:
        """Can be paired now."""
        return self.is_active and not self.sits_out


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """Where a match belongs, and its name: an event has one match at each spot.

    section: a part of the event with rounds of its own, such as the main draw, a losers' bracket or a group.
    round: from 1. slot: from 0, top to bottom.
    """

    section: str
    round: int
    slot: int


How: TypeAlias = Literal["played", "forfeit", "bye", "half-bye", "zero-bye", "annulled"]
"""How a match counts. forfeit: decided by absence, so nothing was played between its sides. bye: no opponent and the
points of a win; half-bye and zero-bye: half of them, and none. annulled: as if it had never been."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match at one spot, as formats know it; the model `Match` stores it. A bye has one entrant, and is decided.

    entrants: ids by side. In a format that balances seats (`Format.seats_in_order`) this is the seat order of the
    first game: side 0 sits in seat 0, the last one deals. places: by side, None until it is decided; 1 is first,
    shared by a draw, and nobody is where all forfeit (2, 2).
    points: by side, what each made in the games, more is better; () where nothing is known.
    why: for a match that was paired just now, in words, why these.
    worth: by side, what the decided match gives, where that is not 1 for a win and one half for a draw; else ().
    """

    spot: Spot
    entrants: tuple[int, ...]
    places: tuple[int, ...] | None = None
    how: How = "played"
    points: tuple[Fraction, ...] = ()
    why: str = ""
    worth: tuple[Fraction, ...] = ()

    @property
    def is_bye(self) -> bool:
        return len(self.entrants) == 1

    @property
    def winner(self) -> int | None:
        """The entrant alone in first place; None before that is known, or where there is none."""
        if self.places is None or self.places.count(1) != 1:
            return None
        return self.entrants[self.places.index(1)]

    @property
    def losers(self) -> tuple[int, ...]:
        """Everyone but the winner of a decided match."""
        if self.places is None:
            return ()
        return tuple(entrant for entrant in self.entrants if entrant != self.winner)

    @property
    def is_missed_by_all(self) -> bool:
        """Whether it was decided because no side came or stayed."""
        return self.how == "forfeit" and self.places is not None and 1 not in self.places

    def others(self, entrant: int) -> tuple[int, ...]:
        """Everyone else in the match."""
        return tuple(other for other in self.entrants if other != entrant)


@dataclass(frozen=True)
class Records:
    """All that is known of an event.

    entrants: in the order of their seeds. matches: in any order.
    forbidden: pairs that a director does not want to meet.
    lots: the text that lots are drawn by (`formats.lots`).
    is_closed: the time of an event with a time is up; nothing more is paired.
    draw_worth: what a drawn match gives, where matches have a `MatchRecord.worth`; else ().
    """

    entrants: Sequence[Entrant]
    matches: Sequence[MatchRecord] = ()
    forbidden: frozenset[frozenset[int]] = frozenset()
    lots: str = ""
    is_closed: bool = False
    draw_worth: tuple[Fraction, ...] = ()

    @cached_property
    def by_id(self) -> dict[int, Entrant]:
        return {entrant.id: entrant for entrant in self.entrants}

    @cached_property
    def by_spot(self) -> dict[Spot, MatchRecord]:
        return {match.spot: match for match in self.matches}

    @property
    def all_decided(self) -> bool:
        return all(match.places is not None for match in self.matches)


WIN, HALF, NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)


def match_points(match: MatchRecord, side: int) -> Fraction:
    """What a match between two, or a bye, gives a side: its worth, else 1 for a win, one half for a draw, or 0.

    Nothing while it is undecided, nor for one that is annulled.
    """
    if match.worth and match.places is not None and match.how != "annulled":
        return match.worth[side]
    return result_points(match, side)


def result_points(match: MatchRecord, side: int) -> Fraction:
    """As `match_points`, whatever the match is worth."""
    if match.places is None or match.how in ("zero-bye", "annulled"):
        return NOTHING
    if match.how == "half-bye":
        return HALF
    if match.places[side] != 1:
        return NOTHING
    return WIN if match.places.count(1) == 1 else HALF


@dataclass(frozen=True, slots=True)
class Figure:
    """A tie-break of one entrant. code: such as "BH-C1". value: more is better. text: how it comes about."""

    code: str
    value: Fraction
    text: str


@dataclass(frozen=True, slots=True)
class Standing:
    """How one entrant stands.

    place: 1 is first, shared by equals; None while it is still open. last_place: the last of the shared
    places, so that 5 to 8 can be shown. points: None in a format that counts none.
    figures: the event's tie-breaks in their order, () where the format has none.
    reason: why here and not higher, in words ("champion", "lost in the final", "behind the one above by Buchholz:
    7 to 7½"). Names of entrants are written as `@` and their id.
    """

    entrant: int
    place: int | None
    last_place: int | None
    wins: int
    losses: int
    reason: str
    draws: int = 0
    points: Fraction | None = None
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class Side:
    """One line of a cell: an entrant, or in words who will come.

    has_won: None until the match is decided. came_from: place in a group, such as "A1"; "" where seeds make the draw.
    """

    entrant: int | None
    text: str = ""
    has_won: bool | None = None
    came_from: str = ""


def sides_of(match: MatchRecord) -> tuple[Side, ...]:
    """The sides of a match as they are drawn. After a draw, as after two forfeits, neither side has won."""
    is_decided = match.places is not None and match.how != "annulled"
    return tuple(Side(entrant, has_won=entrant == match.winner if is_decided else None) for entrant in match.entrants)


@dataclass(frozen=True, slots=True)
class Cell:
    """A match of the draw, also one that is not paired yet. title: "Quarter-final 2". is_bye: planned as one."""

    spot: Spot
    title: str
    sides: tuple[Side, ...]
    is_bye: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A round of the draw."""

    round: int
    title: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the draw.

    is_tree: cells 2k and 2k + 1 of a column lead to cell k of the next one, which has half as many; or cell k to cell k
    of one that has as many, where others come in.

    standings: of a part that ranks for itself, such as a group; () elsewhere. through: how many of their places advance
    to another part, as it is now.
    """

    id: str
    title: str
    is_tree: bool
    columns: tuple[Column, ...]
    standings: tuple[Standing, ...] = ()
    through: int = 0


@dataclass(frozen=True)
class Format(ABC):
    """A way to hold a tournament. Instances are frozen dataclasses whose fields are the format's own options.

    A field is a bool, an int, a str with `choices` or a tuple of ints and carries what a form needs as metadata:
    `label`, and where they help `help`, `choices` (value to label), `low`, `high` and `only_with`, the name of a bool
    without which the field means nothing. Three names mean the same in every format that has them: `minutes`, how long
    an event with a time lasts; `sizes` of tables, the favourite first; `tie_breaks`, codes in their order.

    sides: how many sides a match can have.
    needs_winner: the loser is out, see `needs_winner_in`. by_rounds: a round is paired as a whole once the last
    one is decided.
    seats_in_order: pairings say who sits where; elsewhere the seats of the first game are drawn by lot.
    takes_late_entries: entrants may come in after the start.
    all_play_all: everybody meets everybody, so that a cross-table shows all results.
    suits_teams: teams can play it.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    sides: ClassVar[tuple[int, ...]] = (2,)
    needs_winner: ClassVar[bool] = False
    by_rounds: ClassVar[bool] = False
    seats_in_order: ClassVar[bool] = False
    takes_late_entries: ClassVar[bool] = False
    all_play_all: ClassVar[bool] = False
    suits_teams: ClassVar[bool] = False

    @property
    def pairs_around(self) -> bool:
        """Whether each round is paired anew from the entrants that are there, around what a director has arranged."""
        return self.by_rounds and self.takes_late_entries

    def needs_winner_in(self, section: str) -> bool:
        """Whether a match of this section cannot end in a draw."""
        return self.needs_winner

    @abstractmethod
    def rounds(self, entrants: int) -> int:
        """How many rounds are planned for that many entrants; 0 for a format without rounds."""

    @abstractmethod
    def next_matches(self, records: Records) -> list[MatchRecord]:
        """Every match that can be paired now and is not in the records, in the order of their spots."""

    @abstractmethod
    def standings(self, records: Records) -> list[Standing]:
        """One for each entrant, best first."""

    def points_of(self, match: MatchRecord, side: int) -> Fraction:
        """What a match or a bye gives a side, wherever it is in the draw."""
        return match_points(match, side)

    @abstractmethod
    def draw(self, records: Records) -> tuple[Section, ...]:
        """The whole event as it can be drawn, with places for what is not known yet."""

    def group_draw(self, records: Records) -> list[DrawStep]:
        """How the entrants are drawn into groups, in the order in which it is shown; [] where nothing is drawn."""
        return []

    def out_of_matches(self, records: Records) -> set[int]:
        """The entrants who get no further match, as the results are; some of them may be playing now."""
        planned = self.rounds(len(records.entrants)) if self.by_rounds else 0
        is_last = planned and max((match.spot.round for match in records.matches), default=0) >= planned
        return set(records.by_id) if is_last else set()

    def is_over(self, records: Records) -> bool:
        """True once everything is decided and nothing is left to pair."""
        return records.all_decided and not self.next_matches(records)

    def objections(self, records: Records, proposed: Sequence[MatchRecord]) -> list[str]:
        """Which rules matches of a round, as a director wants them, would bend; one sentence each, [] for none.

        records: without the proposed matches. Names are written as in `Standing.reason`.
        """
        return []

    def contradicted(self, records: Records) -> list[Spot]:
        """Matches that exist but do not follow from the results as they now are, after one was corrected.

        In the order in which they would be played. [] in formats whose pairings stand once they are made.
        """
        return []
