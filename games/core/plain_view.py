"""A view as plain data, the same for every game: what the HTTP API sends, and what programs that play read.

It holds what the view holds, so it shows no card that the viewer may not see. Cards and moves are in the notation of
the rule book ("8S", "knock 9C"); a program sends back the `move` of one of `moves`. Texts are in plain words, with the
names of the players.

- `seat`: of the viewer, None for a spectator; `seats`: how many there are; `options`: the rules chosen
- `to_act`: the seats that may move now; `waiting_on`: those of them that the table waits for
- `scores`: points by seat, None where points mean nothing; `running`: points of this deal so far, by seat, or []
- `prompt`: what the viewer may do now, "" if nothing
- `zones`: panels of cards: `id`, `kind`, `label`, `cards` (the faces the viewer sees), `count` (all), `owner` (a seat
  or None), `note`
- `moves`: the viewer's legal moves: `move`, `words`, `touches` (its cards and zones), `to` (a zone or "")
- `selection`: a move that is a choice of cards, where a list of all would be too long: `verb`, `cards`, `low`, `high`
- `forced`: the only move, where playing it at once spoils nothing; None otherwise
- `fresh`: the cards that last came into the viewer's hand
- `facts`, `announcements`, `log`: what the table says, what players have just said, what has happened, in words
- `results`: the finished hands: `number`, `summary`, `points`, `lines` (`seats`, `rule`, `text`, `points`), `zones`
- `pegs`: a cribbage board: `seats`, `front`, `rear`, and `track`, its length, None without one
"""

from collections.abc import Sequence
from typing import Any

from games.core.contract import Event, HandResult, Move, View, Zone
from games.core.words import render_text


def plain_view(view: View, names: Sequence[str]) -> dict[str, Any]:
    """The view as JSON types. names: of the players, by seat."""

    def words(text: str) -> str:
        return render_text(text, names, view.seat)

    def zone(one: Zone) -> dict[str, Any]:
        return {
            "id": one.id,
            "kind": one.kind,
            "label": words(one.label),
            "cards": [*one.cards],
            "count": one.count,
            "owner": one.owner,
            "note": words(one.note),
        }

    def choice(move: Move) -> dict[str, Any]:
        made = view.choice(move)
        return {"move": str(move), "words": words(made.phrase.text), "touches": [*made.touches], "to": made.to}

    def event(one: Event) -> dict[str, Any]:
        return {"seat": one.seat, "text": words(one.text), "touches": [*one.touches]}

    def result(one: HandResult) -> dict[str, Any]:
        lines = [
            {"seats": [*line.seats], "rule": line.rule, "text": words(line.text), "points": line.points}
            for line in one.lines
        ]
        return {
            "number": one.number,
            "summary": words(one.summary),
            "points": [*one.points],
            "lines": lines,
            "zones": [zone(panel) for panel in one.zones],
        }

    marked, track = view.selection, view.track
    return {
        "seat": view.seat,
        "seats": view.seats,
        "options": dict(view.options),
        "to_act": [*view.to_act],
        "waiting_on": [*view.waiting_on],
        "scores": [*view.scores] if view.has_scores else None,
        "running": [*view.running],
        "prompt": words(view.prompt),
        "zones": [zone(panel) for panel in view.zones],
        "moves": [choice(move) for move in view.moves],
        "selection": None
        if marked is None
        else {"verb": marked.verb, "cards": [*marked.cards], "low": marked.low, "high": marked.high, "to": marked.to},
        "forced": None if view.forced is None else str(view.forced),
        "fresh": [*view.fresh],
        "facts": [{"label": label, "text": words(text)} for label, text in view.facts],
        "announcements": [{"seat": seat, "text": words(text)} for seat, text in view.announcements],
        "log": [event(one) for one in view.log],
        "results": [result(one) for one in view.results],
        "track": track and track.length,
        "pegs": [{"seats": [*peg.seats], "front": peg.front, "rear": peg.rear} for peg in track.pegs] if track else [],
    }
