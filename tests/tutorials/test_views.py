"""The pages of lessons and rule books: what they show, what a try changes, and what is kept for whom."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services import close_account, export_account_data, join_account
from games.engines.russian_bank.game import RUSSIAN_BANK
from games.models import Table
from games.presentation.game_list import LISTED_GAMES
from tests.pages import page_html
from tutorials import progress
from tutorials.content import library, runner
from tutorials.models import LessonProgress

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

NINES = "/learn/casino/taking/same-rank/"
TIE = "/learn/casino/counting/tie-for-most/"
BUILD = "/learn/casino/building/first-build/"
MARK_ALL = "/learn/casino/letting-go/what-may-i/"
ENDGAME = "/learn/russian-bank/first-game/first-end/"
PLACEMENT = "/learn/casino/taking/"


def text_of(response) -> str:
    """The page as one reads it: without tags, suits as they are drawn."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", response.content.decode())).replace("\ufe0e", "")


def try_move(client, url: str, text: str, version: int = 0, **headers):
    return client.post(url, {"text": text, "version": version}, **headers)


def select(client, url: str, *picks: str, version: int = 0):
    return client.post(url, {"is_pick": "1", "pick": picks, "version": version})


def row(step: str) -> LessonProgress:
    return LessonProgress.objects.get(step=step)


# Steps


def test_looking_at_a_lesson_makes_no_guest(client):
    assert client.get(NINES).status_code == 200
    assert not User.objects.exists()


def test_every_move_can_be_made_without_script(client):
    page = page_html(client.get(NINES))
    assert '<input type="hidden" name="text" value="9Sx9D+9H">' in page
    assert f'method="post" action="{NINES}#lesson"' in page  # the answer lands at the step
    assert '<label><input type="checkbox" name="pick" value="9S">' in page
    assert "Next: What you want most" in text_of(select(client, NINES, "9H", "9S", "9D"))
    assert row("same-rank").has_star


def test_no_legal_move_is_listed_and_no_illegal_one_is_there(client):
    page = page_html(client.get(NINES))
    assert 'class="choice script"' in page
    assert 'class="choice"' not in page
    assert 'value="9SxKC"' not in page


def test_a_selection_that_is_no_move_says_why_and_costs_the_star(client):
    page = select(client, NINES, "9S", "KC")
    assert "K♣ has no number value" in text_of(page)
    assert "/rules/casino/#capture-face" in page_html(page)
    assert not row("same-rank").is_first_try


def test_a_selection_that_means_several_moves_asks_which_one(client):
    page = page_html(select(client, "/learn/casino/building/faces-stay-out/", "TH", "4D", "6C"))
    assert 'value="THx4D+6C"' in page
    assert 'value="TH=10:4D+6C"' in page
    assert 'name="pick"' not in page
    assert not LessonProgress.objects.filter(step="faces-stay-out", is_first_try=False)


@pytest.mark.parametrize("picks", [(), ("XX",), ("9S", "<b>")])
def test_a_selection_of_nothing_that_is_there_is_answered(client, picks):
    page = select(client, NINES, *picks)
    assert 'class="notice refusal"' in page_html(page)
    assert row("same-rank").done_at is None


def test_a_right_move_finishes_the_step_with_a_star(client):
    page = try_move(client, NINES, "9Sx9D+9H")
    assert "on the first try" in text_of(page)
    assert "Next: What you want most" in text_of(page)
    assert row("same-rank").has_star
    assert row("same-rank").user.is_guest


def test_a_refused_move_says_why_and_links_to_the_rule(client):
    page = try_move(client, NINES, "9SxKC")
    assert "K♣ has no number value" in text_of(page)
    assert "/rules/casino/#capture-face" in page_html(page)
    assert row("same-rank").done_at is None


def test_an_unwanted_move_shows_what_would_have_happened(client):
    page = try_move(client, NINES, "9Sx9D")
    assert "Pip takes 9♥ with 9♣" in text_of(page)
    assert "Try again" in text_of(page)
    assert 'name="text"' not in page_html(page)


def test_the_star_is_lost_by_a_mistake_and_the_step_is_not(client):
    try_move(client, NINES, "9Sx9D")
    page = try_move(client, NINES, "9Sx9D+9H")
    assert "on the first try" not in text_of(page)
    assert row("same-rank").done_at is not None
    assert not row("same-rank").has_star


def test_a_star_once_won_stays(client):
    try_move(client, NINES, "9Sx9D+9H")
    client.post(NINES, {"again": "1"})
    try_move(client, NINES, "9Sx9D")
    assert row("same-rank").has_star


def test_one_can_leave_in_the_middle_and_come_back(client):
    try_move(client, BUILD, "5H=8:3C")
    page = text_of(client.get(BUILD))
    assert "Pip has no eight and trails a king." in page
    assert row("first-build").line == ["5H=8:3C", "KD"]
    try_move(client, BUILD, "8Sx[8]", version=2)
    assert row("first-build").done_at is not None


def test_a_finished_step_shows_its_end_when_one_comes_back(client):
    try_move(client, NINES, "9Sx9D+9H")
    page = client.get(NINES)
    assert "Next: What you want most" in text_of(page)
    assert 'name="text"' not in page_html(page)


def test_a_move_that_is_sent_twice_counts_once(client):
    try_move(client, BUILD, "5H=8:3C")
    try_move(client, BUILD, "5H=8:3C")
    assert row("first-build").line == ["5H=8:3C", "KD"]
    assert row("first-build").is_first_try


def test_the_last_move_can_be_taken_back(client):
    try_move(client, BUILD, "5H=8:3C")
    page = client.post(BUILD, {"back": "1"})
    assert row("first-build").line == []
    assert 'value="5H=8:3C"' in page_html(page)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(["5H=8:4D"], id="illegal"),
        pytest.param(["5H=8:3C"], id="without-a-reply-that-is-new"),
        pytest.param(["5H=8:3C", "KD", "8Sx[8]", "TC", "6C"], id="longer-than-the-lesson-is-now"),
    ],
)
def test_a_line_that_a_changed_lesson_forbids_is_forgotten(client, line):
    try_move(client, BUILD, "5H=8:3C")
    LessonProgress.objects.update(line=line)
    assert 'value="5H=8:3C"' in page_html(client.get(BUILD))


def test_htmx_gets_the_lesson_without_the_page_around_it(client):
    page = page_html(try_move(client, NINES, "9SxKC", headers={"HX-Request": "true"}))
    assert page.lstrip().startswith('<div id="lesson"')
    assert "<html" not in page


def test_a_finished_hand_shows_what_was_won_and_not_the_next_deal(client):
    page = try_move(client, "/learn/casino/last-card/last-catch/", "7Dx7C")
    assert "Last to capture, takes what is left" in text_of(page)
    assert 'data-zone="won:0"' in page_html(page)
    assert 'data-zone="hand:0"' not in page_html(page)


@pytest.mark.parametrize("text", ["", "nonsense", "9" * 5000, "<script>alert(1)</script>"])
def test_nonsense_is_refused_kindly(client, text):
    page = try_move(client, NINES, text)
    assert page.status_code == 200
    assert "<script>alert" not in page_html(page)
    assert row("same-rank").done_at is None


@pytest.mark.parametrize(
    "url",
    [
        "/learn/snap/",
        "/learn/casino/no-chapter/",
        "/learn/casino/taking/no-step/",
        "/learn/casino/building/same-rank/",
        "/learn/casino/taking/same-rank/check/",
        "/rules/snap/",
    ],
)
def test_what_does_not_exist_is_not_found(client, url):
    assert client.get(url).status_code == 404


def test_every_step_has_a_page(client):
    for slug, course in library.load_courses().items():
        for chapter in course.chapters:
            assert client.get(reverse("tutorials:placement", args=[slug, chapter.id])).status_code == 200
            for step in chapter.steps:
                page = client.get(reverse("tutorials:step", args=[slug, chapter.id, step.id]))
                assert page.status_code == 200
                assert step.title in unescape(page_html(page))


# Questions


def test_a_wrong_answer_says_why_and_asks_again(client):
    page = client.post(TIE, {"answer": "0"})
    assert "You share the highest count" in text_of(page)
    assert "Next:" not in text_of(page)
    assert row("tie-for-most").done_at is None


def test_the_right_answer_finishes_the_step(client):
    page = client.post(TIE, {"answer": "2"})
    assert "Two of you share the highest count" in text_of(page)
    assert row("tie-for-most").has_star


@pytest.mark.parametrize(("marks", "is_right"), [([0, 1, 2], True), ([0, 1], False), ([0, 1, 2, 3], False)])
def test_all_right_answers_are_to_be_marked_and_nothing_else(client, marks, is_right):
    client.post(MARK_ALL, {"answer": marks})
    assert (row("what-may-i").done_at is not None) is is_right


@pytest.mark.parametrize("answer", ["", "17", "-1", "x", "²"])
def test_an_answer_that_is_not_there_changes_nothing(client, answer):
    assert client.post(TIE, {"answer": answer}).status_code == 302
    assert not LessonProgress.objects.exists()


# Practice game


def test_advice_with_its_reason_is_open_beside_a_practice_game_in_the_lesson(client):
    page = page_html(client.get(ENDGAME))
    assert '<details class="fold" open><summary>What the coach would play, and why</summary>' in page
    assert re.search(r"and why</summary><p>\w+ .+\. \w+ .+\.</p>", page)


def won_line(step):
    """The moves that end the practice game of this step."""
    line = runner.first_line(RUSSIAN_BANK, step)
    state, _ = runner.replay_line(RUSSIAN_BANK, step, line)
    while not runner.is_done(step, state, 0):
        move = runner.advised_move(RUSSIAN_BANK, step, state, line)
        line = runner.try_move(RUSSIAN_BANK, step, line, str(move)).line
        state, _ = runner.replay_line(RUSSIAN_BANK, step, line)
    return line


def test_the_end_of_a_course_deals_a_game_at_once(client):
    step = library.load_course("russian-bank").steps[-1]
    client.get(ENDGAME)
    try_move(client, ENDGAME, "nonsense")
    LessonProgress.objects.update(line=list(won_line(step)))
    page = page_html(client.get(ENDGAME))
    assert '<button type="submit" form="play-bot"' in page
    assert f'action="{reverse("games:play-now")}"' in page
    assert re.search(r'name="key" value="[^"]+"', page)


def test_the_game_after_a_course_is_against_beginners_whatever_was_chosen_before(client, house_bot):
    for level in ("first-steps", "strong"):
        house_bot(level, game="russian-bank", level=level)
    step = library.load_course("russian-bank").steps[-1]
    client.cookies["level"] = "strong"
    client.get(ENDGAME)
    try_move(client, ENDGAME, "nonsense")
    LessonProgress.objects.update(line=list(won_line(step)))
    page = page_html(client.get(ENDGAME))
    form = dict(re.findall(r'name="(key|level|after_course)" value="([^"]*)"', page))
    assert client.post(reverse("games:play-now"), {"game": "russian-bank", **form}).status_code == 302
    [bot] = [seat for seat in Table.objects.get().seats.all() if not seat.has_person]
    assert bot.level == "first-steps"
    assert client.cookies["level"].value == "strong"


def test_a_practice_game_in_the_lesson_goes_on_where_one_left(client):
    step = library.load_course("russian-bank").steps[-1]
    state = runner.opening_position(RUSSIAN_BANK, step)
    try_move(client, ENDGAME, str(runner.advised_move(RUSSIAN_BANK, step, state, ())))
    line = row("first-end").line
    assert line
    assert f'data-seq="{len(line)}"' in page_html(client.get(ENDGAME))


# Courses


def test_the_course_page_leads_to_the_first_step_that_is_not_done(client):
    assert f'href="{NINES}#lesson">Start' in page_html(client.get("/learn/casino/"))
    try_move(client, NINES, "9Sx9D+9H")
    assert "Continue: What you want most" in text_of(client.get("/learn/casino/"))


def test_the_list_of_courses_leads_back_to_where_one_left(client):
    assert "Casino, step" not in text_of(client.get("/learn/"))
    try_move(client, NINES, "9Sx9D+9H")
    page = text_of(client.get("/learn/"))
    assert "Casino, step 2: What you want most Continue" in page
    steps = len(library.load_course("casino").steps)
    assert f"1 of {steps} steps done" in page and "★" in page
    assert re.search(r"about \d+ minutes left", page)


def courses_under(client, heading):
    """The courses in this part of the list, by the addresses of their pages."""
    page = page_html(client.get("/learn/"))
    assert f"<h2>{heading}</h2>" in page
    part = page.partition(f"<h2>{heading}</h2>")[2].partition("</section>")[0]
    return re.findall(r'<h3><a href="/learn/([\w-]+)/">', part)


def test_the_list_of_courses_has_each_once_and_those_that_are_begun_first(client, person):
    every = [entry.game.slug for entry in LISTED_GAMES]
    assert courses_under(client, "Courses") == every
    try_move(client, NINES, "9Sx9D+9H")
    assert courses_under(client, "Your courses") == ["casino"]
    assert courses_under(client, "More courses") == [slug for slug in every if slug != "casino"]


def test_a_complete_course_comes_after_those_in_progress(client, person):
    alice = person("alice")
    for slug, steps in (("carousel", 1), ("casino", None)):
        progress.skip_steps(user=alice, game=slug, steps=library.load_course(slug).steps[:steps], now=timezone.now())
    client.force_login(alice)
    assert courses_under(client, "Your courses") == ["carousel", "casino"]
    page = text_of(client.get("/learn/"))
    assert "Complete" in page.partition("Casino")[2].partition("More courses")[0]


def test_the_list_of_courses_reads_the_progress_in_all_of_them_at_once(client, person):
    alice = person("alice")
    client.force_login(alice)
    client.get("/learn/")
    with CaptureQueriesContext(connection) as empty:
        client.get("/learn/")
    for slug, course in library.load_courses().items():
        progress.skip_steps(user=alice, game=slug, steps=course.steps[:1], now=timezone.now())
    with CaptureQueriesContext(connection) as begun:
        client.get("/learn/")
    rows = [query["sql"] for query in begun if "tutorials_lessonprogress" in query["sql"]]
    assert len(rows) <= 3 and len(begun) <= len(empty) + 1  # that of the course used last


def test_a_chapter_says_how_long_it_takes(client):
    assert re.search(r"about \d minutes Start this chapter: Take cards", text_of(client.get("/learn/casino/")))


def test_a_placement_question_skips_a_chapter_without_stars(client):
    assert "Skip this chapter" in text_of(client.post(PLACEMENT, {"answer": "1"}))
    assert not LessonProgress.objects.exists()
    response = client.post(PLACEMENT, {"answer": "1", "skip": "1"})
    assert urlsplit(response.url).path == "/learn/casino/"
    assert LessonProgress.objects.filter(done_at__isnull=False, is_first_try=False).count() == 6
    assert "Continue: Trailing" in text_of(client.get("/learn/casino/"))


def test_a_wrong_answer_does_not_skip(client):
    page = client.post(PLACEMENT, {"answer": "0", "skip": "1"})
    assert "sums can go in the same play" in text_of(page)
    assert not LessonProgress.objects.exists()


def test_skipping_leaves_stars_alone(client):
    try_move(client, NINES, "9Sx9D+9H")
    client.post(PLACEMENT, {"answer": "1", "skip": "1"})
    assert row("same-rank").has_star


# Whose progress it is


def test_progress_stays_when_a_guest_signs_up(client):
    try_move(client, NINES, "9Sx9D+9H")
    password = "a long and quiet evening"
    client.post(reverse("accounts:sign-up"), {"username": "Alice", "password": password})
    assert row("same-rank").user.username == "Alice"
    assert "done on the first try" in page_html(client.get("/learn/casino/"))


def test_progress_goes_along_when_a_guest_logs_in_and_overwrites_nothing(client):
    alice = User.objects.create_user("alice")
    guest = User.objects.create_user("guest", is_guest=True)
    steps = {step.id: step for step in library.load_course("casino").steps}
    for user, ids in ((alice, ["sums"]), (guest, ["sums", "same-rank"])):
        for id in ids:
            progress.store_line(user=user, game="casino", step=steps[id], line=[user.username])
    join_account(guest=guest, user=alice)
    lines = {known.step: known.line for known in LessonProgress.objects.filter(user=alice)}
    assert lines == {"sums": ["alice"], "same-rank": ["guest"]}


def test_progress_is_in_the_file_of_ones_data_and_goes_with_the_account(client):
    alice = User.objects.create_user("alice")
    progress.store_line(user=alice, game="casino", step=library.load_course("casino").steps[0], line=["9S"])
    [lesson] = export_account_data(alice)["lessons"]
    assert (lesson["game"], lesson["line"]) == ("casino", ["9S"])
    close_account(user=alice)
    assert not LessonProgress.objects.exists()


def test_nobody_sees_the_progress_of_another(client):
    try_move(client, NINES, "9Sx9D+9H")
    client.logout()
    assert "done on the first try" not in page_html(client.get("/learn/casino/"))


# Rule books


def test_the_rule_books_are_listed(client):
    assert "Casino" in text_of(client.get("/rules/"))


def test_a_search_links_to_the_rules_with_the_words_marked(client):
    page = page_html(client.get("/rules/", {"q": "capot", "game": "piquet"}))
    assert re.findall(r'<a href="(/rules/[a-z-]+/#[^"]+)', page) == [
        "/rules/piquet/#capot-after",
        "/rules/piquet/#capot-40",
    ]
    assert "<mark>capot</mark>" in page
    assert '<input type="hidden" name="game" value="piquet">' in page
    assert 'href="/rules/?q=capot"' in page


def test_a_search_in_all_books_says_of_which_game_a_rule_is(client):
    page = page_html(client.get("/rules/", {"q": "capot"}))
    links = re.findall(r'<a href="/rules/([a-z-]+)/#[^"]+"> ?([^<,]*), \d', page)
    assert dict(links) == {"piquet": "Piquet", "rubicon-piquet": "Rubicon Piquet"}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"q": "capot", "game": "piquet"}, "2 rules of Piquet."),
        ({"q": "a card"}, "These are the first 20: add a word to see fewer."),
        ({"q": "capot in the stock", "game": "piquet"}, "No rule of Piquet has all these words. The nearest:"),
        ({"q": "<b>", "game": "piquet"}, 'No rule of Piquet has "&lt;b&gt;".'),
        ({"q": "xyzzy", "game": "no-such-game"}, 'No rule has "xyzzy".'),
    ],
)
def test_a_search_says_how_much_it_found(client, asked, said):
    page = page_html(client.get("/rules/", asked))
    count = re.search(r'<p id="rule-count" role="status">(.*?)</p>', page, re.DOTALL)
    assert said in re.sub(r"\s+", " ", count[1])


def test_without_a_question_nothing_is_found(client):
    assert '<div id="rule-matches"></div>' in page_html(client.get("/rules/", {"q": "  "}))


def test_every_rule_and_ruling_has_its_anchor_once(client):
    for slug, book in library.load_rule_books().items():
        ids = re.findall(r'id="([^"]+)"', page_html(client.get(f"/rules/{slug}/")))
        assert len(ids) == len(set(ids))
        wanted = {rule.anchor for rule in (*book.rules, *book.options)}
        wanted |= {ruling.id for rule in book.rules for ruling in rule.rulings if ruling.id}
        assert wanted <= set(ids)


def test_every_link_within_a_book_leads_somewhere(client):
    for slug in library.load_rule_books():
        page = page_html(client.get(f"/rules/{slug}/"))
        assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r'id="([^"]+)"', page))


def test_the_book_shows_examples_with_their_verdicts(client):
    page = text_of(client.get("/rules/casino/"))
    assert "Allowed: Take K♦ with K♠" in page
    assert "Not allowed: Take K♦ K♥ with K♠" in page


def test_the_book_shows_a_range_by_its_ends_and_the_default(client):
    page = page_html(client.get("/rules/piquet/"))
    lists = re.findall(r'<ul class="option-choices bare">(.*?)</ul>', page, re.DOTALL)
    target, double = (re.findall(r"<li[^>]*>\s*([^<]*?)\s*<", one) for one in lists[:2])
    assert (target, double) == (["50 to 500", "100"], ["off", "half of the target", "1 to 500", "50"])


def test_the_book_leads_to_the_lesson_of_a_rule(client):
    assert f'href="{NINES}"' in page_html(client.get("/rules/casino/"))


# What a screen reader hears


def test_cards_of_an_answer_are_a_list_and_those_of_the_steps_decoration(client):
    page = page_html(client.get("/learn/piquet/exchange/left/"))
    assert 'role="img" aria-label="ace of hearts, ten of diamonds"' in page
    steps = page.partition("Steps of")[2].partition("</ol>")[0]
    assert 'aria-hidden="true"' in steps and 'role="img"' not in steps


def test_every_answer_says_why_once_all_right_ones_are_marked(client):
    wrong, right = client.post(MARK_ALL, {"answer": [0]}), client.post(MARK_ALL, {"answer": [0, 1, 2]})
    question = next(step for step in library.load_course("casino").steps if step.id == "what-may-i").question
    assert text_of(wrong).count("Not quite.") == 1 and page_html(wrong).count('class="because"') == 1
    assert page_html(right).count('class="because"') == len(question.answers) > len(question.right)
    assert "Right." in text_of(right)


def test_after_a_step_no_player_is_to_move(client):
    assert "to move" in text_of(client.get(NINES))
    done = select(client, NINES, "9S", "9D", "9H")
    assert "Next:" in text_of(done) and "to move" not in text_of(done)
