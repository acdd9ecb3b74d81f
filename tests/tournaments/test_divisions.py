"""Leagues of people in divisions: preview, one press, and the events it makes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from accounts.models import User
from notifications.models import Notice
from tests.pages import page_html, page_words
from tests.tournaments.factories import NOON, lose, miss, person, started, win_open
from tournaments.models import Division, DivisionLeague, Entry, Event, Season

ROBIN = {"format": "round-robin", "format_options": {}, "move_seconds": 90}
STAGE = {"starts_at": "2058-10-27T19:30", "time_zone": "Europe/Vienna", "names": ""}


@pytest.fixture
def league(event, planner) -> DivisionLeague:
    """Divisions of three, one up and one down, before its first stage."""
    template = event(
        name="Template", description="Bots fill empty seats.", fill_to=4, max_entries=9, is_evened=True, **ROBIN
    )
    form = {"name": "City league", "size": 3, "up": 1, "down": 1, "template": template.pk}
    answer = planner.post(reverse("tournaments:new-divisions"), form)
    made = DivisionLeague.objects.get()
    assert answer["Location"] == reverse("tournaments:next-stage", args=[made.pk])
    return made


def press(client: Client, league: DivisionLeague, **changes: object):
    """Looks at the preview and presses the button below it."""
    address = reverse("tournaments:next-stage", args=[league.pk])
    preview = client.post(address, STAGE | {"preview": "1"} | changes)
    return client.post(address, STAGE | {"create": "1", "seen": preview.context["seen"]} | changes)


def first_stage(client: Client, league: DivisionLeague) -> None:
    names = "ann bob cat dan eve fay gus hal ian".split()
    for name in names:
        person(name)
    assert press(client, league, names="\n".join(names)).status_code == 302


def players(league: DivisionLeague, stage: int) -> list[str]:
    """By division, in the order of the seeds that a director wants."""
    found = Division.objects.filter(league=league, stage=stage).order_by("level")
    return [" ".join(one.user.username for one in division.event.entries.order_by("wanted_seed")) for division in found]


def finish(league: DivisionLeague, stage: int, *orders: str) -> None:
    """The divisions of the stage end in these orders."""
    Entry.objects.filter(event__division__stage=stage).update(seed=None)
    for division, order in zip(Division.objects.filter(league=league, stage=stage), orders, strict=True):
        for place, name in enumerate(order.split(), start=1):
            Entry.objects.filter(event=division.event, user=person(name)).update(
                seed=place, place=place, last_place=place, status=Entry.Status.ELIMINATED
            )
        Event.objects.filter(pk=division.event_id).update(status=Event.Status.FINISHED, finished_at=NOON)


def test_the_first_stage_is_divided_by_strength_into_round_robins(planner, league):
    first_stage(planner, league)
    assert players(league, 1) == ["ann bob cat", "dan eve fay", "gus hal ian"]
    event = Division.objects.get(level=2).event
    assert (event.name, event.format, event.move_seconds) == ("City league 1, division 2", "round-robin", 90)
    assert (event.invited_only, event.fill_to, event.max_entries, event.is_evened) == (True, 0, None, False)
    assert event.description == "", "the template's is about another event"
    assert (event.created_by, event.seeding, event.starts_at.hour) == (person("dora"), Event.Seeding.HAND, 18)
    assert "Division 2 of City league , stage 1." in page_words(planner.get(event.get_absolute_url()))
    page = page_words(planner.get(league.get_absolute_url()))
    assert "Division 2 Planned" in page and "dan eve fay" in page
    assert "Plan the next stage" not in page, "none can be planned before this one is over"


def test_the_settings_of_round_robins_that_people_play_are_offered_first(planner, event):
    event(name="Old robin", **ROBIN)
    event(name="New robin", starts_at=NOON + timedelta(days=1), **ROBIN)
    event(name="Robin of bots", starts_at=NOON + timedelta(days=2), bots_only=True, fill_to=4, **ROBIN)
    field = planner.get(reverse("tournaments:new-divisions")).context["form"].fields["template"]
    assert [template.name for template in field.queryset] == ["New robin", "Old robin", "Robin of bots"]


def test_a_division_in_play_is_listed_as_it_stands(planner, league, event):
    noon = started(event(people="ann bob cat", **ROBIN))
    Division.objects.create(league=league, stage=1, level=1, event=noon)
    first, second = [side.entry for side in noon.matches.get(status="playing").sides.order_by("entry__seed")]
    lose(noon, first.user.username)
    page = planner.get(league.get_absolute_url())
    [(_, [(_, entries)])] = page.context["stages"]
    assert entries[0] == (second, "stays") and len(entries) == 3
    assert "After each stage, 1 player of each division goes up and 1 goes down." in page_words(page)


def test_one_press_moves_players_up_and_down_as_the_preview_says(planner, league):
    first_stage(planner, league)
    finish(league, 1, "bob ann cat", "fay eve dan", "gus ian hal")
    assert "Plan the next stage" in page_words(planner.get(league.get_absolute_url()))
    address = reverse("tournaments:next-stage", args=[league.pk])
    preview = planner.get(address)
    assert "Division 1 bob ann fay ▲ up" in page_words(preview)
    assert "Division 2 cat ▼ down eve gus ▲ up" in page_words(preview)
    assert "Create the divisions" not in page_words(preview)
    person("joe")
    assert press(planner, league, names="joe").status_code == 302
    assert players(league, 2) == ["bob ann fay", "cat eve gus", "dan ian hal joe"]
    told = {name: Notice.objects.filter(user=person(name)).latest("pk").text for name in ("bob", "fay", "cat", "joe")}
    assert told["bob"].endswith("City league 2, division 1. It starts on Sun 27 Oct 2058, 19:30 (Europe/Vienna).")
    assert told["fay"].startswith("You move up a division. You play in City league 2, division 1.")
    assert told["cat"].startswith("You move down a division. You play in City league 2, division 2.")
    assert told["joe"].startswith("You play in City league 2, division 3.")
    page = page_words(planner.get(league.get_absolute_url()))
    newer, older = page[page.index("Stage 2") :].split("Stage 1")
    assert "bob ann fay ▲ up" in newer and "cat ▼ down eve gus ▲ up" in newer
    assert "dan ▼ down ian hal joe new" in newer
    assert not {"▲", "▼", "new"} & {*older.split()}, "no one moved before the first stage"


def test_later_stages_take_the_settings_of_the_last_one(planner, league):
    first_stage(planner, league)
    finish(league, 1, "ann bob cat", "dan eve fay", "gus hal ian")
    Event.objects.filter(division__level=2).update(move_seconds=120, description="Bring a pen.")
    press(planner, league)
    assert [one.event.move_seconds for one in Division.objects.filter(stage=2)] == [90, 120, 90]
    assert Division.objects.get(stage=2, level=2).event.description == "Bring a pen."


def test_who_left_or_closed_the_account_is_not_carried_on(planner, league):
    first_stage(planner, league)
    finish(league, 1, "ann bob cat", "dan eve fay", "gus hal ian")
    Entry.objects.filter(user=person("bob")).update(status=Entry.Status.WITHDRAWN)
    User.objects.filter(username="gus").update(is_active=False)
    press(planner, league)
    assert players(league, 2) == ["ann cat dan", "eve fay hal ian"]


def test_a_player_who_missed_every_match_is_marked_and_can_be_left_out(planner, league, event):
    noon = started(event(people="ann bob cat dan", **ROBIN))
    Division.objects.create(league=league, stage=1, level=1, event=noon)
    for _ in range(3):
        miss(noon, "dan")
        win_open(noon)
    noon.refresh_from_db()
    assert noon.is_finished
    preview = planner.get(reverse("tournaments:next-stage", args=[league.pk]))
    assert [(line.user.username, line.has_missed_all) for line in preview.context["plan"][0].lines][-1] == ("dan", True)
    words = page_words(preview)
    assert words.count("missed every match") == 1 + 1, "beside the name, and what the choice is about"
    assert "dan missed every match" in words and "Leave out dan" in words
    assert press(planner, league, left_out=[person("ann").pk]).status_code == 422, "ann has played"
    press(planner, league, left_out=[person("dan").pk])
    assert sorted(players(league, 2)[0].split()) == ["ann", "bob", "cat"]


def test_nothing_is_made_before_every_division_is_over(planner, league):
    first_stage(planner, league)
    finish(league, 1, "ann bob cat", "dan eve fay", "gus hal ian")
    Event.objects.filter(division__level=2).update(status=Event.Status.RUNNING)
    answer = press(planner, league)
    assert answer.status_code == 422
    assert answer.context["refusal"] == "Division 2 isn't over yet."
    assert Division.objects.filter(stage=2).count() == 0


def test_what_was_looked_at_is_made_or_nothing(planner, league):
    """A second press, and a result that was corrected meanwhile."""
    first_stage(planner, league)
    finish(league, 1, "ann bob cat", "dan eve fay", "gus hal ian")
    address = reverse("tournaments:next-stage", args=[league.pk])
    seen = planner.post(address, STAGE | {"preview": "1"}).context["seen"]
    finish(league, 1, "ann cat bob", "dan eve fay", "gus hal ian")
    create = STAGE | {"create": "1", "seen": seen}
    assert "The divisions have changed since you looked." in page_words(planner.post(address, create))
    assert press(planner, league).status_code == 302
    assert planner.post(address, create).status_code == 422
    assert Division.objects.filter(stage=2).count() == 3


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"names": "nobody-here"}, "There is no player named nobody-here."),
        ({"names": "ada"}, "ada is a bot of the site. Divisions are for people and the bots they run."),
        ({"names": "bot-casino-Ada"}, "bot-casino-Ada is a bot of the site."),
        ({"names": "ann\nAnn"}, "Each name must be there only once."),
        ({"names": "ann"}, "ann is in a division already."),
        ({"starts_at": "2020-01-01T19:30"}, "Choose a time in the future."),
    ],
)
def test_a_stage_that_cannot_be_is_refused(planner, league, house_bot, changes, text):
    house_bot("Ada")
    first_stage(planner, league)
    finish(league, 1, "ann bob cat", "dan eve fay", "gus hal ian")
    answer = planner.post(reverse("tournaments:next-stage", args=[league.pk]), STAGE | {"preview": "1"} | changes)
    assert answer.status_code == 422
    assert text in page_words(answer)


def test_names_fill_all_divisions_of_the_first_stage_and_join_the_last_one_of_the_next(planner, league):
    address = reverse("tournaments:next-stage", args=[league.pk])
    page = page_words(planner.get(address))
    assert "First stage of City league Start" in page and "They fill the divisions from the top." in page
    first_stage(planner, league)
    finish(league, 1, "ann bob cat", "dan eve fay", "gus hal ian")
    page = page_words(planner.get(address))
    assert "Next stage of City league Start" in page and "They begin in the last division." in page


def test_a_league_needs_two_players(planner, league):
    person("ann")
    answer = press(planner, league, names="ann")
    assert "There are too few players." in page_words(answer)


def test_divisions_can_be_made_of_a_season_table(planner, event):
    evening = event(people="cat ann bob", **ROBIN)
    for place, entry in enumerate(evening.entries.order_by("pk"), start=1):
        Entry.objects.filter(pk=entry.pk).update(seed=place, place=place, last_place=place, has_come=True)
    Event.objects.update(status=Event.Status.FINISHED)
    season = Season.objects.create(name="Winter", created_by=person("dora"), place_points=[3, 2, 1])
    season.events.add(evening)
    address = f"{reverse('tournaments:new-divisions')}?season={season.pk}"
    assert address in page_html(planner.get(season.get_absolute_url()))
    form = {"name": "City league", "size": 8, "up": 1, "down": 1, "template": evening.pk}
    answer = planner.post(address, form, follow=True)
    assert answer.context["form"].initial["names"] == "cat\nann\nbob"


def groups(client: Client) -> dict[str, list[str]]:
    """Names of the leagues in the list, by heading."""
    found = client.get(reverse("tournaments:division-leagues")).context["groups"]
    return {title: [line.league.name for line in lines] for title, lines in found}


def test_the_list_tells_leagues_in_progress_from_those_that_have_ended(planner, league):
    assert groups(planner) == {"In progress": ["City league"], "Ended": []}
    assert "first stage not planned yet" in page_words(planner.get(reverse("tournaments:division-leagues")))
    first_stage(planner, league)
    DivisionLeague.objects.create(name="Another league", template=league.template)
    assert groups(planner) == {"In progress": ["Another league", "City league"], "Ended": []}
    finish(league, 1, "ann bob cat", "dan eve fay", "gus hal ian")
    Event.objects.filter(division__level=3).update(status=Event.Status.RUNNING)
    assert groups(planner)["Ended"] == []
    Event.objects.filter(division__level=3).update(status=Event.Status.FINISHED)
    assert groups(planner) == {"In progress": ["Another league"], "Ended": ["City league"]}
    page = page_words(planner.get(reverse("tournaments:division-leagues")))
    assert "City league Casino stage 1 3 divisions, 9 players ended Fri 20 Nov 2026" in page
    press(planner, league)
    assert groups(planner) == {"In progress": ["Another league", "City league"], "Ended": []}
    assert "stage 2 3 divisions" in page_words(planner.get(reverse("tournaments:division-leagues")))


def test_the_list_is_found_from_tournaments_seasons_planning_and_console(planner, league):
    first_stage(planner, league)
    event = Division.objects.get(level=2).event
    address = f'href="{reverse("tournaments:division-leagues")}"'
    for name in ("index", "seasons", "new"):
        assert address in page_html(planner.get(reverse(f"tournaments:{name}")))
    console = page_html(planner.get(reverse("tournaments:console", args=[event.pk])))
    assert address in console and league.get_absolute_url() in console
    other = reverse("tournaments:console", args=[league.template_id])
    Event.objects.filter(pk=league.template_id).update(created_by=person("dora"))
    assert address not in page_html(planner.get(other))


def test_a_cancelled_division_does_not_hold_up_the_league(planner, league):
    first_stage(planner, league)
    finish(league, 1, "ann bob cat", "dan eve fay", "gus hal ian")
    Event.objects.filter(division__level=3).update(status=Event.Status.CANCELLED)
    assert press(planner, league).status_code == 302
    assert players(league, 2) == ["ann bob dan", "cat eve gus", "fay hal ian"]


def test_only_who_made_a_league_and_admins_change_it(client, planner, league):
    other = person("otto")
    other.groups.add(Group.objects.get(name="Directors"))
    client.force_login(other)
    for name in ("edit-divisions", "next-stage"):
        assert client.get(reverse(f"tournaments:{name}", args=[league.pk])).status_code == 403
    assert "Plan the next stage" not in page_words(client.get(league.get_absolute_url()))
    assert league.get_absolute_url() in page_html(client.get(reverse("tournaments:division-leagues")))
    client.force_login(person("dora"))
    form = {"name": "Town league", "size": 4, "up": 2, "down": 2, "template": league.template_id}
    assert client.post(reverse("tournaments:edit-divisions", args=[league.pk]), form).status_code == 302
    league.refresh_from_db()
    assert (league.name, league.up, league.size) == ("Town league", 2, 4)


def test_divisions_take_no_settings_of_a_tournament_for_pairs(event, planner):
    pairs = event(name="Pairs", game="push", options={}, seats=4, format="round-robin", format_options={})
    form = {"name": "Pairs league", "size": 4, "up": 1, "down": 1, "template": pairs.pk}
    answer = planner.post(reverse("tournaments:new-divisions"), form)
    assert answer.status_code == 422 and not DivisionLeague.objects.exists()
    assert "Partners play there, and in divisions everyone plays for themselves." in page_html(answer)
