"""Ladders: join, challenge, answer, play, drop, leave; their pages and their rules."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.blocking import block_user
from accounts.services import close_account
from games import services as games
from games.models import Table, Vacation
from notifications.models import Notice
from tests.pages import page_html, page_words
from tests.tournaments.factories import end_with, person, url
from tournaments import tasks
from tournaments.models import Ladder, LadderChallenge, LadderMove, LadderPlayer
from tournaments.queries.ladders import ladder_state
from tournaments.services import EventError, ladders

DAY, WEEK = timedelta(days=1), timedelta(weeks=1)
START = timezone.now() - WEEK  # nobody is idle yet for the tick, which goes by the clock


@pytest.fixture
def ladder(db) -> Ladder:
    """Five players, ann at the top."""
    made = ladders.save_ladder(Ladder(name="Gin ladder", game="gin-rummy", reach=3), by=person("dora"))
    for name in "ann bob cat dan eve".split():
        ladders.join_ladder(ladder_id=made.pk, user=person(name), now=START)
    made.refresh_from_db()
    return made


def places(ladder: Ladder) -> str:
    ladder.refresh_from_db()
    names = dict(LadderPlayer.objects.values_list("pk", "user__username"))
    return " ".join(names[pk] for pk in ladder.order)


def player(name: str) -> LadderPlayer:
    return LadderPlayer.objects.get(user__username=name)


def challenge(ladder: Ladder, name: str, other: str, now: datetime = START) -> LadderChallenge:
    return ladders.challenge_player(ladder_id=ladder.pk, user=person(name), player_id=player(other).pk, now=now)


def accept(asked: LadderChallenge, now: datetime = START) -> Table:
    return ladders.accept_ladder_challenge(challenge_id=asked.pk, user=asked.challenged.user, now=now)


def play(asked: LadderChallenge, scores: list[int], now: datetime = START) -> None:
    """The challenge is accepted, and its game ends with these scores of challenger and challenged."""
    table = accept(asked, now)
    end_with(table, scores)
    ladders.record_ladder_game(table_id=table.pk, now=now)


def refusal(act: object, *args: object, **named: object) -> str:
    with pytest.raises(EventError) as refused:
        act(*args, **named)
    return str(refused.value)


def notices(name: str) -> list[str]:
    return list(Notice.objects.filter(user__username=name).order_by("pk").values_list("text", flat=True))


def history(name: str) -> list[tuple[int | None, int | None, str]]:
    return list(player(name).moves.order_by("pk").values_list("old_place", "place", "why"))


# Join and leave


def test_people_join_in_the_last_place_once(ladder):
    assert places(ladder) == "ann bob cat dan eve"
    ladders.join_ladder(ladder_id=ladder.pk, user=person("ann"), now=START)
    assert places(ladder) == "ann bob cat dan eve"
    assert history("cat") == [(None, 3, "joined")]


def test_who_leaves_gives_up_the_place_and_comes_back_in_the_last_one(ladder):
    ladders.leave_ladder(ladder_id=ladder.pk, user=person("bob"), now=START)
    assert places(ladder) == "ann cat dan eve"
    ladders.join_ladder(ladder_id=ladder.pk, user=person("bob"), now=START + DAY)
    assert places(ladder) == "ann cat dan eve bob"
    assert history("bob") == [(None, 2, "joined"), (2, None, "left"), (None, 5, "joined")]
    assert history("dan") == [(None, 4, "joined"), (4, 3, "shifted")]


def test_an_open_challenge_ends_with_a_player_who_leaves(ladder):
    asked = challenge(ladder, "dan", "bob")
    ladders.leave_ladder(ladder_id=ladder.pk, user=person("bob"), now=START)
    asked.refresh_from_db()
    assert asked.status == LadderChallenge.Status.WITHDRAWN
    assert notices("dan") == ["bob has left Gin ladder, so your challenge is over."]
    challenge(ladder, "dan", "ann")


@pytest.mark.parametrize("leaver", ["dan", "bob"])
def test_nobody_is_asked_to_answer_a_challenge_that_ended_with_a_player_who_left(ladder, leaver):
    challenge(ladder, "dan", "bob")
    asked = Notice.objects.get(user=person("bob"), text__contains="challenges you")
    assert asked.read_at is None
    ladders.leave_ladder(ladder_id=ladder.pk, user=person(leaver), now=START)
    assert not Notice.objects.filter(pk=asked.pk, read_at=None).exists()


def test_guests_need_an_account(ladder):
    guest = person("guest")
    guest.is_guest = True
    guest.save()
    assert "need an account" in refusal(ladders.join_ladder, ladder_id=ladder.pk, user=guest, now=START)


def test_a_closed_account_leaves_and_its_game_gives_no_place(ladder):
    asked = challenge(ladder, "dan", "bob")
    table = accept(asked)
    close_account(user=person("bob"))
    assert places(ladder) == "ann cat dan eve"
    tasks.advance_event_of_table(table.pk)
    asked.refresh_from_db()
    assert (asked.status, places(ladder)) == (LadderChallenge.Status.WON, "ann cat dan eve")


# Challenges


def test_a_win_takes_the_place_and_those_between_slide_down(ladder):
    asked = challenge(ladder, "eve", "bob")
    assert notices("bob") == ["eve challenges you on Gin ladder. Answer within 3 days."]
    Ladder.objects.update(answer_days=1)
    challenge(ladder, "cat", "ann")
    assert notices("ann") == ["cat challenges you on Gin ladder. Answer within 1 day."]
    play(asked, [30, 10])
    assert places(ladder) == "ann eve bob cat dan"
    assert history("eve")[-1] == (5, 2, "won")
    assert history("cat")[-1] == (3, 4, "shifted")
    assert notices("eve")[-1] == "Gin ladder: you beat bob and take the place."
    assert notices("bob")[-1] == "Gin ladder: eve beats you and takes your place."
    assert [str(player(name).moves.first().why_in_words) for name in ("eve", "bob", "cat")] == [
        "won a challenge",
        "lost a challenge",
        "others moved",
    ]


def test_the_game_is_played_at_an_ordinary_table_with_the_terms_of_the_ladder(ladder):
    table = accept(challenge(ladder, "eve", "bob"))
    assert (table.game, table.status, table.is_rated, table.allows_vacation) == ("gin-rummy", "running", True, True)
    assert (table.move_seconds, table.base_seconds) == (86_400, 3 * 86_400)
    assert (table.event_name, table.event_path) == ("Gin ladder", ladder.get_absolute_url())
    assert [seat.user.username for seat in table.seats.order_by("number")] == ["eve", "bob"]
    games.resign(table_id=table.pk, user=person("bob"))
    tasks.advance_event_of_table(table.pk)
    assert places(ladder) == "ann eve bob cat dan"


@pytest.mark.parametrize("scores", [[10, 30], [20, 20]], ids=["lost", "drawn"])
def test_without_a_win_nothing_moves_and_a_rematch_has_to_wait(ladder, scores):
    play(challenge(ladder, "eve", "bob"), scores)
    assert places(ladder) == "ann bob cat dan eve"
    assert refusal(challenge, ladder, "eve", "bob", START + 2 * DAY) == "You can challenge bob again in 5 days."
    challenge(ladder, "eve", "cat", START + 2 * DAY)
    ladders.withdraw_ladder_challenge(
        challenge_id=LadderChallenge.objects.first().pk, user=person("eve"), now=START + 2 * DAY
    )
    challenge(ladder, "eve", "bob", START + 7 * DAY)


def test_a_challenger_who_was_declined_waits_as_after_a_loss(ladder):
    Ladder.objects.update(allowed_declines=1)
    asked = challenge(ladder, "eve", "bob")
    ladders.decline_ladder_challenge(challenge_id=asked.pk, user=person("bob"), now=START)
    assert refusal(challenge, ladder, "eve", "bob", START + DAY) == "You can challenge bob again in 6 days."
    challenge(ladder, "dan", "bob", START + DAY)
    challenge(ladder, "eve", "cat", START + DAY)


def test_a_place_that_was_given_away_is_challenged_at_once(ladder):
    asked = challenge(ladder, "dan", "bob")
    ladders.decline_ladder_challenge(challenge_id=asked.pk, user=person("bob"), now=START)
    play(challenge(ladder, "bob", "dan"), [30, 10])
    assert places(ladder) == "ann bob dan cat eve"
    challenge(ladder, "dan", "bob")


def test_a_result_counts_once_however_often_it_is_recorded(ladder):
    asked = challenge(ladder, "eve", "bob")
    play(asked, [30, 10])
    play_again = challenge(ladder, "bob", "eve", START + DAY)
    play(play_again, [30, 10], START + DAY)
    for pk in (asked.table_id, LadderChallenge.objects.get(pk=asked.pk).table_id):
        ladders.record_ladder_game(table_id=pk, now=START + DAY)
    ladders.run_due_challenge(challenge_id=asked.pk, now=START + DAY)
    assert places(ladder) == "ann bob eve cat dan"


@pytest.mark.parametrize(
    ("own", "other", "text"),
    [
        ("eve", "ann", "You can only challenge players up to 3 places above you."),
        ("bob", "cat", "You can only challenge players up to 3 places above you."),
        ("bob", "bob", "You can only challenge players up to 3 places above you."),
        ("stranger", "bob", "Join the ladder first."),
    ],
)
def test_only_players_a_little_above_can_be_challenged(ladder, own, other, text):
    assert refusal(challenge, ladder, own, other) == text


def test_each_player_has_one_challenge_at_a_time(ladder):
    challenge(ladder, "dan", "bob")
    assert refusal(challenge, ladder, "dan", "cat") == "You have a challenge already. Finish it first."
    assert refusal(challenge, ladder, "bob", "ann") == "You have a challenge already. Finish it first."
    assert refusal(challenge, ladder, "eve", "dan") == "dan has a challenge already."


def test_blocked_players_and_those_on_vacation_are_not_challenged(ladder):
    block_user(blocker=person("ann"), blocked=person("dan"))
    assert refusal(challenge, ladder, "dan", "ann") == "You can't challenge ann."
    Vacation.objects.create(user=person("bob"), begins_at=START - DAY, ends_at=START + DAY, has_begun=True)
    assert refusal(challenge, ladder, "dan", "bob") == "bob is on vacation."


def test_only_the_challenged_player_answers_and_only_the_challenger_withdraws(ladder):
    asked = challenge(ladder, "dan", "bob")
    named = {"challenge_id": asked.pk, "user": person("eve"), "now": START}
    assert refusal(ladders.accept_ladder_challenge, **named) == "This challenge is not for you."
    assert refusal(ladders.decline_ladder_challenge, **named) == "This challenge is not for you."
    assert refusal(ladders.withdraw_ladder_challenge, **named) == ladders.NOT_OPEN
    ladders.withdraw_ladder_challenge(challenge_id=asked.pk, user=person("dan"), now=START)
    assert refusal(ladders.accept_ladder_challenge, **(named | {"user": person("bob")})) == ladders.NOT_OPEN
    assert not Notice.objects.unread().filter(user=person("bob")).exists()


def test_a_declined_challenge_gives_the_place(ladder):
    asked = challenge(ladder, "dan", "bob")
    ladders.decline_ladder_challenge(challenge_id=asked.pk, user=person("bob"), now=START)
    assert places(ladder) == "ann dan bob cat eve"
    assert history("dan")[-1] == (4, 2, "refused")
    assert notices("dan") == ["Gin ladder: bob didn't accept your challenge, so you take the place."]
    assert notices("bob")[-1] == "Gin ladder: you didn't accept dan's challenge, so dan takes your place."


def test_allowed_declines_keep_the_place_until_they_are_used_up(ladder):
    Ladder.objects.update(allowed_declines=1)
    first = challenge(ladder, "dan", "bob")
    ladders.decline_ladder_challenge(challenge_id=first.pk, user=person("bob"), now=START)
    assert places(ladder) == "ann bob cat dan eve"
    assert notices("bob")[-1] == (
        "Gin ladder: you haven't accepted dan's challenge, and keep your place. "
        "If you decline the next one, you lose your place."
    )
    second = challenge(ladder, "cat", "bob")
    ladders.run_due_challenge(challenge_id=second.pk, now=START + 3 * DAY)
    assert places(ladder) == "ann cat bob dan eve"
    Ladder.objects.update(rematch_days=0)
    play(challenge(ladder, "dan", "bob", START + 4 * DAY), [10, 30], START + 4 * DAY)
    third = challenge(ladder, "dan", "bob", START + 5 * DAY)
    ladders.decline_ladder_challenge(challenge_id=third.pk, user=person("bob"), now=START + 5 * DAY)
    assert places(ladder) == "ann cat bob dan eve"


# What is due by itself


def test_the_tick_ends_a_challenge_without_an_answer(ladder, eager_tasks):
    challenge(ladder, "dan", "bob", timezone.now() - 3 * DAY)
    tasks.tick()
    assert places(ladder) == "ann dan bob cat eve"
    tasks.tick()
    assert LadderChallenge.objects.get().due_at is None


def test_a_challenge_waits_for_its_time_and_for_a_vacation(ladder):
    asked = challenge(ladder, "dan", "bob")
    ladders.run_due_challenge(challenge_id=asked.pk, now=START + 3 * DAY - timedelta(seconds=1))
    away_until = START + 5 * DAY
    Vacation.objects.create(user=person("bob"), begins_at=START + DAY, ends_at=away_until, has_begun=True)
    ladders.run_due_challenge(challenge_id=asked.pk, now=START + 3 * DAY)
    asked.refresh_from_db()
    assert (asked.status, asked.answer_by, asked.due_at) == ("open", away_until + 3 * DAY, away_until + 3 * DAY)
    ladders.run_due_challenge(challenge_id=asked.pk, now=away_until + 3 * DAY)
    assert places(ladder) == "ann dan bob cat eve"


def test_the_tick_takes_in_a_game_whose_end_got_lost(ladder, eager_tasks):
    asked = challenge(ladder, "dan", "bob", timezone.now())
    end_with(accept(asked, timezone.now()), [30, 10])
    tasks.tick()
    assert places(ladder) == "ann bob cat dan eve"
    LadderChallenge.objects.update(due_at=timezone.now())
    tasks.tick()
    assert places(ladder) == "ann dan bob cat eve"


def test_idle_players_drop_a_place_a_week(ladder):
    play(challenge(ladder, "eve", "cat", START + 2 * WEEK), [10, 30], START + 2 * WEEK)
    ladder.refresh_from_db()
    assert ladder.due_at == START + 4 * WEEK
    ladders.drop_idle_players(ladder_id=ladder.pk, now=START + 4 * WEEK - timedelta(seconds=1))
    assert places(ladder) == "ann bob cat dan eve"
    ladders.drop_idle_players(ladder_id=ladder.pk, now=START + 4 * WEEK)
    assert places(ladder) == "cat ann bob eve dan"
    assert notices("ann") == [
        "You haven't played on Gin ladder for a while, so you drop to place 2. "
        "Without a game you drop one more place each week."
    ]
    assert history("dan")[-1] == (4, 5, "idle") and history("eve")[-1] == (5, 4, "shifted")
    ladders.drop_idle_players(ladder_id=ladder.pk, now=START + 4 * WEEK)
    assert places(ladder) == "cat ann bob eve dan"
    assert ladder.due_at == START + 5 * WEEK
    ladders.drop_idle_players(ladder_id=ladder.pk, now=START + 5 * WEEK)
    assert places(ladder) == "cat eve ann bob dan"


def warnings(name: str) -> list[str]:
    return [text for text in notices(name) if " by " in text]


def test_a_player_is_reminded_once_of_a_challenge_without_an_answer(ladder):
    asked = challenge(ladder, "dan", "bob")
    for hours in (1, 23, 36, 60):
        ladders.warn_players(now=START + timedelta(hours=hours))
        assert bool(warnings("bob")) == (hours > 23)
    assert len(warnings("bob")) == 1
    assert warnings("bob")[0].startswith("Gin ladder: answer dan's challenge by ")
    assert warnings("bob")[0].endswith(" (UTC). No answer counts as declining.")
    ladders.decline_ladder_challenge(challenge_id=asked.pk, user=person("bob"), now=START + 2 * DAY)
    assert not Notice.objects.unread().filter(text__in=warnings("bob"))


def test_players_are_reminded_once_before_their_first_drop(ladder):
    dropping = START + 4 * WEEK
    ladders.warn_players(now=dropping - 4 * DAY)
    assert not warnings("ann")
    challenge(ladder, "dan", "bob", dropping - 3 * DAY)
    Vacation.objects.create(user=person("cat"), begins_at=dropping - 3 * DAY, ends_at=dropping, has_begun=True)
    for days in (2, 1):
        ladders.warn_players(now=dropping - days * DAY)
    assert len(warnings("ann")) == 1
    assert warnings("ann")[0].startswith("Play on Gin ladder by ")
    assert warnings("ann")[0].endswith(" (UTC) to keep your place.")
    assert not any(" to keep your place." in text for name in ("bob", "cat", "dan", "eve") for text in warnings(name))
    ladders.drop_idle_players(ladder_id=ladder.pk, now=dropping)
    ladders.warn_players(now=dropping + WEEK - DAY)
    assert len(warnings("ann")) == 1, "the notice of the drop has told of the next ones"


def test_a_vacation_or_a_challenge_keeps_an_idle_player_in_place(ladder):
    later = START + 4 * WEEK
    Vacation.objects.create(user=person("ann"), begins_at=later - DAY, ends_at=later + DAY, has_begun=True)
    challenge(ladder, "eve", "bob", later - DAY)
    ladders.drop_idle_players(ladder_id=ladder.pk, now=later)
    assert places(ladder) == "ann bob eve cat dan"
    assert player("ann").drops_at == later + DAY + WEEK


def test_only_who_has_players_below_is_told_to_play(ladder):
    for name, told in (("dan", "to keep your place"), ("eve", "No one is below you, so you can't drop a place.")):
        browser = Client()
        browser.force_login(person(name))
        words = page_words(browser.get(ladder.get_absolute_url()))
        assert told in words
        assert ("Play by" in words) == (name == "dan")
        state = ladder_state(ladder, person(name), now=START)
        assert state.keep_by == (START + 4 * WEEK if name == "dan" else None)


def test_who_is_challenged_reads_by_when_to_answer_and_not_by_when_to_play(ladder):
    browser = Client()
    browser.force_login(person("dan"))
    assert "Play by" in page_words(browser.get(ladder.get_absolute_url()))
    challenge(ladder, "eve", "dan", START)
    assert "Play by" not in page_words(browser.get(ladder.get_absolute_url()))


def test_the_tick_drops_idle_players_once(ladder, eager_tasks):
    LadderPlayer.objects.filter(user=person("ann")).update(drops_at=timezone.now() - DAY)
    Ladder.objects.update(due_at=timezone.now() - DAY)
    tasks.tick()
    tasks.tick()
    assert places(ladder) == "bob ann cat dan eve"


def test_a_player_who_left_during_a_game_does_not_keep_the_ladder_due(ladder):
    table = accept(challenge(ladder, "eve", "cat"))
    ladders.leave_ladder(ladder_id=ladder.pk, user=person("eve"), now=START)
    end_with(table, [10, 30])
    ladders.record_ladder_game(table_id=table.pk, now=START)
    later = START + 4 * WEEK
    ladders.drop_idle_players(ladder_id=ladder.pk, now=later)
    ladder.refresh_from_db()
    assert ladder.due_at > later


def test_a_changed_number_of_weeks_counts_from_the_last_game(ladder):
    ladder.idle_weeks = 2
    ladders.save_ladder(ladder, by=person("dora"))
    assert {one.drops_at for one in LadderPlayer.objects.all()} == {START + 2 * WEEK}
    ladder.idle_weeks = None
    assert ladders.save_ladder(ladder, by=person("dora")).due_at is None


# Pages


def test_a_director_makes_a_ladder_and_changes_it(planner):
    form = {
        "name": "Gin ladder", "game": "gin-rummy", "pace": "days-3", "reach": "2", "answer_days": "4",
        "allowed_declines": "1", "rematch_days": "0", "idle_weeks": "", "is_open": "on",
    }  # fmt: skip
    made = planner.post(reverse("tournaments:new-ladder"), form)
    ladder = Ladder.objects.get()
    assert made["Location"] == ladder.get_absolute_url()
    assert (ladder.created_by, ladder.idle_weeks, ladder.is_rated) == (person("dora"), None, False)
    page = page_words(planner.get(ladder.get_absolute_url()))
    assert "You can challenge players up to 2 places above you." in page
    assert "You can decline 1 challenge in a row." in page and "drop one place a week" not in page
    assert planner.post(url("edit-ladder", ladder), form | {"game": "casino", "reach": "3"}).status_code == 302
    ladder.refresh_from_db()
    assert (ladder.game, ladder.reach) == ("gin-rummy", 3)
    assert planner.post(url("edit-ladder", ladder), form | {"reach": "0"}).status_code == 422


def test_only_directors_make_ladders_and_only_their_own_can_be_changed(client, ladder):
    client.force_login(person("ann"))
    assert client.get(reverse("tournaments:new-ladder")).status_code == 403
    other = person("otto")
    other.groups.add(Group.objects.get(name="Directors"))
    client.force_login(other)
    assert client.get(url("edit-ladder", ladder)).status_code == 403
    assert client.post(url("remove-from-ladder", ladder), {"player": player("ann").pk}).status_code == 403
    assert places(ladder) == "ann bob cat dan eve"


def test_a_director_takes_a_player_off(planner, ladder):
    assert "Take off the ladder" in page_html(planner.get(ladder.get_absolute_url()))
    answer = planner.post(url("remove-from-ladder", ladder), {"player": player("bob").pk}, follow=True)
    assert "bob is no longer on the ladder." in page_words(answer)
    assert places(ladder) == "ann cat dan eve"
    assert notices("bob") == ["dora has taken you off Gin ladder."]


def test_a_ladder_is_found_from_the_tournaments_and_from_planning(planner, ladder):
    address = f'href="{reverse("tournaments:ladders")}"'
    for name in ("index", "new"):
        assert address in page_html(planner.get(reverse(f"tournaments:{name}")))
    assert "Gin ladder Gin Rummy 5 players" in page_words(planner.get(reverse("tournaments:ladders")))


def test_the_page_offers_what_the_visitor_can_do(client, ladder):
    page = page_words(client.get(ladder.get_absolute_url()))
    assert "1 ann" in page and "Join the ladder" in page and "Challenge bob" not in page
    client.force_login(person("dan"))
    html = page_html(client.get(ladder.get_absolute_url()))
    assert html.count(f'action="{url("ladder-challenge", ladder)}"') == 3
    assert "You're in place 4" in html and "Join the ladder" not in html


def test_two_players_go_through_a_challenge_on_the_pages(client, ladder):
    client.force_login(person("dan"))
    client.post(url("ladder-challenge", ladder), {"player": player("bob").pk})
    page = page_words(client.get(ladder.get_absolute_url()))
    assert "You have challenged bob" in page and "Withdraw the challenge" in page
    client.force_login(person("bob"))
    page = page_words(client.get(ladder.get_absolute_url()))
    assert "dan challenges you." in page and "dan takes your place." in page
    answer = {"challenge": LadderChallenge.objects.get().pk, "answer": "accept"}
    client.post(url("answer-ladder-challenge", ladder), answer)
    table = Table.objects.get()
    assert f'href="{table.get_absolute_url()}">Go to your table' in page_html(client.get(ladder.get_absolute_url()))
    refused = client.post(url("answer-ladder-challenge", ladder), answer, follow=True)
    assert ladders.NOT_OPEN in page_words(refused)
    client.logout()
    assert f'<a href="{table.get_absolute_url()}">plays dan</a>' in page_html(client.get(ladder.get_absolute_url()))
    games.resign(table_id=table.pk, user=person("bob"))
    tasks.advance_event_of_table(table.pk)
    page = page_words(client.get(ladder.get_absolute_url()))
    assert "dan ▲ up from 4 to 2: won a challenge" in page


def test_ladders_are_among_my_tournaments(client, ladder):
    mine = reverse("tournaments:mine")
    client.force_login(person("fay"))
    assert "You haven't entered a tournament yet." in page_words(client.get(mine))
    client.force_login(person("bob"))
    words = page_words(client.get(mine))
    assert "Gin ladder Gin Rummy place 2 of 5" in words and "You haven't entered" not in words
    asked = challenge(ladder, "dan", "bob")
    html = page_html(client.get(mine))
    assert "dan challenges you" in html and f'href="{ladder.get_absolute_url()}">Answer<' in html
    table = accept(asked)
    html = page_html(client.get(mine))
    assert "you play dan" in html and table.get_absolute_url() in html
    client.force_login(person("dan"))
    assert "you play bob" in page_words(client.get(mine))
    end_with(table, [30, 10])
    ladders.record_ladder_game(table_id=table.pk, now=START)
    challenge(ladder, "eve", "cat")
    client.force_login(person("eve"))
    assert "you have challenged cat" in page_words(client.get(mine))


def test_the_history_is_of_all_or_of_one_player(client, ladder):
    play(challenge(ladder, "dan", "bob"), [30, 10])
    page = page_words(client.get(url("ladder-history", ladder)))
    assert "dan ▲ up from 4 to 2: won a challenge ( game of dan )" in page
    assert "bob ▼ down from 2 to 3: lost a challenge" in page
    own = page_words(client.get(f"{url('ladder-history', ladder)}?player={player('bob').pk}"))
    assert "Places of bob" in own and "joined in place 2" in own and "4 to 2" not in own
    LadderMove.objects.bulk_create(
        LadderMove(ladder=ladder, player=player("bob"), old_place=2, place=3, why="idle", at=START) for _ in range(70)
    )
    assert f'href="?player={player("bob").pk}&amp;page=2"' in page_html(
        client.get(f"{url('ladder-history', ladder)}?player={player('bob').pk}")
    )


def test_the_history_tells_of_a_declined_challenge(client, ladder):
    Ladder.objects.update(allowed_declines=1)
    asked = challenge(ladder, "dan", "bob")
    ladders.decline_ladder_challenge(challenge_id=asked.pk, user=person("bob"), now=START)
    line = "bob kept place 2: dan's challenge not accepted"
    for name in ("ladder-history", "ladder"):
        assert line in page_words(client.get(url(name, ladder)))


def test_a_closed_ladder_takes_no_players_and_no_challenges(client, ladder):
    Ladder.objects.update(is_open=False)
    assert "takes no players" in refusal(ladders.join_ladder, ladder_id=ladder.pk, user=person("fay"), now=START)
    assert "takes no challenges" in refusal(challenge, ladder, "dan", "bob")
    ladders.drop_idle_players(ladder_id=ladder.pk, now=START + 9 * WEEK)
    assert places(ladder) == "ann bob cat dan eve"
    page = page_words(client.get(ladder.get_absolute_url()))
    assert "This ladder is closed" in page and "Join the ladder" not in page
