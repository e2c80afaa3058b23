"""A table in plain lines, for a screen reader or a pipe: it says what happens and asks, and draws nothing.

A room beside the screens, as neither needs the other. What is said and typed goes through two functions that are handed
in, so that nothing here knows a terminal.
"""
