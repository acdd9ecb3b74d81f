"""Sixty-Six, rule by rule: positions in the notation of `SixtySix.load`, moves in their text form."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.contract import ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.deals import numbered_decks, random_decks
from games.core.words import render_text
from games.engines.sixty_six.game import SIXTY_SIX
from games.engines.sixty_six.moves import CLAIM, LOOK_BACK, PACK, Phase, card_points
from games.engines.sixty_six.state import SixtySixState
from tests.engines.states import play, refusal, refused

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "sixty_six_examples.yaml").read_text())

# Seat 0 is on lead, with a trick and the nine of trumps.
OPEN = {
    "hands": ["9H TS KD QD JC AC", "9S JS AD TC KH QC"],
    "stock": "TH AH 9D AS TD JD QS QH 9C",
    "upcard": "JH",
    "won": ["KS KC", ""],
    "to_move": 0,
}
# Seat 0 has just won a trick and nothing has been drawn.
AFTER = {
    "hands": ["AS TS AC KD QD", "9S JS TC KC JD"],
    "stock": "KS QH 9C KH 9H TH JC QC AD TD 9D",
    "upcard": "JH",
    "won": ["QS AH", ""],
    "to_move": 0,
    "phase": "after",
}
# The stock is used up and seat 0 is on lead.
LATE = {
    "hands": ["KD QD AC", "9S JS TC"],
    "trump": "H",
    "won": ["KS QS TH QH AD TD JD KC QC JC", "AS TS AH KH JH 9H 9D 9C"],
    "to_move": 0,
}


def table(**position) -> SixtySixState:
    """Seat 1 deals and seat 0 is to move, unless the position says otherwise."""
    return SIXTY_SIX.load(position)


def legal(state: SixtySixState) -> set[str]:
    return {str(move) for move in state.legal_moves(state.to_act[0])}


def fresh(seed: int = 1, dealer: int | None = None, **options) -> SixtySixState:
    return SIXTY_SIX.start(numbered_decks(PACK, seed), options=options, dealer=dealer)


def scored(state: SixtySixState) -> tuple[tuple[int, ...], list[str]]:
    """Game points of the last hand and the rules that gave them."""
    result = state.results[-1]
    return result.points, [line.rule.removeprefix("sixty-six:") for line in result.lines]


def totals(state: SixtySixState) -> list[int]:
    """The card points laid open after the last hand."""
    return [int(zone.note.split()[0]) for zone in state.results[-1].zones]


def hands(state: SixtySixState) -> list[set[str]]:
    return [set(hand) for hand in state.hands]


def quiet_game(seed: int, **options) -> Iterator[SixtySixState]:
    """A game of random moves without claims: the state before each move, and at the end."""
    rng = Random(seed)
    state = SIXTY_SIX.start(random_decks(PACK, rng), options=options)
    while state.to_act:
        yield state
        seat = state.to_act[0]
        moves = [move for move in state.legal_moves(seat) if move != CLAIM]
        state.play(seat, rng.choice(moves))
    yield state


# The worked examples

EXPECTATIONS = {
    "legal": lambda state, value: legal(state) == set(value.split()),
    "refused": lambda state, value: all(refusal(state, move) == name for move, name in value.items()),
    "points": lambda state, value: state.points == value,
    "pending": lambda state, value: state.pending == value,
    "tricks": lambda state, value: state.tricks == value,
    "to_move": lambda state, value: state.to_act == (value,),
    "hands": lambda state, value: hands(state) == [set(hand.split()) for hand in value],
    "winner": lambda state, value: (
        [seat for seat, points in enumerate(state.results[-1].points) if points] == ([] if value is None else [value])
    ),
    "game_points": lambda state, value: sum(state.results[-1].points) == value,
    "totals": lambda state, value: totals(state) == value,
    "rules": lambda state, value: scored(state)[1] == value,
    "carry": lambda state, value: state.carry == value,
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_the_worked_example_holds(example):
    state = play(table(**example["setup"]), *example.get("play", []))
    for what, expected in example["expect"].items():
        assert EXPECTATIONS[what](state, expected), what


# Cards and deal


@rule("sixty-six:deck-24")
def test_the_pack_has_the_six_high_cards_of_each_suit():
    assert set(PACK) == {rank + suit for rank in "ATKQJ9" for suit in "CDHS"} and len(PACK) == 24


@rule("sixty-six:rank")
@pytest.mark.parametrize(
    ("led", "answer", "taken"), [("KS", "TS", 1), ("TS", "KS", 0), ("AS", "TS", 0), ("9S", "JS", 1)]
)
def test_the_ten_stands_between_ace_and_king(led, answer, taken):
    state = play(table(hands=[led, answer], trump="H"), led, answer)
    assert state.tricks == [1 - taken, taken]


@rule("sixty-six:card-points")
def test_the_cards_of_the_pack_count_120():
    assert [card_points([rank + "S"]) for rank in "ATKQJ9"] == [11, 10, 4, 3, 2, 0]
    assert card_points(PACK) == 120


@rule("sixty-six:first-dealer")
def test_the_deal_alternates_whoever_wins():
    state = fresh(dealer=0)
    assert state.to_act == (1,)
    for dealer in (1, 0, 1):
        state.play(state.to_act[0], CLAIM)
        assert state.dealer == dealer


@rule("sixty-six:deal-six")
def test_six_cards_each_are_dealt_in_batches_of_three_the_nondealer_first():
    state = SIXTY_SIX.start([PACK], dealer=1)
    assert hands(state) == [{*PACK[0:3], *PACK[6:9]}, {*PACK[3:6], *PACK[9:12]}]


@rule("sixty-six:turn-up")
def test_the_thirteenth_card_shows_the_trumps_and_eleven_are_the_stock():
    state = SIXTY_SIX.start([PACK])
    assert (state.upcard, state.trump, state.stock[::-1]) == (PACK[12], PACK[12][1], list(PACK[13:]))


# Open play


@rule("sixty-six:nondealer-leads")
def test_the_nondealer_leads_first_and_then_the_winner_of_each_trick():
    assert fresh(dealer=0).to_act == (1,)
    state = play(table(**OPEN), "TS", "JS", "DR")
    assert state.to_act == (0,)
    state = play(table(**OPEN), "TS", "KH", "DR")
    assert state.to_act == (1,)


@rule("sixty-six:nondealer-leads")
def test_one_leads_a_card_of_the_own_hand_and_only_in_turn():
    assert refusal(table(**OPEN), "AS") == "nondealer-leads"
    with pytest.raises(NotYourTurn) as found:
        table(**OPEN).play(1, SIXTY_SIX.parse("9S"))
    assert found.value.rule == "sixty-six:nondealer-leads"


@rule(
    "sixty-six:marriage",
    "sixty-six:nine-window",
    "sixty-six:close-window",
    "sixty-six:draw-order",
    "sixty-six:no-scorekeeping",
    "sixty-six:no-looking-back",
)
@pytest.mark.parametrize(
    ("move", "name"),
    [
        ("MD", "marriage"),
        ("X9", "nine-window"),
        ("CL", "close-window"),
        ("DR", "draw-order"),
        ("PTS", "no-scorekeeping"),
        ("LOOK", "no-looking-back"),
        ("END", "nondealer-leads"),
    ],
)
def test_out_of_turn_the_rule_is_named_that_says_when_it_is_done(move, name):
    found = refused(table(**OPEN), move, seat=1)
    assert (type(found), found.rule) == (NotYourTurn, f"sixty-six:{name}")


@rule("sixty-six:open-any-card")
def test_with_an_open_stock_any_card_answers():
    state = play(table(**OPEN), "TS")
    assert legal(state) == {*"9S JS AD TC KH QC 66".split()}
    assert refusal(state, "AS") == "open-any-card"


@rule("sixty-six:trick-winner")
@pytest.mark.parametrize(("answer", "winner"), [("AS", 1), ("9S", 0), ("9H", 1), ("AD", 0)])
def test_a_trump_or_a_higher_card_of_the_suit_takes_the_trick(answer, winner):
    state = play(table(hands=["TS", answer], upcard="JH", stock="QC"), "TS", answer)
    assert state.tricks[winner] == 1 and state.to_act == (winner,)


@rule("sixty-six:trick-winner")
def test_a_trump_is_beaten_by_a_higher_trump_only():
    assert play(table(hands=["9H", "AS"], upcard="JH", stock="QC"), "9H", "AS").tricks == [1, 0]
    assert play(table(hands=["9H", "QH"], upcard="JH", stock="QC"), "9H", "QH").tricks == [0, 1]


@rule("sixty-six:trick-points")
def test_the_winner_takes_the_points_of_both_cards():
    assert play(table(hands=["TS", "KH"], upcard="JH", stock="QC"), "TS", "KH").points == [0, 14]


@rule("sixty-six:draw-order")
def test_the_winner_draws_first():
    state = play(table(**OPEN), "TS", "KH")
    assert refusal(state, "AD") == "draw-order"
    play(state, "DR")
    assert "TH" in state.hands[1] and "AH" in state.hands[0]
    assert refusal(state, "DR") == "draw-order"


@rule("sixty-six:last-draw", "sixty-six:stock-out")
def test_the_loser_of_the_sixth_trick_draws_the_upcard():
    state = play(table(hands=["9C QD", "QC KS"], stock="TD", upcard="AH"), "9C", "QC", "DR")
    assert hands(state) == [{"QD", "AH"}, {"KS", "TD"}]
    assert state.upcard is None and state.to_act == (1,)
    assert state.known == [{"AH"}, set()]
    assert refusal(play(state, "KS"), "DR") == "stock-out"


# The nine of trumps


@rule("sixty-six:nine-exchange")
def test_the_nine_is_exchanged_for_the_upcard_after_a_trick_of_ones_own():
    state = play(table(**OPEN), "X9")
    assert "JH" in state.hands[0] and state.upcard == "9H" and state.to_act == (0,)
    trickless = table(**{**OPEN, "won": ["", "KS KC"]})
    assert "X9" not in legal(trickless) and refusal(trickless, "X9") == "nine-exchange"


@rule("sixty-six:nine-exchange")
def test_only_the_nine_of_trumps_is_exchanged():
    assert refusal(table(**{**OPEN, "hands": ["9C TS", ""], "stock": "9H"}), "X9") == "nine-exchange"


@rule("sixty-six:nine-window")
def test_the_nine_is_exchanged_on_lead_not_in_an_answer_nor_before_the_draw():
    following = {"hands": ["JC", "9H TS"], "stock": "QC", "upcard": "JH", "won": ["", "KS KC"]}
    assert refusal(play(table(**following), "JC"), "X9") == "nine-window"
    after = {**AFTER, "hands": ["AS TS 9H KD QD", "9S JS TC KC JD"], "stock": "KS QH 9C KH AC TH JC QC AD TD 9D"}
    assert refusal(table(**after), "X9") == "nine-window"
    assert "X9" in legal(play(table(**after), "DR"))


@rule("sixty-six:nine-too-late")
def test_the_nine_stays_in_the_hand_once_the_stock_is_closed_or_used_up():
    assert refusal(play(table(**OPEN), "CL"), "X9") == "nine-too-late"
    state = play(table(hands=["AC QD", "QC KS"], stock="9H", upcard="AH"), "AC", "QC", "DR")
    assert "9H" in state.hands[0]
    assert refusal(state, "X9") == "nine-too-late"


@rule("sixty-six:nine-optional")
def test_the_exchange_is_a_choice_and_scores_nothing():
    state = table(**OPEN)
    assert {"X9", "TS"} <= legal(state)
    assert play(state, "X9").points == [8, 0]


# Marriages


@rule("sixty-six:marriage")
def test_a_marriage_counts_forty_in_trumps_and_twenty_elsewhere():
    assert play(table(**OPEN), "MD").points == [28, 0]
    assert play(table(**{**OPEN, "upcard": "JD", "stock": "TH AH 9D AS TD JH QS QH 9C"}), "MD").points == [48, 0]


@rule("sixty-six:marriage")
def test_a_marriage_needs_both_cards_and_the_lead():
    assert refusal(table(**OPEN), "MC") == "marriage"
    for lonely in ("KS", "QS"):
        assert refusal(table(hands=[f"{lonely} 9C", "TS 9D"], upcard="JH"), "MS") == "marriage"
    following = {"hands": ["JC 9S", "KD QD"], "stock": "QC", "upcard": "JH", "won": ["", "KS KC"]}
    assert refusal(play(table(**following), "JC"), "MD") == "marriage"
    assert refusal(table(**AFTER), "MD") == "marriage"
    assert "MD" in legal(play(table(**AFTER), "DR"))


@rule("sixty-six:marriage-lead")
def test_one_of_the_pair_is_led_after_a_marriage():
    state = play(table(**OPEN), "MD")
    assert legal(state) == {"KD", "QD", "66"}
    assert refusal(state, "AC") == refusal(state, "CL") == refusal(state, "X9") == "marriage-lead"
    assert legal(table(**OPEN, points=[28, 0], marriage_points=[20, 0], declared="D")) == {"KD", "QD", "66"}


@rule("sixty-six:marriage-one-per-lead")
def test_there_is_one_marriage_for_each_lead():
    two = {**OPEN, "hands": ["9H TS KD QD KC QC", "9S JS AD TC KH JC"], "won": ["KS AC", ""]}
    state = play(table(**two), "MD")
    assert refusal(state, "MC") == refusal(state, "MD") == "marriage-one-per-lead"
    play(state, "QD", "9S", "DR")
    assert refusal(state, "MD") == "marriage"
    assert state.points == [15 + 20 + 3, 0]
    assert play(state, "MC").points == [58, 0]


@rule("sixty-six:marriage-pending")
def test_a_marriage_waits_for_a_trick():
    state = table(**{**OPEN, "won": ["", "KS KC"]})
    play(state, "MD", "QD", "AD", "DR")
    assert (state.points, state.pending) == ([0, 22], [20, 0])
    play(state, "9S", "TS")
    assert (state.points, state.pending, state.marriage_points) == ([30, 22], [0, 0], [20, 0])


@rule("sixty-six:marriage-pending")
def test_a_marriage_without_a_trick_never_counts():
    state = table(hands=["QS", "AS"], trump="H", pending=[40, 0], points=[0, 40], tricks=[0, 11])
    play(state, "QS", "AS", "END")
    assert totals(state) == [0, 64]


@rule("sixty-six:marriage-stock-out")
def test_no_marriage_counts_once_the_stock_is_used_up():
    assert refusal(table(**LATE), "MD") == "marriage-stock-out"
    assert "MD" in legal(table(**LATE, options={"late_marriages": True}))


@rule("sixty-six:marriage-closed")
def test_marriages_count_after_closing():
    assert play(table(**AFTER), "CL", "MD").points == [34, 0]
    assert "MS" in legal(table(hands=["KS QS", "TS TD"], trump="H", closed_by=1))


# The strict phase


@rule("sixty-six:strict-follow")
@pytest.mark.parametrize(
    ("hand", "allowed"),
    [
        ("AS TS 9S TH", "AS TS"),
        ("QS 9S TH", "QS 9S"),
        ("9D TH JH", "TH JH"),
        ("9D JC", "9D JC"),
    ],
)
def test_without_a_stock_one_beats_else_follows_else_trumps(hand, allowed):
    state = table(hands=["", hand], led="KS", to_move=1, trump="H")
    assert legal(state) == {*allowed.split(), "66"}
    for card in set(hand.split()) - set(allowed.split()):
        assert refusal(state, card) == "strict-follow"


@rule("sixty-six:strict-follow")
def test_a_trump_led_is_beaten_or_followed_like_any_suit():
    assert legal(table(hands=["", "TH 9H AS"], led="KH", to_move=1, trump="H")) == {"TH", "66"}


@rule("sixty-six:stock-out")
def test_the_last_six_tricks_are_played_without_drawing():
    state = play(table(**LATE), "AC", "TC")
    assert state.phase is Phase.LEAD and state.tricks == [6, 4]


def test_with_the_option_following_suit_is_all_that_is_asked():
    options = {"endgame_follow": "suit-only"}
    assert legal(table(hands=["", "AS 9S TH"], led="KS", to_move=1, trump="H", options=options)) == {"AS", "9S", "66"}
    assert legal(table(hands=["", "9D TH"], led="KS", to_move=1, trump="H", options=options)) == {"9D", "TH", "66"}


@rule("sixty-six:last-trick")
def test_the_last_trick_brings_ten_points_to_its_winner():
    state = play(table(hands=["QS", "9S"], trump="H", points=[20, 20], tricks=[5, 6]), "QS", "9S")
    assert (state.phase, state.points, state.to_act) == (Phase.FINAL, [33, 20], (0,))
    without = table(hands=["QS", "9S"], trump="H", points=[20, 20], options={"last_trick_bonus": 0})
    assert play(without, "QS", "9S").points == [23, 20]


@rule("sixty-six:last-trick")
def test_a_closed_hand_has_no_bonus():
    state = play(table(hands=["QS", "9S"], upcard="JH", closed_by=0, points=[60, 20]), "QS", "9S")
    assert totals(state) == [63, 20]


# Closing


@rule("sixty-six:close")
def test_after_closing_nobody_draws():
    state = play(table(**OPEN), "CL", "KD", "AD")
    assert state.phase is Phase.LEAD and len(state.hands[0]) == len(state.hands[1]) == 5
    assert state.view(0).upcard is None and state.trump == "H"
    assert state.view(1).closed_by == 0


@rule("sixty-six:close-window")
def test_closing_is_possible_before_the_draw_or_after_it_but_never_in_an_answer():
    assert "CL" in legal(table(**AFTER))
    assert [len(hand) for hand in play(table(**AFTER), "CL").hands] == [5, 5]
    assert [len(hand) for hand in play(table(**AFTER), "DR", "CL").hands] == [6, 6]
    assert refusal(play(table(**OPEN), "TS"), "CL") == "close-window"
    assert "CL" in legal(fresh())


@rule("sixty-six:close-window")
def test_the_loser_of_a_trick_cannot_close():
    with pytest.raises(NotYourTurn):
        table(**AFTER).play(1, SIXTY_SIX.parse("CL"))


@rule("sixty-six:close-needs-stock")
def test_there_must_be_a_stock_to_close():
    assert refusal(table(**LATE), "CL") == "close-needs-stock"
    assert refusal(play(table(**OPEN), "CL"), "CL") == "close-needs-stock"


@rule("sixty-six:close-effects")
def test_after_closing_one_must_follow_and_cannot_draw():
    state = play(table(**OPEN), "CL", "KD")
    assert legal(state) == {"AD", "66"}
    assert refusal(state, "DR") == "close-effects"


@rule("sixty-six:close-made")
def test_a_closer_with_66_wins_without_a_claim():
    state = play(table(hands=["AS", "9S"], upcard="JH", closed_by=0, points=[55, 32]), "AS", "9S")
    assert scored(state) == ((2, 0), ["rate-2"])
    assert render_text(state.results[-1].summary, ("Ada", "Ben"), 1).startswith(
        "Ada wins after closing the stock, 66 to"
    )


@rule("sixty-six:close-made")
def test_a_closer_with_66_wins_even_if_the_other_reaches_66_too():
    position = {"hands": ["TS", "AS"], "upcard": "JH", "closed_by": 0, "points": [70, 50]}
    assert scored(play(table(**position), "TS", "AS")) == ((1, 0), ["rate-1"])


@rule("sixty-six:close-failed")
def test_a_closer_without_66_pays_two():
    state = play(table(hands=["9S", "AS"], upcard="JH", closed_by=0, points=[65, 20]), "9S", "AS")
    assert scored(state) == ((0, 2), ["close-failed"])
    assert render_text(state.results[-1].summary, ("Ada", "Ben"), 1).startswith("Ada has only 65 after closing")


@rule("sixty-six:close-failed", "sixty-six:claim-wrong")
def test_with_the_option_it_costs_three_while_the_other_has_no_trick():
    options = {"trickless_penalty": 3}
    position = {"hands": ["JS", "9S"], "upcard": "JH", "closed_by": 0, "points": [40, 0], "options": options}
    assert scored(play(table(**position), "JS", "9S")) == ((0, 3), ["close-failed"])
    assert scored(play(table(**position), "66")) == ((0, 3), ["claim-wrong"])
    assert scored(play(table(**{**position, "points": [40, 4]}), "66")) == ((0, 2), ["claim-wrong"])


def test_with_the_option_cards_are_drawn_at_once_and_closing_waits_for_the_draw():
    state = play(table(**OPEN, options={"close_window": "after-draw"}), "TS", "KH")
    assert state.phase is Phase.LEAD and len(state.hands[0]) == 6 and "CL" in legal(state)
    with pytest.raises(ImpossiblePosition):
        table(**AFTER, options={"close_window": "after-draw"})


@pytest.mark.parametrize(("snapshot", "points", "name"), [(False, 1, "rate-1"), (True, 3, "rate-3")])
def test_with_the_option_a_closer_is_paid_by_what_the_other_had_at_closing(snapshot, points, name):
    hidden = {"hands": ["AS TH QC", "AD TC 9C"], "won": ["AH TS KD AC", ""], "marriage_points": [20, 0]}
    state = table(**hidden, stock="9D", upcard="JH", to_move=0, options={"close_snapshot": snapshot})
    play(state, "CL", "QC", "TC", "AD", "TH")
    state.points[1] = 40
    play(state, "66")
    assert scored(state) == ((points, 0), [name])


def test_the_snapshot_is_for_the_closer_alone():
    position = {"hands": ["9S AS", "AD QD"], "upcard": "JH", "to_move": 1, "options": {"close_snapshot": True}}
    state = table(**position, closed_by=0, points=[40, 70], tricks=[3, 3], at_close=[0, 0])
    assert scored(play(state, "66")) == ((0, 2), ["claim-against-closer"])


# Going out


@rule("sixty-six:claim", "sixty-six:claim-right")
def test_a_claim_with_66_wins_the_hand_at_once():
    state = play(table(**OPEN), "MD")
    state.points[0] = 66
    assert scored(play(state, "66"))[0] == (3, 0)


@rule("sixty-six:claim-right")
@pytest.mark.parametrize(("points", "winner"), [(66, 0), (65, 1)])
def test_66_are_enough_and_65_are_not(points, winner):
    state = play(table(hands=["9S", "AS"], trump="H", points=[points, 40]), "66")
    assert state.results[-1].points[winner] > 0 == state.results[-1].points[1 - winner]


@rule("sixty-six:claim-wrong")
def test_a_wrong_claim_gives_the_other_two():
    assert scored(play(table(**OPEN), "66")) == ((0, 2), ["claim-wrong"])
    assert scored(play(fresh(dealer=1), "66")) == ((0, 2), ["claim-wrong"])


@rule("sixty-six:claim-when")
def test_a_claim_can_be_made_at_every_turn_of_ones_own():
    following = play(table(**OPEN), "TS")
    for state in (table(**OPEN), play(table(**OPEN), "MD"), following, table(**AFTER)):
        assert "66" in legal(state)
    assert refusal(table(**OPEN), "66", seat=1) == "claim-when"
    with pytest.raises(NotYourTurn):
        table(**OPEN).play(1, CLAIM)


@rule("sixty-six:claim-when")
def test_a_card_on_the_table_counts_for_nobody_when_the_other_claims():
    state = play(table(hands=["AS", "TH"], trump="H", points=[40, 66]), "AS", "66")
    assert totals(state) == [40, 66]


@rule("sixty-six:claim-against-closer")
@pytest.mark.parametrize(
    ("points", "tricks", "paid", "name"),
    [(40, 3, 2, "claim-against-closer"), (30, 3, 2, "rate-2"), (0, 0, 3, "rate-3")],
)
def test_going_out_against_the_closer_brings_at_least_two(points, tricks, paid, name):
    position = {"hands": ["9S", "AS"], "upcard": "JH", "closed_by": 0, "to_move": 1}
    state = table(**position, points=[points, 66], tricks=[tricks, 4])
    assert scored(play(state, "66")) == ((0, paid), [name])


@rule("sixty-six:claim-after-last")
def test_the_winner_of_the_twelfth_trick_may_still_claim():
    state = play(table(hands=["AS", "9S"], trump="H", points=[50, 40], tricks=[5, 6]), "AS", "9S")
    assert legal(state) == {"END", "66"} and state.to_act == (0,)
    assert scored(play(state, "66")) == ((1, 0), ["rate-1"])
    assert refusal(table(**LATE), "END") == "played-out"


@rule("sixty-six:claim-after-last")
@pytest.mark.parametrize(("tricks", "points", "paid"), [(3, 40, 2), (0, 0, 3)])
def test_66_with_the_last_trick_of_a_closed_hand_are_paid_to_the_opponent(tricks, points, paid):
    position = {"hands": ["9S", "AS"], "upcard": "JH", "closed_by": 0}
    state = table(**position, points=[points, 60], tricks=[tricks, 4])
    assert scored(play(state, "9S", "AS")) == ((0, paid), ["claim-after-last"])


@rule("sixty-six:claim-after-last", "sixty-six:claim-forgotten")
@pytest.mark.parametrize(("lead", "answer", "before"), [("9S", "AS", 70), ("AS", "9S", 70), ("9S", "AS", 66)])
def test_66_that_the_opponent_had_before_the_last_trick_of_a_closed_hand_are_forgotten(lead, answer, before):
    position = {"hands": [lead, answer], "upcard": "JH", "closed_by": 0, "options": {"trickless_penalty": 3}}
    state = table(**position, points=[0, before], tricks=[0, 4])
    assert scored(play(state, lead, answer)) == ((0, 2), ["close-failed"])


@rule("sixty-six:claim-forgotten")
def test_66_without_a_claim_win_nothing_by_themselves():
    state = play(table(hands=["AS 9D", "9S JD"], trump="H", points=[60, 60]), "AS", "9S")
    assert state.points[0] == 71 and not state.results
    play(state, "9D")
    state.points[1] = 66
    assert scored(play(state, "66"))[0] == (0, 1)


# The result of a hand


@rule("sixty-six:rate-1", "sixty-six:rate-2", "sixty-six:rate-3")
@pytest.mark.parametrize(("points", "tricks", "paid"), [(33, 4, 1), (50, 4, 1), (32, 4, 2), (0, 1, 2), (0, 0, 3)])
def test_the_rate_depends_on_what_the_loser_has(points, tricks, paid):
    state = table(hands=["9S", "AS"], trump="H", points=[66, points], tricks=[5, tricks])
    assert scored(play(state, "66")) == ((paid, 0), [f"rate-{paid}"])


@rule("sixty-six:rate-3")
def test_points_of_a_marriage_that_waits_do_not_save_the_loser():
    state = table(hands=["9S", "AS"], trump="H", points=[66, 0], tricks=[5, 0], pending=[0, 40])
    assert scored(play(state, "66")) == ((3, 0), ["rate-3"])


@rule("sixty-six:played-out")
def test_a_hand_played_out_brings_one_to_the_higher_total():
    state = table(hands=["9S", "AS"], trump="H", points=[75, 10], tricks=[10, 1])
    assert scored(play(state, "9S", "AS", "END")) == ((1, 0), ["played-out"])
    assert refusal(play(table(hands=["9S", "AS"], trump="H"), "9S", "AS"), "AD") == "played-out"


@rule("sixty-six:tie-carry")
def test_a_tie_is_carried_over_to_the_next_winner_and_ties_add_up():
    tie = {"hands": ["QS", "9S"], "trump": "H", "points": [52, 65], "tricks": [5, 6]}
    state = play(table(**tie, carry=1), "QS", "9S", "END")
    assert scored(state) == ((0, 0), []) and (state.scores, state.carry) == ([0, 0], 2)
    assert ("Carried over from ties", "2 game points") in state.view(0).facts
    assert scored(play(state, "66")) == ((4, 0), ["claim-wrong", "tie-carry"])
    assert state.carry == 0
    assert scored(play(state, "66"))[0] == (0, 2)


@rule("sixty-six:one-scorer")
def test_at_most_one_player_scores_in_a_hand():
    for seed in range(6):
        *_, state = quiet_game(seed, target=11)
        assert len(state.results) > 5 and all(min(result.points) == 0 for result in state.results)
        assert state.scores == [sum(result.points[seat] for result in state.results) for seat in (0, 1)]


@rule("sixty-six:game-7")
@pytest.mark.parametrize(("target", "score", "is_over"), [(7, 4, False), (7, 5, True), (9, 6, False), (5, 3, True)])
def test_the_game_ends_with_seven_game_points_or_the_chosen_target(target, score, is_over):
    state = table(**OPEN, scores=[4, score], options={"target": target})
    play(state, "66")
    outcome = state.outcome()
    assert (outcome is not None) is is_over
    if outcome is not None:
        assert outcome.winners == (1,) and outcome.scores == (4, score + 2)
        assert outcome.reason == f"@1 [reach] {target} game points."
        assert refusal(state, "66", seat=0) == "claim-when"


@rule("sixty-six:game-cap")
@pytest.mark.parametrize(
    ("scores", "found", "reason"),
    [
        ([4, 3], (2, 1), "@1 [lead]."),
        ([6, 3], (1, 2), "@0 [lead]."),
        ([5, 3], (1, 1), "equal: a draw."),
    ],
)
def test_after_thirty_hands_the_higher_score_wins(scores, found, reason):
    state = play(table(**OPEN, scores=scores, hands_played=28), "66")
    assert state.outcome() is None
    state = play(table(**OPEN, scores=scores, hands_played=29), "66")
    assert state.outcome().places == found
    assert state.outcome().reason.endswith(reason)
    assert state.results[-1].number == 30


# Memory


@rule("sixty-six:no-scorekeeping")
@pytest.mark.parametrize(
    ("position", "moves", "instead"),
    [
        (OPEN, [], "Lead a card."),
        (OPEN, ["TS"], "Play TC, QC, AD, KH, JS or 9S."),
        (OPEN, ["MD"], "Lead KD or QD."),
        (AFTER, [], "Draw first."),
        ({"phase": "final", "trump": "H", "won": ["AS KS", ""], "to_move": 0}, [], "End the hand, or claim 66."),
    ],
)
def test_a_refused_question_says_what_to_do_instead(position, moves, instead):
    refusal = refused(play(table(**position), *moves), "PTS")
    assert str(refusal) == f"You keep count in your head until the hand ends. {instead}"


@rule("sixty-six:no-scorekeeping")
def test_nobody_is_shown_points_while_a_hand_lasts():
    state = table(**OPEN)
    assert refusal(state, "PTS") == "no-scorekeeping"
    for viewer in (0, 1, None):
        view = state.view(viewer)
        assert "Your points" not in dict(view.facts)
        assert (view.points, view.waiting) == (None, None)
        assert not any("point" in zone.note for zone in view.zones)


@rule("sixty-six:no-scorekeeping")
def test_with_the_option_each_player_is_shown_his_own_points():
    options = {"memory": "assist"}
    helped = table(**OPEN, options=options)
    assert dict(helped.view(0).facts)["Your points"] == "8 points"
    assert [zone.note for zone in helped.view(0).zones if zone.id == "won:0"] == ["1 trick, 8 points"]
    for viewer in (1, None):
        assert "8 points" not in [note for zone in helped.view(viewer).zones for note in zone.note.split(", ")]
    waiting = table(**{**OPEN, "won": ["", "KS KC"]}, pending=[20, 0], options=options)
    assert dict(waiting.view(0).facts)["Your points"] == "0 points (20 waiting for a trick)"
    assert dict(waiting.view(1).facts)["Your points"] == "8 points"
    assert "Your points" not in dict(waiting.view(None).facts)


def shown(state: SixtySixState, viewer: int | None) -> set[str]:
    """The cards in everything that a page or a record could print of a view."""
    view = state.view(viewer)
    texts = (view, view.zones, view.prompt, view.facts, view.announcements, [view.choice(move) for move in view.moves])
    return set(re.findall(r"\b[ATKQJ9][CDHS]\b", repr(texts)))


@rule("sixty-six:no-looking-back")
def test_the_last_trick_lies_open_until_the_next_lead_and_then_nothing_shows_it():
    state = play(table(**OPEN), "TS", "9S", "DR")
    assert refusal(state, "LOOK") == "no-looking-back"
    assert state.view(0).choice(LOOK_BACK).touches == ("won:0",)
    for viewer in (0, 1, None):
        assert {"TS", "9S"} <= shown(state, viewer)
    play(state, "KD")
    for viewer in (0, 1, None):
        assert not {"TS", "9S", "KS", "KC"} & shown(state, viewer)


@rule("sixty-six:no-looking-back")
def test_no_view_of_a_random_hand_shows_a_card_that_was_turned_down():
    for seed in range(3):
        for state in quiet_game(seed, target=5):
            if state.results:
                break
            turned = set(state.won[0] + state.won[1]) - set(state.last_trick)
            for viewer in (0, 1, None):
                assert not [card for card in turned if card in shown(state, viewer)]


@rule("sixty-six:no-looking-back")
def test_a_declared_marriage_is_shown_with_its_trick_and_no_longer():
    state = play(table(**OPEN), "MD")
    assert {"KD", "QD"} <= shown(state, 1)
    play(state, "KD", "9S", "DR")
    assert "QD" in shown(state, 1)
    play(state, "TS")
    assert not {"KD", "QD"} & shown(state, 1)


def test_neither_the_exchange_nor_the_turned_card_is_shown_later():
    state = play(table(**OPEN), "X9")
    assert "JH" in shown(state, 1)
    play(state, "TS", "9S", "DR", "CL", "AC")
    assert not {"JH", "9H"} & shown(state, 1)


@rule("sixty-six:reveal-at-end")
def test_all_tricks_and_both_totals_are_laid_open_when_the_hand_ends():
    state = play(table(**OPEN), "TS", "9S", "DR", "KD", "AD", "DR", "66")
    zones = {zone.id: zone for zone in state.results[-1].zones}
    assert zones["won:0"].cards == ("KS", "KC", "TS", "9S") and zones["won:0"].note == "18 points"
    assert zones["won:1"].cards == ("KD", "AD") and zones["won:1"].note == "15 points"
    told = [render_text(event.text, ["@"] * 4) for event in state.view(None).log]
    assert "@ leads TS" in told and "@ plays AD" in told
    assert "@1 [claim] 66 with only 15" in state.results[-1].summary


def test_the_number_of_tricks_is_shown():
    zones = {zone.id: zone for zone in table(**LATE).view(0).zones}
    assert (zones["won:0"].count, zones["won:1"].count) == (10, 8)
    assert (zones["won:0"].note, zones["won:1"].note) == ("5 tricks", "4 tricks")
    assert zones["won:0"].cards == zones["won:1"].cards == ()


def test_no_place_is_left_of_a_stock_that_is_drawn_to_the_end():
    places = {zone.id for zone in table(**OPEN).view(0).zones}
    assert places - {zone.id for zone in table(**LATE).view(0).zones} == {"stock", "upcard"}


# Imagined states remember what was seen


def test_imagined_hands_keep_every_card_that_was_seen():
    for seed in range(4):
        for state in quiet_game(seed, target=5):
            for viewer in (0, 1, None):
                imagined = SIXTY_SIX.sample(state.view(viewer), Random(seed))
                assert imagined.won == state.won and imagined.points == state.points
                assert imagined.pending == state.pending and imagined.at_close == state.at_close
                assert all(state.known[seat] <= set(imagined.hands[seat]) for seat in (0, 1))
                assert imagined.upcard == state.upcard


def samples(state: SixtySixState, viewer: int | None, seat: int) -> set[str]:
    """All cards that a hand holds in some imagined states."""
    view = state.view(viewer)
    return {card for seed in range(40) for card in SIXTY_SIX.sample(view, Random(seed)).hands[seat]}


@rule("sixty-six:strict-follow")
@pytest.mark.parametrize(
    ("follow", "led", "answer", "impossible"),
    [
        ("strict", "JS", "QS", ""),
        ("strict", "JS", "9S", "AS TS KS QS"),
        ("strict", "JS", "9H", "AS TS KS QS 9S"),
        ("strict", "JS", "9D", "AS TS KS QS 9S AH KH QH 9H"),
        ("strict", "TH", "9H", "AH"),
        ("strict", "TH", "9D", "AH KH QH 9H"),
        ("suit-only", "JS", "9S", ""),
        ("suit-only", "JS", "9H", "AS TS KS QS 9S"),
        ("suit-only", "JS", "9D", "AS TS KS QS 9S"),
    ],
)
def test_imagined_hands_hold_no_card_that_should_have_been_played_after_the_closing(follow, led, answer, impossible):
    hand = f"{answer} TD JC QC KC"
    closed = table(hands=["JS TH JD AC AD", hand], upcard="JH", closed_by=0, options={"endgame_follow": follow})
    unseen = {*PACK} - {*"JS TH JD AC AD JH".split(), answer}
    play(closed, led, answer)
    assert samples(closed, 0, 1) == unseen - {*impossible.split()}
    assert not samples(closed, None, 1) & {*impossible.split()}
    assert samples(SIXTY_SIX.load(closed.dump()), 0, 1) == unseen - {*impossible.split()}


def test_where_both_hands_are_hidden_one_leaves_to_the_other_what_it_needs():
    won = " ".join(card for card in PACK if card not in ("AH", "KH", "QC", "JC"))
    state = table(hands=["AH KH", "QC JC"], trump="D", won=[won, ""], lacking=["", "AH KH"])
    assert (samples(state, None, 0), samples(state, None, 1)) == ({"AH", "KH"}, {"QC", "JC"})


@rule("sixty-six:open-any-card")
def test_an_answer_before_the_closing_does_not_limit_what_a_hand_may_hold():
    start = {**AFTER, "hands": ["AS TS AC KD QD 9D", "9S JS TC KC JD QC"], "stock": "", "stock_count": 11}
    before, after = (table(**{**start, "won": ["", ""], "phase": "lead"}) for _ in range(2))
    play(before, "KD", "9S", "CL")
    play(after, "CL", "KD", "JD")
    assert {"AD", "TD", "JD"} <= samples(before, 0, 1)
    assert not {"AD", "TD"} & samples(after, 0, 1)


@pytest.mark.parametrize("follow", ["strict", "suit-only"])
def test_imagined_states_of_closed_hands_look_like_the_real_one_and_can_be_written_down(follow):
    closed = 0
    for seed in range(4):
        for state in quiet_game(seed, target=5, endgame_follow=follow):
            if not any(state.lacking):
                continue
            closed += state.closed_by is not None
            assert all(state.lacking[seat].isdisjoint(state.hands[seat]) for seat in (0, 1))
            for viewer in (0, 1, None):
                imagined = SIXTY_SIX.sample(state.view(viewer), Random(seed))
                assert imagined.view(viewer) == state.view(viewer)
                assert SIXTY_SIX.load(imagined.dump()).lacking == state.lacking
    assert closed > 20


def test_the_partner_of_a_marriage_and_the_exchanged_upcard_are_known_to_be_held():
    state = play(table(**OPEN), "X9", "MD", "QD", "9S", "DR")
    for seed in range(5):
        assert {"KD", "JH"} <= set(SIXTY_SIX.sample(state.view(1), Random(seed)).hands[0])
    play(state, "KD", "JS")
    assert state.known[0] == {"JH"}


# Texts, positions and views


@pytest.mark.parametrize(("text", "move"), [("as", "AS"), (" A S ", "AS"), ("10h", "TH"), ("m h", "MH"), ("x 9", "X9")])
def test_moves_are_read_with_any_case_and_spaces(text, move):
    assert str(SIXTY_SIX.parse(text)) == move


@pytest.mark.parametrize("text", ["8S", "MX", "AS KS", "claim", "M", "666"])
def test_what_is_no_move_is_refused_with_a_hint(text):
    with pytest.raises(UnreadableMove, match="66 to claim"):
        SIXTY_SIX.parse(text)


def test_a_position_left_out_is_filled_with_cards_that_lie_nowhere_else():
    state = table(hands=["AS", "TS"], upcard="JH")
    assert len(state.stock) == 11 and not {"AS", "TS", "JH"} & set(state.stock)
    assert len(table(hands=["AS", "TS"], upcard="JH", stock_count=3).stock) == 3


@pytest.mark.parametrize("counts", [{"points": [14, 0], "tricks": [1, 0]}, {"points": [14, 0]}])
def test_cards_of_tricks_that_a_position_only_counts_do_not_lie_in_the_stock(counts):
    assert len(table(hands=OPEN["hands"], upcard="JH", **counts).stock) == 9
    with pytest.raises(ImpossiblePosition, match="cannot be 11 cards"):
        table(hands=OPEN["hands"], upcard="JH", stock_count=11, **counts)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"hands": ["AS", "TS"]}, "trump"),
        ({"hands": ["AS", "TS"], "upcard": "JH", "trump": "S"}, "trump"),
        ({"hands": ["AS", "TS"], "upcard": "JH", "stock": "9C 9D"}, "odd"),
        ({"hands": ["AS", "TS"], "trump": "H", "stock": "9C"}, "upcard"),
        ({"hands": ["AS AS", "TS"], "trump": "H"}, "AS"),
        ({"hands": ["8S", "TS"], "trump": "H"}, "8S"),
        ({"hands": ["", "TS"], "trump": "H"}, "needs a card"),
        ({"hands": ["AS", "TS"], "trump": "X"}, "suits"),
        ({"hands": ["AS", "TS"], "trump": "H", "won": ["KS", ""]}, "two cards"),
        ({"hands": ["AS", "TS"], "trump": "H", "won": ["KS KC", ""], "points": [9, 0]}, "8 and 0"),
        ({"hands": ["AS", "TS"], "trump": "H", "points": [9, 0], "tricks": [0, 0]}, "pending"),
        ({"hands": ["AS", "TS"], "trump": "H", "phase": "after"}, "open"),
        ({"hands": ["AS", "TS"], "trump": "H", "phase": "follow"}, "led"),
        ({"hands": ["AS", "TS"], "trump": "H", "phase": "final"}, "final"),
        ({"hands": ["AS", "TS"], "trump": "H", "phase": "over"}, "over"),
        ({"hands": ["AS", "TS"], "trump": "H", "declared": "S"}, "declared"),
        ({"hands": ["AS", "TS"], "trump": "H", "scores": [7, 7]}, "scores"),
        ({"hands": ["AS", "TS"], "A": "AC", "trump": "H"}, "one way"),
        ({"hands": ["AS", "TS"], "trump": "H", "known": ["TS", ""]}, "known"),
        ({"hands": ["AS", "TS"], "trump": "H", "lacking": ["", "TS"]}, "lacking: these"),
        ({"hands": ["AS", "TS"], "trump": "H", "lacking": ["8S", ""]}, "8S"),
        ({"hands": ["AS", "TS"], "upcard": "JH", "lacking": ["QS", ""]}, "closed"),
        ({"hands": ["AS", "TS"], "trump": "H", "last_trick": "KS KC"}, "last_trick"),
        ({"hands": ["AS KS QS JS 9S TD AD", "TS"], "trump": "H"}, "more than 6"),
        ({"hands": ["AS KS QS JS 9S TD", "TS"], "trump": "H", "led": "AD", "to_move": 1}, "fewer than 6"),
        ({"hands": ["AS", "TS"], "trump": "H", "won": ["KS KC", ""], "points": [7, 0], "tricks": [2, 0]}, "at least 8"),
        ({"hands": ["AS", "TS"], "trump": "H", "won": ["KS KC", ""], "tricks": [0, 1]}, "at least 1 and 0"),
        ({"hands": ["AS", "TS"], "trump": "H", "pending": [10, 0]}, "40 or 20"),
        ({"hands": ["AS", "TS"], "trump": "H", "pending": [20, 0], "won": ["KS KC", ""]}, "from the first trick on"),
        ({"hands": ["AS", "TS"], "trump": "H", "closed_by": 0, "at_close": [14]}, "points and tricks"),
        ({"hands": ["AS", "TS"], "trump": "H", "closed_by": 0, "at_close": ["14", "1"]}, "points and tricks"),
        ({"hands": ["AS", "TS"], "upcard": "JH", "stock": "KS QS QC", "stock_count": 1}, "cannot be 1 cards"),
        ({**AFTER, "won": ["", "QS AH"]}, "five cards, and the seat to move won it"),
        ({**AFTER, "hands": ["AS TS AC KD QD KS", "9S JS TC KC JD"], "stock": "QH"}, "five cards"),
        ({**OPEN, "phase": "lead", "scores": [7, 0]}, "the game is over"),
        ({"hands": ["AS", "TS"], "trump": "H", "points": [66, 0], "marriage_points": [30, 0]}, "40 or 20"),
        ({"hands": ["AS", "TS"], "trump": "H", "tricks": [6, 6]}, "only 22 cards for"),
        ({**OPEN, "points": [8, 0], "tricks": [2, 0]}, "only 2 cards for"),
        ({"hands": ["AS", "TS"], "trump": "H", "points": [100, 100]}, "count only 199"),
        ({"hands": ["AS", "TS"], "trump": "H", "points": [70, 70], "marriage_points": [40, 0]}, "count only 139"),
        ({"trump": "H", "phase": "final", "points": [131, 0], "tricks": [12, 0], "marriage_points": [0, 0]}, "130"),
        ({"hands": ["AS", "TS"], "trump": "H", "marriage_points": [60, 60], "won": ["AD TD", "AC TC"]}, "count 100"),
        (
            {"hands": ["AS", "TS"], "trump": "H", "marriage_points": [80, 0], "pending": [0, 40], "tricks": [1, 0]},
            "count 100",
        ),
        ({"hands": ["AS", "TS"], "trump": "H", "closed_by": 0, "won": ["", "KC QC"], "at_close": [8, 1]}, "than now"),
        ({"hands": ["AS", "TS"], "trump": "H", "closed_by": 0, "won": ["", "KC QC"], "at_close": [0, 2]}, "than now"),
        ({"hands": ["AS", "TS"], "trump": "H", "closed_by": 0, "at_close": [-1, 0]}, "than now"),
    ],
)
def test_impossible_positions_are_refused_in_words(position, message):
    with pytest.raises(ImpossiblePosition, match=message):
        table(**position)


def test_a_position_without_the_cards_of_earlier_tricks_can_be_written_down_at_any_time():
    state = play(table(hands=["AS QS 9H", "TS KD 9D"], trump="H", points=[43, 40], tricks=[5, 4]), "AS", "TS")
    assert SIXTY_SIX.load(state.dump()).dump() == state.dump()
    play(state, "QS", "KD", "9H", "9D")
    assert (state.points, state.tricks) == ([81, 40], [8, 4])
    assert SIXTY_SIX.load(state.dump()).points == [81, 40]


def test_a_closed_position_that_does_not_say_what_was_there_at_closing_takes_what_is_there():
    closed = {"hands": ["AS KS", "TS QS"], "trump": "H", "closed_by": 0, "points": [50, 30]}
    assert table(**closed, at_close=None).at_close == table(**closed).at_close == (30, 1)


def test_a_position_in_the_final_phase_holds_the_last_trick():
    state = table(trump="H", phase="final", to_move=0, won=["AS TS", "AD TD"])
    assert state.points == [31, 21]
    assert scored(play(state, "END")) == ((1, 0), ["played-out"])


def test_positions_of_long_hands_round_trip():
    for state in quiet_game(3, target=5, close_snapshot=True):
        data = json.loads(json.dumps(state.dump()))
        assert SIXTY_SIX.load(data).dump() == data


def test_players_say_what_they_declare():
    state = play(table(**OPEN), "X9", "MD")
    assert state.view(1).announcements == ((0, "The nine"), (0, "Marriage"))
    assert play(table(**OPEN), "CL").view(1).announcements == ((0, "I close"),)


def test_the_prompt_names_what_can_be_done():
    assert "marriage" in table(**OPEN).view(0).prompt
    assert table(**OPEN).view(1).prompt == ""
    assert play(table(**OPEN), "CL", "KD").view(1).prompt == "KD was led. Play AD."
    assert "Draw" in table(**AFTER).view(0).prompt
