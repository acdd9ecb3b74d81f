"""Show of Cuarenta and Four-hand Cuarenta: the last turn, the count of the piles, and what the next deal brings."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from games.core.cards import CARD_IN_TEXT, Card
from games.core.contract import HandEnd, HandResult, Phrase, ScoreLine, Show, Stage
from games.core.shows import piles_spread, points_for, scoring_stage, short_rule, side_phrase, total_points
from games.core.sides import seats_of_side
from games.core.words import within_sentence
from games.engines.cuarenta import words
from games.engines.cuarenta.moves import SIDES, CuarentaMove, Turn
from games.engines.cuarenta.scoring import POINTS
from games.engines.cuarenta.state import CuarentaState

CALLS = {"ronda": "a ronda", "caida": "a caída", "limpia": "a limpia", "ronda-caida": "catching a ronda"}


def show_hand(end: HandEnd[CuarentaState, CuarentaMove]) -> Show:
    table = end.before.copy()
    table.make_move(end.seat, end.move)
    scores = end.before.view(None).scores
    stages = [*_last_turn(table), *_booked(table, end.result), *_count(table, end.result), *_games_won(end)]
    announced = [_announcement(end.after, turn) for turn in end.after.turns]
    reached = total_points([*stages, *announced], scores)[-1]
    change = tuple(now - then for now, then in zip(end.after.view(None).scores, reached, strict=True))
    if any(change):
        stages.append(Stage(Phrase("", "The next game starts at 0"), points=change))
    zones = piles_spread(table.view(None).zones, end.result.zones)
    return Show(scores, zones, (*stages, *announced))


def _last_turn(table: CuarentaState) -> Iterator[Stage]:
    turn = table.turns[-1]
    assert turn.move is not None, "a seat has moved"
    phrase = words.phrase(turn.move)
    yield Stage(phrase, turn.seat, tuple(CARD_IN_TEXT.findall(phrase.rest)))
    for rule in turn.gains:
        phrase = Phrase("score", f"{POINTS[rule]} for {CALLS[rule]}")
        points = _side_points(table, turn.seat, POINTS[rule])
        yield Stage(phrase, turn.seat, points=points, rule=f"{table.game.slug}:{rule}")


def _side_points(table: CuarentaState, seat: int, points: int) -> tuple[int, ...]:
    """Points by seat for the side of a seat."""
    return points_for(seats_of_side(table.side(seat), table.seats, SIDES), points, table.seats)


def _booked(table: CuarentaState, result: HandResult) -> Iterator[Stage]:
    """What the table itself has booked after the last turn: rondas caught, and those of a new deal."""
    for line in result.lines:
        rule = short_rule(line)
        if rule in POINTS:
            points = line.points - table.tally[rule][table.side(line.seats[0])] * POINTS[rule]
            if points:
                yield scoring_stage(replace(line, points=points), table.seats, what=CALLS[rule])


def _count(table: CuarentaState, result: HandResult) -> Iterator[Stage]:
    """What is left in the pot, then the count of the captured cards; or the four of a kind that has won."""
    for line in result.lines:
        if short_rule(line) == "four-wins":
            yield Stage(Phrase("", line.text), rule=line.rule)
        elif short_rule(line).startswith("count-"):
            if table.pot:
                yield _residue(table)
            yield _cards_stage(table, line, {zone.id: zone.cards for zone in result.zones})


def _cards_stage(table: CuarentaState, line: ScoreLine, zones: Mapping[str, tuple[Card, ...]]) -> Stage:
    """The line that counts the captured cards. zones: what is laid open after the hand."""
    if not line.points:
        return Stage(Phrase("", f"{line.text}, but now only caídas score"), rule=line.rule)
    piles = [zones[f"pile:{side}"] for side in range(SIDES)]
    what = within_sentence(line.text)
    if len(piles[0]) == len(piles[1]):
        what += ", as the side that did not deal"
    return scoring_stage(line, table.seats, piles[table.side(line.seats[0])], what=what)


def _residue(table: CuarentaState) -> Stage:
    cards, taker, rule = " ".join(table.pot), table.last_capturer, f"{table.game.slug}:residue"
    if table.options["residue"] == "none" or taker is None:
        return Stage(Phrase("", f"Nobody gets what is left in the pot: {cards}"), None, tuple(table.pot), rule=rule)
    phrase = Phrase("take", f"what is left in the pot: {cards}")
    return Stage(phrase, taker, tuple(table.pot), f"pile:{table.side(taker)}", rule=rule)


def _games_won(end: HandEnd[CuarentaState, CuarentaMove]) -> Iterator[Stage]:
    """Hands that the next deal has ended at once, and who has won the game."""
    before, after = end.before, end.after
    for line in (line for result in after.results[len(before.results) + 1 :] for line in result.lines):
        if line.points:
            yield scoring_stage(line, after.seats, what="a ronda in the next hand")
        else:
            yield Stage(Phrase("", f"The next hand: {within_sentence(line.text)}"), rule=line.rule)
    for side in range(SIDES):
        if after.games[side] > before.games[side]:
            winners = seats_of_side(side, after.seats, SIDES)
            yield Stage(*side_phrase(winners, "win", "the game"), rule=f"{after.game.slug}:forty-wins")


def _announcement(after: CuarentaState, turn: Turn) -> Stage:
    """A ronda of the next hand. Where 38 points bar its four it is proclaimed all the same."""
    points = sum(POINTS[rule] for rule in turn.gains)
    phrase = Phrase("proclaim", f"a ronda in the next hand: {points or 'no'} points")
    return Stage(phrase, turn.seat, points=_side_points(after, turn.seat, points), rule=f"{after.game.slug}:ronda")
