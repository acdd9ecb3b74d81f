"""The table of contents beside a rule book marks what one reads."""

CURRENT = """() => [...document.querySelectorAll(".toc a")].flatMap((link, number) => (
  link.getAttribute("aria-current") === "true" ? [number] : []
))"""


def test_the_section_that_one_reads_is_marked_down_to_the_last(page, live_url):
    page.goto(f"{live_url}/rules/casino/")
    assert page.evaluate(CURRENT) == []
    page.evaluate("document.getElementById(document.querySelectorAll('.toc a')[2].hash.slice(1)).scrollIntoView()")
    page.wait_for_function(f"() => ({CURRENT})().join() === '2'")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    last = page.locator(".toc a").count() - 1
    page.wait_for_function(f"last => ({CURRENT})().join() === String(last)", arg=last)
