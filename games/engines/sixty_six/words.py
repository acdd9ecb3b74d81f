"""Words of Sixty-Six: the rules that are cited to a player who is not to act, and counts."""

from __future__ import annotations

# The rules that say when these are done; a marriage and a card have theirs, too.
OUT_OF_TURN = {
    "X9": "nine-window",
    "CL": "close-window",
    "DR": "draw-order",
    "66": "claim-when",
    "PTS": "no-scorekeeping",
    "LOOK": "no-looking-back",
}


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
