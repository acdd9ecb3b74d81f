"""The show at the end of every hand, for every game and seat count along a random game."""

import re
from collections import Counter
from functools import cache
from random import Random

import pytest

from games.core.contract import Event, Game, HandEnd
from games.core.deals import numbered_decks
from games.core.shows import end_of_hand, plain_show, total_points, zones_after
from games.domain.wording import event_sentence
from games.engines import GAMES

CARD = re.compile(r"\b(?:[A2-9TJQK][CDHS]|X[BR])[12]?\b")
TABLES = [pytest.param(game, seats, id=f"{game.slug}-{seats}") for game in GAMES for seats in game.seats]
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")
HANDS = 6
"""Looked at in each game, beside its last."""


@cache
def ends(game: Game, seats: int) -> tuple[HandEnd, ...]:
    """The ends of some hands of a random game."""
    rng, options, found = Random(7), game.read_options(None, seats), []
    state = game.start(numbered_decks(game.deck(options), 7), seats=seats, options=options)
    while state.to_act and len(found) < HANDS:
        before, seat = state.copy(), rng.choice(state.to_act)
        move = rng.choice(state.legal_moves(seat))
        state.play(seat, move)
        if len(state.results) > len(before.results):
            found.append(end_of_hand(before, seat, move))
    return tuple(found)


def scores_after(game: Game, end: HandEnd) -> tuple[int, ...]:
    """The scores after the hand; those of a position of Cuarenta may have a ronda of the next deal already."""
    if not game.slug.endswith("cuarenta"):
        return end.after.view(None).scores
    return tuple(map(sum, zip(*(result.points for result in end.after.results[: end.number]), strict=True)))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_points_of_the_stages_lead_to_the_scores_after_the_hand(game: Game, seats: int):
    for end in ends(game, seats):
        show = game.show(end)
        assert total_points(show.stages, show.scores)[-1] == scores_after(game, end)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_stage_lifts_cards_of_the_table_and_moves_them_to_a_zone(game: Game, seats: int):
    for end in ends(game, seats):
        show = game.show(end)
        faces = {card for zone in show.zones for card in zone.cards}
        for stage in show.stages:
            assert faces.issuperset(stage.cards)
            assert stage.to in {"", *(zone.id for zone in show.zones)}
            assert event_sentence(Event(stage.seat, stage.phrase), NAMES[:seats]).endswith((".", "!"))
            assert not stage.rule or stage.rule.partition(":")[2]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_each_card_of_the_hand_lies_in_one_zone_of_the_show(game: Game, seats: int):
    for end in ends(game, seats):
        zones, pack = game.show(end).zones, Counter(end.before.cards())
        shown = Counter(card for zone in zones for card in zone.cards)
        assert shown <= pack
        assert sum(zone.count for zone in zones) == pack.total(), "each card of the hand, hidden or not, lies in a zone"
        assert len({zone.id for zone in zones}) == len(zones)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_after_its_stages_each_card_is_where_the_last_one_has_brought_it(game: Game, seats: int):
    for end in ends(game, seats):
        show = game.show(end)
        zones = zones_after(show)
        assert sum(zone.count for zone in zones) == sum(zone.count for zone in show.zones)
        brought = {card: stage.to for stage in show.stages if stage.to for card in stage.cards}
        lying = {card: zone.id for zone in zones for card in zone.cards}
        assert brought.items() <= lying.items()


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_show_shows_no_card_that_stays_hidden_after_the_hand(game: Game, seats: int):
    for end in ends(game, seats):
        at_the_end = () if end.after.to_act else end.after.view(None).zones
        open_zones = (*end.before.view(None).zones, *end.result.zones, *at_the_end)
        known = {card for zone in open_zones for card in zone.cards} | set(CARD.findall(str(end.move)))
        known |= set(end.before.view(end.seat).choice(end.move).touches)
        assert known.issuperset(card for zone in game.show(end).zones for card in zone.cards)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_show_leaves_the_positions_as_they_are(game: Game, seats: int):
    end = ends(game, seats)[0]
    before, after = end.before.dump(), end.after.dump()
    game.show(end)
    assert (end.before.dump(), end.after.dump()) == (before, after)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_plain_show_keeps_each_card_where_it_was_and_turns_up_the_last_ones(game: Game, seats: int):
    for end in ends(game, seats):
        show, before = plain_show(end), end.before.view(None).zones
        assert [(zone.id, zone.count) for zone in show.zones] == [(zone.id, zone.count) for zone in before]
        shown = [card for zone in show.zones for card in zone.cards]
        assert {*shown}.issuperset(show.stages[0].cards) and len({*shown}) == len(shown)
