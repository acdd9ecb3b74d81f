"""House bots of Shanghai: a bot that sees more rearrangements gets rid of more cards.

As in Vatican, laying as many cards as possible is hard to beat: a card held back for the next turn is only laid a turn
later. Drawing or passing is never a choice here, and a bot that sees no play makes one that the table shows.
"""

from dataclasses import dataclass
from random import Random
from typing import ClassVar

from games.bots import Reason, vatican
from games.core.cards import Card
from games.core.contract import Move
from games.core.moves import DRAW
from games.core.rummy.common_table import CommonTableView
from games.core.rummy.rearranging import Play
from games.engines.shanghai import SHANGHAI, Shanghai, ShanghaiView, card_count


def hand_after(view: CommonTableView, play: Play) -> tuple[Card, ...]:
    played = play.from_hand(dict(view.table))
    return tuple(card for card in view.hand if card not in played)


@dataclass(frozen=True, slots=True)
class Human(vatican.Human):
    """As in Vatican; where it sees nothing it makes the smallest play that the table shows."""

    game: ClassVar[Shanghai] = SHANGHAI

    def _has_opened(self, view: CommonTableView) -> bool:
        return True

    def _without_a_play(self, view: CommonTableView) -> Move:
        shown = [move for move in view.moves if isinstance(move, Play)]
        return max(shown, key=lambda play: len(hand_after(view, play)), default=view.moves[0])


class Strong:
    """Sees every arrangement, lays as many cards as possible, and of these plays leaves the fewest points behind."""

    def choose(self, view: ShanghaiView, rng: Random) -> Move:
        shown = [move for move in view.moves if isinstance(move, Play)]
        return min(shown, key=lambda play: self._rank(view, play), default=view.moves[0])

    def _rank(self, view: ShanghaiView, play: Play) -> tuple[int, int, int]:
        left = hand_after(view, play)
        return len(left), sum(map(card_count, left)), len(play.dissolved)


LEVELS = {
    "first-steps": Human(most_melds=1, most_steps=1, overlooks=0.5),
    "club": Human(most_melds=2, most_steps=20, overlooks=0.1),
    "strong": Strong(),
}


# What speaks for a move


def reason(view: ShanghaiView, move: Move) -> Reason:
    if not isinstance(move, Play):
        what = "If you don't play, you draw" if move == DRAW else "The stock is empty"
        rule = "draw-until-able" if move == DRAW else "stock-empty"
        return Reason(f"{what}; {vatican.plays_found(view)}.", f"shanghai:{rule}")
    left = hand_after(view, move)
    if not left:
        text = f"It gets rid of all your cards, so you count nothing.{vatican.lying_after(move)}"
        return Reason(text, "shanghai:going-out")
    counts = "" if view.options["count"] == "cards" else f" The rest of your hand counts {sum(map(card_count, left))}."
    return Reason(f"It {vatican.cards_laid(view, move)}.{counts}{vatican.lying_after(move)}", "shanghai:card-count")
