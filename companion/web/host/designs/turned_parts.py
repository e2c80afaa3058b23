"""Parts that are turned by a handle: what is seen turns about its middle."""

from __future__ import annotations

from typing import Final

from labels.designs.parts import CodePart, FillPart, FramePart, Part
from labels.editing import frames
from labels.editing.boxes import Frame
from labels.editing.editor import Editor

_QUARTER: Final = 90
_STEP: Final = 15


def turn_step(part: Part) -> int:
    """Return the degrees of a step: codes turn by quarters alone, and other parts by less."""
    return _QUARTER if isinstance(part, CodePart) else _STEP


def turn_part(editor: Editor, part: int, angle: int) -> None:
    """Turn what a part shows to an angle, in degrees clockwise, about its middle. Raises LabelError.

    A quarter turn turns the content in its box, so the sides of the box change places.
    """
    each, old = editor.design.parts[editor.position(part)], editor.frame(part)
    frame = None
    if not isinstance(each, FillPart | FramePart) and _is_upright(each.rotation) != _is_upright(angle):
        frame = _swap_sides(old, frames.label_frame(editor.design, editor.die))
    editor.set_keys(part, {"rotate": angle or None}, frame)


def _is_upright(angle: int) -> bool:
    """Return True if the sides of a box are those of its content as it is read."""
    return angle % 180 != _QUARTER


def _swap_sides(frame: Frame, inner: Frame) -> Frame:
    """Return a frame on its end about the same middle, as far as it stays within the label."""
    width, height = min(frame.height, inner.width), min(frame.width, inner.height)
    left = frame.left + (frame.width - width) / 2
    top = frame.top + (frame.height - height) / 2
    return Frame(
        min(max(left, inner.left), inner.right - width), min(max(top, inner.top), inner.bottom - height), width, height
    )
