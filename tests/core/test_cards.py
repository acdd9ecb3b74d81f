from games.core.cards import by_display, face, is_joker, pack, read_cards


def test_a_single_pack_has_no_copy_marks():
    cards = pack()
    assert len(cards) == len(set(cards)) == 52
    assert cards[0] == "AC" and cards[-1] == "KS"


def test_two_packs_with_jokers_mark_the_copies():
    cards = pack(copies=2, jokers=2)
    assert len(cards) == len(set(cards)) == 106
    assert {"7H1", "7H2", "XB", "XR"} <= set(cards)


def test_four_jokers_are_marked_like_the_other_cards_of_two_packs():
    assert pack(copies=2, jokers=4)[-4:] == ("XB1", "XR1", "XB2", "XR2")


def test_display_order_is_rank_then_suit_then_jokers():
    assert by_display(["XR", "KS", "AS", "TD", "AC", "9H"]) == ["AC", "AS", "9H", "TD", "KS", "XR"]


def test_faces_leave_the_copy_out():
    assert face("7H2") == "7H" and face("7H") == "7H"
    assert is_joker("XB") and not is_joker("AS")


def test_cards_are_read_from_text_and_lists():
    assert read_cards(" 8s  td ") == ["8S", "TD"] == read_cards(["8S", "10d"])
