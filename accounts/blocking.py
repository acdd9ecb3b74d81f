"""Blocking other users. A block works both ways, and only its author sees it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db.models import Q

from accounts.models import Block, User


def block_user(*, blocker: User, blocked: User) -> None:
    """Blocks a user: the two no longer read each other's chat and are not matched. A second block changes nothing.

    :raises ValueError: users can't block themselves, or a bot.
    """
    if blocker == blocked or blocked.is_bot:
        raise ValueError("You can't block yourself or a bot.")
    Block.objects.get_or_create(blocker=blocker, blocked=blocked)


def unblock_user(*, blocker: User, blocked: User) -> None:
    Block.objects.filter(blocker=blocker, blocked=blocked).delete()


def is_blocked_between(one: User, other: User) -> bool:
    """Whether one of the two has blocked the other."""
    return Block.objects.filter(Q(blocker=one, blocked=other) | Q(blocker=other, blocked=one)).exists()


def blocked_user_ids(user: User) -> set[int]:
    """Ids of all users that the user has blocked, or who have blocked the user; in one query."""
    pairs = Block.objects.filter(Q(blocker=user.pk) | Q(blocked=user.pk)).values_list("blocker", "blocked")
    return {pk for pair in pairs for pk in pair} - {user.pk}


def blocked_user_ids_among(ids: Iterable[int]) -> Mapping[int, frozenset[int]]:
    """By user id: which of these people have a block between them; in one query."""
    people = set(ids)
    apart: defaultdict[int, frozenset[int]] = defaultdict(frozenset)
    for blocker, blocked in Block.objects.filter(blocker__in=people, blocked__in=people).values_list(
        "blocker", "blocked"
    ):
        apart[blocker] |= {blocked}
        apart[blocked] |= {blocker}
    return apart


def users_blocked_by(user: User) -> list[User]:
    """Whom the user has blocked, newest first."""
    return [block.blocked for block in user.blocks.select_related("blocked")]


def hand_over_blocks(*, guest: User, user: User) -> None:
    """Moves the guest's blocks to the account, except those it has already and one between the two."""
    of_guest = Block.objects.filter(blocker=guest).exclude(blocked=user)
    of_guest.exclude(blocked__in=user.blocks.values("blocked")).update(blocker=user)


def delete_blocks(user: User) -> None:
    """Deletes every block by or against a closed account."""
    Block.objects.filter(Q(blocker=user) | Q(blocked=user)).delete()
