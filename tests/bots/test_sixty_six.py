"""What the house bots of Sixty-Six count, keep and dare."""

from random import Random

import pytest

from games.bots.matches import compare
from games.bots.sixty_six import LEVELS, is_sure, reason
from games.bots.sixty_six_hands import BIT, SUIT, Eyes, Line, mask, masters, strict_answers
from games.core.deals import random_decks
from games.engines.sixty_six.game import SIXTY_SIX
from games.engines.sixty_six.moves import PACK
from games.engines.sixty_six.state import SixtySixState

COUNTING = ["club", "strong"]


def table(**position) -> SixtySixState:
    return SIXTY_SIX.load({"to_move": 0, **position})


def chosen(level: str, state: SixtySixState, seed: int = 1) -> str:
    seat = state.to_act[0]
    return str(LEVELS[level].choose(state.view(seat), Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("options", [{}, {"close_window": "after-draw", "late_marriages": True}, {"memory": "assist"}])
def test_every_move_of_a_bot_is_legal_to_the_end_of_the_game(level, options):
    rng = Random(4)
    state = SIXTY_SIX.start(random_decks(PACK, rng), options={"target": 5, **options})
    while state.to_act:
        seat = state.to_act[0]
        bot = LEVELS[level if seat == 0 else "first-steps"]
        move = bot.choose(state.view(seat), rng)
        assert move in state.legal_moves(seat)
        state.play(seat, move)
    assert state.outcome() is not None


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_claims_too_early_and_all_claim_in_the_end(level):
    position = {"hands": ["AS 9C", "TS 9D"], "trump": "H", "tricks": [7, 3]}
    assert "66" not in {chosen(level, table(**position, points=[65, 33]), seed) for seed in range(20)}
    assert "66" in {chosen(level, table(**position, points=[66, 33]), seed) for seed in range(20)}


@pytest.mark.parametrize(
    ("tricks", "words"),
    [
        ([0, 1], "for 2 game points. If you play on and win no trick, you can lose 3."),
        ([1, 1], "for 2 game points."),
        ([1, 0], "for 3 game points."),
    ],
)
def test_the_reason_of_a_wrong_claim_says_what_it_costs_beside_playing_on(tricks, words):
    hands = ["KD JD TS 9S QC", "AD 9C AS JS JC"] if sum(tricks) == 1 else ["KD JD TS 9S", "AD 9C AS JS"]
    position = {"hands": hands, "trump": "H", "tricks": tricks, "closed_by": 1}
    found = reason(table(**position, options={"trickless_penalty": 3}).view(0), SIXTY_SIX.parse("66"))
    assert found.text == f"You don't have 66 yet, so a claim loses the hand {words}"


@pytest.mark.parametrize("level", COUNTING)
def test_who_counts_claims_at_once_with_a_marriage_that_makes_66(level):
    state = table(hands=["KH QH TS", "9S JS AD"], upcard="AH", stock="9H", points=[26, 21], tricks=[2, 1], closed_by=0)
    assert chosen(level, state) == "MH"
    state.play(0, SIXTY_SIX.parse("MH"))
    assert chosen(level, state) == "66"


@pytest.mark.parametrize("level", LEVELS)
def test_the_nine_of_trumps_goes_for_the_upcard(level):
    state = table(hands=["9H TS 9D QD JC AC", "9S JS AD TC KH QC"], upcard="JH", won=["KS KC", ""])
    assert "X9" in {chosen(level, state, seed) for seed in range(10)}


@pytest.mark.parametrize("level", COUNTING)
@pytest.mark.parametrize(("led", "answers"), [("TC", {"JH", "AC"}), ("9S", {"JD", "9C"})])
def test_a_rich_card_is_taken_and_a_poor_one_is_left(level, led, answers):
    state = table(hands=["KD 9D JS QS 9H", "JH 9C QD JD AC KC"], upcard="QH", led=led, to_move=1)
    assert chosen(level, state) in answers


def test_club_closes_when_the_rest_is_sure():
    state = table(hands=["AH TH AS TS KD QD", "9S JS TC KC JD QC"], upcard="JH", points=[14, 0], tricks=[1, 0])
    assert is_sure(state.view(0))
    assert chosen("club", state) == "CL"
    assert chosen("club", table(hands=["9D TH 9S TS KD 9C", "AS JS TC KC JD QC"], upcard="JH")) != "CL"


def test_the_last_tricks_are_searched_to_the_end():
    state = table(hands=["AS 9D", "JS AD"], trump="H", points=[43, 40], tricks=[6, 4])
    assert Line(state).gain(0, searched=2) == 1
    assert chosen("strong", state) == "9D", "the ace has to take the last trick and its ten points"
    lost = table(hands=["9S KD", "JS AD"], trump="H", points=[40, 52], tricks=[5, 5])
    assert Line(lost).gain(0, searched=2) == -1


def outcomes(state: SixtySixState, seat: int) -> list[float]:
    """All game points that the seat can gain by the hand, without a wrong claim."""
    hands = len(state.results)
    mover = state.to_act[0]
    has_won = state.tricks[mover] and state.points[mover] >= 66
    found = []
    for move in [move for move in state.legal_moves(mover) if (str(move) == "66") == has_won]:
        after = state.copy()
        after.play(mover, move)
        if len(after.results) == hands:
            found.append(outcome(after, seat))
        else:
            points = after.results[-1].points
            found.append(points[seat] - points[1 - seat])
    return found


def outcome(state: SixtySixState, seat: int) -> float:
    """Game points of the seat with best play of both, by trying everything in the engine."""
    return (max if state.to_act[0] == seat else min)(outcomes(state, seat))


RULES = [
    {},
    {"late_marriages": True},
    {"endgame_follow": "suit-only"},
    {"close_snapshot": True, "trickless_penalty": 3},
    {"last_trick_bonus": 0},
]


@pytest.mark.parametrize("options", RULES)
def test_an_imagined_hand_is_worth_what_the_engine_finds_by_trying_everything(options):
    compared = 0
    for seed in range(24):
        rng = Random(seed)
        state = SIXTY_SIX.start(random_decks(PACK, rng), seats=2, options=options)
        state.carry = seed % 2
        while not state.results:
            mover = state.to_act[0]
            if not state.is_open and str(state.phase) != "after" and max(map(len, state.hands)) <= 4:
                assert Line(state).gain(0, searched=4) == outcome(state, 0)
                compared += 1
            claims = state.tricks[mover] and state.points[mover] >= 66
            moves = [move for move in state.legal_moves(mover) if str(move) not in ("66", "CL")]
            closes = seed % 3 == 0 and len(state.stock) == 5 and str(state.phase) == "lead"
            state.play(
                mover,
                SIXTY_SIX.parse("66" if claims else "CL") if claims or closes and state.is_open else rng.choice(moves),
            )
    assert compared >= 80


@pytest.mark.parametrize(("late_marriages", "gain"), [(True, 1), (False, -1)])
def test_the_search_declares_marriages_late_only_where_that_is_allowed(late_marriages, gain):
    state = table(
        hands=["KD QD 9C", "AD TD AC"],
        trump="H",
        points=[46, 40],
        tricks=[5, 4],
        options={"late_marriages": late_marriages},
    )
    assert Line(state).gain(0, searched=3) == outcome(state, 0) == gain


def test_an_open_hand_is_played_on_with_draws_to_its_end():
    state = SIXTY_SIX.start(random_decks(PACK, Random(3)), seats=2)
    line = Line(state)
    assert sum(line.stock).bit_count() == 12 and not line.led
    assert abs(line.gain(0, searched=1)) in (1, 2, 3)
    assert line.gain(0, searched=1) == -line.gain(1, searched=1)
    assert not line.stock


def test_cards_are_sure_where_none_unseen_beats_them():
    trump = SUIT["H"]
    hand = mask("AH KH TS 9S AC KD".split())
    unseen = mask("TH AS QS QC JC 9C".split())
    assert masters(hand, unseen, trump) == mask("AH AC".split())
    assert masters(hand, mask("AS QC".split()), trump) == mask("AH KH AC KD".split())


def test_who_can_beats_the_card_led_once_no_more_are_drawn():
    hand = mask("AS 9S KH".split())
    assert strict_answers(hand, BIT["TS"], SUIT["H"], must_beat=True) == BIT["AS"]
    assert strict_answers(hand, BIT["TS"], SUIT["H"], must_beat=False) == mask(["AS", "9S"])
    assert strict_answers(hand, BIT["TC"], SUIT["H"], must_beat=True) == BIT["KH"]


def test_king_and_queen_are_kept_together_while_they_may_be_declared():
    hand = mask("KD QD KS 9C".split())
    open_stock, no_stock = (Eyes(hand, mask(["AH"]), SUIT["H"], is_open) for is_open in (True, False))
    assert open_stock.keeping_worth(BIT["KD"]) > open_stock.keeping_worth(BIT["KS"])
    assert no_stock.keeping_worth(BIT["KD"]) == no_stock.keeping_worth(BIT["KS"])


@pytest.mark.parametrize(("better", "worse", "matches"), [("club", "first-steps", 10), ("strong", "first-steps", 1)])
def test_better_bots_win_most_of_some_mirrored_matches(better, worse, matches):
    options = SIXTY_SIX.read_options(None, 2)
    found = compare(SIXTY_SIX, LEVELS[better], LEVELS[worse], seats=2, matches=matches, seed=1, options=options)
    assert found.mean >= 0.7
