"""Sessions as text, cards, charts and chronicles."""
