"""Embedded pages: an event's bracket, its standings, and the replay of a finished game, in frames of other sites."""

from typing import Literal

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.safestring import mark_safe

from cardsite.web.embedding import embeddable, render_embed
from games.presentation.table_wording import headline
from games.queries.public_games import is_public_game
from games.record import playback
from games.record import replay as records
from games.views.access import table_or_404
from games.views.replay import read_look, replay_board
from tournaments import presentation
from tournaments.models import Event


@embeddable
def bracket(request: HttpRequest, pk: int) -> HttpResponse:
    """The bracket, or the rounds of a format without one."""
    return _event_part(request, pk, "bracket")


@embeddable
def standings(request: HttpRequest, pk: int) -> HttpResponse:
    return _event_part(request, pk, "standings")


def _event_part(request: HttpRequest, pk: int, part: Literal["bracket", "standings"]) -> HttpResponse:
    event = get_object_or_404(Event, pk=pk)
    look = presentation.EventPageQuery.of_query(request.GET)
    html = mark_safe(presentation.embedded_event_html(event, part, look))  # rendered by a template
    return render_embed("embeds/event.html", {"event": event, "part": part, "html": html})


@embeddable
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """The position after `?at=` moves with all hands open, as on the replay page; `?seat=` sits at the bottom."""
    table = table_or_404(code)
    if not is_public_game(table):
        raise Http404("This game is not public.")
    try:
        game = playback.playback_of(table)
    except records.OtherRules:
        raise Http404("This game was played by earlier rules.") from None
    look = read_look(request, table, table.move_count)
    context = {
        "played": table,
        "title": headline(table),
        "game": table.rules,
        "look": look,
        "last": table.move_count,
        "prev": max(look.at - 1, 0),
        "next": min(look.at + 1, table.move_count),
        "board": replay_board(table, game.state_at(look.at), look),
    }
    return render_embed("embeds/replay.html", context)
