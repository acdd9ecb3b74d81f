"""What a hand does on a board: touching the cards of an offered move, then its button, or dragging them."""

CORNER = {"x": 8, "y": 8}  # what one sees of a card in a long hand


def play_offer(page, choice):
    """`choice`: a locator of the offered move's form."""
    text = choice.locator("[name=text]").input_value()
    for touch in choice.get_attribute("data-touches").split():
        pick = page.locator(f'.pick[data-pick="{touch}"]')
        if pick.get_attribute("aria-pressed") == "false":
            pick.click(position=CORNER)
    offer_of(page, text, ".is-offered").get_by_role("button").click()


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
    page.locator(source).first.hover(position=CORNER)  # waits until the card lies still
    box = page.locator(source).first.bounding_box()
    page.mouse.down()
    page.mouse.move(box["x"] + 3 * CORNER["x"], box["y"], steps=2)
    page.locator(".drag-ghost").wait_for()
    x, y = middle(page, target)
    page.mouse.move(x - box["width"] / 2 + CORNER["x"], y - box["height"] / 2 + CORNER["y"], steps=4)


def middle(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_offer(page, choice):
    """Drags the first card of an offered move to where it goes, and presses its button if the drop can mean others.

    `choice`: a locator of the form of a move that touches something.
    """
    text = choice.locator("[name=text]").input_value()
    first, *others = choice.get_attribute("data-touches").split()
    target = choice.get_attribute("data-to") or others[-1]
    before = page.get_attribute("#board", "data-seq")
    drag(page, pick_of(first), place_of(page, target))
    page.wait_for_function(
        "seq => document.querySelector('#board').matches(`.has-selection, :not([data-seq='${seq}'])`)", arg=before
    )
    if page.locator("#board.has-selection").count():
        offer_of(page, text, ".is-offered").get_by_role("button").click()


def drag_marked(page, cards, zone):
    """Marks cards, then drags all of them by the last one to a zone."""
    for card in cards:
        page.locator(pick_of(card)).click(position=CORNER)
    drag(page, pick_of(cards[-1]), f'[data-zone="{zone}"]')


def pick_of(id):
    return f'.pick[data-pick="{id}"]'


def place_of(page, id):
    """A pick, or a zone where nothing stands for it."""
    return pick_of(id) if page.locator(pick_of(id)).count() else f'[data-zone="{id}"]'
