"""Krambambuli, 2 to 6 seats: rummy with melds on the table and one theft a turn.

Source: "The Penguin Book of Card Games", "Krambambuli", after Pennycook. What it leaves open follows common practice
of Rummy (pagat.com: the discard pile is turned over without shuffling, the upcard just taken is not returned).
Rulings, where these are silent or unclear:
- the first upcard is the top card of the stock, and the player to the dealer's left begins;
- sets ask for equal ranks only, so two copies of a card may lie in one; in a run each rank comes once;
- own melds may be enlarged from the moment of the first one; stealing begins with the next turn;
- a robbed meld must still be one meld, so even a long run gives its end cards only;
- a player without cards is out, with a last discard or without;
- the upcard just taken may be discarded only as the last card;
- the stock is renewed once, the oldest discard first; when it is used up again, everybody counts;
- after 12 turns in a row that began with the upcard the next one begins with the stock;
- only the top discard can be looked at, in the log too, unless `review_discards` is on. Cards taken from the pile
  stay known until they are laid or discarded.
It ends: a turn takes a card from the stock, or is one of twelve with the upcard, and in each hand somebody counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import chain, combinations, product
from random import Random
from typing import NoReturn, Self, TypeAlias, cast

from games.core.cards import SUITS, Card, by_display, face, pack
from games.core.contract import (
    Choice,
    Event,
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
    UnreadableMove,
    Zone,
    ZoneKind,
    move_that_touches,
    numbers,
    open_zone,
    places,
    switch,
)
from games.core.deals import Decks, numbered_decks, random_decks
from games.core.positions import (
    by_seat,
    whole_number,
)
from games.core.rummy.hand_melds import best_melds
from games.core.rummy.melds import (
    LONGEST_RUN,
    SMALLEST_MELD,
    Meld,
    MeldRules,
    SequenceKind,
    meld_run,
    meld_set,
    windows,
)
from games.core.rummy.packs import PackBySeats
from games.core.rummy.rearranging import DRAW, Draw
from games.core.rummy.state import RummyState
from games.core.rummy.stealing import StealingReader, StealingState, StealingView
from games.core.rummy.steps import Step, Theft, parts_left, read_step, steps_meant

UPCARD_TURNS_IN_A_ROW = 12
CARDS_WITH_A_THEFT = 2
COURT_POINTS = 10
LARGEST_SET = 8

MELD_RULES = {
    (sequence, distinct): MeldRules(sequence, "different" if distinct else "any", 4 if distinct else LARGEST_SET)
    for sequence in ("high", "high_or_low")
    for distinct in (False, True)
}


class Phase(StrEnum):
    START = "start"
    AFTER_DRAW = "after-draw"
    OVER = "over"


START, AFTER_DRAW, OVER = Phase


def card_points(card: Card) -> int:
    """What a card left in hand counts against its holder."""
    return int(card[0]) if card[0].isdigit() else COURT_POINTS


# Moves


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Takes the upcard: `U`."""

    def __str__(self) -> str:
        return "U"


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Ends the turn with a card face up: `X KS`."""

    card: Card

    def __str__(self) -> str:
        return f"X {self.card}"


KrambambuliMove: TypeAlias = Draw | Take | Discard | Step

TAKE = Take()
_WORDS: dict[str, KrambambuliMove] = {"D": DRAW, "DRAW": DRAW, "U": TAKE, "TAKE": TAKE}
_DISCARD = re.compile(r"X:?([A2-9TJQK][CDHS][12]?)")
_UNREADABLE = (
    "Write D to draw, U to take the upcard, M 7C+7D+7S to lay a meld, M 7H<2+7C+7D with a card of meld 2, "
    "L3 4H-5H-6H-7H to enlarge meld 3, or X KS to discard."
)


# The melds that a hand can make


@dataclass(frozen=True, slots=True)
class OwnMeld:
    """A meld on the table and the seat that laid it."""

    meld: Meld
    owner: int

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.meld.cards


Table: TypeAlias = Mapping[int, OwnMeld]


@lru_cache(maxsize=4096)
def melds_of(rules: MeldRules, cards: tuple[Card, ...]) -> tuple[Meld, ...]:
    """Every meld that can be made of these cards."""
    by_rank: defaultdict[str, list[Card]] = defaultdict(list)
    by_face: defaultdict[str, list[Card]] = defaultdict(list)
    for card in cards:
        by_rank[card[0]].append(card)
        by_face[face(card)].append(card)
    sets = [
        meld_set(chosen)
        for same in by_rank.values()
        for size in range(SMALLEST_MELD, len(same) + 1)
        for chosen in combinations(same, size)
    ]
    return (*(meld for meld in sets if rules.fault(meld) is None), *_runs(rules.sequence, by_face))


def _runs(sequence: SequenceKind, by_face: Mapping[str, Sequence[Card]]) -> Iterator[Meld]:
    for suit in SUITS:
        held = {shown[0] for shown in by_face if shown[1] == suit}
        for length in range(SMALLEST_MELD, min(LONGEST_RUN, len(held)) + 1):
            for ranks in windows(sequence, length):
                if held.issuperset(ranks):
                    yield from map(meld_run, product(*(by_face[rank + suit] for rank in ranks)))


@lru_cache(maxsize=4096)
def enlarged(rules: MeldRules, meld: Meld, hand: tuple[Card, ...]) -> tuple[Meld, ...]:
    """Every meld that one or more hand cards make of a meld."""
    found: dict[Meld, None] = {meld: None}
    queue = [meld]
    for small in queue:
        for place, faces in rules.growth(small).items():
            for card in hand:
                if face(card) in faces and card not in small.cards:
                    larger = (card, *small.cards) if place == "low" else (*small.cards, card)
                    grown = meld_set(larger) if place == "set" else meld_run(larger)
                    if grown not in found:
                        found[grown] = None
                        queue.append(grown)
    return tuple(found)[1:]


def spare_cards(rules: MeldRules, meld: Meld) -> list[Card]:
    """The cards of a meld that can be stolen: what is left must be one meld."""
    return [card for card in meld.cards if remains(rules, meld, card) is not None]


def remains(rules: MeldRules, meld: Meld, stolen: Card) -> Meld | None:
    """The meld without a card, None if that is no meld or more than one."""
    parts = parts_left(meld, (stolen,))
    return parts[0] if len(parts) == 1 and rules.fault(parts[0]) is None else None


# State


class KrambambuliState(StealingState):
    """pile: the upcard last. taken: the upcard taken in this turn while it is held, or "".

    stolen: a card was stolen in this turn. had_melded: the seat to act had laid a meld before this turn.
    turnovers: how often the stock was renewed. upcard_turns: turns in a row that began with the upcard.
    known: cards taken from the pile that are still held.
    """

    __slots__ = ("had_melded", "known", "pile", "stolen", "taken", "turnovers", "upcard_turns")

    HAND_CARDS = 11

    table: dict[int, OwnMeld]

    def __init__(self, game: Krambambuli, decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        super().__init__(game, decks, meld_rules(options), seats=seats, options=options, dealer=dealer)

    def clear(self) -> None:
        super().clear()
        self.phase = OVER
        self.pile: list[Card] = []
        self.taken: Card = ""
        self.stolen = False
        self.had_melded = False
        self.turnovers = 0
        self.upcard_turns = 0
        self.known: frozenset[Card] = frozenset()

    def _deal(self, each: int) -> None:
        super()._deal(each)
        self.pile = [self.stock.pop()]

    def begin_turn(self, seat: int) -> None:
        """Renews the stock where it must be; without a stock the hand is over."""
        if not self.stock and self._may_renew():
            self.stock = self.pile[-2::-1]
            del self.pile[:-1]
            self.turnovers += 1
            self._tell(None, Phrase("", "The discard pile is turned over and becomes the stock"), "stock")
        if not self.stock:
            return self.end_hand(None)
        self.to_act = (seat,)
        self.phase = START
        self.taken = ""
        self.stolen = False
        self.had_melded = self.owns_a_meld(seat)

    def _may_renew(self) -> bool:
        return len(self.pile) > 1 and self.turnovers < int(self.options["turnovers"])

    def owns_a_meld(self, seat: int) -> bool:
        return any(own.owner == seat for own in self.table.values())

    def copy(self) -> Self:
        other = super().copy()
        other.pile, other.taken, other.known = self.pile[:], self.taken, self.known
        other.stolen, other.had_melded = self.stolen, self.had_melded
        other.turnovers, other.upcard_turns = self.turnovers, self.upcard_turns
        return other

    def cards(self) -> list[Card]:
        return [*super().cards(), *self.pile]

    def meld(self, number: int) -> Meld | None:
        own = self.table.get(number)
        return own.meld if own else None

    # What may be done

    def legal_moves(self, seat: int) -> Sequence[KrambambuliMove]:
        if seat not in self.to_act:
            return ()
        if self.phase is START:
            return (DRAW, TAKE) if self._may_take() else (DRAW,)
        hand = self.hands[seat]
        steps = [*self._melds(hand), *self._additions(seat, hand), *self._thefts(seat, hand)]
        if self.options["final_discard"] == "required":
            steps = [step for step in steps if len(self._laid(step)) < len(hand)]
        return (*steps, *(Discard(card) for card in hand if self._may_discard(card, hand)))

    def _may_take(self) -> bool:
        return bool(self.pile) and self.upcard_turns < UPCARD_TURNS_IN_A_ROW

    def _may_discard(self, card: Card, hand: Sequence[Card]) -> bool:
        return card != self.taken or len(hand) == 1 or bool(self.options["may_return_upcard"])

    def _melds(self, hand: tuple[Card, ...]) -> Iterator[Step]:
        return (Step.of(meld) for meld in melds_of(self.rules, hand))

    def _additions(self, seat: int, hand: tuple[Card, ...]) -> Iterator[Step]:
        for number, own in self.table.items():
            if own.owner == seat:
                yield from (Step.of(larger, (), number) for larger in enlarged(self.rules, own.meld, hand))

    def _thefts(self, seat: int, hand: tuple[Card, ...]) -> Iterator[Step]:
        if not self.had_melded or self.stolen:
            return
        for number, own in self.table.items():
            if own.owner == seat:
                continue
            for card in spare_cards(self.rules, own.meld):
                for meld in melds_of(self.rules, (*hand, card)):
                    if card in meld.cards:
                        yield Step.of(meld, [Theft(card, number)])

    def _laid(self, step: Step) -> tuple[Card, ...]:
        """The cards of a step that come from the hand."""
        return step.laid(self.meld(step.number))

    # Moves

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            message = "It is another player's turn; yours will come." if self.to_act else "The game is over."
            raise NotYourTurn(message, rule=f"{self.game.slug}:first-player")
        if isinstance(move, Draw):
            self._draw(seat)
        elif isinstance(move, Take):
            self._take(seat)
        elif isinstance(move, Discard):
            self._discard(seat, move.card)
        else:
            assert isinstance(move, Step), f"{move!r} is not a move of Krambambuli"
            self._step(seat, move)

    def _draw(self, seat: int) -> None:
        if self.phase is not START:
            self._refuse_second_card()
        self._add_to_hand(seat, self.stock.pop())
        self.upcard_turns = 0
        self._tell(seat, Phrase("draw", "a card"), f"hand:{seat}", "stock")
        self.phase = AFTER_DRAW

    def _take(self, seat: int) -> None:
        if self.phase is not START:
            self._refuse_second_card()
        if not self.pile:
            self._refuse("upcard", "There is no upcard; draw from the stock.")
        if self.upcard_turns >= UPCARD_TURNS_IN_A_ROW:
            self._refuse("draw-cap", f"{UPCARD_TURNS_IN_A_ROW} turns in a row began with the upcard; draw a card now.")
        self.taken = card = self.pile.pop()
        self._add_to_hand(seat, card)
        self.known |= {card}
        self.upcard_turns += 1
        self._tell(seat, Phrase("take", f"the upcard {card}"), f"hand:{seat}", "discards")
        self.phase = AFTER_DRAW

    def _add_to_hand(self, seat: int, card: Card) -> None:
        self.hands[seat] = tuple(by_display((*self.hands[seat], card)))

    def _discard(self, seat: int, card: Card) -> None:
        self._check_drawn()
        if card not in self.hands[seat]:
            self._refuse("cards-available", self._where(seat, card))
        if not self._may_discard(card, self.hands[seat]):
            self._refuse("no-return-upcard", f"You took {card} in this turn; discard another card.")
        self._leave_hand(seat, (card,))
        self._cover_last_discard()
        self.pile.append(card)
        self._tell(seat, Phrase("discard", card), card, "discards")
        if self.hands[seat]:
            self.begin_turn(self._after(seat))
        else:
            self.end_hand(seat)

    def _step(self, seat: int, step: Step) -> None:
        self._check_drawn()
        self._check_step(seat, step)
        laid = self._laid(step)
        self._check_last_card(seat, laid)
        self._tell(seat, step_phrase(step, laid), *by_display(laid), *step.stolen)
        self._leave_hand(seat, laid)
        self._rob(step.thefts)
        number = step.number or self._free_number()
        self.table[number] = OwnMeld(step.meld, seat)
        self.table = dict(sorted(self.table.items()))
        if not self.hands[seat]:
            self.end_hand(seat)

    def _rob(self, thefts: Sequence[Theft]) -> None:
        for theft in thefts:
            own = self.table[theft.number]
            left = remains(self.rules, own.meld, theft.card)
            assert left is not None, "checked before"
            self.table[theft.number] = OwnMeld(left, own.owner)
            self.stolen = True

    def _free_number(self) -> int:
        return next(number for number in range(1, len(self.table) + 2) if number not in self.table)

    def _leave_hand(self, seat: int, cards: Sequence[Card]) -> None:
        self.hands[seat] = tuple(card for card in self.hands[seat] if card not in cards)
        self.known = self.known.difference(cards)
        if self.taken in cards:
            self.taken = ""

    def _cover_last_discard(self) -> None:
        """Takes the name of the discard that is about to be covered out of the log."""
        if self.options["review_discards"]:
            return
        for place in range(len(self.log) - 1, -1, -1):
            event = self.log[place]
            if event.phrase.verb == "discard":
                covered = Event(event.seat, Phrase("discard", "a card"), ("discards",))
                self.log = (*self.log[:place], covered, *self.log[place + 1 :])
                return

    # Refusals

    def _refuse_second_card(self) -> NoReturn:
        self._refuse("turn-draw", "You have your card for this turn; lay melds if you can, then discard.")

    def _check_drawn(self) -> None:
        if self.phase is START:
            what = "draw from the stock or take the upcard" if self._may_take() else "draw from the stock"
            self._refuse("turn-draw", f"A turn begins with one card: {what}.")

    def _check_last_card(self, seat: int, laid: Sequence[Card]) -> None:
        if self.options["final_discard"] == "required" and len(laid) == len(self.hands[seat]):
            self._refuse("going-out", "At this table the last card must be discarded; keep one back.")

    def _check_step(self, seat: int, step: Step) -> None:
        """:raises IllegalMove: the first rule that the step breaks."""
        self._check_no_swap(step)
        self._check_there(seat, step)
        if step.number:
            self._check_addition(seat, step)
        elif step.thefts:
            self._check_theft(seat, step)
        fault = self.rules.fault(step.meld)
        if fault is not None:
            self._refuse(fault.rule, fault.message)

    def _check_no_swap(self, step: Step) -> None:
        for theft in step.thefts:
            if theft.swap:
                self._refuse(
                    "cards-available", f"Nothing is left for a stolen card; write {theft.card}<{theft.number}."
                )

    def _check_addition(self, seat: int, step: Step) -> None:
        own = self.table[step.number]
        if own.owner != seat:
            self._refuse("layoff-own-only", f"Meld {step.number} is another player's; add to your own melds only.")
        if step.thefts:
            self._refuse("steal-new-meld", "A stolen card makes a new meld with two cards of your hand; lay it with M.")
        if len(step.meld.cards) == len(own.meld.cards):
            self._refuse("layoff-after-melding", f"Nothing is added to meld {step.number}; name a card of your hand.")

    def _check_theft(self, seat: int, step: Step) -> None:
        theft = step.thefts[0]
        own = self.table[theft.number]
        if not self.had_melded:
            when = "the turn after your first meld" if not self.owns_a_meld(seat) else "your next turn"
            self._refuse("steal-after-melding", f"You may steal from {when} on; meld without a stolen card.")
        if self.stolen or len(step.thefts) > 1:
            self._refuse("steal-one-per-turn", "One card may be stolen in a turn; keep the other for the next.")
        if own.owner == seat:
            self._refuse("steal-from-others", f"Meld {theft.number} is your own; steal from another player's.")
        if len(self._laid(step)) < CARDS_WITH_A_THEFT:
            self._refuse("steal-two-from-hand", "A stolen card needs two cards of your hand beside it, or more.")
        if remains(self.rules, own.meld, theft.card) is None:
            hint = "one of four or more" if own.meld.kind == "set" else "an end card of four or more"
            self._refuse("steal-leaves-valid", f"Meld {theft.number} would not stay one meld; it can only give {hint}.")

    # The end of a hand

    def end_hand(self, out: int | None) -> None:
        """Counts the hands; out: who has no cards left, None if the stock is used up. Deals again or ends the game."""
        self.close_hand(self._result(out))

    def _result(self, out: int | None) -> HandResult:
        points = tuple(sum(map(card_points, hand)) for hand in self.hands)
        lines = tuple(
            ScoreLine((seat,), f"{self.game.slug}:card-count", f"Left in hand: {' '.join(hand)}", points[seat])
            for seat, hand in enumerate(self.hands)
            if hand
        )
        end = "The stock is used up and all hands count" if out is None else f"@{out} goes out"
        return HandResult(self.hands_played + 1, f"{end}.", points, lines, self._hand_zones())

    def is_decided(self) -> bool:
        deals = int(self.options["deals"])
        return self.hands_played >= deals if deals else max(self.scores) >= int(self.options["target"])

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        best = min(self.scores)
        names = " and ".join(f"@{seat}" for seat, score in enumerate(self.scores) if score == best)
        win = "wins" if self.scores.count(best) == 1 else "share the win"
        reason = f"{names} {win} with the fewest points, {best}."
        return Outcome(tuple(self.scores), places([-score for score in self.scores]), reason)

    # What is seen and kept

    def view(self, seat: int | None) -> KrambambuliView:
        shown = self.pile if self.options["review_discards"] else self.pile[-1:]
        return KrambambuliView(
            **self.seen_by(seat),
            known=tuple(tuple(card for card in hand if card in self.known) for hand in self.hands),
            discards=tuple(shown),
            discard_count=len(self.pile),
            taken=self.taken,
            stolen=self.stolen,
            had_melded=self.had_melded,
            turnovers=self.turnovers,
            upcard_turns=self.upcard_turns,
        )

    def dump(self) -> Position:
        return super().dump() | {
            "table": {str(number): {"meld": str(own.meld), "owner": own.owner} for number, own in self.table.items()},
            "discards": list(self.pile),
            "taken_upcard": self.taken or None,
            "known": by_display(self.known),
            "melded_before": self.had_melded,
            "stolen": self.stolen,
            "turnovers": self.turnovers,
            "upcard_turns": self.upcard_turns,
        }


def meld_rules(options: Options) -> MeldRules:
    return next(
        rules
        for (sequence, distinct), rules in MELD_RULES.items()
        if (sequence, distinct) == (options["ace"], options["distinct_suits"])
    )


def step_phrase(step: Step, laid: Sequence[Card]) -> Phrase:
    """A step in words; laid: the cards that come from the hand."""
    if step.number:
        return Phrase("add", f"{' '.join(by_display(laid))} to meld {step.number}")
    stolen = [f", {theft.card} from meld {theft.number}" for theft in step.thefts]
    return Phrase("lay", f"{step.meld}{''.join(stolen)}")


# View


@dataclass(frozen=True, slots=True, kw_only=True)
class KrambambuliView(StealingView):
    """What a seat knows of a game.

    known: by seat, cards taken from the discard pile that are still in that hand.
    discards: those that one may look at, the upcard last. taken: the upcard taken in this turn while it is held, or "".
    stolen: a card was stolen in this turn. had_melded: the seat to act had melded before this turn.
    """

    known: tuple[tuple[Card, ...], ...]
    table: tuple[tuple[int, OwnMeld], ...]
    discards: tuple[Card, ...]
    discard_count: int
    taken: Card
    stolen: bool
    had_melded: bool
    turnovers: int
    upcard_turns: int

    @property
    def rules(self) -> MeldRules:
        return meld_rules(self.options)

    @property
    def upcard(self) -> Card | None:
        return self.discards[-1] if self.discards else None

    def _piles(self) -> tuple[Zone, ...]:
        kind: ZoneKind = "row" if self.options["review_discards"] else "pile"
        return (
            Zone("stock", "stock", "Stock", count=self.stock_count),
            Zone("discards", kind, "Discard pile", self.discards, self.discard_count),
        )

    def _melds(self) -> Iterator[Zone]:
        for number, own in self.table:
            yield open_zone(f"meld:{number}", "meld", f"Meld {number} of @{own.owner}", own.cards, owner=own.owner)

    def _note(self, seat: int) -> str:
        return f"took {' '.join(self.known[seat])}" if self.known[seat] and seat != self.seat else ""

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is START:
            if TAKE in self.moves:
                return f"Draw from the stock or take the upcard {self.upcard}."
            return "Draw from the stock."
        may_meld = any(isinstance(move, Step) for move in self.moves)
        return "Lay melds if you like, then discard a card." if may_meld else "Discard a card."

    @property
    def selection(self) -> Selection | None:
        """A new meld of hand cards alone."""
        if not any(map(_is_from_hand, self.moves)):
            return None
        return Selection("Lay", self.hand, SMALLEST_MELD, min(len(self.hand), LONGEST_RUN))

    @property
    def offered(self) -> Sequence[Move]:
        return [move for move in self.moves if not _is_from_hand(move)]

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Draw):
            return Choice(move, Phrase("draw", "from the stock"), ("stock",))
        if isinstance(move, Take):
            return Choice(move, Phrase("take", f"the upcard {self.upcard}"), (str(self.upcard), "discards"))
        if isinstance(move, Discard):
            return Choice(move, Phrase("discard", move.card), (move.card, "discards"))
        assert isinstance(move, Step), f"{move!r} is a move of another game"
        own = dict(self.table).get(move.number)
        laid = move.laid(own.meld if own else None)
        meld = [f"meld:{move.number}"] if own else []
        return Choice(move, step_phrase(move, laid), (*by_display(laid), *move.stolen, *meld))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        deals = int(self.options["deals"])
        facts = [("Dealer", f"@{self.dealer}")]
        if deals:
            facts.append(("Hand", f"{min(self.hands_played + 1, deals)} of {deals}"))
        else:
            facts.append(("Target", str(self.options["target"])))
        left = int(self.options["turnovers"]) - self.turnovers
        facts.append(("When the stock is used up", "the discards are turned over" if left else "the hand ends"))
        if self.seat is not None:
            facts.append(("Your cards count", str(sum(map(card_points, self.hand)))))
        return tuple(facts)


def _is_from_hand(move: Move) -> bool:
    return isinstance(move, Step) and not move.thefts and not move.number


# The game


class Krambambuli(PackBySeats[KrambambuliState, KrambambuliView, KrambambuliMove]):
    slug = "krambambuli"
    name = "Krambambuli"
    summary = "Lay sets and runs, add to your own, and steal a card from the others for a new one."
    seats = (2, 3, 4, 5, 6)
    one_pack_seats = 3
    packs = (pack(), pack(copies=2))
    has_hand_melds = True
    presets = {"short": {"target": 100}, "five-deals": {"deals": 5}}
    options = (
        numbers("target", "Target", range(100, 501, 50), default=500, help="Points that end the game."),
        numbers("deals", "Number of deals", range(21), default=0, help="With 0 the target decides."),
        switch("distinct_suits", "Sets of different suits", default=False, help="On: no suit twice in a set."),
        Option(
            "final_discard",
            "Last discard",
            "optional",
            {"optional": "not needed to go out", "required": "needed to go out"},
        ),
        numbers("turnovers", "Stock renewed", (0, 1, 2), default=1, help="How often the discards become the stock."),
        switch("may_return_upcard", "Return the upcard", default=False, help="The upcard just taken may be discarded."),
        Option("ace", "Ace", "high", {"high": "high", "high_or_low": "high or low"}, "Its place in runs."),
        switch("review_discards", "Open discard pile", default=False, help="All discards may be looked at."),
    )

    def fewer_is_better(self, options: Options) -> bool:
        return True

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> KrambambuliState:
        return KrambambuliState(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> KrambambuliMove:
        said = "".join(text.split()).upper()
        if said in _WORDS:
            return _WORDS[said]
        discard = _DISCARD.fullmatch(said)
        move = Discard(discard[1]) if discard else read_step(said)
        if move is None:
            raise UnreadableMove(_UNREADABLE)
        return move

    def hand_melds(self, view: KrambambuliView) -> Sequence[Sequence[Card]]:
        return [meld.cards for meld in best_melds(view.rules, view.hand)]

    def attempt(self, view: KrambambuliView, picks: Sequence[str]) -> KrambambuliMove:
        """A draw, a discard, or a meld: a new one, a larger one, or one with cards of other melds."""
        offered = move_that_touches(view, picks)
        if offered is not None:
            return cast(KrambambuliMove, offered)
        mine = [pick for pick in picks if pick in view.hand]
        if "stock" in picks:
            return DRAW
        if view.upcard in picks or (not mine and "discards" in picks):
            return TAKE
        if len(mine) == 1 and set(picks) <= {*mine, "discards"}:
            return Discard(mine[0])
        if "discards" in picks:
            self._unreadable("turn-discard", f"A turn ends with one discard; choose one of {' '.join(mine)}.")
        table = {number: own.meld for number, own in view.table}
        steps = steps_meant(view.rules, table, view.hand, picks)
        if not steps:
            self._unreadable("turn-meld", "Choose cards of your hand, to be laid or added or discarded.")
        return next((step for step in steps if step in view.moves), steps[0])

    def _unreadable(self, rule: str, message: str) -> NoReturn:
        raise UnreadableMove(message, rule=f"{self.slug}:{rule}")

    def select(self, view: KrambambuliView, cards: Sequence[Card]) -> KrambambuliMove:
        """The new meld that hand cards make."""
        meld = view.rules.likeliest(cards)
        fault = view.rules.fault(meld)
        if fault is not None:
            raise UnreadableMove(fault.message)
        return Step.of(meld)

    # Positions

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> KrambambuliState:
        """A position; every key may be left out.

        seats (or players): as many as the other keys need, four or more if cards name their copy. options: by name.
        dealer: the last seat. to_move: the seat at the dealer's left; null once the game is over. Without it a hand
        that is written and empty has gone out, and the hands are counted.
        phase: `start` or `after-draw`, the latter if not given and the seat to move has cards.
        hands: by seat, lists or texts. table: by number, {meld: 7C+7D+7H, owner: 1} or the text "7C+7D+7H (1)".
        stock: the next card first, or stock_count cards that lie nowhere else; all of them without both.
        discards: the upcard last, or upcard alone. taken_upcard: taken in this turn. known: cards seen being taken.
        melded_before: the seat to move had melded before this turn, as it has if it owns a meld. stolen: in this turn.
        turnovers: how often the stock was renewed. upcard_turns: turns in a row that began with the upcard.
        scores: by seat. hands_played: finished hands.
        """
        return _Reader(self, data, deals, fewest_seats=self.fewest_seats(data)).state()

    def sample(self, view: KrambambuliView, rng: Random) -> KrambambuliState:
        decks = Decks(random_decks(self.deck(view.options), rng))
        state = self.undealt(decks, seats=view.seats, options=view.options, dealer=view.dealer)
        state.phase, state.hands_played = view.phase, view.hands_played
        state.taken, state.stolen, state.had_melded = view.taken, view.stolen, view.had_melded
        state.turnovers, state.upcard_turns = view.turnovers, view.upcard_turns
        state.hands, state.known, state.pile = list(view.known), frozenset(chain(*view.known)), list(view.discards)
        unseen = state.take_over(view, rng)
        state.pile = [*(unseen.pop() for _ in range(view.discard_count - len(state.pile))), *state.pile]
        state.stock = [unseen.pop() for _ in range(view.stock_count)]
        return state


_OWNED = re.compile(r"(?P<meld>[^()]+)\((?P<owner>\d)\)\s*")


class _Reader(StealingReader):
    """Reads a position. :raises ImpossiblePosition:"""

    KEYS = (
        *StealingReader.KEYS,
        *("discards", "upcard", "taken_upcard", "known"),
        *("melded_before", "stolen", "turnovers", "upcard_turns"),
    )
    SUCH_AS = "{meld: 9C+9D+9H, owner: 0}"

    def state(self) -> KrambambuliState:
        state = self.table(KRAMBAMBULI, most_hands=100_000)
        to_move = self.seat("to_move", None)
        out = self._gone_out() if to_move is None else None
        if state.is_decided():
            state.clear()
        elif out is not None:
            state.end_hand(out)
        elif to_move is None and self.is_over:
            raise ImpossiblePosition("to_move: nobody has gone out and the game goes on, so it is somebody's turn.")
        else:
            self._read_turn(state, (state.dealer + 1) % self.seats if to_move is None else to_move)
        return state

    def _gone_out(self) -> int | None:
        """The seat whose hand is written and empty."""
        hands = by_seat(self.data.get("hands"), self.seats, "hands")
        return next((seat for seat, hand in enumerate(hands) if hand is not None and not len(hand)), None)

    def read_cards(self, state: RummyState, rules: MeldRules) -> None:
        assert isinstance(state, KrambambuliState), "made by this game"
        state.pile = self.cards("discards")
        upcard = self.cards("upcard")
        if len(upcard) > 1:
            raise ImpossiblePosition("upcard: it is one card; write all of them as discards.")
        state.pile += upcard if upcard != state.pile[-1:] else []
        super().read_cards(state, rules)

    def unread_stock(self, rest: list[Card]) -> list[Card]:
        shuffled = [card for card in next(numbered_decks(self.pack)) if card in rest]
        return shuffled[: self.number("stock_count", len(rest), high=len(rest))]

    def entry(self, rules: MeldRules, entry: object) -> OwnMeld:
        match = _OWNED.fullmatch(entry) if isinstance(entry, str) else None
        if match is not None:
            entry = {"meld": match["meld"], "owner": int(match["owner"])}
        if not isinstance(entry, Mapping) or set(entry) != {"meld", "owner"}:
            raise ImpossiblePosition(f"table: write each meld with its owner, such as {self.SUCH_AS}.")
        owner = whole_number(entry["owner"], "owner", low=0, high=self.seats - 1)
        return OwnMeld(self.meld(rules, entry["meld"]), owner)

    def _read_turn(self, state: KrambambuliState, seat: int) -> None:
        state.turnovers = self.number("turnovers", 0, high=int(state.options["turnovers"]))
        state.upcard_turns = self.number("upcard_turns", 0, high=UPCARD_TURNS_IN_A_ROW)
        taken = self.cards("taken_upcard")
        state.known = frozenset((*self.cards("known"), *taken))
        if len(taken) > 1 or not state.known <= set(chain(*state.hands)) or not set(taken) <= set(state.hands[seat]):
            raise ImpossiblePosition("taken_upcard, known: these cards must lie in the hand that took them.")
        phase = self._phase(AFTER_DRAW if state.hands[seat] else START)
        if phase is START:
            if taken:
                raise ImpossiblePosition("phase, taken_upcard: at the start of a turn nothing has been taken.")
            state.begin_turn(seat)
        elif not state.hands[seat]:
            raise ImpossiblePosition("hands: the seat to move has drawn, so it holds a card.")
        else:
            state.to_act, state.phase = (seat,), AFTER_DRAW
            state.taken = taken[0] if taken else ""
            state.stolen = self.switch("stolen")
        # Without a stock the turn could not begin, and another hand has been dealt.
        if not state.results:
            state.had_melded = self.switch("melded_before", state.owns_a_meld(seat))

    def _phase(self, likely: Phase) -> Phase:
        text = str(self.data.get("phase") or likely).lower().replace(" ", "-")
        if text not in (START, AFTER_DRAW):
            raise ImpossiblePosition("phase: choose start or after-draw.")
        return Phase(text)


KRAMBAMBULI = Krambambuli()
