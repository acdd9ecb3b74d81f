"""Scoring of Piquet: the score sheet of a deal, pique and repique, and how the game ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum

from games.core.cards import Card
from games.core.contract import Options, Outcome, ScoreLine, Zone, open_zone, places
from games.core.tricks import beats
from games.core.words import counted
from games.engines.piquet.declaring import BEFORE_LEAD, Stage, Talk
from games.engines.piquet.moves import POINT, RANKS, SEQUENCE, SET, TRICKS, Category
from games.engines.piquet.words import sentence, size_in_words

CARTE_BLANCHE_POINTS = 10
BONUS_FROM = 30
REPIQUE_POINTS, PIQUE_POINTS = 60, 30
CARDS_POINTS, CAPOT_POINTS = 10, 40
EXTRA_DEALS = 4
HALF = "half"  # of the target: below it a loser makes the win a double game


class Item(IntEnum):
    """What a score sheet counts, in the order of counting; the bonuses stand where they are won."""

    CARTE_BLANCHE = 0
    POINT = 1
    SEQUENCE = 2
    SET = 3
    REPIQUE = 4
    LEADS = 5
    WINS = 6
    LAST = 7
    PIQUE = 8
    CARDS = 9


ITEM_OF = {POINT: Item.POINT, SEQUENCE: Item.SEQUENCE, SET: Item.SET}
PLAY_ITEMS = (Item.LEADS, Item.WINS, Item.LAST)
RULE_OF = {
    Item.CARTE_BLANCHE: "carte-blanche",
    Item.POINT: "point-score",
    Item.SEQUENCE: "sequence-score",
    Item.SET: "set-score",
    Item.REPIQUE: "repique",
    Item.LEADS: "play-lead-1",
    Item.WINS: "play-win-1",
    Item.LAST: "play-last",
    Item.PIQUE: "pique",
    Item.CARDS: "cards-10",
}
ITEM_TEXTS = {
    Item.CARTE_BLANCHE: "Carte blanche",
    Item.POINT: "Point",
    Item.SEQUENCE: "Sequences",
    Item.SET: "Sets",
    Item.REPIQUE: "Repique: 30 in hand against nothing",
    Item.PIQUE: "Pique: 30 in hand and play against nothing",
    Item.LEADS: "Leads",
    Item.WINS: "Tricks won as second player",
    Item.LAST: "Last trick",
}


# A deal


def repique(blanche: Sequence[int], talks: Sequence[Talk], *, is_declaring: bool) -> int | None:
    """Who has 30 points in hand against nothing: 0 for elder, 1 for younger; None while an earlier group is open.

    blanche: points for carte blanche. is_declaring: before elder's first lead, when only elder counts.
    """
    totals = list(blanche)
    for talk in talks:
        if talk.stage in BEFORE_LEAD or talk.stage is Stage.PASSED:
            return None
        totals = [total + points for total, points in zip(totals, talk.points, strict=True)]
        if totals[0] >= BONUS_FROM and totals[1] == 0:
            return 0
        if totals[1] >= BONUS_FROM and totals[0] == 0 and not is_declaring:
            return 1
    return None


def has_pique(elder: Sequence[int], younger: Sequence[int]) -> bool:
    """Whether elder has 30 points in hand and play against nothing, some of them in play. Both: points by `Item`."""
    has_played = any(elder[item] for item in PLAY_ITEMS)
    return has_played and sum(elder) >= BONUS_FROM and sum(younger) == 0


def cards_points(tricks: int) -> int:
    """The points for the cards, or for capot, of a player with so many tricks at the end."""
    return CAPOT_POINTS if tricks == TRICKS else CARDS_POINTS if tricks > TRICKS // 2 else 0


def score_lines(
    slug: str, sheet: Sequence[Sequence[int]], *, elder: int, talks: Sequence[Talk], tricks: Sequence[int]
) -> Iterator[ScoreLine]:
    """A finished deal, item by item, elder first."""
    for item in Item:
        for seat in (elder, 1 - elder):
            points = sheet[seat][item]
            if points:
                rule = "capot-40" if item is Item.CARDS and points == CAPOT_POINTS else RULE_OF[item]
                yield ScoreLine((seat,), f"{slug}:{rule}", _line_text(item, points, talks), points)
    if tricks[0] == tricks[1] == TRICKS // 2:
        yield ScoreLine((0, 1), f"{slug}:cards-split", "Six tricks each: no points for the cards", 0)


def _line_text(item: Item, points: int, talks: Sequence[Talk]) -> str:
    for talk, category in zip(talks, Category, strict=True):
        if item is ITEM_OF[category] and talk.counted:
            return sentence(", ".join(size_in_words(holding) for holding in talk.counted))
    if item is Item.CARDS:
        return "All twelve tricks: capot" if points == CAPOT_POINTS else "More than six tricks"
    return ITEM_TEXTS[item]


def won_cards(played: Sequence[tuple[int, Card]], seat: int) -> tuple[Card, ...]:
    """The cards of the tricks that a seat has won, in order."""
    found: list[Card] = []
    for (leader, led), (answerer, answer) in zip(played[::2], played[1::2], strict=False):
        if (answerer if beats(answer, led, RANKS) else leader) == seat:
            found += (led, answer)
    return tuple(found)


def won_zone(seat: int, cards: Sequence[Card], tricks: int, *, is_last_on_table: bool = False) -> Zone:
    """The tricks of a seat. tricks: how many it has won; the cards of the last one may still be in the middle."""
    label, note = f"@{seat}'s tricks", counted(tricks, "trick")
    if is_last_on_table:
        note += ", the last still on the table" if tricks > 1 else ", still on the table"
    return open_zone(f"tricks:{seat}", "pile", label, cards, owner=seat, note=note)


# The game


def leader(scores: Sequence[int]) -> int | None:
    """The seat with more points, None if both have the same."""
    return None if scores[0] == scores[1] else 0 if scores[0] > scores[1] else 1


def double_game_line(options: Options) -> int:
    """The total that saves a loser from a double game; 0 where none counts double."""
    under = options["double_under"]
    return -(-int(options["target"]) // 2) if under == HALF else int(under)


def game_outcome(slug: str, scores: Sequence[int], options: Options) -> Outcome:
    """The end of a game to so many points; a double game counts as two wins, which changes no score."""
    winner = leader(scores)
    if winner is None:
        reason = "The scores are equal, and four more deals didn't change that: a draw."
        return Outcome(tuple(scores), (1, 1), reason)
    reason = f"@{winner} [lead] at the end of a game to {options['target']} points"
    lines: tuple[ScoreLine, ...] = ()
    line = double_game_line(options)
    if scores[1 - winner] < line:
        reason += ", a double game"
        text = f"A double game counts as two wins: the loser has fewer than {line}"
        lines = (ScoreLine((), f"{slug}:double-game", text, 0),)
    return Outcome(tuple(scores), places(scores), reason + ".", lines)
