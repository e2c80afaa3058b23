"""The rules of play as a page describes them."""
