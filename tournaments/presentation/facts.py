"""Facts about an event, to read before entering."""

from games.domain.clocks import MINUTE, duration
from games.models.choices import Absence
from games.presentation.table_wording import absence_in_words
from tournaments.models import Event, EventSettings
from tournaments.queries.conditions import conditions_of


def facts_of(event: EventSettings) -> list[tuple[str, str]]:
    """Names and values; of an event, or of all events of a series."""
    rules = event.rules
    values = rules.read_options(event.options, event.seats)
    own = [option for option in rules.options if values[option.name] != option.default]
    options = [(option.label, str(option.choices[values[option.name]])) for option in own]
    return [
        ("Game", rules.name),
        *options,
        ("Format", event.plan.name),
        ("A match", _match_in_words(event)),
        *([("The cards", _cards_in_words(event))] if event.shares_deals else []),
        ("Clock", _clock_in_words(event)),
        ("Time to appear", _appearing_in_words(event)),
        ("If a player leaves or is late", event_absence_in_words(event)),
        ("Missed matches", _no_shows_in_words(event)),
        ("Chat at the tables", event.get_chat_display()),
        ("Entries", _places(event)),
        *([("Required to enter", needs)] if (needs := _needs(event)) else []),
    ]


def event_absence_in_words(event: EventSettings) -> str:
    """What happens at a table without a player."""
    return absence_in_words(event.absence, sides=3 if event.has_pods else 2, hold_seconds=event.hold_minutes * MINUTE)


def _appearing_in_words(event: EventSettings) -> str:
    """How long you may take to come to your table."""
    if event.appear_seconds is None:
        return "no limit except your move clock"
    return f"{duration(event.appear_seconds)}; the clocks start when everyone is there"


def _no_shows_in_words(event: EventSettings) -> str:
    """What follows when you miss matches."""
    then = "you are withdrawn"
    if event.no_shows == event.NoShows.SIT_OUT:
        then = "you sit out until you say you are back"
    return f"after {event.get_missed_matches_display()} {then}"


def format_in_words(event: EventSettings) -> str:
    """What the format means, and duplicate deals, for people who do not know the words."""
    same = " Duplicate: every table plays the same deals." if event.dealing == Event.Dealing.SAME else ""
    return f"{event.plan.summary}{same}"


def leaving_in_words(event: EventSettings) -> str:
    """What becomes of the match of a player who leaves the event."""
    if event.has_pods or event.absence == Absence.BOT:
        return "a club bot takes your seat in this match"
    return "the current score decides this match" if event.absence == Absence.SCORE else "you lose this match"


def _match_in_words(event: EventSettings) -> str:
    deals = f" of {event.deals} deal{'s' if event.deals > 1 else ''}" if event.deals else ""
    if event.match_games == 1:
        return f"one game{deals}"
    rules = {
        Event.MatchRule.BEST_OF: f"best of {event.match_games} games{deals}",
        Event.MatchRule.ALL_GAMES: f"{event.match_games} games{deals}, games won decide",
        Event.MatchRule.POINTS: f"{event.match_games} games{deals}, total points decide",
    }
    return f"{rules[Event.MatchRule(event.match_rule)]}; seats change"


def _clock_in_words(event: EventSettings) -> str:
    stands = event.allows_vacation and event.clock.is_turn_based
    return f"{event.clock.words}; it stops during a vacation" if stands else event.clock.words


def _cards_in_words(event: EventSettings) -> str:
    same = ["the same at every table of a round"] if event.dealing == Event.Dealing.SAME else []
    twice = ["each deal twice, the second time with seats swapped"] if event.is_mirrored else []
    by = [f"results are compared by {event.get_compared_by_display()}"] if event.is_compared else []
    return "; ".join([*same, *twice, *by, "no one can watch until the last of them is over"])


def _needs(event: EventSettings) -> str:
    """The conditions of entry; "" without any."""
    needs = [condition.needs for condition in conditions_of(event)]
    return "; ".join([*needs, "the tournament password"] if event.password else needs)


def _places(event: EventSettings) -> str:
    most = f"at most {event.max_entries}" if event.max_entries else "no limit"
    level = event.get_bot_level_display().lower()
    return f"{most}; bots ({level}) fill up to {event.fill_to}" if event.fill_to else most
