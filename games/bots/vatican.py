"""House bots of Vatican: a bot that sees more rearrangements gets rid of more cards, and an expert that waits.

Up to strong the levels lay all that they see at once, as most people do, and differ in what they see.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from games.bots import Bot, Reason
from games.core.contract import Move
from games.core.moves import DRAW
from games.core.rummy.common_table import CommonTableGame, CommonTableView
from games.core.rummy.melds import Meld
from games.core.rummy.rearranging import Play, Situation, suggestions, table_after
from games.engines.vatican import VATICAN, VaticanView


@dataclass(frozen=True, slots=True)
class Human:
    """Builds a turn step by step, mostly of melds in the hand and single cards for a meld, and overlooks some.

    most_melds: that the first step may change. most_steps: of a turn. overlooks: the chance to miss a step.
    """

    game: ClassVar[CommonTableGame[Any, Any]] = VATICAN
    most_melds: int
    most_steps: int
    overlooks: float

    def choose(self, view: CommonTableView, rng: Random) -> Move:
        steps = self._play_sequence(view, rng)
        if not steps:
            return self._without_a_play(view)
        table = dict(view.table)
        for step in steps:
            table = table_after(table, step)
        play: Play = self.game.arrange(view, [meld.cards for meld in table.values()])
        return play if self._is_legal(view, play, rng) else steps[0]

    def _without_a_play(self, view: CommonTableView) -> Move:
        return DRAW if view.stock_count else view.moves[0]

    def _has_opened(self, view: CommonTableView) -> bool:
        assert isinstance(view, VaticanView) and view.seat is not None, "a bot has a seat"
        return view.opened[view.seat]

    def _play_sequence(self, view: CommonTableView, rng: Random) -> list[Play]:
        """A sequence of plays, each legal on the table that the one before leaves."""
        house = self.game.house_rules(view.options)
        table, hand, has_opened = dict(view.table), view.hand, self._has_opened(view)
        choices: Iterable[Play] = self._first_steps(view)
        steps: list[Play] = []
        while (step := self._pick(choices, table, rng)) is not None and len(steps) < self.most_steps:
            played = step.from_hand(table)
            hand = tuple(card for card in hand if card not in played)
            table, has_opened = table_after(table, step), True
            steps.append(step)
            choices = suggestions(Situation(house, tuple(table.items()), hand, has_opened)).easy
        return steps

    def _first_steps(self, view: CommonTableView) -> list[Play]:
        plays = [move for move in view.moves if isinstance(move, Play)]
        return [play for play in plays if len(play.dissolved) <= self.most_melds]

    def _pick(self, choices: Iterable[Play], table: Mapping[int, Meld], rng: Random) -> Play | None:
        seen = [play for play in choices if rng.random() >= self.overlooks]
        return max(seen, key=lambda play: (len(play.from_hand(table)), -len(play.dissolved)), default=None)

    def _is_legal(self, view: Any, play: Play, rng: Random) -> bool:
        """Whether the steps are legal together: one by one they may use the same natural card to free two jokers."""
        return all(verdict.refusal is None for verdict in self.game.sample(view, rng).check(view.seat, play))


class Strong:
    """Sees every arrangement and lays as many cards as possible, changing as few melds as that allows."""

    def choose(self, view: CommonTableView, rng: Random) -> Move:
        table = dict(view.table)
        plays = [move for move in view.moves if isinstance(move, Play)]
        if not plays:
            return view.moves[0]
        return max(plays, key=lambda play: (len(play.from_hand(table)), -len(play.dissolved)))


@dataclass(frozen=True, slots=True)
class Patient:
    """Draws until a play gets rid of its whole hand.

    A card that fits now nearly always fits later, in the hand as well as on the table. So all that counts is when the
    last card fits, and an early play costs the turn of a draw and gives the others melds to rearrange.
    """

    adviser: Bot = Strong()

    def choose(self, view: CommonTableView, rng: Random) -> Move:
        move = self.adviser.choose(view, rng)
        goes_out = isinstance(move, Play) and len(move.from_hand(dict(view.table))) == len(view.hand)
        return move if goes_out or DRAW not in view.moves else DRAW


LEVELS = {
    "first-steps": Human(most_melds=1, most_steps=1, overlooks=0.4),
    "club": Human(most_melds=2, most_steps=20, overlooks=0.05),
    "strong": Strong(),
}


# What speaks for a move


def reason(view: VaticanView, move: Move) -> Reason:
    if move == DRAW:
        what = "You may always draw from the stock"
        waiting = " Cards that fit now can wait for the rest of your hand." if has_play(view) else ""
        return Reason(f"{what}; {plays_found(view)}.{waiting}", "vatican:draw-or-play")
    if not isinstance(move, Play):
        return Reason(f"The stock is empty; {plays_found(view)}.", "vatican:stock-empty-pass")
    assert view.seat is not None, "only a player at the table asks"
    left = len(view.hand) - len(move.from_hand(dict(view.table)))
    if not left:
        return Reason(f"It gets rid of all your cards, and you win.{lying_after(move)}", "vatican:going-out")
    if view.options["opening_run"] and not view.opened[view.seat]:
        text = f"It has the run that your first play needs, and {cards_laid(view, move)}.{lying_after(move)}"
        return Reason(text, "vatican:opening-run")
    rule = "rearrange" if move.dissolved else "play-at-least-one"
    return Reason(f"It {cards_laid(view, move)}.{lying_after(move)}", f"vatican:{rule}")


def has_play(view: CommonTableView) -> bool:
    return any(isinstance(move, Play) for move in view.moves)


def plays_found(view: CommonTableView) -> str:
    return f"{'a' if has_play(view) else 'no'} play with your cards was found"


def cards_laid(view: CommonTableView, move: Play) -> str:
    """Number of cards that a play gets rid of, compared with the other plays."""
    table = dict(view.table)
    count = len(move.from_hand(table))
    most = max(len(other.from_hand(table)) for other in view.moves if isinstance(other, Play))
    compared = ", the most of the plays found" if count == most else f", and {most} could go"
    return f"gets rid of {count} card{'s' * (count > 1)}{compared}"


def lying_after(move: Play) -> str:
    """The melds after a play that changes some, so that the reader can arrange them."""
    melds = ", ".join(" ".join(meld.cards) for meld in move.melds)
    return f" Then the table has {melds}." if move.dissolved else ""
