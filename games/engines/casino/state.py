"""The state of Casino: dealing, legal moves, play, and the rules that a move is tested by."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from games.core.captures import Sums
from games.core.cards import Card, by_display
from games.core.contract import Event, Game, HandResult, Move, Options, Outcome, places
from games.core.deals import Decks
from games.core.dealt import DealtState
from games.engines.casino import scoring, words
from games.engines.casino.builds import CASINO_VALUES, Build, CardValues
from games.engines.casino.moves import PLACE, Capture, CardPlay, CasinoMove, MakeBuild, NotOneCard, Sweep, Trail, Turn
from games.engines.casino.view import CasinoView


class CasinoState(DealtState):
    """A game of Casino. Lists are by seat or, for won piles, scores and sweeps, by side: a seat or a partnership.

    stock: next card first. loose: oldest first. builds: by value. turns: those of this hand.
    log: what was done in the finished hands. last_taken: the cards of the last turn if it captured.
    sweep_cards: by side, the cards that made sweeps, face up on its pile where sweeps count.
    """

    __slots__ = (
        "builds", "hands", "last_capturer", "last_taken", "log", "loose", "sides", "stock", "sweep_cards", "sweeps",
        "turns", "won",
    )  # fmt: skip

    PUBLIC = (*DealtState.PUBLIC, "sides", "deal_number", "last_taken", "last_capturer")

    card_values: ClassVar[CardValues] = CASINO_VALUES
    count_class: ClassVar[type[scoring.HandCount]] = scoring.HandCount

    sides: int
    hands: list[list[Card]]
    stock: list[Card]
    loose: list[Card]
    builds: dict[int, Build]
    won: list[list[Card]]
    sweeps: list[int]
    sweep_cards: list[list[Card]]
    turns: list[Turn]
    last_taken: tuple[Card, ...]
    last_capturer: int | None
    log: tuple[Event, ...]

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        self.sides = 2 if options["partners"] else seats
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)
        self.scores = [0] * self.sides
        self.log = ()

    def clear_table(self) -> None:
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
        self.clear_table()
        self.stock = list(self.next_deck())
        for _ in range(2):
            for seat in self.seats_after(self.dealer):
                if seat == self.dealer:
                    self.loose += self._draw(2)
                self.hands[seat] += self._draw(2)
        self.give_turn(after=self.dealer)

    def _deal_again(self) -> None:
        for _ in range(2):
            for seat in self.seats_after(self.dealer):
                self.hands[seat] += self._draw(2)

    def _draw(self, count: int) -> list[Card]:
        cards = self.stock[:count]
        del self.stock[:count]
        return cards

    def give_turn(self, after: int) -> None:
        """The next seat with a card; when nobody has one, the dealer deals again or the hand ends."""
        if not any(self.hands):
            if not self.stock:
                return self.end_hand()
            self._deal_again()
            after = self.dealer
        self.to_act = (next(seat for seat in self.seats_after(after) if self.hands[seat]),)

    # Legal moves

    def legal_moves(self, seat: int) -> list[CasinoMove]:
        """All legal moves, up to `complete` loose number cards.

        On a more crowded table, which only players who refuse to capture can reach, captures and builds are a
        selection with maximal ones among them; `play` accepts the others all the same.
        """
        if seat not in self.to_act:
            return []
        alone = self.card_values.alone
        hand = sorted(self.hands[seat], key=PLACE.__getitem__)
        sums = self.card_values.sums(sorted(self.loose, key=PLACE.__getitem__))
        may_trail = not self._forbids_trailing(seat)
        owed = self.controlled(seat)
        moves: list[CasinoMove] = []
        for card in hand:
            rest = {alone[other] for other in hand if other != card and other in alone}
            found: list[CardPlay] = [Trail(card)] if may_trail else []
            found += self.captures_with(card, sums)
            found += self._builds_with(card, rest, sums)
            moves += found if rest.issuperset(owed) else [move for move in found if not self._unkept(seat, move)]
        return moves

    def captures_with(self, card: Card, sums: Sums) -> Iterator[Capture]:
        value = self.card_values.alone.get(card)
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

    def _builds_with(self, card: Card, rest: Iterable[int], sums: Sums) -> Iterator[MakeBuild]:
        """Builds with `card` for each value of the cards that stay in the hand."""
        played = self.card_values.in_sets.get(card)
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
        firsts = sums.offers(value - self.card_values.in_sets[card])
        if self.card_values.alone[card] == value:
            firsts = [0, *firsts]
        return sorted({first | more for first in firsts for more in unions if not first & more})

    # Duties of a builder

    def controlled(self, seat: int) -> list[int]:
        """The values of the seat's builds."""
        return [build.value for build in self.builds.values() if build.controller == seat]

    def _forbids_trailing(self, seat: int) -> bool:
        return self.options["trail_with_build"] == "forbidden" and bool(self.controlled(seat))

    def _unkept(self, seat: int, move: CardPlay) -> list[int]:
        """Values of builds that the seat would still control after the move without a card to take them."""
        owed = self.controlled(seat)
        if not owed:
            return []
        given_up = () if isinstance(move, Trail) else move.builds
        held = {self.card_values.alone.get(card) for card in self.hands[seat] if card != move.card}
        return [value for value in owed if value not in given_up and value not in held]

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self.game.refuse_turn("turn-order", words.not_your_turn(is_over=not self.to_act))
        self.play_card(seat, move)
        self.give_turn(after=seat)

    def play_card(self, seat: int, move: Move) -> None:
        """Plays the move of the seat to act; the turn does not pass yet. :raises IllegalMove:"""
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
                self.refuse("one-card", "Play exactly one card from your hand.")
            case _:
                raise TypeError(f"not a move of Casino: {move!r}")
        self.turns.append((seat, move))

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
        if self.options["sweeps"] == "off" or not self.is_sweep():
            return move
        self.sweeps[self.side(seat)] += 1
        self.sweep_cards[self.side(seat)].append(move.card)
        return Sweep(move.card, move.loose, move.builds)

    def is_sweep(self) -> bool:
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
        sets += self.card_values.division(built, move.value) or []
        self.builds[move.value] = Build(move.value, tuple(sets), seat)
        self.last_taken = ()

    def _with_joined_build(self, move: MakeBuild) -> MakeBuild:
        """Builds of one value merge by themselves: the older one is part of the move even if not named.

        It stays the last of the items, because a build is raised from a lower value.
        """
        if move.value in self.builds and move.value not in move.builds:
            return MakeBuild(move.card, move.value, move.loose, (*move.builds, move.value))
        return move

    # What a move is tested by, in the order of the rules

    def _check_card(self, seat: int, card: Card) -> None:
        if card not in self.hands[seat]:
            self.refuse("one-card", words.not_in_hand(card, self.hands[seat]))

    def _check_trail(self, seat: int, move: Trail) -> None:
        if self._forbids_trailing(seat):
            self.refuse("no-trail-with-build", words.may_not_trail(self.controlled(seat)))
        self._check_kept(seat, move)

    def _check_capture(self, seat: int, move: Capture) -> None:
        if not move.loose and not move.builds:
            self.refuse("capture-min", f"Choose at least one card or build for {move.card} to take.")
        self._check_items(move.loose, move.builds)
        value = self.card_values.alone.get(move.card)
        if value is None:
            self._check_face_capture(move)
        else:
            self.check_number_capture(move, value)
        self._check_kept(seat, move)

    def _check_items(self, loose: Iterable[Card], builds: Iterable[int]) -> None:
        for card in loose:
            for build in self.builds.values():
                if card in build.cards:
                    self.refuse("build-unit", words.inside_build(card, build.value))
            if card not in self.loose:
                self.refuse("build-unit", words.not_loose(card, self.loose))
        for value in builds:
            if value not in self.builds:
                self.refuse("build-unit", words.no_such_build(value, self.builds))

    def _check_face_capture(self, move: Capture) -> None:
        if move.builds or any(card[0] != move.card[0] for card in move.loose):
            self.refuse("capture-face", words.face_takes_face(move.card))
        if len(move.loose) > 1 and self.options["face_capture"] == "one":
            self.refuse("capture-face-one", words.face_takes_one(move.card))
        self._check_named_once("capture-sum", move)

    def check_number_capture(self, move: Capture, value: int) -> None:
        for card in move.loose:
            if card not in self.card_values.alone:
                self.refuse("capture-face", words.number_takes_no_face(move.card, card, value))
        for build in move.builds:
            if build != value:
                reminder = self.reminder([move.card, *self.card_values.takers(build)])
                self.refuse("capture-build", words.takes_other_builds(move.card, build, value) + reminder)
        self._check_named_once("capture-sum", move)
        if self.card_values.division(move.loose, value) is None:
            why = words.capture_does_not_add_up(move.card, move.loose, value, self._one_sum(move.loose, value))
            self.refuse("capture-sum", why + self.reminder((move.card, *move.loose)))

    def _one_sum(self, loose: Sequence[Card], value: int) -> int:
        """What loose cards add up to that can only be one set for `value`, 0 if they can be several."""
        total = sum(self.card_values.in_sets[card] for card in loose)
        has_equal = any(self.card_values.alone[card] == value for card in loose)
        is_one_set = len(loose) == 1 or total < 2 * value
        return total if is_one_set and not has_equal else 0

    def reminder(self, cards: Iterable[Card]) -> str:
        """A sentence about cards whose values are easily forgotten."""
        return ""

    def _check_named_once(self, rule: str, move: Capture | MakeBuild) -> None:
        for items in (move.loose, move.builds):
            if len(set(items)) < len(items):
                self.refuse(rule, "A card or a build counts once in a play. Name each of them once.")

    def _check_build(self, seat: int, move: MakeBuild) -> None:
        alone = self.card_values.alone
        self._check_items(move.loose, move.builds)
        for card in (move.card, *move.loose):
            if card not in alone:
                self.refuse("build-numbers-only", words.no_number_card(card, is_played=card == move.card))
        if not any(alone.get(card) == move.value for card in self.hands[seat] if card != move.card):
            reminder = self.reminder([move.card, *self.card_values.takers(move.value)])
            self.refuse("build-hold", words.build_needs_its_card(move.value, move.card) + reminder)
        self._check_raise(move)
        self._check_sets(move)
        self._check_kept(seat, move)

    def _check_raise(self, move: MakeBuild) -> None:
        for value in move.raised:
            if not self.builds[value].is_single:
                self.refuse("build-raise-multiple", words.value_is_fixed(value))
        risen = [value + self.card_values.in_sets[move.card] for value in move.raised]
        if risen and risen != [move.value]:
            why = words.only_a_card_raises(move.card, move.raised[0], risen[0], self.card_values.highest)
            self.refuse("build-raise-exact", why + self.reminder([move.card]))

    def _check_sets(self, move: MakeBuild) -> None:
        if not move.loose and not move.builds:
            self.refuse("build-min", f"A build has at least two cards. Choose what to put together with {move.card}.")
        self._check_named_once("build-sets", move)
        built = move.loose if move.raised else (move.card, *move.loose)
        if self.card_values.division(built, move.value) is None:
            self.refuse("build-sets", words.build_does_not_add_up(built, move.value) + self.reminder(built))

    def _check_kept(self, seat: int, move: CardPlay) -> None:
        unkept = self._unkept(seat, move)
        if unkept:
            reminder = self.reminder(self.card_values.takers(unkept[0]))
            self.refuse("keep-capture-card", words.must_keep(unkept[0]) + reminder)

    # The end of a hand and of the game

    def end_hand(self) -> None:
        left = [*self.loose, *(card for build in self.builds.values() for card in build.cards)]
        unclaimed: list[Card] = []
        if self.last_capturer is None:
            unclaimed = left
        else:
            self.won[self.side(self.last_capturer)] += left
        result = self.hand_result(left, unclaimed)
        self.results = (*self.results, result)
        self.scores = [score + result.points[side] for side, score in enumerate(self.scores)]
        self.log += (*map(words.turn_event, self.turns), words.end_event(result))
        self.loose, self.builds = unclaimed, {}
        self.to_act = ()
        if not self.winners():
            self.dealer = self.seat_after(self.dealer)
            self.deal_number += 1
            self.deal_hand()

    def hand_result(self, left: Sequence[Card], unclaimed: Sequence[Card]) -> HandResult:
        """The score of the won piles. left: cards on the table at the end; unclaimed: if nobody gets them."""
        sweep_option = str(self.options["sweeps"])
        count = self.count_class(self.game.slug, self.seats, self.sides, self.won, self.sweeps, sweep_option)
        return count.result(self.deal_number, left=left, last_capturer=self.last_capturer, unclaimed=unclaimed)

    @property
    def hand_cap(self) -> int:
        """The number of the last hand that is played, whatever the scores are."""
        return scoring.last_hand(int(self.options["target"]), self.sides)

    def is_decided(self) -> bool:
        """Whether one side has won by its points."""
        return scoring.winner_by_target(self.scores, self.options, self.results) is not None

    def winners(self) -> list[int]:
        """The winning sides after a hand, [] if another one is needed; several only after the last hand."""
        winner = scoring.winner_by_target(self.scores, self.options, self.results)
        if winner is not None:
            return [winner]
        return scoring.leaders(self.scores) if self.deal_number >= self.hand_cap else []

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        winners = self.winners()
        scores = self._scores_by_seat()
        # A side that counted out stands before sides with more points.
        standing = [score + (self.side(seat) in winners) * max(scores) for seat, score in enumerate(scores)]
        target = int(self.options["target"])
        reason = scoring.outcome_reason(self.scores, winners, seats=self.seats, target=target)
        return Outcome(scores, places(standing), reason)

    def _scores_by_seat(self) -> tuple[int, ...]:
        return tuple([self.scores[self.side(seat)] for seat in range(self.seats)])

    # What others see of it

    def view(self, seat: int | None) -> CasinoView:
        turns = self._visible_turns()
        return CasinoView(
            **self.public_fields(),
            seat=seat,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=self._scores_by_seat(),
            log=self.log + tuple([words.turn_event(turn) for turn in turns]),
            hand=() if seat is None else tuple(by_display(self.hands[seat])),
            hand_counts=tuple([len(hand) for hand in self.hands]),
            stock_count=len(self.stock),
            loose=tuple(self.loose),
            builds=tuple([self.builds[value] for value in sorted(self.builds)]),
            won_counts=tuple([len(won) for won in self.won]),
            remembered=tuple(map(tuple, self.won)),
            sweeps=tuple(self.sweeps),
            sweep_cards=tuple(map(tuple, self.sweep_cards)),
            turns=turns,
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
