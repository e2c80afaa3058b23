"""Simulated wizards and their dungeons."""
