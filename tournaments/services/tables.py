"""Tables of matches: who sits where, which cards are dealt, and what the result means for the sides."""

import hmac
from collections.abc import Sequence

from accounts.models import User
from games import services as games
from games.models import Seat, Table
from games.models.choices import Absence
from games.record import replay
from tournaments.formats import lots, match_play
from tournaments.models import Event, Match, MatchGame, MatchSide


def open_game(match: Match, sides: Sequence[MatchSide], rows: Sequence[MatchGame]) -> None:
    """Opens the table of the game after those in `rows`. Absent players have a bot in their seat."""
    event, number = match.event, len(rows) + 1
    turn, deal = _turn_and_deal(match, number)
    order = match_play.sides_in_seat_order(turn + 1, len(sides), first=_first_side(match, len(sides)))
    players = _in_seats(event, sides, order)
    table = games.seat_and_start(
        game=event.game,
        players=players,
        options=event.options,
        absent=_absent(event, sides, rows[-1:]),
        first_dealer=len(players) - 1,
        secret=_secret(match, deal) if event.shares_deals else None,
        shares_deals=event.shares_deals,
        is_hidden=event.shares_deals,
        deals=event.deals,
        appear_seconds=event.appear_seconds,
        **event.clock.fields,
        allows_vacation=event.allows_vacation,
        chat=event.chat,
        absence=event.absence,
        hold_seconds=event.hold_minutes * 60,
        is_rated=not any(player.is_api_bot for player in players),
        event_name=event.name,
        event_path=event.get_absolute_url(),
        event_round=match.round.number,
        is_compared=event.is_compared,
    )
    MatchGame.objects.create(
        match=match, number=number, table=table, first_side=order[0], deal=deal if event.shares_deals else None
    )


def _turn_and_deal(match: Match, number: int) -> tuple[int, int]:
    """How many seats each side has moved on since game 1, and which of the numbered deals is played.

    Mirrored, the second half of the games repeats the deals of the first, with the next side in each seat, in an order
    that nobody can know before. Games beyond those planned are mirrored one by one.
    """
    if not match.event.is_mirrored:
        return number - 1, number
    half = match.event.match_games // 2
    if number <= half:
        return number - 1, number
    if number <= 2 * half:
        deal = lots.order_by_lot(_round_secret(match).hex(), range(1, half + 1))[number - half - 1]
        return deal, deal
    pair, is_second = divmod(number - 2 * half - 1, 2)
    return half + pair + is_second, half + pair + 1


def _round_secret(match: Match) -> bytes:
    assert match.round.secret is not None, "a round has a secret where its tables share deals"
    return bytes(match.round.secret)


def _secret(match: Match, deal: int) -> bytes:
    """32 bytes that follow from the round's secret and reveal nothing about it."""
    board = f"board {match.board}, " if match.board else ""
    scope = "" if match.event.dealing == Event.Dealing.SAME else f"match {match.slot}, {board}"
    return hmac.digest(_round_secret(match), f"{scope}deal {deal}".encode(), "sha256")


def _first_side(match: Match, sides: int) -> int:
    """The side in seat 0 of game 1, drawn from the event's lots unless the pairing fixes it.

    On the next board it is the next side.
    """
    first = 0
    if not match.event.plan.seats_in_order:
        first = lots.number_by_lot(match.event.lots, f"{match.round} {match.slot}", sides)
    return (first + match.board - 1) % sides if match.board else first


def _in_seats(event: Event, sides: Sequence[MatchSide], order: Sequence[int]) -> list[User]:
    """The players in seat order. Partners take the seats of their side. order: the sides as they sit."""
    seats = event.seats_for(len(sides))
    groups = event.rules.sides(event.rules.read_options(event.options, seats), seats)
    player_at = {
        seat: player
        for side, group in zip(order, groups, strict=True)
        for seat, player in zip(group, sides[side].players, strict=True)
    }
    return [player_at[seat] for seat in range(seats)]


def _absent(event: Event, sides: Sequence[MatchSide], last: Sequence[MatchGame]) -> list[User]:
    """Players who have left the event, or the last game of the match where a bot keeps their seat."""
    gone = [player for side in sides if side.entry.is_absent for player in side.players]
    away = [
        seat.user
        for row in last
        if row.table.allows_return
        for seat in row.table.seat_rows
        if seat.has_left and seat.user
    ]
    return [*gone, *away]


def game_record(row: MatchGame) -> match_play.GameRecord:
    """The result of a table by side, more points being better.

    Where leaving is a forfeit, a side that left a table of more than two is last.
    """
    table, seat_of = row.table, {side: seat for seat, side in reversed(row.side_of_seat.items())}
    merits = table.rules.merits(table.options, table.result["scores"])
    left = {seat.number for seat in table.seat_rows if seat.has_left and table.absence == Absence.FORFEIT}
    seats = [seat_of[side] for side in sorted(seat_of)]
    standing = [(seat not in left, -table.result["places"][seat]) for seat in seats]
    return match_play.GameRecord(match_play.places_of(standing), tuple(merits[seat] for seat in seats))


def running_points(row: MatchGame) -> tuple[int, ...]:
    """Points by side of a game in play, more being better."""
    table, seat_of = row.table, {side: seat for seat, side in reversed(row.side_of_seat.items())}
    merits = table.rules.merits(table.options, replay.state_of(table).view(None).scores)
    return tuple(merits[seat_of[side]] for side in sorted(seat_of))


def gone_sides(row: MatchGame) -> set[int]:
    """The sides that the game ended without: they resigned, ran out of time, or left the event."""
    return {row.side_of_seat[seat] for seat in row.table.result.get("gone", ())}


def has_played(row: MatchGame, side: int) -> bool:
    """Whether a player of this side has made a move, and not the clock or a stand-in."""
    seats = [seat.number for seat in _seats_of(row, side)]
    return row.table.moves.by_players().filter(seat__in=seats).exists()


def was_there(row: MatchGame, side: int, *, must_move: bool) -> bool:
    """Whether all people of this side have been at the table. must_move: only a move counts."""
    people = [seat for seat in _seats_of(row, side) if seat.user and seat.user.is_person]
    moved = row.table.moves.by_players()
    have_come = all(seat.has_come or (not seat.has_left and moved.filter(seat=seat.number).exists()) for seat in people)
    return have_come and (not must_move or has_played(row, side))


def went_on_without(row: MatchGame, side: int, *, must_move: bool) -> bool:
    """Whether the table went on, or ended, without a player of this side who never came. must_move: as above."""
    if row.table.ended_by == Table.EndedBy.NO_SHOW:
        return side in gone_sides(row)
    if must_move and row.table.ended_by == Table.EndedBy.FLAG:
        return side in gone_sides(row) and not has_played(row, side)
    return any(seat.has_left and not seat.has_come for seat in _seats_of(row, side))


def _seats_of(row: MatchGame, side: int) -> list[Seat]:
    of_seat = row.side_of_seat
    return [seat for seat in row.table.seat_rows if of_seat[seat.number] == side]
