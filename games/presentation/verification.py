"""Verifying the deals of a table: what each seat added to the shuffle, and why a seat dealt first."""

from django.db import models

from games.models import Seat, Table


class Contribution(models.TextChoices):
    """A seat's contribution to the shuffle."""

    BROWSER = "browser", "made by the player's browser"
    SITE = "site", "made by the site, because the browser couldn't (no JavaScript, or no HTTPS)"
    SOURCE = "source", "added at that table"
    NOT_COMMITTED = "not committed", "Their browser didn't send a number in time, so none counts."
    NOT_REVEALED = "not revealed", "Their browser didn't reveal its number in time, so it doesn't count."
    NONE = "none", "adds nothing"


def contribution_of(seat: Seat) -> Contribution:
    """The contribution of a seat at a table whose cards are dealt."""
    if seat.entropy and seat.table.repeats_cards:
        return Contribution.SOURCE
    if seat.entropy:
        return Contribution.BROWSER if seat.is_entropy_own else Contribution.SITE
    if seat.is_entropy_own:
        return Contribution.NOT_REVEALED if seat.commitment else Contribution.NOT_COMMITTED
    return Contribution.NONE


def dealer_source(table: Table) -> str:
    """Why this seat dealt first: "draw", "source" (another table's cards), "rematch" or "match"."""
    if table.is_dealer_drawn:
        return "draw"
    if table.repeats_cards:
        return "source"
    return "rematch" if table.rematch_of_id else "match"
