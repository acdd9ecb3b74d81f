"""What those who enter see and may press, their own tournaments, and the import of entries."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Rating
from tests.pages import page_html, page_words
from tests.tournaments.factories import (
    advance,
    end_in_a_draw,
    entry_of,
    lose,
    match_of,
    names,
    open_tables,
    person,
    started,
    status_of,
    table_of,
    url,
)
from tournaments import services
from tournaments.models import Entry, EntryImport, Event, Match
from tournaments.services import importing

pytestmark = pytest.mark.only_on("sqlite")


# Conditions and passwords


@pytest.mark.parametrize("status", ["registration", "scheduled"])
def test_who_may_not_enter_sees_every_reason_and_no_button(ann, event, status):
    noon = event(status=status, min_rating=1600, min_games=3)
    page = ann.get(noon.get_absolute_url())
    assert "This tournament requires a rating of 1600 in Casino; yours is 1500." in page_words(page)
    assert "This tournament requires 3 games of Casino finished; you have none." in page_words(page)
    assert url("enter", noon) not in page_html(page)


def test_the_page_says_once_that_entries_are_open(ann, event):
    words = page_words(ann.get(event().get_absolute_url()))
    assert words.lower().count("open for entries") == 1
    assert "You can enter until it starts. Enter" in words


def test_a_stranger_sees_what_keeps_a_guest_out_and_no_guest_is_made(client, event):
    noon = event(min_account_days=3)
    assert "you are a guest" in page_words(client.get(noon.get_absolute_url()))
    assert not User.objects.filter(is_guest=True).exists()


def test_everybody_sees_what_it_takes(client, event):
    noon = event(people="ann", max_rating=1400, password="open sesame")
    page = page_words(client.get(noon.get_absolute_url()))
    assert "Required to enter a rating of at most 1400 in Casino; the tournament password" in page


def test_the_password_is_asked_for_and_a_wrong_one_is_told(ann, event):
    noon = event(password="open sesame")
    assert 'name="password"' in page_html(ann.get(noon.get_absolute_url()))
    page = ann.post(url("enter", noon), {"password": "sesame"})
    assert (page.status_code, "This password is wrong. Please try again." in page_words(page)) == (422, True)
    assert "This field is required." in page_words(ann.post(url("enter", noon)))
    ann.post(url("enter", noon), {"password": "open sesame"})
    assert status_of(noon, "ann") == Entry.Status.ENTERED


def test_the_calendar_leads_to_the_page_of_an_event_that_asks_for_something(client, event):
    noon = event(password="open sesame")
    page = page_html(client.get(reverse("tournaments:index")))
    assert f'action="{url("enter", noon)}"' not in page
    assert f'<a class="button button-main" href="{noon.get_absolute_url()}">Enter' in page


# The waiting list and late entries


def test_one_waits_for_a_place_and_sees_which_one_is_next(ann, event):
    noon = event(people="bob cat dan eve", max_entries=2)
    assert "Join waiting list" in page_words(ann.get(noon.get_absolute_url()))
    assert "You are 3rd on the waiting list." in page_words(ann.post(url("enter", noon), follow=True))
    services.withdraw_entry(event_id=noon.pk, user=person("bob"))
    assert "You are 2nd on the waiting list." in page_words(ann.get(url("live", noon)))


def test_who_waited_in_vain_may_enter_late_when_a_place_gets_free(ann, event):
    swiss = started(event(people="bob cat dan ann", max_entries=3, format="swiss", late_rounds=3))
    assert "No place became free" in page_words(ann.get(swiss.get_absolute_url()))
    services.withdraw_entry(event_id=swiss.pk, user=person("bob"))
    assert "You can still enter." in page_words(ann.get(swiss.get_absolute_url()))
    ann.post(url("enter", swiss))
    assert status_of(swiss, "ann") == Entry.Status.PLAYING


def test_who_waits_is_told_that_the_event_started_without_him(ann, event):
    noon = started(event(people="bob cat ann", max_entries=2))
    assert "No place became free, so the tournament started without you." in page_words(
        ann.get(noon.get_absolute_url())
    )


def test_who_comes_too_late_is_told(ann, event):
    robin = started(event(people="bob cat", format="round-robin"))
    assert "Entries are closed: the tournament has started." in page_words(ann.get(robin.get_absolute_url()))


def test_a_late_entry_sees_the_round_from_which_it_plays(ann, event):
    swiss = started(event(people="bob cat dan eve", format="swiss", late_rounds=2))
    assert "You can still enter. You play from round 2." in page_words(ann.get(swiss.get_absolute_url()))
    page = page_words(ann.post(url("enter", swiss), follow=True))
    assert "You're in. You play from round 2. Your next match appears here as soon as round 1 is over." in page


def test_an_arena_speaks_of_no_rounds_to_whoever_comes_late(ann, event):
    now = timezone.now()
    arena = started(event(people="bob cat", format="arena", starts_at=now), now=now)
    assert "You can still enter. Enter" in page_words(ann.get(arena.get_absolute_url()))
    page = page_words(ann.post(url("enter", arena), follow=True))
    assert "You're in. Your next match appears here." in page
    assert "from round" not in page


def test_those_at_a_larger_table_are_named_in_one_sentence(ann, event):
    pods = started(event(people="ann bob cat dan", format="pods", game="carousel", options={}, seats=4))
    assert re.search(
        r"against (bob|cat|dan), (bob|cat|dan) and (bob|cat|dan) , now", page_words(ann.get(url("live", pods)))
    )


def test_who_withdrew_may_press_to_come_back(ann, event):
    swiss = started(event(people="ann bob cat dan", format="swiss"))
    assert "You can come back later, but not to this match." in page_words(ann.get(swiss.get_absolute_url()))
    assert "You can come back with the points" in page_words(ann.post(url("withdraw", swiss), follow=True))
    page = page_words(ann.post(url("enter", swiss), follow=True))
    assert "You're in. You play from round 2." in page
    assert "You can come back later." in page, "there is no match to leave"
    assert status_of(swiss, "ann") == Entry.Status.PLAYING


# Partners


def test_one_enters_with_a_partner_who_accepts_on_the_page(ann, pairs):
    noon = pairs()
    person("bob")
    page = ann.post(url("enter", noon), {"partner": "BOB"}, follow=True)
    assert "bob hasn't answered yet." in page_words(page)
    ann.force_login(person("bob"))
    assert "ann invites you to be their partner." in page_words(ann.get(noon.get_absolute_url()))
    page = ann.post(url("accept", noon, entry_of(noon, "ann").pk), follow=True)
    assert "You play together: ann & bob" in page_html(page).replace("&amp;", "&").replace("<b>", "")
    assert "Withdraw both of you" in page_words(page)


def test_a_name_that_nobody_has_stays_in_the_field_with_the_reason(ann, pairs):
    noon = pairs()
    page = ann.post(url("enter", noon), {"partner": "nobdy"})
    assert (page.status_code, "There is no player with this name." in page_words(page)) == (422, True)
    assert 'value="nobdy"' in page_html(page)
    assert not noon.entries.exists()


def test_one_joins_somebody_who_looks_with_one_press(ann, pairs):
    noon = pairs(people="bob")
    path = url("join", noon, entry_of(noon, "bob").pk)
    page = ann.get(noon.get_absolute_url())
    assert f'formaction="{path}"' in page_html(page)
    assert "invites you" not in page_words(page)
    ann.post(path)
    assert entry_of(noon, "ann").name == "bob & ann"


def test_who_is_in_asks_declines_and_joins_on_the_page(ann, pairs):
    noon = pairs(people="ann bob cat")
    ann.post(url("invite", noon), {"partner": "bob"})
    assert entry_of(noon, "ann").invited == person("bob")
    page = ann.post(url("invite", noon), {"partner": "ann"})
    assert "be your own partner." in page_words(page)
    services.invite_partner(event_id=noon.pk, user=person("cat"), partner=person("ann"))
    ann.post(url("decline", noon, entry_of(noon, "cat").pk))
    assert entry_of(noon, "cat").invited is None
    ann.post(url("join", noon, entry_of(noon, "cat").pk))
    assert entry_of(noon, "ann").name == "cat & ann"


def test_an_entry_that_is_gone_or_of_another_event_is_told_and_changes_nothing(ann, pairs):
    noon, other = pairs(people="bob"), pairs(people="cat")
    page = ann.post(url("join", noon, entry_of(other, "cat").pk), follow=True)
    assert "This entry no longer exists." in page_words(page)
    assert not Entry.objects.of(person("ann")).exists()


def test_who_looks_for_a_partner_is_shown_to_all(client, pairs):
    noon = pairs(people="bob")
    assert "bob looking for a partner" in page_words(client.get(noon.get_absolute_url()))


# The box of somebody who plays


def test_a_match_is_shown_to_its_players_once_its_round_is_published(ann, event):
    swiss = event(people="ann bob", format="swiss", publishes_by_hand=True)
    services.start_event(event_id=swiss.pk, now=swiss.starts_at)
    assert swiss.matches.count() == 1
    assert "You're in. Your next match appears here." in page_words(ann.get(swiss.get_absolute_url()))
    services.publish_round(event_id=swiss.pk, section=swiss.rounds.get().section, number=1, by=person("director"))
    open_tables(swiss)
    assert "against bob , now" in page_words(ann.get(swiss.get_absolute_url()))


def test_the_box_of_a_player_is_worked_out_once_for_each_version(ann, event, django_assert_max_num_queries):
    noon = started(event(people=" ".join(f"p{number}" for number in range(12)) + " ann"))
    ann.get(url("live", noon))
    with django_assert_max_num_queries(10):
        ann.get(url("live", noon))


# My tournaments


def test_my_tournaments_lists_invitations_matches_and_what_is_over(ann, event, pairs):
    evening = pairs(people="bob cat", name="Evening pairs")
    services.invite_partner(event_id=evening.pk, user=person("bob"), partner=person("ann"))
    coming = event(people="ann", name="Tomorrow")
    running = started(event(people="ann bob", name="Brunch"))
    over = started(event(people="ann bob", name="Yesterday"))
    lose(over, "bob")
    page = ann.get(reverse("tournaments:mine"))
    html = page_html(page)
    assert f'action="{url("accept", evening, entry_of(evening, "bob").pk)}"' in html
    assert table_of(match_of(running, "ann")).get_absolute_url() in html
    for words in ("Tomorrow", "against bob", "Yesterday", "won", "badge: 1st place"):
        assert words in page_words(page)
    parts = [page_words(page).index(words) for words in ("invites you", "In progress", "Coming up", "Finished")]
    assert parts == sorted(parts)
    assert coming.get_absolute_url() in html
    assert "as soon as" not in page_words(page), "a match that is played waits for nothing"


def test_my_tournaments_are_nobody_elses(client, event):
    event(people="ann", name="Spring cup")
    assert "You haven't entered a tournament yet." in page_words(client.get(reverse("tournaments:mine")))
    client.force_login(person("bob"))
    assert "Spring cup" not in page_words(client.get(reverse("tournaments:mine")))
    client.force_login(person("ann"))
    assert "Spring cup" in page_words(client.get(reverse("tournaments:mine")))


@pytest.mark.parametrize("act", ["check-in", "withdraw", "accept", "decline"])
def test_what_takes_an_entry_makes_no_guest_of_a_visitor(client, event, act):
    noon = event(people="ann")
    ids = [entry_of(noon, "ann").pk] if act in ("accept", "decline") else []
    assert "in this tournament." in page_words(client.post(url(act, noon, *ids), follow=True))
    assert not User.objects.filter(is_guest=True).exists()


def test_nobody_joins_an_entry_where_all_play_alone(client, event):
    noon = event(people="ann")
    page = client.post(url("join", noon, entry_of(noon, "ann").pk), follow=True)
    assert "Everyone plays alone in this tournament." in page_words(page)
    client.post(url("withdraw", noon))
    assert (entry_of(noon, "ann").partner, status_of(noon, "ann")) == (None, Entry.Status.ENTERED)


# Import


def enter_all(event: Event, text: str, *, by: User) -> EntryImport:
    """An import to its end."""
    begun = importing.begin_import(event, text, by=by)
    importing.continue_import(import_id=begun.pk)
    begun.refresh_from_db()
    return begun


def verdicts(event: Event, written: str) -> list[str]:
    return [line.verdict for line in importing.preview_import(event, written)]


def test_every_line_of_a_list_has_its_verdict(event):
    noon = event(people="ann")
    for name in ("bob", "cat", "dan"):
        person(name)
    assert verdicts(noon, "Name,Seed\nann\nBOB,2\n\nnobody\ncat\nCat\ndan,eve") == [
        "is already entered",
        "will be entered; seed 2 is saved but not used",
        "no player is called nobody",
        "cat is in the list more than once",
        "Cat is in the list more than once",
        "has too many names: everyone plays alone",
    ]


def test_seeds_and_conditions_are_named_in_the_verdict(event):
    noon = event(seeding="hand", min_rating=1600, invited_only=True)
    person("ann")
    Rating.objects.create(user=person("bob"), game="casino", mu=40)
    noon.invitations.create(user=person("bob"))
    assert verdicts(noon, "ann\nbob\t3") == [
        "will be entered, although the tournament requires a rating of 1600 in Casino and an invitation",
        "will be entered with seed 3",
    ]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_pairs_are_read_with_any_of_the_usual_marks(pairs, mark):
    noon = pairs()
    for name in ("ann", "bob", "cat"):
        person(name)
    assert verdicts(noon, f"ann{mark}bob{mark}1\ncat{mark}") == [
        "will be entered; seed 1 is saved but not used",
        "will be entered, and will look for a partner",
    ]


def test_partners_who_play_together_are_not_parted_by_a_list(pairs):
    noon = pairs(people="eve fay")
    services.join_partner(entry_id=entry_of(noon, "eve").pk, user=person("fay"))
    person("dan")
    assert verdicts(noon, "fay,eve") == ["is already entered"]
    assert verdicts(noon, "dan,eve") == ["eve & fay already play together"]


def test_who_comes_after_the_last_free_place_will_wait(event):
    noon = event(people="ann", max_entries=2)
    for name in ("bob", "cat"):
        person(name)
    assert verdicts(noon, "bob\nnobody\ncat")[::2] == ["will be entered", "will join the waiting list"]


def test_what_can_be_entered_is_and_the_rest_stays(event):
    noon = event(people="ann", seeding="hand")
    person("bob")
    done = enter_all(noon, "ann\nbob,4\nnobody", by=person("director"))
    assert (done.summary, done.rest, done.refusals) == ("1 entered.", "nobody", [])
    assert entry_of(noon, "bob").wanted_seed == 4
    again = enter_all(noon, "bob,4", by=person("director"))
    assert (again.summary, again.rest) == ("0 entered.", "")


@pytest.mark.django_db(transaction=True)
def test_a_long_list_goes_in_by_short_transactions(event):
    """So that others, who wait for the one lock of SQLite, do not wait long."""
    noon = event(people="ann", seeding="hand", max_entries=200)
    User.objects.bulk_create(User(username=f"p{number}") for number in range(250))
    by = person("director")
    with CaptureQueriesContext(connection) as asked:
        done = enter_all(noon, "ann\n" + "\n".join(f"p{number},{number + 1}" for number in range(250)), by=by)
    assert (done.summary, done.rest, done.refusals) == ("250 entered.", "", [])
    transactions = " ".join("BEGIN" if "BEGIN" in query["sql"] else "x" for query in asked).split("BEGIN")[1:]
    assert len(transactions) > 250 / importing.BITES[-1]  # how many more depends on the machine
    assert all(len(queries.split()) < 40 for queries in transactions)

    assert entry_of(noon, "p249").wanted_seed == 250
    in_order = noon.entries.order_by("entered_at", "pk").with_players()
    assert names(in_order) == ["ann", *(f"p{number}" for number in range(250))]
    assert [entry.status for entry in in_order] == [Entry.Status.ENTERED] * 200 + [Entry.Status.WAITING] * 51
    line = noon.log.get(what="p7 entered.")
    services.undo_action(line_id=line.pk, by=by)
    assert not noon.entries.filter(user__username="p7").exists()


def test_a_name_with_a_capital_beyond_ascii_is_found_as_it_is_written(event):
    """The database of a small site knows only the capitals of ASCII."""
    person("Émile"), person("Ann")
    assert verdicts(event(), "Émile\naNN") == ["will be entered"] * 2


def test_a_list_enters_again_who_has_withdrawn(event):
    noon = event(people="ann bob")
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    assert enter_all(noon, "ann", by=person("director")).summary == "1 entered."
    assert sorted(names(noon.entries.entered())) == ["ann", "bob"]


def test_a_list_for_an_event_that_has_started_is_refused(event):
    noon = started(event(people="ann bob"))
    person("cat")
    person("dan")
    done = enter_all(noon, "cat\ndan", by=person("director"))
    assert (done.summary, done.rest) == ("0 entered.", "cat\ndan")
    assert done.refusals == [f"{name}: This tournament has started, so no one can be added." for name in ("cat", "dan")]


@pytest.mark.parametrize("seed", ["9" * 20, "9" * 5000])
def test_a_seed_that_cannot_be_is_taken_for_a_name(event, seed):
    noon = event(seeding="hand")
    person("ann")
    assert verdicts(noon, f"ann,{seed}") == ["has too many names: everyone plays alone"]


def test_a_line_that_is_refused_says_why(pairs):
    noon = pairs(people="eve")
    services.remove_entry(entry_id=entry_of(noon, "eve").pk, by=person("director"), why="")
    person("ann")
    done = enter_all(noon, "ann,eve", by=person("director"))
    assert (done.summary, done.rest) == ("0 entered.", "ann,eve")
    assert done.refusals == ["ann,eve: A director has removed eve from this tournament."]


def test_a_director_checks_a_list_and_enters_it(director, event):
    noon = event()
    person("ann")
    page = director.post(url("import-entries", noon), {"text": "ann\nnobody"})
    assert "will be entered" in page_words(page)
    assert "Enter 1 line" in page_words(page)
    assert not noon.entries.exists(), "a preview enters nobody"
    page = director.post(url("import-entries", noon), {"text": "ann\nnobody", "confirm": "1"}, follow=True)
    assert entry_of(noon, "ann").status == Entry.Status.ENTERED
    assert "nobody</textarea>" in page_html(page), "what could not be entered is there to be mended"


def test_a_director_invites_the_people_of_a_list(director, event):
    noon = event(invited_only=True)
    for name in ("ann", "bob"):
        person(name)
    for _ in range(2):
        page = director.post(url("import-entries", noon), {"text": "ann\nnobody\nbob", "invite": "1"})
        assert "2 can now enter themselves." in page_words(page)
        assert "nobody</textarea>" in page_html(page)
    assert [notice.text for notice in person("ann").notices.all()] == ["You are invited to Noon knock-out."]
    services.enter_event(event_id=noon.pk, user=person("ann"))
    assert status_of(noon, "ann") == Entry.Status.ENTERED


def test_an_invitation_of_pairs_names_whom_it_did_not_find_and_keeps_their_lines(director, event):
    noon = event(game="push", options={}, seats=4, invited_only=True)
    for name in ("ann", "bob", "cat"):
        person(name)
    text = "ann, nobody\nbob, cat\nno one, none, bob"
    page = director.post(url("import-entries", noon), {"text": text, "invite": "1"})
    assert "3 can now enter themselves. Not found: nobody, no one, none." in page_words(page)
    assert page.context["form"]["text"].value().splitlines() == ["ann, nobody", "no one, none, bob"]


@pytest.mark.parametrize("content", ["\ufeffname;seed\r\nänne;1\r\n".encode(), "änne;1".encode("latin-1")])
def test_a_file_from_a_spreadsheet_is_read(director, event, content):
    noon = event()
    person("änne")
    file = SimpleUploadedFile("entries.csv", content)
    assert "will be entered" in page_words(director.post(url("import-entries", noon), {"file": file}))


def test_an_empty_list_is_refused_and_strangers_see_nothing(director, event):
    noon = event()
    page = director.post(url("import-entries", noon), {"text": " "})
    assert (page.status_code, "Paste a list of names" in page_words(page)) == (422, True)
    director.force_login(person("ann"))
    assert director.get(url("import-entries", noon)).status_code == 403


def test_a_long_import_goes_on_in_a_worker_and_shows_how_far_it_is(director, event):
    noon = event()
    User.objects.bulk_create(User(username=f"p{number}") for number in range(120))
    names_to_enter = "\n".join(f"p{number}" for number in range(120)) + "\nnobody"
    page = director.post(url("import-entries", noon), {"text": names_to_enter, "confirm": "1"}, follow=True)
    assert "25 of 121 lines are done" in page_words(page)
    assert "25 of 121" in page_words(director.get(url("import-entries", noon))), "also for a director who comes back"
    begun = noon.imports.get()
    importing.continue_import(import_id=begun.pk)
    page = director.get(url("import-entries", noon), {"import": begun.pk})
    assert "120 entered." in page_words(page)
    assert "nobody</textarea>" in page_html(page)
    assert noon.entries.count() == 120


def test_an_import_whose_worker_was_killed_goes_on_where_it_was(event):
    noon, by = event(), person("director")
    User.objects.bulk_create(User(username=f"p{number}") for number in range(120))
    begun = importing.begin_import(noon, "\n".join(f"p{number}" for number in range(120)), by=by)
    assert (begun.done, begun.finished_at) == (25, None)
    now = timezone.now()
    assert not EntryImport.objects.claim(until=now, patience=importing.PATIENCE), "a worker has it"
    later = now + importing.PATIENCE
    assert [pk for pk, _ in EntryImport.objects.claim(until=later, patience=importing.PATIENCE)] == [begun.pk]
    importing.continue_import(import_id=begun.pk)
    importing.continue_import(import_id=begun.pk)
    begun.refresh_from_db()
    assert (begun.entered, begun.done, begun.due_at) == (120, 120, None)
    assert noon.entries.count() == 120


# While it is played


def test_nobody_has_a_place_before_the_first_result(event, client):
    noon = started(event(people="ann bob cat dan", format="swiss"))
    for name in ("ann", "bob"):
        client.force_login(person(name))
        assert "Your place now" not in page_words(client.get(noon.get_absolute_url()))
    lose(noon, "ann")
    assert "Your place now" in page_words(client.get(noon.get_absolute_url()))


def test_a_pause_is_told_beside_the_own_match_in_the_console_and_on_the_projector(event, client, boss):
    noon = started(event(people="ann bob", format="swiss", created_by=boss))
    client.force_login(person("ann"))
    assert "against bob , now" in page_words(client.get(noon.get_absolute_url()))
    services.pause_event(event_id=noon.pk, by=boss)
    assert "against bob : the tournament is paused" in page_words(client.get(noon.get_absolute_url()))
    assert "Paused: Round 1" in page_words(client.get(url("projector", noon)))
    client.force_login(boss)
    console = page_words(client.get(url("console", noon)))
    assert "Their time to appear is stopped." in console and "Time to appear until" not in console


def test_a_player_with_a_bye_is_told_of_it(event, client):
    noon = started(event(people="ann bob cat", format="swiss"))
    resting = noon.matches.get(decided_by="bye").sides.get().entry
    playing = noon.entries.exclude(pk=resting.pk).first()
    for entry, is_told in ((resting, True), (playing, False)):
        client.force_login(entry.user)
        assert ("You sit out round 1. Your next match" in page_words(client.get(noon.get_absolute_url()))) == is_told


def own_box(client, event: Event, name: str) -> str:
    client.force_login(person(name))
    return page_words(client.get(url("live", event))).partition("being played")[0]


def test_players_whose_group_is_over_are_told_how_it_goes_on(event, client):
    settings = {"format": "groups", "format_options": {"group_size": 3}, "seeding": "hand"}
    noon = event(people="ann bob cat dan eve fay", **settings)
    for seed, name in enumerate("ann bob cat dan eve fay".split(), start=1):
        services.add_entry(event_id=noon.pk, user=person(name), seed=seed, by=person("director"))
    started(noon)
    assert "You sit out round 1" in own_box(client, noon, "ann")
    assert "Your next match: Group A, round 2, table 1 against" in own_box(client, noon, "ann")
    for loser in ("eve", "dan", "eve"):
        lose(noon, loser)
    box = own_box(client, noon, "dan")
    assert "Your next match appears here as soon as Group B is over." in box and "sit out" not in box
    assert "Number 2 of Group A, through to the knock-out." in box
    box = own_box(client, noon, "eve")
    assert "You have played your last match. Your place is final as soon as Group B is over." in box
    assert "Number 3 of Group A, not in the knock-out." in box and "You're in." not in box
    client.force_login(person("eve"))
    assert "you have played your last match" in page_words(client.get(reverse("tournaments:mine")))
    client.force_login(person("dan"))
    assert "your next match comes as soon as Group B is over" in page_words(client.get(reverse("tournaments:mine")))


def test_what_a_planned_match_of_a_round_robin_waits_for_is_told(event, client):
    """Of five, one sits out each round, which is no match against anyone."""
    noon = started(event(people="ann bob cat dan eve", format="round-robin"))
    boxes = [own_box(client, noon, name) for name in "ann bob cat dan eve".split()]
    assert sum("as soon as round 1 is over. You sit out round 1." in box for box in boxes) == 1
    lose(noon, noon.matches.filter(status=Match.Status.PLAYING).first().sides.first().entry.user.username)
    boxes = [own_box(client, noon, name) for name in "ann bob cat dan eve".split()]
    waiting = [box for box in boxes if "Your next match" in box]
    assert len(waiting) == 3 and not any("both are known" in box or "sits out" in box for box in waiting)
    assert {"as soon as round 1 is over", "as soon as round 2 is over"} >= {
        re.search(r"as soon as round \d is over", box)[0] for box in waiting
    }


def test_a_player_after_the_last_round_is_told_what_the_places_wait_for(event, client):
    noon = started(event(people="ann bob cat dan", format="swiss", format_options={"planned_rounds": 2}))
    for number in (1, 2):
        first, other = noon.matches.filter(round__number=number)
        loser = first.sides.first().entry.user.username
        lose(noon, loser)
        told = "Your next match appears here" if number == 1 else "You have played your last match. Your place is final"
        assert f"{told} as soon as round {number} is over." in own_box(client, noon, loser)
        lose(noon, other.sides.first().entry.user.username)


def test_a_player_who_left_for_good_is_told_so(event, client):
    noon = started(event(people="ann bob cat dan", format="round-robin"))
    client.force_login(person("ann"))
    client.post(url("withdraw", noon))
    page = page_words(client.get(noon.get_absolute_url()))
    assert "You have withdrawn from this tournament." in page and "Rejoin" not in page


def test_another_game_after_a_draw_says_why(event, client):
    noon = started(event(people="ann bob"))
    end_in_a_draw(table_of(match_of(noon, "ann")))
    advance(noon)
    client.force_login(person("ann"))
    assert "Final, game 2, because the match was level" in page_words(client.get(noon.get_absolute_url()))
