"""Presets: kinds of event to start from. Each is a few settings; everything else stays at its default."""

from dataclasses import dataclass
from typing import Any

KNOCK_OUT_MINUTES = 3  # to appear: others wait for every match


@dataclass(frozen=True, slots=True)
class Preset:
    slug: str
    name: str
    text: str
    settings: dict[str, Any]


PRESETS = (
    Preset(
        "knock-out",
        "Knock-out",
        "Lose a match and you are out. Short, exciting, done in an evening.",
        {"format": "single-elimination", "max_entries": 32, "fill_to": 8, "appear_minutes": KNOCK_OUT_MINUTES},
    ),
    Preset(
        "double-elimination",
        "Double elimination",
        "Lose twice and you are out. No one goes home after one bad match.",
        {"format": "double-elimination", "max_entries": 32, "fill_to": 8, "appear_minutes": KNOCK_OUT_MINUTES},
    ),
    Preset(
        "swiss",
        "Swiss",
        "Everyone plays every round against an opponent with a similar score. The fairest format for many entries.",
        {"format": "swiss", "match_games": 1, "late_rounds": 2, "is_evened": True, "break_seconds": 60},
    ),
    Preset(
        "duplicate",
        "Duplicate",
        "A Swiss where every table of a round plays the same deals, so lucky cards don't decide.",
        {
            "format": "swiss",
            "match_games": 2,
            "match_rule": "points",
            "dealing": "same",
            "compared_by": "matchpoints",
            "is_evened": True,
            "break_seconds": 60,
        },  # fmt: skip
    ),
    Preset(
        "round-robin",
        "Round robin",
        "Everyone plays everyone. For few entries and plenty of time.",
        {"format": "round-robin", "max_entries": 10, "break_seconds": 60},
    ),
    Preset(
        "groups",
        "Groups, then a knock-out",
        "Everyone plays several matches in a group, and the best advance.",
        {"format": "groups", "max_entries": 32, "fill_to": 8, "break_seconds": 60},
    ),
    Preset(
        "arena",
        "Arena",
        "Join at any time and play as often as you can until the time is up.",
        {"format": "arena", "check_in_minutes": 0, "late_rounds": 0},
    ),
    Preset(
        "pairs",
        "Pairs",
        "A knock-out for teams of two. Invite a partner, or the site finds you one.",
        {
            "format": "single-elimination",
            "game": "push",
            "seats": 4,
            "deals": 3,
            "absence": "bot",
            "fill_to": 8,
            "appear_minutes": KNOCK_OUT_MINUTES,
        },  # fmt: skip
    ),
    Preset(
        "teams",
        "Teams",
        "Teams of four meet board by board in a Swiss. Captains bring substitutes and choose who plays.",
        {"format": "swiss", "team_boards": 4, "is_evened": True, "break_seconds": 180},
    ),
    Preset(
        "pods",
        "Tables of three to five",
        "Rounds at larger tables. Everyone plays alone, and your place gives you points.",
        {"format": "pods", "break_seconds": 60, "absence": "bot"},
    ),
    Preset(
        "bots",
        "Bots only",
        "A round robin for people's bots, which play by the API. The site's bots fill empty seats.",
        {
            "format": "round-robin",
            "bots_only": True,
            "fill_to": 4,
            "max_entries": 12,
            "move_seconds": 30,
            "appear_minutes": KNOCK_OUT_MINUTES,
        },
    ),
)


def preset(slug: str) -> Preset | None:
    return next((preset for preset in PRESETS if preset.slug == slug), None)
