"""House bots of Krambambuli.

All levels lay every meld that they see, since cards in the hand count. First steps overlooks much and throws any high
card. Club keeps cards that belong together. Strong plans its melds together, counts the cards that can still come, and
does not feed the next player.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from random import Random

from games.bots import Reason
from games.core.cards import RANK_INDEX, RANKS, Card, by_display, face
from games.core.contract import Move
from games.core.moves import DRAW, TAKE, Discard
from games.core.rummy.melds import MeldRules
from games.core.rummy.steps import Step
from games.engines.krambambuli.game import KRAMBAMBULI
from games.engines.krambambuli.melds import Table, enlarged, melds_of
from games.engines.krambambuli.scoring import card_points
from games.engines.krambambuli.state import KrambambuliState
from games.engines.krambambuli.view import KrambambuliView

# So many own turns, and so many cards in another hand, leave time enough to wait for a card.
TURNS_TO_COME = 6
CARDS_TO_GO = 4


def cards_laid(step: Step, table: Table) -> tuple[Card, ...]:
    """The cards that leave the hand."""
    own = table.get(step.number)
    return step.laid(own.meld if own else None)


def points(cards: Iterable[Card]) -> int:
    return sum(map(card_points, cards))


def steps_of(moves: Iterable[Move]) -> list[Step]:
    return [move for move in moves if isinstance(move, Step)]


def discards_of(moves: Iterable[Move]) -> list[Discard]:
    return [move for move in moves if isinstance(move, Discard)]


def with_upcard(view: KrambambuliView, rng: Random) -> KrambambuliState:
    """A sampled state after taking the upcard; the viewer's own melds in it are certain."""
    state = KRAMBAMBULI.sample(view, rng)
    state.play(state.to_act[0], TAKE)
    return state


def uses_of_upcard(view: KrambambuliView, rng: Random) -> list[Step]:
    """The steps that would lay the upcard at once."""
    state = with_upcard(view, rng)
    steps = steps_of(state.legal_moves(state.to_act[0]))
    return [step for step in steps if view.upcard in cards_laid(step, state.table)]


@lru_cache(maxsize=1 << 12)
def are_partners(first: str, second: str, ace: str) -> bool:
    """Whether two faces could be in one meld of three."""
    if first[0] == second[0]:
        return True
    if first[1] != second[1]:
        return False
    distances = {abs(place - other) for place in _places(first[0], ace) for other in _places(second[0], ace)}
    return min(distances) <= 2


def _places(rank: str, ace: str) -> tuple[int, ...]:
    if rank != "A":
        return (RANK_INDEX[rank],)
    return (len(RANKS),) if ace == "high" else (0, len(RANKS))


@dataclass(frozen=True, slots=True)
class Human:
    """Lays the step with the most points that it notices.

    overlooks, overlooks_thefts: the chance to miss a step. keeps_partners: what a card in company is worth, in points.
    """

    overlooks: float
    overlooks_thefts: float
    keeps_partners: float

    def choose(self, view: KrambambuliView, rng: Random) -> Move:
        if DRAW in view.moves:
            return self._draw(view, rng)
        table = dict(view.table)
        seen = self._without_overlooked(steps_of(view.moves), rng)
        if seen:
            return max(seen, key=lambda step: points(cards_laid(step, table)))
        return max(discards_of(view.moves), key=lambda move: self._eagerness(view, move.card, rng))

    def _draw(self, view: KrambambuliView, rng: Random) -> Move:
        return TAKE if TAKE in view.moves and self._without_overlooked(uses_of_upcard(view, rng), rng) else DRAW

    def _without_overlooked(self, steps: Sequence[Step], rng: Random) -> list[Step]:
        return [step for step in steps if rng.random() >= (self.overlooks_thefts if step.thefts else self.overlooks)]

    def _eagerness(self, view: KrambambuliView, card: Card, rng: Random) -> float:
        """Preference for discarding a card; higher is better."""
        partners = sum(_fit(view, card, other) for other in view.hand if other != card)
        return card_points(card) - self.keeps_partners * min(partners, 2) + rng.random()


def _fit(view: KrambambuliView, card: Card, other: Card) -> bool:
    return are_partners(face(card), face(other), str(view.options["ace"]))


class Strong:
    """Lays so that least is left, keeps the cards with most outs, and throws what the next player cannot use.

    out_worth: the points that a card which may still come is worth. danger: for a card the next player could use.
    looks: so many hands are looked at for a plan.
    """

    out_worth = 3.0
    danger = 1.0
    looks = 40

    def choose(self, view: KrambambuliView, rng: Random) -> Move:
        if DRAW in view.moves:
            return TAKE if TAKE in view.moves and uses_of_upcard(view, rng) else DRAW
        steps = steps_of(view.moves)
        if steps:
            return self._plan(KRAMBAMBULI.sample(view, rng), steps)
        return min(discards_of(view.moves), key=lambda move: self._cost(view, move.card))

    def _plan(self, state: KrambambuliState, steps: Sequence[Step]) -> Step:
        """The first of the steps after which least is left."""
        seat = state.to_act[0]
        best: tuple[int, Step] | None = None
        queue: list[tuple[KrambambuliState, Sequence[Step], Step | None]] = [(state, steps, None)]
        looks = 0
        while queue and looks < self.looks:
            before, choices, first = queue.pop(0)
            looks += 1
            for step in choices:
                left = points(before.hands[seat]) - points(cards_laid(step, before.table))
                if best is None or left < best[0]:
                    best = (left, first or step)
                if left == 0:
                    return first or step
                after = before.copy()
                after.play(seat, step)
                more = steps_of(after.legal_moves(seat))
                if more:
                    queue.append((after, more, first or step))
        assert best is not None, "there was a step"
        return best[1]

    def _cost(self, view: KrambambuliView, card: Card) -> float:
        """Cost of discarding a card: its outs and its use for the next player, less its points."""
        rest = [other for other in view.hand if other != card]
        outs = self.out_worth * time_left(view) * len(outs_of(view, card, rest, still_to_come(view)))
        return outs + self.danger * feeds_next(view, card) - card_points(card)


def time_left(view: KrambambuliView) -> float:
    """From 1 at the start of a hand to 0 when it is about to end: by stock, discards and the shortest other hand."""
    turns = (view.stock_count + renewals_left(view) * view.discard_count) / view.seats
    shortest = min(count for seat, count in enumerate(view.hand_counts) if seat != view.seat)
    return min(1.0, turns / TURNS_TO_COME, shortest / CARDS_TO_GO)


def renewals_left(view: KrambambuliView) -> int:
    """How often the discard pile will still become the stock."""
    return int(view.options["turnovers"]) - view.turnovers


def out_of_sight(view: KrambambuliView) -> list[Card]:
    """The cards that the viewer does not see now, the covered discards among them."""
    melded = chain.from_iterable(own.meld.cards for _number, own in view.table)
    seen = {*view.hand, *view.discards, *chain.from_iterable(view.known), *melded}
    return [card for card in KRAMBAMBULI.deck(view.options) if card not in seen]


def still_to_come(view: KrambambuliView) -> list[Card]:
    """The cards that the viewer may still get: covered discards only if they will be turned over."""
    gone = () if renewals_left(view) else view.remembered
    return [card for card in out_of_sight(view) if card not in gone]


def outs_of(view: KrambambuliView, card: Card, rest: Sequence[Card], coming: Iterable[Card]) -> set[Card]:
    """The coming cards that would make a meld with a card and another one of the hand."""
    company = tuple(other for other in rest if _fit(view, card, other))
    if not company:
        return set()
    return {out for out in coming if _fit(view, card, out) and _makes_meld(view.rules, card, out, company)}


def _makes_meld(rules: MeldRules, card: Card, out: Card, company: Collection[Card]) -> bool:
    return any(
        card in meld.cards and out in meld.cards for other in company for meld in melds_of(rules, (card, out, other))
    )


def feeds_next(view: KrambambuliView, card: Card) -> float:
    """Usefulness of a discard to the next player: add it to a meld at once, or match a card seen being taken."""
    assert view.seat is not None, "a bot sits at the table"
    neighbour = (view.seat + 1) % view.seats
    if can_add(view, neighbour, card):
        return 2.0
    return 0.5 * any(_fit(view, card, other) for other in view.known[neighbour])


def can_add(view: KrambambuliView, seat: int, card: Card) -> bool:
    """Whether a card fits a meld of that seat."""
    return any(own.owner == seat and enlarged(view.rules, own.meld, (card,)) for _number, own in view.table)


LEVELS = {
    "first-steps": Human(overlooks=0.4, overlooks_thefts=0.9, keeps_partners=0.0),
    "club": Human(overlooks=0.05, overlooks_thefts=0.5, keeps_partners=4.0),
    "strong": Strong(),
}


# What speaks for a move


def reason(view: KrambambuliView, move: Move) -> Reason:
    if isinstance(move, Step):
        text, rule = _for_step(view, move)
    elif isinstance(move, Discard):
        text, rule = _for_discard(view, move.card)
    elif view.upcard is None:
        text, rule = "There is no upcard to take.", "turn-draw"
    elif move == TAKE:
        text, rule = _for_taking(view, view.upcard), "turn-draw"
    else:
        text, rule = _for_drawing(view, view.upcard), "turn-draw"
    return Reason(text, f"krambambuli:{rule}")


def _is_in_meld(view: KrambambuliView, hand: Iterable[Card], card: Card) -> bool:
    return any(card in meld.cards for meld in melds_of(view.rules, tuple(by_display(hand))))


def _use_of(view: KrambambuliView, upcard: Card) -> str:
    """What can be done with the upcard at once, in words without a full stop; "" if nothing."""
    assert view.seat is not None, "only a player at the table asks"
    if _is_in_meld(view, (*view.hand, upcard), upcard):
        return f"{upcard} makes a meld with cards in your hand"
    return f"You can add {upcard} to a meld of yours" if can_add(view, view.seat, upcard) else ""


def _uselessness(upcard: Card) -> str:
    return f"{upcard} makes no meld with your cards, and you can't add it to one"


def _for_taking(view: KrambambuliView, upcard: Card) -> str:
    if use := _use_of(view, upcard):
        return f"{use}."
    company = [other for other in view.hand if _fit(view, upcard, other)]
    if company:
        return f"{upcard} makes no meld yet, but goes with {' '.join(company)}."
    return f"{_uselessness(upcard)}; taking it only keeps it from the others."


def _for_drawing(view: KrambambuliView, upcard: Card) -> str:
    use = _use_of(view, upcard)
    return f"{use}, but the stock may have a better card." if use else f"{_uselessness(upcard)}."


def _for_step(view: KrambambuliView, step: Step) -> tuple[str, str]:
    laid = cards_laid(step, dict(view.table))
    left = points(view.hand) - points(laid)
    text = f"It gets rid of {points(laid)} points; the rest of your hand counts {left}."
    if len(laid) == len(view.hand):
        return "It gets rid of all your cards, and ends the hand.", "going-out"
    return text, "steal-new-meld" if step.thefts else "layoff-after-melding" if step.number else "turn-meld"


def _for_discard(view: KrambambuliView, card: Card) -> tuple[str, str]:
    assert view.seat is not None, "only a player at the table asks"
    rest = [other for other in view.hand if other != card]
    if not rest:
        return "It's your last card, and the hand ends with it.", "going-out"
    if _is_in_meld(view, view.hand, card):
        return f"{card} makes a meld with other cards in your hand.", "turn-meld"
    hidden = out_of_sight(view)
    outs = len(outs_of(view, card, rest, hidden))
    text = (
        f"{card} counts {card_points(card)} against you, and {outs or 'none'} of the {len(hidden)} cards "
        "you can't see would make a meld with it and another card of yours."
    )
    neighbour = (view.seat + 1) % view.seats
    if can_add(view, neighbour, card):
        text += f" @{neighbour} could add it to a meld."
    return text, "card-count"
