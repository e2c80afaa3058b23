"""TOML files that people write by hand: which line breaks off, in words of ours.

Separate because stocks, designs and tables of labels are all such files, and no parser speaks to people.
"""

import re
import tomllib
from typing import Any

from labels.errors import LabelError


class BrokenLine(LabelError):
    """A file that is no TOML; the sentence names the line and says how one is written, to go on behind the file."""


def loaded(text: str, figure: str, words: str) -> dict[str, Any]:
    """What a TOML text says. `figure` and `words` are lines as they should be, for whoever wrote others.

    Raises BrokenLine.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # What is nested too deep or a figure too long is no TOMLDecodeError, and has no line.
        found = re.search(r"at line (\d+)", str(error))
        line = found[1] if found else str(text.count("\n") + 1)
        raise BrokenLine(
            f"line {line} is not as it must be; write one thing a line, as in {figure}, and words in quotation marks, "
            f"as in {words}."
        ) from error
