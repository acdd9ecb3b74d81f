"""Sets and runs: one test for each rule of a meld, in the sequences that games use."""

import pytest

from games.core.rummy.melds import MeldRules, meld_run, meld_set, read_meld, upwards

rule = pytest.mark.rule

ROUND = MeldRules("round")


def fault(text: str, rules: MeldRules = ROUND) -> str | None:
    found = rules.fault(read_meld(text))
    return found and found.rule


@rule("vatican:set-rank", "vatican:meld-size", "vatican:run-suit")
@pytest.mark.parametrize(
    "text",
    ["7C1+7D1+7H1", "7C1+7D2+7H1+7S2", "4H1-5H2-6H1", "7C1+7D1+XB", "4H1-XB-6H1", "XB-XR-6H1", "7C1+XB+XR"],
)
def test_these_are_melds(text):
    assert fault(text) is None


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        pytest.param("7C1+7D1", "meld-size", marks=rule("vatican:meld-size")),
        pytest.param("XB+XR", "meld-size", marks=rule("vatican:meld-size")),
        pytest.param("XB+XR+XB", "meld-natural", marks=rule("vatican:meld-natural")),
        pytest.param("7C1+7D1+8H1", "set-rank", marks=rule("vatican:set-rank")),
        pytest.param("7C1+7D1+7D2", "set-suits", marks=rule("vatican:set-suits")),
        pytest.param("7C1+7D1+7H1+7S1+XB", "set-suits", marks=rule("vatican:set-suits")),
        pytest.param("4H1-5H1-6D1", "run-suit", marks=rule("vatican:run-suit")),
        pytest.param("4H1-5H1-7H1", "run-sequence", marks=rule("vatican:run-sequence")),
        pytest.param("4H1-XB-5H1", "run-sequence", marks=rule("vatican:run-sequence")),
        pytest.param("4H1-5H1-5H2", "run-length", marks=rule("vatican:run-length")),
        pytest.param(
            "-".join(f"{rank}C1" for rank in "A23456789TJQKA"), "run-length", marks=rule("vatican:run-length")
        ),
    ],
)
def test_each_fault_names_its_rule_and_says_what_would_do(text, broken):
    found = ROUND.fault(read_meld(text))
    assert found.rule == broken
    assert " ".join(read_meld(text).cards) in found.message and found.message.endswith(".")


@pytest.mark.parametrize(
    ("text", "sequences"),
    [
        ("A-2-3", {"low", "high_or_low", "round"}),
        ("Q-K-A", {"high", "high_or_low", "round"}),
        ("K-A-2", {"round"}),
        ("J-Q-K", {"low", "high", "high_or_low", "round"}),
        ("A-2-3-4-5-6-7-8-9-T-J-Q-K", {"low", "high_or_low", "round"}),
        ("7-8-9-T-J-Q-K-A-2-3-4-5-6", {"round"}),
    ],
)
def test_each_sequence_has_its_runs(text, sequences):
    run = meld_run(f"{rank}H" for rank in text.split("-"))
    kinds = ("low", "high", "high_or_low", "round")
    assert {kind for kind in kinds if MeldRules(kind).fault(run) is None} == sequences


def test_sets_of_any_suits_may_be_larger_and_show_a_suit_twice():
    rules = MeldRules("high", "any", largest_set=8)
    assert rules.fault(meld_set(["7C1", "7C2", "7D1", "7D2", "7H1", "7H2", "7S1", "7S2"])) is None
    assert rules.fault(meld_set(["7C1"] * 9)).rule == "set-suits"
    assert rules.fault(meld_set(["7C1", "7C2", "8C1"])).rule == "set-rank"


@rule("vatican:joker-face")
def test_a_joker_in_a_run_stands_for_the_card_of_its_place():
    assert ROUND.faces(read_meld("XB-KS1-XR-2S1")) == ({"QS"}, {"KS"}, {"AS"}, {"2S"})


@rule("vatican:joker-face")
def test_a_joker_in_a_set_stands_for_every_suit_that_is_missing():
    assert ROUND.faces(read_meld("7C1+7D1+XB")) == ({"7C"}, {"7D"}, {"7H", "7S"})
    assert ROUND.faces(read_meld("7C1+XB+XR"))[1:] == ({"7D", "7H", "7S"},) * 2


def test_text_is_read_in_any_order_of_a_set_and_in_both_directions_of_a_run_with_jokers():
    assert read_meld(" 9d1 + xb+9C1") == read_meld("9C1+9D1+XB")
    assert read_meld("6H1-5H1-4H1") == read_meld("4H1-5H1-6H1")
    assert str(read_meld("2H1-XB-KH1")) == "KH1-XB-2H1"


@pytest.mark.parametrize("text", ["7C1", "7C1+7D1-7H1", "7C1++7D1", "", "-", "7C1+ZZ+7D1", "7+8+9", "7C1-8C3-9C1"])
def test_text_without_one_kind_of_mark_or_with_what_is_no_card_is_unreadable(text):
    with pytest.raises(ValueError):
        read_meld(text)


@pytest.mark.parametrize(
    ("cards", "readings"),
    [
        ("7H1 7C1 7D1", ["7C1+7D1+7H1"]),
        ("6H1 4H1 5H1", ["4H1-5H1-6H1"]),
        ("2H1 KH1 AH2", ["KH1-AH2-2H1"]),
        ("XB 6H1 5H1", ["5H1-6H1-XB", "XB-5H1-6H1"]),
        ("7H1 XB 5H1", ["5H1-XB-7H1"]),
        ("7H1 7C1 8D1", []),
        ("7H1 7H2 XB", []),
        ("XB XR", []),
    ],
)
def test_a_group_is_read_as_every_meld_that_it_can_be(cards, readings):
    assert [str(meld) for meld in ROUND.readings(cards.split())] == readings


def test_one_natural_and_two_jokers_can_be_a_set_and_runs():
    found = {str(meld) for meld in ROUND.readings(["XB", "7H1", "XR"])}
    assert {"7H1+XB+XR", "7H1-XB-XR", "XB-7H1-XR", "XR-XB-7H1"} <= found
    assert len(found) == 7


WILD_DEUCES = MeldRules("high_or_low", wild="X2")


def test_other_ranks_can_be_wild_too():
    assert fault("AS1-2H1-3S1", WILD_DEUCES) is None
    assert fault("2S1-7S1-2H1", WILD_DEUCES) is None
    assert fault("7S1+7H1+2S1", WILD_DEUCES) is None
    assert fault("2S1+2H1+XB", WILD_DEUCES) == "meld-natural"
    assert WILD_DEUCES.faces(meld_run(["2D1", "XB", "AS1"])) == ({"QS"}, {"KS"}, {"AS"})
    assert fault("AS1-2H1-4S1", WILD_DEUCES) == "run-sequence"


@pytest.mark.parametrize(
    ("text", "rules", "growth"),
    [
        ("7S1+7H1+XB", ROUND, {"set": {"7C", "7D"}}),
        ("7S1+7H1+7C1+XB", ROUND, {}),
        ("7S1+7H1+7S2", MeldRules("high", "any", largest_set=8), {"set": {"7C", "7D", "7H", "7S"}}),
        ("5S1-6S1-XB", ROUND, {"low": {"4S"}, "high": {"8S"}}),
        ("AS1-2S1-3S1", ROUND, {"low": {"KS"}, "high": {"4S"}}),
        ("AS1-2S1-3S1", WILD_DEUCES, {"high": {"4S"}}),
        ("QS1-KS1-AS1", WILD_DEUCES, {"low": {"JS"}}),
        ("QS1-KS1-AS1", ROUND, {"low": {"JS"}, "high": {"2S"}}),
        ("-".join(f"{rank}C1" for rank in "A23456789TJQK"), WILD_DEUCES, {}),
    ],
)
def test_a_meld_tells_where_it_can_grow(text, rules, growth):
    assert rules.growth(read_meld(text)) == growth


def test_wild_cards_have_no_say_in_which_way_a_run_is_written():
    assert upwards(["8H1", "2D1", "6H1"], wild="X2") == ["6H1", "2D1", "8H1"]
    assert upwards(["8H1", "2D1", "6H1"]) == ["8H1", "2D1", "6H1"]
    assert upwards(["6H1", "2D1", "8H1"], wild="X2") == ["6H1", "2D1", "8H1"]


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("5H1-4H2-6H1", "4H2-5H1-6H1"),
        ("AS1-KS1-QS1", "QS1-KS1-AS1"),
        ("2S1-KS1-AS1", "KS1-AS1-2S1"),
        ("3C-AC-2C", "AC-2C-3C"),
        ("7H1-XB-5H1", "5H1-XB-7H1"),
        ("XB-6H1-5H1", "5H1-6H1-XB"),
        ("6H1-XB-5H1", "6H1-XB-5H1"),
        ("5H1-4H1-7H1", "5H1-4H1-7H1"),
        ("5H1-4H1-5H2", "5H1-4H1-5H2"),
        ("-".join(f"{rank}C" for rank in "2A3456789TJQK"), "-".join(f"{rank}C" for rank in "2A3456789TJQK")),
    ],
)
def test_a_run_is_read_in_any_order_that_tells_where_its_jokers_stand(text, run):
    assert str(read_meld(text)) == run
