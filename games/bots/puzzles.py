"""Puzzle finder: positions of a game in which one move is clearly best and a weaker player would miss it.

A position becomes a puzzle if all of this holds:
- club bots mostly choose another move, or beginners mostly the same wrong one, and the strong bot chooses the best one,
  whatever its random choices;
- in sampled worlds (`games.bots.rollouts`) the best move brings more than every other move by a margin that lies
  outside the confidence interval; moves that are as good as each other, such as two equal cards, count as one;
- a second check with other worlds finds the same.

Time is an argument: `clock` counts seconds of the processor, and a position that needs too many of them is dropped.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any

from games.bots import Bot, PlaysOpen, PlaysOut, Reason, bot, reason
from games.bots.matches import decks_from, play_game
from games.bots.rollouts import Rollouts, TooLong
from games.core.contract import Game, Move, State, View
from games.core.deals import Decks, random_decks

Clock = Callable[[], float]

POSITION_SECONDS = 8.0
MOST_MOVES = 40  # of a position; each is tried in some worlds
FIRST_WORLDS, STEP, MOST_WORLDS = 12, 12, 144
FEWEST_WORLDS = 48  # of a check
CANDIDATES = 5  # moves looked at closely, with those that bots choose
CHOICES = 8  # asked of each weak bot
MISSED_BY_CLUB, TEMPTED_BEGINNERS = 0.5, 0.75
CARELESS_BEGINNERS = ("piquet", "rubicon-piquet")  # who throw high cards under higher ones, as no person does
SHARE_OF_SPREAD = 0.2  # the margin, as a share of how far outcomes spread by chance
LEAST_POINTS, LEAST_PERCENT = 0.5, 5.0
TIED = 0.25  # of the margin: moves that are no further apart are equally good
MOST_BEST = 2
LUCK = 0.5  # of an error, by which a difference may grow
MORE_WORLDS = 2  # times those of the first check, which stops when it is sure
MOST_ENDINGS = 0.1  # of the worlds may end a game of several hands, in which points are not all that counts

EASIEST, BEGINNERS_MISS, CLUB_MISSES = 1000, 300, 500  # rating of a puzzle, and what is added by who misses it

STRONG_IS_QUICKER = ("shanghai", "vatican")  # than the club bot


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game. start: the position before its first move. moves: each with its seat."""

    game: Game[Any, Any, Any]
    start: State
    moves: Sequence[tuple[int, Move]]


@dataclass(frozen=True, slots=True)
class Check:
    """The best move against the next one in the worlds of one seed. gain: the mean difference, `error` around it."""

    seed: str
    worlds: int
    gain: float
    error: float


@dataclass(frozen=True, slots=True)
class MoveValue:
    """What a move brings less than the best one, by all worlds in which it was tried."""

    move: Move
    behind: float
    error: float


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with its solution.

    number: how many moves of the game come before it. best: equally good moves, more than one where cards are equal.
    in_percent: values are shares of opponents left behind, as the game has no points.
    values: the other moves that were tried, best first. chosen: by level what the bots chose, and how often.
    difficulty: on the scale of ratings, estimated from how often weak bots miss it.
    """

    number: int
    state: State
    seat: int
    best: tuple[Move, ...]
    in_percent: bool
    values: tuple[MoveValue, ...]
    checks: tuple[Check, ...]
    chosen: dict[str, Counter[Move]]
    difficulty: int
    reason: Reason

    @property
    def gain(self) -> float:
        """What the best move is worth over the next one: the smaller of what the checks found."""
        return min(check.gain for check in self.checks)


def world_player(slug: str) -> Bot:
    """The quickest bot that plays sampled worlds on well enough."""
    strong = bot(slug, "strong")
    is_quick = isinstance(strong, PlaysOut | PlaysOpen) or slug in STRONG_IS_QUICKER
    return strong if is_quick else bot(slug, "club")


def find_puzzles(record: Record, *, seed: str, clock: Clock, until: float) -> Iterator[Puzzle]:
    """The puzzles in a game, in random order of its positions, until the clock says `until`."""
    positions = list(_positions(record))
    Random(seed).shuffle(positions)
    for number, state, seat in positions:
        now = clock()
        if now >= until:
            return
        search = Search(record.game, state, seat, seed=f"{seed} {number}", clock=clock, until=now + POSITION_SECONDS)
        found = search.puzzle(number)
        if found is not None:
            yield found


def played_by_bots(game: Game[Any, Any, Any], *, seats: int, seed: str) -> Record:
    """A game of club bots with the default options."""
    rng = Random(seed)
    options = game.read_options(None, seats)
    decks = Decks(random_decks(game.deck(options), rng))
    played = play_game(game, [bot(game.slug, "club")] * seats, decks, rng, options)
    start: State = game.start(decks_from(decks), seats=seats, options=options)
    return Record(game, start, played.moves)


def _positions(record: Record) -> Iterator[tuple[int, State, int]]:
    """The positions in which the seat that moved had a choice."""
    state = record.start.copy()
    for number, (seat, move) in enumerate(record.moves):
        if 1 < len(state.legal_moves(seat)) <= MOST_MOVES:
            yield number, state.copy(), seat
        state.play(seat, move)


class OutOfTime(Exception):
    """The search of a position has used its seconds."""


class Search:
    """Search of one position, as the seat to act sees it."""

    def __init__(
        self, game: Game[Any, Any, Any], state: State, seat: int, *, seed: str, clock: Clock, until: float
    ) -> None:
        self.game = game
        self.state = state
        self.seat = seat
        self.view: View = state.view(seat)
        self.seed = seed
        self.clock = clock
        self.until = until

    def puzzle(self, number: int = 0) -> Puzzle | None:
        """The position as a puzzle, None if it is none."""
        if self.view.forced is not None or not 1 < len(self.view.moves) <= MOST_MOVES:
            return None
        chosen = {level: self._choices(level, CHOICES) for level in ("first-steps", "club")}
        chosen["strong"] = self._choices("strong", 1)
        (favourite,) = chosen["strong"]
        if not self._is_missed(chosen, (favourite,)):
            return None
        try:
            return self._checked(number, chosen, favourite)
        except (OutOfTime, TooLong):
            return None

    def _choices(self, level: str, times: int) -> Counter[Move]:
        player = bot(self.game.slug, level)
        return Counter(player.choose(self.view, Random(f"{self.seed} {level} {time}")) for time in range(times))

    def _is_missed(self, chosen: dict[str, Counter[Move]], best: Sequence[Move]) -> bool:
        """Whether club bots mostly choose another move, or beginners fall for one and the same."""
        ((favourite, times),) = chosen["first-steps"].most_common(1)
        is_none = favourite in best or self.game.slug in CARELESS_BEGINNERS
        tempted = 0.0 if is_none else times / chosen["first-steps"].total()
        return share_missed(chosen["club"], best) >= MISSED_BY_CLUB or tempted >= TEMPTED_BEGINNERS

    def _checked(self, number: int, chosen: dict[str, Counter[Move]], favourite: Move) -> Puzzle | None:
        first = self._rollouts("first")
        best = self._first_check(first, [favourite, *chosen["club"], *chosen["first-steps"]])
        if favourite not in best or not self._is_missed(chosen, best):
            return None
        chosen["strong"] += self._choices("strong", 3)
        if share_missed(chosen["strong"], best):
            return None
        second = self._rollouts("second")
        for _ in range(MORE_WORLDS * first.worlds):
            self._add(second, [move for move in first.outcomes if len(first.outcomes[move]) == first.worlds])
        if set(self._leaders(second)) != set(best):
            return None
        ranked = first.ranked()
        behind = {move: first.difference(best[0], move) for move in ranked if move not in best}
        club, beginners = (share_missed(chosen[level], best) for level in ("club", "first-steps"))
        return Puzzle(
            number=number,
            state=self.state,
            seat=self.seat,
            best=tuple(best),
            in_percent=first.in_percent,
            values=tuple(MoveValue(move, gap.mean, gap.error) for move, gap in behind.items()),
            checks=(_check(first, best), _check(second, best)),
            chosen=chosen,
            difficulty=round(EASIEST + BEGINNERS_MISS * beginners + CLUB_MISSES * club),
            reason=reason(self.game.slug, self.view, best[0]),
        )

    def _rollouts(self, name: str) -> Rollouts:
        return Rollouts(self.game, self.view, world_player(self.game.slug), f"{self.seed} {name}")

    def _add(self, rollouts: Rollouts, moves: Sequence[Move]) -> None:
        if self.clock() >= self.until:
            raise OutOfTime
        rollouts.add(moves)

    def _first_check(self, rollouts: Rollouts, wanted: Sequence[Move]) -> list[Move]:
        """The best moves by as many worlds as it takes to be sure; [] where none is clearly best.

        wanted: the move of the strong bot, which must be among them, and others to be looked at.
        """
        for _ in range(FIRST_WORLDS):
            self._add(rollouts, self.view.moves)
        if rollouts.is_certain:
            return self._leaders(rollouts)
        if rollouts.difference(rollouts.ranked()[0], wanted[0]).low > 0:
            return []
        close = list(dict.fromkeys([*rollouts.ranked()[:CANDIDATES], *wanted]))
        while rollouts.worlds < MOST_WORLDS:
            for _ in range(STEP):
                self._add(rollouts, close)
            best = self._leaders(rollouts)
            if best and rollouts.worlds >= FEWEST_WORLDS:
                return best
            if self._is_hopeless(rollouts):
                break
        return []

    def _leaders(self, rollouts: Rollouts) -> list[Move]:
        """The best moves if all others are behind them by more than the margin, with the whole interval; else []."""
        if rollouts.endings > MOST_ENDINGS and self.game.has_several_deals(self.view.options):
            return []
        best, others, margin = self._groups(rollouts)
        is_clear = all(rollouts.difference(best[-1], move).low >= margin for move in others)
        return best if is_clear and others and len(best) <= MOST_BEST else []

    def _is_hopeless(self, rollouts: Rollouts) -> bool:
        """Whether even with luck the best moves would not be clear of the others after the most worlds."""
        best, others, margin = self._groups(rollouts)
        left = sqrt(rollouts.worlds / MOST_WORLDS)  # of an error
        gaps = [rollouts.difference(best[-1], move) for move in others]
        return len(best) > MOST_BEST or any(gap.mean + (LUCK - left) * gap.error < margin for gap in gaps)

    def _groups(self, rollouts: Rollouts) -> tuple[list[Move], list[Move], float]:
        """The best moves, which are equally good, the others that were tried in all worlds, and the margin."""
        ranked = [move for move in rollouts.ranked() if len(rollouts.outcomes[move]) == rollouts.worlds]
        margin = self._margin(rollouts, ranked[0])
        best = [move for move in ranked if rollouts.mean(ranked[0]) - rollouts.mean(move) <= TIED * margin]
        return best, ranked[len(best) :], margin

    def _margin(self, rollouts: Rollouts, best: Move) -> float:
        least = LEAST_PERCENT if rollouts.in_percent else LEAST_POINTS
        return max(least, SHARE_OF_SPREAD * rollouts.spread(best))


def share_missed(chosen: Counter[Move], best: Sequence[Move]) -> float:
    """How often the choice was none of the best moves."""
    return 1 - sum(chosen[move] for move in best) / chosen.total()


def _check(rollouts: Rollouts, best: Sequence[Move]) -> Check:
    others = [move for move in rollouts.ranked() if move not in best]
    gap = min((rollouts.difference(best[-1], move) for move in others), key=lambda found: found.mean)
    return Check(rollouts.seed, rollouts.worlds, gap.mean, gap.error)
