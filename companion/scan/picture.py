"""QR codes in a picture: what the reader sees, and what of our boxes' codes can be made out where it sees none.

Separate because it alone needs zxing-cpp. Only QR codes are looked for: all formats take 18 times as long.
"""

import math
from collections.abc import Callable, Iterator

import zxingcpp
from PIL import Image, ImageFilter

from companion.scan import finding, grid, outline, regions, weighing
from companion.scan.finding import Guess
from companion.scan.grid import Corners

# Not the tiny kinds of QR code: their few words of error correction let a blurred box pass for one of them.
_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2)
_AS_IT_IS = zxingcpp.TextMode.Plain
# Larger pictures are first looked at half as large; codes are lost for want of pixels in small ones only.
_LARGE = 4_000_000
# Codes that cannot be read are weighed bit by bit (40 ms) so often in a picture, word by word (15 ms) so often after
# that, and then no more: it is one and the same, in copy after copy.
_THOROUGH, _HASTY = 3, 5
_AT_ONCE, _REST = 0.6, 4
_REGIONS, _CLEAR = 6, 60
# What is so much like a box's code is one, even if it cannot be read.
_SURELY = 0.8


def symbols(picture: Image.Image) -> tuple[tuple[str, ...], bool]:
    """The texts of the QR codes in a grey picture, each once, and whether one is there that cannot be read.

    More is tried until a code is read, and on if a broken one is seen beside it.
    """
    look = _Look()
    for again in _ways(picture, look):
        again()
        if look.texts and not look.broken and not look.hasty:
            break
    return tuple(look.texts), bool(look.broken or (look.surely and not look.texts))


def glimpsed(frame: Image.Image) -> tuple[str, ...]:
    """The texts of the codes in one frame of many, for which there is little time: the next one may be better."""
    look = _Look()
    look.read(frame, zxingcpp.Binarizer.LocalAverage)
    if not look.texts:
        look.search(frame)
    return tuple(look.texts)


def _ways(picture: Image.Image, look: "_Look") -> Iterator[Callable[[], None]]:
    """Ways to look at a picture, the most rewarding first: what each is for stands beside it."""
    near, whole = zxingcpp.Binarizer.LocalAverage, zxingcpp.Binarizer.GlobalHistogram
    large = picture.width * picture.height > _LARGE
    if large:
        yield lambda: look.glance(picture.reduce(2), near)
    yield lambda: look.read(picture, near)
    yield lambda: look.read(picture, whole)  # no quiet zone, glare
    smaller = _at_most(picture, _LARGE)
    yield lambda: look.read(smaller.reduce(2), near)  # moiré, grain
    yield lambda: look.survey(smaller)  # slanted, in motion, bent, out of focus
    yield lambda: look.search(smaller, reduced=large)  # torn, scratched, stained, dark
    yield lambda: look.search(smaller, blurred=True)
    # What is no box's code: passports and other programs' codes.
    yield lambda: look.read(smaller.filter(ImageFilter.GaussianBlur(1)), near)
    yield lambda: look.read(smaller.filter(ImageFilter.UnsharpMask(6, 400, 0)), near)
    if not large:
        double = (picture.width * 2, picture.height * 2)
        yield lambda: look.read(picture.resize(double, Image.Resampling.BICUBIC), near)


class _Look:
    """What was seen in one picture so far: texts, and whether there is a code that cannot be read."""

    def __init__(self) -> None:
        self.texts: dict[str, None] = {}
        self.broken: bool | None = None
        self.hasty = self.surely = False
        self._thorough = _THOROUGH

    def glance(self, copy: Image.Image, binarizer: zxingcpp.Binarizer) -> None:
        """Has the reader look at a smaller copy. That is enough for one box; among several, one may be too small."""
        self.read(copy, binarizer)
        self.hasty = len(self.texts) > 1

    def read(self, copy: Image.Image, binarizer: zxingcpp.Binarizer) -> None:
        """Has the reader look at a copy, and looks closer at what it cannot read.

        Only the first copy tells whether a code is broken: print and patterns look like one in altered copies.
        """
        self.hasty = False
        codes = zxingcpp.read_barcodes(copy, _QR, binarizer=binarizer, text_mode=_AS_IT_IS, return_errors=True)
        read = [code.position for code in codes if code.valid]
        found = [code.text for code in codes if code.valid]
        lost = 0
        for code in codes:
            if not code.valid and not any(_within(code.position, one) for one in read):
                text = self._closer(copy, _corners(code.position))
                if text is not None:
                    read.append(code.position)
                    found.append(text)
                else:
                    lost += code.error is not None and code.error.type == zxingcpp.ErrorType.Checksum
        if self.broken is None:
            self.broken = lost > 0
        elif any(text not in self.texts for text in found):
            self.broken = False
        self.texts |= dict.fromkeys(found)

    def search(self, copy: Image.Image, *, blurred: bool = False, reduced: bool = False) -> None:
        """Looks for what is left of a box's code in a copy, at the likeliest places first."""
        rest: list[Guess] = []
        for guesses in finding.guesses(copy, blurred, reduced):
            rest += [guess for guess in guesses if guess.likeness < _AT_ONCE]
            if any(self._found(copy, guess) for guess in guesses if guess.likeness >= _AT_ONCE):
                return
        any(self._found(copy, guess) for guess in sorted(rest, reverse=True)[:_REST])

    def survey(self, copy: Image.Image) -> None:
        """Looks closer at the most restless parts of a copy: for a reader, and by the outline of a code."""
        for region in regions.regions(copy, _REGIONS):
            for patch in outline.patches(copy, region):
                codes = zxingcpp.read_barcodes(patch.picture, _QR, text_mode=_AS_IT_IS)
                new = [code.text for code in codes if code.text not in self.texts]
                self.texts |= dict.fromkeys(new)
                if new:
                    self.broken = False
                    return
                for clear, corners in outline.outlined(patch.picture)[:2]:
                    if clear >= _CLEAR and self._found(copy, Guess(0, patch.back(corners))):
                        return

    def _found(self, copy: Image.Image, guess: Guess) -> bool:
        text = self._closer(copy, guess.corners)
        if text is None or text in self.texts:
            return False
        self.texts[text] = None
        self.broken = False
        return True

    def _closer(self, copy: Image.Image, corners: Corners) -> str | None:
        place = grid.placed(copy, corners) if self._thorough > -_HASTY else None
        if place is None:
            return None
        reading = weighing.weighed(grid.looks(place), thoroughly=self._thorough > 0)
        if reading is None:
            self._thorough -= 1
            self.surely = self.surely or place.likeness > _SURELY
            return None
        return reading.text


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
