import pytest
from django.template import Context, Template
from django.test import Client

from cardsite import login_link
from cardsite.security import csp_nonce


def directives(header: str) -> dict[str, str]:
    return dict(part.strip().split(" ", 1) for part in header.split(";"))


@pytest.mark.django_db
def test_pages_run_no_script_without_the_nonce(client: Client) -> None:
    policy = directives(client.get("/healthz").headers["Content-Security-Policy"])
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'strict-dynamic'"  # a page that used no nonce gets none
    assert "unsafe" not in str(policy)


@pytest.mark.django_db
def test_admin_may_load_its_own_scripts(client: Client) -> None:
    client.get(login_link.make())
    policy = directives(client.get("/admin/").headers["Content-Security-Policy"])
    assert policy["script-src"] == "'self'"
    assert "unsafe" not in str(policy)


def test_htmx_tags_carry_the_nonce_of_the_header(rf) -> None:
    from cardsite.security import ContentSecurityPolicy

    request = rf.get("/")
    tag = Template('{% load django_htmx %}{% htmx_script version=2 extensions="hx-sse,hx-preload" %}')

    def page(request):
        from django.http import HttpResponse

        return HttpResponse(tag.render(Context(csp_nonce(request))))

    answer = ContentSecurityPolicy(page)(request)
    nonce = str(request.csp_nonce)
    assert f"'nonce-{nonce}'" in answer.headers["Content-Security-Policy"]
    assert answer.content.decode().count(f'nonce="{nonce}"') == answer.content.decode().count("<script") >= 3
