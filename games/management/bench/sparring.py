"""Sparring players: simple players from outside, or written for the purpose, by which house bots are measured.

A sparring match is mirrored like a bot match: each deal is played twice, from both sides. Where a whole game would
only add noise, a match is one hand.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from random import Random
from subprocess import CalledProcessError
from time import process_time
from typing import Any, Protocol

from games.bots import Bot
from games.bots.matches import decks_from
from games.core.card_bits import ALL_CARDS, BIT, bits, mask
from games.core.cards import RANKS
from games.core.contract import Game, Move
from games.core.cribbage import VALUE, after, pegged, show
from games.core.deals import Decks, random_decks
from games.core.moves import TAKE, Discard, Draw
from games.engines.gin_rummy.game import GIN_RUMMY
from games.engines.gin_rummy.moves import Knock, Pass
from games.engines.gin_rummy.view import GinRummyView
from games.engines.partnership_cribbage import moves as cribbage
from games.engines.partnership_cribbage.game import PARTNERSHIP_CRIBBAGE
from games.engines.partnership_cribbage.view import CribbageView
from games.engines.sixty_six.game import SIXTY_SIX
from games.engines.sixty_six.moves import CLAIM
from games.engines.sixty_six.scoring import GOAL
from games.engines.sixty_six.state import SixtySixState
from games.engines.sixty_six.view import SixtySixView
from games.management.bench.open_spiel_table import OpenSpielTable


@dataclass(slots=True)
class Stopwatch:
    """A bot whose processor time is taken."""

    bot: Bot
    seconds: float = 0.0
    moves: int = 0

    def choose(self, view: Any, rng: Random) -> Move:
        begin = process_time()
        move = self.bot.choose(view, rng)
        self.seconds += process_time() - begin
        self.moves += 1
        return move

    @property
    def milliseconds(self) -> float:
        """Processor time of a move."""
        return 1000 * self.seconds / max(self.moves, 1)


@dataclass(frozen=True, slots=True)
class Score:
    """A match for the house bot. share: of what could be won, from 0 to 1. lead: points more than the other a game."""

    share: float
    lead: float


class Table(Protocol):
    """A table for two with a sparring player at it. game: whose pack is shuffled. is_hand: a game is one hand."""

    game: Game[Any, Any, Any]
    is_hand: bool

    def play(self, bot: Bot, seat: int, decks: Decks, rng: Random) -> float:
        """Plays one game of a mirrored match; the lead of the house bot, which sits on `seat`."""


# At our own table


@dataclass(slots=True)
class OwnTable:
    """A table of ours for two with a sparring player, whose time is taken."""

    game: Game[Any, Any, Any]
    player: Stopwatch
    is_hand: bool = False

    def play(self, bot: Bot, seat: int, decks: Decks, rng: Random) -> float:
        state = self.game.start(decks_from(decks), seats=2)
        players = [bot, self.player] if seat == 0 else [self.player, bot]
        while state.to_act and not (self.is_hand and state.results):
            mover = state.to_act[0]
            state.play(mover, players[mover].choose(state.view(mover), rng))
        scores = state.results[0].points if self.is_hand else state.view(None).scores
        return float(scores[seat] - scores[1 - seat])


class GreedyCribbage:
    """Keeps the four cards with the highest average count, blind to the crib, and pegs the most it can at once."""

    def choose(self, view: CribbageView, rng: Random) -> Move:
        if view.phase is cribbage.Phase.DISCARD:
            return max((move for move in view.moves if isinstance(move, cribbage.Discard)), key=self._kept(view))
        plays = [move for move in view.moves if isinstance(move, cribbage.Play)]
        return max(plays, key=lambda move: self._pegs(view, move.card), default=view.moves[0])

    def _kept(self, view: CribbageView) -> Callable[[cribbage.Discard], int]:
        hand = mask(view.hand)
        return lambda move: sum(show(hand ^ mask(move.cards), starter).total for starter in bits(ALL_CARDS & ~hand))

    def _pegs(self, view: CribbageView, card: str) -> tuple[int, int]:
        return pegged(after(view.trail, BIT[card])).points, VALUE[BIT[card]]


@dataclass(frozen=True, slots=True)
class PlainMonteCarlo:
    """Sixty-Six by plain Monte Carlo: plays each move on at random, several times in each of some sampled worlds."""

    worlds: int = 4
    playouts: int = 10

    def choose(self, view: SixtySixView, rng: Random) -> Move:
        assert view.seat is not None, "a player sits at the table"
        moves = [move for move in view.moves if move != CLAIM or self._may_claim(view)]
        if len(moves) == 1:
            return moves[0]
        worlds = [SIXTY_SIX.sample(view, rng) for _ in range(self.worlds)]
        gains = [sum(self._outcome(world, move, view.seat, rng) for world in worlds) for move in moves]
        return moves[gains.index(max(gains))]

    def _may_claim(self, view: SixtySixView) -> bool:
        assert view.seat is not None, "a player sits at the table"
        return view.tricks[view.seat] > 0 and view.memory.points[view.seat] >= GOAL

    def _outcome(self, world: SixtySixState, move: Move, seat: int, rng: Random) -> float:
        gain = 0.0
        for _playout in range(self.playouts):
            state = world.copy()
            state.play(seat, move)
            while len(state.results) == len(world.results):
                mover = state.to_act[0]
                can_claim = state.tricks[mover] and state.points[mover] >= GOAL
                moves = [move for move in state.legal_moves(mover) if move != CLAIM]
                state.play(mover, CLAIM if can_claim else rng.choice(moves))
            points = state.results[-1].points
            gain += points[seat] - points[1 - seat]
        return gain


class RLCardNovice:
    """RLCard's rule player of Gin Rummy: knocks as soon as it can, discards for least deadwood, draws at random.

    :raises ImportError: RLCard is not installed, or pip is not, which RLCard asks for its list of packages.
    """

    DRAW, TAKE, DISCARD, KNOCK = 2, 3, 6, 58  # action numbers of RLCard; a card's number is added to the last two

    def __init__(self) -> None:
        try:
            self.agent = import_module("rlcard.models.gin_rummy_rule_models").GinRummyNoviceRuleAgent()
        except CalledProcessError as error:
            raise ImportError("RLCard needs pip: python3 -m ensurepip") from error
        self.numpy = import_module("numpy")
        self.number_of = {rank + suit: number for number, (suit, rank) in enumerate(product("SHDC", RANKS))}

    def choose(self, view: GinRummyView, rng: Random) -> Move:
        moves = {number: move for move in reversed(view.moves) if (number := self._number(move)) is not None}
        if not moves:
            return view.moves[0]
        hand = self.numpy.zeros(52, dtype=int)
        hand[[self.number_of[card] for card in view.hand]] = 1
        self.numpy.random.seed(rng.getrandbits(32))
        return moves[int(self.agent.step({"legal_actions": OrderedDict.fromkeys(moves), "obs": [hand]}))]

    def _number(self, move: Move) -> int | None:
        """RLCard's number of a move; of all knocks with a card the last one counts, which leaves least."""
        match move:
            case Discard():
                return self.DISCARD + self.number_of[move.card]
            case Knock():
                return self.KNOCK + self.number_of[move.card]
            case Draw() | Pass():
                return self.DRAW
        return self.TAKE if move == TAKE else None


# At OpenSpiel's table


class OpenSpielGin:
    """OpenSpiel's simple bot at its own table. :raises ImportError: OpenSpiel is not installed."""

    def __init__(self) -> None:
        self.game: Game[Any, Any, Any] = GIN_RUMMY
        self.is_hand = True
        self.table = OpenSpielTable()

    def play(self, bot: Bot, seat: int, decks: Decks, rng: Random) -> float:
        players = [self.table.simple_player(number) for number in (0, 1)]
        players[seat] = self.table.our_player(bot, seat, rng)
        return self.table.play_hand(players, decks[0])[seat]


TABLES: dict[str, dict[str, Callable[[], Table]]] = {
    "gin-rummy": {
        "openspiel": OpenSpielGin,
        "rlcard": lambda: OwnTable(GIN_RUMMY, Stopwatch(RLCardNovice()), is_hand=True),
    },
    "partnership-cribbage": {"greedy": lambda: OwnTable(PARTNERSHIP_CRIBBAGE, Stopwatch(GreedyCribbage()))},
    "sixty-six": {"monte-carlo": lambda: OwnTable(SIXTY_SIX, Stopwatch(PlainMonteCarlo()))},
}
"""By game and name: the tables of the sparring players. Making one raises ImportError where a library is missing."""


@dataclass(frozen=True, slots=True)
class Bar:
    """What a level should reach. share: of matches. lead: points more than the other a game or hand, 0 for any."""

    share: float
    lead: float = 0.0


LEVEL_BARS = {("club", "first-steps"): 0.7, ("strong", "club"): 0.62, ("expert", "strong"): 0.6}
"""By level and the one below it: the share of matches to win in every game, where skill allows it."""

SPARRING_BARS = {
    "openspiel": {"club": Bar(0.55), "strong": Bar(0.57, 4), "expert": Bar(0.6, 6)},
    "rlcard": {"club": Bar(0.55), "strong": Bar(0.78), "expert": Bar(0.8)},
    "greedy": {"club": Bar(0.55), "strong": Bar(0.65)},
    "monte-carlo": {"club": Bar(0.55), "strong": Bar(0.65)},
}
"""By sparring player and level."""


def sparring_matches(table: Table, bot: Bot, *, seed: int) -> Iterator[Score]:
    """Mirrored matches without end, each on its own decks."""
    rng, game = Random(seed), table.game
    pack = game.deck(game.read_options(None, 2))
    while True:
        decks = Decks(random_decks(pack, Random(rng.getrandbits(64))))
        leads = [table.play(bot, seat, decks, rng) for seat in (0, 1)]
        yield Score(sum(0.5 + 0.5 * ((lead > 0) - (lead < 0)) for lead in leads) / 2, sum(leads) / 2)
