"""Conditions of entry. Bots need none of them, and directors can add anybody."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.contrib.auth.hashers import check_password, identify_hasher, make_password
from django.utils import timezone

from accounts.models import User
from games.models import Table
from games.queries.ratings import ratings_of
from tournaments.domain.errors import EventError
from tournaments.models import Event, EventSettings, Invitation
from tutorials import progress


class WrongPassword(EventError):
    """A wrong password was tried for the event."""


@dataclass(frozen=True, slots=True)
class EntryCondition:
    """needs: such as "a rating of 1600 in Casino". has: what a user has instead, "yours is 1480"; "" if it is met."""

    needs: str
    has: Callable[[User], str]


def conditions_of(event: EventSettings) -> list[EntryCondition]:
    """In the order of the settings. Without the password, which anyone can type in."""
    name = event.rules.name
    found = []
    if event.bots_only:
        found.append(EntryCondition("a bot", lambda user: "" if user.is_api_bot else "you are a person"))
    if event.min_rating is not None:
        found.append(EntryCondition(f"a rating of {event.min_rating} in {name}", partial(_too_low, event)))
    if event.max_rating is not None:
        found.append(EntryCondition(f"a rating of at most {event.max_rating} in {name}", partial(_too_high, event)))
    if event.min_account_days:
        days = _counted(event.min_account_days, "day")
        found.append(EntryCondition(f"an account at least {days} old", partial(_too_young, event)))
    if event.min_games:
        games = _counted(event.min_games, "game")
        found.append(EntryCondition(f"{games} of {name} finished", partial(_too_few_games, event)))
    if event.needs_course:
        found.append(EntryCondition(f"the course in {name}", partial(_steps_left, event)))
    if event.invited_only:
        found.append(EntryCondition("an invitation", partial(_not_invited, event)))
    return found


def unmet_conditions(event: Event, user: User) -> list[tuple[EntryCondition, str]]:
    """The conditions that a user does not meet, and what they have instead.

    user: unsaved for a visitor without a name.
    """
    if user.is_bot:
        return []
    conditions = conditions_of(event)
    if user.is_api_bot and not event.has_bots:
        conditions.append(EntryCondition("a person", lambda user: "you are a bot"))
    checked = ((condition, condition.has(user)) for condition in conditions)
    return [(condition, has) for condition, has in checked if has]


def refusal_reasons(event: Event, user: User) -> list[str]:
    """Why a user may not enter, each reason a sentence; [] if they may."""
    return [f"This tournament requires {condition.needs}; {has}." for condition, has in unmet_conditions(event, user)]


def require_conditions(event: Event, user: User, *, password: str) -> None:
    """Checks conditions and password. Callers limit wrong passwords (`accounts.brute_force`).

    :raises EventError: a condition is not met, or there is no password.
    :raises WrongPassword:
    """
    reasons = refusal_reasons(event, user)
    if reasons:
        raise EventError(" ".join(reasons))
    if not event.password or user.is_bot:
        return
    if not password:
        raise EventError("Enter the tournament password.")
    if not check_password(password, event.password):
        raise WrongPassword("This password is wrong. Please try again.")


def hash_password(settings: EventSettings) -> None:
    """Replaces a password that was just typed in by its hash; a hash stays."""
    try:
        identify_hasher(settings.password)
    except ValueError:
        settings.password = make_password(settings.password) if settings.password else ""


def _too_low(event: EventSettings, user: User) -> str:
    number = _rating(event, user)
    return f"yours is {number}" if number < (event.min_rating or 0) else ""


def _too_high(event: EventSettings, user: User) -> str:
    number = _rating(event, user)
    return f"yours is {number}" if number > (event.max_rating or number) else ""


def _rating(event: EventSettings, user: User) -> int:
    return ratings_of([user], event.game)[user.pk].number


def _too_young(event: EventSettings, user: User) -> str:
    if user.is_guest:
        return "you are a guest"
    days = (timezone.now() - user.date_joined).days
    return f"yours is {_counted(days, 'day')} old" if days < event.min_account_days else ""


def _too_few_games(event: EventSettings, user: User) -> str:
    finished = Table.objects.games().filter(game=event.game, status=Table.Status.FINISHED)
    count = finished.of(user).count() if user.pk else 0
    return f"you have {count or 'none'}" if count < event.min_games else ""


def _steps_left(event: EventSettings, user: User) -> str:
    left = progress.steps_left(user, game=event.game)
    return f"you have {_counted(left, 'step')} left" if left else ""


def _not_invited(event: EventSettings, user: User) -> str:
    return "" if Invitation.objects.filter(event=event.pk, user=user.pk).exists() else "you have none"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
