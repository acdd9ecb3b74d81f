"""Dates of a series, wall time and tables of bot leagues, without Django."""
