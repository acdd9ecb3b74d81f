"""The state of Casino: dealing, legal moves and play."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NoReturn, Self

from games.core.captures import COMPLETE, Sums, division
from games.core.cards import Card, by_display
from games.core.contract import (
    Event,
    Game,
    HandResult,
    Move,
    NotYourTurn,
    Options,
    Outcome,
    Position,
    ScoreLine,
    State,
    Zone,
    open_zone,
    places,
)
from games.core.deals import Decks
from games.engines.casino.builds import Build
from games.engines.casino.moves import (
    FACES,
    HIGHEST_BUILD,
    PLACE,
    VALUES,
    Capture,
    CasinoMove,
    MakeBuild,
    NotOneCard,
    Sweep,
    Trail,
    Turn,
)
from games.engines.casino.scoring import (
    ACE_POINTS,
    BIG_CASINO,
    BIG_CASINO_POINTS,
    LEAST_POINTS_OF_A_HAND,
    LITTLE_CASINO,
    LITTLE_CASINO_POINTS,
    MOST_CARDS_POINTS,
    MOST_SPADES_POINTS,
    SWEEP_POINTS,
)
from games.engines.casino.view import CasinoView
from games.engines.casino.words import builds_in_words, told


class CasinoState(State):
    """Lists by seat or, for won piles, totals and sweeps, by side; a side is a seat or a partnership.

    stock: next card first. loose: oldest first. builds: by value. turns: those of this hand.
    record: what was done in the finished hands. last_taken: the cards of the last turn if it captured.
    sweep_cards: by side, the cards that made sweeps, face up on its pile where sweeps count.
    values: what a card counts in a set of several. alone: what it counts when it takes, when it is a set of its own
    and when it backs a build.
    """

    __slots__ = (
        "_decks", "_next_deck", "builds", "dealer", "game", "hand_number", "hands", "last_capturer",
        "last_taken", "loose", "options", "record", "results", "seats", "sides", "stock", "sweep_cards", "sweeps",
        "to_act", "totals", "turns", "won",
    )  # fmt: skip

    values: ClassVar[Mapping[Card, int]] = VALUES
    alone: ClassVar[Mapping[Card, int]] = VALUES
    complete: ClassVar[int] = COMPLETE
    highest_build: ClassVar[int] = HIGHEST_BUILD

    game: Game[Any, Any, Any]
    hands: list[list[Card]]
    stock: list[Card]
    loose: list[Card]
    builds: dict[int, Build]
    won: list[list[Card]]
    sweeps: list[int]
    sweep_cards: list[list[Card]]
    totals: list[int]
    turns: list[Turn]
    last_taken: tuple[Card, ...]
    last_capturer: int | None
    dealer: int
    hand_number: int
    record: tuple[Event, ...]
    results: tuple[HandResult, ...]

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        """A table before the first card; `deal_hand` begins."""
        self.game = game
        self.seats = seats
        self.options = options
        self.sides = 2 if options["partners"] else seats
        self.dealer = dealer
        self.totals = [0] * self.sides
        self.hand_number = 1
        self.results = ()
        self.record = ()
        self.to_act = ()
        self._decks = decks
        self._next_deck = 0
        self._clear_table()

    def _clear_table(self) -> None:
        self.hands = [[] for _ in range(self.seats)]
        self.stock, self.loose, self.builds = [], [], {}
        self.won = [[] for _ in range(self.sides)]
        self.sweeps = [0] * self.sides
        self.sweep_cards = [[] for _ in range(self.sides)]
        self.turns, self.last_taken, self.last_capturer = [], (), None

    def side(self, seat: int) -> int:
        return seat % self.sides

    # Dealing

    def deal_hand(self) -> None:
        """Two cards to each hand, two to the table after the last of the others, and all that once more."""
        self._clear_table()
        deck = self._decks[self._next_deck]
        self._next_deck += 1
        self.stock = list(deck)
        for _ in range(2):
            for seat in self._from_left_of_dealer():
                if seat == self.dealer:
                    self.loose += self._draw(2)
                self.hands[seat] += self._draw(2)
        self._give_turn(after=self.dealer)

    def _deal_again(self) -> None:
        for _ in range(2):
            for seat in self._from_left_of_dealer():
                self.hands[seat] += self._draw(2)

    def _from_left_of_dealer(self) -> list[int]:
        return [(self.dealer + step) % self.seats for step in range(1, self.seats + 1)]

    def _draw(self, count: int) -> list[Card]:
        cards = self.stock[:count]
        del self.stock[:count]
        return cards

    # Moves that are legal

    def legal_moves(self, seat: int) -> list[CasinoMove]:
        """All legal moves, up to `complete` loose number cards.

        On a more crowded table, which only players who refuse to capture can reach, captures and builds are a
        selection with maximal ones among them; `play` accepts the others all the same.
        """
        if seat not in self.to_act:
            return []
        hand = sorted(self.hands[seat], key=PLACE.__getitem__)
        loose = sorted(self.loose, key=PLACE.__getitem__)
        sums = self.sums(loose)
        may_trail = not self._forbids_trailing(seat)
        owed = self._controlled(seat)
        moves: list[CasinoMove] = []
        for card in hand:
            rest = {self.alone[other] for other in hand if other != card and other in self.values}
            found: list[CasinoMove] = [Trail(card)] if may_trail else []
            found += self._captures(card, sums)
            found += self._makeable_builds(card, rest, sums)
            moves += found if rest.issuperset(owed) else [move for move in found if not self._unkept(seat, move)]
        return moves

    @classmethod
    def sums(cls, loose: Iterable[Card]) -> Sums:
        """What the number cards among these add up to."""
        cards = [card for card in loose if card in cls.values]
        return Sums(cards, cls.values, cls.highest_build, alone=cls.alone, complete=cls.complete)

    def _captures(self, card: Card, sums: Sums) -> Iterator[Capture]:
        value = self.alone.get(card)
        if value is None:
            return self._face_captures(card)
        return self._number_captures(card, value, sums)

    def _face_captures(self, card: Card) -> Iterator[Capture]:
        equal = [other for other in by_display(self.loose) if other[0] == card[0]]
        if self.options["face_capture"] == "one":
            return (Capture(card, (other,)) for other in equal)
        choices = range(1, 1 << len(equal))
        return (Capture(card, tuple(c for i, c in enumerate(equal) if mask >> i & 1)) for mask in choices)

    def _number_captures(self, card: Card, value: int, sums: Sums) -> Iterator[Capture]:
        for union in sums.unions(value):
            loose = sums.pick(union)
            if union:
                yield Capture(card, loose)
            if value in self.builds:
                yield Capture(card, loose, (value,))

    def _makeable_builds(self, card: Card, rest: Iterable[int], sums: Sums) -> Iterator[MakeBuild]:
        """Builds with `card` for each value of the cards that stay in the hand."""
        played = self.values.get(card)
        if played is None:
            return
        for value in sorted(rest):
            joined = (value,) if value in self.builds else ()
            for union in self._built_with(card, value, sums):
                if union or joined:
                    yield MakeBuild(card, value, sums.pick(union), joined)
            raised = self.builds.get(value - played)
            if raised and raised.is_single:
                for union in sums.unions(value):
                    yield MakeBuild(card, value, sums.pick(union), (raised.value, *joined))

    def _built_with(self, card: Card, value: int, sums: Sums) -> list[int]:
        """Groups of loose cards that go into a build of `value` together with the card played, ascending."""
        unions = sums.unions(value)
        firsts = sums.offers(value - self.values[card])
        if self.alone[card] == value:
            firsts = [0, *firsts]
        return sorted({first | more for first in firsts for more in unions if not first & more})

    # Duties of a builder

    def _controlled(self, seat: int) -> list[int]:
        return [build.value for build in self.builds.values() if build.controller == seat]

    def _forbids_trailing(self, seat: int) -> bool:
        return self.options["trail_with_build"] == "forbidden" and bool(self._controlled(seat))

    def _unkept(self, seat: int, move: CasinoMove) -> list[int]:
        """Values of builds that the seat would still control after the move without a card to take them."""
        assert not isinstance(move, NotOneCard)
        owed = self._controlled(seat)
        if not owed:
            return []
        given_up = () if isinstance(move, Trail) else move.builds
        held = {self.alone.get(card) for card in self.hands[seat] if card != move.card}
        return [value for value in owed if value not in given_up and value not in held]

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_out_of_turn()
        match move:
            case Trail():
                self._check_card(seat, move.card)
                self._check_trail(seat, move)
                self._trail(seat, move)
            case Capture():
                self._check_card(seat, move.card)
                self._check_capture(seat, move)
                move = self._capture(seat, move)
            case MakeBuild():
                self._check_card(seat, move.card)
                move = self._with_joined_build(move)
                self._check_build(seat, move)
                self._build(seat, move)
            case NotOneCard():
                self._refuse("one-card", "Play exactly one card of your hand; it captures, builds or trails.")
            case _:
                raise TypeError(f"not a move of Casino: {move!r}")
        self.turns.append((seat, move))
        self._give_turn(after=seat)

    def _trail(self, seat: int, move: Trail) -> None:
        self.hands[seat].remove(move.card)
        self.loose.append(move.card)
        self.last_taken = ()

    def _capture(self, seat: int, move: Capture) -> Capture:
        """Plays a capture and returns it as it is recorded."""
        self.hands[seat].remove(move.card)
        self.loose = [card for card in self.loose if card not in move.loose]
        taken = [move.card, *move.loose]
        for value in move.builds:
            taken += self.builds.pop(value).cards
        self.won[self.side(seat)] += taken
        self.last_taken = tuple(taken)
        self.last_capturer = seat
        if not self._is_sweep():
            return move
        self.sweeps[self.side(seat)] += 1
        if self.options["sweeps"] == "off":
            return move
        self.sweep_cards[self.side(seat)].append(move.card)
        return Sweep(move.card, move.loose, move.builds)

    def _is_sweep(self) -> bool:
        """Whether the capture just made has taken everything on the table."""
        return not self.loose and not self.builds

    def _build(self, seat: int, move: MakeBuild) -> None:
        self.hands[seat].remove(move.card)
        self.loose = [card for card in self.loose if card not in move.loose]
        sets: list[tuple[Card, ...]] = []
        if move.value in move.builds:
            sets += self.builds.pop(move.value).sets
        for value in move.raised:
            sets.append((*self.builds.pop(value).cards, move.card))
        built = move.loose if move.raised else by_display([move.card, *move.loose])
        sets += self.division(built, move.value) or []
        self.builds[move.value] = Build(move.value, tuple(sets), seat)
        self.last_taken = ()

    @classmethod
    def division(cls, cards: Sequence[Card], value: int) -> list[tuple[Card, ...]] | None:
        """All cards in sets worth `value`; None when they cannot be divided like that."""
        single = [card for card in cards if cls.alone[card] == value != cls.values[card]]
        for count in range(len(single), -1, -1):
            rest = [card for card in cards if card not in single[:count]]
            sets = division(rest, cls.values, value)
            if sets is not None:
                return [*((card,) for card in single[:count]), *sets]
        return None

    def set_value(self, cards: Sequence[Card]) -> int:
        """What a set is worth, 0 if a card without value is in it."""
        if any(card not in self.values for card in cards):
            return 0
        return self.alone[cards[0]] if len(cards) == 1 else sum(self.values[card] for card in cards)

    def _with_joined_build(self, move: MakeBuild) -> MakeBuild:
        """Builds of one value merge by themselves: the older one is part of the move even if not named.

        It stays the last of the items, because a build is raised from a lower value.
        """
        if move.value in self.builds and move.value not in move.builds:
            return MakeBuild(move.card, move.value, move.loose, (*move.builds, move.value))
        return move

    def _give_turn(self, after: int) -> None:
        """The next seat with a card; when nobody has one, the dealer deals again or the hand ends."""
        if not any(self.hands):
            if not self.stock:
                return self._end_hand()
            self._deal_again()
            after = self.dealer
        order = [(after + step) % self.seats for step in range(1, self.seats + 1)]
        self.to_act = (next(seat for seat in order if self.hands[seat]),)

    # Refusals, in the order in which the rules are tested

    def _refuse(self, rule: str, message: str) -> NoReturn:
        self.game.refuse(rule, message)

    def _refuse_out_of_turn(self) -> NoReturn:
        message = "It is another player's turn; yours will come." if self.to_act else "The game is over."
        raise NotYourTurn(message, rule=f"{self.game.slug}:turn-order")

    def _check_card(self, seat: int, card: Card) -> None:
        if card not in self.hands[seat]:
            hand = " ".join(by_display(self.hands[seat]))
            self._refuse("one-card", f"{card} is not in your hand; play one of {hand}.")

    def _check_trail(self, seat: int, move: Trail) -> None:
        if self._forbids_trailing(seat):
            self._refuse(
                "no-trail-with-build",
                f"You control {builds_in_words(self._controlled(seat))}, so you may not trail: "
                "capture something, make a build or add to one.",
            )
        self._check_kept(seat, move)

    def _check_capture(self, seat: int, move: Capture) -> None:
        if not move.loose and not move.builds:
            self._refuse("capture-min", f"Choose at least one card or build that {move.card} takes.")
        self._check_items(move.loose, move.builds)
        if move.card in self.values:
            self._check_number_capture(move, self.alone[move.card])
        else:
            self._check_face_capture(move)
        self._check_kept(seat, move)

    def _check_items(self, loose: Iterable[Card], builds: Iterable[int]) -> None:
        for card in loose:
            for build in self.builds.values():
                if card in build.cards:
                    self._refuse(
                        "build-unit",
                        f"{card} is inside the build of {build.value}, which is only taken or added to "
                        f"as a whole: choose [{build.value}].",
                    )
            if card not in self.loose:
                lying = f"choose from {' '.join(by_display(self.loose))}" if self.loose else "none lies there now"
                self._refuse("build-unit", f"{card} is not a loose card on the table; {lying}.")
        for value in builds:
            if value not in self.builds:
                lying = f"only {builds_in_words(sorted(self.builds))}" if self.builds else "no build at all"
                self._refuse("build-unit", f"There is no build of {value}; the table has {lying}.")

    def _check_face_capture(self, move: Capture) -> None:
        face = FACES[move.card[0]]
        if move.builds or any(card[0] != move.card[0] for card in move.loose):
            self._refuse("capture-face", f"{move.card} only takes another {face} that lies loose on the table.")
        if len(move.loose) > 1 and self.options["face_capture"] == "one":
            self._refuse("capture-face-one", f"A face card takes exactly one card: choose one {face}.")
        self._check_named_once("capture-sum", move)

    def _check_number_capture(self, move: Capture, value: int) -> None:
        for card in move.loose:
            if card not in self.values:
                self._refuse(
                    "capture-face",
                    f"{card} has no number value and is only taken by another {FACES[card[0]]}; "
                    f"{move.card} takes number cards that add up to {value}.",
                )
        for build in move.builds:
            if build != value:
                self._refuse(
                    "capture-build",
                    f"The build of {build} is only taken by a card worth {build}; "
                    f"{move.card} takes cards, sets and a build worth {value}."
                    f"{self._reminder([move.card, *self._worth(build)])}",
                )
        self._check_named_once("capture-sum", move)
        if self.division(move.loose, value) is None:
            self._refuse(
                "capture-sum",
                f"{move.card} takes cards worth {value} and sets that add up to {value}, each card once; "
                f"{' '.join(move.loose)} cannot be divided like that.{self._reminder((move.card, *move.loose))}",
            )

    def _worth(self, value: int) -> list[Card]:
        """The cards that take a build of this value."""
        return [card for card in self.alone if self.alone[card] == value]

    def _reminder(self, cards: Iterable[Card]) -> str:
        """A sentence about cards whose values are easily forgotten."""
        return ""

    def _check_named_once(self, rule: str, move: Capture | MakeBuild) -> None:
        for items in (move.loose, move.builds):
            if len(set(items)) < len(items):
                self._refuse(rule, "A card or a build counts once in a play; name each of them once.")

    def _check_build(self, seat: int, move: MakeBuild) -> None:
        self._check_items(move.loose, move.builds)
        for card in (move.card, *move.loose):
            if card not in self.values:
                advice = "capture with it or trail it" if card == move.card else "leave it out"
                self._refuse("build-numbers-only", f"Builds are made of number cards and {card} is none: {advice}.")
        if not any(self.alone.get(card) == move.value for card in self.hands[seat] if card != move.card):
            self._refuse(
                "build-hold",
                f"To build {move.value} you must keep a card worth {move.value} in your hand; "
                f"build a value that you keep, or use {move.card} in another way."
                f"{self._reminder([move.card, *self._worth(move.value)])}",
            )
        self._check_raise(move)
        self._check_sets(move)
        self._check_kept(seat, move)

    def _check_raise(self, move: MakeBuild) -> None:
        for value in move.raised:
            if not self.builds[value].is_single:
                self._refuse(
                    "build-raise-multiple",
                    f"The build of {value} has several sets, so its value is fixed: take it or add sets of {value}.",
                )
        risen = [value + self.values[move.card] for value in move.raised]
        if risen and risen != [move.value]:
            self._refuse_raise(move.card, move.raised[0], risen[0])

    def _refuse_raise(self, card: Card, value: int, risen: int) -> NoReturn:
        becomes = f"a build of {risen}" if risen <= self.highest_build else "too high a build; leave it as it is"
        self._refuse(
            "build-raise-exact",
            f"Only the card from your hand raises a build: {card} would make the build of {value} {becomes}."
            f"{self._reminder([card])}",
        )

    def _check_sets(self, move: MakeBuild) -> None:
        if not move.loose and not move.builds:
            self._refuse("build-min", f"A build has at least two cards: choose what to put together with {move.card}.")
        self._check_named_once("build-sets", move)
        built = move.loose if move.raised else (move.card, *move.loose)
        if self.division(built, move.value) is None:
            self._refuse(
                "build-sets",
                f"All cards of this build must be worth {move.value} or add up to it in sets, each card "
                f"once; {' '.join(built)} cannot be divided like that.{self._reminder(built)}",
            )

    def _check_kept(self, seat: int, move: CasinoMove) -> None:
        unkept = self._unkept(seat, move)
        if unkept:
            self._refuse(
                "keep-capture-card",
                f"You control the build of {unkept[0]} and need a card worth {unkept[0]} to take it: "
                f"play another card, or take the build now.{self._reminder(self._worth(unkept[0]))}",
            )

    # The end of a hand

    def _end_hand(self) -> None:
        left = [*self.loose, *(card for build in self.builds.values() for card in build.cards)]
        unclaimed: list[Card] = []
        if self.last_capturer is None:
            unclaimed = left
        else:
            self.won[self.side(self.last_capturer)] += left
        result = self._result(left, unclaimed)
        self.results = (*self.results, result)
        self.totals = [total + result.points[side] for side, total in enumerate(self.totals)]
        self.record += tuple(told(turn) for turn in self.turns)
        self.loose, self.builds = unclaimed, {}
        self.to_act = ()
        if not self._winners():
            self.dealer = (self.dealer + 1) % self.seats
            self.hand_number += 1
            self.deal_hand()

    def _result(self, left: Sequence[Card], unclaimed: Sequence[Card]) -> HandResult:
        """The score of the won piles. left: cards on the table at the end; unclaimed: if nobody gets them."""
        lines = (*self._leftover_lines(left), *self._lines())
        by_side = [sum(line.points for line in lines if side in line.seats) for side in range(self.sides)]
        summary = ", ".join(f"{self._name(side)} {points}" for side, points in enumerate(by_side))
        zones = [self._won_zone(side) for side in range(self.sides)]
        if unclaimed:
            zones.append(open_zone("unclaimed", "row", "Left on the table for nobody", by_display(unclaimed)))
        points = tuple(by_side[self.side(seat)] for seat in range(self.seats))
        return HandResult(self.hand_number, f"This hand: {summary}.", points, lines, tuple(zones))

    def _won_zone(self, side: int) -> Zone:
        return open_zone(f"won:{side}", "pile", f"Won by {self._name(side)}", by_display(self.won[side]), owner=side)

    def _leftover_lines(self, left: Sequence[Card]) -> Iterator[ScoreLine]:
        if not left:
            return
        cards = " ".join(by_display(left))
        if self.last_capturer is None:
            yield self._line(None, "last-capture", f"Nobody captured, so nobody gets what is left: {cards}", 0)
        else:
            side = self.side(self.last_capturer)
            yield self._line(side, "last-capture", f"Last to capture, takes what is left: {cards}", 0)

    def _lines(self) -> Iterator[ScoreLine]:
        """What scores, in the order in which it is counted out."""
        yield self._most("score-cards", "cards", [len(won) for won in self.won], MOST_CARDS_POINTS)
        spades = [sum(card[1] == "S" for card in won) for won in self.won]
        yield self._most("score-spades", "spades", spades, MOST_SPADES_POINTS)
        yield from self._honour("score-big", "Big casino", BIG_CASINO, BIG_CASINO_POINTS)
        yield from self._honour("score-little", "Little casino", LITTLE_CASINO, LITTLE_CASINO_POINTS)
        for ace in ("AS", "AH", "AC", "AD"):
            yield from self._honour("score-aces", "Ace", ace, ACE_POINTS)
        yield from self._sweep_lines()

    def _sweep_lines(self) -> Iterator[ScoreLine]:
        if self.options["sweeps"] == "each":
            for side, sweeps in enumerate(self.sweeps):
                if sweeps:
                    yield self._line(side, "sweep", f"Sweeps: {sweeps}", sweeps * SWEEP_POINTS)

    def _most(self, rule: str, what: str, counts: Sequence[int], points: int) -> ScoreLine:
        best = max(counts)
        if counts.count(best) > 1:
            tie = rule if self.sides == 2 else "score-tie-many"
            return self._line(None, tie, f"Most {what}: shared with {best} each, nobody scores", 0)
        return self._line(counts.index(best), rule, f"Most {what}: {best}", points)

    def _honour(self, rule: str, name: str, card: Card, points: int) -> Iterator[ScoreLine]:
        for side, won in enumerate(self.won):
            if card in won:
                yield self._line(side, rule, f"{name}: {card}", points)

    def _line(self, side: int | None, rule: str, text: str, points: int) -> ScoreLine:
        return ScoreLine(self._seats_of(side), f"{self.game.slug}:{rule}", text, points)

    def _seats_of(self, side: int | None) -> tuple[int, ...]:
        return () if side is None else tuple(range(side, self.seats, self.sides))

    def _name(self, side: int) -> str:
        return " and ".join(f"@{seat}" for seat in self._seats_of(side))

    # The end of the game

    @property
    def hand_cap(self) -> int:
        """The number of the last hand that is played, whatever the totals are."""
        return -(-(self._target - 1) * self.sides // LEAST_POINTS_OF_A_HAND) + 8

    @property
    def _target(self) -> int:
        return int(self.options["target"])

    def _winners(self) -> list[int]:
        """The winning sides after a hand, [] if another one is needed; several only after the last hand."""
        winner = self._winner_by_target()
        if winner is not None:
            return [winner]
        return self._leaders() if self.hand_number >= self.hand_cap else []

    def _leaders(self) -> list[int]:
        best = max(self.totals)
        return [side for side, total in enumerate(self.totals) if total == best]

    def _winner_by_target(self) -> int | None:
        """The side that won with these totals; None when the target is not reached, or shared at the top."""
        leaders = self._leaders()
        if self.totals[leaders[0]] < self._target:
            return None
        if self.options["end"] == "count-out":
            leaders = self._first_to_target() or leaders
        return leaders[0] if len(leaders) == 1 else None

    def _first_to_target(self) -> list[int]:
        """The side that reached the target first when the last hand is counted line by line, if any."""
        if not self.results:
            return []
        last = self.results[-1]
        running = [total - last.points[side] for side, total in enumerate(self.totals)]
        if max(running) >= self._target:
            return []
        for line in last.lines:
            for side in range(self.sides):
                if side in line.seats:
                    running[side] += line.points
                    if running[side] >= self._target:
                        return [side]
        return []

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        winners = self._winners()
        scores = self._scores()
        # A side that counted out stands before sides with more points.
        standing = [score + (self.side(seat) in winners) * max(scores) for seat, score in enumerate(scores)]
        return Outcome(scores, places(standing), self._reason(winners))

    def _reason(self, winners: Sequence[int]) -> str:
        points = self.totals[winners[0]]
        names = " and ".join(self._name(side) for side in winners)
        if points < self._target or len(winners) > 1:
            return f"Hand {self.hand_cap} was the last one: {names} had the highest total, {points} points."
        if self._leaders() != winners:
            return f"{names} reached {self._target} points first when the hand was counted."
        return f"{names} won with {points} points; the target is {self._target}."

    def _scores(self) -> tuple[int, ...]:
        return tuple([self.totals[self.side(seat)] for seat in range(self.seats)])

    # What others see of it

    def view(self, seat: int | None) -> "CasinoView":
        turns = self._visible_turns()
        return CasinoView(
            seat=seat,
            seats=self.seats,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=self._scores(),
            log=self.record + tuple([told(turn) for turn in turns]),
            results=self.results,
            sides=self.sides,
            hand=() if seat is None else tuple(by_display(self.hands[seat])),
            hand_counts=tuple([len(hand) for hand in self.hands]),
            stock_count=len(self.stock),
            loose=tuple(self.loose),
            builds=tuple([self.builds[value] for value in sorted(self.builds)]),
            won_counts=tuple([len(won) for won in self.won]),
            sweeps=tuple(self.sweeps),
            sweep_cards=tuple(map(tuple, self.sweep_cards)),
            dealer=self.dealer,
            last_capturer=self.last_capturer,
            hand_number=self.hand_number,
            turns=turns,
            last_taken=self.last_taken,
        )

    def _visible_turns(self) -> tuple[Turn, ...]:
        """The previous turn of each seat, while the hand lasts."""
        if not self.to_act:
            return ()
        recent = self.turns[-self.seats :]
        later = [{seat for seat, _ in recent[index + 1 :]} for index in range(len(recent))]
        return tuple([turn for turn, after in zip(recent, later, strict=True) if turn[0] not in after])

    def cards(self) -> list[Card]:
        built = [card for build in self.builds.values() for card in build.cards]
        piles = [*self.hands, *self.won]
        return [*self.stock, *self.loose, *built, *(card for pile in piles for card in pile)]

    def copy(self) -> Self:
        other = object.__new__(type(self))
        for name in CasinoState.__slots__:
            setattr(other, name, getattr(self, name))
        other.hands = [hand[:] for hand in self.hands]
        other.won = [won[:] for won in self.won]
        other.stock = self.stock[:]
        other.loose = self.loose[:]
        other.builds = self.builds.copy()
        other.sweeps = self.sweeps[:]
        other.sweep_cards = [cards[:] for cards in self.sweep_cards]
        other.turns = self.turns[:]
        return other

    def dump(self) -> Position:
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "dealer": self.dealer,
            "hand": self.hand_number,
            "to_move": self.to_act[0] if self.to_act else None,
            "hands": [list(hand) for hand in self.hands],
            "stock": list(self.stock),
            "loose": list(self.loose),
            "builds": [
                {
                    "value": build.value,
                    "sets": [list(cards) for cards in build.sets],
                    "controller": build.controller,
                }
                for _, build in sorted(self.builds.items())
            ],
            "won": [list(won) for won in self.won],
            "last_taken": list(self.last_taken),
            "last_capturer": self.last_capturer,
            "sweeps": list(self.sweeps),
            "sweep_cards": [list(cards) for cards in self.sweep_cards],
            "totals": list(self.totals),
            "turns": [[seat, str(move)] for seat, move in self.turns],
        }
