"""The terminal: its properties, its input, and the private parts of Textual that both need."""
