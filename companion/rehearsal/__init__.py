"""Rehearsals: simulated players play a game many times, and the results are counted and compared."""
