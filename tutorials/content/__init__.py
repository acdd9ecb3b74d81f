"""Rule books and lessons: read from `seeds/`, checked, and played on the engines."""
