"""Looking for a game, as a browser sees it."""

import re

import pytest
from playwright.sync_api import expect

from games import services
from games.models import Seek, Table
from games.presentation.verification import contribution_of
from tests.pages import page_html

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]


def wanted(**changes):
    return {"game": "gin-rummy", "wishes_of": "gin-rummy", "paces": ["standard"], "seats": ["2"], **changes}


@pytest.fixture
def looking(person, as_user):
    """`looking("alice", ...)`: her browser, after she pressed the button, and the answer."""

    def press(name, **changes):
        browser = as_user(person(name))
        return browser, browser.post("/play/seek/", wanted(**changes))

    return press


def test_a_guest_presses_one_button_and_waits(client):
    html = page_html(client.get("/play/"))
    form = html[html.index('action="/play/seek/"') :]
    assert 'value="standard" checked' in form
    assert 'name="is_rated"' not in form and "won't be rated" in form
    answer = client.post("/play/seek/", wanted(shuffles="1"), follow=True)
    assert answer.redirect_chain == [("/play/seek/", 302)]
    assert "Looking for a game of Gin Rummy" in page_html(answer)
    own = Seek.objects.get()
    assert (own.shuffles, own.is_rated, own.waits_unseen) == (True, False, False)


def test_the_page_of_whoever_waits_goes_to_the_table_by_itself(looking):
    alice, _ = looking("alice")
    assert "No one else is waiting" in page_html(alice.get("/play/seek/state/"))
    _, answer = looking("bob")
    table = Table.objects.get()
    assert answer.url == table.get_absolute_url()
    assert alice.get("/play/seek/state/").headers["HX-Redirect"] == table.get_absolute_url()
    assert alice.get("/play/seek/").url == table.get_absolute_url()


def test_the_waiting_page_says_how_many_fit_together(looking):
    looking("alice", game="push")
    bob, _ = looking("bob", game="push")
    carol, _ = looking("carol", game="push", paces=["calm"])
    assert "1 matching player waiting. The game starts when you are 4." in page_html(bob.get("/play/seek/"))
    assert "2 other players waiting for Push, with other settings." in page_html(carol.get("/play/seek/"))


def test_the_browser_remembers_what_was_wished(looking):
    alice, _ = looking("alice", **{"paces": ["quick", "calm"], "option-target": "50", "is_rated": "yes"})
    html = page_html(alice.get("/play/"))
    assert re.search(r'value="gin-rummy" selected', html)
    assert re.search(r'value="quick" checked', html) and not re.search(r'value="standard" checked', html)
    assert re.search(r'<option value="50" selected', html)
    assert re.search(r'name="is_rated" value="yes" checked', html)
    assert 'value="50" selected' not in page_html(alice.get("/play/seek/wishes/?game=sixty-six"))


def test_any_number_of_a_range_is_wished_and_remembered(looking, client):
    piquet = {"game": "piquet", "wishes_of": "piquet", "option-target": "other"}
    _, answer = looking("alice", **piquet, **{"option-target_number": "49"})
    assert answer.status_code == 422
    assert re.search(r'<details class="fold" open>\s*<summary>More options', page_html(answer))
    assert "Enter a number from 50 to 500." in page_html(answer)
    alice, _ = looking("alice", **piquet, **{"option-target_number": "133"})
    assert Seek.objects.get().options == {"target": 133}
    assert "Target: 133" in page_html(client.get("/play/"))
    html = page_html(alice.get("/play/"))
    assert re.search(r'<option value="other" selected', html)
    assert re.search(r'name="option-target_number" value="133"', html)


def test_wishes_for_another_game_do_not_count(looking):
    looking("alice", **{"game": "casino", "option-target": "50"})
    own = Seek.objects.get()
    assert (own.game, own.options, own.seats) == ("casino", {}, [2, 3, 4])


def test_options_leave_only_the_tables_that_they_fit(looking):
    casino = {"game": "casino", "wishes_of": "casino", "seats": ["2", "4"]}
    looking("alice", **casino, **{"option-partners": "True"})
    assert Seek.objects.get().seats == [4]
    _, answer = looking("bob", **{**casino, "seats": ["2"]}, **{"option-partners": "True"})
    assert answer.status_code == 422
    assert "work with the seats you chose" in page_html(answer)


@pytest.mark.parametrize("paces", [[], ["standard", "days-1"]])
def test_clocks_that_cannot_be_are_refused_on_the_form(looking, paces):
    _, answer = looking("alice", paces=paces)
    assert answer.status_code == 422
    assert not Seek.objects.exists()


def test_the_lobby_lists_who_looks_and_one_click_sits_down(looking, client):
    looking("alice", **{"option-target": "50"})
    html = page_html(client.get("/play/"))
    assert "Target: 50" in html and "5 minutes + 10 seconds a turn" in html
    join = re.search(r'action="(/play/seek/\d+/join/)"', html)[1]
    table = Table.objects.get(code=client.post(join).url.split("/")[2])
    assert (table.status, table.options["target"]) == (Table.Status.RUNNING, 50)


def test_what_a_guest_cannot_play_has_no_button(looking, client):
    looking("alice", is_rated="yes")
    html = page_html(client.get("/play/"))
    assert "alice" in html and "/join/" not in html
    answer = client.post(f"/play/seek/{Seek.objects.get().pk}/join/", follow=True)
    assert "match what this player is looking for" in page_html(answer)
    assert not Table.objects.exists()


def test_other_pages_lead_back_to_the_waiting_page(looking):
    alice, _ = looking("alice")
    for path in ("/games/", "/play/"):
        assert '<a class="own-game" href="/play/seek/">Looking for a game' in page_html(alice.get(path))
    assert 'href="/play/">Change settings' in page_html(alice.get("/play/seek/"))
    alice.post("/play/seek/stop/")
    assert "Looking for a game" not in page_html(alice.get("/games/"))
    assert alice.get("/play/seek/").url == "/play/"


def test_who_closes_the_page_is_not_seated(looking):
    alice, _ = looking("alice")
    assert alice.post("/play/seek/away/").status_code == 204
    _, answer = looking("bob")
    assert answer.url == "/play/seek/"


def test_a_public_table_begins_with_who_is_looking(looking, person, as_user):
    looking("alice")
    form = {"company": "anyone", "level": "club", "seats": "2", "pace": "standard", "option-target": "100"}
    answer = as_user(person("bob")).post("/games/gin-rummy/", form)
    table = Table.objects.get()
    assert (answer.url, table.status) == (table.get_absolute_url(), Table.Status.RUNNING)


def test_two_people_press_find_an_opponent_and_meet_at_one_table(live_url, new_context, axe):
    alice, bob = new_context().new_page(), new_context(viewport={"width": 360, "height": 740}).new_page()
    for page in (alice, bob):
        page.goto(f"{live_url}/play/")
        page.select_option("#id_game", "gin-rummy")
        page.wait_for_selector("[name=wishes_of][value=gin-rummy]", state="attached")
    axe(bob)
    alice.get_by_role("button", name="Find an opponent").click()
    alice.wait_for_url("**/play/seek/")
    axe(alice)
    bob.locator("#tables").get_by_role("button", name="Play Gin Rummy with Guest").wait_for()
    bob.get_by_role("button", name="Find an opponent").click()
    bob.wait_for_selector(".hand")
    alice.wait_for_selector(".hand")
    assert alice.url == bob.url
    assert [contribution_of(seat) for seat in Table.objects.get().seats.all()] == ["browser", "browser"]


def test_a_click_is_not_lost_when_the_list_changes_under_it(live_url, new_context, person):
    first = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None)
    page = new_context().new_page()
    page.goto(f"{live_url}/play/")
    page.get_by_role("link", name="Sit down").hover()
    page.mouse.down()
    with page.expect_response("**/play/tables/"):
        services.open_and_sit(user=person("bob"), game="casino", seats=2, options=None)
    page.wait_for_function("() => htmx.findAll('.htmx-request').length === 0")
    page.mouse.up()
    page.wait_for_url(f"**{first.get_absolute_url()}")
    page.goto(f"{live_url}/play/")
    expect(page.get_by_role("link", name="Sit down")).to_have_count(2)
    page.get_by_role("heading", name="Players waiting").hover()
    page.mouse.down()
    with page.expect_response("**/play/tables/"):
        services.open_and_sit(user=person("carol"), game="casino", seats=2, options=None)
    page.mouse.up()
    expect(page.get_by_role("link", name="Sit down")).to_have_count(3)


def test_a_list_goes_on_after_a_press_of_another_button_of_the_mouse(live_url, new_context, person):
    """Its menu takes the release to itself."""
    services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None)
    page = new_context().new_page()
    page.goto(f"{live_url}/play/")
    page.get_by_role("link", name="Sit down").hover()
    page.mouse.down(button="right")
    services.open_and_sit(user=person("bob"), game="casino", seats=2, options=None)
    expect(page.get_by_role("link", name="Sit down")).to_have_count(2)
