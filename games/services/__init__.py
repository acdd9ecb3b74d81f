"""Services: everything that can be done at a table. Pages, bots and tournaments all call these functions.

Each service locks the table, checks, changes, and announces on commit. Refusals are `GameError`s whose message is for
the person who asked.
"""

from games.services.agreements import answer, ask, end_pause, why_move_stays, withdraw
from games.services.appearing import arrivals, note_arrivals
from games.services.challenges import (
    accept_challenge,
    challenge,
    decline_challenge,
    expire_challenges,
    prune_challenges,
)
from games.services.clocks import flag_overdue, tell_short_of_time
from games.services.common import BOT_PATIENCE, StalePosition, TableError
from games.services.deal_counts import count_decks, uncounted
from games.services.directing import end_games_by_other_rules, hand_over, reveal, stop_table
from games.services.leaving import come_back, resign, walk_out
from games.services.moves import claim_lost_bot_moves, play_bot, play_move
from games.services.notes import write_note
from games.services.opening import (
    change_seat,
    leave,
    open_and_sit,
    open_table,
    record_table,
    rematch,
    seat_and_start,
    seat_bot,
    sit_down,
)
from games.services.pauses import pause_table, resume_table
from games.services.presence import claim_game, settle_presence, unsettled
from games.services.seeking import (
    claim_lonely,
    complete_attended_table,
    complete_table,
    fill_with_bots,
    find_game,
    forget_seeks,
    join_seek,
    keep_seeking,
    open_to_all,
    seek,
    seeks_for,
    step_away,
    stop_seeking,
    waiting_pairs,
    waiting_with,
)
from games.services.shared_deals import branch_off, offer_deal, play_same_deal, show_deal
from games.services.shuffling import add_to_shuffle, end_overdue_shuffle
from games.services.turns import people_to_move
from games.services.vacations import begin_vacation, days_left, end_vacation, take_vacation
