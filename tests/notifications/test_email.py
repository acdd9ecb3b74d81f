"""Notices by e-mail."""

import re

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from accounts.services import close_account
from notifications import email, services, tasks
from notifications.models import MailAddress, Notice

ADDRESS = "ann@cards.example"


@pytest.fixture
def wanted(ann) -> MailAddress:
    return MailAddress.objects.create(user=ann, address=ADDRESS, site="https://cards.example")


def path_in(letter: mail.EmailMessage) -> str:
    """The path of its last link."""
    return re.findall(r"https?://[^/\s]+(/\S+)", letter.body)[-1]


def test_an_address_is_used_once_the_link_in_a_letter_was_followed(as_ann, ann, eager_tasks):
    page = as_ann.post("/notices/mail/", {"address": ADDRESS}, follow=True)
    assert f"sent an e-mail to {ADDRESS}" in page.content.decode()
    [letter] = mail.outbox
    assert letter.to == [ADDRESS]
    assert not MailAddress.objects.exists()
    stranger = Client()  # the letter may be read in another browser
    assert "Turn on e-mails" in stranger.get(path_in(letter)).content.decode()
    assert not MailAddress.objects.exists(), "programs that look into letters only get the page"
    stranger.post(path_in(letter))
    found = MailAddress.objects.get()
    ann.refresh_from_db()
    assert (found.user, found.address, found.site, ann.email) == (ann, ADDRESS, "http://testserver", ADDRESS)


def test_a_damaged_or_old_link_confirms_nothing(client, ann, monkeypatch):
    email.send_confirmation_email(email.AddressConfirmation(ann.pk, ADDRESS, "https://cards.example"))
    path = path_in(mail.outbox[0])
    assert "expired" in client.post(path[:-2] + "x/").content.decode()
    monkeypatch.setattr(email, "CONFIRM_SECONDS", -1)
    expired = client.post(path).content.decode()
    assert "expired" in expired
    assert '<a href="/notices/settings/">Send a new link</a>' in expired
    assert not MailAddress.objects.exists()


def test_a_link_confirms_an_address_once(client, ann):
    other = "ann@elsewhere.example"
    for address in (ADDRESS, other):
        email.send_confirmation_email(email.AddressConfirmation(ann.pk, address, "https://cards.example"))
    first, second = (path_in(letter) for letter in mail.outbox[-2:])
    for path in (first, second):
        assert "Send notifications to" in client.get(path).content.decode()
        done = client.post(path).content.decode()
        assert "You'll get notifications at" in done
        assert '<a href="/notices/settings/">Choose what we e-mail you</a>' in done
    for answer in (client.get(first), client.post(first)):
        assert "You have used this link already" in answer.content.decode()
        assert '<a href="/notices/settings/">See which address is confirmed</a>' in answer.content.decode()
    ann.refresh_from_db()
    assert (ann.email, MailAddress.objects.get().address) == (other, other)


def test_a_closed_account_gets_no_address_by_a_link_that_it_still_has(client, ann):
    email.send_confirmation_email(email.AddressConfirmation(ann.pk, ADDRESS, "https://cards.example"))
    close_account(user=ann)
    assert "expired" in client.post(path_in(mail.outbox[0])).content.decode()
    ann.refresh_from_db()
    assert (ann.email, MailAddress.objects.count()) == ("", 0)


def test_a_guest_gets_no_letters(client, db):
    client.force_login(User.objects.create(username="Guest 1", is_guest=True))
    assert client.post("/notices/mail/", {"address": ADDRESS}).status_code == 422
    assert mail.outbox == []


def test_one_account_cannot_have_many_letters_sent(as_ann, eager_tasks):
    codes = [as_ann.post("/notices/mail/", {"address": f"p{number}@cards.example"}).status_code for number in range(6)]
    assert codes == [302] * 5 + [429]
    assert len(mail.outbox) == 5


def test_a_letter_says_what_is_new_where_and_how_to_stop_it(ann, wanted):
    notice = Notice.objects.create(user=ann, key="1", text="The cup starts now.", url="/tournaments/1/")
    tasks.mail_notice(notice.pk)
    [letter] = mail.outbox
    assert letter.subject == "The cup starts now."
    assert "https://cards.example/tournaments/1/\n" in letter.body
    assert letter.extra_headers["List-Unsubscribe"] == f"<https://cards.example{path_in(letter)}>"


def test_a_notice_of_several_lines_has_a_subject_of_one(ann, wanted):
    notice = Notice.objects.create(user=ann, key="1", text="Cup: a new room.\r\nBring a pen.", url="/tournaments/1/")
    tasks.mail_notice(notice.pk)
    [letter] = mail.outbox
    assert letter.subject == "Cup: a new room. Bring a pen."
    assert "a new room.\r\nBring a pen." in letter.body


def test_a_damaged_link_to_unsubscribe_says_so_and_what_to_do(client, ann, wanted):
    tasks.mail_notice(Notice.objects.create(user=ann, key="1", text="Now.", url="/").pk)
    path = path_in(mail.outbox[0])[:-3] + "x/"
    for page in (client.get(path), client.post(path)):
        assert "This link is incomplete" in page.content.decode()
        assert 'href="/notices/settings/"' in page.content.decode()
    assert MailAddress.objects.exists()


def test_a_letter_names_the_account_and_has_a_short_subject(ann, wanted):
    tasks.mail_notice(Notice.objects.create(user=ann, key="1", text="word " * 60, url="/").pk)
    [letter] = mail.outbox
    assert len(letter.subject) <= email.LONGEST_SUBJECT and letter.subject.endswith("…")
    assert "word " * 60 in letter.body
    assert "ann, you get these e-mails because you turned them on at Fourth Seat." in letter.body


def test_a_new_address_is_told_to_the_old_one(client, ann, eager_tasks, django_capture_on_commit_callbacks):
    User.objects.filter(pk=ann.pk).update(email="old@cards.example")
    for _ in range(2):  # the second time nothing changes
        email.send_confirmation_email(email.AddressConfirmation(ann.pk, ADDRESS, "https://cards.example"))
        with django_capture_on_commit_callbacks(execute=True):
            client.post(path_in(mail.outbox[-1]))
    [told] = [letter for letter in mail.outbox if letter.to == ["old@cards.example"]]
    assert f"The log-in of ann at Fourth Seat has changed: The e-mail address is now {ADDRESS}." in told.body


def test_the_first_letter_to_an_address_says_for_which_account(ann):
    email.send_confirmation_email(email.AddressConfirmation(ann.pk, ADDRESS, "https://cards.example"))
    assert "The player ann of Fourth Seat has asked us to use this address" in mail.outbox[0].body


def test_a_mail_program_stops_the_letters_without_a_login_or_a_token(ann, wanted):
    tasks.mail_notice(Notice.objects.create(user=ann, key="1", text="Now.", url="/").pk)
    browser = Client(enforce_csrf_checks=True)
    path = path_in(mail.outbox[0])
    browser.get(path)
    browser.post(path[:-3] + "x/", {"List-Unsubscribe": "One-Click"})
    assert MailAddress.objects.exists()
    browser.post(path, {"List-Unsubscribe": "One-Click"})
    assert not MailAddress.objects.exists()


def test_what_was_read_is_not_sent(ann, wanted):
    notice = Notice.objects.create(user=ann, key="1", text="Now.", url="/")
    services.mark_read(ann)
    tasks.mail_notice(notice.pk)
    assert mail.outbox == []


def test_telling_sends_a_letter_to_those_who_asked(ann, wanted, eager_tasks, django_capture_on_commit_callbacks):
    bob = User.objects.create(username="bob", email="bob@cards.example")
    with django_capture_on_commit_callbacks(execute=True):
        services.notify_all([ann, bob], key="1", text="Now.", url="/")
    assert [letter.to for letter in mail.outbox] == [[ADDRESS]]


def test_letters_end_in_the_settings_too(as_ann, wanted):
    assert ADDRESS in as_ann.get("/notices/settings/").content.decode()
    as_ann.post("/notices/mail/end/")
    assert not MailAddress.objects.exists()


def test_the_html_of_a_letter_has_its_words_its_links_and_no_markup_of_others(ann, wanted):
    notice = Notice.objects.create(user=ann, key="1", text="Cup: <b>a room</b>.\nBring a pen.", url="/tournaments/1/")
    tasks.mail_notice(notice.pk)
    [letter] = mail.outbox
    [html] = [part.content for part in letter.alternatives if part.mimetype == "text/html"]
    assert "Cup: &lt;b&gt;a room&lt;/b&gt;.<br>Bring a pen." in html
    links = re.findall(r'href="([^"]+)"', html)
    assert links == ["https://cards.example/tournaments/1/", f"https://cards.example{path_in(letter)}"]
    assert "<img" not in html and "src=" not in html
