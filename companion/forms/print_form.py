"""The form for printing: what, on which sheet, for which printer; and the result so far.

Separate from the screen, which shows any form, and from the order, which knows no form.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from random import Random
from types import MappingProxyType

import msgspec

from companion.archive import Archive, ArchiveError, deck_records, stationery
from companion.archive.storage import files
from companion.archive.storage.rows import PrinterRow
from companion.games import registry
from companion.printing import custom, designs, jobs, run, wording
from companion.printing import order as orders
from companion.printing.design_choices import list_design_choices
from companion.printing.order import OrderError, PreparedOrder, PrintKind, PrintOrder
from companion.printing.spreadsheets.tables import HIDDEN_ROWS, KINDS, TableRow
from companion.printing.wording import title_notation
from companion.session.table.form_filling import MAX_DECKS_OFFERED, FormResult, FormState, decks
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.form import YES, Field, Filled, Finding, FormPlace, Values
from companion.tabletop.table.choices import Candidates, Choice, Open, choice_of_word
from labels.errors import LabelError
from labels.geometry import INK_NAMES, NAMED, parse_size
from labels.paper.stocks import Stock, find_by_size
from templates.languages.alphabets import alphabetical_key
from templates.languages.catalogues import find_language, list_codes
from templates.languages.dates import date_and_time, numeric_date
from templates.languages.messages import Finished, Text, joined, listed, phrase, phrase_in

_WHAT = Field("what", "Print", "What to print.")
_WHICH = {
    "game": Field("which", "Kind of game", "Which game's."),
    "deck": Field("which", "Deck", "Any part of its name, or the id on its box."),
    "session": Field("which", "Table", "Which sealed table; empty for the one sealed last."),
}
_TABLE = Field(
    "table", "Table", "A spreadsheet file whose first line has the names of the columns; empty to type rows below."
)
_ENCODING = Field("encoding", "Letters", "The encoding of the file is not clear; choose the row with a readable word.")
_WORKSHEET = Field("worksheet", "Worksheet", "Which sheet of the workbook; empty for the first.")
_HIDDEN_ROWS = Field(
    "hidden_rows", "Hidden rows", "Some rows of the worksheet are hidden, by hand or by a filter: skip or print them?"
)
_EMPTY_ERRORS = Field(
    "empty_errors", "Errors", "Some cells have an error, or a formula without a value: leave them empty?", kind="flag"
)
_DESIGN = Field(
    "design", "Design", "The design; each is previewed on the page as you go through the list. Empty: plain."
)
_COUNT = Field("count", "How many", "The number of labels to write on; empty for all free positions.", kind="number")
_TIER = Field("tier", "Tier", "Empty for plain lines; a tier adds its stripe, its mark and its name.")
_FIELD_TITLES: Mapping[str, Text] = {
    "name": phrase("Name"),
    "text": phrase("Text"),
    "count": phrase("Count"),
    "code": phrase("Code"),
    "picture": phrase("Picture"),
}
"""The titles of the usual columns of a label's design; others have their name."""
_FIELD_HELP: Mapping[str, Text] = {
    "name": phrase("The text in large type."),
    "text": phrase("The text below it."),
    "count": phrase("The number of copies of this label; empty for one."),
    "code": phrase("The content of a QR code: an address, a word."),
    "picture": phrase("A picture's file, in this folder or below it."),
}
_STOCK = Field("stock", "Labels", "The label sheets, by the number on their box or a number with the same layout.")
_SHEET = Field("sheet", "Sheet", "Empty for a new sheet; a name makes the archive remember its used positions.")
_FREE = Field("free", phrase_in("positions", "Free"), "The free positions, such as 3,7,20-40; empty for all of them.")
_FRESH = Field("fresh", "New sheet", "Whether to print on a new sheet, as this one is full.", kind="flag")
_PAPER = Field("paper", "Paper", "Letter, A4, A5, A6, an index card, or a width and a height, such as 148 x 210 mm.")
_PRINTER = Field("printer", "Printer", "Which printer, for its calibration; empty for none.")
_OUTLINES = Field("outlines", "Outlines", "Draw the outlines of the labels, for a proof on plain paper.", kind="flag")
_CODES = Field("codes", "Codes", "A code on each label of a card, for photographs of the deck.", kind="flag")
_FLAGS = ("fresh", "outlines", "codes", "empty_errors")
_INKS: Mapping[str, tuple[Text, Text]] = {
    "colour": (phrase_in("ink", "colour"), phrase("also on a roll")),
    "black": (phrase_in("ink", "black"), phrase("no colours and no greys, also on a sheet")),
}
_LANGUAGE = Field(
    "language", "Language", "The language of the words; empty for that of the deck's owner, or else the program's."
)
_INK = Field("ink", "Ink", "Black for printers without greys; empty for what the labels ask for.").with_titles(
    Choice(name, title) for name, (title, _) in _INKS.items()
)
_FILE = Field("file", "File", "The PDF to write.")
_MAX_ENTRIES = 2_000
"""The number of entries of a folder that are read."""
_MAX_DESIGN_FILES = 50
_MAX_ROWS = 300
"""The number of rows of a table that can be edited here."""
_RECENT_TABLES = 10
"""The number of recent tables that are searched for labels still to be stuck."""
_SAMPLE_ROWS = 60
"""The number of rows of a table that show a design."""


class PrintForm:
    """The form for printing; see `companion.session.table.form_filling.Fillable`.

    `ready` is the last prepared order, None while the answers are wrong; `printer` is the one whose calibration was
    used.
    """

    title = phrase("Print")
    done = phrase("Write the PDF")

    def __init__(self, archive: Archive, usual: Values, left: Mapping[str, str] = MappingProxyType({})) -> None:
        self.ready: PreparedOrder | None = None
        self.printer = ""
        self._archive = archive
        # The usual labels are no answer: those of a design take precedence.
        self._usual_stock = str(usual.get("usual_stock", ""))
        others = {name: value for name, value in usual.items() if name != "usual_stock"}
        self._left = left
        """The positions that print-outs left free on the last sheet of each stock, in notation."""
        self._usual = {**self._begun_sheet(others), **others}
        if free := self.left_free(self._usual):
            self._usual["free"] = free
        self._looking = threading.Lock()

    def _begun_sheet(self, usual: Values) -> Values:
        """Return the sheet that was used last and still has room, as recorded in the archive."""
        what = orders.find_kind(str(usual.get("what", orders.KINDS[0].title)))
        row = stationery.last_begun_sheet(self._archive) if what.on == "labels" else None
        return {"sheet": row.name} if row is not None else {}

    def left_free(self, values: Values) -> str:
        """Return the positions that the last print-out left free on a sheet of the answers' labels."""
        if not self._left:
            return ""  # a stock is looked up only if there is something to know about it
        try:
            stock = run.find_stock(str(values.get("stock", "")) or self._stock_unsaid(values) or None)
        except LabelError:
            return ""
        return self._left.get(stock.name, "")

    def initial_values(self) -> Values:
        """Return the usual answers, with the sheet that was used last."""
        begun = {"what": str(orders.KINDS[0].title), **self._usual}
        return {**begun, "what": str(orders.find_kind(str(begun["what"])).title)}

    def build_state(self, values: Values) -> FormState:
        """Report the questions, the meaning of each answer, and the extent of the order."""
        try:
            what = orders.find_kind(str(values.get("what", "")))
        except OrderError as error:
            return FormState((_WHAT, _FILE), Filled(findings=(Finding(str(error), place=FormPlace(error.field)),)))
        if not values:
            return FormState(tuple(_print_fields(what, (_STOCK, _SHEET, _FREE, _PRINTER), values)), Filled())
        with self._looking:
            return self._state_of(values, what)

    def _state_of(self, values: Values, what: PrintKind) -> FormState:
        self.ready = None
        findings: list[Finding] = []
        order = self._build_order(values)
        try:
            self.ready = orders.prepare(self._archive, order)
        except OrderError as error:
            findings += _make_findings(error, values)
            if what.of == "table":
                self.ready = self._prepare_rest(order, error.by_entry)
        beside: dict[str, Text] = dict(self.ready.beside) if self.ready else {}
        if (ink := str(beside.get("ink", ""))) in _INKS:
            beside["ink"] = _INKS[ink][0]
        beside |= _describe_reading(order)
        if self.ready is not None:
            beside["file"] = "" if values.get("file") else _output_path(values, self.ready).name
        if (free := beside.get("free")) and values.get("free") and values["free"] == self.left_free(values):
            # Translators: {positions} are the free positions of a sheet.
            beside["free"] = phrase("{positions}, left by the last print-out", positions=free)
        fields = tuple(_print_fields(what, self._label_fields(values), values))
        # Translators: {summary} is what is printed, such as “60 labels on 1 sheet of L7651”.
        change = phrase("{summary}.", summary=self.ready.summary) if self.ready else ""
        # A text that was typed is not repeated beside itself.
        beside_fields = {
            FormPlace(field): text for field, text in beside.items() if text and str(text) != values.get(field)
        }
        return FormState(fields, Filled(findings=tuple(findings), beside=beside_fields, change=change))

    def _prepare_rest(self, order: PrintOrder, wrong: Collection[int]) -> PreparedOrder | None:
        """Prepare the printable part of an order that cannot be printed yet: the rows without errors, or the design
        alone if there are no rows yet.
        """
        with suppress(OrderError):
            if order.table and wrong:
                read = orders.first_rows(order, _MAX_ROWS + 1)
                rows = tuple(row.values for row in read if row.line not in wrong) if len(read) <= _MAX_ROWS else ()
            else:
                rows = tuple(row for number, row in enumerate(order.rows) if number not in wrong)
            if rows and wrong:
                return orders.prepare(self._archive, msgspec.structs.replace(order, table="", rows=rows))
            if not (order.table or rows):
                return orders.prepare_specimen(self._archive, order)
        return None

    def show_design(self, values: Values) -> bool:
        """Set `ready` to a preview of the labels with these answers, or of their design alone; return True if there is
        one.
        """
        order = self._build_order(values)
        with self._looking:
            if order.table:
                with suppress(OrderError):
                    rows = tuple(row.values for row in orders.first_rows(order, _SAMPLE_ROWS))
                    order = msgspec.structs.replace(order, table="", rows=rows)
            for prepare in (orders.prepare, orders.prepare_specimen):
                with suppress(OrderError):
                    self.ready = prepare(self._archive, order)
                    return True
        return False

    def _label_fields(self, values: Values) -> tuple[Field, ...]:
        """Return the fields about the labels.

        For a stored sheet the archive knows the answers, and a roll has neither sheets nor a calibration.
        """
        name = str(values.get("sheet", "")).strip().casefold()
        row = next((row for row in stationery.sheets(self._archive) if row.name.casefold() == name), None)
        if row is not None:
            return (_SHEET, _PRINTER) if row.free else (_SHEET, _FRESH, _PRINTER)
        try:
            is_roll = run.find_stock(str(values.get("stock", "")) or self._stock_unsaid(values) or None).roll
        except LabelError:
            is_roll = False
        return (_STOCK,) if is_roll else (_STOCK, _SHEET, _FREE, _PRINTER)

    def _stock_unsaid(self, values: Values) -> str:
        """Return the labels that apply if none are named: those of the design, else the usual ones; "" for neither."""
        design = None
        if orders.find_kind(str(values.get("what", ""))).of == "table":
            design = custom.optional_design(str(values.get("design", "")))
        return (design.stock if design else "") or self._usual_stock

    def table_stamp(self, values: Values) -> tuple[int, int] | None:
        """Return a stamp of the table's file that differs after each change to it."""
        return orders.table_stamp(str(values.get("table", "")))

    def first_part(self, values: Values) -> str:
        """Return the name of the first question about a typed label."""
        return _row_field(values).parts[0].name

    def has_design(self, values: Values) -> bool:
        """Return True if the labels of these answers are in a design that the user chooses."""
        try:
            return orders.find_kind(str(values.get("what", ""))).of == "table"
        except OrderError:
            return False

    def begins_wrong_sheet(self, values: Values) -> bool:
        """Return True if the suggested sheet has other labels than the design needs."""
        begun = self._usual.get("sheet", "")
        row = next((row for row in stationery.sheets(self._archive) if row.name == begun), None)
        if row is None or values.get("sheet") != begun:
            return False
        with suppress(LabelError):
            design = custom.optional_design(str(values.get("design", "")))
            if design is not None and design.stock:
                return run.find_stock(design.stock) != run.find_stock(row.stock)
        return False

    def rows_to_change(self, values: Values) -> tuple[TableRow, ...]:
        """Return the rows of the named table for editing here. Raises RuleError if they cannot be edited."""
        table = str(values.get("table", ""))
        where = phrase("Correct it in the program that made it, and save it; it is then read again here.")
        try:
            rows = orders.first_rows(self._build_order(values), _MAX_ROWS + 1)
            design = custom.optional_design(str(values.get("design", "")))
        except LabelError as error:
            raise RuleError(str(error)) from error
        if len(rows) > _MAX_ROWS:
            too_many = phrase(
                "“{table}” has more than {most} rows, too many to be changed here.", table=table, most=str(_MAX_ROWS)
            )
            raise RuleError(joined(" ", (too_many, where)))
        unreadable = next((row for row in rows if row.wrong), None)
        if unreadable is not None:
            # Translators: {error} continues the sentence, such as “: the cell is not closed”.
            wrong = phrase(
                "Line {line} of “{table}”{error}", line=str(unreadable.line), table=table, error=unreadable.wrong
            )
            raise RuleError(joined(" ", (wrong, where)))
        if orders.table_path(table).parent.resolve() != Path.cwd() and custom.has_pictures(design, rows):
            elsewhere = phrase("The pictures of “{table}” lie beside it, in another folder.", table=table)
            raise RuleError(joined(" ", (elsewhere, where)))
        return rows

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:
        """Offer the answers that are possible at a place."""
        match place.field:
            case "which":
                return self._which_choices(orders.find_kind(str(values.get("what", ""))), typed)
            case "encoding":
                readings = orders.choices_for_table(str(values.get("table", ""))).readings
                return tuple(Choice(name, word) for name, word in readings.items())
            case "worksheet":
                worksheets = orders.choices_for_table(str(values.get("table", ""))).worksheets
                return tuple(Choice(name) for name in worksheets)
            case "hidden_rows":
                return tuple(map(Choice, HIDDEN_ROWS))
            case "sheet":
                return Open(phrase("a sheet"), "blue folder", fitting=tuple(self._sheet_choices()))
            case "printer":
                return tuple(
                    Choice(row.name, detail=_describe_printer(row)) for row in stationery.printers(self._archive)
                )
        choices = _CHOICES.get(place.field)
        return choices(typed) if choices is not None else Open("", "")

    def _which_choices(self, what: PrintKind, typed: str) -> Candidates:
        if what.of == "game":
            return tuple(Choice(game.title) for game in orders.games(what))
        if what.of == "deck":
            return tuple(decks(self._archive.page_of_decks(typed, count=MAX_DECKS_OFFERED).rows))
        sessions = [row for row in self._archive.sessions() if row.sealed]
        return tuple(
            Choice(
                row.session,
                row.title or registry.title(row.game, row.page),
                f"{row.where} · {numeric_date(row.changed)}",
            )
            for row in sessions[:MAX_DECKS_OFFERED]
        )

    def _sheet_choices(self) -> Iterator[Choice]:
        for row in stationery.sheets(self._archive):
            detail = phrase(
                "{stock}, {free} of {positions} free",
                stock=row.stock,
                free=str(len(row.free)),
                positions=str(row.count),
            )
            yield Choice(row.name, detail=detail)

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002 – what a form may need
        """Refuse: chance prints nothing."""
        raise RuleError(phrase("There is nothing to draw here."))

    def keep(self, values: Values) -> FormResult:
        """Write the PDF; the id of the result is its path. Raises ArchiveError, or RuleError with the reason."""
        try:
            order = self._build_order(values)
            ready, self.printer = orders.prepare(self._archive, order), order.printer
            self.ready = ready
            path = _output_path(values, ready)
            orders.write(self._archive, ready, path)
        except (ValueError, OSError) as error:
            raise RuleError(str(error)) from error
        return FormResult(str(path), joined("\n", (phrase("{summary}.", summary=ready.summary), str(path))))

    def _build_order(self, values: Values) -> PrintOrder:
        fresh, outlines, codes, empty_errors = (str(values.get(name, "")).lower() in YES for name in _FLAGS)
        others = ("file", "rows", *_FLAGS)
        texts = {name: str(value) for name, value in values.items() if name not in others}
        rows = tuple(values.get("rows") or ())
        return PrintOrder(
            **texts,
            usual_stock=self._usual_stock,
            fresh=fresh,
            outlines=outlines,
            codes=codes,
            empty_errors=empty_errors,
            rows=rows,
        )


def _describe_printer(row: PrinterRow) -> Text:
    return phrase(
        "{right} mm right, {down} mm down, scale {across} × {along}",
        right=f"{row.dx:+g}",
        down=f"{row.dy:+g}",
        across=f"{row.sx:g}",
        along=f"{row.sy:g}",
    )


def labels_due(archive: Archive) -> Values:
    """Return the answers that print tonight's labels, while some of them still have to be stuck; else none.

    They are those of the last sealed table, or of one shortly before it if only that one has any left.
    """
    sealed = [row for row in archive.page_of_sessions(count=_RECENT_TABLES).rows if row.sealed]
    for row in sealed:
        with suppress(ArchiveError, LabelError, NotationError):
            decks = deck_records.decks_of_session(archive, row.session)
            if any(chore.value for deck in decks for chore in deck_records.chores(archive, deck.deck, row.session)):
                jobs.session_job(archive, row.session)
                which = {} if row is sealed[0] else {"which": row.session}
                return {"what": str(orders.find_kind("tonight").title), **which}
    return {}


def _print_fields(what: PrintKind, on: Iterable[Field], values: Values) -> Iterator[Field]:
    """Yield the questions for this kind of print, with those about the labels in `on`."""
    yield _WHAT
    if what.of == "table":
        yield from (_DESIGN, _TABLE)
        if table := str(values.get("table", "")):
            choices = orders.choices_for_table(table, str(values.get("worksheet", "")))
            yield from (_ENCODING,) * bool(choices.readings)
            yield from (_WORKSHEET,) * (len(choices.worksheets) > 1)
            yield from (_HIDDEN_ROWS,) * bool(choices.hidden_rows)
            yield from (_EMPTY_ERRORS,) * choices.has_errors
        else:
            yield _row_field(values)
    elif what.of == "count":
        yield from (_COUNT, _TIER)
    elif what.of:
        yield _WHICH[what.of]
    if what.on == "pages":
        yield from (_PAPER, _PRINTER)
    else:
        yield from on
    if what.name in orders.WORDED:
        yield _LANGUAGE
    yield _INK
    if what.name in orders.CODED:
        yield _CODES
    if what.on == "labels":
        yield _OUTLINES
    yield _FILE


def _describe_reading(order: PrintOrder) -> Iterator[tuple[str, str]]:
    """Yield notes on how a table's file is read: a sample word in its encoding, and the default worksheet."""
    choices = orders.choices_for_table(order.table)
    if word := choices.readings.get(order.encoding.strip() or choices.guess):
        yield "encoding", f"“{word}”"
    if len(choices.worksheets) > 1:
        yield "worksheet", choices.worksheets[0]


def _row_field(values: Values) -> Field:
    """Return the field for typed labels, one answer per label.

    Its parts are the fields of the design, and all others that the rows of a table have.
    """
    try:
        fields = custom.fields_of(custom.optional_design(str(values.get("design", ""))))
    except LabelError:
        fields = custom.fields_of(None)
    fields = tuple(dict.fromkeys((*fields, *(name for row in values.get("rows") or () for name in row))))
    parts = tuple(
        Field(name, str(_FIELD_TITLES.get(name, name.capitalize())), str(_FIELD_HELP.get(name, ""))) for name in fields
    )
    return Field("rows", "Label", "The contents of one label; the next one follows.", many=True, parts=parts)


def _table_choices(typed: str) -> Iterator[Choice]:
    """Yield the tables in the typed folder, or in the current one, and the folders in it, which end in a slash."""
    folder, _, _ = typed.rpartition("/")
    others = []
    place = files.expand_user(folder or ".") if not typed.startswith("/") or folder else Path("/")
    with suppress(OSError):
        entries = sorted(place.iterdir(), key=lambda entry: alphabetical_key(entry.name))
        for entry in entries[:_MAX_ENTRIES]:
            path = f"{folder}/{entry.name}" if folder or typed.startswith("/") else entry.name
            if entry.suffix.lower().removeprefix(".") in KINDS and entry.is_file():
                yield Choice(path, detail=_file_detail(entry))
            elif entry.is_dir() and not entry.name.startswith("."):
                others.append(Choice(f"{path}/", detail=phrase("a folder")))
    yield from others
    yield Choice(f"{folder}/../" if folder else "../", detail=phrase("the folder above"))
    if not folder:
        yield Choice("~/", detail=phrase("your own folder"))


def _file_detail(path: Path) -> Text:
    changed = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
    return phrase("changed {time}", time=date_and_time(changed))


def _design_choices() -> Iterator[Choice]:
    """Yield the known designs by use; then those in the current folder."""
    yield from list_design_choices()
    for file in sorted(Path.cwd().glob("*.toml"), key=lambda file: alphabetical_key(file.name))[:_MAX_DESIGN_FILES]:
        # Other TOML files are no designs, which is no error.
        with suppress(LabelError):
            design = designs.find_design(file.name)
            yield Choice(file.name, design.caption, listed(design.columns))


def _output_path(values: Values, ready: PreparedOrder) -> Path:
    """Return the path of the PDF: the user's, else a new one in the current folder."""
    text = str(values.get("file", "")).strip()
    if not text:
        return files.unused_path(Path.cwd() / f"{title_notation(str(ready.title))}.pdf")
    path = files.expand_user(os.path.expandvars(text))
    return path if path.suffix else path.with_suffix(".pdf")


def _make_findings(error: OrderError, values: Values) -> Iterator[Finding]:
    """Yield the errors, at the answers that they concern if that is known; those of a file line by line."""
    if error.by_entry and error.field == "rows":
        names = [part.name for part in _row_field(values).parts]
        for entry, text in error.by_entry.items():
            column = text.column if isinstance(text, custom.ColumnProblem) else ""
            part = column if column in names else names[0]
            yield Finding(Finished(text, begins=True, ends=False), place=FormPlace(error.field, entry, part))
        return
    lines = list(error.by_entry.items())
    for sentence in str(error).splitlines():
        line = lines.pop(0)[0] if lines and sentence.endswith(str(lines[0][1])) else None
        yield Finding(sentence, place=FormPlace(error.field, line))


def _stock_choices(typed: str) -> Iterator[Choice]:
    """Yield the stocks, found by any of their names, or by a size such as 70x36mm: those of that size come first."""
    stocks = run.known_stocks().stocks
    with suppress(LabelError):
        if len(typed.lower().replace("×", "x").split("x")) > 1:
            alike = find_by_size(parse_size(typed), stocks)
            yield from (Choice(each.name, each.caption, _describe_cut(each), typed) for each in alike)
            stocks = tuple(each for each in stocks if each not in alike)
    for each in stocks:
        makers_names = (f"{maker} {name}" for maker in each.makers for name in each.aliases)
        yield Choice(each.name, each.caption, _describe_cut(each), " ".join((*each.aliases, *makers_names, each.title)))


def _describe_cut(stock: Stock) -> str:
    return str(stock.cut if stock.roll else listed((stock.cut, stock.paper.title)))


def _tier_choices() -> Iterator[Choice]:
    for look in wording.tier_looks().values():
        if look.tier is not None:
            yield Choice(look.tier.title)


def _language_choices() -> Iterator[Choice]:
    """Yield all languages of the program by their codes, each with its own name."""
    for language in map(find_language, list_codes()):
        if language is not None:
            yield Choice(language.code, language.title)


_YES_OR_NO = (choice_of_word("yes"), choice_of_word("no"))
_CHOICES: Mapping[str, Callable[[str], Candidates]] = {
    "what": lambda _: tuple(Choice(str(each.title), detail=each.about) for each in orders.KINDS),
    "table": lambda typed: tuple(_table_choices(typed)),
    "design": lambda _: tuple(_design_choices()),
    "tier": lambda _: tuple(_tier_choices()),
    "stock": lambda typed: tuple(_stock_choices(typed)),
    "paper": lambda _: Open(
        phrase("a size"),
        "148 x 210 mm",
        fitting=tuple(Choice(paper.title, detail=paper.measures) for paper in NAMED.values()),
    ),
    "language": lambda _: tuple(_language_choices()),
    "ink": lambda _: tuple(Choice(name, *_INKS[name]) for name in INK_NAMES),
    "outlines": lambda _: _YES_OR_NO,
    "codes": lambda _: _YES_OR_NO,
    "fresh": lambda _: _YES_OR_NO,
}
"""The answers of fields that do not depend on the archive."""
