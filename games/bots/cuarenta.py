"""House bots of Cuarenta, for two and for four players.

First steps takes what it sees at a glance, forgets half of its sequences and claims, and lays cards down as they
come. Club weighs what a card takes against what it leaves to the next players. Strong imagines the hidden cards and
plays on to the next deal.
"""

from collections.abc import Sequence
from itertools import chain
from random import Random
from typing import TypeAlias, cast

from games.bots import Reason
from games.core.captures import Sums
from games.core.cards import Card, by_display
from games.engines.cuarenta.game import CUARENTA, Cuarenta
from games.engines.cuarenta.moves import (
    HIGHEST_VALUE,
    PACK,
    RANK,
    RANKS,
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
RANK_NAMES = dict(zip(RANKS, "ace two three four five six seven jack queen king".split(), strict=True))
FEW = ("no", "one", "two", "three")

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


class Club:
    """Takes the most there is and guards its ronda, but ignores the next player's answer."""

    def choose(self, view: CuarentaView, rng: Random) -> CuarentaMove:
        gift = free_gift(view)
        if gift is not None:
            return gift
        return max(plays(view), key=lambda move: after(view, move)[1] - (move.card in view.ronda) + 0.5 * rng.random())


class Strong:
    """Monte Carlo search: plays the best looking moves on in many sampled deals; the average decides.

    effort: so many cards may be played in all, which is about a tenth of a second.
    """

    candidates = 6
    worlds = 40
    effort = 1_500
    prior = 0.6

    def __init__(self, game: Cuarenta) -> None:
        self.game = game

    def choose(self, view: CuarentaView, rng: Random) -> CuarentaMove:
        gift = free_gift(view)
        if gift is not None:
            return gift
        judgement = Judgement(view)
        values = {move: judgement.value(move) for move in plays(view)}
        moves = sorted(values, key=lambda move: -values[move])[: self.candidates]
        if len(moves) == 1:
            return moves[0]
        totals = dict.fromkeys(moves, 0.0)
        worlds = cards = 0
        while worlds < self.worlds and cards < self.effort:
            world = self.game.sample(view, rng)
            for move in moves:
                lead, played = playout(world.copy(), move)
                totals[move] += lead
                cards += played
            worlds += 1
        return max(moves, key=lambda move: totals[move] / worlds + self.prior * values[move])

    def outcome(self, world: CuarentaState, move: CuarentaMove) -> float:
        return playout(world.copy(), move)[0]


LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong(CUARENTA)}


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
    found = [move for move in view.moves if isinstance(move, (Lay, Capture))]
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


def after(view: CuarentaView, move: Lay | Capture) -> tuple[list[Card], float]:
    """The pot after the play, and what the play brings at once."""
    if isinstance(move, Lay):
        return [*view.pot, move.card], 0.0
    taken = (*move.taken, *move.run)
    pot = [card for card in view.pot if card not in taken]
    gain = CARD_WORTH * (1 + len(taken))
    if view.last_play is not None and move.taken == (view.last_play[1],):
        gain += POINTS["caida"] + RONDA_HOPE * (view.last_play[0] in view.proclaimers)
    if not pot and view.scores[view.to_act[0]] < LIMPIA_BAR:
        gain += POINTS["limpia"]
    return pot, gain


def unseen(view: CuarentaView) -> list[Card]:
    """Cards that may be in another hand: neither captured in this hand nor in sight."""
    seen = {*view.hand, *view.pot, *view.ronda, *chain.from_iterable(view.remembered)}
    return [card for card in PACK if card not in seen]


class Judgement:
    """Move evaluation of a careful player: the value of each play, less what it leaves to the next player."""

    def __init__(self, view: CuarentaView) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.next = (view.seat + 1) % view.seats
        hidden = unseen(view)
        share = view.hand_counts[self.next] / max(len(hidden), 1)
        # That the next player holds a card of each rank.
        self.chance = {rank: 1 - (1 - share) ** sum(card[0] == rank for card in hidden) for rank in RANKS}

    def value(self, move: Lay | Capture) -> float:
        view = self.view
        rest = [card for card in view.hand if card != move.card]
        pot, gain = after(view, move)
        may_sweep = view.scores[self.next] < LIMPIA_BAR
        laid = move.card if isinstance(move, Lay) else None
        threats = best_captures(pot, laid, may_sweep, laid in view.ronda)
        return gain - self._expected_loss(threats) + 0.4 * self._best_next_capture(rest, threats)

    def _expected_loss(self, threats: Threats) -> float:
        """Value of the next player's best capture, weighed by the chance that they hold its card."""
        expected, missing = 0.0, 1.0
        for rank in sorted(threats, key=lambda rank: -threats[rank]):
            expected += missing * self.chance[rank] * threats[rank]
            missing *= 1 - self.chance[rank]
        return expected

    def _best_next_capture(self, rest: Sequence[Card], threats: Threats) -> float:
        """Value of the player's best capture later, if the next player does not have its card."""
        hopes = [threats[card[0]] * (1 - self.chance[card[0]]) for card in rest if card[0] in threats]
        return max(hopes, default=0.0)


def best_captures(pot: Sequence[Card], laid: Card | None, may_sweep: bool, is_ronda: bool) -> Threats:
    """Value of the best capture for each rank that has one; `laid` is the card that can fall."""
    ranks = {card[0] for card in pot}
    sums = Sums([card for card in pot if card in VALUES], VALUES, HIGHEST_VALUE)
    best: Threats = {}
    for rank in RANKS:
        run = 0
        for above in RANKS[RANK[rank] + 1 :]:
            if above not in ranks:
                break
            run += 1
        value = RANK[rank] + 1
        groups = sums.groups(value) if value <= HIGHEST_VALUE else []
        sizes = [group.bit_count() for group in groups if group.bit_count() > 1]
        worths = [_capture_worth(size + run, len(pot), may_sweep) for size in sizes]
        if rank in ranks:
            falls = laid is not None and laid[0] == rank
            extra = (POINTS["caida"] + RONDA_FEAR * is_ronda) * falls
            worths.append(_capture_worth(1 + run, len(pot), may_sweep) + extra)
        if worths:
            best[rank] = max(worths)
    return best


def _capture_worth(cards: int, lying: int, may_sweep: bool) -> float:
    return CARD_WORTH * (1 + cards) + POINTS["limpia"] * (may_sweep and cards == lying)


# Playing on in an imagined deal


def playout(state: CuarentaState, move: CuarentaMove) -> tuple[float, int]:
    """The lead of the mover's side in points, and the number of cards played.

    The deal is played to its end and one round of the next one with it, because what the last cards of a deal leave
    in the pot is taken by the first cards of the next.
    """
    side = state.side(state.to_act[0])
    before = [
        score - sum(POINTS[rule] * times[place] for rule, times in state.tally.items())
        for place, score in enumerate(state.scores)
    ]
    hand, batch, further, played = len(state.results), state.batch_number, state.seats, 1
    state.play(state.to_act[0], move)
    while len(state.results) == hand and further:
        further -= state.batch_number != batch
        state.play(state.to_act[0], _quick_choice(state))
        played += 1
    if len(state.results) > hand:
        standing = [score + float(state.results[hand].points[place]) for place, score in enumerate(before)]
    else:
        standing = [score + CARD_WORTH * len(state.piles[place]) for place, score in enumerate(state.scores)]
    won = [WON * (score >= TARGET) for score in standing]
    return standing[side] + won[side] - standing[1 - side] - won[1 - side], played


def _quick_choice(state: CuarentaState) -> CuarentaMove:
    return max(state.legal_moves(state.to_act[0]), key=lambda move: _quick_value(state, move))


def _quick_value(state: CuarentaState, move: CuarentaMove) -> float:
    """Orders moves without looking ahead: gifts, falls, rich captures, then cards that are held twice."""
    match move:
        case Claim(cards):
            return WON + len(cards) if cards else 0.0
        case Declare(card):
            # A player guesses right more often than not, and there is one try: a wrong card is never named.
            return 0.0 if card is None else WON if card in state.rondas[_layer(state, card)] else -WON
        case Capture(_, taken, run):
            falls = state.last_play is not None and taken == (state.last_play[1],)
            sweeps = len(taken) + len(run) == len(state.pot)
            return CARD_WORTH * (1 + len(taken) + len(run)) + 2.0 * falls + 2.0 * sweeps
        case Lay(card):
            mates = sum(other[0] == card[0] for other in state.hands[state.to_act[0]]) - 1
            in_ronda = card in state.rondas[state.to_act[0]]
            return 0.1 * mates - 0.1 * in_ronda - 0.05 * (RANK[card[0]] < HIGHEST_VALUE)


def _layer(state: CuarentaState, card: Card) -> int:
    return next(fall.layer for fall in state.falls if fall.card == card)


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
    if len(after(view, move)[0]) == 0 and view.scores[view.to_act[0]] < LIMPIA_BAR:
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
    pot, _ = after(view, move)
    if not pot or view.scores[(view.to_act[0] + 1) % view.seats] >= LIMPIA_BAR:
        return ""
    threats, all_of_it = best_captures(pot, None, True, False), _capture_worth(len(pot), len(pot), True)
    ranks = {card[0] for card in unseen(view)}
    sweeping = next((rank for rank in threats if threats[rank] >= all_of_it and rank in ranks), None)
    if sweeping is None:
        return ""
    alone = " alone" if len(pot) == 1 else ""
    return f"leaves {' '.join(pot)}{alone}, which {_a_card(sweeping)} could sweep: a limpia"


def _a_card(rank: str) -> str:
    return f"{'an' if rank == 'A' else 'a'} {RANK_NAMES[rank]}"


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
