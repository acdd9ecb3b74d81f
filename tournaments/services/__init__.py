"""What can be done with an event. The clock, the pages and the admin all come through here.

Whatever changes an event locks its row first and reads it then, so an event takes one step at a time while others go
on, and whoever comes second with a step finds it taken. Tables are locked after their event, never before it. Each step
is one transaction, so a crash leaves the state before it, and the tick finds the event again.

Modules use those before them: telling, calendar, common, conditions, waiting, schedule, series, partners, seeding,
no_shows, setting_aside, matches, rounds, undo_records, entries, clock, pausing, directing, arranging, adjudicating,
undoing.
"""

from tournaments.domain.errors import EventError
from tournaments.queries.conditions import WrongPassword
from tournaments.services.adjudicating import adjudicate, adjudicate_by_score, annul, consequences, correct
from tournaments.services.arranging import (
    allow,
    arrange,
    bent_by_arranging,
    bent_by_swap,
    forbid,
    hold_rounds,
    let_rounds_go,
    swap,
)
from tournaments.services.clock import (
    advance,
    claim_due_events,
    open_check_in,
    open_registration,
    start,
    start_match,
    take_result,
    take_step,
    try_again,
)
from tournaments.services.common import CALENDAR, LOOK_AGAIN
from tournaments.services.directing import (
    announce,
    check_in_entry,
    check_out_entry,
    close_entries,
    drop_role,
    name_role,
    next_moment,
    open_entries,
    reinstate,
    seed_by,
    set_seeds,
    shift,
    substitute,
    take_down,
)
from tournaments.services.entries import (
    add_entries,
    add_entry,
    admit_people,
    check_in,
    enter,
    remove_entry,
    say_back,
    withdraw,
)
from tournaments.services.matches import score_so_far, with_games
from tournaments.services.partners import accept, decline, invite, join
from tournaments.services.pausing import pause, resume
from tournaments.services.planning import ask_for_dry_run, is_measured, make_dry_run
from tournaments.services.rounds import pair_again, publish_round
from tournaments.services.schedule import (
    EditConflict,
    Unconfirmed,
    cancel,
    confirmation,
    save_event,
)
from tournaments.services.series import delete_series, plan_series, save_series
from tournaments.services.setting_aside import TRY_AGAIN
from tournaments.services.undoing import undo
