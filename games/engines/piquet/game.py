"""The game of Piquet: its options, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import ClassVar

from games.core.cards import Card
from games.core.contract import (
    BadOption,
    Game,
    HandEnd,
    Option,
    Options,
    OptionValue,
    Position,
    Show,
    UnreadableMove,
    numbers,
    switch,
    truth,
)
from games.core.deals import Decks, random_decks
from games.engines.piquet.imagining import imagine
from games.engines.piquet.moves import (
    BIT,
    CLAIMS,
    DECLARE,
    EXCHANGE,
    LEAD,
    LEFT,
    PACK,
    PLAY,
    PLAY_OF,
    POINT,
    RANKS,
    SEATS,
    SEQUENCE,
    SET,
    TURN_UP,
    Category,
    Claim,
    Exchange,
    PiquetMove,
    cards_of,
    mask,
    parse_exchange,
    parse_move,
)
from games.engines.piquet.position import PiquetReader, dump_position
from games.engines.piquet.scoring import HALF
from games.engines.piquet.show import show_deal
from games.engines.piquet.state import PiquetState
from games.engines.piquet.view import PiquetView


class Piquet(Game[PiquetState, PiquetView, PiquetMove]):
    slug: ClassVar[str] = "piquet"
    name: ClassVar[str] = "Piquet"
    summary: ClassVar[str] = "Exchange cards, declare what your hand is worth, and play twelve tricks."
    seats: ClassVar[tuple[int, ...]] = (SEATS,)
    deal_word = "deal"
    match: ClassVar[str] = "hundred"
    state_class: ClassVar[type[PiquetState]] = PiquetState
    hand_options: ClassVar[tuple[Option, ...]] = (
        Option(
            "younger_min",
            "Younger exchanges",
            1,
            {1: "at least one card", 0: "any number, or none"},
            "Elder always exchanges at least one card.",
        ),
        Option(
            "replies",
            "Winning answers",
            "figure",
            {"figure": "name the figure that wins", "bare": '"not good" alone'},
            "With bare answers, younger names the figures when they score.",
        ),
        switch("carte_blanche", "Carte blanche", default=True, help="10 points for a hand without court cards."),
    )
    options: ClassVar[tuple[Option, ...]] = (
        numbers(
            "target", "Target", range(50, 501, 25), default=100, help="Checked after each deal.", span=range(50, 501)
        ),
        Option(
            "double_under",
            "Double game below",
            50,
            {0: "off", HALF: "half of the target", **{points: str(points) for points in range(25, 101, 25)}},
            "A win against fewer points counts double.",
            span=range(1, 501),
        ),
        switch("equal_deals", "Equal deals", default=False, help="The game ends only after an even number of deals."),
        *hand_options,
    )

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def read_options(self, given: Mapping[str, object] | None, seats: int) -> dict[str, OptionValue]:
        """The game names its own match, so `match` may be given and says nothing new; `double_under` may be off."""
        chosen = dict(given or {})
        if chosen.pop("match", self.match) != self.match:
            raise BadOption(f"{self.name} is one way to play a match; choose the other game for the other way.")
        if truth(chosen.get("double_under")) is False:
            chosen["double_under"] = 0
        return super().read_options(chosen, seats)

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> PiquetState:
        return self.state_class(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> PiquetMove:
        """`NG 49`, as it stands in records, is `NG`: the table names the figure."""
        return parse_move(text)

    def select(self, view: PiquetView, cards: Sequence[Card]) -> PiquetMove:
        unknown = [card for card in cards if card not in BIT]
        if unknown:
            raise UnreadableMove(f"There is no card {unknown[0]} in this pack.")
        return parse_exchange(cards)

    def attempt(self, view: PiquetView, picks: Sequence[str]) -> PiquetMove:
        """Cards of the hand to lay aside, to claim with or to play, as the phase has it."""
        mine = [pick for pick in picks if pick in view.hand]
        if view.phase is LEFT and "talon" in picks:
            return TURN_UP
        if not mine:
            rule = "trick-winner" if view.phase in (LEAD, PLAY) else "exchange-hidden"
            self.refuse_selection(rule, "Choose cards from your own hand.")
        if view.phase is EXCHANGE:
            return Exchange(cards_of(mask(mine)))
        if view.phase is CLAIMS or view.phase is DECLARE and view.seat == view.elder:
            category = view.due[1]
            if len(mine) == 1 and category is not POINT:
                rule = "declare-order" if view.phase is DECLARE else "younger-declares-after-lead"
                play = "lead" if view.phase is DECLARE else "play a card"
                self.refuse_selection(rule, f"Declare a {category} or pass first, then {play}.")
            return self._meant_claim(category, mine)
        if view.phase in (LEAD, PLAY) and len(mine) > 1:
            self.refuse_selection("trick-winner", "You play one card to a trick. Choose one.")
        return PLAY_OF[mine[0]]

    def _meant_claim(self, category: Category, mine: Sequence[Card]) -> Claim:
        """The claim of these cards. :raises UnreadableMove: they are no point, sequence or set."""
        suits, ranks = {card[1] for card in mine}, sorted({RANKS.index(card[0]) for card in mine})
        if category is SET:
            if len(ranks) > 1 or len(mine) < 3:
                self.refuse_selection("set-def", "A set is three or four cards of one rank.")
            return Claim(SET, f"{mine[0][0]}{len(mine)}")
        if len(suits) > 1:
            rule = "point-length" if category is POINT else "sequence-def"
            self.refuse_selection(rule, f"All cards of a {category} are of one suit.")
        if category is POINT:
            return Claim(POINT, mine[0][1])
        if len(mine) < 3 or ranks[-1] - ranks[0] >= len(ranks):
            message = "A sequence is three or more cards of one suit, next to each other in rank."
            self.refuse_selection("sequence-def", message)
        return Claim(SEQUENCE, f"{RANKS[ranks[-1]]}{mine[0][1]}{len(mine)}")

    def show(self, end: HandEnd[PiquetState, PiquetMove]) -> Show:
        return show_deal(end)

    def sample(self, view: PiquetView, rng: Random) -> PiquetState:
        """`rng` deals what is hidden so that it agrees with all that was said, and the later decks."""
        decks = Decks(random_decks(PACK, rng))
        state = self.undealt(decks, seats=view.seats, options=view.options, dealer=view.dealer)
        imagine(state, view, rng)
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> PiquetState:
        """A position; every key may be left out, and seats may be written A and B, or elder and younger.

        options: by name. dealer: seat 1 if not given; `first_dealer` instead, and the deal has passed since.
        phase: blanche, exchange, declare (or the category that is due: point, sequence, set), lead, claims, left,
        play, over; found from the cards and from what was said where it is missing. to_move: checked, or who exchanges
        or leads; with elder to move in blanche, the dealer has gone on.
        hands: by seat, or `elder` and `younger`, as they are now. Before the declarations hands and talon that are
        left out are made up from cards that lie nowhere else, later only the one hand that is left out.
        talon: what is left, the top card first. discards, drawn: by seat.
        carte_blanche: {seat, number, cards}; number is what elder promised to exchange, cards the hand as dealt.
        said: declarations and answers of this deal in order, `PT:H GD SQ:- ST:K4 NG` and younger's own after the
        lead. Without it, in a later phase than the first claim, both have declared their best: all but what
        `elder_calls` ({point: H, set: "-"}) says otherwise or `younger_passes` ([sequence]) leaves out.
        In the phase play without any of them nothing was declared. With younger to move in declare, elder has claimed.
        leader: who led the first of the cards in `played`; if not given the shorter hand, or else elder.
        turned_up: the cards left lie open.
        tricks, counted: by seat, the tricks won and points of this deal ({point: 5, leads: 3}), where not all of
        it has been played here.
        deals: points of the finished deals, by seat; scores: the sum of them if not given; deal: the number of the
        deal being played. extra_deals: deals after a tie, the one being played included.
        Without any cards the next deck is dealt.
        """
        return PiquetReader(self, data, deals).state

    def dump(self, state: PiquetState) -> Position:
        return dump_position(state)


PIQUET = Piquet()
