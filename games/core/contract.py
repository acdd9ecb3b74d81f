"""The contract every game keeps, and the promises that `tests/core/test_contract.py` checks for each of them.

A `Game` makes states; a `State` is a whole game, to its target score, over as many hands as it takes. A state
changes in place: `copy()` first where the old one is still wanted. Seats are numbered clockwise from 0.

Promises of a state
- `to_act` names the seats that may move now and is `()` exactly when `outcome()` is not None.
- A seat to act has at least one legal move; any other seat has none.
- `play` either plays the move or raises `IllegalMove` and has changed nothing. It accepts every move of `legal_moves`
  and, in games with `proposals`, any other move that keeps the rules.
- Chance is an argument: decks come from `deals`, and no state shuffles.
- No card is lost or doubled: `cards()` is the same multiset from the first move of a hand to its last.
- `game.parse(str(move)) == move`, and `game.load(state.dump())` is the same position.
- `view(seat)` is built from what that seat may know, field by field, and `game.sample(view, rng).view(seat) == view`.
- It ends: play of any kind reaches an outcome.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, ClassVar, Generic, Literal, NamedTuple, NoReturn, Self, TypeAlias, TypeVar, cast

from games.core.cards import RANK_INDEX, Card
from games.core.deals import Decks
from games.core.words import joined, within_sentence

OptionValue: TypeAlias = bool | int | str
Options: TypeAlias = Mapping[str, OptionValue]
Position: TypeAlias = dict[str, Any]


# Errors: the message is a friendly sentence for the player who caused it and holds only what that player sees.


class GameError(ValueError):
    """Base error of games: a request of a player cannot be carried out."""


class UnreadableMove(GameError):
    """The text, or a selection, is not a move of this game. `rule`: the full id of one that explains it, or ""."""

    def __init__(self, message: str, *, rule: str = "") -> None:
        super().__init__(message)
        self.rule = rule


class UnclearSelection(UnreadableMove):
    """Marked cards make several moves. choices: these moves, the likeliest first."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        super().__init__("These cards can be laid in more than one way. Choose one.")
        self.choices = tuple(choices)


class BadOption(GameError):
    """An option does not exist, or not with this value or number of seats."""


class ImpossiblePosition(GameError):
    """The data describe no position of this game; the message says what to fix."""


class IllegalMove(GameError):
    """A move that breaks a rule. `rule` is its full id, such as `casino:build-hold`."""

    def __init__(self, message: str, *, rule: str) -> None:
        super().__init__(message)
        self.rule = rule


class NotYourTurn(IllegalMove):
    """A move by a seat that is not to act."""


# What a table shows


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that is made before the first hand.

    choices: the values to choose from, with their labels; `default` is one of them.
    seats: the numbers of seats it can be chosen with, None for all.
    span: every number of it is allowed as well; the choices have the usual ones. Empty: the choices are all.
    """

    name: str
    label: str
    default: OptionValue
    choices: Mapping[OptionValue, str]
    help: str = ""
    seats: tuple[int, ...] | None = None
    span: range = range(0)

    @property
    def named(self) -> Mapping[OptionValue, str]:
        """The choices that are no number of the span."""
        return {value: label for value, label in self.choices.items() if value not in self.span}

    @property
    def span_in_words(self) -> str:
        """The span by its ends: "100 to 500"; "" without one."""
        return f"{self.span[0]} to {self.span[-1]}" if self.span else ""

    def label_of(self, value: OptionValue) -> str:
        """An allowed value as players read it."""
        return self.choices.get(value, str(value))

    def read(self, value: object) -> OptionValue:
        """The value meant by a value or by its text ("21", "true", "on"); None is "none". :raises BadOption:"""
        for choice in self.choices:
            if value == choice and isinstance(value, bool) == isinstance(choice, bool):
                return choice
        for choice in self.choices:
            if isinstance(value, str | int | None) and str(value).lower() == str(choice).lower():
                return choice
        for choice in self.choices:
            if truth(value) is not None and truth(value) == truth(choice):
                return choice
        number = next((number for number in self.span if str(number) == str(value)), None)
        if number is not None:
            return number
        allowed = ", ".join(filter(None, [*map(str, self.named), self.span_in_words]))
        raise BadOption(f"{self.label} cannot be {value!r}; choose from {allowed}.")


def truth(value: object) -> bool | None:
    """Boolean meant by a text such as "on", "yes" or "no"; None for any other value."""
    return {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}.get(str(value).lower())


def switch(name: str, label: str, *, default: bool, help: str = "", seats: tuple[int, ...] | None = None) -> Option:
    """An option that is either on or off."""
    return Option(name, label, default, {False: "off", True: "on"}, help, seats)


def numbers(
    name: str, label: str, values: Iterable[int], *, default: int, help: str = "", span: range = range(0)
) -> Option:
    """An option with one of several numbers, or any number of a span."""
    return Option(name, label, default, {value: str(value) for value in values}, help, span=span)


class Move(ABC):
    """A small frozen value with one text form, the notation of the rule book.

    Subclasses are frozen dataclasses with slots. Moves that mean the same are equal and print the same.
    """

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str: ...


class Phrase(NamedTuple):
    """What a player does, in words that fit a button ("Take 3C 5D with 8S") and a log ("Anna takes 3C 5D with 8S").

    Cards are written in their text form; pages turn them into suits. rest: it may have markup of `games.core.words`,
    such as `[win]` for a second verb. verb: in its base form; "" where no player does anything, and `rest` is all.
    """

    verb: str
    rest: str = ""

    @property
    def text(self) -> str:
        """The phrase with the markup of `games.core.words`: an imperative, or what follows its subject."""
        return f"[{self.verb}] {self.rest}".rstrip() if self.verb else self.rest


class Choice(NamedTuple):
    """A move as the table offers it.

    touches: its cards and zone ids, the player's own card first. to: the zone in which its cards end, where no other
    touch names a place to drop them on.
    """

    move: Move
    phrase: Phrase
    touches: tuple[str, ...] = ()
    to: str = ""


class Event(NamedTuple):
    """A public event of the log. `seat` None: it concerns the table (the end of a hand), and its phrase has no verb.

    touches: its cards and zone ids, to be marked on the table.
    """

    seat: int | None
    phrase: Phrase
    touches: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The event with the markup of `games.core.words`: "@1 [take] 3C with 8S"."""
        return self.phrase.text if self.seat is None else f"@{self.seat} {self.phrase.text}"


@dataclass(frozen=True, slots=True)
class Selection:
    """A move that is a choice of cards: the player marks them, then presses the button.

    verb: what the button says before the cards ("Exchange", "Lay"). cards: those that may be marked.
    low, high: how many. `Game.select` makes the move of the marked cards. to: the zone to which they go, "" for none.
    is_always_legal: whether any so many of them are a move; of melds only some are. likely: those that listed moves
    have, which glow; None for all, where a glow would tell too much or nothing.
    """

    verb: str
    cards: tuple[Card, ...]
    low: int
    high: int
    to: str = ""
    is_always_legal: bool = True
    likely: frozenset[Card] | None = None


@dataclass(frozen=True, slots=True)
class Peg:
    """A player's or a side's two pegs on a cribbage board: the front one shows the score, the rear one the last."""

    seats: tuple[int, ...]
    front: int
    rear: int


@dataclass(frozen=True, slots=True)
class Track:
    """A cribbage board of `length` holes."""

    length: int
    pegs: tuple[Peg, ...]


ZoneKind = Literal["hand", "row", "stock", "pile", "build", "meld", "column", "cell"]


@dataclass(frozen=True, slots=True)
class Zone:
    """A panel of cards (hand, stock, meld ...), as one viewer sees it.

    id: stable within a game and the name that moves touch, such as `hand:0`, `stock`, `build:8`, `meld:3`.
    kind: its layout: a hand, a row of open cards, a stock (backs), a pile (its top card), a build, a meld, a column
        of a tableau (the last card is free), a cell of a square grid (empty or with one card; the cells of a grid
        follow each other row by row).
    cards: the cards whose faces the viewer may see, in display order; `count` is how many there are in all.
    note: a word the table puts beside it ("worth 8", "knocked").
    """

    id: str
    kind: ZoneKind
    label: str
    cards: tuple[Card, ...] = ()
    count: int = 0
    owner: int | None = None
    note: str = ""

    @property
    def hidden(self) -> int:
        """Number of face-down cards."""
        return self.count - len(self.cards)


def open_zone(
    id: str, kind: ZoneKind, label: str, cards: Iterable[Card], *, owner: int | None = None, note: str = ""
) -> Zone:
    """A zone whose cards are all face up for the viewer."""
    shown = tuple(cards)
    return Zone(id, kind, label, shown, len(shown), owner, note)


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a score sheet. `seats` get `points` because of `rule` (a full rule id)."""

    seats: tuple[int, ...]
    rule: str
    text: str
    points: int


@dataclass(frozen=True, slots=True)
class HandResult:
    """A finished hand, explained.

    number: from 1. points: by seat, what the hand added to the score (partners both show their side's).
    zones: what is laid open after the hand (the cards each side won, both gin hands ...).
    """

    number: int
    summary: str
    points: tuple[int, ...]
    lines: tuple[ScoreLine, ...] = ()
    zones: tuple[Zone, ...] = ()


class Stage(NamedTuple):
    """A step of the count at the end of a hand, as players count aloud: "Fifteen two", "Ada lays off 5D".

    phrase, seat: its words, as in an `Event`. cards: those it lifts; they lie in the zones of the `Show`. to: the zone
    to which they go with this step, "" if they stay. points: what it scores, by seat; () for nothing. rule: a full
    rule id, or "".
    """

    phrase: Phrase
    seat: int | None = None
    cards: tuple[Card, ...] = ()
    to: str = ""
    points: tuple[int, ...] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Show:
    """The end of a hand, to be shown step by step before the next one begins. It is the same for every viewer.

    scores: by seat, before the first stage; with the points of all stages they are the scores after the hand.
    zones: the table before it is cleared, with the last card played, and the hands turned up that are laid open.
    They show no card that stays hidden after the hand.
    """

    scores: tuple[int, ...]
    zones: tuple[Zone, ...]
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game.

    scores: final points by seat. places: by seat, 1 is first, equal results share a place.
    reason: why, in a sentence. lines: what the end of the game itself added (bonuses).
    """

    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    lines: tuple[ScoreLine, ...] = ()

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


def places(scores: Sequence[float]) -> tuple[int, ...]:
    """Places for scores where more is better: 1 + the number of better scores."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


RUNNING_FACT = "This deal"  # the label of the fact that has `View.running` in words


@dataclass(frozen=True, slots=True, kw_only=True)
class View(ABC):
    """What one seat, or a spectator (seat None), may know; games add their own typed fields.

    moves: the viewer's legal moves, () when the viewer is not to act.
    scores: points so far by seat. log: the public events that may still be looked at, oldest first.
    results: the finished hands, oldest first.
    fresh: the cards that last came into the viewer's hand, until one is played; views that differ in it are equal.
    """

    seat: int | None
    seats: int
    options: Options
    to_act: tuple[int, ...]
    moves: Sequence[Move]
    scores: tuple[int, ...]
    log: tuple[Event, ...]
    results: tuple[HandResult, ...]
    fresh: tuple[Card, ...] = field(default=(), compare=False)

    @property
    @abstractmethod
    def zones(self) -> tuple[Zone, ...]:
        """All zones: other hands clockwise from the viewer's left, shared zones, the own hand last.

        Each card of the hand lies in one of them, also a hidden one, and one that is not dealt.
        """

    @property
    @abstractmethod
    def prompt(self) -> str:
        """What the viewer may do now ("Draw from the stock or take 7C."), "" when it is another's turn."""

    @abstractmethod
    def choice(self, move: Move) -> Choice:
        """A legal move of this view in words, with the cards and zones it touches."""

    @property
    def offered(self) -> Sequence[Move]:
        """The moves that the table shows as buttons; the rest is made with `selection`."""
        return self.moves

    @property
    def waiting_on(self) -> tuple[int, ...]:
        """See `State.waiting_on`."""
        return self.to_act

    @property
    def selection(self) -> Selection | None:
        """A move that the viewer makes by marking cards, where a list of all such moves would be too long."""
        return None

    @property
    def log_note(self) -> str:
        """Why the log leaves out moves of this hand, "" where it has them all."""
        return ""

    @property
    def forced(self) -> Move | None:
        """The viewer's only move, where playing it automatically gives nothing away and spoils nothing."""
        return self.moves[0] if len(self.moves) == 1 else None

    @property
    def table_plays_forced(self) -> bool:
        """Whether the table makes forced moves for everyone, not only for those who prefer that."""
        return False

    @property
    def announcements(self) -> tuple[tuple[int, str], ...]:
        """Announcements that players have just made ("Point of five", "Go"): seat and words."""
        return ()

    @property
    def running(self) -> tuple[int, ...]:
        """By seat, the points of this deal so far, where they count at its end and players keep track of them."""
        return ()

    @property
    def track(self) -> Track | None:
        """The cribbage board, for games that peg their score."""
        return None

    @property
    def has_scores(self) -> bool:
        """The points mean something to the players; without it the table shows no score."""
        return True

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What the table says beside the cards: ("Dealer", "@1"), ("Knock limit", "10"); `@1` is a seat's name."""
        return ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """One part of a proposed move and what is wrong with it, None when it is fine."""

    part: str
    refusal: IllegalMove | None = None


class State(ABC):
    """A game in progress. Subclasses use `__slots__` and keep `copy` cheap: search and bot matches live on it."""

    __slots__ = ()

    seats: int
    options: Options
    to_act: tuple[int, ...]
    results: Sequence[HandResult]

    @abstractmethod
    def deal_hand(self) -> None:
        """Deals the next hand from its deck; afterwards at least one seat is to act."""

    @abstractmethod
    def legal_moves(self, seat: int) -> Sequence[Move]:
        """All legal moves; in a game with `proposals` the simple ones and the solver's suggestions."""

    @abstractmethod
    def play(self, seat: int, move: Move) -> None:
        """Plays the move. :raises IllegalMove: it breaks a rule; nothing has changed."""

    @abstractmethod
    def view(self, seat: int | None) -> View:
        """Exactly what that seat may know; None is a spectator."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The result, None while the game goes on; the only source for whether it is over."""

    @abstractmethod
    def copy(self) -> Self:
        """An independent state; finished hands and decks may be shared."""

    @abstractmethod
    def dump(self) -> Position:
        """The whole position as plain JSON types, in the form that `Game.load` documents."""

    @abstractmethod
    def cards(self) -> list[Card]:
        """Every card of the hand being played, in any zone."""

    def check(self, seat: int, move: Move) -> list[Verdict]:
        """A proposed arrangement part by part, for a player who is still arranging; [] where a game has none.

        One verdict for each new meld, in the order of the move, `part` being its text. Where all of these are
        fine a last one with the part "" judges the move as a whole.
        """
        return []

    @property
    def waiting_on(self) -> tuple[int, ...]:
        """The seats that the table waits for: those to act without those that may only call something in between."""
        return self.to_act

    def timeout_move(self, seat: int) -> Move | None:
        """What the rules have played for a seat whose time has run out; None where they name nothing."""
        return None


def move_that_touches(view: View, picks: Iterable[str]) -> Move | None:
    """The first offered move with just these touches, in any order."""
    chosen = set(picks)
    return next((move for move in view.offered if set(view.choice(move).touches) == chosen), None)


def describe_picks(view: View, picks: Sequence[str]) -> str:
    """Cards and zones in words: "8S 3C", "8S, the stock and meld 2", "@1's hand"; a zone by its label."""
    labels = {zone.id: zone.label for zone in view.zones}
    cards = " ".join(pick for pick in picks if pick not in labels)
    zones = [_zone_in_sentence(labels[pick]) for pick in picks if pick in labels]
    return joined([part for part in [cards, *zones] if part])


def _zone_in_sentence(label: str) -> str:
    """A zone in the middle of a sentence: "the stock", "meld 2", "the pile won by @1", "@1's hand"."""
    if label.startswith("@"):
        return label
    name = within_sentence(label)
    if label.startswith(("Won by", "Captured by")):
        return f"the pile {name}"
    return name if label[-1].isdigit() else f"the {name}"


MoveT = TypeVar("MoveT", bound=Move)
StateT = TypeVar("StateT", bound=State)
ViewT = TypeVar("ViewT", bound=View)


@dataclass(frozen=True, slots=True)
class HandEnd(Generic[StateT, MoveT]):
    """The move that ended a hand, with the position before it and after it. Both positions are read-only.

    further: 0 for the hand in which the move was made. A hand that is dealt next can be over at once, by what it is
    dealt: it is `further` 1, and so on.
    """

    before: StateT
    seat: int
    move: MoveT
    after: StateT
    further: int = 0

    @property
    def number(self) -> int:
        """The number of the hand at this table, from 1."""
        return len(self.before.results) + 1 + self.further

    @property
    def result(self) -> HandResult:
        """The hand that it ended."""
        return self.after.results[self.number - 1]

    @property
    def shown_at(self) -> StateT:
        """The position whose cards and facts are shown: before the move, or what it was dealt if that ended it."""
        return self.after if self.further else self.before


class Game(ABC, Generic[StateT, ViewT, MoveT]):
    """A game that can be played: one instance each, in `games.engines.FAMILIES`.

    seats: allowed numbers of seats. presets: named sets of options. proposals: `play` accepts moves that
    `legal_moves` does not list. workbench: a turn is laid out on the table as a whole, see `arrange`.
    has_hand_melds: cards of a hand go together in melds, see `hand_melds`.
    melds_lie: where players lay melds, for which the table keeps room from the first deal on.
    deal_word: what players of this game call one distribution of cards and its play, "hand", "deal" or "game".
    strength_means: what `hand_strength` counts, in words.
    rules_version: raised when a change of rules would give old records another meaning.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    seats: ClassVar[tuple[int, ...]]
    options: ClassVar[tuple[Option, ...]]
    presets: ClassVar[Mapping[str, Options]] = {}
    rules_version: ClassVar[int] = 1
    proposals: ClassVar[bool] = False
    workbench: ClassVar[bool] = False
    has_hand_melds: ClassVar[bool] = False
    melds_lie: ClassVar[Literal["", "seats", "middle"]] = ""
    deal_word: ClassVar[str] = "hand"
    strength_means: ClassVar[str] = "the ranks of its cards added up, from ace 1 to king 13, a joker 0"

    @property
    def seats_in_words(self) -> str:
        """The allowed numbers of seats: "2", "2 to 5", "2 or 4"."""
        low, high = self.seats[0], self.seats[-1]
        if len(self.seats) > 2 and len(self.seats) == high - low + 1:
            return f"{low} to {high}"
        return " or ".join(map(str, self.seats))

    @abstractmethod
    def deck(self, options: Options) -> tuple[Card, ...]:
        """The cards that are shuffled for each hand, in pack order."""

    @abstractmethod
    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> StateT:
        """A game before its first hand. options: all of them, as `read_options` gives them."""

    def start(
        self,
        deals: Iterable[Sequence[Card]],
        *,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        dealer: int | None = None,
    ) -> StateT:
        """A new game, its first hand dealt.

        deals: yields the deck of each hand in dealing order, first card first.
        seats: the fewest that the game is played with if not given.
        dealer: the seat that deals first; the last seat if not given, so that seat 0 is at the dealer's left.
        :raises BadOption:
        """
        seats = self.seats[0] if seats is None else seats
        chosen = self.read_options(options, seats) if options else default_options(self, seats)
        state = self.undealt(Decks(deals), seats=seats, options=chosen, dealer=seats - 1 if dealer is None else dealer)
        state.deal_hand()
        return state

    @abstractmethod
    def parse(self, text: str) -> MoveT:
        """The move that a text means, in any order of its parts. :raises UnreadableMove:"""

    @abstractmethod
    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> StateT:
        """Any position, from `State.dump()` or written by hand: zones left out are empty, hands may be cut down.

        deals: yields the decks of the following hands; without it they are the numbered deals of `games.core.deals`.
        :raises ImpossiblePosition: unknown or doubled cards, zones that cannot be, a seat that does not exist.
        """

    @abstractmethod
    def dump(self, state: StateT) -> Position:
        """The whole position of a state as plain JSON types, in the form that `load` documents."""

    @abstractmethod
    def sample(self, view: ViewT, rng: Random) -> StateT:
        """A full state, drawn by `rng`, that this view cannot tell from the real one; `rng` deals later hands too."""

    @abstractmethod
    def show(self, end: HandEnd[StateT, MoveT]) -> Show:
        """The end of a hand as players see it and count it. It shows nothing that the rules keep hidden then."""

    def arrange(self, view: ViewT, groups: Sequence[Sequence[Card]]) -> MoveT:
        """The move that leaves these groups of cards on the table; for games with a `workbench`.

        groups: all melds of the table as the viewer wants it, legal or not, the cards of each in any order.
        What each group is, and where its jokers stand, is found so that the move is legal if that is possible.
        :raises UnreadableMove: a card is not in the pack.
        """
        raise UnreadableMove(f"{self.name} has no arrangements to propose.")

    def hand_melds(self, view: ViewT) -> Sequence[Sequence[Card]]:
        """The viewer's hand in melds, as good as it can be; () without a meld. Each has its cards in their order."""
        return ()

    def select(self, view: ViewT, cards: Sequence[Card]) -> MoveT:
        """The move that these marked cards of the pack make, in any order; for views with a `selection`.

        :raises UnreadableMove: the cards make no move, and the message says why.
        """
        raise UnreadableMove(f"{self.name} has no moves that are made by marking cards.")

    def readings(self, view: ViewT, cards: Sequence[Card]) -> Sequence[MoveT]:
        """Every move that these marked cards make, the likeliest first; for games in which that can be several.

        The first is that of `select`. :raises UnreadableMove: as `select`.
        """
        return (self.select(view, cards),)

    def read_selection(self, view: ViewT, texts: Sequence[str]) -> MoveT:
        """The move of marked cards as a form sends them, whatever was sent.

        :raises UnreadableMove: as `select`. :raises UnclearSelection: they make several moves.
        """
        cards = [text.upper() for text in texts]
        if not set(cards).issubset(self.deck(view.options)):
            raise UnreadableMove("One of these is not a card of this game. Choose your cards again.")
        moves = self.readings(view, cards)
        if len(moves) > 1:
            raise UnclearSelection([view.choice(move) for move in moves])
        return moves[0]

    def attempt(self, view: ViewT, picks: Sequence[str]) -> MoveT:
        """The move that a player to act most probably means by a selection, legal or not: `play` says what is wrong.

        picks: what was chosen on the table, first choice first: cards and zone ids that the view shows, each once, at
        least one. They are spelled as in `Choice.touches`; the touches of a legal move mean this move or another
        legal one. Without a game's own reading a selection means the offered move that touches just these.
        :raises UnreadableMove: no move can be meant; the message says what is missing, or what the cards are good for.
        """
        move = move_that_touches(view, picks)
        if move is not None:
            return cast(MoveT, move)
        choices = [view.choice(move) for move in view.offered]
        idle = [pick for pick in picks if not any(pick in choice.touches for choice in choices)]
        named = describe_picks(view, idle or picks)
        if idle:
            raise UnreadableMove(f"None of the moves you have now uses {named}.")
        raise UnreadableMove(f"No move you have now uses {named} together.")

    def sides(self, options: Options, seats: int) -> tuple[tuple[int, ...], ...]:
        """The seats that win and lose together, in the order of their first seats."""
        return tuple((seat,) for seat in range(seats))

    def has_several_deals(self, options: Options) -> bool:
        """A game goes on after its first deal, as a rule."""
        return True

    def fewer_is_better(self, options: Options) -> bool:
        """Points are penalties: the lowest score wins."""
        return False

    def counts_points(self, options: Options) -> bool:
        """Points mean something; without them a result only says who has won."""
        return True

    def merits(self, options: Options, scores: Sequence[int]) -> tuple[int, ...]:
        """Scores turned so that more is better."""
        return tuple(-score for score in scores) if self.fewer_is_better(options) else tuple(scores)

    def dated_options(self, day: int) -> Options:
        """The options that the calendar decides and no player. day: of the month, in UTC, on which a game starts."""
        return {}

    def hand_strength(self, hand: Sequence[Card]) -> int:
        """A number for the cards that a hand is dealt, for statistics; `strength_means` says what it counts."""
        return sum(RANK_INDEX.get(card[0], -1) + 1 for card in hand)

    @property
    def open_options(self) -> tuple[Option, ...]:
        """The options that players choose."""
        return tuple(option for option in self.options if option.name not in self.dated_options(1))

    def read_options(self, given: Mapping[str, object] | None, seats: int) -> dict[str, OptionValue]:
        """Every option with its value. `given` may hold values or their texts, and `preset`. :raises BadOption:"""
        if seats not in self.seats:
            allowed = ", ".join(map(str, self.seats))
            raise BadOption(f"{self.name} is played with {allowed} seats, not {seats}.")
        chosen = dict(given or {})
        preset = chosen.pop("preset", None)
        if preset is not None:
            if preset not in self.presets:
                raise BadOption(f"{self.name} has no preset {preset!r}.")
            chosen = {**self.presets[str(preset)], **chosen}
        by_name = {option.name: option for option in self.options}
        for name in chosen:
            if name not in by_name:
                raise BadOption(f"{self.name} has no option {name!r}.")
        values = {name: option.read(chosen.get(name, option.default)) for name, option in by_name.items()}
        for name, option in by_name.items():
            if option.seats and seats not in option.seats and values[name] != option.default:
                allowed = " or ".join(map(str, option.seats))
                raise BadOption(f"{option.label} needs {allowed} seats.")
        return values

    def refuse(self, rule: str, message: str) -> NoReturn:
        """Refuses a move by one of this game's rules, given by its short id."""
        raise IllegalMove(message, rule=f"{self.slug}:{rule}")

    def refuse_selection(self, rule: str, message: str) -> NoReturn:
        """Refuses a selection that means no move, by the rule that explains it. :raises UnreadableMove:"""
        raise UnreadableMove(message, rule=f"{self.slug}:{rule}")

    def refuse_turn(self, rule: str, message: str) -> NoReturn:
        """Refuses a move by a seat that is not to act, by the rule that says whose turn it is. :raises NotYourTurn:"""
        raise NotYourTurn(message, rule=f"{self.slug}:{rule}")


@cache
def default_options(game: Game[Any, Any, Any], seats: int) -> Options:
    """The default of every option, read once. :raises BadOption: the game is not played with so many seats."""
    return game.read_options(None, seats)
