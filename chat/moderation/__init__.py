"""Moderation: reports, decisions of moderators, and their pages."""
