"""The plan of a run before it is printed: which label on which position of which sheet, and what stays free.

Separate because it only looks at positions: it needs no paper, and it can be asked long before anything is drawn.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby, repeat

import msgspec

from labels import fonts, sheet
from labels.label import Label
from labels.sheet import Sheet
from labels.stocks import Stock

FREE, USED, WAITING, NOW = "·", "×", "?", "■"


class AtHand(msgspec.Struct, frozen=True):
    """A sheet to print on: what it is called ("" where it has no name), its free positions, and those that were printed
    before, but nobody has said how they came out.
    """

    name: str
    free: tuple[int, ...]
    waiting: tuple[int, ...] = ()


class ImposedSheet(msgspec.Struct, frozen=True):
    """A sheet of a run: what comes onto it, what was free before, and what waits there for an answer."""

    name: str
    labels: Sheet
    before: tuple[int, ...]
    waiting: tuple[int, ...] = ()

    @property
    def left(self) -> tuple[int, ...]:
        """The positions that stay free."""
        return tuple(position for position in self.before if position not in self.labels)

    @property
    def signs(self) -> Mapping[int, str]:
        """The sign of each position that is not used up, once the run is printed."""
        return signs(self.left, self.waiting, tuple(self.labels))


class Plan(msgspec.Struct, frozen=True):
    """A run imposed onto sheets of one stock, in the order of printing."""

    stock: Stock
    sheets: tuple[ImposedSheet, ...]

    @property
    def pages(self) -> tuple[Sheet, ...]:
        """What is printed on each page."""
        return tuple(imposed.labels for imposed in self.sheets)

    @property
    def count(self) -> int:
        """How many labels are printed."""
        return sum(len(imposed.labels) for imposed in self.sheets)


def impose(labels: Sequence[Label], stock: Stock, at_hand: Sequence[AtHand] = (), wanted: Sequence[int] = ()) -> Plan:
    """Puts the labels, in their order, on what is free of the sheets at hand, then on whole sheets.

    `wanted` is as `sheet.fill` has it. Raises PositionError.
    """
    begun = [hand for hand in at_hand if hand.free]
    hands = chain(begun, repeat(AtHand("", sheet.every(stock))))
    filled = sheet.fill(labels, stock, [hand.free for hand in begun], wanted)
    placed = zip(filled, hands, strict=False)
    return Plan(stock, tuple(ImposedSheet(hand.name, page, hand.free, hand.waiting) for page, hand in placed if page))


def told(plan: Plan) -> Iterator[str]:
    """The plan in lines: for each sheet its map, and below it what comes where; of a roll, what comes after what."""
    if plan.stock.roll:
        yield f"Roll of {plan.stock.name}: {_counted(plan.count)}."
        yield from _lines({number: label for number, page in enumerate(plan.pages, 1) for label in page.values()})
        return
    for number, imposed in enumerate(plan.sheets, 1):
        called = (
            f"“{imposed.name}”" if imposed.name else "new" if len(imposed.before) == plan.stock.count else "partly used"
        )
        left = f"{len(imposed.left)} free afterwards"
        yield f"Sheet {number} ({called}): {_counted(len(imposed.labels))}, {left}."
        yield from chart(plan.stock, imposed.signs)
        yield from _lines(imposed.labels)


def _counted(count: int) -> str:
    return "1 label" if count == 1 else f"{count} labels"


def _lines(labels: Sheet) -> Iterator[str]:
    """Which label on which position; neighbours that are alike on one line."""
    for label, positions in groupby(sorted(labels), key=labels.__getitem__):
        yield f"  {span(tuple(positions)):>7}  {named(label)}"


def named(label: Label) -> str:
    """A label's title on one line, and the card it goes on where it knows one."""
    card, title = getattr(label, "card", ""), fonts.on_one_line(label.title)
    return f"{title} ({card})" if card else title


def span(positions: Sequence[int]) -> str:
    """Positions as a list to read and to type: `3,7,20-40`."""
    runs = [
        [position for _, position in group]
        for _, group in groupby(enumerate(sorted(positions)), key=lambda each: each[1] - each[0])
    ]
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def signs(free: Sequence[int], waiting: Sequence[int], now: Sequence[int] = ()) -> dict[int, str]:
    """The sign of each position that is not used."""
    return {**dict.fromkeys(waiting, WAITING), **dict.fromkeys(free, FREE), **dict.fromkeys(now, NOW)}


def chart(stock: Stock, signs: Mapping[int, str], *, numbered: bool = True) -> Iterator[str]:
    """The sheet as it lies before you: each position's number with its sign, or that of a used one.

    Not `numbered` is only the signs, for where there is little room.
    """
    width = len(str(stock.count))
    cells = {stock.cell(position): position for position in range(1, stock.count + 1)}
    for row in range(stock.rows):
        positions = [cells[column, row] for column in range(stock.columns)]
        told = (f"{position:>{width}}" if numbered else "" for position in positions)
        yield "  " + "  ".join(f"{number}{signs.get(at, USED)}" for number, at in zip(told, positions, strict=True))


KEY = f"{FREE} free   {USED} used   {NOW} printed now   {WAITING} printed, but nobody has said how it came out"
"""What the signs of a chart mean."""
