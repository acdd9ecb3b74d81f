"""The show at the end of a deal of Cribbage: the last card, then hands and crib, counted aloud."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.core.card_bits import BIT, cards
from games.core.contract import HandEnd, Phrase, Show, Stage, Zone
from games.core.cribbage import SIDES, after, combinations_of, pegged, spoken
from games.core.shows import last_move, points_for, with_cards
from games.core.sides import seats_of_side, side_in_words
from games.core.words import counted
from games.engines.partnership_cribbage.moves import PLAY, SHOW, CribbageMove, Pegging, Play, Shown
from games.engines.partnership_cribbage.scoring import FinishedDeal, LateResult, show_rule
from games.engines.partnership_cribbage.state import CribbageState
from games.engines.partnership_cribbage.words import deed_event, pegged_event


def show_hand(end: HandEnd[CribbageState, CribbageMove]) -> Show:
    """The show of a deal. Where players count themselves, it goes through the cards that were counted last."""
    result = end.result
    assert isinstance(result, LateResult), "a deal has been played to its end"
    return Show(end.before.view(None).scores, tuple(_zones(end)), tuple(_stages(end, result.deal)))


# The table


def _zones(end: HandEnd[CribbageState, CribbageMove]) -> Iterator[Zone]:
    """The table with the last card in its count; the crib and what is left in the hands are turned up."""
    opened = {zone.id: zone.cards for zone in end.result.zones}
    played = _played(end)
    for zone in end.before.view(None).zones:
        if zone.id == "count" and isinstance(end.move, Play):
            yield with_cards(zone, (*zone.cards, end.move.card), note=str(_reached(end.before, end.move)))
        elif zone.id in opened:
            yield with_cards(zone, [card for card in opened[zone.id] if not BIT[card] & played])
        elif zone.id == "stock" and opened["starter"]:
            yield Zone(zone.id, "pile", "Starter", opened["starter"], zone.count)
        else:
            yield zone


def _played(end: HandEnd[CribbageState, CribbageMove]) -> int:
    """The cards that were played and lie on the table. Where players count, they have taken them back."""
    if end.before.phase is not PLAY:
        return 0
    found = sum(card for _seat, card, _count in end.before.played)
    return found | BIT[end.move.card] if isinstance(end.move, Play) else found


def _reached(before: CribbageState, move: Play) -> int:
    return pegged(after(before.trail, BIT[move.card])).reached


# The stages


def _stages(end: HandEnd[CribbageState, CribbageMove], deal: FinishedDeal) -> Iterator[Stage]:
    is_won = end.after.is_decided()
    counted_now = deal.shown[len(end.before.shown) :]
    if end.before.phase is SHOW:
        yield from _claim_stages(end, deal, counted_now[0], is_won=is_won)
    else:
        yield from _last_card(end, deal)
        for one in counted_now:
            yield from _hand_stages(deal, one, is_won=is_won and one is counted_now[-1])
    if is_won:
        winner = max(range(SIDES), key=end.after.scores.__getitem__)
        yield Stage(Phrase("", f"{side_in_words(winner, deal.seats, SIDES)} reached {end.after.target} first"))


def _last_card(end: HandEnd[CribbageState, CribbageMove], deal: FinishedDeal) -> Iterator[Stage]:
    """The move that ended the play, or the discard before a jack that wins, and what was pegged."""
    seats, pegs = deal.seats, deal.pegs[len(end.before.pegs) :]
    if isinstance(end.move, Play):
        stage = Stage(_play_phrase(end, end.move, pegs), end.seat, (end.move.card,))
        yield _with_points(stage, end.seat, sum(peg.points for peg in pegs), pegs[0].rule, seats) if pegs else stage
        return
    yield last_move(end)
    for peg in pegs:
        starter = cards(deal.starter) if peg.rule == "his-heels" else ()
        yield _with_points(Stage(pegged_event(peg).phrase, cards=starter), peg.seat, peg.points, peg.rule, seats)


def _play_phrase(end: HandEnd[CribbageState, CribbageMove], move: Play, pegs: Sequence[Pegging]) -> Phrase:
    return deed_event(end.seat, move.card, _reached(end.before, move), pegs).phrase


def _with_points(stage: Stage, seat: int, points: int, rule: str, seats: int) -> Stage:
    """A stage that scores for the side of a seat. rule: its short id."""
    by_seat = points_for(seats_of_side(seat % SIDES, seats, SIDES), points, seats)
    return stage._replace(points=by_seat if points else (), rule=f"partnership-cribbage:{rule}")


def _hand_stages(deal: FinishedDeal, one: Shown, *, is_won: bool) -> Iterator[Stage]:
    """A hand that is taken up from the table, or the crib, and its count."""
    found = cards(deal.cards_of(one.owner, one.is_crib))
    if not found:
        return
    worth = deal.worth(one.owner, one.is_crib).total
    what = f"{' '.join(found)}{'' if worth else '; no points'}"
    if one.is_crib:
        yield Stage(Phrase("turn", f"up the crib: {what}"), one.owner, found)
    else:
        yield Stage(Phrase("show", what), one.owner, found, f"hand:{one.owner}")
    yield from _count_aloud(deal, one, one.points, is_won=is_won)


def _claim_stages(
    end: HandEnd[CribbageState, CribbageMove], deal: FinishedDeal, one: Shown, *, is_won: bool
) -> Iterator[Stage]:
    """The last number that a player named, and the count of the cards that it was about."""
    if one.owner != one.seat:
        yield _with_points(last_move(end), one.seat, one.points, "auto-count", deal.seats)
        given = 0
    else:
        yield last_move(end)
        given = one.points
    if is_won and not given:
        return
    yield from _count_aloud(deal, one, given, is_won=is_won)
    named = sum(other.points for other in deal.shown if (other.owner, other.is_crib) == (one.owner, one.is_crib))
    overlooked = deal.worth(one.owner, one.is_crib).total - named
    if overlooked and not is_won:
        yield Stage(Phrase("", f"{counted(overlooked, 'point')} missed"), rule="partnership-cribbage:auto-count")


def _count_aloud(deal: FinishedDeal, one: Shown, given: int, *, is_won: bool) -> Iterator[Stage]:
    """Each combination of a hand or crib with its points, as far as they were given; a win ends the count."""
    found = deal.cards_of(one.owner, one.is_crib)
    worth = deal.worth(one.owner, one.is_crib)
    combinations = list(combinations_of(worth, found | deal.starter, found, deal.starter))
    for combination, words in zip(combinations, spoken([one] for one in combinations), strict=True):
        if is_won and not given:
            return
        points = min(combination.points, given)
        given -= points
        stage = Stage(Phrase("", words.capitalize()), cards=cards(combination.cards))
        rule = show_rule(combination.kind, is_crib=one.is_crib)
        yield _with_points(stage, one.owner, points, rule, deal.seats)
