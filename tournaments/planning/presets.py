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
        "Lose a match and you are out. Short, dramatic, done in an evening.",
        {"format": "single-elimination", "max_entries": 32, "fill_to": 8, "appear_minutes": KNOCK_OUT_MINUTES},
    ),
    Preset(
        "double-elimination",
        "Double elimination",
        "Lose twice and you are out. Nobody goes home after one bad match.",
        {"format": "double-elimination", "max_entries": 32, "fill_to": 8, "appear_minutes": KNOCK_OUT_MINUTES},
    ),
    Preset(
        "swiss",
        "Swiss",
        "Everybody plays every round, against somebody who stands as well. The fairest for many entries.",
        {"format": "swiss", "match_games": 1, "late_rounds": 2, "is_evened": True, "break_seconds": 60},
    ),
    Preset(
        "duplicate",
        "Duplicate",
        "A Swiss in which every table of a round plays the same deals, so that good cards do not win.",
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
        "Everybody meets everybody. For a small field that has the time.",
        {"format": "round-robin", "max_entries": 10, "break_seconds": 60},
    ),
    Preset(
        "groups",
        "Groups, then a knock-out",
        "A group guarantees some matches to everybody; its best play on.",
        {"format": "groups", "max_entries": 32, "fill_to": 8, "break_seconds": 60},
    ),
    Preset(
        "arena",
        "Arena",
        "Come when you like, play as often as you can until the time is up.",
        {"format": "arena", "check_in_minutes": 0, "late_rounds": 0},
    ),
    Preset(
        "pairs",
        "Pairs",
        "A knock-out for two and two. People ask each other, and the site finds partners for the rest.",
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
        "pods",
        "Tables of three to five",
        "Rounds at larger tables, each player for himself, points for the place.",
        {"format": "pods", "break_seconds": 60, "absence": "bot"},
    ),
)


def preset(slug: str) -> Preset | None:
    return next((preset for preset in PRESETS if preset.slug == slug), None)
