"""The game of Russian Bank: its options, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import ClassVar

from games.core.cards import Card
from games.core.contract import Game, HandEnd, Option, Options, Position, Show, switch
from games.core.deals import Decks, random_decks
from games.core.picks import choices_with
from games.engines.russian_bank.imagining import imagine
from games.engines.russian_bank.moves import (
    FOUNDATION,
    GO,
    LOADS,
    OWN_PILES,
    PACK,
    RANK_OF,
    SEATS,
    STOCK,
    TURN_UP,
    TURNED,
    WASTE,
    Play,
    RussianBankMove,
    parse_move,
)
from games.engines.russian_bank.position import RussianBankReader, dump_position
from games.engines.russian_bank.show import show_game
from games.engines.russian_bank.state import RussianBankState
from games.engines.russian_bank.view import RussianBankView


class RussianBank(Game[RussianBankState, RussianBankView, RussianBankMove]):
    slug: ClassVar[str] = "russian-bank"
    name: ClassVar[str] = "Russian Bank"
    summary: ClassVar[str] = "Two patiences race on common foundations, and load their cards on each other."
    seats: ClassVar[tuple[int, ...]] = (SEATS,)
    deal_word: ClassVar[str] = "game"
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "mode",
            "Mode",
            "strict",
            {"strict": "strict, only legal moves", "casual": "casual, with stop calls"},
            "Casual: a player may miss a card that must be played, and the other may call stop.",
        ),
        Option(
            "stop_penalty",
            "After a stop",
            "correct",
            {"correct": "the error is corrected", "lose_turn": "the turn is lost too"},
            "For casual games.",
        ),
        switch("shared_tableau", "Shared tableau", default=False, help="All eight piles are common, as in Crapette."),
        switch(
            "optional_waste",
            "Free waste",
            default=False,
            help="A turned card may go on the waste even if it fits the tableau.",
        ),
        Option(
            "vacancy",
            "Vacancies",
            "free",
            {"free": "may stay empty", "stock_first": "are filled before a reserve card is turned"},
            "Filled while there is a stock card.",
        ),
        Option(
            "target",
            "Target",
            "none",
            {"none": "a single game", 100: "100", 200: "200", 300: "300"},
            "The points that win a match.",
        ),
    )

    def has_several_deals(self, options: Options) -> bool:
        return False

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> RussianBankState:
        return RussianBankState(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> RussianBankMove:
        return parse_move(text)

    def attempt(self, view: RussianBankView, picks: Sequence[str]) -> RussianBankMove:
        """A card and where it is to go; a card alone is meant for a foundation. Who is not on turn answers."""
        if view.seat != view.turn:
            return GO
        places = list(dict.fromkeys(self._place_of(view, pick) for pick in picks))
        named = [pick for pick in picks if pick in RANK_OF]
        if places == [TURNED] and not named:
            return TURN_UP
        if len(places) > 2 or (len(places) == 1 and len(named) > 1):
            self.refuse_selection("tableau-single", "Cards move one at a time: choose one card and where it goes.")
        goals = {move.target for move in view.moves if isinstance(move, Play) and move.source == places[0]}
        if len(places) == 1 and FOUNDATION not in goals and choices_with(view, picks):
            words = "where the card goes" if goals else "the card that goes there"
            self.refuse_selection("tableau-build", f"Now choose {words}.")
        source, target = self._from_to(places[0], places[1] if len(places) > 1 else FOUNDATION)
        return Play(source, target, next((card for card in named if self._place_of(view, card) == source), None))

    def _place_of(self, view: RussianBankView, pick: str) -> str:
        """Where a card or a zone lies, as the seat on turn names it."""
        zone = next(zone for zone in view.zones if pick == zone.id or pick in zone.cards)
        kind, *parts = zone.id.split(":")
        if kind == "foundation":
            return FOUNDATION
        is_own = int(parts[0]) == view.turn
        if kind == "tableau":
            return str(int(parts[1]) + (0 if is_own else OWN_PILES))
        if kind == "reserve" and not is_own:
            self.refuse_selection("tableau-own", "You can't move the other player's cards; use your own.")
        return {"stock": STOCK, "waste": WASTE, "reserve": TURNED}[kind] if is_own else f"O{kind[0].upper()}"

    def _from_to(self, source: str, target: str) -> tuple[str, str]:
        """Source and target, whichever was chosen first. :raises UnreadableMove: no card goes from one to the other."""
        goals, sources = (FOUNDATION, *LOADS), (STOCK, TURNED)
        if (source in goals and target not in goals) or (target in sources and source not in sources):
            source, target = target, source
        if source == FOUNDATION:
            self.refuse_selection("foundation-final", "Cards on a foundation stay there; choose a card to play on it.")
        if target in sources:
            self.refuse_selection(
                "waste-reserve-only", "You can't put a card on your own stock or reserve; choose another place for it."
            )
        return source, target

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> RussianBankState:
        """A position; every key may be left out. Seats are 0 and 1, or P1 and P2.

        options: by name. dealer: the seat that is not player one; 1, or in the opening the one not to move.
        to_move: the seat on turn, 0 if not given; null once the game is over.
        phase: opening, turn, shift (casual mode: the other seat answers) or over. Without it a mover whose stock
        lies face down is in the opening.
        tableau: by seat, up to four piles, each bottom to top as a list or text, or one text with the piles between
        strokes, "9H1 8S1 / KC1 / / 3D1"; a text without strokes has one card a pile. Also by number, {1: "9H1 8S1"}.
        foundations: up to eight, also by number, each all its cards or its top card alone, `4S1` or `4S`; the cards
        below it are then taken from those that lie nowhere else.
        stock, reserve: by seat, the next card first. waste: by seat, bottom to top. In these a number stands for so
        many cards that lie nowhere else: `[9D2, 3]`. A reserve that is left out has up to 36 of the own pack.
        face_up: by seat, the face-up cards of the stock; 1 if not given, none in the opening.
        turned: the turned card of the seat on turn. rounds: by seat, see `blocked`.
        turn, previous_turn: deeds such as `0:S>F 5S1`, `0:+9C1`, `0:T=9C1`, `0:VT=9C1`, `0:P`, `1:STOP`.
        A mover without stock, reserve, waste and turned card has gone out, and the game is scored at once.
        error: of this turn in casual mode, {after: number of deeds, rounds: by seat then}. corrected: after a STOP.
        wrong_calls: by seat. scores: by seat. draws: drawn games in a row. games_played: before this one.
        """
        return RussianBankReader(self, data, deals).state

    def dump(self, state: RussianBankState) -> Position:
        return dump_position(state)

    def show(self, end: HandEnd[RussianBankState, RussianBankMove]) -> Show:
        return show_game(end)

    def sample(self, view: RussianBankView, rng: Random) -> RussianBankState:
        """`rng` deals the cards that lie face down and those of a waste that the log no longer names."""
        decks = Decks(random_decks(PACK, rng))
        state = RussianBankState(self, decks, seats=view.seats, options=view.options, dealer=view.dealer)
        imagine(state, view, rng)
        return state


RUSSIAN_BANK = RussianBank()
