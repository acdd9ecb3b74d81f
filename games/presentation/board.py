"""Board: a view prepared for a template, with seats, selectable cards, and moves in words.

No rules, no database. Live tables, replays and lessons build a `Board` and render it with `games/_board.jinja`. The
parts of a board are named tuples, so that their HTML can be cached by value (`games.templatetags.boards`).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from operator import attrgetter, itemgetter
from typing import ClassVar, NamedTuple, Self

from games.core.cards import Card
from games.core.contract import (
    Choice,
    Event,
    GameError,
    Phrase,
    Selection,
    UnclearSelection,
    View,
    Zone,
)
from games.core.words import render_text, with_full_stop
from games.domain.clocks import Face
from games.domain.wording import event_sentence, without_owner
from games.presentation.move_log import LogLine, log_of
from games.presentation.panels import BACK, SHOWN_EMPTY, STACKED, TOPPED, Panel, Spot, cards_in_words
from games.presentation.pegboard import PegBoard, draw_pegs
from games.presentation.rule_links import rule_url
from games.presentation.score_sheets import HandSheet, score_sheets

CHOSEN_WHOLE = ("build", "meld")  # unless moves touch cards in them
LINES_TOGETHER = 10
LINES_READ_OUT = 8  # at most, after a page has missed some
DISCARDS = "discards"
WHOLE_HANDS = 8  # cards; nobody should have to select them all
TAKEN_FROM = ("table", "pot")  # places where cards lie open to be taken
CARDS_READ_OUT = 24  # at most, at the end of a hand; a longer list would be tiring to hear


class Remark(NamedTuple):
    """What a plate says of a player. brief: where there is little room, "" for nothing.

    is_passing: it comes and goes, so it takes no room.
    """

    text: str = ""
    brief: str = ""
    is_passing: bool = False


class Plate(NamedTuple):
    """A seat at the edge of the table, with the panels that belong to it.

    who: a remark about the player. note: a remark about the hand. says: what was just announced.
    side: the number of the partnership, None where each plays alone.
    clock: None where none is shown.
    """

    number: int
    name: str
    who: Remark
    note: str
    score: int
    is_turn: bool
    is_viewer: bool
    panels: tuple[Panel, ...]
    says: str = ""
    clock: Face | None = None
    side: int | None = None

    @property
    def kinds(self) -> str:
        """The kinds of its panels, in order: "row pile"."""
        return " ".join(panel.kind for panel in self.panels)


class MoveButton(NamedTuple):
    """A legal move as a button. `text` is the move itself, `label` its words; see `Choice` for `touches` and `to`.

    forced: who has this only move made without a press, "player" or "table"; "" if no one may.
    needs, any_of: those of its touches that a selection must hold to mean it, and those of which one is enough.
    """

    text: str
    label: str
    touches: tuple[str, ...]
    forced: str = ""
    to: str = ""
    needs: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()

    def is_meant_by(self, picks: Collection[str]) -> bool:
        chosen = set(picks) - {self.to}
        is_enough = chosen.issuperset(self.needs) and (not self.any_of or not chosen.isdisjoint(self.any_of))
        return bool(chosen) and is_enough and chosen.issubset(self.touches)


class MoveButtonGroup(NamedTuple):
    """The moves that start with the same card, None for those that start with none."""

    card: Card | None
    offers: tuple[MoveButton, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """seq: the version it shows; a page never goes back to an older one.

    others: clockwise from the viewer's left. fresh_hand: the last finished hand as long as it is news.
    goes_on: the viewer made the last move, too, and is still to move. log: with the card that the viewer has just
    drawn; told: without it, so that a line stays the same for those who hear what is new. taken_with: the card with
    which another player took cards and which is covered by now, with the hand from which it came; taken: these.
    MELD_STEPS: numbers of melds that belong to all from which the style sheets lay them otherwise.
    """

    MELD_STEPS: ClassVar[tuple[int, ...]] = (1, 9, 11, 15, 23)

    seq: int
    viewer: int | None
    others: tuple[Plate, ...]
    own: Plate | None
    middle: tuple[Panel, ...]
    hand: Panel | None
    prompt: str
    waiting_for: str
    groups: tuple[MoveButtonGroup, ...]
    selection: Selection | None
    track: PegBoard | None
    log: tuple[LogLine, ...]
    told: tuple[LogLine, ...]
    last: str
    goes_on: bool
    swept_to: str
    taken_with: Spot | None
    taken: tuple[str, ...]
    log_note: str
    has_scores: bool
    facts: tuple[tuple[str, str], ...]
    hands: tuple[HandSheet, ...]
    fresh_hand: HandSheet | None

    def without_turn(self) -> Self:
        """The same board when no player is to move."""
        own = self.own and self.own._replace(is_turn=False)
        return replace(self, own=own, others=tuple(plate._replace(is_turn=False) for plate in self.others))

    def without_last_hand(self) -> Self:
        """The same board when everyone has seen how the last hand ended: it is no news, nor is its last move."""
        since_last = takewhile(lambda line: line.number is None, reversed(self.told))
        has_ended_hand = any(hand.is_told_by(line) for line in since_last for hand in self.hands)
        return replace(self, fresh_hand=None, last="" if has_ended_hand else self.last)

    @property
    def read_out_log(self) -> str:
        """The last log lines for screen readers, oldest first, without those in `ended`; a page reads the new ones."""
        return "\n".join(line.text for line in self._read_out_lines)

    @property
    def read_out_ends(self) -> str:
        """Which lines of `read_out_log` tell of the end of a hand: "0 5"."""
        events = [(index, line) for index, line in enumerate(self._read_out_lines) if line.number is None]
        return " ".join(str(index) for index, line in events if any(hand.is_told_by(line) for hand in self.hands))

    @property
    def _read_out_lines(self) -> list[LogLine]:
        lines, hand = self.told[-LINES_READ_OUT:], self.fresh_hand
        return [line for line in lines if hand is None or not hand.is_told_by(line)]

    def ended(self, deal_word: str) -> str:
        """The last hand for screen readers while it is news: its end, its cards if they are few, the scores."""
        if self.fresh_hand is None:
            return ""
        hand, plates = self.fresh_hand, filter(None, (self.own, *self.others))
        is_short = sum(panel.zone.count for panel in hand.panels) <= CARDS_READ_OUT
        cards = [f"{panel.sentence}." for panel in hand.panels] if is_short else []
        scores = ", ".join(f"{plate.name} {hand.totals[plate.number]}" for plate in plates)
        return " ".join(
            [
                f"{deal_word.capitalize()} {hand.number}: {hand.summary}",
                *cards,
                *([f"Scores: {scores}."] * self.has_scores),
            ]
        )

    @property
    def call(self) -> str:
        """The turn for screen readers: whose it is and, for the viewer, the prompt; not again if it continues."""
        return f"Your turn. {self.prompt}" if self.is_new_turn else self.prompt or self.waiting_for

    @property
    def last_beside_prompt(self) -> str:
        """The last move, "" where the prompt begins with it."""
        return "" if self.prompt.startswith(self.last) else self.last

    @property
    def is_new_turn(self) -> bool:
        return bool(self.prompt) and not self.goes_on

    @property
    def log_parts(self) -> list[tuple[LogLine, ...]]:
        """The log in runs of lines, newest first; only the first run is still growing."""
        starts = range(0, len(self.log), LINES_TOGETHER)
        return [self.log[start : start + LINES_TOGETHER][::-1] for start in reversed(starts)]

    @property
    def melds(self) -> list[Panel]:
        """The zones that a workbench rearranges."""
        return [panel for panel in self.middle if panel.kind == "meld"]

    @property
    def meld_steps(self) -> str:
        """Which of `MELD_STEPS` the melds that belong to all have reached: "1 9"."""
        return " ".join(str(step) for step in self.MELD_STEPS if step <= len(self.melds))

    @property
    def has_laid_melds(self) -> bool:
        """Whether a player has melds before them."""
        return any("meld" in plate.kinds for plate in filter(None, (self.own, *self.others)))

    @property
    def is_taken_from(self) -> bool:
        """Whether cards lie open on the table to be taken, of which a card may take many."""
        return any(panel.id in TAKEN_FROM for panel in self.middle)

    @property
    def blocks(self) -> list[tuple[str, list[Panel]]]:
        """The shared panels in runs of one kind: columns and cells are drawn as blocks."""
        return [(kind, list(panels)) for kind, panels in groupby(self.middle, key=attrgetter("kind"))]

    @property
    def beside_melds(self) -> list[Panel]:
        return [panel for panel in self.middle if panel.kind != "meld"]

    @property
    def offers(self) -> list[MoveButton]:
        return [offer for group in self.groups for offer in group.offers]

    @property
    def plain_offers(self) -> list[MoveButton]:
        """Moves without a card of the player's hand: draw, pass."""
        return [offer for group in self.groups if group.card is None for offer in group.offers]

    @property
    def spoken_offers(self) -> list[MoveButton]:
        """Moves that a lesson shows as buttons: those without cards or a place that can be tapped for just this one.

        Declarations are buttons together, and so is a move of the whole hand.
        """
        zones = {panel.id for panel in self.panels}
        hand = {spot.pick for spot in self.hand.spots} if self.hand else set()
        alike = Counter(offer.touches for offer in self.offers)
        verbs = {offer.label.split()[0] for offer in self.offers if not offer.touches}

        def is_spoken(offer: MoveButton) -> bool:
            if zones.issuperset(offer.touches):
                return not offer.touches or alike[offer.touches] > 1 or offer.label.split()[0] in verbs
            return len(hand) >= WHOLE_HANDS and hand.issubset(offer.touches)

        return [offer for offer in self.offers if is_spoken(offer)]

    @property
    def card_offers(self) -> list[MoveButton]:
        """Moves that a lesson has made by selecting cards and places."""
        spoken = self.spoken_offers
        return [offer for offer in self.offers if offer not in spoken]

    def readings(self, picks: Collection[str]) -> list[MoveButton]:
        """The moves that a selection may mean."""
        return [offer for offer in self.card_offers if offer.is_meant_by(picks)]

    @property
    def has_open_places(self) -> bool:
        return any(panel.is_open or any(spot.is_open for spot in panel.spots) for panel in self.panels)

    @property
    def panels(self) -> list[Panel]:
        """All panels, the reader's hand first."""
        own = self.own.panels if self.own else ()
        others = [panel for plate in self.others for panel in plate.panels]
        return [*([self.hand] if self.hand else []), *self.middle, *own, *others]

    @property
    def pickable(self) -> tuple[tuple[str, str], ...]:
        """What can be chosen, with its name: a card, or a place in words."""
        picks = []
        for panel in self.panels:
            if panel.pick:
                picks.append((panel.pick, panel.sentence))
            else:
                picks += [(spot.pick, spot.card or panel.label) for spot in panel.spots if spot.pick]
        return tuple(picks)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a move was not played, and the rule behind it, "" without one.

    readings: the moves that an unclear selection may mean.
    """

    text: str
    rule: str = ""
    readings: tuple[MoveButton, ...] = ()

    @classmethod
    def of(cls, error: GameError) -> Self:
        choices = error.choices if isinstance(error, UnclearSelection) else ()
        return cls(str(error), getattr(error, "rule", ""), tuple(map(reading_of, choices)))

    @property
    def rule_url(self) -> str:
        return rule_url(self.rule) if self.rule else ""


def reading_of(choice: Choice) -> MoveButton:
    """What marked cards may mean, as a button that needs no card of the table."""
    return MoveButton(str(choice.move), render_text(choice.phrase.text, ()), ())


def build_board(
    view: View,
    *,
    names: Sequence[str],
    notes: Sequence[Remark] = (),
    clocks: Sequence[Face | None] = (),
    seq: int = 0,
    bottom: int | None = None,
    zones: Sequence[Zone] | None = None,
    may_ask: bool = False,
    in_lesson: bool = False,
    best: Collection[str] = (),
    sides: Sequence[Sequence[int]] = (),
) -> Board:
    """Builds the board of a view.

    names, notes, clocks: by seat; a note is what the plate says of the player. bottom: the seat drawn as the reader's
    own where the view has no seat. zones: drawn instead of the view's, for open hands. may_ask: cards of
    the hand and the table can be chosen also where no move touches them, to ask why not. in_lesson: they can too, and
    look no different from others. best: what the move touches that the coach would make.
    sides: the seats that win together, where the plates show it.
    """
    drawn = view.zones if zones is None else zones
    builder = _Builder(
        view,
        names=names,
        notes=notes,
        clocks=clocks,
        bottom=bottom,
        zones=drawn,
        may_ask=may_ask or in_lesson,
        in_lesson=in_lesson,
        best=best,
        sides=sides,
    )
    return builder.board(seq)


class _Builder:
    """Builder of one board, with what its parts share."""

    def __init__(
        self,
        view: View,
        *,
        names: Sequence[str],
        notes: Sequence[Remark],
        clocks: Sequence[Face | None],
        bottom: int | None,
        zones: Sequence[Zone],
        may_ask: bool,
        in_lesson: bool,
        best: Collection[str],
        sides: Sequence[Sequence[int]],
    ) -> None:
        self.view = view
        self.sides = sides
        self.may_ask = may_ask
        self.in_lesson = in_lesson
        self.best = best
        self.names = tuple(names)
        self.notes = notes or [Remark()] * view.seats
        self.clocks = clocks or [None] * view.seats
        self.zones = zones
        self.viewer = bottom if view.seat is None else view.seat
        self.choices = [view.choice(move) for move in view.offered]
        self.touched = {touch for choice in self.choices for touch in choice.touches}
        if view.selection:
            self.touched |= set(view.selection.cards)
        self.opens = {choice.touches[0] for choice in self.choices if len(choice.touches) == 1}
        self.log = self.named_draws()
        self.last = next((event for event in reversed(self.log) if event.seat is not None), None)
        self.from_last = f"hand:{self.last.seat}" if self.last else ""
        self.last_touches = self.marked_as_last()
        self.panels = [self.panel(zone) for zone in zones]
        topped = [panel for panel in self.panels if panel.kind in TOPPED and panel.spots]
        self.top_picks = {panel.id: panel.spots[-1].pick for panel in topped}
        self.picks = {panel.pick for panel in self.panels}
        self.picks |= {spot.pick for panel in self.panels for spot in panel.spots}

    def board(self, seq: int) -> Board:
        view = self.view
        plates = [self.plate(number) for number in range(view.seats)]
        others: Sequence[int] = range(view.seats)
        if self.viewer is not None:
            others = [(self.viewer + step) % view.seats for step in range(1, view.seats)]
        hands = score_sheets(view.results, self.names, scores=view.scores, viewer=view.seat)
        told = log_of(view.log, self.names, view.seat)
        return Board(
            seq=seq,
            viewer=view.seat,
            others=tuple(plates[number] for number in others),
            own=None if self.viewer is None else plates[self.viewer],
            middle=tuple(panel for panel in self.panels if self.is_shared(panel.zone)),
            hand=next((panel for panel in self.panels if self.is_own_hand(panel.zone)), None),
            prompt=self.named(view.prompt) if view.moves else "",
            waiting_for="" if view.seat in view.to_act else self.waiting_for(),
            groups=self.groups(),
            selection=view.selection if view.moves else None,
            track=draw_pegs(view.track, self.names) if view.track else None,
            log=tuple(self.with_draw(*pair) for pair in zip(told, self.log, strict=True)),
            told=told,
            last=event_sentence(self.last, self.names, view.seat) if self.last else "",
            goes_on=view.seat in view.to_act and bool(view.log) and view.log[-1].seat == view.seat,
            swept_to=self.swept_to(),
            taken_with=self.taken_with(),
            taken=self.last.touches[1:] if self.last else (),
            log_note=view.log_note if view.to_act else "",
            has_scores=view.has_scores,
            facts=tuple((self.named(label), self.named(text)) for label, text in view.facts),
            hands=hands,
            fresh_hand=hands[-1] if hands and self.is_hand_young() else None,
        )

    def named(self, text: str) -> str:
        return render_text(text, self.names, self.view.seat)

    def marked_as_last(self) -> frozenset[str]:
        """The cards and zones that show the last move: those it touched or, if no reader sees them, where they went."""
        if self.last is None or not self.last.touches:
            return frozenset()
        filled = {zone.id for zone in self.zones if zone.count}
        if (self.open_cards() | filled).isdisjoint(self.last.touches):
            return frozenset([self.swept_to() or self.from_last])
        return frozenset(self.last.touches)

    def open_cards(self) -> set[Card]:
        """The cards whose faces are seen; of a stack only the top one is."""
        return {card for zone in self.zones for card in (zone.cards[-1:] if zone.kind in STACKED else zone.cards)}

    # Panels

    def is_own_hand(self, zone: Zone) -> bool:
        return zone.kind == "hand" and zone.owner is not None and zone.owner == self.viewer

    def is_shared(self, zone: Zone) -> bool:
        """Builds are among the shared cards, whichever player made them."""
        return zone.owner is None or zone.kind == "build"

    def panel(self, zone: Zone) -> Panel:
        is_whole = not zone.count or (zone.kind in CHOSEN_WHOLE and self.touched.isdisjoint(zone.cards))
        is_there = zone.count > 0 or (self.in_lesson and zone.kind in SHOWN_EMPTY)
        is_idle = is_whole and zone.id not in self.touched and is_there and self.asks_about(zone)
        return Panel(
            zone=zone,
            label=self.named(zone.label),
            note=self.named(zone.note),
            spots=tuple(self.marked_best(zone, spot) for spot in self.spots(zone)) if self.best else self.spots(zone),
            tag="" if self.is_shared(zone) else self.named(without_owner(zone.label)),
            pick=zone.id if is_whole and (zone.id in self.touched or is_idle) else "",
            is_last=zone.id in self.last_touches,
            is_idle=is_idle and not self.in_lesson,
            is_open=self.in_lesson and zone.kind in STACKED and zone.id in self.opens,
            is_best=zone.id in self.best and zone.kind not in STACKED,
        )

    def marked_best(self, zone: Zone, spot: Spot) -> Spot:
        return spot._replace(is_best=spot.card in self.best or (zone.kind in STACKED and zone.id in self.best))

    def asks_about(self, zone: Zone) -> bool:
        """Zones that a player may reach for: those of the table, their own, and melds of all."""
        is_own = zone.owner == self.viewer and (zone.count > 0 or zone.kind == "hand")
        return self.may_ask and (self.is_shared(zone) or is_own or zone.kind == "meld")

    def spots(self, zone: Zone) -> tuple[Spot, ...]:
        """The spots of a zone: a stock or a pile shows its top (last) card; others show their cards, then the backs."""
        came_from = "stock" if self.is_own_hand(zone) else self.from_last
        asks = self.asks_about(zone)
        if zone.kind in STACKED:
            return (self.top(zone, came_from, asks),) if zone.count else ()
        touched, last = self.touched, self.last_touches
        fresh = self.view.fresh if self.is_own_hand(zone) else ()
        spots = [
            Spot(card, card, card in last, came_from, is_fresh=card in fresh)
            if card in touched
            else Spot(card, card if asks else "", card in last, came_from, asks and not self.in_lesson, card in fresh)
            for card in zone.cards
        ]
        if spots and zone.kind in TOPPED:
            spots[-1] = self.top(zone, came_from, asks)
        return (*spots, *(BACK,) * zone.hidden)

    def top(self, zone: Zone, came_from: str, asks: bool) -> Spot:
        """Where a move touches a zone by its id, choosing the top card selects the zone."""
        card = zone.cards[-1] if zone.cards else None
        pick = next((name for name in (card, zone.id) if name in self.touched), "")
        is_idle = not pick and asks
        is_last = not self.last_touches.isdisjoint({card, zone.id})
        is_open = self.in_lesson and zone.kind in STACKED and not self.opens.isdisjoint({card, zone.id})
        chosen = (card or zone.id) if is_idle else pick or ""
        return Spot(card, chosen, is_last, came_from, is_idle and not self.in_lesson, is_open=is_open)

    def swept_to(self) -> str:
        """The pile of the last mover, where captured cards go."""
        if self.last is None:
            return ""
        piles = (zone for zone in self.zones if zone.kind == "pile" and zone.owner == self.last.seat)
        return next((zone.id for zone in piles), "")

    def taken_with(self) -> Spot | None:
        if self.last is None or not self.last.touches or self.last.seat == self.view.seat or not self.swept_to():
            return None
        card = self.last.touches[0]
        is_place = any(card == zone.id for zone in self.zones)
        return None if is_place or card in self.open_cards() else Spot(card, arrives_from=self.from_last)

    # Seats

    def plate(self, number: int) -> Plate:
        owned = [panel for panel in self.panels if panel.zone.owner == number]
        return Plate(
            number=number,
            name="You" if number == self.view.seat else self.names[number],
            who=self.notes[number],
            note=" · ".join(
                filter(None, [self.partner_note(number), *self.hand_notes(owned), self.running_note(number)])
            ),
            score=self.view.scores[number],
            is_turn=number in self.view.waiting_on,
            is_viewer=number == self.view.seat,
            panels=tuple(p for p in owned if not self.is_shared(p.zone) and not self.is_own_hand(p.zone)),
            says=self.said_by(number),
            clock=self.clocks[number],
            side=next((place for place, side in enumerate(self.sides) if number in side and len(side) > 1), None),
        )

    def said_by(self, number: int) -> str:
        """What the seat has just announced; the last sentence needs no full stop: "Making? I have 49"."""
        *others, last = [words for seat, words in self.view.announcements if seat == number] or [""]
        return " ".join([*map(with_full_stop, others), last])

    # The log

    def with_draw(self, line: LogLine, event: Event) -> LogLine:
        """The line of an event, whose words may name the card drawn."""
        return line._replace(text=event_sentence(event, self.names, self.view.seat)) if event.touches else line

    def named_draws(self) -> tuple[Event, ...]:
        """The log with the card that the reader has just drawn: only they know it. Another's draw may bring it."""
        log, fresh, seat = self.view.log, self.view.fresh, self.view.seat
        own = [at for at, event in enumerate(log) if event.seat == seat or f"hand:{seat}" in event.touches]
        if not own or not fresh or {touch for touch in log[own[-1]].touches if touch[:5] != "hand:"} != {"stock"}:
            return log
        at, drawn = own[-1], " ".join(fresh)
        phrase = Phrase("draw", drawn if log[at].seat == seat else f"and you draw {drawn}")
        return (*log[:at], log[at]._replace(phrase=phrase), *log[at + 1 :])

    def hand_notes(self, owned: Iterable[Panel]) -> Iterator[str]:
        """The note of a hand: the note of its zone and, of another one that is not open, its number of cards."""
        for panel in owned:
            if panel.kind == "hand":
                yield panel.note
                if panel.zone.hidden and not self.is_own_hand(panel.zone):
                    yield cards_in_words(panel.zone.count)

    def partner_note(self, number: int) -> str:
        is_partner = any({number, self.viewer} <= set(side) for side in self.sides)
        return "partner" if is_partner and number != self.viewer else ""

    def running_note(self, number: int) -> str:
        return f"{self.view.running[number]} this deal" if any(self.view.running) else ""

    def waiting_for(self) -> str:
        if not self.view.waiting_on:
            return ""
        return f"{' and '.join(self.names[seat] for seat in self.view.waiting_on)} to move."

    # Words

    def groups(self) -> tuple[MoveButtonGroup, ...]:
        """Moves that start with no card come first, then one group for each card in hand order.

        In a group the card alone comes last: laying it is seldom what a player means when it could take something.
        """
        in_hand = [card for zone in self.zones if self.is_own_hand(zone) for card in zone.cards]
        order = {card: place for place, card in enumerate(in_hand)}

        def first_card(choice: Choice) -> Card | None:
            first = choice.touches[0] if choice.touches else ""
            return first if first in order else None

        def rank(button: tuple[Card | None, MoveButton]) -> tuple[int, bool]:
            card, offer = button
            return (-1, False) if card is None else (order[card], len(offer.touches) == 1)

        ranked = sorted(((first_card(choice), self.offer(choice)) for choice in self.choices), key=rank)
        return tuple(
            MoveButtonGroup(card, tuple(offer for _, offer in buttons))
            for card, buttons in groupby(ranked, key=itemgetter(0))
        )

    def offer(self, choice: Choice) -> MoveButton:
        named = dict.fromkeys(self.top_picks.get(touch, touch) for touch in choice.touches)
        touches = tuple(touch for touch in named if touch in self.picks)
        label = self.named(choice.phrase.text)
        # A zone that a move touches is no pick where cards in it are.
        to = choice.to or next((touch for touch in named if touch not in touches), "")
        needs, any_of = self.needed(choice, touches, to)
        forced = ("table" if self.view.table_plays_forced else "player") if choice.move == self.view.forced else ""
        return MoveButton(str(choice.move), label, touches, forced, to, needs, any_of)

    def needed(self, choice: Choice, touches: tuple[str, ...], to: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """A discard is meant by its card, also with a knock; of a meld that grows one is enough."""
        if DISCARDS in choice.touches[1:]:
            return touches[:1], ()
        grows = next((zone.cards for zone in self.zones if zone.id == to and zone.kind == "meld"), ())
        if grows and set(grows).issubset(touches):
            return tuple(touch for touch in touches if touch not in grows), tuple(grows)
        return touches, ()

    def is_hand_young(self) -> bool:
        """Whether the last hand is still news: no player has moved twice since the deal, or the game is over."""
        moves = 0
        for event in reversed(self.view.log):
            if event.seat is None:
                break
            moves += 1
        return moves < self.view.seats or not self.view.to_act
