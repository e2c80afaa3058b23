"""Forms of decks and boxes."""
