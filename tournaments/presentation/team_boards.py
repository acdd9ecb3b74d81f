"""Boards of team matches, players' scores and the page of a team."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from accounts.models import User
from tournaments.formats import contract
from tournaments.formats.numbers import written
from tournaments.models import Entry, Event, Match, MatchSide, TeamMember
from tournaments.presentation.match_box import BoardLine, BoardSide, TableLink, result_sign
from tournaments.queries import records
from tournaments.services import teams

NO_PLAYER = "no player"
LISTED_ON_A_BOARD = 5


def board_lines(event: Event, tables: Mapping[int, Sequence[TableLink]]) -> dict[int, tuple[BoardLine, ...]]:
    """By team match, its boards in their order; {} where everyone plays alone. tables: by match."""
    found: dict[int, list[BoardLine]] = defaultdict(list)
    if event.has_teams:
        for board in _boards(event):
            assert board.parent_id is not None and board.board is not None, "only boards are read"
            own = tables.get(board.pk, ())
            found[board.parent_id].append(BoardLine(board.board, board, _sides(board), own[-1] if own else None))
    return {parent: tuple(lines) for parent, lines in found.items()}


def _boards(event: Event) -> Iterable[Match]:
    boards = event.matches.filter(board__gt=0).select_related("round").order_by("round__number", "slot", "board")
    return boards.prefetch_related("sides__player", "sides__entry")


def _sides(board: Match) -> tuple[BoardSide, ...]:
    sides = sorted(board.sides.all(), key=lambda side: side.number)
    places = None if any(side.place is None for side in sides) else tuple(side.place or 0 for side in sides)
    how = records.HOW_DECIDED.get(board.decided_by, "played")
    return tuple(
        BoardSide(
            str(side.player) if side.player else NO_PLAYER,
            result_sign(places, how, side.number, _share(places, side.number)),
            places is not None and places[side.number] == 1 and places.count(1) == 1,
        )
        for side in sides
    )


def _share(places: Sequence[int] | None, side: int) -> Fraction:
    if places is None or places[side] != 1:
        return contract.NOTHING
    return contract.WIN if places.count(1) == 1 else contract.HALF


# Scores of players


@dataclass(frozen=True, slots=True)
class BoardResultOfPlayer:
    """What a player had in a round. opponent: in words. sign: see `result_sign`."""

    round: int
    board: int
    opponent: str
    sign: str


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """A player's results for the team. board: where they played most. points, games: without forfeits."""

    user: User
    entry_id: int
    team: str
    board: int
    points: Fraction
    games: int
    results: tuple[BoardResultOfPlayer, ...]

    @property
    def in_words(self) -> str:
        return f"{written(self.points)} of {self.games}"


def player_scores(event: Event) -> list[PlayerScore]:
    """Everyone who was at a board, in any order."""
    played: dict[tuple[int, int], list[tuple[Match, MatchSide, MatchSide]]] = defaultdict(list)
    for board in _boards(event):
        one, other = board.sides.all()
        for own, against in ((one, other), (other, one)):
            if own.player_id is not None:
                played[own.entry_id, own.player_id].append((board, own, against))
    return [_score(entry_id, of_player) for (entry_id, _), of_player in played.items()]


def _score(entry_id: int, played: Sequence[tuple[Match, MatchSide, MatchSide]]) -> PlayerScore:
    points, games, results = Fraction(), 0, []
    for board, own, against in played:
        places = (own.place or 0, against.place or 0) if own.place and against.place else None
        how = records.HOW_DECIDED.get(board.decided_by, "played")
        if places and how == "played":
            points, games = points + _share(places, 0), games + 1
        opponent = str(against.player) if against.player else NO_PLAYER
        sign = result_sign(places, how, 0, _share(places, 0))
        results.append(BoardResultOfPlayer(board.round.number, board.board or 0, opponent, sign))
    times = Counter(result.board for result in results)
    usual = min(times, key=lambda number: (-times[number], number))
    first = played[0][1]
    assert first.player is not None, "grouped by their player"
    return PlayerScore(first.player, entry_id, first.entry.name, usual, points, games, tuple(results))


@dataclass(frozen=True, slots=True)
class BestOnBoard:
    """scores: best first, by points, then fewer games."""

    board: int
    scores: tuple[PlayerScore, ...]


def best_by_board(event: Event) -> list[BestOnBoard]:
    """The best players on each board; [] before the first game is over, and where everyone plays alone."""
    if not event.has_teams:
        return []
    scores = [score for score in player_scores(event) if score.games]
    boards = sorted({score.board for score in scores})
    return [
        BestOnBoard(
            board,
            tuple(sorted((s for s in scores if s.board == board), key=lambda s: (-s.points, s.games, s.user.username)))[
                :LISTED_ON_A_BOARD
            ],
        )
        for board in boards
    ]


# The page of a team


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member of a team. plays: in the next match, as far as known now. score: None before the first board."""

    member: TeamMember
    is_captain: bool
    plays: bool
    score: PlayerScore | None

    @property
    def can_leave(self) -> bool:
        """Can be removed: players who have been at a board stay."""
        return not self.is_captain and self.score is None


@dataclass(frozen=True, slots=True)
class TeamPage:
    """A team with its members in the order of the boards, and those who are only invited.

    line_up_key: what `services.set_line_up` is to be given.
    """

    entry: Entry
    members: tuple[MemberRow, ...]
    invited: tuple[TeamMember, ...]
    free: int
    has_line_up: bool
    line_up_key: int

    @property
    def can_lose_players(self) -> bool:
        """Whether there is a player to remove, or an invitation to cancel."""
        return bool(self.invited or any(row.can_leave for row in self.members))


def team_page(event: Event, entry: Entry) -> TeamPage:
    """entry: of a team."""
    scores = {score.user.pk: score for score in player_scores(event) if score.entry_id == entry.pk}
    team, playing = entry.team, teams.next_line_up(event, entry)
    members = tuple(
        MemberRow(member, member.user_id == entry.user_id, member in playing, scores.get(member.user_id))
        for member in team
    )
    invited = tuple(member for member in entry.members.all() if not member.has_accepted)
    goes_on = entry.is_in and entry.place is None and not event.finished_at
    return TeamPage(
        entry,
        members,
        invited,
        max(teams.most_members(event) - len(team) - len(invited), 0),
        goes_on and len(team) > (event.team_boards or 0),
        teams.line_up_key(event, entry),
    )
