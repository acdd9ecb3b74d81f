"""Who plays when an event starts, and with which seeds."""

import pytest

from games.models import HouseBot, Rating
from games.services import house_bots as bots_of_the_house
from tests.tournaments.factories import NOON, names, person, started, status_of
from tournaments import services
from tournaments.formats import lots
from tournaments.models import Entry, Event
from tournaments.services.seeding import bots_wanted

PODS = {"format": "pods", "format_options": {"sizes": [4, 3, 5]}}


def levels(event: Event) -> list[str]:
    return sorted(entry.user.house_bot.level for entry in event.entries.filter(user__is_bot=True))


def in_order_of_seeds(event: Event) -> list[str]:
    return names(event.entries.order_by("seed"))


# Bots


def test_bots_fill_the_free_places_with_the_level_that_was_asked_for(event, house_bots):
    noon = started(event(people="ann", fill_to=8, bot_level="first-steps"))
    assert levels(noon) == ["first-steps"] * 7
    assert {bot.game for bot in HouseBot.objects.filter(user__entries__event=noon)} == {"casino"}


def test_more_bots_of_the_level_are_made_where_it_has_too_few(event, house_bots):
    bots = HouseBot.objects.count()
    noon = started(event(fill_to=11, bot_level="club"))
    assert levels(noon) == ["club"] * 11
    assert HouseBot.objects.count() == bots + 3, "and no more than are missing"
    shown = [entry.user.display_name for entry in noon.entries.with_players()]
    assert len(set(shown)) == 11
    assert "Old Tierce" in shown


def test_bots_that_were_made_for_one_event_play_in_the_next(event, house_bots):
    started(event(fill_to=11))
    bots = HouseBot.objects.count()
    started(event(fill_to=11))
    assert HouseBot.objects.count() == bots


def test_making_bots_twice_makes_them_once(db):
    first = bots_of_the_house.make_house_bots("casino", "club", ["Tierce", "Old Tierce"])
    assert bots_of_the_house.make_house_bots("casino", "club", ["Tierce", "Old Tierce"]) == first
    assert HouseBot.objects.count() == 2


def test_where_only_bots_play_all_levels_come_before_new_bots_are_made(event, house_bots):
    for size, strong in ((6, 6), (10, 8), (27, 10)):
        noon = started(event(fill_to=size, bots_only=True, bot_level="strong"))
        assert (len(levels(noon)), levels(noon).count("strong")) == (size, strong)


def test_no_bot_comes_where_people_fill_the_places(event, house_bots):
    noon = started(event(people="ann bob cat dan", fill_to=4))
    assert not noon.entries.filter(user__is_bot=True).exists()


def test_a_bot_that_was_removed_does_not_come_back(event, house_bots):
    noon = event(people="ann bob", fill_to=10)
    for bot in HouseBot.objects.filter(game="casino", level="club")[:4]:
        entry = services.add_entry(event_id=noon.pk, user=bot.user, by=person("director"))
        services.remove_entry(entry_id=entry.pk, by=person("director"), why="")
    started(noon)
    assert noon.entries.filter(status=Entry.Status.REMOVED).count() == 4
    assert noon.entries.present().count() == 10


@pytest.mark.parametrize(
    ("settings", "entries", "bots"),
    [
        ({"fill_to": 8}, 3, 5),
        ({"fill_to": 8}, 9, 0),
        ({"is_evened": True}, 5, 1),
        ({"is_evened": True}, 6, 0),
        ({"is_evened": True, "fill_to": 7}, 3, 5),
        ({"is_evened": True, "max_entries": 7}, 7, 0),
        ({}, 5, 0),
        (PODS | {"is_evened": True}, 11, 1),
        (PODS | {"is_evened": True}, 10, 2),
        (PODS | {"is_evened": True}, 9, 0),
    ],
)
def test_as_many_bots_come_as_are_wanted(settings, entries, bots):
    noon = Event(game="casino", **settings)
    assert bots_wanted(noon, entries) == bots


# Seeds


def test_people_are_seeded_before_bots_by_the_published_lots(event, house_bots):
    noon = started(event(people="ann bob cat", fill_to=8))
    seeded = list(noon.entries.order_by("seed"))
    assert [entry.seed for entry in seeded] == list(range(1, 9))
    assert [entry.user.is_bot for entry in seeded] == [False] * 3 + [True] * 5
    drawn = lots.order_by_lot(noon.lots, [entry.pk for entry in seeded])
    assert [entry.pk for entry in seeded] == sorted(drawn, key=lambda pk: Entry.objects.get(pk=pk).user.is_bot)


def test_the_best_rated_is_seeded_first_and_the_rating_is_kept(event):
    noon = event(people="ann bob cat", seeding="rating")
    for name, mu in (("ann", 20), ("cat", 30)):
        Rating.objects.create(user=person(name), game="casino", mu=mu)
    Rating.objects.create(user=person("ann"), game="piquet", mu=40)
    started(noon)
    assert in_order_of_seeds(noon) == ["cat", "bob", "ann"]
    kept = [entry.rating for entry in noon.entries.order_by("seed")]
    assert kept[0] > kept[1] == 1500 > kept[2]


def test_seeds_by_hand_come_before_those_by_lot(event):
    noon = event(people="ann bob cat dan", seeding="hand")
    for name, seed in (("dan", 1), ("bob", 7)):
        noon.entries.filter(user__username=name).update(wanted_seed=seed)
    started(noon)
    assert in_order_of_seeds(noon)[:2] == ["dan", "bob"]
    rest = noon.entries.filter(seed__gt=2).order_by("seed")
    assert [entry.pk for entry in rest] == lots.order_by_lot(noon.lots, [entry.pk for entry in rest])


# Places of those who are not here


def test_at_the_start_places_go_to_those_who_wait_and_have_checked_in(event):
    noon = event(people="ann bob cat dan eve", check_in_minutes=5, max_entries=3)
    services.open_check_in(event_id=noon.pk, now=NOON.replace(hour=11, minute=56))
    for name in ("ann", "bob", "eve"):
        services.check_in_player(event_id=noon.pk, user=person(name))
    assert status_of(noon, "eve") == Entry.Status.READY
    started(noon)
    assert set(names(noon.entries.present())) == {"ann", "bob", "eve"}
    assert status_of(noon, "cat") == Entry.Status.NO_SHOW
    assert status_of(noon, "dan") == Entry.Status.WAITING


def test_an_event_with_fewer_people_than_it_takes_is_cancelled_with_its_bots(event, house_bots):
    noon = event(people="ann", is_evened=True, min_entries=4)
    services.start_event(event_id=noon.pk, now=NOON)
    noon.refresh_from_db()
    assert noon.status == Event.Status.CANCELLED
    assert noon.log.first().why == "Only 2 came, and it needs 4."
