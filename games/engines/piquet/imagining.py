"""Imagined states of Piquet (`sample`): what a view shows, and hidden cards in keeping with all that was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import comb
from random import Random

from games.engines.piquet.declaring import Figures, Heard, Holding, Stage, Talk, best_holding, extras, holdings
from games.engines.piquet.moves import (
    ALL_CARDS,
    BIT,
    COURT_CARDS,
    POINT,
    RUNS_OF,
    SEATS,
    SEQUENCE,
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
    """Hands that a view cannot tell from the real ones: they hold what was said, shown and looked at."""

    def __init__(self, view: PiquetView, rng: Random) -> None:
        self.view = view
        self.rng = rng
        self.known = [played_by(view, seat) for seat in range(SEATS)]
        if view.seat is not None:
            self.known[view.seat] |= mask(view.hand)
            self.known[1 - view.seat] |= mask(view.known_of_other)
        for seat in range(SEATS):
            for category, figures in self._wishes(seat, ()):
                self.known[seat] |= _certain(category, figures)
        self.sizes = [
            view.hand_counts[seat] + sum(owner == seat for owner, _card in view.played) for seat in range(SEATS)
        ]
        self.pool = ALL_CARDS & ~self.known[0] & ~self.known[1] & ~mask(view.discards) & ~mask(view.known_talon)
        self.void = [suits_not_followed(view, seat) for seat in range(SEATS)]

    def hands(self) -> list[Hand]:
        """Both hands as they were when declaring, or as they are before that."""
        for _try in range(SAMPLE_TRIES):
            elder = self._hand(self.view.elder, self.pool, None)
            if elder is None:
                continue
            younger = self._hand(self.view.younger, self.pool & ~elder, elder)
            if younger is not None:
                return [elder, younger] if self.view.elder == 0 else [younger, elder]
        raise AssertionError("some hand agrees with what was said")

    def _hand(self, seat: int, pool: Hand, elder: Hand | None) -> Hand | None:
        """A hand for a seat that agrees with what is known of it, None if this attempt found none."""
        if seat == self.view.seat:
            return self.known[seat]
        claims = [] if elder is None else self._elder_claims(elder)
        pool &= ~self.void[seat]
        blanche = self.view.blanche
        if blanche is not None and blanche.seat != seat:
            pool &= ~blanche.cards
        elif blanche is not None and not blanche.cards:
            pool &= ~COURT_CARDS
        hand = self._guess(seat, pool, self._wishes(seat, claims))
        return hand if hand is not None and self._agrees(seat, hand, claims) else None

    def _elder_claims(self, elder: Hand) -> list[Holding | None]:
        return [_matching(elder, category, heard) for category, heard in zip(Category, self.view.talks, strict=True)]

    def _wishes(self, seat: int, claims: Sequence[Holding | None]) -> list[tuple[Category, Figures]]:
        """Holdings that the hand must have."""
        found = []
        for place, (category, heard) in enumerate(zip(Category, self.view.talks, strict=True)):
            figures = heard.elder if seat == self.view.elder else heard.younger
            claim = claims[place] if claims else None
            if heard.asked and claim is not None and not figures.size:
                figures = Figures(claim.size)
            if figures.size:
                found.append((category, figures))
            is_winner = heard.stage is (Stage.ELDER if seat == self.view.elder else Stage.YOUNGER)
            if is_winner:
                found += [(category, Figures.of(extra)) for extra in heard.extras]
        return found

    def _guess(self, seat: int, pool: Hand, wishes: Sequence[tuple[Category, Figures]]) -> Hand | None:
        """A random hand with the wished holdings, each suit without a suit named falling on any."""
        rng = self.rng
        hand, thrown = self._blanche_parts(seat, pool)
        banned = thrown
        by_suit: dict[int, list[tuple[Category, Figures]]] = {}
        for category, figures in wishes:
            if category is SET:
                cards = 0x01010101 << figures.height  # the four of a rank
                if figures.size == 3:
                    missing = self._missing_from_trio(cards, hand, pool & ~thrown)
                    cards &= ~missing
                    banned |= missing
                hand |= cards
            else:
                suit = SUITS.index(figures.suit) if figures.suit else rng.randrange(4)
                by_suit.setdefault(suit, []).append((category, figures))
        free = pool & ~hand & ~banned
        for suit, wished in by_suit.items():
            chosen = self._guess_suit(suit, hand, free, wished, self.sizes[seat])
            if chosen is None:
                return None
            hand |= chosen
            free &= ~(255 << 8 * suit)
        more = self.sizes[seat] - hand.bit_count()
        rest = [BIT[card] for card in cards_of(free)]
        if not 0 <= more <= len(rest) or hand & (~(pool | self.known[seat]) | thrown):
            return None
        return hand | sum(rng.sample(rest, more))

    def _missing_from_trio(self, cards: Hand, hand: Hand, pool: Hand) -> Hand:
        """The card that a hand lacks of these four: one that it cannot hold, or else any that it need not hold."""
        lacking = cards & ~hand & ~pool or cards & ~hand or cards
        return BIT[self.rng.choice(cards_of(lacking))]

    def _guess_suit(
        self, suit: int, hand: Hand, free: Hand, wished: Sequence[tuple[Category, Figures]], size: int
    ) -> Hand | None:
        """Cards of a suit that make the wished holdings, each choice as likely as there are ways to go on."""
        held, offered = suit_of(hand, suit), suit_of(free, suit)
        rest = (free & ~(255 << 8 * suit)).bit_count()
        choices, weights = [], []
        for more in _subsets(offered):
            left = size - hand.bit_count() - more.bit_count()
            if 0 <= left <= rest and all(_suit_fits(held | more, *wish) for wish in wished):
                choices.append(more)
                weights.append(comb(rest, left))
        return self.rng.choices(choices, weights)[0] << 8 * suit if choices else None

    def _blanche_parts(self, seat: int, pool: Hand) -> tuple[Hand, Hand]:
        """What the hand holds for certain, and cards of a shown carte blanche that are taken to be discarded."""
        found, known = self.view.blanche, self.known[seat]
        if found is None or found.seat != seat or not found.cards:
            return known, 0
        thrown = found.cards & self.void[seat] & ~known
        loose = [BIT[card] for card in cards_of(found.cards & pool)]
        number = self.view.discard_counts[seat] - thrown.bit_count()
        thrown |= sum(self.rng.sample(loose, min(len(loose), number)))
        return known | found.cards & pool & ~thrown, thrown

    def _agrees(self, seat: int, hand: Hand, claims: Sequence[Holding | None]) -> bool:
        is_led = bool(self.view.played)
        for place, (category, heard) in enumerate(zip(Category, self.view.talks, strict=True)):
            if seat == self.view.elder:
                fits = not heard.elder.size or _matching(hand, category, heard) is not None
            else:
                fits = _fits_younger(hand, category, heard, claims[place], is_led=is_led)
            if not fits:
                return False
        return True

    def talks(self, held: Sequence[Hand]) -> tuple[Talk, ...]:
        """What these hands have said, so that the view hears the same."""
        elder, younger = held[self.view.elder], held[self.view.younger]
        claims = self._elder_claims(elder)
        return tuple(
            _imagined_talk(elder, younger, category, heard, claim)
            for category, heard, claim in zip(Category, self.view.talks, claims, strict=True)
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


def _certain(category: Category, figures: Figures) -> Hand:
    """The cards that a holding shows: those of a run named in full, and four of a rank."""
    if category is SET and figures.size == 4:
        return 0x01010101 << figures.height
    is_named = category is SEQUENCE and figures.suit and figures.height >= 0
    return Holding(SEQUENCE, figures.size, figures.height, figures.suit).cards if is_named else 0


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


def _imagined_talk(elder: Hand, younger: Hand, category: Category, heard: Heard, claim: Holding | None) -> Talk:
    reply = None
    if heard.stage in (Stage.YOUNGER, Stage.EQUAL):
        reply = _own_claim(younger, category, heard) if claim is None else best_holding(younger, category)
    more: tuple[Holding, ...] = ()
    if heard.stage is Stage.ELDER and claim is not None:
        more = extras(elder, claim)
    elif heard.stage is Stage.YOUNGER and reply is not None:
        more = extras(younger, reply)
    return Talk(heard.stage, heard.asked, claim, reply, more)
