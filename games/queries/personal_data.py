"""Personal data for the GDPR export: a player's games, ratings, notes and challenges as plain JSON types."""

from typing import Any

from django.db.models import Q

from accounts.models import User
from games.models import Challenge, CoachSetting, Move, Rating, RatingChange, Reliability, Seat, Seek, Table


def games_of(user: User) -> list[dict[str, Any]]:
    """Every table at which the player has, or had, a seat, oldest first."""
    tables = Table.objects.with_seats().of(user).prefetch_related("moves").order_by("pk")
    return [_game(table, next(seat for seat in table.seat_rows if seat.user_id == user.pk)) for table in tables]


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
        "commitment": own.commitment,
        "result": table.result,
        "moves": [
            {
                "number": move.number,
                "seat": move.seat,
                "text": move.text,
                "takes_back_to": move.takes_back_to,
                "at": move.played_at,
            }
            for move in table.moves.all()
            if _may_see(table, own, move)
        ],
    }


def _may_see(table: Table, own: Seat, move: Move) -> bool:
    """Whether the player may see a move: moves may name face-down cards, so until cards are open only their own."""
    is_open = table.is_over and not table.is_hidden
    return is_open or (move.seat == own.number and not own.has_left)


def notes_of(user: User) -> list[dict[str, Any]]:
    """The player's notes on moves of finished games."""
    return [
        {"table": note.table.code, "move": note.number, "text": note.text, "public": note.is_public}
        for note in user.move_notes.select_related("table").order_by("pk")
    ]


def reviews_of(user: User) -> list[dict[str, Any]]:
    """What the coach found in the player's games."""
    reviews = user.coach_reviews.select_related("table").order_by("pk")
    return [{"table": review.table.code, "at": review.asked_at, "decisions": review.decisions} for review in reviews]


def coach_setting_of(user: User) -> dict[str, Any]:
    setting = CoachSetting.objects.filter(user=user).first() or CoachSetting()
    return {"reviews games against bots by itself": setting.reviews_bot_games}


def tables_opened_by(user: User) -> list[str]:
    """Codes of the tables that the player has opened, also where others sit."""
    return list(user.tables_opened.order_by("pk").values_list("code", flat=True))


def deals_shown_to(user: User) -> list[str]:
    """Codes of the tables whose offered deal the player has seen without playing it."""
    return list(Table.objects.filter(shown_to=user).order_by("pk").values_list("code", flat=True))


def reliability_of(user: User) -> dict[str, Any]:
    """Reliability in games with other people; the weights are those of `Reliability`."""
    one = Reliability.objects.filter(user=user).first() or Reliability()
    return {"games": one.games, "finished": one.finished, "weight": one.weight, "percent": one.percent}


def ratings_of(user: User) -> list[dict[str, Any]]:
    """The ratings with every change, oldest first."""
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


def seeks_of(user: User) -> list[dict[str, Any]]:
    """The player's current or last seeks."""
    columns = ("game", "seats", "paces", "is_rated", "options", "rating", "low", "high", "bot_level", "created_at")
    return list(Seek.objects.filter(user=user).values(*columns))


def challenges_of(user: User) -> list[dict[str, Any]]:
    """Challenges that the player sent and received, oldest first."""
    concerned = Challenge.objects.filter(Q(to=user) | Q(table__created_by=user)).with_table().order_by("pk")
    return [
        {
            "by": str(asked.table.created_by),
            "to": str(asked.to),
            "game": asked.table.game,
            "answer": asked.answer,
            "at": asked.created_at,
        }
        for asked in concerned
    ]
