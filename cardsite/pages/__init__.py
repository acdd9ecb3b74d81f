"""Pages that put several apps together: home, players, the style guide, the log-in link."""
