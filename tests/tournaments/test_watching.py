"""Matches among the games to watch."""

from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from games import services
from games.models import Table
from games.queries.watchable import worth_watching
from tests.pages import page_html
from tests.tournaments.factories import person, running_tables, started
from tournaments.models import Round

pytestmark = pytest.mark.django_db


def test_matches_come_first_with_their_event_and_round(event, django_assert_max_num_queries):
    match = running_tables(started(event(people="ann bob")))[0]
    free = services.open_and_sit(user=person("cat"), game="casino", seats=2, options=None)
    services.sit_down(table_id=free.pk, user=person("dan"))
    with django_assert_max_num_queries(4):
        watched = worth_watching()
    assert [one.table for one in watched] == [match, free]
    html = page_html(Client().get(reverse("games:watch")))
    cup = match.match_game.match.event
    assert f'<a href="{cup.get_absolute_url()}">{cup.name}</a>, round 1' in html
    assert html.index(match.code) < html.index(free.code)


def test_tables_that_are_older_than_their_fields_for_it_are_told_their_event(event):
    started(event(people="ann bob"))
    services.open_and_sit(user=person("cat"), game="casino", seats=2, options=None)
    cup = event(people="eve fay gus hal", dealing="same", compared_by="matchpoints", match_rule="points", deals=2)
    started(cup)
    Round.objects.filter(event=cup).update(number=3)
    Table.objects.filter(match_game__match__event=cup).update(event_round=3)
    told = Table.objects.order_by("pk").values_list("event_path", "event_name", "event_round", "is_compared")
    before = list(told)
    assert [row[0] for row in before[1:]] == ["", cup.get_absolute_url(), cup.get_absolute_url()]
    assert [row[2:] for row in before] == [(1, False), (None, False), (3, True), (3, True)]
    Table.objects.update(event_name="", event_path="", event_round=None, is_compared=False)
    import_module("tournaments.migrations.0013_events_of_tables").name_events(apps, None)
    assert list(told.all()) == before


def test_a_match_whose_cards_are_in_play_elsewhere_is_not_listed(event):
    [table] = running_tables(started(event(people="ann bob")))
    Table.objects.update(is_hidden=True)
    assert table not in [one.table for one in worth_watching()]
