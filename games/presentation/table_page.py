"""Table page: HTML that depends on the table and a seat alone, so that all spectators get the same.

The HTML is cached for everyone who is shown the same version. What belongs to one browser, the CSRF token of its
forms, is a placeholder that is replaced last.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.utils import timezone

from games.core.contract import View, Zone
from games.live import RenderedBoard
from games.models import Seat, Table
from games.presentation import board as boards
from games.presentation.absence import absence_at
from games.presentation.board import Board, Refusal
from games.presentation.clock_faces import clock_faces
from games.presentation.game_story import biggest_swing
from games.presentation.hand_show import HandShow, closing_zones, hand_show
from games.presentation.questions import question_bar, question_buttons
from games.presentation.score_sheets import HandSheet
from games.presentation.table_wording import headline, result_reason, seat_remark, table_terms, unusual_options
from games.queries.advice import may_be_advised
from games.queries.ratings import rated_seats
from games.queries.rematches import rematch_of
from games.record import replay, table_store
from games.services import hand_ends, pauses, questions
from games.services.leaving import goes_on_without
from games.services.shuffling import shuffle_step
from infra.cache import LRUCache
from infra.rendering import rendered, url

KEPT = 1000  # some ten kilobytes each
TOKEN = secrets.token_hex(16)

_drawings: LRUCache[tuple[str, int, int | None], str] = LRUCache(KEPT)


def render_version(code: str, user_id: int | None, version: int, *, token: str) -> RenderedBoard | None:
    """Renders a reader's board at this version; see `live.RenderBoard`.

    None where more than the table decides what is shown: before and after a game, and for spectators of a table that
    not everyone may watch.
    """
    table = table_store.table_since(code, version)
    seat = table.seat_of(user_id)
    is_open = not (table.is_hidden or table.repeats_cards)
    if table.status != Table.Status.RUNNING or not (seat or is_open):
        return None
    return RenderedBoard(table.version, _drawn(table, seat).replace(TOKEN, token))


def _drawn(table: Table, seat: Seat | None) -> str:
    """The HTML of this version for this seat (None: spectators), from the cache if possible."""
    key = (table.code, table.version, seat.number if seat else None)
    html = _drawings.get(key)
    if html is None:
        html = draw(context(table, seat), token=TOKEN)
        _drawings.set(key, html)
    return html


def draw(context: dict[str, Any], *, token: str) -> str:
    """Renders the part of the table page that changes. token: the reader's CSRF token."""
    seen = context | {"csrf_token": token, "is_swap": True}
    board = "games/_board.jinja" if "board" in context else "games/_waiting.html"
    return "".join(rendered(name, seen) for name in (board, "games/_side.jinja", "games/_own_actions.jinja"))


def context(table: Table, assigned: Seat | None, refusal: Refusal | None = None) -> dict[str, Any]:
    """The view of this seat, or a spectator's."""
    seat = None if assigned is None or assigned.has_left else assigned
    now = timezone.now()
    context: dict[str, Any] = {
        "table": table,
        "game": table.rules,
        "own_seat": seat,
        "assigned_seat": assigned,
        **_players(table),
        "now": now,
        "refusal": refusal,
        "section": "play",
    }
    if table.started_at is None:
        return context | {"shuffle_step": shuffle_step(seat) if seat else ""}
    return context | _game_context(table, assigned, seat, now)


def _game_context(table: Table, assigned: Seat | None, seat: Seat | None, now: datetime) -> dict[str, Any]:
    """What a page has once the game has begun. assigned: the reader's seat, also if they have left it."""
    reader = seat.number if seat else None
    scene = _scene(table, seat)
    plays = seat is not None and table.status == Table.Status.RUNNING and not seat.gave_up_deal
    mover = seat if plays and not (table.is_frozen or scene.show) else None
    is_to_act = mover is not None and mover.number in scene.view.to_act
    is_arranging = is_to_act and table.rules.workbench
    board = _board(table, scene, now, may_ask=is_to_act and not is_arranging)
    kinds = questions.possible_kinds(table, seat, scene.view) if seat else []
    return (
        after_game(table, board.hands, reader)
        | _addresses(table, assigned, mover, is_to_act=is_to_act)
        | {
            "board": board,
            "facts": _facts(table, board),
            "has_side": True,
            "can_move": mover is not None,
            "asked": question_bar(table, seat, scene.hands),
            "question_buttons": tuple(question_buttons(table, seat, kinds)) if seat else (),
            "undo_url": url("games:undo", table.code) if "undo" in kinds else "",
            "goes_on_without_me": goes_on_without(table, is_resigned=True),
            "absence": absence_at(table, seat),
            "ending": (headline(table, reader), result_reason(table, reader)) if table.is_over else (),
            "frozen_reason": pauses.frozen_reason(table),
            "is_pause_ending": pauses.is_ending(table, now),
            "is_arranging": is_arranging,
            "may_ask": is_to_act,
        }
        | (_show_parts(table, seat, scene.show) if scene.show else {})
    )


class _Scene(NamedTuple):
    """What is on the table for a reader: the position, or the end of a hand.

    hands: how many are finished. show: the count of the hand that is shown. zones: drawn instead of the view's.
    """

    hands: int
    view: View
    show: HandShow | None = None
    zones: Sequence[Zone] | None = None


def _scene(table: Table, seat: Seat | None) -> _Scene:
    reader = seat.number if seat else None
    view = replay.position_of(table).view(reader)
    hands = len(view.results)
    hand = hand_ends.hand_to_show(table, seat, hands)
    if hand is not None:
        return _Scene(hands, *hand_show(table, seat, hand, hand_ends.people_behind(table, hands)))
    if table.is_over and hands == table.deals and view.to_act:  # the next deal is dealt, and not played
        last, _ = hand_show(table, seat, hands)
        return _Scene(hands, last)
    if table.is_over and hands and not view.to_act:  # the table stays as it lay at the end
        return _Scene(hands, view, zones=closing_zones(table, hands, reader))
    return _Scene(hands, view)


def _board(table: Table, scene: _Scene, now: datetime, *, may_ask: bool) -> Board:
    board = boards.build_board(
        scene.view,
        names=table.names,
        notes=notes(table),
        clocks=clock_faces(table, now),
        seq=table.version,
        zones=scene.zones,
        may_ask=may_ask,
        sides=table.sides,
    )
    if table.is_over:  # resigned or out of time, it was still a player's turn
        board = board.without_turn()
    if table.status == Table.Status.RUNNING and hand_ends.are_shown(table):
        board = board.without_last_hand()
    return board


def _facts(table: Table, board: Board) -> tuple[tuple[str, str], ...]:
    """The facts of the game, the terms of the table, and those house rules that no fact of the game tells."""
    told = {label for label, _ in board.facts}
    house_rules = [(label, text) for label, text in unusual_options(table) if label not in told]
    return (*_game_facts(table, board), *table_terms(table), *house_rules)


def _game_facts(table: Table, board: Board) -> list[tuple[str, str]]:
    """The facts of the game. How many deals there are is said by the terms of a table that ends before the last one."""
    count = table.rules.deal_word.capitalize() if table.deals else None
    return [(label, text.partition(" of ")[0] if label == count else text) for label, text in board.facts]


def _players(table: Table) -> dict[str, Any]:
    """The players for the side column: names by seat, and pairs of name and user name, "" without a page."""
    return {
        "names": tuple(table.names),
        "players": tuple(
            (seat.name, seat.user.username if seat.user and seat.user.has_page else "") for seat in table.seat_rows
        ),
    }


def _show_parts(table: Table, seat: Seat | None, show: HandShow) -> dict[str, Any]:
    """What a page has while it shows the end of a hand."""
    return {
        "show": show,
        "below_template": "games/_show.jinja",
        "seen_url": url("games:seen", table.code) if seat else "",
        "ending": (),
    }


def show_context(table: Table, assigned: Seat | None, hand: int) -> dict[str, Any]:
    """The end of a hand, to be looked at again. hand: its number, from 1. :raises LookupError: it is not over."""
    view, show = hand_show(table, assigned, hand)
    return {
        "table": table,
        "game": table.rules,
        "assigned_seat": assigned,
        **_players(table),
        "board": boards.build_board(view, names=table.names, notes=notes(table), seq=table.version, sides=table.sides),
        "below_template": "games/_show.jinja",
        "show": show._replace(has_company=False),
        "back_url": table.get_absolute_url(),
        "section": "play",
    }


def _addresses(table: Table, assigned: Seat | None, mover: Seat | None, *, is_to_act: bool) -> dict[str, str]:
    """URLs for moves and questions, "" where they are not possible, and the template shown in place of moves."""
    is_arranging = is_to_act and table.rules.workbench
    is_out = assigned is not None and (assigned.has_left or assigned.gave_up_deal)
    below = "games/_ended.jinja" if table.is_over else "games/_frozen.jinja" if table.is_frozen or is_out else ""
    moves = mover is not None and not below
    is_advised = mover is not None and may_be_advised(table, mover)
    return {
        "below_template": below,
        "play_url": url("games:move", table.code) if moves else "",
        "check_url": url("games:check", table.code) if moves and is_arranging else "",
        "why_url": url("games:why", table.code) if is_to_act and not is_arranging else "",
        "selection_url": url("games:selection", table.code) if moves and not is_arranging else "",
        "hint_url": url("games:hint", table.code) if is_advised else "",
        "coach_url": url("games:ask-coach", table.code) if is_advised else "",
        "ask_url": url("games:ask", table.code) if mover is not None and questions.undoes_alone(table) else "",
    }


def after_game(table: Table, hands: Sequence[HandSheet], reader: int | None = None) -> dict[str, Any]:
    """Context of a finished game: biggest swing, rating changes, rematch. reader: the player who is called "you"."""
    if not table.is_over:
        return {}
    return {
        "biggest_swing": biggest_swing(table, hands, reader),
        "rated_seats": rated_seats(table) if table.is_rated else (),
        "rematch": rematch_of(table),
    }


def notes(table: Table) -> list[boards.Remark]:
    """Notes below the names on the plates."""
    return [seat_remark(seat) for seat in table.seat_rows]
