"""A view as plain data: it says all that a program needs to play, and nothing that the viewer may not know."""

import json
from random import Random

import pytest

from games.core.contract import Zone
from games.core.deals import numbered_decks
from games.core.plain_view import plain_view
from games.engines import GAMES
from tests.games.open_cards import named

TABLES = [pytest.param(game, seats, id=f"{game.slug}-{seats}") for game in GAMES for seats in game.seats]
NAMES = tuple("Ann Ben Cleo Dan Eve Finn".split())
MOVES = 60


def positions(game, seats):
    """Positions of a game played at random, until its moves or `MOVES` are made."""
    rng = Random(f"{game.slug} {seats}")
    options = game.read_options({}, seats)
    state = game.start(numbered_decks(game.deck(options), 7), seats=seats, options=options)
    for _ in range(MOVES):
        yield state, rng
        if not state.to_act:
            return
        seat = rng.choice(state.to_act)
        state.play(seat, rng.choice(state.legal_moves(seat)))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_program_reads_what_a_page_shows(game, seats):
    for state, _ in positions(game, seats):
        for seat in (None, *range(seats)):
            view = state.view(seat)
            data = json.loads(json.dumps(plain_view(view, NAMES)))
            assert [game.parse(one["move"]) for one in data["moves"]] == [*view.moves]
            assert game.read_options(data["options"], seats) == {**view.options}
            assert data["to_act"] == [*view.to_act]
            assert data["scores"] == ([*view.scores] if view.has_scores else None)
            for zone, panel in zip(view.zones, data["zones"], strict=True):
                read = panel | {"cards": tuple(panel["cards"]), "label": zone.label, "note": zone.note}
                assert Zone(**read) == zone
            assert not {"@", "["} & set("".join(texts_of(data)))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_it_names_no_card_that_the_view_does_not(game, seats):
    for state, rng in list(positions(game, seats))[::7]:
        for seat in (None, *range(seats)):
            view = state.view(seat)
            shown = plain_view(view, NAMES)
            assert named(json.dumps(shown)) <= named(f"{view!r} {view.zones!r}")
            other = game.sample(view, rng).view(seat)
            assert plain_view(other, NAMES) | {"fresh": []} == shown | {"fresh": []}


def texts_of(data):
    """All words for people in the data."""
    yield data["prompt"]
    yield from (one["words"] for one in data["moves"])
    for name in ("facts", "announcements", "log"):
        yield from (one["text"] for one in data[name])
    for zone in data["zones"]:
        yield zone["label"]
        yield zone["note"]
