"""The pages on which games are shared: a list, files and QR codes to take away, and a form for a page to take in."""
