"""EventError: the refusal of every service of tournaments."""


class EventError(ValueError):
    """Not possible now; the message is for the user who asked."""
