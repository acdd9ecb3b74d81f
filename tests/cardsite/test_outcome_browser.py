"""What came of a form is read out on the page that answers it."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

pytestmark = pytest.mark.django_db


@pytest.fixture
def said(page):
    return page.locator("#announce")


def test_a_wrong_password_is_read_out(page, live_url, said):
    page.goto(live_url + reverse("accounts:login"))
    page.get_by_label("Name").fill("alice")
    page.get_by_label("Password").fill("wrong")
    page.keyboard.press("Enter")
    expect(said).to_have_text("The name or the password is wrong. Please try again.")


def test_the_error_of_a_field_is_read_out_with_its_label(page, live_url, said):
    page.goto(live_url + reverse("accounts:sign-up"))
    page.get_by_label("Name").fill("alice")
    page.get_by_label("Password").fill("12345678")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Password: This password is too common.")


def test_a_message_is_read_out(page, live_url, said):
    page.goto(live_url + reverse("accounts:sign-up"))
    expect(said).to_be_empty()
    page.get_by_label("Name").fill("newcomer")
    page.get_by_label("Password").fill("kq9-violet-Tram")
    page.keyboard.press("Enter")
    expect(said).to_have_text("Your account is ready, newcomer.")
