"""Course tests: their questions, their pages, the badge, and the chapters they allow to skip."""

import re
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.services import close_account, export_account_data, join_account
from games import engines
from tests.pages import page_html, page_words, words_of
from tutorials import course_tests, drill_stock
from tutorials.content import library
from tutorials.drills.questions import asked_rules, question_of, step_question
from tutorials.models import CourseTest, Drill, LessonProgress, ReviewItem
from tutorials.templatetags.seeds import seed_text
from tutorials.views.drill_pages import drill_context

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

URL = "/learn/casino/test/"
QUICK = "/learn/casino/building/"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def stock(db):
    for seed in (1, 2):
        drill_stock.add_seed(game="casino", seed=seed)


def form_of(page) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(test|number)" value="([^"]*)">', page_html(page)))


def answer(own, url=URL, *, is_right=True):
    """Answers the question that is asked now, and returns what was sent."""
    test = CourseTest.objects.get(finished_at=None)
    question = course_tests.current_question(test).question
    wrong = next(index for index, given in enumerate(question.answers) if not given.is_right)
    sent = {**form_of(own.get(url)), "answer": sorted(question.right) if is_right else [wrong]}
    own.post(url, sent)
    return sent


def finish(own, url=URL, *, wrong=0):
    own.post(url, {"start": "1"})
    for number in range(len(CourseTest.objects.get(finished_at=None).questions)):
        answer(own, url, is_right=number >= wrong)
    return CourseTest.objects.order_by("pk").last()


def test_questions_are_about_different_rules_of_all_sections(stock):
    questions = course_tests.course_questions("casino", Random(1))
    rules = [question["rule"] for question in questions]
    assert len(rules) == len(set(rules)) == course_tests.MOST_QUESTIONS
    book = library.load_rule_book("casino")
    sections = {section.number for section in book.sections for rule in section.rules if rule.id in rules}
    assert len(sections) >= 10
    steps = [question["source"]["step"] for question in questions if "step" in question["source"]]
    assert len(steps) == len(set(steps)) < len(questions)


@pytest.mark.parametrize("slug", library.games_with("lessons.yaml"))
def test_every_game_has_a_test_also_without_fresh_positions(slug):
    questions = len(course_tests.course_questions(slug, Random(1)))
    assert 10 <= questions <= 15, "a course test asks about at least ten rules, each by another step of the course"


@pytest.mark.parametrize("slug", library.games_with("lessons.yaml"))
def test_a_test_asks_by_steps_only_about_rules_that_decide_them(slug):
    """Advantage asked about "Exactly two play" by "What do you know about the other hand?"."""
    steps = {step.id: step for step in library.load_course(slug).steps}
    for seed in range(9):
        for asked in course_tests.course_questions(slug, Random(seed)):
            assert asked["rule"] in asked_rules(engines.get(slug), steps[asked["source"]["step"]]), asked


@pytest.mark.parametrize("slug", library.games_with("lessons.yaml"))
def test_every_question_is_drawn_and_its_table_gives_no_answer_away(slug):
    """Sixty-Six had no page for a question about a trick: the prompt names the cards that may be played."""
    game = engines.get(slug)
    questions = filter(None, (step_question(game, step) for step in library.load_course(slug).steps))
    pages = [drill_context(game, question, hidden={}) for question in questions]
    assert {page["board"].prompt for page in pages if "board" in page} == {""}


def test_a_visitor_sees_what_the_test_is_and_becomes_a_guest_by_starting(client, stock):
    assert "Start the test" in page_words(client.get(URL))
    assert not User.objects.exists()
    client.post(URL, {"start": "1"})
    assert User.objects.get().is_guest
    assert "Question 1 of 12" in page_words(client.get(URL))


def test_one_question_comes_after_the_other(own, stock):
    own.post(URL, {"start": "1"})
    answer(own)
    assert "Question 2 of 12" in page_words(own.get(URL))
    own.post(URL, {"start": "1"})
    assert CourseTest.objects.get().answers == [True]


def test_who_passes_has_a_badge_on_the_profile(own, stock):
    assert "Course tests passed" not in page_words(own.get("/players/ann/"))
    test = finish(own, wrong=2)
    assert test.passed_at
    assert "Passed: 10 of 12 right" in page_words(own.get(URL))
    assert "Course tests passed" in page_words(own.get("/players/ann/"))


def test_who_fails_reads_the_missed_rules_and_reviews_them(own, stock):
    test = finish(own, wrong=3)
    assert test.passed_at is None
    page = own.get(URL)
    assert "Not passed: 9 of 12 right" in page_words(page)
    missed = {question.rule for question in course_tests.missed_questions(test)}
    assert len(missed) == 3
    assert set(ReviewItem.objects.values_list("rule", flat=True)) == missed
    for rule in missed:
        assert f"/rules/casino/#{rule}" in page_html(page)
    assert "Course tests passed" not in page_words(own.get("/players/ann/"))


def test_the_result_lists_the_missed_questions_with_both_answers(own, stock):
    test = finish(own, wrong=2)
    page = own.get(URL)
    assert page_html(page).count("<b>Your answer:</b>") == 2 and "Questions you missed" in page_words(page)
    for asked in test.questions[:2]:
        question = question_of(engines.get("casino"), asked["source"]).question
        assert len(asked["marked"]) == 1 and not question.answers[asked["marked"][0]].is_right
        shown = [question.ask, *(question.answers[index].because for index in (*asked["marked"], *question.right))]
        assert all(words_of(seed_text(text)) in page_words(page) for text in shown)
    CourseTest.objects.update(questions=[{**asked, "marked": [9]} for asked in test.questions])  # of an older course
    assert "<b>Your answer:</b>" not in page_html(own.get(URL))
    CourseTest.objects.update(
        questions=[{"rule": asked["rule"], "source": asked["source"]} for asked in test.questions]
    )
    assert f"/rules/casino/#{test.questions[0]['rule']}" in page_html(own.get(URL))


def test_a_missed_question_is_seen_again_at_its_table(own, stock):
    missed = course_tests.missed_questions(finish(own, wrong=4))
    result = page_html(own.get(URL))
    for item in missed:
        address = f"?missed={item.number}#lesson"
        assert (address in result) == (item.drill.position is not None)
        page = page_html(own.get(URL + address))
        assert f"Question {item.number} of 12" in page and f"/rules/casino/#{item.rule}" in page
        assert (page.count("is-marked is-wrong"), page.count("is-marked is-right")) == (1, len(item.right))
        assert "<fieldset disabled>" in page and ('class="felt' in page) == (item.drill.position is not None)
    assert any(item.drill.position for item in missed)
    for number in ("5", "0", "x", ""):
        assert "8 of 12 right" in page_words(own.get(f"{URL}?missed={number}"))


def test_a_badge_stays_when_a_later_test_is_failed(own, ann, stock):
    finish(own)
    finish(own, wrong=5)
    assert [badge.game.slug for badge in course_tests.badges_of(ann)] == ["casino"]


def test_an_answer_that_is_sent_twice_counts_once(own, stock):
    own.post(URL, {"start": "1"})
    sent = answer(own)
    assert "answered this question already" in page_words(own.post(URL, sent, follow=True))
    assert len(CourseTest.objects.get().answers) == 1


@pytest.mark.parametrize(
    "sent", [{"test": "x"}, {"test": "9" * 30}, {"number": "5"}, {"answer": "17"}, {"answer": ""}, {}]
)
def test_nonsense_changes_nothing(own, stock, sent):
    own.post(URL, {"start": "1"})
    shown = {**form_of(own.get(URL)), "answer": "0"} if sent else {}
    assert own.post(URL, shown | sent).status_code == 302
    assert CourseTest.objects.get().answers == []


def test_a_test_of_another_is_not_answered(own, client, stock):
    bob = User.objects.create_user("bob")
    test = course_tests.start_test(user=bob, game="casino", now=NOON)
    own.post(URL, {"test": test.pk, "number": "1", "answer": "0"})
    test.refresh_from_db()
    assert test.answers == []


def test_a_question_that_the_course_no_longer_has_counts_as_right(own, ann, stock):
    test = course_tests.start_test(user=ann, game="casino", now=NOON)
    test.questions[0]["source"] = {"step": "no-such-step"}
    test.save()
    page = own.get(URL)
    assert "has changed" in page_words(page)
    own.post(URL, form_of(page))
    test.refresh_from_db()
    assert test.answers == [True]


def test_the_stock_may_change_while_a_test_is_open(own, ann, stock):
    own.post(URL, {"start": "1"})
    Drill.objects.all().delete()
    answer(own)
    assert CourseTest.objects.get().answers == [True]


def test_the_pages_read_the_database_only_a_few_times(own, stock, django_assert_max_num_queries):
    own.post(URL, {"start": "1"})
    own.get(URL)
    with django_assert_max_num_queries(8):
        own.get(URL)


def test_no_course_has_a_chapter_by_the_name_of_another_page():
    for course in library.load_courses().values():
        assert "test" not in {chapter.id for chapter in course.chapters}
        assert course.game != "review"


# Chapters


def test_a_chapter_is_skipped_by_three_fresh_positions(own, stock):
    assert "Answer 3 questions" in page_words(own.get(QUICK))
    test = finish(own, QUICK)
    assert len(test.questions) == 3
    taught = {rule for chapter in library.load_course("casino").chapters if chapter.id == "building"
              for step in chapter.steps for rule in step.rules}  # fmt: skip
    assert {question["rule"] for question in test.questions} <= taught
    assert "you can skip it" in page_words(own.get(QUICK))
    own.post(QUICK, {"skip": "1"})
    assert LessonProgress.objects.exclude(done_at=None).exists()


def test_a_chapter_is_not_skipped_with_a_mistake_or_without_the_test(own, stock):
    own.post(QUICK, {"skip": "1"})
    finish(own, QUICK, wrong=1)
    own.post(QUICK, {"skip": "1"})
    assert not LessonProgress.objects.exists()
    assert "has something new for you" in page_words(own.get(QUICK))


def test_the_test_of_a_chapter_earns_no_badge(own, ann, stock):
    finish(own, QUICK)
    assert course_tests.badges_of(ann) == []


# Whose tests they are


def test_a_guests_tests_go_along(ann, stock):
    guest = User.objects.create_user("guest", is_guest=True)
    course_tests.start_test(user=ann, game="casino", now=NOON)
    course_tests.start_test(user=guest, game="casino", now=NOON)
    done = CourseTest.objects.create(user=guest, game="casino", questions=[], started_at=NOON, finished_at=NOON)
    join_account(guest=guest, user=ann)
    assert done in ann.course_tests.all()
    assert ann.course_tests.count() == 2


def test_tests_are_in_the_export_and_go_with_the_account(ann, stock):
    course_tests.start_test(user=ann, game="casino", now=timezone.now() - timedelta(days=1))
    [test] = export_account_data(ann)["course tests"]
    assert test["game"] == "casino"
    close_account(user=ann)
    assert not CourseTest.objects.exists()
