"""From the first game to the champion."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from games import services as games
from games.domain.clocks import PACES
from games.models import Table
from games.record import replay
from tests.tournaments.factories import (
    NOON,
    come,
    end_in_a_draw,
    lose,
    match_of,
    open_tables,
    person,
    started,
    status_of,
    table_of,
)
from tournaments import services
from tournaments.formats.match_play import EXTRA_GAMES
from tournaments.models import Entry, Event, Match
from tournaments.presentation.facts import facts_of
from tournaments.services.matches import possible_walkovers, walkover


def test_four_people_play_until_one_is_champion(event):
    noon = started(event(people="ann bob cat dan"))
    first, second = (set(m.sides.values_list("entry__user__username", flat=True)) for m in noon.matches.all())
    lose(noon, first.pop())
    assert noon.matches.count() == 2
    lose(noon, second.pop())
    assert noon.matches.count() == 3
    finalists = (*first, *second)
    lose(noon, finalists[0])
    noon.refresh_from_db()
    assert noon.status == Event.Status.FINISHED
    assert status_of(noon, finalists[1]) == Entry.Status.CHAMPION
    assert sorted(noon.entries.values_list("place", "last_place")) == [(1, 1), (2, 2), (3, 4), (3, 4)]
    assert "is the champion" in noon.log.first().what


def test_a_result_that_is_taken_in_twice_counts_once(event):
    noon = started(event(people="ann bob cat dan"))
    lose(noon, "ann")
    before = (noon.matches.count(), noon.log.count(), noon.version)
    services.advance_running_event(event_id=noon.pk, now=NOON)
    assert (noon.matches.count(), noon.log.count()) == before[:2]


def test_the_next_match_starts_although_its_round_is_not_complete(event):
    noon = started(event(people="ann bob cat dan eve fay"))  # two byes, two matches of the first round
    waiting = noon.entries.get(seed=1)
    loser = noon.entries.get(seed=5)
    lose(noon, loser.user.username)
    match = match_of(noon, waiting.user.username)
    assert match.round.number == 2
    assert match.status == Match.Status.PLAYING


def test_seats_are_changed_and_the_dealer_with_them_in_a_best_of_three(event):
    noon = started(event(people="ann bob", match_games=3))
    first = table_of(match_of(noon, "ann"))
    lose(noon, "ann")
    second = table_of(match_of(noon, "ann"))
    assert second != first
    assert second.names == first.names[::-1]
    assert first.first_dealer == second.first_dealer == 1
    lose(noon, "ann")
    noon.refresh_from_db()
    assert status_of(noon, "bob") == Entry.Status.CHAMPION
    assert [side.games_won for side in match_of(noon, "bob").sides.order_by("games_won")] == [0, 2]


def test_whoever_sits_where_wins_what_he_won_at_the_table(event):
    noon = started(event(people="ann bob", match_games=3))
    for _ in range(2):
        match = match_of(noon, "ann")
        lose(noon, "bob")
    match.refresh_from_db()
    assert match.sides.get(entry__user__username="ann").place == 1


def test_a_drawn_game_is_played_again_and_at_last_the_better_seed_goes_on(event):
    noon = started(event(people="ann bob"))
    match = match_of(noon, "ann")
    for number in range(1, EXTRA_GAMES + 2):
        assert match.games.count() == number
        end_in_a_draw(table_of(match))
        services.advance_running_event(event_id=noon.pk, now=NOON)
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    assert match.reason == "tied in games and points, so the better seed advances"
    assert match.sides.get(place=1).entry.seed == 1


def test_who_never_comes_to_the_table_forfeits_the_match(event):
    noon = started(event(people="ann bob", match_games=3, move_seconds=30))
    table = table_of(match_of(noon, "ann"))
    absent = table.seats.get(number=0).user
    come(noon, table.names[1])
    games.flag_overdue(table_id=table.pk, now=table.deadline_at + timedelta(seconds=1))
    services.advance_running_event(event_id=noon.pk, now=NOON)
    match = match_of(noon, "ann")
    assert match.decided_by == Match.DecidedBy.FORFEIT
    assert match.reason == f"{absent.username} didn't come to the table"
    assert match.sides.get(place=1).entry.user != absent


def test_the_tables_of_a_match_have_the_clock_of_the_event(event):
    noon = started(event(people="ann bob", move_seconds=0, base_minutes=5, increment_seconds=10))
    assert table_of(match_of(noon, "ann")).clock == PACES["standard"].clock
    assert ("Clock", "5 minutes + 10 seconds a turn") in facts_of(noon)


@pytest.mark.parametrize(
    ("settings", "chat", "rests"),
    [
        ({}, "phrases", False),
        ({"chat": "none", "move_seconds": 86_400, "allows_vacation": True}, "none", True),
        ({"chat": "free", "allows_vacation": True}, "free", False),
    ],
)
def test_an_event_decides_about_the_chat_and_the_vacations_at_its_tables(settings, chat, rests, event):
    noon = started(event(people="ann bob", **settings))
    table = table_of(match_of(noon, "ann"))
    assert (table.chat, table.clock_stops_on_vacation) == (chat, rests)
    assert ("stops during a vacation" in dict(facts_of(noon))["Clock"]) == rests


def test_who_runs_out_of_time_later_loses_only_the_game(event):
    noon = started(event(people="ann bob", match_games=3, move_seconds=30))
    table = table_of(match_of(noon, "ann"))
    for seat in (0, 1):
        table.refresh_from_db()
        move = replay.state_of(table).legal_moves(seat)[0]
        games.play_move(table_id=table.pk, seat=seat, text=str(move), version=table.version)
    table.refresh_from_db()
    games.flag_overdue(table_id=table.pk, now=table.deadline_at + timedelta(seconds=1))
    services.advance_running_event(event_id=noon.pk, now=NOON)
    match = match_of(noon, "ann")
    assert match.status == Match.Status.PLAYING
    assert match.games.count() == 2


def test_who_withdraws_during_play_gives_up_the_match_and_the_game(event):
    noon = started(event(people="ann bob cat dan", match_games=3))
    match = match_of(noon, "ann")
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    match.refresh_from_db()
    assert (match.decided_by, match.reason) == (Match.DecidedBy.FORFEIT, "ann left the tournament")
    assert table_of(match).status == "finished"
    services.advance_running_event(event_id=noon.pk, now=NOON)
    assert match.games.count() == 1
    assert status_of(noon, "ann") == Entry.Status.WITHDRAWN


def test_the_opponent_of_somebody_who_has_gone_is_through(event):
    noon = started(event(people="ann bob cat dan eve"))  # seeds 2 and 3 meet at once; 1 waits for 4 against 5
    waiting = noon.entries.get(seed=1).user
    services.withdraw_entry(event_id=noon.pk, user=waiting)
    lose(noon, noon.entries.get(seed=4).user.username)
    semi_final = match_of(noon, waiting.username)
    assert (semi_final.decided_by, semi_final.sides.get(place=1).entry.seed) == (Match.DecidedBy.FORFEIT, 5)


def test_the_last_one_who_stays_is_champion(event):
    noon = started(event(people="ann bob cat dan"))
    for name in ("ann", "bob", "cat"):
        services.withdraw_entry(event_id=noon.pk, user=person(name))
    assert Event.objects.get(pk=noon.pk).is_finished
    assert status_of(noon, "dan") == Entry.Status.CHAMPION
    assert sorted(noon.entries.values_list("place", flat=True))[:2] == [1, 2]


def test_who_is_out_cannot_withdraw(event):
    noon = started(event(people="ann bob cat dan"))
    lose(noon, "ann")
    with pytest.raises(services.EventError):
        services.withdraw_entry(event_id=noon.pk, user=person("ann"))


def test_semi_final_losers_play_for_third_place_if_the_event_says_so(event):
    noon = started(event(people="ann bob cat dan", format_options={"third_place": True}))
    losers = [match.sides.get(number=0).entry.user.username for match in noon.matches.all()]
    for name in losers:
        lose(noon, name)
    assert match_of(noon, losers[0]) == match_of(noon, losers[1])
    assert {status_of(noon, name) for name in losers} == {Entry.Status.PLAYING}
    final = noon.matches.get(round__section="main", round__number=2)
    lose(noon, final.sides.get(number=0).entry.user.username)
    assert not Event.objects.get(pk=noon.pk).is_finished
    lose(noon, losers[0])
    assert Event.objects.get(pk=noon.pk).is_finished
    assert sorted(noon.entries.values_list("place", flat=True)) == [1, 2, 3, 4]


def play_out(table: Table) -> None:
    for _ in range(2000):
        games.play_bot(table_id=table.pk)
        if not Table.objects.running().filter(pk=table.pk).exists():
            return
    raise AssertionError("the bots play no more")


def test_bots_play_a_whole_event_among_themselves(event, house_bots):
    noon = started(event(fill_to=4, bot_level="first-steps"))
    for _ in range(50):
        running = [table_of(match) for match in noon.matches.filter(status=Match.Status.PLAYING)]
        if not running:
            break
        for table in running:
            play_out(table)
        services.advance_running_event(event_id=noon.pk, now=NOON)
        open_tables(noon)
    noon.refresh_from_db()
    assert noon.status == Event.Status.FINISHED
    assert noon.entries.filter(status=Entry.Status.CHAMPION).count() == 1
    assert set(noon.matches.values_list("decided_by", flat=True)) == {Match.DecidedBy.GAMES}


def test_the_games_of_an_event_are_rated(event):
    noon = started(event(people="ann bob"))
    assert table_of(match_of(noon, "ann")).is_rated


def test_a_group_match_may_be_drawn_and_a_knock_out_match_may_not(event):
    options = {"group_size": 2, "qualifiers": 1}
    noon = started(event(people="ann bob cat dan", format="groups", format_options=options))
    for match in noon.matches.filter(status=Match.Status.PLAYING):
        end_in_a_draw(table_of(match))
    services.advance_running_event(event_id=noon.pk, now=NOON)
    open_tables(noon)
    assert noon.matches.filter(round__section__startswith="group", status=Match.Status.FINISHED).count() == 2
    final = noon.matches.get(round__section="main")
    end_in_a_draw(table_of(final))
    services.advance_running_event(event_id=noon.pk, now=NOON)
    final.refresh_from_db()
    assert (final.status, final.games.count()) == (Match.Status.PLAYING, 2)


def test_a_tie_break_that_there_is_not_is_refused(event):
    with pytest.raises(ValidationError, match="no tie-break LUCK"):
        event(format="swiss", format_options={"tie_breaks": ["BH", "LUCK"]})


def test_partners_are_champions_together(event, house_bots):
    noon = started(event(game="push", options={}, seats=4, deals=1, fill_to=2))
    table = table_of(noon.matches.get())
    games.resign(table_id=table.pk, user=table.seats.get(number=0).user)
    services.advance_running_event(event_id=noon.pk, now=NOON)
    assert noon.log.first().what.endswith(" are the champions.")


def test_only_byes_and_matches_with_someone_missing_can_be_walkovers(event):
    """Of a round of hundreds, the others are not read again when it is paired."""
    noon = started(event(people="ann bob cat dan eve fay gus", format="swiss"))
    Entry.objects.filter(user=person("ann")).update(status=Entry.Status.WITHDRAWN)
    Entry.objects.filter(user=person("bob")).update(sits_out=True)
    missing = {match.pk for name in ("ann", "bob") for match in noon.matches.filter(sides__entry__user=person(name))}
    byes = {match.pk for match in noon.matches.all() if match.sides.count() == 1}
    found = {match.pk for match in possible_walkovers(noon.matches.all())}
    assert byes and found == missing | byes and len(found) < noon.matches.count()
    assert found == {match.pk for match in services.with_games(noon.matches.all()) if walkover(match)}
