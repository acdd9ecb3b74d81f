"""The partie of Rubicon Piquet. The rules of a deal are tested with Piquet, for both games."""

from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.contract import BadOption, ImpossiblePosition
from games.core.deals import numbered_decks
from games.engines.piquet.moves import PACK
from games.engines.rubicon_piquet import RUBICON_PIQUET, RubiconState, game_score

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "rubicon_piquet_examples.yaml").read_text())
FIVE_DEALS = [[12, 31], [38, 9], [10, 22], [41, 14], [8, 27]]


def after(deals, **position) -> RubiconState:
    return RUBICON_PIQUET.load({"deals": deals, **position})


def last_deal(theirs: int, **position) -> RubiconState:
    """The sixth deal before its last trick, which brings seat 0 12 points; seat 1 counts so many more."""
    cards = {"phase": "play", "elder": "AH", "younger": "7H", "tricks": [6, 5], "counted": [{}, {"wins": theirs}]}
    return RUBICON_PIQUET.load({**cards, "deal": 6, "dealer": 1, **position})


def finish(state: RubiconState) -> RubiconState:
    for card in ("AH", "7H"):
        state.play(state.to_act[0], RUBICON_PIQUET.parse(card))
    return state


@rule(
    "rubicon-piquet:totals",
    "rubicon-piquet:winner",
    "rubicon-piquet:final-difference",
    "rubicon-piquet:final-sum",
    "rubicon-piquet:winner-short",
    "rubicon-piquet:rubicon-line",
    "rubicon-piquet:tie-extra",
    "rubicon-piquet:six-deals",
)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_the_worked_example_holds(example):
    state, expected = after(example["deals"]), example["expect"]
    assert state.scores == expected["totals"]
    outcome = state.outcome()
    if expected["winner"] is None:
        assert outcome is None
        return
    assert outcome.winners == (expected["winner"],)
    assert outcome.scores[expected["winner"]] == expected["game_score"]
    shown = sum(line.points for line in outcome.lines if expected["winner"] in line.seats)
    assert expected["totals"][expected["winner"]] + shown == expected["game_score"]
    assert outcome.lines[0].rule == f"rubicon-piquet:{expected['rule']}"


@rule("rubicon-piquet:six-deals")
def test_no_score_ends_a_partie_before_the_sixth_deal():
    for deal in range(1, 6):
        assert finish(last_deal(0, deal=deal, scores=[400, 2])).outcome() is None
    assert finish(last_deal(0, scores=[400, 2])).outcome() is not None


@rule("rubicon-piquet:three-each", "rubicon-piquet:first-dealer")
@pytest.mark.parametrize("first", [0, 1])
def test_both_deal_three_times_and_the_first_dealer_is_elder_in_the_sixth_deal(first):
    rng, state = Random(3), RUBICON_PIQUET.start(numbered_decks(PACK, 3), seats=2, dealer=first)
    dealers = []
    while state.to_act:
        if len(dealers) < state.deal_number:
            dealers.append(state.dealer)
        state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
    assert dealers[:6] == [first, 1 - first] * 3


@rule("rubicon-piquet:three-each")
def test_in_a_written_partie_seat_0_has_dealt_first_unless_it_says_otherwise():
    assert [after([[1, 2]] * number).dealer for number in range(1, 6)] == [1, 0, 1, 0, 1]
    assert after(FIVE_DEALS, first_dealer="B").dealer == 0


@rule("rubicon-piquet:totals")
def test_the_totals_are_shown_throughout_and_bonuses_belong_to_them():
    state = after(FIVE_DEALS)
    for viewer in (None, 0, 1):
        assert state.view(viewer).scores == (109, 103)
    repique = last_deal(0, scores=[20, 20], counted=[{"repique": 60, "sequence": 30}, {}])
    assert finish(repique).scores == [20 + 60 + 30 + 12, 20]


@rule("rubicon-piquet:totals")
def test_everybody_sees_how_the_partie_stands():
    facts = dict(after(FIVE_DEALS[:4]).view(None).facts)
    assert (facts["Deal"], facts["Rubicon"], facts["Elder in the next deal"]) == ("5 of 6", "100", "@0")
    assert facts["If the game ended now"] == "@0 277"
    assert "Elder in the next deal" not in dict(after(FIVE_DEALS).view(None).facts)


@rule("rubicon-piquet:final-difference", "rubicon-piquet:final-sum", "rubicon-piquet:loser-zero")
@pytest.mark.parametrize("totals", [[150, 99], [99, 150], [150, 100], [90, 60]])
def test_the_final_lines_lead_from_the_totals_to_the_scores(totals):
    state = finish(last_deal(0, scores=[totals[0] - 12, totals[1]]))
    assert state.scores == totals
    outcome = state.outcome()
    added = [sum(line.points for line in outcome.lines if seat in line.seats) for seat in (0, 1)]
    assert tuple(map(sum, zip(totals, added, strict=True))) == outcome.scores
    assert max(outcome.scores) == game_score(totals, 100)


@rule("rubicon-piquet:rubicon-line", "rubicon-piquet:final-difference", "rubicon-piquet:final-sum")
@pytest.mark.parametrize(("theirs", "score"), [(98, 100 + 150 + 99), (99, 100 + 150 - 100)])
def test_ninety_nine_stays_below_the_line_and_a_hundred_has_crossed_it(theirs, score):
    outcome = finish(last_deal(1, scores=[138, theirs])).outcome()
    assert outcome.scores == (score, 0)


@rule("rubicon-piquet:winner-short")
def test_a_winner_below_the_line_adds_the_points_of_the_loser_too():
    assert finish(last_deal(0, scores=[75, 75])).outcome().scores == (100 + 87 + 75, 0)


@rule("rubicon-piquet:loser-zero")
@pytest.mark.parametrize("theirs", [40, 120])
def test_the_loser_gets_nothing(theirs):
    outcome = finish(last_deal(0, scores=[150, theirs])).outcome()
    assert outcome.scores[1] == 0
    assert outcome.lines[-1].rule == "rubicon-piquet:loser-zero"
    assert outcome.lines[-1].points == -theirs


@rule("rubicon-piquet:tie-extra")
def test_equal_totals_after_six_deals_call_for_two_more_and_the_first_dealer_deals_the_next():
    state = finish(last_deal(4, scores=[100, 108], dealer=1))
    assert (state.outcome(), state.deal_number, state.dealer) == (None, 7, 0)
    seventh = finish(last_deal(0, scores=[100, 100], deal=7))
    assert (seventh.outcome(), seventh.scores) == (None, [112, 100])
    assert finish(last_deal(0, scores=[112, 100], deal=8)).outcome().winners == (0,)


@rule("rubicon-piquet:tie-drawn")
def test_equal_totals_after_eight_deals_are_a_draw_worth_nothing():
    outcome = finish(last_deal(12, scores=[100, 100], deal=8)).outcome()
    assert (outcome.places, outcome.scores) == ((1, 1), (0, 0))
    assert {line.rule for line in outcome.lines} == {"rubicon-piquet:tie-drawn"}


def test_the_option_makes_equal_totals_a_draw_at_once():
    outcome = finish(last_deal(4, scores=[100, 108], options={"tie": "draw-at-once"})).outcome()
    assert outcome.places == (1, 1)


@rule("rubicon-piquet:no-concession")
def test_a_deal_is_played_to_its_end_even_if_the_result_is_certain():
    state = last_deal(0, scores=[300, 10], tricks=[11, 0])
    assert state.outcome() is None
    assert [str(move) for move in state.legal_moves(0)] == ["AH"]


@pytest.mark.parametrize(
    ("line", "score"), [(50, 100 + 112 - 60), (60, 100 + 112 - 60), (61, 100 + 112 + 60), (70, 100 + 112 + 60)]
)
def test_the_rubicon_is_an_option(line, score):
    outcome = finish(last_deal(0, scores=[100, 60], options={"rubicon_at": line})).outcome()
    assert outcome.scores == (score, 0)


@pytest.mark.parametrize("line", [50, 75, 87, 125, 150])
def test_the_line_lies_anywhere_from_fifty_to_a_hundred_and_fifty(line):
    assert RUBICON_PIQUET.read_options({"rubicon_at": line}, 2)["rubicon_at"] == line


@pytest.mark.parametrize("line", [49, 151])
def test_the_line_lies_nowhere_else(line):
    with pytest.raises(BadOption, match="50 to 150"):
        RUBICON_PIQUET.read_options({"rubicon_at": line}, 2)


def test_a_short_partie_has_four_deals_and_doubles_the_first_and_the_last():
    for chosen in ({"deals": 4}, {"preset": "short"}):
        state = after([[10, 20], [30, 5], [7, 9]], options=chosen)
        assert state.scores == [2 * 10 + 30 + 7, 2 * 20 + 5 + 9]
        assert state.deal_number == 4
    state = finish(last_deal(0, deal=4, scores=[57, 54], options={"deals": 4}))
    assert state.scores == [57 + 2 * 12, 54]
    assert state.results[-1].lines[-2].rule == "rubicon-piquet:totals"
    assert state.outcome().scores == (100 + 81 + 54, 0)


def test_a_short_partie_counts_its_further_deals_once():
    equal = [[10, 10], [20, 20], [30, 30], [5, 5]]
    assert after([*equal, [4, 3]], options={"deals": 4}).scores == [84, 83]


@rule("rubicon-piquet:six-deals", "rubicon-piquet:tie-drawn")
def test_final_scores_alone_are_a_whole_partie():
    ended = [RUBICON_PIQUET.load({"phase": "over", "scores": scores}) for scores in ([134, 121], [112, 112])]
    assert [state.deal_number for state in ended] == [6, 8]
    assert [state.outcome().scores for state in ended] == [(113, 0), (0, 0)]
    with pytest.raises(ImpossiblePosition):
        RUBICON_PIQUET.load({"phase": "over", "scores": [134, 121], "deal": 5})


def test_deals_after_the_end_are_refused():
    with pytest.raises(ImpossiblePosition):
        after([*FIVE_DEALS, [25, 18], [1, 1]])


@rule("rubicon-piquet:tie-extra", "rubicon-piquet:tie-drawn")
@pytest.mark.parametrize(
    "position",
    [
        {"deal": 10, "scores": [100, 100]},
        {"deal": 8, "scores": [100, 100], "options": {"tie": "draw-at-once"}},
        {"deal": 8, "scores": [100, 100], "options": {"deals": 4}},
    ],
)
def test_no_further_deal_is_played_but_two_after_a_tie(position):
    with pytest.raises(ImpossiblePosition, match="no such deal"):
        RUBICON_PIQUET.load({"phase": "play", "elder": "AS", "younger": "KS", **position})


RESULTS = [((120, 112), 108), ((85, 70), 255), ((112, 120), 108), ((122, 100), 122)]


@pytest.mark.parametrize(("totals", "score"), RESULTS)
def test_the_game_score_of_the_source_comes_out(totals, score):
    assert game_score(totals, 100) == score
