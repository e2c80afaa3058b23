"""Users' own labels, one for each row of a file. They are validated before printing; errors name each line.

A label is made on access, so that a hundred thousand of them take no memory.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import Final, NamedTuple, overload

from companion.printing import designs, wording
from companion.printing.date_fields import FieldValues
from companion.printing.spreadsheets.tables import FileError, RowProblem, RowTable, TableRow, problem_after
from companion.printing.wording import draw_label
from companion.tabletop.decks.paper import LabelText
from labels import template
from labels.conditions import Condition
from labels.designs.own import Design, OwnLabel
from labels.designs.parts import CodePart, Part, PicturePart
from labels.drawing.null_ink import NullInk
from labels.drawing.picture import inspect_picture
from labels.errors import LabelError, excerpt
from labels.paper.sheet import Label, TwoSidedLabel
from labels.paper.stocks import Stock
from labels.typesetting import fonts
from templates.languages.messages import Language, Message, Text, all_of, joined, listed, phrase

COLUMNS: Final = ("name", "text", "tier", "count", "code", "code128", "ean13", "picture", "design", "position", "back")
"""The columns of a row without a user's own design."""

_BESIDE: Final = ("picture", "code", "code128", "ean13")
"""Columns of content besides a label's text."""
_BESIDE_DESIGNS: Final = ("picture", "code", "picture-code", "code128", "ean13")
"""The names of the designs for one of these, or for a picture and a code."""
_PLAIN: Final = "plain"
_BACK: Final = "back"
"""The column for the back of a label, and the design that sets it."""
_TYPED: Final = ("name", "text", "count", "code", "picture")
"""The fields of a label that is typed and has no design."""
_MAX_COPIES: Final = 10_000
_MAX_LABELS: Final = 1_000_000
_MAX_PROBLEMS: Final = 20

RowProgress = Callable[[Iterable[TableRow]], Iterable[TableRow]]
"""A callback that passes the rows on one by one and displays the progress."""


class RowError(LabelError):
    """An error in a row: its problem, or the sentence that follows the row's title and a colon.

    `column` is the column that it concerns, "" if that is unknown.
    """

    def __init__(self, problem: RowProblem | Message, column: str = "") -> None:
        self.column = column
        self.problem = problem if isinstance(problem, RowProblem) else problem_after(problem)
        super().__init__(self.problem)


class _RowRequest(NamedTuple):
    """The request of a row: a label, its number of copies, and the position of the first copy, 0 for the next free one.

    `differs` means that copies are numbered, and `label` is the first.
    """

    label: Label
    copies: int
    position: int
    differs: bool


class OwnLabels(Sequence[Label]):
    """The labels of a table, each made on access.

    `wanted` has the required position of each label, 0 for none. It is `two_sided` if some have a back.
    """

    def __init__(self, table: RowTable, maker: "_LabelMaker") -> None:
        self._table = table
        self._maker = maker
        self._rows = array("I")
        self._ends = array("Q")
        self.wanted = array("I")
        self.two_sided = False

    def add(self, number: int, request: _RowRequest) -> None:
        """Add the request of a row; beyond the most labels of a file they are only counted."""
        if request.copies:
            self.two_sided |= isinstance(request.label, TwoSidedLabel)
            self._rows.append(number)
            self._ends.append(len(self) + request.copies)
            if len(self) <= _MAX_LABELS:
                self.wanted.append(request.position)
                self.wanted.extend([0] * (request.copies - 1))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> Label: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Label]: ...

    def __getitem__(self, index: int | slice) -> Label | Sequence[Label]:
        if isinstance(index, slice):
            return tuple(map(self.__getitem__, range(*index.indices(len(self)))))
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._label_at(index)

    def __iter__(self) -> Iterator[Label]:
        start = 0
        for number, end in enumerate(self._ends):
            row = self._table.row(self._rows[number])
            request = self._maker.request_for(row, start + 1)
            yield request.label
            for index in range(start + 1, end):
                yield self._maker.request_for(row, index + 1).label if request.differs else request.label
            start = end

    def _label_at(self, index: int) -> Label:
        row = self._table.row(self._rows[bisect_right(self._ends, index)])
        return self._maker.request_for(row, index + 1).label


def optional_design(name: str) -> Design | None:
    """Return the design of this name, or in this file, or None for an empty name. Raises DesignError."""
    return designs.find_design(name) if name else None


def fields_of(design: Design | None) -> tuple[str, ...]:
    """Return the fields of a label: those of a design, else the usual ones; and the number of copies."""
    if design is None:
        return _TYPED
    return (*design.columns, "count")


def has_pictures(design: Design | None, rows: Iterable[TableRow]) -> bool:
    """Return True if rows name pictures, which are files in the folder of their table."""
    parts = design.parts if design else ()
    fields = {field for part in parts if isinstance(part, PicturePart) for field in part.template.fields}
    return any(row.values.get(field) for row in rows for field in (*fields, "picture"))


def check_pictures(design: Design) -> None:
    """Raise LabelError if a picture that is the same on all labels is missing beside the design."""
    for part in design.parts:
        if isinstance(part, PicturePart) and not part.template.fields:
            try:
                inspect_picture(designs.locate_file(design.beside, part.fill({}), "picture"))
            except LabelError as error:
                raise LabelError(f"In the design “{design.name}” {error}") from error


def own_labels(
    table: RowTable,
    beside: Path,
    *,
    design: Design | None = None,
    stock: Stock | None = None,
    progress: RowProgress = iter,
    today: date | None = None,
    language: str = "",
) -> OwnLabels:
    """Return the labels of a table, validated on a stock if one is given. Raises FileError, naming each line.

    `beside` is the folder of their pictures and designs. `design` is for rows that name none. `today` is the day of
    printing, by default the current day. `language` is that of the names of months and days, by default the design's.
    """
    maker = _LabelMaker(table, beside, design, today or date.today(), language)
    labels, problems = OwnLabels(table, maker), _Problems(table)
    trial = _LabelTrial(stock) if stock else None
    for number, row in enumerate(progress(table.rows())):
        try:
            request = maker.request_for(row, len(labels) + 1)
            if trial is not None:
                trial.draw(request.label, request.position)
                if request.differs and request.copies > 1:
                    # The last number is the longest.
                    trial.draw(maker.request_for(row, len(labels) + request.copies).label)
            labels.add(number, request)
        except FileError:
            raise
        except RowError as error:
            problems.add(row, error.problem, error.column)
        except LabelError as error:
            problems.add(row, problem_after(error.message))
    problems.check((*maker.find_missing_fields(), *(trial.unfit if trial is not None else ())))
    if not labels:
        raise FileError(
            phrase("{file} asks for no label; it needs rows.", file=table.title)
            if table.head
            else phrase("{file} asks for no label; it needs a label at least.", file=table.title)
        )
    if len(labels) > _MAX_LABELS:
        raise FileError(
            phrase(
                "{file} asks for {labels} labels; {most} is the most for one file.",
                file=table.title,
                labels=str(len(labels)),
                most=str(_MAX_LABELS),
            )
        )
    return labels


class _LabelTrial:
    """A trial of labels on a stock. A design without room on it is no error of any row, and is reported once."""

    def __init__(self, stock: Stock) -> None:
        self._stock = stock
        self._ink = NullInk()
        self._die = stock.room(1)
        self._wrong: dict[Design, Text] = {}

    @property
    def unfit(self) -> Iterator[Text]:
        """The errors of designs that have no room."""
        return filter(None, self._wrong.values())

    def draw(self, label: Label, position: int = 0) -> None:
        """Raise LabelError if a label cannot be printed, or not at its position."""
        stock = self._stock
        if position > stock.count:
            raise RowError(
                phrase(
                    "stock {stock} has positions 1 to {last}, not {position}.",
                    stock=stock.name,
                    last=str(stock.count),
                    position=str(position),
                ),
                "position",
            )
        if isinstance(label, TwoSidedLabel):
            if stock.roll:
                raise RowError(
                    phrase(
                        "{stock} is a roll, which is printed on one side; leave out the column {column}.",
                        stock=stock.name,
                        column=_BACK,
                    ),
                    _BACK,
                )
            if label.back is not None:
                self.draw(label.back)
            label = label.front
        if not isinstance(label, OwnLabel) or self._fits(label.design):
            label.draw(self._ink, self._die)

    def _fits(self, design: Design) -> bool:
        if design not in self._wrong:
            try:
                design.rooms(self._die)
                self._wrong[design] = ""
            except LabelError as error:
                self._wrong[design] = error.message
        return not self._wrong[design]


class _Problems:
    """The errors of a table, of which only the first are reported."""

    def __init__(self, table: RowTable) -> None:
        self._table = table
        self._lines: list[Text] = []
        self._by_line: dict[int, Text] = {}
        self._more = 0

    def add(self, row: TableRow, problem: RowProblem, column: str = "") -> None:
        if len(self._lines) < _MAX_PROBLEMS:
            self._by_line[row.line] = ColumnProblem(problem, column)
            self._lines.append(_OneLine(problem.of_row(self._table.title_of(row.line))))
        else:
            self._more += 1

    def check(self, of_all: Iterable[Text]) -> None:
        """Raise FileError if there are errors, beginning with those `of_all` rows."""
        lines = (*of_all, *self._lines)
        if lines:
            more = [phrase("… and {count} more.", count=str(self._more))] if self._more else []
            error = FileError(joined("\n", (*lines, *more)))
            error.by_line = self._by_line
            raise error


class _OneLine(Message):
    """A problem on one line, whatever texts of a file it quotes."""

    __slots__ = ("problem",)

    def __init__(self, problem: Message) -> None:
        self.problem = problem

    def render(self, language: Language) -> str:
        return " ".join(self.problem.render(language).split())

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.problem,)


class ColumnProblem(_OneLine):
    """A problem of a row on one line, with the column that it concerns, "" if that is unknown."""

    __slots__ = ("column", "of_row")

    def __init__(self, problem: RowProblem, column: str) -> None:
        super().__init__(problem)
        self.column = column
        self.of_row = problem.of_row


class _LabelMaker:
    """A factory of labels from rows."""

    def __init__(self, table: RowTable, beside: Path, design: Design | None, today: date, language: str) -> None:
        self._table = table
        self._today = today
        self._language = language
        self._beside = beside
        self._design = design
        self._designs: dict[str, Design | Message] = {}
        self._used: dict[Design, None] = {}
        self._values: dict[Design, FieldValues] = {}

    @cached_property
    def _tiers(self) -> Mapping[str, wording.TierLook]:
        """The looks of tiers, for which all games are loaded; few tables name a tier."""
        return wording.tier_looks()

    def request_for(self, row: TableRow, number: int) -> _RowRequest:
        """Return the request of a row whose first label is number `number` of the run, from 1.

        Raises RowError or LabelError, or FileError if no row can be valid.
        """
        if row.wrong is not None:
            raise RowError(row.wrong)
        count = _parse_number(row, "count", default=1, least=0)
        position = _parse_number(row, "position", default=0, least=1)
        label = self._row_label(row, number)
        back = self._back_label(label, row, number)
        differs = any(isinstance(side, OwnLabel) and self._values[side.design].count_labels for side in (label, back))
        return _RowRequest(label if back is None else TwoSidedLabel(label, back), count, position, differs)

    def _back_label(self, front: Label, row: TableRow, number: int) -> Label | None:
        """Return the label for the back of a row's label.

        Return None if there is none, or if the front shows that column.
        """
        is_shown = isinstance(front, OwnLabel) and _BACK in front.design.columns
        return (
            None
            if is_shown or not row.values.get(_BACK, "").strip()
            else self._own_label(self._find_design(_BACK), row, number)
        )

    def find_missing_fields(self) -> Iterator[Message]:
        """Yield a message for each field of a design that no row has."""
        columns = self._table.columns
        for design in self._used:
            for field in design.fields:
                column = template.column_of(field)
                if column and columns.keys().isdisjoint({column, template.normalize_field(field)}):
                    # Translators: {advice} is a clause such as “write {{name}}” or “the columns are a, b”.
                    yield phrase(
                        "The design “{design}” has {field}, which is no column of {file}; {advice}.",
                        design=design.name,
                        field=f"{{{excerpt(field)}}}",
                        file=self._table.title,
                        advice=template.nearest(field, columns),
                    )

    def _row_label(self, row: TableRow, number: int) -> Label:
        name = row.values.get("design", "").strip()
        if name and name != _PLAIN:
            return self._own_label(self._find_design(name), row, number)
        if not name and self._design is not None:
            return self._own_label(self._design, row, number)
        self._check_columns(row)
        return self._usual_label(row, number)

    def _find_design(self, name: str) -> Design:
        if name not in self._designs:
            try:
                file = name.lower().endswith(".toml")
                self._designs[name] = designs.find_design(
                    designs.locate_file(str(self._beside), name, "design") if file else name
                )
            except LabelError as error:
                self._designs[name] = error.message
        design = self._designs[name]
        if isinstance(design, Message):
            raise LabelError(design)
        return design

    def _own_label(self, design: Design, row: TableRow, number: int) -> OwnLabel:
        self._used[design] = None
        return self._fill_design(design, row, number)

    def _fill_design(self, design: Design, row: TableRow, number: int) -> OwnLabel:
        if design not in self._values:
            self._values[design] = FieldValues(design, self._table.columns, self._today, self._language)
        fields = self._values[design].fill(row.values, number)
        values = tuple(self._part_value(design, part, fields) for part in design.parts)
        fills = [
            text for part, text in zip(design.parts, values, strict=True) if part.template and part.template.fields
        ]
        if fills and not any(fills) and self._has_any(design) and not _has_hidden_text(design, fields):
            wanted = listed(f"{{{field}}}" for field in design.fields)
            raise RowError(RowProblem(partial(_nothing_for, wanted)))
        return OwnLabel(design, values)

    def _has_any(self, design: Design) -> bool:
        """Return True if the table may fill a field of a design.

        If its head has none, that is reported once, not by line.
        """
        columns = self._table.columns
        return not self._table.head or any(
            {field, template.column_of(field)} & columns.keys() for field in design.fields
        )

    def _part_value(self, design: Design, part: Part, fields: Mapping[str, str]) -> str:
        """Return the text of a part, or the path of a picture."""
        if part.when is not None and not self._is_printed(design, part, part.when, fields):
            return ""
        value = part.fill(fields)
        if isinstance(part, PicturePart) and value:
            folder = self._beside if part.template.fields else Path(design.beside)
            return designs.locate_file(str(folder), value, "picture")
        if isinstance(part, CodePart) and (
            control := next((char for char in value if char < " " and char not in "\n\r\t"), "")
        ):
            raise LabelError(
                phrase(
                    "the text of a code has {symbol}, a control symbol; leave it out.", symbol=f"U+{ord(control):04X}"
                )
            )
        return value

    def _is_printed(self, design: Design, part: Part, when: Condition, fields: Mapping[str, str]) -> bool:
        """Return True if the condition of a part holds. Raises RowError if it cannot be checked."""
        try:
            return when.holds(fields, self._values[design].decimal_sign)
        except LabelError as error:
            raise RowError(
                phrase(
                    "the condition “{condition}” of {part} cannot be checked: {problem}",
                    condition=excerpt(when.source),
                    part=part.quoted_name,
                    problem=error.message,
                ),
                template.column_of(when.field),
            ) from error

    def _check_columns(self, row: TableRow) -> None:
        others = "design" in self._table.columns
        unknown = next((key for key, value in row.values.items() if key not in COLUMNS and (value or not others)), None)
        if self._table.head and not others and (unknown is not None or "name" not in row.values):
            raise FileError(
                phrase(
                    "{row} must name the columns: name, and where wanted {columns}; it has “{found}”. Other columns "
                    "need a design.",
                    row=self._table.title_of(self._table.head),
                    columns=listed(COLUMNS[1:]),
                    found=",".join(self._table.columns),
                )
            )
        if unknown is not None:
            raise RowError(RowProblem(partial(_unknown_column, unknown)), unknown)

    def _usual_label(self, row: TableRow, number: int) -> Label:
        """Return a label without a user's own design: plain, of a tier, or with a code or a picture beside its text."""
        name, text, tier = (_clean_text(row, key) for key in ("name", "text", "tier"))
        columns = [key for key in _BESIDE if row.values.get(key, "").strip()]
        beside = "-".join(columns)
        if not name:
            raise RowError(RowProblem(_without_name), "name")
        if not tier and beside and beside not in _BESIDE_DESIGNS:
            raise RowError(RowProblem(partial(_too_much_beside, columns)), columns[0])
        if not tier:
            return (
                self._fill_design(self._find_design(beside), row, number)
                if beside
                else draw_label(LabelText(name, text))
            )
        if tier.lower() not in self._tiers:
            raise RowError(
                phrase(
                    "“{tier}” is not a tier; tiers are {tiers}, or leave it empty.",
                    tier=tier,
                    tiers=listed(self._tiers),
                ),
                "tier",
            )
        if not text:
            raise RowError(phrase("a label of a tier needs a text; “{label}” has none.", label=name), "text")
        if beside:
            raise RowError(
                phrase("a label of a tier has no room for a {column}; leave out one of them.", column=beside),
                columns[0],
            )
        look = self._tiers[tier.lower()]
        return draw_label(LabelText(name, text, look.design, look.tier))


def _has_hidden_text(design: Design, fields: Mapping[str, str]) -> bool:
    """Return True if a row has something for a part that its condition leaves out."""
    hidden = (part for part in design.parts if part.when is not None and part.template is not None)
    return any(part.fill(fields) for part in hidden)


def _nothing_for(fields: Message, row: Text) -> Message:
    return phrase("{row} has nothing for {fields}; a label with nothing on it is not printed.", row=row, fields=fields)


def _unknown_column(column: str, row: Text) -> Message:
    return phrase(
        "{row} has “{column}”, which is none of {columns}; other columns need a design.",
        row=row,
        column=column,
        columns=listed(COLUMNS),
    )


def _without_name(row: Text) -> Message:
    return phrase("{row} has no name.", row=row)


def _too_much_beside(columns: Sequence[str], row: Text) -> Message:
    return phrase(
        "{row} has {columns}; a label has room for both only in a design of its own.", row=row, columns=all_of(columns)
    )


def _clean_text(row: TableRow, key: str) -> str:
    lines = fonts.lines(row.values.get(key, ""))
    try:
        fonts.check("".join(lines), phrase("the {column} “{text}”", column=key, text=" ".join(lines)))
    except fonts.GlyphError as error:
        raise RowError(error.message, key) from error
    return "\n".join(lines)


def _parse_number(row: TableRow, key: str, default: int, least: int) -> int:
    digits = row.values.get(key, "").strip()
    if not digits:
        return default
    if not (digits.isascii() and digits.isdecimal() and least <= int(digits[:9]) <= _MAX_COPIES):
        raise RowError(
            phrase(
                "{column} is a whole number from {least} to {most}, not “{digits}”.",
                column=key,
                least=str(least),
                most=str(_MAX_COPIES),
                digits=digits,
            ),
            key,
        )
    return int(digits)
