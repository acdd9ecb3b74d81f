"""The state of a game of Piquet: dealing, legal moves, play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, NoReturn, Self

from games.core.cards import Card
from games.core.contract import (
    Event,
    Game,
    HandResult,
    Move,
    NotYourTurn,
    Options,
    Outcome,
    Phrase,
    Position,
    ScoreLine,
    State,
    places,
)
from games.core.deals import Decks
from games.core.tricks import beats
from games.engines.piquet.declaring import (
    BEFORE_LEAD,
    NUMBER_NAMES,
    SUIT_NAMES,
    Heard,
    Holding,
    Stage,
    Talk,
    best_holding,
    category_due,
    claims,
    extras,
    heard_talk,
    holdings,
    is_part_of_run,
)
from games.engines.piquet.moves import (
    ANSWERS,
    BIT,
    BLANCHE,
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
    LOWEST_IN_SETS,
    MAKING,
    NOT_GOOD,
    OVER,
    PASS_OF,
    PLAY,
    RANKS,
    SEATS,
    SEQUENCE,
    SET,
    SILENT,
    SUITS,
    TRICKS,
    TURN_UP,
    Blanche,
    CarteBlanche,
    Category,
    Claim,
    Exchange,
    Hand,
    Pass,
    Phase,
    PiquetMove,
    Play,
    Word,
    cards_of,
    exchange_limits,
    exchanges,
    mask,
    suit_of,
    suit_plays,
)
from games.engines.piquet.scoring import (
    BONUS_FROM,
    CAPOT_POINTS,
    CARDS_POINTS,
    CARTE_BLANCHE_POINTS,
    EXTRA_DEALS,
    ITEM_OF,
    ITEM_TEXTS,
    PIQUE_POINTS,
    PLAY_ITEMS,
    REPIQUE_POINTS,
    RULE_OF,
    Item,
    counted_points,
    won_cards,
    won_zone,
)
from games.engines.piquet.view import PiquetView
from games.engines.piquet.words import NOW, WAITING, count_cards, result_events, sentence, winning_words, with_article

TURN_OF = ((0,), (1,))


class PiquetState(State):
    """A game of Piquet. By seat unless it says otherwise; elder is the seat that does not deal.

    talon: what is left of it, the top card first. drawn: the cards that a seat took, the first one first.
    talks: point, sequence, set. led: the card that waits for its answer, or None. played: seats with cards, in order.
    turned_up: whether the cards left lie open. sheet: points of this deal by `Item`. has_bonus: a repique or pique.
    deal_number: of the deal being played, from 1. extra_deals: how many of them were needed by a tie.
    """

    __slots__ = (
        "_decks",
        "_next_deck",
        "blanche",
        "deal_number",
        "dealer",
        "discards",
        "drawn",
        "extra_deals",
        "game",
        "hands",
        "has_bonus",
        "led",
        "log",
        "options",
        "phase",
        "played",
        "results",
        "scores",
        "seats",
        "sheet",
        "spoken",
        "talks",
        "talon",
        "to_act",
        "tricks",
        "turned_up",
    )

    view_class: ClassVar[type[PiquetView]] = PiquetView

    results: tuple[HandResult, ...]

    def __init__(self, game: Game[Any, Any, Any], options: Options, decks: Decks, dealer: int) -> None:
        self.game = game
        self.seats = SEATS
        self.options = options
        self._decks = decks
        self._next_deck = 0
        self.dealer = dealer
        self.scores = [0] * SEATS
        self.deal_number = 1
        self.extra_deals = 0
        self.results = ()
        self.clear_table()

    def clear_table(self) -> None:
        self.phase = OVER
        self.to_act: tuple[int, ...] = ()
        self.hands: list[Hand] = [0] * SEATS
        self.discards: list[Hand] = [0] * SEATS
        self.drawn: list[tuple[Card, ...]] = [()] * SEATS
        self.talon: tuple[Card, ...] = ()
        self.blanche: Blanche | None = None
        self.talks: tuple[Talk, ...] = (Talk(),) * len(Category)
        self.spoken: tuple[tuple[int, str], ...] = ()
        self.led: Card | None = None
        self.played: tuple[tuple[int, Card], ...] = ()
        self.tricks = [0] * SEATS
        self.turned_up = False
        self.sheet = [[0] * len(Item) for _ in range(SEATS)]
        self.has_bonus = False
        self.log: tuple[Event, ...] = ()

    def deal_hand(self) -> None:
        self.clear_table()
        deck = self._decks[self._next_deck]
        self._next_deck += 1
        self.hands[self.elder] = mask(deck[:HAND_CARDS])
        self.hands[self.dealer] = mask(deck[HAND_CARDS : 2 * HAND_CARDS])
        self.talon = tuple(deck[2 * HAND_CARDS :])
        self.begin()

    def begin(self) -> None:
        """The first turn of a deal, once the cards are dealt."""
        asks = bool(self.options["carte_blanche"])
        self.phase = BLANCHE if asks else EXCHANGE
        self.to_act = TURN_OF[self.dealer if asks else self.elder]

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name in PiquetState.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.scores = self.scores[:]
        twin.hands = self.hands[:]
        twin.discards = self.discards[:]
        twin.drawn = self.drawn[:]
        twin.tricks = self.tricks[:]
        twin.sheet = [points[:] for points in self.sheet]
        return twin

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

    # Legal moves

    def legal_moves(self, seat: int) -> tuple[PiquetMove, ...]:
        if seat not in self.to_act:
            return ()
        return _LEGAL[self.phase](self, seat)

    def _blanche_moves(self, seat: int) -> tuple[PiquetMove, ...]:
        return (SILENT, CarteBlanche()) if self.has_blanche(seat) else (SILENT,)

    def _exchange_moves(self, seat: int) -> tuple[PiquetMove, ...]:
        low, high = self.exchange_limits(seat)
        moves = exchanges(self.hands[seat], low, high)
        if seat == self.elder and self.blanche is None and self.has_blanche(seat):
            moves = (*(CarteBlanche(number) for number in range(low, high + 1)), *moves)
        return moves

    def _declare_moves(self, seat: int) -> tuple[PiquetMove, ...]:
        place, category = self.due()
        if seat == self.elder:
            return (*claims(self.hands[seat], category), self.pass_due())
        return tuple(word for word in ANSWERS if self._lie(word, place, category) is None)

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
            self._refuse_turn(seat)
        handler = _PLAYS.get(type(move))
        assert handler is not None, f"{move!r} is a move of another game"
        handler(self, seat, move)

    def refuse(self, rule: str, message: str) -> NoReturn:
        self.game.refuse(rule, message)

    def _refuse_turn(self, seat: int) -> NoReturn:
        if not self.to_act:
            message, rule = "The game is over; start another one.", "elder-leads"
        else:
            message, rule = WAITING[self.phase]
            if self.phase is EXCHANGE and seat == self.elder:
                message, rule = "The other player exchanges now; wait until they have drawn.", "younger-exchange"
        raise NotYourTurn(message, rule=f"{self.game.slug}:{rule}")

    def _refuse_phase(self, move: Move) -> NoReturn:
        """Refuses a kind of move that has no place in this phase."""
        if self.phase is PLAY and isinstance(move, Claim | Pass) or self.phase is PLAY and move in ANSWERS:
            self.refuse("late-declaration", "The time for declaring is over; play a card.")
        if isinstance(move, Exchange) and self.phase is not BLANCHE:
            self.refuse("exchange-final", "The exchange is over for this deal; " + NOW[self.phase][1])
        if isinstance(move, CarteBlanche):
            self.refuse("carte-blanche-when", "It is too late for carte blanche; " + NOW[self.phase][1])
        rule, what_now = NOW[self.phase]
        if self.phase is EXCHANGE and self.to_act == (self.younger,):
            rule = "younger-exchange"
        self.refuse(rule, sentence(what_now))

    # Carte blanche and the exchange

    def _carte_blanche(self, seat: int, move: CarteBlanche) -> None:
        if not self.options["carte_blanche"]:
            self.refuse("carte-blanche", "Carte blanche does not count at this table; exchange as usual.")
        is_first = self.phase is EXCHANGE and seat == self.elder and self.blanche is None
        if self.phase is not BLANCHE and not is_first:
            self._refuse_phase(move)
        if not self.has_blanche(seat):
            self.refuse("carte-blanche", "Carte blanche is a hand without king, queen or jack; go on without it.")
        if seat == self.elder:
            low, high = self.exchange_limits(seat)
            if not move.number:
                self.refuse("carte-blanche-when", "Say how many cards you will exchange too, such as BL3.")
            if not low <= move.number <= high:
                self.refuse("elder-exchange", f"You may exchange {low} to {high} cards; promise one of these.")
        elif move.number:
            self.refuse("carte-blanche-when", "Only elder names a number; say BL alone.")
        self.blanche = Blanche(seat, move.number, self.hands[seat])
        self._count(seat, Item.CARTE_BLANCHE, CARTE_BLANCHE_POINTS)
        promise = f", and will exchange {count_cards(move.number)}" if move.number else ""
        self.log += (Event(seat, Phrase("declare", f"carte blanche{promise}")),)
        self.spoken = ((seat, "Carte blanche"),)
        self.phase = EXCHANGE
        self.to_act = TURN_OF[1 - seat]

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
            self.to_act = TURN_OF[self.younger]
            if is_promised:
                self._draw(self.younger)
                self._begin_declaring()
        elif is_promised:
            self.to_act = TURN_OF[self.elder]
        else:
            self._draw(seat)
            self._begin_declaring()

    def _check_exchange(self, seat: int, move: Exchange) -> None:
        low, high = self.exchange_limits(seat)
        rule = "elder-exchange" if seat == self.elder else "younger-exchange"
        for card in move.cards:
            if not self.hands[seat] & BIT[card]:
                self.refuse(rule, f"You do not hold {card}; exchange cards of your hand.")
        if low <= len(move.cards) <= high:
            return
        is_promised = seat == self.elder and self.blanche is not None
        if is_promised and 1 <= len(move.cards) <= ELDER_MOST:
            self.refuse("carte-blanche-when", f"You promised to exchange {count_cards(low)}; choose just as many.")
        most = f"{low} to {high} cards" if low < high else count_cards(low)
        why = "" if seat == self.elder else ", as many as the talon still holds"
        self.refuse(rule, f"You may exchange {most}{why}; choose again.")

    def _draw(self, seat: int) -> None:
        """Gives a seat as many cards from the top of the talon as it has laid aside."""
        number = self.discards[seat].bit_count()
        self.drawn[seat], self.talon = self.talon[:number], self.talon[number:]
        self.hands[seat] |= mask(self.drawn[seat])
        left = ELDER_MOST - number if seat == self.elder else len(self.talon)
        told = f"{count_cards(number)}, leaving {NUMBER_NAMES[left]}" if left else count_cards(number)
        self.log += (Event(seat, Phrase("exchange", told), ("talon",)),)

    def _begin_declaring(self) -> None:
        self.phase = DECLARE
        self.to_act = TURN_OF[self.elder]

    # Declaring

    def _claim(self, seat: int, move: Claim) -> None:
        if seat == self.elder and self.phase is DECLARE or self.phase is CLAIMS:
            place, category = self.due()
            holding = self._claimed(seat, move, category)
        else:
            self._refuse_phase(move)
        if seat == self.elder:
            self._set_talk(place, stage=Stage.CLAIMED, claim=holding)
            self._say(seat, sentence(holding.size_in_words), is_first=True)
            self.to_act = TURN_OF[self.younger]
        else:
            more = extras(self.hands[seat], holding)
            self._set_talk(place, stage=Stage.YOUNGER, reply=holding, extras=more)
            self._count_for_younger(place)
            self._next_claim()

    def _claimed(self, seat: int, move: Claim, due: Category) -> Holding:
        """The holding that a claim means. :raises IllegalMove: it is not there, not whole, or not due."""
        held = holdings(self.hands[seat], move.category)
        for holding in held:
            if holding.what == move.what and move.category is due:
                return holding
        if move.category is not due:
            rule = "declare-order" if seat == self.elder else "younger-declares-after-lead"
            self.refuse(rule, f"It is the turn of the {due}; claim yours or pass.")
        if move.category is SET:
            self._refuse_set(seat, move.what)
        if move.category is SEQUENCE and is_part_of_run(move.what, self.hands[seat]):
            self.refuse("no-part-claims", "A run is claimed as a whole; name its top card and all its cards.")
        self.refuse("declare-truth", f"You do not hold that {due}; claim what is in your hand, or pass.")

    def _refuse_set(self, seat: int, what: str) -> NoReturn:
        rank, size = RANKS.index(what[0]), int(what[1])
        if rank < LOWEST_IN_SETS:
            self.refuse("set-def", "Nines, eights and sevens make no sets; claim tens or better, or pass.")
        if size == 3 and any(holding.height == rank for holding in holdings(self.hands[seat], SET)):
            self.refuse("no-part-claims", "A set is claimed with all cards of its rank; say four.")
        self.refuse("declare-truth", "You do not hold that set; claim what is in your hand, or pass.")

    def _pass(self, seat: int, move: Pass) -> None:
        if not (seat == self.elder and self.phase is DECLARE or self.phase is CLAIMS):
            self._refuse_phase(move)
        place, category = self.due()
        if move != self.pass_due():
            words = f"It is the turn of the {category}; claim yours, or pass with {self.pass_due()}."
            self.refuse("declare-order", words)
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
            self.refuse("carte-blanche-when", "The time for carte blanche is over; " + NOW[self.phase][1])
        self.phase = EXCHANGE
        self.to_act = TURN_OF[self.elder]

    def _answer(self, seat: int, move: Word) -> None:
        if self.phase is not DECLARE or seat == self.elder:
            self._refuse_phase(move)
        place, category = self.due()
        lie = self._lie(move, place, category)
        if lie is not None:
            self.refuse(*lie)
        claim = self.talks[place].claim
        assert claim is not None, "only a claim is answered"
        best = best_holding(self.hands[seat], category)
        if move == MAKING:
            self._say(seat, "Making?")
            self._say(self.elder, sentence(claim.height_in_words))
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
            self._say(seat, winning_words(best, best.size > claim.size, self.options))
            self._set_talk(place, stage=Stage.YOUNGER, reply=best, extras=extras(self.hands[seat], best))
        self._count_for_elder(place)
        self._next_category()

    def _lie(self, word: Word, place: int, category: Category) -> tuple[str, str] | None:
        """Why younger may not give this answer, as rule and sentence; None if he may."""
        talk = self.talks[place]
        best = best_holding(self.hands[self.younger], category)
        assert talk.claim is not None, "only a claim is answered"
        mine, claimed = (0, 0) if best is None else best.figure, talk.claim.figure
        is_same_size = mine[0] == claimed[0]
        if word == GOOD:
            return None
        if word == MAKING:
            if category is SET:
                return "reply-making", "The rank of a set is named at once; say good, or win with a better set."
            if talk.asked:
                return "reply-making", "You have asked already; say good, equal, or that yours is better."
            if not is_same_size:
                return "declare-truth", "You may ask that only with as many cards; choose another answer."
            return None
        if is_same_size and category is not SET and not talk.asked:
            return "reply-making", "With as many cards ask what it is making first."
        if word == EQUAL:
            return None if mine == claimed else ("declare-truth", "Yours is not equal; choose another answer.")
        return None if mine > claimed else ("declare-truth", "Yours is not better; choose another answer.")

    def _say_extras(self, seat: int, talk: Talk) -> None:
        if talk.extras:
            self._say(seat, f"Also {' and '.join(with_article(extra.in_full) for extra in talk.extras)}")

    def _count_for_elder(self, place: int) -> None:
        """Names the suit of a claim that is good or equal, and counts a good one with its extras."""
        talk = self.talks[place]
        if talk.stage in (Stage.ELDER, Stage.EQUAL) and talk.claim is not None and talk.claim.suit:
            self._say(self.elder, f"In {SUIT_NAMES[talk.claim.suit]}")
        if talk.stage is Stage.ELDER:
            self._say_extras(self.elder, talk)
            self._count(self.elder, ITEM_OF[tuple(Category)[place]], talk.points[0])

    def _count_for_younger(self, place: int) -> None:
        """Names the suit of what younger has won or equalled, and counts what he has won."""
        talk = self.talks[place]
        if talk.reply is None:
            return
        is_won = talk.stage is Stage.YOUNGER
        name = talk.reply.size_in_words if is_won else f"equal {talk.reply.category}"
        where = f" in {SUIT_NAMES[talk.reply.suit]}" if talk.reply.suit else ""
        is_figure_due = is_won and talk.asked and self.options["replies"] == "bare"
        figure = f" {talk.reply.height_in_words}" if is_figure_due else ""
        self._say(self.younger, sentence(name + figure + where))
        self._say_extras(self.younger, talk)
        self._count(self.younger, ITEM_OF[talk.reply.category], talk.points[1])

    def _next_category(self) -> None:
        self._look_for_repique()
        self.to_act = TURN_OF[self.elder]
        if all(talk.stage not in BEFORE_LEAD for talk in self.talks):
            self.phase = LEAD

    def _next_claim(self) -> None:
        """Lets younger claim in the categories that elder passed, then settles the bonuses."""
        if any(talk.stage is Stage.PASSED for talk in self.talks):
            self.phase = CLAIMS
            self.to_act = TURN_OF[self.younger]
            return
        self.phase = LEFT if self.talon else PLAY
        self.to_act = TURN_OF[self.younger]
        self._look_for_repique()
        self._look_for_pique()

    def _settle_left(self, move: Word) -> None:
        if self.phase is not LEFT:
            _rule, what_now = NOW[self.phase]
            self.refuse("younger-left-cards", "There are no cards left to look at now; " + what_now)
        self.turned_up = move == TURN_UP
        what = f"the {count_cards(len(self.talon))} left"
        phrase = Phrase("turn", f"up {what}") if self.turned_up else Phrase("leave", f"{what} face down")
        self.log += (Event(self.younger, phrase, ("talon",)),)
        self.phase = PLAY

    def _set_talk(self, place: int, **changes: Any) -> None:
        talks = list(self.talks)
        talks[place] = replace(talks[place], **changes)
        self.talks = tuple(talks)

    def _say(self, seat: int, words: str, *, is_first: bool = False) -> None:
        self.log += (Event(seat, Phrase("say", f'"{words}"')),)
        self.spoken = ((seat, words),) if is_first else (*self.spoken, (seat, words))

    # Playing cards

    def _play_card(self, seat: int, move: Play) -> None:
        card = move.card
        if self.phase not in (LEAD, PLAY):
            self._refuse_phase(move)
        if not self.hands[seat] & BIT[card]:
            self.refuse("elder-leads", f"You do not hold {card}; play a card of your hand.")
        if self.led is not None and move not in self._plays(seat):
            self.refuse("follow-suit", f"{SUIT_NAMES[self.led[1]].capitalize()} were led; play one of yours.")
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
        self.to_act = TURN_OF[1 - seat]
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
        self.log += (Event(seat, Phrase("play", f"{card} and {'wins' if wins else 'loses'}"), (card,)),)
        self.led = None
        self.tricks[winner] += 1
        if wins:
            self._count(seat, Item.WINS, 1)
        is_last = not any(self.hands)
        if is_last:
            self._count(winner, Item.LAST, 1)
        self._look_for_pique()
        self.to_act = TURN_OF[winner]
        if is_last:
            self._end_deal()

    # Counting

    def _count(self, seat: int, item: Item, points: int) -> None:
        self.sheet[seat][item] += points

    def _look_for_repique(self) -> None:
        """Adds 60 for 30 points in hand against nothing, once no earlier group is open; see the rule `repique`."""
        if self.has_bonus:
            return
        totals = [self.sheet[self.elder][Item.CARTE_BLANCHE], self.sheet[self.younger][Item.CARTE_BLANCHE]]
        for talk in self.talks:
            if talk.stage in BEFORE_LEAD or talk.stage is Stage.PASSED:
                return
            totals = [total + points for total, points in zip(totals, talk.points, strict=True)]
            if totals[0] >= BONUS_FROM and totals[1] == 0:
                self._add_bonus(self.elder, Item.REPIQUE, REPIQUE_POINTS)
                return
            if totals[1] >= BONUS_FROM and totals[0] == 0 and self.phase is not DECLARE:
                self._add_bonus(self.younger, Item.REPIQUE, REPIQUE_POINTS)
                return

    def _look_for_pique(self) -> None:
        elder, younger = (self.deal_score[seat] for seat in (self.elder, self.younger))
        has_played = any(self.sheet[self.elder][item] for item in PLAY_ITEMS)
        if elder >= BONUS_FROM and younger == 0 and has_played and not self.has_bonus:
            self._add_bonus(self.elder, Item.PIQUE, PIQUE_POINTS)

    def _add_bonus(self, seat: int, item: Item, points: int) -> None:
        self.has_bonus = True
        self._count(seat, item, points)
        self.log += (Event(seat, Phrase("make", f"a {item.name.lower()}: {points} more")),)

    # The end of a deal

    def _end_deal(self) -> None:
        for seat, tricks in enumerate(self.tricks):
            if tricks > TRICKS // 2:
                self._count(seat, Item.CARDS, CAPOT_POINTS if tricks == TRICKS else CARDS_POINTS)
        lines = tuple(self._lines())
        gained = tuple(sum(line.points for line in lines if seat in line.seats) for seat in range(SEATS))
        summary = "; ".join(f"{gained[seat]} for @{seat}" for seat in (self.elder, self.younger))
        won = tuple(won_zone(seat, won_cards(self.played, seat), self.tricks[seat]) for seat in range(SEATS))
        self.add_result(HandResult(self.deal_number, f"{summary}.", gained, lines, won))
        if self.is_decided():
            self.clear_table()
            return
        self.extra_deals += self.extra_deals > 0 or self.is_tied()
        self.deal_number += 1
        self.dealer = self.elder
        self.deal_hand()

    def add_result(self, result: HandResult) -> None:
        self.results += (result,)
        self.scores = [score + points for score, points in zip(self.scores, result.points, strict=True)]

    def weight(self, _deal_number: int) -> int:
        """How many times a deal counts."""
        return 1

    def _lines(self) -> Iterator[ScoreLine]:
        for item in Item:
            for seat in (self.elder, self.younger):
                if self.sheet[seat][item]:
                    yield self._line(seat, item, self.sheet[seat][item])
        if self.tricks[0] == self.tricks[1] == TRICKS // 2:
            yield ScoreLine((0, 1), f"{self.game.slug}:cards-split", "Six tricks each: the cards are divided", 0)

    def _line(self, seat: int, item: Item, points: int) -> ScoreLine:
        rule = "capot-40" if item is Item.CARDS and points == CAPOT_POINTS else RULE_OF[item]
        return ScoreLine((seat,), f"{self.game.slug}:{rule}", self._line_text(item, points), points)

    def _line_text(self, item: Item, points: int) -> str:
        for place, category in enumerate(Category):
            talk = self.talks[place]
            winner = talk.claim if talk.stage is Stage.ELDER else talk.reply
            if item is ITEM_OF[category] and winner is not None:
                names = [winner.size_in_words, *(extra.size_in_words for extra in talk.extras)]
                return sentence(", ".join(names))
        if item is Item.CARDS:
            return "All twelve tricks: capot" if points == CAPOT_POINTS else "More than six tricks"
        return ITEM_TEXTS[item]

    # The end of the game

    def _may_end(self) -> bool:
        is_uneven = self.options["equal_deals"] and self.deal_number % 2 == 1
        return max(self.scores) >= int(self.options["target"]) and not is_uneven

    def likely_deals(self) -> int:
        """How many deals a finished match has had, 0 where its scores do not tell."""
        return 0

    def is_tied(self) -> bool:
        """Whether the game would be over but for equal totals."""
        return self._may_end() and self.scores[0] == self.scores[1]

    def is_decided(self) -> bool:
        """Whether the game ends with the deal just finished, `deal_number`."""
        return self._may_end() and (not self.is_tied() or self.extra_deals == EXTRA_DEALS)

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        if self.scores[0] == self.scores[1]:
            reason = f"Four further deals left both players with {self.scores[0]} points, so the game is drawn."
            return Outcome(tuple(self.scores), (1, 1), reason)
        winner = 0 if self.scores[0] > self.scores[1] else 1
        ours, theirs = self.scores[winner], self.scores[1 - winner]
        reason = f"Won by @{winner} with {ours} points against {theirs}"
        lines: tuple[ScoreLine, ...] = ()
        if theirs < int(self.options["double_under"]):
            reason += ", a double game"
            text = f"The other has fewer than {self.options['double_under']}: worth 2 match points, not 1"
            lines = (ScoreLine((winner,), f"{self.game.slug}:double-game", text, 0),)
        return Outcome(tuple(self.scores), places(self.scores), reason + ".", lines)

    # Views and positions

    def view(self, seat: int | None) -> PiquetView:
        elder = self.elder
        return self.view_class(
            seat=seat,
            seats=SEATS,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else self.legal_moves(seat),
            scores=tuple(self.scores),
            log=(*result_events(self.results), *self.log),
            results=self.results,
            dealer=self.dealer,
            phase=self.phase,
            deal_number=self.deal_number,
            extra_deals=self.extra_deals,
            hand=() if seat is None else cards_of(self.hands[seat]),
            discards=() if seat is None else cards_of(self.discards[seat]),
            drawn=() if seat is None else self.drawn[seat],
            looked_at=self.looked_at() if seat == elder else (),
            left=self.talon if self.turned_up else (),
            hand_counts=tuple(hand.bit_count() for hand in self.hands),
            discard_counts=tuple(cards.bit_count() for cards in self.discards),
            drawn_counts=tuple(map(len, self.drawn)),
            talon_count=len(self.talon),
            turned_up=self.turned_up,
            blanche=self._open_blanche(seat),
            talks=self._heard_talks(seat),
            spoken=self.spoken,
            led=self.led,
            played=self.played,
            tricks=tuple(self.tricks),
            sheet=tuple(map(tuple, self.sheet)),
            has_bonus=self.has_bonus,
        )

    def looked_at(self) -> tuple[Card, ...]:
        """Those of the top five cards that elder left, in the order of the talon before younger drew."""
        number = len(self.drawn[self.elder])
        return (*self.drawn[self.younger], *self.talon)[: ELDER_MOST - number] if number else ()

    def _open_blanche(self, seat: int | None) -> Blanche | None:
        """A carte blanche as that seat sees it: the cards lie open once the other has fixed his discards."""
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

    def dump(self) -> Position:
        return {
            "seats": SEATS,
            "options": dict(self.options),
            "dealer": self.dealer,
            "phase": str(self.phase),
            "to_move": self.to_act[0] if self.to_act else None,
            "hands": [list(cards_of(hand)) for hand in self.hands],
            "talon": list(self.talon),
            "discards": [list(cards_of(cards)) for cards in self.discards],
            "drawn": [list(cards) for cards in self.drawn],
            "carte_blanche": self._dumped_blanche(),
            "said": [str(move) for move in self._said()],
            "leader": self.played[0][0] if self.played else None,
            "played": [card for _seat, card in self.played],
            "turned_up": self.turned_up,
            "tricks": self.tricks[:],
            "counted": [counted_points(points) for points in self.sheet],
            "scores": self.scores[:],
            "deal": self.deal_number,
            "deals": [[points // self.weight(result.number) for points in result.points] for result in self.results],
            "extra_deals": self.extra_deals,
        }

    def _dumped_blanche(self) -> Position | None:
        if self.blanche is None:
            return None
        return {
            "seat": self.blanche.seat,
            "number": self.blanche.number,
            "cards": list(cards_of(self.blanche.cards)),
        }

    def _said(self) -> Iterator[PiquetMove]:
        """The declarations that led here: elder's claims with the answers, then younger's own."""
        for category, talk in zip(Category, self.talks, strict=True):
            if talk.claim is not None:
                yield Claim(category, talk.claim.what)
                if talk.asked:
                    yield MAKING
                if talk.stage in _ANSWER_OF:
                    yield _ANSWER_OF[talk.stage]
            elif talk.stage is not Stage.WAITING:
                yield PASS_OF[category]
        for category, talk in zip(Category, self.talks, strict=True):
            if talk.claim is None and talk.reply is not None:
                yield Claim(category, talk.reply.what)
            elif talk.stage is Stage.NOBODY:
                yield Pass()


_LEGAL: Mapping[Phase, Callable[[PiquetState, int], tuple[PiquetMove, ...]]] = {
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
_ANSWER_OF = {Stage.ELDER: GOOD, Stage.EQUAL: EQUAL, Stage.YOUNGER: NOT_GOOD}
