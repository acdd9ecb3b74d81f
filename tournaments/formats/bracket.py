"""Knock-out brackets: a plan in which every match says where its two sides come from.

A side of a match is a place of the first round, or the winner or the loser of an earlier match. The plan lists the
matches in an order in which they can be played. Where no entrant can come to one side, the other has a bye. Where both
sides forfeit, no entrant goes on from the match, neither as its winner nor as its loser.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from tournaments.formats.contract import Cell, Column, Format, MatchRecord, Records, Side, Spot, Standing, sides_of


@dataclass(frozen=True, slots=True)
class FirstRoundPlace:
    """A place of the first round. entrant: None for a bye."""

    entrant: int | None


@dataclass(frozen=True, slots=True)
class WinnerOf:
    spot: Spot


@dataclass(frozen=True, slots=True)
class LoserOf:
    spot: Spot


Source: TypeAlias = FirstRoundPlace | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match of the plan. title: "Quarter-final 2".

    level: from 1; how far an entrant has come who is out after this match. Equal levels share their places.
    """

    title: str
    sources: tuple[Source, Source]
    level: int


BracketPlan: TypeAlias = dict[Spot, Fixture]


@dataclass(frozen=True, slots=True)
class ComingEntrant:
    """The entrant who comes out of a source. entrant: None while that is open, and where it is settled that there is
    none.
    """

    entrant: int | None
    is_settled: bool


TOO_LATE = "but the next match had begun"  # of a winner by a correction, whose next match was kept
NOBODY, OPEN = ComingEntrant(None, True), ComingEntrant(None, False)


@dataclass(frozen=True, slots=True)
class EntrantFate:
    """How far an entrant has come.

    spot: of their next match, or of their last one; None for an entrant without a place in the draw.
    merit: (level, has won the last match), more is better; while they are in, what they have for certain.
    """

    spot: Spot | None
    merit: tuple[int, bool]
    is_in: bool


def seed_order(places: int) -> tuple[int, ...]:
    """Seeds from the top of the draw to the bottom. places: a power of two."""
    order: tuple[int, ...] = (1,)
    while len(order) < places:
        total = 2 * len(order) + 1
        order = tuple(seed for better in order for seed in (better, total - better))
    return order


def rounds_of(entrants: int) -> int:
    """Rounds until one is left."""
    return max(entrants - 1, 0).bit_length()


def first_places(records: Records, section: str) -> list[int | None]:
    """The entrant at each place of the first round, from top to bottom; None for a bye.

    Places follow the seeds, but matches that exist keep theirs: a displaced entrant takes a place that has become free,
    or else the bye of the lowest seed.
    """
    by_seed = {entrant.seed: entrant.id for entrant in records.entrants}
    assert sorted(by_seed) == list(range(1, len(by_seed) + 1)), "seeds are 1 ... n, each once"
    if not by_seed:
        return []
    seeds = seed_order(2 ** rounds_of(len(by_seed)))
    order = {place: by_seed.get(seed) for place, seed in enumerate(seeds)}
    first = [match for match in records.matches if (match.spot.section, match.spot.round) == (section, 1)]
    held = {2 * m.spot.slot + side: who for m in first for side, who in enumerate((*m.entrants, None)[:2])}
    seated = set(held.values()) - {None}
    displaced = [order[place] for place in sorted(held) if order[place] is not None and order[place] not in seated]
    left = [place for place, entrant in order.items() if place not in held and entrant in seated]
    byes = [place for place, entrant in order.items() if place not in held and entrant is None]
    free = left + sorted(byes, key=lambda place: seeds[place])
    places = order | dict.fromkeys(left) | dict(zip(free, displaced, strict=False)) | held
    return list(places.values())


def knockout_fixtures(
    places: list[int | None], *, section: str, title: Callable[[int, int], str], level: Callable[[int], int]
) -> BracketPlan:
    """The matches until one is left. title: of a round and slot. level: of entrants who are out in a round."""
    rounds = rounds_of(len(places))

    def sources(number: int, slot: int) -> tuple[Source, Source]:
        if number == 1:
            return FirstRoundPlace(places[2 * slot]), FirstRoundPlace(places[2 * slot + 1])
        return WinnerOf(Spot(section, number - 1, 2 * slot)), WinnerOf(Spot(section, number - 1, 2 * slot + 1))

    return {
        Spot(section, number, slot): Fixture(title(number, slot), sources(number, slot), level(number))
        for number in range(1, rounds + 1)
        for slot in range(2 ** (rounds - number))
    }


class Bracket:
    """A plan, and what is known of its matches."""

    def __init__(self, plan: BracketPlan, records: Records) -> None:
        self.plan = plan
        self.records = records
        self.matches = dict(records.by_spot)
        self.feeds: dict[Source, Spot] = {source: spot for spot, fixture in plan.items() for source in fixture.sources}
        self.outcomes: dict[Spot, tuple[ComingEntrant, ComingEntrant]] = {}
        for spot in plan:
            self._settle(spot)

    def _settle(self, spot: Spot) -> None:
        """Notes who comes out of a match as its winner and as its loser."""
        match, comers = self.matches.get(spot), self.comers(spot)
        if match is None:
            nobody_comes, one_comes = all(c == NOBODY for c in comers), NOBODY in comers
            self.outcomes[spot] = (NOBODY if nobody_comes else OPEN, NOBODY if one_comes else OPEN)
        elif match.places is None:
            self.outcomes[spot] = (OPEN, OPEN)
        else:
            loser = match.losers[0] if len(match.losers) == 1 else None
            self.outcomes[spot] = (ComingEntrant(match.winner, True), ComingEntrant(loser, True))

    def comers(self, spot: Spot) -> tuple[ComingEntrant, ...]:
        """Who comes to a match, by side."""
        return tuple(self.comer(source) for source in self.plan[spot].sources)

    def comer(self, source: Source) -> ComingEntrant:
        if isinstance(source, FirstRoundPlace):
            return ComingEntrant(source.entrant, True)
        winner, loser = self.outcomes[source.spot]
        if isinstance(source, LoserOf) and self._went_on(loser, source.spot) and not self._went_on(winner, source.spot):
            return winner  # by a correction, and too late: the match that the loser goes on to was kept
        return winner if isinstance(source, WinnerOf) else loser

    def _went_on(self, comer: ComingEntrant, spot: Spot) -> bool:
        """Whether an entrant of this match plays the one to which its winner goes."""
        following = self.feeds.get(WinnerOf(spot))
        match = self.matches.get(following) if following else None
        return match is not None and comer.entrant in match.entrants

    def present(self, spot: Spot) -> tuple[int, ...]:
        """The known entrants of a match, by side."""
        return tuple(comer.entrant for comer in self.comers(spot) if comer.entrant is not None)

    def is_settled(self, spot: Spot) -> bool:
        return all(comer.is_settled for comer in self.comers(spot))

    # What follows

    def paired_now(self) -> list[MatchRecord]:
        """Every match that can be paired. In the order of the plan, since a bye may make the next match known."""
        new = []
        for spot in self.plan:
            present = self.present(spot)
            if spot not in self.matches and present and self.is_settled(spot):
                new.append(self._paired(spot, present))
                self.matches[spot] = new[-1]
            self._settle(spot)
        return sorted(new, key=lambda match: match.spot)

    def _paired(self, spot: Spot, present: tuple[int, ...]) -> MatchRecord:
        why = self._why_paired(spot)
        return (
            MatchRecord(spot, present, (1,), "bye", why=why)
            if len(present) == 1
            else MatchRecord(spot, present, why=why)
        )

    def contradicted(self) -> list[Spot]:
        """Matches whose entrants no longer come to them, and what follows from such a match."""
        wrong = []
        for spot in self.plan:
            match = self.matches.get(spot)
            if match and not (self.is_settled(spot) and sorted(match.entrants) == sorted(self.present(spot))):
                wrong.append(spot)
                del self.matches[spot]
            self._settle(spot)
        return wrong + sorted(self.matches.keys() - self.plan.keys())

    def objections(self, proposed: Sequence[MatchRecord]) -> list[str]:
        """Where matches differ from the draw, or bring together entrants who should not meet."""
        found = []
        for match in proposed:
            here = self.present(match.spot) if match.spot in self.plan else ()
            if sorted(here) != sorted(match.entrants):
                by_draw = " and ".join(f"@{entrant}" for entrant in here) or "nobody"
                title = self.plan[match.spot].title if match.spot in self.plan else "a match that it does not have"
                found.append(f"According to the draw {by_draw} would play in {_lower(title)}.")
            if frozenset(match.entrants) in self.records.forbidden:
                found.append(f"{' and '.join(f'@{entrant}' for entrant in match.entrants)} may not be paired.")
        return found

    # Words

    def _why_paired(self, spot: Spot) -> str:
        sources = self.plan[spot].sources
        if not any(isinstance(source, FirstRoundPlace) for source in sources):
            return ", ".join(self._how_came(source) for source in sources)
        seeds = [str(self.records.by_id[entrant].seed) for entrant in self.present(spot)]
        if len(seeds) == 1:
            return f"seed {seeds[0]} of {len(self.records.entrants)}: empty places are next to the top seeds"
        return f"seeds {' and '.join(seeds)} of {len(self.records.entrants)}: the top seeds meet last"

    def _how_came(self, source: Source) -> str:
        assert not isinstance(source, FirstRoundPlace)
        entrant, title = self.comer(source).entrant, _lower(self.plan[source.spot].title)
        if entrant is None:
            return f"no one advanced from {title}"
        match = self.matches[source.spot]
        if isinstance(source, LoserOf) and entrant == match.winner:
            return f"@{entrant} won {title}, {TOO_LATE}"
        return f"@{entrant} {'had a bye in' if match.is_bye else _verb(source)} {title}"

    def columns(self, section: str, title: Callable[[int], str]) -> tuple[Column, ...]:
        """The rounds of a section. title: of a round."""
        rounds: dict[int, list[Cell]] = {}
        for spot in self.plan:
            if spot.section == section:
                rounds.setdefault(spot.round, []).append(self.cell(spot))
        return tuple(Column(number, title(number), tuple(cells)) for number, cells in rounds.items())

    def cell(self, spot: Spot) -> Cell:
        match = self.matches.get(spot)
        if match and not match.is_bye:
            sides = sides_of(match)
        else:
            sides = tuple(self._side(source) for source in self.plan[spot].sources)
        return Cell(spot, self.plan[spot].title, sides)

    def _side(self, source: Source) -> Side:
        comer = self.comer(source)
        if comer.entrant is not None:
            return Side(comer.entrant)
        if isinstance(source, FirstRoundPlace) or comer.is_settled:
            return Side(None, "no one" if self._is_left_empty(source) else "bye")
        role = "Winner" if isinstance(source, WinnerOf) else "Loser"
        return Side(None, f"{role} of {_lower(self.plan[source.spot].title)}")

    def _is_left_empty(self, source: Source) -> bool:
        """Whether no entrant comes because no one won a match on the way."""
        if isinstance(source, FirstRoundPlace):
            return False
        if match := self.matches.get(source.spot):
            return match.winner is None
        return any(map(self._is_left_empty, self.plan[source.spot].sources))

    # Who has come how far

    @cached_property
    def top(self) -> tuple[int, bool]:
        """The merit of the champion."""
        return max((fixture.level for fixture in self.plan.values()), default=0), True

    def fates(self) -> dict[int, EntrantFate]:
        """By entrant. A match that was kept after a correction counts for those who play it, not for who should."""
        last: dict[int, Spot] = {}
        for spot in sorted(self.plan, key=lambda spot: self.plan[spot].level):  # a final counts more than third place
            match = self.matches.get(spot)
            last.update(dict.fromkeys(match.entrants if match else self.present(spot), spot))
        return {entrant.id: self._fate(entrant.id, last.get(entrant.id)) for entrant in self.records.entrants}

    def _fate(self, entrant: int, spot: Spot | None) -> EntrantFate:
        """spot: of the entrant's next match, or of the last one."""
        if spot is None:
            return EntrantFate(None, (0, True), False)
        match, level = self.matches.get(spot), self.plan[spot].level
        if match is None or match.places is None:
            return EntrantFate(spot, (level, False), True)
        return EntrantFate(spot, (level, match.winner == entrant), False)

    def standings(self, reason: Callable[[EntrantFate], str]) -> list[Standing]:
        """Best first; entrants who go out at one level share its places, also with those still to go out there.

        The first place is the champion's: where both sides forfeit the final, nobody has it.
        """
        entrants = self.records.entrants
        fates = self.fates()
        ends = Counter(fate.merit for fate in fates.values() if not fate.is_in) + self._ends_to_come()
        real = [match for match in self.records.matches if not match.is_bye]
        wins = Counter(match.winner for match in real)
        losses = Counter(loser for match in real for loser in match.losers)

        def standing(entrant: int) -> Standing:
            fate = fates[entrant]
            why, own = reason(fate), (wins[entrant], losses[entrant])
            if fate.is_in:
                return Standing(entrant, None, None, *own, why)
            last_place = len(entrants) - sum(count for merit, count in ends.items() if merit < fate.merit)
            best = 1 if fate.merit == self.top else 2
            return Standing(entrant, max(last_place - ends[fate.merit] + 1, best), last_place, *own, why)

        best_first = sorted(entrants, key=lambda e: (fates[e.id].merit, fates[e.id].is_in, -e.seed), reverse=True)
        return [standing(entrant.id) for entrant in best_first]

    def _ends_to_come(self) -> Counter[tuple[int, bool]]:
        """For each merit, how many will still go out with it."""
        return Counter(
            (fixture.level, has_won)
            for spot, fixture in self.plan.items()
            for has_won, source in ((True, WinnerOf(spot)), (False, LoserOf(spot)))
            if source not in self.feeds and not self.comer(source).is_settled
        )


class KnockoutFormat(Format):
    """A format whose matches all follow from a plan."""

    needs_winner = True

    @abstractmethod
    def bracket(self, records: Records) -> Bracket: ...

    def next_matches(self, records: Records) -> list[MatchRecord]:
        return self.bracket(records).paired_now()

    def contradicted(self, records: Records) -> list[Spot]:
        return self.bracket(records).contradicted()

    def objections(self, records: Records, proposed: Sequence[MatchRecord]) -> list[str]:
        return self.bracket(records).objections(proposed)


def _verb(source: Source) -> str:
    return "won" if isinstance(source, WinnerOf) else "lost"


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]
