"""Questions to the coach at the table: how good is this move?"""

import re
from datetime import timedelta
from itertools import combinations

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from accounts import throttle
from accounts.models import User
from games import services, tasks
from games.models import CoachQuestion, HouseBot, Table
from games.presentation import coach_page
from games.queries.advice import may_be_advised
from games.record import playback
from games.services import TableError, coach_questions
from games.views import advice as advice_views
from tests.pages import page_html

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

NOW = timezone.now()
HTMX = {"HX-Request": "true"}


@pytest.fixture
def table(person, table_of):
    """An unrated game of Alice against a bot, in which it is her turn."""
    running = table_of("alice", "bob", game="partnership-cribbage", deals=1)
    User.objects.filter(pk=person("bob").pk).update(is_bot=True)
    HouseBot.objects.create(user=person("bob"), game="partnership-cribbage", level="first-steps")
    return Table.objects.with_seats().get(pk=running.pk)


@pytest.fixture
def alice(as_user, person):
    return as_user(person("alice"))


def alice_at(table):
    return table.seats.get(user__username="alice")


def url(table):
    return f"/tables/{table.code}/ask-coach/"


def ask(table, move="", now=NOW):
    return services.ask_coach(table=table, seat=alice_at(table), move=move, now=now)


def answered(browser, table, *picks):
    """What the page shows once a worker has answered."""
    browser.post(url(table), {"pick": picks}, headers=HTMX)
    tasks.answer_coach_question(CoachQuestion.objects.latest("pk").pk)
    return page_html(browser.get(url(table), headers=HTMX))


def own_view(table, state_of):
    return state_of(table).view(alice_at(table).number)


def test_the_selected_move_is_judged_in_words_with_its_error(table, state_of, alice):
    def words_about(cards):
        html = answered(alice, table, *cards)
        answer = CoachQuestion.objects.latest("pk").answer
        assert set(cards) <= set(re.findall(r"\w\w", answer["played"])) and "What other moves cost" in html
        [words] = [words for words in ("costs about", "about as good", "best move that") if words in html]
        assert (words == "costs about") == (answer["loss"] > answer["error"])
        return words

    for cards in list(combinations(own_view(table, state_of).hand, 2))[::7]:
        words_about(cards)
    best = CoachQuestion.objects.latest("pk").answer["best"]
    assert words_about(re.findall(r"\w\w", best)) != "costs about"


def test_without_a_selection_all_moves_are_compared(table, alice):
    html = answered(alice, table)
    assert "What each move costs on average, in points:" in html
    assert html.count("<li>") > 3 and html.count(">best<") == 1 and "<html" not in html
    assert html in page_html(alice.get(url(table)))  # without script, on the whole page


def test_asking_plays_nothing_and_the_answer_is_waited_for(table, alice):
    html = page_html(alice.post(url(table), headers=HTMX))
    assert "thinking" in html and f'hx-get="{url(table)}"' in html
    tasks.answer_coach_question(CoachQuestion.objects.get().pk)
    html = page_html(alice.get(url(table), headers=HTMX))
    assert "What each move costs" in html and "hx-get" not in html
    table.refresh_from_db()
    assert table.move_count == CoachQuestion.objects.get().number


def test_the_same_question_has_one_answer(table):
    first = ask(table)
    services.answer_coach_question(question_id=first.pk, now=NOW)
    first.refresh_from_db()
    services.answer_coach_question(question_id=first.pk, now=NOW + timedelta(hours=1))
    again = ask(table, now=NOW + timedelta(hours=1))
    assert again == first and (again.answered_at, again.answer) == (NOW, first.answer)


def test_a_lost_question_can_be_asked_again(table, alice):
    ask(table, now=NOW - 2 * coach_questions.PATIENCE)
    assert "Please ask again" in page_html(alice.get(url(table), headers=HTMX))
    assert ask(table).asked_at == NOW


def test_where_a_bot_fails_the_page_says_that_the_coach_cannot_judge(table, alice, monkeypatch, caplog):
    def fault(game, view, rng):
        raise IndexError

    monkeypatch.setattr(type(table.rules), "sample", fault)
    html = answered(alice, table)
    assert "judge this position" in html and "hx-get" not in html
    assert "cannot judge" in caplog.text


def test_what_is_no_move_is_answered_with_its_rule(table, alice, state_of):
    three_cards = own_view(table, state_of).hand[:3]
    answer = alice.post(url(table), {"pick": three_cards}, headers=HTMX)
    assert answer.status_code == 422 and not CoachQuestion.objects.exists()


def test_no_answer_while_many_wait(table, state_of):
    moves = [str(move) for move in own_view(table, state_of).moves][: coach_questions.MOST_WAITING]
    assert len(moves) == coach_questions.MOST_WAITING
    for move in moves:
        ask(table, move)
    with pytest.raises(TableError, match="Many players"):
        ask(table)
    assert ask(table, now=NOW + 2 * coach_questions.PATIENCE)


def test_questions_are_limited(table, alice, person, valkey):
    throttle.count_one("coach-questions", str(person("alice").pk), count=1, seconds=60)
    cache.incr(f"posts:coach-questions:{person('alice').pk}", advice_views.MOST_QUESTIONS)
    answer = alice.post(url(table), headers=HTMX)
    assert answer.status_code == 422 and "Please wait" in page_html(answer)


@pytest.mark.parametrize("change", [{"is_rated": True}, {"event_path": "/tournaments/1/"}])
def test_no_advice_in_rated_games_and_events(table, alice, change):
    html = page_html(alice.get(table.get_absolute_url()))
    assert "Coach</button>" in html
    Table.objects.filter(pk=table.pk).update(**change, version=table.version + 1)
    table = Table.objects.with_seats().get(pk=table.pk)
    assert not may_be_advised(table, alice_at(table))
    for name in ("ask-coach", "hint"):
        answer = alice.post(f"/tables/{table.code}/{name}/", headers=HTMX)
        assert answer.status_code == 422 and "unrated games against bots" in page_html(answer)
    html = page_html(alice.get(table.get_absolute_url()))
    assert "Coach</button>" not in html and "Hint</button>" not in html


def test_no_answer_against_people_or_by_others(table_of, table, as_user, person):
    among_people = table_of("alice", "carol", secret=b"1" * 32)
    with pytest.raises(TableError, match="against bots"):
        ask(among_people)
    assert as_user(person("carol")).post(url(table), headers=HTMX).status_code == 422
    assert not CoachQuestion.objects.exists()


@pytest.mark.parametrize("status", ["open", "running"])
def test_no_answer_while_the_same_shuffles_are_played_elsewhere(table, status):
    again = Table.objects.get(pk=table.pk)
    again.pk, again.code, again.status, again.shares_deals, again.form_key = None, "again234", status, True, None
    again.save()
    with pytest.raises(TableError, match="playing these cards"):
        ask(table)
    Table.objects.filter(code="again234").update(status="finished")
    assert ask(table)


def test_replay_and_review_say_that_the_player_asked(table, alice, person, play_on):
    question = ask(table)
    table = Table.objects.with_seats().get(pk=play_on(table).pk)
    own = [row.number for row in playback.playback_of(table).rows if row.seat == question.seat]
    asked = {next(number for number in own if number > question.number)}
    assert coach_page.asked_moves(table, playback.playback_of(table)) == asked
    html = page_html(alice.get(reverse("games:replay", args=[table.code])))
    assert html.count("asked the coach") == 1
    review = services.request_review(table=table, user=person("alice"), now=NOW)
    while not review.is_finished:
        services.review_slice(review_id=review.pk, now=NOW)
        review.refresh_from_db()
    assert coach_page.summary_of(review, table).asked == 1
    assert "Asked the coach" in page_html(alice.get(reverse("games:coach", args=[table.code])))


def test_a_move_made_again_after_an_undo_still_says_that_the_player_asked(table, person, play_on, state_of):
    """Asking, moving and undoing left no mark on the move that counted; and the undo itself had one."""
    Table.objects.filter(pk=table.pk).update(allows_agreements=True)
    question = ask(table)
    for _ in range(2):
        text = str(state_of(table).legal_moves(question.seat)[0])
        table.refresh_from_db()
        services.play_move(table_id=table.pk, seat=question.seat, text=text, version=table.version)
        services.ask_question(table_id=table.pk, user=person("alice"), kind="undo")
        table = Table.objects.with_seats().get(pk=table.pk)
    table = Table.objects.with_seats().get(pk=play_on(table).pk)
    game = playback.playback_of(table)
    own = [row for row in game.rows if row.seat == question.seat]
    assert [row.takes_back_to is None for row in own[:5]] == [True, False, True, False, True]
    assert coach_page.asked_moves(table, game) == {own[0].number, own[2].number, own[4].number}
