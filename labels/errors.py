"""What cannot be printed: the one error of this library, below all modules that raise it."""


class LabelError(ValueError):
    """Something that cannot be printed as asked; the sentence names the label or stock and what is wrong."""

    def __init__(self, message: str) -> None:
        # It quotes what people wrote, which may be anything and ends on a terminal.
        super().__init__("".join(map(_visible, message)))


def _visible(symbol: str) -> str:
    return symbol if symbol.isprintable() or symbol == "\n" else " " if symbol.isspace() else "·"
