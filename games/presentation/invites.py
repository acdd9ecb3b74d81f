"""Invitations to a table with empty seats: links, and partners by seat."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.defaultfilters import pluralize

from games.models import Seat, Table
from games.queries.rematches import players_expected


@dataclass(frozen=True, slots=True)
class InviteSeat:
    """A seat of a table that waits for players. partners: the other players of its side; "" where all play alone.

    is_wished: the link that was followed names this seat. expected: the player of the last game whose seat it is in the
    rematch.
    """

    seat: Seat
    partners: str
    is_wished: bool
    expected: str

    @property
    def name(self) -> str:
        """The player of the seat; an empty seat has a number if players choose sides."""
        if self.seat.user:
            return self.seat.name
        if self.expected:
            return f"Waiting for {self.expected}"
        return f"Seat {self.seat.number + 1}, empty" if self.partners else "An empty seat"


def invitation_headline(table: Table) -> str:
    """Headline of a table that waits for players, for those who have no seat there."""
    if table.is_private and table.created_by:
        verb = "asks for a rematch of" if table.rematch_of_id else "invites you to"
        return f"{table.created_by} {verb} {table.rules.name}"
    return f"{table.rules.name}: {table.free_seats} seat{pluralize(table.free_seats)} free"


def invite_seats(table: Table, *, wished: str) -> list[InviteSeat]:
    """All seats in order. wished: the number of the seat that a link names, as text."""
    seats = list(table.seat_rows)
    expected = players_expected(table)
    side_of = {number: side for side in table.sides for number in side}
    return [
        InviteSeat(
            seat,
            partners=_partners(seats, side_of[seat.number], seat),
            is_wished=wished == str(seat.number),
            expected=expected.get(seat.number, ""),
        )
        for seat in seats
    ]


def _partners(seats: Sequence[Seat], side: tuple[int, ...], seat: Seat) -> str:
    others = [seats[number] for number in side if number != seat.number]
    return " and ".join(other.name if other.user else f"seat {other.number + 1}" for other in others)


def partner_url(table: Table, own: Seat | None, url: str) -> str:
    """The link that names the first empty seat on the reader's own side, "" if there is none."""
    if own is None:
        return ""
    seats = table.seat_rows
    side = next(side for side in table.sides if own.number in side)
    free = [number for number in side if seats[number].user_id is None]
    return f"{url}?seat={free[0]}" if free else ""
