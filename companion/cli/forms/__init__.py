"""Forms on the command line: what a game asks becomes options, and what is answered a new deck."""
