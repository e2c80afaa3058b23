"""The commands for existing decks and for new ones, by purpose; `companion deck` collects them."""
