"""No-shows: entries that miss matches sit out until they are back, or are withdrawn, as the event says."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import services as games
from notifications.models import Notice
from tests.pages import page_html
from tests.tournaments.factories import (
    NOON,
    advance,
    come,
    entry_of,
    match_of,
    miss,
    open_tables,
    person,
    play,
    run_out_of_time,
    running_tables,
    started,
    status_of,
    table_of,
    win,
    win_open,
)
from tournaments import presentation, services
from tournaments.files import exports
from tournaments.models import Entry, Event, EventRole, Match, Season
from tournaments.presentation.facts import facts_of
from tournaments.queries import records
from tournaments.queries.seasons import table_of_season

SWISS = {"format": "swiss", "format_options": {"planned_rounds": 4}}
ROUND_ROBIN = {"format": "round-robin"}
GROUPS = {"format": "groups", "format_options": {"group_size": 4, "qualifiers": 2}}
PODS = {"game": "carousel", "options": {}, "format": "pods", "format_options": {"sizes": [3], "planned_rounds": 3}}


@pytest.fixture
def arena(event: Callable) -> Callable:
    """An arena of half an hour that has just begun."""

    def make(people: str, **settings: object) -> Event:
        now, options = timezone.now(), {"minutes": 30}
        made = event(people=people, format="arena", format_options=options, starts_at=now, **settings)
        return started(made, now=now)

    return make


def next_wave(noon: Event) -> None:
    """The arena pairs whoever is free by now."""
    advance(noon)
    Event.objects.update(next_round_at=timezone.now())
    advance(noon)


def sits_out(noon: Event) -> list[str]:
    return sorted(entry.user.username for entry in noon.entries.all() if entry.is_sitting_out)


def in_play(noon: Event) -> set[str]:
    return {name for table in running_tables(noon) for name in table.names}


def places(match: Match) -> list[int]:
    return [side.place for side in match.sides.all()]


# Sitting out


def test_after_one_missed_match_an_entry_sits_out_and_is_told_so(event):
    noon = started(event(people="ann bob cat dan eve fay", **SWISS))
    miss(noon, "ann")
    assert sits_out(noon) == ["ann"]
    assert noon.log.filter(what="ann missed 1 match and sits out.").count() == 1
    notice = Notice.objects.get(user=person("ann"), text__contains="you sit out")
    assert notice.text.startswith(f"{noon.name}: you missed your match, so")
    assert (notice.url, notice.read_at) == (noon.get_absolute_url(), None)
    win_open(noon)
    assert "ann" not in in_play(noon) and len(in_play(noon)) == 4
    assert noon.matches.get(decided_by=Match.DecidedBy.BYE).sides.get().entry.user != person("ann")
    assert status_of(noon, "ann") == Entry.Status.PLAYING


def test_of_two_missed_matches_the_second_one_is_too_much(event):
    noon = started(event(people="ann bob cat dan", missed_matches=2, **SWISS))
    miss(noon, "ann")
    win_open(noon)
    assert sits_out(noon) == [] and "ann" in in_play(noon)
    miss(noon, "ann")
    assert sits_out(noon) == ["ann"]
    assert noon.log.filter(what="ann missed 2 matches and sits out.").exists()


def test_who_misses_too_many_is_withdrawn_where_the_event_says_so(event):
    noon = started(event(people="ann bob cat dan", no_shows="withdraw", **SWISS))
    miss(noon, "ann")
    assert status_of(noon, "ann") == Entry.Status.WITHDRAWN
    assert noon.log.filter(what="ann missed 1 match and is withdrawn.").exists()
    assert Notice.objects.filter(user=person("ann"), text__contains="you have been withdrawn").exists()
    services.enter_event(event_id=noon.pk, user=person("ann"))
    assert (entry_of(noon, "ann").missed, status_of(noon, "ann")) == (0, Entry.Status.PLAYING)


def test_who_says_to_be_back_plays_the_next_round(event):
    noon = started(event(people="ann bob cat dan eve fay", **SWISS))
    miss(noon, "ann")
    services.return_to_play(event_id=noon.pk, user=person("ann"))
    assert sits_out(noon) == []
    assert noon.log.filter(what="ann is back.", by=person("ann")).exists()
    assert not Notice.objects.filter(user=person("ann"), text__contains="you sit out", read_at=None).exists()
    assert len(in_play(noon)) == 4, "the round that is being played does not change"
    win_open(noon)
    assert "ann" in in_play(noon)
    with pytest.raises(services.EventError):
        services.return_to_play(event_id=noon.pk, user=person("ann"))


def test_who_came_and_lost_or_left_a_game_has_missed_nothing(event):
    noon = started(event(people="ann bob cat dan", **SWISS))
    come(noon, "ann", "bob", "cat", "dan")
    first, second = running_tables(noon)
    games.flag_overdue(table_id=first.pk, now=first.deadline_at + timedelta(seconds=1))
    games.resign(table_id=second.pk, user=second.seats.get(number=1).user)
    advance(noon)
    assert noon.entries.filter(missed=0, has_come=True, sits_out=False).count() == 4


def test_bots_miss_nothing(event, house_bots):
    noon = started(event(people="ann", fill_to=4, **SWISS))
    miss(noon, "ann")
    assert sits_out(noon) == ["ann"]
    assert not noon.entries.filter(user__is_bot=True).exclude(missed=0).exists()


def test_a_player_for_whom_a_bot_plays_a_whole_match_has_missed_it(event, house_bots):
    noon = started(event(people="ann bob cat dan", absence="bot", **SWISS))
    miss(noon, "ann")
    assert sits_out(noon) == [], "ann can still come back to the table"
    win(noon, "ann")
    assert sits_out(noon) == ["ann"]


def test_a_player_who_comes_back_to_the_seat_of_a_bot_has_missed_nothing(event, house_bots):
    noon = started(event(people="ann bob cat dan", absence="bot", **SWISS))
    miss(noon, "ann")
    games.come_back(table_id=table_of(match_of(noon, "ann")).pk, user=person("ann"))
    win(noon, "ann")
    assert (sits_out(noon), entry_of(noon, "ann").has_come) == ([], True)


def test_whoever_does_not_come_to_the_second_game_has_not_missed_the_match(event):
    noon = started(event(people="ann bob cat dan", match_games=3, **SWISS))
    come(noon, "ann")
    win(noon, "ann")
    miss(noon, "ann")
    assert (match_of(noon, "ann").reason, sits_out(noon)) == ("ann didn't come to the table", [])


def test_of_a_pair_both_have_to_come(event):
    noon = event(people="", game="push", options={}, seats=4, **SWISS)
    for pair in ("ann amy", "bob ben", "cat cem", "dan don"):
        first, second = (person(name) for name in pair.split())
        services.add_entry(event_id=noon.pk, user=first, partner=second, by=person("director"))
    started(noon)
    miss(noon, "amy")
    assert sits_out(noon) == ["ann"]
    assert {notice.user.username for notice in Notice.objects.filter(text__contains="you sit out")} == {"ann", "amy"}
    services.return_to_play(event_id=noon.pk, user=person("amy"))
    assert sits_out(noon) == []


def test_where_a_move_has_an_hour_who_never_moves_has_missed_the_match(event):
    noon = started(event(people="ann bob cat dan", move_seconds=3600, **SWISS))
    absent = running_tables(noon)[0].names[0]
    run_out_of_time(noon, absent)
    advance(noon)
    assert sits_out(noon) == [absent]


# Double forfeits


def test_of_two_who_do_not_come_nobody_has_a_point(event):
    noon = started(event(people="ann bob cat dan", **SWISS))
    absent = running_tables(noon)[0].names
    miss(noon, *absent)
    match = match_of(noon, absent[0])
    assert (places(match), match.decided_by) == ([2, 2], Match.DecidedBy.FORFEIT)
    assert sits_out(noon) == sorted(absent)
    points = {standing.entrant: standing.points for standing in noon.plan.standings(records.records_of(noon))}
    assert [points[entry_of(noon, name).pk] for name in absent] == [0, 0]
    report = exports.swiss_as_trf(presentation.draw_of(Event.objects.get(pk=noon.pk)))
    assert report.count(" w -") == report.count(" b -") == 1


def test_a_knock_out_goes_on_without_either_of_two_who_did_not_come(event):
    noon = started(event(people="ann bob cat dan"))
    absent = running_tables(noon)[0].names
    miss(noon, *absent)
    win_open(noon)
    noon.refresh_from_db()
    assert noon.is_finished
    champion = noon.entries.get(status=Entry.Status.CHAMPION)
    assert champion.user.username not in absent
    assert [places(match) for match in noon.matches.filter(round__number=2)] == [[1]]
    assert {status_of(noon, name) for name in absent} == {Entry.Status.ELIMINATED}


def test_nobody_wins_a_table_of_three_to_which_nobody_came(event):
    noon = started(event(people="ann bob cat dan eve fay", **PODS))
    absent = running_tables(noon)[0].names
    miss(noon, *absent)
    match = match_of(noon, absent[0])
    assert (places(match), match.decided_by) == ([2, 2, 2], Match.DecidedBy.FORFEIT)
    assert sits_out(noon) == sorted(absent)
    win_open(noon)
    assert in_play(noon).isdisjoint(absent) and len(in_play(noon)) == 3


def test_at_a_table_of_three_bots_play_for_who_did_not_come_and_these_sit_out(event, house_bots):
    noon = started(event(people="ann bob cat dan eve fay", **PODS))
    present, *absent = running_tables(noon)[0].names
    miss(noon, *absent)
    assert table_of(match_of(noon, present)).seats.filter(has_left=True).count() == 2
    win_open(noon)
    assert sits_out(noon) == sorted(absent)


# Fixed schedules


def test_who_is_out_of_a_knock_out_is_not_asked_to_come_back(event):
    noon = started(event(people="ann bob cat dan"))
    miss(noon, "ann")
    assert (sits_out(noon), status_of(noon, "ann")) == ([], Entry.Status.ELIMINATED)
    assert not Notice.objects.filter(user=person("ann"), text__contains="sit out").exists()


def test_in_a_double_elimination_the_next_match_is_forfeited_without_a_table(event):
    noon = started(event(people="ann bob cat dan", format="double-elimination"))
    miss(noon, "ann")
    assert sits_out(noon) == ["ann"]
    assert "forfeit the next ones" in Notice.objects.get(user=person("ann"), text__contains="missed").text
    win_open(noon)
    lost = match_of(noon, "ann")
    assert (lost.round.section, lost.decided_by, lost.games.count()) == ("losers", Match.DecidedBy.FORFEIT, 0)
    assert lost.reason == "ann missed earlier matches"
    assert status_of(noon, "ann") == Entry.Status.ELIMINATED


@pytest.mark.parametrize("is_back", [False, True])
def test_in_a_round_robin_matches_are_forfeited_until_one_is_back(event, is_back):
    noon = started(event(people="ann bob cat dan", **ROUND_ROBIN))
    miss(noon, "ann")
    if is_back:
        services.return_to_play(event_id=noon.pk, user=person("ann"))
    win_open(noon)
    second = match_of(noon, "ann")
    assert second.round.number == 2
    assert (second.status == Match.Status.PLAYING) == is_back
    assert second.reason == ("" if is_back else "ann missed earlier matches")
    points = {standing.entrant: standing.points for standing in noon.plan.standings(records.records_of(noon))}
    winner = noon.matches.get(round__number=1, sides__entry__user__username="ann").sides.get(place=1).entry
    assert points[winner.pk] >= 1, "the results of who sits out are not annulled"


@pytest.mark.parametrize("settings", [ROUND_ROBIN, SWISS, GROUPS])
def test_after_a_round_to_which_no_one_came_there_is_time_to_return(event, settings):
    noon = started(event(people="ann bob cat dan", **settings))
    miss(noon, "ann", "bob", "cat", "dan")
    noon.refresh_from_db()
    assert (noon.status, noon.matches.count()) == (Event.Status.RUNNING, 2)
    assert noon.next_round_at - timezone.now() > timedelta(seconds=noon.appear_seconds - 60)
    for name in ("ann", "bob", "cat", "dan"):
        services.return_to_play(event_id=noon.pk, user=person(name))
    assert noon.matches.count() == 2
    Event.objects.update(next_round_at=timezone.now())
    advance(noon)
    assert in_play(noon) == {"ann", "bob", "cat", "dan"}


def test_a_round_that_no_one_came_to_leaves_time_to_return_before_the_next_is_paired_by_hand(event, boss):
    noon = started(event(people="ann bob cat dan", publishes_by_hand=True, **SWISS))
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=boss)
    open_tables(noon)
    miss(noon, "ann", "bob", "cat", "dan")
    noon.refresh_from_db()
    assert noon.is_running and noon.next_round_at - timezone.now() > timedelta(seconds=noon.appear_seconds - 60)
    for name in ("ann", "bob"):
        services.return_to_play(event_id=noon.pk, user=person(name))
    advance(noon)
    proposed = noon.matches.get(status=Match.Status.PROPOSED)
    assert {side.entry.user.username for side in proposed.sides.all()} == {"ann", "bob"}
    assert noon.next_round_at is None


@pytest.mark.parametrize("settings", [ROUND_ROBIN, SWISS, GROUPS])
def test_an_event_to_which_no_one_returns_ends_without_champion_badge_place_or_season_points(event, settings):
    noon = started(event(people="ann bob cat dan", **settings))
    season = Season.objects.create(name="Autumn", attendance=1)
    season.events.add(noon)
    miss(noon, "ann", "bob", "cat", "dan")
    for _ in range(3):
        Event.objects.update(next_round_at=timezone.now())
        advance(noon)
    noon.refresh_from_db()
    assert noon.status == Event.Status.FINISHED
    assert {*noon.entries.values_list("status", "place", "last_place")} == {("eliminated", None, None)}
    assert not noon.badges.exists() and not table_of_season(season).rows
    assert noon.log.filter(what="Finished without a champion.", why="No match was played.").exists()
    ends = Notice.objects.filter(key__contains=":finished:").values_list("user__username", "text")
    said = "Noon knock-out is over: no match was played, so it has no champion."
    assert dict(ends) == dict.fromkeys(("ann", "bob", "cat", "dan"), said)
    for name in ("event", "projector"):
        html = page_html(Client().get(reverse(f"tournaments:{name}", args=[noon.pk])))
        assert "This tournament has no champion: no match was played." in html
        assert re.search(r"\(?forfeit\)?</span>", html)
    ranking = presentation.draw_of(noon).ranking
    assert [(one.place, one.reason) for one in ranking] == [(None, "no match was played")] * 4
    assert re.findall('<b class="projector-table">([^<]*)</b> <span>(ann|bob|cat|dan)</span>', html) == [
        ("", noon.entries.get(pk=one.entrant).name) for one in ranking
    ]


def test_who_waited_in_vain_and_later_missed_a_match_has_come_to_an_event_of_a_season(event):
    noon = started(event(people="ann bob cat dan", **ROUND_ROBIN))
    season = Season.objects.create(name="Autumn", attendance=1)
    season.events.add(noon)
    [alone] = {side.entry.name for side in match_of(noon, "bob").sides.all()} - {"bob"}
    miss(noon, "bob")
    win_open(noon)
    for _ in range(2):
        advance(noon)
        miss(noon, "bob", alone)
        win_open(noon)
    noon.refresh_from_db()
    assert noon.status == Event.Status.FINISHED
    assert {row.user.username for row in table_of_season(season).rows} == {"ann", "cat", "dan"}


def test_a_player_who_alone_came_is_champion(event):
    noon = started(event(people="ann bob cat dan", **{**SWISS, "format_options": {"planned_rounds": 1}}))
    miss(noon, "bob", "cat", "dan")
    champion = noon.entries.get(status=Entry.Status.CHAMPION)
    assert (champion.user.username, noon.entries.filter(place=None).count()) == ("ann", 0)
    page = page_html(Client().get(reverse("tournaments:event", args=[noon.pk])))
    assert "no champion" not in page


@pytest.mark.parametrize("settings", [{**SWISS, "format_options": {"planned_rounds": 1}}, {}])
def test_byes_alone_make_no_champion(event, settings):
    noon = started(event(people="ann bob cat", **settings))
    miss(noon, *in_play(noon))
    noon.refresh_from_db()
    assert noon.is_finished and not noon.badges.exists()
    assert {*noon.entries.values_list("status", "place")} == {("eliminated", None)}
    page = page_html(Client().get(reverse("tournaments:event", args=[noon.pk])))
    assert "This tournament has no champion: no match was played." in page


def test_a_knock_out_whose_last_match_no_one_came_to_says_that_it_has_no_champion(event):
    noon = started(event(people="ann bob cat dan"))
    win_open(noon)
    miss(noon, *in_play(noon))
    noon.refresh_from_db()
    assert noon.is_finished
    page = page_html(Client().get(reverse("tournaments:event", args=[noon.pk])))
    assert "This tournament has no champion." in page


def test_a_match_of_two_who_sit_out_is_won_by_neither(event):
    noon = started(event(people="ann bob cat dan", **ROUND_ROBIN))
    one, other = (match_of(noon, "ann").sides.exclude(entry=entry_of(noon, "ann")).get().entry.user.username, "ann")
    third = next(name for name in ("bob", "cat", "dan") if name != one)
    miss(noon, other, third)
    assert sits_out(noon) == sorted([other, third])
    for _ in range(2):
        win_open(noon)
    mutual = noon.matches.filter(sides__entry__user__username=other).get(
        pk__in=noon.matches.filter(sides__entry__user__username=third).values("pk")
    )
    assert places(mutual) == [2, 2]
    assert sorted(mutual.reason.removesuffix(" missed earlier matches").split(" and ")) == sorted([other, third])


@pytest.mark.parametrize("of_missed_match", [True, False])
def test_whose_missed_match_is_corrected_to_played_sits_out_no_longer(event, boss, of_missed_match):
    noon = started(event(people="ann bob cat dan eve fay", **SWISS))
    if not of_missed_match:
        win_open(noon)
    missed = match_of(noon, "ann")
    miss(noon, "ann")
    assert sits_out(noon) == ["ann"]
    corrected = missed if of_missed_match else noon.matches.get(round__number=1, sides__entry=entry_of(noon, "ann"))
    services.correct_result(match_id=corrected.pk, places=[1, 2], by=boss, why="they played in the hall")
    assert sits_out(noon) == ([] if of_missed_match else ["ann"])
    win_open(noon)
    assert ("ann" in in_play(noon)) == of_missed_match


def test_a_correction_takes_back_one_missed_match_of_two(event, boss):
    noon = started(event(people="ann bob cat dan", missed_matches=2, **SWISS))
    missed = match_of(noon, "ann")
    miss(noon, "ann")
    services.correct_result(match_id=missed.pk, places=[1, 2], by=boss)
    assert entry_of(noon, "ann").missed == 0


def test_a_team_that_missed_no_board_after_all_sits_out_no_longer(teams_of_two, boss):
    noon = started(teams_of_two("Reds: ann bob\nBlues: cat dan\nGreens: eve fay\nGolds: gus hal"))
    boards = list(noon.matches.filter(parent__sides__entry__team_name="Reds", board__isnull=False))
    miss(noon, "ann", "bob")
    assert [entry.team_name for entry in noon.entries.all() if entry.is_sitting_out] == ["Reds"]
    services.correct_result(match_id=boards[0].pk, places=[1, 2], by=boss)
    assert not any(entry.is_sitting_out for entry in noon.entries.all())


# Byes


def test_no_bye_for_somebody_who_has_not_come_yet(event):
    noon = started(event(people="ann bob cat dan", late_rounds=2, **SWISS))
    come(noon, "ann", "bob", "cat", "dan")
    services.add_entry(event_id=noon.pk, user=person("eve"), by=person("director"), late=True)
    win_open(noon)
    bye = noon.matches.get(decided_by=Match.DecidedBy.BYE)
    assert bye.round.number == 2
    assert bye.sides.get().entry.user != person("eve")
    assert "of all who have come" in bye.why_paired


def test_who_has_checked_in_or_enters_late_by_themselves_has_come(event):
    noon = event(people="ann bob", check_in_minutes=5, late_rounds=2, **SWISS)
    services.open_check_in(event_id=noon.pk, now=NOON - timedelta(minutes=5))
    for name in ("ann", "bob"):
        services.check_in_player(event_id=noon.pk, user=person(name))
    started(noon)
    services.enter_event(event_id=noon.pk, user=person("cat"))
    services.add_entry(event_id=noon.pk, user=person("dan"), by=person("director"), late=True)
    assert [entry_of(noon, name).has_come for name in ("ann", "bob", "cat", "dan")] == [True, True, True, False]


def test_players_of_a_match_that_a_director_decides_have_come_unless_it_was_forfeited(event, boss):
    noon = started(event(people="ann bob cat dan eve fay", **SWISS))
    forfeited, *played = noon.matches.exclude(sides__entry__user=person("ann"))
    played.append(match_of(noon, "ann"))
    services.adjudicate(match_id=forfeited.pk, places=[1, 2], by=boss, decided_by=Match.DecidedBy.FORFEIT)
    assert not noon.entries.filter(has_come=True).exists()
    for match in played:
        services.adjudicate(match_id=match.pk, places=[1, 2], by=boss)
    assert set(noon.entries.filter(has_come=False)) == set(noon.entries.filter(sides__match=forfeited))


def test_a_win_by_forfeit_brings_no_bye_while_a_loser_of_a_match_decided_by_hand_is_there(event, boss):
    noon = started(event(people="ann bob cat dan eve fay", **SWISS))
    for match in noon.matches.exclude(sides__entry__user=person("ann")):
        services.adjudicate(match_id=match.pk, places=[1, 2], by=boss)
    losers = set(noon.entries.filter(sides__place=2))
    miss(noon, "ann")
    assert noon.matches.get(decided_by=Match.DecidedBy.BYE).sides.get().entry in losers


# Arenas


def test_an_arena_pairs_nobody_with_who_did_not_come_again(arena, house_bots):
    noon = arena("ann", fill_to=3)
    for _ in range(6):
        miss(noon, "ann")
        win_open(noon)
        next_wave(noon)
    assert sits_out(noon) == ["ann"]
    assert noon.matches.filter(sides__entry=entry_of(noon, "ann")).count() == 1
    assert noon.matches.filter(decided_by=Match.DecidedBy.FORFEIT).count() == 1


def test_who_is_there_but_does_not_move_is_taken_out_of_an_arena_until_back(arena):
    noon = arena("ann bob cat dan")
    come(noon, "ann", "bob", "cat", "dan")
    idle = running_tables(noon)[0].names[0]
    run_out_of_time(noon, idle)
    win_open(noon)
    next_wave(noon)
    assert match_of(noon, idle).reason == f"{idle} didn't move in time"
    assert sits_out(noon) == [idle] and idle not in in_play(noon)
    services.return_to_play(event_id=noon.pk, user=person(idle))
    win_open(noon)
    next_wave(noon)
    assert idle in in_play(noon)


def test_elsewhere_who_is_there_but_does_not_move_is_no_no_show(event):
    noon = started(event(people="ann bob cat dan", **SWISS))
    come(noon, "ann", "bob", "cat", "dan")
    run_out_of_time(noon, running_tables(noon)[0].names[0])
    advance(noon)
    assert sits_out(noon) == []


def test_two_who_are_free_wait_for_others_although_two_before_them_have_gone(arena):
    noon = arena("ann bob cat dan")
    first, second = running_tables(noon)
    win(noon, first.names[0])
    assert Event.objects.get(pk=noon.pk).next_round_at is None, "these two have just met"
    win(noon, second.names[0])
    due = Event.objects.get(pk=noon.pk).next_round_at
    assert due is not None
    for name in first.names[:1] + second.names:
        services.withdraw_entry(event_id=noon.pk, user=person(name))
    assert Event.objects.get(pk=noon.pk).next_round_at is None
    services.enter_event(event_id=noon.pk, user=person(second.names[0]))
    advance(noon)
    assert Event.objects.get(pk=noon.pk).next_round_at >= due
    assert not running_tables(noon)


# Directors


@pytest.mark.parametrize("role", ["helper", "director"])
def test_a_director_or_helper_checks_in_who_is_back(event, client, role):
    noon = started(event(people="ann bob cat dan", **SWISS))
    miss(noon, "ann")
    EventRole.objects.create(event=noon, user=person("hal"), role=role)
    client.force_login(person("hal"))
    page = page_html(client.get(reverse("tournaments:console-tab", args=[noon.pk, "entries"])))
    assert "sits out" in page
    assert ("Sitting out", 1) in client.get(reverse("tournaments:console", args=[noon.pk])).context["counts"]
    client.post(reverse("tournaments:act", args=[noon.pk, "check-in"]), {"entry": entry_of(noon, "ann").pk})
    assert sits_out(noon) == []
    assert noon.log.filter(what="ann is back.", by=person("hal")).exists()


def test_a_substitute_for_somebody_who_sits_out_plays_on(event):
    noon = started(event(people="ann bob cat dan", **SWISS))
    miss(noon, "ann")
    services.substitute(
        entry_id=entry_of(noon, "ann").pk, out_id=person("ann").pk, to_id=person("amy").pk, by=person("director")
    )
    assert sits_out(noon) == []


def test_a_director_cannot_pair_who_sits_out_by_hand(event):
    noon = started(event(people="ann bob cat dan eve fay", **SWISS))
    miss(noon, "ann")
    services.hold_rounds(event_id=noon.pk, by=person("director"))
    win_open(noon)
    with pytest.raises(services.EventError, match="sits out"):
        services.arrange_match(event_id=noon.pk, entries=[entry_of(noon, "ann").pk], by=person("director"))


# Pages


def test_only_the_button_brings_one_back_and_not_the_page(event, client):
    noon = started(event(people="ann bob cat dan eve fay", **SWISS))
    miss(noon, "ann")
    client.force_login(person("ann"))
    page = page_html(client.get(noon.get_absolute_url()))
    assert "You missed your match, so you sit out." in page
    assert sits_out(noon) == ["ann"]
    assert "sitting out" in page_html(client.get(reverse("tournaments:mine")))
    back = reverse("tournaments:say-back", args=[noon.pk])
    assert f'action="{back}"' in page
    assert client.get(back).status_code == 405
    assert client.post(back).url == noon.get_absolute_url()
    assert sits_out(noon) == []
    page = page_html(client.get(noon.get_absolute_url()))
    assert "You missed your match" not in page and "You play from round 2." in page
    client.force_login(person("bob"))
    assert "sitting out." in page_html(client.post(back, follow=True))


def test_the_event_says_beforehand_how_long_one_may_take_and_what_follows(event):
    facts = dict(facts_of(event(appear_minutes=3)))
    assert facts["Time to appear"] == "3 minutes; the clocks start when everyone is there"
    assert facts["Missed matches"] == "after 1 missed match you sit out until you say you are back"
    strict = dict(facts_of(event(missed_matches=2, no_shows="withdraw", move_seconds=3600)))
    assert strict["Time to appear"] == "no limit except your move clock"
    assert strict["Missed matches"] == "after 2 missed matches you are withdrawn"


def test_the_exported_event_has_these_settings_and_who_sits_out(event):
    noon = started(event(people="ann bob cat dan", **SWISS))
    miss(noon, "ann")
    told = exports.event_as_json(presentation.draw_of(Event.objects.get(pk=noon.pk)), site="https://cards.test")
    assert told["event"]["settings"]["Time to appear"].startswith("5 minutes")
    assert [entry["players"] for entry in told["entries"] if entry["sits_out"]] == [["ann"]]


def test_a_new_knock_out_gives_three_minutes_to_appear_and_others_five(director):
    knock_outs = [{"preset": "knock-out"}, {"preset": "double-elimination"}, {"preset": "pairs"}, {"game": "casino"}]
    others = [{"preset": "swiss"}, {"preset": "arena"}, {"preset": "round-robin"}]
    for source, minutes in [(source, 3) for source in knock_outs] + [(source, 5) for source in others]:
        form = director.get(reverse("tournaments:new"), source).context["form"]
        assert form["appear_minutes"].value() == minutes
        assert (form["missed_matches"].value(), form["no_shows"].value()) == (1, "sit-out")


@pytest.mark.parametrize("minutes", [0, 61])
def test_the_time_to_appear_has_limits(event, minutes):
    with pytest.raises(Exception, match="appear_minutes"):
        event(appear_minutes=minutes)


def test_a_played_match_shows_that_its_players_have_come(event):
    noon = started(event(people="ann bob", **SWISS))
    table = running_tables(noon)[0]
    play(table, 2)
    win(noon, table.names[0])
    open_tables(noon)
    assert noon.entries.filter(has_come=True).count() == 2
