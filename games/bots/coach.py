"""Coach: judges the decisions of one player in a finished game, each from what the player could know then.

A decision is judged in three steps.

1. The bots of all levels are asked. A move that the strong bot would make, too, is right.
2. The candidates are tried in sampled worlds (`games.bots.rollouts`), clearly worse ones in fewer of them, until the
   best one is found.
3. The move played is compared with the best one in other worlds. To compare them in the worlds that chose the best one
   would make every move look like a mistake.

A move is called a mistake only if the whole 95 % interval of its loss is above zero in enough worlds, the loss has a
minimum size, and the strong bot does not choose the move in further tries either. Values are points of the hand, or
chances of winning in percent: in games without points, and where the hand may end the game, so that points are not all
that counts.

A game begins with a `first_look` at all decisions. In a long one those in which the strong bot makes another move are
only compared with that move (`COMPARISON`), and the costliest ones are then judged as above, in other worlds.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games.bots import Bot, PlaysOut, bot
from games.bots.puzzles import MOST_ENDINGS, MoveValue, Record, world_player
from games.bots.rollouts import Difference, Rollouts, TooLong
from games.core.contract import Game, Move, State, View

Clock = Callable[[], float]

LEVELS_ASKED = ("first-steps", "club", "strong")
LEAST_POINTS, LEAST_PERCENT = 0.5, 4.0  # of a mistake
FEWEST_WORLDS = 6  # in which a mistake is measured: outcomes of fewer may be equal by chance
CHOOSING_SHARE = 0.6  # of the time; the rest is for measuring the loss
SHARE_OF_SPREAD = 0.05  # the least loss, as a share of how far outcomes spread by chance
PRECISE = 0.5  # share of a loss that its error may be, while there is time
FEWEST_GLANCED, GLANCED = 2, 6000  # worlds of a first look at a move that is right, and of all in a game
FURTHER_TRIES = 2  # of the strong bot, before a move that it does not choose is called a mistake
NONE = Difference(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Budget:
    """How many worlds a decision may take; with `most` 0 only a glance.

    glance: for a move that is right, to say how the game goes; 0 to leave that open. first: in which all candidates are
    tried. most: in which the best move is chosen, and again in which it is compared with the move played. candidates:
    moves that are tried; of a longer list a sample, with those that bots choose; 0 for only the move of the strong bot.
    worlds: begins their seeds: budgets with different ones have other worlds.
    """

    glance: int = 6
    first: int = 10
    most: int = 80
    candidates: int = 14
    worlds: str = ""


def first_look(moves: int) -> Budget:
    """For each decision of a game with so many moves: what do bots play, and how does the game go?"""
    return Budget(glance=max(FEWEST_GLANCED, min(Budget().glance, GLANCED // max(moves, 1))), most=0)


COMPARISON = Budget(first=4, most=32, candidates=0, worlds="comparison ")


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Who judges. plays_on: plays sampled worlds to the end of the hand.

    adviser: level of the bot whose choice is never a mistake; "" for none.
    """

    plays_on: Bot
    adviser: str = "strong"

    @property
    def plays_out(self) -> bool:
        """Whether worlds are played on in the bot's own quick way, and values are always points."""
        return isinstance(self.plays_on, PlaysOut)

    @property
    def prize(self) -> float:
        """What winning the game counts as, besides points."""
        return self.plays_on.prize if isinstance(self.plays_on, PlaysOut) else 0.0


def evaluator_of(slug: str) -> Evaluator:
    """The strong bot's advice, with the quickest bot that plays well enough in sampled worlds."""
    return Evaluator(world_player(slug))


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision of the player: the view, the move played, and how many moves of the game came before.

    hand: number of the hand, from 1.
    """

    number: int
    hand: int
    view: View
    played: Move


@dataclass(frozen=True, slots=True)
class Decision:
    """A judged decision.

    loss: of the move played against the best one, `in_percent` of winning or in points. values: of the other moves that
    were tried, how far behind the best. chosen: by level what a bot played here. lead: in points, expected at the end
    of the hand after the move played; the chance of winning in percent where the game has no points. best_lead: that
    after the best move. spread: how far it may still change by chance. worlds: in which the loss was measured.
    made_of: what a mistake lost by each rule of scoring, in points; their sum is the loss. Empty in percent.
    """

    choice: Choice
    best: Move
    loss: Difference
    in_percent: bool
    is_mistake: bool
    values: tuple[MoveValue, ...]
    chosen: dict[str, Move]
    lead: float
    best_lead: float
    spread: float
    worlds: int
    made_of: dict[str, float]

    @property
    def is_advised(self) -> bool:
        """Whether the strong bot makes the move played, too."""
        return self.chosen["strong"] == self.choice.played


class ScoredRollouts(Rollouts):
    """Rollouts that keep the score sheets, and count what is scored in a hand but not at the end of a game.

    by_rule: of each move, the lead that each rule of scoring gave, in all worlds together.
    """

    def __init__(self, game: Game[Any, Any, Any], view: View, bot: Bot, seed: str, *, swing: float | None) -> None:
        super().__init__(game, view, bot, seed, swing=swing)
        self.by_rule: defaultdict[Move, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))

    def _scores(self, state: State) -> Sequence[int]:
        return state.view(None).scores

    def _outcome(self, state: State, move: Move, rng: Random) -> float:
        hands = len(state.results)
        outcome = super()._outcome(state, move, rng)
        leads = self.by_rule[move]
        for line in (line for result in state.results[hands:] for line in result.lines):
            leads[line.rule] += self._lead([line.points * (seat in line.seats) for seat in range(self.view.seats)])
        return outcome

    def _lead_by_rule(self, bot: PlaysOut, world: State, move: Move) -> dict[str, float]:
        found = super()._lead_by_rule(bot, world, move)
        for rule, lead in found.items():
            self.by_rule[move][rule] += lead
        return found

    def gained_by_rule(self, move: Move, other: Move) -> dict[str, float]:
        """What a move gains over another one by each rule, in points."""
        mine, theirs = self.by_rule[move], self.by_rule[other]
        return {rule: (mine[rule] - theirs[rule]) / self.worlds for rule in sorted(mine.keys() | theirs.keys())}


def choices_of(record: Record, seat: int, among: Container[int] | None = None) -> Iterator[Choice]:
    """The positions in which a seat had a choice, in order. among: the numbers of moves that count; None for all."""
    state = record.start.copy()
    for number, (mover, move) in enumerate(record.moves):
        if mover == seat and (among is None or number in among):
            view = state.view(seat)
            if view.forced is None and (len(view.moves) > 1 or record.game.proposals):
                yield Choice(number, len(state.results) + 1, view, move)
        state.play(mover, move)


def judge(
    game: Game[Any, Any, Any],
    choice: Choice,
    *,
    seed: str,
    clock: Clock,
    until: float,
    budget: Budget = Budget(),
    evaluator: Evaluator | None = None,
    compares_all: bool = False,
) -> Decision | None:
    """Judges a decision; with fewer worlds, so less surely, if the clock says `until` before it is done.

    compares_all: tries other moves also where the strong bot makes the one played.
    None if the hand did not end in a world (`rollouts.LONGEST`).
    """
    by = evaluator or evaluator_of(game.slug)
    judgement = _Judgement(game, choice, f"{seed} {choice.number}", clock, until, budget, by)
    try:
        return judgement.decision(compares_all=compares_all)
    except TooLong:
        return None


class _Judgement:
    """The judgement of one decision."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        choice: Choice,
        seed: str,
        clock: Clock,
        until: float,
        budget: Budget,
        evaluator: Evaluator,
    ) -> None:
        self.game, self.choice, self.seed = game, choice, seed
        self.clock, self.budget, self.end = clock, budget, until
        now = clock()
        self.until = now + CHOOSING_SHARE * (until - now)
        self.view, self.played = choice.view, choice.played
        self.by = evaluator
        levels = dict.fromkeys([*LEVELS_ASKED, *filter(None, [evaluator.adviser])])
        self.chosen = {level: self._choice_of(level, "first") for level in levels}
        self.swing: float | None = None

    def decision(self, *, compares_all: bool) -> Decision:
        advised = self.chosen.get(self.by.adviser)
        glance = self._rollouts("glance")
        if not self.budget.most or (advised == self.played and not compares_all):
            self._add(glance, [self.played], self.budget.glance)
            return self._result(glance, self.played, NONE, is_mistake=False)
        candidates = self._candidates(advised)
        self._add(glance, candidates, self.budget.first)
        choosing = glance
        if not glance.in_percent and self._may_end_game(glance):
            self.swing = glance.spread(self.played)
            choosing = self._rollouts("chances")
            self._add(choosing, candidates, self.budget.first)
        best = self._find_best(choosing, advised) if self.budget.candidates else candidates[-1]
        if best == self.played:
            return self._result(glance, best, NONE, is_mistake=False, choosing=choosing)
        least = self._least(choosing)
        self.until = self.end
        measuring = self._measure(best, least)
        loss = measuring.difference(best, self.played)
        is_clear = loss.low > 0 and loss.mean >= least and measuring.worlds >= FEWEST_WORLDS
        is_mistake = is_clear and not self._is_advised()
        made_of = measuring.gained_by_rule(best, self.played) if is_mistake and not measuring.in_percent else {}
        return self._result(
            glance, best, loss, is_mistake=is_mistake, choosing=choosing, worlds=measuring.worlds, made_of=made_of
        )

    def _choice_of(self, level: str, name: str) -> Move:
        return bot(self.game.slug, level).choose(self.view, Random(f"{self.seed} {level} {name}"))

    def _is_advised(self) -> bool:
        """Whether the adviser may choose the move played, too, with other random numbers."""
        tries = FURTHER_TRIES if self.by.adviser else 0
        return any(self._choice_of(self.by.adviser, str(number)) == self.played for number in range(tries))

    def _rollouts(self, name: str) -> ScoredRollouts:
        return ScoredRollouts(self.game, self.view, self.by.plays_on, self._seed_of(name), swing=self.swing)

    def _seed_of(self, name: str) -> str:
        return f"{self.seed} {self.budget.worlds}{name}"

    def _add(self, rollouts: Rollouts, moves: Sequence[Move], worlds: int) -> None:
        """Adds worlds, at least two even if there is no time left."""
        for _ in range(worlds):
            if rollouts.worlds >= 2 and self.clock() >= self.until:
                return
            rollouts.add(moves)

    def _candidates(self, advised: Move | None) -> list[Move]:
        """The moves to try: all of them, or a sample with those that were chosen by someone."""
        if advised is not None and not self.budget.candidates:
            return [self.played, advised]
        wanted = [self.played, *self.chosen.values()]
        others = list(self.view.moves)
        if len(others) > self.budget.candidates:
            others = Random(f"{self.seed} candidates").sample(others, self.budget.candidates)
        return list(dict.fromkeys([*wanted, *others]))

    def _may_end_game(self, rollouts: Rollouts) -> bool:
        return rollouts.endings > MOST_ENDINGS and self.game.has_several_deals(self.view.options)

    def _find_best(self, rollouts: Rollouts, advised: Move | None) -> Move:
        """The best move, by more and more worlds for the moves that may still be it."""
        while not rollouts.is_certain and rollouts.worlds < self.budget.most and self.clock() < self.until:
            leader, *others = self._leaders(rollouts)
            close = [move for move in others if rollouts.difference(leader, move).low <= 0]
            if not close:
                break
            before = rollouts.worlds
            self._add(rollouts, [leader, *close[: max(3, len(close) // 2)]], rollouts.worlds)
            if rollouts.worlds == before:
                break
        leader, *others = self._leaders(rollouts)
        if advised in others and rollouts.difference(leader, advised).low <= 0:
            return advised  # as good as can be told
        return leader

    def _leaders(self, rollouts: Rollouts) -> list[Move]:
        """The moves that were tried in all worlds, best first."""
        return [move for move in rollouts.ranked() if len(rollouts.outcomes[move]) == rollouts.worlds]

    def _measure(self, best: Move, least: float) -> ScoredRollouts:
        """The best move and the one played in other worlds, until it is clear what lies between them, and how much."""
        step = self.budget.first
        rollouts = self._rollouts("measure")
        while True:
            before = rollouts.worlds
            self._add(rollouts, [best, self.played], step)
            loss = rollouts.difference(best, self.played)
            is_clear = loss.high < least or (loss.low > least and loss.error <= PRECISE * loss.mean)
            is_enough = rollouts.worlds >= self.budget.most or (is_clear and rollouts.worlds >= 2 * step)
            if is_enough or rollouts.worlds == before or self.clock() >= self.until:
                return rollouts

    def _least(self, rollouts: Rollouts) -> float:
        """The smallest loss that is called a mistake."""
        if rollouts.in_percent:
            return LEAST_PERCENT
        return max(LEAST_POINTS, SHARE_OF_SPREAD * rollouts.spread(self.played))

    def _result(
        self,
        glance: Rollouts,
        best: Move,
        loss: Difference,
        *,
        is_mistake: bool,
        choosing: Rollouts | None = None,
        worlds: int = 0,
        made_of: dict[str, float] | None = None,
    ) -> Decision:
        others = [move for move in choosing.ranked() if move != best] if choosing else []
        gaps = [(move, choosing.difference(best, move)) for move in others] if choosing else []
        start = 0.0 if glance.in_percent else glance.lead
        is_glanced = self.played in glance.outcomes
        played = start + (glance.mean(self.played) if is_glanced else 0.0)
        return Decision(
            choice=self.choice,
            best=best,
            loss=loss,
            in_percent=(choosing or glance).in_percent,
            is_mistake=is_mistake,
            values=tuple(MoveValue(move, gap.mean, gap.error) for move, gap in gaps),
            chosen=self.chosen,
            lead=played,
            best_lead=start + glance.mean(best) if best in glance.outcomes else played,
            spread=glance.spread(self.played) if is_glanced else 0.0,
            worlds=worlds,
            made_of=made_of or {},
        )
