"""QR codes in a picture, tried again on altered copies of it where the plain one shows none.

Separate because it alone needs Pillow and zxing-cpp. Only QR codes are looked for: all formats take 18 times as long.
"""

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import zxingcpp
from PIL import Image, ImageChops, ImageFilter, ImageOps, UnidentifiedImageError

from companion.scan.code import PictureError

# Not the tiny kinds of QR code: their few words of error correction let a blurred box pass for one of them.
_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2)
_AS_IT_IS = zxingcpp.TextMode.Plain
# A decoded picture takes up to four bytes a pixel; beyond this size it is a mistake or a trap.
_MOST_PIXELS = 100_000_000
# A larger JPEG is decoded no finer than it has to be to stay above these edges (pixels), which saves time and memory.
_FINE_ENOUGH = (4000, 4000)
# Codes are lost for want of pixels in small pictures only; twice a large one takes a second and finds nothing new.
_WORTH_ENLARGING = 4_000_000


def opened(path: Path) -> Image.Image:
    """The picture at `path` in grey levels, transparent parts white. Raises PictureError."""
    try:
        with warnings.catch_warnings():
            # Pillow warns of large pictures; whether one is too large is decided below.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(path)
        with picture:
            return _grey(path, picture)
    except PictureError:
        raise
    except Image.DecompressionBombError as error:
        raise _too_large(path) from error
    except UnidentifiedImageError as error:
        raise PictureError(f"“{path}” is not a picture that can be read here; save it as PNG or JPEG.") from error
    except FileNotFoundError as error:
        raise PictureError(f"“{path}” does not exist.") from error
    except IsADirectoryError as error:
        raise PictureError(f"“{path}” is a directory; name the pictures in it.") from error
    except PermissionError as error:
        raise PictureError(f"“{path}” may not be read by you.") from error
    except (OSError, SyntaxError, ValueError) as error:
        # This is what Pillow's decoders raise for files that are cut short or garbled.
        raise PictureError(f"“{path}” is a damaged picture ({error}); take or copy it again.") from error


def symbols(picture: Image.Image) -> tuple[tuple[str, ...], bool]:
    """The texts of the QR codes in a grey picture, each once, and whether one is there that cannot be read.

    The altered copies are tried until one shows a code, and on if the picture itself shows a broken one beside it.
    """
    texts: dict[str, None] = {}
    broken: bool | None = None
    for copy, binarizer in _copies(picture):
        codes = zxingcpp.read_barcodes(copy, _QR, binarizer=binarizer, text_mode=_AS_IT_IS, return_errors=True)
        fresh = dict.fromkeys(code.text for code in codes if code.valid and code.text not in texts)
        broken = _has_broken(codes) if broken is None else broken and not fresh
        texts |= fresh
        if texts and not broken:
            break
    return tuple(texts), bool(broken)


def _has_broken(codes: Sequence[zxingcpp.Barcode]) -> bool:
    """Whether a code is there whose words contradict each other, and which is not one that was read a second time.

    Other errors are not counted, nor what altered copies show: print and patterns look like a broken code there.
    """
    read = [code.position for code in codes if code.valid]
    return any(
        code.error is not None
        and code.error.type == zxingcpp.ErrorType.Checksum
        and not any(_within(code.position, one) for one in read)
        for code in codes
    )


def _within(position: zxingcpp.Position, other: zxingcpp.Position) -> bool:
    """Whether the centre of `position` lies in the upright box about `other`."""
    corners = (other.top_left, other.top_right, other.bottom_right, other.bottom_left)
    x = (position.top_left.x + position.bottom_right.x) / 2
    y = (position.top_left.y + position.bottom_right.y) / 2
    across, down = [corner.x for corner in corners], [corner.y for corner in corners]
    return min(across) <= x <= max(across) and min(down) <= y <= max(down)


def _copies(picture: Image.Image) -> Iterator[tuple[Image.Image, zxingcpp.Binarizer]]:
    """The picture and its altered copies, most rewarding first: what each is for stands beside it."""
    by_surroundings, by_whole = zxingcpp.Binarizer.LocalAverage, zxingcpp.Binarizer.GlobalHistogram
    yield picture, by_surroundings
    yield picture.filter(ImageFilter.GaussianBlur(1)), by_surroundings  # grain, faint print
    if picture.width * picture.height <= _WORTH_ENLARGING:
        yield (
            picture.resize((picture.width * 2, picture.height * 2), Image.Resampling.BICUBIC),
            by_surroundings,
        )  # too small
    yield _local_contrast(picture), by_surroundings  # darkness, a lamp at one side
    yield picture.filter(ImageFilter.UnsharpMask(6, 400, 0)), by_surroundings  # out of focus
    bordered = ImageOps.expand(ImageOps.autocontrast(picture), border=40, fill=255)
    yield bordered, by_whole  # cropped to the code's very edge


def _local_contrast(picture: Image.Image) -> Image.Image:
    """Each pixel's difference from its surroundings, twice as strong, about middle grey."""
    return ImageChops.subtract(picture, picture.filter(ImageFilter.BoxBlur(15)), scale=0.5, offset=128)


def _grey(path: Path, picture: Image.Image) -> Image.Image:
    picture.draft("L", _FINE_ENOUGH)
    if picture.width * picture.height > _MOST_PIXELS:
        raise _too_large(path)
    if picture.has_transparency_data:
        coloured = picture.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", coloured.size, "white"), coloured).convert("L")
    return picture.convert("L")


def _too_large(path: Path) -> PictureError:
    return PictureError(f"“{path}” is larger than {_MOST_PIXELS // 1_000_000} million pixels; save it smaller.")
