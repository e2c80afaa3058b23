"""The screens and their style sheets: those of home, a table and decks in rooms, and all others and the bases here."""
