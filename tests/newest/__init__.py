"""What the newest libraries change in the parts of them that they keep for themselves and this program uses."""
