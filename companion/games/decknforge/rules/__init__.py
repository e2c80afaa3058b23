"""The rules of play, in the order of the round: one module for each step."""
