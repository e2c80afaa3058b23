"""Statistics of real evenings: win rates by person, deck and opponent, with their uncertainty."""
