"""Rehearsals of Odd Frontier TCG: two archives against each other, played by simulated players."""
