"""What a director wants to know before an event: presets, estimates, dry runs, what an edit changes."""
