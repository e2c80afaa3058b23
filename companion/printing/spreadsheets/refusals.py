"""The limits of a workbook, and the reasons for which the child process refuses one, as it tells them its parent."""

from enum import StrEnum
from typing import Final

MAX_COLUMNS: Final = 1_000
MAX_ROWS: Final = 1_048_576
NO_VALUE: Final = "a formula without a value"
"""The error of a formula that was never calculated by the program that saved the file."""


class Refusal(StrEnum):
    """A reason to refuse a workbook. `NO_SUCH_SHEET` is about the wanted sheet and those that there are."""

    LOCKED = "locked"
    DAMAGED = "damaged"
    EMPTY = "empty"
    NO_SUCH_SHEET = "no such sheet"
    COLUMNS = "columns"
    ROWS = "rows"
