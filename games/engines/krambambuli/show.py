"""Show at the end of a hand of Krambambuli: who has gone out, and what the cards of the others count."""

from __future__ import annotations

from games.core.contract import HandEnd, Show
from games.core.moves import Discard
from games.core.rummy.shows import hands_counted, hands_left, out_or_blocked, zones_laid_open
from games.core.rummy.steps import Step
from games.core.shows import last_move, scores_before
from games.engines.krambambuli.melds import table_after_step
from games.engines.krambambuli.moves import KrambambuliMove
from games.engines.krambambuli.state import KrambambuliState


def show_hand(end: HandEnd[KrambambuliState, KrambambuliMove]) -> Show:
    final = end.before.copy()
    final.hands = hands_left(end)
    if isinstance(end.move, Step):
        final.table = table_after_step(final.rules, final.table, end.move, end.seat)
    elif isinstance(end.move, Discard):
        final.discards.append(end.move.card)
    reason = out_or_blocked(end, "The stock is empty, so all hands count")
    return Show(scores_before(end), zones_laid_open(final), (last_move(end), reason, *hands_counted(end)))
