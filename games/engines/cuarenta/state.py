"""The state of Cuarenta: dealing, legal moves and play."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar, NoReturn, Self

from games.core.captures import Sums, division
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
    open_zone,
    places,
)
from games.core.deals import Decks
from games.engines.cuarenta.moves import (
    HAND_SIZE,
    HIGHEST_VALUE,
    RANK,
    RANKS,
    SIDES,
    VALUES,
    Capture,
    Claim,
    CuarentaMove,
    Declare,
    Fall,
    Lay,
    Phase,
    Turn,
)
from games.engines.cuarenta.rondas import has_four, ronda_in
from games.engines.cuarenta.scoring import (
    COUNT_POINTS,
    COUNTED,
    FORTY,
    FOUR,
    GAMES_TO_WIN,
    LAST,
    LAST_HAND,
    LIMPIA_BAR,
    MAJORITY_POINTS,
    POINTS,
    TARGET,
    TITLES,
)
from games.engines.cuarenta.view import CuarentaView
from games.engines.cuarenta.words import run_in_words, told


class CuarentaState(State):
    """Lists by seat, or by side (seat % 2): piles, shown, scores, games.

    stock: next card first. pot: oldest first. piles: captured cards, the latest last.
    shown: the cards on each pile that came there with the last card played, open until the next one.
    laid_by: who laid the pot cards of this deal. last_play: seat and card, if the turn before laid one in this deal.
    claimer: who may claim what the last play overlooked, if it did; overlooked: what may be claimed, one group of
    cards, or several to choose from where a capture was left out altogether (option `capture`).
    lapsed: overlooked cards that nobody claimed in time. rondas: their cards, by seat, () without one.
    tried: seats that have declared against a proclaimer in this deal, or that need not any more.
    tally: how often each side scored by each rule in this hand. hand_number: within the game, `hands_before` in
    earlier games of the match. turns: those of this hand, everybody may look at those from `recent` on.
    """

    __slots__ = (
        "_decks", "_next_deck", "by", "claimer", "deal_number", "dealer", "falls", "game", "games", "hand_number",
        "hands", "hands_before", "laid_by", "lapsed", "last_capturer", "last_play", "options", "overlooked", "phase",
        "piles", "pot", "recent", "record", "results", "rondas", "scores", "seats", "shown", "stock", "tally",
        "to_act", "tried", "turns", "winner",
    )  # fmt: skip

    expired_claim_rule: ClassVar[str] = "oversight-expires"

    game: Game[Any, Any, Any]
    hands: list[list[Card]]
    stock: list[Card]
    pot: list[Card]
    piles: list[list[Card]]
    shown: list[tuple[Card, ...]]
    laid_by: dict[Card, int]
    last_play: tuple[int, Card] | None
    claimer: int | None
    overlooked: tuple[tuple[Card, ...], ...]
    lapsed: tuple[Card, ...]
    last_capturer: int | None
    rondas: list[tuple[Card, ...]]
    falls: tuple[Fall, ...]
    tried: tuple[tuple[int, int], ...]
    scores: list[int]
    games: list[int]
    tally: dict[str, list[int]]
    turns: list[Turn]
    record: tuple[Event, ...]
    results: tuple[HandResult, ...]
    winner: int | None
    by: str

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        """A table before the first card; `deal_hand` begins."""
        self.game = game
        self.seats = seats
        self.options = options
        self.dealer = dealer
        self.scores, self.games = [0] * SIDES, [0] * SIDES
        self.hand_number, self.hands_before = 1, 0
        self.results, self.record = (), ()
        self.winner, self.by = None, ""
        self.to_act = ()
        self.phase = Phase.PLAY
        self._decks = decks
        self._next_deck = 0
        self._clear_table()

    def _clear_table(self) -> None:
        self.hands = [[] for _ in range(self.seats)]
        self.stock, self.pot = [], []
        self.piles = [[] for _ in range(SIDES)]
        self.shown = [()] * SIDES
        self.overlooked, self.claimer, self.lapsed = (), None, ()
        self.last_capturer = None
        self.tally = {rule: [0] * SIDES for rule in POINTS}
        self.turns, self.recent = [], 0
        self.deal_number = 0
        self._clear_deal()

    def _clear_deal(self) -> None:
        self.last_play, self.laid_by = None, {}
        self.rondas = [()] * self.seats
        self.falls, self.tried = (), ()

    def side(self, seat: int) -> int:
        return seat % SIDES

    def _others_side(self, seat: int) -> int:
        return 1 - self.side(seat)

    # Dealing and announcements

    def deal_hand(self) -> None:
        self._clear_table()
        self.stock = list(self._decks[self._next_deck])
        self._next_deck += 1
        self.deal()

    def deal(self) -> None:
        """Five cards each in one batch, from the dealer's left; then what is announced."""
        self._clear_deal()
        self.deal_number += 1
        for seat in self._from_left_of_dealer():
            self.hands[seat] = self.stock[:HAND_SIZE]
            del self.stock[:HAND_SIZE]
        is_announced = self.deal_number == 1 or self.options["announce"] == "every"
        if not (is_announced and self._announce()):
            self._give_turn(after=self.dealer)

    def _from_left_of_dealer(self) -> list[int]:
        return [(self.dealer + step) % self.seats for step in range(1, self.seats + 1)]

    def _announce(self) -> bool:
        """Four of a kind wins before any ronda is booked; whether the game was won."""
        order = self._from_left_of_dealer()
        for seat in order:
            if has_four(self.hands[seat]):
                self.turns.append(Turn(seat, None, ("four-wins",)))
                self._win(self.side(seat), FOUR)
                return True
        for seat in order:
            cards = ronda_in(self.hands[seat], str(self.options["ronda"]))
            if cards:
                self.rondas[seat] = cards
                self.turns.append(Turn(seat, None, self._book(seat, "ronda")))
                if self._has_won(seat):
                    self._win(self.side(seat), FORTY)
                    return True
        return False

    # Scores on the way

    def _book(self, seat: int, rule: str) -> tuple[str, ...]:
        """Scores by a rule for the seat's side: the rule, or () at a table where its 38 points bar it."""
        if self._only_caidas_score(self.side(seat)):
            return ()
        return self._score(seat, rule)

    def _score(self, seat: int, rule: str) -> tuple[str, ...]:
        side = self.side(seat)
        self.scores[side] += POINTS[rule]
        self.tally[rule][side] += 1
        return (rule,)

    def _only_caidas_score(self, side: int) -> bool:
        return self.options["at_38"] == "only-caida" and self.scores[side] >= LIMPIA_BAR

    def _has_won(self, seat: int) -> bool:
        return self.scores[self.side(seat)] >= TARGET

    # Moves that are legal

    def legal_moves(self, seat: int) -> list[CuarentaMove]:
        if seat not in self.to_act:
            return []
        declarations: list[CuarentaMove] = [Declare(fall.card) for fall in self._declarable(seat)]
        claims: list[CuarentaMove] = [Claim(cards) for cards in self.overlooked if seat == self.claimer]
        if self.phase is Phase.DECLARE:
            return [*declarations, Declare()]
        if self.phase is Phase.CLAIM:
            return [*claims, Claim()]
        return [*claims, *declarations, *self._plays(seat)]

    def _plays(self, seat: int) -> list[CuarentaMove]:
        moves: list[CuarentaMove] = []
        sums = self._sums()
        may_lay = self.options["capture"] == "may"
        for card in by_display(self.hands[seat]):
            run = self._full_run(card)
            shortest = len(run) if self.options["oversight"] == "auto" else 0
            targets = self._targets(card, sums)
            if may_lay or not targets:
                moves.append(Lay(card))
            for taken in targets:
                moves += [Capture(card, taken, run[:length]) for length in range(shortest, len(run) + 1)]
        return moves

    def _sums(self) -> Sums:
        return Sums([card for card in by_display(self.pot) if card in VALUES], VALUES, HIGHEST_VALUE)

    def _targets(self, card: Card, sums: Sums) -> list[tuple[Card, ...]]:
        """What the card can capture by itself: each equal card, and each set that adds up to it."""
        matches = [(other,) for other in by_display(self.pot) if other[0] == card[0]]
        groups = sums.groups(VALUES.get(card, -1))
        largest = 2 if self.options["add_size"] == "two" else len(self.pot)
        return matches + [sums.pick(group) for group in groups if 2 <= group.bit_count() <= largest]

    def _full_run(self, card: Card) -> tuple[Card, ...]:
        """The unbroken run above the card; of equal ranks, which only `capture: may` allows, the oldest card."""
        by_rank = {other[0]: other for other in reversed(self.pot)}
        run = []
        for rank in RANKS[RANK[card[0]] + 1 :]:
            if rank not in by_rank:
                break
            run.append(by_rank[rank])
        return tuple(run)

    def _declarable(self, seat: int) -> list[Fall]:
        """The seat's catches that it may still declare; none where the table books them itself."""
        if self.options["ronda_claim"] == "auto":
            return []
        return [fall for fall in self.falls if fall.catcher == seat and self._is_open(fall)]

    def _is_open(self, fall: Fall) -> bool:
        return bool(self.rondas[fall.layer]) and (fall.catcher, fall.layer) not in self.tried

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_out_of_turn(move)
        match move:
            case Claim():
                self._check_claim(seat, move)
                self._claim(seat, move)
            case Declare():
                self._check_declaration(seat, move)
                self._declare(seat, move)
            case Lay():
                self._check_card(seat, move.card)
                self._check_lay(move)
                self._lay(seat, move)
            case Capture():
                self._check_card(seat, move.card)
                self._check_capture(move)
                self._capture(seat, move)
            case _:
                raise TypeError(f"not a move of Cuarenta: {move!r}")

    def _lay(self, seat: int, move: Lay) -> None:
        self._begin_play(seat, move.card)
        missed: tuple[tuple[Card, ...], ...] = ()
        if self.options["capture"] == "may":
            run = self._full_run(move.card)
            missed = tuple((*taken, *run) for taken in self._targets(move.card, self._sums()))
        self._overlook(seat, missed, is_open=self.options["capture"] == "may")
        self.pot.append(move.card)
        self.laid_by[move.card] = seat
        self.last_play = (seat, move.card)
        self.turns.append(Turn(seat, move))
        self._end_play(seat)

    def _capture(self, seat: int, move: Capture) -> None:
        missed = self._full_run(move.card)[len(move.run) :]
        is_caida = self.last_play is not None and move.taken == (self.last_play[1],)
        caught = move.taken if is_caida else ()
        if self.options["ronda_capture"] == "any":
            caught = (*move.taken, *move.run)
        may_score_limpia = self.scores[self.side(seat)] < LIMPIA_BAR
        self._begin_play(seat, move.card)
        self._note_falls(seat, caught)
        self._take(seat, (*move.taken, *move.run), first=(move.card,))
        self.last_capturer = seat
        self.last_play = None
        self._overlook(seat, (missed,) if missed else (), is_open=self.options["oversight"] == "claim")
        gains = self._score(seat, "caida") if is_caida else ()
        if not self.pot and may_score_limpia:
            gains += self._score(seat, "limpia")
        self.turns.append(Turn(seat, move, gains))
        self._end_play(seat)

    def _begin_play(self, seat: int, card: Card) -> None:
        """A card leaves the hand: earlier turns are covered, and an unused right to claim ends."""
        self.hands[seat].remove(card)
        self.shown = [()] * SIDES
        self.lapsed = tuple(dict.fromkeys([*self.lapsed, *chain.from_iterable(self.overlooked)]))
        self.recent = len(self.turns)

    def _overlook(self, seat: int, missed: tuple[tuple[Card, ...], ...], *, is_open: bool) -> None:
        """Whether the next player may claim; at a table where that can be, only he finds out if there is anything."""
        self.overlooked = missed
        self.claimer = (seat + 1) % self.seats if is_open and self.pot else None

    def _take(self, seat: int, cards: Sequence[Card], first: tuple[Card, ...] = ()) -> None:
        """Cards of the pot, and the card played, go to the pile of the seat's side."""
        side = self.side(seat)
        self.pot = [card for card in self.pot if card not in cards]
        for card in cards:
            self.laid_by.pop(card, None)
        self.lapsed = tuple([card for card in self.lapsed if card not in cards])
        self.piles[side] += [*first, *cards]
        self.shown[side] = (*self.shown[side], *first, *cards)

    def _note_falls(self, seat: int, cards: Iterable[Card]) -> None:
        for card in cards:
            layer = self.laid_by.get(card)
            if layer is not None and self.side(layer) != self.side(seat) and self.rondas[layer]:
                self.falls += (Fall(seat, layer, card),)

    def _claim(self, seat: int, move: Claim) -> None:
        self.overlooked, self.claimer = (), None
        if move.cards:
            self._take(seat, move.cards)
        self.turns.append(Turn(seat, move))
        if self.phase is Phase.CLAIM:
            self._close_deal()

    def _declare(self, seat: int, move: Declare) -> None:
        answered = [fall for fall in self._declarable(seat) if move.card in (None, fall.card)]
        self.tried += tuple({(seat, fall.layer): None for fall in answered})
        gains: tuple[str, ...] = ()
        if move.card and move.card in self.rondas[answered[0].layer]:
            gains = self._catch_ronda(answered[0])
        self.turns.append(Turn(seat, move, gains))
        if self._has_won(seat):
            self._win(self.side(seat), FORTY)
        elif self.phase is Phase.DECLARE:
            self._close_deal()

    def _catch_ronda(self, fall: Fall) -> tuple[str, ...]:
        """The ten points, once: nobody can declare against this proclaimer any more."""
        others = [(seat, fall.layer) for seat in range(self.seats) if (seat, fall.layer) not in self.tried]
        self.tried += tuple(others)
        return self._book(fall.catcher, "ronda-caida")

    # Turns, deals and hands

    def _end_play(self, seat: int) -> None:
        if self._has_won(seat):
            self._win(self.side(seat), FORTY)
        elif any(self.hands):
            self._give_turn(after=seat)
        else:
            self._close_deal()

    def _give_turn(self, after: int) -> None:
        order = [(after + step) % self.seats for step in range(1, self.seats + 1)]
        self.phase = Phase.PLAY
        self.to_act = (next(seat for seat in order if self.hands[seat]),)
        if self.last_play and (self.last_play[0] + 1) % self.seats != self.to_act[0]:
            self.last_play = None  # where hands were cut down: nobody falls on a card but the next in turn

    def _close_deal(self) -> None:
        """After the last card of a deal: declarations, then the next deal, or the last claim and the count."""
        if self.options["ronda_claim"] == "auto" and self._book_rondas():
            return
        declarer = next((seat for seat in self._from_left_of_dealer() if self._declarable(seat)), None)
        if declarer is not None:
            self.phase, self.to_act = Phase.DECLARE, (declarer,)
        elif self.stock:
            self.deal()
        elif self.overlooked and self.claimer is not None:
            self.phase, self.to_act = Phase.CLAIM, (self.claimer,)
        else:
            self._count()

    def _book_rondas(self) -> bool:
        """Books every caught ronda, in turn order from the dealer's left; whether the game was won by it."""
        for seat in self._from_left_of_dealer():
            for fall in self.falls:
                if fall.catcher == seat and self._is_open(fall) and fall.card in self.rondas[fall.layer]:
                    self.turns.append(Turn(seat, Declare(fall.card), self._catch_ronda(fall)))
                    if self._has_won(seat):
                        self._win(self.side(seat), FORTY)
                        return True
        return False

    def _count(self) -> None:
        if self.options["residue"] == "last" and self.last_capturer is not None:
            self._take(self.last_capturer, self.pot)
            self.last_play = None
        side, rule, points = self.count_of([len(pile) for pile in self.piles])
        if self._only_caidas_score(side):
            points = 0
        self.scores[side] += points
        counts = len(self.piles[side]), len(self.piles[1 - side])
        self._close_hand(self._line(side, rule, f"Cards: {counts[0]} against {counts[1]}", points))
        if self.scores[side] >= TARGET:
            self._end_game(side, FORTY)
        elif self.hand_number == LAST_HAND:
            self._end_game(self._leader(), LAST)
        else:
            self.dealer = (self.dealer + 1) % self.seats
            self.hand_number += 1
            self.deal_hand()

    def count_of(self, counts: Sequence[int]) -> tuple[int, str, int]:
        """The side that scores with these numbers of captured cards, the rule, and the points."""
        elder = self._others_side(self.dealer)
        more = elder if counts[0] == counts[1] else counts.index(max(counts))
        if counts[more] < COUNTED:
            return more, "count-neither", MAJORITY_POINTS
        if counts[0] == counts[1]:
            return elder, "count-both", COUNT_POINTS
        extra = counts[more] - COUNTED
        if self.options["count"] == "even":
            return more, "count-twenty", COUNT_POINTS + 2 * -(-extra // 2)
        return more, "count-twenty", COUNT_POINTS + extra // 2

    def _leader(self) -> int:
        """The side with more points; if they are equal the one that did not deal."""
        if self.scores[0] == self.scores[1]:
            return self._others_side(self.dealer)
        return self.scores.index(max(self.scores))

    # The end of a hand and of the game

    def _win(self, side: int, by: str) -> None:
        """The game is won in the middle of a hand."""
        seat = self.turns[-1].seat
        lines = [self._line(side, "four-wins", f"Four of a kind dealt to @{seat}", 0)] if by == FOUR else []
        self._close_hand(*lines)
        self._end_game(side, by)

    def _close_hand(self, *last: ScoreLine) -> None:
        lines = (*self._tally_lines(), *last)
        points = [sum(line.points for line in lines if seat in line.seats) for seat in range(self.seats)]
        summary = ", ".join(f"{self.name_of(side)} {points[side]}" for side in range(SIDES))
        zones = [
            open_zone(f"pile:{side}", "pile", f"Captured by {self.name_of(side)}", by_display(pile), owner=side)
            for side, pile in enumerate(self.piles)
        ]
        if self.pot:
            zones.append(open_zone("pot", "row", "Left in the pot", self.pot))
        number = self.hands_before + self.hand_number
        result = HandResult(number, f"This hand: {summary}.", tuple(points), lines, tuple(zones))
        self.results = (*self.results, result)
        self.record += tuple([told(turn) for turn in self.turns])
        self.turns, self.recent = [], 0

    def _tally_lines(self) -> Iterator[ScoreLine]:
        for rule, times in self.tally.items():
            for side in range(SIDES):
                if times[side]:
                    yield self._line(side, rule, f"{TITLES[rule]}: {times[side]}", times[side] * POINTS[rule])

    def _line(self, side: int, rule: str, text: str, points: int) -> ScoreLine:
        return ScoreLine(self._seats_of(side), f"{self.game.slug}:{rule}", text, points)

    def _seats_of(self, side: int) -> tuple[int, ...]:
        return tuple(range(side, self.seats, SIDES))

    def name_of(self, side: int) -> str:
        return " and ".join(f"@{seat}" for seat in self._seats_of(side))

    def _end_game(self, side: int, by: str) -> None:
        """Ends the match, or lets the next seat of the losing side deal another game."""
        self.games[side] += 1
        if self.games[side] == GAMES_TO_WIN[str(self.options["match"])]:
            self.winner, self.by = side, by
            self.phase, self.to_act = Phase.OVER, ()
            self.overlooked, self.claimer = (), None
            return
        self.hands_before += self.hand_number
        self.hand_number = 1
        self.scores = [0] * SIDES
        order = self._from_left_of_dealer()
        self.dealer = next(seat for seat in order if self.side(seat) != side)
        self.deal_hand()

    def outcome(self) -> Outcome | None:
        """`scores` are the points of the game, in a match of several the games won."""
        if self.winner is None:
            return None
        by_side = self.games if self.options["match"] != "1" else self.scores
        wins = [self.side(seat) == self.winner for seat in range(self.seats)]
        return Outcome(self._by_seat(by_side), places(wins), self._reason(self.winner))

    def _reason(self, side: int) -> str:
        name, points = self.name_of(side), f"{self.scores[side]} to {self.scores[1 - side]}"
        reason = {
            FOUR: f"{name} won at once with four of a kind, dealt in one hand.",
            FORTY: f"{name} reached {TARGET} and won {points}.",
            LAST: f"Hand {LAST_HAND} was the last one; {name} won {points}.",
        }[self.by]
        if self.options["match"] == "1":
            return reason
        return f"{reason} That makes {self.games[side]} games to {self.games[1 - side]}."

    def _by_seat(self, by_side: Sequence[int]) -> tuple[int, ...]:
        return tuple([by_side[self.side(seat)] for seat in range(self.seats)])

    # Refusals, in the order in which the rules are tested

    def _refuse(self, rule: str, message: str) -> NoReturn:
        self.game.refuse(rule, message)

    def _refuse_out_of_turn(self, move: Move) -> NoReturn:
        if not self.to_act:
            raise NotYourTurn("The game is over; nobody plays any more.", rule=f"{self.game.slug}:forty-wins")
        if isinstance(move, Claim):
            message = "Overlooked cards are claimed at the start of one's turn, before playing a card. Wait for yours."
            raise NotYourTurn(message, rule=f"{self.game.slug}:{self.expired_claim_rule}")
        raise NotYourTurn("It is another player's turn; yours will come.", rule=f"{self.game.slug}:turn-order")

    def _check_claim(self, seat: int, move: Claim) -> None:
        if self.phase is Phase.DECLARE:
            self._refuse_to_leave_declaration()
        if not move.cards:
            if self.phase is Phase.PLAY:
                self._refuse("oversight", "Nothing has to be declined now: play a card.")
            return
        if seat != self.claimer or not self.overlooked:
            self._refuse_claim(move)
        if move.cards not in self.overlooked:
            self._refuse("oversight", "That is not what was overlooked; claim all of those cards and no others.")

    def _refuse_claim(self, move: Claim) -> NoReturn:
        if set(move.cards) & set(self.lapsed):
            self._refuse(
                self.expired_claim_rule,
                "These cards were overlooked earlier; the right to claim them ended when a card was played. "
                "Play a card.",
            )
        self._refuse("oversight", "The last play overlooked nothing that you may claim. Play a card.")

    def _check_declaration(self, seat: int, move: Declare) -> None:
        if self.phase is Phase.CLAIM:
            self._refuse_to_leave_claim()
        if move.card is None:
            if self.phase is Phase.PLAY:
                self._refuse("ronda-declare", "You are not asked for a declaration now: play a card.")
            return
        if self.options["ronda_claim"] == "auto":
            self._refuse("ronda-declare", "At this table a caught ronda is booked after the deal. Play a card.")
        declarable = [fall.card for fall in self._declarable(seat)]
        if move.card not in declarable:
            self._refuse_declaration(seat, move.card, declarable)

    def _refuse_declaration(self, seat: int, card: Card, declarable: Sequence[Card]) -> NoReturn:
        if any((fall.catcher, fall.card) == (seat, card) and (seat, fall.layer) in self.tried for fall in self.falls):
            self._refuse("ronda-declare", "That ronda is settled, and there is no second try. Play on.")
        choice = f"you may name {' '.join(declarable)}" if declarable else "you have none to declare, so play on"
        self._refuse("ronda-caida", f"{card} is not a card that you caught from a proclaimer in this deal; {choice}.")

    def _refuse_to_leave_declaration(self) -> NoReturn:
        self._refuse("ronda-declare", "First say which caught card was of the ronda (R:4H), or decline (R-).")

    def _refuse_to_leave_claim(self) -> NoReturn:
        self._refuse("oversight", "The hand is played out: claim what was overlooked (O:5D6S), or decline (O-).")

    def _check_card(self, seat: int, card: Card) -> None:
        if self.phase is Phase.DECLARE:
            self._refuse_to_leave_declaration()
        if self.phase is Phase.CLAIM:
            self._refuse_to_leave_claim()
        if card not in self.hands[seat]:
            hand = " ".join(by_display(self.hands[seat]))
            self._refuse("turn-order", f"{card} is not in your hand; play one of {hand}.")

    def _check_lay(self, move: Lay) -> None:
        if self.options["capture"] == "must" and self._targets(move.card, self._sums()):
            self._refuse(
                "capture-must",
                f"{move.card} can match or add, so it may not just be laid: take something with it, or play another "
                "card.",
            )

    def _check_capture(self, move: Capture) -> None:
        self._check_in_pot("match" if len(move.taken) == 1 else "add", move.taken)
        if len(move.taken) == 1:
            self._check_match(move.card, move.taken[0])
        else:
            self._check_add(move.card, move.taken)
        self._check_run(move)

    def _check_in_pot(self, rule: str, cards: Sequence[Card]) -> None:
        for card in cards:
            if card not in self.pot:
                lying = f"choose from {' '.join(by_display(self.pot))}" if self.pot else "it is empty"
                self._refuse(rule, f"{card} is not in the pot; {lying}.")
        if len(set(cards)) < len(cards):
            self._refuse(rule, "A card counts once in a capture; name each of them once.")

    def _check_match(self, card: Card, other: Card) -> None:
        if card[0] != other[0]:
            self._refuse(
                "match",
                f"{card} matches only a card of its own rank, and {other} is none; take an equal card, or cards that "
                f"add up to {card}.",
            )

    def _check_add(self, card: Card, taken: tuple[Card, ...]) -> None:
        faces = [other for other in (card, *taken) if other not in VALUES]
        if faces:
            self._refuse(
                "add-no-faces",
                f"{faces[0]} has no value, so it neither adds nor is added; it is taken by an equal card or in a "
                "sequence.",
            )
        value = VALUES[card]
        both = any(other[0] == card[0] for other in taken)
        if both or (sum(VALUES[other] for other in taken) > value and division(taken, VALUES, value)):
            self._refuse(
                "one-capture",
                f"A turn has one capture: {card} takes either one equal card or one set that adds up to {value}.",
            )
        if sum(VALUES[other] for other in taken) != value:
            self._refuse("add", f"{' '.join(taken)} do not add up to {value}; choose cards that do.")
        if self.options["add_size"] == "two" and len(taken) != 2:
            self._refuse("add", f"At this table an adding set has exactly two cards; {' '.join(taken)} are more.")

    def _check_run(self, move: Capture) -> None:
        self._check_in_pot("sequence", move.run)
        full = self._full_run(move.card)
        if any(RANK[card[0]] <= RANK[move.card[0]] for card in move.run):
            self._refuse("sequence", f"A sequence goes upward from {move.card}: {run_in_words(full)} may come along.")
        if move.run != full[: len(move.run)]:
            if [card[0] for card in move.run] == [card[0] for card in full[: len(move.run)]]:
                self._refuse("sequence", f"Of equal ranks the older card comes along: {run_in_words(full)}.")
            self._refuse(
                "sequence-gap",
                f"A sequence has no gap: {run_in_words(full)} may come along with {move.card}, from the lowest on.",
            )
        if self.options["oversight"] == "auto" and move.run != full:
            self._refuse("oversight", f"At this table a sequence is taken whole: {run_in_words(full)}.")

    # What others see of it

    def view(self, seat: int | None) -> "CuarentaView":
        turns = tuple(self.turns[self.recent :])
        return CuarentaView(
            seat=seat,
            seats=self.seats,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=self._by_seat(self.scores),
            log=self.record + tuple([told(turn) for turn in turns]),
            results=self.results,
            phase=self.phase,
            dealer=self.dealer,
            hand_number=self.hand_number,
            hands_before=self.hands_before,
            deal_number=self.deal_number,
            games=tuple(self.games),
            hands=tuple([self._hand_as_seen(owner, seat) for owner in range(self.seats)]),
            hand_counts=tuple([len(hand) for hand in self.hands]),
            stock_count=len(self.stock),
            pot=tuple(self.pot),
            pile_counts=tuple([len(pile) for pile in self.piles]),
            shown=tuple(self.shown),
            last_play=self.last_play,
            claimer=self.claimer,
            overlooked=self.overlooked,
            last_capturer=self.last_capturer,
            proclaimers=tuple([owner for owner, cards in enumerate(self.rondas) if cards]),
            ronda=() if seat is None else self.rondas[seat],
            falls=tuple([fall for fall in self.falls if fall.catcher == seat]),
            tried=self.tried,
            tally=tuple([tuple(times) for times in self.tally.values()]),
            turns=turns,
            winner=self.winner,
            by=self.by,
        )

    def _hand_as_seen(self, owner: int, viewer: int | None) -> tuple[Card, ...] | None:
        return tuple(by_display(self.hands[owner])) if self.may_see(owner, viewer) else None

    def may_see(self, owner: int, viewer: int | None) -> bool:
        """Whether the viewer may look at the owner's hand."""
        return owner == viewer

    def cards(self) -> list[Card]:
        return [*self.stock, *self.pot, *chain.from_iterable(self.hands), *chain.from_iterable(self.piles)]

    def copy(self) -> Self:
        other = object.__new__(type(self))
        for name in CuarentaState.__slots__:
            setattr(other, name, getattr(self, name))
        other.hands = [hand[:] for hand in self.hands]
        other.piles = [pile[:] for pile in self.piles]
        other.stock, other.pot = self.stock[:], self.pot[:]
        other.shown, other.rondas = self.shown[:], self.rondas[:]
        other.scores, other.games = self.scores[:], self.games[:]
        other.laid_by, other.turns = self.laid_by.copy(), self.turns[:]
        other.tally = {rule: times[:] for rule, times in self.tally.items()}
        return other

    def dump(self) -> Position:
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "dealer": self.dealer,
            "hand": self.hand_number,
            "hands_before": self.hands_before,
            "deal_no": self.deal_number,
            "phase": str(self.phase),
            "to_move": self.to_act[0] if self.to_act else None,
            "hands": [list(hand) for hand in self.hands],
            "stock": list(self.stock),
            "pot": list(self.pot),
            "laid_by": dict(self.laid_by),
            "last_play": list(self.last_play) if self.last_play else None,
            "claimer": self.claimer,
            "overlooked": [list(cards) for cards in self.overlooked],
            "lapsed": list(self.lapsed),
            "captured": [list(pile) for pile in self.piles],
            "shown": [list(cards) for cards in self.shown],
            "last_capturer": self.last_capturer,
            "rondas": [list(cards) for cards in self.rondas],
            "falls": [list(fall) for fall in self.falls],
            "tried": [list(pair) for pair in self.tried],
            "tally": {rule: list(times) for rule, times in self.tally.items()},
            "turns": [
                [turn.seat, str(turn.move) if turn.move else None, list(turn.gains)]
                for turn in self.turns[self.recent :]
            ],
            "scores": list(self.scores),
            "games": list(self.games),
            "winner": self.winner,
            "by": self.by or None,
        }
