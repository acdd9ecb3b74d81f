"""Sparring players: their adapters, and the command that measures house bots by them."""

import signal
from io import StringIO
from random import Random
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from games.bots import bot
from games.bots.experts import EXPERTS
from games.bots.matches import Comparison
from games.core.deals import Decks, random_decks
from games.core.moves import TAKE
from games.engines.gin_rummy.game import GIN_RUMMY
from games.engines.gin_rummy.moves import Knock
from games.engines.partnership_cribbage.game import PARTNERSHIP_CRIBBAGE
from games.engines.sixty_six.game import SIXTY_SIX
from games.engines.sixty_six.moves import CLAIM
from games.management.bench import open_spiel_table
from games.management.bench.open_spiel_table import CARD_OF, KNOCK, NUMBER_OF, PASS, OurPlayer, view_of
from games.management.bench.sparring import (
    SPARRING_BARS,
    TABLES,
    GreedyCribbage,
    OpenSpielGin,
    OwnTable,
    PlainMonteCarlo,
    RLCardNovice,
    Stopwatch,
)
from games.management.commands import botmatch

HAND = "5S 6S 7S TS TC TD 2C 3D 4H AC".split()
OTHER = "9S 8C KD QH JD 4C 6D 9H 3H 2H".split()


def printed(*given: str) -> str:
    out = StringIO()
    call_command("botmatch", *given, stdout=out)
    return out.getvalue()


class StopButton(StringIO):
    """Sends the signal to this process as soon as something is written."""

    def __init__(self, number: signal.Signals) -> None:
        super().__init__()
        self.number = number

    def write(self, text: str) -> int:
        signal.raise_signal(self.number)
        return super().write(text)


# OpenSpiel's table


def open_spiel_state(phase: str, *, upcard: str | None, history: list[tuple[int, int]], hand=HAND, legal=()):
    """What the adapter asks a state of OpenSpiel's Gin Rummy, for two players with these hands."""
    dealt = [(-1, NUMBER_OF[card]) for card in (*HAND, *OTHER, "KS")]
    return SimpleNamespace(
        hands=lambda: [[NUMBER_OF[card] for card in hand], [NUMBER_OF[card] for card in OTHER]],
        known_cards=lambda: [[], []],
        discard_pile=lambda: [],
        upcard=lambda: NUMBER_OF.get(upcard),
        stock_size=lambda: 31 if phase != "WALL" else 2,
        current_phase=lambda: SimpleNamespace(name=phase),
        full_history=lambda: [SimpleNamespace(player=player, action=action) for player, action in dealt + history],
        legal_actions=lambda: list(legal),
    )


class TableOfMelds:
    """Numbers of melds, as OpenSpiel's table knows them."""

    number_of_meld = {open_spiel_table.mask("5S 6S 7S".split()): 100, open_spiel_table.mask("TS TC TD".split()): 101}


def test_open_spiel_numbers_cards_suit_by_suit():
    assert (CARD_OF[0], CARD_OF[13], CARD_OF[51]) == ("AS", "AC", "KH")
    assert len(NUMBER_OF) == 52


def test_a_position_of_open_spiel_is_seen_as_a_view_of_ours():
    view = view_of(open_spiel_state("FIRST_UPCARD", upcard="KS", history=[]), 0)
    assert (set(view.hand), view.upcard, view.phase, view.hand_counts) == (set(HAND), "KS", "first-upcard", (10, 10))
    passed = view_of(
        open_spiel_state("DRAW", upcard="KC", history=[(0, PASS), (1, PASS), (0, 53), (0, 24), (1, 53)]), 0
    )
    assert [letter for _seat, letter, _card in passed.deeds] == ["P", "P", "D", "X", "D"]
    assert TAKE in passed.moves


def test_a_knock_is_made_step_by_step_at_open_spiels_table():
    state = open_spiel_state("DISCARD", upcard=None, history=[(0, 53)], hand=[*HAND, "KS"], legal=[1, 2, KNOCK])
    player = OurPlayer(TableOfMelds(), bot("gin-rummy", "strong"), 0, Random(1))
    steps = []
    for legal in ([1, 2, KNOCK], [NUMBER_OF["KS"], 3], [100, 101], [101, PASS], [PASS]):
        state.legal_actions = lambda legal=legal: list(legal)
        steps.append(player.step(state))
    assert steps[0] == KNOCK and steps[2:] == [100, 101, PASS]


def test_at_the_wall_a_player_may_only_knock_with_the_upcard():
    state = open_spiel_state("WALL", upcard="KS", history=[], legal=[PASS, KNOCK])
    seen = view_of(state, 0)
    assert "KS" in seen.hand and any(isinstance(move, Knock) for move in seen.moves)
    player = OurPlayer(TableOfMelds(), bot("gin-rummy", "strong"), 0, Random(1))
    assert player.step(state) == KNOCK


def test_a_hand_against_open_spiels_simple_bot_is_played_to_its_end():
    pytest.importorskip("pyspiel")
    table, rng = OpenSpielGin(), Random(3)
    decks = Decks(random_decks(GIN_RUMMY.deck(GIN_RUMMY.read_options(None, 2)), rng))
    leads = [table.play(bot("gin-rummy", "club"), seat, decks, rng) for seat in (0, 1)]
    assert any(leads)


# At our own tables


def test_rlcards_novice_plays_a_hand_at_our_table():
    pytest.importorskip("rlcard")
    try:
        novice = RLCardNovice()
    except ImportError as error:
        pytest.skip(str(error))
    rng = Random(1)
    decks = Decks(random_decks(GIN_RUMMY.deck(GIN_RUMMY.read_options(None, 2)), rng))
    table = OwnTable(GIN_RUMMY, Stopwatch(novice), is_hand=True)
    assert isinstance(table.play(bot("gin-rummy", "strong"), 0, decks, rng), float)


def test_the_greedy_player_keeps_the_highest_average_count_and_pegs_at_once():
    greedy = GreedyCribbage()
    hands = ["5C 5D 5H JS 2D 9H", "KC QC 8D 7D 3S AS"]
    state = PARTNERSHIP_CRIBBAGE.load({"seats": 2, "phase": "discard", "hands": hands})
    assert str(greedy.choose(state.view(0), Random(1))) == "D:2D,9H"
    hands = ["5C 8H QS 2C", "2D 3D 4D"]
    play = PARTNERSHIP_CRIBBAGE.load({"seats": 2, "hands": hands, "starter": "KH", "played": "1:TS"})
    assert str(greedy.choose(play.view(0), Random(1))) == "5C"


def test_plain_monte_carlo_claims_only_what_is_won():
    state = SIXTY_SIX.start(random_decks(SIXTY_SIX.deck({}), Random(2)))
    view = state.view(state.to_act[0])
    move = PlainMonteCarlo(worlds=1, playouts=2).choose(view, Random(1))
    assert move in view.moves and move != CLAIM


# The command


def test_botmatch_stops_when_the_interval_is_narrow_enough():
    text = printed(
        "gin-rummy", "--levels", "club", "first-steps", "--matches", "60", "--margin", "0.5", "--option", "target=50"
    )
    assert "gin-rummy, 2 seats, 20 mirrored matches: club beats first-steps" in text
    assert "ms a move" in text
    assert "bar 70%: " in text


def test_botmatch_says_how_a_long_run_stands(monkeypatch):
    monkeypatch.setattr(botmatch, "SECONDS_BETWEEN_REPORTS", 0)
    err = StringIO()
    given = ("gin-rummy", "--levels", "club", "first-steps", "--matches", "3", "--option", "target=50")
    call_command("botmatch", *given, stdout=StringIO(), stderr=err)
    assert [line.split(":")[0].strip() for line in err.getvalue().splitlines()] == [
        "1 matches so far",
        "2 matches so far",
    ]


@pytest.mark.parametrize("more", [("--levels", "expert", "strong"), ("--against", "greedy", "--level", "expert")])
def test_botmatch_names_a_level_that_a_game_does_not_have_yet(monkeypatch, more):
    monkeypatch.delitem(EXPERTS, "partnership-cribbage")
    with pytest.raises(CommandError, match="^partnership-cribbage has no bot of the level expert yet.$"):
        printed("partnership-cribbage", *more)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("given", "found", "last"),
    [
        (("--levels", "club", "first-steps", "--levels", "strong", "club"), "club beats first-steps", "bar 70%"),
        (("--against", "greedy", "--level", "first-steps", "--level", "club"), "first-steps beats greedy", "a game"),
    ],
)
def test_a_stopped_botmatch_prints_what_it_has_played(monkeypatch, number, given, found, last):
    monkeypatch.setattr(botmatch, "SECONDS_BETWEEN_REPORTS", 0)
    out, before = StringIO(), signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ctrl_c = signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background may ignore it
    try:
        with pytest.raises(CommandError, match="Stopped"):
            call_command("botmatch", "partnership-cribbage", *given, matches=3, stdout=out, stderr=StopButton(number))
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, ctrl_c)
    first, second = out.getvalue().splitlines()
    assert f"1 mirrored matches: {found}" in first and last in second


def test_a_bar_is_reached_by_the_low_end_of_the_interval():
    text = printed("gin-rummy", "--levels", "first-steps", "club", "--matches", "20", "--option", "target=50")
    assert "bar" not in text
    found = Comparison((0.6, 0.7, 0.8))
    low, high = found.interval
    out = StringIO()
    for bar in (low - 0.01, found.mean, high + 0.01):
        botmatch.Command(stdout=out).print_bar("x", found, bar)
    assert out.getvalue().splitlines() == ["    bar x: reached", "    bar x: not certain", "    bar x: missed"]


def test_every_sparring_player_has_bars():
    assert {name for tables in TABLES.values() for name in tables} == set(SPARRING_BARS)


def test_botmatch_measures_a_level_against_a_sparring_player():
    text = printed("partnership-cribbage", "--against", "greedy", "--level", "club", "--matches", "2")
    assert "partnership-cribbage, 2 mirrored matches: club beats greedy" in text
    assert "points a game" in text


@pytest.mark.parametrize("given", [(), ("casino", "--against", "greedy"), ("casino", "--all")])
def test_botmatch_refuses_what_it_cannot_play(given):
    with pytest.raises(CommandError):
        printed(*given)


@pytest.mark.parametrize("option", ["target=99", "target"])
def test_botmatch_names_the_range_of_an_option(option):
    with pytest.raises(CommandError, match="choose from 100 to 500"):
        printed("krambambuli", "--option", option)
