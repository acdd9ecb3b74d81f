"""The values of the contract that need no game."""

import pytest

from games.core.contract import (
    BadOption,
    Event,
    ImpossiblePosition,
    Option,
    Phrase,
    Zone,
    numbers,
    open_zone,
    places,
    switch,
)
from games.core.positions import (
    by_seat,
    card_list,
    check_cards,
    known_keys,
    whole_number,
)
from games.core.words import render_text
from games.engines import GAMES


def test_options_are_read_from_values_and_from_texts():
    target = numbers("target", "Points", (11, 21), default=21)
    assert target.read(11) == target.read("11") == 11
    flag = switch("partners", "Partners", default=False)
    assert flag.read(True) is flag.read("true") is flag.read("True") is True
    assert flag.read("false") is False
    assert Option("match", "Match", "1", {"1": "one game", "best-of-3": "best of three"}).read(1) == "1"


@pytest.mark.parametrize("value", [12, "many", None, True, 1.5])
def test_an_option_refuses_other_values_and_names_the_choices(value):
    with pytest.raises(BadOption, match="11, 21"):
        numbers("target", "Points", (11, 21), default=21).read(value)


def ranged() -> Option:
    choices = {0: "off", "half": "half of it", 100: "100"}
    return Option("target", "Points", 100, choices, span=range(50, 501))


@pytest.mark.parametrize("value", [50, 133, 500, 0, "half"])
def test_an_option_with_a_span_reads_every_number_of_it_and_its_choices(value):
    assert ranged().read(value) == ranged().read(str(value)) == value
    assert ranged().label_of(value) == {0: "off", "half": "half of it"}.get(value, str(value))


@pytest.mark.parametrize(
    "value", [49, 501, 1, -133, "133.0", "0133", "1_33", "\u0661\u0663\u0663", 133.5, True, None, ""]
)
def test_an_option_with_a_span_refuses_what_is_outside_and_names_its_ends(value):
    with pytest.raises(BadOption, match="choose from 0, half, 50 to 500"):
        ranged().read(value)


def test_the_number_one_is_not_the_switch_on():
    with pytest.raises(BadOption):
        switch("partners", "Partners", default=False).read(1)
    assert Option("bonus", "Bonus", 0, {0: "none", 1: "one"}).read("1") == 1


def test_phrases_fit_a_button_and_a_log():
    assert render_text(Phrase("take", "3C with 8S").text, ()) == "Take 3C with 8S"
    assert render_text(Phrase("", "Big casino: TD").text, ()) == "Big casino: TD"
    assert render_text(Event(0, Phrase("take", "3C with 8S")).text, ["Anna"]) == "Anna takes 3C with 8S"
    assert render_text(Event(0, Phrase("pass")).text, ["Anna"]) == "Anna passes"
    assert render_text(Event(0, Phrase("go", "out")).text, ["Anna"]) == "Anna goes out"


def test_equal_scores_share_a_place():
    assert places((10, 30, 30, 5)) == (3, 1, 1, 4)


def test_zones_count_what_lies_face_down():
    assert Zone("stock", "stock", "Stock", count=31).hidden == 31
    assert open_zone("table", "row", "Table", ["8S", "TD"]).hidden == 0


def test_seats_are_read_from_lists_and_mappings():
    assert by_seat({1: "x", "0": "y"}, 2, "hands") == ["y", "x"]
    assert by_seat(["y", "x"], 2, "hands") == ["y", "x"]
    assert by_seat(None, 3, "hands") == [None] * 3


@pytest.mark.parametrize("value", [{2: "x"}, ["x"], "xy", 5])
def test_entries_for_other_seats_are_refused(value):
    with pytest.raises(ImpossiblePosition, match="hands"):
        by_seat(value, 2, "hands")


def test_positions_refuse_what_cannot_be():
    check_cards(["8S", "TD"], ["8S", "TD", "AC"])
    with pytest.raises(ImpossiblePosition, match="8S lies there 2 times"):
        check_cards(["8S", "8S"], ["8S", "TD"])
    with pytest.raises(ImpossiblePosition, match="no card ZZ"):
        check_cards(["ZZ"], ["8S"])
    with pytest.raises(ImpossiblePosition, match="no 'hand'"):
        known_keys({"hand": 1}, ["hands"])
    with pytest.raises(ImpossiblePosition, match="list or as text"):
        card_list([1, 2], "loose")
    for value in (True, "1", 3, -1):
        with pytest.raises(ImpossiblePosition, match="dealer"):
            whole_number(value, "dealer", low=0, high=2)
    assert whole_number(2, "dealer", low=0, high=2) == 2
    assert card_list("8s td", "loose") == ["8S", "TD"] and card_list(None, "loose") == []


def test_numbers_of_seats_are_said_in_words():
    words = {game.slug: game.seats_in_words for game in GAMES}
    assert words["casino"] == "2 to 4"
    assert words["partnership-cribbage"] == "2 or 4"
    assert words["piquet"] == "2"


@pytest.mark.parametrize("text", ["on", "Yes", "true", True])
def test_a_switch_can_be_written_in_several_ways(text):
    assert switch("sweeps", "Sweeps", default=False).read(text) is True
    in_words = Option("skunk", "Skunk", "off", {"off": "off", "on": "on"})
    assert in_words.read(text) == "on"
    with pytest.raises(BadOption):
        Option("target", "Target", 61, {61: "61", 121: "121"}).read(text)


def test_no_target_is_the_target_none():
    assert Option("target", "Target", 100, {"none": "no target", 100: "100"}).read(None) == "none"
    with pytest.raises(BadOption):
        Option("target", "Target", 100, {100: "100"}).read(None)
