"""Figures of real evenings: who wins how often, with which deck, against whom, and how sure that is."""
