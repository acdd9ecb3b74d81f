"""Time controls and clocks: the time that a game gives, and what each seat has left. Seconds; moments as POSIX time.

One formula serves all kinds. Each turn brings `move` seconds that are lost when it ends; what a turn takes beyond them
comes off a reserve of `base` seconds for the whole game, to which each turn adds `increment`. So a game of 5 minutes
and 10 seconds a turn has no `move`, one of 45 seconds a move no `base`, and one of 1 day a move with 3 days in reserve
both.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

MINUTE, HOUR, DAY = 60, 3600, 86_400


@dataclass(frozen=True, slots=True)
class Clock:
    """A time control: the time that each seat gets, see above."""

    base: int = 0
    increment: int = 0
    move: int = 0

    def __post_init__(self) -> None:
        if min(self.base, self.increment, self.move) < 0 or not (self.base or self.move):
            raise ValueError("A clock gives some time, and takes none away.")

    @property
    def is_turn_based(self) -> bool:
        """Whether the game is played over days, without waiting at the table."""
        return self.move >= HOUR

    @property
    def words(self) -> str:
        """ "5 minutes + 10 seconds a turn", "45 seconds a move" or "1 day a move, 3 days in reserve"."""
        added = f" + {duration(self.increment)} a turn" if self.increment else ""
        if not self.move:
            return f"{duration(self.base)}{added or ' for the game'}"
        reserve = f", {duration(self.base)} in reserve{added}" if self.base else ""
        return f"{duration(self.move)} a move{reserve}"

    @property
    def fields(self) -> dict[str, Any]:
        """The columns of a table with this clock: int, None where it has no such time."""
        return {
            "base_seconds": self.base,
            "increment_seconds": self.increment,
            "move_seconds": self.move or None,
        }


NO_CLOCK: dict[str, int | None] = {"base_seconds": 0, "increment_seconds": 0, "move_seconds": None}


def duration(seconds: int) -> str:
    """A number of seconds in words: "1 day", "90 minutes", "2 hours 30 minutes"; from two of a unit on it is named."""
    parts: list[str] = []
    for unit, size in (("day", DAY), ("hour", HOUR), ("minute", MINUTE), ("second", 1)):
        count, rest = divmod(seconds, size)
        if count > 1 or seconds == size or (count and parts):
            parts.append(f"{count} {unit}{'s' * (count != 1)}")
            seconds = rest
    return " ".join(parts) or "0 seconds"


def countdown(seconds: float) -> str:
    """A time left, as a clock shows it: "0:09", "74:35", "3 h 5 min" or "2 d 3 h"."""
    left = math.ceil(seconds)
    if left >= DAY:
        return f"{left // DAY} d {left % DAY // HOUR} h"
    if left >= 2 * HOUR:
        return f"{left // HOUR} h {left % HOUR // MINUTE} min"
    return f"{left // MINUTE}:{left % MINUTE:02}"


@dataclass(frozen=True, slots=True)
class Face:
    """A clock face: the time left while the clock is stopped; moments in ISO 8601 while it runs.

    now: the moment of this face.
    """

    left: str = ""
    now: str = ""
    since: str = ""
    deadline: str = ""
    until: str = ""


class Pace(NamedTuple):
    """A time control that players can choose. help: whom it suits. clock: None without one."""

    label: str
    help: str
    clock: Clock | None

    @property
    def words(self) -> str:
        return self.clock.words if self.clock else "no clock"

    @property
    def choice(self) -> str:
        """How a form offers it: "Standard: 5 minutes + 10 seconds a turn"."""
        return f"{self.label}: {self.clock.words}" if self.clock else self.label

    @property
    def fields(self) -> dict[str, Any]:
        """The columns of a table with this pace, as those of its clock."""
        return self.clock.fields if self.clock else NO_CLOCK


PACES = {
    "quick": Pace("Quick", "Each move has its own time.", Clock(move=30)),
    "standard": Pace("Standard", "A game at one sitting.", Clock(base=5 * MINUTE, increment=10)),
    "calm": Pace("Calm", "At one sitting, with time to think.", Clock(base=15 * MINUTE, increment=30)),
    "days-1": Pace("Daily", "Look in once a day.", Clock(move=DAY, base=3 * DAY)),
    "days-3": Pace("Slow", "Look in when you like.", Clock(move=3 * DAY, base=7 * DAY)),
    "none": Pace("No clock", "No one runs out of time, and the game isn't rated.", None),
}


LAG_A_MOVE, LAG_A_GAME, LAG_REFILL = 0.5, 3.0, 0.1


class Timer(NamedTuple):
    """The timer of one seat.

    turn: left for this turn, before the reserve is used. reserve: left for the game. lag: how much network delay may
    still be given back. since: when it was started, None while it is stopped; a moment to come is when it starts.
    rests_until: the end of a vacation.
    """

    turn: float
    reserve: float
    lag: float = LAG_A_GAME
    since: float | None = None
    rests_until: float | None = None

    @classmethod
    def fresh(cls, clock: Clock) -> "Timer":
        return cls(float(clock.move), float(clock.base))

    def elapsed(self, now: float) -> float:
        return max(now - self.since, 0.0) if self.since is not None else 0.0

    def left(self, now: float) -> float:
        """Seconds left, never below 0."""
        return max(self.turn + self.reserve - self.elapsed(now), 0.0)

    @property
    def deadline(self) -> float | None:
        """The moment at which it shows 0; None while it is stopped."""
        return self.since + self.turn + self.reserve if self.since is not None else None

    def allowance(self, clock: Clock) -> float:
        """The most network delay that may be given back for the next move."""
        return 0.0 if clock.is_turn_based else min(self.lag, LAG_A_MOVE)

    def delay(self, clock: Clock, now: float, held: float | None) -> float:
        """Network delay to give back for a move that arrived at `now`.

        held: for how long the player's browser had shown the board, None if it does not say. Claiming too little gains
        no more than the allowance, and uses up the quota of the game.
        """
        if held is None:
            return 0.0
        return max(min(self.elapsed(now) - held, self.allowance(clock)), 0.0)

    def falls_at(self, delay: float) -> float | None:
        """The moment from which a move is too late, with this much delay given back; None while it is stopped."""
        return self.deadline + delay if self.deadline is not None else None

    def is_up(self, now: float, delay: float) -> bool:
        falls_at = self.falls_at(delay)
        return falls_at is not None and falls_at <= now

    def started(self, at: float) -> "Timer":
        """The timer started at this moment, or at the end of the vacation. One that started before it stays."""
        if self.since is not None and self.since <= at:
            return self
        return self._replace(since=max(at, self.rests_until or at))

    def stopped(self, now: float, delay: float = 0.0) -> "Timer":
        """The timer stopped; it keeps the time left."""
        spent = max(self.elapsed(now) - delay, 0.0)
        over = max(spent - self.turn, 0.0)
        return self._replace(turn=max(self.turn - spent, 0.0), reserve=max(self.reserve - over, 0.0), since=None)

    def ended(self, clock: Clock, now: float) -> "Timer":
        """The timer after a turn that ended without a move of this seat."""
        return self if self.since is None else self.stopped(now)._replace(turn=float(clock.move))

    def moved(self, clock: Clock, now: float, *, held: float | None = None, keeps_turn: bool = False) -> "Timer":
        """The timer after the seat's move. The increment is for a whole turn; within one, only time taken returns."""
        delay = self.delay(clock, now, held)
        stopped = self.stopped(now, delay)
        taken = self.reserve - stopped.reserve
        return stopped._replace(
            turn=float(clock.move),
            reserve=stopped.reserve + (min(clock.increment, taken) if keeps_turn else clock.increment),
            lag=min(self.lag - delay + LAG_REFILL, LAG_A_GAME),
        )

    def renewed(self, clock: Clock) -> "Timer":
        """The timer of a player who returns after losing on time: a turn, and a tenth of the reserve."""
        return self._replace(turn=float(clock.move), reserve=max(self.reserve, clock.base / 10), since=None)

    def resting(self, now: float, until: float) -> "Timer":
        """The timer when a vacation begins."""
        rests = self.stopped(now)._replace(rests_until=until)
        return rests if self.since is None else rests._replace(since=until)

    def after_vacation(self, now: float) -> "Timer":
        """The timer when a vacation ends, also early."""
        return self._replace(rests_until=None, since=None if self.since is None else min(self.since, now))


def short_moment(clock: Clock, timer: Timer) -> float | None:
    """When to warn in a turn of days: at a quarter of it left, at most 12 hours. None for other clocks."""
    if not clock.is_turn_based or timer.deadline is None:
        return None
    return timer.deadline - min(clock.move / 4, 12 * HOUR)
