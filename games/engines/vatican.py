"""Vatican, 2 to 5 seats: rummy with common melds, in which a turn may rearrange the whole table.

Source: "The Penguin Book of Card Games", "Vatican". What it leaves open follows the rules of Vatikan at
pagat.com and rummyrulebook.com (a joker on the table moves only after the real card has taken its place).
Rulings, where these are silent or unclear:
- a turn is judged only by the table before and after it, so a play is one move, whatever happens on the
  way;
- jokers: one that lay on the table and now stands for another card needs a natural card on the table with a
  face that it stood for, each such joker a card of its own; in a set a joker covers every suit that the set
  does not show;
- no rank occurs twice in a run, and both copies of a card are never in one meld;
- a new meld gets the lowest free number, in the order written; a meld that is not dissolved keeps its
  number;
- if every seat passes in turn the game is blocked: the fewest cards win, equally few share the win;
- with `penalty_scoring` the game is a round of deals, each seat dealing once; winners of a deal add
  nothing;
- with `draw_after_play` a player who has played takes a card, too, while there is stock;
- `failed_play_penalty` is for tables that do not check: an arrangement that breaks a rule is taken back and
  costs three cards and the turn. Without stock it is refused instead, so that nobody can stall;
- when a clock runs out the player draws; without stock the smallest play found is made, or he passes.
It ends: each turn takes a card from the stock, or lays one from hand for good, or is one of few passes in a
row.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, combinations, count, product
from random import Random
from typing import NoReturn, Self, TypeAlias

from games.core.arranger import Arrangement, Budget, Unfinished, arrange, counts
from games.core.cards import RANK_INDEX, SUITS, Card, by_display, face, is_joker, pack
from games.core.contract import (
    BadOption,
    Choice,
    Event,
    Game,
    HandResult,
    IllegalMove,
    ImpossiblePosition,
    Move,
    NotYourTurn,
    Option,
    Options,
    OptionValue,
    Outcome,
    Phrase,
    Position,
    ScoreLine,
    State,
    UnreadableMove,
    Verdict,
    View,
    Zone,
    numbers,
    open_zone,
    places,
    switch,
)
from games.core.deals import Decks, numbered_decks, random_decks
from games.core.melds import SEQUENCES, Fault, Meld, MeldRules, SequenceKind, meld_run, meld_set, read_meld
from games.core.positions import by_seat, card_list, check_cards, known_keys, whole_number

PACK = pack(copies=2, jokers=2)
KNOWN_CARDS = frozenset(PACK)
MIN_SEATS, MAX_SEATS = 2, 5
OPENING_CARDS = 3
PENALTY_CARDS = 3
COURT_PENALTY = 10
ACE_PENALTY = 11
JOKER_PENALTY = 30

MELD_RULES: dict[SequenceKind, MeldRules] = {
    "round": MeldRules("round"),
    "high_or_low": MeldRules("high_or_low"),
    "low": MeldRules("low"),
}


# Moves


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """Takes the top card of the stock: `D`."""

    def __str__(self) -> str:
        return "D"


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Does nothing, without stock and without a play: `-`."""

    def __str__(self) -> str:
        return "-"


@dataclass(frozen=True, slots=True)
class Play(Move):
    """Dissolves melds, by number, ascending, and lays new ones: `P x2,5 > 4H1-5H1-6H2 / 9C1+9D1+XB`."""

    dissolved: tuple[int, ...]
    melds: tuple[Meld, ...]

    def __str__(self) -> str:
        taken = f" x{','.join(map(str, self.dissolved))}" if self.dissolved else ""
        return f"P{taken} > {' / '.join(map(str, self.melds))}".strip()

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card of the new melds."""
        return tuple(chain.from_iterable(meld.cards for meld in self.melds))

    def from_hand(self, table: Mapping[int, Meld]) -> tuple[Card, ...]:
        """The cards of the new melds that do not come from the dissolved ones."""
        lay = {card for number in self.dissolved if number in table for card in table[number].cards}
        return tuple(card for card in self.cards if card not in lay)


def table_after(table: Mapping[int, Meld], play: Play) -> dict[int, Meld]:
    """The melds by number, ascending: new ones get the lowest free numbers, in the order written."""
    left = {number: meld for number, meld in table.items() if number not in play.dissolved}
    free = (number for number in count(1) if number not in left)
    return dict(sorted((left | dict(zip(free, play.melds, strict=False))).items()))


VaticanMove: TypeAlias = Draw | Pass | Play

DRAW, PASS = Draw(), Pass()
_PLAY_TEXT = re.compile(r"P(?P<dissolved>[\sX\d,]*)>(?P<melds>.*)", re.DOTALL)
_UNREADABLE = "Write D to draw, P x2 > 4H1-5H1-6H1 to dissolve meld 2 and lay a meld, or - to pass."


def _read_play(dissolved: str, melds: str) -> Play:
    found = re.findall(r"\d+", dissolved)
    if re.sub(r"\d+", "", dissolved).strip(" ,X\t\n") or any(len(number) > 3 for number in found):
        raise UnreadableMove(_UNREADABLE)
    texts = [text for text in melds.split("/") if text.strip()]
    return Play(tuple(sorted({int(number) for number in found})), tuple(map(_read_meld, texts)))


def _read_meld(text: str) -> Meld:
    card = text.strip().upper()
    try:
        meld = meld_set([card]) if card in KNOWN_CARDS else read_meld(text)
    except ValueError as error:
        raise UnreadableMove(f"This cannot be read: {error}.") from None
    _require_known(meld.cards)
    return meld


def _require_known(cards: Iterable[Card]) -> None:
    for card in cards:
        if card not in KNOWN_CARDS:
            raise UnreadableMove(
                f"There is no card {card[:12]}; write rank, suit and copy, such as 4H1, and jokers XB and XR."
            )


# House rules: the options that decide which plays are legal


@dataclass(frozen=True, slots=True)
class HouseRules:
    sequence: SequenceKind
    release: str
    opening_run: bool
    opening_joker: bool

    @property
    def melds(self) -> MeldRules:
        return MELD_RULES[self.sequence]


@cache
def _house_rules(sequence: SequenceKind, release: str, opening_run: bool, opening_joker: bool) -> HouseRules:
    return HouseRules(sequence, release, opening_run, opening_joker)


def house_rules(options: Options) -> HouseRules:
    sequence = next(kind for kind in MELD_RULES if kind == options["sequence"])
    return _house_rules(
        sequence, str(options["joker_release"]), bool(options["opening_run"]), bool(options["opening_joker"])
    )


@cache
def _opening_runs(sequence: SequenceKind) -> tuple[tuple[str, str, str], ...]:
    """The faces of every run of three."""
    ranks = SEQUENCES[sequence]
    starts = 13 if sequence == "round" else len(ranks) - 2
    return tuple(
        (ranks[start] + suit, ranks[start + 1] + suit, ranks[start + 2] + suit)
        for suit in SUITS
        for start in range(starts)
    )


def _opens(house: HouseRules, cards: Iterable[Card]) -> bool:
    """Whether these cards from hand contain a run of three; jokers fill gaps where that is allowed."""
    played = list(cards)
    faces = {face(card) for card in played if not is_joker(card)}
    jokers = sum(map(is_joker, played)) if house.opening_joker else 0
    return any(0 < sum(part in faces for part in run) >= 3 - jokers for run in _opening_runs(house.sequence))


# Jokers on the table


def _joker_faces(house: HouseRules, melds: Iterable[Meld]) -> list[dict[Card, str]]:
    """Every choice of faces for the jokers of these melds, two in one set standing for different ones."""
    choices: list[dict[Card, str]] = [{}]
    for meld in melds:
        jokers = [place for place, card in enumerate(meld.cards) if is_joker(card)]
        if not jokers:
            continue
        candidates = house.melds.faces(meld)
        here = [
            dict(zip((meld.cards[place] for place in jokers), faces, strict=True))
            for faces in product(*(sorted(candidates[place]) for place in jokers))
            if len(set(faces)) == len(faces)
        ]
        choices = [{**known, **new} for known in choices for new in here]
    return choices


def _keeps_jokers(house: HouseRules, table: Mapping[int, Meld], play: Play) -> bool:
    """Whether each joker that changes its face is matched by a natural card of its own with the face it had.

    All melds of the play are valid.
    """
    before = [table[number] for number in play.dissolved]
    if house.release == "free" or not any(map(is_joker, chain(*(meld.cards for meld in before)))):
        return True
    naturals = _replacements(house, table, play)
    new_faces = _joker_faces(house, play.melds)
    return any(
        Counter(shown for joker, shown in old.items() if new[joker] != shown) <= naturals
        for old in _joker_faces(house, before)
        for new in new_faces
    )


def _replacements(house: HouseRules, table: Mapping[int, Meld], play: Play) -> Counter[str]:
    """The faces of the natural cards that free a joker: all on the table or, by option, those just played."""
    there = list(play.from_hand(table))
    if house.release != "hand_only":
        there += chain(*(meld.cards for meld in table.values()))
    return Counter(face(card) for card in there if not is_joker(card))


# Suggestions: plays found by the arrangement solver

SUGGESTION_STEPS = 45_000
OPENINGS_TRIED = 6


@dataclass(frozen=True, slots=True)
class Situation:
    """All that decides which plays a seat has. table: number and meld, ascending; hand: in display order."""

    house: HouseRules
    table: tuple[tuple[int, Meld], ...]
    hand: tuple[Card, ...]
    has_opened: bool


@dataclass(frozen=True, slots=True)
class Suggestions:
    """largest: the play of the most cards. singles: plays of one card, each changing few melds, by that card.

    fresh: melds complete in hand; before the opening all opening runs.
    is_complete: the solver searched to the end.
    """

    largest: Play | None
    singles: Mapping[Card, Play]
    fresh: tuple[Play, ...]
    is_complete: bool

    @property
    def plays(self) -> tuple[Play, ...]:
        """All of them, each once, the largest first."""
        first = () if self.largest is None else (self.largest,)
        return tuple(dict.fromkeys((*first, *self.fresh, *self.singles.values())))


@lru_cache(maxsize=4096)
def suggestions(situation: Situation) -> Suggestions:
    """The plays offered to a seat; where there is none, a complete search has proved it."""
    return _Solver(situation).suggestions()


@lru_cache(maxsize=4096)
def easy_plays(situation: Situation) -> tuple[Play, ...]:
    """The plays that change one meld at most and lay one card on it or a meld from the hand; quickly found."""
    return _Solver(situation).easy_plays()


@dataclass(frozen=True, slots=True)
class _JokerCase:
    """One way to treat the jokers of dissolved melds: some keep a face, the others are free.

    forced: faces that have to be played from hand so that the free ones have been replaced.
    """

    kept: tuple[tuple[Card, str], ...]
    free: tuple[Card, ...]
    forced: tuple[str, ...]


class _Solver:
    def __init__(self, situation: Situation) -> None:
        self.house = situation.house
        self.table = dict(situation.table)
        self.hand = situation.hand
        self.has_opened = situation.has_opened or not situation.house.opening_run
        self.on_table = Counter(face(card) for meld in self.table.values() for card in meld.cards if not is_joker(card))
        self.budget = Budget(SUGGESTION_STEPS)
        self.is_complete = True
        self.moves_jokers = True

    def suggestions(self) -> Suggestions:
        if not self.has_opened:
            runs = _runs_in_hand(self.house, self.hand, use_jokers=self.house.opening_joker)
            best = self._largest_opening(runs)
            return Suggestions(best and self._with_fewest_changes(best), {}, runs, self.is_complete)
        singles = self._extensions()
        largest = self._largest()
        if largest is not None:
            largest = self._with_fewest_changes(largest)
            singles = {**singles, **self._other_singles(singles)}
        elif singles:
            largest = next(iter(singles.values()))
        return Suggestions(largest, singles, _melds_in_hand(self.house, self.hand), self.is_complete)

    def easy_plays(self) -> tuple[Play, ...]:
        if not self.has_opened:
            return _runs_in_hand(self.house, self.hand, use_jokers=self.house.opening_joker)
        return (*_melds_in_hand(self.house, self.hand), *self._extensions().values())

    # Which plays are tried

    def _largest(self) -> Play | None:
        try:
            return self._best(tuple(self.table), (), self.hand)
        except Unfinished:
            return self._largest_with_bound_jokers(())

    def _largest_with_bound_jokers(self, must: Sequence[Card]) -> Play | None:
        """The largest play while jokers stay what they are, when there are too many ways to use them."""
        self.is_complete = False
        self.moves_jokers = False
        self.budget = Budget(SUGGESTION_STEPS)
        rest = tuple(card for card in self.hand if card not in must and not is_joker(card))
        try:
            return self._best(tuple(self.table), must, rest)
        except Unfinished:
            return None

    def _largest_opening(self, runs: Sequence[Play]) -> Play | None:
        if not runs:
            return None
        longest = max(runs, key=lambda run: len(run.cards))
        try:
            return self._best_opening(runs)
        except Unfinished:
            return self._largest_with_bound_jokers(longest.cards) or longest

    def _best_opening(self, runs: Sequence[Play]) -> Play:
        everything = tuple(self.table)
        best = self._best(everything, (), self.hand)
        if best is not None and _opens(self.house, best.from_hand(self.table)):
            return best
        found = []
        shortest = [run for run in runs if len(run.cards) == OPENING_CARDS]
        for run in sorted(shortest, key=lambda run: sum(map(is_joker, run.cards)))[:OPENINGS_TRIED]:
            others = tuple(card for card in self.hand if card not in run.cards)
            found.append(self._best(everything, run.cards, others) or run)
        return max(found, key=lambda play: len(play.from_hand(self.table)))

    def _extensions(self) -> dict[Card, Play]:
        """For each card that goes to a single meld the play that puts it there."""
        found: dict[Card, Play] = {}
        for card in self.hand:
            for number, meld in self.table.items():
                if card not in found and self._may_take(meld, card):
                    play = self._safe_best((number,), (card,))
                    if play is not None:
                        found[card] = play
        return found

    def _may_take(self, meld: Meld, card: Card) -> bool:
        """A quick test that rules out most cards: right rank, or right suit and near enough."""
        if is_joker(card):
            return True
        natural = next(card for card in meld.cards if not is_joker(card))
        if meld.kind == "set":
            return card[0] == natural[0]
        if card[1] != natural[1]:
            return False
        first = RANK_INDEX[self.house.melds.run_faces(meld.cards)[0][0]]
        place = (RANK_INDEX[card[0]] - first) % 13
        inside = 2 <= place < len(meld.cards) - 2 or any(map(is_joker, meld.cards))
        return inside or place in (len(meld.cards), 12)

    def _other_singles(self, known: Mapping[Card, Play]) -> dict[Card, Play]:
        """For each other card that can be played alone a play that changes few melds."""
        found: dict[Card, Play] = {}
        tried = {face(card) for card in known}
        for card in self.hand:
            if face(card) not in tried and self._has_company(card):
                tried.add(face(card))
                play = self._safe_best(tuple(self.table), (card,))
                if play is not None:
                    found[card] = self._with_fewest_changes(play)
        return found

    def _has_company(self, card: Card) -> bool:
        """Whether the table has two cards that could make a meld with this one."""
        if is_joker(card):
            return True
        needed = 2 - sum(map(is_joker, chain(*(meld.cards for meld in self.table.values()))))
        shown = face(card)
        if sum(shown[0] + suit in self.on_table for suit in SUITS if suit != shown[1]) >= needed:
            return True
        return any(
            sum(other in self.on_table for other in run if other != shown) >= needed
            for run in _opening_runs(self.house.sequence)
            if shown in run
        )

    def _safe_best(self, pool: Sequence[int], must: Sequence[Card]) -> Play | None:
        try:
            return self._best(pool, must, ())
        except Unfinished:
            self.is_complete = False
            return None

    def _with_fewest_changes(self, play: Play) -> Play:
        """The same cards, with no meld dissolved that can be left alone."""
        must = play.from_hand(self.table)
        for number in play.dissolved:
            if number in play.dissolved:
                pool = tuple(other for other in play.dissolved if other != number)
                play = self._safe_best(pool, must) or play
        return play

    # One question to the arranger

    def _best(self, pool: Sequence[int], must: Sequence[Card], rest: Sequence[Card]) -> Play | None:
        """The largest play that dissolves melds of the pool only and has all of `must` and a part of `rest`.

        :raises Unfinished:
        """
        best: Play | None = None
        most = max(0, len(must) - 1)
        for case in self._joker_cases(pool, must, rest):
            arrangement = self._arrange(pool, must, rest, case)
            if arrangement is None:
                continue
            played = len(must) + len(case.forced) + arrangement.played
            if played > most:
                most = played
                best = _Dealing(self, pool, must, rest, case, arrangement).play()
            if most == len(must) + len(rest):
                break
        return best

    def _arrange(
        self, pool: Sequence[int], must: Sequence[Card], rest: Sequence[Card], case: _JokerCase
    ) -> Arrangement | None:
        table = [face(card) for number in pool for card in self.table[number].cards if not is_joker(card)]
        table += [kept for _, kept in case.kept]
        table += [face(card) for card in must if not is_joker(card)]
        table += case.forced
        free = Counter(face(card) for card in rest if not is_joker(card))
        free.subtract(case.forced)
        return arrange(
            self.house.sequence,
            counts(table),
            counts(free.elements()),
            wild=len(case.free) + sum(map(is_joker, must)),
            spare=sum(map(is_joker, rest)),
            budget=self.budget,
        )

    def _joker_cases(self, pool: Sequence[int], must: Sequence[Card], rest: Sequence[Card]) -> Iterator[_JokerCase]:
        """The ways to treat the jokers of the pool, without those that another way makes superfluous."""
        jokers = [card for number in pool for card in self.table[number].cards if is_joker(card)]
        if not jokers or self.house.release == "free":
            yield _JokerCase((), tuple(jokers), ())
            return
        seen = set()
        playing = Counter(face(card) for card in must if not is_joker(card))
        can_play = Counter(face(card) for card in rest if not is_joker(card))
        there = playing if self.house.release == "hand_only" else self.on_table + playing
        sizes = range(len(jokers) if self.moves_jokers else 0, -1, -1)
        for faces in _joker_faces(self.house, (self.table[number] for number in pool)):
            for size in sizes:
                for free in combinations(jokers, size):
                    released = Counter(faces[joker] for joker in free)
                    forced = released - there
                    kept = tuple((joker, faces[joker]) for joker in jokers if joker not in free)
                    key = (tuple(sorted(shown for _, shown in kept)), size, tuple(sorted(forced.elements())))
                    if key not in seen and forced <= can_play:
                        seen.add(key)
                        yield _JokerCase(kept, free, key[2])
                    if not forced and size == len(jokers):
                        return


class _Dealing:
    """Gives the melds of an arrangement their cards, so that melds that were there stay untouched."""

    def __init__(
        self,
        solver: _Solver,
        pool: Sequence[int],
        must: Sequence[Card],
        rest: Sequence[Card],
        case: _JokerCase,
        arrangement: Arrangement,
    ) -> None:
        self.old = {number: solver.table[number] for number in pool}
        self.melds = list(arrangement.melds)
        self.cards: dict[str, list[Card]] = defaultdict(list)
        for meld in self.old.values():
            self._add(card for card in meld.cards if not is_joker(card))
        for joker, shown in case.kept:
            self.cards[shown].append(joker)
        self._add(card for card in must if not is_joker(card))
        wanted = Counter((*case.forced, *arrangement.hand))
        for card in rest:
            if not is_joker(card) and wanted[face(card)] > 0:
                wanted[face(card)] -= 1
                self.cards[face(card)].append(card)
        jokers = [*case.free, *filter(is_joker, must), *filter(is_joker, rest)]
        for joker, shown in zip(jokers, arrangement.wild, strict=False):
            self.cards[shown].append(joker)

    def _add(self, cards: Iterable[Card]) -> None:
        for card in cards:
            self.cards[face(card)].append(card)

    def play(self) -> Play:
        kept = {number for number, meld in self.old.items() if self._keep(meld)}
        new = [self._lay(kind, faces) for kind, faces in self.melds]
        dissolved = sorted(self.old.keys() - kept)
        return Play(tuple(dissolved), tuple(sorted(new, key=lambda meld: by_text(meld))))

    def _keep(self, meld: Meld) -> bool:
        """Takes a meld that is also part of the new table out of the arrangement."""
        shown = self._faces_of(meld)
        if shown is None:
            return False
        for place, (kind, faces) in enumerate(self.melds):
            rest = _without(kind, faces, meld.kind, shown)
            if rest is not None:
                self.melds[place : place + 1] = [("run", part) for part in rest]
                for card, its_face in zip(meld.cards, shown, strict=True):
                    self.cards[its_face].remove(card)
                return True
        return False

    def _faces_of(self, meld: Meld) -> tuple[str, ...] | None:
        """The faces that the cards of an old meld have in the arrangement."""
        shown = []
        for card in meld.cards:
            places = [face(card)] if not is_joker(card) else self.cards
            shown += [its_face for its_face in places if card in self.cards[its_face]]
        return tuple(shown) if len(shown) == len(meld.cards) else None

    def _lay(self, kind: str, faces: Sequence[str]) -> Meld:
        cards = [self.cards[its_face].pop(0) for its_face in faces]
        return meld_run(cards) if kind == "run" else meld_set(cards)


def by_text(meld: Meld) -> tuple[str, str]:
    """Sorts melds: runs before sets, then by their text."""
    return meld.kind, str(meld)


def _without(kind: str, faces: tuple[str, ...], old_kind: str, old: tuple[str, ...]) -> list[tuple[str, ...]] | None:
    """A meld without an old one inside it: [] if it is the same, else one run or two; None if impossible."""
    if kind != old_kind:
        return None
    if kind == "set":
        return [] if sorted(faces) == sorted(old) else None
    if old[0] not in faces:
        return None
    start = faces.index(old[0])
    left, right = faces[:start], faces[start + len(old) :]
    if faces[start : start + len(old)] != old or 0 < len(left) < 3 or 0 < len(right) < 3:
        return None
    return [part for part in (left, right) if part]


# Melds that are complete in a hand


@lru_cache(maxsize=4096)
def _runs_in_hand(house: HouseRules, hand: tuple[Card, ...], *, use_jokers: bool) -> tuple[Play, ...]:
    """Every run of hand cards as a play, with the first copy of each card and jokers for what is missing."""
    held = {face(card): card for card in reversed(hand)}
    jokers = [card for card in hand if is_joker(card)] if use_jokers else []
    ranks = SEQUENCES[house.sequence]
    found: dict[Play, None] = {}
    for suit in SUITS:
        for start in range(13):
            run: list[Card] = []
            spare = list(jokers)
            for rank in ranks[start : start + 13]:
                card = held.get(rank + suit) or (spare.pop(0) if spare else None)
                if card is None:
                    break
                run.append(card)
                if len(run) >= OPENING_CARDS and not all(map(is_joker, run)):
                    found[Play((), (meld_run(run),))] = None
    return tuple(play for play in found if house.melds.fault(play.melds[0]) is None)


def _melds_in_hand(house: HouseRules, hand: tuple[Card, ...]) -> tuple[Play, ...]:
    """Every run and set of naturals in the hand as a play of its own, the first copy of each card."""
    held = {face(card): card for card in reversed(hand) if not is_joker(card)}
    found = list(_runs_in_hand(house, hand, use_jokers=False))
    for rank in RANK_INDEX:
        same = [held[rank + suit] for suit in SUITS if rank + suit in held]
        for size in range(3, len(same) + 1):
            found += [Play((), (meld_set(cards),)) for cards in combinations(same, size)]
    return tuple(found)


# State


class VaticanState(State):
    """A game in progress.

    hands: in display order. table: melds by number, ascending. stock: the next card last.
    """

    __slots__ = (
        "dealer",
        "decks",
        "game",
        "hand_number",
        "hands",
        "house",
        "log",
        "opened",
        "options",
        "passes",
        "results",
        "scores",
        "seats",
        "stock",
        "table",
        "to_act",
    )

    def __init__(self, game: Vatican, decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        self.game = game
        self.decks = decks
        self.seats = seats
        self.options = options
        self.house = house_rules(options)
        self.dealer = dealer
        self.hand_number = 1
        self.scores = [0] * seats
        self.results: tuple[HandResult, ...] = ()
        self.log: tuple[Event, ...] = ()
        self.clear()

    def clear(self) -> None:
        """The table before a deal."""
        self.hands: list[tuple[Card, ...]] = [()] * self.seats
        self.table: dict[int, Meld] = {}
        self.stock: list[Card] = []
        self.opened = [False] * self.seats
        self.passes = 0
        self.to_act: tuple[int, ...] = (self._after(self.dealer),)

    def deal(self) -> None:
        self.clear()
        deck = self.decks[self.hand_number - 1]
        each = int(self.options["deal"])
        for seat in range(self.seats):
            first = self._after(self.dealer, seat)
            self.hands[first] = tuple(by_display(deck[seat * each : (seat + 1) * each]))
        self.stock = list(reversed(deck[self.seats * each :]))
        self._tell(None, Phrase("deal", f"{each} cards each, @{self.dealer} dealing"))

    def _after(self, seat: int, steps: int = 0) -> int:
        return (seat + 1 + steps) % self.seats

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other.game, other.decks, other.house = self.game, self.decks, self.house
        other.seats, other.options, other.dealer = self.seats, self.options, self.dealer
        other.hand_number, other.passes, other.to_act = self.hand_number, self.passes, self.to_act
        other.results, other.log = self.results, self.log
        other.scores, other.hands, other.opened = self.scores[:], self.hands[:], self.opened[:]
        other.table, other.stock = dict(self.table), self.stock[:]
        return other

    def cards(self) -> list[Card]:
        return [*chain(*self.hands), *chain(*(meld.cards for meld in self.table.values())), *self.stock]

    # Moves

    def legal_moves(self, seat: int) -> Sequence[VaticanMove]:
        """Draw or pass, and what the solver suggests; `play` accepts any other legal arrangement as well."""
        if seat not in self.to_act:
            return ()
        plays = self.suggestions(seat).plays
        if self.stock:
            return (DRAW, *plays)
        return plays or (PASS,)

    def suggestions(self, seat: int) -> Suggestions:
        return suggestions(self.situation(seat))

    def situation(self, seat: int) -> Situation:
        return Situation(self.house, tuple(self.table.items()), self.hands[seat], self.opened[seat])

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            message = "It is another player's turn; yours will come." if self.to_act else "The game is over."
            raise NotYourTurn(message, rule=f"{self.game.slug}:seats")
        if isinstance(move, Draw):
            self._draw(seat)
        elif isinstance(move, Pass):
            self._pass(seat)
        else:
            assert isinstance(move, Play), f"{move!r} is not a move of Vatican"
            self._play(seat, move)

    def _draw(self, seat: int) -> None:
        if not self.stock:
            self._refuse("stock-empty", "The stock is used up: play a card if you can, otherwise pass.")
        self._take(seat, 1)
        self._tell(seat, Phrase("draw", "a card"), f"hand:{seat}", "stock")
        self._end_turn(seat)

    def _pass(self, seat: int) -> None:
        if self.stock:
            self._refuse("pass-only-when-empty", "There is still stock: draw a card, or play.")
        if self.suggestions(seat).plays:
            self._refuse(
                "stock-empty-must-play",
                "You can play, and without stock you must: look again, or let the table show you a play.",
            )
        self.passes += 1
        self._tell(seat, Phrase("pass"))
        if self.passes == self.seats:
            self.end_hand(self.fewest_cards())
        else:
            self._end_turn(seat)

    def _play(self, seat: int, move: Play) -> None:
        refusal = self._refusal(seat, move)
        if refusal is not None:
            if self._costs_cards(refusal):
                return self._fail(seat)
            raise refusal
        self._tell_of_play(seat, move)
        self.hands[seat] = self._hand_after(seat, move)
        self.table = table_after(self.table, move)
        self.opened[seat] = True
        self.passes = 0
        if not self.hands[seat]:
            return self.end_hand([seat])
        if self.options["draw_after_play"] and self.stock:
            self._take(seat, 1)
        self._end_turn(seat)

    def _hand_after(self, seat: int, move: Play) -> tuple[Card, ...]:
        played = move.from_hand(self.table)
        return tuple(card for card in self.hands[seat] if card not in played)

    def _take(self, seat: int, cards: int) -> None:
        drawn = [self.stock.pop() for _ in range(min(cards, len(self.stock)))]
        self.hands[seat] = tuple(by_display((*self.hands[seat], *drawn)))

    def _end_turn(self, seat: int) -> None:
        self.to_act = (self._after(seat),)

    def _costs_cards(self, refusal: IllegalMove) -> bool:
        """Whether a play that fails is punished; asking for cards that cannot be had is only refused."""
        rule = refusal.rule.partition(":")[2]
        return bool(self.options["failed_play_penalty"] and self.stock and rule not in _IMPOSSIBLE)

    def _fail(self, seat: int) -> None:
        cards = min(PENALTY_CARDS, len(self.stock))
        self._take(seat, cards)
        self._tell(
            seat,
            Phrase("take", f"back a play that breaks a rule, and {cards} cards"),
            f"hand:{seat}",
            "stock",
        )
        self._end_turn(seat)

    def timeout_move(self, seat: int) -> VaticanMove:
        """A card from the stock; without stock the suggestion with the fewest cards, or a pass."""
        if self.stock:
            return DRAW
        plays = self.suggestions(seat).plays
        return min(plays, key=lambda play: len(play.from_hand(self.table)), default=PASS)

    def _tell(self, seat: int | None, phrase: Phrase, *touches: str) -> None:
        self.log = (*self.log, Event(seat, phrase, touches))

    def _tell_of_play(self, seat: int, move: Play) -> None:
        self._tell(seat, _play_phrase(move, self.table), *by_display(move.from_hand(self.table)))

    # What is wrong with a play, in the order in which the rules are tested

    def check(self, seat: int, move: Move) -> list[Verdict]:
        if not isinstance(move, Play):
            return []
        verdicts = [Verdict(str(meld), self._as_refusal(self.house.melds.fault(meld))) for meld in move.melds]
        if any(verdict.refusal for verdict in verdicts):
            return verdicts
        return [*verdicts, Verdict("", self._refusal(seat, move))]

    def _refusal(self, seat: int, move: Play) -> IllegalMove | None:
        fault = next(filter(None, (test(seat, move) for test in self._tests())), None)
        return self._as_refusal(fault)

    def _tests(self) -> tuple[Test, ...]:
        return (
            self._wrong_numbers,
            self._card_twice,
            self._table_card_missing,
            self._card_not_held,
            self._no_card_played,
            self._wrong_meld,
            self._no_opening,
            self._joker_not_replaced,
        )

    def _as_refusal(self, fault: Fault | None) -> IllegalMove | None:
        return None if fault is None else IllegalMove(fault.message, rule=f"{self.game.slug}:{fault.rule}")

    def _wrong_numbers(self, seat: int, move: Play) -> Fault | None:
        for number in move.dissolved:
            if number not in self.table:
                there = ", ".join(map(str, self.table)) or "none yet"
                return Fault("rearrange", f"There is no meld {number} on the table; choose from: {there}.")
        return None

    def _card_twice(self, seat: int, move: Play) -> Fault | None:
        for card, times in Counter(move.cards).items():
            if times > 1:
                return Fault("cards-available", f"{card} is there only once: use it in one meld.")
        return None

    def _table_card_missing(self, seat: int, move: Play) -> Fault | None:
        laid = set(move.cards)
        for number in move.dissolved:
            for card in self.table[number].cards:
                if card not in laid:
                    rule = " (joker-stays)" if is_joker(card) else ""
                    return Fault(
                        "table-stays",
                        f"{card} of meld {number} has to stay on the table{rule}: find a meld for it.",
                    )
        return None

    def _card_not_held(self, seat: int, move: Play) -> Fault | None:
        for card in move.from_hand(self.table):
            if card in self.hands[seat]:
                continue
            for number, meld in self.table.items():
                if card in meld.cards:
                    return Fault("cards-available", f"{card} lies in meld {number}: dissolve that meld, too.")
            hand = " ".join(self.hands[seat]) or "none"
            return Fault("cards-available", f"{card} is not in your hand; your cards are {hand}.")
        return None

    def _no_card_played(self, seat: int, move: Play) -> Fault | None:
        if move.from_hand(self.table):
            return None
        other = "draw" if self.stock else "pass if you cannot"
        return Fault("play-at-least-one", f"Rearranging alone is no turn: add a card from your hand, or {other}.")

    def _wrong_meld(self, seat: int, move: Play) -> Fault | None:
        return next(filter(None, map(self.house.melds.fault, move.melds)), None)

    def _no_opening(self, seat: int, move: Play) -> Fault | None:
        needs_run = self.house.opening_run and not self.opened[seat]
        if not needs_run or _opens(self.house, move.from_hand(self.table)):
            return None
        return Fault(
            "opening-run",
            "Your first play needs a run of three or more from your own hand; "
            f"lay one with it, or {'draw' if self.stock else 'pass'}.",
        )

    def _joker_not_replaced(self, seat: int, move: Play) -> Fault | None:
        before = [self.table[number] for number in move.dissolved]
        if _keeps_jokers(self.house, self.table, move):
            return None
        stood_for = sorted({shown for faces in _joker_faces(self.house, before) for shown in faces.values()})
        where = "from your hand " if self.house.release == "hand_only" else ""
        return Fault(
            "joker-bound",
            f"A joker stays what it was until the real card lies on the table: play {' or '.join(stood_for)} "
            f"{where}in its place, or use the joker as that card.",
        )

    def _refuse(self, rule: str, message: str) -> NoReturn:
        self.game.refuse(rule, message)

    # The end of a deal and of the game

    def end_hand(self, winners: Sequence[int]) -> None:
        """Scores a deal that somebody has won, or that is blocked, and deals again or ends the game."""
        result = self.result(winners)
        self.results = (*self.results, result)
        self.scores = [score + points for score, points in zip(self.scores, result.points, strict=True)]
        self.to_act = ()
        self._tell(None, Phrase("end", f"deal {result.number}: {result.summary}"))
        if self.options["penalty_scoring"] and self.hand_number < self.seats:
            self.hand_number += 1
            self.dealer = self._after(self.dealer)
            self.deal()

    def fewest_cards(self) -> list[int]:
        """The seats that win a blocked deal."""
        fewest = min(map(len, self.hands))
        return [seat for seat, hand in enumerate(self.hands) if len(hand) == fewest]

    def result(self, winners: Sequence[int]) -> HandResult:
        score = self._penalty_lines if self.options["penalty_scoring"] else self._win_lines
        lines = tuple(score(winners))
        points = tuple(sum(line.points for line in lines if seat in line.seats) for seat in range(self.seats))
        zones = tuple(
            open_zone(f"hand:{seat}", "hand", f"Left in the hand of @{seat}", hand, owner=seat)
            for seat, hand in enumerate(self.hands)
        )
        return HandResult(self.hand_number, self._summary(winners), points, lines, zones)

    def _summary(self, winners: Sequence[int]) -> str:
        left = len(self.hands[winners[0]])
        if not left:
            return f"@{winners[0]} goes out and wins."
        names = " and ".join(f"@{seat}" for seat in winners)
        win = "share the win" if len(winners) > 1 else "wins"
        return f"Nobody can play: {names} {win} with the fewest cards, {left}."

    def _win_lines(self, winners: Sequence[int]) -> Iterator[ScoreLine]:
        rule = f"{self.game.slug}:{'blocked' if self.hands[winners[0]] else 'going-out'}"
        for seat in winners:
            text = "Fewest cards when nobody can play" if self.hands[seat] else "First without cards"
            yield ScoreLine((seat,), rule, text, 1)

    def _penalty_lines(self, winners: Sequence[int]) -> Iterator[ScoreLine]:
        for seat, hand in enumerate(self.hands):
            if seat not in winners:
                text = f"Left in hand: {' '.join(hand)}"
                yield ScoreLine((seat,), f"{self.game.slug}:no-score", text, sum(map(penalty, hand)))

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        scores = tuple(self.scores)
        if not self.options["penalty_scoring"]:
            return Outcome(scores, places(scores), self._summary([seat for seat, score in enumerate(scores) if score]))
        best = min(scores)
        names = " and ".join(f"@{seat}" for seat, score in enumerate(scores) if score == best)
        win = "wins" if scores.count(best) == 1 else "share the win"
        reason = f"{names} {win} with the fewest penalty points, {best}."
        return Outcome(scores, places([-score for score in scores]), reason)

    # What is seen and kept

    def view(self, seat: int | None) -> VaticanView:
        return VaticanView(
            seat=seat,
            seats=self.seats,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=tuple(self.scores),
            log=self.log,
            results=self.results,
            hand=() if seat is None else self.hands[seat],
            hand_counts=tuple(map(len, self.hands)),
            table=tuple(self.table.items()),
            stock_count=len(self.stock),
            opened=tuple(self.opened),
            passes=self.passes,
            dealer=self.dealer,
            hand_number=self.hand_number,
        )

    def dump(self) -> Position:
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "dealer": self.dealer,
            "to_move": self.to_act[0] if self.to_act else None,
            "hand": self.hand_number,
            "scores": list(self.scores),
            "hands": [list(hand) for hand in self.hands],
            "opened": list(self.opened),
            "table": {str(number): str(meld) for number, meld in self.table.items()},
            "stock": self.stock[::-1],
            "passes_in_a_row": self.passes,
        }


Test: TypeAlias = Callable[[int, Play], Fault | None]
_IMPOSSIBLE = ("rearrange", "cards-available", "play-at-least-one")


def penalty(card: Card) -> int:
    """What a card left in hand costs with `penalty_scoring`."""
    if is_joker(card):
        return JOKER_PENALTY
    if card[0] == "A":
        return ACE_PENALTY
    return int(card[0]) if card[0].isdigit() else COURT_PENALTY


# View


def _play_phrase(move: Play, table: Mapping[int, Meld]) -> Phrase:
    """A play in words, given the table before it."""
    played = " ".join(by_display(move.from_hand(table)))
    if not move.dissolved:
        return Phrase("lay", " and ".join(map(str, move.melds)))
    if len(move.dissolved) == 1 and len(move.melds) == 1:
        return Phrase("add", f"{played} to meld {move.dissolved[0]}")
    changed = ", ".join(map(str, move.dissolved))
    return Phrase("play", f"{played}, rearranging meld{'s' * (len(move.dissolved) > 1)} {changed}")


@dataclass(frozen=True, slots=True, kw_only=True)
class VaticanView(View):
    """hand: in display order, () for a spectator. hand_counts, opened: by seat.

    table: number and meld, ascending. passes: in a row, without stock.
    hand_number: from 1, more than 1 only with `penalty_scoring`.
    """

    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    table: tuple[tuple[int, Meld], ...]
    stock_count: int
    opened: tuple[bool, ...]
    passes: int
    dealer: int
    hand_number: int

    @property
    def zones(self) -> tuple[Zone, ...]:
        first = 0 if self.seat is None else self.seat + 1
        around = [(first + step) % self.seats for step in range(self.seats)]
        others = [self._hidden_hand(seat) for seat in around if seat != self.seat]
        melds = [open_zone(f"meld:{number}", "meld", f"Meld {number}", meld.cards) for number, meld in self.table]
        stock = Zone("stock", "stock", "Stock", count=self.stock_count, note="" if self.stock_count else "used up")
        return (*others, stock, *melds, *self._own_hand())

    def _hidden_hand(self, seat: int) -> Zone:
        count = self.hand_counts[seat]
        return Zone(f"hand:{seat}", "hand", f"Hand of @{seat}", count=count, owner=seat, note=self._note(seat))

    def _own_hand(self) -> Iterator[Zone]:
        if self.seat is not None:
            note = self._note(self.seat)
            yield open_zone(f"hand:{self.seat}", "hand", "Your hand", self.hand, owner=self.seat, note=note)

    def _note(self, seat: int) -> str:
        return "" if self.opened[seat] or not self.options["opening_run"] else "not opened"

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if not self.stock_count:
            return "There is no stock: play if you can, otherwise pass."
        if self.opened[self.seat] or not self.options["opening_run"]:
            return "Draw a card, or play one or more and rearrange the table as you like."
        return "Draw a card, or open with a run of three or more from your hand."

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Play):
            table = dict(self.table)
            touches = (*by_display(move.from_hand(table)), *(f"meld:{number}" for number in move.dissolved))
            return Choice(move, _play_phrase(move, table), touches)
        if isinstance(move, Draw):
            return Choice(move, Phrase("draw", "a card"), ("stock",))
        return Choice(move, Phrase("pass"))

    @property
    def forced(self) -> None:
        """Nobody learns from a quick draw that there was nothing to play, and one may look for a play oneself."""
        return None

    @property
    def has_scores(self) -> bool:
        return bool(self.options["penalty_scoring"] or self.results)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        opened = [f"@{seat}" for seat in range(self.seats) if self.opened[seat]]
        facts = [("Dealer", f"@{self.dealer}"), ("Opened", ", ".join(opened) or "nobody yet")]
        if self.options["penalty_scoring"]:
            facts.insert(0, ("Deal", f"{self.hand_number} of {self.seats}"))
        if self.passes:
            facts.append(("Passes in a row", str(self.passes)))
        return tuple(facts)


# The game

_POSITION_KEYS = (
    "seats",
    "players",
    "options",
    "dealer",
    "to_move",
    "hand",
    "scores",
    "hands",
    "opened",
    "table",
    "stock",
    "stock_count",
    "passes_in_a_row",
)


class Vatican(Game[VaticanState, VaticanView, VaticanMove]):
    slug = "vatican"
    name = "Vatican"
    summary = "Rummy with melds that belong to everybody: rearrange the whole table to get rid of your cards."
    seats = (2, 3, 4, 5)
    proposals = True
    workbench = True
    options = (
        numbers("deal", "Cards dealt", range(10, 16), default=13, help="Cards that each player is dealt."),
        switch(
            "opening_run",
            "Opening run",
            default=True,
            help="The first play needs a run of three from the hand.",
        ),
        switch("opening_joker", "Joker in the opening", default=True, help="A joker may be part of that run."),
        Option(
            "joker_release",
            "Jokers are freed",
            "any",
            {"any": "by a card from anywhere", "hand_only": "by a card from the hand", "free": "always free"},
            "What has to take a joker's place before it may stand for another card.",
        ),
        Option(
            "sequence",
            "Order of the ranks",
            "round",
            {"round": "round the corner", "high_or_low": "ace high or low", "low": "ace low"},
            "How runs go on at the ace.",
        ),
        switch("draw_after_play", "Draw after a play", default=False, help="Who has played draws a card, too."),
        switch(
            "penalty_scoring",
            "Penalty points",
            default=False,
            help="Cards left in hand count against their holder over a round of deals.",
        ),
        Option(
            "failed_play_penalty",
            "Failed plays",
            0,
            {0: "are refused", 3: "cost three cards"},
            "For tables that do not check: a play that breaks a rule costs three cards and the turn.",
        ),
    )

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def start(
        self,
        deals: Iterable[Sequence[Card]],
        *,
        seats: int,
        options: Mapping[str, object] | None = None,
        dealer: int | None = None,
    ) -> VaticanState:
        chosen = self.read_options(options, seats)
        first_dealer = seats - 1 if dealer is None else dealer
        state = VaticanState(self, Decks(deals), seats=seats, options=chosen, dealer=first_dealer)
        state.deal()
        return state

    def parse(self, text: str) -> VaticanMove:
        said = text.strip().upper()
        if said in ("D", "DRAW"):
            return DRAW
        if said in ("-", "PASS"):
            return PASS
        match = _PLAY_TEXT.fullmatch(said)
        if match is None:
            raise UnreadableMove(_UNREADABLE)
        return _read_play(match["dissolved"], match["melds"])

    # Arrangements

    def arrange(self, view: VaticanView, groups: Sequence[Sequence[Card]]) -> Play:
        """The play that leaves these groups on the table; a group that is a meld of the table stays as it is.

        A group that is no meld becomes a set if its ranks agree, else a run. Of several readings the first is
        taken in which the jokers may stand where they do; the order in which the cards were put comes first.
        """
        house = house_rules(view.options)
        for group in groups:
            _require_known(group)
        melds = {frozenset(meld.cards): number for number, meld in view.table}
        kept = {melds[frozenset(group)] for group in groups if frozenset(group) in melds}
        dissolved = tuple(number for number, _ in view.table if number not in kept)
        changed = [group for group in groups if group and frozenset(group) not in melds]
        readings = [_readings(house, group) for group in changed]
        plays = [Play(dissolved, chosen) for chosen in product(*readings)]
        return next((play for play in plays if _is_settled(house, view, play)), plays[0])

    # Positions

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> VaticanState:
        """A position; every key may be left out.

        seats (or players): as many as the other keys need. options: by name. dealer: the last seat.
        to_move: the seat at the dealer's left; null once the game is over. hands: by seat, lists or texts.
        opened: by seat, or true or false for the seat to move. table: melds by number, such as "9C1+9D1+XB".
        stock: the next card first, or stock_count cards that lie nowhere else. passes_in_a_row: up to now.
        scores: by seat. hand: number of the deal, from 1.
        """
        known_keys(data, _POSITION_KEYS)
        return _Reader(self, data, deals).state()

    def sample(self, view: VaticanView, rng: Random) -> VaticanState:
        decks = Decks(random_decks(PACK, rng))
        state = VaticanState(self, decks, seats=view.seats, options=view.options, dealer=view.dealer)
        state.hand_number = view.hand_number
        state.scores = list(view.scores)
        state.results, state.log, state.to_act = view.results, view.log, view.to_act
        state.table = dict(view.table)
        state.opened = list(view.opened)
        state.passes = view.passes
        if view.seat is not None:
            state.hands[view.seat] = view.hand
        seen = set(state.cards())
        unseen = [card for card in PACK if card not in seen]
        rng.shuffle(unseen)
        for seat, size in enumerate(view.hand_counts):
            if seat != view.seat:
                state.hands[seat] = tuple(by_display(unseen.pop() for _ in range(size)))
        state.stock = [unseen.pop() for _ in range(view.stock_count)]
        return state


def _readings(house: HouseRules, group: Sequence[Card]) -> list[Meld]:
    """What a group can be, the likeliest first."""
    readings = house.melds.readings(group)
    as_put = meld_run(group)
    if as_put in readings:
        readings.remove(as_put)
        readings.insert(0, as_put)
    if readings:
        return readings
    ranks = {card[0] for card in group if not is_joker(card)}
    return [meld_set(group) if len(ranks) == 1 else meld_run(by_display(group))]


def _is_settled(house: HouseRules, view: VaticanView, play: Play) -> bool:
    """Whether the jokers stand well; without valid melds there is nothing to judge yet."""
    return any(map(house.melds.fault, play.melds)) or _keeps_jokers(house, dict(view.table), play)


class _Reader:
    """Reads a position. :raises ImpossiblePosition:"""

    def __init__(self, game: Vatican, data: Position, deals: Iterable[Sequence[Card]] | None) -> None:
        self.game = game
        self.data = data
        self.decks = Decks(numbered_decks(PACK) if deals is None else deals)

    def state(self) -> VaticanState:
        seats = self._seats()
        state = VaticanState(
            self.game,
            self.decks,
            seats=seats,
            options=self._options(seats),
            dealer=self._number("dealer", seats - 1, high=seats - 1),
        )
        if self.data.get("to_move") is not None:
            state.to_act = (self._number("to_move", 0, high=seats - 1),)
        self._read_cards(state)
        self._read_turn(state)
        return state

    def _number(self, key: str, default: int, *, low: int = 0, high: int) -> int:
        value = self.data.get(key)
        return default if value is None else whole_number(value, key, low=low, high=high)

    def _seats(self) -> int:
        key = "players" if "players" in self.data else "seats"
        return self._number(key, self._seats_needed(), low=MIN_SEATS, high=MAX_SEATS)

    def _seats_needed(self) -> int:
        """The fewest seats that have all the seats that the position names."""
        needed = [MIN_SEATS]
        for key in ("hands", "opened", "scores"):
            value = self.data.get(key)
            if isinstance(value, Mapping):
                needed += [int(seat) + 1 for seat in map(str, value) if seat.isdecimal()]
            elif isinstance(value, Sequence) and not isinstance(value, str):
                needed.append(len(value))
        for key in ("to_move", "dealer"):
            value = self.data.get(key)
            if isinstance(value, int):
                needed.append(value + 1)
        return min(max(needed), MAX_SEATS)

    def _options(self, seats: int) -> dict[str, OptionValue]:
        given = self.data.get("options")
        if given is not None and not isinstance(given, Mapping):
            raise ImpossiblePosition("options: write them as names with values.")
        try:
            return self.game.read_options(given, seats)
        except BadOption as error:
            raise ImpossiblePosition(str(error)) from None

    def _read_cards(self, state: VaticanState) -> None:
        hands = by_seat(self.data.get("hands"), state.seats, "hands")
        state.hands = [tuple(by_display(self._cards(hand, "hands"))) for hand in hands]
        state.table = dict(sorted(self._read_table(state.house)))
        state.stock = self._cards(self.data.get("stock"), "stock")[::-1]
        check_cards(state.cards(), PACK)
        if self.data.get("stock") is None:
            lying = set(state.cards())
            rest = [card for card in PACK if card not in lying]
            size = self._number("stock_count", 0, high=len(rest))
            state.stock = rest[:size][::-1]

    def _cards(self, value: object, name: str) -> list[Card]:
        cards = card_list(value, name)
        check_cards(cards, PACK)
        return cards

    def _read_table(self, house: HouseRules) -> Iterator[tuple[int, Meld]]:
        value = self.data.get("table")
        if isinstance(value, Sequence) and not isinstance(value, str):
            value = dict(enumerate(value, start=1))
        if value is not None and not isinstance(value, Mapping):
            raise ImpossiblePosition("table: number the melds, such as 1: 9C1+9D1+9H1.")
        seen = set()
        for key, text in (value or {}).items():
            number = int(key) if str(key).isdecimal() and len(str(key)) <= 3 else 0
            whole_number(number or key, "table", low=1, high=len(PACK))
            if number in seen:
                raise ImpossiblePosition(f"table: there are two melds with the number {number}.")
            seen.add(number)
            yield number, self._meld(house, text)

    def _meld(self, house: HouseRules, text: object) -> Meld:
        try:
            meld = _read_meld(str(text))
        except UnreadableMove as error:
            raise ImpossiblePosition(f"table: {error}") from None
        fault = house.melds.fault(meld)
        if fault is not None:
            raise ImpossiblePosition(f"table: {fault.message}")
        return meld

    def _read_turn(self, state: VaticanState) -> None:
        state.opened = self._opened(state)
        state.hand_number = self._number("hand", 1, low=1, high=state.seats if self._counts(state) else 1)
        scores = by_seat(self.data.get("scores"), state.seats, "scores")
        state.scores = [0 if score is None else whole_number(score, "scores", low=0, high=10_000) for score in scores]
        state.passes = self._number("passes_in_a_row", 0, high=state.seats)
        if state.passes and state.stock:
            raise ImpossiblePosition("passes_in_a_row: nobody passes while there is stock.")
        if "to_move" in self.data and self.data["to_move"] is None:
            self._finish(state)
        elif state.passes == state.seats:
            state.end_hand(state.fewest_cards())

    def _counts(self, state: VaticanState) -> bool:
        return bool(state.options["penalty_scoring"])

    def _opened(self, state: VaticanState) -> list[bool]:
        """True or false alone is said of the seat to move."""
        value = self.data.get("opened")
        if isinstance(value, bool):
            return [value and seat in state.to_act for seat in range(state.seats)]
        opened = by_seat(value, state.seats, "opened")
        if any(entry not in (None, False, True) for entry in opened):
            raise ImpossiblePosition("opened: say true or false for each seat.")
        return [bool(entry) for entry in opened]

    def _finish(self, state: VaticanState) -> None:
        """A game that is over: somebody has gone out, or everybody has passed."""
        is_over = not all(state.hands) or state.passes == state.seats
        if not is_over or (self._counts(state) and state.hand_number < state.seats):
            raise ImpossiblePosition("to_move: nobody has won yet, so it is somebody's turn.")
        state.to_act = ()
        if not self._counts(state):
            winners = [seat for seat, score in enumerate(state.scores) if score] or state.fewest_cards()
            state.results = (state.result(winners),)
            state.scores = list(state.results[0].points)


VATICAN = Vatican()
