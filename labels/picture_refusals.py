"""The reasons for which the child process that opens pictures refuses one, as it tells them its parent."""

from enum import StrEnum


class PictureRefusal(StrEnum):
    """A reason to refuse a picture, which is about a number or another file for some of them."""

    NO_PICTURE = "no picture"
    TOO_LARGE = "too large"
    DAMAGED = "damaged"
    DAMAGED_LINE = "damaged line"
    NEEDS_FILE = "needs file"
    HAS_TEXT = "has text"
