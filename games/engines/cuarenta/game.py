"""The game of Cuarenta: its options, and what can be asked of it."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import ClassVar

from games.core.cards import Card, by_display
from games.core.contract import Game, HandEnd, Option, Options, Position, Show, UnreadableMove
from games.core.deals import Decks, random_decks
from games.engines.cuarenta.imagining import imagine
from games.engines.cuarenta.moves import PACK, RANK, Capture, Claim, CuarentaMove, Declare, Lay, Phase, parse_move
from games.engines.cuarenta.position import CuarentaReader, dump_position
from games.engines.cuarenta.show import show_hand
from games.engines.cuarenta.state import CuarentaState
from games.engines.cuarenta.view import CuarentaView


class Cuarenta(Game[CuarentaState, CuarentaView, CuarentaMove]):
    slug = "cuarenta"
    name = "Cuarenta"
    summary = "Ecuador's fast fishing game: fall on the card just laid, sweep the pot, race to forty."
    seats = (2,)
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "ronda",
            "A ronda is",
            "suit",
            {"suit": "three of a suit", "rank": "three of a rank"},
            "Three or more cards of one suit, or of one rank, among the five that are dealt.",
        ),
        Option(
            "announce",
            "Rondas count",
            "first",
            {"first": "at the first deal of a hand", "every": "at every deal"},
            "The same holds for four of a kind.",
        ),
        Option(
            "oversight",
            "Overlooked cards",
            "claim",
            {"claim": "may be claimed by the next player", "auto": "cannot happen, sequences are taken whole"},
        ),
        Option(
            "ronda_claim",
            "A caught ronda",
            "declare",
            {"declare": "has to be declared", "auto": "is booked by the table"},
        ),
        Option("add_size", "Adding sets", "any", {"any": "of any size", "two": "of exactly two cards"}),
        Option(
            "count",
            "Cards above twenty",
            "single",
            {"single": "1 point for every two", "even": "2 points for every two or part of it"},
        ),
        Option(
            "residue",
            "Cards left at the end",
            "none",
            {"none": "belong to nobody", "last": "go to the last capturer"},
        ),
        Option(
            "capture",
            "A card that can capture",
            "must",
            {"must": "must capture", "may": "may be laid"},
            "If it may be laid, the next player may claim what it could have taken.",
        ),
        Option(
            "ronda_capture",
            "A ronda is caught by",
            "caida",
            {"caida": "a caída on one of its cards", "any": "any capture of one of its cards"},
        ),
        Option(
            "at_38",
            "From 38 points on",
            "no-limpia",
            {"no-limpia": "a limpia is worth nothing", "only-caida": "only caídas score"},
        ),
        Option(
            "match",
            "Match",
            "1",
            {"1": "one game", "best-of-3": "best of three games"},
            "The loser of a game deals the next one.",
        ),
    )
    presets: ClassVar[Mapping[str, Options]] = {
        "ecuador": {
            "ronda": "rank",
            "announce": "every",
            "add_size": "two",
            "count": "even",
            "at_38": "only-caida",
            "match": "best-of-3",
        }
    }

    state_class: ClassVar[type[CuarentaState]] = CuarentaState

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> CuarentaState:
        return self.state_class(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> CuarentaMove:
        return parse_move(text)

    def select(self, view: CuarentaView, cards: Sequence[Card]) -> CuarentaMove:
        """The claim of these cards."""
        if not cards:
            raise UnreadableMove("Select the overlooked cards in the pot first.")
        return Claim(tuple(by_display(cards)))

    def attempt(self, view: CuarentaView, picks: Sequence[str]) -> CuarentaMove:
        """One card of the hand with what it takes; or cards of the pot alone as a claim, where one may be made."""
        mine = [pick for pick in picks if pick in view.hand]
        others = by_display(pick for pick in picks if pick in PACK and pick not in mine)
        takes_pile = any(pick.startswith("pile:") for pick in picks)
        declaration = next((move for move in view.moves if isinstance(move, Declare)), None)
        if takes_pile and view.phase is Phase.PLAY and declaration is None:
            self.refuse_selection("pile", "Leave the pile out: what you take goes there by itself.")
        if takes_pile or view.phase is Phase.DECLARE:
            return declaration or Declare()
        if len(mine) > 1:
            self.refuse_selection("turn-order", "You play one card a turn. Choose one.")
        if mine:
            return _meant_capture(mine[0], others) if others else Lay(mine[0])
        if others and (view.phase is Phase.CLAIM or view.claimer == view.seat):
            return Claim(tuple(others))
        if "stock" in picks:
            message = "You don't draw: five more cards are dealt when all hands are empty. Choose a card of yours."
            self.refuse_selection("deal-again", message)
        self.refuse_selection("turn-order", "Choose a card from your hand too: the one that takes these.")

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> CuarentaState:
        """A position with the keys of `dump`, each of which may be left out.

        seats (the fewest of the game), options, dealer (0), hand (its number in the game, 1), hands_before (in
        earlier games of a match), deal_no (1), to_move (the first seat with cards after the last play, else after the
        dealer), phase (found from the rest; named, it must agree).
        hands, rondas (the cards of proclaimed rondas): by seat. stock: the next card first. pot: the oldest first.
        scores, games, captured, shown: by side, which is the seat, or with four seats 0 for seats 0 and 2.
        captured: cards, or how many, made up of cards that lie nowhere else. shown: those of the last play.
        last_play: [seat, card] if the last turn of this deal laid a card. laid_by: who played cards of the pot
        and of the piles in this deal. falls: [[catcher, layer, card], ...]. tried: [[catcher, layer], ...] that may
        not declare.
        overlooked: the cards that may be claimed, or several lists to choose from; claimer: who may, the seat to
        move if not given. lapsed: overlooked cards that can no longer be claimed. last_capturer: a seat.
        tally: how often each side scored by each rule in this hand.
        turns: what was done since the last card and what it scored, [[1, "5Sx5D", [caida]], ...]; the move of a
        proclaimed ronda is null. winner (a side), by: of a finished game.
        `deck` instead of cards: what deal `deal_no` is dealt from, of which the first cards are enough.
        Without cards in the hands the deal is over: declarations, the next deal, the claim after the last play or
        the count follow. Without any cards a hand is dealt.
        """
        return CuarentaReader(self, data, deals).state

    def dump(self, state: CuarentaState) -> Position:
        return dump_position(state)

    def show(self, end: HandEnd[CuarentaState, CuarentaMove]) -> Show:
        return show_hand(end)

    def sample(self, view: CuarentaView, rng: Random) -> CuarentaState:
        decks = Decks(random_decks(PACK, rng))
        state = self.undealt(decks, seats=view.seats, options=view.options, dealer=view.dealer)
        imagine(state, view, rng)
        return state


def _meant_capture(card: Card, others: Sequence[Card]) -> Capture:
    """Equal and lower cards are matched or added, higher ones come along as a sequence; alone they are to be added."""
    taken = tuple(other for other in others if RANK[other[0]] <= RANK[card[0]])
    return Capture(card, taken, tuple(others[len(taken) :])) if taken else Capture(card, tuple(others))


CUARENTA = Cuarenta()
