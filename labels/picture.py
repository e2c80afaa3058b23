"""Pictures on labels: files looked at with care, and made as small as paper needs them.

They may be other people's: a child decodes them (`decoding.py`), and what is no picture, or far too large, is refused
by name.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

from labels.dots import DOTS
from labels.errors import LabelError
from labels.geometry import INCH, Box

# Most runs have no picture, and what starts a child would be loaded for nothing.
if TYPE_CHECKING:
    from labels.sandbox import Answer, Message, Sandbox

DPI = 300
"""Finer than this no printer shows a picture on a label."""

_MAX_BYTES = 30 * 2**20
_T = TypeVar("_T")


class PictureError(LabelError):
    """A file that is no picture, or more of one than a label can need."""


class Picture(msgspec.Struct, frozen=True):
    """A picture's file, a digest of what is in it, and how many pixels it has as it is looked at."""

    file: str
    digest: str
    width: int
    height: int

    def inside(self, box: Box) -> tuple[float, float]:
        """Width and height in points, as large as goes into a box."""
        scale = min(box.width / self.width, box.height / self.height)
        return self.width * scale, self.height * scale

    def pixels(self, width: float, height: float, *, one_bit: bool = False) -> tuple[int, int]:
        """How many pixels paper needs for so many points; never more than there are, but for dots, which make up for
        greys by their number.
        """
        wide, high = (max(1, round(length / INCH * (DOTS if one_bit else DPI))) for length in (width, height))
        return (wide, high) if one_bit else (min(self.width, wide), min(self.height, high))


class Pixels(msgspec.Struct, frozen=True):
    """A picture as a PDF keeps it: in grey or colour of so many bits, packed by the filter that PDF calls so."""

    width: int
    height: int
    grey: bool
    bits: Literal[1, 8]
    filter: str
    packed: bytes


@lru_cache(maxsize=1024)
def inspect_picture(file: str) -> Picture:
    """The picture in a file, by its head alone. Raises PictureError, naming the file."""
    path = Path(file)
    try:
        if not path.is_file():
            raise PictureError(f"There is no picture “{file}”.")
        if path.stat().st_size > _MAX_BYTES:
            raise PictureError(f"The picture “{file}” has more than {_MAX_BYTES >> 20} MB; save it smaller.")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:20]
    except OSError as error:
        raise PictureError(f"The picture “{file}” cannot be read: {error.strerror or error}.") from error
    return _convert_reply(file, {**_ask_child(file).reply, "file": file, "digest": digest}, Picture)


def load_pixels(picture: Picture, width: int, height: int, *, one_bit: bool = False) -> Pixels:
    """A picture in so many pixels, or in so many dots that are black or not there. Raises PictureError where its file
    is damaged.
    """
    answer = _ask_child(picture.file, width, height, one_bit=one_bit)
    return _convert_reply(picture.file, {**answer.reply, "packed": answer.enclosed}, Pixels)


@cache
def _sandbox() -> Sandbox:
    """The child that opens pictures."""
    from labels.sandbox import Sandbox

    return Sandbox("labels.decoding")


def _ask_child(file: str, width: int = 0, height: int = 0, *, one_bit: bool = False) -> Answer:
    """What the child says of a picture. Raises PictureError, naming the file."""
    from labels.sandbox import BadFile, ChildFailed

    try:
        path = os.path.abspath(file)  # noqa: PTH100 - a name that is no text stays as it is
        (answer,) = _sandbox().ask({"path": path, "width": width, "height": height, "one_bit": one_bit})
    except BadFile as error:
        raise PictureError(f"The picture “{file}” {error}") from error
    except (ChildFailed, ValueError) as error:
        raise _too_large_error(file) from error
    return answer


def _convert_reply(file: str, reply: Message, kind: type[_T]) -> _T:
    """What a child has said, as it must be. Raises PictureError: one that says anything else is not one to trust."""
    try:
        return msgspec.convert(reply, kind)
    except msgspec.ValidationError as error:
        raise _too_large_error(file) from error


def _too_large_error(file: str) -> PictureError:
    return PictureError(f"The picture “{file}” takes more room or time than a picture may; save it smaller.")
