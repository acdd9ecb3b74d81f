"""The HTTP API as a whole: the operations of all apps, their description, and the page about it."""
