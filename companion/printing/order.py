"""Print orders: the answers of a print form, and their result before anything is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from companion.archive import ArchiveError, deck_id, stationery
from companion.archive.people.languages import read_wish
from companion.archive.storage import files
from companion.games import registry
from companion.printing import custom, jobs, run, shelf, wording
from companion.printing.jobs import Job
from companion.printing.label_languages import find_languages
from companion.printing.run import Claims, NewSheet, feeding_advice, paper_advice
from companion.printing.spreadsheets import tables
from companion.printing.spreadsheets.encodings import EncodingUnclear, check_encoding
from companion.printing.spreadsheets.tables import (
    HIDDEN_ROWS,
    CellErrors,
    FileError,
    HiddenRows,
    ReadingChoices,
    RowTable,
    TableRow,
    TypedRows,
    WorksheetOptions,
)
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.paper import Printable
from labels.designs import BlankLabel, Plain
from labels.designs.own import Design, Specimen, specimen_page
from labels.drawing.black import parse_ink
from labels.drawing.languages import ENGLISH
from labels.errors import LabelError
from labels.geometry import MM, InkName, Paper, paper_of_region, parse_paper
from labels.output import page, testpage
from labels.output.drawing_lock import DRAWING_LOCK
from labels.output.pdf import Setup
from labels.paper import calibration as calibrations
from labels.paper import calibration as margins
from labels.paper import sheet
from labels.paper import sheet as plan
from labels.paper.calibration import IDENTITY, Calibration
from labels.paper.sheet import AvailableSheet, Label
from labels.paper.stocks import Stock
from templates.languages import messages
from templates.languages.messages import (
    Language,
    Message,
    Text,
    current_language,
    joined,
    listed,
    phrase,
    phrases,
    speaking,
)

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow
    from companion.archive.storage.rows import SheetRow


class PrintKind(NamedTuple):
    """A kind of printed matter: its subject, and if it is on labels, on whole pages, or a test page."""

    name: str
    title: Message
    about: Message
    of: Literal["game", "deck", "session", "table", "count", ""]
    on: Literal["labels", "pages", "test"]


WORDED: Final = frozenset({"starter", "tonight", "deck", "new", "box", "boxes", "blank", "record", "aid"})
"""The kinds with words of the program, which may be in another language than that of the screen."""

CODED: Final = frozenset({"starter", "tonight", "deck", "new"})
"""The kinds that may bear codes: labels of cards."""

KINDS: Final = (
    PrintKind(
        "starter",
        phrase("Starter sheet"),
        phrase("the labels that everybody who plays a game needs once"),
        "game",
        "labels",
    ),
    PrintKind(
        "tonight",
        phrase("Tonight's labels"),
        phrase("what a sealed table wrote on cards and earned for boxes"),
        "session",
        "labels",
    ),
    PrintKind("deck", phrase("Labels of a deck"), phrase("all that its cards bear today"), "deck", "labels"),
    PrintKind(
        "new",
        phrase("Labels of a new list"),
        phrase("what came with the present list of a deck that had another"),
        "deck",
        "labels",
    ),
    PrintKind("box", phrase("Box label"), phrase("the QR code, name and figures of a deck"), "deck", "labels"),
    PrintKind("boxes", phrase("All box labels"), phrase("of every deck that has not retired"), "", "labels"),
    PrintKind(
        "own",
        phrase("Labels of your own"),
        phrase("from a table of a spreadsheet, or from rows typed here"),
        "table",
        "labels",
    ),
    PrintKind("blank", phrase("Blank labels"), phrase("to write on by hand, plain or of a tier"), "count", "labels"),
    PrintKind(
        "record", phrase("Record sheet"), phrase("a deck's whole story on paper, to lie in its box"), "deck", "pages"
    ),
    PrintKind("aid", phrase("Table aid"), phrase("what everybody asks while a game is played"), "game", "pages"),
    PrintKind(
        "test",
        phrase("Test page"),
        phrase("on plain paper: where each label lies, and rulers to measure a printer by"),
        "",
        "test",
    ),
)
_MOST_BLANK: Final = 6_000
MOST_PREVIEWED: Final = 20
"""The most sheets of a run that are drawn for the preview: a table may fill thousands."""


class OrderError(LabelError):
    """An invalid order.

    `field` is the field with the error. `by_entry` has the errors of single entries of a repeated field, by number from
    0, or of single lines of a file, by number from 1.
    """

    def __init__(self, field: str, sentence: Text, by_entry: Mapping[int, Text] | None = None) -> None:
        super().__init__(sentence)
        self.field = field
        self.by_entry = by_entry or {}


class PrintOrder(msgspec.Struct, frozen=True):
    """The answers of a print form; "" for the default. `which` is a game, a deck or a session.

    `sheet` is a sheet in the archive, or the name of one that begins with this print-out. `free` has the free positions
    of a sheet that is not in the archive, and `fresh` continues a full sheet on a new one. On a roll none of these
    counts, nor does a `printer`. Labels of the user's own come from the file `table`, else from the `rows`, in a
    `design`. Files that typed rows name lie in `folder`, or in the current one for "". `encoding` and `worksheet` count
    if the file leaves them open; `hidden_rows` and `empty_errors` are as in `WorksheetOptions`. Blank labels are of a
    `tier`, `count` of them, or as many as are free for "". `usual_stock` is the default if neither `stock` nor the
    design names one. Without a `language`, a deck's labels are in that of its owner, and others in that of the program.
    """

    what: str = ""
    which: str = ""
    stock: str = ""
    usual_stock: str = ""
    sheet: str = ""
    free: str = ""
    paper: str = ""
    ink: str = ""
    printer: str = ""
    fresh: bool = False
    codes: bool = False
    outlines: bool = False
    table: str = ""
    encoding: str = ""
    worksheet: str = ""
    hidden_rows: str = ""
    empty_errors: bool = False
    design: str = ""
    rows: tuple[Mapping[str, str], ...] = ()
    folder: str = ""
    count: str = ""
    tier: str = ""
    language: str = ""


class SheetMap(NamedTuple):
    """The map of a sheet: its title, and the sign of each position that is not used."""

    title: Text
    stock: Stock
    signs: Mapping[int, str]


class PreparedOrder(msgspec.Struct, frozen=True):
    """An order that is laid out. `draw` renders its PDF and raises LabelError. `beside` has a remark for each field.

    `draw_first` renders the preview: for a long run its first sheets. `sheets` is the number of pages; `two_sided` ones
    come in pairs. `paper` is the paper, and `media` its CUPS name in feed orientation. `notices` are about where to
    stick what, what was left out, and how to feed it. `span` is the distance from A to B on a test page for this
    printer and paper, in mm, or None if there is none. `left` are the positions that stay free on a last sheet without
    a name, which the archive does not track, or None if there is no such sheet.
    """

    title: Text
    summary: Text
    draw: Callable[[], bytes]
    beside: Mapping[str, Text]
    paper: Paper
    media: str
    maps: tuple[SheetMap, ...] = ()
    claims: Mapping[str, tuple[int, ...]] = {}
    begins: NewSheet | None = None
    notices: tuple[Text, ...] = ()
    span: tuple[float, float] | None = calibrations.B
    draw_first: Callable[[], bytes] | None = None
    sheets: int = 0
    left: tuple[int, ...] | None = None
    two_sided: bool = False


class _SheetChoice(NamedTuple):
    """The stock, the sheets at hand with their free positions, the sheet that begins, and the one from the archive."""

    stock: Stock
    at_hand: tuple[AvailableSheet, ...]
    begins: NewSheet | None = None
    row: SheetRow | None = None


def find_kind(name: str) -> PrintKind:
    """Return the kind with this name or title in the user's language, or the first if the name is empty.

    English titles are understood in every language. Raises OrderError.
    """
    wanted = (name.strip() or KINDS[0].name).casefold()
    match = next(
        (
            each
            for each in KINDS
            if wanted in (each.name, str(each.title).casefold(), each.title.render(messages.ENGLISH).casefold())
        ),
        None,
    )
    if match is None:
        raise OrderError("what", phrase("“{kind}” is nothing to print; choose one of the list.", kind=name))
    return match


def games(what: PrintKind) -> Iterator[Printable]:
    """Return the games that have this to print, each loaded on demand, as most users want the first of them."""
    has = jobs.has_aid if what.name == "aid" else wording.starter_labels
    return (game for game in registry.all_printable() if has(game))


def prepare(archive: Archive, order: PrintOrder) -> PreparedOrder:
    """Lay out an order. Raises OrderError, which names the invalid field."""
    what = find_kind(order.what)
    language = _chosen_language(order) if what.name in WORDED else None
    with nullcontext() if language is None else speaking(language):
        return _prepare_kind(archive, order, what, language)


def _chosen_language(order: PrintOrder) -> Language | None:
    """Return the language that was chosen for the labels, or None."""
    if not order.language.strip():
        return None
    with _blame_field("language"):
        return read_wish(order.language)


def _prepare_kind(archive: Archive, order: PrintOrder, what: PrintKind, language: Language | None) -> PreparedOrder:
    """Lay out an order of a kind, with labels in a language if one was chosen."""
    with _blame_field("printer"):
        calibration = run.load_calibration(archive, order.printer) if order.printer else IDENTITY
    if what.of == "table":
        return _prepare_own(archive, order, calibration)
    if what.of == "count":
        sheets = _choose_sheets(archive, order)
        job = _blank_job(order, sheets)
        spoken = listed(each.title for each in job.spoken)
        beside = {
            **_answer_hints(sheets, order),
            "language": spoken,
            "count": "" if order.count.strip() else f"{len(job.labels)}",
        }
        return _prepare_labels(job, sheets, order, _for_stock(calibration, sheets), beside)
    with _blame_field("which"):
        job, named = _choose_job(archive, what, order.which, language, with_codes=order.codes)
    named_here = {"which": named, "language": listed(each.title for each in job.spoken)}
    if what.on == "pages":
        return _prepare_pages(job, order, calibration, named_here)
    sheets = _choose_sheets(archive, order)
    beside = {**named_here, **_answer_hints(sheets, order)}
    if what.on == "test":
        return _prepare_test_page(sheets, order, calibration, beside)
    return _prepare_labels(job, sheets, order, _for_stock(calibration, sheets), beside)


def _for_stock(calibration: Calibration, sheets: _SheetChoice) -> Calibration:
    return IDENTITY if sheets.stock.roll else calibration


def prepare_specimen(archive: Archive, order: PrintOrder) -> PreparedOrder:
    """Lay out a specimen of a user's own design before there is a row: a label with its sample, or the names of its
    fields.

    Raises OrderError.
    """
    with _blame_field("design"):
        design = custom.optional_design(order.design)
    sheets = _choose_sheets(archive, _on_its_stock(order, design))
    ink = _ink(order)
    specimen: Label = Plain("name", "text")
    if design is not None:
        with _blame_field("design"), DRAWING_LOCK:
            Specimen(design).check(sheets.stock)
            specimen = shelf.draw_sample(design, sheets.stock)
    return PreparedOrder(
        title=specimen.title,
        summary=phrase("The design with the names of its fields")
        if isinstance(specimen, Specimen | Plain)
        else phrase("The design with a sample"),
        draw=_serialize_drawing(lambda: specimen_page(specimen, sheets.stock, ink)),
        beside=_answer_hints(sheets, order),
        paper=sheets.stock.paper,
        media=sheets.stock.media,
    )


def _prepare_own(archive: Archive, order: PrintOrder, calibration: Calibration) -> PreparedOrder:
    with _blame_field("design"):
        design = custom.optional_design(order.design)
    order = _on_its_stock(order, design)
    sheets = _choose_sheets(archive, order)
    field = "table" if order.table.strip() else "rows"
    try:
        with DRAWING_LOCK:
            labels, wanted = _own_labels(order, design, sheets.stock)
    except OrderError:
        raise
    except FileError as error:
        first = 1 if field == "rows" else 0
        raise OrderError(field, error.message, {line - first: text for line, text in error.by_line.items()}) from error
    except (LabelError, OSError) as error:
        reason = _unreadable_message(order.table, error) if isinstance(error, OSError) else error.message
        raise OrderError(field, reason) from error
    own_title = design.caption if design else phrase("Labels of your own")
    title = Path(order.table).stem if order.table.strip() else own_title
    language = design.language if design and design.language else ENGLISH
    two_sided = any(isinstance(label, sheet.TwoSidedLabel) for label in labels)
    job = Job(title, labels, language=language, wanted=wanted, two_sided=two_sided)
    counted = run.counted_labels(len(labels))
    beside = {**_answer_hints(sheets, order), "table": counted if order.table.strip() else ""}
    return _prepare_labels(job, sheets, order, _for_stock(calibration, sheets), beside)


def _on_its_stock(order: PrintOrder, design: Design | None) -> PrintOrder:
    """Return the order with the stock of its design if it names no other."""
    if design is None or not design.stock or order.stock.strip() or order.sheet.strip():
        return order
    return msgspec.structs.replace(order, stock=design.stock)


def _own_labels(order: PrintOrder, design: Design | None, stock: Stock) -> tuple[tuple[Label, ...], tuple[int, ...]]:
    """Return the labels of a table or of typed rows, and their required positions."""
    if not order.table.strip():
        typed = TypedRows(order.rows, custom.fields_of(design))
        if not any(typed.rows()):
            raise FileError(phrase("Name a table, or type a row; until then the page shows the design."))
        labels = custom.own_labels(typed, Path(order.folder), design=design, stock=stock)
        return tuple(labels), tuple(labels.wanted)
    outcome = _read_table(_table_file(order), design, stock, current_language().code)
    if isinstance(outcome, FileError):
        raise outcome
    return outcome


def table_path(table: str) -> Path:
    """Return the path of the file that the user named as a table."""
    return files.expand_user(table.strip())


_Stamp = tuple[int, int]
"""The modification time and the size of a file, which identify its content."""


def _file_stamp(path: Path) -> _Stamp:
    status = path.stat()
    return status.st_mtime_ns, status.st_size


def table_stamp(table: str) -> _Stamp | None:
    """Return a value that changes with a table's file, or None if there is no such file."""
    try:
        return _file_stamp(table_path(table)) if table.strip() else None
    except (OSError, ValueError):
        return None


class _TableFile(NamedTuple):
    """A table's file at the time of its `stamp`, and the options for reading it."""

    path: Path
    stamp: _Stamp
    encoding: str | None
    worksheet: WorksheetOptions

    @contextmanager
    def open(self) -> Iterator[RowTable]:
        """Open the table. Raises OrderError if the options are ambiguous, else the errors of `tables.open_table`."""
        try:
            with tables.open_table(self.path, encoding=self.encoding, worksheet=self.worksheet) as table:
                yield table
        except EncodingUnclear as error:
            if not _reading_choices(self.path, self.stamp).readings:
                raise OrderError(
                    "table", phrase("“{file}” is not in UTF-8; save it as that.", file=str(self.path))
                ) from error
            raise OrderError("encoding", self._encoding_question()) from error
        except CellErrors as error:
            way_out = phrase("Correct it in its program and save it there, or answer “Errors” with yes.")
            raise OrderError("table", joined("\n", (*error.sentences, way_out))) from error
        except HiddenRows as error:
            raise OrderError(
                "hidden_rows",
                phrases(
                    "“{file}” hides {n} row; choose to print or to skip them.",
                    "“{file}” hides {n} rows; choose to print or to skip them.",
                    n=error.count,
                    file=str(self.path),
                ),
            ) from error

    def _encoding_question(self) -> Message:
        if self.encoding:
            return phrase(
                "“{file}” is no text in {encoding}; choose the row that shows a word of it.",
                file=str(self.path),
                encoding=self.encoding,
            )
        return phrase(
            "“{file}” can be read in several ways; choose the row that shows a word of it.", file=str(self.path)
        )


def _table_file(order: PrintOrder) -> _TableFile:
    """Return the ordered table with its reading options. Options count only if there is a choice."""
    path = table_path(order.table)
    stamp = _file_stamp(path)
    choices = _reading_choices(path, stamp, order.worksheet.strip())
    encoding = None
    if choices.readings and order.encoding.strip():
        with _blame_field("encoding"):
            encoding = check_encoding(order.encoding)
    worksheet = order.worksheet.strip() if len(choices.worksheets) > 1 else ""
    if worksheet and worksheet.casefold() not in (name.strip().casefold() for name in choices.worksheets):
        raise OrderError(
            "worksheet",
            phrase("“{file}” has no sheet “{sheet}”; choose one of the list.", file=str(path), sheet=worksheet),
        )
    hidden_rows = order.hidden_rows.strip().casefold() if choices.hidden_rows else ""
    if hidden_rows not in ("", *HIDDEN_ROWS):
        skip, print_them = HIDDEN_ROWS
        raise OrderError(
            "hidden_rows",
            phrase(
                "“{answer}” is neither {first} nor {second}.",
                answer=order.hidden_rows,
                first=skip,
                second=print_them,
            ),
        )
    options = WorksheetOptions(worksheet, hidden_rows, order.empty_errors and choices.has_errors)
    return _TableFile(path, stamp, encoding, options)


def choices_for_table(table: str, worksheet: str = "") -> ReadingChoices:
    """Return the choices in reading a table's file, or none for an unreadable file."""
    try:
        path = table_path(table)
        return _reading_choices(path, _file_stamp(path), worksheet.strip()) if table.strip() else ReadingChoices()
    except (OSError, ValueError):
        return ReadingChoices()


@lru_cache(maxsize=2)
def _reading_choices(
    path: Path,
    stamp: _Stamp,  # noqa: ARG001 - identifies the content in the cache
    worksheet: str = "",
) -> ReadingChoices:
    return tables.reading_choices(path, worksheet)


@lru_cache(maxsize=2)
def _read_table(
    file: _TableFile,
    design: Design | None,
    stock: Stock,
    language: str,  # noqa: ARG001 - titles of tiers are worded in the current one
) -> tuple[tuple[Label, ...], tuple[int, ...]] | FileError:
    """Return a file's labels or its errors, cached while the user answers other questions."""
    with file.open() as table:
        try:
            labels = custom.own_labels(table, file.path.parent, design=design, stock=stock)
        except FileError as error:
            return error.with_traceback(None)
        return tuple(labels), tuple(labels.wanted)


def first_rows(order: PrintOrder, count: int) -> tuple[TableRow, ...]:
    """Return at most `count` rows from the start of the ordered table. Raises OrderError."""
    with _blame_field("table"):
        try:
            return _first_rows(_table_file(order), count)
        except OSError as error:
            raise LabelError(_unreadable_message(order.table, error)) from error


@lru_cache(maxsize=2)
def _first_rows(file: _TableFile, count: int) -> tuple[TableRow, ...]:
    with file.open() as table:
        return tuple(islice(table.rows(), count))


def _unreadable_message(table: str, error: OSError) -> Message:
    return phrase("“{file}” cannot be read: {problem}.", file=table, problem=error.strerror)


def _blank_job(order: PrintOrder, sheets: _SheetChoice) -> Job:
    free = len(sheets.at_hand[0].free) if sheets.at_hand else 1
    digits = order.count.strip() or str(free or sheets.stock.count)
    if not (digits.isascii() and digits.isdecimal() and 1 <= int(digits[:9]) <= _MOST_BLANK):
        raise OrderError(
            "count",
            phrase(
                "“{digits}” is no number of labels; write one from 1 to {most}.", digits=digits, most=str(_MOST_BLANK)
            ),
        )
    looks, name = wording.tier_looks(), order.tier.strip().casefold()
    if name and name not in looks:
        raise OrderError(
            "tier", phrase("“{tier}” is not a tier; tiers are {tiers}.", tier=order.tier, tiers=listed(looks))
        )
    label = BlankLabel(wording.to_tier(looks[name].tier)) if name else BlankLabel()
    return jobs.add_languages(Job(phrase("Blank labels"), (label,) * int(digits)))


def write(archive: Archive, ready: PreparedOrder, path: Path) -> None:
    """Write the PDF and record the positions that it takes of sheets, both or neither.

    Raises LabelError, ArchiveError or OSError.
    """
    claims = Claims(ready.claims, ready.begins)
    with run.write_pdf(
        lambda out: out.write(ready.draw()), path, files.write_atomically, archive=archive, claims=claims
    ):
        pass


def box_refusal(name: str, stock: str) -> Text:
    """Return the reason that a deck of this name gets no box label on a stock ("" for the default), or ""."""
    try:
        stock_found = run.find_stock(stock or None)
    except LabelError:
        return ""
    with DRAWING_LOCK:
        return jobs.name_refusal(name, stock_found)


def _serialize_drawing(draw: Callable[[], bytes]) -> Callable[[], bytes]:
    """Return a function that draws under a lock, as fonts are not thread-safe."""

    def locked_draw() -> bytes:
        with DRAWING_LOCK:
            return draw()

    return locked_draw


@contextmanager
def _blame_field(field: str) -> Iterator[None]:
    """Convert errors in the block to an OrderError for this field."""
    try:
        yield
    except OrderError:
        raise
    except (LabelError, ArchiveError, NotationError, RuleError, deck_id.DeckIdError) as error:
        raise OrderError(field, error.message) from error


def _choose_job(
    archive: Archive, what: PrintKind, which: str, language: Language | None, *, with_codes: bool
) -> tuple[Job, Text]:
    """Return the job, and a remark on the deck, game or session that was named."""
    if what.of == "game":
        return _game_job(what, which, with_codes=with_codes)
    if what.of == "deck":
        row = _find_deck(archive, which)
        names = (row.name, deck_id.show(row.deck), row.game)
        rest = (part for part in names if part and part.casefold() != which.strip().casefold())
        return _deck_job(archive, what, row, language, with_codes=with_codes), " · ".join(rest)
    if what.of == "session":
        job = jobs.session_job(archive, which or None, language, with_codes=with_codes)
        # Translators: of labels
        return job, phrases("{count} to stick", "{count} to stick", n=len(job.labels), count=str(len(job.labels)))
    if what.name == "boxes":
        rows = [row for row in archive.decks() if not row.retired]
        return _require_labels(jobs.all_boxes_job(rows, languages=find_languages(archive, rows, language))), ""
    return Job(what.title), ""


def _deck_job(archive: Archive, what: PrintKind, row: DeckRow, language: Language | None, *, with_codes: bool) -> Job:
    match what.name:
        case "box":
            return jobs.boxes_job([row], languages=find_languages(archive, [row], language))
        case "record":
            return jobs.record_job(archive, row, language)
    return _require_labels(jobs.cards_job(archive, [row], language, only_new=what.name == "new", with_codes=with_codes))


def _game_job(what: PrintKind, which: str, *, with_codes: bool) -> tuple[Job, Text]:
    game = next((game for game in games(what) if which.casefold() in ("", game.name, str(game.title).casefold())), None)
    if game is None:
        titles = listed(game.title for game in games(what))
        raise LabelError(
            phrase("“{game}” has no table aid; there is one of {games}.", game=which, games=titles)
            if what.name == "aid"
            else phrase("“{game}” has no starter sheet; there is one of {games}.", game=which, games=titles)
        )
    if what.name == "aid":
        return jobs.aid_job(game), game.title
    return jobs.starter_job(game, with_codes=with_codes), game.title


def _find_deck(archive: Archive, which: str) -> DeckRow:
    if not which.strip():
        raise LabelError(phrase("Say which deck: any part of its name, or the id on its box."))
    return archive.find_deck(which)


def _require_labels(job: Job) -> Job:
    if not job.labels:
        raise LabelError(phrase("There is nothing to print."))
    return job


def _choose_sheets(archive: Archive, order: PrintOrder) -> _SheetChoice:
    """Return the sheets to print on: one from the archive, one that begins now, or one that is not tracked."""
    wanted = " ".join(order.sheet.split()).casefold()
    remembered = next((row for row in stationery.sheets(archive) if row.name.casefold() == wanted), None)
    if remembered is not None:
        with _blame_field("sheet"):
            stock, at_hand = run.load_sheets(archive, [remembered.name], None)
        return _SheetChoice(stock, at_hand, row=remembered)
    with _blame_field("stock"):
        stock = run.find_stock(order.stock or order.usual_stock or None)
    if stock.roll:
        return _SheetChoice(stock, ())
    with _blame_field("free"):
        free = sheet.parse_positions(order.free, stock) if order.free.strip() else sheet.all_positions(stock)
    name = order.sheet.strip()
    begins = NewSheet(name, stock, free) if name else None
    return _SheetChoice(stock, (AvailableSheet(name, free),), begins)


def _answer_hints(paper: _SheetChoice, order: PrintOrder) -> dict[str, Text]:
    stock, row = paper.stock, paper.row
    cut = stock.cut if order.stock or row is not None else listed((stock.name, stock.cut))
    about = joined(" · ", filter(None, (cut, paper_advice(stock, order.paper))))
    ink: dict[str, Text] = {} if order.ink else {"ink": stock.ink}
    if stock.roll:
        hint = phrase("{stock}; {feed}, no sheet to count, nothing to calibrate", stock=about, feed=stock.feed)
        return {**ink, "stock": hint}
    free = len(paper.at_hand[0].free)
    # Translators: of the labels on a sheet
    free_words = phrase("{free} of {count} free", free=free, count=stock.count)
    if row is not None:
        if row.waiting:
            free_words = phrases(
                "{free} of {count} free, {n} wait for an answer",
                "{free} of {count} free, {n} wait for an answer",
                n=len(row.waiting),
                free=free,
                count=stock.count,
            )
        return {**ink, "stock": about, "sheet": free_words}
    return {
        **ink,
        "stock": about,
        "sheet": phrase("begins with this; the archive keeps count") if order.sheet.strip() else "",
        "free": free_words,
    }


def _prepare_labels(
    job: Job, paper: _SheetChoice, order: PrintOrder, calibration: Calibration, beside: Mapping[str, Text]
) -> PreparedOrder:
    stock = paper.stock
    if job.is_lenient:
        with DRAWING_LOCK:
            job = jobs.drop_refused(job, stock)
        if not job.labels:
            first_reason, *others = job.left_out
            more = phrases("And {n} more like that.", "And {n} more like that.", n=len(others))
            raise OrderError("what", joined(" ", (first_reason, more)) if others else first_reason)
    setup = Setup(job.heading, job.credit, order.outlines, calibration, job.language, _ink(order), job.two_sided)
    laid = run.impose(job.labels, stock, setup, paper.at_hand, job.wanted)
    _check_full(laid.plan, paper, order)
    first = laid.first_sheets(MOST_PREVIEWED)
    return PreparedOrder(
        title=job.title,
        summary=laid.summary,
        draw=_serialize_drawing(laid.document),
        draw_first=_serialize_drawing(first.document),
        sheets=len(laid.plan.sheets) * (2 if job.two_sided else 1),
        two_sided=job.two_sided,
        beside=beside,
        paper=stock.paper,
        media=stock.media,
        maps=() if stock.roll else tuple(_sheet_maps(first.plan)),
        claims=laid.claims,
        begins=paper.begins,
        left=_left_unnamed(laid.plan, order),
        span=None if stock.roll else _cross_distance(stock.paper),
        notices=(
            *laid.warnings,
            *(phrase("Not printed: {reason}", reason=each) for each in job.left_out),
            *feeding_advice(laid.plan),
            *_paper_notices(stock, order),
            *job.notices,
        ),
    )


def _ink(order: PrintOrder) -> InkName | None:
    """Return the ink, or None for the default of the labels."""
    with _blame_field("ink"):
        return parse_ink(order.ink)


def _check_full(laid: plan.SheetPlan, paper: _SheetChoice, order: PrintOrder) -> None:
    """Refuse to continue a full sheet on a new one without consent. Raises OrderError."""
    row = paper.row
    if row is not None and not row.free and not order.fresh:
        raise OrderError(
            "fresh",
            phrase(
                "The sheet “{sheet}” is full; yes prints on a new one of {stock}. Or name another sheet.",
                sheet=row.name,
                stock=laid.stock.name,
            ),
        )


def _left_unnamed(laid: plan.SheetPlan, order: PrintOrder) -> tuple[int, ...] | None:
    """Return the positions that stay free on a last sheet without a name, or None.

    A proof on plain paper takes none.
    """
    is_counted = laid.stock.roll or order.outlines or laid.sheets[-1].name
    return None if is_counted else laid.sheets[-1].free_positions


def _sheet_maps(laid: plan.SheetPlan) -> Iterator[SheetMap]:
    for number, imposed in enumerate(laid.sheets, 1):
        yield SheetMap(
            phrase("Sheet {number} “{sheet}”", number=str(number), sheet=imposed.name)
            if imposed.name
            else phrase("Sheet {number}", number=str(number)),
            laid.stock,
            imposed.signs,
        )


def _prepare_test_page(
    paper: _SheetChoice, order: PrintOrder, calibration: Calibration, beside: Mapping[str, Text]
) -> PreparedOrder:
    stock = paper.stock
    with _blame_field("stock"):
        testpage.check_stock(stock)
    ink, hand = _ink(order), paper.at_hand[0]
    used = frozenset(range(1, stock.count + 1)) - frozenset(hand.free)
    return PreparedOrder(
        title=phrase("Test page"),
        summary=phrase("A test page for {stock}, for plain paper", stock=stock.caption),
        draw=_serialize_drawing(lambda: testpage.render_test_page(stock, calibration, used, order.printer, ink)),
        beside=beside,
        paper=stock.paper,
        media=stock.media,
        maps=(SheetMap(stock.caption, stock, plan.position_signs(hand.free, hand.waiting)),),
        notices=_paper_notices(stock, order),
        span=testpage.stock_cross_distance(stock),
    )


def _paper_notices(stock: Stock, order: PrintOrder) -> tuple[Text, ...]:
    """Repeat the paper advice among the notices: beside the stock's name a small screen truncates it."""
    return tuple(filter(None, [paper_advice(stock, order.paper)]))


def _prepare_pages(job: Job, order: PrintOrder, calibration: Calibration, beside: Mapping[str, Text]) -> PreparedOrder:
    document = job.document
    assert document is not None
    with _blame_field("paper"):
        size = parse_paper(order.paper or paper_of_region().name)
    ink = _ink(order) or "colour"
    return PreparedOrder(
        title=job.title,
        summary=phrase("{title}, for {paper} paper", title=job.title, paper=size.title),
        draw=_serialize_drawing(lambda: page.render_document(document, size.size, calibration, ink)),
        beside=beside,
        paper=size,
        media=size.media,
        notices=(
            *margins.page_warnings(page.printed_area(size.size), size.size, calibration),
            *(phrase("Left out: {reason}", reason=each) for each in job.left_out),
        ),
    )


def _cross_distance(size: Paper) -> tuple[float, float] | None:
    """Return the distance from A to B on a test page of this size in mm, or None if it is too small for one."""
    try:
        return calibrations.cross_distance((size.width / MM, size.height / MM))
    except LabelError:
        return None
