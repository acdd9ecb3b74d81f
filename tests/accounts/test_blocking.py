"""Who wants nothing to do with whom."""

import pytest

from accounts import blocking, services
from accounts.models import Block, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    return lambda name: User.objects.get_or_create(username=name)[0]


def block(person, one, other):
    blocking.block_user(blocker=person(one), blocked=person(other))


def test_a_block_works_both_ways_and_is_made_once(person):
    for _ in range(2):
        block(person, "alice", "bob")
    assert Block.objects.count() == 1
    assert blocking.is_blocked_between(person("alice"), person("bob"))
    assert blocking.is_blocked_between(person("bob"), person("alice"))
    assert not blocking.is_blocked_between(person("alice"), person("carol"))


def test_one_is_kept_apart_from_those_on_either_side_of_a_block(person, django_assert_num_queries):
    block(person, "alice", "bob")
    block(person, "carol", "alice")
    block(person, "bob", "carol")
    alice, bob, carol = map(person, ("alice", "bob", "carol"))
    with django_assert_num_queries(1):
        assert blocking.blocked_user_ids(alice) == {bob.pk, carol.pk}


def test_only_whoever_made_a_block_sees_and_ends_it(person):
    block(person, "alice", "bob")
    assert blocking.users_blocked_by(person("bob")) == []
    blocking.unblock_user(blocker=person("bob"), blocked=person("alice"))
    assert blocking.users_blocked_by(person("alice")) == [person("bob")]
    blocking.unblock_user(blocker=person("alice"), blocked=person("bob"))
    assert not Block.objects.exists()


@pytest.mark.parametrize("other", ["alice", "bot"])
def test_nobody_blocks_himself_or_a_bot(person, other):
    User.objects.create(username="bot", is_bot=True)
    with pytest.raises(ValueError, match="block yourself or a bot"):
        block(person, "alice", other)


def test_the_account_takes_the_blocks_of_the_guest(person):
    guest = services.make_guest()
    for other in (person("bob"), person("carol"), person("alice")):
        blocking.block_user(blocker=guest, blocked=other)
    block(person, "alice", "bob")
    services.join_account(guest=guest, user=person("alice"))
    assert {str(other) for other in blocking.users_blocked_by(person("alice"))} == {"bob", "carol"}


def test_a_closed_account_leaves_no_blocks_and_its_data_named_them(person):
    block(person, "alice", "bob")
    block(person, "carol", "alice")
    assert services.export_account_data(person("alice"))["people you have blocked"] == ["bob"]
    services.close_account(user=person("alice"))
    assert not Block.objects.exists()
