"""Rehearsals of Soul-Forger: games between two lists, played by simulated players."""
