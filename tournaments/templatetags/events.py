"""Filters for what pages say of events, series and entries: `{{ event|leaving_in_words }}`."""

from django import template

from tournaments.domain import recurrence, wall_clock
from tournaments.presentation import entry_wording, facts

register = template.Library()

register.filter("format_in_words", facts.format_in_words)
register.filter("leaving_in_words", facts.leaving_in_words)
register.filter("status_in_words", entry_wording.status_in_words)
register.filter("rule_in_words", recurrence.rule_in_words)
register.filter("wall_time_in_words", wall_clock.wall_time_in_words)
