"""Ladders: join and leave, challenge and answer, and what is due by itself.

Each service locks the ladder, so places change one after the other. A challenge ends by one conditional write, so a
task that runs twice ends it once.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min

from accounts.models import User
from games import services as games
from games.domain.clocks import DAY, duration
from games.models import Table, Vacation
from notifications.services import notify_all, withdraw_notices
from tournaments.domain import ladder as rules
from tournaments.domain.errors import EventError
from tournaments.domain.wall_clock import wall_time_in_words
from tournaments.models import Ladder, LadderChallenge, LadderMove, LadderPlayer
from tournaments.queries.ladders import ladder_state, unfinished_challenge

ONE_DAY, WEEK = timedelta(days=1), timedelta(weeks=1)
WARNED_BEFORE = timedelta(days=3)  # a player who is about to drop for the first time
LOOKS_AGAIN = timedelta(minutes=10)  # after a task was queued for what is due, in case that it is lost
Status, Why = LadderChallenge.Status, LadderMove.Why
NOT_OPEN = "This challenge is no longer open. It was answered or withdrawn, or it was too late."


@transaction.atomic
def save_ladder(ladder: Ladder, *, by: User) -> Ladder:
    """Stores a new or edited ladder; a changed number of idle weeks counts from each player's last game."""
    if ladder.pk is None:
        ladder.created_by = by
        ladder.save()
        return ladder
    ladder.order = _locked(ladder.pk).order
    ladder.save()
    players = list(ladder.players.filter(pk__in=ladder.order))
    for player in players:
        player.drops_at = _drops_at(ladder, player.active_at)
    LadderPlayer.objects.bulk_update(players, ["drops_at"])
    _plan(ladder)
    return ladder


@transaction.atomic
def join_ladder(*, ladder_id: int, user: User, now: datetime) -> None:
    """Takes the last place. :raises EventError: guests and bots can't, nor anyone when the ladder is closed."""
    ladder = _locked(ladder_id)
    if not user.has_account:
        raise EventError("You need an account to join a ladder. Sign up first.")
    if not ladder.is_open:
        raise EventError("This ladder takes no players now.")
    player = LadderPlayer.objects.get_or_create(ladder=ladder, user=user, defaults={"active_at": now})[0]
    if player.pk in ladder.order:
        return
    player.declines = 0
    player.save(update_fields=["declines"])
    _set_order(ladder, [*ladder.order, player.pk], {player.pk: Why.JOINED}, now)
    _mark_active(ladder, [player], now)


@transaction.atomic
def leave_ladder(*, ladder_id: int, user: User, now: datetime, by: User | None = None) -> None:
    """Gives up the place; a challenge that isn't answered yet ends. A game in play goes on.

    by: a director who takes the player off the ladder.
    """
    ladder = _locked(ladder_id)
    player = LadderPlayer.objects.filter(ladder=ladder, user=user, pk__in=ladder.order).first()
    if player is None:
        raise EventError(f"{user.display_name} isn't on this ladder.")
    running = unfinished_challenge(player)
    if running and running.status == Status.OPEN and _end(running, Status.WITHDRAWN, now):
        rival = running.challenged if player == running.challenger else running.challenger
        _tell(ladder, [rival], running, "left", f"{player} has left {ladder.name}, so your challenge is over.")
    _set_order(ladder, [pk for pk in ladder.order if pk != player.pk], {player.pk: Why.LEFT}, now)
    _plan(ladder)
    if by:
        key = f"ladder:{ladder.pk}:removed:{now.timestamp()}"
        text = f"{by.display_name} has taken you off {ladder.name}."
        notify_all([user], key=key, text=text, url=ladder.get_absolute_url())


@transaction.atomic
def challenge_player(*, ladder_id: int, user: User, player_id: int, now: datetime) -> LadderChallenge:
    """Challenges a player above. :raises EventError: why the user can't challenge this player now."""
    ladder = _locked(ladder_id)
    state = ladder_state(ladder, user, now=now)
    if objection := state.objection(player_id):
        raise EventError(objection)
    assert state.own is not None, "only a player of the ladder can challenge"
    answer_by = now + timedelta(days=ladder.answer_days)
    made = LadderChallenge.objects.create(
        ladder=ladder,
        challenger=state.own,
        challenged=state.players[player_id],
        made_at=now,
        answer_by=answer_by,
        due_at=answer_by,
    )
    _mark_active(ladder, [state.own], now)
    text = f"{state.own} challenges you on {ladder.name}. Answer within {duration(ladder.answer_days * DAY)}."
    _tell(ladder, [made.challenged], made, "asked", text)
    return made


@transaction.atomic
def accept_ladder_challenge(*, challenge_id: int, user: User, now: datetime) -> Table:
    """Starts the game. :raises EventError: the challenge is for another player, or no longer open."""
    ladder, asked = _open_challenge(challenge_id, user)
    table = games.seat_and_start(
        game=ladder.game,
        players=[asked.challenger.user, asked.challenged.user],
        options=None,
        first_dealer=secrets.randbelow(2),
        **ladder.time_control.fields,
        allows_vacation=True,
        is_rated=ladder.is_rated,
        event_name=ladder.name,
        event_path=ladder.get_absolute_url(),
    )
    asked.table, asked.status, asked.due_at = table, Status.PLAYING, now + LOOKS_AGAIN
    asked.save(update_fields=["table", "status", "due_at"])
    LadderPlayer.objects.filter(pk=asked.challenged_id).update(declines=0)
    _mark_active(ladder, [asked.challenger, asked.challenged], now)
    _withdraw_calls(asked)
    text = f"{ladder.name}: {asked.challenged} accepts your challenge. The game has started."
    _tell(ladder, [asked.challenger], asked, "accepted", text, url=table.get_absolute_url())
    return table


@transaction.atomic
def decline_ladder_challenge(*, challenge_id: int, user: User, now: datetime) -> None:
    """Declines; beyond the allowed number in a row, the challenger takes the place. :raises EventError:"""
    ladder, asked = _open_challenge(challenge_id, user)
    _refuse(ladder, asked, now)


@transaction.atomic
def withdraw_ladder_challenge(*, challenge_id: int, user: User, now: datetime) -> None:
    """Withdraws the user's challenge, as long as it isn't answered. :raises EventError:"""
    ladder, asked = _locked_challenge(challenge_id)
    if asked.challenger.user_id != user.pk or not _end(asked, Status.WITHDRAWN, now):
        raise EventError(NOT_OPEN)


@transaction.atomic
def run_due_challenge(*, challenge_id: int, now: datetime) -> None:
    """Without an answer in time it counts as declined, except during a vacation. A game in play may be over."""
    ladder, asked = _locked_challenge(challenge_id)
    if asked.status == Status.PLAYING:
        _record_game(ladder, asked, now)
    elif asked.status == Status.OPEN and asked.answer_by <= now:
        if back := _back_at(asked.challenged, now):
            asked.answer_by = asked.due_at = back + timedelta(days=ladder.answer_days)
            asked.save(update_fields=["answer_by", "due_at"])
        else:
            _refuse(ladder, asked, now)


def record_ladder_game(*, table_id: int, now: datetime) -> None:
    """Takes in the result of a game; tables that are not of a ladder, or not over, are skipped."""
    for pk in LadderChallenge.objects.filter(table=table_id, status=Status.PLAYING).values_list("pk", flat=True):
        with transaction.atomic():
            ladder, asked = _locked_challenge(pk)
            _record_game(ladder, asked, now)


@transaction.atomic
def drop_idle_players(*, ladder_id: int, now: datetime) -> None:
    """Players who have not played for so many weeks drop a place, and again each week.

    A vacation doesn't count, nor the time of a challenge that isn't over.
    """
    ladder = _locked(ladder_id)
    due = list(ladder.players.filter(pk__in=ladder.order, drops_at__lte=now).select_related("user"))
    idle = [one for one in due if ladder.is_open and _may_drop(one, now)]
    for player in due:
        player.drops_at = (_back_at(player, now) or now) + WEEK
    LadderPlayer.objects.bulk_update(due, ["drops_at"])
    before = ladder.order
    order = rules.drop_idle(before, {player.pk for player in idle})
    dropped = [player for player in idle if before.index(player.pk) < order.index(player.pk)]
    _set_order(ladder, order, {player.pk: Why.IDLE for player in dropped}, now)
    for player in dropped:
        text = (
            f"You haven't played on {ladder.name} for a while, so you drop to place {order.index(player.pk) + 1}. "
            "Without a game you drop one more place each week."
        )
        key = f"ladder:{ladder.pk}:idle:{now.timestamp()}"
        notify_all([player.user], key=key, text=text, url=ladder.get_absolute_url())
    _plan(ladder)


def warn_players(*, now: datetime) -> None:
    """Once a day: reminds players of challenges without an answer and of their first drop, each once.

    A challenge of today is not yet a case for it.
    """
    challenges = LadderChallenge.objects.filter(
        status=Status.OPEN, made_at__lte=now - ONE_DAY, answer_by__gt=now, answer_by__lte=now + 2 * ONE_DAY
    )
    for asked in challenges.select_related("ladder", "challenger__user", "challenged__user"):
        by = wall_time_in_words(asked.answer_by, "UTC")
        text = f"{asked.ladder.name}: answer {asked.challenger}'s challenge by {by}. No answer counts as declining."
        _tell(asked.ladder, [asked.challenged], asked, f"soon:{asked.answer_by.timestamp()}", text)
    soon = LadderPlayer.objects.filter(ladder__is_open=True, drops_at__gt=now, drops_at__lte=now + WARNED_BEFORE)
    for player in soon.select_related("ladder", "user"):
        ladder, first = player.ladder, _drops_at(player.ladder, player.active_at)
        if first and first == player.drops_at and player.pk in ladder.order[:-1] and _may_drop(player, now):
            text = f"Play on {ladder.name} by {wall_time_in_words(first, 'UTC')} to keep your place."
            key = f"ladder:{ladder.pk}:idle-soon:{first.timestamp()}"
            notify_all([player.user], key=key, text=text, url=ladder.get_absolute_url())


def _locked(ladder_id: int) -> Ladder:
    """The ladder, locked until the transaction ends."""
    ladder: Ladder = Ladder.objects.select_for_update().get(pk=ladder_id)
    return ladder


def _locked_challenge(challenge_id: int) -> tuple[Ladder, LadderChallenge]:
    """A challenge as it is now, with its ladder locked. :raises EventError: there is none."""
    ladder_id = LadderChallenge.objects.filter(pk=challenge_id).values_list("ladder", flat=True).first()
    if ladder_id is None:
        raise EventError("There is no such challenge.")
    ladder = _locked(ladder_id)
    rows = LadderChallenge.objects.select_related("challenger__user", "challenged__user", "table")
    return ladder, rows.get(pk=challenge_id)


def _open_challenge(challenge_id: int, user: User) -> tuple[Ladder, LadderChallenge]:
    """:raises EventError: the challenge is for another player, or no longer open."""
    ladder, asked = _locked_challenge(challenge_id)
    if asked.challenged.user_id != user.pk:
        raise EventError("This challenge is not for you.")
    if asked.status != Status.OPEN:
        raise EventError(NOT_OPEN)
    return ladder, asked


def _refuse(ladder: Ladder, asked: LadderChallenge, now: datetime) -> None:
    """The challenge was declined, or not answered in time."""
    challenger, challenged = asked.challenger, asked.challenged
    if not _end(asked, Status.REFUSED, now):
        return
    if challenged.declines < ladder.allowed_declines:
        challenged.declines += 1
        challenged.save(update_fields=["declines"])
        _record_kept(ladder, asked, now)
        left = ladder.allowed_declines - challenged.declines
        _tell(ladder, [challenger], asked, "refused", f"{ladder.name}: {challenged} doesn't accept your challenge.")
        next_time = f"You can decline {left} more." if left else "If you decline the next one, you lose your place."
        text = f"{ladder.name}: you haven't accepted {challenger}'s challenge, and keep your place. {next_time}"
        _tell(ladder, [challenged], asked, "kept", text)
        return
    _give_place(ladder, asked, Why.REFUSED, now)
    text = f"{ladder.name}: {challenged} didn't accept your challenge, so you take the place."
    _tell(ladder, [challenger], asked, "refused", text)
    text = f"{ladder.name}: you didn't accept {challenger}'s challenge, so {challenger} takes your place."
    _tell(ladder, [challenged], asked, "refused", text)


def _record_kept(ladder: Ladder, asked: LadderChallenge, now: datetime) -> None:
    """A line of history for who has not accepted a challenge and keeps the place."""
    place = ladder.order.index(asked.challenged_id) + 1
    LadderMove.objects.create(
        ladder=ladder, player=asked.challenged, old_place=place, place=place, at=now, challenge=asked, why=Why.KEPT
    )


def _record_game(ladder: Ladder, asked: LadderChallenge, now: datetime) -> None:
    if asked.table is None or not asked.table.is_over:
        return
    status = _status_of(asked.table)
    if not _end(asked, status, now):
        return
    _mark_active(ladder, [asked.challenger, asked.challenged], now)
    if status == Status.WON:
        _give_place(ladder, asked, Why.WON, now)
    challenger, challenged = asked.challenger, asked.challenged
    texts = {
        Status.WON: (f"you beat {challenged} and take the place.", f"{challenger} beats you and takes your place."),
        Status.LOST: (f"{challenged} beats you and keeps the place.", f"you beat {challenger} and keep your place."),
    }
    end = "is drawn" if status == Status.DRAWN else "was stopped"
    stays = tuple(f"your game against {rival} {end}, so the places stay." for rival in (challenged, challenger))
    for player, text in zip((challenger, challenged), texts.get(status, stays), strict=True):
        _tell(ladder, [player], asked, "over", f"{ladder.name}: {text}")


def _status_of(table: Table) -> LadderChallenge.Status:
    """How a game ended for the challenger, who sits in seat 0."""
    winners = [seat.number for seat in table.winners] if table.status == Table.Status.FINISHED else []
    if winners == [0]:
        return Status.WON
    if winners == [1]:
        return Status.LOST
    return Status.DRAWN if winners else Status.STOPPED


def _end(asked: LadderChallenge, status: str, now: datetime) -> bool:
    """Ends a challenge, which needs no answer then. False if it has changed since it was read, and so it stays."""
    rows = LadderChallenge.objects.filter(pk=asked.pk, status=asked.status, finished_at=None)
    has_ended = bool(rows.update(status=status, finished_at=now, due_at=None))
    if has_ended:
        _withdraw_calls(asked)
    return has_ended


def _withdraw_calls(asked: LadderChallenge) -> None:
    """Withdraws the notices that ask for an answer."""
    calls = ("asked", f"soon:{asked.answer_by.timestamp()}")
    withdraw_notices([asked.challenged.user], [_key(asked, about) for about in calls])


def _give_place(ladder: Ladder, asked: LadderChallenge, why: str, now: datetime) -> None:
    order = rules.take_place(ladder.order, asked.challenger_id, asked.challenged_id)
    _set_order(ladder, order, {asked.challenger_id: why}, now, asked)


def _set_order(
    ladder: Ladder,
    order: Sequence[int],
    whys: Mapping[int, str],
    now: datetime,
    challenge: LadderChallenge | None = None,
) -> None:
    """Stores the order, with a line of history for each player whose place changes."""
    changes = rules.new_places(ladder.order, order)
    LadderMove.objects.bulk_create(
        LadderMove(
            ladder=ladder, player_id=pk, old_place=old, place=new, at=now, challenge=challenge,
            why=whys.get(pk, Why.SHIFTED),
        )
        for pk, (old, new) in changes.items()
    )  # fmt: skip
    ladder.order = [*order]
    ladder.save(update_fields=["order"])


def _mark_active(ladder: Ladder, players: Iterable[LadderPlayer], now: datetime) -> None:
    here = [player.pk for player in players]
    LadderPlayer.objects.filter(pk__in=here).update(active_at=now, drops_at=_drops_at(ladder, now))
    _plan(ladder)


def _may_drop(player: LadderPlayer, now: datetime) -> bool:
    return not (unfinished_challenge(player) or _back_at(player, now))


def _drops_at(ladder: Ladder, active_at: datetime) -> datetime | None:
    return active_at + ladder.idle_weeks * WEEK if ladder.idle_weeks else None


def _plan(ladder: Ladder) -> None:
    """The ladder is due when the first of those on it drops a place. Who has left may still finish a game."""
    ladder.due_at = ladder.players.filter(pk__in=ladder.order).aggregate(first=Min("drops_at"))["first"]
    ladder.save(update_fields=["due_at"])


def _back_at(player: LadderPlayer, now: datetime) -> datetime | None:
    """The end of the player's vacation; None if they are not on vacation."""
    vacation = Vacation.objects.current(now).filter(user=player.user_id).order_by("ends_at").last()
    return vacation.ends_at if vacation else None


def _key(asked: LadderChallenge, about: str) -> str:
    return f"ladder-challenge:{asked.pk}:{about}"


def _tell(
    ladder: Ladder,
    players: Iterable[LadderPlayer],
    asked: LadderChallenge,
    about: str,
    text: str,
    url: str = "",
) -> None:
    users = [player.user for player in players]
    notify_all(users, key=_key(asked, about), text=text, url=url or ladder.get_absolute_url())
