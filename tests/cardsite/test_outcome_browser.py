"""What came of a form is read out on the page that answers it."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

pytestmark = pytest.mark.django_db


@pytest.fixture
def said(page):
    return page.locator("#announce")


@pytest.fixture
def send(page, live_url):
    """`send("login", "alice", "secret")`: fills in the form at this address of the accounts, and sends it by Enter."""

    def send_form(address, name, password):
        page.goto(live_url + reverse(f"accounts:{address}"))
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill(password)
        page.keyboard.press("Enter")

    return send_form


def test_a_wrong_password_is_read_out(send, said):
    send("login", "alice", "wrong")
    expect(said).to_have_text("The name or the password is wrong. Please try again.")


def test_the_error_of_a_field_is_read_out_with_its_label(send, said):
    send("sign-up", "alice", "12345678")
    expect(said).to_contain_text("Password: This password is too common.")


def test_a_message_is_read_out(page, live_url, send, said):
    page.goto(live_url + reverse("accounts:sign-up"))
    expect(said).to_be_empty()
    send("sign-up", "newcomer", "kq9-violet-Tram")
    expect(said).to_have_text("Your account is ready, newcomer.")
