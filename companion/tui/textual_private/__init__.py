"""Names that Textual keeps for itself and nothing public stands for, in one place: a new Textual is tried here first.

What becomes of faults, what comes from the keyboard, and what is painted when; no other module may know such a name.
"""
