"""A game as written: replayed, taken apart, read and stored."""
