"""The board that pages print, built from views of the real games."""

import re
from datetime import UTC, datetime
from random import Random

import pytest
from django.template.loader import render_to_string

from games import bots, engines
from games.core import deals
from games.core.contract import Event, HandResult, Phrase, ScoreLine, Zone
from games.core.words import render_text
from games.domain.clocks import Face
from games.models import Table
from games.presentation.absence import Absence, AbsenceLine, AbsentPlayer
from games.presentation.board import MoveButton, Plate, Refusal, Remark, build_board
from games.presentation.hand_show import HandShow, StageLine
from games.presentation.move_log import log_of
from games.presentation.panels import Panel, Spot, open_zones
from games.presentation.parts import draw_part
from games.presentation.score_sheets import score_rows, score_sheets
from games.templatetags.boards import fill_gaps
from infra.rendering import rendered


def casino_after(moves, seed=3):
    game = engines.get("casino")
    rng = Random(seed)
    state = game.start(deals.random_decks(game.deck(game.read_options({}, 2)), rng), seats=2)
    for _ in range(moves):
        seat = state.to_act[0]
        state.play(seat, rng.choice(list(state.legal_moves(seat))))
    return state


def board_of(state, seat, **more):
    return build_board(state.view(seat), names=["Ada", "Bob"], seq=5, **more)


def test_every_legal_move_is_offered_once():
    state = casino_after(9)
    seat = state.to_act[0]
    texts = [offer.text for offer in board_of(state, seat).offers]
    assert sorted(texts) == sorted(map(str, state.legal_moves(seat)))


@pytest.mark.parametrize("game", engines.GAMES, ids=lambda game: game.slug)
def test_each_move_of_another_player_is_marked_where_the_reader_sees_it(game):
    seats, rng = game.seats[0], Random(1)
    state = game.start(deals.numbered_decks(game.deck(game.read_options({}, seats)), 1), seats=seats)
    for _ in range(80):
        if not state.to_act:
            break
        seat, hands = rng.choice(state.to_act), len(state.results)
        state.play(seat, rng.choice(list(state.legal_moves(seat))))
        board = build_board(state.view((seat + 1) % seats), names=["Ada", "Bob", "Cy", "Di", "Eve"][:seats])
        last = next((event for event in reversed(state.view(None).log) if event.seat is not None), None)
        if len(state.results) == hands and last and last.touches:
            plates = [plate for plate in (*board.others, board.own) if plate]
            panels = [*board.middle, board.hand, *(panel for plate in plates for panel in plate.panels)]
            seen = [panel for panel in panels if panel and (panel.is_last or any(spot.is_last for spot in panel.spots))]
            assert seen, last


def test_a_stock_that_was_drawn_from_shows_it_on_its_top_card():
    game = engines.get("gin-rummy")
    state = game.start(deals.numbered_decks(game.deck(game.read_options({}, 2))), seats=2)
    for text in ("P", "P", "D"):
        state.play(state.to_act[0], game.parse(text))
    stock = next(panel for panel in board_of(state, 1).middle if panel.id == "stock")
    assert [spot.is_last for spot in stock.spots] == [True]
    assert 'class="spot is-last"' in draw_part("cards", "panel", stock)


def test_the_log_names_to_the_loser_of_a_trick_the_card_that_they_draw():
    """In Sixty-Six both draw by one move of the winner."""
    game, names = engines.get("sixty-six"), ["Ada", "Bob"]
    state = game.start(deals.numbered_decks(game.deck(game.read_options({}, 2)), 2))
    while not state.view(None).log or state.view(None).log[-1].phrase.verb != "draw":
        seat = state.to_act[0]
        state.play(seat, min(state.legal_moves(seat), key=lambda move: str(move) != "DR"))
    winner = state.view(None).log[-1].seat
    [mine], [theirs] = state.view(winner).fresh, state.view(1 - winner).fresh
    readers = [build_board(state.view(reader), names=names).log for reader in (winner, 1 - winner, None)]
    assert [log[-1].text for log in readers] == [
        f"You draw {mine}.",
        f"{names[winner]} draws and you draw {theirs}.",
        f"{names[winner]} draws.",
    ]


DRAWING = ["advantage", "carousel", "gin-rummy", "krambambuli", "push", "shanghai", "sixty-six", "vatican"]


@pytest.mark.parametrize("slug", DRAWING)
def test_what_a_player_draws_is_marked_in_their_hand_until_they_play_and_named_to_them_alone(slug):
    game, rng, named = engines.get(slug), Random(2), 0
    seats, names = game.seats[0], ["Ada", "Bob", "Cy", "Di"][: game.seats[0]]
    state = game.start(deals.numbered_decks(game.deck(game.read_options({}, seats)), 2), seats=seats)
    for _ in range(150):
        if not state.to_act:
            break
        seat, hands = rng.choice(state.to_act), len(state.results)
        before, held = state.view(seat), hand_of(state, seat)
        moves = state.legal_moves(seat)
        move = next((move for move in moves if str(move) == "D"), None) or rng.choice(list(moves))
        state.play(seat, move)
        if len(state.results) > hands or seat not in (event.seat for event in state.view(None).log):
            continue
        if held and not {*held} & {*hand_of(state, seat)}:
            continue  # dealt
        came = [card for card in hand_of(state, seat) if card not in held]
        board = build_board(state.view(seat), names=names)
        marks = [spot.card for spot in board.hand.spots if spot.is_fresh]
        if came and len(hand_of(state, seat)) > len(held):
            assert sorted(marks) == sorted(came)
            last = next(event for event in reversed(state.view(seat).log) if event.seat == seat)
            others = build_board(state.view(None), names=names).log
            if "stock" in last.touches and all(touch[:5] in ("stock", "hand:") for touch in last.touches):
                named += 1
                assert any(line.text.startswith("You draw ") and came[0] in line.text for line in board.log)
                assert not any(f"draws {came[0]}" in line.text for line in others)
        elif len(hand_of(state, seat)) < len(held) and not came:
            assert marks == []
        assert before.fresh == () or set(before.fresh) <= set(held)
    assert named or slug in ("advantage", "push")


def hand_of(state, seat):
    return [card for zone in state.view(seat).zones if zone.id == f"hand:{seat}" for card in zone.cards]


def test_moves_are_grouped_by_the_card_they_start_with():
    state = casino_after(9)
    board = board_of(state, state.to_act[0])
    for group in board.groups:
        assert {offer.touches[0] for offer in group.offers} == {group.card}


def test_the_moves_of_a_card_begin_with_what_it_takes_and_end_with_the_card_alone():
    boards = [board_of(state, state.to_act[0]) for state in map(casino_after, range(40)) if state.to_act]
    groups = [[offer.label.split()[0] for offer in group.offers] for board in boards for group in board.groups]
    assert any(len(verbs) > 1 and "Trail" in verbs for verbs in groups)
    assert all("Trail" not in verbs[:-1] for verbs in groups)


def test_an_offer_touches_only_what_can_be_picked():
    for moves in range(40):
        state = casino_after(moves)
        board = board_of(state, state.to_act[0])
        panels = [*board.middle, board.hand]
        picks = {spot.pick for panel in panels for spot in panel.spots} | {panel.pick for panel in panels}
        assert all(set(offer.touches) <= picks for offer in board.offers)


def test_nobody_else_is_offered_a_move():
    state = casino_after(9)
    other = 1 - state.to_act[0]
    assert board_of(state, other).groups == ()
    assert board_of(state, None).groups == ()
    assert board_of(state, other).waiting_for.endswith("to move.")


def test_the_viewer_sits_at_the_bottom_and_the_others_follow_clockwise():
    game = engines.get("casino")
    state = game.start(deals.numbered_decks(game.deck(game.read_options({}, 4))), seats=4)
    board = build_board(state.view(2), names=["Ada", "Bob", "Cy", "Di"])
    assert board.own.number == 2
    assert board.own.name == "You"
    assert [plate.name for plate in board.others] == ["Di", "Ada", "Bob"]


def test_a_spectator_has_no_seat_of_his_own():
    board = board_of(casino_after(5), None)
    assert board.own is None
    assert board.hand is None
    assert [plate.name for plate in board.others] == ["Ada", "Bob"]


def test_open_zones_show_the_hands_of_all_who_share_their_views():
    state = casino_after(5)
    zones = {zone.id: zone for zone in open_zones([state.view(None), state.view(0), state.view(1)])}
    assert len(zones["hand:0"].cards) == zones["hand:0"].count
    assert len(zones["hand:1"].cards) == zones["hand:1"].count
    assert [zones[f"hand:{seat}"].label for seat in (0, 1)] == ["@0's hand", "@1's hand"]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_page_holds_no_hidden_card(seat):
    for moves in range(0, 60, 3):
        state = casino_after(moves)
        view = state.view(seat)
        seen = {card for zone in view.zones for card in zone.cards}
        seen |= {card for event in view.log for card in event.touches}
        board = build_board(view, names=["Ada", "Bob"])
        html = render_to_string(
            "games/_board.jinja",
            {"board": board, "game": engines.get("casino"), "play_url": "/"},
            using="jinja2",
        )
        for card in set(state.cards()) - seen:
            assert f"#card-{card}" not in html
            assert f'"{card}"' not in html


def test_a_meld_is_chosen_whole_unless_its_cards_can_be_chosen_singly():
    game = engines.get("carousel")
    position = {"to_move": 0, "phase": "after-draw", "table": {1: "6H-7H-8H-9H", 2: "QC+QD+QH"}, "stock_count": 9}
    board = build_board(game.load({**position, "hands": {0: "6C 6S TH"}}).view(0), names=["Ada", "Bob"])
    melds = {panel.id: panel for panel in board.melds}
    assert melds["meld:1"].pick == "" and [spot.pick for spot in melds["meld:1"].spots] == ["6H", "7H", "8H", "9H"]
    touches = {offer.text: offer.touches for offer in board.offers}
    assert touches["M 6C+6H<1+6S"] == ("6C", "6S", "6H")
    assert touches["L1 6H-7H-8H-9H-TH"] == ("TH", "6H", "7H", "8H", "9H")
    krambambuli = engines.get("krambambuli")
    position = {"to_move": 0, "table": {1: "6H-7H-8H-9H (1)", 2: "QC+QD+QH (0)"}, "hands": {0: "6C 6S QS"}}
    board = build_board(krambambuli.load(position).view(0), names=["Ada", "Bob"])
    assert [panel.pick for panel in board.own.panels] == ["meld:2"]
    assert [spot.pick for spot in board.others[0].panels[-1].spots] == ["6H", "", "", ""]


def test_a_refusal_links_to_its_rule():
    assert Refusal("No.", "casino:build-hold").rule_url == "/rules/casino/#build-hold"
    assert Refusal("No.").rule_url == ""


@pytest.mark.parametrize("game", engines.GAMES, ids=lambda game: game.slug)
def test_no_sentence_of_a_whole_game_speaks_of_you_as_of_another(game):
    rng, seats = Random(4), game.seats[0]
    state = game.start(deals.random_decks(game.deck(game.read_options({}, seats)), rng), seats=seats)
    bot, played = bots.bot(game.slug, "club"), 0
    while state.to_act:
        seat = state.to_act[0]
        state.play(seat, bot.choose(state.view(seat), rng))
        played += 1
        if played % 9 and state.to_act:
            continue
        board = build_board(state.view(0), names=["You", "Bob", "Cleo", "Dan"][:seats])
        sheets = [text for hand in board.hands for text in (hand.summary, *(panel.label for panel in hand.panels))]
        lines = [line.text for line in board.log]
        said = "\n".join([board.ended(game.deal_word), board.call, *sheets, *lines, *(text for _, text in board.facts)])
        assert not re.search(r"\b[Yy]ou \w*[^s]s\b|of [Yy]ou\b|[Yy]ou's", said), said


def test_totals_go_on_from_the_scores_of_a_loaded_position():
    game = engines.get("casino")
    state = casino_after(0)
    data = state.dump() | {"totals": [7, 3]}
    state, rng = game.load(data), Random(2)
    while not state.results:
        seat = state.to_act[0]
        state.play(seat, rng.choice(list(state.legal_moves(seat))))
    sheet = board_of(state, 0).hands[0]
    assert sheet.totals == (7 + sheet.points[0], 3 + sheet.points[1])


def test_cards_on_a_plate_are_signs():
    board = board_of(casino_after(5), 0)
    plate = board.others[0]._replace(note="took JD")
    html = draw_part("players", "player_plate", plate, board.has_scores)
    assert 'aria-label="jack of diamonds">J♦' in html


def test_what_players_call_themselves_fills_no_gap_of_a_form():
    form = draw_part("moves", "choice_form", MoveButton("3C", "Take 3C from <gap>.", ("3C",)), False, False)
    filled = fill_gaps(form, 'action="/moves/">')
    assert filled.count('action="/moves/"') == 1
    assert "from &lt;gap&gt;." in filled


def test_a_turn_that_a_game_forgets_goes_from_the_log_and_the_others_stay_what_they_were():
    names, events = ("Ada", "Bob"), [Event(seat % 2, Phrase("play", f"{seat + 2}C")) for seat in range(5)]
    first = log_of(tuple(events), names, None)
    second = log_of((*events[:2], *events[3:]), names, None)
    assert [(line.number, line.text) for line in second] == [
        (1, "Ada plays 2C."), (2, "Bob plays 3C."), (3, "Bob plays 5C."), (4, "Ada plays 6C."),
    ]  # fmt: skip
    assert [before is now for before, now in zip(first, second, strict=False)] == [True, True, False, False]
    assert log_of(tuple(events), names, 0)[0].text == "You play 2C."


def test_a_log_says_the_same_whatever_was_told_before_to_readers_of_these_names():
    """It is taken up where it grew; another game, or a move that was taken back, is told from the start."""
    states = [casino_after(moves, seed) for seed in (3, 4) for moves in (30, 31, 12, 0, 31)]
    for state in states:
        events = state.view(None).log
        plates = [render_text(event.text, ["Ada", "Bob"]) for event in events if event.seat is not None]
        moves = [line for line in board_of(state, None).log if line.number is not None]
        assert [line.number for line in moves] == list(range(1, len(plates) + 1))
        assert [line.text for line in moves] == [f"{told}." for told in plates]


def test_score_sheets_are_those_of_these_hands_whatever_the_same_reader_saw_before():
    """Two games between the same names may stand alike after hands that were not."""
    one, other = (
        HandResult(1, summary, (3, 1), (ScoreLine((0,), "casino:cards", line, 3),))
        for summary, line in (("Most cards", "cards"), ("Sweeps", "sweeps"))
    )
    for result, text in ((one, "cards"), (other, "sweeps"), (one, "cards")):
        [sheet] = score_sheets([result], ["Ada", "Bob"], scores=(3, 1))
        assert (sheet.summary, sheet.rows[0].text) == (f"{result.summary}.", text)


def test_what_a_player_says_one_after_the_other_are_sentences():
    game = engines.get("piquet")
    state = game.load({"phase": "sequence", "elder": "KH QH JH", "younger": "AS KS QS"})
    for seat, text in [(0, "SQ:KH3"), (1, "MK"), (1, "NG")]:
        state.play(seat, game.parse(text))
    assert len([words for seat, words in state.view(0).announcements if seat == 1]) == 2
    assert board_of(state, 0).others[0].says.startswith("Making? ")


@pytest.mark.parametrize(
    ("slug", "options"),
    [
        ("push", {}),
        ("casino", {"partners": True}),
        ("four-hand-cuarenta", {}),
        ("partnership-cribbage", {}),
        ("tabletop-cribbage", {}),
    ],
)
def test_partners_share_a_column_of_the_score_sheet(slug, options):
    game, rng = engines.get(slug), Random(2)
    chosen = game.read_options(options, 4)
    state = game.start(deals.random_decks(game.deck(chosen), rng), seats=4, options=chosen)
    while not state.results:
        seat = state.to_act[0]
        state.play(seat, bots.bot(slug, "first-steps").choose(state.view(seat), rng))
    names, sides = ("Ada", "Bob", "Cy", "Di"), game.sides(chosen, 4)
    [sheet] = score_sheets(state.results, names, scores=state.view(None).scores)
    html = draw_part("scores", "score_sheet", sheet, names, sides, game.deal_word)
    assert re.findall(r'<th scope="col">(.*?)</th>', html)[1:] == ["Ada and Cy", "Bob and Di"]
    for line in state.results[0].lines:
        assert all(set(side) <= set(line.seats) or not set(side) & set(line.seats) for side in sides), line


def test_the_last_move_is_told_once_where_the_prompt_begins_with_it():
    game, rng = engines.get("piquet"), Random(4)
    options = game.read_options({}, 2)
    state = game.start(deals.random_decks(game.deck(options), rng), seats=2, options=options)
    is_in_prompt = set()
    while not state.results:
        [seat] = state.to_act
        state.play(seat, bots.bot("piquet", "first-steps").choose(state.view(seat), rng))
        for board in [board_of(state, seat) for seat in state.to_act]:
            html = rendered("games/_board.jinja", {"board": board, "game": game, "play_url": "/"})
            told = re.findall(r'<p class="last-move soft">|<p class="prompt">', html)
            is_in_prompt.add(board.prompt.startswith(board.last))
            assert len(told) == (1 if board.prompt.startswith(board.last) else 2)
    assert is_in_prompt == {True, False}


def test_the_move_that_ended_a_hand_is_no_news_in_the_next():
    game, rng = engines.get("casino"), Random(4)
    options = game.read_options({}, 2)
    state = game.start(deals.random_decks(game.deck(options), rng), seats=2, options=options)
    told = []
    while len(told) < 2:
        [seat] = state.to_act
        board = board_of(state, seat)
        if board.fresh_hand:
            told.append((board.last != "", board.without_last_hand().last != ""))
        state.play(seat, bots.bot("casino", "first-steps").choose(state.view(seat), rng))
    assert told == [(True, False), (True, True)]  # before the first move of the next hand, and after it


@pytest.mark.parametrize(("score", "words"), [(0, "0 points"), (1, "1 point"), (12, "12 points")])
def test_a_plate_is_heard_with_pauses_between_its_parts(score, words):
    plate = Plate(1, "Dot", "", "0 this deal", score, True, False, (), "Good")
    assert heard(plate) == f"Dot, to move, {words}, 0 this deal, said Good"


@pytest.mark.parametrize(("note", "words"), [("", "not connected"), ("7 cards", "not connected, 7 cards")])
def test_who_is_not_connected_is_heard_with_no_pause_too_many(note, words):
    plate = Plate(1, "Dot", Remark("not connected", is_passing=True), note, 0, False, False, ())
    assert heard(plate) == f"Dot, 0 points, {words}"


def heard(plate):
    html = draw_part("players", "player_plate", plate, True)
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", "", html)).strip()


def test_what_both_sides_score_by_one_rule_is_one_row():
    lines = [
        ScoreLine((0,), "piquet:play-lead-1", "Leads", 6),
        ScoreLine((1,), "piquet:play-lead-1", "Leads", 5),
        ScoreLine((1,), "piquet:play-lead-1", "Leads", 1),
    ]
    assert [row.points for row in score_rows(lines, ("Ada", "Bob"))] == [(6, 5), (None, 1)]


@pytest.mark.parametrize(
    ("slug", "word"), [("piquet", "deal"), ("push", "deal"), ("cuarenta", "hand"), ("casino", "hand")]
)
def test_a_score_sheet_has_the_word_of_its_game(slug, word):
    result = HandResult(2, "Over", (3, 1), (ScoreLine((0,), "", "Cards", 3),))
    [sheet] = score_sheets([result], ["Ada", "Bob"], scores=(3, 1))
    html = draw_part("scores", "score_sheet", sheet, ("Ada", "Bob"), ((0,), (1,)), engines.get(slug).deal_word)
    assert f"{word.capitalize()} 2" in html
    assert f"This {word}" in html


@pytest.mark.parametrize(("slug", "seats"), [("push", 4), ("casino", 4), ("piquet", 2)])
def test_a_plate_says_who_is_the_partner_of_the_reader_and_has_the_colour_of_its_side(slug, seats):
    game = engines.get(slug)
    options = game.read_options({"partners": True} if slug == "casino" else {}, seats)
    state = game.start(deals.numbered_decks(game.deck(options), 1), seats=seats, options=options)
    names, sides = ["Ada", "Bob", "Cy", "Di"][:seats], game.sides(options, seats)
    board = build_board(state.view(1), names=names, sides=sides)
    plates = [board.own, *board.others]
    assert [plate.name for plate in plates if plate.note.startswith("partner")] == ["Di"] * (seats == 4)
    assert {plate.number: plate.side for plate in plates} == {
        seat: seat % 2 if seats == 4 else None for seat in range(seats)
    }
    seen_by_all = build_board(state.view(None), names=names, sides=sides)
    assert not any("partner" in plate.note for plate in seen_by_all.others)


def test_a_pile_that_may_be_looked_through_lists_all_its_open_cards_from_the_top():
    pile = Panel(Zone("pile:0", "pile", "Pile", ("3C", "5D", "KH")), "Pile", "", ())
    assert pile.open_pile == ("KH", "5D", "3C")
    assert "All cards" in draw_part("cards", "panel", pile)
    covered = Panel(Zone("pile:0", "pile", "Captured", ("3C", "5D"), count=12), "Captured", "", ())
    assert "Open cards" in draw_part("cards", "panel", covered)


# What a board says of itself for the style sheets


def felt_of(board, game, **more):
    """The opening tags of a drawn board from its felt on."""
    html = rendered("games/_board.jinja", {"board": board, "game": game, "play_url": "/"} | more)
    return re.sub(r"\s+", " ", html[html.index('<div class="felt') :])


@pytest.mark.parametrize(
    ("count", "steps"), [(0, ""), (1, "1"), (8, "1"), (9, "1 9"), (11, "1 9 11"), (23, "1 9 11 15 23")]
)
def test_a_felt_says_which_numbers_the_melds_of_all_have_reached(count, steps):
    game = engines.get("vatican")
    view = game.start(deals.numbered_decks(game.deck(game.read_options({}, 2))), seats=2).view(0)
    melds = [Zone(f"meld:{number}", "meld", "Meld", ("3C1", "3D1", "3H1"), 3) for number in range(count)]
    board = build_board(view, names=["Ada", "Bob"], zones=[*view.zones, *melds])
    assert board.meld_steps == steps
    assert f'data-melds="{steps}"' in felt_of(board, game)
    assert 'data-meld-steps="1 9 11 15 23"' in felt_of(board, game, check_url="/check/")


def test_seats_say_what_kinds_of_places_they_have():
    game = engines.get("krambambuli")
    position = {"to_move": 0, "table": {1: "6H-7H-8H-9H (1)", 2: "QC+QD+QH (1)"}, "hands": {0: "6C 6S QS"}}
    board = build_board(game.load(position).view(0), names=["Ada", "Bob"])
    assert (board.others[0].kinds, board.own.kinds) == ("hand meld meld", "")
    html = felt_of(board, game)
    assert '<div class="seats of-1" data-kinds="hand meld meld">' in html
    assert '<div class="own-places" data-kinds="">' in html
    assert '<div class="middle" data-kinds="stock pile">' in html
    assert "has-laid-melds" in html.partition(">")[0]
    alone = build_board(game.load({**position, "table": {}}).view(0), names=["Ada", "Bob"])
    assert "has-laid-melds" not in felt_of(alone, game)


@pytest.mark.parametrize(("slug", "is_taken_from"), [("casino", True), ("cuarenta", True), ("gin-rummy", False)])
def test_a_felt_says_whether_cards_on_it_are_taken_by_others(slug, is_taken_from):
    game = engines.get(slug)
    state = game.start(deals.numbered_decks(game.deck(game.read_options({}, 2))), seats=2)
    assert ("is-taken-from" in felt_of(board_of(state, 0), game).partition(">")[0]) == is_taken_from


def test_a_place_is_bare_if_nothing_lies_there_and_nothing_can_be_chosen():
    empty, full = Zone("won:0", "pile", "Won"), Zone("won:0", "pile", "Won", ("3C",), 1)
    chosen = Panel(empty, "Won", "", (), pick="won:0")
    panels = [Panel(empty, "Won", "", ()), chosen, Panel(full, "Won", "", (Spot("3C"),))]
    assert [panel.is_bare for panel in panels] == [True, False, False]
    assert ["is-bare" in draw_part("cards", "panel", panel) for panel in panels] == [True, False, False]


@pytest.mark.parametrize(("cards", "to", "is_handless"), [((), "", True), (("3C",), "", False), ((), "hand:0", False)])
def test_a_felt_says_that_no_hand_is_shown_at_the_end(cards, to, is_handless):
    game, view = engines.get("casino"), casino_after(0).view(0)
    hand = Zone("hand:0", "hand", "Your hand", cards, len(cards), 0)
    board = build_board(view, names=["Ada", "Bob"], zones=[hand])
    line = StageLine("Ada takes the rest.", (), to, (), (0, 0), "")
    show = HandShow(1, line, (line,), is_last=False, has_company=False, waits_for=())
    assert ("is-handless" in felt_of(board, game, show=show, below="").partition(">")[0]) == is_handless


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("more", "is_named"),
    [
        ({"lines": [AbsenceLine("Bob", "a club bot plays on", NOON)]}, True),
        ({"claim": "Claim the game", "gone": "Bob"}, True),
        ({}, False),
    ],
)
def test_a_felt_names_who_is_missing_only_if_something_follows(more, is_named):
    absence = Absence([AbsentPlayer("Bob", "Bob is not connected.")], **more)
    html = felt_of(
        board_of(casino_after(0), 0), engines.get("casino"), absence=absence, table=Table(code="abc"), now=NOON
    )
    assert ('<div class="away">' in html, '<div class="away" hidden>' in html) == (is_named, not is_named)


def test_a_plate_says_whether_it_has_a_clock():
    plate = Plate(1, "Dot", Remark(), "", 3, False, False, ())
    assert 'class="plate"' in draw_part("players", "player_plate", plate, True)
    assert 'class="plate has-clock"' in draw_part("players", "player_plate", plate._replace(clock=Face("4:59")), True)
