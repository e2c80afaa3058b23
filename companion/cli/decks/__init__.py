"""The commands about a deck that is there already, by what they are for; `companion deck` gathers them."""
