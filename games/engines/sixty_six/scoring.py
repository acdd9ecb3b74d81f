"""What a hand is worth in game points."""

from __future__ import annotations

GOAL = 66
HALF = 33
PENALTY = 2
HAND_CAP = 30

RULE_TEXTS = {
    "rate-1": "the other has 33 points or more",
    "rate-2": "the other has fewer than 33 points",
    "rate-3": "the other has no trick",
    "claim-wrong": "wrong claim",
    "claim-against-closer": "going out against the closer",
    "claim-after-last": "66 with the last trick, against the closer",
    "close-made": "after closing",
    "close-failed": "closed without reaching 66",
    "played-out": "more points in a hand played out",
}
