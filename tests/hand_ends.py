"""Ends of hands for the tests of shows: a show as text, the end that moves lead to, and those of random games."""

from collections.abc import Iterator
from random import Random

from games.core.contract import Event, Game, HandEnd, Show, State
from games.core.deals import numbered_decks
from games.core.shows import end_of_hand
from games.domain.wording import event_sentence

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")


def end_after(game: Game, state: State, *moves: str) -> HandEnd:
    """The end of the hand that the last of these moves makes, each played by the first seat to act."""
    *first, last = moves
    for move in first:
        state.play(state.to_act[0], game.parse(move))
    return end_of_hand(state, state.to_act[0], game.parse(last))


def stages_of(show: Show, viewer: int | None = None) -> list[str]:
    """A line for each stage: its sentence | cards | zone to which they go | points."""
    return [
        " | ".join(
            [
                event_sentence(Event(stage.seat, stage.phrase), NAMES, viewer),
                " ".join(stage.cards),
                stage.to,
                " ".join(map(str, stage.points)),
            ]
        )
        for stage in show.stages
    ]


def zones_of(show: Show) -> dict[str, str]:
    """The cards of each zone that has any, by id; a number for those that are hidden."""
    return {
        zone.id: " ".join([*zone.cards, *([f"{zone.hidden} hidden"] if zone.hidden else [])])
        for zone in show.zones
        if zone.count
    }


def random_ends(game: Game, seats: int, *, hands: int, options: dict | None = None, seed: int = 5) -> Iterator[HandEnd]:
    """The ends of the first hands of a random game."""
    rng, chosen = Random(seed), game.read_options(options, seats)
    state = game.start(numbered_decks(game.deck(chosen), seed), seats=seats, options=options)
    while state.to_act and hands:
        before, seat = state.copy(), rng.choice(state.to_act)
        move = rng.choice(state.legal_moves(seat))
        state.play(seat, move)
        if len(state.results) > len(before.results):
            hands -= 1
            yield end_of_hand(before, seat, move)


def check_cards(game: Game, end: HandEnd) -> None:
    """Each card of the hand lies in one zone of the show, and the counts are right with those that are hidden."""
    zones = game.show(end).zones
    shown = [card for zone in zones for card in zone.cards]
    assert len(shown) == len(set(shown))
    assert set(shown) <= set(end.before.cards())
    assert sum(zone.count for zone in zones) == len(end.before.cards())
