"""People: their purses, the leagues they play, and forgetting them."""
