"""Show of Casino and Royal Casino: the last play, what is left on the table, and the count of the piles."""

from collections.abc import Iterator, Mapping, Sequence

from games.core.cards import CARD_IN_TEXT, Card
from games.core.contract import HandEnd, Phrase, ScoreLine, Show, Stage
from games.core.shows import piles_spread, scoring_stage, short_rule, side_phrase, total_points
from games.core.sides import seats_of_side
from games.engines.casino import words
from games.engines.casino.moves import CasinoMove
from games.engines.casino.state import CasinoState


def show_hand(end: HandEnd[CasinoState, CasinoMove]) -> Show:
    table = end.before.copy()
    table.play_card(end.seat, end.move)
    view = table.view(None)
    won = {zone.id: zone.cards for zone in end.result.zones}
    stages = [_last_play(table), *(_line_stage(table, won, line) for line in end.result.lines)]
    if table.options["end"] == "count-out":
        stages = list(_counted_out(table, stages))
    return Show(view.scores, piles_spread(view.zones, end.result.zones), tuple(stages))


def _last_play(table: CasinoState) -> Stage:
    event = words.turn_event(table.turns[-1])
    return Stage(event.phrase, event.seat, table.last_taken or (event.touches[0],))


def _line_stage(table: CasinoState, won: Mapping[str, Sequence[Card]], line: ScoreLine) -> Stage:
    """A line of the score sheet, with the cards that it counts. won: the cards of each pile."""
    named = tuple(CARD_IN_TEXT.findall(line.text))
    if not line.seats:
        return Stage(Phrase("", line.text), None, named, rule=line.rule)
    pile = f"won:{table.side(line.seats[0])}"
    match short_rule(line):
        case "last-capture":
            assert table.last_capturer is not None, "a side gets what is left"
            phrase = Phrase("take", f"what is left, as the last to capture: {' '.join(named)}")
            return Stage(phrase, table.last_capturer, named, pile, rule=line.rule)
        case "score-aces":
            return scoring_stage(line, table.seats, named, what=named[0])
        case "score-cards":
            named = tuple(won[pile])
        case "score-spades":
            named = tuple(card for card in won[pile] if card[1] == "S")
        case "sweep":
            named = tuple(table.sweep_cards[table.side(line.seats[0])])
    return scoring_stage(line, table.seats, named)


def _counted_out(table: CasinoState, stages: Sequence[Stage]) -> Iterator[Stage]:
    """The stages, and who wins as soon as they reach the target before the sweeps, where that decides."""
    target, is_open = int(table.options["target"]), max(table.scores) < int(table.options["target"])
    sweep = f"{table.game.slug}:sweep"
    for stage, totals in zip(stages, total_points(stages, table.view(None).scores), strict=True):
        yield stage
        if is_open and stage.rule != sweep and max(totals) >= target:
            is_open = False
            side = seats_of_side(totals.index(max(totals)), table.seats, table.sides)
            yield Stage(*side_phrase(side, "win", f"by reaching {target} first"), rule=f"{table.game.slug}:game-target")
