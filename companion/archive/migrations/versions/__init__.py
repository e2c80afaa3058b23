"""The revisions, oldest first by their number; a revision never changes once archives have it."""
