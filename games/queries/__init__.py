"""Queries: questions about tables and players that change nothing."""
