"""Planning an event: presets, estimates, dry runs, and what an edit changes."""
