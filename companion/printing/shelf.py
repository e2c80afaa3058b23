"""The shelf of label designs: all known ones by use and shape, and bundled ones filled from a small sample table."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from companion.printing import custom, designs
from companion.printing.designs import DesignEntry
from companion.printing.run import find_stock, known_stocks
from companion.printing.spreadsheets.tables import TypedRows, open_table
from labels import handwritten, template
from labels.designs.own import Design, Specimen
from labels.designs.parts import CodePart, Part, PicturePart
from labels.drawing.null_ink import NullInk
from labels.editing.editor import Editor
from labels.editing.values import write_value
from labels.errors import LabelError
from labels.geometry import MM
from labels.paper.sheet import Label
from labels.paper.stocks import Stock
from templates.languages.messages import Text, declared, phrase, phrase_in

Shape = Literal["rectangle", "round", "roll"]
"""The shape of the labels that a design is for."""
SHAPE_TITLES: Final[Mapping[Shape, Text]] = {
    "rectangle": phrase_in("labels", "rectangular"),
    "round": phrase_in("labels", "round"),
    "roll": phrase_in("labels", "on a roll"),
}
_ENDINGS: Final = ("", "-round", "-roll")
"""The ends of the names of the designs for one use."""
_GROUP_CONTEXT: Final = "design group"
_SAMPLES: Final = "samples"


class ShelfGroup(NamedTuple):
    """Designs for one use."""

    title: Text
    entries: tuple[DesignEntry, ...]


def list_shelf() -> tuple[ShelfGroup, ...]:
    """Return all known designs by use: the user's own ones first, and behind each of ours its other shapes."""
    entries = {entry.name: entry for entry in designs.list_designs()}
    groups = [ShelfGroup(phrase("Your own designs"), tuple(entry for entry in entries.values() if entry.own))]
    bundled = {name: entry for name, entry in entries.items() if not entry.own}
    for group in _read_shelf()["group"]:
        names = (f"{name}{ending}" for name in group["designs"] for ending in _ENDINGS)
        group_entries = tuple(bundled.pop(name) for name in names if name in bundled)
        groups.append(ShelfGroup(declared(group["title"], _GROUP_CONTEXT), group_entries))
    return tuple(group for group in groups if group.entries)


@lru_cache(maxsize=1)
def _read_shelf() -> dict[str, Any]:
    file = resources.files("templates") / "design-shelf.toml"
    return handwritten.parse(file.read_text(encoding="utf-8"))


def stocks_by_name() -> Mapping[str, Stock]:
    """Return the known stocks by their names."""
    return {stock.name: stock for stock in known_stocks().stocks}


def find_shape(design: Design, stocks: Mapping[str, Stock] = {}) -> Shape | None:
    """Return the shape of the labels that a design is for, None if it names no known ones.

    Its stock is looked up in `stocks` first, which saves time for many designs.
    """
    if not design.stock:
        return None
    try:
        stock = stocks.get(design.stock) or find_stock(design.stock)
    except LabelError:
        return None
    if stock.roll:
        return "roll"
    return "round" if stock.die.shape == "ellipse" else "rectangle"


class SampleTable(NamedTuple):
    """A small table that shows a design: its rows, its columns, and its file, beside which its pictures lie."""

    rows: tuple[Mapping[str, str], ...]
    columns: tuple[str, ...]
    file: Path

    @property
    def folder(self) -> Path:
        """The folder of its pictures."""
        return self.file.parent


def find_sample(design: Design) -> SampleTable | None:
    """Return the sample table of a design, None if there is none with all of its columns."""
    ending = next((each for each in _ENDINGS if each and design.name.endswith(each)), "")
    sample = _read_sample(design.name.removesuffix(ending).casefold())
    return sample if sample is not None and set(design.columns) <= set(sample.columns) else None


@lru_cache(maxsize=64)
def _read_sample(name: str) -> SampleTable | None:
    folder = resources.files("templates") / "designs" / _SAMPLES
    if not isinstance(folder, Path) or not (file := folder / f"{name}.csv").is_file():
        return None
    with open_table(file, "csv", encoding="utf-8") as table:
        rows = tuple(row.values for row in table.rows())
        return SampleTable(rows, tuple(table.columns), file)


def draw_sample(design: Design, stock: Stock) -> Label:
    """Return a label that shows a design: the first row of its sample if that fits on a stock, else its fields."""
    sample = find_sample(design)
    if sample is not None:
        try:
            label = custom.own_labels(
                TypedRows(sample.rows[:1], sample.columns), sample.folder, design=design, stock=stock
            )[0]
            label.draw(NullInk(), stock.room(1))
        except LabelError:
            return Specimen(design)
        return label
    return Specimen(design)


def describe_columns(design: Design) -> Mapping[str, tuple[Text, ...]]:
    """Return what the parts of a design need in each of its columns."""
    needs: dict[str, dict[str, Text]] = {column: {} for column in design.columns}
    for part in design.parts:
        for column, need in _list_needs(part):
            needs[column].setdefault(str(need), need)
    return {column: tuple(each.values()) for column, each in needs.items()}


def _list_needs(part: Part) -> Iterator[tuple[str, Text]]:
    """Yield each column that a part is filled from or depends on, with what it needs there."""
    for field in part.template.fields if part.template is not None else ():
        if column := template.column_of(field):
            yield column, _describe_need(part, field)
    if part.when is not None and (column := template.column_of(part.when.field)):
        yield column, phrase("a value that decides whether {part} is printed", part=part.quoted_name)


def _describe_need(part: Part, field: str) -> Text:
    if isinstance(part, PicturePart):
        return phrase("the file of a picture beside the table")
    if template.parse_date_field(field) is not None:
        return phrase("a date, such as 2026-12-24")
    if template.parse_number_field(field) is not None:
        return phrase("a number")
    return phrase("the content of {part}", part=part.quoted_name) if isinstance(part, CodePart) else phrase("a text")


def create_design(name: str, stock: Stock | None, original: str = "") -> Path:
    """Write a new design into the user's folder, and return its file.

    Args:
        name: The name of the design, which is its title, too.
        stock: The labels that it is for; by default those of `original`, or else the usual ones.
        original: The name of a known design, or the file of any, to begin with; "" for a label with one text.

    Raises:
        LabelError: The name cannot be used or is in use, there is no such original, or it does not fit on the labels.
    """
    designs.check_name(name)
    if designs.read_design_file(name) is not None:
        raise LabelError(phrase("There is a design “{design}” already; choose another name.", design=name))
    if original:
        designs.find_design(original)
        file = designs.read_design_file(original)
        text = file.text if file is not None else Path(original).read_bytes().decode()
    else:
        text = new_design_text(name, stock or find_stock(None))
    editor = Editor(
        text, name, f"{name}.toml", lambda stock_name: find_stock(stock_name or None), str(designs.designs_folder())
    )
    # A copy of a design for any labels stays one for any, unless labels are named.
    editor.set_keys(None, {"title": name} | ({} if stock is None else {"stock": stock.name}))
    editor.check()
    custom.check_pictures(editor.design)
    return designs.save_design(name, editor.text)


def new_design_text(title: str, stock: Stock) -> str:
    """Return the text of a new design for a stock: a title in the upper half, in the middle of a round label."""
    die, align = stock.room(1), ""
    if stock.die.shape == "ellipse":
        align = '\nalign = "centre"'
        box = '["10 %", "20 %", "80 %", "30 %"]'
    else:
        lengths = (2.0, 2.0, die.width / MM - 4, die.height / MM * 0.4)
        box = f"[{', '.join(f'{length:.1f}'.removesuffix('.0') for length in lengths)}]"
    return "\n".join(
        (
            f"title = {write_value(title, None, '')}",
            f"stock = {write_value(stock.name, None, '')}",
            f'\n[[part]]\ntext = "{{name}}"\nrole = "title"{align}',
            f"box = {box}\n",
        )
    )
