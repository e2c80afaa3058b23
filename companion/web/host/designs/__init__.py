"""The pages on which label designs are changed by eye."""
