"""Replaying cards of a finished game: "what if" from one of its positions, and the same deals for other players."""

from typing import Any

from django.db import transaction

from accounts.models import User
from games.models import Move, Table
from games.queries import shared_deals
from games.record import replay
from games.services.common import TableError, lock_table, seat_of
from games.services.opening import open_table, pick_free_bots
from games.services.shuffling import start_game

FIELDS_OF_A_MOVE = ("number", "seat", "text", "played_at", "is_by_clock", "is_by_stand_in", "takes_back_to")


@transaction.atomic
def branch_off(*, table: Table, at: int, user: User, seat: int, level: str) -> Table:
    """Starts a "what if" from the position after `at` moves of a finished game, in that seat, against bots.

    The record up to there is copied, so that the new table is replayed like any other.
    :raises TableError: the game is not over, or no seat is to move there.
    """
    _require_open_cards(table)
    if not 0 <= at <= table.move_count or not replay.state_of(table, at).to_act:
        raise TableError("The game ends at this move. Go back a move and continue from there.")
    branch = _seat_again(table, user=user, seat=seat, level=level, branch_of=table, branch_at=at)
    rows = table.moves.filter(number__lte=at).values(*FIELDS_OF_A_MOVE)
    Move.objects.bulk_create(Move(table=branch, **row) for row in rows)
    branch.move_count = at
    branch.seats.update(moves_before=at)
    start_game(branch, replay.state_of(branch))
    return branch


@transaction.atomic
def offer_deal(*, table_id: int, user: User) -> None:
    """Offers the deals of a finished game to everyone, and hides its cards from those who have not played them.

    :raises TableError: the game is not over, the person did not play it, or its cards come from another table.
    """
    table = lock_table(table_id)
    _require_open_cards(table)
    seat_of(table, user)
    if table.repeats_cards:
        raise TableError("These cards come from another table. They can only be shared there.")
    table.offers_deal = True
    table.save(update_fields=["offers_deal"])


@transaction.atomic
def play_same_deal(*, table_id: int, user: User, seat: int, level: str) -> Table:
    """Plays the same deals, options and dealer as at a table that offers them, in that seat, against bots.

    Each player plays them once; a second call returns the player's table. :raises TableError:
    """
    first = lock_table(table_id)
    if not first.offers_deal:
        raise TableError("These cards haven't been shared.")
    again = Table.objects.of(user).filter(same_deal_as=first).first()
    if again is not None:
        return again
    if shared_deals.knows_deals(first.pk, user):
        raise TableError(
            'You have already seen these cards. You can use "What if" to continue from any point of the game.'
        )
    again = _seat_again(first, user=user, seat=seat, level=level, same_deal_as=first, allows_agreements=False)
    start_game(again, replay.state_of(again))
    return again


def show_deal(*, table: Table, user: User) -> None:
    """Shows the cards of an offered deal to a player who does not want to play it. :raises TableError:"""
    if Table.objects.running().of(user).filter(same_deal_as=table).exists():
        raise TableError("You are playing these cards. You'll see them when your game is over.")
    table.shown_to.add(user)


def _require_open_cards(table: Table) -> None:
    if table.status != Table.Status.FINISHED or table.is_hidden:
        raise TableError("You can do that once the game is over and everyone can see its cards.")


def _seat_again(table: Table, *, user: User, seat: int, level: str, **conditions: Any) -> Table:
    """Opens a table with the deals of another one: the player in `seat`, bots in all others."""
    if not 0 <= seat < table.seat_count:
        raise TableError("There is no such seat.")
    again = open_table(
        game=table.game,
        seats=table.seat_count,
        options=table.options,
        created_by=user,
        secret=bytes(table.secret),
        shares_deals=True,
        deals=table.deals,
        is_private=True,
        **conditions,
    )
    bots = pick_free_bots(table.game, level, table.seat_count - 1)
    for copied, before in zip(again.seat_rows, table.seat_rows, strict=True):
        copied.user = user if copied.number == seat else bots.pop()
        copied.entropy, copied.commitment = before.entropy, before.commitment
        copied.save(update_fields=["user", "entropy", "commitment"])
    again = lock_table(again.pk)
    again.first_dealer = table.first_dealer
    return again
