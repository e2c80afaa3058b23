"""The pages that change a deck's record or its list, and those that add games of earlier years, and leagues."""
