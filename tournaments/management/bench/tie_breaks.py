"""Check of tie-breaks: standings of generated Swiss events compared with those of Otto Milvang's TieBreakServer.

The program is an independent implementation of FIDE's regulations of 2024 and 2026. It reads tournament report files
and takes the regulations that were in force at the start of the event.
"""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

from tournaments.formats import tie_breaks, trf
from tournaments.formats.contract import Entrant, How, MatchRecord, Records, Spot, Standing
from tournaments.formats.rounds import ROUNDS
from tournaments.formats.swiss import Swiss

THEIR_CODES = {"BH": "BH", "BH-C1": "BH/C1", "BH-C2": "BH/C2", "BH-M1": "BH/M1", "SB": "SB", "WON": "WON", "PS": "PS"}
"""Ours to theirs, for the figures that are compared; of head to head only the places are."""
PLAYED, FORFEITS = ((1, 2), (2, 1), (1, 1)), ((1, 2), (2, 1), (2, 2))
BYE_SLOT = 40


def event_with_gaps(rng: Random) -> Records:
    """A Swiss of 5 to 17 with absences, forfeits and requested byes; ids are seeds."""
    size, rounds = rng.randint(5, 17), rng.randint(3, 7)
    swiss, matches = Swiss(planned_rounds=rounds), list[MatchRecord]()
    entrants = [Entrant(seed, seed) for seed in range(1, size + 1)]
    for number in range(1, rounds + 1):
        entrants = [replace(entrant, sits_out=rng.random() < 0.1) for entrant in entrants]
        if rng.random() < 0.3:
            resting = rng.choice([entrant.id for entrant in entrants if not entrant.sits_out])
            bye: How = "half-bye" if rng.random() < 0.5 else "zero-bye"
            matches.append(MatchRecord(Spot(ROUNDS, number, BYE_SLOT), (resting,), (1,), bye))
        for match in swiss.next_matches(Records(entrants, matches)):
            is_forfeit = rng.random() < 0.1
            places = rng.choice(FORFEITS if is_forfeit else PLAYED)
            how: How = "forfeit" if is_forfeit else "played"
            matches.append(match if match.places else replace(match, places=places, how=how))
    return Records(entrants, matches)


def differences(records: Records, *, program: Path, folder: Path, capped: bool) -> list[str]:
    """What the two programs do not agree on, in words. program: its `tiebreakchecker.py`. folder: for the report."""
    names = {entrant.id: f"player {entrant.seed}" for entrant in records.entrants}
    last = max(match.spot.round for match in records.matches)
    start = "2026/04/01" if capped else "2025/04/01"
    about = [f"042 {start}", f"052 {start}", "092 Individual: Swiss-System"]
    report, ranked = folder / "event.trf", tie_breaks.rank_by_tie_breaks(records, codes=())
    report.write_text(trf.trf_document(records, ranked, title="check", names=names, rounds=last, about=about))
    theirs = _their_figures(program, report, last, list(THEIR_CODES.values()))
    found = []
    for column, code in enumerate(THEIR_CODES):
        for row in _ranked(records, code, capped):
            their = theirs[row.entrant][1 + column]
            if abs(row.figures[0].value - their) > 1e-6:
                found.append(f"{code} of {row.entrant}: {row.figures[0].text}, not {their}")
    met = _their_figures(program, report, last, ["DE"])
    merit = {entrant: (-points, order) for entrant, (points, order) in met.items()}
    for row in _ranked(records, "DE", capped):
        place = 1 + sum(other < merit[row.entrant] for other in merit.values())
        if row.place != place:
            found.append(f"DE of {row.entrant}: place {row.place}, not {place}")
    return found


def _ranked(records: Records, code: str, capped: bool) -> list[Standing]:
    return tie_breaks.rank_by_tie_breaks(records, codes=[code], capped=capped)


def _their_figures(program: Path, report: Path, last: int, codes: list[str]) -> dict[int, list[float]]:
    """By entrant, the points and the figures. :raises subprocess.CalledProcessError: the program failed."""
    command = [sys.executable, str(program), "-i", str(report), "-f", "TRF", "-o", "-", "-s", "-n", str(last), "-t"]
    answer = subprocess.run([*command, "PTS", *codes], capture_output=True, text=True, check=True).stdout
    rows = json.loads(answer)["tiebreakResult"]["competitors"]
    return {row["cid"]: [float(figure) for figure in row["tiebreakScore"]] for row in rows}
