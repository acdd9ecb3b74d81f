"""A match of Russian Bank: layout, legal moves, play, casual calls and the score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NoReturn, Self, TypeAlias

from games.core.cards import Card, face
from games.core.contract import (
    HandResult,
    IllegalMove,
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
from games.engines.russian_bank.moves import (
    ALL,
    BUILDS_ON,
    FOLLOWS,
    FOUNDATION,
    FOUNDATIONS,
    GO,
    LOADS,
    NEIGHBOURS,
    OPENING,
    OVER,
    OWN,
    OWN_PILES,
    PASS,
    ROUNDS_WHEN_BLOCKED,
    SEATS,
    SHIFT,
    STOCK,
    STOCK_CARDS,
    STOP,
    THEIR_STOCK,
    TURN,
    TURN_UP,
    TURNED,
    WASTE,
    WRONG_CALLS,
    Deed,
    Mark,
    Play,
    RussianBankMove,
)
from games.engines.russian_bank.view import RussianBankView
from games.engines.russian_bank.words import either_of, events_of, result_events

OUT_BONUS = 30
STOCK_POINTS = 2
DRAWS_IN_A_ROW = 3

_play = cache(Play)


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
            _refuse("start-aces", f"The game opens with the piles: play {either_of(due)} to a foundation first.")
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
        _refuse("foundation-forced", f"A foundation play is due: play {either_of(due)} before anything else.")

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
            log=(*result_events(self.results), *events_of(self.previous), *events_of(self.deeds)),
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
