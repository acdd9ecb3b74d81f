"""Facts about an event, to read before entering."""

from dataclasses import fields

from games.domain.clocks import MINUTE, duration
from games.models.choices import Absence
from games.presentation.table_wording import absence_in_words
from tournaments.formats.tie_breaks import TIE_BREAKS
from tournaments.models import Event, EventSettings
from tournaments.planning.estimates import GameKind, estimate_event, known_moves
from tournaments.queries.conditions import conditions_of


def facts_of(event: EventSettings) -> list[tuple[str, str]]:
    """Names and values; of an event, or of all events of a series."""
    rules = event.rules
    values = rules.read_options(event.options, event.seats)
    own = [option for option in rules.options if values[option.name] != option.default]
    options = [(option.label, option.label_of(values[option.name])) for option in own]
    return [
        ("Game", rules.name),
        *options,
        *([("Teams", _teams_in_words(event))] if event.has_teams else []),
        ("Format", event.plan.name),
        *_format_facts(event),
        ("A match", _match_in_words(event)),
        *([("The cards", _cards_in_words(event))] if event.shares_deals else []),
        ("Clock", _clock_in_words(event)),
        ("Time to appear", _appearing_in_words(event)),
        ("If a player leaves or is late", event_absence_in_words(event)),
        ("Missed matches", _no_shows_in_words(event)),
        *([("Byes on request", _byes_in_words(event))] if event.plan.pairs_around else []),
        *([("Late entries", late)] if (late := _late_in_words(event)) else []),
        *([("Expected to take", expected)] if (expected := _expected_in_words(event)) else []),
        ("Chat at the tables", event.get_chat_display()),
        ("Entries", _places(event)),
        *([("Required to enter", needs)] if (needs := _needs(event)) else []),
        *([("Fee", event.fee)] if event.fee else []),
        *([("You are asked", "; ".join(q["label"] for q in event.questions))] if event.questions else []),
    ]


def _teams_in_words(event: EventSettings) -> str:
    spare = event.team_substitutes
    substitutes = f", with up to {spare} substitute{'s' * (spare != 1)}" if spare else ""
    level = ". A level match goes to the team that won the higher boards" if event.plan.needs_winner else ""
    return f"{event.team_boards} boards{substitutes}; {event.get_team_scoring_display()}{level}"


def _format_facts(event: EventSettings) -> list[tuple[str, str]]:
    """The options of the format, by their labels, such as the number of rounds and the tie-breaks in their order."""
    found = []
    for field in fields(event.plan):
        if (only_with := field.metadata.get("only_with")) and not getattr(event.plan, only_with):
            continue
        value, choices = getattr(event.plan, field.name), field.metadata.get("choices", {})
        if field.name == "tie_breaks":
            words = ", then ".join(TIE_BREAKS[code].name for code in value) or "none"
        elif isinstance(value, bool):
            words = "yes" if value else "no"
        elif isinstance(value, tuple):
            words = ", ".join(map(str, value))
        elif field.name == "planned_rounds" and not value:
            words = "as many as the number of entries needs"
        else:
            words = str(choices.get(value, value))
        found.append((field.metadata["label"], words))
    return found


def _expected_in_words(event: EventSettings) -> str:
    """How long the event will take; "" for a series, for games over days, while its game has not been measured, and
    once it is over.
    """
    if not isinstance(event, Event) or not (event.is_before_start or event.is_running):
        return ""
    if event.clock.is_turn_based or known_moves(GameKind.of(event)) is None:
        return ""
    entries = max(event.entries.present().count() if event.pk else 0, event.fill_to, event.min_entries)
    return f"about {estimate_event(event, entries).in_words} with {entries} entries"


def _late_in_words(event: EventSettings) -> str:
    """Until when players can still enter by themselves; "" where they can't."""
    if not event.plan.takes_late_entries or event.has_pairs or event.has_teams:
        return ""
    if getattr(event.plan, "minutes", None):
        return "until the time is up"
    return f"until round {event.late_rounds}" if event.late_rounds else "no"


def _byes_in_words(event: EventSettings) -> str:
    """What a round is worth that a player sits out by request."""
    if not event.half_byes:
        return "no points"
    rounds = "round" if event.half_byes == 1 else "rounds"
    return f"{event.half_bye_worth} each for up to {event.half_byes} {rounds}, but not the last one"


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
