"""Shuffling and dealing once all seats are taken (`games.core.deals` explains the protocol).

First the players' browsers commit to their values, then they reveal them, then the cards are dealt. A browser that does
not send its part in time is left out: its value does not count.
"""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.core import deals
from games.core.contract import State
from games.models import Seat, Table
from games.record import replay
from games.services import hand_ends
from games.services.common import TableError, lock_table, pass_turn, seat_of, store
from games.services.vacations import apply_current_vacations
from games.signals import table_started
from infra.after_commit import on_commit

COMMIT_WITHIN = timedelta(seconds=10)  # the browser loads the page of the table first
REVEAL_WITHIN = timedelta(seconds=5)
CONTRIBUTION = ("user", "entropy", "is_entropy_own", "commitment")  # what belongs to the person in a seat


def seat_person(seat: Seat, user: User, *, shuffles: bool) -> None:
    """Gives a seat to a person. shuffles: their browser adds a value of its own; otherwise the site draws one."""
    seat.user, seat.is_entropy_own = user, shuffles
    if not shuffles:
        seat.entropy = secrets.token_hex(16)
        seat.commitment = deals.bound_commitment(seat.table.commitment, seat.entropy)
    seat.save(update_fields=CONTRIBUTION)


def move_person(old: Seat, new: Seat) -> None:
    """Moves a person to another seat of the table, together with their commitment."""
    moved = [getattr(old, name) for name in CONTRIBUTION]
    clear_seat(old)
    for name, value in zip(CONTRIBUTION, moved, strict=True):
        setattr(new, name, value)
    new.save(update_fields=CONTRIBUTION)


def clear_seat(seat: Seat) -> None:
    seat.user, seat.entropy, seat.is_entropy_own, seat.commitment = None, "", False, ""
    seat.save(update_fields=CONTRIBUTION)


def draw_new_secret(table: Table) -> None:
    """Draws a new secret after a player has left a full table, where values may have been revealed.

    Contributions bound to the old seal no longer count, so the next player cannot have chosen theirs by these values.
    """
    table.secret = secrets.token_bytes(32)
    table.commitment = deals.commitment(table.secret)
    table.save(update_fields=["secret", "commitment"])
    table.shuffle_due_at, table.is_revealing = None, False
    for seat in table.seat_rows:
        if seat.user and not seat.user.is_bot:
            seat.entropy = seat.commitment = ""
            seat_person(seat, seat.user, shuffles=seat.is_entropy_own)


def advance_shuffle(table: Table, now: datetime, *, is_overdue: bool = False) -> None:
    """Advances the shuffle of a full table if nothing is missing or the time is over, and stores it."""
    if not table.is_revealing:
        if not is_overdue and any(seat.owes_commitment for seat in table.seat_rows):
            table.shuffle_due_at = now + COMMIT_WITHIN
            store(table)
            return
        table.is_revealing, is_overdue = True, False
        table.shuffle_due_at = now + REVEAL_WITHIN
        if any(seat.owes_value for seat in table.seat_rows):
            store(table)
    if is_overdue or not any(seat.owes_value for seat in table.seat_rows):
        deal_first_hand(table)


def shuffle_step(seat: Seat) -> str:
    """What the player's browser is asked for: "commit", "reveal" (and commit before, where it has not), or ""."""
    table = seat.table
    if table.status != Table.Status.OPEN or not seat.is_entropy_own or seat.entropy:
        return ""
    others_are_ready = not any(other.owes_commitment for other in table.seat_rows if other.number != seat.number)
    if table.is_shuffling and (table.is_revealing or others_are_ready):
        return "reveal" if seat.commitment or not table.is_revealing else ""
    return "" if seat.commitment else "commit"


@transaction.atomic
def add_to_shuffle(*, table_id: int, user: User, seal: str, commitment: str, value: str = "") -> Table:
    """Takes a browser's contribution: a commitment and, once it is asked for, the value. Both may come at once.

    Sent twice, it counts once. The first commitment stays.
    :raises TableError: it comes too early or too late, does not fit, or this player's browser adds nothing.
    """
    table = lock_table(table_id)
    seat = seat_of(table, user)
    _require_fitting(seat, seal, commitment, value)
    if seat.entropy and value in ("", seat.entropy):
        return table
    if table.status != Table.Status.OPEN or (table.is_revealing and not seat.commitment):
        raise TableError("Your browser's number came too late. The cards are being dealt without it.")
    if not seat.commitment:
        seat.commitment = commitment
        seat.save(update_fields=["commitment"])
        if table.is_shuffling and not any(other.owes_commitment for other in table.seat_rows):
            advance_shuffle(table, timezone.now())
    if value:
        if not table.is_revealing:
            raise TableError("It's too early to reveal your number. Others haven't committed to theirs yet.")
        seat.entropy = value
        seat.save(update_fields=["entropy"])
        advance_shuffle(table, timezone.now())
    return table


def _require_fitting(seat: Seat, seal: str, commitment: str, value: str) -> None:
    """:raises TableError: the contribution belongs to another deal, seat or browser, or its parts don't match."""
    if seal != seat.table.commitment:
        raise TableError("This number was made for another deal.")
    if not seat.is_entropy_own:
        raise TableError("The site has made a number for you, so your browser adds none to this deal.")
    if value and deals.bound_commitment(seal, value) != commitment:
        raise TableError("This isn't the number your browser committed to.")
    if seat.commitment and seat.commitment != commitment:
        raise TableError("Another of your browsers has already sent a number for this deal.")


@transaction.atomic
def end_overdue_shuffle(*, table_id: int, now: datetime) -> None:
    """Continues the shuffle without browsers that are late. A second call finds nothing to do."""
    table = lock_table(table_id)
    if table.is_shuffling and table.shuffle_due_at is not None and table.shuffle_due_at <= now:
        advance_shuffle(table, now, is_overdue=True)


def deal_first_hand(table: Table) -> None:
    """Draws the first dealer, unless one is named, and deals."""
    table.shuffle_due_at, table.is_revealing = None, False
    if table.first_dealer is None:
        table.first_dealer = deals.first_dealer(bytes(table.secret), table.entropy, table.seat_count)
        table.is_dealer_drawn = True
    table.options = {**table.options, **table.rules.dated_options(timezone.now().day)}
    start_game(table, replay.first_state(table))


def start_game(table: Table, state: State) -> None:
    """Starts the game: all seats are taken and the cards are dealt."""
    table.status, table.started_at = Table.Status.RUNNING, timezone.now()
    table.position_version = table.version + 1
    apply_current_vacations(table, table.started_at)
    if state.results:  # it goes on from a position of another game
        for seat in table.seat_rows:
            hand_ends.mark_seen(seat, len(state.results))
    pass_turn(table, state, table.started_at)
    on_commit(table_started.send_robust, sender=Table, table_id=table.pk)
