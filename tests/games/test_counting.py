"""Which decks are counted, and that each is counted once."""

import pytest
from celery import current_app

from games import services, tasks
from games.core import deals
from games.domain.shuffle_statistics import Tally, places_dealt
from games.models import CountedTable, DeckCounts, Table
from games.record import replay

pytestmark = pytest.mark.django_db


@pytest.fixture
def count():
    """`count()`: what the tasks do once a minute; the numbers of decks by now, by game."""

    def run():
        for table_id in services.uncounted_tables().values_list("pk", flat=True):
            tasks.count_decks(table_id)
        return dict(DeckCounts.objects.values_list("game", "decks"))

    return run


@pytest.fixture
def played(table_of, play_on):
    """`played("alice", "bob")`: a table where they have played to the end; see `table_of`."""
    return lambda *names, **more: play_on(table_of(*names, game="sixty-six", **more))


@pytest.fixture
def given_up(table_of, person):
    """`given_up("alice", "bob")`: a table that alice has left in the first deal; see `table_of`."""

    def make(*names, **more):
        table = table_of(*names, **more)
        return services.resign(table_id=table.pk, user=person(names[0]))

    return make


def recount(tables, decks):
    """The tally of these decks, made from what the verify pages of the tables tell."""
    rules = tables[0].rules
    pack = rules.deck(tables[0].options)
    tally = Tally(pack, places_dealt(rules, tables[0].options, tables[0].seat_count))
    for table, numbers in zip(tables, decks, strict=True):
        for number in numbers:
            tally.take(deals.shuffled(pack, bytes(table.secret), table.entropy, number), rules.hand_strength)
    return tally


def test_every_deck_of_a_finished_table_counts(played, count, state_of):
    one, two = played("alice", "bob"), played("alice", "bob", secret=b"2" * 32)
    hands = [len(state_of(table).results) for table in (one, two)]
    assert count() == {"sixty-six": sum(hands)}
    assert DeckCounts.objects.get().tally == recount([one, two], [range(1, n + 1) for n in hands])


def test_nothing_is_counted_twice(given_up, count):
    table = given_up("alice", "bob")
    before = count()
    tasks.count_decks(table.pk)
    assert count() == before
    assert CountedTable.objects.count() == 1


def test_a_running_table_keeps_its_secret(table_of, play_on, count):
    table = play_on(table_of("alice", "bob"), moves=3)
    assert count() == {}
    tasks.count_decks(table.pk)
    assert not DeckCounts.objects.exists()


def test_a_table_that_is_still_hidden_waits_until_it_is_revealed(given_up, count):
    table = given_up("alice", "bob", is_hidden=True, shares_deals=True)
    assert count() == {}
    services.reveal_tables(Table.objects.filter(pk=table.pk))
    assert list(count()) == ["casino"]


def test_the_deck_of_a_game_that_was_given_up_was_dealt(given_up, count):
    given_up("alice", "bob")
    assert count() == {"casino": 1}


def test_tables_that_share_their_deals_count_each_deck_once(played, given_up, count, state_of):
    """The second table comes further in the same decks than the first one; only the rest of it is new."""
    given_up("alice", "bob", game="sixty-six", shares_deals=True)
    assert count() == {"sixty-six": 1}
    longer = played("carol", "dave", shares_deals=True)
    hands = len(state_of(longer).results)
    assert hands > 1
    assert count() == {"sixty-six": hands}
    given_up("erin", "frank", game="sixty-six", shares_deals=True)
    assert count() == {"sixty-six": hands}
    assert DeckCounts.objects.get().tally == recount([longer], [range(1, hands + 1)])


def test_what_if_and_the_same_deal_again_do_not_count(table_of, play_on, person, house_bot, count):
    table = play_on(table_of("alice", "bob"), moves=3)
    table = services.resign(table_id=table.pk, user=person("alice"))
    before = count()
    house_bot("Ada")
    house_bot("Bea")
    services.offer_deal(table_id=table.pk, user=person("alice"))
    again = services.play_same_deal(table_id=table.pk, user=person("carol"), seat=0, level="first-steps")
    services.resign(table_id=again.pk, user=person("carol"))
    what_if = services.branch_off(table=table, at=2, user=person("alice"), seat=0, level="first-steps")
    services.resign(table_id=what_if.pk, user=person("alice"))
    assert count() == before
    assert CountedTable.objects.get().table == table


def test_games_and_seat_counts_are_kept_apart(table_of, count):
    for names in (("alice", "bob"), ("alice", "bob", "carol")):
        table_of(*names, secret=bytes([len(names)]) * 32)
    Table.objects.update(status=Table.Status.FINISHED, ended_by=Table.EndedBy.DIRECTOR)
    count()
    assert {row.tally.hands for row in DeckCounts.objects.all()} == {2, 3}


def test_a_record_that_cannot_be_replayed_is_left_out_for_good(table_of, play_on, count):
    table = play_on(table_of("alice", "bob"), moves=3)
    table.moves.filter(number=2).update(text="nothing that can be read")
    replay._newest.clear()
    Table.objects.update(status=Table.Status.FINISHED, ended_by=Table.EndedBy.DIRECTOR)
    assert count() == {"casino": 0}
    assert not services.uncounted_tables().exists()


def test_the_clock_finds_what_is_new_for_the_slow_queue(given_up, settings):
    table = given_up("alice", "bob")
    assert current_app.conf.task_routes["games.tasks.count_decks"]["queue"] == "slow"
    assert settings.CELERY_BEAT_SCHEDULE["games-decks"]["task"] == tasks.count_new_decks.name
    current_app.conf.task_always_eager = True
    try:
        tasks.count_new_decks()
    finally:
        current_app.conf.task_always_eager = False
    assert CountedTable.objects.get().table == table
