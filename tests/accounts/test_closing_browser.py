"""A session that ends while a page is open."""

import pytest

SENT = "document.querySelector('main form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))"
LEAVING = "addEventListener('beforeunload', () => { sessionStorage.left = 'yes' })"
ENDED = "document.dispatchEvent(new Event('closed'))"


@pytest.mark.parametrize(("done", "patience"), [((ENDED,), 1_000), ((SENT, ENDED), 30_000)], ids=["alone", "by a form"])
def test_a_page_is_loaded_again_after_its_session_but_not_before_the_answer_to_its_form(
    new_context, live_url, log_in, done, patience
):
    page = new_context().new_page()
    page.clock.install()
    log_in(page.context, "ann")
    page.goto(f"{live_url}/accounts/close/")
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    page.evaluate(LEAVING)
    for what in done:
        page.evaluate(what)
    page.clock.run_for(patience - 100)
    assert page.evaluate("sessionStorage.left") is None
    with page.expect_navigation():
        page.clock.run_for(200)
    assert page.evaluate("sessionStorage.left") == "yes"
