"""Scoring of Cuarenta: what is counted, and how a game is won."""

TARGET = 40
LIMPIA_BAR = 38
LAST_HAND = 60
GAMES_TO_WIN = {"1": 1, "best-of-3": 2}
# What is scored on the way, in the order in which the score sheet has it.
POINTS = {"ronda": 4, "caida": 2, "limpia": 2, "ronda-caida": 10}
TITLES = {"ronda": "Rondas", "caida": "Caídas", "limpia": "Limpias", "ronda-caida": "Rondas caught"}
SPOKEN = {"ronda": "Ronda", "caida": "Caída", "limpia": "Limpia", "ronda-caida": "Ronda caught"}
COUNTED = 20
COUNT_POINTS, MAJORITY_POINTS = 6, 2
# How a game can be won.
FOUR, FORTY, LAST = "four", "forty", "last"
