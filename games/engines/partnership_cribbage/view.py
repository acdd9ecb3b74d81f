"""The view of Cribbage: what a seat sees, in zones, choices and facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.card_bits import BIT
from games.core.cards import Card
from games.core.contract import Choice, Move, Peg, Phrase, Selection, Track, View, Zone, open_zone
from games.core.cribbage import MOST, SIDES, VALUE, after, pegged
from games.core.sides import seats_of_side
from games.core.words import counted
from games.engines.partnership_cribbage.moves import (
    DISCARD,
    GO,
    LAID_AWAY,
    PLAY,
    SHOW,
    Claim,
    CribbageMove,
    Deed,
    Discard,
    Go,
    Muggins,
    Pegging,
    Phase,
    Play,
    Shown,
)
from games.engines.partnership_cribbage.words import (
    BY_CARD,
    claim_phrase,
    claim_prompt,
    discard_prompt,
    for_points,
    muggins_prompt,
    play_prompt,
)

STUCK: tuple[CribbageMove, ...] = (GO,)


@dataclass(frozen=True, slots=True, kw_only=True)
class CribbageView(View):
    """What a seat knows of a game of Cribbage.

    hand, laid_away: the viewer's cards and discard, () for a spectator. open_hands, open_crib: while they are counted.
    played: the whole play of this deal. count: of the count that runs, 0 at its start.
    counted_now: whose hand or crib (True) is being counted. overlooked: an opponent is asked what was overlooked.
    rear: the rear pegs, by side.
    """

    dealer: int
    deal_number: int
    phase: Phase
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    open_hands: tuple[tuple[Card, ...], ...]
    laid_away: tuple[Card, ...]
    crib_counts: tuple[int, ...]
    open_crib: tuple[Card, ...]
    starter: Card | None
    stock_count: int
    played: tuple[Deed, ...]
    count: int
    pegs: tuple[Pegging, ...]
    shown: tuple[Shown, ...]
    claims: tuple[tuple[int, Claim | Muggins], ...]
    counted_now: tuple[int, bool] | None
    overlooked: bool
    rear: tuple[int, ...]

    @property
    def this_count(self) -> tuple[Deed, ...]:
        """The cards and gos of the count that runs or, before its first card, of the one that has just ended."""
        leads = [place for place, deed in enumerate(self.played) if deed.card and deed.reached == VALUE[BIT[deed.card]]]
        return self.played[leads[-1] :] if leads else ()

    @property
    def leader(self) -> int | None:
        """Who led the first card of the deal or is to lead it, None in a show without a play."""
        if self.played:
            return self.played[0].seat
        return self.to_act[0] if self.phase is PLAY else None

    @property
    def trail(self) -> int:
        """The count that runs in the form of `games.core.cribbage`."""
        trail = 0
        for deed in self.this_count if self.count else ():
            trail = after(trail, BIT[deed.card]) if deed.card else trail
        return trail

    @property
    def zones(self) -> tuple[Zone, ...]:
        first = 0 if self.seat is None else self.seat + 1
        others = [(first + n) % self.seats for n in range(self.seats - (self.seat is not None))]
        zones = [self._hand_zone(seat) for seat in others]
        if self.phase is PLAY:
            now = [deed.card for deed in self.this_count if deed.card] if self.count else []
            zones += [self._played_zone(seat, now) for seat in range(self.seats)]
            zones.append(open_zone("count", "row", "This count", now, note=str(self.count)))
        zones += self._shared_zones()
        return (*zones, *(self._hand_zone(seat) for seat in [self.seat] if seat is not None))

    def _hand_zone(self, seat: int) -> Zone:
        is_own = seat == self.seat
        if self.open_hands:
            return open_zone(
                f"hand:{seat}", "hand" if is_own else "row", f"@{seat}'s hand", self.open_hands[seat], owner=seat
            )
        said_go = self.count and any(deed.seat == seat and not deed.card for deed in self.this_count)
        shown = self.hand if is_own else ()
        return Zone(
            f"hand:{seat}", "hand", f"@{seat}'s hand", shown, self.hand_counts[seat], seat, "said go" if said_go else ""
        )

    def _played_zone(self, seat: int, now: Sequence[Card]) -> Zone:
        """What a seat has played in earlier counts."""
        earlier = [deed.card for deed in self.played if deed.card and deed.seat == seat and deed.card not in now]
        return open_zone(f"played:{seat}", "row", f"Played by @{seat}", earlier, owner=seat)

    def _shared_zones(self) -> list[Zone]:
        crib = Zone("crib", "row", f"@{self.dealer}'s crib", self.open_crib or self.laid_away, sum(self.crib_counts))
        if self.starter is None:
            return [Zone("stock", "stock", "Stock", (), self.stock_count), crib]
        return [Zone("stock", "pile", "Starter", (self.starter,), self.stock_count + 1), crib]

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is DISCARD:
            has_partners = self.seats > SIDES
            return discard_prompt(LAID_AWAY[self.seats], dealer=self.dealer, seat=self.seat, has_partners=has_partners)
        if self.phase is PLAY:
            return play_prompt(self.count, is_stuck=self.moves == STUCK)
        assert self.counted_now is not None, "a hand is being counted"
        owner, is_crib = self.counted_now
        if self.overlooked:
            return muggins_prompt(owner, self.claims[-1][1].points, is_crib=is_crib)
        return claim_prompt(is_crib=is_crib, starter=self.starter)

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Play):
            gained = pegged(after(self.trail, BIT[move.card]))
            fits = gained.reached <= MOST
            rest = f"{move.card}: {for_points(gained.reached, gained.points)}" if fits else move.card
            return Choice(move, Phrase("play", rest), (move.card,), to="count")
        if isinstance(move, Go):
            return Choice(move, Phrase("say", "go"))
        if isinstance(move, Discard):
            return Choice(
                move, Phrase("discard", f"{' '.join(move.cards)} to @{self.dealer}'s crib"), move.cards, to="crib"
            )
        assert isinstance(move, Claim | Muggins), f"{move!r} is a move of another game"
        return Choice(move, claim_phrase(move))

    @property
    def offered(self) -> Sequence[Move]:
        return () if self.selection else self.moves

    @property
    def selection(self) -> Selection | None:
        """Two players mark the two cards that they lay away."""
        number = LAID_AWAY[self.seats]
        if self.phase is not DISCARD or self.seat not in self.to_act or number == 1:
            return None
        return Selection("Discard", self.hand, number, number, to="crib")

    @property
    def forced(self) -> Move | None:
        """A go and a last card: with more cards, that only one of them fits is not for the others to know."""
        return self.moves[0] if len(self.moves) == 1 and (self.moves == STUCK or len(self.hand) == 1) else None

    @property
    def announcements(self) -> tuple[tuple[int, str], ...]:
        """What each player said last in this count or of the cards."""
        if self.phase is SHOW:
            return tuple({seat: counted(move.points, "point") for seat, move in self.claims}.items())
        start = len(self.played) - len(self.this_count)
        words = {}
        for number, deed in enumerate(self.this_count, start=start + 1):
            points = sum(peg.points for peg in self.pegs if peg.deeds == number and peg.rule in BY_CARD)
            words[deed.seat] = for_points(deed.reached, points) if deed.card else "Go"
        return tuple(words.items())

    @property
    def track(self) -> Track:
        fronts = self.scores[:2]
        pegs = (Peg(seats_of_side(side, self.seats, SIDES), fronts[side], self.rear[side]) for side in (0, 1))
        return Track(int(self.options["target"]), tuple(pegs))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [("Dealer", f"@{self.dealer}"), ("Target", f"{self.options['target']} points")]
        return (*found, ("Count", str(self.count))) if self.phase is PLAY else tuple(found)
