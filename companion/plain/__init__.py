"""A table in plain lines, for a screen reader or a pipe: it prints what happens and asks questions, and draws nothing.

A package beside the screens; neither imports the other. Input and output go through two arguments, so that nothing here
depends on a terminal.
"""
