"""Reports, what moderators decide, and their pages."""
