"""A run: labels imposed onto the sheets at hand, ready to be looked at as a plan and to be printed.

Separate so that the command line and screens alike only ask for labels and say where they go.
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from labels import calibration, cores, margins, pdf, plan, sheet, stocks
from labels.alike import alike
from labels.calibration import Calibration
from labels.errors import LabelError
from labels.label import Label
from labels.pdf import Setup
from labels.plan import AtHand, Plan
from labels.stocks import Stock, Stocks

if TYPE_CHECKING:
    from companion.archive import Archive

STOCK = "18294"
"""The stock where nobody says otherwise."""


class PrintRun(msgspec.Struct, frozen=True):
    """Labels on their positions, and how they are to be printed."""

    plan: Plan
    setup: Setup

    def document(self, watch: pdf.Watch = pdf.unwatched) -> bytes:
        """The PDF. Raises LabelError, naming the label, if one does not fit or cannot be printed."""
        out = BytesIO()
        self.write(out, watch)
        return out.getvalue()

    def write(self, out: BinaryIO, watch: pdf.Watch = pdf.unwatched) -> None:
        """Writes the PDF sheet by sheet, on all cores where that is quicker; raises as `document`."""
        sheets = alike(self.plan.pages, self.plan.stock.room(1))
        pdf.write(out, sheets, self.plan.stock, self.setup, watch=watch, cores=cores.available())

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may go wrong at the edges of the paper, a sentence each."""
        positions = {position for page in self.plan.pages for position in page}
        return tuple(margins.warnings(self.plan.stock, positions, self.setup.calibration))

    @property
    def claims(self) -> Mapping[str, tuple[int, ...]]:
        """The positions that it takes of each sheet with a name."""
        return {imposed.name: tuple(sorted(imposed.labels)) for imposed in self.plan.sheets if imposed.name}

    @property
    def summary(self) -> str:
        """How much it is: `60 labels on 1 sheet of 18294, the last at position 60`."""
        plan = self.plan
        labels = "1 label" if plan.count == 1 else f"{plan.count} labels"
        if plan.stock.roll:
            return f"{labels} on a roll of {plan.stock.name}"
        on = "1 sheet" if len(plan.sheets) == 1 else f"{len(plan.sheets)} sheets"
        return f"{labels} on {on} of {plan.stock.name}, the last at position {max(plan.sheets[-1].labels)}"


def known_stocks() -> Stocks:
    """The stocks that come along, and those in the folder `stocks` of the user's configuration."""
    from platformdirs import user_config_path

    return stocks.look(user_config_path("table-companion", appauthor=False) / "stocks")


def find_stock(name: str | None) -> Stock:
    """The stock of this name or alias, or the usual one. Raises StockError."""
    return stocks.find(name or STOCK, *known_stocks())


def partly_used(stock: Stock, start: int | None, free: str | None) -> tuple[AtHand, ...]:
    """The first sheet of a run, where not all of it is free. Raises PositionError."""
    if free is not None:
        return (AtHand("", sheet.positions(free, stock)),)
    return () if start is None else (AtHand("", sheet.every(stock, start)),)


def remembered(archive: "Archive", names: Sequence[str], stock_name: str | None) -> tuple[Stock, tuple[AtHand, ...]]:
    """The stock of the archive's sheets of these names, and what is free of each.

    Raises Unknown for a sheet that is not at hand, LabelError where they are not all of one stock or fit none.
    """
    from companion.archive import stationery

    rows = [stationery.find_sheet(archive, name) for name in dict.fromkeys(names)]
    stock = find_stock(stock_name or rows[0].stock)
    for row in rows:
        if find_stock(row.stock) != stock:
            raise LabelError(f"The sheet “{row.name}” is of stock {row.stock}, not {stock.name}; print it by itself.")
        if row.count != stock.count:
            raise LabelError(
                f"The sheet “{row.name}” has {row.count} labels, and stock {stock.name} now {stock.count}; put the "
                "sheet away and begin it again."
            )
    distinct = {row.sheet: row for row in rows}.values()
    return stock, tuple(AtHand(row.name, row.free, row.waiting) for row in distinct)


def calibrated(archive: "Archive", printer: str) -> Calibration:
    """What a printer needs. Raises Unknown."""
    from companion.archive import stationery

    row = stationery.find_printer(archive, printer)
    return calibration.checked(Calibration(row.dx, row.dy, row.sx, row.sy))


def impose(
    labels: Sequence[Label], stock: Stock, setup: Setup, at_hand: Sequence[AtHand] = (), wanted: Sequence[int] = ()
) -> PrintRun:
    """A run of the labels, in their order, over the sheets at hand and then over whole ones; as `plan.impose`."""
    return PrintRun(plan.impose(labels, stock, at_hand, wanted), setup)
