"""OpenSpiel's table of Gin Rummy, where a bot of ours plays OpenSpiel's simple bot under OpenSpiel's rules.

The rules differ from ours: a tie scores nothing, the discard pile is open, and with two cards left in the stock a
player may only knock with the upcard or pass. Our bot sees each position as a view of our own engine.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import product
from random import Random
from typing import Any, TypeAlias

from games.bots import Bot
from games.core.card_bits import cards, mask
from games.core.cards import RANKS, SUITS, Card
from games.core.contract import Options
from games.core.moves import TAKE, Discard
from games.core.rummy.deadwood import best_defence
from games.engines.gin_rummy.game import GIN_RUMMY
from games.engines.gin_rummy.moves import HAND_CARDS, Knock, Phase
from games.engines.gin_rummy.view import GinRummyView

Player: TypeAlias = Callable[[Any], int]
"""Chooses the action of its seat in a state of OpenSpiel."""

NUMBER_OF = {rank + suit: number for number, (suit, rank) in enumerate(product("SCDH", RANKS))}
CARD_OF = {number: card for card, number in NUMBER_OF.items()}
DRAW_UPCARD, DRAW_STOCK, PASS, KNOCK, FIRST_MELD = 52, 53, 54, 55, 56
FIRST_PLAYER = 0

RULES: Options = GIN_RUMMY.read_options(
    {"gin_bonus": 25, "undercut_bonus": 25, "undercut_on_tie": False, "review_discards": True}, 2
)
PHASES = {"FIRST_UPCARD": Phase.FIRST_UPCARD, "DRAW": Phase.DRAW, "DISCARD": Phase.DISCARD, "WALL": Phase.DISCARD}


def deeds_of(history: Iterable[tuple[int, int]], upcard: int) -> Iterator[str]:
    """The deeds of a hand as a position of ours names them. history: players and actions; upcard: the first one."""
    for player, action in history:
        if player < 0:
            continue
        if action == DRAW_UPCARD:
            yield f"{player}:U {CARD_OF[upcard]}"
        elif action in (DRAW_STOCK, PASS):
            yield f"{player}:{'D' if action == DRAW_STOCK else 'P'}"
        elif action in CARD_OF:
            upcard = action
            yield f"{player}:X {CARD_OF[action]}"


def view_of(state: Any, seat: int) -> GinRummyView:
    """What a player at OpenSpiel's table knows, as a view of our engine; at the wall with the upcard in hand."""
    hands = [[CARD_OF[card] for card in hand] for hand in state.hands()]
    known = [CARD_OF[card] for seen in state.known_cards() for card in seen]
    discards = [CARD_OF[card] for card in state.discard_pile()]
    upcard = CARD_OF.get(state.upcard())
    phase = state.current_phase().name
    history = [(step.player, step.action) for step in state.full_history()]
    deeds = list(deeds_of(history, upcard=history[2 * HAND_CARDS][1]))
    taken = None
    if phase == "WALL":
        hands[seat].append(str(upcard))
    elif upcard is not None:
        discards.append(upcard)
    elif deeds[-1][2] == "U":
        taken = deeds[-1][4:]
    position = {
        "options": RULES, "dealer": 1 - FIRST_PLAYER, "phase": PHASES[phase], "to_move": seat, "hands": hands,
        "discards": discards, "stock_count": state.stock_size(), "known": known, "history": deeds,
        **({"taken_upcard": taken} if taken else {}),
    }  # fmt: skip
    return GIN_RUMMY.load(position).view(seat)


class OpenSpielTable:
    """A table of OpenSpiel's Gin Rummy with its simple bot. :raises ImportError: OpenSpiel is not installed."""

    def __init__(self) -> None:
        self.spiel = import_module("pyspiel")
        self.game = self.spiel.load_game("gin_rummy")
        utils = self.spiel.gin_rummy.GinRummyUtils(len(RANKS), len(SUITS), HAND_CARDS)
        melds: dict[int, list[int]] = utils.int_to_meld
        self.meld_of = {FIRST_MELD + number: mask(CARD_OF[card] for card in meld) for number, meld in melds.items()}
        self.number_of_meld = {meld: number for number, meld in self.meld_of.items()}

    def simple_player(self, seat: int) -> Player:
        step: Player = self.spiel.make_simple_gin_rummy_bot(self.game.get_parameters(), seat).step
        return step

    def our_player(self, bot: Bot, seat: int, rng: Random) -> Player:
        return OurPlayer(self, bot, seat, rng).step

    def play_hand(self, players: Sequence[Player], deck: Iterable[Card]) -> list[float]:
        """What each player wins with a hand. deck: ten cards for the first player, ten for the other, the stock."""
        state, cards = self.game.new_initial_state(), iter(deck)
        while not state.is_terminal():
            chance = state.is_chance_node()
            state.apply_action(NUMBER_OF[next(cards)] if chance else players[state.current_player()](state))
        won: list[float] = state.returns()
        return won


class OurPlayer:
    """A seat at OpenSpiel's table that one of our bots plays. steps: what is still to do for the move it made."""

    def __init__(self, table: OpenSpielTable, bot: Bot, seat: int, rng: Random) -> None:
        self.table, self.bot, self.seat, self.rng = table, bot, seat, rng
        self.steps: list[int] = []

    def step(self, state: Any) -> int:
        legal: list[int] = state.legal_actions()
        if not self.steps and len(legal) > 1:
            self.steps = self._defence(state) if state.current_phase().name == "LAYOFF" else self._steps(state)
        action = next((step for step in self.steps if step in legal), legal[0])
        if action in self.steps:
            self.steps.remove(action)
        return action

    def _steps(self, state: Any) -> list[int]:
        move = self.bot.choose(view_of(state, self.seat), self.rng)
        if isinstance(move, Knock):
            melds = [self.table.number_of_meld[mask(meld)] for meld in move.melds]
            return [KNOCK, NUMBER_OF[move.card], *melds, PASS]
        if isinstance(move, Discard):
            return [PASS if state.current_phase().name == "WALL" else NUMBER_OF[move.card]]
        return [DRAW_UPCARD if move == TAKE else PASS if PASS in state.legal_actions() else DRAW_STOCK]

    def _defence(self, state: Any) -> list[int]:
        """Lay-offs, a pass, then the melds and a pass; there are no lay-offs against gin."""
        is_gin = state.finished_layoffs()
        hand = mask(CARD_OF[card] for card in state.hands()[self.seat])
        shown = state.layed_melds()[1 - self.seat]
        defence = best_defence(hand, () if is_gin else [self.table.meld_of[FIRST_MELD + number] for number in shown])
        laid_off = [NUMBER_OF[card] for added in defence.layoffs for card in cards(added)]
        melds = [self.table.number_of_meld[meld] for meld in defence.melds]
        return [*laid_off, *([] if is_gin else [PASS]), *melds, PASS]
