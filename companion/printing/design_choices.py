"""The designs of labels as choices of a form: by use, with their shape, their labels and their columns."""

from collections.abc import Iterator, Mapping

from companion.printing import shelf
from companion.printing.shelf import SHAPE_TITLES, ShelfGroup
from companion.tabletop.table.choices import Choice
from labels.designs.own import Design
from labels.paper.stocks import Stock
from templates.languages.messages import Text, joined, listed


def list_design_choices() -> Iterator[Choice]:
    """Yield the known designs by use; a broken one has its error instead. A search also finds uses and shapes."""
    stocks = shelf.stocks_by_name()
    for group in shelf.list_shelf():
        for entry in group.entries:
            if entry.design is None:
                yield Choice(entry.name, detail=entry.wrong)
            else:
                yield _describe_design(group, entry.name, entry.design, stocks)


def _describe_design(group: ShelfGroup, name: str, design: Design, stocks: Mapping[str, Stock]) -> Choice:
    shape = shelf.find_shape(design, stocks)
    shape_title: Text = SHAPE_TITLES[shape] if shape else ""
    facts = filter(None, (group.title, shape_title, design.stock, listed(design.columns)))
    return Choice(name, design.caption, joined(" · ", facts), f"{group.title} {shape_title} {design.stock}")
