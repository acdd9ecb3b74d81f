"""Reviews: missed rules come back as questions, scheduled by FSRS.

A rule becomes an item when it is missed: in a lesson, at a table, in a puzzle or in a test. That miss is its first
rating. Every answer in a review is the next one: again or good.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from math import ceil

from django.db import transaction
from fsrs import Card, Rating, Scheduler, State

from accounts.models import User
from games import engines
from tutorials import drill_stock
from tutorials.content import library
from tutorials.content.runner import AnyGame
from tutorials.drills.questions import Source
from tutorials.models import ReviewAnswer, ReviewItem

SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)  # whole days from the start
SAME_HOUR_TOMORROW = timedelta(hours=8)  # an item of yesterday evening is due this afternoon
ONE_MISS = timedelta(hours=12)  # within which a rule counts as missed once
KNOWN_DAYS = 14.0  # of stability
SECONDS_AN_ITEM = 35

Miss = ReviewAnswer.Source


class AlreadyAnswered(ValueError):
    """The item was answered on another page, or is not due."""


@dataclass(frozen=True, slots=True)
class DueReviews:
    """How many items are to be reviewed now. next_at: when the next is due, None for never."""

    items: int
    next_at: datetime | None

    @property
    def minutes(self) -> int:
        return ceil(self.items * SECONDS_AN_ITEM / 60)


def note_missed_rule(user: User, game: str, rule: str, *, source: Miss, now: datetime) -> None:
    """Makes a rule an item of a user's reviews, or asks for it sooner. rule: short id; unknown ones are ignored."""
    note_missed_rules(user, game, [rule], source=source, now=now)


@transaction.atomic
def note_missed_rules(user: User, game: str, rules: Iterable[str], *, source: Miss, now: datetime) -> None:
    known = library.rule_ids(game) if game in library.games_with("rules.md") else frozenset[str]()
    for rule in rules:
        if rule not in known:
            continue
        item, is_new = ReviewItem.objects.select_for_update().get_or_create(
            user=user, game=game, rule=rule, defaults={"due_at": now}
        )
        if is_new or item.reviewed_at is None or now - item.reviewed_at >= ONE_MISS:
            _rate(item, is_right=False, source=source, now=now)


@transaction.atomic
def answer_item(*, user: User, item_id: int, answers: int, is_right: bool, now: datetime) -> ReviewItem:
    """Rates an item. answers: how many it had on the page that was answered.

    :raises ReviewItem.DoesNotExist: the user has no such item. :raises AlreadyAnswered:
    """
    item = ReviewItem.objects.select_for_update().get(pk=item_id, user=user)
    if item.answers != answers or item.due_at > now:
        raise AlreadyAnswered
    _rate(item, is_right=is_right, source=Miss.REVIEW, now=now)
    return item


def _rate(item: ReviewItem, *, is_right: bool, source: Miss, now: datetime) -> None:
    is_first = item.reviewed_at is None
    card = Card(
        0,  # else it makes up an id, and waits for a new one
        state=State.Learning if is_first else State.Review,
        stability=item.stability,
        difficulty=item.difficulty,
        due=item.due_at,
        last_review=item.reviewed_at,
    )
    card, _ = SCHEDULER.review_card(card, Rating.Good if is_right else Rating.Again, now)
    item.stability, item.difficulty, item.reviewed_at = card.stability, card.difficulty, now
    item.due_at = card.due - SAME_HOUR_TOMORROW
    item.answers += 1
    item.save(update_fields=["stability", "difficulty", "reviewed_at", "due_at", "answers"])
    ReviewAnswer.objects.create(item=item, at=now, source=source, is_right=is_right)


def due_items(user: object, *, now: datetime) -> list[ReviewItem]:
    """The items to review now, those due first of all first."""
    if not isinstance(user, User):
        return []
    return list(takewhile(lambda item: item.due_at <= now, _items_of(user)))


def due_reviews(user: object, *, now: datetime) -> DueReviews:
    """Counted for the home page and the list of courses: one query."""
    if not isinstance(user, User):
        return DueReviews(0, None)
    times = [item.due_at for item in _items_of(user)]
    return DueReviews(sum(at <= now for at in times), next((at for at in times if at > now), None))


def _items_of(user: User) -> Iterator[ReviewItem]:
    """A user's items, those due first of all first; without those that can't be asked: nobody could answer them."""
    items = ReviewItem.objects.filter(user=user).order_by("due_at", "pk")
    return (item for item in items if game_of(item))


def game_of(item: ReviewItem) -> AnyGame | None:
    """None for an item whose game or rule is no longer there."""
    if item.game not in library.games_with("rules.md") or item.rule not in library.rule_ids(item.game):
        return None
    return engines.get(item.game)


def source_of(item: ReviewItem) -> Source | None:
    """The question that an item asks now; each time another one. None where the rule has none."""
    sources = drill_stock.sources_of(item.game, item.rule)
    return drill_stock.pick_source(sources, seed=f"review {item.pk}", turn=item.answers) if sources else None


def rule_states(user: object, game: str, *, now: datetime) -> dict[str, str]:
    """By short id of a rule: "due", "learning" or "known". Rules that the user has never met are left out."""
    if not isinstance(user, User):
        return {}
    states: dict[str, str] = {}
    if game in library.games_with("lessons.yaml"):
        done = set(user.lesson_progress.filter(game=game).exclude(done_at=None).values_list("step", flat=True))
        for step in library.load_course(game).steps:
            states |= dict.fromkeys(step.rules if step.id in done else (), "known")
    for item in user.review_items.filter(game=game):
        is_known = (item.stability or 0) >= KNOWN_DAYS
        states[item.rule] = "due" if item.due_at <= now else "known" if is_known else "learning"
    return states
