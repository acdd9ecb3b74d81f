"""Reviews by the coach: who may have one, its slices, and its page."""

import re
from copy import copy
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import combinations, islice

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services import join_account, make_guest
from games import bots, engines, services, tasks
from games.bots.coach import NONE, Choice, Decision, choices_of
from games.bots.puzzles import played_by_bots
from games.core.cards import CARD_IN_TEXT
from games.management.commands import review_game
from games.models import CoachReview, Move, Seat, Table
from games.presentation import coach_page, coach_tallies
from games.queries import fairness, shared_deals
from games.record.coach_rows import row_of
from games.record.playback import playback_of
from games.services import TableError, coaching
from tests.pages import page_html, page_words
from tests.tables import account, fresh, play_last_moves, position_at, table_with

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

NOW = timezone.now()


def url(table):
    return reverse("games:coach", args=[table.code])


@pytest.fixture(scope="module")
def played(kept):
    """One deal of Cribbage, badly played. Its code is given, as a review draws its random numbers from it."""
    table = table_with("alice", "bob", game="partnership-cribbage", deals=1)
    table.code = "reviewed"
    table.save(update_fields=["code"])
    return play_last_moves(table)


@pytest.fixture(scope="module")
def judged(played):
    """What the coach finds in it, not stored."""
    found = services.request_review(table=played, user=account("alice"), now=NOW)
    services.review_slice(review_id=found.pk, now=NOW)
    found.refresh_from_db()
    found.delete()
    return found


@pytest.fixture
def finished(played):
    return Table.objects.with_seats().get(pk=played.pk)


@pytest.fixture
def review(finished, judged):
    found = copy(judged)
    found.save()
    return found


def own_decisions(table, seat):
    return list(coaching._choices(table, seat, range(table.move_count)))


def test_a_review_judges_each_decision_of_its_player_once(finished, review):
    assert review.is_finished and not review.is_partial and review.due_at is None
    assert [row["at"] for row in review.decisions] == [at for at, _ in own_decisions(finished, 0)]
    for row in review.decisions:
        move = Move.objects.get(table=finished, number=row["at"] + 1)
        assert (move.seat, move.text) == (0, row["played"])
    assert review.seconds > 0


def test_a_second_slice_and_a_second_request_change_nothing(finished, review, person):
    services.review_slice(review_id=review.pk, now=NOW)
    again = services.request_review(table=finished, user=person("alice"), now=NOW)
    assert again == review and again.decisions == review.decisions


def test_slices_continue_where_the_last_one_ended(finished, review, person, monkeypatch):
    monkeypatch.setattr(coaching, "SLICE_SECONDS", 0.0001)
    sliced = services.request_review(table=finished, user=person("bob"), now=NOW)
    shown = [0]
    while not sliced.is_finished:
        services.review_slice(review_id=sliced.pk, now=NOW)
        sliced.refresh_from_db()
        shown.append(services.percent_of_review(sliced))
    assert [row["at"] for row in sliced.decisions] == [at for at, _ in own_decisions(finished, 1)]
    assert len(shown) > len(sliced.decisions) and shown == sorted(shown) and shown[-1] == 100
    at_once = dict(judged_with(finished, 1))
    assert {row["at"]: row["is_open"] for row in sliced.decisions} == dict.fromkeys(at_once, False)


def test_a_slice_shows_how_far_it_is_while_it_goes_on(finished, person, monkeypatch):
    monkeypatch.setattr(coaching, "PROGRESS_SECONDS", 0)
    monkeypatch.setattr(coaching, "SLICE_SECONDS", coaching.GAME_SECONDS)
    started = services.request_review(table=finished, user=person("bob"), now=NOW)
    with CaptureQueriesContext(connection) as queries:
        services.review_slice(review_id=started.pk, now=NOW)
    stored = [query for query in queries if query["sql"].startswith('UPDATE "games_coachreview"')]
    started.refresh_from_db()
    assert started.is_finished and len(stored) > len(started.decisions) > 1


def test_a_review_without_time_for_all_judges_a_part_of_the_whole_game(finished, person, as_user, monkeypatch):
    """One decision is judged in a slice, and the time is over after the first comparison."""
    monkeypatch.setattr(coaching, "SLICE_SECONDS", 0)
    alice = person("alice")
    review = services.request_review(table=finished, user=alice, now=NOW)
    own = [at for at, _ in own_decisions(finished, 0)]
    for number in range(len(own)):
        services.review_slice(review_id=review.pk, now=NOW)
        review.refresh_from_db()
        assert [row["at"] for row in review.decisions] == own[: number + 1] and not review.is_finished
    before = {row.at for row in coach_page.rows_of(review) if row.is_unjudged}
    monkeypatch.setattr(coaching, "GAME_SECONDS", review.seconds + 1e-9)
    services.review_slice(review_id=review.pk, now=NOW)
    review.refresh_from_db()
    assert review.is_finished and not review.is_partial
    rows = coach_page.rows_of(review)
    after = {row.at for row in rows if row.is_unjudged}
    assert len(before - after) == 1 and after < before
    assert not any(row.is_mistake for row in rows if row.is_unjudged)
    html = page_html(as_user(alice).get(url(finished)))
    assert "This was a long game. Of the decisions" in html and f"had no time for {len(after)}, all over" in html


def stopped_at(review, at=None):
    """The same review as it was when its time was over: after a first look as far as `at`, or at the whole game."""
    review.at, review.seconds = at or review.at, coaching.GAME_SECONDS + 0.3
    seen = [row for row in review.decisions if row["at"] < review.at]
    review.decisions = [row | {"is_open": row["chosen"]["strong"] != row["played"]} for row in seen]
    review.save()
    return review


def test_a_review_that_was_cut_goes_on_where_it_stopped(review, as_user, person, django_capture_on_commit_callbacks):
    kept = [row for row in stopped_at(review).decisions if not row["is_open"]]
    assert 0 < len(kept) < len(review.decisions)
    alice = as_user(person("alice"))
    assert "Look further" in page_words(alice.get(url(review.table)))
    with django_capture_on_commit_callbacks() as queued:
        for _ in range(2):  # the second press changes nothing
            assert alice.post(url(review.table), {"further": "yes"}).status_code == 302
            review.refresh_from_db()
            assert not review.is_finished and review.due_at
    assert len(queued) == 1
    used = review.seconds
    services.review_slice(review_id=review.pk, now=NOW)
    review.refresh_from_db()
    assert review.is_finished and review.seconds > used
    assert [row for row in review.decisions if row in kept] == kept
    assert not any(row["is_open"] for row in review.decisions)
    assert "Look further" not in page_words(alice.get(url(review.table)))


def test_a_further_look_has_as_much_time_again_and_there_are_two(review, as_user, person, monkeypatch):
    """Each slice does nothing here but judge one decision, and the time is over with it."""
    monkeypatch.setattr(coaching, "SLICE_SECONDS", 0)
    stopped_at(review)
    left = [row | {"is_open": True} for row in review.decisions]
    alice = as_user(person("alice"))
    for look in (2, 3):
        services.look_further(table=review.table, user=review.user, now=NOW)
        CoachReview.objects.update(seconds=look * coaching.GAME_SECONDS - 20, decisions=left)
        services.review_slice(review_id=review.pk, now=NOW)
        review.refresh_from_db()
        assert not review.is_finished
        CoachReview.objects.update(seconds=look * coaching.GAME_SECONDS - 1e-6)
        services.review_slice(review_id=review.pk, now=NOW)
        review.refresh_from_db()
        assert review.is_finished and any(row["is_open"] for row in review.decisions)
    assert "Look further" not in page_words(alice.get(url(review.table)))
    alice.post(url(review.table), {"further": "yes"})
    review.refresh_from_db()
    assert review.is_finished


def test_a_review_cut_during_its_first_look_says_so_and_goes_on(review, as_user, person):
    """Its heading was "No clear mistakes", and its accuracy 100 %."""
    whole = [row["at"] for row in review.decisions]
    kept = [row for row in stopped_at(review, whole[2] + 1).decisions if not row["is_open"]]
    alice = as_user(person("alice"))
    words = page_words(alice.get(url(review.table)))
    assert "The coach ran out of time" in words and f"looked at {review.percent} % of it" in words
    assert "No clear mistakes" not in words and "Accuracy" not in words
    alice.post(url(review.table), {"further": "yes"})
    assert "50 % done" in page_words(alice.get(url(review.table)))  # of the time for both looks
    services.review_slice(review_id=review.pk, now=NOW)
    review.refresh_from_db()
    assert review.is_finished and not review.is_partial and not coaching.is_cut(review)
    assert [row["at"] for row in review.decisions] == whole
    assert kept and [row for row in review.decisions if row in kept] == kept


def test_only_a_review_that_was_cut_and_may_be_asked_for_goes_on(review, as_user, person, table_of, play_on):
    table, alice = review.table, as_user(person("alice"))
    assert "Look further" not in page_words(alice.get(url(table)))
    services.look_further(table=table, user=review.user, now=NOW)
    assert CoachReview.objects.get().is_finished
    stopped_at(review)
    services.look_further(table=table, user=person("bob"), now=NOW)  # who has none
    assert CoachReview.objects.get().is_finished
    other = play_on(table_of("alice", "bob", game="partnership-cribbage", deals=1, secret=b"1" * 32))
    running = services.request_review(table=other, user=review.user, now=NOW)
    with pytest.raises(TableError, match="another game"):
        services.look_further(table=table, user=review.user, now=NOW)
    running.delete()
    Table.objects.filter(pk=table.pk).update(rules_version=0)
    table = Table.objects.get(pk=table.pk)
    with pytest.raises(TableError, match="have changed"):
        services.look_further(table=table, user=review.user, now=NOW)
    assert CoachReview.objects.get().is_finished and not services.can_look_further(CoachReview.objects.get())


def judged_with(table, seat):
    """The rows of a review in one go, by place."""
    rows = {}
    choices = partial(coaching._choices, table, seat)
    for _ in coaching.judge_in_turn(
        table.rules, choices, rows, after=0, moves=table.move_count, seed="once", spent=lambda: 0.0
    ):
        pass
    return rows.items()


def looked_at(table, spent=0.0):
    """What judges the decisions of seat 0 after a first look at all, what it found, and the decisions that are open.

    spent: seconds that it takes itself to have used all the while.
    """
    rows = {}
    choices = partial(coaching._choices, table, 0)
    judged = coaching.judge_in_turn(
        table.rules, choices, rows, after=0, moves=table.move_count, seed="once", spent=lambda: spent
    )
    own = [at for at, _ in own_decisions(table, 0)]
    assert [next(judged) for _ in own] == own
    still_open = [at for at in own if rows[at].is_open]
    assert 1 < len(still_open) < len(own) and all(rows[at].is_unjudged for at in still_open)
    return judged, rows, still_open


def test_in_a_long_game_some_decisions_tell_how_it_goes(finished, monkeypatch):
    monkeypatch.setattr(coaching, "LONG_GAME", finished.move_count // 3)
    _, rows, _ = looked_at(finished)
    leads = [(rows[at].lead, rows[at].spread) for at in sorted(rows)]
    assert len(leads) > 3 and leads[0] == leads[1] == leads[2] != leads[3] and all(spread for _, spread in leads)


def test_where_time_is_short_the_first_look_says_less_and_still_reaches_the_end(finished, monkeypatch):
    """Of a long game of Shanghai the time was over after two thirds, and no move had been compared."""
    monkeypatch.setattr(coaching, "LONG_GAME", finished.move_count - 1)
    _, rows, still_open = looked_at(finished)
    assert len({row.lead for row in rows.values()}) > 2
    _, hurried, left_open = looked_at(finished, spent=coaching.LOOK_SECONDS)
    assert hurried.keys() == rows.keys() and left_open == still_open
    assert {(row.lead, row.spread) for row in hurried.values()} == {(rows[min(rows)].lead, rows[min(rows)].spread)}


def test_a_short_game_is_judged_closely_at_once(finished):
    judged, rows, still_open = looked_at(finished)
    rows.update({at: replace(rows[at], loss=float(at), in_percent=False) for at in still_open})
    assert list(judged) == still_open[::-1]
    assert not any(row.is_open for row in rows.values()) and any(row.is_mistake for row in rows.values())


def test_in_a_long_game_all_are_compared_before_the_costliest_are_judged_closely(finished, monkeypatch):
    monkeypatch.setattr(coaching, "GAME_SECONDS", coaching.DECISION_SECONDS)  # which is too little for two
    judged, rows, still_open = looked_at(finished)
    assert sorted(next(judged) for _ in still_open) == still_open
    assert all(rows[at].is_open and not rows[at].is_unjudged for at in still_open)
    assert any(rows[at].is_mistake for at in still_open)
    rows.update({at: replace(rows[at], loss=float(at), in_percent=False) for at in still_open})
    assert next(judged) == still_open[-1] and not rows[still_open[-1]].is_open


@pytest.mark.parametrize("by", ["is_by_clock", "is_by_stand_in"])
def test_a_move_that_somebody_else_made_is_no_decision_of_the_player(finished, by):
    (at, _), *others = own_decisions(finished, 0)
    Move.objects.filter(table=finished, number=at + 1).update(**{by: True})
    assert [at for at, _ in own_decisions(finished, 0)] == [at for at, _ in others]


def test_a_substitute_has_made_no_decision_before_taking_the_seat(finished):
    (at, _), *others = own_decisions(finished, 0)
    finished.seats.filter(number=0).update(moves_before=at + 1)
    again = Table.objects.get(pk=finished.pk)
    assert [at for at, _ in own_decisions(again, 0)] == [at for at, _ in others]


def test_only_players_of_a_finished_game_have_reviews(finished, table_of, person):
    running = table_of("alice", "bob", secret=b"1" * 32)
    for table, name in ((finished, "carol"), (running, "alice")):
        with pytest.raises(TableError):
            services.request_review(table=table, user=person(name), now=NOW)
    assert not CoachReview.objects.exists()


@pytest.mark.parametrize("status", ["open", "running"])
def test_no_review_while_the_same_shuffles_are_played_elsewhere(finished, person, status):
    again = Table.objects.get(pk=finished.pk)
    again.pk, again.code, again.status, again.shares_deals = None, "again234", status, True
    again.form_key = None
    again.save()
    with pytest.raises(TableError, match="still playing"):
        services.request_review(table=finished, user=person("alice"), now=NOW)
    Table.objects.filter(code="again234").update(branch_at=3)  # a "what if" of known cards
    assert services.request_review(table=finished, user=person("alice"), now=NOW)


def test_no_review_of_hidden_cards(finished, person):
    finished.is_hidden = True
    with pytest.raises(TableError):
        services.request_review(table=finished, user=person("alice"), now=NOW)


def test_a_user_has_one_review_at_a_time(finished, table_of, play_on, person):
    services.request_review(table=finished, user=person("alice"), now=NOW)
    other = play_on(table_of("alice", "bob", game="partnership-cribbage", deals=1, secret=b"1" * 32))
    with pytest.raises(TableError, match="another game"):
        services.request_review(table=other, user=person("alice"), now=NOW)


def test_a_second_press_of_the_button_finds_the_review_that_the_first_one_started(finished, person):
    def start_it_first(execute, sql, *rest):
        if sql.startswith("SAVEPOINT") and not CoachReview.objects.exists():
            CoachReview.objects.bulk_create([CoachReview(table=finished, user=person("alice"), seat=0, asked_at=NOW)])
        return execute(sql, *rest)

    with connection.execute_wrapper(start_it_first):
        found = services.request_review(table=finished, user=person("alice"), now=NOW)
    assert found == CoachReview.objects.get()


def test_a_decision_at_which_a_bot_fails_is_left_out_and_the_review_ends(finished, person, monkeypatch):
    own = own_decisions(finished, 0)
    fails_at, sample = own[1][1].view, type(finished.rules).sample

    def fault(game, view, rng):
        if view == fails_at:
            raise IndexError
        return sample(game, view, rng)

    monkeypatch.setattr(type(finished.rules), "sample", fault)
    review = services.request_review(table=finished, user=person("alice"), now=NOW)
    services.review_slice(review_id=review.pk, now=NOW)
    review.refresh_from_db()
    assert review.is_finished and not review.is_partial
    assert [row["at"] for row in review.decisions] == [at for at, choice in own if choice.view != fails_at]


def test_a_slice_of_a_review_that_is_gone_does_nothing(finished, person):
    gone = services.request_review(table=finished, user=person("alice"), now=NOW).pk
    CoachReview.objects.all().delete()  # with its game
    services.review_slice(review_id=gone, now=NOW)
    assert not CoachReview.objects.exists()


@pytest.fixture
def asked_by_guest(review):
    """A guest has let the coach look further at a review that was cut."""
    guest = make_guest()
    Seat.objects.filter(table=review.table, user=review.user).update(user=guest)
    stopped_at(review)
    CoachReview.objects.update(user=guest)
    services.look_further(table=fresh(review.table), user=guest, now=NOW)
    return CoachReview.objects.get()


def test_a_running_review_goes_on_for_the_account_that_a_guest_logs_in_to(asked_by_guest, person):
    """It was deleted, also what it had found before."""
    join_account(guest=asked_by_guest.user, user=person("carol"))
    services.review_slice(review_id=asked_by_guest.pk, now=NOW)
    review = CoachReview.objects.get()
    assert review.user == person("carol") and review.is_finished and not coaching.is_cut(review)


def test_it_stops_and_can_be_continued_if_the_account_has_another_running(asked_by_guest, finished, person, table_of):
    other = Table.objects.with_seats().get(pk=play_last_moves(table_of("carol", "bob", secret=b"1" * 32)).pk)
    own = services.request_review(table=other, user=person("carol"), now=NOW)
    join_account(guest=asked_by_guest.user, user=person("carol"))
    assert CoachReview.objects.filter(finished_at=None).get() == own
    own.delete()
    services.look_further(table=fresh(finished), user=person("carol"), now=NOW)
    services.review_slice(review_id=asked_by_guest.pk, now=NOW)
    review = CoachReview.objects.get()
    assert review.user == person("carol") and review.is_finished and not coaching.is_cut(review)


def test_a_lost_slice_is_found_again(finished, person):
    review = services.request_review(table=finished, user=person("alice"), now=NOW)
    assert services.claim_lost_reviews(now=NOW) == []
    late = NOW + coaching.SLICE_TIMEOUT + timedelta(seconds=1)
    assert services.claim_lost_reviews(now=late) == [review.pk]
    assert services.claim_lost_reviews(now=late) == []


def test_games_against_bots_are_reviewed_without_being_asked(finished, person):
    bob = person("bob")
    services.review_bot_game(table_id=finished.pk, now=NOW)
    assert not CoachReview.objects.exists()  # two people
    bob.is_bot = True
    bob.save()
    services.set_reviews_bot_games(user=person("alice"), is_on=False)
    services.review_bot_game(table_id=finished.pk, now=NOW)
    assert not CoachReview.objects.exists()
    services.set_reviews_bot_games(user=person("alice"), is_on=True)
    tasks.review_bot_game(finished.pk)
    assert CoachReview.objects.get().user == person("alice")


def test_a_game_that_ended_during_another_review_is_reviewed_afterwards(finished, table_of, play_on, person):
    other = play_on(table_of("alice", "bob", game="partnership-cribbage", deals=1, secret=b"1" * 32))
    play_on(table_of("alice", "carol", game="partnership-cribbage", deals=1, secret=b"2" * 32))  # two people
    User.objects.filter(pk=person("bob").pk).update(is_bot=True)
    for table in (finished, other):
        services.review_bot_game(table_id=table.pk, now=NOW)
    first = CoachReview.objects.get()
    services.review_slice(review_id=first.pk, now=NOW)
    second = CoachReview.objects.exclude(pk=first.pk).get()
    assert second.table == other and not second.is_finished
    services.review_slice(review_id=second.pk, now=NOW)
    assert CoachReview.objects.count() == 2


def test_no_review_starts_by_itself_while_many_are_going_on(finished, person, monkeypatch):
    bob = person("bob")
    bob.is_bot = True
    bob.save()
    monkeypatch.setattr(coaching, "MOST_AUTOMATIC", 0)
    services.review_bot_game(table_id=finished.pk, now=NOW)
    assert not CoachReview.objects.exists()


# The page


def test_the_page_starts_a_review_and_says_how_far_it_is(finished, as_user, person):
    browser = as_user(person("alice"))
    assert "Review this game" in page_html(browser.get(url(finished)))
    assert browser.post(url(finished)).status_code == 302
    html = page_html(browser.get(url(finished)))
    assert "0 % done" in html and 'hx-trigger="every 2s"' in html


def test_the_page_shows_the_costliest_mistake_and_luck_apart(review, as_user, person):
    html = page_html(as_user(person("alice")).get(url(review.table)))
    worst = coach_page.costliest(coach_page.rows_of(review))
    summary = coach_page.summary_of(review, review.table)
    assert [mistake.row for mistake in summary.mistakes] == worst and worst
    assert "Mistake 1 of" in html and "Why it's better" in html and "Luck and play by deal" in html
    assert '<th scope="col">Deal</th>' in html and "Accuracy by part of the deal" in html
    assert "First third of a deal" in html and "after each move, to the end of the deal." in html
    [hand] = summary.hands
    assert hand.dealt + hand.play + hand.rest == pytest.approx(hand.result)
    assert hand.play == -summary.cost
    assert html.count("<svg viewBox") >= 1 and "Try it again" in html
    assert "is-best" in html and "The better move is outlined." in html


@pytest.mark.parametrize(
    ("lead", "told"), [(0.0, "evened out."), (1.5, "gave you 1.5 points."), (-1.0, "cost you 1 point.")]
)
def test_the_rest_of_the_result_is_said_in_words(review, lead, told):
    """A game that ended level and without mistakes said "gave you 0 points"; the others of two are one."""
    table = review.table
    for seats, whose in ((2, "your opponent's"), (3, "the other players'")):
        table.seat_count = seats
        summary = replace(coach_page.summary_of(review, review.table), mistakes=(), cost=0.0, lead=lead, bonus=0.0)
        html = render_to_string("games/_coach_summary.html", {"summary": summary, "table": table, "review": review})
        assert f"The cards and {whose} moves {told}" in re.sub(r"\s+", " ", html).replace(" .", ".")


def test_the_page_names_cards_and_no_codes(review, as_user, person):
    assert len(coach_page.summary_of(review, review.table).mistakes) > 1, "links to each mistake"
    html = page_html(as_user(person("alice")).get(url(review.table)))
    assert not CARD_IN_TEXT.search(re.sub(r"<[^>]+>", " ", html))


def test_figures_count_a_game_of_cuarenta_as_its_mistakes_do(table_of, play_on):
    """Mistakes that lost the game cost up to 40 points each, and the result left these out: "what followed" was +45."""
    played = play_on(table_of("alice", "bob", game="cuarenta", secret=b"4" * 32))
    table = Table.objects.with_seats().get(pk=played.pk)
    for seat, place in enumerate(table.result["places"]):
        at, choice = own_decisions(table, seat)[-1]
        decision = Decision(choice, choice.played, NONE, False, False, (), {"strong": choice.played}, 0, 0, 9, 0, {})
        rows = [row_of(decision, at=at).as_json()]
        user = table.seat_rows[seat].user
        summary = coach_page.summary_of(CoachReview(table=table, user=user, seat=seat, decisions=rows), table)
        how = "winning" if place == 1 else "losing"
        assert summary.prize_text == f"{how} the game counts as 40 points more"
        assert summary.luck == summary.lead + summary.prize
        points = playback_of(table).deals[-1].result.points
        *others, last_hand = summary.hands
        assert others and all(hand.rest == hand.result for hand in others), "nothing was decided in them"
        assert sum(hand.result for hand in summary.hands) == summary.result
        assert last_hand.result == points[seat] - points[1 - seat] + summary.prize
    assert sum(table.result["places"]) == 3


def unjudged_review(table, seat, **more):
    """A review that finds the best play in each decision, not stored."""
    rows = []
    for at, choice in own_decisions(table, seat):
        decision = Decision(choice, choice.played, NONE, False, False, (), {"strong": choice.played}, 0, 0, 9, 0, {})
        rows.append(row_of(decision, at=at).as_json())
    user, at = table.seat_rows[seat].user, table.move_count
    return CoachReview(table=table, user=user, seat=seat, at=at, decisions=rows, asked_at=NOW, **more)


def test_figures_of_a_game_that_was_given_up_have_its_unfinished_hand(table_of, play_on, as_user, person):
    """The hand that alice resigned in was missing, so the lines did not come to the result, nor did her mistakes."""
    table = play_on(table_of("alice", "bob", game="partnership-cribbage", secret=b"3" * 32), 40)
    services.resign(table_id=table.pk, user=person("alice"))
    table = Table.objects.with_seats().get(pk=table.pk)
    review = unjudged_review(table, 0, finished_at=NOW)
    worst = review.decisions[-1]
    worst |= {"is_mistake": True, "loss": 2.5}
    review.save()
    summary = coach_page.summary_of(review, table)
    *others, last = summary.hands
    assert [hand.is_finished for hand in others] == [True] * len(others) and others
    assert not last.is_finished and last.number == worst["hand"] and last.play == -2.5 == -summary.cost
    scores = table.result["scores"]
    assert last.result and sum(hand.result for hand in summary.hands) == summary.result == scores[0] - scores[1]
    html = re.sub(r"\s+", " ", page_html(as_user(person("alice")).get(url(table))))
    assert f"You resigned. You were {summary.standing}." in html and html.count("unfinished") == 1


def test_the_accuracy_leaves_out_what_there_was_no_time_to_judge(table_of, play_on, as_user):
    """It counted as right."""
    table = Table.objects.with_seats().get(pk=play_on(table_of("alice", "bob", secret=b"6" * 32)).pk)
    review = unjudged_review(table, 0, finished_at=NOW)
    mistake, *others = review.decisions
    mistake |= {"is_mistake": True, "loss": 2.5}
    for row in others[4:]:
        row |= {"is_open": True, "worlds": 0}
    review.save()
    summary = coach_page.summary_of(review, table)
    assert (summary.decisions, summary.unjudged, summary.accuracy) == (len(review.decisions), len(others) - 4, 80)
    assert sum(tally.decisions for tally in summary.kinds) == sum(tally.decisions for tally in summary.parts) == 5
    html = re.sub(r"\s+", " ", page_html(as_user(review.user).get(url(table))))
    assert f"no time for {len(others) - 4}, all over the game. The accuracy leaves them out." in html
    for row in review.decisions:
        row |= {"is_mistake": False, "is_open": True, "worlds": 0}
    review.save()
    assert "Accuracy" not in page_html(as_user(review.user).get(url(table)))


def test_figures_of_a_fixed_number_of_deals_count_nothing_for_winning(table_of, play_on):
    """One deal of Cuarenta in an event: nobody has 40, so no mistake could cost the game, and the result had it."""
    played = play_on(table_of("alice", "bob", game="cuarenta", deals=1, secret=b"4" * 32))
    table = Table.objects.with_seats().get(pk=played.pk)
    scores = table.result["scores"]
    assert table.ended_by == Table.EndedBy.RULES and max(scores) < 40
    summary = coach_page.summary_of(unjudged_review(table, 0), table)
    assert not summary.prize_text and summary.result == scores[0] - scores[1] == summary.hands[0].result


def test_figures_leave_the_count_at_the_end_of_a_game_out_of_its_hands(table_of, play_on, as_user):
    """ "The rest" of Gin Rummy had the bonuses of the game, and the hands did not, so the figures did not add up."""
    played = play_on(table_of("alice", "bob", game="gin-rummy", options={"target": 50}, secret=b"5" * 32))
    table = Table.objects.with_seats().get(pk=played.pk)
    review = unjudged_review(table, 0, finished_at=NOW)
    summary = coach_page.summary_of(review, table)
    scores, deals = table.result["scores"], playback_of(table).deals
    assert summary.lead == scores[0] - scores[1] and summary.bonus
    assert summary.result == sum(hand.result for hand in summary.hands) == summary.lead - summary.bonus
    assert len(summary.hands) == len(deals)
    review.save()
    in_hands, at_the_end = summary.lead_parts
    html = page_html(as_user(review.user).get(url(table)))
    assert f"{in_hands} in the hands and {at_the_end} by the count at the end of the game." in re.sub(r"\s+", " ", html)


def test_the_page_says_by_which_rules_a_mistake_lost(review, as_user, person):
    worst = coach_page.costliest(coach_page.rows_of(review))[0]
    parts = coach_page.mistake_context(review.table, worst, review.seat)["parts"]
    html = page_html(as_user(person("alice")).get(url(review.table)))
    assert parts and "Where the difference comes from:" in html
    assert all(f"{words} <b>{gained}</b>" in html for words, gained in parts)
    old = [{name: value for name, value in row.items() if name != "made_of"} for row in review.decisions]
    CoachReview.objects.filter(pk=review.pk).update(decisions=old)  # of a review from before this was measured
    assert "Where the difference comes from:" not in page_html(as_user(person("alice")).get(url(review.table)))


def test_accuracy_is_whole_only_if_all_decisions_were_right(review):
    summary = coach_page.summary_of(review, review.table)
    told = [replace(summary, decisions=300, mistakes=summary.mistakes[:number]).accuracy for number in (0, 1)]
    tallies = [coach_tallies.Tally("Play", 300, mistakes, 0).accuracy for mistakes in (0, 1, 100, 299, 300)]
    assert (told, tallies) == ([100, 99], [100, 99, 67, 1, 0])


@pytest.mark.parametrize(("seats", "unit"), [(2, "% of winning"), (3, "% of beating an opponent")])
def test_the_command_measures_chances_as_the_page_does(seats, unit, capsys):
    record = played_by_bots(engines.get("casino"), seats=seats, seed="units")
    choice = next(choices_of(record, 0))
    loss = Decision(choice, choice.played, NONE, True, True, (), {}, 0.0, 0.0, 0.0, 6, {})
    review_game.Command().report(record.game, choice.view, row_of(loss, at=choice.number))
    assert f": 0.0 ± 0.0 {unit}; better: " in capsys.readouterr().out


def test_the_list_is_in_the_order_of_the_numbers_that_it_shows(review):
    """A hand that swings less made its mistakes count for more: "costliest first" listed 4.5, 10.6, 2.8."""
    row = coach_page.rows_of(review)[0]
    made = [(4.5, 1.0, False), (10.6, 30.0, False), (12.0, 9.0, True), (2.8, 0.5, False), (40.0, 9.0, True)]
    rows = [
        replace(row, loss=loss, spread=spread, in_percent=is_late, is_mistake=True) for loss, spread, is_late in made
    ]
    worst = coach_page.costliest(rows)
    assert [row.loss for row in worst if not row.in_percent] == [10.6, 4.5, 2.8]
    assert [row.loss for row in worst if row.in_percent] == [40.0, 12.0]


def test_the_page_has_one_total_and_no_error_in_the_way_of_the_reader(review, as_user, person):
    summary, page = (
        coach_page.summary_of(review, review.table),
        page_html(as_user(person("alice")).get(url(review.table))),
    )
    heading = re.sub(r"\s+", " ", re.search(r"<h1>(.*?)</h1>", page, re.S)[1]).strip()
    total = coach_page.about(summary.cost)
    assert heading == f"{len(summary.mistakes)} mistake{'s' * (len(summary.mistakes) > 1)} cost you {total}"
    assert "±" not in page and "How sure these numbers are" in page
    assert f"This cost {summary.mistakes[0].about} on average" in page


def test_two_leads_of_piquet_are_compared_and_not_praised_one_by_one(table_of, play_on):
    """ "About your move: Nothing left beats A♠" sounded like praise for a mistake."""
    played = play_on(table_of("alice", "bob", game="piquet", deals=1, secret=b"2" * 32))
    table = Table.objects.with_seats().get(pk=played.pk)
    plays = (pair for pair in own_decisions(table, 0) if str(pair[1].played) in pair[1].view.hand)
    at, choice = next(pair for pair in plays if pair[1].view.led is None)
    best = next(move for move in choice.view.moves if move != choice.played)
    decision = Decision(choice, best, NONE, False, True, (), {}, 0.0, 0.0, 0.0, 0, {})
    context = coach_page.mistake_context(table, row_of(decision, at=at), 0)
    assert context["reason"].text.startswith("Both leads score 1 point. ")
    assert not context["against"]


def test_a_reason_that_both_moves_have_says_so(table_of):
    """Of a lead of Sixty-Six it said what is as true of the one played, as if that were why it is better."""
    table = table_of("alice", "bob", game="sixty-six", secret=b"6" * 32)
    seat = position_at(table).to_act[0]
    view = position_at(table).view(seat)
    leads = [move for move in view.moves if str(move) in view.hand]
    said = {move: bots.reason("sixty-six", view, move).text for move in leads}
    faceless = {move: CARD_IN_TEXT.sub("", text) for move, text in said.items()}
    best, played = next((one, other) for one, other in combinations(leads, 2) if faceless[one] == faceless[other])
    choice = Choice(0, 1, view, played)
    decision = Decision(choice, best, NONE, False, True, (), {}, 0.0, 0.0, 0.0, 0, {})
    context = coach_page.mistake_context(table, row_of(decision, at=0), seat)
    assert context["reason"].text == f"{said[best]} {coach_page.NOTHING_APART}" and not context["against"]


def test_what_a_reason_repeats_is_said_once():
    text = "None of your cards takes anything now. No other jack could take JS with a caída; you keep JH."
    better = "None of your cards takes anything now. No other two could take 2D with a caída."
    assert coach_page._what_differs(text, better) == "No other jack could take JS with a caída; you keep JH."
    assert coach_page._what_differs("2D stays. JH takes.", "3C stays. QS takes.") == ""


def test_at_a_table_of_three_a_lead_is_over_the_average_of_the_others(review):
    summary = coach_page.summary_of(review, review.table)
    told = [replace(summary, lead=lead, sides=sides).standing for sides in (2, 3) for lead in (-3.0, 0.0, 1.0)]
    assert told[:3] == ["3 points behind", "level", "1 point ahead"]
    assert told[3:] == [f"{how} the others' average" for how in ("3 points behind", "level with", "1 point ahead of")]


def test_with_three_players_chances_are_those_of_beating_an_opponent(table_of, play_on, as_user, person):
    """They are the share of others left behind: a second place ends at 50, as "your chance of winning"."""
    played = play_on(table_of("alice", "bob", "carol", options={"target": 11}, secret=b"7" * 32))
    table = Table.objects.with_seats().get(pk=played.pk)
    seat = table.result["places"].index(2)
    review = unjudged_review(table, seat, finished_at=NOW)
    review.decisions[0] |= {"is_mistake": True, "in_percent": True, "loss": 12.0}
    review.save()
    summary = coach_page.summary_of(review, table)
    height, middle = summary.graph.points.rpartition(",")[2], summary.graph.levels[1]
    assert middle == (float(height), 50)
    browser = as_user(review.user)
    html = re.sub(r"\s+", " ", page_html(browser.get(url(table))))
    assert "Your chance of beating an opponent during the game" in html and "of winning" not in html
    assert "This cost about 12 % of beating an opponent on average." in html and "Beating an opponent, %" in html
    replayed = page_html(browser.get(reverse("games:replay", args=[table.code])))
    assert replayed.count("12 % of beating an opponent") == 1


@pytest.mark.parametrize("game", engines.GAMES, ids=lambda game: game.slug)
def test_every_game_shows_its_decisions_on_a_board(game):
    record = played_by_bots(game, seats=game.seats[0], seed="board")
    names = [f"player {seat}" for seat in range(game.seats[0])]
    for choice in islice(choices_of(record, 0), 0, 40, 3):
        board = coach_page.board_with_move(choice.view, choice.played, names, seq=choice.number)
        assert not board.prompt and not board.offers


def test_a_mistake_can_be_tried_once_more(review, as_user, person):
    browser, worst = as_user(person("alice")), coach_page.costliest(coach_page.rows_of(review))[0]
    address = f"{url(review.table)}?practise=1"
    html = page_html(browser.get(address))
    assert "Find a better move" in html and "Why it's better" not in html
    assert "Right:" in page_html(browser.post(address, {"text": worst.best, "version": 0}))
    assert "Not the best move" in page_html(browser.post(address, {"text": worst.played, "version": 0}))
    right = page_html(browser.post(address, {"text": worst.best, "version": 0}))
    assert f'action="{url(review.table)}"' in right, "forms on it are no further tries"
    html = page_html(browser.post(address, {"text": "nonsense", "version": 0}))
    assert "Find a better move" in html and "Why it's better" not in html


def test_the_boards_of_a_mistake_name_the_partner(table_of, play_on, as_user, person):
    names, partners = ("ann", "bob", "cat", "dan"), {"partners": True, "target": 11}
    played = play_on(table_of(*names, options=partners, secret=b"8" * 32))
    table = Table.objects.with_seats().get(pk=played.pk)
    at, choice = next((at, choice) for at, choice in own_decisions(table, 1) if len(choice.view.moves) > 1)
    best = next(move for move in choice.view.moves if move != choice.played)
    rows = [row_of(Decision(choice, best, NONE, False, True, (), {}, 0.0, 0.0, 0.0, 0, {}), at=at).as_json()]
    bob = person("bob")
    times = {"asked_at": NOW, "finished_at": NOW}
    CoachReview.objects.create(table=table, user=bob, seat=1, at=table.move_count, decisions=rows, **times)
    for query in ("", "?practise=1"):
        board = as_user(bob).get(url(table) + query).context["board"]
        assert [plate.name for plate in board.others if "partner" in plate.note] == ["dan"]


def test_a_replay_marks_the_mistakes_for_their_player_alone(review, as_user, person):
    mistakes = sum(row["is_mistake"] for row in review.decisions)
    address = reverse("games:replay", args=[review.table.code])
    assert page_html(as_user(person("alice")).get(address)).count('class="move-cost"') == mistakes > 0
    assert 'class="move-cost"' not in page_html(as_user(person("bob")).get(address))


def test_a_replay_outlines_the_best_move_before_a_mistake_is_made(review, as_user, person):
    worst = coach_page.costliest(coach_page.rows_of(review))[0]
    address = f"{reverse('games:replay', args=[review.table.code])}?at={worst.at}"
    html = page_html(as_user(person("alice")).get(address))
    view = coach_page.view_of(review.table, worst, review.seat)
    touches = view.choice(review.table.rules.parse(worst.best)).touches
    marked = re.findall(r'class="[^"]*is-best[^"]*"(?: data-card="(\w+)")?', html)
    assert set(marked) - {""} == set(touches) & set(view.hand)
    assert "The coach's move, outlined" in html and "on average" in html and ", best move" in html
    assert "is-best" not in page_html(as_user(person("bob")).get(address))
    end = f"{reverse('games:replay', args=[review.table.code])}?at={review.table.move_count}"
    assert "is-best" not in page_html(as_user(person("alice")).get(end))


@pytest.mark.parametrize("how", [{"offers_deal": True}, {"is_compared": True}])
def test_where_others_have_had_the_same_cards_they_see_the_mistakes(review, as_user, person, how):
    Table.objects.filter(pk=review.table_id).update(**how)
    mistakes = sum(row["is_mistake"] for row in review.decisions)
    html = page_html(as_user(person("bob")).get(reverse("games:replay", args=[review.table.code])))
    assert html.count('class="move-cost"') == mistakes > 0
    CoachReview.objects.update(finished_at=None)  # until the review is done, only for its player
    html = page_html(as_user(person("bob")).get(reverse("games:replay", args=[review.table.code])))
    assert 'class="move-cost"' not in html


def test_the_page_of_a_shared_deal_says_how_many_mistakes_each_made(review, as_user, person):
    page = reverse("games:deal", args=[review.table.code])
    Table.objects.filter(pk=review.table_id).update(offers_deal=True)
    mistakes = sum(row["is_mistake"] for row in review.decisions)
    alices, bobs = shared_deals.seat_sheets(review.table)
    assert [one.mistakes for one in alices.tries] == [mistakes] and [one.mistakes for one in bobs.tries] == [None]
    assert page_html(as_user(person("bob")).get(page)).count("Mistakes (coach)") == 1


@pytest.fixture
def owners_review(finished, person):
    """The review of Alice's seat, which is a bot's that Olga runs."""
    User.objects.filter(pk=person("alice").pk).update(owner=person("olga"))
    table = Table.objects.with_seats().get(pk=finished.pk)
    found = services.request_review(table=table, user=person("olga"), now=NOW)
    services.review_slice(review_id=found.pk, now=NOW)
    found.refresh_from_db()
    return found


def test_who_runs_a_bot_has_its_games_reviewed(finished, owners_review, as_user, person):
    assert owners_review.seat == 0 and owners_review.is_finished
    olga = as_user(person("olga"))
    html = page_html(olga.get(url(finished)))
    assert 'alice is a bot that played this game: "you" means the bot.' in html
    for name in ("result", "replay"):
        address = reverse(f"games:{name}", args=[finished.code])
        assert url(finished) in page_html(olga.get(address)), name
        assert url(finished) not in page_html(as_user(person("carol")).get(address)), name
    assert "is a bot that played" not in page_html(as_user(person("bob")).get(url(finished)))


def test_a_review_says_which_moves_it_leaves_out(review, as_user, person):
    moves, alice = review.table.moves.filter(seat=0), as_user(person("alice"))
    assert not re.search("for you|took over", page_html(alice.get(url(review.table))))
    moves.filter(pk=moves.first().pk).update(is_by_stand_in=True)
    assert "A bot made 1 move of this game for you. The coach leaves it out." in page_html(alice.get(url(review.table)))
    moves.update(is_by_stand_in=True)
    review.table.seats.filter(number=0).update(moves_before=7)
    html = page_html(alice.get(url(review.table)))
    assert f"A bot made {len(moves)} moves of this game for you. The coach leaves them out." in html
    assert "This review begins after move 7, where you took over." in html


def test_a_review_says_which_moves_the_clock_made(review, as_user, person):
    moves, alice = review.table.moves.filter(seat=0), as_user(person("alice"))
    moves.filter(pk=moves.first().pk).update(is_by_clock=True)
    words = page_words(alice.get(url(review.table)))
    assert "Your time ran out before 1 move, and the table made it for you. The coach leaves it out." in words


def test_any_seat_of_a_game_between_house_bots_can_be_reviewed(finished, as_user, person):
    assert coaching.seats_to_review(finished, person("carol").pk) == []
    User.objects.filter(username__in=["alice", "bob"]).update(is_bot=True, first_name="Deep")
    table, carol = Table.objects.with_seats().get(pk=finished.pk), as_user(person("carol"))
    assert [seat.number for seat in coaching.seats_to_review(table, person("carol").pk)] == [0, 1]
    assert coaching.seats_to_review(table, None) == []
    assert page_html(carol.get(url(finished))).count('name="seat"') == 2
    carol.post(url(finished), {"seat": "1"})
    review = CoachReview.objects.get()
    assert (review.user, review.seat) == (person("carol"), 1)
    services.review_slice(review_id=review.pk, now=NOW)
    assert 'Deep is a bot that played this game: "you" means the bot.' in page_html(carol.get(url(finished)))


def test_a_player_reviews_no_other_seat(finished, as_user, person):
    as_user(person("alice")).post(url(finished), {"seat": "1"})
    assert CoachReview.objects.get().seat == 0


def test_a_bots_games_say_nothing_about_who_runs_it(finished, owners_review):
    Table.objects.filter(pk=finished.pk).update(is_rated=True)
    assert fairness.reviewed_plays(now=NOW) == []
    CoachReview.objects.filter(pk=owners_review.pk).update(user=finished.seats.get(number=0).user)
    assert [play.user.username for play in fairness.reviewed_plays(now=NOW)] == ["alice"]


def test_others_see_no_review(review, as_user, person):
    for name in ("bob", "carol"):
        html = page_html(as_user(person(name)).get(url(review.table)))
        assert "Mistake 1" not in html


def test_a_review_is_switched_off_on_its_page(review, as_user, person):
    as_user(person("alice")).post(url(review.table), {"automatic": "off"})
    assert not services.reviews_bot_games(person("alice"))


def test_a_game_without_choices_has_nothing_to_review(review, as_user, person):
    CoachReview.objects.update(decisions=[])
    assert "nothing to review" in page_html(as_user(person("alice")).get(url(review.table)))


def test_a_game_that_a_bot_played_for_an_absent_player_says_so(review, as_user, person):
    """It said that they had no choice to make."""
    CoachReview.objects.update(decisions=[])
    review.table.moves.filter(seat=0).update(is_by_stand_in=True)
    words = page_words(as_user(person("alice")).get(url(review.table)))
    assert "You made no decision in this game, so there is nothing to review." in words
    assert re.search(r"A bot made \d+ moves of this game for you.", words)
