"""Rummy toolkit: one module for each subject; `state` is the base of the games that lay melds on a table."""
