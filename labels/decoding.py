"""The child process that decodes pictures for labels.

A job inspects a picture's header, or decodes the picture to a size in pixels.
"""

import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageOps, UnidentifiedImageError

from labels import svg_decoding
from labels.picture_refusals import PictureRefusal
from labels.sandbox import BadFile, ChildReply, Message, serve

_FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF")
_SVG: Final = "SVG"
_HEAD: Final = 256
"""Bytes at the start of a file that identify its format."""
_MAX_PIXELS: Final = 50_000_000
_QUALITY: Final = 90
_MIDDLE, _CONTRAST = 127.5, 1.25
# The EXIF orientation tag and its values for a picture on its side. Other values do not swap the sides.
_TURNED, _ON_ITS_SIDE = 0x0112, range(5, 9)


def work(job: Message) -> Iterator[ChildReply]:
    """Answer with the size of the picture at `path`, or with its pixels if a `width` and a `height` are given.

    With `one_bit` the pixels are black or white. Raises BadFile.
    """
    width, height = job["width"], job["height"]
    assert isinstance(width, int)
    assert isinstance(height, int)
    one_bit = job["one_bit"] is True
    # Dots are sampled from the picture at their positions, and nothing can be finer than they are.
    finer = 1 if one_bit else svg_decoding.FINER
    with _open_image(str(job["path"]), finer * width, finer * height) as image:
        yield _read_pixels(image, width, height, one_bit=one_bit) if width else _measure_picture(image)


def _measure_picture(image: Image.Image) -> ChildReply:
    width, height = image.size
    if image.getexif().get(_TURNED, 1) in _ON_ITS_SIDE:
        width, height = height, width
    return ChildReply({"width": width, "height": height})


def _read_pixels(image: Image.Image, width: int, height: int, *, one_bit: bool) -> ChildReply:
    photo = image.format in ("JPEG", "WEBP")
    image.draft(None, (max(width, height),) * 2)
    ImageOps.exif_transpose(image, in_place=True)
    flat = _flatten(image)
    if image.format != _SVG and flat.size != (width, height):
        flat = flat.resize((width, height), reducing_gap=3.0)
    return _pack(_dither(flat), photo=False) if one_bit else _pack(flat, photo=photo)


@contextmanager
def _open_image(file: str, width: int, height: int) -> Iterator[Image.Image]:
    """Yield a picture. An SVG is drawn in `width` × `height` pixels."""
    try:
        with Path(file).open("rb") as opened:
            if svg_decoding.is_svg(opened.read(_HEAD)):
                opened.seek(0)
                image = svg_decoding.draw_svg(opened.read(), width, height)
                image.format = _SVG
                yield image
                return
        with warnings.catch_warnings():
            # Pillow's own limit is higher than ours.
            warnings.simplefilter("ignore")
            with Image.open(file, formats=_FORMATS) as image:
                if image.width * image.height > _MAX_PIXELS:
                    raise Image.DecompressionBombError
                yield image
    except (BadFile, MemoryError):
        raise
    except UnidentifiedImageError as error:
        raise BadFile(PictureRefusal.NO_PICTURE) from error
    except Image.DecompressionBombError as error:
        raise BadFile(PictureRefusal.TOO_LARGE, str(_MAX_PIXELS // 10**6)) from error
    except Exception as error:
        # Decoders raise any exception for files that are truncated or corrupt.
        raise BadFile(PictureRefusal.DAMAGED) from error


def _flatten(image: Image.Image) -> Image.Image:
    """Return the picture in grey or colour on a white background, without transparency."""
    if image.has_transparency_data:
        seen = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen).convert("RGB")
    return image.convert("L" if image.mode in ("1", "L") else "RGB")


def _dither(image: Image.Image) -> Image.Image:
    """Convert greys to dots. Near-black and near-white areas stay solid, so that line drawings stay clean."""
    levels = [min(255, max(0, round((grey - _MIDDLE) * _CONTRAST + _MIDDLE))) for grey in range(256)]
    return image.convert("L").point(levels).convert("1")


def _pack(image: Image.Image, *, photo: bool) -> ChildReply:
    """Pack a photograph as JPEG, and anything else without loss."""
    if photo:
        file = BytesIO()
        image.save(file, "JPEG", quality=_QUALITY)
        packed, name = file.getvalue(), "DCTDecode"
    else:
        packed, name = zlib.compress(image.tobytes()), "FlateDecode"
    is_grey, bits = image.mode in ("1", "L"), 1 if image.mode == "1" else 8
    reply: Message = {"width": image.width, "height": image.height, "grey": is_grey, "bits": bits, "filter": name}
    return ChildReply(reply, packed)


if __name__ == "__main__":
    serve(work)
