"""Results that a director decides or corrects, and what follows from them."""

from __future__ import annotations

import pytest
from django.urls import reverse

from notifications.models import Notice
from tests.pages import page_html
from tests.tournaments.factories import (
    lose,
    match_of,
    notices_of,
    open_tables,
    person,
    started,
    status_of,
    table_of,
    undo_last,
    win,
)
from tournaments import services
from tournaments.models import Event, Match
from tournaments.queries.records import match_records_of


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def places_for(match: Match, winner: str) -> list[int]:
    return [1 if side.entry.user.username == winner else 2 for side in match.sides.all()]


def name_at(match: Match, number: int) -> str:
    return match.sides.get(number=number).entry.user.username


def played_semi_final(event: Event) -> tuple[Match, str, str]:
    """The first of two matches, its winner and its loser."""
    match = event.matches.first()
    winner, loser = name_at(match, 0), name_at(match, 1)
    lose(event, loser)
    return fresh(match), winner, loser


# Open matches


def test_a_director_decides_a_match_and_its_game_stops_unrated(event, boss):
    noon = started(event(people="ann bob"))
    match, table = match_of(noon, "ann"), table_of(match_of(noon, "ann"))
    services.adjudicate(match_id=match.pk, places=places_for(match, "bob"), by=boss, why="no light")
    table.refresh_from_db()
    assert (table.status, table.ended_by, table.is_rated) == ("finished", "director", False)
    assert (fresh(match).decided_by, fresh(match).reason) == ("director", "no light")
    assert status_of(noon, "bob") == "champion"
    line = noon.log.get(what__startswith="Decided")
    assert (line.by, line.why) == (boss, "no light")


def test_players_read_what_a_director_has_done_with_their_match(event, boss):
    noon = started(event(people="ann bob", format="round-robin"))
    match = match_of(noon, "ann")
    services.adjudicate(match_id=match.pk, places=places_for(match, "bob"), by=boss, why="no light")
    services.correct_result(match_id=match.pk, places=places_for(match, "ann"), by=boss)
    services.annul_match(match_id=match.pk, by=boss, why="wrong deck")
    told = [notice.text for notice in person("ann").notices.filter(text__contains="a director").order_by("pk")]
    start = "Noon knock-out: a director has"
    assert told == [
        f"{start} decided {match}: bob won (no light).",
        f"{start} corrected {match}: ann won.",
        f"{start} annulled {match} (wrong deck).",
    ]


def test_a_stopped_game_is_shown_as_it_was(event, boss, client):
    noon = started(event(people="ann bob"))
    match, table = match_of(noon, "ann"), table_of(match_of(noon, "ann"))
    services.adjudicate(match_id=match.pk, places=[1, 2], by=boss, why="no light")
    for path in (table.get_absolute_url(), reverse("games:result", args=[table.code])):
        page = client.get(path)
        assert page.status_code == 200
        assert "A director stopped the game." in page_html(page)
        assert "No one wins" in page_html(page), "it was called a draw"


def test_both_lose_and_nobody_goes_on(event, boss):
    noon = started(event(people="ann bob cat dan"))
    match = noon.matches.first()
    services.adjudicate(match_id=match.pk, places=[2, 2], by=boss)
    assert {side.entry.status for side in match.sides.all()} == {"eliminated"}
    assert not noon.matches.filter(sides__entry__in=match.sides.values("entry")).exclude(pk=match.pk).exists()


def test_a_draw_is_decided_where_the_format_has_draws(event, boss):
    swiss, knock_out = started(event(people="ann bob", format="swiss")), started(event(people="ann bob"))
    services.adjudicate(match_id=match_of(swiss, "ann").pk, places=[1, 1], by=boss)
    with pytest.raises(services.EventError, match="can't be a draw"):
        services.adjudicate(match_id=match_of(knock_out, "ann").pk, places=[1, 1], by=boss)


def score_of(match: Match) -> list[tuple[int, int]]:
    return list(match.sides.values_list("games_won", "points"))


def test_a_director_records_the_score(event, boss):
    noon = started(event(people="ann bob"))
    match = match_of(noon, "ann")
    services.adjudicate(match_id=match.pk, places=[1, 2], by=boss, score=[(1, 21), (0, 15)])
    assert score_of(match) == [(1, 21), (0, 15)]
    with pytest.raises(services.EventError, match="doesn't fit"):
        services.correct_result(match_id=match.pk, places=[2, 1], by=boss, score=[(1, 21), (0, 15)])
    services.correct_result(match_id=match.pk, places=[2, 1], by=boss, score=[(0, 15), (1, 22)])
    assert score_of(match) == [(0, 15), (1, 22)]


def test_a_correction_keeps_the_score_only_where_it_fits(event, boss):
    noon = started(event(people="ann bob"))
    match = match_of(noon, "ann")
    services.adjudicate(match_id=match.pk, places=[1, 2], by=boss, score=[(1, 21), (0, 15)])
    services.correct_result(match_id=match.pk, places=[2, 1], by=boss, why="wrong seat")
    assert score_of(match) == [(0, 0), (0, 0)]
    services.undo_action(line_id=noon.log.filter(what__startswith="Corrected")[0].pk, by=boss)
    assert score_of(match) == [(1, 21), (0, 15)]


def test_the_score_of_a_game_with_penalties_fits_the_other_way_round(event, boss):
    noon = started(event(people="ann bob", game="krambambuli", options={}))
    match = match_of(noon, "ann")
    assert noon.fewer_is_better
    with pytest.raises(services.EventError, match="doesn't fit"):
        services.adjudicate(match_id=match.pk, places=[1, 2], by=boss, score=[(1, 50), (0, 10)])
    services.adjudicate(match_id=match.pk, places=[1, 2], by=boss, score=[(1, 10), (0, 50)])


def test_a_director_records_a_forfeit(event, boss):
    swiss = started(event(people="ann bob", format="swiss"))
    match = match_of(swiss, "ann")
    services.adjudicate(match_id=match.pk, places=[1, 2], by=boss, decided_by=Match.DecidedBy.FORFEIT)
    assert fresh(match).decided_by == "forfeit"
    records = match_records_of(swiss)
    assert [record.how for record in records if record.spot.round == 1] == ["forfeit"]
    with pytest.raises(services.EventError, match="can't be a draw"):
        services.correct_result(match_id=match.pk, places=[1, 1], by=boss, decided_by=Match.DecidedBy.FORFEIT)


def test_the_score_so_far_decides(event, boss):
    noon = started(event(people="ann bob", match_games=3))
    lose(noon, "ann")
    match = match_of(noon, "ann")
    services.adjudicate_by_score(match_id=match.pk, by=boss)
    assert fresh(match).decided_by == "score"
    assert status_of(noon, "bob") == "champion"


def test_without_a_game_there_is_no_score(event, boss):
    noon = event(people="ann bob")
    services.start_event(event_id=noon.pk, now=noon.starts_at)
    with pytest.raises(services.EventError, match="no score"):
        services.adjudicate_by_score(match_id=match_of(noon, "ann").pk, by=boss)


@pytest.mark.parametrize("act", [services.adjudicate, services.correct_result])
def test_nobody_decides_his_own_match(event, act):
    noon = started(event(people="ann bob"))
    match = match_of(noon, "ann")
    if act is services.correct_result:
        lose(noon, "ann")
    with pytest.raises(services.EventError, match="someone else has to decide this match"):
        act(match_id=match.pk, places=places_for(match, "ann"), by=person("ann"))


# Corrections


def test_a_correction_pairs_a_final_again_that_nobody_has_begun(event, boss):
    noon = started(event(people="ann bob cat dan"))
    match, winner, loser = played_semi_final(noon)
    played_other = noon.matches.filter(status="playing").get()
    other = name_at(played_other, 0)
    services.adjudicate(match_id=played_other.pk, places=[1, 2], by=boss)
    assert {side.entry.user.username for side in noon.matches.get(round__number=2).sides.all()} == {winner, other}
    expected = services.consequences(noon, match, places_for(match, loser))
    services.correct_result(match_id=match.pk, places=places_for(match, loser), by=boss, why="wrong seat")
    final = noon.matches.get(round__number=2)
    assert {side.entry.user.username for side in final.sides.all()} == {loser, other}
    assert [{entry.pk for entry in pairing} for pairing in expected.new] == [
        set(final.sides.values_list("entry", flat=True))
    ]
    assert (status_of(noon, winner), status_of(noon, loser)) == ("eliminated", "playing")


def test_the_call_to_a_final_that_a_correction_cancels_is_withdrawn(event, boss):
    noon = started(event(people="ann bob cat dan"))
    match, winner, loser = played_semi_final(noon)
    other = noon.matches.filter(status="playing").get()
    services.adjudicate(match_id=other.pk, places=[1, 2], by=boss)
    open_tables(noon)
    final = noon.matches.get(round__number=2)
    calls = Notice.objects.unread().filter(key=f"event:{noon.pk}:match:{final.pk}")
    assert {notice.user.username for notice in calls} == {winner, name_at(other, 0)}
    services.correct_result(match_id=match.pk, places=places_for(match, loser), by=boss, cancels=True)
    assert not Match.objects.filter(pk=final.pk).exists() and not calls.all()


def test_a_final_that_has_begun_stands_unless_the_director_cancels_it(event, boss):
    noon = started(event(people="ann bob cat dan"))
    match, winner, loser = played_semi_final(noon)
    lose(noon, name_at(noon.matches.filter(status="playing").get(), 1))
    final = noon.matches.get(round__number=2)
    table = table_of(final)
    expected = services.consequences(noon, match, places_for(match, loser))
    assert (expected.begun, expected.unbegun, expected.new) == ((final,), (), ())
    assert [{entry.name for entry in pairing} for pairing in expected.new_if_cancelled] == [
        {loser, *(side.entry.name for side in final.sides.all())} - {winner}
    ]
    services.correct_result(match_id=match.pk, places=places_for(match, loser), by=boss)
    assert noon.matches.get(round__number=2) == final
    undo_last(noon, of=f"Corrected {match}: {loser} won.", by=boss)
    undone = f"Noon knock-out: a director has corrected {match}: {winner} won (Undone: Corrected {match}: {loser} won)."
    assert undone in notices_of(loser)
    services.correct_result(match_id=match.pk, places=places_for(match, loser), by=boss, cancels=True)
    table.refresh_from_db()
    assert table.ended_by == "director"
    assert loser in {side.entry.user.username for side in noon.matches.get(round__number=2).sides.all()}


def test_a_final_that_is_kept_after_a_correction_names_its_champion(event, boss):
    """The player who won it was third, and nobody was champion."""
    noon = started(event(people="ann bob cat dan"))
    match, winner, loser = played_semi_final(noon)
    other = name_at(noon.matches.filter(status="playing").get(), 1)
    lose(noon, other)
    final = noon.matches.get(round__number=2)
    expected = services.consequences(noon, match, places_for(match, loser))
    assert {shift.entry.name: shift.places for shift in expected.shifts} == {loser: (3, 3), other: (3, 4)}
    assert {shift.entry.name: shift.places for shift in expected.shifts_if_cancelled} == {
        winner: (None, 3),
        loser: (3, None),
    }
    services.correct_result(match_id=match.pk, places=places_for(match, loser), by=boss)
    assert (status_of(noon, winner), status_of(noon, loser)) == ("playing", "eliminated")
    assert noon.log.get(what__contains="is kept").by == boss
    told = f"Noon knock-out: an earlier result was corrected, but your match {final} counts."
    assert told in notices_of(winner) and told not in notices_of(loser)
    win(noon, winner)
    noon.refresh_from_db()
    assert (noon.status, status_of(noon, winner)) == ("finished", "champion")


def test_a_correction_is_taken_back_with_how_it_was_decided(event, boss):
    noon = started(event(people="ann bob cat dan"))
    match, winner, loser = played_semi_final(noon)
    services.correct_result(match_id=match.pk, places=places_for(match, loser), by=boss)
    services.undo_action(line_id=noon.log.get(what__startswith="Corrected").pk, by=boss)
    again = fresh(match)
    assert (again.decided_by, again.reason) == (match.decided_by, match.reason)
    assert again.sides.get(place=1).entry.user.username == winner


def test_a_correction_of_the_score_alone_is_foreseen_where_points_break_ties(event, boss):
    options = {"planned_rounds": 1, "tie_breaks": ["MADE", "LOTS"]}
    noon = started(event(people="ann bob cat dan", format="swiss", format_options=options))
    first, second = noon.matches.all()
    services.adjudicate(match_id=first.pk, places=[1, 2], score=[(1, 11), (0, 4)], by=boss)
    services.adjudicate(match_id=second.pk, places=[1, 2], score=[(1, 12), (0, 4)], by=boss)
    expected = services.consequences(noon, fresh(first), [1, 2], score=[(1, 13), (0, 4)])
    services.correct_result(match_id=first.pk, places=[1, 2], score=[(1, 13), (0, 4)], by=boss)
    moved = {shift.entry.pk: shift.places for shift in expected.shifts}
    winners = [match.sides.get(number=0).entry for match in (first, second)]
    assert [moved.get(entry.pk) for entry in winners] == [(2, 1), (1, 2)]
    assert [entry.place for entry in winners] == [1, 2]
    assert noon.log.filter(what=f"Corrected {first}: {winners[0].name} won, 13 : 4.").exists()


def test_after_the_end_a_correction_names_another_champion(event, boss):
    noon = started(event(people="ann bob"))
    lose(noon, "ann")
    match = match_of(noon, "ann")
    services.correct_result(match_id=match.pk, places=places_for(match, "ann"), by=boss)
    noon.refresh_from_db()
    assert (noon.status, status_of(noon, "ann"), status_of(noon, "bob")) == ("finished", "champion", "eliminated")
    assert noon.badges.get(place=1).user == person("ann")


def test_pairings_of_a_swiss_stand_and_its_standings_change(event, boss):
    noon = started(event(people="ann bob cat dan", format="swiss"))
    match, winner, loser = played_semi_final(noon)
    lose(noon, name_at(noon.matches.filter(status="playing").get(), 1))
    second_round = set(noon.matches.filter(round__number=2).values_list("pk", flat=True))
    assert second_round
    expected = services.consequences(noon, match, places_for(match, loser))
    assert (expected.unbegun, expected.begun, expected.new) == ((), (), ())
    moved = {shift.entry.user.username: shift.points for shift in expected.shifts}
    assert (moved[winner], moved[loser]) == ((1, 0), (0, 1))
    services.correct_result(match_id=match.pk, places=places_for(match, loser), by=boss)
    assert set(noon.matches.filter(round__number=2).values_list("pk", flat=True)) == second_round


def test_a_round_that_is_not_published_is_paired_again_but_for_what_is_arranged(event, boss):
    noon = event(people=" ".join(f"p{number}" for number in range(8)), format="swiss")
    started(noon)
    noon.refresh_from_db()
    services.hold_rounds(event_id=noon.pk, by=boss)
    for match in noon.matches.all():
        services.adjudicate(match_id=match.pk, places=[1, 2], by=boss)
    proposed = noon.matches.filter(round__number=2)
    (a, _), (c, _) = ([side.entry_id for side in match.sides.all()] for match in proposed[:2])
    services.swap_entries(event_id=noon.pk, first=a, second=c, by=boss)
    arranged, rest = proposed.filter(is_fixed=True), set(proposed.filter(is_fixed=False))
    kept = set(arranged)
    match = noon.matches.filter(round__number=1).last()
    assert services.consequences(noon, match, [2, 1]).is_round_again
    services.correct_result(match_id=match.pk, places=[2, 1], by=boss)
    assert set(arranged.all()) == kept
    assert not rest & set(proposed.all())
    assert proposed.all().count() == 4


def test_an_annulled_match_counts_for_nobody_and_is_taken_back(event, boss):
    noon = started(event(people="ann bob cat dan", format="swiss"))
    match, winner, loser = played_semi_final(noon)
    services.annul_match(match_id=match.pk, by=boss, why="wrong deck")
    entry = match.sides.get(entry__user__username=winner).entry

    def points() -> object:
        from tournaments.queries import records

        return next(s.points for s in noon.plan.standings(records.records_of(noon)) if s.entrant == entry.pk)

    assert points() == 0
    services.undo_action(line_id=noon.log.get(why="wrong deck").pk, by=boss)
    assert points() == 1


def test_in_a_knock_out_nothing_is_annulled(event, boss):
    noon = started(event(people="ann bob"))
    with pytest.raises(services.EventError, match="side has to advance"):
        services.annul_match(match_id=match_of(noon, "ann").pk, by=boss)


def test_a_bye_is_not_corrected_nor_annulled(event, boss):
    noon = started(event(people="ann bob cat"))
    bye = noon.matches.get(decided_by="bye")
    with pytest.raises(services.EventError, match="no result to correct"):
        services.correct_result(match_id=bye.pk, places=[1], by=boss)
    with pytest.raises(services.EventError, match="no result to correct"):
        services.consequences(noon, bye, [1])
    swiss = started(event(people="ann bob cat", format="swiss"))
    with pytest.raises(services.EventError, match="no result to correct or annul"):
        services.annul_match(match_id=swiss.matches.get(decided_by="bye").pk, by=boss)
    open_tables(noon)


@pytest.mark.parametrize(
    ("decided_by", "score"), [("games", [(0, 9), (1, 2)]), ("forfeit", [(1, 9), (0, 2)])], ids=["resigned", "forfeit"]
)
def test_an_undo_brings_back_the_score_of_a_loser_who_was_ahead(event, boss, decided_by, score):
    noon = started(event(people="ann bob cat dan", format="swiss"))
    match = match_of(noon, "ann")
    services.adjudicate(match_id=match.pk, places=[2, 1], by=boss)
    Match.objects.filter(pk=match.pk).update(decided_by=decided_by, reason="resigned")
    for side, (games_won, points) in zip(match.sides.all(), score, strict=True):
        match.sides.filter(pk=side.pk).update(games_won=games_won, points=points)
    services.correct_result(match_id=match.pk, places=[1, 2], by=boss)
    undo_last(noon, by=boss)
    assert score_of(match) == score
    assert [side.place for side in match.sides.all()] == [2, 1]
