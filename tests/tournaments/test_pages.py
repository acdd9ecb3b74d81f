"""What visitors see and may press."""

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from tests.pages import page_html, page_words
from tests.tournaments.factories import lose, match_of, names, person, settings_of, started, status_of, table_of, url
from tournaments import presentation, services
from tournaments.models import Event

pytestmark = pytest.mark.only_on("sqlite")


def test_whoever_thinks_of_entering_reads_how_it_is_played_without_asking(client, event):
    noon = event(people="ann bob", absence="bot")
    before = client.get(noon.get_absolute_url())
    assert '<details class="fold" id="how" open>' in page_html(before)
    assert "Lose a match and you are out." in page_words(before)
    assert "forfeits the match" not in page_words(before), "a bot takes the seat of whoever is not there"
    assert '<details class="fold" id="how">' in page_html(client.get(started(noon).get_absolute_url()))


def test_whoever_is_logged_in_is_not_sent_to_the_log_in(ann, client, event):
    noon = event()
    refused = ann.get(url("console", noon))
    assert refused.status_code == 403
    assert "Only directors" in page_words(refused)
    assert "logging in may help" not in page_words(refused)


def test_the_calendar_lists_what_comes_with_one_button_to_enter(client, event):
    noon = event(people="bob cat", starts_at=timezone.now())
    page = client.get(reverse("tournaments:index"))
    assert "2 in: bob, cat" in page_words(page)
    assert f'action="{url("enter", noon)}"' in page_html(page)
    assert f'datetime="{noon.starts_at.isoformat()}"' in page_html(page)


def test_the_calendar_takes_as_many_queries_for_many_events_as_for_one(client, event, django_assert_max_num_queries):
    for _ in range(6):
        event(people="ann bob")
    with django_assert_max_num_queries(8):
        client.get(reverse("tournaments:calendar"))


def test_a_stranger_enters_with_one_press_as_a_guest(client, event):
    noon = event()
    page = client.post(url("enter", noon), follow=True)
    assert noon.entries.get().user.is_guest
    assert "You're in." in page_words(page)


def test_a_refusal_is_said_on_the_page(ann, event):
    noon = event(people="bob cat", status="scheduled")
    assert "open for entries." in page_words(ann.post(url("enter", noon), follow=True))
    assert names(noon.entries.all()) == ["bob", "cat"]


@pytest.mark.parametrize("name", ["enter", "check-in", "withdraw"])
def test_a_link_alone_changes_nothing(client, event, name):
    assert client.get(url(name, event())).status_code == 405


def test_one_checks_in_and_withdraws_on_the_page(ann, event):
    noon = event(people="ann", check_in_minutes=5)
    Event.objects.update(status="check-in")
    assert "Check-in is open." in page_words(ann.get(noon.get_absolute_url()))
    assert "You're checked in." in page_words(ann.post(url("check-in", noon), follow=True))
    ann.post(url("withdraw", noon))
    assert status_of(noon, "ann") == "withdrawn"


def test_an_entrant_sees_the_match_and_the_way_to_its_table(ann, event):
    noon = started(event(people="ann bob"))
    page = ann.get(noon.get_absolute_url())
    assert "Your match: Final" in page_words(page)
    assert "against bob" in page_words(page)
    assert table_of(match_of(noon, "ann")).get_absolute_url() in page_html(page)


def test_a_table_leads_back_to_its_event_and_offers_no_rematch(ann, event):
    noon = started(event(people="ann bob"))
    table = table_of(match_of(noon, "ann"))
    assert f'href="{noon.get_absolute_url()}"' in page_html(ann.get(table.get_absolute_url()))
    lose(noon, "ann")
    page = ann.get(table.get_absolute_url())
    assert "Back to the tournament" in page_words(page)
    assert "Rematch" not in page_words(page)


def test_an_entrant_who_waits_sees_who_may_come(client, event):
    noon = started(event(people="ann bob cat dan"))
    first, second = noon.matches.all()
    loser, winner = (side.entry.user for side in first.sides.all())
    lose(noon, loser.username)
    client.force_login(winner)
    assert "against the winner of semi-final 2 , as soon as both are known" in page_words(client.get(url("live", noon)))
    client.force_login(loser)
    own = page_words(client.get(url("live", noon))).partition("being played")[0]
    assert own.count("Your place: 3") == own.lower().count("lost in the semi-finals") == 1


def test_a_stranger_sees_the_draw_with_tables_to_watch_and_the_log(client, event):
    noon = started(event(people="ann bob cat dan eve"))
    page = client.get(noon.get_absolute_url())
    for match in noon.matches.filter(status="playing"):
        assert table_of(match).get_absolute_url() in page_html(page)
    for words in (
        "Quarter-finals",
        "bye",
        "Winner of quarter-final 2",
        "Started with 5 entries.",
        "still in",
    ):
        assert words in page_words(page)


def test_every_game_of_a_match_can_be_looked_at(client, event):
    noon = started(event(people="ann bob", match_games=3))
    for name in ("ann", "bob", "ann"):
        lose(noon, name)
    page = client.get(noon.get_absolute_url())
    games = match_of(noon, "ann").games.all()
    assert len(games) == 3
    assert all(f'href="{game.table.get_absolute_url()}"' in page_html(page) for game in games)


def test_the_public_part_is_rendered_once_for_each_version(event, django_assert_num_queries):
    noon = started(event(people="ann bob"))
    first = presentation.public_event_html(noon)
    with django_assert_num_queries(0):
        assert presentation.public_event_html(noon) == first
    lose(noon, "ann")
    noon.refresh_from_db()
    assert "champion" in presentation.public_event_html(noon)


def test_the_public_part_holds_nothing_of_the_one_who_made_it(ann, event):
    noon = started(event(people="ann bob"))
    cache.clear()
    ann.get(noon.get_absolute_url())
    html = presentation.public_event_html(noon)
    assert "csrf" not in html
    assert "is-me" not in html


def test_an_event_that_a_director_has_closed_is_not_said_to_open(client, boss, event):
    services.close_entries(event_id=event().pk, by=boss)
    html = client.get(reverse("tournaments:index")).content.decode()
    assert "registration closed" in html and "opens " not in html


def test_a_page_of_an_event_that_does_not_exist_is_404(client, db):
    for name in ("event", "live", "enter"):
        path = reverse(f"tournaments:{name}", args=[999])
        assert (client.post(path) if name == "enter" else client.get(path)).status_code == 404


async def test_the_stream_sends_the_version_when_the_event_changes(async_client, transactional_db):
    from asgiref.sync import sync_to_async

    def make() -> Event:
        event = Event(name="Live", game="casino", starts_at=timezone.now(), status="registration")
        return services.save_event(event, by=None, now=timezone.now())

    noon = await sync_to_async(make)()
    response = await async_client.get(url("stream", noon), {"seen": noon.version})
    stream = aiter(response)
    await anext(stream)  # it listens
    await sync_to_async(lambda: services.enter_event(event_id=noon.pk, user=person("ann")))()
    assert f"data: {noon.version + 1}".encode() in await anext(stream)
    await stream.aclose()


# Directors


@pytest.mark.parametrize("model", ["series", "event", "entry", "match", "eventlog"])
def test_the_admin_lists_and_searches(director, event, model):
    started(event(people="ann bob"))
    page = director.get(reverse(f"admin:tournaments_{model}_changelist"), {"q": "a"})
    assert page.status_code == 200


def test_the_admin_invites_to_an_event_and_changes_nothing_else_of_it(director, event):
    noon = event(people="ann bob", invited_only=True, password="open sesame")
    noon.refresh_from_db()
    before = Event.objects.filter(pk=noon.pk).values().get()
    url = reverse("admin:tournaments_event_change", args=[noon.pk])
    assert noon.password not in page_html(director.get(url))
    tables = ("entries", "invitations", "roles", "forbidden_pairs", "log")
    inlines = {f"{name}-{key}": 0 for name in tables for key in ("TOTAL_FORMS", "INITIAL_FORMS")}
    invitation = {"invitations-TOTAL_FORMS": 1, "invitations-0-event": noon.pk, "invitations-0-user": person("cat").pk}
    fields = settings_of(noon, name="From the admin", game="piquet")
    assert director.post(url, fields | inlines | invitation).status_code == 302
    assert noon.invitations.get().user == person("cat")
    assert Event.objects.filter(pk=noon.pk).values().get() == before


def test_the_admin_shows_a_running_event_without_letting_it_be_edited(director, event):
    noon = started(event(people="ann bob"))
    page = director.get(reverse("admin:tournaments_event_change", args=[noon.pk]))
    assert page.status_code == 200
    assert 'name="match_games"' not in page_html(page)


def test_the_admin_cancels_events_and_removes_entries(director, event):
    noon = event(people="ann bob")
    entry = noon.entries.get(user__username="ann")
    for model, action, pk in (("entry", "remove_entries", entry.pk), ("event", "cancel_events", noon.pk)):
        director.post(reverse(f"admin:tournaments_{model}_changelist"), {"action": action, "_selected_action": pk})
    assert status_of(noon, "ann") == "removed"
    assert Event.objects.get().status == "cancelled"


def test_the_calendar_explains_a_format_where_it_first_appears(client, event):
    event(name="First", format="swiss", dealing="same")
    event(name="Second", format="swiss", dealing="same")
    event(name="Third", format="arena")
    words = page_words(client.get("/tournaments/"))
    assert words.count("No one is knocked out.") == 1
    assert words.count("Duplicate: every table plays the same deals.") == 1
    assert words.count("Each win scores, and wins in a row score more.") == 1
