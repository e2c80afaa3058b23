"""The editor of a design: edits that keep it valid, and their history."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from labels import designfile, handwritten
from labels.designfile import DesignError
from labels.designs.own import Area, Design, Specimen
from labels.editing import edits, frames
from labels.editing.boxes import WHOLE, Frame, is_near_box, write_frame
from labels.editing.frames import Direction, Edge
from labels.editing.scanner import BYTE_ORDER_MARK, DesignText, scan_design
from labels.editing.values import Value, write_value
from labels.errors import LabelError
from labels.geometry import Box
from labels.paper.stocks import Stock
from templates.languages.messages import phrase

PART_KINDS: Final = ("text", "code", "picture", "fill", "frame")
"""The kinds of parts."""
DESIGN_KEYS: Final = ("title", "stock", "margin", "language", "area")
"""The keys of a design that can be changed. With another unit, all numbers would be other lengths."""

_NOTHING: Final = "[0, 0, 0, 0]"
_MOST_CHANGES: Final = 2_000


FindStock = Callable[[str], Stock]


class Change(NamedTuple):
    """A change of a design's text: its position, and the text and the parts before and after."""

    start: int
    before: str
    after: str
    parts_before: tuple[int, ...]
    parts_after: tuple[int, ...]


class Editor:
    """A design file that is edited.

    Parts are called by ids that they keep when others are added, removed or reordered. All lengths are in points, from
    the left and top edge of a label of the stock. Each edit raises LabelError if the design could then not be read, or
    if it no longer fits on the stock; nothing is changed in this case. A design that does not fit yet may be changed in
    any way that can be read.

    Args:
        text: The text of the file, with any line breaks.
        name: The name of the design.
        source: The name of its file in errors.
        find_stock: Return the stock of a name, or the default one for "". Raises LabelError for unknown names.
        beside: The folder of its pictures.

    Raises:
        DesignError: The design cannot be read, or its parts cannot be edited one by one.
    """

    def __init__(self, text: str, name: str, source: str, find_stock: FindStock, beside: str = "") -> None:
        self.name = name
        self._source = source
        self._beside = beside
        self._find_stock = find_stock
        self.text: str
        self.design: Design
        self._scan: DesignText
        self.fits: bool
        self._stock: Stock | None = None
        self._show(text, self._parse(text))
        if self._scan.find("part") is not None:
            raise DesignError(
                phrase(
                    "“{file}” has its parts in one list, which cannot be edited here; write [[part]] above each part.",
                    file=source,
                )
            )
        self.parts: tuple[int, ...] = tuple(range(1, len(self.design.parts) + 1))
        self._next_part = len(self.parts) + 1
        self._changes: list[Change] = []
        self._undone: list[Change] = []
        self._original: dict[tuple[int | None, str], str | None] = {}
        """The first value of each changed key, as it was written, by the part and the key; None if there was none."""

    @property
    def die(self) -> Box:
        """The room of a label of the stock."""
        return self.stock.room(1)

    @property
    def stock(self) -> Stock:
        """The labels that the design is edited for."""
        if self._stock is None:
            self._stock = self._find_stock(self.design.stock)
        return self._stock

    @property
    def can_undo(self) -> bool:
        """Return True if there is a change to undo."""
        return bool(self._changes)

    @property
    def can_redo(self) -> bool:
        """Return True if there is a change to redo."""
        return bool(self._undone)

    def check(self) -> None:
        """Raise LabelError if the design does not fit on the stock."""
        Specimen(self.design).check(self.stock)

    def position(self, part: int) -> int:
        """Return the position of a part, from 0. Raises LabelError if it is no longer there."""
        if part not in self.parts:
            raise LabelError(phrase("This part is no longer there; choose another one."))
        return self.parts.index(part)

    def frame(self, part: int) -> Frame:
        """Return the frame of a part."""
        return frames.find_frames(self.design, self.die)[self.position(part)]

    def value(self, part: int | None, key: str) -> Value | None:
        """Return the value of a key of a part, or of the design, as the file has it; None if it is not there."""
        number = None if part is None else self.position(part)
        value: Value | None = _values(self.text, number).get(key)
        return value

    def add_part(
        self,
        kind: str,
        source: str,
        frame: Frame,
        position: int | None = None,
        values: Mapping[str, Value] = MappingProxyType({}),
    ) -> int:
        """Add a part with a frame of its own and further keys, by default above all others. Return its id."""
        number = len(self.parts) if position is None else position
        body = edits.write_part([(kind, source), *values.items()], self._scan.newline)
        text = edits.add_part(self._scan, number, body)
        part = self._next_part
        self._commit(self._place(text, number, frame), (*self.parts[:number], part, *self.parts[number:]))
        self._next_part += 1
        return part

    def copy_part(self, part: int, frame: Frame) -> int:
        """Add a copy of a part with a frame of its own right above it. Return its id."""
        number = self.position(part) + 1
        text = edits.add_part(self._scan, number, edits.read_part(self._scan, number - 1))
        copy = self._next_part
        self._commit(self._place(text, number, frame), (*self.parts[:number], copy, *self.parts[number:]))
        self._next_part += 1
        return copy

    def remove_part(self, part: int) -> None:
        """Remove a part."""
        self.remove_parts([part])

    def remove_parts(self, parts: Iterable[int]) -> None:
        """Remove several parts in one change. Raises LabelError if none would be left."""
        scan, left = self._scan, self.parts
        for part in parts:
            self.position(part)
            if len(left) == 1:
                raise LabelError(phrase("A design has one part at least; add another one first."))
            scan = scan_design(edits.remove_part(scan, left.index(part)))
            left = tuple(each for each in left if each != part)
        self._commit(scan.text, left)

    def reorder_part(self, part: int, position: int) -> None:
        """Move a part to another position in the order in which parts are drawn, from 0."""
        parts = [each for each in self.parts if each != part]
        position = min(max(0, position), len(parts))
        text = edits.reorder_part(self._scan, self.position(part), position)
        self._commit(text, (*parts[:position], part, *parts[position:]))

    def place_part(self, part: int, frame: Frame) -> None:
        """Move and resize a part."""
        self.place_parts([(part, frame)])

    def place_parts(self, placements: Iterable[tuple[int, Frame]]) -> None:
        """Move and resize several parts in one change."""
        text = self.text
        for part, frame in placements:
            text = self._place(text, self.position(part), frame, part)
        self._commit(text, self.parts)

    def move_part(self, part: int, right: float, down: float) -> None:
        """Move a part by points."""
        self.place_part(part, self.frame(part).move(right, down))

    def move_parts(self, parts: Iterable[int], right: float, down: float) -> None:
        """Move several parts by points in one change."""
        self.place_parts([(part, self.frame(part).move(right, down)) for part in parts])

    def distribute_parts(self, parts: Sequence[int], direction: Direction) -> None:
        """Space parts evenly between the first and the last of them."""
        self.place_parts(zip(parts, frames.distribute(list(map(self.frame, parts)), direction), strict=True))

    def align_parts(self, parts: Sequence[int], edge: Edge, *, to_label: bool = False) -> None:
        """Align parts with each other, or with the area of the label inside its margin."""
        among = frames.label_frame(self.design, self.die) if to_label else None
        self.place_parts(zip(parts, frames.align(list(map(self.frame, parts)), edge, among), strict=True))

    def set_key(self, part: int | None, key: str, value: Value | None) -> None:
        """Change a key of a part, or of the design if `part` is None. None removes the key."""
        self.set_keys(part, {key: value})

    def set_keys(self, part: int | None, values: Mapping[str, Value | None], frame: Frame | None = None) -> None:
        """Change several keys of a part, and its frame if one is given, in one change."""
        for key in values:
            if part is None and key not in DESIGN_KEYS:
                raise DesignError(
                    phrase("“{key}” cannot be changed here; change it in the file, and open it again.", key=key)
                )
        number = None if part is None else self.position(part)
        scan, before = self._scan, _values(self.text, number)
        for key, value in values.items():
            old = edits.read_token(scan, number, key)
            token = None if value is None else old
            if value is not None and not _is_same(before.get(key), value):
                token = write_value(value, old, scan.newline)
                original = self._original.get((part, key))
                if original is not None and _is_same(_parse_value(original), value):
                    token = original
            scan = scan_design(_set_token(scan, number, key, token))
        text = scan.text
        if number is not None and frame is not None:
            text = self._place(text, number, frame, part)
        first = {(part, key): edits.read_token(self._scan, number, key) for key in values}
        self._commit(text, self.parts)
        self._original = first | self._original

    @contextmanager
    def one_change(self) -> Iterator[None]:
        """Make all changes of the block one change to undo. If one of them is refused, none is made."""
        text, parts, changes, undone = self.text, self.parts, self._changes[:], self._undone[:]
        try:
            yield
        except LabelError:
            self._changes, self._undone = changes, undone
            self._show(text, self._parse(text))
            self.parts = parts
            raise
        if self.text != text:
            self._changes = [*changes, Change(0, text, self.text, parts, self.parts)][-_MOST_CHANGES:]

    def undo(self) -> None:
        """Undo the last change, if there is one."""
        if self._changes:
            change = self._changes.pop()
            self._undone.append(change)
            self._replace(change.start, change.after, change.before, change.parts_before)

    def redo(self) -> None:
        """Make the change again that was undone last, if there is one."""
        if self._undone:
            change = self._undone.pop()
            self._changes.append(change)
            self._replace(change.start, change.before, change.after, change.parts_after)

    def _replace(self, start: int, before: str, after: str, parts: tuple[int, ...]) -> None:
        text = f"{self.text[:start]}{after}{self.text[start + len(before) :]}"
        self._show(text, self._parse(text))
        self.parts = parts

    def _commit(self, text: str, parts: tuple[int, ...]) -> None:
        """Make an edit, or raise LabelError and make none."""
        if text == self.text:
            return
        text, design = self._settle(text)
        if self.fits:
            Specimen(design).check(self.stock if design.stock == self.design.stock else self._find_stock(design.stock))
        start = _common_start(self.text, text)
        end = _common_start(self.text[start:][::-1], text[start:][::-1])
        before, after = self.text[start : len(self.text) - end], text[start : len(text) - end]
        self._changes.append(Change(start, before, after, self.parts, parts))
        del self._changes[:-_MOST_CHANGES]
        self._undone.clear()
        self._show(text, design)
        self.parts = parts

    def _show(self, text: str, design: Design) -> None:
        if self._stock is not None and design.stock != self.design.stock:
            self._stock = None
        self.text, self.design, self._scan = text, design, scan_design(text)
        try:
            self.check()
        except LabelError:
            self.fits = False
        else:
            self.fits = True

    def _settle(self, text: str) -> tuple[str, Design]:
        """Return an edited text and its design. Parts that the edit does not concern stay where they are.

        If the design does not choose the area of round labels, it depends on all parts, so the one that it had is
        written down.
        """
        design = self._parse(text)
        if design.area is None and self.design.area is None and design.spans_round != self.design.spans_round:
            area: Area = "label" if self.design.spans_round else "inside"
            text = edits.set_value(scan_design(text), None, "area", area)
            design = self._parse(text)
        return text, design

    def _parse(self, text: str) -> Design:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise DesignError(
                phrase("“{file}” would have half of a symbol, which cannot be saved; type it anew.", file=self._source)
            ) from error
        return designfile.parse_design(_plain(text), self.name, self._source, self._beside)

    def _place(self, text: str, number: int, frame: Frame, part: int | None = None) -> str:
        """Return the text with a frame for a part. A new part has no id yet."""
        text, design = self._settle(text)
        scan, area = scan_design(text), frames.find_areas(design, self.die)[number]
        unit = str(_values(text, None).get("unit", "mm"))
        old = edits.read_token(scan, number, "box")
        if part is None and any(each.place.has_lengths for each in self.design.parts):
            array, before = _NOTHING, Frame(area.left, area.top, 0, 0)
        else:
            array, before = old or WHOLE, frames.find_frames(design, self.die)[number]
        token: str | None = write_frame(array, before, frame, (area.width, area.height), unit)
        if old is None and token == WHOLE:
            return text
        if part is not None:
            original = self._original.setdefault((part, "box"), old)
            if is_near_box(token or WHOLE, original or WHOLE, unit):
                token = original
        return _set_token(scan, number, "box", token)


def _common_start(one: str, other: str) -> int:
    """Return how many characters two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (symbol, another) in pairs if symbol != another), min(len(one), len(other)))


def _plain(text: str) -> str:
    """Return a text as readers of files pass it on."""
    return text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")


def _set_token(scan: DesignText, number: int | None, key: str, token: str | None) -> str:
    """Write the value of a key, or remove the key if there is no value."""
    return edits.remove_key(scan, number, key) if token is None else edits.set_token(scan, number, key, token)


def _values(text: str, number: int | None) -> dict[str, Any]:
    """Return the values of the design, or of a part."""
    content = handwritten.parse(_plain(text))
    values: dict[str, Any] = content if number is None else content["part"][number]
    return values


def _parse_value(token: str) -> object:
    return handwritten.parse(f"value = {_plain(token)}")["value"]


def _is_same(one: object, other: object) -> bool:
    """Return True if two values of a key are the same; true is not 1."""
    if isinstance(other, tuple):
        other = list(other)
    return isinstance(one, bool) == isinstance(other, bool) and one == other
