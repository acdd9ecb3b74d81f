"""The measurement of live tables: it plays whole runs, and notices a site that loses moves or shows wrong boards."""

import asyncio
from io import StringIO
from time import perf_counter

import pytest
from django.core.management import CommandError, call_command

from cardsite.management.commands.bench_live import Site, check, new_run, open_tables, seat_players
from games import services
from games.management.bench.live_tables import Accepted, Run, Sitting, WrongAnswer, percentile
from games.models import Move, Table
from games.record import replay

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("game", ["casino", "gin-rummy"])
def test_two_tables_are_played_over_http_and_every_move_is_stored(live_url, game, settings):
    out = StringIO()
    call_command("bench_live", "--at", live_url, "--tables", "2", "--seconds", "1.5", "--game", game, stdout=out)
    way, processes, tables, moves, *figures = out.getvalue().splitlines()[-1].split()
    assert (way, processes, tables) == ("fast" if settings.FAST_MOVES else "plain", "1", "2")
    assert int(moves) == Move.objects.count() > 2
    assert float(figures[1]) > 0


def test_a_run_in_which_nobody_could_move_does_not_count(live_url, settings):
    # The players log in where the site does not look.
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.cache"
    here = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    settings.CACHES = settings.CACHES | {settings.SESSION_CACHE_ALIAS: here}
    with pytest.raises(CommandError, match="does not count: .*Nobody moved"):
        call_command("bench_live", "--at", live_url, "--tables", "1", "--seconds", "0.5", stdout=StringIO())


def played(*, offers=None):
    """A table with one stored move, and what a player would say of it."""
    [sitting] = open_tables("casino", 1)
    table = Table.objects.with_seats().get(code=sitting.code)
    state = replay.state_of(table)
    [seat] = state.to_act
    legal = tuple(map(str, state.view(seat).offered))
    services.play_move(table_id=table.pk, seat=seat, text=legal[0], version=table.version)
    sitting.accepted.append(Accepted(table.version, seat, legal[0], legal if offers is None else offers))
    return sitting


def test_a_correct_table_passes_the_check():
    check([played()], [])


def test_a_lost_move_is_noticed():
    sitting = played()
    Move.objects.all().delete()
    with pytest.raises(WrongAnswer, match="1 moves were accepted and 0 are stored"):
        check([sitting], [])


def test_a_board_of_another_position_is_noticed():
    with pytest.raises(WrongAnswer, match="other moves than its position"):
        check([played(offers=("AC",))], [])


def test_a_percentile_is_a_value_that_was_measured():
    assert [percentile(range(1, 101), share) for share in (0.5, 0.95, 0.99)] == [51, 96, 100]
    assert percentile([], 0.5) == 0


@pytest.mark.parametrize(("due", "moves"), [(0.01, True), (0.2, False)])
def test_a_table_whose_time_comes_after_the_end_does_not_move_at_it(due, moves):
    """All of them would, in the same instant."""
    run, now = Run(addresses=[], seconds=0.05, pace=1, seed=1, is_stored=None, meter=None), perf_counter()
    run.end, run.next_turn["code"] = now + 0.05, now + due
    assert asyncio.run(run.comes_to(Sitting("code"))) is moves


def wires(**how):
    """The port of each of two connections for a hundred tables at a site of three processes."""
    addresses = [("127.0.0.1", port) for port in (1, 2, 3)]
    run = Run(addresses=addresses, seconds=1, pace=0, seed=1, is_stored=None, meter=None, **how)
    return [[run.wire(f"table{number}").port for _ in range(2)] for number in range(100)]


def test_with_routing_all_connections_of_a_table_go_to_one_process():
    found = wires(is_routed=True)
    assert all(one == other for one, other in found)
    assert {one for one, _ in found} == {1, 2, 3}
    assert any(one != other for one, other in wires(is_routed=False))


def test_several_processes_serve_one_game_and_every_player_sees_the_same(start_site, transactional_db, valkey):
    """Each follows in memory what the others store; the checks of the measurement find a wrong or an old board."""
    with start_site("web-1") as (one, _), start_site("web-2") as (other, _):
        sittings = open_tables("casino", 3)
        run = new_run(Site([one, other], []), is_routed=False, pace=0, seconds=1.5, seed=1)
        players = [player for sitting in sittings for player in seat_players(run, sitting)]
        asyncio.run(run.play(players))
        check(sittings, players)
    assert Move.objects.count() > 6
