"""Results as files."""

import csv
import json
from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from django.urls import reverse

from tests.pages import page_words
from tests.tournaments.factories import NOON, lose, person, started, table_of
from tournaments import services
from tournaments.domain.errors import EventError
from tournaments.files import exports
from tournaments.files.event_files import event_from_json
from tournaments.models import Event
from tournaments.presentation import draw_of

pytestmark = pytest.mark.django_db


def download(client, name: str, event: Event) -> str:
    return client.get(reverse(f"tournaments:download-{name}", args=[event.pk])).content.decode()


def lines(client, name: str, event: Event) -> list[dict[str, str]]:
    return list(csv.DictReader(download(client, name, event).splitlines()))


@pytest.fixture
def swiss(event) -> Event:
    """Three rounds of four: who comes first in the alphabet wins, and the last round is being played."""
    played = started(event(people="ann bob cat dan", format="swiss", format_options={"planned_rounds": 3}))
    for _ in range(2):
        for match in list(played.matches.filter(status="playing")):
            lose(played, max(side.entry.user.username for side in match.sides.all()))
    return played


def test_standings_are_a_table_with_a_line_for_each_entry(client, swiss):
    rows = lines(client, "standings", swiss)
    counts = {row["Name"]: (row["Points"], row["Won"], row["Lost"]) for row in rows}
    assert (counts["ann"], counts["dan"]) == (("2", "2", "0"), ("0", "0", "2"))
    assert [row["Place"] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0]["Name"] == "ann"
    assert rows[3]["Why"].startswith(f"behind {rows[2]['Name']} by points: 0 to ")


def test_results_have_a_line_for_each_side_of_each_match(client, swiss):
    rows = lines(client, "results", swiss)
    assert [row["Round"] for row in rows] == ["1"] * 4 + ["2"] * 4 + ["3"] * 4
    assert {row["Name"] for row in rows if row["Place"] == "1" and row["Round"] == "2"} < {"ann", "bob", "cat"}
    assert {row["Status"] for row in rows if row["Round"] == "3"} == {"being played"}


def test_a_name_that_a_spreadsheet_would_compute_is_defused(client, event):
    played = started(event(people="@SUM(1) bob"))
    assert {row["Name"] for row in lines(client, "standings", played)} == {"'@SUM(1)", "bob"}


def test_the_json_holds_every_documented_key(client, swiss):
    data = json.loads(download(client, "json", swiss))
    documented = exports.__doc__
    for part in (data, data["event"], data["entries"][0], data["standings"][0], data["matches"][0]):
        assert all(f"`{key}`" in documented for key in part)
    first = data["standings"][0]
    assert (first["place"], first["points"], first["wins"]) == (1, 2.0, 2)
    assert first["tie_breaks"][0]["code"] == "BH-C1"
    assert len(data["matches"]) == 6
    assert data["matches"][0]["games"][0].startswith("http://testserver/")


def test_no_file_tells_what_is_not_published_or_hidden(client, event):
    hidden = started(event(people="ann bob", format="swiss", format_options={"planned_rounds": 1}, dealing="same"))
    assert table_of(hidden.matches.get()).code not in download(client, "json", hidden)
    proposed = started(event(people="ann bob", format="swiss", publishes_by_hand=True))
    assert proposed.matches.filter(status="proposed").exists()
    assert json.loads(download(client, "json", proposed))["matches"] == []
    assert lines(client, "results", proposed) == []


def read_report(text: str) -> Iterator[tuple[int, str, float, list[tuple[int, str, str]]]]:
    """A small reader of report files: number, name, points, and of each round the opponent, the side and the sign."""
    for line in text.splitlines():
        if line.startswith("001"):
            rounds = [line[start : start + 10] for start in range(91, len(line), 10)]
            results = [(int(cell[:4]), cell[5], cell[7:8].strip()) for cell in rounds]
            yield int(line[4:8]), line[14:47].strip(), float(line[80:84]), results


def test_a_report_of_a_swiss_can_be_read_again(client, swiss):
    text = download(client, "trf", swiss)
    assert "042 2026/11/20" in text
    players = {number: (name, points, results) for number, name, points, results in read_report(text)}
    assert {name: points for name, points, _ in players.values()} == {
        entry.name: float(standing.points)
        for standing in draw_of(swiss).ranking
        for entry in [draw_of(swiss).entries[standing.entrant]]
    }
    mirror = {"1": "0", "0": "1", "": ""}
    for number, (_, points, results) in players.items():
        assert points == sum(sign == "1" for _, _, sign in results)
        for index, (opponent, side, sign) in enumerate(results):
            assert players[opponent][2][index] == (number, {"w": "b", "b": "w"}[side], mirror[sign])


def test_a_report_has_only_letters_that_every_program_reads(client, event):
    played = started(event(name="Füchse", people="jörg 李 bob dan", format="swiss"))
    text = download(client, "trf", played)
    assert text.isascii()
    assert "012 Fuchse" in text
    nameless = played.entries.get(user=person("李")).seed
    assert {name for _, name, _, _ in read_report(text)} == {"jorg", "bob", "dan", f"Entry {nameless}"}


def test_only_a_swiss_has_a_report(client, event):
    played = started(event(people="ann bob"))
    assert client.get(reverse("tournaments:download-trf", args=[played.pk])).status_code == 404


def event_file(event: Event) -> str:
    return json.dumps(exports.event_as_json(draw_of(event), site=""), default=str)


def test_an_exported_event_makes_another_one(event):
    options = {"planned_rounds": 5, "tie_breaks": ["DE", "LOTS"]}
    old = event(format="swiss", format_options=options, match_games=3, half_byes=2, password="secret")
    new = event_from_json(event_file(old), starts_at=NOON)
    assert {**new.setting_values(), "password": ""} == {**old.setting_values(), "password": ""}
    assert (new.name, new.pk, new.password) == (old.name, None, "")


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", "null", "1", '{"setup": []}', '{"setup": {"password": "x"}}', '{"setup": {"lots": "x"}}',
        "[" * 100_000,
    ],
)  # fmt: skip
def test_other_files_make_no_event(text):
    with pytest.raises(EventError, match="isn't the JSON file of a tournament"):
        event_from_json(text, starts_at=NOON)


@pytest.mark.parametrize(
    "fault",
    [
        {"game": "chess"}, {"format": "ladder"}, {"seats": 7}, {"match_games": "many"}, {"options": {"target": 12}},
        {"format_options": {"planned_rounds": 3}}, {"name": "x" * 101}, {"move_seconds": -1}, {"options": 3},
        {"format_options": [1]},
        {"format": "swiss", "format_options": {"tie_breaks": [1]}},
        {"format": "swiss", "format_options": {"planned_rounds": "five"}},
    ],
)  # fmt: skip
def test_settings_that_an_event_cannot_have_are_named(event, fault):
    found = json.loads(event_file(event()))
    found["setup"] |= fault
    with pytest.raises(EventError, match="can't be used"):
        event_from_json(json.dumps(found), starts_at=NOON)


def test_a_file_opens_the_form_of_a_new_event(director, event):
    old = event(format="swiss", name="Club evening")
    sent = SimpleUploadedFile("event.json", event_file(old).encode())
    page = director.post(reverse("tournaments:new-from-file"), {"file": sent})
    assert page.context["form"].initial["name"] == "Club evening"
    broken = director.post(reverse("tournaments:new-from-file"), {"file": SimpleUploadedFile("event.json", b"x")})
    assert broken.status_code == 422 and "the JSON file of a tournament" in page_words(broken)


def test_a_report_names_rounds_dates_tie_breaks_and_forbidden_pairs(client, swiss):
    one, other = (swiss.entries.get(user__username=name) for name in ("ann", "bob"))
    services.forbid_pair(event_id=swiss.pk, first=one.pk, second=other.pk, by=person("boss"))
    head = download(client, "trf", swiss).splitlines()[:12]
    first, second = sorted((one.seed, other.seed))
    assert {"142 3", "202 BH/C1,BH,SB,DE", f"260   1   3 {first:4} {second:4}"} <= {*head}
    days = next(line for line in head if line.startswith("132"))
    assert days[91:99] == f"{swiss.rounds.get(number=1).published_at:%y/%m/%d}" and len(days) == 89 + 3 * 10
    Event.objects.update(reasons_are_private=True, version=F("version") + 1)
    assert "\n260" not in download(client, "trf", swiss)
