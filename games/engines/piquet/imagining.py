"""Imagined states of Piquet (`sample`): what a view shows, and hidden cards in keeping with all that was said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache, reduce
from itertools import product
from math import comb, prod
from operator import and_
from random import Random
from typing import TypeAlias

from games.engines.piquet.declaring import Figures, Heard, Holding, Stage, Talk, best_holding, extras, holdings
from games.engines.piquet.moves import (
    ALL_CARDS,
    BIT,
    COURT_CARDS,
    HAND_CARDS,
    POINT,
    RUNS_OF,
    SEATS,
    SET,
    SUITS,
    VALUE_OF,
    Category,
    Hand,
    cards_of,
    mask,
    suit_of,
)
from games.engines.piquet.state import PiquetState
from games.engines.piquet.view import PiquetView
from games.engines.piquet.words import result_events, without_left_named

SAMPLE_TRIES = 20_000

Wish: TypeAlias = tuple[Category, Figures, tuple[int, ...]]
"""A holding that a hand must have, with the suits that it may be of."""
Parts: TypeAlias = tuple[tuple[Hand, int], ...]
"""How many cards of each part of the pack a hand holds."""
Layout: TypeAlias = tuple[tuple[list[Hand], ...], Hand]
"""For each suit of a wish the choices of cards to add, and the free cards of the other suits."""


def imagine(state: PiquetState, view: PiquetView, rng: Random) -> None:
    """Fills an empty table so that it looks like this view; `rng` deals the hidden cards."""
    state.take_public(view)
    state.scores, state.tricks = list(view.scores), list(view.tricks)
    state.sheet = [list(points) for points in view.sheet]
    log = view.log[len(result_events(view.results)) :]
    state.log = without_left_named(log, view.elder, view.looked_at) if view.looked_at else log
    imagination = Imagination(view, rng)
    held = imagination.hands()
    state.talks = imagination.talks(held)
    if view.blanche is not None:
        state.blanche = replace(view.blanche, cards=view.blanche.cards or held[view.blanche.seat])
    for seat in range(SEATS):
        state.hands[seat] = held[seat] & ~played_by(view, seat)
    _deal_rest(state, view, held, rng)


def imagined_hands(view: PiquetView, rng: Random) -> list[Hand]:
    """Both hands as they may lie now, for all that the view knows."""
    held = Imagination(view, rng).hands()
    return [held[seat] & ~played_by(view, seat) for seat in range(SEATS)]


def _deal_rest(state: PiquetState, view: PiquetView, held: Sequence[Hand], rng: Random) -> None:
    """Deals discards, talon and what was drawn, once the hands are settled."""
    shown = view.blanche.cards if view.blanche is not None else 0
    hidden = ALL_CARDS & ~held[0] & ~held[1] & ~mask(view.discards) & ~mask(view.known_talon) & ~shown
    for seat in range(SEATS):
        if seat == view.seat:
            state.discards[seat], state.drawn[seat] = mask(view.discards), view.drawn
            continue
        dealt = shown if view.blanche is not None and view.blanche.seat == seat else 0
        thrown = dealt & ~held[seat] if dealt else _random_cards(hidden, view.discard_counts[seat], rng)
        state.discards[seat] = thrown
        hidden &= ~thrown
        seen = view.known_of_other
        fresh = held[seat] & ~mask(seen) & ~dealt
        more = _random_cards(fresh, view.drawn_counts[seat] - len(seen), rng)
        state.drawn[seat] = (*seen, *cards_of(more))
    known = view.known_talon
    state.talon = (*known, *cards_of(_random_cards(hidden, view.talon_count - len(known), rng)))


def _random_cards(cards: Hand, number: int, rng: Random) -> Hand:
    return sum(BIT[card] for card in rng.sample(cards_of(cards), number))


class Imagination:
    """Hands that a view cannot tell from the real ones: they hold what was said, shown and looked at.

    By seat: known, the cards that the hand holds for certain; open, those that it may hold besides; wishes; parts.
    """

    def __init__(self, view: PiquetView, rng: Random) -> None:
        self.view = view
        self.rng = rng
        self.known = [played_by(view, seat) for seat in range(SEATS)]
        if view.seat is not None:
            self.known[view.seat] |= mask(view.hand)
            self.known[1 - view.seat] |= mask(view.known_of_other)
        hidden = ALL_CARDS & ~self.known[0] & ~self.known[1] & ~mask(view.discards) & ~mask(view.known_talon)
        self.open = [hidden & self._allowed(seat) for seat in range(SEATS)]
        self.parts = [self._parts(seat) for seat in range(SEATS)]
        self.wishes: list[list[Wish]] = [[], []]
        self._narrow()

    def _allowed(self, seat: int) -> Hand:
        """The cards that play and a carte blanche let a hand hold."""
        blanche = self.view.blanche
        allowed = ALL_CARDS & ~suits_not_followed(self.view, seat)
        if blanche is not None and blanche.seat != seat:
            return allowed & ~blanche.cards
        return allowed & ~COURT_CARDS if blanche is not None and not blanche.cards else allowed

    def _parts(self, seat: int) -> Parts:
        """All cards with the size of the hand; apart from the others those of its shown carte blanche."""
        view, blanche = self.view, self.view.blanche
        size = view.hand_counts[seat] + sum(owner == seat for owner, _card in view.played)
        if blanche is None or blanche.seat != seat or not blanche.cards:
            return ((ALL_CARDS, size),)
        kept = HAND_CARDS - view.discard_counts[seat]
        return (blanche.cards, kept), (ALL_CARDS & ~blanche.cards, size - kept)

    def _narrow(self) -> None:
        """Finds cards and suits that the wishes leave no choice about, until no more cards turn out to be certain."""
        wished = [(seat, *wish) for seat in range(SEATS) if seat != self.view.seat for wish in self._wished(seat)]
        before: list[Hand] = []
        while before != self.known:
            before = [*self.known]
            self.wishes = [[], []]
            for seat, category, figures in wished:
                certain, suits = _narrowed(category, figures, self.known[seat], self.open[seat])
                self.known[seat] |= certain
                self.open = [cards & ~certain for cards in self.open]
                self.wishes[seat].append((category, figures, suits))

    def _wished(self, seat: int) -> Iterator[tuple[Category, Figures]]:
        """Holdings that the hand must have."""
        is_elder = seat == self.view.elder
        for category, heard in zip(Category, self.view.talks, strict=True):
            figures = heard.elder if is_elder else heard.younger
            if heard.asked and not figures.size:
                figures = Figures(heard.elder.size)
            if figures.size:
                yield category, figures
            if heard.stage is (Stage.ELDER if is_elder else Stage.YOUNGER):
                yield from ((category, Figures.of(extra)) for extra in heard.extras)

    def hands(self) -> list[Hand]:
        """Both hands as they were when declaring, or as they are before that; the longest holding is placed first."""
        first, second = sorted((self.view.elder, self.view.younger), key=self._longest_wish, reverse=True)
        for _try in range(SAMPLE_TRIES):
            one = self._guess(first, self.open[first])
            other = None if one is None else self._guess(second, self.open[second] & ~one)
            if one is None or other is None:
                continue
            held = [one, other] if first == 0 else [other, one]
            if self._agree(held):
                return held
        raise AssertionError("some hand agrees with what was said")

    def _longest_wish(self, seat: int) -> int:
        return max((figures.size for _category, figures, _suits in self.wishes[seat]), default=0)

    def _guess(self, seat: int, free: Hand) -> Hand | None:
        """A random hand with the wished holdings; None if this try finds none."""
        if seat == self.view.seat:
            return self.known[seat]
        hand, allowed = self.known[seat], self.known[seat] | free
        wishes = []
        for wish in self.wishes[seat]:
            category, figures, _suits = wish
            if category is SET:
                cards = four_of(figures.height)
                lacked = self._lacked_by_trio(cards, hand, free) if figures.size == 3 else 0
                hand |= cards & ~lacked
                free &= ~lacked
            else:
                wishes.append(wish)
        if hand & ~allowed:
            return None
        layouts, weights = _layouts(hand, free & ~hand, tuple(wishes), self.parts[seat])
        if not layouts:
            return None
        groups, others = self.rng.choices(layouts, weights)[0]
        hand |= sum(map(self.rng.choice, groups))
        parts = [(others & cards, number - (hand & cards).bit_count()) for cards, number in self.parts[seat]]
        return hand | sum(_random_cards(cards, number, self.rng) for cards, number in parts)

    def _lacked_by_trio(self, cards: Hand, hand: Hand, free: Hand) -> Hand:
        """The card that a hand lacks of these four: one that it cannot hold, or else any that it need not hold."""
        lacked = cards & ~hand & ~free or cards & ~hand or cards
        return BIT[self.rng.choice(cards_of(lacked))]

    def _agree(self, held: Sequence[Hand]) -> bool:
        """Whether these hands could have said what was said."""
        elder, younger, is_led = held[self.view.elder], held[self.view.younger], bool(self.view.played)
        for category, heard in zip(Category, self.view.talks, strict=True):
            claim = _matching(elder, category, heard)
            if claim is None and heard.elder.size or not _fits_younger(younger, category, heard, claim, is_led=is_led):
                return False
        return True

    def talks(self, held: Sequence[Hand]) -> tuple[Talk, ...]:
        """What these hands have said, so that the view hears the same."""
        elder, younger = held[self.view.elder], held[self.view.younger]
        return tuple(
            _imagined_talk(elder, younger, category, heard)
            for category, heard in zip(Category, self.view.talks, strict=True)
        )


def played_by(view: PiquetView, seat: int) -> Hand:
    return mask(card for owner, card in view.played if owner == seat)


def suits_not_followed(view: PiquetView, seat: int) -> Hand:
    """All cards of the suits in which a seat has shown that it has no more."""
    tricks = zip(view.played[::2], view.played[1::2], strict=False)
    shown = {led[1] for (_leader, led), (owner, card) in tricks if owner == seat and card[1] != led[1]}
    return sum(255 << 8 * SUITS.index(suit) for suit in shown)


# What hands and words allow


@cache
def _subsets(byte: int) -> tuple[int, ...]:
    return tuple(subset for subset in range(256) if not subset & ~byte)


def four_of(rank: int) -> Hand:
    return 0x01010101 << rank


@lru_cache(maxsize=4096)
def _narrowed(category: Category, figures: Figures, held: Hand, free: Hand) -> tuple[Hand, tuple[int, ...]]:
    """The cards that such a holding needs wherever it lies, and the suits in which it can lie (none for a set)."""
    if category is SET:
        possible = four_of(figures.height) & (held | free)
        return possible if possible.bit_count() == figures.size else 0, ()
    needed, suits = ALL_CARDS, []
    for suit, name in enumerate(SUITS):
        hold, offered = suit_of(held, suit), suit_of(free, suit)
        fitting = [hold | more for more in _subsets(offered) if _suit_fits(hold | more, category, figures)]
        if fitting and figures.suit in ("", name):
            suits.append(suit)
            needed &= reduce(and_, fitting) << 8 * suit
    return needed, tuple(suits)


@lru_cache(maxsize=256)
def _layouts(hand: Hand, free: Hand, wishes: tuple[Wish, ...], parts: Parts) -> tuple[list[Layout], list[int]]:
    """Where the wished holdings can lie in a hand, and how many hands each layout makes."""
    layouts, weights = [], []
    for suits in product(*(suits for _category, _figures, suits in wishes)):
        by_suit = defaultdict(list)
        for suit, (category, figures, _suits) in zip(suits, wishes, strict=True):
            by_suit[suit].append((category, figures))
        others = free & ~sum(255 << 8 * suit for suit in by_suit)
        for groups in product(*(_alike(hand, free, suit, wished, parts) for suit, wished in by_suit.items())):
            ways = _ways(hand | sum(cards for cards, *_others in groups), others, parts)
            if ways:
                layouts.append((groups, others))
                weights.append(ways * prod(map(len, groups)))
    return layouts, weights


def _alike(
    hand: Hand, free: Hand, suit: int, wished: Sequence[tuple[Category, Figures]], parts: Parts
) -> Collection[list[Hand]]:
    """Cards that make the wished holdings of a suit, in groups that leave room for as many others."""
    groups = defaultdict(list)
    held = suit_of(hand, suit)
    for more in _subsets(suit_of(free, suit)):
        if all(_suit_fits(held | more, *wish) for wish in wished):
            cards = more << 8 * suit
            groups[tuple((cards & part).bit_count() for part, _number in parts)].append(cards)
    return groups.values()


def _ways(hand: Hand, free: Hand, parts: Parts) -> int:
    """In how many ways these cards fill up a hand."""
    ways = 1
    for cards, number in parts:
        missing = number - (hand & cards).bit_count()
        ways *= comb((free & cards).bit_count(), missing) if missing >= 0 else 0
    return ways


def _suit_fits(byte: int, category: Category, figures: Figures) -> bool:
    """Whether the cards of a suit are the wished point, or have the wished run."""
    if category is POINT:
        return byte.bit_count() == figures.size and figures.height in (-1, VALUE_OF[byte])
    return any(size == figures.size and figures.height in (-1, top) for size, top in RUNS_OF[byte])


def _matching(hand: Hand, category: Category, heard: Heard) -> Holding | None:
    """The first holding of elder that what was heard can mean, None if nothing was claimed."""
    if not heard.elder.size:
        return None
    return next((found for found in holdings(hand, category) if _may_be_claim(hand, found, heard)), None)


def _may_be_claim(hand: Hand, holding: Holding, heard: Heard) -> bool:
    is_settled = heard.stage is Stage.ELDER
    return heard.elder.is_compatible(holding) and (not is_settled or extras(hand, holding) == heard.extras)


def _fits_younger(hand: Hand, category: Category, heard: Heard, claim: Holding | None, *, is_led: bool) -> bool:
    """Whether a hand of younger could have answered elder's claim, or claimed itself, as was heard."""
    if claim is None:
        return heard.stage is not Stage.YOUNGER or _own_claim(hand, category, heard) is not None
    best = best_holding(hand, category)
    if best is None:
        return not heard.asked and heard.stage not in (Stage.YOUNGER, Stage.EQUAL)
    if heard.asked and best.size != claim.size:
        return False
    if heard.stage is Stage.EQUAL:
        return best.figure == claim.figure and heard.younger.is_compatible(best)
    if heard.stage is not Stage.YOUNGER:
        return True
    needs_more = category is not SET and not heard.asked
    is_better = best.size > claim.size if needs_more else best.figure > claim.figure
    return is_better and heard.younger.is_compatible(best) and (not is_led or extras(hand, best) == heard.extras)


def _own_claim(hand: Hand, category: Category, heard: Heard) -> Holding | None:
    """What younger has claimed in a category that elder passed."""
    found = holdings(hand, category)
    return next(
        (claim for claim in found if heard.younger.is_compatible(claim) and extras(hand, claim) == heard.extras), None
    )


def _imagined_talk(elder: Hand, younger: Hand, category: Category, heard: Heard) -> Talk:
    claim, reply = _matching(elder, category, heard), None
    if heard.stage in (Stage.YOUNGER, Stage.EQUAL):
        reply = _own_claim(younger, category, heard) if claim is None else best_holding(younger, category)
    more: tuple[Holding, ...] = ()
    if heard.stage is Stage.ELDER and claim is not None:
        more = extras(elder, claim)
    elif heard.stage is Stage.YOUNGER and reply is not None:
        more = extras(younger, reply)
    return Talk(heard.stage, heard.asked, claim, reply, more)
