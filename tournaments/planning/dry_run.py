"""Dry run: bots play an event through at full speed, to see how long it takes and how it is paired.

Time is virtual: a move takes `seconds_a_move`, a match starts as soon as the format pairs it (after the break, where
the event has one), and all tables play side by side. Every game is played by first-steps bots until `budget_seconds`
of processor time are used up; from then on results and lengths are drawn from the games played so far, which the
report says. The same event gives the same report.
"""

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, islice
from random import Random
from time import process_time
from typing import Any

from games.bots import bot
from games.core.contract import Game, places
from games.core.deals import random_decks
from tournaments.formats import match_play
from tournaments.formats.contract import Entrant, Format, MatchRecord, Records
from tournaments.formats.match_play import MatchRule
from tournaments.models import Event
from tournaments.models.settings import WAVE_SECONDS

BOT_LEVEL = "first-steps"
BUDGET_SECONDS = 20.0
MOST_MATCHES = 20_000  # where a format does not end


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """places and points: by seat, more is better. moves: decisions of all seats together."""

    places: tuple[int, ...]
    points: tuple[int, ...]
    moves: int


@dataclass(frozen=True, slots=True)
class DryRunReport:
    """What was seen. minutes: from the start to the last result. load: moves a second, on average.

    byes: rounds that an entry sat out. most_byes: of one entry. rematches: meetings of two who had met before.
    tables: most at one time. games_drawn: games that were not played but drawn from those that were.
    podium: seeds of the first three places, to compare the strongest with the winners.
    """

    entries: int
    rounds: int
    matches: int
    minutes: float
    byes: int
    most_byes: int
    rematches: int
    tables: int
    moves: int
    load: float
    games_played: int
    games_drawn: int
    moves_a_game: float
    podium: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


class SampledGames:
    """Games by number of seats: played while the budget lasts, then drawn from those."""

    def __init__(self, event: Event, rng: Random, budget_seconds: float) -> None:
        self.rules, self.options, self.deals = event.rules, event.options, event.deals
        self.rng, self.left = rng, budget_seconds
        self.played: dict[int, list[PlayedGame]] = {}
        self.drawn_count = 0

    def play(self, seats: int) -> PlayedGame:
        known = self.played.setdefault(seats, [])
        if self.left <= 0 and known:
            self.drawn_count += 1
            return self.rng.choice(known)
        begin = process_time()
        known.append(played_by_bots(self.rules, self.options, seats, self.deals, self.rng))
        self.left -= process_time() - begin
        return known[-1]

    @property
    def played_count(self) -> int:
        return sum(map(len, self.played.values()))


def played_by_bots(
    rules: Game[Any, Any, Any], options: dict[str, Any], seats: int, deals: int | None, rng: Random
) -> PlayedGame:
    """A game of first-steps bots, to its end or for so many deals."""
    chosen = rules.read_options(options, seats)
    state = rules.start(random_decks(rules.deck(chosen), rng), seats=seats, options=options)
    player, moves = bot(rules.slug, BOT_LEVEL), 0
    while state.to_act and (deals is None or len(state.results) < deals):
        seat = state.to_act[0]
        state.play(seat, player.choose(state.view(seat), rng))
        moves += 1
    outcome = state.outcome()
    points = rules.merits(chosen, outcome.scores if outcome else state.view(None).scores)
    return PlayedGame(outcome.places if outcome else places(points), points, moves)


def simulate_event(
    event: Event, *, entries: int, seconds_a_move: float, budget_seconds: float = BUDGET_SECONDS
) -> DryRunReport:
    """Plays the event with so many entries, none of whom leaves."""
    rng = Random(event.lots)
    games = SampledGames(event, rng, budget_seconds)
    entrants = [Entrant(number, number) for number in range(1, entries + 1)]
    options = event.rules.read_options(event.options, event.seats)
    sides = event.rules.sides(options, event.seats)
    clock, tables, moves = 0.0, 0, 0
    matches: dict[Any, MatchRecord] = {}
    running: list[tuple[float, Any, MatchRecord]] = []
    limit = _minutes(event.plan)
    while len(matches) < MOST_MATCHES:
        records = Records(
            entrants, tuple(matches.values()), lots=event.lots, is_closed=limit is not None and clock >= limit * 60
        )
        new = [match for match in event.plan.next_matches(records) if match.spot not in matches]
        if not new and not running:
            break
        starts = clock + (event.break_seconds if event.plan.by_rounds and matches and new else 0)
        for match in new:
            matches[match.spot] = match
            if match.places is None:
                decided, made = _played(match, event, games, sides)
                moves += made
                heapq.heappush(running, (starts + made * seconds_a_move, match.spot, decided))
        tables = max(tables, len(running))
        clock = _take_in(running, matches, until=clock + WAVE_SECONDS if limit else None) if running else clock
    known = Records(entrants, tuple(matches.values()), lots=event.lots, is_closed=True)
    return _report(event, known, games, clock, tables, moves)


def _take_in(
    running: list[tuple[float, Any, MatchRecord]], matches: dict[Any, MatchRecord], *, until: float | None
) -> float:
    """Ends the next match, and with a time all those that end before the next pairing. The moment after that."""
    end, spot, match = heapq.heappop(running)
    matches[spot] = match
    moment = max(end, until or 0)
    while running and running[0][0] <= moment:
        _, spot, match = heapq.heappop(running)
        matches[spot] = match
    return moment


def _played(
    match: MatchRecord, event: Event, games: SampledGames, sides: Sequence[tuple[int, ...]]
) -> tuple[MatchRecord, int]:
    """The match with its result, and how many moves its games took."""
    count, moves = len(match.entrants), 0
    by_side = [(seat,) for seat in range(count)] if event.has_pods else sides
    needs_winner = event.plan.needs_winner_in(match.spot.section)
    rule = MatchRule(event.match_rule, event.match_games, needs_winner)
    finished: list[match_play.GameRecord] = []
    decision = None
    while decision is None:
        game = games.play(sum(map(len, by_side)))
        moves += game.moves
        order = match_play.sides_in_seat_order(len(finished) + 1, count, first=0)
        seat_of = {side: by_side[place][0] for place, side in enumerate(order)}
        seats = [seat_of[side] for side in range(count)]
        won, points = (tuple(values[seat] for seat in seats) for values in (game.places, game.points))
        finished.append(match_play.GameRecord(won, points))
        decision = rule.decide(finished, seeds=match.entrants)
    return replace(match, places=decision.places), moves


def _minutes(plan: Format) -> int | None:
    """The length of an event with a time."""
    minutes: int | None = getattr(plan, "minutes", None)
    return minutes


def _report(event: Event, known: Records, games: SampledGames, clock: float, tables: int, moves: int) -> DryRunReport:
    met = Counter(frozenset(pair) for match in known.matches for pair in combinations(match.entrants, 2))
    byes = Counter(match.entrants[0] for match in known.matches if match.is_bye)
    seeds = {entrant.id: entrant.seed for entrant in known.entrants}
    boards = event.team_boards or 1  # at each of which a match takes as long as the one that was played
    podium = (seeds[standing.entrant] for standing in event.plan.standings(known))
    return DryRunReport(
        entries=len(known.entrants),
        rounds=max((match.spot.round for match in known.matches), default=0) if not _minutes(event.plan) else 0,
        matches=sum(not match.is_bye for match in known.matches),
        minutes=round(clock / 60, 1),
        byes=sum(byes.values()),
        most_byes=max(byes.values(), default=0),
        rematches=sum(count - 1 for count in met.values()),
        tables=tables * boards,
        moves=moves * boards,
        load=round(moves * boards / clock, 2) if clock else 0.0,
        games_played=games.played_count,
        games_drawn=games.drawn_count,
        moves_a_game=round(moves / max(games.played_count + games.drawn_count, 1), 1),
        podium=tuple(islice(podium, 3)),
    )
