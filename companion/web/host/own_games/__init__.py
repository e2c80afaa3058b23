"""The pages for games that are described on a page."""
