"""Board input: reads the move that a board's form means, and judges an arrangement of the workbench.

Most forms hold a move as text. Marked cards come as one text each. The workbench sends every meld of the table, the
cards of each in any order: "4H1 5H1 6H2 / 9C1 9D1 XB".
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from games.core.cards import Card, card_signs
from games.core.contract import Game, GameError, Move, State, View
from games.presentation.board import Refusal
from infra.requests import HtmxRequest

LONGEST = 1000  # characters of a move
MOST_PICKS = 60

FITS = "Every meld is legal. Press Play when you're ready."
CARD = re.compile(r"X[BR]|[A2-9TJQK][CDHS]\d?")


@dataclass(frozen=True, slots=True)
class Entered:
    """What a form without script held, to be there again after a refusal: text, marked cards or picked places."""

    text: str
    marked: tuple[str, ...]
    picked: tuple[str, ...]


def entered_in(request: HtmxRequest) -> Entered | None:
    """None where the page itself keeps what is selected."""
    if request.htmx or request.method != "POST":
        return None
    marked, picked = (tuple(request.POST.getlist(name)[:MOST_PICKS]) for name in ("text", "pick"))
    if "is_selection" in request.POST:
        return Entered("", marked, picked)
    return Entered(request.POST.get("text", "")[:LONGEST], (), picked)


def written_move(game: Game[Any, Any, Any], see: Callable[[], View], post: QueryDict) -> str:
    """The text of the move that a form means; `see` gives the view it was made at. :raises GameError:"""
    if "is_selection" in post:
        return str(game.read_selection(see(), post.getlist("text")))
    text = post.get("text", "")[:LONGEST]
    return str(proposed(game, see(), text)) if "is_arrangement" in post else text


def proposed(game: Game[Any, Any, Any], view: View, text: str) -> Move:
    """The move that leaves these melds on the table. :raises GameError:"""
    move: Move = game.arrange(view, read_groups(text))
    return move


def read_groups(text: str) -> list[list[Card]]:
    return [meld.split() for meld in text.upper().split("/") if meld.strip()]


def judged(
    game: Game[Any, Any, Any], state: State, seat: int, text: str, *, words: Callable[[Move], str] = lambda move: ""
) -> dict[str, Any]:
    """What the workbench shows: {ok, say, rule, melds: [{ok, say, cards}]}, the melds in the order they were sent.

    say: plain text with cards as signs. rule: the address of the rule that it breaks, "" if none does. cards: the meld
    in its proper order. Melds that the move leaves alone are right. words: what is said about a refused move, "" for
    the reason of the engine.
    """
    try:
        move = proposed(game, state.view(seat), text)
        verdicts = state.check(seat, move)
    except GameError as error:
        return refusal_json(error) | {"melds": []}
    parts = {frozenset(cards): (cards, verdict) for verdict in verdicts if (cards := CARD.findall(verdict.part))}
    melds = []
    for group in read_groups(text):
        cards, verdict = parts.get(frozenset(group), (group, None))
        refusal = verdict.refusal if verdict else None
        melds.append({"ok": refusal is None, "say": card_signs(str(refusal or "")), "cards": cards})
    refusal = next((verdict.refusal for verdict in verdicts if verdict.refusal), None)
    if refusal is None:
        return {"ok": True, "say": FITS, "rule": "", "melds": melds}
    return refusal_json(refusal, words(move)) | {"melds": melds}


def refusal_json(refusal: GameError, words: str = "") -> dict[str, Any]:
    """The sentence about an arrangement as a whole."""
    return {"ok": False, "say": card_signs(words or str(refusal)), "rule": Refusal.of(refusal).rule_url}
