"""Advice at a table: who may ask for a hint, or ask the coach."""

from games.models import Seat, Table


def may_be_advised(table: Table, seat: Seat) -> bool:
    """Whether this player may be advised: all opponents are bots, and the result is neither rated nor compared."""
    is_for_nothing = not (table.is_rated or table.event_path or table.same_deal_as_id)
    return is_for_nothing and all(not other.has_person for other in table.seat_rows if other != seat)
