"""Webhooks of events: messages to programs of their directors, and to the owners of bots that are invited."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import User
from infra.http_api import VERSION_PATH
from notifications.models import Webhook
from notifications.webhooks import publish, register_kinds
from tournaments.models import Event, EventMessage, EventRole, Match

register_kinds(
    {
        "event.started": "A tournament you direct starts",
        "event.round_published": "A round is published",
        "event.match_decided": "A match is decided",
        "event.result_corrected": "A result is corrected or annulled",
        "event.finished": "A tournament ends",
        "event.cancelled": "A tournament is cancelled",
        "event.message": "A director sends a message",
        "bot.invited": "Your bot is invited to a tournament",
    }
)


def publish_event(event: Event, kind: str) -> None:
    """kind: "started", "finished" or "cancelled"."""
    _publish(event, kind, [{}])


def publish_rounds(event: Event, matches: QuerySet[Match]) -> None:
    """One message for each round that has these new matches."""
    order = ("round__section", "round__number")
    rounds = matches.order_by(*order).values_list(*order).distinct()
    _publish(event, "round_published", ({"section": section, "round": number} for section, number in rounds))


def publish_results(event: Event, matches: Iterable[Match], *, corrected: bool = False) -> None:
    """matches: decided, from `services.matches.with_games`."""
    news = ({"match": _match_as_json(match)} for match in matches)
    _publish(event, "result_corrected" if corrected else "match_decided", news)


def _match_as_json(match: Match) -> dict[str, Any]:
    sides = [{"entry": side.entry_id, "name": side.entry.name, "place": side.place} for side in match.sides.all()]
    decided_by = {"board": match.board, "decided_by": match.decided_by, "sides": sides}
    return {"id": match.pk, "section": match.round.section, "round": match.round.number, **decided_by}


def publish_message(message: EventMessage) -> None:
    """The text stays on the site."""
    _publish(message.event, "message", [{"message": message.pk, "people": message.people}])


def publish_invitations(event: Event, users: Iterable[User]) -> None:
    for bot in users:
        if bot.is_api_bot:
            hooks = Webhook.objects.filter(user=bot.owner_id)
            publish(hooks, "bot.invited", [{"bot": bot.username, **_about(event)}])


def _about(event: Event) -> dict[str, Any]:
    links = {"page": event.get_absolute_url(), "api": f"{VERSION_PATH}tournaments/{event.pk}"}
    return {"event": {"id": event.pk, "name": event.name, "status": event.status}, "links": links}


def _publish(event: Event, kind: str, news: Iterable[dict[str, Any]]) -> None:
    hooks = Webhook.objects.filter(user__in=_directors(event))
    publish(hooks, f"event.{kind}", ({**_about(event), **said} for said in news))


def _directors(event: Event) -> QuerySet[Any]:
    roles = EventRole.objects.filter(event=event, role=EventRole.Role.DIRECTOR)
    return User.objects.filter(Q(pk=event.created_by_id) | Q(event_roles__in=roles)).values("pk")
