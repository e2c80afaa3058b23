"""What is wrong with a picture's file: codes that a child process sends, and their sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from companion.tabletop.text import sanitize
from templates.languages import messages
from templates.languages.messages import phrase

_LONGEST: Final = 300
"""Maximum symbols of what a child process says on its own."""

PDF_FOR_CODE: Final = "pdf-for-code"
PDF_FOR_SPREAD: Final = "pdf-for-spread"
LOCKED_PDF: Final = "locked-pdf"
NO_PICTURE: Final = "no-picture"
MISSING: Final = "missing"
DIRECTORY: Final = "directory"
FORBIDDEN: Final = "forbidden"
UNREAD: Final = "unread"
DAMAGED: Final = "damaged"
NO_FILE: Final = "no-file"
TOO_LARGE: Final = "too-large"
NO_CLIP: Final = "no-clip"
TOO_LONG: Final = "too-long"
TOO_MUCH: Final = "too-much"
"""Reading the file took more room or time than a child process has."""


_SENTENCES: Final[Mapping[str, Callable[[str, str], messages.Message]]] = {
    PDF_FOR_CODE: lambda file, _: phrase("“{file}” is a PDF; take a photo of the code instead.", file=file),
    PDF_FOR_SPREAD: lambda file, _: phrase("“{file}” is a PDF; take a photograph of the cards instead.", file=file),
    LOCKED_PDF: lambda file, _: phrase(
        "“{file}” is a PDF that cannot be opened; save it again, without a password.", file=file
    ),
    NO_PICTURE: lambda file, _: phrase(
        "“{file}” is not a picture that can be read here; save it as PNG or JPEG.", file=file
    ),
    MISSING: lambda file, _: phrase("“{file}” does not exist.", file=file),
    DIRECTORY: lambda file, _: phrase("“{file}” is a directory; name the pictures in it.", file=file),
    FORBIDDEN: lambda file, _: phrase("“{file}” may not be read by you.", file=file),
    DAMAGED: lambda file, _: phrase("“{file}” is a damaged picture; take or copy it again.", file=file),
    NO_FILE: lambda file, _: phrase(
        "“{file}” is a pipe or a device and no file; save the picture as a file.", file=file
    ),
    TOO_LARGE: lambda file, detail: phrase(
        "“{file}” is larger than {n} million pixels; save it smaller.", file=file, n=detail
    ),
    NO_CLIP: lambda file, _: phrase(
        "“{file}” is no clip that can be played here; name a camera by its number, or a clip's file.", file=file
    ),
    TOO_LONG: lambda file, detail: phrase(
        "“{file}” has more than {n} pictures; cut it, and play the rest on its own.", file=file, n=detail
    ),
    TOO_MUCH: lambda file, _: phrase(
        "“{file}” takes more room or time than a picture may; save it smaller, as PNG or JPEG.", file=file
    ),
}


def describe_problem(source: str, problem: str) -> messages.Message:
    """Return the sentence for a problem of the file that is called `source`.

    `problem` is a code of this module, for some followed by a blank and a figure or a text.
    """
    code, _, detail = problem.partition(" ")
    file, detail = sanitize(source), sanitize(detail)[:_LONGEST]
    if code in _SENTENCES:
        return _SENTENCES[code](file, detail)
    return phrase("“{file}” cannot be read: {reason}.", file=file, reason=detail or sanitize(code)[:_LONGEST])
