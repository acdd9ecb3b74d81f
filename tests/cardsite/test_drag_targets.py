"""Drag targets over whole games: each move that is made with cards can be made by dragging."""

from collections.abc import Iterator
from random import Random

import pytest

from games.core.contract import Game, State
from games.core.deals import numbered_decks
from games.engines import GAMES
from games.presentation.board import Board, build_board
from games.presentation.panels import Panel

MOST_MOVES = 250  # of a game; some last much longer
DROPS = """async ([path, boards]) => {
    const { resolve, sources, targets } = await import(path);
    const failures = [];
    for (const { moves, places } of boards) {
        for (const move of moves) {
            const [held, ...others] = move.touches;
            const places_of_held = targets(moves, [held]);
            const goal = move.to || others.at(-1);
            const meant = resolve(moves, [held], goal);
            const isMade = sources(moves).has(held) && places_of_held.has(goal) && meant.includes(move);
            const isShown = [held, ...places_of_held].every((id) => places.includes(id));
            const isSure = meant.every(({ touches, to }) => touches.includes(held) && [to, ...touches].includes(goal));
            if (!(isMade && isShown && isSure)) failures.push(move);
        }
        for (const held of sources(moves)) {
            const goals = [...targets(moves, [held])];
            failures.push(...goals.filter((goal) => !resolve(moves, [held], goal).length));
        }
    }
    return failures;
}"""


def positions(game: Game, seats: int) -> Iterator[State]:
    """The positions of a random game, a whole one unless it is very long."""
    options, rng = game.read_options(None, seats), Random(5)
    state = game.start(numbered_decks(game.deck(options), 5), seats=seats, options=options)
    for _ in range(MOST_MOVES):
        if not state.to_act:
            return
        yield state
        seat = rng.choice(state.to_act)
        state.play(seat, rng.choice(state.legal_moves(seat)))


def panels(board: Board) -> Iterator[Panel]:
    plates = [*board.others, *([board.own] if board.own else [])]
    yield from (panel for plate in plates for panel in plate.panels)
    yield from (*board.middle, *([board.hand] if board.hand else []))


def dragging(board: Board) -> dict[str, object]:
    """What the script reads from a board: its moves with cards, and what can be held or dropped on.

    A move in one place, such as to turn the stock over, is made by a tap. No card of a hand has such a move
    (`test_contract.py`).
    """
    moves = [
        {"text": offer.text, "touches": offer.touches, "to": offer.to}
        for group in board.groups
        for offer in group.offers
        if offer.to or len(offer.touches) > 1
    ]
    picks = {pick for panel in panels(board) for pick in (panel.pick, *(spot.pick for spot in panel.spots)) if pick}
    return {"moves": moves, "places": sorted(picks | {panel.id for panel in panels(board)})}


@pytest.mark.parametrize("game", [game for game in GAMES if not game.workbench], ids=lambda game: game.slug)
def test_each_move_with_cards_can_be_dragged(game, page, live_url):
    seats = min(game.seats)
    boards = [
        dragging(build_board(state.view(seat), names=[f"Player {seat}" for seat in range(seats)]))
        for state in positions(game, seats)
        for seat in state.to_act
    ]
    assert any(board["moves"] for board in boards)
    page.goto(f"{live_url}/style/casino/")
    assert page.evaluate(DROPS, ["/static/cardsite/js/table/drag_targets.js", boards]) == []
