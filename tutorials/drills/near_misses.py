"""Near misses: fresh positions in which a tempting move is refused by exactly one rule.

Bots play a game; at each turn likely selections of cards, and moves that were legal a moment ago, are tried on the
engine. What it refuses, with the id of a rule, is a near miss of that rule.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games import bots
from games.core.cards import CARD_IN_TEXT
from games.core.contract import Choice, Game, GameError, IllegalMove, Move, Position, State, UnreadableMove, View
from games.core.deals import random_decks

AnyGame = Game[Any, Any, Any]

PLAYER = "first-steps"  # the quickest bots; they come to every kind of position
POSITIONS = 120  # at most, of one game
SELECTIONS, EARLIER_MOVES = 24, 12  # tried in a position
LONGEST_SELECTION = 4
ONE_RULE_A_GAME = 2  # positions of one game for the same rule
ANSWERS = 4

_INCOMPLETE = re.compile(r"^ |^,|  | ,|\bNone\b")  # " to meld 2": nothing is added


@dataclass(frozen=True, slots=True)
class FreshPosition:
    """A position in which a rule decides, with moves to choose from.

    rule: short id. position: as `Game.load` reads it. seat: the one to act, whose view is shown. moves: texts; `right`
    is the index of the only one that is allowed, or the only one that is not (`asks_for_refused`). What is not allowed
    is refused by `rule`.
    """

    rule: str
    position: Position
    seat: int
    moves: tuple[str, ...]
    right: int
    asks_for_refused: bool


def fresh_positions(game: AnyGame, seed: int) -> list[FreshPosition]:
    """Positions of one game between bots: the same for the same seed, at most `ONE_RULE_A_GAME` for each rule."""
    rng = Random(f"{game.slug} {seed}")
    found: defaultdict[str, list[FreshPosition]] = defaultdict(list)
    for state, seat, earlier in _turns(game, rng):
        view = state.view(seat)
        for rule, refused in _near_misses(game, state, view, earlier, rng).items():
            if len(found[rule]) == ONE_RULE_A_GAME:
                continue
            drill = _drill(rule, state, view, refused, rng)
            if drill and is_exact(game, drill):
                found[rule].append(drill)
    return [drill for drills in found.values() for drill in drills]


def _turns(game: AnyGame, rng: Random) -> Iterator[tuple[State, int, Sequence[Move]]]:
    """Positions of a game with the seat to act and moves that were legal before. The numbers of seats take turns."""
    seats = rng.choice(game.seats)
    options = game.read_options({}, seats)
    state: State = game.start(random_decks(game.deck(options), rng), seats=seats, options=options)
    bot, earlier = bots.bot(game.slug, PLAYER), list[Move]()
    for _ in range(POSITIONS):
        if not state.to_act:
            return
        seat = rng.choice(state.to_act)
        yield state, seat, earlier
        view = state.view(seat)
        earlier = [*earlier, *view.offered[:EARLIER_MOVES]][-10 * EARLIER_MOVES :]
        state.play(seat, bot.choose(view, rng))


def _near_misses(
    game: AnyGame, state: State, view: View, earlier: Sequence[Move], rng: Random
) -> dict[str, list[Choice]]:
    """By rule, the moves that it refuses, each in words."""
    assert view.seat is not None, "the view of the seat to act"
    tried = rng.sample(earlier, min(EARLIER_MOVES, len(earlier)))
    for picks in _selections(view, rng):
        try:
            tried.append(game.attempt(view, picks))
        except GameError:
            continue
    refused: defaultdict[str, dict[Move, Choice]] = defaultdict(dict)
    for move in dict.fromkeys(tried):
        rule = _refusing_rule(state, view.seat, move)
        if rule and (choice := _tempting(game, view, move)):
            refused[rule.partition(":")[2]][move] = choice
    return {rule: list(choices.values()) for rule, choices in refused.items()}


def _selections(view: View, rng: Random) -> list[list[str]]:
    """Likely selections: a card of the hand with what is on the table, and pairs of things."""
    own = [card for zone in view.zones if zone.kind == "hand" and zone.owner == view.seat for card in zone.cards]
    things = list(dict.fromkeys(pick for zone in view.zones for pick in (*zone.cards[-12:], zone.id)))
    picked = []
    for _ in range(SELECTIONS):
        first = rng.choice(own) if own and rng.random() < 0.8 else rng.choice(things)
        others = rng.sample(things, min(rng.randrange(LONGEST_SELECTION), len(things)))
        picked.append(list(dict.fromkeys([first, *others])))
    return picked


def _refusing_rule(state: State, seat: int, move: Move) -> str:
    """The full id of the rule that refuses a move, "" if none does."""
    try:
        state.copy().play(seat, move)
    except IllegalMove as error:
        return error.rule
    except GameError:
        return ""
    return ""


def _tempting(game: AnyGame, view: View, move: Move) -> Choice | None:
    """An illegal move in words; None where the engine has none, or where the player lacks a card for it."""
    try:
        choice = view.choice(move)
        is_readable = game.parse(str(move)) == move
    except (TypeError, KeyError, LookupError, AssertionError, UnreadableMove):
        return None
    is_whole = not _INCOMPLETE.search(choice.phrase.rest)
    is_possible = _touches_seen_cards(view, choice) and not _begins_with_foreign_card(view, choice)
    return choice if is_readable and is_whole and is_possible else None


def _touches_seen_cards(view: View, choice: Choice) -> bool:
    """Whether all cards of a move are in sight. Otherwise it takes no rule to see that it can't be made."""
    seen = {card for zone in view.zones for card in zone.cards}
    return all(touch in seen for touch in choice.touches if CARD_IN_TEXT.fullmatch(touch))


def _begins_with_foreign_card(view: View, choice: Choice) -> bool:
    """Whether a move is made with a card that is not in the player's hand, for a player with a hand."""
    hand = [card for zone in view.zones if zone.kind == "hand" and zone.owner == view.seat for card in zone.cards]
    first = choice.touches[0] if choice.touches else ""
    return bool(hand) and CARD_IN_TEXT.fullmatch(first) is not None and first not in hand


def _drill(rule: str, state: State, view: View, refused: Sequence[Choice], rng: Random) -> FreshPosition | None:
    """A question with one right answer; the others are close to it. None where all moves read alike.

    A refused move that reads like an allowed one, as a card does like its twin, is not asked for.
    """
    assert view.seat is not None, "the view of the seat to act"
    legal = [view.choice(move) for move in view.offered]
    allowed_words = set(map(_words_of, legal))
    refused = [choice for choice in refused if _words_of(choice) not in allowed_words]
    asks_for_refused = len(refused) == 1 or rng.random() < 0.5
    asked, others = (refused, legal) if asks_for_refused else (legal, refused)
    if not legal or not refused:
        return None
    pairs = [(one, other) for one in rng.sample(asked, len(asked)) for other in others]
    right, _ = max(pairs, key=lambda pair: _likeness(*pair))
    close = sorted(rng.sample(others, len(others)), key=lambda other: -_likeness(right, other))
    chosen = list({_words_of(choice): choice for choice in (right, *close)}.values())[:ANSWERS]
    if len(chosen) < 2:
        return None
    rng.shuffle(chosen)
    return FreshPosition(
        rule, state.dump(), view.seat, tuple(str(choice.move) for choice in chosen),
        chosen.index(right), asks_for_refused,
    )  # fmt: skip


def _words_of(choice: Choice) -> tuple[str, str]:
    """A move as it is read: a card and its twin are the same."""
    return choice.phrase.verb, CARD_IN_TEXT.sub(r"\1", choice.phrase.rest)


def is_exact(game: AnyGame, drill: FreshPosition) -> bool:
    """Whether the engine agrees with a position as it was written down. :raises GameError: it cannot read it."""
    state: State = game.load(drill.position)
    verdicts = [_refusing_rule(state, drill.seat, game.parse(text)) for text in drill.moves]
    refused = f"{game.slug}:{drill.rule}"
    one, others = (refused, "") if drill.asks_for_refused else ("", refused)
    return verdicts == [one if index == drill.right else others for index in range(len(verdicts))]


def _likeness(one: Choice, other: Choice) -> int:
    """The number of cards and zones that two moves share."""
    return len({*one.touches} & {*other.touches})
