"""An event of any kind at which anything happens: people leave, directors interfere, steps are lost or taken twice."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import Any

from django.core.exceptions import ValidationError

from accounts.models import User
from games import services as games
from games.core.contract import GameError
from games.live import presence
from games.models import Table
from games.models.choices import Absence
from tests.tournaments.factories import NOON, end_with, person, play
from tournaments import services
from tournaments.models import Entry, Event, EventRole, Match, RequestedBye
from tournaments.presentation.entry_wording import status_in_words

TABLES: list[dict[str, Any]] = [
    {"game": "casino", "options": {"target": 11}},
    {"game": "sixty-six", "options": {"target": 5}},
    {"game": "gin-rummy", "deals": 2},
    {"game": "casino", "seats": 4, "options": {"target": 11, "partners": True}},
    {"game": "push", "seats": 4},
]
PODS: list[dict[str, Any]] = [
    {"game": "carousel", "sizes": [4, 3, 5]},
    {"game": "krambambuli", "sizes": [3, 4], "deals": 1},
    {"game": "casino", "sizes": [3, 2]},
]
FORMATS: dict[str, list[dict[str, Any]]] = {
    "single-elimination": [{}, {"third_place": True}],
    "double-elimination": [{}, {"reset": False}],
    "round-robin": [{}, {"leavers": "keep"}],
    "groups": [
        {"group_size": 3, "qualifiers": 1, "drawn": "pots"},
        {"group_size": 4, "qualifiers": 2, "third_place": True},
    ],
    "swiss": [{"planned_rounds": 3}, {"planned_rounds": 4, "accelerated": True, "late_points": "half"}],
    "arena": [{"minutes": 2}],
    "pods": [{"planned_rounds": 2}],
}
HAPPENINGS = 60  # before everything calms down
PATIENCE = 400  # steps in which a calm event must come to its end


def random_settings(rng: Random) -> dict[str, Any]:
    """Those of an event that can be played."""
    while True:
        kind = rng.choice([*FORMATS])
        plan = dict(rng.choice(FORMATS[kind]))
        table = dict(rng.choice(PODS if kind == "pods" else TABLES))
        if kind == "pods":
            plan["sizes"] = table.pop("sizes")
        settings = table | {
            "format": kind,
            "format_options": plan,
            "match_games": rng.choice([1, 1, 2, 3]),
            "match_rule": rng.choice(Event.MatchRule.values),
            "dealing": rng.choice(Event.Dealing.values),
            "is_mirrored": rng.random() < 0.3,
            "compared_by": rng.choice(Event.ComparedBy.values),
            "absence": rng.choice(Absence.values),
            "break_seconds": rng.choice([0, 0, 30]),
            "publishes_by_hand": rng.random() < 0.3,
            "late_rounds": rng.choice([0, 3]),
            "max_entries": rng.choice([None, None, 8]),
            "is_evened": rng.random() < 0.3,
            "check_in_minutes": rng.choice([0, 5]),
            "seeding": rng.choice(Event.Seeding.values),
            "appear_minutes": rng.choice([1, 5]),
            "missed_matches": rng.choice([1, 2]),
            "no_shows": rng.choice(Event.NoShows.values),
        }
        with suppress(ValidationError):
            Event(name="Chaos", starts_at=NOON, **settings).full_clean()
            return settings


class Chaos:
    """One event. Every act is one of the methods that begin with `do_`, and may be refused.

    clock: what the time is; whoever makes a `Chaos` lets Django read it there. acts: what has happened so far, or
    was refused.
    """

    def __init__(self, seed: int) -> None:
        self.rng, self.clock, self.acts = Random(seed), NOON - timedelta(hours=2), list[str]()
        self.numbers, self.director = count(1), person("director")
        self.settings = random_settings(self.rng)
        event = Event(name=f"Chaos {seed}", starts_at=NOON, **self.settings)
        self.pk = services.save_event(event, by=self.director, now=self.clock).pk
        EventRole.objects.create(event=event, user=self.director, role=EventRole.Role.DIRECTOR)

    def now(self) -> datetime:
        return self.clock

    @property
    def event(self) -> Event:
        return Event.objects.get(pk=self.pk)

    # How it goes

    def run(self) -> Iterator[str]:
        """Plays the event, and stops after each act for somebody to look."""
        self.clock = NOON - timedelta(hours=1)
        services.run_due_steps(event_id=self.pk, now=self.clock)
        for _ in range(self.rng.randint(2, 9)):
            yield from self._do("enter")
        self.clock = NOON - timedelta(minutes=5)
        yield from self._do("step")
        for _ in range(8):
            yield from self._do(self.rng.choice(["check_in", "leave", "enter", "undo", "set_seeds"]))
        for entry in self.event.entries.entered():
            with suppress(services.EventError):
                services.check_in_entry(entry_id=entry.pk, by=self.director)
        self.clock = NOON
        acts = sorted(name.removeprefix("do_") for name, _ in inspect.getmembers(type(self)) if name.startswith("do_"))
        for _ in range(HAPPENINGS):
            yield from self._do(self.rng.choice(["step", "end_a_table", "end_a_table", *acts]))
        for _ in range(PATIENCE):
            if not (self.event.is_before_start or self.event.is_running):
                return
            yield from self._do("go_on_calmly")
        raise AssertionError("The event does not come to its end.")

    def _do(self, name: str) -> Iterator[str]:
        self.clock += timedelta(seconds=self.rng.choice([0, 1, 5, 20]))
        try:
            getattr(self, f"do_{name}", getattr(self, name, None))()
        except (services.EventError, GameError) as refusal:
            self.acts.append(f"{name}: {refusal}")
            return
        self.acts.append(name)
        yield name

    def start_or_cancel(self) -> None:
        """The event has missed its start."""
        try:
            services.start_now(event_id=self.pk, by=self.director)
        except services.EventError as refusal:
            services.cancel_event(event_id=self.pk, by=self.director, why=str(refusal))

    def go_on_calmly(self) -> None:
        """What the clock does for the event: it starts, rounds are published, tables end, steps are taken."""
        if self.event.waits_for_director:
            self.start_or_cancel()
        if self.event.is_paused:
            services.resume_event(event_id=self.pk, by=self.director)
        with suppress(services.EventError):
            self.do_publish()
        for table in self.tables():
            self.end(table)
        self.clock += timedelta(seconds=10)
        self.take_steps()

    # What is there

    def some(self, rows: Any) -> Any:
        """One of them. :raises EventError: there is none."""
        found = list(rows)
        if not found:
            raise services.EventError("There is none.")
        return self.rng.choice(found)

    def someone(self) -> User:
        """A person who has to do with the event, or a new one."""
        users = [player for entry in self.event.entries.with_players() for player in entry.players]
        people = sorted({user.pk: user for user in users if user.is_person}.values(), key=lambda user: user.pk)
        return self.rng.choice([*people, self.new_person()])

    def new_person(self) -> User:
        return person(f"u{next(self.numbers):02}")

    def entry(self) -> Entry:
        return self.some(self.event.entries.order_by("pk"))

    def entry_in_play(self) -> Entry:
        return self.some(self.event.entries.present().filter(place=None).with_players().order_by("pk"))

    def match(self, *status: str) -> Match:
        return self.some(self.event.matches.filter(status__in=status).order_by("pk"))

    def tables(self) -> list[Table]:
        running = Table.objects.running().with_seats().filter(match_game__match__event=self.pk)
        return list(running.order_by("pk"))

    def table(self) -> Table:
        return self.some(self.tables())

    def places(self, match: Match) -> list[int]:
        places = list(range(1, match.sides.count() + 1))
        self.rng.shuffle(places)
        return self.rng.choice([places, [1] * len(places), [2] * len(places)])

    # The clock

    def do_step(self) -> None:
        """What the ticks of the next seconds find; now and then one of them is lost."""
        self.clock += timedelta(seconds=self.rng.choice([1, 5, 40]))
        self.take_steps(lost=0.2)

    def do_step_twice(self) -> None:
        self.take_steps()
        before = self.picture()
        self.take_steps()
        assert self.picture() == before or self.event.minutes, "the same step changed something twice"

    def take_steps(self, *, lost: float = 0) -> None:
        for event_id, _ in services.claim_due_events(until=self.clock):
            if self.rng.random() >= lost:
                services.run_due_steps(event_id=event_id, now=self.clock)
        for match in self.event.matches.filter(status=Match.Status.WAITING):
            for _ in range(2 if self.rng.random() < 0.2 else 1):
                if self.rng.random() >= lost:
                    services.start_match(match_id=match.pk, now=self.clock)
        self.flag()

    def flag(self) -> None:
        for table in Table.objects.overdue(self.clock).filter(match_game__match__event=self.pk):
            games.flag_overdue(table_id=table.pk, now=self.clock)

    # Tables

    def do_end_a_table(self) -> None:
        self.end(self.table())
        if self.rng.random() < 0.7:
            services.advance_running_event(event_id=self.pk, now=self.clock)

    def end(self, table: Table) -> None:
        if table.is_frozen:
            return
        scores = [self.rng.choice([3, 5, 8]) for _ in range(table.seat_count)]
        for side in table.sides:
            for seat in side:
                scores[seat] = scores[side[0]]
        end_with(table, scores)

    def do_play(self) -> None:
        """Some moves, at times to the end of the game."""
        table = self.table()
        with suppress(IndexError):  # the game is over
            play(table, self.rng.choice([1, 3, 3, 60]))

    def do_resign(self) -> None:
        table = self.table()
        games.resign(table_id=table.pk, user=self.rng.choice(table.seats.all()).user)

    def do_come_to_the_table(self) -> None:
        """The page of a player gives a sign of life, and the tick hears it."""
        table, now = self.table(), self.clock.timestamp()
        player = self.rng.choice(table.seats.all()).user
        presence.store_heartbeats({presence.heartbeat_member(table.pk, player.pk): now}, now)
        for table_id in games.tables_with_arrivals(now=self.clock):
            games.note_arrivals(table_id=table_id, now=self.clock)

    def do_let_time_pass(self) -> None:
        self.clock += timedelta(minutes=self.rng.choice([1, 6]))
        self.flag()

    def do_come_back_to_the_table(self) -> None:
        table = self.table()
        games.come_back(table_id=table.pk, user=self.rng.choice(table.seats.all()).user)

    # People

    def do_enter(self) -> None:
        partner = self.new_person() if self.event.has_pairs and self.rng.random() < 0.7 else None
        entry = services.enter_event(event_id=self.pk, user=self.someone(), partner=partner)
        if partner and entry.invited_id:
            services.accept_invitation(entry_id=entry.pk, user=partner)

    def do_check_in(self) -> None:
        services.check_in_player(event_id=self.pk, user=self.someone())

    def do_check_in_at_the_door(self) -> None:
        away = self.event.entries.entered().exclude(status=Entry.Status.CHECKED_IN).with_players().order_by("pk")
        services.check_in_player(event_id=self.pk, user=self.rng.choice(self.some(away).players), is_at_door=True)

    def do_ask_for_a_bye(self) -> None:
        """The player, or a director, for a round that can be sat out."""
        entry = self.entry_in_play()
        number = self.some(services.open_rounds(self.event, entry))
        if self.rng.random() < 0.5:
            services.request_bye(event_id=self.pk, user=self.rng.choice(entry.players), number=number)
        else:
            services.sit_out_round(entry_id=entry.pk, number=number, by=self.director)

    def do_cancel_a_bye(self) -> None:
        bye = self.some(RequestedBye.objects.filter(entry__event=self.pk).order_by("pk"))
        if self.rng.random() < 0.5:
            services.cancel_bye(event_id=self.pk, user=bye.entry.user, number=bye.round)
        else:
            services.play_round(entry_id=bye.entry_id, number=bye.round, by=self.director)

    def do_leave_after_round(self) -> None:
        user, is_leaving = self.rng.choice(self.entry_in_play().players), self.rng.random() < 0.7
        services.leave_after_round(event_id=self.pk, user=user, is_leaving=is_leaving)

    def do_say_back(self) -> None:
        away = self.event.entries.filter(sits_out=True).with_players().order_by("pk")
        services.return_to_play(event_id=self.pk, user=self.rng.choice(self.some(away).players))

    def do_leave(self) -> None:
        services.withdraw_entry(event_id=self.pk, user=self.someone())

    # The director

    def do_add_late(self) -> None:
        partner = self.new_person() if self.event.has_pairs else None
        services.add_entry(event_id=self.pk, user=self.someone(), partner=partner, by=self.director, late=True)

    def do_remove(self) -> None:
        services.remove_entry(entry_id=self.entry().pk, by=self.director, why="chaos")

    def do_reinstate(self) -> None:
        services.reinstate_entry(entry_id=self.entry().pk, by=self.director)

    def do_substitute(self) -> None:
        entry = self.entry()
        out = self.rng.choice(entry.players)
        to = self.rng.choice([self.someone(), self.new_person()])
        services.substitute(entry_id=entry.pk, out_id=out.pk, to_id=to.pk, by=self.director)

    def do_withdraw(self) -> None:
        services.withdraw_for(entry_id=self.entry().pk, by=self.director)

    def do_message(self) -> None:
        said = {"text": "Coffee is ready.", "by": self.director}
        to = self.rng.choice(["everyone", "round", "entry"])
        if to == "everyone":
            services.message_everyone(event_id=self.pk, **said)
        elif to == "round":
            services.message_round(event_id=self.pk, number=self.rng.randint(1, 3), **said)
        else:
            services.message_entry(entry_id=self.entry().pk, **said)

    def do_set_timetable(self) -> None:
        """A round gets a time, a few minutes from now, or loses it."""
        number = self.some(services.rounds_to_plan(self.event))
        at = self.rng.choice([None, self.clock + timedelta(minutes=self.rng.randint(1, 4))])
        services.set_round_times(event_id=self.pk, times={number: at}, by=self.director)

    def do_set_seeds(self) -> None:
        order = list(self.event.entries.values_list("pk", flat=True))
        self.rng.shuffle(order)
        services.set_seeds(event_id=self.pk, order=order, by=self.director)

    def do_forbid(self) -> None:
        act = self.rng.choice([services.forbid_pair, services.forbid_pair, services.allow_pair])
        act(event_id=self.pk, first=self.entry().pk, second=self.entry().pk, by=self.director)

    def do_publish(self) -> None:
        where = self._proposed_round()
        services.publish_round(event_id=self.pk, by=self.director, **where)

    def do_pair_again(self) -> None:
        keep_fixed = self.rng.random() < 0.5
        services.pair_again(event_id=self.pk, by=self.director, keep_fixed=keep_fixed, **self._proposed_round())

    def _proposed_round(self) -> dict[str, Any]:
        proposed = self.event.matches.filter(status=Match.Status.PROPOSED).order_by("round__number", "pk")
        where = self.some(proposed[:1]).round
        return {"section": where.section, "number": where.number}

    def do_swap(self) -> None:
        sides = self.match(Match.Status.PROPOSED).round.matches.values_list("sides__entry", flat=True)
        services.swap_entries(event_id=self.pk, first=self.some(sides), second=self.some(sides), by=self.director)

    def do_arrange(self) -> None:
        entries = {self.entry().pk for _ in range(self.rng.choice([1, *self.event.plan.sides]))}
        how = self.rng.choice(["bye", "half-bye", "zero-bye"])
        services.arrange_match(event_id=self.pk, entries=sorted(entries), how=how, by=self.director)

    def do_hold_rounds(self) -> None:
        act = self.rng.choice([services.hold_rounds, services.let_rounds_go])
        act(event_id=self.pk, by=self.director)

    def do_adjudicate(self) -> None:
        match = self.match(Match.Status.WAITING, Match.Status.PLAYING)
        if self.rng.random() < 0.3:
            services.adjudicate_by_score(match_id=match.pk, by=self.director)
        else:
            services.adjudicate(match_id=match.pk, places=self.places(match), by=self.director)

    def do_annul(self) -> None:
        services.annul_match(match_id=self.match(*Match.Status.values).pk, by=self.director)

    def do_correct(self) -> None:
        match, cancels = self.match(Match.Status.FINISHED), self.rng.random() < 0.5
        places = self.places(match)
        services.consequences(self.event, match, places)
        services.correct_result(match_id=match.pk, places=places, by=self.director, cancels=cancels)

    def do_pause(self) -> None:
        services.pause_event(event_id=self.pk, by=self.director)

    def do_resume(self) -> None:
        services.resume_event(event_id=self.pk, by=self.director)

    def do_shift(self) -> None:
        services.shift_time(event_id=self.pk, minutes=self.rng.choice([-1, 1]), by=self.director)

    def do_close_entries(self) -> None:
        act = self.rng.choice([services.close_entries, services.open_entries])
        act(event_id=self.pk, by=self.director)

    def do_announce(self) -> None:
        services.post_announcement(event_id=self.pk, text="Coffee is ready.", by=self.director)

    def do_undo(self) -> None:
        line = self.some(self.event.log.filter(undo__isnull=False, undone_at=None).order_by("-pk")[:6])
        services.undo_action(line_id=line.pk, by=self.director)

    # What everybody can see

    def picture(self) -> tuple[Any, ...]:
        """The event as its page shows it; whenever it changes, the version of the event has grown.

        Tables that a round opens are shown once the last of them is there.
        """
        event = self.event
        shown = settled = event.matches.published()
        if shown.filter(status=Match.Status.WAITING).exists():
            settled = shown.exclude(status__in=(Match.Status.WAITING, Match.Status.PLAYING))
        return (
            event.status,
            event.paused_at,
            event.is_closed,
            sorted(
                event.entries.values_list("pk", "status", "sits_out", "seed", "place", "last_place", "user", "partner")
            ),
            sorted(settled.values_list("pk", "status", "decided_by", "reason")),
            [(match.pk, self.sides_of(match)) for match in shown.prefetch_related("sides")],
            Counter(settled.values_list("games__table", flat=True)),
        )

    def sides_of(self, match: Match) -> list[tuple[int, int | None]]:
        """Entries and places."""
        return [(side.entry_id, side.place) for side in match.sides.all()]

    def report(self) -> str:
        """Everything that helps to find out what went wrong."""
        matches = [
            f"{match.round} {match.slot}: {match.status} {match.decided_by} {match.reason} {self.sides_of(match)}"
            for match in self.event.matches.select_related("round")
        ]
        entries = [
            f"{entry.pk} {entry}: {status_in_words(entry)}, {entry.missed=} {entry.has_come=}, "
            f"from round {entry.first_round}, {entry.seed=} {entry.place=}"
            for entry in self.event.entries.with_players()
        ]
        log = [f"{line.at:%H:%M:%S} {line.by} {line.what}" for line in reversed(self.event.log.all()[:40])]
        return "\n".join([str(self.settings), *self.acts, *entries, *matches, *log])
