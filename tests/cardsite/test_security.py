import json
import re
from html import unescape

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import Client

from cardsite.pages import login_link
from cardsite.web.security import csp_nonce
from tests.pages import page_html


def directives(header: str) -> dict[str, str]:
    return dict(part.strip().split(" ", 1) for part in header.split(";"))


@pytest.mark.django_db
def test_pages_run_no_script_without_the_nonce(client: Client) -> None:
    policy = directives(client.get("/sw.js").headers["Content-Security-Policy"])
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'strict-dynamic'"  # a page that used no nonce gets none
    assert "unsafe" not in str(policy)


@pytest.mark.django_db
def test_admin_may_load_its_own_scripts(client: Client) -> None:
    client.get(login_link.make_login_link())
    policy = directives(client.get("/admin/").headers["Content-Security-Policy"])
    assert policy["script-src"] == "'self'"
    assert "unsafe" not in str(policy)


def test_htmx_tags_carry_the_nonce_of_the_header(rf) -> None:
    from cardsite.web.security import ContentSecurityPolicyMiddleware

    request = rf.get("/")
    tag = Template('{% load django_htmx %}{% htmx_script version=2 extensions="hx-sse,hx-preload" %}')

    def page(request):
        from django.http import HttpResponse

        return HttpResponse(tag.render(Context(csp_nonce(request))))

    answer = ContentSecurityPolicyMiddleware(page)(request)
    nonce = str(request.csp_nonce)
    assert f"'nonce-{nonce}'" in answer.headers["Content-Security-Policy"]
    assert page_html(answer).count(f'nonce="{nonce}"') == page_html(answer).count("<script") >= 3


@pytest.mark.django_db
def test_htmx_copies_no_style_attributes(client: Client) -> None:
    page = unescape(page_html(client.get("/rules/")))
    config = json.loads(re.search(r"name=\"htmx-config\" content='([^']+)'", page)[1])
    assert "style" not in config["attributesToSettle"]  # the policy forbids it


@pytest.mark.django_db
def test_a_form_older_than_the_login_is_answered_in_words() -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.post("/accounts/login/", {"username": "ada", "password": "secret"})
    assert page.status_code == 403
    assert "Please try again" in page_html(page)
    assert "HX-Refresh" not in page.headers
    assert client.post("/accounts/login/", headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"


@pytest.mark.parametrize("name", ["404", "500"])
@pytest.mark.django_db
def test_error_pages_can_be_drawn(name: str, client: Client) -> None:
    page = page_html(client.get("/nowhere/")) if name == "404" else render_to_string("500.html")
    assert "Back to the home page" in page
