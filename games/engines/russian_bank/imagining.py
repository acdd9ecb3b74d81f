"""Imagined states of Russian Bank (`sample`): what a view shows, and cards for what lies face down or is covered."""

from __future__ import annotations

from random import Random

from games.core.cards import Card
from games.engines.russian_bank.moves import PACK, SEATS, THEIR_WASTE, WASTE
from games.engines.russian_bank.state import RussianBankState
from games.engines.russian_bank.view import RussianBankView


def imagine(state: RussianBankState, view: RussianBankView, rng: Random) -> None:
    """Fills an empty table so that it looks like this view; `rng` deals the hidden cards."""
    state.take_public(view)
    state.tableau = [list(map(list, piles)) for piles in view.tableau]
    state.foundations = list(map(list, view.foundations))
    state.stock_shown = list(map(len, view.stock_cards))
    state.rounds, state.wrong_calls = list(view.rounds), list(view.wrong_calls)
    state.scores, state.log = list(view.scores), list(view.deeds)
    _deal_hidden(state, view, rng)
    state.arrangements = state.recent_arrangements()


def _deal_hidden(state: RussianBankState, view: RussianBankView, rng: Random) -> None:
    """Fills stocks, reserves and wastes; a stock and, while they last, a reserve with cards of the own pack."""
    open_cards = {card for cards in view.stock_cards for card in cards} | {*filter(None, view.waste_tops)}
    open_cards.update(state.cards())
    wasted, at_bottom = _remembered(view, open_cards)
    hidden = [card for card in PACK if card not in open_cards and card not in wasted[0] + wasted[1]]
    hidden = [card for card in hidden if card not in at_bottom[0] + at_bottom[1]]
    rng.shuffle(hidden)
    for seat, shown in enumerate(view.stock_cards):
        state.stock[seat] = [*drawn(hidden, view.stock_counts[seat] - len(shown), seat), *shown]
    for seat, known in enumerate(at_bottom):
        state.reserve[seat] = [*known[::-1], *drawn(hidden, view.reserve_counts[seat] - len(known), seat)]
    for seat, known in enumerate(wasted):
        top = view.waste_tops[seat]
        tail = [*known, top] if top else []
        state.waste[seat] = [*drawn(hidden, view.waste_counts[seat] - len(tail), seat), *tail]


def drawn(hidden: list[Card], count: int, seat: int) -> list[Card]:
    """Takes so many cards, those of the seat's own pack first."""
    hidden.sort(key=lambda card: card[2] == str(seat + 1))
    return [hidden.pop() for _ in range(count)]


def _remembered(view: RussianBankView, open_cards: set[Card]) -> tuple[list[list[Card]], list[list[Card]]]:
    """Covered cards that the log still names, on each waste and at the bottom of each reserve; first wasted first."""
    wasted: list[list[Card]] = [[], []]
    at_bottom: list[list[Card]] = [[], []]
    for deed in (*view.previous, *view.deeds):
        if deed.source == "VT":
            at_bottom[deed.seat], wasted[deed.seat] = wasted[deed.seat], []
        elif deed.target in (WASTE, THEIR_WASTE):
            wasted[deed.seat ^ (deed.target == THEIR_WASTE)].append(deed.card)
    for seat in range(SEATS):
        covered = max(view.waste_counts[seat] - 1, 0)
        wasted[seat] = _last(covered, [card for card in wasted[seat] if card not in open_cards])
        at_bottom[seat] = _last(view.reserve_counts[seat], [card for card in at_bottom[seat] if card not in open_cards])
    return wasted, at_bottom


def _last(count: int, cards: list[Card]) -> list[Card]:
    return cards[max(len(cards) - count, 0) :]
