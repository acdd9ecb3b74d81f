"""Models of games: columns, constraints and querysets."""

from games.models.bot import HouseBot
from games.models.challenge import Challenge
from games.models.coach import CoachQuestion, CoachReview, CoachSetting
from games.models.deal_counts import CountedTable, DeckCounts
from games.models.move import Move
from games.models.note import LONGEST_NOTE, MoveNote
from games.models.rating import Rating, RatingChange
from games.models.reliability import Reliability
from games.models.seat import Seat
from games.models.seek import Seek
from games.models.table import Table, new_code
from games.models.vacation import Vacation
