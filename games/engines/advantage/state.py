"""The state of Advantage: dealing, legal moves, play, and the course of a round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NoReturn

from games.core.cards import Card, by_display
from games.core.contract import Game, Move, Options, Outcome
from games.core.deals import Decks
from games.core.dealt import DealtState
from games.engines.advantage import words
from games.engines.advantage.moves import (
    DRAW_TO_PICK,
    DROP,
    DROPS,
    FITTING,
    HAND_CARDS,
    MOST_DROPS,
    OVER,
    PAIR,
    PASS_PICK,
    PICK,
    PILES,
    SEATS,
    STOP_DROPPING,
    STOP_PAIRING,
    TRADES,
    AdvantageMove,
    DrawToPick,
    Drop,
    LayPair,
    Pair,
    PassPick,
    Phase,
    StopDropping,
    StopPairing,
    Trade,
)
from games.engines.advantage.scoring import game_result, winner_by_pairs
from games.engines.advantage.view import AdvantageView


class AdvantageState(DealtState):
    """A game of Advantage, which is a single deal. scores: the pairs laid aside.

    piles: three, the top card last. stock: the next card last. round: from 1.
    drawn: by seat, the cards in the hand that the other has not seen. blocked: by seat, the tops on which no card of
    the hand went before a blocked draw in this round, () if there was none.
    pairs: by seat, in the order they were laid aside. dropped: by seat, cards dropped in this round. traded: by seat.
    has_drawn: the seat to act has made the blocked draw of its turn.
    still_rounds: rounds in a row up to this one in which nobody has drawn or laid a pair aside.
    over: the short id of the rule that ended the game, "" before.
    log: what everybody saw, such as `0:D 8H>2`, `1:=2`, `X`, `1:#cannot-pick`.
    fitting: the cards that each card fits at this table.
    """

    __slots__ = (
        "blocked", "drawn", "dropped", "fitting", "hands", "has_drawn", "log", "over", "pairs", "phase", "piles",
        "round", "still_rounds", "stock", "traded",
    )  # fmt: skip

    PUBLIC = (*DealtState.PUBLIC, "round", "phase", "has_drawn", "still_rounds", "over")

    fitting: Mapping[Card, frozenset[Card]]
    phase: Phase
    round: int
    piles: list[list[Card]]
    hands: list[list[Card]]
    stock: list[Card]
    drawn: list[list[Card]]
    blocked: list[tuple[Card, ...]]
    pairs: list[list[Pair]]
    dropped: list[int]
    traded: list[bool]
    has_drawn: bool
    still_rounds: int
    over: str
    log: list[str]

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)
        self.fitting = FITTING[str(options["colour"])]

    def clear_table(self) -> None:
        self.piles = [[] for _ in range(PILES)]
        self.hands = [[] for _ in range(SEATS)]
        self.stock = []
        self.drawn = [[] for _ in range(SEATS)]
        self.blocked = [()] * SEATS
        self.pairs = [[] for _ in range(SEATS)]
        self.dropped = [0] * SEATS
        self.traded = [False] * SEATS
        self.phase, self.round, self.has_drawn = DROP, 1, False
        self.still_rounds, self.over, self.log = 1, "", []

    # Dealing

    def deal_hand(self) -> None:
        self.clear_table()
        self.lay_out(self.next_deck())
        self.begin(DROP, self.first)

    def lay_out(self, deck: Sequence[Card]) -> None:
        """Three cards to the centre, three to N, three to D; the rest is the stock."""
        first = self.first
        self.piles = [[card] for card in deck[:PILES]]
        self.hands[first] = list(deck[PILES : PILES + HAND_CARDS])
        self.hands[1 - first] = list(deck[PILES + HAND_CARDS : PILES + 2 * HAND_CARDS])
        self.stock = list(deck[PILES + 2 * HAND_CARDS :])[::-1]

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
            drops: tuple[AdvantageMove, ...] = tuple(self._fitting_moves(seat, DROPS))
            return (*drops, STOP_DROPPING) if self.dropped[seat] else drops
        if self.phase is PICK:
            trades: tuple[AdvantageMove, ...] = tuple(self._fitting_moves(seat, TRADES))
            return (*(trades or (() if self.has_drawn else (DRAW_TO_PICK,))), PASS_PICK)
        return (*map(LayPair, self._pairs_in_hand(seat)), STOP_PAIRING)

    def _fitting_moves(self, seat: int, moves: Mapping[Card, Sequence[AdvantageMove]]) -> Iterator[AdvantageMove]:
        for card in self.hands[seat]:
            fitting = self.fitting[card]
            for index, pile in enumerate(self.piles):
                if pile and pile[-1] in fitting:
                    yield moves[card][index]

    def _can_fit(self, seat: int) -> bool:
        return any(not self.fitting[card].isdisjoint(self.tops) for card in self.hands[seat])

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
        self._add_to_log(seat, str(move))
        self.dropped[seat] += 1
        if self.dropped[seat] == MOST_DROPS:
            self._end_drop(seat)
        else:
            self.ask()

    def _stop_dropping(self, seat: int, _move: StopDropping) -> None:
        if not self.dropped[seat]:
            self.refuse("drop-one-or-two", "You must drop one card before you can stop.")
        self._end_drop(seat)

    def _trade(self, seat: int, move: Trade) -> None:
        pile = self._pile_for(seat, move, "pick-own-card", "pick-trade")
        self._leave_hand(seat, move.card)
        self.hands[seat] += pile
        self.mark_fresh(seat, tuple(pile), len(self.hands[seat]))
        self.piles[move.pile - 1] = [move.card]
        self.traded[seat] = True
        self._add_to_log(seat, str(move))
        self._end_pick(seat)

    def _draw_to_pick(self, seat: int, _move: DrawToPick) -> None:
        if self.has_drawn:
            self.refuse("pick-blocked-draw", "You've drawn a card for this pick. Trade or pass now.")
        if self._can_fit(seat):
            self.refuse("pick-no-free-draw", "One of your cards fits a pile, so you can't draw. Trade, or pass.")
        self._draw_blocked(seat)
        self.ask()

    def _pass_pick(self, seat: int, move: PassPick) -> None:
        self._add_to_log(seat, str(move))
        self._end_pick(seat)

    def _lay_pair(self, seat: int, move: LayPair) -> None:
        one, two = move.cards
        if one[0] != two[0]:
            wild = " Tens are wild only for fitting." if "T" in (one[0], two[0]) else ""
            self.refuse("pair-rank", f"{one} and {two} aren't a pair. Choose two cards of one rank.{wild}")
        for card in move.cards:
            if card not in self.hands[seat]:
                self.refuse("pair-rank", f"{card} isn't in your hand. Choose two of your own cards.")
        for card in move.cards:
            self._leave_hand(seat, card)
        self.pairs[seat].append(move.cards)
        self.scores[seat] += 1
        self.still_rounds = 0
        self._add_to_log(seat, str(move))
        self.ask()

    def _stop_pairing(self, seat: int, _move: StopPairing) -> None:
        self._end_pair(seat)

    def _pile_for(self, seat: int, move: Drop | Trade, hold_rule: str, fit_rule: str) -> list[Card]:
        """The pile of a drop or trade. :raises IllegalMove: the card is not held or does not fit."""
        if move.card not in self.hands[seat]:
            self.refuse(hold_rule, f"{move.card} isn't in your hand. Choose one of your own cards.")
        pile = self.piles[move.pile - 1]
        if not pile or pile[-1] not in self.fitting[move.card]:
            top = pile[-1] if pile else "nothing"
            self.refuse(fit_rule, f"{move.card} doesn't fit {top}. Choose a pile whose top card it fits.")
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
        self.mark_fresh(seat, tuple(self.hands[seat][-count:]), len(self.hands[seat]))
        self.still_rounds = 0

    def _draw_blocked(self, seat: int) -> None:
        self._draw(seat, 1)
        self.has_drawn = True
        self._add_to_log(seat, f"+{self.hands[seat][-1] if self.options['draws'] == 'open' else '?'}")

    def _refill(self, seat: int) -> None:
        """Fills a hand up to three; afterwards it is empty only if the stock is empty too."""
        count = min(HAND_CARDS - len(self.hands[seat]), len(self.stock))
        if count > 0:
            self._draw(seat, count)
            self._add_to_log(seat, f"={count}")

    def _add_to_log(self, seat: int, text: str) -> None:
        self.log.append(f"{seat}:{text}")

    # The course of a round: each part asks N, then D, and goes on by itself where there is nothing to decide

    def begin(self, phase: Phase, seat: int) -> None:
        self.phase = phase
        self.to_act = (seat,)
        self.has_drawn = False
        self.ask()

    def ask(self) -> None:
        """Waits for the seat to act, or plays on where it has nothing to decide."""
        seat = self.to_act[0]
        if self.has_decision(seat):
            return
        if self.phase is DROP:
            self._drop_nothing(seat)
        elif self.phase is PICK:
            self._pick_nothing(seat)
        else:
            self._end_pair(seat)

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
            self._add_to_log(seat, "D-")
            self._end_drop(seat)
        else:
            self.blocked[seat] = self.tops
            self._draw_blocked(seat)
            self.ask()

    def _end_drop(self, seat: int) -> None:
        self._refill(seat)
        out = self._out_of_cards()
        if out is not None:
            self._end("end-out-of-cards", out)
        elif seat == self.first:
            self.begin(DROP, 1 - seat)
        else:
            self._exchange_hands()
            self.begin(PICK, self.first)

    def _exchange_hands(self) -> None:
        self.hands.reverse()
        self.drawn = [[] for _ in range(SEATS)]
        self.blocked = [() for _ in range(SEATS)]
        self.log.append("X")

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
        out = self._out_of_cards()
        if out is not None:
            self._end("end-out-of-cards", out)
        elif self.still_rounds >= int(self.options["stall_limit"]):
            self._end("end-stalled")
        else:
            self.round += 1
            self.still_rounds += 1
            self._begin_round()

    def _out_of_cards(self) -> int | None:
        """The first seat of the round without a card, once the stock is empty too."""
        seats = (self.first, 1 - self.first)
        return None if self.stock else next((seat for seat in seats if not self.hands[seat]), None)

    def _end(self, over: str, seat: int | None = None) -> None:
        event = over.replace("end-", "#")
        self.log.append(event if seat is None else f"{seat}:{event}")
        self.finish(over)

    def finish(self, over: str) -> None:
        """Counts the pairs of a game that has ended."""
        self.phase, self.over, self.to_act = OVER, over, ()
        self.results = (game_result(self.pairs, over),)

    # Why a move does not come now

    def _refuse_now(self, seat: int, move: Move) -> NoReturn:
        """Refuses a move that is out of turn or belongs to another part of the round."""
        rule, message = self._why_not_now(seat, move)
        if seat not in self.to_act:
            self.game.refuse_turn(rule, message)
        self.refuse(rule, message)

    def _why_not_now(self, seat: int, move: Move) -> tuple[str, str]:
        if self.phase is OVER:
            return "end-no-more-pairs", "The game is over, and no more pairs count."
        if seat not in range(SEATS):
            return "round-order", "Only the two players at the table move."
        if isinstance(move, DrawToPick) and self.phase is DROP and seat in self.to_act:
            if self.dropped[seat]:
                return "drop-no-draw-between", "You can't draw for a second drop. Drop a card that fits, or stop."
            return "drop-blocked-draw", "One of your cards fits, so drop one. You draw only if none fits."
        if isinstance(move, Drop) and self.dropped[seat] == MOST_DROPS:
            return "drop-one-or-two", f"You've dropped two cards, the most in a round. {self._what_now(seat)}"
        if isinstance(move, Trade) and self.traded[seat]:
            return "pick-trade", f"You can trade only once in a round. {self._what_now(seat)}"
        if isinstance(move, LayPair | StopPairing):
            return self._why_no_pair(seat)
        return "round-order", f"It isn't time for that. {self._what_now(seat)}"

    def _why_no_pair(self, seat: int) -> tuple[str, str]:
        if self.phase is not PAIR:
            return "pair-when", f"{self._what_now(seat)} Pairs are laid aside at the end of the round."
        if not self._may_pair(seat):
            return "pair-needs-pick", "You passed the pick, so you can't lay pairs aside in this round."
        if seat == self.first:
            return "pair-once", "You've had your pairing turn. A pair drawn after it must wait for another round."
        return "round-order", f"The other player pairs first. {self._what_now(seat)}"

    def _what_now(self, seat: int) -> str:
        if seat not in self.to_act:
            return "It's the other player's turn."
        return {
            DROP: "Drop a second card, or stop." if self.dropped[seat] else "Drop a card on a pile that it fits.",
            PICK: "Trade a card for a pile, or pass.",
            PAIR: "Lay a pair aside, or stop.",
        }[self.phase]

    # The result

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        winner, reason, lines = winner_by_pairs(self.pairs, self.options, self.dealer)
        places = (1, 1) if winner is None else (1, 2) if winner == 0 else (2, 1)
        return Outcome(tuple(self.scores), places, reason, lines)

    # What others see of it

    def view(self, seat: int | None) -> AdvantageView:
        return AdvantageView(
            **self.public_fields(),
            seat=seat,
            moves=() if seat is None else self.legal_moves(seat),
            scores=tuple(self.scores),
            log=tuple(map(words.log_event, self.log)),
            first=self.first,
            piles=tuple(map(tuple, self.piles)),
            hands=tuple(self._seen_hand(owner, seat) for owner in range(SEATS)),
            hand_counts=tuple(map(len, self.hands)),
            fresh=() if seat is None else self.fresh_cards(seat, self.hands[seat]),
            drawn=() if seat is None else tuple(self.drawn[seat]),
            blocked=tuple(self.blocked),
            pairs=tuple(map(tuple, self.pairs)),
            stock_count=len(self.stock),
            dropped=tuple(self.dropped),
            traded=tuple(self.traded),
            history=tuple(self.log),
        )

    def _seen_hand(self, owner: int, viewer: int | None) -> tuple[Card, ...]:
        hidden = () if owner == viewer else self.drawn[owner]
        return tuple(card for card in self.hands[owner] if card not in hidden)

    def cards(self) -> list[Card]:
        laid = [card for pairs in self.pairs for pair in pairs for card in pair]
        return [*sum(self.piles, []), *sum(self.hands, []), *self.stock[::-1], *laid]


# The phase of each move and what plays it. A table, because a `match` asks one class after the other.
_PLAYS: Mapping[type[Move], tuple[Phase, Callable[[AdvantageState, int, Any], None]]] = {
    Drop: (DROP, AdvantageState._drop),
    StopDropping: (DROP, AdvantageState._stop_dropping),
    Trade: (PICK, AdvantageState._trade),
    DrawToPick: (PICK, AdvantageState._draw_to_pick),
    PassPick: (PICK, AdvantageState._pass_pick),
    LayPair: (PAIR, AdvantageState._lay_pair),
    StopPairing: (PAIR, AdvantageState._stop_pairing),
}
