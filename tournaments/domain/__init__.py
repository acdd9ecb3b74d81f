"""Recurrence rules, wall time and bot league arithmetic, without Django."""
