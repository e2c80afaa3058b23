"""Odd Frontier TCG: Engines give energy, Creatures attack players, and a player whose 137 life falls to 0 has lost."""
