"""A forgotten password."""

import re

import pytest
from django.core import mail
from django.test import Client

from accounts import services
from accounts.models import User
from tests.pages import page_html

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("eager_tasks")]

ADDRESS = "ann@cards.example"
OLD, NEW = "a long enough one", "quite another one"
LATER_SECONDS = 24 * 60 * 60 + 1


@pytest.fixture
def ann():
    return services.sign_up(username="ann", password=OLD, email=ADDRESS)


def ask(address, browser=None):
    return (browser or Client()).post("/accounts/forgotten/", {"address": address}, follow=True)


def link():
    """The path in the last letter."""
    return re.search(r"https?://[^/\s]+(/\S+)", mail.outbox[-1].body)[1]


def choose(browser, path, password=NEW, again=NEW):
    """Opens the link, and sends the form of the page that it leads to."""
    page = browser.get(path, follow=True)
    at = page.redirect_chain[-1][0] if page.redirect_chain else path
    return browser.post(at, {"new_password1": password, "new_password2": again}, follow=True)


def is_logged_in(browser):
    return browser.get("/accounts/").status_code == 200


def test_a_letter_leads_to_a_new_password_and_logs_in(ann):
    page = ask(ADDRESS.upper())
    assert "e-mailed it a link" in page_html(page)
    assert mail.outbox[0].to == [ADDRESS] and "password for ann" in mail.outbox[0].body
    browser = Client()
    assert "Set a new password for ann" in page_html(browser.get(link(), follow=True))
    assert "Your new password is saved." in page_html(choose(browser, link()))
    ann.refresh_from_db()
    assert ann.check_password(NEW) and is_logged_in(browser)


def test_the_owner_hears_of_a_new_password(ann, django_capture_on_commit_callbacks):
    ask(ADDRESS)
    with django_capture_on_commit_callbacks(execute=True):
        choose(Client(), link())
    assert "has changed: Password changed." in mail.outbox[-1].body
    assert mail.outbox[-1].to == [ADDRESS]


def test_the_answer_does_not_tell_whether_an_address_is_known(ann):
    known, unknown = (ask(address) for address in (ADDRESS, "bob@cards.example"))
    said = re.search('class="notice success">(.*?)<', page_html(known))[1]
    assert said.replace(ADDRESS, "bob@cards.example") in page_html(unknown)
    assert known.redirect_chain == unknown.redirect_chain
    assert len(mail.outbox) == 1


def test_who_cannot_log_in_by_a_password_gets_no_letter(ann):
    ann.is_active = False
    ann.save()
    User.objects.create_superuser("admin", email=ADDRESS, password=None)
    ask(ADDRESS)
    assert mail.outbox == []


def test_a_link_works_once(ann):
    ask(ADDRESS)
    path = link()
    choose(Client(), path)
    page = page_html(choose(Client(), path, "yet another one 3", "yet another one 3"))
    assert "This link no longer works" in page
    assert User.objects.get().check_password(NEW)


def test_a_link_is_good_for_a_day(ann, settings):
    ask(ADDRESS)
    settings.PASSWORD_RESET_TIMEOUT -= LATER_SECONDS
    assert "This link no longer works" in page_html(Client().get(link(), follow=True))


@pytest.mark.parametrize(("password", "again"), [("12345678", "12345678"), (NEW, OLD), ("", "")])
def test_a_weak_or_mistyped_password_changes_nothing(ann, password, again):
    ask(ADDRESS)
    page = choose(Client(), link(), password, again)
    assert "errorlist" in page_html(page)
    assert User.objects.get().check_password(OLD)


def test_a_new_password_ends_the_sessions_of_the_old_one(ann):
    thief = Client()
    thief.post("/accounts/login/", {"username": "ann", "password": OLD})
    assert is_logged_in(thief)
    ask(ADDRESS)
    choose(Client(), link())
    assert not is_logged_in(thief)


def test_an_address_gets_three_letters_in_an_hour(ann):
    answers = {ask(ADDRESS).status_code for _ in range(5)}
    assert answers == {200} and len(mail.outbox) == 3


def test_the_own_page_says_that_no_letter_could_come(ann, as_user):
    warning = "so you can't reset your password"
    assert warning not in page_html(as_user(ann).get("/accounts/"))
    ann.email = ""
    ann.save()
    assert warning in page_html(as_user(ann).get("/accounts/"))
