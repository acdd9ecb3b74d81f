"""Tournament report file (TRF): a Swiss for pairing and rating programs of chess.

Source: FIDE Handbook C.04 A.2 (16), "Tournament Report File", and its extensions XXR and XXC of JaVaFo. Side 0, which
sits first, is written as white. Columns are fixed, so a field has at most 9,999 entrants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.formats.contract import How, MatchRecord, Records, Standing

BYES: dict[How, str] = {"bye": "U", "half-bye": "H", "zero-bye": "Z"}
NOTHING = "0000 - Z"  # not paired


def trf_document(
    records: Records,
    standings: Sequence[Standing],
    *,
    title: str,
    names: Mapping[int, str],
    rounds: int,
    about: Sequence[str] = (),
) -> str:
    """The whole file. names: by entrant. rounds: how many are planned. about: further lines of its head."""
    results = _results(records)
    by_entrant = {standing.entrant: standing for standing in standings}
    lines = [f"012 {title}", *about, f"XXR {rounds}", "XXC white1"]
    for entrant in sorted(records.entrants, key=lambda entrant: entrant.seed):
        standing = by_entrant[entrant.id]
        points = float(standing.points or 0)
        head = f"001 {entrant.seed:4}      {names[entrant.id]:33.33} {'':4} {'':3} {'':11} {'':10}"
        lines.append(f"{head} {points:4.1f} {standing.place or 0:4}  {'  '.join(results[entrant.id])}".rstrip())
    return "\n".join(lines) + "\n"


def _results(records: Records) -> dict[int, list[str]]:
    """By entrant, eight characters for each round: the number of the opponent, the side and the result."""
    last = max((match.spot.round for match in records.matches), default=0)
    results = {entrant.id: [NOTHING] * last for entrant in records.entrants}
    for match in records.matches:
        for side, entrant in enumerate(match.entrants):
            results[entrant][match.spot.round - 1] = _result(match, side, records)
    return results


def _result(match: MatchRecord, side: int, records: Records) -> str:
    if match.how == "annulled":
        return NOTHING
    if match.is_bye:
        return f"0000 - {BYES[match.how]}"
    opponent = records.by_id[match.entrants[1 - side]].seed
    return f"{opponent:4} {'wb'[side]} {_sign(match, side)}"


def _sign(match: MatchRecord, side: int) -> str:
    if match.places is None:
        return " "
    if match.how == "forfeit":
        return "+" if match.places[side] == 1 else "-"
    if match.places == (1, 1):
        return "="
    return "1" if match.places[side] == 1 else "0"
