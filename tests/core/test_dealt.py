"""How states are copied: what a list, a dictionary or a set holds is the copy's own, everything else is shared."""

import pytest

from games.core.contract import IllegalMove, NotYourTurn
from games.core.dealt import copy_expression
from games.engines import get


@pytest.mark.parametrize(
    ("kind", "expression"),
    [
        ("list[str]", "value[:]"),
        ("list[tuple[list[str], int]]", "value[:]"),
        ("list[list[list[str]]]", "[[item1[:] for item1 in item0] for item0 in value]"),
        ("dict[int, Meld]", "value.copy()"),
        ("dict[str, list[int]]", "{key: item0[:] for key, item0 in value.items()}"),
        ("set[str]", "value.copy()"),
        ("tuple[int, ...]", "value"),
        ("Knock | None", "value"),
        ("int", "value"),
    ],
)
def test_the_type_of_a_field_says_how_it_is_copied(kind: str, expression: str):
    assert copy_expression(kind, "value") == expression


def test_a_refusal_names_the_game_and_its_rule():
    game = get("casino")
    with pytest.raises(IllegalMove, match=r"^Not now\.$") as refused:
        game.refuse("trail", "Not now.")
    assert refused.value.rule == "casino:trail"
    with pytest.raises(NotYourTurn) as refused:
        game.refuse_turn("turn-order", "Wait.")
    assert refused.value.rule == "casino:turn-order"
