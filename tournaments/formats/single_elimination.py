"""Single elimination: who loses is out, the last one left is the champion.

The draw has the next power of two of places, filled by standard seeding: the sum of the seeds in a
first-round match is one more than the number of places, and if no favourite ever loses, seeds 1 and 2 meet
in the final, 1 to 4 in the semi-finals, and so on. Places without an entrant are byes, which so go to the
best seeds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tournaments.formats.contract import (
    Cell,
    Column,
    Entrant,
    Format,
    Match,
    Records,
    Section,
    Side,
    Spot,
    Standing,
)

MAIN = "main"
THIRD_PLACE = "third-place"


def seed_order(places: int) -> tuple[int, ...]:
    """Seeds from the top of the draw to the bottom. places: a power of two."""
    order: tuple[int, ...] = (1,)
    while len(order) < places:
        total = 2 * len(order) + 1
        order = tuple(seed for better in order for seed in (better, total - better))
    return order


@dataclass(frozen=True)
class SingleElimination(Format):
    """third_place: the losers of the semi-finals play one more match."""

    slug = "single-elimination"
    name = "Knock-out"
    summary = "Lose a match and you are out. The last one left wins."
    needs_winner = True

    third_place: bool = field(default=False, metadata={"label": "Match for third place"})

    def rounds(self, entrants: int) -> int:
        return max(entrants - 1, 0).bit_length()

    def next_matches(self, records: Records) -> list[Match]:
        tree = _Tree(self.rounds(len(records.entrants)), records)
        return sorted([*tree.paired_now(), *self._third_place_match(tree)], key=lambda match: match.spot)

    def _third_place_match(self, tree: _Tree) -> list[Match]:
        spot = self._third_place_spot(tree.rounds)
        if spot is None or spot in tree.matches:
            return []
        losers = tree.semi_final_losers()
        return [Match(spot, losers)] if len(losers) == 2 else []

    def _third_place_spot(self, rounds: int) -> Spot | None:
        return Spot(THIRD_PLACE, rounds, 0) if self.third_place and rounds >= 2 else None

    def standings(self, records: Records) -> list[Standing]:
        tree = _Tree(self.rounds(len(records.entrants)), records)
        third = tree.matches.get(Spot(THIRD_PLACE, tree.rounds, 0))
        lost_in = {loser: m.spot.round for m in records.matches if m.spot.section == MAIN for loser in m.losers}

        def merit(entrant: Entrant) -> tuple[int, int]:
            """More is better: the round of the defeat, then the match for third place."""
            took_third = third is not None and third.winner == entrant.id
            return lost_in.get(entrant.id, tree.rounds + 1), int(took_third)

        def standing(entrant: Entrant) -> Standing:
            own = merit(entrant)
            wins = sum(match.winner == entrant.id and not match.is_bye for match in records.matches)
            losses = sum(entrant.id in match.losers for match in records.matches)
            if entrant.id not in lost_in and tree.champion != entrant.id:
                return Standing(entrant.id, None, None, wins, losses, "still in")
            if own[0] == tree.rounds - 1 and self._is_third_open(tree):
                return Standing(entrant.id, None, None, wins, losses, "plays for third place")
            sharing = merits.count(own) + tree.losers_to_come(own[0])
            last_place = sum(other >= own for other in merits)
            place = last_place - sharing + 1
            reason = f"lost in the {round_title(own[0], tree.rounds).lower()}"
            if own[1]:
                reason = "won the match for third place"
            elif entrant.id == tree.champion:
                reason = "champion"
            return Standing(entrant.id, place, last_place, wins, losses, reason)

        merits = [merit(entrant) for entrant in records.entrants]
        best_first = sorted(records.entrants, key=lambda entrant: (*(-part for part in merit(entrant)), entrant.seed))
        return [standing(entrant) for entrant in best_first]

    def _is_third_open(self, tree: _Tree) -> bool:
        """The match for third place can still come, or is being played."""
        spot = self._third_place_spot(tree.rounds)
        match = tree.matches.get(spot) if spot else None
        if match:
            return match.places is None
        settled = all(is_settled for _, is_settled in tree.comers(tree.rounds, 0))
        return spot is not None and (not settled or len(tree.semi_final_losers()) == 2)

    def draw(self, records: Records) -> tuple[Section, ...]:
        tree = _Tree(self.rounds(len(records.entrants)), records)
        columns = [
            Column(number, round_title(number, tree.rounds), tuple(tree.cell(number, slot) for slot in slots))
            for number, slots in tree.slots()
        ]
        sections = [Section(MAIN, "Draw", True, tuple(columns))] if columns else []
        spot = self._third_place_spot(tree.rounds)
        if spot:
            waiting = [
                Side(None, f"Loser of {match_title(tree.rounds - 1, slot, tree.rounds).lower()}")
                for slot in (0, 1)
            ]
            cell = Cell(spot, "Third place", _sides(tree.matches.get(spot)) or tuple(waiting))
            sections.append(
                Section(THIRD_PLACE, "Third place", False, (Column(spot.round, "Third place", (cell,)),))
            )
        return tuple(sections)


class _Tree:
    """The main draw: spot (r, s) is fed by spots (r - 1, 2s) and (r - 1, 2s + 1); round 1 by the seeds."""

    def __init__(self, rounds: int, records: Records) -> None:
        self.rounds = rounds
        self.matches = dict(records.by_spot)
        by_seed = {entrant.seed: entrant.id for entrant in records.entrants}
        assert sorted(by_seed) == list(range(1, len(by_seed) + 1)), "seeds are 1 ... n, each once"
        self.places = [by_seed.get(seed) for seed in seed_order(2**rounds)] if by_seed else []

    @property
    def champion(self) -> int | None:
        if self.rounds == 0:
            return next(iter(self.places), None)
        final = self.matches.get(Spot(MAIN, self.rounds, 0))
        return final.winner if final else None

    def slots(self) -> list[tuple[int, range]]:
        """Every round with its slots."""
        return [(number, range(2 ** (self.rounds - number))) for number in range(1, self.rounds + 1)]

    def comers(self, number: int, slot: int) -> tuple[tuple[int | None, bool], ...]:
        """Who comes to a spot, by side, and whether that is settled. None and settled: nobody does."""
        if number == 1:
            return tuple((entrant, True) for entrant in self.places[2 * slot : 2 * slot + 2])
        return tuple(self.winner(number - 1, 2 * slot + side) for side in (0, 1))

    def winner(self, number: int, slot: int) -> tuple[int | None, bool]:
        """Who comes out of a spot, and whether that is settled."""
        match = self.matches.get(Spot(MAIN, number, slot))
        if match:
            return match.winner, match.places is not None
        return None, all(comer == (None, True) for comer in self.comers(number, slot))

    def paired_now(self) -> list[Match]:
        """Works upwards, since a bye that is paired now may make the next match known."""
        new = []
        for number, slots in self.slots():
            for slot in slots:
                spot = Spot(MAIN, number, slot)
                comers = self.comers(number, slot)
                present = tuple(entrant for entrant, _ in comers if entrant is not None)
                if spot not in self.matches and present and all(is_settled for _, is_settled in comers):
                    match = Match(spot, present, (1,), how="bye") if len(present) == 1 else Match(spot, present)
                    self.matches[spot] = match
                    new.append(match)
        return new

    def losers_to_come(self, number: int) -> int:
        """How many are still to lose in a round."""
        return sum(not self.winner(number, slot)[1] for slot in dict(self.slots()).get(number, ()))

    def semi_final_losers(self) -> tuple[int, ...]:
        semi_finals = [self.matches.get(Spot(MAIN, self.rounds - 1, slot)) for slot in (0, 1)]
        return tuple(match.losers[0] for match in semi_finals if match and len(match.losers) == 1)

    def cell(self, number: int, slot: int) -> Cell:
        spot = Spot(MAIN, number, slot)
        sides = _sides(self.matches.get(spot)) or tuple(
            self._comer(number, slot, side, *comer) for side, comer in enumerate(self.comers(number, slot))
        )
        return Cell(spot, match_title(number, slot, self.rounds), sides)

    def _comer(self, number: int, slot: int, side: int, entrant: int | None, is_settled: bool) -> Side:
        if entrant is not None:
            return Side(entrant)
        if is_settled:
            return Side(None, "bye" if number == 1 else "nobody")
        return Side(None, f"Winner of {match_title(number - 1, 2 * slot + side, self.rounds).lower()}")


def _sides(match: Match | None) -> tuple[Side, ...]:
    """The sides of a match that exists and is no bye, else ()."""
    if match is None or match.is_bye:
        return ()
    is_decided = match.places is not None
    return tuple(
        Side(entrant, has_won=match.winner == entrant if is_decided else None) for entrant in match.entrants
    )


def round_title(number: int, rounds: int) -> str:
    """The usual name of a round, counted back from the final."""
    left = rounds - number
    names = {0: "Final", 1: "Semi-finals", 2: "Quarter-finals"}
    return names.get(left, f"Round of {2 ** (left + 1)}")


def match_title(number: int, slot: int, rounds: int) -> str:
    if number == rounds:
        return "Final"
    title = round_title(number, rounds)
    return f"{title.removesuffix('s')} {slot + 1}" if number >= rounds - 2 else f"{title}, match {slot + 1}"
