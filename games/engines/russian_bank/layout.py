"""The layout of Russian Bank: where the cards lie, what may be moved, and how moves are taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TypeAlias

from games.core.cards import Card, face
from games.core.contract import Move
from games.core.dealt import DealtState
from games.engines.russian_bank.moves import (
    ALL,
    BUILDS_ON,
    FOLLOWS,
    FOUNDATION,
    FOUNDATIONS,
    GO,
    LOADS,
    NEIGHBOURS,
    OPENING,
    OVER,
    OWN,
    OWN_PILES,
    PASS,
    SEATS,
    SHIFT,
    STOCK,
    STOP,
    THEIR_STOCK,
    TURN,
    TURN_UP,
    TURNED,
    WASTE,
    WRONG_CALLS,
    Deed,
    Mark,
    Phase,
    Play,
    RussianBankMove,
)

_play = cache(Play)

Arrangement: TypeAlias = frozenset[tuple[Card, ...]]


class RussianBankLayout(DealtState):
    """The table during a match of Russian Bank. Lists by seat; in all piles the last card is the top, or the next one.

    turn: the seat whose turn it is. stock_shown: how many cards of a stock lie face up. rounds: how often a seat
    has turned its waste over, or passed, since the last foundation card. arrangements: those of the tableau since
    the last move of another kind. log, previous: the deeds of this and of the previous turn.
    mark: the first error of a turn in casual mode. is_corrected: the next move has to keep the priorities.
    draws: drawn games in a row.
    """

    __slots__ = (
        "arrangements", "draws", "foundations", "is_corrected", "log", "mark", "phase", "previous", "reserve", "rounds",
        "stock", "stock_shown", "tableau", "turn", "turned", "waste", "wrong_calls",
    )  # fmt: skip

    phase: Phase
    turn: int
    tableau: list[list[list[Card]]]
    foundations: list[list[Card]]
    stock: list[list[Card]]
    stock_shown: list[int]
    reserve: list[list[Card]]
    waste: list[list[Card]]
    turned: Card | None
    rounds: list[int]
    arrangements: frozenset[Arrangement]
    log: list[Deed]
    previous: tuple[Deed, ...]
    mark: Mark | None
    is_corrected: bool
    wrong_calls: list[int]
    draws: int

    def clear_table(self) -> None:
        self.phase = OVER
        self.to_act = ()
        self.turn = 1 - self.dealer
        self.tableau = [[[] for _ in range(OWN_PILES)] for _ in range(SEATS)]
        self.foundations = [[] for _ in range(FOUNDATIONS)]
        self.stock = [[], []]
        self.stock_shown = [0, 0]
        self.reserve = [[], []]
        self.waste = [[], []]
        self.turned = None
        self.rounds = [0, 0]
        self.arrangements = frozenset()
        self.log = []
        self.previous = ()
        self.mark = None
        self.is_corrected = False
        self.wrong_calls = [0, 0]

    def cards(self) -> list[Card]:
        piles = [*self.tableau[0], *self.tableau[1], *self.foundations, *self.stock, *self.reserve, *self.waste]
        return [card for pile in piles for card in pile] + ([self.turned] if self.turned else [])

    # Places, as a seat names them

    def pile_at(self, seat: int, place: str) -> list[Card]:
        """The cards of a stock, a waste or a pile."""
        if place in ALL:
            number = int(place) - 1
            return self.tableau[seat ^ (number // OWN_PILES)][number % OWN_PILES]
        owner = 1 - seat if place in LOADS else seat
        return self.stock[owner] if place.endswith(STOCK) else self.waste[owner]

    def top(self, seat: int, place: str) -> Card | None:
        """The face-up card on top of a place, None where there is none."""
        if place == TURNED:
            return self.turned
        if place in (STOCK, THEIR_STOCK) and not self.stock_shown[seat ^ (place == THEIR_STOCK)]:
            return None
        pile = self.pile_at(seat, place)
        return pile[-1] if pile else None

    def take(self, seat: int, place: str) -> Card:
        if place == TURNED:
            card, self.turned = self.turned, None
            assert card is not None, "there is a turned card"
            return card
        if place in (STOCK, THEIR_STOCK):
            self.stock_shown[seat ^ (place == THEIR_STOCK)] -= 1
        return self.pile_at(seat, place).pop()

    def put(self, seat: int, place: str, card: Card) -> None:
        if place == TURNED:
            self.turned = card
            return
        if place in (STOCK, THEIR_STOCK):
            self.stock_shown[seat ^ (place == THEIR_STOCK)] += 1
        pile = self.foundations[self.foundation_for(card)] if place == FOUNDATION else self.pile_at(seat, place)
        pile.append(card)

    def foundation_for(self, card: Card) -> int:
        """The first foundation that takes a card, -1 if none does."""
        below = FOLLOWS[card]
        for number, pile in enumerate(self.foundations):
            if pile[-1] in below if pile else not below:
                return number
        return -1

    def piles_in_reach(self, seat: int) -> list[tuple[str, list[Card]]]:
        """The piles on which the player on turn may build, each with its place."""
        if self.options["shared_tableau"]:
            return list(zip(ALL, (*self.tableau[seat], *self.tableau[1 - seat]), strict=True))
        return list(zip(OWN, self.tableau[seat], strict=True))

    def arrangement(self, seat: int, source: str = "", target: str = "") -> Arrangement:
        """The piles in reach, now or after a move from pile to pile, whatever their order."""
        piles = {place: tuple(pile) for place, pile in self.piles_in_reach(seat)}
        if source:
            piles[target] += piles[source][-1:]
            piles[source] = piles[source][:-1]
        return frozenset(piles.values())

    # Legal moves

    def legal_moves(self, seat: int) -> Sequence[RussianBankMove]:
        if seat not in self.to_act:
            return ()
        if seat != self.turn:
            answers = [GO] if self.phase is SHIFT else []
            return [*answers, STOP] if self.wrong_calls[seat] < WRONG_CALLS else answers
        return list(self.moves_of_turn(seat, may_err=self.may_err()))

    def may_err(self) -> bool:
        """Whether the priorities may be neglected now."""
        return self.options["mode"] == "casual" and self.phase is TURN and not self.is_corrected

    def is_possible(self, seat: int, move: Move, *, may_err: bool) -> bool:
        """Whether a move is one of `moves_of_turn`, without finding the others."""
        free = self.free_cards(seat)
        due = self.due_of(free)
        forced = self._forced(due, may_err)
        if forced is not None:
            return move in forced
        if not isinstance(move, Play) or move.target == WASTE:
            return any(found == move for found in self._ends(seat, may_err))
        if move.target == FOUNDATION:
            return move in due
        from_there = [(place, card) for place, card in free if place == move.source]
        moves = self._loads if move.target in LOADS else self._tableau_moves
        return move in moves(seat, from_there)

    def moves_of_turn(self, seat: int, *, may_err: bool) -> Iterator[RussianBankMove]:
        """The moves of the player on turn, with those that neglect a priority or without them."""
        free = self.free_cards(seat)
        due = self.due_of(free)
        forced = self._forced(due, may_err)
        if forced is not None:
            yield from forced
            return
        yield from due
        yield from self._tableau_moves(seat, free)
        yield from self._loads(seat, free)
        yield from self._ends(seat, may_err)

    def _forced(self, due: list[Play], may_err: bool) -> list[Play] | None:
        """The foundation plays of which one must be made, None if none must."""
        if self.phase is OPENING or due and not may_err:
            return due[:1] if due[0].source == STOCK else due
        return None

    def free_cards(self, seat: int) -> list[tuple[str, Card]]:
        """The cards that may be moved now, the stock card first, each with its place."""
        piles = self.piles_in_reach(seat)
        if self.phase is OPENING:
            return [(place, pile[-1]) for place, pile in piles if pile and place in OWN]
        others = [(place, card) for place in (STOCK, TURNED) if (card := self.top(seat, place)) is not None]
        return others + [(place, pile[-1]) for place, pile in piles if pile]

    def due_of(self, free: Iterable[tuple[str, Card]]) -> list[Play]:
        """The foundation plays of these cards."""
        tops = {pile[-1] for pile in self.foundations if pile}
        has_vacancy = not all(self.foundations)
        return [
            _play(place, FOUNDATION, card)
            for place, card in free
            if (not tops.isdisjoint(FOLLOWS[card]) if FOLLOWS[card] else has_vacancy)
        ]

    def _tableau_moves(self, seat: int, free: Iterable[tuple[str, Card]]) -> Iterator[Play]:
        tops = [(place, pile[-1] if pile else None) for place, pile in self.piles_in_reach(seat)]
        there = {top for _place, top in tops}
        for source, card in free:
            below = BUILDS_ON[card]
            if None not in there and below.isdisjoint(there):
                continue
            for target, top in tops:
                if (top is None or top in below) and not (source in ALL and self._is_repeated(seat, source, target)):
                    yield _play(source, target, card)

    def _is_repeated(self, seat: int, source: str, target: str) -> bool:
        """Whether a move from pile to pile makes an arrangement that has just been on the table, or is there."""
        moved = len(self.pile_at(seat, source)) == 1 and not self.pile_at(seat, target)
        return moved or bool(self.arrangements) and self.arrangement(seat, source, target) in self.arrangements

    def _loads(self, seat: int, free: Iterable[tuple[str, Card]]) -> Iterator[Play]:
        for target in LOADS:
            below = self.top(seat, target)
            if below is not None:
                yield from (_play(source, target, card) for source, card in free if below in NEIGHBOURS[card])

    def _ends(self, seat: int, may_err: bool) -> Iterator[RussianBankMove]:
        """The moves to the reserve and to the waste."""
        if self.turned is not None:
            if may_err or self.options["optional_waste"] or not self._fits_tableau(seat, self.turned):
                yield _play(TURNED, WASTE, self.turned)
        elif not self.reserve[seat] and not self.waste[seat]:
            yield PASS
        elif not self._must_fill(seat):
            yield TURN_UP

    def _fits_tableau(self, seat: int, card: Card) -> bool:
        return any(not pile or pile[-1] in BUILDS_ON[card] for _place, pile in self.piles_in_reach(seat))

    def _must_fill(self, seat: int) -> bool:
        """Whether a vacancy has to be filled before the reserve is turned, with the option that says so."""
        return (
            self.options["vacancy"] == "stock_first"
            and bool(self.stock[seat])
            and not all(pile for _place, pile in self.piles_in_reach(seat))
        )

    def is_misnamed(self, seat: int, move: Move) -> bool:
        """Whether a play names another card than the one that lies there."""
        if not isinstance(move, Play) or move.card is None:
            return False
        return not (self.top(seat, move.source) or "").startswith(face(move.card))

    def is_out(self, seat: int) -> bool:
        has_turned = self.turned is not None and seat == self.turn
        return not (self.stock[seat] or self.reserve[seat] or self.waste[seat] or has_turned)

    # Taking moves back

    def can_undo(self, deed: Deed) -> bool:
        """Whether the cards lie as this deed has left them."""
        if deed.source in ("T", "VT"):
            return self.turned == deed.card and not (deed.source == "VT" and self.waste[deed.seat])
        if deed.source == TURNED and self.turned is not None:
            return False
        if deed.source == "+":
            return self.stock_shown[deed.seat] == 1 and self.stock[deed.seat][-1:] == [deed.card]
        if deed.target == FOUNDATION:
            return any(pile[-1:] == [deed.card] for pile in self.foundations)
        return not deed.target or self.top(deed.seat, deed.target) == deed.card

    def undo(self, deed: Deed) -> None:
        """Puts the cards of a deed back, the last deed first; the `rounds` are not counted back."""
        seat = deed.seat
        if deed.source in ("T", "VT"):
            self.reserve[seat].append(self.take(seat, TURNED))
            if deed.source == "VT":
                self.reserve[seat], self.waste[seat] = [], self.reserve[seat][::-1]
        elif deed.source == "+":
            self.stock_shown[seat] -= 1
        elif deed.target == FOUNDATION:
            next(pile for pile in self.foundations if pile[-1:] == [deed.card]).pop()
            self.put(seat, deed.source, deed.card)
        elif deed.target:
            self.put(seat, deed.source, self.take(seat, deed.target))

    def recent_arrangements(self) -> frozenset[Arrangement]:
        """The arrangements before each of the last moves from pile to pile, found by taking these back."""
        before, found = self.copy(), set()
        for deed in reversed([deed for deed in self.log if deed.seat == self.turn]):
            if not deed.is_in_tableau:
                break
            before.undo(deed)
            found.add(before.arrangement(self.turn))
        return frozenset(found)
