"""QR codes in a picture: read by zxing-cpp, and our boxes' codes decoded by our own means if that fails.

Only QR codes are searched for: all formats take 18 times as long.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import zxingcpp
from PIL import Image, ImageFilter, ImageOps

from companion.scan import grid, location, outline, soft_decode
from companion.scan.grid import Corners, Point
from companion.scan.location import Region, find_regions, scale_corners

# Without Micro QR codes: they have little error correction, so that a blurred box could pass for one.
_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2)
_AS_IT_IS = zxingcpp.TextMode.Plain
# Larger pictures are first read at half their size; only small ones lose codes for want of pixels.
_LARGE = 4_000_000
# The numbers of regions to find, to examine, and to enlarge, and the factor by which they are enlarged.
_EVERY, _REGIONS, _OFTEN, _WIDER = 30, 8, 4, 1.6
_AT_A_GLANCE = 3
# An outline whose finder patterns respond this much is a code's.
_CLEAR, _SURELY_CLEAR = 55, 100
# The number of likely places to decode thoroughly, and of further ones to decode quickly.
_THOROUGH, _HASTY = 3, 4
# A place this similar to a box's code is one, even if it cannot be read.
_SURELY = 0.8
# The maximum distance of corners of the same code: a share of its side.
_SAME = 0.06


def read_codes(picture: Image.Image) -> tuple[tuple[str, ...], bool]:
    """Return the texts of the QR codes in a grey picture, each once, and True if there is one that cannot be read.

    Further steps are tried until a code is read, and beyond that if a broken one is seen beside it.
    """
    look = _CodeSearch()
    for again in _search_steps(picture, look):
        again()
        if look.texts and not look.broken and not look.hasty:
            break
    if len(look.texts) > 1 and not look.broken:
        look.look_beside(*_shrink_to(picture, _LARGE))
    return tuple(look.texts), bool(look.broken or (look.surely and not look.texts))


def read_codes_quickly(frame: Image.Image) -> tuple[str, ...]:
    """Return the texts of the codes in one frame of many, in little time: the next frame may be better."""
    look = _CodeSearch()
    look.read(frame, zxingcpp.Binarizer.LocalAverage)
    if not look.texts:
        look.survey(frame, find_regions(frame, _AT_A_GLANCE), thoroughly=False)
    return tuple(look.texts)


def _search_steps(picture: Image.Image, look: "_CodeSearch") -> Iterator[Callable[[], object]]:
    """Yield steps that search a picture, the most promising first; comments name the conditions that each is for."""
    near, whole = zxingcpp.Binarizer.LocalAverage, zxingcpp.Binarizer.GlobalHistogram
    large = picture.width * picture.height > _LARGE
    if large:
        yield lambda: look.glance(picture.reduce(2), near)
    yield lambda: look.read(picture, near)
    smaller, times = _shrink_to(picture, _LARGE)
    yield lambda: look.read(smaller.reduce(2), near, 2 * times)  # moiré, grain
    yield lambda: look.read(picture, whole)  # no quiet zone, glare
    parts = look.unread(find_regions(smaller, _EVERY), times)[:_REGIONS]
    yield lambda: look.survey(smaller, parts, times)  # slanted, in motion, bent, out of focus, torn, stained, dark
    # Light on dark.
    yield lambda: look.survey(ImageOps.invert(smaller), parts[:_AT_A_GLANCE], times, thoroughly=False)
    # Codes other than boxes': passports and other programs' codes.
    for part in _closeups(smaller, parts):
        yield partial(look.read_only, part.filter(ImageFilter.GaussianBlur(1)))
        yield partial(look.read_only, part.filter(ImageFilter.UnsharpMask(6, 400, 0)))
        if not large:
            yield partial(look.read_only, part.resize((part.width * 2, part.height * 2), Image.Resampling.BICUBIC))


def _closeups(picture: Image.Image, parts: list[Region]) -> list[Image.Image]:
    """Crop the parts of a picture, each with wide surroundings; none within another."""
    boxes: list[tuple[int, int, int, int]] = []
    for part in sorted(parts[:_OFTEN], key=lambda part: -part.side):
        if not any(left < part.x < right and top < part.y < low for left, top, right, low in boxes):
            half = _WIDER * part.side
            left, top = max(0, round(part.x - half)), max(0, round(part.y - half))
            boxes.append(
                (left, top, min(picture.width, round(part.x + half)), min(picture.height, round(part.y + half)))
            )
    return [picture.crop(box) for box in boxes]


class _CodeSearch:
    """The results of one picture so far: texts, and whether there is a code that cannot be read."""

    def __init__(self) -> None:
        self.texts: dict[str, None] = {}
        self.broken: bool | None = None
        self.hasty = self.surely = False
        self._patience = _THOROUGH
        self._tried: list[tuple[Corners, float]] = []
        self._settled: list[Corners] = []

    def glance(self, copy: Image.Image, binarizer: zxingcpp.Binarizer) -> None:
        """Read a smaller copy. That is enough for one box; among several, one may be too small."""
        self.read(copy, binarizer, 2)
        self.hasty = len(self.texts) > 1

    def read(self, copy: Image.Image, binarizer: zxingcpp.Binarizer, times: float = 1) -> None:
        """Read a copy that is `times` smaller, and decode by our own means what the reader cannot.

        Only the first copy tells whether a code is broken: print and patterns look like one in altered copies.
        """
        self.hasty = False
        codes = zxingcpp.read_barcodes(copy, _QR, binarizer=binarizer, text_mode=_AS_IT_IS, return_errors=True)
        read = [code.position for code in codes if code.valid]
        self._settled += [scale_corners(_corners(position), times) for position in read]
        texts = [code.text for code in codes if code.valid]
        lost = 0
        for code in codes:
            if not code.valid and not any(_centre_within(code.position, one) for one in read):
                text = self._closer(copy, _corners(code.position), times)
                if text is not None:
                    read.append(code.position)
                    texts.append(text)
                else:
                    lost += code.error is not None and code.error.type == zxingcpp.ErrorType.Checksum
        if self.broken is None:
            self.broken = lost > 0
        elif any(text not in self.texts for text in texts):
            self.broken = False
        self.texts |= dict.fromkeys(texts)

    def survey(self, copy: Image.Image, parts: list[Region], times: float = 1, *, thoroughly: bool = True) -> None:
        """Examine parts of a copy that is `times` smaller, until something new is read."""
        wider = [part._replace(side=part.side * _WIDER) for part in parts[:_OFTEN]]
        for number, part in enumerate([*parts, *wider] if thoroughly else parts):
            for patch in outline.patches(copy, part):
                if self.read_only(patch.picture):
                    return
                for clear, corners in outline.find_outlines(patch.picture):
                    if clear >= _CLEAR and self._read_at(copy, patch.back(corners), times):
                        return
                if number < _OFTEN or number >= len(parts):
                    for guess in location.guess_codes(patch.picture):
                        if self._read_at(copy, patch.back(guess.corners), times):
                            return

    def look_beside(self, copy: Image.Image, times: float) -> None:
        """Search for further boxes of about the size of those that were read, in a copy that is `times` smaller."""
        sides = sorted(grid.mean_side(corners) for corners in self._settled)
        if not sides:
            return
        least, most = sides[0] / 1.7 / times, sides[-1] * 1.7 / times
        parts = [part for part in self.unread(find_regions(copy, _EVERY), times) if least < part.side < most]
        for part in parts[:_OFTEN]:
            patch = next(outline.patches(copy, part))
            if not self.read_only(patch.picture):
                any(
                    self._read_at(copy, patch.back(corners), times)
                    for clear, corners in outline.find_outlines(patch.picture)
                    if clear >= _SURELY_CLEAR
                )

    def unread(self, parts: list[Region], times: float) -> list[Region]:
        """Return those parts of a copy that is `times` smaller whose middle is in no code that was read."""
        return [
            part for part in parts if not any(_inside((part.x * times, part.y * times), one) for one in self._settled)
        ]

    def read_only(self, part: Image.Image) -> bool:
        """Read a part of the picture, and return True if it has a new text."""
        codes = zxingcpp.read_barcodes(part, _QR, text_mode=_AS_IT_IS)
        new = [code.text for code in codes if code.text not in self.texts]
        if new:
            self.texts |= dict.fromkeys(new)
            self.broken = False
        return bool(new)

    def _read_at(self, copy: Image.Image, corners: Corners, times: float) -> bool:
        text = self._closer(copy, corners, times)
        if text is None or text in self.texts:
            return False
        self.texts[text] = None
        self.broken = False
        return True

    def _closer(self, copy: Image.Image, corners: Corners, times: float) -> str | None:
        """Decode a box's code at these corners; None if there is none, or the same was tried before."""
        if self._patience <= -_HASTY or self._again(corners, times, 0):
            return None
        place = grid.locate_code(copy, corners)
        if place is None or self._again(place.whole, times, place.likeness):
            return None
        reading = soft_decode.decode(grid.bit_odds(place), thoroughly=self._patience > 0)
        if reading is None:
            self._patience -= 1
            self.surely = self.surely or place.likeness > _SURELY
            return None
        return reading.text

    def _again(self, corners: Corners, times: float, like: float) -> bool:
        """Return True if the place was tried before with no lower likeness; remember it otherwise."""
        here = scale_corners(corners, times)
        near = _SAME * grid.mean_side(here)
        if any(max(map(math.dist, before, here)) < near and like < most + 0.02 for before, most in self._tried):
            return True
        if like:
            self._tried.append((here, like))
        return False


def _corners(position: zxingcpp.Position) -> Corners:
    a, b, c, d = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    return (a.x, a.y), (b.x, b.y), (c.x, c.y), (d.x, d.y)


def _centre_within(position: zxingcpp.Position, other: zxingcpp.Position) -> bool:
    """Return True if the centre of `position` is in the upright box around `other`."""
    middle = (position.top_left.x + position.bottom_right.x) / 2, (position.top_left.y + position.bottom_right.y) / 2
    return _inside(middle, _corners(other))


def _inside(point: Point, corners: Sequence[Point]) -> bool:
    """Return True if a point is in the upright box around some corners."""
    across, down = [x for x, _ in corners], [y for _, y in corners]
    return min(across) <= point[0] <= max(across) and min(down) <= point[1] <= max(down)


def _shrink_to(picture: Image.Image, pixels: int) -> tuple[Image.Image, int]:
    """Return the picture, or a copy of at most this many pixels, and its reduction."""
    times = math.ceil(math.sqrt(picture.width * picture.height / pixels))
    return picture.reduce(times) if times > 1 else picture, times
