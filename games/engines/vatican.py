"""Vatican, 2 to 5 seats: rummy with common melds, in which a turn may rearrange the whole table.

Source: "The Penguin Book of Card Games", "Vatican". What it leaves open follows the rules of Vatikan at
pagat.com and rummyrulebook.com (a joker on the table moves only after the real card has taken its place).
Rulings, where these are silent or unclear:
- a turn is judged only by the table before and after it, so a play is one move, whatever happens on the
  way;
- jokers: one that lay on the table and now stands for another card needs a natural card on the table with a
  face that it stood for, each such joker a card of its own; in a set a joker covers every suit that the set
  does not show;
- no rank occurs twice in a run, and both copies of a card are never in one meld;
- a new meld gets the lowest free number, in the order written; a meld that is not dissolved keeps its
  number;
- if every seat passes in turn the game is blocked: the fewest cards win, equally few share the win;
- with `penalty_scoring` the game is a round of deals, each seat dealing once; winners of a deal add
  nothing;
- with `draw_after_play` a player who has played takes a card, too, while there is stock;
- `failed_play_penalty` is for tables that do not check: an arrangement that breaks a rule is taken back and
  costs three cards and the turn. Without stock it is refused instead, so that nobody can stall;
- when a clock runs out the player draws; without stock the smallest play found is made, or he passes.
It ends: each turn takes a card from the stock, or lays one from hand for good, or is one of few passes in a
row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.core.cards import Card, is_joker
from games.core.contract import (
    HandEnd,
    HandResult,
    IllegalMove,
    ImpossiblePosition,
    Option,
    Options,
    Outcome,
    Phrase,
    Position,
    ScoreLine,
    Stage,
    numbers,
    places,
    switch,
)
from games.core.deals import Decks
from games.core.moves import DRAW, PASS, LazyMoves
from games.core.positions import by_seat
from games.core.rummy.common_table import (
    CommonTableGame,
    CommonTableReader,
    CommonTableState,
    CommonTableView,
    Test,
    dump_common_table,
)
from games.core.rummy.melds import SEQUENCES, Fault
from games.core.rummy.rearranging import PACK, HouseRules, Play, Situation, TableMove, opens
from games.core.rummy.scoring import outcome_of_fewest, points_by_seat
from games.core.rummy.shows import hands_counted, hands_left, in_words, out_or_blocked
from games.core.shows import points_for, side_phrase
from games.core.words import counted, players_in_words

PENALTY_CARDS = 3
COURT_PENALTY = 10
ACE_PENALTY = 11
JOKER_PENALTY = 30


# State


class VaticanState(CommonTableState):
    """opened: by seat, whether the first play has been made."""

    __slots__ = ("opened",)

    PUBLIC = (*CommonTableState.PUBLIC, "opened")

    opened: list[bool]

    def clear_table(self) -> None:
        super().clear_table()
        self.opened = [False] * self.seats

    # Moves

    def legal_moves(self, seat: int) -> Sequence[TableMove]:
        """Draw or pass, and what the solver suggests; `play` accepts any other legal arrangement as well."""
        if seat not in self.to_act:
            return ()
        plays = self.suggestions(seat).offers
        if self.stock:
            return LazyMoves((DRAW, *plays))
        return LazyMoves(plays or (PASS,))

    def situation(self, seat: int) -> Situation:
        return Situation(self.house, tuple(self.table.items()), self.hands[seat], self.opened[seat])

    def _draw(self, seat: int) -> None:
        if not self.stock:
            self.refuse("stock-empty", "The stock is empty: play if you can, or pass.")
        self._take(seat, 1)
        self._add_to_log(seat, Phrase("draw", "a card"), f"hand:{seat}", "stock")
        self._end_turn(seat)

    def _pass(self, seat: int) -> None:
        if self.stock:
            self.refuse("pass-only-when-empty", "You can't pass while there are cards in the stock: draw one, or play.")
        if self.suggestions(seat).exist:
            self.refuse(
                "stock-empty-must-play",
                "You can play, and with no stock left you must: look again, or let the table show you a play.",
            )
        self.passes += 1
        self._add_to_log(seat, Phrase("pass"))
        if self.passes == self.seats:
            self.end_hand(self.fewest_cards())
        else:
            self._end_turn(seat)

    def _play(self, seat: int, move: Play) -> None:
        refusal = self._refusal(seat, move)
        if refusal is not None:
            if self._costs_cards(refusal):
                return self._fail(seat)
            raise refusal
        self._lay(seat, move)
        self.opened[seat] = True
        if not self.hands[seat]:
            return self.end_hand([seat])
        if self.options["draw_after_play"] and self.stock:
            self._take(seat, 1)
        self._end_turn(seat)

    def _costs_cards(self, refusal: IllegalMove) -> bool:
        """Whether a play that fails is punished; asking for cards that cannot be had is only refused."""
        rule = refusal.rule.partition(":")[2]
        return bool(self.options["failed_play_penalty"] and self.stock and rule not in _IMPOSSIBLE)

    def _fail(self, seat: int) -> None:
        cards = min(PENALTY_CARDS, len(self.stock))
        self._take(seat, cards)
        self._add_to_log(
            seat,
            Phrase("take", f"back a play that breaks a rule, and [draw] {counted(cards, 'card')}"),
            f"hand:{seat}",
            "stock",
        )
        self._end_turn(seat)

    def timeout_move(self, seat: int) -> TableMove:
        """A card from the stock; without stock the suggestion with the fewest cards, or a pass."""
        if self.stock:
            return DRAW
        plays = self.suggestions(seat).plays
        return min(plays, key=lambda play: len(play.from_hand(self.table)), default=PASS)

    def _tests(self) -> tuple[Test, ...]:
        *others, jokers = super()._tests()
        return (*others, self._no_opening, jokers)

    def _no_opening(self, seat: int, move: Play) -> Fault | None:
        needs_run = self.house.opening_run and not self.opened[seat]
        if not needs_run or opens(self.house, move.from_hand(self.table)):
            return None
        return Fault(
            "opening-run",
            "Your first play must include a run of three or more from your own hand: "
            f"lay one, or {'draw' if self.stock else 'pass'}.",
        )

    # The end of a deal and of the game

    def end_hand(self, winners: Sequence[int]) -> None:
        """Scores a deal that is won or blocked, and deals again or ends the game."""
        self._record(self.result(winners))
        if not self.is_decided():
            self._deal_next()

    def is_decided(self) -> bool:
        """Whether the deal that is played is the last."""
        return not self.options["penalty_scoring"] or self.deal_number >= self.seats

    def fewest_cards(self) -> list[int]:
        """The seats that win a blocked deal."""
        fewest = min(map(len, self.hands))
        return [seat for seat, hand in enumerate(self.hands) if len(hand) == fewest]

    def result(self, winners: Sequence[int]) -> HandResult:
        score = self._penalty_lines if self.options["penalty_scoring"] else self._win_lines
        lines = tuple(score(winners))
        points = points_by_seat(lines, self.seats)
        return HandResult(self.deal_number, self._summary(winners), points, lines, self._hand_zones())

    def _summary(self, winners: Sequence[int]) -> str:
        left = len(self.hands[winners[0]])
        if not left:
            return f"@{winners[0]} [go] out and [win]."
        win = "[share] the win" if len(winners) > 1 else "[win]"
        return f"No one can play: {players_in_words(winners)} {win} with the fewest cards, {left}."

    def _win_lines(self, winners: Sequence[int]) -> Iterator[ScoreLine]:
        rule = f"{self.game.slug}:{'blocked' if self.hands[winners[0]] else 'going-out'}"
        for seat in winners:
            text = "Fewest cards when no one can play" if self.hands[seat] else "First without cards"
            yield ScoreLine((seat,), rule, text, 1)

    def _penalty_lines(self, winners: Sequence[int]) -> Iterator[ScoreLine]:
        for seat, hand in enumerate(self.hands):
            if seat not in winners:
                text = f"Left in hand: {' '.join(hand)}"
                yield ScoreLine((seat,), f"{self.game.slug}:no-score", text, sum(map(penalty, hand)))

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        scores = tuple(self.scores)
        if not self.options["penalty_scoring"]:
            return Outcome(scores, places(scores), self._summary([seat for seat, score in enumerate(scores) if score]))
        return outcome_of_fewest(scores, "penalty points")

    # What is seen and kept

    def view(self, seat: int | None) -> VaticanView:
        return VaticanView(**self.seen_by(seat))


_IMPOSSIBLE = ("rearrange", "cards-available", "play-at-least-one")


def penalty(card: Card) -> int:
    """What a card left in hand costs with `penalty_scoring`."""
    if is_joker(card):
        return JOKER_PENALTY
    if card[0] == "A":
        return ACE_PENALTY
    return int(card[0]) if card[0].isdigit() else COURT_PENALTY


# View


@dataclass(frozen=True, slots=True, kw_only=True)
class VaticanView(CommonTableView):
    """opened: by seat."""

    opened: tuple[bool, ...]

    def _note(self, seat: int) -> str:
        return "" if self.opened[seat] or not self.options["opening_run"] else "not opened"

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if not self.stock_count:
            return "The stock is empty: play if you can, or pass."
        if self.opened[self.seat] or not self.options["opening_run"]:
            return "Draw a card, or play cards and rearrange the table as you like."
        return "Draw a card, or open with a run of three or more from your hand."

    @property
    def forced(self) -> None:
        """None: a quick draw would tell the others that nothing fits, and players want to look for a play."""
        return None

    @property
    def has_scores(self) -> bool:
        return bool(self.options["penalty_scoring"])

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        opened = [seat for seat in range(self.seats) if self.opened[seat]]
        facts = [("Dealer", f"@{self.dealer}"), ("Opened", players_in_words(opened) if opened else "no one yet")]
        if self.options["penalty_scoring"]:
            facts.insert(0, ("Deal", f"{self.deal_number} of {self.seats}"))
        if self.passes:
            facts.append(("Passes in a row", str(self.passes)))
        return tuple(facts)


# The game


class Vatican(CommonTableGame[VaticanState, VaticanView]):
    slug = "vatican"
    name = "Vatican"
    summary = "Rummy with shared melds: rearrange the whole table to get rid of your cards."
    seats = (2, 3, 4, 5)
    deal_word = "deal"
    options = (
        numbers("deal", "Cards dealt", range(10, 16), default=13, help="Cards that each player is dealt."),
        switch(
            "opening_run",
            "Opening run",
            default=True,
            help="A player's first play needs a run of three from the hand.",
        ),
        switch("opening_joker", "Joker in the opening", default=True, help="A joker may be part of that run."),
        Option(
            "joker_release",
            "Jokers are freed",
            "any",
            {"any": "by a card from anywhere", "hand_only": "by a card from the hand", "free": "always free"},
            "What must take a joker's place before it can stand for another card.",
        ),
        Option(
            "sequence",
            "Order of the ranks",
            "round",
            {"round": "round the corner", "high_or_low": "ace high or low", "low": "ace low"},
            "Where the ace stands in a run.",
        ),
        switch(
            "draw_after_play", "Draw after a play", default=False, help="A player who has played also draws a card."
        ),
        switch(
            "penalty_scoring",
            "Penalty points",
            default=False,
            help="Cards left in hand are penalty points. Each player deals once; the lowest total wins.",
        ),
        Option(
            "failed_play_penalty",
            "Failed plays",
            0,
            {0: "are refused", 3: "cost three cards"},
            "For players who check each other: a play that breaks a rule costs three cards and the turn.",
        ),
    )

    def has_several_deals(self, options: Options) -> bool:
        return bool(options["penalty_scoring"])

    def counts_points(self, options: Options) -> bool:
        return bool(options["penalty_scoring"])

    def fewer_is_better(self, options: Options) -> bool:
        return bool(options["penalty_scoring"])

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def house_rules(self, options: Options) -> HouseRules:
        sequence = next(kind for kind in SEQUENCES if kind == options["sequence"])
        release, opening_run = str(options["joker_release"]), bool(options["opening_run"])
        return HouseRules(sequence, release, opening_run, bool(options["opening_joker"]))

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> VaticanState:
        return VaticanState(self, decks, seats=seats, options=options, dealer=dealer)

    def count_stages(self, end: HandEnd[VaticanState, TableMove]) -> Iterator[Stage]:
        yield out_or_blocked(end, "Everyone has passed, so the fewest cards win")
        if end.before.options["penalty_scoring"]:
            yield from hands_counted(end)
        else:
            yield from _cards_held(end)
            yield _win(end)

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> VaticanState:
        """A position, as `CommonTableReader` describes it; every key may be left out.

        opened: by seat, or true or false for the seat to move. A hand that is named and empty, where nobody is said to
        be to move, has gone out.
        """
        return VaticanReader(self, data, deals).state()

    def dump(self, state: VaticanState) -> Position:
        return dump_common_table(state) | {"opened": list(state.opened)}


def _cards_held(end: HandEnd[VaticanState, TableMove]) -> Iterator[Stage]:
    """The cards left in each hand, from the left of the player who made the last move."""
    hands = hands_left(end)
    for seat in end.before.seats_after(end.seat):
        if hands[seat]:
            yield Stage(Phrase("hold", in_words(hands[seat])), seat, hands[seat])


def _win(end: HandEnd[VaticanState, TableMove]) -> Stage:
    """The win without penalty points: a score line for each winner."""
    first, *others = end.result.lines
    winners = [seat for line in end.result.lines for seat in line.seats]
    points = points_for(winners, first.points, end.before.seats)
    if others:
        phrase, _ = side_phrase(winners, "share", "the win")
        return Stage(phrase, points=points, rule=first.rule)
    left = len(hands_left(end)[winners[0]])
    how = f"the game with the fewest cards, {left}" if left else "the game"
    return Stage(Phrase("win", how), winners[0], points=points, rule=first.rule)


class VaticanReader(CommonTableReader):
    KEYS = (*CommonTableReader.KEYS, "opened")
    BY_SEAT = (*CommonTableReader.BY_SEAT, "opened")

    def state(self) -> VaticanState:
        state = self.table(VATICAN)
        state.opened = self._opened(state)
        state.deal_number = self.number("hand", 1, low=1, high=state.seats if self._counts(state) else 1)
        if self.is_over:
            self._finish(state)
        elif any(state.scores) and not self._counts(state):
            raise ImpossiblePosition("scores: without penalty points nothing is scored before the end.")
        elif state.passes == state.seats:
            state.end_hand(state.fewest_cards())
        elif out := self.gone_out():
            state.end_hand(out[:1])
        return state

    def _counts(self, state: VaticanState) -> bool:
        return bool(state.options["penalty_scoring"])

    def _opened(self, state: VaticanState) -> list[bool]:
        """True or false alone is said of the seat to move."""
        value = self.data.get("opened")
        if isinstance(value, bool):
            return [value and seat in state.to_act for seat in range(state.seats)]
        opened = by_seat(value, state.seats, "opened")
        if any(entry not in (None, False, True) for entry in opened):
            raise ImpossiblePosition("opened: say true or false for each seat.")
        return [bool(entry) for entry in opened]

    def _finish(self, state: VaticanState) -> None:
        """A game that is over: a player has gone out, or all have passed."""
        is_over = not all(state.hands) or state.passes == state.seats
        if not is_over or not state.is_decided():
            raise ImpossiblePosition("to_move: no one has won yet, so it is a player's turn.")
        state.to_act = ()
        if not self._counts(state):
            winners = [seat for seat, score in enumerate(state.scores) if score] or state.fewest_cards()
            state.results = (state.result(winners),)
            state.scores = list(state.results[0].points)


VATICAN = Vatican()
