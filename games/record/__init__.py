"""The record of a game: replay, playback, table reads and writes."""
