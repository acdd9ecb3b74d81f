"""What games make of a selection on the table: `Game.attempt`, then `State.play`."""

from random import Random

import pytest

from games.core.contract import GameError, UnreadableMove
from games.engines import GAMES, get
from tests.core.test_contract import positions, start

POSITIONS = 60
SELECTIONS = 4


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_selection_is_a_move_or_is_explained(game):
    rng = Random(7)
    for state in positions(start(game, game.seats[-1], 7), 7, POSITIONS):
        for seat in state.to_act:
            view = state.view(seat)
            names = list(dict.fromkeys(name for zone in view.zones for name in (zone.id, *zone.cards)))
            for _ in range(SELECTIONS):
                picks = rng.sample(names, min(len(names), rng.randint(1, 4)))
                try:
                    state.copy().play(seat, game.attempt(view, picks))
                except UnreadableMove as error:
                    assert str(error).endswith(".")
                except GameError as error:
                    assert error.rule


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_touches_of_a_legal_move_mean_a_legal_move(game):
    for state in positions(start(game, game.seats[0], 8), 8, POSITIONS):
        for seat in state.to_act:
            view = state.view(seat)
            for move in view.offered[:12]:
                touches = view.choice(move).touches
                if touches:
                    state.copy().play(seat, game.attempt(view, touches))


def answer(slug, position, picks):
    """The rule that stands against a selection, the move if nothing does."""
    game = get(slug)
    state = game.load(position)
    [seat] = state.to_act
    try:
        move = game.attempt(state.view(seat), picks.split())
        state.copy().play(seat, move)
    except GameError as error:
        return error.rule
    return str(move)


CASINO_TABLE = {
    "to_move": 1,
    "hands": {1: "8S 5H KC 2D"},
    "loose": "3C 4D KH KD QC 6S",
    "builds": [{"value": 8, "sets": ["2C 6C"], "controller": 0}],
}
OWN_BUILD = {**CASINO_TABLE, "builds": [{"value": 8, "sets": ["2C 6C"], "controller": 1}]}


@pytest.mark.parametrize(
    ("picks", "said"),
    [
        ("8S 3C 4D", "casino:capture-sum"),
        ("8S 3C KH", "casino:capture-face"),
        ("KC QC", "casino:capture-face"),
        ("KC KH KD", "casino:capture-face-one"),
        ("5H build:8", "casino:capture-build"),
        ("2D build:8", "casino:build-hold"),
        ("5H 4D", "casino:build-hold"),
        ("5H 2D", "casino:one-card"),
        ("3C 4D", "casino:one-card"),
        ("stock", "casino:deal-next"),
        ("won:1", "casino:capture-pile"),
        ("5H 3C", "5H=8:3C"),
        ("5H 3C build:8", "5H=8:3C+[8]"),
        ("2D 6S", "2D=8:6S"),
        ("8S build:8", "8Sx[8]"),
        ("2D", "2D"),
    ],
)
def test_casino_reads_a_selection_as_the_play_that_is_meant(picks, said):
    assert answer("casino", CASINO_TABLE, picks) == said


@pytest.mark.parametrize(
    ("picks", "said"), [("2D", "casino:no-trail-with-build"), ("8S", "casino:no-trail-with-build")]
)
def test_casino_says_what_a_builder_owes(picks, said):
    assert answer("casino", OWN_BUILD, picks) == said


def test_royal_casino_builds_with_courts():
    position = {"to_move": 1, "hands": {1: "2D KC"}, "loose": "JH 3C"}
    assert answer("royal-casino", position, "2D JH") == "2D=13:JH"
    assert answer("royal-casino", position, "KC JH 3C") == "royal-casino:capture-sum"


GIN_HAND = "3H 4H 5H 7C 7D 7S KC QD JC 2S AS"
GIN_TO_DISCARD = {"hands": [GIN_HAND, "TC TD"], "phase": "discard", "to_move": 0, "taken_upcard": "AS"}
GIN_TO_DRAW = {"hands": [GIN_HAND[:-3], "TC TD"], "phase": "draw", "to_move": 0, "upcard": "9C"}


@pytest.mark.parametrize(
    ("position", "picks", "said"),
    [
        (GIN_TO_DRAW, "KC", "gin-rummy:turn-draw"),
        (GIN_TO_DRAW, "3H 4H 5H", "gin-rummy:turn-draw"),
        (GIN_TO_DRAW, "9C", "U"),
        (GIN_TO_DISCARD, "stock", "gin-rummy:turn-draw"),
        (GIN_TO_DISCARD, "AS", "gin-rummy:no-return-upcard"),
        (GIN_TO_DISCARD, "3H 4H 5H 7C 7D 7S", "gin-rummy:knock-limit"),
        (GIN_TO_DISCARD, "KC QD JC", "gin-rummy:meld-run"),
        (GIN_TO_DISCARD, "KC QD", "gin-rummy:turn-discard"),
        (GIN_TO_DISCARD, "7C 7D", "gin-rummy:turn-discard"),
        (GIN_TO_DISCARD, "7C 7D 3H", "gin-rummy:meld-set"),
        (GIN_TO_DISCARD, "KC", "X KC"),
        ({"hands": ["3H", "4C"], "phase": "draw", "to_move": 0, "upcard": None}, "discards", "gin-rummy:turn-draw"),
    ],
)
def test_gin_rummy_reads_melds_as_a_knock(position, picks, said):
    assert answer("gin-rummy", position, picks) == said


SIXTY_SIX_LEAD = {"hands": ["AS KH QH 9D JC TC", "9C"], "upcard": "AD", "to_move": 0}


@pytest.mark.parametrize(
    ("position", "picks", "said"),
    [
        (SIXTY_SIX_LEAD, "KH QH", "MH"),
        (SIXTY_SIX_LEAD, "AS TC", "sixty-six:trick-winner"),
        ({**SIXTY_SIX_LEAD, "hands": ["AS KH QS 9D JC TC", "9C"]}, "KH QS", "sixty-six:marriage"),
        (SIXTY_SIX_LEAD, "9D AD", "sixty-six:nine-exchange"),
        (SIXTY_SIX_LEAD, "JC AD", "sixty-six:nine-exchange"),
        (SIXTY_SIX_LEAD, "stock", "sixty-six:draw-order"),
        (SIXTY_SIX_LEAD, "won:1", "sixty-six:no-looking-back"),
        (SIXTY_SIX_LEAD, "AD", "CL"),
        (
            {"hands": ["AS KH QH JC TC", "9C"], "upcard": None, "trump": "D", "led": "9H", "to_move": 0},
            "AS",
            "sixty-six:strict-follow",
        ),
    ],
)
def test_sixty_six_reads_two_cards_as_a_marriage(position, picks, said):
    assert answer("sixty-six", position, picks) == said


CUARENTA_POT = {"hands": {1: "5S 3H KC JC 6D"}, "pot": "2C 3D 5H 7S QD", "to_move": 1}


@pytest.mark.parametrize(
    ("picks", "said"),
    [
        ("5S 2C 3D", "5Sx2C+3D"),
        ("5S 5H 2C 3D", "cuarenta:one-capture"),
        ("5S 5H 7S", "cuarenta:sequence-gap"),
        ("5S 7S", "cuarenta:match"),
        ("KC QD", "cuarenta:match"),
        ("JC 2C 3D", "cuarenta:add-no-faces"),
        ("3H", "cuarenta:capture-must"),
        ("5S 3H", "cuarenta:turn-order"),
        ("2C 3D", "cuarenta:turn-order"),
        ("stock", "cuarenta:deal-again"),
        ("pile:1", "cuarenta:pile"),
        ("KC pot", "KC"),
    ],
)
def test_cuarenta_reads_higher_cards_as_a_sequence(picks, said):
    assert answer("cuarenta", CUARENTA_POT, picks) == said


def test_cuarenta_reads_cards_of_the_pot_as_a_claim_where_one_may_be_made():
    position = {**CUARENTA_POT, "claimer": 1, "overlooked": "7S"}
    assert answer("cuarenta", position, "7S") == "O:7S"
    assert answer("four-hand-cuarenta", {**CUARENTA_POT, "seats": 4}, "7S") == "four-hand-cuarenta:turn-order"


PIQUET_HANDS = {
    "hands": {"A": "AS KS QS JS AH 9H 8H AD KD 9D 9C 8C", "B": "TS 9S KH QH JH TH QD JD AC KC QC JC"},
    "dealer": "B",
}


@pytest.mark.parametrize(
    ("phase", "said", "picks", "answered"),
    [
        ("exchange", [], "9C 8C 9D", "EX 9C 8C 9D"),
        ("exchange", [], "9C 8C 9D 9H 8H KD", "piquet:elder-exchange"),
        ("exchange", [], "talon", "piquet:exchange-hidden"),
        ("declare", [], "AS KS", "PT:S"),
        ("declare", [], "AS AH", "piquet:point-length"),
        ("declare", ["PT:S", "GD"], "AS KS QS", "piquet:no-part-claims"),
        ("declare", ["PT:S", "GD"], "AS KS JS", "piquet:sequence-def"),
        ("declare", ["PT:S", "GD", "SQ:AS4", "GD"], "9C 9D 9H", "piquet:set-def"),
        ("declare", ["PT:S", "GD", "SQ:AS4", "GD"], "AS AH AD", "ST:A3"),
        ("declare", ["PT:S", "GD"], "KD", "piquet:declare-order"),
        ("declare", ["PT:S", "GD", "SQ:AS4", "GD"], "KD", "piquet:declare-order"),
        ("lead", [], "AS AH", "piquet:trick-winner"),
        ("lead", [], "talon", "piquet:trick-winner"),
    ],
)
def test_piquet_reads_a_selection_by_its_phase(phase, said, picks, answered):
    assert answer("piquet", {**PIQUET_HANDS, "phase": phase, "said": said}, picks) == answered


DROPPING = {"piles": ["KD", "7S", "AH"], "hands": ["9C QH 3D TS", "2C 5C JS"], "stock": "8D 6C 4H"}
PICKING = {"phase": "pick", "piles": ["KD", "7S", "AH"], "hands": ["9C 9H 4D", "2C"], "stock": "8D", "to_move": 0}


@pytest.mark.parametrize(
    ("position", "picks", "said"),
    [
        (DROPPING, "9C 7S", "D 9C>2"),
        (DROPPING, "9C KD", "advantage:drop-fit"),
        (DROPPING, "KD", "advantage:drop-fit"),
        (DROPPING, "9C 3D", "advantage:drop-fit"),
        (DROPPING, "9C QH 3D", "advantage:drop-fit"),
        (DROPPING, "stock", "advantage:drop-blocked-draw"),
        (PICKING, "9C 7S", "T 9C>2"),
        (PICKING, "9H pile:2", "advantage:pick-trade"),
        (PICKING, "9C 4D", "advantage:pick-trade"),
        (PICKING, "9C 9H", "advantage:pair-when"),
        (PICKING, "7S", "advantage:pick-trade"),
        (PICKING, "stock", "advantage:pick-no-free-draw"),
    ],
)
def test_advantage_reads_a_card_and_a_pile_by_the_part_of_the_round(position, picks, said):
    assert answer("advantage", position, picks) == said


TABLETOP = {"to_move": "nondealer", "card": "9H", "centre": "JD"}


@pytest.mark.parametrize(
    ("picks", "said"),
    [
        ("9H cell:b2", "9H@b2"),
        ("cell:b2", "9H@b2"),
        ("9H cell:e1", "tabletop-cribbage:touching"),
        ("9H JD", "tabletop-cribbage:touching"),
        ("9H", "tabletop-cribbage:touching"),
        ("JD cell:b2", "tabletop-cribbage:no-moving"),
        ("9H cell:b2 cell:b3", "tabletop-cribbage:turn-up-then-place"),
        ("pile:0", "tabletop-cribbage:no-peeking"),
    ],
)
def test_tabletop_cribbage_reads_a_space_as_the_place_of_the_card_turned_up(picks, said):
    assert answer("tabletop-cribbage", TABLETOP, picks) == said


CRIBBAGE_PLAY = {
    "dealer": 0,
    "hands": {0: "QD JC 9C TH", 1: "4C 9S JD", 2: "TC QH KS", 3: "6H 9D TD"},
    "played": "1:KH 2:8C 3:7D 0:GO",
}


@pytest.mark.parametrize(
    ("picks", "said"),
    [
        ("4C", "4C"),
        ("9S", "partnership-cribbage:count-limit"),
        ("KH", "partnership-cribbage:turn-order"),
        ("4C 9S", "partnership-cribbage:turn-order"),
        ("crib", "partnership-cribbage:crib-blind"),
        ("KH crib", "partnership-cribbage:crib-blind"),
        ("4C crib", "4C"),
    ],
)
def test_cribbage_reads_a_card_as_played(picks, said):
    assert answer("partnership-cribbage", CRIBBAGE_PLAY, picks) == said


def test_cribbage_reads_cards_as_laid_away_before_the_play():
    game = get("partnership-cribbage")
    state = game.load({"seats": 2, "dealer": 0, "phase": "discard", "hand": "4C 5D 6H 7S KC KD", "to_move": 1})
    view = state.view(1)
    assert str(game.attempt(view, ["KC", "KD"])) == "D:KC,KD"
    with pytest.raises(GameError) as refused:
        state.play(1, game.attempt(view, ["KC"]))
    assert refused.value.rule == "partnership-cribbage:crib-discard"
    with pytest.raises(UnreadableMove) as unread:
        game.attempt(view, ["crib"])
    assert unread.value.rule == "partnership-cribbage:crib-discard"


def test_cribbage_plays_no_card_while_hands_are_counted():
    position = {
        "seats": 2,
        "options": {"counting": "manual"},
        "phase": "show",
        "hands": ["4C 5D 6H 7S", "KC KD QS JH"],
        "starter": "5S",
    }
    assert answer("partnership-cribbage", position, "4C") == "partnership-cribbage:show-five-cards"


RUSSIAN_BANK_TURN = {
    "foundations": "AC1 2C1",
    "tableau": {0: "9H1 8S1 / KD1 / 5S1 / 2H1", 1: "6D2 / 3S2 / JH2 / QC2"},
    "stock": {0: ["7H1", 2], 1: ["9D2", 2]},
    "reserve": {0: ["TD1", 3], 1: ["4S2", 3]},
    "waste": {0: "AS2", 1: "8H2"},
    "turned": "QS1",
}


@pytest.mark.parametrize(
    ("picks", "said"),
    [
        ("7H1 8S1", "S>1 7H1"),
        ("8S1 7H1", "S>1 7H1"),
        ("7H1 8H2", "S>OW 7H1"),
        ("QS1 KD1", "R>2 QS1"),
        ("5S1 6D2", "russian-bank:tableau-own"),
        ("5S1 KD1", "russian-bank:tableau-build"),
        ("9H1 KD1", "russian-bank:tableau-single"),
        ("9H1 8S1 KD1", "russian-bank:tableau-single"),
        ("9H1 8S1", "russian-bank:tableau-single"),
        ("5S1", "russian-bank:foundation-ace"),
        ("QS1", "russian-bank:tableau-build"),
        ("8S1", "russian-bank:tableau-build"),
        ("8H2", "russian-bank:tableau-build"),
        ("2H1 2C1", "russian-bank:foundation-ace"),
        ("2C1", "russian-bank:foundation-final"),
        ("AS2", "russian-bank:waste-closed"),
        ("QS1 waste:0", "russian-bank:reserve-play"),
        ("reserve:0", "russian-bank:reserve-one-at-a-time"),
        ("reserve:1", "russian-bank:tableau-own"),
        ("5S1 9D2", "russian-bank:load-neighbour"),
        ("QS1 7H1", "russian-bank:waste-reserve-only"),
    ],
)
def test_russian_bank_reads_a_card_and_its_place(picks, said):
    assert answer("russian-bank", RUSSIAN_BANK_TURN, picks) == said


def test_who_is_not_on_turn_in_russian_bank_can_only_answer():
    game = get("russian-bank")
    state = game.load({**RUSSIAN_BANK_TURN, "options": {"mode": "casual"}})
    assert str(game.attempt(state.view(1), ["5S1", "KD1"])) == "GO"


COMMON_TABLE = {
    "table": {1: "4H1-5H1-6H1-7H1", 2: "9C1+9D1+9S1"},
    "hands": {0: "8H1 9H1 7C1 7D1 KS1 QS2 2D1", 1: "3C1 3D1"},
    "stock_count": 20,
    "to_move": 0,
}


@pytest.mark.parametrize(
    ("picks", "said"),
    [
        ("8H1 meld:1", "P x1 > 4H1-5H1-6H1-7H1-8H1"),
        ("8H1 7H1", "P x1 > 4H1-5H1-6H1-7H1-8H1"),
        ("7C1 7D1 7H1", "P x1 > 7C1+7D1+7H1 / 4H1-5H1-6H1"),
        ("7C1 7D1 6H1", "set-rank"),
        ("KS1 QS2", "meld-size"),
        ("KS1 QS2 2D1", "run-suit"),
        ("KS1 meld:2", "set-rank"),
        ("7H1 9C1", "play-at-least-one"),
        ("7C1 7D1 4H1", "set-rank"),
    ],
)
@pytest.mark.parametrize("slug", ["vatican", "shanghai"])
def test_hand_cards_join_a_meld_of_the_table_or_make_a_new_one_with_its_cards(slug, picks, said):
    opened = {"opened": [True, True]} if slug == "vatican" else {}
    expected = said if said.startswith("P ") else f"{slug}:{said}"
    assert answer(slug, {**COMMON_TABLE, **opened}, picks) == expected


def test_the_first_play_of_vatican_needs_a_run_of_the_hand():
    assert answer("vatican", COMMON_TABLE, "8H1 meld:1") == "vatican:opening-run"


def test_the_stock_of_shanghai_is_closed_to_whoever_can_play():
    assert answer("shanghai", COMMON_TABLE, "stock") == "shanghai:must-meld"


KRAMBAMBULI_TURN = {
    "seats": 2,
    "table": {1: "4H-5H-6H (0)", 2: "9C+9D+9S+9H (1)", 3: "JS-QS-KS (1)"},
    "hands": {0: "7H 8H 2C 2D TS KD", 1: "3C 3D"},
    "discards": "5C",
    "to_move": 0,
}


@pytest.mark.parametrize(
    ("phase", "picks", "said"),
    [
        ("after-draw", "7H meld:1", "L1 4H-5H-6H-7H"),
        ("after-draw", "7H 6H", "L1 4H-5H-6H-7H"),
        ("after-draw", "7H 8H 9H", "M 7H-8H-9H<2"),
        ("after-draw", "7H 8H 6H", "L1 4H-5H-6H-7H-8H"),
        ("after-draw", "7H 2C 6H", "krambambuli:steal-from-others"),
        ("after-draw", "TS JS", "krambambuli:layoff-own-only"),
        ("after-draw", "8H 9H", "krambambuli:steal-two-from-hand"),
        ("after-draw", "JS KD TS", "krambambuli:steal-leaves-valid"),
        ("after-draw", "9H 9C", "krambambuli:steal-one-per-turn"),
        ("after-draw", "2C 2D", "krambambuli:meld-size"),
        ("after-draw", "2C 2D TS", "krambambuli:set-rank"),
        ("after-draw", "2C", "X 2C"),
        ("after-draw", "2C 2D discards", "krambambuli:turn-discard"),
        ("after-draw", "5C", "krambambuli:turn-draw"),
        ("after-draw", "meld:2", "krambambuli:turn-meld"),
        ("start", "2C", "krambambuli:turn-draw"),
        ("start", "5C", "U"),
    ],
)
def test_krambambuli_reads_hand_cards_beside_melds(phase, picks, said):
    assert answer("krambambuli", {**KRAMBAMBULI_TURN, "phase": phase}, picks) == said


@pytest.mark.parametrize(
    ("picks", "said"),
    [
        ("JC JH meld:3", "krambambuli:steal-leaves-valid"),
        ("6C 6D meld:1", "krambambuli:steal-from-others"),
        ("6C JH meld:3", "krambambuli:layoff-own-only"),
    ],
)
def test_a_whole_meld_may_stand_for_the_card_that_would_be_stolen(picks, said):
    position = {**KRAMBAMBULI_TURN, "hands": {0: "6C 6D JC JH", 1: "3C 3D"}}
    assert answer("krambambuli", position, picks) == said


CAROUSEL_TURN = {
    "seats": 2,
    "table": {1: "4H-5H-6H-7H", 2: "9C+9D+XB", 3: "JS-QS-KS"},
    "hands": {0: "8H 7C 7D 9S 2C TS", 1: "3C 3D"},
    "stock_count": 20,
    "draws": 1,
    "to_move": 0,
}


@pytest.mark.parametrize(
    ("changes", "picks", "said"),
    [
        ({}, "8H meld:1", "L1 4H-5H-6H-7H-8H"),
        ({}, "8H 7H", "L1 4H-5H-6H-7H-8H"),
        ({}, "7C 7D 7H", "M 7C+7D+7H<1"),
        ({}, "7C 7D 6H", "carousel:set-rank"),
        ({}, "7C 7D XB 9S", "M 7C+7D+XB<2(9S)"),
        ({}, "7C 7D XB", "carousel:steal-leaves-legal"),
        ({}, "7C 7D meld:1", "M 7C+7D+7H<1"),
        ({"hands": {0: "JC JD 2C", 1: "3C 3D"}}, "JC JD meld:3", "carousel:steal-leaves-legal"),
        ({}, "8H TS JS", "carousel:run-suit"),
        ({}, "2C", "carousel:meld-size"),
        ({}, "7H", "carousel:step-hand-card"),
        ({"phase": "start", "draws": 0}, "7C 7D 7H", "carousel:turn-start"),
        ({"phase": "melding"}, "stock", "carousel:no-draw-after-meld"),
        ({"options": {"manipulation": "free"}}, "7C 7D 7H", "P x1 > 7C+7D+7H / 4H-5H-6H"),
        ({"options": {"manipulation": "free"}}, "2C meld:3", "carousel:run-suit"),
    ],
)
def test_carousel_reads_hand_cards_beside_melds(changes, picks, said):
    assert answer("carousel", {**CAROUSEL_TURN, "phase": "after-draw", **changes}, picks) == said


PUSH_TURN = {
    "deal": 1,
    "dealer": 3,
    "table": ["S(8S1 8H2 8D1)", "R(4H1 5H1 XB1 7H1)", "R(9D1 TD1 JD1)"],
    "hands": {0: "6H1 8C1 8H1 3H2 KC1 QD1 2C1 KD1 5S1"},
    "opened": [0],
    "stock_count": 30,
    "to_move": 0,
}


@pytest.mark.parametrize(
    ("changes", "picks", "said"),
    [
        ({}, "8C1 meld:1", "LAY 8C1>M1"),
        ({}, "8C1 8S1", "LAY 8C1>M1"),
        ({}, "8H1 8H2", "push:set-suits-differ"),
        ({}, "QD1 JD1", "LAY QD1>M3+"),
        ({}, "KC1 meld:2", "push:lay-off-fits"),
        ({}, "6H1 XB1", "push:swap-use-at-once"),
        ({}, "6H1 XB1 meld:1", "SWAP 6H1>M2=XB1 LAY>M1"),
        ({}, "6H1 XB1 KC1 KD1", "SWAP 6H1>M2=XB1 MELD S(KD1 KC1 XB1)"),
        ({}, "KC1 XB1 meld:1", "push:swap-exact-card"),
        ({}, "KC1 KD1", "push:meld-min-three"),
        ({}, "KC1 KD1 5S1", "push:meld-run"),
        ({}, "KC1 KD1 discards", "push:discard-end"),
        ({}, "meld:1", "push:cards-from-hand"),
        ({}, "stock", "push:turn-order"),
        ({"opened": []}, "8C1 meld:1", "push:open-individual"),
        ({"opened": []}, "KC1 KD1 2C1", "push:contract-table"),
        ({"upcard": "9S1"}, "8C1", "push:turn-order"),
        ({"upcard": "9S1"}, "discards", "TAKE 9S1"),
    ],
)
def test_push_reads_hand_cards_beside_melds(changes, picks, said):
    assert answer("push", {**PUSH_TURN, **changes}, picks) == said
