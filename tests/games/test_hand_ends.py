"""The end of a hand: it is shown until each player has seen it, and clocks and bots rest meanwhile."""

import json
import re
import time
from datetime import datetime
from random import Random

import pytest
import redis
from django.conf import settings
from django.urls import reverse

from games import bots, engines, services
from games.core import deals
from games.core.cards import CARD_IN_TEXT
from games.core.shows import end_of_hand, zones_after
from games.models import Table
from games.presentation import table_page
from games.presentation.board import build_board
from games.presentation.hand_show import show_view, stage_lines
from games.record.hand_ends import hand_end
from games.services import TableError
from tests.pages import page_html


@pytest.fixture
def to_the_end_of_a_hand(play_on, state_of):
    """`to_the_end_of_a_hand(table)`: plays on, people and bots alike, until one more hand is over."""

    def play(table):
        hands = len(state_of(table).results)
        while len(state_of(table).results) == hands:
            table = play_on(table, 1)
        return table

    return play


@pytest.fixture
def alone(person, house_bot):
    """A running game of Sixty-Six of alice, in seat 0, with a bot."""
    house_bot("Robo", "sixty-six")
    table = services.open_table(game="sixty-six", seats=2, options=None, created_by=person("alice"))
    services.sit_down(table_id=table.pk, user=person("alice"), seat=0)
    return services.seat_bot(table_id=table.pk, level="first-steps")


def seen(table, user, hand=1):
    return services.see_hand(table_id=table.pk, user=user, hand=hand)


def timers(table):
    return Table.objects.get(pk=table.pk).timers


def is_shown(browser, table):
    return 'data-show="1"' in page_html(browser.get(table.get_absolute_url()))


def test_bots_wait_until_the_person_alone_with_them_has_seen_the_hand(alone, person, to_the_end_of_a_hand, state_of):
    table = to_the_end_of_a_hand(alone)
    before = state_of(table).dump()
    for _ in range(3):
        services.play_bot(table_id=table.pk)
    assert state_of(table).dump() == before
    assert Table.objects.get(pk=table.pk).bot_due_at is None

    table = seen(table, person("alice"))
    waits_for_bot = 1 in state_of(table).waiting_on
    assert (table.bot_due_at is not None) == waits_for_bot
    services.play_bot(table_id=table.pk)
    assert (state_of(table).dump() != before) == waits_for_bot


@pytest.fixture
def start_of_bot(transactional_db):
    """`start_of_bot()`: when the last task for a bot that waits in the broker may start, as a POSIX time."""
    url = settings.CELERY_BROKER_URL.replace("redis+socket", "unix").replace("virtual_host", "db")
    with redis.Redis.from_url(url) as broker:

        def start():
            headers = [json.loads(message)["headers"] for message in broker.lrange("default", 0, -1)]
            bots = [header["eta"] for header in headers if header["task"] == "games.tasks.play_bot"]
            return datetime.fromisoformat(bots[0]).timestamp()

        yield start


@pytest.mark.parametrize(("pace", "pause"), [("relaxed", 1.6), ("normal", 0.8), ("quick", 0.3)])
def test_bots_move_at_the_pace_of_the_person_alone_with_them(
    pace, pause, start_of_bot, alone, person, as_user, state_of
):
    alice = as_user(person("alice"))
    alice.cookies["pace"] = pace
    while state_of(alone).waiting_on == (1,):
        services.play_bot(table_id=alone.pk)
    while state_of(alone).waiting_on == (0,):
        table, before = Table.objects.get(pk=alone.pk), time.time()
        text = str(state_of(table).legal_moves(0)[0])
        alice.post(reverse("games:move", args=[table.code]), {"version": table.version, "text": text})
    assert Table.objects.get(pk=table.pk).pace == pace
    assert before + pause <= start_of_bot() <= time.time() + pause


def test_who_goes_on_to_the_next_hand_says_their_pace(alone, person, as_user, to_the_end_of_a_hand):
    table, alice = to_the_end_of_a_hand(alone), as_user(person("alice"))
    alice.cookies["pace"] = "quick"
    alice.post(reverse("games:seen", args=[table.code]), {"hand": 1})
    assert Table.objects.get(pk=table.pk).pace == "quick"


def test_between_people_no_preference_hurries_a_bot(table_of, person, as_user, state_of):
    table = table_of("alice", "bob", "carol")
    services.leave_table(table_id=table.pk, user=person("carol"))
    table = Table.objects.with_seats().get(pk=table.pk)
    mover = state_of(table).to_act[0]
    text = str(state_of(table).legal_moves(mover)[0])
    services.play_move(table_id=table.pk, seat=mover, text=text, version=table.version, pace="quick")
    assert Table.objects.get(pk=table.pk).pace == "normal"


def test_a_second_acknowledgement_changes_nothing(alone, person, to_the_end_of_a_hand):
    table = seen(to_the_end_of_a_hand(alone), person("alice"))
    assert seen(table, person("alice")).version == table.version
    assert seen(table, person("alice"), hand=7).version == table.version


def test_spectators_cannot_acknowledge(alone, person, to_the_end_of_a_hand):
    table = to_the_end_of_a_hand(alone)
    with pytest.raises(services.TableError, match="You don't have a seat at this table"):
        seen(table, person("eve"))


def test_the_clock_rests_between_people_until_both_have_seen_the_hand(table_of, person, to_the_end_of_a_hand, state_of):
    table = to_the_end_of_a_hand(table_of("alice", "bob", game="sixty-six", base_seconds=300))
    [mover] = state_of(table).waiting_on
    [start] = [timer.since for timer in timers(table) if timer.since is not None]
    assert start == table.rests_until.timestamp() > time.time()
    assert seen(table, person("alice")).rests_until is not None
    table = seen(table, person("bob"))
    assert table.rests_until is None
    assert timers(table)[mover].since < start


def test_each_clock_starts_when_its_player_has_seen_the_hand(table_of, person, to_the_end_of_a_hand, state_of):
    table = to_the_end_of_a_hand(table_of("alice", "bob", game="sixty-six", base_seconds=300))
    [mover] = state_of(table).waiting_on
    resting = timers(table)[mover].since
    table = seen(table, person(["alice", "bob"][1 - mover]))
    assert timers(table)[mover].since == resting
    table = seen(table, person(["alice", "bob"][mover]))
    assert timers(table)[mover].since < resting


def test_a_hand_of_a_game_over_days_stops_no_clock(table_of, to_the_end_of_a_hand, state_of):
    table = to_the_end_of_a_hand(table_of("alice", "bob", game="sixty-six", move_seconds=86_400))
    assert table.rests_until is None
    assert [timer.since is not None for timer in timers(table)] == [
        seat in state_of(table).waiting_on for seat in (0, 1)
    ]


def test_a_move_counts_as_having_seen_the_hand(table_of, to_the_end_of_a_hand, play_on, state_of):
    table = to_the_end_of_a_hand(table_of("alice", "bob", game="sixty-six"))
    [mover] = state_of(table).waiting_on
    table = play_on(table, 1)
    assert [seat.hands_seen for seat in table.seats.all()] == [int(seat == mover) for seat in (0, 1)]


def test_the_table_shows_the_end_of_the_hand_until_it_is_acknowledged(table_of, person, as_user, to_the_end_of_a_hand):
    table = to_the_end_of_a_hand(table_of("alice", "bob", game="sixty-six"))
    alice, bob, eve = (as_user(person(name)) for name in ("alice", "bob", "eve"))
    assert is_shown(alice, table) and is_shown(bob, table) and is_shown(eve, table)
    answer = alice.post(reverse("games:seen", args=[table.code]), {"hand": "1"})
    assert answer.headers["Location"] == table.get_absolute_url()
    assert not is_shown(alice, table) and is_shown(bob, table) and is_shown(eve, table)
    board = bob.post(reverse("games:seen", args=[table.code]), {"hand": "1"}, headers={"HX-Request": "true"})
    assert 'id="board"' in page_html(board)
    assert not is_shown(bob, table) and not is_shown(eve, table)


def test_a_hand_that_is_no_number_is_refused_and_stays(table_of, person, as_user, to_the_end_of_a_hand):
    table = to_the_end_of_a_hand(table_of("alice", "bob", game="sixty-six"))
    alice = as_user(person("alice"))
    answer = alice.post(reverse("games:seen", args=[table.code]), {"hand": "first"})
    assert answer.status_code == 422
    assert "This game has no such hand." in page_html(answer)
    assert is_shown(alice, table)


def test_the_last_hand_is_shown_before_the_result(table_of, person, as_user, play_on):
    table = play_on(table_of("alice", "bob", game="sixty-six"))
    alice = as_user(person("alice"))
    page = page_html(alice.get(table.get_absolute_url()))
    assert "data-show=" in page and ">Result<" in page and "Score sheet" not in page
    hands = re.search(r'data-show="(\d+)"', page)[1]
    alice.post(reverse("games:seen", args=[table.code]), {"hand": hands})
    page = page_html(alice.get(table.get_absolute_url()))
    assert "data-show=" not in page and "Score sheet" in page


def test_after_the_last_hand_the_table_stays_as_it_was_counted(table_of, person, as_user, play_on, state_of):
    table = play_on(table_of("alice", "bob", game="sixty-six"))
    hand = len(state_of(table).results)
    for name in ("alice", "bob"):
        seen(table, person(name), hand)
    page = page_html(as_user(person("alice")).get(table.get_absolute_url()))
    end = hand_end(Table.objects.with_seats().get(pk=table.pk), hand)
    zones = zones_after(table.rules.show(end))
    assert set(re.findall(r'data-card="(\w+)"', page)) >= {zone.cards[-1] for zone in zones if zone.cards}
    assert "The biggest swing: in hand" in page and "has-result" in page


def test_a_game_that_was_given_up_shows_its_result_at_once(table_of, person, as_user, to_the_end_of_a_hand):
    table = to_the_end_of_a_hand(table_of("alice", "bob", game="sixty-six"))
    services.resign(table_id=table.pk, user=person("bob"))
    assert not is_shown(as_user(person("alice")), table)


def test_a_hand_can_be_looked_at_again(table_of, person, as_user, to_the_end_of_a_hand):
    table = to_the_end_of_a_hand(table_of("alice", "bob", game="sixty-six"))
    seen(table, person("alice"))
    alice, address = as_user(person("alice")), reverse("games:hand", args=[table.code, 1])
    assert address in page_html(alice.get(table.get_absolute_url()))
    again = page_html(alice.get(address))
    assert 'data-show="1"' in again and table.get_absolute_url() in again and "data-next" not in again
    assert 'href="/players/bob/">bob</a>' in again
    assert alice.get(reverse("games:hand", args=[table.code, 2])).status_code == 404


def test_a_replay_leads_to_the_count_of_each_hand(table_of, person, as_user, play_on):
    table = play_on(table_of("alice", "bob", game="sixty-six"))
    replay = as_user(person("alice")).get(reverse("games:replay", args=[table.code])).content.decode()
    count = reverse("games:hand", args=[table.code, 2])
    assert count in replay
    assert 'data-show="2"' in as_user(person("alice")).get(count).content.decode()


def test_every_line_of_the_count_stands_on_the_page_with_the_scores_after_it(
    table_of, person, as_user, to_the_end_of_a_hand, state_of
):
    table = to_the_end_of_a_hand(table_of("alice", "bob", game="sixty-six"))
    page = page_html(as_user(person("alice")).get(table.get_absolute_url()))
    totals = re.findall(r'data-totals="([\d -]+)"', page)
    assert totals[0] == "0 0"
    assert totals[-1] == " ".join(map(str, state_of(table).view(None).scores))


def test_a_new_total_is_said_in_a_sentence(table_of, to_the_end_of_a_hand, as_user, person):
    """ "You now 4." was read out."""
    table = to_the_end_of_a_hand(table_of("alice", "bob", game="piquet"))
    said = " ".join(
        re.findall(r'data-say="([^"]+)"', page_html(as_user(person("alice")).get(table.get_absolute_url())))
    )
    assert re.search(r"You have \d+ now\.", said) and re.search(r"bob has \d+ now\.", said)


def test_beside_the_count_no_fact_has_the_points_before_the_last_card(table_of, to_the_end_of_a_hand):
    """The side column had "This deal: 9, 16" beside the score sheet of this deal with 10 and 26."""
    table = table_of("alice", "bob", game="piquet")
    assert "This deal" in dict(table_page.context(table, None)["facts"])
    table = to_the_end_of_a_hand(table)
    [seat, _] = table.seats.all()
    context = table_page.context(table, seat)
    assert context["show"] is not None
    assert "This deal" not in dict(context["facts"])
    drawn = table_page.draw(context, token="t")
    assert 'id="show-title">Deal 1<' in drawn
    assert "data-next>Next deal</button>" in drawn


def test_a_deal_that_wins_the_game_is_a_hand_of_its_own_after_the_count_of_the_last_one(
    table_of, person, as_user, play_on
):
    """The heading was "Hand 3" above the count of hand 2, with a ronda of cards that were never shown."""
    table = play_on(table_of("alice", "bob", game="cuarenta", secret=(26).to_bytes(32, "big")))
    alice, seen = as_user(person("alice")), reverse("games:seen", args=[table.code])
    alice.post(seen, {"hand": 1})
    page = page_html(alice.get(table.get_absolute_url()))
    assert ">Hand 2<" in page and ">Next hand<" in page
    assert "for cards" in page and "ronda" not in re.search(r"<ol class=.show-stages.*?</ol>", page, re.S)[0]
    alice.post(seen, {"hand": 2})
    page = page_html(alice.get(table.get_absolute_url()))
    assert ">Hand 3<" in page and ">Result<" in page
    assert {"3D", "5D", "QD"} < set(re.findall(r'data-card="(\w+)"', page))
    assert "bob scores 4 for a ronda" in page and "bob wins the game" in page and "for cards" not in page
    alice.post(seen, {"hand": 3})
    reason = "bob reached 40 with the 4 points of a ronda"
    assert reason in page_html(alice.get(table.get_absolute_url()))
    assert reason in page_html(alice.get(reverse("games:result", args=[table.code])))
    assert ">Hand 2<" in page_html(alice.get(reverse("games:hand", args=[table.code, 2])))


def test_the_moves_beside_the_count_end_with_the_last_card(table_of, to_the_end_of_a_hand):
    table = to_the_end_of_a_hand(table_of("alice", "bob", game="piquet", deals=1))
    [last] = table.moves.order_by("-number")[:1]
    for seat in table.seats.all():
        services.see_hand(table_id=table.pk, user=seat.user, hand=1)
    line = table_page.context(Table.objects.with_seats().get(pk=table.pk), None)["board"].log[-1]
    assert line.text.startswith(table.names[last.seat]) and last.text in line.text


@pytest.mark.parametrize("game", engines.GAMES, ids=lambda game: game.slug)
def test_the_move_that_ends_a_hand_names_no_card_that_spectators_do_not_see(game):
    rng, seats = Random(3), game.seats[0]
    options = game.read_options({}, seats)
    state = game.start(deals.random_decks(game.deck(options), rng), seats=seats, options=options)
    while not state.results and state.to_act:
        before, seat = state.copy(), state.to_act[0]
        move = bots.bot(game.slug, "first-steps").choose(state.view(seat), rng)
        state.play(seat, move)
    end = end_of_hand(before, seat, move)
    view = show_view(end, game.show(end), None)
    told = " ".join(event.text for event in state.view(None).log)
    named = {match[0] for match in CARD_IN_TEXT.finditer(view.log[-1].text)}
    assert named <= {card for zone in view.zones for card in zone.cards} | {m[0] for m in CARD_IN_TEXT.finditer(told)}


def test_partners_score_together_in_the_count():
    game = engines.get("push")
    before = game.load({"hand": "KH1", "opened": True, "hands": {"E": "4C1", "W": "AD1 KS1"}, "phase": "play"})
    end = end_of_hand(before, 0, game.parse("DISC KH1"))
    lines = stage_lines(end, game.show(end), ["Ada", "Bob", "Cleo", "Dora"], 1)
    assert [line.gains for line in lines if line.gains] == [(("You and Dora", "have", 30, 30),)]
    lines = stage_lines(end, game.show(end), ["Ada", "Bob", "Cleo", "Dora"], None)
    assert [line.gains for line in lines if line.gains] == [(("Bob and Dora", "have", 30, 30),)]


@pytest.mark.parametrize(("options", "gains"), [({}, []), ({"penalty_scoring": True}, ["Bob"])])
def test_the_count_says_no_points_where_there_are_none(options, gains):
    game = engines.get("vatican")
    position = {"to_move": 0, "opened": True, "table": {1: "7C1+7D1+7H1"}, "hands": {0: "7S1", 1: "KC2"}}
    end = end_of_hand(game.load(position | {"options": options}), 0, game.parse("P x1 > 7C1+7D1+7H1+7S1"))
    lines = stage_lines(end, game.show(end), ["Ada", "Bob"], None)
    assert [gain[0] for line in lines for gain in line.gains] == gains


def test_while_the_hands_lie_open_no_plate_counts_their_cards():
    """Gin: "10 cards" stayed on a plate while these cards went to their melds."""
    game, rng = engines.get("gin-rummy"), Random(1)
    state = game.start(deals.numbered_decks(game.deck(game.read_options({}, 2)), 1))
    while not state.results:
        before, seat = state.copy(), state.to_act[0]
        move = bots.bot(game.slug, "club").choose(state.view(seat), rng)
        state.play(seat, move)
    running = build_board(before.view(0), names=["Ada", "Bob"])
    assert running.others[0].note.endswith("cards")
    end = end_of_hand(before, seat, move)
    assert any(stage.phrase.verb == "knock" for stage in game.show(end).stages)
    counted = build_board(show_view(end, game.show(end), 0), names=["Ada", "Bob"])
    assert [plate.note for plate in (counted.own, *counted.others)] == ["", ""]


@pytest.mark.parametrize(("game", "text"), [("cuarenta", "hand 1"), ("piquet", "deal 1"), ("push", "deal 1")])
def test_a_game_of_a_fixed_length_says_after_which_deal_it_ends(game, text, table_of):
    """ "Ends after 1 deal" was beside "Deal 3 of 4", which is a part of a hand of Cuarenta."""
    table = table_of(*["alice", "bob", "cleo", "dora"][: engines.get(game).seats[0]], game=game, deals=1)
    facts = dict(table_page.context(table, None)["facts"])
    assert facts["Ends after"] == text
    assert facts.get("Deal", "1") == {"cuarenta": "1 of 4"}.get(game, "1")


def test_before_the_cards_are_dealt_no_hand_is_over(person):
    table = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None)
    with pytest.raises(TableError, match="hasn't started"):
        seen(table, person("alice"))
