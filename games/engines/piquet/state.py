"""The state of Piquet: dealing, legal moves, play, and the rules that a move is tested by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NoReturn

from games.core.cards import Card
from games.core.contract import Event, Game, HandResult, Move, Options, Outcome, Phrase, ScoreLine
from games.core.deals import Decks
from games.core.dealt import DealtState
from games.core.tricks import SUIT_NAMES, beats
from games.engines.piquet import scoring, words
from games.engines.piquet.declaring import (
    BEFORE_LEAD,
    Heard,
    Holding,
    Stage,
    Talk,
    answer_fault,
    best_holding,
    category_due,
    claim_fault,
    claims,
    extras,
    heard_talk,
    holdings,
)
from games.engines.piquet.moves import (
    ANSWERS,
    BIT,
    BLANCHE,
    CATEGORIES,
    CLAIMS,
    COURT_CARDS,
    DECLARE,
    ELDER_MOST,
    EQUAL,
    EXCHANGE,
    GOOD,
    HAND_CARDS,
    LEAD,
    LEAVE_DOWN,
    LEFT,
    MAKING,
    OVER,
    PASS_OF,
    PLAY,
    RANKS,
    SEATS,
    SILENT,
    SUITS,
    TURN_UP,
    Blanche,
    CarteBlanche,
    Category,
    Claim,
    Exchange,
    Exchanges,
    Hand,
    Pass,
    Phase,
    PiquetMove,
    Play,
    Word,
    cards_of,
    exchange_limits,
    mask,
    suit_of,
    suit_plays,
)
from games.engines.piquet.scoring import (
    CARTE_BLANCHE_POINTS,
    EXTRA_DEALS,
    ITEM_OF,
    PIQUE_POINTS,
    REPIQUE_POINTS,
    Item,
    cards_points,
    won_cards,
    won_zone,
)
from games.engines.piquet.view import PiquetView


class PiquetState(DealtState):
    """A game of Piquet. By seat unless it says otherwise; elder is the seat that does not deal.

    hands, discards: bit masks. talon: what is left of it, the top card first. drawn: the cards that a seat took, in
    order. talks: point, sequence, set. led: the card that waits for its answer, or None. played: seats with cards.
    turned_up: whether the cards left lie open. sheet: points of this deal by `Item`. has_bonus: a repique or pique.
    extra_deals: how many deals were needed by a tie. log: what was seen in this deal.
    """

    __slots__ = (
        "blanche", "discards", "drawn", "extra_deals", "hands", "has_bonus", "led", "log", "phase", "played", "sheet",
        "spoken", "talks", "talon", "tricks", "turned_up",
    )  # fmt: skip

    PUBLIC = (
        *DealtState.PUBLIC,
        *("deal_number", "phase", "extra_deals", "turned_up", "spoken", "led", "played", "has_bonus"),
    )

    view_class: ClassVar[type[PiquetView]] = PiquetView

    phase: Phase
    hands: list[Hand]
    discards: list[Hand]
    drawn: list[tuple[Card, ...]]
    talon: tuple[Card, ...]
    blanche: Blanche | None
    talks: tuple[Talk, ...]
    spoken: tuple[tuple[int, str], ...]
    led: Card | None
    played: tuple[tuple[int, Card], ...]
    tricks: list[int]
    turned_up: bool
    sheet: list[list[int]]
    has_bonus: bool
    extra_deals: int
    log: tuple[Event, ...]

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)
        self.extra_deals = 0

    def clear_table(self) -> None:
        self.phase, self.to_act = OVER, ()
        self.hands, self.discards = [0] * SEATS, [0] * SEATS
        self.drawn, self.talon = [()] * SEATS, ()
        self.blanche = None
        self.talks, self.spoken = (Talk(),) * len(Category), ()
        self.led, self.played, self.tricks, self.turned_up = None, (), [0] * SEATS, False
        self.sheet, self.has_bonus = [[0] * len(Item) for _ in range(SEATS)], False
        self.log = ()

    # What is on the table

    def cards(self) -> list[Card]:
        hidden = [card for hand in (*self.hands, *self.discards) for card in cards_of(hand)]
        return [*hidden, *self.talon, *(card for _seat, card in self.played)]

    @property
    def elder(self) -> int:
        return 1 - self.dealer

    @property
    def younger(self) -> int:
        return self.dealer

    @property
    def deal_score(self) -> list[int]:
        """The points of the deal so far."""
        return [sum(points) for points in self.sheet]

    def due(self) -> tuple[int, Category]:
        """The category that is being settled, with its place among the talks."""
        return category_due(self.phase, self.talks)

    def pass_due(self) -> Pass:
        """The move that claims nothing in the category due."""
        return Pass() if self.phase is CLAIMS else PASS_OF[self.due()[1]]

    # Dealing

    def deal_hand(self) -> None:
        self.clear_table()
        deck = self.next_deck()
        self.hands[self.elder] = mask(deck[:HAND_CARDS])
        self.hands[self.dealer] = mask(deck[HAND_CARDS : 2 * HAND_CARDS])
        self.talon = tuple(deck[2 * HAND_CARDS :])
        self.begin()

    def begin(self) -> None:
        """The first turn of a deal, once the cards are dealt."""
        asks = bool(self.options["carte_blanche"])
        self.phase = BLANCHE if asks else EXCHANGE
        self.to_act = (self.dealer if asks else self.elder,)

    # Legal moves

    def legal_moves(self, seat: int) -> Sequence[PiquetMove]:
        if seat not in self.to_act:
            return ()
        return _LEGAL[self.phase](self, seat)

    def _blanche_moves(self, seat: int) -> tuple[PiquetMove, ...]:
        return (SILENT, CarteBlanche()) if self.has_blanche(seat) else (SILENT,)

    def _exchange_moves(self, seat: int) -> Sequence[PiquetMove]:
        low, high = self.exchange_limits(seat)
        moves = Exchanges(self.hands[seat], low, high)
        if seat == self.elder and self.blanche is None and self.has_blanche(seat):
            return (*(CarteBlanche(number) for number in range(low, high + 1)), *moves)
        return moves

    def _declare_moves(self, seat: int) -> tuple[PiquetMove, ...]:
        place, category = self.due()
        if seat == self.elder:
            return (*claims(self.hands[seat], category), self.pass_due())
        return tuple(word for word in ANSWERS if self._answer_fault(word, place) is None)

    def _claim_moves(self, seat: int) -> tuple[PiquetMove, ...]:
        return (*claims(self.hands[seat], self.due()[1]), self.pass_due())

    def _left_moves(self, _seat: int) -> tuple[PiquetMove, ...]:
        return TURN_UP, LEAVE_DOWN

    def _plays(self, seat: int) -> tuple[PiquetMove, ...]:
        hand = self.hands[seat]
        if self.led is not None:
            suit = SUITS.index(self.led[1])
            if suit_of(hand, suit):
                return suit_plays(suit, suit_of(hand, suit))
        return (
            suit_plays(0, hand & 255)
            + suit_plays(1, hand >> 8 & 255)
            + suit_plays(2, hand >> 16 & 255)
            + suit_plays(3, hand >> 24)
        )

    def has_blanche(self, seat: int) -> bool:
        """Whether the cards just dealt to a seat are a carte blanche that counts at this table."""
        hand = self.hands[seat]
        return bool(self.options["carte_blanche"]) and hand.bit_count() == HAND_CARDS and not hand & COURT_CARDS

    def exchange_limits(self, seat: int) -> tuple[int, int]:
        """The fewest and the most cards that a seat may exchange now."""
        held, left = self.hands[seat].bit_count(), len(self.talon)
        return exchange_limits(self.options, self.blanche, held, left, is_elder=seat == self.elder)

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_turn(seat, move)
        handler = _PLAYS.get(type(move))
        assert handler is not None, f"{move!r} is a move of another game"
        handler(self, seat, move)

    def _refuse_turn(self, seat: int, move: Move) -> NoReturn:
        if not self.to_act:
            self.game.refuse_turn("elder-leads", "The game is over. Start a new one to play on.")
        rule, message = words.WAITING[self.phase]
        if self.phase is EXCHANGE and seat == self.elder:
            rule, message = "younger-exchange", "The other player is exchanging. Your turn comes next."
        late = self._late_rule(move)
        if late is not None:
            rule, message = late, f"{words.TOO_LATE[late]} {message}"
        self.game.refuse_turn(rule, message)

    def _refuse_phase(self, move: PiquetMove) -> NoReturn:
        """Refuses a kind of move that has no place in this phase."""
        rule, what_now = words.NOW[self.phase]
        late = self._late_rule(move)
        if late is not None:
            self.refuse(late, f"{words.TOO_LATE[late]} {what_now}")
        if self.phase is EXCHANGE and self.to_act == (self.younger,):
            rule = "younger-exchange"
        self.refuse(rule, what_now)

    def _late_rule(self, move: Move) -> str | None:
        """The rule that makes a move of this kind too late in this deal, for both players; None if it is not."""
        if self.phase is PLAY and (isinstance(move, Claim | Pass) or move in ANSWERS):
            return "late-declaration"
        if self.phase not in (BLANCHE, EXCHANGE) and isinstance(move, Exchange):
            return "exchange-final"
        if self.phase is not BLANCHE and (isinstance(move, CarteBlanche) or move == SILENT):
            return "carte-blanche-when"
        return None

    # Carte blanche and the exchange

    def _carte_blanche(self, seat: int, move: CarteBlanche) -> None:
        if not self.options["carte_blanche"]:
            self.refuse("carte-blanche", "Carte blanche doesn't count at this table. Exchange as usual.")
        is_first = self.phase is EXCHANGE and seat == self.elder and self.blanche is None
        if self.phase is not BLANCHE and not is_first:
            self._refuse_phase(move)
        if not self.has_blanche(seat):
            self.refuse("carte-blanche", "Carte blanche is a hand without a king, queen or jack. Yours has one.")
        if seat == self.elder:
            low, high = self.exchange_limits(seat)
            if not move.number:
                self.refuse("carte-blanche-when", "Say how many cards you will exchange as well.")
            if not low <= move.number <= high:
                self.refuse("elder-exchange", f"You can promise to exchange {low} to {high} cards.")
        elif move.number:
            self.refuse("carte-blanche-when", "Only elder names a number of cards.")
        self._count(seat, Item.CARTE_BLANCHE, CARTE_BLANCHE_POINTS)
        self.announce(Blanche(seat, move.number, self.hands[seat]))
        self.phase = EXCHANGE
        self.to_act = (1 - seat,)

    def announce(self, blanche: Blanche) -> None:
        """Carte blanche is called out; that is heard until elder exchanges."""
        self.blanche = blanche
        self.log += (words.blanche_event(blanche.seat, blanche.number),)
        self.spoken = ((blanche.seat, "Carte blanche"),)

    def _exchange(self, seat: int, move: Exchange) -> None:
        if self.phase is not EXCHANGE:
            self._refuse_phase(move)
        self._check_exchange(seat, move)
        laid_aside = mask(move.cards)
        self.hands[seat] &= ~laid_aside
        self.discards[seat] = laid_aside
        is_promised = self.blanche is not None and self.blanche.number > 0
        if seat == self.elder:
            self._draw(seat)
            self.spoken = ()
            self.to_act = (self.younger,)
            if is_promised:
                self._draw(self.younger)
                self._begin_declaring()
        elif is_promised:
            self.to_act = (self.elder,)
        else:
            self._draw(seat)
            self._begin_declaring()

    def _check_exchange(self, seat: int, move: Exchange) -> None:
        low, high = self.exchange_limits(seat)
        rule = "elder-exchange" if seat == self.elder else "younger-exchange"
        for card in move.cards:
            if not self.hands[seat] & BIT[card]:
                self.refuse(rule, f"{card} isn't in your hand. Exchange your own cards.")
        if low <= len(move.cards) <= high:
            return
        is_promised = seat == self.elder and self.blanche is not None
        if is_promised and 1 <= len(move.cards) <= ELDER_MOST:
            self.refuse("carte-blanche-when", words.not_as_promised(low))
        self.refuse(rule, words.wrong_number(low, high, is_younger=seat != self.elder))

    def _draw(self, seat: int) -> None:
        """Gives a seat as many cards from the top of the talon as it has laid aside."""
        number = self.discards[seat].bit_count()
        self.drawn[seat], self.talon = self.talon[:number], self.talon[number:]
        self.hands[seat] |= mask(self.drawn[seat])
        left = ELDER_MOST - number if seat == self.elder else len(self.talon)
        self.log += (words.exchange_event(seat, number, left=left),)

    def _begin_declaring(self) -> None:
        self.phase = DECLARE
        self.to_act = (self.elder,)

    # Declaring

    def _claim(self, seat: int, move: Claim) -> None:
        if seat == self.elder and self.phase is DECLARE or self.phase is CLAIMS:
            place, category = self.due()
            holding = self._claimed(seat, move, category)
        else:
            self._refuse_phase(move)
        if seat == self.elder:
            self._set_talk(place, stage=Stage.CLAIMED, claim=holding)
            self._say(seat, words.says_size(holding), is_first=True)
            self.to_act = (self.younger,)
        else:
            more = extras(self.hands[seat], holding)
            self._set_talk(place, stage=Stage.YOUNGER, reply=holding, extras=more)
            self._count_for_younger(place)
            self._next_claim()

    def _claimed(self, seat: int, move: Claim, due: Category) -> Holding:
        """The holding that a claim means. :raises IllegalMove: it is not there, not whole, or not due."""
        held = holdings(self.hands[seat], move.category)
        for holding in held:
            if holding.notation == move.what and move.category is due:
                return holding
        if move.category is not due:
            rule = "declare-order" if seat == self.elder else "younger-declares-after-lead"
            self.refuse(rule, f"It's time for the {due}. Declare yours, or pass.")
        self.refuse(*claim_fault(self.hands[seat], move))

    def _pass(self, seat: int, move: Pass) -> None:
        if not (seat == self.elder and self.phase is DECLARE or self.phase is CLAIMS):
            self._refuse_phase(move)
        place, category = self.due()
        if move != self.pass_due():
            message = f"It's time for the {category}. Declare yours, or pass with {self.pass_due()}."
            self.refuse("declare-order", message)
        self._say(seat, f"No {category}", is_first=True)
        if seat == self.elder:
            self._set_talk(place, stage=Stage.PASSED)
            self._next_category()
        else:
            self._set_talk(place, stage=Stage.NOBODY)
            self._next_claim()

    def _word(self, seat: int, move: Word) -> None:
        if move == SILENT:
            self._keep_silent(move)
        elif move in (TURN_UP, LEAVE_DOWN):
            self._settle_left(move)
        else:
            self._answer(seat, move)

    def _keep_silent(self, move: Word) -> None:
        if self.phase is not BLANCHE:
            self._refuse_phase(move)
        self.phase = EXCHANGE
        self.to_act = (self.elder,)

    def _answer(self, seat: int, move: Word) -> None:
        if self.phase is not DECLARE or seat == self.elder:
            self._refuse_phase(move)
        place, category = self.due()
        fault = self._answer_fault(move, place)
        if fault is not None:
            self.refuse(*fault)
        claim = self.talks[place].claim
        assert claim is not None, "only a claim is answered"
        best = best_holding(self.hands[seat], category)
        if move == MAKING:
            self._say(seat, "Making?")
            self._say(self.elder, words.says_height(claim))
            self._set_talk(place, stage=Stage.MAKING, asked=True)
            return
        if move == GOOD:
            self._say(seat, "Good")
            self._set_talk(place, stage=Stage.ELDER, extras=extras(self.hands[self.elder], claim))
        elif move == EQUAL:
            self._say(seat, "Equal")
            self._set_talk(place, stage=Stage.EQUAL, reply=best)
        else:
            assert best is not None, "a better holding has been found"
            self._say(seat, words.says_better(best, is_longer=best.size > claim.size, options=self.options))
            self._set_talk(place, stage=Stage.YOUNGER, reply=best, extras=extras(self.hands[seat], best))
        self._count_for_elder(place)
        self._next_category()

    def _answer_fault(self, word: Word, place: int) -> tuple[str, str] | None:
        """Why younger may not give this answer, as rule and sentence; None if it is allowed."""
        best = best_holding(self.hands[self.younger], CATEGORIES[place])
        return answer_fault(word, self.talks[place], best)

    def _say_extras(self, seat: int, talk: Talk) -> None:
        if talk.extras:
            self._say(seat, words.says_extras(talk.extras))

    def _count_for_elder(self, place: int) -> None:
        """Names the suit of a claim that is good or equal, and counts a good one with its extras."""
        talk = self.talks[place]
        if talk.stage in (Stage.ELDER, Stage.EQUAL) and talk.claim is not None and talk.claim.suit:
            self._say(self.elder, words.says_suit(talk.claim))
        if talk.stage is Stage.ELDER:
            self._say_extras(self.elder, talk)
            self._count(self.elder, ITEM_OF[CATEGORIES[place]], talk.points[0])

    def _count_for_younger(self, place: int) -> None:
        """Names the suit of what younger has won or equalled, and counts what it has won."""
        talk = self.talks[place]
        if talk.reply is None:
            return
        is_won = talk.stage is Stage.YOUNGER
        names_height = is_won and talk.asked and self.options["replies"] == "bare"
        self._say(self.younger, words.says_reply(talk.reply, is_won=is_won, names_height=names_height))
        self._say_extras(self.younger, talk)
        self._count(self.younger, ITEM_OF[talk.reply.category], talk.points[1])

    def _next_category(self) -> None:
        self._look_for_repique()
        self.to_act = (self.elder,)
        if all(talk.stage not in BEFORE_LEAD for talk in self.talks):
            self.phase = LEAD

    def _next_claim(self) -> None:
        """Lets younger claim in the categories that elder passed, then settles the bonuses."""
        if any(talk.stage is Stage.PASSED for talk in self.talks):
            self.phase = CLAIMS
            self.to_act = (self.younger,)
            return
        self.phase = LEFT if self.talon else PLAY
        self.to_act = (self.younger,)
        self._look_for_repique()
        self._look_for_pique()

    def _settle_left(self, move: Word) -> None:
        if self.phase is not LEFT:
            message = f"There are no cards to turn up now. {words.NOW[self.phase][1]}"
            self.refuse("younger-left-cards", message)
        self.turned_up = move == TURN_UP
        self.log += (words.left_event(self.younger, len(self.talon), is_turned_up=self.turned_up),)
        self.phase = PLAY

    def _set_talk(self, place: int, **changes: Any) -> None:
        talks = list(self.talks)
        talks[place] = replace(talks[place], **changes)
        self.talks = tuple(talks)

    def _say(self, seat: int, said: str, *, is_first: bool = False) -> None:
        self.log += (words.said_event(seat, said),)
        self.spoken = ((seat, said),) if is_first else (*self.spoken, (seat, said))

    # Playing cards

    def _play_card(self, seat: int, move: Play) -> None:
        card = move.card
        if self.phase not in (LEAD, PLAY):
            self._refuse_phase(move)
        if not self.hands[seat] & BIT[card]:
            self.refuse("elder-leads", f"{card} isn't in your hand. Play one of your own cards.")
        if self.led is not None and move not in self._plays(seat):
            self.refuse("follow-suit", f"{SUIT_NAMES[self.led[1]].capitalize()} were led. Play one of yours.")
        self.hands[seat] ^= BIT[card]
        self.played += ((seat, card),)
        if self.phase is PLAY:
            self.spoken = ()
        if self.led is None:
            self._lead(seat, card)
        else:
            self._follow(seat, card)

    def _lead(self, seat: int, card: Card) -> None:
        self.log += (Event(seat, Phrase("lead", card), (card,)),)
        self.led = card
        self._count(seat, Item.LEADS, 1)
        self.to_act = (1 - seat,)
        if self.phase is PLAY:
            self._look_for_pique()
            return
        self.phase = CLAIMS
        for place in range(len(self.talks)):
            self._count_for_younger(place)
        self._next_claim()

    def _follow(self, seat: int, card: Card) -> None:
        assert self.led is not None, "somebody has led"
        wins = beats(card, self.led, RANKS)
        winner = seat if wins else 1 - seat
        self.log += (words.play_event(seat, card, wins=wins),)
        self.led = None
        self.tricks[winner] += 1
        if wins:
            self._count(seat, Item.WINS, 1)
        is_last = not any(self.hands)
        if is_last:
            self._count(winner, Item.LAST, 1)
        self._look_for_pique()
        self.to_act = (winner,)
        if is_last:
            self.end_hand()

    # Counting

    def _count(self, seat: int, item: Item, points: int) -> None:
        self.sheet[seat][item] += points

    def _look_for_repique(self) -> None:
        """Adds 60 for 30 points in hand against nothing; see the rule `repique`."""
        if self.has_bonus:
            return
        seats = self.elder, self.younger
        blanche = [self.sheet[seat][Item.CARTE_BLANCHE] for seat in seats]
        found = scoring.repique(blanche, self.talks, is_declaring=self.phase is DECLARE)
        if found is not None:
            self._add_bonus(seats[found], Item.REPIQUE, REPIQUE_POINTS)

    def _look_for_pique(self) -> None:
        if not self.has_bonus and scoring.has_pique(self.sheet[self.elder], self.sheet[self.younger]):
            self._add_bonus(self.elder, Item.PIQUE, PIQUE_POINTS)

    def _add_bonus(self, seat: int, item: Item, points: int) -> None:
        self.has_bonus = True
        self._count(seat, item, points)
        self.log += (Event(seat, Phrase("make", f"a {item.name.lower()}: {points} more")),)

    # The end of a deal

    def end_hand(self) -> None:
        for seat, tricks in enumerate(self.tricks):
            self._count(seat, Item.CARDS, cards_points(tricks))
        lines = tuple(self.score_lines())
        gained = tuple(sum(line.points for line in lines if seat in line.seats) for seat in range(SEATS))
        summary = ", ".join(f"@{seat} [score] {gained[seat]}" for seat in (self.elder, self.younger))
        won = tuple(won_zone(seat, won_cards(self.played, seat), self.tricks[seat]) for seat in range(SEATS))
        self.add_result(HandResult(self.deal_number, f"{summary}.", gained, lines, won))
        if self.is_decided():
            self.clear_table()
            return
        self.extra_deals += self.extra_deals > 0 or self.is_tied()
        self.deal_number += 1
        self.dealer = self.elder
        self.deal_hand()

    def score_lines(self) -> Iterator[ScoreLine]:
        """What both players have scored in the deal, item by item."""
        return scoring.score_lines(self.game.slug, self.sheet, elder=self.elder, talks=self.talks, tricks=self.tricks)

    def add_result(self, result: HandResult) -> None:
        self.results += (result,)
        self.scores = [score + points for score, points in zip(self.scores, result.points, strict=True)]

    def weight(self, _deal_number: int) -> int:
        """How many times a deal counts."""
        return 1

    # The end of the game

    def _may_end(self) -> bool:
        is_uneven = self.options["equal_deals"] and self.deal_number % 2 == 1
        return max(self.scores) >= int(self.options["target"]) and not is_uneven

    def likely_deals(self) -> int:
        """How many deals a finished match has had, 0 where its scores do not tell."""
        return 0

    def can_be_dealt(self) -> bool:
        """Whether there is a deal with the number `deal_number` in a match of this kind."""
        return True

    def is_tied(self) -> bool:
        """Whether the game would be over but for equal totals."""
        return self._may_end() and self.scores[0] == self.scores[1]

    def is_decided(self) -> bool:
        """Whether the game ends with the deal just finished, `deal_number`."""
        return self._may_end() and (not self.is_tied() or self.extra_deals == EXTRA_DEALS)

    def outcome(self) -> Outcome | None:
        return None if self.to_act else scoring.game_outcome(self.game.slug, self.scores, self.options)

    # The view

    def view(self, seat: int | None) -> PiquetView:
        return self.view_class(
            **self.public_fields(),
            seat=seat,
            moves=() if seat is None else self.legal_moves(seat),
            scores=tuple(self.scores),
            log=(*words.result_events(self.results), *self._log_of(seat)),
            hand=() if seat is None else cards_of(self.hands[seat]),
            discards=() if seat is None else cards_of(self.discards[seat]),
            drawn=() if seat is None else self.drawn[seat],
            looked_at=self.looked_at() if seat == self.elder else (),
            left=self.talon if self.turned_up else (),
            hand_counts=tuple(hand.bit_count() for hand in self.hands),
            discard_counts=tuple(cards.bit_count() for cards in self.discards),
            drawn_counts=tuple(map(len, self.drawn)),
            talon_count=len(self.talon),
            blanche=self._open_blanche(seat),
            talks=self._heard_talks(seat),
            tricks=tuple(self.tricks),
            sheet=tuple(map(tuple, self.sheet)),
        )

    def _log_of(self, seat: int | None) -> Sequence[Event]:
        """The log of the deal as that seat reads it."""
        seen = self.looked_at() if seat == self.elder else ()
        return words.with_left_named(self.log, self.elder, seen) if seen else self.log

    def looked_at(self) -> tuple[Card, ...]:
        """Those of the top five cards that elder left, in the order of the talon before younger drew."""
        number = len(self.drawn[self.elder])
        return (*self.drawn[self.younger], *self.talon)[: ELDER_MOST - number] if number else ()

    def _open_blanche(self, seat: int | None) -> Blanche | None:
        """A carte blanche as that seat sees it: the cards lie open once the other has fixed their discards."""
        found = self.blanche
        if found is None or seat == found.seat or self.phase is not EXCHANGE:
            return found
        is_fixed = self.to_act[0] == found.seat
        return found if is_fixed else replace(found, cards=0)

    def _heard_talks(self, seat: int | None) -> tuple[Heard, ...]:
        bare = self.options["replies"] == "bare"
        return tuple(
            heard_talk(
                talk,
                category,
                is_elder=seat == self.elder,
                is_younger=seat == self.younger,
                is_led=bool(self.played),
                bare=bare,
            )
            for talk, category in zip(self.talks, Category, strict=True)
        )


_LEGAL: Mapping[Phase, Callable[[PiquetState, int], Sequence[PiquetMove]]] = {
    BLANCHE: PiquetState._blanche_moves,
    EXCHANGE: PiquetState._exchange_moves,
    DECLARE: PiquetState._declare_moves,
    LEAD: PiquetState._plays,
    CLAIMS: PiquetState._claim_moves,
    LEFT: PiquetState._left_moves,
    PLAY: PiquetState._plays,
}
_PLAYS: Mapping[type[Move], Callable[[PiquetState, int, Any], None]] = {
    CarteBlanche: PiquetState._carte_blanche,
    Word: PiquetState._word,
    Exchange: PiquetState._exchange,
    Claim: PiquetState._claim,
    Pass: PiquetState._pass,
    Play: PiquetState._play_card,
}
