"""Royal Casino: what differs from Casino, and that the rest of it holds here with courts and aces too.

Seat 1 is to move and seat 0 deals, unless a position says otherwise.
"""

from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.cards import pack
from games.core.contract import BadOption, ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.deals import numbered_decks
from games.core.words import render_text
from games.engines.casino.state import CasinoState
from games.engines.royal_casino import ALONE, ROYAL_CASINO, VALUES
from tests.engines.states import legal, play, refusal, refused

EXAMPLES = yaml.safe_load((Path(__file__).parent / "royal_casino_examples.yaml").read_text())


rule = pytest.mark.rule


def table(**position) -> CasinoState:
    return ROYAL_CASINO.load({"to_move": 1, **position})


def fresh(seats: int = 2, seed: int = 1, **options) -> CasinoState:
    return ROYAL_CASINO.start(numbered_decks(pack(), seed), seats=seats, options=options)


def sweep_points(state: CasinoState) -> list[int]:
    lines = [line for line in state.results[-1].lines if line.rule == "royal-casino:sweep"]
    return [sum(line.points for line in lines if side in line.seats) for side in range(state.sides)]


def scored(won: dict, **position) -> dict[str, list[int]]:
    """By rule, what each side scores for these piles."""
    state = ROYAL_CASINO.load({"won": won, **position})
    found: dict[str, list[int]] = {}
    for line in state.results[0].lines:
        sheet = found.setdefault(line.rule.removeprefix("royal-casino:"), [0] * state.sides)
        for side in range(state.sides):
            sheet[side] += line.points if side in line.seats else 0
    return found


# The worked examples

EXPECTATIONS = {
    "moves_with": lambda state, value: all(
        {move for move in legal(state) if move[:2] == card} == {str(ROYAL_CASINO.parse(move)) for move in moves}
        for card, moves in value.items()
    ),
    "moves": lambda state, value: sorted(legal(state)) == sorted(value),
    "legal": lambda state, value: all(play(state.copy(), move) and move in legal(state) for move in value),
    "illegal": lambda state, value: all(refusal(state, move) == rule for move, rule in value.items()),
    "sweeps": lambda state, value: state.sweeps == value,
    "loose": lambda state, value: state.loose == value,
    "builds": lambda state, value: list(state.builds) == value,
    "to_move": lambda state, value: state.to_act == (value,),
    "hand_over": lambda state, value: bool(state.results) == value,
    "sweep_points": lambda state, value: sweep_points(state) == value,
    "points": lambda state, value: dict(enumerate(state.results[0].points)) == value,
    "won_count": lambda state, value: (
        {zone.owner: zone.count for zone in state.results[0].zones if zone.id.startswith("won:")} == value
    ),
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example['id']} {example['name']}")
def test_the_worked_example_holds(example):
    state = play(ROYAL_CASINO.load(example["setup"]), *example.get("play", []))
    for what, expected in example["expect"].items():
        assert EXPECTATIONS[what](state, expected), what


# Values


@rule("royal-casino:royal-values")
def test_courts_count_eleven_to_thirteen_and_the_others_as_printed():
    ranks = {card[0]: value for card, value in VALUES.items()}
    assert (ranks["J"], ranks["Q"], ranks["K"], ranks["T"], ranks["2"]) == (11, 12, 13, 10, 2)
    for court, parts in (("JS", "6C 5D"), ("QS", "7C 5D"), ("KS", "9C 4D")):
        state = table(hands={1: f"{court} 2H"}, loose=parts)
        assert f"{court}x{'+'.join(reversed(parts.split()))}" in legal(state)


@rule("royal-casino:royal-ace")
def test_an_ace_counts_fourteen_alone_and_one_among_others():
    assert {ALONE[ace] for ace in ("AS", "AD")} == {14}
    state = table(hands={1: "KS 3C"}, loose="AD QC AH JD")
    assert {move for move in legal(state) if move.startswith("KSx")} == {
        "KSxAD+QC", "KSxAH+QC", "KSxAD+AH+JD",
    }  # fmt: skip
    assert refusal(state, "KSxAD") == "capture-sum"


@rule("royal-casino:royal-ace-capture")
def test_an_ace_takes_aces_sets_of_fourteen_and_the_build_of_fourteen():
    build = [{"value": 14, "sets": ["6C 8D"], "controller": 0}]
    state = table(hands={1: "AS 3C", 0: "AH"}, loose="AD TC 4D", builds=build)
    assert "ASxAD+4D+TC+[14]" in legal(state)
    assert refusal(state, "ASx4D") == "capture-sum"


@rule("royal-casino:royal-courts")
def test_a_court_card_takes_several_equal_cards_sets_and_a_build():
    build = [{"value": 12, "sets": ["7C 5D"], "controller": 0}]
    state = table(hands={1: "QS 3C", 0: "QC"}, loose="QD QH 9C 3D", builds=build)
    assert "QSx3D+9C+QD+QH+[12]" in legal(state)


@rule("royal-casino:royal-courts")
def test_a_court_card_goes_into_sums_and_builds():
    state = table(hands={1: "JS KS"}, loose="2C KD")
    assert {"KSx2C+JS", "JS=13:2C", "JS=13:2C+KD"} & set(legal(state)) == {"JS=13:2C", "JS=13:2C+KD"}


@rule("royal-casino:royal-courts")
def test_at_some_tables_a_court_takes_one_card_of_its_rank_but_sets_and_a_build_besides():
    build = [{"value": 13, "sets": ["7C 6D"], "controller": 0}]
    state = table(options={"face_capture": "one"}, hands={1: "KS AS", 0: "KC"}, loose="KD KH TC 3D AC AD", builds=build)
    assert "KSx3D+TC+KD+[13]" in legal(state)
    assert refusal(state, "KSxKD+KH") == refusal(state, "KSxKD+KH+3D") == "royal-courts"
    assert "ASxAC+AD" in legal(state)


def test_a_refusal_reminds_of_the_values_that_matter():
    state = table(hands={1: "KS AS 4C"}, loose="JC QD 9S AD")
    assert "A jack counts 11" in str(refused(state, "KSx9S+JC"))
    assert "An ace counts 14 alone" in str(refused(state, "ASx9S+AD"))
    assert "counts 14" not in str(refused(state, "KSx9S+JC"))


TWELVE = [{"value": 12, "sets": [["5D", "7D"]], "controller": 0}]
FOURTEEN = [{"value": 14, "sets": [["4H", "TC"]], "controller": 1}]


@rule("royal-casino:royal-ace", "royal-casino:royal-values")
@pytest.mark.parametrize(
    ("hand", "builds", "move", "why", "part"),
    [
        ("8D", [], "8D=14:6S", "build-hold", "An ace counts 14"),
        ("8D", [], "8D=13:5C", "build-hold", "a king 13"),
        ("AS QD", FOURTEEN, "AS=12:JH", "keep-capture-card", "An ace counts 14"),
        ("AS JC", FOURTEEN, "JCx[14]", "capture-build", "An ace counts 14"),
        ("AS AC", TWELVE, "AS=14:[12]", "build-raise-exact", "1 in a sum"),
    ],
)
def test_every_refusal_about_a_court_or_an_ace_reminds_of_its_value(hand, builds, move, why, part):
    refusal = refused(table(hands={1: hand}, loose="6S 5C JH", builds=builds), move)
    assert refusal.rule == f"royal-casino:{why}"
    assert part in str(refusal)


# Builds


@rule("royal-casino:royal-build-values")
def test_builds_are_worth_two_to_fourteen():
    state = table(hands={1: "JS JD 6C 5D"}, loose="5C 6H")
    assert "6C=11:5C" in legal(state)
    with pytest.raises(ImpossiblePosition):
        table(hands={1: "AS"}, builds=[{"value": 1, "sets": ["AC", "AD"], "controller": 1}])
    with pytest.raises(ImpossiblePosition):
        table(hands={1: "AS"}, builds=[{"value": 15, "sets": ["KC 2D"], "controller": 1}])


@rule("royal-casino:royal-build-14", "royal-casino:build-hold")
def test_a_build_of_fourteen_needs_an_ace_that_stays():
    build = [{"value": 14, "sets": ["6C 8D"], "controller": 0}]
    one = table(hands={1: "AS 8C", 0: "AH"}, loose="6S KD", builds=build)
    assert "8C=14:6S+[14]" in legal(one)
    assert refusal(one, "AS=14:[14]") == refusal(one, "AS=14:KD+[14]") == "build-hold"
    assert "An ace counts" in str(refused(one, "AS=14:[14]"))
    two = table(hands={1: "AS AC", 0: "AH"}, loose="6S KD", builds=build)
    assert {"AS=14:[14]", "AS=14:KD+[14]"} <= set(legal(two))


@rule("royal-casino:royal-ace-build")
def test_aces_as_equals_build_fourteen():
    state = table(hands={1: "AS AC"}, loose="AD 8H 6C")
    assert {"AS=14:AD", "AS=14:AD+6C+8H", "AS=14:6C+8H"} <= set(legal(state))
    play(state, "AS=14:AD+6C+8H")
    assert sorted(map(sorted, state.builds[14].sets)) == [["6C", "8H"], ["AD"], ["AS"]]


@rule("royal-casino:royal-ace-raise", "royal-casino:build-raise-exact")
def test_an_ace_raises_by_one():
    build = [{"value": 11, "sets": ["5C 6D"], "controller": 0}]
    state = table(hands={1: "AS QC AC", 0: "JD"}, builds=build)
    assert "AS=12:[11]" in legal(state)
    assert refusal(state, "AS=14:[11]") == "build-raise-exact"


# Sweeps


@rule("royal-casino:sweep", "royal-casino:sweep-next", "royal-casino:sweep-mark")
def test_a_sweep_is_marked_by_its_card_and_leaves_an_empty_table():
    state = table(hands={1: "QS 4D", 0: "9C QD"}, loose="7C 5D")
    play(state, "QSx5D+7C")
    assert (state.sweeps, legal(state)) == ([0, 1], ["9C", "QD"])
    pile = next(zone for zone in state.view(None).zones if zone.id == "won:1")
    assert (pile.note, pile.cards) == ("sweeps: 1", ("QS", "5D", "7C"))
    assert state.dump()["turns"] == [[1, "QSx5D+7C*"]]
    assert "sweep" in render_text(state.view(0).log[-1].text, ["Ada"] * 4)
    play(state, "9C")
    pile = next(zone for zone in state.view(0).zones if zone.id == "won:1")
    assert (pile.cards, pile.count) == (("QS",), 3)


@rule("royal-casino:sweep-mark")
def test_samples_and_loaded_positions_keep_the_cards_of_the_sweeps():
    state = play(
        table(hands={1: "QS 4D", 0: "9C QD"}, loose="7C 5D", stock="2C 2D 2H 3S 3C 3D 3H 4S"), "QSx5D+7C", "9C"
    )
    for twin in (ROYAL_CASINO.load(state.dump()), ROYAL_CASINO.sample(state.view(0), Random(1))):
        assert twin.view(0) == state.view(0)
        assert "QS" in twin.won[1]
    with pytest.raises(ImpossiblePosition, match="sweep_cards"):
        ROYAL_CASINO.load({**state.dump(), "sweep_cards": [["QS"], []]})


def test_the_star_of_a_sweep_is_not_for_the_player_to_write():
    with pytest.raises(UnreadableMove):
        ROYAL_CASINO.parse("QSx5D+7C*")


@rule("royal-casino:sweep-last-card")
@pytest.mark.parametrize(("option", "points"), [("counts", 1), ("none", 0)])
def test_a_sweep_with_the_very_last_card(option, points):
    last = {"options": {"sweep_last_card": option}, "to_move": 0, "loose": "KD TS 3H"}
    assert sweep_points(play(table(**last, hands={0: "KC"}), "KCx3H+TS+KD")) == [points, 0]
    earlier = play(table(**last, hands={0: "KC", 1: "4D"}), "KCx3H+TS+KD")
    assert earlier.sweeps == [1, 0]
    before_a_deal = play(table(**last, hands={0: "KC"}, stock="2C 3C 4C 5C 6C 7C 8C 9C"), "KCx3H+TS+KD")
    assert before_a_deal.sweeps == [1, 0]


@rule("royal-casino:sweep-residue", "royal-casino:last-capture")
def test_what_is_left_on_the_table_is_no_sweep():
    state = play(table(to_move=0, hands={0: "KC"}, loose="QD", last_capturer=1, won={1: "4C 4D"}), "KC")
    assert sweep_points(state) == [0, 0]
    assert [zone.count for zone in state.results[0].zones] == [0, 4]


@rule("royal-casino:sweep-each")
@pytest.mark.parametrize(("option", "points"), [("each", [3, 2]), ("difference", [1, 0]), ("off", [0, 0])])
def test_sweeps_count_for_every_side_unless_the_table_says_otherwise(option, points):
    state = ROYAL_CASINO.load({"options": {"sweeps": option}, "won": {0: "4C 4D", 1: "5C"}, "sweeps": [3, 2]})
    assert sweep_points(state) == points


@rule("royal-casino:sweep-each")
def test_the_difference_is_taken_from_the_lowest_side_of_three():
    position = {"seats": 3, "options": {"sweeps": "difference"}, "won": {0: "4C"}, "sweeps": [3, 1, 2]}
    assert sweep_points(ROYAL_CASINO.load(position)) == [2, 0, 1]


def test_without_sweeps_nothing_is_marked():
    state = play(table(options={"sweeps": "off"}, hands={1: "QS 4D", 0: "9C QD"}, loose="7C 5D"), "QSx5D+7C")
    assert (state.dump()["turns"], state.sweeps, state.sweep_cards) == ([[1, "QSx5D+7C"]], [0, 0], [[], []])


# What stays as in Casino


@rule("royal-casino:players", "royal-casino:deal-first", "royal-casino:deal-count", "royal-casino:no-redeal")
@pytest.mark.parametrize(("seats", "deals"), [(2, 6), (3, 4), (4, 3)])
def test_two_to_four_get_four_cards_each_beside_four_on_the_table(seats, deals):
    state = fresh(seats)
    assert [len(hand) for hand in state.hands] == [4] * seats
    assert len(state.loose) == 4
    assert (len(state.stock) + 4 * seats) / (4 * seats) == deals
    with pytest.raises(BadOption):
        ROYAL_CASINO.read_options({}, 5)


@rule("royal-casino:deal-next", "royal-casino:deal-last")
def test_empty_hands_are_filled_again_and_the_last_deal_is_announced():
    state = table(hands={0: "9C"}, to_move=0, stock="2C 2D 3C 3D 4C 4D 5C 5D")
    play(state, "9C")
    assert [sorted(hand) for hand in state.hands] == [["3C", "3D", "5C", "5D"], ["2C", "2D", "4C", "4D"]]
    assert next(zone for zone in state.view(0).zones if zone.id == "stock").note == "last deal"


@rule("royal-casino:first-dealer", "royal-casino:dealer-rotation", "royal-casino:turn-order")
def test_the_deal_and_the_turn_move_to_the_left():
    state = ROYAL_CASINO.start(numbered_decks(pack()), seats=3, dealer=0)
    assert state.to_act == (1,)
    with pytest.raises(NotYourTurn):
        state.play(2, state.legal_moves(1)[0])
    after = ROYAL_CASINO.load({"seats": 3, "dealer": 1, "to_move": 1, "hands": {1: "4D"}, "loose": "KD"})
    assert play(after, "4D").dealer == 2


@rule("royal-casino:one-card", "royal-casino:trail", "royal-casino:trail-free", "royal-casino:always-a-move")
def test_one_card_is_played_and_may_always_be_trailed_without_a_build():
    state = table(hands={1: "KS AS"}, loose="KD AD")
    assert {"KS", "AS"} <= set(legal(state))
    assert refusal(state, "KS+AS") == refusal(state, "pass") == refusal(state, "QC") == "one-card"
    assert play(state, "AS").loose == ["KD", "AD", "AS"]


@rule("royal-casino:capture-equal", "royal-casino:capture-optional", "royal-casino:capture-pile")
def test_equal_cards_are_taken_as_many_as_one_likes():
    state = table(hands={1: "JS 2C"}, loose="JD JH 4C")
    assert {"JSxJD", "JSxJH", "JSxJD+JH", "JS"} <= set(legal(state))
    assert sorted(play(state, "JSxJD+JH").won[1]) == ["JD", "JH", "JS"]


@rule(
    "royal-casino:capture-min",
    "royal-casino:capture-sum",
    "royal-casino:capture-disjoint",
    "royal-casino:capture-combine",
)
def test_sets_are_divided_without_remainder():
    state = table(hands={1: "QS 2C"}, loose="QD 9C 3D 3H JC AS")
    assert "QSx3D+9C+AS+JC+QD" not in legal(state)
    assert "QSxAS+3D+9C+JC+QD" in legal(state)
    assert refusal(state, "QSx3D+3H+9C") == "capture-sum"
    assert refusal(state, "QSx") == "capture-min"


@rule("royal-casino:capture-build", "royal-casino:build-unit")
def test_a_build_is_taken_by_its_own_value_and_as_a_whole():
    build = [{"value": 11, "sets": ["5C 6D"], "controller": 0}]
    state = table(hands={1: "JS QS", 0: "JD"}, loose="AC", builds=build)
    assert "JSx[11]" in legal(state)
    assert refusal(state, "QSxAC+[11]") == "capture-build"
    assert refusal(state, "JSx5C+6D") == "build-unit"


@rule(
    "royal-casino:build-min", "royal-casino:build-sets", "royal-casino:build-hand-card",
    "royal-casino:build-single", "royal-casino:build-multiple", "royal-casino:build-announce",
)  # fmt: skip
def test_builds_are_sets_of_the_announced_value_with_the_card_played():
    state = table(hands={1: "2H KD KC"}, loose="JC 9S 4C")
    assert refusal(state, "2H=13:") == "build-min"
    assert refusal(state, "2H=13:JC+9S") == refusal(state, "2H=13:9S+4C") == "build-sets"
    single = play(state.copy(), "2H=13:JC").builds[13]
    assert (single.value, single.is_single, single.controller) == (13, True, 1)
    assert not play(state, "2H=13:4C+9S+JC").builds[13].is_single


@rule("royal-casino:build-merge", "royal-casino:build-join", "royal-casino:build-control")
def test_a_build_of_the_same_value_is_joined_and_changes_hands():
    build = [{"value": 13, "sets": ["7C 6D"], "controller": 0}]
    state = table(hands={1: "2H KD", 0: "KC"}, loose="JC", builds=build)
    play(state, "2H=13:JC")
    assert (list(state.builds), state.builds[13].controller, len(state.builds[13].sets)) == ([13], 1, 2)


@rule("royal-casino:build-raise", "royal-casino:build-raise-multiple")
def test_only_a_single_build_is_raised():
    hands = {1: "2H KD", 0: "JD"}
    single = table(hands=hands, builds=[{"value": 11, "sets": ["5C 6D"], "controller": 0}])
    assert "2H=13:[11]" in legal(single)
    double = table(hands=hands, builds=[{"value": 11, "sets": ["5C 6D", "JC"], "controller": 0}])
    assert refusal(double, "2H=13:[11]") == "build-raise-multiple"


@rule("royal-casino:no-trail-with-build", "royal-casino:keep-capture-card", "royal-casino:no-build-left")
def test_a_builder_keeps_a_card_for_the_build_and_does_not_trail():
    build = [{"value": 12, "sets": ["7C 5D"], "controller": 1}]
    state = table(hands={1: "QS 3C", 0: "9C"}, loose="QD", builds=build)
    assert refusal(state, "3C") == "no-trail-with-build"
    assert refusal(state, "QSxQD") == "keep-capture-card"
    allowed = table(options={"trail_with_build": "allowed"}, hands={1: "QS 3C", 0: "9C"}, loose="QD", builds=build)
    assert "3C" in legal(allowed)


@rule("royal-casino:score-cards", "royal-casino:score-spades", "royal-casino:score-aces")
@rule("royal-casino:score-big", "royal-casino:score-little", "royal-casino:score-tie-many")
def test_the_piles_are_scored_as_in_casino():
    sheet = scored({0: "AS AH TD 3S", 1: "2S AC KD"})
    assert sheet == {
        "score-cards": [3, 0], "score-spades": [1, 0], "score-big": [2, 0], "score-little": [0, 1],
        "score-aces": [2, 1],
    }  # fmt: skip
    three = scored({0: "4C 5C", 1: "6C 7C", 2: "8S"}, seats=3)
    assert three == {"score-tie-many": [0, 0, 0], "score-spades": [0, 0, 1]}


@rule("royal-casino:game-target", "royal-casino:game-tie", "royal-casino:hand-cap")
def test_the_highest_total_past_the_target_wins_and_a_tie_means_another_hand():
    def after(totals, **position):
        return ROYAL_CASINO.load({"won": {0: "4C", 1: "4D"}, "totals": totals, **position})

    assert after([21, 18]).outcome().places == (1, 2)
    assert after([20, 18]).outcome() is None
    assert after([22, 22]).outcome() is None
    assert after([22, 22], hand=14).outcome().places == (1, 1)
    assert ROYAL_CASINO.start(numbered_decks(pack()), seats=3).hand_cap == 17


@rule("royal-casino:game-target")
@pytest.mark.parametrize(("end", "places"), [("highest", (2, 1)), ("count-out", (1, 2))])
def test_several_sides_past_the_target(end, places):
    state = ROYAL_CASINO.load(
        {
            "options": {"end": end},
            "won": {0: "4C 5C 6C 7C", 1: "2S AC TD"},
            "totals": [20, 19],
            "sweeps": [0, 0],
        }
    )
    assert state.outcome().places == places


@rule("royal-casino:partner-pile", "royal-casino:partner-build")
def test_partners_share_a_pile_but_not_the_duties_of_a_builder():
    build = [{"value": 14, "sets": ["6C 8D"], "controller": 3}]
    state = table(
        seats=4, options={"partners": True}, hands={0: "2C", 1: "KD 4C", 2: "9C", 3: "AH"}, loose="TS", builds=build
    )
    assert "KD" in legal(state)
    assert refusal(state, "4C=14:TS") == "build-hold"
    assert ROYAL_CASINO.sides(state.options, 4) == ((0, 2), (1, 3))


def test_crowded_tables_list_maximal_captures_and_play_accepts_the_others():
    loose = "2C 2D 2H 3C 3D 3H 4C 4D 5C 5D 6C 6D 7C 8C"
    state = table(hands={1: "AS KS", 0: "9C"}, loose=loose)
    moves = legal(state)
    assert len(moves) < 1000
    play(state, "ASx6C+8C")
    assert state.won[1] == ["AS", "6C", "8C"]
