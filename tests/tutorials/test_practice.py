"""Practice games: the last step of a course is a short game at a table, with the adviser's reasons beside each move."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from games import bots, services, tasks
from games.models import Table
from games.services.common import outcome_of
from games.signals import table_finished
from tests.fingers import play_offer
from tests.pages import page_html, page_words
from tutorials import practice
from tutorials.content import library
from tutorials.models import LessonProgress

pytestmark = pytest.mark.django_db

STEP = "/learn/casino/first-game/first-hand/"
PLAY = f"{STEP}play/"
AT_TABLES = {slug: step for slug, course in library.load_courses().items() if (step := course.steps[-1]).is_at_table}


@pytest.fixture
def seated(house_bot):
    """`seated("casino")`: bots for the practice game of this course."""

    def make(slug):
        for name in ("Ada", "Ben", "Cleo")[: AT_TABLES[slug].practice.seats - 1]:
            house_bot(name, game=slug)

    return make


def play_out(table, state_of):
    """Quick bots move for all until the game is over."""
    bot, rng = bots.bot(table.game, "first-steps"), Random(3)
    while not table.is_over:
        state = state_of(table)
        seat = state.to_act[0]
        move = bot.choose(state.view(seat), rng)
        services.play_move(table_id=table.pk, seat=seat, text=str(move), version=table.version)
        table = Table.objects.get(pk=table.pk)
    return table


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize("slug", AT_TABLES)
def test_a_practice_game_is_unrated_against_beginners_and_may_end_after_a_hand(slug, seated, person, state_of):
    seated(slug)
    alice = person("alice")
    table = practice.open_practice_table(user=alice, game=slug, step=AT_TABLES[slug], path="/", shuffles=False)
    assert (table.is_rated, table.is_private, table.status) == (False, True, Table.Status.RUNNING)
    assert {seat.level for seat in table.seats.all() if seat.user != alice} == {"first-steps"}
    if table.deals is None:
        return
    state, bot, rng = state_of(table), bots.bot(slug, "first-steps"), Random(slug)
    while not state.results:
        state.play(state.to_act[0], bot.choose(state.view(state.to_act[0]), rng))
    assert outcome_of(table, state)


def test_the_button_deals_one_game_and_leads_back_to_it(client, seated):
    seated("casino")
    assert "Start the practice game" in page_words(client.get(STEP))
    first = client.post(PLAY).url
    assert Table.objects.get().get_absolute_url() == first
    assert "Continue your game" in page_words(client.get(STEP))
    assert client.post(PLAY).url == first
    assert Table.objects.count() == 1


def test_the_players_of_the_lessons_are_seated_where_they_sit_there(client, house_bot):
    for name in ("Ned", "Kit", "Crib", "Pip", "Talon", "Dot", "Fay"):
        house_bot(name, game="push")
    client.post("/learn/push/whole-game/first-deal/play/")
    assert Table.objects.get().names[1:] == ["Pip", "Dot", "Kit"]


def test_without_a_free_bot_the_page_says_so(client):
    answer = client.post(PLAY, follow=True)
    assert "No bot of this level is free" in page_words(answer)
    assert not Table.objects.exists()


def test_a_game_that_was_resigned_ends_no_step(client, seated, person, eager_tasks):
    seated("casino")
    client.post(PLAY)
    table = Table.objects.get()
    player = next(seat.user for seat in table.seats.all() if seat.has_person)
    services.leave_table(table_id=table.pk, user=player)
    assert "Start the practice game" in page_words(client.get(STEP))
    assert client.post(PLAY).url != table.get_absolute_url()


def test_a_step_in_the_lesson_has_no_table(client):
    assert client.post("/learn/casino/taking/same-rank/play/").status_code == 404
    assert client.post("/learn/russian-bank/first-game/first-end/play/").status_code == 404


def test_a_table_of_another_kind_ends_no_step(table_of, play_on):
    table = play_on(table_of("alice", "bob"))
    practice.finish_practice(table.pk)
    assert not LessonProgress.objects.exists()


def test_the_reasons_come_with_the_board_and_without_script_after_a_press(client, seated, state_of, play_on):
    seated("casino")
    client.post(PLAY)
    table = Table.objects.get()
    player = next(seat for seat in table.seats.all() if seat.has_person)
    while player.number not in state_of(table).to_act:
        table = play_on(table, 1)
    page = page_html(client.get(table.get_absolute_url()))
    hint = f"/tables/{table.code}/hint/"
    assert re.search(rf'id="advice" class="advice" hx-post="{hint}" hx-trigger="load"', page)
    assert re.search(rf'action="{hint}" class="no-js"', page)
    for answer in (client.post(hint), client.post(hint, headers={"HX-Request": "true"})):
        assert re.search(r"What the coach would play, and why (Take|Trail|Build) \S.*\. \S+", page_words(answer))


def test_a_practice_game_leads_back_to_its_course_and_on_to_a_game(client, seated, state_of, eager_tasks):
    seated("casino")
    client.post(PLAY)
    table = play_out(Table.objects.get(), state_of)
    page = page_html(client.get(f"/tables/{table.code}/result/"))
    assert f'href="{STEP}#lesson">Back to the course' in page
    assert re.search(r"Play a game\s*</button>", page) and "Rematch" not in page
    game = client.post(f"/tables/{table.code}/rematch/").url
    following = Table.objects.get(code=game.split("/")[2])
    assert (following.deals, following.lesson_path) == (None, "")
    table_finished.send(sender=Table, table_id=table.pk)
    page = page_words(client.get(STEP))
    assert "That was a hand of Casino" in page and "Learn another game" in page and "Play it again" in page


def test_a_game_of_one_deal_ends_without_a_trace_of_the_next_one(table_of, state_of, as_user, person):
    table = play_out(table_of("alice", "bob", game="cuarenta", deals=1, secret=bytes([1]) * 32), state_of)
    state = state_of(table)
    (hand,) = state.results
    assert tuple(state.view(None).scores) != hand.points  # of the next deal a ronda has scored already
    alice = as_user(person("alice"))
    alice.post(f"{table.get_absolute_url()}seen/", {"hand": 1})
    page = alice.get(table.get_absolute_url())
    scores = re.findall(r'data-score="\d">(\d+)', page_html(page))
    assert sorted(map(int, scores)) == sorted(hand.points)
    low, high = sorted(hand.points)
    assert f"wins, {high} to {low}" in page_words(page) or f"win, {high} to {low}" in page_words(page)
    assert "Captured" in page_words(page)


def test_a_practice_game_is_played_on_a_phone(live_url, new_context, seated, state_of, eager_tasks, axe):
    seated("casino")
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(live_url + STEP)
    page.get_by_role("button", name="Start the practice game").click()
    page.wait_for_selector(".hand")
    table = Table.objects.get()
    for is_open in (True, False):
        if not page.locator(".choice").count():
            tasks.play_bot(table.pk)
        page.wait_for_selector(".choice", state="attached")
        advice = page.locator("[data-coach]")
        expect(advice).to_have_attribute("open", "") if is_open else expect(advice).not_to_have_attribute("open", "")
        if page.locator(".last-move").count():
            expect(page.locator(".last-move")).to_be_visible()  # what the bot did stays above the coach's words
            assert page.locator(".last-move").bounding_box()["y"] < advice.bounding_box()["y"]
        if is_open:
            expect(advice).to_contain_text(re.compile(r"(Take|Trail|Build) .+\. \S+"))
            axe(page)
            page.get_by_text("What the coach would play, and why").click()
        before = page.locator("#board").get_attribute("data-moves")
        play_offer(page, page.locator(".choice").first)
        expect(page.locator("#board")).not_to_have_attribute("data-moves", before)
        has_seen_a_move = page.locator(".last-move").count() > 0
    assert has_seen_a_move
    play_out(Table.objects.get(), state_of)
    page.goto(live_url + table.get_absolute_url())
    page.get_by_role("button", name="Result").click()
    axe(page)
    page.get_by_role("link", name="Back to the course").click()
    expect(page.get_by_text("That was a hand of Casino.")).to_be_visible()
    axe(page)
