from io import StringIO
from random import Random

from django.core.management import call_command

from tournaments.management.bench.pairing import CONTENDERS, Contender, played, run_contenders


def test_the_race_pairs_a_round_and_says_who_is_not_there():
    out = StringIO()
    call_command("bench_pairing", "--entrants", "8", "--round", "3", stdout=out)
    rows = [line for line in out.getvalue().splitlines() if line.startswith("  ours")]
    assert len(rows) == 1
    assert all(contender.name in out.getvalue() for contender in CONTENDERS)


def test_what_is_far_apart_and_what_meets_again_is_counted():
    records = played(4, 1, Random(1))
    again = Contender("the same again", lambda _: [match.entrants for match in records.matches], 4)
    outcome = run_contenders(again, records, times=1)
    assert outcome.met == 2
    decisive = sum(match.places != (1, 1) for match in records.matches)
    assert (outcome.across, outcome.distance) == (decisive, decisive)
