"""Events as files: exports, imports, calendars."""
