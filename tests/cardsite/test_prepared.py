"""Statements that go to the database together do what they would do one after the other."""

import threading

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from games import services
from games.models import Seat
from games.record import table_store
from infra.prepared import Prepared, PreparedUpdate, together
from tests.connections import wait_for_a_lock

pytestmark = pytest.mark.django_db(transaction=True)

named = Prepared(lambda name: User.objects.filter(username=name), like=["?"])
update = PreparedUpdate(User, ["username"])


def rename(user, name):
    user.username = name
    return update.statement(user)


def test_each_has_its_own_rows_and_sees_what_was_done_before(person):
    ann = person("ann")
    rows = together(
        named.statement("ann"), rename(ann, "100% ann"), named.statement("100% ann"), named.statement("bob")
    )
    assert [[user.username for user in named.instances(found)] for found in rows] == [["ann"], [], ["100% ann"], []]


def test_if_one_fails_none_is_stored(person):
    ann, bob = person("ann"), person("bob")
    with pytest.raises(IntegrityError), transaction.atomic():
        together(rename(ann, "carol"), rename(bob, "carol"))
    assert {*User.objects.values_list("username", flat=True)} == {"ann", "bob"}


@pytest.mark.only_on("postgresql")
def test_seats_are_read_as_they_are_once_the_table_is_locked(table_of):
    """Another process changes a seat while we wait for the lock: we see it changed."""
    table = table_of("alice", "bob")
    found = []

    def read():
        with transaction.atomic():
            found.append(table_store.locked_table(table.pk))
        connection.close()

    with transaction.atomic():
        services.common.locked(table.pk)
        Seat.objects.filter(table=table, number=0).update(has_left=True)
        reader = threading.Thread(target=read)
        reader.start()
        wait_for_a_lock()
        assert not found
    reader.join(30)
    assert found[0].seats.all()[0].has_left
