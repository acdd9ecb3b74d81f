"""Smoke test of the site in Firefox and WebKitGTK: home, a lesson step, a table with drag and drop, a bracket.

No part of the suite: `make browsers` runs it, for the browsers that are installed.
"""

import json

import pytest
from django.conf import settings

from cardsite.management.commands.screenshots import LESSON, PEOPLE, knockout_in_progress
from games.models import Table
from tests.webdriver import Missing, firefox, wait_for, webkit

BOARD = "document.querySelector('#board')"
PICK = "document.querySelector('.pick[data-pick=\"{}\"]')"
MOVES = """[...document.querySelectorAll(".choice")].map((form) => ({
    text: form.elements.text.value, touches: form.dataset.touches.split(" ").filter(Boolean) }))"""
OWN_MOVES = 3
STEP_MS = 40


@pytest.fixture(params=[firefox, webkit], ids=["firefox", "webkit"])
def visitor(request):
    """A browser; the test fails if a script of a page throws."""
    try:
        with request.param() as found:
            yield found
            assert found.errors() == []
    except Missing as missing:
        pytest.skip(str(missing))


def middle(visitor, element):
    """Where the middle of an element is, once it no longer moves."""
    wait_for(visitor, "document.getAnimations().every(({ playState }) => playState !== 'running')")
    visitor.run(f"{element}.scrollIntoView({{ block: 'nearest' }})")
    left, top, width, height = visitor.run(
        f"(({{ left, top, width, height }}) => [left, top, width, height])({element}.getBoundingClientRect())"
    )
    return round(left + width / 2), round(top + height / 2)


def drag(visitor, *points):
    """Presses the mouse at the first point and lets it go at the last; with one point that is a click."""
    steps = [{"type": "pointerMove", "x": x, "y": y, "duration": STEP_MS} for x, y in points]
    steps[1:1] = [{"type": "pointerDown", "button": 0}]
    steps.append({"type": "pointerUp", "button": 0})
    visitor.act([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}])


def click(visitor, element):
    drag(visitor, middle(visitor, element))


def play(visitor, move):
    """Makes a move by a drag of its first card onto the next, then by a click on what else it needs and on its
    button, or on the one that tries the selection in a lesson."""
    visitor.run(f"{BOARD}.wasPlayed = true")
    picks = [PICK.format(touch) for touch in move["touches"]]
    if len(picks) > 1 and all(visitor.run(f"{pick} !== null") for pick in picks):
        (x0, y0), (x1, y1) = (middle(visitor, pick) for pick in picks[:2])
        drag(visitor, (x0, y0), (x0 + 15, y0 - 15), ((x0 + x1) // 2, (y0 + y1) // 2), (x1, y1))
        wait_for(visitor, f"!{BOARD}.wasPlayed || {BOARD}.matches('.has-selection')")
    for pick in picks:
        if visitor.run(f"{BOARD}.wasPlayed === true && {pick}?.getAttribute('aria-pressed') === 'false'"):
            click(visitor, pick)
    wait_for(visitor, f"!{BOARD}.wasPlayed || {BOARD}.matches('.has-selection')")
    value = json.dumps(move["text"])
    button = f"document.querySelector(':is(.choice:has([value={value}]), [data-try]).is-offered button')"
    if visitor.run(f"{BOARD}.matches('.has-selection') && {button} !== null"):
        click(visitor, button)


def test_home(visitor, live_url):
    visitor.open(live_url)
    assert "card games" in visitor.run("document.querySelector('h1').textContent")
    wait_for(visitor, "document.querySelector('.pick[data-drag]') !== null")


def test_a_lesson_step_is_played(visitor, live_url):
    visitor.open(live_url + LESSON)
    wait_for(visitor, "document.querySelector('.pick[data-drag]') !== null")
    capture = max(visitor.run(MOVES), key=lambda move: len(move["touches"]))
    assert len(capture["touches"]) == 3  # the nine and both nines: the lesson takes no less
    play(visitor, capture)
    wait_for(visitor, f"{PICK.format(capture['touches'][0])} === null")


def test_a_few_moves_at_a_table_by_drag_and_the_others_arrive(visitor, live_url, table_of, play_on, as_user, person):
    table = table_of("ada", "bob")
    session = as_user(person("ada")).cookies[settings.SESSION_COOKIE_NAME].value
    visitor.add_cookie(live_url, settings.SESSION_COOKIE_NAME, session)
    visitor.open(live_url + table.get_absolute_url())
    wait_for(visitor, "document.querySelector('.pick[data-drag]') !== null")
    for number in range(OWN_MOVES):
        moves = visitor.run(MOVES)
        play(visitor, next((move for move in moves if len(move["touches"]) == 2), moves[0]))
        seq = table.version + 2 * number
        wait_for(visitor, f"+{BOARD}.dataset.seq === {seq + 1}")
        play_on(Table.objects.get(pk=table.pk), 1)
        wait_for(visitor, f"+{BOARD}.dataset.seq === {seq + 2}")
    assert visitor.run("document.querySelectorAll('.drag-ghost, #board .refusal').length") == 0


def test_a_bracket(visitor, live_url, person):
    for name in PEOPLE:
        person(name)
    visitor.open(live_url + knockout_in_progress().get_absolute_url())
    wait_for(visitor, "document.querySelector('.bracket') !== null")
