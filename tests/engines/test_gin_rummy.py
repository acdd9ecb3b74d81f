"""Gin Rummy, rule by rule: positions in the notation of `GinRummy.load`, moves in their text form."""

from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.card_bits import cards, mask
from games.core.cards import pack
from games.core.contract import BadOption, IllegalMove, ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.deals import numbered_decks, random_decks
from games.core.rummy.deadwood import best_grouping
from games.core.words import render_text
from games.engines.gin_rummy.game import GIN_RUMMY
from games.engines.gin_rummy.moves import BigGin, Knock, Phase
from games.engines.gin_rummy.state import GinRummyState
from tests.engines.states import legal, play, refusal, refused

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "gin_rummy_examples.yaml").read_text())

KNOCKER = "5H 6H 7H TC TD TS 2C 3D 4S AC QC"  # knocks with 10 by the run and the tens
DEFENDER = "4H 8H 9H TH KC KD KS 2D 6S 9C"
KNOCK = "K QC: 5H-6H-7H TC+TD+TS"
GIN = "5H 6H 7H TC TD TS 2C 3C 4C 5C JD"
GO_GIN = "K JD: 5H-6H-7H TC+TD+TS 2C-3C-4C-5C"


def table(**position) -> GinRummyState:
    """Seat 1 deals and seat 0 is to move, unless the position says otherwise."""
    return GIN_RUMMY.load(position)


def with_knocker(hand: str = KNOCKER, other: str = DEFENDER, **position) -> GinRummyState:
    return table(hands=[hand, other], phase="discard", to_move=0, **position)


def fresh(seed: int = 1, dealer: int | None = None, **options) -> GinRummyState:
    return GIN_RUMMY.start(numbered_decks(pack(), seed), seats=2, options=options, dealer=dealer)


def stacked(*dealt: str, **options) -> GinRummyState:
    """A game whose first deck begins with these cards."""
    deck = " ".join(dealt).split()
    return GIN_RUMMY.start([[*deck, *(card for card in pack() if card not in deck)]] * 10, seats=2, options=options)


# The worked examples


def loose_points(state: GinRummyState) -> dict[int, int]:
    zones = {zone.id: zone for zone in state.results[-1].zones}
    loose = {seat: zones.get(f"hand:{seat}") for seat in (0, 1)}
    return {seat: int(zone.note.split()[0]) if zone else 0 for seat, zone in loose.items()}


def knocks(state: GinRummyState) -> dict[str, int]:
    """For each discard that allows a knock the points that the phrase of the first one names."""
    view = state.view(state.to_act[0])
    found: dict[str, int] = {}
    for move in view.moves:
        if isinstance(move, Knock):
            found.setdefault(move.card, int(view.choice(move).phrase.rest.split(":")[0].removeprefix("with ")))
    return found


def winner(state: GinRummyState) -> int | None:
    gained = state.results[-1].points
    return gained.index(max(gained)) if any(gained) else None


EXPECTATIONS = {
    "deadwood": lambda state, value: state.view(0).deadwood == value,
    "melds": lambda state, value: "-".join(cards(best_grouping(state.hands[0])[0])) == value,
    "knocks": lambda state, value: knocks(state) == value,
    "refused": lambda state, value: all(refusal(state, move) == rule for move, rule in value.items()),
    "winner": lambda state, value: winner(state) == value,
    "points": lambda state, value: sum(state.results[-1].points) == value,
    "lines": lambda state, value: (
        [line.rule for line in state.results[-1].lines] == [f"gin-rummy:{name}" for name in value]
    ),
    "loose": lambda state, value: loose_points(state) == value,
    "next_dealer": lambda state, value: state.dealer == value,
    "places": lambda state, value: list(state.outcome().places) == value,
    "totals": lambda state, value: list(state.outcome().scores) == value,
    "legal": lambda state, value: legal(state) == value,
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_the_worked_example_holds(example):
    state = play(table(**example["setup"]), *example.get("play", []))
    for what, expected in example["expect"].items():
        assert EXPECTATIONS[what](state, expected), what


# Cards and melds


@rule("gin-rummy:card-points")
def test_court_cards_and_tens_count_ten_and_the_ace_one():
    assert table(hand="AC 2D 9H TS JC QD KH").view(0).deadwood == 1 + 2 + 9 + 10 + 10 + 10 + 10


@rule("gin-rummy:deadwood")
def test_deadwood_with_eleven_cards_counts_the_best_discard():
    assert with_knocker().view(0).deadwood == 10


@rule("gin-rummy:deadwood", "gin-rummy:no-return-upcard")
def test_deadwood_with_eleven_cards_does_not_discard_the_upcard_just_taken():
    assert with_knocker(taken_upcard="QC").view(0).deadwood == 10 + 10 - 4


@rule("gin-rummy:card-order")
@pytest.mark.parametrize("run", ["QS-KS-AS", "KS-AS-2S"])
def test_a_run_round_the_king_is_refused_because_the_ace_is_low(run):
    assert refusal(with_knocker("QS KS AS 2S 3S 4S TC TD TH AC 9D", ""), f"K 9D: {run} TC+TD+TH") == "card-order"


@rule("gin-rummy:meld-set")
@pytest.mark.parametrize("meld", ["TC+TD", "TC+TD+2C", "2C"])
def test_a_set_is_three_or_four_of_one_rank(meld):
    hand = with_knocker()
    assert refusal(hand, f"K QC: 5H-6H-7H {meld}") == "meld-set"


@rule("gin-rummy:meld-run")
@pytest.mark.parametrize("meld", ["5H-6H", "5H-7H-2C", "6H-7H-3D", "2C-3D-4S", "5H-6H-8H"])
def test_a_run_is_three_or_more_of_one_suit_in_sequence(meld):
    hand = "5H 6H 7H TC TD TS 2C 3D 4S 8H QC"
    assert refusal(with_knocker(hand, ""), f"K QC: TC+TD+TS {meld}") == "meld-run"


@rule("gin-rummy:meld-disjoint")
def test_a_card_cannot_be_in_two_melds():
    state = with_knocker("7C 7D 7H 8H 9H TC TD TH 2D AH KC", "")
    assert refusal(state, "K KC: 7C+7D+7H 7H-8H-9H TC+TD+TH") == "meld-disjoint"
    assert refusal(state, "K KC: 7C+7C+7D TC+TD+TH") == "meld-disjoint"
    assert all("7C+7D+7H" not in move or "7H-8H-9H" not in move for move in legal(state))


# The deal


@rule("gin-rummy:deal-ten", "gin-rummy:upcard")
def test_ten_cards_each_one_at_a_time_from_the_non_dealer_then_the_upcard():
    deck = random_deck = next(numbered_decks(pack()))
    state = GIN_RUMMY.start([deck], seats=2, dealer=0)
    assert state.hands[1] == mask(random_deck[0:20:2])
    assert state.hands[0] == mask(random_deck[1:20:2])
    view = state.view(None)
    assert (view.upcard, view.discard_count, view.stock_count) == (deck[20], 1, 31)
    assert state.dump()["stock"] == list(deck[21:])


@rule("gin-rummy:first-dealer")
@pytest.mark.parametrize("dealer", [0, 1])
def test_the_chosen_dealer_deals_and_the_other_answers_the_upcard(dealer):
    state = fresh(dealer=dealer)
    assert state.to_act == (1 - dealer,)
    assert ("Dealer", f"@{dealer}") in state.view(None).facts


@rule("gin-rummy:next-dealer")
@pytest.mark.parametrize(
    ("option", "dealer", "expected"),
    [
        ("loser", 0, 1),
        ("loser", 1, 1),
        ("winner", 0, 0),
        ("winner", 1, 0),
        ("alternate", 0, 1),
        ("alternate", 1, 0),
    ],
)
def test_the_next_dealer_after_seat_0_has_won(option, dealer, expected):
    state = play(with_knocker(dealer=dealer, options={"next_dealer": option}), KNOCK)
    assert winner(state) == 0
    assert state.dealer == expected
    assert state.to_act == (1 - expected,)


@rule("gin-rummy:next-dealer", "gin-rummy:dead-hand")
@pytest.mark.parametrize("option", ["loser", "winner", "alternate"])
@pytest.mark.parametrize("dealer", [0, 1])
def test_the_same_dealer_deals_again_after_a_dead_hand(option, dealer):
    state = play(with_knocker(stock_count=2, dealer=dealer, options={"next_dealer": option}), "X QC")
    assert state.dealer == dealer


# The turn


@rule("gin-rummy:first-upcard")
def test_the_first_upcard_goes_to_the_non_dealer_then_to_the_dealer_then_nobody():
    state = fresh()
    assert (state.to_act, legal(state)) == ((0,), ["U", "P"])
    assert refusal(state, "D") == "first-upcard"
    play(state, "P")
    assert (state.to_act, legal(state)) == ((1,), ["U", "P"])
    play(state, "P")
    assert (state.to_act, legal(state)) == ((0,), ["D"])
    assert refusal(state, "U") == "first-upcard"
    assert refusal(state, "P") == "first-upcard"
    play(state, "D")
    assert state.view(0).phase is Phase.DISCARD


@rule("gin-rummy:first-upcard")
@pytest.mark.parametrize(("moves", "taker"), [(["U"], 0), (["P", "U"], 1)])
def test_whoever_takes_the_first_upcard_discards_and_the_other_player_moves(moves, taker):
    state = play(fresh(), *moves)
    assert state.to_act == (taker,)
    play(state, legal(state)[0])
    assert (state.to_act, legal(state)) == ((1 - taker,), ["D", "U"])


@rule("gin-rummy:turn-draw")
def test_a_turn_takes_exactly_one_card():
    state = play(fresh(), "P", "P")
    held = state.dump()["hands"][0]
    assert refusal(state, f"X {held[0]}") == "turn-draw"
    assert refusal(state, KNOCK) == "turn-draw"
    play(state, "D")
    assert len(state.dump()["hands"][0]) == 11
    assert refusal(state, "D") == "turn-draw"
    assert refusal(state, "U") == "turn-draw"
    assert refusal(state, "P") == "first-upcard"
    assert refusal(fresh(), "X 2C") == "turn-draw"


@rule("gin-rummy:turn-draw")
def test_the_other_player_waits():
    with pytest.raises(NotYourTurn) as refusal:
        fresh().play(1, GIN_RUMMY.parse("P"))
    assert refusal.value.rule == "gin-rummy:turn-draw"


@rule("gin-rummy:turn-discard")
def test_a_turn_ends_with_one_card_of_the_hand_face_up_on_the_pile():
    state = with_knocker()
    assert refusal(state, "X AS") == "turn-discard"
    assert refusal(state, "K AS: 5H-6H-7H") == "turn-discard"
    assert refusal(state, "K QC: 5H-6H-7H KC+KD+KS") == "turn-discard"
    play(state, "X QC")
    assert state.view(1).upcard == "QC"
    assert state.to_act == (1,)
    assert len(state.dump()["hands"][0]) == 10


@rule("gin-rummy:no-return-upcard")
def test_the_upcard_just_taken_stays_for_this_turn():
    state = table(hands=[KNOCKER.removesuffix(" QC"), DEFENDER], upcard="QC", to_move=0, phase="draw")
    play(state, "U")
    assert refusal(state, "X QC") == "no-return-upcard"
    assert refusal(state, KNOCK) == "no-return-upcard"
    assert not [move for move in legal(state) if " QC" in move[:5]]
    play(state, "X 2C", "D")
    play(state, next(move for move in legal(state) if move.startswith("X")), "D")
    assert "X QC" in legal(state)


@rule("gin-rummy:no-return-upcard")
def test_a_card_from_the_stock_may_be_discarded_at_once():
    state = table(
        hands=[KNOCKER.removesuffix(" QC"), DEFENDER],
        upcard="9D",
        stock="QC JC JD JH",
        to_move=0,
        phase="draw",
    )
    play(state, "D", "X QC")
    assert state.view(1).upcard == "QC"


@rule("gin-rummy:draw-cap")
def test_after_twelve_turns_from_the_upcard_the_next_begins_with_the_stock():
    state = fresh()
    for turn in range(12):
        assert "U" in legal(state), turn
        play(state, "U")
        play(state, next(move for move in legal(state) if move.startswith("X")))
    assert legal(state) == ["D"]
    assert refusal(state, "U") == "draw-cap"
    assert "twelve" in state.view(state.to_act[0]).prompt
    play(state, "D")
    play(state, legal(state)[0])
    assert legal(state) == ["D", "U"]


@rule("gin-rummy:draw-cap")
def test_a_turn_from_the_stock_starts_the_count_anew():
    state = table(hands=["2C", "3C"], upcard="KD", upcard_turns=11, phase="draw", to_move=0)
    play(state, "D", "X 2C")
    assert state.dump()["upcard_turns"] == 0
    assert legal(state) == ["D", "U"]


# Knocking and gin


@rule("gin-rummy:knock-limit")
def test_ten_points_may_knock_and_eleven_may_not():
    state = with_knocker("4C 5C 6C TD TH TS 3H 3D 4D AC 9S", "")
    message = str(refused(state, "K 9S: 4C-5C-6C TD+TH+TS"))
    assert "11" in message and "limit is 10" in message
    ten = with_knocker("4C 5C 6C TD TH TS 3H 3D 3C AC 9S", "")
    assert knocks(ten) == {"9S": 1, "AC": 9}


@rule("gin-rummy:knock-limit")
@pytest.mark.parametrize(("limit", "allowed"), [(10, True), (9, False), (0, False)])
def test_the_limit_is_an_option(limit, allowed):
    state = with_knocker(options={"knock_limit": limit})
    assert (KNOCK in legal(state)) == allowed
    if not allowed:
        assert refusal(state, KNOCK) == "knock-limit"


@rule("gin-rummy:knock-limit", "gin-rummy:gin")
def test_straight_gin_ends_a_hand_by_gin_alone():
    assert GIN_RUMMY.parse(GO_GIN) in with_knocker(GIN, options={"knock_limit": 0}).legal_moves(0)


@rule("gin-rummy:knock-limit")
def test_the_limit_counts_the_grouping_announced():
    state = with_knocker("4C 5C 6C TD TH TS 3H 3D 3S AC 9S", "")
    assert refusal(state, "K 9S: 4C-5C-6C 3D+3H+3S") == "knock-limit"
    play(state, "K 9S: 4C-5C-6C 3D+3H+3S TD+TH+TS")
    assert loose_points(state)[0] == 1


@rule("gin-rummy:knock-discard")
def test_the_discard_of_a_knock_lies_in_no_meld():
    state = with_knocker("4C 5C 6C 7C TD TH TS 3H 3D AC AS", "")
    assert refusal(state, "K 7C: 4C-5C-6C-7C TD+TH+TS") == "knock-discard"
    assert "K 7C: 4C-5C-6C TD+TH+TS" in legal(state)


@rule("gin-rummy:knock-discard")
def test_the_last_discard_is_face_down_until_the_hand_is_scored():
    state = play(with_knocker(options={"defence": "manual"}, upcard="9D"), KNOCK)
    assert "QC" not in repr(state.view(1)) and "QC" not in repr(state.view(None))
    assert state.view(0).knock.discard == "QC"
    assert state.view(1).upcard == "9D"
    play(state, legal(state)[0])
    assert [zone.cards for zone in state.results[-1].zones if zone.id == "discards"] == [("QC",)]


def test_covered_discards_are_remembered_but_not_shown():
    position = {"hand": "2C 3C 4C 9D 9H 9S KC KD 5H 7S AD", "phase": "discard", "to_move": 0}
    state, other = (GIN_RUMMY.load({**position, "discards": pile}) for pile in ("QH QS 8D", "JH JS 8D"))
    view = state.view(0)
    assert view.discards == ("8D",) and view.remembered == ("QH", "QS", "8D")
    assert view == other.view(0) and "QH" not in repr(view)
    assert GIN_RUMMY.sample(view, Random(1)).view(1).remembered == view.remembered


@rule("gin-rummy:knock-any-turn")
def test_a_knock_is_possible_in_the_first_turn_and_never_forced():
    dealt = [
        card for pair in zip("5H 6H 7H TC TD TS 2C 3D 4S AC".split(), DEFENDER.split(), strict=True) for card in pair
    ]
    state = play(stacked(*dealt, "QC", "QD"), "P", "P", "D")
    assert KNOCK.replace("QC", "QD") in legal(state)
    assert "X QD" in legal(state)
    play(state, KNOCK.replace("QC", "QD"))
    assert state.results[-1].points == (7, 0)


@rule("gin-rummy:knock-arrangement")
def test_every_grouping_within_the_limit_is_legal_the_best_of_all_first():
    state = with_knocker("4C 5C 6C 4D 5D 6D 4H 5H 6H 9S KD", "")
    found = [move for move in legal(state) if move.startswith("K KD")]
    assert set(found) == {"K KD: 4C-5C-6C 4D-5D-6D 4H-5H-6H", "K KD: 4C+4D+4H 5C+5D+5H 6C+6D+6H"}
    poorer = with_knocker("AC 2C 3C AD 2D 3D TC TD TH 4S KS", "")
    texts = [move for move in legal(poorer) if move.startswith("K KS")]
    assert texts[0] == "K KS: AC-2C-3C AD-2D-3D TC+TD+TH"
    assert "K KS: AC-2C-3C TC+TD+TH" in texts


@rule("gin-rummy:knock-arrangement")
def test_the_words_of_a_poorer_grouping_say_what_could_be_left():
    view = with_knocker("AC 2C 3C AD 2D 3D TC TD TH 4S KS", "").view(0)
    phrases = {str(move): render_text(view.choice(move).phrase.text, ()) for move in view.moves}
    assert "could leave" not in phrases["K KS: AC-2C-3C AD-2D-3D TC+TD+TH"]
    assert "you could leave 4" in phrases["K KS: AC-2C-3C TC+TD+TH"]
    missed = with_knocker("5H 6H 7H TC TD TS 2C 3C 4C 5C JD").view(0)
    assert "you could go gin" in missed.choice(GIN_RUMMY.parse("K JD: 5H-6H-7H TC+TD+TS 2C-3C-4C")).phrase.rest


@rule("gin-rummy:knock-arrangement")
def test_melds_mean_the_same_in_any_order():
    assert GIN_RUMMY.parse("k qc:ts+tc+td 7H - 6H-5h") == GIN_RUMMY.parse(KNOCK)
    assert str(GIN_RUMMY.parse("K QC: TS+TC+TD 7H-6H-5H")) == KNOCK


@rule("gin-rummy:gin", "gin-rummy:score-gin")
@pytest.mark.parametrize("bonus", [20, 25])
def test_gin_scores_the_other_deadwood_and_the_bonus(bonus):
    state = play(with_knocker(GIN, "8H 9D 9S KC 2H 3H 4H QD 7C 5S", options={"gin_bonus": bonus}), GO_GIN)
    assert state.results[-1].points == (58 + bonus, 0)


@rule("gin-rummy:gin-safe")
def test_gin_beats_a_defender_without_deadwood():
    state = play(with_knocker(GIN, "AH 2H 3H 8C 8D 8S QC QD QH QS"), GO_GIN)
    assert state.results[-1].points == (20, 0)


def test_a_result_lists_no_empty_places():
    state = play(with_knocker(GIN, "AH 2H 3H 8C 8D 8S QC QD QH QS"), GO_GIN)
    zones = state.results[-1].zones
    assert [zone.id for zone in zones] == [*(f"meld:{number}" for number in range(1, 7)), "discards"]
    assert all(zone.cards for zone in zones)


@rule("gin-rummy:turn-discard")
@pytest.mark.parametrize("hand", [pack()[start : start + 11] for start in range(0, 52, 11)], ids=" ".join)
def test_every_card_of_the_hand_may_be_discarded(hand):
    discards = [move for move in legal(table(hand=hand, phase="discard")) if move.startswith("X")]
    assert sorted(discards) == sorted(f"X {card}" for card in hand)


BIG = "5H 6H 7H TC TD TS 2C 3C 4C 5C 6C"
GO_BIG = "B: 2C-3C-4C-5C-6C 5H-6H-7H TC+TD+TS"


@rule("gin-rummy:big-gin")
@pytest.mark.parametrize("bonus", [31, 50])
def test_big_gin_melds_eleven_cards_and_scores_its_bonus(bonus):
    state = with_knocker(BIG, "8H 9D 9S KC 2H 3H 4H QD 7C 5S", options={"big_gin": bonus})
    assert GO_BIG in legal(state)
    assert render_text(state.view(0).choice(GIN_RUMMY.parse(GO_BIG)).phrase.text, ()).startswith("Go big gin")
    play(state, GO_BIG)
    assert state.results[-1].points == (58 + bonus, 0)


@rule("gin-rummy:big-gin")
def test_big_gin_needs_the_option_and_all_eleven_cards():
    assert not [move for move in with_knocker(BIG).legal_moves(0) if isinstance(move, BigGin)]
    assert refusal(with_knocker(BIG), GO_BIG) == "big-gin"
    assert refusal(with_knocker(BIG, options={"big_gin": 31}), "B: 2C-3C-4C-5C 5H-6H-7H TC+TD+TS") == "big-gin"
    assert refusal(with_knocker(KNOCKER, options={"big_gin": 31}), "B: 5H-6H-7H TC+TD+TS") == "big-gin"
    ten = table(hand="5H 6H 7H TC TD TS 2C 3C 4C 5C", phase="discard", options={"big_gin": 31})
    assert refusal(ten, "B: 2C-3C-4C-5C 5H-6H-7H TC+TD+TS") == "big-gin"
    assert not [move for move in ten.legal_moves(0) if isinstance(move, BigGin)]
    assert refusal(table(hand="2C", phase="draw", options={"big_gin": 31}), GO_BIG) == "turn-draw"


@rule("gin-rummy:turn-draw", "gin-rummy:big-gin")
def test_big_gin_before_the_first_upcard_is_answered_is_told_what_comes_first():
    state = table(hand=BIG[:29], phase="first-upcard", upcard="AH", options={"big_gin": 31})
    with pytest.raises(IllegalMove, match="Take the upcard or pass."):
        state.play(0, GIN_RUMMY.parse(GO_BIG))


# Showdown


def showdown(knock: str = KNOCK, hand: str = KNOCKER, other: str = DEFENDER, **options) -> GinRummyState:
    """The defender is to lay his hand open."""
    return play(with_knocker(hand, other, options={"defence": "manual", **options}), knock)


@rule("gin-rummy:defence-melds")
def test_the_defender_groups_his_cards_as_he_likes():
    assert winner(play(showdown(), "S: KC+KD+KS / 4H>1 8H>1 9H>1 TH>1")) == 0
    assert play(showdown(), "S: KC+KD+KS / 4H>1 8H>1 9H>1 TH>1").results[-1].points == (7, 0)
    assert play(showdown(), "S:").results[-1].points == (4 + 8 + 9 + 10 + 30 + 2 + 6 + 9 - 10, 0)
    assert refusal(showdown(), "S: KC+KD+KH") == "turn-discard"
    assert refusal(showdown(), "S: KC+KD") == "meld-set"
    assert refusal(showdown(), "S: 8H-9H-TH KC+KD+KS / 8H>1") == "meld-disjoint"


@rule("gin-rummy:auto-defence", "gin-rummy:defence-melds")
def test_the_first_showdown_offered_is_as_good_as_the_computed_one():
    by_hand = showdown()
    play(by_hand, legal(by_hand)[0])
    assert by_hand.results[-1].points == play(with_knocker(), KNOCK).results[-1].points


@rule("gin-rummy:auto-defence")
def test_no_showdown_leaves_less_than_the_computed_defence():
    rng = Random(5)
    decks = random_decks(pack(), rng)
    compared = 0
    while compared < 12:
        state = GIN_RUMMY.start(decks, seats=2, options={"defence": "manual"})
        while state.to_act and not state.results and state.phase is not Phase.SHOWDOWN:
            moves = state.legal_moves(state.to_act[0])
            state.play(
                state.to_act[0],
                next((move for move in moves if isinstance(move, Knock)), None) or rng.choice(moves),
            )
        if state.phase is Phase.SHOWDOWN:
            compared += 1
            gains = []
            for move in state.legal_moves(state.to_act[0]):
                end = state.copy()
                end.play(end.to_act[0], move)
                gains.append(end.results[-1].points[state.knocker] - end.results[-1].points[1 - state.knocker])
            assert min(gains) == gains[0]
            auto = GIN_RUMMY.load(
                {
                    **state.dump(),
                    "phase": "discard",
                    "knock": None,
                    "to_move": state.knocker,
                    "hands": with_discard(state),
                    "options": {},
                }
            )
            auto.play(state.knocker, state.knock)
            points = auto.results[-1].points
            assert points[state.knocker] - points[1 - state.knocker] == gains[0]


def with_discard(state: GinRummyState) -> list[list[str]]:
    hands = state.dump()["hands"]
    hands[state.knocker] += [state.knock.card]
    return hands


@rule("gin-rummy:layoff")
@pytest.mark.parametrize("layoff", ["9H>1", "KC>1", "KC>2", "4H>2", "8H>2", "8H>3", "8H>0", "AH>1"])
def test_a_lay_off_that_does_not_fit_is_refused(layoff):
    assert refusal(showdown(), f"S: / {layoff}") == "layoff"


@rule("gin-rummy:layoff")
def test_a_card_that_fits_but_is_not_held_cannot_be_laid_off():
    state = play(with_knocker(other="4H KC KD KS", options={"defence": "manual"}), KNOCK)
    assert refusal(state, "S: KC+KD+KS / 4H>1 8H>1") == "layoff"


@rule("gin-rummy:layoff")
def test_a_lay_off_completes_a_set_or_lengthens_a_run_at_either_end():
    state = play(showdown(), "S: KC+KD+KS / TH>2 4H>1 8H>1")
    assert loose_points(state)[1] == 2 + 6 + 9 + 9
    shown = {zone.id: zone.cards for zone in state.results[-1].zones}
    assert shown["meld:1"] == ("4H", "5H", "6H", "7H", "8H")
    assert shown["meld:2"] == ("TC", "TD", "TH", "TS")
    assert refusal(showdown(), "S: / TH>1 TH>2 8H>1 9H>1") == "meld-disjoint"


@rule("gin-rummy:layoff-chain")
def test_lay_offs_build_on_one_another():
    assert loose_points(play(showdown(), "S: KC+KD+KS / 9H>1 8H>1"))[1] == 4 + 10 + 2 + 6 + 9
    assert refusal(showdown(), "S: KC+KD+KS / 9H>1") == "layoff"


@rule("gin-rummy:layoff-not-gin")
def test_nothing_is_laid_off_against_gin():
    other = "8H 9D 9S KC 2H 3H 4H QD 7C 5S"
    state = showdown(GO_GIN, GIN, other)
    assert state.view(1).prompt == "@0 went gin. Choose your melds; there are no lay-offs."
    assert showdown().view(1).prompt == "@0 knocked. Choose your melds and lay-offs."
    assert refusal(state, "S: 2H-3H-4H / 8H>2") == "layoff-not-gin"
    assert all("/" not in move for move in legal(state))
    assert loose_points(play(with_knocker(GIN, other), GO_GIN))[0] == 0
    assert loose_points(play(with_knocker(GIN, other), GO_GIN))[1] == 58


@rule("gin-rummy:layoff-not-gin", "gin-rummy:big-gin")
def test_nothing_is_laid_off_against_big_gin():
    state = showdown(GO_BIG, BIG, "8H 9D 9S KC 2H 3H 4H QD 7D 5S", big_gin=31)
    assert refusal(state, "S: 2H-3H-4H / 8H>2") == "layoff-not-gin"
    play(state, "S: 2H-3H-4H")
    assert state.results[-1].points == (58 + 31, 0)


@rule("gin-rummy:layoff-defender-only")
def test_the_knocker_lays_off_nothing_on_the_defenders_melds():
    state = play(
        with_knocker("4C 5C 6C TD TH TS 3H 3D 2D AC QC", "AH 2H 3C 3S 9D JD QS KS 6D 8D"),
        "K QC: 4C-5C-6C TD+TH+TS",
    )
    assert loose_points(state)[0] == 9
    fits = play(
        with_knocker("4C 5C 6C TD TH TS 3H 3D 2D AC QC", "AD AH AS 9D JD QS KS 7S 8D 9H"),
        "K QC: 4C-5C-6C TD+TH+TS",
    )
    assert loose_points(fits)[0] == 9


@rule("gin-rummy:turn-draw")
def test_only_the_defender_answers_a_knock_and_only_then():
    assert refusal(with_knocker(), "S: 5H-6H-7H") == "turn-draw"
    state = showdown()
    assert state.to_act == (1,)
    assert refusal(state, "X KC") == "turn-draw"
    assert refusal(state, "D") == "turn-draw"
    assert refusal(state, KNOCK, seat=0) == "turn-draw"


# Scoring a hand


@rule("gin-rummy:score-knock")
def test_the_lower_knocker_scores_the_difference():
    state = play(with_knocker(), KNOCK)
    assert state.results[-1].points == (17 - 10, 0)
    assert (state.scores, state.hands_won) == ([7, 0], [1, 0])


UNDERCUT = {"hand": "7C 8C 9C QD QH QS 2D 3S AH AC KD", "other": "5D 5H 5S JC JD JS TC 4H 2S AS"}
TIE = "K KD: 7C-8C-9C QD+QH+QS"


@rule("gin-rummy:score-undercut")
@pytest.mark.parametrize("bonus", [10, 20, 25])
def test_an_equal_or_lower_defender_undercuts(bonus):
    assert play(with_knocker(**UNDERCUT, options={"undercut_bonus": bonus}), TIE).results[-1].points == (
        0,
        bonus,
    )
    lower = {**UNDERCUT, "other": "5D 5H 5S JC JD JS TC 3H 2S AS"}
    state = play(with_knocker(**lower, options={"undercut_bonus": bonus}), TIE)
    assert state.results[-1].points == (0, 1 + bonus)
    assert state.hands_won == [0, 1]


@rule("gin-rummy:score-undercut", "gin-rummy:dead-hand")
def test_a_tie_can_be_worth_nothing_by_option():
    state = play(with_knocker(**UNDERCUT, dealer=0, options={"undercut_on_tie": False}), TIE)
    assert state.results[-1].points == (0, 0)
    assert (state.dead_hands, state.dealer, state.hands_won) == (1, 0, [0, 0])
    lower = {**UNDERCUT, "other": "5D 5H 5S JC JD JS TC 3H 2S AS"}
    assert play(with_knocker(**lower, options={"undercut_on_tie": False}), TIE).results[-1].points == (0, 11)


@pytest.mark.parametrize(
    ("hands", "move", "options", "summary"),
    [
        ((KNOCKER, DEFENDER), KNOCK, {}, "@0 [knock] with 10 against 17; 7 points for @0."),
        (tuple(UNDERCUT.values()), TIE, {}, "@0 [knock] with 7, @1 [undercut] with 7; 10 points for @1."),
        (
            tuple(UNDERCUT.values()),
            TIE,
            {"undercut_on_tie": False},
            "@0 [knock] with 7, and @1 [have] the same; no one scores.",
        ),
        ((GIN, "KC AH"), GO_GIN, {}, "@0 [go] gin, @1 [have] 11 left; 31 points for @0."),
        ((BIG, "KC AH"), GO_BIG, {"big_gin": 31}, "@0 [go] big gin, @1 [have] 11 left; 42 points for @0."),
        ((KNOCKER, "AH JC"), KNOCK, {}, "@0 [knock] with 10 against 11; 1 point for @0."),
    ],
)
def test_a_summary_reads_well_with_a_name_and_with_you(hands, move, options, summary):
    assert play(with_knocker(*hands, options=options), move).results[-1].summary == summary


def test_the_places_of_a_result_are_labelled_by_whose_they_are():
    zones = play(with_knocker(other="4H 8H KC KD KS AH QH"), KNOCK).results[-1].zones
    assert {zone.id: (zone.label, zone.note) for zone in zones} == {
        "meld:1": ("@0's meld", "4H 8H laid off"),
        "meld:2": ("@0's meld", ""),
        "meld:3": ("@1's meld", ""),
        "hand:0": ("@0's deadwood", "10 points"),
        "hand:1": ("@1's deadwood", "11 points"),
        "discards": ("@0's last discard", ""),
    }


def test_the_melds_on_the_table_are_numbered_while_cards_are_laid_off():
    labels = {zone.id: zone.label for zone in showdown().view(1).zones}
    assert (labels["meld:1"], labels["meld:2"], labels["hand:0"]) == (
        "@0's meld 1",
        "@0's meld 2",
        "@0's deadwood",
    )


@rule("gin-rummy:dead-hand")
def test_a_hand_is_dead_when_two_cards_are_left_after_a_discard():
    state = play(with_knocker(stock_count=3), "X QC")
    assert state.phase is Phase.DRAW and not state.results
    play(state, "D", "X 2D")
    assert state.results[-1].points == (0, 0)
    assert state.results[-1].zones == ()
    assert (state.dead_hands, state.scores, state.phase) == (1, [0, 0], Phase.FIRST_UPCARD)


@rule("gin-rummy:dead-hand")
def test_who_draws_the_third_last_card_may_still_knock():
    assert play(with_knocker(stock_count=2), KNOCK).results[-1].points == (7, 0)


@rule("gin-rummy:dead-hand", "gin-rummy:dead-cap")
def test_a_won_hand_ends_a_row_of_dead_ones():
    assert play(with_knocker(dead_hands=4), KNOCK).dead_hands == 0


def test_hands_are_numbered_on_from_a_position():
    assert play(with_knocker(hands_won=[2, 1], dead_hands=1), KNOCK).results[0].number == 5
    state = play(with_knocker(hands_won=[2, 1], hands_played=8, stock_count=2), "X QC")
    assert state.results[0].number == 9 and state.dump()["hands_played"] == 9
    assert GIN_RUMMY.sample(state.view(0), Random(1)).deal_number == 10


@rule("gin-rummy:dead-cap")
@pytest.mark.parametrize(
    ("scores", "places", "totals"),
    [
        ([40, 30], (1, 2), (40 + 100 + 2 * 20, 30 + 20)),
        ([0, 30], (2, 1), (2 * 20, 30 + 200 + 20)),
        ([30, 30], (1, 1), (30, 30)),
        ([0, 0], (1, 1), (0, 0)),
    ],
)
def test_five_dead_hands_in_a_row_settle_the_game_as_it_stands(scores, places, totals):
    state = play(with_knocker(stock_count=2, dead_hands=4, scores=scores, hands_won=[2, 1]), "X QC")
    assert state.to_act == ()
    assert state.outcome().places == places
    assert state.outcome().scores == totals
    lines = state.outcome().lines
    added = tuple(sum(line.points for line in lines if seat in line.seats) for seat in (0, 1))
    assert added == tuple(total - score for total, score in zip(totals, scores, strict=True))
    assert "dead" in state.outcome().reason


@rule("gin-rummy:knock-limit")
@pytest.mark.parametrize(("upcard", "limit"), [("AH", 1), ("7D", 7), ("TC", 10), ("KD", 10)])
def test_oklahoma_takes_the_limit_from_the_first_upcard(upcard, limit):
    rest = [card for card in pack() if card != upcard]
    state = GIN_RUMMY.start([[*rest[:20], upcard, *rest[20:]]], seats=2, options={"oklahoma": True, "knock_limit": 3})
    assert state.view(0).limit == limit
    play(state, "P", "P", "D")
    play(state, next(move for move in legal(state) if move.startswith("X")))
    assert state.view(0).limit == limit


@rule("gin-rummy:score-knock")
@pytest.mark.parametrize(("upcard", "spades", "points"), [("TH", True, 7), ("TS", True, 14), ("TS", False, 7)])
def test_a_spade_upcard_doubles_the_hand_by_option(upcard, spades, points):
    hands = ["5H 6H 7H JC JD JS 2C 3D 4S AC QC", "4H 8H 9H KC KD KS 2D 6S 9C"]
    state = table(
        hands=hands,
        discards=[upcard, "9D"],
        phase="discard",
        to_move=0,
        options={"oklahoma": True, "oklahoma_spades": spades},
    )
    play(state, "K QC: 5H-6H-7H JC+JD+JS")
    assert state.results[-1].points == (points, 0)


@rule("gin-rummy:score-undercut")
def test_spades_without_oklahoma_double_nothing():
    state = table(
        hands=[KNOCKER, DEFENDER],
        discards="9S",
        phase="discard",
        to_move=0,
        options={"oklahoma_spades": True},
    )
    assert play(state, KNOCK).results[-1].points == (7, 0)


# The end of the game


@rule("gin-rummy:target")
@pytest.mark.parametrize("target", [50, 100, 150, 250])
def test_the_game_ends_at_the_target_after_a_hand(target):
    short = play(with_knocker(scores=[target - 8, 0], options={"target": target}), KNOCK)
    assert short.outcome() is None and short.to_act
    done = play(with_knocker(scores=[target - 7, 5], hands_won=[1, 1], options={"target": target}), KNOCK)
    assert done.to_act == ()
    assert done.outcome().places == (1, 2)
    assert done.outcome().scores == (target + 100 + 2 * 20, 5 + 20)


def settled(scores, hands_won, **options):
    return table(scores=scores, hands_won=hands_won, options=options).outcome()


@rule("gin-rummy:game-bonus")
def test_the_winner_adds_the_game_bonus():
    assert settled([104, 71], [0, 0]).scores == (204, 71)
    assert settled([71, 104], [0, 0], game_bonus=0).scores == (71, 104)


@rule("gin-rummy:box-bonus")
@pytest.mark.parametrize("box", [0, 20, 25])
def test_each_hand_won_adds_a_box_to_either_player(box):
    outcome = settled([104, 71], [4, 3], box_bonus=box)
    assert outcome.scores == (204 + 4 * box, 71 + 3 * box)
    assert all(line.points for line in outcome.lines)


@rule("gin-rummy:shutout")
def test_a_shutout_doubles_the_bonus_or_the_total_or_nothing():
    assert settled([112, 0], [5, 0]).scores == (112 + 200 + 100, 0)
    assert settled([112, 0], [5, 0], shutout="double-total").scores == (2 * (112 + 100 + 100), 0)
    assert settled([112, 0], [5, 0], shutout="none").scores == (112 + 100 + 100, 0)
    assert settled([112, 1], [5, 0], shutout="double-total").scores == (312, 1)
    assert settled([112, 0], [5, 0], game_bonus=0).scores == (412, 0)


@rule("gin-rummy:result")
def test_the_target_decides_even_where_boxes_give_the_loser_more():
    outcome = settled([100, 90], [1, 9])
    assert outcome.scores == (220, 270)
    assert outcome.places == (1, 2)
    assert "-50" in outcome.reason


def test_the_preset_modern_has_the_bonuses_of_most_apps():
    state = GIN_RUMMY.start(numbered_decks(pack()), seats=2, options={"preset": "modern"})
    names = ("gin_bonus", "undercut_bonus", "box_bonus", "game_bonus", "shutout", "big_gin")
    assert [state.options[name] for name in names] == [25, 25, 25, 100, "double-total", 31]


def test_the_preset_classic_is_the_default():
    assert GIN_RUMMY.read_options({"preset": "classic"}, 2) == GIN_RUMMY.read_options(None, 2)


# Views


def test_the_log_shows_the_last_discard_only_and_what_was_taken():
    state = play(fresh(), "U")
    taken = state.view(1).taken_upcard
    play(state, legal(state)[-1])
    first = state.view(None).upcard
    play(state, "D")
    play(state, legal(state)[-1])
    second = state.view(None).upcard
    told = [render_text(event.text, ["A"] * 4) for event in state.view(0).log]
    assert told == [
        f"A takes the upcard {taken}",
        "A discards a card",
        "A draws from the stock",
        f"A discards {second}",
    ]
    assert first not in repr(state.view(None))


def test_the_log_tells_of_a_knock_that_waits_for_the_defender():
    def last_line(state: GinRummyState) -> str:
        return render_text(state.view(1).log[-1].text, ["A"] * 4)

    assert last_line(showdown()) == "A knocks with 10: 5H 6H 7H, TC TD TS"
    assert last_line(showdown(GO_GIN, GIN)) == "A goes gin: 2C 3C 4C 5C, 5H 6H 7H, TC TD TS"
    assert last_line(showdown(GO_BIG, BIG, big_gin=31)) == "A goes big gin: 2C 3C 4C 5C 6C, 5H 6H 7H, TC TD TS"


def test_an_open_pile_shows_every_discard():
    state = play(fresh(review_discards=True), "P", "P", "D")
    first = state.view(None).upcard
    play(state, legal(state)[0])
    assert state.view(None).discards == (first, state.view(None).upcard)
    zone = next(zone for zone in state.view(1).zones if zone.id == "discards")
    assert zone.cards == state.view(None).discards


def test_taken_cards_stay_known_until_they_are_discarded():
    state = table(hands=["2C 3C", "4C"], upcard="KD", phase="draw", to_move=0)
    play(state, "U", "X 2C")
    assert state.view(1).known == (("KD",), ())
    assert {GIN_RUMMY.sample(state.view(1), Random(seed)).hands[0] & mask(["KD"]) for seed in range(5)} == {
        mask(["KD"])
    }
    play(state, "D", "X 4C", "D", "X KD")
    assert state.view(1).known == ((), ())


@rule("gin-rummy:first-upcard", "gin-rummy:draw-cap")
@pytest.mark.parametrize(
    "state",
    [play(fresh(), "P", "P"), table(hand="2C", upcard="KD", upcard_turns=12, phase="draw")],
    ids=["passed", "capped"],
)
def test_an_imagined_game_bars_the_same_upcard(state):
    assert legal(GIN_RUMMY.sample(state.view(0), Random(1))) == ["D"]


def test_a_spectator_sees_no_hand():
    view = fresh().view(None)
    shown = {card for zone in view.zones for card in zone.cards}
    assert shown == {view.upcard}
    assert view.moves == ()


# Reading moves and positions


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("p", "P"),
        (" u ", "U"),
        ("x9c", "X 9C"),
        ("X 10c", "X TC"),
        ("K QC 5h-6h-7h tc + td + ts", KNOCK),
        ("k qc : TS+TD+TC 5H-7H-6H", KNOCK),
        ("B 5H-6H-7H TC+TD+TS 2C-3C-4C-5C-6C", GO_BIG),
        ("s: ks+kd+kc / 9h>1 8H > 1", "S: KC+KD+KS / 8H>1 9H>1"),
        ("S: / 8H>1", "S: / 8H>1"),
        ("S", "S:"),
        ("S: KC+KD+KS /", "S: KC+KD+KS"),
    ],
)
def test_moves_are_read_in_any_case_and_order(text, spelling):
    assert str(GIN_RUMMY.parse(text)) == spelling


@pytest.mark.parametrize(
    "text",
    [
        *("", "ß", "X", "X 1C", "X 9C 8C", "K", "K: 5H-6H-7H", "D X KC", "Q 9C", "K QC: 5H--6H"),
        *("K 9C: 3H4H5H", "K9C:3H-4H-5H7C+7D+7S", "B 3H4H", "S: / 8H", "S: 8H>1", "S: / 8H>19H>1"),
        *("S: / 8H>" + "9" * 5000, "S: / 8H>\u0661", "K 9C" + " " * 100_000 + "!", "K 9C: " + "AC " * 30_000 + "!"),
    ],
    ids=lambda text: text[:20],
)
def test_other_texts_are_unreadable(text):
    with pytest.raises(UnreadableMove, match="no move of Gin Rummy"):
        GIN_RUMMY.parse(text)


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"hands": ["2C 2C", ""]}, "2C lies there 2 times"),
        ({"hands": ["2C", "2C"]}, "2C lies there 2 times"),
        ({"hands": ["1C", ""]}, "no card 1C"),
        ({"hand": "2C", "upcard": "2C"}, "2 times"),
        ({"hands": ["2C", "3C", "4C"]}, "one entry for each"),
        ({"hands": {"2": "2C"}}, "no seat 2"),
        ({"hands": [" ".join(pack()[:11]), ""], "phase": "draw", "to_move": 0}, "can hold 10"),
        ({"hands": [" ".join(pack()[:12]), ""], "phase": "discard", "to_move": 0}, "can hold 11"),
        (
            {"hands": [" ".join(pack()[:11]), " ".join(pack()[20:31])], "phase": "discard", "to_move": 0},
            "can hold 10",
        ),
        ({"phase": "discard"}, "a card to discard"),
        ({"phase": "first-upcard"}, "lies alone"),
        ({"phase": "first-upcard", "discards": "KC KD"}, "lies alone"),
        ({"phase": "dance"}, "choose one of"),
        ({"phase": "over"}, "not over"),
        ({"phase": "draw", "scores": [100, 0]}, "game is over"),
        ({"scores": [100, 120]}, "only one player"),
        ({"scores": [-1, 0]}, "whole number"),
        ({"dead_hands": 6}, "from 0 to 5"),
        ({"hands_won": [2, 1], "dead_hands": 1, "hands_played": 3}, "from 4 to"),
        ({"stock": "2C 3C", "phase": "draw"}, "three or more"),
        ({"stock_count": 60}, "stock_count"),
        ({"stock": "2C 3C 4C", "stock_count": 2}, "3 cards are named"),
        ({"upcard": "2C 3C"}, "one card"),
        ({"hand": "2C", "hands": ["3C", "4C"]}, "only one of them"),
        ({"doubled": "maybe"}, "true or false"),
        ({"taken_upcard": "2C", "hand": "3C"}, "must lie in a hand"),
        (
            {"taken_upcard": "2C", "hands": ["3C", "2C"], "to_move": 0, "phase": "discard"},
            "only the seat to move",
        ),
        ({"known": "2C", "hand": "3C"}, "must lie in a hand"),
        ({"history": ["2:P"]}, "no deed"),
        ({"history": ["0:D 7H"]}, "no deed"),
        ({"history": ["1:P"]}, "the non-dealer's first"),
        ({"history": ["0:D", "0:P"]}, "the non-dealer's first"),
        ({"history": ["0:P", "1:P"], "to_move": 1, "phase": "draw"}, "non-dealer begins"),
        ({"history": ["0:P"], "to_move": 0, "phase": "first-upcard", "upcard": "7H"}, "only a pass of the"),
        ({"history": ["1:D"], "to_move": 1, "phase": "first-upcard", "upcard": "7H"}, "only a pass of the"),
        ({"history": "1:P"}, "write a list"),
        ({"history": ["0:P"], "to_move": 1, "phase": "draw", "upcard": "7H"}, "dealer answers the first upcard"),
        ({"history": ["0:P"], "hand": "2C", "phase": "discard", "upcard": "7H"}, "dealer answers the first upcard"),
        ({"seats": 3}, "played with 2, not 3"),
        ([], "a mapping"),
        ({"dealer": 2}, "from 0 to 1"),
        ({"options": {"target": 7}}, "cannot be 7"),
        ({"deadwood": 3}, "knows"),
        ({"phase": "showdown", "to_move": 1}, "belongs to the phase"),
        ({"knock": "0:X 9C"}, "write the seat"),
        ({"knock": "0:hello"}, "write the seat"),
        ({"knock": "hello"}, "write the seat"),
        ({"knock": "0:K 9C: 5H-6H-7H", "hands": ["5H 6H 7H", "2C"]}, "manual defence"),
        (
            {"knock": "0:K 9C: 5H-6H-7H", "hands": ["5H 6H 8H", "2C"], "options": {"defence": "manual"}},
            "don't have 7H",
        ),
        (
            {
                "knock": "0:K 9C: 5H-6H-7H",
                "hands": ["5H 6H 7H JC 2D", "2C"],
                "options": {"defence": "manual"},
            },
            "more than 10",
        ),
        ({"knock": f"0:{GO_BIG}", "hands": [BIG, "AH"], "options": {"defence": "manual"}}, "big gin is eleven"),
        (
            {
                "knock": "0:B: 5H-6H-7H",
                "hands": ["5H 6H 7H 2D", "2C"],
                "options": {"defence": "manual", "big_gin": 31},
            },
            "big gin is eleven",
        ),
    ],
)
def test_an_impossible_position_says_what_to_mend(position, words):
    with pytest.raises(ImpossiblePosition, match=words):
        GIN_RUMMY.load(position)


def test_a_position_fills_in_what_it_leaves_out():
    state = table(hands={"0": KNOCKER, "1": DEFENDER})
    assert (state.phase, state.to_act, state.dealer) == (Phase.DISCARD, (0,), 1)
    assert len(state.stock) == 31
    assert len(set(state.cards())) == len(state.cards())
    assert (
        table(hand="2C", upcard="KD", stock_count=5).dump()["stock"]
        == table(hand="2C", upcard="KD", stock_count=5).dump()["stock"]
    )


@rule("gin-rummy:first-upcard")
@pytest.mark.parametrize("dealer", [0, 1])
def test_a_position_after_one_pass_is_the_dealers_answer_to_the_first_upcard(dealer):
    state = table(dealer=dealer, upcard="7H", history=[f"{1 - dealer}:P"])
    assert (state.phase, state.to_act, legal(state)) == (Phase.FIRST_UPCARD, (dealer,), ["U", "P"])


@pytest.mark.parametrize(
    ("history", "seat", "phase"),
    [
        (["1:P", "0:P"], 1, Phase.DRAW),
        (["1:P", "0:P", "1:D"], 1, Phase.DISCARD),
        (["1:P", "0:P", "1:D", "1:X 10H"], 0, Phase.DRAW),
        (["1:P", "0:U"], 0, Phase.DISCARD),
    ],
)
def test_whose_turn_it_is_follows_from_the_history(history, seat, phase):
    state = table(dealer=0, upcard="TH", hands=["2C 3C", "4D 5D"], history=history)
    assert (state.to_act, state.phase) == ((seat,), phase)


@rule("gin-rummy:no-return-upcard")
def test_the_history_says_which_upcard_was_just_taken_and_which_are_known():
    state = table(hand="7H KD 2C", dealer=1, history=["0:U 7H"])
    assert refusal(state, "X 7H") == "no-return-upcard"
    history = ["0:U 7H", "0:X 9S", "1:u 9s", "1:X 4D", "0:D"]
    state = table(hands=["7H KD 2C", "9S"], dealer=1, upcard="4D", history=history)
    assert state.view(None).known == (("7H",), ("9S",))
    assert "X 7H" in legal(state)
    knock = {"knock": "0:K QC: 5H-6H-7H", "options": {"defence": "manual"}}
    assert table(hands=["5H 6H 7H", "2C"], history=["0:U 7H"], **knock).view(1).known == (("7H",), ())


@rule("gin-rummy:knock-limit")
@pytest.mark.parametrize("passes", [[], ["0:P"]])
def test_oklahoma_knows_the_first_upcard_that_the_history_says_was_taken(passes):
    taker = len(passes)
    history = [*passes, f"{taker}:U 7S", f"{taker}:X KD"]
    options = {"oklahoma": True, "oklahoma_spades": True}
    state = table(upcard="KD", history=history, to_move=1 - taker, options=options)
    assert (state.limit, state.is_doubled) == (7, True)
    assert table(discards="3H KD", history=["0:P", "1:P", "0:D", "0:X KD"], to_move=1, options=options).limit == 3


def test_a_stock_with_its_next_cards_is_made_up_to_its_count():
    state = table(hand="2C", upcard="KD", stock="7H 8H", stock_count=50)
    assert state.dump()["stock"][:2] == ["7H", "8H"]
    assert sorted(state.cards()) == sorted(pack())


def test_the_face_down_discard_of_a_knock_is_not_in_the_stock():
    position = {"hands": ["5H 6H 7H", ""], "knock": "0:K QC: 5H-6H-7H", "options": {"defence": "manual"}}
    assert sorted(table(**position, stock_count=48).cards()) == sorted(pack())


@rule("gin-rummy:knock-limit")
def test_a_hand_cut_down_may_knock_too():
    state = table(hand="2C 3D KC", phase="discard")
    assert [move for move in legal(state) if move.startswith("K")] == ["K KC:"]
    assert state.view(0).deadwood == 5
    assert str(state.view(0).choice(GIN_RUMMY.parse("K KC:")).phrase.rest) == "with 5: no melds; KC face down"


@pytest.mark.parametrize(
    ("hand", "taken", "move"), [(BIG, "6C", GO_BIG), (KNOCKER, "4S", KNOCK)], ids=["big gin", "knock"]
)
def test_an_end_with_the_upcard_just_taken_is_loaded_as_it_was_dumped(hand, taken, move):
    state = with_knocker(hand, "AH", taken_upcard=taken, options={"defence": "manual", "big_gin": 31})
    assert GIN_RUMMY.parse(move) in state.view(0).moves
    play(state, move)
    assert GIN_RUMMY.load(state.dump()).dump() == state.dump()
    assert state.view(1).taken_upcard is None


def test_big_gin_on_the_table_is_imagined_as_big_gin():
    for seat in (None, 0, 1):
        state = showdown(GO_BIG, BIG, big_gin=31)
        assert isinstance(GIN_RUMMY.sample(state.view(seat), Random(1)).knock, BigGin)


@rule("gin-rummy:draw-cap")
def test_a_position_after_twelve_turns_from_the_upcard_begins_with_the_stock():
    state = table(hand="2C", upcard="KD", upcard_turns=12, phase="draw")
    assert legal(state) == ["D"]
    assert refusal(state, "U") == "draw-cap"


def test_a_phase_is_read_in_any_case_and_may_be_empty():
    assert table(phase="DRAW", upcard="KD").phase is Phase.DRAW
    assert table(phase=None, upcard="KD").phase is Phase.DRAW


def test_a_turn_without_an_upcard_is_told_to_draw_from_the_stock():
    state = table(hand="2C", phase="draw", upcard_turns=3)
    assert state.view(0).prompt == "Draw from the stock."
    assert refusal(state, "U") == "turn-draw"


@pytest.mark.parametrize("phase", ["draw", "first-upcard"])
def test_an_upcard_taken_into_a_hand_without_cards_can_be_discarded(phase):
    state = play(table(phase=phase, upcard="KD", stock_count=20), "U")
    assert "X KD" in legal(state)
    assert "KD" in [card for zone in state.view(0).zones for card in zone.cards]
    assert legal(play(state, "X KD")) == ["D", "U"]


@rule("gin-rummy:turn-draw")
def test_the_defender_is_told_that_no_more_cards_are_drawn():
    assert "ended with a knock" in str(refused(showdown(), "D"))
    assert "ended with a knock" in str(refused(showdown(), "U"))


def test_a_showdown_is_loaded_as_it_was_dumped():
    state = showdown()
    assert GIN_RUMMY.load(state.dump()).dump() == state.dump()
    assert legal(GIN_RUMMY.load(state.dump())) == legal(state)
    assert play(GIN_RUMMY.load(state.dump()), legal(state)[0]).results == play(state, legal(state)[0]).results


def test_a_known_card_that_is_knocked_with_is_no_longer_in_the_hand():
    state = play(with_knocker(known="QC 4S", options={"defence": "manual"}), KNOCK)
    assert state.dump()["known"] == ["4S"]
    assert GIN_RUMMY.load(state.dump()).dump() == state.dump()


def test_a_loaded_game_goes_on_with_the_decks_given():
    deck = next(random_decks(pack(), Random(3)))
    state = GIN_RUMMY.load({"hands": [KNOCKER, DEFENDER]}, [deck])
    play(state, KNOCK)
    assert state.dump()["stock"] == list(deck[21:])


def test_only_two_can_play():
    with pytest.raises(BadOption):
        GIN_RUMMY.start(numbered_decks(pack()), seats=3)
