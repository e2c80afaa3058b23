"""The parts of a design as frames on a label: aligned with each other, and drawn to edges and middles nearby."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple, get_args

from labels.designs.own import Design, part_area
from labels.editing.boxes import Frame
from labels.geometry import MM, Box

Edge = Literal["left", "centre", "right", "top", "middle", "bottom"]
"""An edge or the middle of frames, across or down."""
EDGES: Final = get_args(Edge)
SNAP_DISTANCE: Final = 1.0 * MM
"""A frame is drawn to a line that is no further away than this, in points."""
Direction = Literal["across", "down"]
"""The direction in which frames are spaced evenly."""
DIRECTIONS: Final = get_args(Direction)

_ACROSS: Final = ("left", "centre", "right")


class Guides(NamedTuple):
    """The lines of a label that frames are drawn to: distances from its left and from its top edge, in points."""

    across: tuple[float, ...]
    down: tuple[float, ...]


class Snap(NamedTuple):
    """A frame that was drawn to lines, and these lines; None if none is near."""

    frame: Frame
    across: float | None
    down: float | None


def find_frames(design: Design, die: Box) -> tuple[Frame, ...]:
    """Return the frames of all parts on a label, also of those that leave it."""
    frames = []
    for part in design.parts:
        area = part_area(part, design, die)
        box = part.place.box(area.width, area.height).translate(area.x, area.y)
        frames.append(_frame_of(box, die))
    return tuple(frames)


def find_areas(design: Design, die: Box) -> tuple[Frame, ...]:
    """Return the area that the box of each part is measured on."""
    return tuple(_frame_of(part_area(part, design, die), die) for part in design.parts)


def find_guides(design: Design, die: Box, moving: Iterable[int] = ()) -> Guides:
    """Return the lines of a label: its edges, middle and margins, and the edges and middles of its parts.

    `moving` are the parts, from 0, that are moved and have no lines.
    """
    left_out = set(moving)
    others = [frame for part, frame in enumerate(find_frames(design, die)) if part not in left_out]
    label = _frame_of(die.around, die)
    inner = _frame_of(die.inset(design.margin), die)
    frames = [label, inner, *others]
    return Guides(
        tuple(sorted({round(at, 3) for frame in frames for at in _stops(frame.left, frame.width)})),
        tuple(sorted({round(at, 3) for frame in frames for at in _stops(frame.top, frame.height)})),
    )


def snap(frame: Frame, guides: Guides, distance: float = SNAP_DISTANCE) -> Snap:
    """Move a frame so that an edge or its middle lies on the nearest line, across and down."""
    right, across = _nearest(_stops(frame.left, frame.width), guides.across, distance)
    down, line = _nearest(_stops(frame.top, frame.height), guides.down, distance)
    return Snap(frame.move(right, down), across, line)


def align(frames: Sequence[Frame], edge: Edge, among: Frame | None = None) -> list[Frame]:
    """Align frames to an edge or the middle of the smallest frame around them, or of another one, `among`."""
    around = among or _surround(frames)
    aligned = []
    for frame in frames:
        share = EDGES.index(edge) % len(_ACROSS) / 2
        if edge in _ACROSS:
            aligned.append(frame._replace(left=around.left + (around.width - frame.width) * share))
        else:
            aligned.append(frame._replace(top=around.top + (around.height - frame.height) * share))
    return aligned


def distribute(frames: Sequence[Frame], direction: Direction) -> list[Frame]:
    """Space frames evenly between the first and the last of them, so that the gaps between them are equal."""
    start, length = ("left", "width") if direction == "across" else ("top", "height")
    order = sorted(range(len(frames)), key=lambda number: getattr(frames[number], start))
    taken = sum(getattr(frame, length) for frame in frames)
    last, at = frames[order[-1]], getattr(frames[order[0]], start)
    gap = (getattr(last, start) + getattr(last, length) - at - taken) / max(1, len(frames) - 1)
    spaced = list(frames)
    for number in order:
        spaced[number] = frames[number]._replace(**{start: at})
        at += getattr(frames[number], length) + gap
    return spaced


def label_frame(design: Design, die: Box) -> Frame:
    """Return the frame that parts are aligned to on a label: its area inside the margin."""
    return _frame_of(die.inset(design.margin), die)


def _surround(frames: Sequence[Frame]) -> Frame:
    left, top = min(frame.left for frame in frames), min(frame.top for frame in frames)
    right, bottom = max(frame.right for frame in frames), max(frame.bottom for frame in frames)
    return Frame(left, top, right - left, bottom - top)


def _stops(start: float, length: float) -> tuple[float, float, float]:
    return start, start + length / 2, start + length


def _nearest(stops: Iterable[float], lines: Sequence[float], distance: float) -> tuple[float, float | None]:
    """Return by how much to move to the nearest line, and the line."""
    near = [(abs(line - stop), line - stop, line) for stop in stops for line in lines]
    apart, by, line = min(near, default=(distance + 1, 0.0, 0.0))
    return (by, line) if apart <= distance else (0.0, None)


def _frame_of(box: Box, die: Box) -> Frame:
    around = die.around
    return Frame(box.x - around.x, around.top - box.top, box.width, box.height)
