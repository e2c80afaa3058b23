"""Odd Frontier TCG rehearsed: two archives against each other, played by simulated people."""
