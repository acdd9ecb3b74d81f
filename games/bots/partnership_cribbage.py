"""House bots of Cribbage, for two seats and for four.

First steps keeps a hand that looks well and pegs what it notices. Club keeps the best four cards as they are and pegs
what it can. Strong tries its cards in deals that it imagines, and plays for the chance to reach the target first.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from heapq import nlargest
from random import Random

from games.bots import Reason
from games.bots.crib_worth import OTHERS_CRIB, OWN_CRIB
from games.bots.pegging import Imagination, Table, points_needed, preference, preferred, rank_card
from games.core.card_bits import ALL_CARDS, BIT, bits, cards, mask
from games.core.cribbage import FITS, MOST, SIDES, Count, Pegged, after, line, pegged, rank_counts, rank_points, show
from games.engines.partnership_cribbage.moves import (
    Claim,
    CribbageMove,
    Discard,
    Go,
    Muggins,
    Phase,
    Play,
)
from games.engines.partnership_cribbage.view import CribbageView


class FirstSteps:
    """Looks at half of the discards, and sees about half of what a card would peg.

    notice: how often it looks for points at all.
    """

    notice = 0.5

    def choose(self, view: CribbageView, rng: Random) -> CribbageMove:
        if view.phase is Phase.SHOW:
            return counted(view, overlooks=rng.random() > self.notice)
        moves = moves_of(view)
        if view.phase is Phase.DISCARD:
            return max(rng.sample(moves, len(moves) // 2), key=lambda move: kept_worth(view, move))
        if rng.random() > self.notice:
            return rng.choice(moves)
        return max(moves, key=lambda move: gain(view.trail, move))


@dataclass(frozen=True, slots=True)
class Club:
    """Keeps the cards with the highest count, for two with the average starter and crib; pegs the most it can.

    caution: the share that counts for it of what the next player is likely to peg. With all of it there would be
    little left for the strong bot to do better.
    """

    caution: float = 0.05

    def choose(self, view: CribbageView, rng: Random) -> CribbageMove:
        if view.phase is Phase.SHOW:
            return counted(view)
        if view.phase is Phase.DISCARD:
            worth = average_worth if view.seats == 2 else kept_worth
            return best(moves_of(view), lambda move: worth(view, move), rng)
        return max(moves_of(view), key=lambda move: self._preference(view, move))

    def _preference(self, view: CribbageView, move: CribbageMove) -> float:
        return simple_preference(view.trail, move) - 10 * self.caution * expected_answer(view, move)


@dataclass(frozen=True, slots=True)
class Strong:
    """Plays for the chance of winning, in imagined deals in which the others hold what they may well have kept.

    deals: imagined for a move. race: while both sides need more points than this, it lays away by average worth alone,
    which is known exactly. discards: the most that it tries else.
    """

    deals: int = 300
    discards: int = 6
    race: int = 35

    def choose(self, view: CribbageView, rng: Random) -> CribbageMove:
        if view.phase is Phase.SHOW:
            return counted(view)
        moves = self._worth_trying(view)
        if len(moves) == 1:
            return moves[0]
        chances = chances_of(view, moves, self.deals, rng)
        return max(moves, key=chances.__getitem__)

    def _worth_trying(self, view: CribbageView) -> list[CribbageMove]:
        """Cards of different ranks, or the best discards."""
        moves = moves_of(view)
        if view.phase is Phase.PLAY:
            return list({str(move)[0]: move for move in moves}.values())
        is_race = min(points_needed(view)) <= self.race
        return nlargest(self.discards if is_race else 1, moves, key=lambda move: average_worth(view, move))


def chances_of(view: CribbageView, moves: Iterable[CribbageMove], deals: int, rng: Random) -> dict[CribbageMove, float]:
    """How often the viewer's side wins after each of these moves, in imagined deals that go on by habit."""
    assert view.seat is not None, "a bot sits at the table"
    table, imagination, seat = Table.of(view), Imagination(view), view.seat
    own = mask((*view.hand, *(deed.card for deed in view.played if deed.card and deed.seat == seat)))
    four_flush = bool(view.options["four_flush_in_hand"])
    wins = dict.fromkeys(moves, 0.0)
    for others in imagination.deals(deals, rng):
        starter = rank_card(others.starter)
        counts = [rank_points(kept + starter) for kept in others.kept]
        held = [kept - played for kept, played in zip(others.kept, imagination.played, strict=True)]
        for move in wins:
            laid = mask(move.cards if isinstance(move, Discard) else view.laid_away)
            kept = own & ~laid
            held[seat] = rank_counts(kept) - imagination.played[seat]
            counts[seat] = show(kept, others.starter, four_flush=four_flush).total
            crib = rank_points(others.laid + rank_counts(laid) + starter)
            card = rank_card(BIT[move.card]) if isinstance(move, Play) else preferred(held[table.turn], 0)
            chance = table.chance_of_first(held, card, counts, crib)
            wins[move] += 1 - chance if seat % SIDES else chance
    return wins


LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong()}


# Laying away


def moves_of(view: CribbageView) -> list[CribbageMove]:
    """The legal discards or plays."""
    return [move for move in view.moves if isinstance(move, Discard | Play | Go)]


def best(moves: list[CribbageMove], worth: Callable[[CribbageMove], float], rng: Random) -> CribbageMove:
    """One of the moves with the highest value, at random."""
    worths = {move: worth(move) for move in moves}
    most = max(worths.values())
    return rng.choice([move for move in moves if worths[move] == most])


def laid_away(move: CribbageMove) -> int:
    assert isinstance(move, Discard), f"{move} lays nothing away"
    return mask(move.cards)


def kept_worth(view: CribbageView, move: CribbageMove) -> float:
    """Count of the cards kept, without a starter."""
    return line(mask(view.hand) ^ laid_away(move)).total


def average_count(view: CribbageView, move: CribbageMove) -> float:
    """Average count of the cards kept over all starters."""
    laid, hand, four_flush = laid_away(move), mask(view.hand), bool(view.options["four_flush_in_hand"])
    starters = list(bits(ALL_CARDS & ~hand))
    return sum([show(hand ^ laid, starter, four_flush=four_flush).total for starter in starters]) / len(starters)


def average_worth(view: CribbageView, move: CribbageMove) -> float:
    """Average count of the cards kept, with what the discard brings in the crib."""
    return average_count(view, move) + crib_worth(laid_away(move), is_own=is_own_crib(view))


def crib_worth(laid: int, *, is_own: bool) -> float:
    """What the cards laid away bring in a crib on average, negative in the other side's."""
    ranks = "".join(card[0] for card in cards(laid))
    return OWN_CRIB[ranks] if is_own else -OTHERS_CRIB[ranks]


def is_own_crib(view: CribbageView) -> bool:
    return view.seat is not None and view.seat % 2 == view.dealer % 2


# Playing


def gain(trail: int, move: CribbageMove) -> int:
    """Points that a move pegs at once."""
    return pegged(after(trail, BIT[move.card])).points if isinstance(move, Play) else 0


def simple_preference(trail: int, move: CribbageMove) -> float:
    """Points first; a count of 5 or 21 invites a ten; otherwise high cards go first, but no ten is led."""
    if not isinstance(move, Play):
        return 0
    return preference(trail, BIT[move.card])


def expected_answer(view: CribbageView, move: CribbageMove) -> float:
    """Points that the next player pegs on a card on average, if they hold any of the unseen cards and play the best."""
    if not isinstance(move, Play) or view.seat is None:
        return 0.0
    trail, unseen = after(view.trail, BIT[move.card]), unseen_by(view)
    held = view.hand_counts[(view.seat + 1) % view.seats]
    fitting = list(bits(unseen & FITS[pegged(trail).reached]))
    answers = sorted((pegged(after(trail, card)).points for card in fitting), reverse=True)
    chance = held / max(unseen.bit_count(), 1)
    return sum(points * chance * (1 - chance) ** better for better, points in enumerate(answers))


def unseen_by(view: CribbageView) -> int:
    """The cards that the viewer has not seen."""
    return ALL_CARDS & ~mask((*view.hand, *view.laid_away, *filter(None, [view.starter]), *_played(view)))


# Counting


def counted(view: CribbageView, *, overlooks: bool = False) -> CribbageMove:
    """The count to announce for the hand or crib; a bot that overlooks something misses the fifteens."""
    count = shown_worth(view)
    seen = count.total - (count.fifteens if overlooks else 0)
    if not view.overlooked:
        return Claim(seen)
    named = view.claims[-1][1].points
    return Muggins(max(seen - named, 0))


def shown_worth(view: CribbageView) -> Count:
    """The count of the hand or crib being shown."""
    assert view.counted_now is not None and view.starter is not None, "somebody counts"
    owner, is_crib = view.counted_now
    hand = mask(view.open_crib if is_crib else view.open_hands[owner])
    four_flush = bool(view.options["four_flush_in_hand"])
    return show(hand, BIT[view.starter], is_crib=is_crib, four_flush=four_flush)


# What speaks for a move

PEGGED = {"thirty_one": "thirty-one", "run": "peg-run", "pair": "peg-pair", "fifteen": "peg-fifteen"}
COUNTED = ("fifteens", "pairs", "runs", "a flush", "his nobs")


def reason(view: CribbageView, move: CribbageMove) -> Reason:
    if isinstance(move, Discard):
        text, rule = _for_discard(view, mask(move.cards)), "crib-owner"
    elif isinstance(move, Play):
        text, rule = _for_card(view, BIT[move.card])
    elif isinstance(move, Go):
        text, rule = f"No card of yours fits under {MOST} now; you lose nothing by saying so.", "go"
    else:
        text, rule = _for_count(view), "show-five-cards"
    return Reason(text, f"partnership-cribbage:{rule}")


def _for_discard(view: CribbageView, laid: int) -> str:
    kept = mask(view.hand) ^ laid
    four_flush = bool(view.options["four_flush_in_hand"])
    worths = [show(kept, starter, four_flush=four_flush).total for starter in bits(ALL_CARDS & ~mask(view.hand))]
    average = sum(worths) / len(worths)
    whose = "yours" if is_own_crib(view) else "theirs"
    if view.seats > SIDES:
        whose = "your side's" if is_own_crib(view) else "the other side's"
    in_crib = line(laid).total
    more = f", where the two cards make {in_crib} already" if in_crib else ""
    return (
        f"{' '.join(cards(kept))} are worth at least {min(worths)} with any starter, {average:.1f} on average. "
        f"The crib is {whose}{more}."
    )


def _for_card(view: CribbageView, card: int) -> tuple[str, str]:
    trail = after(view.trail, card)
    found = pegged(trail)
    left = sum(view.hand_counts) - 1
    rule = next((rule for kind, rule in PEGGED.items() if getattr(found, kind)), "turn-order")
    points = f"It pegs {found.points}" if found.points else "It pegs nothing"
    text = f"{points}, with a count of {found.reached}."
    if not left:
        return f"{text} It is the last card of the deal.", "last-card" if rule == "turn-order" else rule
    return f"{text}{_answers(view, card, trail, found)}", rule


def _answers(view: CribbageView, card: int, trail: int, found: Pegged) -> str:
    """Number of cards in other hands that would score next."""
    unseen = unseen_by(view)
    if found.reached == MOST or len(view.hand) == sum(view.hand_counts):
        return ""
    fitting = unseen & FITS[found.reached]
    if not fitting:
        return " No card that you have not seen fits now."
    scoring = sum(pegged(after(trail, other)).points > 0 for other in bits(fitting))
    return f" Of the {unseen.bit_count()} cards that you have not seen, {scoring} would score on it."


def _played(view: CribbageView) -> list[str]:
    return [deed.card for deed in view.played if deed.card]


def _for_count(view: CribbageView) -> str:
    count = shown_worth(view)
    parts = [f"{what} {points}" for what, points in zip(COUNTED, count, strict=True) if points]
    return f"With the starter the cards are worth {count.total}{': ' if parts else ''}{', '.join(parts)}."
