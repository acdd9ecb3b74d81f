"""Rounds whose tables play the same deals, and matches that play each deal twice."""

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import services as games
from games.models import Table
from games.record import replay
from tests.games.open_cards import check, may_know, named
from tests.games.recorder import Ask, Reader, addresses, addresses_of_tables
from tests.pages import page_html
from tests.tournaments.factories import (
    NOON,
    advance,
    end_with,
    lose,
    match_of,
    person,
    running_tables,
    started,
    status_of,
    table_of,
    win,
)
from tournaments import services
from tournaments.models import Entry, Event, Match, MatchSide
from tournaments.queries import records

SAME = {"dealing": "same", "compared_by": "matchpoints", "match_rule": "points"}
SWISS = {"format": "swiss", "format_options": {"planned_rounds": 2}}


def first_hands(table: Table) -> list:
    return replay.first_state(table).dump()["hands"]


def end_all(event: Event, *scores: tuple[int, int]) -> None:
    """Ends the running tables, in their order, with these scores by seat; then the event goes on."""
    for table, points in zip(running_tables(event), scores, strict=True):
        end_with(table, points)
    advance(event)


def status(browser: Client, name: str, table: Table) -> int:
    return browser.get(reverse(f"games:{name}", args=[table.code])).status_code


# The same deals everywhere


def test_every_table_of_a_round_deals_the_same_and_each_round_something_else(event):
    noon = started(event(people="ann bob cat dan", **SAME | SWISS))
    first = running_tables(noon)
    assert len(first) == 2
    assert first_hands(first[0]) == first_hands(first[1])
    assert first[0].first_dealer == first[1].first_dealer
    end_all(noon, (11, 0), (11, 3))
    second = running_tables(noon)
    assert first_hands(second[0]) == first_hands(second[1]) != first_hands(first[0])


def test_each_game_of_a_match_has_a_deal_of_its_own_that_the_other_tables_play_too(event):
    noon = started(event(people="ann bob cat dan", match_games=2, **SAME | SWISS))
    one, other = running_tables(noon)
    for table in (one, other):
        end_with(table, (11, 0))
    advance(noon)
    later = running_tables(noon)
    assert first_hands(later[0]) == first_hands(later[1]) != first_hands(one)
    assert later[0].names == one.names[::-1]


def test_nobody_sees_a_table_of_others_before_its_round_is_over(event, client):
    noon = started(event(people="ann bob cat dan", **SAME | SWISS))
    one, other = running_tables(noon)
    staff = person("staff")
    staff.is_staff = staff.is_superuser = True
    staff.save()
    player, opponent_elsewhere, director = Client(), Client(), Client()
    player.force_login(one.seats.get(number=0).user)
    opponent_elsewhere.force_login(other.seats.get(number=0).user)
    director.force_login(staff)
    assert status(player, "table", one) == 200
    for browser in (opponent_elsewhere, director, client):
        assert status(browser, "table", one) == 403
    assert one.code not in page_html(client.get(noon.get_absolute_url()))
    end_with(one, (11, 0))
    advance(noon)
    assert status(opponent_elsewhere, "replay", one) == status(player, "replay", one) == 403
    end_with(other, (11, 0))
    advance(noon)
    assert status(opponent_elsewhere, "table", one) == status(client, "table", other) == 200
    assert {status(client, "table", table) for table in running_tables(noon)} == {403}


def test_a_match_is_decided_against_the_field_once_the_round_is_over(event):
    noon = started(event(people="ann bob cat dan eve fay", **SAME | SWISS))
    tables = running_tables(noon)
    end_with(tables[0], (11, 5))
    advance(noon)
    assert table_match(tables[0]).status == Match.Status.PLAYING
    end_with(tables[1], (11, 2))
    end_with(tables[2], (11, 0))
    advance(noon)
    # Seat 0 won at every table, by 6, 9 and 11: more than at 0, 1 and 2 of the others. In the second match both sides
    # have one matchpoint, so the score at the table decides.
    assert [[(side.place, side.compared) for side in sides_by_seat(table)] for table in tables] == [
        [(2, 0), (1, 2)],
        [(1, 1), (2, 1)],
        [(1, 2), (2, 0)],
    ]


def table_match(table: Table) -> Match:
    return Match.objects.get(games__table=table)


def sides_by_seat(table: Table) -> list[MatchSide]:
    return [table_match(table).sides.get(entry__user=seat.user) for seat in table.seats.all()]


def test_differences_are_compared_with_the_mean_of_the_others(event):
    noon = started(event(people="ann bob cat dan", **SAME | SWISS | {"compared_by": "differences"}))
    one, other = running_tables(noon)
    end_all(noon, (11, 5), (11, 2))
    assert [(side.place, side.compared) for side in sides_by_seat(other)] == [(1, 3), (2, -3)]
    assert {frozenset(match.points) for match in records.match_records_of(noon) if match.places} == {frozenset({3, -3})}


def test_the_last_table_alone_is_decided_by_its_own_score(event):
    noon = started(event(people="ann bob", **SAME))
    better = running_tables(noon)[0].names[1]
    end_all(noon, (3, 11))
    match = match_of(noon, "ann")
    assert match.sides.get(place=1).entry.user.username == better
    assert match.sides.get(place=1).compared is None
    assert status_of(noon, better) == Entry.Status.CHAMPION


def test_a_mirrored_final_is_compared_with_nobody_though_its_deal_is_played_twice(event):
    noon = started(event(people="ann bob", match_games=2, is_mirrored=True, **SAME))
    for scores in ((11, 0), (2, 11)):
        end_all(noon, scores)
    match = match_of(noon, "ann")
    assert match.reason.endswith("no one else had these cards")
    assert {side.compared for side in match.sides.all()} == {None}


def test_in_a_knock_out_no_table_starts_before_all_that_share_its_deals_can(event):
    noon = started(event(people="ann bob cat dan eve", **SAME))  # seeds 2 and 3 could meet at once
    assert [match.round.number for match in noon.matches.filter(status=Match.Status.PLAYING)] == [1]
    end_all(noon, (11, 0))
    tables = running_tables(noon)
    assert {table_match(table).round.number for table in tables} == {2}
    assert first_hands(tables[0]) == first_hands(tables[1])


def test_who_gives_up_a_game_gives_up_a_match_that_cannot_be_compared(event):
    noon = started(event(people="ann bob cat dan", match_games=2, **SAME | SWISS))
    lose(noon, "ann")
    match = match_of(noon, "ann")
    assert (match.decided_by, match.reason) == (Match.DecidedBy.FORFEIT, "ann resigned")


def test_the_secret_of_a_round_follows_from_nothing_that_is_shown(event, client):
    noon = started(event(people="ann bob cat dan", match_games=2, **SAME | SWISS))
    end_all(noon, (11, 0), (11, 2))
    tables = Table.objects.filter(match_game__match__event=noon)
    assert len({table.commitment for table in tables}) == 2  # one for each deal of the round
    assert bytes(tables[0].secret) != bytes(noon.rounds.get().secret)


def test_a_cancelled_event_hides_nothing(event, client):
    noon = started(event(people="ann bob cat dan", **SAME | SWISS))
    services.cancel_event(event_id=noon.pk, by=None, why="")
    assert {status(client, "table", table) for table in running_tables(noon)} == {200}


# Mirrored


def test_a_mirrored_match_plays_each_deal_again_with_seats_changed(event):
    noon = started(event(people="ann bob", match_games=4, match_rule="points", is_mirrored=True))
    for _ in range(4):
        end_all(noon, (5, 5))
    rows = list(match_of(noon, "ann").games.order_by("number"))[:4]
    assert sorted(row.deal for row in rows) == [1, 1, 2, 2]
    assert [row.deal for row in rows[:2]] == [1, 2]
    for row, again in ((row, again) for row in rows[:2] for again in rows[2:] if again.deal == row.deal):
        assert first_hands(row.table) == first_hands(again.table)
        assert row.first_side != again.first_side
    assert first_hands(rows[0].table) != first_hands(rows[1].table)


def test_a_level_mirrored_match_goes_on_with_one_more_mirrored_deal(event):
    noon = started(event(people="ann bob", match_games=2, match_rule="points", is_mirrored=True))
    for _ in range(4):
        end_all(noon, (5, 5))
    rows = list(match_of(noon, "ann").games.order_by("number"))
    assert [row.deal for row in rows] == [1, 1, 2, 2]
    assert all(row.first_side != again.first_side for row, again in (rows[:2], rows[2:]))


def test_a_mirrored_match_can_be_replayed_once_it_is_over(event, client):
    noon = started(event(people="ann bob cat dan", match_games=2, match_rule="points", is_mirrored=True))
    one, other = running_tables(noon)
    assert first_hands(one) != first_hands(other)
    name = one.names[0]
    end_with(one, (11, 0))
    advance(noon)
    player = Client()
    player.force_login(person(name))
    assert status(player, "replay", one) == 403
    win(noon, name)
    assert status(client, "replay", one) == 200


# Settings


@pytest.mark.parametrize(
    ("field", "settings"),
    [
        ("compared_by", {"compared_by": "matchpoints", "match_rule": "points"}),
        ("match_rule", {"compared_by": "matchpoints", "dealing": "same"}),
        ("match_games", {"is_mirrored": True, "match_games": 3, "match_rule": "points"}),
        ("deals", {"game": "vatican", "options": {}, "deals": 2}),
    ],
)
def test_settings_that_cannot_be_played_are_refused(event, field, settings):
    with pytest.raises(ValidationError) as refusal:
        event(**settings)
    assert set(refusal.value.message_dict) == {field}


# What the site shows of tables whose deals are still played


@pytest.mark.only_on("sqlite")
def test_no_page_shows_who_still_plays_a_deal_what_was_played_elsewhere(event):
    """Neither of the event nor of the table, nor in one's data, in the admin, or as a moderator."""
    noon = event(people="ann bob cat dan", **SAME | SWISS)
    User.objects.filter(pk=person("director").pk).update(is_staff=True, is_superuser=True)
    before = pages_of(noon, [Reader("director", person("director"))])
    started(noon)
    one = Table.objects.get(pk=table_of(match_of(noon, "ann")).pk)
    other = next(table for table in running_tables(noon) if table.pk != one.pk)
    for _ in range(6):
        seat = replay.state_of(one).to_act[0]
        text = str(replay.state_of(one).legal_moves(seat)[-1])
        one = games.play_move(table_id=one.pk, seat=seat, text=text, version=one.version)
    services.advance_running_event(event_id=noon.pk, now=NOON)
    games.resign(table_id=one.pk, user=one.seats.get(number=0).user)
    advance(noon)
    one = Table.objects.with_seats().get(pk=one.pk)
    assert one.is_hidden and one.is_over
    own = other.seats.get(number=0).user
    User.objects.filter(pk=own.pk).update(is_staff=True, is_superuser=True)
    readers = [Reader("stranger", person("stranger")), Reader("plays elsewhere", own)]
    assert first_hands(one) == first_hands(other)
    for (name, ask), text in pages_of(noon, readers, one).items():
        known = may_know(other, own.pk) if name == "plays elsewhere" else set()
        usual = before.get(("director", ask), "")
        check(f"{ask} of {name}", text, one, known | named(usual))


def pages_of(noon: Event, readers: list[Reader], table: Table | None = None) -> dict[tuple[str, str], str]:
    """What everybody finds at the addresses of the event, and at those of a table."""
    cache.clear()
    places = [one for one in addresses() if one.name.startswith("tournaments:") and {"pk", "tab"} >= {*one.parts}]
    paths = {place.path(Table(game="casino"), "ann", pk=noon.pk) for place in places}
    paths |= {place.path(table, "ann") for place in addresses_of_tables()} if table else set()
    paths |= (
        {reverse(f"admin:games_table_{page}", args=[table.pk]) for page in ("change", "history")} if table else set()
    )
    paths |= {noon.get_absolute_url(), "/watch/", "/play/mine/", "/moderation/", "/players/ann/", "/players/bob/"}
    asks = [*map(Ask, sorted(paths)), Ask("/accounts/export/", is_post=True)]
    return {(reader.name, str(ask)): reader.does(ask) for reader in readers for ask in asks}
