"""The evening's card: how a game went, to look at, and to save as a picture, a PDF or text."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

from textual import events, getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container

from companion.archive.storage import files
from companion.tabletop.evening import EveningCard
from companion.tui import drawing
from companion.tui.screens.base import STYLES, StatusLineScreen, key_name
from companion.tui.screens.help import Help
from companion.tui.widgets.bars import KeyBar, StatusLine
from companion.tui.widgets.evening_card import draw_card
from companion.tui.widgets.page import Page
from templates.languages.messages import Message, declared, phrase, phrase_in

_DRAWING = {
    "png": phrase("Drawing the picture …"),
    "pdf": phrase("Drawing the PDF …"),
    "md": phrase("Drawing the text …"),
}


def _describe_written_file(kind: str, file: str) -> Message:
    """Return the message about a written card."""
    match kind:
        case "png":
            return phrase("The picture is {file}.", file=file)
        case "pdf":
            return phrase("The PDF is {file}.", file=file)
        case _:
            return phrase("The text is {file}.", file=file)


class EveningScreen(StatusLineScreen[None]):
    """A card, as high as its content; arrow keys scroll."""

    CSS_PATH = STYLES / "evening.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter", "close", "Back", id="evening.close", tooltip="Go back"),
        Binding("f5", "save('png')", "Picture", id="evening.picture", tooltip="Save the card as a picture, to send"),
        Binding("f6", "save('pdf')", "PDF", id="evening.pdf", tooltip="Save the card as a PDF, to print"),
        Binding("f7", "save('md')", "Text", id="evening.text", tooltip="Save the card as text in Markdown"),
        Binding("f1", "help", "Help", id="evening.help", tooltip="All keys"),
    ]

    page = getters.query_one(Page)

    def __init__(self, card: EveningCard) -> None:
        super().__init__()
        self._card = card
        self._width = 0

    def compose(self) -> ComposeResult:
        """Yield the card, the status line and the keys."""
        with Container(id="middle"):
            yield Page(id="card")
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Focus the card for the arrow keys."""
        self.set_focus(self.page)
        own = (binding for binding in self.BINDINGS if isinstance(binding, Binding))
        keys = [(key_name(self, str(each.id)), declared(each.description), f"screen.{each.action}") for each in own]
        self.query_one(KeyBar).show((*keys, ("↑ ↓", phrase("Scroll"), "")))

    def on_resize(self, event: events.Resize) -> None:
        """Draw the card as wide as the screen, up to a comfortable width."""
        width = min(event.size.width - 4, 100)
        if width != self._width:
            self._width = width
            self.page.show(draw_card(self._card, width))

    async def action_save(self, kind: str) -> None:
        """Write the card to the current folder, and report its path."""
        self.say(_DRAWING[kind])
        try:
            path = await asyncio.to_thread(_write, self._card, kind)
        except OSError as error:
            reason = str(error.strerror or error)
            self.say(phrase("The card could not be written: {reason}.", reason=reason), wrong=True)
            return
        self.say(_describe_written_file(kind, drawing.near_home(path)))

    def action_close(self) -> None:
        """Leave this screen."""
        self.dismiss()

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(Help(self.active_bindings))


def _write(card: EveningCard, kind: str) -> Path:
    from companion.printing.evening_page import write_card

    # Translators: The name of the file with the card of an evening; one word, without its ending.
    name = phrase_in("file name", "evening")
    path = files.unused_path(Path.cwd() / f"{name}.{kind}")
    with files.write_atomically(path, force=False) as draft:
        draft.write_bytes(write_card(card, kind))
    return path
