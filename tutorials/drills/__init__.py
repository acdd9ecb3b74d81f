"""Drills: questions about single rules, on fresh positions of bots' play or on a step of the course. Pure."""
