"""What can be done at a table, with a real database."""

import re
from datetime import timedelta

import pytest
from celery import current_app
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import engines, services, tasks
from games.bots import EXPERT, casino
from games.core import deals
from games.core.cards import pack
from games.core.contract import GameError, IllegalMove, UnreadableMove
from games.forms.tables import NewTableForm
from games.models import Move, Seat, Table
from games.presentation.table_wording import result_reason
from games.record import replay
from games.services import StalePosition, TableError, house_bots, opening
from games.signals import table_finished
from infra.task_queue import QUEUES, waiting_tasks
from tests.tables import add_values
from tutorials.content import library

pytestmark = pytest.mark.django_db


def first_move(state):
    seat = state.to_act[0]
    return seat, str(state.legal_moves(seat)[0])


def first_two_moves(state):
    seat = state.to_act[0]
    first, second, *_ = state.legal_moves(seat)
    return seat, str(first), str(second)


# Opening and sitting down


def test_a_table_publishes_the_commitment_to_its_secret(person):
    table = services.open_table(game="casino", seats=2, options=None, created_by=person("alice"))
    assert table.commitment == deals.commitment(bytes(table.secret))
    assert len(bytes(table.secret)) == 32


def test_a_seal_serves_only_one_table(person):
    services.open_table(game="casino", seats=2, options=None, created_by=person("alice"), secret=bytes(32))
    with pytest.raises(IntegrityError), transaction.atomic():
        services.open_table(game="casino", seats=2, options=None, created_by=person("bob"), secret=bytes(32))


def test_the_game_starts_when_the_last_seat_is_taken(person):
    table = services.open_table(game="casino", seats=2, options=None, created_by=person("alice"))
    assert services.sit_down(table_id=table.pk, user=person("alice")).status == Table.Status.OPEN
    assert services.sit_down(table_id=table.pk, user=person("bob")).status == Table.Status.RUNNING


def test_the_first_dealer_is_drawn_by_the_sealed_secret_and_everybodys_entropy(person):
    table = services.open_table(game="casino", seats=2, options=None, created_by=person("alice"))
    for name in ("alice", "bob"):
        services.sit_down(table_id=table.pk, user=person(name), shuffles=True)
    table = add_values(table, "a1", "b2")
    assert table.entropy == "a1,b2"
    assert table.first_dealer == deals.first_dealer(bytes(table.secret), "a1,b2", 2)
    assert table.is_dealer_drawn


def test_the_server_makes_entropy_for_a_browser_that_sends_none(person):
    table = services.open_table(game="casino", seats=2, options=None, created_by=person("alice"))
    table = services.sit_down(table_id=table.pk, user=person("alice"))
    seat = table.seats.get(number=0)
    assert len(seat.entropy) == 32
    assert not seat.is_entropy_own


def test_nobody_sits_twice_at_a_table(person):
    table = services.open_table(game="casino", seats=2, options=None, created_by=person("alice"))
    services.sit_down(table_id=table.pk, user=person("alice"))
    table = services.sit_down(table_id=table.pk, user=person("alice"))
    assert table.status == Table.Status.OPEN
    assert table.free_seats == 1


def test_a_taken_seat_is_refused(person):
    table = services.open_table(game="casino", seats=3, options=None, created_by=person("alice"))
    services.sit_down(table_id=table.pk, user=person("alice"), seat=1)
    with pytest.raises(TableError, match="This seat is taken"):
        services.sit_down(table_id=table.pk, user=person("bob"), seat=1)


def test_nobody_sits_down_at_a_running_game(table_of, person):
    table = table_of("alice", "bob")
    with pytest.raises(TableError, match="already started"):
        services.sit_down(table_id=table.pk, user=person("carol"))


@pytest.mark.parametrize("game", ["piquet", "rubicon-piquet"])
def test_no_bot_sits_at_a_table_named_after_a_term_of_its_game_if_another_is_free(game, house_bot):
    for name in ("Tierce", "Old Quart", "Ruff", "Repique"):
        house_bot(name, game, "club")
    assert {opening.pick_free_bots(game, "club", 1)[0].first_name for _ in range(8)} == {"Ruff"}
    assert {house_bots.pick_house_bots(game=game, levels=["club"], count=1)[0].first_name for _ in range(8)} == {"Ruff"}
    assert len(opening.pick_free_bots(game, "club", 3)) == 3, "better one of these than none"


def test_no_bot_is_made_whose_name_is_in_the_rules_of_its_game():
    for game in engines.GAMES:
        text = (library.SEEDS / game.slug / "rules.md").read_text().lower()
        names = [name for level in house_bots.HOUSE_BOT_NAMES for name in house_bots.names_at(game.slug, level)]
        terms = [name for name in names if re.search(rf"\b{name.lower()}\b", text)]
        assert set(terms) <= {"Pip", "Hoyle"}, "the signs on a card, and the author of a rule book, are no holdings"
        assert len(names) >= 26


def test_a_bot_that_sits_here_already_is_not_asked_again(person, house_bot):
    house_bot("Ada")
    table = services.open_table(game="casino", seats=3, options=None, created_by=person("alice"))
    services.seat_bot(table_id=table.pk, level="first-steps")
    with pytest.raises(TableError, match="No bot"):
        services.seat_bot(table_id=table.pk, level="first-steps")


def test_a_match_starts_with_the_given_players_and_dealer(person):
    players = [person("alice"), person("bob")]
    table = services.seat_and_start(game="casino", players=players, options=None, move_seconds=30, first_dealer=0)
    assert table.status == Table.Status.RUNNING
    assert [seat.user for seat in table.seats.all()] == players
    assert table.first_dealer == 0
    assert replay.state_of(table).to_act == (1,)


# Moving


def test_a_move_is_one_row_and_one_version(table_of, state_of):
    table = table_of("alice", "bob")
    seat, text = first_move(state_of(table))
    after = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    assert after.version == table.version + 1
    assert list(Move.objects.values_list("number", "seat", "text")) == [(1, seat, text)]


def test_a_double_submit_plays_once(table_of, state_of):
    table = table_of("alice", "bob")
    seat, text = first_move(state_of(table))
    services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    with pytest.raises(StalePosition, match="changed just before your move"):
        services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    assert Move.objects.count() == 1


def test_a_move_made_on_an_old_board_changes_nothing(table_of, play_on, state_of):
    old = table_of("alice", "bob")
    now = play_on(old, 2)
    seat, text = first_move(state_of(now))
    with pytest.raises(StalePosition):
        services.play_move(table_id=old.pk, seat=seat, text=text, version=old.version)
    assert Move.objects.count() == 2


def test_a_move_counts_where_only_the_players_changed_since(table_of, state_of):
    table = table_of("alice", "bob", "carol")
    seat, text = first_move(state_of(table))
    other = table.seats.exclude(number=seat).first()
    after = services.resign(table_id=table.pk, user=other.user)  # a bot takes the seat
    assert after.version > table.version
    services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    assert Move.objects.count() == 1


@pytest.mark.parametrize("people", [("alice", "bob"), ("alice", "bob", "carol", "dan")])
def test_those_who_discard_at_the_same_time_need_not_see_each_others_move(people, table_of, state_of):
    table = table_of(*people, game="partnership-cribbage")
    texts = [str(state_of(table).legal_moves(seat)[0]) for seat in range(len(people))]
    for seat in reversed(range(len(people))):
        services.play_move(table_id=table.pk, seat=seat, text=texts[seat], version=table.version)
    assert [*Move.objects.order_by("number").values_list("text", flat=True)] == texts[::-1]


def test_a_discard_that_is_sent_twice_is_stale_and_so_is_a_card_that_is_played_before_all_have_discarded(
    table_of, state_of
):
    table = table_of("alice", "bob", game="partnership-cribbage")
    first, second = (str(state_of(table).legal_moves(seat)[0]) for seat in (0, 1))
    services.play_move(table_id=table.pk, seat=0, text=first, version=table.version)
    with pytest.raises(StalePosition, match="Please try again"):
        services.play_move(table_id=table.pk, seat=0, text=first, version=table.version)
    after = services.play_move(table_id=table.pk, seat=1, text=second, version=table.version)
    assert after.position_version == after.version
    seat, text = first_move(state_of(after))
    with pytest.raises(StalePosition):
        services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version + 1)
    assert Move.objects.count() == 2


def test_the_other_seat_may_not_move(table_of, state_of):
    table = table_of("alice", "bob")
    seat, text = first_move(state_of(table))
    with pytest.raises(IllegalMove):
        services.play_move(table_id=table.pk, seat=1 - seat, text=text, version=table.version)
    assert not Move.objects.exists()


def test_nobody_moves_in_the_seat_of_another_or_in_one_that_he_has_left(table_of, state_of, person):
    table = table_of("alice", "bob", "carol")
    seat, text = first_move(state_of(table))
    mover = table.seats.get(number=seat).user
    other = table.seats.exclude(number=seat).first().user
    with pytest.raises(TableError, match="You don't have a seat"):
        services.play_move(table_id=table.pk, seat=seat, user_id=other.pk, text=text, version=table.version)
    table = services.resign(table_id=table.pk, user=mover)
    with pytest.raises(TableError, match="You don't have a seat"):
        services.play_move(table_id=table.pk, seat=seat, user_id=mover.pk, text=text, version=table.version)
    assert not Move.objects.exists()


def test_a_move_at_a_version_that_has_not_come_yet_is_not_played(table_of, state_of):
    table = table_of("alice", "bob")
    seat, text = first_move(state_of(table))
    with pytest.raises(StalePosition):
        services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version + 1)


def test_an_unreadable_move_changes_nothing(table_of, state_of):
    table = table_of("alice", "bob")
    with pytest.raises(UnreadableMove):
        services.play_move(table_id=table.pk, seat=0, text="hello", version=table.version)
    assert not Move.objects.exists()


def test_a_refused_move_leaves_the_cached_position_alone(table_of, state_of):
    table = table_of("alice", "bob")
    before = state_of(table).dump()
    with pytest.raises(GameError):
        services.play_move(table_id=table.pk, seat=0, text="2C=9:7D", version=table.version)
    assert state_of(table).dump() == before


def test_the_cache_and_the_record_tell_the_same(table_of, play_on, state_of):
    table = play_on(table_of("alice", "bob"), 30)
    cached = state_of(table).dump()
    replay._newest.clear()
    assert state_of(table).dump() == cached


def test_a_move_that_is_rolled_back_does_not_stay_in_the_cache(table_of, state_of):
    table = table_of("alice", "bob")
    seat, text, other = first_two_moves(state_of(table))
    with pytest.raises(RuntimeError), transaction.atomic():
        services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
        raise RuntimeError("the commit fails")
    # Another process plays something else.
    Move.objects.create(table=table, number=1, seat=seat, text=other, played_at=timezone.now())
    Table.objects.update(move_count=1)
    expected = replay.first_state(table)
    expected.play(seat, table.rules.parse(other))
    assert state_of(table).dump() == expected.dump()


def test_a_game_ends_with_the_engines_outcome(table_of, play_on, state_of):
    table = play_on(table_of("alice", "bob", options={"target": 11}))
    outcome = state_of(table).outcome()
    assert table.status == Table.Status.FINISHED
    assert table.ended_by == Table.EndedBy.RULES
    assert table.result["scores"] == list(outcome.scores)
    assert table.result["places"] == list(outcome.places)
    assert result_reason(table)


def test_the_end_is_announced_once_it_is_stored(table_of, person, django_capture_on_commit_callbacks):
    ended = []
    table_finished.connect(lambda table_id, **_: ended.append(table_id), weak=False, dispatch_uid="test")
    table = table_of("alice", "bob")
    with django_capture_on_commit_callbacks(execute=True):
        services.resign(table_id=table.pk, user=person("alice"))
        assert ended == []
    assert ended == [table.pk]
    table_finished.disconnect(dispatch_uid="test")


# Bots


def test_bots_play_a_whole_game_through_tasks(house_bot):
    players = [house_bot("Ada").user, house_bot("Bruno").user]
    table = services.seat_and_start(game="casino", players=players, options={"target": 11}, move_seconds=None)
    for _ in range(2000):
        tasks.play_bot(table.pk)
        table.refresh_from_db()
        if table.is_over:
            break
    assert table.status == Table.Status.FINISHED
    assert table.ended_by == Table.EndedBy.RULES
    assert table.bot_due_at is None


class Broken:
    """A bot with a fault."""

    def choose(self, view, rng):
        return view.moves[len(view.moves)]


class Cheating:
    """A bot that plays a card it does not hold."""

    def choose(self, view, rng):
        return type(view.moves[0])(next(card for card in pack() if card not in view.hand))


@pytest.mark.parametrize("faulty", [Broken, Cheating])
def test_a_faulty_bot_is_reported_and_a_legal_move_is_played_for_it(faulty, person, house_bot, monkeypatch, caplog):
    monkeypatch.setitem(casino.LEVELS, "faulty", faulty())
    bot = house_bot("Ada", level="faulty")
    table = services.seat_and_start(
        game="casino", players=[bot.user, person("alice")], options=None, move_seconds=None, first_dealer=1
    )
    tasks.play_bot(table.pk)
    assert table.moves.get().seat == 0
    assert "faulty bot of casino failed" in caplog.text


def test_a_bot_does_not_move_for_a_player_who_came_back_while_it_was_thinking(table_of, person, monkeypatch):
    table = table_of("alice", "bob", "carl")
    services.resign(table_id=table.pk, user=person("alice"))
    Seat.objects.filter(table=table, number=0).update(is_gone=True)  # so she may take her seat again

    class Slow:
        def choose(self, view, rng):
            services.come_back(table_id=table.pk, user=person("alice"))
            return view.moves[0]

    monkeypatch.setitem(casino.LEVELS, "club", Slow())
    tasks.play_bot(table.pk)
    assert not table.seats.get(number=0).has_left
    assert not Move.objects.exists()


def test_a_bot_task_that_comes_twice_plays_once(person, house_bot):
    bot = house_bot("Ada")
    table = services.seat_and_start(
        game="casino", players=[bot.user, person("alice")], options=None, move_seconds=None, first_dealer=1
    )
    tasks.play_bot(table.pk)
    tasks.play_bot(table.pk)
    assert Move.objects.count() == 1


def test_a_bot_that_may_only_call_something_is_not_waited_for(person, house_bot, state_of):
    bot = house_bot("Ada", game="russian-bank")
    table = services.seat_and_start(
        game="russian-bank",
        players=[person("alice"), bot.user],
        options={"mode": "casual"},
        move_seconds=None,
        first_dealer=1,
    )
    assert (state_of(table).to_act, table.bot_due_at) == ((0, 1), None)
    tasks.play_bot(table.pk)
    assert state_of(table).wrong_calls == [0, 0]


def test_a_lost_bot_move_is_claimed_once_and_only_when_it_is_due(person, house_bot):
    bot = house_bot("Ada")
    table = services.seat_and_start(
        game="casino", players=[bot.user, person("alice")], options=None, move_seconds=None, first_dealer=1
    )
    now = timezone.now()
    assert services.claim_lost_bot_moves(now=now) == []
    later = now + services.BOT_PATIENCE + timedelta(seconds=1)
    assert services.claim_lost_bot_moves(now=later) == [table.pk]
    assert services.claim_lost_bot_moves(now=later) == []


def test_a_lost_move_of_an_expert_goes_to_the_queue_of_experts(person, house_bot):
    bot = house_bot("Ada", level=EXPERT)
    services.seat_and_start(
        game="casino", players=[bot.user, person("alice")], options=None, move_seconds=None, first_dealer=1
    )
    Table.objects.update(bot_due_at=timezone.now() - timedelta(seconds=1))
    current_app.control.purge()
    tasks.tick()
    assert {queue: waiting_tasks(queue) for queue in QUEUES} == {"default": 0, "experts": 1, "slow": 0}


@pytest.mark.django_db(transaction=True)
def test_the_tick_finds_a_lost_bot_move(person, house_bot, request):
    bot = house_bot("Ada")
    table = services.seat_and_start(
        game="casino", players=[bot.user, person("alice")], options=None, move_seconds=None, first_dealer=1
    )
    assert current_app.control.purge() == 1  # the message is lost
    request.getfixturevalue("eager_tasks")
    tasks.tick()
    assert not Move.objects.exists()
    Table.objects.update(bot_due_at=timezone.now() - timedelta(seconds=1))
    tasks.tick()
    assert Move.objects.filter(table=table, seat=0).count() == 1


# Resigning, leaving, rematch


def test_the_other_one_wins_when_one_of_two_resigns(table_of, person):
    table = services.resign(table_id=table_of("alice", "bob").pk, user=person("alice"))
    assert table.status == Table.Status.FINISHED
    assert table.ended_by == Table.EndedBy.RESIGN
    assert table.result["places"] == [2, 1]
    assert result_reason(table) == "alice resigned."


def test_a_club_bot_plays_on_when_one_of_three_resigns(table_of, person, play_on, state_of):
    table = table_of("alice", "bob", "carol")
    table = services.resign(table_id=table.pk, user=person("alice"))
    assert table.status == Table.Status.RUNNING
    seat = table.seats.get(number=0)
    assert seat.has_left
    assert state_of(table).to_act == (0,)
    tasks.play_bot(table.pk)
    assert Move.objects.get(seat=0).is_by_stand_in
    assert not table.moves.by_players().exists()


def test_only_a_bot_in_somebody_elses_seat_is_a_stand_in(table_of, person, house_bot, play_on):
    table = table_of("alice", "bob")
    services.hand_over(table_id=table.pk, user=person("alice"), to=house_bot("Ada").user)
    tasks.play_bot(table.pk)
    play_on(Table.objects.get(pk=table.pk), 1)
    assert [(move.seat, move.is_by_stand_in) for move in table.moves.all()] == [(0, False), (1, False)]


@pytest.mark.parametrize("act", [services.claim_game, services.come_back, services.end_pause])
def test_what_needs_a_running_game_says_whether_it_is_over_or_has_not_started(act, table_of, person):
    alice = person("alice")
    waiting = services.open_and_sit(user=alice, game="casino", seats=2, options=None)
    over = services.resign(table_id=table_of("alice", "bob").pk, user=alice)
    with pytest.raises(TableError, match="hasn't started"):
        act(table_id=waiting.pk, user=alice)
    with pytest.raises(TableError, match="is over"):
        act(table_id=over.pk, user=alice)


def test_whoever_has_left_cannot_resign_again(table_of, person):
    table = table_of("alice", "bob", "carol")
    services.resign(table_id=table.pk, user=person("alice"))
    with pytest.raises(TableError, match="don't have a seat"):
        services.resign(table_id=table.pk, user=person("alice"))


def test_one_may_get_up_before_the_game_begins(person):
    table = services.open_table(game="casino", seats=3, options=None, created_by=person("alice"))
    services.sit_down(table_id=table.pk, user=person("alice"))
    services.sit_down(table_id=table.pk, user=person("bob"))
    table = services.leave_table(table_id=table.pk, user=person("alice"))
    assert table.status == Table.Status.OPEN
    assert table.seats.get(number=0).user is None


def test_a_table_that_everybody_has_left_is_given_up(person, house_bot):
    house_bot("Ada")
    table = services.open_table(game="casino", seats=3, options=None, created_by=person("alice"))
    services.sit_down(table_id=table.pk, user=person("alice"))
    services.seat_bot(table_id=table.pk, level="first-steps")
    table = services.leave_table(table_id=table.pk, user=person("alice"))
    assert table.status == Table.Status.ABORTED


def test_in_a_rematch_everybody_moves_on_one_seat_and_the_deal_falls_to_the_other(table_of, person):
    table = services.resign(table_id=table_of("alice", "bob").pk, user=person("alice"))
    again = services.join_rematch(table_id=table.pk, user=person("bob"))
    assert again.status == Table.Status.OPEN
    assert services.join_rematch(table_id=table.pk, user=person("alice")).pk == again.pk
    again.refresh_from_db()
    assert again.status == Table.Status.RUNNING
    assert list(again.seats.values_list("user__username", flat=True)) == ["bob", "alice"]
    assert again.first_dealer == table.first_dealer


def test_a_rematch_that_everyone_has_left_can_be_asked_for_again(table_of, person):
    table = services.resign(table_id=table_of("alice", "bob").pk, user=person("alice"))
    left = services.join_rematch(table_id=table.pk, user=person("bob"))
    seen = Table.objects.get(pk=table.pk).version
    services.leave_table(table_id=left.pk, user=person("bob"))
    assert Table.objects.get(pk=table.pk).version > seen, "the last table must show that the rematch is gone"
    again = services.join_rematch(table_id=table.pk, user=person("alice"))
    assert (again.status, again.pk == left.pk) == (Table.Status.OPEN, False)
    assert services.join_rematch(table_id=table.pk, user=person("bob")).status == Table.Status.RUNNING


@pytest.mark.parametrize("deals", [1, 2])
def test_a_game_of_some_deals_ends_with_the_last_of_them(deals, table_of, play_on, state_of):
    table = play_on(table_of("alice", "bob", deals=deals))
    assert (table.status, len(state_of(table).results)) == (Table.Status.FINISHED, deals)
    assert f"after {deals} hand" in result_reason(table)


def test_a_game_in_which_somebody_else_takes_a_seat_is_not_rated(table_of, person):
    table = table_of("alice", "bob", is_rated=True)
    services.hand_over(table_id=table.pk, user=person("alice"), to=person("carol"))
    assert not Table.objects.get().is_rated


def test_a_game_that_goes_on_or_that_one_has_not_played_has_no_rematch(table_of, person):
    table = table_of("alice", "bob")
    with pytest.raises(TableError, match="once the game is over"):
        services.join_rematch(table_id=table.pk, user=person("bob"))
    services.resign(table_id=table.pk, user=person("alice"))
    with pytest.raises(TableError, match="don't have a seat"):
        services.join_rematch(table_id=table.pk, user=person("carol"))
    assert Table.objects.count() == 1


def test_only_a_game_that_is_over_becomes_the_table_of_a_game_played_elsewhere(person):
    rules = engines.get("casino")
    with pytest.raises(TableError, match="not over"):
        services.record_table(
            game="casino",
            players=[person("alice").pk, person("bob").pk],
            options=rules.read_options(None, 2),
            secret=bytes(32),
            moves=[],
            at=timezone.now(),
        )
    assert not Table.objects.exists()


def test_bots_come_along_to_a_rematch_at_once(person, house_bot):
    bot = house_bot("Ada")
    table = services.seat_and_start(
        game="casino", players=[person("alice"), bot.user], options={"target": 31}, move_seconds=45
    )
    services.resign(table_id=table.pk, user=person("alice"))
    again = services.join_rematch(table_id=table.pk, user=person("alice"))
    assert again.status == Table.Status.RUNNING
    assert [seat.user for seat in again.seats.all()] == [bot.user, person("alice")]
    assert (again.options["target"], again.move_seconds) == (31, 45)


def test_only_those_who_played_may_ask_for_a_rematch(table_of, person):
    table = services.resign(table_id=table_of("alice", "bob").pk, user=person("alice"))
    with pytest.raises(TableError):
        services.join_rematch(table_id=table.pk, user=person("carol"))


# The clock


def test_the_clock_runs_only_for_people(person, house_bot):
    bot = house_bot("Ada")
    table = services.seat_and_start(
        game="casino", players=[bot.user, person("alice")], options=None, move_seconds=20, first_dealer=1
    )
    assert table.deadline_at is None
    assert table.bot_due_at is not None
    tasks.play_bot(table.pk)
    table.refresh_from_db()
    assert table.deadline_at is not None
    assert table.bot_due_at is None


@pytest.mark.django_db(transaction=True)
def test_the_tick_flags_whoever_does_not_come_back(table_of, let_pass, eager_tasks):
    table = table_of("alice", "bob", move_seconds=20)
    tasks.tick()
    table.refresh_from_db()
    assert table.status == Table.Status.RUNNING
    let_pass(table, 21)
    tasks.tick()
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    assert table.ended_by == Table.EndedBy.FLAG
    assert table.result["places"] == [2, 1]


def test_a_move_after_the_deadline_flags_instead(table_of, state_of, let_pass):
    table = table_of("alice", "bob", move_seconds=20)
    let_pass(table, 20)
    seat, text = first_move(state_of(table))
    table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    assert table.ended_by == Table.EndedBy.FLAG
    assert not Move.objects.exists()


def test_flagging_twice_or_too_early_changes_nothing(table_of):
    table = table_of("alice", "bob", move_seconds=20)
    services.flag_overdue(table_id=table.pk, now=timezone.now())
    table.refresh_from_db()
    assert table.status == Table.Status.RUNNING
    late = timezone.now() + timedelta(seconds=21)
    services.flag_overdue(table_id=table.pk, now=late)
    services.flag_overdue(table_id=table.pk, now=late)
    table.refresh_from_db()
    assert table.result["places"] == [2, 1]


def test_of_three_a_bot_plays_on_for_the_flagged_one(table_of):
    table = table_of("alice", "bob", "carol", move_seconds=20)
    services.flag_overdue(table_id=table.pk, now=timezone.now() + timedelta(seconds=21))
    table.refresh_from_db()
    assert table.status == Table.Status.RUNNING
    assert table.seats.get(number=0).has_left
    assert table.bot_due_at is not None


def test_every_move_winds_the_clock_again(time_stands, table_of, play_on, let_pass):
    table = table_of("alice", "bob", move_seconds=20)
    let_pass(table, 19)
    table = play_on(Table.objects.get(), 1)
    assert table.deadline_at > timezone.now() + timedelta(seconds=18)


# Costs


def test_a_move_takes_few_queries(table_of, state_of, django_assert_max_num_queries):
    table = table_of("alice", "bob")
    seat, text = first_move(state_of(table))
    with django_assert_max_num_queries(8):
        services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)


def test_the_clock_draws_once_for_a_late_player_of_vatican_and_then_flags(table_of, state_of):
    table = table_of("alice", "bob", game="vatican", move_seconds=20)

    def time_passes():
        services.flag_overdue(table_id=table.pk, now=timezone.now() + timedelta(seconds=21))
        table.refresh_from_db()

    time_passes()
    assert [(move.seat, move.text, move.is_by_clock) for move in table.moves.all()] == [(0, "D", True)]
    assert state_of(table).to_act == (1,)
    services.play_move(table_id=table.pk, seat=1, text="D", version=table.version)
    time_passes()
    assert table.ended_by == Table.EndedBy.FLAG
    assert table.result["places"] == [2, 1]


def test_the_day_on_which_an_advantage_game_starts_is_kept_with_it(table_of, state_of):
    wrong = "even" if timezone.now().day % 2 else "odd"
    table = table_of("alice", "bob", game="advantage", options={"day": wrong})
    expected = "odd" if table.started_at.day % 2 else "even"
    assert Table.objects.get(pk=table.pk).options["day"] == expected
    assert state_of(table).options["day"] == expected


def test_nobody_chooses_the_day_of_a_game():
    advantage = engines.get("advantage")
    assert "option-day" not in NewTableForm(advantage).fields
    assert {"option-colour", "option-draws"} <= NewTableForm(advantage).fields.keys()


@pytest.mark.parametrize("game", engines.GAMES, ids=lambda game: game.slug)
def test_a_form_that_is_sent_as_it_stands_means_the_usual_rules(game):
    asked = {"company": "bots", "level": "club", "pace": "none"}
    form = NewTableForm(game)
    as_it_stands = {name: form[name].initial for name in form.fields if form[name].initial not in (None, False)}
    sent = NewTableForm(game, {**as_it_stands, **asked})
    assert sent.is_valid(), sent.errors
    usual = game.read_options({}, game.seats[0])
    assert {name: usual[name] for name in sent.cleaned_data["options"]} == sent.cleaned_data["options"]
    assert engines.get("casino").open_options == engines.get("casino").options
