"""Stock of fresh positions: filled by a task between games, so that no page waits for bots."""

from collections import Counter
from datetime import datetime, timedelta
from functools import cache
from random import Random

from django.db import transaction

from games import engines
from infra.due import claim_row
from tutorials.content import library
from tutorials.drills.counts import FreshCount, fresh_counts
from tutorials.drills.near_misses import FreshPosition, fresh_positions
from tutorials.drills.questions import Source, asked_rules, fresh_source, step_source
from tutorials.models import Drill, DrillStock

MOST_OF_A_RULE = 12
SEEDS_OF_A_NEW_STOCK = 30  # after these, one game a day brings fresh positions
FILLING, RENEWING = timedelta(minutes=10), timedelta(days=1)


def restock(*, now: datetime) -> str:
    """Plays one game between bots for the stock that is due first, and keeps its positions. Its slug, "" for none."""
    _open_stocks(now)
    stock = DrillStock.objects.filter(due_at__lte=now).order_by("due_at", "pk").first()
    if stock is None:
        return ""
    put_off = now + (FILLING if stock.seed < SEEDS_OF_A_NEW_STOCK else RENEWING)
    if not claim_row(DrillStock.objects.all(), stock.pk, "due_at", stock.due_at, put_off_to=put_off):
        return ""
    DrillStock.objects.filter(pk=stock.pk).update(seed=stock.seed + 1)  # first: a game that fails is not tried for ever
    add_seed(game=stock.game, seed=stock.seed)
    return stock.game


def _open_stocks(now: datetime) -> None:
    wanted = set(library.games_with("rules.md")) - set(DrillStock.objects.values_list("game", flat=True))
    DrillStock.objects.bulk_create([DrillStock(game=game, due_at=now) for game in wanted], ignore_conflicts=True)


def add_seed(*, game: str, seed: int) -> None:
    """Adds the positions of one game between bots; of each rule the oldest go where there are too many.

    The bots play for some seconds before the transaction begins: on SQLite it keeps all others from writing.
    """
    rules, known = engines.get(game), library.rule_ids(game)
    found: list[FreshPosition | FreshCount] = [*fresh_positions(rules, seed), *fresh_counts(rules, seed)]
    drills = [
        Drill(game=game, rule=fresh.rule, seed=seed, source=fresh_source(fresh))
        for fresh in found
        if fresh.rule in known
    ]
    _store(game, drills)


@transaction.atomic
def _store(game: str, drills: list[Drill]) -> None:
    Drill.objects.bulk_create(drills)
    counts = Counter(Drill.objects.filter(game=game).values_list("rule", flat=True))
    for rule in {drill.rule for drill in drills}:
        surplus = Drill.objects.filter(game=game, rule=rule).order_by("pk")[: max(0, counts[rule] - MOST_OF_A_RULE)]
        Drill.objects.filter(pk__in=[drill.pk for drill in surplus]).delete()


def sources_of(game: str, rule: str) -> list[Source]:
    """Where a question about this rule may come from: fresh positions, else the steps of the course that teach it."""
    fresh = list(Drill.objects.filter(game=game, rule=rule).order_by("pk").values_list("source", flat=True))
    return fresh or step_sources(game, rule)


def step_sources(game: str, rule: str) -> list[Source]:
    """The steps whose question a rule decides, those first that teach it first of all."""
    if game not in library.games_with("lessons.yaml"):
        return []
    steps = [step for step in library.load_course(game).steps if rule in _asked_rules(game, step.id)]
    steps.sort(key=lambda step: [*step.rules, rule].index(rule))
    return [{**step_source(step), "rule": rule} for step in steps]


@cache
def _asked_rules(game: str, id: str) -> frozenset[str]:
    return asked_rules(engines.get(game), next(step for step in library.load_course(game).steps if step.id == id))


def pick_source(sources: list[Source], *, seed: str, turn: int) -> Source:
    """One of them: the same for the same seed and turn, and each of them once before one comes again."""
    order = Random(seed).sample(range(len(sources)), len(sources))
    return sources[order[turn % len(sources)]]
