"""A deck: its record as it is today, and its story."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import msgspec
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from companion.archive import DeckRow, Told, deck_id
from companion.games.records import Record
from companion.tui import drawing
from companion.tui.steady import Steady
from companion.tui.widgets.keys import KeyBar

_IN_THE_TITLE = ("game", "name")


class DeckScreen(Steady, Screen[None]):
    """What is known of one deck; the cards in the box are right, this is their memory."""

    CSS_PATH = "deck.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.pop_screen", "Back", id="deck.back", tooltip="Back home"),
        Binding("tab,left,right", "other_side", "Record / story", id="deck.other", tooltip="To the other column"),
    ]

    def __init__(self, row: DeckRow, record: Record, story: Sequence[Told]) -> None:
        super().__init__()
        self._row, self._record, self._story = row, record, story

    def compose(self) -> ComposeResult:
        """Name and id, the record beside the story, the keys."""
        title = Content.assemble(
            (self._row.name, "bold $text-accent"), drawing.BULLET, deck_id.show(self._row.deck),
            drawing.BULLET, (self._row.game, drawing.DIM),
        )  # fmt: skip
        yield Static(title, id="name")
        with Container(id="sides"):
            record = VerticalScroll(Static(Content("\n").join(facts(self._record))), id="record")
            record.border_title = "Record"
            yield record
            story = VerticalScroll(Static(Content("\n").join(_sentences(self._story))), id="story")
            story.border_title = "Story"
            yield story
        yield KeyBar()

    def on_mount(self) -> None:
        """Arrow keys scroll at once."""
        self.query_one("#record").focus()
        self.query_one(KeyBar).show(
            (("Esc", "Back", "app.pop_screen"), ("Tab", "Record / story", "screen.other_side"), ("↑ ↓", "Scroll", ""))
        )

    def action_other_side(self) -> None:
        """To the other column."""
        here = self.query_one("#record")
        (self.query_one("#story") if here.has_focus else here).focus()


def facts(value: Any, indent: int = 0) -> Iterator[Content]:
    """A record's fields, a row each, whatever fields a game gives it; what holds nothing is left out."""
    for field in value.__struct_fields__:
        if field in _IN_THE_TITLE and not indent:
            continue
        held = getattr(value, field)
        if held in (None, "", (), False) or (isinstance(held, dict) and not held):
            continue
        yield from _fact(field.replace("_", " ").capitalize(), held, indent)


def _fact(name: str, held: Any, indent: int) -> Iterator[Content]:
    margin = "  " * indent
    if isinstance(held, msgspec.Struct):
        yield Content.assemble(margin, (name, "bold"))
        yield from facts(held, indent + 1)
    elif isinstance(held, tuple | list) and any(isinstance(item, msgspec.Struct) for item in held):
        yield Content.assemble(margin, (name, "bold"))
        for item in held:
            yield Content(f"{margin}  {_in_a_row(item)}")
    elif isinstance(held, dict):
        yield Content.assemble(margin, (name, "bold"))
        for key, item in held.items():
            yield Content.assemble(f"{margin}  ", (f"{key} ", drawing.DIM), _in_a_row(item))
    else:
        yield Content.assemble(margin, (f"{name} ", drawing.DIM), _in_a_row(held))


def _in_a_row(held: Any) -> str:
    """A value in one row: a struct by what its fields hold, a list by its items."""
    if isinstance(held, msgspec.Struct):
        parts = {field: getattr(held, field) for field in held.__struct_fields__}
        told = [_part(field, part) for field, part in parts.items() if part not in (None, "", (), False)]
        return drawing.BULLET.join(told)
    if isinstance(held, tuple | list | frozenset):
        return ", ".join(_in_a_row(item) for item in held)
    return "yes" if held is True else str(held)


def _part(field: str, part: Any) -> str:
    return field.replace("_", " ") if part is True else (
        f"{field.replace('_', ' ')} {part}" if isinstance(part, int) else _in_a_row(part)
    )  # fmt: skip


def _sentences(story: Sequence[Told]) -> Iterator[Content]:
    if not story:
        yield Content.styled("Nothing has been written down yet.", drawing.DIM)
    for told in story:
        yield Content.assemble((f"{told.at:%Y-%m-%d}  ", drawing.DIM), drawing.single(told.text))
