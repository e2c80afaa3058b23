"""The pages on which games and deck lists are shared: taken away as files and QR codes, and taken in by forms."""
