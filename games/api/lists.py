"""Lists of tables, and ratings."""

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query

from accounts.api_access import NEEDS, ApiRequest
from games.api import schemas
from games.api.routing import router
from games.models import Rating, Table
from games.presentation.plain_table import table_summary
from games.queries import leaderboard
from games.queries.own_games import own_games
from games.views.lobby import game_or_404
from infra.http_api.cursors import LONGEST_PAGE, PAGE_LENGTH, cursor_page

Cursor = Annotated[str, Query(description="`next` of the page before")]
Limit = Annotated[int, Query(ge=1, le=LONGEST_PAGE)]


@router.get("/tables", response=schemas.TablePage, auth=NEEDS["read"], tags=["Tables"], summary="List tables")
def list_tables(
    request: ApiRequest,
    which: Literal["open", "own", "waiting"] = "own",
    game: str = "",
    cursor: Cursor = "",
    limit: Limit = PAGE_LENGTH,
) -> dict[str, Any]:
    """Tables, newest first.

    `own`: those where you have a seat. `open`: those that anyone may join. `waiting`: correspondence games in which it
    is your turn, the least time left first, in one page.
    """
    if which == "waiting":
        codes = [table.code for table in own_games(request.user, timezone.now()).waiting]
        tables = {table.code: table for table in Table.objects.with_seats().filter(code__in=codes)}
        return {"items": [table_summary(tables[code]) for code in codes], "next": None}
    found = Table.objects.open() if which == "open" else Table.objects.of(request.user)
    if game:
        found = found.filter(game=game)
    return cursor_page(found.with_seats(), cursor=cursor, limit=limit, as_json=table_summary)


@router.get(
    "/games/{game}/leaderboard",
    response=list[schemas.RatingRow],
    auth=None,
    tags=["Ratings"],
    summary="Read a leaderboard",
)
def read_leaderboard(request: HttpRequest, game: str, bots: bool = True) -> list[dict[str, Any]]:
    """The best rated players of a game. No token is needed."""
    rules = game_or_404(game)
    return [
        {
            "place": place,
            "name": rating.user.display_name,
            "is_bot": not rating.user.is_person,
            "rating": rating.number,
            "games": rating.games,
        }
        for place, rating in leaderboard.leaderboard_rows(rules.slug, with_bots=bots)
    ]


@router.get("/ratings", response=list[schemas.OwnRating], auth=NEEDS["read"], tags=["Ratings"], summary="Your ratings")
def list_own_ratings(request: ApiRequest) -> list[dict[str, Any]]:
    """Your rating in each game in which you have one."""
    return [
        {
            "game": rating.game,
            "rating": rating.number,
            "is_provisional": rating.is_provisional,
            "games": rating.games,
        }
        for rating in Rating.objects.filter(user=request.user, games__gt=0).order_by("game")
    ]
