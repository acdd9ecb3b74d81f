"""Swiss: everyone plays every round, against an opponent with as many points whom they have not met.

`swiss_pairing` pairs, by the basic rules that FIDE has for every Swiss (Handbook C.04.1) and in its order of weight,
but for cards: no colours, instead a fair share of first seats and deals. Rulings:

- a forfeit is no meeting, but winning by one counts as a bye: nobody has a second of either before all had one;
- an entrant who has not come yet has no bye as long as anyone else can have it, even for a second time;
- rounds that a late entrant missed are half- or zero-point byes in the records from the next pairing on, so code that
  counts points need not know about late entries. Rounds missed by leaving and coming back are simply not there;
- what a director has put into the coming round stays, so a round is paired as long as an entrant who can play in it has
  no match, but not once one of its matches has been played. An entrant who comes or returns after it was paired and
  should wait for the next one therefore has a later `first_round`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tournaments.formats import rounds, tie_breaks
from tournaments.formats.contract import (
    Format,
    How,
    MatchRecord,
    Records,
    Section,
    Standing,
    match_points,
)
from tournaments.formats.numbers import written
from tournaments.formats.swiss_pairing import DOWN, LEVEL, UP, SwissPlayer, pair_swiss_round, seat_pair
from tournaments.formats.tie_breaks import CAPPED, UNPLAYED_FIELD

FEWEST_ROUNDS = 3
FAR_APART = 2  # half points
UNWANTED_PAIR = " A director didn't want this pair, but this round has no other pairing."
LATE_BYES: dict[str, How] = {"zero": "zero-bye", "half": "half-bye"}


@dataclass(frozen=True)
class Swiss(Format):
    """planned_rounds: 0 for as many as it takes to leave one without a defeat, but three where the field allows.

    accelerated: by virtual points, see `_virtual`. tie_breaks, unplayed: see `tie_breaks`.
    late_points: what a late entrant has for every round missed, "zero" or "half".
    """

    slug = "swiss"
    name = "Swiss"
    summary = (
        "No one is knocked out. Each round you play someone with about as many points as you, never the same twice."
    )
    by_rounds = True
    seats_in_order = True
    takes_late_entries = True
    suits_teams = True

    planned_rounds: int = field(
        default=0,
        metadata={"label": "Rounds", "help": "0: as many as needed for the number of entries", "low": 0, "high": 30},
    )
    accelerated: bool = field(
        default=False,
        metadata={
            "label": "Accelerated pairing",
            "help": "In the first rounds the upper half of the seeds gets up to one extra point for pairing, so "
            "strong players meet earlier. Useful for many entries and few rounds.",
        },
    )
    tie_breaks: tuple[str, ...] = field(
        default=("BH-C1", "BH", "SB", "DE", "LOTS"), metadata={"label": "Tie-breaks, in order"}
    )
    unplayed: str = field(default=CAPPED, metadata=UNPLAYED_FIELD)
    late_points: str = field(
        default="zero",
        metadata={
            "label": "Rounds missed by late entries",
            "choices": {"zero": "no points", "half": "half a point each"},
        },
    )

    def rounds(self, entrants: int) -> int:
        if entrants < 2:
            return 0
        everybody_once = entrants - 1 if entrants % 2 == 0 else entrants
        return self.planned_rounds or min(max((entrants - 1).bit_length(), FEWEST_ROUNDS), everybody_once)

    def next_matches(self, records: Records) -> list[MatchRecord]:
        number = self._coming_round(records)
        if number is None:
            return []
        missed = self._late_byes(records, range(1, number))
        pairs = self._pairs(_with_matches(records, missed), number)
        still_missed = self._late_byes(_with_matches(records, pairs), range(number, number + 1))
        return [*missed, *pairs, *still_missed]

    def is_over(self, records: Records) -> bool:
        return records.all_decided and self._coming_round(records) is None

    def _coming_round(self, records: Records) -> int | None:
        """None, too, once all rounds are played, and where nobody has an opponent."""
        number = rounds.coming_round(records)
        if number is None or sum(entrant.can_play for entrant in records.entrants) < 2:
            return None
        return number if number <= self.rounds(len(records.entrants)) else None

    def _late_byes(self, records: Records, numbers: range) -> list[MatchRecord]:
        """Byes for the rounds that a late entrant has missed before the first match."""
        late = {entrant.id: entrant.first_round for entrant in records.entrants if entrant.is_active}
        for match in records.matches:
            for entrant in match.entrants:
                if entrant in late and match.how not in LATE_BYES.values():
                    late[entrant] = min(late[entrant], match.spot.round)
        byes = []
        for number in numbers:
            absent = [
                entrant.id for entrant in rounds.without_match(records, number) if number < late.get(entrant.id, 0)
            ]
            how = LATE_BYES[self.late_points]
            spots = zip(absent, rounds.free_spots(records, number), strict=False)
            byes += [MatchRecord(spot, (entrant,), (1,), how) for entrant, spot in spots]
        return byes

    def _pairs(self, records: Records, number: int) -> list[MatchRecord]:
        """For everyone who can play this round and has no match in it yet."""
        everyone = self._players(records, number)
        pairs = pair_swiss_round(everyone[entrant.id] for entrant in rounds.unpaired(records, number))
        players = [player for pair in pairs for player in pair if player]
        places = _places_in_groups(players)
        matches = []
        for (better, other), spot in zip(pairs, rounds.free_spots(records, number), strict=False):
            if other is None:
                matches.append(MatchRecord(spot, (better.id,), (1,), "bye", why=_why_bye(better, players)))
            else:
                first, second = seat_pair(better, other, even_table=spot.slot % 2 == 0)
                why = f"{_why_pair(better, other, places)} {_why_seats(first, second)}"
                matches.append(MatchRecord(spot, (first.id, second.id), why=why))
        return matches

    def _players(self, records: Records, number: int) -> dict[int, SwissPlayer]:
        """Everyone as they are before a round."""
        virtual, last_virtual = self._virtual(records, number), self._virtual(records, number - 1)
        past = [match for match in records.matches if match.spot.round < number and match.how != "annulled"]
        past.sort(key=lambda match: match.spot.round)
        before_last = [match for match in past if match.spot.round < number - 1]
        score = _scores(past, virtual)
        floated = _floats(past[len(before_last) :], _scores(before_last, last_virtual))
        met, sides, byes, forbidden = _met(past), _sides(past), _byes(past), _forbidden(records)
        return {
            entrant.id: SwissPlayer(
                entrant.id,
                entrant.seed,
                score[entrant.id],
                virtual.get(entrant.id, 0),
                met[entrant.id],
                frozenset(forbidden[entrant.id]),
                byes[entrant.id],
                floated.get(entrant.id, LEVEL),
                tuple(sides[entrant.id]),
                entrant.has_come,
            )
            for entrant in records.entrants
        }

    def _virtual(self, records: Records, number: int) -> dict[int, int]:
        """Half points by which someone is paired higher than the standings say.

        Source: FIDE Handbook C.04.5.1, Baku Acceleration. The upper half of the seeds, rounded up to an even number,
        has one point in the first half of the accelerated rounds and half a point in the others; these rounds are the
        first half of the event. Both halves are rounded up; the upper half stays what it was before late entries.
        """
        accelerated = (self.rounds(len(records.entrants)) + 1) // 2
        if not self.accelerated or number > accelerated:
            return {}
        starters = {
            e for m in rounds.matches_of_round(records, 1) if m.how not in LATE_BYES.values() for e in m.entrants
        }
        starters |= {entrant.id for entrant in rounds.unpaired(records, 1)}
        upper = 2 * ((len(starters) + 3) // 4)
        half_points = 2 if number <= (accelerated + 1) // 2 else 1
        return {entrant.id: half_points for entrant in records.entrants if entrant.seed <= upper}

    def standings(self, records: Records) -> list[Standing]:
        capped = self.unplayed == CAPPED
        return tie_breaks.rank_by_tie_breaks(records, codes=self.tie_breaks, capped=capped)

    def draw(self, records: Records) -> tuple[Section, ...]:
        return rounds.draw_rounds(records, self.rounds(len(records.entrants)))

    def objections(self, records: Records, proposed: Sequence[MatchRecord]) -> list[str]:
        found: list[str] = []
        if not proposed:
            return found
        everyone = self._players(records, proposed[0].spot.round)
        here = [everyone[entrant.id] for entrant in records.entrants if entrant.can_play]
        for match in proposed:
            players = [everyone[entrant] for entrant in match.entrants]
            if len(players) == 2:
                found += _against_pair(*players)
            elif match.how == "bye":
                found += _against_bye(players[0], here)
        return found


# The records, read


def _with_matches(records: Records, new: Sequence[MatchRecord]) -> Records:
    return replace(records, matches=[*records.matches, *new])


def _scores(matches: Sequence[MatchRecord], virtual: Mapping[int, int]) -> dict[int, int]:
    """In half points, virtual ones included."""
    scores = defaultdict(int, virtual)
    for match in matches:
        for side, entrant in enumerate(match.entrants):
            scores[entrant] += int(2 * match_points(match, side))
    return scores


def _floats(matches: Sequence[MatchRecord], scores: Mapping[int, int]) -> dict[int, int]:
    """Who floated which way in a round. scores: before it."""
    floated = {}
    for match in matches:
        if match.how == "bye":
            floated[match.entrants[0]] = DOWN
        elif len(match.entrants) == 2:
            for own, other in (match.entrants, match.entrants[::-1]):
                floated[own] = (scores[other] > scores[own]) - (scores[other] < scores[own])
    return floated


def _met(matches: Sequence[MatchRecord]) -> dict[int, dict[int, list[int]]]:
    """The rounds in which someone has met someone."""
    met: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for match in matches:
        if match.how == "played":
            one, other = match.entrants
            met[one][other].append(match.spot.round)
            met[other][one].append(match.spot.round)
    return met


def _sides(matches: Sequence[MatchRecord]) -> dict[int, list[int]]:
    """Where everyone sat, match by match."""
    sides: dict[int, list[int]] = defaultdict(list)
    for match in matches:
        if match.how == "played":
            for side, entrant in enumerate(match.entrants):
                sides[entrant].append(side)
    return sides


def _byes(matches: Sequence[MatchRecord]) -> Counter[int]:
    """And wins by forfeit."""
    winners = (match.winner for match in matches if match.how in ("bye", "forfeit"))
    return Counter(winner for winner in winners if winner is not None)


def _forbidden(records: Records) -> dict[int, set[int]]:
    forbidden: dict[int, set[int]] = defaultdict(set)
    for pair in records.forbidden:
        for entrant in pair:
            forbidden[entrant] |= pair - {entrant}
    return forbidden


# In words


def _points(player: SwissPlayer) -> str:
    """ "2½ points", "1 point and ½ virtual"."""
    own = player.score - player.virtual
    text = f"{written(Fraction(own, 2))} point{'' if 0 < own <= 2 else 's'}"
    return f"{text} and {written(Fraction(player.virtual, 2))} virtual" if player.virtual else text


@dataclass(frozen=True, slots=True)
class _Place:
    """number: from 1, by seed, of all in the score group."""

    number: int
    of: int


def _places_in_groups(players: Iterable[SwissPlayer]) -> dict[int, _Place]:
    groups: dict[int, list[SwissPlayer]] = defaultdict(list)
    for player in players:
        groups[player.score].append(player)
    return {
        player.id: _Place(number, len(group))
        for group in groups.values()
        for number, player in enumerate(sorted(group, key=lambda player: player.seed), start=1)
    }


def _why_pair(better: SwissPlayer, other: SwissPlayer, places: Mapping[int, _Place]) -> str:
    if better.score > other.score:
        why = f"{_apart(better, other)}: not everyone can meet an opponent with the same points."
    elif better.virtual != other.virtual:
        why = f"{_apart(better, other)}, which counts as much."
    else:
        own, of = places[better.id].number, places[better.id].of
        why = f"Both have {_points(better)}, as numbers {own} and {places[other.id].number} of {of} by seed."
    if other.id in better.met:
        why += " They meet again because this round has no other pairing."
    if other.id in better.forbidden:
        why += UNWANTED_PAIR
    return why


def _apart(better: SwissPlayer, worse: SwissPlayer) -> str:
    return f"@{better.id} has {_points(better)}, @{worse.id} {_points(worse)}"


def _why_seats(first: SwissPlayer, second: SwissPlayer) -> str:
    if first.balance < second.balance:
        return f"@{first.id} sits first, because they did so less often."
    return f"@{first.id} sits first; both have done so equally often."


def _why_bye(player: SwissPlayer, everyone: Sequence[SwissPlayer]) -> str:
    had = "a bye" if player.byes == 0 else "more byes"
    rivals = [other for other in everyone if other.has_come == player.has_come]
    come = "" if len(rivals) == len(everyone) else " come and have"
    why = (
        f"The number of players is odd. @{player.id} has {_points(player)}, the fewest of all who have{come} "
        f"not had {had}"
    )
    is_lowest = all(other.score >= player.score for other in rivals if other.byes == player.byes)
    return f"{why}." if is_lowest else f"{why} and can be spared without a rematch."


def _against_pair(one: SwissPlayer, other: SwissPlayer) -> list[str]:
    better, worse = sorted((one, other), key=lambda player: -player.score)
    found = []
    if worse.id in better.met:
        found.append(f"@{one.id} and @{other.id} met in round {', '.join(map(str, better.met[worse.id]))}.")
    if worse.id in better.forbidden:
        found.append(f"@{one.id} and @{other.id} can't be paired: a director has forbidden it.")
    if better.score - worse.score > FAR_APART:
        found.append(f"{_apart(better, worse)}: more than one point apart.")
    if better.score > worse.score:
        found += [_float_twice(player, way) for player, way in ((better, DOWN), (worse, UP)) if player.floated == way]
    found += [_same_seat(player, side) for side, player in enumerate((one, other)) if player.sides[-2:] == (side, side)]
    return found


def _against_bye(player: SwissPlayer, here: Sequence[SwissPlayer]) -> list[str]:
    """here: all who could have the bye."""
    found = []
    if not player.has_come and any(other.has_come for other in here):
        found.append(f"@{player.id} isn't here yet.")
    if any(other.byes < player.byes for other in here):
        found.append(f"@{player.id} has had a bye, or a win by forfeit, more often than others.")
    if player.floated == DOWN:
        found.append(_float_twice(player, DOWN))
    return found


def _float_twice(player: SwissPlayer, way: int) -> str:
    whom = "an opponent with fewer points, or no one," if way == DOWN else "an opponent with more points"
    return f"@{player.id} meets {whom} for the second round in a row."


def _same_seat(player: SwissPlayer, side: int) -> str:
    return f"@{player.id} {('sits first', 'sits last')[side]} for the third time in a row."
