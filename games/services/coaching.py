"""Coach: reviews of finished games, in slices on the slow queue. A slice that got lost is due again by itself.

A review looks at a game from one seat, and only with what that player could know (`games.bots.coach`).
"""

import logging
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any, TypeAlias

from django.db import IntegrityError, transaction

from accounts.models import User
from games.bots import coach
from games.bots.coach import Budget, Choice
from games.core.contract import Game, GameError
from games.models import CoachReview, CoachSetting, Seat, Table
from games.queries.shared_deals import is_played_elsewhere
from games.record import coach_rows, replay
from games.record.coach_rows import DecisionRow
from games.services.common import TableError
from infra.due import claim_due
from infra.task_queue import enqueue_on_commit

logger = logging.getLogger(__name__)

GAME_SECONDS = 40.0  # of the processor; in a longer game only what seems costliest is judged closely
MOST_LOOKS = 3  # at a game, each of so many seconds; all but the first are asked for
LOOK_SECONDS = 20.0  # of these for the first look at a long game; behind this pace, fewer decisions tell how it goes
DECISION_SECONDS = 0.7
SLICE_SECONDS = 5.0
PROGRESS_SECONDS = 1.0  # after so much work of a slice the page can show more
LONG_GAME = 600  # moves; in one n times as long every n-th decision, and the first of a hand, tells how the game goes
RATED_GAMES_A_NIGHT = 4
RATED_GAMES_SINCE = timedelta(days=7)
MOST_AUTOMATIC = 8  # reviews going on; beyond that none starts without being asked for
SLICE_TIMEOUT = timedelta(minutes=2)
MISSED_SINCE = timedelta(hours=1)

ANOTHER_IS_RUNNING = "The coach is still reviewing another game of yours. Try again in a moment."

Choices: TypeAlias = Callable[[Container[int]], Iterator[tuple[int, Choice]]]
"""Those of the player's decisions that come after so many rows of the record, in order, each with that number."""


def seats_to_review(table: Table, user_id: int | None) -> list[Seat]:
    """The seats whose game a user can have reviewed: their own, or those of bots they run.

    Of a game between house bots alone, as in a bot league, anyone with an account can have every seat.
    """
    if user_id is None:
        return []
    own = table.seat_of(user_id)
    if own is not None:
        return [own]
    if all(seat.user is not None and seat.user.is_bot for seat in table.seat_rows):
        return list(table.seat_rows)
    return [seat for seat in table.seat_rows if seat.user is not None and seat.user.owner_id == user_id]


def why_no_review(table: Table, user: User) -> str:
    """Why this user can't have a review of the game, "" if they can."""
    if not seats_to_review(table, user.pk):
        return "The coach reviews your own games, those of your bots, and games of house bots."
    if table.status != Table.Status.FINISHED or table.started_at is None:
        return "The coach reviews a game once it is over."
    if table.is_hidden or is_played_elsewhere(table):
        return "Others are still playing these cards. You can have a review when they are done."
    if table.rules_version != table.rules.rules_version:
        return f"The rules of {table.rules.name} have changed since this game, so it can't be reviewed."
    return ""


def request_review(*, table: Table, user: User, now: datetime, seat: int | None = None) -> CoachReview:
    """Starts the review of a game, or returns the user's one that there is.

    seat: one of `seats_to_review`, the first one if None.
    :raises TableError: there can be none, or another one of theirs is going on.
    """
    known = CoachReview.objects.filter(table=table, user=user).first()
    if known is not None:
        return known
    reason = why_no_review(table, user)
    if reason:
        raise TableError(reason)
    numbers = [one.number for one in seats_to_review(table, user.pk)]
    number = seat if seat in numbers else numbers[0]
    try:
        with transaction.atomic():
            review = CoachReview.objects.create(
                table=table, user=user, seat=number, asked_at=now, due_at=now + SLICE_TIMEOUT
            )
            enqueue_on_commit("games.tasks.review_slice", review.pk)
    except IntegrityError:
        known = CoachReview.objects.filter(table=table, user=user).first()
        if known is not None:  # a second press of the button started it meanwhile
            return known
        raise TableError(ANOTHER_IS_RUNNING) from None
    return review


def is_cut(review: CoachReview) -> bool:
    """Whether a finished review has left something for lack of time, and can have more of it."""
    has_left = review.is_partial or any(row.is_open for row in coach_rows.rows_of(review))
    return review.is_finished and has_left and review.seconds < MOST_LOOKS * GAME_SECONDS


def can_look_further(review: CoachReview) -> bool:
    return is_cut(review) and not why_no_review(review.table, review.user)


def look_further(*, table: Table, user: User, now: datetime) -> None:
    """Gives the user's review that was cut another `GAME_SECONDS`, from where it stopped.

    :raises TableError: they can have no review of the game now, or another one of theirs is going on.
    """
    review = table.coach_reviews.filter(user=user).first()
    if review is None or not is_cut(review):
        return  # a second press of the button
    reason = why_no_review(table, user)
    if reason:
        raise TableError(reason)
    stopped = CoachReview.objects.filter(pk=review.pk, seconds=review.seconds, finished_at=review.finished_at)
    try:
        with transaction.atomic():
            if stopped.update(finished_at=None, due_at=now + SLICE_TIMEOUT):
                enqueue_on_commit("games.tasks.review_slice", review.pk)
    except IntegrityError:
        raise TableError(ANOTHER_IS_RUNNING) from None


def hand_over_reviews(*, guest: User, user: User, now: datetime) -> None:
    """An account takes a guest's reviews, but for games of which it has one itself.

    A running one goes on, or stops where it is if the account has another running; `look_further` then continues it.
    """
    reviews = guest.coach_reviews.exclude(table__in=user.coach_reviews.values("table"))
    try:
        with transaction.atomic():
            reviews.update(user=user)
    except IntegrityError:
        reviews.filter(finished_at=None).update(finished_at=now, due_at=None)
        reviews.update(user=user)


def review_bot_game(*, table_id: int, now: datetime) -> None:
    """Starts the review of a game that one person has played against bots, if they want that and few are going on."""
    if CoachReview.objects.filter(finished_at=None).count() >= MOST_AUTOMATIC:
        return
    table = Table.objects.with_seats().get(pk=table_id)
    people = [seat.user for seat in table.seat_rows if seat.user is not None and seat.user.is_person]
    if len(people) != 1 or table.ended_by != Table.EndedBy.RULES or not reviews_bot_games(people[0]):
        return
    try:
        request_review(table=table, user=people[0], now=now)
    except GameError:
        return  # they can still ask for it


def review_rated_games(*, now: datetime) -> None:
    """Starts reviews of a few rated games between people, for the moderators' list (`games.queries.fairness`)."""
    rated = Table.objects.by_todays_rules().filter(
        status=Table.Status.FINISHED,
        ended_by=Table.EndedBy.RULES,
        is_rated=True,
        finished_at__gt=now - RATED_GAMES_SINCE,
        coach_reviews=None,
    )
    for table in rated.with_seats().order_by("?")[:RATED_GAMES_A_NIGHT]:
        for user in [seat.user for seat in table.seat_rows if seat.user is not None and seat.user.is_person]:
            try:
                request_review(table=table, user=user, now=now)
            except GameError:
                continue  # of another game of theirs, or the same cards are still played


def reviews_bot_games(user: User) -> bool:
    setting = CoachSetting.objects.filter(user=user).first()
    return setting is None or setting.reviews_bot_games


def set_reviews_bot_games(*, user: User, is_on: bool) -> None:
    CoachSetting.objects.update_or_create(user=user, defaults={"reviews_bot_games": is_on})


def claim_lost_reviews(*, now: datetime) -> list[int]:
    """Claims reviews whose slice was lost."""
    return [pk for pk, _ in claim_due(CoachReview.objects.all(), "due_at", until=now, patience=SLICE_TIMEOUT)]


def review_slice(*, review_id: int, now: datetime) -> None:
    """Reviews for some seconds, outside of any transaction, and queues the next slice. A second one changes nothing."""
    review = CoachReview.objects.select_related("table", "user").filter(pk=review_id, finished_at=None).first()
    if review is None:  # it is done, or its game is gone
        return
    begun, known, table = time.process_time(), review.seconds, review.table
    limit = _time_limit(review)
    stored, until = begun, begun + min(SLICE_SECONDS, limit - known)
    rows = {row.at: row for row in coach_rows.rows_of(review)}
    try:
        for at in judge_in_turn(
            table.rules,
            lambda among: _choices(table, review.seat, among),
            rows,
            after=review.at,
            moves=table.move_count,
            seed=f"review {table.code}",
            spent=lambda: known + time.process_time() - begun,
        ):
            review.at = at + 1 if at >= review.at else table.move_count  # before a closer look all have had the first
            done = time.process_time()
            if done >= until:
                break
            if done >= stored + PROGRESS_SECONDS:
                if not _store_progress(review, rows, done - stored):
                    return
                stored = done
        else:
            review.at, review.finished_at = table.move_count, now
    except GameError:  # the moves are those of other rules
        review.finished_at = now
    spent = time.process_time() - stored
    if review.seconds + spent >= limit:
        review.finished_at = now
    review.due_at = None if review.is_finished else now + SLICE_TIMEOUT
    with transaction.atomic():
        if not _store_progress(review, rows, spent):
            return
        if not review.is_finished:
            enqueue_on_commit("games.tasks.review_slice", review.pk)
            return
    _review_missed_game(review.user, now)


def _time_limit(review: CoachReview) -> float:
    """At how many seconds of the processor this look at the game ends."""
    return GAME_SECONDS * (review.seconds // GAME_SECONDS + 1)


def _store_progress(review: CoachReview, rows: Mapping[int, DecisionRow], spent: float) -> bool:
    """Stores the progress of a slice; False if another slice has stored something since. spent: seconds since then."""
    ours = CoachReview.objects.filter(pk=review.pk, seconds=review.seconds, finished_at=None)
    review.decisions = [rows[at].as_json() for at in sorted(rows)]
    review.seconds += spent
    columns = ["decisions", "at", "seconds", "finished_at", "due_at"]
    return bool(ours.update(**{name: getattr(review, name) for name in columns}))


def judge_in_turn(
    game: Game[Any, Any, Any],
    choices: Choices,
    rows: dict[int, DecisionRow],
    *,
    after: int,
    moves: int,
    seed: str,
    spent: Callable[[], float],
) -> Iterator[int]:
    """Judges decisions into `rows`, and yields after how many rows of the record each comes, so that one can stop.

    First all have a first look. If there is no time to judge closely all those that this leaves open, they are compared
    with the strong bot's moves, in random order, so that all parts of the game have their share. Then the open ones are
    judged closely, costliest first.
    after: up to there the rows hold what was looked at before. moves: of the whole game. spent: seconds of the
    processor that the review has used.
    """
    yield from _first_looks(game, choices(range(after, moves)), rows, moves=moves, seed=seed, spent=spent)
    still_open = [at for at in sorted(rows) if rows[at].is_open]
    found_again = dict(choices(set(still_open)))
    if len(still_open) * DECISION_SECONDS > GAME_SECONDS:
        yield from _comparisons(game, found_again, rows, seed=seed)
    for row in coach_rows.costliest_first(rows[at] for at in still_open if rows[at].is_open):
        found = _judged(game, found_again[row.at], seed, Budget())
        rows[row.at] = coach_rows.row_of(found, at=row.at) if found else replace(row, is_open=False)
        yield row.at


def _first_looks(
    game: Game[Any, Any, Any],
    choices: Iterable[tuple[int, Choice]],
    rows: dict[int, DecisionRow],
    *,
    moves: int,
    seed: str,
    spent: Callable[[], float],
) -> Iterator[int]:
    """A first look at each decision. In a long game most take over the lead of an earlier one in the same hand."""
    look, every = coach.first_look(moves), max(1, moves // LONG_GAME)
    for at, choice in choices:
        is_late = moves > LONG_GAME and spent() > LOOK_SECONDS * at / moves
        last = rows[max(rows)] if rows and (is_late or len(rows) % every) else None
        if last is not None and last.hand != choice.hand:
            last = None
        found = _judged(game, choice, seed, replace(look, glance=0) if last else look)
        if found is not None:
            row = coach_rows.row_of(found, at=at, is_open=not found.is_advised)
            rows[at] = replace(row, lead=last.lead, best_lead=last.lead, spread=last.spread) if last else row
        yield at


def _comparisons(
    game: Game[Any, Any, Any], choices: Mapping[int, Choice], rows: dict[int, DecisionRow], *, seed: str
) -> Iterator[int]:
    """Compares open decisions with the strong bot's moves, in random order. choices: by row of the record."""
    for at in Random(seed).sample(sorted(choices), len(choices)):
        if rows[at].is_unjudged:
            found = _judged(game, choices[at], seed, coach.COMPARISON)
            rows[at] = coach_rows.row_of(found, at=at, is_open=True) if found else replace(rows[at], is_open=False)
            yield at


def _judged(game: Game[Any, Any, Any], choice: Choice, seed: str, budget: Budget) -> coach.Decision | None:
    until = time.process_time() + DECISION_SECONDS
    try:
        return coach.judge(game, choice, seed=seed, clock=time.process_time, until=until, budget=budget)
    except Exception:  # a fault of any kind in a bot; it would come again with each slice, for ever
        logger.exception("The coach cannot judge decision %s of a game of %s (%s).", choice.number, game.slug, seed)
        return None


def percent_of_review(review: CoachReview) -> int:
    """How much is done: the first look at all decisions is half. Or how much of the time is used, if that is more."""
    closer = [row for row in coach_rows.rows_of(review) if row.chosen["strong"] != row.played]
    looked = review.at / max(review.table.move_count, 1)
    judged = sum(not row.is_open for row in closer) / max(len(closer), 1)
    return int(100 * min(max((looked + judged) / 2, review.seconds / _time_limit(review)), 1.0))


def _review_missed_game(user: User, now: datetime) -> None:
    """Starts the review of the last game against bots that ended during another review of the same player."""
    missed = Table.objects.filter(seats__user=user, finished_at__gt=now - MISSED_SINCE, coach_reviews=None)
    for table_id in missed.order_by("-finished_at").values_list("pk", flat=True)[:MOST_AUTOMATIC]:
        review_bot_game(table_id=table_id, now=now)


def _choices(table: Table, seat: int, among: Container[int]) -> Iterator[tuple[int, Choice]]:
    """The player's own decisions among these, as `Choices`: those of the clock and of others in the seat are not."""
    player = table.seat_rows[seat]
    moves = table.moves.by_players().filter(seat=seat, number__gt=player.moves_before)
    own = set(moves.values_list("number", flat=True))
    numbers = [row.number for row in replay.standing(replay.rows_of(table))]
    wanted = {at for at, number in enumerate(numbers) if number - 1 in among and number in own}
    for choice in coach.choices_of(coach_rows.record_of(table), seat, wanted):
        yield numbers[choice.number] - 1, choice
