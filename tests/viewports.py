"""Size of the window in browser tests."""

# A new size reaches the page some time later, and the layout with a later frame; before that both are mixed.
HAS_SIZE = "([width, height]) => matchMedia(`(width: ${width}px) and (height: ${height}px)`).matches"
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def resize(page: object, width: int, height: int) -> None:
    """Give the page of a browser another size, in CSS pixels, and return when it is laid out for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(HAS_SIZE, arg=[width, height])
    page.evaluate(TWO_FRAMES)
