"""What everybody can check once a game is over: the page, its record and the script."""

import ast
import hashlib
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from games import services
from games.core import deals
from games.models import Seat, Table
from games.record import replay
from tests.pages import page_html
from tests.tables import add_values

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

SCRIPT = Path(__file__).parents[2] / "games" / "static" / "games" / "verify_deal.py"
VALUES = ("a1", "b2")


@pytest.fixture
def finished(person, play_on):
    """`finished()`: a game whose first dealer was drawn, with what both browsers added."""

    def make(**more):
        people = [person("alice"), person("bob")]
        terms = {"game": "casino", "seats": 2, "options": {"target": 11}, "created_by": people[0]} | more
        table = services.open_table(**terms)
        for user in people:
            table = services.sit_down(table_id=table.pk, user=user, shuffles=True)
        return play_on(add_values(table, *VALUES))

    return make


@pytest.fixture
def verify(tmp_path):
    """`verify(record, *options)`: what the script says of it."""

    def run(record, *options):
        (tmp_path / "deals.json").write_text(json.dumps(record))
        command = [sys.executable, str(SCRIPT), str(tmp_path / "deals.json"), *options]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)

    return run


def record_of(table):
    return Client().get(reverse("games:deals-json", args=[table.code])).json()


def page_of(table, browser=None):
    return page_html((browser or Client()).get(reverse("games:verify", args=[table.code])))


def other(text):
    return f"{'1' if text[0] == '0' else '0'}{text[1:]}"


def test_the_script_confirms_the_deals(finished, verify):
    table = finished()
    record = record_of(table)
    assert len(record["decks"]) == len(replay.state_of(Table.objects.with_seats().get()).results)
    saw = ",".join(seat["commitment"] for seat in record["contributions"])
    answer = verify(record, "--mine", "a1", "--saw", saw)
    assert answer.returncode == 0, answer.stdout
    for words in ("fits its seal", "deals are as computed", "as drawn", "Your number is in the shuffle", "browser saw"):
        assert words in answer.stdout
    assert answer.stdout.count("It fits its commitment.") == 2


def deck(record):
    record["decks"][-1].reverse()


def dealer(record):
    record["first_dealer"] = 1 - record["first_dealer"]


def secret(record):
    record["secret"] = other(record["secret"])


def seal(record):
    record["seal"] = other(record["seal"])


def commitment(record):
    seat = record["contributions"][1]
    seat["commitment"] = other(seat["commitment"])


def value(record):
    record["contributions"][1]["value"] = "b3"


def left_out(record):
    record["contributions"][1]["value"] = ""


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (deck, "DEALS THAT DIFFER"),
        (dealer, "WAS DRAWN"),
        (secret, "THE SECRET DOES NOT FIT"),
        (seal, "THE SECRET DOES NOT FIT"),
        (commitment, "IT DOES NOT FIT ITS COMMITMENT"),
        (value, "IT DOES NOT FIT ITS COMMITMENT"),
        (left_out, "DEALS THAT DIFFER"),
    ],
)
def test_the_script_fails_on_every_single_fault(finished, verify, fault, words):
    record = record_of(finished())
    fault(record)
    answer = verify(record)
    assert (answer.returncode, words in answer.stdout) == (1, True), answer.stdout


def test_the_script_fails_if_what_a_browser_kept_is_not_there(finished, verify):
    record = record_of(finished())
    assert verify(record, "--mine", "a2").returncode == 1
    assert verify(record, "--saw", f"{'0' * 64},{'0' * 64}").returncode == 1


def test_a_value_computed_for_other_decks_is_found_by_its_commitment_alone(finished, verify):
    """The site chooses another value afterwards, and deals by it: all decks fit, only the commitment does not."""
    record = record_of(finished())
    record["contributions"][1]["value"] = "b3"
    key, entropy = bytes.fromhex(record["secret"]), "a1,b3"
    pack, count = record["pack"], len(record["decks"])
    record["decks"] = [list(deals.shuffled(pack, key, entropy, number + 1)) for number in range(count)]
    record["first_dealer"] = deals.first_dealer(key, entropy, 2)
    answer = verify(record)
    assert answer.returncode == 1
    assert answer.stdout.count("NOT") == 1


def test_a_dealer_who_is_prescribed_is_said_to_be(finished, person, play_on, verify):
    old = finished()
    for name in ("alice", "bob"):
        new = services.join_rematch(table_id=old.pk, user=person(name), shuffles=True)
    new = services.resign(table_id=add_values(new).pk, user=person("alice"))
    record = record_of(new)
    assert record["first_dealer_by"] == "rematch"
    answer = verify(record)
    assert answer.returncode == 0, answer.stdout
    assert "It was not drawn: rematch" in answer.stdout
    assert "because the deal passes on after a game" in page_of(new)


def test_a_match_prescribes_its_dealer_and_nobody_adds_anything(person, verify):
    table = services.seat_and_start(
        game="casino", players=[person("alice"), person("bob")], options=None, first_dealer=1
    )
    table = services.resign(table_id=table.pk, user=person("alice"))
    record = record_of(table)
    assert record["first_dealer_by"] == "match"
    assert [seat["how"] for seat in record["contributions"]] == ["none", "none"]
    assert verify(record).returncode == 0
    html = page_of(table)
    assert "as the match requires" in html and "you have to trust the site" in html


def test_cards_played_once_more_are_checked_with_what_was_added_at_their_own_table(finished, person, verify, house_bot):
    house_bot("Ada", level="club")
    first = finished()
    again = services.branch_off(table=first, at=0, user=person("alice"), seat=0, level="club")
    record = record_of(services.resign(table_id=again.pk, user=person("alice")))
    assert [(seat["value"], seat["how"]) for seat in record["contributions"]] == [("a1", "source"), ("b2", "source")]
    assert record["first_dealer_by"] == "source"
    answer = verify(record)
    assert answer.returncode == 0, answer.stdout
    assert answer.stdout.count("It fits its commitment.") == 2


def test_a_game_from_before_there_were_commitments_is_checked_as_it_was(finished, verify):
    table = finished()
    Seat.objects.update(commitment="")
    record = record_of(table)
    answer = verify(record, "--mine", "a1")
    assert answer.returncode == 0, answer.stdout
    assert answer.stdout.count("No commitment to check") == 2
    html = page_of(table)
    assert "In older games like this one" in html
    assert html.count("made by the player&#x27;s browser") == 2


def test_the_page_tells_before_the_deal_only_who_has_committed(person, as_user):
    table = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None)
    table = services.sit_down(table_id=table.pk, user=person("bob"), shuffles=True)
    html = page_of(table)
    assert table.seats.first().entropy not in html
    assert "has not committed to a number yet" in html
    assert table.seats.first().commitment in html


def test_whose_browser_could_not_add_a_number_is_told_what_that_weakens(person, as_user):
    table = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None)
    alice = as_user(person("alice"))
    weakens = "The shuffle is fair if the site or any other player is honest."
    assert weakens.replace("&#x27;", "'") in page_html(alice.get(table.get_absolute_url()))
    services.sit_down(table_id=table.pk, user=person("bob"), shuffles=True)
    table = services.leave_table(table_id=add_values(table_now(table)).pk, user=person("bob"))
    assert "The shuffle is fair if" in page_of(table, alice)
    assert "The shuffle is fair if" not in page_of(table)


def table_now(table):
    return Table.objects.with_seats().get(pk=table.pk)


def test_the_script_runs_on_old_pythons_and_is_as_short_as_the_page_says(finished):
    source = SCRIPT.read_text()
    ast.parse(source, feature_version=(3, 9))
    assert len(source.splitlines()) < 80
    html = page_of(finished())
    assert "under eighty lines" in html and "you have to trust the site" not in html


def test_the_migration_marks_as_drawn_what_the_pages_said_was_drawn(finished, person):
    drawn = finished()
    rematch = services.join_rematch(table_id=drawn.pk, user=person("alice"))
    match = services.seat_and_start(game="casino", players=[person("alice"), person("bob")], options=None)
    services.join_rematch(table_id=drawn.pk, user=person("bob"))
    Table.objects.update(is_dealer_drawn=False)
    import_module("games.migrations.0024_commit_and_reveal").mark_drawn_dealers(apps, None)
    marked = Table.objects.filter(is_dealer_drawn=True)
    assert [*marked] == [drawn] and {rematch, match}.isdisjoint(marked)


def test_the_shuffle_is_what_the_page_says():
    """The words of the docstring, computed by hand."""
    assert deals.bound_commitment("ab", "cd") == hashlib.sha256(b"ab:cd").hexdigest()
