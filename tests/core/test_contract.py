"""The promises of `games/core/contract.py`, checked for every game, seat count and option along random games.

Games that chance makes very long go to a lower target, unless LONG_GAMES=1.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from random import Random

import pytest

from games.core.contract import (
    BadOption,
    Choice,
    Game,
    IllegalMove,
    ImpossiblePosition,
    Move,
    NotYourTurn,
    Option,
    OptionValue,
    State,
    UnreadableMove,
)
from games.core.deals import numbered_decks, random_decks
from games.core.words import render_text
from games.engines import GAMES, get

CARD = re.compile(r"\b(?:[A2-9TJQK][CDHS]|X[BR])[12]?\b")
TABLES = [pytest.param(game, seats, id=f"{game.slug}-{seats}") for game in GAMES for seats in game.seats]
LONG_GAMES = os.environ.get("LONG_GAMES") == "1"
SHORT = {slug: {"target": 100} for slug in ("carousel", "krambambuli", "shanghai")}
"""Where chance makes few points: at the usual target some of these games take 100 deals."""
FEW_DEALS = {"shanghai": {"deals": 5}}
"""Games with another value of an option are many, and points decide only those with another target."""
MOVES_CHECKED = 150
SHOWN = ("zones", "moves", "offered", "selection", "forced", "prompt", "facts", "scores", "track")
"""What a view shows of a position alone; log and finished hands tell how it came about."""


def values_to_try(option: Option) -> list[OptionValue]:
    """Every value that is not the default; of many numbers the ends, of a span also an odd one."""
    if option.span:
        odd = option.span[len(option.span) // 3] | 1
        return [value for value in (*option.named, option.span[0], odd, option.span[-1]) if value != option.default]
    values = [value for value in option.choices if value != option.default]
    return values if len(values) <= 5 else [values[0], values[-1]]


VARIANTS = [
    pytest.param(
        game,
        option.seats[0] if option.seats else game.seats[0],
        ({} if LONG_GAMES or option.name == "target" else FEW_DEALS.get(game.slug, {})) | {option.name: value},
        id=f"{game.slug}-{option.name}-{value}",
    )
    for game in GAMES
    for option in game.options
    for value in values_to_try(option)
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_long_list_of_numbers_names_the_usual_ones_and_takes_any_other(game):
    assert [option.name for option in game.options if len(option.choices) > 12 and not option.span] == []


def start(game: Game, seats: int, seed: int, options: dict | None = None) -> State:
    usual = {} if LONG_GAMES else SHORT.get(game.slug, {})
    chosen = game.read_options(usual | (options or {}), seats)
    return game.start(numbered_decks(game.deck(chosen), seed), seats=seats, options=chosen)


def positions(state: State, seed: int, moves: int | None = None) -> Iterator[State]:
    """The state before each move of a random game, up to a number of moves, then the state where it
    stopped."""
    rng = Random(seed)
    while state.to_act and (moves is None or moves > 0):
        yield state
        seat = rng.choice(state.to_act)
        state.play(seat, rng.choice(state.legal_moves(seat)))
        moves = None if moves is None else moves - 1
    yield state


@cache
def whole_game(game: Game, seats: int, seed: int) -> tuple[State, ...]:
    """Every position of a random game; several tests look at the same ones, and change none."""
    return tuple(position.copy() for position in positions(start(game, seats, seed), seed))


def played_out(game: Game, seats: int, seed: int) -> State:
    return whole_game(game, seats, seed)[-1]


def viewers(seats: int) -> tuple[int | None, ...]:
    return (None, *range(seats))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_random_games_end_with_an_outcome_for_every_seat(game: Game, seats: int):
    deals = []
    for seed in (1, 2):
        last = played_out(game, seats, seed)
        deals.append(len(last.results))
        outcome = last.outcome()
        assert outcome is not None
        assert len(outcome.scores) == len(outcome.places) == seats
        assert min(outcome.places) == 1
        assert outcome.reason
        assert all(last.legal_moves(seat) == type(last.legal_moves(seat))() for seat in range(seats))
        with pytest.raises(NotYourTurn):
            last.play(0, start(game, seats, seed).legal_moves(start(game, seats, seed).to_act[0])[0])
    assert game.has_several_deals(last.options) == (max(deals) > 1)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_no_card_is_lost_or_doubled(game: Game, seats: int):
    first, *_ = played = whole_game(game, seats, 1)
    pack = Counter(game.deck(first.options))
    for position in played:
        if position.to_act:
            assert Counter(position.cards()) == pack


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_only_seats_to_act_have_moves_and_others_are_refused(game: Game, seats: int):
    for position in positions(start(game, seats, 4), 4, MOVES_CHECKED):
        for seat in (*range(seats), seats, None):  # the last two are nobody's
            moves = position.legal_moves(seat)
            assert bool(moves) == (seat in position.to_act)
            assert len(set(moves)) == len(moves)
            if not moves and position.to_act:
                before = position.dump()
                with pytest.raises(NotYourTurn) as refusal:
                    position.play(seat, position.legal_moves(position.to_act[0])[0])
                assert refusal.value.rule.startswith(f"{game.slug}:")
                assert position.dump() == before


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_moves_round_trip_through_their_text(game: Game, seats: int):
    for position in positions(start(game, seats, 5), 5, MOVES_CHECKED):
        for seat in position.to_act:
            for move in position.legal_moves(seat):
                assert game.parse(str(move)) == move
                assert game.parse(f"  {str(move).lower()} ") == move


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_listed_move_can_be_played_and_leaves_the_original_alone(game: Game, seats: int):
    for number, position in enumerate(positions(start(game, seats, 6), 6, MOVES_CHECKED)):
        if number % 5:
            continue
        before = position.dump()
        for seat in position.to_act:
            for move in position.legal_moves(seat)[:20]:
                position.copy().play(seat, move)
        assert position.dump() == before


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_positions_round_trip_through_json(game: Game, seats: int):
    for number, position in enumerate(whole_game(game, seats, 2)):
        loaded = reloaded(game, position)
        if number % 7 and position.to_act:
            continue
        for viewer in viewers(seats):
            mine, theirs = loaded.view(viewer), position.view(viewer)
            assert all(getattr(mine, name) == getattr(theirs, name) for name in SHOWN)


def reloaded(game: Game, position: State) -> State:
    """The position from its own dump: the same, whose turn it is and how the game ended included."""
    dump = position.dump()
    loaded = game.load(json.loads(json.dumps(dump)))
    assert loaded.dump() == dump
    assert loaded.to_act == position.to_act
    assert loaded.outcome() == position.outcome()
    return loaded


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_loaded_game_goes_on_with_the_first_of_the_following_decks(game: Game, seats: int):
    state = start(game, seats, 9)
    if not game.has_several_deals(state.options):
        pytest.skip("one deal is the whole game")
    loaded = game.load(state.dump(), numbered_decks(game.deck(state.options), 10))
    second_hand = [next(p for p in positions(first, 9) if p.results or not p.to_act) for first in (state, loaded)]
    assert second_hand[0].dump() == second_hand[1].dump()


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_sample_cannot_be_told_from_the_real_state_by_its_view(game: Game, seats: int):
    rng = Random(8)
    for number, position in enumerate(positions(start(game, seats, 8), 8, MOVES_CHECKED)):
        if number % 3:
            continue
        for viewer in viewers(seats):
            view = position.view(viewer)
            imagined = game.sample(view, rng)
            assert imagined.view(viewer) == view
            if position.to_act:
                assert Counter(imagined.cards()) == Counter(position.cards())


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_samples_do_not_know_what_the_viewer_cannot_know(game: Game, seats: int):
    state = start(game, seats, 9)
    for viewer in viewers(seats):
        worlds = {json.dumps(game.sample(state.view(viewer), Random(seed)).dump()) for seed in range(6)}
        assert len(worlds) == 6, "six samples of a fresh deal differ in the hidden cards"


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_sample_can_be_played_to_the_end(game: Game, seats: int):
    state = start(game, seats, 10)
    *_, last = positions(game.sample(state.view(0), Random(10)), 10)
    assert last.outcome() is not None


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_fresh_view_names_no_card_outside_its_zones(game: Game, seats: int):
    state = start(game, seats, 11)
    for viewer in viewers(seats):
        view = state.view(viewer)
        seen = {card for zone in view.zones for card in zone.cards}
        texts = [repr(view), view.prompt, repr(view.facts), *(repr(view.choice(move)) for move in view.moves)]
        assert set(CARD.findall(" ".join(texts))) <= seen


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_views_offer_their_moves_in_words(game: Game, seats: int):
    for position in positions(start(game, seats, 12), 12, MOVES_CHECKED):
        for viewer in viewers(seats):
            view = position.view(viewer)
            assert bool(view.moves) == (viewer in position.to_act)
            assert bool(view.prompt) == (viewer in position.to_act)
            ids = [zone.id for zone in view.zones]
            assert len(ids) == len(set(ids))
            touchable = set(ids) | {card for zone in view.zones for card in zone.cards}
            for choice in map(view.choice, view.moves[:40]):
                assert isinstance(choice, Choice)
                assert render_text(choice.phrase.text, [f"Player {seat}" for seat in range(seats)])
                assert set(choice.touches) <= touchable
            assert all(len(zone.cards) <= zone.count for zone in view.zones)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_finished_hands_add_up_to_the_scores(game: Game, seats: int):
    last = played_out(game, seats, 1)
    bonuses = last.outcome().lines
    for seat in range(seats):
        hands = sum(result.points[seat] for result in last.results)
        extra = sum(line.points for line in bonuses if seat in line.seats)
        assert hands + extra == last.outcome().scores[seat]
    for result in last.results:
        for seat in range(seats):
            assert result.points[seat] == sum(line.points for line in result.lines if seat in line.seats)


@pytest.mark.parametrize(("game", "seats", "options"), VARIANTS)
def test_every_option_value_gives_games_that_end(game: Game, seats: int, options: dict):
    state = start(game, seats, 14, options)
    assert state.options.items() >= options.items()
    for number, position in enumerate(positions(state, 14)):
        if number % 10 == 0 or not position.to_act:
            reloaded(game, position)
        if number % 10 == 0:
            for viewer in viewers(seats):
                view = position.view(viewer)
                assert game.sample(view, Random(number)).view(viewer) == view
    assert position.outcome() is not None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_presets_are_sets_of_real_options(game: Game):
    for name, preset in game.presets.items():
        chosen = game.read_options({"preset": name}, game.seats[0])
        assert all(chosen[option] == value for option, value in preset.items())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_unknown_options_and_seat_counts_are_refused(game: Game):
    with pytest.raises(BadOption):
        game.read_options({"no-such-option": 1}, game.seats[0])
    with pytest.raises(BadOption):
        game.read_options(None, 99)
    for option in game.options:
        with pytest.raises(BadOption):
            game.read_options({option.name: "no such value"}, game.seats[0])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
@pytest.mark.parametrize("text", ["", "   ", "hello there", "ZZ", "8S 8S 8S 8S!", "\x00", "1" * 500])
def test_text_that_is_no_move_is_refused_as_unreadable(game: Game, text: str):
    with pytest.raises(UnreadableMove) as refusal:
        game.parse(text)
    assert str(refusal.value)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_impossible_positions_are_refused(game: Game):
    state = start(game, game.seats[0], 15)
    data = state.dump()
    impossible = [
        {**data, "nonsense": 1},
        {**data, "seats": 99},
        {**data, "to_move": 99},
        {**data, "options": {"nonsense": 1}},
    ]
    for name in {"hands", "stock"} & data.keys():
        first, *rest = data[name] if name == "hands" else [data[name]]
        for cards in ([*first, first[0]], [*first, "ZZ"], [game.deck(state.options)[0]] * 5):
            impossible.append({**data, name: [cards, *rest] if name == "hands" else cards})
        impossible.append({**data, name: 5})
    for bad in impossible:
        with pytest.raises(ImpossiblePosition) as refusal:
            game.load(bad)
        assert str(refusal.value)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_dealer_can_be_chosen_and_is_otherwise_the_last_seat(game: Game, seats: int):
    options = game.read_options(None, seats)
    for dealer in (None, *range(seats)):
        decks = random_decks(game.deck(options), Random(16))
        state = game.start(decks, seats=seats, options=options, dealer=dealer)
        assert state.dump()["dealer"] == (seats - 1 if dealer is None else dealer)


def near_misses(text: str) -> set[str]:
    """Texts that come close to that of a move: cut at either end, by letters, words or up to a sign."""
    words = text.split()
    cut = {" ".join(words[1:]), " ".join(words[:-1]), re.sub(r"^[A-Z]+:?", "", text), re.split(r"[:>+=/-]", text)[0]}
    return cut | {text[1:], text[2:], text[:-1], text[:-2]}


def strangers(game: Game, texts: Iterable[str]) -> set[Move]:
    """The moves of the game that these texts are."""
    found = set()
    for text in texts:
        with suppress(UnreadableMove):
            found.add(game.parse(text))
    return found


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_play_refuses_what_is_not_listed_without_changing_anything(game: Game, seats: int):
    """Near misses, moves of earlier positions, which were of all phases and seats, and those of another game."""
    rng = Random(17)
    other = start(game, seats, 20)
    known = {type(move): [move] for move in other.legal_moves(other.to_act[0])}
    for position in positions(start(game, seats, 17), 17, MOVES_CHECKED):
        if not position.to_act:
            break
        seat = rng.choice(position.to_act)
        moves = position.legal_moves(seat)
        one_of_each = list({type(move): move for move in rng.sample(moves, min(len(moves), 4))}.values())
        texts = {near for move in one_of_each for near in near_misses(str(move))}
        tried = strangers(game, texts) | {rng.choice(earlier) for earlier in known.values()}
        for move in one_of_each:
            known.setdefault(type(move), []).append(move)
        tried -= set(moves)
        if not tried:
            continue
        before = position.dump()
        for move in tried:
            trial = position.copy() if game.proposals else position
            try:
                trial.play(seat, move)
            except IllegalMove as refusal:
                assert re.fullmatch(rf"{game.slug}:[a-z0-9-]+", refusal.rule)
                assert str(refusal)
            else:
                assert game.proposals, f"{move} was not listed and yet played"
        assert position.dump() == before


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_seat_is_on_one_side_and_sides_win_together(game: Game, seats: int):
    last = played_out(game, seats, 2)
    sides, outcome = game.sides(last.options, seats), last.outcome()
    assert sorted(seat for side in sides for seat in side) == list(range(seats))
    assert all(len({(outcome.scores[seat], outcome.places[seat]) for seat in side}) == 1 for side in sides)
    assert_best_score_wins(game, last)


def test_penalty_points_decide_where_a_game_counts_them():
    *_, last = positions(start(get("vatican"), 2, 19, {"penalty_scoring": True}), 19)
    assert_best_score_wins(get("vatican"), last)


def assert_best_score_wins(game: Game, last: State) -> None:
    outcome = last.outcome()
    merits = game.merits(last.options, outcome.scores)
    if len(set(merits)) > 1:
        assert {merits[seat] for seat in outcome.winners} == {max(merits)}


def test_games_are_found_by_their_slug():
    assert [get(game.slug) for game in GAMES] == list(GAMES)
    assert len({game.slug for game in GAMES}) == len(GAMES)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_card_of_the_hand_has_a_place_to_be_dropped_on(game: Game, seats: int):
    for position in positions(start(game, seats, 12), 12, MOVES_CHECKED):
        for seat in position.to_act:
            view = position.view(seat)
            zones = {zone.id: zone for zone in view.zones}
            choices = [view.choice(move) for move in view.offered]
            targets = {choice.to for choice in choices} | {view.selection.to if view.selection else ""}
            assert targets <= {"", *zones}
            hand = zones[f"hand:{seat}"].cards if f"hand:{seat}" in zones else ()
            for choice in choices:
                assert choice.to or len(choice.touches) != 1 or choice.touches[0] not in hand, choice
