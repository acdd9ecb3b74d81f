"""Positions of Advantage: as a state is written down, and as it is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.core.cards import Card
from games.core.contract import Game, ImpossiblePosition, Options, Position
from games.core.positions import PositionReader, as_json, by_seat, card_list, check_cards
from games.engines.advantage.moves import (
    CARD_PATTERN,
    DROP,
    MOST_DROPS,
    OVER,
    PACK,
    PAIR,
    PICK,
    PILES,
    SEATS,
    AdvantageMove,
    LayPair,
    Pair,
    Phase,
)
from games.engines.advantage.scoring import ENDINGS
from games.engines.advantage.state import AdvantageState
from games.engines.advantage.view import AdvantageView

# Keys with the fields of the state whose names they have.
FIELDS = (
    "seats", "dealer", "round", "piles", "hands", "drawn", "blocked", "pairs", "dropped", "traded", "has_drawn",
    "still_rounds",
)  # fmt: skip
# A line of the log.
_DEED = re.compile(
    rf"X|#stalled|[01]:(?:D-|T-|\+(?:\?|{CARD_PATTERN})|=[1-3]|[DT] {CARD_PATTERN}>[1-3]"
    rf"|P (?P<one>{CARD_PATTERN})(?!(?P=one)){CARD_PATTERN}"
    r"|#(?:cannot-drop|cannot-pick|out-of-cards))"
)


def dump_position(state: AdvantageState) -> Position:
    return {
        **{name: as_json(getattr(state, name)) for name in FIELDS},
        "options": dict(state.options),
        "phase": str(state.phase),
        "to_move": state.to_act[0] if state.to_act else None,
        "stock": state.stock[::-1],
        "over": state.over.removeprefix("end-") or None,
        "history": list(state.log),
    }


class AdvantageReader(PositionReader):
    """Reads a position into a fresh state. :raises ImpossiblePosition:"""

    KEYS = (*FIELDS, "options", "started_on", "phase", "to_move", "deck", "stock", "over", "history")

    def __init__(
        self,
        game: Game[AdvantageState, AdvantageView, AdvantageMove],
        data: Position,
        deals: Iterable[Sequence[Card]] | None,
    ) -> None:
        super().__init__(game, data, self.KEYS)
        decks, dealer = self.following_decks(deals), self.number("dealer", SEATS - 1, high=SEATS - 1)
        self.state = game.undealt(decks, seats=SEATS, options=self._dated_options(), dealer=dealer)
        self.state.round = self.number("round", 1, low=1, high=10_000)
        self._read_cards()
        check_cards(self.state.cards(), PACK)
        self._read_round()
        self._read_phase()

    def _dated_options(self) -> Options:
        started_on = self.data.get("started_on")
        if started_on is None:
            return self.options
        match = re.fullmatch(r"\d{4}-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", str(started_on))
        if match is None:
            raise ImpossiblePosition(f"started_on: write a date such as 2024-03-05, not {started_on!r}.")
        return {**self.options, **self.game.dated_options(int(match[1]))}

    def _read_cards(self) -> None:
        data, state = self.data, self.state
        if data.get("deck") is not None:
            if any(data.get(name) for name in ("piles", "hands", "stock")):
                raise ImpossiblePosition("deck: it is dealt, so leave out piles, hands and stock.")
            top = self.cards_of("deck")
            state.lay_out([*top, *(card for card in PACK if card not in top)])
        else:
            state.piles = self._piles()
            state.hands = self.card_lists("hands")
            state.stock = self.cards_of("stock")[::-1]
        state.pairs = [_read_pairs(entry) for entry in by_seat(data.get("pairs"), SEATS, "pairs")]
        state.scores = [len(pairs) for pairs in state.pairs]
        state.drawn = self.card_lists("drawn")
        for cards, hand in zip(state.drawn, state.hands, strict=True):
            if not set(cards) <= set(hand) or len(cards) > len(set(cards)):
                raise ImpossiblePosition("drawn: these cards must lie in the hand of their seat.")

    def _piles(self) -> list[list[Card]]:
        given = self.data.get("piles") or [[]] * PILES
        if isinstance(given, Mapping):
            by_number = {str(number): pile for number, pile in given.items()}
            given = [by_number.pop(str(number), None) for number in range(1, PILES + 1)]
            if by_number:
                raise ImpossiblePosition(f"piles: number them 1, 2 and 3; there is no pile {', '.join(by_number)}.")
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != PILES:
            raise ImpossiblePosition("piles: three piles are needed, each from bottom to top.")
        piles = [card_list(pile, "piles") for pile in given]
        if any(piles) and not all(piles):
            raise ImpossiblePosition("piles: none of the three is ever empty.")
        return piles

    def _read_round(self) -> None:
        state = self.state
        state.dropped = self.numbers("dropped", high=MOST_DROPS)
        traded = by_seat(self.data.get("traded"), SEATS, "traded")
        if not all(entry is None or isinstance(entry, bool) for entry in traded):
            raise ImpossiblePosition("traded: it is true or false for each seat.")
        state.traded = [bool(entry) for entry in traded]
        state.blocked = [tuple(tops) for tops in self.card_lists("blocked")]
        state.still_rounds = self.number("still_rounds", 1, high=int(state.options["stall_limit"]))
        state.log = self._log()

    def _log(self) -> list[str]:
        deeds = self.data.get("history") or []
        if not isinstance(deeds, list) or not all(isinstance(deed, str) and _DEED.fullmatch(deed) for deed in deeds):
            raise ImpossiblePosition("history: write a list such as 0:D 8H>2, 0:=1, X, 0:T-.")
        return list(deeds)

    def _read_phase(self) -> None:
        state = self.state
        given = self.data.get("over")
        over = given and f"end-{given}"
        if over and over not in ENDINGS:
            names = ", ".join(rule.removeprefix("end-") for rule in ENDINGS)
            raise ImpossiblePosition(f"over: choose one of {names}.")
        is_bare = not any([*state.piles, *state.hands, state.stock])
        phase = self.read_phase(Phase, OVER if over or is_bare else DROP)
        seat = self.number("to_move", state.first, high=SEATS - 1)
        state.has_drawn = self.switch("has_drawn")
        if phase is OVER:
            state.finish(over or "end-out-of-cards")
            return
        if over:
            raise ImpossiblePosition("over: a game that has ended is in the phase over.")
        state.phase, state.to_act = phase, (seat,)
        self._check_turn(seat)
        state.ask()

    def _check_turn(self, seat: int) -> None:
        state = self.state
        if state.phase is not PAIR and not any(state.piles):
            raise ImpossiblePosition("piles: three piles are needed to drop or to pick.")
        if state.phase is DROP and state.dropped[seat] == MOST_DROPS:
            raise ImpossiblePosition("dropped: a seat that has dropped two cards is not to move.")
        to_come = range(SEATS) if seat == state.first else (seat,)
        if state.phase is DROP and any(state.dropped[other] for other in to_come if other != seat):
            raise ImpossiblePosition("dropped: the second of the round has not dropped before the first is done.")
        if state.phase is DROP and any(state.traded) or state.phase is PICK and any(state.traded[s] for s in to_come):
            raise ImpossiblePosition("traded: a seat that is to drop or to pick has not traded yet.")


def _read_pairs(entry: Any) -> list[Pair]:
    """Pairs from lists of two cards or from text such as 8C8H 9C9D."""
    parts = entry.split() if isinstance(entry, str) else entry or []
    if not isinstance(parts, Sequence):
        raise ImpossiblePosition("pairs: write lists of two cards each, or text such as 8C8H.")
    text = " ".join(part if isinstance(part, str) else " ".join(card_list(part, "pairs")) for part in parts).upper()
    cards = re.findall(CARD_PATTERN, text)
    pairs = [LayPair.of(*pair).cards for pair in zip(cards[::2], cards[1::2], strict=False)]
    if "".join(cards) != text.replace(" ", "") or len(cards) % 2 or any(one[0] != two[0] for one, two in pairs):
        raise ImpossiblePosition("pairs: each pair is two cards of one rank, such as 8C8H.")
    return pairs
