"""Services: everything that can be done at a table. Pages, bots and tournaments all call these functions.

Each service locks the table, checks, changes, and announces on commit. Refusals are `GameError`s whose message is for
the person who asked.
"""

from games.services.agreements import answer_question, ask_question, end_pause, why_move_stays, withdraw_question
from games.services.appearing import note_arrivals, tables_with_arrivals
from games.services.bot_moves import claim_lost_bot_moves, play_bot
from games.services.challenges import (
    accept_challenge,
    decline_challenge,
    expire_challenge,
    prune_challenges,
    send_challenge,
)
from games.services.clocks import flag_overdue, tell_short_of_time
from games.services.coach_questions import answer_coach_question, ask_coach, newest_question
from games.services.coaching import (
    can_look_further,
    claim_lost_reviews,
    hand_over_reviews,
    look_further,
    percent_of_review,
    request_review,
    review_bot_game,
    review_rated_games,
    review_slice,
    reviews_bot_games,
    seats_to_review,
    set_reviews_bot_games,
    why_no_review,
)
from games.services.common import BOT_PATIENCE, StalePosition, TableError
from games.services.deal_counts import count_decks, uncounted_tables
from games.services.directing import (
    add_time,
    add_time_to_appear,
    end_games_by_other_rules,
    hand_over,
    reveal_tables,
    stop_table,
)
from games.services.leaving import come_back, leave_event_game, resign
from games.services.moves import play_move
from games.services.notes import write_note
from games.services.opening import (
    change_seat,
    join_rematch,
    leave_table,
    open_and_sit,
    open_table,
    record_table,
    seat_and_start,
    seat_bot,
    sit_down,
)
from games.services.pauses import pause_table, resume_table
from games.services.presence import claim_game, settle_presence, tables_with_presence_changes
from games.services.seeing import see_hand
from games.services.seeking import (
    cancel_seek,
    claim_seeks_for_bots,
    complete_attended_table,
    complete_table,
    count_seekers,
    count_waiting,
    delete_forgotten_seeks,
    fill_with_bots,
    find_game,
    join_seek,
    keep_seeking,
    open_to_all,
    seeks_for,
    start_seek,
    suspend_seek,
    waiting_pairs,
)
from games.services.shared_deals import branch_off, offer_deal, play_same_deal, show_deal
from games.services.shuffling import add_to_shuffle, end_overdue_shuffle
from games.services.turns import people_to_move
from games.services.vacations import begin_vacation, days_left, end_vacation, take_vacation
