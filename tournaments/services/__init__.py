"""Services of events: everything that changes an event. The clock, the pages and the admin all call these.

Each service locks the row of its event first and reads it then, so an event takes one step at a time, and the second
of two callers finds the step taken. Tables are locked after their event, never before it. Each step is one
transaction, or a few short ones, so a crash leaves the state before it, and the tick finds the event again.

Modules use those before them: notices, calendar, common, conditions, waiting_list, schedule, series, partners, teams,
seeding, no_shows, setting_aside, matches, team_matches, byes, timetable, rounds, undo_records, entries, entry_notes,
messages, director_calls, importing, clock, pausing, directing, arranging, adjudicating, undoing, qualifying,
reminders.
"""

from tournaments.domain.errors import EventError
from tournaments.queries.conditions import WrongPassword
from tournaments.services.adjudicating import adjudicate, adjudicate_by_score, annul_match, consequences, correct_result
from tournaments.services.arranging import (
    allow_pair,
    arrange_match,
    bent_by_arranging,
    bent_by_swap,
    forbid_pair,
    hold_rounds,
    let_rounds_go,
    swap_entries,
)
from tournaments.services.byes import (
    cancel_bye,
    leave_after_round,
    open_rounds,
    play_round,
    request_bye,
    sit_out_round,
)
from tournaments.services.clock import (
    advance_running_event,
    claim_due_events,
    open_check_in,
    open_registration,
    record_result,
    retry_match,
    run_due_steps,
    start_event,
    start_match,
    start_now,
)
from tournaments.services.common import CALENDAR_CHANNEL, CLAIM_TIMEOUT
from tournaments.services.directing import (
    add_time,
    add_time_to_appear,
    check_in_entry,
    check_in_everyone,
    check_out_entry,
    close_entries,
    drop_role,
    name_role,
    next_shiftable_time,
    open_entries,
    post_announcement,
    reinstate_entry,
    remove_announcement,
    seed_by,
    set_seeds,
    shift_time,
    substitute,
)
from tournaments.services.director_calls import answer_call, call_director, take_back_call
from tournaments.services.entries import (
    add_entries,
    add_entry,
    admit_people,
    check_in_player,
    enter_event,
    joining_round,
    remove_entry,
    return_to_play,
    return_to_team,
    withdraw_entry,
    withdraw_for,
)
from tournaments.services.entry_notes import note_entry, note_payment
from tournaments.services.matches import players_at_table, score_so_far, waits_for_players, with_games
from tournaments.services.messages import message_entry, message_everyone, message_round
from tournaments.services.partners import accept_invitation, decline_invitation, invite_partner, join_partner
from tournaments.services.pausing import pause_event, resume_event
from tournaments.services.planning import ask_for_dry_run, is_measured, make_dry_run
from tournaments.services.qualifying import best_entries, plan_event_of_best
from tournaments.services.reminders import want_reminder
from tournaments.services.rounds import pair_again, publish_round
from tournaments.services.schedule import (
    EditConflict,
    UnconfirmedEdit,
    cancel_event,
    edit_confirmation,
    save_event,
)
from tournaments.services.series import (
    delete_series,
    move_following,
    plan_series,
    repeat_event,
    save_series,
    take_settings_of,
)
from tournaments.services.setting_aside import RETRY_AFTER
from tournaments.services.teams import (
    accept_team,
    decline_team,
    invite_member,
    join_team,
    leave_team,
    order_members,
    remove_member,
    set_line_up,
)
from tournaments.services.timetable import rounds_to_plan, set_round_times
from tournaments.services.undoing import undo_action
