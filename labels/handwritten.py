"""TOML that people write by hand: stocks, designs and tables of labels.

Errors name the line in plain words. The parser has no limits: 100 kB of `a.a.a…` take ten gigabytes. So every TOML text
from outside goes through `parse`, which checks its size and its keys first.
"""

import re
import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from labels.errors import LabelError
from templates.languages.messages import Message, phrase

MAX_SYMBOLS: Final = 2_000_000
"""The most characters of a text; a hundred times what people write by hand."""
MAX_KEY_PARTS: Final = 8
"""The most names in a dotted key; our files have no more than three."""

# No alternative can fail once it has begun, so there is no backtracking. Possessive quantifiers would express that, but
# Python before 3.11.5 matches them wrongly.
_PARTS: Final = re.compile(
    r'"""(?:[^"\\]+|\\.?|"(?!""))*"{0,5}'
    r"|'''(?:[^']+|'(?!''))*'{0,5}"
    r'|"(?:[^"\\\n]+|\\[^\n]?)*"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*"
    r"|0[xob]\w{65,}"
    r"|[\[\]{},=\n]"
    r"|\.",
    re.DOTALL,
)
"""The relevant parts of a text.

These are strings and comments, which hold no keys; figures that the parser reads and Python cannot write out; the ends
of keys; and the dots within them.
"""


class BrokenLine(LabelError):
    """A file that is not valid TOML. The message names the line and shows a correct one. It follows the file's name."""


class TooLarge(ValueError):
    """A TOML text that is larger or deeper than any that people write. The message gives the limit, without a stop."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


def list_toml_files(folder: Path) -> list[Path]:
    """Return the .toml files of a user's folder, by name, or none if the folder is missing or unreadable."""
    try:
        return sorted(file for file in folder.iterdir() if file.name.endswith(".toml"))
    except OSError:
        return []


def parse(text: str) -> dict[str, Any]:
    """Parse a TOML text.

    Raises TooLarge, or ValueError or RecursionError as the parser does.
    """
    if len(text) > MAX_SYMBOLS:
        raise _size_error()
    dots = 0
    for part in _PARTS.finditer(text):
        if part[0] == ".":
            dots += 1
            if dots >= MAX_KEY_PARTS:
                line = text.count("\n", 0, part.start()) + 1
                raise TooLarge(
                    phrase(
                        "at line {line} a key has more than {most} names with dots between them; write a shorter one",
                        line=str(line),
                        most=MAX_KEY_PARTS,
                    )
                )
        elif part[0] in "[]{},=\n":
            dots = 0
        elif part[0][0] == "0":
            line = text.count("\n", 0, part.start()) + 1
            raise TooLarge(
                phrase("at line {line} a figure has more than 64 digits; write a shorter one", line=str(line))
            )
    return tomllib.loads(text)


def read_toml_text(file: Path | Traversable) -> str:
    """Read a TOML file, with or without a byte order mark, up to the size that may be parsed.

    Raises TooLarge, UnicodeDecodeError or OSError.
    """
    with file.open("rb") as opened:
        content = opened.read(4 * MAX_SYMBOLS + 1)
    if len(content) > 4 * MAX_SYMBOLS:
        raise _size_error()
    return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def _size_error() -> TooLarge:
    return TooLarge(
        phrase("it has more than {megabytes} MB, which nobody writes by hand", megabytes=MAX_SYMBOLS // 1_000_000)
    )


def load(text: str, figure: str, words: str) -> dict[str, Any]:
    """Parse a TOML text. Raises BrokenLine, which shows the correct lines `figure` and `words`."""
    try:
        return parse(text)
    except TooLarge as error:
        raise BrokenLine(phrase("{problem}.", problem=error.message)) from error
    except (ValueError, RecursionError) as error:
        # Too deep a nesting or too long a figure is no TOMLDecodeError, and has no line.
        match = re.search(r"at line (\d+)", str(error))
        line = match[1] if match else str(text.count("\n") + 1)
        raise BrokenLine(
            phrase(
                "line {line} is not as it must be; write one thing a line, as in {figure}, and words in quotation "
                "marks, as in {words}.",
                line=line,
                figure=figure,
                words=words,
            )
        ) from error
