"""What engines say of seats, for whoever reads it."""

import pytest

from games.core.contract import Event, Phrase
from games.domain.wording import event_sentence, with_names, without_owner


def test_names_stand_where_the_engine_wrote_seats():
    assert with_names("Won by @1, dealt by @0", ["Ada", "Bob"]) == "Won by Bob, dealt by Ada"


@pytest.mark.parametrize(
    ("seat", "viewer", "sentence"),
    [
        (0, None, "Ada takes 3C with 3S."),
        (0, 1, "Ada takes 3C with 3S."),
        (0, 0, "You take 3C with 3S."),
        (None, 0, "Take 3C with 3S."),
    ],
)
def test_events_are_told_from_where_one_sits(seat, viewer, sentence):
    event = Event(seat, Phrase("take", "3C with 3S"))
    assert event_sentence(event, ["Ada", "Bob"], viewer) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Gin for @0, 25 left for @1", "Gin for you, 25 left for Bob"),
        ("@0 goes out and wins.", "You go out and win."),
        ("@1 goes out and wins.", "Bob goes out and wins."),
        ("Nobody can play: @0 wins with the fewest cards, 3.", "Nobody can play: you win with the fewest cards, 3."),
        ("@0 has gin. @0 passes", "You have gin. You pass"),
        ("@0 and @1 share the win", "You and Bob share the win"),
        ("@0 won with 27 points", "You won with 27 points"),
        ("Meld 1 of @0", "Your meld 1"),
        ("Deadwood of @0", "Your deadwood"),
        ("Left in the hand of @0", "Left in your hand"),
        ("Build of 8 by @0", "Build of 8 by you"),
        ("add 4C to @0's build", "add 4C to your build"),
    ],
)
def test_whoever_looks_is_spoken_to(text, sentence):
    assert with_names(text, ["Ada", "Bob"], viewer=0) == sentence


@pytest.mark.parametrize(
    ("label", "tag"),
    [
        ("Meld 3 of @1", "Meld 3"),
        ("Won by @0", "Won"),
        ("Your discards", "Discards"),
        ("Captured by @1 and @3", "Captured by @1 and @3"),
        ("Left in the hand of @2", "Left in the hand"),
        ("Stock", "Stock"),
    ],
)
def test_beside_a_plate_nobody_is_named_again(label, tag):
    assert without_owner(label) == tag
