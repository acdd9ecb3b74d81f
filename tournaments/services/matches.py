"""Matches, from the first game to the result.

When a player is absent, the policy of the event decides (`games.models.choices.Absence`), never chance:

- forfeit: a player who never comes to a table, never moves or leaves the event forfeits the match; one who is late
  later on loses the game;
- bot: a club bot plays on, and the match counts as if the player had made its moves;
- score: the score so far decides, a level score for the player who stayed; one who never came forfeits;
- hold: the game waits; a player who is not back by then, is late again or leaves the event forfeits the match.

Where no side comes to the table, all of them lose, whatever the policy. Entries that miss matches have a policy of
their own (`no_shows`).

At tables of more than two sides a bot always plays on in the seat, and its moves count, except that with "forfeit" the
side that left is last. Where results are compared with other tables, a game that was given up cannot be, and the match
goes with it.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games import services as games
from games.models import Seat, Table
from games.models.choices import Absence
from infra.bulk import update_rows
from tournaments.formats import match_play
from tournaments.models import Entry, Event, EventLog, Match, MatchGame, MatchSide
from tournaments.services import no_shows, notices, webhooks
from tournaments.services.closing_calls import close_calls_with_result
from tournaments.services.setting_aside import open_game_or_set_aside
from tournaments.services.tables import game_record, gone_sides, has_played, running_points


@dataclass(frozen=True, slots=True)
class MatchVerdict:
    """The result of a match. places: by side. by: a `Match.DecidedBy`.

    score: by side, games won and points, where they are not those of the games.
    """

    match: Match
    places: Sequence[int]
    by: str
    reason: str
    score: Sequence[tuple[int, int]] | None = None

    @property
    def result(self) -> str:
        """In words, without the reason."""
        sides = zip(self.match.sides.all(), self.places, strict=True)
        firsts = [side.name for side, place in sides if place == 1]
        if not firsts:
            return f"{self.match}: no one won"
        names, score = " and ".join(firsts), self._score_in_words
        return f"{self.match}: {names} {'won' if len(firsts) == 1 else 'share it'}{score and f', {score}'}"

    @property
    def _score_in_words(self) -> str:
        """Such as "121 : 100", by side, where it was entered; "" without one."""
        by_games = self.match.event.match_games > 1 and self.match.event.match_rule != Event.MatchRule.POINTS
        numbers = [games_won if by_games else points for games_won, points in self.score or ()]
        return " : ".join(map(str, numbers)) if any(numbers) else ""

    @property
    def log_text(self) -> str:
        return f"{self.result} ({self.reason})."


def with_games(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Prefetches everything that the services of matches read, in a few queries."""
    seats = Prefetch("table__seats", Seat.objects.order_by("number").select_related("user"))
    rows = MatchGame.objects.order_by("number").select_related("table").prefetch_related(seats)
    sides = MatchSide.objects.order_by("number").select_related("entry__user", "entry__partner", "player", "partner")
    return matches.select_related("round", "event").prefetch_related(Prefetch("games", rows), Prefetch("sides", sides))


def table_in_play(match: Match) -> Table | None:
    """The table of its newest game while that runs. match: from `with_games`."""
    rows = list(match.games.all())
    return rows[-1].table if rows and rows[-1].table.status == Table.Status.RUNNING else None


def players_at_table(match: Match) -> list[User]:
    """Those whose clocks run in the game in play. match: from `with_games`."""
    table = table_in_play(match)
    return [seat.user for seat in table.seat_rows if seat.has_person and seat.user] if table else []


def waits_for_players(match: Match) -> bool:
    """Whether players may still come to its table, so that no clock runs yet. match: from `with_games`."""
    table = table_in_play(match)
    return table is not None and table.appear_by is not None


def settle_matches(event: Event, matches: Iterable[Match]) -> bool:
    """Records the games of matches in play, and decides each match or starts its next game.

    matches: from `with_games`. Returns whether anything changed; a game in play is left alone.
    """
    ended = [match for match in matches if _is_between_games(match)]
    is_new = _note(event, ended)
    verdicts = [verdict for match in ended if (verdict := _verdict(match))]
    decide_matches(event, verdicts)
    open_matches = [match for match in ended if not match.is_over and not waits_for_its_round(match)]
    to_go_on = [] if event.is_paused else [match for match in open_matches if not match.is_set_aside]
    for match in to_go_on:
        open_game_or_set_aside(match)
    return is_new or bool(verdicts or to_go_on)


def _is_between_games(match: Match) -> bool:
    rows = list(match.games.all())
    return bool(rows) and rows[-1].table.is_over


def _played(match: Match) -> list[match_play.GameRecord]:
    return [game_record(row) for row in match.games.all() if row.table.result]


def _note(event: Event, matches: Iterable[Match]) -> bool:
    """Stores the score of matches. Returns whether it is new."""
    sign, moved = -1 if event.fewer_is_better else 1, []
    for match in matches:
        sides, played = match.sides.all(), _played(match)
        won, made = match_play.games_won(played, len(sides)), match_play.points_of_games(played, len(sides))
        for side, games_won, points in zip(sides, won, made, strict=True):
            if (side.games_won, side.points) != (games_won, sign * points):
                side.games_won, side.points = games_won, sign * points
                moved.append(side)
    update_rows(moved, ["games_won", "points"])
    return bool(moved)


def rule_of(match: Match) -> match_play.MatchRule:
    event = match.event
    return match_play.MatchRule(event.match_rule, event.match_games, match.needs_winner)


def _verdict(match: Match) -> MatchVerdict | None:
    """The result after the last game, None if there is none yet."""
    rows, played = list(match.games.all()), _played(match)
    return _without_somebody(match, rows, played) or _by_games(match, played)


def _by_games(match: Match, played: Sequence[match_play.GameRecord]) -> MatchVerdict | None:
    """The result that follows from the games; None if another is to be played, or if the whole round decides."""
    if match.event.is_compared:
        return None
    decision = rule_of(match).decide(played, seeds=[side.entry.known_seed for side in match.sides.all()])
    return MatchVerdict(match, decision.places, Match.DecidedBy.GAMES, decision.reason) if decision else None


def waits_for_its_round(match: Match) -> bool:
    """Its games are over, and the other tables with the same cards decide it. match: from `with_games`."""
    rows = match.games.all()
    all_over = len(rows) >= match.event.match_games and all(row.table.is_over for row in rows)
    return match.event.is_compared and not match.is_over and all_over


def _without_somebody(
    match: Match, rows: Sequence[MatchGame], played: Sequence[match_play.GameRecord]
) -> MatchVerdict | None:
    """The result if the last game ended without a side; None if that only lost the game."""
    last, absence = rows[-1], match.event.absence
    gone, ended_by = gone_sides(last), last.table.ended_by
    never_moved = {side for side in gone if not has_played(last, side)}
    if not gone or ended_by == Table.EndedBy.RESIGN:
        return _forfeited(match, gone, "resigned") if gone and match.event.is_compared else None
    if absence == Absence.SCORE and match.event.has_scores:
        never_moved = {side for side in never_moved if not any(has_played(row, side) for row in rows)}
        if not never_moved:
            return _on_score(match, played, gone)
    if ended_by == Table.EndedBy.LEFT:
        return _forfeited(match, gone, "left the tournament")
    if ended_by == Table.EndedBy.NO_SHOW:
        return _forfeited(match, gone, "didn't come to the table")
    if never_moved:
        return _forfeited(match, never_moved, "didn't move in time")
    loses_all = absence != Absence.FORFEIT or match.event.is_compared
    return _forfeited(match, gone, "ran out of time") if loses_all else None


def _forfeited(match: Match, gone: set[int], what: str) -> MatchVerdict:
    return _forfeit(match, gone, f"{_names(side for side in match.sides.all() if side.number in gone)} {what}")


def _forfeit(match: Match, gone: set[int], reason: str) -> MatchVerdict:
    places = [2 if side.number in gone else 1 for side in match.sides.all()]
    return MatchVerdict(match, places, Match.DecidedBy.FORFEIT, reason)


def _names(sides: Iterable[MatchSide]) -> str:
    return " and ".join(side.name for side in sides)


def _on_score(match: Match, played: Sequence[match_play.GameRecord], gone: set[int]) -> MatchVerdict:
    """The result where only the points of the last, unfinished game count.

    A level score is for the side that stayed.
    """
    event, sides = match.event, list(match.sides.all())
    rule = match_play.MatchRule(event.match_rule, event.match_games, needs_winner=False)
    decision = rule.on_score(played[:-1], running=played[-1].points, seeds=[side.entry.known_seed for side in sides])
    if decision.places.count(1) == 1:
        return MatchVerdict(match, decision.places, Match.DecidedBy.SCORE, decision.reason)
    places = [2 if side.number in gone else 1 for side in sides]
    return MatchVerdict(match, places, Match.DecidedBy.SCORE, f"{decision.reason}; tied, so the player who stayed wins")


def score_so_far(match: Match) -> MatchVerdict | None:
    """The result of an open match by its score now; None before a game has begun. match: from `with_games`."""
    rows, sides = list(match.games.all()), list(match.sides.all())
    if not rows or not match.event.has_scores:
        return None
    running = () if rows[-1].table.is_over else running_points(rows[-1])
    seeds = [side.entry.known_seed for side in sides]
    decision = rule_of(match).on_score(_played(match), running=running, seeds=seeds)
    return MatchVerdict(match, decision.places, Match.DecidedBy.SCORE, decision.reason)


def apply_absence_policy(match: Match) -> None:
    """Applies the event's policy to an open match one of whose entries has left. match: from `with_games`."""
    event, sides, rows = match.event, list(match.sides.all()), list(match.games.all())
    if match.is_between_teams:
        return  # its boards are decided, each by the policy
    gone = {side.number for side in sides if side.entry.is_absent}
    is_playing = match.status == Match.Status.PLAYING
    if is_playing and rows:
        for player in (player for side in sides if side.entry.is_absent for player in side.players):
            with suppress(games.TableError):  # the game is over, or a bot plays there already
                games.leave_event_game(table_id=rows[-1].table_id, user=player)
    if (len(sides) > 2 or (is_playing and event.absence == Absence.BOT)) and len(gone) < len(sides):
        return
    if is_playing and event.absence == Absence.SCORE:
        settle_matches(event, with_games(Match.objects.filter(pk=match.pk)))
        match.refresh_from_db(fields=["status"])
    if not match.is_over:
        decide_matches(event, [_forfeited(match, gone, "left the tournament")])


def possible_walkovers(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Those of these new matches, no boards, that are perhaps not to be played (`walkover`): a few of a large round."""
    sides = MatchSide.objects.filter(match=OuterRef("pk"))
    is_missing = Q(entry__status__in=Entry.ABSENT) | Q(entry__sits_out=True)
    return matches.filter(~Exists(sides.filter(number=1)) | Exists(sides.filter(is_missing)))


def walkover(match: Match) -> MatchVerdict | None:
    """The result of a match that is not to be played: a bye, a board without a player, a side that left or sits out."""
    sides = list(match.sides.all())
    if len(sides) == 1:
        by = match.decided_by or Match.DecidedBy.BYE
        return MatchVerdict(match, [1], by, Match.DecidedBy(by).label)
    left = [side for side in sides if side.entry.is_absent]
    away = [side for side in sides if side.entry.is_sitting_out]
    empty = [side for side in sides if not side.players and side not in (*left, *away)]
    gone = {side.number for side in (*left, *away, *empty)}
    if not gone or (len(sides) > 2 and len(gone) < len(sides)):
        return None
    whys = [_names(left) + " left the tournament"] * bool(left) + [_names(away) + " missed earlier matches"] * bool(
        away
    )
    whys += [f"{side.entry.name} has no player for this board" for side in empty]
    return _forfeit(match, gone, ", ".join(whys))


def decide_matches(event: Event, verdicts: Iterable[MatchVerdict]) -> None:
    """Stores results, logs them, and records attendance."""
    verdicts = list(verdicts)
    store_verdict(event, verdicts)
    logged = [verdict for verdict in verdicts if len(verdict.places) > 1]
    EventLog.objects.bulk_create(EventLog(event=event, what=verdict.log_text[:200]) for verdict in logged)
    webhooks.publish_results(event, [verdict.match for verdict in logged])
    no_shows.record_attendance(event, [verdict.match for verdict in verdicts])


def store_verdict(event: Event, verdicts: Sequence[MatchVerdict]) -> None:
    """Stores a result. A game that is still in play, perhaps by bots, stops, and a call for the director is closed."""
    now = timezone.now()
    for verdict in verdicts:
        match = verdict.match
        stop_tables(match)
        match.status, match.finished_at = Match.Status.FINISHED, now
        match.decided_by, match.reason = verdict.by, verdict.reason[:200]
        for side, place in zip(match.sides.all(), verdict.places, strict=True):
            side.place = place
        for side, (games_won, points) in zip(match.sides.all(), verdict.score or (), strict=False):
            side.games_won, side.points = games_won, points
    update_rows([verdict.match for verdict in verdicts], ["status", "decided_by", "reason", "finished_at"])
    sides = [side for verdict in verdicts for side in verdict.match.sides.all()]
    update_rows(sides, ["place", "games_won", "points"])
    notices.withdraw_match_calls(event, [verdict.match for verdict in verdicts])
    close_calls_with_result(event, [verdict.match for verdict in verdicts])
    if event.is_mirrored and event.dealing == Event.Dealing.OWN:
        reveal_tables([verdict.match for verdict in verdicts])


def stop_tables(match: Match) -> None:
    """Ends the game in play without a winner. match: from `with_games`."""
    for row in match.games.all():
        if not row.table.is_over:
            games.stop_table(table_id=row.table_id)


def reveal_tables(matches: Iterable[Match]) -> None:
    """Reveals the tables of finished matches."""
    games.reveal_tables(Table.objects.filter(match_game__match__in=list(matches)))
