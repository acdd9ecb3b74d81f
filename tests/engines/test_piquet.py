"""A deal of Piquet, rule by rule, in both games that play it; then the game to a hundred.

Positions are in the notation of `Piquet.load`: seat 0 is elder unless the position says otherwise.
"""

from collections import Counter
from dataclasses import replace
from itertools import combinations, repeat
from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.contract import BadOption, IllegalMove, ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.deals import numbered_decks
from games.core.playthrough import record
from games.core.words import render_text
from games.engines.piquet import imagining
from games.engines.piquet.declaring import holdings
from games.engines.piquet.game import PIQUET
from games.engines.piquet.moves import PACK, Exchange, Exchanges, Phase, cards_of, mask
from games.engines.piquet.scoring import Item
from games.engines.piquet.state import PiquetState
from games.engines.rubicon_piquet import RUBICON_PIQUET
from tests.engines.states import legal, play, refusal

EXAMPLES = yaml.safe_load((Path(__file__).parent / "piquet_examples.yaml").read_text())
BLANCHE = "AC TC 9C 8C 7C AD TD 9D 8D AH TH 9H"
PLAIN = "KC QC JC KD QD JD 7D KH QH JH 8H KS"
TALON = "7H QS JS TS 9S 8S 7S AS"
SPADES, HEARTS = "AS KS QS JS TS 9S", "AH KH QH JH TH 9H"


@pytest.fixture(params=[PIQUET, RUBICON_PIQUET], ids=lambda game: game.slug)
def game(request):
    return request.param


def rule(*ids: str):
    """Marks rules of the deal, which Rubicon Piquet has too."""
    return pytest.mark.rule(*ids, *(f"rubicon-{name}" for name in ids))


def counted(state: PiquetState, item: Item) -> list[int]:
    return [points[item] for points in state.sheet]


def log_of(state: PiquetState) -> list[str]:
    """The log of the deal in words."""
    return [render_text(event.text, [f"seat {seat}" for seat in range(4)]) for event in state.log]


def announced(state: PiquetState) -> list[str]:
    return [f"{seat} {words}" for seat, words in state.view(None).announcements]


def declaring(game, elder: str = "", younger: str = "", **position) -> PiquetState:
    return game.load({"elder": elder, "younger": younger, "phase": "declare", **position})


def exchanging(game, **position) -> PiquetState:
    return game.load({"phase": "exchange", **position})


def at_play(game, elder: str, younger: str, **position) -> PiquetState:
    return game.load({"elder": elder, "younger": younger, "phase": "play", **position})


def last_lines(state: PiquetState) -> dict[str, int]:
    """The points of the last deal by the short ids of their rules."""
    return {line.rule.partition(":")[2]: line.points for line in state.results[-1].lines}


# The worked examples

EXPECTATIONS = {
    "drawn": lambda state, value: [" ".join(cards) for cards in state.drawn] == value,
    "looked_at": lambda state, value: " ".join(state.looked_at()) == value,
    "talon": lambda state, value: " ".join(state.talon) == value,
    "legal": lambda state, value: legal(state) == value,
    "said": lambda state, value: announced(state) == value,
    "log": lambda state, value: value in log_of(state),
    "deal_score": lambda state, value: state.deal_score == value,
    "tricks": lambda state, value: state.tricks == value,
    "result": lambda state, value: list(state.results[-1].points) == value,
    "rules": lambda state, value: [line.rule.partition(":")[2] for line in state.results[-1].lines] == value,
    **{
        item.name.lower(): lambda state, value, item=item: counted(state, item) == value
        for item in (Item.POINT, Item.SEQUENCE, Item.SET, Item.REPIQUE, Item.PIQUE)
    },
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_the_worked_example_holds(game, example):
    state = play(game.load(example["setup"]), *example.get("play", []))
    for what, expected in example["expect"].items():
        assert EXPECTATIONS[what](state, expected), what


# Cards and deal


@rule("piquet:deck-32")
def test_the_pack_has_the_seven_to_the_ace_of_four_suits(game):
    deck = game.deck({})
    assert Counter(card[0] for card in deck) == dict.fromkeys("AKQJT987", 4)
    assert Counter(card[1] for card in deck) == dict.fromkeys("CDHS", 8)
    assert len(set(deck)) == 32


@rule("piquet:rank-order", "piquet:trick-winner")
@pytest.mark.parametrize(
    ("led", "answer", "winner"), [("TH", "9H", 0), ("TH", "JH", 1), ("KH", "AH", 1), ("7H", "AS", 0)]
)
def test_the_higher_card_of_the_suit_led_takes_the_trick_and_there_is_no_trump(game, led, answer, winner):
    state = play(at_play(game, f"{led} 7C", f"{answer} 8C"), led, answer)
    assert state.to_act == (winner,)
    assert state.tricks[winner] == 1


@rule("piquet:point-value")
def test_the_ace_counts_eleven_court_cards_and_tens_ten_the_rest_their_pips(game):
    points = {holding.suit: holding.height for holding in holdings(mask("AC KC QC JC TC 9D 8D 7D".split()), "point")}
    assert points == {"C": 11 + 4 * 10, "D": 9 + 8 + 7}


@rule("piquet:first-dealer", "piquet:elder-younger")
@pytest.mark.parametrize("dealer", [0, 1])
def test_whoever_does_not_deal_is_elder_and_exchanges_declares_and_leads_first(game, dealer):
    state = game.start(numbered_decks(PACK), seats=2, dealer=dealer)
    elder = 1 - dealer
    play(state, "NB")
    assert state.to_act == (elder,)
    for _exchange in range(2):
        play(state, legal(state)[0])
    assert (state.phase, state.to_act) == (Phase.DECLARE, (elder,))
    play(state, "PT:-", "SQ:-", "ST:-")
    assert (state.phase, state.to_act) == (Phase.LEAD, (elder,))
    assert ("Dealer", f"@{dealer}") in state.view(None).facts
    assert ("Elder", f"@{elder}") in state.view(None).facts


@rule("piquet:deal-alternates")
def test_the_deal_passes_to_the_other_player_whatever_happened(game):
    rng, state = Random(1), game.start(numbered_decks(PACK), seats=2, dealer=0)
    dealers = [state.dealer]
    while len(state.results) < 4:
        finished = len(state.results)
        play(state, rng.choice(legal(state)))
        if len(state.results) > finished:
            dealers.append(state.dealer)
    assert dealers == [0, 1, 0, 1, 0]


@rule("piquet:deal-12")
def test_twelve_cards_each_and_a_talon_of_eight_in_order(game):
    deck = next(numbered_decks(PACK))
    state = game.start([deck], seats=2, dealer=1)
    assert [state.hands[0], state.hands[1]] == [mask(deck[:12]), mask(deck[12:24])]
    assert state.talon == deck[24:]
    views = [state.view(seat) for seat in (None, 0, 1)]
    assert all((zone.count, zone.cards) == (8, ()) for view in views for zone in view.zones if zone.id == "talon")
    assert [view.hand for view in views] == [(), cards_of(mask(deck[:12])), cards_of(mask(deck[12:24]))]


@rule("piquet:no-misdeal")
def test_a_position_with_a_card_too_many_or_twice_is_refused(game):
    for cards in ("AS AS", "6S", "XB"):
        with pytest.raises(ImpossiblePosition):
            declaring(game, cards, "7C 8C")
    with pytest.raises(ImpossiblePosition):
        declaring(game, " ".join(PACK[:13]), " ".join(PACK[13:26]))


# Carte blanche


def dealt_blanche(game, seat: int, **position) -> PiquetState:
    hands = [PLAIN, PLAIN]
    hands[seat] = BLANCHE
    return game.load({"phase": "blanche", "dealer": 1, "hands": hands, "talon": TALON, **position})


@rule("piquet:carte-blanche")
def test_a_hand_without_court_cards_is_worth_ten_points(game):
    younger = play(dealt_blanche(game, 1), "BL")
    assert younger.deal_score == [0, 10]
    elder = play(dealt_blanche(game, 0), "NB", "BL3")
    assert elder.deal_score == [10, 0]


@rule("piquet:carte-blanche")
def test_a_hand_with_a_court_card_is_no_carte_blanche(game):
    assert refusal(dealt_blanche(game, 0), "BL") == "carte-blanche"
    assert refusal(play(dealt_blanche(game, 1), "NB"), "BL3") == "carte-blanche"
    assert legal(dealt_blanche(game, 0)) == ["NB"]


@rule("piquet:carte-blanche")
def test_only_the_hand_as_dealt_counts(game):
    hands = ["KC AC TC 9C 8C 7C AD TD 9D 8D AH TH", PLAIN.replace("KC", "JS")]
    state = game.load({"phase": "exchange", "hands": hands, "talon": "9H 7H QS TS 9S 8S 7S AS"})
    play(state, "EX KC")
    assert not mask(["KC", "QC", "JC"]) & state.hands[0]
    assert not any("BL" in move for move in legal(play(state, "EX QC")))


@rule("piquet:carte-blanche-when")
def test_elder_names_the_number_of_cards_with_it_and_keeps_to_it(game):
    state = play(dealt_blanche(game, 0), "NB")
    assert [move for move in legal(state) if move.startswith("BL")] == ["BL1", "BL2", "BL3", "BL4", "BL5"]
    assert refusal(state, "BL") == "carte-blanche-when"
    assert refusal(state, "BL6") == "elder-exchange"
    play(state, "BL2", "EX KS")
    assert refusal(state, "EX AC") == "carte-blanche-when"
    assert refusal(state, "EX AC TC 9C") == "carte-blanche-when"
    assert [refusal(state, move) for move in ("EX", "EX AC TC 9C 8C 7C AD")] == ["elder-exchange"] * 2
    assert all(len(move.split()) == 3 for move in legal(state))
    assert refusal(state, "BL2") == "carte-blanche-when"


@rule("piquet:carte-blanche-when")
def test_younger_declares_before_elder_exchanges_or_not_at_all(game):
    state = dealt_blanche(game, 1)
    assert legal(state) == ["NB", "BL"]
    assert refusal(state, "BL2") == "carte-blanche-when"
    play(state, "NB", "EX KC")
    assert refusal(state, "BL") == "carte-blanche-when"
    assert refusal(state, "NB") == "carte-blanche-when"


def blanche_seen(state: PiquetState, seat: int | None) -> int:
    blanche = state.view(seat).blanche
    assert blanche is not None
    return blanche.cards


@rule("piquet:carte-blanche-shown")
def test_with_elders_carte_blanche_younger_discards_first_then_sees_it_then_both_draw(game):
    state = play(dealt_blanche(game, 0), "NB", "BL3")
    assert (state.to_act, state.exchange_limits(1)) == ((1,), (1, 5))
    assert (blanche_seen(state, 1), blanche_seen(state, None)) == (0, 0)
    assert not [zone for zone in state.view(1).zones if zone.id == "hand:0" and zone.cards]
    assert "carte blanche and promises to exchange 3 cards" in log_of(state)[0]
    play(state, "EX KC QC")
    assert state.hands[1].bit_count() == 10
    assert blanche_seen(state, 1) == mask(BLANCHE.split())
    assert next(zone for zone in state.view(1).zones if zone.id == "hand:0").cards == tuple(BLANCHE.split())
    play(state, "EX 8C 7C 8D")
    assert state.drawn == [("7H", "QS", "JS"), ("TS", "9S")]
    assert state.phase is Phase.DECLARE
    assert [hand.bit_count() for hand in state.hands] == [12, 12]


@rule("piquet:carte-blanche-shown")
def test_with_youngers_carte_blanche_elder_sees_it_after_his_discards(game):
    state = play(dealt_blanche(game, 1), "BL")
    assert (state.to_act, blanche_seen(state, 0)) == ((0,), 0)
    play(state, "EX KC QC")
    assert blanche_seen(state, 0) == mask(BLANCHE.split())
    play(state, "EX 8C 7C")
    assert blanche_seen(state, 0) == mask(BLANCHE.split())


@rule("piquet:carte-blanche")
@pytest.mark.parametrize("moves", [("NB", "BL3"), ("NB", "BL3", "EX KC QC"), ("BL",)])
def test_carte_blanche_is_still_heard_in_a_loaded_position_until_elder_exchanges(game, moves):
    state = play(dealt_blanche(game, int(moves == ("BL",))), *moves)
    for viewer in (0, 1, None):
        view = game.load(state.dump()).view(viewer)
        assert view.announcements == ((state.blanche.seat, "Carte blanche"),)
        assert view == state.view(viewer)
    if state.to_act == (0,):
        play(state, "EX 8C 7C 8D" if state.blanche.number else "EX KC QC")
        assert game.load(state.dump()).view(0).announcements == state.view(0).announcements == ()


@rule("piquet:carte-blanche-shown")
@pytest.mark.parametrize("holder", [0, 1])
def test_imagined_hands_keep_to_a_shown_carte_blanche(game, holder):
    moves = ["NB", "BL1", "EX KC", "EX 7C"] if holder == 0 else ["BL", "EX KC", "EX 7C"]
    state = play(dealt_blanche(game, holder), *moves)
    view, dealt = state.view(1 - holder), mask(BLANCHE.split())
    for seed in range(5):
        imagined = game.sample(view, Random(seed))
        assert imagined.view(1 - holder) == view
        assert (imagined.hands[holder] & dealt).bit_count() == 11
        assert (imagined.discards[holder] & dealt).bit_count() == 1


@rule("piquet:carte-blanche-shown")
@pytest.mark.parametrize("holder", [0, 1])
def test_onlookers_imagine_the_cards_of_a_shown_carte_blanche_in_no_other_hand(game, holder):
    moves = ["NB", "BL1", "EX KC", "EX 7C"] if holder == 0 else ["BL", "EX KC", "EX 7C"]
    state = play(dealt_blanche(game, holder), *moves)
    for seed in range(5):
        imagined = game.sample(state.view(None), Random(seed))
        assert imagined.view(None) == state.view(None)
        assert sorted(imagined.cards()) == sorted(PACK)


@rule("piquet:carte-blanche-shown")
def test_a_set_needs_no_card_that_is_imagined_to_be_discarded(game):
    hands = {"elder": PLAIN, "younger": BLANCHE}
    state = game.load({"phase": "blanche", "talon": "AS QS JS TS 9S 8S 7S 7H", **hands})
    play(state, "BL", "EX KC QC JC 7D 8H", "EX 7C 8C 9C", "PT:-", "SQ:-", "ST:-", "KH", "-", "-", "ST:A3")
    for seed in range(20):
        imagined = game.sample(state.view(0), Random(seed))
        assert imagined.view(0) == state.view(0)
        assert imagined.discards[1].bit_count() == 3


@rule("piquet:carte-blanche-shown")
@pytest.mark.parametrize("holder", [0, 1])
def test_before_it_is_shown_the_imagined_hand_has_no_court_cards(game, holder):
    state = play(dealt_blanche(game, holder), *(["NB", "BL4"] if holder == 0 else ["BL"]))
    for viewer in (None, 1 - holder):
        imagined = game.sample(state.view(viewer), Random(1))
        assert imagined.view(viewer) == state.view(viewer)
        assert not imagined.hands[holder] & mask("KC QC JC KD QD JD KH QH JH KS QS JS".split())


@rule("piquet:carte-blanche-free")
@pytest.mark.parametrize("holder", [0, 1])
def test_a_silent_holder_cannot_be_told_from_a_player_without_one(game, holder):
    silent = dealt_blanche(game, holder)
    plain = game.load({"phase": "blanche", "hands": [PLAIN, BLANCHE.replace("9H", "QS")]})
    assert legal(silent) == (["NB", "BL"] if holder == 1 else ["NB"])
    for moves in ([], ["NB"]):
        seen = []
        for state in (silent, plain):
            play(state, *moves)
            view = state.view(None)
            seen.append((view.to_act, view.log, view.announcements, view.prompt, view.facts, view.phase, view.blanche))
        assert seen[0] == seen[1]
    assert silent.deal_score == [0, 0]
    assert silent.view(1).forced is None
    assert dealt_blanche(game, 0).view(1).forced is None


@rule("piquet:carte-blanche-unique")
def test_only_twenty_cards_are_not_court_cards_so_two_carte_blanches_cannot_be(game):
    assert sum(card[0] not in "KQJ" for card in game.deck({})) == 20 < 24


@pytest.mark.parametrize("off", [False, "off", "no"])
def test_without_the_option_elder_begins_at_once_and_carte_blanche_does_not_count(game, off):
    state = game.start(numbered_decks(PACK), seats=2, options={"carte_blanche": off})
    assert (state.phase, state.to_act) == (Phase.EXCHANGE, (0,))
    state = game.load({"phase": "exchange", "hands": [BLANCHE, PLAIN], "options": {"carte_blanche": off}})
    assert refusal(state, "BL3") == "carte-blanche"
    assert not any(move.startswith("BL") for move in legal(state))


# The exchange


@pytest.mark.parametrize(("size", "low", "high"), [(12, 1, 5), (12, 0, 3), (12, 3, 3), (5, 1, 4), (12, 0, 0)])
def test_the_exchanges_that_are_made_when_asked_for_are_all_there_are(size, low, high):
    hand = Random(size).sample(PACK, size)
    made = Exchanges(mask(hand), low, high)
    held = cards_of(mask(hand))
    every = [Exchange(cards) for number in range(low, high + 1) for cards in combinations(held, number)]
    assert list(made) == every and len(made) == len(every)
    assert [made[place] for place in range(len(every))] == every
    assert made[-1] == every[-1] and made[1:9:3] == every[1:9:3]
    assert all(move in made for move in every)
    others = [card for card in PACK if card not in held]
    assert Exchange((*held[:low], others[0])) not in made and Exchange(held[: high + 1]) not in made
    assert Exchange(held[1::-1]) not in made
    with pytest.raises(IndexError):
        made[len(every)]


@rule("piquet:elder-exchange")
def test_elder_exchanges_one_to_five_cards(game):
    state = exchanging(game)
    held = cards_of(state.hands[0])
    assert len(legal(state)) == 12 + 66 + 220 + 495 + 792
    assert refusal(state, "EX") == "elder-exchange"
    assert refusal(state, " ".join(("EX", *held[:6]))) == "elder-exchange"
    assert refusal(state, f"EX {cards_of(state.hands[1])[0]}") == "elder-exchange"
    top = state.talon[:5]
    play(state, " ".join(("EX", *held[:5])))
    assert state.hands[0] == mask((*held[5:], *top))
    assert state.looked_at() == ()
    assert log_of(state) == ["seat 0 exchanges 5 cards"]


@rule("piquet:elder-left-cards")
def test_elder_alone_looks_at_those_of_the_top_five_that_he_leaves(game):
    state = exchanging(game, talon="9D KC 7S AH TD 8C QS JH")
    hand = cards_of(state.hands[0])
    play(state, f"EX {hand[0]} {hand[1]}")
    assert log_of(state) == ["seat 0 exchanges 2 cards, leaving 3"]
    assert state.talon == ("7S", "AH", "TD", "8C", "QS", "JH")
    talons = {seat: next(zone for zone in state.view(seat).zones if zone.id == "talon") for seat in (None, 0, 1)}
    assert {seat: zone.cards for seat, zone in talons.items()} == {None: (), 0: ("7S", "AH", "TD"), 1: ()}
    assert {zone.count for zone in talons.values()} == {6}


@rule("piquet:elder-left-cards")
def test_elder_knows_that_younger_took_the_cards_he_left(game):
    state = exchanging(game, talon="9D KC 7S AH TD 8C QS JH")
    play(state, f"EX {cards_of(state.hands[0])[0]}", " ".join(("EX", *cards_of(state.hands[1])[:2])))
    view = state.view(0)
    assert (view.known_of_other, view.known_talon) == (("KC", "7S"), ("AH", "TD"))
    for seed in range(5):
        imagined = game.sample(view, Random(seed))
        assert imagined.hands[1] & mask(["KC", "7S"]) == mask(["KC", "7S"])
        assert imagined.talon[:2] == ("AH", "TD")


def zone_of(state: PiquetState, seat: int | None, id: str):
    return next(zone for zone in state.view(seat).zones if zone.id == id)


ONLY_ELDER = "only you see the cards you left"


@rule("piquet:elder-left-cards")
def test_elder_sees_the_cards_he_left_through_the_deal_and_nobody_else_does(game):
    state = exchanging(game, talon="9D KC 7S AH TD 8C QS JH")
    play(state, " ".join(("EX", *cards_of(state.hands[0])[:2])))
    assert zone_of(state, 0, "talon").note == ONLY_ELDER
    play(state, " ".join(("EX", *cards_of(state.hands[1])[:2])))
    told = "seat 0 exchanges 2 cards, leaving 3"
    logs = {seat: render_text(state.view(seat).log[0].text, ["seat 0", "seat 1"], seat) for seat in (None, 0, 1)}
    assert logs == {None: told, 0: "You exchange 2 cards, leaving 3. Only you see the cards left: 7S AH TD", 1: told}
    assert {(zone.cards, zone.note) for zone in [zone_of(state, 0, "talon")]} == {(("TD",), ONLY_ELDER)}
    assert (zone_of(state, 0, "hand:1").cards, zone_of(state, 0, "hand:1").note) == (
        ("7S", "AH"),
        "2 cards known to you",
    )
    for seat in (None, 1):
        assert zone_of(state, seat, "talon").cards == () and not zone_of(state, seat, "talon").note
    assert zone_of(state, None, "hand:1").cards == () and not zone_of(state, None, "hand:1").note


@rule("piquet:elder-left-cards")
def test_a_card_that_elder_left_is_in_the_other_hand_until_it_is_played(game):
    state = game.load(
        {"phase": "play", "elder": "KC QC", "younger": "AC 7S", "talon": "TD", "drawn": [["KC"], ["AC", "7S"]]}
    )
    assert state.looked_at() == ("AC", "7S", "TD")
    assert zone_of(state, 0, "hand:1").cards == ("AC", "7S")
    play(state, "KC", "AC")
    assert (zone_of(state, 0, "hand:1").cards, zone_of(state, 0, "hand:1").note) == (("7S",), "1 card known to you")
    play(state, "7S")
    assert (zone_of(state, 0, "hand:1").cards, zone_of(state, 0, "hand:1").note) == ((), "")


@rule("piquet:elder-left-cards")
def test_an_imagined_deal_tells_only_elder_of_the_cards_left(game):
    state = exchanging(game, talon="9D KC 7S AH TD 8C QS JH")
    play(state, " ".join(("EX", *cards_of(state.hands[0])[:2])))
    imagined = game.sample(state.view(0), Random(1))
    assert imagined.view(0) == state.view(0)
    assert imagined.view(1).log == state.view(1).log


@rule("piquet:younger-exchange")
@pytest.mark.parametrize(("taken", "most"), [(5, 3), (4, 4), (1, 7)])
def test_younger_exchanges_at_least_one_card_and_at_most_what_the_talon_holds(game, taken, most):
    state = exchanging(game)
    play(state, " ".join(("EX", *cards_of(state.hands[0])[:taken])))
    held = cards_of(state.hands[1])
    assert refusal(state, f"EX {cards_of(state.hands[0])[0]}", seat=0) == "younger-exchange"
    assert refusal(state, "EX") == "younger-exchange"
    assert refusal(state, " ".join(("EX", *held[: most + 1]))) == "younger-exchange"
    assert refusal(state, f"EX {cards_of(state.hands[0])[0]}") == "younger-exchange"
    assert {len(move.split()) - 1 for move in legal(state)} == set(range(1, most + 1))
    top = state.talon[:most]
    play(state, " ".join(("EX", *held[:most])))
    assert state.hands[1] == mask((*held[most:], *top))
    assert state.talon == ()


def test_the_option_lets_younger_exchange_nothing(game):
    state = exchanging(game, options={"younger_min": 0})
    play(state, f"EX {cards_of(state.hands[0])[0]}")
    assert legal(state)[0] == "EX"
    play(state, "EX")
    assert (state.phase, len(state.talon)) == (Phase.DECLARE, 7)
    assert log_of(state)[-1] == "seat 1 exchanges 0 cards, leaving 7"


def with_cards_left(game) -> PiquetState:
    """Elder has led, and two cards are left that nobody has seen."""
    return game.load({"phase": "left", "elder": "KC QC JC", "younger": "AH KH QH JH", "played": "AC", "talon": "TS 9S"})


@rule("piquet:younger-left-cards")
def test_after_the_first_lead_younger_has_the_cards_left_turned_up_for_both_or_for_nobody(game):
    for word, seen in (("LK", ("TS", "9S")), ("NL", ())):
        state = with_cards_left(game)
        assert (state.to_act, legal(state)) == ((1,), ["LK", "NL"])
        assert refusal(state, "AH") == "younger-left-cards"
        play(state, word)
        for viewer in (None, 0, 1):
            assert next(zone for zone in state.view(viewer).zones if zone.id == "talon").cards == seen
        assert (state.phase, state.to_act) == (Phase.PLAY, (1,))
        assert refusal(state, "LK") == "younger-left-cards"


@rule("piquet:younger-left-cards")
@pytest.mark.parametrize(
    ("talon", "asked", "offered", "told"),
    [
        ("TS 9S", "the 2 cards left in the talon? You'll both see them.", "Turn them up | Leave them face down",
         "the 2 cards in the talon"),
        ("TS", "the card left in the talon? You'll both see it.", "Turn it up | Leave it face down",
         "the card in the talon"),
    ],
)  # fmt: skip
def test_cards_left_are_spoken_of_by_their_number(game, talon, asked, offered, told):
    position = {"phase": "left", "elder": "KC QC JC", "younger": "AH KH QH JH", "played": "AC", "talon": talon}
    view = game.load(position).view(1)
    assert view.prompt == f"Turn up {asked}"
    assert " | ".join(render_text(view.choice(move).phrase.text, ()) for move in view.moves) == offered
    assert log_of(play(game.load(position), "LK"))[-1] == f"seat 1 turns up {told}"
    assert log_of(play(game.load(position), "NL"))[-1] == f"seat 1 leaves {told} face down"


@rule("piquet:younger-left-cards")
def test_without_cards_left_nothing_is_asked(game):
    state = play(game.load({"phase": "lead", "elder": HEARTS, "younger": SPADES}), "AH", "-")
    assert (state.phase, state.to_act) == (Phase.PLAY, (1,))


@rule("piquet:exchange-hidden")
def test_a_player_sees_his_own_discards_throughout_and_nobody_elses(game):
    state = exchanging(game)
    first, second = cards_of(state.hands[0])[:3], cards_of(state.hands[1])[:2]
    play(state, " ".join(("EX", *first)), " ".join(("EX", *second)), "PT:-", "SQ:-", "ST:-")
    play(state, legal(state)[0])
    for viewer, expected in ((None, [(), ()]), (0, [first, ()]), (1, [(), second])):
        zones = {zone.id: zone for zone in state.view(viewer).zones}
        assert [zones[f"discards:{seat}"].cards for seat in (0, 1)] == expected
        assert [zones[f"discards:{seat}"].count for seat in (0, 1)] == [3, 2]


@rule("piquet:exchange-final")
def test_nothing_is_exchanged_twice(game):
    state = declaring(game, "AH KH", "7C 8C")
    assert refusal(state, "EX AH") == "exchange-final"
    assert refusal(at_play(game, "AH KH", "7C 8C"), "EX AH") == "exchange-final"


def test_the_exchange_is_made_by_marking_cards(game):
    state = exchanging(game)
    view = state.view(0)
    assert view.offered == []
    selection = view.selection
    assert (selection.verb, selection.cards, selection.low, selection.high) == ("Exchange", view.hand, 1, 5)
    marked = [view.hand[5], view.hand[2]]
    assert game.select(view, marked) == Exchange((view.hand[2], view.hand[5]))
    assert state.view(1).selection is None
    with_refused_moves = replace(view, moves=(*view.moves, Exchange(()), Exchange(view.hand)))
    assert with_refused_moves.selection == selection, "lessons offer refused moves too"
    with pytest.raises(UnreadableMove):
        game.select(view, ["AS", "AS"])
    with pytest.raises(UnreadableMove):
        game.select(view, ["2S"])


# Declaring


@rule("piquet:declare-order")
def test_elder_declares_point_then_sequence_then_set_each_settled_before_the_next(game):
    state = declaring(game, "AH KH QH AS AD 7C", "8C 9C TC KD QD JD")
    assert refusal(state, "SQ:AH3") == "declare-order"
    assert refusal(state, "ST:A3") == "declare-order"
    assert refusal(state, "AH") == "declare-order"
    assert refusal(state, "ST:-") == "declare-order"
    assert refusal(state, "-") == "declare-order"
    assert refusal(state, "GD") == "declare-order"
    play(state, "PT:H")
    assert refusal(state, "SQ:AH3", seat=0) == "declare-order"
    assert refusal(state, "PT:C") == "declare-order"
    play(state, "GD")
    assert refusal(state, "PT:H") == "declare-order"
    play(state, "SQ:AH3", "GD")
    assert legal(state) == ["ST:A3", "ST:-"]


@rule("piquet:declare-truth")
@pytest.mark.parametrize(
    ("phase", "claim"), [("point", "PT:S"), ("sequence", "SQ:KH3"), ("set", "ST:K3"), ("set", "ST:A4")]
)
def test_a_claim_must_be_in_the_hand(game, phase, claim):
    state = game.load({"phase": phase, "elder": "AH KH AC AD 7C", "younger": "8C 9D TC KD 7H"})
    assert refusal(state, claim) == "declare-truth"


@rule("piquet:declare-truth")
def test_an_answer_must_be_true(game):
    state = play(declaring(game, "AH KH QH 7C 8C", "AS KS JS 7D 8D"), "PT:C")
    assert refusal(state, "MK") == "declare-truth"
    state = play(declaring(game, "AH KH QH 7C 8C", "AS KS JS 7D 8D"), "PT:H")
    assert refusal(state, "NG") == "reply-making"
    play(state, "MK")
    assert refusal(state, "NG") == "declare-truth"
    play(state, "EQ")
    state = play(declaring(game, "AH KH QH 7C 8C", "AS KS 7D 8D 7S"), "PT:H", "MK")
    assert refusal(state, "EQ") == "declare-truth"
    assert legal(state) == ["GD"]


@rule("piquet:sinking")
def test_elder_may_pass_and_younger_may_call_good_what_he_could_beat(game):
    state = declaring(game, "AH KH QH JH 7C", "AS KS QS JS TS")
    play(state, "PT:H", "GD", "SQ:-", "ST:-", "AH")
    assert counted(state, Item.POINT) == [4, 0]
    assert counted(state, Item.SEQUENCE) == [0, 0]
    play(state, "SQ:AS5", "-")
    assert counted(state, Item.SEQUENCE) == [0, 15]


@rule("piquet:sinking")
def test_what_nobody_claims_scores_nothing_and_stops_no_bonus(game):
    hands = {"elder": "AH KH QH JH TH 9H AS AC AD 7S 8C 7C", "younger": "KC QC JC KD QD JD KS QS JS 9D 9C 9S"}
    state = game.load({"phase": "lead", **hands, "elder_calls": {"set": "-"}, "younger_passes": ["set"]})
    play(state, "AH", "-", "9D", "KH", "9C", "QH", "9S", "JH", "JC", "TH", "JD", "9H", "JS")
    assert counted(state, Item.SET) == [0, 0]
    play(state, "AS", "QS", "AD", "QD")
    assert counted(state, Item.PIQUE) == [30, 0]


@rule("piquet:no-part-claims")
def test_a_run_is_claimed_whole_and_a_set_with_all_its_cards(game):
    state = game.load({"phase": "sequence", "elder": "AH KH QH JH 9H 8H 7H", "younger": "7C 8C 9C 7D 8D 9D 7S"})
    assert legal(state) == ["SQ:AH4", "SQ:9H3", "SQ:-"]
    for part in ("SQ:AH3", "SQ:KH3"):
        assert refusal(state, part) == "no-part-claims"
    state = game.load({"phase": "set", "elder": "AH AC AD AS", "younger": "7C 8C 9C 7D"})
    assert refusal(state, "ST:A3") == "no-part-claims"


@rule("piquet:no-part-claims")
def test_a_lower_run_set_or_suit_than_the_best_may_be_claimed(game):
    state = declaring(game, "AH KH QH JH 9S 8S 7S QC", "TC 9C 8C 7C AD KD 9D 8D")
    assert {"PT:H", "PT:C", "PT:S"} <= set(legal(state))
    play(state, "PT:C", "NG", "SQ:9S3", "NG")
    assert counted(state, Item.POINT) == [0, 0]


@rule("piquet:younger-declares-after-lead")
def test_younger_scores_after_the_first_lead_what_he_has_won_and_may_claim_what_elder_passed(game):
    state = declaring(game, "AH KH QH 7C AD", "AS KS QS JS 7D")
    play(state, "PT:H", "NG", "SQ:-", "ST:-")
    assert state.deal_score == [0, 0]
    play(state, "AH")
    assert state.deal_score == [1, 4]
    assert (state.to_act, legal(state)) == ((1,), ["SQ:AS4", "-"])
    assert refusal(state, "7D") == "younger-declares-after-lead"
    assert refusal(state, "ST:-") == "declare-order"
    assert refusal(state, "SQ:-") == "declare-order"
    assert refusal(state, "PT:S") == "younger-declares-after-lead"
    play(state, "SQ:AS4")
    assert state.deal_score == [1, 8]
    assert legal(state) == ["-"]
    assert state.view(1).forced is None


@rule("piquet:sinking", "piquet:declare-order")
def test_who_passes_in_another_notation_is_told_how_it_is_written(game):
    state = declaring(game, "AH KH QH 7C AD", "AS KS QS JS 7D")
    with pytest.raises(IllegalMove, match=r"point\. Declare yours, or pass with PT:-\."):
        play(state, "-")
    play(state, "PT:-", "SQ:-", "ST:-", "AH", "-")
    with pytest.raises(IllegalMove, match=r"sequence\. Declare yours, or pass with -\."):
        play(state, "SQ:-")


@rule("piquet:late-declaration")
@pytest.mark.parametrize("late", ["PT:S", "SQ:AS4", "ST:-", "-", "GD", "MK"])
def test_nothing_is_declared_after_youngers_first_card(game, late):
    state = play(game.load({"phase": "lead", "elder": "AH KH 7C AD", "younger": "AS KS QS JS"}), "AH", "SQ:AS4", "-")
    assert announced(state) == ["1 No set"]
    play(state, "JS")
    assert announced(state) == []
    assert refusal(state, late) == "late-declaration"


@rule("piquet:late-declaration", "piquet:exchange-final", "piquet:carte-blanche-when")
@pytest.mark.parametrize(
    ("move", "id"),
    [("SQ:AS4", "late-declaration"), ("-", "late-declaration"), ("GD", "late-declaration"),
     ("EX JS", "exchange-final"), ("BL", "carte-blanche-when"), ("NB", "carte-blanche-when"), ("KS", "trick-winner")],
)  # fmt: skip
def test_what_comes_too_late_is_too_late_also_out_of_turn(game, move, id):
    state = play(at_play(game, "AH KH 7C AD", "AS KS QS JS"), "AH", "JS")
    assert state.to_act == (0,)
    with pytest.raises(NotYourTurn):
        state.play(1, game.parse(move))
    assert refusal(state, move, seat=1) == id


@rule("piquet:carte-blanche-when")
def test_elder_cannot_declare_carte_blanche_after_the_exchange_while_younger_exchanges(game):
    state = play(dealt_blanche(game, 0), "NB", "EX AC")
    assert refusal(state, "BL3", seat=0) == "carte-blanche-when"
    assert refusal(state, "EX TC", seat=0) == "younger-exchange"


# Point


@rule("piquet:point-length")
def test_elder_names_only_the_number_and_the_longer_suit_wins(game):
    state = play(declaring(game, "AH KH QH 7C", "7S 8S 9S TS"), "PT:H")
    assert announced(state) == ["0 Point of three"]
    assert legal(state) == ["GD", "NG"]
    play(state, "NG", "SQ:-", "ST:-", "7C")
    assert counted(state, Item.POINT) == [0, 4]


@rule("piquet:point-tie-break", "piquet:point-score")
@pytest.mark.parametrize(("younger", "answer", "points"), [("AS KS QS", "EQ", [0, 0]), ("AS KS 9S", "GD", [3, 0])])
def test_equal_numbers_are_decided_by_the_value(game, younger, answer, points):
    state = play(declaring(game, "AH KH QH 7C", younger + " 7D"), "PT:H", "MK")
    assert announced(state)[-1] == "0 Making 31"
    assert legal(state) == sorted({"GD", answer}, reverse=True) if answer == "EQ" else ["GD"]
    assert counted(play(state, answer), Item.POINT) == points


@rule("piquet:point-tie-break")
def test_younger_wins_with_the_higher_value(game):
    state = play(declaring(game, "AH KH 9H 7C", "AS KS QS 7D"), "PT:H", "MK", "NG", "SQ:-", "ST:-", "7C")
    assert counted(state, Item.POINT) == [0, 3]


@rule("piquet:point-equal")
def test_an_equal_point_scores_for_nobody(game):
    state = play(declaring(game, "AH KH QH 7C", "AS KS QS 7D"), "PT:H", "MK", "EQ", "SQ:-", "ST:-", "7C")
    assert counted(state, Item.POINT) == [0, 0]


@rule("piquet:point-score")
def test_a_good_point_scores_one_a_card_and_only_one_suit_counts(game):
    state = play(declaring(game, "AH KH QH JH 7C 8C 9C", "AS KS QS 7D 8D 9D 7S"), "PT:H", "GD")
    assert counted(state, Item.POINT) == [4, 0]


# Sequences


@rule("piquet:sequence-def")
def test_a_sequence_is_three_or_more_of_a_suit_and_the_ace_is_only_high(game):
    state = game.load({"phase": "sequence", "elder": "AH 8H 7H KC QC JD TD 9D", "younger": None})
    assert legal(state) == ["SQ:JD3", "SQ:-"]
    for missing in ("SQ:AH3", "SQ:8H3", "SQ:TC8"):
        assert refusal(state, missing) == "declare-truth"


@rule("piquet:sequence-compare")
@pytest.mark.parametrize(
    ("elder", "younger", "winner"),
    [("AH KH QH 7C", "TS 9S 8S 7S", 1), ("AH KH QH", "KS QS JS", 0), ("QH JH TH", "KS QS JS", 1)],
)
def test_the_longer_sequence_wins_then_the_higher_top(game, elder, younger, winner):
    state = play(
        game.load({"phase": "lead", "elder": elder, "younger": younger, "elder_calls": {"point": "-"}}), elder[:2]
    )
    assert [bool(points) for points in counted(state, Item.SEQUENCE)] == [winner == 0, winner == 1]


@rule("piquet:sequence-score")
@pytest.mark.parametrize(("size", "points"), [(3, 3), (4, 4), (5, 15), (6, 16), (7, 17), (8, 18)])
def test_sequences_score_by_their_length(game, size, points):
    elder = " ".join(f"{rank}H" for rank in "AKQJT987"[:size])
    state = game.load({"phase": "sequence", "elder": elder, "younger": "AS KS JS TS 8S 7S AC KC"[: 3 * size - 1]})
    assert counted(play(state, f"SQ:AH{size}", "GD"), Item.SEQUENCE) == [points, 0]


@rule("piquet:sequence-extras")
def test_other_runs_count_too_but_not_one_that_outranks_the_claim(game):
    elder = "AH KH QH JH 9S 8S 7S KC QC JC"
    state = game.load({"phase": "sequence", "elder": elder, "younger": "7C 8C 7D 8D 7H 8H JD QD KD TS"})
    assert counted(play(state.copy(), "SQ:AH4", "GD"), Item.SEQUENCE) == [4 + 3 + 3, 0]
    middle = play(state.copy(), "SQ:KC3", "GD")
    assert counted(middle, Item.SEQUENCE) == [3 + 3, 0]
    assert announced(middle)[-2:] == ["0 In clubs", "0 Also a tierce to the nine in spades"]


@rule("piquet:sequence-extras")
def test_an_equal_run_in_another_suit_is_an_extra(game):
    state = game.load({"phase": "sequence", "elder": "AH KH QH AS KS QS", "younger": "7C 8C 7D 8D 7H 8H"})
    assert counted(play(state, "SQ:AH3", "GD"), Item.SEQUENCE) == [6, 0]


@rule("piquet:sequence-equal")
def test_equal_sequences_score_for_nobody_and_neither_do_the_extras(game):
    hands = {"elder": "AH KH QH 9S 8S 7S", "younger": "AC KC QC 9D 8D 7D"}
    state = play(game.load({"phase": "sequence", **hands}), "SQ:AH3", "MK", "EQ", "ST:-", "7S", "-")
    assert counted(state, Item.SEQUENCE) == [0, 0]


# Sets


@rule("piquet:set-def")
@pytest.mark.parametrize("rank", "987")
def test_nines_eights_and_sevens_make_no_set(game, rank):
    elder = " ".join(rank + suit for suit in "CDHS")
    state = game.load({"phase": "set", "elder": elder, "younger": "AC KC QC JC"})
    assert legal(state) == ["ST:-"]
    assert refusal(state, f"ST:{rank}4") == "set-def"


@rule("piquet:set-def")
def test_two_of_a_rank_are_no_set(game):
    state = game.load({"phase": "set", "elder": "AC AD KC KD KS", "younger": "7C 8C 9C 7D 8D"})
    assert legal(state) == ["ST:K3", "ST:-"]
    assert refusal(state, "ST:A3") == "declare-truth"


@rule("piquet:set-compare")
@pytest.mark.parametrize(
    ("elder", "younger", "answers"),
    [
        ("TC TD TH TS", "AC AD AH 7C", ["GD"]),
        ("AC AD AH 7C", "TC TD TH TS", ["GD", "NG"]),
        ("KC KD KH", "AC AD AH", ["GD", "NG"]),
        ("KC KD KH", "QC QD QH", ["GD"]),
    ],
)
def test_any_quatorze_beats_any_trio_then_the_rank_decides(game, elder, younger, answers):
    state = game.load({"phase": "set", "elder": elder, "younger": younger})
    assert legal(play(state, legal(state)[0])) == answers


@rule("piquet:set-score", "piquet:set-extras")
@pytest.mark.parametrize(("claim", "points"), [("ST:J4", 14 + 3 + 14), ("ST:T4", 14 + 3), ("ST:K3", 3)])
def test_sets_count_fourteen_or_three_and_lower_ones_with_them(game, claim, points):
    elder = "JC JD JH JS TC TD TH TS KC KD KS"
    state = game.load({"phase": "set", "elder": elder, "younger": "7C 8C 9C 7D 8D 9D 7H 8H 9H 7S 8S"})
    assert counted(play(state, claim, "GD"), Item.SET) == [points, 0]


# Answers and what they reveal


@rule("piquet:reply-good")
def test_good_concedes_the_category_at_any_step(game):
    hands = ("AH KH QH 7C", "AS KS QS 7D")
    assert counted(play(declaring(game, *hands), "PT:H", "GD"), Item.POINT) == [3, 0]
    assert counted(play(declaring(game, *hands), "PT:H", "MK", "GD"), Item.POINT) == [3, 0]


@rule("piquet:reply-making")
def test_making_needs_the_same_number_and_brings_the_figure(game):
    state = play(declaring(game, "AH KH QH 7C", "AS KS QS JS"), "PT:H")
    assert refusal(state, "MK") == "declare-truth"
    state = play(game.load({"phase": "sequence", "elder": "KH QH JH", "younger": "QS JS TS"}), "SQ:KH3", "MK")
    assert announced(state) == ["0 Tierce", "1 Making?", "0 To the king"]
    assert refusal(state, "MK") == "reply-making"


@rule("piquet:reply-making")
def test_a_set_needs_no_making_because_its_rank_is_named(game):
    state = play(game.load({"phase": "set", "elder": "KH KS KC", "younger": "AH AS AC"}), "ST:K3")
    assert refusal(state, "MK") == "reply-making"


@rule("piquet:reply-equal")
def test_equal_needs_the_same_figures(game):
    state = play(declaring(game, "AH KH QH 7C", "AS KS QS 7D"), "PT:H")
    assert refusal(state, "EQ") == "reply-making"
    assert "EQ" in legal(play(state, "MK"))
    assert "EQ" not in legal(play(declaring(game, "AH KH QH 7C", "AS KS 9S 7D"), "PT:H", "MK"))


@rule("piquet:reply-figure")
@pytest.mark.parametrize(
    ("phase", "elder", "younger", "moves", "answer"),
    [
        ("point", "AH KH QH 7C", "7S 8S 9S TS", ["PT:H"], "I have four"),
        ("point", "AH KH 9H 7C", "AS KS TS 7D", ["PT:H", "MK"], "I have 31"),
        ("sequence", "AH KH QH 7C", "7S 8S 9S TS", ["SQ:AH3"], "I have a quart"),
        ("sequence", "KH QH JH", "AS KS QS", ["SQ:KH3", "MK"], "Mine is to the ace"),
        ("set", "KH KS KC", "AH AS AC", ["ST:K3"], "I have three aces"),
    ],
)
def test_a_winning_answer_names_the_figure_that_wins(game, phase, elder, younger, moves, answer):
    setup = {"phase": phase, "elder": elder, "younger": younger}
    assert announced(play(game.load(setup), *moves, "NG"))[-1] == f"1 {answer}"
    button = play(game.load(setup), *moves).view(1)
    assert f'Say "{answer}"' in [render_text(button.choice(move).phrase.text, ()) for move in button.moves]
    bare = play(game.load({**setup, "options": {"replies": "bare"}}), *moves, "NG")
    assert announced(bare)[-1] == "1 Not good"


@rule("piquet:reply-figure")
def test_of_two_equal_winning_suits_the_first_of_clubs_diamonds_hearts_spades_is_claimed(game):
    state = declaring(game, "AH 9H 8H 7C 7D 8S", "AS KS QS AD KD QD")
    play(state, "PT:H", "MK", "NG", "SQ:-", "ST:-", "7C")
    assert 'seat 1 says "Point of three in diamonds"' in log_of(state)


def talk(state: PiquetState, viewer: int | None, place: int = 0):
    return state.view(viewer).talks[place]


@rule("piquet:volunteer", "piquet:name-suit-when-good")
def test_after_good_at_once_the_suit_is_known_but_not_the_value(game):
    state = play(declaring(game, "AH KH QH 7C", "AS KS QS 7D"), "PT:H", "GD")
    assert announced(state)[-1] == "0 In hearts"
    for viewer in (None, 1):
        known = talk(state, viewer).elder
        assert (known.size, known.height, known.suit) == (3, -1, "H")


@rule("piquet:volunteer", "piquet:name-suit-when-good")
def test_a_beaten_claim_keeps_its_suit_and_after_a_longer_holding_its_value(game):
    state = play(declaring(game, "AH KH QH 7C", "7S 8S 9S TS"), "PT:H", "NG")
    for viewer in (None, 1):
        known = talk(state, viewer).elder
        assert (known.size, known.height, known.suit) == (3, -1, "")
    state = play(declaring(game, "AH KH 9H 7C", "AS KS QS 7D"), "PT:H", "MK", "NG")
    assert (talk(state, 1).elder.height, talk(state, 1).elder.suit) == (30, "")
    won = talk(state, 0).younger
    assert (won.size, won.height, won.suit) == (3, 31, "")


@rule("piquet:name-suit-when-good")
def test_youngers_suit_is_named_when_he_scores(game):
    state = play(declaring(game, "AH KH QH 7C", "7S 8S 9S TS"), "PT:H", "NG")
    assert (talk(state, 0).younger.size, talk(state, 0).younger.suit) == (4, "")
    play(state, "SQ:-", "ST:-", "7C")
    assert (talk(state, 0).younger.size, talk(state, 0).younger.suit) == (4, "S")
    assert talk(state, 0).younger.height == -1
    assert 'seat 1 says "Point of four in spades"' in log_of(state)


@rule("piquet:name-suit-when-good")
def test_of_an_equality_elders_suit_is_named_at_once_and_youngers_after_the_lead(game):
    state = play(declaring(game, "AH KH QH 7C", "AS KS QS 7D"), "PT:H", "MK", "EQ")
    assert (talk(state, 1).elder.suit, talk(state, 0).younger.suit) == ("H", "")
    play(state, "SQ:-", "ST:-", "7C")
    assert talk(state, 0).younger.suit == "S"


@rule("piquet:name-suit-when-good")
def test_extras_are_announced_with_length_top_and_suit_when_they_count(game):
    hands = {"elder": "TH 9H 8H 7H 7C 8C 7D", "younger": "AS KS QS JS QC JC TC"}
    state = play(game.load({"phase": "sequence", **hands}), "SQ:TH4", "MK", "NG")
    assert talk(state, 0, 1).extras == ()
    play(state, "ST:-", "7C")
    assert 'seat 1 says "Also a tierce to the queen in clubs"' in log_of(state)
    assert len(talk(state, 0, 1).extras) == 1


def test_bare_answers_keep_the_figure_until_younger_scores(game):
    state = declaring(game, "AH KH QH 7C", "7S 8S 9S TS", options={"replies": "bare"})
    play(state, "PT:H", "NG")
    assert talk(state, 0).younger.size == 0
    assert not [words for words in log_of(state) if "four" in words]
    play(state, "SQ:-", "ST:-", "7C")
    assert talk(state, 0).younger.size == 4


@rule("piquet:reply-figure")
def test_after_a_bare_answer_younger_names_the_figure_that_won_when_he_scores(game):
    state = declaring(game, "AH 9H 8H 7C 7D 8D", "AS KS 8S 9C 9D QD", options={"replies": "bare"})
    play(state, "PT:H", "MK", "NG")
    assert not [words for words in log_of(state) if "29" in words]
    play(state, "SQ:-", "ST:-", "7C")
    assert 'seat 1 says "Point of three making 29 in spades"' in log_of(state)


@rule("piquet:foursome-not-shown", "piquet:triplet-rank-only")
def test_a_set_tells_its_rank_and_never_a_card(game):
    state = game.load({"phase": "set", "elder": "KC KD KH TC TD TH TS", "younger": "7C 8C 9C 7D 8D 9D AS"})
    play(state, "ST:T4", "GD")
    assert announced(state) == ["0 Four tens", "1 Good", "0 Also three kings"]
    seen = state.view(1)
    assert not [card for zone in seen.zones if zone.id == "hand:0" for card in zone.cards]
    assert "KS" not in repr(seen)
    lacks = [mask(["KC"]) & game.sample(seen, Random(seed)).hands[0] == 0 for seed in range(40)]
    assert True in lacks and False in lacks, "any of the four kings may be the missing one"
    for question in ("which king", "show tens", "?K3", "ASK ST"):
        with pytest.raises(UnreadableMove):
            game.parse(question)


def test_what_only_one_side_knows_is_in_no_other_view(game):
    """Along random deals: every card that a view holds outside the own hand has been seen by the viewer."""
    for seed in range(3):
        rng, state = Random(seed), game.start(numbered_decks(PACK, seed + 1), seats=2)
        while not state.results:
            for seat in (0, 1):
                hidden = mask(state.talon) & ~mask(state.looked_at()) if not state.turned_up else 0
                secret = state.hands[1 - seat] | state.discards[1 - seat] | hidden
                secret &= ~mask(state.looked_at()) if seat == state.elder else secret
                shown = [card for zone in state.view(seat).zones for card in zone.cards]
                texts = " ".join([*map(repr, state.view(seat).log), state.view(seat).prompt, *shown])
                assert not [card for card in cards_of(secret) if card in texts.split()]
            play(state, rng.choice(legal(state)))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_the_hidden_cards_of_a_worked_example_can_be_imagined(game, example):
    state = play(game.load(example["setup"]), *example.get("play", []))
    for viewer in (None, 0, 1):
        view = state.view(viewer)
        assert game.sample(view, Random(1)).view(viewer) == view


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_imagined_hands_could_have_said_what_was_said(game, viewer):
    """The worked examples, and random deals: every imagined deal can be led to the same view by its own words."""
    for seed in range(6):
        rng, state = Random(seed), game.start(numbered_decks(PACK, seed + 10), seats=2)
        while state.phase is not Phase.PLAY:
            play(state, rng.choice(legal(state)))
            view = state.view(viewer)
            imagined = game.sample(view, rng)
            assert imagined.view(viewer) == view
            if state.phase in (Phase.DECLARE, Phase.LEAD, Phase.CLAIMS):
                assert game.load(imagined.dump()).sheet == state.sheet


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_imagined_hands_could_have_played_what_was_played(game, viewer):
    """A player who did not follow suit has no more of it, even if a carte blanche has shown the hand."""
    bare = (*BLANCHE.split(), *PLAIN.split(), *TALON.split())
    for seed in range(8):
        rng = Random(seed)
        state = game.start(numbered_decks(PACK, seed + 10) if seed % 2 else repeat(bare), seats=2)
        while not state.results:
            bold = [move for move in legal(state) if move.startswith("BL")]
            play(state, rng.choice(bold or legal(state)))
            if state.phase is Phase.PLAY and state.played:
                imagined = game.sample(state.view(viewer), rng)
                assert imagined.view(viewer) == state.view(viewer)
                assert game.load(imagined.dump()).dump() == imagined.dump()


def test_three_trios_are_imagined_from_the_cards_that_are_left_for_them(game, monkeypatch):
    """One try in 200 finds such a hand; one in 10,000 would if the cards missing from the trios were any at all."""
    monkeypatch.setattr(imagining, "SAMPLE_TRIES", 4000)
    dealt = "9C 8C 7C TD 9D 8D 7D TH 9H 8H 9S 8S"
    state = game.load(
        {
            "dealer": 0,
            "hands": ["AC KC KD QH JH KS JS", "JC 9C 8C 7C AD TD 9D"],
            "discards": ["QC 7S", "7D TH 8H 9S"],
            "talon": "TC QD",
            "drawn": ["JD 7H", "JC KH QS AD"],
            "turned_up": True,
            "carte_blanche": {"seat": 1, "number": 4, "cards": dealt},
            "said": ["PT:D", "MK", "NG", "SQ:TD3", "GD", "ST:-", "ST:A3"],
            "played": "9H 7H 8D JD TS 8S AH KH AS QS",
        }
    )
    view = state.view(None)
    for seed in range(5):
        assert game.sample(view, Random(seed)).view(None) == view


@pytest.mark.parametrize(
    "position",
    [
        {
            "options": {"younger_min": 0},
            "phase": "play",
            "elder": "KD QD 9D 7D KS QS JS 7S",
            "younger": "AC QC JC TC KH QH JH TH 9H",
            "discards": ["KC", "7C TD 8D 8H 7H TS 8S"],
            "carte_blanche": {"seat": 1, "cards": "AC TC 9C 7C TD 8D TH 9H 8H 7H TS 8S"},
            "drawn": ["AH", "8C JH JC QC JD KH QH"],
            "said": "PT:S MK NG SQ:AS4 NG ST:A3 GD",
            "played": "AS 8C AD JD 9S 9C AH",
        },
        {
            "phase": "lead",
            "elder": "AD KD QD KH AH JH 9H 8H AS TS 9S 7S",
            "younger": "AC KC QC JC TC 9C 8C 7C JD TD 7D 8S",
            "said": "PT:D NG SQ:AD3 NG ST:A3 GD",
        },
    ],
    ids=["much was said", "eight of a suit"],
)
def test_onlookers_imagine_long_holdings_of_both_hands_in_a_few_tries(game, monkeypatch, position):
    """Elder's cards at random would leave younger's holding whole once in 20,000 tries, and once in 1000."""
    monkeypatch.setattr(imagining, "SAMPLE_TRIES", 100)
    view = game.load(position).view(None)
    for seed in range(5):
        assert game.sample(view, Random(seed)).view(None) == view


def test_all_hands_that_agree_with_what_was_said_are_imagined_equally_often(game):
    """Younger has no court card but what was drawn, and elder may have claimed any suit of four, and any tierce."""
    dealt = "AC 9C 8C 7C AD 8D 7D 8H AS TS 9S 7S"
    state = game.load(
        {
            "phase": "lead",
            "hands": ["AC QC 9C 8C 7C AD KD 8D AS TS 9S 7S", "TC QD AH KH QH JH 9H 7H KS QS JS 8S"],
            "discards": ["7D 8H", "KC JC JD TD 9D TH"],
            "drawn": ["QC KD", "AH QH 7H 9H QD TC"],
            "carte_blanche": {"seat": 0, "number": 2, "cards": dealt},
            "said": "PT:S NG SQ:9C3 NG ST:A3 GD",
        }
    )
    rng, view = Random(1), state.view(1)
    times = Counter(cards_of(game.sample(view, rng).hands[0]) for _ in range(900))
    sure = "AC QC 9C 8C 7C AD KD AS".split()
    diamonds = [("8D", "7D", *more) for more in combinations("8H TS 9S 7S".split(), 2)]
    spades = [("TS", "9S", "7S", more) for more in "8D 7D 8H".split()]
    assert {*times} == {cards_of(mask([*sure, *more])) for more in (*diamonds, *spades)}
    assert min(times.values()) >= 75 and max(times.values()) <= 125


# The bonuses


def settled(game, elder: str, younger: str, *moves: str, **position) -> PiquetState:
    """The best declared on both sides, then these moves."""
    return play(game.load({"phase": "lead", "elder": elder, "younger": younger, **position}), *moves)


# Elder has three tierces, eight low honours and a spade point of 28, which younger's clubs equal.
LOW_SUITS, LOW_OTHERS = "QC JC TC QD JD TD QH JH TH JS TS 8S", "AC 9C 8C KD 9D 8D KH 9H 8H KS 9S 7S"


@rule("piquet:repique")
def test_thirty_in_hand_against_nothing_adds_sixty_before_a_card_is_led(game):
    state = settled(game, "AH KH QH JH TH AS AC AD 9S 8C 7D KS", "KC QC JC TC KD QD JD 9D QS JS TS 9C")
    assert counted(state, Item.REPIQUE) == [60, 0]
    assert log_of(state)[-1] == "seat 0 makes a repique: 60 more"


@rule("piquet:repique", "piquet:score-order")
def test_a_point_of_the_other_counts_earlier_and_prevents_it_but_a_later_set_does_not(game):
    state = settled(game, "KH QH JH TH 9H KS KC KD 9S 8S 7S 7D", "AC QC JC TC 8C 7C AD QD AS QS JD 9D")
    assert (state.deal_score, counted(state, Item.REPIQUE)) == ([32, 0], [0, 0])
    blanche = {"carte_blanche": {"seat": 0, "number": 1, "cards": BLANCHE}}
    elder = "AC JC TC 9C 8C 7C AD TD 9D 8D AH TH"
    state = settled(game, elder, "KC KD KH KS QC QD QH QS 7D 8H 7S 8S", "AC", **blanche)
    assert counted(state, Item.CARTE_BLANCHE) == [10, 0]
    assert game.sample(state.view(1), Random(1)).view(1) == state.view(1)
    assert counted(state, Item.SET) == [0, 28]
    assert counted(state, Item.REPIQUE) == [60, 0]


@rule("piquet:repique", "piquet:score-order")
@pytest.mark.parametrize("is_declared", [True, False])
def test_a_carte_blanche_of_the_other_counts_first_of_all(game, is_declared):
    younger = BLANCHE.replace("9H", "7H")
    blanche = {"carte_blanche": {"seat": 1, "cards": BLANCHE}} if is_declared else {}
    state = settled(game, "AS KS QS JS TS 9S 8S 7S KC KD KH QH", younger, **blanche)
    assert counted(state, Item.REPIQUE) == ([0, 0] if is_declared else [60, 0])


@rule("piquet:repique")
def test_younger_makes_a_repique_after_the_first_lead(game):
    state = settled(game, "AS KS QS 9S AH KH 8H AD QD 9C 8C 7D", "AC KC QC JC TC JS TS JH TH JD TD 7S")
    assert counted(state, Item.REPIQUE) == [0, 0]
    assert counted(play(state, "7D"), Item.REPIQUE) == [0, 60]


@rule("piquet:repique")
def test_a_point_that_elder_has_counted_keeps_younger_from_a_repique(game):
    state = settled(game, "AS JS TS 9S 8S 7S AH AD 8C 7C 8D 8H", "KC QC JC TC 9C KD KH KS QD QH QS 7D", "8C")
    assert (state.deal_score, counted(state, Item.REPIQUE)) == ([6 + 1, 15 + 14 + 14], [0, 0])


@rule("piquet:repique")
@pytest.mark.parametrize(
    ("elder", "points"),
    [("AH KH QH JH TH 9H 8H AS AC KS KC 7D", 30 + 60), ("AH KH QH JH TH 9H 8H 7H AS AC 7S 7D", 29)],
)
def test_thirty_are_just_enough(game, elder, points):
    state = settled(game, elder, "QS JS 9S 8S QD JD 9D 8D QC JC 9C 8C")
    assert state.deal_score == [points, 0]


@rule("piquet:pique-elder-only")
def test_elders_first_lead_keeps_younger_from_a_pique_but_not_from_a_repique(game):
    younger = "AC KC QC JC TC JS TS JH TH JD TD 7S"
    state = settled(game, "AS KS QS 9S AH KH 8H AD QD 9C 8C 7D", younger, "7D")
    assert state.deal_score == [1, 48 + 60]
    almost = at_play(game, "7D 8D", "AD KD", counted=[{}, {"point": 7, "sequence": 17, "set": 3, "wins": 2}])
    play(almost, "7D", "AD")
    assert counted(almost, Item.PIQUE) == [0, 0]


@rule("piquet:pique")
def test_elder_adds_thirty_when_play_brings_him_to_thirty_before_younger_has_scored(game):
    state = at_play(game, "AH KH 7C", "7H 8H AC", counted=[{"point": 7, "sequence": 17, "set": 4}, {}])
    play(state, "AH", "7H")
    assert counted(state, Item.PIQUE) == [0, 0]
    play(state, "KH")
    assert counted(state, Item.PIQUE) == [30, 0]
    assert log_of(state)[-1] == "seat 0 makes a pique: 30 more"


@rule("piquet:pique", "piquet:play-last")
def test_the_point_for_the_last_trick_can_make_a_pique(game):
    state = at_play(game, "AH", "7H", tricks=[11, 0], counted=[{"sequence": 3, "set": 14, "leads": 11}, {}])
    play(state, "AH", "7H")
    assert last_lines(state)["pique"] == 30


@rule("piquet:pique")
@pytest.mark.parametrize("theirs", [{"set": 3}, {"wins": 1}, {"carte_blanche": 10}])
def test_no_pique_once_younger_has_scored_anything(game, theirs):
    state = at_play(game, "AH KH 7C", "7H 8H AC", counted=[{"sequence": 17, "point": 7, "leads": 5}, theirs])
    assert counted(play(state, "AH", "7H"), Item.PIQUE) == [0, 0]


@rule("piquet:pique", "piquet:score-order")
def test_at_the_first_lead_youngers_declarations_count_before_the_lead(game):
    elder, younger = "AS KS QS JS TS 9S 8S 7S KH QH JH 9C", "AH AD KD QD TD TH TC 8C 7C 9D 8D KC"
    for claim, pique in (("ST:T3", [0, 0]), ("-", [30, 0])):
        state = settled(game, elder, younger, "AS")
        assert (state.deal_score, state.phase) == ([30, 0], Phase.CLAIMS)
        assert counted(play(state, claim), Item.PIQUE) == pique


@rule("piquet:equality-blocks-nothing")
def test_an_equal_point_stops_no_repique(game):
    state = settled(game, LOW_SUITS, LOW_OTHERS, elder_calls={"point": "S"})
    assert state.talks[0].stage.value == "equal"
    assert (counted(state, Item.REPIQUE), state.deal_score) == ([60, 0], [9 + 31 + 60, 0])


@rule("piquet:equality-blocks-nothing")
def test_an_equal_point_and_sequence_stop_no_pique(game):
    state = settled(
        game,
        "AH KH QH JH TH AS KS QS AD 9D 8C 7C",
        "AC KC QC JC TC KD QD JD 9S 8S 9H 7H",
        *"AH 7H".split(),
        counted=[{"set": 3, "leads": 25}, {}],
    )
    assert [talk.stage.value for talk in state.talks] == ["equal", "equal", "elder"]
    assert counted(play(state, "KH"), Item.PIQUE) == [30, 0]


@rule("piquet:one-bonus")
def test_after_a_repique_there_is_no_pique(game):
    state = settled(game, "AH KH QH JH TH AS AC AD 9S 8C 7D KS", "KC QC JC TC KD QD JD 9D QS JS TS 9C")
    play(state, "AH", "9D")
    assert counted(state, Item.REPIQUE) == [60, 0]
    assert counted(state, Item.PIQUE) == [0, 0]
    state = at_play(game, "AH KH", "7H 8H", counted=[{"sequence": 16, "set": 14, "repique": 60}, {}])
    assert counted(play(state, "AH", "7H"), Item.PIQUE) == [0, 0]


@rule("piquet:capot-after")
@pytest.mark.parametrize(("tricks", "counted_so_far"), [([11, 0], {"leads": 15}), ([10, 1], {"leads": 25})])
def test_the_points_for_tricks_do_not_help_towards_thirty(game, tricks, counted_so_far):
    state = at_play(game, "AH", "7H", tricks=tricks, counted=[counted_so_far, {}], deal=1)
    play(state, "AH", "7H")
    assert "pique" not in last_lines(state)
    assert state.results[-1].points[0] == sum(counted_so_far.values()) + 2 + (40 if tricks == [11, 0] else 10)


@rule("piquet:bonus-timing")
@pytest.mark.parametrize(("claim", "bonus"), [("-", [60, 0]), ("PT:C", [0, 0])])
def test_a_repique_waits_while_younger_may_still_claim_an_earlier_category(game, claim, bonus):
    state = settled(game, LOW_SUITS, LOW_OTHERS, elder_calls={"point": "-"})
    assert (state.deal_score, counted(state, Item.REPIQUE)) == ([9 + 31, 0], [0, 0])
    play(state, "8S", claim)
    assert counted(state, Item.REPIQUE) == bonus


# Play


@rule("piquet:elder-leads")
def test_elder_leads_any_card_and_then_the_winner_of_a_trick(game):
    state = game.load({"phase": "lead", "elder": "AH KH 7C", "younger": "7H 8C 9C", "elder_calls": {"point": "C"}})
    assert legal(state) == ["7C", "AH", "KH"]
    assert refusal(state, "9C") == "elder-leads"
    with pytest.raises(NotYourTurn) as early:
        state.play(1, game.parse("7H"))
    assert early.value.rule.endswith(":elder-leads")
    play(state, "7C")
    while state.phase is not Phase.PLAY:
        play(state, "-")
    play(state, "8C")
    assert state.to_act == (1,)
    with pytest.raises(NotYourTurn) as early:
        state.play(0, game.parse("AH"))
    assert early.value.rule.endswith(":trick-winner")


@rule("piquet:follow-suit")
def test_the_second_player_follows_suit_if_he_can_and_plays_anything_otherwise(game):
    state = play(at_play(game, "KH 7C 8C", "9H 7H AD"), "KH")
    assert legal(state) == ["9H", "7H"]
    assert refusal(state, "AD") == "follow-suit"
    state = play(at_play(game, "KS 7C 8C", "9H 7H AD"), "KS")
    assert sorted(legal(state)) == ["7H", "9H", "AD"]


@rule("piquet:no-duty-to-win")
def test_a_player_who_follows_need_not_win(game):
    state = play(at_play(game, "KH 7C", "AH 7H"), "KH")
    assert legal(state) == ["AH", "7H"]
    assert play(state, "7H").tricks == [1, 0]


@rule("piquet:play-lead-1", "piquet:play-win-1")
def test_a_lead_scores_one_and_a_trick_one_only_for_the_second_player(game):
    state = play(at_play(game, "AH 9H 7C", "7H JH 8C"), "AH")
    assert state.deal_score == [1, 0]
    play(state, "7H")
    assert state.deal_score == [1, 0]
    play(state, "9H", "JH")
    assert state.deal_score == [2, 1]


@rule("piquet:play-last")
@pytest.mark.parametrize(("younger", "points"), [("7H", [2, 0]), ("AH", [1, 2])])
def test_the_last_trick_scores_one_more_for_its_winner(game, younger, points):
    state = play(at_play(game, "KH", younger, tricks=[5, 6], deal=1), "KH", younger)
    expected = [points[0], points[1] + 10] if state.results[-1].lines[-1].seats == (1,) else points
    assert list(state.results[-1].points) == expected


@rule("piquet:cards-10", "piquet:cards-split", "piquet:capot-40")
@pytest.mark.parametrize(
    ("before", "cards", "name"),
    [([6, 5], 10, "cards-10"), ([10, 1], 10, "cards-10"), ([11, 0], 40, "capot-40"), ([5, 6], 0, "cards-split")],
)
def test_the_cards_are_worth_ten_a_capot_forty_and_six_each_nothing(game, before, cards, name):
    state = play(at_play(game, "AH", "7H", tricks=before), "AH", "7H")
    assert last_lines(state) == {"play-lead-1": 1, "play-last": 1, name: cards}


@rule("piquet:cards-split")
@pytest.mark.parametrize(("before", "is_divided"), [([5, 5], True), ([0, 0], False)])
def test_only_twelve_tricks_are_divided(game, before, is_divided):
    state = play(at_play(game, "AH 7C", "KH AC", tricks=before), "AH", "KH", "7C", "AC")
    assert ("cards-split" in last_lines(state)) == is_divided


@rule("piquet:tricks-open")
def test_tricks_already_played_lie_open_for_everybody(game):
    state = play(at_play(game, "AH 9H 7C", "7H JH 8C"), "AH", "7H", "9H", "JH")
    for viewer in (None, 0, 1):
        shown = {zone.id: zone.cards for zone in state.view(viewer).zones if zone.id.startswith("trick")}
        assert shown == {"tricks:0": ("AH", "7H"), "tricks:1": (), "trick": ("9H", "JH")}
    play(state, "8C")
    shown = {zone.id: zone.cards for zone in state.view(None).zones if zone.id.startswith("trick")}
    assert shown == {"tricks:0": ("AH", "7H"), "tricks:1": ("9H", "JH"), "trick": ("8C",)}


@rule("piquet:tricks-open")
def test_the_tricks_of_a_player_are_counted_with_the_one_still_on_the_table(game):
    state, seen = at_play(game, "AH KH 9H 7C", "7H 8H JH 8C"), []
    for move in ("AH", "7H", "KH", "8H", "9H", "JH", "8C"):
        play(state, move)
        seen.append(
            tuple((zone.count, zone.note) for zone in (zone_of(state, None, f"tricks:{seat}") for seat in (0, 1)))
        )
    none = (0, "0 tricks")
    assert seen == [
        (none, none),
        ((0, "1 trick, still on the table"), none),
        ((2, "1 trick"), none),
        ((2, "2 tricks, the last still on the table"), none),
        ((4, "2 tricks"), none),
        ((4, "2 tricks"), (0, "1 trick, still on the table")),
        ((4, "2 tricks"), (2, "1 trick")),
    ]


@rule("piquet:follow-suit")
def test_who_has_one_card_of_the_suit_is_told_so(game):
    asked = [
        play(at_play(game, "KH 7C 8C", hand), "KH").view(1).prompt for hand in ("9H 7H AD", "9H AD AS", "AD AS KS")
    ]
    assert asked == [
        "Play one of your hearts.",
        "Play your heart: you have only one.",
        "You have no hearts. Play any card.",
    ]


@rule("piquet:running-score")
def test_once_the_game_is_over_no_deal_is_spoken_of(game):
    over = {
        "phase": "over",
        "deals": [[60, 20], [50, 10], [50, 20], [50, 20], [60, 30], [60, 20]][: 6 if game is RUBICON_PIQUET else 2],
    }
    assert not {"This deal", "Elder", "Dealer"} & dict(game.load(over).view(0).facts).keys()


@rule("piquet:running-score")
def test_the_points_of_the_deal_and_of_the_match_are_shown_to_everybody(game):
    state = play(at_play(game, "AH 9H", "7H JH", scores=[20, 14], deal=2), "AH")
    for viewer in (None, 0, 1):
        view = state.view(viewer)
        assert (view.deal_score, view.scores) == ((1, 0), (20, 14))
        assert ("This deal", "@0 1, @1 0") in view.facts


@rule("piquet:score-order")
def test_the_score_sheet_lists_the_points_in_the_order_of_counting(game):
    example = next(example for example in EXAMPLES if example["id"] == "pq-ex13")
    state = play(game.load(example["setup"]), *example["play"])
    order = [line.rule.partition(":")[2] for line in state.results[-1].lines]
    assert order == ["play-lead-1", "play-lead-1", "play-win-1", "play-win-1", "play-last", "cards-split"]
    state = settled(game, LOW_SUITS, LOW_OTHERS, elder_calls={"point": "S"})
    state.tricks = [12, 0]
    assert [line.rule.partition(":")[2] for line in state.score_lines()] == ["sequence-score", "set-score", "repique"]


def test_only_the_last_card_is_played_by_itself(game):
    state = play(at_play(game, "AH 9H", "7H 8C"), "AH")
    assert legal(state) == ["7H"]
    assert state.view(1).forced is None
    play(state, "7H")
    assert state.view(0).forced == game.parse("9H")
    assert state.view(1).forced is None


def test_buttons_and_prompts_say_what_may_be_done(game):
    state = declaring(game, "AH KH QH 7C AD AS", "AC KS QS JS 7D 8D")
    view = state.view(0)
    assert view.prompt == "Declare your point, or pass."
    assert [render_text(view.choice(move).phrase.text, ()) for move in view.moves][1:3] == [
        "Declare one diamond (11)",
        "Declare three hearts (31)",
    ]
    assert view.choice(game.parse("PT:H")).touches == ()  # a button at once, no card to choose first
    play(state, "PT:H")
    view = state.view(1)
    assert view.prompt == 'Answer "Point of three".'
    assert [render_text(view.choice(move).phrase.text, ()) for move in view.moves] == ['Say "Good"', 'Say "Making?"']
    play(state, "GD")
    assert state.view(0).choice(game.parse("SQ:AH3")).touches == ()
    play(state, "SQ:AH3")
    assert [render_text(state.view(1).choice(move).phrase.text, ()) for move in state.view(1).moves][1:] == [
        'Say "Making?"'
    ]
    play(state, "MK", "GD")
    view = state.view(0)
    assert [render_text(view.choice(move).phrase.text, ()) for move in view.moves] == [
        "Declare three aces",
        "Pass the set",
    ]


# The game to a hundred


def last_card(scores, *, tricks=(6, 5), **position) -> PiquetState:
    """The last trick of a deal: elder leads and wins it, 12 points with the cards."""
    return PIQUET.load(
        {"phase": "play", "elder": "AH", "younger": "7H", "tricks": list(tricks), "scores": scores, **position}
    )


@pytest.mark.rule("piquet:game-100")
def test_the_game_ends_after_the_first_deal_with_a_hundred_and_the_higher_total_wins():
    state = play(last_card([88, 45]), "AH", "7H")
    assert (state.outcome().scores, state.outcome().places) == ((100, 45), (1, 2))
    state = play(last_card([87, 45]), "AH", "7H")
    assert state.outcome() is None
    state = play(last_card([90, 99], counted=[{}, {"wins": 4}]), "AH", "7H")
    assert state.outcome().winners == (1,)


@pytest.mark.rule("piquet:game-100")
def test_a_deal_is_finished_even_if_a_hundred_is_reached_in_it():
    state = PIQUET.load({"phase": "play", "elder": "AH KH", "younger": "7H 8H", "scores": [99, 30]})
    play(state, "AH")
    assert state.deal_score == [1, 0]
    assert state.outcome() is None


@pytest.mark.rule("piquet:game-tie")
def test_equal_totals_at_the_end_call_for_another_deal_and_after_four_it_is_a_draw():
    state = play(last_card([88, 90], counted=[{}, {"wins": 10}]), "AH", "7H")
    assert (state.scores, state.outcome(), state.extra_deals) == ([100, 100], None, 1)
    equal = {"scores": [110, 110], "counted": [{}, {"wins": 12}]}
    state = play(last_card(**equal, extra_deals=3), "AH", "7H")
    assert (state.scores, state.outcome(), state.extra_deals) == ([122, 122], None, 4)
    drawn = play(last_card(**equal, extra_deals=4), "AH", "7H").outcome()
    assert (drawn.places, drawn.scores) == ((1, 1), (122, 122))
    assert drawn.reason.endswith("that: a draw.")
    assert play(last_card([110, 110], extra_deals=1), "AH", "7H").outcome().winners == (0,)


@pytest.mark.parametrize("last", [[13, 13], [30, 13]])
def test_a_game_that_ends_with_its_fourth_further_deal_is_loaded_from_its_dump(last):
    deals = [[100, 100], [13, 13], [13, 13], [13, 13], last]
    fifth = PIQUET.load({"phase": "play", "elder": "AH", "younger": "7H", "tricks": [11, 0], "deals": deals[:-1]})
    play(fifth, "AH", "7H")
    assert (len(fifth.results), fifth.extra_deals, fifth.to_act) == (5, 4, ())
    over = PIQUET.load({"phase": "over", "deals": deals})
    for state in (fifth, over):
        assert PIQUET.load(state.dump()).dump() == state.dump()
        assert PIQUET.load(state.dump()).outcome() == state.outcome()
    with pytest.raises(ImpossiblePosition, match="over after 5 of them"):
        PIQUET.load({"deals": [*deals, [13, 30]]})


@pytest.mark.rule("piquet:double-game")
@pytest.mark.parametrize(
    ("theirs", "under", "is_double"),
    [(49, 50, True), (50, 50, False), (49, 0, False), (59, 60, True), (9, 10, True), (46, 47, True), (47, 47, False)],
)
def test_a_win_against_fewer_than_fifty_counts_double(theirs, under, is_double):
    outcome = play(last_card([95, theirs], options={"double_under": under}), "AH", "7H").outcome()
    assert bool(outcome.lines) == is_double
    assert ("double game" in outcome.reason) == is_double
    assert all(line.rule == "piquet:double-game" and line.points == 0 for line in outcome.lines)


@pytest.mark.rule("piquet:double-game")
@pytest.mark.parametrize(
    ("target", "theirs", "is_double"),
    [
        (50, 24, True),
        (50, 25, False),
        (55, 27, True),
        (55, 28, False),
        (133, 66, True),
        (133, 67, False),
        (200, 99, True),
        (200, 100, False),
    ],
)
def test_a_table_may_have_half_of_the_target_save_the_loser(target, theirs, is_double):
    state = last_card([target - 5, theirs], options={"target": target, "double_under": "half"})
    assert ("Double game below", f"{(target + 1) // 2} points") in state.view(None).facts
    outcome = play(state, "AH", "7H").outcome()
    assert [line.text for line in outcome.lines] == [
        f"A double game counts as two wins: the loser has fewer than {(target + 1) // 2}"
    ] * is_double
    assert not [seat for line in outcome.lines for seat in line.seats], "no cell of the score sheet has a zero"


@pytest.mark.rule("piquet:double-game")
def test_a_table_without_double_games_says_nothing_of_them():
    assert "Double game below" not in dict(last_card([95, 20], options={"double_under": 0}).view(None).facts)


@pytest.mark.rule("piquet:game-100", "piquet:double-game")
@pytest.mark.parametrize(("name", "first", "last"), [("target", 50, 500), ("double_under", 1, 500)])
def test_target_and_double_game_are_any_number_of_their_range(name, first, last):
    for value in (first, 121, last):
        assert PIQUET.read_options({name: value}, 2)[name] == PIQUET.read_options({name: str(value)}, 2)[name] == value
    for value in (first - 51, last + 1):
        with pytest.raises(BadOption, match=f"{first} to {last}"):
            PIQUET.read_options({name: value}, 2)


@pytest.mark.rule("piquet:game-100")
@pytest.mark.parametrize(("scores", "is_over"), [([132, 10], False), ([133, 10], True)])
def test_a_game_to_an_odd_number_ends_at_just_this_number(scores, is_over):
    state = PIQUET.load({"deals": [scores], "options": {"target": 133}})
    assert (state.outcome() is not None) == is_over
    assert not is_over or "at the end of a game to 133 points" in state.outcome().reason


@pytest.mark.rule("piquet:double-game")
@pytest.mark.parametrize("word", ["off", "no", False])
def test_a_double_game_can_be_switched_off_in_words(word):
    assert PIQUET.read_options({"double_under": word}, 2)["double_under"] == 0


@pytest.mark.rule("piquet:finite")
@pytest.mark.parametrize("equal", [False, True])
def test_a_game_that_ended_with_the_fourth_further_deal_is_over_when_it_is_loaded(equal):
    deals = [[60, 50], [40, 50], [10, 10], [5, 5], [20, 20], [10, 10]]
    over = PIQUET.load({"deals": deals, "options": {"equal_deals": equal}})
    assert over.outcome().reason == "The scores are equal, and four more deals didn't change that: a draw."
    assert PIQUET.load(over.dump()).dump() == over.dump()
    with pytest.raises(ImpossiblePosition, match="the game was over after 6"):
        PIQUET.load({"deals": [*deals, [10, 5]]})


@pytest.mark.rule("piquet:finite")
@pytest.mark.parametrize("data", [{"scores": [65, 65]}, {"scores": [130, 130], "options": {"equal_deals": True}}])
def test_no_further_deal_is_played_without_equal_totals_at_the_end(data):
    with pytest.raises(ImpossiblePosition, match="extra_deals"):
        PIQUET.load({**data, "extra_deals": 4, "deal": 5})


@pytest.mark.rule("piquet:finite")
def test_every_deal_brings_thirteen_points_of_play_to_the_two_together():
    rng, state = Random(5), PIQUET.start(numbered_decks(PACK, 5), seats=2, options={"target": 500})
    while state.to_act:
        play(state, rng.choice(legal(state)))
    for result in state.results:
        played = [line.points for line in result.lines if ":play-" in line.rule]
        assert sum(played) >= 13
    assert len(state.results) <= 2 * 500 // 13 + 1


@pytest.mark.parametrize("target", [50, 60, 100, 120, 500])
def test_the_target_is_an_option(target):
    assert play(last_card([target - 12, 3], options={"target": target}), "AH", "7H").outcome() is not None
    assert play(last_card([target - 13, 3], options={"target": target}), "AH", "7H").outcome() is None


def test_with_equal_deals_the_game_ends_after_an_even_number_only():
    for deal, is_over in ((3, False), (4, True)):
        state = play(last_card([95, 20], deal=deal, options={"equal_deals": "yes"}), "AH", "7H")
        assert (state.outcome() is not None) == is_over
    state = play(last_card([110, 110], deal=3, extra_deals=1, options={"equal_deals": "yes"}), "AH", "7H")
    assert (state.outcome(), state.extra_deals) == (None, 2)


def test_each_game_is_one_kind_of_match():
    assert PIQUET.read_options({"match": "hundred"}, 2) == PIQUET.read_options(None, 2)
    assert RUBICON_PIQUET.read_options({"match": "rubicon"}, 2) == RUBICON_PIQUET.read_options(None, 2)
    with pytest.raises(BadOption):
        PIQUET.read_options({"match": "rubicon"}, 2)
    with pytest.raises(ImpossiblePosition):
        RUBICON_PIQUET.load({"options": {"match": "hundred"}})


# Texts and positions


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("ex 9d 8c 7c", "EX 8C 7C 9D"),
        ("EX", "EX"),
        ("pt : h", "PT:H"),
        ("SQ KH 4", "SQ:KH4"),
        ("sq:4kh", "SQ:KH4"),
        ("ST:4K", "ST:K4"),
        ("st 10 3", "ST:T3"),
        ("NG 49", "NG"),
        ("ng k", "NG"),
        ("NG A3", "NG"),
        ("pt:-", "PT:-"),
        (" - ", "-"),
        ("bl 3", "BL3"),
        ("10s", "TS"),
    ],
)
def test_moves_are_read_in_any_case_order_and_spacing(game, text, move):
    assert str(game.parse(text)) == move


@pytest.mark.parametrize(
    "text", ["EX 9D 9D", "PT:X", "SQ:KH9", "ST:K5", "2S", "EX 6C", "PT", "KH KH", "NG what", "BL0"]
)
def test_what_is_no_move_is_refused_in_words(game, text):
    with pytest.raises(UnreadableMove) as unreadable:
        game.parse(text)
    assert str(unreadable.value).endswith(".")


@pytest.mark.parametrize(
    "position",
    [
        {"phase": "play", "elder": "AH KH", "younger": "7H"},
        {"phase": "play", "elder": "AH", "younger": "7H", "hands": ["AH", "7H"]},
        {"phase": "nonsense"},
        {"phase": "over"},
        {"phase": "lead", "elder": "AH", "younger": "7H", "said": ["PT:H"]},
        {"phase": "declare", "elder": "AH", "younger": "7H", "said": ["PT:S"]},
        {"phase": "lead", "elder": "AH", "younger": "7H", "to_move": 1},
        {"phase": "exchange", "to_move": 1, "talon": "AS KS QS JS TS 9S 8S 7S"},
        {"phase": "exchange", "elder": "AH KH QH JH", "younger": "7H 8H 9H"},
        {"phase": "blanche", "elder": "AH KH QH JH", "younger": "7H 8H 9H"},
        {"phase": "exchange", "to_move": "elder", "discards": ["7S 8S", ""]},
        {"phase": "play", "elder": "AH KH", "younger": "7H 8H", "tricks": [6, 5]},
        {"phase": "play", "elder": "AH", "younger": "7H", "counted": [{"nonsense": 1}, {}]},
        {"phase": "blanche", "options": {"carte_blanche": False}},
        {"phase": "exchange", "carte_blanche": {"seat": 0, "number": 3, "cards": PLAIN}},
        {"phase": "exchange", "talon": "AH KH QH JH TH 9H 8H 7H 7C"},
        {"phase": "exchange", "hands": [[], []]},
        {"phase": "play", "elder": "AH", "younger": "7H", "played": "KS AS", "leader": 7},
        {"deals": [[1, 2, 3]]},
        {"phase": "play", "elder": "AH", "younger": "7H", "drawn": ["KS", ""]},
        {"phase": "lead", "elder": BLANCHE, "younger": PLAIN, "carte_blanche": {"seat": 1, "cards": BLANCHE}},
        {
            "phase": "lead",
            "elder": BLANCHE.replace("9H", "AS"),
            "younger": PLAIN,
            "discards": ["7S", ""],
            "carte_blanche": {"seat": 0, "number": 1, "cards": BLANCHE},
        },
        {"elder_calls": ["H"], "elder": "AH", "younger": "7H"},
        {"elder_calls": {"nonsense": "H"}, "elder": "AH", "younger": "7H"},
    ],
)
def test_impossible_positions_are_refused_in_words(game, position):
    with pytest.raises(ImpossiblePosition) as impossible:
        game.load(position)
    assert str(impossible.value).endswith(".")


def test_hands_left_out_are_made_up_from_other_cards(game):
    state = game.load({"phase": "sequence", "elder": "QS JS TS 9S AH KH QH"})
    assert state.hands[1].bit_count() == 7
    state = exchanging(game, talon="9D KC 7S AH TD 8C QS JH")
    assert sorted(state.cards()) == sorted(PACK)


def test_a_led_card_belongs_to_the_player_who_is_not_to_move(game):
    state = game.load({"phase": "play", "to_move": 1, "elder": "7C 8C", "younger": "9H 7H AD", "played": "KH"})
    assert (state.led, state.to_act, state.deal_score) == ("KH", (1,), [1, 0])
    state = game.load({"phase": "play", "to_move": "elder", "elder": "9H 7H AD", "younger": "7C 8C", "played": "KH"})
    assert (state.led, state.to_act, state.deal_score) == ("KH", (0,), [0, 1])


def test_a_single_card_on_the_table_was_led_by_the_shorter_hand(game):
    state = game.load({"elder": "KS", "younger": "8S 7S", "played": "AS"})
    assert (state.led, state.to_act, state.deal_score) == ("AS", (1,), [1, 0])


@pytest.mark.parametrize("names", [("A", "B"), ("a", "b"), ("elder", "younger"), (0, "1")])
def test_seats_are_named_in_every_zone_by_number_letter_or_role(game, names):
    first, second = names
    given = {
        "hands": {first: "AS KS", second: "7S 8S"},
        "tricks": {first: 6, second: 4},
        "counted": {second: {"wins": 3}},
    }
    state = game.load(given)
    assert (state.hands, state.tricks) == ([mask(["AS", "KS"]), mask(["7S", "8S"])], [6, 4])
    assert state.deal_score == [0, 3]


def test_younger_answers_the_best_claim_where_it_is_his_turn(game):
    hands = {"elder": "AS KS JS 9S 8S AH", "younger": "KH QH JH TH 9H QS"}
    state = game.load({"phase": "point", "to_move": "younger", **hands})
    assert (state.to_act, announced(state), legal(state)) == ((1,), ["0 Point of five"], ["GD", "MK"])
    state = game.load({"phase": "point", "to_move": "younger", "elder_calls": {"point": "H"}, **hands})
    assert legal(state) == ["GD", "NG"]


@pytest.mark.parametrize(
    ("said", "played", "talon", "phase", "moves"),
    [
        ("PT:H NG 4", "", "", Phase.DECLARE, ["SQ:AH3", "SQ:-"]),
        ("PT:H GD SQ:- ST:-", "", "", Phase.LEAD, ["7C", "8C", "AH", "KH", "QH"]),
        ("PT:H GD SQ:- ST:-", "7C", "", Phase.CLAIMS, ["SQ:QS4", "-"]),
        ("PT:H GD SQ:- ST:- - -", "7C", "9C", Phase.LEFT, ["LK", "NL"]),
        ("PT:H GD SQ:- ST:- - -", "7C", "", Phase.PLAY, ["9S", "TS", "JS", "QS", "KD"]),
        ("PT:H GD SQ:- ST:- - -", "7C 9S", "9C", Phase.PLAY, ["8C", "AH", "KH", "QH"]),
    ],
)
def test_what_was_said_leads_to_the_phase_where_none_is_named(game, said, played, talon, phase, moves):
    hands = [["7C", "8C", "AH", "KH", "QH"], ["9S", "TS", "JS", "QS", "KD"]]
    left = [[card for card in hand if card not in played.split()] for hand in hands]
    state = game.load({"hands": left, "said": said, "played": played, "talon": talon})
    assert (state.phase, sorted(legal(state))) == (phase, sorted(moves))


def test_cards_are_not_played_before_younger_has_spoken(game):
    position = {"elder": "8C AH", "younger": "9S KD", "said": "PT:H GD SQ:- ST:-", "played": "7C 9D"}
    with pytest.raises(ImpossiblePosition, match=r"lead to the phase claims and no further\.$"):
        game.load(position)


def test_cards_that_were_turned_up_are_no_longer_asked_about(game):
    hands = {"elder": "8C AH", "younger": "9S KD QD", "said": "PT:- SQ:- ST:- - - -", "played": "7C", "talon": "9C"}
    assert game.load(hands).phase is Phase.LEFT
    state = game.load({**hands, "turned_up": True})
    assert (state.phase, state.view(0).left) == (Phase.PLAY, ("9C",))


@rule("piquet:carte-blanche-when")
def test_with_elder_to_move_in_blanche_the_dealer_has_gone_on(game):
    state = dealt_blanche(game, 0, to_move="elder")
    assert [move for move in legal(state) if move.startswith("BL")] == ["BL1", "BL2", "BL3", "BL4", "BL5"]
    assert play(state, "BL3").deal_score == [10, 0]


@rule("piquet:younger-exchange")
def test_after_elders_discards_younger_exchanges_next_where_no_phase_is_named(game):
    state = game.load({"younger": PLAIN, "talon": TALON[:11], "discards": [BLANCHE[:11], ""]})
    assert (state.phase, state.to_act, state.exchange_limits(1)) == (Phase.EXCHANGE, (1,), (1, 4))


@rule("piquet:younger-exchange")
def test_a_talon_left_out_lacks_what_elder_has_drawn(game):
    hand = "7C 8C 9C TC JC QC KC AC"
    for position, left in (({}, 3), ({"discards": ["7S 8S", ""]}, 6), ({"drawn": ["7C", ""]}, 7)):
        state = exchanging(game, to_move="younger", elder=hand, **position)
        assert state.exchange_limits(1) == (1, left)


@rule("piquet:younger-exchange")
def test_younger_exchanges_when_elder_has_laid_cards_aside(game):
    state = exchanging(game, discards=["7S 8S", ""])
    assert (state.to_act, state.exchange_limits(1)) == ((1,), (1, 6))
    blanche = {"seat": "elder", "number": 3}
    state = exchanging(game, elder=BLANCHE, carte_blanche=blanche)
    assert (state.to_act, state.exchange_limits(1)) == ((1,), (1, 5))
    state = exchanging(game, elder=BLANCHE, carte_blanche=blanche, younger=PLAIN[3:], discards=["", PLAIN[:2]])
    assert (state.to_act, state.exchange_limits(0)) == ((0,), (3, 3))


def test_without_cards_the_next_deck_is_dealt(game):
    state = game.load({"first_dealer": "A", "deals": [[10, 20], [20, 10]]})
    assert (state.deal_number, state.dealer, state.phase) == (3, 0, Phase.BLANCHE)
    assert state.hands[0].bit_count() == 12


def test_a_deal_in_any_phase_can_be_written_down_and_read_again(game):
    for options in ({}, {"replies": "bare", "younger_min": 0}):
        rng, state = Random(7), game.start(numbered_decks(PACK, 7), seats=2, options=options)
        while len(state.results) < 3:
            again = game.load(state.dump())
            assert again.dump() == state.dump()
            assert again.view(0).talks == state.view(0).talks
            assert (again.sheet, again.has_bonus, again.led) == (state.sheet, state.has_bonus, state.led)
            play(state, rng.choice(legal(state)))


def test_a_record_of_a_deal_can_be_printed(game):
    text = record(game, seats=2, seed=2, hands=1)
    assert "== hand 1" in text
