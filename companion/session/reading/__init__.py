"""The meaning of typed words at a table, and the answers to its questions."""
