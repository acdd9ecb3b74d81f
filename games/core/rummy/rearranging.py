"""Rearranging: plays that dissolve melds of a common table and lay new ones, and the solver that finds them.

A turn is judged only by the table before and after it, so a play is one move, whatever happens on the way. A joker on
the table stays what it was until a real card has taken its place, unless the house frees jokers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain, combinations, count, product
from typing import TypeAlias

from games.core.card_bits import mask
from games.core.cards import RANK_INDEX, SUITS, Card, face, in_capitals, is_joker, pack
from games.core.contract import Move, UnreadableMove
from games.core.moves import DRAW, PASS, Draw, Pass, worked_out
from games.core.rummy.arranging import Arrangement, arrange, counts
from games.core.rummy.melds import (
    MARKS,
    SEQUENCES,
    SMALLEST_MELD,
    Kind,
    Meld,
    MeldRules,
    SequenceKind,
    meld_run,
    meld_set,
    read_meld,
)

PACK = pack(copies=2, jokers=2)
KNOWN_CARDS = frozenset(PACK)
OPENING_CARDS = 3

MELD_RULES: dict[SequenceKind, MeldRules] = {kind: MeldRules(kind) for kind in SEQUENCES}

# Moves


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


TableMove: TypeAlias = Draw | Pass | Play

_PLAY_TEXT = re.compile(r"P(?P<dissolved>[\sX\d,]*)>(?P<melds>.*)", re.DOTALL)


def parse_move(text: str) -> TableMove:
    """:raises UnreadableMove:"""
    said = text.strip().upper()
    if said in ("D", "DRAW"):
        return DRAW
    if said in ("-", "PASS"):
        return PASS
    parts = parts_of_play(said)
    if parts is None:
        raise UnreadableMove("Write D to draw, P x2 > 4H1-5H1-6H1 to dissolve meld 2 and lay a meld, or - to pass.")
    dissolved, melds = parts
    return Play(dissolved, tuple(map(known_meld, melds)))


def parts_of_play(text: str) -> tuple[tuple[int, ...], list[str]] | None:
    """The numbers and the melds that a play names, `P X2,5 > MELD / MELD` in upper case; None if it is not a play."""
    match = _PLAY_TEXT.fullmatch(text)
    if match is None:
        return None
    numbers = re.findall(r"\d+", match["dissolved"])
    if re.sub(r"\d+", "", match["dissolved"]).strip(" ,X\t\n") or any(len(number) > 3 for number in numbers):
        return None
    return tuple(sorted({int(number) for number in numbers})), [
        meld for meld in match["melds"].split("/") if meld.strip()
    ]


def known_meld(text: str) -> Meld:
    """A meld of cards of the pack, or a single card. :raises UnreadableMove:"""
    card = in_capitals(text.strip())
    try:
        meld = meld_set([card]) if card in KNOWN_CARDS else read_meld(text)
    except ValueError as error:
        raise UnreadableMove(f"This cannot be read: {error}.") from None
    require_known(meld.cards)
    return meld


def require_known(cards: Iterable[Card]) -> None:
    """:raises UnreadableMove: a card is not in the pack."""
    for card in cards:
        if card not in KNOWN_CARDS:
            raise UnreadableMove(
                f"There is no card {card[:12]}; write rank, suit and copy, such as 4H1, and jokers XB and XR."
            )


# House rules: the options that decide which plays are legal


@dataclass(frozen=True, slots=True)
class HouseRules:
    """sequence: how runs go on at the ace. release: what frees a joker, `any` natural card on the table, one from the
    hand (`hand_only`), or nothing is needed (`free`). opening_run: a first play needs a run of three from the hand;
    opening_joker: a joker may be part of it.
    """

    sequence: SequenceKind
    release: str = "any"
    opening_run: bool = False
    opening_joker: bool = True

    @property
    def melds(self) -> MeldRules:
        return MELD_RULES[self.sequence]


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


@cache
def _opening_bits(sequence: SequenceKind) -> tuple[int, ...]:
    """The same as bits."""
    return tuple(map(mask, _opening_runs(sequence)))


@cache
def _pairs(sequence: SequenceKind) -> dict[str, list[int]]:
    """By face the pairs of faces, as bits, that make a meld of three with it."""
    sets = [tuple(rank + suit for suit in suits) for rank in RANK_INDEX for suits in combinations(SUITS, 3)]
    found: dict[str, list[int]] = defaultdict(list)
    for three in (*sets, *_opening_runs(sequence)):
        for shown in three:
            found[shown].append(_face_bits(other for other in three if other != shown))
    return found


def _natural_faces(cards: Iterable[Card]) -> list[str]:
    """The faces of the naturals among these cards."""
    return [face(card) for card in cards if not is_joker(card)]


def _face_bits(cards: Iterable[Card]) -> int:
    """The faces of the naturals among these cards as bits of one integer."""
    return mask(_natural_faces(cards))


def opens(house: HouseRules, cards: Iterable[Card]) -> bool:
    """Whether these cards from hand contain a run of three; jokers fill gaps where that is allowed."""
    played = list(cards)
    faces = {face(card) for card in played if not is_joker(card)}
    jokers = sum(map(is_joker, played)) if house.opening_joker else 0
    return any(0 < sum(part in faces for part in run) >= 3 - jokers for run in _opening_runs(house.sequence))


# Jokers on the table


def joker_faces(house: HouseRules, melds: Iterable[Meld]) -> list[dict[Card, str]]:
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


def keeps_jokers(house: HouseRules, table: Mapping[int, Meld], play: Play) -> bool:
    """Whether each joker that changes its face is matched by a natural card of its own with the face it had.

    All melds of the play are valid. A joker that the play leaves out of them has lost its face.
    """
    before = [table[number] for number in play.dissolved]
    if house.release == "free" or not any(map(is_joker, chain(*(meld.cards for meld in before)))):
        return True
    naturals = _replacements(house, table, play)
    new_faces = joker_faces(house, play.melds)
    return any(
        Counter(shown for joker, shown in old.items() if new.get(joker) != shown) <= naturals
        for old in joker_faces(house, before)
        for new in new_faces
    )


def _replacements(house: HouseRules, table: Mapping[int, Meld], play: Play) -> Counter[str]:
    """The faces of the natural cards that free a joker: all on the table or, by option, those just played."""
    there = list(play.from_hand(table))
    if house.release != "hand_only":
        there += chain(*(meld.cards for meld in table.values()))
    return Counter(face(card) for card in there if not is_joker(card))


# Suggestions: plays found by the arrangement solver

KEPT_SITUATIONS = 1024
KEPT_TABLES = 256
MOST_KEPT_APART = 8  # melds of a play that are tried to be left alone


@dataclass(frozen=True, slots=True)
class Situation:
    """Input of the play search for a seat. table: number and meld, ascending; hand: in display order."""

    house: HouseRules
    table: tuple[tuple[int, Meld], ...]
    hand: tuple[Card, ...]
    has_opened: bool


@lru_cache(maxsize=KEPT_SITUATIONS)
def suggestions(situation: Situation) -> Suggestions:
    """The plays offered to a seat. Each part is found when it is first asked for."""
    return Suggestions(situation)


Offer: TypeAlias = Play | Callable[[], Play]
"""A play, or the function that works it out."""


class Suggestions:
    """Plays of a seat: the largest, complete melds of the hand, and single cards."""

    def __init__(self, situation: Situation) -> None:
        self._house = situation.house
        self._hand = situation.hand
        self._table = _solver(situation.house, situation.table)
        self._has_opened = situation.has_opened or not situation.house.opening_run

    @property
    def plays(self) -> tuple[Play, ...]:
        """All of them, each once, the largest first."""
        return tuple(map(worked_out, self.offers))

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """The same, as far as it is needed to count them."""
        if self._largest is None:
            return self.fresh
        size = self._largest.size
        fresh = [play for play in self.fresh if len(play.cards) != size or play != self.largest]
        alone = self._played(self._largest.play) if size == 1 else ()
        singles = [
            single for card, single in self._singles.items() if card not in alone or worked_out(single) != self.largest
        ]
        return (self._tidied(self._largest), *fresh, *singles)

    @property
    def exist(self) -> bool:
        """Whether any card can be played."""
        return bool(self.fresh or self._extensions or self._largest)

    @cached_property
    def easy(self) -> tuple[Play, ...]:
        """The plays that change one meld at most and lay one card on it or a meld from the hand."""
        return (*self.fresh, *self._extensions.values())

    @cached_property
    def fresh(self) -> tuple[Play, ...]:
        """Melds complete in hand; before the opening all opening runs."""
        if self._has_opened:
            return _melds_in_hand(self._house, self._hand)
        return _runs_in_hand(self._house, self._hand, use_jokers=self._house.opening_joker)

    @cached_property
    def largest(self) -> Play | None:
        """A play of the most cards, changing few melds."""
        return None if self._largest is None else self._table.with_fewer_changes(self._largest.play)

    @property
    def singles(self) -> Mapping[Card, Play]:
        """Plays of one card, each changing few melds, by that card."""
        return {card: worked_out(single) for card, single in self._singles.items()}

    @cached_property
    def _singles(self) -> Mapping[Card, Offer]:
        if self._largest is None or not self._has_opened:
            return {}
        found: dict[Card, Offer] = dict(self._extensions)
        tried = {face(card) for card in found}
        for card in self._hand:
            if face(card) not in tried:
                tried.add(face(card))
                single = self._table.single(card)
                if single is not None:
                    found[card] = self._tidied(single)
        return found

    def _tidied(self, found: FoundPlay) -> Offer:
        return lambda: self._table.with_fewer_changes(found.play)

    @cached_property
    def _extensions(self) -> Mapping[Card, Play]:
        """For each card that goes to a single meld the play that puts it there."""
        if not self._has_opened:
            return {}
        plays = ((card, self._table.extension(card)) for card in self._hand)
        return {card: play for card, play in plays if play is not None}

    @cached_property
    def _largest(self) -> FoundPlay | None:
        if self._has_opened:
            return self._table.best((), self._table.useful(self._hand))
        return self._largest_opening() if self.fresh else None

    def _largest_opening(self) -> FoundPlay:
        """The largest play with an opening run."""
        first = self.fresh[0]
        best = FoundPlay(len(first.cards), lambda: first)
        bound = self._table.best((), self._hand)
        assert bound is not None, "an opening run can be played"
        if opens(self._house, self._played(bound.play)):
            return bound
        for run in self._opening_cards():
            others = tuple(card for card in self._hand if card not in run)
            best = self._table.best(run, others, least=best.size + 1) or best
            if best.size == bound.size:
                break
        return best

    def _opening_cards(self) -> Iterator[tuple[Card, ...]]:
        """Every three cards that open, those with few jokers first."""
        held = {face(card): card for card in reversed(self._hand)}
        jokers = [card for card in self._hand if is_joker(card)] if self._house.opening_joker else []
        for wild in range(len(jokers) + 1):
            parts = (combinations(run, OPENING_CARDS - wild) for run in _opening_runs(self._house.sequence))
            for faces in dict.fromkeys(chain(*parts)):
                if all(shown in held for shown in faces):
                    yield (*(held[shown] for shown in faces), *jokers[:wild])

    def _played(self, play: Play) -> tuple[Card, ...]:
        return play.from_hand(self._table.table)


@lru_cache(maxsize=KEPT_TABLES)
def _solver(house: HouseRules, table: tuple[tuple[int, Meld], ...]) -> _Solver:
    return _Solver(house, dict(table))


class FoundPlay:
    """A play that has been found, laid when it is looked at. size: its hand cards."""

    def __init__(self, size: int, lay: Callable[[], Play]) -> None:
        self.size = size
        self._lay = lay

    @cached_property
    def play(self) -> Play:
        return self._lay()


@dataclass(frozen=True, slots=True)
class _JokerCase:
    """One way to treat the jokers of dissolved melds: some keep a face, the others are free.

    forced: faces that have to be played from hand so that the free ones have been replaced.
    """

    kept: tuple[tuple[Card, str], ...]
    free: tuple[Card, ...]
    forced: tuple[str, ...]


class _Solver:
    """The plays on one table. Those of single cards are kept for all players."""

    def __init__(self, house: HouseRules, table: dict[int, Meld]) -> None:
        self.house = house
        self.table = table
        self._bits = {number: _face_bits(meld.cards) for number, meld in table.items()}
        self._marks = {number: _mark(meld) for number, meld in table.items()}
        self._counts = {number: counts(_natural_faces(meld.cards)) for number, meld in table.items()}
        self._jokers = {number: list(filter(is_joker, meld.cards)) for number, meld in table.items()}
        self._lies_in = {joker: table[number].kind for number, jokers in self._jokers.items() for joker in jokers}
        self._extensions: dict[Card, Play | None] = {}
        self._singles: dict[Card, FoundPlay | None] = {}
        self._tidied: dict[Play, Play] = {}

    @cached_property
    def _on_table(self) -> Counter[str]:
        """The naturals on the table by face."""
        return Counter(_natural_faces(chain.from_iterable(meld.cards for meld in self.table.values())))

    # Single cards

    def extension(self, card: Card) -> Play | None:
        """The play that adds a card to a single meld, the first that takes it."""
        if card not in self._extensions:
            likely = (number for number, mark in self._marks.items() if is_joker(card) or mark in face(card))
            plays = (self._extension(number, self.table[number], card) for number in likely)
            self._extensions[card] = next(filter(None, plays), None)
        return self._extensions[card]

    def _extension(self, number: int, meld: Meld, card: Card) -> Play | None:
        if is_joker(card) or any(map(is_joker, meld.cards)):
            found = self.best((card,), (), pool=(number,))
            return None if found is None else found.play
        melds = self._with_one_more(meld, card)
        return None if melds is None else Play((number,), melds)

    def _with_one_more(self, meld: Meld, card: Card) -> tuple[Meld, ...] | None:
        """The meld or the two runs that naturals and one more make; None if they make none."""
        shown = [face(other) for other in meld.cards]
        if meld.kind == "run" and face(card) in shown[2:-2]:
            place = shown.index(face(card))
            halves = meld_run(meld.cards[: place + 1]), meld_run((card, *meld.cards[place + 1 :]))
            return tuple(sorted(halves, key=by_text))
        for end, faces in self.house.melds.growth(meld).items():
            if face(card) in faces:
                longer = (card, *meld.cards) if end == "low" else (*meld.cards, card)
                return (meld_set(longer) if end == "set" else meld_run(longer),)
        return None

    def single(self, card: Card) -> FoundPlay | None:
        """A play of this card alone, None if there is none."""
        if card not in self._singles:
            self._singles[card] = self.best((card,), ())
        return self._singles[card]

    # Which cards and melds are worth a try

    def useful(self, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The hand without the cards that a quick test says fit nowhere."""
        return self._fitting(hand, self.table, hand)

    def _fitting(self, cards: Sequence[Card], pool: Iterable[int], hand: Sequence[Card]) -> tuple[Card, ...]:
        """Those of the cards with which some faces of these melds and of the hand could make a meld."""
        faces, jokers = _face_bits(hand), sum(map(is_joker, hand))
        for number in pool:
            faces |= self._bits[number]
            jokers += len(self._jokers[number])
        return tuple([card for card in cards if self._fits(card, faces, jokers)])

    def _fits(self, card: Card, faces: int, jokers: int) -> bool:
        """Whether these faces, as bits, and jokers could make a meld with this card; a quick test."""
        if is_joker(card):
            return True
        return any((pair & ~faces).bit_count() <= jokers for pair in _pairs(self.house.sequence)[face(card)])

    def with_fewer_changes(self, play: Play) -> Play:
        """The same cards, with melds left alone that need not be dissolved."""
        if play not in self._tidied:
            must, tidied = play.from_hand(self.table), play
            for number in play.dissolved[:MOST_KEPT_APART]:
                if number in tidied.dissolved:
                    pool = tuple(other for other in tidied.dissolved if other != number)
                    fewer = self.best(must, (), pool=pool)
                    tidied = fewer.play if fewer else tidied
            self._tidied[play] = tidied
        return self._tidied[play]

    # One question to the arranger

    def best(
        self, must: Sequence[Card], rest: Sequence[Card], *, pool: Sequence[int] | None = None, least: int = 1
    ) -> FoundPlay | None:
        """The largest play that has all of `must` and a part of `rest`, at least so many cards in all.

        pool: the melds that it may dissolve, all of them if it is not given.
        """
        found: tuple[int, _JokerCase, Arrangement] | None = None
        numbers = tuple(self.table) if pool is None else pool
        if len(self._fitting(must, numbers, (*must, *rest))) < len(must):
            return None
        for case in self._joker_cases(numbers, must, rest):
            arrangement = self._arrange(numbers, must, rest, case, least)
            if arrangement is not None:
                size = len(must) + len(case.forced) + arrangement.played
                found = size, case, arrangement
                least = size + 1
            if least > len(must) + len(rest):
                break
        if found is None:
            return None
        size, best_case, best = found
        return FoundPlay(size, lambda: _Dealing(self, numbers, must, rest, best_case, best).play())

    def _arrange(
        self, pool: Sequence[int], must: Sequence[Card], rest: Sequence[Card], case: _JokerCase, least: int
    ) -> Arrangement | None:
        """The arrangement that plays the most, `must` included, with the jokers treated in this way."""
        kept = {kind: counts([shown for joker, shown in case.kept if self._lies_in[joker] == kind]) for kind in MARKS}
        runs = kept["run"] + sum(self._counts[number] for number in pool if self.table[number].kind == "run")
        sets = kept["set"] + sum(self._counts[number] for number in pool if self.table[number].kind == "set")
        forced = counts(case.forced)
        return arrange(
            self.house.sequence,
            sets + runs + counts(_natural_faces(must)) + forced,
            counts(_natural_faces(rest)) - forced,
            wild=len(case.free) + sum(map(is_joker, must)),
            spare=sum(map(is_joker, rest)),
            least=max(0, least - len(must) - len(case.forced)),
            runs=runs,
        )

    def _joker_cases(self, pool: Sequence[int], must: Sequence[Card], rest: Sequence[Card]) -> Iterator[_JokerCase]:
        """The ways to treat the jokers of the pool, without those that another way makes superfluous."""
        jokers = [joker for number in pool for joker in self._jokers[number]]
        if not jokers or self.house.release == "free":
            yield _JokerCase((), tuple(jokers), ())
            return
        seen = set()
        playing, can_play = _natural_faces(must), _natural_faces(rest)
        for faces in joker_faces(self.house, (self.table[number] for number in pool if self._jokers[number])):
            for size in range(len(jokers), -1, -1):
                for free in combinations(jokers, size):
                    forced = self._forced([faces[joker] for joker in free], playing)
                    kept = tuple((joker, faces[joker]) for joker in jokers if joker not in free)
                    key = (tuple(sorted(shown for _, shown in kept)), size, forced)
                    if key not in seen and all(can_play.count(shown) >= forced.count(shown) for shown in forced):
                        seen.add(key)
                        yield _JokerCase(kept, free, forced)
                    if not forced and size == len(jokers):
                        return

    def _forced(self, released: Sequence[str], playing: Sequence[str]) -> tuple[str, ...]:
        """The faces that no natural replaces yet, in alphabetical order. playing: those played anyway."""
        forced: list[str] = []
        for shown in sorted(set(released)):
            there = 0 if self.house.release == "hand_only" else self._on_table[shown]
            forced += [shown] * (released.count(shown) - there - playing.count(shown))
        return tuple(forced)


def _mark(meld: Meld) -> str:
    """The rank of a set, the suit of a run."""
    natural = next(card for card in meld.cards if not is_joker(card))
    return natural[0] if meld.kind == "set" else natural[1]


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
            rest = _without(faces, meld.kind, shown) if kind == meld.kind and shown[0] in faces else None
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


def _without(faces: tuple[str, ...], kind: Kind, old: tuple[str, ...]) -> list[tuple[str, ...]] | None:
    """A meld without an old one of its kind: [] if it is the same, else one run or two; None if it is not inside."""
    if kind == "set":
        return [] if sorted(faces) == sorted(old) else None
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
    missing = ~_face_bits(hand)
    if all((run & missing).bit_count() > len(jokers) for run in _opening_bits(house.sequence)):
        return ()
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
    suits = Counter(shown[0] for shown in held)
    for rank in RANK_INDEX:
        same = [held[rank + suit] for suit in SUITS if rank + suit in held] if suits[rank] >= SMALLEST_MELD else []
        for size in range(3, len(same) + 1):
            found += [Play((), (meld_set(cards),)) for cards in combinations(same, size)]
    return tuple(found)


# A table as it is wanted, cards without an order


def play_to(house: HouseRules, table: Mapping[int, Meld], groups: Sequence[Sequence[Card]]) -> Play:
    """The play that leaves these groups on the table; a group that is a meld of the table stays as it is.

    A group that is no meld is read as the one that it is nearest to. Of several readings the first is taken in
    which the jokers may stand where they do; the order in which the cards were put comes first.
    """
    melds = {frozenset(meld.cards): number for number, meld in table.items()}
    kept = {melds[frozenset(group)] for group in groups if frozenset(group) in melds}
    dissolved = tuple(number for number in table if number not in kept)
    changed = [group for group in groups if group and frozenset(group) not in melds]
    plays = [Play(dissolved, chosen) for chosen in product(*(_readings(house, group) for group in changed))]
    return next((play for play in plays if _is_settled(house, table, play)), plays[0])


def _readings(house: HouseRules, group: Sequence[Card]) -> list[Meld]:
    """Possible melds of a group, the likeliest first."""
    readings = house.melds.readings(group)
    as_put = meld_run(group)
    if as_put in readings:
        readings.remove(as_put)
        readings.insert(0, as_put)
    return readings or [house.melds.likeliest(group)]


def _is_settled(house: HouseRules, table: Mapping[int, Meld], play: Play) -> bool:
    """Whether the jokers are placed legally; without valid melds there is nothing to judge yet."""
    return any(map(house.melds.fault, play.melds)) or keeps_jokers(house, table, play)
