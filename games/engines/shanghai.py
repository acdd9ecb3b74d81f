"""Shanghai, or Manipulation, 2 to 5 seats: rummy with common melds, in which a player who can play must.

Source: "The Penguin Book of Card Games", "Shanghai (Manipulation)", one paragraph read together with Vatican. Pack,
deal, melds and scoring are completed from rummyrulebook.com, gamerules.com and pagat.com ("Manipulation Rummy").
Rulings, where these are silent or unclear:
- "can meld" is taken literally: if any arrangement of the whole table takes a card from hand, the player can. The
  solver knows, so that draw, pass or play is open, and only one of them; `strict` off leaves it to the players;
- a refused draw tells that something fits, not what: that is the rule;
- one card from hand is enough for a play, and one play ends the turn;
- an ace is high or low, never both: no run turns the corner, and none is longer than thirteen;
- ten and court cards count 10 against their holder, 2 to 9 count 5, and an ace 15;
- jokers are an option; they follow the rules of Vatican and count 25;
- a hand that is blocked is counted like any other, only that no one has gone out;
- when a clock runs out the table draws or passes for the player, or makes the play that changes the fewest melds.
It ends: each turn lays a card for good, empties the stock, or is one of few passes in a row; and each hand
costs at least one player points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.core.cards import Card, is_joker, pack
from games.core.contract import (
    HandEnd,
    HandResult,
    ImpossiblePosition,
    Move,
    Option,
    Options,
    Outcome,
    Phrase,
    Position,
    ScoreLine,
    Stage,
    numbers,
    switch,
)
from games.core.deals import Decks
from games.core.moves import DRAW, PASS, LazyMoves
from games.core.rummy.common_table import (
    CommonTableGame,
    CommonTableReader,
    CommonTableState,
    CommonTableView,
    dump_common_table,
)
from games.core.rummy.melds import SEQUENCES
from games.core.rummy.rearranging import HouseRules, Play, TableMove
from games.core.rummy.scoring import outcome_of_fewest, points_by_seat
from games.core.rummy.shows import hands_counted, out_or_blocked
from games.core.words import counted, players_in_words

ACE_COUNT = 15
COURT_COUNT = 10
NUMERAL_COUNT = 5
JOKER_COUNT = 25
MOST_HANDS = 1000


def card_count(card: Card) -> int:
    """What a card left in hand counts against its holder."""
    if is_joker(card):
        return JOKER_COUNT
    if card[0] == "A":
        return ACE_COUNT
    return NUMERAL_COUNT if card[0].isdigit() else COURT_COUNT


# State


class ShanghaiState(CommonTableState):
    """drawn: cards that the seat to act has drawn in this turn."""

    __slots__ = ("drawn",)

    PUBLIC = (*CommonTableState.PUBLIC, "drawn")

    drawn: int

    def clear_table(self) -> None:
        super().clear_table()
        self.drawn = 0

    # Moves

    def legal_moves(self, seat: int) -> Sequence[TableMove]:
        """The plays that the solver suggests, or what else is open; `play` accepts any other legal play as well."""
        if seat not in self.to_act:
            return ()
        plays = self.suggestions(seat).offers
        if plays and self.options["strict"]:
            return LazyMoves(plays)
        return LazyMoves((DRAW if self.stock else PASS, *plays))

    def _draw(self, seat: int) -> None:
        self._check_nothing_fits(seat)
        if not self.stock:
            self.refuse("stock-empty", "The stock is empty: play if you can, or pass.")
        self._take(seat, 1)
        self.drawn += 1
        self._add_to_log(seat, Phrase("draw", "a card"), f"hand:{seat}", "stock")

    def _pass(self, seat: int) -> None:
        self._check_nothing_fits(seat)
        if self.stock:
            self.refuse(
                "draw-until-able", "You can't pass while there are cards in the stock: draw until you can play."
            )
        self.passes += 1
        self._add_to_log(seat, Phrase("pass"))
        if self.passes == self.seats:
            self.end_hand()
        else:
            self._end_turn(seat)

    def _check_nothing_fits(self, seat: int) -> None:
        if self.options["strict"] and self.suggestions(seat).exist:
            self.refuse("must-meld", "You can play, so you must: look again, or let the table show you a play.")

    def _play(self, seat: int, move: Play) -> None:
        refusal = self._refusal(seat, move)
        if refusal is not None:
            raise refusal
        self._lay(seat, move)
        if self.hands[seat]:
            self._end_turn(seat)
        else:
            self.end_hand()

    def _end_turn(self, seat: int) -> None:
        super()._end_turn(seat)
        self.drawn = 0

    def timeout_move(self, seat: int) -> TableMove:
        """The play that changes the fewest melds, of these the smallest; otherwise a card, or a pass."""
        plays = self.suggestions(seat).plays
        if plays:
            return min(plays, key=lambda play: (len(play.dissolved), len(play.from_hand(self.table))))
        return DRAW if self.stock else PASS

    # The end of a hand and of the game

    def end_hand(self) -> None:
        """Counts the cards left in all hands, then deals again or ends the game."""
        lines = tuple(self._lines())
        points = points_by_seat(lines, self.seats)
        self._record(HandResult(self.deal_number, self._summary(), points, lines, self._hand_zones()))
        if not self.is_decided():
            self.log = self.log[-1:]
            self._deal_next()

    def _lines(self) -> Iterator[ScoreLine]:
        for seat, hand in enumerate(self.hands):
            if not hand:
                yield ScoreLine((seat,), f"{self.game.slug}:going-out", "First without cards", 0)
                continue
            counts = len(hand) if self.options["count"] == "cards" else sum(map(card_count, hand))
            yield ScoreLine((seat,), f"{self.game.slug}:card-count", f"Left in hand: {' '.join(hand)}", counts)

    def _summary(self) -> str:
        out = [seat for seat, hand in enumerate(self.hands) if not hand]
        who = f"{players_in_words(out)} [go] out" if out else "No one can play and the stock is empty"
        return f"{who}; cards left in hand are penalty points."

    def is_decided(self) -> bool:
        """Whether the hand just counted was the last."""
        deals = int(self.options["deals"])
        return self.deal_number >= deals if deals else self.reaches_target()

    def reaches_target(self) -> bool:
        return max(self.scores) >= int(self.options["target"])

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        return outcome_of_fewest(self.scores)

    # What is seen and kept

    def view(self, seat: int | None) -> ShanghaiView:
        return ShanghaiView(**self.seen_by(seat))


# View


@dataclass(frozen=True, slots=True, kw_only=True)
class ShanghaiView(CommonTableView):
    """drawn: cards that the seat to act has drawn in this turn."""

    drawn: int

    def _note(self, seat: int) -> str:
        if seat not in self.to_act or not self.drawn:
            return ""
        return f"drew {counted(self.drawn, 'card')}"

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        can_play = any(isinstance(move, Play) for move in self.moves)
        if not self.options["strict"]:
            other = "draw a card" if self.stock_count else "pass"
            return f"Play cards and rearrange the table as you like, or {other}."
        if can_play:
            return "You can play, so you must: lay at least one card, and rearrange as you like."
        return "Nothing fits: draw a card." if self.stock_count else "Nothing fits and the stock is empty: pass."

    @property
    def forced(self) -> Move | None:
        """A draw or a pass without an alternative, where the table makes it; a play is always a choice."""
        is_forced = self.options["auto_draw"] and self.moves in ((DRAW,), (PASS,))
        return self.moves[0] if is_forced else None

    @property
    def table_plays_forced(self) -> bool:
        return bool(self.options["auto_draw"])

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        deals = int(self.options["deals"])
        length = ("Hand", f"{self.deal_number} of {deals}") if deals else ("Target", f"{self.options['target']} points")
        facts = [length, ("Winner", "the fewest points"), ("Dealer", f"@{self.dealer}")]
        if self.passes:
            facts.append(("Passes in a row", str(self.passes)))
        return tuple(facts)


# The game


class Shanghai(CommonTableGame[ShanghaiState, ShanghaiView]):
    slug = "shanghai"
    name = "Shanghai"
    summary = "Vatican's strict sister: if you can play you must, and if you can't, you draw until you can."
    seats = (2, 3, 4, 5)
    options: ClassVar[tuple[Option, ...]] = (
        numbers("deal", "Cards dealt", (7, 10), default=10, help="Cards that each player is dealt."),
        numbers(
            "target", "Target", (100, 200, 300), default=200, help="The game ends when a player has this many points."
        ),
        Option(
            "sequence",
            "Order of the ranks",
            "high_or_low",
            {
                "high_or_low": "ace high or low",
                "high": "ace high",
                "low": "ace low",
                "round": "round the corner",
            },
            "Where the ace stands in a run.",
        ),
        numbers("jokers", "Jokers", (0, 2), default=0, help="Two jokers follow the rules of Vatican."),
        switch("strict", "Must play if able", default=True, help="Off: you may draw even if you could play."),
        switch(
            "auto_draw",
            "Draws by themselves",
            default=True,
            help="The table draws for you when there is nothing else to do.",
        ),
        Option(
            "count",
            "Cards left count",
            "source",
            {"source": "5, 10 or 15", "cards": "1 each"},
            "Penalty points for cards left in hand.",
        ),
        numbers(
            "deals",
            "Number of hands",
            (0, 3, 5, 10),
            default=0,
            help="With 0 the target ends the game.",
            span=range(21),
        ),
    )

    def fewer_is_better(self, options: Options) -> bool:
        return True

    def deck(self, options: Options) -> tuple[Card, ...]:
        return pack(copies=2, jokers=int(options["jokers"]))

    def house_rules(self, options: Options) -> HouseRules:
        return HouseRules(next(kind for kind in SEQUENCES if kind == options["sequence"]))

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> ShanghaiState:
        return ShanghaiState(self, decks, seats=seats, options=options, dealer=dealer)

    def count_stages(self, end: HandEnd[ShanghaiState, TableMove]) -> Iterator[Stage]:
        yield out_or_blocked(end, "Everyone has passed and the stock is empty, so all hands count")
        yield from hands_counted(end)

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> ShanghaiState:
        """A position, as `CommonTableReader` describes it; every key may be left out.

        drawn: cards drawn so far in this turn. A hand that is named and empty, where nobody is said to be to move, has
        gone out: the cards are counted and the next hand is dealt. Scores at the target end the game.
        """
        return ShanghaiReader(self, data, deals).state()

    def dump(self, state: ShanghaiState) -> Position:
        return dump_common_table(state) | {"drawn": state.drawn}


class ShanghaiReader(CommonTableReader):
    KEYS = (*CommonTableReader.KEYS, "drawn")

    def state(self) -> ShanghaiState:
        state = self.table(SHANGHAI)
        state.deal_number = self.number("hand", 1, low=1, high=int(self.options["deals"]) or MOST_HANDS)
        state.drawn = self.number("drawn", 0, high=len(self.pack))
        if self.is_over or (not self.options["deals"] and state.reaches_target()):
            self._finish(state)
        elif state.passes == state.seats or self.gone_out():
            state.end_hand()
        return state

    def _finish(self, state: ShanghaiState) -> None:
        if not state.is_decided():
            raise ImpossiblePosition("to_move: the game is not over yet, so it is a player's turn.")
        if self.data.get("to_move") is not None:
            raise ImpossiblePosition("to_move: a player has reached the target, so the game is over.")
        state.to_act = ()


SHANGHAI = Shanghai()
