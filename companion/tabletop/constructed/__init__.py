"""Constructed decks: decks that people build from a list, change between games, and play against each other.

What all games with such decks share: how a deck is stored with its versions, founded, kept, told, brought to a table
and sealed. A game adds what its cards say (`ConstructedGame.on_card`) and its rules for lists.
"""
