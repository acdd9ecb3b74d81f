"""Filters for what pages say of an event: `{{ event|leaving_in_words }}`."""

from django import template

from tournaments.presentation import facts

register = template.Library()

register.filter("leaving_in_words", facts.leaving_in_words)
