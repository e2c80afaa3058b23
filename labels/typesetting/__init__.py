"""Type: fonts, shaping, line breaks, and the fitting of texts."""
