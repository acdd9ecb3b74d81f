"""Who may see and do what in an event."""

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse

from tests.pages import page_html
from tests.tournaments.factories import person, settings_of, url
from tournaments.models import Event

PAGES_OF_DIRECTORS = ("edit", "dry-run", "import-entries")


def make_director(name: str):
    user = person(name)
    user.groups.add(Group.objects.get(name="Directors"))
    return user


@pytest.mark.parametrize("name", ["console", *PAGES_OF_DIRECTORS])
def test_pages_of_directors_say_why_they_are_closed_to_others(ann, event, name):
    page = ann.get(url(name, event().pk))
    assert page.status_code == 403
    assert "Only directors" in page_html(page)


@pytest.mark.parametrize("name", ["console", *PAGES_OF_DIRECTORS])
def test_whoever_is_not_logged_in_is_asked_to(client, event, name):
    path = url(name, event().pk)
    assert client.get(path).url == f"{reverse('accounts:login')}?next={path}"


def test_only_directors_plan_events(ann):
    page = ann.get(url("new"))
    assert page.status_code == 403
    assert "Only directors can plan tournaments" in page_html(page)
    assert url("new") not in page_html(ann.get(url("index")))


def test_a_director_plans_an_event_and_runs_it_and_no_other(ann, event):
    make_director("ann")
    other = event()
    assert url("new") in page_html(ann.get(url("index")))
    ann.post(url("new"), settings_of(Event(name="Own cup")))
    own = Event.objects.get(name="Own cup")
    for name in ("console", *PAGES_OF_DIRECTORS):
        assert ann.get(url(name, own.pk)).status_code == 200
        assert ann.get(url(name, other.pk)).status_code == 403
    assert url("console", own.pk) in page_html(ann.get(own.get_absolute_url()))
    assert url("console", other.pk) not in page_html(ann.get(other.get_absolute_url()))


@pytest.mark.parametrize(("role", "answer"), [("director", 200), ("helper", 403)])
def test_people_who_are_named_for_an_event_direct_or_help(ann, event, role, answer):
    noon = event()
    noon.roles.create(user=person("ann"), role=role)
    assert ann.get(url("edit", noon.pk)).status_code == answer
    assert url("console", noon.pk) in page_html(ann.get(noon.get_absolute_url()))
