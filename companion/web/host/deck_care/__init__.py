"""The pages that change what is already here: a deck's record, its list, and games of earlier years."""
