"""A ladder on which anything happens: people come and go, challenge and answer, and steps are lost or run twice."""

from __future__ import annotations

import inspect
from contextlib import suppress
from datetime import timedelta
from random import Random

from games import services as games
from games.core.contract import GameError
from games.models import Table, Vacation
from tests.tournaments.factories import NOON, end_with, person
from tournaments import services
from tournaments.models import Ladder, LadderChallenge, LadderPlayer
from tournaments.services import ladders

PEOPLE = 8
HAPPENINGS = 120
DAY = timedelta(days=1)


class LadderChaos:
    """Each act is a method that begins with `do_`, and may be refused. acts: what has happened so far."""

    def __init__(self, seed: int) -> None:
        self.rng, self.clock, self.acts = Random(seed), NOON, list[str]()
        made = Ladder(
            name=f"Chaos {seed}",
            game="casino",
            reach=self.rng.choice([1, 3]),
            allowed_declines=self.rng.choice([0, 2]),
            rematch_days=self.rng.choice([0, 3]),
            idle_weeks=self.rng.choice([None, 1]),
        )
        self.director = person("director")
        self.pk = ladders.save_ladder(made, by=self.director).pk

    @property
    def ladder(self) -> Ladder:
        return Ladder.objects.get(pk=self.pk)

    def run(self):
        """Stops after each act, for checks, and at last when all that was due is done."""
        for number in range(PEOPLE - 2):
            ladders.join_ladder(ladder_id=self.pk, user=person(f"u{number}"), now=self.clock)
        acts = sorted(name for name, _ in inspect.getmembers(type(self)) if name.startswith("do_"))
        for _ in range(HAPPENINGS):
            self.clock += timedelta(hours=self.rng.choice([0, 1, 20]))
            name = self.rng.choice([*acts, *3 * ["do_challenge", "do_accept", "do_end_a_game"]])
            try:
                getattr(self, name)()
            except (services.EventError, GameError) as refusal:
                self.acts.append(f"{name}: {refusal}")
                continue
            self.acts.append(name)
            yield
        for table in self.tables():
            end_with(table, [8, 8])
        for _ in range(3):
            self.clock += 40 * DAY
            self.tick()
        yield

    def some(self, rows):
        found = list(rows)
        if not found:
            raise services.EventError("There is none.")
        return self.rng.choice(found)

    def someone(self):
        return person(f"u{self.rng.randrange(PEOPLE)}")

    def tables(self) -> list[Table]:
        return list(Table.objects.running().filter(ladder_challenge__ladder=self.pk).order_by("pk"))

    def asked(self) -> LadderChallenge:
        rows = LadderChallenge.objects.filter(ladder=self.pk, finished_at=None)
        return self.some(rows.select_related("challenger__user", "challenged__user").order_by("pk"))

    # What happens

    def do_join(self) -> None:
        ladders.join_ladder(ladder_id=self.pk, user=self.someone(), now=self.clock)

    def do_leave(self) -> None:
        by = self.rng.choice([None, self.director])
        if self.rng.random() < 0.5:
            ladders.leave_ladder(ladder_id=self.pk, user=self.someone(), now=self.clock, by=by)

    def do_challenge(self) -> None:
        """Mostly a player who is in reach."""
        order = self.ladder.order
        place = self.rng.randrange(1, max(len(order), 2))
        user = self.some(LadderPlayer.objects.filter(pk__in=order[place : place + 1]).select_related("user")).user
        other = order[max(place - self.rng.randint(1, 4), 0)]
        ladders.challenge_player(ladder_id=self.pk, user=user, player_id=other, now=self.clock)

    def do_accept(self) -> None:
        asked = self.asked()
        ladders.accept_ladder_challenge(challenge_id=asked.pk, user=asked.challenged.user, now=self.clock)

    def do_decline(self) -> None:
        asked = self.asked()
        ladders.decline_ladder_challenge(challenge_id=asked.pk, user=asked.challenged.user, now=self.clock)

    def do_withdraw(self) -> None:
        asked = self.asked()
        ladders.withdraw_ladder_challenge(challenge_id=asked.pk, user=asked.challenger.user, now=self.clock)

    def do_end_a_game(self) -> None:
        """The message that says so may be lost, or come twice."""
        table = self.some(self.tables())
        end_with(table, self.rng.choice([[11, 3], [11, 3], [3, 11], [8, 8]]))
        for _ in range(self.rng.choice([0, 1, 2])):
            ladders.record_ladder_game(table_id=table.pk, now=self.clock)

    def do_resign(self) -> None:
        table = self.some(self.tables())
        games.resign(table_id=table.pk, user=self.rng.choice(table.seats.order_by("number")).user)

    def do_stop_a_game(self) -> None:
        games.stop_table(table_id=self.some(self.tables()).pk)

    def do_take_a_vacation(self) -> None:
        begins_at = self.clock
        Vacation.objects.create(
            user=self.someone(), begins_at=begins_at, ends_at=begins_at + self.rng.choice([2, 9]) * DAY, has_begun=True
        )

    def do_change_the_rules(self) -> None:
        changed = self.ladder
        changed.idle_weeks, changed.is_open = self.rng.choice([None, 1, 2]), self.rng.random() < 0.8
        ladders.save_ladder(changed, by=self.director)

    def do_pass_time(self) -> None:
        self.clock += self.rng.choice([1, 4, 8]) * DAY
        self.tick(lost=0.3)

    def tick(self, *, lost: float = 0) -> None:
        """What the tick claims; some tasks get lost, some run twice."""
        patience = ladders.LOOKS_AGAIN
        due = [
            (ladders.run_due_challenge, {"challenge_id": pk})
            for pk, _ in LadderChallenge.objects.claim(until=self.clock, patience=patience)
        ]
        due += [
            (ladders.drop_idle_players, {"ladder_id": pk})
            for pk, _ in Ladder.objects.claim(until=self.clock, patience=patience)
        ]
        for step, row in due:
            for _ in range(self.rng.choice([1, 1, 2])):
                if self.rng.random() >= lost:
                    with suppress(services.EventError):
                        step(**row, now=self.clock)
