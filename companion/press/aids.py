"""PageTable aids: pages that lie in the middle of the table, from words that stand as data in the templates."""

import tomllib
from importlib import resources
from typing import Annotated

import msgspec

from companion.games.decknforge import GAME
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


def aid() -> Document:
    """DecknForge's table aid: the round, the Tactics, what things cost and pay."""
    text = (resources.files("templates") / "aids" / "decknforge.toml").read_text(encoding="utf-8")
    read = msgspec.convert(tomllib.loads(text), _Aid)
    return Document(read.title, read.subtitle, tuple(map(_table, read.tables)), columns=2, credit=GAME.credit)


def _table(panel: _Panel) -> PageTable:
    return PageTable(panel.title, (Column("", panel.share, bold=True), Column("", 4)), panel.rows)
