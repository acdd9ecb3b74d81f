"""Melds of Push: what is a set, a run and an initial meld, how melds grow, and those that a hand can make."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, product

from games.core.cards import RANK_INDEX, RANKS, SUITS, Card, face, is_joker
from games.core.contract import Options
from games.core.rummy.initial_melds import Contract, runs_with, split_into
from games.core.rummy.melds import LONGEST_RUN, SMALLEST_MELD, Fault, Growth, Meld, MeldRules, windows
from games.engines.push.moves import WILD, PushMeld, in_hand_order, is_wild, run_of, set_of

ONE_OF_A_SUIT = MeldRules("high_or_low", wild=WILD)
ANY_SUITS = MeldRules("high_or_low", "any", largest_set=8, wild=WILD)
ROUND_THE_CORNER = MeldRules("round", wild=WILD)

# The initial melds. Each has as many cards as a player is dealt.
CONTRACTS = {
    1: Contract((("set", 3), ("set", 3)), "two sets of three"),
    2: Contract((("set", 3), ("run", 4)), "a set of three and a run of four"),
    3: Contract((("run", 4), ("run", 4)), "two runs of four"),
    4: Contract((("set", 3), ("set", 3), ("set", 3)), "three sets of three"),
    5: Contract((("run", 5), ("run", 5)), "two runs of five"),
}


def meld_rules(options: Options) -> MeldRules:
    return ANY_SUITS if options["set_duplicates"] else ONE_OF_A_SUIT


def meld_fault(rules: MeldRules, meld: PushMeld) -> Fault | None:
    """The first rule that a meld breaks."""
    if len(meld.cards) < SMALLEST_MELD:
        return Fault("meld-min-three", f"A meld needs at least three cards: add to {_cards(meld)}.")
    naturals = [card for card in meld.cards if not is_wild(card)]
    if not naturals:
        return Fault("wild-one-natural", f"{_cards(meld)} are all wild: a meld needs a natural card.")
    return _set_fault(rules, meld, naturals) if meld.kind == "set" else _run_fault(rules, meld, naturals)


def _cards(meld: PushMeld) -> str:
    return " ".join(meld.cards)


def _set_fault(rules: MeldRules, meld: PushMeld, naturals: Sequence[Card]) -> Fault | None:
    if len({card[0] for card in naturals}) > 1:
        return Fault("meld-set", f"{_cards(meld)} have different ranks: a set has one rank.")
    if rules.set_suits == "different" and len({card[1] for card in naturals}) < len(naturals):
        return Fault("set-suits-differ", f"{_cards(meld)} have a suit twice: a set has each suit once.")
    if len(meld.cards) > rules.largest_set:
        return Fault("set-max-four", f"A set has at most {rules.largest_set} cards: leave one out.")
    return None


def _run_fault(rules: MeldRules, meld: PushMeld, naturals: Sequence[Card]) -> Fault | None:
    if len({card[1] for card in naturals}) > 1:
        if _are_near(naturals, len(meld.cards)):
            return Fault("meld-run", f"{_cards(meld)} have different suits: a run has one suit.")
        return Fault("meld-run", f"{_cards(meld)} have different ranks and suits: they make no meld.")
    if ROUND_THE_CORNER.run_start(meld.cards) is None:
        return Fault("meld-run", f"{_cards(meld)} have a gap: a run has no missing ranks, unless a wild card fills in.")
    if len(meld.cards) > LONGEST_RUN:
        return Fault("run-ace-ends", "A run has at most 13 cards, with the ace at one end.")
    if rules.run_start(meld.cards) is None:
        return Fault("run-ace-ends", f"{_cards(meld)} go round the corner: a run starts or ends with the ace.")
    return None


def _are_near(naturals: Sequence[Card], size: int) -> bool:
    """Whether the ranks alone would make a run of that size."""
    ranks = {RANK_INDEX[card[0]] for card in naturals}
    high = {rank or len(RANKS) for rank in ranks}
    return any(len(places) == len(naturals) and max(places) - min(places) < size for places in (ranks, high))


@lru_cache(maxsize=4096)
def faces(rules: MeldRules, meld: PushMeld) -> tuple[frozenset[str], ...]:
    return rules.faces(meld)


def grown(meld: PushMeld, card: Card, end: Growth) -> PushMeld:
    if end == "set":
        return set_of((*meld.cards, card))
    return run_of((card, *meld.cards) if end == "low" else (*meld.cards, card))


def exchanged(meld: PushMeld, joker: Card, card: Card) -> PushMeld:
    """The meld with a natural card in the joker's place."""
    cards = [card if old == joker else old for old in meld.cards]
    return set_of(cards) if meld.kind == "set" else run_of(cards)


def laid_out(meld: Meld) -> PushMeld:
    """A meld in the order of this game."""
    return set_of(meld.cards) if meld.kind == "set" else run_of(meld.cards)


def reading(rules: MeldRules, cards: Sequence[Card]) -> PushMeld:
    """What marked cards are: the first of their readings; no meld if they make none."""
    is_set = len({card[0] for card in cards if not is_wild(card)}) <= 1
    nearest = set_of(cards) if is_set else run_of(in_hand_order(cards))
    return next(readings(rules, cards), nearest)


def readings(rules: MeldRules, cards: Sequence[Card]) -> Iterator[PushMeld]:
    """The melds that marked cards can be: the run that they are as they stand, a set, and runs with wild cards."""
    naturals = [card for card in cards if not is_wild(card)]
    filled = runs_with(rules, naturals, [card for card in cards if is_wild(card)]) if naturals else ()
    found = set()
    for meld in map(laid_out, chain([run_of(cards), set_of(cards)], filled)):
        if meld_fault(rules, meld) is None and alike(meld) not in found:
            found.add(alike(meld))
            yield meld


_TWO_MELDS = (
    Contract((("set", 3), ("set", 3)), "two sets"),
    Contract((("set", 3), ("run", 3)), "a set and a run"),
    Contract((("run", 3), ("run", 3)), "two runs"),
)


def are_two_melds(rules: MeldRules, cards: Sequence[Card]) -> bool:
    return any(split_into(rules, melds, cards) is not None for melds in _TWO_MELDS)


# Enumeration


def alike(meld: PushMeld) -> tuple[bool, int, tuple[str, ...]]:
    """Sort key, the same for melds that differ only in equal cards: sets first, then runs from low to high."""
    shown = tuple(card[0] if is_wild(card) else face(card) for card in meld.cards)
    if meld.kind == "set":
        return False, RANK_INDEX[meld.cards[0][0]], tuple(sorted(shown))
    low = ONE_OF_A_SUIT.run_faces(meld.cards)[0]
    return True, RANK_INDEX[low[0]], shown


@lru_cache(maxsize=1024)
def melds_of_three(rules: MeldRules, hand: tuple[Card, ...]) -> tuple[PushMeld, ...]:
    """Every meld of three cards in a hand; of deuces and of jokers, which are all alike, two at most are used."""
    jokers = [card for card in hand if is_joker(card)]
    wilds = [card for card in hand if is_wild(card) and not is_joker(card)][:2] + jokers[:2]
    held: dict[str, list[Card]] = defaultdict(list)
    for card in hand:
        if not is_wild(card):
            held[face(card)].append(card)
    return (*_sets_of_three(rules, held, wilds), *_runs_of_three(held, wilds))


def _sets_of_three(rules: MeldRules, held: Mapping[str, list[Card]], wilds: Sequence[Card]) -> Iterator[PushMeld]:
    for rank in RANKS:
        naturals = [card for suit in SUITS for card in held.get(rank + suit, ())]
        for count in range(1, SMALLEST_MELD + 1):
            for part in combinations(naturals, count):
                if rules.set_suits == "any" or len({card[1] for card in part}) == count:
                    for fill in combinations(wilds, SMALLEST_MELD - count):
                        yield set_of((*part, *fill))


_RUNS_OF_THREE = [[rank + suit for rank in ranks] for suit in SUITS for ranks in windows("high_or_low", SMALLEST_MELD)]


def _runs_of_three(held: Mapping[str, list[Card]], wilds: Sequence[Card]) -> Iterator[PushMeld]:
    for run in _RUNS_OF_THREE:
        naturals = [held.get(shown, []) for shown in run]
        if not any(naturals) or naturals.count([]) > len(wilds):
            continue
        *with_naturals, _only_wilds = product(*((own, wilds) for own in naturals))
        for choices in with_naturals:
            for cards in product(*choices):
                if len(set(cards)) == SMALLEST_MELD:
                    yield run_of(cards)
