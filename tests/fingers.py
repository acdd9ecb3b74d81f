"""What a finger does on a board: touching the cards of an offered move, then its button."""

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
