"""Scoring of Carousel: what cards and hands count, the showdown, and the settlement at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.core.cards import Card, is_joker
from games.core.contract import Options, Outcome, ScoreLine, places
from games.core.rummy.hand_melds import best_melds, most_matched
from games.core.rummy.melds import Meld, MeldRules
from games.core.rummy.scoring import points_by_seat
from games.core.words import players_in_words
from games.engines.carousel.moves import MOST_HANDS

JOKER_POINTS = 25
COURT_POINTS = 10
FORFEIT_FACTOR = 2


def card_points(card: Card) -> int:
    """What a card in hand counts at a showdown."""
    if is_joker(card):
        return JOKER_POINTS
    if card[0] == "A":
        return 1
    return int(card[0]) if card[0].isdigit() else COURT_POINTS


def deadwood(options: Options, rules: MeldRules, hand: Sequence[Card]) -> int:
    """What a hand counts at a showdown; with `hand_melds` free its best melds count nothing."""
    left = sum(map(card_points, hand))
    return left - most_matched(rules, hand, card_points) if options["hand_melds"] == "free" else left


def deadwood_cards(options: Options, rules: MeldRules, hand: tuple[Card, ...]) -> tuple[list[Card], list[Meld]]:
    """The cards of a hand that count, and the melds that do not, with `hand_melds` free."""
    melds = best_melds(rules, hand, card_points) if options["hand_melds"] == "free" else ()
    melded = {card for meld in melds for card in meld.cards}
    return [card for card in hand if card not in melded], list(melds)


# The showdown


def lowest_seats(left: Sequence[int]) -> list[int]:
    """The seats with the least deadwood. left: the deadwood by seat."""
    least = min(left)
    return [seat for seat, points in enumerate(left) if points == least]


def score_parts(options: Options, left: Sequence[int], knocker: int | None) -> list[tuple[str, str, int]]:
    """What the lowest deadwood earns, whether one player has it or several: rule, reason and points of each part."""
    least, lowest = min(left), lowest_seats(left)
    parts = [("score-lowest", "Differences to the other hands", sum(left) - least * len(left))]
    if knocker is not None and knocker not in lowest:
        parts.append(("score-undercut", "Knocker undercut", int(options["undercut_bonus"])))
    if least == 0:
        parts.append(("score-zero", "No deadwood", int(options["zero_bonus"])))
    return parts


def score_lines(options: Options, left: Sequence[int], knocker: int | None) -> Iterator[ScoreLine]:
    """What the lowest deadwood earns; players who share it divide the whole. knocker: None if everybody passed."""
    lowest, parts = lowest_seats(left), score_parts(options, left, knocker)
    if len(lowest) > 1:
        whole = sum(points for _rule, _text, points in parts)
        parts = [("score-tie", f"A share of {whole}", whole // len(lowest))]
    for rule, text, points in parts:
        yield ScoreLine(tuple(lowest), f"carousel:{rule}", text, points)


def summary(left: Sequence[int], points: Sequence[int], knocker: int | None) -> str:
    """A showdown in a sentence. points: what each seat has earned."""
    lowest, share = lowest_seats(left), max(points)
    how = "Everyone passes" if knocker is None else f"@{knocker} [knock] with {left[knocker]}"
    if lowest == [knocker]:
        return f"{how}, [have] the least deadwood and [score] {share}."
    each = " each" if len(lowest) > 1 else ""
    return f"{how}. {players_in_words(lowest)} [have] the least deadwood, {min(left)}, and [score] {share}{each}."


# The end of the game


def has_winner(scores: Sequence[int], options: Options) -> bool:
    """Whether one seat alone is highest and has reached the target."""
    best = max(scores)
    return best >= int(options["target"]) and scores.count(best) == 1


def outcome_of(scores: Sequence[int], options: Options) -> Outcome:
    """The end of the game, settled."""
    best = max(scores)
    winners = [seat for seat, score in enumerate(scores) if score == best]
    losers = [seat for seat in range(len(scores)) if seat not in winners]
    bonus = int(options["game_bonus"]) if len(winners) == 1 else 0
    lines = tuple(_settlement(scores, winners, losers, bonus))
    final = tuple(map(sum, zip(scores, points_by_seat(lines, len(scores)), strict=True)))
    win = "[win]" if len(winners) == 1 else "[share] the win"
    why = "" if has_winner(scores, options) else f" after {MOST_HANDS} hands"
    extra = f" and a bonus of {bonus}" if bonus else ""
    reason = f"{players_in_words(winners)} {win} with {best} points{why}{extra}."
    if losers:
        together = "Together, " if len(losers) > 1 else ""
        each = " to each winner" if len(winners) > 1 else ""
        reason += f" {together}{players_in_words(losers)} [pay] {final[winners[0]]}{each}."
    return Outcome(final, places(scores), reason, lines)


def _settlement(
    scores: Sequence[int], winners: Sequence[int], losers: Sequence[int], bonus: int
) -> Iterator[ScoreLine]:
    """The lines that turn the points into what everybody pays or gets."""
    everybody = tuple(range(len(scores)))
    if bonus:
        yield ScoreLine(tuple(winners), "carousel:game-bonus", "Bonus for the game", bonus)
    total = scores[winners[0]] + bonus
    empty = tuple(seat for seat in losers if not scores[seat])
    yield ScoreLine(everybody, "carousel:zero-double", f"Less the winner's {total}", -total)
    if empty:
        yield ScoreLine(empty, "carousel:zero-double", "Once more for having no points", -total)
    paid = sum((total - scores[seat]) * (FORFEIT_FACTOR if seat in empty else 1) for seat in losers)
    if losers:
        yield ScoreLine(tuple(winners), "carousel:zero-double", "Paid by the others", paid // len(winners))
