"""Reading a photograph of a spread deck: which labels it shows, and where.

As with the codes of boxes, a child opens it (`reader.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from companion.scan.codes import PictureError
from companion.scan.reader import parse_answer
from companion.tabletop.text import quantity, sanitize
from labels.sandbox import BadFile, ChildFailed, Message, Sandbox

_TAKES_TOO_MUCH: Final = "takes more room or time than a photograph may; save it smaller, as JPEG."
_SANDBOX: Final = Sandbox("companion.scan.worker")

_SHARP: Final = 0.63
"""Modules of blur up to which nearly all codes of a photograph are read."""
_LARGE: Final = 4_000_000
"""Pixels of the smallest photograph that a telephone takes by itself; messengers send half as many."""
_COLOURS: Final = {
    "here": "#1B6B42",
    "copy": "#A83A12",
    "extra": "#A83A12",
    "foreign": "#6A1E86",
}
"""What labels are framed in, by how they stand to the record."""
_OTHERS_COLOUR: Final = "#4E5661"
_LETTERS: Final = str.maketrans("♠♥♣♦", "SHCD")
"""The font that pictures are lettered in has no suits."""

Point = tuple[float, float]


class SpreadLabel(msgspec.Struct, frozen=True, array_like=True):
    """A label that a photograph shows: its number, and the corners of its code, from its top left one on clockwise as
    the code stands, in pixels of the photograph as people see it.
    """

    number: str
    corners: tuple[Point, Point, Point, Point]


class Spread(msgspec.Struct, frozen=True):
    """The labels that a photograph of a deck shows, and its size in pixels; `blur` is that of the codes, in modules."""

    width: int
    height: int
    labels: tuple[SpreadLabel, ...]
    blur: float = 0.0

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of its labels, from left to right; one that stands on two labels twice."""
        by_place = sorted(self.labels, key=lambda label: sum(x for x, _ in label.corners))
        return tuple(label.number for label in by_place)

    def describe_doubt(self, name: str) -> str:
        """A sentence on a photograph of this name that is too small or too blurred for all of its labels; "" if not."""
        if self.labels and self.blur <= _SHARP:
            return ""
        subject, pixels = f"“{sanitize(name)}”", f"{self.width} × {self.height} pixels"
        how_much = f"only {quantity(len(self.labels), 'label')} can be read" if self.labels else "no label can be read"
        if self.width * self.height < _LARGE:
            return (
                f"{subject} is too small ({pixels}): {how_much}; take the photograph as the camera saved it, not the "
                "copy that a messenger made, or go closer."
            )
        if self.labels:
            return f"{subject} is too blurred: {how_much}; photograph the cards closer, with more light."
        return (
            f"{subject} is too blurred, or shows no codes: {how_much}; photograph the cards closer, with more light. "
            "Labels that were printed without codes cannot be read."
        )


def read_labels(
    photograph: Path | str, *, name: str = "", sandbox: Sandbox = _SANDBOX, until: float = math.inf
) -> Spread:
    """The labels in the photograph at that path, which is called by `name`, or by its path, in what is said of it.

    Nothing is waited for longer than `until`, by the monotonic clock. Raises PictureError.
    """
    source = name or str(photograph)
    try:
        answers = [*sandbox.ask({"spread": str(Path(photograph).absolute())}, until)]
        return parse_answer(answers[0] if answers else None, Spread)
    except BadFile as error:
        raise PictureError(f"“{sanitize(source)}” {sanitize(str(error))}") from error
    except ChildFailed as error:
        raise PictureError(f"“{sanitize(source)}” {_TAKES_TOO_MUCH}") from error


class DrawnPhotograph(NamedTuple):
    """A photograph with its labels framed and named, as large as it is drawn: a PNG, or the colours of its dots."""

    width: int
    height: int
    content: bytes


class _DrawnReply(msgspec.Struct, frozen=True):
    width: int
    height: int


def draw_labels(
    photograph: Path | str,
    spread: Spread,
    names: Mapping[str, tuple[str, str]],
    *,
    room: tuple[int, int] = (0, 0),
    sandbox: Sandbox = _SANDBOX,
) -> DrawnPhotograph:
    """The photograph with each label framed and named: by its number what it is called, and how it stands to the
    record, which its colour shows. With a `room` of so many dots across and down it is made of those.

    Raises PictureError.
    """
    frames = []
    for label in spread.labels:
        name, standing = names.get(label.number, (label.number, ""))
        frames.append((label.corners, name.translate(_LETTERS), _COLOURS.get(standing, _OTHERS_COLOUR)))
    job: Message = {"drawn": str(Path(photograph).absolute()), "frames": frames, "room": room}
    try:
        answers = [*sandbox.ask(job)]
        size = parse_answer(answers[0] if answers else None, _DrawnReply)
    except (BadFile, ChildFailed) as error:
        raise PictureError(f"“{sanitize(str(photograph))}” {_TAKES_TOO_MUCH}") from error
    return DrawnPhotograph(size.width, size.height, answers[0].enclosed)
