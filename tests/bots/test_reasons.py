"""What is said for a move: true, of this position, and with rules that exist."""

from random import Random

import pytest

from games import bots
from games.core.cards import CARD_IN_TEXT, face
from games.engines import GAMES, get
from tests.core.test_contract import positions, start
from tutorials.content import library

MOVES = 12
POSITIONS = 80


def faces_in_sight(view):
    return {face(card) for zone in view.zones for card in zone.cards}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
@pytest.mark.parametrize("at", (0, -1))
def test_every_legal_move_has_a_reason_of_what_one_sees(game, at):
    rules = {"", *(f"{game.slug}:{rule}" for rule in library.rule_ids(game.slug))}
    rng = Random(5)
    for state in positions(start(game, game.seats[at], 5), 5, POSITIONS):
        for seat in state.to_act:
            view = state.view(seat)
            in_sight = faces_in_sight(view)
            for move in rng.sample(view.moves, min(len(view.moves), MOVES)):
                reason = bots.reason(game.slug, view, move)
                assert reason.text.endswith(".")
                assert {match[1] for match in CARD_IN_TEXT.finditer(reason.text)} <= in_sight
                if reason.rule:
                    assert reason.rule in rules


def reason_for(slug, position, move):
    game = get(slug)
    state = game.load(position)
    [seat] = state.to_act
    said = bots.reason(slug, state.view(seat), game.parse(move))
    return said.text, said.rule


CASINO_TABLE = {
    "to_move": 1,
    "hands": {1: "8S 5H KC TH"},
    "loose": "3C 4D KH TD 6S AS",
    "builds": [{"value": 8, "sets": ["2C 6C"], "controller": 0}],
}


@pytest.mark.parametrize(
    ("move", "text", "rule"),
    [
        ("THxTD", "Your pile gets 2 cards, among them TD (2 points).", "casino:score-big"),
        ("8Sx[8]", "Your pile gets 3 cards, among them 1 spade.", "casino:score-spades"),
        ("KCxKH", "Your pile gets 2 cards; having the most cards is worth 3 points.", "casino:score-cards"),
        (
            "THxTD+AS+3C+6S",
            "Your pile gets 5 cards, among them TD (2 points), AS (1 point) and 1 more spade.",
            "casino:score-big",
        ),
        (
            "5H=8:3C",
            "4 cards wait for 8S, which you keep; at most 3 other cards can still take them.",
            "casino:build-hold",
        ),
        ("5H", "You take nothing now, which is allowed; 5H scores nothing by itself.", "casino:trail-free"),
    ],
)
def test_what_speaks_for_a_move_of_casino(move, text, rule):
    assert reason_for("casino", CASINO_TABLE, move) == (text, rule)


@pytest.mark.parametrize(
    ("position", "better", "other", "text"),
    [
        (
            {"to_move": 0, "hands": ["7S 6S", "3C"], "loose": "JD 9S JS 4C AH"},
            "6S",
            "7S",
            "You keep 7S, which takes AH 6S in your next turn if nothing changes before. "
            "After your move, no card that you keep takes anything.",
        ),
        (
            {"to_move": 0, "hands": ["KC 6S AS", "3C 4D"], "loose": "JD 9H", "stock": "TD TC"},
            "KC",
            "AS",
            "After your move, a ten takes AS 9H, and 4 such cards may be in another hand. "
            "After the better one, a jack takes JD.",
        ),
    ],
)
def test_moves_of_casino_that_take_nothing_are_compared_by_what_they_leave(position, better, other, text):
    game = get("casino")
    view = game.load(position).view(0)
    said = bots.comparison("casino", view, game.parse(better), game.parse(other))
    assert said == bots.Reason(text, "casino:trail-free")
    assert bots.comparison("casino", view, game.parse(better), game.parse(better)) is None


def test_cards_won_before_count_as_gone_in_casino():
    won = {**CASINO_TABLE, "won": ["2H AC", "8C 8D 8H"]}
    assert reason_for("casino", won, "5H=8:3C")[0] == (
        "4 cards wait for 8S, which you keep; no other card can still take them."
    )


def test_a_sweep_is_named_where_it_counts():
    position = {"to_move": 1, "hands": {1: "8S 5H"}, "loose": "5C 3D"}
    assert reason_for("royal-casino", position, "8Sx3D+5C")[1] == "royal-casino:sweep"
    assert reason_for("casino", position, "8Sx3D+5C")[1] == "casino:score-spades"


GIN_TO_DISCARD = {
    "hands": ["3H 4H 5H 7C 7D 7S KC 2D AC AD 9C", "TC TD TS"],
    "phase": "discard",
    "to_move": 0,
    "taken_upcard": "7S",
}
GIN_TO_DRAW = {"hands": ["3H 4H 5H 7C 7D KC 2D AC AD 9C", "TC TD"], "phase": "draw", "to_move": 0, "upcard": "7S"}


@pytest.mark.parametrize(
    ("position", "move", "words", "rule"),
    [
        (GIN_TO_DRAW, "U", "With it 7C 7D 7S are a meld; after a discard you keep 13 of deadwood, and 37", "deadwood"),
        (GIN_TO_DISCARD, "X KC", "KC is in no meld, and nothing in your hand goes with it", "deadwood"),
        (GIN_TO_DISCARD, "X 7C", "You keep 37 points of deadwood. That breaks up a meld with 7C.", "deadwood"),
        (
            {**GIN_TO_DISCARD, "hands": ["3H 4H 5H 7C 7D 7S KC KD KS KH 9C", "TC"]},
            "K 9C: 3H-4H-5H 7C+7D+7S KC+KD+KH+KS",
            "gin brings 20 points more",
            "score-gin",
        ),
        (
            {**GIN_TO_DISCARD, "hands": ["3H 4H 5H 7C 7D 7S KC KD KS AH 9C", "TC"]},
            "K 9C: 3H-4H-5H 7C+7D+7S KC+KD+KS",
            "Only a hand of 1 or less can undercut you",
            "score-undercut",
        ),
    ],
)
def test_what_speaks_for_a_move_of_gin_rummy(position, move, words, rule):
    text, cited = reason_for("gin-rummy", position, move)
    assert words in text
    assert cited == f"gin-rummy:{rule}"


SIXTY_SIX_LEAD = {"hands": ["AS KH QH 9D JC TD", "9C"], "upcard": "AD", "to_move": 0}
SIXTY_SIX_ANSWER = {"hands": ["AS KH QH TD JC", "9C"], "upcard": None, "trump": "D", "led": "KS", "to_move": 0}


@pytest.mark.parametrize(
    ("position", "move", "text", "rule"),
    [
        (SIXTY_SIX_LEAD, "MH", "It's worth 20 points, which count as soon as you win a trick.", "marriage-pending"),
        (
            SIXTY_SIX_LEAD,
            "JC",
            "JC risks 2 points, your trumps stay in your hand and KH QH stay together.",
            "open-any-card",
        ),
        (
            {**SIXTY_SIX_LEAD, "hands": ["AS 9C", "9S"]},
            "9C",
            "9C risks no points.",
            "open-any-card",
        ),
        (
            SIXTY_SIX_LEAD,
            "CL",
            "No one draws from the stock now, and you both must follow suit. 2 cards of yours can't be beaten.",
            "close-effects",
        ),
        (SIXTY_SIX_ANSWER, "AS", "AS beats KS: you win 15 points and the lead.", "trick-points"),
        (
            {**SIXTY_SIX_ANSWER, "led": "AC"},
            "JC",
            "Nothing you can play beats AC. JC gives away 2 points.",
            "trick-points",
        ),
        (
            {**SIXTY_SIX_LEAD, "hands": ["9S JC", "9C"], "led": "AC"},
            "9S",
            "Nothing you can play beats AC. 9S gives away no points.",
            "trick-points",
        ),
    ],
)
def test_what_speaks_for_a_move_of_sixty_six(position, move, text, rule):
    assert reason_for("sixty-six", position, move) == (text, f"sixty-six:{rule}")


CUARENTA_POT = {"hands": {1: "5S 3H KC KD 6D"}, "pot": "2C 3D 5H 6S QD", "to_move": 1}


@pytest.mark.parametrize(
    ("changes", "move", "text", "rule"),
    [
        ({}, "5Sx5H>6S", "6S comes along in sequence. Your pile gets 3 cards.", "sequence"),
        (
            {"last_play": [0, "5H"]},
            "5Sx5H",
            "It catches 5H, which was just laid: a caída, 2 points. Your pile gets 2 cards.",
            "caida",
        ),
        ({"pot": "3D"}, "3Hx3D", "The pot is left empty: a limpia, 2 points. Your pile gets 2 cards.", "limpia"),
        (
            {"pot": "2C"},
            "KC",
            "None of your cards takes anything now. Two other kings could take KC with a caída; you keep KD.",
            "lay",
        ),
        (
            {"hands": {1: "5D QS"}, "pot": "AH", "captured": ["QD QH 5C", 2]},
            "QS",
            "None of your cards takes anything now. One other queen could take QS with a caída.",
            "lay",
        ),
        (
            {"hands": {1: "5D 6D QS"}, "pot": "AH", "rondas": ["", "2D 5D 6D"], "captured": ["2D 2S", 0]},
            "QS",
            "None of your cards takes anything now. Three other queens could take QS with a caída. "
            "It isn't in your ronda, whose cards you keep.",
            "lay",
        ),
        (
            {"hands": {1: "5D 6D QS"}, "pot": "AH", "rondas": ["", "2D 5D 6D"], "captured": ["2D 2S", 0]},
            "5D",
            "None of your cards takes anything now. You keep QS to take with later. "
            "If nothing is taken before, 6D takes AH 5D in your next turn.",
            "lay",
        ),
        (
            {"hands": {1: "5H QS 3D"}, "pot": "6D QC"},
            "5H",
            "Taking QC with QS leaves 6D alone, which a six could sweep: a limpia. "
            "Three other fives could take 5H with a caída.",
            "lay",
        ),
        (
            {"hands": {1: "5H QS"}, "pot": "2C 6D QC"},
            "5H",
            "You keep QS: it takes QC in your next turn, if it's still there. "
            "Three other fives could take 5H with a caída.",
            "lay",
        ),
        (
            {"hands": {1: "2C 7D"}, "pot": "2S 5C KH"},
            "2Cx2S",
            "Taking 2S 5C with 7D instead leaves KH alone, which a king could sweep: a limpia. Your pile gets 2 cards.",
            "count-twenty",
        ),
        (
            {"hands": {1: "2C 7D"}, "pot": "2S 5C KH AS"},
            "2Cx2S",
            "You keep 7D for later. Your pile gets 2 cards.",
            "count-twenty",
        ),
        ({"claimer": 1, "overlooked": "6S"}, "O:6S", "The last play left out 6S, which comes to you.", "oversight"),
    ],
)
def test_what_speaks_for_a_move_of_cuarenta(changes, move, text, rule):
    assert reason_for("cuarenta", {**CUARENTA_POT, **changes}, move) == (text, f"cuarenta:{rule}")


@pytest.mark.parametrize(
    ("changes", "move", "risk"),
    [
        (
            {"hands": {1: "5D 6D QS"}, "pot": "AH", "rondas": ["", "2D 5D 6D"], "captured": ["2D 2S", 0]},
            "5D",
            "5D is in your ronda: caught with a caída, it can cost you 10 points more.",
        ),
        ({"hands": {1: "5H QS 3D"}, "pot": "6D QC"}, "QSxQC", "It leaves 6D alone, which a six could sweep: a limpia."),
        ({"hands": {1: "2C 7D"}, "pot": "2S 5C KH AS"}, "2Cx2S", "7D could take more: 2S 5C."),
        ({"hands": {1: "5H QS 3D"}, "pot": "6D QC"}, "5H", ""),
    ],
)
def test_what_speaks_against_a_move_of_cuarenta_is_no_reason_for_it(changes, move, risk):
    game = get("cuarenta")
    said = bots.reason("cuarenta", game.load({**CUARENTA_POT, **changes}).view(1), game.parse(move))
    assert said.risk == risk and "ronda:" not in said.text


PIQUET_HANDS = {
    "hands": {"A": "AS KS QS JS AH 9H 8H AD KD 9D 9C 8C", "B": "TS 9S KH QH JH TH QD JD AC KC QC JC"},
    "dealer": "B",
}


@pytest.mark.parametrize(
    ("phase", "said", "move", "text", "rule"),
    [
        (
            "exchange",
            [],
            "EX 8C 9C 9H 8H 9D",
            "You keep a point of four in spades, a quart to the ace in spades and three aces, and draw 5 cards.",
            "elder-exchange",
        ),
        (
            "declare",
            [],
            "PT:S",
            "It's your best point. If it's good, it scores 4.",
            "point-score",
        ),
        ("declare", [], "PT:H", "If it's good, it scores 3.", "point-score"),
        (
            "declare",
            ["PT:S"],
            "MK",
            "You have a point of four in clubs. The numbers are the same, so ask what decides.",
            "reply-making",
        ),
        (
            "lead",
            [],
            "AS",
            "Nothing left beats AS: you win the trick and lead again.",
            "play-lead-1",
        ),
        (
            "lead",
            [],
            "8H",
            "A lead scores 1 point, won or lost. You keep AD, AH and AS to win later.",
            "play-lead-1",
        ),
    ],
)
def test_what_speaks_for_a_move_of_piquet(phase, said, move, text, rule):
    position = {**PIQUET_HANDS, "phase": phase, "said": said}
    assert reason_for("piquet", position, move) == (text, f"piquet:{rule}")


LEADING = {"phase": "play", "to_move": 0, "elder": "AS JS 9S KD 8D 7H", "younger": "KS QS AD QD JD KH"}


@pytest.mark.parametrize("slug", ["piquet", "rubicon-piquet"])
@pytest.mark.parametrize(
    ("better", "other", "apart"),
    [
        ("JS", "AS", "Nothing left beats AS, so keep it: it can win a later trick and bring the lead back to you."),
        ("AS", "JS", "Nothing left beats AS, so you win the trick and lead again. JS may be beaten."),
        ("9S", "KD", "9S is from a longer suit, which may win more tricks once its high cards are gone."),
        ("8D", "KD", "8D may lose the trick, and you keep KD, the higher card, for later."),
        ("KD", "8D", "KD is higher, so fewer cards beat it."),
        ("7H", "JS", "No one reason tells them apart: 7H came out ahead in the deals that the coach tried."),
    ],
)
def test_two_leads_of_piquet_are_compared_by_what_tells_them_apart(slug, better, other, apart):
    game = get(slug)
    view = game.load(LEADING).view(0)
    said = bots.comparison(slug, view, game.parse(better), game.parse(other))
    assert said == bots.Reason(f"Both leads score 1 point. {apart}", f"{slug}:play-lead-1")


def test_an_exchange_says_what_it_costs_not_to_declare_carte_blanche():
    position = {"phase": "exchange", "hands": {0: "AC TC 9C 8C 7C AD TD 9D 8D AH TH 9H"}}
    text, rule = reason_for("piquet", position, "EX 9D 8D AH TH 9H")
    assert (text, rule) == (
        "The 10 points for carte blanche are lost if you exchange first.",
        "piquet:carte-blanche-when",
    )


def test_only_leads_are_compared():
    game = get("piquet")
    state = game.load(LEADING)
    state.play(0, game.parse("KD"))
    assert bots.comparison("piquet", state.view(1), game.parse("AD"), game.parse("JD")) is None
    assert bots.comparison("sixty-six", state.view(1), game.parse("AD"), game.parse("JD")) is None


def test_steps_of_carousel_are_compared_by_the_turns_that_they_begin():
    """The step that leaves 12 of deadwood ends there; the one that leaves 20 goes on."""
    position = {
        "seats": 3,
        "to_move": 0,
        "phase": "after-draw",
        "hands": ["4D2 4H1 4H2 8D2 8S1 KH2", "3H2 4C2 5C1 8C1", "AC2 2C2 4D1 5C2"],
        "draws": [1, 1, 2],
        "table": {
            "1": "JH2-QH1-KH1",
            "2": "JD1+JH1+JS1",
            "3": "2C1+2H1+2S2",
            "4": "8H2-9H1-TH2",
            "5": "8H1-9H2-TH1",
            "6": "3S2-4S2-5S2",
            "7": "XB-9D2-TD2",
            "8": "TD1-JD2-QD1",
            "9": "6C1+6D1+6H1",
            "10": "7C1+7D2+7H1+7S2",
            "11": "6S1-7S1-8S2-9S2",
            "12": "KD2+KS1+XR",
        },
    }
    game = get("carousel")
    view = game.load(position).view(0)
    better, other = (game.parse(f"M {meld}+XR<12(KH2)") for meld in ("4D2+4H1", "8D2+8S1"))
    said = bots.comparison("carousel", view, better, other)
    assert said == bots.Reason(
        "The coach found further steps for this turn that leave 4 of deadwood; after your move, 12.", "carousel:steal"
    )
    assert bots.comparison("carousel", view, other, better) is None


def test_cards_known_to_be_in_the_talon_cannot_beat_a_lead():
    """Elder left the ace of diamonds, and younger did not take it."""
    position = {"phase": "play", "to_move": 0, "elder": "KD 8D", "younger": "QD JD", "talon": "AD 7C"}
    taken = {"discards": ["7S", "8S"], "drawn": ["8D", ""]}
    told = [reason_for("piquet", {**position, **more}, "KD")[0] for more in ({}, taken, {"turned_up": True})]
    assert told[0].startswith("A lead scores 1 point")
    assert told[1:] == ["Nothing left beats KD: you win the trick and lead again."] * 2


DROPPING = {"piles": ["KD", "7S", "AH"], "hands": ["9C QH 3D", "2C 5C JS"], "stock": "8D 6C 4H"}
PICKING = {
    "phase": "pick",
    "piles": ["KD QH JD", "4C 6H 9S", "AH"],
    "hands": ["6S 9D 4D", "5H 8D QS"],
    "stock": "3C 7D",
    "to_move": 0,
}


@pytest.mark.parametrize(
    ("position", "move", "words", "rule"),
    [
        (DROPPING, "D QH>1", "a trade makes no pair for the hand you'll get", "switch"),
        (PICKING, "T 6S>2", "With this pile you have 2 pairs. The piles left make no pair", "pick-trade"),
        (PICKING, "T-", "The best trade makes 2 pairs", "pick-may-pass"),
        ({**PICKING, "hands": ["2S", "5H"]}, "T+", "None of your cards fits, but ", "pick-blocked-draw"),
        (
            {**PICKING, "phase": "pair", "traded": [True, False], "hands": ["4D 4S", "5H"]},
            "P 4D4S",
            "wins",
            "win-pairs",
        ),
    ],
)
def test_what_speaks_for_a_move_of_advantage(position, move, words, rule):
    text, cited = reason_for("advantage", position, move)
    assert words in text
    assert cited == f"advantage:{rule}"


TABLETOP = {
    "to_move": "nondealer",
    "card": "5H",
    "board": ["-- -- -- -- --", "-- 5C -- -- --", "-- -- JD -- --", "-- -- -- -- --", "-- -- -- -- --"],
}


@pytest.mark.parametrize(
    ("move", "text", "rule"),
    [
        (
            "5H@b3",
            "It adds 2 (fifteens 2) to your row 3, and 2 (pairs 2) to the other player's column b. Once filled "
            "with random cards, yours is worth 7.0 on average (4.4 without it), "
            "and theirs 9.0 on average (6.6 without it).",
            "line-fifteen",
        ),
        (
            "5H@a2",
            "It adds 2 (pairs 2) to your row 2, and nothing to the other player's column a. Once filled "
            "with random cards, yours is worth 9.0 on average (6.6 without it), "
            "and theirs 6.6 on average (4.7 without it).",
            "line-pair",
        ),
        (
            "5H@d4",
            "It adds nothing to your row 4, and nothing to the other player's column d. Once filled "
            "with random cards, yours is worth 6.6 on average (4.7 without it), "
            "and theirs 6.6 on average (4.7 without it).",
            "rows-columns",
        ),
    ],
)
def test_what_speaks_for_a_move_of_tabletop_cribbage(move, text, rule):
    assert reason_for("tabletop-cribbage", TABLETOP, move) == (text, f"tabletop-cribbage:{rule}")


CRIBBAGE_PLAY = {"seats": 2, "dealer": 0, "starter": "2C", "hands": ["TH QD", "7C 8D"], "played": "1:KH 0:5C"}


@pytest.mark.parametrize(
    ("position", "move", "words", "rule"),
    [
        (
            {**CRIBBAGE_PLAY, "played": "0:KH", "to_move": 1, "hands": ["TH QD", "5C 8D"]},
            "5C",
            "It pegs 2, with a count of 15.",
            "peg-fifteen",
        ),
        (CRIBBAGE_PLAY, "7C", "It pegs nothing, with a count of 22. Of the 47 cards that you", "turn-order"),
        ({**CRIBBAGE_PLAY, "hands": ["", "5D"]}, "5D", "It is the last card of the deal.", "peg-pair"),
        ({**CRIBBAGE_PLAY, "hands": ["", "7C"]}, "7C", "It is the last card of the deal.", "last-card"),
        (
            {"seats": 2, "dealer": 0, "phase": "discard", "hand": "5C 5D 5H JS 2C 2D", "to_move": 1},
            "D:2C,2D",
            "5C 5D 5H JS are worth at least 14 with any starter, 16.7 on average. "
            "The crib is theirs, where the two cards make 2 already.",
            "crib-owner",
        ),
        (
            {"seats": 4, "dealer": 2, "phase": "discard", "hand": "5C 5D 5H JS 2C", "to_move": 0},
            "D:2C",
            "5C 5D 5H JS are worth at least 14 with any starter, 16.6 on average. The crib is your side's.",
            "crib-owner",
        ),
        (
            {
                "seats": 2,
                "options": {"counting": "manual"},
                "dealer": 0,
                "phase": "show",
                "hands": ["4C 5D 6H 7S", "JS KD QD 3C"],
                "starter": "5S",
            },
            "S 8",
            "With the starter the cards are worth 10: fifteens 6, runs 3, his nobs 1.",
            "show-five-cards",
        ),
    ],
)
def test_what_speaks_for_a_move_of_cribbage(position, move, words, rule):
    text, cited = reason_for("partnership-cribbage", position, move)
    assert words in text
    assert cited == f"partnership-cribbage:{rule}"


RUSSIAN_BANK_TURN = {
    "foundations": "AC1",
    "tableau": {0: "9H1 8S1 / KD1 / 5S1 / 2H1", 1: "6D2 / 3S2 / JH2 / QC2"},
    "stock": {0: ["7H1", 2], 1: ["9D2", 2]},
    "reserve": {0: ["TD1", 3]},
    "waste": {0: "AS2", 1: "8H2"},
    "turned": "QS1",
}


@pytest.mark.parametrize(
    ("changes", "move", "text", "rule"),
    [
        ({}, "S>1", "That leaves 2 cards in your stock.", "stock-turn-up"),
        (
            {},
            "S>OW",
            "It goes to the other player's waste, where it scores 1 for you if you go out.",
            "load-becomes-theirs",
        ),
        ({}, "R>2", "When a turned card finds a place, your turn goes on.", "turn-end"),
        ({"foundations": ["AC1", "AH2"]}, "4>F", "2H1 fits a foundation, and that goes before", "foundation-forced"),
        (
            {"turned": "3H1"},
            "R>W",
            "3H1 fits none of your piles, so it may go on the waste; that ends your turn.",
            "reserve-waste",
        ),
        (
            {"turned": None},
            "T",
            "Your turn goes on as long as turned cards find a place; you have 4 cards to turn up.",
            "reserve-turn",
        ),
        ({"tableau": {0: "9H1 8S1 / 9D1 / 5S1 / 2H1"}}, "1>2", "That frees 9H1 below it.", "tableau-single"),
        (
            {"tableau": {0: "2C1 AH1 / 2S1 / 5S1 / KH1"}},
            "1>2",
            "That frees 2C1 below it, which fits a foundation.",
            "tableau-single",
        ),
        ({"tableau": {0: "8S1 / 9D1 / 5S1 / 2H1"}}, "1>2", "That empties pile 1, and an empty pile", "vacancy-fill"),
    ],
)
def test_what_speaks_for_a_move_of_russian_bank(changes, move, text, rule):
    said, cited = reason_for("russian-bank", {**RUSSIAN_BANK_TURN, **changes}, move)
    assert text in said
    assert cited == f"russian-bank:{rule}"


COMMON_TABLE = {
    "table": {1: "4H1-5H1-6H1-7H1", 2: "9C1+9D1+9S1"},
    "hands": {0: "8H1 7C1 7D1 KS1", 1: "3C1 3D1"},
    "stock_count": 20,
    "to_move": 0,
}


@pytest.mark.parametrize(
    ("slug", "changes", "move", "text", "rule"),
    [
        (
            "vatican",
            {"opened": [True, True]},
            "P x1 > 4H1-5H1-6H1-7H1-8H1",
            "It gets rid of 1 card, and 2 could go. Then the table has 4H1 5H1 6H1 7H1 8H1.",
            "rearrange",
        ),
        (
            "vatican",
            {},
            "D",
            "You may always draw from the stock; no play with your cards was found.",
            "draw-or-play",
        ),
        (
            "vatican",
            {"opened": [True, True]},
            "D",
            "You may always draw from the stock; a play with your cards was found. "
            "Cards that fit now can wait for the rest of your hand.",
            "draw-or-play",
        ),
        (
            "vatican",
            {"hands": {0: "8H1", 1: "3C1"}, "opened": [True, True]},
            "P x1 > 4H1-5H1-6H1-7H1-8H1",
            "It gets rid of all your cards, and you win. Then the table has 4H1 5H1 6H1 7H1 8H1.",
            "going-out",
        ),
        (
            "shanghai",
            {},
            "P x1 > 4H1-5H1-6H1 / 7C1+7D1+7H1",
            "It gets rid of 2 cards, the most of the plays found. The rest of your hand counts 15. "
            "Then the table has 4H1 5H1 6H1, 7C1 7D1 7H1.",
            "card-count",
        ),
        (
            "shanghai",
            {"hands": {0: "KS1 2C1", 1: "3C1"}},
            "D",
            "If you don't play, you draw; no play with your cards was found.",
            "draw-until-able",
        ),
    ],
)
def test_what_speaks_for_a_move_at_a_common_table(slug, changes, move, text, rule):
    assert reason_for(slug, {**COMMON_TABLE, **changes}, move) == (text, f"{slug}:{rule}")


KRAMBAMBULI_TURN = {
    "seats": 2,
    "table": {1: "4H-5H-6H (0)", 2: "9C+9D+9S+9H (1)", 3: "JS-QS-KS (1)"},
    "hands": {0: "7H 8H 2C 2D TS", 1: "3C 3D"},
    "discards": "5C",
    "to_move": 0,
    "phase": "after-draw",
}


@pytest.mark.parametrize(
    ("changes", "move", "words", "rule"),
    [
        ({}, "L1 4H-5H-6H-7H", "It gets rid of 7 points; the rest of your hand counts 22.", "layoff-after-melding"),
        ({}, "M 7H-8H-9H<2", "It gets rid of 15 points; the rest of your hand counts 14.", "steal-new-meld"),
        ({}, "X TS", "TS counts 10 against you, and none of the ", "card-count"),
        ({}, "X TS", "@1 could add it to a meld.", "card-count"),
        ({}, "X 2C", "2C counts 2 against you, and 2 of the ", "card-count"),
        ({"hands": {0: "7H 2S 2C 2D TS"}}, "X 2C", "2C makes a meld with other cards in your hand.", "turn-meld"),
        ({"phase": "start", "discards": "2H"}, "U", "2H makes a meld with cards in your hand.", "turn-draw"),
        ({"phase": "start", "discards": "3H"}, "D", "of yours, but the stock may have a better card.", "turn-draw"),
        ({"phase": "start", "discards": "8C"}, "U", "8C makes no meld yet, but goes with 8H.", "turn-draw"),
        ({"phase": "start", "discards": "QD"}, "D", "QD makes no meld with your cards, and", "turn-draw"),
        ({"phase": "start", "discards": "QD"}, "U", "taking it only keeps it from the others.", "turn-draw"),
        ({"hands": {0: "7H", 1: "3C"}}, "L1 4H-5H-6H-7H", "It gets rid of all your cards", "going-out"),
    ],
)
def test_what_speaks_for_a_move_of_krambambuli(changes, move, words, rule):
    text, cited = reason_for("krambambuli", {**KRAMBAMBULI_TURN, **changes}, move)
    assert words in text
    assert cited == f"krambambuli:{rule}"


CAROUSEL_TURN = {
    "seats": 2,
    "table": {1: "4H-5H-6H-7H", 2: "9C+9D+XB"},
    "hands": {0: "8H 7C 7D 2C", 1: "3C 3D"},
    "stock_count": 20,
    "phase": "after-draw",
    "draws": 1,
    "to_move": 0,
}


@pytest.mark.parametrize(
    ("changes", "move", "text", "rule"),
    [
        ({}, "M 7C+7D+7H<1", "Your deadwood goes from 24 to 10.", "steal"),
        ({}, "L1 4H-5H-6H-7H-8H", "Your deadwood goes from 24 to 16.", "deadwood"),
        (
            {"hands": {0: "8H 2C", 1: "3C"}},
            "L1 4H-5H-6H-7H-8H",
            "Your deadwood goes from 10 to 2; with that you could knock on your next turn.",
            "knock-limit",
        ),
        ({}, "D", "You can make a step now, or draw 2 more cards.", "draw-or-meld"),
        (
            {"phase": "start", "draws": 0},
            "D",
            "Your deadwood is 24, more than the limit of 5 for a knock.",
            "turn-start",
        ),
        (
            {"phase": "start", "draws": 0, "hands": {0: "2C", 1: "3C"}},
            "K",
            "Your deadwood is 2, and the limit is 5.",
            "knock-limit",
        ),
    ],
)
def test_what_speaks_for_a_move_of_carousel(changes, move, text, rule):
    assert reason_for("carousel", {**CAROUSEL_TURN, **changes}, move) == (text, f"carousel:{rule}")


PUSH_TURN = {
    "deal": 1,
    "dealer": 3,
    "table": ["S(8S1 8H2 8D1)"],
    "hands": {0: "8C1 KC1 KD1 5S1"},
    "opened": [0],
    "stock_count": 30,
    "to_move": 0,
}


@pytest.mark.parametrize(
    ("changes", "move", "text", "rule"),
    [
        (
            {},
            "LAY 8C1>M1",
            "It takes 5 penalty points out of your hand, which then costs 25.",
            "lay-off-any",
        ),
        ({}, "DISC KC1", "KC1 would cost 10, and fits no meld on the table.", "score-values"),
        (
            {"hands": {0: "KC1 KD1 KS2 5S1"}},
            "DISC KC1",
            "KC1 would cost 10, but KC1 makes a meld with cards in your hand.",
            "score-values",
        ),
        (
            {"opened": []},
            "DISC 8C1",
            "8C1 brings you no nearer to two sets of three, and would cost 5.",
            "score-values",
        ),
        ({"upcard": "KS1"}, "TAKE KS1", "KS1 makes a meld with cards in your hand.", "draw-take"),
        (
            {"upcard": "KS1", "opened": []},
            "PUSH",
            "With KS1 you lack 2 cards for two sets of three, without it 3. "
            "The push gives @1, who isn't open, two cards that may help; you draw one instead.",
            "draw-push",
        ),
        (
            {"upcard": "AH1", "opened": []},
            "PUSH",
            "AH1 brings you no nearer to two sets of three: you lack 3 cards with it or without it. "
            "The push gives @1, who isn't open, two cards that may help; you draw one instead.",
            "draw-push",
        ),
        (
            {"upcard": "KS1", "opened": [0, 1], "hands": {0: "8C1 KC1 KD1 5S1", 1: "9C1 4D1"}},
            "PUSH",
            "KS1 makes a meld with cards in your hand. "
            "But @1 holds only 2 cards: the push makes that hand two cards longer.",
            "draw-push",
        ),
        (
            {"upcard": "3D1", "hands": {0: "JS1 KC1 9D1 5S1"}},
            "TAKE 3D1",
            "3D1 costs 5 and lets you discard JS1, which costs 10.",
            "draw-take",
        ),
        (
            {"upcard": "8S1", "table": ["S(8H2 8D1 XB1)"], "hands": {0: "AH1 AD1 7S1"}},
            "TAKE 8S1",
            "8S1 frees XB1 in meld 1, which you can use at once.",
            "draw-take",
        ),
        (
            {"upcard": "3D1", "table": ["R(7S1 8S1 9S1)"], "hands": {0: "TS1"}},
            "TAKE 3D1",
            "With 3D1 in your hand you can go out this turn.",
            "draw-take",
        ),
        (
            {"upcard": "4H1", "opened": [], "hands": {0: "9C1 9D2 9S1 KC1 KD1 KS1"}},
            "PUSH",
            "You can already open without 4H1. "
            "The push gives @1, who isn't open, two cards that may help; you draw one instead.",
            "draw-push",
        ),
        (
            {"upcard": "KS1", "opened": [], "hands": {0: "9C1 9D2 9S1 KC1 KD1 4H1"}},
            "TAKE KS1",
            "With KS1 you can open; without it you lack 1 card for two sets of three.",
            "draw-take",
        ),
        (
            {"opened": [], "hands": {0: "9C1 9D2 9S1 KC1 KD1 KS1 4H1"}},
            "DISC 4H1",
            "You can open without 4H1, and it would cost 5.",
            "score-values",
        ),
        ({"upcard": "5C1"}, "TAKE 5C1", "5C1 makes no meld yet, but goes with 5S1.", "draw-take"),
        (
            {"hands": {0: "8C1"}},
            "LAY 8C1>M1",
            "It leaves you without cards: the deal ends, and your side pays nothing.",
            "score-winner-side-zero",
        ),
        (
            {"upcard": "KS1", "stock_count": 1, "hands": {0: "8C1 KC1 KD1 5S1", 1: "9C1", 2: "4D1 3D1", 3: "AS1 AH1"}},
            "END",
            "In a dead deal both sides pay: you and @2 for 6 cards (yours cost 30), @1 and @3 for 3.",
            "score-dead-deal",
        ),
        (
            {"upcard": "AS1", "stock_count": 1, "hands": {0: "4C1 KC1", 1: "9C1", 2: "4D1 3D1", 3: "AH1"}},
            "TAKE AS1",
            "AS1 neither fits a meld on the table nor makes one with your cards; taking it only keeps the deal going. "
            "In a dead deal both sides pay: you and @2 for 4 cards (yours cost 15), @1 and @3 for 2.",
            "draw-take",
        ),
    ],
)
def test_what_speaks_for_a_move_of_push(changes, move, text, rule):
    assert reason_for("push", {**PUSH_TURN, **changes}, move) == (text, f"push:{rule}")
