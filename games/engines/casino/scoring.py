"""Scoring of Casino: the score sheet of a hand, and who wins."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.core.cards import Card, by_display
from games.core.contract import HandResult, Options, ScoreLine, open_zone
from games.core.shows import short_rule
from games.core.sides import seats_of_side, side_in_words
from games.core.words import joined

MOST_CARDS_POINTS = 3
MOST_SPADES_POINTS = 1
ACE_POINTS = 1
BIG_CASINO, BIG_CASINO_POINTS = "TD", 2
LITTLE_CASINO, LITTLE_CASINO_POINTS = "2S", 1
SWEEP_POINTS = 1
LEAST_POINTS_OF_A_HAND = 7


# A hand


@dataclass(frozen=True, slots=True)
class HandCount:
    """What the sides have captured in a hand, to be counted out.

    slug: of the game. won, sweeps: by side. sweep_option: how sweeps score, the option `sweeps`.
    """

    slug: str
    seats: int
    sides: int
    won: Sequence[Sequence[Card]]
    sweeps: Sequence[int]
    sweep_option: str

    def result(
        self, number: int, *, left: Sequence[Card], last_capturer: int | None, unclaimed: Sequence[Card]
    ) -> HandResult:
        """left: cards on the table at the end, which the last capturer has taken. unclaimed: those that stay there."""
        lines = (*self.leftover_lines(left, last_capturer), *self.lines())
        by_side = [sum(line.points for line in lines if side in line.seats) for side in range(self.sides)]
        summary = ", ".join(f"{self.name(side)} {points}" for side, points in enumerate(by_side))
        zones = [
            open_zone(f"won:{side}", "pile", f"Won by {self.name(side)}", by_display(cards), owner=side)
            for side, cards in enumerate(self.won)
        ]
        if unclaimed:
            zones.append(open_zone("unclaimed", "row", "Left on the table for nobody", by_display(unclaimed)))
        points = tuple(by_side[seat % self.sides] for seat in range(self.seats))
        return HandResult(number, f"This hand: {summary}.", points, lines, tuple(zones))

    def leftover_lines(self, left: Sequence[Card], last_capturer: int | None) -> Iterator[ScoreLine]:
        if not left:
            return
        cards = " ".join(by_display(left))
        if last_capturer is None:
            yield self.line(None, "last-capture", f"Nobody captured, so nobody gets what is left: {cards}", 0)
        else:
            side = last_capturer % self.sides
            yield self.line(side, "last-capture", f"Last to capture, takes what is left: {cards}", 0)

    def lines(self) -> Iterator[ScoreLine]:
        """What scores, in the order in which it is counted out."""
        yield self.most("score-cards", "cards", [len(cards) for cards in self.won], MOST_CARDS_POINTS)
        spades = [sum(card[1] == "S" for card in cards) for cards in self.won]
        yield self.most("score-spades", "spades", spades, MOST_SPADES_POINTS)
        yield from self.honour("score-big", "Big casino", BIG_CASINO, BIG_CASINO_POINTS)
        yield from self.honour("score-little", "Little casino", LITTLE_CASINO, LITTLE_CASINO_POINTS)
        for ace in ("AS", "AH", "AC", "AD"):
            yield from self.honour("score-aces", "Ace", ace, ACE_POINTS)
        yield from self.sweep_lines()

    def most(self, rule: str, what: str, counts: Sequence[int], points: int) -> ScoreLine:
        best = max(counts)
        if counts.count(best) > 1:
            tie = rule if self.sides == 2 else "score-tie-many"
            return self.line(None, tie, f"Most {what}: shared with {best} each, nobody scores", 0)
        return self.line(counts.index(best), rule, f"Most {what}: {best}", points)

    def honour(self, rule: str, name: str, card: Card, points: int) -> Iterator[ScoreLine]:
        for side, cards in enumerate(self.won):
            if card in cards:
                yield self.line(side, rule, f"{name}: {card}", points)

    def sweep_lines(self) -> Iterator[ScoreLine]:
        if self.sweep_option == "each":
            for side, sweeps in enumerate(self.sweeps):
                if sweeps:
                    yield self.line(side, "sweep", f"Sweeps: {sweeps}", sweeps * SWEEP_POINTS)

    def line(self, side: int | None, rule: str, text: str, points: int) -> ScoreLine:
        seats = () if side is None else seats_of_side(side, self.seats, self.sides)
        return ScoreLine(seats, f"{self.slug}:{rule}", text, points)

    def name(self, side: int) -> str:
        return side_in_words(side, self.seats, self.sides)


# The game; scores are by side


def last_hand(target: int, sides: int) -> int:
    """The number of the last hand that is played, whatever the scores are."""
    return -(-(target - 1) * sides // LEAST_POINTS_OF_A_HAND) + 8


def leaders(scores: Sequence[int]) -> list[int]:
    best = max(scores)
    return [side for side, score in enumerate(scores) if score == best]


def winner_by_target(scores: Sequence[int], options: Options, results: Sequence[HandResult]) -> int | None:
    """The side that won with these scores; None when the target is not reached, or shared at the top."""
    best, target = leaders(scores), int(options["target"])
    if scores[best[0]] < target:
        return None
    if options["end"] == "count-out" and results:
        best = first_to_target(scores, target, results[-1]) or best
    return best[0] if len(best) == 1 else None


def first_to_target(scores: Sequence[int], target: int, last: HandResult) -> list[int]:
    """The side that reached the target first when the last hand is counted line by line, if any.

    Sweeps come last and count for all sides at once, so they make no side the first.
    """
    running = [score - last.points[side] for side, score in enumerate(scores)]
    if max(running) >= target:
        return []
    for line in last.lines:
        if short_rule(line) == "sweep":
            break
        for side in range(len(scores)):
            if side in line.seats:
                running[side] += line.points
                if running[side] >= target:
                    return [side]
    return []


def outcome_reason(scores: Sequence[int], winners: Sequence[int], *, seats: int, target: int) -> str:
    """Why these sides have won, in a sentence."""
    sides = len(scores)
    names = joined([side_in_words(side, seats, sides) for side in winners])
    if scores[winners[0]] < target or len(winners) > 1:
        return f"Hand {last_hand(target, sides)} was the last one: {names} had the highest total."
    if leaders(scores) != winners:
        return f"{names} reached {target} points first when the hand was counted."
    return f"{names} reached the target of {target}."
