"""How each game's decks are founded from the command line: one module a game, each with its click command `command`."""
