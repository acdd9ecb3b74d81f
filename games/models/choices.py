"""Choices of the columns of a table and of its terms."""

from django.db import models


class TableStatus(models.TextChoices):
    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    ABORTED = "aborted"


class EndedBy(models.TextChoices):
    RULES = "rules", "the rules"
    RESIGN = "resign", "resignation"
    FLAG = "flag", "the clock"
    LEFT = "left", "people leaving"
    NO_SHOW = "no-show", "no-shows"
    AGREEMENT = "agreement", "agreement of all"
    DIRECTOR = "director", "a director"


class Absence(models.TextChoices):
    """Absence policy of an event: what happens in a match when a player's time is up, or a player leaves."""

    FORFEIT = "forfeit", "the match is forfeited"
    BOT = "bot", "a bot takes the seat"
    SCORE = "score", "the score decides"
    HOLD = "hold", "the game is paused, and continues from its position"


class Chat(models.TextChoices):
    FREE = "free", "anything"
    PHRASES = "phrases", "phrases from a list only"
    NONE = "none", "no chat"


class AfterGrace(models.TextChoices):
    """What happens when a player is not back after the grace time. A clock that runs out first decides."""

    BOT = "bot", "a club bot plays on"
    CLAIM = "claim", "the others may claim the game"
    WAIT = "wait", "the game waits for the clock"
