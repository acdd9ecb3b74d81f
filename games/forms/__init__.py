"""Forms, and what the forms of a board send."""
