"""House bots of Cuarenta, for two and for four players.

First steps takes what it sees at a glance, forgets half of its sequences and claims, and lays cards down as they
come. Club takes the most there is, and every third time thinks of what it leaves. Strong always weighs what a card
takes against what it leaves to the next player, imagines the hidden cards and has players who do the same play on to
the next deal.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from random import Random
from typing import TypeAlias, cast

from games.bots import Reason
from games.bots.rollouts import Scored, lead_of_scored, scored_lines
from games.bots.search import Expert
from games.core.captures import Sums
from games.core.cards import RANK_NAMES, Card, a_rank, by_display
from games.core.contract import Move
from games.engines.cuarenta.game import CUARENTA, Cuarenta
from games.engines.cuarenta.moves import (
    HIGHEST_VALUE,
    PACK,
    RANK,
    RANKS,
    SIDES,
    VALUES,
    Capture,
    Claim,
    CuarentaMove,
    Declare,
    Lay,
    Phase,
)
from games.engines.cuarenta.scoring import LIMPIA_BAR, POINTS, TARGET
from games.engines.cuarenta.state import CuarentaState
from games.engines.cuarenta.view import CuarentaView

# What a captured card brings towards the count, on average, in points.
CARD_WORTH = 0.35
# What a caída on a proclaimer brings in hope of the ten points, and what laying a card of the own ronda risks.
RONDA_HOPE, RONDA_FEAR = 5.0, 7.0
WON = 40.0
# How many errors another play must gain over the careful one, and of how many deals one is the likeliest.
CAUTION, DRAWS = 0.6, 3
FEW = ("no", "one", "two", "three")

# What the cards of each rank count, and what leaves out those that count nothing.
VALUE_OF_RANK = {card[0]: value for card, value in VALUES.items()}
FACES = {ord(rank): None for rank in RANKS if rank not in VALUE_OF_RANK}

Threats: TypeAlias = dict[str, float]  # by rank: the worth of the best capture with a card of that rank


class FirstSteps:
    """Likes to take cards, but seldom looks for sequences and for what others overlooked."""

    def choose(self, view: CuarentaView, rng: Random) -> CuarentaMove:
        moves = cast(tuple[CuarentaMove, ...], view.moves)
        return max(moves, key=lambda move: self._appeal(move, rng))

    def _appeal(self, move: CuarentaMove, rng: Random) -> float:
        mood = rng.random()
        match move:
            case Capture():
                looked_on = rng.random() < 0.5
                return 0.5 + mood + 0.3 * (len(move.taken) + len(move.run)) * looked_on
            case Claim() if move.cards:
                return 3.0 if rng.random() < 0.4 else 0.0
            case Declare() if move.card:
                return 2.0 * mood
            case _:
                return mood


class Careful:
    """Weighs what a card takes against what it leaves to the next player."""

    def choose(self, view: CuarentaView, rng: Random) -> CuarentaMove:
        gift = free_gift(view)
        return max(plays(view), key=Judgement(Sight.of_view(view)).value) if gift is None else gift


class Club(Careful):
    """Takes the most there is and guards its ronda; every third time it also thinks of the next player's answer."""

    def choose(self, view: CuarentaView, rng: Random) -> CuarentaMove:
        if rng.random() < 1 / 3 or free_gift(view) is not None:
            return super().choose(view, rng)
        sight = Sight.of_view(view)
        return max(plays(view), key=lambda move: after(sight, move)[1] - (move.card in view.ronda) + 0.5 * rng.random())


class Strong:
    """Tries the plays in sampled deals, which careful players play on.

    worlds: so many deals. They take some 20 ms.
    """

    prize = WON

    def __init__(self, game: Cuarenta, worlds: int = 24) -> None:
        self.search = Expert(
            game,
            Careful(),
            self,
            worlds=worlds,
            caution=CAUTION,
            moves_of=worth_trying,
            likelihood=fits_last_play,
            draws=DRAWS,
        )

    def choose(self, view: CuarentaView, rng: Random) -> Move:
        return self.search.choose(view, rng)

    def lead_by_rule(self, world: CuarentaState, move: CuarentaMove) -> dict[str, float]:
        return playout(world.copy(), move)


# What costs nothing


def free_gift(view: CuarentaView) -> CuarentaMove | None:
    """A claim, or a declaration that nothing more can be learnt about."""
    claims = [move for move in view.moves if isinstance(move, Claim) and move.cards]
    if claims:
        return max(claims, key=lambda move: len(move.cards))
    named = [move for move in view.moves if isinstance(move, Declare) and move.card]
    may_wait = len(named) > 1 and view.phase is Phase.PLAY and max(view.scores) < TARGET - POINTS["ronda-caida"]
    if named and not may_wait:
        return max(named, key=lambda move: _likelihood(view, move.card or ""))
    return None


def _likelihood(view: CuarentaView, card: Card) -> tuple[int, int]:
    """Likelihood that a caught card was of the ronda: many falls of its kind, and few such cards in sight."""
    place = view.options["ronda"] == "suit"
    caught = sum(fall.card[place] == card[place] for fall in view.falls)
    in_sight = sum(other[place] == card[place] for other in view.hand)
    return caught, -in_sight


def plays(view: CuarentaView) -> list[Lay | Capture]:
    """The cards to choose from; sequences are always taken whole."""
    return longest_plays(view.moves)


def longest_plays(moves: Iterable[Move]) -> list[Lay | Capture]:
    found = [move for move in moves if isinstance(move, Lay | Capture)]
    longest: dict[tuple[Card, ...], Lay | Capture] = {}
    for move in found:
        key = (move.card, *move.taken) if isinstance(move, Capture) else (move.card,)
        if key not in longest or len(str(move)) > len(str(longest[key])):
            longest[key] = move
    return list(longest.values())


def worth_trying(view: CuarentaView) -> Sequence[CuarentaMove]:
    """What costs nothing, else the cards to choose from."""
    gift = free_gift(view)
    return plays(view) if gift is None else [gift]


def after(sight: "Sight", move: Lay | Capture) -> tuple[list[Card], float]:
    """The pot after the play, and what the play brings at once."""
    if isinstance(move, Lay):
        return [*sight.pot, move.card], 0.0
    taken = (*move.taken, *move.run)
    pot = [card for card in sight.pot if card not in taken]
    gain = CARD_WORTH * (1 + len(taken))
    if sight.last_play is not None and move.taken == (sight.last_play[1],):
        gain += POINTS["caida"] + RONDA_HOPE * (sight.last_play[0] in sight.proclaimers)
    if not pot and sight.scores[sight.seat] < LIMPIA_BAR:
        gain += POINTS["limpia"]
    return pot, gain


def unseen(view: CuarentaView) -> list[Card]:
    """Cards that may be in another hand: neither captured in this hand nor in sight."""
    seen = {*view.hand, *view.pot, *view.ronda, *chain.from_iterable(view.remembered)}
    return [card for card in PACK if card not in seen]


@dataclass(frozen=True, slots=True)
class Sight:
    """What a player weighs a card by. scores: by seat. hidden: by rank, the cards that may be in another hand.

    next_count: the cards of the next player. The other fields are those of a view.
    """

    seat: int
    next: int
    scores: Sequence[int]
    next_count: int
    hand: Sequence[Card]
    pot: Sequence[Card]
    ronda: Sequence[Card]
    last_play: tuple[int, Card] | None
    proclaimers: Sequence[int]
    hidden: Mapping[str, int]

    @classmethod
    def of_view(cls, view: CuarentaView) -> "Sight":
        assert view.seat is not None
        after = (view.seat + 1) % view.seats
        return cls(
            *(view.seat, after, view.scores, view.hand_counts[after]),
            *(view.hand, view.pot, view.ronda, view.last_play),
            *(view.proclaimers, count_ranks(unseen(view))),
        )

    @classmethod
    def of_mover(cls, state: CuarentaState) -> "Sight":
        """What the player to act sees in an imagined deal."""
        seat = state.to_act[0]
        after = state.seat_after(seat)
        others = chain(state.stock, *(hand for owner, hand in enumerate(state.hands) if owner != seat))
        return cls(
            *(seat, after, [state.scores[state.side(owner)] for owner in range(state.seats)], len(state.hands[after])),
            *(state.hands[seat], state.pot, state.rondas[seat], state.last_play),
            *([owner for owner, cards in enumerate(state.rondas) if cards], count_ranks(others)),
        )


def count_ranks(cards: Iterable[Card]) -> Mapping[str, int]:
    return Counter(card[0] for card in cards)


class Judgement:
    """Move evaluation of a careful player: the value of each play, less what it leaves to the next player."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        share = sight.next_count / max(sum(sight.hidden.values()), 1)
        # That the next player holds a card of each rank.
        self.chance = {rank: 1 - (1 - share) ** sight.hidden.get(rank, 0) for rank in RANKS}

    def value(self, move: Lay | Capture) -> float:
        sight = self.sight
        pot, gain = after(sight, move)
        may_sweep = sight.scores[sight.next] < LIMPIA_BAR
        laid = move.card if isinstance(move, Lay) else ""
        threats = best_captures(ranks_of(pot), laid[:1], may_sweep, laid in sight.ronda)
        hopes = best_captures(ranks_of(pot), "", may_sweep, False)
        return gain - self._expected_loss(threats) + 0.4 * self._best_next_capture(move.card, hopes)

    def _expected_loss(self, threats: Threats) -> float:
        """Value of the next player's best capture, weighed by the chance that they hold its card."""
        expected, missing = 0.0, 1.0
        for rank, worth in threats.items():
            expected += missing * self.chance[rank] * worth
            missing *= 1 - self.chance[rank]
        return expected

    def _best_next_capture(self, played: Card, hopes: Threats) -> float:
        """Value of the player's best capture later, if the next player does not have its card."""
        rest = [card[0] for card in self.sight.hand if card != played and card[0] in hopes]
        return max([hopes[rank] * (1 - self.chance[rank]) for rank in rest], default=0.0)


def ranks_of(cards: Iterable[Card]) -> str:
    return "".join(sorted([card[0] for card in cards]))


@cache
def best_captures(pot: str, laid: str, may_sweep: bool, is_ronda: bool) -> Threats:
    """Value of the best capture for each rank that has one, highest first, from a pot of these ranks.

    laid: the rank that can fall, "" for none.
    """
    sums = Sums(pot.translate(FACES), VALUE_OF_RANK, HIGHEST_VALUE)
    best: Threats = {}
    for rank in RANKS:
        run = 0
        for above in RANKS[RANK[rank] + 1 :]:
            if above not in pot:
                break
            run += 1
        value = RANK[rank] + 1
        groups = sums.groups(value) if value <= HIGHEST_VALUE else []
        sizes = [group.bit_count() for group in groups if group.bit_count() > 1]
        worths = [_capture_worth(size + run, len(pot), may_sweep) for size in sizes]
        if rank in pot:
            extra = (POINTS["caida"] + RONDA_FEAR * is_ronda) * (laid == rank)
            worths.append(_capture_worth(1 + run, len(pot), may_sweep) + extra)
        if worths:
            best[rank] = max(worths)
    return dict(sorted(best.items(), key=lambda item: -item[1]))


def _capture_worth(cards: int, lying: int, may_sweep: bool) -> float:
    return CARD_WORTH * (1 + cards) + POINTS["limpia"] * (may_sweep and cards == lying)


# Imagined deals, and playing on in them


def fits_last_play(view: CuarentaView, world: CuarentaState) -> float:
    """How little was missed in an imagined deal: who lays a card can mostly take nothing with the others."""
    if view.last_play is None:
        return 0.0
    layer, laid = view.last_play
    takes = best_captures(ranks_of(card for card in view.pot if card != laid), "", True, False)
    return -max([takes.get(card[0], 0.0) for card in world.hands[layer]], default=0.0)


def playout(state: CuarentaState, move: CuarentaMove) -> dict[str, float]:
    """The points that the mover's side gains on the other one, by rule, and `WON` for the game.

    The deal is played to its end and one round of the next one with it, because what the last cards of a deal leave
    in the pot is taken by the first cards of the next.
    """
    side = state.side(state.to_act[0])
    scores, before = [*state.scores], [(rule, place, -points) for rule, place, points in _tally(state)]
    hand, batch, further = len(state.results), state.batch_number, state.seats
    state.play(state.to_act[0], move)
    while len(state.results) == hand and further:
        further -= state.batch_number != batch
        state.play(state.to_act[0], _careful_choice(state))
    now = scored_lines(state.results[hand]) if len(state.results) > hand else _standing(state)
    scored = [*before, *now]
    for place, score in enumerate(scores):
        if score + sum(points for _rule, scorer, points in scored if scorer == place) >= TARGET:
            scored.append((f"{state.game.slug}:forty-wins", place, WON))
    return lead_of_scored(scored, side)


def _tally(state: CuarentaState) -> Iterator[Scored]:
    """What the sides have scored on the way in this hand."""
    for rule, times in state.tally.items():
        for place in range(SIDES):
            yield f"{state.game.slug}:{rule}", place, POINTS[rule] * times[place]


def _standing(state: CuarentaState) -> Iterator[Scored]:
    """The same with the value of the cards that each side has captured."""
    yield from _tally(state)
    for place, pile in enumerate(state.piles):
        yield f"{state.game.slug}:count-twenty", place, CARD_WORTH * len(pile)


def _careful_choice(state: CuarentaState) -> CuarentaMove:
    """What costs nothing, else the play that a careful player likes best."""
    moves = state.legal_moves(state.to_act[0])
    cards = longest_plays(moves)
    gift = max((move for move in moves if isinstance(move, Claim | Declare)), key=partial(_gift, state), default=None)
    if gift is not None and (not cards or _gift(state, gift) > 0):
        return gift
    return cards[0] if len(cards) == 1 else max(cards, key=Judgement(Sight.of_mover(state)).value)


def _gift(state: CuarentaState, move: Claim | Declare) -> int:
    """How many cards or points a move brings that is no play."""
    if isinstance(move, Claim):
        return len(move.cards)
    # A player guesses right more often than not, and there is one try: a wrong card is never named.
    card = move.card
    return 0 if card is None else POINTS["ronda-caida"] if card in state.rondas[_layer(state, card)] else -1


def _layer(state: CuarentaState, card: Card) -> int:
    return next(fall.layer for fall in state.falls if fall.card == card)


LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong(CUARENTA)}


# What speaks for a move


def reason(view: CuarentaView, move: CuarentaMove) -> Reason:
    return explained(CUARENTA, view, move)


def explained(game: Cuarenta, view: CuarentaView, move: CuarentaMove) -> Reason:
    risk = ""
    match move:
        case Capture():
            (text, rule), risk = _for_capture(view, move), _against_capture(view, move)
        case Lay():
            text, rule, risk = _for_laying(view, move), "lay", _against_laying(view, move)
        case Claim():
            text, rule = _for_claim(move), "oversight"
        case Declare():
            text, rule = _for_declaration(move), "ronda-caida"
    return Reason(text, f"{game.slug}:{rule}", risk)


def _for_capture(view: CuarentaView, move: Capture) -> tuple[str, str]:
    facts, rules = [f"Your pile gets {_size(move)} cards"], ["count-twenty"]
    if why := _why_not_more(view, move):
        facts.append(why)
    if move.run:
        facts.append(f"{' '.join(move.run)} {'comes' if len(move.run) == 1 else 'come'} along in sequence")
        rules.append("sequence")
    if len(after(Sight.of_view(view), move)[0]) == 0 and view.scores[view.to_act[0]] < LIMPIA_BAR:
        facts.append("The pot is left empty: a limpia, 2 points")
        rules.append("limpia")
    if view.last_play is not None and move.taken == (view.last_play[1],):
        facts.append(f"It catches {view.last_play[1]}, which was just laid: a caída, 2 points")
        rules.append("caida")
    return f"{'. '.join(reversed(facts))}.", rules[-1]


def _size(move: Capture) -> int:
    return 1 + len(move.taken) + len(move.run)


def _largest_capture(view: CuarentaView) -> Capture | None:
    return max((move for move in plays(view) if isinstance(move, Capture)), key=_size, default=None)


def _why_not_more(view: CuarentaView, move: Capture) -> str:
    """Why a capture is better than one that takes more cards, "" where none does."""
    larger = _largest_capture(view)
    if larger is None or _size(larger) <= _size(move):
        return ""
    sweep = _sweep(view, larger)
    if sweep and not _sweep(view, move):
        return f"{_taking(larger)} instead {sweep}"
    return f"You keep {larger.card} for later" if larger.card != move.card else ""


def _against_capture(view: CuarentaView, move: Capture) -> str:
    larger = _largest_capture(view)
    if sweep := _sweep(view, move):
        return f"It {sweep}."
    if larger is not None and _size(larger) > _size(move):
        return f"{larger.card} could take more: {' '.join([*larger.taken, *larger.run])}."
    return ""


def _taking(move: Capture) -> str:
    return f"Taking {' '.join([*move.taken, *move.run])} with {move.card}"


def _sweep(view: CuarentaView, move: Lay | Capture) -> str:
    """What the move leaves that the next player could sweep with one card, "" for nothing."""
    pot, _ = after(Sight.of_view(view), move)
    if not pot or view.scores[(view.to_act[0] + 1) % view.seats] >= LIMPIA_BAR:
        return ""
    threats = best_captures(ranks_of(pot), "", True, False)
    all_of_it = _capture_worth(len(pot), len(pot), True)
    ranks = {card[0] for card in unseen(view)}
    sweeping = next((rank for rank in threats if threats[rank] >= all_of_it and rank in ranks), None)
    if sweeping is None:
        return ""
    alone = " alone" if len(pot) == 1 else ""
    return f"leaves {' '.join(pot)}{alone}, which {a_rank(sweeping)} could sweep: a limpia"


def _for_laying(view: CuarentaView, move: Lay) -> str:
    card = move.card
    facts = [_instead_of_taking(view, move), _if_caught(view, card), _retaken(view, card)]
    return " ".join(filter(None, facts))


def _instead_of_taking(view: CuarentaView, move: Lay) -> str:
    """Why not to take, where another card could."""
    captures = [other for other in plays(view) if isinstance(other, Capture)]
    if not captures:
        return "None of your cards takes anything now."
    largest = max((capture for capture in captures if capture.card != move.card), key=_size, default=None)
    if largest is None:
        return ""
    sweep = _sweep(view, largest)
    if sweep and not _sweep(view, move):
        return f"{_taking(largest)} {sweep}."
    return f"You keep {largest.card}: it takes {' '.join(largest.taken)} in your next turn, if it's still there."


def _rivals(view: CuarentaView, card: Card) -> str:
    """How many other cards could fall on this one: "Two other fours"."""
    rivals, name = sum(other[0] == card[0] for other in unseen(view)), RANK_NAMES[card[0]]
    if rivals < 2:
        return f"One other {name}" if rivals else f"No other {name}"
    return f"{FEW[rivals].capitalize()} other {name}{'es' if name == 'six' else 's'}"


def _if_caught(view: CuarentaView, card: Card) -> str:
    """What the cards that could fall on this one, and the player's ronda, say for laying it.

    A card of the ronda, for whose cards the others look, has nothing of it to say for itself while others are free.
    """
    free = [other for other in view.hand if other not in view.ronda]
    fact = f"{_rivals(view, card)} could take {card} with a caída"
    if card in view.ronda and free and not fact.startswith("No "):
        return f"You keep {' '.join(by_display(free))} to take with later."
    mates = [other for other in view.hand if other != card and other[0] == card[0]]
    fact = f"{fact}{f'; you keep {mates[0]}' if mates else ''}."
    if card in view.ronda:
        return fact if free else f"All your cards are of your ronda. {fact}"
    return f"{fact} It isn't in your ronda, whose cards you keep." if set(view.ronda) & set(view.hand) else fact


def _against_laying(view: CuarentaView, move: Lay) -> str:
    if move.card in view.ronda and not _rivals(view, move.card).startswith("No "):
        return (
            f"{move.card} is in your ronda: caught with a caída, it can cost you {POINTS['ronda-caida']} points more."
        )
    sweep = _sweep(view, move)
    return f"It {sweep}." if sweep else ""


def _retaken(view: CuarentaView, card: Card) -> str:
    """The sum by which another card of the hand would take the laid card next turn, "" without one."""
    sums = Sums([other for other in (*view.pot, card) if other in VALUES], VALUES, HIGHEST_VALUE)
    for other in view.hand:
        groups = map(sums.pick, sums.groups(VALUES[other])) if other != card and other in VALUES else ()
        taken = next((group for group in groups if card in group and len(group) > 1), ())
        if taken:
            return f"If nothing is taken before, {other} takes {' '.join(by_display(taken))} in your next turn."
    return ""


def _for_claim(move: Claim) -> str:
    if not move.cards:
        return "Nothing need be claimed."
    return f"The last play left out {' '.join(move.cards)}, which {'comes' if len(move.cards) == 1 else 'come'} to you."


def _for_declaration(move: Declare) -> str:
    if move.card is None:
        return "To decline scores nothing and costs nothing."
    return "A card of an announced ronda that you caught brings 10 points; you have one try."
