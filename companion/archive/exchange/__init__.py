"""Export and import: whole archives, decks with their stories, passports, and pages of games."""
