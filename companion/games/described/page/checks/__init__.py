"""The checks of a page: its names exist, its figures are within bounds, and its lines are possible."""
