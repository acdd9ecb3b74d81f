"""A table as plain data for the HTTP API: what its page shows, with the view of one seat (`games.core.plain_view`)."""

from datetime import UTC, datetime
from typing import Any

from games.core.plain_view import plain_view
from games.models import Seat, Table
from games.presentation.table_wording import headline, result_reason, seat_note
from games.queries.rematches import rematch_of
from games.record import replay
from games.services import hand_ends, pauses, questions


def plain_table(table: Table, assigned: Seat | None) -> dict[str, Any]:
    """The table with its view for this seat; for spectators (None), what everyone may see."""
    seat = None if assigned is None or assigned.has_left else assigned
    data = table_summary(table) | {"own_seat": assigned and assigned.number, "view": None, "hand_end": None}
    data |= {"question": None, "can_ask": [], "rematch": None}
    if table.started_at is None:
        return data
    view = replay.position_of(table).view(seat.number if seat else None)
    hands = len(view.results)
    data["view"] = plain_view(view, table.names)
    data["hand_end"] = hand_ends.hand_to_show(table, seat, hands) if seat else None
    question = questions.last_question(table)
    if question and question.is_open(table, hands):
        asked = [other.number for other in questions.people_yet_to_answer(table, question)]
        data["question"] = {"key": question.key, "kind": question.kind, "seat": question.seat, "asked": asked}
    if seat and table.status == Table.Status.RUNNING:
        data["can_ask"] = [*questions.possible_kinds(table, seat, view)]
    new = rematch_of(table) if table.is_over else None
    return data | {"rematch": new and new.code}


def table_summary(table: Table) -> dict[str, Any]:
    """What a list shows of a table: everything but the cards."""
    return {
        "code": table.code,
        "game": table.game,
        "url": table.get_absolute_url(),
        "status": table.status,
        "version": table.version,
        "options": dict(table.options),
        "seats": [plain_seat(table, seat) for seat in table.seat_rows],
        "clock": plain_clock(table),
        "is_rated": table.is_rated,
        "is_private": table.is_private,
        "chat": table.chat,
        "frozen": pauses.frozen_reason(table) if table.is_frozen else "",
        "event": {"name": table.event_name, "url": table.event_path, "round": table.event_round}
        if table.event_name
        else None,
        "created_at": table.created_at,
        "started_at": table.started_at,
        "finished_at": table.finished_at,
        "result": plain_result(table),
    }


def plain_seat(table: Table, seat: Seat) -> dict[str, Any]:
    user = seat.user
    kind = "" if user is None else "bot" if user.is_bot or user.is_api_bot else "guest" if user.is_guest else "person"
    timers, clock = table.timers, None
    if timers and not table.is_over:
        timer = timers[seat.number]
        clock = {
            "turn": timer.turn,
            "reserve": timer.reserve,
            "runs_since": timer.since and datetime.fromtimestamp(timer.since, UTC),
        }
    return {
        "seat": seat.number,
        "name": user.display_name if user else None,
        "kind": kind,
        "is_played_by_site": user is not None and seat.is_played_by_bot,
        "note": seat_note(seat),
        "clock": clock,
    }


def plain_clock(table: Table) -> dict[str, Any] | None:
    """The time control in seconds (`games.domain.clocks.Clock`), None without one."""
    clock = table.clock
    if clock is None:
        return None
    return {
        "base": clock.base,
        "increment": clock.increment,
        "move": clock.move,
        "words": clock.words,
        "deadline": table.deadline_at,
    }


def plain_result(table: Table) -> dict[str, Any] | None:
    if not table.result:
        return None
    return {
        "scores": table.result["scores"],
        "places": table.result["places"],
        "ended_by": table.ended_by,
        "headline": headline(table),
        "reason": result_reason(table),
    }
