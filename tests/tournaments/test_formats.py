"""Events of formats with several sections or rounds, from their start to the champion, through the services."""

import pytest

from games import services as games
from tests.tournaments.factories import NOON, names, open_tables, started, table_of
from tournaments import services
from tournaments.models import Event, Match
from tournaments.presentation import draw_of
from tournaments.queries import records

pytestmark = pytest.mark.django_db


def play_on(event: Event) -> None:
    """Until it is over; of two people the one whose name comes later gives up."""
    while playing := event.matches.filter(status=Match.Status.PLAYING).first():
        loser = max((side.entry.user for side in playing.sides.all()), key=lambda user: user.username)
        games.resign(table_id=table_of(playing).pk, user=loser)
        services.advance_running_event(event_id=event.pk, now=NOON)
        open_tables(event)


@pytest.mark.parametrize(
    ("slug", "options", "matches"),
    [("double-elimination", {}, 10), ("round-robin", {}, 15), ("groups", {"group_size": 3}, 9)],
)
def test_an_event_goes_from_its_start_to_its_champion(event, client, slug, options, matches):
    played = started(event(people="ann bob cat dan eve fay", format=slug, format_options=options))
    play_on(played)
    assert played.is_finished
    assert names(played.entries.order_by("place", "pk"))[0] == "ann"
    assert sum(match.sides.count() == 2 for match in played.matches.all()) == matches
    assert not played.entries.filter(place=None)
    page = client.get(played.get_absolute_url()).content.decode()
    assert all(f"section-{section.id}" in page for section in played.plan.draw(records.records_of(played)))


def test_in_the_losers_draw_every_other_round_leads_straight_on(event):
    winners, losers, _ = draw_of(started(event(people="ann bob cat dan eve", format="double-elimination"))).sections
    assert [column.leads_straight for column in winners.columns] == [False, False, False]
    assert [column.leads_straight for column in losers.columns] == [True, False, True, False]


def test_who_leaves_a_round_robin_before_half_of_it_counts_for_nobody(event):
    league = started(event(people="ann bob cat dan eve", format="round-robin"))
    services.withdraw_entry(event_id=league.pk, user=league.entries.get(user__username="eve").user)
    open_tables(league)
    play_on(league)
    standings = league.plan.standings(records.records_of(league))
    by_name = {entry.pk: entry.user.username for entry in league.entries.select_related("user")}
    assert [(by_name[s.entrant], s.points) for s in standings] == [
        ("ann", 3),
        ("bob", 2),
        ("cat", 1),
        ("dan", 0),
        ("eve", 0),
    ]
