"""The director's console: tabs and actions."""
