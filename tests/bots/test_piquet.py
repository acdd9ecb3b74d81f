"""What the house bots of Piquet see and miss."""

from random import Random

import pytest

from games.bots import bot
from games.bots.matches import compare
from games.bots.piquet import LEVELS, Deal, declared, follow, solve, thrown
from games.core.deals import random_decks
from games.engines.piquet.game import PIQUET
from games.engines.piquet.moves import BIT, PACK, cards_of, mask
from games.engines.piquet.state import PiquetState
from games.engines.rubicon_piquet import RUBICON_PIQUET


def hand(text: str) -> int:
    return mask(text.split())


def table(**position) -> PiquetState:
    return PIQUET.load(position)


def chosen(level: str, state: PiquetState, seed: int = 1) -> str:
    seat = state.to_act[0]
    return str(LEVELS[level].choose(state.view(seat), Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("options", [{}, {"replies": "bare", "younger_min": 0, "carte_blanche": False}])
def test_every_move_of_a_bot_is_legal(level, options):
    rng = Random(4)
    state = PIQUET.start(random_decks(PACK, rng), seats=2, options=options)
    while len(state.results) < 1:
        seat = state.to_act[0]
        move = LEVELS[level].choose(state.view(seat), rng)
        assert move in state.legal_moves(seat)
        state.play(seat, move)


def test_the_same_bots_play_rubicon_piquet():
    state = RUBICON_PIQUET.start(random_decks(PACK, Random(1)), seats=2)
    for level in LEVELS:
        state.play(state.to_act[0], bot("rubicon-piquet", level).choose(state.view(state.to_act[0]), Random(1)))
    assert state.log


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_answers_the_same_for_the_same_generator(level):
    state = table(phase="exchange")
    assert chosen(level, state, 3) == chosen(level, state, 3)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seat", [0, 1])
def test_carte_blanche_is_declared_when_it_comes(level, seat):
    blanche, other = "AC TC 9C 8C 7C AD TD 9D 8D AH TH 9H", "KC QC JC KD QD JD 7D KH QH JH 8H KS"
    state = table(phase="blanche", hands=[blanche, other] if seat == 0 else [other, blanche])
    if seat == 1:
        assert chosen(level, state) == "BL"


def test_a_good_player_throws_the_short_weak_suits_and_keeps_the_long_strong_one():
    cards = cards_of(hand("AS KS QS JS 8S KH QH 9D 8D 7D 8C 7C"))
    kept = set(cards) - set(cards_of(sum(thrown(mask(cards), 5))))
    assert {"AS", "KS", "QS", "JS", "8S"} <= kept
    assert chosen("club", table(phase="exchange", hands={0: list(cards)})) == "EX 8C 7C 9D 8D 7D"


def test_a_good_player_keeps_four_of_a_kind():
    assert not set(cards_of(sum(thrown(hand("TC TD TH TS AS KS 9S 8H 7D 8C 7C 9D"), 5)))) & set("TC TD TH TS".split())


@pytest.mark.parametrize("level", ["club", "strong"])
def test_good_players_claim_the_longest_run_and_contest_what_they_can(level):
    assert chosen(level, table(phase="sequence", elder="QS JS TS 9S AH KH QH")) == "SQ:QS4"
    hands = {"elder": "AS KS JS 9S 8S AH 8H AD JD TC 9C 8C", "younger": "KH QH JH TH 9H QS TS KD QD AC KC JC"}
    assert chosen(level, table(**hands, said=["PT:S"])) == "MK"
    assert chosen(level, table(**hands, said=["PT:S", "MK"])) == "NG"


def test_a_beginner_sometimes_says_good_where_it_should_ask():
    hands = {"elder": "AS KS JS 9S 8S AH 8H AD JD TC 9C 8C", "younger": "KH QH JH TH 9H QS TS KD QD AC KC JC"}
    answers = {chosen("first-steps", table(**hands, said=["PT:S"]), seed) for seed in range(30)}
    assert answers == {"GD", "MK"}


def test_a_trick_is_won_as_cheaply_as_possible_or_not_at_all():
    assert follow(hand("AH QH 9H 7H"), BIT["TH"]) == BIT["QH"]
    assert follow(hand("9H 7H AD"), BIT["KH"]) == BIT["7H"]
    assert follow(hand("AD KD 7C"), BIT["KH"]) == BIT["7C"]


def test_the_last_tricks_are_solved_exactly():
    assert solve(hand("AS 7C"), hand("KS 9C"), 0, 0, {}) == 3 - 2
    assert solve(hand("AH 8C"), hand("9C KS"), 6, 4, {}) == 1 + 10 + 1 - 1 - 1
    assert solve(hand("AH"), hand("7H"), 11, 0, {}) == 2 + 40


def test_strong_wins_the_seventh_trick_before_it_gives_up_the_lead():
    state = table(phase="play", hands=["AH 8C", "QS KS"], tricks=[6, 4], counted=[{"leads": 9}, {"wins": 4}])
    assert chosen("strong", state) == "AH"


def test_strong_follows_with_the_lowest_of_the_cards_that_cost_the_same():
    state = table(
        phase="play", hands=["JH 8H", "KH"], discards=["QH TH 9H 7H", ""], tricks=[0, 10], leader=1, played="AH"
    )
    assert chosen("strong", state) == "8H"


def test_declarations_are_counted_with_the_repique():
    elder, younger = "AH KH QH JH TH AS AC AD 9S 8C 7D KS", "KC QC JC TC KD QD JD 9D QS JS TS 9C"
    assert declared(hand(elder), hand(younger), 0) == [94, 0]
    assert declared(hand(elder), hand(younger), 1) == [0, 94]
    equal = "AS KS QS JH TH 9H 8D KD 9D JC 8C 7C", "AC KC QC 9C AH KH QH TD 8H 7S 7D TS"
    assert declared(hand(equal[0]), hand(equal[1]), 0) == [0, 4]


def test_an_imagined_deal_counts_leads_tricks_and_the_pique():
    elder, younger = "AH KH QH JH TH 9H AS KS AD 7S 8C 7C", "KC QC JC TC KD QD JD 9D QS JS 8H 7H"
    assert Deal(0, [hand(elder), hand(younger)], [25, 0]).rest(0) >= 25 + 30 + 9
    assert Deal(0, [hand(elder), hand(younger)], [25, 3]).rest(0) < 25 + 30


def test_club_beats_first_steps():
    found = compare(PIQUET, LEVELS["club"], LEVELS["first-steps"], seats=2, matches=5, seed=1)
    assert found.mean > 0.5
