"""Finished output: PDF files, pages, charts, previews and test pages."""
