"""Events for teams: entering, line-ups, boards, and whole events in every format that has them."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from games.models import Table
from notifications.models import Notice
from tests.tournaments.factories import (
    NOON,
    advance,
    come,
    end_in_favour,
    notices_of,
    open_tables,
    person,
    started,
    table_of,
    undo_last,
)
from tests.tournaments.team_events import (
    FOUR,
    THREE,
    TWO,
    board_in_round,
    board_of,
    boards,
    draw,
    overdue,
    rest,
    standings,
    team,
    team_matches,
    win,
)
from tournaments import services
from tournaments.models import Entry, Event, Match, TeamMember
from tournaments.services import teams

# Whole events


def test_a_round_robin_of_teams_is_played_and_ranked_by_match_points_then_board_points(teams_of_two):
    noon = started(teams_of_two(THREE))
    assert noon.matches.filter(status=Match.Status.PLAYING, parent=None).count() == 1
    assert Table.objects.running().count() == 2
    for _ in range(3):
        names = {
            person.username
            for board in noon.matches.filter(status="playing", board__gt=0)
            for side in board.sides.all()
            for person in side.players
        }
        win(noon, *({"ann", "bob"} & names or {"cat", "fay"} & names))
    noon.refresh_from_db()
    ranked = standings(noon)
    assert ranked[0] == ("Reds", "4", "4")
    assert set(ranked[1:]) == {("Greens", "1", "1"), ("Blues", "1", "1")}
    assert noon.status == Event.Status.FINISHED
    assert "Finished: Reds is the champion." in noon.log.values_list("what", flat=True)
    assert set(noon.badges.filter(place=1).values_list("user__username", flat=True)) == {"ann", "bob"}


def test_seats_alternate_from_board_to_board(teams_of_two):
    noon = started(teams_of_two("Reds: ann bob cat\nBlues: dan eve fay", team_boards=3))
    first = [match.games.get().side_of_seat[0] for match in noon.matches.filter(board__gt=0).order_by("board")]
    assert first in ([0, 1, 0], [1, 0, 1])
    assert boards(noon)[1] in ("bob (Reds) against eve (Blues) on board 2", "eve (Blues) against bob (Reds) on board 2")


def test_a_swiss_of_teams_fills_up_with_bots_and_goes_on_round_by_round(teams_of_two, house_bots):
    noon = teams_of_two("Reds: ann bob\nBlues: cat", format="swiss", fill_to=4, format_options={"planned_rounds": 2})
    started(noon)
    assert noon.entries.present().count() == 4
    assert [player.is_bot for player in team(noon, "Blues").players] == [False, True]
    assert all(len(entry.players) == 2 for entry in noon.entries.all())
    for number in (1, 2):
        for board in noon.matches.filter(round__number=number, board__gt=0):
            winner = board.sides.order_by("entry__seed")[0].player.username
            end_in_favour(table_of(board), winner)
        advance(noon)
    noon.refresh_from_db()
    assert noon.status == Event.Status.FINISHED
    assert [(name, points) for name, points, _ in standings(noon)][0] == ("Reds", "4")
    assert team(noon, "Reds").status == Entry.Status.CHAMPION


@pytest.mark.parametrize(("scoring", "points", "other"), [("match", "2", "3/2"), ("board", "3/2", "2")])
def test_a_setting_says_which_points_rank_first(teams_of_two, scoring, points, other):
    noon = started(teams_of_two(TWO, team_scoring=scoring))
    win(noon, "ann")
    draw(noon, "bob")
    assert standings(noon)[0] == ("Reds", points, "1½" if other == "3/2" else other)


def test_a_level_match_of_a_knock_out_goes_to_the_top_board(teams_of_two):
    noon = started(teams_of_two(TWO, format="single-elimination"))
    win(noon, "dan", "ann")
    noon.refresh_from_db()
    assert noon.status == Event.Status.FINISHED
    assert team(noon, "Reds").status == Entry.Status.CHAMPION
    assert "1 : 1 board points; board count 1 to 2" in team_matches(noon)[0]
    assert team(noon, "Blues").place == 2


def test_a_knock_out_of_four_teams_reaches_its_champion(teams_of_two):
    noon = started(teams_of_two(FOUR, format="single-elimination"))
    draw(noon, "ann", "bob", "cat", "dan")
    assert [text.partition(" ")[2] for text in team_matches(noon)[2:]] == ["Reds against Blues :"]
    win(noon, "cat", "dan")
    assert team(noon, "Blues").status == Entry.Status.CHAMPION


# Line-ups


def test_the_first_players_of_the_order_play_and_a_substitute_moves_in_at_the_end(teams_of_two):
    noon = teams_of_two("Reds: ann bob cat\nBlues: dan eve", format="swiss", publishes_by_hand=True)
    services.start_event(event_id=noon.pk, now=NOON)
    rest(noon, "Reds", "ann")
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=person("director"))
    open_tables(noon)
    players = [
        side.player.username
        for board in noon.matches.filter(board__gt=0)
        for side in board.sides.filter(entry__team_name="Reds")
    ]
    assert players == ["bob", "cat"]
    assert not TeamMember.objects.filter(rests=True).exists(), "the next match has the first two again"


def test_a_line_up_is_refused_once_the_match_is_published(teams_of_two):
    noon = teams_of_two("Reds: ann bob cat\nBlues: dan eve", format="swiss", publishes_by_hand=True)
    services.start_event(event_id=noon.pk, now=NOON)
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=person("director"))
    with pytest.raises(services.EventError, match="has been published, so its line-up can't change"):
        rest(noon, "Reds", "ann", seen=0)
    rest(noon, "Reds", "ann")
    assert [str(member) for member in teams.next_line_up(noon, team(noon, "Reds"))] == ["bob", "cat"]


def test_only_the_captain_and_directors_set_a_line_up_and_for_every_board(teams_of_two):
    noon = teams_of_two("Reds: ann bob cat\nBlues: dan eve")
    with pytest.raises(services.EventError, match="Only the captain"):
        rest(noon, "Reds", "ann", by="bob")
    with pytest.raises(services.EventError, match="Choose 2 players"):
        rest(noon, "Reds", "ann", "bob")
    assert not noon.log.filter(what__contains="line-up").exists()
    rest(noon, "Reds", "ann", by="director")
    assert noon.log.latest("pk").what == "Set the line-up of Reds."


def test_a_director_replaces_a_member_between_rounds_and_at_an_open_board(teams_of_two, boss):
    noon = started(teams_of_two(TWO))
    entry, ann, zoe = team(noon, "Reds"), person("ann"), person("zoe")
    services.substitute(entry_id=entry.pk, out_id=ann.pk, to_id=zoe.pk, by=boss)
    assert [player.username for player in team(noon, "Reds").players] == ["zoe", "bob"]
    assert team(noon, "Reds").user == zoe
    assert table_of(board_of(noon, "zoe")).seats.filter(user=zoe).exists()
    undo_last(noon, by=boss)
    assert [player.username for player in team(noon, "Reds").players] == ["ann", "bob"]


# Who is missing


def test_a_missing_player_forfeits_only_that_board_and_is_left_out_of_the_next_match(teams_of_two):
    noon = started(
        teams_of_two(
            "Reds: ann bob cat\nBlues: dan eve\nGreens: fay gil",
            format="swiss",
            format_options={"planned_rounds": 2},
            fill_to=0,
        )
    )
    mine = team_matches(noon)[0]
    assert "Reds" in mine or "Reds" in team_matches(noon)[1]
    opponent = next(side.player.username for side in board_of(noon, "ann").sides.all() if side.player.username != "ann")
    come(noon, opponent, "bob")
    other = next(side.player.username for side in board_of(noon, "bob").sides.all() if side.player.username != "bob")
    come(noon, other)
    overdue(noon, "ann")
    assert board_of(noon, "ann").decided_by == Match.DecidedBy.FORFEIT
    assert team(noon, "Reds").members.get(user=person("ann")).is_away
    win(noon, "bob")
    assert any("1:1 drawn, 1 : 1 board points" in text for text in team_matches(noon))
    assert not team(noon, "Reds").sits_out
    assert [str(member) for member in teams.next_line_up(noon, team(noon, "Reds"))] == ["bob", "cat"]


def test_a_board_without_a_player_is_lost_at_once(teams_of_two):
    noon = started(teams_of_two("Reds: ann\nBlues: dan eve"))
    assert "eve (Blues) against no one (Reds) on board 2" in boards(noon) or (
        "no one (Reds) against eve (Blues) on board 2" in boards(noon)
    )
    board = noon.matches.get(board=2)
    assert (board.decided_by, board.reason) == ("forfeit", "Reds has no player for this board")
    win(noon, "ann")
    assert "drawn, 1 : 1 board points" in team_matches(noon)[0]


def test_a_team_that_misses_a_match_as_a_whole_sits_out_until_one_of_it_is_back(teams_of_two):
    noon = started(teams_of_two(f"{TWO}\nGreens: eve fay\nWhites: gil hal", format="swiss"))
    reds = team(noon, "Reds")
    others = [
        side.player.username for board in noon.matches.filter(board__gt=0) for side in board.sides.exclude(entry=reds)
    ]
    come(noon, *others)
    overdue(noon, "ann")
    overdue(noon, "bob")
    assert team(noon, "Reds").is_sitting_out
    services.return_to_team(event_id=noon.pk, user=person("bob"))
    assert not team(noon, "Reds").is_sitting_out
    assert [member.is_away for member in team(noon, "Reds").team] == [True, False]


def test_a_team_that_withdraws_forfeits_its_open_boards(teams_of_two):
    noon = started(teams_of_two(TWO, format="single-elimination"))
    win(noon, "ann")
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    assert "board points" in team_matches(noon)[0]
    assert team(noon, "Blues").status == Entry.Status.CHAMPION


# Directors


def test_a_director_decides_a_board_and_corrects_it_and_the_match_follows(teams_of_two, boss):
    noon = started(teams_of_two(TWO))
    win(noon, "ann")
    board = board_of(noon, "bob")
    ours = next(side.number for side in board.sides.all() if side.entry.team_name == "Reds")
    places = [1, 2] if ours == 0 else [2, 1]
    services.adjudicate(match_id=board.pk, places=places, by=boss, why="Agreed.")
    assert "2 : 0" in team_matches(noon)[0] or "0 : 2" in team_matches(noon)[0]
    board.refresh_from_db()
    changes = services.consequences(noon, board, places[::-1])
    assert {shift.entry.name: shift.points for shift in changes.shifts} == {"Reds": (2, 1), "Blues": (0, 1)}
    services.correct_result(match_id=board.pk, places=places[::-1], by=boss, why="It was the other way round.")
    assert "drawn, 1 : 1 board points" in team_matches(noon)[0]
    assert standings(noon)[0][1:] == ("1", "1")


def test_a_correction_that_turns_a_knock_out_match_replaces_the_next_one(teams_of_two, boss):
    noon = started(teams_of_two(FOUR, format="single-elimination"))
    win(noon, "ann", "bob", "cat", "dan")
    assert team_matches(noon)[2].startswith("2: Reds against Blues")
    for name in ("ann", "bob"):
        board = board_in_round(noon, name, 1)
        places = [side.place for side in board.sides.order_by("number")][::-1]
        services.correct_result(match_id=board.pk, places=places, by=boss, why="", cancels=True)
    assert "Whites" in team_matches(noon)[2]
    assert noon.matches.filter(round__number=2, board__gt=0).count() == 2


def test_a_team_match_is_decided_by_its_boards_alone(teams_of_two, boss):
    noon = started(teams_of_two(TWO))
    whole = noon.matches.get(parent=None)
    with pytest.raises(services.EventError, match="decided by its boards"):
        services.adjudicate(match_id=whole.pk, places=[1, 2], by=boss)


def test_a_director_who_plays_decides_no_board_of_the_own_team(teams_of_two, boss):
    noon = started(teams_of_two("Reds: ann director\nBlues: cat dan"))
    with pytest.raises(services.EventError, match="someone else has to decide"):
        services.adjudicate(match_id=board_of(noon, "ann").pk, places=[1, 2], by=boss)


# Entering


def enter(event: Event, name: str, captain: str) -> Entry:
    return services.enter_event(event_id=event.pk, user=person(captain), team=name)


def test_a_captain_enters_a_team_and_asks_players_who_accept_or_decline(teams_of_two):
    noon = teams_of_two()
    reds = enter(noon, "Reds", "ann")
    for name in ("bob", "cat"):
        services.invite_member(entry_id=reds.pk, member=person(name), by=person("ann"))
    assert notices_of("bob") == ["ann invites you to play for Reds in Noon knock-out."]
    services.accept_team(entry_id=reds.pk, user=person("bob"))
    services.decline_team(entry_id=reds.pk, user=person("cat"))
    assert [player.username for player in team(noon, "Reds").players] == ["ann", "bob"]
    assert sorted(notices_of("ann")) == [
        "bob plays for Reds in Noon knock-out.",
        "cat won't play for Reds in Noon knock-out. You can invite someone else.",
    ]
    with pytest.raises(services.EventError, match="no longer open"):
        services.accept_team(entry_id=reds.pk, user=person("cat"))


def test_everyone_concerned_hears_of_changes_in_a_team_each_time(teams_of_two):
    noon = teams_of_two()
    reds = enter(noon, "Reds", "ann")
    for _ in range(2):
        asked = services.invite_member(entry_id=reds.pk, member=person("bob"), by=person("ann"))
        services.accept_team(entry_id=reds.pk, user=person("bob"))
        services.remove_member(entry_id=reds.pk, member_id=asked.pk, by=person("ann"))
    invited = "ann invites you to play for Reds in Noon knock-out."
    out = "You no longer play for Reds in Noon knock-out."
    assert notices_of("bob") == [out, invited, out, invited]
    assert notices_of("ann") == ["bob plays for Reds in Noon knock-out."] * 2


def test_an_invitation_that_is_taken_back_leaves_no_unread_notice(teams_of_two):
    noon = teams_of_two()
    reds = enter(noon, "Reds", "ann")
    asked = services.invite_member(entry_id=reds.pk, member=person("bob"), by=person("ann"))
    assert person("bob").notices.unread().count() == 1
    services.remove_member(entry_id=reds.pk, member_id=asked.pk, by=person("ann"))
    assert not person("bob").notices.unread()


def test_who_takes_over_from_a_captain_is_told(teams_of_two):
    noon = teams_of_two()
    reds = enter(noon, "Reds", "ann")
    services.join_team(entry_id=reds.pk, user=person("bob"), code=teams.team_code(reds))
    services.leave_team(entry_id=reds.pk, user=person("ann"))
    assert set(notices_of("bob")) == {
        "You are now the captain of Reds in Noon knock-out.",
        "ann no longer plays for Reds in Noon knock-out.",
    }


def test_players_join_by_the_link_of_the_team_until_it_is_complete(teams_of_two):
    noon = teams_of_two(team_substitutes=0)
    reds = enter(noon, "Reds", "ann")
    with pytest.raises(services.EventError, match="link isn't valid"):
        services.join_team(entry_id=reds.pk, user=person("bob"), code="guessed")
    services.join_team(entry_id=reds.pk, user=person("bob"), code=teams.team_code(reds))
    with pytest.raises(services.EventError, match="complete: 2 players"):
        services.join_team(entry_id=reds.pk, user=person("cat"), code=teams.team_code(reds))


def test_the_password_is_asked_of_players_who_join_by_link(teams_of_two):
    noon = teams_of_two(password="quart")
    with pytest.raises(services.EventError, match="password"):
        enter(noon, "Reds", "ann")
    reds = services.enter_event(event_id=noon.pk, user=person("ann"), team="Reds", password="quart")
    with pytest.raises(services.EventError, match="Enter the tournament password"):
        services.join_team(entry_id=reds.pk, user=person("bob"), code=teams.team_code(reds))


def test_nobody_is_in_two_teams_and_names_are_taken_once(teams_of_two):
    noon = teams_of_two(TWO)
    with pytest.raises(services.EventError, match="already a team named Reds"):
        enter(noon, "reds", "eve")
    with pytest.raises(services.EventError, match="Enter the name"):
        enter(noon, " ", "eve")
    with pytest.raises(services.EventError, match="bob already plays for Reds"):
        services.invite_member(entry_id=team(noon, "Blues").pk, member=person("bob"), by=person("cat"))
    assert enter(noon, "Others", "bob") == team(noon, "Reds"), "who plays for a team is entered"


def test_a_captain_who_leaves_hands_the_team_to_the_next_player(teams_of_two):
    noon = teams_of_two("Reds: ann bob")
    reds = team(noon, "Reds")
    services.leave_team(entry_id=reds.pk, user=person("ann"))
    assert team(noon, "Reds").user == person("bob")
    with pytest.raises(services.EventError, match="needs a captain"):
        services.leave_team(entry_id=reds.pk, user=person("bob"))
    with pytest.raises(services.EventError, match="Only the captain can withdraw"):
        services.invite_member(entry_id=reds.pk, member=person("cat"), by=person("director"))
        services.withdraw_entry(event_id=noon.pk, user=person("cat"))


def test_the_order_of_the_boards_is_the_captains_until_the_start(teams_of_two, boss):
    noon = teams_of_two(TWO)
    reds = team(noon, "Reds")
    order = [member.pk for member in reds.team][::-1]
    services.order_members(entry_id=reds.pk, order=order, by=person("ann"))
    assert [player.username for player in team(noon, "Reds").players] == ["bob", "ann"]
    started(noon)
    with pytest.raises(services.EventError, match="fixed once"):
        services.order_members(entry_id=reds.pk, order=order[::-1], by=person("ann"))
    services.order_members(entry_id=reds.pk, order=order[::-1], by=boss)
    with pytest.raises(services.EventError, match="has played for the team"):
        services.remove_member(entry_id=reds.pk, member_id=order[0], by=boss)


def test_a_team_with_less_than_half_of_its_players_stays_out(teams_of_two):
    noon = teams_of_two("Reds: ann bob cat\nBlues: dan eve fay\nGreens: gil", team_boards=3)
    started(noon)
    assert team(noon, "Greens").status == Entry.Status.WAITING
    assert noon.log.filter(what="Greens doesn't play, because it has fewer than half of its players.").exists()
    left_out = Notice.objects.filter(key__contains="left-out").values_list("user__username", "text")
    assert [*left_out] == [
        ("gil", f"{noon.name} has started without you: your team had no place, or fewer than half of its players.")
    ]


@pytest.mark.parametrize(
    ("settings", "refusal"),
    [
        ({"format": "arena"}, "Choose Knock-out, Round robin or Swiss."),
        ({"game": "push", "options": {}, "seats": 4}, "one player meets another"),
        ({"team_boards": 7}, "not a valid choice"),
        ({"team_substitutes": 9}, "at most 6"),
        (
            {"dealing": "same", "compared_by": "matchpoints", "match_rule": "points", "format": "swiss"},
            "score at your own table",
        ),
    ],
)
def test_settings_that_teams_cannot_have_are_refused(teams_of_two, settings, refusal):
    with pytest.raises(ValidationError, match=refusal):
        teams_of_two(**settings)


def test_an_event_with_entries_does_not_become_one_for_teams_nor_back(event, teams_of_two):
    alone = event(people="ann", format="swiss")
    alone.team_boards = 2
    with pytest.raises(ValidationError, match="teams stay as they are"):
        alone.full_clean()
    noon = teams_of_two(TWO)
    noon.team_boards = None
    with pytest.raises(ValidationError, match="teams stay as they are"):
        noon.full_clean()


# Late teams


def test_a_director_adds_a_late_team_which_plays_from_the_next_round(teams_of_two, boss):
    swiss = {"format": "swiss", "format_options": {"planned_rounds": 3}}
    noon = started(teams_of_two(THREE, **swiss))
    late = services.add_entry(event_id=noon.pk, user=person("ida"), team="Golds", by=boss, late=True)
    assert (late.seed, late.first_round, late.status) == (4, 2, Entry.Status.PLAYING)
    assert late.rating == 1500
    services.invite_member(entry_id=late.pk, member=person("jim"), by=boss)
    assert "Golds entered late, from round 2." in noon.log.values_list("what", flat=True)
    for board in noon.matches.filter(board__gt=0):
        services.adjudicate(match_id=board.pk, places=[1, 2], by=boss)
    assert {str(side.player) for side in board_of(noon, "ida").sides.all()} >= {"ida"}
    assert board_of(noon, "jim").round.number == 2
    for why, user, name in (
        ("already plays for Golds", "jim", "Silvers"),
        ("already a team named", "kim", "golds"),
        ("name of your team", "kim", " "),
    ):
        with pytest.raises(services.EventError, match=why):
            services.add_entry(event_id=noon.pk, user=person(user), team=name, by=boss, late=True)
    with pytest.raises(services.EventError, match="has started"):
        services.add_entry(event_id=noon.pk, user=person("kim"), team="Silvers", by=boss)


def test_a_late_team_takes_the_bye_of_a_round_that_is_not_published(teams_of_two, boss):
    swiss = {"format": "swiss", "format_options": {"planned_rounds": 3}, "publishes_by_hand": True}
    noon = teams_of_two(THREE, **swiss)
    services.start_event(event_id=noon.pk, now=NOON)
    late = services.add_entry(event_id=noon.pk, user=person("ida"), team="Golds", by=boss, late=True)
    assert late.first_round == 1
    noon.refresh_from_db()
    assert noon.matches.count() == 2 and not noon.matches.filter(decided_by="bye").exists()
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=boss)
    assert board_of(noon, "ida").round.number == 1


def test_a_team_that_was_absent_at_the_start_is_reinstated_with_its_players(teams_of_two, boss):
    noon = teams_of_two(f"{THREE}\nGolds: ida jim", format="swiss", format_options={"planned_rounds": 3})
    Entry.objects.filter(event=noon).exclude(team_name="Golds").update(status=Entry.Status.CHECKED_IN)
    Event.objects.filter(pk=noon.pk).update(status=Event.Status.CHECK_IN, check_in_minutes=5)
    started(noon)
    golds = noon.entries.get(team_name="Golds")
    assert golds.status == Entry.Status.NO_SHOW
    back = services.reinstate_entry(entry_id=golds.pk, by=boss, why="late train")
    assert (back.pk, back.status, back.seed, back.first_round) == (golds.pk, Entry.Status.PLAYING, 4, 2)
    assert [str(player) for player in back.players] == ["ida", "jim"]
    services.withdraw_for(entry_id=golds.pk, by=boss)
    services.add_entry(event_id=noon.pk, user=person("kim"), team="golds", by=boss, late=True)
    with pytest.raises(services.EventError, match="already a team named"):
        services.reinstate_entry(entry_id=golds.pk, by=boss)
