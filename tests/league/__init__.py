"""Pairings and standings, held against figures that were reckoned by hand."""
