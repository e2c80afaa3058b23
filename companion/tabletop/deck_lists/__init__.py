"""Deck lists as other programs and people write them: read into a game's parts, and written for other programs."""
