"""Rehearsals: a game played many times by simulated people, and what that says of it."""
