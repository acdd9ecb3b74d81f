"""Counts: fresh ends of hands, in which a rule says how much something is worth.

Bots play a game; the show at the end of each hand (`Game.show`) counts step by step, and each step and each line of the
score sheet names its rule. One of them with its number left out is a question about that rule.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from games import bots
from games.core.contract import Event, HandEnd, Move, Position, Stage, State, Zone
from games.core.deals import random_decks
from games.core.shows import end_of_hand, line_stages
from tutorials.drills.near_misses import ANSWERS, ONE_RULE_A_GAME, PLAYER, AnyGame

MOVES = 500  # at most, of one game
HANDS = 4
GAP = "…"
SUMS = ("count", "pay", "add")  # verbs of steps that count without scoring: "Ada counts 7 points of deadwood"

_NUMBER = re.compile(r"(?<![\w{@-])\d+(?![\w}])")


@dataclass(frozen=True, slots=True)
class FreshCount:
    """A step of the count at the end of a hand, with numbers to choose from.

    rule: short id. position, seat, move: the position as `Game.load` reads it, and the move that ended the hand. step:
    which one of the count. numbers: one is right.
    """

    rule: str
    position: Position
    seat: int
    move: str
    step: int
    numbers: tuple[int, ...]


class CountStep(NamedTuple):
    """A step of a count that can be asked for. text: with `GAP` in place of the number, and the markup of names."""

    rule: str
    text: str
    number: int
    cards: tuple[str, ...]
    zones: tuple[Zone, ...]


def fresh_counts(game: AnyGame, seed: int) -> list[FreshCount]:
    """Counts out of one game between bots: the same for the same seed, at most `ONE_RULE_A_GAME` for each rule."""
    rng = Random(f"{game.slug} counts {seed}")
    found: defaultdict[str, list[FreshCount]] = defaultdict(list)
    for end in _ends(game, rng):
        for index, step in enumerate(_steps(game, end)):
            if step is None or len(found[step.rule]) == ONE_RULE_A_GAME:
                continue
            fresh = FreshCount(step.rule, end.before.dump(), end.seat, str(end.move), index, _choices(step, rng))
            if counted_step(game, fresh):
                found[step.rule].append(fresh)
    return [fresh for counts in found.values() for fresh in counts]


def counted_step(game: AnyGame, fresh: FreshCount) -> CountStep | None:
    """What the engine counts there now; None where that is no longer this rule, or none of the numbers.

    :raises GameError: it cannot read the position or the move.
    """
    state: State = game.load(fresh.position)
    steps = _steps(game, end_of_hand(state, fresh.seat, game.parse(fresh.move)))
    step = steps[fresh.step] if fresh.step < len(steps) else None
    return step if step and step.rule == fresh.rule and step.number in fresh.numbers else None


def _ends(game: AnyGame, rng: Random) -> Iterator[HandEnd[State, Move]]:
    """The ends of the first hands of a game."""
    seats = rng.choice(game.seats)
    options = game.read_options({}, seats)
    state: State = game.start(random_decks(game.deck(options), rng), seats=seats, options=options)
    bot, hands = bots.bot(game.slug, PLAYER), 0
    for _ in range(MOVES):
        if not state.to_act or hands == HANDS:
            return
        before, seat = state.copy(), rng.choice(state.to_act)
        move = bot.choose(state.view(seat), rng)
        state.play(seat, move)
        if len(state.results) > len(before.results):
            hands += 1
            yield HandEnd(before, seat, move, state.copy())


def _steps(game: AnyGame, end: HandEnd[State, Move]) -> list[CountStep | None]:
    """The steps of the show, then the lines of the score sheet; None for those that cannot be asked for."""
    show = game.show(end)
    steps = [_step(stage, show.zones) for stage in show.stages]
    lines = [_line(line, show.zones) for line in line_stages(end)]
    known = {step.rule for step in steps if step}
    return [*steps, *(line if line and line.rule not in known else None for line in lines)]


def _step(stage: Stage, zones: tuple[Zone, ...]) -> CountStep | None:
    """Its points, or its sum where it scores nothing. Counted aloud in words, as in Cribbage, its cards are named."""
    text, points = Event(stage.seat, stage.phrase).text, _points(stage)
    numbers = list(_NUMBER.finditer(text))
    if points:
        asked = [found for found in numbers if int(found[0]) == points]
    else:
        asked = [found for found in numbers[:1] if stage.phrase.verb in SUMS and stage.phrase.rest.startswith(found[0])]
    if len(asked) == 1 and int(asked[0][0]) and (stage.cards or len(numbers) > 1):
        start, end = asked[0].span()
        return CountStep(_short(stage), f"{text[:start]}{GAP}{text[end:]}", int(asked[0][0]), stage.cards, zones)
    if points and stage.cards and not numbers:
        return CountStep(_short(stage), f"{' '.join(stage.cards)} score {GAP}", points, stage.cards, zones)
    return None


def _line(line: Stage, zones: tuple[Zone, ...]) -> CountStep | None:
    points = _points(line)
    return CountStep(_short(line), f"{line.phrase.text}: {GAP}", points, (), zones) if points and line.rule else None


def _points(stage: Stage) -> int:
    return max(map(abs, stage.points), default=0)


def _short(stage: Stage) -> str:
    return stage.rule.partition(":")[2]


def _choices(step: CountStep, rng: Random) -> tuple[int, ...]:
    """The right number among likely miscounts: others of the step, its cards, one or two beside, half, double."""
    right = step.number
    likely = [int(found[0]) for found in _NUMBER.finditer(step.text)] + [len(step.cards)]
    beside = rng.sample([right - 1, right + 1, right + 2, right * 2, right // 2, right + 5], 6)
    wrong = [number for number in dict.fromkeys([*likely, *beside]) if number > 0 and number != right]
    return tuple(sorted([right, *wrong[: ANSWERS - 1]]))
