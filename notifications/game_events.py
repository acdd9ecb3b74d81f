"""Notices about games: turns, low time, start, end and questions; not for players who have the table open.

Each task runs some seconds after the fact, because a player who has just moved and closed the page counts as there for
that long. All may run twice, or be lost.
"""

from collections.abc import Collection, Iterable

from celery import shared_task
from django.utils import timezone
from django.utils.text import get_text_list

from games.domain.clocks import DAY, HOUR, MINUTE, duration
from games.domain.wording import event_sentence
from games.live import presence
from games.models import Seat, Table
from games.presentation.table_wording import headline
from games.services import people_to_move, questions
from notifications.models import MailAddress, Notice
from notifications.services import notify

Turns = MailAddress.Turns


@shared_task
def notify_turn(table_id: int, user_ids: Collection[int]) -> None:
    """Notifies these users if it's still their turn, and withdraws notices of turns that are over."""
    table = Table.objects.with_seats().get(pk=table_id)
    waiting_on = people_to_move(table)
    withdraw_table_notices(table, "turn", but=waiting_on)
    unread = _users_notified(table, "turn")
    for seat in _away_from_page(table, waiting_on):
        if seat.user_id in user_ids and seat.user_id not in unread:
            _tell(table, seat, f"turn:{table.move_count}", f"Your turn in {game_with(table, seat)}.", (Turns.EACH,))


@shared_task
def notify_short_time(table_id: int, user_id: int) -> None:
    """Notifies a player that a correspondence turn is running out, in place of the notice of the turn."""
    table = Table.objects.with_seats().get(pk=table_id)
    for seat in _away_from_page(table, people_to_move(table)):
        deadline = table.timers[seat.number].deadline
        if seat.user_id == user_id and deadline is not None:
            withdraw_table_notices(table, "turn", of=[seat])
            left = rounded_time_left(deadline - timezone.now().timestamp())
            text = f"{left} left for your move in {game_with(table, seat)}."
            _tell(table, seat, f"turn:short:{deadline:.0f}", text, (Turns.EACH, Turns.DAILY))


@shared_task
def notify_start(table_id: int) -> None:
    """Notifies players who took a seat and left, unless they were called to the table already or soon are."""
    table = Table.objects.with_seats().get(pk=table_id)
    called = {seat.user_id for seat in people_to_move(table)} if table.is_turn_based else set()
    called |= _users_notified(table)
    for seat in _away_from_page(table, table.seat_rows):
        if seat.user_id not in called and not table.is_over:
            _tell(table, seat, "found", f"Your game has started: {game_with(table, seat)}.")


@shared_task
def notify_end(table_id: int) -> None:
    """Notifies players of the end of a correspondence game. Live games end before the eyes of their players."""
    table = Table.objects.with_seats().get(pk=table_id)
    if table.is_turn_based and table.has_company:
        for seat in _away_from_page(table, table.seat_rows):
            _tell(
                table, seat, "over", f"Your game of {game_with(table, seat)} is over. {headline(table)}.", (Turns.EACH,)
            )


@shared_task
def notify_question(table_id: int) -> None:
    """Notifies the players who are asked something; afterwards the one who asked, if it was refused."""
    table = Table.objects.with_seats().get(pk=table_id)
    question = questions.last_question(table)
    if question is None or table.is_over:
        return
    waited = questions.people_yet_to_answer(table, question) if not question.answer else []
    withdraw_table_notices(table, "asked", but=waited)
    refused = [seat for seat in table.seat_rows if question.answer == "no" and seat.number == question.seat]
    event = question.event(table)
    if event is None:
        return
    for seat in _away_from_page(table, [*waited, *refused]):
        text = f"{table.rules.name}: {event_sentence(event, table.names, seat.number)}"
        _tell(table, seat, f"asked:{question.key}:{question.answer}", text, (Turns.EACH,))


def withdraw_table_notices(
    table: Table, about: str = "", *, of: Iterable[Seat] | None = None, but: Iterable[Seat] = ()
) -> None:
    """Withdraws unread notices about the table from these seats. about: which ones, "" for all."""
    people = {seat.user_id for seat in (table.seat_rows if of is None else of)} - {seat.user_id for seat in but}
    Notice.objects.filter(user__in=people, key__startswith=f"table:{table.pk}:{about}").mark_read()


def _tell(table: Table, seat: Seat, about: str, text: str, email_turns: Collection[str] = Turns.values) -> None:
    assert seat.user is not None, "somebody sits there"
    key = f"table:{table.pk}:{about}"
    notify(seat.user, key=key, text=text, url=table.get_absolute_url(), email_turns=email_turns)


def _away_from_page(table: Table, seats: Iterable[Seat]) -> list[Seat]:
    """The persons in these seats who don't have the page of the table open."""
    people = [seat for seat in seats if seat.has_person]
    here = presence.online_users(table.pk, [seat.user_id for seat in people if seat.user_id is not None])
    return [seat for seat in people if seat.user_id not in here]


def _users_notified(table: Table, about: str = "") -> set[int]:
    """User ids with an unread notice about the table. about: which ones, "" for all that link there."""
    unread = Notice.objects.unread().filter(user__in=[seat.user_id for seat in table.seat_rows])
    if about:
        unread = unread.filter(key__startswith=f"table:{table.pk}:{about}")
    return set(unread.filter(url=table.get_absolute_url()).values_list("user_id", flat=True))


def game_with(table: Table, seat: Seat) -> str:
    """ "Casino with bob and carol"."""
    others = [other.name for other in table.seat_rows if other.number != seat.number]
    return f"{table.rules.name} with {get_text_list(others, 'and')}"


def rounded_time_left(seconds: float) -> str:
    """A time left: "3 hours". Whole days from two on, whole hours, or whole minutes."""
    unit = next((unit for unit in (2 * DAY, HOUR) if seconds >= unit), MINUTE)
    unit = min(unit, DAY)
    return duration(max(int(seconds // unit), 1) * unit)
