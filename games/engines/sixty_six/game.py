"""The game of Sixty-Six: its options, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import ClassVar

from games.core.cards import Card
from games.core.contract import Game, HandEnd, Option, Options, Position, Show, numbers, switch
from games.core.deals import Decks, random_decks
from games.engines.sixty_six.imagining import imagine
from games.engines.sixty_six.moves import (
    CLOSE,
    DRAW,
    EXCHANGE,
    LAY_OF,
    LOOK_BACK,
    MARRY_OF,
    PACK,
    SEATS,
    Marry,
    SixtySixMove,
    card_points,
    pair_of,
    parse_move,
)
from games.engines.sixty_six.position import SixtySixReader, dump_position
from games.engines.sixty_six.show import show_hand
from games.engines.sixty_six.state import SixtySixState
from games.engines.sixty_six.view import SixtySixView


class SixtySix(Game[SixtySixState, SixtySixView, SixtySixMove]):
    slug: ClassVar[str] = "sixty-six"
    name: ClassVar[str] = "Sixty-Six"
    summary: ClassVar[str] = "Take tricks, marry kings to queens, and be the first to say 66."
    seats: ClassVar[tuple[int, ...]] = (SEATS,)
    options: ClassVar[tuple[Option, ...]] = (
        numbers("target", "Target", (5, 7, 9, 11), default=7, help="Game points that end the game."),
        Option(
            "memory",
            "Points of the hand",
            "strict",
            {"strict": "counted in the head", "assist": "the table shows each player their own"},
        ),
        Option(
            "endgame_follow",
            "Last tricks",
            "strict",
            {"strict": "beat, follow or trump if you can", "suit-only": "follow suit if you can"},
            "How to answer once the stock is used up or closed.",
        ),
        switch("late_marriages", "Late marriages", default=False, help="Also once the stock is used up."),
        Option(
            "close_window",
            "Closing",
            "either",
            {"either": "before or after the draw", "after-draw": "after the draw only"},
            "After the draw only: the table draws for both.",
        ),
        switch(
            "close_snapshot",
            "Freeze at closing",
            default=False,
            help="A closer's win counts what the other player had when the stock was closed.",
        ),
        numbers(
            "trickless_penalty",
            "Penalty without a trick",
            (2, 3),
            default=2,
            help="For a wrong claim or a failed close while the other player has no trick.",
        ),
        numbers("last_trick_bonus", "Last trick", (10, 0), default=10, help="Points for the twelfth trick."),
    )

    strength_means: ClassVar[str] = "its card points"

    def hand_strength(self, hand: Sequence[Card]) -> int:
        return card_points(hand)

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> SixtySixState:
        return SixtySixState(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> SixtySixMove:
        return parse_move(text)

    def attempt(self, view: SixtySixView, picks: Sequence[str]) -> SixtySixMove:
        """A card of the hand, two as a marriage, the nine with the upcard; or the stock or the upcard alone."""
        mine = [pick for pick in picks if pick in view.hand]
        takes_upcard = "upcard" in picks or view.upcard in picks
        if len(mine) > 1:
            return self._meant_marriage(mine)
        if mine:
            return EXCHANGE if takes_upcard else LAY_OF[mine[0]]
        if takes_upcard:
            return CLOSE
        if "stock" in picks:
            return DRAW
        if any(pick.startswith("won:") for pick in picks):
            return LOOK_BACK
        self.refuse_selection("trick-winner", "Choose a card from your own hand.")

    def _meant_marriage(self, mine: Sequence[Card]) -> Marry:
        suit = mine[0][1]
        if set(mine) == set(pair_of(suit)):
            return MARRY_OF[suit]
        if {card[0] for card in mine} == {"K", "Q"}:
            self.refuse_selection(
                "marriage", "Only a king and queen of one suit go together. Choose one card, or such a pair."
            )
        self.refuse_selection("trick-winner", "You play one card at a time. Choose one.")

    def show(self, end: HandEnd[SixtySixState, SixtySixMove]) -> Show:
        return show_hand(end)

    def sample(self, view: SixtySixView, rng: Random) -> SixtySixState:
        """`rng` deals the cards that were never seen: the other's hand and the stock."""
        state = self.undealt(Decks(random_decks(PACK, rng)), seats=view.seats, options=view.options, dealer=view.dealer)
        imagine(state, view, rng)
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> SixtySixState:
        """A position; every key may be left out. Seats are 0 and 1, or A and B.

        options: by name. dealer: seat 1 if not given. scores: game points. carry: what ties add to the next hand.
        hands_played: before this one. phase: lead, follow, after (a trick is won, nothing drawn yet), final (all tricks
        are played) or over; follow if a card was led, else lead. to_move: the non-dealer if not given.
        hands: by seat, or under A and B. upcard: null once it is drawn; trump: its suit, needed without an upcard.
        stock: face down, the next card first, without the upcard; or `stock_count` cards that lie nowhere else, as
        many as there can be if neither is given. led: the card to be answered. last_trick: the one still shown.
        won: the cards of tricks, by seat. points and tricks are counted from them, or given where some are left out;
        points include marriage_points and, in the final phase, the last trick's; pending ones wait for a trick.
        declared: the suit that must be led now. closed_by: seat. at_close: points and tricks of its opponent at
        that time. known: cards in hands that were seen getting there. lacking: cards that a hand has shown not to hold.
        """
        return SixtySixReader(self, data, deals).state

    def dump(self, state: SixtySixState) -> Position:
        return dump_position(state)


SIXTY_SIX = SixtySix()
