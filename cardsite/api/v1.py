"""Version 1 of the HTTP API: joins the operations of the apps, and turns their refusals into problems."""

from json import JSONDecodeError
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import RawPostDataException
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.operation import Operation

from accounts.api import router as accounts
from accounts.api_access import BearerToken, too_many
from accounts.brute_force import TooManyAttempts
from cardsite.api import description
from chat.api import router as chat
from chat.services import ChatError
from games.api.routing import router as games
from games.core.contract import GameError, IllegalMove, UnreadableMove
from games.record.replay import OtherRules
from games.services import StalePosition
from infra.http_api.problems import Problem
from infra.http_api.reading import StrictParser
from notifications.api import router as notifications
from tournaments.api.routing import router as tournaments
from tournaments.domain.errors import EventError
from tutorials.api import router as tutorials


class Api(NinjaAPI):
    """scopes: by operation id, the scope that its token needs."""

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self.scopes: dict[str, str] = {}

    def get_openapi_operation_id(self, operation: Operation) -> str:
        name = operation.view_func.__name__
        for auth in operation.auth_callbacks:
            if isinstance(auth, BearerToken):
                self.scopes[name] = auth.scope
        return name

    def get_openapi_schema(self, **named: Any) -> Any:
        return description.completed(super().get_openapi_schema(**named), self.scopes)


api = Api(
    title=description.TITLE,
    version="1.0",
    description=description.INTRODUCTION,
    docs_url=None,
    parser=StrictParser(),
    urls_namespace="api",
    openapi_extra={"info": {"license": {"name": "MIT", "identifier": "MIT"}}},
)
for router in (accounts, notifications, games, chat, tutorials, tournaments):
    api.add_router("", router)


@api.exception_handler(Problem)
def say_problem(request: HttpRequest, problem: Problem) -> HttpResponse:
    return problem.response()


@api.exception_handler(Http404)
def say_not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    is_plain = bool(error.args) and isinstance(error.args[0], str) and "matches the given query" not in error.args[0]
    return Problem(404, "not-found", error.args[0] if is_plain else "There is no such thing here.").response()


@api.exception_handler(PermissionDenied)
def say_forbidden(request: HttpRequest, error: PermissionDenied) -> HttpResponse:
    return Problem(403, "forbidden", str(error) or "You may not do this.").response()


@api.exception_handler(ValidationError)
def say_invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    errors = [{"at": _place_of(*map(str, one["loc"])), "detail": one["msg"]} for one in error.errors]
    detail = "The request doesn't fit the description of the operation."
    return Problem(422, "invalid", detail, errors=errors).response()


def _place_of(part: str, *names: str) -> list[str]:
    """Where an error is. A body is one parameter of a view, whose name is no part of what was sent."""
    return [part, *(names[1:] if part == "body" else names)]


@api.exception_handler(RawPostDataException)
def say_form(request: HttpRequest, error: RawPostDataException) -> HttpResponse:
    return Problem(400, "bad-request", "The body is a form. Send JSON.").response()


@api.exception_handler(HttpError)
def say_unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    """What django-ninja raises for a body that `StrictParser` can't read."""
    cause, place = error.__cause__, ""
    if isinstance(cause, JSONDecodeError):
        place = f" The JSON is invalid at line {cause.lineno}, column {cause.colno}."
    detail = (
        f"The body can't be read.{place} Send JSON in UTF-8, without NaN, NUL characters or halves of surrogate pairs."
    )
    return Problem(error.status_code, "bad-request", detail).response()


@api.exception_handler(TooManyAttempts)
def say_too_many_attempts(request: HttpRequest, error: TooManyAttempts) -> HttpResponse:
    return too_many(error.wait, what="wrong passwords").response()


@api.exception_handler(GameError)
def say_refusal(request: HttpRequest, error: GameError) -> HttpResponse:
    if isinstance(error, StalePosition):
        return Problem(409, "stale", str(error)).response()
    if isinstance(error, OtherRules):
        return Problem(410, "other-rules", str(error)).response()
    rule = error.rule if isinstance(error, IllegalMove | UnreadableMove) else ""
    more: dict[str, Any] = {"rule": rule} if rule else {}
    return Problem(422, "refused", str(error), **more).response()


@api.exception_handler(ObjectDoesNotExist)
def say_gone(request: HttpRequest, error: ObjectDoesNotExist) -> HttpResponse:
    return Problem(404, "not-found", "There is no such thing here.").response()


@api.exception_handler(ChatError)
@api.exception_handler(EventError)
def say_sentence(request: HttpRequest, error: Exception) -> HttpResponse:
    return Problem(422, "refused", str(error)).response()
