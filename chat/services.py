"""Talking at a table: who may say what, and when.

Where some play as partners nobody at the table says anything while the game runs. Each deal follows the last one at
once, so there is no moment without cards in hand, and even the choice of a phrase, or when it comes, can tell a partner
something. What those who watch say stays among themselves until the game is over.
"""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from accounts import blocking
from accounts.models import User
from accounts.requests import Visitor
from accounts.throttle import count_one, wait_in_words
from chat import phrases
from chat.models import LONGEST, Act, Line, LineQuerySet, Quiet
from games import live
from games.models import Table
from games.record import replay
from games.services.common import locked
from infra.after_commit import on_commit

PACES = (("burst", 5, 10), ("minute", 20, 60))  # name, lines, seconds


class TalkError(ValueError):
    """That cannot be said there now; the message says why."""


@dataclass(frozen=True, slots=True)
class Leave:
    """What somebody may say at a table now.

    phrases, reactions: key and words. note: what one should know about it, above all why one may say less than others.
    deal: how many deals are over.
    """

    phrases: tuple[tuple[str, str], ...] = ()
    reactions: tuple[tuple[str, str], ...] = ()
    may_write: bool = False
    note: str = ""
    deal: int = 0


def plays(table: Table, user: Visitor) -> bool:
    """Whether somebody has a place there, also while a bot plays in it."""
    return user.is_authenticated and any(seat.user_id == user.pk for seat in table.seats.all())


def has_chat(table: Table, user: Visitor) -> bool:
    """Whether one may talk there, and there is anybody to talk to; those who watch have each other."""
    return table.has_talk if plays(table, user) else table.chat != Table.Chat.NONE


def leave_to_talk(table: Table, user: Visitor) -> Leave:
    if not has_chat(table, user):
        return Leave(note="There is no chat at this table.")
    if not user.is_authenticated:
        return Leave(note="You can read here.")
    if not plays(table, user):
        return _leave_of_watcher(table, user)
    if table.has_partners and phrases.moment(table) == phrases.RUNNING:
        return Leave(note="Partners play at this table, so nobody says anything until the game is over.")
    deal = len(replay.state_of(table).results) if table.started_at else 0
    return Leave(phrases.offered(table), _reactions(table, user, deal), *_writing(table, user), deal)


def _leave_of_watcher(table: Table, user: User) -> Leave:
    if user.is_guest:
        return Leave(note="You can read here. With an account you can talk with the others who watch.")
    may_write, note = _writing(table, user)
    if may_write and not table.is_over:
        note = "The players read this once the game is over."
    return Leave((), (), may_write, note)


def _writing(table: Table, user: User) -> tuple[bool, str]:
    """Whether somebody may write in his own words, and why not."""
    if table.chat != Table.Chat.FREE:
        return False, "Here one talks in these phrases only." if plays(table, user) else "Only the players talk here."
    if user.is_guest:
        return False, "With an account you can write in your own words."
    mute = Act.objects.mutes(user, timezone.now()).order_by("-until").first()
    if mute:
        return False, f"A moderator has muted you until {mute.until:%-d %b, %H:%M} UTC. Phrases are left to you."
    return True, ""


def _reactions(table: Table, user: User, deal: int) -> tuple[tuple[str, str], ...]:
    """One to each deal that is over."""
    has_reacted = Line.objects.filter(table=table, user=user, kind=Line.Kind.REACTION, deal=deal).exists()
    return () if deal == 0 or has_reacted else tuple(phrases.DO_REACT.items())


def lines_for(table: Table, reader: Visitor, *, after: int = 0) -> LineQuerySet:
    """What somebody may read at a table, of lines newer than number `after`, oldest first."""
    lines = Line.objects.at(table, player=plays(table, reader)).filter(pk__gt=after).select_related("user")
    return lines.exclude(user__in=blocking.blocked_user_ids(reader)) if reader.is_authenticated else lines


@transaction.atomic
def say(*, table_id: int, user: Visitor, kind: str, text: str) -> Line:
    """Says something at a table. text: own words, or the key of a phrase or reaction. :raises TalkError:"""
    table = locked(table_id)
    leave = leave_to_talk(table, user)
    said = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    _require(leave, kind, said)
    assert user.is_authenticated, "visitors without a name may not say anything"
    _require_patience(user)
    line = Line.objects.create(
        table=table, user=user, kind=kind, text=said, deal=leave.deal, is_of_watcher=not plays(table, user)
    )
    announce(line, line.pk)
    return line


def announce(line: Line, version: int) -> None:
    """Pages that may show a line hear of it; those of the players not of one by who watches while the game runs."""
    code = line.table.code
    on_commit(live.announce, live.talk_channel(code, of_watchers=line.is_of_watcher), version)
    if line.is_of_watcher and line.table.is_over:
        on_commit(live.announce, live.talk_channel(code), version)


def _require(leave: Leave, kind: str, said: str) -> None:
    may: dict[str, bool] = {
        Line.Kind.FREE: leave.may_write,
        Line.Kind.PHRASE: said in dict(leave.phrases),
        Line.Kind.REACTION: said in dict(leave.reactions),
    }
    if not may.get(kind, False):
        raise TalkError(leave.note or "This cannot be said at this moment.")
    if not said:
        raise TalkError("There was nothing to say.")
    if len(said) > LONGEST:
        raise TalkError(f"This is too long by {len(said) - LONGEST} letters.")


def _require_patience(user: User) -> None:
    for name, count, seconds in PACES:
        wait = count_one(f"lines-{name}", str(user.pk), count=count, seconds=seconds)
        if wait:
            raise TalkError(f"You have said much in a short time. Wait {wait_in_words(wait)}.")


def is_quiet(table: Table, user: Visitor) -> bool:
    return user.is_authenticated and Quiet.objects.filter(table=table, user=user).exists()


def switch(*, table: Table, user: User, on: bool) -> None:
    """Switches the chat of a table on or off, for one person."""
    if on:
        Quiet.objects.filter(table=table, user=user).delete()
    else:
        Quiet.objects.get_or_create(table=table, user=user)
