"""Events as pages show them."""

from infra.once import once
from tournaments.presentation.draw import Draw, draw_of
from tournaments.presentation.facts import facts_of
from tournaments.presentation.match_box import Box
from tournaments.presentation.names import with_names
from tournaments.presentation.page import Look, page_of, printable_part, public_part
