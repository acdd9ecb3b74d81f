"""Browsers that add to the shuffle, and check afterwards that they did."""

import pytest
from playwright.sync_api import expect

from games import services
from games.models import Table
from games.presentation.verification import contribution_of

ALARM = "NOT in the shuffle"
NEW_TOKEN = "n" * 32
OLDER = """() => localStorage.setItem("shuffles", JSON.stringify(Object.fromEntries(
    Array.from({ length: 200 }, (_, number) => [`older${number}`, { value: "ab" }])
)))"""
STORES_NOTHING = "Storage.prototype.setItem = () => { throw new DOMException('no room', 'QuotaExceededError'); }"


@pytest.fixture
def sit_together(live_url, new_context):
    """Two guests who meet by a link: their pages, at the first deal."""
    alice, bob = new_context().new_page(), new_context().new_page()
    alice.goto(f"{live_url}/games/casino/")
    alice.get_by_text("Friends: send them a link").click()
    alice.get_by_role("button", name="Sit down").click()
    expect(alice.locator("#board").get_by_role("link", name="provably fair")).to_be_visible()
    bob.goto(alice.locator("#invite").input_value())
    bob.get_by_role("button", name="Sit here").first.click()
    for page in (alice, bob):
        expect(page.locator(".hand .card")).to_have_count(4)
    return alice, bob


IS_REVEALED = """() => Object.values(JSON.parse(localStorage.getItem("shuffles"))).every(
    ({ sent }) => sent === "reveal"
)"""


def kept(page):
    return page.evaluate("Object.entries(JSON.parse(localStorage.getItem('shuffles')))")


def test_both_browsers_find_what_they_kept_in_the_shuffle(sit_together, transactional_db):
    table = Table.objects.with_seats().get()
    for page, seat in zip(sit_together, table.seats.all(), strict=True):
        page.wait_for_function(IS_REVEALED)  # the cards may come before the answer to the number
        [(seal, number)] = kept(page)
        assert (seal, number["value"], number["saw"]) == (table.commitment, seat.entropy, table.commitments)
        assert (contribution_of(seat), number["sent"]) == ("browser", "reveal")
    services.resign(table_id=table.pk, user=table.seats.first().user)
    for page, seat in zip(sit_together, table.seats.all(), strict=True):
        page.goto(page.url.split("?")[0] + "verify/")
        expect(page.locator("#own-number")).to_have_text(
            f"This browser added {seat.entropy}, and it is in the shuffle."
        )
        expect(page.locator("#own-options")).to_have_text(f" --mine {seat.entropy} --saw {table.commitments}")
        page.get_by_role("button", name="Check in this browser").click()
        expect(page.locator("#verified")).to_contain_text(
            "The secret fits its seal. Each number fits its commitment. The deal is as computed."
        )
        expect(page.locator("#verified")).to_contain_text("as drawn")


def test_a_rematch_has_a_seal_and_numbers_of_its_own(sit_together, transactional_db):
    first = Table.objects.get()
    services.resign(table_id=first.pk, user=first.seats.first().user)
    for page, name in zip(sit_together, ("Rematch", "Join the rematch"), strict=True):
        page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_url(lambda url: first.code not in url)
    second = Table.objects.with_seats().get(rematch_of=first)
    for page, seat in zip(sit_together, reversed(second.seats.all()), strict=True):
        expect(page.locator(".hand .card")).to_have_count(4)
        seat.refresh_from_db()
        (one, _), (two, number) = kept(page)
        assert (one, two) == (first.commitment, second.commitment)
        assert (contribution_of(seat), seat.entropy) == ("browser", number["value"])


def test_a_table_that_shuffles_and_its_page_of_the_deals_are_accessible(live_url, new_context, person, axe):
    table = services.open_and_sit(user=person("alice"), shuffles=True, game="casino", seats=2, options=None)
    page = new_context().new_page()
    page.goto(live_url + table.get_absolute_url())
    page.get_by_role("button", name="Sit here").click()
    expect(page.get_by_role("heading", name="Shuffling…")).to_be_visible()
    axe(page)
    page.goto(f"{live_url}{table.get_absolute_url()}verify/")
    expect(page.locator("#own-number")).to_contain_text("This browser made")
    axe(page)


def test_a_browser_sounds_the_alarm_if_its_number_or_what_it_saw_was_changed(sit_together, transactional_db):
    table = Table.objects.with_seats().get()
    alice, bob = sit_together
    services.resign(table_id=table.pk, user=table.seats.first().user)

    def swap(change):
        def lie(route):
            record = route.fetch().json()
            change(record["contributions"])
            route.fulfill(json=record)

        alice.unroute("**/deals.json")
        alice.route("**/deals.json", lie)
        alice.goto(f"{alice.url.split('/tables/')[0]}/tables/{table.code}/verify/")

    swap(lambda seats: seats[0].update(value="", how="not revealed"))
    expect(alice.locator("#own-number.error")).to_contain_text(ALARM)
    swap(lambda seats: seats[0].update(value="0" * 32, commitment="0" * 64))
    expect(alice.locator("#own-number.error")).to_contain_text(ALARM)
    swap(lambda seats: seats[1].update(commitment="0" * 64))
    expect(alice.locator("#own-number.error")).to_contain_text("NOT the ones it saw")
    alice.unroute("**/deals.json")
    alice.route("**/deals.json", lambda route: route.abort())
    alice.reload()
    expect(alice.locator("#own-number")).to_contain_text("could not be compared")
    swap(lambda seats: None)
    expect(alice.locator("#own-number")).to_contain_text("it is in the shuffle")


def test_a_lost_request_is_sent_again_and_a_reload_finds_the_number(live_url, new_context, house_bot):
    house_bot("Ada", level="club")
    page = new_context().new_page()
    lost = []

    def lose(route):
        lost.append(route.request.post_data)
        route.abort() if len(lost) < 2 else route.continue_()

    page.route("**/shuffle/", lose)
    page.goto(f"{live_url}/games/")
    page.get_by_role("button", name="Play Casino against a bot", exact=True).click()
    expect(page.locator(".hand .card")).to_have_count(4)
    assert len(lost) == 2
    assert contribution_of(Table.objects.get().seats.get(number=0)) == "browser"


def test_a_page_that_is_older_than_the_login_finds_the_new_token(live_url, new_context, house_bot):
    house_bot("Ada", level="club")
    context = new_context()
    page, tries = context.new_page(), []

    def log_in_elsewhere(route):
        """Requests are lost until one has the new token: an answer still under way may bring the old cookie back."""
        tries.append(route.request.headers["x-csrftoken"])
        if tries[-1] == NEW_TOKEN:
            route.continue_()
            return
        context.add_cookies([{"name": "csrftoken", "value": NEW_TOKEN, "url": live_url}])
        route.abort()

    page.route("**/shuffle/", log_in_elsewhere)
    page.goto(f"{live_url}/games/")
    page.get_by_role("button", name="Play Casino against a bot", exact=True).click()
    expect(page.locator(".hand .card")).to_have_count(4)
    assert tries[0] != tries[-1]


def test_a_browser_that_stores_nothing_adds_its_number_all_the_same(live_url, new_context, house_bot):
    house_bot("Ada", level="club")
    page = new_context().new_page()
    page.goto(f"{live_url}/games/")
    page.add_init_script(STORES_NOTHING)
    page.get_by_role("button", name="Play Casino against a bot", exact=True).click()
    expect(page.locator(".hand .card")).to_have_count(4)
    assert contribution_of(Table.objects.get().seats.get(number=0)) == "browser"


def test_a_reload_between_commitment_and_value_changes_nothing(live_url, new_context, person):
    page = new_context().new_page()
    page.goto(f"{live_url}/games/casino/?company=link")
    page.evaluate(OLDER)
    with page.expect_response("**/shuffle/"):
        page.get_by_role("button", name="Sit down").click()
    *older, (_, before) = kept(page)
    assert [seal for seal, _ in older] == [f"older{number}" for number in range(1, 200)]
    table = Table.objects.get()
    assert table.seats.get(number=0).commitment
    page.reload()
    services.sit_down(table_id=table.pk, user=person("bob"))
    expect(page.locator(".hand .card")).to_have_count(4)
    assert table.seats.get(number=0).entropy == before["value"]


def test_without_script_the_page_says_what_that_weakens(live_url, new_context, person):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_url}/games/casino/?company=link")
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text("the site made your number")).to_be_visible()
    table = Table.objects.get()
    services.sit_down(table_id=table.pk, user=person("bob"))
    page.reload()
    expect(page.locator(".hand .card")).to_have_count(4)
    page.goto(f"{live_url}/tables/{table.code}/verify/")
    expect(page.get_by_text("The shuffle is fair if the site or any other player is honest.")).to_be_visible()
