"""Russian Bank for two: a race of two patiences, each with a pack of its own, on common foundations.

Source: "Ultimate Book of Card Games", "Russian Bank"; what it leaves open is completed from common play (pagat.com).
Rulings, where it is silent or unclear:
- each player builds on the own four piles only, unless the tableau is shared;
- only a card put on the waste ends a turn, or a pass when reserve and waste are empty; a turned card that fits the
  own tableau may not be wasted, unless the options say so;
- moves from pile to pile may not repeat an arrangement, so every turn ends; a game is blocked when both players have
  gone twice through their cards without a foundation card, so every game ends;
- three drawn games in a row end a match, so every match ends;
- in casual mode a turn lost by STOP counts like a pass for `blocked`, and a turned card then goes back face down on
  its reserve;
- of a shuffled deck of both packs each player takes the own cards in their order: the first twelve are the stock,
  the first of them turned up first, the next four the piles, the rest the reserve;
- the log keeps the current and the previous turn. Of a waste only the top card may be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from random import Random
from typing import Any, ClassVar, NoReturn, Self, TypeAlias

from games.core.cards import RANK_INDEX, RANKS, SUITS, Card, face, in_capitals, pack
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
    open_zone,
    places,
    switch,
)
from games.core.deals import Decks, numbered_decks, random_decks
from games.core.positions import PositionReader, by_seat, card_list, check_cards, whole_number

SEATS = 2
PACK = pack(copies=2)
STOCK_CARDS = 12
OWN_PILES = 4
RESERVE_CARDS = 36
FOUNDATIONS = 8
OUT_BONUS = 30
STOCK_POINTS = 2
ROUNDS_WHEN_BLOCKED = 2
WRONG_CALLS = 3
DRAWS_IN_A_ROW = 3


def _cards_where(card: Card, ranks: Iterable[int], *, same_suit: bool) -> frozenset[Card]:
    """The cards of these ranks in the suit of `card`, or in the two suits of the other colour."""
    suits = card[1] if same_suit else "CS" if card[1] in "DH" else "DH"
    return frozenset(
        RANKS[rank] + suit + copy for rank in ranks if 0 <= rank < len(RANKS) for suit in suits for copy in "12"
    )


_RANK = {card: RANK_INDEX[card[0]] for card in PACK}
# For each card those that it may lie on: in the tableau, on a foundation, loaded.
BUILDS_ON = {card: _cards_where(card, [_RANK[card] + 1], same_suit=False) for card in PACK}
FOLLOWS = {card: _cards_where(card, [_RANK[card] - 1], same_suit=True) for card in PACK}
NEIGHBOURS = {card: _cards_where(card, [_RANK[card] - 1, _RANK[card] + 1], same_suit=True) for card in PACK}


class Phase(StrEnum):
    """`SHIFT`: a turn has ended in casual mode, and the other player answers."""

    OPENING = "opening"
    TURN = "turn"
    SHIFT = "shift"
    OVER = "over"


OPENING, TURN, SHIFT, OVER = Phase


# Moves

STOCK, TURNED, WASTE = "S", "R", "W"
FOUNDATION, THEIR_STOCK, THEIR_WASTE = "F", "OS", "OW"
LOADS = (THEIR_STOCK, THEIR_WASTE)
OWN, ALL = "1234", "12345678"


@dataclass(frozen=True, slots=True)
class Play(Move):
    """A card goes from `source` to `target`: `S>F 5S1`, `1>4 5D1`, `R>OW 7D1`, `R>W 9C1`.

    Both are places as the player on turn sees them: S stock, R turned card, W waste, 1 to 4 own piles, 5 to 8
    the other's piles, F foundation, OS and OW the other's stock and waste. `card` is for readers, with or without
    its copy; two plays between the same places are equal.
    """

    source: str
    target: str
    card: Card | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.source}>{self.target} {self.card or ''}".strip()


@dataclass(frozen=True, slots=True)
class Call(Move):
    """A move without a card: `T` turns up a reserve card, `P` passes, `STOP` and `GO` answer a turn."""

    word: str

    def __str__(self) -> str:
        return self.word


RussianBankMove: TypeAlias = Play | Call

TURN_UP, PASS, STOP, GO = Call("T"), Call("P"), Call("STOP"), Call("GO")
CALLS = {call.word: call for call in (TURN_UP, PASS, STOP, GO)}

_play = cache(Play)


_CARD = rf"[{RANKS}][{SUITS}][12]?"
_PLACES = re.compile(r"(S|R|W|OS|OW|[1-8])>(F|OS|OW|W|[1-8])")
_CALL = re.compile(rf"(?P<word>STOP|GO|P)|V?T(?:=?{_CARD})?")


def _read_move(text: str) -> RussianBankMove:
    tidy = " ".join(in_capitals(text).split())
    call = _CALL.fullmatch(re.sub(r"[ .!]", "", tidy))
    if call is not None:
        return CALLS[call["word"] or "T"]
    words = re.sub(r" ?> ?", ">", tidy).split()
    found = [match for match in map(_PLACES.fullmatch, words) if match]
    cards = [word for word in words if re.fullmatch(_CARD, word)]
    if len(found) != 1 or len(cards) > 1 or len(words) > 1 + len(cards):
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Russian Bank. Write S>F 5S1 to play the stock card to a foundation, "
            "2>3 9C1 to move a card between piles, R>W 9C1 to waste the turned card, T to turn one up."
        )
    source, target = found[0].groups()
    return Play(source, target, cards[0] if cards else None)


# State


@dataclass(frozen=True, slots=True)
class Deed:
    """What happened, as the log keeps it.

    what: `S>F` and the like, `T` or `VT` (after turning the waste over) with the turned card, `+` with the stock
    card turned up, `P`, `STOP` for a wrong call, `STOP!` for a right one.
    """

    seat: int
    what: str
    card: Card = ""

    @property
    def source(self) -> str:
        return self.what.partition(">")[0]

    @property
    def target(self) -> str:
        return self.what.partition(">")[2]

    @property
    def is_in_tableau(self) -> bool:
        """A move from pile to pile."""
        return self.source in ALL and self.target in ALL and bool(self.target)

    def __str__(self) -> str:
        joint = "=" if self.what in ("T", "VT") else " " if self.target else ""
        return f"{self.seat}:{self.what}{joint}{self.card}"


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a turn first went wrong: after how many of its deeds, and the `rounds` of both seats then."""

    deeds: int
    rounds: tuple[int, ...]


Arrangement: TypeAlias = frozenset[tuple[Card, ...]]


class RussianBankState(State):
    """A match of Russian Bank. Lists by seat; in all piles the last card is the top, or the next one.

    turn: the seat whose turn it is. stock_shown: how many cards of a stock lie face up. rounds: how often a seat
    has turned its waste over, or passed, since the last foundation card. arrangements: those of the tableau since
    the last move of another kind. deeds, previous: of this and of the previous turn.
    mark: the first error of a turn in casual mode. is_corrected: the next move has to keep the priorities.
    """

    __slots__ = (
        "_decks",
        "_next_deck",
        "arrangements",
        "dealer",
        "deeds",
        "draws",
        "foundations",
        "games_played",
        "is_corrected",
        "mark",
        "options",
        "phase",
        "previous",
        "reserve",
        "results",
        "rounds",
        "scores",
        "seats",
        "stock",
        "stock_shown",
        "tableau",
        "to_act",
        "turn",
        "turned",
        "waste",
        "wrong_calls",
    )

    results: tuple[HandResult, ...]

    def __init__(self, options: Options, decks: Decks, dealer: int) -> None:
        self.seats = SEATS
        self.options = options
        self._decks = decks
        self._next_deck = 0
        self.dealer = dealer
        self.scores = [0] * SEATS
        self.draws = 0
        self.games_played = 0
        self.results = ()
        self.clear_table()

    def clear_table(self) -> None:
        self.phase = OVER
        self.to_act: tuple[int, ...] = ()
        self.turn = 1 - self.dealer
        self.tableau: list[list[list[Card]]] = [[[] for _ in range(OWN_PILES)] for _ in range(SEATS)]
        self.foundations: list[list[Card]] = [[] for _ in range(FOUNDATIONS)]
        self.stock: list[list[Card]] = [[], []]
        self.stock_shown = [0, 0]
        self.reserve: list[list[Card]] = [[], []]
        self.waste: list[list[Card]] = [[], []]
        self.turned: Card | None = None
        self.rounds = [0, 0]
        self.arrangements: frozenset[Arrangement] = frozenset()
        self.deeds: list[Deed] = []
        self.previous: tuple[Deed, ...] = ()
        self.mark: Mark | None = None
        self.is_corrected = False
        self.wrong_calls = [0, 0]

    def deal_hand(self) -> None:
        """Both players lay out their packs; the one who did not deal begins with the aces of the own tableau."""
        self.clear_table()
        deck = self._decks[self._next_deck]
        self._next_deck += 1
        for seat in range(SEATS):
            own = [card for card in deck if card[2] == str(seat + 1)]
            self.stock[seat] = own[STOCK_CARDS - 1 :: -1]
            self.tableau[seat] = [[card] for card in own[STOCK_CARDS : STOCK_CARDS + OWN_PILES]]
            self.reserve[seat] = own[: STOCK_CARDS + OWN_PILES - 1 : -1]
        self.phase = OPENING
        self.settle()

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name in RussianBankState.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.scores = self.scores[:]
        twin.tableau = [[pile[:] for pile in piles] for piles in self.tableau]
        twin.foundations = [pile[:] for pile in self.foundations]
        twin.stock = [pile[:] for pile in self.stock]
        twin.stock_shown = self.stock_shown[:]
        twin.reserve = [pile[:] for pile in self.reserve]
        twin.waste = [pile[:] for pile in self.waste]
        twin.rounds = self.rounds[:]
        twin.deeds = self.deeds[:]
        twin.wrong_calls = self.wrong_calls[:]
        return twin

    def cards(self) -> list[Card]:
        piles = [*self.tableau[0], *self.tableau[1], *self.foundations, *self.stock, *self.reserve, *self.waste]
        return [card for pile in piles for card in pile] + ([self.turned] if self.turned else [])

    # Places, as a seat names them

    def _pile(self, seat: int, place: str) -> list[Card]:
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
        pile = self._pile(seat, place)
        return pile[-1] if pile else None

    def _take(self, seat: int, place: str) -> Card:
        if place == TURNED:
            card, self.turned = self.turned, None
            assert card is not None, "there is a turned card"
            return card
        if place in (STOCK, THEIR_STOCK):
            self.stock_shown[seat ^ (place == THEIR_STOCK)] -= 1
        return self._pile(seat, place).pop()

    def _put(self, seat: int, place: str, card: Card) -> None:
        if place == TURNED:
            self.turned = card
            return
        if place in (STOCK, THEIR_STOCK):
            self.stock_shown[seat ^ (place == THEIR_STOCK)] += 1
        pile = self.foundations[self.foundation_for(card)] if place == FOUNDATION else self._pile(seat, place)
        pile.append(card)

    def foundation_for(self, card: Card) -> int:
        """The first foundation that takes a card, -1 if none does."""
        below = FOLLOWS[card]
        for number, pile in enumerate(self.foundations):
            if pile[-1] in below if pile else not below:
                return number
        return -1

    def piles_in_reach(self) -> str:
        """The piles on which the player on turn may build."""
        return ALL if self.options["shared_tableau"] else OWN

    def _arrangement(self, seat: int, source: str = "", target: str = "") -> Arrangement:
        """The piles in reach, now or after a move from pile to pile, whatever their order."""
        piles = {place: tuple(self._pile(seat, place)) for place in self.piles_in_reach()}
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
        return self._moves(seat, may_err=self._may_err())

    def _may_err(self) -> bool:
        """Whether the priorities may be neglected now."""
        return self.options["mode"] == "casual" and self.phase is TURN and not self.is_corrected

    def _moves(self, seat: int, *, may_err: bool) -> list[RussianBankMove]:
        """The moves of the player on turn, with those that neglect a priority or without them."""
        free = self._free_cards(seat)
        due = self._due(free)
        if self.phase is OPENING or due and not may_err:
            return [*(due[:1] if due[0].source == STOCK else due)]
        return [*due, *self._tableau_moves(seat, free), *self._loads(seat, free), *self._ends(seat, may_err)]

    def _free_cards(self, seat: int) -> list[tuple[str, Card]]:
        """The cards that may be moved now, the stock card first, each with its place."""
        own = OWN if self.phase is OPENING else (STOCK, TURNED, *self.piles_in_reach())
        found = [(place, self.top(seat, place)) for place in own]
        return [(place, card) for place, card in found if card is not None]

    def _due(self, free: Iterable[tuple[str, Card]]) -> list[Play]:
        """The foundation plays of these cards."""
        return [_play(place, FOUNDATION, card) for place, card in free if self.foundation_for(card) >= 0]

    def _tableau_moves(self, seat: int, free: Iterable[tuple[str, Card]]) -> Iterator[Play]:
        piles = [(place, self._pile(seat, place)) for place in self.piles_in_reach()]
        for source, card in free:
            below = BUILDS_ON[card]
            for target, pile in piles:
                if (not pile or pile[-1] in below) and not (source in ALL and self._is_repeated(seat, source, target)):
                    yield _play(source, target, card)

    def _is_repeated(self, seat: int, source: str, target: str) -> bool:
        """Whether a move from pile to pile makes an arrangement that has just been on the table."""
        after = self._arrangement(seat, source, target)
        return after in self.arrangements or after == self._arrangement(seat)

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
        tops = [self.top(seat, place) for place in self.piles_in_reach()]
        return any(top is None or top in BUILDS_ON[card] for top in tops)

    def _must_fill(self, seat: int) -> bool:
        """Whether a vacancy has to be filled before the reserve is turned, with the option that says so."""
        return (
            self.options["vacancy"] == "stock_first"
            and bool(self.stock[seat])
            and not all(self._pile(seat, place) for place in self.piles_in_reach())
        )

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_turn(seat, move)
        if seat != self.turn:
            self._answer(seat, move)
            return
        if move not in self._moves(seat, may_err=self._may_err()) or self._is_misnamed(seat, move):
            self._explain(seat, move)
        if self._may_err() and self.mark is None and move not in self._moves(seat, may_err=False):
            self.mark = Mark(len(self.deeds), tuple(self.rounds))
        self.is_corrected = False
        if isinstance(move, Play):
            self._carry(seat, move.source, move.target)
        elif move == TURN_UP:
            self._turn_up(seat)
        else:
            self.rounds[seat] += 1
            self.deeds.append(Deed(seat, "P"))
            self._end_turn()

    def _is_misnamed(self, seat: int, move: Move) -> bool:
        """Whether a play names another card than the one that lies there."""
        if not isinstance(move, Play) or move.card is None:
            return False
        return not (self.top(seat, move.source) or "").startswith(face(move.card))

    def _carry(self, seat: int, source: str, target: str) -> None:
        before = self._arrangement(seat) if source in ALL and target in ALL else None
        card = self._take(seat, source)
        self._put(seat, target, card)
        self.deeds.append(Deed(seat, f"{source}>{target}", card))
        self.arrangements = frozenset() if before is None else self.arrangements | {before}
        if target == FOUNDATION:
            self.rounds = [0, 0]
        if target == WASTE:
            self._end_turn()
        else:
            self.settle()

    def _turn_up(self, seat: int) -> None:
        what = "T"
        if not self.reserve[seat]:
            what = "VT"
            self.reserve[seat], self.waste[seat] = self.waste[seat][::-1], []
            self.rounds[seat] += 1
        self.turned = self.reserve[seat].pop()
        self.arrangements = frozenset()
        self.deeds.append(Deed(seat, what, self.turned))

    def settle(self) -> None:
        """What happens by itself: the opening ends, the stock card is turned up, a player is out."""
        seat = self.turn
        if self.phase is OPENING and not self._due(self._free_cards(seat)):
            self.phase = TURN
        if self.phase is TURN and self.stock[seat] and not self.stock_shown[seat]:
            self.stock_shown[seat] = 1
            self.deeds.append(Deed(seat, "+", self.stock[seat][-1]))
        if self.is_out(seat):
            self._end_turn()
        else:
            self.set_to_act()

    def set_to_act(self) -> None:
        """In casual mode the other player may call STOP all the time, and GO after the turn."""
        other = 1 - self.turn
        if self.phase is OVER:
            self.to_act = ()
        elif self.phase is SHIFT:
            self.to_act = (other,)
        elif self.options["mode"] == "casual" and self.wrong_calls[other] < WRONG_CALLS:
            self.to_act = (self.turn, other)
        else:
            self.to_act = (self.turn,)

    @property
    def awaited(self) -> tuple[int, ...]:
        """The player on turn, or whoever has to answer; nobody waits for a call of STOP."""
        return self.to_act[:1]

    def is_out(self, seat: int) -> bool:
        has_turned = self.turned is not None and seat == self.turn
        return not (self.stock[seat] or self.reserve[seat] or self.waste[seat] or has_turned)

    def _end_turn(self) -> None:
        if self.options["mode"] == "casual":
            self.phase = SHIFT
            self.set_to_act()
        else:
            self._shift()

    def _shift(self) -> None:
        """The game ends, or the turn passes to the other player."""
        if self.is_out(self.turn):
            self._score_out(self.turn)
        elif min(self.rounds) >= ROUNDS_WHEN_BLOCKED:
            self._score_blocked()
        else:
            self.turn = 1 - self.turn
            self.phase = TURN
            self.previous, self.deeds = tuple(self.deeds), []
            self.arrangements = frozenset()
            self.mark = None
            self.is_corrected = False
            self.settle()

    # Casual mode: the other player answers

    def _answer(self, seat: int, move: Move) -> None:
        if move == GO:
            if self.phase is not SHIFT:
                _refuse("casual-shift", "The turn is not over yet; say GO when it is.")
            self._shift()
        elif move != STOP:
            self._refuse_turn(seat, move)
        elif self.wrong_calls[seat] >= WRONG_CALLS:
            _refuse("casual-wrong-call", "You have called STOP three times without an error; say GO.")
        elif self.mark is None:
            self.wrong_calls[seat] += 1
            self.deeds.append(Deed(seat, "STOP"))
            self.set_to_act()
        else:
            self._go_back(seat, self.mark)

    def _go_back(self, caller: int, mark: Mark) -> None:
        """Takes back the first error of the turn and all that followed."""
        while len(self.deeds) > mark.deeds:
            self.undo(self.deeds.pop())
        self.rounds = list(mark.rounds)
        self.deeds.append(Deed(caller, "STOP!"))
        self.mark = None
        self.phase = TURN
        self.arrangements = self.recent_arrangements()
        if self.options["stop_penalty"] == "lose_turn":
            if self.turned is not None:
                self.reserve[self.turn].append(self._take(self.turn, TURNED))
            self.rounds[self.turn] += 1
            self._shift()
        else:
            self.is_corrected = True
            self.set_to_act()

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
            self.reserve[seat].append(self._take(seat, TURNED))
            if deed.source == "VT":
                self.reserve[seat], self.waste[seat] = [], self.reserve[seat][::-1]
        elif deed.source == "+":
            self.stock_shown[seat] -= 1
        elif deed.target == FOUNDATION:
            next(pile for pile in self.foundations if pile[-1:] == [deed.card]).pop()
            self._put(seat, deed.source, deed.card)
        elif deed.target:
            self._put(seat, deed.source, self._take(seat, deed.target))

    def recent_arrangements(self) -> frozenset[Arrangement]:
        """The arrangements before each of the last moves from pile to pile, found by taking these back."""
        before, found = self.copy(), set()
        for deed in reversed([deed for deed in self.deeds if deed.seat == self.turn]):
            if not deed.is_in_tableau:
                break
            before.undo(deed)
            found.add(before._arrangement(self.turn))
        return frozenset(found)

    # Refusals

    def _refuse_turn(self, seat: int, move: Move) -> NoReturn:
        if not self.to_act:
            rule = "out-win" if self.is_out(0) or self.is_out(1) else "blocked"
            raise NotYourTurn("The game is over; start another one.", rule=f"russian-bank:{rule}")
        if move == STOP and seat != self.turn:
            casual = self.options["mode"] == "casual"
            rule = "casual-wrong-call" if casual else "strict-mode"
            why = "You have called three times without an error" if casual else "Nobody can go wrong at this table"
            raise NotYourTurn(f"{why}, so there is no STOP; wait for your turn.", rule=f"russian-bank:{rule}")
        message = "It is the other player's turn, until a card goes on the waste; yours comes next."
        if self.phase is SHIFT:
            message = "Your turn is over; the other player says GO or STOP."
        raise NotYourTurn(message, rule="russian-bank:turn-end")

    def _explain(self, seat: int, move: Move) -> NoReturn:
        """Refuses a move that is not legal, by the first rule that it breaks."""
        if move in (STOP, GO):
            self._explain_answer(move)
        if isinstance(move, Play):
            self._explain_places(move)
        due = self._due(self._free_cards(seat))
        if self.phase is OPENING:
            _refuse("start-aces", f"The game opens with the piles: play {_either(due)} to a foundation first.")
        if due and not self._may_err():
            self._explain_due(seat, move, due)
        if isinstance(move, Play):
            self._explain_play(seat, move)
        if move == PASS:
            _refuse("pass-no-reserve", "You may pass when reserve and waste are empty; now turn or place a card.")
        if self.turned is not None:
            _refuse("reserve-one-at-a-time", f"{self.turned} is turned up already; find a place for it first.")
        if not self.reserve[seat] and not self.waste[seat]:
            _refuse("pass-no-reserve", "You have no reserve and no waste to turn; play a card or pass.")
        _refuse("vacancy-fill", "Fill the vacancy before you turn a reserve card; your stock card can go there.")

    def _explain_answer(self, move: Move) -> NoReturn:
        if self.options["mode"] != "casual":
            _refuse("strict-mode", "STOP and GO belong to casual games; play a card or turn one up.")
        rule = "casual-stop" if move == STOP else "casual-shift"
        _refuse(rule, f"{move} is for the player who is not on turn; play a card or turn one up.")

    def _explain_places(self, move: Play) -> None:
        if move.source == WASTE:
            _refuse("waste-closed", "Your waste is closed until it is turned over; use stock, reserve or tableau.")
        if move.source in LOADS:
            _refuse("tableau-own", "The other player's cards are not yours to move; use your own.")
        if not {move.source, move.target}.isdisjoint("5678") and not self.options["shared_tableau"]:
            _refuse("tableau-own", "Those piles belong to the other player; use your piles 1 to 4.")

    def _explain_due(self, seat: int, move: Move, due: Sequence[Play]) -> NoReturn:
        if due[0].source == STOCK and move in due and not self._is_misnamed(seat, move):
            _refuse("stock-first", f"The stock card goes first: play {due[0].card} to its foundation.")
        _refuse("foundation-forced", f"A foundation play is due: play {_either(due)} before anything else.")

    def _explain_play(self, seat: int, move: Play) -> NoReturn:
        card = self.top(seat, move.source)
        if card is None or self._is_misnamed(seat, move):
            self._explain_source(move, card)
        if move.target == FOUNDATION:
            started = any(pile and pile[0][1] == card[1] for pile in self.foundations)
            if not started:
                _refuse("foundation-ace", f"No ace of that suit is out yet; {card} has to wait for it.")
            _refuse("foundation-build", f"{card} does not continue a foundation; they go up in suit, one by one.")
        if move.target == WASTE:
            if move.source != TURNED:
                _refuse("waste-reserve-only", "Only the turned reserve card goes on your waste; turn one up first.")
            _refuse("reserve-play", f"{card} fits your tableau, so it cannot be wasted: play it there or load it.")
        if move.target in LOADS:
            self._explain_load(seat, move.target, card)
        below = self.top(seat, move.target)
        if move.source != move.target and (below is None or below in BUILDS_ON[card]):
            message = "The piles have just lain like that in this turn; make another move."
            _refuse("no-repeat-arrangement", message)
        _refuse(
            "tableau-build",
            f"{card} does not go on {below}: piles go down by one in alternating colours, or take a card when vacant.",
        )

    def _explain_source(self, move: Play, card: Card | None) -> NoReturn:
        if move.source == STOCK:
            message = f"Your stock card is {card}." if card else "Your stock is empty; use another card."
            _refuse("stock-turn-up", message)
        if move.source == TURNED:
            message = f"Your turned card is {card}." if card else "No reserve card is turned up; turn one with T."
            _refuse("reserve-turn", message)
        if card is None:
            _refuse("tableau-single", f"Pile {move.source} is vacant; choose a pile with a card.")
        message = f"{move.card} is not on top of pile {move.source}: only {card} can move, one card at a time."
        _refuse("tableau-single", message)

    def _explain_load(self, seat: int, target: str, card: Card) -> NoReturn:
        pile = "stock" if target == THEIR_STOCK else "waste"
        below = self.top(seat, target)
        if below is None:
            message = f"The other player's {pile} shows no card to load on; play {card} elsewhere."
            _refuse("load-face-up-only", message)
        if card[1] == below[1] and {card[0], below[0]} == {"A", "K"}:
            _refuse("load-no-wrap", f"King and ace are no neighbours; {card} does not go on {below}.")
        _refuse("load-neighbour", f"On {below} goes the next higher or lower card of its suit, not {card}.")

    # The end of a game

    def value_left(self, seat: int) -> int:
        """The points that a seat's stock, reserve and waste are worth."""
        return STOCK_POINTS * len(self.stock[seat]) + len(self.reserve[seat]) + len(self.waste[seat])

    def _score_out(self, seat: int) -> None:
        other = 1 - seat
        left = len(self.reserve[other]) + len(self.waste[other])
        stock = len(self.stock[other])
        lines = [
            ScoreLine((seat,), "russian-bank:score-out", "Going out", OUT_BONUS),
            ScoreLine(
                (seat,), "russian-bank:score-out", f"In @{other}'s stock: {stock}, at 2 each", STOCK_POINTS * stock
            ),
            ScoreLine((seat,), "russian-bank:score-out", f"In @{other}'s reserve and waste: {left}, at 1 each", left),
        ]
        self._end_game(seat, lines)

    def _score_blocked(self) -> None:
        left = [self.value_left(seat) for seat in range(SEATS)]
        if left[0] == left[1]:
            self._end_game(None, [])
            return
        winner = left.index(min(left))
        text = f"Left: {min(left)} against {max(left)}"
        lines = [ScoreLine((winner,), "russian-bank:score-blocked", text, max(left) - min(left))]
        self._end_game(winner, lines)

    def _summary(self, winner: int | None, gained: int) -> str:
        """How a game ended, told from the cards that are left: a dump has these, too."""
        left = [self.value_left(seat) for seat in range(SEATS)]
        if winner is None:
            return f"The game is blocked with {left[0]} points left on either side; nobody scores."
        how = f"The game is blocked. @{winner} has less left" if left[winner] else f"@{winner} goes out"
        return f"{how} and scores {gained}."

    def _end_game(self, winner: int | None, lines: Sequence[ScoreLine]) -> None:
        gained = [0] * SEATS
        if winner is None:
            self.draws += 1
        else:
            self.draws = 0
            gained[winner] = sum(line.points for line in lines)
            self.scores[winner] += gained[winner]
        summary = self._summary(winner, sum(gained))
        self.games_played += 1
        result = HandResult(self.games_played, summary, tuple(gained), tuple(lines), tuple(self._open_zones()))
        self.results = (*self.results, result)
        if self.is_decided(is_scored=True):
            self.phase = OVER
            self.set_to_act()
        else:
            self.dealer = 1 - self.dealer
            self.deal_hand()

    def _open_zones(self) -> Iterator[Zone]:
        """What was still face down at the end."""
        for seat in range(SEATS):
            piles = {"stock": self.stock[seat], "reserve": self.reserve[seat], "waste": self.waste[seat]}
            for name, pile in piles.items():
                if pile:
                    label = f"{name.capitalize()} of @{seat}"
                    yield open_zone(f"{name}:{seat}", "row", label, reversed(pile), owner=seat)

    @property
    def target(self) -> int | None:
        """The points that win a match, None where a single game decides."""
        target = self.options["target"]
        return target if isinstance(target, int) else None

    def is_decided(self, *, is_scored: bool) -> bool:
        """Whether the match is over. is_scored: a game has just been scored."""
        if self.target is None:
            return is_scored
        return max(self.scores) >= self.target or self.draws >= DRAWS_IN_A_ROW

    def outcome(self) -> Outcome | None:
        if self.phase is not OVER:
            return None
        return Outcome(tuple(self.scores), places(self.scores), self._reason())

    def _reason(self) -> str:
        best = max(self.scores)
        winner = self.scores.index(best)
        if self.target is None:
            return self._summary(winner if best else None, best)
        if best >= self.target:
            return f"Won by @{winner} with {best} points; the target is {self.target}."
        standing = f"the match goes to @{winner} with {best} points" if len(set(self.scores)) > 1 else "so is the match"
        return f"Three games in a row were drawn, and {standing}."

    # Views and positions

    def view(self, seat: int | None) -> RussianBankView:
        return RussianBankView(
            seat=seat,
            seats=SEATS,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=tuple(self.scores),
            log=(*_result_events(self.results), *_events(self.previous), *_events(self.deeds)),
            results=self.results,
            dealer=self.dealer,
            phase=self.phase,
            turn=self.turn,
            tableau=tuple([tuple(map(tuple, piles)) for piles in self.tableau]),
            foundations=tuple(map(tuple, self.foundations)),
            stock_cards=tuple(
                [tuple(pile[len(pile) - shown :]) for pile, shown in zip(self.stock, self.stock_shown, strict=True)]
            ),
            stock_counts=tuple(map(len, self.stock)),
            reserve_counts=tuple(map(len, self.reserve)),
            waste_tops=tuple([pile[-1] if pile else None for pile in self.waste]),
            waste_counts=tuple(map(len, self.waste)),
            turned=self.turned,
            rounds=tuple(self.rounds),
            deeds=tuple(self.deeds),
            previous=self.previous,
            mark=self.mark,
            is_corrected=self.is_corrected,
            wrong_calls=tuple(self.wrong_calls),
            draws=self.draws,
            games_played=self.games_played,
        )

    def dump(self) -> Position:
        return {
            "seats": SEATS,
            "options": dict(self.options),
            "dealer": self.dealer,
            "to_move": None if self.phase is OVER else self.turn,
            "phase": str(self.phase),
            "tableau": [[list(pile) for pile in piles] for piles in self.tableau],
            "foundations": [list(pile) for pile in self.foundations],
            "stock": [pile[::-1] for pile in self.stock],
            "face_up": list(self.stock_shown),
            "reserve": [pile[::-1] for pile in self.reserve],
            "waste": [list(pile) for pile in self.waste],
            "turned": self.turned,
            "rounds": list(self.rounds),
            "turn": [str(deed) for deed in self.deeds],
            "previous_turn": [str(deed) for deed in self.previous],
            "error": None if self.mark is None else {"after": self.mark.deeds, "rounds": list(self.mark.rounds)},
            "corrected": self.is_corrected,
            "wrong_calls": list(self.wrong_calls),
            "scores": list(self.scores),
            "draws": self.draws,
            "games_played": self.games_played,
        }


def _refuse(rule: str, message: str) -> NoReturn:
    raise IllegalMove(message, rule=f"russian-bank:{rule}")


def _unreadable(rule: str, message: str) -> NoReturn:
    raise UnreadableMove(message, rule=f"russian-bank:{rule}")


def _either(due: Sequence[Play]) -> str:
    """The cards of foundation plays, the stock card alone because it goes first."""
    cards = [str(play.card) for play in (due[:1] if due[0].source == STOCK else due)]
    return " or ".join(cards)


# View

_EVENTS = {
    "T": ("turn", "up {}"),
    "VT": ("turn", "the waste over; the first card is {}"),
    "+": ("turn", "up the stock card {}"),
    "P": ("pass", ""),
    "STOP": ("call", "stop, but nothing was missed"),
    "STOP!": ("call", "stop: a priority was missed, and the cards go back"),
}

_CALL_PHRASES = {"P": Phrase("pass"), "STOP": Phrase("call", "stop"), "GO": Phrase("take", "your turn")}


@cache
def _event(deed: Deed) -> Event:
    if not deed.target:
        verb, rest = _EVENTS[deed.what]
        return Event(deed.seat, Phrase(verb, rest.format(deed.card)), (deed.card,) if deed.card else ())
    return Event(deed.seat, _play_phrase(deed.seat, deed.target, deed.card), (deed.card,))


def _events(deeds: Iterable[Deed]) -> list[Event]:
    """The deeds of a turn; a stock card that comes up after a play is told with it."""
    found: list[Event] = []
    for deed in deeds:
        event = _event(deed)
        if deed.source == "+" and found:
            last = found.pop()
            phrase = Phrase(last.phrase.verb, f"{last.phrase.rest}; the next stock card is {deed.card}")
            event = Event(last.seat, phrase, (*last.touches, deed.card))
        found.append(event)
    return found


def _play_phrase(seat: int, target: str, card: Card, below: Card | None = None) -> Phrase:
    """A play in words. below: the card that it covers, where the sentence should name it."""
    if target == FOUNDATION:
        return Phrase("play", f"{card} to a foundation")
    if target == WASTE:
        return Phrase("put", f"{card} on the waste")
    if target in LOADS:
        pile = "stock" if target == THEIR_STOCK else "waste"
        return Phrase("load", f"{card} on the {pile} of @{1 - seat}")
    return Phrase("move", f"{card} on {below}" if below else f"{card} to pile {target}")


def _result_events(results: tuple[HandResult, ...]) -> list[Event]:
    return [Event(None, Phrase("", f"Game {result.number}: {result.summary}")) for result in results[-1:]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RussianBankView(View):
    """What lies open on the table; both seats and spectators see the same.

    tableau, foundations: all cards, the top last. stock_cards: by seat, the face-up cards of the stock, top last.
    The other fields are those of the state.
    """

    dealer: int
    phase: Phase
    turn: int
    tableau: tuple[tuple[tuple[Card, ...], ...], ...]
    foundations: tuple[tuple[Card, ...], ...]
    stock_cards: tuple[tuple[Card, ...], ...]
    stock_counts: tuple[int, ...]
    reserve_counts: tuple[int, ...]
    waste_tops: tuple[Card | None, ...]
    waste_counts: tuple[int, ...]
    turned: Card | None
    rounds: tuple[int, ...]
    deeds: tuple[Deed, ...]
    previous: tuple[Deed, ...]
    mark: Mark | None
    is_corrected: bool
    wrong_calls: tuple[int, ...]
    draws: int
    games_played: int

    @property
    def zones(self) -> tuple[Zone, ...]:
        own = self.seat or 0
        foundations = [
            open_zone(f"foundation:{number}", "pile", f"Foundation {number}", pile)
            for number, pile in enumerate(self.foundations, start=1)
        ]
        return (
            *self._packets(1 - own),
            *self._columns(1 - own),
            *foundations,
            *self._columns(own),
            *self._packets(own),
        )

    def _columns(self, seat: int) -> Iterator[Zone]:
        for number, pile in enumerate(self.tableau[seat], start=1):
            yield open_zone(f"tableau:{seat}:{number}", "column", f"Pile {number} of @{seat}", pile)

    def _packets(self, seat: int) -> tuple[Zone, ...]:
        """Stock, reserve with the turned card on top, and waste."""
        turned = (self.turned,) if self.turned and seat == self.turn else ()
        top = self.waste_tops[seat]
        return (
            Zone(f"stock:{seat}", "pile", f"Stock of @{seat}", self.stock_cards[seat], self.stock_counts[seat], seat),
            Zone(
                f"reserve:{seat}",
                "pile",
                f"Reserve of @{seat}",
                turned,
                self.reserve_counts[seat] + len(turned),
                seat,
                "turned up" if turned else "",
            ),
            Zone(f"waste:{seat}", "pile", f"Waste of @{seat}", (top,) if top else (), self.waste_counts[seat], seat),
        )

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.seat != self.turn:
            return self._prompt_to_answer()
        if self.phase is OPENING:
            return "Play your aces, and what then fits, to the foundations."
        if self._is_due():
            return "A card fits a foundation: play it there first."
        if self.turned is not None:
            can_waste = any(isinstance(move, Play) and move.target == WASTE for move in self.moves)
            return f"Find a place for {self.turned}, or waste it." if can_waste else f"Find a place for {self.turned}."
        if TURN_UP in self.moves:
            return "Play a card or turn up a reserve card."
        return "Play a card or pass." if PASS in self.moves else "Fill the vacancy before you turn a reserve card."

    def _prompt_to_answer(self) -> str:
        if self.phase is not SHIFT:
            return f"@{self.turn} is playing. Call stop if a card that fits a foundation or the tableau is missed."
        if STOP in self.moves:
            return f"@{self.turn} has finished. Take your turn, or call stop if something was missed."
        return f"@{self.turn} has finished. Take your turn."

    def _is_due(self) -> bool:
        """Whether nothing but foundation plays is legal; in casual mode the table does not tell."""
        return all(isinstance(move, Play) and move.target == FOUNDATION for move in self.moves)

    def top(self, place: str) -> Card | None:
        """The face-up card on top of a place, as the seat on turn names it."""
        seat = self.turn
        if place == TURNED:
            return self.turned
        if place in ALL:
            number = int(place) - 1
            pile = self.tableau[seat ^ (number // OWN_PILES)][number % OWN_PILES]
            return pile[-1] if pile else None
        owner = 1 - seat if place in LOADS else seat
        if place.endswith(WASTE):
            return self.waste_tops[owner]
        return self.stock_cards[owner][-1] if self.stock_cards[owner] else None

    def foundation_for(self, card: Card) -> int:
        """The number of the foundation that takes a card, 0 if none does."""
        below = FOLLOWS[card]
        tops = [pile[-1] if pile else None for pile in self.foundations]
        fits = (number for number, top in enumerate(tops, start=1) if (top in below if top else not below))
        return next(fits, 0)

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Play):
            card = move.card or self.top(move.source) or ""
            below = self.top(move.target) if move.target in ALL else None
            touches = tuple(filter(None, (card, self._touched(move.target, card))))
            return Choice(move, _play_phrase(self.turn, move.target, card, below), touches)
        if move == TURN_UP:
            is_empty = not self.reserve_counts[self.turn]
            phrase = Phrase("turn", "the waste over and its first card up" if is_empty else "up a reserve card")
            return Choice(move, phrase, (f"reserve:{self.turn}",))
        return Choice(move, _CALL_PHRASES[str(move)])

    def _touched(self, target: str, card: Card) -> str:
        """The card that a play covers, or the zone where none lies open."""
        if target == FOUNDATION:
            number = self.foundation_for(card) or self._foundation_of_suit(card)
            pile = self.foundations[number - 1]
            return pile[-1] if pile else f"foundation:{number}"
        return self.top(target) or self._zone_id(target)

    def _foundation_of_suit(self, card: Card) -> int:
        """Where one would try to put a card that does not fit, the first one of its suit or the first empty one."""
        wanted = (number for number, pile in enumerate(self.foundations, start=1) if not pile or pile[0][1] == card[1])
        return next(wanted, 1)

    def _zone_id(self, place: str) -> str:
        if place in ALL:
            number = int(place) - 1
            return f"tableau:{self.turn ^ (number // OWN_PILES)}:{number % OWN_PILES + 1}"
        owner = 1 - self.turn if place in LOADS else self.turn
        return f"{'stock' if place.endswith(STOCK) else 'waste'}:{owner}"

    @property
    def forced(self) -> Move | None:
        """A call of STOP is never forced."""
        return self.moves[0] if len(self.moves) == 1 and self.moves[0] != STOP else None

    @property
    def awaited(self) -> tuple[int, ...]:
        return self.to_act[:1]

    @property
    def said(self) -> tuple[tuple[int, str], ...]:
        last = self.deeds[-1] if self.deeds else None
        return ((last.seat, "Stop"),) if last and last.source.startswith("STOP") else ()

    @property
    def has_scores(self) -> bool:
        return self.options["target"] != "none"

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [("Player one", f"@{1 - self.dealer}")]
        if self.has_scores:
            found.append(("Target", f"{self.options['target']} points"))
        if any(self.rounds):
            found.append(("Rounds without a foundation card", f"@0 {self.rounds[0]}, @1 {self.rounds[1]}"))
        if any(self.wrong_calls):
            found.append(("Wrong calls", f"@0 {self.wrong_calls[0]}, @1 {self.wrong_calls[1]}"))
        return tuple(found)


# The game

_POSITION_KEYS = (
    "seats", "options", "dealer", "to_move", "phase", "tableau", "foundations", "stock", "face_up", "reserve", "waste",
    "turned", "rounds", "turn", "previous_turn", "error", "corrected", "wrong_calls", "scores", "draws", "games_played",
)  # fmt: skip
_DEED = re.compile(
    r"(?P<seat>[01]):(?:(?P<what>P|STOP!?)|(?P<play>(?:S|R|[1-8])>(?:F|OS|OW|W|[1-8])) |(?P<turn>V?T)=|(?P<up>\+))"
    rf"(?P<card>{_CARD}|)"
)
_FILLER = next(numbered_decks(PACK))


def _place_of(view: RussianBankView, pick: str) -> str:
    """Where a card or a zone lies, as the seat on turn names it."""
    zone = next(zone for zone in view.zones if pick == zone.id or pick in zone.cards)
    kind, *parts = zone.id.split(":")
    if kind == "foundation":
        return FOUNDATION
    is_own = int(parts[0]) == view.turn
    if kind == "tableau":
        return str(int(parts[1]) + (0 if is_own else OWN_PILES))
    if kind == "reserve" and not is_own:
        _unreadable("tableau-own", "The other player's cards are not yours to move; use your own.")
    return {"stock": STOCK, "waste": WASTE, "reserve": TURNED}[kind] if is_own else f"O{kind[0].upper()}"


def _from_to(source: str, target: str) -> tuple[str, str]:
    """Source and target, whichever was chosen first. :raises UnreadableMove: no card goes from one to the other."""
    goals, sources = (FOUNDATION, *LOADS), (STOCK, TURNED)
    if (source in goals and target not in goals) or (target in sources and source not in sources):
        source, target = target, source
    if source == FOUNDATION:
        _unreadable("foundation-final", "Cards on a foundation stay there; choose a card that is to go there.")
    if target in sources:
        _unreadable("waste-reserve-only", "No card goes on your own stock or reserve; choose another place for it.")
    return source, target


class RussianBank(Game[RussianBankState, RussianBankView, RussianBankMove]):
    slug: ClassVar[str] = "russian-bank"
    name: ClassVar[str] = "Russian Bank"
    summary: ClassVar[str] = "Two patiences race on common foundations, and load their cards on each other."
    seats: ClassVar[tuple[int, ...]] = (SEATS,)
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "mode",
            "Mode",
            "strict",
            {"strict": "strict, only legal moves", "casual": "casual, with stop calls"},
            "Casual: a player may overlook a priority, and the other may call stop.",
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
            help="A turned card may be wasted although it fits the tableau.",
        ),
        Option(
            "vacancy",
            "Vacancies",
            "free",
            {"free": "may stay open", "stock_first": "are filled before a reserve card is turned"},
            "Filled while there is a stock card.",
        ),
        Option(
            "target",
            "Target",
            "none",
            {"none": "a single game", 100: "100", 200: "200", 300: "300"},
            "Points that win a match.",
        ),
    )

    def has_several_deals(self, options: Options) -> bool:
        return False

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> RussianBankState:
        return RussianBankState(options, decks, dealer)

    def parse(self, text: str) -> RussianBankMove:
        return _read_move(text)

    def attempt(self, view: RussianBankView, picks: Sequence[str]) -> RussianBankMove:
        """A card and where it is to go; a card alone is meant for a foundation. Who is not on turn answers."""
        if view.seat != view.turn:
            return GO
        places = list(dict.fromkeys(_place_of(view, pick) for pick in picks))
        named = [pick for pick in picks if pick in _RANK]
        if places == [TURNED] and not named:
            return TURN_UP
        if len(places) > 2 or (len(places) == 1 and len(named) > 1):
            _unreadable("tableau-single", "Cards move one at a time: choose a card that lies free, and its place.")
        source, target = _from_to(places[0], places[1] if len(places) > 1 else FOUNDATION)
        return Play(source, target, next((card for card in named if _place_of(view, card) == source), None))

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
        return _Reader(self, data, deals).state

    def sample(self, view: RussianBankView, rng: Random) -> RussianBankState:
        """`rng` deals the cards that lie face down and those of a waste that the log no longer names."""
        state = RussianBankState(view.options, Decks(random_decks(PACK, rng)), view.dealer)
        _copy_public(view, state)
        _deal_hidden(view, state, rng)
        state.arrangements = state.recent_arrangements()
        state.set_to_act()
        return state


def _copy_public(view: RussianBankView, state: RussianBankState) -> None:
    """Everything but what lies face down."""
    state.phase, state.turn = view.phase, view.turn
    state.tableau = [list(map(list, piles)) for piles in view.tableau]
    state.foundations = list(map(list, view.foundations))
    state.stock_shown = list(map(len, view.stock_cards))
    state.turned = view.turned
    state.rounds, state.wrong_calls = list(view.rounds), list(view.wrong_calls)
    state.deeds, state.previous = list(view.deeds), view.previous
    state.mark, state.is_corrected = view.mark, view.is_corrected
    state.scores, state.draws = list(view.scores), view.draws
    state.games_played, state.results = view.games_played, view.results


def _deal_hidden(view: RussianBankView, state: RussianBankState, rng: Random) -> None:
    """Fills stocks, reserves and wastes; a stock and, while they last, a reserve with cards of the own pack."""
    open_cards = {card for cards in view.stock_cards for card in cards} | {*filter(None, view.waste_tops)}
    open_cards.update(state.cards())
    wasted, at_bottom = _remembered(view, open_cards)
    hidden = [card for card in PACK if card not in open_cards and card not in wasted[0] + wasted[1]]
    hidden = [card for card in hidden if card not in at_bottom[0] + at_bottom[1]]
    rng.shuffle(hidden)
    for seat, shown in enumerate(view.stock_cards):
        state.stock[seat] = [*_drawn(hidden, view.stock_counts[seat] - len(shown), seat), *shown]
    for seat, known in enumerate(at_bottom):
        state.reserve[seat] = [*known[::-1], *_drawn(hidden, view.reserve_counts[seat] - len(known), seat)]
    for seat, known in enumerate(wasted):
        top = view.waste_tops[seat]
        tail = [*known, top] if top else []
        state.waste[seat] = [*_drawn(hidden, view.waste_counts[seat] - len(tail), seat), *tail]


def _drawn(hidden: list[Card], count: int, seat: int) -> list[Card]:
    """Takes so many cards, those of the seat's own pack first."""
    hidden.sort(key=lambda card: card[2] == str(seat + 1))
    return [hidden.pop() for _ in range(count)]


def _remembered(view: RussianBankView, open_cards: set[Card]) -> tuple[list[list[Card]], list[list[Card]]]:
    """Covered cards that the log still names, on each waste and at the bottom of each reserve; first wasted first."""
    wasted: list[list[Card]] = [[], []]
    at_bottom: list[list[Card]] = [[], []]
    for deed in (*view.previous, *view.deeds):
        if deed.source == "VT":
            at_bottom[deed.seat], wasted[deed.seat] = wasted[deed.seat], []
        elif deed.target in (WASTE, THEIR_WASTE):
            wasted[deed.seat ^ (deed.target == THEIR_WASTE)].append(deed.card)
    for seat in range(SEATS):
        covered = max(view.waste_counts[seat] - 1, 0)
        wasted[seat] = _last(covered, [card for card in wasted[seat] if card not in open_cards])
        at_bottom[seat] = _last(view.reserve_counts[seat], [card for card in at_bottom[seat] if card not in open_cards])
    return wasted, at_bottom


def _last(count: int, cards: list[Card]) -> list[Card]:
    return cards[max(len(cards) - count, 0) :]


# Reading positions


def _by_number(value: Any) -> Any:
    """P1 and P2, wherever a position names them, as the seats 0 and 1."""
    names = {"P1": 0, "P2": 1}
    if isinstance(value, Mapping):
        return {names.get(key, key): _by_number(entry) for key, entry in value.items()}
    return names.get(value, value) if isinstance(value, str) else value


def _in_order(value: Any, count: int, name: str) -> Any:
    """The piles of a mapping of numbers from 1 to `count`, None where none is given; anything else as it is."""
    if not isinstance(value, Mapping):
        return value
    numbers = {str(key): entry for key, entry in value.items()}
    piles = [numbers.pop(str(number), None) for number in range(1, count + 1)]
    if numbers:
        raise ImpossiblePosition(f"{name}: they are numbered from 1 to {count}.")
    return piles


class _Reader(PositionReader):
    """Reads a position into a fresh state. :raises ImpossiblePosition:"""

    def __init__(self, game: RussianBank, data: Any, deals: Iterable[Sequence[Card]] | None) -> None:
        super().__init__(game, _by_number(data), _POSITION_KEYS)
        decks = Decks(numbered_decks(PACK) if deals is None else deals)
        self.state = RussianBankState(self.options, decks, self.seat("dealer", 1) or 0)
        self.state.turn = self.seat("to_move", 0) or 0
        self._read_cards()
        self._read_scores()
        self._read_phase()
        self._read_deeds()
        self._settle()

    # Cards

    def _read_cards(self) -> None:
        state = self.state
        state.tableau = [self._piles(entry) for entry in by_seat(self.data.get("tableau"), SEATS, "tableau")]
        foundations = self._foundations()
        stocks, reserves, wastes = map(self._packets, ("stock", "reserve", "waste"))
        state.turned = self._turned()
        named = [card for piles in state.tableau for pile in piles for card in pile]
        named += [card for pile in foundations for card in pile if card in PACK or len(pile) > 1]
        packets = [*stocks, *wastes, *(packet or [] for packet in reserves)]
        named += [card for packet in packets for card in packet or [] if isinstance(card, str)]
        named += [state.turned] if state.turned else []
        check_cards(named, PACK)
        self.free = [card for card in _FILLER if card not in set(named)]
        state.foundations = [self._foundation(pile) for pile in foundations]
        for seat in range(SEATS):
            state.stock[seat] = self._filled(stocks[seat], seat)[::-1]
            state.waste[seat] = self._filled(wastes[seat], seat)
        for seat, packet in enumerate(reserves):
            state.reserve[seat] = self._filled(self._full_reserve(seat) if packet is None else packet, seat)[::-1]
        for piles in state.tableau:
            for pile in piles:
                self._check_pile(pile)

    def _piles(self, value: Any) -> list[list[Card]]:
        if isinstance(value, str):
            value = value.split("/") if "/" in value else value.split()
        value = _in_order(value, OWN_PILES, "tableau")
        if value is not None and not isinstance(value, Sequence):
            raise ImpossiblePosition("tableau: write up to four piles for each seat, such as 9H1 8S1 / KC1.")
        piles = [card_list(pile, "tableau") for pile in value or []]
        if len(piles) > OWN_PILES:
            raise ImpossiblePosition("tableau: each seat has four piles.")
        return piles + [[] for _ in range(OWN_PILES - len(piles))]

    def _check_pile(self, pile: Sequence[Card]) -> None:
        for below, card in zip(pile, pile[1:], strict=False):
            if below not in BUILDS_ON[card]:
                raise ImpossiblePosition(f"tableau: {card} cannot lie on {below}.")

    def _foundations(self) -> list[list[Card]]:
        value = self.data.get("foundations")
        if isinstance(value, str):
            value = value.replace(",", " ").split()
        value = _in_order(value, FOUNDATIONS, "foundations")
        if value is not None and not isinstance(value, Sequence):
            raise ImpossiblePosition("foundations: write the piles or their top cards, such as 4S 8D.")
        piles = [card_list(pile, "foundations") for pile in value or []]
        if len(piles) > FOUNDATIONS:
            raise ImpossiblePosition("foundations: there are eight.")
        return piles + [[] for _ in range(FOUNDATIONS - len(piles))]

    def _foundation(self, pile: Sequence[Card]) -> list[Card]:
        """A whole foundation; of one with its top card alone the rest is added."""
        if len(pile) == 1:
            top = pile[0]
            if not re.fullmatch(_CARD, top):
                raise ImpossiblePosition(f"There is no card {top} in this pack.")
            lower = [rank + top[1] for rank in RANKS[: RANK_INDEX[top[0]]]]
            pile = [*map(self._free_card, lower), top if top in PACK else self._free_card(top)]
        for place, card in enumerate(pile):
            if _RANK[card] != place or card[1] != pile[0][1]:
                raise ImpossiblePosition(f"foundations: {' '.join(pile)} does not go up in suit from the ace.")
        return list(pile)

    def _free_card(self, name: str) -> Card:
        """A card of this name that lies nowhere else; without a copy either one."""
        found = min((card for card in self.free if card.startswith(name)), default=None)
        if found is None:
            raise ImpossiblePosition(f"The card {name} for a foundation lies elsewhere already.")
        self.free.remove(found)
        return found

    def _packets(self, key: str) -> list[list[Card | int] | None]:
        """Cards and numbers of cards by seat, None where nothing is given."""
        return [self._packet(entry, key) for entry in by_seat(self.data.get(key), SEATS, key)]

    def _packet(self, value: Any, key: str) -> list[Card | int] | None:
        if value is None:
            return None
        if isinstance(value, str):
            value = [int(word) if word.isdecimal() else word for word in value.split()]
        items = value if isinstance(value, Sequence) else [value]
        return [
            item.upper() if isinstance(item, str) else whole_number(item, key, low=0, high=len(PACK)) for item in items
        ]

    def _filled(self, packet: Sequence[Card | int] | None, seat: int) -> list[Card]:
        cards: list[Card] = []
        for item in packet or ():
            if isinstance(item, int):
                if item > len(self.free):
                    raise ImpossiblePosition("Both packs together have no more than 104 cards.")
                cards += _drawn(self.free, item, seat)
            else:
                cards.append(item)
        return cards

    def _full_reserve(self, seat: int) -> list[Card | int]:
        own = sum(card[2] == str(seat + 1) for card in self.free)
        return [min(own, RESERVE_CARDS)]

    def _turned(self) -> Card | None:
        value = self.data.get("turned")
        if isinstance(value, Mapping):
            value = by_seat(value, SEATS, "turned")[self.state.turn]
        cards = card_list(value, "turned")
        if len(cards) > 1:
            raise ImpossiblePosition("turned: at most one card is turned up.")
        return cards[0] if cards else None

    # The game so far

    def _read_scores(self) -> None:
        state = self.state
        state.scores = self.numbers("scores", high=10_000)
        state.draws = self.number("draws", 0, high=DRAWS_IN_A_ROW)
        state.games_played = self.number("games_played", state.draws, low=state.draws, high=10_000)
        state.rounds = self.numbers("rounds", high=1_000)
        state.wrong_calls = self.numbers("wrong_calls", high=WRONG_CALLS)
        state.is_corrected = self.switch("corrected")

    def _read_phase(self) -> None:
        state = self.state
        is_dark = bool(state.stock[state.turn]) and self._face_up(state.turn) == 0
        default = OPENING if is_dark else TURN
        if "to_move" in self.data and self.data["to_move"] is None:
            default = OVER
        try:
            state.phase = Phase(str(self.data.get("phase") or default).lower())
        except ValueError:
            raise ImpossiblePosition(f"phase: choose one of {', '.join(Phase)}.") from None
        if state.phase is SHIFT and state.options["mode"] != "casual":
            raise ImpossiblePosition("phase: only in casual mode a turn waits for an answer.")
        for seat, pile in enumerate(state.stock):
            shown = self._face_up(seat)
            if shown is None:
                shown = 1 if pile and state.phase is not OPENING else 0
            state.stock_shown[seat] = shown
            if shown > len(pile):
                raise ImpossiblePosition("face_up: a stock does not show more cards than it has.")
        if state.phase is OPENING:
            self._check_opening()

    def _face_up(self, seat: int) -> int | None:
        given = by_seat(self.data.get("face_up"), SEATS, "face_up")[seat]
        return None if given is None else whole_number(given, "face_up", low=0, high=len(PACK))

    def _check_opening(self) -> None:
        state = self.state
        if self.data.get("dealer") is None:
            state.dealer = 1 - state.turn
        if state.turn == state.dealer or state.turned or state.stock_shown[state.turn]:
            raise ImpossiblePosition("phase: player one opens, before a stock or reserve card is turned up.")

    def _read_deeds(self) -> None:
        state = self.state
        state.deeds = self._deeds("turn")
        state.previous = tuple(self._deeds("previous_turn"))
        before = state.copy()
        for deed in reversed(state.deeds):
            if not before.can_undo(deed):
                raise ImpossiblePosition(f"turn: the cards do not lie as {deed} has left them.")
            before.undo(deed)
        state.arrangements = state.recent_arrangements()
        error = self.data.get("error")
        if error is not None:
            state.mark = self._mark(error)

    def _deeds(self, key: str) -> list[Deed]:
        value = self.data.get(key) or []
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ImpossiblePosition(f"{key}: write a list such as 0:T=9C1, 0:R>W 9C1.")
        return [self._deed(str(entry), key) for entry in value]

    def _deed(self, text: str, key: str) -> Deed:
        match = _DEED.fullmatch(" ".join(text.upper().split()))
        if match is None:
            raise ImpossiblePosition(f"{key}: {text!r} is no deed such as 0:S>F 5S1, 0:T=9C1 or 0:P.")
        what = match["what"] or match["play"] or match["turn"] or match["up"]
        if bool(match["what"]) == (match["card"] in PACK):
            raise ImpossiblePosition(f"{key}: {text!r} needs a card with its pack, and a pass or a call none.")
        return Deed(int(match["seat"]), what, match["card"])

    def _mark(self, error: Any) -> Mark:
        if not isinstance(error, Mapping) or self.state.options["mode"] != "casual":
            raise ImpossiblePosition("error: in casual mode, {after: number of deeds, rounds: by seat}.")
        after = whole_number(error.get("after"), "error", low=0, high=len(self.state.deeds))
        rounds = by_seat(error.get("rounds"), SEATS, "error")
        return Mark(after, tuple(whole_number(number or 0, "error", low=0, high=1_000) for number in rounds))

    def _settle(self) -> None:
        """Turns up what is due, or ends what is over."""
        state = self.state
        if state.phase is OVER:
            if state.target is not None and not state.is_decided(is_scored=True):
                raise ImpossiblePosition("to_move: nobody has won yet, so it is somebody's turn.")
            return
        if state.is_decided(is_scored=any(state.scores)):
            raise ImpossiblePosition("scores: with these the game is over, so to_move is null.")
        if state.phase is SHIFT:
            state.set_to_act()
        else:
            state.settle()


RUSSIAN_BANK = RussianBank()
