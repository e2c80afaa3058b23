"""The pages for phones: a real server on this machine alone, asked as browsers ask, and by a real browser."""
