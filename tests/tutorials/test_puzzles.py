"""Answers to puzzles, ratings, streaks, the puzzle of the day, and the pages that show them."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest

from accounts.models import User
from accounts.services import close_account, export_account_data, join_account
from games import engines
from games.bots.puzzles import played_by_bots
from games.models import Table
from infra.time_zones import local_day
from tests.pages import page_html
from tests.tutorials.puzzle_samples import NOW, store_sample
from tests.tutorials.test_views import text_of
from tutorials import puzzles
from tutorials.models import Puzzle, PuzzleAttempt, PuzzleRating, ReviewItem

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

TODAY = date(2026, 3, 1)


def answer(user, puzzle, move="TH", day=TODAY):
    return puzzles.record_attempt(
        user=user, puzzle_id=puzzle.pk, move=move, is_right=move in puzzle.best, day=day, now=NOW
    )


# Ratings


def test_a_right_answer_raises_the_player_and_lowers_the_puzzle(person):
    puzzle, ann = store_sample(), person("ann")
    attempt = answer(ann, puzzle)
    puzzle.refresh_from_db()
    assert attempt.before == 1500 < attempt.after
    assert puzzles.rating_of(ann, "sixty-six").number == attempt.after
    assert puzzle.skill.number < 1500


def test_a_wrong_answer_brings_the_rule_into_the_reviews_and_a_right_one_does_not(person):
    puzzle = store_sample()
    Puzzle.objects.update(rule="sixty-six:trick-winner")
    answer(person("bob"), puzzle)
    answer(person("ann"), puzzle, "QD")
    assert [(item.user.username, item.rule) for item in ReviewItem.objects.all()] == [("ann", "trick-winner")]


def test_a_wrong_answer_does_the_opposite(person):
    puzzle, ann = store_sample(), person("ann")
    attempt = answer(ann, puzzle, "QD")
    puzzle.refresh_from_db()
    assert attempt.after < 1500 < puzzle.skill.number


def test_only_the_first_answer_counts(person):
    puzzle, ann = store_sample(), person("ann")
    first = answer(ann, puzzle, "QD")
    puzzle.refresh_from_db()
    rating = puzzle.skill
    assert answer(ann, puzzle, "TH") == first
    puzzle.refresh_from_db()
    assert (PuzzleAttempt.objects.get().is_right, puzzle.skill) == (False, rating)


def test_the_next_puzzle_is_untried_and_closest_to_the_rating(person):
    easy, near, hard = (store_sample(name, rating=rating) for name, rating in [("a", 1100), ("b", 1450), ("c", 1900)])
    ann = person("ann")
    assert puzzles.next_puzzle(None, "sixty-six") == near
    answer(ann, near)
    PuzzleRating.objects.update(mu=hard.mu)
    assert puzzles.next_puzzle(ann, "sixty-six") == hard
    answer(ann, hard)
    answer(ann, easy)
    assert puzzles.next_puzzle(ann, "sixty-six") is None
    assert puzzles.next_puzzle(ann, "casino") is None


# Streaks


@pytest.mark.parametrize(
    ("days_ago", "length", "has_today"),
    [([], 0, False), ([0], 1, True), ([1], 1, False), ([2], 0, False), ([0, 1, 2], 3, True), ([1, 2, 4], 2, False)],
)
def test_a_streak_lasts_until_a_whole_day_has_gone_by(person, days_ago, length, has_today):
    ann = person("ann")
    for number in days_ago:
        answer(ann, store_sample(f"game {number}"), day=TODAY - timedelta(days=number))
    assert puzzles.streak_of(ann, TODAY) == puzzles.Streak(length, has_today)


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Pacific/Auckland", date(2026, 3, 2)),
        ("America/New_York", date(2026, 3, 1)),
        ("Pacific/Honolulu", date(2026, 3, 1)),
        ("", date(2026, 3, 1)),
        ("../../etc/passwd", date(2026, 3, 1)),
    ],
)
def test_the_day_is_that_of_the_visitors_zone(rf, zone, day):
    request = rf.get("/", headers={"cookie": f"zone={zone}"})
    assert local_day(request, datetime(2026, 3, 1, 23, 30, tzinfo=UTC)) == day


def test_an_answer_before_and_after_midnight_are_two_days_of_a_streak(client, monkeypatch):
    client.cookies["zone"] = "America/New_York"
    for name, hour in [("a", 3), ("b", 6)]:  # 22:00 on the last day of February, and 01:00 on the first of March
        moment = datetime(2026, 3, 1, hour, tzinfo=UTC)
        monkeypatch.setattr("tutorials.views.puzzles.timezone.now", lambda moment=moment: moment)
        page = client.post(store_sample(name).get_absolute_url(), {"text": "TH"})
    assert "Streak 2 days" in text_of(page)
    assert list(PuzzleAttempt.objects.order_by("pk").values_list("day", flat=True)) == [date(2026, 2, 28), TODAY]


# The puzzle of the day


def test_the_puzzle_of_the_day_is_that_of_the_date():
    today, tomorrow = store_sample("a", day=TODAY), store_sample("b", day=TODAY + timedelta(days=1))
    assert puzzles.puzzle_of_the_day(TODAY) == today
    assert puzzles.puzzle_of_the_day(TODAY + timedelta(days=1)) == tomorrow


@pytest.mark.only_on("sqlite", "postgresql")  # which put rows without a day at different ends
def test_a_day_without_a_puzzle_has_the_newest_that_was_of_no_day():
    store_sample("of yesterday", day=TODAY - timedelta(days=1)), store_sample("older")
    newest = store_sample("newest")
    assert puzzles.puzzle_of_the_day(TODAY) == newest


def test_a_deal_that_others_may_still_play_has_no_puzzle(table_of):
    puzzle = store_sample(day=TODAY, table=table_of("ann", "bob", game="sixty-six"))
    assert puzzles.puzzle_of_the_day(TODAY) == puzzle
    Table.objects.update(offers_deal=True)
    assert puzzles.puzzle_of_the_day(TODAY) is None


# Pages


def test_looking_at_puzzles_makes_no_guest(client):
    puzzle = store_sample(day=TODAY)
    for url in ("/puzzles/", "/puzzles/sixty-six/", puzzle.get_absolute_url()):
        assert "You have one try" in text_of(client.get(url))
    assert not User.objects.exists()


def test_a_right_answer_shows_what_the_others_are_worth(client):
    puzzle = store_sample()
    said = text_of(client.post(puzzle.get_absolute_url(), {"text": "TH", "version": "0"}))
    assert "Right! Lead 10♥: 2 points better than any other move." in said
    assert "The tempting move is worse: Lead 10♠ (2 points less)." in said
    assert "Lead 10♠ (First steps bot, Club bot) −2" in said
    assert "2 ± 0 in 12 deals" in said
    assert User.objects.get().is_guest


def test_after_the_answer_no_one_is_to_move_and_the_puzzle_is_still_that_of_the_day(client, monkeypatch):
    monkeypatch.setattr("tutorials.views.puzzles.timezone.now", lambda: NOW)
    puzzle = store_sample(day=TODAY)
    pages = [client.get("/puzzles/"), client.post(puzzle.get_absolute_url(), {"text": "TH"})]
    assert [page.context["board"].own.is_turn for page in pages] == [True, False]
    assert all("Puzzle of the day: Sixty-Six" in text_of(page) for page in pages)
    other = store_sample("another game", day=TODAY - timedelta(days=1))
    assert "Puzzle of the day" not in text_of(client.get(other.get_absolute_url()))


def test_the_result_shows_both_ratings_as_they_are_after_the_answer(client):
    puzzle = store_sample()
    said = text_of(client.post(puzzle.get_absolute_url(), {"text": "TH"}))
    puzzle.refresh_from_db()
    attempt = PuzzleAttempt.objects.get()
    assert f"Puzzle{puzzle.skill.number} Your rating {attempt.before} → {attempt.after}" in said


def test_a_wrong_answer_names_the_best_move_and_a_second_try_changes_nothing(client):
    puzzle = store_sample()
    said = text_of(client.post(puzzle.get_absolute_url(), {"text": "QD"}))
    assert "Not the best move. Lead Q♦: 2 points worse." in said
    assert "Best: Lead 10♥" in said
    assert "Not the best move" in text_of(client.post(puzzle.get_absolute_url(), {"text": "TH"}))


@pytest.mark.parametrize("text", ["AC", "nonsense", ""])
def test_an_illegal_move_is_refused_and_is_no_try(client, text):
    puzzle = store_sample()
    response = client.post(puzzle.get_absolute_url(), {"text": text})
    assert response.status_code == 200
    assert 'role="alert"' in page_html(response)
    assert not PuzzleAttempt.objects.exists()


def test_the_table_says_who_the_partner_is_before_and_after_the_answer(client):
    start = played_by_bots(engines.get("four-hand-cuarenta"), seats=4, seed="partners").start
    [seat], puzzle = start.to_act, store_sample()
    best, other = map(str, start.legal_moves(seat)[:2])
    Puzzle.objects.update(
        game=start.game.slug,
        rules_version=start.game.rules_version,
        position=start.dump(),
        seat=seat,
        best=[best],
        values=[{"move": other, "behind": 2.0, "error": 0.0}],
        chosen={level: {other: 8} for level in ("first-steps", "club", "strong")},
    )
    boards = [client.get(puzzle.get_absolute_url()).context["board"]]
    client.post(puzzle.get_absolute_url(), {"text": best, "version": 0})
    boards.append(client.get(puzzle.get_absolute_url()).context["board"])
    assert [bool(board.offers) for board in boards] == [True, False]
    for board in boards:
        assert [plate.name for plate in board.others if "partner" in plate.note] == ["Dot"]


def test_htmx_gets_the_puzzle_alone(client):
    page = page_html(client.post(store_sample().get_absolute_url(), {"text": "TH"}, headers={"hx-request": "true"}))
    assert '<div id="puzzle"' in page and "<html" not in page


def test_a_stream_ends_when_all_puzzles_are_tried(client):
    assert "No Sixty-Six puzzles yet" in text_of(client.get("/puzzles/sixty-six/"))
    client.post(store_sample().get_absolute_url(), {"text": "TH"})
    assert "No more Sixty-Six puzzles" in text_of(client.get("/puzzles/sixty-six/"))
    assert client.get("/puzzles/chess/").status_code == 404


def test_the_list_says_how_many_puzzles_are_left(client):
    for name in "ab":
        store_sample(name)
    told = []
    for puzzle in [None, *Puzzle.objects.all()]:
        if puzzle is not None:
            client.post(puzzle.get_absolute_url(), {"text": "TH"})
        told += re.findall("Sixty-Six ([^ ]+ (?:left|tried))", text_of(client.get("/puzzles/")))
    assert told == ["2 left", "1 left", "all tried"]


def test_without_puzzles_the_page_says_so(client):
    assert "The first puzzles are being made" in text_of(client.get("/puzzles/"))


@pytest.mark.parametrize("url", ["/", "/learn/", "/puzzles/"])
def test_the_pages_say_for_which_day_they_chose_the_puzzle(client, monkeypatch, url):
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2026, 3, 1, 23, 30, tzinfo=UTC))
    store_sample()
    for zone, day in (("", "2026-03-01"), ("Asia/Tokyo", "2026-03-02")):
        client.cookies["zone"] = zone
        assert f'data-day="{day}"' in page_html(client.get(url))


@pytest.mark.parametrize("url", ["/", "/learn/"])
def test_home_and_learn_lead_to_the_puzzle_of_the_day(client, url):
    assert "Puzzle of the day" not in text_of(client.get(url))
    store_sample()
    assert "Puzzle of the day: Sixty-Six" in text_of(client.get(url))


def test_no_page_shows_the_other_hand(client):
    """The cards of the other player are in the stored position only, before the answer and after it."""
    puzzle = store_sample(day=TODAY)
    pages = [page_html(client.get(url)) for url in ("/puzzles/", "/puzzles/sixty-six/", puzzle.get_absolute_url())]
    pages.append(page_html(client.post(puzzle.get_absolute_url(), {"text": "TH"})))
    own = puzzle.state.view(0)
    shown = {card for zone in own.zones for card in zone.cards}
    assert shown.isdisjoint(puzzle.position["hands"][1])
    for page in pages:
        for card in puzzle.position["hands"][1]:
            assert f'data-card="{card}"' not in page
            assert f'"{card}"' not in page


# Accounts


def test_a_guests_puzzles_go_to_the_account_except_what_clashes(person):
    first, second = store_sample("a"), store_sample("b")
    guest, ann = User.objects.create(username="Guest 1", is_guest=True), person("ann")
    answer(ann, first, "QD")
    answer(guest, first, "TH")
    answer(guest, second, "TH")
    own = puzzles.rating_of(ann, "sixty-six")
    join_account(guest=guest, user=ann)
    assert {(row.puzzle_id, row.is_right) for row in ann.puzzle_attempts.all()} == {
        (first.pk, False),
        (second.pk, True),
    }
    assert puzzles.rating_of(ann, "sixty-six") == own


def test_puzzles_are_exported_and_deleted_with_the_account(person):
    ann = person("ann")
    answer(ann, store_sample(), "QD")
    data = export_account_data(ann)
    assert (data["puzzles"][0]["move"], data["puzzles"][0]["is_right"]) == ("QD", False)
    assert data["puzzle ratings"]["sixty-six"] < 1500
    close_account(user=ann)
    assert not PuzzleAttempt.objects.exists() and not PuzzleRating.objects.exists()
    assert Puzzle.objects.exists()
