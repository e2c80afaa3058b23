"""The screens of a table: the table, the ceremony after a game, and the card of the evening."""
