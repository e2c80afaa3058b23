"""The other tasks of `companion rehearse` besides playing: storing rehearsals, and continuing them."""
