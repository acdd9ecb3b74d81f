"""Forms of the calendar, of entries and of the console."""
