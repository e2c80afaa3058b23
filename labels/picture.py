"""Pictures on labels: files looked at with care, and made as small as paper needs them.

Separate because files of other people's are opened here: what is no picture, or far too large, is refused by name.
Pillow is loaded by the first picture, not before.
"""

import hashlib
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from labels.errors import LabelError
from labels.geometry import INCH, Box

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 300
"""Finer than this no printer shows a picture on a label."""

_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_MOST_BYTES = 30 * 2**20
_MOST_PIXELS = 50_000_000
_QUALITY = 90


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

    def pixels(self, width: float, height: float) -> tuple[int, int]:
        """How many pixels paper needs for so many points; never more than there are."""
        return (
            min(self.width, max(1, round(width / INCH * DPI))),
            min(self.height, max(1, round(height / INCH * DPI))),
        )


class Pixels(msgspec.Struct, frozen=True):
    """A picture as a PDF keeps it: in grey or colour, packed by the filter that PDF calls so."""

    width: int
    height: int
    grey: bool
    filter: str
    packed: bytes


@lru_cache(maxsize=1024)
def look(file: str) -> Picture:
    """The picture in a file, by its head alone. Raises PictureError, naming the file."""
    path = Path(file)
    try:
        if not path.is_file():
            raise PictureError(f"There is no picture “{file}”.")
        if path.stat().st_size > _MOST_BYTES:
            raise PictureError(f"The picture “{file}” has more than {_MOST_BYTES >> 20} MB; save it smaller.")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:20]
    except OSError as error:
        raise PictureError(f"The picture “{file}” cannot be read: {error.strerror or error}.") from error
    with _opened(file) as image:
        width, height = image.size
        if image.getexif().get(_TURNED, 1) >= _ON_ITS_SIDE:
            width, height = height, width
    return Picture(file, digest, width, height)


# The tag that says how the camera was held, and from which value on it lay on its side.
_TURNED, _ON_ITS_SIDE = 0x0112, 5


def load(picture: Picture, width: int, height: int) -> Pixels:
    """A picture in so many pixels. Raises PictureError where its file is damaged."""
    from PIL import ImageOps

    with _opened(picture.file) as image:
        photo = image.format in ("JPEG", "WEBP")
        image.draft(None, (max(width, height),) * 2)
        flat = _on_paper(ImageOps.exif_transpose(image))
        if flat.size != (width, height):
            flat = flat.resize((width, height), reducing_gap=3.0)
        return _packed(flat, photo=photo)


@contextmanager
def _opened(file: str) -> Iterator["Image"]:
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            # Its own bound is higher than ours.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(file, formats=_FORMATS)
        with image:
            if image.width * image.height > _MOST_PIXELS:
                raise Image.DecompressionBombError
            yield image
    except UnidentifiedImageError as error:
        raise PictureError(f"“{file}” is no picture that can be printed; PNG, JPEG, WebP and GIF can.") from error
    except Image.DecompressionBombError as error:
        most = f"{_MOST_PIXELS // 10**6} million"
        raise PictureError(f"The picture “{file}” has more than {most} pixels; save it smaller.") from error
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, zlib.error) as error:
        raise PictureError(f"The picture “{file}” is damaged; save it anew.") from error


def _on_paper(image: "Image") -> "Image":
    """Grey or colour without anything to see through: what is not there is white."""
    from PIL import Image

    if image.has_transparency_data:
        seen = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen).convert("RGB")
    return image.convert("L" if image.mode in ("1", "L") else "RGB")


def _packed(image: "Image", *, photo: bool) -> Pixels:
    """A photograph as JPEG, anything else as it is, to the pixel."""
    if photo:
        file = BytesIO()
        image.save(file, "JPEG", quality=_QUALITY)
        packed, name = file.getvalue(), "DCTDecode"
    else:
        packed, name = zlib.compress(image.tobytes()), "FlateDecode"
    return Pixels(image.width, image.height, image.mode == "L", name, packed)
