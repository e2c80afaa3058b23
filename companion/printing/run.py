"""A run: labels imposed onto the sheets at hand, which sheet is fed first, and the PDF with its preview as files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from io import BytesIO
from itertools import count, groupby
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

import msgspec

from labels import calibration, pdf, sheet, stocks
from labels.calibration import Calibration
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel
from labels.equal_sizes import equalize_sizes
from labels.errors import LabelError
from labels.geometry import UNITS, is_paper, parse_paper
from labels.layout import shows_code
from labels.pdf import Setup
from labels.sheet import AvailableSheet, ImposedSheet, Label, Plan, label_title
from labels.stocks import Stock, Stocks

if TYPE_CHECKING:
    from companion.archive import Archive


_MAX_NAMED: Final = 5
_FEEDING_ADVICE = (
    "One sheet at a time, from the manual tray if there is one, lying as plain paper does; an arrow drawn on plain "
    "paper shows which side is printed and which end is the top."
)
_BACK_ADVICE = (
    "Every second page is the back of the one before it: print on both sides, and turn the sheets over their long edge."
)


def feeding_advice(plan: Plan) -> tuple[str, ...]:
    """What to put into the printer, in its order, and which way round, a sentence or two each."""
    stock = plan.stock
    if stock.roll:
        sides = tuple(f"{length / UNITS[stock.unit]:.4g}" for length in stock.page_size)
        size = " × ".join(reversed(sides) if stock.turned else sides)
        turned = ", turned" if stock.turned else ""
        return (
            f"Put in the roll {stock.name}, and choose {size} {stock.unit}{turned} as paper: {stock.feed}. "
            "A roll needs no calibration, and nobody keeps count of it.",
        )
    first, *others = _describe_sheets(plan.sheets, stock)
    return f"Feed first {first}{''.join(f', then {other}' for other in others)}.", _FEEDING_ADVICE


def _describe_sheets(sheets: Sequence[ImposedSheet], stock: Stock) -> Iterator[str]:
    for description, group in groupby(_describe_sheet(imposed, stock) for imposed in sheets):
        count = len(list(group))
        yield description if count == 1 else f"{count} fresh sheets of {stock.name}"


def _describe_sheet(sheet: ImposedSheet, stock: Stock) -> str:
    """One sheet, by its name where it has one, and whether it is half used."""
    used = stock.count - len(sheet.before)
    if sheet.name:
        return f"the sheet “{sheet.name}” ({used} of {stock.count} used)" if used else f"the fresh sheet “{sheet.name}”"
    return (
        f"a half-used sheet of {stock.name} ({used} of {stock.count} used)"
        if used
        else f"a fresh sheet of {stock.name}"
    )


def paper_advice(stock: Stock, usual: str) -> str:
    """What to mind where a stock's page is not the paper that is usual here; "" where it is, or none is said."""
    if stock.roll or not is_paper(usual) or stock.paper.fits(own := parse_paper(usual)):
        return ""
    return (
        f"These labels are on {stock.paper.title}, and your paper is {own.title}: choose {stock.paper.title} where you "
        "print, or everything is scaled."
    )


def stock_advice(stock: Stock) -> str:
    """What to try first on a stock whose geometry nobody has confirmed; "" for any other."""
    if stock.confirmed:
        return ""
    trial = "one label" if stock.roll else "a test page on plain paper and hold it against the sheet"
    return f"The geometry of {stock.name} comes from one source only ({stock.source}): print {trial} first."


OutputFile = Callable[[Path], AbstractContextManager[Path]]
"""Gives a path to write to, which becomes the one that was asked for when the block ends well."""

Draw = Callable[[BinaryIO], object]
"""Writes a PDF, which may be larger than memory, as far as it is drawn."""


class NewSheet(NamedTuple):
    """A sheet that the archive remembers from now on, with its free positions."""

    name: str
    stock: Stock
    free: tuple[int, ...]


class Claims(NamedTuple):
    """The positions that a print-out takes of sheets, by the sheets' names, and the sheet that begins with it."""

    positions: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    begins: NewSheet | None = None


NO_CLAIMS: Final = Claims()


@contextmanager
def write_pdf(
    draw: Draw,
    output: Path | None,
    output_file: OutputFile,
    preview: Path | None = None,
    archive: Archive | None = None,
    claims: Claims = NO_CLAIMS,
) -> Iterator[Path]:
    """Draws the PDF, claims its positions, writes it and its preview: all of that, or nothing where anything fails.

    Gives where the PDF lies until the block has ended well; without an `output` that is all that becomes of it. What
    the block does, such as sending it to a printer, is part of it. `archive` keeps the sheets of the `claims`. Raises
    PreviewError for a preview that has no known ending, LabelError, ArchiveError, OSError.
    """
    with ExitStack() as claimed, ExitStack() as files:
        if output is None:
            document = Path(files.enter_context(tempfile.TemporaryDirectory()), "print.pdf")
        else:
            document = files.enter_context(output_file(output))
        with document.open("wb") as out:
            draw(out)
        if preview is not None:
            # It loads pdfium, which only pictures need.
            from labels import proof

            draw_page = proof.preview_writer(preview)
            for path, number in zip(_numbered_paths(preview), range(1, proof.page_count(document) + 1), strict=False):
                draw_page(document, number, files.enter_context(output_file(path)))
        if archive is not None:
            # Entered last and left last: also where the file cannot take its name, the positions are free again.
            claimed.enter_context(_claim_positions(archive, claims))
        yield document


@contextmanager
def _claim_positions(archive: Archive, claims: Claims) -> Iterator[None]:
    """Takes positions of sheets; where the block does not end well they are free again, and no sheet has begun."""
    from companion.archive import stationery

    if claims.begins is not None:
        name, stock, free = claims.begins
        stationery.begin_sheet(archive, name, stock.name, stock.count, free)
    try:
        if claims.positions:
            stationery.claim(archive, claims.positions)
    except BaseException:
        _remove_new_sheet(archive, claims)
        raise
    try:
        yield
    except BaseException as error:
        _release_positions(archive, claims, error)
        raise


def _release_positions(archive: Archive, claims: Claims, error: BaseException) -> None:
    """Frees what was claimed. Raises ArchiveError, naming the positions, where even that cannot be written down."""
    from companion.archive import ArchiveError, stationery

    _remove_new_sheet(archive, claims)
    for name, positions in claims.positions.items():
        if claims.begins is not None and name == claims.begins.name:
            continue
        try:
            stationery.give_back(archive, name, positions)
        except ArchiveError as failed:
            numbers = ", ".join(map(str, positions))
            raise ArchiveError(
                f"{str(error).rstrip('.')}; and positions {numbers} of the sheet “{name}” still wait for an answer: "
                "say that they are blank."
            ) from failed


def _remove_new_sheet(archive: Archive, claims: Claims) -> None:
    from companion.archive import stationery

    if claims.begins is not None:
        stationery.put_away(archive, claims.begins.name)


def _numbered_paths(path: Path) -> Iterator[Path]:
    """The path itself, then FILE-2.png, FILE-3.png and so on for further sheets."""
    yield path
    for number in count(2):
        yield path.with_stem(f"{path.stem}-{number}")


STOCK = "18294"
"""The stock where nobody says otherwise."""


class PrintRun(msgspec.Struct, frozen=True):
    """Labels on their positions, and how they are to be printed."""

    plan: Plan
    setup: Setup

    def document(self, progress: pdf.Progress = pdf.no_progress) -> bytes:
        """The PDF. Raises LabelError, naming the label, if one does not fit or cannot be printed."""
        out = BytesIO()
        self.write(out, progress)
        return out.getvalue()

    def first_sheets(self, count: int) -> PrintRun:
        """The same of at most so many sheets, from the first one on."""
        return msgspec.structs.replace(self, plan=msgspec.structs.replace(self.plan, sheets=self.plan.sheets[:count]))

    def write(self, out: BinaryIO, progress: pdf.Progress = pdf.no_progress) -> None:
        """Writes the PDF sheet by sheet, on all cores where that is quicker; raises as `document`."""
        pages: Sequence[sheet.Sheet] = self.plan.pages
        if self.setup.two_sided:
            pages = sheet.TwoSidedPages(pages, self.plan.stock)
        sheets = equalize_sizes(pages, self.plan.stock.room(1))
        pdf.write_sheets(out, sheets, self.plan.stock, self.setup, progress=progress, cores=pdf.available_cores())

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may go wrong at the edges of the paper, or as nobody is sure of the stock, and which labels have no room
        for their codes; a sentence each.
        """
        stock, positions = self.plan.stock, {position for page in self.plan.pages for position in page}
        edges = calibration.label_warnings(stock, positions, self.setup.calibration)
        back = _BACK_ADVICE if self.setup.two_sided else ""
        return (*edges, *filter(None, [stock_advice(stock), self._code_advice(), back]))

    def _code_advice(self) -> str:
        labels = [label for page in self.plan.pages for label in page.values() if getattr(label, "code", "")]
        die = self.plan.stock.room(1)
        coded = [label for label in labels if isinstance(label, EffectLabel | HeadedLabel | FiguresLabel)]
        full = [label for label in coded if not shows_code(label, die.width, die.height)]
        if not full:
            return ""
        names = ", ".join(dict.fromkeys(map(label_title, full[:_MAX_NAMED])))
        more = f" and {len(full) - _MAX_NAMED} more" if len(full) > _MAX_NAMED else ""
        return f"No room for a code on {self.plan.stock.name}: {names}{more}; larger labels have it."

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
    return stocks.load_stocks(_own_stocks())


def _own_stocks() -> Path:
    from platformdirs import user_config_path

    return user_config_path("table-companion", appauthor=False) / "stocks"


def find_stock(name: str | None) -> Stock:
    """The stock of this name or alias, or the usual one. Raises StockError."""
    return stocks.find_known(name or STOCK, _own_stocks())


def first_sheet(stock: Stock, start: int | None, free: str | None) -> tuple[AvailableSheet, ...]:
    """The first sheet of a run, where not all of it is free. Raises PositionError."""
    if free is not None:
        return (AvailableSheet("", sheet.parse_positions(free, stock)),)
    return () if start is None else (AvailableSheet("", sheet.all_positions(stock, start)),)


def load_sheets(
    archive: Archive, names: Sequence[str], stock_name: str | None
) -> tuple[Stock, tuple[AvailableSheet, ...]]:
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
    return stock, tuple(AvailableSheet(row.name, row.free, row.waiting) for row in distinct)


def load_calibration(archive: Archive, printer: str) -> Calibration:
    """What a printer needs. Raises Unknown."""
    from companion.archive import stationery

    row = stationery.find_printer(archive, printer)
    return calibration.validate(Calibration(row.dx, row.dy, row.sx, row.sy))


def impose(
    labels: Sequence[Label],
    stock: Stock,
    setup: Setup,
    at_hand: Sequence[AvailableSheet] = (),
    wanted: Sequence[int] = (),
) -> PrintRun:
    """A run of the labels, in their order, over the sheets at hand and then over whole ones; as `sheet.impose`."""
    return PrintRun(sheet.impose(labels, stock, at_hand, wanted), setup)
