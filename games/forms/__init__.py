"""Forms of pages, and the reader of what boards send."""
