"""What a hand does on a board: touching the cards of an offered move, then its button, or dragging them."""

from tests.viewports import TWO_FRAMES

EDGE_PX = 60  # from the edge of the window, where a held card does not scroll it
# Where the middle of a card covers no card of the place by more than a third; null where there is no such point.
FREE_POINT = """(place, [width, height]) => {
    if (place.matches(".pick, .hand")) return null;
    const { left, top, right, bottom } = place.getBoundingClientRect();
    const picks = [...place.querySelectorAll(".pick")].map((pick) => pick.getBoundingClientRect());
    const shared = (low, high, other, size) => Math.max(0, Math.min(high, other + size) - Math.max(low, other));
    for (let y = (top + bottom) / 2; y < bottom; y += 4) {
        for (let x = left; x <= right; x += 4) {
            const [cardLeft, cardTop] = [x - width / 2, y - height / 2];
            const covers = ({ left, top, right, bottom }) =>
                shared(left, right, cardLeft, width) * shared(top, bottom, cardTop, height) > width * height / 3;
            const isFree = !picks.some(covers);
            if (isFree) return [x, y];
        }
    }
    return null;
}"""
IS_STILL = """() => document.getAnimations().every(
    (animation) => animation.playState !== "running" || animation.effect.getComputedTiming().iterations === Infinity
)"""
CORNER = {"x": 8, "y": 8}  # what one sees of a card in a long hand


def play_offer(page, choice):
    """`choice`: a locator of the offered move's form."""
    text = choice.locator("[name=text]").input_value()
    for touch in choice.get_attribute("data-touches").split():
        pick = page.locator(f'.pick[data-pick="{touch}"]')
        if pick.get_attribute("aria-pressed") == "false":
            pick.click(position=CORNER)
    offer_of(page, text, ".is-offered").get_by_role("button").click()


def try_offer(page, choice):
    """In a lesson: selects what a move uses, and tries it; if it may mean other moves too, presses its button."""
    text = choice.locator("[name=text]").input_value()
    for touch in choice.get_attribute("data-needs").split():
        page.locator(f'.pick[data-pick="{touch}"]').click(position=CORNER)
    offered = offer_of(page, text, ".is-offered")
    (offered if offered.count() else page.locator("[data-try].is-offered")).get_by_role("button").click()


def offer_of(page, text, state=""):
    """The form of a move."""
    return page.locator(f".choice{state}").filter(has=page.locator(f'[name=text][value="{text}"]'))


def play_marked(page, cards):
    """Marks cards and presses the button of the selection."""
    for card in cards:
        page.locator(f'.pick[data-pick="{card}"]').click(position=CORNER)
    page.locator(".selection.is-offered button").click()


def drag(page, source, target):
    """Drags with the mouse from one place to another: selectors, of each the first element."""
    start_drag(page, source, target)
    page.mouse.up()


def start_drag(page, source, target):
    """Picks a card up by its corner and holds it over a target, which may come into sight only then."""
    page.wait_for_function(IS_STILL)
    page.locator(source).first.hover(position=CORNER)
    box = page.locator(source).first.bounding_box()
    page.mouse.down()
    page.mouse.move(box["x"] + 3 * CORNER["x"], box["y"], steps=2)
    page.locator(".drag-ghost").wait_for()
    x, y = drop_point(page, target, box)
    page.mouse.move(x - box["width"] / 2 + CORNER["x"], y - box["height"] / 2 + CORNER["y"], steps=4)


def drop_point(page, selector, box):
    """Where a held card of this size is let go on a target: on a pick in its middle, on a place between its cards."""
    found = page.locator(selector).first.evaluate(FREE_POINT, [box["width"], box["height"]])
    return found or middle(page, selector)


def middle(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch_drag(page, source, target):
    """Drags with a finger, by the touch events that a browser gets. Cards held at an edge scroll the page."""
    held = page.locator(source).first
    page.wait_for_function(IS_STILL)
    held.scroll_into_view_if_needed()
    box, height = held.bounding_box(), page.viewport_size["height"]
    finger = page.context.new_cdp_session(page)

    def touch(kind, *points):
        points = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    at = box["x"] + CORNER["x"], box["y"] + CORNER["y"]
    touch("touchStart", at)
    touch("touchMove", (at[0] + 3 * CORNER["x"], at[1]))
    page.locator(".drag-ghost").wait_for()
    was = None  # at the end of the page the target stays where it is
    while was != (now := middle(page, target)[1]) and not EDGE_PX < now < height - EDGE_PX:
        was = now
        touch("touchMove", (at[0], 5 if now < EDGE_PX else height - 5))
        page.evaluate(TWO_FRAMES)
    x, y = drop_point(page, target, box)
    touch("touchMove", (x - box["width"] / 2 + CORNER["x"], y - box["height"] / 2 + CORNER["y"]))
    page.evaluate(TWO_FRAMES)
    touch("touchEnd")
    finger.detach()


def drag_offer(page, choice, drag=drag):
    """Drags the first card of an offered move to where it goes; selects all that it uses, if the drop can mean others.

    `choice`: a locator of the form of a move that touches something. `drag`: with the mouse, or `touch_drag`.
    """
    text = choice.locator("[name=text]").input_value()
    first, *others = choice.get_attribute("data-touches").split()
    target = choice.get_attribute("data-to") or others[-1]
    before = page.get_attribute("#board", "data-seq")
    drag(page, pick_of(first), place_of(page, target))
    if more_is_asked(page, before):
        offered = offer_of(page, text, ".is-offered")
        offered.get_by_role("button").click() if offered.count() else play_offer(page, offer_of(page, text))


def more_is_asked(page, seq):
    """After a drop on the board with this `data-seq`: whether more has to be selected. Else the move was played."""
    page.wait_for_function(
        "seq => document.querySelector('#board').matches(`.has-selection, :not([data-seq='${seq}'])`)", arg=seq
    )
    return page.get_attribute("#board", "data-seq") == seq


def choose_reading(page, seq, text):
    """After marked cards were sent from the board with this `data-seq`: chooses this move if they can be several."""
    page.wait_for_function(
        "seq => document.querySelector(`#board:not([data-seq='${seq}']), #board .readings`)", arg=seq
    )
    readings = page.locator(".readings form")
    if readings.count():
        meant = readings.filter(has=page.locator(f'[name=text][value="{text}"]'))
        (meant if meant.count() else readings.first).get_by_role("button").click()  # another one has other twins


def drag_marked(page, cards, zone, drag=drag):
    """Marks cards, then drags all of them by the last one to a zone."""
    for card in cards:
        page.locator(pick_of(card)).click(position=CORNER)
    drag(page, pick_of(cards[-1]), f'[data-zone="{zone}"]')


def pick_of(id):
    return f'.pick[data-pick="{id}"]'


def place_of(page, id):
    """A pick, or a zone where nothing stands for it."""
    return pick_of(id) if page.locator(pick_of(id)).count() else f'[data-zone="{id}"]'
