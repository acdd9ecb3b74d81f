"""Events and labels of engines, worded for each reader. The markup itself: `tests/core/test_words.py`."""

import importlib

import pytest
from django.apps import apps

from games.core.contract import Event, Phrase
from games.core.words import render_text
from games.domain.wording import event_sentence, without_owner
from games.presentation.table_wording import result_reason

migration = importlib.import_module("games.migrations.0027_mark_verbs_of_results")


def test_names_replace_seats():
    assert render_text("Won by @1, dealt by @0", ["Ada", "Bob"]) == "Won by Bob, dealt by Ada"


@pytest.mark.parametrize(
    ("seat", "viewer", "sentence"),
    [
        (0, None, "Ada takes 3C with 3S."),
        (0, 1, "Ada takes 3C with 3S."),
        (0, 0, "You take 3C with 3S."),
        (None, 0, "Take 3C with 3S."),
    ],
)
def test_events_are_worded_for_the_reader(seat, viewer, sentence):
    event = Event(seat, Phrase("take", "3C with 3S"))
    assert event_sentence(event, ["Ada", "Bob"], viewer) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Gin for @0, 25 left for @1", "Gin for you, 25 left for Bob"),
        ("@0 [go] out and [win].", "You go out and win."),
        ("@1 [go] out and [win].", "Bob goes out and wins."),
        ("Nobody can play: @0 [win] with the fewest cards, 3.", "Nobody can play: you win with the fewest cards, 3."),
        ("@0 [have] gin. @0 [pass]", "You have gin. You pass"),
        ("@0 and @1 [share] the win", "You and Bob share the win"),
        ("@0 won with 27 points", "You won with 27 points"),
        ("@0's meld 1", "Your meld 1"),
        ("@0's deadwood", "Your deadwood"),
        ("Left in @0's hand", "Left in your hand"),
        ("@0's build of 8", "Your build of 8"),
        ("add 4C to @0's build", "add 4C to your build"),
    ],
)
def test_the_player_who_reads_is_you(text, sentence):
    assert render_text(text, ["Ada", "Bob"], viewer=0) == sentence


@pytest.mark.parametrize(
    ("label", "tag"),
    [
        ("@1's meld 3", "Meld 3"),
        ("Won by @0", "Won"),
        ("@0's discards", "Discards"),
        ("Captured by @1 and @3", "Captured by @1 and @3"),
        ("Left in @2's hand", "Left in hand"),
        ("Stock", "Stock"),
    ],
)
def test_a_label_beside_a_plate_has_no_name(label, tag):
    assert without_owner(label) == tag


def test_reasons_stored_with_bare_verbs_are_marked(table_of):
    table = table_of("alice", "bob", game="sixty-six")
    table.result = {"scores": [7, 3], "places": [1, 2], "reason": "@0 reaches 7 game points and wins 7 to 3."}
    table.save()
    migration.mark_verbs(apps, None)
    table.refresh_from_db()
    assert result_reason(table) == "alice reaches 7 game points and wins 7 to 3."
    assert result_reason(table, 0) == "You reach 7 game points and win 7 to 3."
    migration.mark_verbs(apps, None)
    assert table.result["reason"] == "@0 [reach] 7 game points and [win] 7 to 3."
