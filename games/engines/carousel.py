"""Carousel, 2 to 5 seats: rummy with common melds and stealing, ended by a knock.

Source: "The Penguin Book of Card Games", "Carousel" (pack, stealing, knock, scoring). What it leaves open follows
pagat.com (four and five players, the third draw, adding to melds, exchange of a joker) and rummyrulebook.com.
Rulings, where these are silent or unclear:
- melds are laid in steps, and after each step the table is legal; a run may be robbed in its middle if whole runs
  are left on both sides;
- what is in the hand at a showdown is deadwood, also what would be a meld;
- laying the last card ends nothing: with deadwood 0 one may knock in the next turn;
- a run's joker stands for its place, a set's joker for any missing suit; a stolen joker is free again, and the
  jokers of a meld that is enlarged may take other places;
- upper parts of runs that were split get the lowest free numbers first, then the new meld;
- without stock a turn begins with a knock, a meld or a pass; when all pass there is a showdown without a knocker;
- the settlement is the final score: each loser is as many points below zero as the winner, with his bonus, is
  ahead of him, a loser without points twice as many; the winner gets the sum;
- after 40 hands the highest total wins, so that every game ends.
A hand ends: each turn takes a card from the stock, later lays a card for good, or is one of few passes in a row.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import combinations, product
from random import Random
from typing import NamedTuple, NoReturn, Self, TypeAlias, cast

from games.core.cards import RANKS, SUITS, Card, by_display, face, is_joker, pack
from games.core.contract import (
    Choice,
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
    Selection,
    UnreadableMove,
    move_that_touches,
    numbers,
    open_zone,
    places,
    switch,
)
from games.core.deals import Decks, random_decks
from games.core.positions import whole_number
from games.core.rummy.common_table import play_phrase, tables_meant
from games.core.rummy.hand_melds import best_melds, most_matched
from games.core.rummy.melds import (
    LONGEST_RUN,
    SMALLEST_MELD,
    Growth,
    Kind,
    Meld,
    MeldRules,
    SequenceKind,
    meld_run,
    meld_set,
    windows,
)
from games.core.rummy.packs import PackBySeats
from games.core.rummy.rearranging import DRAW, PASS, Draw, Pass, Play, play_to, suggestions
from games.core.rummy.rearranging import Situation as FreeSituation
from games.core.rummy.stealing import StealingReader, StealingState, StealingView
from games.core.rummy.steps import Step, Theft, parts_left, read_step, steps_meant
from games.engines.vatican import VATICAN, VaticanState

MIN_SEATS = 2
MOST_DRAWS = 3
MOST_HANDS = 40
LONGEST_LISTED = 5
LONGEST_BRIDGE = 2
JOKER_POINTS = 25
COURT_POINTS = 10
FORFEIT_FACTOR = 2

BONUSES = range(0, 51, 5)

MELD_RULES = {"low": MeldRules("low"), "high_or_low": MeldRules("high_or_low")}


class Phase(StrEnum):
    START = "start"
    AFTER_DRAW = "after-draw"
    MELDING = "melding"
    OVER = "over"


START, AFTER_DRAW, MELDING, OVER = Phase


def card_points(card: Card) -> int:
    """What a card in hand counts at a showdown."""
    if is_joker(card):
        return JOKER_POINTS
    if card[0] == "A":
        return 1
    return int(card[0]) if card[0].isdigit() else COURT_POINTS


# Moves


@dataclass(frozen=True, slots=True)
class Knock(Move):
    """Ends the hand in place of a draw: `K`."""

    def __str__(self) -> str:
        return "K"


@dataclass(frozen=True, slots=True)
class End(Move):
    """Ends the turn after melding, or after a draw that emptied the stock: `E`."""

    def __str__(self) -> str:
        return "E"


CarouselMove: TypeAlias = Draw | Knock | End | Pass | Step | Play

KNOCK, END = Knock(), End()
_WORDS: dict[str, CarouselMove] = {
    "D": DRAW,
    "DRAW": DRAW,
    "K": KNOCK,
    "KNOCK": KNOCK,
    "E": END,
    "END": END,
    "-": PASS,
    "PASS": PASS,
}
_UNREADABLE = (
    "Write D to draw, K to knock, E to end your turn, - to pass, M 6C1+6S1+6H1<1 to lay a meld with a card of meld 1, "
    "or L3 5H1-6H1-7H1-8H1 to enlarge meld 3."
)


# What a step does to the table

Table: TypeAlias = Mapping[int, Meld]


def after_swaps(meld: Meld, swaps: Mapping[Card, Card]) -> Meld:
    """The meld with natural cards in place of these jokers."""
    cards = [swaps.get(card, card) for card in meld.cards]
    return meld_set(cards) if meld.kind == "set" else meld_run(cards)


def robbed(table: Table, thefts: Sequence[Theft]) -> dict[int, list[Meld]]:
    """What is left of each meld that gives cards, by its number; [] for a meld that gives them all."""
    left = {}
    for number in sorted({theft.number for theft in thefts}):
        here = [theft for theft in thefts if theft.number == number]
        meld = after_swaps(table[number], {theft.card: theft.swap for theft in here if theft.swap})
        left[number] = parts_left(meld, [theft.card for theft in here if not theft.swap])
    return left


def first_illegal(rules: MeldRules, left: Mapping[int, Sequence[Meld]]) -> int | None:
    """The first robbed meld that is not there any more as one legal meld, or as legal runs; None if all are."""
    return next((number for number, parts in left.items() if not parts or any(map(rules.fault, parts))), None)


def table_after(table: Table, step: Step) -> dict[int, Meld]:
    """The melds by number, ascending, after a legal step."""
    left = robbed(table, step.thefts)
    after = dict(table) | {number: parts[0] for number, parts in left.items()}
    new = [part for parts in left.values() for part in parts[1:]]
    if step.number:
        after[step.number] = step.meld
    else:
        new.append(step.meld)
    free = [number for number in range(1, len(after) + len(new) + 1) if number not in after]
    return dict(sorted((after | dict(zip(free, new, strict=False))).items()))


def stands_for(rules: MeldRules, meld: Meld, joker: Card, natural: Card) -> bool:
    return face(natural) in rules.faces(meld)[meld.cards.index(joker)]


# The steps that are listed: the smallest new melds and single additions


class Situation(NamedTuple):
    """All that decides which steps there are. table: number and meld, ascending; hand: in display order."""

    rules: MeldRules
    table: tuple[tuple[int, Meld], ...]
    hand: tuple[Card, ...]
    adds: bool = True
    swaps: bool = True


@lru_cache(maxsize=4096)
def listed_steps(situation: Situation) -> tuple[Step, ...]:
    """New melds that need every one of their cards, and single cards added to melds, if need be over stolen ones.

    Other steps are legal as well. Of two copies in hand only the first is listed, and at most one joker in a new meld,
    where the hand has no natural card for its place.
    """
    return tuple(dict.fromkeys(_StepFinder(situation).steps()))


@cache
def _patterns(sequence: SequenceKind) -> tuple[tuple[Kind, tuple[str, ...]], ...]:
    """The faces of every set of three and of every run of three to five."""
    sets: list[tuple[Kind, tuple[str, ...]]] = [
        ("set", tuple(rank + suit for suit in suits)) for rank in RANKS for suits in combinations(SUITS, SMALLEST_MELD)
    ]
    orders = [ranks for length in range(SMALLEST_MELD, LONGEST_LISTED + 1) for ranks in windows(sequence, length)]
    return (*sets, *(("run", tuple(rank + suit for rank in ranks)) for ranks in orders for suit in SUITS))


class _StepFinder:
    """sources, jokers: by face the cards that show it, and those that stand for any; `number` 0 is the hand.

    spare: the cards that a meld can lose alone.
    """

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.rules = situation.rules
        self.table = dict(situation.table)
        self.held = {face(card): card for card in reversed(situation.hand) if not is_joker(card)}
        self.own_jokers = [Theft(card, 0) for card in situation.hand if is_joker(card)][:1]
        self.sources = {shown: [Theft(card, 0)] for shown, card in self.held.items()}
        self.jokers: list[Theft] = []
        self.swaps: list[Theft] = []
        self.spare: set[Theft] = set()
        for number, meld in situation.table:
            if situation.swaps:
                self.swaps += self._swaps(number, meld)
            if len(meld.cards) > SMALLEST_MELD:
                self._add_sources(number, meld)
        self.own_jokers += self.swaps
        self.jokers += self.own_jokers

    def _swaps(self, number: int, meld: Meld) -> Iterator[Theft]:
        for place, card in enumerate(meld.cards):
            if is_joker(card):
                fits = sorted(self.rules.faces(meld)[place])
                yield from (Theft(card, number, self.held[shown]) for shown in fits if shown in self.held)

    def _add_sources(self, number: int, meld: Meld) -> None:
        for card in meld.cards:
            theft = Theft(card, number)
            (self.jokers if is_joker(card) else self.sources.setdefault(face(card), [])).append(theft)
            if not first_illegal(self.rules, robbed(self.table, [theft])):
                self.spare.add(theft)

    def steps(self) -> Iterator[Step]:
        found: set[Step] = set()
        for kind, faces in _patterns(self.rules.sequence):
            for step in self._melds(kind, faces):
                if len(faces) == SMALLEST_MELD or not self._is_reducible(step, found):
                    found.add(step)
                    yield step
        if self.situation.adds:
            yield from self._additions()

    def _melds(self, kind: Kind, faces: Sequence[str]) -> Iterator[Step]:
        """The legal new melds that show these faces, a joker in place of one at most."""
        missing = [shown for shown in faces if shown not in self.sources]
        if len(missing) > 1:
            return
        has_held = not self.held.keys().isdisjoint(faces)
        jokers = self.jokers if has_held else self.own_jokers
        if not (has_held or jokers):
            return
        if has_held and not missing:
            yield from self._filled(kind, [self.sources[shown] for shown in faces])
        for shown in missing or [shown for shown in faces if shown not in self.held]:
            yield from self._filled(kind, [jokers if other == shown else self.sources[other] for other in faces])

    def _filled(self, kind: Kind, choices: Sequence[Sequence[Theft]]) -> Iterator[Step]:
        for parts in product(*choices):
            if any(part.swap or not part.number for part in parts):
                step = self._step(kind, parts)
                if step is not None:
                    yield step

    def _step(self, kind: Kind, parts: Sequence[Theft]) -> Step | None:
        """The step with these cards; None if it uses a card twice or leaves no legal table."""
        thefts = [part for part in parts if part.number]
        cards = [part.card for part in parts]
        if any(part.swap in cards for part in thefts) or not self._can_spare(thefts):
            return None
        meld = meld_set(cards) if kind == "set" else meld_run(cards)
        return None if self.rules.fault(meld) else Step.of(meld, thefts)

    def _can_spare(self, thefts: Sequence[Theft]) -> bool:
        if len({theft.number for theft in thefts}) == len(thefts):
            return all(theft.swap or theft in self.spare for theft in thefts)
        return not first_illegal(self.rules, robbed(self.table, thefts))

    def _is_reducible(self, step: Step, found: Collection[Step]) -> bool:
        """Whether a run without one of its end cards is listed, too."""
        for cards in (step.meld.cards[1:], step.meld.cards[:-1]):
            thefts = [theft for theft in step.thefts if theft.card in cards]
            if Step.of(meld_run(cards), thefts) in found:
                return True
        return False

    def _additions(self) -> Iterator[Step]:
        cards = [*(Theft(card, 0) for card in self.held.values()), *self.own_jokers]
        for number, meld in self.situation.table:
            growth = self.rules.growth(meld)
            for part in cards:
                if part.number != number:
                    for larger in self._enlarged(meld, growth, part.card):
                        yield Step.of(larger, [part] if part.number else [], number)
            if meld.kind == "run":
                yield from self._bridges(number, meld, "low")
                yield from self._bridges(number, meld, "high")

    def _enlarged(self, meld: Meld, growth: Mapping[Growth, Collection[str]], card: Card) -> list[Meld]:
        if meld.kind == "run" and any(map(is_joker, meld.cards)):
            return self.rules.readings((*meld.cards, card))
        return [_grown(meld, place, card) for place, faces in growth.items() if is_joker(card) or face(card) in faces]

    def _bridges(self, number: int, meld: Meld, place: Growth, thefts: tuple[Theft, ...] = ()) -> Iterator[Step]:
        """Runs that grow at one end by stolen cards and by a hand card behind them."""
        for shown in self.rules.growth(meld).get(place, ()):
            if thefts and shown in self.held and self._can_spare(thefts):
                yield Step.of(_grown(meld, place, self.held[shown]), thefts, number)
            if len(thefts) < LONGEST_BRIDGE:
                for theft in (*self.sources.get(shown, ()), *self.jokers):
                    if theft.number not in (0, number) and not theft.swap and theft not in thefts:
                        yield from self._bridges(number, _grown(meld, place, theft.card), place, (*thefts, theft))


def _grown(meld: Meld, place: Growth, card: Card) -> Meld:
    if place == "set":
        return meld_set((*meld.cards, card))
    return meld_run((card, *meld.cards) if place == "low" else (*meld.cards, card))


# Free manipulation: one play a turn, as in Vatican

FREE_OPTIONS = VATICAN.read_options({"opening_run": False, "sequence": "low"}, MIN_SEATS)
# Rules of Vatican that have another name here.
_OWN_NAMES = {"vatican:rearrange": "cards-available", "vatican:play-at-least-one": "step-hand-card"}
_PLAY = re.compile(r"P(?P<dissolved>[\sX\d,]*)>(?P<melds>.*)", re.DOTALL)


def free_options(rules: MeldRules) -> Options:
    """The options with which Vatican's plays are those of this table."""
    return {**FREE_OPTIONS, "sequence": rules.sequence}


def rearrangements(rules: MeldRules, table: Table, hand: tuple[Card, ...]) -> tuple[Play, ...]:
    house = VATICAN.house_rules(free_options(rules))
    return suggestions(FreeSituation(house, tuple(table.items()), hand, has_opened=True)).plays


# State


class CarouselState(StealingState):
    """draws: by seat, the cards drawn in its latest turn. passes: in a row."""

    __slots__ = ("draws", "passes")

    HAND_CARDS = 10

    table: dict[int, Meld]

    def __init__(self, game: Carousel, decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        rules = MELD_RULES[str(options["ace"])]
        super().__init__(game, decks, rules, seats=seats, options=options, dealer=dealer)

    def clear(self) -> None:
        super().clear()
        self.phase = OVER
        self.draws = [0] * self.seats
        self.passes = 0

    def begin_turn(self, seat: int) -> None:
        self.to_act = (seat,)
        self.phase = START
        self.draws[seat] = 0

    def copy(self) -> Self:
        other = super().copy()
        other.draws, other.passes = self.draws[:], self.passes
        return other

    def meld(self, number: int) -> Meld | None:
        return self.table.get(number)

    # What may be done

    def legal_moves(self, seat: int) -> Sequence[CarouselMove]:
        """The simple moves and the smallest steps; `play` accepts every other legal step as well."""
        if seat not in self.to_act:
            return ()
        if self.phase is START and self.stock:
            return (DRAW, *self._knocks(seat))
        if self.phase is START:
            return (*self._knocks(seat), *self._plays(seat), PASS)
        if self.phase is MELDING:
            return (*self._plays(seat), END)
        return (*([DRAW] if self._may_draw_again(seat) else [END]), *self._plays(seat))

    def _knocks(self, seat: int) -> list[CarouselMove]:
        return [KNOCK] if self.deadwood(seat) <= self.knock_limit else []

    def _plays(self, seat: int) -> Sequence[CarouselMove]:
        if self.is_free:
            return rearrangements(self.rules, self.table, self.hands[seat])
        adds, swaps = bool(self.options["add_to_melds"]), bool(self.options["joker_swap"])
        return listed_steps(Situation(self.rules, tuple(self.table.items()), self.hands[seat], adds, swaps))

    def _may_draw_again(self, seat: int) -> bool:
        return bool(self.stock) and self.draws[seat] < MOST_DRAWS

    @property
    def is_free(self) -> bool:
        """One play a turn rearranges the table, in place of steps that steal."""
        return self.options["manipulation"] == "free"

    @property
    def knock_limit(self) -> int:
        return int(self.options["knock_limit"])

    def deadwood(self, seat: int) -> int:
        return deadwood(self.options, self.rules, self.hands[seat])

    # Moves

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_turn(seat)
        if isinstance(move, Draw):
            self._draw(seat)
        elif isinstance(move, Knock):
            self._knock(seat)
        elif isinstance(move, End):
            self._end(seat)
        elif isinstance(move, Pass):
            self._pass(seat)
        elif isinstance(move, Step):
            self._step(seat, move)
        else:
            assert isinstance(move, Play), f"{move!r} is not a move of Carousel"
            self._rearrange(seat, move)

    def _draw(self, seat: int) -> None:
        self._check_draw(seat)
        self.hands[seat] = tuple(by_display((*self.hands[seat], self.stock.pop())))
        self.draws[seat] += 1
        self._tell(seat, Phrase("draw", "a card"), f"hand:{seat}", "stock")
        self.phase = AFTER_DRAW
        if self.has_drawn_out(seat):
            self.end_turn(seat)

    def has_drawn_out(self, seat: int) -> bool:
        """Whether the latest draw of the seat was its third and ended its turn."""
        return self.draws[seat] == MOST_DRAWS and not self.options["meld_after_third_draw"]

    def _knock(self, seat: int) -> None:
        if self.phase is not START:
            self._refuse("knock-start-only", f"A knock takes the place of the draw; now {self._what_now(seat)}.")
        left = self.deadwood(seat)
        if left > self.knock_limit:
            self._refuse(
                "knock-limit",
                f"Your deadwood is {left}; with {self.knock_limit} or less you may knock. Now {self._what_now(seat)}.",
            )
        self._tell(seat, Phrase("knock", f"with {left}"), f"hand:{seat}")
        self.end_hand(seat)

    def _end(self, seat: int) -> None:
        if self.phase is START or self.phase is AFTER_DRAW and self._may_draw_again(seat):
            self._refuse("draw-or-meld", f"Your turn is not over yet: {self._what_now(seat)}.")
        self._tell(seat, Phrase("end", "the turn"))
        self.end_turn(seat)

    def _pass(self, seat: int) -> None:
        if self.stock:
            self._refuse("turn-start", f"Passing is for when the stock is used up; {self._what_now(seat)}.")
        if self.phase is not START:
            self._refuse("stock-empty", f"A pass stands at the start of a turn; {self._what_now(seat)}.")
        self.passes += 1
        self._tell(seat, Phrase("pass"))
        if self.passes == self.seats:
            self.end_hand(None)
        else:
            self.end_turn(seat)

    def _step(self, seat: int, step: Step) -> None:
        if self.is_free:
            self._refuse("step", "At this table a turn is one play: write P x1 > and all melds that then lie there.")
        self._check_meld_time(seat)
        self._check_step(seat, step)
        enlarged = self.table.get(step.number)
        laid = step.laid(enlarged)
        self._tell(seat, step_phrase(step, enlarged), *by_display(laid), *step.stolen)
        self._lay(seat, laid, table_after(self.table, step))

    def _lay(self, seat: int, laid: Sequence[Card], table: dict[int, Meld]) -> None:
        self.hands[seat] = tuple(card for card in self.hands[seat] if card not in laid)
        self.table = table
        self.passes = 0
        self.phase = MELDING
        if not self.hands[seat] and self.options["go_out_ends"]:
            self.end_hand(seat)

    def _rearrange(self, seat: int, move: Play) -> None:
        if not self.is_free:
            self._refuse("steal", "At this table melds are not rebuilt: lay a meld, M 6C1+6S1+6H1<1, or enlarge one.")
        self._check_meld_time(seat)
        house = free_options(self.rules)
        table = VaticanState(VATICAN, self.decks, seats=self.seats, options=house, dealer=self.dealer)
        table.hands, table.table, table.to_act = self.hands[:], dict(self.table), (seat,)
        try:
            table.play(seat, move)
        except IllegalMove as refusal:
            self._refuse(_OWN_NAMES.get(refusal.rule, refusal.rule.partition(":")[2]), str(refusal))
        laid = move.from_hand(self.table)
        self._tell(seat, play_phrase(move, self.table), *by_display(laid))
        self._lay(seat, laid, table.table)
        if self.phase is MELDING:
            self.end_turn(seat)

    def end_turn(self, seat: int) -> None:
        self.begin_turn(self._after(seat))

    # Refusals

    def _refuse_turn(self, seat: int) -> NoReturn:
        rule, message = "first-player", "It is another player's turn; yours will come."
        if not self.to_act:
            message = "The game is over; start another one."
        elif self.has_drawn_out(seat) and self.to_act[0] == self._after(seat):
            rule = "third-draw-ends"
            message = "Your third card ended your turn; what it completes can be laid in the next one."
        raise NotYourTurn(message, rule=f"{self.game.slug}:{rule}")

    def _what_now(self, seat: int) -> str:
        """What the seat to act may do, as the end of a sentence."""
        if self.phase is MELDING:
            return "go on melding, or end your turn"
        if self.phase is START:
            return "draw a card" if self.stock else "lay a meld or pass"
        return "meld or draw again" if self._may_draw_again(seat) else "meld or end your turn"

    def _check_draw(self, seat: int) -> None:
        if self.phase is MELDING:
            self._refuse("no-draw-after-meld", "You have melded, so you draw no more; go on melding or end your turn.")
        if self.draws[seat] >= MOST_DRAWS:
            self._refuse("third-draw-ends", "Three cards are all that you may draw; meld or end your turn.")
        if not self.stock:
            self._refuse("stock-empty", f"The stock is used up; {self._what_now(seat)}.")

    def _check_meld_time(self, seat: int) -> None:
        if self.phase is START and self.stock:
            self._refuse("turn-start", "A turn begins with a draw or a knock: draw a card, then you may meld.")

    def _check_step(self, seat: int, step: Step) -> None:
        """:raises IllegalMove: the first rule that the step breaks."""
        if step.number and not self.options["add_to_melds"]:
            self._refuse("step", "At this table nothing is added to melds; lay a new one.")
        self._check_there(seat, step)
        if not step.laid(self.table.get(step.number)):
            self._refuse("step-hand-card", "A step puts a card of your hand on the table; add one to these.")
        fault = self.rules.fault(step.meld)
        if fault is not None:
            self._refuse(fault.rule, fault.message)
        self._check_swaps(step)
        broken = first_illegal(self.rules, robbed(self.table, step.thefts))
        if broken is not None:
            self._refuse_robbery(broken)

    def _check_swaps(self, step: Step) -> None:
        for theft in step.thefts:
            if not theft.swap:
                continue
            if not self.options["joker_swap"]:
                self._refuse("joker-swap", "At this table jokers are not exchanged; steal it if its meld can spare it.")
            if theft.number == step.number:
                self._refuse("joker-swap", f"Just add {theft.swap}: the joker of a meld that you enlarge may move.")
            meld = self.table[theft.number]
            if not is_joker(theft.card):
                self._refuse("joker-swap", f"Only a joker is exchanged; write {theft.card}<{theft.number} to steal it.")
            if is_joker(theft.swap) or not stands_for(self.rules, meld, theft.card, theft.swap):
                faces = " or ".join(sorted(self.rules.faces(meld)[meld.cards.index(theft.card)]))
                self._refuse("joker-swap", f"{theft.card} in meld {theft.number} stands for {faces}; put that in.")

    def _refuse_robbery(self, number: int) -> NoReturn:
        meld = self.table[number]
        hint = (
            "a set of four can spare one card"
            if meld.kind == "set"
            else "take from an end of four or more, or out of a run of seven or more"
        )
        self._refuse("steal-leaves-legal", f"What you leave of meld {number}, {meld}, would be no meld; {hint}.")

    # The end of a hand

    def end_hand(self, knocker: int | None) -> None:
        """Scores the showdown; knocker None: everybody has passed. Then deals again or ends the game."""
        self.close_hand(self._showdown(knocker))

    def _showdown(self, knocker: int | None) -> HandResult:
        left = [self.deadwood(seat) for seat in range(self.seats)]
        lowest = [seat for seat in range(self.seats) if left[seat] == min(left)]
        lines = tuple(self._lines(knocker, left, lowest))
        zones = tuple(
            open_zone(f"hand:{seat}", "hand", f"Hand of @{seat}", hand, owner=seat, note=f"{left[seat]} points")
            for seat, hand in enumerate(self.hands)
        )
        points = tuple(sum(line.points for line in lines if seat in line.seats) for seat in range(self.seats))
        how = "Everybody passes" if knocker is None else f"Knock by @{knocker} with {left[knocker]}"
        names = " and ".join(f"@{seat}" for seat in lowest)
        summary = f"{how}: {points[lowest[0]]} points for {names} with the least deadwood, {left[lowest[0]]}."
        return HandResult(self.hands_played + 1, summary, points, lines, zones)

    def _lines(self, knocker: int | None, left: Sequence[int], lowest: Sequence[int]) -> Iterator[ScoreLine]:
        """What the lowest deadwood earns; players who share it divide the whole."""
        least = min(left)
        parts = [("score-lowest", "Differences to the other hands", sum(left) - least * self.seats)]
        if knocker is not None and knocker not in lowest:
            parts.append(("score-undercut", "Knocker undercut", int(self.options["undercut_bonus"])))
        if least == 0:
            parts.append(("score-zero", "No deadwood", int(self.options["zero_bonus"])))
        if len(lowest) > 1:
            whole = sum(points for _rule, _text, points in parts)
            parts = [("score-tie", f"A share of {whole}", whole // len(lowest))]
        for rule, text, points in parts:
            yield ScoreLine(tuple(lowest), f"{self.game.slug}:{rule}", text, points)

    # The end of the game

    def is_decided(self) -> bool:
        return self._has_winner() or self.hands_played >= MOST_HANDS

    def _has_winner(self) -> bool:
        best = max(self.scores)
        return best >= int(self.options["target"]) and self.scores.count(best) == 1

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        best = max(self.scores)
        winners = [seat for seat in range(self.seats) if self.scores[seat] == best]
        lines = tuple(self._settlement(winners, best))
        final = tuple(
            score + sum(line.points for line in lines if seat in line.seats) for seat, score in enumerate(self.scores)
        )
        names = " and ".join(f"@{seat}" for seat in winners)
        win = "wins" if len(winners) == 1 else "share the win"
        why = "" if self._has_winner() else f" after {MOST_HANDS} hands"
        reason = f"{names} {win} with {best} points{why}; the settlement leaves {final[winners[0]]}."
        return Outcome(final, places(self.scores), reason, lines)

    def _settlement(self, winners: Sequence[int], best: int) -> Iterator[ScoreLine]:
        """The lines that turn the points into what everybody pays or gets."""
        slug, everybody = self.game.slug, tuple(range(self.seats))
        bonus = int(self.options["game_bonus"]) if len(winners) == 1 else 0
        if bonus:
            yield ScoreLine(tuple(winners), f"{slug}:game-bonus", "Bonus for the game", bonus)
        total = best + bonus
        losers = [seat for seat in everybody if seat not in winners]
        empty = tuple(seat for seat in losers if not self.scores[seat])
        yield ScoreLine(everybody, f"{slug}:zero-double", f"Less the winner's {total}", -total)
        if empty:
            yield ScoreLine(empty, f"{slug}:zero-double", "Once more for having no points", -total)
        paid = sum((total - self.scores[seat]) * (FORFEIT_FACTOR if seat in empty else 1) for seat in losers)
        if losers:
            yield ScoreLine(tuple(winners), f"{slug}:zero-double", "Paid by the others", paid // len(winners))

    # What is seen and kept

    def view(self, seat: int | None) -> CarouselView:
        return CarouselView(**self.seen_by(seat), draws=tuple(self.draws), passes=self.passes)

    def dump(self) -> Position:
        return super().dump() | {"draws": list(self.draws), "passes_in_a_row": self.passes}


def deadwood(options: Options, rules: MeldRules, hand: Sequence[Card]) -> int:
    """What a hand counts at a showdown; with `hand_melds` free its best melds count nothing."""
    left = sum(map(card_points, hand))
    return left - most_matched(rules, hand, card_points) if options["hand_melds"] == "free" else left


def step_phrase(step: Step, enlarged: Meld | None) -> Phrase:
    """A step in words; enlarged: the meld that it adds to, as it was."""
    sources = [
        f"{theft.card} from meld {theft.number}" + (f" for {theft.swap}" if theft.swap else "") for theft in step.thefts
    ]
    if enlarged is None:
        return Phrase("lay", f"{step.meld}{', ' if sources else ''}{', '.join(sources)}")
    added = [card for card in step.laid(enlarged) if card in step.meld.cards]
    return Phrase("add", f"{', '.join([*added, *sources])} to meld {step.number}")


# View


@dataclass(frozen=True, slots=True, kw_only=True)
class CarouselView(StealingView):
    """draws: by seat, in the seat's latest turn. passes: in a row, without stock."""

    table: tuple[tuple[int, Meld], ...]
    draws: tuple[int, ...]
    passes: int

    @property
    def rules(self) -> MeldRules:
        return MELD_RULES[str(self.options["ace"])]

    @property
    def deadwood(self) -> int:
        """What the viewer's hand would count now."""
        return deadwood(self.options, self.rules, self.hand)

    def _note(self, seat: int) -> str:
        return f"drew {self.draws[seat]}" if seat in self.to_act and self.draws[seat] else ""

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is START:
            first = "Draw a card" if self.stock_count else "The stock is used up: lay a meld, or pass"
            return f"{first}, or knock." if KNOCK in self.moves else f"{first}."
        if self.phase is MELDING:
            return "Go on melding, or end your turn." if self.hand else "Your hand is empty: end your turn."
        again = "draw again" if DRAW in self.moves else "end your turn"
        last = " A third card ends your turn." if self._is_next_draw_last else ""
        return f"Meld, or {again}.{last}"

    @property
    def _is_next_draw_last(self) -> bool:
        is_last = self.draws[self.to_act[0]] == MOST_DRAWS - 1 and DRAW in self.moves
        return is_last and not self.options["meld_after_third_draw"]

    @property
    def _may_meld(self) -> bool:
        return self.seat in self.to_act and not (self.phase is START and self.stock_count)

    @property
    def selection(self) -> Selection | None:
        """A new meld of hand cards alone."""
        if not self._may_meld or len(self.hand) < SMALLEST_MELD:
            return None
        return Selection("Lay", self.hand, SMALLEST_MELD, min(len(self.hand), LONGEST_RUN))

    @property
    def offered(self) -> Sequence[Move]:
        return [move for move in self.moves if not self._is_from_hand(move)]

    def _is_from_hand(self, move: Move) -> bool:
        if isinstance(move, Play):
            return not move.dissolved and len(move.melds) == 1
        return isinstance(move, Step) and not move.thefts and not move.number

    @property
    def forced(self) -> Move | None:
        """The end of the turn with an empty hand; elsewhere there may be steps that are not listed."""
        return self.moves[0] if self.moves == (END,) and not self.hand else None

    def choice(self, move: Move) -> Choice:
        table = dict(self.table)
        if isinstance(move, Step):
            enlarged = table.get(move.number)
            # With the cards of the meld, since some of them may be chosen singly, to be stolen.
            meld = (f"meld:{move.number}", *enlarged.cards) if enlarged else ()
            touches = (*by_display(move.laid(enlarged)), *move.stolen, *meld)
            return Choice(move, step_phrase(move, enlarged), touches)
        if isinstance(move, Play):
            touches = (*by_display(move.from_hand(table)), *(f"meld:{number}" for number in move.dissolved))
            return Choice(move, play_phrase(move, table), touches)
        if isinstance(move, Draw):
            return Choice(move, Phrase("draw", "a card"), ("stock",))
        if isinstance(move, Knock):
            return Choice(move, Phrase("knock", f"with {self.deadwood}"))
        return Choice(move, Phrase("end", "the turn") if isinstance(move, End) else Phrase("pass"))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        facts = [
            ("Dealer", f"@{self.dealer}"),
            ("Knock limit", str(self.options["knock_limit"])),
            ("Target", str(self.options["target"])),
        ]
        if self.seat is not None:
            facts.append(("Your deadwood", str(self.deadwood)))
        if self.passes:
            facts.append(("Passes in a row", str(self.passes)))
        return tuple(facts)


# The game


class Carousel(PackBySeats[CarouselState, CarouselView, CarouselMove]):
    slug = "carousel"
    name = "Carousel"
    summary = "Rummy with melds that belong to everybody: steal what you need, and knock when little is left."
    seats = (2, 3, 4, 5)
    one_pack_seats = 2
    packs = (pack(jokers=1), pack(copies=2, jokers=2))
    proposals = True
    has_hand_melds = True
    options = (
        numbers("knock_limit", "Knock limit", (5, 10), default=5, help="The most deadwood for a knock."),
        Option(
            "manipulation",
            "Melds on the table",
            "steal",
            {"steal": "give cards to other melds", "free": "may be rebuilt as in Vatican"},
            "How melds on the table may be used.",
        ),
        Option("ace", "Ace", "low", {"low": "low", "high_or_low": "high or low"}, "Its place in runs."),
        switch("add_to_melds", "Add to melds", default=True, help="Off: only new melds may be laid."),
        switch(
            "meld_after_third_draw",
            "Meld after the third card",
            default=False,
            help="Off: the third card ends the turn.",
        ),
        switch("joker_swap", "Exchange of jokers", default=True, help="A joker is had for the card it stands for."),
        Option(
            "hand_melds",
            "Melds in the hand",
            "count",
            {"count": "count as deadwood", "free": "count nothing"},
            "What melds that were not laid count at a showdown.",
        ),
        numbers("undercut_bonus", "Undercut bonus", BONUSES, default=10, help="For less than the knocker."),
        numbers("zero_bonus", "Bonus for zero", BONUSES, default=25, help="For no deadwood at all."),
        numbers("target", "Target", range(100, 301, 25), default=150, help="Points that end the game."),
        numbers("game_bonus", "Game bonus", (0, 25, 50, 75, 100), default=100, help="For the winner of the game."),
        switch("go_out_ends", "Going out ends the hand", default=False, help="The last card laid is like a knock."),
    )

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> CarouselState:
        return CarouselState(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> CarouselMove:
        said = text.strip().upper()
        if said in _WORDS:
            return _WORDS[said]
        move = _read_play(said) if said.startswith("P") else read_step(said)
        if move is None:
            raise UnreadableMove(_UNREADABLE)
        return move

    def hand_melds(self, view: CarouselView) -> Sequence[Sequence[Card]]:
        return [meld.cards for meld in best_melds(view.rules, view.hand)]

    def attempt(self, view: CarouselView, picks: Sequence[str]) -> CarouselMove:
        """A draw, or cards of the hand as a meld, with a meld of the table, or with cards out of melds."""
        offered = move_that_touches(view, picks)
        if offered is not None:
            return cast(CarouselMove, offered)
        mine = [pick for pick in picks if pick in view.hand]
        if not mine and "stock" in picks:
            return DRAW
        if not mine:
            message = "Choose a card of your hand that is to go with these."
            raise UnreadableMove(message, rule=f"{self.slug}:step-hand-card")
        moves = self._moves_meant(view, mine, picks)
        return next((move for move in moves if not any(map(view.rules.fault, _melds_of(move)))), moves[0])

    def _moves_meant(self, view: CarouselView, mine: Sequence[Card], picks: Sequence[str]) -> Sequence[Step | Play]:
        """The likeliest first."""
        table = dict(view.table)
        if view.options["manipulation"] == "free":
            house = VATICAN.house_rules(free_options(view.rules))
            return [play_to(house, table, groups) for groups in tables_meant(table, mine, picks)]
        return [*_swaps_meant(view.rules, table, mine, picks), *steps_meant(view.rules, table, view.hand, picks)]

    def select(self, view: CarouselView, cards: Sequence[Card]) -> CarouselMove:
        """The new meld that hand cards make; of several readings the first, with its jokers inside or high."""
        meld = view.rules.likeliest(cards)
        fault = view.rules.fault(meld)
        if fault is not None:
            raise UnreadableMove(fault.message)
        return Play((), (meld,)) if view.options["manipulation"] == "free" else Step.of(meld)

    # Positions

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> CarouselState:
        """A position; every key may be left out.

        seats (or players): as many as the other keys need, three or more if cards name their copy. options: by name.
        dealer: the last seat. to_move: the seat at the dealer's left; null once the game is over.
        phase: `start`, `after-draw` or `melding`. draws: cards drawn in this turn, or in the latest turn of each seat.
        With a third draw the turn is over, so that the next seat is to move.
        hands: by seat, lists or texts. table: melds by number, such as "9C1+9D1+XB".
        stock: the next card first, or stock_count cards that lie nowhere else. passes_in_a_row: up to now.
        knocker: who has just knocked; the hand is then scored. scores: by seat. hands_played: finished hands.
        """
        return _Reader(self, data, deals, fewest_seats=self.fewest_seats(data)).state()

    def sample(self, view: CarouselView, rng: Random) -> CarouselState:
        decks = Decks(random_decks(self.deck(view.options), rng))
        state = self.undealt(decks, seats=view.seats, options=view.options, dealer=view.dealer)
        state.phase, state.hands_played = view.phase, view.hands_played
        state.passes, state.draws = view.passes, list(view.draws)
        unseen = state.take_over(view, rng)
        state.stock = [unseen.pop() for _ in range(view.stock_count)]
        return state


def _melds_of(move: Step | Play) -> Sequence[Meld]:
    return move.melds if isinstance(move, Play) else (move.meld,)


def _swaps_meant(rules: MeldRules, table: Table, mine: Sequence[Card], picks: Sequence[str]) -> Iterator[Step]:
    """New melds with one joker of the table, for which one of the hand cards is left."""
    for number, meld in table.items():
        for joker in filter(is_joker, meld.cards):
            if joker in picks:
                for card in mine:
                    if not is_joker(card) and stands_for(rules, meld, joker, card):
                        kept = [other for other in mine if other != card]
                        yield Step.of(rules.likeliest([*kept, joker]), [Theft(joker, number, card)])


def _read_play(text: str) -> Play | None:
    match = _PLAY.fullmatch(text)
    if match is None or len(text) > 1000:
        return None
    dissolved = re.findall(r"\d+", match["dissolved"])
    if re.sub(r"\d+", "", match["dissolved"]).strip(" ,X\t\n") or any(len(number) > 3 for number in dissolved):
        return None
    melds = [read_step(f"M{meld}") for meld in match["melds"].split("/") if meld.strip()]
    if any(step is None or step.thefts for step in melds):
        return None
    return Play(tuple(sorted(map(int, set(dissolved)))), tuple(step.meld for step in melds if step))


class _Reader(StealingReader):
    """Reads a position. :raises ImpossiblePosition:"""

    KEYS = (*StealingReader.KEYS, "draws", "passes_in_a_row", "knocker")

    def state(self) -> CarouselState:
        state = self.table(CAROUSEL, most_hands=MOST_HANDS)
        if state.is_decided():
            state.clear()
        elif self.is_over:
            raise ImpossiblePosition("to_move: nobody has won yet, so it is somebody's turn.")
        else:
            self._read_turn(state, self.number("to_move", (state.dealer + 1) % self.seats, high=self.seats - 1))
        return state

    def _read_turn(self, state: CarouselState, seat: int) -> None:
        state.begin_turn(seat)
        given = self.data.get("draws")
        state.draws = [0] * self.seats if isinstance(given, int) else self.numbers("draws", high=MOST_DRAWS)
        if isinstance(given, int):
            state.draws[seat] = whole_number(given, "draws", low=0, high=MOST_DRAWS)
        state.phase = self._phase(state.draws[seat])
        if state.phase is AFTER_DRAW:
            state.draws[seat] = state.draws[seat] or 1
        state.passes = self.number("passes_in_a_row", 0, high=self.seats)
        if state.passes and state.stock:
            raise ImpossiblePosition("passes_in_a_row: nobody passes while there is stock.")
        self._settle(state, seat)

    def _phase(self, draws: int) -> Phase:
        likely = AFTER_DRAW if draws else START
        try:
            phase = Phase(str(self.data.get("phase") or likely).lower().replace(" ", "-"))
        except ValueError:
            phase = OVER
        if phase is OVER:
            raise ImpossiblePosition("phase: choose start, after-draw or melding.")
        if phase is START and draws:
            raise ImpossiblePosition("phase, draws: at the start of a turn nothing has been drawn.")
        return phase

    def _settle(self, state: CarouselState, seat: int) -> None:
        """What has followed at once: the end of a turn by its third draw, the showdown."""
        if state.has_drawn_out(seat):
            if state.phase is MELDING:
                raise ImpossiblePosition("draws: after a third draw nobody melds.")
            state.end_turn(seat)
        knocker = self.seat("knocker", None)
        if knocker is not None:
            self._check_knocker(state, knocker)
            state.end_hand(knocker)
        elif state.passes == self.seats:
            state.end_hand(None)

    def _check_knocker(self, state: CarouselState, knocker: int) -> None:
        left = state.deadwood(knocker)
        if left > state.knock_limit:
            raise ImpossiblePosition(f"knocker: with a deadwood of {left} seat {knocker} cannot have knocked.")


CAROUSEL = Carousel()
