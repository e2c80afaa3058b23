"""Labels on sheets: the label protocol, free positions, and the plan before anything is printed."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, groupby, repeat
from typing import Protocol, overload

import msgspec

from labels.drawing.ink import Ink
from labels.errors import LabelError
from labels.geometry import SAFE_MARGIN as SAFE_MARGIN
from labels.geometry import Box
from labels.paper.stocks import Stock
from labels.typesetting import fonts
from templates.languages.messages import Message, phrase, phrases


class Label(Protocol):
    """A label for a card or a box. Equal labels are stored once in a file, so it must be hashable."""

    @property
    def title(self) -> str:
        """The label's name for people."""

    def draw(self, ink: Ink, die: Box) -> None:
        """Draw the label into its die cut, keeping the safe margin. Raises LabelError if something does not fit."""

    def __hash__(self) -> int: ...


class TwoSidedLabel(msgspec.Struct, frozen=True):
    """A label with an optional second label behind it, on the back of the sheet."""

    front: Label
    back: Label | None = None

    @property
    def title(self) -> str:
        """See `Label.title`."""
        return self.front.title

    def draw(self, ink: Ink, die: Box) -> None:
        """Draw the front; see `Label.draw`."""
        self.front.draw(ink, die)


Sheet = Mapping[int, Label]
"""Labels by position, counted from 1 in the stock's order."""


class PositionError(LabelError):
    """A position that cannot be parsed or that the stock does not have."""


def all_positions(stock: Stock, start: int = 1) -> tuple[int, ...]:
    """Return the positions of a sheet from `start` on. Raises PositionError if the stock has no such position."""
    _check_position(start, stock)
    return tuple(range(start, stock.count + 1))


def parse_positions(text: str, stock: Stock) -> tuple[int, ...]:
    """Return the positions in a list such as `3,7,20-40`, in their order on the sheet.

    Raises PositionError if a part cannot be parsed, is repeated, or is not on the stock.
    """
    numbers: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,4})\s*(?:[-–]\s*(\d{1,4})\s*)?", part, re.ASCII)
        if match is None:
            raise PositionError(
                phrase("“{text}” is not a position; write numbers and ranges, as in 3,7,20-40.", text=part.strip())
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise PositionError(
                phrase(
                    "The range {written} runs backwards; write {right_way}.",
                    written=f"{first}-{last}",
                    right_way=f"{last}-{first}",
                )
            )
        for end in (first, last):
            _check_position(end, stock)
        numbers.extend(range(first, last + 1))
    if len(set(numbers)) < len(numbers):
        twice = next(position for position in numbers if numbers.count(position) > 1)
        raise PositionError(phrase("Position {position} is named twice.", position=str(twice)))
    return tuple(sorted(numbers))


def place_labels(labels: Sequence[Label], stock: Stock, at_hand: Iterable[Sequence[int]] = ()) -> tuple[Sheet, ...]:
    """Place the labels, in order, on the free positions of the sheets `at_hand`, then on whole sheets.

    A sheet at hand is given by its free positions, filled in the order of the sheet. Empty sheets are left out.
    """
    return tuple(filter(None, fill_sheets(labels, stock, at_hand)))


def fill_sheets(
    labels: Sequence[Label], stock: Stock, at_hand: Iterable[Sequence[int]] = (), wanted: Sequence[int] = ()
) -> Iterator[Sheet]:
    """Yield sheets until all labels are placed, those at hand first. Some may stay empty.

    `wanted` has the required position of each label, in any order, or 0 for labels that take the next position no other
    label requires. If a position is taken or not free, the next sheet begins. Raises PositionError for a position that
    the stock does not have.
    """
    for position in filter(None, wanted):
        _check_position(position, stock)
    whole, first = all_positions(stock), 0
    for free in chain(map(sorted, at_hand), repeat(whole)):
        if first == len(labels):
            return
        taken = _next_positions(free, len(labels) - first, wanted[first : first + len(free)])
        yield _FilledSheet(labels, first, taken)
        first += len(taken)


def _next_positions(free: Sequence[int], count: int, wanted: Sequence[int]) -> Sequence[int]:
    """Return the positions of a sheet for the next labels, in their order, as many as fit."""
    if not any(wanted):
        return free[:count]
    # Positions required on this sheet are reserved, whichever label comes first.
    reserved = set[int]()
    for position in filter(None, wanted):
        if position in reserved or position not in free:
            break
        reserved.add(position)
    taken, last = list[int](), 0
    for position in wanted:
        if position:
            if position in taken or position not in free:
                break
            last = position
        else:
            last = next((each for each in free if each > last and each not in reserved and each not in taken), 0)
            if not last:
                break
        taken.append(last)
    return taken


class _FilledSheet(Mapping[int, Label]):
    """Consecutive labels, from `first` on, at positions of a sheet. Each is read on access."""

    def __init__(self, labels: Sequence[Label], first: int, positions: Sequence[int]) -> None:
        self._labels = labels
        self._first = first
        self._offsets = _offsets(tuple(positions))

    def __getitem__(self, position: int) -> Label:
        return self._labels[self._first + self._offsets[position]]

    def __iter__(self) -> Iterator[int]:
        return iter(self._offsets)

    def __len__(self) -> int:
        return len(self._offsets)


@lru_cache(maxsize=8)
def _offsets(positions: tuple[int, ...]) -> Mapping[int, int]:
    """Return the place of each position among these. Whole sheets of a run share the answer."""
    return {position: offset for offset, position in enumerate(positions)}


class TwoSidedPages(Sequence[Sheet]):
    """The front of each sheet followed by its back. Each is made on access."""

    def __init__(self, sheets: Sequence[Sheet], stock: Stock) -> None:
        self._sheets = sheets
        self._stock = stock

    def __len__(self) -> int:
        return 2 * len(self._sheets)

    @overload
    def __getitem__(self, index: int) -> Sheet: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Sheet]: ...

    def __getitem__(self, index: int | slice) -> Sheet | Sequence[Sheet]:
        if isinstance(index, slice):
            return tuple(map(self.__getitem__, range(*index.indices(len(self)))))
        if not 0 <= index < len(self):
            raise IndexError(index)
        number, is_back = divmod(index, 2)
        page = dict(self._sheets[number])
        sides = {at: label if isinstance(label, TwoSidedLabel) else TwoSidedLabel(label) for at, label in page.items()}
        if is_back:
            return {self._stock.mirrored_position(at): both.back for at, both in sides.items() if both.back is not None}
        return {at: both.front for at, both in sides.items()}


def _check_position(position: int, stock: Stock) -> None:
    if not 1 <= position <= stock.count:
        raise PositionError(
            phrase(
                "Stock {stock} has positions 1 to {last}, not {position}.",
                stock=stock.name,
                last=str(stock.count),
                position=str(position),
            )
        )


FREE, USED, WAITING, NOW = "·", "×", "?", "■"


class AvailableSheet(msgspec.Struct, frozen=True):
    """A sheet to print on: its name, "" if none, its free positions, and those printed without a reported result."""

    name: str
    free: tuple[int, ...]
    waiting: tuple[int, ...] = ()


class ImposedSheet(msgspec.Struct, frozen=True):
    """A sheet of a run: its labels, the positions free before, and those that wait for a result."""

    name: str
    labels: Sheet
    before: tuple[int, ...]
    waiting: tuple[int, ...] = ()

    @property
    def free_positions(self) -> tuple[int, ...]:
        """The positions that stay free."""
        return tuple(position for position in self.before if position not in self.labels)

    @property
    def signs(self) -> Mapping[int, str]:
        """The sign of each position that is not used up, after the run."""
        return position_signs(self.free_positions, self.waiting, tuple(self.labels))


class SheetPlan(msgspec.Struct, frozen=True):
    """A run imposed onto sheets of one stock, in the order of printing."""

    stock: Stock
    sheets: tuple[ImposedSheet, ...]

    @property
    def pages(self) -> tuple[Sheet, ...]:
        """The labels of each page."""
        return tuple(imposed.labels for imposed in self.sheets)

    @property
    def count(self) -> int:
        """The number of labels in the run."""
        return sum(len(imposed.labels) for imposed in self.sheets)


def impose(
    labels: Sequence[Label], stock: Stock, at_hand: Sequence[AvailableSheet] = (), wanted: Sequence[int] = ()
) -> SheetPlan:
    """Place the labels, in order, on the free positions of the sheets at hand, then on whole sheets.

    `wanted` is as for `fill_sheets`. Raises PositionError.
    """
    begun = [hand for hand in at_hand if hand.free]
    hands = chain(begun, repeat(AvailableSheet("", all_positions(stock))))
    filled = fill_sheets(labels, stock, [hand.free for hand in begun], wanted)
    placed = zip(filled, hands, strict=False)
    return SheetPlan(
        stock, tuple(ImposedSheet(hand.name, page, hand.free, hand.waiting) for page, hand in placed if page)
    )


def describe_plan(plan: SheetPlan) -> Iterator[str]:
    """Yield the plan in lines: for each sheet its map and the labels by position; for a roll the order of labels."""
    if plan.stock.roll:
        roll = phrases(
            "Roll of {stock}: {count} label.",
            "Roll of {stock}: {count} labels.",
            n=plan.count,
            stock=plan.stock.name,
            count=str(plan.count),
        )
        yield str(roll)
        in_order = [page[position] for page in plan.pages for position in sorted(page)]
        yield from _label_lines(dict(enumerate(in_order, 1)))
        return
    for number, imposed in enumerate(plan.sheets, 1):
        yield str(_describe_sheet(number, imposed, plan.stock))
        yield from draw_map(plan.stock, imposed.signs)
        yield from _label_lines(imposed.labels)


def _describe_sheet(number: int, imposed: ImposedSheet, stock: Stock) -> Message:
    """Return a sheet's number, its name or state, and its labels."""
    printed, free = len(imposed.labels), len(imposed.free_positions)
    if imposed.name:
        return phrases(
            "Sheet {number} (“{sheet}”): {n} label, {free} free afterwards.",
            "Sheet {number} (“{sheet}”): {n} labels, {free} free afterwards.",
            n=printed,
            number=str(number),
            sheet=imposed.name,
            free=free,
        )
    if len(imposed.before) == stock.count:
        return phrases(
            "Sheet {number} (new): {n} label, {free} free afterwards.",
            "Sheet {number} (new): {n} labels, {free} free afterwards.",
            n=printed,
            number=str(number),
            free=free,
        )
    return phrases(
        "Sheet {number} (partly used): {n} label, {free} free afterwards.",
        "Sheet {number} (partly used): {n} labels, {free} free afterwards.",
        n=printed,
        number=str(number),
        free=free,
    )


def _label_lines(labels: Sheet) -> Iterator[str]:
    """Yield the label of each position. Equal neighbours share a line."""
    for label, positions in groupby(sorted(labels), key=labels.__getitem__):
        yield f"  {format_positions(tuple(positions)):>7}  {label_title(label)}"


def label_title(label: Label) -> str:
    """Return a label's title on one line, with its card if it has one."""
    card, title = getattr(label, "card", ""), fonts.on_one_line(label.title)
    return f"{title} ({card})" if card else title


def format_positions(positions: Sequence[int]) -> str:
    """Format positions as a list that can be typed: `3,7,20-40`."""
    runs = [
        [position for _, position in group]
        for _, group in groupby(enumerate(sorted(positions)), key=lambda each: each[1] - each[0])
    ]
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def position_signs(free: Sequence[int], waiting: Sequence[int], now: Sequence[int] = ()) -> dict[int, str]:
    """Return the sign of each position that is not used."""
    return {**dict.fromkeys(waiting, WAITING), **dict.fromkeys(free, FREE), **dict.fromkeys(now, NOW)}


def draw_map(stock: Stock, signs: Mapping[int, str], *, numbered: bool = True) -> Iterator[str]:
    """Yield the lines of a sheet's map: each position's number with its sign, or with the sign for used ones.

    Without `numbered` only the signs are drawn, for small spaces.
    """
    width = len(str(stock.count))
    cells = {stock.cell(position): position for position in range(1, stock.count + 1)}
    for row in range(stock.rows):
        positions = [cells[column, row] for column in range(stock.columns)]
        numbers = (f"{position:>{width}}" if numbered else "" for position in positions)
        yield "  " + "  ".join(f"{number}{signs.get(at, USED)}" for number, at in zip(numbers, positions, strict=True))


KEY = phrase(
    "{free} free   {used} used   {now} printed now   {waiting} printed, but nobody has said how it came out",
    free=FREE,
    used=USED,
    now=NOW,
    waiting=WAITING,
)
"""The key to the signs of a map."""
