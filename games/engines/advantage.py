"""Advantage (Vigoda) for two: fit cards on three open piles, swap hands every round, pick up piles for pairs.

Source: document "Advantage (or Vigoda)", the complete rules of its inventor.
Rulings, where it is silent or unclear:
- a card drawn from the stock is seen by its drawer alone until it is dropped, traded, laid aside, or the hands change
  owners (option `draws`);
- a blocked player must draw before a drop and may draw before a pick; passing a pick by choice never ends the game;
- only a player who traded in this round lays pairs aside; N, the first of the round, pairs and refills before D;
- "runs out of cards" is tested when a drop turn ends and after both pairing turns (option `out_by_pairing`);
- an engine has no clock, so the date that settles a dead tie is part of the options: `day` says whether the game was
  started on an odd or an even day of the month (in UTC), before the first card, and it never changes afterwards.
  A position may give the whole date as `started_on` instead;
- it ends: there are at most 43 draws and 26 pairs, and eight rounds in a row without either end the game;
- the log does not tell who stopped by choice from who had to stop: it would give away hidden cards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, ClassVar, NoReturn, Self, TypeAlias

from games.core.cards import Card, by_display, pack
from games.core.contract import (
    Choice,
    Event,
    Game,
    HandResult,
    IllegalMove,
    ImpossiblePosition,
    Move,
    NotYourTurn,
    Option,
    Options,
    Outcome,
    Phrase,
    Position,
    ScoreLine,
    State,
    UnreadableMove,
    View,
    Zone,
    numbers,
    open_zone,
    switch,
)
from games.core.deals import Decks
from games.core.positions import PositionReader, by_seat, card_list, check_cards

SEATS = 2
PILES = 3
HAND_CARDS = 3
MOST_DROPS = 2
BEST_RANKS_FIRST = "AKQJT98765432"
RANK_NAMES = dict(
    zip(
        BEST_RANKS_FIRST,
        "aces kings queens jacks tens nines eights sevens sixes fives fours threes twos".split(),
        strict=True,
    )
)

Pair: TypeAlias = tuple[Card, Card]


class Phase(StrEnum):
    DROP = "drop"
    PICK = "pick"
    PAIR = "pair"
    OVER = "over"


DROP, PICK, PAIR, OVER = Phase

_DECK = pack()


# Fitting


def _is_red(card: Card) -> bool:
    return card[1] in "DH"


def _is_face(card: Card) -> bool:
    return card[0] in "JQK"


def _fits(card: Card, top: Card, *, colour: str) -> bool:
    """Whether one of the two may lie on the other. colour: the option of that name."""
    if card[0] == top[0] or "T" in (card[0], top[0]):
        return True
    has_ace = "A" in (card[0], top[0])
    if not has_ace and _is_face(card) != _is_face(top):
        return False
    return _is_red(card) == _is_red(top) or (colour == "aces_only" and not has_ace)


FITTING: dict[str, dict[Card, frozenset[Card]]] = {
    colour: {card: frozenset(top for top in _DECK if top != card and _fits(card, top, colour=colour)) for card in _DECK}
    for colour in ("all", "aces_only")
}


# Moves


@dataclass(frozen=True, slots=True)
class Drop(Move):
    """Lays a card on a pile, 1 to 3: `D 8H>2`."""

    card: Card
    pile: int

    def __str__(self) -> str:
        return f"D {self.card}>{self.pile}"


@dataclass(frozen=True, slots=True)
class StopDropping(Move):
    """Keeps the second card: `D.`"""

    def __str__(self) -> str:
        return "D."


@dataclass(frozen=True, slots=True)
class Trade(Move):
    """Takes a pile, 1 to 3, and leaves a card in its place: `T 8H>2`."""

    card: Card
    pile: int

    def __str__(self) -> str:
        return f"T {self.card}>{self.pile}"


@dataclass(frozen=True, slots=True)
class DrawToPick(Move):
    """Draws a card because nothing can be traded: `T+`."""

    def __str__(self) -> str:
        return "T+"


@dataclass(frozen=True, slots=True)
class PassPick(Move):
    """Picks up nothing in this round: `T-`."""

    def __str__(self) -> str:
        return "T-"


@dataclass(frozen=True, slots=True)
class LayPair(Move):
    """Lays two cards of a rank aside: `P 8C8H`, by suit; build it by `LayPair.of`."""

    cards: Pair

    @classmethod
    def of(cls, first: Card, second: Card) -> Self:
        low, high = by_display((first, second))
        return cls((low, high))

    def __str__(self) -> str:
        return f"P {''.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class StopPairing(Move):
    """Lays no more pairs aside in this round: `P.`"""

    def __str__(self) -> str:
        return "P."


AdvantageMove: TypeAlias = Drop | StopDropping | Trade | DrawToPick | PassPick | LayPair | StopPairing

STOP_DROPPING, DRAW_TO_PICK, PASS_PICK, STOP_PAIRING = StopDropping(), DrawToPick(), PassPick(), StopPairing()
_DROPS = {card: tuple(Drop(card, pile + 1) for pile in range(PILES)) for card in _DECK}
_TRADES = {card: tuple(Trade(card, pile + 1) for pile in range(PILES)) for card in _DECK}

_CARD = r"[A2-9TJQK][CDHS]"
_MOVE = re.compile(
    rf"(?P<kind>[DT]) ?(?:(?P<card>{_CARD}) ?>? ?(?P<pile>[1-3])|(?P<pile_first>[1-3]) ?<? ?(?P<card_last>{_CARD}))"
    rf"|P ?(?P<one>{_CARD}) ?(?P<two>{_CARD})"
    r"|(?P<plain>[DP] ?\.|T ?[-+])"
)
_PLAIN: dict[str, AdvantageMove] = {str(move): move for move in (STOP_DROPPING, DRAW_TO_PICK, PASS_PICK, STOP_PAIRING)}


def _read_move(text: str) -> AdvantageMove:
    match = _MOVE.fullmatch(" ".join(text.upper().split()).replace("10", "T"))
    if match is None or (match["one"] and match["one"] == match["two"]):
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Advantage. Write D 8H>2 to drop a card on pile 2, T 8H>2 to trade it "
            "for the pile, P 8C8H to lay a pair aside; D. and P. stop, T+ draws and T- passes."
        )
    if match["plain"]:
        return _PLAIN[match["plain"].replace(" ", "")]
    if match["one"]:
        return LayPair.of(match["one"], match["two"])
    card, pile = match["card"] or match["card_last"], int(match["pile"] or match["pile_first"])
    return (_DROPS if match["kind"] == "D" else _TRADES)[card][pile - 1]


# State


class AdvantageState(State):
    """A game of Advantage.

    piles: three, the top card last. stock: the next card last. round: from 1.
    drawn: by seat, the cards in the hand that the other has not seen. blocked: by seat, the tops on which no card of
    the hand went before a blocked draw in this round, () if there was none.
    pairs: by seat, in the order they were laid aside. dropped: by seat, cards dropped in this round. traded: by seat.
    has_drawn: the seat to act has made the blocked draw of its turn.
    still_rounds: rounds in a row up to this one in which nobody has drawn or laid a pair aside.
    over: the short id of the rule that ended the game, "" before.
    history: what everybody saw, such as `0:D 8H>2`, `1:=2`, `X`, `1:#cannot-pick`.
    """

    __slots__ = (
        "_fitting",
        "blocked",
        "dealer",
        "drawn",
        "dropped",
        "hands",
        "has_drawn",
        "history",
        "options",
        "over",
        "pairs",
        "phase",
        "piles",
        "results",
        "round",
        "seats",
        "still_rounds",
        "stock",
        "to_act",
        "traded",
    )

    results: tuple[HandResult, ...]

    def __init__(self, options: Options, dealer: int) -> None:
        self.seats = SEATS
        self.options = options
        self.dealer = dealer
        self.results = ()
        self.phase = DROP
        self.to_act: tuple[int, ...] = ()
        self.piles: list[list[Card]] = [[] for _ in range(PILES)]
        self.hands: list[list[Card]] = [[] for _ in range(SEATS)]
        self.stock: list[Card] = []
        self.round = 1
        self.drawn: list[list[Card]] = [[] for _ in range(SEATS)]
        self.blocked: list[tuple[Card, ...]] = [() for _ in range(SEATS)]
        self.pairs: list[list[Pair]] = [[] for _ in range(SEATS)]
        self.dropped = [0] * SEATS
        self.traded = [False] * SEATS
        self.has_drawn = False
        self.still_rounds = 1
        self.over = ""
        self.history: list[str] = []
        self._fitting = FITTING[str(options["colour"])]

    def deal_hand(self) -> None:
        self.lay_out(self.stock[::-1])
        self.begin(DROP, self.first)

    def lay_out(self, deck: Sequence[Card]) -> None:
        """Three cards to the centre, three to N, three to D; the rest is the stock."""
        first = self.first
        self.piles = [[card] for card in deck[:PILES]]
        self.hands[first] = list(deck[PILES : PILES + HAND_CARDS])
        self.hands[1 - first] = list(deck[PILES + HAND_CARDS : PILES + 2 * HAND_CARDS])
        self.stock = list(deck[PILES + 2 * HAND_CARDS :])[::-1]

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name in AdvantageState.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.piles = [pile[:] for pile in self.piles]
        twin.hands = [hand[:] for hand in self.hands]
        twin.stock = self.stock[:]
        twin.drawn = [cards[:] for cards in self.drawn]
        twin.blocked = self.blocked[:]
        twin.pairs = [pairs[:] for pairs in self.pairs]
        twin.dropped = self.dropped[:]
        twin.traded = self.traded[:]
        twin.history = self.history[:]
        return twin

    def cards(self) -> list[Card]:
        laid = [card for pairs in self.pairs for pair in pairs for card in pair]
        return [*sum(self.piles, []), *sum(self.hands, []), *self.stock[::-1], *laid]

    @property
    def first(self) -> int:
        """N: the seat that goes first in every part of this round."""
        is_dealers = self.options["lead"] == "alternate" and self.round % 2 == 0
        return self.dealer if is_dealers else 1 - self.dealer

    @property
    def tops(self) -> tuple[Card, ...]:
        return tuple(pile[-1] for pile in self.piles if pile)

    # Legal moves

    def legal_moves(self, seat: int) -> tuple[AdvantageMove, ...]:
        if seat not in self.to_act:
            return ()
        if self.phase is DROP:
            drops: tuple[AdvantageMove, ...] = tuple(self._fitting_moves(seat, _DROPS))
            return (*drops, STOP_DROPPING) if self.dropped[seat] else drops
        if self.phase is PICK:
            trades: tuple[AdvantageMove, ...] = tuple(self._fitting_moves(seat, _TRADES))
            return (*(trades or (() if self.has_drawn else (DRAW_TO_PICK,))), PASS_PICK)
        return (*map(LayPair, self._pairs_in_hand(seat)), STOP_PAIRING)

    def _fitting_moves(self, seat: int, moves: Mapping[Card, Sequence[AdvantageMove]]) -> Iterator[AdvantageMove]:
        for card in self.hands[seat]:
            fitting = self._fitting[card]
            for index, pile in enumerate(self.piles):
                if pile and pile[-1] in fitting:
                    yield moves[card][index]

    def _can_fit(self, seat: int) -> bool:
        return any(not self._fitting[card].isdisjoint(self.tops) for card in self.hands[seat])

    def _pairs_in_hand(self, seat: int) -> list[Pair]:
        hand = by_display(self.hands[seat])
        return [(one, two) for one, two in combinations(hand, 2) if one[0] == two[0]]

    def _may_pair(self, seat: int) -> bool:
        return self.traded[seat] or bool(self.options["pair_after_pass"])

    # Playing

    def play(self, seat: int, move: Move) -> None:
        phase, action = _PLAYS[type(move)]
        if seat not in self.to_act or phase is not self.phase:
            self._refuse_now(seat, move)
        action(self, seat, move)

    def _drop(self, seat: int, move: Drop) -> None:
        pile = self._pile_for(seat, move, "drop-one-or-two", "drop-fit")
        self._leave_hand(seat, move.card)
        pile.append(move.card)
        self._tell(seat, str(move))
        self.dropped[seat] += 1
        if self.dropped[seat] == MOST_DROPS:
            self._end_drop(seat)
        else:
            self.ask()

    def _stop_dropping(self, seat: int, _move: StopDropping) -> None:
        if not self.dropped[seat]:
            _refuse("drop-one-or-two", "You have to drop one card before you may stop.")
        self._end_drop(seat)

    def _trade(self, seat: int, move: Trade) -> None:
        pile = self._pile_for(seat, move, "pick-own-card", "pick-trade")
        self._leave_hand(seat, move.card)
        self.hands[seat] += pile
        self.piles[move.pile - 1] = [move.card]
        self.traded[seat] = True
        self._tell(seat, str(move))
        self._end_pick(seat)

    def _draw_to_pick(self, seat: int, _move: DrawToPick) -> None:
        if self.has_drawn:
            _refuse("pick-blocked-draw", "You have drawn a card for this pick; trade or pass now.")
        if self._can_fit(seat):
            _refuse("pick-no-free-draw", "A card of your hand fits a pile; trade, or pass without drawing.")
        self._draw_blocked(seat)
        self.ask()

    def _pass_pick(self, seat: int, move: PassPick) -> None:
        self._tell(seat, str(move))
        self._end_pick(seat)

    def _lay_pair(self, seat: int, move: LayPair) -> None:
        one, two = move.cards
        if one[0] != two[0]:
            wild = " Tens are wild for fitting only." if "T" in (one[0], two[0]) else ""
            _refuse("pair-rank", f"{one} and {two} are no pair; choose two cards of one rank.{wild}")
        for card in move.cards:
            if card not in self.hands[seat]:
                _refuse("pair-rank", f"You do not hold {card}; choose two cards of one rank in your hand.")
        for card in move.cards:
            self._leave_hand(seat, card)
        self.pairs[seat].append(move.cards)
        self.still_rounds = 0
        self._tell(seat, str(move))
        self.ask()

    def _stop_pairing(self, seat: int, _move: StopPairing) -> None:
        self._end_pair(seat)

    def _pile_for(self, seat: int, move: Drop | Trade, hold_rule: str, fit_rule: str) -> list[Card]:
        """The pile of a drop or trade. :raises IllegalMove: the card is not held or does not fit."""
        if move.card not in self.hands[seat]:
            _refuse(hold_rule, f"You do not hold {move.card}; choose a card of your own hand.")
        pile = self.piles[move.pile - 1]
        if not pile or pile[-1] not in self._fitting[move.card]:
            top = pile[-1] if pile else "nothing"
            _refuse(fit_rule, f"{move.card} does not fit {top}; choose a pile whose top card it fits.")
        return pile

    def _leave_hand(self, seat: int, card: Card) -> None:
        self.hands[seat].remove(card)
        if card in self.drawn[seat]:
            self.drawn[seat].remove(card)

    def _draw(self, seat: int, count: int) -> None:
        for _ in range(count):
            card = self.stock.pop()
            self.hands[seat].append(card)
            if self.options["draws"] == "closed":
                self.drawn[seat].append(card)
        self.still_rounds = 0

    def _draw_blocked(self, seat: int) -> None:
        self._draw(seat, 1)
        self.has_drawn = True
        self._tell(seat, f"+{self.hands[seat][-1] if self.options['draws'] == 'open' else '?'}")

    def _refill(self, seat: int) -> None:
        """Fills a hand up to three; afterwards it is empty only if the stock is empty too."""
        count = min(HAND_CARDS - len(self.hands[seat]), len(self.stock))
        if count > 0:
            self._draw(seat, count)
            self._tell(seat, f"={count}")

    def _tell(self, seat: int, text: str) -> None:
        self.history.append(f"{seat}:{text}")

    # The course of a round: each part asks N, then D, and goes on by itself where there is nothing to decide

    def begin(self, phase: Phase, seat: int) -> None:
        self.phase = phase
        self.to_act = (seat,)
        self.has_drawn = False
        self.ask()

    def ask(self) -> None:
        """Waits for the seat to act, or plays on where it has nothing to decide."""
        seat = self.to_act[0]
        if not self.has_decision(seat):
            _PLAYS_ON[self.phase](self, seat)

    def has_decision(self, seat: int) -> bool:
        if self.phase is PAIR:
            return self._may_pair(seat) and bool(self._pairs_in_hand(seat))
        may_draw = self.phase is PICK and bool(self.stock) and not self.has_drawn
        return may_draw or self._can_fit(seat)

    def _begin_round(self) -> None:
        self.dropped = [0] * SEATS
        self.traded = [False] * SEATS
        self.begin(DROP, self.first)

    def _drop_nothing(self, seat: int) -> None:
        if self.dropped[seat]:
            self._end_drop(seat)
        elif not self.stock:
            self._end("end-cannot-drop", seat)
        elif self.has_drawn:
            self._tell(seat, "D-")
            self._end_drop(seat)
        else:
            self.blocked[seat] = self.tops
            self._draw_blocked(seat)
            self.ask()

    def _end_drop(self, seat: int) -> None:
        self._refill(seat)
        if not self.hands[seat]:
            self._end("end-out-of-cards", seat)
        elif seat == self.first:
            self.begin(DROP, 1 - seat)
        else:
            self._switch()
            self.begin(PICK, self.first)

    def _switch(self) -> None:
        self.hands.reverse()
        self.drawn = [[] for _ in range(SEATS)]
        self.blocked = [() for _ in range(SEATS)]
        self.history.append("X")

    def _pick_nothing(self, seat: int) -> None:
        if self.stock:
            self._pass_pick(seat, PASS_PICK)
        else:
            self._end("end-cannot-pick", seat)

    def _end_pick(self, seat: int) -> None:
        if seat == self.first:
            self.begin(PICK, 1 - seat)
        else:
            self.begin(PAIR, self.first)

    def _end_pair(self, seat: int) -> None:
        self._refill(seat)
        if self.options["out_by_pairing"] == "at_once" and not self.hands[seat]:
            self._end("end-out-of-cards", seat)
        elif seat == self.first:
            self.begin(PAIR, 1 - seat)
        else:
            self._end_round()

    def _end_round(self) -> None:
        empty = [seat for seat in (self.first, 1 - self.first) if not self.hands[seat]]
        if empty:
            self._end("end-out-of-cards", empty[0])
        elif self.still_rounds >= int(self.options["stall_limit"]):
            self._end("end-stalled")
        else:
            self.round += 1
            self.still_rounds += 1
            self._begin_round()

    def _end(self, over: str, seat: int | None = None) -> None:
        event = over.replace("end-", "#")
        self.history.append(event if seat is None else f"{seat}:{event}")
        self.finish(over)

    def finish(self, over: str) -> None:
        """Counts the pairs of a game that has ended."""
        self.phase, self.over, self.to_act = OVER, over, ()
        counts = self.scores()
        lines = [
            ScoreLine((seat,), "advantage:win-pairs", f"{_count(count, 'pair')} laid aside", count)
            for seat, count in enumerate(counts)
        ]
        summary = f"The game ends: {_ENDINGS[over]}. {_count(counts[0], 'pair')} for @0 and {counts[1]} for @1."
        zones = tuple(_pairs_zone(seat, pairs) for seat, pairs in enumerate(self.pairs))
        self.results = (HandResult(1, summary, tuple(counts), tuple(lines), zones),)

    # Refusals

    def _refuse_now(self, seat: int, move: Move) -> NoReturn:
        """Refuses a move that is out of turn or belongs to another part of the round."""
        rule, message = self._why_not_now(seat, move)
        error = IllegalMove if seat in self.to_act else NotYourTurn
        raise error(message, rule=f"advantage:{rule}")

    def _why_not_now(self, seat: int, move: Move) -> tuple[str, str]:
        if self.phase is OVER:
            return "end-no-more-pairs", "The game is over and no further pair counts; start another one."
        if isinstance(move, DrawToPick) and self.phase is DROP and seat in self.to_act:
            if self.dropped[seat]:
                return "drop-no-draw-between", "You cannot draw for a second drop; drop a card that fits, or stop."
            return "drop-blocked-draw", "A card of your hand fits, so drop one; only a blocked player draws."
        if isinstance(move, Drop) and self.dropped[seat] == MOST_DROPS:
            return "drop-one-or-two", f"You have dropped two cards, the most in a round; {self._what_now(seat)}"
        if isinstance(move, Trade) and self.traded[seat]:
            return "pick-trade", f"You have traded in this round, and once is all; {self._what_now(seat)}"
        if isinstance(move, LayPair | StopPairing):
            return self._why_no_pair(seat)
        return "round-order", f"This does not come now; {self._what_now(seat)}"

    def _why_no_pair(self, seat: int) -> tuple[str, str]:
        if self.phase is not PAIR:
            return "pair-when", f"Pairs are laid aside after both have picked; {self._what_now(seat)}"
        if not self._may_pair(seat):
            return "pair-needs-pick", "You passed the pick, so you lay nothing aside in this round; keep the pair."
        if seat == self.first:
            return "pair-once", "You have had your pairing turn; what you drew after it waits for another round."
        return "round-order", f"The other player pairs first; {self._what_now(seat)}"

    def _what_now(self, seat: int) -> str:
        if seat not in self.to_act:
            return "wait for the other player."
        return {
            DROP: "drop a second card or stop." if self.dropped[seat] else "drop a card on a pile that it fits.",
            PICK: "trade a card for a pile, or pass.",
            PAIR: "lay a pair aside or stop.",
        }[self.phase]

    # The result

    def scores(self) -> list[int]:
        return [len(pairs) for pairs in self.pairs]

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        counts = self.scores()
        winner, reason, lines = self._winner(counts)
        places = (1, 1) if winner is None else (1, 2) if winner == 0 else (2, 1)
        return Outcome(tuple(counts), places, reason, lines)

    def _winner(self, counts: Sequence[int]) -> tuple[int | None, str, tuple[ScoreLine, ...]]:
        """The winner, None for a drawn game, with the reason and the tie-break that decided."""
        if counts[0] != counts[1]:
            winner = 0 if counts[0] > counts[1] else 1
            return winner, f"@{winner} wins with {_count(counts[winner], 'pair')} against {counts[1 - winner]}.", ()
        level = f"Both have {_count(counts[0], 'pair')}"
        best = [_best_quad(pairs) for pairs in self.pairs]
        if best[0] != best[1]:
            winner = min(range(SEATS), key=best.__getitem__)
            quad = f"all four {RANK_NAMES[BEST_RANKS_FIRST[best[winner]]]}"
            line = ScoreLine((winner,), "advantage:tie-quads", quad.capitalize(), 0)
            return winner, f"{level}; {quad} decide for @{winner}.", (line,)
        if self.options["dead_tie"] == "shared":
            return None, f"{level} and nobody has a deciding four of a kind, so the game is drawn.", ()
        winner, day = dead_tie_winner(self.options, self.dealer), self.options["day"]
        line = ScoreLine((winner,), "advantage:tie-date", f"The game began on an {day} day", 0)
        return winner, f"{level} and nobody has a four of a kind; the {day} date decides for @{winner}.", (line,)

    # Views and positions

    def view(self, seat: int | None) -> AdvantageView:
        return AdvantageView(
            seat=seat,
            seats=SEATS,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else self.legal_moves(seat),
            scores=tuple(self.scores()),
            log=tuple(map(_event, self.history)),
            results=self.results,
            dealer=self.dealer,
            first=self.first,
            round=self.round,
            phase=self.phase,
            piles=tuple(map(tuple, self.piles)),
            hands=tuple(self._seen_hand(owner, seat) for owner in range(SEATS)),
            hand_counts=tuple(map(len, self.hands)),
            drawn=() if seat is None else tuple(self.drawn[seat]),
            blocked=tuple(self.blocked),
            pairs=tuple(map(tuple, self.pairs)),
            stock_count=len(self.stock),
            dropped=tuple(self.dropped),
            traded=tuple(self.traded),
            has_drawn=self.has_drawn,
            still_rounds=self.still_rounds,
            over=self.over,
            history=tuple(self.history),
        )

    def _seen_hand(self, owner: int, viewer: int | None) -> tuple[Card, ...]:
        hidden = () if owner == viewer else self.drawn[owner]
        return tuple(card for card in self.hands[owner] if card not in hidden)

    def dump(self) -> Position:
        return {
            "seats": SEATS,
            "options": dict(self.options),
            "dealer": self.dealer,
            "round": self.round,
            "phase": str(self.phase),
            "to_move": self.to_act[0] if self.to_act else None,
            "piles": [list(pile) for pile in self.piles],
            "hands": [list(hand) for hand in self.hands],
            "stock": self.stock[::-1],
            "drawn": [list(cards) for cards in self.drawn],
            "blocked": [list(tops) for tops in self.blocked],
            "pairs": [[list(pair) for pair in pairs] for pairs in self.pairs],
            "dropped": list(self.dropped),
            "traded": list(self.traded),
            "has_drawn": self.has_drawn,
            "still_rounds": self.still_rounds,
            "over": self.over.removeprefix("end-") or None,
            "history": list(self.history),
        }


_PLAYS: Mapping[type[Move], tuple[Phase, Callable[[AdvantageState, int, Any], None]]] = {
    Drop: (DROP, AdvantageState._drop),
    StopDropping: (DROP, AdvantageState._stop_dropping),
    Trade: (PICK, AdvantageState._trade),
    DrawToPick: (PICK, AdvantageState._draw_to_pick),
    PassPick: (PICK, AdvantageState._pass_pick),
    LayPair: (PAIR, AdvantageState._lay_pair),
    StopPairing: (PAIR, AdvantageState._stop_pairing),
}
_PLAYS_ON: Mapping[Phase, Callable[[AdvantageState, int], None]] = {
    DROP: AdvantageState._drop_nothing,
    PICK: AdvantageState._pick_nothing,
    PAIR: AdvantageState._end_pair,
}
_ENDINGS = {
    "end-cannot-drop": "no card can be dropped and the stock is empty",
    "end-cannot-pick": "no pile can be taken and the stock is empty",
    "end-out-of-cards": "a hand and the stock are empty",
    "end-stalled": "too many rounds went by without a draw or a pair",
}


def _refuse(rule: str, message: str) -> NoReturn:
    raise IllegalMove(message, rule=f"advantage:{rule}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _best_quad(pairs: Sequence[Pair]) -> int:
    """The place of the best rank with both pairs in ace-high order, the number of ranks if there is none."""
    ranks = [pair[0][0] for pair in pairs]
    quads = (place for place, rank in enumerate(BEST_RANKS_FIRST) if ranks.count(rank) == 2)
    return next(quads, len(BEST_RANKS_FIRST))


def dead_tie_winner(options: Options, dealer: int) -> int:
    """Who wins when pairs and fours of a kind decide nothing: the dealer on an odd day."""
    return dealer if options["day"] == "odd" else 1 - dealer


# View


@lru_cache(maxsize=4096)
def _event(text: str) -> Event:
    """What a line of the history says in words."""
    seat_text, _, deed = text.rpartition(":")
    seat = int(seat_text) if seat_text else None
    if deed == "X":
        return Event(None, Phrase("", "The hands change owners."), ("hand:0", "hand:1"))
    if deed == "D-":
        return Event(seat, Phrase("pass", "because no card fits"))
    if deed[0] == "+":
        card = "a card" if deed[1:] == "?" else deed[1:]
        return Event(seat, Phrase("draw", f"{card} because no card fits"), ("stock",))
    if deed[0] == "=":
        return Event(seat, Phrase("draw", f"{_count(int(deed[1:]), 'card')} to hold three"), ("stock",))
    if deed[0] == "#":
        why = _ENDINGS[deed.replace("#", "end-")]
        return Event(seat, Phrase("", f"The game ends: {why}.") if seat is None else Phrase("end", f"the game: {why}"))
    return _move_event(seat, _read_move(deed))


def _move_event(seat: int | None, move: AdvantageMove) -> Event:
    if isinstance(move, Drop):
        return Event(seat, Phrase("drop", f"{move.card} on pile {move.pile}"), (move.card,))
    if isinstance(move, Trade):
        return Event(seat, Phrase("trade", f"{move.card} for pile {move.pile}"), (move.card,))
    if isinstance(move, LayPair):
        return Event(seat, Phrase("lay", f"{' '.join(move.cards)} aside"), move.cards)
    return Event(seat, Phrase("pass", "the pick"))


def _pairs_zone(seat: int, pairs: Sequence[Pair], label: str = "") -> Zone:
    cards = [card for pair in pairs for card in pair]
    return open_zone(f"pairs:{seat}", "row", label or f"Pairs of @{seat}", cards, owner=seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvantageView(View):
    """What a seat knows of a game of Advantage.

    first: the seat that goes first in this round. piles: every card of each, the top card last.
    hands: by seat, the cards that the viewer sees. drawn: those of the own hand that the other does not see.
    The other fields are those of the state.
    """

    dealer: int
    first: int
    round: int
    phase: Phase
    piles: tuple[tuple[Card, ...], ...]
    hands: tuple[tuple[Card, ...], ...]
    hand_counts: tuple[int, ...]
    drawn: tuple[Card, ...]
    blocked: tuple[tuple[Card, ...], ...]
    pairs: tuple[tuple[Pair, ...], ...]
    stock_count: int
    dropped: tuple[int, ...]
    traded: tuple[bool, ...]
    has_drawn: bool
    still_rounds: int
    over: str
    history: tuple[str, ...]

    @property
    def zones(self) -> tuple[Zone, ...]:
        others = [seat for seat in range(SEATS) if seat != self.seat]
        shown = [*others, *([] if self.seat is None else [self.seat])]
        hands = [self._hand_zone(seat) for seat in shown]
        piles = [
            open_zone(f"pile:{number}", "pile", f"Pile {number}", pile)
            for number, pile in enumerate(self.piles, start=1)
        ]
        pairs = [_pairs_zone(seat, self.pairs[seat], "Your pairs" if seat == self.seat else "") for seat in shown]
        stock = Zone("stock", "stock", "Stock", (), self.stock_count)
        return (*hands[: len(others)], *piles, stock, *pairs, *hands[len(others) :])

    def _hand_zone(self, seat: int) -> Zone:
        label = "Your hand" if seat == self.seat else f"Hand of @{seat}"
        return Zone(f"hand:{seat}", "hand", label, tuple(by_display(self.hands[seat])), self.hand_counts[seat], seat)

    @property
    def prompt(self) -> str:
        if self.seat is None or self.seat not in self.to_act:
            return ""
        if self.phase is DROP:
            return self._drop_prompt(self.seat)
        if self.phase is PICK:
            return self._pick_prompt()
        return "Lay a pair aside, or stop."

    def _drop_prompt(self, seat: int) -> str:
        if self.dropped[seat]:
            return "Drop a second card, or stop."
        first = next(iter(self.moves), None)
        if self.has_drawn and isinstance(first, Drop):
            return f"Nothing fitted, so you drew {first.card}: drop it."
        return "Drop a card on a pile that it fits. Your hand goes to the other player afterwards."

    def _pick_prompt(self) -> str:
        if DRAW_TO_PICK in self.moves:
            return "No card of your hand fits a pile. Draw a card, or pass."
        if self.has_drawn:
            return "The card that you drew fits: trade it for a pile, or pass."
        return "Trade a card for a whole pile, or pass."

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Drop):
            top = self.piles[move.pile - 1][-1]
            return Choice(move, Phrase("drop", f"{move.card} on {top}"), (move.card, top))
        if isinstance(move, Trade):
            pile = self.piles[move.pile - 1]
            return Choice(move, Phrase("trade", f"{move.card} for {' '.join(pile)}"), (move.card, pile[-1]))
        if isinstance(move, LayPair):
            return Choice(move, Phrase("lay", f"{' '.join(move.cards)} aside"), move.cards)
        if isinstance(move, DrawToPick):
            return Choice(move, Phrase("draw", "from the stock"), ("stock",))
        if isinstance(move, PassPick):
            return Choice(move, Phrase("pass", "the pick"))
        return Choice(move, Phrase("stop", "dropping" if isinstance(move, StopDropping) else "pairing"))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [("Dealer", f"@{self.dealer}"), ("Round", str(self.round)), ("First in the round", f"@{self.first}")]
        if self.options["dead_tie"] == "date":
            found.append(("A dead tie goes to", f"@{dead_tie_winner(self.options, self.dealer)}"))
        return tuple(found)


def _lacking(view: AdvantageView, mine: Sequence[Card]) -> UnreadableMove:
    """What a selection lacks that is neither a drop nor a trade nor a pair."""
    if view.phase is PAIR or len(mine) > 1:
        message = "A pair is two cards of one rank in your hand; a pile takes one card."
        return UnreadableMove(message, rule="advantage:pair-rank")
    rule = "advantage:drop-fit" if view.phase is DROP else "advantage:pick-trade"
    if not mine:
        return UnreadableMove("Choose a card of your own hand for that pile.", rule=rule)
    tops = [pile[-1] for pile in view.piles if pile]
    if FITTING[str(view.options["colour"])][mine[0]].isdisjoint(tops):
        return UnreadableMove(f"{mine[0]} fits none of {' '.join(tops)}.", rule=rule)
    return UnreadableMove(f"Choose also the pile for {mine[0]}.", rule=rule)


# The game

_POSITION_KEYS = (
    "seats options dealer started_on round phase to_move deck piles hands stock drawn blocked pairs dropped traded "
    "has_drawn still_rounds over history"
).split()
_DEED = re.compile(
    rf"X|#stalled|[01]:(?:D-|T-|\+(?:\?|{_CARD})|=[1-3]|[DT] {_CARD}>[1-3]|P (?P<one>{_CARD})(?!(?P=one)){_CARD}"
    r"|#(?:cannot-drop|cannot-pick|out-of-cards))"
)


class Advantage(Game[AdvantageState, AdvantageView, AdvantageMove]):
    slug: ClassVar[str] = "advantage"
    name: ClassVar[str] = "Advantage"
    summary: ClassVar[str] = "Fit cards on three open piles, swap hands every round, and pick up piles for pairs."
    seats: ClassVar[tuple[int, ...]] = (SEATS,)
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "colour",
            "Same colour",
            "all",
            {"all": "for aces, faces and numbers", "aces_only": "for aces only"},
            "Which cards need the colour of the top card to fit.",
        ),
        Option(
            "out_by_pairing",
            "Out of cards by pairing",
            "after_both",
            {"after_both": "ends after both have paired", "at_once": "ends the game at once"},
        ),
        Option(
            "draws",
            "Drawn cards",
            "closed",
            {"closed": "hidden until the hands change owners", "open": "open to both"},
        ),
        switch(
            "pair_after_pass",
            "Pairs after a pass",
            default=False,
            help="On: who passed the pick may lay pairs aside too.",
        ),
        Option(
            "lead",
            "First in the round",
            "nondealer",
            {"nondealer": "always the non-dealer", "alternate": "the players in turn"},
        ),
        numbers(
            "stall_limit",
            "Still rounds",
            range(4, 21),
            default=8,
            help="So many rounds in a row without a draw or a pair end the game.",
        ),
        Option(
            "dead_tie",
            "Dead tie",
            "date",
            {"date": "the date decides", "shared": "the game is drawn"},
            "When pairs and fours of a kind are level.",
        ),
        Option(
            "day",
            "Day of the month",
            "odd",
            {"odd": "odd: a dead tie goes to the dealer", "even": "even: a dead tie goes to the non-dealer"},
            "Of the day on which the game starts, in UTC.",
        ),
    )

    def dated_options(self, day: int) -> Options:
        return {"day": "odd" if day % 2 else "even"}

    def has_several_deals(self, options: Options) -> bool:
        return False

    def deck(self, options: Options) -> tuple[Card, ...]:
        return _DECK

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> AdvantageState:
        state = AdvantageState(options, dealer)
        state.stock = list(decks[0])[::-1]
        return state

    def parse(self, text: str) -> AdvantageMove:
        return _read_move(text)

    def attempt(self, view: AdvantageView, picks: Sequence[str]) -> AdvantageMove:
        """A card of the hand with a pile, two cards as a pair, or the stock."""
        assert view.seat is not None, "somebody who sits at the table asks"
        mine = [pick for pick in picks if pick in view.hands[view.seat]]
        piles = [number for number, pile in enumerate(view.piles, 1) if not {f"pile:{number}", *pile}.isdisjoint(picks)]
        if len(mine) == 2 and not piles:
            return LayPair.of(*mine)
        if len(mine) == 1 and piles:
            return (_DROPS if view.phase is DROP else _TRADES)[mine[0]][piles[0] - 1]
        if not mine and not piles and "stock" in picks:
            return DRAW_TO_PICK
        raise _lacking(view, mine)

    def sample(self, view: AdvantageView, rng: Random) -> AdvantageState:
        """`rng` deals the cards that the viewer does not see, in keeping with what blocked draws gave away."""
        state = AdvantageState(view.options, view.dealer)
        _copy_public(view, state)
        seen = set(state.cards())
        unseen = [card for card in _DECK if card not in seen]
        rng.shuffle(unseen)
        for seat in range(SEATS):
            for hidden in range(view.hand_counts[seat] - len(view.hands[seat]), 0, -1):
                card = _hidden_card(state, seat, unseen, is_last=hidden == 1)
                unseen.remove(card)
                state.hands[seat].append(card)
                state.drawn[seat].append(card)
        state.stock = unseen[: view.stock_count]
        if view.seat is not None:
            state.drawn[view.seat] = list(view.drawn)
        _make_decision_possible(state, view)
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> AdvantageState:
        """A position; every key may be left out. A seat with nothing to decide is played on for, as in a game.

        options: by name, the others at their defaults. started_on: a date, 2024-03-05, in place of the option `day`.
        dealer: seat 1 if not given. round: from 1. phase: drop, pick, pair or over; drop if not given, over where
        nothing but pairs lies anywhere. to_move: the first of the round if not given.
        deck: the top of the pack in dealing order, to be dealt; instead of piles, hands and stock.
        piles: three, each bottom to top; not needed for pairing. hands: by seat, lists or text. stock: next card first.
        drawn: by seat, cards of the hand that the other has not seen.
        blocked: by seat, the tops before a blocked draw in this round. pairs: by seat, lists of pairs or text, 8C8H.
        dropped: by seat, in this round. traded: by seat, true or false.
        has_drawn: the seat to move has made its blocked draw. still_rounds: rounds in a row, up to this one, in which
        nobody has drawn or laid a pair aside. over: why the game ended: cannot-drop, cannot-pick,
        out-of-cards or stalled. history: what everybody saw, `0:D 8H>2`.
        """
        return _Reader(data).state()


def _copy_public(view: AdvantageView, state: AdvantageState) -> None:
    """Everything that the viewer sees."""
    state.to_act, state.results, state.phase, state.round = view.to_act, view.results, view.phase, view.round
    state.piles = [list(pile) for pile in view.piles]
    state.hands = [list(hand) for hand in view.hands]
    state.blocked = list(view.blocked)
    state.pairs = [list(pairs) for pairs in view.pairs]
    state.dropped, state.traded = list(view.dropped), list(view.traded)
    state.has_drawn, state.still_rounds, state.over = view.has_drawn, view.still_rounds, view.over
    state.history = list(view.history)


def _hidden_card(state: AdvantageState, seat: int, unseen: Sequence[Card], *, is_last: bool) -> Card:
    """An unseen card that a hand may hide: what was no help to a blocked player fits none of the tops he had.

    is_last: the last card drawn, which fits if a blocked player still has to use it.
    """
    fitting = FITTING[str(state.options["colour"])]
    tops: Sequence[Card] = state.blocked[seat]
    fits = False
    if is_last and state.has_drawn and seat in state.to_act and not state.dropped[seat]:
        tops, fits = state.tops, True
    allowed = (card for card in unseen if not tops or fits != fitting[card].isdisjoint(tops))
    return next(allowed, unseen[0])


def _make_decision_possible(state: AdvantageState, view: AdvantageView) -> None:
    """Changes the last hidden card of the seat to act until it has a decision, which the real one has."""
    if not state.to_act or state.to_act[0] == view.seat:
        return
    seat = state.to_act[0]
    for index in range(len(state.stock)):
        if state.has_decision(seat) or not state.drawn[seat]:
            return
        hidden = state.drawn[seat][-1]
        state.hands[seat][-1] = state.drawn[seat][-1] = state.stock[index]
        state.stock[index] = hidden


class _Reader(PositionReader):
    """Reads a position into a fresh state. All methods raise `ImpossiblePosition`."""

    def __init__(self, data: Position) -> None:
        super().__init__(ADVANTAGE, data, _POSITION_KEYS)

    def state(self) -> AdvantageState:
        dealer = self.seat("dealer", SEATS - 1)
        assert dealer is not None, "there is a default"
        state = AdvantageState(self._dated_options(), dealer)
        state.round = self.number("round", 1, low=1, high=10_000)
        self._read_cards(state)
        check_cards(state.cards(), _DECK)
        self._read_round(state)
        self._read_phase(state)
        return state

    def _dated_options(self) -> Options:
        started_on = self.data.get("started_on")
        if started_on is None:
            return self.options
        match = re.fullmatch(r"\d{4}-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", str(started_on))
        if match is None:
            raise ImpossiblePosition(f"started_on: write a date such as 2024-03-05, not {started_on!r}.")
        return {**self.options, **self.game.dated_options(int(match[1]))}

    def _read_cards(self, state: AdvantageState) -> None:
        data = self.data
        if data.get("deck") is not None:
            if any(data.get(name) for name in ("piles", "hands", "stock")):
                raise ImpossiblePosition("deck: it is dealt, so leave out piles, hands and stock.")
            top = card_list(data["deck"], "deck")
            state.lay_out([*top, *(card for card in _DECK if card not in top)])
        else:
            state.piles = self._piles()
            state.hands = self.card_lists("hands")
            state.stock = card_list(data.get("stock"), "stock")[::-1]
        state.pairs = [_read_pairs(entry) for entry in by_seat(data.get("pairs"), SEATS, "pairs")]
        state.drawn = self.card_lists("drawn")
        for cards, hand in zip(state.drawn, state.hands, strict=True):
            if not set(cards) <= set(hand) or len(cards) > len(set(cards)):
                raise ImpossiblePosition("drawn: these cards must lie in the hand of their seat.")

    def _piles(self) -> list[list[Card]]:
        given = self.data.get("piles") or [[]] * PILES
        if isinstance(given, Mapping):
            by_number = {str(number): pile for number, pile in given.items()}
            given = [by_number.pop(str(number), None) for number in range(1, PILES + 1)]
            if by_number:
                raise ImpossiblePosition(f"piles: number them 1, 2 and 3; there is no pile {', '.join(by_number)}.")
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != PILES:
            raise ImpossiblePosition("piles: three piles are needed, each from bottom to top.")
        piles = [card_list(pile, "piles") for pile in given]
        if any(piles) and not all(piles):
            raise ImpossiblePosition("piles: none of the three is ever empty.")
        return piles

    def _read_round(self, state: AdvantageState) -> None:
        state.dropped = self.numbers("dropped", high=MOST_DROPS)
        traded = by_seat(self.data.get("traded"), SEATS, "traded")
        if not all(entry is None or isinstance(entry, bool) for entry in traded):
            raise ImpossiblePosition("traded: it is true or false for each seat.")
        state.traded = [bool(entry) for entry in traded]
        state.blocked = [tuple(tops) for tops in self.card_lists("blocked")]
        state.still_rounds = self.number("still_rounds", 1, high=int(state.options["stall_limit"]))
        state.history = self._history()

    def _history(self) -> list[str]:
        deeds = self.data.get("history") or []
        if not isinstance(deeds, list) or not all(isinstance(deed, str) and _DEED.fullmatch(deed) for deed in deeds):
            raise ImpossiblePosition("history: write a list such as 0:D 8H>2, 0:=1, X, 0:T-.")
        return list(deeds)

    def _read_phase(self, state: AdvantageState) -> None:
        given = self.data.get("over")
        over = given and f"end-{given}"
        if over and over not in _ENDINGS:
            names = ", ".join(rule.removeprefix("end-") for rule in _ENDINGS)
            raise ImpossiblePosition(f"over: choose one of {names}.")
        is_bare = not any([*state.piles, *state.hands, state.stock])
        text = str(self.data.get("phase") or (OVER if over or is_bare else DROP)).lower()
        if text not in set(Phase):
            raise ImpossiblePosition(f"phase: choose one of {', '.join(Phase)}.")
        seat = self.seat("to_move", state.first)
        assert seat is not None, "there is a default"
        if text == OVER:
            state.finish(over or "end-out-of-cards")
            return
        if over:
            raise ImpossiblePosition("over: a game that has ended is in the phase over.")
        state.phase, state.to_act = Phase(text), (seat,)
        state.has_drawn = self.switch("has_drawn")
        self._check_turn(state, seat)
        state.ask()

    def _check_turn(self, state: AdvantageState, seat: int) -> None:
        if state.phase is not PAIR and not any(state.piles):
            raise ImpossiblePosition("piles: three piles are needed to drop or to pick.")
        if state.phase is DROP and state.dropped[seat] == MOST_DROPS:
            raise ImpossiblePosition("dropped: a seat that has dropped two cards is not to move.")
        to_come = range(SEATS) if seat == state.first else (seat,)
        if state.phase is DROP and any(state.dropped[other] for other in to_come if other != seat):
            raise ImpossiblePosition("dropped: the second of the round has not dropped before the first is done.")
        if state.phase is DROP and any(state.traded) or state.phase is PICK and any(state.traded[s] for s in to_come):
            raise ImpossiblePosition("traded: a seat that is to drop or to pick has not traded yet.")


def _read_pairs(entry: Any) -> list[Pair]:
    """Pairs from lists of two cards or from text such as 8C8H 9C9D."""
    parts = entry.split() if isinstance(entry, str) else entry or []
    if not isinstance(parts, Sequence):
        raise ImpossiblePosition("pairs: write lists of two cards each, or text such as 8C8H.")
    text = " ".join(part if isinstance(part, str) else " ".join(card_list(part, "pairs")) for part in parts).upper()
    cards = re.findall(_CARD, text)
    pairs = [LayPair.of(*pair).cards for pair in zip(cards[::2], cards[1::2], strict=False)]
    if "".join(cards) != text.replace(" ", "") or len(cards) % 2 or any(one[0] != two[0] for one, two in pairs):
        raise ImpossiblePosition("pairs: each pair is two cards of one rank, such as 8C8H.")
    return pairs


ADVANTAGE = Advantage()
