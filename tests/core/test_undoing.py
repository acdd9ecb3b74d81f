"""Moves that can be taken back, and what they must not have shown."""

import re
from random import Random

import pytest

from games.core.contract import Game
from games.core.deals import numbered_decks
from games.core.undoing import can_take_back
from games.engines import GAMES, get

CARD = re.compile(r"\b(?:[A2-9TJQK][CDHS]|X[BR])[12]?\b")
TABLES = [pytest.param(game, seats, id=f"{game.slug}-{seats}") for game in GAMES for seats in game.seats]
NEVER = {"tabletop-cribbage"}  # whoever lays a card draws the next one
MOVES = 60


def start(game: Game, seats: int, seed: int):
    options = game.read_options(None, seats)
    return game.start(numbered_decks(game.deck(options), seed), seats=seats, options=options)


def mentioned(state, viewer):
    """Every card that is named anywhere in a view: in zones, in the log, in moves."""
    return set(CARD.findall(repr(state.view(viewer)))) & set(state.cards())


def after(state, seat, move):
    played = state.copy()
    played.play(seat, move)
    return played


GIN = get("gin-rummy")


def verdict(state, move):
    return can_take_back(GIN, state, state.to_act[0], GIN.parse(move), Random(0))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_what_can_be_taken_back_has_told_nobody_more_than_the_movers_own_cards(game: Game, seats: int):
    rng, state, taken = Random(3), start(game, seats, 3), 0
    for _ in range(MOVES):
        if not state.to_act:
            break
        seat = rng.choice(state.to_act)
        move = rng.choice(state.legal_moves(seat))
        now = after(state, seat, move)
        if can_take_back(game, state, seat, move, rng):
            taken += 1
            own = mentioned(state, seat)
            assert mentioned(now, seat) <= own
            for viewer in (None, *range(seats)):
                assert mentioned(now, viewer) <= mentioned(state, viewer) | own
            worlds = [game.sample(state.view(seat), Random(seed)) for seed in range(2)]
            assert [after(world, seat, move).view(seat) for world in worlds] == [now.view(seat)] * 2
        state = now
    assert bool(taken) == (game.slug not in NEVER)


def test_a_card_drawn_from_the_stock_stays_drawn():
    state = start(GIN, 2, 1)
    while "D" not in {str(move) for move in state.legal_moves(state.to_act[0])}:
        state.play(state.to_act[0], GIN.parse("P"))
    assert not verdict(state, "D")


def test_a_discard_can_be_taken_back():
    state = start(GIN, 2, 1)
    while "D" not in {str(move) for move in state.legal_moves(state.to_act[0])}:
        state.play(state.to_act[0], GIN.parse("P"))
    state.play(state.to_act[0], GIN.parse("D"))
    assert verdict(state, str(state.legal_moves(state.to_act[0])[-1]))


def test_a_move_that_ends_a_deal_stays_played():
    game = get("sixty-six")
    rng, state = Random(1), start(game, 2, 1)
    while True:
        seat = state.to_act[0]
        move = rng.choice(state.legal_moves(seat))
        if len(after(state, seat, move).results) > len(state.results):
            break
        state.play(seat, move)
    assert not can_take_back(game, state, seat, move, rng)


def test_a_go_that_shows_who_else_can_play_stays_said():
    """No card is seen, but the mover now knows what another hand does not hold."""
    game = get("partnership-cribbage")
    rng, state, gos = Random(3), start(game, 4, 3), []
    while state.to_act:
        seat = rng.choice(state.to_act)
        move = rng.choice(state.legal_moves(seat))
        now = after(state, seat, move)
        if str(move) == "GO" and mentioned(now, seat) <= mentioned(state, seat):
            gos.append(can_take_back(game, state, seat, move, rng))
        state = now
    assert False in gos


ANSWERED = {  # where a bot may move without showing a card
    *("advantage", "carousel", "cuarenta", "four-hand-cuarenta", "gin-rummy", "krambambuli"),
    *("piquet", "push", "rubicon-piquet", "russian-bank", "vatican"),
}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_moves_that_others_made_since_go_too_as_long_as_they_have_told_the_mover_nothing(game: Game):
    """The other seats are bots; they play any move."""
    rng, state, taken = Random(5), start(game, game.seats[0], 5), 0
    for _ in range(MOVES):
        if not state.to_act:
            break
        seat = rng.choice(state.to_act)
        move = rng.choice(state.legal_moves(seat))
        now, since = after(state, seat, move), []
        while now.to_act and seat not in now.to_act and len(since) < 4:
            other = now.to_act[0]
            since.append((other, rng.choice(now.legal_moves(other))))
            now = after(now, *since[-1])
            if can_take_back(game, state, seat, move, rng, since=since):
                taken += 1
                assert mentioned(now, seat) <= mentioned(state, seat)
                for world in (game.sample(state.view(seat), Random(seed)) for seed in range(2)):
                    for mover, played in [(seat, move), *since]:
                        world.play(mover, played)
                    assert world.view(seat) == now.view(seat)
        state = after(state, seat, move)
    assert bool(taken) == (game.slug in ANSWERED)


def test_the_draw_of_a_bot_goes_and_its_discard_stays():
    state = start(GIN, 2, 1)
    while "D" not in {str(move) for move in state.legal_moves(state.to_act[0])}:
        state.play(state.to_act[0], GIN.parse("P"))
    state.play(state.to_act[0], GIN.parse("D"))
    seat, move = state.to_act[0], state.legal_moves(state.to_act[0])[-1]
    now, draw = after(state, seat, move), (1 - seat, GIN.parse("D"))
    discard = (1 - seat, after(now, *draw).legal_moves(1 - seat)[-1])
    assert can_take_back(GIN, state, seat, move, Random(0), since=[draw])
    assert not can_take_back(GIN, state, seat, move, Random(0), since=[draw, discard])
