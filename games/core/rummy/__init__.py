"""Rummy: melds and what is done with them, by one file a subject; `state` is the base of the games on a table."""
