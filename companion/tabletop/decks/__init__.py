"""The decks of all games: lists, forms, prints, portraits, chores and chronicles."""
