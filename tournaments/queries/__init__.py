"""Queries about events. Nothing here changes anything."""
