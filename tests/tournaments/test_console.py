"""The director's console in a browser without scripts: what it shows, does, and refuses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Table
from notifications.models import Notice
from tests.pages import page_html, page_words
from tests.tournaments.factories import (
    NOON,
    come,
    entry_of,
    lose,
    match_of,
    names,
    open_tables,
    person,
    started,
    status_of,
    url,
)
from tournaments import services
from tournaments.console.actions import ACTIONS
from tournaments.console.tabs import TABS, TABS_OF_HELPERS, coming_steps
from tournaments.models import Entry, Event
from tournaments.presentation.standings import WORD_JOINER
from tournaments.queries.permissions import EventRank

pytestmark = pytest.mark.only_on("sqlite")


@pytest.fixture
def boss(client, db):
    """A client whose user directs every event that `event` makes."""
    user = person("boss")
    user.is_superuser = True
    user.save()
    client.force_login(user)
    return client


@pytest.fixture
def helper(client, db):
    client.force_login(person("helen"))
    return client


@pytest.fixture
def swiss(event):
    """A Swiss whose first round is to be published."""
    noon = event(people="ann bob cat dan", format="swiss", publishes_by_hand=True)
    services.start_event(event_id=noon.pk, now=NOON)
    noon.refresh_from_db()
    return noon


def do(client: object, event: Event, verb: str, **sent: object) -> object:
    return client.post(url("act", event.pk, verb), sent, follow=True)


def show(client: object, event: Event, tab: str) -> str:
    return page_words(client.get(url("console-tab", event.pk, tab)))


# Who may


@pytest.mark.parametrize("tab", TABS)
def test_helpers_see_what_they_need(helper, event, tab):
    noon = event(people="ann bob")
    noon.roles.create(user=person("helen"), role="helper")
    assert helper.get(url("console-tab", noon.pk, tab)).status_code == (200 if tab in TABS_OF_HELPERS else 403)


@pytest.mark.parametrize("tab", TABS)
def test_the_state_has_the_same_buttons_beside_every_tab(boss, event, tab):
    page = page_html(boss.get(url("console-tab", event(people="ann bob").pk, tab)))
    state = page[page.index('id="console-state"') : page.index("</section>")]
    assert re.findall(r'<button[^>]* id="([^"]*)"', state) == ["do-close", "do-hold-rounds"]


@pytest.mark.parametrize("verb", ACTIONS)
def test_an_action_is_only_for_its_rank(helper, event, verb):
    noon = started(event(people="ann bob"))
    line = noon.log.last()
    match = match_of(noon, "ann")
    call = match.calls.create(by=person("ann"))
    about = {"entry": entry_of(noon, "ann").pk, "match": match.pk, "line": line.pk, "call": call.pk}
    before = noon.log.count()
    assert do(helper, noon, verb, **about).status_code == 403
    noon.roles.create(user=person("helen"), role="helper")
    answer = do(helper, noon, verb, **about)
    if ACTIONS[verb].rank == EventRank.DIRECTOR or verb == "undo":
        assert answer.status_code == 403
        assert noon.log.count() == before
    else:
        assert answer.status_code in (200, 422)


def test_a_helper_undoes_a_check_in_and_nothing_else(helper, event):
    noon = event(people="ann")
    noon.roles.create(user=person("helen"), role="helper")
    services.close_entries(event_id=noon.pk, by=person("boss"))
    closing = noon.log.first()
    do(helper, noon, "check-in", entry=entry_of(noon, "ann").pk)
    page = page_html(helper.get(url("console", noon.pk)))
    assert f'id="do-undo-{noon.log.first().pk}"' in page
    assert f'id="do-undo-{closing.pk}"' not in page
    do(helper, noon, "undo", line=noon.log.first().pk)
    assert status_of(noon, "ann") == "entered"
    assert do(helper, noon, "undo", line=closing.pk).status_code == 403


def test_an_action_of_one_event_does_not_reach_another(boss, event):
    noon, other = event(people="ann"), event(people="bob")
    assert do(boss, noon, "check-in", entry=entry_of(other, "bob").pk).status_code == 404
    assert do(boss, noon, "undo", line=other.log.last().pk).status_code == 404
    assert do(boss, noon, "nothing-of-the-kind").status_code == 404


def test_somebody_in_the_group_of_directors_runs_his_own_event_to_its_end(client, event):
    ann = person("ann")
    ann.groups.add(Group.objects.get(name="Directors"))
    client.force_login(ann)
    own = event(people="bob cat")
    Event.objects.update(created_by=ann)
    started(own)
    do(client, own, "decide", match=match_of(own, "bob").pk, result="1 2", why="clear")
    assert Event.objects.get().status == "finished"


# What it shows


@pytest.mark.parametrize("tab", TABS)
@pytest.mark.parametrize("state", ["before", "proposed", "running", "over"])
def test_every_tab_opens_in_every_state(boss, event, swiss, tab, state):
    noon = {"before": lambda: event(people="ann bob"), "proposed": lambda: swiss}.get(
        state, lambda: started(event(people="ann bob cat"))
    )()
    if state == "over":
        services.cancel_event(event_id=noon.pk, by=person("boss"), why="")
    assert boss.get(url("console-tab", noon.pk, tab)).status_code == 200


def test_the_console_shows_state_next_steps_and_the_log_with_who_and_why(boss, event):
    noon = event(people="ann bob", check_in_minutes=5)
    do(boss, noon, "close")
    page = show(boss, noon, "now")
    for words in ("open for entries", "closed for entries", "Entries 2", "Check-in opens", "Closed entries. by boss"):
        assert words in page


def test_running_matches_lead_to_their_tables(boss, event):
    noon = started(event(people="ann bob"))
    match = match_of(noon, "ann")
    page = page_html(boss.get(url("console", noon.pk)))
    assert match.games.get().table.get_absolute_url() in page
    assert f'datetime="{match.started_at.isoformat()}"' in page


def test_the_state_counts_no_bye_as_a_match(boss, event):
    noon = started(event(people="ann bob cat", format="swiss"))
    page = page_words(boss.get(url("console", noon.pk)))
    assert "Matches in progress 1" in page and "Matches decided" not in page


def test_steps_that_are_over_are_not_shown_as_coming(boss, event):
    noon = started(event(people="ann bob"))
    page = show(boss, noon, "now")
    assert "In progress" in page and "Next steps" not in page and "Registration opens" not in page


def test_only_steps_that_have_not_been_taken_are_coming(boss, event):
    noon = event(people="ann bob", check_in_minutes=5)
    assert [step.what for step in coming_steps(noon)] == ["Check-in opens", "Start"]
    services.open_check_in(event_id=noon.pk, now=NOON - timedelta(minutes=5))
    noon.refresh_from_db()
    assert [step.what for step in coming_steps(noon)] == ["Start"]


def test_a_match_in_progress_names_its_table_and_who_is_missing(boss, event):
    noon = started(event(people="ann bob", format="swiss"))
    assert "Round 1, table 1" in show(boss, noon, "now")
    first, second = match_of(noon, "ann").sides.all()
    missing = f"Not at the table yet: {first.name}, {second.name}."
    assert missing in show(boss, noon, "now")
    come(noon, first.name)
    assert f"Not at the table yet: {second.name}." in show(boss, noon, "results")
    come(noon, second.name)
    assert "Not at the table yet" not in show(boss, noon, "now")


def test_decided_matches_show_who_won_first_and_the_score(boss, event):
    noon = started(event(people="ann bob", format="swiss"))
    match, score = match_of(noon, "ann"), {"points-0": 4, "points-1": 11}
    first, second = (side.name for side in match.sides.all())
    do(boss, noon, "decide", match=match.pk, result="2 1", why="slip", **score)
    assert f"1. {second} 11, 2. {first} 4 (slip)" in show(boss, noon, "results")


def test_a_round_that_only_its_director_holds_up_is_named(boss, event, swiss):
    assert "Round 1 is paired and starts once a director publishes it." in show(boss, swiss, "now")
    services.publish_round(event_id=swiss.pk, section="rounds", number=1, by=person("boss"))
    assert "starts once a director publishes it" not in show(boss, swiss, "now")


def test_a_console_takes_as_many_queries_for_many_as_for_few(boss, event, django_assert_max_num_queries):
    few, many = started(event(people="ann bob")), started(event(people=" ".join(f"p{n}" for n in range(16))))
    for tab in TABS:
        with CaptureQueriesContext(connection) as found:
            boss.get(url("console-tab", few.pk, tab))
        with django_assert_max_num_queries(len(found) + 2):
            boss.get(url("console-tab", many.pk, tab))


# What it does


@pytest.mark.parametrize("verb", [slug for slug, kind in ACTIONS.items() if kind.is_button()])
def test_a_link_alone_does_nothing(boss, event, verb):
    noon = event(people="ann")
    before = (noon.log.count(), noon.version)
    boss.get(url("act", noon.pk, verb), {"entry": entry_of(noon, "ann").pk, "line": noon.log.first().pk})
    noon.refresh_from_db()
    assert (noon.log.count(), noon.version) == before


def test_entries_are_closed_opened_and_closed_again_by_undo(boss, event):
    noon = event()
    do(boss, noon, "close")
    do(boss, noon, "open")
    assert not Event.objects.get().is_closed
    do(boss, noon, "undo", line=noon.log.first().pk)
    assert Event.objects.get().is_closed


def test_the_entries_of_an_arena_can_be_closed_while_it_runs(boss, event):
    now = timezone.now()
    noon = event(people="ann bob", format="arena", format_options={"minutes": 30}, starts_at=now)
    assert noon.late_rounds == 0
    started(noon, now=now)
    assert "Close entries" in show(boss, noon, "now")
    do(boss, noon, "close")
    assert "Close entries" not in show(boss, noon, "now")
    with pytest.raises(services.EventError):
        services.enter_event(event_id=noon.pk, user=person("cat"))
    do(boss, noon, "open")
    services.enter_event(event_id=noon.pk, user=person("cat"))


def test_where_nobody_can_enter_late_nothing_is_there_to_close(boss, event):
    knock_out, swiss = started(event(people="ann bob")), started(event(people="ann bob", format="swiss"))
    assert "Close entries" not in show(boss, knock_out, "now") + show(boss, swiss, "now")


def test_a_dangerous_action_says_what_it_does_and_asks_why(boss, event):
    noon = event(people="ann bob")
    ann = entry_of(noon, "ann")
    page = boss.get(url("act", noon.pk, "disqualify"), {"entry": ann.pk})
    assert "enter again without a director. You can undo it in the log. Reason Everyone can read" in page_words(page)
    assert do(boss, noon, "disqualify", entry=ann.pk, why="").status_code == 422
    do(boss, noon, "disqualify", entry=ann.pk, why="shouting")
    assert status_of(noon, "ann") == "removed"
    assert "Removed ann. by boss: shouting" in show(boss, noon, "entries")


def test_cancelling_says_how_many_it_concerns(boss, event):
    noon = event(people="ann bob")
    page = page_words(boss.get(url("act", noon.pk, "cancel")))
    assert "2 entries are notified at once." in page
    assert "This can&#x27;t be undone. Reason (optional) " in page
    do(boss, noon, "cancel", why="no light")
    assert Event.objects.get().status == "cancelled"


def test_what_the_start_has_made_final_is_not_offered_for_undo(boss, event):
    noon = event(people="ann bob")
    assert show(boss, noon, "now").count("Undo") == 2
    assert "Undo" not in show(boss, started(noon), "now")


def test_a_paused_event_goes_on(boss, event):
    noon = started(event(people="ann bob"))
    do(boss, noon, "pause", why="tea")
    assert Event.objects.get().is_paused
    page = show(boss, noon, "now")
    assert "Resume" in page
    assert page.count("paused") == 1, "the event is, but not its registration"
    do(boss, noon, "resume")
    assert not Event.objects.get().is_paused


def test_people_are_added_late_where_the_format_takes_them(boss, event):
    noon = started(event(people="ann bob", format="swiss"))
    person("cat")
    do(boss, noon, "add", name="cat")
    assert entry_of(noon, "cat").first_round == 2
    page = do(boss, noon, "add", name="nobody")
    assert page.status_code == 422
    assert "There is no player with this name. A guest needs no account" in page_words(page)


def test_whoever_missed_the_start_is_let_in_late(boss, event):
    noon = event(people="ann bob cat", format="swiss", check_in_minutes=5)
    for name in ("ann", "bob"):
        services.check_in_entry(entry_id=entry_of(noon, name).pk, by=person("boss"))
    Event.objects.update(status="check-in")
    started(noon)
    assert status_of(noon, "cat") == "no-show"
    assert "Admit late" in show(boss, noon, "entries")
    do(boss, noon, "let-in", entry=entry_of(noon, "cat").pk)
    assert (status_of(noon, "cat"), entry_of(noon, "cat").first_round) == ("playing", 2)


def test_who_is_let_in_late_keeps_what_was_noted_and_answered(boss, event):
    noon = event(people="ann bob cat dan", format="swiss", check_in_minutes=5, late_rounds=2)
    noon.entries.update(has_paid=True, note="vegetarian", answers={"Club": "North"})
    for name in ("ann", "bob"):
        services.check_in_entry(entry_id=entry_of(noon, name).pk, by=person("boss"))
    Event.objects.update(status="check-in")
    started(noon)
    do(boss, noon, "let-in", entry=entry_of(noon, "cat").pk)
    services.enter_event(event_id=noon.pk, user=person("dan"))
    for number, name in enumerate(("cat", "dan"), start=3):
        late = entry_of(noon, name)
        assert (late.status, late.seed, late.has_paid, late.note) == ("playing", number, True, "vegetarian")
        assert late.answers == {"Club": "North"}


def test_somebody_is_substituted_on_the_page(boss, event):
    noon = event(people="ann bob")
    person("cat")
    do(boss, noon, "substitute", entry=entry_of(noon, "ann").pk, out=person("ann").pk, name="cat")
    assert set(names(noon.entries.all())) == {"bob", "cat"}


def test_seeds_are_numbered_and_moved_up_and_down(boss, event):
    noon = event(people="ann bob cat", seeding="hand")
    for name in ("ann", "bob", "cat"):
        services.add_entry(event_id=noon.pk, user=person(name), by=person("boss"), seed=ord(name[0]))
    pks = [entry_of(noon, name).pk for name in ("ann", "bob", "cat")]

    def order() -> list[str]:
        return names(noon.entries.order_by("wanted_seed"))

    def save(**sent: object) -> None:
        boss.post(url("seeds", noon.pk), {f"seed-{pk}": i for i, pk in enumerate(now(), 1)} | sent)

    def now() -> list[int]:
        return list(noon.entries.order_by("wanted_seed").values_list("pk", flat=True))

    save(**{f"seed-{pks[2]}": "1"})
    assert order() == ["cat", "ann", "bob"]
    save(**{f"seed-{pks[2]}": "3"})
    assert order() == ["ann", "bob", "cat"]
    save(up=pks[1])
    assert order() == ["bob", "ann", "cat"]
    save(down=pks[1])
    save(up=pks[0])
    assert order() == ["ann", "bob", "cat"]
    do(boss, noon, "seed-by", how="lot")
    assert Event.objects.get().seeding == "lot"


def test_a_swap_that_bends_a_rule_says_so_first(boss, swiss):
    (a, b), (c, _) = [[s.entry for s in m.sides.all()] for m in swiss.matches.all()]
    services.forbid_pair(event_id=swiss.pk, first=a.pk, second=c.pk, by=person("boss"))
    asked = do(boss, swiss, "swap", first=b.pk, second=c.pk)
    assert "This breaks a pairing rule:" in page_words(asked)
    assert a.name in asked.context["preview"].bent_rules[0]
    assert not swiss.matches.filter(is_fixed=True).exists()
    do(boss, swiss, "swap", first=b.pk, second=c.pk, seen=asked.context["action"].preview_key())
    assert swiss.matches.filter(is_fixed=True).count() == 2


def test_what_was_looked_at_is_not_a_leave_for_something_else(boss, swiss):
    (a, b), (c, d) = [[s.entry for s in m.sides.all()] for m in swiss.matches.all()]
    for one, other in ((a, c), (a, d)):
        services.forbid_pair(event_id=swiss.pk, first=one.pk, second=other.pk, by=person("boss"))
    asked = do(boss, swiss, "swap", first=b.pk, second=c.pk)
    do(boss, swiss, "swap", first=b.pk, second=d.pk, seen=asked.context["action"].preview_key())
    assert not swiss.matches.filter(is_fixed=True).exists()


def test_a_round_is_previewed_with_reasons_and_published(boss, swiss):
    page = show(boss, swiss, "rounds")
    assert "Round 1, not published yet" in page
    assert swiss.matches.first().why_paired.split()[0] in page
    do(boss, swiss, "publish", round=swiss.rounds.get().pk)
    assert not swiss.matches.filter(status="proposed").exists()


def test_byes_and_matches_by_hand_are_arranged_on_their_pages(boss, swiss):
    ann, bob, cat = (entry_of(swiss, name).pk for name in ("ann", "bob", "cat"))
    do(boss, swiss, "bye", entry=ann, kind="half-bye", why="train")
    assert swiss.matches.get(sides__entry=ann).decided_by == "half-bye"
    do(boss, swiss, "pair", **{"entry-1": bob, "entry-2": cat, "why": ""})
    assert swiss.matches.get(sides__entry=bob).sides.filter(entry=cat).exists()
    do(boss, swiss, "pair-again", round=swiss.rounds.get().pk)
    assert swiss.matches.filter(is_fixed=True).count() == 2
    do(boss, swiss, "pair-afresh", round=swiss.rounds.get().pk)
    assert not swiss.matches.filter(is_fixed=True).exists()


def test_two_are_forbidden_to_meet_and_allowed_again(boss, swiss):
    ann, bob = (entry_of(swiss, name).pk for name in ("ann", "bob"))
    do(boss, swiss, "forbid", first=ann, second=bob)
    assert "ann and bob" in show(boss, swiss, "rounds")
    do(boss, swiss, "allow", pair=swiss.forbidden_pairs.get().pk)
    assert not swiss.forbidden_pairs.exists()


def test_rounds_are_taken_into_ones_own_hands_and_let_go(boss, event):
    noon = started(event(people="ann bob", format="swiss"))
    do(boss, noon, "hold-rounds")
    assert Event.objects.get().publishes_by_hand
    do(boss, noon, "let-rounds-go")
    assert not Event.objects.get().publishes_by_hand


def test_a_correction_shows_what_changes_before_it_is_done(boss, event):
    noon = started(event(people="ann bob"))
    lose(noon, "ann")
    match = match_of(noon, "ann")
    wins = "1 2" if match.sides.get(number=0).entry.name == "ann" else "2 1"
    asked = do(boss, noon, "correct", match=match.pk, result=wins, why="wrong seat")
    assert "Changes" in page_words(asked)
    moved = {shift.entry.name: shift.places for shift in asked.context["preview"].consequences.shifts}
    assert moved == {"ann": (2, 1), "bob": (1, 2)}
    assert status_of(noon, "bob") == "champion"
    do(boss, noon, "correct", match=match.pk, result=wins, why="wrong seat", seen=asked.context["action"].preview_key())
    assert status_of(noon, "ann") == "champion"


def test_a_correction_of_a_group_shows_shared_places_and_who_would_advance(boss, event):
    noon = started(event(people="ann bob cat dan eve fay", format="groups", format_options={"group_size": 3}))
    while open_ones := noon.matches.filter(round__section__startswith="group", status="playing"):
        for match in open_ones:
            entries = [side.entry for side in match.sides.all()]
            services.adjudicate(match_id=match.pk, places=[*order_of_seeds(entries)], by=person("director"))
        open_tables(noon)
    second, third = (noon.entries.get(seed=seed) for seed in (4, 5))  # the snake: 1, 4 and 5
    match = noon.matches.filter(sides__entry=second).get(sides__entry=third)
    wins = "2 1" if match.sides.get(number=0).entry == second else "1 2"
    words = page_words(do(boss, noon, "correct", match=match.pk, result=wins, why="wrong seat"))
    assert "5–6" in words.replace(WORD_JOINER, "")
    paired = words.partition("If you cancel them, these are paired:")[2].partition("Cancel them")[0]
    assert third.name in paired
    assert second.name not in paired


def order_of_seeds(entries: Sequence[Entry]) -> tuple[int, ...]:
    """The places by side when the better seed wins."""
    return (1, 2) if entries[0].seed < entries[1].seed else (2, 1)


def test_a_correction_begins_with_the_result_as_it_is(boss, event):
    noon = started(event(people="ann bob", format="swiss"))
    match = match_of(noon, "ann")
    do(boss, noon, "decide", match=match.pk, result="2 1", why="slip", **{"points-0": 4, "points-1": 11})
    form = boss.get(url("act", noon.pk, "correct"), {"match": match.pk}).context["action"]
    shown = {field.name: field.value() for field in form.visible_fields()}
    assert (shown["result"], shown["forfeit"], shown["points-0"], shown["points-1"]) == ("2 1", False, 4, 11)
    refused = do(boss, noon, "correct", match=match.pk, result="1 2", why="slip", **{"points-0": 4, "points-1": 11})
    assert "fit the result" in page_words(refused), "before anything is confirmed"


def test_places_are_typed_in_for_tables_of_more_than_two(boss, event):
    noon = started(
        event(people="ann bob cat", format="pods", game="carousel", seats=3, options={}, format_options={"sizes": [3]})
    )
    match = noon.matches.first()
    places = {f"place-{side.number}": side.number + 1 for side in match.sides.all()}
    do(boss, noon, "decide", match=match.pk, why="late", **places)
    assert list(match.sides.values_list("place", flat=True)) == [1, 2, 3]


def test_time_is_added_at_a_table_in_play(boss, event):
    noon = started(event(people="ann bob", format="round-robin"))
    match = match_of(noon, "ann")
    assert f"Add time… {match}" in show(boss, noon, "now")
    page = page_words(boss.get(url("act", noon.pk, "add-time"), {"match": match.pk}))
    assert f"Time for Coming to the table {str(match).replace(' against', '')} Everyone Minutes" in page
    refused = do(boss, noon, "add-time", match=match.pk, player="all", minutes="0")
    assert "greater than or equal to 1" in page_words(refused)
    do(boss, noon, "add-time", match=match.pk, player=person("bob").pk, minutes="5")
    do(boss, noon, "add-time", match=match.pk, player="all", minutes="5")
    own = match.games.get().table.seats.get(user=person("bob")).number
    reserves = [timer.reserve for timer in match.games.get().table.timers]
    assert (reserves[own], reserves[1 - own]) == (600, 300)
    lose(noon, "ann")
    assert "Add time" not in show(boss, noon, "results")
    assert "no game in play" in page_words(do(boss, noon, "add-time", match=match.pk, player="all", minutes="5"))


def test_players_who_are_late_get_more_time_to_come_to_the_table(boss, event):
    noon = started(event(people="ann bob", appear_minutes=3))
    match = match_of(noon, "ann")
    before = match.games.get().table.appear_by
    do(boss, noon, "add-time", match=match.pk, player="appear", minutes="5", why="the tram stands still")
    assert match.games.get().table.appear_by == before + timedelta(minutes=5)
    told = f"a director has added 5 minutes to come to the table: {match} (the tram stands still)."
    assert {notice.user.username for notice in Notice.objects.filter(text__endswith=told)} == {"ann", "bob"}
    Table.objects.update(appear_by=None)
    assert "Coming to the table" not in page_words(boss.get(url("act", noon.pk, "add-time"), {"match": match.pk}))


def test_an_entrant_who_directs_is_told_why_he_cannot_decide_his_match(boss, event):
    noon = started(event(people="boss bob"))
    page = do(boss, noon, "decide", match=match_of(noon, "boss").pk, result="1 2", why="I was better")
    assert "You are one of the players here, so someone else has to decide this match." in page_words(page)


def test_helpers_are_named_and_announcements_made(boss, event):
    noon = event(people="ann")
    person("helen")
    do(boss, noon, "name", name="helen", role="helper")
    assert "helen helper" in show(boss, noon, "people")
    do(boss, noon, "announce", text="Tea at four.")
    assert "Tea at four." in show(boss, noon, "announcements")
    do(boss, noon, "take-down", announcement=noon.announcements.get().pk)
    assert not noon.announcements.shown().exists()


def test_a_refused_press_says_why_on_the_tab_it_came_from(boss, event):
    noon = event(people="ann")
    page = do(boss, noon, "open", tab="entries")
    assert "Entries are already open." in page_words(page)
    assert page.request["PATH_INFO"] == url("console-tab", noon.pk, "entries")


# Nobody sees hidden cards


def cards_of(event: Event) -> set[str]:
    from games.record import replay

    state = replay.state_of(match_of(event, "ann").games.get().table)
    return {str(card) for seat in (0, 1) for card in state.hands[seat]}


@pytest.mark.parametrize("dealing", ["own", "same"])
def test_console_and_admin_show_no_card_of_a_running_table(boss, event, dealing):
    user = person("boss")
    user.is_staff = True
    user.save()
    noon = started(event(people="ann bob cat dan", format="swiss", dealing=dealing))
    table, held = match_of(noon, "ann").games.get().table, cards_of(noon)
    assert len(held) >= 8
    pages = [url("console-tab", noon.pk, tab) for tab in TABS]
    pages += [reverse(f"admin:{name}_change", args=[pk]) for name, pk in (
        ("tournaments_event", noon.pk), ("tournaments_match", match_of(noon, "ann").pk), ("games_table", table.pk),
    )]  # fmt: skip
    for path in pages:
        page = boss.get(path)
        assert page.status_code == 200
        html = page_html(page)
        signs = {card[:-1] + "♠♥♦♣"["SHDC".index(card[-1])] for card in held}
        assert not any(re.search(rf"\b{card}\b", html) for card in held), path
        assert not any(sign in html for sign in signs), path
        assert table.secret.hex() not in page_html(page)


def test_a_director_who_plays_does_not_open_another_hidden_table(boss, event):
    noon = started(event(people="boss bob cat dan", format="swiss", dealing="same"))
    own = match_of(noon, "boss")
    other = noon.matches.exclude(pk=own.pk).get().games.get().table
    assert boss.get(own.games.get().table.get_absolute_url()).status_code == 200
    assert boss.get(other.get_absolute_url()).status_code == 403


def test_a_result_with_its_score_is_sent_whole(boss, event):
    noon = started(event(people="ann bob"))
    match = match_of(noon, "ann")
    sent = {"match": match.pk, "result": "1 2", "why": "seen at the table"}
    asked = do(boss, noon, "decide", **sent, **{"points-0": 21})
    assert "Enter the whole score, or leave it empty." in page_words(asked)
    asked = do(boss, noon, "decide", **sent, forfeit="on", **{"points-0": 21, "points-1": 15})
    assert "A match that was not played has no score." in page_words(asked)
    do(boss, noon, "decide", **sent, **{"points-0": 21, "points-1": 15})
    assert list(match.sides.values_list("place", "points")) == [(1, 21), (2, 15)]
    assert "21" in page_html(boss.get(noon.get_absolute_url()))


@pytest.mark.parametrize("more", [{"forfeit": "on"}, {"points-0": "11", "points-1": "5"}])
def test_the_current_score_decides_alone(boss, event, more):
    match = match_of(started(event(people="ann bob", format="round-robin")), "ann")
    refused = do(boss, match.event, "decide", match=match.pk, result="score", why="Agreed", **more)
    assert "The current score decides, so enter no other one, and no forfeit." in page_words(refused)
    match.refresh_from_db()
    assert match.status == match.Status.PLAYING


def test_a_forfeit_is_recorded_as_one(boss, event):
    noon = started(event(people="ann bob", format="swiss"))
    match = match_of(noon, "ann")
    do(boss, noon, "decide", match=match.pk, result="2 2", forfeit="on", why="no one came")
    match.refresh_from_db()
    assert (match.decided_by, [*match.sides.values_list("place", flat=True)]) == ("forfeit", [2, 2])
