"""A database from before the apps moved is migrated and works."""

import importlib

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.db import connection

from chat.models import Line
from notifications.models import Notice

sessions_migration = importlib.import_module("accounts.migrations.0005_sessions_name_djangos_backend")
next_migration = importlib.import_module("accounts.migrations.0006_sessions_name_djangos_backend_alone")


@pytest.mark.django_db
def test_moved_apps_keep_their_tables():
    assert (Notice._meta.db_table, Line._meta.db_table) == ("notices_notice", "talk_line")
    assert {"accounts_user", "notices_notice", "talk_line"} <= {*connection.introspection.table_names()}


@pytest.mark.parametrize("migration", [sessions_migration, next_migration])
def test_who_was_logged_in_before_the_move_still_is(migration, client, person):
    client.force_login(person("alice"))
    session = client.session
    session[BACKEND_SESSION_KEY] = migration.MOVED
    session.save()
    assert not client.get("/").wsgi_request.user.is_authenticated

    client.cookies["sessionid"] = session.session_key
    caches[settings.SESSION_CACHE_ALIAS].clear()  # the site did not cache sessions then
    migration.rename_backend(apps, None)
    assert client.get("/").wsgi_request.user.username == "alice"


def test_a_session_that_cannot_be_read_stays_as_it_is(db):
    row = Session.objects.create(session_key="x", session_data="torn", expire_date="2030-01-01T00:00:00Z")
    sessions_migration.rename_backend(apps, None)
    row.refresh_from_db()
    assert row.session_data == "torn"
