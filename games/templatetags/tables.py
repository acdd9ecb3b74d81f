"""Filters for what pages say of tables, seats and seeks: `{{ table|headline }}`, `{{ seat|seat_note }}`."""

from django import template

from games.core.words import joined
from games.presentation import invites, seek_wording, table_wording, verification

register = template.Library()

register.filter("clock_label", table_wording.clock_label)
register.filter("contribution", verification.contribution_of)
register.filter("headline", table_wording.headline)
register.filter("invitation_headline", invites.invitation_headline)
register.filter("joined", joined)
register.filter("result_reason", table_wording.result_reason)
register.filter("seat_note", table_wording.seat_note)
register.filter("state_for", table_wording.state_for)
register.filter("unusual_options", table_wording.unusual_options)

register.filter("seek_clocks", seek_wording.seek_clocks)
register.filter("seek_opponents", seek_wording.seek_opponents)
register.filter("seek_options", seek_wording.seek_options)
register.filter("seek_rated", seek_wording.seek_rated)
register.filter("seek_seats", seek_wording.seek_seats)
