"""Rule books and courses: read from `seeds/`, checked, and played on the engines."""
