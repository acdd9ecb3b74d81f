"""Playthroughs: readable records of whole games, with each seat's view, legal moves and move.

A golden test replays such a record line by line, so it has to be text that a person can check against the rules.
"""

from collections.abc import Iterator
from random import Random
from textwrap import fill
from typing import Any

from games.core.contract import Event, Game, HandResult, Options, State, Zone
from games.core.deals import numbered_decks
from games.core.words import render_text

MOVES_SHOWN = 24
NAMES = tuple(f"@{seat}" for seat in range(10))


def record(
    game: Game[Any, Any, Any],
    *,
    seats: int,
    seed: int,
    options: Options | None = None,
    hands: int | None = None,
    moves: int | None = None,
) -> str:
    """A game on the numbered deals from `seed` on, its moves drawn by a generator with that seed.

    hands, moves: stop after so many finished hands, or moves; None plays to the end.
    """
    return "\n".join(_lines(game, seats, seed, options, hands, moves)) + "\n"


def _lines(
    game: Game[Any, Any, Any], seats: int, seed: int, options: Options | None, hands: int | None, last: int | None
) -> Iterator[str]:
    rng = Random(seed)
    chosen = game.read_options(options, seats)
    state = game.start(numbered_decks(game.deck(chosen), seed), seats=seats, options=chosen)
    yield f"{game.slug}, rules {game.rules_version}, {seats} seats, deals from number {seed}"
    yield "options: " + ", ".join(f"{name} {value}" for name, value in chosen.items())
    number, printed = 0, 0
    while state.to_act and (hands is None or len(state.results) < hands):
        if number == last:
            yield ""
            yield f"stopped after {number} moves"
            return
        seat = state.to_act[0]
        moves = state.legal_moves(seat)
        yield ""
        yield from _position(number, state, seat)
        yield _wrapped("legal: " + " | ".join(str(move) for move in moves[:MOVES_SHOWN]) + _rest(len(moves)))
        move = rng.choice(moves)
        yield f"> {move}"
        state.play(seat, move)
        number += 1
        for result in state.results[printed:]:
            yield from _hand(result)
        printed = len(state.results)
    outcome = state.outcome()
    if outcome is not None:
        yield ""
        yield f"after {number} moves: {render_text(outcome.reason, NAMES)}"
        yield f"scores {' '.join(map(str, outcome.scores))}, places {' '.join(map(str, outcome.places))}"
        yield from (
            f"   {line.points:+d} seats {line.seats}: {render_text(line.text, NAMES)} [{line.rule}]"
            for line in outcome.lines
        )


def _rest(moves: int) -> str:
    return f" | ... {moves} in all" if moves > MOVES_SHOWN else ""


def _wrapped(text: str) -> str:
    return fill(
        text,
        120,
        initial_indent="   ",
        subsequent_indent="      ",
        break_on_hyphens=False,
        break_long_words=False,
    )


def _position(number: int, state: State, seat: int) -> Iterator[str]:
    view = state.view(seat)
    yield f"{number}: seat {seat} to act, scores {' '.join(map(str, view.scores))}"
    if view.log:
        yield _wrapped("last: " + _event_in_words(view.log[-1]))
    yield from (_wrapped(_zone(zone)) for zone in view.zones)


def _event_in_words(event: Event) -> str:
    words = render_text(event.text, NAMES)
    return words if event.seat is None else f"seat {words.removeprefix('@')}"


def _zone(zone: Zone) -> str:
    parts = [f"{zone.id}:", *zone.cards]
    if zone.hidden:
        parts.append(f"({zone.hidden} hidden)")
    if zone.note:
        parts.append(f"[{render_text(zone.note, NAMES)}]")
    return " ".join(parts)


def _hand(result: HandResult) -> Iterator[str]:
    yield ""
    yield f"== hand {result.number}: {render_text(result.summary, NAMES)} Points {' '.join(map(str, result.points))}"
    yield from (
        f"   {line.points:+d} seats {line.seats}: {render_text(line.text, NAMES)} [{line.rule}]"
        for line in result.lines
    )
    yield from (_wrapped(_zone(zone)) for zone in result.zones)
