"""What cannot be printed: the one error of this library, below all modules that raise it."""


class LabelError(ValueError):
    """Something that cannot be printed as asked; the sentence names the label or stock and what is wrong."""
