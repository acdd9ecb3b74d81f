"""The refusal of every service of tournaments."""


class EventError(ValueError):
    """Cannot be done now; the message is for the person who asked."""
