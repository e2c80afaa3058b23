"""Print runs: labels imposed onto the sheets at hand, advice on feeding, and the PDF with its preview as files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import reduce
from io import BytesIO
from itertools import count, groupby
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

import msgspec
import platformdirs

from companion.archive import ArchiveError, stationery
from companion.archive.errors import Clause
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel
from labels.equal_sizes import equalize_sizes
from labels.errors import LabelError
from labels.geometry import UNITS, is_paper, parse_paper
from labels.layout import shows_code
from labels.output import pdf
from labels.output.pdf import Setup
from labels.paper import calibration, sheet, stocks
from labels.paper.calibration import Calibration
from labels.paper.sheet import AvailableSheet, ImposedSheet, Label, SheetPlan, label_title
from labels.paper.stocks import Stock, Stocks
from templates.languages.messages import Message, Text, listed, phrase, phrases

if TYPE_CHECKING:
    from companion.archive import Archive


_MAX_NAMED: Final = 5
_FEEDING_ADVICE = phrase(
    "One sheet at a time, from the manual tray if there is one, lying as plain paper does; an arrow drawn on plain "
    "paper shows which side is printed and which end is the top."
)
_BACK_ADVICE = phrase(
    "Every second page is the back of the one before it: print on both sides, and turn the sheets over their long edge."
)


def feeding_advice(plan: SheetPlan) -> tuple[Message, ...]:
    """Return sentences on what to put into the printer, in order and orientation."""
    stock = plan.stock
    if stock.roll:
        sides = tuple(f"{length / UNITS[stock.unit]:.4g}" for length in stock.page_size)
        size = f"{' × '.join(reversed(sides) if stock.turned else sides)} {stock.unit}"
        return (
            phrase(
                "Put in the roll {stock}, and choose {size}, turned as paper: {feed}. A roll needs no calibration, and "
                "nobody keeps count of it.",
                stock=stock.name,
                size=size,
                feed=stock.feed,
            )
            if stock.turned
            else phrase(
                "Put in the roll {stock}, and choose {size} as paper: {feed}. A roll needs no calibration, and nobody "
                "keeps count of it.",
                stock=stock.name,
                size=size,
                feed=stock.feed,
            ),
        )
    return phrase("Feed first {sheets}.", sheets=reduce(_then, _describe_sheets(plan.sheets, stock))), _FEEDING_ADVICE


def _then(first: Message, following: Message) -> Message:
    # Translators: sheets of labels, in the order in which they are fed into a printer
    return phrase("{first}, then {following}", first=first, following=following)


def _describe_sheets(sheets: Sequence[ImposedSheet], stock: Stock) -> Iterator[Message]:
    for description, group in groupby(_describe_sheet(imposed, stock) for imposed in sheets):
        count = len(list(group))
        yield (
            description
            if count == 1
            # Translators: as in “Feed first 3 fresh sheets of L7160.”
            else phrases(
                "{count} fresh sheet of {stock}",
                "{count} fresh sheets of {stock}",
                n=count,
                count=str(count),
                stock=stock.name,
            )
        )


def _describe_sheet(sheet: ImposedSheet, stock: Stock) -> Message:
    """Return the description of one sheet, with its name if it has one, and its used positions."""
    used, count = stock.count - len(sheet.before), stock.count
    # Translators: all of these are as in “Feed first a fresh sheet of L7160.”
    if sheet.name and used:
        return phrase("the sheet “{sheet}” ({used} of {count} used)", sheet=sheet.name, used=used, count=count)
    if sheet.name:
        return phrase("the fresh sheet “{sheet}”", sheet=sheet.name)
    if used:
        return phrase("a half-used sheet of {stock} ({used} of {count} used)", stock=stock.name, used=used, count=count)
    return phrase("a fresh sheet of {stock}", stock=stock.name)


def paper_advice(stock: Stock, usual: str) -> Text:
    """Return advice if a stock's page differs from the usual paper, or ""."""
    if stock.roll or not is_paper(usual) or stock.paper.fits(own := parse_paper(usual)):
        return ""
    return phrase(
        "These labels are on {paper}, and your paper is {usual}: choose {paper} where you print, or everything is "
        "scaled.",
        paper=stock.paper.title,
        usual=own.title,
    )


def stock_advice(stock: Stock) -> Text:
    """Return advice for a stock with unconfirmed geometry, or ""."""
    if stock.confirmed:
        return ""
    if stock.roll:
        return phrase(
            "The geometry of {stock} comes from one source only ({source}): print one label first.",
            stock=stock.name,
            source=stock.source,
        )
    return phrase(
        "The geometry of {stock} comes from one source only ({source}): print a test page on plain paper and hold it "
        "against the sheet first.",
        stock=stock.name,
        source=stock.source,
    )


OutputFile = Callable[[Path], AbstractContextManager[Path]]
"""A function that yields a path to write to, which becomes the requested file when the block succeeds."""

Draw = Callable[[BinaryIO], object]
"""A function that writes a PDF as it is drawn, as it may be larger than memory."""


class NewSheet(NamedTuple):
    """A sheet to add to the archive, with its free positions."""

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
    """Draw the PDF, claim its positions, and write it and its preview, all or nothing.

    Yield the path of the PDF while the block runs. Without an `output` the file is temporary. The work of the block,
    such as sending the file to a printer, is part of the transaction. `archive` keeps the sheets of the `claims`.
    Raises PreviewError for a preview of unknown format, LabelError, ArchiveError or OSError.
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
            from labels.output import proof

            draw_page = proof.preview_writer(preview)
            for path, number in zip(_numbered_paths(preview), range(1, proof.page_count(document) + 1), strict=False):
                draw_page(document, number, files.enter_context(output_file(path)))
        if archive is not None:
            # Entered last and left first: if the file cannot take its name, the positions are released too.
            claimed.enter_context(_claim_positions(archive, claims))
        yield document


@contextmanager
def _claim_positions(archive: Archive, claims: Claims) -> Iterator[None]:
    """Claim positions of sheets, and release them if the block fails. Then no sheet has begun."""
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
    """Release the claimed positions. Raises ArchiveError, naming the positions, if that cannot be written either."""
    _remove_new_sheet(archive, claims)
    for name, positions in claims.positions.items():
        if claims.begins is not None and name == claims.begins.name:
            continue
        try:
            stationery.give_back(archive, name, positions)
        except ArchiveError as failed:
            raise ArchiveError(
                phrase(
                    "{problem}; and positions {positions} of the sheet “{sheet}” still wait for an answer: say that "
                    "they are blank.",
                    problem=Clause(str(error)),
                    positions=listed(map(str, positions)),
                    sheet=name,
                )
            ) from failed


def _remove_new_sheet(archive: Archive, claims: Claims) -> None:
    if claims.begins is not None:
        stationery.put_away(archive, claims.begins.name)


def _numbered_paths(path: Path) -> Iterator[Path]:
    """Yield the path itself, then FILE-2.png, FILE-3.png and so on for further sheets."""
    yield path
    for number in count(2):
        yield path.with_stem(f"{path.stem}-{number}")


STOCK = "18294"
"""The default stock."""


class PrintRun(msgspec.Struct, frozen=True):
    """Labels on their positions, and the settings for printing them."""

    plan: SheetPlan
    setup: Setup

    def document(self, progress: pdf.Progress = pdf.no_progress) -> bytes:
        """Return the PDF. Raises LabelError, naming the label, if one does not fit or cannot be printed."""
        out = BytesIO()
        self.write(out, progress)
        return out.getvalue()

    def first_sheets(self, count: int) -> PrintRun:
        """Return a run of the first `count` sheets."""
        return msgspec.structs.replace(self, plan=msgspec.structs.replace(self.plan, sheets=self.plan.sheets[:count]))

    def write(self, out: BinaryIO, progress: pdf.Progress = pdf.no_progress) -> None:
        """Write the PDF sheet by sheet, on all cores if that is faster. Raises the errors of `document`."""
        pages: Sequence[sheet.Sheet] = self.plan.pages
        if self.setup.two_sided:
            pages = sheet.TwoSidedPages(pages, self.plan.stock)
        sheets = equalize_sizes(pages, self.plan.stock.room(1))
        pdf.write_sheets(out, sheets, self.plan.stock, self.setup, progress=progress, cores=pdf.available_cores())

    @property
    def warnings(self) -> tuple[Text, ...]:
        """Warnings about the edges of the paper, unconfirmed stocks, and labels without room for their codes."""
        stock, positions = self.plan.stock, {position for page in self.plan.pages for position in page}
        edges = calibration.label_warnings(stock, positions, self.setup.calibration)
        back: Text = _BACK_ADVICE if self.setup.two_sided else ""
        advice: list[Text] = [stock_advice(stock), self._code_advice(), back]
        return (*edges, *(each for each in advice if each))

    def _code_advice(self) -> Text:
        labels = [label for page in self.plan.pages for label in page.values() if getattr(label, "code", "")]
        die = self.plan.stock.room(1)
        coded = [label for label in labels if isinstance(label, EffectLabel | HeadedLabel | FiguresLabel)]
        full = [label for label in coded if not shows_code(label, die.width, die.height)]
        if not full:
            return ""
        stock, names = self.plan.stock.name, listed(dict.fromkeys(map(label_title, full[:_MAX_NAMED])))
        if len(full) <= _MAX_NAMED:
            return phrase("No room for a code on {stock}: {labels}; larger labels have it.", stock=stock, labels=names)
        return phrase(
            "No room for a code on {stock}: {labels} and {more} more; larger labels have it.",
            stock=stock,
            labels=names,
            more=str(len(full) - _MAX_NAMED),
        )

    @property
    def claims(self) -> Mapping[str, tuple[int, ...]]:
        """The positions that it takes of each sheet with a name."""
        return {imposed.name: tuple(sorted(imposed.labels)) for imposed in self.plan.sheets if imposed.name}

    @property
    def summary(self) -> Message:
        """The size of the run: `60 labels on 1 sheet of 18294, the last at position 60`."""
        plan = self.plan
        if plan.stock.roll:
            return phrases(
                "{count} label on a roll of {stock}",
                "{count} labels on a roll of {stock}",
                n=plan.count,
                count=str(plan.count),
                stock=plan.stock.name,
            )
        # Translators: {labels} is “60 labels”.
        return phrases(
            "{labels} on {count} sheet of {stock}, the last at position {position}",
            "{labels} on {count} sheets of {stock}, the last at position {position}",
            n=len(plan.sheets),
            count=str(len(plan.sheets)),
            labels=counted_labels(plan.count),
            stock=plan.stock.name,
            position=str(max(plan.sheets[-1].labels)),
        )


def counted_labels(count: int) -> Message:
    """Return a number of labels as people read it: `1 label`, `60 labels`."""
    return phrases("{count} label", "{count} labels", n=count, count=str(count))


def known_stocks() -> Stocks:
    """Return the bundled stocks, and those in the folder `stocks` of the user's configuration."""
    return stocks.load_stocks(_own_stocks())


def _own_stocks() -> Path:
    return platformdirs.user_config_path("table-companion", appauthor=False) / "stocks"


def find_stock(name: str | None) -> Stock:
    """Return the stock of this name or alias, or the default one. Raises StockError."""
    return stocks.find_known(name or STOCK, _own_stocks())


def first_sheet(stock: Stock, start: int | None, free: str | None) -> tuple[AvailableSheet, ...]:
    """Return the first sheet of a run, if not all of it is free. Raises PositionError."""
    if free is not None:
        return (AvailableSheet("", sheet.parse_positions(free, stock)),)
    return () if start is None else (AvailableSheet("", sheet.all_positions(stock, start)),)


def load_sheets(
    archive: Archive, names: Sequence[str], stock_name: str | None
) -> tuple[Stock, tuple[AvailableSheet, ...]]:
    """Return the stock of the archive's sheets of these names, and the free positions of each.

    Raises Unknown for a sheet that is not at hand, LabelError if they are of different stocks or their stock has
    changed.
    """
    rows = [stationery.find_sheet(archive, name) for name in dict.fromkeys(names)]
    stock = find_stock(stock_name or rows[0].stock)
    for row in rows:
        if find_stock(row.stock) != stock:
            raise LabelError(
                phrase(
                    "The sheet “{sheet}” is of stock {its_stock}, not {stock}; print it by itself.",
                    sheet=row.name,
                    its_stock=row.stock,
                    stock=stock.name,
                )
            )
        if row.count != stock.count:
            raise LabelError(
                phrase(
                    "The sheet “{sheet}” has {count} labels, and stock {stock} now {new_count}; put the sheet away and "
                    "begin it again.",
                    sheet=row.name,
                    count=row.count,
                    stock=stock.name,
                    new_count=stock.count,
                )
            )
    distinct = {row.sheet: row for row in rows}.values()
    return stock, tuple(AvailableSheet(row.name, row.free, row.waiting) for row in distinct)


def load_calibration(archive: Archive, printer: str) -> Calibration:
    """Return the calibration of a printer. Raises Unknown."""
    row = stationery.find_printer(archive, printer)
    return calibration.validate(Calibration(row.dx, row.dy, row.sx, row.sy))


def impose(
    labels: Sequence[Label],
    stock: Stock,
    setup: Setup,
    at_hand: Sequence[AvailableSheet] = (),
    wanted: Sequence[int] = (),
) -> PrintRun:
    """Return a run of the labels, in order, over the sheets at hand and then over whole ones; see `sheet.impose`."""
    return PrintRun(sheet.impose(labels, stock, at_hand, wanted), setup)
