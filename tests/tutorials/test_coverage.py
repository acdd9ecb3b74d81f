"""Every rule of the sources is kept by rules that exist, tests that pin them and lessons that teach them."""

import re
from html import unescape

import pytest
from django.core.management import call_command

from tests.pages import page_html
from tests.rule_marks import pinned_rules
from tutorials.content import coverage, library
from tutorials.content.seedfile import SeedError

STATEMENTS = {"S000": 43, "S001": 70, "S002": 69, "S003": 99, "S004": 71}


def test_every_statement_of_the_sources_is_listed_once():
    ids = [statement.id for listed in coverage.source_statements().values() for statement in listed]
    assert len(ids) == len(set(ids))
    assert {source: sum(id.startswith(source) for id in ids) for source in STATEMENTS} == STATEMENTS


def test_every_rule_among_the_statements_is_in_a_book():
    assert list(map(str, coverage.coverage_problems(coverage.source_statements()))) == []


@pytest.mark.parametrize("slug", library.games_with("lessons.yaml"))
def test_every_rule_of_the_sources_is_tested_and_taught(slug: str):
    found = next(found for found in coverage.coverage_of_all_games() if found.game.slug == slug)
    assert found.rules
    assert found.gaps == []


def test_the_tests_it_finds_are_tests_that_pytest_finds():
    pinned = pinned_rules()
    assert coverage.pinning_tests()
    assert coverage.pinning_tests().keys() <= pinned


def test_a_statement_with_an_unknown_rule_is_refused():
    wrong = {"casino": (coverage.SourceStatement("S001-02", "rule", "Two play.", ("no-such-rule",)),)}
    assert [problem.place for problem in coverage.coverage_problems(wrong)] == ["seeds/coverage.yaml, casino, S001-02"]


@pytest.mark.parametrize(
    "entry", [{}, {"rule": "Two play."}, {"note": "Old.", "by": ["players"]}, {"rule": "A", "note": "B", "by": ["c"]}]
)
def test_a_statement_is_of_one_kind_and_only_rules_are_carried(entry: dict):
    with pytest.raises(SeedError):
        list(coverage._statements("casino", {"S001-01": entry}))


def test_the_command_prints_a_game(capsys: pytest.CaptureFixture):
    call_command("coverage", game="casino")
    printed = capsys.readouterr().out
    assert "S001-30 rule: The builder keeps a card of that number." in printed
    assert "build-hold: " in printed


def test_the_page_leads_from_a_statement_to_its_rule_and_lesson(client):
    page = page_html(client.get("/rules/coverage/"))
    assert 'id="S001-30"' in page
    assert "/rules/casino/#build-hold" in page
    assert "/learn/casino/" in page


@pytest.mark.only_on("sqlite")
@pytest.mark.django_db
def test_where_an_added_rule_is_from_is_on_the_page_of_sources_and_not_in_the_book(client):
    assert "pagat" not in page_html(client.get("/rules/gin-rummy/"))
    listed = page_html(client.get("/rules/coverage/"))
    assert re.search(r'href="/rules/gin-rummy/#meld-set">[\d.]+ meld-set</a>: added .* \(pagat\)', listed)


@pytest.mark.parametrize("slug", library.games_with("rules.md"))
@pytest.mark.only_on("sqlite")
@pytest.mark.django_db
def test_every_column_of_a_rule_book_has_a_header(client, slug):
    assert not re.search(r"<th[^>]*>\s*</th>", client.get(f"/rules/{slug}/").content.decode())


@pytest.mark.only_on("sqlite")
@pytest.mark.django_db
def test_every_rule_has_its_origin_and_reasons_on_the_page_of_sources(client):
    page = page_html(client.get("/rules/coverage/"))
    for slug, book in library.load_rule_books().items():
        for rule in (*book.rules, *book.options):
            entry = page.partition(f'<li id="{slug}-{rule.anchor}">')[2].partition("</li>\n")[0]
            assert f'href="/rules/{slug}/#{rule.anchor}"' in entry
            assert rule.origin_text in unescape(entry)
            for ruling in rule.rulings:
                assert words(ruling.why) in words(entry)


@pytest.mark.parametrize("slug", library.games_with("rules.md"))
@pytest.mark.only_on("sqlite")
@pytest.mark.django_db
def test_a_rule_book_leads_to_the_reasons_and_does_not_print_them(client, slug):
    page = page_html(client.get(f"/rules/{slug}/"))
    linked = set(re.findall(rf'href="/rules/coverage/#{slug}-([^"]+)"', page))
    book = library.load_rule_book(slug)
    assert linked == {
        rule.anchor for rule in (*book.rules, *book.options) if rule.rulings or rule.origin in ("completed", "derived")
    }
    for rule in book.rules:
        for ruling in rule.rulings:
            assert words(ruling.decision) in words(page)
            assert words(ruling.why) not in words(page)


def words(html: str) -> str:
    """The letters of a text without tags and cards, which pages draw in their signs."""
    text = unescape(re.sub(r"<[^>]+>", " ", html))
    return re.sub(r"\W+", "", re.sub(r"[A-Z0-9]?[♠♥♦♣]\ufe0e?|\b[2-9TJQKA][CDHS]\b", "", text))
