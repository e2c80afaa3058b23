"""DecknForge v2.0: cooperative Boss fights with decks that are inscribed, labelled, faded and passed on."""
