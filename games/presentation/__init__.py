"""Presentation: what pages and streams show of a table, as values and as HTML."""
