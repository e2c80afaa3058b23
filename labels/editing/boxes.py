"""The box of a part as its file writes it: lengths, shares of the label, or both."""

import tomllib
from typing import Final, Literal, NamedTuple

from labels.designfile import LENGTH
from labels.editing.scanner import array_items
from labels.editing.values import decimals, kept_decimals, write_items, write_number
from labels.geometry import MM, UNITS

WHOLE: Final = '["0 %", "0 %", "100 %", "100 %"]'
"""The box of a part without one."""

_DECIMALS: Final = {"mm": 2, "in": 4}
"""Decimals of lengths, by unit; a hundredth of a millimetre, and a little less."""
_SHARE_DECIMALS: Final = 2
_UNCHANGED: Final = 0.001 * MM
_AT_EDGE: Final = 0.1 * MM
"""A part that begins this little outside of the label begins at its edge."""
_NEAR: Final = 0.75
"""Lengths that differ by less than this many of the last decimals are the same."""

_QUOTE: Final = '"'

_Form = Literal["length", "share", "both", "rest", "rest of share"]

_RESTS: Final = ("rest", "rest of share")


class Frame(NamedTuple):
    """A box on a label: the distances of its left and top edge from the label's, its width and height, in points."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def move(self, right: float, down: float) -> "Frame":
        """Return the frame moved to the right and down."""
        return self._replace(left=self.left + right, top=self.top + down)


class _Length(NamedTuple):
    """One of the four lengths of a box: a share in percent, a length in the file's unit, and how they are written.

    `gap` is the space before a percent sign, and the texts are the numbers as the file has them.
    """

    share: float
    length: float
    form: _Form
    quote: str = '"'
    gap: str = " "
    share_text: str = ""
    length_text: str = ""

    def change(self, by: float, whole: float, unit: str) -> "_Length":
        """Return the length changed by points, on a label of `whole` points."""
        if abs(by) < _UNCHANGED:
            return self
        if self.form in ("share", "rest of share"):
            share = round(self.share + by / whole * 100, max(_SHARE_DECIMALS, decimals(self.share_text)))
            within = min(max(0.0, share), 100.0)
            if share == within:
                return self._replace(share=share)
            # No share of a label is less than none or more than all of it; the design is refused for its place instead.
            return self._replace(share=within, length=(share - within) / 100 * whole / UNITS[unit], form="both")
        places = max(_DECIMALS[unit], decimals(self.length_text))
        return self._replace(length=round(self.length + by / UNITS[unit], places))

    def begin_inside(self, whole: float, unit: str) -> "_Length":
        """Return the length, or 0 if it lies a little outside of the label."""
        points = self.share / 100 * whole + self.length * UNITS[unit]
        return self._replace(share=0.0, length=0.0) if -_AT_EDGE < points < 0 else self

    def is_near(self, other: "_Length", unit: str) -> bool:
        """Return True if both are the same but for rounding."""
        return (
            abs(self.share - other.share) < _NEAR * 10**-_SHARE_DECIMALS
            and abs(self.length - other.length) < _NEAR * 10 ** -_DECIMALS[unit]
        )

    def write(self, unit: str) -> str:
        length = _write(abs(self.length), self.length_text, _DECIMALS[unit])
        if self.form == "length" and self.length >= 0 and not self.quote:
            return length
        quote = self.quote or _QUOTE
        if self.form == "length":
            return f"{quote}{'-' if self.length < 0 else ''}{length}{quote}"
        share = f"{_write(self.share, self.share_text, _SHARE_DECIMALS)}{self.gap}%"
        if not self.length:
            return f"{quote}{share}{quote}"
        return f"{quote}{share} {'-' if self.length < 0 else '+'} {length}{quote}"


def _write(number: float, old: str, most: int) -> str:
    return write_number(number, kept_decimals(old), max(most, decimals(old)))


def write_frame(array: str, old: Frame, new: Frame, whole: tuple[float, float], unit: str) -> str:
    """Return the array of a box whose frame changes from `old` to `new`.

    Lengths stay lengths, and shares stay shares of `whole`, the width and height that the box is measured on. A part
    with the width "rest" keeps its width when it is moved.
    """
    before = _read_lengths(array)
    after = [
        length.change(now - then, whole[number % 2], unit)
        for number, (length, then, now) in enumerate(zip(before, old, new, strict=True))
    ]
    after[:2] = [start.begin_inside(size, unit) for start, size in zip(after[:2], whole, strict=True)]
    items = []
    for number, span in enumerate(array_items(array)):
        now = after[number]
        stays = now == before[number] if now.form not in _RESTS else now.is_near(_rest_after(after[number - 2]), unit)
        items.append(span.read(array) if stays else now.write(unit))
    return write_items(array, items)


def is_near_box(array: str, other: str, unit: str) -> bool:
    """Return True if two arrays describe the same box but for rounding."""
    pairs = zip(_read_lengths(array), _read_lengths(other), strict=True)
    return all(one.is_near(two, unit) for one, two in pairs)


def _read_lengths(array: str) -> list[_Length]:
    lengths: list[_Length] = []
    for span in array_items(array):
        length = _read_length(span.read(array))
        lengths.append(_rest_after(lengths[len(lengths) - 2]) if length is None else length)
    return lengths


def _rest_after(start: _Length) -> _Length:
    """Return the width or height of a part that begins at `start` and ends at the label's edge."""
    form: _Form = "rest of share" if start.form == "share" else "rest"
    return _Length(100 - start.share, 0.0 - start.length, form)


def _read_length(token: str) -> _Length | None:
    """Read one of the lengths of a valid box. Return None for "rest"."""
    value = tomllib.loads(f"x = {token}")["x"]
    if value == "rest":
        return None
    if not isinstance(value, str):
        return _Length(0.0, float(value), "length", "", length_text=token)
    match = LENGTH.fullmatch(value.strip())
    share, sign, length = match.groups() if match else (None, None, None)
    form: _Form = "length" if share is None else "share" if not float(length or 0) else "both"
    gap = value.partition("%")[0]
    return _Length(
        float(share or 0),
        float(f"{sign or ''}{length or 0}"),
        form,
        token[0],
        gap[len(gap.rstrip()) :],
        share or "",
        length or "",
    )
