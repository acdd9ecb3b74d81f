"""Positions of Piquet: writes them, and reads those that people write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from games.core.cards import Card
from games.core.contract import Game, HandResult, IllegalMove, ImpossiblePosition, Position, ScoreLine, UnreadableMove
from games.core.positions import PositionReader, as_json, by_seat, card_list, check_cards, known_keys, whole_number
from games.core.tricks import beats
from games.engines.piquet.declaring import Stage, best_holding
from games.engines.piquet.moves import (
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
    LETTERS,
    MAKING,
    NOT_GOOD,
    OVER,
    PACK,
    PASS_OF,
    PLAY,
    PLAY_OF,
    RANKS,
    SEATS,
    TALON_CARDS,
    TRICKS,
    TURN_UP,
    Blanche,
    Category,
    Claim,
    Pass,
    Phase,
    PiquetMove,
    cards_of,
    mask,
    parse_move,
)
from games.engines.piquet.scoring import CARTE_BLANCHE_POINTS, EXTRA_DEALS, Item
from games.engines.piquet.state import PiquetState
from games.engines.piquet.view import PiquetView

# Keys with the fields of the state whose names they have.
FIELDS = ("dealer", "talon", "drawn", "turned_up", "tricks", "scores", "extra_deals")

_MANY_POINTS = 10_000
_ANSWER_OF = {Stage.ELDER: GOOD, Stage.EQUAL: EQUAL, Stage.YOUNGER: NOT_GOOD}


def dump_position(state: PiquetState) -> Position:
    """The whole position as plain JSON types, with the keys of `Piquet.load`."""
    return {
        "seats": SEATS,
        "options": dict(state.options),
        "phase": str(state.phase),
        "to_move": state.to_act[0] if state.to_act else None,
        "hands": [list(cards_of(hand)) for hand in state.hands],
        "discards": [list(cards_of(cards)) for cards in state.discards],
        **{name: as_json(getattr(state, name)) for name in FIELDS},
        "carte_blanche": _dumped_blanche(state.blanche),
        "said": [str(move) for move in _said(state)],
        "leader": state.played[0][0] if state.played else None,
        "played": [card for _seat, card in state.played],
        "counted": [_counted_points(points) for points in state.sheet],
        "deal": state.deal_number,
        "deals": [[points // state.weight(result.number) for points in result.points] for result in state.results],
    }


def _dumped_blanche(blanche: Blanche | None) -> Position | None:
    if blanche is None:
        return None
    return {"seat": blanche.seat, "number": blanche.number, "cards": list(cards_of(blanche.cards))}


def _said(state: PiquetState) -> Iterator[PiquetMove]:
    """The declarations that led here: elder's claims with the answers, then younger's own."""
    for category, talk in zip(Category, state.talks, strict=True):
        if talk.claim is not None:
            yield Claim(category, talk.claim.notation)
            if talk.asked:
                yield MAKING
            if talk.stage in _ANSWER_OF:
                yield _ANSWER_OF[talk.stage]
        elif talk.stage is not Stage.WAITING:
            yield PASS_OF[category]
    for category, talk in zip(Category, state.talks, strict=True):
        if talk.claim is None and talk.reply is not None:
            yield Claim(category, talk.reply.notation)
        elif talk.stage is Stage.NOBODY:
            yield Pass()


def _counted_points(points: Sequence[int]) -> dict[str, int]:
    return {item.name.lower(): points[item] for item in Item if points[item]}


class PiquetReader(PositionReader):
    """Reads one position and refuses what cannot be. :raises ImpossiblePosition:

    phase: that of the position; what led to it is played again. None: where what was said leads.
    due: the category named for `declare`, or "".
    """

    KEYS = (
        "seats", "options", "first_dealer", "phase", "to_move", "hands", "elder", "younger", "discards", *FIELDS,
        "carte_blanche", "said", "elder_calls", "younger_passes", "leader", "played", "counted", "deal", "deals",
    )  # fmt: skip
    PHASES = ("blanche", "exchange", "declare", "point", "sequence", "set", "lead", "claims", "left", "play", "over")

    def __init__(
        self,
        game: Game[PiquetState, PiquetView, PiquetMove],
        data: Position,
        deals: Iterable[Sequence[Card]] | None,
    ) -> None:
        super().__init__(game, data, self.KEYS)
        decks = self.following_decks(deals)
        self.state = game.undealt(decks, seats=SEATS, options=self.options, dealer=SEATS - 1)
        self._number_seats({"a": 0, "b": 1})
        self._read()

    def _read(self) -> None:
        state = self.state
        is_over = self._read_match()
        is_last_extra = state.is_tied() and not is_over and self._text("phase") != OVER
        if state.is_decided() and not is_last_extra or self._text("phase") == OVER:
            self._check_over()
            self._read_dealer()
            return
        state.deal_number = self.number("deal", len(state.results) + 1, low=1, high=1000)
        if not state.can_be_dealt():
            raise ImpossiblePosition("deal: the match has no such deal.")
        self._read_dealer()
        self._number_seats({"elder": state.elder, "younger": state.younger})
        hands = self._read_hands()
        if any((hands, *map(self.data.get, ("talon", "played", "phase")))):
            self._read_cards(hands)
            self._fill(hands)
            if self.phase in (BLANCHE, EXCHANGE):
                self._begin()
            else:
                self._replay()
            self._read_counts()
        else:
            state.deal_hand()
        self._check_turn()

    # The match

    def _read_match(self) -> bool:
        """Whether the game ended with the last of the `deals`."""
        state = self.state
        is_over = False
        for number, points in enumerate(self._list("deals"), start=1):
            if is_over:
                raise ImpossiblePosition(f"deals: the game was over after {number - 1} of them.")
            raw = [whole_number(value, "deals", low=0, high=_MANY_POINTS) for value in by_seat(points, SEATS, "deals")]
            state.deal_number = number
            state.add_result(_bare_result(self.game.slug, number, [value * state.weight(number) for value in raw]))
            is_over = state.is_decided()  # before the deal that would follow is counted
            state.extra_deals += not is_over and (state.extra_deals > 0 or state.is_tied())
        finished, being_played = len(state.results), self._text("phase") != OVER
        if self.data.get("scores") is not None:
            state.scores = self.numbers("scores", high=_MANY_POINTS)
            finished = finished if finished or being_played else state.likely_deals()
        state.deal_number = self.number("deal", finished + being_played, low=1, high=1000) - being_played
        state.extra_deals = self.number("extra_deals", max(state.extra_deals, int(state.is_tied())), high=EXTRA_DEALS)
        is_uneven = state.options.get("equal_deals") and (state.deal_number + being_played - state.extra_deals) % 2 == 1
        if state.extra_deals and not is_over and (is_uneven or max(state.scores) < int(state.options.get("target", 0))):
            raise ImpossiblePosition("extra_deals: further deals follow equal totals at the end of the game.")
        return is_over

    def _check_over(self) -> None:
        if not self.state.is_decided():
            raise ImpossiblePosition("phase: with these scores the game is not over.")
        if self._text("phase") not in ("", OVER):
            raise ImpossiblePosition("phase: with these scores the game is over.")

    def _read_dealer(self) -> None:
        state = self.state
        first = self._seat("first_dealer", 0 if state.results and "deals" in self.data else None)
        rotated = None if first is None else (first + state.deal_number - 1) % SEATS
        dealer = self._seat("dealer", SEATS - 1 if rotated is None else rotated)
        assert dealer is not None, "there is a default"
        state.dealer = dealer

    def _number_seats(self, names: Mapping[str, int]) -> None:
        """Writes zones that are given by the names of seats by their numbers instead."""
        self.data = dict(self.data)
        for key in ("hands", "discards", "drawn", "tricks", "counted", "scores"):
            given = self.data.get(key)
            if isinstance(given, Mapping):
                self.data[key] = {names.get(str(seat).lower(), seat): entry for seat, entry in given.items()}

    def _seat(self, key: str, default: int | None) -> int | None:
        """A seat by number, as A or B, or, for turns, as elder or younger."""
        word = self._text(key)
        named = {"a": 0, "b": 1}
        if key in ("to_move", "leader"):
            named |= {"elder": self.state.elder, "younger": self.state.younger}
        return named[word] if word in named else self.seat(key, default)

    # The cards

    def _read_hands(self) -> dict[int, list[Card]]:
        """The hands that are given."""
        by_role = {self.state.elder: "elder", self.state.younger: "younger"}
        roles = {seat: key for seat, key in by_role.items() if self.data.get(key) is not None}
        if roles and self.data.get("hands") is not None:
            raise ImpossiblePosition("hands: write them by seat or as elder and younger, not both.")
        if roles:
            return {seat: card_list(self.data[key], key) for seat, key in roles.items()}
        entries = by_seat(self.data.get("hands"), SEATS, "hands")
        return {seat: card_list(cards, "hands") for seat, cards in enumerate(entries) if cards is not None}

    def _read_cards(self, hands: Mapping[int, Sequence[Card]]) -> None:
        state = self.state
        talon, played = self.cards_of("talon"), self.cards_of("played")
        discards, drawn = self.card_lists("discards"), self.card_lists("drawn")
        check_cards([*(card for cards in (*hands.values(), *discards) for card in cards), *talon, *played], PACK)
        check_cards([card for cards in drawn for card in cards], PACK)
        for seat, cards in hands.items():
            if len(cards) > HAND_CARDS:
                raise ImpossiblePosition(f"hands: seat {seat} can hold {HAND_CARDS} cards at most.")
            state.hands[seat] = mask(cards)
        if len(talon) + len(drawn[0]) + len(drawn[1]) > TALON_CARDS:
            raise ImpossiblePosition(f"talon: {TALON_CARDS} cards at most lie there, those drawn included.")
        state.talon = tuple(talon)
        state.discards = [mask(cards) for cards in discards]
        state.drawn = [tuple(cards) for cards in drawn]
        self.cards_played = played
        self.phase, self.due = self._read_phase(hands)

    def _read_phase(self, hands: Mapping[int, Sequence[Card]]) -> tuple[Phase | None, str]:
        """The phase, and for `declare` the category that is due if one is named."""
        word = self._text("phase") or self._likely_phase(hands)
        if not word:
            return None, ""
        if word not in self.PHASES:
            raise ImpossiblePosition(f"phase: choose one of {', '.join(self.PHASES)}.")
        if word == BLANCHE and self._seat("to_move", None) == self.state.elder:
            return EXCHANGE, ""  # elder declares it in place of a plain exchange
        return (DECLARE, word) if word in tuple(Category) else (Phase(word), "")

    def _likely_phase(self, hands: Mapping[int, Sequence[Card]]) -> str:
        if self._list("said"):
            return ""
        if self.cards_played:
            return PLAY
        if self.data.get("elder_calls") or self.data.get("younger_passes"):
            return LEAD
        if self.state.talon and not all(self.state.discards):
            return BLANCHE if self.state.has_blanche(self.state.younger) else EXCHANGE
        return PLAY if hands and max(map(len, hands.values())) < HAND_CARDS else DECLARE

    def _fill(self, hands: Mapping[int, Sequence[Card]]) -> None:
        """Makes up what was left out from cards that lie nowhere else."""
        state = self.state
        used = state.hands[0] | state.hands[1] | state.discards[0] | state.discards[1]
        spare = self.unused_cards((*cards_of(used), *state.talon, *self.cards_played))
        is_early = self.phase in (BLANCHE, EXCHANGE)
        size = len(next(iter(hands.values()))) if hands else HAND_CARDS
        for seat in range(SEATS):
            if seat not in hands and (is_early or len(self.cards_played) == 0):
                state.hands[seat] = mask(spare[:size])
                spare = spare[size:]
        if is_early and self.data.get("talon") is None:
            state.talon = tuple(spare[: TALON_CARDS - self._taken()])

    def _taken(self) -> int:
        """How many cards have left the talon before an exchange; five if elder has drawn and nothing else is said."""
        state = self.state
        given = self.data.get("carte_blanche")
        is_promised = isinstance(given, Mapping) and bool(given.get("number"))
        has_drawn = self.phase is EXCHANGE and self._exchanger(is_promised) == state.younger and not is_promised
        drawn = sum(map(len, state.drawn))
        return drawn or (state.discards[state.elder].bit_count() or ELDER_MOST if has_drawn else 0)

    def _exchanger(self, is_promised: bool) -> int:
        """Who exchanges now: elder first, but after elder's promise younger first."""
        state = self.state
        first, second = (state.younger, state.elder) if is_promised else (state.elder, state.younger)
        seat = self._seat("to_move", second if state.discards[first] else first)
        assert seat is not None, "there is a default"
        return seat

    # What has happened

    def _begin(self) -> None:
        """The state before an exchange."""
        state = self.state
        self._read_blanche()
        is_promised = state.blanche is not None and state.blanche.number > 0
        held = [hand.bit_count() for hand in state.hands]
        if self.phase is BLANCHE:
            if not state.options["carte_blanche"]:
                raise ImpossiblePosition("phase: carte blanche does not count at this table.")
            state.begin()
        else:
            state.phase = EXCHANGE
            seat = self._exchanger(is_promised)
            state.to_act = (seat,)
            self._check_exchange(seat, is_promised)
            if state.blanche is not None and (is_promised or seat == state.elder):
                state.announce(state.blanche)
            if is_promised and seat == state.elder:
                held[state.younger] += state.discards[state.younger].bit_count()
        if held[0] != held[1]:
            raise ImpossiblePosition("hands: both players need as many cards.")

    def _check_exchange(self, seat: int, is_promised: bool) -> None:
        state = self.state
        if state.discards[seat]:
            raise ImpossiblePosition("discards: the seat to exchange has laid nothing aside yet.")
        if seat == state.younger and not is_promised and len(state.talon) == TALON_CARDS:
            raise ImpossiblePosition(f"talon: elder has drawn first, so fewer than {TALON_CARDS} cards are left.")

    def _read_blanche(self) -> None:
        state = self.state
        given = self.data.get("carte_blanche")
        if given is None:
            return
        if not isinstance(given, Mapping) or not state.options["carte_blanche"]:
            raise ImpossiblePosition("carte_blanche: write its seat and number, at a table that plays it.")
        known_keys(given, ("seat", "number", "cards"))
        word = str(given.get("seat")).lower()
        named = {"a": 0, "b": 1, "elder": state.elder, "younger": state.younger}
        seat = whole_number(named.get(word, given.get("seat")), "carte_blanche", low=0, high=SEATS - 1)
        low, high = (1, ELDER_MOST) if seat == state.elder else (0, 0)
        number = whole_number(given.get("number", 0), "carte_blanche", low=low, high=high)
        dealt = card_list(given.get("cards"), "carte_blanche") or cards_of(state.hands[seat])
        check_cards(dealt, PACK)
        if len(dealt) != HAND_CARDS or mask(dealt) & COURT_CARDS:
            raise ImpossiblePosition("carte_blanche: it is twelve cards without king, queen or jack.")
        state.blanche = Blanche(seat, number, mask(dealt))
        thrown = mask(dealt) & ~state.hands[seat]
        state.discards[seat] = state.discards[seat] or thrown
        check_cards([card for hand in (*state.hands, *state.discards) for card in cards_of(hand)], PACK)
        if state.discards[seat] != thrown:
            raise ImpossiblePosition("carte_blanche: what is gone from it must be the discards of that seat.")
        state.sheet[seat][Item.CARTE_BLANCHE] = CARTE_BLANCHE_POINTS

    def _replay(self) -> None:
        """Plays what was said and played, from the hands as they were before."""
        state = self.state
        said = [self._move(text) for text in self._list("said")]
        words = ("elder_calls", "younger_passes")
        has_declared = bool(said or self.phase is not PLAY or any(self.data.get(key) is not None for key in words))
        leader = self._leader(has_declared)
        for owner, card in _owners(self.cards_played, leader):
            state.hands[owner] |= BIT[card]
        if state.hands[0].bit_count() != state.hands[1].bit_count():
            raise ImpossiblePosition("hands: both players need as many cards, those played included.")
        self._read_blanche()
        state.phase, state.to_act = (DECLARE, (state.elder,)) if has_declared else (PLAY, (leader,))
        cards: list[PiquetMove] = [PLAY_OF[card] for card in self.cards_played]
        while (move := self._next_move(said, cards)) is not None:
            try:
                state.play(state.to_act[0], move)
            except IllegalMove as error:
                raise ImpossiblePosition(f"{move}: {error}") from None
        if said or cards or not any(state.hands) or self.phase not in (None, state.phase):
            where = f", not to {self.phase}" if self.phase else " and no further"
            raise ImpossiblePosition(f"said, played: they lead to the phase {state.phase}{where}.")

    def _leader(self, has_declared: bool) -> int:
        state = self.state
        elder, younger = (state.hands[seat].bit_count() for seat in (state.elder, state.younger))
        likely = self._seat("to_move", state.younger if elder < younger else state.elder)
        assert likely is not None, "there is a default"
        if has_declared:
            likely = state.elder
        elif len(self.cards_played) == 1:
            likely = 1 - likely
        leader = self._seat("leader", likely)
        assert leader is not None, "there is a default"
        return leader

    def _next_move(self, said: list[PiquetMove], cards: list[PiquetMove]) -> PiquetMove | None:
        """What was done next, None when the position is reached."""
        state = self.state
        if state.phase is LEFT and (self.phase is PLAY or cards or self.switch("turned_up")):
            return TURN_UP if self.switch("turned_up") else LEAVE_DOWN
        if state.phase in (DECLARE, CLAIMS):
            if self._list("said"):
                return said.pop(0) if said else None
            is_turn = self._seat("to_move", state.to_act[0]) == state.to_act[0]
            is_there = is_turn and state.phase is self.phase and self.due in ("", state.due()[1])
            return None if is_there else self._likely_move()
        if state.phase in (LEAD, PLAY):
            return cards.pop(0) if cards else None
        return None

    def _likely_move(self) -> PiquetMove:
        """The best claim or answer, or what the position says of it."""
        state = self.state
        seat = state.to_act[0]
        _place, category = state.due()
        if seat == state.younger and state.phase is DECLARE:
            answer: PiquetMove = state.legal_moves(seat)[-1]
            return answer
        best = best_holding(state.hands[seat], category)
        nothing = state.pass_due()
        if state.phase is CLAIMS:
            return (
                nothing if best is None or category in self._list("younger_passes") else Claim(category, best.notation)
            )
        calls = self.data.get("elder_calls") or {}
        if not isinstance(calls, Mapping):
            raise ImpossiblePosition('elder_calls: write categories with calls, such as {point: H, set: "-"}.')
        known_keys(calls, Category)
        call = calls.get(str(category))
        if call is not None:
            return self._move(f"{LETTERS[category]}:{str(call).upper().removeprefix(LETTERS[category] + ':')}")
        return nothing if best is None else Claim(category, best.notation)

    def _move(self, text: object) -> PiquetMove:
        try:
            return parse_move(str(text))
        except UnreadableMove as error:
            raise ImpossiblePosition(f"said: {error}") from None

    def _read_counts(self) -> None:
        state = self.state
        if self.data.get("tricks") is not None:
            state.tricks = self.numbers("tricks", high=TRICKS)
            if sum(state.tricks) + max(hand.bit_count() for hand in state.hands) > TRICKS:
                raise ImpossiblePosition(f"tricks: with the cards still held there are more than {TRICKS}.")
        for seat, given in enumerate(by_seat(self.data.get("counted"), SEATS, "counted")):
            if given is not None:
                state.sheet[seat] = self._points(given)
        state.has_bonus = any(points[item] for points in state.sheet for item in (Item.REPIQUE, Item.PIQUE))
        state.turned_up = self.switch("turned_up")

    def _points(self, given: object) -> list[int]:
        names = [item.name.lower() for item in Item]
        if not isinstance(given, Mapping):
            raise ImpossiblePosition("counted: write points by name, such as {point: 5, leads: 3}.")
        known_keys(given, names)
        return [whole_number(given.get(name, 0), "counted", low=0, high=_MANY_POINTS) for name in names]

    def _check_turn(self) -> None:
        state = self.state
        if not state.legal_moves(state.to_act[0]):
            raise ImpossiblePosition("hands, talon: the seat to move has nothing that it could do.")
        for seat, cards in enumerate(state.drawn):
            gone = {card for owner, card in state.played if owner == seat}
            if not set(cards) <= {*cards_of(state.hands[seat]), *gone}:
                raise ImpossiblePosition("drawn: these cards must be in the hand that drew them, or played from it.")
        if self._seat("to_move", state.to_act[0]) != state.to_act[0]:
            raise ImpossiblePosition(f"to_move: it is the turn of seat {state.to_act[0]}.")

    def _text(self, key: str) -> str:
        value = self.data.get(key)
        return str(value).strip().lower() if isinstance(value, str) else ""

    def _list(self, key: str) -> list[Any]:
        """A list, or the words of a text, each with the figure behind it (`NG 49`); [] if nothing is given."""
        value = self.data.get(key)
        if value is None:
            return []
        if isinstance(value, str):
            return re.split(r"\s+(?=[A-Za-z]{2}|-)", value.strip()) if value.strip() else []
        if not isinstance(value, Sequence):
            raise ImpossiblePosition(f"{key}: write a list.")
        return list(value)


def _owners(played: Sequence[Card], leader: int) -> Iterator[tuple[int, Card]]:
    """Who played each card, from who led the first."""
    for place in range(0, len(played), 2):
        yield leader, played[place]
        if place + 1 < len(played):
            yield 1 - leader, played[place + 1]
            if beats(played[place + 1], played[place], RANKS):
                leader = 1 - leader


def _bare_result(slug: str, number: int, points: Sequence[int]) -> HandResult:
    """A finished deal of which only the points are known."""
    rule = f"{slug}:running-score"
    lines = tuple(ScoreLine((seat,), rule, "Counted in this deal", gained) for seat, gained in enumerate(points))
    return HandResult(number, f"{points[0]} for @0; {points[1]} for @1.", tuple(points), lines)
