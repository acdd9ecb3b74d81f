"""Who wants nothing to do with whom. A block works both ways, and only whoever made it sees it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db.models import Q

from accounts.models import Block, User


def block_user(*, blocker: User, blocked: User) -> None:
    """From now on neither reads what the other says, or is asked to play with the other; once more does nothing.

    :raises ValueError: somebody wants to block himself, or a bot.
    """
    if blocker == blocked or blocked.is_bot:
        raise ValueError("You can block other people only.")
    Block.objects.get_or_create(blocker=blocker, blocked=blocked)


def unblock_user(*, blocker: User, blocked: User) -> None:
    Block.objects.filter(blocker=blocker, blocked=blocked).delete()


def is_blocked_between(one: User, other: User) -> bool:
    """Whether one of the two has blocked the other."""
    return Block.objects.filter(Q(blocker=one, blocked=other) | Q(blocker=other, blocked=one)).exists()


def blocked_user_ids(user: User) -> set[int]:
    """Ids of all whom somebody has blocked, or who have blocked him; in one query."""
    pairs = Block.objects.filter(Q(blocker=user.pk) | Q(blocked=user.pk)).values_list("blocker", "blocked")
    return {pk for pair in pairs for pk in pair} - {user.pk}


def blocked_user_ids_among(ids: Iterable[int]) -> Mapping[int, frozenset[int]]:
    """By user id: those of these people whom each one does not meet; in one query."""
    people = set(ids)
    apart: defaultdict[int, frozenset[int]] = defaultdict(frozenset)
    for blocker, blocked in Block.objects.filter(blocker__in=people, blocked__in=people).values_list(
        "blocker", "blocked"
    ):
        apart[blocker] |= {blocked}
        apart[blocked] |= {blocker}
    return apart


def users_blocked_by(user: User) -> list[User]:
    """Whom somebody has blocked, newest first."""
    return [block.blocked for block in user.blocks.select_related("blocked")]


def hand_over_blocks(*, guest: User, user: User) -> None:
    """The account takes the guest's blocks, except those that it has itself and the one between the two."""
    of_guest = Block.objects.filter(blocker=guest).exclude(blocked=user)
    of_guest.exclude(blocked__in=user.blocks.values("blocked")).update(blocker=user)


def delete_blocks(user: User) -> None:
    """Takes away every block of a closed account, and every one against it."""
    Block.objects.filter(Q(blocker=user) | Q(blocked=user)).delete()
