"""Leagues: who plays whom next, and who stands where. Pure: no file, no clock, and no chance but from a seed."""
