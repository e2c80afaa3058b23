"""Table aids: pages that lie in the middle of the table, from words that stand as data in the templates."""

from typing import Annotated, Any

import msgspec

from companion.games.paper import Printable
from companion.press import templates
from labels.page import Column, Document, PageTable


class _Panel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    share: Annotated[float, msgspec.Meta(gt=0)]
    """How wide the first column is, beside 4 for the second."""
    rows: tuple[tuple[str, str], ...]


class _Aid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    subtitle: str
    tables: tuple[_Panel, ...]


def with_aid(name: str | None) -> Printable:
    """The game of this name, or the first that has a table aid. Raises LabelError, NotationError."""
    return templates.chosen(name, has, "table aid")


def has(game: Printable) -> bool:
    """Whether a game has a table aid."""
    return _file(game) is not None


def aid(game: Printable) -> Document:
    """A game's table aid: what everybody asks while it is played."""
    read = msgspec.convert(_file(game), _Aid)
    return Document(read.title, read.subtitle, tuple(map(_table, read.tables)), columns=2, credit=game.credit)


def _file(game: Printable) -> dict[str, Any] | None:
    return templates.toml(game.data, "aids", f"{game.name}.toml")


def _table(panel: _Panel) -> PageTable:
    return PageTable(panel.title, (Column("", panel.share, bold=True), Column("", 4)), panel.rows)
