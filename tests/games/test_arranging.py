"""Rearranging a table, with Vatican."""

import re

import pytest
from django.urls import reverse

from games import engines
from games.forms.board_input import judged
from games.models import Move, Table
from games.record import replay
from tests.pages import page_html

VATICAN = engines.get("vatican")
POSITION = {
    "seats": 2,
    "to_move": 0,
    "table": {"1": "7C1+7D1+7H1+7S2", "2": "9C1+9D1+9H1"},
    "hands": {"0": "5S1 6S1 QH1", "1": "2C1 3C1 4C1"},
    "opened": [True, True],
    "stock_count": 20,
}


def check(text):
    return judged(VATICAN, VATICAN.load(POSITION), 0, text)


def test_a_table_that_fits_may_be_played():
    answer = check("7D1 7C1 7H1 / 9C1 9D1 9H1 / 7S2 5S1 6S1")
    assert answer["ok"]
    assert [meld["ok"] for meld in answer["melds"]] == [True, True, True]
    assert answer["melds"][2]["cards"] == ["5S1", "6S1", "7S2"]


def test_a_meld_that_does_not_hold_is_named_and_the_others_are_not():
    answer = check("7C1 7D1 7H1 7S2 / 9C1 9D1 9H1 / 5S1 6S1")
    assert not answer["ok"]
    assert [meld["ok"] for meld in answer["melds"]] == [True, True, False]
    assert answer["melds"][2]["say"] == answer["say"] != ""


def test_a_verdict_leads_to_the_rule_that_is_broken():
    assert check("7C1 7D1 7H1 7S2 / 9C1 9D1 9H1 / 5S1 6S1")["rule"] == "/rules/vatican/#meld-size"
    assert check("7C1 7D1 7H1 7S2 / 9C1 9D1 9H1")["rule"] == "/rules/vatican/#play-at-least-one"
    assert check("7D1 7C1 7H1 / 9C1 9D1 9H1 / 7S2 5S1 6S1")["rule"] == ""


def test_a_table_where_nothing_was_played_is_refused_as_a_whole():
    answer = check("7C1 7D1 7H1 7S2 / 9C1 9D1 9H1")
    assert not answer["ok"]
    assert answer["say"]
    assert all(meld["ok"] for meld in answer["melds"])


def test_cards_of_other_people_are_refused():
    answer = check("7C1 7D1 7H1 7S2 / 9C1 9D1 9H1 / 2C1 3C1 4C1")
    assert not answer["ok"]
    assert answer["say"]


def test_a_verdict_shows_cards_as_signs():
    answer = check("7C1 7D1 7H1 7S2 / 9C1 9D1 9H1 / 5S1 6S1 QH1")
    assert re.search(r"[♠♥]", answer["say"])
    assert not re.search(r"[5-9TQ][SH]\d", answer["say"] + answer["melds"][2]["say"])


def test_a_joker_that_is_left_out_has_to_stay_on_the_table():
    position = {**POSITION, "table": {"1": "7C1+7D1+7H1+XB", "2": "9C1+9D1+9H1"}}
    answer = judged(VATICAN, VATICAN.load(position), 0, "7C1 7D1 7H1 / 9C1 9D1 9H1")
    assert not answer["ok"]
    assert answer["rule"] == "/rules/vatican/#table-stays"


def test_nonsense_is_answered_with_a_sentence():
    assert check("hello / 99")["ok"] is False


@pytest.mark.django_db
class TestPages:
    @pytest.fixture
    def table(self, table_of):
        return table_of("alice", "bob", game="vatican")

    def opening(self, table):
        """A run that the seat to move can lay, found after drawing cards until there is one."""
        for _ in range(60):
            table = Table.objects.with_seats().get(pk=table.pk)
            state = replay.state_of(table)
            plays = [move for move in map(str, state.legal_moves(state.to_act[0])) if move.startswith("P")]
            if plays:
                return table, state.to_act[0], re.findall(r"X[BR]|\w\w\d", plays[0])
            self.draw(table, state.to_act[0])
        raise AssertionError("nobody ever held a run")

    def draw(self, table, seat):
        from games import services

        services.play_move(table_id=table.pk, seat=seat, text="D", version=table.version)

    def test_the_workbench_sends_the_table_and_plays_it(self, table, person, as_user):
        table, seat, cards = self.opening(table)
        browser = as_user(person(("alice", "bob")[seat]))
        html = page_html(browser.get(table.get_absolute_url()))
        assert "data-workbench" in html
        answer = browser.get(reverse("games:check", args=[table.code]), {"text": " ".join(cards)}).json()
        assert answer["ok"]
        browser.post(
            reverse("games:move", args=[table.code]),
            {"version": table.version, "text": " ".join(cards), "is_arrangement": "1"},
        )
        assert Move.objects.last().text.startswith("P")

    def test_who_must_play_and_has_no_hint_may_see_the_legal_plays(self, table, table_of, person, as_user):
        def page_of(table):
            table, seat, _ = self.opening(table)
            return page_html(as_user(person(("alice", "bob")[seat])).get(table.get_absolute_url()))

        assert "Show legal plays" in page_of(table_of("alice", "bob", game="shanghai", secret=bytes([1]) * 32))
        assert "Show legal plays" not in page_of(table)  # may draw

    def test_without_script_the_known_plays_and_the_notation_work(self, table, person, as_user):
        table, seat, cards = self.opening(table)
        html = page_html(as_user(person(("alice", "bob")[seat])).get(table.get_absolute_url()))
        plain = html[html.index('class="no-js"') :]
        assert 'id="move-text"' in plain
        assert re.search(r'name="text" value="P [^"]+"', plain)

    def test_without_script_a_refused_play_is_there_again_to_be_corrected(self, table, person, as_user):
        seat = replay.state_of(table).to_act[0]
        sent = {"version": table.version, "text": 'P > 4H1-5H1 "'}
        address = reverse("games:move", args=[table.code])
        refused = as_user(person(("alice", "bob")[seat])).post(address, sent)
        assert refused.status_code == 422
        assert 'name="text" value="P &gt; 4H1-5H1 &#34;"' in page_html(refused)

    def test_without_script_one_asks_why_some_cards_are_no_play(self, table, person, as_user):
        seat = replay.state_of(table).to_act[0]
        browser = as_user(person(("alice", "bob")[seat]))
        address = reverse("games:why", args=[table.code])
        assert f'<p class="small no-js"><a href="{address}">' in page_html(browser.get(table.get_absolute_url()))
        card = replay.state_of(table).view(seat).hand[0]
        assert f'value="{card}"' in page_html(browser.get(address))
        assert "/rules/vatican/#" in page_html(browser.get(address, {"pick": card}))

    def test_only_whoever_sits_there_may_ask_for_a_check(self, table, person, as_user):
        address = reverse("games:check", args=[table.code])
        assert as_user(person("carol")).get(address, {"text": "4C1"}).status_code == 403
