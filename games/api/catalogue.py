"""Games and their options as data."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from games import engines
from games.api import schemas
from games.api.routing import router
from games.core.contract import Game, Option
from games.views.lobby import game_or_404


@router.get("/games", response=list[schemas.GameSummary], auth=None, tags=["Games"], summary="List the games")
def list_games(request: HttpRequest) -> list[dict[str, Any]]:
    """All games of the site. No token is needed."""
    return [summary_of(game) for game in engines.GAMES]


@router.get(
    "/games/{game}", response=schemas.GameDetails, auth=None, tags=["Games"], summary="Read a game with its options"
)
def read_game(request: HttpRequest, game: str) -> dict[str, Any]:
    """A game with its options, also as JSON Schema for the `options` of a new table. No token is needed."""
    rules = game_or_404(game)
    usual = rules.read_options({}, rules.seats[0])
    return summary_of(rules) | {
        "options": [plain_option(option) for option in rules.open_options],
        "options_schema": options_schema(rules),
        "presets": {name: dict(preset) for name, preset in rules.presets.items()},
        "deck": rules.deck(usual),
    }


def summary_of(game: Game[Any, Any, Any]) -> dict[str, Any]:
    return {
        "id": game.slug,
        "name": game.name,
        "summary": game.summary,
        "seats": game.seats,
        "rules_version": game.rules_version,
        "rule_book": reverse("api:read_rule_book", args=[game.slug]),
    }


def plain_option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "label": option.label,
        "help": option.help,
        "default": option.default,
        "choices": {str(value).lower() if isinstance(value, bool) else str(value): label
                    for value, label in option.choices.items()},
        "minimum": option.span[0] if option.span else None,
        "maximum": option.span[-1] if option.span else None,
        "seats": option.seats,
    }  # fmt: skip


def options_schema(game: Game[Any, Any, Any]) -> dict[str, Any]:
    """JSON Schema of the options that players choose."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Options of {game.name}",
        "type": "object",
        "properties": {option.name: option_schema(option) for option in game.open_options},
        "additionalProperties": False,
    }


def option_schema(option: Option) -> dict[str, Any]:
    described = " ".join(filter(None, [option.help, seats_in_words(option)]))
    schema = {"title": option.label, "default": option.default} | values_schema(option)
    return schema | ({"description": described} if described else {})


def values_schema(option: Option) -> dict[str, Any]:
    if not option.span:
        return {"enum": [*option.choices]}
    number = {"type": "integer", "minimum": option.span[0], "maximum": option.span[-1]}
    return {"anyOf": [{"enum": [*option.named]}, number]} if option.named else number


def seats_in_words(option: Option) -> str:
    return f"Only with {' or '.join(map(str, option.seats))} seats." if option.seats else ""
