"""Picks: what a player has chosen on a table, cards and zone ids, and which moves it is meant for."""

from collections.abc import Sequence

from games.core.contract import Choice, UnreadableMove, View


def picks_on_table(view: View, picks: Sequence[str]) -> list[str]:
    """Each pick once. :raises UnreadableMove: there are none, or the viewer does not see such a card or zone."""
    chosen = list(dict.fromkeys(picks))
    known = {zone.id for zone in view.zones} | {card for zone in view.zones for card in zone.cards}
    if not chosen:
        raise UnreadableMove("Choose the cards you want to ask about.")
    if not known.issuperset(chosen):
        raise UnreadableMove("You can't see one of these cards.")
    return chosen


def untouched_picks(view: View, choice: Choice, picks: Sequence[str]) -> list[str]:
    """The picks that a move does not touch, neither directly nor through their zone. One that is said uses them all."""
    if not choice.touches:
        return []
    touched = set(choice.touches)
    for zone in view.zones:
        if zone.id in choice.touches:
            touched |= {*zone.cards}
        elif not touched.isdisjoint(zone.cards):
            touched.add(zone.id)
    return [pick for pick in picks if pick not in touched]


def choices_with(view: View, picks: Sequence[str]) -> list[Choice]:
    """The offered moves that touch all of these picks."""
    return [choice for choice in map(view.choice, view.offered) if picks and set(picks) <= set(choice.touches)]
