"""The screens: home, a table, a deck, a new table, help. One `.tcss` beside each."""
