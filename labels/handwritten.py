"""TOML that people write by hand: stocks, designs and tables of labels.

Errors name the line in words of ours. The parser has no bounds: 100 kB of `a.a.a…` take ten gigabytes. So every TOML
text from outside comes through `parse`, which checks its size and its keys first.
"""

import re
import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from labels.errors import LabelError

MAX_SYMBOLS: Final = 2_000_000
"""Symbols of a text; a hundred times what anybody writes by hand."""
MAX_KEY_PARTS: Final = 8
"""Names with dots between them in one key; no file of ours has more than three."""

# None of these alternatives can fail once it has begun, so that nothing is tried twice. Possessive quantifiers would
# say so, but Python before 3.11.5 matches them wrongly.
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
"""What matters of a text: strings and comments, which hold no keys; figures that the parser reads and Python
cannot write out; what ends a key; and the dots within one."""


class BrokenLine(LabelError):
    """A file that is no TOML; the sentence names the line and says how one is written, to go on behind the file."""


class TooLarge(ValueError):
    """A text of TOML that is larger or deeper than any that people write; the sentence says which."""


def list_toml_files(folder: Path) -> list[Path]:
    """The files of a folder of somebody's own that end in .toml, by name; none where it is not there, or may not be
    looked into.
    """
    try:
        return sorted(file for file in folder.iterdir() if file.name.endswith(".toml"))
    except OSError:
        return []


def parse(text: str) -> dict[str, Any]:
    """What a TOML text says. Raises Excess, or ValueError or RecursionError as the parser does."""
    if len(text) > MAX_SYMBOLS:
        raise _size_error()
    dots = 0
    for part in _PARTS.finditer(text):
        if part[0] == ".":
            dots += 1
            if dots >= MAX_KEY_PARTS:
                line = text.count("\n", 0, part.start()) + 1
                names = f"at line {line} a key has more than {MAX_KEY_PARTS} names with dots between them"
                raise TooLarge(f"{names}; write a shorter one")
        elif part[0] in "[]{},=\n":
            dots = 0
        elif part[0][0] == "0":
            line = text.count("\n", 0, part.start()) + 1
            raise TooLarge(f"at line {line} a figure has more than 64 digits; write a shorter one")
    return tomllib.loads(text)


def read_toml_text(file: Path | Traversable) -> str:
    """The text of a file of TOML, with or without a mark at its beginning; no more is read than may be parsed.

    Raises Excess, UnicodeDecodeError, OSError.
    """
    with file.open("rb") as opened:
        content = opened.read(4 * MAX_SYMBOLS + 1)
    if len(content) > 4 * MAX_SYMBOLS:
        raise _size_error()
    return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def _size_error() -> TooLarge:
    return TooLarge(f"it has more than {MAX_SYMBOLS // 1_000_000} MB, which nobody writes by hand")


def load(text: str, figure: str, words: str) -> dict[str, Any]:
    """What a TOML text says. `figure` and `words` are lines as they should be, for whoever wrote others.

    Raises BrokenLine.
    """
    try:
        return parse(text)
    except TooLarge as error:
        raise BrokenLine(f"{error}.") from error
    except (ValueError, RecursionError) as error:
        # What is nested too deep or a figure too long is no TOMLDecodeError, and has no line.
        match = re.search(r"at line (\d+)", str(error))
        line = match[1] if match else str(text.count("\n") + 1)
        raise BrokenLine(
            f"line {line} is not as it must be; write one thing a line, as in {figure}, and words in quotation marks, "
            f"as in {words}."
        ) from error
