"""Reviews: what becomes an item, when it comes back, and the page on which it is answered."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.services import close_account, export_account_data, join_account
from games import engines
from tests.games.open_cards import named
from tests.pages import page_html, page_words
from tutorials import drill_stock, progress, reviews
from tutorials.content import library
from tutorials.drills.questions import fresh_source, question_of
from tutorials.models import Drill, DrillStock, ReviewAnswer, ReviewItem
from tutorials.tasks import note_refused_move

from .test_drills import BUILDER

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

LESSON, REVIEW, TABLE = ReviewAnswer.Source.LESSON, ReviewAnswer.Source.REVIEW, ReviewAnswer.Source.TABLE
MONDAY = datetime(2026, 3, 2, 19, tzinfo=UTC)
DAY = timedelta(days=1)
URL = "/learn/review/"


def missed(user, rule="build-hold", game="casino", *, at=None):
    """An item that was missed long enough ago to be due."""
    reviews.note_missed_rule(user, game, rule, source=LESSON, now=at or timezone.now() - 2 * DAY)
    return ReviewItem.objects.get(user=user, game=game, rule=rule)


def stocked(fresh=BUILDER, game="casino"):
    return Drill.objects.create(game=game, rule=fresh.rule, seed=1, source=fresh_source(fresh))


def form_of(page) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(item|answers|key)" value="([^"]*)">', page_html(page)))


def answer(own, mark, **changed):
    """Answers the question that the page shows."""
    return own.post(URL, {**form_of(own.get(URL)), "answer": mark, **changed})


# What becomes an item


def test_a_missed_rule_comes_back_the_next_day(ann):
    item = missed(ann, at=MONDAY)
    assert reviews.due_items(ann, now=MONDAY + timedelta(hours=12)) == []
    assert reviews.due_items(ann, now=MONDAY + DAY) == [item]


def test_a_rule_that_is_missed_twice_in_a_session_counts_once(ann):
    missed(ann, at=MONDAY)
    missed(ann, at=MONDAY + timedelta(hours=1))
    assert ReviewAnswer.objects.count() == 1


def test_a_rule_that_is_missed_again_comes_back_sooner(ann):
    item = missed(ann, at=MONDAY)
    for day in (1, 2, 5):
        item = reviews.answer_item(
            user=ann, item_id=item.pk, answers=item.answers, is_right=True, now=max(MONDAY + day * DAY, item.due_at)
        )
    assert item.due_at > MONDAY + 9 * DAY
    assert missed(ann, at=MONDAY + 8 * DAY).due_at < MONDAY + 10 * DAY


@pytest.mark.parametrize(("game", "rule"), [("casino", "no-such-rule"), ("snap", "build-hold")])
def test_what_is_no_rule_is_ignored(ann, game, rule):
    reviews.note_missed_rule(ann, game, rule, source=LESSON, now=MONDAY)
    assert not ReviewItem.objects.exists()


def test_a_mistake_in_a_lesson_makes_an_item_once(client):
    for _ in range(2):
        client.post("/learn/casino/taking/same-rank/", {"text": "9Sx9D", "version": 0})
    [item] = ReviewItem.objects.all()
    step = next(step for step in library.load_course("casino").steps if step.id == "same-rank")
    assert (item.game, item.rule, item.answers) == ("casino", step.rules[0], 1)


def test_a_wrong_answer_brings_the_rule_that_decides_the_question(client):
    """Who leads to the second deal's first trick? It brought how many cards each player gets."""
    client.post("/learn/piquet/exchange/roles/", {"answer": "0"})
    assert [item.rule for item in ReviewItem.objects.all()] == ["elder-younger"]


def test_a_step_that_is_done_may_be_played_wrong(ann):
    step = library.load_course("casino").steps[0]
    progress.finish_step(user=ann, game="casino", step=step, now=MONDAY)
    progress.lose_star(user=ann, game="casino", step=step)
    assert not ReviewItem.objects.exists()


def test_a_refused_move_at_a_table_makes_an_item(
    table_of, person, as_user, state_of, eager_tasks, django_capture_on_commit_callbacks
):
    table = table_of("alice", "bob")
    card = state_of(table).view(1).zones[-1].cards[0]
    with django_capture_on_commit_callbacks(execute=True):
        as_user(person("alice")).post(f"/tables/{table.code}/moves/", {"version": table.version, "text": card})
    [item] = ReviewItem.objects.all()
    assert (item.user, item.game, item.rule) == (person("alice"), "casino", "one-card")
    assert item.history.get().source == TABLE


def test_asking_why_makes_an_item(table_of, person, as_user, state_of, eager_tasks, django_capture_on_commit_callbacks):
    table = table_of("alice", "bob")
    hand = state_of(table).view(0).hand
    with django_capture_on_commit_callbacks(execute=True):
        as_user(person("alice")).get(f"/tables/{table.code}/why/", {"pick": hand[:2]})
    assert [item.rule for item in ReviewItem.objects.all()] == ["one-card"]


def test_a_move_out_of_turn_makes_none(
    table_of, person, as_user, state_of, eager_tasks, django_capture_on_commit_callbacks
):
    table = table_of("alice", "bob")
    card = state_of(table).view(1).hand[0]
    with django_capture_on_commit_callbacks(execute=True):
        as_user(person("bob")).post(f"/tables/{table.code}/moves/", {"version": table.version, "text": card})
    assert not ReviewItem.objects.exists()


def test_a_closed_account_is_not_asked_again(ann):
    User.objects.filter(pk=ann.pk).update(is_active=False)
    note_refused_move(ann.pk, "casino:one-card")
    assert not ReviewItem.objects.exists()


# A fortnight


def test_a_fortnight_of_reviews(ann):
    """Two rules that stay known come back ever more rarely; one that is missed now and then stays close."""
    easy, other, hard = missed(ann, at=MONDAY), missed(ann, "trail", at=MONDAY), missed(ann, "capture-sum", at=MONDAY)
    asked: dict[int, list[int]] = {easy.pk: [], other.pk: [], hard.pk: []}
    for day in range(1, 15):
        now = MONDAY + day * DAY
        for item in reviews.due_items(ann, now=now):
            asked[item.pk].append(day)
            is_right = item.pk != hard.pk or len(asked[hard.pk]) % 2 == 0
            reviews.answer_item(user=ann, item_id=item.pk, answers=item.answers, is_right=is_right, now=now)
    assert asked[easy.pk] == asked[other.pk]
    gaps = [later - sooner for sooner, later in zip(asked[easy.pk], asked[easy.pk][1:], strict=False)]
    assert asked[easy.pk][0] == 1
    assert gaps == sorted(gaps)
    assert len(asked[easy.pk]) < len(asked[hard.pk])
    assert ReviewAnswer.objects.filter(item=easy, source=REVIEW, is_right=True).count() == len(asked[easy.pk])
    due = reviews.due_reviews(ann, now=MONDAY + 14 * DAY)
    assert (due.items, due.minutes) == (0, 0)
    assert due.next_at == min(ReviewItem.objects.values_list("due_at", flat=True))


def test_five_items_take_about_three_minutes(ann):
    for rule in ("build-hold", "trail", "capture-sum", "score-aces", "players"):
        missed(ann, rule)
    due = reviews.due_reviews(ann, now=timezone.now())
    assert (due.items, due.minutes) == (5, 3)


# The page


def test_home_and_the_list_of_courses_say_what_is_due(own, ann):
    for page in ("/", "/learn/"):
        assert "to review today" not in page_words(own.get(page))
    missed(ann)
    for page in ("/", "/learn/"):
        assert "1 to review today, about 1 minute" in page_words(own.get(page))


def test_a_visitor_has_nothing_to_review(client):
    assert "Nothing to review" in page_words(client.get(URL))
    assert not User.objects.exists()


def test_an_item_shows_a_fresh_position_as_its_seat_sees_it(own, ann):
    missed(ann)
    stocked()
    page = own.get(URL)
    assert "Build 9 from" in page_words(page)
    shown = named(re.sub(r"<head>.*?</head>", "", page_html(page)))
    assert {"5H", "8S", "6C", "3C", "4D", "QH"} <= shown
    assert shown.isdisjoint({"KD", "TC", "QS"})


def test_the_table_of_an_item_says_who_the_partner_is(own, ann):
    hands = BUILDER.position["hands"] | {"2": "9D 9C 2H", "3": "JS JH 2C"}
    position = BUILDER.position | {"seats": 4, "options": {"partners": True}, "hands": hands}
    missed(ann)
    stocked(replace(BUILDER, position=position))
    plates = own.get(URL).context["board"].others
    assert [(plate.name, plate.side) for plate in plates if "partner" in plate.note] == [("Dot", 0)]
    assert [plate.side for plate in plates] == [1, 0, 1]


def test_a_rule_without_a_position_asks_by_a_step_that_teaches_it(own, ann):
    missed(ann)
    page = own.get(URL)
    source = drill_stock.step_sources("casino", "build-hold")[0]
    assert source in drill_stock.step_sources("casino", "build-hold")
    assert 'name="answer"' in page_html(page)


def test_a_right_answer_puts_the_rule_off_and_shows_it(own, ann):
    item = missed(ann)
    stocked()
    page = answer(own, "0")
    assert "Right. This rule comes back" in page_words(page)
    assert "/rules/casino/#build-hold" in page_html(page)
    item.refresh_from_db()
    assert item.due_at > timezone.now() + DAY
    assert item.history.filter(source=REVIEW, is_right=True).exists()


def test_a_wrong_answer_says_why_and_shows_the_right_one(own, ann):
    item = missed(ann)
    stocked()
    page = answer(own, "1")
    assert "Not quite." in page_words(page)
    assert "To build 9 you must keep a card worth 9" in page_words(page)
    item.refresh_from_db()
    assert timezone.now() < item.due_at < timezone.now() + DAY


def test_the_end_sums_up_and_says_when_the_next_is_due(own, ann):
    missed(ann), stocked()
    assert "Review, 1 left" in page_words(own.get(URL))
    assert "Review, 0 left" in page_words(answer(own, "1"))
    page = page_words(own.get(URL))
    assert "You got 0 of 1 right." in page
    assert "Your next review is due" in page
    assert "Casino, rule" in page


def test_each_time_another_position_is_shown(own, ann):
    item = missed(ann)
    drills = [stocked().pk for _ in range(3)]
    sources = Drill.objects.in_bulk(drills)
    for number, drill in enumerate(sources.values()):
        drill.source["number"] = number
        drill.save()
    listed = drill_stock.sources_of("casino", "build-hold")
    seen = [drill_stock.pick_source(listed, seed=f"review {item.pk}", turn=turn)["number"] for turn in range(6)]
    assert sorted(seen[:3]) == [0, 1, 2]
    assert seen[:3] == seen[3:]


def test_an_answer_that_is_sent_twice_counts_once(own, ann):
    item = missed(ann)
    stocked()
    sent = {**form_of(own.get(URL)), "answer": "0"}
    own.post(URL, sent)
    due = ReviewItem.objects.get().due_at
    again = own.post(URL, sent, follow=True)
    assert "answered this question already" in page_words(again)
    item.refresh_from_db()
    assert (item.answers, item.due_at) == (2, due)


def test_an_answer_to_a_question_that_has_changed_counts_nothing(own, ann):
    missed(ann)
    drill = stocked()
    sent = {**form_of(own.get(URL)), "answer": "0"}
    drill.source = fresh_source(BUILDER) | {"right": 1}
    drill.save()
    assert "has changed" in page_words(own.post(URL, sent, follow=True))
    assert ReviewItem.objects.get().answers == 1


@pytest.mark.parametrize(
    "sent", [{"item": "9" * 30}, {"item": "x"}, {"answers": "7"}, {"answer": "17"}, {"answer": ""}]
)
def test_nonsense_changes_nothing(own, ann, sent):
    missed(ann)
    stocked()
    page = answer(own, **({"mark": "0"} | sent if "answer" not in sent else {"mark": sent["answer"]}))
    assert page.status_code == 302
    assert ReviewItem.objects.get().answers == 1


def test_an_item_of_another_is_not_answered(client, own, ann):
    item = missed(ann)
    bob = User.objects.create_user("bob")
    other = missed(bob)
    stocked()
    answer(own, "0", item=str(other.pk))
    assert list(ReviewItem.objects.values_list("answers", flat=True)) == [1, 1]
    with pytest.raises(ReviewItem.DoesNotExist):
        reviews.answer_item(user=bob, item_id=item.pk, answers=1, is_right=True, now=timezone.now())


def test_an_item_that_is_not_due_is_not_answered(ann):
    item = missed(ann, at=MONDAY)
    with pytest.raises(reviews.AlreadyAnswered):
        reviews.answer_item(user=ann, item_id=item.pk, answers=1, is_right=True, now=MONDAY)


def test_a_rule_without_any_question_is_shown_and_the_reader_says(own, ann):
    [rule] = [rule for rule in ("deal-last",) if not drill_stock.sources_of("royal-casino", rule)]
    missed(ann, rule, "royal-casino")
    page = own.get(URL)
    assert "I knew this" in page_words(page)
    own.post(URL, {**form_of(page), "knew": "1"})
    assert ReviewAnswer.objects.filter(source=REVIEW, is_right=True).count() == 1


def test_the_page_reads_the_database_as_often_for_many_items_as_for_few(own, ann, django_assert_max_num_queries):
    for rule in sorted(library.rule_ids("casino"))[:25]:
        missed(ann, rule)
    own.get(URL)
    with django_assert_max_num_queries(12):
        page = own.get(URL)
    assert "Review, 25 left" in page_words(page)
    assert "25 to review today, about 15 minutes" in page_words(own.get("/learn/"))


def test_rules_that_are_no_longer_in_their_books_keep_no_other_waiting(own, ann):
    long_ago = timezone.now() - 9 * DAY
    ReviewItem.objects.bulk_create(
        ReviewItem(user=ann, game=game, rule=f"gone-{number}", due_at=long_ago)
        for game, number in [("no-game", 0), *(("casino", number) for number in range(20))]
    )
    assert reviews.due_reviews(ann, now=timezone.now()) == reviews.DueReviews(0, None)
    missed(ann)
    assert reviews.due_reviews(ann, now=timezone.now()).items == 1
    assert "Review, 1 left" in page_words(own.get(URL))
    answer(own, "0")
    assert ReviewAnswer.objects.filter(source=REVIEW).count() == 1


def test_the_book_shows_which_rules_are_known_learned_and_due(own, ann, django_assert_max_num_queries):
    missed(ann, "build-hold"), missed(ann, "trail", at=timezone.now())
    progress.finish_step(user=ann, game="casino", step=library.load_course("casino").steps[0], now=timezone.now())
    taught = library.load_course("casino").steps[0].rules
    states = reviews.rule_states(ann, "casino", now=timezone.now())
    assert states == {"build-hold": "due", "trail": "learning", **dict.fromkeys(taught, "known")}
    with django_assert_max_num_queries(8):
        page = page_html(own.get("/rules/casino/"))
    assert page.count('class="rule-state is-due"') == 1
    assert page.count('class="rule-state is-learning"') == 1
    assert page.count('class="rule-state is-known"') == len(taught)


def test_the_book_shows_a_visitor_no_progress(client):
    assert "rule-state" not in page_html(client.get("/rules/casino/"))


# Whose items they are


def test_a_guests_items_go_along_and_overwrite_nothing(ann):
    guest = User.objects.create_user("guest", is_guest=True)
    kept = missed(ann, "trail")
    missed(guest, "trail"), missed(guest, "build-hold")
    join_account(guest=guest, user=ann)
    assert set(ann.review_items.values_list("rule", flat=True)) == {"trail", "build-hold"}
    assert kept in ann.review_items.all()


def test_items_are_in_the_export_and_go_with_the_account(ann):
    missed(ann)
    data = export_account_data(ann)
    assert [row["rule"] for row in data["reviews"]] == ["build-hold"]
    assert [row["source"] for row in data["review answers"]] == ["lesson"]
    close_account(user=ann)
    assert not ReviewItem.objects.exists() and not ReviewAnswer.objects.exists()


# The stock


def test_the_stock_is_filled_game_by_game_and_waits_then(ann):
    games = library.games_with("rules.md")
    DrillStock.objects.bulk_create(DrillStock(game=game, due_at=MONDAY + DAY) for game in games if game != "casino")
    assert drill_stock.restock(now=MONDAY) == "casino"
    assert {drill.seed for drill in Drill.objects.filter(game="casino")} == {1}
    assert drill_stock.restock(now=MONDAY) == ""
    assert drill_stock.restock(now=MONDAY + drill_stock.FILLING) == "casino"
    assert {drill.seed for drill in Drill.objects.filter(game="casino")} == {1, 2}
    assert all(question_of(engines.get("casino"), drill.source) for drill in Drill.objects.all())


def test_a_game_that_cannot_be_played_to_its_end_is_not_tried_again_with_the_same_cards(ann):
    games = library.games_with("rules.md")
    DrillStock.objects.bulk_create(DrillStock(game=game, due_at=MONDAY + DAY) for game in games)
    stock = DrillStock.objects.create(game="no-game", due_at=MONDAY)
    with pytest.raises(KeyError):
        drill_stock.restock(now=MONDAY)
    stock.refresh_from_db()
    assert stock.seed == 2


def test_a_full_stock_drops_the_oldest_positions(ann):
    old = [stocked().pk for _ in range(drill_stock.MOST_OF_A_RULE)]
    drill_stock.add_seed(game="casino", seed=1)
    new = Drill.objects.filter(rule="build-hold", seed=1).exclude(pk__in=old).count()
    assert new
    kept = set(Drill.objects.filter(rule="build-hold").values_list("pk", flat=True))
    assert len(kept) == drill_stock.MOST_OF_A_RULE
    assert kept & set(old) == set(old[new:])
