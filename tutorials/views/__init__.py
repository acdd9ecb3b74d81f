"""Pages, one module for each feature."""
