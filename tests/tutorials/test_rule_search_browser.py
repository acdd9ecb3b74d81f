"""The search in a rule book follows what is typed, says how much it found, and leads to the rule on the same page."""


def test_a_rule_is_found_while_one_types(page, live_url):
    page.goto(f"{live_url}/rules/gin-rummy/")
    page.get_by_label("Search these rules").press_sequentially("third-last")
    page.get_by_role("status").get_by_text("1 rule of Gin Rummy.").wait_for()
    assert page.locator("#rule-matches mark").all_inner_texts() == ["third", "last"]
    page.evaluate("window.isSamePage = true")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rules/gin-rummy/#dead-hand")
    assert page.evaluate("() => window.isSamePage")
    page.get_by_label("Search these rules").fill("")
    page.wait_for_function(
        "() => !document.querySelector('#rule-matches *') && !document.getElementById('rule-count').innerText"
    )
