"""Events as pages show them."""

from infra.once import once
from tournaments.presentation.draw import EventDraw, draw_of
from tournaments.presentation.facts import facts_of
from tournaments.presentation.match_box import MatchBox
from tournaments.presentation.names import with_entry_names
from tournaments.presentation.page import (
    EventPageQuery,
    embedded_event_html,
    printable_event_html,
    public_event_html,
    standings_page,
)
