"""A person's games and ratings, as plain JSON types."""

from typing import Any

from cardsite.accounts.models import User
from games.models import Move, Rating, RatingChange, Seat, Table


def games_of(user: User) -> list[dict[str, Any]]:
    """Every table at which he sits or sat until a bot took over, oldest first."""
    tables = Table.objects.with_seats().of(user).prefetch_related("moves").order_by("pk")
    return [_game(table, next(seat for seat in table.seats.all() if seat.user_id == user.pk)) for table in tables]


def _game(table: Table, own: Seat) -> dict[str, Any]:
    return {
        "table": table.code,
        "game": table.game,
        "rules_version": table.rules_version,
        "options": table.options,
        "rated": table.is_rated,
        "status": table.status,
        "started_at": table.started_at,
        "finished_at": table.finished_at,
        "players": table.names,
        "own_seat": own.number,
        "entropy": own.entropy,
        "result": table.result,
        "moves": [
            {"number": move.number, "seat": move.seat, "text": move.text, "at": move.played_at}
            for move in table.moves.all()
            if _may_see(table, own, move)
        ],
    }


def _may_see(table: Table, own: Seat, move: Move) -> bool:
    """Moves may name cards that lie face down: until the cards are open, nobody sees more than his own."""
    is_open = table.is_over and not table.is_hidden
    return is_open or (move.seat == own.number and not own.has_left)


def ratings_of(user: User) -> list[dict[str, Any]]:
    """With every change, oldest first."""
    return [_rating(rating) for rating in user.ratings.prefetch_related("changes__table").order_by("game")]


def _rating(rating: Rating) -> dict[str, Any]:
    return {
        "game": rating.game,
        "number": rating.number,
        "margin": rating.skill.margin,
        "results": rating.games,
        "changes": [_change(change) for change in rating.changes.all()],
    }


def _change(change: RatingChange) -> dict[str, Any]:
    table = change.table.code if change.table else None
    return {"table": table, "before": change.before, "after": change.after, "at": change.at}
