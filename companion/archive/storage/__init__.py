"""The database of the archive: its schema, entries and rows, transactions, and the files it lives in."""
