"""Show of Piquet and Rubicon Piquet: the last card, then the score sheet from carte blanche to the cards or capot."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from games.core.cards import Card
from games.core.contract import HandEnd, Phrase, ScoreLine, Show, Stage, Zone
from games.core.shows import line_points, piles_spread, scoring_stage, short_rule, with_cards
from games.core.tricks import beats
from games.core.words import within_sentence
from games.engines.piquet.declaring import Talk
from games.engines.piquet.moves import CATEGORIES, RANKS, SEATS, PiquetMove, Play
from games.engines.piquet.scoring import ITEM_OF, RULE_OF, won_cards
from games.engines.piquet.state import PiquetState
from games.engines.piquet.words import holding_in_words, with_article

RULES_OF_TALKS = [RULE_OF[ITEM_OF[category]] for category in CATEGORIES]


def show_deal(end: HandEnd[PiquetState, PiquetMove]) -> Show:
    before, move = end.before, end.move
    assert isinstance(move, Play), "a deal ends with a card"
    view = before.view(None)
    played = (*before.played, (end.seat, move.card))
    stages = (
        Stage(Phrase("play", move.card), end.seat, (move.card,)),
        *(_line_stage(line, played, before.talks) for line in end.result.lines),
    )
    played_out = _with_card_played(view.zones, end.result.zones, end.seat, move.card)
    return Show(view.scores, piles_spread(played_out, end.result.zones), stages)


def _with_card_played(zones: Iterable[Zone], won: Iterable[Zone], seat: int, card: Card) -> Iterator[Zone]:
    """The zones once the seat has answered with this card, which nobody else has seen before.

    won: the tricks of both, which say how many they are.
    """
    notes = {zone.id: zone.note for zone in won}
    for zone in zones:
        if zone.id == f"hand:{seat}":
            yield replace(zone, count=zone.count - 1)
        elif zone.id == "trick":
            yield with_cards(zone, (*zone.cards, card), note=zone.note)
        else:
            yield replace(zone, note=notes.get(zone.id, zone.note))


def _line_stage(line: ScoreLine, played: Sequence[tuple[int, Card]], talks: Sequence[Talk]) -> Stage:
    """A line of the score sheet with the cards that it counts."""
    if len(line.seats) > 1:
        return Stage(Phrase("", line.text), rule=line.rule)
    seat, tricks = line.seats[0], list(zip(played[::2], played[1::2], strict=True))
    held = [card for player, card in played if player == seat]
    what = ""
    match short_rule(line):
        case "point-score" | "sequence-score" | "set-score" as rule:
            holdings = talks[RULES_OF_TALKS.index(rule)].counted
            cards = [card for card in held if any(holding.covers(card) for holding in holdings)]
            what = " and ".join(with_article(holding_in_words(holding)) for holding in holdings)
        case "play-last":
            trick = tuple(card for _player, card in tricks[-1])
            return scoring_stage(line, SEATS, trick, what="the last trick")._replace(to=f"tricks:{seat}")
        case "cards-10":
            cards, what = list(won_cards(played, seat)), "the cards: more than six tricks"
        case "capot-40":
            cards = list(won_cards(played, seat))
        case "play-lead-1":
            cards = [card for (leader, card), _answer in tricks if leader == seat]
        case "play-win-1":
            cards = [card for (_, led), (player, card) in tricks if player == seat and beats(card, led, RANKS)]
        case "totals":
            phrase = Phrase("score", f"{line.points} more: {within_sentence(line.text)}")
            return Stage(phrase, seat, points=line_points(line, SEATS), rule=line.rule)
        case _:
            cards = []
    return scoring_stage(line, SEATS, cards, what=what)
