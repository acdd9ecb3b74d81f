"""A game of Gin Rummy: the deal, the turns, the knock and the score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NoReturn, Self, TypeAlias

from games.core.cards import RANK_INDEX, Card
from games.core.contract import (
    Event,
    HandResult,
    IllegalMove,
    Move,
    NotYourTurn,
    Options,
    Outcome,
    Phrase,
    Position,
    ScoreLine,
    State,
    Zone,
    open_zone,
)
from games.core.deals import Decks
from games.core.rummy.deadwood import BIT, CARD, MELDS, Defence, best_defence, bits, cards, mask, may_fit, points, union
from games.engines.gin_rummy.endings import big_gins, knocks, showdowns
from games.engines.gin_rummy.moves import (
    DEAD_HANDS_IN_A_ROW,
    DISCARD,
    DISCARD_OF,
    DRAW,
    DRAW_CARD,
    FIRST_UPCARD,
    HAND_CARDS,
    OVER,
    PASS,
    SEATS,
    SHOWDOWN,
    SHUTOUT_BONUS,
    TAKE,
    UNDRAWN_CARDS,
    UPCARD_TURNS_IN_A_ROW,
    BigGin,
    Deed,
    Discard,
    Draw,
    GinRummyMove,
    Knock,
    Meld,
    Pass,
    Showdown,
    Take,
    all_cards,
    deed_text,
    meld_text,
    meld_texts,
)
from games.engines.gin_rummy.view import GinRummyView, OpenKnock, deadwood_zone, meld_zone
from games.engines.gin_rummy.words import BARS, counted, event_of, result_events

_ANSWERS: tuple[GinRummyMove, ...] = (TAKE, PASS)
_DRAWS: tuple[GinRummyMove, ...] = (DRAW_CARD, TAKE)
_STOCK_ONLY: tuple[GinRummyMove, ...] = (DRAW_CARD,)
TURN_OF = ((0,), (1,))
_TURN_AFTER = ((1,), (0,))


@cache
def _quarter_discards(part: int) -> tuple[GinRummyMove, ...]:
    """The discards of the cards that a hand holds of a quarter of the pack; few enough to keep them all."""
    return tuple(DISCARD_OF[bit] for bit in bits(part))


Line: TypeAlias = tuple[str, str, int]  # short id of a rule, what it counts, points


class GinRummyState(State):
    """A game of Gin Rummy. Cards are the bits of `games.core.rummy.deadwood`, hands their unions.

    stock: the next card last. pile: the upcard last. known: cards that everybody saw being taken into a hand.
    taken: the upcard just taken in this turn, else 0. bar: the rule that forbids to take the upcard, or "".
    knocker, knock: the knock that waits for the defender; the knocker's hand no longer holds the discard.
    limit, doubled: the knock limit of this hand and whether its points count double.
    """

    __slots__ = (
        "_decks",
        "_next_deck",
        "bar",
        "dead_hands",
        "dealer",
        "doubled",
        "hands",
        "hands_played",
        "hands_won",
        "history",
        "knock",
        "knocker",
        "known",
        "limit",
        "options",
        "phase",
        "pile",
        "results",
        "scores",
        "seats",
        "stock",
        "taken",
        "to_act",
        "upcard_turns",
    )

    results: tuple[HandResult, ...]

    def __init__(self, options: Options, decks: Decks, dealer: int) -> None:
        self.seats = SEATS
        self.options = options
        self._decks = decks
        self._next_deck = 0
        self.dealer = dealer
        self.scores = [0] * SEATS
        self.hands_won = [0] * SEATS
        self.hands_played = 0
        self.dead_hands = 0
        self.results = ()
        self.clear_table()

    def clear_table(self) -> None:
        self.phase = OVER
        self.to_act: tuple[int, ...] = ()
        self.hands = [0] * SEATS
        self.stock: list[int] = []
        self.pile: list[int] = []
        self.history: list[Deed] = []
        self.known = 0
        self.taken = 0
        self.bar = ""
        self.upcard_turns = 0
        self.knocker = 0
        self.knock: Knock | BigGin | None = None
        self.limit = int(self.options["knock_limit"])
        self.doubled = False

    def deal_hand(self) -> None:
        """Deals the next hand: ten cards each, one at a time, then the upcard; the rest is the stock."""
        self.clear_table()
        deck = list(map(BIT.__getitem__, self._decks[self._next_deck]))
        self._next_deck += 1
        eldest = 1 - self.dealer
        dealt = SEATS * HAND_CARDS
        self.hands[eldest] = sum(deck[0:dealt:2])
        self.hands[self.dealer] = sum(deck[1:dealt:2])
        self.stock = deck[: dealt - 1 : -1]
        self.pile = [self.stock.pop()]
        self.set_limit(self.pile[0])
        self.phase = FIRST_UPCARD
        self.to_act = TURN_OF[eldest]

    def set_limit(self, upcard: int) -> None:
        if self.options["oklahoma"]:
            self.limit = points(upcard)
            self.doubled = bool(self.options["oklahoma_spades"]) and CARD[upcard][1] == "S"

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name in GinRummyState.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.scores = self.scores[:]
        twin.hands_won = self.hands_won[:]
        twin.hands = self.hands[:]
        twin.stock = self.stock[:]
        twin.pile = self.pile[:]
        twin.history = self.history[:]
        return twin

    def cards(self) -> list[Card]:
        found = [card for hand in self.hands for card in cards(hand)]
        found += [CARD[bit] for bit in (*self.pile, *reversed(self.stock))]
        if isinstance(self.knock, Knock):
            found.append(self.knock.card)
        return found

    # Legal moves

    def legal_moves(self, seat: int) -> tuple[GinRummyMove, ...]:
        if seat not in self.to_act:
            return ()
        phase = self.phase
        if phase is DISCARD:
            hand = self.hands[seat]
            loose = hand ^ self.taken
            moves = (
                _quarter_discards(loose & 0x1FFF)
                + _quarter_discards(loose & 0x1FFF << 13)
                + _quarter_discards(loose & 0x1FFF << 26)
                + _quarter_discards(loose & 0x1FFF << 39)
            )
            return moves + self._endings(hand) if may_fit(hand, self.limit) else moves
        if phase is DRAW:
            return _STOCK_ONLY if self.bar else _DRAWS
        if phase is FIRST_UPCARD:
            return _ANSWERS
        return showdowns(self.hands[seat], self._open_melds())

    def _endings(self, hand: int) -> tuple[GinRummyMove, ...]:
        found = knocks(hand, self.taken, self.limit)
        return found + big_gins(hand) if self.options["big_gin"] and hand.bit_count() > HAND_CARDS else found

    def _open_melds(self) -> tuple[int, ...]:
        """The knocker's melds that take lay-offs: none of a gin hand."""
        if self.knock is None or self.knocker_deadwood() == 0:
            return ()
        return tuple(map(mask, self.knock.melds))

    def knocker_deadwood(self) -> int:
        assert self.knock is not None, "somebody has knocked"
        return points(self.hands[self.knocker] & ~union(map(mask, self.knock.melds)))

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_turn()
        _PLAYS[type(move)](self, seat, move)

    def _discard(self, seat: int, move: Discard) -> None:
        bit = BIT[move.card]
        hand = self.hands[seat]
        if self.phase is not DISCARD or bit == self.taken or not hand & bit:
            self._refuse_discard(seat, bit)
        self.hands[seat] = hand ^ bit
        self.known &= ~bit
        self.taken = 0
        self.pile.append(bit)
        self.history.append((seat, "X", bit))
        if len(self.stock) <= UNDRAWN_CARDS:
            self._end_dead_hand()
        else:
            self.phase = DRAW
            self.to_act = _TURN_AFTER[seat]

    def _draw(self, seat: int, _move: Draw) -> None:
        if self.phase is not DRAW:
            self._refuse_draw()
        self.hands[seat] |= self.stock.pop()
        self.upcard_turns = 0
        self.bar = ""
        self.history.append((seat, "D", 0))
        self.phase = DISCARD

    def _take(self, seat: int, _move: Take) -> None:
        if self.bar or self.phase is not DRAW and self.phase is not FIRST_UPCARD:
            self._refuse_take()
        self.taken = bit = self.pile.pop()
        self.hands[seat] |= bit
        self.known |= bit
        self.upcard_turns += 1
        if self.upcard_turns == UPCARD_TURNS_IN_A_ROW:
            self.bar = "draw-cap"
        self.history.append((seat, "U", bit))
        self.phase = DISCARD

    def _pass(self, seat: int, _move: Pass) -> None:
        if self.phase is not FIRST_UPCARD:
            self._refuse_pass()
        self.history.append((seat, "P", 0))
        self.to_act = _TURN_AFTER[seat]
        if seat == self.dealer:
            self.bar = "first-upcard"
            self.phase = DRAW

    def _knock(self, seat: int, move: Knock) -> None:
        bit = BIT[move.card]
        if self.phase is not DISCARD or bit == self.taken or not self.hands[seat] & bit:
            self._refuse_discard(seat, bit)
        melded = self.melded(move.melds, self.hands[seat])
        if melded & bit:
            _refuse(
                "knock-discard",
                f"{move.card} goes face down, so it cannot lie in a meld too; leave it out of the melds.",
            )
        left = points(self.hands[seat] & ~melded & ~bit)
        if left > self.limit:
            _refuse(
                "knock-limit",
                f"Those groups leave {left} points; the limit is {self.limit}. You may discard instead.",
            )
        self.hands[seat] ^= bit
        self.known &= ~bit
        self.taken = 0
        self._lay_open(seat, move)

    def _big_gin(self, seat: int, move: BigGin) -> None:
        if self.phase is not DISCARD:
            _refuse("turn-draw", self._what_now().capitalize())
        if not self.options["big_gin"]:
            _refuse("big-gin", "Big gin is not played at this table; discard one card to knock.")
        melded = self.melded(move.melds, self.hands[seat])
        if melded.bit_count() <= HAND_CARDS:
            _refuse("big-gin", "Big gin needs all eleven cards in melds; discard one card to knock.")
        self.taken = 0
        self._lay_open(seat, move)

    def _lay_open(self, seat: int, move: Knock | BigGin) -> None:
        self.knocker, self.knock = seat, move
        if self.options["defence"] == "manual":
            self.phase = SHOWDOWN
            self.to_act = _TURN_AFTER[seat]
        else:
            self._score(best_defence(self.hands[1 - seat], self._open_melds()))

    def _showdown(self, seat: int, move: Showdown) -> None:
        if self.phase is not SHOWDOWN:
            _refuse("turn-draw", "Nobody has knocked; " + self._what_now())
        hand = self.hands[seat]
        melded = self.melded(move.melds, hand)
        layoffs = self._laid_off(move.layoffs, hand, melded)
        left = points(hand & ~melded & ~union(layoffs))
        self._score(Defence(tuple(map(mask, move.melds)), layoffs, left))

    # Refusals

    def _refuse_turn(self) -> NoReturn:
        message = (
            "It is the other player's turn; yours comes next."
            if self.to_act
            else "The game is over; start another one."
        )
        raise NotYourTurn(message, rule="gin-rummy:turn-draw")

    def _what_now(self) -> str:
        return {
            FIRST_UPCARD: "take the upcard or pass.",
            DRAW: "take one card first: the stock or the upcard.",
            DISCARD: "discard one card, or knock if you can.",
            SHOWDOWN: "lay your hand open: name your melds and lay-offs.",
            OVER: "start another game.",
        }[self.phase]

    def _refuse_discard(self, seat: int, bit: int) -> NoReturn:
        card = CARD[bit]
        if self.phase is not DISCARD:
            _refuse("turn-draw", self._what_now().capitalize())
        if not self.hands[seat] & bit:
            _refuse("turn-discard", f"You do not hold {card}; choose a card of your hand.")
        _refuse("no-return-upcard", f"You took {card} this turn; discard another one.")

    def _refuse_draw(self) -> NoReturn:
        if self.phase is FIRST_UPCARD:
            _refuse("first-upcard", "Take the upcard or pass; the stock comes later.")
        self._refuse_second_card()

    def _refuse_take(self) -> NoReturn:
        if self.phase is not DRAW:
            self._refuse_second_card()
        _refuse(self.bar, BARS[self.bar])

    def _refuse_second_card(self) -> NoReturn:
        why = "The hand has ended by a knock; " if self.phase is SHOWDOWN else "You have your card for this turn; "
        _refuse("turn-draw", why + self._what_now())

    def _refuse_pass(self) -> NoReturn:
        _refuse("first-upcard", "Only the first upcard of a hand can be passed; " + self._what_now())

    def melded(self, melds: tuple[Meld, ...], hand: int) -> int:
        """The cards of announced melds. :raises IllegalMove: not held, in two melds, or no meld."""
        melded = 0
        named = [card for meld in melds for card in meld]
        for card in named:
            if not hand & BIT[card]:
                _refuse("turn-discard", f"You do not hold {card}; meld cards of your hand.")
        for card in named:
            if melded & BIT[card]:
                _refuse("meld-disjoint", f"A card can be in one meld only; choose one for {card}.")
            melded |= BIT[card]
        for meld in melds:
            if mask(meld) not in MELDS:
                _refuse_meld(meld)
        return melded

    def _laid_off(self, layoffs: tuple[tuple[Card, int], ...], hand: int, melded: int) -> tuple[int, ...]:
        """The cards added to each of the knocker's melds. :raises IllegalMove: they do not fit there."""
        assert self.knock is not None, "somebody has knocked"
        if layoffs and self.knocker_deadwood() == 0:
            _refuse("layoff-not-gin", "Nothing can be laid off against gin; count those cards as deadwood.")
        open_melds = self._open_melds()
        added = [0] * len(open_melds)
        for card, number in layoffs:
            if not hand & BIT[card]:
                _refuse("layoff", f"You do not hold {card}; lay off cards of your hand.")
            if (melded | union(added)) & BIT[card]:
                _refuse("meld-disjoint", f"A card can be in one meld only; use {card} once.")
            if not 1 <= number <= len(added):
                _refuse("layoff", f"There is no meld {number}; the knocker's melds are 1 to {len(added)}.")
            added[number - 1] |= BIT[card]
        for meld, more, shown in zip(open_melds, added, self.knock.melds, strict=False):
            if meld | more not in MELDS:
                what = f"{' '.join(cards(more))} does not fit {meld_text(shown)}"
                _refuse("layoff", f"{what}; add a fourth of a kind or the next of a run.")
        return tuple(added)

    # The end of a hand

    def _score(self, defence: Defence) -> None:
        """Scores the knock on the table against a defence."""
        knocker, defender = self.knocker, 1 - self.knocker
        mine, theirs = self.knocker_deadwood(), defence.deadwood
        zones = self._open_zones(defence)
        if mine == 0:
            what = "Big gin" if isinstance(self.knock, BigGin) else "Gin"
            summary = f"{what} for @{knocker}, {theirs} left for @{defender}"
            self._end_hand(knocker, summary, self._gin_lines(theirs), zones)
        elif mine < theirs:
            summary = f"Knock by @{knocker} with {mine} against {theirs}"
            self._end_hand(knocker, summary, [("score-knock", f"{theirs} less {mine}", theirs - mine)], zones)
        elif mine == theirs and not self.options["undercut_on_tie"]:
            self._end_hand(None, f"Knock by @{knocker} with {mine}, a tie with @{defender}", [], zones)
        else:
            summary = f"Knock by @{knocker} with {mine}, undercut by @{defender} with {theirs}"
            self._end_hand(defender, summary, self._undercut_lines(mine, theirs), zones)

    def _gin_lines(self, theirs: int) -> list[Line]:
        is_big = isinstance(self.knock, BigGin)
        rule, name = ("big-gin", "Big gin bonus") if is_big else ("score-gin", "Gin bonus")
        bonus = self._number("big_gin" if is_big else "gin_bonus")
        return [(rule, "Deadwood of the other hand", theirs), (rule, name, bonus)]

    def _undercut_lines(self, mine: int, theirs: int) -> list[Line]:
        return [
            ("score-undercut", f"{mine} less {theirs}", mine - theirs),
            ("score-undercut", "Undercut bonus", self._number("undercut_bonus")),
        ]

    def _open_zones(self, defence: Defence) -> tuple[Zone, ...]:
        """Both hands laid open: the knocker's melds with the lay-offs, the defender's melds, what is left."""
        assert self.knock is not None, "somebody has knocked"
        knocker, defender = self.knocker, 1 - self.knocker
        melds = [mask(meld) for meld in self.knock.melds]
        layoffs = defence.layoffs or (0,) * len(melds)
        zones = [
            meld_zone(number, f"Meld of @{knocker}", meld, knocker, laid_off=more)
            for number, (meld, more) in enumerate(zip(melds, layoffs, strict=True), start=1)
        ]
        zones += [
            meld_zone(number, f"Meld of @{defender}", meld, defender)
            for number, meld in enumerate(defence.melds, start=len(melds) + 1)
        ]
        loose = {knocker: self.hands[knocker] & ~union(melds)}
        loose[defender] = self.hands[defender] & ~union(defence.melds) & ~union(layoffs)
        zones += [deadwood_zone(seat, cards(hand)) for seat, hand in loose.items() if hand]
        if isinstance(self.knock, Knock):
            zones.append(open_zone("discards", "pile", f"Last discard of @{knocker}", [self.knock.card]))
        return tuple(zones)

    def _end_dead_hand(self) -> None:
        self._end_hand(None, "Only two cards are left in the stock", [], ())

    def _end_hand(self, winner: int | None, summary: str, lines: list[Line], zones: tuple[Zone, ...]) -> None:
        gained = [0] * SEATS
        if self.doubled and lines:
            total = sum(points for _rule, _text, points in lines)
            lines.append((lines[0][0], "Doubled, because the first upcard was a spade", total))
        if winner is None:
            self.dead_hands += 1
            summary += "; nobody scores."
        else:
            gained[winner] = sum(line[2] for line in lines)
            self.scores[winner] += gained[winner]
            self.hands_won[winner] += 1
            self.dead_hands = 0
            self.dealer = self._next_dealer(winner)
            summary += f"; {counted(gained[winner], 'point')} for @{winner}."
        self.hands_played += 1
        self.results += (
            HandResult(
                self.hands_played,
                summary,
                tuple(gained),
                tuple(ScoreLine((winner,), f"gin-rummy:{rule}", text, n) for rule, text, n in lines)
                if winner is not None
                else (),
                zones,
            ),
        )
        if self.is_decided():
            self.clear_table()
        else:
            self.deal_hand()

    def _next_dealer(self, winner: int) -> int:
        return {"loser": 1 - winner, "winner": winner, "alternate": 1 - self.dealer}[str(self.options["next_dealer"])]

    # The end of the game

    def _number(self, option: str) -> int:
        return int(self.options[option])

    def is_decided(self) -> bool:
        return max(self.scores) >= self._number("target") or self.dead_hands >= DEAD_HANDS_IN_A_ROW

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        if self.scores[0] == self.scores[1]:
            return self._drawn()
        winner = 0 if self.scores[0] > self.scores[1] else 1
        lines = self._bonuses(winner)
        totals = [self.scores[seat] + sum(line.points for line in lines if seat in line.seats) for seat in range(SEATS)]
        if self.scores[winner] >= self._number("target"):
            reason = f"Won by @{winner} with {self.scores[winner]} points against {self.scores[1 - winner]}"
        else:
            reason = f"Five hands in a row were dead, so the game goes to @{winner}, in the lead"
        ours, theirs = totals[winner], totals[1 - winner]
        reason += f"; with the bonuses {ours} to {theirs}, a margin of {ours - theirs}."
        return Outcome(tuple(totals), (1, 2) if winner == 0 else (2, 1), reason, tuple(lines))

    def _drawn(self) -> Outcome:
        boxes = tuple(
            ScoreLine((seat,), "gin-rummy:dead-cap", f"{counted(won, 'hand')} won, shown only", 0)
            for seat, won in enumerate(self.hands_won)
        )
        reason = "Five hands in a row were dead and the scores are equal, so the game is drawn."
        return Outcome(tuple(self.scores), (1, 1), reason, boxes)

    def _bonuses(self, winner: int) -> list[ScoreLine]:
        is_shutout = self.scores[1 - winner] == 0
        lines = []
        if is_shutout and self.options["shutout"] == "bonus-200":
            lines.append(ScoreLine((winner,), "gin-rummy:shutout", "Game bonus after a shutout", SHUTOUT_BONUS))
        elif self.options["game_bonus"]:
            lines.append(ScoreLine((winner,), "gin-rummy:game-bonus", "Game bonus", self._number("game_bonus")))
        box = self._number("box_bonus")
        for seat, won in enumerate(self.hands_won):
            if won and box:
                lines.append(
                    ScoreLine((seat,), "gin-rummy:box-bonus", f"{counted(won, 'hand')} won, {box} each", won * box)
                )
        if is_shutout and self.options["shutout"] == "double-total":
            total = self.scores[winner] + sum(line.points for line in lines if winner in line.seats)
            lines.append(ScoreLine((winner,), "gin-rummy:shutout", "Everything counts double after a shutout", total))
        return lines

    # Views and positions

    def view(self, seat: int | None) -> GinRummyView:
        history = self._public_history()
        return GinRummyView(
            seat=seat,
            seats=SEATS,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else self.legal_moves(seat),
            scores=tuple(self.scores),
            log=(*result_events(self.results), *map(event_of, history), *self._knock_events()),
            results=self.results,
            dealer=self.dealer,
            phase=self.phase,
            hand=() if seat is None else cards(self.hands[seat]),
            discards=tuple(CARD[bit] for bit in (self.pile if self.options["review_discards"] else self.pile[-1:])),
            discard_count=len(self.pile),
            stock_count=len(self.stock),
            hand_counts=tuple(hand.bit_count() for hand in self.hands),
            known=tuple(cards(hand & self.known) for hand in self.hands),
            taken_upcard=CARD.get(self.taken),
            upcard_turns=self.upcard_turns,
            history=tuple(map(deed_text, history)),
            limit=self.limit,
            is_doubled=self.doubled,
            hands_won=tuple(self.hands_won),
            hands_played=self.hands_played,
            dead_hands=self.dead_hands,
            knock=self._open_knock(seat),
        )

    def _public_history(self) -> list[Deed]:
        """The deeds of this hand with the discards that can still be looked at."""
        if self.options["review_discards"]:
            return self.history
        last = max((index for index, deed in enumerate(self.history) if deed[1] in "UX"), default=0)
        return [
            (seat, letter, bit if letter != "X" or index == last else 0)
            for index, (seat, letter, bit) in enumerate(self.history)
        ]

    def _knock_events(self) -> list[Event]:
        if self.knock is None:
            return []
        melds = meld_texts(self.knock.melds)
        left = self.knocker_deadwood()
        gin = "big gin" if isinstance(self.knock, BigGin) else "gin"
        phrase = Phrase("knock", f"with {left}: {melds}") if left else Phrase("go", f"{gin}: {melds}")
        return [Event(self.knocker, phrase, all_cards(self.knock.melds))]

    def _open_knock(self, seat: int | None) -> OpenKnock | None:
        if self.knock is None:
            return None
        loose = self.hands[self.knocker] & ~union(map(mask, self.knock.melds))
        discard = self.knock.card if isinstance(self.knock, Knock) and seat == self.knocker else None
        return OpenKnock(self.knocker, self.knock.melds, cards(loose), discard)

    def dump(self) -> Position:
        return {
            "seats": SEATS,
            "options": dict(self.options),
            "dealer": self.dealer,
            "phase": str(self.phase),
            "to_move": self.to_act[0] if self.to_act else None,
            "hands": [list(cards(hand)) for hand in self.hands],
            "stock": [CARD[bit] for bit in reversed(self.stock)],
            "discards": [CARD[bit] for bit in self.pile],
            "taken_upcard": CARD.get(self.taken),
            "known": list(cards(self.known)),
            "upcard_turns": self.upcard_turns,
            "history": [deed_text(deed) for deed in self.history],
            "knock": None if self.knock is None else f"{self.knocker}:{self.knock}",
            "limit": self.limit,
            "doubled": self.doubled,
            "scores": list(self.scores),
            "hands_won": list(self.hands_won),
            "hands_played": self.hands_played,
            "dead_hands": self.dead_hands,
        }


_PLAYS: Mapping[type[Move], Callable[[GinRummyState, int, Any], None]] = {
    Pass: GinRummyState._pass,
    Take: GinRummyState._take,
    Draw: GinRummyState._draw,
    Discard: GinRummyState._discard,
    Knock: GinRummyState._knock,
    BigGin: GinRummyState._big_gin,
    Showdown: GinRummyState._showdown,
}


def _refuse(rule: str, message: str) -> NoReturn:
    raise IllegalMove(message, rule=f"gin-rummy:{rule}")


def _refuse_meld(meld: Meld) -> NoReturn:
    """Refuses cards that are neither set nor run by the rule that they miss."""
    text = meld_text(meld)
    ranks = {RANK_INDEX[card[0]] for card in meld}
    if len(ranks) < len(meld) or len(meld) == 1:
        _refuse("meld-set", f"{text} is no set; a set is three or four cards of one rank.")
    if len({card[1] for card in meld}) == 1 and _wraps(ranks):
        _refuse(
            "card-order",
            f"{text} is no run; the ace is low only, so end the run at the king or begin it with the ace.",
        )
    _refuse("meld-run", f"{text} is no run; a run is three or more cards of one suit in sequence.")


def _wraps(ranks: set[int]) -> bool:
    """Whether ranks follow one another only if the ace comes after the king."""
    return {0, 12} <= ranks and len(ranks) > 2 and sum((rank + 1) % 13 not in ranks for rank in ranks) == 1
