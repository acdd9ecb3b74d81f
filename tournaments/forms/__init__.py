"""Forms of the calendar, of entries and of event planning."""
