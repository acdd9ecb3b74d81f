"""Tournament report file (TRF): a Swiss for pairing and rating programs of chess.

Source: FIDE Handbook C.04 A.2 (16), "Tournament Report File", its extensions XXR and XXC of JaVaFo, and of TRF-2026 the
records 132 (dates of the rounds), 142 (rounds), 202 (tie-breaks) and 260 (forbidden pairs). Side 0, which sits first,
is written as white. Columns are fixed, so a field has at most 9,999 entrants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.formats.contract import How, MatchRecord, Records, Standing

BYES: dict[How, str] = {"bye": "U", "half-bye": "H", "zero-bye": "Z"}
NOTHING = "0000 - Z"  # not paired
TIE_BREAK_CODES = {"BH": "BH", "BH-C1": "BH/C1", "BH-C2": "BH/C2", "BH-M1": "BH/M1"} | {
    code: code for code in ("SB", "DE", "WON", "PS")
}
"""Ours that FIDE has, too."""
DATES_FROM = 89  # columns before the first date


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


def dates_line(dates: Sequence[str]) -> str:
    """The dates of the rounds, such as "26/11/20", above their results."""
    return f"{'132':{DATES_FROM}}" + "".join(f"  {day}" for day in dates)


def tie_breaks_lines(codes: Sequence[str]) -> list[str]:
    """The tie-breaks that FIDE has, in their order; [] without any."""
    known = [TIE_BREAK_CODES[code] for code in codes if code in TIE_BREAK_CODES]
    return [f"202 {','.join(known)}"] if known else []


def forbidden_lines(records: Records, rounds: int) -> list[str]:
    """A line for each pair that may not meet in any round."""
    pairs = sorted(sorted(records.by_id[entrant].seed for entrant in pair) for pair in records.forbidden)
    return [f"260 {1:3} {rounds:3} {one:4} {other:4}" for one, other in pairs]


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
