"""Pictures on labels: files that are inspected with care, and reduced to the size that paper needs.

They may come from strangers. A child process decodes them (`decoding.py`), and files that are no pictures or far too
large are refused by name.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

from labels.drawing.dots import DOTS
from labels.errors import LabelError
from labels.geometry import INCH, Box
from labels.picture_refusals import PictureRefusal
from templates.languages.messages import Text, phrase

# Most runs have no picture, so the modules that start a child process are loaded only when needed.
if TYPE_CHECKING:
    from labels.sandbox import BadFile, ChildReply, Message, Sandbox

DPI = 300
"""No printer shows finer detail in a picture on a label."""

_MAX_BYTES = 30 * 2**20
_T = TypeVar("_T")


class LabelPictureError(LabelError):
    """A file that is no picture, or is larger than a label can need."""


class Picture(msgspec.Struct, frozen=True):
    """A picture: its file, a digest of its content, and its size in pixels as displayed."""

    file: str
    digest: str
    width: int
    height: int

    def inside(self, box: Box) -> tuple[float, float]:
        """Return the largest width and height in points that fit into a box."""
        scale = min(box.width / self.width, box.height / self.height)
        return self.width * scale, self.height * scale

    def pixels(self, width: float, height: float, *, one_bit: bool = False) -> tuple[int, int]:
        """Return the size in pixels for a size in points.

        It is never larger than the picture, unless in dots, whose number makes up for greys.
        """
        wide, high = (max(1, round(length / INCH * (DOTS if one_bit else DPI))) for length in (width, height))
        return (wide, high) if one_bit else (min(self.width, wide), min(self.height, high))


class Pixels(msgspec.Struct, frozen=True):
    """A picture as a PDF stores it: grey or colour, with `bits` per component, packed by the named PDF filter."""

    width: int
    height: int
    grey: bool
    bits: Literal[1, 8]
    filter: str
    packed: bytes


@lru_cache(maxsize=1024)
def inspect_picture(file: str) -> Picture:
    """Return the picture in a file, read from its header alone. Raises PictureError, naming the file."""
    path = Path(file)
    try:
        if not path.is_file():
            raise LabelPictureError(phrase("There is no picture “{file}”.", file=file))
        if path.stat().st_size > _MAX_BYTES:
            raise LabelPictureError(
                phrase(
                    "The picture “{file}” has more than {megabytes} MB; save it smaller.",
                    file=file,
                    megabytes=_MAX_BYTES >> 20,
                )
            )
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:20]
    except OSError as error:
        raise LabelPictureError(
            phrase("The picture “{file}” cannot be read: {problem}.", file=file, problem=error.strerror or str(error))
        ) from error
    return _convert_reply(file, {**_ask_child(file).reply, "file": file, "digest": digest}, Picture)


def load_pixels(picture: Picture, width: int, height: int, *, one_bit: bool = False) -> Pixels:
    """Return a picture in `width` × `height` pixels, or in as many black or white dots.

    Raises PictureError if its file is damaged.
    """
    answer = _ask_child(picture.file, width, height, one_bit=one_bit)
    return _convert_reply(picture.file, {**answer.reply, "packed": answer.enclosed}, Pixels)


@cache
def _sandbox() -> Sandbox:
    """Return the child process that opens pictures."""
    from labels.sandbox import Sandbox

    return Sandbox("labels.decoding")


def _ask_child(file: str, width: int = 0, height: int = 0, *, one_bit: bool = False) -> ChildReply:
    """Return the child's answer about a picture. Raises PictureError, naming the file."""
    from labels.sandbox import BadFile, ChildFailed

    try:
        path = os.path.abspath(file)  # noqa: PTH100 - undecodable names stay unchanged
        (answer,) = _sandbox().ask({"path": path, "width": width, "height": height, "one_bit": one_bit})
    except BadFile as error:
        raise LabelPictureError(_refusal(file, error)) from error
    except (ChildFailed, ValueError) as error:
        raise _too_large_error(file) from error
    return answer


def _refusal(file: str, error: BadFile) -> Text:
    """Return the sentence for the reason that the child gave."""
    match error.refusal, error.about:
        case PictureRefusal.NO_PICTURE, ():
            return phrase(
                "The picture “{file}” is no picture that can be printed; PNG, JPEG, WebP, GIF and SVG can.", file=file
            )
        case PictureRefusal.TOO_LARGE, (millions,):
            return phrase(
                "The picture “{file}” has more than {millions} million pixels; save it smaller.",
                file=file,
                millions=millions,
            )
        case PictureRefusal.DAMAGED, ():
            return phrase("The picture “{file}” is damaged; save it anew.", file=file)
        case PictureRefusal.DAMAGED_LINE, (line,):
            return phrase("The picture “{file}” is damaged in line {line}; save it anew.", file=file, line=line)
        case PictureRefusal.NEEDS_FILE, (other,):
            return phrase(
                "The picture “{file}” needs another file, “{other}”; save it with that embedded.",
                file=file,
                other=other,
            )
        case PictureRefusal.HAS_TEXT, ():
            return phrase(
                "The picture “{file}” has text in it, which needs a font; save it with its text as paths.", file=file
            )
    return f"The picture “{file}” {error}"


def _convert_reply(file: str, reply: Message, kind: type[_T]) -> _T:
    """Validate a child's reply. Raises PictureError: a child that sends an invalid reply is not to be trusted."""
    try:
        return msgspec.convert(reply, kind)
    except msgspec.ValidationError as error:
        raise _too_large_error(file) from error


def _too_large_error(file: str) -> LabelPictureError:
    return LabelPictureError(
        phrase("The picture “{file}” takes more room or time than a picture may; save it smaller.", file=file)
    )
