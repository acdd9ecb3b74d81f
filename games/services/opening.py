"""Opening a table, joining and leaving it before the game; matches of events, and rematches."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain, repeat
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import engines
from games.core import deals
from games.core.contract import Outcome
from games.models import HouseBot, Move, Seat, Seek, Table
from games.queries.rematches import rematch_of, rotated_seat
from games.record import replay
from games.services.common import TableError, announce, lock_table, outcome_as_json, seat_of, store
from games.services.house_bots import best_named_first
from games.services.leaving import resign
from games.services.shuffling import (
    advance_shuffle,
    clear_seat,
    deal_first_hand,
    draw_new_secret,
    move_person,
    seat_person,
)
from infra.after_commit import on_commit


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
    """Opens a table with empty seats, which publishes its seal. `secret`: 32 bytes, random if None.

    conditions: fields of `Table`, such as `is_private` and those of a clock (`games.domain.clocks.Clock.fields`).
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
        announce(table)
    return table


@transaction.atomic
def open_and_sit(
    *, user: User, shuffles: bool = False, bot_level: str | None = None, bot_names: Sequence[str] = (), **table: Any
) -> Table:
    """Opens a table (see `open_table`) and takes its first seat; bots of `bot_level`, if given, take the others.

    bot_names: of the bots for the other seats in turn, where there are bots of these names.
    """
    opened = open_table(created_by=user, **table)
    opened = sit_down(table_id=opened.pk, user=user, shuffles=shuffles)
    if bot_level:
        for _, name in zip(range(opened.seat_count - 1), chain(bot_names, repeat("")), strict=False):
            opened = seat_bot(table_id=opened.pk, level=bot_level, name=name)
    return opened


@transaction.atomic
def sit_down(*, table_id: int, user: User, seat: int | None = None, shuffles: bool = False) -> Table:
    """Takes a seat, the first free one if `seat` is None; the shuffle begins when the last seat is taken.

    shuffles: the person's browser will add a value to it (`add_to_shuffle`); otherwise the site draws one. Where no
    browser is waited for, the cards are dealt at once.
    A person who has a seat there already keeps it.
    :raises TableError: the game has started, the seat is taken, or a guest wants to play a rated game.
    """
    table = lock_table(table_id)
    _require_open(table)
    if table.is_rated and not user.has_account:
        raise TableError("This game is rated, so you need an account to play. Sign up first.")
    if any(seat.user_id == user.pk for seat in table.seat_rows):
        return table
    free = _free_seat(table, seat)
    seat_person(free, user, shuffles=shuffles)
    on_commit(_cancel_seek, user)
    return _seated(table)


def _cancel_seek(user: User) -> None:
    """Cancels the player's seek. Call it after taking the seat: matching locks seeks before tables."""
    Seek.objects.waiting().filter(user=user, waits_unseen=False).delete()


@transaction.atomic
def change_seat(*, table_id: int, user: User, seat: int | None) -> Table:
    """Moves to another free seat before the game, for example opposite a partner. :raises TableError:"""
    table = lock_table(table_id)
    _require_open(table)
    move_person(seat_of(table, user), _free_seat(table, seat))
    store(table)
    return table


@transaction.atomic
def seat_bot(*, table_id: int, level: str, seat: int | None = None, name: str = "") -> Table:
    """Adds a house bot of this level to a free seat, if possible the one of this name. :raises TableError:"""
    table = lock_table(table_id)
    _require_open(table)
    if table.is_rated:
        raise TableError("This game is rated, so bots can't play.")
    free = _free_seat(table, seat)
    here = [other.user_id for other in table.seat_rows if other.user_id]
    [free.user] = pick_free_bots(table.game, level, 1, besides=here, wanted=name)
    free.save(update_fields=["user"])
    return _seated(table)


def pick_free_bots(game: str, level: str, count: int, *, besides: Collection[int] = (), wanted: str = "") -> list[User]:
    """Picks bots of a level at random, if possible not named after a term of the game. :raises TableError:

    besides: ids of users who are there already. wanted: the name of the first bot, if there is one.
    """
    bots = HouseBot.objects.filter(game=game, level=level).exclude(user__in=besides)
    found = [bot.user for bot in best_named_first(bots, game, wanted=wanted)[:count]]
    if len(found) < count:
        raise TableError("No bot of this level is free for this game.")
    return found


@transaction.atomic
def seat_and_start(
    *,
    game: str,
    players: Sequence[User],
    options: Mapping[str, object] | None,
    absent: Collection[User] = (),
    first_dealer: int | None = None,
    secret: bytes | None = None,
    appear_seconds: int | None = None,
    chat: str = Table.Chat.PHRASES,
    allows_agreements: bool = False,
    allows_vacation: bool = False,
    **conditions: Any,
) -> Table:
    """Starts a table with these players in seat order, for a match. No browser adds to the shuffle.

    absent: players whose seats a bot plays. appear_seconds: how long the clocks wait for the others to come, None: not
    at all. conditions: see `open_table`.
    """
    table = open_table(
        game=game,
        seats=len(players),
        options=options,
        created_by=None,
        secret=secret,
        is_private=True,
        chat=chat,
        allows_agreements=allows_agreements,
        allows_vacation=allows_vacation,
        **conditions,
    )
    seats = list(table.seat_rows)
    for seat, user in zip(seats, players, strict=True):
        seat.user, seat.has_left = user, user in absent
    Seat.objects.bulk_update(seats, ["user", "has_left"])
    table = lock_table(table.pk)
    table.first_dealer = first_dealer
    if appear_seconds is not None:
        table.appear_by = timezone.now() + timedelta(seconds=appear_seconds)
    deal_first_hand(table)
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
    """Records a game that was played to its end elsewhere (by bots of a league), so that it has a page like any other.

    players: user ids by seat; the last one dealt first, and no browser added to the shuffle. options: all of them.
    moves: each with its seat. The game is not rated, and no one is notified.
    :raises GameError: the moves are no finished game, by the rules as they are now.
    """
    table = Table(
        game=game,
        rules_version=engines.get(game).rules_version,
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
    Seat.objects.bulk_create(Seat(table=table, number=number, user_id=user) for number, user in enumerate(players))
    outcome = _write_moves(table, moves, at)
    table.move_count, table.finished_at = len(moves), at
    table.status, table.ended_by, table.result = Table.Status.FINISHED, Table.EndedBy.RULES, outcome_as_json(outcome)
    table.save()
    return table


def _write_moves(table: Table, moves: Sequence[tuple[int, str]], at: datetime) -> Outcome:
    """Plays and writes all moves of a game. :raises GameError: see `record_table`."""
    state, written = replay.first_state(table), []
    for number, (seat, text) in enumerate(moves, start=1):
        state.play(seat, table.rules.parse(text))
        written.append(Move(table=table, number=number, seat=seat, text=text, played_at=at))
    Move.objects.bulk_create(written)
    outcome = state.outcome()
    if outcome is None:
        raise TableError("Under the current rules this game is not over.")
    return outcome


def _require_open(table: Table) -> None:
    if table.status != Table.Status.OPEN:
        raise TableError("This game has already started. You can watch it.")


def _free_seat(table: Table, number: int | None) -> Seat:
    free = [seat for seat in table.seat_rows if seat.user_id is None and number in (None, seat.number)]
    if not free:
        raise TableError(
            "This seat is taken. Please choose another one." if number is not None else "All seats are taken."
        )
    return free[0]


def _seated(table: Table) -> Table:
    if all(seat.user_id for seat in table.seat_rows):
        advance_shuffle(table, timezone.now())
    else:
        store(table)
    return table


@transaction.atomic
def leave_table(*, table_id: int, user: User) -> Table:
    """Leaves the table: before the game without a trace, during a game by `resign`. :raises TableError:"""
    last_game = Table.objects.filter(rematch=table_id).values_list("pk", flat=True).first()
    old = lock_table(last_game) if last_game else None  # first, as in `join_rematch`
    table = lock_table(table_id)
    if table.status != Table.Status.OPEN:
        return resign(table_id=table_id, user=user)
    was_full = table.is_shuffling
    clear_seat(seat_of(table, user))
    if not any(other.user and other.user.is_person for other in table.seat_rows):
        _abort(table)
        if old:
            _allow_another_rematch(old, table)
    elif was_full:
        draw_new_secret(table)
    store(table)
    return table


@transaction.atomic
def move_players(*, table_id: int, to_id: int) -> None:
    """Moves all players who wait at a table to the free seats of another one, in seat order, and closes their table.

    Their browsers' commitments are bound to the old seal, so they commit again.

    :raises TableError: one of the tables has changed, so that this is no longer possible.
    """
    first, second = (lock_table(pk) for pk in sorted((table_id, to_id)))
    old, new = (first, second) if first.pk == table_id else (second, first)
    _require_open(old)
    seated = [(seat.user, seat.is_entropy_own) for seat in old.seat_rows if seat.user]
    free = [seat.number for seat in new.seat_rows if seat.user is None]
    if len(seated) != len(free):
        raise TableError("The players at this table have changed. Please try again.")
    for seat in old.seat_rows:
        clear_seat(seat)
    _abort(old)
    old.moved_to = new
    old.save(update_fields=["moved_to"])
    store(old)
    for (user, shuffles), number in zip(seated, free, strict=True):
        sit_down(table_id=new.pk, user=user, seat=number, shuffles=shuffles)


def _abort(table: Table) -> None:
    table.status, table.ended_by = Table.Status.ABORTED, Table.EndedBy.LEFT
    table.finished_at, table.shuffle_due_at, table.is_revealing = timezone.now(), None, False


@transaction.atomic
def join_rematch(*, table_id: int, user: User, shuffles: bool = False) -> Table:
    """Rematch: joins another game with the same settings; the first player to ask opens its table.

    All players move on by one seat, so another player deals first. Bots join at once. The rematch is rated if the last
    game was and all its players may play rated games.
    :raises TableError: the game is not over, or the person did not play it.
    """
    old = lock_table(table_id)
    if old.status != Table.Status.FINISHED:
        raise TableError("You can ask for a rematch once the game is over.")
    seat_of(old, user)
    new = rematch_of(old) or _open_rematch(old, user)
    if new.status != Table.Status.OPEN:
        return new
    return sit_down(table_id=new.pk, user=user, seat=rotated_seat(old, seat_of(old, user)), shuffles=shuffles)


def _open_rematch(old: Table, user: User) -> Table:
    new = open_table(
        game=old.game,
        seats=old.seat_count,
        options=old.options,
        created_by=user,
        **(old.clock.fields if old.clock else {}),
        after_grace=old.after_grace,
        is_private=True,
        chat=old.chat,
        is_rated=old.is_rated and all(seat.user and seat.user.has_account for seat in old.seat_rows),
        rematch_of=old,
    )
    for seat in old.seat_rows:
        if seat.user and seat.user.is_bot:
            new.seats.filter(number=rotated_seat(old, seat)).update(user=seat.user)
    store(old)
    return new


def _allow_another_rematch(old: Table, new: Table) -> None:
    """After the last player has left the rematch's table: the next player to ask opens another one."""
    new.rematch_of = None
    new.save(update_fields=["rematch_of"])
    store(old)
