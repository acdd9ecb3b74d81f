"""House bots of Casino and its variant.

First steps takes what is easy to see and lays cards down without much thought. Club weighs what a move takes
against what it leaves to the next players. Strong imagines the hidden cards and has players who weigh their moves
like that play on, a little into the next deal.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import chain
from random import Random
from typing import TypeAlias, cast

from games.bots import Reason
from games.bots.rollouts import Scored, lead_of_scored, scored_lines
from games.bots.search import Expert
from games.core.captures import Sums
from games.core.cards import RANKS, Card, a_rank, by_display, pack
from games.core.contract import Move
from games.core.words import joined
from games.engines.casino.builds import Build, CardValues
from games.engines.casino.game import CASINO, Casino
from games.engines.casino.moves import HAND_SIZE, Capture, CardPlay, CasinoMove, MakeBuild, Trail
from games.engines.casino.scoring import ACE_POINTS, BIG_CASINO, BIG_CASINO_POINTS, LITTLE_CASINO, LITTLE_CASINO_POINTS
from games.engines.casino.state import CasinoState
from games.engines.casino.view import CasinoView

# What one more card and one more spade bring towards the points for most cards and most spades, on average.
CARD_SHARE = 0.15
SPADE_SHARE = 0.15


def _worth_by_rule(card: Card) -> dict[str, float]:
    """Value in points of a card in the player's pile, by the rule that gives them."""
    found = {
        "score-cards": CARD_SHARE,
        "score-spades": SPADE_SHARE if card[1] == "S" else 0,
        "score-big": BIG_CASINO_POINTS if card == BIG_CASINO else 0,
        "score-little": LITTLE_CASINO_POINTS if card == LITTLE_CASINO else 0,
        "score-aces": ACE_POINTS if card[0] == "A" else 0,
    }
    return {rule: points for rule, points in found.items() if points}


PACK = pack()
WORTH_BY_RULE = {card: _worth_by_rule(card) for card in PACK}
WORTH = {card: sum(found.values()) for card, found in WORTH_BY_RULE.items()}
SWEEP_WORTH = 1.0
WORTH_SAYING = 0.3  # points by which two moves differ
MOST_MOVES = 60
SHORTLIST = 6
# While a deal is played on: moves that are weighed carefully, and moves to come.
CLOSE_LOOKS, HORIZON = 4, 10
# How many errors another move must gain over the club player's choice, and of how many deals one is the likeliest.
CAUTION, DRAWS = 0.6, 3

Threats: TypeAlias = dict[str, float]  # by rank: the worth of the best capture with a card of that rank


def worth(cards: Iterable[Card]) -> float:
    return sum([WORTH[card] for card in cards])


def built_cards(builds: Collection[Build], values: Collection[int]) -> list[Card]:
    return [card for build in builds if build.value in values for card in build.cards]


def unseen(view: CasinoView) -> list[Card]:
    """Cards that may be in another hand: neither won in this hand nor in sight."""
    built = [card for build in view.builds for card in build.cards]
    seen = {*view.hand, *view.loose, *chain.from_iterable(view.remembered), *built}
    return [card for card in PACK if card not in seen]


class FirstSteps:
    """Sees equal cards and sums of two, misses larger captures half of the time, and rarely builds."""

    def choose(self, view: CasinoView, rng: Random) -> CasinoMove:
        moves = _moves(view)
        return max(moves, key=lambda move: self._appeal(move, rng))

    def _appeal(self, move: CasinoMove, rng: Random) -> float:
        mood = rng.random()
        match move:
            case Capture():
                taken = len(move.loose) + 2 * len(move.builds)
                return mood + (taken if taken <= 2 or rng.random() < 0.5 else 0)
            case MakeBuild():
                return mood - 0.2
            case _:
                return mood


class Club:
    """Weighs what a move takes, and what the next players and the player's own hand could take after it."""

    def __init__(self, game: Casino = CASINO) -> None:
        self.game = game

    def choose(self, view: CasinoView, rng: Random) -> CasinoMove:
        return max(_moves(view), key=Judgement(Sight.of_view(view), self.game.state_class.card_values).value)


class Strong:
    """Tries the moves that a club player likes best in sampled deals, which careful players play on.

    worlds: so many deals. They take some 30 ms, on a crowded table a tenth of a second.
    """

    prize = 0.0

    def __init__(self, game: Casino = CASINO, worlds: int = 16) -> None:
        self.search = Expert(
            game,
            Club(game),
            self,
            worlds=worlds,
            caution=CAUTION,
            moves_of=partial(shortlist, game),
            likelihood=fits_turns,
            draws=DRAWS,
        )

    def choose(self, view: CasinoView, rng: Random) -> Move:
        return self.search.choose(view, rng)

    def lead_by_rule(self, world: CasinoState, move: CasinoMove) -> dict[str, float]:
        return playout(world.copy(), move)


def shortlist(game: Casino, view: CasinoView) -> list[CardPlay]:
    """The moves that a club player likes best."""
    judgement = Judgement(Sight.of_view(view), game.state_class.card_values)
    return sorted(_moves(view), key=judgement.value, reverse=True)[:SHORTLIST]


def fits_turns(view: CasinoView, world: CasinoState) -> float:
    """How little the others have missed in an imagined deal: who trails can mostly take nothing worth having."""
    missed, later = 0.0, set()
    for seat, move in reversed(view.turns):
        if not isinstance(move, Trail):
            continue
        later.add(move.card)
        if seat != view.seat and view.hand_counts[seat] < HAND_SIZE:  # else it has been dealt new cards since then
            table = [card for card in view.loose if card not in later]
            takes = best_captures(table, (), world.card_values, sweeps=False)
            missed += max([takes.get(card[0], 0.0) for card in world.hands[seat]], default=0.0)
    return -missed


def _moves(view: CasinoView) -> list[CardPlay]:
    """Candidate moves: all of them, on a crowded table those that use the most cards."""
    moves = [move for move in view.moves if isinstance(move, (Trail, Capture, MakeBuild))]
    if len(moves) <= MOST_MOVES:
        return moves
    return sorted(moves, key=lambda move: 0 if isinstance(move, Trail) else -len(move.loose))[:MOST_MOVES]


@dataclass(frozen=True, slots=True)
class Sight:
    """What a player weighs a move by. hidden: by rank, the cards that may be in another hand.

    The other fields are those of a view.
    """

    seat: int
    seats: int
    sides: int
    hand: Sequence[Card]
    hand_counts: Sequence[int]
    loose: Sequence[Card]
    builds: Sequence[Build]
    stock_count: int
    hidden: Mapping[str, int]
    sweeps: bool

    @classmethod
    def of_view(cls, view: CasinoView) -> "Sight":
        assert view.seat is not None
        return cls(
            *(view.seat, view.seats, view.sides, view.hand, view.hand_counts, view.loose, view.builds),
            *(view.stock_count, Counter(card[0] for card in unseen(view)), view.options["sweeps"] != "off"),
        )

    @classmethod
    def of_mover(cls, state: CasinoState) -> "Sight":
        """What the player to act sees in an imagined deal."""
        seat = state.to_act[0]
        others = chain(state.stock, *state.hands[:seat], *state.hands[seat + 1 :])
        return cls(
            *(seat, state.seats, state.sides, state.hands[seat], list(map(len, state.hands))),
            *(state.loose, list(state.builds.values()), len(state.stock)),
            *(Counter([card[0] for card in others]), state.options["sweeps"] != "off"),
        )


class Judgement:
    """Move evaluation of a club player, in points. card_values: the points of the cards."""

    def __init__(self, sight: Sight, card_values: CardValues) -> None:
        self.sight = sight
        self.card_values = card_values
        hidden = max(sum(sight.hidden.values()), 1)
        next_seats = [(sight.seat + step) % sight.seats for step in range(1, sight.seats)]
        rivals = [seat for seat in next_seats if seat % sight.sides != sight.seat % sight.sides]
        self.shares = [min(1.0, sight.hand_counts[seat] / hidden) for seat in rivals]
        self.chance = {rank: self._chance(sight.hidden.get(rank, 0)) for rank in RANKS}

    def _chance(self, copies: int) -> float:
        """Probability that one of the next opponents holds one of so many hidden cards."""
        missing = weight = 1.0
        for share in self.shares:
            missing *= 1 - weight * (1 - (1 - share) ** copies)
            weight /= 2
        return 1 - missing

    def value(self, move: CardPlay) -> float:
        return sum(self.parts(move))

    def parts(self, move: CardPlay) -> tuple[float, float, float]:
        """What the move takes, what it leaves to the others, below 0, and what to the player's next turn."""
        loose, builds, gain = self.after(move)
        threats = best_captures(loose, builds, self.card_values, sweeps=self.sight.sweeps)
        chance = self.chances(builds)
        rest = [card for card in self.sight.hand if card != move.card]
        return gain, -self._expected_loss(threats, chance), 0.7 * self._best_next_capture(rest, threats, chance)

    def chances(self, builds: Sequence[Build]) -> dict[str, float]:
        """Probability by rank that the next opponents hold a card of it; who has a build has its card."""
        chance = self.chance
        for build in builds:
            if build.controller % self.sight.sides != self.sight.seat % self.sight.sides:
                chance = {**chance, ranks_by_value(self.card_values)[build.value]: 1.0}
        return chance

    def after(self, move: CardPlay) -> tuple[list[Card], list[Build], float]:
        """The table after the move, and what the move brings at once."""
        sight = self.sight
        if isinstance(move, Trail):
            return [*sight.loose, move.card], list(sight.builds), 0.0
        loose = [card for card in sight.loose if card not in move.loose]
        builds = [build for build in sight.builds if build.value not in move.builds]
        used = [move.card, *move.loose, *built_cards(sight.builds, move.builds)]
        if isinstance(move, MakeBuild):
            return loose, [*builds, Build(move.value, (tuple(used),), sight.seat)], 0.0
        is_sweep = sight.sweeps and not loose and not builds
        return loose, builds, worth(used) + (SWEEP_WORTH if is_sweep else 0.0) + self._last_capture(loose)

    def _last_capture(self, loose: Sequence[Card]) -> float:
        """A capture near the end of the hand may bring the rest of the table."""
        sight = self.sight
        others = sum(sight.hand_counts) - sight.hand_counts[sight.seat]
        return 0.0 if sight.stock_count else worth(loose) / (1 + others)

    def _expected_loss(self, threats: Threats, chance: dict[str, float]) -> float:
        """Value of the opponents' best capture, weighed by the chance that they hold its card."""
        expected, missing = 0.0, 1.0
        for rank, worth_taken in threats.items():
            expected += missing * chance[rank] * (worth_taken + CARD_SHARE)
            missing *= 1 - chance[rank]
        return expected

    def _best_next_capture(self, rest: Sequence[Card], threats: Threats, chance: dict[str, float]) -> float:
        """Value of the player's best capture next turn, if no opponent has its card."""
        hopes = [(threats[card[0]] + WORTH[card]) * (1 - chance[card[0]]) for card in rest if card[0] in threats]
        return max(hopes, default=0.0)


def best_captures(loose: Sequence[Card], builds: Sequence[Build], card_values: CardValues, *, sweeps: bool) -> Threats:
    """Value of the best capture for each rank that has one, without the card that captures; highest first."""
    return _best_captures(tuple(sorted(loose)), tuple(builds), card_values, sweeps)


@lru_cache(maxsize=1 << 14)
def _best_captures(
    loose: tuple[Card, ...], builds: tuple[Build, ...], card_values: CardValues, sweeps: bool
) -> Threats:
    best: Threats = {}
    for card in loose:
        if card not in card_values.in_sets:
            best[card[0]] = max(best.get(card[0], 0.0), WORTH[card])
            if sweeps and len(loose) + len(builds) == 1:
                best[card[0]] += SWEEP_WORTH
    sums = card_values.sums(loose)
    for value, rank in ranks_by_value(card_values).items():
        taken = _richest(sums, value)
        built = [build for build in builds if build.value == value]
        if taken or built:
            takes_all = len(taken) == len(loose) and len(built) == len(builds)
            best[rank] = worth(taken) + worth(built_cards(built, [value])) + SWEEP_WORTH * (sweeps and takes_all)
    return dict(sorted(best.items(), key=lambda item: -item[1]))


def _richest(sums: Sums, value: int) -> Sequence[Card]:
    """The loose cards worth most that add up to a value, once or several times."""
    return max(map(sums.pick, sums.unions(value)), key=worth) if sums.sets(value) else ()


@cache
def ranks_by_value(card_values: CardValues) -> dict[int, str]:
    """For each value the rank that takes cards of that value."""
    return {value: card[0] for card, value in card_values.alone.items()}


# Playing on in an imagined deal


def playout(state: CasinoState, move: CasinoMove) -> dict[str, float]:
    """The lead of the mover's side in points, by rule: that of the hand, or where it does not end, of the piles.

    The deal is played to its end and one round of the next one with it, because what the last cards of a deal
    leave on the table is taken by the first cards of the next; but no more than `HORIZON` moves.
    """
    side = state.side(state.to_act[0])
    hand, further, played, stock = len(state.results), state.seats, 0, len(state.stock)
    state.play(state.to_act[0], move)
    while len(state.results) == hand and further and played < HORIZON:
        further -= len(state.stock) != stock
        state.play(state.to_act[0], _careful_choice(state))
        played += 1
    scored = scored_lines(state.results[-1], state.sides) if len(state.results) > hand else _piles(state)
    return lead_of_scored(scored, side, state.sides)


def _piles(state: CasinoState) -> Iterator[Scored]:
    """Value of the cards that each side has won."""
    for side, won in enumerate(state.won):
        for card in won:
            for rule, points in WORTH_BY_RULE[card].items():
                yield f"{state.game.slug}:{rule}", side, points
        if state.options["sweeps"] != "off":
            yield f"{state.game.slug}:sweep", side, SWEEP_WORTH * state.sweeps[side]


def _careful_choice(state: CasinoState) -> CasinoMove:
    """The move that a club player likes best of those that look best at once."""
    moves = state.legal_moves(state.to_act[0])
    if len(moves) == 1:
        return moves[0]
    likely = sorted(moves, key=lambda move: _quick_value(state, move), reverse=True)[:CLOSE_LOOKS]
    return max(cast(list[CardPlay], likely), key=Judgement(Sight.of_mover(state), state.card_values).value)


def _quick_value(state: CasinoState, move: CasinoMove) -> float:
    """Orders moves without looking ahead: rich captures, builds, then the card that is missed least."""
    match move:
        case Capture():
            built = [card for value in move.builds for card in state.builds[value].cards]
            takes_all = len(move.loose) == len(state.loose) and len(move.builds) == len(state.builds)
            swept = SWEEP_WORTH if takes_all and state.options["sweeps"] != "off" else 0.0
            return WORTH[move.card] + worth(move.loose) + worth(built) + swept
        case MakeBuild():
            return 0.5 * (WORTH[move.card] + worth(move.loose)) - 0.1
        case Trail():
            pairs = sum(card[0] == move.card[0] for card in state.hands[state.to_act[0]]) - 1
            return 0.1 * pairs - WORTH[move.card]
        case _:
            raise TypeError(f"not a legal move of Casino: {move!r}")


LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong()}


# What speaks for a move


def reason(view: CasinoView, move: CasinoMove) -> Reason:
    return explained(CASINO, view, move)


def explained(game: Casino, view: CasinoView, move: CasinoMove) -> Reason:
    match move:
        case Capture():
            text, rule = _for_capture(view, move)
        case MakeBuild():
            text, rule = _for_build(game.state_class.card_values, view, move)
        case Trail():
            text, rule = _for_trail(view, move.card)
        case _:
            raise TypeError(f"not a legal move of Casino: {move!r}")
    return Reason(text, f"{game.slug}:{rule}")


SCORING = {
    BIG_CASINO: ("2 points", "score-big"),
    LITTLE_CASINO: ("1 point", "score-little"),
    **{card: ("1 point", "score-aces") for card in PACK if card[0] == "A"},
}


def _for_capture(view: CasinoView, move: Capture) -> tuple[str, str]:
    won = by_display([move.card, *move.loose, *built_cards(view.builds, move.builds)])
    left = len(view.loose) - len(move.loose) + len(view.builds) - len(move.builds)
    scoring = sorted((card for card in won if card in SCORING), key=lambda card: -WORTH[card])
    spades = sum(card[1] == "S" and card not in SCORING for card in won)
    gains = [f"{card} ({SCORING[card][0]})" for card in scoring]
    gains += [f"{spades} {'more ' if scoring else ''}spade{'s' if spades > 1 else ''}"] if spades else []
    among = f", among them {joined(gains)}" if gains else "; having the most cards is worth 3 points"
    if not left and view.options["sweeps"] != "off":
        return f"It clears the table, a sweep for 1 point, and your pile gets {len(won)} cards{among}.", "sweep"
    rule = SCORING[scoring[0]][1] if scoring else "score-spades" if spades else "score-cards"
    return f"Your pile gets {len(won)} cards{among}.", rule


def _for_build(card_values: CardValues, view: CasinoView, move: MakeBuild) -> tuple[str, str]:
    used = [move.card, *move.loose, *built_cards(view.builds, {*move.builds, move.value})]
    keys = [card for card in view.hand if card != move.card and card_values.alone.get(card) == move.value]
    rivals = sum(card_values.alone.get(card) == move.value for card in unseen(view))
    hidden = f"at most {rivals} other cards" if rivals > 1 else "at most one other card" if rivals else "no other card"
    text = f"{len(used)} cards wait for {' or '.join(keys)}, which you keep; {hidden} can still take them."
    return text, "build-hold"


def _for_trail(view: CasinoView, card: Card) -> tuple[str, str]:
    may_use = any(not isinstance(move, Trail) for move in view.moves)
    lead = "You take nothing now, which is allowed" if may_use else "None of your cards takes or builds anything now"
    twins = [other for other in view.hand if other != card and other[0] == card[0]]
    rivals = sum(other[0] == card[0] for other in unseen(view))
    if twins:
        fact = f"{card} waits for {' or '.join(twins)}, which you keep"
    elif not rivals:
        fact = f"no card of the rank of {card} is out of sight"
    elif card not in SCORING and card[1] != "S":
        fact = f"{card} scores nothing by itself"
    else:
        fact = f"{rivals} more card{'s' if rivals > 1 else ''} of the rank of {card} could take it"
    return f"{lead}; {fact}.", "trail-free" if may_use else "trail"


def comparison(view: CasinoView, better: CasinoMove, other: CasinoMove) -> Reason | None:
    return compared(CASINO, view, better, other)


def compared(game: Casino, view: CasinoView, better: CasinoMove, other: CasinoMove) -> Reason | None:
    """What two moves leave on the table, for the player's next turn or to the others; None if they take more or less.

    A club player's judgement says which of it matters most.
    """
    if not isinstance(better, Trail | MakeBuild) or not isinstance(other, Capture | Trail | MakeBuild):
        return None
    judgement = Judgement(Sight.of_view(view), game.state_class.card_values)
    gains = [mine - theirs for mine, theirs in zip(judgement.parts(better), judgement.parts(other), strict=True)]
    if max(gains) < WORTH_SAYING:
        return None
    _, less_left, more_kept = gains
    text = _kept_apart(judgement, better, other) if more_kept > less_left else _left_apart(judgement, better, other)
    return Reason(text, f"{game.slug}:{'build-hold' if isinstance(better, MakeBuild) else 'trail-free'}")


def _kept_apart(judgement: Judgement, better: CardPlay, other: CardPlay) -> str:
    """What the player can take next after each of two moves."""
    key, taken = _next_capture(judgement, better)
    rival, instead = _next_capture(judgement, other)
    after = f"{rival} takes {instead} instead" if instead else "no card that you keep takes anything"
    return f"You keep {key}, which takes {taken} in your next turn if nothing changes before. After your move, {after}."


def _next_capture(judgement: Judgement, move: CardPlay) -> tuple[Card, str]:
    """The card of the hand whose capture is best in the next turn, and what it takes; "" for nothing."""
    loose, builds, _ = judgement.after(move)
    takes = best_captures(loose, builds, judgement.card_values, sweeps=judgement.sight.sweeps)
    chance = judgement.chances(builds)
    keys = [card for card in judgement.sight.hand if card != move.card and card[0] in takes]
    key = max(keys, key=lambda card: (takes[card[0]] + WORTH[card]) * (1 - chance[card[0]]), default="")
    return key, _taken(judgement, key[0], loose, builds) if key else ""


def _left_apart(judgement: Judgement, better: CardPlay, other: CardPlay) -> str:
    """What another player could take next after each of two moves."""
    rank, taken = _largest_threat(judgement, other)
    less_rank, less = _largest_threat(judgement, better)
    after = f"{a_rank(less_rank)} takes {less}" if less else "nothing can be taken"
    count = judgement.sight.hidden[rank]
    hidden = f"{count} such cards" if count > 1 else "one such card"
    yours = f"After your move, {a_rank(rank)} takes {taken}, and {hidden} may be in another hand."
    return f"{yours} After the better one, {after}."


def _largest_threat(judgement: Judgement, move: CardPlay) -> tuple[str, str]:
    """The rank that another player most likely takes much with, and what it takes; "" for nothing."""
    loose, builds, _ = judgement.after(move)
    takes = best_captures(loose, builds, judgement.card_values, sweeps=judgement.sight.sweeps)
    chance = judgement.chances(builds)
    rank = max((rank for rank in takes if chance[rank]), key=lambda rank: takes[rank] * chance[rank], default="")
    return rank, _taken(judgement, rank, loose, builds) if rank else ""


def _taken(judgement: Judgement, rank: str, loose: Sequence[Card], builds: Sequence[Build]) -> str:
    """The cards on the table that the best capture with a card of a rank takes."""
    values = judgement.card_values
    value = next((value for value, other in ranks_by_value(values).items() if other == rank), 0)
    taken = _richest(values.sums(loose), value) if value else ()
    equal = max((card for card in loose if card[0] == rank), key=WORTH.__getitem__, default="")
    built = built_cards(builds, [value])
    return " ".join(by_display([*(taken or filter(None, [equal])), *built]))
