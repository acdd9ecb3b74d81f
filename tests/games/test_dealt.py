"""The page with the deals of a game, and what can be downloaded from it."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from games import engines, services
from games.core import deals
from games.core.cards import pack
from games.domain.heat_map import BANDS, LEFT, TOP, WIDTH, heat_map
from games.domain.shuffle_statistics import evenness
from games.models import DeckCounts, Seat, Table
from games.queries import deal_counts
from tests.pages import page_html
from tests.viewports import resize

pytestmark = pytest.mark.only_on("sqlite")
SCRIPT = settings.BASE_DIR / "games/static/games/count_decks.py"


@pytest.fixture
def over(db):
    """`over(60)`: so many tables that a director ended in their first deal, all counted."""

    def make(count, *, game="sixty-six", seats=2, status=Table.Status.FINISHED, seed=1):
        rng, rules = Random(f"{game} {seats} {seed}"), engines.get(game)
        for _ in range(count):
            secret = rng.randbytes(32)
            table = Table.objects.create(
                game=game,
                rules_version=rules.rules_version,
                options=rules.read_options(None, seats),
                seat_count=seats,
                first_dealer=seats - 1,
                secret=secret,
                commitment=deals.commitment(secret),
                status=status,
                ended_by=Table.EndedBy.DIRECTOR,
                started_at=timezone.now(),
            )
            Seat.objects.bulk_create(Seat(table=table, number=n, entropy=rng.randbytes(4).hex()) for n in range(seats))
            services.count_decks(table_id=table.pk)

    return make


@pytest.fixture
def get(client):
    """`get("dealt")`: what this address answers for Sixty-Six."""
    return lambda name, slug="sixty-six": client.get(reverse(f"games:{name}", args=[slug]))


@pytest.fixture(autouse=True)
def no_kept_pages():
    """Every test has a database of its own, with ids that others had before."""
    deal_counts._sheets.cache_clear()


async def text_of(response):
    return b"".join([part async for part in response.streaming_content]).decode()


def lines_of(response):
    return async_to_sync(text_of)(response).splitlines()


def test_before_the_first_game_there_is_nothing_to_tell(over, get):
    over(1, status=Table.Status.RUNNING)
    page = page_html(get("dealt"))
    assert "None yet" in page and "Chi-square measures" not in page
    assert get("dealt", "no-such-game").status_code == 404


def test_few_decks_are_not_judged(over, get):
    over(3)
    page = page_html(get("dealt"))
    assert "3 decks of finished games" in page and "Too few to judge yet" in page
    assert "heat-map" not in page and "counts.csv" not in page
    assert get("dealt-json").json()["packs"] == []
    assert len(get("dealt-csv").content.splitlines()) == 1


def test_many_decks_are_judged_by_place_hand_and_strength(over, get):
    over(60)
    page = page_html(get("dealt"))
    tests = get("dealt-json").json()["packs"][0]["tests"]
    assert [test["degrees_of_freedom"] for test in tests] == [23 * 23, 23 * 2, 1]
    for test in tests:
        assert test["test"] in page and f"{test['p']:.3f}" in page
    assert "its card points" in page and "Opponent of the dealer" in page and "heat-map" in page


def test_new_decks_change_the_page_at_once(over, get):
    over(50)
    assert "50 decks of 24 cards" in page_html(get("dealt"))
    over(1, seed=2)
    assert "51 decks of 24 cards" in page_html(get("dealt"))


def test_the_table_of_counts_has_every_card_once_in_every_deck(over, get):
    over(50)
    rows = list(csv.DictReader(get("dealt-csv").content.decode().splitlines()))
    assert len(rows) == 24 * 24
    for card in engines.get("sixty-six").deck({}):
        assert sum(int(row["count"]) for row in rows if row["card"] == card) == 50
    dealt_to = {row["dealt_to"] for row in rows if row["place_in_deck"] in ("1", "4", "13")}
    assert dealt_to == {"1", "2", ""}


def test_the_list_and_the_script_come_to_the_same_chi_square(over, get, tmp_path):
    """The script knows nothing of the site but the list."""
    over(50)
    over(10, game="casino")
    told = get("dealt-json").json()["packs"][0]["tests"][0]["chi_square"]
    saved = tmp_path / "decks.jsonl"
    saved.write_text("\n".join(lines_of(get("dealt-decks"))))
    run = subprocess.run([sys.executable, SCRIPT, saved], capture_output=True, text=True, check=True)
    assert f"50 decks of 24 cards: chi-square {told:.2f}, 529 degrees of freedom" in run.stdout
    assert "casino" not in run.stdout and "Every secret is the one that was promised." in run.stdout


def test_the_script_finds_a_secret_that_was_not_promised(over, get, tmp_path):
    over(2)
    first, second = map(json.loads, lines_of(get("dealt-decks")))
    saved = tmp_path / "decks.jsonl"
    saved.write_text(json.dumps(first) + "\n" + json.dumps(second | {"secret": "00" * 32}) + "\n")
    run = subprocess.run([sys.executable, SCRIPT, saved], capture_output=True, text=True)
    assert run.returncode == 1
    assert f"NOT PROMISED: ['{second['table']}']" in run.stdout


def test_the_secret_of_an_offered_deal_is_not_in_the_list(over, get):
    over(2)
    table = Table.objects.first()
    secret = bytes(table.secret).hex()
    assert secret in "\n".join(lines_of(get("dealt-decks")))
    Table.objects.filter(pk=table.pk).update(offers_deal=True)
    lines = lines_of(get("dealt-decks"))
    assert len(lines) == 2 and secret not in "\n".join(lines)


def test_packs_and_numbers_of_hands_have_sections_of_their_own(over, get):
    over(50, game="carousel", seats=2)
    over(50, game="carousel", seats=3, seed=2)
    over(50, game="carousel", seats=5, seed=3)
    page = page_html(get("dealt", "carousel"))
    assert "50 decks of 53 cards" in page and "100 decks of 106 cards" in page
    assert all(f"50 times {hands} hands of 10" in page for hands in (2, 3, 5))


def test_a_page_costs_few_queries(over, get, django_assert_max_num_queries):
    over(50)
    get("dealt")
    with django_assert_max_num_queries(2):
        get("dealt")


def test_counts_that_are_uneven_are_called_so(over, get):
    over(50)
    row = DeckCounts.objects.get()
    tally = row.tally
    tally.positions[0], tally.positions[1] = [50] + [0] * 23, [0, 50] + [0] * 22
    row.tally = tally
    row.save()
    assert evenness(tally.positions, [1] * 24).p < 0.001
    assert "<b>More uneven than chance alone explains.</b> A fair" in page_html(get("dealt"))


def test_the_page_is_accessible_and_fits_every_width(live_url, new_context, over, axe):
    over(50)
    page = new_context().new_page()
    page.goto(f"{live_url}/games/sixty-six/deals/")
    page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    for width in (360, 1280):
        resize(page, width, 800)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for table in page.locator(".table-wrap").all():
            assert table.evaluate("it => it.scrollWidth <= it.clientWidth"), table.get_attribute("aria-label")
    axe(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="decks.jsonl").click()
    assert len(Path(download.value.path()).read_text("utf-8").splitlines()) == 50


# The drawing


def test_a_band_runs_through_the_cells_that_are_so_far_off():
    deviations = [[0.0] * 52 for _ in range(52)]
    deviations[0][0], deviations[1][50:] = 2.5, [-3.1, -4]
    drawn = heat_map(pack(), deviations)
    assert dict(drawn.bands) == {"above": "M0 0.5h1", "far-below": "M50 1.5h2"}
    assert [sign[0] for _, sign in drawn.rows] == ["♣", "♦", "♥", "♠"]
    assert [label for _, label in drawn.columns] == [1, 10, 20, 30, 40, 50]
    assert drawn.height - TOP == pytest.approx(WIDTH - LEFT, abs=0.1)


def test_every_deviation_of_one_or_more_has_its_band():
    values = [[3.0, 2.9, 1.0, 0.9], [-3.0, -2.9, -1.0, -0.9], [0.0] * 4, [0.0] * 4]
    drawn = heat_map(("AC", "2C", "3C", "XB"), values)
    assert [name for name, _ in drawn.bands] == [name for name, _ in BANDS]
    assert [path for _, path in drawn.bands][:3] == ["M0 0.5h1", "M1 0.5h1", "M2 0.5h1"]
