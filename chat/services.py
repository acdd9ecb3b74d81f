"""Chat services: who may write what at a table, and when.

Where some play as partners, no player can chat while the game runs: each deal follows the last one at once, so there is
always a hand to play, and even the choice or the moment of a phrase could tell a partner something. Lines of spectators
stay among spectators until the game is over.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.timesince import timeuntil

from accounts import blocking
from accounts.models import User
from accounts.requests import Visitor
from accounts.throttle import count_one, wait_in_words
from chat import phrases
from chat.models import LONGEST_CHAT_LINE, Act, Line, LineQuerySet, Quiet
from games import live
from games.models import Table
from games.record import replay
from games.services.common import lock_table
from infra.after_commit import on_commit

MINUTE = timedelta(minutes=1)  # a part of one counts
CHAT_RATE_LIMITS = (("burst", 5, 10), ("minute", 20, 60))  # name, lines, seconds


class ChatError(ValueError):
    """The line is not possible there now; the message says why."""


@dataclass(frozen=True, slots=True)
class ChatPermissions:
    """What a visitor may write at a table now.

    phrases, reactions: key and text. note: a hint for the visitor, mostly why less is allowed.
    deal: how many deals are over.
    """

    phrases: tuple[tuple[str, str], ...] = ()
    reactions: tuple[tuple[str, str], ...] = ()
    may_write: bool = False
    note: str = ""
    deal: int = 0


def is_player(table: Table, user: Visitor) -> bool:
    """Whether the visitor has a seat there, also while a bot plays in it."""
    return user.is_authenticated and any(seat.user_id == user.pk for seat in table.seat_rows)


def has_chat(table: Table, user: Visitor) -> bool:
    """Whether this visitor can use the chat: it is on, and there is another person to chat with. Spectators share
    theirs.
    """
    return table.has_chat if is_player(table, user) else table.chat != Table.Chat.NONE


def chat_permissions(table: Table, user: Visitor) -> ChatPermissions:
    """What this visitor may write at the table now, and why not more."""
    if not has_chat(table, user):
        return ChatPermissions(note="There is no chat at this table.")
    if not user.is_authenticated:
        return ChatPermissions(note="You can read the chat.")
    if not is_player(table, user):
        return _leave_of_watcher(table, user)
    if table.has_partners and phrases.game_phase(table) == phrases.DURING_GAME:
        return ChatPermissions(note="Chat is off until the game is over, because partners play at this table.")
    deal = len(replay.state_of(table).results) if table.started_at else 0
    return ChatPermissions(phrases.offered_phrases(table), _reactions(table, user, deal), *_writing(table, user), deal)


def _leave_of_watcher(table: Table, user: User) -> ChatPermissions:
    if user.is_guest:
        return ChatPermissions(note="You can read the chat. Sign up to write to other spectators.")
    may_write, note = _writing(table, user)
    if may_write and not table.is_over:
        note = "The players will see this when the game is over."
    return ChatPermissions((), (), may_write, note)


def _writing(table: Table, user: User) -> tuple[bool, str]:
    """Whether the user may write in their own words, and why not."""
    if table.chat != Table.Chat.FREE:
        note = "You can only use these phrases here." if is_player(table, user) else "Only the players can chat here."
        return False, note
    if user.is_guest:
        return False, "Sign up to write your own messages."
    mute = mute_in_words(user)
    return not mute, f"{mute} You can still use the phrases." if mute else ""


def mute_in_words(user: User) -> str:
    """That a moderator has muted the user, and how soon that ends, which is the same in every time zone. "" if not."""
    now = timezone.now()
    until = Act.objects.mutes(user, now).order_by("-until").values_list("until", flat=True).first()
    return f"A moderator has muted you. This ends in {timeuntil(until + MINUTE, now, depth=1)}." if until else ""


def _reactions(table: Table, user: User, deal: int) -> tuple[tuple[str, str], ...]:
    """The reactions, one for each finished deal."""
    has_reacted = Line.objects.filter(table=table, user=user, kind=Line.Kind.REACTION, deal=deal).exists()
    return () if deal == 0 or has_reacted else tuple(phrases.DO_REACT.items())


def visible_lines(table: Table, reader: Visitor, *, after: int = 0) -> LineQuerySet:
    """The chat lines newer than number `after` that the reader may see, oldest first."""
    lines = Line.objects.readable_at(table, player=is_player(table, reader)).filter(pk__gt=after).select_related("user")
    return lines.exclude(user__in=blocking.blocked_user_ids(reader)) if reader.is_authenticated else lines


@transaction.atomic
def post_line(*, table_id: int, user: Visitor, kind: str, text: str) -> Line:
    """Posts a chat line. text: own words, or the key of a phrase or reaction. :raises ChatError:"""
    table = lock_table(table_id)
    leave = chat_permissions(table, user)
    said = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    _require_permission(leave, kind, said)
    assert user.is_authenticated, "visitors without a name may not say anything"
    _require_patience(user)
    line = Line.objects.create(
        table=table, user=user, kind=kind, text=said, deal=leave.deal, is_of_watcher=not is_player(table, user)
    )
    announce_line(line, line.pk)
    return line


def announce_line(line: Line, version: int) -> None:
    """Tells the pages that may show a line. Players' pages aren't told of a spectator's line while the game runs."""
    code = line.table.code
    on_commit(live.announce, live.chat_channel(code, of_watchers=line.is_of_watcher), version)
    if line.is_of_watcher and line.table.is_over:
        on_commit(live.announce, live.chat_channel(code), version)


def _require_permission(leave: ChatPermissions, kind: str, said: str) -> None:
    may: dict[str, bool] = {
        Line.Kind.FREE: leave.may_write,
        Line.Kind.PHRASE: said in dict(leave.phrases),
        Line.Kind.REACTION: said in dict(leave.reactions),
    }
    if not may.get(kind, False):
        raise ChatError(leave.note or "You can't send this right now.")
    if not said:
        raise ChatError("Your message is empty.")
    if len(said) > LONGEST_CHAT_LINE:
        raise ChatError(f"Your message is {len(said) - LONGEST_CHAT_LINE} characters too long.")


def _require_patience(user: User) -> None:
    """Rate limit on chat lines. :raises ChatError:"""
    for name, count, seconds in CHAT_RATE_LIMITS:
        wait = count_one(f"lines-{name}", str(user.pk), count=count, seconds=seconds)
        if wait:
            raise ChatError(f"You're sending messages too quickly. Please wait {wait_in_words(wait)}.")


def has_chat_off(table: Table, user: Visitor) -> bool:
    """Whether the user has switched the chat of this table off."""
    return user.is_authenticated and Quiet.objects.filter(table=table, user=user).exists()


def switch_chat(*, table: Table, user: User, on: bool) -> None:
    """Switches the chat of a table on or off, for one user."""
    if on:
        Quiet.objects.filter(table=table, user=user).delete()
    else:
        Quiet.objects.get_or_create(table=table, user=user)
