"""Pegging in imagined deals of Cribbage: what the others may hold, and how a deal goes on to the next one.

Here a hand is a count of each of its ranks, four bits a rank (`games.core.cribbage.rank_counts`), and a card is the
lowest bit of its rank: suits hardly matter to the others, and deals that differ in nothing else are alike.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, cycle, islice
from random import Random
from typing import NamedTuple, Self

from games.bots.crib_race import chances_in
from games.bots.crib_worth import OTHERS_CRIB, OWN_CRIB
from games.core.card_bits import ALL_CARDS, BIT, bits, mask
from games.core.cards import RANKS
from games.core.cribbage import FITS, MOST, SIDES, VALUE, after, pegged, rank_counts, rank_points
from games.engines.partnership_cribbage.moves import AFTER, DEALT, LAID_AWAY, Phase
from games.engines.partnership_cribbage.scoring import show_order
from games.engines.partnership_cribbage.view import CribbageView

TRIES = 30  # hands that are drawn for a player, with habits and again without, until one fits what was seen
DOUBT = 0.7  # how often a hand is dismissed because its player would have played another card

RANK_CARDS = [1 << 4 * rank for rank in range(len(RANKS))]
"""The card that stands for each rank."""

_OF_RANK = dict(zip(RANKS, RANK_CARDS, strict=True))
_IN_CRIB = [
    {sum(_OF_RANK[rank] for rank in ranks): sign * worth for ranks, worth in table.items()}
    for table, sign in ((OTHERS_CRIB, -1), (OWN_CRIB, 1))
]
"""By whether the crib is the player's own side's: what cards bring in it, negative in the other side's."""


# Habits of players


def preference(trail: int, card: int) -> float:
    """Points first; a count of 5 or 21 invites a ten; otherwise high cards go first, but no ten is led."""
    found = pegged(after(trail, card))
    invites = found.reached in (5, 21) or (trail == 0 and found.reached == 10)
    return 10 * found.points + (1 if found.reached == MOST else 0) - 8 * invites + VALUE[card] / 10


@lru_cache(maxsize=1 << 17)
def preferred(hand: int, trail: int) -> int:
    """The card that a player with this hand plays, 0 if none fits."""
    fitting = bits(hand & FITS[reached_by(trail)])
    return max(map(rank_card, fitting), key=lambda card: preference(trail, card), default=0)


@lru_cache(maxsize=1 << 16)
def kept_of(dealt: int, number: int, *, is_own: bool) -> int:
    """What a player keeps who lays away so many cards, for the most points without a starter and in the crib."""
    in_crib = _IN_CRIB[is_own]
    found = sorted({sum(laid) for laid in combinations(_each(dealt), number)})
    return dealt - max(found, key=lambda laid: rank_points(dealt - laid) + in_crib.get(laid, 0.0))


def _each(hand: int) -> list[int]:
    """The cards of a hand, one by one."""
    return [card for card in RANK_CARDS for _card in range(hand // card & 15)]


def rank_card(bit: int) -> int:
    """The card that stands for the rank of a bit."""
    return 1 << (bit.bit_length() - 1 & ~3)


def reached_by(trail: int) -> int:
    return pegged(trail).reached if trail else 0


# The play


class Table(NamedTuple):
    """Where the play of a deal stands. by_team: the order of the show. needs: points to the target, by side.

    turn: who plays. trail, last, stuck: the count that runs, who played last in it, and who said go, in this order.
    """

    seats: int
    dealer: int
    by_team: bool
    needs: tuple[int, ...]
    turn: int
    trail: int
    last: int
    stuck: tuple[int, ...]

    @classmethod
    def of(cls, view: CribbageView) -> Self:
        """As a view shows it; while cards are laid away, before the first lead."""
        count = view.this_count if view.count else ()
        return cls(
            seats=view.seats,
            dealer=view.dealer,
            by_team=view.options["show_order"] == "by-team",
            needs=points_needed(view),
            turn=view.to_act[0] if view.phase is Phase.PLAY else AFTER[view.seats][view.dealer][0],
            trail=view.trail,
            last=next((deed.seat for deed in reversed(count) if deed.card), 0),
            stuck=tuple(deed.seat for deed in count if not deed.card),
        )

    def chance_of_first(self, held: Sequence[int], card: int, counts: Sequence[int], crib: int) -> float:
        """The first side's chance to win if this card is played and the deal goes on by habit.

        held, counts: what each seat has in hand, and what it will count.
        """
        needs = self.after_play(held, card)
        for owner, is_crib in show_order(self.seats, self.dealer, self.by_team):
            if min(needs) > 0:
                needs[owner % SIDES] -= crib if is_crib else counts[owner]
        if min(needs) <= 0:
            return float(needs[0] <= 0)
        side = (self.dealer + 1) % SIDES
        chance = chances_in(self.seats)[needs[side]][needs[1 - side]]
        return 1 - chance if side else chance

    def after_play(self, held: Sequence[int], card: int) -> list[int]:
        """What the sides need after the play, which ends early where a side needs nothing more."""
        hands, needs, order = list(held), list(self.needs), AFTER[self.seats]
        turn, trail, last, stuck, reached = self.turn, self.trail, self.last, self.stuck, reached_by(self.trail)
        while True:
            if card:
                hands[turn] -= card
                trail, last = after(trail, card), turn
                reached, points, *_kinds = pegged(trail)
                needs[turn % SIDES] -= points
                if needs[turn % SIDES] <= 0:
                    return needs
                if not any(hands):
                    needs[turn % SIDES] -= reached != MOST
                    return needs
            else:
                stuck += (turn,)
            if reached == MOST:
                turn, trail, reached, stuck = next(seat for seat in order[turn] if hands[seat]), 0, 0, ()
            else:
                turn = next(seat for seat in order[turn] if seat == last or (hands[seat] and seat not in stuck))
                if turn == last and not hands[last] & FITS[reached]:
                    needs[last % SIDES] -= 1
                    if needs[last % SIDES] <= 0:
                        return needs
                    turn, trail, reached, stuck = stuck[0] if stuck else last, 0, 0, ()
            card = preferred(hands[turn], trail)


def points_needed(view: CribbageView) -> tuple[int, ...]:
    """What each side needs to reach the target."""
    return tuple(int(view.options["target"]) - score for score in view.scores[:SIDES])


# Imagined hands


class Others(NamedTuple):
    """What the others may have. kept: by seat, 0 for the player. laid: what they laid away. starter: its own bit."""

    kept: list[int]
    laid: int
    starter: int


class Imagination:
    """Deals the others cards that they would have kept and played as they did."""

    def __init__(self, view: CribbageView) -> None:
        cards = [(deed.seat, deed.card) for deed in view.played if deed.card]
        seen = {*view.hand, *view.laid_away, *filter(None, [view.starter]), *(card for _seat, card in cards)}
        self.view = view
        self.others = [seat for seat in range(view.seats) if seat != view.seat]
        self.starters = list(bits(ALL_CARDS & ~mask(seen)))
        self.unseen = [rank_card(bit) for bit in self.starters]
        self.played = [rank_counts(mask(card for who, card in cards if who == seat)) for seat in range(view.seats)]
        self.choices = [[choice for who, *choice in choices_of(view) if who == seat] for seat in range(view.seats)]

    def deals(self, number: int, rng: Random) -> Iterator[Others]:
        """So many deals; an unknown starter is each of the unseen cards in turn."""
        starters = [BIT[self.view.starter]] if self.view.starter else self.starters
        for starter in islice(cycle(starters), number):
            unseen = self.unseen[:]
            if not self.view.starter:
                unseen.remove(rank_card(starter))
            yield self._deal(unseen, starter, rng)

    def _deal(self, unseen: list[int], starter: int, rng: Random) -> Others:
        kept, laid = [0] * self.view.seats, 0
        for seat in self.others:
            dealt, kept[seat] = self._hand(seat, unseen, rng)
            laid += dealt - kept[seat]
            for card in _each(dealt - self.played[seat]):
                unseen.remove(card)
        return Others(kept, laid, starter)

    def _hand(self, seat: int, unseen: Sequence[int], rng: Random) -> tuple[int, int]:
        """A hand as it was dealt, and what is kept of it. After many vain tries, players need have no habits."""
        view, played = self.view, self.played[seat]
        number = view.hand_counts[seat] + view.crib_counts[seat]
        laid = view.crib_counts[seat] or (LAID_AWAY[view.seats] if number == DEALT[view.seats] else 0)
        is_own = seat % SIDES == view.dealer % SIDES
        for has_habits in [True] * TRIES + [False] * TRIES:
            drawn = rng.sample(unseen, number)
            dealt = played + sum(drawn)
            kept = kept_of(dealt, laid, is_own=is_own) if has_habits else dealt - sum(drawn[:laid])
            if self._fits(kept, seat, DOUBT if has_habits else 0.0, rng):
                break
        return dealt, kept

    def _fits(self, hand: int, seat: int, doubt: float, rng: Random) -> bool:
        """Whether a player with this hand could have played what was seen, and would have, more or less."""
        for trail, card in self.choices[seat]:
            habit = preferred(hand, trail)
            if habit != card and (not card or not hand // card & 15 or rng.random() < doubt):
                return False
            hand -= card
        return True


def choices_of(view: CribbageView) -> Iterator[tuple[int, int, int]]:
    """What was played in this deal: the seat, the trail before, and the card, 0 if none fitted."""
    trail = last = 0
    for deed in view.played:
        card = rank_card(BIT[deed.card]) if deed.card else 0
        if card and deed.reached == VALUE[card] and trail:
            if reached_by(trail) < MOST:
                yield last, trail, 0
            trail = 0
        yield deed.seat, trail, card
        if card:
            trail, last = after(trail, card), deed.seat
    if trail and not view.count and reached_by(trail) < MOST:
        yield last, trail, 0
