"""Signals of tutorials for other apps."""

from django.dispatch import Signal

# Which games have bots finished by themselves? Receivers return the newest `most`, newest first, as
# `tutorials.puzzle_search.FinishedGame`; their cards are seen nowhere else.
bot_games_wanted = Signal()
