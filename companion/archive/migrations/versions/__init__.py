"""The revisions, oldest first by their number; what a revision did never changes once archives have it."""
