"""What `companion rehearse` does beside playing: keeping rehearsals, and going on with them."""
