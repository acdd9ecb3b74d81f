"""Models of tournaments."""

from tournaments.models.bye import RequestedBye
from tournaments.models.calendar import CalendarEntry, CalendarToken
from tournaments.models.directing import (
    Announcement,
    Badge,
    DryRun,
    EventLog,
    EventMessage,
    EventRole,
    ForbiddenPair,
    Invitation,
)
from tournaments.models.director_calls import LONGEST_CALL_REASON, LONGEST_CALL_REPLY, DirectorCall
from tournaments.models.divisions import Division, DivisionLeague
from tournaments.models.event import LONGEST_TEAM_NAME, Entry, Event, TeamMember, new_lots
from tournaments.models.importing import EntryImport
from tournaments.models.ladders import Ladder, LadderChallenge, LadderMove, LadderPlayer
from tournaments.models.league import BotLeague, LeagueChunk, LeagueGame, LeagueNight
from tournaments.models.match import Match, MatchGame, MatchSide, Round
from tournaments.models.season import Season
from tournaments.models.series import Series
from tournaments.models.settings import EventSettings, check_start, format_choices, game_choices, seats_for_two_sides
from tournaments.models.timetable import RoundTime
