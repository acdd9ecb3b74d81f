"""What happens to a match without somebody: never chance, and as it was said before the event."""

import pytest

from games import services as games
from games.record import replay
from notifications.models import Notice
from tests.pages import page_html
from tests.tournaments.factories import (
    advance,
    come,
    end_in_favour,
    match_of,
    open_tables,
    person,
    play,
    run_out_of_time,
    running_tables,
    started,
    status_of,
    table_of,
    win,
)
from tournaments import services
from tournaments.models import Entry, Event, Match
from tournaments.presentation.facts import event_absence_in_words, leaving_in_words
from tournaments.services.tables import has_played

PODS = {"game": "carousel", "options": {}, "format": "pods", "format_options": {"sizes": [3], "planned_rounds": 1}}


def winner(match: Match) -> str:
    match.refresh_from_db()
    return match.sides.get(place=1).entry.user.username


def sitting(event: Event) -> tuple[str, str]:
    """Who sits in seat 0 and is to move, and the other one."""
    table = running_tables(event)[0]
    return table.names[0], table.names[1]


def late(event: Event, name: str) -> Match:
    run_out_of_time(event, name)
    advance(event)
    return match_of(event, name)


# Two at a table


@pytest.mark.parametrize("absence", ["forfeit", "score", "hold"])
def test_who_never_comes_forfeits_under_every_policy_but_the_bots(event, absence):
    noon = started(event(people="ann bob", match_games=3, absence=absence))
    missing, other = sitting(noon)
    come(noon, other)
    match = late(noon, missing)
    assert (match.decided_by, winner(match)) == (Match.DecidedBy.FORFEIT, other)
    assert match.reason == f"{missing} didn't come to the table"


@pytest.mark.parametrize("absence", ["forfeit", "score", "hold", "bot"])
def test_both_lose_where_neither_comes_whatever_the_policy(event, absence):
    noon = started(event(people="ann bob", match_games=3, absence=absence))
    one, other = sitting(noon)
    match = late(noon, one)
    assert (match.decided_by, match.reason) == (
        Match.DecidedBy.FORFEIT,
        f"{match.sides.all()[0]} and {match.sides.all()[1]} didn't come to the table",
    )
    assert [side.place for side in match.sides.all()] == [2, 2]
    assert noon.log.filter(what__contains="no one won").exists()


@pytest.mark.parametrize("absence", ["forfeit", "score"])
def test_who_was_there_and_never_moves_did_not_move_in_time(event, absence):
    noon = started(event(people="ann bob", match_games=3, absence=absence))
    missing, other = sitting(noon)
    come(noon, missing, other)
    match = late(noon, missing)
    assert (match.decided_by, winner(match)) == (Match.DecidedBy.FORFEIT, other)
    assert match.reason == f"{missing} didn't move in time"


def test_a_move_over_days_has_no_time_to_appear(event):
    noon = started(event(people="ann bob", move_seconds=3600))
    table = running_tables(noon)[0]
    assert (noon.appear_seconds, table.appear_by) == (None, None)
    missing, other = sitting(noon)
    match = late(noon, missing)
    assert (winner(match), match.reason) == (other, f"{missing} didn't move in time")


def test_a_bot_plays_a_match_to_its_end_for_who_never_comes(event, house_bots):
    noon = started(event(people="ann bob", match_games=3, absence="bot"))
    missing, other = sitting(noon)
    come(noon, other)
    match = late(noon, missing)
    table = table_of(match)
    assert table.seats.get(user=person(missing)).has_left
    games.play_bot(table_id=table.pk)
    table.refresh_from_db()
    assert table.move_count == 1
    row = match.games.get(table=table)
    assert not any(has_played(row, side) for side in row.side_of_seat.values())
    win(noon, other)
    win(noon, missing)
    assert table_of(match).seats.get(user=person(missing)).has_left  # also in the games that follow
    win(noon, missing)
    match.refresh_from_db()
    assert (match.decided_by, winner(match)) == (Match.DecidedBy.GAMES, missing)


def test_who_comes_back_to_a_bots_seat_plays_the_next_game_too(event):
    noon = started(event(people="ann bob", match_games=3, absence="bot"))
    missing, other = sitting(noon)
    come(noon, other)
    match = late(noon, missing)
    games.come_back(table_id=table_of(match).pk, user=person(missing))
    win(noon, other)
    assert not table_of(match).seats.get(user=person(missing)).has_left


def test_the_score_so_far_decides_for_who_was_ahead(event):
    noon = started(event(people="ann bob", match_games=3, absence="score"))
    first, second = sitting(noon)
    win(noon, first)
    play(table_of(match_of(noon, first)), 2)
    mover = replay.state_of(table_of(match_of(noon, first))).to_act[0]
    match = late(noon, table_of(match_of(noon, first)).names[mover])
    assert (match.decided_by, winner(match)) == (Match.DecidedBy.SCORE, first)


def test_the_score_of_the_games_before_decides_against_who_does_not_come_to_the_next(event):
    noon = started(event(people="ann bob", match_games=3, absence="score"))
    first, second = sitting(noon)
    play(running_tables(noon)[0], 2)
    win(noon, first)  # now the second one sits first and is to move
    match = late(noon, second)
    assert (match.decided_by, winner(match)) == (Match.DecidedBy.SCORE, first)


def test_a_level_score_is_for_who_stayed_and_not_for_the_better_seed(event):
    noon = started(event(people="ann bob", absence="score"))
    better = noon.entries.get(seed=1).user
    table = running_tables(noon)[0]
    table = play(table, 2 if table.seats.get(user=better).number == 0 else 3)
    match = late(noon, better.username)
    assert winner(match) != better.username
    assert match.reason.endswith("tied, so the player who stayed wins")


def test_a_held_match_goes_on_when_its_player_is_back(event):
    noon = started(event(people="ann bob", absence="hold", hold_minutes=7))
    missing, other = sitting(noon)
    come(noon, missing, other)
    assert late(noon, missing).status == Match.Status.PLAYING
    assert table_of(match_of(noon, missing)).hold_seconds == 7 * 60
    games.come_back(table_id=table_of(match_of(noon, missing)).pk, user=person(missing))
    play(table_of(match_of(noon, missing)), 2)
    win(noon, missing)
    assert status_of(noon, missing) == Entry.Status.CHAMPION


def test_who_is_not_back_in_time_forfeits_the_whole_match(event):
    noon = started(event(people="ann bob", match_games=3, absence="hold"))
    missing, other = sitting(noon)
    play(running_tables(noon)[0], 2)
    late(noon, missing)
    match = late(noon, missing)
    assert (match.decided_by, match.reason) == (Match.DecidedBy.FORFEIT, f"{missing} ran out of time")
    assert winner(match) == other


@pytest.mark.parametrize(("absence", "said"), [("hold", "waits for you"), ("bot", "a bot plays in your seat")])
def test_who_is_late_is_called_back_to_the_table(event, django_capture_on_commit_callbacks, absence, said):
    noon = started(event(people="ann bob", absence=absence))
    missing, other = sitting(noon)
    table = running_tables(noon)[0]
    come(noon, missing, other)
    with django_capture_on_commit_callbacks(execute=True):
        run_out_of_time(noon, missing)
    calls = Notice.objects.filter(user__username=missing, url=table.get_absolute_url(), text__contains=said)
    assert calls.get().read_at is None
    assert Notice.objects.filter(text__contains=said).count() == 1
    win(noon, missing)
    assert not calls.filter(read_at=None).exists()


def test_who_did_not_come_is_not_told_to_have_run_out_of_time(event, django_capture_on_commit_callbacks):
    noon = started(event(people="ann bob", absence="bot"))
    missing, other = sitting(noon)
    come(noon, other)
    with django_capture_on_commit_callbacks(execute=True):
        run_out_of_time(noon, missing)
    (notice,) = Notice.objects.filter(user__username=missing, text__contains="a bot plays in your seat")
    assert "you didn't come to your table in time, and a bot" in notice.text


# Leaving the event in the middle of a match


@pytest.mark.parametrize("absence", ["forfeit", "hold"])
def test_who_withdraws_forfeits(event, absence):
    noon = started(event(people="ann bob", absence=absence))
    match = match_of(noon, "ann")
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    assert (winner(match), match.decided_by) == ("bob", Match.DecidedBy.FORFEIT)
    assert table_of(match).status == "finished"


def test_a_bot_plays_the_match_of_who_withdraws_but_no_other(event):
    noon = started(event(people="ann bob cat dan", absence="bot"))
    match = match_of(noon, "ann")
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
    assert table_of(match).seats.get(user=person("ann")).has_left
    win(noon, "ann")
    others = [table.names[0] for table in running_tables(noon)]
    win(noon, *others)
    final = match_of(noon, "ann")
    assert (final.round.number, final.decided_by) == (2, Match.DecidedBy.FORFEIT)


def test_the_score_decides_the_match_of_who_withdraws(event):
    noon = started(event(people="ann bob", match_games=3, absence="score"))
    match = match_of(noon, "ann")
    win(noon, "ann")
    play(table_of(match), 2)
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    assert (winner(match), match.decided_by) == ("ann", Match.DecidedBy.SCORE)


def test_a_match_that_has_not_begun_is_forfeited_by_who_withdraws(event):
    noon = event(people="ann bob", absence="bot")
    services.start_event(event_id=noon.pk, now=noon.starts_at)
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    assert winner(match_of(noon, "ann")) == "bob"


@pytest.mark.parametrize("absence", ["forfeit", "bot", "score", "hold"])
def test_a_game_that_has_just_ended_counts_although_its_winner_leaves_at_once(event, absence):
    noon = started(event(people="ann bob cat dan", format="round-robin", absence=absence))
    match = match_of(noon, "ann")
    end_in_favour(table_of(match), "ann")
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    advance(noon)
    assert (winner(match), match.decided_by) == ("ann", Match.DecidedBy.GAMES)


def test_bots_do_not_play_on_in_a_match_that_both_have_left(event):
    noon = started(event(people="ann bob", absence="bot"))
    table = running_tables(noon)[0]
    for name in ("ann", "bob"):
        services.withdraw_entry(event_id=noon.pk, user=person(name))
    table.refresh_from_db()
    assert (table.status, table.rating_due_at) == ("finished", None)


# More than two at a table


@pytest.mark.parametrize(("absence", "place"), [("forfeit", 3), ("bot", 1), ("score", 1), ("hold", 1)])
def test_a_bot_plays_on_at_a_table_of_three_and_its_place_counts_unless_leaving_is_a_forfeit(event, absence, place):
    noon = started(event(people="ann bob cat", absence=absence, **PODS))
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    table = running_tables(noon)[0]
    assert [seat.user.username for seat in table.seats.all() if seat.has_left] == ["ann"]
    win(noon, "ann")
    assert match_of(noon, "ann").sides.get(entry__user=person("ann")).place == place
    assert Event.objects.get(pk=noon.pk).is_finished


def test_a_table_of_three_is_played_without_who_left_before_it_began(event):
    noon = event(people="ann bob cat", **PODS)
    services.start_event(event_id=noon.pk, now=noon.starts_at)
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    open_tables(noon)
    assert running_tables(noon)[0].seats.get(user=person("ann")).has_left


# What is said before


@pytest.mark.parametrize("absence", ["forfeit", "bot", "score", "hold"])
def test_table_and_event_say_what_happens_without_somebody(event, client, absence):
    noon = started(event(people="ann bob", absence=absence))
    said = event_absence_in_words(noon)
    assert said in page_html(client.get(noon.get_absolute_url()))
    assert said in page_html(client.get(running_tables(noon)[0].get_absolute_url()))
    client.force_login(person("ann"))
    assert leaving_in_words(noon) in page_html(client.get(noon.get_absolute_url()))
