"""The state of Cuarenta: dealing, legal moves, play, and the rules that a move is tested by."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, ClassVar, NoReturn

from games.core.captures import Sums, division
from games.core.cards import Card, by_display
from games.core.contract import Event, Game, Move, Options, Outcome, ScoreLine, places
from games.core.deals import Decks
from games.core.dealt import DealtState
from games.engines.cuarenta import words
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
from games.engines.cuarenta.rondas import four_in, ronda_in
from games.engines.cuarenta.scoring import (
    FORTY,
    FOUR,
    GAMES_TO_WIN,
    LAST,
    LAST_HAND,
    LIMPIA_BAR,
    POINTS,
    TARGET,
    HandCount,
    card_count,
    leader,
    outcome_reason,
)
from games.engines.cuarenta.view import CuarentaView


class CuarentaState(DealtState):
    """A game of Cuarenta. Lists are by seat, or by side (seat % 2): piles, shown, scores, games.

    stock: next card first. pot: oldest first. piles: captured cards, the latest last.
    shown: the cards on each pile that came there with the last card played, open until the next one.
    deal_number: of the hand within the game, `hands_before` in earlier games of the match. batch_number: of the five
    cards each that are dealt at a time, which the rules call a deal.
    laid_by: who played the cards of this batch. last_play: seat and card, if the turn before laid one in this batch.
    claimer: who may claim what the last play overlooked, if it did; overlooked: what may be claimed, one group of
    cards, or several to choose from where a capture was left out altogether (option `capture`).
    lapsed: overlooked cards that nobody claimed in time. rondas: their cards, by seat, () without one.
    tried: seats that have declared against a proclaimer in this batch, or that no longer need to.
    tally: how often each side scored by each rule in this hand.
    turns: those of this hand, everybody may look at those from `recent` on. log: what was done in earlier hands.
    winner, by: the side that has won the match, and how.
    """

    __slots__ = (
        "batch_number", "by", "claimer", "falls", "games", "hands", "hands_before", "laid_by", "lapsed",
        "last_capturer", "last_play", "log", "overlooked", "phase", "piles", "pot", "recent", "rondas", "shown",
        "stock", "tally", "tried", "turns", "winner",
    )  # fmt: skip

    PUBLIC = (
        *DealtState.PUBLIC,
        *("phase", "deal_number", "hands_before", "batch_number", "last_play", "claimer", "overlooked"),
        *("last_capturer", "tried", "winner", "by"),
    )

    expired_claim_rule: ClassVar[str] = "oversight-expires"

    phase: Phase
    batch_number: int
    hands_before: int
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
    games: list[int]
    tally: dict[str, list[int]]
    turns: list[Turn]
    recent: int
    log: tuple[Event, ...]
    winner: int | None
    by: str

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)
        self.scores, self.games = [0] * SIDES, [0] * SIDES
        self.hands_before = 0
        self.log = ()
        self.winner, self.by = None, ""
        self.phase = Phase.PLAY

    def clear_table(self) -> None:
        self.hands = [[] for _ in range(self.seats)]
        self.stock, self.pot = [], []
        self.piles = [[] for _ in range(SIDES)]
        self.shown = [()] * SIDES
        self.overlooked, self.claimer, self.lapsed = (), None, ()
        self.last_capturer = None
        self.tally = {rule: [0] * SIDES for rule in POINTS}
        self.turns, self.recent = [], 0
        self.batch_number = 0
        self._clear_batch()

    def _clear_batch(self) -> None:
        self.last_play, self.laid_by = None, {}
        self.rondas = [()] * self.seats
        self.falls, self.tried = (), ()

    def side(self, seat: int) -> int:
        return seat % SIDES

    # Dealing and announcements

    def deal_hand(self) -> None:
        self.clear_table()
        self.stock = list(self.next_deck())
        self.deal_batch()

    def deal_batch(self) -> None:
        """Five cards each, from the dealer's left; then what is announced."""
        self._clear_batch()
        self.batch_number += 1
        for seat in self.seats_after(self.dealer):
            self.hands[seat] = self.stock[:HAND_SIZE]
            del self.stock[:HAND_SIZE]
        is_announced = self.batch_number == 1 or self.options["announce"] == "every"
        if not (is_announced and self._announce()):
            self.give_turn(after=self.dealer)

    def _announce(self) -> bool:
        """Four of a kind wins before any ronda is booked; whether the game was won."""
        order = list(self.seats_after(self.dealer))
        for seat in order:
            if four_in(self.hands[seat]):
                self.turns.append(Turn(seat, None, ("four-wins",)))
                self._win(self.side(seat), FOUR)
                return True
        for seat in order:
            cards = ronda_in(self.hands[seat], str(self.options["ronda"]))
            if cards:
                self.rondas[seat] = cards
                self.turns.append(Turn(seat, None, self._score_unless_barred(seat, "ronda")))
                if self._has_won(seat):
                    self._win(self.side(seat), FORTY)
                    return True
        return False

    # Scores on the way

    def _score(self, seat: int, rule: str) -> tuple[str, ...]:
        """Scores by a rule for the seat's side, and returns the rule."""
        side = self.side(seat)
        self.scores[side] += POINTS[rule]
        self.tally[rule][side] += 1
        return (rule,)

    def _score_unless_barred(self, seat: int, rule: str) -> tuple[str, ...]:
        """The same, or () at a table where the 38 points of the side bar this rule."""
        return () if self._only_caidas_score(self.side(seat)) else self._score(seat, rule)

    def _only_caidas_score(self, side: int) -> bool:
        return self.options["at_38"] == "only-caida" and self.scores[side] >= LIMPIA_BAR

    def _has_won(self, seat: int) -> bool:
        return self.scores[self.side(seat)] >= TARGET

    # Legal moves

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
        self.make_move(seat, move)
        is_card = isinstance(move, Lay | Capture)
        if self._has_won(seat):
            self._win(self.side(seat), FORTY)
        elif is_card and any(self.hands):
            self.give_turn(after=seat)
        elif is_card or self.phase is not Phase.PLAY:
            self.close_batch()

    def make_move(self, seat: int, move: Move) -> None:
        """Plays the move of the seat to act, with what it scores; the turn does not pass yet. :raises IllegalMove:"""
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

    def _capture(self, seat: int, move: Capture) -> None:
        missed = self._full_run(move.card)[len(move.run) :]
        is_caida = self.last_play is not None and move.taken == (self.last_play[1],)
        caught = move.taken if is_caida else ()
        if self.options["ronda_capture"] == "any":
            caught = (*move.taken, *move.run)
        may_score_limpia = self.scores[self.side(seat)] < LIMPIA_BAR
        self._begin_play(seat, move.card)
        self.laid_by[move.card] = seat
        self._note_falls(seat, caught)
        self._take(seat, (*move.taken, *move.run), first=(move.card,))
        self.last_capturer = seat
        self.last_play = None
        self._overlook(seat, (missed,) if missed else (), is_open=self.options["oversight"] == "claim")
        gains = self._score(seat, "caida") if is_caida else ()
        if not self.pot and may_score_limpia:
            gains += self._score(seat, "limpia")
        self.turns.append(Turn(seat, move, gains))

    def _begin_play(self, seat: int, card: Card) -> None:
        """A card leaves the hand: earlier turns are covered, and an unused right to claim ends."""
        self.hands[seat].remove(card)
        self.shown = [()] * SIDES
        self.lapsed = tuple(dict.fromkeys([*self.lapsed, *chain.from_iterable(self.overlooked)]))
        self.recent = len(self.turns)

    def _overlook(self, seat: int, missed: tuple[tuple[Card, ...], ...], *, is_open: bool) -> None:
        """The next player may claim, whether something was overlooked or not: only they find out."""
        self.overlooked = missed
        self.claimer = self.seat_after(seat) if is_open and self.pot else None

    def _take(self, seat: int, cards: Sequence[Card], first: tuple[Card, ...] = ()) -> None:
        """Cards of the pot, and the card played, go to the pile of the seat's side."""
        side = self.side(seat)
        self.pot = [card for card in self.pot if card not in cards]
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

    def _declare(self, seat: int, move: Declare) -> None:
        answered = [fall for fall in self._declarable(seat) if move.card in (None, fall.card)]
        self.tried += tuple({(seat, fall.layer): None for fall in answered})
        gains: tuple[str, ...] = ()
        if move.card and move.card in self.rondas[answered[0].layer]:
            gains = self._catch_ronda(answered[0])
        self.turns.append(Turn(seat, move, gains))

    def _catch_ronda(self, fall: Fall) -> tuple[str, ...]:
        """The ten points, once: no one can declare against this proclaimer now."""
        others = [(seat, fall.layer) for seat in range(self.seats) if (seat, fall.layer) not in self.tried]
        self.tried += tuple(others)
        return self._score_unless_barred(fall.catcher, "ronda-caida")

    # Turns, batches and hands

    def give_turn(self, after: int) -> None:
        self.phase = Phase.PLAY
        self.to_act = (next(seat for seat in self.seats_after(after) if self.hands[seat]),)
        if self.last_play and self.seat_after(self.last_play[0]) != self.to_act[0]:
            self.last_play = None  # where hands were cut down: nobody falls on a card but the next in turn

    def close_batch(self) -> None:
        """After the last card of a batch: declarations, then the next batch, or the last claim and the count."""
        if self.options["ronda_claim"] == "auto" and self._book_rondas():
            return
        declarer = next((seat for seat in self.seats_after(self.dealer) if self._declarable(seat)), None)
        if declarer is not None:
            self.phase, self.to_act = Phase.DECLARE, (declarer,)
        elif self.stock:
            self.deal_batch()
        elif self.overlooked and self.claimer is not None:
            self.phase, self.to_act = Phase.CLAIM, (self.claimer,)
        else:
            self.end_hand()

    def _book_rondas(self) -> bool:
        """Books every caught ronda, in turn order from the dealer's left; whether the game was won by it."""
        for seat in self.seats_after(self.dealer):
            for fall in self.falls:
                if fall.catcher == seat and self._is_open(fall) and fall.card in self.rondas[fall.layer]:
                    self.turns.append(Turn(seat, Declare(fall.card), self._catch_ronda(fall)))
                    if self._has_won(seat):
                        self._win(self.side(seat), FORTY)
                        return True
        return False

    def end_hand(self) -> None:
        """Counts the captured cards of a hand that is played out; ends the game or deals the next hand."""
        if self.options["residue"] == "last" and self.last_capturer is not None:
            self._take(self.last_capturer, self.pot)
            self.last_play = None
        counts = [len(pile) for pile in self.piles]
        side, rule, points = card_count(counts, self._elder, is_even=self.options["count"] == "even")
        if self._only_caidas_score(side):
            points = 0
        self.scores[side] += points
        self._record_hand(self._hand_count().cards_line(side, rule, points))
        if self.scores[side] >= TARGET:
            self._end_game(side, FORTY)
        elif self.deal_number == LAST_HAND:
            self._end_game(leader(self.scores, self._elder), LAST)
        else:
            self.dealer = self.seat_after(self.dealer)
            self.deal_number += 1
            self.deal_hand()

    @property
    def _elder(self) -> int:
        """The side that did not deal."""
        return 1 - self.side(self.dealer)

    # The end of a hand and of the game

    def _win(self, side: int, by: str) -> None:
        """The game is won in the middle of a hand."""
        text = f"Four of a kind dealt to @{self.turns[-1].seat}"
        lines = [self._hand_count().line(side, "four-wins", text, 0)] if by == FOUR else []
        self._record_hand(*lines)
        self._end_game(side, by)

    def _hand_count(self) -> HandCount:
        return HandCount(self.game.slug, self.seats, self.tally, self.piles, self.pot, self._winning_deal())

    def _winning_deal(self) -> dict[int, tuple[Card, ...]]:
        """The cards by whose announcement the last turn has won the game, by seat; {} if it was won otherwise."""
        if not self.turns or self.turns[-1].move is not None:
            return {}
        seat, gains = self.turns[-1].seat, self.turns[-1].gains
        if "four-wins" in gains:
            return {seat: four_in(self.hands[seat])}
        return {seat: self.rondas[seat]} if self._has_won(seat) else {}

    def _record_hand(self, *last: ScoreLine) -> None:
        """Adds the result of the hand, with these lines after those of the tally."""
        self.results = (*self.results, self._hand_count().result(self.hands_before + self.deal_number, last))
        self.log += tuple([words.turn_event(turn) for turn in self.turns])
        self.turns, self.recent = [], 0

    def _end_game(self, side: int, by: str) -> None:
        """Ends the match, or lets the next seat of the losing side deal another game."""
        self.games[side] += 1
        if self.games[side] == GAMES_TO_WIN[str(self.options["match"])]:
            self.winner, self.by = side, by
            self.phase, self.to_act = Phase.OVER, ()
            self.overlooked, self.claimer = (), None
            return
        self.hands_before += self.deal_number
        self.deal_number = 1
        self.scores = [0] * SIDES
        self.dealer = next(seat for seat in self.seats_after(self.dealer) if self.side(seat) != side)
        self.deal_hand()

    def outcome(self) -> Outcome | None:
        """`scores` are the points of the game, in a match of several the games won."""
        if self.winner is None:
            return None
        match = str(self.options["match"])
        wins = [self.side(seat) == self.winner for seat in range(self.seats)]
        reason = outcome_reason(
            *(self.winner, self.by, self.scores, self.games),
            seats=self.seats,
            match=match,
            has_ronda=all(len(hand) == HAND_SIZE for hand in self.hands),  # nobody has played since the deal
        )
        return Outcome(self._by_seat(self.scores if match == "1" else self.games), places(wins), reason)

    def _by_seat(self, by_side: Sequence[int]) -> tuple[int, ...]:
        return tuple([by_side[self.side(seat)] for seat in range(self.seats)])

    # What a move is tested by, in the order of the rules

    def _refuse_out_of_turn(self, move: Move) -> NoReturn:
        if not self.to_act:
            self.game.refuse_turn("forty-wins", words.GAME_OVER)
        if isinstance(move, Claim):
            self.game.refuse_turn(self.expired_claim_rule, words.CLAIM_WAITS)
        self.game.refuse_turn("turn-order", words.NOT_YOUR_TURN)

    def _check_claim(self, seat: int, move: Claim) -> None:
        if self.phase is Phase.DECLARE:
            self.refuse("ronda-declare", words.DECLARE_FIRST)
        if not move.cards:
            if self.phase is Phase.PLAY:
                self.refuse("oversight", "There is nothing to decline. Play a card.")
            return
        if seat != self.claimer or not self.overlooked:
            if set(move.cards) & set(self.lapsed):
                self.refuse(self.expired_claim_rule, words.CLAIM_EXPIRED)
            self.refuse("oversight", "The last play overlooked nothing that you may claim. Play a card.")
        if move.cards not in self.overlooked:
            self.refuse("oversight", "Those aren't exactly the overlooked cards. Claim all of them, and no others.")

    def _check_declaration(self, seat: int, move: Declare) -> None:
        if self.phase is Phase.CLAIM:
            self.refuse("oversight", words.CLAIM_FIRST)
        if move.card is None:
            if self.phase is Phase.PLAY:
                self.refuse("ronda-declare", "There is nothing to declare now. Play a card.")
            return
        if self.options["ronda_claim"] == "auto":
            self.refuse("ronda-declare", "At this table a caught ronda scores by itself after the deal. Play a card.")
        declarable = [fall.card for fall in self._declarable(seat)]
        if move.card not in declarable:
            self.refuse_declaration(seat, move.card, declarable)

    def refuse_declaration(self, seat: int, card: Card, declarable: Sequence[Card]) -> NoReturn:
        """Refuses to declare a card that the seat may not declare."""
        if any((fall.catcher, fall.card) == (seat, card) and (seat, fall.layer) in self.tried for fall in self.falls):
            self.refuse("ronda-declare", "You have named a card for that ronda, and there is no second try. Play on.")
        self.refuse("ronda-caida", words.not_caught(card, declarable))

    def _check_card(self, seat: int, card: Card) -> None:
        if self.phase is Phase.DECLARE:
            self.refuse("ronda-declare", words.DECLARE_FIRST)
        if self.phase is Phase.CLAIM:
            self.refuse("oversight", words.CLAIM_FIRST)
        if card not in self.hands[seat]:
            self.refuse("turn-order", words.not_in_hand(card, self.hands[seat]))

    def _check_lay(self, move: Lay) -> None:
        if self.options["capture"] == "must" and self._targets(move.card, self._sums()):
            self.refuse("capture-must", words.must_capture(move.card))

    def _check_capture(self, move: Capture) -> None:
        self._check_in_pot("match" if len(move.taken) == 1 else "add", move.taken)
        if len(move.taken) != 1:
            self._check_add(move.card, move.taken)
        elif move.card[0] != move.taken[0][0]:
            self.refuse("match", words.not_equal(move.card, move.taken[0]))
        self._check_run(move)

    def _check_in_pot(self, rule: str, cards: Sequence[Card]) -> None:
        for card in cards:
            if card not in self.pot:
                self.refuse(rule, words.not_in_pot(card, self.pot))
        if len(set(cards)) < len(cards):
            self.refuse(rule, "A card counts once in a capture. Name each card once.")

    def _check_add(self, card: Card, taken: tuple[Card, ...]) -> None:
        faces = [other for other in (card, *taken) if other not in VALUES]
        if faces:
            self.refuse("add-no-faces", words.has_no_value(faces[0]))
        value, total = VALUES[card], sum(VALUES[other] for other in taken)
        has_equal = any(other[0] == card[0] for other in taken)
        if has_equal or (total > value and division(taken, VALUES, value)):
            self.refuse("one-capture", words.one_capture(card, value))
        if total != value:
            self.refuse("add", words.wrong_total(taken, total, value))
        if self.options["add_size"] == "two" and len(taken) != 2:
            self.refuse("add", f"At this table you add exactly two cards, and {' '.join(taken)} are more.")

    def _check_run(self, move: Capture) -> None:
        self._check_in_pot("sequence", move.run)
        full = self._full_run(move.card)
        if any(RANK[card[0]] <= RANK[move.card[0]] for card in move.run):
            self.refuse("sequence", words.only_upward(move.card, full))
        if move.run != full[: len(move.run)]:
            if [card[0] for card in move.run] == [card[0] for card in full[: len(move.run)]]:
                self.refuse("sequence", f"Of two equal cards the older one comes along: {words.run_in_words(full)}.")
            self.refuse("sequence-gap", words.has_gap(move.card, full))
        if self.options["oversight"] == "auto" and move.run != full:
            self.refuse("oversight", f"At this table you take a sequence as a whole: {words.run_in_words(full)}.")

    # What others see of it

    def view(self, seat: int | None) -> CuarentaView:
        turns = tuple(self.turns[self.recent :])
        return CuarentaView(
            **self.public_fields(),
            seat=seat,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=self._by_seat(self.scores),
            log=self.log + tuple([words.turn_event(turn) for turn in turns]),
            games=tuple(self.games),
            hands=tuple([self._hand_as_seen(owner, seat) for owner in range(self.seats)]),
            hand_counts=tuple([len(hand) for hand in self.hands]),
            stock_count=len(self.stock),
            pot=tuple(self.pot),
            pile_counts=tuple([len(pile) for pile in self.piles]),
            remembered=tuple(map(tuple, self.piles)),
            laid_by=tuple(self.laid_by.items()),
            shown=tuple(self.shown),
            proclaimers=tuple([owner for owner, cards in enumerate(self.rondas) if cards]),
            ronda=() if seat is None else self.rondas[seat],
            falls=tuple([fall for fall in self.falls if fall.catcher == seat]),
            tally=tuple([tuple(times) for times in self.tally.values()]),
            turns=turns,
        )

    def _hand_as_seen(self, owner: int, viewer: int | None) -> tuple[Card, ...] | None:
        return tuple(by_display(self.hands[owner])) if self.may_see(owner, viewer) else None

    def may_see(self, owner: int, viewer: int | None) -> bool:
        """Whether the viewer may look at the owner's hand."""
        return owner == viewer

    def cards(self) -> list[Card]:
        return [*self.stock, *self.pot, *chain.from_iterable(self.hands), *chain.from_iterable(self.piles)]
