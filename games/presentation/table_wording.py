"""Wording of tables and seats for pages, e-mails and notifications: headlines, terms, what a plate says of a player."""

from datetime import UTC, datetime

from django.utils import timezone
from django.utils.formats import date_format

from accounts.models import User
from games.bots import LEVELS
from games.core.words import players_in_words, render_text
from games.domain.clocks import duration
from games.models import Seat, Table
from games.presentation.board import Remark

# Results


def headline(table: Table, reader: int | None = None) -> str:
    """Headline of a finished game: "Ada wins, 21 to 14"; for the winner "You win, 21 to 14", "Your side wins"."""
    if not table.result:
        return "No one finished this game"
    scores = _final_scores(table)
    seats = tuple(seat.number for seat in table.winners)
    if not seats:
        return "No one wins"
    if len(seats) > 1 and reader in seats and seats in table.sides:
        return f"Your side wins{scores}"
    verb = "[win]" if len(seats) < table.seat_count else "[draw]"
    return render_text(f"{players_in_words(seats)} {verb}{scores}", table.names, reader)


def state_for(table: Table, reader: User) -> str:
    """How one of the reader's own games stands, in a list: "You win, 21 to 14", "waiting for players"."""
    seat = table.seat_of(reader.pk)
    if table.is_over:
        return headline(table, seat.number if seat else None)
    if table.status == Table.Status.OPEN:
        return "shuffling" if table.is_shuffling else "waiting for players"
    if seat is not None and seat.has_left:
        return f"you {'are away' if seat.may_return else 'left'}: a bot plays on"
    return "in progress"


def _final_scores(table: Table) -> str:
    """Score of two sides, the winner's first: ", 21 to 14"."""
    scores = [table.result["scores"][side[0]] for side in table.sides]
    is_counted = table.ended_by == Table.EndedBy.RULES and table.rules.counts_points(table.options)
    if len(scores) != 2 or not any(scores) or not is_counted:
        return ""
    first, second = reversed(scores) if table.result["places"][table.sides[0][0]] != 1 else scores
    return f", {first} to {second}"


def result_reason(table: Table, reader: int | None = None) -> str:
    """The reason of a result, "" before the end."""
    return render_text(table.result["reason"], table.names, reader) if table.result else ""


# Terms


def table_terms(table: Table) -> list[tuple[str, str]]:
    """Terms of this table beyond the rules of its game: label and text."""
    terms = []
    if table.clock:
        terms.append(("Clock", table.clock.words))
    if table.deals:
        terms.append(("Ends after", f"{table.rules.deal_word} {table.deals}"))
    if table.opens_deals:
        terms.append(("Spectators", f"see all cards of each {table.rules.deal_word} once it is over"))
    if table.absence:
        away = absence_in_words(table.absence, sides=len(table.sides), hold_seconds=table.hold_seconds)
        terms.append(("If a player is away", away))
    return terms


def absence_in_words(absence: str, *, sides: int, hold_seconds: int | None) -> str:
    """The absence policy of an event's table in words."""
    if sides > 2:
        end = "comes last at the table" if absence == Table.Absence.FORFEIT else "may take it again"
        return f"a club bot takes the seat; the player {end}"
    return {
        Table.Absence.FORFEIT: "a player who never comes, never moves or leaves the tournament forfeits the match; "
        "a player who runs out of time later loses the game",
        Table.Absence.BOT: "a club bot takes the seat until the player is back",
        Table.Absence.SCORE: "the current score decides the match, and on equal scores the player who stayed wins; "
        "a player who never comes forfeits the match",
        Table.Absence.HOLD: f"the game waits {duration(hold_seconds or 0)}, once for each player; "
        "a player who never comes, is not back by then, is late again or leaves the tournament forfeits the match",
    }[Table.Absence(absence)]


def clock_label(table: Table) -> str:
    return table.clock.words if table.clock else "no clock"


def unusual_options(table: Table) -> list[tuple[str, str]]:
    """Label and value of every option that is not at its default."""
    return [
        (option.label, option.label_of(table.options[option.name]))
        for option in table.rules.open_options
        if table.options.get(option.name, option.default) != option.default
    ]


# Seats


def seat_note(seat: Seat) -> str:
    """Remark for the other players about the player in this seat."""
    return seat_remark(seat).text


def seat_remark(seat: Seat) -> Remark:
    """The same with its brief form for a phone, which leaves out what is told elsewhere or changes nothing."""
    if seat.has_left:
        return Remark(f"{'away' if seat.is_gone else 'left'}: a club bot plays on", "bot plays on")
    if seat.is_waited_for:
        return Remark("away: the game waits", "away")
    if until := _vacation_end(seat):
        return Remark(f"on vacation until {date_format(until, 'j M, H:i')} UTC", "on vacation")
    if seat.gave_up_deal:
        return Remark(f"gave up this {seat.table.rules.deal_word}: a bot plays it out", "bot plays on")
    if seat.away_since and not seat.table.is_over:
        return Remark("not connected", is_passing=True)
    if seat.user and seat.user.is_api_bot:
        return Remark("bot")
    return Remark(f"{LEVELS[seat.level]} bot" if seat.user and seat.user.is_bot else "")


def _vacation_end(seat: Seat) -> datetime | None:
    """The end of a vacation during which the clock of this seat is stopped, None when there is none."""
    if not seat.table.clock_stops_on_vacation or seat.table.is_over:
        return None
    until = seat.table.timers[seat.number].rests_until
    return datetime.fromtimestamp(until, UTC) if until and until > timezone.now().timestamp() else None
