"""Constructed decks: decks built from a list, changed between games, and played against each other.

The common part of all games with such decks: storing a deck with its versions, founding, keeping and describing it,
bringing it to a table and sealing. A game adds the meaning of its cards (`ConstructedGame.on_card`) and its rules for
lists.
"""
