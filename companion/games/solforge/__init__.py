"""SolForge: two players, five lanes, and cards that come back a level higher."""
