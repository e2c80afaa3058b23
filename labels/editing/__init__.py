"""Editing of design files: each edit changes only the characters that it must, and can be undone."""
