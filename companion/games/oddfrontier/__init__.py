"""Odd Frontier TCG: engines give energy, creatures attack players, and whoever reaches 0 of 137 life has lost."""
