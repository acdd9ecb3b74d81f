"""Sheets to print, and the page for a projector."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.pages import page_html, page_words
from tests.tournaments.factories import entry_of, lose, open_tables, person, started
from tournaments import services
from tournaments.models import Event, Match, MatchSide
from tournaments.presentation.sheets import SHEETS, EventSheets

pytestmark = pytest.mark.django_db


@pytest.fixture
def swiss(event) -> Event:
    """Five players: the first round is over, the second in play."""
    noon = started(event(people="ann bob cat dan eve", format="swiss", format_options={"planned_rounds": 3}))
    for match in noon.matches.filter(status=Match.Status.PLAYING):
        lose(noon, match.sides.get(number=1).entry.user.username)
    return open_tables(noon)


def sheet(client, event: Event, name: str, **query: object):
    return client.get(reverse("tournaments:sheet", args=[event.pk, name]), query)


def test_pairings_name_everyone_with_the_table_and_by_name(client, swiss):
    page = sheet(client, swiss, "pairings")
    assert "Find your table: Noon knock-out, round 2" in page_words(page), "this page can hang on a wall by itself"
    listed = EventSheets(swiss).tables_by_name
    assert [place.name for place in listed] == ["ann", "bob", "cat", "dan", "eve"]
    assert sorted(place.table for place in listed) == ["bye", "table 1", "table 1", "table 2", "table 2"]
    assert "Round 1" in page_words(page)
    first = sheet(client, swiss, "pairings", round=1)
    assert "round 1" in page_words(first)


@pytest.fixture
def two_groups(event) -> Event:
    """Two groups of three: Group A is in its second round, Group B still in its first."""
    noon = started(event(people="ann bob cat dan eve fay", format="groups", format_options={"group_size": 3}))
    lose(noon, noon.matches.get(round__section="group-a", sides__number=1).sides.get(number=1).entry.user.username)
    return open_tables(noon)


def test_tables_of_groups_are_told_apart_on_every_sheet(client, two_groups):
    open_matches = two_groups.matches.filter(status=Match.Status.PLAYING)
    assert {match.round.section: match.round.number for match in open_matches} == {"group-a": 2, "group-b": 1}
    for page in (
        sheet(client, two_groups, "pairings"),
        client.get(reverse("tournaments:projector", args=[two_groups.pk])),
    ):
        words = page_words(page)
        assert "Group A, round 2, table 1" in words and "Group B, round 1, table 1" in words
    slips = page_words(sheet(client, two_groups, "slips"))
    assert "Group A, round 2, table 1" in slips and "Group B, round 1, table 1" in slips
    assert "Group B" not in page_words(sheet(client, two_groups, "pairings", round=2)).partition("By table")[2]
    for name in ("pairings", "slips"):
        assert f"{SHEETS[name].lower()}, round" not in page_words(sheet(client, two_groups, name)), name
    assert "pairings, round 2" in page_words(sheet(client, two_groups, "pairings", round=2))
    boxes = EventSheets(two_groups).draw.live
    assert sorted(box.title for box in boxes) == ["Group A, round 2, table 1", "Group B, round 1, table 1"]


def test_a_knock_out_after_groups_is_shown_though_its_rounds_count_from_one_again(client, event):
    noon = started(event(people="ann bob cat dan eve fay", format="groups", format_options={"group_size": 3}))
    while playing := noon.matches.exclude(round__section="main").filter(status=Match.Status.PLAYING).first():
        lose(noon, playing.sides.get(number=1).entry.user.username)
    shown = EventSheets(open_tables(noon)).boxes
    assert {(box.section, box.round) for box in shown} == {("main", 1)} and len(shown) == 2


def test_a_knock_out_in_two_rounds_at_once_names_the_tables_of_both_and_sends_nobody_to_two(client, event):
    noon = started(event(people="ann bob cat dan eve fay gus hal"))
    for slot in (0, 1):
        lose(noon, noon.matches.get(round__number=1, slot=slot).sides.get(number=1).entry.user.username)
    sheets = EventSheets(open_tables(noon))
    names = ["Quarter-final 1", "Quarter-final 2", "Quarter-final 3", "Quarter-final 4", "Semi-final 1"]
    assert [table for table, _ in sheets.pairings] == names
    assert [slip.table for slip in sheets.slips] == names[2:], "the first two are decided"
    listed = {place.name: place.table for place in sheets.tables_by_name}
    assert len(listed) == len(sheets.tables_by_name) == 8
    in_semi_final = {side.name for side in noon.matches.get(round__number=2).sides.all()}
    assert in_semi_final == {name for name, table in listed.items() if table == "Semi-final 1"}


def test_tables_of_an_arena_have_numbers_of_their_own(event):
    now = timezone.now()
    noon = started(event(people="ann bob cat dan", format="arena", starts_at=now), now=now)
    wave = noon.rounds.create(section=noon.rounds.get().section, number=2, published_at=now)
    noon.matches.filter(slot=1).update(round=wave, slot=0)  # as if it had been paired later
    assert [table for table, _ in EventSheets(noon).pairings] == ["1", "2"]


def shown_titles(event: Event) -> list[str]:
    return [box.title for box in EventSheets(event).boxes]


def test_a_finished_event_shows_its_last_matches(event):
    groups = started(event(people="ann bob cat dan eve fay gus hal", format="groups", format_options={"group_size": 4}))
    play_to_the_end(groups)
    assert shown_titles(groups) == ["Final"]
    twice = started(event(people="ann bob cat dan", format="double-elimination", format_options={"reset": False}))
    play_to_the_end(twice)
    assert shown_titles(twice) == ["Grand final"]
    with_third = started(event(people="ann bob cat dan", format_options={"third_place": True}))
    play_to_the_end(with_third)
    assert sorted(shown_titles(with_third)) == ["Final", "Match for third place"]


@pytest.mark.parametrize("query", [{"round": 3}, {"round": 99}])
def test_a_round_that_is_not_published_has_no_sheet(client, swiss, query):
    assert sheet(client, swiss, "pairings", **query).status_code == 404


def test_there_are_no_other_sheets(client, swiss):
    assert sheet(client, swiss, "cards").status_code == 404


def test_each_match_to_play_has_a_slip_and_a_bye_or_decided_match_has_none(client, swiss):
    assert page_html(sheet(client, swiss, "slips")).count('class="slip flow"') == 2
    lose(swiss, swiss.matches.filter(status=Match.Status.PLAYING).first().sides.first().entry.user.username)
    assert page_html(sheet(client, swiss, "slips")).count('class="slip flow"') == 1
    assert "All results are in." in page_words(sheet(client, swiss, "slips", round=1))


def test_each_board_of_a_team_match_has_a_slip_with_its_players(client, teams_of_two):
    noon = started(teams_of_two("Reds: ann bob\nBlues: cat dan\nGreens: eve fay"))
    words = page_words(sheet(client, noon, "slips"))
    board = noon.matches.filter(board=2).first()
    one, other = board.sides.order_by("number")
    assert f"round 1, table {board.slot + 1}, board 2" in words
    assert f"{one.player} ({one.entry.team_name}) {other.player} ({other.entry.team_name})" in words
    assert words.count("Signed by all players") == 2
    services.adjudicate(match_id=board.pk, places=[1, 2], by=person("director"))
    assert page_words(sheet(client, noon, "slips")).count("Signed by all players") == 1


def test_the_entry_list_is_by_names(client, event):
    noon = event(people="cat ann bob")
    html = page_html(sheet(client, noon, "entries")).partition("<tbody>")[2]
    assert html.index("ann") < html.index("bob") < html.index("cat")


def test_the_wall_chart_has_a_result_for_each_round(client, swiss):
    rows = EventSheets(swiss).wall_chart
    assert all(len(row.cells) == 2 for row in rows)
    first = {row.row.entry.name: row.cells[0] for row in rows}
    won = swiss.matches.filter(round__number=1, decided_by="games").first()
    winner, loser = won.sides.get(place=1).entry, won.sides.get(place=2).entry
    assert (first[winner.name], first[loser.name]) == (f"{loser.seed} 1", f"{winner.seed} 0")
    assert "bye 1" in first.values()
    assert page_words(sheet(client, swiss, "wall-chart")).count(f"{loser.seed} 1")


def play_to_the_end(event: Event) -> None:
    while playing := event.matches.filter(status__in=(Match.Status.WAITING, Match.Status.PLAYING)).first():
        services.adjudicate(match_id=playing.pk, places=[1, 2], by=person("director"))
    event.refresh_from_db()
    assert event.is_finished


def results_on_wall_chart(event: Event) -> int:
    return sum(cell != "–" for row in EventSheets(event).wall_chart for cell in row.cells)


def test_the_wall_chart_of_groups_keeps_their_rounds_beside_those_of_the_knock_out(client, event):
    options = {"group_size": 3, "third_place": True}
    noon = started(event(people="ann bob cat dan eve fay", format="groups", format_options=options))
    play_to_the_end(noon)
    words = page_words(sheet(client, noon, "wall-chart"))
    assert "Seed Round 1 Round 2 Round 3 Semi-finals Final Third place" in words
    assert results_on_wall_chart(noon) == MatchSide.objects.filter(match__event=noon).count()


def test_the_wall_chart_of_a_double_elimination_has_both_draws(event):
    noon = started(event(people="ann bob cat dan", format="double-elimination"))
    play_to_the_end(noon)
    assert results_on_wall_chart(noon) == MatchSide.objects.filter(match__event=noon).count()


def test_the_wall_chart_of_pods_has_their_points(event):
    pods = {"game": "carousel", "options": {}, "format": "pods", "format_options": {"sizes": [3], "planned_rounds": 2}}
    noon = started(event(people="ann bob cat", **pods))
    match = noon.matches.get()
    services.adjudicate(match_id=match.pk, places=[1, 2, 3], by=person("director"))
    cells = {row.row.entry.pk: row.cells[0].rpartition(" ")[2] for row in EventSheets(noon).wall_chart}
    assert [cells[side.entry_id] for side in match.sides.all()] == ["4", "2", "1"]


def test_who_takes_a_bye_has_no_table_on_the_list_by_names(client, event):
    noon = event(people="ann bob cat dan eve", format="swiss", half_byes=1)
    services.request_bye(event_id=noon.pk, user=person("eve"), number=1)
    started(noon)
    words = page_words(sheet(client, noon, "pairings")).partition("Find your table")[2]
    assert "eve half-point bye" in words


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize("format", ["single-elimination", "groups", "arena", "round-robin"])
def test_every_format_has_every_sheet(client, event, format):
    noon = started(event(people="ann bob cat dan", format=format))
    before = event(people="eve fay", format=format)
    for name in SHEETS:
        assert sheet(client, noon, name).status_code == 200, name
        assert sheet(client, before, name).status_code == 200, name


def test_no_sheet_tells_what_is_not_published(client, event):
    noon = started(event(people="ann bob cat dan", format="swiss", publishes_by_hand=True))
    assert noon.matches.filter(status=Match.Status.PROPOSED).exists()
    assert "Nothing is paired yet" in page_words(sheet(client, noon, "pairings"))
    assert "Pairings" not in page_words(client.get(reverse("tournaments:projector-live", args=[noon.pk])))


def test_before_the_start_the_projector_shows_who_has_entered_and_who_is_here(client, event):
    noon = event(people="cat ann bob", check_in_minutes=5)
    live = reverse("tournaments:projector-live", args=[noon.pk])
    assert "Entries: 3 1 ann 2 bob 3 cat" in page_words(client.get(live))
    services.open_check_in(event_id=noon.pk, now=noon.check_in_at)
    services.check_in_player(event_id=noon.pk, user=person("bob"))
    assert "Entries: 3, 1 checked in 1 ann 2 bob checked in 3 cat" in page_words(client.get(live))
    started(noon)
    assert "Entries" not in page_words(client.get(live))


def test_the_projector_shows_round_pairings_standings_and_announcements(client, swiss):
    services.post_announcement(event_id=swiss.pk, text="Soup at seven", by=person("boss"))
    words = page_words(client.get(reverse("tournaments:projector", args=[swiss.pk])))
    assert all(part in words for part in ("Round 2 of 3", "2 in play", "Soup at seven", "Pairings", "Standings"))
    assert entry_of(swiss, "ann").name in words


@pytest.mark.parametrize("is_private", [False, True])
def test_the_projector_and_the_page_say_why_an_event_is_paused(client, event, is_private):
    noon = started(event(people="ann bob cat dan", reasons_are_private=is_private))
    services.pause_event(event_id=noon.pk, by=person("boss"), why="Power cut")
    live = reverse("tournaments:projector-live", args=[noon.pk])
    assert ("Paused: Power cut" in page_words(client.get(noon.get_absolute_url()))) is not is_private
    assert ("Power cut" in page_words(client.get(live))) is not is_private
    services.resume_event(event_id=noon.pk, by=person("boss"))
    assert "Paused: Power cut" not in page_words(client.get(noon.get_absolute_url()))
    assert "Power cut" not in page_words(client.get(live))


def test_the_projector_names_the_winners_at_the_end(client, event):
    noon = started(event(people="ann bob cat dan"))
    live = reverse("tournaments:projector-live", args=[noon.pk])
    words = page_words(client.get(live))
    assert "Champion" not in words and "Pairings" in words
    play_to_the_end(noon)
    words = page_words(client.get(live))
    assert f"Champion: {noon.entries.get(place=1).name}" in words
    assert "Results" in words and "Pairings" not in words
