"""The nightly search: which games it takes, that it takes each once, and the puzzles of the next days."""

from datetime import date, timedelta
from random import Random

import pytest
from celery.signals import before_task_publish

from games import bots, engines, services
from games.bots.matches import play_game
from games.bots.puzzles import Record
from games.core.deals import Decks, verifiable_decks
from games.models import Table
from tests.bots.test_puzzles import ALL_THE_SAME, ONLY_THE_TEN_WINS
from tests.tutorials.puzzle_samples import NOW, store_sample
from tutorials import puzzle_search
from tutorials.models import Puzzle, PuzzleNight, PuzzleSource
from tutorials.puzzle_search import FinishedGame
from tutorials.signals import bot_games_wanted

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

SIXTY_SIX = engines.get("sixty-six")


def last_trick_of(name, position):
    """A game that lasts one move more."""
    start = SIXTY_SIX.load(position)
    record = Record(SIXTY_SIX, start, [(0, start.view(0).moves[0])])
    return FinishedGame(name, "sixty-six", lambda: record)


@pytest.fixture
def bot_games(monkeypatch):
    """Games that bots have finished, for the search; club bots play none of their own."""
    games = [last_trick_of("one", ONLY_THE_TEN_WINS), last_trick_of("two", ALL_THE_SAME)]
    monkeypatch.setattr(puzzle_search, "STOCK", 0)

    def finished(**kwargs):
        return games

    bot_games_wanted.connect(finished)
    yield games
    bot_games_wanted.disconnect(finished)


def run_night(now=NOW):
    puzzle_search.start_night(now=now)
    for night in PuzzleNight.objects.exclude(due_at=None):
        while night.due_at is not None:
            puzzle_search.search_slice(night_id=night.pk, now=now)
            night.refresh_from_db()


def test_a_night_stores_what_it_finds_with_how_it_was_checked(bot_games):
    run_night()
    puzzle = Puzzle.objects.get()
    assert (puzzle.best, puzzle.gain, puzzle.source.name) == (["TH"], 2.0, "one")
    assert [check["seed"].split()[-1] for check in puzzle.checks] == ["first", "second"]
    assert puzzle.chosen["strong"] == {"TH": 4}
    assert puzzle.state.dump() == puzzle.position
    assert puzzle.skill.number > 1500  # bots miss it
    assert set(PuzzleSource.objects.values_list("name", flat=True)) == {"one", "two"}


def test_a_game_is_searched_once(bot_games):
    run_night()
    run_night()
    run_night(NOW + timedelta(days=1))
    assert (Puzzle.objects.count(), PuzzleSource.objects.count(), PuzzleNight.objects.count()) == (1, 2, 2)


def test_a_slice_that_runs_twice_does_no_harm(bot_games):
    puzzle_search.start_night(now=NOW)
    night = PuzzleNight.objects.get()
    for _ in range(3):
        puzzle_search.search_slice(night_id=night.pk, now=NOW)
    assert Puzzle.objects.count() == 1


def test_storing_a_puzzle_twice_keeps_one(bot_games):
    record = bot_games[0].load()
    found = next(puzzle_search.find_puzzles(record, seed="a", clock=lambda: 0.0, until=1.0))
    source = PuzzleSource.objects.create(name="one", game="sixty-six", searched_at=NOW)
    first = puzzle_search.store_puzzle(source, SIXTY_SIX, found, now=NOW)
    assert puzzle_search.store_puzzle(source, SIXTY_SIX, found, now=NOW) == first


def test_a_night_ends_when_its_seconds_are_used(bot_games, monkeypatch):
    monkeypatch.setattr(puzzle_search, "NIGHT_SECONDS", 0.0)
    run_night()
    assert not PuzzleSource.objects.exists()


def test_the_first_night_starts_by_itself_and_a_lost_slice_is_due_again(bot_games):
    (night,) = puzzle_search.claim_due_nights(now=NOW)
    assert puzzle_search.claim_due_nights(now=NOW) == []
    later = NOW + puzzle_search.SLICE_TIMEOUT
    assert puzzle_search.claim_due_nights(now=later) == [night]


def test_the_search_rests_between_slices_once_the_next_days_have_puzzles(
    bot_games, monkeypatch, valkey, django_capture_on_commit_callbacks
):
    monkeypatch.setattr(puzzle_search, "SLICE_SECONDS", 0.0)
    rests = []

    def note(headers, **kwargs):
        rests.append(headers["eta"] is not None)

    before_task_publish.connect(note)
    puzzle_search.start_night(now=NOW)
    for number in range(puzzle_search.SCHEDULED_DAYS + 1):
        store_sample(f"game {number}")
        with django_capture_on_commit_callbacks(execute=True):
            puzzle_search.search_slice(night_id=PuzzleNight.objects.get().pk, now=NOW)
    before_task_publish.disconnect(note)
    assert rests == [False, False, True]


def test_bots_play_where_a_game_has_few_puzzles():
    offered = [next(puzzle_search._games_of_club_bots())]
    PuzzleSource.objects.create(name=offered[0].name, game=offered[0].game, searched_at=NOW)
    offered.append(next(puzzle_search._games_of_club_bots()))
    assert {offer.game for offer in offered} < set(puzzle_search.QUICK) and offered[0].game != offered[1].game
    record = offered[0].load()
    assert record.moves == offered[0].load().moves  # so a lost search can be repeated


# Games of people


@pytest.fixture
def finished_table(person):
    """A public game of two people that is over."""
    options = SIXTY_SIX.read_options(None, 2)
    decks = Decks(verifiable_decks(SIXTY_SIX.deck(options), bytes(32), ","))
    played = play_game(SIXTY_SIX, [bots.bot("sixty-six", "club")] * 2, decks, Random(1), options)
    table = services.record_table(
        game="sixty-six",
        players=[person("ann").pk, person("bob").pk],
        options=options,
        secret=bytes(32),
        moves=[(seat, str(move)) for seat, move in played.moves],
        at=NOW,
    )
    Table.objects.update(is_private=False, shares_deals=False)
    table.refresh_from_db()
    return table


def offered_tables():
    return [game.table for game in puzzle_search._tables(NOW)]


def test_a_finished_game_of_people_is_searched_with_its_own_moves(finished_table):
    assert offered_tables() == [finished_table]
    record = puzzle_search.record_of(finished_table)
    assert len(record.moves) == finished_table.move_count
    state = record.start.copy()
    for seat, move in record.moves:
        state.play(seat, move)
    assert state.outcome() is not None


@pytest.mark.parametrize(
    "change",
    [
        {"is_private": True},
        {"is_hidden": True},
        {"is_compared": True},
        {"shares_deals": True},
        {"offers_deal": True},
        {"branch_at": 3},
        {"status": "running"},
        {"ended_by": "resigned"},
        {"rules_version": 0},
        {"finished_at": NOW - timedelta(days=30)},
    ],
)
def test_other_games_are_not(finished_table, change):
    Table.objects.update(**change)
    assert offered_tables() == []


def test_a_searched_game_is_not_offered_again(finished_table):
    PuzzleSource.objects.create(name="table 1", game="sixty-six", table=finished_table, searched_at=NOW)
    assert offered_tables() == []


# The puzzles of the days


def test_the_next_days_get_puzzles_and_keep_them():
    for number in range(4):
        store_sample(f"game {number}")
    puzzle_search.schedule_days(now=NOW)
    chosen = dict(Puzzle.objects.exclude(day=None).values_list("day", "pk"))
    assert sorted(chosen) == [date(2026, 3, 1), date(2026, 3, 2), date(2026, 3, 3)]
    puzzle_search.schedule_days(now=NOW + timedelta(days=1))
    later = dict(Puzzle.objects.exclude(day=None).values_list("day", "pk"))
    assert {day: later[day] for day in chosen} == chosen and len(later) == 4


def test_a_day_whose_puzzle_may_no_longer_be_shown_gets_another():
    """By the rules of today it is none, so its day would have the one of some other day."""
    old = store_sample("old", day=NOW.date())
    Puzzle.objects.update(rules_version=old.rules_version - 1)
    new = store_sample("new")
    puzzle_search.schedule_days(now=NOW)
    old.refresh_from_db(), new.refresh_from_db()
    assert (old.day, new.day) == (None, NOW.date())


def test_games_take_turns_at_the_puzzle_of_the_day():
    for number in range(3):
        store_sample(f"game {number}")
    Puzzle.objects.filter(source__name="game 2").update(
        game="casino", rules_version=engines.get("casino").rules_version
    )
    puzzle_search.schedule_days(now=NOW)
    games = list(Puzzle.objects.exclude(day=None).order_by("day").values_list("game", flat=True))
    assert games == ["casino", "sixty-six", "sixty-six"]
