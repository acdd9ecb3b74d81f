"""Show of Sixty-Six: the claim or the last trick, the points of both players, then the game points and why."""

from collections.abc import Iterator

from games.core.contract import HandEnd, Phrase, ScoreLine, Show, Stage
from games.core.shows import line_points, piles_spread
from games.core.words import counted, within_sentence
from games.engines.sixty_six.moves import CLAIM, FINAL, SEATS, Lay, SixtySixMove
from games.engines.sixty_six.scoring import GOAL
from games.engines.sixty_six.state import SixtySixState
from games.engines.sixty_six.words import CALL_PHRASES


def show_hand(end: HandEnd[SixtySixState, SixtySixMove]) -> Show:
    table = end.before.copy()
    if isinstance(end.move, Lay):
        table.complete_trick(end.seat, end.move.card)
    view = table.view(None)
    first = end.seat if table.closed_by is None or end.move == CLAIM else table.closed_by
    stages = [
        *_last_move(table, end.seat, end.move),
        *(stage for seat in (first, 1 - first) for stage in _points_of(table, seat)),
        *_verdict(table, end),
        *(_game_points(line) for line in end.result.lines),
    ]
    return Show(view.scores, piles_spread(view.zones, end.result.zones), tuple(stages))


def _last_move(table: SixtySixState, seat: int, move: SixtySixMove) -> Iterator[Stage]:
    """The last card or the call, and where the cards of the trick on the table go."""
    slug = table.game.slug
    if isinstance(move, Lay):
        yield Stage(Phrase("play", move.card), seat, (move.card,))
    if table.last_trick:
        winner = next(seat for seat in range(SEATS) if table.last_trick[0] in table.won[seat])
        yield Stage(Phrase("take", "the trick"), winner, table.last_trick, f"won:{winner}", rule=f"{slug}:trick-winner")
    if move in CALL_PHRASES:
        yield Stage(CALL_PHRASES[move], seat, rule=f"{slug}:claim" if move == CLAIM else f"{slug}:played-out")
    if table.led:
        yield Stage(
            Phrase("", f"The card led, {table.led}, counts for no one"), None, (table.led,), rule=f"{slug}:claim-when"
        )


def _points_of(table: SixtySixState, seat: int) -> Iterator[Stage]:
    """The points of a player: of the tricks, then with marriages and the last trick."""
    slug, total, marriages = table.game.slug, table.points[seat], table.marriage_points[seat]
    has_bonus = table.phase is FINAL and table.to_act == (seat,)
    bonus = int(table.options["last_trick_bonus"]) if has_bonus else 0
    in_tricks = total - marriages - bonus
    won = tuple(table.won[seat])
    yield Stage(Phrase("count", f"{in_tricks} in tricks"), seat, won, rule=f"{slug}:trick-points")
    if marriages:
        phrase = Phrase("add", f"{marriages} for marriages: {in_tricks + marriages}")
        yield Stage(phrase, seat, rule=f"{slug}:marriage")
    if bonus:
        yield Stage(Phrase("add", f"{bonus} for the last trick: {total}"), seat, rule=f"{slug}:last-trick")
    if table.pending[seat]:
        phrase = Phrase("get", f"nothing for {table.pending[seat]} in marriages without a trick")
        yield Stage(phrase, seat, rule=f"{slug}:marriage-pending")


def _verdict(table: SixtySixState, end: HandEnd[SixtySixState, SixtySixMove]) -> Iterator[Stage]:
    """Who has reached 66, and what else decides what the hand is worth."""
    slug, closer = table.game.slug, table.closed_by
    if not end.result.lines:
        text = f"Both have {table.points[0]}: no one scores, and the next hand is worth one more game point"
        yield Stage(Phrase("", text), rule=f"{slug}:tie-carry")
        return
    winner = end.result.lines[0].seats[0]
    if end.move == CLAIM:
        yield _judged(table, end.seat, "claim-right" if winner == end.seat else "claim-wrong")
    elif closer is not None:
        yield _judged(table, closer, "close-made" if winner == closer else "close-failed")
        if end.result.lines[0].rule == f"{slug}:claim-after-last":
            yield _judged(table, winner, "claim-after-last")
    if winner == closer and table.options["close_snapshot"] and table.at_close is not None:
        points, tricks = table.at_close
        had = f"@{1 - closer} had {counted(points, 'point')} and {counted(tricks, 'trick')}"
        yield Stage(Phrase("", f"When the stock was closed, {had}"), rule=f"{slug}:close-made")


def _judged(table: SixtySixState, seat: int, rule: str) -> Stage:
    """Whether a player has 66, and a trick with it."""
    points, full = table.points[seat], f"{table.game.slug}:{rule}"
    if points < GOAL:
        return Stage(Phrase("miss", f"{GOAL} with only {points}"), seat, rule=full)
    if not table.tricks[seat]:
        return Stage(Phrase("hold", "no trick, and no points count without one"), seat, rule=full)
    return Stage(Phrase("reach", f"{GOAL} with {points}"), seat, rule=full)


def _game_points(line: ScoreLine) -> Stage:
    phrase = Phrase("score", f"{counted(line.points, 'game point')}: {within_sentence(line.text)}")
    return Stage(phrase, line.seats[0], points=line_points(line, SEATS), rule=line.rule)
