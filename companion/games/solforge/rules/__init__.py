"""The rules of play, one module for each part of a turn; the state of a table, and deck lists."""
