"""Home and the screens that only it opens: another game, settings, and checks of the machine."""
