"""What takes a director's action back, from the line that it left in the log."""

from collections.abc import Callable

from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.utils import timezone

from cardsite.accounts.models import User
from tournaments.models import Event, EventLog
from tournaments.services import adjudicating, arranging, directing
from tournaments.services.common import EventError, locked

VERBS: dict[str, Callable[..., object]] = {
    act.__name__: act
    for act in (
        adjudicating.correct,
        arranging.allow,
        arranging.forbid,
        arranging.hold_rounds,
        arranging.let_rounds_go,
        arranging.loosen,
        arranging.swap,
        directing.check_in_entry,
        directing.check_out_entry,
        directing.close_entries,
        directing.drop_role,
        directing.name_role,
        directing.open_entries,
        directing.put_seeds_back,
        directing.seed_by,
        directing.shift,
        directing.substitute,
        directing.take_back_entry,
        directing.take_back_removal,
        directing.take_down,
    )
}

BEFORE_START = {"check_in_entry", "check_out_entry", "put_seeds_back", "seed_by", "take_back_entry"}


def can_be_undone(line: EventLog, event: Event) -> bool:
    """Whether it is worth trying; what has followed since may still be in the way."""
    if line.undo is None or line.undone_at:
        return False
    return event.is_before_start or line.undo["verb"] not in BEFORE_START


@transaction.atomic
def undo(*, line_id: int, by: User) -> EventLog:
    """Does what takes an action back; that is logged in its turn. :raises EventError: something has followed."""
    locked(EventLog.objects.values_list("event_id", flat=True).get(pk=line_id))
    line = EventLog.objects.get(pk=line_id)
    if line.undo is None or line.undone_at:
        raise EventError("This has been taken back." if line.undone_at else "This cannot be taken back.")
    arguments = {name: value for name, value in line.undo.items() if name != "verb"}
    try:
        VERBS[line.undo["verb"]](**arguments, by=by, why=f"Takes back: {line.what}")
    except ObjectDoesNotExist as error:
        raise EventError("What this was about is not there any more.") from error
    line.undone_at = timezone.now()
    line.save(update_fields=["undone_at"])
    return line
