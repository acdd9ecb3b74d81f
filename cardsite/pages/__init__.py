"""Pages that join several apps: home, players, the style guide, the login link."""
