"""Cuarenta, 2 seats: fish by rank, by sum and in sequences; the race to 40 points.

Source: document "cuarenta" (the game without its variation for four, which is a subclass of its own).
Rulings, where it is silent or unclear:
- the counts and the change of deal "after the game" belong to a run through the 40 cards, here called a hand;
- a card that can capture may not just be laid (option `capture`), so that the pot never holds two of a rank;
- a ronda is three or more cards of one suit at the first deal of a hand (options `ronda`, `announce`);
- the ten points for a caught ronda come on top of the two of the caída and ask for a declaration that names the card;
- what a short sequence left out may be claimed by the next player before he plays, without any score;
- points are booked one play at a time, so two sides never reach 40 together;
- cards left in the pot belong to nobody (option `residue`);
- it ends: every count gives at least 2 points; where only caídas score from 38 on, hand 60 is the last one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from math import comb
from random import Random
from typing import Any, ClassVar, NamedTuple, NoReturn, Self, TypeAlias

from games.core.captures import Sums, division
from games.core.cards import Card, by_display, pack
from games.core.contract import (
    Choice,
    Event,
    Game,
    HandResult,
    ImpossiblePosition,
    Move,
    NotYourTurn,
    Option,
    Options,
    Outcome,
    Phrase,
    Position,
    ScoreLine,
    Selection,
    State,
    UnreadableMove,
    View,
    Zone,
    open_zone,
    places,
)
from games.core.deals import Decks, numbered_decks, random_decks
from games.core.positions import SidesReader, card_list, check_cards, whole_number

RANKS = "A234567JQK"
RANK = {rank: place for place, rank in enumerate(RANKS)}
PACK = tuple(card for card in pack() if card[0] in RANKS)
# A counts 1 and 2-7 their face value; J Q K have no value and are missing here.
VALUES: Mapping[Card, int] = {card: RANK[card[0]] + 1 for card in PACK if card[0] not in "JQK"}
HIGHEST_VALUE = 7

SIDES = 2
HAND_SIZE = 5
RONDA_CARDS = 3
TARGET = 40
LIMPIA_BAR = 38
LAST_HAND = 60
GAMES_TO_WIN = {"1": 1, "best-of-3": 2}
# What is scored on the way, in the order in which the score sheet has it.
POINTS = {"ronda": 4, "caida": 2, "limpia": 2, "ronda-caida": 10}
TITLES = {"ronda": "Rondas", "caida": "Caídas", "limpia": "Limpias", "ronda-caida": "Rondas caught"}
SPOKEN = {"ronda": "Ronda", "caida": "Caída", "limpia": "Limpia", "ronda-caida": "Ronda caught"}
COUNTED = 20
COUNT_POINTS, MAJORITY_POINTS = 6, 2
# The first numbered deal in which nobody finds a ronda: a position at the end of a hand then shows its count alone.
QUIET_DEAL = 12
# How a game can be won.
FOUR, FORTY, LAST = "four", "forty", "last"


# Moves


@dataclass(frozen=True, slots=True)
class Lay(Move):
    card: Card

    def __str__(self) -> str:
        return self.card


@dataclass(frozen=True, slots=True)
class Capture(Move):
    """`card` takes one equal card or an adding set, `taken`, and then the sequence `run`; both in rank order."""

    card: Card
    taken: tuple[Card, ...]
    run: tuple[Card, ...] = ()

    def __str__(self) -> str:
        run = f">{''.join(self.run)}" if self.run else ""
        return f"{self.card}x{'+'.join(self.taken)}{run}"


@dataclass(frozen=True, slots=True)
class Claim(Move):
    """Takes the overlooked cards, in rank order; () lets them be after the last play of a hand."""

    cards: tuple[Card, ...] = ()

    def __str__(self) -> str:
        return f"O:{''.join(self.cards)}" if self.cards else "O-"


@dataclass(frozen=True, slots=True)
class Declare(Move):
    """Says that `card` was of a ronda when it was caught; None declares nothing after the deal."""

    card: Card | None = None

    def __str__(self) -> str:
        return f"R:{self.card}" if self.card else "R-"


CuarentaMove: TypeAlias = Lay | Capture | Claim | Declare

_CARD = rf"[{RANKS}][CDHS]"
_CARDS = rf"{_CARD}(?:[+, ]*{_CARD})*"
_PLAY = re.compile(rf"({_CARD})(?: ?X ?({_CARDS})(?: ?> ?({_CARDS}))?)?")
_CLAIM = re.compile(rf"O ?(?:-|: ?({_CARDS}))")
_DECLARE = re.compile(rf"R ?(?:-|: ?({_CARD}))")
HOW_TO_WRITE = (
    "Write 4S to lay it, 4Sx4D to match, 5Sx2C+3D to add, 4Sx4D>5H6S with a sequence, O:5D6S to claim overlooked "
    "cards, R:4H to declare a ronda card. The pack has no 8, 9 and 10."
)


def read_move(text: str) -> CuarentaMove:
    """The move that a text means. :raises UnreadableMove:"""
    packed = " ".join(text.upper().split())
    if claim := _CLAIM.fullmatch(packed):
        return Claim(_cards_in(claim[1]))
    if declare := _DECLARE.fullmatch(packed):
        return Declare(declare[1])
    if play := _PLAY.fullmatch(packed):
        card, taken, run = play.groups()
        return Capture(card, _cards_in(taken), _cards_in(run)) if taken else Lay(card)
    raise UnreadableMove(f"That is not a move of Cuarenta. {HOW_TO_WRITE}")


def _cards_in(text: str | None) -> tuple[Card, ...]:
    return tuple(by_display(re.findall(_CARD, text or "")))


# State


class Phase(StrEnum):
    """Play a card; declare a ronda card after a deal; claim after the last play of a hand; over."""

    PLAY = "play"
    DECLARE = "declare"
    CLAIM = "claim"
    OVER = "over"


class Fall(NamedTuple):
    """`catcher` captured `card`, which `layer`, who had proclaimed a ronda, laid in the same deal."""

    catcher: int
    layer: int
    card: Card


class Turn(NamedTuple):
    """What a seat did, or had announced for it (move None), and the rules by which it scored."""

    seat: int
    move: CuarentaMove | None
    gains: tuple[str, ...] = ()


class CuarentaState(State):
    """Lists by seat, or by side (seat % 2): piles, shown, scores, games.

    stock: next card first. pot: oldest first. piles: captured cards, the latest last.
    shown: the cards on each pile that came there with the last card played, open until the next one.
    laid_by: who laid the pot cards of this deal. last_play: seat and card, if the turn before laid one in this deal.
    claimer: who may claim what the last play overlooked, if it did; overlooked: what may be claimed, one group of
    cards, or several to choose from where a capture was left out altogether (option `capture`).
    lapsed: overlooked cards that nobody claimed in time. rondas: their cards, by seat, () without one.
    tried: seats that have declared against a proclaimer in this deal, or that need not any more.
    tally: how often each side scored by each rule in this hand. hand_number: within the game, `hands_before` in
    earlier games of the match. turns: those of this hand, everybody may look at those from `recent` on.
    """

    __slots__ = (
        "_decks", "_next_deck", "by", "claimer", "deal_number", "dealer", "falls", "game", "games", "hand_number",
        "hands", "hands_before", "laid_by", "lapsed", "last_capturer", "last_play", "options", "overlooked", "phase",
        "piles", "pot", "recent", "record", "results", "rondas", "scores", "seats", "shown", "stock", "tally",
        "to_act", "tried", "turns", "winner",
    )  # fmt: skip

    expired_claim_rule: ClassVar[str] = "oversight-expires"

    game: "Cuarenta"
    hands: list[list[Card]]
    stock: list[Card]
    pot: list[Card]
    piles: list[list[Card]]
    shown: list[tuple[Card, ...]]
    laid_by: dict[Card, int]
    last_play: tuple[int, Card] | None
    claimer: int | None
    overlooked: tuple[tuple[Card, ...], ...]
    lapsed: tuple[Card, ...]
    last_capturer: int | None
    rondas: list[tuple[Card, ...]]
    falls: tuple[Fall, ...]
    tried: tuple[tuple[int, int], ...]
    scores: list[int]
    games: list[int]
    tally: dict[str, list[int]]
    turns: list[Turn]
    record: tuple[Event, ...]
    results: tuple[HandResult, ...]
    winner: int | None
    by: str

    def __init__(self, game: "Cuarenta", decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        """A table before the first card; `deal_hand` begins."""
        self.game = game
        self.seats = seats
        self.options = options
        self.dealer = dealer
        self.scores, self.games = [0] * SIDES, [0] * SIDES
        self.hand_number, self.hands_before = 1, 0
        self.results, self.record = (), ()
        self.winner, self.by = None, ""
        self.to_act = ()
        self.phase = Phase.PLAY
        self._decks = decks
        self._next_deck = 0
        self._clear_table()

    def _clear_table(self) -> None:
        self.hands = [[] for _ in range(self.seats)]
        self.stock, self.pot = [], []
        self.piles = [[] for _ in range(SIDES)]
        self.shown = [()] * SIDES
        self.overlooked, self.claimer, self.lapsed = (), None, ()
        self.last_capturer = None
        self.tally = {rule: [0] * SIDES for rule in POINTS}
        self.turns, self.recent = [], 0
        self.deal_number = 0
        self._clear_deal()

    def _clear_deal(self) -> None:
        self.last_play, self.laid_by = None, {}
        self.rondas = [()] * self.seats
        self.falls, self.tried = (), ()

    def side(self, seat: int) -> int:
        return seat % SIDES

    def _others_side(self, seat: int) -> int:
        return 1 - self.side(seat)

    # Dealing and announcements

    def deal_hand(self) -> None:
        self._clear_table()
        self.stock = list(self._decks[self._next_deck])
        self._next_deck += 1
        self.deal()

    def deal(self) -> None:
        """Five cards each in one batch, from the dealer's left; then what is announced."""
        self._clear_deal()
        self.deal_number += 1
        for seat in self._from_left_of_dealer():
            self.hands[seat] = self.stock[:HAND_SIZE]
            del self.stock[:HAND_SIZE]
        is_announced = self.deal_number == 1 or self.options["announce"] == "every"
        if not (is_announced and self._announce()):
            self._give_turn(after=self.dealer)

    def _from_left_of_dealer(self) -> list[int]:
        return [(self.dealer + step) % self.seats for step in range(1, self.seats + 1)]

    def _announce(self) -> bool:
        """Four of a kind wins before any ronda is booked; whether the game was won."""
        order = self._from_left_of_dealer()
        for seat in order:
            if has_four(self.hands[seat]):
                self.turns.append(Turn(seat, None, ("four-wins",)))
                self._win(self.side(seat), FOUR)
                return True
        for seat in order:
            cards = ronda_in(self.hands[seat], str(self.options["ronda"]))
            if cards:
                self.rondas[seat] = cards
                self.turns.append(Turn(seat, None, self._book(seat, "ronda")))
                if self._has_won(seat):
                    self._win(self.side(seat), FORTY)
                    return True
        return False

    # Scores on the way

    def _book(self, seat: int, rule: str) -> tuple[str, ...]:
        """Scores by a rule for the seat's side: the rule, or () at a table where its 38 points bar it."""
        if self._only_caidas_score(self.side(seat)):
            return ()
        return self._score(seat, rule)

    def _score(self, seat: int, rule: str) -> tuple[str, ...]:
        side = self.side(seat)
        self.scores[side] += POINTS[rule]
        self.tally[rule][side] += 1
        return (rule,)

    def _only_caidas_score(self, side: int) -> bool:
        return self.options["at_38"] == "only-caida" and self.scores[side] >= LIMPIA_BAR

    def _has_won(self, seat: int) -> bool:
        return self.scores[self.side(seat)] >= TARGET

    # Moves that are legal

    def legal_moves(self, seat: int) -> list[CuarentaMove]:
        if seat not in self.to_act:
            return []
        declarations: list[CuarentaMove] = [Declare(fall.card) for fall in self._declarable(seat)]
        claims: list[CuarentaMove] = [Claim(cards) for cards in self.overlooked if seat == self.claimer]
        if self.phase is Phase.DECLARE:
            return [*declarations, Declare()]
        if self.phase is Phase.CLAIM:
            return [*claims, Claim()]
        return [*claims, *declarations, *self._plays(seat)]

    def _plays(self, seat: int) -> list[CuarentaMove]:
        moves: list[CuarentaMove] = []
        sums = self._sums()
        may_lay = self.options["capture"] == "may"
        for card in by_display(self.hands[seat]):
            run = self._full_run(card)
            shortest = len(run) if self.options["oversight"] == "auto" else 0
            targets = self._targets(card, sums)
            if may_lay or not targets:
                moves.append(Lay(card))
            for taken in targets:
                moves += [Capture(card, taken, run[:length]) for length in range(shortest, len(run) + 1)]
        return moves

    def _sums(self) -> Sums:
        return Sums([card for card in by_display(self.pot) if card in VALUES], VALUES, HIGHEST_VALUE)

    def _targets(self, card: Card, sums: Sums) -> list[tuple[Card, ...]]:
        """What the card can capture by itself: each equal card, and each set that adds up to it."""
        matches = [(other,) for other in by_display(self.pot) if other[0] == card[0]]
        groups = sums.groups(VALUES.get(card, -1))
        largest = 2 if self.options["add_size"] == "two" else len(self.pot)
        return matches + [sums.pick(group) for group in groups if 2 <= group.bit_count() <= largest]

    def _full_run(self, card: Card) -> tuple[Card, ...]:
        """The unbroken run above the card; of equal ranks, which only `capture: may` allows, the oldest card."""
        by_rank = {other[0]: other for other in reversed(self.pot)}
        run = []
        for rank in RANKS[RANK[card[0]] + 1 :]:
            if rank not in by_rank:
                break
            run.append(by_rank[rank])
        return tuple(run)

    def _declarable(self, seat: int) -> list[Fall]:
        """The seat's catches that it may still declare; none where the table books them itself."""
        if self.options["ronda_claim"] == "auto":
            return []
        return [fall for fall in self.falls if fall.catcher == seat and self._is_open(fall)]

    def _is_open(self, fall: Fall) -> bool:
        return bool(self.rondas[fall.layer]) and (fall.catcher, fall.layer) not in self.tried

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_out_of_turn(move)
        match move:
            case Claim():
                self._check_claim(seat, move)
                self._claim(seat, move)
            case Declare():
                self._check_declaration(seat, move)
                self._declare(seat, move)
            case Lay():
                self._check_card(seat, move.card)
                self._check_lay(move)
                self._lay(seat, move)
            case Capture():
                self._check_card(seat, move.card)
                self._check_capture(move)
                self._capture(seat, move)
            case _:
                raise TypeError(f"not a move of Cuarenta: {move!r}")

    def _lay(self, seat: int, move: Lay) -> None:
        self._begin_play(seat, move.card)
        missed: tuple[tuple[Card, ...], ...] = ()
        if self.options["capture"] == "may":
            run = self._full_run(move.card)
            missed = tuple((*taken, *run) for taken in self._targets(move.card, self._sums()))
        self._overlook(seat, missed, is_open=self.options["capture"] == "may")
        self.pot.append(move.card)
        self.laid_by[move.card] = seat
        self.last_play = (seat, move.card)
        self.turns.append(Turn(seat, move))
        self._end_play(seat)

    def _capture(self, seat: int, move: Capture) -> None:
        missed = self._full_run(move.card)[len(move.run) :]
        is_caida = self.last_play is not None and move.taken == (self.last_play[1],)
        caught = move.taken if is_caida else ()
        if self.options["ronda_capture"] == "any":
            caught = (*move.taken, *move.run)
        may_score_limpia = self.scores[self.side(seat)] < LIMPIA_BAR
        self._begin_play(seat, move.card)
        self._note_falls(seat, caught)
        self._take(seat, (*move.taken, *move.run), first=(move.card,))
        self.last_capturer = seat
        self.last_play = None
        self._overlook(seat, (missed,) if missed else (), is_open=self.options["oversight"] == "claim")
        gains = self._score(seat, "caida") if is_caida else ()
        if not self.pot and may_score_limpia:
            gains += self._score(seat, "limpia")
        self.turns.append(Turn(seat, move, gains))
        self._end_play(seat)

    def _begin_play(self, seat: int, card: Card) -> None:
        """A card leaves the hand: earlier turns are covered, and an unused right to claim ends."""
        self.hands[seat].remove(card)
        self.shown = [()] * SIDES
        self.lapsed = tuple(dict.fromkeys([*self.lapsed, *chain.from_iterable(self.overlooked)]))
        self.recent = len(self.turns)

    def _overlook(self, seat: int, missed: tuple[tuple[Card, ...], ...], *, is_open: bool) -> None:
        """Whether the next player may claim; at a table where that can be, only he finds out if there is anything."""
        self.overlooked = missed
        self.claimer = (seat + 1) % self.seats if is_open and self.pot else None

    def _take(self, seat: int, cards: Sequence[Card], first: tuple[Card, ...] = ()) -> None:
        """Cards of the pot, and the card played, go to the pile of the seat's side."""
        side = self.side(seat)
        self.pot = [card for card in self.pot if card not in cards]
        for card in cards:
            self.laid_by.pop(card, None)
        self.lapsed = tuple([card for card in self.lapsed if card not in cards])
        self.piles[side] += [*first, *cards]
        self.shown[side] = (*self.shown[side], *first, *cards)

    def _note_falls(self, seat: int, cards: Iterable[Card]) -> None:
        for card in cards:
            layer = self.laid_by.get(card)
            if layer is not None and self.side(layer) != self.side(seat) and self.rondas[layer]:
                self.falls += (Fall(seat, layer, card),)

    def _claim(self, seat: int, move: Claim) -> None:
        self.overlooked, self.claimer = (), None
        if move.cards:
            self._take(seat, move.cards)
        self.turns.append(Turn(seat, move))
        if self.phase is Phase.CLAIM:
            self._close_deal()

    def _declare(self, seat: int, move: Declare) -> None:
        answered = [fall for fall in self._declarable(seat) if move.card in (None, fall.card)]
        self.tried += tuple({(seat, fall.layer): None for fall in answered})
        gains: tuple[str, ...] = ()
        if move.card and move.card in self.rondas[answered[0].layer]:
            gains = self._catch_ronda(answered[0])
        self.turns.append(Turn(seat, move, gains))
        if self._has_won(seat):
            self._win(self.side(seat), FORTY)
        elif self.phase is Phase.DECLARE:
            self._close_deal()

    def _catch_ronda(self, fall: Fall) -> tuple[str, ...]:
        """The ten points, once: nobody can declare against this proclaimer any more."""
        others = [(seat, fall.layer) for seat in range(self.seats) if (seat, fall.layer) not in self.tried]
        self.tried += tuple(others)
        return self._book(fall.catcher, "ronda-caida")

    # Turns, deals and hands

    def _end_play(self, seat: int) -> None:
        if self._has_won(seat):
            self._win(self.side(seat), FORTY)
        elif any(self.hands):
            self._give_turn(after=seat)
        else:
            self._close_deal()

    def _give_turn(self, after: int) -> None:
        order = [(after + step) % self.seats for step in range(1, self.seats + 1)]
        self.phase = Phase.PLAY
        self.to_act = (next(seat for seat in order if self.hands[seat]),)
        if self.last_play and (self.last_play[0] + 1) % self.seats != self.to_act[0]:
            self.last_play = None  # where hands were cut down: nobody falls on a card but the next in turn

    def _close_deal(self) -> None:
        """After the last card of a deal: declarations, then the next deal, or the last claim and the count."""
        if self.options["ronda_claim"] == "auto" and self._book_rondas():
            return
        declarer = next((seat for seat in self._from_left_of_dealer() if self._declarable(seat)), None)
        if declarer is not None:
            self.phase, self.to_act = Phase.DECLARE, (declarer,)
        elif self.stock:
            self.deal()
        elif self.overlooked and self.claimer is not None:
            self.phase, self.to_act = Phase.CLAIM, (self.claimer,)
        else:
            self._count()

    def _book_rondas(self) -> bool:
        """Books every caught ronda, in turn order from the dealer's left; whether the game was won by it."""
        for seat in self._from_left_of_dealer():
            for fall in self.falls:
                if fall.catcher == seat and self._is_open(fall) and fall.card in self.rondas[fall.layer]:
                    self.turns.append(Turn(seat, Declare(fall.card), self._catch_ronda(fall)))
                    if self._has_won(seat):
                        self._win(self.side(seat), FORTY)
                        return True
        return False

    def _count(self) -> None:
        if self.options["residue"] == "last" and self.last_capturer is not None:
            self._take(self.last_capturer, self.pot)
            self.last_play = None
        side, rule, points = self.count_of([len(pile) for pile in self.piles])
        if self._only_caidas_score(side):
            points = 0
        self.scores[side] += points
        counts = len(self.piles[side]), len(self.piles[1 - side])
        self._close_hand(self._line(side, rule, f"Cards: {counts[0]} against {counts[1]}", points))
        if self.scores[side] >= TARGET:
            self._end_game(side, FORTY)
        elif self.hand_number == LAST_HAND:
            self._end_game(self._leader(), LAST)
        else:
            self.dealer = (self.dealer + 1) % self.seats
            self.hand_number += 1
            self.deal_hand()

    def count_of(self, counts: Sequence[int]) -> tuple[int, str, int]:
        """The side that scores with these numbers of captured cards, the rule, and the points."""
        elder = self._others_side(self.dealer)
        more = elder if counts[0] == counts[1] else counts.index(max(counts))
        if counts[more] < COUNTED:
            return more, "count-neither", MAJORITY_POINTS
        if counts[0] == counts[1]:
            return elder, "count-both", COUNT_POINTS
        extra = counts[more] - COUNTED
        if self.options["count"] == "even":
            return more, "count-twenty", COUNT_POINTS + 2 * -(-extra // 2)
        return more, "count-twenty", COUNT_POINTS + extra // 2

    def _leader(self) -> int:
        """The side with more points; if they are equal the one that did not deal."""
        if self.scores[0] == self.scores[1]:
            return self._others_side(self.dealer)
        return self.scores.index(max(self.scores))

    # The end of a hand and of the game

    def _win(self, side: int, by: str) -> None:
        """The game is won in the middle of a hand."""
        seat = self.turns[-1].seat
        lines = [self._line(side, "four-wins", f"Four of a kind dealt to @{seat}", 0)] if by == FOUR else []
        self._close_hand(*lines)
        self._end_game(side, by)

    def _close_hand(self, *last: ScoreLine) -> None:
        lines = (*self._tally_lines(), *last)
        points = [sum(line.points for line in lines if seat in line.seats) for seat in range(self.seats)]
        summary = ", ".join(f"{self.name_of(side)} {points[side]}" for side in range(SIDES))
        zones = [
            open_zone(f"pile:{side}", "pile", f"Captured by {self.name_of(side)}", by_display(pile), owner=side)
            for side, pile in enumerate(self.piles)
        ]
        if self.pot:
            zones.append(open_zone("pot", "row", "Left in the pot", self.pot))
        number = self.hands_before + self.hand_number
        result = HandResult(number, f"This hand: {summary}.", tuple(points), lines, tuple(zones))
        self.results = (*self.results, result)
        self.record += tuple([told(turn) for turn in self.turns])
        self.turns, self.recent = [], 0

    def _tally_lines(self) -> Iterator[ScoreLine]:
        for rule, times in self.tally.items():
            for side in range(SIDES):
                if times[side]:
                    yield self._line(side, rule, f"{TITLES[rule]}: {times[side]}", times[side] * POINTS[rule])

    def _line(self, side: int, rule: str, text: str, points: int) -> ScoreLine:
        return ScoreLine(self._seats_of(side), f"{self.game.slug}:{rule}", text, points)

    def _seats_of(self, side: int) -> tuple[int, ...]:
        return tuple(range(side, self.seats, SIDES))

    def name_of(self, side: int) -> str:
        return " and ".join(f"@{seat}" for seat in self._seats_of(side))

    def _end_game(self, side: int, by: str) -> None:
        """Ends the match, or lets the next seat of the losing side deal another game."""
        self.games[side] += 1
        if self.games[side] == GAMES_TO_WIN[str(self.options["match"])]:
            self.winner, self.by = side, by
            self.phase, self.to_act = Phase.OVER, ()
            self.overlooked, self.claimer = (), None
            return
        self.hands_before += self.hand_number
        self.hand_number = 1
        self.scores = [0] * SIDES
        order = self._from_left_of_dealer()
        self.dealer = next(seat for seat in order if self.side(seat) != side)
        self.deal_hand()

    def outcome(self) -> Outcome | None:
        """`scores` are the points of the game, in a match of several the games won."""
        if self.winner is None:
            return None
        by_side = self.games if self.options["match"] != "1" else self.scores
        wins = [self.side(seat) == self.winner for seat in range(self.seats)]
        return Outcome(self._by_seat(by_side), places(wins), self._reason(self.winner))

    def _reason(self, side: int) -> str:
        name, points = self.name_of(side), f"{self.scores[side]} to {self.scores[1 - side]}"
        reason = {
            FOUR: f"{name} won at once with four of a kind, dealt in one hand.",
            FORTY: f"{name} reached {TARGET} and won {points}.",
            LAST: f"Hand {LAST_HAND} was the last one; {name} won {points}.",
        }[self.by]
        if self.options["match"] == "1":
            return reason
        return f"{reason} That makes {self.games[side]} games to {self.games[1 - side]}."

    def _by_seat(self, by_side: Sequence[int]) -> tuple[int, ...]:
        return tuple([by_side[self.side(seat)] for seat in range(self.seats)])

    # Refusals, in the order in which the rules are tested

    def _refuse(self, rule: str, message: str) -> NoReturn:
        self.game.refuse(rule, message)

    def _refuse_out_of_turn(self, move: Move) -> NoReturn:
        if not self.to_act:
            raise NotYourTurn("The game is over; nobody plays any more.", rule=f"{self.game.slug}:forty-wins")
        if isinstance(move, Claim):
            message = "Overlooked cards are claimed at the start of one's turn, before playing a card. Wait for yours."
            raise NotYourTurn(message, rule=f"{self.game.slug}:{self.expired_claim_rule}")
        raise NotYourTurn("It is another player's turn; yours will come.", rule=f"{self.game.slug}:turn-order")

    def _check_claim(self, seat: int, move: Claim) -> None:
        if self.phase is Phase.DECLARE:
            self._refuse_to_leave_declaration()
        if not move.cards:
            if self.phase is Phase.PLAY:
                self._refuse("oversight", "Nothing has to be declined now: play a card.")
            return
        if seat != self.claimer or not self.overlooked:
            self._refuse_claim(move)
        if move.cards not in self.overlooked:
            self._refuse("oversight", "That is not what was overlooked; claim all of those cards and no others.")

    def _refuse_claim(self, move: Claim) -> NoReturn:
        if set(move.cards) & set(self.lapsed):
            self._refuse(
                self.expired_claim_rule,
                "These cards were overlooked earlier; the right to claim them ended when a card was played. "
                "Play a card.",
            )
        self._refuse("oversight", "The last play overlooked nothing that you may claim. Play a card.")

    def _check_declaration(self, seat: int, move: Declare) -> None:
        if self.phase is Phase.CLAIM:
            self._refuse_to_leave_claim()
        if move.card is None:
            if self.phase is Phase.PLAY:
                self._refuse("ronda-declare", "You are not asked for a declaration now: play a card.")
            return
        if self.options["ronda_claim"] == "auto":
            self._refuse("ronda-declare", "At this table a caught ronda is booked after the deal. Play a card.")
        declarable = [fall.card for fall in self._declarable(seat)]
        if move.card not in declarable:
            self._refuse_declaration(seat, move.card, declarable)

    def _refuse_declaration(self, seat: int, card: Card, declarable: Sequence[Card]) -> NoReturn:
        if any((fall.catcher, fall.card) == (seat, card) and (seat, fall.layer) in self.tried for fall in self.falls):
            self._refuse("ronda-declare", "That ronda is settled, and there is no second try. Play on.")
        choice = f"you may name {' '.join(declarable)}" if declarable else "you have none to declare, so play on"
        self._refuse("ronda-caida", f"{card} is not a card that you caught from a proclaimer in this deal; {choice}.")

    def _refuse_to_leave_declaration(self) -> NoReturn:
        self._refuse("ronda-declare", "First say which caught card was of the ronda (R:4H), or decline (R-).")

    def _refuse_to_leave_claim(self) -> NoReturn:
        self._refuse("oversight", "The hand is played out: claim what was overlooked (O:5D6S), or decline (O-).")

    def _check_card(self, seat: int, card: Card) -> None:
        if self.phase is Phase.DECLARE:
            self._refuse_to_leave_declaration()
        if self.phase is Phase.CLAIM:
            self._refuse_to_leave_claim()
        if card not in self.hands[seat]:
            hand = " ".join(by_display(self.hands[seat]))
            self._refuse("turn-order", f"{card} is not in your hand; play one of {hand}.")

    def _check_lay(self, move: Lay) -> None:
        if self.options["capture"] == "must" and self._targets(move.card, self._sums()):
            self._refuse(
                "capture-must",
                f"{move.card} can match or add, so it may not just be laid: take something with it, or play another "
                "card.",
            )

    def _check_capture(self, move: Capture) -> None:
        self._check_in_pot("match" if len(move.taken) == 1 else "add", move.taken)
        if len(move.taken) == 1:
            self._check_match(move.card, move.taken[0])
        else:
            self._check_add(move.card, move.taken)
        self._check_run(move)

    def _check_in_pot(self, rule: str, cards: Sequence[Card]) -> None:
        for card in cards:
            if card not in self.pot:
                lying = f"choose from {' '.join(by_display(self.pot))}" if self.pot else "it is empty"
                self._refuse(rule, f"{card} is not in the pot; {lying}.")
        if len(set(cards)) < len(cards):
            self._refuse(rule, "A card counts once in a capture; name each of them once.")

    def _check_match(self, card: Card, other: Card) -> None:
        if card[0] != other[0]:
            self._refuse(
                "match",
                f"{card} matches only a card of its own rank, and {other} is none; take an equal card, or cards that "
                f"add up to {card}.",
            )

    def _check_add(self, card: Card, taken: tuple[Card, ...]) -> None:
        faces = [other for other in (card, *taken) if other not in VALUES]
        if faces:
            self._refuse(
                "add-no-faces",
                f"{faces[0]} has no value, so it neither adds nor is added; it is taken by an equal card or in a "
                "sequence.",
            )
        value = VALUES[card]
        both = any(other[0] == card[0] for other in taken)
        if both or (sum(VALUES[other] for other in taken) > value and division(taken, VALUES, value)):
            self._refuse(
                "one-capture",
                f"A turn has one capture: {card} takes either one equal card or one set that adds up to {value}.",
            )
        if sum(VALUES[other] for other in taken) != value:
            self._refuse("add", f"{' '.join(taken)} do not add up to {value}; choose cards that do.")
        if self.options["add_size"] == "two" and len(taken) != 2:
            self._refuse("add", f"At this table an adding set has exactly two cards; {' '.join(taken)} are more.")

    def _check_run(self, move: Capture) -> None:
        self._check_in_pot("sequence", move.run)
        full = self._full_run(move.card)
        if any(RANK[card[0]] <= RANK[move.card[0]] for card in move.run):
            self._refuse("sequence", f"A sequence goes upward from {move.card}: {_run_in_words(full)} may come along.")
        if move.run != full[: len(move.run)]:
            if [card[0] for card in move.run] == [card[0] for card in full[: len(move.run)]]:
                self._refuse("sequence", f"Of equal ranks the older card comes along: {_run_in_words(full)}.")
            self._refuse(
                "sequence-gap",
                f"A sequence has no gap: {_run_in_words(full)} may come along with {move.card}, from the lowest on.",
            )
        if self.options["oversight"] == "auto" and move.run != full:
            self._refuse("oversight", f"At this table a sequence is taken whole: {_run_in_words(full)}.")

    # What others see of it

    def view(self, seat: int | None) -> "CuarentaView":
        turns = tuple(self.turns[self.recent :])
        return CuarentaView(
            seat=seat,
            seats=self.seats,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=self._by_seat(self.scores),
            log=self.record + tuple([told(turn) for turn in turns]),
            results=self.results,
            phase=self.phase,
            dealer=self.dealer,
            hand_number=self.hand_number,
            hands_before=self.hands_before,
            deal_number=self.deal_number,
            games=tuple(self.games),
            hands=tuple([self._hand_as_seen(owner, seat) for owner in range(self.seats)]),
            hand_counts=tuple([len(hand) for hand in self.hands]),
            stock_count=len(self.stock),
            pot=tuple(self.pot),
            pile_counts=tuple([len(pile) for pile in self.piles]),
            shown=tuple(self.shown),
            last_play=self.last_play,
            claimer=self.claimer,
            overlooked=self.overlooked,
            last_capturer=self.last_capturer,
            proclaimers=tuple([owner for owner, cards in enumerate(self.rondas) if cards]),
            ronda=() if seat is None else self.rondas[seat],
            falls=tuple([fall for fall in self.falls if fall.catcher == seat]),
            tried=self.tried,
            tally=tuple([tuple(times) for times in self.tally.values()]),
            turns=turns,
            winner=self.winner,
            by=self.by,
        )

    def _hand_as_seen(self, owner: int, viewer: int | None) -> tuple[Card, ...] | None:
        return tuple(by_display(self.hands[owner])) if self.may_see(owner, viewer) else None

    def may_see(self, owner: int, viewer: int | None) -> bool:
        """Whether the viewer may look at the owner's hand."""
        return owner == viewer

    def cards(self) -> list[Card]:
        return [*self.stock, *self.pot, *chain.from_iterable(self.hands), *chain.from_iterable(self.piles)]

    def copy(self) -> Self:
        other = object.__new__(type(self))
        for name in CuarentaState.__slots__:
            setattr(other, name, getattr(self, name))
        other.hands = [hand[:] for hand in self.hands]
        other.piles = [pile[:] for pile in self.piles]
        other.stock, other.pot = self.stock[:], self.pot[:]
        other.shown, other.rondas = self.shown[:], self.rondas[:]
        other.scores, other.games = self.scores[:], self.games[:]
        other.laid_by, other.turns = self.laid_by.copy(), self.turns[:]
        other.tally = {rule: times[:] for rule, times in self.tally.items()}
        return other

    def dump(self) -> Position:
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "dealer": self.dealer,
            "hand": self.hand_number,
            "hands_before": self.hands_before,
            "deal_no": self.deal_number,
            "phase": str(self.phase),
            "to_move": self.to_act[0] if self.to_act else None,
            "hands": [list(hand) for hand in self.hands],
            "stock": list(self.stock),
            "pot": list(self.pot),
            "laid_by": dict(self.laid_by),
            "last_play": list(self.last_play) if self.last_play else None,
            "claimer": self.claimer,
            "overlooked": [list(cards) for cards in self.overlooked],
            "lapsed": list(self.lapsed),
            "captured": [list(pile) for pile in self.piles],
            "shown": [list(cards) for cards in self.shown],
            "last_capturer": self.last_capturer,
            "rondas": [list(cards) for cards in self.rondas],
            "falls": [list(fall) for fall in self.falls],
            "tried": [list(pair) for pair in self.tried],
            "tally": {rule: list(times) for rule, times in self.tally.items()},
            "turns": [
                [turn.seat, str(turn.move) if turn.move else None, list(turn.gains)]
                for turn in self.turns[self.recent :]
            ],
            "scores": list(self.scores),
            "games": list(self.games),
            "winner": self.winner,
            "by": self.by or None,
        }


def deals_of_a_hand(seats: int) -> int:
    return len(PACK) // (HAND_SIZE * seats)


def has_four(hand: Iterable[Card]) -> bool:
    return any(len(cards) == 4 for cards in _groups(hand, "rank").values())


def ronda_in(hand: Iterable[Card], kind: str) -> tuple[Card, ...]:
    """All cards of the suit or rank, as `kind` says, of which the hand holds three or more; () without one."""
    return next((tuple(cards) for cards in _groups(hand, kind).values() if len(cards) >= RONDA_CARDS), ())


def _groups(cards: Iterable[Card], kind: str) -> dict[str, list[Card]]:
    groups: dict[str, list[Card]] = {}
    for card in cards:
        groups.setdefault(card[kind == "suit"], []).append(card)
    return groups


def _run_in_words(run: Sequence[Card]) -> str:
    return " ".join(run) if run else "nothing"


# View


@dataclass(frozen=True, slots=True, kw_only=True)
class CuarentaView(View):
    """hands: in display order, by seat, None where the viewer may not look. pile_counts, shown, games: by side.

    shown: what came to each pile with the last card played. last_play: as in the state; a match takes its caída.
    claimer, overlooked: whether the next player may claim, and what. It follows from the last play and the pot, so
    nothing is given away to a bot; the table does not mark it.
    proclaimers: seats with a ronda in this deal; ronda: the cards of the viewer's own, () without one.
    falls: the viewer's own catches. tried: as in the state, since declarations are open.
    tally: by side, in the order of POINTS. turns: since the last card played.
    """

    phase: Phase
    dealer: int
    hand_number: int
    hands_before: int
    deal_number: int
    games: tuple[int, ...]
    hands: tuple[tuple[Card, ...] | None, ...]
    hand_counts: tuple[int, ...]
    stock_count: int
    pot: tuple[Card, ...]
    pile_counts: tuple[int, ...]
    shown: tuple[tuple[Card, ...], ...]
    last_play: tuple[int, Card] | None
    claimer: int | None
    overlooked: tuple[tuple[Card, ...], ...]
    last_capturer: int | None
    proclaimers: tuple[int, ...]
    ronda: tuple[Card, ...]
    falls: tuple[Fall, ...]
    tried: tuple[tuple[int, int], ...]
    tally: tuple[tuple[int, ...], ...]
    turns: tuple[Turn, ...]
    winner: int | None
    by: str

    @property
    def hand(self) -> tuple[Card, ...]:
        """The viewer's own cards, () for a spectator."""
        return () if self.seat is None else self.hands[self.seat] or ()

    @property
    def zones(self) -> tuple[Zone, ...]:
        first = 0 if self.seat is None else self.seat + 1
        others = [(first + step) % self.seats for step in range(self.seats - (self.seat is not None))]
        mine = [] if self.seat is None else [self._hand_zone(self.seat)]
        return (
            *(self._hand_zone(seat) for seat in others),
            Zone("stock", "stock", "Stock", count=self.stock_count, note="" if self.stock_count else "last deal"),
            open_zone("pot", "row", "Pot", self.pot),
            *(self._pile_zone(side) for side in range(SIDES)),
            *mine,
        )

    def _hand_zone(self, seat: int) -> Zone:
        label = "Your hand" if seat == self.seat else f"Hand of @{seat}"
        note = "ronda" if seat in self.proclaimers else ""
        return Zone(f"hand:{seat}", "hand", label, self.hands[seat] or (), self.hand_counts[seat], seat, note)

    def _pile_zone(self, side: int) -> Zone:
        names = " and ".join(f"@{seat}" for seat in range(side, self.seats, SIDES))
        return Zone(f"pile:{side}", "pile", f"Captured by {names}", self.shown[side], self.pile_counts[side], side)

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is Phase.DECLARE:
            return "The deal is played out. Which card that you caught was of the ronda? Name one, or decline."
        if self.phase is Phase.CLAIM:
            return "The hand is played out. Claim what the last play overlooked, or let it be."
        claim = " Before that you may claim what the last play overlooked." if self._may_claim else ""
        return f"Play one card: match, add, or lay it in the pot.{claim}"

    @property
    def _may_claim(self) -> bool:
        return self.claimer is not None and self.claimer == self.seat and self.seat in self.to_act

    @property
    def _claims_are_hidden(self) -> bool:
        return self.options["oversight"] == "claim"

    @property
    def offered(self) -> Sequence[Move]:
        """A claim is no button: it would show what was overlooked."""
        if not self._claims_are_hidden:
            return self.moves
        return [move for move in self.moves if not (isinstance(move, Claim) and move.cards)]

    @property
    def selection(self) -> Selection | None:
        """Overlooked cards are marked in the pot, after any capture, whether it overlooked something or not."""
        if not (self._may_claim and self._claims_are_hidden and self.pot):
            return None
        return Selection("Claim", tuple(by_display(self.pot)), 1, len(self.pot))

    @property
    def forced(self) -> Move | None:
        """Nothing is played unasked where there may be a claim: the pause itself would tell."""
        return self.moves[0] if len(self.moves) == 1 and not self._may_claim else None

    @property
    def said(self) -> tuple[tuple[int, str], ...]:
        """What the turns since the last card were worth, as it is called at the table."""
        called = [(turn.seat, [SPOKEN[rule] for rule in _calls(turn) if rule in SPOKEN]) for turn in self.turns]
        return tuple([(seat, " y ".join(words)) for seat, words in called if words])

    def choice(self, move: Move) -> Choice:
        match move:
            case Lay(card):
                touches: tuple[str, ...] = (card, "pot")
            case Capture(card, taken, run):
                touches = (card, *taken, *run)
            case Claim(cards):
                touches = cards
            case Declare(card):
                touches = (f"pile:{(self.seat or 0) % SIDES}",) if card else ()
            case _:
                raise TypeError(f"not a legal move of Cuarenta: {move!r}")
        return Choice(move, phrase(move), touches)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        laid = f"{self.last_play[1]} of @{self.last_play[0]}" if self.last_play else "none"
        games = () if self.options["match"] == "1" else (("Games", " to ".join(map(str, self.games))),)
        return (
            ("Hand", str(self.hand_number)),
            ("Dealer", f"@{self.dealer}"),
            ("Deal", f"{self.deal_number} of {deals_of_a_hand(self.seats)}"),
            ("Ronda", " and ".join(f"@{seat}" for seat in self.proclaimers) or "nobody"),
            ("Card that can fall", laid),
            *games,
            ("Target", f"{TARGET} points"),
        )


def _calls(turn: Turn) -> tuple[str, ...]:
    """The rules that are called out. A ronda is proclaimed even where 38 points bar its four."""
    return turn.gains or (("ronda",) if turn.move is None else ())


@lru_cache(maxsize=4096)
def told(turn: Turn) -> Event:
    """A turn as the log has it."""
    points = sum(POINTS.get(rule, 0) for rule in turn.gains)
    gains = " and ".join(SPOKEN[rule].lower() for rule in turn.gains if rule in SPOKEN)
    match turn.move:
        case None if "four-wins" in turn.gains:
            return Event(turn.seat, Phrase("hold", "four of a kind and win"))
        case None:
            return Event(turn.seat, Phrase("proclaim", f"a ronda: {points or 'no'} points"))
        case Declare(card) if card:
            result = f"{points} points" if points else "no points"
            return Event(turn.seat, Phrase("declare", f"{card} a ronda card: {result}"))
    words = phrase(turn.move)
    touches = tuple(re.findall(_CARD, str(turn.move)))
    if gains:
        words = Phrase(words.verb, f"{words.rest}: {gains}, {points} points")
    return Event(turn.seat, words, touches)


def phrase(move: CuarentaMove) -> Phrase:
    """A legal move in words."""
    match move:
        case Lay(card):
            return Phrase("lay", card)
        case Capture(card, taken, run):
            return Phrase("take", f"{' '.join([*taken, *run])} with {card}")
        case Claim(cards):
            return Phrase("claim", " ".join(cards) or "nothing")
        case Declare(None):
            return Phrase("declare", "nothing")
        case Declare(card):
            return Phrase("declare", f"{card} a ronda card")


# The game


class Cuarenta(Game[CuarentaState, CuarentaView, CuarentaMove]):
    slug = "cuarenta"
    name = "Cuarenta"
    summary = "Ecuador's fast fishing game: fall on the card just laid, sweep the pot, race to forty."
    seats = (2,)
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "ronda",
            "A ronda is",
            "suit",
            {"suit": "three of a suit", "rank": "three of a rank"},
            "Three or more cards of one suit, or of one rank, among the five that are dealt.",
        ),
        Option(
            "announce",
            "Rondas count",
            "first",
            {"first": "at the first deal of a hand", "every": "at every deal"},
            "The same holds for four of a kind.",
        ),
        Option(
            "oversight",
            "Overlooked cards",
            "claim",
            {"claim": "may be claimed by the next player", "auto": "cannot happen, sequences are taken whole"},
        ),
        Option(
            "ronda_claim",
            "A caught ronda",
            "declare",
            {"declare": "has to be declared", "auto": "is booked by the table"},
        ),
        Option("add_size", "Adding sets", "any", {"any": "of any size", "two": "of exactly two cards"}),
        Option(
            "count",
            "Cards above twenty",
            "single",
            {"single": "1 point for every two", "even": "2 points for every two or part of it"},
        ),
        Option(
            "residue",
            "Cards left at the end",
            "none",
            {"none": "belong to nobody", "last": "go to the last capturer"},
        ),
        Option(
            "capture",
            "A card that can capture",
            "must",
            {"must": "must capture", "may": "may be laid"},
            "Where it may be laid, the next player may claim what was left.",
        ),
        Option(
            "ronda_capture",
            "A ronda is caught by",
            "caida",
            {"caida": "a caída on one of its cards", "any": "any capture of one of its cards"},
        ),
        Option(
            "at_38",
            "From 38 points on",
            "no-limpia",
            {"no-limpia": "a limpia is worth nothing", "only-caida": "only caídas score"},
        ),
        Option(
            "match",
            "Match",
            "1",
            {"1": "one game", "best-of-3": "best of three games"},
            "The loser of a game deals the next one.",
        ),
    )
    presets: ClassVar[Mapping[str, Options]] = {
        "ecuador": {
            "ronda": "rank",
            "announce": "every",
            "add_size": "two",
            "count": "even",
            "at_38": "only-caida",
            "match": "best-of-3",
        }
    }

    state_class: ClassVar[type[CuarentaState]] = CuarentaState

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> CuarentaState:
        return self.state_class(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> CuarentaMove:
        return read_move(text)

    def select(self, view: CuarentaView, cards: Sequence[Card]) -> CuarentaMove:
        """The claim of these cards."""
        if not cards:
            raise UnreadableMove("Mark the overlooked cards in the pot first.")
        return Claim(tuple(by_display(cards)))

    def attempt(self, view: CuarentaView, picks: Sequence[str]) -> CuarentaMove:
        """One card of the hand with what it takes; or cards of the pot alone as a claim, where one may be made."""
        mine = [pick for pick in picks if pick in view.hand]
        others = by_display(pick for pick in picks if pick in PACK and pick not in mine)
        if view.phase is Phase.DECLARE or any(pick.startswith("pile:") for pick in picks):
            return next((move for move in view.moves if isinstance(move, Declare)), Declare())
        if len(mine) > 1:
            raise UnreadableMove("A turn plays one card of the hand; choose one.", rule=f"{self.slug}:turn-order")
        if mine:
            return _meant_capture(mine[0], others) if others else Lay(mine[0])
        if others and (view.phase is Phase.CLAIM or view.claimer == view.seat):
            return Claim(tuple(others))
        if "stock" in picks:
            message = "Nobody draws: five cards each are dealt when all hands are empty. Choose a card of your hand."
            raise UnreadableMove(message, rule=f"{self.slug}:deal-again")
        raise UnreadableMove("Choose the card of your hand that is to take these.", rule=f"{self.slug}:turn-order")

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> CuarentaState:
        """A position with the keys of `dump`, each of which may be left out.

        seats (the fewest of the game), options, dealer (0), hand (its number in the game, 1), hands_before (in
        earlier games of a match), deal_no (1), to_move (the first seat with cards after the last play, else after the
        dealer), phase (found from the rest; named, it must agree).
        hands, rondas (the cards of proclaimed rondas): by seat. stock: the next card first. pot: the oldest first.
        scores, games, captured, shown: by side, which is the seat, or with four seats 0 for seats 0 and 2.
        captured: cards, or how many, made up of cards that lie nowhere else. shown: those of the last play.
        last_play: [seat, card] if the last turn of this deal laid a card. laid_by: who laid cards of the pot in
        this deal. falls: [[catcher, layer, card], ...]. tried: [[catcher, layer], ...] that may not declare.
        overlooked: the cards that may be claimed, or several lists to choose from; claimer: who may, the seat to
        move if not given. lapsed: overlooked cards that may not be claimed any more. last_capturer: a seat.
        tally: how often each side scored by each rule in this hand.
        turns: what was done since the last card and what it scored, [[1, "5Sx5D", [caida]], ...]; the move of a
        proclaimed ronda is null. winner (a side), by: of a finished game.
        `deck` instead of cards: what deal `deal_no` is dealt from, of which the first cards are enough.
        Without cards in the hands the deal is over: declarations, the next deal, the claim after the last play or
        the count follow. Without any cards a hand is dealt.
        """
        return _Reader(self, data).read(deals)

    def sample(self, view: CuarentaView, rng: Random) -> CuarentaState:
        """`rng` deals the hidden cards, and a ronda to each seat that has proclaimed one."""
        decks = Decks(random_decks(PACK, rng))
        state = self.state_class(self, decks, seats=view.seats, options=view.options, dealer=view.dealer)
        _copy_public(view, state)
        _Imagination(view, state, rng).fill()
        return state


def _meant_capture(card: Card, others: Sequence[Card]) -> Capture:
    """Equal and lower cards are matched or added, higher ones come along as a sequence; alone they are to be added."""
    taken = tuple(other for other in others if RANK[other[0]] <= RANK[card[0]])
    return Capture(card, taken, tuple(others[len(taken) :])) if taken else Capture(card, tuple(others))


def _copy_public(view: CuarentaView, state: CuarentaState) -> None:
    """What the viewer knows, apart from where the cards lie."""
    state.to_act, state.phase = view.to_act, view.phase
    state.scores = [view.scores[side] for side in range(SIDES)]
    state.games, state.winner, state.by = list(view.games), view.winner, view.by
    state.hand_number, state.hands_before = view.hand_number, view.hands_before
    state.deal_number = view.deal_number
    state.results = view.results
    state.turns, state.record = list(view.turns), view.log[: len(view.log) - len(view.turns)]
    state.pot = list(view.pot)
    state.shown = list(view.shown)
    state.last_play, state.last_capturer = view.last_play, view.last_capturer
    state.claimer, state.overlooked = view.claimer, view.overlooked
    state.falls, state.tried = view.falls, view.tried
    state.tally = {rule: list(times) for rule, times in zip(POINTS, view.tally, strict=True)}
    if view.last_play is not None:
        state.laid_by = {view.last_play[1]: view.last_play[0]}
    if view.seat is not None:
        state.rondas[view.seat] = view.ronda


class _Imagination:
    """Deals the cards that a view does not show."""

    def __init__(self, view: CuarentaView, state: CuarentaState, rng: Random) -> None:
        self.view = view
        self.state = state
        self.rng = rng
        self.kind = str(view.options["ronda"])
        state.hands = [list(hand or ()) for hand in view.hands]
        state.piles = [list(cards) for cards in view.shown]
        self.open = [*view.pot, *chain.from_iterable(view.shown)]
        seen = set(state.cards())
        self.unseen = [card for card in PACK if card not in seen]
        rng.shuffle(self.unseen)
        hidden = sum(view.hand_counts) + sum(view.pile_counts) + view.stock_count + len(view.pot)
        # How many of the cards lie nowhere, which is so in positions that were cut down.
        self.missing = len(PACK) - hidden

    def fill(self) -> None:
        view, state = self.view, self.state
        self._place_what_was_caught()
        for seat in view.proclaimers:
            if seat != view.seat:
                state.rondas[seat] = self._ronda_of(seat)
        for seat, count in enumerate(view.hand_counts):
            self._fill(state.hands[seat], count)
        for pile, count in zip(state.piles, view.pile_counts, strict=True):
            hidden = [self.unseen.pop() for _ in range(count - len(pile))]
            pile[:0] = hidden
        self._fill(state.stock, view.stock_count)
        for seat in view.proclaimers:
            if seat != view.seat:
                self._complete_ronda(seat)

    def _fill(self, cards: list[Card], count: int) -> None:
        while len(cards) < count:
            cards.append(self.unseen.pop())

    def _place_what_was_caught(self) -> None:
        """The viewer's own ronda and his catches lie in the piles where they do not show."""
        for card in dict.fromkeys([*(fall.card for fall in self.view.falls), *self.view.ronda]):
            if card in self.unseen:
                self._hide(card)

    def _hide(self, card: Card) -> None:
        """Puts an unseen card under a pile with room, else nowhere."""
        rooms = self._rooms()
        if rooms:
            self.rng.choice(rooms).insert(0, card)
        else:
            self.missing -= 1
        self.unseen.remove(card)

    def _rooms(self) -> list[list[Card]]:
        """The piles that still lack cards."""
        counts = self.view.pile_counts
        return [pile for pile, count in zip(self.state.piles, counts, strict=True) if len(pile) < count]

    def _ronda_of(self, seat: int) -> tuple[Card, ...]:
        """Three cards that the seat may have been dealt: known to be laid by it, in the pot, in its hand, in piles."""
        known = self._known_of(seat)
        groups = self._groups(known)
        unknown = sum(map(len, groups)) - len(known)
        # A random order in which likely groups tend to come first (Efraimidis and Spirakis).
        groups.sort(key=lambda group: -(self.rng.random() ** (1 / _odds(group, known, unknown))))
        for group in groups:
            found = self._dealt(seat, group, known)
            if found:
                return found
        return tuple(max(groups, key=len)[:RONDA_CARDS])

    def _known_of(self, seat: int) -> list[Card]:
        """Cards that the seat is known to have been dealt: caught by the viewer, laid just now, or in an open hand."""
        known = [fall.card for fall in self.view.falls if fall.layer == seat]
        if self.view.last_play is not None and self.view.last_play[0] == seat:
            known.append(self.view.last_play[1])
        return [*known, *self.state.hands[seat]]

    def _groups(self, known: list[Card]) -> list[list[Card]]:
        """Cards of one suit or rank that may have been the seat's: those known, then the open ones, then the unseen."""
        others = {*self.view.ronda, *self.state.laid_by, *known}
        lying = [card for card in self.open if card not in others]
        return list(_groups([*known, *lying, *self.unseen], self.kind).values())

    def _dealt(self, seat: int, group: list[Card], known: list[Card]) -> tuple[Card, ...]:
        """The first three of the group that fit into the five cards of the seat, () if they do not."""
        hand = self.state.hands[seat]
        in_hand = self.view.hand_counts[seat] - len(hand)
        laid = HAND_SIZE - in_hand - len(known)
        closed = self.missing + sum(self.view.pile_counts) - sum(map(len, self.state.piles))
        held: list[Card] = []
        hidden: list[Card] = []
        found: list[Card] = []
        for card in group:
            if len(held) < in_hand and card in self.unseen:
                held.append(card)
            elif card not in known:
                if len(found) - len(held) - sum(other in known for other in found) >= laid:
                    continue
                if card in self.unseen:
                    if len(hidden) >= closed:
                        continue
                    hidden.append(card)
            found.append(card)
            if len(found) == RONDA_CARDS:
                self._place(seat, found, held, hidden)
                return tuple(found)
        return ()

    def _place(self, seat: int, found: list[Card], held: list[Card], hidden: list[Card]) -> None:
        """Puts the cards of an imagined ronda where they lie: in the hand, under a pile, or open in the pot."""
        self.state.hands[seat] += held
        self.unseen = [card for card in self.unseen if card not in held]
        for card in hidden:
            self._hide(card)
        self.state.laid_by.update({card: seat for card in found if card in self.view.pot})

    def _complete_ronda(self, seat: int) -> None:
        """The ronda is all cards of the suit or rank that the seat was dealt."""
        ronda = self.state.rondas[seat]
        more = [card for card in self.state.hands[seat] if card not in ronda]
        same = _groups([ronda[0], *more], self.kind)[ronda[0][self.kind == "suit"]]
        self.state.rondas[seat] = (*ronda, *same[1:])


def _odds(group: Sequence[Card], known: Sequence[Card], unknown: int) -> float:
    """How likely five cards, some of them `known`, hold a ronda from this group; `unknown`: cards to choose from."""
    there = sum(card in known for card in group)
    needed, free = max(0, RONDA_CARDS - there), max(0, HAND_SIZE - len(known))
    return comb(free, needed) * comb(len(group) - there, needed) / max(comb(unknown, needed), 1) + 1e-9


class _Reader(SidesReader):
    """Reads one position and refuses what cannot be."""

    KEYS = (
        "seats", "options", "dealer", "hand", "hands_before", "deal_no", "phase", "to_move", "hands", "stock", "pot",
        "laid_by", "last_play", "claimer", "overlooked", "lapsed", "captured", "shown", "last_capturer", "rondas",
        "falls", "tried", "tally", "turns", "scores", "games", "winner", "by", "deck",
    )  # fmt: skip
    ZONES = ("hands", "stock", "pot", "captured", "shown", "rondas", "falls", "overlooked", "last_play", "turns")

    def __init__(self, game: Cuarenta, data: Any) -> None:
        super().__init__(game, data, self.KEYS)
        self.cuarenta = game

    def read(self, deals: Iterable[Sequence[Card]] | None) -> CuarentaState:
        following = numbered_decks(PACK, QUIET_DEAL) if deals is None else deals
        deck = card_list(self.data.get("deck"), "deck")
        dealer = self.seat("dealer", 0) or 0
        game = self.cuarenta
        self.state = game.state_class(game, Decks(following), seats=self.seats, options=self.options, dealer=dealer)
        self._read_scores()
        self.state.deal_number = self.number("deal_no", 1, low=1, high=deals_of_a_hand(self.seats))
        if deck:
            self._deal(deck)
        else:
            self._read_cards()
            self._read_turn()
            self._read_rondas()
            self._read_captured()
            self._check()
            self._settle()
        self._check_agrees()
        return self.state

    def _by_side(self, key: str) -> list[Any]:
        value = self.data.get(key)
        if value is None:
            return [None] * SIDES
        if isinstance(value, Mapping) and all(str(side) in ("0", "1") for side in value):
            return [value.get(side, value.get(str(side))) for side in range(SIDES)]
        if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == SIDES:
            return list(value)
        raise ImpossiblePosition(f"{key}: write one entry for each of the two sides, 0 and 1.")

    def _entries(self, key: str) -> list[Any]:
        value = self.data.get(key) or []
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ImpossiblePosition(f"{key}: a list is needed.")
        return list(value)

    def _read_scores(self) -> None:
        state = self.state
        state.scores = self.numbers_by_side("scores", high=1000)
        if min(state.scores) >= TARGET:
            raise ImpossiblePosition(f"scores: only one side can have reached {TARGET}.")
        needed = GAMES_TO_WIN[str(state.options["match"])]
        state.games = self.numbers_by_side("games", high=needed)
        if max(state.games) == needed and not self._is_finished:
            raise ImpossiblePosition("games: with these the match is over; name its winner.")
        state.hand_number = self.number("hand", 1, low=1, high=LAST_HAND)
        state.hands_before = self.number("hands_before", 0, high=2 * LAST_HAND)
        tally = self.data.get("tally") or {}
        if not isinstance(tally, Mapping) or not set(tally) <= set(POINTS):
            raise ImpossiblePosition(f"tally: write numbers by side for {', '.join(POINTS)}.")
        for rule, times in tally.items():
            if not isinstance(times, Sequence) or len(times) != SIDES:
                raise ImpossiblePosition(f"tally, {rule}: two numbers are needed.")
            state.tally[rule] = [whole_number(n, f"tally, {rule}", low=0, high=1000) for n in times]

    def _deal(self, deck: list[Card]) -> None:
        for key in self.ZONES:
            if self.data.get(key):
                raise ImpossiblePosition(f"deck: a deck is dealt by itself, so leave out {key}.")
        check_cards(deck, PACK)
        if len(deck) < HAND_SIZE * self.seats:
            raise ImpossiblePosition(f"deck: the first deal needs {HAND_SIZE * self.seats} cards.")
        if max(self.state.scores) >= TARGET:
            raise ImpossiblePosition("scores: with these the game is over, so no deck is dealt.")
        self.state.stock = deck
        self.state.deal_number -= 1
        self.state.deal()
        self._check_stock()

    def _read_cards(self) -> None:
        state = self.state
        state.hands = self.card_lists("hands")
        state.stock = card_list(self.data.get("stock"), "stock")
        state.pot = card_list(self.data.get("pot"), "pot")
        for seat, hand in enumerate(state.hands):
            if len(hand) > HAND_SIZE:
                raise ImpossiblePosition(f"hands: seat {seat} holds more than {HAND_SIZE} cards.")
        if state.options["capture"] == "must" and len({card[0] for card in state.pot}) < len(state.pot):
            raise ImpossiblePosition("pot: two cards of one rank cannot lie there where captures must be made.")

    def _read_turn(self) -> None:
        state = self.state
        state.last_capturer = self.seat("last_capturer", None)
        last_play = self.data.get("last_play")
        if last_play is not None:
            seat, card = self._seats_and_card(last_play, "last_play", 1)
            state.last_play = (seat, card)
        laid_by = self.data.get("laid_by") or {}
        if not isinstance(laid_by, Mapping):
            raise ImpossiblePosition("laid_by: write cards with the seats that laid them.")
        for card, seat in laid_by.items():
            state.laid_by[str(card).upper()] = whole_number(seat, "laid_by", low=0, high=self.seats - 1)
        if state.last_play:
            state.laid_by[state.last_play[1]] = state.last_play[0]
        if not set(state.laid_by) <= set(state.pot):
            raise ImpossiblePosition("last_play, laid_by: these cards must lie in the pot.")
        self._read_overlooked()
        state.turns = [self._turn(entry) for entry in self._entries("turns")]

    def _turn(self, entry: Any) -> Turn:
        is_triple = isinstance(entry, Sequence) and len(entry) == 3 and isinstance(entry[2], Sequence)
        if not is_triple or not all(rule in tuple(POINTS) for rule in entry[2]):
            raise ImpossiblePosition("turns: write each with its seat, its move and the rules by which it scored.")
        seat, text, gains = entry
        try:
            move = None if text is None else read_move(str(text))
        except UnreadableMove as error:
            raise ImpossiblePosition(f"turns: {error}") from None
        return Turn(whole_number(seat, "turns", low=0, high=self.seats - 1), move, tuple(gains))

    def _read_overlooked(self) -> None:
        state = self.state
        given = self.data.get("overlooked") or []
        entries = [given] if isinstance(given, str) else self._entries("overlooked")
        if entries and all(isinstance(entry, str) and len(entry) == 2 for entry in entries):
            entries = [entries]
        overlooked = [card_list(entry, "overlooked") for entry in entries]
        state.lapsed = tuple(card_list(self.data.get("lapsed"), "lapsed"))
        if not {*chain.from_iterable(overlooked), *state.lapsed} <= set(state.pot):
            raise ImpossiblePosition("overlooked, lapsed: these cards must lie in the pot.")
        state.overlooked = tuple(tuple(by_display(cards)) for cards in overlooked)
        likely = self.seat("to_move", None) if state.overlooked else None
        state.claimer = self.seat("claimer", likely)
        if state.overlooked and state.claimer is None:
            raise ImpossiblePosition("claimer: somebody may claim the overlooked cards; name the seat.")

    def _seats_and_card(self, entry: Any, key: str, seats: int) -> list[Any]:
        if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != seats + 1:
            raise ImpossiblePosition(f"{key}: write {'the seats' if seats > 1 else 'the seat'} and the card.")
        read = [whole_number(seat, key, low=0, high=self.seats - 1) for seat in entry[:seats]]
        return [*read, *card_list([entry[-1]], key)]

    def _read_rondas(self) -> None:
        state = self.state
        state.rondas = [tuple(cards) for cards in self.card_lists("rondas")]
        check_cards(chain.from_iterable(state.rondas), PACK)
        for cards in state.rondas:
            if len(cards) > HAND_SIZE:
                raise ImpossiblePosition(f"rondas: nobody was dealt more than {HAND_SIZE} cards.")
            if cards and (len(cards) < RONDA_CARDS or len(_groups(cards, str(state.options["ronda"]))) > 1):
                raise ImpossiblePosition(
                    f"rondas: {' '.join(cards)} are not three or more of one {state.options['ronda']}."
                )
        falls = [self._seats_and_card(entry, "falls", 2) for entry in self._entries("falls")]
        state.falls = tuple(Fall(*fall) for fall in falls)
        for fall in state.falls:
            if state.side(fall.catcher) == state.side(fall.layer):
                raise ImpossiblePosition("falls: one catches the cards of an opponent.")
        for entry in self._entries("tried"):
            if not isinstance(entry, Sequence) or len(entry) != 2:
                raise ImpossiblePosition("tried: write pairs of seats, catcher and layer.")
            catcher, layer = (whole_number(seat, "tried", low=0, high=self.seats - 1) for seat in entry)
            state.tried += ((catcher, layer),)

    def _read_captured(self) -> None:
        """Piles of cards, or of a number of cards: the side's own catches, then others that lie nowhere else."""
        state = self.state
        given = self._by_side("captured")
        for side, cards in enumerate(given):
            if cards is not None and not isinstance(cards, int):
                state.piles[side] = card_list(cards, "captured")
        state.shown = [tuple(card_list(cards, "shown")) for cards in self._by_side("shown")]
        for side, count in enumerate(given):
            if isinstance(count, int):
                state.piles[side] = self._made_up(side, whole_number(count, "captured", low=0, high=len(PACK)))
        for pile, shown in zip(state.piles, state.shown, strict=True):
            if not set(shown) <= set(pile):
                raise ImpossiblePosition("shown: these cards must lie in the side's pile.")

    def _made_up(self, side: int, count: int) -> list[Card]:
        state = self.state
        used = {*state.cards(), *chain.from_iterable(state.shown)} - set(state.shown[side])
        caught = [fall.card for fall in state.falls]
        own = [fall.card for fall in state.falls if state.side(fall.catcher) == side]
        rondas = set(chain.from_iterable(state.rondas))
        others = [card for card in PACK if card not in caught]
        wanted = dict.fromkeys([*state.shown[side], *own, *sorted(others, key=lambda card: card in rondas)])
        free = [card for card in wanted if card not in used]
        if len(free) < count:
            raise ImpossiblePosition("captured: so many cards are not left in the pack.")
        return free[:count]

    def _check(self) -> None:
        state = self.state
        check_cards(state.cards(), PACK)
        self._check_stock()
        for seat, cards in enumerate(state.rondas):
            elsewhere = {*state.stock, *chain.from_iterable(h for s, h in enumerate(state.hands) if s != seat)}
            if elsewhere & set(cards):
                raise ImpossiblePosition(f"rondas: the cards of seat {seat} are in its hand or were played.")
        lying = {*state.stock, *state.pot, *chain.from_iterable(state.hands)}
        if any(fall.card in lying for fall in state.falls):
            raise ImpossiblePosition("falls: cards that were caught lie in a pile.")

    def _check_stock(self) -> None:
        state = self.state
        most = HAND_SIZE * self.seats * (deals_of_a_hand(self.seats) - state.deal_number)
        if len(state.stock) > most:
            raise ImpossiblePosition(f"stock: after deal {state.deal_number} of a hand {most} cards are left at most.")

    def _settle(self) -> None:
        """Gives the turn, or goes on where a deal, a hand or the game has ended."""
        state = self.state
        if self._is_finished:
            self._settle_finished_game()
        elif any(state.hands):
            before = state.last_play[0] if state.last_play else state.dealer
            to_move = self.seat("to_move", None)
            state._give_turn(after=before if to_move is None else to_move - 1)
        elif state.cards():
            state._close_deal()
        else:
            state.deal_hand()

    @property
    def _is_finished(self) -> bool:
        return self.data.get("winner") is not None or max(self.state.scores) >= TARGET

    def _settle_finished_game(self) -> None:
        state = self.state
        reached = next((side for side, score in enumerate(state.scores) if score >= TARGET), None)
        winner = self.number("winner", reached or 0, high=SIDES - 1)
        by = str(self.data.get("by") or FORTY)
        if by not in (FOUR, FORTY, LAST):
            raise ImpossiblePosition(f"by: write {FOUR}, {FORTY} or {LAST}.")
        if (by == FORTY and reached != winner) or (reached not in (None, winner)):
            raise ImpossiblePosition("winner: it does not go with the scores.")
        needed = GAMES_TO_WIN[str(state.options["match"])]
        if state.options["match"] == "1":
            state.games[winner] = needed
        if state.games[winner] != needed:
            raise ImpossiblePosition("games: the match is not over yet; write the position of the next game.")
        if state.games[1 - winner] == needed:
            raise ImpossiblePosition("games: only one side can have won the match.")
        state.winner, state.by, state.phase = winner, by, Phase.OVER

    def _check_agrees(self) -> None:
        state = self.state
        phase, to_move = self.data.get("phase"), self.seat("to_move", None)
        if phase is not None and str(phase).lower() != state.phase:
            raise ImpossiblePosition(f"phase: with these cards and scores it is {state.phase}, not {phase}.")
        if to_move is not None and state.to_act != (to_move,):
            raise ImpossiblePosition(f"to_move: it is not the turn of seat {to_move} here.")


CUARENTA = Cuarenta()
