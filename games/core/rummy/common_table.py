"""Common-table games, whose melds belong to all players: what Vatican and Shanghai share beside their plays.

A game adds its turn, the end of a hand and its scores. The rule ids cited here stand in the book of each.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Any, ClassVar, TypeAlias, TypeVar, cast

from games.core.cards import Card, by_display
from games.core.contract import (
    Choice,
    Game,
    HandEnd,
    HandResult,
    IllegalMove,
    ImpossiblePosition,
    Move,
    Options,
    Phrase,
    Position,
    Show,
    Stage,
    Verdict,
    move_that_touches,
)
from games.core.deals import Decks
from games.core.moves import DRAW, Draw, Pass
from games.core.positions import by_seat
from games.core.rummy.hand_melds import best_melds
from games.core.rummy.melds import SMALLEST_MELD, Fault, Meld
from games.core.rummy.position import RummyReader, dump_rummy
from games.core.rummy.rearranging import (
    HouseRules,
    Play,
    Situation,
    Suggestions,
    TableMove,
    joker_faces,
    keeps_jokers,
    parse_move,
    play_to,
    require_known,
    suggestions,
    table_after,
)
from games.core.rummy.shows import hands_left, zones_laid_open
from games.core.rummy.state import RummyState, undealt_for
from games.core.rummy.view import RummyView
from games.core.shows import scores_before
from games.core.words import capitalized, joined

Test: TypeAlias = Callable[[int, Play], Fault | None]


class CommonTableState(RummyState):
    """passes: in a row. house: the options that decide which plays are legal."""

    __slots__ = ("house", "passes")

    PUBLIC = (*RummyState.PUBLIC, "passes")
    TURN_RULE = "seats"

    game: CommonTableGame[Any, Any]
    house: HouseRules
    passes: int
    table: dict[int, Meld]

    def __init__(
        self, game: CommonTableGame[Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int
    ) -> None:
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)
        self.house = game.house_rules(options)

    def clear_table(self) -> None:
        super().clear_table()
        self.passes = 0

    def deal_hand(self) -> None:
        self._deal(int(self.options["deal"]))
        self.to_act = (self.seat_after(self.dealer),)

    def _deal_next(self) -> None:
        self.deal_number += 1
        self.dealer = self.seat_after(self.dealer)
        self.deal_hand()

    # Moves

    def suggestions(self, seat: int) -> Suggestions:
        return suggestions(self.situation(seat))

    def situation(self, seat: int) -> Situation:
        return Situation(self.house, tuple(self.table.items()), self.hands[seat], has_opened=True)

    def play(self, seat: int, move: Move) -> None:
        self.check_turn(seat)
        if isinstance(move, Draw):
            self._draw(seat)
        elif isinstance(move, Pass):
            self._pass(seat)
        else:
            assert isinstance(move, Play), f"{move!r} is a move of another game"
            self._play(seat, move)

    @abstractmethod
    def _draw(self, seat: int) -> None: ...

    @abstractmethod
    def _pass(self, seat: int) -> None: ...

    @abstractmethod
    def _play(self, seat: int, move: Play) -> None: ...

    def _lay(self, seat: int, move: Play) -> None:
        """Makes a legal play."""
        played = move.from_hand(self.table)
        self._add_to_log(seat, play_phrase(move, self.table), *by_display(played))
        self._part_with(seat, played)
        self.table = table_after(self.table, move)
        self.passes = 0

    def _take(self, seat: int, cards: int) -> None:
        self._receive(seat, *(self.stock.pop() for _ in range(min(cards, len(self.stock)))))

    def _end_turn(self, seat: int) -> None:
        self.to_act = (self.seat_after(seat),)

    # What is wrong with a play, in the order in which the rules are tested

    def check(self, seat: int, move: Move) -> list[Verdict]:
        if not isinstance(move, Play):
            return []
        verdicts = [Verdict(str(meld), self._as_refusal(self.house.melds.fault(meld))) for meld in move.melds]
        if any(verdict.refusal for verdict in verdicts):
            return verdicts
        return [*verdicts, Verdict("", self._refusal(seat, move))]

    def _refusal(self, seat: int, move: Play) -> IllegalMove | None:
        fault = next(filter(None, (test(seat, move) for test in self._tests())), None)
        return self._as_refusal(fault)

    def _tests(self) -> tuple[Test, ...]:
        return (
            self._wrong_numbers,
            self._card_twice,
            self._table_card_missing,
            self._card_not_held,
            self._no_card_played,
            self._wrong_meld,
            self._joker_not_replaced,
        )

    def _as_refusal(self, fault: Fault | None) -> IllegalMove | None:
        return None if fault is None else IllegalMove(fault.message, rule=f"{self.game.slug}:{fault.rule}")

    def _wrong_numbers(self, seat: int, move: Play) -> Fault | None:
        for number in move.dissolved:
            if number not in self.table:
                there = ", ".join(map(str, self.table)) or "none yet"
                return Fault("rearrange", f"There is no meld {number} on the table; choose from: {there}.")
        return None

    def _card_twice(self, seat: int, move: Play) -> Fault | None:
        for card, times in Counter(move.cards).items():
            if times > 1:
                return Fault("cards-available", f"{card} is there only once: use it in one meld.")
        return None

    def _table_card_missing(self, seat: int, move: Play) -> Fault | None:
        laid = set(move.cards)
        for number in move.dissolved:
            for card in self.table[number].cards:
                if card not in laid:
                    return Fault("table-stays", f"{card} has to stay on the table: find a meld for it.")
        return None

    def _card_not_held(self, seat: int, move: Play) -> Fault | None:
        for card in move.from_hand(self.table):
            if card in self.hands[seat]:
                continue
            for number, meld in self.table.items():
                if card in meld.cards:
                    return Fault("cards-available", f"{card} is in meld {number}: rearrange that meld too.")
            hand = " ".join(self.hands[seat]) or "none"
            return Fault("cards-available", f"{card} is not in your hand; your cards are {hand}.")
        return None

    def _no_card_played(self, seat: int, move: Play) -> Fault | None:
        if move.from_hand(self.table):
            return None
        return Fault("play-at-least-one", "Rearranging alone is not a turn: add a card from your hand.")

    def _wrong_meld(self, seat: int, move: Play) -> Fault | None:
        return next(filter(None, map(self.house.melds.fault, move.melds)), None)

    def _joker_not_replaced(self, seat: int, move: Play) -> Fault | None:
        before = [self.table[number] for number in move.dissolved]
        if keeps_jokers(self.house, self.table, move):
            return None
        stood_for = sorted({shown for faces in joker_faces(self.house, before) for shown in faces.values()})
        where = "from your hand " if self.house.release == "hand_only" else ""
        return Fault(
            "joker-bound",
            f"A joker still stands for {' or '.join(stood_for)}: put that card {where}in its place first, "
            "or use the joker as that card.",
        )

    # The end of a hand

    def _record(self, result: HandResult) -> None:
        super()._record(result)
        self.to_act = ()
        self._add_to_log(None, Phrase("", f"{capitalized(self.game.deal_word)} {result.number}: {result.summary}"))


# View


def play_phrase(move: Play, table: Mapping[int, Meld]) -> Phrase:
    """A play in words, given the table before it."""
    from_hand = set(move.from_hand(table))
    new = [str(meld) for meld in move.melds if from_hand.issuperset(meld.cards)]
    grown = [
        f"{' '.join(by_display(from_hand.intersection(meld.cards)))} to meld {number}"
        for number in move.dissolved
        for meld in move.melds
        if number in table and set(table[number].cards) == {*meld.cards} - from_hand != {*meld.cards}
    ]
    if len(new) + len(grown) < len(move.melds):
        changed = joined([str(number) for number in move.dissolved])
        melds = f"{'meld' if len(move.dissolved) == 1 else 'melds'} {changed}"
        if not from_hand:
            return Phrase("rearrange", melds)
        return Phrase("play", f"{' '.join(by_display(from_hand))}, rearranging {melds}")
    if not new:
        return Phrase("add", joined(grown))
    added = f" and [add] {joined(grown)}" if grown else ""
    return Phrase("lay", f"{joined(new)}{added}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonTableView(RummyView):
    """passes: in a row, without stock."""

    table: tuple[tuple[int, Meld], ...]
    passes: int

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Play):
            table = dict(self.table)
            touches = (*by_display(move.from_hand(table)), *(f"meld:{number}" for number in move.dissolved))
            return Choice(move, play_phrase(move, table), touches)
        if isinstance(move, Draw):
            return Choice(move, Phrase("draw", "a card"), ("stock",))
        return Choice(move, Phrase("pass"))


# The game

StateT = TypeVar("StateT", bound=CommonTableState)
ViewT = TypeVar("ViewT", bound=CommonTableView)


class CommonTableGame(Game[StateT, ViewT, TableMove]):
    proposals: ClassVar[bool] = True
    workbench: ClassVar[bool] = True
    has_hand_melds: ClassVar[bool] = True

    @abstractmethod
    def house_rules(self, options: Options) -> HouseRules:
        """The rules of plays that these options select."""

    def parse(self, text: str) -> TableMove:
        return parse_move(text)

    def arrange(self, view: ViewT, groups: Sequence[Sequence[Card]]) -> Play:
        require_known(chain(*groups))
        return play_to(self.house_rules(view.options), dict(view.table), groups)

    def hand_melds(self, view: ViewT) -> Sequence[Sequence[Card]]:
        return [meld.cards for meld in best_melds(self.house_rules(view.options).melds, view.hand)]

    def attempt(self, view: ViewT, picks: Sequence[str]) -> TableMove:
        """Cards of the hand as a meld, with a meld of the table, or with cards out of melds."""
        offered = move_that_touches(view, picks)
        if offered is not None:
            return cast(TableMove, offered)
        mine = [pick for pick in picks if pick in view.hand]
        if not mine and set(picks) == {"stock"}:
            return DRAW
        if not mine:
            self.refuse_selection(
                "play-at-least-one", "Rearranging alone is not a turn: choose a card from your hand too."
            )
        plays = [self.arrange(view, groups) for groups in tables_meant(dict(view.table), mine, picks)]
        melds = self.house_rules(view.options).melds
        return next((play for play in plays if not any(map(melds.fault, play.melds))), plays[0])

    def show(self, end: HandEnd[StateT, TableMove]) -> Show:
        final = end.before.copy()
        final.hands = hands_left(end)
        if isinstance(end.move, Play):
            final.table = table_after(final.table, end.move)
        return Show(scores_before(end), zones_laid_open(final), (last_turn(end), *self.count_stages(end)))

    @abstractmethod
    def count_stages(self, end: HandEnd[StateT, TableMove]) -> Iterator[Stage]:
        """The stages of a show after the last turn: who has gone out, and what is left in the hands."""

    def sample(self, view: ViewT, rng: Random) -> StateT:
        state = undealt_for(self, view, rng)
        unseen = state.take_over(view, rng)
        state.stock = [unseen.pop() for _ in range(view.stock_count)]
        return state


def last_turn(end: HandEnd[StateT, TableMove]) -> Stage:
    """The turn that ended a hand. The player's own view would say the same, but search for plays first."""
    if isinstance(end.move, Play):
        table = end.before.table
        return Stage(play_phrase(end.move, table), end.seat, tuple(by_display(end.move.from_hand(table))))
    return Stage(Phrase("pass"), end.seat)


def tables_meant(table: Mapping[int, Meld], mine: Sequence[Card], picks: Sequence[str]) -> list[list[list[Card]]]:
    """The tables that hand cards and picks of the table may make, the likeliest first.

    Three cards or more with some of the table are rather a new meld of these, fewer are added to their melds.
    """
    melds = [list(meld.cards) for meld in table.values()]
    taken = [pick for pick in picks if any(pick in meld for meld in melds)]
    joined = list(mine)
    rest = []
    for number, meld in table.items():
        if f"meld:{number}" in picks or not {*meld.cards}.isdisjoint(taken):
            joined += meld.cards
        else:
            rest.append(list(meld.cards))
    apart = [[card for card in meld if card not in taken] for meld in melds]
    tables = [[joined, *rest], [[*taken, *mine], *apart]]
    return tables[::-1] if taken and len(taken) + len(mine) >= SMALLEST_MELD else tables[: 1 + bool(taken)]


def dump_common_table(state: CommonTableState) -> Position:
    """Shared part of a position."""
    return dump_rummy(state) | {"hand": state.deal_number, "passes_in_a_row": state.passes}


class CommonTableReader(RummyReader):
    """Besides, passes_in_a_row: up to now. hand: number of the deal, from 1."""

    KEYS = (*RummyReader.KEYS, "hand", "passes_in_a_row")

    def table(self, game: CommonTableGame[StateT, Any]) -> StateT:
        """A state with the cards of the position."""
        dealer = self.number("dealer", self.seats - 1, high=self.seats - 1)
        state = game.undealt(self.decks, seats=self.seats, options=self.options, dealer=dealer)
        state.to_act = (self.number("to_move", state.seat_after(dealer), high=self.seats - 1),)
        self.read_cards(state, state.house.melds)
        state.scores = self.numbers("scores", high=10_000)
        state.passes = self.number("passes_in_a_row", 0, high=self.seats)
        if state.passes and state.stock:
            raise ImpossiblePosition("passes_in_a_row: no one passes while there is stock.")
        return state

    def gone_out(self) -> list[int]:
        """The seats whose hand is written and empty, if the position names no seat to move."""
        named = [] if "to_move" in self.data else by_seat(self.data.get("hands"), self.seats, "hands")
        return [seat for seat, hand in enumerate(named) if hand is not None and not len(hand)]
