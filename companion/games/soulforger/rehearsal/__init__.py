"""Soul-Forger rehearsed: two lists against each other, played by simulated people."""
