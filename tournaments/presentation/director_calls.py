"""The call for the director, as a player or a director at the table sees it."""

from dataclasses import dataclass

from django.db.models import Prefetch

from accounts.models import User
from accounts.requests import Visitor
from games.models import Table
from tournaments.models import DirectorCall, Match, MatchGame, MatchSide
from tournaments.queries.permissions import EventRank, event_rank
from tournaments.services.closing_calls import callers_of
from tournaments.services.director_calls import directors_to_call


@dataclass(frozen=True, slots=True)
class CallPanel:
    """call: the open one, the one that has closed by itself, or while the match is in play the last answered one.

    can_call: now. is_own: the reader has made the call. may_answer: and may read its reason.
    can_report: no one can be called, and another person plays here.
    """

    match: Match
    call: DirectorCall | None
    can_call: bool
    is_own: bool
    may_answer: bool
    can_report: bool

    @property
    def table(self) -> Table | None:
        """The table of the newest game."""
        row = self.match.games.select_related("table").order_by("-number").first()
        return row.table if row else None


def call_panel_at(table: Table, reader: Visitor) -> CallPanel | None:
    """As `call_panel`, for the match that is played at this table."""
    if not table.event_name or not reader.is_authenticated:
        return None
    match_id = MatchGame.objects.filter(table=table.pk).values_list("match_id", flat=True).first()
    return call_panel(match_id, reader) if match_id else None


def call_panel(match_id: int, reader: User) -> CallPanel | None:
    """None for readers who neither play in the match nor run its event."""
    sides = MatchSide.objects.select_related("entry__user", "entry__partner", "player", "partner")
    matches = Match.objects.select_related("event__created_by").prefetch_related(Prefetch("sides", sides))
    match = matches.get(pk=match_id)
    players = callers_of(match)
    plays = reader in players
    if not plays and event_rank(reader, match.event) < EventRank.HELPER:
        return None
    is_in_play, call = match.status == Match.Status.PLAYING, match.calls.standing().first()
    is_open = call is not None and call.closed_at is None
    may_call = plays and is_in_play and not is_open
    can_call = may_call and bool(directors_to_call(match))
    return CallPanel(
        match,
        call if call and (is_open or is_in_play or call.is_closed_unanswered) else None,
        can_call=can_call,
        is_own=call is not None and call.by == reader,
        may_answer=is_open and not plays,
        can_report=may_call and not can_call and any(player.is_person and player != reader for player in players),
    )
