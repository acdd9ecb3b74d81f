"""The game of Gin Rummy: its options, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import ClassVar, cast

from games.core.card_bits import BIT, cards, mask, union
from games.core.cards import Card
from games.core.contract import (
    Game,
    HandEnd,
    Option,
    Options,
    Position,
    Show,
    move_that_touches,
    numbers,
    switch,
)
from games.core.deals import Decks, random_decks
from games.core.moves import TAKE, Discard
from games.core.rummy.deadwood import best_deadwood, best_grouping, points
from games.engines.gin_rummy.imagining import imagine
from games.engines.gin_rummy.moves import (
    DISCARD,
    DRAW_CARD,
    PACK,
    SEATS,
    SHOWDOWN,
    BigGin,
    GinRummyMove,
    Knock,
    Meld,
    Showdown,
    laid_out,
    parse_move,
)
from games.engines.gin_rummy.position import GinRummyReader, dump_position
from games.engines.gin_rummy.show import show_hand
from games.engines.gin_rummy.state import GinRummyState
from games.engines.gin_rummy.view import GinRummyView


def _meant_ending(view: GinRummyView, mine: list[Card], *, gives_discard: bool) -> Knock | BigGin:
    """Cards of the hand as melds to knock with. The first one is the discard if the pile was chosen too."""
    chosen = mine[1:] if gives_discard else mine
    loose = [card for card in reversed(view.hand) if card not in chosen and card != view.taken_upcard]
    if not loose and not gives_discard:
        return BigGin(_meant_melds(chosen))
    return Knock.of(mine[0] if gives_discard else max(loose, key=lambda card: points(BIT[card])), _meant_melds(chosen))


def _meant_showdown(mine: list[Card], melds: list[str]) -> Showdown:
    if not melds:
        return Showdown(_meant_melds(mine))
    number = int(melds[0].partition(":")[2])
    return Showdown((), tuple((card, number) for card in sorted(mine, key=BIT.__getitem__)))


def _meant_melds(chosen: list[Card]) -> tuple[Meld, ...]:
    """The melds that leave least of these cards; what is left comes as another one, to be refused."""
    melds = best_grouping(mask(chosen))
    rest = cards(mask(chosen) & ~union(melds))
    return laid_out([*map(cards, melds), *([rest] if rest else [])])


class GinRummy(Game[GinRummyState, GinRummyView, GinRummyMove]):
    slug: ClassVar[str] = "gin-rummy"
    name: ClassVar[str] = "Gin Rummy"
    summary: ClassVar[str] = "Meld sets and runs in your hand, and knock before your opponent does."
    seats: ClassVar[tuple[int, ...]] = (SEATS,)
    has_hand_melds: ClassVar[bool] = True
    options: ClassVar[tuple[Option, ...]] = (
        numbers("target", "Target", (50, 100, 150, 250), default=100, help="Points that end the game."),
        numbers("knock_limit", "Knock limit", range(11), default=10, help="With 0, only gin ends a hand."),
        numbers("gin_bonus", "Gin bonus", (20, 25), default=20),
        numbers("undercut_bonus", "Undercut bonus", (10, 20, 25), default=10),
        numbers("box_bonus", "Box bonus", (0, 20, 25), default=20, help="For each hand won, added at the end."),
        numbers("game_bonus", "Game bonus", (0, 100), default=100, help="For reaching the target."),
        Option(
            "shutout",
            "Shutout",
            "bonus-200",
            {
                "bonus-200": "game bonus 200",
                "double-total": "the winner's total counts double",
                "none": "nothing extra",
            },
            "When the loser has no points at all.",
        ),
        Option("big_gin", "Big gin", 0, {0: "off", 31: "31", 50: "50"}, "Bonus for eleven cards in melds."),
        switch("undercut_on_tie", "Undercut on a tie", default=True, help="Off: equal deadwood scores nothing."),
        switch(
            "oklahoma",
            "Oklahoma",
            default=False,
            help="The first upcard's points are the knock limit of the hand.",
        ),
        switch(
            "oklahoma_spades",
            "Spades double",
            default=False,
            help="With Oklahoma, a spade upcard doubles the hand.",
        ),
        Option(
            "next_dealer",
            "Next dealer",
            "loser",
            {
                "loser": "the loser of the hand",
                "winner": "the winner of the hand",
                "alternate": "the players in turn",
            },
        ),
        switch(
            "review_discards", "Open discard pile", default=False, help="Both players can look through the discards."
        ),
        Option(
            "defence",
            "Defence",
            "auto",
            {"auto": "the table finds the best", "manual": "the defender melds and lays off"},
        ),
    )
    presets: ClassVar[Mapping[str, Options]] = {
        "classic": {},
        "modern": {
            "gin_bonus": 25,
            "undercut_bonus": 25,
            "box_bonus": 25,
            "shutout": "double-total",
            "big_gin": 31,
        },
    }

    strength_means: ClassVar[str] = "its deadwood, so that less is better"

    def hand_strength(self, hand: Sequence[Card]) -> int:
        return best_deadwood(mask(hand))

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> GinRummyState:
        return GinRummyState(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> GinRummyMove:
        return parse_move(text)

    def hand_melds(self, view: GinRummyView) -> Sequence[Sequence[Card]]:
        return [cards(meld) for meld in best_grouping(mask(view.hand))]

    def attempt(self, view: GinRummyView, picks: Sequence[str]) -> GinRummyMove:
        """A draw, a discard, or cards of the hand as melds: with a knock, or against one."""
        offered = move_that_touches(view, picks)
        if offered is not None:
            return cast(GinRummyMove, offered)
        mine = [pick for pick in picks if pick in view.hand]
        if view.phase is SHOWDOWN:
            return _meant_showdown(mine, [pick for pick in picks if pick.startswith("meld:")])
        if view.phase is DISCARD and len(mine) == len(picks) == 2:
            self.refuse_selection("turn-discard", "You discard one card. Choose just one.")
        if len(mine) > 1 and view.phase is DISCARD:
            return _meant_ending(view, mine, gives_discard=len(mine) < len(picks))
        if mine:
            return Discard(mine[0])
        if set(picks) <= {view.upcard, "discards"}:
            return TAKE
        if "stock" in picks:
            return DRAW_CARD
        self.refuse_selection("turn-draw", "Choose the stock or the top discard to draw, or cards from your hand.")

    def show(self, end: HandEnd[GinRummyState, GinRummyMove]) -> Show:
        return show_hand(end)

    def sample(self, view: GinRummyView, rng: Random) -> GinRummyState:
        """`rng` deals the cards that are neither the viewer's, nor open, nor known to be in a hand."""
        decks = Decks(random_decks(PACK, rng))
        state = GinRummyState(self, decks, seats=view.seats, options=view.options, dealer=view.dealer)
        imagine(state, view, rng)
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> GinRummyState:
        """A position; every key may be left out.

        options: by name, the others at their defaults. dealer: seat 1 if not given.
        to_move: if not given the seat with eleven cards, else the one whose turn it is after the history.
        phase: first-upcard, draw, discard, showdown or over; found from hands and history where it is missing.
        hands: by seat, lists or text; `hand` is that of the seat to move.
        discards: the upcard last, or `upcard` alone.
        stock: the next card first, or `stock_count` cards that lie nowhere else, 31 of them without both.
        taken_upcard: the upcard taken in this turn. known: cards that were seen being taken from the pile. Both are
        found from the history where they are missing.
        history: what happened in this hand, `1:P`, `0:U 7H`, `0:X KC`; two passes at its end bar the upcard.
        upcard_turns: turns in a row that began with the upcard, counted from the history where it is missing.
        knock: to be answered, `0:K QC: 5H-6H-7H`; that hand has its ten cards. limit, doubled: of this hand.
        scores, hands_won: by seat. dead_hands: in a row. hands_played: before this one, at least those won or dead.
        """
        return GinRummyReader(self, data, deals).state

    def dump(self, state: GinRummyState) -> Position:
        return dump_position(state)


GIN_RUMMY = GinRummy()
