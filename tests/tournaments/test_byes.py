"""Byes that players ask for in advance, and leaving after a round."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.pages import page_words
from tests.tournaments.factories import NOON, entry_of, lose, match_of, open_tables, person, started, status_of
from tournaments import services
from tournaments.files.exports import event_as_json
from tournaments.models import Entry, Event, Match
from tournaments.presentation import draw_of
from tournaments.queries.records import records_of

FOUR = "ann bob cat dan"


def swiss(event, people: str = FOUR, **options: object) -> Event:
    return event(**{"people": people, "format": "swiss", "format_options": {"planned_rounds": 3}, **options})


def play_round(event: Event) -> None:
    for match in event.matches.filter(status=Match.Status.PLAYING):
        lose(event, match.sides.get(number=1).entry.user.username)
    open_tables(event)


def rounds_of(event: Event, name: str) -> list[str]:
    """How this person's matches came about, in the order of the rounds."""
    matches = event.matches.filter(sides__entry=entry_of(event, name)).order_by("round__number")
    return ["played" if match.decided_by in ("", "games") else match.decided_by for match in matches]


def test_a_round_is_paired_around_a_requested_bye(event):
    noon = started(swiss(event))
    services.request_bye(event_id=noon.pk, user=person("ann"), number=2)
    play_round(noon)
    assert rounds_of(noon, "ann")[1] == "half-bye"
    others = noon.matches.filter(round__number=2).exclude(sides__entry=entry_of(noon, "ann"))
    assert sorted(match.sides.count() for match in others) == [1, 2]
    standing = {row.entrant: row for row in noon.plan.standings(records_of(noon))}[entry_of(noon, "ann").pk]
    assert standing.points in (0.5, 1.5)


def test_tables_count_from_1_in_a_round_with_byes_and_a_bye_has_no_table(event, client, boss):
    noon = started(swiss(event, people="ann bob cat dan eve fay", publishes_by_hand=True))
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=boss)
    open_tables(noon)
    services.request_bye(event_id=noon.pk, user=person("ann"), number=2)
    play_round(noon)
    services.arrange_match(event_id=noon.pk, entries=[entry_of(noon, "bob").pk], by=boss)
    services.publish_round(event_id=noon.pk, section="rounds", number=2, by=boss)
    draw = draw_of(Event.objects.get(pk=noon.pk))
    second = [(box.title, box.is_bye) for box in draw.every_match if box.round == 2]
    tables = [(f"Round 2, table {number}", False) for number in (1, 2)]
    assert second == [*tables, ("Round 2", True), ("Round 2", True)]
    exported = [one["table"] for one in event_as_json(draw, site="")["matches"] if one["round"] == 2]
    assert exported == [1, 2, None, None]


def test_the_first_bye_is_worth_half_a_point_and_further_ones_nothing(event):
    noon = swiss(event, format_options={"planned_rounds": 5}, people="ann bob cat dan eve fay")
    asked = [services.request_bye(event_id=noon.pk, user=person("ann"), number=number) for number in (2, 3)]
    assert [bye.is_half for bye in asked] == [True, False]
    assert not services.request_bye(event_id=noon.pk, user=person("bob"), number=5).is_half  # the last round


def test_a_round_that_is_paired_or_does_not_exist_cannot_be_sat_out(event):
    noon = started(swiss(event))
    for number in (0, 1, 4):
        with pytest.raises(services.EventError, match="can't be sat out"):
            services.request_bye(event_id=noon.pk, user=person("ann"), number=number)
    knock_out = started(event(people="ann bob"))
    with pytest.raises(services.EventError, match="can't be sat out"):
        services.request_bye(event_id=knock_out.pk, user=person("ann"), number=2)


def test_a_request_is_cancelled_until_the_round_is_paired(event):
    noon = started(swiss(event))
    services.request_bye(event_id=noon.pk, user=person("ann"), number=2)
    services.cancel_bye(event_id=noon.pk, user=person("ann"), number=2)
    services.request_bye(event_id=noon.pk, user=person("bob"), number=2)
    play_round(noon)
    assert rounds_of(noon, "ann")[1] != "half-bye"
    with pytest.raises(services.EventError, match="no bye to cancel"):
        services.cancel_bye(event_id=noon.pk, user=person("bob"), number=2)


def test_all_sit_out_a_round_and_the_next_one_is_played(event):
    noon = started(swiss(event))
    for name in FOUR.split():
        services.request_bye(event_id=noon.pk, user=person(name), number=2)
    play_round(noon)
    noon.refresh_from_db()
    assert [rounds_of(noon, name)[1] for name in FOUR.split()] == ["half-bye"] * 4
    assert noon.matches.filter(round__number=3, status=Match.Status.PLAYING).count() == 2


def test_a_player_leaves_after_the_round_and_finishes_the_match_first(event):
    noon = started(swiss(event))
    services.leave_after_round(event_id=noon.pk, user=person("ann"))
    assert match_of(noon, "ann").status == Match.Status.PLAYING
    play_round(noon)
    assert status_of(noon, "ann") == "withdrawn"
    assert len(rounds_of(noon, "ann")) == 1


def test_a_player_stays_after_all(event):
    noon = started(swiss(event))
    services.leave_after_round(event_id=noon.pk, user=person("ann"))
    services.leave_after_round(event_id=noon.pk, user=person("ann"), is_leaving=False)
    play_round(noon)
    assert len(rounds_of(noon, "ann")) == 2


def test_who_has_left_before_the_round_was_over_and_comes_back_stays(event, boss):
    noon = started(swiss(event, people="ann bob cat dan eve fay"))
    services.leave_after_round(event_id=noon.pk, user=person("ann"))
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    services.enter_event(event_id=noon.pk, user=person("ann"))
    play_round(noon)
    assert status_of(noon, "ann") == "playing"
    assert rounds_of(noon, "ann") == ["forfeit", "played"]


def test_leaving_after_the_last_round_changes_nothing(event):
    noon = started(swiss(event, format_options={"planned_rounds": 1}))
    services.leave_after_round(event_id=noon.pk, user=person("ann"))
    play_round(noon)
    noon.refresh_from_db()
    assert noon.is_finished and status_of(noon, "ann") in ("champion", "eliminated")


@pytest.mark.parametrize(
    ("scoring", "worth"), [("match", "1 match point"), ("board", "1½ board points")], ids=["match", "board"]
)
def test_byes_of_teams_name_their_points(teams_of_two, client, boss, scoring, worth):
    lines = "Reds: ann bob bea\nBlues: cat dan deb\nGreens: eve fay flo\nWhites: gus hal ida"
    swiss = {"format": "swiss", "format_options": {"planned_rounds": 3}}
    noon = started(teams_of_two(lines, team_boards=3, team_scoring=scoring, **swiss))
    client.force_login(person("ann"))
    words = page_words(client.get(noon.get_absolute_url()))
    assert f"Your team sits out a round. The first one gives {worth}," in words
    assert f"{worth} each for up to 1 round" in words
    services.request_bye(event_id=noon.pk, user=person("ann"), number=2)
    assert f"Reds sits out round 2, for {worth}." in noon.log.values_list("what", flat=True)
    assert f"Round 2: bye, {worth}" in page_words(client.get(noon.get_absolute_url()))
    for board in noon.matches.filter(board__gt=0):
        services.adjudicate(match_id=board.pk, places=[1, 2], by=boss)
    bye = noon.matches.get(decided_by="half-bye")
    assert bye.why_paired == f"bye on request, for {worth}"
    words = page_words(client.get(noon.get_absolute_url()))
    assert "bye for half the points" in words and "half a point" not in words and "half-point" not in words


def test_a_director_withdraws_an_entry_neutrally_and_takes_it_back(event, boss):
    noon = swiss(event)
    services.withdraw_for(entry_id=entry_of(noon, "ann").pk, by=boss, why="ill")
    assert status_of(noon, "ann") == "withdrawn"
    assert noon.log.get(what="ann withdrew.").why == "ill"
    services.undo_action(line_id=noon.log.get(what="ann withdrew.").pk, by=boss)
    assert Entry.objects.get(pk=entry_of(noon, "ann").pk).is_in


def test_players_and_directors_ask_for_byes_on_the_pages(event, boss, client):
    noon = started(swiss(event))
    client.force_login(person("ann"))
    page = client.get(noon.get_absolute_url())
    assert "Request a bye" in page_words(page) and "Leave after this round" in page_words(page)
    client.post(reverse("tournaments:bye", args=[noon.pk]), {"round": "2"})
    page = client.get(noon.get_absolute_url())
    assert "Round 2: bye, half a point" in page_words(page)
    client.post(reverse("tournaments:bye", args=[noon.pk]), {"cancel": "2"})
    client.post(reverse("tournaments:withdraw", args=[noon.pk]), {"after": "1"})
    assert entry_of(noon, "ann").is_leaving and not entry_of(noon, "ann").requested_byes.exists()

    client.force_login(boss)
    act = reverse("tournaments:act", args=[noon.pk, "sit-out"])
    bob = entry_of(noon, "bob")
    client.post(act, {"entry": bob.pk, "round": "3", "why": "asked at the desk"})
    assert [(bye.round, bye.is_half) for bye in bob.requested_byes.all()] == [(3, False)]
    client.post(act, {"entry": bob.pk, "round": "-3"})
    assert not bob.requested_byes.exists()


# Late entries and byes


def test_a_late_entry_takes_the_bye_of_an_unpublished_round(event, boss):
    noon = swiss(event, people="ann bob cat", publishes_by_hand=True)
    services.start_event(event_id=noon.pk, now=NOON)
    noon.refresh_from_db()
    assert services.joining_round(noon) == 1
    services.add_entry(event_id=noon.pk, user=person("dan"), by=boss, late=True)
    first = noon.matches.filter(round__number=1)
    assert sorted(match.sides.count() for match in first) == [2, 2]
    assert entry_of(noon, "dan").first_round == 1


def test_a_late_entry_waits_for_the_next_round_where_nobody_has_a_bye(event, boss):
    noon = swiss(event, publishes_by_hand=True)
    services.start_event(event_id=noon.pk, now=NOON)
    noon.refresh_from_db()
    before = set(noon.matches.values_list("pk", flat=True))
    services.add_entry(event_id=noon.pk, user=person("eve"), by=boss, late=True)
    assert entry_of(noon, "eve").first_round == 2
    assert set(noon.matches.values_list("pk", flat=True)) == before


def test_a_bye_that_a_director_gave_is_not_taken(event, boss):
    noon = swiss(event, people="ann bob cat dan", publishes_by_hand=True)
    services.start_event(event_id=noon.pk, now=NOON)
    services.arrange_match(event_id=noon.pk, entries=[entry_of(noon, "ann").pk], by=boss)
    noon.refresh_from_db()
    noon.matches.filter(is_fixed=False, decided_by="bye").update(is_fixed=True)
    assert services.joining_round(noon) == 2


def test_the_number_of_rounds_is_fixed_at_the_start(event, boss):
    noon = started(swiss(event, people="ann bob cat dan eve", format_options={}))
    planned = noon.plan.rounds(5)
    for name in ("fay", "gil", "hal", "ida", "jon", "kim", "leo", "mia", "ned", "oda", "pam", "quin"):
        services.add_entry(event_id=noon.pk, user=person(name), by=boss, late=True)
    noon.refresh_from_db()
    assert noon.plan.rounds(noon.entries.count()) == planned
