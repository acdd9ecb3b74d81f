"""Calling the director from a table: who may, who is told, and what becomes of a call."""

from __future__ import annotations

import re

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.services import close_account, join_account, make_guest
from notifications.models import Notice
from tests.pages import page_html, page_words
from tests.tournaments.factories import at_once, entry_of, match_of, person, play, started, table_of, win
from tests.tournaments.team_events import win as win_boards
from tournaments import services
from tournaments.models import DirectorCall, Event, Match
from tournaments.services.director_calls import MOST_CALLS

pytestmark = pytest.mark.django_db


@pytest.fixture
def noon(event):
    """A running knock-out of four, run by dora and, as a helper, by helen."""
    made = event(people="ann bob cat dan")
    for name, role in (("dora", "director"), ("helen", "helper")):
        services.name_role(event_id=made.pk, user_id=person(name).pk, role=role, by=person("boss"))
    return started(made)


def rival_of(event: Event, name: str) -> str:
    return match_of(event, name).sides.exclude(entry__user__username=name).get().entry.user.username


def call(event: Event, name: str, reason: str = "") -> DirectorCall:
    return services.call_director(match_id=match_of(event, name).pk, user=person(name), reason=reason)


def unread(name: str) -> list[str]:
    return [
        *Notice.objects.unread().filter(user=person(name), key__contains="director-call").values_list("text", flat=True)
    ]


def browser(name: str) -> Client:
    client = Client()
    client.force_login(person(name))
    return client


def table_page(event: Event, name: str, *, of: str = "ann") -> str:
    return page_words(browser(name).get(table_of(match_of(event, of)).get_absolute_url()))


def url(event: Event, page: str, match: Match) -> str:
    return reverse(f"tournaments:{page}", args=[event.pk, match.pk])


def console(event: Event, name: str, tab: str = "now") -> str:
    return page_words(browser(name).get(reverse("tournaments:console-tab", args=[event.pk, tab])))


# Calling


def test_a_call_reaches_directors_and_the_others_at_the_table(noon):
    rival, before = rival_of(noon, "ann"), noon.version
    call(noon, "ann", "A card fell.")
    assert unread("dora") == [f"Noon knock-out: ann has called the director. Match: {match_of(noon, 'ann')}"]
    assert unread(rival) == ["Noon knock-out: ann has called the director to your table."]
    assert not unread("ann") and not unread("helen"), "nobody hears of their own call, and helpers see the console"
    noon.refresh_from_db()
    assert noon.version > before, "the console renews itself"


def test_the_reason_is_for_those_who_run_the_event(noon):
    call(noon, "ann", "A card fell.")
    assert "A card fell." in table_page(noon, "ann")
    for name in (rival_of(noon, "ann"), "stranger"):
        assert "A card fell." not in table_page(noon, name)
    for name in ("dora", "helen"):
        assert "A card fell." in table_page(noon, name)
        assert "A card fell." in console(noon, name)
    assert "A card fell." not in page_words(Client().get(noon.get_absolute_url()))


def test_the_others_see_who_has_called_and_spectators_see_nothing(noon):
    call(noon, "ann")
    assert "ann has called the director" in table_page(noon, rival_of(noon, "ann"))
    assert "You have called the director" in table_page(noon, "ann")
    assert "called the director" not in table_page(noon, "stranger")
    assert "called the director" not in page_words(Client().get(table_of(match_of(noon, "ann")).get_absolute_url()))


def test_only_one_call_is_open_in_a_match(noon):
    call(noon, "ann")
    with pytest.raises(services.EventError, match="You have already called the director"):
        call(noon, "ann")
    with pytest.raises(services.EventError, match="ann has already called the director"):
        call(noon, rival_of(noon, "ann"))
    with pytest.raises(IntegrityError), transaction.atomic():
        match_of(noon, "ann").calls.create(by=person("bob"))


def test_two_who_call_at_once_make_one_call(transactional_db, noon):
    match = match_of(noon, "ann")
    people = [side.entry.user for side in match.sides.all()]
    refused = at_once(people, lambda user: services.call_director(match_id=match.pk, user=user))
    assert [str(error) for error in refused] == [f"{match.calls.get().by} has already called the director."]


def test_only_players_of_a_match_in_play_can_call(noon):
    match = match_of(noon, "ann")
    for name in ("dora", "stranger", next(one for one in ("bob", "cat", "dan") if one != rival_of(noon, "ann"))):
        with pytest.raises(services.EventError, match="don't play in this match"):
            services.call_director(match_id=match.pk, user=person(name))
    win(noon, "ann")
    with pytest.raises(services.EventError, match="isn't in play"):
        services.call_director(match_id=match.pk, user=person("ann"))


def test_nobody_is_called_where_nobody_can_answer(noon):
    noon.roles.filter(role="director").delete()
    with pytest.raises(services.EventError, match="no director"):
        call(noon, "ann")
    page = page_html(browser("ann").get(table_of(match_of(noon, "ann")).get_absolute_url()))
    assert "Call the director" not in page
    assert f"{reverse('chat:report')}?table={table_of(match_of(noon, 'ann')).code}" in page
    assert "Call the director" not in page_words(browser("ann").get(noon.get_absolute_url()))


def test_a_director_who_plays_in_the_match_is_not_called_and_reads_nothing(noon):
    rival = rival_of(noon, "ann")
    services.name_role(event_id=noon.pk, user_id=person(rival).pk, role="director", by=person("boss"))
    made = call(noon, "ann", "He looks at my cards.")
    assert unread(rival) == ["Noon knock-out: ann has called the director to your table."]
    for tab in ("now", "announcements"):
        assert "He looks at my cards." not in console(noon, rival, tab)
    answer = reverse("tournaments:act", args=[noon.pk, "answer-call"])
    assert browser(rival).get(answer, {"call": made.pk}).status_code == 404
    with pytest.raises(services.EventError, match="one of the players"):
        services.answer_call(call_id=made.pk, by=person(rival))
    services.answer_call(call_id=made.pk, by=person("dora"))
    assert "He looks at my cards." not in console(noon, rival, "announcements")
    assert "He looks at my cards." in console(noon, "dora", "announcements")


def test_one_player_cannot_call_all_the_time(noon):
    match = match_of(noon, "ann").pk
    for _ in range(MOST_CALLS):
        call(noon, "ann")
        services.take_back_call(match_id=match, user=person("ann"))
    with pytest.raises(services.EventError, match="called too often"):
        call(noon, "ann")
    assert call(noon, rival_of(noon, "ann"))


def test_a_player_of_a_team_calls_from_the_own_board(teams_of_two, boss):
    teams = started(teams_of_two("Reds: ann bob\nBlues: cat dan", format="swiss"))
    services.name_role(event_id=teams.pk, user_id=person("dora").pk, role="director", by=boss)
    board = teams.matches.get(board=1, sides__player=person("ann"))
    with pytest.raises(services.EventError, match="don't play"):
        services.call_director(match_id=board.pk, user=person("bob"))
    services.call_director(match_id=board.pk, user=person("ann"))
    assert "You have called the director" in page_words(browser("ann").get(teams.get_absolute_url()))
    assert "Round 1" in console(teams, "dora")


def test_a_captain_without_a_board_calls_for_the_match_of_the_team(teams_of_two, boss):
    teams = started(teams_of_two("Reds: ann bob eve\nBlues: cat dan", format="swiss"))
    services.name_role(event_id=teams.pk, user_id=person("dora").pk, role="director", by=boss)
    win_boards(teams, "ann")
    match = teams.matches.between_entries().get()
    page = browser("ann").get(teams.get_absolute_url())
    assert url(teams, "call-director", match) in page_html(page)
    assert url(teams, "call-director", match) not in page_html(browser("eve").get(teams.get_absolute_url()))
    for name in ("bob", "eve", "dan"):
        with pytest.raises(services.EventError, match="don't play in this match"):
            services.call_director(match_id=match.pk, user=person(name))
    made = services.call_director(match_id=match.pk, user=person("ann"), reason="Board 2 is stuck.")
    assert "You have called the director" in page_words(browser("ann").get(teams.get_absolute_url()))
    assert unread("cat") == [f"{teams.name}: ann has called the director to your match."]
    assert "Reds against Blues Round 1, table 1, called by ann" in console(teams, "dora")
    services.answer_call(call_id=made.pk, by=person("dora"), reply="Coming.")
    assert unread("ann") == unread("cat") == [f"{teams.name}: dora has answered the call for the director. Coming."]
    made = services.call_director(match_id=match.pk, user=person("ann"))
    win_boards(teams, "bob")
    made.refresh_from_db()
    assert made.closed_because == DirectorCall.ClosedBecause.RESULT


# Answering


def test_an_answer_closes_the_call_and_reaches_the_players(noon):
    rival, made = rival_of(noon, "ann"), call(noon, "ann", "A card fell.")
    services.answer_call(call_id=made.pk, by=person("helen"), reply="Show it to both.")
    said = "Noon knock-out: helen has answered the call for the director. Show it to both."
    assert unread("ann") == unread(rival) == [said]
    assert not unread("dora"), "there is nothing left to do"
    line = noon.log.first()
    assert (line.what, line.by, line.why) == (
        f"Answered the call of ann: {match_of(noon, 'ann')}.",
        person("helen"),
        "",
    )
    assert "Show it to both." in table_page(noon, rival)
    assert "Show it to both." not in table_page(noon, "stranger")
    assert "Calls for the director" not in console(noon, "dora")
    assert call(noon, rival), "another one can be made"


def test_a_call_is_answered_once(noon):
    made = call(noon, "ann")
    services.answer_call(call_id=made.pk, by=person("helen"))
    with pytest.raises(services.EventError, match="helen has already answered"):
        services.answer_call(call_id=made.pk, by=person("dora"))


def decide(event: Event, name: str) -> None:
    services.adjudicate(match_id=match_of(event, name).pk, places=[1, 2], by=person("dora"))


def annul(event: Event, name: str) -> None:
    services.annul_match(match_id=match_of(event, name).pk, by=person("dora"))


@pytest.mark.parametrize("end", [win, decide])
def test_a_result_closes_the_call_and_everyone_sees_why(noon, end):
    rival, made = rival_of(noon, "ann"), call(noon, "ann", "A card fell.")
    end(noon, "ann")
    made.refresh_from_db()
    assert made.closed_at and made.closed_because == DirectorCall.ClosedBecause.RESULT
    assert not unread("dora") and not unread(rival)
    for name in ("ann", rival):
        page = table_page(noon, name)
        assert "The call for the director is closed" in page and "the match has a result" in page
    assert "Calls for the director" not in console(noon, "dora")
    assert f"ann, {made.match}: A card fell." in console(noon, "dora", "announcements")
    assert noon.log.filter(what=f"Closed the call of ann, because the match has a result: {made.match}.").exists()
    with pytest.raises(services.EventError, match="closed: the match has a result"):
        services.answer_call(call_id=made.pk, by=person("dora"))


def test_a_correction_closes_a_call_that_was_left_open(noon):
    made = call(noon, "ann")
    win(noon, "ann")
    DirectorCall.objects.update(closed_at=None, closed_because="")
    services.correct_result(match_id=made.match_id, places=[2, 1], by=person("dora"))
    made.refresh_from_db()
    assert made.closed_because == DirectorCall.ClosedBecause.RESULT


def test_an_annulled_match_closes_its_call(event):
    made = event(people="ann bob", format="round-robin")
    services.name_role(event_id=made.pk, user_id=person("dora").pk, role="director", by=person("boss"))
    started(made)
    call(made, "ann")
    annul(made, "ann")
    assert not DirectorCall.objects.open().exists()


def test_cancelling_the_event_closes_its_calls_and_everyone_sees_why(noon):
    rival, made = rival_of(noon, "ann"), call(noon, "ann", "A card fell.")
    services.cancel_event(event_id=noon.pk, by=person("dora"), why="The power is out.")
    made.refresh_from_db()
    assert made.closed_at and made.closed_because == DirectorCall.ClosedBecause.CANCELLED
    assert not unread("dora") and not unread(rival)
    assert "The call for the director is closed" in table_page(noon, "ann")
    assert "closed because the tournament is cancelled" in console(noon, "dora", "announcements")
    assert noon.log.filter(what=f"Closed the call of ann, because the tournament is cancelled: {made.match}.").exists()
    with pytest.raises(services.EventError, match="closed: the tournament is cancelled"):
        services.answer_call(call_id=made.pk, by=person("dora"))


def test_a_match_that_a_correction_cancels_takes_the_notices_of_its_call_along(noon):
    win(noon, "ann", "bob" if rival_of(noon, "ann") != "bob" else "cat")
    semi_final, final = (
        noon.matches.filter(round__number=1, sides__entry__user__username="ann").get(),
        match_of(noon, "ann"),
    )
    play(table_of(final), 2)
    rival = rival_of(noon, "ann")
    call(noon, "ann")
    assert unread("dora") and unread(rival)
    places = [2 if side.place == 1 else 1 for side in semi_final.sides.order_by("number")]
    services.correct_result(match_id=semi_final.pk, places=places, by=person("dora"), cancels=True)
    assert not noon.matches.filter(pk=final.pk).exists()
    assert not unread("dora") and not unread(rival)


@pytest.mark.parametrize("name", ["helen", "dora"])
def test_the_console_shows_calls_on_every_tab_and_answers_them(noon, name):
    made = call(noon, "ann", "A card fell.")
    for tab in ("now", "entries", "results"):
        assert re.search(
            f"Calls for the director {made.match} [^,]+, called by ann .* A card fell.", console(noon, name, tab)
        )
    client, answer = browser(name), reverse("tournaments:act", args=[noon.pk, "answer-call"])
    assert "ann writes: &quot;A card fell.&quot;" in page_words(client.get(answer, {"call": made.pk}))
    assert client.post(answer, {"call": made.pk, "reply": "x" * 201}).status_code == 422
    client.post(answer, {"call": made.pk, "reply": "Coming."})
    made.refresh_from_db()
    assert (made.answered_by, made.reply) == (person(name), "Coming.")


def test_a_director_who_opens_the_console_has_read_of_the_calls(noon):
    call(noon, "ann")
    url_of_console = reverse("tournaments:console", args=[noon.pk])
    browser("dora").get(url_of_console, headers={"HX-Request": "true"})
    assert unread("dora"), "a console that was open already shows the notice, too"
    browser("dora").get(url_of_console)
    assert not unread("dora") and unread(rival_of(noon, "ann"))


def test_a_director_who_opens_the_page_to_answer_has_read_of_that_call(noon):
    made = call(noon, "ann")
    answer = reverse("tournaments:act", args=[noon.pk, "answer-call"])
    said = f"{made.by} has called the director."
    assert said in page_words(browser("dora").get(noon.get_absolute_url())), "a banner on every page"
    assert said not in page_words(browser("dora").get(answer, {"call": made.pk}))
    assert not unread("dora") and unread(rival_of(noon, "ann"))


# Taking back


def test_a_call_can_be_taken_back_by_who_made_it(noon):
    rival, made = rival_of(noon, "ann"), call(noon, "ann")
    with pytest.raises(services.EventError, match="no open call"):
        services.take_back_call(match_id=made.match_id, user=person(rival))
    services.take_back_call(match_id=made.match_id, user=person("ann"))
    assert not unread("dora") and not unread(rival)
    assert "called the director" not in table_page(noon, rival)
    with pytest.raises(services.EventError, match="ann has taken this call back"):
        services.answer_call(call_id=made.pk, by=person("dora"))
    assert call(noon, rival)


# Pages


def test_a_player_calls_and_takes_back_without_scripts(noon):
    client, match = browser("ann"), match_of(noon, "ann")
    table = table_of(match).get_absolute_url()
    answer = client.post(url(noon, "call-director", match), {"reason": "A card fell.", "next": table}, follow=True)
    assert answer.redirect_chain == [(table, 302)]
    assert "The director has been called." in page_words(answer)
    assert DirectorCall.objects.get().reason == "A card fell."
    answer = client.post(url(noon, "take-back-call", match), follow=True)
    assert answer.redirect_chain == [(noon.get_absolute_url(), 302)]
    assert "You have taken your call back." in page_words(answer)


def test_a_guest_calls_from_the_page_of_the_event(event):
    made = event(people="bob", fill_to=0)
    guest = make_guest()
    services.enter_event(event_id=made.pk, user=guest)
    services.name_role(event_id=made.pk, user_id=person("dora").pk, role="director", by=person("boss"))
    started(made)
    client = Client()
    client.force_login(guest)
    assert "Call the director" in page_words(client.get(made.get_absolute_url()))
    client.post(url(made, "call-director", made.matches.get()), {"reason": ""})
    assert DirectorCall.objects.get().by == guest
    assert "You have called the director" in page_words(client.get(made.get_absolute_url()))


def test_a_reason_that_is_too_long_calls_nobody(noon):
    answer = browser("ann").post(url(noon, "call-director", match_of(noon, "ann")), {"reason": "x" * 281}, follow=True)
    assert "Your reason is too long, so no one was called." in page_words(answer)
    assert not DirectorCall.objects.exists()


def test_who_has_no_seat_is_refused(noon):
    match = match_of(noon, "ann")
    for client in (Client(), browser("stranger")):
        client.post(url(noon, "call-director", match))
        assert client.get(url(noon, "call-director", match), headers={"HX-Request": "true"}).status_code == 204
    assert not DirectorCall.objects.exists()


def test_a_match_of_another_event_is_not_found(noon, event):
    other = event(name="Other")
    assert browser("ann").post(url(other, "call-director", match_of(noon, "ann"))).status_code == 404


def test_a_table_of_no_event_has_no_director(noon, table_of):
    table = table_of("ann", "eve")
    assert "director" not in page_words(browser("ann").get(table.get_absolute_url()))


# People who leave


def test_a_closed_account_takes_its_calls_along(noon):
    made = call(noon, "ann", "A card fell.")
    services.answer_call(call_id=made.pk, by=person("dora"), reply="ann is right.")
    other = call(noon, rival_of(noon, "ann"), "ann is slow.")
    close_account(user=person("ann"))
    other.refresh_from_db()
    assert [*DirectorCall.objects.all()] == [other]
    assert other.reason == "Former player is slow."
    assert not [text for text in Notice.objects.values_list("text", flat=True) if "ann" in text.split()]


def test_a_guest_who_joins_an_account_keeps_the_call(event):
    made = event(people="bob")
    guest = make_guest()
    services.enter_event(event_id=made.pk, user=guest)
    services.name_role(event_id=made.pk, user_id=person("dora").pk, role="director", by=person("boss"))
    started(made)
    services.call_director(match_id=made.matches.get().pk, user=guest)
    join_account(guest=guest, user=person("eve"))
    assert entry_of(made, "eve") and DirectorCall.objects.get().by == person("eve")
