"""The view of Cuarenta: what one seat, or a spectator, may know."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.core.cards import Card, by_display
from games.core.contract import Choice, Move, Selection, View, Zone, open_zone
from games.core.sides import side_in_words
from games.core.words import players_in_words
from games.engines.cuarenta import words
from games.engines.cuarenta.moves import RANK, SIDES, Capture, Claim, Declare, Fall, Lay, Phase, Turn, batches_of_a_hand
from games.engines.cuarenta.scoring import TARGET


@dataclass(frozen=True, slots=True, kw_only=True)
class CuarentaView(View):
    """What a seat knows of a game of Cuarenta.

    hands: in display order, by seat, None where the viewer may not look.
    pile_counts, remembered, shown, games: by side.

    remembered, laid_by: the cards of each pile, and who played which cards of this batch. All players have seen it.
    Bots and the coach remember it; no page and no text shows it, and views that differ in it are equal.
    shown: what came to each pile with the last card played. last_play: as in the state; a match takes its caída.
    claimer, overlooked: whether the next player may claim, and what. It follows from the last play and the pot, so
    nothing is given away to a bot; the table does not mark it.
    proclaimers: seats with a ronda in this batch; ronda: the cards of the viewer's own, () without one.
    falls: the viewer's own catches. tried: as in the state, since declarations are open.
    tally: by side, in the order of POINTS. turns: since the last card played.
    """

    phase: Phase
    dealer: int
    deal_number: int
    hands_before: int
    batch_number: int
    games: tuple[int, ...]
    hands: tuple[tuple[Card, ...] | None, ...]
    hand_counts: tuple[int, ...]
    stock_count: int
    pot: tuple[Card, ...]
    pile_counts: tuple[int, ...]
    remembered: tuple[tuple[Card, ...], ...] = field(repr=False, compare=False)
    laid_by: tuple[tuple[Card, int], ...] = field(repr=False, compare=False)
    shown: tuple[tuple[Card, ...], ...]
    last_play: tuple[int, Card] | None
    claimer: int | None
    overlooked: tuple[tuple[Card, ...], ...]
    last_capturer: int | None
    proclaimers: tuple[int, ...]
    ronda: tuple[Card, ...]
    falls: tuple[Fall, ...]
    tried: tuple[tuple[int, int], ...]
    tally: tuple[tuple[int, ...], ...]
    turns: tuple[Turn, ...]
    winner: int | None
    by: str

    @property
    def hand(self) -> tuple[Card, ...]:
        """The viewer's own cards, () for a spectator."""
        return () if self.seat is None else self.hands[self.seat] or ()

    @property
    def zones(self) -> tuple[Zone, ...]:
        first = 0 if self.seat is None else self.seat + 1
        others = [(first + step) % self.seats for step in range(self.seats - (self.seat is not None))]
        mine = [] if self.seat is None else [self._hand_zone(self.seat)]
        return (
            *(self._hand_zone(seat) for seat in others),
            Zone("stock", "stock", "Stock", count=self.stock_count, note="" if self.stock_count else "last deal"),
            open_zone("pot", "row", "Pot", self.pot),
            *(self._pile_zone(side) for side in range(SIDES)),
            *mine,
        )

    def _hand_zone(self, seat: int) -> Zone:
        note = "ronda" if seat in self.proclaimers else ""
        return Zone(
            f"hand:{seat}", "hand", f"@{seat}'s hand", self.hands[seat] or (), self.hand_counts[seat], seat, note
        )

    def _pile_zone(self, side: int) -> Zone:
        label = f"Captured by {side_in_words(side, self.seats, SIDES)}"
        return Zone(f"pile:{side}", "pile", label, self.shown[side], self.pile_counts[side], side)

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        return words.prompt(self.phase, may_claim=self._may_look_for_claims)

    @property
    def _may_claim(self) -> bool:
        return self.claimer is not None and self.claimer == self.seat and self.seat in self.to_act

    @property
    def _may_look_for_claims(self) -> bool:
        """Whether the pot has a card that a capture could have overlooked: one above those it took.

        Whether it did overlook one is left to the player to find.
        """
        captures = [turn.move for turn in self.turns if isinstance(turn.move, Capture)]
        top = RANK[captures[-1].card[0]] + len(captures[-1].run) if captures else -1
        return self._may_claim and any(RANK[card[0]] > top for card in self.pot)

    @property
    def _claims_are_hidden(self) -> bool:
        return self.options["oversight"] == "claim"

    @property
    def log_note(self) -> str:
        return words.LOG_NOTE

    @property
    def offered(self) -> Sequence[Move]:
        """A claim is no button: it would show what was overlooked."""
        if not self._claims_are_hidden:
            return self.moves
        return [move for move in self.moves if not (isinstance(move, Claim) and move.cards)]

    @property
    def selection(self) -> Selection | None:
        """Overlooked cards are marked in the pot, after any capture, whether it overlooked something or not."""
        if not (self._may_look_for_claims and self._claims_are_hidden):
            return None
        return Selection("Claim", tuple(by_display(self.pot)), 1, len(self.pot), is_always_legal=False)

    @property
    def forced(self) -> Move | None:
        """Nothing is played unasked where there may be a claim: the pause itself would tell."""
        return self.moves[0] if len(self.moves) == 1 and not self._may_claim else None

    @property
    def announcements(self) -> tuple[tuple[int, str], ...]:
        """What the turns since the last card were worth, as it is called at the table."""
        called = [(turn.seat, words.announcement(turn)) for turn in self.turns]
        return tuple([(seat, call) for seat, call in called if call])

    def choice(self, move: Move) -> Choice:
        match move:
            case Lay(card):
                touches: tuple[str, ...] = (card, "pot")
            case Capture(card, taken, run):
                touches = (card, *taken, *run)
            case Claim(cards):
                touches = cards
            case Declare(card):
                touches = (f"pile:{(self.seat or 0) % SIDES}",) if card else ()
            case _:
                raise TypeError(f"not a legal move of Cuarenta: {move!r}")
        return Choice(move, words.phrase(move), touches)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        laid = self.last_play if self.phase is Phase.PLAY else None  # no card falls after the last one of a deal
        games = () if self.options["match"] == "1" else (("Games", " to ".join(map(str, self.games))),)
        return (
            ("Hand", str(self.deal_number)),
            ("Dealer", f"@{self.dealer}"),
            ("Deal", f"{self.batch_number} of {batches_of_a_hand(self.seats)}"),
            ("Ronda", players_in_words(self.proclaimers) if self.proclaimers else "nobody"),
            ("Card that can fall (caída)", f"@{laid[0]}'s {laid[1]}" if laid else "none"),
            *games,
            ("Target", f"{TARGET} points"),
            *([("Scored in this hand", self._scored)] if any(map(any, self.tally)) else []),
        )

    @property
    def _scored(self) -> str:
        """What each side has scored in this hand: its turns are covered, but what they were worth is called aloud."""
        return "; ".join(
            f"{side_in_words(side, self.seats, SIDES)} {words.scored([times[side] for times in self.tally])}"
            for side in range(SIDES)
            if any(times[side] for times in self.tally)
        )
