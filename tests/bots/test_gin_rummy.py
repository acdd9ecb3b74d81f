"""What the house bots of Gin Rummy see and miss."""

from random import Random
from statistics import mean

import pytest

from games.bots.gin_rummy import (
    DISCARDED,
    KNOCK_LIMIT,
    LEFT,
    LEVELS,
    RELATED,
    STAGES,
    TAKEN,
    danger,
    given,
    held_odds,
    knock_chance,
    likely_hands,
    outs,
    own_features,
    played_on,
    quick_showdown,
    reason,
    signs,
    stage,
    turns_of_other,
    unseen_by,
)
from games.bots.gin_worth import HELD_BACK, SIGNS, WEIGHTS
from games.bots.matches import compare
from games.core.card_bits import ALL_CARDS, BIT, CARD, cards, mask
from games.core.cards import pack
from games.core.deals import random_decks
from games.core.moves import TAKE, Discard
from games.core.rummy.deadwood import best_deadwood
from games.engines.gin_rummy.game import GIN_RUMMY
from games.engines.gin_rummy.moves import Knock, Phase
from games.engines.gin_rummy.state import GinRummyState
from games.management.commands.gin_table import LeastSquares, signs_of, table_of


def table(**position) -> GinRummyState:
    return GIN_RUMMY.load({"to_move": 0, **position})


def chosen(level: str, state: GinRummyState, seed: int = 1) -> str:
    seat = state.to_act[0]
    return str(LEVELS[level].choose(state.view(seat), Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("options", [{}, {"defence": "manual", "big_gin": 31, "oklahoma": True}, {"knock_limit": 0}])
def test_every_move_of_a_bot_is_legal_to_the_end_of_the_game(level, options):
    rng = Random(4)
    state = GIN_RUMMY.start(random_decks(pack(), rng), seats=2, options={"target": 50, **options})
    while state.to_act:
        seat = state.to_act[0]
        move = LEVELS[level].choose(state.view(seat), rng)
        assert move in state.legal_moves(seat)
        state.play(seat, move)
    assert state.outcome() is not None


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_answers_the_same_for_the_same_generator(level):
    state = table(hands=["2C 5D 9H KS QD 7C 8D 3S 4H JC TD", "AS AD"], phase="discard")
    assert chosen(level, state, 3) == chosen(level, state, 3)


@pytest.mark.parametrize("level", LEVELS)
def test_an_upcard_that_completes_a_run_is_taken(level):
    state = table(hand="5H 6H 2C 9S JD KC QS AD 8C TS", upcard="7H", phase="draw")
    assert chosen(level, state) == str(TAKE)


@pytest.mark.parametrize("level", ["club", "strong"])
def test_a_useless_high_upcard_is_left(level):
    state = table(hand="5H 6H 2C 9S JD 3C QS AD 8C TS", upcard="KD", phase="draw")
    assert chosen(level, state) == "D"


@pytest.mark.parametrize("level", LEVELS)
def test_no_bot_breaks_a_meld_of_high_cards(level):
    state = table(hand="KC KD KS 5H 6H 7H 2C 9S JD 8C AD", phase="discard")
    for seed in range(10):
        assert chosen(level, state, seed) in {"X 9S", "X JD", "X 8C"}


@pytest.mark.parametrize("level", ["club", "strong"])
@pytest.mark.parametrize(
    ("hand", "upcard", "spare"),
    [
        ("2C 2S 3C 3S 5S 7S JC JD JH KD KH", "5C", "5S 7S"),
        ("AH 3C 3H 3S 4H 5C 5H 6D 9D KH KS", "JC", "AH 6D 9D"),
    ],
)
def test_early_on_a_lone_card_goes_before_a_higher_pair(level, hand, upcard, spare):
    others = [card for card in pack() if card not in (*hand.split(), upcard)]
    state = table(hands=[hand, " ".join(others[:10])], upcard=upcard, phase="discard", stock_count=30)
    assert chosen(level, state).removeprefix("X ") in spare.split()


@pytest.mark.parametrize("level", LEVELS)
def test_gin_is_never_let_go_by(level):
    state = table(hand="5H 6H 7H TC TD TS 2C 3C 4C 5C JD", phase="discard")
    assert chosen(level, state) == "K JD: 2C-3C-4C-5C 5H-6H-7H TC+TD+TS"


def test_big_gin_comes_before_gin():
    state = table(hand="5H 6H 7H TC TD TS 2C 3C 4C 5C 6C", phase="discard", options={"big_gin": 31})
    assert {chosen(level, state)[:2] for level in LEVELS} == {"B:"}


@pytest.mark.parametrize("level", ["club", "strong"])
def test_a_hand_that_leaves_ten_is_knocked_with_at_once(level):
    state = table(hands=["5H 6H 7H TC TD TS 2C 3D 4S AC QC", "4H 8D 9H JH KC KD 7S 2D 6S 9C"], phase="discard")
    assert chosen(level, state) == "K QC: 5H-6H-7H TC+TD+TS"


@pytest.mark.parametrize(("loose", "knocks"), [("2C 4D AC", True), ("2C 5D AC", False)])
def test_first_steps_knocks_with_seven_and_waits_with_more(loose, knocks):
    state = table(hand=f"5H 6H 7H TC TD TS KC {loose}", phase="discard")
    chances = [chosen("first-steps", state, seed) for seed in range(40)]
    share = sum(move == "K KC: 5H-6H-7H TC+TD+TS" for move in chances) / len(chances)
    assert share == 1 if knocks else share < 0.4


def test_strong_shows_the_grouping_that_takes_fewer_lay_offs():
    state = table(hands=["4C 5C 6C 4D 5D 6D 4H 5H 6H 9S KD", "3C 7C 7D 8D 2S TS JS QS KS AS"], phase="discard")
    assert chosen("strong", state) == "K KD: 4C+4D+4H 5C+5D+5H 6C+6D+6H"


def test_strong_does_not_feed_a_hand_that_took_two_kings():
    hands = ["KH QC 2C 2D 2H 4S 5S 6S 9D 9H 7C", "KC KD 3S 8H"]
    position = {"hands": hands, "upcard": "AH", "phase": "discard"}
    assert chosen("strong", table(**position, known="KC KD")) != "X KH"
    view = table(**position, known="KC KD").view(0)
    unseen = unseen_by(view)
    assert danger(view, Discard("KH"), unseen) >= 1 > danger(view, Discard("QC"), unseen)


PLAYED = {
    "hands": ["KH QC 2D 4S 5S 6S 9D 9H 7C AC", "KC KD 3S 8H JS 2H 6C 6D 4D TH"],
    "discards": "QH 3C 8S",
    "known": "KC",
    "history": "0:X KC, 1:U KC, 1:X JH, 0:U JH, 0:X QH, 1:D, 1:X 3C, 0:D, 0:X 5C, 1:U 5C, 1:X 8S".split(", "),
    "phase": "draw",
}
"""A hand whose discards are covered; seat 1 took the KC and the 5C, left the QH, and discarded the JH, 3C and 8S."""


def test_what_the_other_took_left_and_discarded_is_remembered():
    view = table(**PLAYED).view(0)
    assert view.discards == ("8S",)
    shown = [(TAKEN, "KC"), (DISCARDED, "JH"), (LEFT, "QH"), (DISCARDED, "3C"), (TAKEN, "5C"), (DISCARDED, "8S")]
    assert [(kind, CARD[card]) for kind, card in signs(view)] == shown
    assert turns_of_other(view) == 3
    assert not unseen_by(view) & mask(["QH", "3C", "8S"])
    assert not unseen_by(view) & mask(["KC"]), "it was taken"


def test_cards_near_a_discard_are_held_less_often_and_near_a_taken_card_more_often():
    odds = held_odds(table(**PLAYED).view(0))

    def odd(card):
        return odds[BIT[card]]

    assert max(odd("QS"), odd("JD")) < odd("TD"), "the QH was left, and the JH discarded; nothing near the TD was"
    assert odd("7S") < odd("7D"), "the 8S was discarded"
    assert odd("KS") > odd("TD") > odd("TS"), "the KC was taken; the 8S is next but one to the TS"


def test_imagined_hands_hold_what_was_taken_and_cards_by_their_odds():
    view = table(**PLAYED).view(0)
    hands = likely_hands(view, Random(1), 1500)
    assert all(hand & BIT["KC"] and hand.bit_count() == 10 for hand in hands)
    assert all(not hand & mask([*view.hand, *view.remembered]) for hand in hands)

    def share(card):
        return sum(hand & BIT[card] > 0 for hand in hands) / len(hands)

    assert share("KS") > 1.5 * share("QS")
    assert given(hands, BIT["KH"]) > 3 * given(hands, BIT["QC"])


def test_imagined_hands_are_as_tidy_as_the_real_ones_of_club_bots():
    rng, real, imagined = Random(5), [], []
    for _hand in range(30):
        state = GIN_RUMMY.start(random_decks(pack(), rng), seats=2)
        while not state.results and not state.dead_hands:
            seat = state.to_act[0]
            view = state.view(seat)
            if view.phase is Phase.DISCARD and turns_of_other(view) == 4:
                real.append(best_deadwood(state.hands[1 - seat]))
                imagined += map(best_deadwood, likely_hands(view, rng, 20))
            state.play(seat, LEVELS["club"].choose(view, rng))
    assert mean(imagined) == pytest.approx(mean(real), abs=6)
    assert mean(left <= KNOCK_LIMIT for left in imagined) < 0.02, "they would have knocked"


def test_cards_are_related_by_rank_and_in_their_suit():
    assert [" ".join(cards(related)) for related in RELATED[BIT["7H"]]] == ["7C 7D 7S", "6H 8H", "5H 9H"]
    assert [" ".join(cards(related)) for related in RELATED[BIT["KS"]]] == ["KC KD KH", "QS", "JS"]


@pytest.mark.parametrize("level", ["club", "strong"])
def test_bots_remember_covered_discards(level):
    hands = ["KC KD 9H TH 2C 2D 2H 4S 5S 6S AD", "3S 8H JS 3H 6C 6D 4D TC 9S QC"]
    position = {"hands": hands, "phase": "discard", "stock_count": 20}
    alive = table(**position, discards="7C 7D 5D 4H QD")
    dead = table(**position, discards="KH KS 5D 4H QD")
    assert alive.view(0) == dead.view(0) and alive.view(0).remembered != dead.view(0).remembered
    assert chosen(level, alive) != chosen(level, dead)
    assert chosen(level, dead) in ("X KC", "X KD")


def test_what_is_said_of_a_move_does_not_tell_what_lies_covered():
    hands = ["KC KD 9H TH 2C 2D 2H 4S 5S 6S AD", "3S 8H JS 3H 6C 6D 4D TC 9S QC"]
    position = {"hands": hands, "phase": "discard", "stock_count": 20}
    views = [table(**position, discards=pile).view(0) for pile in ("7C 7D 5D 4H QD", "KH KS 5D 4H QD")]
    for move in views[0].moves:
        assert reason(views[0], move) == reason(views[1], move)


@pytest.mark.parametrize(
    ("other", "stock", "won"),
    [
        ("AS 3C 5C 7D 8S 9C JH QS KH 2S", "4D 4S", 59 - 10),  # the KH goes, then a knock with ten
        ("AS AD AH 2S 3S 4S 8D 9D 2D QS", "7D 4C", -(15 - 2)),  # a knock with two; the AC is laid off
        ("AS 3C 5C 7D 8S 9C JH QS KH 2S", "JC", 0),  # the stock is too small for another turn
    ],
)
def test_a_hand_is_played_on_as_quick_players_would(other, stock, won):
    mine, cards = "5H 6H 7H TC TD TS 2C 3D AC QC KD", [BIT[card] for card in stock.split()]
    view = table(hands=[mine, "8C 8H"], phase="discard", stock_count=len(cards) + 2).view(0)
    assert played_on(view, BIT["KD"], mask(other.split()), cards) == won


@pytest.mark.parametrize(
    ("other", "won"), [("KC QD 9C 8S 7S 5D 4C AH 4H 8H", 44), ("AC AD AH 2S 3S 4S 5C 5D 5S 4D", -16)]
)
def test_the_score_of_a_quick_showdown_knows_lay_offs_and_undercuts(other, won):
    knocker = mask("5H 6H 7H TC TD TS 2D 3C 4D AS".split())
    assert quick_showdown(knocker, mask(other.split()), GIN_RUMMY.read_options(None, 2)) == won


def test_outs_are_the_unseen_cards_that_make_a_saving_meld():
    for text, expected in (("6H 7H KC 2D", 2), ("6H 8H KC 2D", 1), ("7H 7C KC 2D", 2), ("6H 7H 7C", 4)):
        hand = mask(text.split())
        assert outs(hand, ALL_CARDS & ~hand) == expected


def test_a_loose_card_counts_with_the_cards_that_still_make_a_meld_of_it():
    hand, seen = mask(["7H", "7C", "2D"]), mask("7S AD 3D".split())
    one, deadwood, loose, unseen_pairs, held_pairs = own_features(hand, ALL_CARDS & ~hand & ~seen)
    assert (one, deadwood, loose) == (1, 16, 3)
    assert held_pairs == 1  # 7D, with both sevens
    assert unseen_pairs == 9  # runs with the 7H and the 7C, three each; twos with the 2D


def test_the_chance_to_knock_counts_the_cards_that_leave_ten():
    hand = mask("5H 6H 7H TC TD TS 2C 3D QS QC".split())
    assert knock_chance(hand, mask(["QD", "4H", "2H", "KH"])) == 0.25  # the QD makes a set


def test_a_hand_goes_through_its_stages_as_the_stock_shrinks():
    assert [stage(stock) for stock in (31, 28, 27, 23, 18, 2)] == [0, 0, 1, 2, 3, 3]


def test_the_table_of_worth_has_every_stage_and_prefers_few_loose_cards_and_a_knock_soon():
    assert len(WEIGHTS) == len(STAGES) + 1
    assert all(row[2] < 0 < row[5] for row in WEIGHTS)
    found = table_of(40, Random(1))
    assert [len(row) for row in found] == [len(row) for row in WEIGHTS]
    assert found[0][2] < 0


def test_the_signs_say_that_cards_near_a_discard_are_held_less_often_and_near_a_taken_one_more_often():
    *found, (found_held_back,) = signs_of(60, Random(1))
    for table_of_signs, held_back in ((SIGNS, HELD_BACK), (found, found_held_back)):
        discarded, left, taken = table_of_signs
        assert max(*discarded[:2], *left[:2]) < 0 < min(taken[:2])
        assert held_back > 0


def test_least_squares_find_the_weights_that_made_the_values():
    fit, rng = LeastSquares(3), Random(1)
    for _row in range(2000):
        row = (1.0, rng.uniform(-5, 5), rng.uniform(-5, 5))
        fit.add(row, 4 + 2 * row[1] - 3 * row[2])
    assert fit.weights() == pytest.approx((4, 2, -3), abs=0.01)


def test_bots_lay_their_hand_open_as_well_as_can_be():
    state = table(
        hands=["5H 6H 7H TC TD TS 2C 3D 4S AC QC", "4H 8H 9H TH KC KD KS 2D 6S 9C"],
        phase="discard",
        options={"defence": "manual"},
    )
    state.play(0, next(move for move in state.legal_moves(0) if isinstance(move, Knock)))
    for level in LEVELS:
        end = state.copy()
        end.play(1, LEVELS[level].choose(end.view(1), Random(1)))
        assert end.results[-1].points == (7, 0)


@pytest.mark.parametrize(("better", "target"), [("strong", 50), ("club", 100)])
def test_better_bots_win_most_of_some_mirrored_matches(better, target):
    found = compare(
        GIN_RUMMY,
        LEVELS[better],
        LEVELS["first-steps"],
        seats=2,
        matches=8,
        seed=1,
        options=GIN_RUMMY.read_options({"target": target}, 2),
    )
    assert found.mean >= 0.75
