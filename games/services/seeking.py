"""Matchmaking: players' seeks, who fits together, and the table at which they meet.

A seek is stored first and matched in a second transaction. So of two players who come at the same moment at least one
sees the other; and as matching locks the seeks of a game, no one is seated twice.

Bots that people run are a pool of their own: they meet each other alone, unless a person sits down at their table.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import blocking
from accounts.locking import lock_user
from accounts.models import User
from games import live
from games.core.contract import OptionValue
from games.domain.clocks import PACES
from games.domain.matchmaking import Wish, agreed_terms, find_opponents
from games.domain.rating_math import START
from games.live import presence
from games.models import Seek, Table
from games.models.seek import SEEN_FOR, UNSEEN_FOR, SeekQuerySet
from games.queries.open_tables import LOBBY
from games.queries.ratings import ratings_of
from games.services.common import TableError, lock_table, store
from games.services.opening import move_players, open_table, seat_bot, sit_down
from games.signals import game_found
from infra.after_commit import on_commit
from infra.due import claim_due

BOTS_AFTER = timedelta(seconds=30)
PATIENCE = timedelta(seconds=10)  # after this, bots that did not come are called again
COMPARED = 60  # the players who have waited longest
LISTED = 20
SAME = (  # equal, beside the options, at two tables whose players may be put together
    "game", "seat_count", "base_seconds", "increment_seconds", "move_seconds", "deals", "is_rated", "after_grace",
    "chat", "opens_deals", "allows_vacation", "allows_agreements",
)  # fmt: skip


def start_seek(
    *,
    user: User,
    game: str,
    seats: Sequence[int],
    paces: Sequence[str],
    is_rated: bool | None = None,
    options: dict[str, OptionValue] | None = None,
    reach: int | None = None,
    bot_level: str = "",
    shuffles: bool = False,
) -> Seek:
    """Starts looking for a game, in place of the player's earlier seek; a match may be found at once.

    options: those that must have these values. reach: how far the others' ratings may differ, None for any distance.
    bot_level: of the bots that come after `BOTS_AFTER`, "" for none; no bots join a rated game.
    shuffles: see `sit_down`.
    :raises TableError: a guest wants a rated game, or the pace has no clock and it is to be rated.
    """
    if is_rated and not user.has_account:
        raise TableError("You need an account for rated games. Sign up, or look for an unrated game.")
    now, has_clock = timezone.now(), any(PACES[pace].clock for pace in paces)
    if not (user.has_account and has_clock):
        is_rated = False
    rating = ratings_of([user], game)[user.pk].number
    waits_unseen = all(_is_turn_based(pace) for pace in paces)
    has_bots = bool(bot_level) and not is_rated and not waits_unseen
    new = Seek(
        user=user,
        game=game,
        seats=sorted(seats),
        paces=[*paces],
        is_rated=is_rated,
        options=options or {},
        rating=rating,
        low=None if reach is None else rating - reach,
        high=None if reach is None else rating + reach,
        bot_level=bot_level if has_bots else "",
        bots_at=now + BOTS_AFTER if has_bots else None,
        shuffles=shuffles,
        created_at=now,
        here_until=now + (UNSEEN_FOR if waits_unseen else SEEN_FOR),
        waits_unseen=waits_unseen,
    )
    _replace_seek(new)
    find_game(seek_id=new.pk)
    return _seek_of(user) or new


@transaction.atomic
def _replace_seek(new: Seek) -> None:
    """Stores a seek in place of the player's earlier one."""
    lock_user(new.user_id)  # a form that is sent twice: one after the other
    Seek.objects.filter(user=new.user_id).delete()
    new.save(force_insert=True)
    _announce()


def _seek_of(user: User) -> Seek | None:
    return Seek.objects.select_related("table").filter(user=user).first()


def _is_turn_based(pace: str) -> bool:
    clock = PACES[pace].clock
    return clock is not None and clock.is_turn_based


def join_seek(*, seek_id: int, user: User, shuffles: bool = False) -> Seek:
    """Answers a player's seek. :raises TableError: they no longer wait, or wait for other people."""
    theirs = _startable(user).filter(pk=seek_id).exclude(user=user).first()
    if theirs is None:
        raise TableError("This player is no longer looking for a game.")
    if not _may_answer(theirs, user, ratings_of([user], theirs.game)[user.pk].number, blocking.blocked_user_ids(user)):
        raise TableError(
            "You don't match what this player is looking for. They want a different rating, or a player with an "
            "account."
        )
    same = {name: getattr(theirs, name) for name in ("game", "seats", "paces", "is_rated", "options", "bot_level")}
    return start_seek(user=user, shuffles=shuffles, **same)


def _may_answer(theirs: Seek, user: User, rating: int, apart: Collection[int]) -> bool:
    """Whether a player may answer a seek."""
    their_wish = theirs.wish()
    mine = replace(their_wish, person=user.pk, rating=rating, low=None, high=None)
    return their_wish.accepts(mine) and theirs.user_id not in apart and (user.has_account or not theirs.is_rated)


def seeks_for(user: User | None) -> list[Seek]:
    """The open seeks that a player may see; `suits` says of each whether this player may answer it."""
    found = _startable(user).select_related("user__reliability")
    if user is None:
        return [_marked(one, suits=not one.is_rated and one.low is None) for one in found[:LISTED]]
    apart = blocking.blocked_user_ids(user)
    others = list(found.exclude(user=user).exclude(user__in=apart)[:LISTED])
    known = {rating.game: rating.number for rating in user.ratings.all()} if others else {}
    return [_marked(one, suits=_may_answer(one, user, known.get(one.game, START), ())) for one in others]


def _marked(one: Seek, *, suits: bool) -> Seek:
    one.suits = suits  # type: ignore[attr-defined]  # for this page alone
    return one


def count_seekers(game: str, *, besides: int | None) -> int:
    """How many players wait for a game of this kind, without this user."""
    return _startable(None).filter(game=game).exclude(user=besides).count()


def count_waiting(own: Seek) -> tuple[int, int]:
    """How many other players look for the same game, and how many of them fit with this player so far."""
    others = _startable(own.user).filter(game=own.game).exclude(pk=own.pk).select_related("user")
    waiting = [own, *others[:COMPARED]]
    found, _ = _largest_group(own, _wishes(waiting))
    return len(waiting) - 1, len(found) - 1


def keep_seeking(*, user: User) -> Seek | None:
    """Keeps a seek alive while its waiting page is open. None: there is no seek."""
    now = timezone.now()
    own = _seek_of(user)
    if own is None or own.table_id or own.waits_unseen:
        return own
    was_here = own.here_until > now
    Seek.objects.filter(pk=own.pk).update(here_until=now + SEEN_FOR)
    if was_here:
        return own
    find_game(seek_id=own.pk)
    return _seek_of(user)


def suspend_seek(*, user: User) -> None:
    """Suspends a seek whose waiting page was closed: no game starts until the page is back."""
    Seek.objects.waiting().filter(user=user, waits_unseen=False).update(here_until=timezone.now())
    _announce()


def cancel_seek(*, user: User) -> None:
    Seek.objects.waiting().filter(user=user).delete()
    _announce()


@transaction.atomic
def find_game(*, seek_id: int) -> None:
    """Seats the player if a table is completed by them, or if enough other seeks fit."""
    waiting = _lock_waiting_with(seek_id)
    own = next((one for one in waiting if one.pk == seek_id), None)
    if own is None:
        return
    wishes = _wishes(waiting)
    others = [wishes[one.user_id] for one in waiting if one is not own]
    if not _sit_at_open_table(own, waiting, wishes):
        for seats in own.seats:
            found = find_opponents(own.rules, [wishes[own.user_id]], others, seats=seats, people=seats)
            if found:
                _open_for(waiting, found, seats)
                return


def open_to_all(*, table_id: int, user: User) -> Table:
    """Lists a private table in the lobby, so that two partners find opponents. :raises TableError:"""
    with transaction.atomic():
        table = lock_table(table_id)
        if table.status != Table.Status.OPEN or table.created_by != user:
            raise TableError(
                "Only the player who opened this table can let others in, and only before the game starts."
            )
        table.is_private = False
        table.save(update_fields=["is_private"])
        store(table)
    complete_table(table_id=table_id)
    return table


@transaction.atomic
def complete_table(*, table_id: int) -> None:
    """Fills an open table if it can start: with a pair from another table, or with players who look for a game."""
    table = Table.objects.with_seats().get(pk=table_id)
    if table.status != Table.Status.OPEN or table.is_private:
        return
    waiting = _lock_waiting(table.game, table.created_by)
    if not _join_side(table):
        _complete(table, [], waiting, _wishes(waiting))


def complete_attended_table(*, table_id: int) -> None:
    """Fills a table that a player has just joined, if its other players still have the page open."""
    if _is_attended(Table.objects.with_seats().get(pk=table_id)):
        complete_table(table_id=table_id)


def waiting_pairs() -> list[int]:
    """Tables at which two partners look for two others, in games for which another pair waits too.

    A player may have been away when the later pair came.
    """
    tables = Table.objects.open().filter(seat_count__gt=2).with_seats().order_by("created_at")
    pairs = [table for table in tables if _is_one_side(table)]
    games = Counter(table.game for table in pairs)
    return [table.pk for table in pairs if games[table.game] > 1]


def _join_side(table: Table) -> bool:
    """Joins two tables where one pair of partners waits each; the older table stays."""
    if not _is_one_side(table) or not _is_attended(table):
        return False
    likes = {name: getattr(table, name) for name in SAME}
    others = Table.objects.open().filter(**likes, **_is_like(table.created_by, "created_by")).exclude(pk=table.pk)
    others = others.with_seats().order_by("created_at")[:COMPARED]
    for other in others:
        if other.options == table.options and _is_one_side(other) and _is_attended(other) and _accept(table, other):
            new, old = sorted((table, other), key=lambda one: one.created_at)[::-1]
            with suppress(TableError), transaction.atomic():  # a player may have joined or left
                move_players(table_id=new.pk, to_id=old.pk)
                return True
    return False


def _is_one_side(table: Table) -> bool:
    """Whether two partners sit there without opponents."""
    taken = [seat for seat in table.seat_rows if seat.user_id]
    is_side = len(taken) > 1 and tuple(seat.number for seat in taken) in table.sides
    return is_side and len(table.sides) == 2 and all(seat.has_person for seat in taken)


def _accept(table: Table, other: Table) -> bool:
    one, two = _wishes_of_seated(table), _wishes_of_seated(other)
    return all(mine.accepts(theirs) and theirs.accepts(mine) for mine in one for theirs in two)


@transaction.atomic
def fill_with_bots(*, seek_id: int) -> None:
    """Starts a game after a long wait: as many players as fit and agreed to bots, with bots in the empty seats."""
    waiting = [one for one in _lock_waiting_with(seek_id) if one.bots_at]
    own = next((one for one in waiting if one.pk == seek_id), None)
    if own is None:
        return
    wishes = {pk: replace(wish, is_rated=False) for pk, wish in _wishes(waiting).items()}
    found, seats = _largest_group(own, wishes)
    _open_for(waiting, found, seats)


def _largest_group(own: Seek, wishes: Mapping[int, Wish]) -> tuple[tuple[Wish, ...], int]:
    """The largest group that fits with this player, and the fewest seats that hold it."""
    mine, others = wishes[own.user_id], [wish for person, wish in wishes.items() if person != own.user_id]
    sizes = ((people, seats) for people in range(own.seats[-1], 1, -1) for seats in own.seats if seats >= people)
    for people, seats in sizes:
        found = find_opponents(own.rules, [mine], others, seats=seats, people=people)
        if found:
            return found, seats
    return (mine,), own.seats[0]


def claim_seeks_for_bots(*, now: datetime) -> list[int]:
    """Claims seeks that bots should join, so that a second tick leaves them alone."""
    return [pk for pk, _ in claim_due(Seek.objects.startable(now), "bots_at", until=now, patience=PATIENCE)]


def delete_forgotten_seeks(*, now: datetime) -> None:
    """Deletes seeks whose pages were closed long ago. A tick without any only reads."""
    if Seek.objects.abandoned(now).exists():
        Seek.objects.abandoned(now).delete()
        _announce()


def _is_like(user: User | None, column: str) -> dict[str, bool]:
    """Filter of rows whose user in `column` is of the same pool: both are bots that people run, or neither is."""
    return {f"{column}__owner__isnull": user is None or not user.is_api_bot}


def _startable(user: User | None) -> SeekQuerySet:
    """Seeks of those whom this user may meet, for which a game can start."""
    return Seek.objects.startable(timezone.now()).filter(**_is_like(user, "user"))


def _lock_waiting(game: str, user: User | None) -> list[Seek]:
    """Locks the oldest seeks for a game: no other process seats these players before the transaction ends."""
    here = _startable(user).filter(game=game).select_related("user")
    return list(here.select_for_update(of=("self",))[:COMPARED])


def _lock_waiting_with(seek_id: int) -> list[Seek]:
    """Locks those with whom this player may meet; [] if the seek is gone."""
    own = Seek.objects.filter(pk=seek_id).select_related("user").first()
    return _lock_waiting(own.game, own.user) if own else []


def _wishes(waiting: Sequence[Seek]) -> dict[int, Wish]:
    """What the players of these seeks want, by user id."""
    apart = blocking.blocked_user_ids_among(one.user_id for one in waiting)
    return {one.user_id: one.wish(avoids=apart[one.user_id]) for one in waiting}


def _sit_at_open_table(own: Seek, waiting: Sequence[Seek], wishes: dict[int, Wish]) -> bool:
    tables = Table.objects.open().filter(game=own.game, **_is_like(own.user, "created_by"))
    tables = tables.with_seats().order_by("created_at")[:COMPARED]
    return any(_is_attended(table) and _complete(table, [own], waiting, wishes) for table in tables)


def _is_attended(table: Table) -> bool:
    """Whether all players of the table have its page open; a game over days does not need that."""
    people = {seat.user.pk for seat in table.seat_rows if seat.user and seat.user.is_person}
    return table.is_turn_based or people <= presence.online_users(table.pk, people)


def _complete(table: Table, first: Sequence[Seek], waiting: Sequence[Seek], wishes: dict[int, Wish]) -> bool:
    """Seats these players, and others, at an open table if it can start with them. False: no one was seated.

    Tables that show hands to spectators are left out: joining means to agree, and these players do not see the page.
    """
    if table.opens_deals:
        return False
    seated = _wishes_of_seated(table)
    others = [wishes[one.user_id] for one in waiting if one not in first]
    together = [*seated, *(wishes[one.user_id] for one in first)]
    found = find_opponents(table.rules, together, others, seats=table.seat_count, people=table.seat_count)
    if not found or len(found) == len(seated):
        return False
    people = {wish.person for wish in found}
    with suppress(TableError), transaction.atomic():  # another player may have joined
        _seat(lock_table(table.pk), [one for one in waiting if one.user_id in people])
        return True
    return False


def _wishes_of_seated(table: Table) -> list[Wish]:
    """What the players of a table want: the table as it is."""
    users = [seat.user for seat in table.seat_rows if seat.user]
    known = ratings_of(users, table.game)
    return [
        Wish(
            user.pk,
            seats=frozenset({table.seat_count}),
            paces=frozenset(pace for pace, kept in PACES.items() if _has_pace(table, kept.fields)),
            is_rated=table.is_rated,
            options=table.options,
            rating=known[user.pk].number,
            avoids=frozenset(blocking.blocked_user_ids(user)),
        )
        for user in users
    ]


def _has_pace(table: Table, fields: dict[str, Any]) -> bool:
    return all(getattr(table, name) == value for name, value in fields.items())


def _open_for(waiting: Sequence[Seek], found: Sequence[Wish], seats: int) -> None:
    """Opens a table for these players, with bots in the seats that are left."""
    people = {wish.person for wish in found}
    seekers = [one for one in waiting if one.user_id in people]
    eldest = seekers[0]
    agreed = agreed_terms(eldest.rules, found, seats)
    assert agreed is not None, "these people were found because they agree"
    with suppress(TableError), transaction.atomic():  # there may be too few bots
        table = open_table(
            game=eldest.game,
            seats=seats,
            options=agreed.options,
            created_by=eldest.user,
            is_rated=agreed.is_rated,
            **PACES[agreed.pace].fields,
        )
        _seat(table, seekers)
        for _ in range(seats - len(seekers)):
            seat_bot(table_id=table.pk, level=eldest.bot_level)


def _seat(table: Table, seekers: Sequence[Seek]) -> None:
    for one in seekers:
        sit_down(table_id=table.pk, user=one.user, shuffles=one.shuffles)
    Seek.objects.filter(pk__in=[one.pk for one in seekers]).update(table=table, bots_at=None)
    unseen = [one.user_id for one in seekers if one.waits_unseen]
    if unseen:
        on_commit(game_found.send_robust, sender=Seek, table_id=table.pk, user_ids=unseen)


def _announce() -> None:
    on_commit(live.announce, LOBBY, live.moment())
