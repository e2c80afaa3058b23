"""Reading of a photograph of a spread deck: the labels on it, and their places.

As with the codes of boxes, a child process opens it (`reader.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from companion.scan import problems
from companion.scan.codes import PictureError
from companion.scan.reader import parse_answer
from companion.tabletop.text import sanitize
from labels.sandbox import BadFile, ChildFailed, Message, Sandbox
from templates.languages.messages import Text, phrase, phrases

_SANDBOX: Final = Sandbox("companion.scan.worker")

_SHARP: Final = 0.63
"""Modules of blur up to which nearly all codes of a photograph are read."""
_LARGE: Final = 4_000_000
"""Pixels of the smallest photograph that a telephone saves by default; messengers send half as many."""
_COLOURS: Final = {
    "here": "#1B6B42",
    "copy": "#A83A12",
    "extra": "#A83A12",
    "foreign": "#6A1E86",
}
"""The colours of labels' frames, by their relation to the record."""
_OTHERS_COLOUR: Final = "#4E5661"
_LETTERS: Final = str.maketrans("♠♥♣♦", "SHCD")
"""The font of the drawn names has no suits."""

Point = tuple[float, float]


class SpreadLabel(msgspec.Struct, frozen=True, array_like=True):
    """A label in a photograph: its number, and the corners of its code.

    The corners are clockwise from the top left of the upright code, in pixels of the upright photograph.
    """

    number: str
    corners: tuple[Point, Point, Point, Point]


class Spread(msgspec.Struct, frozen=True):
    """The labels in a photograph of a deck, and its size in pixels; `blur` is that of the codes, in modules.

    `search_left` means that a quick search found no label, and a longer one may.
    """

    width: int
    height: int
    labels: tuple[SpreadLabel, ...]
    blur: float = 0.0
    search_left: bool = False

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of its labels, from left to right; a number on two labels comes twice."""
        by_place = sorted(self.labels, key=lambda label: sum(x for x, _ in label.corners))
        return tuple(label.number for label in by_place)

    def describe_doubt(self, name: str) -> Text:
        """Return a sentence if a photograph of this name is too small or too blurred for all of its labels; else ""."""
        if self.labels and self.blur <= _SHARP:
            return ""
        photograph = sanitize(name)
        if self.width * self.height < _LARGE:
            pixels = f"{self.width} × {self.height}"
            if not self.labels:
                return phrase(
                    "“{photograph}” is too small ({pixels} pixels): no label can be read; take the photograph as the "
                    "camera saved it, not the copy that a messenger made, or go closer.",
                    photograph=photograph,
                    pixels=pixels,
                )
            return phrases(
                "“{photograph}” is too small ({pixels} pixels): only {n} label can be read; take the photograph as the "
                "camera saved it, not the copy that a messenger made, or go closer.",
                "“{photograph}” is too small ({pixels} pixels): only {n} labels can be read; take the photograph as "
                "the camera saved it, not the copy that a messenger made, or go closer.",
                n=len(self.labels),
                photograph=photograph,
                pixels=pixels,
            )
        if self.labels:
            return phrases(
                "“{photograph}” is too blurred: only {n} label can be read; photograph the cards closer, with more "
                "light.",
                "“{photograph}” is too blurred: only {n} labels can be read; photograph the cards closer, with more "
                "light.",
                n=len(self.labels),
                photograph=photograph,
            )
        return phrase(
            "“{photograph}” is too blurred, or shows no codes: no label can be read; photograph the cards closer, with "
            "more light. Labels that were printed without codes cannot be read.",
            photograph=photograph,
        )


def _describe_excess(photograph: str) -> Text:
    return phrase(
        "“{photograph}” takes more room or time than a photograph may; save it smaller, as JPEG.",
        photograph=sanitize(photograph),
    )


def read_labels(
    photograph: Path | str,
    *,
    name: str = "",
    quickly: bool = False,
    sandbox: Sandbox = _SANDBOX,
    until: float = math.inf,
) -> Spread:
    """Return the labels in the photograph at that path; messages call it by `name`, or by its path.

    `quickly` gives up early on a photograph that seems to show none. Stops at `until`, by the monotonic clock. Raises
    PictureError.
    """
    source = name or str(photograph)
    try:
        job: Message = {"spread": str(Path(photograph).absolute()), "quickly": quickly}
        answers = [*sandbox.ask(job, until)]
        return parse_answer(answers[0] if answers else None, Spread)
    except BadFile as error:
        raise PictureError(problems.describe_problem(source, str(error))) from error
    except ChildFailed as error:
        raise PictureError(_describe_excess(source)) from error


class DrawnPhotograph(NamedTuple):
    """A photograph with its labels framed and named, in its drawn size: a PNG, or the colours of its dots."""

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
    """Draw the photograph with each label framed and named.

    `names` maps a number to the label's name and its relation to the record, which the colour shows. With a `room` of
    dots across and down the result is made of those. Raises PictureError.
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
        raise PictureError(_describe_excess(str(photograph))) from error
    return DrawnPhotograph(size.width, size.height, answers[0].enclosed)
