"""Public games: finished ones that the site may show to everyone, also in other places than on their own pages."""

from django.contrib.auth.models import AnonymousUser

from games.models import Table
from games.queries import shared_deals


def is_public_game(table: Table) -> bool:
    """Whether a finished game may be shown anywhere: not a private one, nor one whose cards are still to be played.

    Games alone with bots count as public; only their player knows the address.
    """
    if not table.is_over or table.started_at is None or table.is_hidden:
        return False
    is_listed = not table.is_private or table.is_rated or bool(table.event_name) or not table.has_company
    return is_listed and shared_deals.may_see_cards(table, AnonymousUser())
