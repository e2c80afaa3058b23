"""The screens: home, a table, a deck, a new table, help. Most have a `.tcss` of the same name."""
