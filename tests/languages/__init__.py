"""Catalogues: how they are made from the source, and what must hold for them."""
