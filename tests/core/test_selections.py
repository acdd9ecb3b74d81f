"""What people can choose on a table, and what somebody can send who does not use our pages: games read all of it."""

import re
from collections.abc import Iterator, Sequence
from random import Random
from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from games.core.contract import Game, GameError, State, View
from games.forms.board_input import judged, proposed, written_move
from games.presentation import advice
from games.presentation.board import Refusal
from tests.core.test_contract import TABLES, positions, start

STAGES = 6
UNKNOWN = (*"stock deck hand hand:9 meld:99 pile:-1 8 XX ZZ1 0H 10H \x00 💥".split(" "), "", "9" * 25)
"""Words that no table shows, or few."""


def stages(game: Game, seats: int) -> Iterator[State]:
    """Positions of a random game: its first moves and some later ones."""
    for number, position in enumerate(positions(start(game, seats, 31), 31, 25 * STAGES)):
        if position.to_act and (number < 2 or number % 25 == 0):
            yield position


def selections(view: View, rng: Random) -> Iterator[Sequence[str]]:
    """All that the table shows by itself, doubled and with an unknown word; and mixtures."""
    shown = list(dict.fromkeys(name for zone in view.zones for name in (zone.id, *zone.cards)))
    yield ()
    for name in (*shown, *UNKNOWN):
        yield (name,)
        yield (name, name)
        yield (name, rng.choice(UNKNOWN))
    ids = [zone.id for zone in view.zones]
    yield ids
    yield shown
    for _ in range(10):
        yield rng.sample(shown, min(len(shown), rng.randint(2, 5)))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_whatever_is_asked_about_is_answered_in_words(game: Game, seats: int):
    rng, names = Random(5), [f"P{seat}" for seat in range(seats)]
    for position in stages(game, seats):
        for seat in position.to_act:
            for picks in selections(position.view(seat), rng):
                said = advice.why_not(game, position, seat, picks, names)
                assert isinstance(said, Refusal)
                assert re.search(r"[.?!]$", said.text), picks


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_whatever_is_marked_is_a_move_or_is_refused_in_words(game: Game, seats: int):
    rng = Random(6)
    for position in stages(game, seats):
        for seat in position.to_act:
            view = position.view(seat)
            for picks in selections(view, rng):
                try:
                    move = written_move(game, lambda view=view: view, marked(picks))
                    position.copy().play(seat, game.parse(move))
                except GameError as error:
                    assert re.search(r"[.?!]$", str(error)), picks


def marked(picks: Sequence[str]) -> QueryDict:
    """What the form of a board with marked cards sends."""
    return QueryDict(urlencode([("is_selection", "1"), *(("text", pick) for pick in picks)]))


@pytest.mark.parametrize(("game", "seats"), [case for case in TABLES if case.values[0].workbench])
def test_whatever_is_laid_out_is_judged_in_words(game: Game, seats: int):
    rng = Random(7)
    for position in stages(game, seats):
        for seat in range(seats):
            view = position.view(seat)
            for text in arrangements(game, view, rng):
                said = judged(game, position, seat, text)
                assert said["ok"] or re.search(r"[.?!]$", said["say"]), text
                if seat in position.to_act:
                    try:
                        game.parse(str(proposed(game, view, text)))
                    except GameError as error:
                        assert re.search(r"[.?!]$", str(error)), text


def arrangements(game: Game, view: View, rng: Random) -> Iterator[str]:
    """The melds of the table with a card left out, doubled, moved, unknown; and the pack without sense."""
    melds = [" ".join(zone.cards) for zone in view.zones if zone.kind == "meld"]
    table, hand = " / ".join(melds), [card for zone in view.zones if zone.owner == view.seat for card in zone.cards]
    yield table
    for card in table.replace("/", "").split():
        yield table.replace(card, "", 1)
        yield table.replace(card, f"{card} {card}", 1)
    for name in (*UNKNOWN, "XB", "XR", "XB XR", "XB XB XB", "/", "///", " / ".join(hand), " ".join(hand)):
        yield name
        yield f"{table} / {name}"
    pack = list(game.deck(view.options))
    for _ in range(10):
        cards = rng.sample(pack, rng.randint(1, 12))
        for _cut in range(rng.randint(0, 4)):
            cards.insert(rng.randrange(len(cards)), "/")
        yield " ".join(cards)
        yield f"{table} {' '.join(rng.sample(hand, min(len(hand), 3)))}"
        if melds:
            yield " / ".join(rng.sample(melds, rng.randrange(len(melds))))
