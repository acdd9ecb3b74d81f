"""A player at a running table in a real browser: what the others do, and a move by hand. See `seat_of_ada`."""

import re
from random import Random

from games import bots, services
from games.core.contract import View
from games.models import Table
from games.presentation.board import build_board
from games.record import replay
from tests.fingers import choose_reading, drag_marked, drag_offer, offer_of, play_marked, play_offer


def seq(page):
    """The number of the newest event on the board."""
    return int(page.get_attribute("#board", "data-seq"))


def wait_for_seq(page, number):
    page.wait_for_function("n => +document.querySelector('#board').dataset.seq >= n", arg=number)


def cards_of(page):
    """The cards of the hand, in the order on the page."""
    return page.locator(".hand [data-card]").evaluate_all("all => all.map(card => card.dataset.card)")


def has_a_button(table: Table, view: View) -> bool:
    """False where only melds can be played on a workbench, which has tests of its own."""
    return not table.rules.workbench or bool(build_board(view, names=table.names).plain_offers)


def others_move(table: Table, rng: Random) -> Table:
    """Plays for the other seats, and where seat 0 has to arrange melds, until it can click or the game is over."""
    table.refresh_from_db()
    while table.status == Table.Status.RUNNING:
        state = replay.state_of(table)
        if 0 in state.to_act and has_a_button(table, state.view(0)):
            break
        seat = state.to_act[0]
        move = bots.bot(table.game, "first-steps").choose(state.view(seat), rng)
        table = services.play_move(table_id=table.pk, seat=seat, text=str(move), version=table.version)
    return table


def drag_this(page, view, text, drag):
    """Makes a move by dragging its cards, or by its button if it has no place to drop them on."""
    choice = offer_of(page, text)
    if not choice.count():
        cards = [card for card in view.selection.cards if card in re.findall(r"\w+", text)]
        if view.selection.to:
            return drag_marked(page, cards, view.selection.to, drag)
        seq = page.get_attribute("#board", "data-seq")
        play_marked(page, cards)
        choose_reading(page, seq, text)
    elif choice.get_attribute("data-to") or " " in choice.get_attribute("data-touches"):
        drag_offer(page, choice, drag)
    else:
        play_offer(page, choice)
