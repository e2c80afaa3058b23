"""The notation: its words, cards and arguments, and conversion between lines and actions."""
