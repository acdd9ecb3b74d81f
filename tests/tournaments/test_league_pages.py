"""What visitors and the admin see of bot leagues."""

import re
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from games.bots import LEVELS
from games.models import Table
from tests.pages import page_html, page_words
from tests.tournaments.leagues import ALL_LEVELS, SOON, planned, play
from tournaments.models import BotLeague, LeagueChunk, LeagueGame, LeagueNight
from tournaments.services import league as services
from tournaments.views import leagues

pytestmark = pytest.mark.only_on("sqlite")


def games_on(response) -> list[int]:
    """The games that can be opened from this page."""
    return list(map(int, re.findall(r'name="game" value="(\d+)"', page_html(response))))


def test_the_list_of_leagues_names_the_last_winner(client, league, night):
    url = reverse("tournaments:leagues")
    assert "There are no bot leagues yet." in page_words(client.get(url))
    noon = night()
    assert "Not played yet" in page_words(client.get(url))
    best = services.league_standings(play(noon))[0]
    assert f"Last winner: {LEVELS[best.level]} , {round(100 * best.share)} %" in page_words(client.get(url))


def test_the_list_takes_as_many_queries_for_many_leagues_as_for_one(client, league, django_assert_max_num_queries):
    night = play(services.play_night_now(league_id=league().pk, now=SOON))
    for number in range(5):
        other = BotLeague.objects.create(name=f"Bots {number}", game="sixty-six", first_start_at=SOON)
        LeagueNight.objects.create(
            league=other, starts_at=SOON, rules_version=1, status="finished", standings=night.standings
        )
    with django_assert_max_num_queries(4):
        client.get(reverse("tournaments:leagues"))


def test_a_league_shows_its_newest_night_all_nights_and_ratings(client, night):
    noon = play(night())
    running = services.play_night_now(league_id=noon.league_id, now=SOON)
    page = client.get(noon.league.get_absolute_url())
    assert "Latest night" in page_words(page)
    for one in (noon, running):
        assert f'href="{one.get_absolute_url()}"' in page_html(page)
    assert "in progress" in page_words(page)
    assert page_words(page).count("first-steps ") == 8  # every bot of the level has a rating


def test_a_night_shows_every_deal_of_every_pairing_on_some_page(client, night, monkeypatch):
    monkeypatch.setattr(leagues, "DEALS_ON_A_PAGE", 1)
    noon = play(night(levels=ALL_LEVELS, game="advantage", options={}, deals=2))
    seen = [
        game
        for pairing in range(3)
        for page in (1, 2)
        for game in games_on(client.get(noon.get_absolute_url(), {"pairing": pairing, "page": page}))
    ]
    assert sorted(seen) == sorted(LeagueGame.objects.values_list("pk", flat=True))
    assert len(seen) == 3 * 2 * 2


def test_a_night_shows_its_first_deals_first(client, night, monkeypatch):
    monkeypatch.setattr(leagues, "DEALS_ON_A_PAGE", 1)
    play(night(deals=2))
    wanted = list(LeagueGame.objects.filter(deal=1).values_list("pk", flat=True))
    assert games_on(client.get(LeagueNight.objects.get().get_absolute_url())) == wanted


@pytest.mark.parametrize("query", ["pairing=9&page=99", "pairing=-1&page=-1", "pairing=x&page=²", "page=99999999999"])
def test_a_night_answers_an_odd_address_with_some_of_its_deals(client, night, query):
    noon = play(night())
    assert len(games_on(client.get(f"{noon.get_absolute_url()}?{query}"))) == 24


def test_the_page_of_a_running_night_follows_its_chunks(client, night):
    noon = night()
    assert "0 of 12 deals" in page_words(client.get(noon.get_absolute_url()))
    services.play_chunk(chunk_id=noon.chunks.first().pk, now=SOON)
    live = client.get(reverse("tournaments:league-night-live", args=[noon.pk]))
    assert "1 of 12 deals" in page_words(live)
    assert len(games_on(live)) == 2
    play(noon)
    assert "finished 12 deals" in page_words(client.get(noon.get_absolute_url()))


def test_the_bar_of_an_interval_stays_on_its_axis(client, night):
    noon = play(night())
    counts = {"deals": 12, "won": 6, "drawn": 0, "lost": 6}
    noon.standings = [
        {"level": "club", "share": 0.98, "low": 0.9, "high": 1.06, **counts},
        {"level": "first-steps", "share": 0.02, "low": -0.06, "high": 0.1, **counts},
    ]
    noon.save()
    page = page_html(client.get(noon.get_absolute_url()))
    assert '<rect x="90" y="2" width="10"' in page
    assert '<rect x="0" y="2" width="10"' in page


def test_one_opens_a_game_and_sees_it_move_by_move(client, night):
    play(night(deals=1))
    game = LeagueGame.objects.first()
    page = client.post(reverse("tournaments:league-replay"), {"game": game.pk}, follow=True)
    table = Table.objects.get()
    assert page.redirect_chain == [(reverse("games:replay", args=[table.code]), 302)]
    assert f"move 0 of {len(game.moves.splitlines())}" in page_words(page)
    assert page_words(client.get(reverse("games:result", args=[table.code]))).count("wins") >= 1
    verify = client.get(reverse("games:deals-json", args=[table.code])).json()
    assert verify["seal"] == table.commitment
    client.post(reverse("tournaments:league-replay"), {"game": game.pk})
    assert Table.objects.count() == 1


def test_a_link_alone_opens_no_game(client, night):
    play(night(deals=1))
    assert client.get(reverse("tournaments:league-replay"), {"game": LeagueGame.objects.first().pk}).status_code == 405
    assert client.post(reverse("tournaments:league-replay"), {"game": "none"}).status_code == 404


def test_a_game_of_other_rules_is_refused_with_a_reason(client, night):
    noon = play(night(deals=1))
    game = LeagueGame.objects.first()
    first, *_ = played = game.moves.splitlines()
    for moves in ([first, *played], played[:-1]):  # nothing can be done twice at the start; the end is missing
        LeagueGame.objects.filter(pk=game.pk).update(moves="\n".join(moves))
        page = client.post(reverse("tournaments:league-replay"), {"game": game.pk}, follow=True)
        assert page.redirect_chain == [(noon.get_absolute_url(), 302)]
        assert "can no longer be replayed" in page_words(page)
    assert not Table.objects.exists()


def test_the_admin_plans_a_league_and_has_a_night_played_now(admin_client, db):
    noon = planned()
    url = reverse("admin:tournaments_botleague_changelist")
    action = {"action": "play_a_night_now", "_selected_action": [noon.pk]}
    assert "is being played" in page_words(admin_client.post(url, action, follow=True))
    assert "still in progress" in page_words(admin_client.post(url, action, follow=True))
    assert noon.nights.count() == 1
    form = {
        "name": "Cuarenta bots", "game": "cuarenta", "options": "{}", "seats": 2, "deals": 9,
        "levels": ["club", "strong"], "first_start_at": "2026-01-01T03:00",
        "rrule": "FREQ=DAILY", "time_zone": "UTC", "is_active": "on",
    }  # fmt: skip
    admin_client.post(reverse("admin:tournaments_botleague_add"), form)
    made = BotLeague.objects.get(name="Cuarenta bots")
    assert (made.levels, made.due_at.hour) == (["club", "strong"], 3)
    assert made.due_at > timezone.now()
    chunks = admin_client.get(reverse("admin:tournaments_leaguenight_change", args=[noon.nights.get().pk]))
    assert chunks.status_code == 200


def test_the_demo_schedule_has_a_league_soon_and_others_at_night(db):
    now = timezone.now()
    for _ in range(2):
        call_command("make_demo_schedule", verbosity=0)
    soon = BotLeague.objects.get(first_start_at__gt=now)
    nightly = BotLeague.objects.exclude(pk=soon.pk)
    assert timedelta(minutes=2) < soon.due_at - now < timedelta(minutes=4)
    assert [league.due_at.hour for league in nightly] == [3, 3, 3]
    assert len({soon.game, *nightly.values_list("game", flat=True)}) == 4
    for league in BotLeague.objects.all():
        league.full_clean()


def test_the_page_of_a_night_that_ends_without_a_last_chunk_says_so(client, night):
    noon = night()
    broken = noon.chunks.first()
    while others := noon.chunks.filter(status=LeagueChunk.Status.CLAIMED).exclude(pk=broken.pk):
        services.play_chunk(chunk_id=others[0].pk, now=SOON)
    assert "being played 11 of 12 deals" in page_words(client.get(noon.get_absolute_url()))
    noon.chunks.filter(pk=broken.pk).update(attempts=services.MAX_ATTEMPTS)
    services.hand_out_chunks(night_id=noon.pk, now=SOON + services.CHUNK_TIMEOUT)
    assert "finished 11 of 12 deals" in page_words(client.get(noon.get_absolute_url()))


def test_an_open_page_follows_the_night_and_leads_to_a_game(page, live_url, axe, league):
    noon = services.play_night_now(league_id=league().pk, now=timezone.now())
    page.goto(f"{live_url}{noon.get_absolute_url()}")
    page.get_by_text("0 of 12 deals").wait_for()
    play(noon)
    page.get_by_text("finished", exact=True).wait_for()
    axe(page)
    page.get_by_role("button", name="view deal 3, game 2").press("Enter")
    page.get_by_text(re.compile(r"move 0 of \d+")).wait_for()
