"""Show of Advantage: what the last move leads to, the pairs of both players, and who wins."""

from collections.abc import Iterator

from games.core.cards import Card
from games.core.contract import HandEnd, Phrase, Show, Stage
from games.core.shows import points_for
from games.core.words import counted
from games.engines.advantage import words
from games.engines.advantage.moves import SEATS, AdvantageMove, LayPair, Pair
from games.engines.advantage.scoring import BEST_RANKS_FIRST, best_quad
from games.engines.advantage.state import AdvantageState


def show_game(end: HandEnd[AdvantageState, AdvantageMove]) -> Show:
    """The show of a game, which is a single hand: the table stays as it is at the end."""
    stages = (*_last_events(end), *map(_pairs_of, range(SEATS), end.after.pairs), _winner(end.after))
    return Show(end.before.view(None).scores, end.after.view(None).zones, stages)


def _last_events(end: HandEnd[AdvantageState, AdvantageMove]) -> Iterator[Stage]:
    """The last move, what follows by itself, and why the game ends."""
    pack = set(end.after.cards())
    *events, ending = map(words.log_event, end.after.log[len(end.before.log) :])
    for event in events:
        cards = tuple(card for card in event.touches if card in pack)
        stage = Stage(event.phrase, event.seat, cards)
        if event is events[0] and isinstance(end.move, LayPair):
            stage = stage._replace(points=points_for([end.seat], 1, SEATS), rule="advantage:win-pairs")
        yield stage
    yield Stage(ending.phrase, ending.seat, rule=f"advantage:{end.after.over}")


def _pairs_of(seat: int, pairs: list[Pair]) -> Stage:
    cards = tuple(card for pair in pairs for card in pair)
    return Stage(Phrase("count", counted(len(pairs), "pair")), seat, cards, rule="advantage:win-pairs")


def _winner(after: AdvantageState) -> Stage:
    """Who wins, and the four of a kind if that decides."""
    outcome = after.outcome()
    assert outcome is not None, "the game is over"
    cards: list[Card] = []
    rule = "advantage:win-pairs"
    for line in outcome.lines:
        rule = line.rule
        if rule == "advantage:tie-quads":
            pairs = after.pairs[line.seats[0]]
            rank = BEST_RANKS_FIRST[best_quad(pairs)]
            cards = [card for pair in pairs for card in pair if card[0] == rank]
    return Stage(Phrase("", outcome.reason), None, tuple(cards), rule=rule)
