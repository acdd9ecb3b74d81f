"""House bots of Russian Bank.

First steps plays whatever goes somewhere. Club has learned what to do first: load, use the stock, keep room on the
piles. Strong imagines the cards that lie face down and plays its best moves on for a while, both sides as a club
player would.
"""

from collections.abc import Iterator, Sequence
from random import Random

from games.bots import Reason
from games.bots.rollouts import Scored, lead_of_scored, scored_lines
from games.core.cards import Card
from games.engines.russian_bank.game import RUSSIAN_BANK
from games.engines.russian_bank.moves import (
    ALL,
    FOUNDATION,
    GO,
    LOADS,
    OWN,
    OWN_PILES,
    PASS,
    STOCK,
    STOP,
    THEIR_STOCK,
    TURNED,
    WASTE,
    Call,
    Play,
    RussianBankMove,
)
from games.engines.russian_bank.scoring import STOCK_POINTS
from games.engines.russian_bank.state import RussianBankState
from games.engines.russian_bank.view import RussianBankView

Piles = Sequence[Sequence[Card]]

# What a vacancy is worth in cards left.
ROOM = 1.5


class FirstSteps:
    """Makes any move that it sees. attention: how often it notices a priority in casual games, or an error."""

    attention = 0.5

    def choose(self, view: RussianBankView, rng: Random) -> RussianBankMove:
        return rng.choice(sensible_moves(view, self.attention, rng))


class Club:
    """Does what is usually best, and does not look further."""

    attention = 0.9

    def choose(self, view: RussianBankView, rng: Random) -> RussianBankMove:
        moves = sensible_moves(view, self.attention, rng)
        return max(moves, key=lambda move: appeal(move, view.tableau[view.turn]))


class Strong:
    """Monte Carlo search: tries its best looking moves in sampled deals; the average decides.

    candidates: how many moves it tries. steps: how far it plays on. effort: how many moves it plays in all, which
    takes about a tenth of a second. trust: what the appeal of a move weighs beside the average.
    """

    candidates = 4
    steps = 40
    effort = 2000
    trust = 0.3
    prize = 0.0

    def choose(self, view: RussianBankView, rng: Random) -> RussianBankMove:
        moves = sensible_moves(view, 1.0, rng)
        looks = {move: appeal(move, view.tableau[view.turn]) for move in moves}
        best = sorted(moves, key=lambda move: -looks[move])[: self.candidates]
        if len(best) == 1 or view.seat != view.turn:
            return best[0]
        totals = dict.fromkeys(best, 0.0)
        worlds = self.effort // (self.steps * len(best))
        for _ in range(worlds):
            world = RUSSIAN_BANK.sample(view, rng)
            for move in best:
                totals[move] += sum(playout(world.copy(), move, self.steps).values())
        return max(best, key=lambda move: totals[move] / worlds + self.trust * looks[move])

    def lead_by_rule(self, world: RussianBankState, move: RussianBankMove) -> dict[str, float]:
        return playout(world.copy(), move, self.steps)


LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong()}


def sensible_moves(view: RussianBankView, attention: float, rng: Random) -> Sequence[RussianBankMove]:
    """The legal moves; of a casual game those that keep the priorities, if the player pays attention.

    A bot calls STOP only for an error that it has noticed, or if it has no other move.
    """
    moves = [move for move in view.moves if isinstance(move, (Play, Call))]
    is_attentive = rng.random() < attention
    if view.seat != view.turn:
        calls = is_attentive and view.mark is not None and STOP in moves
        return [GO] if GO in moves and not calls else [STOP]
    if view.options["mode"] == "strict" or not is_attentive:
        return moves
    due = [move for move in moves if isinstance(move, Play) and move.target == FOUNDATION]
    if due:
        return due[:1] if due[0].source == STOCK else due
    fits = any(isinstance(move, Play) and move.source == TURNED and move.target in ALL for move in moves)
    if fits and not view.options["optional_waste"]:
        return [move for move in moves if not isinstance(move, Play) or move.target != WASTE]
    return moves


def worth_trying(view: RussianBankView) -> Sequence[RussianBankMove]:
    """The moves that break no priority."""
    return sensible_moves(view, 1.0, Random(0))


def appeal(move: RussianBankMove, piles: Piles) -> float:
    """Value of a move by itself, in cards. piles: those of the player on turn."""
    if not isinstance(move, Play):
        return 0.0
    if move.target == FOUNDATION:
        return 6.0
    if move.target in LOADS:
        return {STOCK: 4.0, TURNED: 3.5}.get(move.source, 3.0)
    if move.target == WASTE:
        return -1.0
    if move.source == STOCK:
        return 2.5
    if move.source == TURNED:
        return 2.0
    number = int(move.source) - 1
    makes_room = number < OWN_PILES and len(piles[number]) == 1
    return 1.0 if makes_room else -2.0


def playout(state: RussianBankState, move: RussianBankMove, steps: int) -> dict[str, float]:
    """Lead of the mover in points, by rule, when both sides play on like club players for some steps."""
    seat, results = state.turn, len(state.results)
    state.play(seat, move)
    while steps and state.to_act and len(state.results) == results:
        moves = state.legal_moves(state.to_act[0])
        piles = state.tableau[state.turn]
        state.play(state.to_act[0], moves[0] if len(moves) == 1 else max(moves, key=lambda move: appeal(move, piles)))
        steps -= 1
    return lead_of_scored(scored_lines(state.results[-1]) if len(state.results) > results else standing(state), seat)


def standing(state: RussianBankState) -> Iterator[Scored]:
    """What fewer cards left than the opponent and more room are worth."""
    for seat in (0, 1):
        yield "russian-bank:stock-turn-up", seat, -STOCK_POINTS * len(state.stock[seat])
        yield "russian-bank:reserve-turn", seat, -len(state.reserve[seat]) - len(state.waste[seat])
        yield "russian-bank:vacancy-fill", seat, ROOM * state.tableau[seat].count([])


# What speaks for a move


def reason(view: RussianBankView, move: RussianBankMove) -> Reason:
    text, rule = _for_play(view, move) if isinstance(move, Play) else _for_call(view, move)
    return Reason(text, f"russian-bank:{rule}")


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def _for_play(view: RussianBankView, move: Play) -> tuple[str, str]:
    if move.target == WASTE:
        return _for_wasting(view)
    if move.target == FOUNDATION:
        return _for_foundation(view, move)
    if move.target in LOADS:
        pile, points = ("stock", STOCK_POINTS) if move.target == THEIR_STOCK else ("waste", 1)
        text = f"It goes to the other player's {pile}, where it scores {points} for you if you go out."
        return text, "load-becomes-theirs"
    if move.source == STOCK:
        return f"That leaves {_cards(view.stock_counts[view.turn] - 1)} in your stock.", "stock-turn-up"
    if move.source == TURNED:
        return "When a turned card finds a place, your turn goes on.", "turn-end"
    return _for_shifting(view, move.source)


def _for_foundation(view: RussianBankView, move: Play) -> tuple[str, str]:
    if move.source == STOCK:
        left = _cards(view.stock_counts[view.turn] - 1)
        return (
            f"Your stock card goes to a foundation before any other; that leaves {left} in your stock.",
            "stock-first",
        )
    return f"{view.top(move.source)} fits a foundation, and that goes before anything else.", "foundation-forced"


def _for_wasting(view: RussianBankView) -> tuple[str, str]:
    fits = any(isinstance(other, Play) and other.source == TURNED and other.target in ALL for other in view.moves)
    if fits:
        return f"You save the room on your piles, but your turn ends with {view.turned} on the waste.", "turn-end"
    return f"{view.turned} fits none of your piles, so it may go on the waste; that ends your turn.", "reserve-waste"


def _for_shifting(view: RussianBankView, source: str) -> tuple[str, str]:
    number = int(source) - 1
    pile = view.tableau[view.turn if source in OWN else 1 - view.turn][number % OWN_PILES]
    if len(pile) == 1:
        return f"That empties pile {source}, and an empty pile takes any card.", "vacancy-fill"
    fits = ", which fits a foundation" if view.foundation_for(pile[-2]) else ""
    return f"That frees {pile[-2]} below it{fits}.", "tableau-single"


def _for_call(view: RussianBankView, move: RussianBankMove) -> tuple[str, str]:
    if move == STOP and view.mark is not None:
        return "A card was missed this turn; you can only call stop until you take yours.", "casual-stop"
    if move == STOP:
        return "Nothing was missed this turn, and you only have three wrong calls.", "casual-wrong-call"
    if move == GO:
        return f"@{view.turn}'s turn is over, and yours begins.", "casual-shift"
    if move == PASS:
        return "Your reserve and waste are empty, so you have nothing to turn up.", "pass-no-reserve"
    left = _cards(view.reserve_counts[view.turn] or view.waste_counts[view.turn])
    return f"Your turn goes on as long as turned cards find a place; you have {left} to turn up.", "reserve-turn"
