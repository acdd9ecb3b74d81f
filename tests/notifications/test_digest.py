"""The daily letter about the games that wait, and how long notices are kept."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from games.domain.clocks import PACES
from notifications import digest, email, services, tasks
from notifications.models import MailAddress, Notice

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("eager_tasks")]
DAYS = PACES["days-1"].fields


@pytest.fixture
def wanted(person):
    """`wanted("ann", turns="each")`: she gets letters."""

    def make(name: str, **more) -> MailAddress:
        chosen = {"user": person(name), "address": f"{name}@cards.example", "site": "https://cards.example", **more}
        return MailAddress.objects.create(**chosen)

    return make


def test_once_a_day_a_letter_lists_the_games_that_wait_with_the_time_left(wanted, table_of, let_pass):
    first = table_of("ann", "bob", **DAYS)
    other = table_of("ann", "cat", **DAYS, secret=bytes([1]) * 32)
    let_pass(other, 2.5 * 86_400)
    wanted("ann")
    tasks.tick()
    tasks.tick()
    [letter] = mail.outbox
    assert letter.subject == "It's your turn in 2 games"
    assert letter.body.startswith(
        f"Casino with cat: 35 hours left\nhttps://cards.example{other.get_absolute_url()}\n\n"
        f"Casino with bob: 3 days left\nhttps://cards.example{first.get_absolute_url()}\n\n"
    )
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    MailAddress.objects.update(daily_due_at=timezone.now())
    tasks.tick()
    assert len(mail.outbox) == 2, "the next day they still wait"


def test_a_time_zone_that_the_system_knows_no_longer_stops_no_letters(wanted, table_of):
    table_of("ann", "bob", **DAYS)
    table_of("cat", "dan", **DAYS, secret=bytes([1]) * 32)
    wanted("ann", time_zone="Mars/Olympus")
    wanted("cat")
    tasks.tick()
    assert sorted(letter.to for letter in mail.outbox) == [["ann@cards.example"], ["cat@cards.example"]]


def test_no_letter_comes_if_nothing_waits_or_none_is_wanted(wanted, table_of):
    table_of("ann", "bob", "cat", **DAYS)
    wanted("bob")
    wanted("ann", turns="never")
    tasks.tick()
    assert mail.outbox == []


@pytest.mark.parametrize(("turns", "count"), [("each", 1), ("daily", 0), ("never", 0)])
def test_a_letter_for_each_turn_goes_to_who_wants_that(wanted, table_of, turns, count):
    wanted("ann", turns=turns)
    table_of("ann", "bob", **DAYS)
    assert [letter.subject for letter in mail.outbox] == ["Your turn in Casino with bob."] * count


def test_other_letters_come_whatever_was_chosen_for_turns(wanted):
    to = wanted("ann", turns="never")
    services.notify(to.user, key="event:1", text="The cup starts now.", url="/")
    assert len(mail.outbox) == 1


@pytest.mark.parametrize(
    ("day", "at", "expected"),
    [
        ("2026-03-28", time(8), "2026-03-28T07:00"),
        ("2026-03-29", time(8), "2026-03-29T06:00"),  # the clocks of Vienna are put forward
        ("2026-03-29", time(2, 30), "2026-03-29T01:30"),  # 3:30, since 2:30 does not exist
        ("2026-10-25", time(2, 30), "2026-10-25T00:30"),  # the first of two
        ("2026-10-26", time(8), "2026-10-26T07:00"),
    ],
)
def test_the_letter_comes_at_the_time_that_the_clocks_of_the_person_show(wanted, day, at, expected):
    to = wanted("ann", daily_at=at, time_zone="Europe/Vienna")
    before = datetime.fromisoformat(f"{day}T00:00").replace(tzinfo=UTC) - timedelta(hours=1)
    assert to.next_daily(after=before) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


def test_a_time_that_comes_twice_brings_one_letter(wanted):
    to = wanted("ann", daily_at=time(2, 30), time_zone="Europe/Vienna")
    first = to.next_daily(after=datetime(2026, 10, 24, 23, tzinfo=UTC))
    assert to.next_daily(after=first) == datetime(2026, 10, 26, 1, 30, tzinfo=UTC)


def test_the_choice_is_made_on_the_page_and_counts_from_then_on(wanted, person, as_user):
    wanted("ann")
    data = {"turns": "daily", "daily_at": "18:15", "time_zone": "Pacific/Apia"}
    assert as_user(person("ann")).post("/notices/mail/turns/", data).url == "/notices/settings/"
    to = MailAddress.objects.get()
    assert (to.turns, to.daily_at, to.time_zone) == ("daily", time(18, 15), "Pacific/Apia")
    assert timezone.now() < to.daily_due_at <= timezone.now() + timedelta(days=1)
    page = as_user(person("ann")).post("/notices/mail/turns/", data | {"time_zone": "Nowhere"})
    assert page.status_code == 422 and "Nowhere" in page.content.decode()
    assert as_user(person("bob")).post("/notices/mail/turns/", data).status_code == 404


def test_the_first_daily_letter_does_not_come_with_the_confirmation(person):
    email.confirm_address(email.AddressConfirmation(person("ann").pk, "ann@cards.example", "https://cards.example"))
    assert MailAddress.objects.get().daily_due_at > timezone.now()


def test_old_notices_are_forgotten_those_that_were_read_sooner(person):
    now = timezone.now()
    for key, age, is_read in (("new", 1, True), ("read", 31, True), ("unread", 31, False), ("old", 91, False)):
        then = now - timedelta(days=age)
        Notice.objects.create(
            user=person("ann"), key=key, text=".", url="/", created_at=then, read_at=then if is_read else None
        )
    digest.prune_notices(now=now)
    assert sorted(Notice.objects.values_list("key", flat=True)) == ["new", "unread"]
