"""Deck lists as other programs and people write them."""
