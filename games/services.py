"""What can be done at a table. Pages, bots and tournaments come through here; there is no other way to move.

Each service locks the table, checks, changes, and announces on commit. Refusals are `GameError`s whose
message is for the person who asked.
"""

import logging
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from cardsite.accounts.models import User
from cardsite.commit import on_commit
from games import bots, engines, live, ratings, reading, replay
from games.core import deals
from games.core.contract import GameError, Outcome, State, places
from games.core.contract import Move as AnyMove
from games.models import HouseBot, Move, Seat, Table
from games.signals import player_late, table_finished

logger = logging.getLogger(__name__)

LOBBY = "lobby"
BOT_PAUSE_SECONDS = 0.8  # before a bot moves, so that people can follow
BOT_PAUSE_ALONE_SECONDS = 0.2  # where only bots play
BOT_PATIENCE = timedelta(seconds=6)  # after this a bot's move counts as lost


class StalePosition(GameError):
    """The table has moved on since the page was made."""


class TableError(GameError):
    """The table cannot do that now."""


# Opening a table and sitting down


def open_table(
    *,
    game: str,
    seats: int,
    options: Mapping[str, object] | None,
    created_by: User | None,
    secret: bytes | None = None,
    rematch_of: Table | None = None,
    **conditions: Any,
) -> Table:
    """A table with empty seats. `secret`: 32 bytes whose commitment has been shown already, random if None.

    conditions: fields of `Table`, such as `move_seconds` and `is_private`.
    :raises BadOption:
    """
    rules = engines.get(game)
    chosen = rules.read_options(options, seats)
    secret = secret or secrets.token_bytes(32)
    with transaction.atomic():
        table = Table.objects.create(
            game=game,
            rules_version=rules.rules_version,
            options=chosen,
            seat_count=seats,
            created_by=created_by,
            secret=secret,
            commitment=deals.commitment(secret),
            rematch_of=rematch_of,
            first_dealer=rematch_of.first_dealer if rematch_of else None,
            **conditions,
        )
        Seat.objects.bulk_create(Seat(table=table, number=number) for number in range(seats))
        _announce(table)
    return table


@transaction.atomic
def open_and_sit(*, user: User, entropy: str = "", bot_level: str | None = None, **table: Any) -> Table:
    """Opens a table (see there) and takes its first seat; bots of `bot_level`, if given, take the others."""
    opened = open_table(created_by=user, **table)
    opened = sit_down(table_id=opened.pk, user=user, entropy=entropy)
    for _ in range(opened.seat_count - 1 if bot_level else 0):
        opened = seat_bot(table_id=opened.pk, level=bot_level)
    return opened


@transaction.atomic
def sit_down(*, table_id: int, user: User, seat: int | None = None, entropy: str = "") -> Table:
    """Takes a seat, the first free one if `seat` is None; the game starts when the last seat is taken.

    entropy: what the person's browser adds to the shuffle; the server makes it up for one that sends none.
    A person who sits there already stays where he is.
    :raises TableError: the game has started, the seat is taken, or a guest wants to play a rated game.
    """
    table = _locked(table_id)
    _require_open(table)
    if table.is_rated and not user.has_account:
        raise TableError("This game is rated, so it is for people with an account. Sign up, and sit down then.")
    if any(place.user_id == user.pk for place in table.seats.all()):
        return table
    place = _free_seat(table, seat)
    place.user, place.entropy, place.is_entropy_own = user, entropy or secrets.token_hex(16), bool(entropy)
    place.save(update_fields=["user", "entropy", "is_entropy_own"])
    return _seated(table)


@transaction.atomic
def seat_bot(*, table_id: int, level: str, seat: int | None = None) -> Table:
    """Gives a free seat to a house bot of this level that does not sit here yet. :raises TableError:"""
    table = _locked(table_id)
    _require_open(table)
    if table.is_rated:
        raise TableError("This game is rated, so it is for people: no bot may sit down.")
    place = _free_seat(table, seat)
    here = [other.user_id for other in table.seats.all() if other.user_id]
    free = HouseBot.objects.filter(game=table.game, level=level).exclude(user__in=here).select_related("user")
    bot = free.order_by("?").first()
    if bot is None:
        raise TableError("No bot of this level is free for this game.")
    place.user = bot.user
    place.save(update_fields=["user"])
    return _seated(table)


@transaction.atomic
def seat_and_start(
    *,
    game: str,
    players: Sequence[User],
    options: Mapping[str, object] | None,
    absent: Collection[User] = (),
    first_dealer: int | None = None,
    secret: bytes | None = None,
    **conditions: Any,
) -> Table:
    """A running table with these players in seat order, for a match. Nobody's browser adds to the shuffle.

    absent: players whose seats a bot plays. conditions: see `open_table`.
    """
    table = open_table(
        game=game, seats=len(players), options=options, created_by=None, secret=secret, is_private=True, **conditions
    )
    seats = list(table.seats.all())
    for seat, user in zip(seats, players, strict=True):
        seat.user, seat.has_left = user, user in absent
    Seat.objects.bulk_update(seats, ["user", "has_left"])
    table = _locked(table.pk)
    table.first_dealer = first_dealer
    _start(table)
    return table


@transaction.atomic
def record_table(
    *,
    game: str,
    players: Sequence[int],
    options: Mapping[str, object],
    secret: bytes,
    moves: Sequence[tuple[int, str]],
    at: datetime,
) -> Table:
    """The table of a game that was played to its end elsewhere, so that it can be looked at like any other.

    players: user ids by seat; the last one dealt first, and nobody added to the shuffle. options: all of them.
    moves: each with its seat. It is not rated, and nobody hears of it.
    :raises GameError: the moves are no finished game, by the rules as they are now.
    """
    rules = engines.get(game)
    table = Table(
        game=game,
        rules_version=rules.rules_version,
        options=options,
        seat_count=len(players),
        secret=secret,
        commitment=deals.commitment(secret),
        shares_deals=True,
        first_dealer=len(players) - 1,
        is_private=True,
        started_at=at,
    )
    table.save()
    Seat.objects.bulk_create(
        Seat(table=table, number=number, user_id=user) for number, user in enumerate(players)
    )
    state, written = replay.first_state(table), []
    for number, (seat, text) in enumerate(moves, start=1):
        state.play(seat, rules.parse(text))
        written.append(Move(table=table, number=number, seat=seat, text=text, played_at=at))
    Move.objects.bulk_create(written)
    outcome = state.outcome()
    if outcome is None:
        raise TableError("By the rules as they are now this game is not over.")
    table.move_count, table.finished_at = len(moves), at
    table.status, table.ended_by, table.result = Table.Status.FINISHED, Table.EndedBy.RULES, _as_result(outcome)
    table.save()
    return table


def _require_open(table: Table) -> None:
    if table.status != Table.Status.OPEN:
        raise TableError("This game has already started; you can watch it.")


def _free_seat(table: Table, number: int | None) -> Seat:
    free = [place for place in table.seats.all() if place.user_id is None and number in (None, place.number)]
    if not free:
        raise TableError("Somebody has taken this seat." if number is not None else "Every seat is taken.")
    return free[0]


def _seated(table: Table) -> Table:
    if all(place.user_id for place in table.seats.all()):
        _start(table)
    else:
        _store(table)
    return table


def _start(table: Table) -> None:
    """All seats are taken: draws the first dealer, if nobody named one, and deals."""
    if table.first_dealer is None:
        table.first_dealer = deals.first_dealer(bytes(table.secret), table.entropy, table.seat_count)
    table.status, table.started_at = Table.Status.RUNNING, timezone.now()
    table.options = {**table.options, **table.rules.dated_options(table.started_at.day)}
    _pass_turn(table, replay.first_state(table))


# Moving


@transaction.atomic
def play_move(*, table_id: int, seat: int, text: str, version: int) -> Table:
    """Plays a move that was made at `version` of the table.

    A move that comes after its deadline is not played; the clock acts instead (`flag_overdue`).
    :raises StalePosition: the table has moved on; also the second half of a double submit.
    :raises GameError: the engine's refusal. Nothing has changed.
    """
    table = _locked(table_id)
    if table.status != Table.Status.RUNNING:
        raise StalePosition("This game is over.")
    if table.stands:
        raise StalePosition(table.standstill)
    if table.version != version:
        raise StalePosition("The table had moved on, so nothing was played. This is how it stands now.")
    state = replay.state_of(table)
    now = timezone.now()
    if _is_late(table, seat, state, now):
        _out_of_time(table, state, now)
        return table
    _play(table, seat, table.rules.parse(text), state, now)
    return table


def _play(
    table: Table, seat: int, move: AnyMove, state: State, now: datetime, *, is_by_clock: bool = False
) -> None:
    state.play(seat, move)
    table.move_count += 1
    Move.objects.create(
        table=table, number=table.move_count, seat=seat, text=str(move), played_at=now, is_by_clock=is_by_clock
    )
    on_commit(replay.remember, table.code, table.move_count, state)
    _pass_turn(table, state)


def play_bot(*, table_id: int) -> None:
    """Lets the bot that is to act move. It thinks outside the lock; what it finds too late is dropped."""
    table = Table.objects.with_seats().filter(pk=table_id, status=Table.Status.RUNNING).first()
    if table is None or table.stands:
        return
    state = replay.state_of(table)
    seat = next((seat for seat in _awaited_places(table, state) if seat.is_played_by_bot), None)
    if seat is None:
        return
    move = _choice_of_bot(table, seat, state)
    try:
        play_move(table_id=table_id, seat=seat.number, text=str(move), version=table.version)
    except StalePosition:
        logger.info("table %s moved while its bot was thinking", table.code)


def _choice_of_bot(table: Table, seat: Seat, state: State) -> AnyMove:
    """What the bot wants to play; one of the legal moves by lot where it fails, so that nobody's game hangs."""
    view, rng = state.view(seat.number), Random()
    try:
        move = bots.bot(table.game, seat.level).choose(view, rng)
        state.copy().play(seat.number, move)
    except Exception:  # a fault of any kind in a bot
        logger.exception("the %s bot of %s failed at table %s", seat.level, table.game, table.code)
        return rng.choice(view.moves)
    return move


def claim_lost_bot_moves(*, now: datetime) -> list[int]:
    """Tables whose bot should have moved long ago; each is claimed, so that a second tick leaves it alone."""
    return Table.objects.running().claim("bot_due_at", now=now, patience=BOT_PATIENCE)


# Leaving


@transaction.atomic
def resign(*, table_id: int, user: User) -> Table:
    """Gives up a running game: of two the other wins; of more a club bot plays on. :raises TableError:"""
    table = _running(table_id)
    _give_up(table, [_seat_of(table, user)], replay.state_of(table), Table.EndedBy.RESIGN, "{} resigned.")
    return table


@transaction.atomic
def walk_out(*, table_id: int, user: User) -> Table:
    """Leaves the event of a running game: what follows is what its rule for absence says. :raises TableError:"""
    table = _running(table_id)
    _give_up(table, [_seat_of(table, user)], replay.state_of(table), Table.EndedBy.LEFT, "{} left the event.")
    return table


@transaction.atomic
def come_back(*, table_id: int, user: User) -> Table:
    """Takes up the own game again, where it waits or a bot has played on. :raises TableError:"""
    table = _running(table_id)
    place = next((place for place in table.seats.all() if place.user_id == user.pk), None)
    if place is None:
        raise TableError("You do not sit at this table.")
    if place.has_left and not table.lets_return:
        raise TableError("A club bot plays on in your place; you cannot come back to it.")
    if not place.has_left and not place.is_waited_for:
        return table
    place.has_left = place.is_waited_for = False
    place.save(update_fields=["has_left", "is_waited_for"])
    _go_on(table, replay.state_of(table))
    return table


def _running(table_id: int) -> Table:
    table = _locked(table_id)
    if table.status != Table.Status.RUNNING:
        raise TableError("There is no game to give up here.")
    return table


@transaction.atomic
def leave(*, table_id: int, user: User) -> Table:
    """Gets up: before the game without a trace, from a game like `resign`. :raises TableError:"""
    table = _locked(table_id)
    if table.status != Table.Status.OPEN:
        return resign(table_id=table_id, user=user)
    place = _seat_of(table, user)
    place.user, place.entropy, place.is_entropy_own = None, "", False
    place.save(update_fields=["user", "entropy", "is_entropy_own"])
    if not any(other.user_id and other.user.is_person for other in table.seats.all()):
        table.status, table.ended_by = Table.Status.ABORTED, Table.EndedBy.LEFT
        table.finished_at = timezone.now()
    _store(table)
    return table


@transaction.atomic
def rematch(*, table_id: int, user: User, entropy: str = "") -> Table:
    """Sits down for another game of the same kind; the first to ask opens its table.

    Everybody moves on one seat and the deal stays, so it falls to somebody else. Bots come along at once.
    It is rated if the last one was, and everybody there may play rated games.
    :raises TableError: the game is not over, or the person did not play it.
    """
    old = _locked(table_id)
    if old.status != Table.Status.FINISHED:
        raise TableError("A rematch is possible once the game is over.")
    _seat_of(old, user)
    new = Table.objects.filter(rematch_of=old).first() or _open_rematch(old, user)
    if new.status != Table.Status.OPEN:
        return new
    return sit_down(table_id=new.pk, user=user, seat=_rotated(old, _seat_of(old, user)), entropy=entropy)


def _open_rematch(old: Table, user: User) -> Table:
    new = open_table(
        game=old.game,
        seats=old.seat_count,
        options=old.options,
        created_by=user,
        move_seconds=old.move_seconds,
        is_private=True,
        is_rated=old.is_rated and all(place.user and place.user.has_account for place in old.seats.all()),
        rematch_of=old,
    )
    for place in old.seats.all():
        if place.user and place.user.is_bot:
            new.seats.filter(number=_rotated(old, place)).update(user=place.user)
    _store(old)
    return new


def _rotated(table: Table, place: Seat) -> int:
    return (place.number + 1) % table.seat_count


def _seat_of(table: Table, user: User) -> Seat:
    for place in table.seats.all():
        if place.user_id == user.pk and not place.has_left:
            return place
    raise TableError("You do not sit at this table.")


# The clock


@transaction.atomic
def flag_overdue(*, table_id: int, now: datetime) -> None:
    """Ends the waiting for persons whose time is up, or for whom a held game has waited long enough.

    Where the game names a move for them (Vatican: draw), it is played, once; who lets the time pass in the next
    turn too, or plays another game, gives up: of two the other wins, of more a club bot plays on.
    """
    table = _locked(table_id)
    if table.status != Table.Status.RUNNING or table.deadline_at is None or table.deadline_at > now:
        return
    if table.is_held:
        gone = [place for place in table.seats.all() if place.is_waited_for]
        _give_up(table, gone, replay.state_of(table), Table.EndedBy.FLAG, "{} did not come back in time.")
    else:
        _out_of_time(table, replay.state_of(table), now)


def _is_late(table: Table, seat: int, state: State, now: datetime) -> bool:
    return table.deadline_at is not None and table.deadline_at <= now and seat in state.awaited


def _out_of_time(table: Table, state: State, now: datetime) -> None:
    late = [place for place in _awaited_places(table, state) if not place.is_played_by_bot]
    seat = late[0].number
    move = None if _has_let_time_pass(table, seat) else state.timeout_move(seat)
    if move is not None:
        _play(table, seat, move, state, now, is_by_clock=True)
    elif table.may_wait_for(late):
        _hold(table, late, now)
    else:
        _give_up(table, late, state, Table.EndedBy.FLAG, "{} ran out of time.")


def _hold(table: Table, places: Iterable[Seat], now: datetime) -> None:
    """Nobody moves until these are back (`come_back`), or until `flag_overdue` finds that they are not."""
    for place in places:
        place.is_waited_for = place.was_waited_for = True
        place.save(update_fields=["is_waited_for", "was_waited_for"])
    table.deadline_at, table.bot_due_at = now + timedelta(seconds=table.hold_seconds or 0), None
    _store(table)
    on_commit(player_late.send_robust, sender=Table, table_id=table.pk)


def _has_let_time_pass(table: Table, seat: int) -> bool:
    """Whether the clock made the last move of this seat."""
    return bool(table.moves.filter(seat=seat).order_by("-number").values_list("is_by_clock", flat=True).first())


def _give_up(table: Table, places: Iterable[Seat], state: State, ended_by: str, reason: str) -> None:
    """A club bot takes each of these places, or the game ends without them (`Table.goes_on_without`)."""
    places = list(places)
    if not table.goes_on_without(is_resigned=ended_by == Table.EndedBy.RESIGN):
        gone = [place.number for place in places]
        _finish(table, _end_without(table, gone, state, ended_by, reason), ended_by, gone=gone)
        return
    for place in places:
        place.has_left, place.is_waited_for = True, False
        place.save(update_fields=["has_left", "is_waited_for"])
    _go_on(table, state)
    if ended_by == Table.EndedBy.FLAG and table.lets_return:
        on_commit(player_late.send_robust, sender=Table, table_id=table.pk)


def _end_without(table: Table, gone: Sequence[int], state: State, ended_by: str, reason: str) -> Outcome:
    """The others win, whatever the score; where the score decides, they only win if it is level."""
    view = state.view(None)
    lost = {seat for side in table.sides if set(side) & set(gone) for seat in side}
    decides = table.absence == Table.Absence.SCORE and ended_by != Table.EndedBy.RESIGN and view.has_scores
    merits = table.rules.merits(table.options, view.scores) if decides else [0] * table.seat_count
    standing = places([2 * merit + (seat not in lost) for seat, merit in enumerate(merits)])
    why = reason.format(" and ".join(f"@{seat}" for seat in gone))
    return Outcome(tuple(view.scores), standing, f"{why} The score decides." if decides else why)


# Standing still


@transaction.atomic
def pause_table(*, table_id: int) -> None:
    """Stops the clock; nobody can move until `resume_table`. A table that does not run, or stands, stays as it is."""
    table = _locked(table_id)
    if table.status != Table.Status.RUNNING or table.paused_at is not None:
        return
    table.paused_at = timezone.now()
    if table.deadline_at is not None:
        table.seconds_left = max((table.deadline_at - table.paused_at).total_seconds(), 0)
    table.deadline_at = table.bot_due_at = None
    _store(table)


@transaction.atomic
def resume_table(*, table_id: int) -> None:
    """Whoever is to move has the time that was left, all of it if it was a bot's turn."""
    table = _locked(table_id)
    if table.status != Table.Status.RUNNING or table.paused_at is None:
        return
    seconds_left, table.paused_at, table.seconds_left = table.seconds_left, None, None
    if table.is_held:
        table.deadline_at = timezone.now() + timedelta(seconds=seconds_left or 0)
        _store(table)
    else:
        _await_move(table, replay.state_of(table), seconds=table.move_seconds if seconds_left is None else seconds_left)


# Directors


@transaction.atomic
def stop_table(*, table_id: int) -> None:
    """Ends a running game where it stands, for nobody: what it was for is decided elsewhere, and it is not rated."""
    table = _locked(table_id)
    if table.status != Table.Status.RUNNING:
        return
    _leave_unrated(table)
    scores = tuple(replay.state_of(table).view(None).scores)
    stopped = Outcome(scores, (1,) * table.seat_count, "A director stopped the game.")
    _finish(table, stopped, Table.EndedBy.DIRECTOR)


@transaction.atomic
def hand_over(*, table_id: int, user: User, to: User) -> None:
    """Somebody else plays on in a person's seat, with a fresh move clock; the game is not rated. :raises TableError:"""
    table = _running(table_id)
    place = next((place for place in table.seats.all() if place.user_id == user.pk), None)
    if place is None or table.seats.filter(user=to).exists():
        raise TableError("This seat cannot be handed over.")
    place.user, place.has_left, place.is_waited_for = to, False, False
    place.save(update_fields=["user", "has_left", "is_waited_for"])
    _leave_unrated(table)
    if table.stands:
        _store(table)
    else:
        _pass_turn(table, replay.state_of(table))


def _leave_unrated(table: Table) -> None:
    table.is_rated = False
    table.save(update_fields=["is_rated"])


def reveal(tables: QuerySet[Table]) -> None:
    """Lets everybody see these tables, where they were hidden."""
    tables.filter(is_hidden=True).update(is_hidden=False)


# What follows every change


def _locked(table_id: int) -> Table:
    """The table, locked until the transaction ends, with its seats."""
    return reading.locked_table(table_id)


def _awaited_places(table: Table, state: State) -> list[Seat]:
    return [place for place in table.seats.all() if place.number in state.awaited]


def _pass_turn(table: Table, state: State) -> None:
    """Somebody else is to move, or the game is over."""
    outcome = state.outcome() or _outcome_by_deals(table, state)
    if outcome is not None:
        _finish(table, outcome, Table.EndedBy.RULES)
    else:
        _await_move(table, state, seconds=table.move_seconds)


def _go_on(table: Table, state: State) -> None:
    """Somebody else sits in a place, and it may be his turn; not while the table stands."""
    if table.stands:
        _store(table)
    else:
        _pass_turn(table, state)


def _outcome_by_deals(table: Table, state: State) -> Outcome | None:
    """The end of a game that lasts a number of deals: the points decide. None before that."""
    if table.deals is None or len(state.results) < table.deals:
        return None
    scores = tuple(state.view(None).scores)
    ended = f"The game ended after {table.deals} {'deal' if table.deals == 1 else 'deals'}."
    return Outcome(scores, places(table.rules.merits(table.options, scores)), ended)


def _await_move(table: Table, state: State, *, seconds: float | None) -> None:
    """Winds the clock of the persons who are to move, and calls the bot whose turn it is."""
    now = timezone.now()
    awaited = _awaited_places(table, state)
    waits_for_person = any(not place.is_played_by_bot for place in awaited)
    waits_for_bot = any(place.is_played_by_bot for place in awaited)
    timed = seconds is not None and waits_for_person
    table.deadline_at = now + timedelta(seconds=seconds) if timed else None
    table.bot_due_at = now + BOT_PATIENCE if waits_for_bot else None
    _store(table)
    if waits_for_bot:
        on_commit(_call_bot, table.pk, _bot_pause(table))


def _bot_pause(table: Table) -> float:
    watched = any(not place.is_played_by_bot for place in table.seats.all())
    return BOT_PAUSE_SECONDS if watched else BOT_PAUSE_ALONE_SECONDS


def _call_bot(table_id: int, pause_seconds: float) -> None:
    from games import tasks  # tasks call services

    tasks.play_bot.apply_async([table_id], countdown=pause_seconds)


def _call_rating(table_id: int) -> None:
    from games import tasks  # tasks call services

    tasks.rate_table.delay(table_id)


def _finish(table: Table, outcome: Outcome, ended_by: str, *, gone: Sequence[int] = ()) -> None:
    table.status, table.ended_by, table.finished_at = Table.Status.FINISHED, ended_by, timezone.now()
    table.deadline_at = table.bot_due_at = table.paused_at = table.seconds_left = None
    table.result = _as_result(outcome) | {"gone": [*gone]}
    if table.is_rated:
        table.rating_due_at = table.finished_at + ratings.PATIENCE
        on_commit(_call_rating, table.pk)
    _store(table)
    on_commit(table_finished.send_robust, sender=Table, table_id=table.pk)


def _as_result(outcome: Outcome) -> dict[str, Any]:
    """See `Table.result`."""
    return {"scores": [*outcome.scores], "places": [*outcome.places], "reason": outcome.reason}


def _store(table: Table) -> None:
    """Writes what a change may have touched, with the next version, and announces it."""
    table.version += 1
    table.save(
        update_fields=[
            "version", "move_count", "status", "options", "first_dealer", "deadline_at", "bot_due_at",
            "paused_at", "seconds_left", "rating_due_at", "result", "ended_by", "started_at", "finished_at",
        ]
    )  # fmt: skip
    _announce(table)


def _announce(table: Table) -> None:
    on_commit(live.announce, table.channel, table.version)
    if table.move_count == 0 or table.is_over:
        on_commit(live.announce, LOBBY, live.moment())
