"""The director's console: its tabs and its actions."""
