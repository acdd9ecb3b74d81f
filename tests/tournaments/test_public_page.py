"""What everybody sees of an event, in every format."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from infra.release import release
from tests.pages import collapse_whitespace, page_html, page_words, words_of
from tests.tournaments.factories import NOON, advance, end_with, lose, match_of, open_tables, person, started, table_of
from tournaments import presentation, services
from tournaments.models import Entry, Event, Match, Series
from tournaments.presentation import EventPageQuery

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]
EIGHT = "ann bob cat dan eve fay gus hal"
FORMATS = ["single-elimination", "double-elimination", "swiss", "round-robin", "groups", "arena"]


def page(client, event: Event, query: str = "") -> str:
    return page_html(client.get(f"{event.get_absolute_url()}{query}"))


def first_sides_win(event: Event) -> Event:
    """Every match in play ends 11 to 0 for the side that sits first."""
    for match in event.matches.filter(status=Match.Status.PLAYING):
        table = table_of(match)
        end_with(table, [11] + [0] * (table.seat_count - 1))
    return advance(event)


@pytest.mark.parametrize(("name", "times"), [("Cup", 1), ("Friday cup", 2)])
def test_an_event_called_as_its_series_is_named_once_above_the_title(client, event, name, times):
    shown = event(name="Cup")
    Event.objects.update(series=Series.objects.create(name=name, game="casino", first_start_at=NOON))
    crumbs = re.search('class="crumbs">(.*?)</ul>', page(client, shown))[1]
    assert crumbs.count("<li>") == 1 + times and name in crumbs


@pytest.mark.parametrize("slug", FORMATS)
def test_every_format_shows_tables_to_watch_standings_and_why(client, event, slug):
    now = timezone.now()  # the time of an arena runs
    played = first_sides_win(started(event(people=EIGHT, format=slug, starts_at=now), now=now))
    html = page(client, played)
    live = played.matches.filter(status="playing")
    assert all(table_of(match).get_absolute_url() in html for match in live)
    for entry in played.entries.all():
        assert f'id="why-{entry.pk}"' in html
    assert "Why this pairing?" in html or slug in ("single-elimination", "double-elimination")


def test_rounds_too_large_to_be_drawn_come_first_while_they_are_played_and_byes_last(client, event, monkeypatch):
    monkeypatch.setattr("tournaments.presentation.page.WIDEST_TREE", 2)
    noon = started(event(people="ann bob cat dan eve"))
    html = page(client, noon)
    early, tree = html.index("Quarter-finals</h2>"), html.index("Draw</h2>")
    assert html.index("Tables to watch") < early < tree
    listed = html[early:tree]
    assert listed.index("Watch<") < listed.index("<span> bye"), "the one match before the three byes"
    lose(noon, noon.matches.get(status="playing", round__number=1).sides.first().entry.user.username)
    html = page(client, noon)
    assert html.index("Draw</h2>") < html.index("Quarter-finals</h2>")


def test_pods_show_the_places_at_their_tables(client, event):
    pods = started(event(people=EIGHT, format="pods", game="carousel", options={}, seats=4, match_games=1))
    table = table_of(pods.matches.first())
    end_with(table, [5, 9, 7, 3])
    html = words_of(page(client, advance(pods)))
    assert re.search(r"4\. \w+ seed \[\d+\] ", html)
    assert "Round 1 of 3" in html


def test_a_result_that_a_director_gave_is_shown_without_the_score_of_the_game_that_stopped(client, event):
    noon = started(event(people="ann bob"))
    director = person("director")
    director.is_superuser = True
    director.save()
    services.adjudicate(match_id=noon.matches.get().pk, places=[1, 2], by=director, why="Late")
    noon.refresh_from_db()
    sides = re.findall(r'class="match-side.*?</p>', page(client, noon))
    assert len(sides) == 2
    assert all("<b></b>" in side for side in sides)


def test_the_latest_results_say_who_won_and_by_what(client, event):
    noon = first_sides_win(started(event(people="ann bob")))
    sides = [(side.entry.name, side.place == 1) for side in noon.matches.get().sides.all()]
    scores = ", ".join(f"<b>{name}</b> 11" if has_won else f"{name} 0" for name, has_won in sides)
    latest = page(client, noon).partition("Latest results")[2]
    assert f"Final: {scores} (" in latest and sorted(has_won for _, has_won in sides) == [False, True]


def test_pairings_that_are_not_published_are_shown_to_nobody(client, event):
    kept = started(event(people="ann bob cat dan", format="swiss", publishes_by_hand=True))
    assert kept.matches.filter(status="proposed").count() == 2
    html = page(client, kept)
    assert "match-more" not in html
    assert "Round 1 is not published yet." in words_of(html)


def test_tables_with_cards_that_others_still_play_are_not_linked(client, event):
    same = started(event(people="ann bob cat dan", format="swiss", dealing="same"))
    html = page(client, same)
    assert not any(table_of(match).code in html for match in same.matches.all())
    assert "hidden until all tables with these cards are over" in html


def test_a_page_without_entries_says_that_bots_come(client, event):
    assert "Bots fill empty seats." in page(client, event(fill_to=4))
    assert "Bots fill" not in page(client, event())


def test_a_cancelled_event_says_why(client, event):
    noon = event(people="ann bob")
    services.cancel_event(event_id=noon.pk, by=person("director"), why="No light in the hall.")
    assert 'class="notice">Cancelled the tournament. No light in the hall.' in page(client, noon)


def test_where_points_are_penalties_the_page_says_so(client, event):
    note = "fewer is better"
    assert note not in page(client, started(event(people="ann bob")))
    assert note in page(client, started(event(people="ann bob", game="shanghai", options={})))


def test_a_round_of_the_past_can_be_looked_at(client, event):
    swiss = first_sides_win(started(event(people=EIGHT, format="swiss")))
    first, second = ([m.pk for m in swiss.matches.filter(round__number=number)] for number in (1, 2))
    shown = {number: page(client, swiss, f"?round={number}") for number in (1, 2)}
    assert page(client, swiss).count('id="match-') == 4
    for number, own, others in ((1, first, second), (2, second, first)):
        assert all(f'id="match-{pk}"' in shown[number] for pk in own)
        assert not any(f'id="match-{pk}"' in shown[number] for pk in others)


def test_the_page_that_renews_itself_shows_the_same_round(client, event):
    swiss = first_sides_win(started(event(people="ann bob cat dan", format="swiss")))
    assert f'hx-get="{reverse("tournaments:live", args=[swiss.pk])}?round=1"' in page(client, swiss, "?round=1")


def test_addresses_that_somebody_made_up_show_the_usual_page(client, event):
    swiss = started(event(people="ann bob cat dan", format="swiss"))
    usual = presentation.public_event_html(swiss)
    for look in (EventPageQuery(round=99), EventPageQuery(tables=7), EventPageQuery(page=500)):
        assert presentation.public_event_html(swiss, look) == usual
    assert collapse_whitespace(usual) in page(client, swiss, "?page=-1&round=x&tables=99999999")


def test_many_who_ask_at_once_have_it_made_once():
    made = []

    def make() -> str:
        made.append(1)
        time.sleep(0.2)
        return "done"

    with ThreadPoolExecutor(4) as threads:
        assert [*threads.map(lambda _: presentation.once("a-key", make), range(4))] == ["done"] * 4
    assert len(made) == 1


def test_what_failed_once_is_tried_again():
    with pytest.raises(ZeroDivisionError):
        presentation.once("a-key", lambda: 1 / 0)
    assert presentation.once("a-key", lambda: "done") == "done"


def test_another_release_of_the_site_shows_no_page_that_the_last_one_made(client, event, settings, tmp_path):
    """Another template is enough; the same files elsewhere are the same release."""
    knock_out = started(event(people="ann bob"))
    for place, text in (("old", "one"), ("copy", "one"), ("new", "two")):
        (tmp_path / place / "templates").mkdir(parents=True)
        (tmp_path / place / "templates" / "page.html").write_text(text)
    releases = {}
    for place in ("old", "copy", "new"):
        settings.BASE_DIR = tmp_path / place
        release.cache_clear()
        releases[place] = release()
        made = presentation.once("a-key", lambda place=place: f"made by the {place} one")
        assert made == ("made by the new one" if place == "new" else "made by the old one")
        feed = client.get(reverse("tournaments:feed-event", args=[knock_out.pk]))
        releases[f"{place} feed"] = feed["ETag"]
    assert releases["old"] == releases["copy"] != releases["new"]
    assert releases["old feed"] == releases["copy feed"] != releases["new feed"]
    release.cache_clear()


def crowded(event: Event, entries: int) -> Event:
    """The event after its start with so many entries, without tables."""
    users = User.objects.bulk_create(User(username=f"p{number}") for number in range(entries))
    Entry.objects.bulk_create(Entry(event=event, user=user) for user in users)
    services.start_event(event_id=event.pk, now=NOON)
    event.refresh_from_db()
    return event


@pytest.fixture
def large_swiss(event) -> Event:
    """Of 70, in its first round."""
    return crowded(event(format="swiss"), 70)


def test_a_large_event_is_shown_in_pages_and_ones_own_line_always(client, large_swiss, boss):
    services.adjudicate(match_id=large_swiss.matches.first().pk, places=[1, 2], by=boss)
    large_swiss.refresh_from_db()
    client.force_login(large_swiss.entries.get(seed=70).user)
    html = page(client, large_swiss)
    last = large_swiss.entries.get(seed=70).pk
    ranking = presentation.draw_of(large_swiss).ranking
    assert html.count('id="why-') == 60
    assert page(client, large_swiss, "?page=2").count('id="why-') == 10
    on_page = 1 + [row.entrant for row in ranking].index(last) // 60
    assert f'href="{"?page=2" if on_page == 2 else ""}#why-{last}"' in html
    assert "Your place now:" in words_of(html)


def test_a_page_takes_as_many_queries_for_many_entries_as_for_few(event, large_swiss, django_assert_num_queries):
    small = started(event(people="ann bob cat dan", format="swiss"))
    with CaptureQueriesContext(connection) as counted:
        presentation.public_event_html(small)
    assert len(counted) <= 12
    for match in large_swiss.matches.all()[:3]:
        services.start_match(match_id=match.pk, now=NOON)
    large_swiss.refresh_from_db()
    with django_assert_num_queries(len(counted)):
        presentation.public_event_html(large_swiss)


def test_the_head_says_what_comes_next_and_when(client, event):
    soon = event(people="ann bob", starts_at=timezone.now() + timedelta(hours=1))
    assert "It starts" in words_of(page(client, soon))
    assert f'datetime="{soon.starts_at.isoformat()}" data-time="relative"' in page(client, soon)
    swiss = started(event(people="ann bob cat dan", format="swiss", break_seconds=90))
    swiss = first_sides_win(swiss)
    assert "Round 1 of 3" in words_of(page(client, swiss))
    assert "Round 2 starts" in words_of(page(client, swiss))
    assert f'datetime="{swiss.next_round_at.isoformat()}"' in page(client, swiss)


def test_the_page_says_each_coming_moment_once(client, event):
    soon = timezone.now() + timedelta(hours=1)
    event = event(people="ann bob", starts_at=soon, registration_minutes=30, check_in_minutes=10)

    def moments(name: str) -> list[str]:
        client.force_login(person(name))
        return re.findall(r'<time datetime="[^"]+" data-time="relative">', page(client, event))

    for status, steps in {"scheduled": 2, "registration": 2, "check-in": 1}.items():
        Event.objects.filter(pk=event.pk).update(status=status, version=F("version") + 1)
        assert [len(moments(name)) for name in ("ann", "eve")] == [steps, steps], status
    services.check_in_player(event_id=event.pk, user=person("ann"))
    assert len(moments("ann")) == 1


def test_an_announcement_stands_on_the_page_until_it_is_taken_down(client, event):
    noon = event(people="ann bob")
    said = noon.announcements.create(text="We begin a little later.", by=person("director"))
    assert "We begin a little later." in page(client, noon)
    said.taken_down_at = timezone.now()
    said.save()
    cache.clear()
    assert "We begin a little later." not in page(client, noon)


def test_whoever_has_left_or_came_late_or_is_a_bot_is_marked(client, event, house_bots):
    swiss = started(event(people="ann bob cat", format="swiss", fill_to=4, late_rounds=3))
    services.withdraw_entry(event_id=swiss.pk, user=person("ann"))
    services.remove_entry(entry_id=swiss.entries.get(user=person("bob")).pk, by=person("director"), why="rude")
    services.enter_event(event_id=swiss.pk, user=person("dan"))
    swiss.refresh_from_db()
    html = page(client, swiss)
    for name, mark in (("ann", "has left"), ("bob", "disqualified"), ("dan", "from round")):
        row = re.search(rf'<tr data-entry="{swiss.entries.get(user=person(name)).pk}".*?</tr>', html, re.S)
        assert mark in words_of(row[0])
    assert words_of(html).count(" bot ") == 1


def test_the_first_three_have_badges_there_and_on_their_own_page(client, event):
    cup = started(event(people="ann bob cat dan", format_options={"third_place": True}))
    for _ in range(3):
        first_sides_win(cup)
    cup.refresh_from_db()
    assert cup.is_finished
    html = page(client, cup)
    podium = re.search(r'<ol class="podium.*?</ol>', html, re.S)[0]
    by_place = {entry.place: entry for entry in cup.entries.all()}
    assert words_of(podium) == f"1 Champion: {by_place[1].name} 2 {by_place[2].name} 3 {by_place[3].name}"
    assert html.count("medal-1") == 2
    client.force_login(by_place[2].user)
    own = page_html(client.get(reverse("accounts:profile")))
    assert "medal-2" in own
    assert cup.get_absolute_url() in own


def test_everything_is_on_the_page_for_paper(client, event):
    swiss = first_sides_win(started(event(people=EIGHT, format="swiss")))
    html = page_html(client.get(reverse("tournaments:print", args=[swiss.pk])))
    assert html.count("<caption>Round") == 2
    for match in swiss.matches.all():
        assert table_of(match).get_absolute_url() in html
    for row in presentation.draw_of(swiss).ranking:
        assert row.reason.split("@")[0] in words_of(html)


def test_a_round_on_paper_is_not_called_twice_by_one_name(client, event):
    cup = started(event(people="ann bob cat dan", format_options={"third_place": True}))
    html = page_html(client.get(reverse("tournaments:print", args=[first_sides_win(cup).pk])))
    captions = re.findall("<caption>(.*?)</caption>", html)
    assert captions == ["Draw, Semi-finals", "Draw, Final", "Third place"]


def test_a_crosstable_tells_both_sides_of_every_match(event):
    league = first_sides_win(started(event(people="ann bob cat", format="round-robin")))
    table = presentation.draw_of(league).sections[0].crosstable
    own = {line.row.entry.pk: line for line in table.rows}
    order = [line.row.entry.pk for line in table.rows]
    match = league.matches.filter(status="finished", decided_by="games").get()
    first, second = (side.entry_id for side in match.sides.all())
    assert [result.sign for result in own[first].cells[order.index(second)]] == ["1"]
    assert [result.sign for result in own[second].cells[order.index(first)]] == ["0"]
    assert all(line.cells[index] is None for index, line in enumerate(table.rows))


def test_of_a_tree_for_a_hundred_the_late_rounds_are_drawn_and_the_early_ones_listed(client, event):
    html = page(client, crowded(event(), 66))
    assert 'id="round-main-3"' in html
    assert 'id="round-main-1"' not in html
    assert "Round of 128" in html


# The calendar, and series


def calendar(client, query: str = "") -> str:
    return words_of(page_html(client.get(reverse("tournaments:index") + query)))


def test_the_calendar_can_be_filtered(client, event):
    soon = timezone.now() + timedelta(hours=1)
    event(name="Casino cup", starts_at=soon)
    event(name="Gin Swiss", starts_at=soon, game="gin-rummy", options={}, format="swiss")
    event(name="For masters", starts_at=soon, min_rating=2000)
    assert all(name in calendar(client) for name in ("Casino cup", "Gin Swiss", "For masters"))
    assert "Casino cup" not in calendar(client, "?game=gin-rummy")
    assert "Gin Swiss" not in calendar(client, "?format=single-elimination")
    mine = calendar(client, "?is_open=on")
    assert "Casino cup" in mine
    assert "For masters" not in mine
    assert "Casino cup" in calendar(client, "?game=chess&format=x")


def test_a_series_tells_what_comes_who_has_won_and_how_often(client, event):
    series = Series.objects.create(name="Every noon", game="casino", first_start_at=NOON)
    for day in (1, 2):
        cup = event(people="ann bob", series=series, name=f"Day {day}", starts_at=NOON - timedelta(days=day))
        services.start_event(event_id=cup.pk, now=cup.starts_at)
        open_tables(cup)
        lose(cup, "bob")
    event(series=series, name="Tomorrow", starts_at=NOON + timedelta(days=1))
    html = page_html(client.get(series.get_absolute_url()))
    assert all(name in html for name in ("Day 1", "Day 2", "Tomorrow", "Hall of fame"))
    assert re.search(r"ann 2 bob 2 Past", words_of(html))
    assert match_of(Event.objects.get(name="Day 1"), "ann").status == "finished"


def test_groups_say_who_advances_until_the_knock_out_is_drawn(client, event):
    options = {"group_size": 2, "qualifiers": 1}
    noon = started(event(people="ann bob cat dan", format="groups", format_options=options))
    says = "The winner of each group advances to the knock-out. It is drawn once all groups are over."
    assert says in page_words(client.get(noon.get_absolute_url()))
    for match in noon.matches.all():
        assert says in page_words(client.get(noon.get_absolute_url()))
        lose(noon, match.sides.all()[0].entry.user.username)
    page = client.get(noon.get_absolute_url())
    assert says not in page_words(page)
    assert page_html(page).count("is-last-through") == 2, "the line below the winner of each group"
