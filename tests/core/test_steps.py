"""Steps that lay, enlarge and rob melds: their text, and what a robbed meld leaves."""

import pytest

from games.core.rummy.melds import read_meld
from games.core.rummy.steps import Theft, parts_left, read_step


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("m 6s+6c<2+6h", "M 6C<2+6H+6S"),
        ("M 7H1-6H1-5H1", "M 5H1-6H1-7H1"),
        ("L3: 5H-6H-7H-8H", "L3 5H-6H-7H-8H"),
        ("L3 5H-6H-7H<3-8H<4", "L3 5H-6H-7H-8H<4"),
        ("M XB<4(7H1)+KC1+KD1", "M KC1+KD1+XB<4(7H1)"),
        ("M 9C", "M 9C"),
    ],
)
def test_a_step_has_one_text(text, step):
    assert str(read_step(text)) == step
    assert read_step(step) == read_step(text)


@pytest.mark.parametrize(
    "text",
    ["", "M", "6C+6H+6S", "M 6C+6H-6S", "M 6C+", "L0 6C+6H", "M 6C<+6H", "M 6C<1()+6H", "M 6C<0+6D+6H", "M ZZ+6H"],
)
def test_other_text_is_no_step(text):
    assert read_step(text) is None


def test_a_step_tells_which_cards_come_from_the_hand():
    assert read_step("M XB<4(7H)+KC+KD<2").laid() == ("KC", "7H")
    assert read_step("L1 4H-5H-6H-7H-8H<2").laid(read_meld("4H-5H-6H")) == ("7H",)
    assert read_step("M 6H<1+6C+6S").thefts == (Theft("6H", 1),)


@pytest.mark.parametrize(
    ("meld", "taken", "left"),
    [
        ("6C+6D+6H+6S", "6D", ["6C+6H+6S"]),
        ("4H-5H-6H-7H-8H-9H-TH", "7H", ["4H-5H-6H", "8H-9H-TH"]),
        ("4H-5H-6H-7H", "4H", ["5H-6H-7H"]),
        ("4H-5H-6H-7H", "5H 6H", ["4H", "7H"]),
        ("4H-5H-6H", "4H 5H 6H", []),
        ("6C+6D+6H", "6C 6D 6H", []),
    ],
)
def test_a_robbed_meld_leaves_a_set_or_pieces_of_a_run(meld, taken, left):
    assert [
        ("+" if part.kind == "set" else "-").join(part.cards) for part in parts_left(read_meld(meld), taken.split())
    ] == left
