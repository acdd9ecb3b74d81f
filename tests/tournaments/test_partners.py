"""Two who play together: by invitation, by joining, or by the site."""

from importlib import import_module

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction

from games.models import Rating
from notifications.models import Notice
from tests.tournaments.factories import NOON, entry_of, names, notices_of, person, status_of
from tournaments import services
from tournaments.models import Entry, Event
from tournaments.services import partners


def enter(event: Event, name: str, partner: str = "") -> Entry:
    asked = person(partner) if partner else None
    return services.enter_event(event_id=event.pk, user=person(name), partner=asked)


def accept(event: Event, name: str, user: str) -> Entry:
    """The user says yes to the invitation of this name."""
    return services.accept_invitation(entry_id=entry_of(event, name).pk, user=person(user))


def gathered(event: Event) -> list[str]:
    """The names of the entries that play, after the start."""
    services.start_event(event_id=event.pk, now=NOON)
    return sorted(entry.name for entry in event.entries.filter(seed__isnull=False).with_players())


def test_who_is_asked_and_accepts_is_the_partner(pairs):
    noon = pairs()
    enter(noon, "ann", "bob")
    assert notices_of("bob") == ["ann invites you to be their partner in Noon knock-out."]
    assert entry_of(noon, "ann").partner is None
    assert accept(noon, "ann", "bob").name == "ann & bob"
    assert notices_of("ann") == ["ann & bob play together in Noon knock-out."]
    assert entry_of(noon, "bob") == entry_of(noon, "ann")


def test_who_declines_leaves_the_other_looking(pairs):
    noon = pairs()
    enter(noon, "ann", "bob")
    services.decline_invitation(entry_id=entry_of(noon, "ann").pk, user=person("bob"))
    assert "bob won't be your partner" in notices_of("ann")[0]
    with pytest.raises(services.EventError, match="no longer open"):
        accept(noon, "ann", "bob")
    services.join_partner(entry_id=entry_of(noon, "ann").pk, user=person("cat"))
    assert entry_of(noon, "cat").name == "ann & cat"


def test_an_invitation_to_somebody_else_takes_back_the_first(pairs):
    noon = pairs()
    enter(noon, "ann", "bob")
    services.invite_partner(event_id=noon.pk, user=person("ann"), partner=person("cat"))
    with pytest.raises(services.EventError, match="no longer open"):
        accept(noon, "ann", "bob")
    assert accept(noon, "ann", "cat").name == "ann & cat"


def test_who_is_no_longer_invited_has_no_unread_invitation(pairs):
    noon = pairs()
    enter(noon, "ann", "bob")
    services.invite_partner(event_id=noon.pk, user=person("ann"), partner=person("cat"))
    assert not person("bob").notices.unread()
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    assert not person("cat").notices.unread()


def test_who_is_invited_again_is_told_again(pairs):
    noon = pairs()
    enter(noon, "ann", "bob")
    services.decline_invitation(entry_id=entry_of(noon, "ann").pk, user=person("bob"))
    services.invite_partner(event_id=noon.pk, user=person("ann"), partner=person("bob"))
    assert notices_of("bob") == ["ann invites you to be their partner in Noon knock-out."] * 2
    services.decline_invitation(entry_id=entry_of(noon, "ann").pk, user=person("bob"))
    assert sum("bob won't be your partner" in text for text in notices_of("ann")) == 2


def test_only_who_was_asked_can_accept_or_decline(pairs):
    noon = pairs()
    entry = enter(noon, "ann", "bob")
    for act in (services.accept_invitation, services.decline_invitation):
        with pytest.raises(services.EventError, match="no longer open"):
            act(entry_id=entry.pk, user=person("charlie"))


def test_who_was_asked_by_two_plays_with_the_first_that_he_accepts(pairs):
    noon = pairs()
    for name in ("ann", "cat"):
        enter(noon, name, "bob")
    accept(noon, "cat", "bob")
    with pytest.raises(services.EventError, match="no longer open"):
        accept(noon, "ann", "bob")
    assert entry_of(noon, "ann").invited is None, "ann looks for somebody else"
    assert entry_of(noon, "bob").name == "cat & bob"


def test_two_who_ask_each_other_are_a_pair(pairs):
    noon = pairs()
    enter(noon, "ann", "bob")
    enter(noon, "bob", "ann")
    assert [entry.name for entry in noon.entries.with_players()] == ["bob & ann"]


def test_who_accepts_gives_up_an_entry_of_his_own(pairs):
    noon = pairs(people="bob", max_entries=2)
    enter(noon, "ann", "bob")
    enter(noon, "cat")
    assert status_of(noon, "cat") == Entry.Status.WAITING
    accept(noon, "ann", "bob")
    assert status_of(noon, "cat") == Entry.Status.ENTERED, "the second place is free again"
    assert sorted(entry.name for entry in noon.entries.with_players()) == ["ann & bob", "cat"]


def test_a_pair_has_a_place_if_one_of_them_had(pairs):
    noon = pairs(people="ann bob", max_entries=2)
    enter(noon, "cat", "ann")
    assert status_of(noon, "cat") == Entry.Status.WAITING
    accept(noon, "cat", "ann")
    assert status_of(noon, "cat") == Entry.Status.ENTERED


@pytest.mark.parametrize("asked", ["ann", "dan", "cat", "eve"])
def test_nobody_can_ask_himself_nor_who_is_taken_or_was_removed(pairs, asked):
    noon = pairs(people="ann bob cat eve")
    services.join_partner(entry_id=entry_of(noon, "bob").pk, user=person("dan"))
    services.join_partner(entry_id=entry_of(noon, "cat").pk, user=person("fay"))
    services.remove_entry(entry_id=entry_of(noon, "eve").pk, by=person("director"), why="")
    with pytest.raises(services.EventError, match="own partner|already|removed"):
        services.invite_partner(event_id=noon.pk, user=person("ann"), partner=person(asked))


def test_who_has_a_partner_cannot_be_joined(pairs):
    noon = pairs(people="ann")
    services.join_partner(entry_id=entry_of(noon, "ann").pk, user=person("bob"))
    with pytest.raises(services.EventError, match="looking for a partner"):
        services.join_partner(entry_id=entry_of(noon, "ann").pk, user=person("cat"))
    assert entry_of(noon, "ann").name == "ann & bob"


def test_a_partner_meets_the_conditions_too(pairs):
    noon = pairs(min_rating=1600)
    Rating.objects.create(user=person("ann"), game="push", mu=40)
    entry = enter(noon, "ann")
    with pytest.raises(services.EventError, match="bob doesn't meet the conditions"):
        services.invite_partner(event_id=noon.pk, user=person("ann"), partner=person("bob"))
    with pytest.raises(services.EventError, match="requires a rating of 1600 in Push; yours is 1500."):
        services.join_partner(entry_id=entry.pk, user=person("bob"))
    Entry.objects.update(invited=person("bob"))
    with pytest.raises(services.EventError, match="yours is 1500"):
        accept(noon, "ann", "bob")


@pytest.mark.parametrize("name", ["ann", "bob"])
def test_either_partner_checks_the_pair_in_and_withdraws_it(pairs, name):
    noon = pairs(people="ann", check_in_minutes=5)
    services.join_partner(entry_id=entry_of(noon, "ann").pk, user=person("bob"))
    services.open_check_in(event_id=noon.pk, now=NOON.replace(hour=11, minute=56))
    services.check_in_player(event_id=noon.pk, user=person(name))
    assert status_of(noon, "ann") == Entry.Status.CHECKED_IN
    services.withdraw_entry(event_id=noon.pk, user=person(name))
    assert status_of(noon, "ann") == Entry.Status.WITHDRAWN
    other = "ann" if name == "bob" else "bob"
    assert f"{name} has withdrawn from Noon knock-out, so your pair is out." in notices_of(other)


def test_who_accepts_during_check_in_is_here(pairs):
    noon = pairs(people="ann", check_in_minutes=5)
    services.invite_partner(event_id=noon.pk, user=person("ann"), partner=person("bob"))
    services.open_check_in(event_id=noon.pk, now=NOON.replace(hour=11, minute=56))
    assert accept(noon, "ann", "bob").status == Entry.Status.CHECKED_IN


def test_a_pair_that_withdrew_may_enter_again_with_others(pairs):
    noon = pairs(people="ann")
    services.join_partner(entry_id=entry_of(noon, "ann").pk, user=person("bob"))
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    enter(noon, "bob")
    services.join_partner(entry_id=entry_of(noon, "bob").pk, user=person("cat"))
    enter(noon, "ann")
    assert sorted(entry.name for entry in noon.entries.with_players()) == ["ann", "bob & cat"]


def test_the_site_matches_those_who_are_left_near_in_rating(pairs):
    people = "ann bob cat dan eve fay gil hal".split()
    noon = pairs(people=" ".join(people))
    for name, mu in zip(people, (40, 10, 35, 15, 22, 28, 29, 21), strict=True):
        Rating.objects.create(user=person(name), game="push", mu=mu)
    together = {frozenset(name.split(" & ")) for name in gathered(noon)}
    assert together == {frozenset(pair.split()) for pair in ("ann cat", "bob dan", "eve hal", "fay gil")}


def test_who_entered_last_stays_out_when_no_partner_is_left_and_the_log_says_so(pairs):
    noon = pairs(people="ann bob cat dan eve")
    assert sorted(" & ".join(gathered(noon)).split(" & ")) == ["ann", "bob", "cat", "dan"]
    assert status_of(noon, "eve") == Entry.Status.WAITING
    assert noon.log.filter(what="eve doesn't play, because there was no partner left.").exists()
    [text] = Notice.objects.filter(user=person("eve"), key__contains="left-out").values_list("text", flat=True)
    assert text == f"{noon.name} has started without you: there was no partner left for you."


def test_a_bot_is_the_partner_of_the_last_one_where_bots_may_play(pairs, house_bots):
    noon = pairs(people="ann bob cat", fill_to=4, bot_level="strong")
    assert len(gathered(noon)) == 4
    assert entry_of(noon, "cat").partner.house_bot.level == "strong"
    bots = [entry for entry in noon.entries.with_players() if entry.is_bot]
    assert {player.house_bot.level for entry in bots for player in entry.players} == {"strong"}
    assert [len(entry.players) for entry in bots] == [2, 2]


def test_two_places_that_become_one_are_free_for_who_waits(pairs):
    noon = pairs(people="ann bob cat dan", max_entries=2)
    assert names(noon.entries.waiting()) == ["cat", "dan"]
    together = " & ".join(gathered(noon)).split(" & ")
    assert sorted(together) == ["ann", "bob", "cat", "dan"]


def test_partners_stay_as_they_are_once_the_event_has_started(pairs):
    noon = pairs(people="ann bob cat dan eve")
    services.invite_partner(event_id=noon.pk, user=person("eve"), partner=person("fay"))
    gathered(noon)
    with pytest.raises(services.EventError, match="has started"):
        accept(noon, "eve", "fay")


def test_a_director_enters_a_pair_at_once(pairs):
    noon = pairs(people="ann")
    ann, bob, director = person("ann"), person("bob"), person("director")
    services.add_entry(event_id=noon.pk, user=ann, partner=bob, by=director)
    services.add_entry(event_id=noon.pk, user=person("cat"), partner=person("dan"), by=director)
    with pytest.raises(services.EventError, match="ann & bob already play together"):
        services.add_entry(event_id=noon.pk, user=person("eve"), partner=bob, by=director)
    assert sorted(entry.name for entry in noon.entries.with_players()) == ["ann & bob", "cat & dan"]


def test_nobody_has_a_partner_where_all_play_alone(event):
    with pytest.raises(services.EventError, match="plays alone"):
        services.add_entry(event_id=event().pk, user=person("ann"), partner=person("bob"), by=person("director"))


@pytest.mark.parametrize("act", ["join", "ask", "invite", "accept"])
def test_no_way_makes_a_partner_where_all_play_alone(event, act):
    noon = event(people="ann")
    entry, eve = entry_of(noon, "ann"), person("eve")
    ways = {
        "join": lambda: services.join_partner(entry_id=entry.pk, user=eve),
        "ask": lambda: partners.send_invitation(noon, entry, eve),
        "invite": lambda: services.invite_partner(event_id=noon.pk, user=person("ann"), partner=eve),
        "accept": lambda: services.accept_invitation(entry_id=entry.pk, user=eve),
    }
    if act == "accept":  # an invitation from the time when the event was one for pairs
        Entry.objects.update(is_pair=True, invited=eve)
    with pytest.raises(services.EventError, match="Everyone plays alone in this tournament"):
        ways[act]()
    entry.refresh_from_db()
    assert entry.partner is None


@pytest.mark.parametrize("field", ["partner", "invited"])
def test_the_database_has_no_partner_where_all_play_alone(event, field):
    entry = entry_of(event(people="ann"), "ann")
    setattr(entry, field, person("eve"))
    with pytest.raises(IntegrityError, match="only_pairs_have_partners"), transaction.atomic():
        entry.save()


def change_game(event: Event, **settings: object) -> Event:
    for name, value in settings.items():
        setattr(event, name, value)
    return services.save_event(event, by=person("director"), now=NOON)


def test_an_event_becomes_one_for_pairs_with_the_entries_it_has(event):
    noon = change_game(event(people="ann"), game="push", options={}, seats=4)
    services.join_partner(entry_id=entry_of(noon, "ann").pk, user=person("bob"))
    assert entry_of(noon, "ann").name == "ann & bob"


def test_an_event_for_pairs_becomes_one_for_players_alone_while_nobody_has_a_partner(pairs):
    noon = pairs(people="ann")
    services.invite_partner(event_id=noon.pk, user=person("ann"), partner=person("bob"))
    change_game(noon, game="casino", seats=2)
    assert entry_of(noon, "ann").invited is None
    with pytest.raises(services.EventError, match="no longer open"):
        accept(noon, "ann", "bob")


def test_an_event_in_which_pairs_have_entered_stays_one_for_pairs(pairs):
    noon = pairs(people="ann")
    services.join_partner(entry_id=entry_of(noon, "ann").pk, user=person("bob"))
    with pytest.raises(services.EventError, match="Pairs have already entered"):
        change_game(noon, game="casino", seats=2)
    with pytest.raises(ValidationError, match="Pairs have already entered"):
        noon.full_clean()
    noon.refresh_from_db()
    assert noon.has_pairs


def test_the_entries_of_bots_are_pairs_where_partners_play(pairs, house_bots):
    noon = pairs(fill_to=4)
    gathered(noon)
    assert all(entry.is_pair for entry in noon.entries.all())


def allow_any_partner() -> None:
    """As in a database from before the rule, until the end of the test."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = ON")
        else:
            cursor.execute("ALTER TABLE tournaments_entry DROP CONSTRAINT only_pairs_have_partners")


@pytest.fixture
def old_rows(db):
    allow_any_partner()
    yield
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA ignore_check_constraints = OFF")


def test_partners_that_nobody_should_have_are_taken_out_of_older_databases(old_rows, event, pairs):
    alone, doubles = event(people="ann bob"), pairs(people="cat")
    services.join_partner(entry_id=entry_of(doubles, "cat").pk, user=person("dan"))
    alone.entries.filter(user=person("ann")).update(partner=person("eve"))
    alone.entries.filter(user=person("bob")).update(invited=person("fay"))
    alone.badges.create(user=person("eve"), place=1)
    alone.badges.create(user=person("ann"), place=1)
    Entry.objects.update(is_pair=False)
    import_module("tournaments.migrations.0014_pairs_and_set_aside").mark_pairs(apps, connection.schema_editor())
    assert list(alone.entries.values_list("partner", "invited", "is_pair")) == [(None, None, False)] * 2
    assert [badge.user.username for badge in alone.badges.all()] == ["ann"]
    assert alone.log.latest("pk").what == "eve is no longer the partner of ann: everyone plays alone in this event."
    assert entry_of(doubles, "dan").name == "cat & dan"
    assert entry_of(doubles, "dan").is_pair


def test_everybody_is_told_that_a_director_has_made_a_pair(pairs):
    noon = pairs(people="ann")
    services.add_entry(event_id=noon.pk, user=person("ann"), partner=person("bob"), by=person("director"))
    assert Event.objects.get(pk=noon.pk).version > noon.version
