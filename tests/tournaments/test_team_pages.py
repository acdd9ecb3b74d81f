"""Pages, files and the console of events for teams."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from django.urls import reverse

from tests.api import Program
from tests.pages import page_html, page_words
from tests.tournaments.factories import NOON, open_tables, person, settings_of, started, table_of, url
from tests.tournaments.team_events import FOUR, TWO, board_of, draw, rest, team, team_matches, win
from tournaments import services
from tournaments.models import Event, Match
from tournaments.services import teams

pytestmark = pytest.mark.only_on("sqlite")


def team_url(event: Event, name: str, page: str = "team") -> str:
    return url(page, event, team(event, name).pk)


# Entering


def test_a_captain_enters_a_team_and_invites_a_player_who_accepts(ann, client, teams_of_two):
    noon = teams_of_two()
    page = page_words(ann.get(noon.get_absolute_url()))
    assert "You play in teams of 2." in page and "Name of your team" in page
    ann.post(url("enter", noon), {"team": "Reds"})
    page = page_words(ann.get(noon.get_absolute_url()))
    assert "You play for Reds , 1 player so far" in page or "You play for Reds, 1 player so far" in page
    person("bob")
    ann.post(team_url(noon, "Reds", "invite-member"), {"member": "bob"})
    page = page_words(ann.get(team_url(noon, "Reds")))
    assert "Invited: bob" in page and "Cancel the invitation of bob" in page
    client.force_login(person("bob"))
    assert "ann invites you to play for Reds" in page_words(client.get(noon.get_absolute_url()))
    assert "ann invites you to play for Reds in Noon knock-out" in page_words(client.get(reverse("tournaments:mine")))
    client.post(url("accept", noon, team(noon, "Reds").pk))
    assert [player.username for player in team(noon, "Reds").players] == ["ann", "bob"]


def test_a_name_that_cannot_be_invited_stays_in_the_field(ann, teams_of_two):
    noon = teams_of_two("Reds: ann\nBlues: bob")
    for name, refusal in [("nobdy", "There is no player with this name."), ("bob", "bob ")]:
        page = ann.post(team_url(noon, "Reds", "invite-member"), {"member": name})
        assert (page.status_code, refusal in page_words(page)) == (422, True)
        assert f'value="{name}"' in page_html(page)
    assert team(noon, "Reds").members.count() == 1


def test_a_captain_is_offered_changes_only_while_there_are_any(ann, client, teams_of_two, boss):
    noon = teams_of_two(TWO)
    assert "Change players" in page_words(ann.get(team_url(noon, "Reds")))
    started(noon)
    assert "Change players" not in page_words(ann.get(team_url(noon, "Reds"))), "both have a board, and none can join"
    boss.is_superuser = True
    boss.save()
    client.force_login(boss)
    assert "Change players Player" in page_words(client.get(team_url(noon, "Reds"))), "a director can still add one"


def test_a_team_of_a_finished_event_is_not_changed(client, teams_of_two, boss):
    noon = started(teams_of_two(TWO, format="single-elimination"))
    win(noon, "ann", "bob")
    boss.is_superuser = True
    boss.save()
    client.force_login(boss)
    words = page_words(client.get(team_url(noon, "Reds")))
    assert "Finished" in words or "Champion" in words
    assert "Change players" not in words and "Order of the boards" not in words
    page = client.post(team_url(noon, "Reds", "invite-member"), {"member": person("eve").username})
    assert "This tournament is over." in page_words(page)
    assert team(noon, "Reds").members.count() == 2


def test_paper_has_the_boards_of_each_match(client, teams_of_two):
    noon = started(teams_of_two(TWO, format="single-elimination"))
    win(noon, "ann", "bob")
    page = client.get(url("print", noon))
    ann_first, bob_first = r"(ann 1 – cat 0|cat 0 – ann 1)", r"(bob 1 – dan 0|dan 0 – bob 1)"
    replays = [
        rf"Board {number} {score} Replay board {number}, [^.]+"
        for number, score in enumerate((ann_first, bob_first), 1)
    ]
    assert re.search(f"Match Teams Decided by Final .* {' '.join(replays)}", page_words(page))
    assert table_of(board_of(noon, "ann")).get_absolute_url() in page_html(page)


def test_a_guest_joins_by_the_link_of_the_team_and_nobody_by_another_one(client, teams_of_two):
    noon = teams_of_two("Reds: ann")
    link = f"{team_url(noon, 'Reds')}?code={teams.team_code(team(noon, 'Reds'))}"
    assert "ann invites you to play for Reds." in page_words(client.get(link))
    assert "invites you" not in page_words(client.get(f"{team_url(noon, 'Reds')}?code=other"))
    client.post(team_url(noon, "Reds", "join-team"), {"code": "other"})
    assert team(noon, "Reds").members.count() == 1
    client.post(team_url(noon, "Reds", "join-team"), {"code": teams.team_code(team(noon, "Reds"))})
    assert [player.is_guest for player in team(noon, "Reds").players] == [False, True]
    assert "Leave the team" in page_words(client.get(team_url(noon, "Reds")))
    client.post(team_url(noon, "Reds", "leave-team"))
    assert team(noon, "Reds").members.count() == 1


def test_only_the_captain_sees_the_link_and_the_forms_of_the_team(client, ann, teams_of_two):
    noon = teams_of_two("Reds: ann bob cat")
    code = teams.team_code(team(noon, "Reds"))
    page = page_html(ann.get(team_url(noon, "Reds")))
    assert code in page and "Line-up of the next match" in page and "Order of the boards" in page
    client.force_login(person("bob"))
    page = page_html(client.get(team_url(noon, "Reds")))
    assert code not in page and "Line-up of the next match" not in page
    client.post(team_url(noon, "Reds", "leave-team"), {"remove": team(noon, "Reds").team[2].pk})
    assert team(noon, "Reds").members.count() == 3


def test_the_captain_orders_the_boards_with_a_press(ann, teams_of_two):
    noon = teams_of_two("Reds: ann bob cat")
    members = team(noon, "Reds").team
    ann.post(team_url(noon, "Reds", "order-team"), {"down": members[0].pk})
    assert [player.username for player in team(noon, "Reds").players] == ["bob", "ann", "cat"]


def test_an_entry_that_is_no_team_has_no_page_of_one(client, event):
    noon = event(people="ann")
    assert client.get(url("team", noon, noon.entries.get().pk)).status_code == 404


# Line-ups


def test_the_captain_saves_a_line_up_and_is_told_when_it_is_too_late(ann, boss, teams_of_two):
    noon = teams_of_two("Reds: ann bob cat\nBlues: dan eve", format="swiss", publishes_by_hand=True)
    services.start_event(event_id=noon.pk, now=NOON)
    plays = {"plays": [member.pk for member in team(noon, "Reds").team[1:]], "seen": "0"}
    page = ann.post(team_url(noon, "Reds", "line-up"), plays, follow=True)
    assert "The line-up is saved." in page_words(page)
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=boss)
    open_tables(noon)
    assert not noon.matches.filter(board__gt=0, sides__player=person("ann")).exists()
    page = page_words(ann.post(team_url(noon, "Reds", "line-up"), plays, follow=True))
    assert "This match has been published, so its line-up" in page
    assert "your team is playing, and you have no board to play" in page_words(ann.get(noon.get_absolute_url()))


# The page of the event


def test_a_player_is_led_to_the_own_board(ann, teams_of_two):
    noon = started(teams_of_two(TWO))
    page = ann.get(noon.get_absolute_url())
    assert table_of(board_of(noon, "ann")).get_absolute_url() in page_html(page)
    assert "board 1" in page_words(page)


def test_a_match_shows_its_boards_and_standings_name_their_points(client, teams_of_two):
    noon = started(teams_of_two(TWO))
    win(noon, "ann")
    page = client.get(noon.get_absolute_url())
    assert table_of(board_of(noon, "bob")).get_absolute_url() in page_html(page)
    draw(noon, "bob")
    words = page_words(client.get(noon.get_absolute_url()))
    assert "ann 1" in words and "½" in words and "Match points" in words and "Team" in words
    assert "1½ : ½ board points" in words or "½ : 1½ board points" in words
    assert "Best by board Board 1 ann (Reds) 1 of 1" in words
    page = page_words(client.get(team_url(noon, "Reds")))
    assert "1 of 1" in page and "½ of 1" in page and "round 1, board 1:" in page
    assert page_words(client.get(url("print", noon))).count("Team") >= 1
    assert "Reds" in page_words(client.get(url("entries", noon)))
    for sheet in ("pairings", "slips", "entries", "wall-chart"):
        assert client.get(reverse("tournaments:sheet", args=[noon.pk, sheet])).status_code == 200
    assert client.get(url("projector", noon)).status_code == 200


def test_players_of_teams_find_their_boards_on_the_projector_and_on_paper(client, teams_of_two):
    noon = started(teams_of_two(TWO))
    win(noon, "ann")
    words = page_words(client.get(url("projector", noon)))
    assert "Reds – Blues Board 1 ann 1 – cat 0 Board 2 bob – dan" in words
    by_name = page_words(client.get(reverse("tournaments:sheet", args=[noon.pk, "pairings"]))).partition("Find your")[2]
    assert "bob table 1, board 2" in by_name
    assert "Reds table 1" in by_name
    entries = page_words(client.get(reverse("tournaments:sheet", args=[noon.pk, "entries"])))
    assert "Blues: cat, dan" in entries


def test_a_captain_alone_in_the_team_has_a_link_to_copy_and_nothing_to_order(client, teams_of_two):
    noon = teams_of_two()
    reds = services.enter_event(event_id=noon.pk, user=person("ann"), team="Reds")
    client.force_login(person("ann"))
    page = page_html(client.get(team_url(noon, "Reds")))
    assert 'data-copy="team-link"' in page and "games/copy" in page
    assert "Order of the boards" not in page
    services.join_team(entry_id=reds.pk, user=person("bob"), code=teams.team_code(reds))
    assert "Order of the boards" in page_html(client.get(team_url(noon, "Reds")))


@pytest.mark.parametrize(("minutes", "is_said"), [(5, True), (0, False)])
def test_checking_in_is_only_spoken_of_where_there_is_a_check_in(client, teams_of_two, minutes, is_said):
    noon = teams_of_two(check_in_minutes=minutes)
    services.enter_event(event_id=noon.pk, user=person("ann"), team="Reds")
    client.force_login(person("ann"))
    assert ("can check in" in page_words(client.get(noon.get_absolute_url()))) == is_said


def test_a_knock_out_of_teams_shows_its_tree_with_boards(client, teams_of_two):
    noon = started(teams_of_two(FOUR, format="single-elimination"))
    win(noon, "ann", "bob")
    words = page_words(client.get(noon.get_absolute_url()))
    assert "Semi-final 1: boards" in words and "Semi-final 2: boards" in words


def test_the_rules_of_teams_end_with_one_full_stop_on_paper(client, teams_of_two):
    words = page_words(client.get(url("print", teams_of_two(TWO, format="single-elimination"))))
    assert "board points. A level match goes to the team that won the higher boards." in words
    assert ".." not in words


def test_a_player_who_missed_a_board_says_so_when_back(ann, teams_of_two):
    noon = started(teams_of_two("Reds: ann bob cat\nBlues: dan eve"))
    team(noon, "Reds").members.filter(user=person("ann")).update(is_away=True)
    assert "You missed your board." in page_words(ann.get(noon.get_absolute_url()))
    ann.post(url("say-back", noon))
    assert not team(noon, "Reds").members.get(user=person("ann")).is_away


# Planning


def test_a_director_plans_an_event_for_teams_in_the_form(director, teams_of_two):
    noon = teams_of_two()
    sent = settings_of(noon, name="Team cup", team_boards=4, team_substitutes=1, team_scoring="board")
    director.post(reverse("tournaments:new"), sent)
    cup = Event.objects.get(name="Team cup")
    assert (cup.team_boards, cup.team_substitutes, cup.other_points) == (4, 1, "MP")
    facts = page_words(director.get(cup.get_absolute_url()))
    assert "4 boards, with up to 1 substitute; board points, then match points." in facts


def test_the_tie_breaks_of_teams_are_not_offered_by_hand(director, teams_of_two):
    noon = teams_of_two(format="swiss")
    page = page_html(director.get(url("edit", noon)))
    assert 'value="BH-C1, BH, SB, DE, LOTS"' in page
    assert 'data-code="DE"' in page and 'data-code="BP"' not in page
    assert "Tie-breaks, in order board points, then Buchholz cut 1" in page_words(director.get(noon.get_absolute_url()))


# The console


def do(client, event: Event, slug: str, **sent: object):
    return client.post(reverse("tournaments:act", args=[event.pk, slug]), sent, follow=True)


def test_a_director_enters_teams_adds_players_and_sets_their_line_up(director, teams_of_two):
    noon = teams_of_two(format="swiss", publishes_by_hand=True)
    for name in ("bob", "cat"):
        person(name)
    do(director, noon, "add", name=person("ann").username, team="Reds")
    reds = team(noon, "Reds")
    for name in ("bob", "cat"):
        do(director, noon, "add-member", entry=reds.pk, name=name)
    page = page_words(director.get(reverse("tournaments:console-entry", args=[noon.pk, reds.pk])))
    assert "Players ann bob cat" in page and "Line-up…" in page
    form = page_html(director.get(reverse("tournaments:act", args=[noon.pk, "line-up"]), {"entry": reds.pk}))
    assert len(re.findall(r'name="players"[^>]* checked', form)) == 2
    chosen = [member.pk for member in team(noon, "Reds").team if str(member) != "bob"]
    do(director, noon, "line-up", entry=reds.pk, players=chosen, published=0)
    assert [str(member) for member in teams.next_line_up(noon, team(noon, "Reds"))] == ["ann", "cat"]


def test_a_director_decides_boards_and_finds_no_such_button_for_the_match(director, teams_of_two):
    noon = started(teams_of_two(TWO))
    whole, board = noon.matches.get(parent=None), board_of(noon, "ann")
    page = page_html(director.get(reverse("tournaments:console-tab", args=[noon.pk, "results"])))
    assert f'id="decide-{board.pk}"' in page and f'id="decide-{whole.pk}"' not in page
    reds = board.sides.get(entry__team_name="Reds").number
    do(director, noon, "decide", match=board.pk, result="1 2" if reds == 0 else "2 1", why="Agreed")
    board.refresh_from_db()
    assert board.status == Match.Status.FINISHED
    win(noon, "bob")
    assert "board points" in team_matches(noon)[0]
    found = do(director, noon, "correct", match=board.pk, result="1 1", why="A draw")
    assert "Reds" in page_words(found)


def test_teams_are_not_imported_from_a_list(director, teams_of_two):
    noon = teams_of_two()
    page = director.post(url("import-entries", noon), {"text": "ann", "confirm": "yes"}, follow=True)
    assert "be imported. Add them one by one." in page_words(page)
    assert "Import a list" not in page_words(
        director.get(reverse("tournaments:console-tab", args=[noon.pk, "entries"]))
    )


# Files and the API


def test_files_hold_teams_players_and_boards(client, teams_of_two):
    noon = started(teams_of_two(TWO))
    win(noon, "ann")
    draw(noon, "bob")
    data = json.loads(client.get(url("download-json", noon)).content)
    assert [(entry["team"], entry["players"]) for entry in data["entries"]] == [
        ("Reds", ["ann", "bob"]), ("Blues", ["cat", "dan"]),
    ]  # fmt: skip
    match = data["matches"][0]
    assert sorted(side["points"] for side in match["sides"]) == [0.5, 1.5]
    assert [board["board"] for board in match["boards"]] == [1, 2]
    assert sorted(match["boards"][0]["results"]) == ["0", "1"] and match["boards"][0]["game"]
    rows = list(csv.reader(io.StringIO(client.get(url("download-results", noon)).content.decode())))
    assert {(row[3], row[6]) for row in rows[1:]} == {
        ("Reds", "1.5"), ("Blues", "0.5"), ("ann", "1"), ("cat", "0"), ("bob", "½"), ("dan", "½"),
    }  # fmt: skip
    assert "BP" in client.get(url("download-standings", noon)).content.decode().splitlines()[0]


def test_the_api_reads_teams_and_enters_one(teams_of_two):
    noon = teams_of_two(TWO)
    eve, path = Program(person("eve")), f"/tournaments/{noon.pk}"
    assert eve.get(path).json()["has_teams"]
    assert eve.post(f"{path}/enter", team="Greens").json()["own_entry"]["status"] == "entered"
    services.invite_member(entry_id=team(noon, "Greens").pk, member=person("fay"), by=person("director"))
    started(noon)
    assert [entry["team"] for entry in eve.get(f"{path}/entries").json()] == ["Reds", "Blues", "Greens"]
    assert [len(match["boards"]) for match in eve.get(f"{path}/matches").json()] in ([2, 0], [0, 2])
    assert eve.get(f"{path}/standings").status_code == 200


def test_the_line_up_of_a_round_is_not_told_before_it_is_published(client, teams_of_two):
    noon = teams_of_two("Reds: ann bob cat\nBlues: dan eve", format="swiss", publishes_by_hand=True)
    services.start_event(event_id=noon.pk, now=NOON)
    before = page_words(client.get(team_url(noon, "Reds")))
    rest(noon, "Reds", "ann")
    assert page_words(client.get(team_url(noon, "Reds"))) == before
