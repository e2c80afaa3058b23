"""Leagues: pairings and standings. Pure: no files, no clock, and no randomness except from a seed."""
