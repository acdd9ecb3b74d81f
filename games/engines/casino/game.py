"""The game of Casino: its options, and what can be asked of it."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import ClassVar

from games.core.cards import Card, by_display
from games.core.contract import Game, HandEnd, Option, Options, Position, Show, numbers, switch
from games.core.deals import Decks, random_decks
from games.engines.casino.imagining import imagine
from games.engines.casino.moves import PACK, PLACE, Capture, CasinoMove, MakeBuild, NotOneCard, Trail, parse_move
from games.engines.casino.position import CasinoReader, dump_position
from games.engines.casino.show import show_hand
from games.engines.casino.state import CasinoState
from games.engines.casino.view import CasinoView


class Casino(Game[CasinoState, CasinoView, CasinoMove]):
    slug = "casino"
    name = "Casino"
    summary = "Capture table cards by rank or by sum, and build for the next turn."
    seats = (2, 3, 4)
    proposals = True  # a crowded table has more sums than are listed, and a build joins an older one unnamed
    options: ClassVar[tuple[Option, ...]] = (
        switch(
            "partners",
            "Partners",
            default=False,
            help="Two partnerships, partners opposite each other.",
            seats=(4,),
        ),
        numbers(
            "target",
            "Target",
            (11, 21, 31, 50),
            default=21,
            help="Points to win the game. 11 is about one good hand.",
        ),
        Option(
            "trail_with_build",
            "Trailing with a build",
            "forbidden",
            {"forbidden": "forbidden", "allowed": "allowed"},
            "Whether you may trail while you control a build. You must keep a card for the build in any case.",
        ),
        Option(
            "face_capture",
            "Face cards take",
            "one",
            {"one": "one equal card", "any": "any number of equal cards"},
            "How many loose cards of its own rank a jack, queen or king may take in one play.",
        ),
        Option(
            "sweeps",
            "Sweeps",
            "off",
            {"off": "do not count", "each": "one point each"},
            "A sweep is a capture that takes everything on the table.",
        ),
        Option(
            "end",
            "Several sides pass the target",
            "highest",
            {"highest": "the highest total wins", "count-out": "the first to reach it wins"},
            "Counting out: cards, spades, big casino, little casino, aces, sweeps.",
        ),
    )

    state_class: ClassVar[type[CasinoState]] = CasinoState

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def sides(self, options: Options, seats: int) -> tuple[tuple[int, ...], ...]:
        return ((0, 2), (1, 3)) if options["partners"] else super().sides(options, seats)

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> CasinoState:
        return self.state_class(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> CasinoMove:
        return parse_move(text)

    def attempt(self, view: CasinoView, picks: Sequence[str]) -> CasinoMove:
        """One card of the hand, and what it takes or builds with."""
        mine = tuple(pick for pick in picks if pick in view.hand)
        loose = tuple(by_display(pick for pick in picks if pick in PLACE and pick not in view.hand))
        builds = tuple(build.value for build in view.builds if f"build:{build.value}" in picks)
        if any(pick.startswith("won:") for pick in picks):
            self.refuse_selection("capture-pile", "Leave the pile out: what you take goes there by itself.")
        if len(mine) + len(loose) + len(builds) + ("table" in picks) < len(picks):
            message = "You don't draw: new cards are dealt when all hands are empty. Choose a card from your hand."
            self.refuse_selection("deal-next", message)
        if not mine:
            message = "Choose a card from your hand too: the one you play with these."
            self.refuse_selection("one-card", message)
        if len(mine) > 1:
            return NotOneCard(mine)
        return self._meant(view, mine[0], loose, builds) if loose or builds else Trail(mine[0])

    def _meant(self, view: CasinoView, card: Card, loose: tuple[Card, ...], builds: tuple[int, ...]) -> CasinoMove:
        """A legal one of the plays with these cards; else a capture that adds up, else a build that would."""
        counts = self.state_class.card_values
        capture = Capture(card, loose, builds)
        if any(other not in counts.alone for other in (card, *loose)):
            return capture
        taken = all(value == counts.alone[card] for value in builds)
        adds_up = taken and counts.division(loose, counts.alone[card]) is not None
        held = {counts.alone.get(other) for other in view.hand if other != card}
        values = sorted(range(1, counts.highest + 1), key=lambda value: (value not in held, -value))
        meant: list[CasinoMove] = [capture] if adds_up else []
        meant += [
            MakeBuild(card, value, loose, builds) for value in values if self._fits_build(card, value, loose, builds)
        ]
        return next((move for move in meant if move in view.moves), [*meant, capture][0])

    def _fits_build(self, card: Card, value: int, loose: tuple[Card, ...], builds: tuple[int, ...]) -> bool:
        counts = self.state_class.card_values
        raised = [build for build in builds if build != value]
        if any(build + counts.in_sets[card] != value for build in raised):
            return False
        return counts.division(loose if raised else (card, *loose), value) is not None

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> CasinoState:
        """A position with the keys of `dump`, each of which may be left out.

        seats (2), options, dealer (0), hand (its number, 1), to_move (the first seat with cards from the
        dealer's left), hands, stock (next card first), loose, builds ({value, sets, controller} or the text
        `[8:3C 5H|8D@1]`), won, totals, sweeps and sweep_cards (by side, or by seat), last_capturer, last_taken, turns
        ([[seat, move], ...] of this hand; with a star behind a sweep, where sweeps count).
        `deck` instead of cards: a deck to be dealt, of which the first cards are enough. `full`: all 52 cards must
        lie there.
        Without cards in the hands and the stock the hand is over and is scored (unless `to_move` is null:
        then that has been done and the game is over). Without any cards the totals decide, or the next hand
        is dealt.
        """
        return CasinoReader(self, data, deals).state

    def dump(self, state: CasinoState) -> Position:
        return dump_position(state)

    def show(self, end: HandEnd[CasinoState, CasinoMove]) -> Show:
        return show_hand(end)

    def sample(self, view: CasinoView, rng: Random) -> CasinoState:
        decks = Decks(random_decks(PACK, rng))
        state = self.undealt(decks, seats=view.seats, options=view.options, dealer=view.dealer)
        imagine(state, view, rng)
        return state


CASINO = Casino()
