"""What people at a table agree on: taking a move back, sharing the game, counting it, a pause, giving up a deal."""

import re
from collections import Counter
from datetime import timedelta
from random import Random

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import bots, services
from games.domain.clocks import PACES
from games.domain.wording import event_sentence
from games.engines import GAMES
from games.models import Move, Table
from games.presentation.questions import question_bar, question_buttons
from games.presentation.table_wording import headline, seat_note
from games.queries.advice import may_be_advised
from games.record import replay
from games.services import TableError, questions
from games.services.pauses import frozen_reason
from games.services.questions import Question, last_question
from tests.pages import page_html

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def ask(person):
    """`ask(table, "alice", "share")`: the table after it."""
    return lambda table, name, kind: services.ask_question(table_id=table.pk, user=person(name), kind=kind)


@pytest.fixture
def answer(person):
    """`answer(table, "bob", agrees=True)`: to the question that is open."""

    def say(table, name, *, agrees):
        key = last_question(Table.objects.get(pk=table.pk)).key
        return services.answer_question(table_id=table.pk, user=person(name), key=key, agrees=agrees)

    return say


@pytest.fixture
def play(state_of):
    """`play(table)`: the first legal move, or with `rng` any of them."""

    def move(table, rng=None):
        state = state_of(table)
        seat = state.to_act[0]
        moves = state.legal_moves(seat)
        text = str(rng.choice(moves) if rng else moves[0])
        return services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)

    return move


def refresh(table):
    return Table.objects.with_seats().get(pk=table.pk)


# The record


def test_moves_that_were_taken_back_do_not_count_and_stay_written(table_of, play_on, state_of):
    table = play_on(table_of("alice", "bob"), 2)
    expected = replay.state_of(table, 1).dump()
    Move.objects.create(table=table, number=3, seat=1, takes_back_to=1, played_at=table.started_at)
    Table.objects.update(move_count=3)
    assert state_of(table).dump() == expected
    replay._newest.clear()
    assert state_of(table).dump() == expected
    assert replay.state_of(table, 2).dump() != expected


def test_what_was_taken_back_twice_is_counted_from_the_moves_that_stand():
    rows = [replay.RecordRow(number, 0, str(number), None) for number in (1, 2, 3)]
    rows += [replay.RecordRow(4, 0, "", 2), replay.RecordRow(5, 0, "", 1), replay.RecordRow(6, 0, "6", None)]
    assert [row.text for row in replay.standing(rows)] == ["1", "6"]


# Taking a move back


def test_a_move_is_taken_back_once_the_other_agrees(table_of, play, ask, answer, state_of):
    table = table_of("alice", "bob")
    before = state_of(table).dump()
    table = ask(play(table), "alice", "undo")
    assert table.move_count == 1
    after = answer(table, "bob", agrees=True)
    assert state_of(table).dump() == before
    assert after.position_version == after.version
    assert list(Move.objects.values_list("seat", "takes_back_to")) == [(0, None), (0, 0)]
    assert play(after).move_count == 3


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_in_every_game_the_record_and_the_cache_agree_on_what_was_taken_back(game, table_of, play, person, state_of):
    people = [f"player{seat}" for seat in range(max(game.seats))]
    table, taken_back, rng = table_of(*people, game=game.slug), 0, Random(2)
    while table.move_count < 12 and table.status == Table.Status.RUNNING:
        before, mover = state_of(table).dump(), state_of(table).to_act[0]
        table = play(table, rng)
        try:
            table = services.ask_question(table_id=table.pk, user=person(people[mover]), kind="undo")
        except TableError:
            continue
        for other in {*people} - {people[mover]}:
            key = last_question(table).key
            table = services.answer_question(table_id=table.pk, user=person(other), key=key, agrees=True)
        taken_back += 1
        assert state_of(table).dump() == before
        replay._newest.clear()
        assert state_of(table).dump() == before
        table = play(table, rng)
    assert bool(taken_back) == (game.slug != "tabletop-cribbage")  # where each move turns a card


def test_a_move_that_is_taken_back_brings_no_increment(table_of, play, ask, answer):
    table = play(table_of("alice", "bob", **PACES["standard"].fields))
    assert table.timers[0].reserve > 300
    table = answer(ask(table, "alice", "undo"), "bob", agrees=True)
    assert 295 < table.timers[0].reserve <= 300


def test_with_bots_alone_a_move_is_taken_back_at_once(person, house_bot, ask, play, state_of):
    house_bot("Ada", "russian-bank")
    table = services.open_and_sit(
        user=person("alice"), game="russian-bank", seats=2, options=None, bot_level="first-steps", secret=bytes(32)
    )
    undone = 0
    while not undone:
        table, state = refresh(table), state_of(table)
        if state.to_act[0] == 0 and len(state.legal_moves(0)) > 1:
            before = state.dump()
            table = play(table)
            try:
                ask(table, "alice", "undo")
            except TableError:
                continue
            undone += 1
            assert state_of(table).dump() == before
        else:
            play(table)


@pytest.fixture
def alone(person, house_bot):
    """`alone("gin-rummy")`: a running game of alice, in seat 0, with a bot that deals first."""

    def open_game(game, **more):
        house_bot("Ada", game)
        table = services.open_table(
            game=game, seats=2, options=None, created_by=person("alice"), secret=bytes(32), **more
        )
        Table.objects.update(first_dealer=1)
        services.sit_down(table_id=table.pk, user=person("alice"), seat=0)
        return services.seat_bot(table_id=table.pk, level="first-steps", seat=1)

    return open_game


def draws_and_discards(table, state_of):
    """Alice passes the upcard, draws from the stock and discards; the bot has passed in between."""
    for seat, text in ((0, "P"), (1, "P"), (0, "D")):
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    text = str(state_of(table).legal_moves(0)[-1])
    return services.play_move(table_id=table.pk, seat=0, text=text, version=table.version)


def test_alone_with_bots_an_undo_takes_their_moves_back_as_far_as_they_showed_nothing(alone, ask, state_of):
    table = draws_and_discards(alone("gin-rummy"), state_of)
    before = replay.state_of(table, 3).dump()
    table = services.play_move(table_id=table.pk, seat=1, text="D", version=table.version)
    table = ask(table, "alice", "undo")
    assert state_of(table).dump() == before
    assert list(Move.objects.values_list("takes_back_to", flat=True))[-1] == 3
    table = services.play_move(
        table_id=table.pk, seat=0, text=str(state_of(table).legal_moves(0)[-1]), version=table.version
    )
    for text in ("D", None):
        move = text or str(state_of(table).legal_moves(1)[-1])
        table = services.play_move(table_id=table.pk, seat=1, text=move, version=table.version)
    with pytest.raises(TableError, match="Something hidden has shown since your last move"):
        ask(table, "alice", "undo")


def test_an_undo_goes_back_to_the_last_move_that_was_a_choice(alone, ask, state_of):
    table = alone("russian-bank")
    while True:
        state, table = state_of(table), refresh(table)
        seat = state.to_act[0]
        is_only = len(state.legal_moves(seat)) == 1
        if seat == 0 and is_only and last_own_choice(table):
            break
        table = services.play_move(
            table_id=table.pk, seat=seat, text=str(state.legal_moves(seat)[0]), version=table.version
        )
    table = services.play_move(table_id=table.pk, seat=0, text=str(state.legal_moves(0)[0]), version=table.version)
    rows = services.agreements.moves_to_undo(table, table.seat_rows[0])
    assert len(rows) > 1
    assert len(replay.state_of(table, rows[0].number - 1).legal_moves(0)) > 1


def to_the_first_lead(state, exchange):
    """What is left of a deal of Piquet until elder leads: an exchange by its place, and nothing declared."""
    state, texts = state.copy(), []
    while state.phase != "lead":
        seat = state.to_act[0]
        move = state.legal_moves(seat)[exchange if state.phase == "exchange" and seat == 0 else -1]
        texts.append((seat, str(move)))
        state.play(seat, move)
    return state, texts


def is_close(state):
    """Whether chance decides between the leads that the coach advises."""
    found = Counter(bots.bot("piquet", "strong").choose(state.view(0), Random(str(number))) for number in range(8))
    return len(found) > 1 and found.most_common()[1][1] > 1


def test_after_an_undo_the_hint_is_the_same_again(alone, ask, state_of, as_user, person):
    """The coach advised one king before an undo and another one after it."""
    table = alone("piquet")
    leads = (to_the_first_lead(state_of(table), place) for place in range(-1, -1585, -37))
    state, texts = next((state, texts) for state, texts in leads if is_close(state))
    for seat, text in texts:
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    hints = set()
    for move in state.legal_moves(0)[:8]:
        answer = as_user(person("alice")).post(f"/tables/{table.code}/hint/", headers=HTMX)
        assert answer.status_code == 200
        hints.add(answer.content.decode())
        table = services.play_move(table_id=table.pk, seat=0, text=str(move), version=refresh(table).version)
        table = ask(table, "alice", "undo")
    assert len(hints) == 1


def last_own_choice(table):
    rows = services.agreements.moves_to_undo(table, table.seat_rows[0])
    return rows and len(replay.state_of(table, rows[0].number - 1).legal_moves(0)) > 1


def test_an_undo_names_all_moves_that_it_takes_back():
    question = Question("undo", 0, 9, 0, answer="yes", by=0, undone=('[say] "No sequence"', '[say] "No set"'))
    event = question.event(Table(game="piquet"))
    told = [event_sentence(event, ("Ann", "Ben"), viewer) for viewer in (0, 1)]
    assert told == [
        'You take back 2 moves: say "No sequence" and say "No set".',
        'Ann takes back 2 moves: says "No sequence" and says "No set".',
    ]


def test_a_board_with_bots_asks_by_itself_whether_its_undo_is_possible(alone, person, as_user, state_of):
    table, alice = alone("gin-rummy"), as_user(person("alice"))
    undo = f"/tables/{table.code}/undo/"
    page = alice.get(table.get_absolute_url()).content.decode()
    assert ">Undo</button>" in page and f'hx-get="{undo}"' not in page
    table = draws_and_discards(table, state_of)
    assert f'hx-get="{undo}"' in alice.get(table.get_absolute_url()).content.decode()
    assert alice.get(undo).content.decode() == '<button type="submit" class="button">Undo</button>'
    answer = alice.post(f"/tables/{table.code}/ask/", {"kind": "undo"}, headers=HTMX)
    html = answer.content.decode()
    assert re.search(r'data-undone.*You take back the last move: discard <span class="glyph', html, re.DOTALL)
    assert "data-undone" not in page
    assert "disabled" in alice.get(undo).content.decode()


def test_no_board_has_an_undo_where_others_would_have_to_agree_or_an_event_forbids_it(
    table_of, alone, person, as_user, play
):
    in_event = alone("casino")
    Table.objects.filter(pk=in_event.pk).update(allows_agreements=False)
    tables = [play(table_of("alice", "bob", secret=bytes([1]) * 32)), play(in_event)]
    for table in tables:
        assert ">Undo</button>" not in as_user(person("alice")).get(table.get_absolute_url()).content.decode()


def test_nobody_takes_back_what_somebody_else_has_answered(table_of, play, ask):
    table = play(play(table_of("alice", "bob")))
    with pytest.raises(TableError, match="can't do that"):
        ask(table, "alice", "undo")


def test_a_card_drawn_from_the_stock_is_not_put_back(table_of, play_on, ask, state_of):
    table = table_of("alice", "bob", game="gin-rummy")
    while not {"D", "U"} <= {str(move) for move in state_of(table).legal_moves(state_of(table).to_act[0])}:
        table = play_on(table, 1)
    seat = state_of(table).to_act[0]
    table = services.play_move(table_id=table.pk, seat=seat, text="D", version=table.version)
    with pytest.raises(TableError, match="hidden has shown"):
        ask(table, table.names[seat], "undo")


def test_the_next_move_makes_the_question_void(table_of, play, ask, answer):
    table = play(ask(play(table_of("alice", "bob")), "alice", "undo"))
    with pytest.raises(TableError, match="no longer open"):
        answer(table, "bob", agrees=True)
    assert table.move_count == 2


def test_a_rated_move_stays_played(table_of, play, ask):
    table = play(table_of("alice", "bob", is_rated=True, move_seconds=60))
    with pytest.raises(TableError, match="can't do that"):
        ask(table, "alice", "undo")


def test_a_move_made_on_the_board_before_the_undo_is_stale(table_of, play, ask, answer, state_of):
    played = play(table_of("alice", "bob"))
    text = str(state_of(played).legal_moves(1)[0])
    answer(ask(played, "alice", "undo"), "bob", agrees=True)
    with pytest.raises(services.StalePosition):
        services.play_move(table_id=played.pk, seat=1, text=text, version=played.version)


def test_a_bot_waits_with_its_move_while_somebody_else_is_asked(person, house_bot, ask, play):
    house_bot("Ada")
    table = services.open_table(game="casino", seats=3, options=None, created_by=person("alice"), secret=bytes(32))
    Table.objects.update(first_dealer=2)
    services.sit_down(table_id=table.pk, user=person("alice"), seat=0)
    services.seat_bot(table_id=table.pk, level="first-steps", seat=1)
    table = play(services.sit_down(table_id=table.pk, user=person("bob"), seat=2))
    ask(table, "alice", "undo")
    services.play_bot(table_id=table.pk)
    assert refresh(table).move_count == 1
    later = timezone.now() + timedelta(seconds=21)
    assert services.claim_lost_bot_moves(now=later) == [table.pk]
    Table.objects.update(bot_due_at=timezone.now())
    services.play_bot(table_id=table.pk)
    assert refresh(table).move_count == 2


# Sharing and counting


def test_all_others_have_to_agree_to_share_the_game(table_of, ask, answer, play_on):
    table = ask(play_on(table_of("alice", "bob", "carol"), 4), "alice", "share")
    table = answer(table, "bob", agrees=True)
    assert table.status == Table.Status.RUNNING
    table = answer(table, "carol", agrees=True)
    assert (table.status, table.ended_by) == (Table.Status.FINISHED, Table.EndedBy.AGREEMENT)
    assert table.result["places"] == [1, 1, 1]
    assert headline(table) == "alice, bob and carol draw"


def test_a_counted_game_is_decided_by_the_score_as_it_stands(table_of, ask, answer, play_on, state_of):
    table = table_of("alice", "bob", game="cuarenta")
    while len(set(state_of(table).view(None).scores)) == 1:
        table = play_on(table, 1)
    scores = state_of(table).view(None).scores
    table = answer(ask(table, "alice", "count"), "bob", agrees=True)
    assert table.result["scores"] == [*scores]
    assert table.result["places"].index(1) == scores.index(max(scores))


def test_the_fewest_penalty_points_win_a_counted_game(table_of, ask, answer, play_on, state_of):
    table = table_of("alice", "bob", game="krambambuli")
    rng = Random(1)
    while len(set(state_of(table).view(None).scores)) == 1:
        state = state_of(table)
        text = str(rng.choice(state.legal_moves(state.to_act[0])))
        table = services.play_move(table_id=table.pk, seat=state.to_act[0], text=text, version=table.version)
    scores = state_of(table).view(None).scores
    table = answer(ask(table, "alice", "count"), "bob", agrees=True)
    assert table.result["places"].index(1) == scores.index(min(scores))


def test_a_bot_shares_while_it_is_not_ahead_and_counts_while_it_is_not_behind(table_of, house_bot, person):
    table = table_of("alice", "bob")
    ada = house_bot("Ada").user
    services.hand_over(table_id=table.pk, user=person("bob"), to=ada)
    table = refresh(table)

    class Scored:
        scores = (3, 5)

    assert questions.unwilling_bot(table, "share", Scored).name == "Ada"
    assert questions.unwilling_bot(table, "count", Scored) is None
    Scored.scores = (5, 3)
    assert questions.unwilling_bot(table, "share", Scored) is None
    assert questions.unwilling_bot(table, "count", Scored).name == "Ada"
    assert questions.unwilling_bot(table, "pause", Scored) is None


def test_to_ask_for_what_somebody_else_asks_is_to_agree(table_of, ask):
    table = ask(ask(table_of("alice", "bob"), "alice", "share"), "bob", "share")
    assert table.ended_by == Table.EndedBy.AGREEMENT


# Answers


def test_whoever_was_refused_does_not_ask_again_at_once(table_of, ask, answer, play_on):
    table = answer(ask(table_of("alice", "bob"), "alice", "share"), "bob", agrees=False)
    assert question_bar(table, None, 0).say == "bob refuses to end the game in a draw."
    with pytest.raises(TableError, match="asked for this recently"):
        ask(table, "alice", "share")
    table = play_on(table, questions.REST_MOVES)
    assert question_bar(table, None, 0) is None
    assert not last_question(ask(table, "alice", "share")).answer


def test_a_question_is_withdrawn_and_makes_room_for_the_others(table_of, ask, person):
    table = ask(table_of("alice", "bob"), "alice", "share")
    with pytest.raises(TableError, match="Answer it first"):
        ask(table, "bob", "count")
    key = last_question(table).key
    with pytest.raises(TableError, match="no longer open"):
        services.withdraw_question(table_id=table.pk, user=person("bob"), key=key)
    services.withdraw_question(table_id=table.pk, user=person("alice"), key=key)
    assert last_question(ask(table, "bob", "count")).seat == 1


def test_an_answer_is_for_the_question_that_was_read(table_of, ask, person):
    table = ask(table_of("alice", "bob"), "alice", "count")
    with pytest.raises(TableError, match="no longer open"):
        services.answer_question(table_id=table.pk, user=person("bob"), key="share-0-0", agrees=True)
    assert refresh(table).status == Table.Status.RUNNING


def test_nobody_answers_his_own_question_or_at_a_table_of_others(table_of, ask, answer, person):
    table = ask(table_of("alice", "bob"), "alice", "share")
    for name in ("alice", "carol"):
        with pytest.raises(TableError):
            answer(table, name, agrees=True)


def test_a_question_lapses_after_two_rounds(table_of, ask, answer, play_on):
    table = play_on(ask(table_of("alice", "bob"), "alice", "share"), 5)
    with pytest.raises(TableError, match="no longer open"):
        answer(table, "bob", agrees=True)


def test_matches_are_played_out(person, ask):
    table = services.seat_and_start(game="casino", players=[person("alice"), person("bob")], options=None)
    for kind in questions.QUESTION_KINDS:
        with pytest.raises(TableError, match="can't do that"):
            ask(table, "alice", kind)


# A pause


def test_in_a_pause_all_clocks_stand_and_it_ends_by_itself(table_of, ask, answer, play):
    table = table_of("alice", "bob", move_seconds=60)
    table = answer(ask(table, "alice", "pause"), "bob", agrees=True)
    assert "alice asked for" in frozen_reason(table)
    with pytest.raises(services.StalePosition):
        play(table)
    services.flag_overdue(table_id=table.pk, now=timezone.now() + timedelta(minutes=29))
    assert refresh(table).paused_at is not None
    later = table.paused_at + timedelta(minutes=questions.PAUSE_MINUTES)
    services.flag_overdue(table_id=table.pk, now=later)
    table = refresh(table)
    assert (table.status, table.paused_at, table.paused_by) == (Table.Status.RUNNING, None, None)
    assert timedelta(seconds=58) < table.deadline_at - later < timedelta(seconds=62)


def test_anybody_may_go_on_before_with_a_short_notice(table_of, ask, answer, person, as_user):
    table = table_of("alice", "bob", move_seconds=60)
    table = answer(ask(table, "alice", "pause"), "bob", agrees=True)
    alice = as_user(person("alice"))
    assert "Resume the game" in page_html(alice.get(table.get_absolute_url()))
    services.end_pause(table_id=table.pk, user=person("bob"))
    assert "Resume the game" not in page_html(alice.get(table.get_absolute_url()))
    assert refresh(table).paused_at is not None
    services.flag_overdue(table_id=table.pk, now=timezone.now() + timedelta(seconds=11))
    assert refresh(table).paused_at is None


def test_a_directors_pause_is_not_ended_by_players(table_of, ask, answer, person):
    table = table_of("alice", "bob", move_seconds=60)
    answer(ask(table, "alice", "pause"), "bob", agrees=True)
    services.pause_table(table_id=table.pk)
    table = refresh(table)
    assert (table.paused_by, table.deadline_at) == (None, None)
    with pytest.raises(TableError, match="haven't paused this game"):
        services.end_pause(table_id=table.pk, user=person("bob"))


@pytest.mark.parametrize("seconds", [None, 86_400])
def test_no_pause_where_nobody_sits_and_waits(seconds, table_of, ask):
    with pytest.raises(TableError, match="can't do that"):
        ask(table_of("alice", "bob", move_seconds=seconds), "alice", "pause")


# Giving up a deal


def test_a_bot_plays_a_given_up_deal_to_its_end_and_the_person_plays_on(table_of, ask, play, house_bot, state_of):
    house_bot("Ada")
    table = ask(table_of("alice", "bob", move_seconds=60), "alice", "deal")
    assert table.deadline_at is None
    assert seat_note(table.seats.all()[0]) == "gave up this hand: a bot plays it out"
    while not state_of(table).results:
        table = refresh(table)
        seat = table.seats.all()[state_of(table).to_act[0]]
        assert seat.is_played_by_bot == (seat.name == "alice")
        if seat.is_played_by_bot:
            services.play_bot(table_id=table.pk)
        else:
            play(table)
    table = refresh(table)
    assert not any(seat.is_played_by_bot for seat in table.seats.all())


@pytest.mark.parametrize(("game", "word"), [("casino", "hand"), ("piquet", "deal")])
def test_a_deal_is_called_what_the_players_of_the_game_call_it(game, word, table_of, ask, house_bot, as_user, person):
    house_bot("Ada", game=game)
    table = table_of("alice", "bob", game=game)
    asked = questions.question_kind(table, "deal")
    assert asked.action == f"give up this {word}" and f"plays out this {word} for you" in asked.help
    table = ask(table, "alice", "deal")
    html = page_html(as_user(person("alice")).get(table.get_absolute_url()))
    assert f"You give up this {word}." in html and f"A bot plays out this {word} for you." in html
    assert questions.question_kind(table, "open").action == f"open finished {word}s to spectators"
    form = page_html(as_user(person("bob")).get(reverse("games:game", args=[game])))
    assert f"Open finished {word}s to spectators" in form


def test_partners_decide_together_whether_a_deal_is_given_up(table_of, ask, answer):
    table = table_of("alice", "bob", "carol", "dan", game="partnership-cribbage")
    table = ask(table, "alice", "deal")
    assert [seat.name for seat in questions.people_asked(table, "deal", 0)] == ["carol"]
    with pytest.raises(TableError):
        answer(table, "bob", agrees=True)
    assert answer(table, "carol", agrees=True).seats.get(number=0).gave_up_deal


def test_whoever_gave_up_a_deal_makes_no_moves_in_it(table_of, ask, person, as_user, state_of):
    table = ask(table_of("alice", "bob"), "alice", "deal")
    text = str(state_of(table).legal_moves(0)[0])
    answer = as_user(person("alice")).post(
        f"/tables/{table.code}/moves/", {"version": table.version, "text": text}, headers=HTMX
    )
    assert answer.status_code == 422
    assert refresh(table).move_count == 0


def test_the_moves_of_a_deal_that_was_given_up_are_the_stand_ins(table_of, ask):
    table = ask(table_of("alice", "bob"), "alice", "deal")
    services.play_bot(table_id=table.pk)
    assert [(move.seat, move.is_by_stand_in) for move in table.moves.all()] == [(0, True)]


def test_a_deal_that_the_other_gave_up_gives_no_hints(table_of, ask):
    table = ask(table_of("alice", "bob"), "alice", "deal")
    assert not may_be_advised(table, table.seats.get(number=1))


def test_a_game_that_ends_in_a_deal_given_up_says_no_more_of_it(table_of, ask, answer):
    table = answer(ask(ask(table_of("alice", "bob"), "alice", "deal"), "bob", "count"), "alice", agrees=True)
    assert {seat_note(seat) for seat in refresh(table).seats.all()} == {""}


def test_a_game_of_one_deal_is_resigned_instead(table_of, ask):
    with pytest.raises(TableError, match="can't do that"):
        ask(table_of("alice", "bob", game="russian-bank"), "alice", "deal")


# Pages


def test_the_question_stands_on_every_board_with_buttons_for_those_asked(table_of, play, ask, person, as_user):
    table = ask(play(table_of("alice", "bob")), "alice", "share")
    pages = {name: page_html(as_user(person(name)).get(table.get_absolute_url())) for name in ("alice", "bob")}
    pages["nobody"] = page_html(Client().get(table.get_absolute_url()))
    assert "You ask to end the game in a draw. Waiting for bob." in pages["alice"]
    assert "alice asks to end the game in a draw." in pages["bob"]
    assert "alice asks to end the game in a draw. Waiting for bob." in pages["nobody"]
    assert ['value="agree"' in page for page in pages.values()] == [False, True, False]
    assert ['value="withdraw"' in page for page in pages.values()] == [True, False, False]
    assert all('data-call="' in page for page in pages.values())


def test_without_script_one_asks_and_answers_by_forms(table_of, person, as_user, play):
    table = play(table_of("alice", "bob"))
    alice, bob = as_user(person("alice")), as_user(person("bob"))
    page = page_html(alice.get(table.get_absolute_url()))
    assert "Ask to take back the last move" in page
    assert alice.post(f"/tables/{table.code}/ask/", {"kind": "undo"}).status_code == 302
    key = last_question(refresh(table)).key
    done = bob.post(f"/tables/{table.code}/answer/", {"mark": key, "answer": "agree"}, follow=True)
    assert "alice takes back the last move." in page_html(done)
    refused = bob.post(f"/tables/{table.code}/answer/", {"mark": key, "answer": "agree"})
    assert refused.status_code == 422
    assert "This request is no longer open" in page_html(refused)


def test_a_move_that_stays_is_offered_no_button_but_the_reason(table_of, person, as_user, state_of, play):
    table = table_of("alice", "bob", game="gin-rummy")
    while not {"D", "U"} <= {str(move) for move in state_of(table).legal_moves(state_of(table).to_act[0])}:
        table = play(table)
    seat = state_of(table).to_act[0]
    mover = as_user(person(table.names[seat]))
    table = services.play_move(table_id=table.pk, seat=seat, text="D", version=table.version)
    told = page_html(mover.get(f"/tables/{table.code}/undo/"))
    assert "Something hidden has shown" in told
    assert "<button" not in told
    table = play(table)
    told = page_html(mover.get(f"/tables/{table.code}/undo/"))
    assert 'value="undo"' in told


def test_only_who_plays_hears_whether_the_move_can_be_taken_back(table_of, play, person, as_user):
    table = play(table_of("alice", "bob"))
    assert "another player has moved since" in page_html(as_user(person("bob")).get(f"/tables/{table.code}/undo/"))
    assert as_user(person("carol")).get(f"/tables/{table.code}/undo/").status_code == 404


def test_boards_leave_it_open_whether_the_move_can_be_taken_back(
    table_of, play, person, as_user, django_assert_max_num_queries
):
    table = play(table_of("alice", "bob"))
    replay._newest.clear()
    replay.state_of(table)
    alice = table.seats.all()[0]
    with django_assert_max_num_queries(0):
        kinds = questions.possible_kinds(table, alice, replay.state_of(table).view(0))
        offers = question_buttons(table, alice, kinds)
    assert [offer.kind for offer in offers if offer.has_to_be_judged] == ["undo"]


def test_a_stranger_asks_nothing(table_of, client):
    table = table_of("alice", "bob")
    assert client.post(f"/tables/{table.code}/ask/", {"kind": "share"}).status_code == 422
    assert not refresh(table).asked
