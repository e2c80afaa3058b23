"""The screens of decks: one deck, its editions, versions and photographs, and scanning a box."""
