"""The state of Russian Bank: dealing, play, the calls of casual games, and the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.core.contract import Game, HandResult, Move, Options, Outcome, ScoreLine, Zone, open_zone
from games.core.deals import Decks
from games.engines.russian_bank.explaining import why_not, why_not_now
from games.engines.russian_bank.layout import RussianBankLayout
from games.engines.russian_bank.moves import (
    ALL,
    FOUNDATION,
    GO,
    OPENING,
    OVER,
    OWN_PILES,
    ROUNDS_WHEN_BLOCKED,
    SEATS,
    SHIFT,
    STOCK_CARDS,
    STOP,
    TURN,
    TURN_UP,
    TURNED,
    WASTE,
    WRONG_CALLS,
    Deed,
    Mark,
    Play,
)
from games.engines.russian_bank.scoring import (
    DRAWS_IN_A_ROW,
    STOCK_POINTS,
    blocked_lines,
    blocked_winner,
    game_summary,
    match_outcome,
    out_lines,
)
from games.engines.russian_bank.view import RussianBankView
from games.engines.russian_bank.words import events_of, result_events


class RussianBankState(RussianBankLayout):
    """A match of Russian Bank: the turns, the calls of casual games, and the score."""

    __slots__ = ()

    PUBLIC = (
        *RussianBankLayout.PUBLIC,
        *("deal_number", "phase", "turn", "turned", "previous", "mark", "is_corrected", "draws"),
    )

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)
        self.draws = 0

    def deal_hand(self) -> None:
        """Both players lay out their packs; the one who did not deal begins with the aces of the own tableau."""
        self.clear_table()
        deck = self.next_deck()
        for seat in range(SEATS):
            own = [card for card in deck if card[2] == str(seat + 1)]
            self.stock[seat] = own[STOCK_CARDS - 1 :: -1]
            self.tableau[seat] = [[card] for card in own[STOCK_CARDS : STOCK_CARDS + OWN_PILES]]
            self.reserve[seat] = own[: STOCK_CARDS + OWN_PILES - 1 : -1]
        self.phase = OPENING
        self.settle()

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self.game.refuse_turn(*why_not_now(self, seat, move))
        if seat != self.turn:
            self._answer(seat, move)
            return
        if not self.is_possible(seat, move, may_err=self.may_err()) or self.is_misnamed(seat, move):
            self.refuse(*why_not(self, seat, move))
        if self.may_err() and self.mark is None and not self.is_possible(seat, move, may_err=False):
            self.mark = Mark(len(self.log), tuple(self.rounds))
        self.is_corrected = False
        if isinstance(move, Play):
            self._carry(seat, move.source, move.target)
        elif move == TURN_UP:
            self._turn_up(seat)
        else:
            self.rounds[seat] += 1
            self.log.append(Deed(seat, "P"))
            self._end_turn()

    def _carry(self, seat: int, source: str, target: str) -> None:
        before = self.arrangement(seat) if source in ALL and target in ALL else None
        card = self.take(seat, source)
        self.put(seat, target, card)
        self.log.append(Deed(seat, f"{source}>{target}", card))
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
        self.log.append(Deed(seat, what, self.turned))

    def settle(self) -> None:
        """What happens by itself: the opening ends, the stock card is turned up, a player is out."""
        seat = self.turn
        if self.phase is OPENING and not self.due_of(self.free_cards(seat)):
            self.phase = TURN
        if self.phase is TURN and self.stock[seat] and not self.stock_shown[seat]:
            self.stock_shown[seat] = 1
            self.log.append(Deed(seat, "+", self.stock[seat][-1]))
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
    def waiting_on(self) -> tuple[int, ...]:
        """The player on turn, or the one who has to answer; nobody waits for a call of STOP."""
        return self.to_act[:1]

    def _end_turn(self) -> None:
        if self.options["mode"] == "casual":
            self.phase = SHIFT
            self.set_to_act()
        else:
            self._shift()

    def _shift(self) -> None:
        """The game ends, or the turn passes to the other player."""
        if self.is_out(self.turn):
            loser = 1 - self.turn
            others = len(self.reserve[loser]) + len(self.waste[loser])
            self.end_hand(self.turn, out_lines(self.turn, len(self.stock[loser]), others))
        elif min(self.rounds) >= ROUNDS_WHEN_BLOCKED:
            left = self._both_left()
            winner = blocked_winner(left)
            self.end_hand(winner, [] if winner is None else blocked_lines(winner, left))
        else:
            self.turn = 1 - self.turn
            self.phase = TURN
            self.previous, self.log = tuple(self.log), []
            self.arrangements = frozenset()
            self.mark = None
            self.is_corrected = False
            self.settle()

    # Casual mode: the other player answers

    def _answer(self, seat: int, move: Move) -> None:
        if move == GO:
            if self.phase is not SHIFT:
                self.refuse("casual-shift", "The turn isn't over yet; take yours when it is.")
            self._shift()
        elif move != STOP:
            self.game.refuse_turn(*why_not_now(self, seat, move))
        elif self.wrong_calls[seat] >= WRONG_CALLS:
            self.refuse("casual-wrong-call", "You have called stop three times without an error; just take your turn.")
        elif self.mark is None:
            self.wrong_calls[seat] += 1
            self.log.append(Deed(seat, "STOP"))
            self.set_to_act()
        else:
            self._go_back(seat, self.mark)

    def _go_back(self, caller: int, mark: Mark) -> None:
        self.take_back(mark)
        self.rounds = list(mark.rounds)
        self.log.append(Deed(caller, "STOP!"))
        self.mark = None
        self.phase = TURN
        self.arrangements = self.recent_arrangements()
        if self.options["stop_penalty"] == "lose_turn":
            self.rounds[self.turn] += 1
            self._shift()
        else:
            self.is_corrected = True
            self.set_to_act()

    def take_back(self, mark: Mark) -> None:
        """Puts back the cards that moved since the first error of the turn, and a turned one if the turn is lost."""
        while len(self.log) > mark.deeds:
            self.undo(self.log.pop())
        if self.options["stop_penalty"] == "lose_turn" and self.turned is not None:
            self.reserve[self.turn].append(self.take(self.turn, TURNED))

    # The end of a game

    def value_left(self, seat: int) -> int:
        """The points that a seat's stock, reserve and waste are worth."""
        return STOCK_POINTS * len(self.stock[seat]) + len(self.reserve[seat]) + len(self.waste[seat])

    def _both_left(self) -> list[int]:
        return [self.value_left(seat) for seat in range(SEATS)]

    def end_hand(self, winner: int | None, lines: Sequence[ScoreLine]) -> None:
        """Writes the game down, then deals the next one or ends the match."""
        points = sum(line.points for line in lines)
        if winner is None:
            self.draws += 1
        else:
            self.draws = 0
            self.scores[winner] += points
        result = HandResult(
            number=self.deal_number,
            summary=game_summary(winner, points, self._both_left()),
            points=tuple(points if seat == winner else 0 for seat in range(SEATS)),
            lines=tuple(lines),
            zones=tuple(self._open_zones()),
        )
        self.results += (result,)
        self.deal_number += 1
        if self.is_decided():
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
                    label = f"@{seat}'s {name}"
                    yield open_zone(f"{name}:{seat}", "row", label, reversed(pile), owner=seat)

    @property
    def target(self) -> int | None:
        """The points that win a match, None where a single game decides."""
        target = self.options["target"]
        return target if isinstance(target, int) else None

    def is_decided(self) -> bool:
        if self.target is None:
            return any(self.scores) or self.draws > 0
        return max(self.scores) >= self.target or self.draws >= DRAWS_IN_A_ROW

    def outcome(self) -> Outcome | None:
        if self.phase is not OVER:
            return None
        return match_outcome(self.scores, target=self.target, left=self._both_left())

    # What a seat sees

    def view(self, seat: int | None) -> RussianBankView:
        return RussianBankView(
            seat=seat,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=tuple(self.scores),
            log=(*result_events(self.results), *events_of(self.previous), *events_of(self.log)),
            tableau=tuple([tuple(map(tuple, piles)) for piles in self.tableau]),
            foundations=tuple(map(tuple, self.foundations)),
            stock_cards=tuple(
                [tuple(pile[len(pile) - shown :]) for pile, shown in zip(self.stock, self.stock_shown, strict=True)]
            ),
            stock_counts=tuple(map(len, self.stock)),
            reserve_counts=tuple(map(len, self.reserve)),
            waste_tops=tuple([pile[-1] if pile else None for pile in self.waste]),
            waste_counts=tuple(map(len, self.waste)),
            rounds=tuple(self.rounds),
            deeds=tuple(self.log),
            wrong_calls=tuple(self.wrong_calls),
            **self.public_fields(),
        )
