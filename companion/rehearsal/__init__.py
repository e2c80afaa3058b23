"""Rehearsals: many games played by simulated people, for who wants to know what the rules do."""
