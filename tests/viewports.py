"""Size of the window in browser tests."""

# A new size reaches the layout with a later frame; what is measured before that mixes both sizes.
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def resize(page: object, width: int, height: int) -> None:
    """Give the page of a browser another size, in CSS pixels, and return when it is laid out for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(TWO_FRAMES)
