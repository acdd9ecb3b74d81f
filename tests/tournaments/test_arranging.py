"""Pairings as directors want them, before a round is published."""

from __future__ import annotations

import pytest

from tests.tournaments.factories import NOON, entry_of, ids, person, undo_last
from tournaments import services
from tournaments.models import Event, Match


def pairs(event: Event) -> set[frozenset[str]]:
    """Who meets whom; a bye is a set of one."""
    return {
        frozenset(side.entry.user.username for side in match.sides.all()) for match in event.matches.order_by("slot")
    }


def two_pairs(event: Event) -> tuple[list[str], list[str]]:
    first, second = ([side.entry.user.username for side in match.sides.all()] for match in event.matches.all())
    return first, second


def test_two_entries_change_places_and_back(proposed, boss):
    noon = proposed()
    before, ((a, b), (c, d)) = pairs(noon), two_pairs(noon)
    first, second = ids(noon, f"{a} {c}")
    services.swap_entries(event_id=noon.pk, first=first, second=second, by=boss)
    assert pairs(noon) == {frozenset((c, b)), frozenset((a, d))}
    assert all(match.is_fixed for match in noon.matches.all())
    undo_last(noon, by=boss)
    assert pairs(noon) == before


def test_two_who_meet_change_seats(proposed, boss):
    noon = proposed("ann bob")
    match = noon.matches.get()
    before = list(match.sides.values_list("entry", flat=True))
    services.swap_entries(event_id=noon.pk, first=before[0], second=before[1], by=boss)
    assert list(match.sides.values_list("entry", flat=True)) == before[::-1]


def test_a_published_round_is_not_swapped(proposed, boss):
    noon = proposed()
    (a, _), (c, _) = two_pairs(noon)
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=boss)
    first, second = ids(noon, f"{a} {c}")
    with pytest.raises(services.EventError, match="the same unpublished round"):
        services.swap_entries(event_id=noon.pk, first=first, second=second, by=boss)


def test_nobody_changes_his_own_pairing(proposed):
    noon = proposed()
    (a, _), (c, _) = two_pairs(noon)
    first, second = ids(noon, f"{a} {c}")
    with pytest.raises(services.EventError, match="someone else has to change this pairing"):
        services.swap_entries(event_id=noon.pk, first=first, second=second, by=person(a))


def test_a_swap_says_which_rule_it_bends(proposed, boss):
    noon = proposed()
    (a, b), (c, d) = two_pairs(noon)
    first, second, third = ids(noon, f"{b} {c} {d}")
    assert services.bent_by_swap(noon, first, second) == []
    services.forbid_pair(event_id=noon.pk, first=ids(noon, a)[0], second=second, by=boss)
    bent = services.bent_by_swap(noon, first, second)
    assert len(bent) == 1
    assert f"@{second}" in bent[0]
    assert services.bent_by_swap(noon, first, third) == []


def test_who_is_not_to_meet_does_not(proposed, boss):
    noon = proposed()
    (a, b), _ = two_pairs(noon)
    first, second = ids(noon, f"{a} {b}")
    services.forbid_pair(event_id=noon.pk, first=second, second=first, by=boss)
    services.pair_again(event_id=noon.pk, section="rounds", number=1, by=boss)
    assert frozenset((a, b)) not in pairs(noon)
    undo_last(noon, of=f"{min_name(noon, a, b)} may no longer be paired.", by=boss)
    services.pair_again(event_id=noon.pk, section="rounds", number=1, by=boss)
    assert frozenset((a, b)) in pairs(noon)


def min_name(event: Event, *people: str) -> str:
    return " and ".join(sorted(people, key=lambda name: entry_of(event, name).pk))


@pytest.mark.parametrize("how", ["bye", "half-bye", "zero-bye"])
def test_a_bye_is_given_and_the_rest_paired_around_it(proposed, boss, how):
    noon = proposed("ann bob cat dan eve")
    (eve,) = ids(noon, "bob")
    services.arrange_match(event_id=noon.pk, entries=[eve], how=how, by=boss)
    assert frozenset({"bob"}) in pairs(noon)
    assert sorted(map(len, pairs(noon))) == [1, 2, 2]
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=boss)
    bye = noon.matches.get(sides__entry=eve)
    assert (bye.status, bye.decided_by) == ("finished", how)


def test_a_match_by_hand_stays_when_the_round_is_paired_again(proposed, boss):
    noon = proposed("ann bob cat dan eve fay")
    (a, b), (c, _) = [[s.entry.user.username for s in m.sides.all()] for m in noon.matches.all()][:2]
    services.arrange_match(event_id=noon.pk, entries=ids(noon, f"{a} {c}"), by=boss)
    assert frozenset((a, c)) in pairs(noon)
    assert len(pairs(noon)) == 3
    services.pair_again(event_id=noon.pk, section="rounds", number=1, by=boss)
    assert frozenset((a, c)) in pairs(noon)
    services.pair_again(event_id=noon.pk, section="rounds", number=1, by=boss, keep_fixed=False)
    assert frozenset((a, b)) in pairs(noon)


def test_a_match_by_hand_is_taken_back_until_it_is_published(proposed, boss):
    noon = proposed()
    before, ((a, _), (c, _)) = pairs(noon), two_pairs(noon)
    services.arrange_match(event_id=noon.pk, entries=ids(noon, f"{a} {c}"), by=boss)
    line = noon.log.get(what__contains="paired manually")
    services.undo_action(line_id=line.pk, by=boss)
    assert pairs(noon) == before
    services.arrange_match(event_id=noon.pk, entries=ids(noon, f"{a} {c}"), by=boss)
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=boss)
    with pytest.raises(services.EventError, match="published since"):
        undo_last(noon, of=line.what, by=boss)


def test_matches_are_arranged_ahead_while_a_round_is_played(proposed, boss):
    noon = proposed()
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=boss)
    (a, b), (c, d) = two_pairs(noon)
    services.arrange_match(event_id=noon.pk, entries=ids(noon, f"{a} {c}"), by=boss)
    with pytest.raises(services.EventError, match="previous round"):
        services.publish_round(event_id=noon.pk, section="rounds", number=2, by=boss)
    for match in noon.matches.filter(round__number=1):
        services.adjudicate(match_id=match.pk, places=[1, 2], by=boss)
    second = noon.matches.filter(round__number=2)
    assert {frozenset(s.entry.user.username for s in match.sides.all()) for match in second} == {
        frozenset((a, c)), frozenset((b, d)),
    }  # fmt: skip
    assert all(match.status == "proposed" for match in second)


def test_a_director_takes_rounds_into_his_own_hands_in_the_middle(event, boss):
    noon = event(people="ann bob cat dan", format="swiss")
    services.start_event(event_id=noon.pk, now=NOON)
    services.hold_rounds(event_id=noon.pk, by=boss)
    for match in noon.matches.all():
        services.adjudicate(match_id=match.pk, places=[1, 2], by=boss)
    assert {match.status for match in noon.matches.filter(round__number=2)} == {"proposed"}
    services.let_rounds_go(event_id=noon.pk, by=boss)
    assert not Event.objects.get(pk=noon.pk).publishes_by_hand


def test_a_proposed_round_is_paired_again_when_somebody_leaves(proposed, boss):
    noon = proposed("ann bob cat dan eve")
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    assert sorted(map(len, pairs(noon))) == [2, 2]
    assert not any("ann" in pair for pair in pairs(noon))


def test_nothing_is_arranged_where_pairings_follow_from_the_draw(event, boss):
    noon = event(people="ann bob cat dan", publishes_by_hand=True)
    services.start_event(event_id=noon.pk, now=NOON)
    with pytest.raises(services.EventError, match="in Swiss and pods"):
        services.arrange_match(event_id=noon.pk, entries=ids(noon, "ann bob"), by=boss)


def test_the_bye_of_a_late_entry_in_a_round_that_is_out_needs_no_publishing(proposed, boss):
    noon = proposed(late_rounds=2)
    services.publish_round(event_id=noon.pk, section="rounds", number=1, by=boss)
    services.enter_event(event_id=noon.pk, user=person("eve"))
    for match in noon.matches.filter(status=Match.Status.WAITING):
        services.adjudicate(match_id=match.pk, places=[1, 2], by=boss)
    bye = noon.matches.get(round__number=1, sides__entry=entry_of(noon, "eve"))
    assert (bye.status, bye.decided_by) == (Match.Status.FINISHED, Match.DecidedBy.ZERO_BYE)
    assert set(noon.matches.filter(round__number=2).values_list("status", flat=True)) == {Match.Status.PROPOSED}
