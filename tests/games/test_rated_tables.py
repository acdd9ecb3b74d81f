"""Games that people open as rated."""

import pytest
from django.test import Client

from accounts.services import make_guest
from games import services
from games.domain.clocks import PACES, Clock
from games.models import RatingChange, Table
from games.services import ratings
from tests.pages import page_html

pytestmark = pytest.mark.django_db


def open_rated(browser, **changes):
    data = {"company": "anyone", "level": "club", "seats": "2", "pace": "quick", "is_rated": "on", **changes}
    return browser.post("/games/casino/", data)


@pytest.fixture
def waiting(person):
    """A rated table with ann and a free seat."""
    return services.open_and_sit(
        user=person("ann"), game="casino", seats=2, options=None, move_seconds=45, is_rated=True
    )


def test_people_with_an_account_open_rated_tables(person, as_user):
    assert open_rated(as_user(person("ann"))).status_code == 302
    assert Table.objects.get().is_rated
    assert "<span>rated</span>" in page_html(Client().get("/play/"))


def test_a_table_is_not_rated_unless_one_wants_it(person, as_user):
    open_rated(as_user(person("ann")), is_rated="")
    assert not Table.objects.get().is_rated


def test_guests_cannot_open_rated_tables(client):
    open_rated(client)
    assert not Table.objects.get().is_rated


def test_with_bots_a_game_is_never_rated(person, as_user, house_bot):
    house_bot("Pip", level="club")
    open_rated(as_user(person("ann")), company="bots")
    assert not Table.objects.get().is_rated


def test_a_rated_game_needs_a_clock(person, as_user):
    answer = open_rated(as_user(person("ann")), pace="none")
    assert answer.status_code == 422
    assert "A rated game needs a clock." in page_html(answer)
    assert not Table.objects.exists()


def test_guests_are_asked_to_sign_up_instead_of_sitting_down(waiting, client):
    assert "Sign up to sit here" in page_html(client.get(waiting.get_absolute_url()))
    with pytest.raises(services.TableError, match="Sign up"):
        services.sit_down(table_id=waiting.pk, user=make_guest())
    assert waiting.seats.filter(user=None).count() == 1


def test_bots_cannot_sit_down_at_a_rated_table(waiting, house_bot, person, as_user):
    house_bot("Pip", level="club")
    assert "Add a bot" not in page_html(as_user(person("ann")).get(waiting.get_absolute_url()))
    with pytest.raises(services.TableError, match="bots can't play"):
        services.seat_bot(table_id=waiting.pk, level="club")
    assert waiting.seats.filter(user=None).count() == 1


def test_after_the_game_everybody_sees_what_it_did_to_the_ratings(table_of, play_on, client):
    table = play_on(table_of("ann", "bob", options={"target": 11}, is_rated=True))
    result, board = (f"/tables/{table.code}/{page}" for page in ("result/", "board/"))
    assert "The new ratings appear in a moment." in page_html(client.get(board))
    version = table.version
    ratings.rate_table(table_id=table.pk)
    table.refresh_from_db()
    assert table.version == version + 1  # open pages fetch the board again
    for change in RatingChange.objects.all():
        for page in (result, board):
            assert f"{change.after} ({change.signed})" in page_html(client.get(page))


def test_a_change_is_shown_with_its_sign():
    shown = [RatingChange(before=1500, after=after).signed for after in (1509, 1491, 1500)]
    assert shown == ["+9", "−9", "±0"]


def test_a_rematch_is_rated_if_the_game_was_and_all_may_play_rated_games(table_of, person):
    rated, unrated, with_guest = (
        table_of("ann", "bob", is_rated=is_rated, secret=bytes([number]) * 32)
        for number, is_rated in enumerate((True, False, True))
    )
    with_guest.seats.filter(number=1).update(user=make_guest())
    for table, expected in ((rated, True), (unrated, False), (with_guest, False)):
        services.resign(table_id=table.pk, user=person("ann"))
        assert services.join_rematch(table_id=table.pk, user=person("ann")).is_rated is expected


# Their clock


@pytest.mark.parametrize(("company", "clock"), [("anyone", (300, 10)), ("link", (300, 10)), ("bots", (0, 0))])
def test_the_usual_clock_is_for_people(company, clock, client, house_bot):
    house_bot("Ada", level="club")
    client.post("/games/casino/", {"company": company, "level": "club", "seats": "2", "pace": ""})
    table = Table.objects.get()
    assert (table.base_seconds, table.increment_seconds, table.move_seconds) == (*clock, None)


def test_a_table_may_have_a_clock_that_is_no_pace_of_ours(person, as_user):
    open_rated(as_user(person("ann")), pace="own", minutes="7", increment="3")
    assert Table.objects.get().clock == Clock(base=420, increment=3)


@pytest.mark.parametrize("minutes", ["", "0", "181"])
def test_a_clock_without_a_sensible_number_of_minutes_is_refused(person, as_user, minutes):
    answer = open_rated(as_user(person("ann")), pace="own", minutes=minutes)
    assert answer.status_code == 422 and not Table.objects.exists()


def test_the_minutes_count_only_where_one_asks_for_them(person, as_user):
    open_rated(as_user(person("ann")), minutes="7")
    assert Table.objects.get().clock == PACES["quick"].clock
