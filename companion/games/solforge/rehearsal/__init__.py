"""Rehearsals of SolForge: two lists against each other, with simulated players."""
