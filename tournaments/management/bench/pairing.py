"""Benchmark of Swiss pairing: how long a round takes, and how good it is, compared with other programs.

All pair the same round of the same event, and reading it is part of the time. Seconds are processor time of this
process and its children, since one of the programs is a process of its own and other work should count little.
"""

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from random import Random
from shutil import which
from tempfile import TemporaryDirectory
from time import process_time

from tournaments.formats import tie_breaks, trf
from tournaments.formats.contract import Entrant, MatchRecord, Records
from tournaments.formats.swiss import Swiss

Pair = tuple[int, ...]  # two ids, or one for a bye
PairRound = Callable[[Records], list[Pair]]
SWISS = Swiss(planned_rounds=30)  # more than anybody asks for
RESULTS = ((1, 2), (1, 2), (2, 1), (1, 1))


def played(entrants: int, rounds: int, rng: Random) -> Records:
    """An event of which so many rounds have been played, with results by lot; ids are seeds."""
    field, matches = [Entrant(seed, seed) for seed in range(1, entrants + 1)], list[MatchRecord]()
    for _round in range(rounds):
        new = SWISS.next_matches(Records(field, matches))
        matches += [match if match.places else replace(match, places=rng.choice(RESULTS)) for match in new]
    return Records(field, matches)


# The contenders


def ours(records: Records) -> list[Pair]:
    return [match.entrants for match in SWISS.next_matches(records)]


def networkx_near(records: Records) -> list[Pair]:
    """The exact matching where everyone can meet the next 20 in the ranking. :raises ImportError: not installed."""
    return _networkx(records, near=20)


def networkx_all(records: Records) -> list[Pair]:
    """The exact matching of all with all. :raises ImportError: not installed."""
    return _networkx(records, near=len(records.entrants))


def _networkx(records: Records, *, near: int) -> list[Pair]:
    """Of an even field; less difference of points, squared, is better, and nobody meets twice."""
    networkx = import_module("networkx")
    scores, met = _scores(records), _met(records)
    ranking = sorted(scores, key=lambda entrant: (-scores[entrant], entrant))
    graph = networkx.Graph()
    for i, one in enumerate(ranking):
        for other in ranking[i + 1 : i + 1 + near]:
            if other not in met[one]:
                graph.add_edge(one, other, weight=-((scores[one] - scores[other]) ** 2))
    return list(networkx.max_weight_matching(graph, maxcardinality=True))


def swisspair(records: Records) -> list[Pair]:
    """In C++; it knows points and meetings, but neither seeds nor seats. :raises ImportError: not installed."""
    module = import_module("swisspair")
    scores, met = _scores(records), _met(records)
    ranking = sorted(scores, key=lambda entrant: (-scores[entrant], entrant))
    players = [
        module.Player(
            id=str(entrant), points=scores[entrant], rank=rank, cannot_be_paired_against_ids=set(map(str, met[entrant]))
        )
        for rank, entrant in enumerate(ranking, start=1)
    ]
    pairs = [(match.p1, match.p2) for match in module.create_matches(players)]
    return [tuple(int(player.id) for player in pair if player) for pair in pairs]


def py4swiss(records: Records) -> list[Pair]:
    """The Dutch system of FIDE, with its matching in C++. :raises ImportError: not installed."""
    engine, parser = import_module("py4swiss.engines").DutchEngine, import_module("py4swiss.trf").TrfParser
    with TemporaryDirectory() as folder:
        pairings = engine.generate_pairings(parser.parse(_report(records, folder)))
    return [tuple(seed for seed in (pairing.white, pairing.black) if seed) for pairing in pairings]


def bbp_pairings(records: Records) -> list[Pair]:
    """The Dutch system of FIDE, in C++. :raises ImportError: it is not on the path."""
    program = which("bbpPairings") or which("bbpPairings.exe")
    if program is None:
        raise ImportError("bbpPairings is not on the path")
    with TemporaryDirectory() as folder:
        command = [program, "--dutch", str(_report(records, folder)), "-p"]
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [tuple(seed for seed in map(int, line.split()) if seed) for line in answer.splitlines()[1:]]


def _report(records: Records, folder: str) -> Path:
    names = {entrant.id: f"player {entrant.seed}" for entrant in records.entrants}
    standings = tie_breaks.rank_by_tie_breaks(records, codes=())
    path = Path(folder) / "event.trf"
    path.write_text(trf.trf_document(records, standings, title="bench", names=names, rounds=9))
    return path


@dataclass(frozen=True, slots=True)
class Contender:
    """at_most: entrants; it takes minutes or more memory than there is beyond."""

    name: str
    pair: PairRound
    at_most: int


CONTENDERS = (
    Contender("ours", ours, 100_000),
    Contender("networkx, exact", networkx_all, 100),
    Contender("networkx, 20 near", networkx_near, 1000),
    Contender("py4swiss, Dutch", py4swiss, 1000),
    Contender("bbpPairings, Dutch", bbp_pairings, 1000),
    Contender("swisspair", swisspair, 100_000),
)


# The race


@dataclass(frozen=True, slots=True)
class PairingOutcome:
    """seconds: the best of all times. across: pairs of different points. met: pairs that had met before.

    distance: the differences of points, squared, added up.
    """

    seconds: float
    across: int
    distance: float
    met: int


def run_contenders(contender: Contender, records: Records, *, times: int) -> PairingOutcome:
    """times: at most, and none that begins after a second. :raises ImportError: the contender is not installed."""
    seconds: list[float] = []
    while len(seconds) < times and sum(seconds) < 1:
        begin = _processor_seconds()
        pairs = contender.pair(records)
        seconds.append(_processor_seconds() - begin)
    return _outcome(records, pairs, min(seconds))


def _processor_seconds() -> float:
    return process_time() + sum(os.times()[2:4])


def _outcome(records: Records, pairs: Sequence[Pair], seconds: float) -> PairingOutcome:
    scores, met = _scores(records), _met(records)
    assert sorted(e for pair in pairs for e in pair) == sorted(scores), "everybody is paired once"
    gaps = [abs(scores[pair[0]] - scores[pair[1]]) / 2 for pair in pairs if len(pair) == 2]
    again = sum(pair[1] in met[pair[0]] for pair in pairs if len(pair) == 2)
    return PairingOutcome(seconds, sum(gap > 0 for gap in gaps), sum(gap**2 for gap in gaps), again)


def _scores(records: Records) -> dict[int, int]:
    """Half points."""
    return {s.entrant: int(2 * (s.points or 0)) for s in tie_breaks.rank_by_tie_breaks(records, codes=())}


def _met(records: Records) -> dict[int, set[int]]:
    met: dict[int, set[int]] = {entrant.id: set() for entrant in records.entrants}
    for match in records.matches:
        for entrant in match.entrants:
            met[entrant].update(match.others(entrant))
    return met
