"""The table that all games share: its state, counters, common actions, choices, and its view."""
