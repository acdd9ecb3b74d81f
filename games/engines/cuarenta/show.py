"""Show of Cuarenta and Four-hand Cuarenta: the last turn, the count of the piles, and how the game is won."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from games.core.cards import CARD_IN_TEXT, Card
from games.core.contract import HandEnd, HandResult, Phrase, ScoreLine, Show, Stage, Zone
from games.core.shows import piles_spread, points_for, scoring_stage, short_rule, side_phrase, total_points
from games.core.sides import seats_of_side
from games.core.words import within_sentence
from games.engines.cuarenta import words
from games.engines.cuarenta.moves import SIDES, CuarentaMove
from games.engines.cuarenta.scoring import COUNT_POINTS, COUNTED, LAST_HAND, POINTS, TARGET
from games.engines.cuarenta.state import CuarentaState

CALLS = {"ronda": "a ronda", "caida": "a caída", "limpia": "a limpia", "ronda-caida": "catching a ronda"}


def show_hand(end: HandEnd[CuarentaState, CuarentaMove]) -> Show:
    if end.further:
        return _over_as_dealt(end)
    table = end.before.copy()
    table.make_move(end.seat, end.move)
    stages = [*_last_turn(table), *_booked(table, end.result), *_count(table, end.result)]
    zones = piles_spread(table.view(None).zones, [zone for zone in end.result.zones if zone.kind != "hand"])
    return _with_game_won(end, Show(end.before.view(None).scores, _dealt_open(zones, end.result), tuple(stages)))


def _over_as_dealt(end: HandEnd[CuarentaState, CuarentaMove]) -> Show:
    """A hand that a ronda or four of a kind has won as it was dealt.

    Where the next game of the match is dealt already, only the cards that have won are shown of it.
    """
    previous = show_hand(replace(end, further=end.further - 1))
    scores = total_points(previous.stages, previous.scores)[-1]
    zones = end.after.view(None).zones
    if end.after.winner is None:
        zones = tuple(replace(zone, count=0, note="") if zone.kind == "hand" else zone for zone in zones)
    stages = [_dealt_stage(line, end) for line in end.result.lines]
    return _with_game_won(end, Show(scores, _dealt_open(zones, end.result), tuple(stages)))


def _dealt_stage(line: ScoreLine, end: HandEnd[CuarentaState, CuarentaMove]) -> Stage:
    """The stage of a ronda or of four of a kind, with its cards as far as they are laid open."""
    cards = _cards_dealt(end.result, line)
    if line.points:
        return scoring_stage(line, end.after.seats, cards, what=CALLS["ronda"])
    return Stage(Phrase("", line.text), cards=cards, rule=line.rule)


def _cards_dealt(result: HandResult, line: ScoreLine) -> tuple[Card, ...]:
    """The cards by which the game was won as they were dealt, if the line is of their side."""
    owned = [zone.cards for zone in result.zones if zone.kind == "hand" and zone.owner in line.seats]
    return tuple(chain.from_iterable(owned))


def _dealt_open(zones: Sequence[Zone], result: HandResult) -> tuple[Zone, ...]:
    """The zones with the cards that have won the game as they were dealt turned up, in hands that may be empty yet."""
    faces = {zone.id: zone.cards for zone in result.zones if zone.kind == "hand"}
    dealt = sum(max(len(faces[zone.id]) - zone.count, 0) for zone in zones if zone.id in faces)
    return tuple(
        replace(zone, cards=faces[zone.id], count=max(zone.count, len(faces[zone.id])))
        if zone.id in faces
        else replace(zone, count=zone.count - dealt * (zone.id == "stock"))
        for zone in zones
    )


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
                cards = _cards_dealt(result, line) if rule == "ronda" else ()
                yield scoring_stage(replace(line, points=points), table.seats, cards, what=CALLS[rule])


def _count(table: CuarentaState, result: HandResult) -> Iterator[Stage]:
    """What is left in the pot, then the count of the captured cards; or the four of a kind that has won."""
    for line in result.lines:
        if short_rule(line) == "four-wins":
            yield Stage(Phrase("", line.text), cards=_cards_dealt(result, line), rule=line.rule)
        elif short_rule(line).startswith("count-"):
            if table.pot:
                yield _residue(table)
            yield _cards_stage(table, line, {zone.id: zone.cards for zone in result.zones})


def _cards_stage(table: CuarentaState, line: ScoreLine, zones: Mapping[str, tuple[Card, ...]]) -> Stage:
    """The line that counts the captured cards. zones: what is laid open after the hand."""
    if not line.points:
        return Stage(Phrase("", f"{line.text}, but now only caídas score"), rule=line.rule)
    piles = [zones[f"pile:{side}"] for side in range(SIDES)]
    what, more = within_sentence(line.text), line.points - COUNT_POINTS
    if more > 0:
        what += f" ({COUNT_POINTS} for twenty, {more} for {len(piles[table.side(line.seats[0])]) - COUNTED} more)"
    if len(piles[0]) == len(piles[1]):
        what += ", as the side that did not deal"
    return scoring_stage(line, table.seats, piles[table.side(line.seats[0])], what=what)


def _residue(table: CuarentaState) -> Stage:
    cards, taker, rule = " ".join(table.pot), table.last_capturer, f"{table.game.slug}:residue"
    if table.options["residue"] == "none" or taker is None:
        return Stage(Phrase("", f"Nobody gets what is left in the pot: {cards}"), None, tuple(table.pot), rule=rule)
    phrase = Phrase("take", f"what is left in the pot: {cards}")
    return Stage(phrase, taker, tuple(table.pot), f"pile:{table.side(taker)}", rule=rule)


def _with_game_won(end: HandEnd[CuarentaState, CuarentaMove], show: Show) -> Show:
    """The show with who has won the game, if this hand ended it, and with the points that the next one starts at."""
    totals, before, after = total_points(show.stages, show.scores)[-1], end.before, end.after
    fours = [line.seats[0] for line in end.result.lines if short_rule(line) == "four-wins"]
    reached = [seat for seat, total in enumerate(totals) if total >= TARGET]
    won = [side for side in range(SIDES) if after.games[side] > before.games[side]]
    if not won or not (fours or reached or (before.deal_number == LAST_HAND and not end.further)):
        return show
    side = after.side([*fours, *reached][0]) if fours or reached else won[0]
    stage = Stage(
        *side_phrase(seats_of_side(side, after.seats, SIDES), "win", "the game"), rule=f"{after.game.slug}:forty-wins"
    )
    if after.winner is not None:
        return replace(show, stages=(*show.stages, stage))
    start = Stage(Phrase("", "The next game starts at 0"), points=tuple(-total for total in totals))
    return replace(show, stages=(*show.stages, stage, start))
