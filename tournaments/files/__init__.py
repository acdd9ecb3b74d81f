"""Events as files: exports, imports, calendar feeds."""
