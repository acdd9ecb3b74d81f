"""Access to a table by the API: the same rules as those of its pages (`games.views.access.while_hidden`)."""

from typing import Any

from django.http import HttpRequest

from games.models import Table
from games.queries import shared_deals
from games.views.access import is_hidden_from, table_or_404
from infra.http_api.problems import Problem


def visible_table(request: HttpRequest, code: str, *, players_may: bool = True) -> Table:
    """The table, if the reader may see it now. players_may: its players may, also while it is hidden from others.

    :raises Problem:
    """
    table = table_or_404(code)
    require_access(table, request.user, players_may=players_may)
    return table


def require_access(table: Table, user: Any, *, players_may: bool = True) -> None:
    """:raises Problem:"""
    if is_hidden_from(table, user, players_may=players_may):
        raise Problem(403, "hidden", "This table is hidden until the event shows its games.")
    if not shared_deals.may_see_cards(table, user):
        offered = shared_deals.offered_code(table)
        raise Problem(403, "unplayed-deal", "You may still play these cards, so you can't see them yet.", deal=offered)
