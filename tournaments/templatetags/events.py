"""Filters for what pages say of events, series and entries: `{{ event|leaving_in_words }}`; the id of a form."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from infra.form_once import FORM_ID, new_form_id
from tournaments.domain import recurrence, wall_clock
from tournaments.presentation import entry_wording, facts, standings

register = template.Library()

register.filter("format_in_words", facts.format_in_words)
register.filter("leaving_in_words", facts.leaving_in_words)
register.filter("status_in_words", entry_wording.status_in_words)
register.filter("places_in_words", standings.places_in_words)
register.filter("rule_in_words", recurrence.rule_in_words)
register.filter("wall_time_in_words", wall_clock.wall_time_in_words)


@register.simple_tag
def form_id() -> SafeString:
    """The hidden field that keeps a form from acting twice."""
    return format_html('<input type="hidden" name="{}" value="{}">', FORM_ID, new_form_id())
