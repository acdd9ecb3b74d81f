"""Travellers: every table's result of a deal, once the last one is over."""

from __future__ import annotations

import csv
import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import services as games
from games.models import CoachReview, Table
from games.queries.coach_reviews import readable_reviews
from tests.pages import page_html, page_words
from tests.tournaments.factories import (
    advance,
    end_with,
    entry_of,
    match_of,
    person,
    running_tables,
    started,
)
from tournaments import services
from tournaments.files.exports import event_as_json
from tournaments.models import Event, Match, MatchGame
from tournaments.presentation import draw_of
from tournaments.presentation.travellers import sheets_of_deal, traveller_sheets

SAME = {"dealing": "same", "compared_by": "matchpoints", "match_rule": "points"}
SWISS = {"format": "swiss", "format_options": {"planned_rounds": 2}}


@pytest.fixture
def noon(event) -> Event:
    """Three tables of a Swiss, in their first round."""
    return started(event(people="ann bob cat dan eve fay", **SAME | SWISS))


def end_all(event: Event, *scores: tuple[int, int]) -> list[Table]:
    tables = running_tables(event)
    for table, points in zip(tables, scores, strict=True):
        end_with(table, points)
    advance(event)
    return tables


def address(table: Table) -> str:
    row = MatchGame.objects.select_related("match").get(table=table)
    return reverse("tournaments:traveller", args=[row.match.event_id, row.match.round_id, row.deal])


def page(client: Client, name: str, event: Event):
    return client.get(reverse(f"tournaments:{name}", args=[event.pk]))


def test_a_traveller_lists_all_tables_best_first_with_matchpoints_and_share(noon):
    tables = end_all(noon, (11, 5), (11, 2), (11, 5))
    (sheet,) = traveller_sheets(noon)
    assert (sheet.round_title, sheet.deal, sheet.side_names) == ("Round 1", 1, ["Seat 1", "Seat 2 (dealer)"])
    assert [row.scores for row in sheet.rows] == ["11 : 2", "11 : 5", "11 : 5"]
    assert [[side.compared for side in row.sides] for row in sheet.rows] == [["2", "0"], ["½", "1½"], ["½", "1½"]]
    assert [[side.percent for side in row.sides] for row in sheet.rows] == [
        ["100.0", "0.0"],
        *[["25.0", "75.0"]] * 2,
    ]
    assert [(one.difference, one.tables, one.compared) for one in sheet.frequencies] == [
        ("+9", 1, ("2", "0")),
        ("+6", 2, ("½", "1½")),
    ]
    assert sheet.rows[0].table == tables[1]


def test_the_page_links_each_play_to_its_replay(client, noon):
    tables = end_all(noon, (11, 5), (11, 2), (11, 5))
    found = client.get(address(tables[0]))
    for table in tables:
        assert reverse("games:replay", args=[table.code]) in page_html(found)
        assert client.get(reverse("games:replay", args=[table.code])).status_code == 200
    assert "How often each result was made" in page_words(found)
    assert address(tables[0]) in page_html(page(client, "travellers", noon))
    assert address(tables[0]) in page_html(client.get(noon.get_absolute_url(), {"round": 1}))


def test_a_deal_shows_what_the_coach_found_in_reviewed_games(client, noon):
    tables = end_all(noon, (11, 5), (11, 2), (11, 5))
    assert "Mistakes (coach)" not in page_words(client.get(address(tables[0])))
    first, second = tables[1].seats.get(number=0), tables[0].seats.get(number=1)
    rows = [{"is_mistake": True}, {"is_mistake": False}, {"is_mistake": True}]
    now = timezone.now()
    CoachReview.objects.create(table=tables[1], user=first.user, seat=0, asked_at=now, finished_at=now, decisions=rows)
    unfinished = CoachReview.objects.create(table=tables[0], user=second.user, seat=1, asked_at=now, decisions=rows)
    [sheet] = traveller_sheets(noon)
    assert [row.mistakes for row in sheet.rows] == ["2 : –", "", ""]
    words = page_words(client.get(address(tables[0])))
    assert "Mistakes (coach)" in words and "2 : –" in words and "that the coach found" in words
    assert [review.table for review in readable_reviews(tables[1], person("stranger"))] == [tables[1]]
    assert not readable_reviews(tables[0], person("stranger")).exists()
    assert readable_reviews(tables[0], second.user).get() == unfinished


def test_own_results_are_listed_by_deal(client, noon):
    (table, *_) = end_all(noon, (11, 5), (11, 2), (11, 0))
    client.force_login(table.seats.get(number=0).user)
    assert "Round 1, deal 1 3 11 0 (0.0 %)" in page_words(page(client, "travellers", noon))
    client.logout()
    assert "Your score" not in page_words(page(client, "travellers", noon))


def test_nobody_sees_a_deal_that_another_table_still_plays(client, noon):
    one, other, third = running_tables(noon)
    end_with(one, (11, 4))
    end_with(other, (11, 2))
    advance(noon)
    staff = person("staff")
    staff.is_staff = staff.is_superuser = True
    staff.save()
    for user in (None, one.seats.get(number=0).user, third.seats.get(number=0).user, staff):
        browser = Client()
        if user:
            browser.force_login(user)
        assert browser.get(address(one)).status_code == 403
        for name in ("travellers", "download-travellers", "download-json", "download-standings"):
            text = page_html(page(browser, name, noon))
            assert "11 : 4" not in text and ",11," not in text and one.code not in text
    assert traveller_sheets(noon) == []
    assert {row.compared for row in draw_of(noon).rows(draw_of(noon).ranking)} == {""}
    end_with(third, (11, 3))
    advance(noon)
    assert client.get(address(one)).status_code == 200


@pytest.mark.parametrize("state", ["hidden", "running", "waiting"])
def test_one_table_that_is_not_over_closes_the_deal_again(noon, state):
    """Whatever reveals the others: a director's correction, an undo, a round that got one more match."""
    tables = end_all(noon, (11, 5), (11, 2), (11, 5))
    row = tables[0].match_game
    assert sheets_of_deal(noon, row.match.round_id, 1)
    if state == "hidden":
        Table.objects.filter(pk=tables[0].pk).update(is_hidden=True)
    elif state == "running":
        Table.objects.filter(pk=tables[0].pk).update(status=Table.Status.RUNNING)
    else:
        Match.objects.filter(pk=row.match_id).update(status=Match.Status.WAITING)
    assert sheets_of_deal(noon, row.match.round_id, 1) == []


def test_other_events_have_no_travellers_and_other_addresses_no_deal(client, event, noon):
    plain = started(event(people="gus hal", name="Plain"))
    assert page(client, "travellers", plain).status_code == 404
    (table, *_) = end_all(noon, (11, 5), (11, 2), (11, 5))
    elsewhere = started(event(people="ian jim", name="Other", **SAME | SWISS))
    row = table.match_game
    for args in ([noon.pk, row.match.round_id, 2], [elsewhere.pk, row.match.round_id, 1]):
        assert client.get(reverse("tournaments:traveller", args=args)).status_code == 404


def test_standings_have_the_totals_of_all_rounds_that_are_over(client, noon):
    end_all(noon, (11, 5), (11, 2), (11, 0))
    end_all(noon, (11, 0), (11, 3), (11, 3))
    draw = draw_of(noon)
    shown = {row.entry.pk: (row.compared, row.percent) for row in draw.rows(draw.ranking)}
    totals = draw.duplicate_totals
    for name in ("ann", "bob", "cat", "dan", "eve", "fay"):
        entry = entry_of(noon, name)
        own = [side for sheet in traveller_sheets(noon) for side in sheet.results_of(entry)]
        assert len(own) == 2
        assert totals[entry.pk].made == sum(side.result.compared for side in own)
        assert totals[entry.pk].made == sum(side.compared for side in entry.sides.all())
        assert shown[entry.pk][1] == f"{float(totals[entry.pk].made) / 4 * 100:.1f}"
    words = page_words(client.get(noon.get_absolute_url()))
    assert "MP %" in words
    rows = list(csv.DictReader(page(client, "download-standings", noon).content.decode().splitlines()))
    assert sum(float(row["Matchpoints"]) for row in rows) == 2 * 6
    assert all(0 <= float(row["Percent"]) <= 100 for row in rows)


def test_files_have_every_deal(client, noon):
    tables = end_all(noon, (11, 5), (11, 2), (11, 5))
    rows = list(csv.DictReader(page(client, "download-travellers", noon).content.decode().splitlines()))
    assert [(row["Deal"], row["Game"], row["Seats"], row["Score"]) for row in rows][:2] == [
        ("1", "1", "1", "11"),
        ("1", "1", "2", "2"),
    ]
    assert [row["Compared"] for row in rows] == ["2", "0", "0.5", "1.5", "0.5", "1.5"]
    assert [row["Percent"] for row in rows][:3] == ["100.0", "0.0", "25.0"]
    data = json.loads(page(client, "download-json", noon).content)
    (deal,) = data["travellers"]
    assert (deal["section"], deal["round"], deal["deal"], deal["seats"]) == ("rounds", 1, 1, [[1], [2]])
    assert deal["tables"][0]["results"][0]["compared"] == 2
    assert {one["game"] for one in deal["tables"]} == {f"http://testserver{t.get_absolute_url()}" for t in tables}
    assert sum(one["compared"] for one in data["standings"]) == 6


def test_a_given_up_match_is_on_no_traveller(event):
    """It was compared with nobody, not even the game that was played to its end."""
    noon = started(event(people="ann bob cat dan eve fay", match_games=2, **SAME | SWISS))
    end_all(noon, (11, 5), (11, 2), (11, 0))
    one, other, third = running_tables(noon)
    end_with(one, (11, 5))
    end_with(other, (11, 2))
    games.resign(table_id=third.pk, user=third.seats.get(number=0).user)
    advance(noon)
    first, second = traveller_sheets(noon)
    assert {row.table for row in second.rows} == {one, other}
    for sheet in (first, second):
        assert [side.compared for row in sheet.rows for side in row.sides] == ["1", "0", "0", "1"]


def test_a_deal_that_no_table_finished_is_not_said_to_be_played_still(client, noon):
    tables = running_tables(noon)
    for table in tables:
        games.resign(table_id=table.pk, user=table.seats.get(number=0).user)
    advance(noon)
    answer = client.get(address(tables[0]), follow=True)
    assert answer.redirect_chain == [(reverse("tournaments:travellers", args=[noon.pk]), 302)]
    assert "No table played this deal to its end, so there is nothing to compare." in page_words(answer)


def test_a_corrected_match_stays_on_the_traveller(noon):
    """Its cards were played so, and the others were compared with it."""
    end_all(noon, (11, 5), (11, 2), (11, 0))
    before = traveller_sheets(noon)
    match = match_of(noon, "ann").round.event.matches.filter(round__number=1)[0]
    services.correct_result(match_id=match.pk, places=[1, 1], by=person("director"), why="It was seen.")
    assert traveller_sheets(noon) == before


def test_differences_and_tables_that_compare_nothing(client, event):
    apart = started(event(people="ann bob cat dan", **SAME | SWISS | {"compared_by": "differences"}))
    (table, _) = end_all(apart, (11, 5), (11, 2))
    (sheet,) = traveller_sheets(apart)
    assert (sheet.heading.name, [side.compared for row in sheet.rows for side in row.sides]) == (
        "Difference",
        ["3", "−3", "−3", "3"],
    )
    assert {side.percent for row in sheet.rows for side in row.sides} == {""}
    assert "beyond the mean" in page_words(client.get(address(table)))
    own = started(event(people="eve fay gus hal", name="Own", **SAME | SWISS | {"compared_by": "table"}))
    (table, _) = end_all(own, (11, 5), (11, 2))
    assert "the score at your own table decides" in page_words(client.get(address(table)))
    assert draw_of(own).duplicate_totals == {}


def test_partners_share_a_line(event):
    pairs = {"game": "push", "options": {}, "seats": 4, "deals": 1}
    noon = event(people="ann bob cat dan", **SAME | SWISS | pairs)
    for name, partner in (("ann", "eve"), ("bob", "fay"), ("cat", "gus"), ("dan", "hal")):
        services.join_partner(entry_id=entry_of(noon, name).pk, user=person(partner))
    started(noon)
    one, other = running_tables(noon)
    end_with(one, (30, 10, 30, 10))
    end_with(other, (20, 15, 20, 15))
    advance(noon)
    (sheet,) = traveller_sheets(noon)
    assert sheet.side_names == ["Seats 1 and 3", "Seats 2 and 4 (dealer)"]
    assert noon.fewer_is_better
    assert [row.scores for row in sheet.rows] == ["20 : 15", "30 : 10"]
    assert [one.difference for one in sheet.frequencies] == ["−5", "−20"]


def test_the_documented_json_has_no_traveller_of_plain_events(event):
    plain = started(event(people="ann bob"))
    data = event_as_json(draw_of(plain), site="")
    assert data["travellers"] == []
    assert {(one["compared"], one["percent"]) for one in data["standings"]} == {(None, None)}
