"""The page that describes a game: its format, how it is read, checked and written."""
