"""QR codes in a picture, tried again on altered copies of it where the plain one shows none.

Separate because it alone needs Pillow and zxing-cpp. Only QR codes are looked for: all formats take 18 times as long.
"""

import math
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import zxingcpp
from PIL import Image, ImageFilter, UnidentifiedImageError

from companion.scan import finding, grid, weighing
from companion.scan.code import PictureError
from companion.scan.finding import Guess
from companion.scan.grid import Corners

# Not the tiny kinds of QR code: their few words of error correction let a blurred box pass for one of them.
_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2)
_AS_IT_IS = zxingcpp.TextMode.Plain
# A decoded picture takes up to four bytes a pixel; beyond this size it is a mistake or a trap.
_MOST_PIXELS = 100_000_000
# A larger JPEG is decoded no finer than it has to be to stay above these edges (pixels), which saves time and memory.
_FINE_ENOUGH = (4000, 4000)
# Codes are lost for want of pixels in small pictures only; twice a large one takes a second and finds nothing new.
_LARGE = 3_100_000
# A code that cannot be read is weighed bit by bit (40 ms) so often in a picture, and word by word (3 ms) after that.
_THOROUGH = 3
_AT_ONCE, _REST = 0.68, 4


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

    More is tried until a code is read, and on if a broken one is seen beside it.
    """
    look = _Look()
    for again in _ways(picture, look):
        again()
        if look.texts and not look.broken:
            break
    return tuple(look.texts), bool(look.broken)


def _ways(picture: Image.Image, look: "_Look") -> Iterator[Callable[[], None]]:
    """Ways to look at a picture, the most rewarding first: what each is for stands beside it."""
    near, whole = zxingcpp.Binarizer.LocalAverage, zxingcpp.Binarizer.GlobalHistogram
    if picture.width * picture.height > _LARGE:
        yield lambda: look.read(picture.reduce(2), near)
    yield lambda: look.read(picture, near)
    yield lambda: look.read(picture, whole)  # shadows within a module, no quiet zone
    smaller = _at_most(picture, _LARGE)
    yield lambda: look.read(smaller.reduce(2), near)  # moiré, grain
    yield lambda: look.search(smaller)  # torn, stained, dark
    yield lambda: look.search(smaller, blurred=True)
    # Only for what is no box's code: passports and other programs' codes.
    yield lambda: look.read(smaller.filter(ImageFilter.UnsharpMask(6, 400, 0)), near)
    if picture.width * picture.height <= _LARGE:
        double = (picture.width * 2, picture.height * 2)
        yield lambda: look.read(picture.resize(double, Image.Resampling.BICUBIC), near)


class _Look:
    """What was seen in one picture so far."""

    def __init__(self) -> None:
        self.texts: dict[str, None] = {}
        self.broken: bool | None = None
        self._thorough = _THOROUGH

    def read(self, copy: Image.Image, binarizer: zxingcpp.Binarizer) -> None:
        """Has the reader look at a copy, and looks closer at what it cannot read."""
        codes = zxingcpp.read_barcodes(copy, _QR, binarizer=binarizer, text_mode=_AS_IT_IS, return_errors=True)
        read = [code.position for code in codes if code.valid]
        fresh = [code.text for code in codes if code.valid and code.text not in self.texts]
        torn = [code for code in codes if not code.valid and not any(_within(code.position, one) for one in read)]
        for code in torn:
            text = self._closer(copy, _corners(code.position))
            if text is not None:
                fresh.append(text)
        self.texts |= dict.fromkeys(fresh)

    def search(self, copy: Image.Image, *, blurred: bool = False) -> None:
        """Looks for what is left of a box's code in a copy; at the likeliest places at once, at others if they are none."""
        rest: list[Guess] = []
        for guesses in finding.guesses(copy, blurred):
            rest += [guess for guess in guesses if guess.likeness < _AT_ONCE]
            if any(self._found(copy, guess) for guess in guesses if guess.likeness >= _AT_ONCE):
                return
        any(self._found(copy, guess) for guess in sorted(rest, reverse=True)[:_REST])

    def _found(self, copy: Image.Image, guess: Guess) -> bool:
        text = self._closer(copy, guess.corners)
        self.texts |= {} if text is None else {text: None}
        return text is not None

    def _closer(self, copy: Image.Image, corners: Corners) -> str | None:
        reading = weighing.weighed(grid.looks(copy, corners), thoroughly=self._thorough > 0)
        self._thorough -= reading is None
        return reading and reading.text


def _corners(position: zxingcpp.Position) -> Corners:
    a, b, c, d = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    return (a.x, a.y), (b.x, b.y), (c.x, c.y), (d.x, d.y)


def _within(position: zxingcpp.Position, other: zxingcpp.Position) -> bool:
    """Whether the centre of `position` lies in the upright box about `other`."""
    corners = (other.top_left, other.top_right, other.bottom_right, other.bottom_left)
    x = (position.top_left.x + position.bottom_right.x) / 2
    y = (position.top_left.y + position.bottom_right.y) / 2
    across, down = [corner.x for corner in corners], [corner.y for corner in corners]
    return min(across) <= x <= max(across) and min(down) <= y <= max(down)


def _at_most(picture: Image.Image, pixels: int) -> Image.Image:
    """The picture, or a smaller one of so many pixels at most."""
    times = math.ceil(math.sqrt(picture.width * picture.height / pixels))
    return picture.reduce(times) if times > 1 else picture


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
